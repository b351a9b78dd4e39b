//! Programs that place keys, written from the definitions of the default placements
//! and from the mistakes that are known, and from no code of ours.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// The members of every file here: their orders by file, by id and by number differ.
pub(crate) const IDS: [&str; 7] = ["n10", "n9", "n1", "n30", "n2", "n4", "n7"];

pub(crate) type Placed = Vec<(Vec<u8>, Option<String>)>;

/// A file's rows: each key with the owner that a program gives.
pub(crate) fn placed(keys: &[String], owner: impl Fn(&str) -> usize, ids: &[&str]) -> Placed {
    let id = |key: &String| Some(ids[owner(key)].to_owned());
    keys.iter().map(|key| (key.clone().into_bytes(), id(key))).collect()
}

pub(crate) fn keys() -> Vec<String> {
    many(300)
}

pub(crate) fn many(count: usize) -> Vec<String> {
    (0..count).map(|i| format!("User:{i}")).collect()
}

pub(crate) fn hash(bytes: impl AsRef<[u8]>) -> u64 {
    xxh3_64(bytes.as_ref())
}

pub(crate) fn seeded(bytes: impl AsRef<[u8]>, seed: u64) -> u64 {
    xxh3_64_with_seed(bytes.as_ref(), seed)
}

pub(crate) fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(|unit| [unit as u8, (unit >> 8) as u8]).collect()
}

pub(crate) fn by_id() -> Vec<&'static str> {
    let mut ids = IDS.to_vec();
    ids.sort_unstable();
    ids
}

pub(crate) fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

pub(crate) fn draw(hash: u64, i: u64) -> u64 {
    mix(hash.wrapping_add((i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)))
}

/// All points with the place of their node in [`by_id`], ascending.
pub(crate) fn circle(
    copies: std::ops::Range<u64>,
    point: impl Fn(&str, u64) -> u64,
) -> Vec<(u64, usize)> {
    let mut points = Vec::new();
    for (place, id) in by_id().into_iter().enumerate() {
        points.extend(copies.clone().map(|i| (point(id, i), place)));
    }
    points.sort_unstable();
    points
}

pub(crate) fn at_or_above(points: &[(u64, usize)], position: u64) -> usize {
    points.iter().find(|(point, _)| *point >= position).unwrap_or(&points[0]).1
}

/// Jump as it was published, in C's types.
pub(crate) fn jump(mut key: u64, buckets: usize) -> usize {
    let (mut b, mut j) = (-1_i64, 0_i64);
    while j < buckets as i64 {
        b = j;
        key = key.wrapping_mul(2_862_933_555_777_941_757).wrapping_add(1);
        j = ((b + 1) as f64 * (f64::from(1_u32 << 31) / ((key >> 33) + 1) as f64)) as i64;
    }
    b as usize
}

/// The table of Maglev, nodes in the order of `sequences` (offset and skip).
pub(crate) fn table(entries: u64, mut sequences: Vec<(u64, u64)>) -> Vec<usize> {
    let mut table = vec![usize::MAX; entries as usize];
    let mut left = entries;
    loop {
        for (node, (next, skip)) in sequences.iter_mut().enumerate() {
            while table[*next as usize] != usize::MAX {
                *next = (*next + *skip) % entries;
            }
            table[*next as usize] = node;
            left -= 1;
            if left == 0 {
                return table;
            }
        }
    }
}

/// The score of rendezvous, of a position and draw 0 of a node.
pub(crate) fn score(position: u64, seed: u64) -> u32 {
    let both = position ^ seed;
    let (low, high) = (both as u32, (both >> 32) as u32);
    let x = (low ^ (low >> 16)).wrapping_mul(0x7FEB_352D);
    let x = (x ^ (x >> 15)).wrapping_add(high).wrapping_mul(0x846C_A68B);
    x ^ (x >> 16)
}

/// CRC-16/XMODEM, bit by bit.
pub(crate) fn xmodem(bytes: &[u8]) -> u16 {
    let mut crc = 0_u16;
    for byte in bytes {
        crc ^= u16::from(*byte) << 8;
        for _ in 0..8 {
            crc = if crc & 0x8000 != 0 { (crc << 1) ^ 0x1021 } else { crc << 1 };
        }
    }
    crc
}

/// CRC-16/MODBUS, bit by bit.
pub(crate) fn modbus(bytes: &[u8]) -> u16 {
    let mut crc = 0xFFFF_u16;
    for byte in bytes {
        crc ^= u16::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 != 0 { (crc >> 1) ^ 0xA001 } else { crc >> 1 };
        }
    }
    crc
}

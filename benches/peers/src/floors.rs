//! The floors: work that no placement of a family can avoid, in the same loop.

mod lanes;

use std::hash::BuildHasher;

use crate::hashers::{Sip13, hash};
use crate::keys::SplitMix;
use crate::peers::maglev_entries;
use crate::subject::{BATCH, POINTS, Role, Subject};

/// A cache line of a ring's table.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Line([u16; 32]);

/// How many points a line is taken to hold: more than ours does, so that the
/// floor's table is the smaller one.
const LINE_POINTS: usize = 7;

/// Divisions for each batch, as many as its keys would take.
struct Divisions(usize);

/// Every floor.
pub(crate) fn all() -> Vec<Subject> {
    let mut floors = vec![
        one("ring", "hash, one line of N x 160 / 7", lines, |lines, key| {
            lines[scale(hash(key), lines.len())].0[0].into()
        }),
        batch("ring", "hash, one line, 32 keys ahead", lines, |lines, keys| {
            prefetched(lines, keys)
        }),
        one(
            "slots",
            "hash, one u16 of 16384",
            |_| numbers(16_384),
            |numbers, key| load(numbers, key),
        ),
        one(
            "maglev",
            "hash, one u16 of the table",
            |nodes| numbers(maglev_entries(nodes)),
            |numbers, key| load(numbers, key),
        ),
        batch("jump", lanes::divides().1, steps, |divisions, keys| {
            let sum = keys.iter().map(|key| hash(key)).fold(0, u64::wrapping_add);
            sum.wrapping_add(lanes::divide(divisions.0 * keys.len() / BATCH))
        }),
        batch("rendezvous", lanes::mixes(), seeds, |seeds, keys| lanes::greatest(seeds, keys)),
        one("modulo", "hash", |_| (), |(), key| hash(key)),
    ];
    floors.extend(hashes());
    floors
}

/// What hashing alone costs, for the peers that take no other hasher.
fn hashes() -> Vec<Subject> {
    static BYTEWISE: crc::Crc<u16, crc::Table<1>> =
        crc::Crc::<u16, crc::Table<1>>::new(&crc::CRC_16_XMODEM);
    static SLICED: crc::Crc<u16, crc::Table<16>> =
        crc::Crc::<u16, crc::Table<16>>::new(&crc::CRC_16_XMODEM);
    let floor = |name, hasher, look: fn(&(), &'static str) -> u64| {
        Subject::one(("other", Role::Floor, name, hasher), |_| (), |()| (), look)
    };
    vec![
        floor("read the key", "-", |(), key| key.len() as u64 ^ u64::from(key.as_bytes()[5])),
        floor("SipHash-1-3, std", "sip13", |(), key| Sip13::default().hash_one(key)),
        floor("md5 0.7", "md5", |(), key| {
            let [a, b, c, d, ..] = md5::compute(key.as_bytes()).0;
            u32::from_le_bytes([a, b, c, d]).into()
        }),
        floor("sha2 0.10", "sha256", |(), key| {
            use sha2::Digest;
            sha2::Sha256::digest(key.as_bytes())[0].into()
        }),
        floor("crc 3.4, one table", "crc16", |(), key| BYTEWISE.checksum(key.as_bytes()).into()),
        floor("crc 3.4, 16 tables", "crc16", |(), key| SLICED.checksum(key.as_bytes()).into()),
    ]
}

fn one<T: 'static>(
    family: &'static str,
    name: &'static str,
    build: impl Fn(usize) -> T + Copy + 'static,
    look: impl Fn(&T, &'static [u8]) -> u64 + Copy + 'static,
) -> Subject {
    let look = move |table: &T, key: &'static str| look(table, key.as_bytes());
    Subject::one((family, Role::Floor, name, "xxh3"), |nodes| nodes, build, look)
}

fn batch<T: 'static>(
    family: &'static str,
    name: &'static str,
    build: impl Fn(usize) -> T + Copy + 'static,
    look: impl Fn(&T, &[&[u8]]) -> u64 + Copy + 'static,
) -> Subject {
    Subject::batch((family, Role::Floor, name, "xxh3"), |nodes| nodes, build, look)
}

fn numbers(count: usize) -> Vec<u16> {
    let mut random = SplitMix(7);
    (0..count).map(|_| random.next() as u16).collect()
}

fn load(numbers: &[u16], key: &[u8]) -> u64 {
    numbers[scale(hash(key), numbers.len())].into()
}

fn lines(nodes: usize) -> Vec<Line> {
    let mut random = SplitMix(7);
    let count = (nodes * POINTS).div_ceil(LINE_POINTS);
    (0..count).map(|_| Line([random.next() as u16; 32])).collect()
}

/// One load of a line for each key, asked for 32 keys before.
fn prefetched(lines: &[Line], keys: &[&[u8]]) -> u64 {
    let mut places = [0; BATCH];
    let places = &mut places[..keys.len()];
    for (place, key) in places.iter_mut().zip(keys) {
        *place = scale(hash(key), lines.len());
    }
    let mut sum = 0_u64;
    for (at, &place) in places.iter().enumerate() {
        lanes::prefetch(&lines[places[(at + 32).min(places.len() - 1)]]);
        sum = sum.wrapping_add(lines[place].0[0].into());
    }
    sum
}

/// The divisions of a batch of jumps: a key takes one for each bucket that it
/// reaches, 1 + 1/2 + .. + 1/N of them.
///
/// Source: John Lamping and Eric Veach, "A Fast, Minimal Memory, Consistent Hash
/// Algorithm", 2014, section 3.
fn steps(nodes: usize) -> Divisions {
    let each: f64 = (1..=nodes).map(|bucket| 1.0 / bucket as f64).sum();
    Divisions((each * BATCH as f64) as usize)
}

/// A seed for each node, and the first again until 16 divides their number.
fn seeds(nodes: usize) -> Vec<u64> {
    let mut random = SplitMix(11);
    let mut seeds: Vec<u64> = (0..nodes).map(|_| random.next()).collect();
    seeds.resize(nodes.next_multiple_of(16), seeds[0]);
    seeds
}

/// The place in `0..count` of a hash: its high part times `count`.
#[inline]
fn scale(hash: u64, count: usize) -> usize {
    ((u128::from(hash) * count as u128) >> 64) as usize
}

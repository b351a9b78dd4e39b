//! The floors: work that no placement of a family can avoid, in the same loop.

mod lanes;

use std::hash::BuildHasher;

use self::lanes::Seeds;
use crate::hashers::{Sip13, hash};
use crate::keys::SplitMix;
use crate::lanes::Lanes;
use crate::peers::maglev_entries;
use crate::subject::{BATCH, POINTS, Role, Subject};

/// A cache line of a ring's table.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Line([u16; 32]);

/// How many points a line is taken to hold: more than ours does, so that the
/// floor's table is the smaller one.
const LINE_POINTS: usize = 7;

/// Every floor.
pub(crate) fn all() -> Vec<Subject> {
    let mut floors = vec![one("modulo", "hash", |_| (), |(), key| hash(key))];
    floors.extend(tables("slots", "hash, one u16 of 16384", |_| 16_384));
    floors.extend(rings("hash, one line of N x 160 / 7", lines));
    floors.extend(maglevs(maglev_entries));
    for lanes in Lanes::Avx512.to_here() {
        floors.push(jumps(lanes).kept_to(lanes));
        floors.extend(scores("rendezvous", lanes).map(|floor| floor.kept_to(lanes)));
        floors.extend(scores("weighted", lanes).map(|floor| floor.kept_to(lanes)));
    }
    floors.extend(hashes());
    floors
}

/// The floors of a ring with so many points, whatever the number of nodes.
pub(crate) fn ring_of(points: usize) -> [Subject; 2] {
    rings("hash, one line of points / 7", move |_| lines_of(points))
}

/// The floors of a Maglev table with so many entries.
pub(crate) fn table_of(entries: usize) -> [Subject; 2] {
    maglevs(move |_| entries)
}

/// A hash and one load of a line.
fn rings(
    name: &'static str,
    lines: impl Fn(usize) -> Vec<Line> + Copy + Sync + 'static,
) -> [Subject; 2] {
    loads("ring", name, lines, |line| line.0[0])
}

fn maglevs(entries: impl Fn(usize) -> usize + Copy + Sync + 'static) -> [Subject; 2] {
    tables("maglev", "hash, one u16 of the table", entries)
}

/// A hash and one load of a number.
fn tables(
    family: &'static str,
    name: &'static str,
    entries: impl Fn(usize) -> usize + Copy + Sync + 'static,
) -> [Subject; 2] {
    loads(family, name, move |nodes| numbers(entries(nodes)), |&number| number)
}

/// A hash and one load of an entry, a key at a time, and in batches asked for 32
/// keys before.
fn loads<T: Sync + 'static>(
    family: &'static str,
    name: &'static str,
    build: impl Fn(usize) -> Vec<T> + Copy + Sync + 'static,
    read: impl Fn(&T) -> u16 + Copy + Sync + 'static,
) -> [Subject; 2] {
    [
        one(family, name, build, move |entries, key| {
            read(&entries[scale(hash(key), entries.len())]).into()
        }),
        batch(family, name, build, move |entries, keys| prefetched(entries, keys, read)),
    ]
}

/// A hash and its divisions. Only in batches: the steps of one key wait for each
/// other, whatever is done.
fn jumps(lanes: Lanes) -> Subject {
    batch("jump", "hash, H(N) divisions", steps, move |each, keys| {
        let sum = keys.iter().map(|key| hash(key)).fold(0, u64::wrapping_add);
        sum.wrapping_add(lanes::divide(lanes, (each * keys.len() as f64) as usize))
    })
}

/// A hash, the score of every node and the greatest of them, a key at a time and
/// in batches. The first step of a score is taken for the seeds before, the last
/// one for the greatest alone.
fn scores(family: &'static str, lanes: Lanes) -> [Subject; 2] {
    const NAME: &str = "hash, N scores but for their first and last step, a maximum";
    [
        one(family, NAME, Seeds::new, move |seeds, key| seeds.greatest(lanes, &[key])),
        batch(family, NAME, Seeds::new, move |seeds, keys| seeds.greatest(lanes, keys)),
    ]
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

fn one<T: Sync + 'static>(
    family: &'static str,
    name: &'static str,
    build: impl Fn(usize) -> T + Copy + 'static,
    look: impl Fn(&T, &'static [u8]) -> u64 + Copy + Sync + 'static,
) -> Subject {
    let look = move |table: &T, key: &'static str| look(table, key.as_bytes());
    Subject::one((family, Role::Floor, name, "xxh3"), |nodes| nodes, build, look)
}

fn batch<T: Sync + 'static>(
    family: &'static str,
    name: &'static str,
    build: impl Fn(usize) -> T + Copy + 'static,
    look: impl Fn(&T, &[&[u8]]) -> u64 + Copy + Sync + 'static,
) -> Subject {
    Subject::batch((family, Role::Floor, name, "xxh3"), |nodes| nodes, build, look)
}

fn numbers(count: usize) -> Vec<u16> {
    let mut random = SplitMix(7);
    (0..count).map(|_| random.next() as u16).collect()
}

fn lines(nodes: usize) -> Vec<Line> {
    lines_of(nodes * POINTS)
}

fn lines_of(points: usize) -> Vec<Line> {
    let mut random = SplitMix(7);
    let count = points.div_ceil(LINE_POINTS);
    (0..count).map(|_| Line([random.next() as u16; 32])).collect()
}

/// One load of an entry for each key, asked for 32 keys before.
#[inline]
fn prefetched<T>(entries: &[T], keys: &[&[u8]], read: impl Fn(&T) -> u16) -> u64 {
    let mut places = [0; BATCH];
    let places = &mut places[..keys.len()];
    for (place, key) in places.iter_mut().zip(keys) {
        *place = scale(hash(key), entries.len());
    }
    let mut sum = 0_u64;
    for (at, &place) in places.iter().enumerate() {
        lanes::prefetch(&entries[places[(at + 32).min(places.len() - 1)]]);
        sum = sum.wrapping_add(read(&entries[place]).into());
    }
    sum
}

/// The divisions of a jump: one for each bucket that a key reaches, 1 + 1/2 + ..
/// + 1/N of them.
///
/// Source: John Lamping and Eric Veach, "A Fast, Minimal Memory, Consistent Hash
/// Algorithm", 2014, section 3.
fn steps(nodes: usize) -> f64 {
    (1..=nodes).map(|bucket| 1.0 / bucket as f64).sum()
}

/// The place in `0..count` of a hash: its high part times `count`.
#[inline]
fn scale(hash: u64, count: usize) -> usize {
    ((u128::from(hash) * count as u128) >> 64) as usize
}

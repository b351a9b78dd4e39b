//! Lookups in tables that exceed the second and the third cache.

use crate::floors;
use crate::machine::Machine;
use crate::ours;
use crate::subject::{Mode, Subject};
use crate::timing::{Lookups, Pace};
use crate::verdict::figure::{Figure, Quantity};
use crate::verdict::measure::{Layouts, USUAL, brief};

/// The caches that are exceeded, and what each is taken for where the system does
/// not tell: more than most have.
const CACHES: [(usize, u64); 2] = [(2, 4 << 20), (3, 64 << 20)];

/// How many times the cache a table is at least.
const TIMES: u64 = 2;

/// What a point of a ring takes at least, in bytes.
const POINT_BYTES: u64 = 10;

/// The primes that a Maglev table has for entries where they suffice.
const PRIMES: [u64; 2] = [5_000_011, 50_000_017];

/// Lookups of ours and the floor, free and in turn.
///
/// A table that would take an eighth of the memory is passed over.
pub(super) fn figures(family: &str, machine: &Machine, lookups: Lookups) -> Vec<Figure> {
    let mut figures = Vec::new();
    for ((cache, otherwise), prime) in CACHES.into_iter().zip(PRIMES) {
        let cache_bytes = machine.cache_bytes.get(cache - 1).copied().unwrap_or(otherwise);
        let bytes = TIMES * cache_bytes;
        if bytes > machine.memory_bytes / 8 {
            eprintln!("{family}: a table of {bytes} bytes is too much for this machine");
            continue;
        }
        let (subjects, size): (Vec<Subject>, String) = if family == "ring" {
            let each = (bytes / POINT_BYTES).div_ceil(USUAL as u64) as usize;
            let points = each * USUAL;
            let floors = floors::ring_of(points).into_iter();
            (floors.chain(ours::ring_of(each)).collect(), format!("{points} points"))
        } else {
            let entries = prime_from(prime.max(bytes / 2)) as usize;
            let floors = floors::table_of(entries).into_iter();
            (floors.chain(ours::table_of(move |_| entries)).collect(), format!("{entries} entries"))
        };
        let layouts = Layouts::new(subjects.iter().collect(), USUAL);
        let lookups = brief(lookups);
        let mut measured = layouts.timed(Quantity::Beyond(cache), lookups);
        let each = Lookups { pace: Pace::InTurn(1), ..lookups };
        let mut latencies = layouts.timed(Quantity::BeyondLatency(cache), each);
        latencies.retain(|figure| figure.mode == Mode::One);
        measured.extend(latencies);
        for figure in &mut measured {
            figure.subject = format!("{}, {size}", figure.subject);
        }
        figures.extend(measured);
    }
    figures
}

/// The least prime that is not below `least`.
fn prime_from(least: u64) -> u64 {
    let is_prime = |number: u64| {
        let mut divisors = (2..number).take_while(|divisor| divisor * divisor <= number);
        !divisors.any(|divisor| number.is_multiple_of(divisor))
    };
    let mut candidates = (least..2 * least).filter(|&number| is_prime(number));
    candidates.next().expect("there is a prime between a number and its double")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_prime_is_found() {
        // From a list of primes: 65537 and, after it, 65539 and 65543.
        assert_eq!([65_536, 65_537, 65_540].map(prime_from), [65_537, 65_537, 65_543]);
        assert_eq!(PRIMES.map(prime_from), PRIMES);
    }
}

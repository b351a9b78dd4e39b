//! The sizes a table can have: primes from 2 to 2^31 - 1.

use homing_core::Error;

const MOST: u32 = (1 << 31) - 1;

/// Fails unless `entries` is a size that a table can have.
pub(crate) fn check(entries: u32) -> Result<(), Error> {
    let rule = match entries {
        0..=MOST if is_prime(entries) => return Ok(()),
        0..=MOST => "a prime",
        _ => "a prime of at most 2147483647",
    };
    Err(Error::parameter("entries", entries, rule))
}

/// Returns the least number of entries that a table can have and that is at least
/// `least`, or `None` above 2147483647.
///
/// # Examples
///
/// ```
/// assert_eq!(homing_maglev::prime_from(700), Some(701));
/// ```
#[must_use]
pub fn prime_from(least: u32) -> Option<u32> {
    (least..=MOST).find(|&number| is_prime(number))
}

fn is_prime(n: u32) -> bool {
    let mut divisors = (2..).take_while(|&divisor: &u32| u64::from(divisor).pow(2) <= n.into());
    n >= 2 && divisors.all(|divisor| !n.is_multiple_of(divisor))
}

/// The number from 1 to `prime` - 1 that gives 1 with `n`, when multiplied modulo `prime`.
///
/// By Euclid's algorithm; `n` is from 1 to `prime` - 1, and `prime` below 2^31.
pub(crate) fn inverse(n: u32, prime: u32) -> u32 {
    // Always `factor` times n is `rest`, modulo the prime.
    let (mut last, mut next) = ((prime, 0_i64), (n, 1_i64));
    while next.0 > 1 {
        let (quotient, rest) = (last.0 / next.0, last.0 % next.0);
        (last, next) = (next, (rest, last.1 - i64::from(quotient) * next.1));
    }
    u32::try_from(next.1.rem_euclid(prime.into())).expect("it is below the prime")
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn primes_below_a_thousand_are_those_of_the_sieve() {
        let mut composite = [false; 1_000];
        for n in 2..1_000 {
            assert_eq!(is_prime(n), !composite[n as usize], "{n}");
            for multiple in (2 * n..1_000).step_by(n as usize) {
                composite[multiple as usize] = true;
            }
        }
        assert!(!is_prime(0) && !is_prime(1));
    }

    #[test]
    fn the_next_prime_is_that_of_the_sieve() {
        // 700 to 701, 1000 to 1009: maglev/crate_maglev.jsonl of the vectors.
        let next = [0, 2, 3, 4, 700, 1_000, MOST].map(prime_from);
        assert_eq!(next, [2, 2, 3, 5, 701, 1_009, MOST].map(Some));
        assert_eq!([MOST + 1, u32::MAX].map(prime_from), [None; 2]);
    }

    #[test]
    fn the_greatest_size_is_the_mersenne_prime() {
        // Euler, 1772: 2^31 - 1 is prime.
        assert_eq!(check(MOST), Ok(()));
        // 2^32 - 5 is the greatest prime of 32 bits, and too great.
        assert_eq!(
            check(4_294_967_291).unwrap_err().to_string(),
            "entries is 4294967291, but must be a prime of at most 2147483647"
        );
    }

    #[test]
    fn c26_sizes_that_are_no_prime_are_refused() {
        let sizes = [0, 1, 4, 8, 16_348, 65_536, 65_537];
        let accepted: Vec<u32> = sizes.into_iter().filter(|&size| check(size).is_ok()).collect();
        assert_eq!(accepted, [65_537]);
        assert_eq!(check(65_536).unwrap_err().to_string(), "entries is 65536, but must be a prime");
    }

    #[test]
    fn a_number_times_its_inverse_is_one() {
        for prime in [2, 3, 5, 7, 13, 251, 65_537, 1_000_003, MOST] {
            let numbers = (1..prime.min(1_000)).chain((1..prime).rev().take(1_000));
            for n in numbers {
                let inverse = inverse(n, prime);
                assert!((1..prime).contains(&inverse));
                assert_eq!(u64::from(n) * u64::from(inverse) % u64::from(prime), 1, "{n}, {prime}");
            }
        }
    }
}

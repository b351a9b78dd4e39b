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

fn is_prime(n: u32) -> bool {
    let mut divisors = (2..).take_while(|&divisor: &u32| u64::from(divisor).pow(2) <= n.into());
    n >= 2 && divisors.all(|divisor| !n.is_multiple_of(divisor))
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
}

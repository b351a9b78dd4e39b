//! [`Kernel`], the way in which slots are computed: by tables, or by an instruction
//! set that the processor turned out to have.

#[cfg(target_arch = "x86_64")]
use homing_core::Lanes;

#[cfg(target_arch = "x86_64")]
use crate::carryless::Carryless;
use crate::tag::hash_tag;
use crate::{SLOTS, crc};

/// How slots are computed; the results are the same.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Kernel {
    /// By tables.
    Tables,
    /// By carry-less multiplication.
    #[cfg(target_arch = "x86_64")]
    Carryless(Carryless),
}

impl Kernel {
    /// The one to use on this processor, of those that [`Lanes`] allow.
    #[inline]
    pub(crate) fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if Lanes::allowed() >= Lanes::Avx2
            && let Some(found) = Carryless::find()
        {
            return Self::Carryless(found);
        }
        Self::Tables
    }

    /// [`crate::crc16`].
    #[inline]
    pub(crate) fn crc16(self, bytes: &[u8]) -> u16 {
        match self {
            Self::Tables => crc::crc16(bytes),
            #[cfg(target_arch = "x86_64")]
            Self::Carryless(found) => found.crc16(bytes),
        }
    }

    /// [`crate::slot`].
    #[inline]
    pub(crate) fn slot(self, key: &[u8]) -> u16 {
        match self {
            // Not inlined: the registers that it needs would be saved for the other, too.
            Self::Tables => slot_by_tables(key),
            #[cfg(target_arch = "x86_64")]
            Self::Carryless(found) => found.slot(key),
        }
    }

    /// Writes `of` the slot of `keys[i]` to `results[i]`, as far as there are both.
    #[inline]
    pub(crate) fn map<T>(self, keys: &[&[u8]], results: &mut [T], of: impl Fn(u16) -> T) {
        match self {
            Self::Tables => {
                keys.iter().zip(results).for_each(|(key, result)| *result = of(slot(key)));
            }
            #[cfg(target_arch = "x86_64")]
            Self::Carryless(found) => found.map(keys, results, of),
        }
    }
}

/// The slot of a key, by tables.
#[inline]
fn slot(key: &[u8]) -> u16 {
    if key.len() <= 16 {
        let block = crc::right_aligned(key);
        if !crc::has_brace(block) {
            return crc::of_short(block, key.len()) % SLOTS;
        }
    }
    slot_of_other(key)
}

#[inline(never)]
fn slot_by_tables(key: &[u8]) -> u16 {
    slot(key)
}

/// The slot of a key that is long or has a brace.
#[inline(never)]
fn slot_of_other(key: &[u8]) -> u16 {
    crc::crc16(hash_tag(key)) % SLOTS
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use ::crc::{CRC_16_XMODEM, Crc};
    use homing_core::mix64;

    use super::*;

    const XMODEM: Crc<u16> = Crc::<u16>::new(&CRC_16_XMODEM);

    /// Every way that this machine has.
    fn kernels() -> Vec<Kernel> {
        let mut kernels = vec![Kernel::Tables];
        if Kernel::best() != Kernel::Tables {
            kernels.push(Kernel::best());
        }
        kernels
    }

    /// The slot by the rule alone, with the CRC of the `crc` crate.
    fn plain(key: &[u8]) -> u16 {
        XMODEM.checksum(hash_tag(key)) % SLOTS
    }

    fn assert_plain(key: &[u8]) {
        for kernel in kernels() {
            assert_eq!(kernel.crc16(key), XMODEM.checksum(key), "{kernel:?} of {key:?}");
            assert_eq!(kernel.slot(key), plain(key), "{kernel:?} of {key:?}");
        }
    }

    /// Random bytes; of each sixteen, as many as `braces` says are `{` or `}`.
    fn random(length: usize, braces: u64, seed: u64) -> Vec<u8> {
        let byte = |i: usize| {
            let [byte, kind, side, ..] = mix64(seed << 16 | i as u64).to_le_bytes();
            match (u64::from(kind % 16) < braces, side % 2) {
                (true, 0) => b'{',
                (true, _) => b'}',
                _ => byte,
            }
        };
        (0..length).map(byte).collect()
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn the_instruction_set_is_used_where_there_is_one() {
        let found = std::is_x86_feature_detected!("pclmulqdq");
        assert_eq!(Kernel::best() != Kernel::Tables, found);
    }

    #[test]
    fn random_keys_of_every_length_have_the_slot_of_the_rule() {
        for seed in 0..if cfg!(miri) { 1 } else { 2_500 } {
            for braces in [0, 1, 2, 6] {
                for length in 0..=300 {
                    assert_plain(&random(length, braces, seed << 4 | braces));
                }
            }
        }
    }

    #[test]
    fn braces_at_every_two_places_are_found() {
        for length in 0..=70 {
            let key: Vec<u8> = (0..length).map(|i| b'a' + i).collect();
            for open in 0..key.len() {
                for close in 0..key.len() {
                    let mut key = key.clone();
                    key[open] = b'{';
                    key[close] = b'}';
                    assert_plain(&key);
                }
            }
        }
    }

    #[test]
    fn each_bit_of_a_key_counts() {
        // A CRC is linear, so keys of one bit show every table entry and every multiplication.
        for length in 1..=300 {
            for bit in 0..8 * length {
                let mut key = vec![0; length];
                key[bit / 8] = 1 << (bit % 8);
                assert_plain(&key);
            }
        }
    }

    #[test]
    fn a_batch_has_the_slot_of_each_key() {
        for kernel in kernels() {
            for count in [0, 1, 2, 15, 16, 17, 64, 1_000] {
                let keys: Vec<Vec<u8>> = (0..count).map(|i| random(i % 40, 1, i as u64)).collect();
                let keys: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
                let mut slots = vec![SLOTS; count];
                kernel.map(&keys, &mut slots, |slot| slot);
                let expected: Vec<u16> = keys.iter().map(|key| plain(key)).collect();
                assert_eq!(slots, expected, "{kernel:?}");
            }
        }
    }
}

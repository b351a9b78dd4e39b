//! [`Keys`], the same texts for every subject, and [`SplitMix`], which shuffles them.

use std::fmt::Write;
use std::ops::Range;

/// Some keys, each as text and as the same bytes.
///
/// Peers take either; both lists are there, so that no subject pays for the
/// other's form.
#[derive(Clone, Copy)]
pub(crate) struct Keys {
    texts: &'static [&'static str],
    bytes: &'static [&'static [u8]], // of `texts`, in their order
}

impl Keys {
    /// Returns `count` distinct keys, `user:100000` and on, in a fixed random
    /// order.
    ///
    /// They lie back to back, so that reading them streams from memory. They are
    /// never freed: some peers take keys of the static lifetime only.
    pub(crate) fn make(count: usize) -> Self {
        let mut numbers: Vec<usize> = (100_000..100_000 + count).collect();
        let mut random = SplitMix(42);
        for at in (1..count).rev() {
            numbers.swap(at, (random.next() % (at as u64 + 1)) as usize);
        }
        let mut text = String::with_capacity(count * 13);
        let mut ends = Vec::with_capacity(count);
        for number in numbers {
            write!(text, "user:{number}").expect("a string takes any text");
            ends.push(text.len());
        }
        Self::cut(text, ends)
    }

    /// Returns `count` random keys of `length` characters of one byte each.
    ///
    /// They are never freed.
    pub(crate) fn of_length(length: usize, count: usize) -> Self {
        const LETTERS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let mut random = SplitMix(17);
        let letter = |_| char::from(LETTERS[(random.next() % 64) as usize]);
        let text = (0..length * count).map(letter).collect();
        Self::cut(text, (1..=count).map(|at| at * length).collect())
    }

    /// A text as keys that end there.
    fn cut(text: String, ends: Vec<usize>) -> Self {
        let text: &'static str = text.leak();
        let mut first = 0;
        let texts: Vec<&'static str> =
            ends.into_iter().map(|end| &text[std::mem::replace(&mut first, end)..end]).collect();
        let bytes: Vec<&'static [u8]> = texts.iter().map(|key| key.as_bytes()).collect();
        Self { texts: texts.leak(), bytes: bytes.leak() }
    }

    /// How many there are.
    pub(crate) fn len(self) -> usize {
        self.texts.len()
    }

    /// Those of a range, counted from 0.
    pub(crate) fn at(self, range: Range<usize>) -> Self {
        Self { texts: &self.texts[range.clone()], bytes: &self.bytes[range] }
    }

    /// The keys as text.
    pub(crate) fn texts(self) -> &'static [&'static str] {
        self.texts
    }

    /// The keys as bytes.
    pub(crate) fn bytes(self) -> &'static [&'static [u8]] {
        self.bytes
    }
}

/// The generator SplitMix64, from its state.
pub(crate) struct SplitMix(pub(crate) u64);

impl SplitMix {
    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        homing_core::mix64(self.0)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn keys_have_the_length_asked_for() {
        let keys = Keys::of_length(64, 100);
        assert_eq!(keys.len(), 100);
        assert!(keys.bytes().iter().all(|key| key.len() == 64));
    }

    #[test]
    fn keys_are_distinct_and_alike_in_both_forms() {
        let keys = Keys::make(1_000);
        assert_eq!(keys.texts().iter().collect::<HashSet<_>>().len(), 1_000);
        assert!(keys.texts().iter().zip(keys.bytes()).all(|(a, b)| a.as_bytes() == *b));
    }
}

//! What a program makes of a hash.

use homing_core::KeyHash;

use super::texts::{Texts, number};
use crate::verify::{Cause, Part};

/// What a program makes of a number.
type Word = fn(u64) -> u64;

/// From bytes to a position.
#[derive(Clone)]
pub(super) struct Hashing {
    pub(super) texts: Texts,
    hash: KeyHash,
    byte_order: Word,      // of every hash
    pub(super) kept: Word, // of a position
    spelled: bool,         // a key that spells a number is that number
    pub(super) rest: Remainder,
}

/// What is left of a number divided by a count, below that count.
pub(super) type Remainder = fn(u64, u64) -> u64;

impl Hashing {
    pub(super) fn of(hash: KeyHash) -> Self {
        let same = |hash| hash;
        Self {
            texts: Texts::default(),
            hash,
            byte_order: same,
            kept: same,
            spelled: false,
            rest: |number, count| number % count,
        }
    }

    /// The position of a key.
    pub(super) fn position(&self, key: &[u8]) -> u64 {
        let number = number(key).filter(|_| self.spelled);
        (self.kept)(number.unwrap_or_else(|| self.hash(&(self.texts.key)(key))))
    }

    /// The hash of an id, or of a label.
    pub(super) fn of_id(&self, id: &[u8]) -> u64 {
        self.hash(&(self.texts.id)(id))
    }

    fn hash(&self, bytes: &[u8]) -> u64 {
        (self.byte_order)(self.hash.hash(bytes))
    }
}

/// The seeds that programs take where nothing is said.
const SEEDS: [u64; 5] = [0, 1, 42, 1337, 0x9747_B28C];

const BYTE_ORDERS: &[(&str, Word)] = &[
    ("the bytes of the hash in reverse order", u64::swap_bytes),
    ("the 32-bit halves of the hash exchanged", |hash| hash.rotate_left(32)),
];

const KEPT: &[(&str, Word)] = &[
    ("only the lower 32 bits of the hash", |hash| hash & 0xFFFF_FFFF),
    ("only the upper 32 bits of the hash", |hash| hash >> 32),
    ("the hash without its sign bit", |hash| hash & (u64::MAX >> 1)),
    ("only the lower 31 bits of the hash", |hash| hash & 0x7FFF_FFFF),
];

/// Where nothing divides: a remainder without its sign is that of the absolute value.
const ABSOLUTE: (&str, Word) =
    ("the absolute value of the signed hash", |hash| hash.cast_signed().unsigned_abs());

/// Where positions are numbers and not places around a ring.
const EXTENDED: (&str, Word) = ("the lower 32 bits of the hash, sign-extended", |hash| {
    let lower = hash & 0xFFFF_FFFF;
    if lower >> 31 == 1 { lower | 0xFFFF_FFFF_0000_0000 } else { lower }
});

const REMAINDERS: &[(&str, Remainder)] = &[
    ("the remainder of the signed hash, its sign dropped", |number, count| {
        let (number, count) = (i128::from(number.cast_signed()), i128::from(count));
        u64::try_from((number % count).abs()).unwrap_or_default()
    }),
    ("the remainder of the signed hash, rounded down", |number, count| {
        let (number, count) = (i128::from(number.cast_signed()), i128::from(count));
        u64::try_from(number.rem_euclid(count)).unwrap_or_default()
    }),
];

/// The causes of a family that has a hash.
pub(super) fn causes<R: AsMut<Hashing>>() -> impl Iterator<Item = Cause<R>> {
    let seeds = SEEDS.map(|seed| KeyHash::Xxh3 { seed });
    let hashes = seeds.into_iter().chain([KeyHash::Sha256]).map(|hash| {
        let change = move |recipe: &mut R| recipe.as_mut().hash = hash;
        Cause::new(format!("hash={hash}"), Part::Hash, change)
    });
    let byte_orders = BYTE_ORDERS.iter().map(|&(name, word)| {
        Cause::new(name, Part::ByteOrder, move |recipe: &mut R| recipe.as_mut().byte_order = word)
    });
    let spelled = Cause::new("keys are the number that they spell, not hashed", Part::Text, {
        |recipe: &mut R| recipe.as_mut().spelled = true
    });
    hashes.chain(byte_orders).chain(KEPT.iter().map(kept)).chain([spelled])
}

/// The cause of a family that does not divide.
pub(super) fn absolute<R: AsMut<Hashing>>() -> Cause<R> {
    kept(&ABSOLUTE)
}

/// The cause of a family whose positions are numbers.
pub(super) fn extended<R: AsMut<Hashing>>() -> Cause<R> {
    kept(&EXTENDED)
}

/// The causes of a family that divides.
pub(super) fn remainders<R: AsMut<Hashing>>() -> impl Iterator<Item = Cause<R>> {
    REMAINDERS.iter().map(|&(name, rest)| {
        Cause::new(name, Part::Remainder, move |recipe: &mut R| recipe.as_mut().rest = rest)
    })
}

fn kept<R: AsMut<Hashing>>(&(name, word): &(&str, Word)) -> Cause<R> {
    Cause::new(name, Part::Kept, move |recipe: &mut R| recipe.as_mut().kept = word)
}

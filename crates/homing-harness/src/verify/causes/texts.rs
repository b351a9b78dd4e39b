//! What is hashed: other bytes than those of the key.

use std::borrow::Cow;

use crate::verify::{Cause, Part};

/// What a program hashes of some bytes.
pub(super) type Text = fn(&[u8]) -> Cow<'_, [u8]>;

/// What is hashed of keys, and of ids or labels.
#[derive(Clone)]
pub(super) struct Texts {
    pub(super) key: Text,
    pub(super) id: Text,
}

impl Default for Texts {
    fn default() -> Self {
        Self { key: same, id: same }
    }
}

/// Other texts of keys alone.
const OF_KEYS: &[(&str, Text)] = &[
    ("keys with a line feed after them", |key| followed(key, b"\n")),
    ("keys with a carriage return and a line feed after them", |key| followed(key, b"\r\n")),
    ("keys with a zero byte after them", |key| followed(key, b"\0")),
    ("keys with a byte 0xff after them", |key| followed(key, b"\xff")),
    ("keys in double quotes", |key| quoted(key, b'"')),
    ("keys in single quotes", |key| quoted(key, b'\'')),
    ("keys as UTF-16, little-endian", utf16_little),
    ("keys as UTF-16, big-endian", utf16_big),
    ("keys as Latin-1", latin1),
    ("keys as ASCII, other characters as ?", ascii),
    ("keys read as Latin-1 and written as UTF-8", twice_encoded),
    ("keys in lower case", lower),
    ("keys in upper case", upper),
    ("keys without the blanks around them", |key| Cow::Borrowed(key.trim_ascii())),
    ("keys as hexadecimal digits in lower case", |key| hex::encode(key).into_bytes().into()),
    ("keys as hexadecimal digits in upper case", |key| hex::encode_upper(key).into_bytes().into()),
    ("keys as the bytes that they spell in hexadecimal digits", unhexed),
    ("keys as the number that they spell, 8 bytes little-endian", |key| {
        number(key).map_or(Cow::Borrowed(key), |number| number.to_le_bytes().to_vec().into())
    }),
    ("keys as the number that they spell, 8 bytes big-endian", |key| {
        number(key).map_or(Cow::Borrowed(key), |number| number.to_be_bytes().to_vec().into())
    }),
];

/// Other texts of all that is hashed.
const OF_ALL: &[(&str, Text)] = &[
    ("keys and ids as UTF-16, little-endian", utf16_little),
    ("keys and ids as UTF-16, big-endian", utf16_big),
    ("keys and ids in lower case", lower),
    ("keys and ids in upper case", upper),
    ("keys and ids with a zero byte after them", |text| followed(text, b"\0")),
    ("keys and ids with a byte 0xff after them", |text| followed(text, b"\xff")),
];

/// The causes of a family that hashes keys.
pub(super) fn of_keys<R: AsMut<Texts>>() -> impl Iterator<Item = Cause<R>> {
    OF_KEYS.iter().map(|&(name, text)| {
        Cause::new(name, Part::Text, move |recipe: &mut R| recipe.as_mut().key = text)
    })
}

/// The causes of a family that hashes ids or labels as well.
pub(super) fn of_all<R: AsMut<Texts>>() -> impl Iterator<Item = Cause<R>> {
    OF_ALL.iter().map(|&(name, text)| {
        Cause::new(name, Part::Text, move |recipe: &mut R| {
            *recipe.as_mut() = Texts { key: text, id: text };
        })
    })
}

/// The number that a key spells in decimal digits, if it does.
pub(super) fn number(key: &[u8]) -> Option<u64> {
    let digits = !key.is_empty() && key.iter().all(u8::is_ascii_digit);
    str::from_utf8(key).ok().filter(|_| digits)?.parse().ok()
}

fn same(text: &[u8]) -> Cow<'_, [u8]> {
    Cow::Borrowed(text)
}

fn followed<'a>(text: &'a [u8], end: &[u8]) -> Cow<'a, [u8]> {
    [text, end].concat().into()
}

fn quoted(text: &[u8], mark: u8) -> Cow<'_, [u8]> {
    [&[mark], text, &[mark]].concat().into()
}

fn utf16_little(text: &[u8]) -> Cow<'_, [u8]> {
    let text = String::from_utf8_lossy(text);
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn utf16_big(text: &[u8]) -> Cow<'_, [u8]> {
    let text = String::from_utf8_lossy(text);
    text.encode_utf16().flat_map(u16::to_be_bytes).collect()
}

fn latin1(text: &[u8]) -> Cow<'_, [u8]> {
    let text = String::from_utf8_lossy(text);
    text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect()
}

fn ascii(text: &[u8]) -> Cow<'_, [u8]> {
    let text = String::from_utf8_lossy(text);
    text.chars().map(|c| u8::try_from(c).ok().filter(u8::is_ascii).unwrap_or(b'?')).collect()
}

fn twice_encoded(text: &[u8]) -> Cow<'_, [u8]> {
    text.iter().map(|&byte| char::from(byte)).collect::<String>().into_bytes().into()
}

fn lower(text: &[u8]) -> Cow<'_, [u8]> {
    str::from_utf8(text).map_or(Cow::Borrowed(text), |text| text.to_lowercase().into_bytes().into())
}

fn upper(text: &[u8]) -> Cow<'_, [u8]> {
    str::from_utf8(text).map_or(Cow::Borrowed(text), |text| text.to_uppercase().into_bytes().into())
}

fn unhexed(text: &[u8]) -> Cow<'_, [u8]> {
    hex::decode(text).map_or(Cow::Borrowed(text), Cow::Owned)
}

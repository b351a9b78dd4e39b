//! The part of a key that is hashed, as others find it.

/// The part of a key that is hashed.
pub(super) type Tag = fn(&[u8]) -> &[u8];

pub(super) const TAGS: &[(&str, Tag)] = &[
    ("tags ignored", |key| key),
    ("the search going on after an empty tag", going_on),
    ("an empty tag hashed as nothing", |key| first(key).unwrap_or(key)),
    ("a tag from the first { to the last }", |key| {
        let Some((open, close)) = place(key, b'{').zip(last(key, b'}')) else { return key };
        if open + 1 < close { &key[open + 1..close] } else { key }
    }),
    ("a tag from the last { on", |key| {
        let Some(open) = last(key, b'{') else { return key };
        within(&key[open + 1..]).filter(|tag| !tag.is_empty()).unwrap_or(key)
    }),
    ("a tag from the innermost { on", |key| {
        let Some(close) = first_close(key) else { return key };
        let Some(open) = last(&key[..close], b'{') else { return key };
        if open + 1 < close { &key[open + 1..close] } else { key }
    }),
    ("a tag only at the start of a key", |key| {
        let tag = key.strip_prefix(b"{").and_then(within);
        tag.filter(|tag| !tag.is_empty()).unwrap_or(key)
    }),
    ("a tag hashed with its braces", |key| {
        let Some(open) = place(key, b'{') else { return key };
        match first(key) {
            Some(tag) if !tag.is_empty() => &key[open..open + tag.len() + 2],
            _ => key,
        }
    }),
];

/// The first tag that is not empty, wherever it begins.
fn going_on(key: &[u8]) -> &[u8] {
    let mut rest = key;
    while let Some(open) = place(rest, b'{') {
        rest = &rest[open + 1..];
        match within(rest) {
            Some(tag) if !tag.is_empty() => return tag,
            Some(_) => rest = &rest[1..],
            None => break,
        }
    }
    key
}

/// What stands between the first `{` and the first `}` after it, empty or not.
fn first(key: &[u8]) -> Option<&[u8]> {
    within(&key[place(key, b'{')? + 1..])
}

/// The first `}` after the first `{`.
fn first_close(key: &[u8]) -> Option<usize> {
    let open = place(key, b'{')?;
    Some(open + 1 + first(key)?.len())
}

/// What stands before the first `}`.
fn within(rest: &[u8]) -> Option<&[u8]> {
    Some(&rest[..place(rest, b'}')?])
}

fn place(key: &[u8], brace: u8) -> Option<usize> {
    key.iter().position(|&byte| byte == brace)
}

fn last(key: &[u8], brace: u8) -> Option<usize> {
    key.iter().rposition(|&byte| byte == brace)
}

//! The names of all hashes, known with and without their features.

use alloc::string::String;
use alloc::vec::Vec;

use crate::Error;

/// The forms that need no feature or `sha2`.
const OWN: [&str; 2] = ["xxh3[:SEED]", "sha256"];

/// The forms that need the feature `compat`, in the order of `Algorithm::ALL`.
///
/// What stands in brackets may be left out.
pub(crate) const FORMS: [&str; 48] = [
    "md5-le32",
    "md5-be32",
    "md5-be64",
    "md5-le-i64",
    "md5-magnitude",
    "sha1-be32",
    "sha1-be64",
    "crc32",
    "crc32-15",
    "crc32-15-or-1",
    "crc32-avalanche",
    "crc16-wide",
    "fnv1-32",
    "fnv1a-32",
    "fnv1-32-signed",
    "fnv1a-32-signed",
    "fnv1a-32-abs",
    "fnv1-64",
    "fnv1a-64",
    "fnv1-64-signed",
    "fnv1a-64-signed",
    "fnv1-64-low32",
    "fnv1a-64-low32",
    "fnv1-64-low32-signed",
    "fnv1a-64-low32-signed",
    "one-at-a-time",
    "one-at-a-time-signed",
    "hsieh",
    "sdbm",
    "sdbm-avalanche",
    "djb2",
    "djb2-avalanche",
    "wt6",
    "wt6-avalanche",
    "murmur2-length",
    "murmur2-kafka",
    "murmur3-32-length",
    "murmur3-token",
    "rapidhash-str",
    "lookup3[:SEED]",
    "murmur2-32[:SEED]",
    "murmur2-64a[:SEED]",
    "murmur3-32[:SEED]",
    "murmur3-128[:SEED]",
    "xxh64[:SEED]",
    "siphash-1-3[:K0,K1]",
    "siphash-2-4[:K0,K1]",
    "siphash-1-3-str[:SEED]",
];

/// That `text` names no hash, with the nearest names before all others.
pub(crate) fn error(text: &str) -> Error {
    let near = nearest(text);
    let (first, others): (Vec<&str>, Vec<&str>) =
        OWN.into_iter().chain(FORMS).partition(|form| near.contains(form));
    let mut rule = String::from("one of ");
    let mut separator = "";
    for form in first.into_iter().chain(others).filter(|&form| is_built(form)) {
        rule.push_str(separator);
        rule.push_str(form);
        separator = ", ";
    }
    rule.push_str("; a seed is a number of 0 to 18446744073709551615, or 4294967295 for 32 bits");
    if cfg!(not(feature = "sha2")) {
        rule.push_str("; sha256 needs the feature sha2");
    }
    if cfg!(not(feature = "compat")) {
        let name = near.iter().find(|form| FORMS.contains(form)).map_or("md5-le32", |f| bare(f));
        rule.push_str("; ");
        rule.push_str(name);
        rule.push_str(" and other foreign hashes need the feature compat");
    }
    Error::parameter("hash", alloc::format!("{text:?}"), rule)
}

/// The name in a form, without what may be left out.
pub(crate) fn bare(form: &str) -> &str {
    form.split_once('[').map_or(form, |(name, _)| name)
}

/// Whether the features of a form are on.
fn is_built(form: &str) -> bool {
    match form {
        "sha256" => cfg!(feature = "sha2"),
        _ => cfg!(feature = "compat") || !FORMS.contains(&form),
    }
}

/// The forms whose name begins with that of `text`, or else those that differ
/// from it in the fewest letters, in no more than half of its own.
fn nearest(text: &str) -> Vec<&'static str> {
    let name = text.split([':', '@']).next().unwrap_or(text);
    let name = name.to_ascii_lowercase().replace('_', "-");
    let all = OWN.into_iter().chain(FORMS);
    if name.is_empty() || name.len() > 64 {
        return Vec::new();
    }
    let same: Vec<_> = all.clone().filter(|form| bare(form) == name).collect();
    if !same.is_empty() {
        return same;
    }
    let longer: Vec<_> = all.clone().filter(|form| form.starts_with(&name)).collect();
    if !longer.is_empty() {
        return longer;
    }
    let far = |form: &&str| distance(name.as_bytes(), bare(form).as_bytes());
    let least = all.clone().map(|form| far(&form)).min().unwrap_or(usize::MAX);
    if least > name.len() / 2 {
        return Vec::new();
    }
    all.filter(|form| far(form) == least).collect()
}

/// In how many letters two names differ: left out, put in, or another one.
///
/// Source: V. I. Levenshtein, "Binary codes capable of correcting deletions,
/// insertions and reversals", 1966.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

//! The names of all hashes, known with and without their features.

use alloc::string::String;
use alloc::vec::Vec;

use crate::Error;

/// The forms that need no feature or `sha2`.
const OWN: [&str; 2] = ["xxh3[:SEED]", "sha256"];

/// The forms that need the feature `compat`, in the order of `Algorithm::ALL`.
///
/// What stands in brackets may be left out.
pub(crate) const FORMS: [&str; 49] = [
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
    "murmur3-128-signed",
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
///
/// Hyphens, underscores and cases count for nothing.
fn nearest(text: &str) -> Vec<&'static str> {
    let plain = |name: &str| name.to_ascii_lowercase().replace(['-', '_'], "");
    let name = plain(text.split([':', '@']).next().unwrap_or(text));
    if name.is_empty() || name.len() > 64 {
        return Vec::new();
    }
    let all = || OWN.into_iter().chain(FORMS).map(|form| (form, plain(bare(form))));
    let longer: Vec<_> = all().filter(|(_, other)| other.starts_with(&name)).collect();
    if !longer.is_empty() {
        let same = longer.iter().any(|(_, other)| *other == name);
        return longer.into_iter().filter(|(_, o)| !same || *o == name).map(|(f, _)| f).collect();
    }
    let far = |other: &str| distance(name.as_bytes(), other.as_bytes());
    let least = all().map(|(_, other)| far(&other)).min().unwrap_or(usize::MAX);
    if least > name.len() / 2 {
        return Vec::new();
    }
    all().filter(|(_, other)| far(other) == least).map(|(form, _)| form).collect()
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

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn the_nearest_names_come_first() {
        for (text, first) in [
            ("FNV1a_64", "fnv1a-64, xxh3"),
            ("sha-1", "sha1-be32, sha1-be64, xxh3"),
            ("xxhash64", "xxh64[:SEED], xxh3"),
            ("siphash24:1,2", "siphash-2-4[:K0,K1], xxh3"),
            ("murmer3-32", "murmur3-32[:SEED], xxh3"),
            ("md5le32@{}", "md5-le32, xxh3"),
            ("ketama", "xxh3"),
            ("", "xxh3"),
        ] {
            let near = nearest(text);
            let list = near.into_iter().chain(["xxh3"]).collect::<Vec<_>>().join(", ");
            assert_eq!(list, first, "{text:?}");
        }
    }

    #[test]
    fn an_unknown_name_is_told_all_names_that_there_are() {
        let message = format!("{}", error("ketama"));
        for form in OWN.into_iter().chain(FORMS).filter(|form| is_built(form)) {
            assert!(message.contains(form), "{form}");
        }
    }

    #[cfg(feature = "compat")]
    #[test]
    fn the_forms_are_those_of_the_algorithms() {
        use crate::compat::Algorithm;
        let names: Vec<_> = Algorithm::ALL.iter().map(|algorithm| algorithm.name()).collect();
        assert_eq!(FORMS.map(bare), *names);
        for form in FORMS {
            let seeded = form.replace("[:SEED]", ":7").replace("[:K0,K1]", ":7,8");
            assert_eq!(seeded != form, form.contains('['));
            assert_eq!(format!("{}", seeded.parse::<Algorithm>().unwrap()), seeded);
        }
    }

    #[cfg(not(feature = "compat"))]
    #[test]
    fn a_foreign_name_is_told_the_feature_that_it_needs() {
        let message = format!("{}", error("crc32"));
        assert!(message.contains("crc32 and other foreign hashes need the feature compat"));
    }

    #[test]
    fn distances_are_the_published_ones() {
        // The worked example of every text on it: kitten, sitting.
        assert_eq!(distance(b"kitten", b"sitting"), 3);
        assert_eq!(distance(b"", b"abc"), 3);
        assert_eq!(distance(b"abc", b"abc"), 0);
    }
}

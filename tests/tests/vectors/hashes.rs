//! `hashes/`: values of one library's hashes.

use std::collections::BTreeMap;

use crate::system;
use crate::tally::{Tally, read};

/// What the library calls a hash, and the text name of it here.
const COLUMNS: [(&str, &str); 10] = [
    ("one_at_a_time", "one-at-a-time-signed"),
    ("md5", "md5-le32"),
    ("crc", "crc32-15"),
    ("fnv1_64", "fnv1-64-low32-signed"),
    ("fnv1a_64", "fnv1a-64-low32-signed"),
    ("fnv1_32", "fnv1-32-signed"),
    ("fnv1a_32", "fnv1a-32-signed"),
    ("murmur", "murmur2-length"),
    ("murmur3", "murmur3-32-length"),
    ("jenkins", "lookup3:13"),
];

pub(crate) fn libhashkit(file: &str) -> Tally {
    let (rows, mut tally) = read::<BTreeMap<String, String>>(file);
    for mut row in rows {
        let key = row.remove("key_hex").unwrap_or_else(|| panic!("{file}: a row has no key_hex"));
        let bytes = hex::decode(&key).unwrap();
        let mut answers = 0;
        for (column, value) in row {
            let known = COLUMNS.iter().find(|(name, _)| *name == column);
            let (_, name) = known.unwrap_or_else(|| panic!("{file}: unknown column {column:?}"));
            let hash = system::hash(name).hash(&bytes);
            assert_eq!(hash.to_string(), value, "{file}: {name} of {key}");
            answers += 1;
        }
        tally.agree("homing-core", answers, 0);
    }
    tally
}

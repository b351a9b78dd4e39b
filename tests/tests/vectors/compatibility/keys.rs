//! Where the hash of a key parts systems: which bytes, which form of a hash, which rounding.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use homing_core::compat::murmur3_token;
use homing_jump::Rounding;
use homing_slots::{crc16, slot};
use homing_tests::vectors::{self, KeySlotRow};
use serde_json::Value;

use super::example::{count, keys, parting, record, shown, system};
use crate::record::Column;
use crate::system::{contest, hash};
use crate::{hrw, jump, twemproxy};

pub(super) const SECTIONS: &[fn() -> String] =
    &[signs, forms, tags, rounding, cassandra, code_points, point_hash];

fn libhashkit() -> Vec<Vec<u8>> {
    let rows: Vec<BTreeMap<String, String>> = vectors::rows("hashes/libhashkit.csv");
    rows.iter().map(|row| hex::decode(&row["key_hex"]).unwrap()).collect()
}

// A table of hashes of the first keys for which these are not all the same.
fn table(names: &[&str], keys: &[Vec<u8>], shown_keys: usize) -> (String, usize) {
    let values = |key: &[u8]| -> Vec<String> {
        names.iter().map(|name| hash(name).hash(key).to_string()).collect()
    };
    let differ = |values: &[String]| values.iter().any(|value| *value != values[0]);
    let parted: Vec<_> = keys
        .iter()
        .map(|key| (key, values(key)))
        .filter(|(key, values)| differ(values) && key.len() <= 24)
        .collect();
    let heads: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let mut text =
        format!("| key | {} |\n|---|{}\n", heads.join(" | "), "--:|".repeat(names.len()));
    for (key, values) in parted.iter().take(shown_keys) {
        let _ = writeln!(text, "| {} | {} |", shown(key), values.join(" | "));
    }
    (text, keys.iter().filter(|key| differ(&values(key))).count())
}

fn signs() -> String {
    let keys = libhashkit();
    let (rows, parted) = table(&["fnv1a-32", "fnv1a-32-signed"], &keys, 2);
    let tokens: Vec<BTreeMap<String, String>> = vectors::rows("cassandra/murmur3_tokens.csv");
    let other =
        tokens.iter().filter(|row| row["raw_hash"] != row["standard_murmur3_low64"]).count();
    format!(
        "### Bytes with a sign\n\n\
         C programs that read keys through `char` sign-extend bytes from 0x80 on before they mix \
         them: FNV and one-at-a-time of libmemcached and of twemproxy do, HAProxy does not. ASCII \
         keys tell nothing. {} of {} keys of `hashes/libhashkit.csv` differ:\n\n{rows}\n\
         Cassandra's Murmur3 sign-extends what follows the last full 16 bytes, and no other: {} \
         of {} keys of `cassandra/murmur3_tokens.csv` have another value than the published \
         function.\n",
        count(parted),
        count(keys.len()),
        count(other),
        count(tokens.len())
    )
}

fn forms() -> String {
    let keys: Vec<Vec<u8>> = [&b"foo"[..], b"bar", b"hello"].map(<[u8]>::to_vec).into();
    let names = ["crc32", "crc32-15", "crc32-avalanche"];
    let (crc, _) = table(&names, &keys, 3);
    let (fnv, _) = table(&["fnv1a-32", "fnv1a-64-low32"], &keys, 2);
    let wide = |key: &[u8]| hash("crc16-wide").hash(key);
    format!(
        "### One name, several hashes\n\n\
         `crc32` is the whole CRC-32 in groupcache, stathat, librdkafka, HAProxy and on nginx's \
         ring. It is bits 16 to 30 of it in libmemcached, python-memcached (where 0 counts as 1), \
         nginx's list and twemproxy, whose whole one is `crc32a`; with `avalanche` HAProxy mixes \
         it once more.\n\n{crc}\n\
         `fnv1a_64` of libmemcached and of twemproxy is the low half of the 64-bit hash, not the \
         32-bit hash:\n\n{fnv}\n\
         twemproxy's `crc16` is never cut to 16 bits, so a remainder or a ring sees what was \
         shifted out: {} for `foo`, where CRC-16/XMODEM is {}.\n",
        wide(b"foo"),
        crc16(b"foo")
    )
}

// The slot of a client that passes over a brace which closes nothing and looks on for another.
fn second_try(key: &[u8]) -> u16 {
    let Some(open) = key.iter().position(|&byte| byte == b'{') else { return slot(key) };
    let inner = &key[open + 1..];
    let inner = inner.strip_prefix(b"}").unwrap_or(inner);
    let close = inner.iter().position(|&byte| byte == b'}');
    close.map_or_else(|| slot(key), |close| crc16(&inner[..close]) % 16_384)
}

fn tags() -> String {
    let rows: Vec<KeySlotRow> = vectors::rows("redis/keyslot.csv");
    let parted: Vec<&KeySlotRow> =
        rows.iter().filter(|row| second_try(&row.key()) != row.slot).collect();
    let mut table = "| key | server | that client |\n|---|--:|--:|\n".to_owned();
    for row in parted.iter().take(3) {
        let key = row.key();
        let _ = writeln!(table, "| {} | {} | {} |", shown(&key), slot(&key), second_try(&key));
    }
    let record = record(
        "ketama/twemproxy.jsonl",
        &[("config", "eq3-noalias"), ("params/hash_tag", "{}"), ("params/distribution", "ketama")],
    );
    let nodes = || twemproxy::nodes(&record);
    let systems = [
        system("twemproxy:hash=fnv1a_64", nodes()),
        system("twemproxy:hash=fnv1a_64,hash_tag={}", nodes()),
    ];
    format!(
        "### Which part of a key\n\n\
         The servers take the first `{{` and the first `}}` after it; with nothing between, the \
         whole key. npm's cluster-key-slot 1.1.2 passes over a `}}` that closes nothing, \
         takes what follows up to the next one, and asks the wrong server for {} of {} keys of `redis/keyslot.csv`:\n\n{table}\n\
         twemproxy has no tag unless it is told one. With and without it they {}",
        count(parted.len()),
        count(rows.len()),
        parting(&systems, &keys(&record, &[Column::Owner]))
    )
}

fn rounding() -> String {
    let rows: Vec<jump::Row> = vectors::rows("jump/jump.csv");
    let parted: Vec<&jump::Row> =
        rows.iter().filter(|row| row.bucket != row.guava_bucket).collect();
    let mut table = "| key | buckets | `jump` | `guava` |\n|--:|--:|--:|--:|\n".to_owned();
    for row in parted.iter().take(3) {
        let bucket = |rounding: Rounding| rounding.jump(row.key, row.buckets).unwrap_or_default();
        let _ = writeln!(
            table,
            "| {} | {} | {} | {} |",
            row.key,
            row.buckets,
            bucket(Rounding::Twice),
            bucket(Rounding::Once)
        );
    }
    format!(
        "### Rounded once or twice\n\n\
         Jump's paper divides 2^31 by a random number and multiplies the rounded quotient; Guava \
         divides once. A few keys have another bucket. {} of {} rows of \
         `jump/jump.csv` were made to:\n\n{table}",
        count(parted.len()),
        count(rows.len())
    )
}

fn cassandra() -> String {
    let rows: Vec<Value> = vectors::rows("cassandra/replicas.jsonl");
    let (mut compared, mut order, mut sets) = (0, 0, 0);
    let mut examples = String::new();
    for row in &rows {
        for lookup in row["lookups"].as_array().into_iter().flatten() {
            let Some(server) = lookup.get(3) else { continue };
            compared += 1;
            let driver = &lookup[2];
            let sorted = |list: &Value| {
                let mut places: Vec<u64> = serde_json::from_value(list.clone()).unwrap();
                places.sort_unstable();
                places
            };
            let other = sorted(driver) != sorted(server);
            if driver != server && (other && sets == 0 || !other && order == sets) {
                let key = hex::decode(lookup[0].as_str().unwrap_or_default()).unwrap();
                let ring = row["ring"].as_str().unwrap_or_default();
                let options = row["options"].to_string().replace('"', "");
                let key = shown(&key);
                let _ = writeln!(examples, "| {ring} | {options} | {key} | {driver} | {server} |");
            }
            order += usize::from(driver != server);
            sets += usize::from(other);
        }
    }
    format!(
        "### Cassandra's driver and its server\n\n\
         The server walks the ring once for all data centres; the driver walks it for each, and \
         puts off nodes of a rack that has one already. The replicas are the same in another \
         order, but with several tokens a node the driver can take one twice. Of {} recorded \
         lookups {} come in another order, {} of which are other nodes. `cassandra` is the \
         server's rule:\n\n\
         | ring | replicas | key | driver | server |\n|---|---|---|---|---|\n{examples}\n\
         The token of the empty key is {} in the server, and 0 in the driver.\n",
        count(compared),
        count(order),
        count(sets),
        murmur3_token(b"")
    )
}

fn code_points() -> String {
    let record = record("hrw/hrw.jsonl", &[("system", "clandestined"), ("seed", "0")]);
    let contests =
        ["clandestined", "pymemcache"].map(|preset| contest(preset, hrw::nodes(&record), &record));
    let keys = keys(&record, &[Column::Owner]);
    let names: Vec<String> = record.field("nodes");
    let keys: Vec<&str> = keys.iter().map(|key| str::from_utf8(key).unwrap()).collect();
    let parted: Vec<&str> = keys
        .iter()
        .copied()
        .filter(|key| contests[0].order(key, 1) != contests[1].order(key, 1))
        .collect();
    assert!(!parted.is_empty(), "no key parts clandestined and pymemcache");
    let mut table = "| key | `clandestined` | `pymemcache` |\n|---|---|---|\n".to_owned();
    for key in parted.iter().take(2) {
        let [bytes, points] = [0, 1].map(|i| &names[contests[i].order(key, 1)[0]]);
        let _ = writeln!(table, "| `{key}` | {bytes} | {points} |");
    }
    format!(
        "### Bytes or code points\n\n\
         clandestined and pymemcache are the same contest by MurmurHash3, but clandestined hashes \
         UTF-8 bytes and pymemcache code points. They part on {} of {} recorded keys, all with \
         letters beyond ASCII:\n\n{table}",
        count(parted.len()),
        count(keys.len())
    )
}

fn point_hash() -> String {
    let record = record("envoy/ring_hash.jsonl", &[("hash_function", "MURMUR_HASH_2")]);
    let key = b"foo";
    let murmur = hash("murmur2-64a:3339675911").hash(key);
    let xx = hash("xxh64").hash(key);
    let recorded = record.answers(&[Column::Hash, Column::Owner]);
    let found = recorded.iter().find(|answer| answer.key == key).and_then(|answer| answer.hash);
    assert_eq!(found, Some(xx), "the hash of a key on a ring of the other");
    format!(
        "### A hash for points and one for keys\n\n\
         Envoy's `hash_function: MURMUR_HASH_2` is that of the points. Keys go by XXH64 all the \
         same: `foo` is at {xx}, not at {murmur}. In the same way twemproxy's `hash` is that of \
         the keys; its points are words of MD5 whatever it says.\n"
    )
}

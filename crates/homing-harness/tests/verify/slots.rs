//! Slots: the CRC, the tags, the modulus, the split.

use std::path::Path;

use crate::plain::{modbus, utf16, xmodem};
use crate::{Folder, csv};

/// A program that gives every key a slot.
type Slot = fn(&[u8]) -> u16;

/// Members of which each has one slot, the one of its name.
fn a_member_a_slot(folder: &Folder) {
    let ids: Vec<String> = (0..16_384).map(|slot| format!("{slot:05}")).collect();
    folder.add("members.txt", ids.join("\n"));
}

fn rows(keys: &[Vec<u8>], slot: Slot) -> Vec<u8> {
    let row = |key: &Vec<u8>| (key.clone(), Some(format!("{:05}", slot(key))));
    csv(&keys.iter().map(row).collect::<Vec<_>>())
}

/// A manifest of cases.md, C06: the one member A has the slots 0 to 8191.
pub(crate) fn half_of_the_slots(folder: &Folder) -> &'static str {
    let manifest = r#"{"version": 1, "epoch": 0, "family": "slots",
        "config": {"ranges": [[0, 8191, "A"]]}, "members": [{"id": "A"}],
        "fingerprint": "0000000000000000"}"#;
    folder.add("half.json", manifest);
    let told = folder.homing(&["layout", "--members", "half.json"]).stderr;
    let told = String::from_utf8(told).unwrap();
    let computed = told.trim_end().rsplit(' ').next().unwrap();
    folder.add("half.json", manifest.replace("0000000000000000", computed));
    "half.json"
}

/// Keys with plain tags, with none, and with all that is odd of braces.
fn keys() -> Vec<Vec<u8>> {
    let mut keys = Vec::new();
    for i in 0..60 {
        for key in [
            format!("plain:{i}"),
            format!("order:{{u{i}}}:items"),
            format!("foo{{}}{{bar{i}}}"),
            format!("p{{x{i}}}{{y}}"),
            format!("foo{{{{bar{i}}}}}zap"),
            format!("{{start{i}}}end"),
            format!("ключ:{i}"),
        ] {
            keys.push(key.into_bytes());
        }
    }
    keys
}

/// The tag of the Redis cluster specification.
fn tag(key: &[u8]) -> &[u8] {
    let Some(open) = key.iter().position(|&byte| byte == b'{') else { return key };
    match key[open + 1..].iter().position(|&byte| byte == b'}') {
        None | Some(0) => key,
        Some(length) => &key[open + 1..open + 1 + length],
    }
}

/// The first tag that has a byte, wherever it opens.
fn later_tag(key: &[u8]) -> &[u8] {
    for open in 0..key.len() {
        if key[open] != b'{' {
            continue;
        }
        match key[open + 1..].iter().position(|&byte| byte == b'}') {
            Some(0) => {}
            Some(length) => return &key[open + 1..open + 1 + length],
            None => return key,
        }
    }
    key
}

fn last_tag(key: &[u8]) -> &[u8] {
    let Some(open) = key.iter().rposition(|&byte| byte == b'{') else { return key };
    match key[open + 1..].iter().position(|&byte| byte == b'}') {
        None | Some(0) => key,
        Some(length) => &key[open + 1..open + 1 + length],
    }
}

#[test]
fn each_planted_cause_is_named() {
    let planted: [(&str, Slot); 8] = [
        ("CRC-16/MODBUS", |key| modbus(tag(key)) % 16_384),
        ("tags ignored", |key| xmodem(key) % 16_384),
        ("the search going on after an empty tag", |key| xmodem(later_tag(key)) % 16_384),
        ("a tag from the last { on", |key| xmodem(last_tag(key)) % 16_384),
        ("a tag only at the start of a key", |key| {
            let hashed = if key.starts_with(b"{") { tag(key) } else { key };
            xmodem(hashed) % 16_384
        }),
        ("the CRC modulo 16383", |key| xmodem(tag(key)) % 16_383),
        ("the bytes of the CRC exchanged", |key| {
            let [high, low] = xmodem(tag(key)).to_be_bytes();
            (u16::from(low) * 256 + u16::from(high)) % 16_384
        }),
        ("CRC-16/MODBUS; tags ignored", |key| modbus(key) % 16_384),
    ];
    let folder = Folder::new();
    a_member_a_slot(&folder);
    for (cause, slot) in planted {
        folder.add("rows.csv", rows(&keys(), slot));
        let of = folder.json(1, &["--family", "slots", "--members", "members.txt", "rows.csv"]);
        assert_eq!(of["cause"]["name"], cause, "{:#}", of["causes"]);
        assert_eq!(of["cause"]["explains"], "all", "{cause}");
        assert_eq!(of["cause"]["alike"], serde_json::json!([]), "{cause}");
    }
}

#[test]
fn the_crc_over_utf16_is_named() {
    // cases.md, C04. Braces in UTF-16 have a zero byte after them, so tags do too.
    let folder = Folder::new();
    a_member_a_slot(&folder);
    let slot: Slot = |key| xmodem(tag(&utf16(std::str::from_utf8(key).unwrap()))) % 16_384;
    let keys: Vec<Vec<u8>> = (0..100).map(|i| format!("профиль:{i}").into_bytes()).collect();
    folder.add("rows.csv", rows(&keys, slot));
    let of = folder.json(1, &["--family", "slots", "--members", "members.txt", "rows.csv"]);
    assert_eq!(of["cause"]["name"], "keys as UTF-16, little-endian");
}

#[test]
fn the_greatest_slot_as_a_mask_is_named() {
    // cases.md, C06: with 8191 for a mask every key is in a slot of A.
    let folder = Folder::new();
    let members = half_of_the_slots(&folder);
    let rows: Vec<String> = (0..200).map(|i| format!("k{i},A")).collect();
    folder.add("rows.csv", format!("key,node\n{}", rows.join("\n")));
    let of = folder.json(1, &["--members", members, "rows.csv"]);
    let cause = "the greatest slot with an owner as a mask, in place of 16383";
    assert_eq!(of["cause"]["name"], cause, "{of:#}");
}

#[test]
fn slots_dealt_out_one_by_one_are_named() {
    let folder = Folder::with("members.txt", "a\nb\nc\n");
    let ids = ["a", "b", "c"];
    let owner = |key: &[u8]| ids[usize::from(xmodem(tag(key)) % 16_384) % 3].to_owned();
    let placed: Vec<_> = keys().into_iter().map(|key| (key.clone(), Some(owner(&key)))).collect();
    folder.add("rows.csv", csv(&placed));
    let of = folder.json(1, &["--family", "slots", "--members", "members.txt", "rows.csv"]);
    assert_eq!(of["cause"]["name"], "slots dealt out to the members one by one");
}

#[test]
fn the_published_cases_of_tags_agree() {
    // cases.md, C01 to C05, with their slots.
    let texts = [
        ("foo{}{bar}", 8363),
        ("{}{user1}", 14830),
        ("a{}b}c", 2041),
        ("{}", 15257),
        ("cart:{}:77", 10245),
        ("{}}", 14790),
        ("foo{{bar}}zap", 4015),
        ("cfg{'a':{'b':2}}", 703),
        ("{'a':{'b':2}}", 703),
        ("order{a{b}c}", 13340),
        ("p{x}{y}", 16287),
        ("p{x}z", 16287),
        ("{{{x}", 965),
        ("session{u7}", 12568),
        ("deep:path:{u7}:leaf", 12568),
        ("профиль:42", 9613),
        ("naïve:é", 7089),
        ("商品:{购物车}:9", 4452),
        ("emoji:🦀", 3056),
        ("ascii-only", 11597),
    ];
    let folder = Folder::new();
    a_member_a_slot(&folder);
    let rows: Vec<_> = texts
        .iter()
        .map(|(key, slot)| (key.as_bytes().to_vec(), Some(format!("{slot:05}"))))
        .collect();
    folder.add("rows.csv", csv(&rows));
    let arguments = ["--family", "slots", "--members", "members.txt"];
    assert_eq!(folder.json(0, &[&arguments[..], &["rows.csv"]].concat())["agree"], 20);
    folder.add(
        "hex.csv",
        "key,node\n7b3e4567e89b12d3a456426614177d00,13599\n00ff7b7d11,08015\n7b41427d43,05755\n\
         c3287b616263,15349\nff00fe,00434\n",
    );
    let of = folder.json(0, &[&arguments[..], &["--input", "hex", "hex.csv"]].concat());
    assert_eq!(of["agree"], 5);
}

#[test]
fn the_crc_of_articles_is_named() {
    // articles/modbus_crc16.csv of the vectors: no slot of that program is Redis's, and
    // an empty tag is hashed as it is.
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/vectors");
    let text = std::fs::read_to_string(vectors.join("articles/modbus_crc16.csv")).unwrap();
    let mut padded = vec!["key_hex,article,redis".to_owned()];
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        padded.push(format!("{},{:0>5},{:0>5}", cells[0], cells[1], cells[2]));
    }
    let folder = Folder::with("rows.csv", padded.join("\n"));
    a_member_a_slot(&folder);
    let arguments = |node| {
        let layout = ["--family", "slots", "--members", "members.txt", "--input", "hex"];
        [&layout[..], &["--key-column", "key_hex", "--node-column", node, "rows.csv"]].concat()
    };
    let of = folder.json(1, &arguments("article"));
    assert_eq!((&of["agree"], &of["rows"]), (&0.into(), &60.into()));
    assert_eq!(of["cause"]["name"], "CRC-16/MODBUS; an empty tag hashed as nothing");
    assert_eq!(of["cause"]["explains"], "all");
    assert_eq!(of["causes"][1]["name"], "CRC-16/MODBUS");
    assert_eq!(folder.json(0, &arguments("redis"))["agree"], 60);
}

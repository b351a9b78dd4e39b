//! Examples of what parts two systems.

use std::fmt::Write as _;

use homing_core::{Node, Placement};
use homing_tests::vectors;
use serde_json::Value;

use crate::record::{Answer, Column, Record};
use crate::system;

/// How many keys are shown.
const SHOWN: usize = 2;

/// A number with commas between thousands.
pub(super) fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The first record of a file whose fields have these texts.
pub(super) fn record(file: &str, fields: &[(&str, &str)]) -> Record {
    let rows: Vec<Value> = vectors::rows(file);
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let holds = |row: &Value| {
        fields.iter().all(|(field, known)| {
            row.pointer(&format!("/{field}")).is_some_and(|value| text(value) == *known)
        })
    };
    let row = rows.into_iter().find(holds).unwrap_or_else(|| panic!("{file}: none has {fields:?}"));
    Record::new(row, file.to_owned())
}

/// A key as a reader can take it: in quotes, or in hex where it is no plain text.
pub(super) fn shown(key: &[u8]) -> String {
    let plain = |byte: &u8| byte.is_ascii_graphic() && !b"`|\\".contains(byte);
    if key.is_empty() {
        "(empty)".to_owned()
    } else if key.iter().all(plain) {
        format!("`{}`", String::from_utf8_lossy(key))
    } else {
        format!("hex `{}`", hex::encode(key))
    }
}

/// The keys of a record, the readable ones first.
pub(super) fn keys(record: &Record, columns: &[Column]) -> Vec<Vec<u8>> {
    let answers = record.answers(columns);
    let mut keys: Vec<Vec<u8>> = answers.into_iter().map(|Answer { key, .. }| key).collect();
    keys.sort_by_key(|key| (!key.iter().all(u8::is_ascii_graphic), key.len() > 24));
    keys
}

/// A system by the text of its preset, with the nodes of a record.
pub(super) fn system(preset: &str, nodes: Vec<Node>) -> (String, Box<dyn Placement>) {
    let layout = system::layout(preset, nodes, &preset);
    (preset.to_owned(), layout)
}

/// The id of the owner of a key.
pub(super) fn owner(layout: &dyn Placement, key: &[u8]) -> String {
    layout.owner(key).expect("every key has an owner").id.to_string()
}

/// "part on" so many keys, which ends a sentence, and a table of the first of them.
///
/// # Panics
///
/// Panics if none parts them: then there is nothing to say.
pub(super) fn parting(systems: &[(String, Box<dyn Placement>)], keys: &[Vec<u8>]) -> String {
    let owners = |key: &[u8]| -> Vec<String> {
        systems.iter().map(|(_, layout)| owner(&**layout, key)).collect()
    };
    let differ = |owners: &[String]| owners.iter().any(|owner| *owner != owners[0]);
    let parted: Vec<(&Vec<u8>, Vec<String>)> =
        keys.iter().map(|key| (key, owners(key))).filter(|(_, owners)| differ(owners)).collect();
    let names = names(systems);
    assert!(!parted.is_empty(), "{}: no key parts them", names.join(" and "));
    let mut text = format!(
        "part on {} of {} recorded keys:\n\n| key | hash | {} |\n|---|--:|{}\n",
        count(parted.len()),
        count(keys.len()),
        names.join(" | "),
        "---|".repeat(names.len())
    );
    for (key, owners) in parted.iter().take(SHOWN) {
        let hashes: Vec<String> =
            systems.iter().map(|(_, layout)| layout.position(key).to_string()).collect();
        let hash = if hashes.iter().all(|hash| *hash == hashes[0]) { &*hashes[0] } else { "" };
        let _ = writeln!(text, "| {} | {hash} | {} |", shown(key), owners.join(" | "));
    }
    text
}

// The names of presets, with their options only where these tell them apart.
fn names(systems: &[(String, Box<dyn Placement>)]) -> Vec<String> {
    let bare: Vec<&str> =
        systems.iter().map(|(name, _)| name.split(':').next().unwrap_or(name)).collect();
    let same = bare.windows(2).any(|pair| pair[0] == pair[1]);
    let chosen = systems.iter().zip(bare).map(|((name, _), bare)| if same { name } else { bare });
    chosen.map(|name| format!("`{name}`")).collect()
}

/// A page with the lines of its paragraphs filled up to 95 columns; tables and headings stay.
pub(super) fn filled(page: &str) -> String {
    let mut text = String::new();
    for line in page.lines() {
        if line.starts_with(['|', '#']) {
            text += line;
            text.push('\n');
            continue;
        }
        let mut column = 0;
        for word in line.split(' ') {
            let length = word.chars().count();
            if column > 0 && column + 1 + length > 95 {
                text.push('\n');
                column = 0;
            } else if column > 0 {
                text.push(' ');
                column += 1;
            }
            text += word;
            column += length;
        }
        text.push('\n');
    }
    text
}

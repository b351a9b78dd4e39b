//! Members from what a cluster prints of itself.

use std::ops::RangeInclusive;

use homing_compat::cluster::{Cluster, Place, Way};
use homing_core::{Build, Placement};
use homing_slots::Slots;
use serde_json::Value;

use super::{Given, Stated};
use crate::error::{Error, Result};

/// How many runs of slots are told one by one.
const TOLD: usize = 20;

/// Reads the members, and their slots, in a dump of a file of this name.
///
/// # Errors
///
/// Fails, with the line or the byte, if it is no dump, is cut short or damaged, and
/// with the slots if several nodes claim them.
pub(crate) fn parse(name: &str, bytes: &[u8]) -> Result<Given> {
    let cluster = Cluster::read(bytes).map_err(|error| match error.place {
        Place::Line(line) => Error::in_line(name, line as u64, error.reason),
        Place::Byte(byte) => Error::in_file(name, format!("byte {byte}: {}", error.reason)),
    })?;
    let overlaps: Vec<String> = cluster
        .overlaps()
        .iter()
        .map(|overlap| {
            let nodes: Vec<String> = overlap.nodes.iter().map(|id| format!("{id:?}")).collect();
            format!("{} by {}", run(&overlap.slots), nodes.join(" and "))
        })
        .collect();
    if !overlaps.is_empty() {
        let reason = format!("each slot must have one owner, but claimed are {}", few(overlaps));
        return Err(Error::in_file(name, reason));
    }
    let in_file = |error: homing_core::Error| Error::in_file(name, error);
    let (members, config) = cluster.to_slots().map_err(in_file)?;
    let fingerprint = Slots::build(config.clone(), members.clone()).map_err(in_file)?.fingerprint();
    let config = match serde_json::to_value(config) {
        Ok(Value::Object(config)) => config,
        other => unreachable!("a configuration is a table, not {other:?}"),
    };
    let epochs = cluster.nodes.iter().filter_map(|node| node.epoch);
    let stated = Stated {
        file: name.to_owned(),
        epoch: cluster.current_epoch.or(epochs.max()).unwrap_or(0),
        family: Slots::FAMILY.name.to_owned(),
        config,
        fingerprint,
    };
    Ok(Given { members, manifest: Some(stated), told: told(&cluster) })
}

/// What an operator must know of the slots, a sentence each.
fn told(cluster: &Cluster) -> Vec<String> {
    let mut told = Vec::new();
    let uncovered: Vec<String> = cluster.uncovered().iter().map(run).collect();
    if !uncovered.is_empty() {
        told.push(format!("without an owner: {}", few(uncovered)));
    }
    let open: Vec<String> = cluster
        .open()
        .map(|(node, open)| match open.way {
            Way::Migrating => {
                format!("slot {} migrates from {:?} to {:?}", open.slot, node.id, open.other)
            }
            Way::Importing => {
                format!("slot {} is imported by {:?} from {:?}", open.slot, node.id, open.other)
            }
        })
        .collect();
    if !open.is_empty() {
        told.push(format!("open, and still the owner's: {}", few(open)));
    }
    told
}

fn run(slots: &RangeInclusive<u16>) -> String {
    match (slots.start(), slots.end()) {
        (first, last) if first == last => format!("slot {first}"),
        (first, last) => format!("slots {first} to {last}"),
    }
}

/// The first of several, and how many more there are.
fn few(all: Vec<String>) -> String {
    let more = all.len().saturating_sub(TOLD);
    let first = all.into_iter().take(TOLD).collect::<Vec<_>>().join(", ");
    if more == 0 { first } else { format!("{first}, and {more} more") }
}

/// Whether ids could be what `redis-cli` prints into a pipe: one value a line.
pub(super) fn may_be_raw(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    first == "slots" || (!first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether the bytes of a file begin as a dump does, and as no other form of members.
pub(super) fn begins(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let of_id = line.get(40) == Some(&b' ') && line[..40].iter().all(u8::is_ascii_hexdigit);
    let on_wire = matches!(text.first(), Some(b'*' | b'$' | b'=' | b'%' | b'~'))
        && line.ends_with(b"\r")
        && line[1..].iter().take_while(|byte| byte.is_ascii_digit()).count() + 2 == line.len();
    let after = |bytes: &[u8], start: &[u8]| {
        bytes.strip_prefix(start).map(<[u8]>::trim_ascii_start).map(<[u8]>::to_vec)
    };
    let in_json = after(text, b"[").is_some_and(|rest| {
        // A list of lists of numbers; TOML has a name between its brackets.
        after(&rest, b"[").is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_digit))
            || after(&rest, b"{").is_some_and(|rest| rest.starts_with(b"\"slots\""))
    });
    of_id || on_wire || in_json || line.starts_with(b"1) 1) ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::members;

    // Two nodes with the slots 0 to 5460 and 5462 to 16383, one of them on the move.
    const DUMP: &str = "\
        07c37dfeb235213a872192d90877d0cd55635b91 10.0.0.1:7000@17000 myself,master - 0 0 1 \
        connected 0-5460 [93->-67ed2db8d677e59ec4a4cefb06858cf2a1a89fa1]\n\
        67ed2db8d677e59ec4a4cefb06858cf2a1a89fa1 10.0.0.2:7000@17000 master - 0 0 2 connected \
        5462-16383\n";

    #[test]
    fn a_dump_gives_members_their_slots_and_what_is_odd_of_them() {
        let given = members::parse("nodes.txt", DUMP.as_bytes()).unwrap();
        let stated = given.manifest.as_ref().unwrap();
        assert_eq!((&*stated.family, stated.epoch, given.members.len()), ("slots", 2, 2));
        assert!(given.told[0].contains("slot 5461"), "{:?}", given.told);
        assert!(given.told[1].contains("slot 93 migrates from \"07c3"), "{:?}", given.told);
        assert!(crate::scenario::stated(&given).unwrap().is_some());
        let windows = DUMP.replace('\n', "\r\n");
        assert_eq!(members::parse("nodes.txt", windows.as_bytes()).unwrap(), given);
        let marked = format!("\u{feff}{windows}");
        assert_eq!(members::parse("nodes.txt", marked.as_bytes()).unwrap(), given);
    }

    #[test]
    fn slots_that_two_nodes_claim_are_named() {
        let dump = DUMP.replace("5462-", "5000-");
        let error = members::parse("nodes.txt", dump.as_bytes()).unwrap_err().to_string();
        assert!(
            error.starts_with(
                "nodes.txt: each slot must have one owner, but claimed are slots 5000 to 5460 by"
            ),
            "{error}"
        );
    }

    #[test]
    fn a_dump_that_is_damaged_is_told_with_its_line() {
        let cut = &DUMP[..DUMP.len() - 20];
        let error = parse("nodes.txt", cut.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("nodes.txt:2: "), "{error}");
        let nul = DUMP.replace("10.0.0.2", "10.0\0.2");
        let error = parse("nodes.txt", nul.as_bytes()).unwrap_err().to_string();
        assert_eq!(error, "nodes.txt:2: a NUL, which no answer has");
        let error = parse("nodes.txt", b"\xff\xfea\0").unwrap_err().to_string();
        assert_eq!(error, "nodes.txt:1: the mark of UTF-16, but it must be UTF-8");
        let info = b"cluster_state:ok\n";
        let error = parse("info.txt", info).unwrap_err().to_string();
        assert!(error.starts_with("info.txt:1: the answer of CLUSTER INFO"), "{error}");
    }

    #[test]
    fn members_of_other_forms_are_no_dumps() {
        for text in
            ["a\nb\n", "[{\"id\": \"a\"}]", "[\"a\"]", "* a\n", "1) a\n", "[[node]]\nid = 'a'"]
        {
            assert!(!begins(text.as_bytes()), "{text}");
        }
    }
}

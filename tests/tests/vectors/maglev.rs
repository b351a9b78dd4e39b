//! `maglev/`: tables by other permutations and other turns.

use homing_core::{Attribute, Node, Placement};
use serde::Deserialize;

use crate::answers::{check_answers, check_table, table_of};
use crate::record::{Column, Record};
use crate::system;
use crate::tally::Tally;

fn places(count: usize) -> Vec<u64> {
    (0..).take(count).collect()
}

/// The populate step of the paper, with offsets and skips given.
pub(crate) fn permutations(record: &Record, tally: &mut Tally) {
    let entries: u32 = record.field("M");
    let offsets: Vec<u32> = record.field("offset");
    let skips: Vec<u32> = record.field("skip");
    let dead: Vec<usize> = record.field("dead_backends");
    let table = system::populate(entries, &offsets, &skips, &dead, record);
    let m = u64::from(entries);
    for (place, permutation) in record.field::<Vec<Vec<u64>>>("permutations").iter().enumerate() {
        let (offset, skip) = (u64::from(offsets[place]), u64::from(skips[place]));
        let expected: Vec<u64> = (0..m).map(|j| (offset + j * skip) % m).collect();
        assert_eq!(*permutation, expected, "{record}: the permutation of {place}");
    }
    let compared = check_table(&table, &places(offsets.len()), record);
    tally.agree("homing-maglev", 0, compared);
}

pub(crate) fn go_maglev(record: &Record, tally: &mut Tally) {
    let names: Vec<String> = record.field("names");
    let dead: Vec<usize> = record.field("dead");
    let preset = format!("go-maglev:M={}", record.field::<u32>("M"));
    // A dead backend keeps its place and takes no turn.
    let nodes = names
        .iter()
        .enumerate()
        .map(|(place, name)| Node::new(&**name).weighing(u32::from(!dead.contains(&place))));
    let layout = system::layout(&preset, nodes.collect(), record);
    check_permutations(record, |place| {
        let hash = system::hash("siphash-2-4:16045690984503098046,0").hash(names[place].as_bytes());
        (hash >> 32, hash & 0xffff_ffff)
    });
    finish(&preset, &*layout, &places(names.len()), record, tally);
}

#[derive(Deserialize)]
struct Endpoint {
    num: u64,
    weight: u32,
    hash: u64,
}

pub(crate) fn katran(record: &Record, tally: &mut Tally) {
    let name = match &*record.text("algorithm") {
        "MaglevHash" => "katran-v1",
        "MaglevHashV2" => "katran-v2",
        other => panic!("{record}: unknown algorithm {other:?}"),
    };
    let preset = format!("{name}:ring_size={}", record.field::<u32>("ring_size"));
    let endpoints: Vec<Endpoint> = record.field("endpoints");
    let nodes = endpoints.iter().map(|endpoint| {
        Node::new(endpoint.num.to_string())
            .weighing(endpoint.weight)
            .with(Attribute::HashKey, &endpoint.hash.to_string())
    });
    let layout = system::layout(&preset, nodes.collect(), record);
    check_permutations(record, |place| {
        let draw = |name: &str, second: u64| {
            let bytes = [endpoints[place].hash.to_le_bytes(), second.to_le_bytes()].concat();
            system::hash(name).hash(&bytes)
        };
        (draw("murmur3-128", 42), draw("murmur3-128:2307", 2_718_281_828))
    });
    let names: Vec<u64> = endpoints.iter().map(|endpoint| endpoint.num).collect();
    finish(&preset, &*layout, &names, record, tally);
}

pub(crate) fn crate_maglev(record: &Record, tally: &mut Tally) {
    let names: Vec<String> = record.field("nodes");
    let capacity: u64 = record.field("requested_capacity");
    let preset = format!("crate-maglev:capacity={capacity}");
    let nodes = names.iter().map(|name| Node::new(&**name)).collect();
    let layout = system::layout(&preset, nodes, record);
    finish(&preset, &*layout, &places(names.len()), record, tally);
}

fn finish(preset: &str, layout: &dyn Placement, names: &[u64], record: &Record, tally: &mut Tally) {
    let compared = check_table(&table_of(layout), names, record);
    let mut lookups = 0;
    if record.get::<serde_json::Value>("lookups").is_some() {
        lookups = check_answers(layout, &record.answers(&[Column::Owner]), record);
    }
    tally.agree(preset, lookups, compared);
}

// The recorded offsets and skips, from the two numbers that are drawn of each node.
fn check_permutations(record: &Record, drawn: impl Fn(usize) -> (u64, u64)) {
    let m: u64 = record.any(&["M", "ring_size"]).expect("a record has the number of entries");
    let offsets: Vec<u64> = record.field("offset");
    let skips: Vec<u64> = record.field("skip");
    for (place, recorded) in offsets.into_iter().zip(skips).enumerate() {
        let (offset, skip) = drawn(place);
        let found = (offset % m, skip % (m - 1) + 1);
        assert_eq!(found, recorded, "{record}: the offset and the skip of {place}");
    }
}

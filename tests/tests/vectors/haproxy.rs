//! `haproxy/`: the ring with territories around points, and the interleaved table.

use homing_core::{Attribute, Node};
use serde::Deserialize;

use crate::answers::{check_answers, check_points, check_table, place, points_of};
use crate::record::{Column, Record};
use crate::system;
use crate::tally::Tally;

#[derive(Deserialize)]
struct Server {
    name: String,
    weight: u32,
    id: u32,
}

/// The servers of a record as nodes.
pub(crate) fn nodes(record: &Record) -> Vec<Node> {
    let servers: Vec<Server> = record.field("servers");
    let node = |server: &Server| {
        Node::new(&*server.name)
            .weighing(server.weight)
            .with(Attribute::ServerId, &server.id.to_string())
    };
    servers.iter().map(node).collect()
}

pub(crate) fn check(record: &Record, tally: &mut Tally) {
    let servers: Vec<Server> = record.field("servers");
    let nodes = nodes(record);
    let mut answers = record.answers(&[Column::Hash, Column::Owner]);
    if record.text("balance") == "uri" {
        // The program hashes what stands before the question mark.
        for answer in &mut answers {
            let path = answer.key.iter().position(|&byte| byte == b'?');
            answer.key.truncate(path.unwrap_or(answer.key.len()));
        }
    }
    let hash_type = record.text("hash_type");
    let mut words = hash_type.split(' ');
    let kind = words.next().unwrap_or_default();
    let options = match (words.next(), words.next()) {
        (None, None) => String::new(),
        (Some(hash), None) => format!(":hash={hash}"),
        (Some(hash), Some("avalanche")) => format!(":hash={hash} avalanche"),
        _ => panic!("{record}: unknown hash-type {hash_type:?}"),
    };
    match kind {
        "consistent" => {
            let preset = format!("haproxy{options}");
            let ring = system::ring(&preset, nodes, record);
            let compared = check_points(&points_of(&ring), servers.len(), record);
            tally.agree(&preset, check_answers(&ring, &answers, record), compared);
        }
        "map-based" => {
            let preset = format!("haproxy-map-based{options}");
            let layout = system::layout(&preset, nodes, record);
            let compared = record.get::<Vec<usize>>("model_map").map_or(0, |map| {
                // The positions are hashes, of which the table takes the remainder.
                let entries = 0..u64::try_from(map.len()).unwrap();
                let table: Vec<usize> =
                    entries.map(|entry| place(layout.owner_at(entry))).collect();
                let names: Vec<u64> = (0..).take(servers.len()).collect();
                check_table(&table, &names, record)
            });
            tally.agree(&preset, check_answers(&*layout, &answers, record), compared);
        }
        _ => panic!("{record}: unknown hash-type {hash_type:?}"),
    }
}

//! `ketama/twemproxy.jsonl`: a ring or a list behind a proxy, with the key hash as a choice.

use homing_core::{Attribute, Node};
use serde::Deserialize;

use crate::answers::{check_answers, labels_of, place};
use crate::record::{Column, Record};
use crate::system;
use crate::tally::Tally;

/// A line of the proxy's server list, `host:port:weight` with or without a name after it.
#[derive(Deserialize)]
struct Server {
    line: String,
    name: String,
    weight: u32,
}

impl Server {
    fn node(&self, record: &Record) -> Node {
        let (address, alias) = match self.line.split_once(' ') {
            Some((address, alias)) => (address, Some(alias)),
            None => (&*self.line, None),
        };
        let (address, weight) = address.rsplit_once(':').expect("a line has a weight");
        assert_eq!(weight.parse(), Ok(self.weight), "{record}: {:?}", self.line);
        let (host, port) = address.rsplit_once(':').expect("a line has a port");
        let node = Node::new(address)
            .weighing(self.weight)
            .with(Attribute::Host, host)
            .with(Attribute::Port, port);
        alias.into_iter().fold(node, |node, alias| node.with(Attribute::Alias, alias))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    distribution: String,
    hash: String,
    hash_tag: String,
}

/// The servers of a record as nodes.
pub(crate) fn nodes(record: &Record) -> Vec<Node> {
    record.field::<Vec<Server>>("servers").iter().map(|server| server.node(record)).collect()
}

pub(crate) fn check(record: &Record, tally: &mut Tally) {
    let params: Params = record.field("params");
    let servers: Vec<Server> = record.field("servers");
    let name = match &*params.distribution {
        "ketama" => "twemproxy",
        "modula" => "twemproxy-modula",
        other => panic!("{record}: unknown distribution {other:?}"),
    };
    let preset = format!("{name}:hash={},hash_tag={}", params.hash, params.hash_tag);
    let layout = system::layout(&preset, nodes(record), record);
    for (server, label) in servers.iter().zip(labels_of(&*layout)) {
        assert_eq!(label, server.name, "{record}: the name of {:?}", server.line);
    }
    // The order shows itself in a list alone: entry i of it is what position i has.
    if params.distribution == "modula" {
        let order: Vec<usize> = record.field("internal_server_order");
        let mut position = 0;
        for server in order {
            for _ in 0..servers[server].weight {
                let owner = place(layout.owner_at(position));
                assert_eq!(owner, server, "{record}: entry {position} of the list");
                position += 1;
            }
        }
    }
    let answers = record.answers(&[Column::Owner]);
    tally.agree(&preset, check_answers(&*layout, &answers, record), 0);
}

//! `nginx/`: the ring of chained points, the list, and what both do where a server is down.

use homing_compat::nginx_hash;
use homing_core::{Attribute, Node, NodeIndex, Placement as _};
use serde::Deserialize;

use crate::answers::{check_answers, check_points, points_of};
use crate::record::{Answer, Column, Record};
use crate::system;
use crate::tally::Tally;

#[derive(Deserialize)]
struct Server {
    #[serde(rename = "server")]
    address: String,
    weight: u32,
    down: bool,
}

impl Server {
    fn node(&self, record: &Record) -> Node {
        let (host, port) = self.address.rsplit_once(':').unwrap_or_else(|| {
            panic!("{record}: a server is host:port, not {:?}", self.address);
        });
        Node::new(&*self.address)
            .weighing(self.weight)
            .with(Attribute::Host, host)
            .with(Attribute::Port, port)
    }
}

/// How many points a lookup looks at before it goes by turns: the first and 20 more.
const TRIES: usize = 21;

/// What nginx does besides hashing, which depends on the requests before.
const BY_TURNS: &str = "a key that is empty or meets 21 servers that are down, which goes by turns";

pub(crate) fn check(record: &Record, tally: &mut Tally) {
    let servers: Vec<Server> = record.field("servers");
    let mut answers = record.answers(&[Column::Hash, Column::Owner]);
    let all = answers.len();
    answers.retain(|answer| !answer.key.is_empty());
    for _ in answers.len()..all {
        tally.leave_out(BY_TURNS);
    }
    let directive = record.text("directive");
    let mut words = directive.split(' ');
    assert_eq!(words.next(), Some("hash"), "{record}: unknown directive {directive:?}");
    let _variable = words.next();
    match (words.next(), words.next()) {
        (Some("consistent"), None) => ring(&servers, &answers, record, tally),
        (None, None) => list(&servers, &answers, record, tally),
        _ => panic!("{record}: unknown directive {directive:?}"),
    }
}

fn ring(servers: &[Server], answers: &[Answer], record: &Record, tally: &mut Tally) {
    let nodes = servers.iter().map(|server| server.node(record)).collect();
    let ring = system::ring("nginx", nodes, record);
    let compared = check_points(&points_of(&ring), servers.len(), record);
    if servers.iter().all(|server| !server.down) {
        tally.agree("nginx", check_answers(&ring, answers, record), compared);
        return;
    }
    for answer in answers {
        let position = ring.position(&answer.key);
        assert_eq!(Some(position), answer.hash, "{record}: {answer:?}");
        let mut met = ring.owners_from(position).map(NodeIndex::get).take(TRIES);
        match met.find(|&place| !servers[place].down) {
            Some(owner) => assert_eq!(owner, answer.owner(), "{record}: {answer:?}"),
            None => tally.leave_out(BY_TURNS),
        }
    }
    tally.agree("nginx", answers.len(), compared);
}

fn list(servers: &[Server], answers: &[Answer], record: &Record, tally: &mut Tally) {
    let nodes = servers.iter().map(|server| server.node(record)).collect();
    let list = system::layout("nginx-modulo", nodes, record);
    let weighed: Vec<homing_compat::Server> = servers
        .iter()
        .map(|server| homing_compat::Server { weight: server.weight, down: server.down })
        .collect();
    if !servers.iter().any(|server| server.down) {
        // The key hash is recorded as CRC-32 as a whole, of which the list takes 15 bits.
        let bare: Vec<Answer> =
            answers.iter().map(|answer| Answer { hash: None, ..answer.clone() }).collect();
        check_answers(&*list, &bare, record);
    }
    for answer in answers {
        let crc = system::hash("crc32").hash(&answer.key);
        assert_eq!(Some(crc), answer.hash, "{record}: {answer:?}");
        match nginx_hash(&answer.key, &weighed) {
            Some(owner) => assert_eq!(owner, answer.owner(), "{record}: {answer:?}"),
            None => tally.leave_out(BY_TURNS),
        }
    }
    tally.agree("nginx-modulo", answers.len(), 0);
}

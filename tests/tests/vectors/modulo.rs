//! `modulo/`: remainders of a hash.

use homing_core::{Attribute, Node};

use crate::answers::check_answers;
use crate::record::{Column, Record};
use crate::system;
use crate::tally::Tally;

const HASHED: [Column; 2] = [Column::Hash, Column::Owner];

fn numbered(count: usize) -> Vec<Node> {
    (0..count).map(|i| Node::new(format!("node-{i}"))).collect()
}

pub(crate) fn libmemcached(record: &Record, tally: &mut Tally) {
    let preset = format!("libmemcached-modula:hash={}", record.text("hash"));
    finish(&preset, numbered(record.field("servers")), &HASHED, record, tally);
}

pub(crate) fn python_memcached(record: &Record, tally: &mut Tally) {
    let servers: Vec<String> = record.field("servers");
    let weights: Vec<u32> = record.field("weights");
    let entries: u32 = record.field("bucket_count");
    assert_eq!(weights.iter().sum::<u32>(), entries, "{record}: an entry for each weight");
    let nodes = servers.iter().zip(weights).map(|(server, weight)| {
        let (host, port) = server.rsplit_once(':').expect("a server has a port");
        Node::new(&**server)
            .weighing(weight)
            .with(Attribute::Host, host)
            .with(Attribute::Port, port)
    });
    finish("python-memcached", nodes.collect(), &HASHED, record, tally);
}

pub(crate) fn kafka(record: &Record, tally: &mut Tally) {
    let layout = system::layout("kafka", numbered(record.field("partitions")), record);
    let mut answers = record.answers(&HASHED);
    for answer in &mut answers {
        // The hash is recorded before its sign is cut off.
        let whole = system::hash("murmur2-32:2538058380").hash(&answer.key);
        assert_eq!(answer.hash, Some(whole), "{record}: {answer:?}");
        answer.hash = Some(whole & 0x7fff_ffff);
    }
    tally.agree("kafka", check_answers(&*layout, &answers, record), 0);
}

pub(crate) fn librdkafka(record: &Record, tally: &mut Tally) {
    let preset = match &*record.text("partitioner") {
        "consistent (crc32)" | "consistent" => "librdkafka-consistent",
        "fnv1a" => "librdkafka-fnv1a",
        "murmur2" => "librdkafka-murmur2",
        other => panic!("{record}: unknown partitioner {other:?}"),
    };
    let nodes = numbered(record.field("partitions"));
    finish(preset, nodes, &[Column::Owner], record, tally);
}

fn finish(preset: &str, nodes: Vec<Node>, columns: &[Column], record: &Record, tally: &mut Tally) {
    let layout = system::layout(preset, nodes, record);
    let answers = record.answers(columns);
    tally.agree(preset, check_answers(&*layout, &answers, record), 0);
}

//! `ring/`: rings of Go and Rust packages.

use homing_compat::Apart;
use homing_core::{Attribute, Members, Node};
use homing_ring::Ring;

use crate::answers::{check_answers, check_points, place, points_of};
use crate::record::{Column, Record};
use crate::system;
use crate::tally::Tally;

const HASHED: [Column; 3] = [Column::Hash, Column::Owner, Column::Order];

/// The names in a field as nodes.
pub(crate) fn named(record: &Record, field: &str) -> Vec<Node> {
    record.field::<Vec<String>>(field).iter().map(|id| Node::new(&**id)).collect()
}

/// The names in a field as nodes, with the weights in another.
pub(crate) fn weighed(record: &Record, nodes: &str, weights: &str) -> Vec<Node> {
    let weights: Vec<u32> = record.field(weights);
    let nodes = named(record, nodes);
    assert_eq!(nodes.len(), weights.len(), "{record}: a weight is recorded for each node");
    nodes.into_iter().zip(weights).map(|(node, weight)| node.weighing(weight)).collect()
}

pub(crate) fn groupcache(record: &Record, tally: &mut Tally) {
    let preset = format!("groupcache:replicas={}", record.field::<u32>("replicas"));
    let ring = system::ring(&preset, named(record, "nodes"), record);
    let points = points_of(&ring);
    let duplicates: usize = record.field("duplicate_points");
    let drawn = record.field::<usize>("replicas") * named(record, "nodes").len();
    assert_eq!(points.len() + duplicates, drawn, "{record}: the number of points");
    let mut compared = 0;
    if let Some(list) = record.get::<Vec<(u64, usize)>>("model_points") {
        // Of points of one place the node that was added last has it.
        let mut distinct: Vec<(u64, usize)> = Vec::new();
        for (point, owner) in list {
            match distinct.last_mut() {
                Some(last) if last.0 == point => last.1 = last.1.max(owner),
                _ => distinct.push((point, owner)),
            }
        }
        assert_eq!(points, distinct, "{record}: the points");
        compared = points.len();
    }
    let answers = record.answers(&HASHED);
    tally.agree(&preset, check_answers(&ring, &answers, record), compared);
}

pub(crate) fn stathat(record: &Record, tally: &mut Tally) {
    by_replicas("stathat", record, tally);
}

pub(crate) fn stathat_fnv(record: &Record, tally: &mut Tally) {
    by_replicas("stathat-fnv", record, tally);
}

fn by_replicas(name: &str, record: &Record, tally: &mut Tally) {
    let preset = format!("{name}:replicas={}", record.field::<u32>("replicas"));
    let ring = system::ring(&preset, named(record, "nodes"), record);
    finish(&preset, &ring, &HASHED, record, tally);
}

pub(crate) fn serialx(record: &Record, tally: &mut Tally) {
    let ring = system::ring("serialx-hashring", weighed(record, "nodes", "weights"), record);
    finish("serialx-hashring", &ring, &[Column::Owner, Column::Order], record, tally);
}

pub(crate) fn conhash(record: &Record, tally: &mut Tally) {
    let ring = system::ring("conhash:replicas=1", weighed(record, "nodes", "replicas"), record);
    finish("conhash", &ring, &[Column::Owner], record, tally);
}

pub(crate) fn grpc(record: &Record, tally: &mut Tally) {
    let least: u64 = record.field("min_ring_size");
    let most: u64 = record.field("max_ring_size");
    let preset = format!("grpc:min_ring_size={least},max_ring_size={most}");
    // An endpoint is recorded as what is hashed of it.
    let nodes = weighed(record, "endpoints", "weights").into_iter();
    let nodes = nodes.map(|node| node.clone().with(Attribute::HashKey, node.id.as_str()));
    let ring = system::ring(&preset, nodes.collect(), record);
    finish(&preset, &ring, &HASHED, record, tally);
}

fn finish(preset: &str, ring: &Ring, columns: &[Column], record: &Record, tally: &mut Tally) {
    let nodes = homing_core::Placement::members(ring).len();
    let compared = check_points(&points_of(ring), nodes, record);
    let answers = record.answers(columns);
    tally.agree(preset, check_answers(ring, &answers, record), compared);
}

/// A table of partitions, each with the first member of the ring that is not full.
pub(crate) fn bounded(record: &Record, tally: &mut Tally) {
    let hash = match &*record.text("hasher") {
        "xxhash64" => system::hash("xxh64"),
        other => panic!("{record}: unknown hasher {other:?}"),
    };
    let partitions: u32 = record.field("partition_count");
    let points: u32 = record.field("replication_factor");
    let load: f64 = record.field("load");
    let options = format!("PartitionCount={partitions},ReplicationFactor={points},Load={load}");
    let preset = system::preset(&format!("buraksezer-consistent:{options}"), record);
    let members = Members::new(named(record, "members")).unwrap();
    let Ok(Some(Apart::Bounded(table))) = preset.apart(&members) else {
        panic!("{record}: {preset:?} is no table of partitions")
    };
    assert_eq!(table.cap(), record.field::<u64>("average_load_cap"), "{record}: the cap");
    let owners: Vec<usize> = record.field("partition_owner");
    let dealt = (0..partitions).map(|partition| place(table.owner_of(partition)));
    assert_eq!(dealt.collect::<Vec<_>>(), owners, "{record}: the partitions");
    let answers = record.answers(&HASHED);
    for answer in &answers {
        assert_eq!(Some(hash.hash(&answer.key)), answer.hash, "{record}: {answer:?}");
        assert_eq!(table.owner(&answer.key).get(), answer.owner(), "{record}: {answer:?}");
        let order: Vec<usize> =
            table.order(&answer.key, answer.order.len()).iter().map(|it| it.get()).collect();
        assert_eq!(order, answer.order, "{record}: {answer:?}");
    }
    tally.agree("buraksezer-consistent", answers.len(), owners.len());
}

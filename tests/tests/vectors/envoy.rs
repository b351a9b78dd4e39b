//! `envoy/`: its ring and its Maglev table, both with the label as a choice.

use homing_core::{Attribute, Node, Placement};
use serde::Deserialize;

use crate::answers::{check_answers, check_points, check_table, labels_of, points_of, table_of};
use crate::record::{Column, Record};
use crate::system;
use crate::tally::Tally;

#[derive(Deserialize)]
struct Host {
    addr: String,
    hostname: Option<String>,
    hash_key: Option<String>,
    #[serde(default = "one")]
    weight: u32,
    hash_label: String,
}

fn one() -> u32 {
    1
}

fn nodes(hosts: &[Host]) -> Vec<Node> {
    hosts
        .iter()
        .map(|host| {
            let mut node = Node::new(&*host.addr).weighing(host.weight);
            if let Some(hash_key) = &host.hash_key {
                node = node.with(Attribute::HashKey, hash_key);
            }
            match &host.hostname {
                Some(hostname) => node.with(Attribute::Alias, hostname),
                None => node,
            }
        })
        .collect()
}

// Whether host names are hashed, where there is no hash key.
fn hostnames(record: &Record) -> &'static str {
    if record.field("use_hostname_for_hashing") { ",use_hostname_for_hashing=true" } else { "" }
}

fn check_labels(layout: &dyn Placement, hosts: &[Host], record: &Record) {
    for (host, label) in hosts.iter().zip(labels_of(layout)) {
        assert_eq!(label, host.hash_label, "{record}: the label of {}", host.addr);
    }
}

pub(crate) fn ring(record: &Record, tally: &mut Tally) {
    let hosts: Vec<Host> = record.field("hosts");
    let least: u64 = record.field("minimum_ring_size");
    let most: u64 = record.field("maximum_ring_size");
    let hash = match &*record.text("hash_function") {
        "XX_HASH" => "",
        "MURMUR_HASH_2" => ",hash_function=MURMUR_HASH_2",
        other => panic!("{record}: unknown hash function {other:?}"),
    };
    let preset = format!(
        "envoy:minimum_ring_size={least},maximum_ring_size={most}{hash}{}",
        hostnames(record)
    );
    let ring = system::ring(&preset, nodes(&hosts), record);
    check_labels(&ring, &hosts, record);
    // The texts of the first points, hosts as configured.
    let counts: Vec<usize> = record.field("points_per_host");
    let texts = hosts
        .iter()
        .zip(counts)
        .flat_map(|(host, count)| (0..count).map(|copy| format!("{}_{copy}", host.hash_label)));
    if let Some(first) = record.get::<Vec<String>>("vnode_labels_first") {
        assert_eq!(texts.take(first.len()).collect::<Vec<_>>(), first, "{record}: the texts");
    }
    let compared = check_points(&points_of(&ring), hosts.len(), record);
    let answers = record.answers(&[Column::Hash, Column::Owner]);
    tally.agree(&preset, check_answers(&ring, &answers, record), compared);
}

pub(crate) fn maglev(record: &Record, tally: &mut Tally) {
    let hosts: Vec<Host> = record.field("hosts");
    let preset = format!(
        "envoy-maglev:table_size={}{}",
        record.field::<u64>("table_size"),
        hostnames(record)
    );
    let layout = system::layout(&preset, nodes(&hosts), record);
    check_labels(&*layout, &hosts, record);
    let names: Vec<u64> = (0..).take(hosts.len()).collect();
    let compared = check_table(&table_of(&*layout), &names, record);
    let answers = record.answers(&[Column::Hash, Column::Owner]);
    tally.agree(&preset, check_answers(&*layout, &answers, record), compared);
}

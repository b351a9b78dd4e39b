//! `redis/samples/`: what clusters print of themselves, in every form, beside what the
//! nodes and slots are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use homing_compat::cluster::{Cluster, ClusterNode, Command};
use homing_core::{Build as _, NodeId, Placement as _};
use homing_slots::Slots;
use homing_tests::vectors;
use serde::Deserialize;

use crate::tally::{Tally, announce};

#[derive(Deserialize)]
struct Expected {
    server: String,
    masters: Vec<Master>,
    replicas: BTreeMap<String, Vec<Replica>>,
    assigned_slots: usize,
    slots_in_cluster_slots_reply: usize,
}

#[derive(Deserialize)]
struct Master {
    id: String,
    addr: String,
    flags: Vec<String>,
    link: String,
    epoch: u64,
    ranges: Vec<(u16, u16)>,
    open_slots: Vec<String>,
}

#[derive(Deserialize)]
struct Replica {
    id: String,
    addr: String,
    flags: Vec<String>,
    link: String,
    epoch: u64,
    master_id: String,
}

/// The files of every state.
const ALWAYS: [&str; 8] = [
    "cluster_info.txt",
    "cluster_nodes.cli.txt",
    "cluster_nodes.txt",
    "cluster_slots.cli.json",
    "cluster_slots.cli_raw.txt",
    "cluster_slots.cli_tty.txt",
    "cluster_slots.resp2",
    "nodes.conf",
];

/// The files of servers that know `CLUSTER SHARDS` and RESP3.
const SINCE_7: [&str; 6] = [
    "cluster_shards.cli.json",
    "cluster_shards.cli_raw.txt",
    "cluster_shards.cli_tty.txt",
    "cluster_shards.resp2",
    "cluster_shards.resp3",
    "cluster_slots.resp3",
];

pub(crate) fn check(folder: &str) -> Tally {
    let root = vectors::folder().join(folder);
    let entries = fs::read_dir(&root).unwrap_or_else(|e| panic!("{}: {e}", root.display()));
    let mut states: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().expect("a name is UTF-8"))
        .collect();
    states.sort();
    assert!(!states.is_empty(), "{}: no state", root.display());
    let mut all = Tally::default();
    for state in &states {
        check_state(&format!("{folder}/{state}"), &mut all);
    }
    all
}

fn check_state(state: &str, all: &mut Tally) {
    let json = read(&format!("{state}/expected.json"));
    let expected: Expected =
        serde_json::from_slice(&json).unwrap_or_else(|e| panic!("{state}/expected.json: {e}"));
    let mut files: BTreeSet<String> = ALWAYS.map(str::to_owned).into();
    if !expected.server.starts_with("redis 6") {
        files.extend(SINCE_7.map(str::to_owned));
    }
    for entry in fs::read_dir(vectors::folder().join(state)).unwrap() {
        let name = entry.unwrap().file_name().into_string().expect("a name is UTF-8");
        files.insert(name);
    }
    for name in files {
        let file = format!("{state}/{name}");
        let bytes = read(&file);
        let lines = bytes.split(|&byte| byte == b'\n').count();
        let rows = lines - usize::from(bytes.last() == Some(&b'\n'));
        let mut tally = Tally { rows, ..Tally::default() };
        let checked = match &*name {
            "expected.json" => expected.masters.len(),
            "cluster_info.txt" => check_info(&expected, &file, &bytes, state),
            _ => check_dump(&expected, &file, &bytes),
        };
        tally.agree("homing-compat", checked, 0);
        all.agree("homing-compat", checked, 0);
        announce(&file, &tally);
    }
}

fn read(file: &str) -> Vec<u8> {
    let path = vectors::folder().join(Path::new(file));
    fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn cluster_of(file: &str, bytes: &[u8]) -> Cluster {
    Cluster::read(bytes).unwrap_or_else(|e| panic!("{file}: {e}"))
}

fn check_dump(expected: &Expected, file: &str, bytes: &[u8]) -> usize {
    let cluster = cluster_of(file, bytes);
    let command = match file.rsplit('/').next().unwrap_or(file) {
        name if name.starts_with("cluster_slots.") => Command::Slots,
        name if name.starts_with("cluster_shards.") => Command::Shards,
        name if name.starts_with("cluster_nodes.") || name == "nodes.conf" => Command::Nodes,
        _ => panic!("{file}: no check knows this file"),
    };
    assert_eq!(cluster.command, command, "{file}: the command");
    // Who owns nothing is no part of the slots' answer.
    let masters: Vec<&Master> = expected
        .masters
        .iter()
        .filter(|master| command != Command::Slots || !master.ranges.is_empty())
        .collect();
    for master in &masters {
        let id = NodeId::new(&master.id);
        let node = cluster.node(&id).unwrap_or_else(|| panic!("{file}: no node {id:?}"));
        assert_eq!(ranges(node), master.ranges, "{file}: the slots of {id}");
        assert!(node.of.is_none(), "{file}: {id} replicates nobody");
        let mut replicas: Vec<&str> =
            cluster.replicas_of(&id).map(|replica| replica.id.as_str()).collect();
        let mut known: Vec<&str> = expected
            .replicas
            .get(&master.id)
            .map_or_else(Vec::new, |known| known.iter().map(|replica| &*replica.id).collect());
        replicas.sort_unstable();
        known.sort_unstable();
        if command == Command::Slots {
            // Nor is a replica that has never come online.
            assert!(replicas.iter().all(|id| known.contains(id)), "{file}: replicas of {id}");
        } else {
            assert_eq!(replicas, known, "{file}: the replicas of {id}");
        }
        if command == Command::Nodes {
            check_node(node, master, file);
        } else {
            check_address(node, &master.addr, file);
        }
    }
    if command == Command::Nodes {
        for replica in expected.replicas.values().flatten() {
            let id = NodeId::new(&replica.id);
            let node = cluster.node(&id).unwrap_or_else(|| panic!("{file}: no node {id:?}"));
            assert_eq!(node.of, Some(NodeId::new(&replica.master_id)), "{file}: {id}");
            assert_eq!(node.flags, replica.flags, "{file}: the flags of {id}");
            assert_eq!(node.epoch, Some(replica.epoch), "{file}: the epoch of {id}");
            assert_eq!(node.connected, Some(replica.link == "connected"), "{file}: {id}");
            check_address(node, &replica.addr, file);
        }
    }
    let count = if command == Command::Slots {
        expected.slots_in_cluster_slots_reply
    } else {
        expected.assigned_slots
    };
    check_slots(&cluster, count, file);
    masters.len()
}

fn check_node(node: &ClusterNode, master: &Master, file: &str) {
    let id = &node.id;
    assert_eq!(node.flags, master.flags, "{file}: the flags of {id}");
    assert_eq!(node.epoch, Some(master.epoch), "{file}: the epoch of {id}");
    assert_eq!(node.connected, Some(master.link == "connected"), "{file}: the link of {id}");
    let open: Vec<String> = node.open.iter().map(ToString::to_string).collect();
    assert_eq!(open, master.open_slots, "{file}: the open slots of {id}");
    check_address(node, &master.addr, file);
    assert_eq!(node.bus_port.map(|port| port.to_string()).as_deref(), bus_port(&master.addr));
}

fn bus_port(addr: &str) -> Option<&str> {
    addr.split(',').next()?.split_once('@').map(|(_, port)| port)
}

// `host:port@bus,name,field=value`, of which dumps tell more or less.
fn check_address(node: &ClusterNode, addr: &str, file: &str) {
    let mut parts = addr.split(',');
    let address = parts.next().unwrap_or_default().split('@').next().unwrap_or_default();
    let (host, port) = address.rsplit_once(':').expect("an address has a port");
    let hostname = parts.next().filter(|name| !name.is_empty());
    assert_eq!(node.port.to_string(), port, "{file}: the port of {}", node.id);
    assert!(node.host == host || Some(&*node.host) == hostname, "{file}: {node:?} is {addr}");
    if let Some(name) = &node.hostname {
        assert_eq!(Some(&**name), hostname, "{file}: the name of {}", node.id);
    }
}

fn check_slots(cluster: &Cluster, count: usize, file: &str) {
    let owned: usize = cluster.nodes.iter().map(ClusterNode::slots).sum();
    assert_eq!(owned, count, "{file}: the number of owned slots");
    assert_eq!(cluster.overlaps(), [], "{file}: no slot has two owners");
    let length = |run: &RangeInclusive<u16>| usize::from(run.end() - run.start()) + 1;
    let uncovered: usize = cluster.uncovered().iter().map(length).sum();
    assert_eq!(uncovered, 16_384 - count, "{file}: the number of slots without an owner");
    let (members, config) = cluster.to_slots().unwrap_or_else(|e| panic!("{file}: {e}"));
    let slots = Slots::build(config, members).unwrap_or_else(|e| panic!("{file}: {e}"));
    for node in &cluster.nodes {
        for slot in node.ranges.iter().cloned().flatten() {
            let owner = slots.owner_at(slot.into()).map(|index| &slots.node(index).id);
            assert_eq!(owner, Some(&node.id), "{file}: the owner of slot {slot}");
        }
    }
}

fn ranges(node: &ClusterNode) -> Vec<(u16, u16)> {
    node.ranges.iter().map(|run| (*run.start(), *run.end())).collect()
}

// The counters of the node that was asked, beside what its other answers say.
fn check_info(expected: &Expected, file: &str, bytes: &[u8], state: &str) -> usize {
    let text = std::str::from_utf8(bytes).unwrap_or_else(|e| panic!("{file}: {e}"));
    let info: BTreeMap<&str, &str> =
        text.lines().filter_map(|line| line.trim_end().split_once(':')).collect();
    let number = |field: &str| -> usize {
        let value = info.get(field).unwrap_or_else(|| panic!("{file}: has no {field}"));
        value.parse().unwrap_or_else(|e| panic!("{file}: {field}: {e}"))
    };
    let conf = format!("{state}/nodes.conf");
    let cluster = cluster_of(&conf, &read(&conf));
    assert_eq!(number("cluster_slots_assigned"), expected.assigned_slots, "{file}");
    assert_eq!(number("cluster_known_nodes"), cluster.nodes.len(), "{file}");
    let owning = expected.masters.iter().filter(|master| !master.ranges.is_empty()).count();
    assert_eq!(number("cluster_size"), owning, "{file}");
    let myself = cluster.myself().unwrap_or_else(|| panic!("{conf}: nobody is myself"));
    // A replica goes by the epoch of the node that it follows.
    assert_eq!(u64::try_from(number("cluster_my_epoch")).ok(), myself.epoch, "{file}");
    let failed = expected.masters.iter().filter(|master| master.flags.iter().any(|f| f == "fail"));
    let lost: usize = failed
        .flat_map(|master| &master.ranges)
        .map(|(first, last)| usize::from(last - first) + 1)
        .sum();
    assert_eq!(number("cluster_slots_fail"), lost, "{file}");
    info.len()
}

//! What clusters print, read as slot maps.

mod dumps;

use homing_compat::cluster::{Cluster, Command, Notation, Way};
use homing_core::{Attribute, Build, NodeId, Placement};
use homing_slots::Slots;

use dumps::{
    FILE, MIGRATING, SHARDS_JSON, SHARDS_RAW, SLOTS_JSON, SLOTS_RAW, SLOTS_RESP2, SLOTS_RESP3,
    SLOTS_TERMINAL,
};

const ALL: [&str; 9] = [
    MIGRATING,
    FILE,
    SLOTS_JSON,
    SLOTS_RAW,
    SLOTS_TERMINAL,
    SLOTS_RESP2,
    SLOTS_RESP3,
    SHARDS_JSON,
    SHARDS_RAW,
];

fn read(dump: &str) -> Cluster {
    Cluster::read(dump.as_bytes()).unwrap()
}

fn error(dump: &str) -> String {
    Cluster::read(dump.as_bytes()).unwrap_err().to_string()
}

/// Two lines of `CLUSTER NODES` with these slots, and ids of forty `a` and forty `b`.
fn two(first: &str, second: &str) -> String {
    let (a, b) = ("a".repeat(40), "b".repeat(40));
    format!(
        "{a} 10.0.0.1:7000@17000 myself,master - 0 0 1 connected {first}\n\
         {b} 10.0.0.2:7000@17000 master - 0 0 2 connected {second}\n"
    )
}

#[test]
fn the_command_and_the_notation_are_found_out() {
    let expected = [
        (Command::Nodes, Notation::Lines),
        (Command::Nodes, Notation::File),
        (Command::Slots, Notation::Json),
        (Command::Slots, Notation::Raw),
        (Command::Slots, Notation::Terminal),
        (Command::Slots, Notation::Wire),
        (Command::Slots, Notation::Wire),
        (Command::Shards, Notation::Json),
        (Command::Shards, Notation::Raw),
    ];
    for (dump, expected) in ALL.into_iter().zip(expected) {
        let cluster = read(dump);
        assert_eq!((cluster.command, cluster.notation), expected);
    }
}

#[test]
fn every_notation_of_an_answer_says_the_same() {
    let nodes = read(SLOTS_JSON).nodes;
    for dump in [SLOTS_RAW, SLOTS_TERMINAL, SLOTS_RESP2, SLOTS_RESP3] {
        assert_eq!(read(dump).nodes, nodes);
    }
    // redis-7.0.15-hostname/expected.json.
    let node = &nodes[1];
    assert_eq!(node.id.as_str(), "b1c65c8b8a83f58ecb98d0bc09d336e5a399a6ec");
    assert_eq!((node.host.as_str(), node.port), ("127.0.0.1", 17_617));
    assert_eq!(node.hostname.as_deref(), Some("node-1.cache.example.org"));
    assert_eq!(node.ranges, [5_461..=10_922]);
}

#[test]
fn open_slots_are_told_with_their_way() {
    // redis-7.0.15-migrating-source/expected.json.
    let cluster = read(MIGRATING);
    let open: Vec<_> = cluster
        .open()
        .map(|(node, slot)| (node.id.as_str(), slot.slot, slot.way, slot.other.as_str()))
        .collect();
    let (source, target) =
        ("355d0b141d4c8c1d403cfd05f7d182ce52d4e413", "639cdc7081095ff757e39faeb1b2fb6fe9455276");
    assert_eq!(open, [1, 2, 93].map(|slot| (source, slot, Way::Migrating, target)));
    assert_eq!(cluster.myself().unwrap().id.as_str(), source);
    assert_eq!(cluster.node(&NodeId::new(target)).unwrap().epoch, Some(2));
}

#[test]
fn the_file_has_the_epochs_and_what_later_versions_add() {
    // valkey-9.1.2-3m3r/nodes.conf.
    let cluster = read(FILE);
    assert_eq!((cluster.current_epoch, cluster.last_vote_epoch), (Some(6), Some(0)));
    let shard = ("shard-id".to_owned(), "57a848bd4e6674cb4846cecb3726c2fe4b440a0e".to_owned());
    let owner = cluster.myself().unwrap();
    assert!(owner.others.contains(&shard) && owner.hostname.is_none());
    let replicas: Vec<_> = cluster.replicas_of(&owner.id).map(|it| it.id.as_str()).collect();
    assert_eq!(replicas, ["6c2d42aa8480fda40e0cfcf339eea02b8684b013"]);
}

#[test]
fn shards_have_owners_replicas_and_their_health() {
    // valkey-9.1.2-3m3r/expected.json.
    let cluster = read(SHARDS_JSON);
    let owner = NodeId::new("967528476ee7d6658a2fbfb0ee9052ad6a2d054f");
    assert_eq!(cluster.node(&owner).unwrap().ranges, [0..=5_460]);
    let replica = cluster.replicas_of(&owner).next().unwrap();
    assert_eq!(replica.id.as_str(), "6c2d42aa8480fda40e0cfcf339eea02b8684b013");
    assert_eq!(replica.flags, ["slave", "loading"]);
}

#[test]
fn an_owner_without_slots_is_a_member() {
    // redis-7.0.15-empty-master/expected.json.
    let (members, config) = read(SHARDS_RAW).to_slots().unwrap();
    let empty = members.index_of(&NodeId::new("eeb2e1bab12dfeda31ee75e5e2ed3aa3b7b299df")).unwrap();
    let port = members[empty].attributes.get(Attribute::Port).map(str::to_owned);
    let slots = Slots::build(config, members).unwrap();
    assert_eq!((slots.members().len(), slots.slots_of(empty)), (4, 0));
    assert_eq!(port.as_deref(), Some("17606"));
    assert!(slots.uncovered().is_empty());
}

#[test]
fn an_owner_that_failed_and_owns_nothing_is_no_member() {
    let dump = two("0-16383", "").replace(".2:7000@17000 master", ".2:7000@17000 master,fail");
    assert_eq!(read(&dump).to_slots().unwrap().0.len(), 1);
    let dump = two("0-8191", "8192-16383").replace("17000 master", "17000 master,fail");
    assert_eq!(read(&dump).to_slots().unwrap().0.len(), 2);
}

#[test]
fn uncovered_and_overlapping_slots_are_named() {
    let cluster = read(&two("0-99 200-8191", "8000-16382"));
    assert_eq!(cluster.uncovered(), [100..=199, 16_383..=16_383]);
    let overlaps = cluster.overlaps();
    assert_eq!(overlaps.len(), 1);
    assert_eq!((&overlaps[0].slots, overlaps[0].nodes.len()), (&(8_000..=8_191), 2));
    let (a, b) = ("a".repeat(40), "b".repeat(40));
    assert_eq!(
        cluster.to_slots().unwrap_err().to_string(),
        format!("range is 8000-8191 of [\"{a}\", \"{b}\"], but must be of one node")
    );
}

#[test]
fn windows_line_ends_are_taken() {
    for dump in [MIGRATING, FILE, SLOTS_RAW, SLOTS_TERMINAL, SHARDS_RAW] {
        assert_eq!(read(&dump.replace('\n', "\r\n")), read(dump));
    }
}

#[test]
fn addresses_of_every_version_are_read() {
    let line = |address: &str| {
        let dump = two("", "0-16383").replacen("10.0.0.1:7000@17000", address, 1);
        let node = read(&dump).nodes.remove(0);
        (node.host, node.port, node.bus_port, node.hostname, node.others.len())
    };
    let host = |host: &str| host.to_owned();
    // Redis 3, IPv6, unknown address, 7.0 with a name, 7.2 with more.
    assert_eq!(line("10.0.0.1:7000"), (host("10.0.0.1"), 7_000, None, None, 0));
    assert_eq!(line("::1:7000@17000"), (host("::1"), 7_000, Some(17_000), None, 0));
    assert_eq!(line(":0@0"), (host(""), 0, Some(0), None, 0));
    let named = Some(host("n.example"));
    assert_eq!(line("10.0.0.1:7@8,n.example"), (host("10.0.0.1"), 7, Some(8), named.clone(), 0));
    let all = (host("10.0.0.1"), 7, Some(8), named, 2);
    assert_eq!(line("10.0.0.1:7@8,n.example,tls-port=0,shard-id=ab"), all);
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let (a, b) = ("a".repeat(40), "b".repeat(40));
    let dumps = [
        (two("0-5460", "5461-16384"), "line 2: slots are \"5461-16384\", but must be a slot or a range within 0-16383".to_owned()),
        (two("9-3", ""), "line 1: range is 9-3, but must be from a slot to one not below it".to_owned()),
        (two("0-10 5", ""), format!("line 1: node {a:?} has slot 5 twice")),
        (two("0-10", "[5->-xyz]"), "line 2: the other node of an open slot is \"xyz\", but must be 40 hexadecimal digits".to_owned()),
        (two("[93->", ""), "line 1: open slot is \"[93->\", but must be as in [93->-id] or [93-<-id]".to_owned()),
        (two("0", "1").replace(&b, &a), format!("line 2: node {a:?} has a line already")),
        (two("0", "1").replacen(&b, "bb", 1), "line 2: node id is \"bb\", but must be 40 hexadecimal digits".to_owned()),
        (two("0", "1").replace("myself,", ""), "line 2: cut short: no line has the flag `myself`".to_owned()),
        (two("0", "1").replace("master - 0 0 2", &format!("slave {} 0 0 2", "c".repeat(40))), format!("line 2: cut short: the node replicates {:?}, which has no line", "c".repeat(40))),
        (format!("{}{b} 10.0.0.2:7000@17000 master\n", two("0", "1")), "line 3: cut short: 3 fields of at least 8".to_owned()),
        (two("0", "1-16383").trim_end().to_owned(), "line 2: cut short: the last line does not end in a newline".to_owned()),
        ("cluster_state:ok\r\n".to_owned(), "line 1: the answer of CLUSTER INFO, not of CLUSTER NODES, CLUSTER SLOTS or CLUSTER SHARDS".to_owned()),
        ("(error) ERR This instance has cluster support disabled\n".to_owned(), "line 1: the server refused: \"(error) ERR This instance has cluster support disabled\"".to_owned()),
        ("hello\n".to_owned(), "line 1: \"hello\" begins no answer of CLUSTER NODES, CLUSTER SLOTS or CLUSTER SHARDS".to_owned()),
        (SLOTS_TERMINAL.replacen("   2) (integer) 5460\n", "", 1), "line 2: item 3 stands where item 2 must".to_owned()),
        (SLOTS_RAW.replacen("5460", "x", 1), "line 2: a last slot is \"x\", but must be a number".to_owned()),
        (SHARDS_RAW.replacen("role\nmaster", "role\nking", 1), "line 13: role is \"king\", but must be master or replica".to_owned()),
        (String::new(), "byte 0: the dump is empty".to_owned()),
        ("-ERR unknown command\r\n".to_owned(), "byte 0: the server refused: \"ERR unknown command\"".to_owned()),
        (SLOTS_RESP2.replacen("$24", "$25", 1), "byte 53: CRLF must stand here: a length is wrong, or line ends are changed".to_owned()),
        (SLOTS_JSON.replacen("5460", "54600", 1), "byte 4: a slot is 54600, but must be a number in 0-16383".to_owned()),
        ("[[\"id\",1]]".to_owned(), "byte 1: not a shard, or cut short: it has no \"slots\"".to_owned()),
        ("[1,2]".to_owned(), "byte 1: \"a list of single values\" begins no answer of CLUSTER NODES, CLUSTER SLOTS or CLUSTER SHARDS".to_owned()),
        ("*0\r\n".to_owned(), "byte 0: an empty list: no node is told".to_owned()),
    ];
    for (dump, told) in dumps {
        assert_eq!(error(&dump), told, "{dump}");
    }
}

#[test]
fn a_dump_cut_anywhere_is_an_error_or_leaves_slots_uncovered() {
    for dump in [MIGRATING, FILE, SLOTS_RAW, SLOTS_TERMINAL, SLOTS_RESP2, SLOTS_RESP3] {
        for length in 0..dump.len() {
            if let Ok(cluster) = Cluster::read(&dump.as_bytes()[..length]) {
                // The file is whole but for its last line, which the payload has not.
                let is_payload = dump == FILE && dump[length..].starts_with("vars");
                assert!(is_payload || !cluster.uncovered().is_empty(), "cut at {length}: {dump}");
            }
        }
    }
}

#[test]
fn damage_is_never_a_panic() {
    for dump in ALL {
        let bytes = dump.as_bytes();
        for at in 0..bytes.len() {
            let mut without = bytes.to_vec();
            without.remove(at);
            let mut twice = bytes.to_vec();
            twice.insert(at, bytes[at]);
            let mut changed = bytes.to_vec();
            changed[at] ^= 1 << (at % 8);
            for damaged in [&bytes[..at], &bytes[at..], &without, &twice, &changed] {
                if let Ok(cluster) = Cluster::read(damaged)
                    && let Ok((members, config)) = cluster.to_slots()
                {
                    assert!(Slots::build(config, members).is_ok());
                }
            }
        }
    }
    for dump in ["*1\r\n".repeat(100_000), "[".repeat(100_000), "1) ".repeat(100_000)] {
        assert!(Cluster::read(dump.as_bytes()).is_err());
    }
}

//! Contests of keys and nodes hashed together.

use homing_compat::homing_core::{Attribute, Error, Members, Node, NodeIndex};
use homing_compat::{Contest, Joined};

const NODES: [&str; 5] = ["node-0", "node-1", "node-2", "node-3", "node-4"];

fn joined(contest: Contest) -> Joined {
    // The label is hashed, and not the id.
    let nodes = NODES
        .iter()
        .enumerate()
        .map(|(i, label)| Node::new(format!("{}", 9 - i)).with(Attribute::Label, label));
    Joined::new(contest, Members::new(nodes).unwrap()).unwrap()
}

fn numbers(order: &[NodeIndex]) -> Vec<usize> {
    order.iter().map(|index| index.get()).collect()
}

/// Checks the order of each key, as far as it is given.
fn check<const N: usize>(contest: &Joined, rows: &[(&str, [usize; N])]) {
    for (key, order) in rows {
        assert_eq!(numbers(&contest.order(key, N)), order, "{key}");
        assert_eq!(contest.owner(key).get(), order[0], "{key}");
    }
}

#[test]
fn siphash_of_key_and_node_is_that_of_the_vectors() {
    // hrw/hrw.jsonl: rendezvous_hash, unweighted.
    let rows = [
        ("foo", [1, 0, 4, 2, 3]),
        ("bar", [0, 1, 2, 4, 3]),
        ("hello", [3, 4, 0, 2, 1]),
        ("user:1", [2, 4, 1, 3, 0]),
        ("用户:1", [3, 0, 1, 2, 4]),
    ];
    check(&joined(Contest::SipHash), &rows);
}

#[test]
fn weighted_siphash_is_that_of_the_vectors() {
    // hrw/hrw.jsonl: rendezvous_hash, weighted, capacities 1 to 4.
    let nodes = [("alpha", 1), ("beta", 2), ("gamma", 3), ("delta", 4)];
    let members = Members::new(nodes.map(|(id, weight)| Node::new(id).weighing(weight))).unwrap();
    let contest = Joined::new(Contest::SipHash, members).unwrap();
    let rows = [
        ("foo", [3, 2, 1, 0]),
        ("bar", [3, 2, 0, 1]),
        ("hello", [3, 1, 2, 0]),
        ("user:1", [0, 2, 1, 3]),
        ("na\u{ef}ve", [1, 2, 3, 0]),
    ];
    check(&contest, &rows);
}

#[test]
fn murmur_of_node_and_key_is_that_of_the_vectors() {
    // hrw/hrw.jsonl: clandestined, seeds 0 and 10.
    let rows = [("foo", [2]), ("bar", [3]), ("user:1", [0]), ("用户:1", [1])];
    check(&joined(Contest::Murmur { seed: 0 }), &rows);
    let rows = [("foo", [1]), ("bar", [0]), ("user:1", [1]), ("用户:1", [1])];
    check(&joined(Contest::Murmur { seed: 10 }), &rows);
}

#[test]
fn murmur_of_code_points_is_that_of_the_vectors() {
    // hrw/hrw.jsonl: pymemcache, seeds 0 and 10: as above, but where the key is no ASCII.
    let rows = [("foo", [2]), ("bar", [3]), ("user:1", [0]), ("用户:1", [4])];
    check(&joined(Contest::MurmurCodePoints { seed: 0 }), &rows);
    let rows = [("foo", [1]), ("bar", [0]), ("user:1", [1]), ("用户:1", [0])];
    check(&joined(Contest::MurmurCodePoints { seed: 10 }), &rows);
}

#[test]
fn sha256_of_key_and_node_is_that_of_the_vectors() {
    // hrw/hrw.jsonl: `PyPI` hrw.
    let rows = [
        ("foo", [2, 1, 3, 0, 4]),
        ("bar", [0, 3, 1, 2, 4]),
        ("hello", [4, 1, 0, 3, 2]),
        ("用户:1", [4, 0, 2, 3, 1]),
    ];
    check(&joined(Contest::Sha256), &rows);
}

#[test]
fn each_zone_gives_one_node_from_the_zone_of_the_key_on() {
    // hrw/hrw.jsonl: clandestined Cluster with three replicas; here the zones in another order.
    let zones = [("5", "c"), ("6", "c"), ("1", "a"), ("2", "a"), ("3", "b"), ("4", "b")]
        .map(|(id, zone)| Node::new(id).in_zone(format!("us-east-1{zone}")));
    let members = Members::new(zones).unwrap();
    let contest = Joined::new(Contest::Murmur { seed: 0 }, members).unwrap();
    for (key, owners) in [
        ("foo", ["1", "3", "5"]),
        ("bar", ["1", "3", "6"]),
        ("hello", ["4", "5", "1"]),
        ("user:1", ["5", "2", "4"]),
        ("user:10086", ["3", "5", "2"]),
    ] {
        let ids = |count| {
            let order = contest.order_by_zone(key, count).unwrap();
            let ids = order.iter().map(|&index| contest.members()[index].id.to_string());
            ids.collect::<Vec<_>>()
        };
        assert_eq!(ids(3), owners, "{key}");
        assert_eq!(ids(2), owners[..2], "{key}");
        assert_eq!(ids(9), owners, "{key}");
        assert!(ids(0).is_empty());
    }
}

#[test]
fn a_node_without_a_zone_is_named() {
    let nodes = [Node::new("a").in_zone("z"), Node::new("b")];
    let contest = Joined::new(Contest::Sha256, Members::new(nodes).unwrap()).unwrap();
    assert_eq!(
        contest.order_by_zone("foo", 1).unwrap_err().to_string(),
        "zone is missing at node \"b\", but must be known of every node"
    );
}

#[test]
fn only_siphash_takes_weights() {
    let nodes = || Members::new([Node::new("a"), Node::new("b").weighing(2)]).unwrap();
    let contests =
        [Contest::Murmur { seed: 0 }, Contest::MurmurCodePoints { seed: 0 }, Contest::Sha256];
    for contest in contests {
        let rule = "1: the contest takes no weights";
        let refused = Error::parameter("weight", "2 at node \"b\"", rule);
        assert_eq!(Joined::new(contest, nodes()), Err(refused));
    }
    assert!(Joined::new(Contest::SipHash, nodes()).is_ok());
}

#[test]
fn drained_nodes_are_passed_over_and_equal_labels_go_to_the_greatest_id() {
    let nodes = ["b", "c", "a"].map(|id| Node::new(id).with(Attribute::Label, "same"));
    let drained = Node::new("z").with(Attribute::Label, "same").weighing(0);
    let members = Members::new(nodes.into_iter().chain([drained])).unwrap();
    let contest = Joined::new(Contest::SipHash, members).unwrap();
    assert_eq!(numbers(&contest.order("foo", 9)), [1, 0, 2]);
}

//! Replicas: the nodes that a walk upwards and around meets.

use homing_core::{Build, Members, Node, NodeId, Placement, Spread};
use homing_ring::{Config, Points, Ring};

fn ring(points: &[(u64, &str)], nodes: impl IntoIterator<Item = Node>) -> Ring {
    let points = points.iter().map(|&(at, id)| (at, NodeId::new(id))).collect();
    let config = Config { points: Points::Assigned(points), ..Config::default() };
    Ring::build(config, Members::new(nodes).unwrap()).unwrap()
}

fn ids(ring: &Ring, position: u64, count: usize, spread: Spread) -> Vec<&str> {
    let mut replicas = Vec::new();
    ring.replicas_at(position, count, spread, &mut replicas);
    replicas.iter().map(|&index| ring.node(index).id.as_str()).collect()
}

#[test]
fn replicas_are_met_upwards_and_around() {
    let points = [(10, "a"), (20, "a"), (30, "b"), (40, "a"), (50, "c"), (60, "b")];
    let ring = ring(&points, ["a", "b", "c"].map(Node::new));
    assert_eq!(ids(&ring, 10, 3, Spread::Nodes), ["a", "b", "c"]);
    assert_eq!(ids(&ring, 31, 3, Spread::Nodes), ["a", "c", "b"]);
    assert_eq!(ids(&ring, 51, 3, Spread::Nodes), ["b", "a", "c"]);
    assert_eq!(ids(&ring, 61, 2, Spread::Nodes), ["a", "b"]);
    assert!(ids(&ring, 61, 0, Spread::Nodes).is_empty());
}

#[test]
fn of_coinciding_points_the_least_id_is_met_first() {
    let ring = ring(&[(10, "c"), (10, "b"), (20, "a")], ["a", "b", "c"].map(Node::new));
    assert_eq!(ids(&ring, 5, 3, Spread::Nodes), ["b", "c", "a"]);
}

#[test]
fn zones_are_gone_through_before_those_passed_over() {
    // Met in the order a, b, c, d, e; a, b and d share x, c is in y, e in none.
    let points = [(10, "a"), (20, "b"), (30, "c"), (40, "d"), (50, "e")];
    let zoned = [("a", "x"), ("b", "x"), ("c", "y"), ("d", "x")];
    let nodes = zoned.map(|(id, zone)| Node::new(id).in_zone(zone));
    let ring = ring(&points, nodes.into_iter().chain([Node::new("e")]));
    assert_eq!(ids(&ring, 10, 5, Spread::Zones), ["a", "c", "e", "b", "d"]);
    assert_eq!(ids(&ring, 10, 4, Spread::Zones), ["a", "c", "e", "b"]);
    assert_eq!(ids(&ring, 10, 2, Spread::Zones), ["a", "c"]);
    assert_eq!(ids(&ring, 31, 5, Spread::Zones), ["d", "e", "c", "a", "b"]);
    assert_eq!(ids(&ring, 10, 5, Spread::Nodes), ["a", "b", "c", "d", "e"]);
}

#[test]
fn nodes_without_a_zone_are_zones_of_their_own() {
    let points = [(10, "a"), (20, "b"), (30, "c")];
    let ring = ring(&points, [Node::new("a").in_zone("x"), Node::new("b"), Node::new("c")]);
    assert_eq!(ids(&ring, 10, 3, Spread::Zones), ["a", "b", "c"]);
}

#[test]
fn a_drained_node_is_no_replica_and_holds_no_zone() {
    let points = [(10, "a"), (20, "b"), (30, "c")];
    let nodes = [Node::new("a"), Node::new("b").weighing(0).in_zone("x"), Node::new("c")];
    let ring = ring(&points, nodes);
    assert_eq!(ids(&ring, 10, 3, Spread::Nodes), ["a", "c"]);
    assert_eq!(ids(&ring, 10, 3, Spread::Zones), ["a", "c"]);
}

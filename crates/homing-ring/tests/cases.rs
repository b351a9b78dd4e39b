//! Failure cases from the field, each by its number in the collection.

use homing_core::{
    Build, Change, Error, KeyHash, Members, Node, NodeId, NodeIndex, Placement, Plan, Spread,
    shares,
};
use homing_ring::{Config, Points, Ring};

fn build(per_weight: u32, nodes: impl IntoIterator<Item = Node>) -> Result<Ring, Error> {
    let config = Config { points: Points::Drawn { per_weight }, ..Config::default() };
    Ring::build(config, Members::new(nodes).unwrap())
}

fn ring(per_weight: u32, nodes: impl IntoIterator<Item = Node>) -> Ring {
    build(per_weight, nodes).unwrap()
}

fn named(ids: &[&str]) -> Vec<Node> {
    ids.iter().map(|&id| Node::new(id)).collect()
}

fn numbered(stem: &str, count: u32) -> Vec<Node> {
    (0..count).map(|i| Node::new(format!("{stem}{i}"))).collect()
}

fn assigned(points: &[(u64, &str)], nodes: &[&str]) -> Ring {
    let points = points.iter().map(|&(at, id)| (at, NodeId::new(id))).collect();
    let config = Config { points: Points::Assigned(points), ..Config::default() };
    Ring::build(config, Members::named(nodes.iter().copied()).unwrap()).unwrap()
}

fn owner(ring: &Ring, position: u64) -> &str {
    ring.node(ring.owner_at(position).unwrap()).id.as_str()
}

fn replicas(ring: &Ring, key: &str, count: usize, spread: Spread) -> Vec<Node> {
    let mut replicas = Vec::new();
    ring.replicas_at(ring.position(key.as_bytes()), count, spread, &mut replicas);
    replicas.iter().map(|&index| ring.node(index).clone()).collect()
}

fn distinct<T: Ord>(things: impl IntoIterator<Item = T>) -> usize {
    things.into_iter().collect::<std::collections::BTreeSet<T>>().len()
}

/// The greatest and the least of all shares, over their mean.
fn spread(ring: &Ring) -> (f64, f64) {
    let shares = shares(ring).unwrap();
    let mean = 1.0 / f64::from(u32::try_from(shares.len()).unwrap());
    let most = shares.iter().copied().fold(0.0, f64::max);
    let least = shares.iter().copied().fold(1.0, f64::min);
    (most / mean, least / mean)
}

/// Whether every move is to, or every move is from, the node named.
fn moves_only(before: &Ring, after: &Ring, to: Option<&str>, from: Option<&str>) -> bool {
    let plan = Plan::between(before, after).unwrap();
    !plan.moves().is_empty()
        && plan.moves().iter().all(|m| {
            let source = before.node(m.from.unwrap()).id.as_str();
            let target = after.node(m.to.unwrap()).id.as_str();
            to.is_none_or(|to| to == target) && from.is_none_or(|from| from == source)
        })
}

#[test]
fn c12_a_coinciding_point_belongs_to_the_least_id_whoever_came_first() {
    let points = [(10, "b"), (10, "a"), (20, "b"), (30, "c"), (30, "a"), (30, "b")];
    for nodes in [["a", "b", "c"], ["c", "b", "a"], ["b", "a", "c"]] {
        let ring = assigned(&points, &nodes);
        assert_eq!([5, 10, 15, 25, 31].map(|at| owner(&ring, at)), ["a", "a", "b", "a", "a"]);
        assert_eq!(ring.points().count(), 3);
    }
}

#[test]
fn c12_a_node_that_leaves_gives_a_coinciding_point_back() {
    let points = [(10, "b"), (10, "a"), (20, "c")];
    let mut ring = assigned(&points, &["a", "b", "c"]);
    ring.apply(&[Change::Remove(NodeId::new("a"))]).unwrap();
    assert_eq!(owner(&ring, 10), "b");
    ring.apply(&[Change::Add(Node::new("a"))]).unwrap();
    assert_eq!(owner(&ring, 10), "a");
}

#[test]
fn c12_equal_labels_of_two_nodes_coincide() {
    // `db-1` with copy 10 to 19 and `db-11` with copy 0 to 9 read alike without a separator.
    let labelled = |separator: &str, nodes: [&str; 2]| {
        let (prefix, separator) = (String::new(), separator.into());
        let points = Points::Labelled { prefix, separator, per_weight: 100 };
        let config = Config { points, ..Config::default() };
        Ring::build(config, Members::named(nodes).unwrap()).unwrap()
    };
    // cases.md, C13: 10 labels of the naive form are there twice.
    let glued = labelled("", ["db-1", "db-11"]);
    assert_eq!(glued.points().count(), 190);
    let other = labelled("", ["db-11", "db-1"]);
    for (at, node) in glued.points() {
        assert_eq!(owner(&other, at), glued.node(node).id.as_str());
    }
    assert_eq!(labelled("-", ["db-1", "db-11"]).points().count(), 200);
}

#[test]
fn c13_an_id_that_begins_another_has_its_own_points() {
    let separator = "-".to_owned();
    let labelled = Points::Labelled { prefix: String::new(), separator, per_weight: 100 };
    for points in [Points::Drawn { per_weight: 100 }, labelled] {
        let config = Config { points, ..Config::default() };
        let ring = Ring::build(config, Members::named(["db-1", "db-11"]).unwrap()).unwrap();
        assert_eq!(ring.points().count(), 200);
        // A share is 1/2 with a deviation of sqrt(1/4 / 201) = 0.035; 4 of them.
        assert!(shares(&ring).unwrap().iter().all(|share| (0.36..=0.64).contains(share)));
    }
}

#[test]
fn c14_below_the_first_and_above_the_last_point_is_the_firsts() {
    let ring = assigned(&[(1_000, "A"), (5_000, "B"), (9_000, "C")], &["A", "B", "C"]);
    let positions = [0, 999, 1_001, 4_999, 5_001, 8_999, 9_001, u64::MAX];
    assert_eq!(positions.map(|at| owner(&ring, at)), ["A", "A", "B", "B", "C", "C", "A", "A"]);
}

#[test]
fn c17_replicas_are_distinct_nodes() {
    let ring = ring(100, named(&["p", "q", "s"]));
    for i in 0..10_000 {
        let key = format!("k{i}");
        let replicas = replicas(&ring, &key, 3, Spread::Nodes);
        assert_eq!(distinct(replicas.iter().map(|node| &node.id)), 3);
        assert_eq!(Some(&replicas[0]), ring.owner(key.as_bytes()));
    }
}

#[test]
fn c18_replicas_fill_the_zones_in_turn_and_are_not_cut_to_one_each() {
    let zoned = ["a1", "a2", "b1", "b2", "c1", "c2"].map(|id| Node::new(id).in_zone(&id[..1]));
    let ring = ring(100, zoned);
    for i in 0..5_000 {
        for (count, most) in [(3, 1), (4, 2), (6, 2)] {
            let replicas = replicas(&ring, &format!("k{i}"), count, Spread::Zones);
            assert_eq!(distinct(replicas.iter().map(|node| &node.id)), count);
            for zone in ["a", "b", "c"] {
                let in_zone = |node: &&Node| node.zone.as_ref().unwrap().as_str() == zone;
                assert!(replicas.iter().filter(in_zone).count() <= most);
            }
        }
    }
}

#[test]
fn c19_a_change_moves_nothing_between_the_others() {
    for (count, joins) in [(2, "n3"), (10, "n10")] {
        let before = ring(100, numbered("n", count));
        let after = before.with_changes(&[Change::Add(Node::new(joins))]).unwrap();
        assert!(moves_only(&before, &after, Some(joins), None));
    }
    let before = ring(100, [("a", 1), ("b", 2), ("c", 4)].map(|(id, w)| Node::new(id).weighing(w)));
    let after = before.with_changes(&[Change::Remove(NodeId::new("c"))]).unwrap();
    assert!(moves_only(&before, &after, None, Some("c")));
}

#[test]
fn c20_equal_nodes_have_equal_points() {
    for count in 1..=100 {
        let ring = ring(40, numbered("node-", count));
        let mut points = vec![0; count as usize];
        ring.points().for_each(|(_, node)| points[node.get()] += 1);
        assert!(points.iter().all(|&points| points == 40), "{count} nodes");
    }
}

#[test]
fn c21_a_small_weight_has_points_and_is_met() {
    let weights = [("big1", 1024), ("big2", 1024), ("small", 5)];
    let ring = ring(160, weights.map(|(id, weight)| Node::new(id).weighing(weight)));
    // 5 of 2053, at 800 points good to a standard deviation of 3.5 % of itself; 4 of these.
    let share = shares(&ring).unwrap()[2];
    assert!((share / 0.002_435 - 1.0).abs() < 0.14, "{share}");
    for i in 0..200_000 {
        assert_eq!(replicas(&ring, &format!("key-{i}"), 3, Spread::Nodes).len(), 3);
    }
}

#[test]
fn c22_more_points_than_the_limit_are_refused_before_there_is_one() {
    let huge = ["a", "b"].map(|id| Node::new(id).weighing(1_000_000_000));
    let error = build(160, huge).unwrap_err().to_string();
    assert_eq!(
        error,
        "points is 160 x a total weight of 2000000000, but must be at most 4294967295 in all"
    );
}

#[test]
fn c22_a_weight_of_a_million_stands_with_one_point_a_weight_unit() {
    let ring = ring(1, [Node::new("a").weighing(1_000_000), Node::new("b")]);
    // One arc of a million is exponential with mean 1e-6: above 14 of it once in e^14.
    assert!(shares(&ring).unwrap()[1] < 14e-6);
    assert_eq!(ring.points().count(), 1_000_001);
}

#[test]
fn c22_a_change_beyond_the_limit_changes_nothing() {
    let mut ring = ring(160, named(&["a", "b"]));
    let before = ring.clone();
    let changes = [Change::Reweight(NodeId::new("a"), u32::MAX)];
    assert!(matches!(ring.apply(&changes), Err(Error::InvalidParameter { name: "points", .. })));
    assert_eq!(ring, before);
}

#[test]
fn c23_weights_that_add_up_to_2_to_the_32_do_not_wrap() {
    for (a, b) in [(1 << 31, 1 << 31), (u32::MAX, 1), (u32::MAX, u32::MAX)] {
        for per_weight in [1, 160, u32::MAX] {
            let nodes = [Node::new("a").weighing(a), Node::new("b").weighing(b)];
            let error = build(per_weight, nodes).unwrap_err();
            assert!(matches!(error, Error::InvalidParameter { name: "points", .. }));
        }
    }
}

#[test]
fn c24_a_half_percent_weight_keeps_its_half_percent() {
    let ring = ring(160, [Node::new("a").weighing(5), Node::new("b").weighing(995)]);
    // 800 of 160,000 points: 3.5 % of the share, 0.000177; 100,000 keys: 0.000223. Together
    // 0.000285, and 4 of them.
    let a = NodeId::new("a");
    let keys = (0..100_000).map(|i| format!("key-{i}"));
    let owned = keys.filter(|key| ring.owner(key.as_bytes()).unwrap().id == a).count();
    assert!((386..=614).contains(&owned), "{owned} of 100000");
}

#[test]
fn c37_similar_names_have_even_shares() {
    let nodes = (9_001..9_011).map(|port| Node::new(format!("http://10.0.0.5:{port}")));
    // A share of 1/10 has a deviation of sqrt(0.1 * 0.9 / (10 points + 1)): 9.5 % of it at
    // 100 points a node, 3.0 % at 1000. Ten shares are within 4 of them below and, as the
    // distribution leans that way, 5 above.
    for (points, most, least) in [(100, 1.475, 0.62), (1_000, 1.15, 0.88)] {
        let ring = ring(points, nodes.clone());
        let (max, min) = spread(&ring);
        assert!(max <= most && min >= least, "{points} points: {min}..{max}");
        let mut keys = [0_u32; 10];
        for i in 1..100_001 {
            keys[ring.owner_at(ring.position(format!("item-{i}").as_bytes())).unwrap().get()] += 1;
        }
        let peak = f64::from(*keys.iter().max().unwrap()) / 10_000.0;
        // 100,000 keys: sqrt(0.1 * 0.9 / 100000) is 0.95 % of a share; 4 of them.
        assert!((peak - max).abs() <= 0.038, "{points} points: keys {peak}, arcs {max}");
    }
}

#[test]
fn c38_the_spread_is_that_of_ideal_rings() {
    // The p99.9 of the case: so far may one ring be from even.
    for (nodes, points, most) in [(2, 3, 1.93), (10, 1, 6.79), (10, 100, 1.399), (10, 200, 1.282)] {
        let (max, _) = spread(&ring(points, numbered("node-", nodes)));
        assert!(max <= most, "{nodes} nodes x {points} points: {max}");
    }
}

#[test]
fn c38_the_median_of_many_rings_is_that_of_ideal_ones() {
    // The greatest share over the mean. Of 201 rings the median is, within four deviations of
    // a binomial, between the 36th and the 64th percentile, which 3,000 simulated rings of
    // random points put at 1.199 and 1.373, 2.55 and 3.09, 1.134 and 1.170, 1.094 and 1.120.
    for (nodes, points, low, high) in
        [(2, 3, 1.19, 1.38), (10, 1, 2.50, 3.13), (10, 100, 1.132, 1.172), (10, 200, 1.093, 1.122)]
    {
        let mut found: Vec<f64> = (0..201)
            .map(|seed| {
                let points = Points::Drawn { per_weight: points };
                let config = Config { hash: KeyHash::Xxh3 { seed }, points, ..Config::default() };
                let members = Members::new(numbered("node-", nodes)).unwrap();
                spread(&Ring::build(config, members).unwrap()).0
            })
            .collect();
        found.sort_by(f64::total_cmp);
        let median = found[100];
        assert!((low..=high).contains(&median), "{median} at {nodes} nodes of {points}");
    }
}

#[test]
fn c39_the_300th_node_has_as_many_points_as_the_first() {
    let ring = ring(300, numbered("ep-", 300));
    let mut points = vec![0; 300];
    ring.points().for_each(|(_, node)| points[node.get()] += 1);
    assert_eq!(points, [300; 300]);
}

#[test]
fn c42_a_renamed_node_moves_nothing_between_the_others() {
    let before = ring(100, numbered("n", 10));
    let rename = [Change::Remove(NodeId::new("n0")), Change::Add(Node::new("x9"))];
    let after = before.with_changes(&rename).unwrap();
    let id = |ring: &Ring, node: Option<NodeIndex>| ring.node(node.unwrap()).id.to_string();
    let plan = Plan::between(&before, &after).unwrap();
    for m in plan.moves() {
        assert!(id(&before, m.from) == "n0" || id(&after, m.to) == "x9");
    }
    // What n0 had and what x9 takes of the others, 1/10 and 9/10 of 1/10: 0.19, each with a
    // deviation of sqrt(0.1 * 0.9 / 1001) = 0.0095, so 0.0134 together; 4 of them.
    assert!((plan.fraction() - 0.19).abs() < 0.054, "{}", plan.fraction());
    assert_eq!(before.with_changes(&[]).unwrap(), before, "with its id kept nothing moves");
}

#[test]
fn c47_no_points_are_refused() {
    let error = build(0, named(&["a", "b"])).unwrap_err().to_string();
    assert_eq!(error, "points is 0, but must be from 1 to 4294967295");
}

#[test]
fn c48_more_replicas_than_nodes_are_a_short_list() {
    let ring = ring(160, named(&["a", "b"]));
    for spread in [Spread::Nodes, Spread::Zones] {
        for count in [3, 65, usize::MAX] {
            assert_eq!(replicas(&ring, "x", count, spread).len(), 2);
        }
    }
}

#[test]
fn c50_every_change_takes_effect_at_once() {
    let mut ring = ring(160, named(&["a"]));
    let add = |id: &str| Change::Add(Node::new(id));
    let remove = Change::Remove(NodeId::new("a"));
    let steps =
        [(add("b"), vec!["a", "b"]), (add("c"), vec!["a", "b", "c"]), (remove, vec!["b", "c"])];
    for (change, nodes) in steps {
        ring.apply(&[change]).unwrap();
        let fresh = build(160, named(&nodes)).unwrap();
        let keys: Vec<String> = (0..10_000).map(|i| format!("key-{i}")).collect();
        assert!(keys.iter().all(|key| ring.owner(key.as_bytes()) == fresh.owner(key.as_bytes())));
        assert_eq!(
            distinct(keys.iter().map(|key| &ring.owner(key.as_bytes()).unwrap().id)),
            nodes.len()
        );
    }
}

#[test]
fn a_key_that_reads_like_an_id_is_on_none_of_its_points() {
    let ring = ring(160, numbered("node-", 8));
    for (_, node) in ring.members().iter() {
        let position = ring.position(node.id.as_str().as_bytes());
        assert!(ring.points().all(|(point, _)| point != position), "{}", node.id);
    }
}

//! Who owns what, and what moves.

use homing_core::{
    Build, Change, KeyHash, Members, Node, NodeId, NodeIndex, Placement, Spread, mix64,
};
use homing_rendezvous::{Config, Rendezvous, score};

fn seeded(seed: u64, members: Members) -> Rendezvous {
    Rendezvous::build(Config { hash: KeyHash::Xxh3 { seed }, ..Config::default() }, members)
        .unwrap()
}

fn weighted(seed: u64, nodes: &[(&str, u32)]) -> Rendezvous {
    let nodes = nodes.iter().map(|&(id, weight)| Node::new(id).weighing(weight));
    seeded(seed, Members::new(nodes).unwrap())
}

/// `node-0` to `node-7`, each with a weight.
fn eight(weights: [u32; 8]) -> Members {
    let nodes = weights.into_iter().enumerate();
    Members::new(nodes.map(|(i, weight)| Node::new(format!("node-{i}")).weighing(weight))).unwrap()
}

fn order(layout: &Rendezvous, position: u64, count: usize, spread: Spread) -> Vec<usize> {
    let mut replicas = Vec::new();
    layout.replicas_at(position, count, spread, &mut replicas);
    assert_eq!(replicas.first().copied(), layout.owner_at(position));
    replicas.into_iter().map(NodeIndex::get).collect()
}

fn of_key(layout: &Rendezvous, key: &str) -> Vec<usize> {
    order(layout, layout.position(key.as_bytes()), 4, Spread::Nodes)
}

#[test]
fn keys_go_where_the_vectors_say() {
    // Vectors, homing/rendezvous.jsonl: eight nodes, four in order.
    let keys = ["", "foo", "bar", "user:1"];
    let plain = seeded(0, eight([1; 8]));
    let owners = [[5, 7, 0, 3], [3, 4, 0, 7], [1, 6, 5, 4], [0, 2, 5, 6]];
    assert_eq!(keys.map(|key| of_key(&plain, key)), owners);
    let other = seeded(42, eight([1; 8]));
    let owners = [[5, 7, 2, 4], [6, 4, 5, 7], [5, 1, 3, 4], [2, 4, 1, 6]];
    assert_eq!(keys.map(|key| of_key(&other, key)), owners);
}

#[test]
fn weighted_keys_go_where_the_vectors_say() {
    // Vectors, homing/rendezvous_weighted.jsonl.
    let keys = ["", "foo", "bar", "user:1"];
    let last_is_double = seeded(0, eight([1, 1, 1, 1, 1, 1, 1, 2]));
    let owners = [[7, 5, 0, 3], [3, 4, 7, 0], [1, 6, 5, 7], [0, 2, 5, 7]];
    assert_eq!(keys.map(|key| of_key(&last_is_double, key)), owners);
    let doubling = weighted(0, &[("c", 1), ("a", 2), ("b", 4)]);
    let owners = [[1, 2, 0], [2, 1, 0], [0, 2, 1], [1, 2, 0]];
    assert_eq!(keys.map(|key| of_key(&doubling, key)), owners);
}

#[test]
fn the_greatest_weights_go_where_the_vectors_say() {
    // Vectors, homing/rendezvous_weighted.jsonl: `positions`.
    let layout = weighted(
        0,
        &[
            ("cache-017.eu-west-1.example.net", 1),
            ("cache-002.eu-west-1.example.net", u32::MAX),
            ("cache-101.us-east-2.example.net", u32::MAX - 1),
            ("db.internal", 65_536),
            ("db.internal.example", 1_000_000),
        ],
    );
    assert_eq!(order(&layout, 0, 4, Spread::Nodes), [2, 1, 4, 3]);
    assert_eq!(order(&layout, u64::MAX, 4, Spread::Nodes), [1, 2, 4, 3]);
    assert_eq!(order(&layout, 16_312_634_599_962_726_603, 4, Spread::Nodes), [2, 1, 4, 3]);
}

#[test]
fn equal_scores_go_to_the_least_id() {
    // Vectors, homing/rendezvous.jsonl and rendezvous_weighted.jsonl: tied positions.
    let eight = seeded(0, eight([1; 8]));
    assert_eq!(order(&eight, 15_752_590_042_827_905_910, 4, Spread::Nodes), [3, 6, 2, 0]);
    for weight in [1, 5] {
        let layout = weighted(0, &[("c", weight), ("a", weight), ("b", weight)]);
        assert_eq!(order(&layout, 15_238_942_606_266_244_090, 3, Spread::Nodes), [2, 0, 1]);
    }
}

#[test]
fn equal_costs_go_to_the_least_id() {
    // Vectors, homing/rendezvous.jsonl: at this position b and c have equal scores. Here
    // their weights are equal too, and those of the others are not.
    let position = 15_238_942_606_266_244_090;
    let layout = weighted(0, &[("c", 1_000_000_000), ("a", 1), ("b", 1_000_000_000), ("d", 0)]);
    assert_eq!(order(&layout, position, 4, Spread::Nodes), [2, 0, 1]);
}

#[test]
fn a_weight_common_to_all_plays_no_part() {
    let (ones, fives) = (seeded(42, eight([1; 8])), seeded(42, eight([5; 8])));
    for position in (0..10_000).map(mix64) {
        assert_eq!(
            order(&ones, position, 8, Spread::Nodes),
            order(&fives, position, 8, Spread::Nodes)
        );
    }
}

#[test]
fn a_drained_node_owns_nothing_and_is_no_replica() {
    // Vectors, homing/rendezvous_weighted.jsonl: one node of eight weighs something.
    let layout = seeded(0, eight([0, 0, 0, 9, 0, 0, 0, 0]));
    assert_eq!(order(&layout, 0, 8, Spread::Nodes), [3]);
    assert_eq!(order(&layout, u64::MAX, 8, Spread::Zones), [3]);
}

#[test]
fn shares_follow_the_weights() {
    // 4σ of a binomial, n = 100000 and p = w / 10.
    let layout = weighted(0, &[("a", 1), ("b", 2), ("c", 3), ("d", 4)]);
    let mut owned = [0.0; 4];
    for position in (0..100_000).map(mix64) {
        owned[layout.owner_at(position).unwrap().get()] += 1.0;
    }
    for (owned, p) in owned.into_iter().zip([0.1, 0.2, 0.3, 0.4]) {
        let sigma = f64::sqrt(100_000.0 * p * (1.0 - p));
        assert!((owned - 100_000.0 * p).abs() < 4.0 * sigma, "{owned} at {p}");
    }
}

#[test]
fn weights_whose_sum_leaves_32_bits_share_evenly() {
    // cases.md, C23: 2^31 each, 50/50; 4σ of a binomial, n = 20000 and p = 1/2.
    let layout = weighted(0, &[("a", 1 << 31), ("b", 1 << 31)]);
    let of_a = |layout: &Rendezvous| {
        (0..20_000).map(mix64).filter(|&at| layout.owner_at(at).unwrap().get() == 0).count()
    };
    assert!((9_718..=10_282).contains(&of_a(&layout)));
    // The other node's share of 2^-32 is none of 20,000 positions, but once in 200,000 tries.
    assert_eq!(of_a(&weighted(0, &[("a", u32::MAX), ("b", 1)])), 20_000);
}

#[test]
fn a_half_percent_weight_keeps_its_half_percent() {
    // cases.md, C24; 4σ of a binomial, n = 100000 and p = 0.005.
    let layout = weighted(0, &[("a", 5), ("b", 995)]);
    let a = NodeId::new("a");
    let keys = (0..100_000).map(|i| format!("key-{i}"));
    let owned = keys.filter(|key| layout.owner(key.as_bytes()).unwrap().id == a).count();
    assert!((411..=589).contains(&owned), "{owned} of 100000");
}

#[test]
fn a_renamed_node_moves_two_elevenths_and_nothing_between_the_others() {
    // cases.md, C42.
    let before = seeded(0, Members::new((0..10).map(|i| Node::new(format!("n{i}")))).unwrap());
    let rename = [Change::Remove(NodeId::new("n0")), Change::Add(Node::new("x9"))];
    let after = before.with_changes(&rename).unwrap();
    let mut moved = 0;
    for key in (0..20_000).map(|i| format!("k{i}")) {
        let (from, to) = (before.owner(key.as_bytes()), after.owner(key.as_bytes()));
        let (from, to) = (from.unwrap().id.as_str(), to.unwrap().id.as_str());
        if from != to {
            moved += 1;
            assert!(from == "n0" || to == "x9", "{key}: {from} to {to}");
        }
    }
    // 4σ of a binomial, n = 20000 and p = 2/11.
    assert!((3_419..=3_854).contains(&moved), "{moved} of 20000");
}

#[test]
fn more_replicas_than_nodes_are_a_short_list() {
    // cases.md, C48.
    let layout = weighted(0, &[("a", 1), ("b", 1)]);
    for spread in [Spread::Nodes, Spread::Zones] {
        let mut replicas = order(&layout, layout.position(b"x"), 3, spread);
        replicas.sort_unstable();
        assert_eq!(replicas, [0, 1]);
    }
}

#[test]
fn zones_come_first_and_then_those_passed_over() {
    // Vectors, homing/rendezvous.jsonl: the order for the empty key is 5, 7, 0, 3.
    let zoned = |i: usize| if i == 0 || i == 3 { "east" } else { "west" };
    let nodes = (0..8).map(|i| Node::new(format!("node-{i}")).in_zone(zoned(i)));
    let layout = seeded(0, Members::new(nodes).unwrap());
    let position = layout.position(b"");
    for (count, expected) in [(1, &[5][..]), (2, &[5, 0]), (3, &[5, 0, 7]), (4, &[5, 0, 7, 3])] {
        assert_eq!(order(&layout, position, count, Spread::Zones), expected);
    }
}

#[test]
fn a_node_without_a_zone_is_a_zone_of_its_own() {
    // As above: 5 and 7 have no zone, the others share one.
    let nodes = (0..8).map(|i| {
        let node = Node::new(format!("node-{i}"));
        if i == 5 || i == 7 { node } else { node.in_zone("east") }
    });
    let layout = seeded(0, Members::new(nodes).unwrap());
    assert_eq!(order(&layout, layout.position(b""), 4, Spread::Zones), [5, 7, 0, 3]);
}

#[test]
fn draining_and_filling_in_one_step_gives_what_a_fresh_build_gives() {
    let mut layout = seeded(7, eight([1, 0, 3, 1, 1, 1, 1, 1]));
    let node = |i: usize| NodeId::new(format!("node-{i}"));
    layout
        .apply(&[
            Change::Reweight(node(0), 0),
            Change::Reweight(node(1), 4),
            Change::Remove(node(2)),
            Change::Add(Node::new("a").weighing(2)),
            Change::Rebalance,
            Change::Reweight(node(7), 9),
            Change::Remove(node(4)),
            Change::Add(Node::new("z").weighing(0)),
        ])
        .unwrap();
    let again = Rendezvous::build(layout.config(), layout.members().clone()).unwrap();
    assert_eq!(layout, again);
}

#[test]
fn a_layout_changed_many_times_is_the_one_built_anew() {
    let mut layout = seeded(7, Members::named(["node-0"]).unwrap());
    for round in 0..6_000 {
        let drawn = mix64(round);
        let id = NodeId::new(format!("node-{}", drawn % 70));
        // For a third of the time all weights are 1, then mostly small, then any.
        let weight = match round / 200 % 3 {
            0 => 1,
            1 => u32::try_from(drawn >> 40).unwrap() % 5,
            _ => u32::try_from(drawn >> 32).unwrap(),
        };
        let node = Node::new(id.clone()).weighing(weight);
        let change = match (layout.members().index_of(&id), drawn >> 20 & 3) {
            (None, _) => Change::Add(node),
            (Some(_), 0) => Change::Reweight(id, weight),
            (Some(_), _) => Change::Remove(id),
        };
        // Refused where no node would be left.
        if layout.apply(&[change]).is_ok() && round % 5 == 0 {
            let again = Rendezvous::build(layout.config(), layout.members().clone()).unwrap();
            assert_eq!(layout, again);
            let positions: Vec<u64> = (0..9).map(|i| mix64(drawn ^ i)).collect();
            let mut owners = vec![None; 9];
            layout.owners_at(&positions, &mut owners);
            for (position, owner) in positions.into_iter().zip(owners) {
                assert_eq!(owner, again.owner_at(position));
                assert_eq!(
                    order(&layout, position, 1, Spread::Nodes),
                    [owner.unwrap().get()],
                    "{position}"
                );
            }
        }
    }
}

#[test]
fn the_owner_has_the_greatest_score_of_the_public_function() {
    // Vectors, homing/rendezvous.jsonl: `seeds` of node-0 to node-3, xxh3.
    let seeds = [
        6_654_425_693_337_277_983,
        4_407_775_169_612_819_276,
        9_198_858_877_103_152_850,
        10_140_587_798_760_230_563,
    ];
    let layout = seeded(0, Members::named(["node-0", "node-1", "node-2", "node-3"]).unwrap());
    for position in (0..1_000).map(mix64) {
        let owner = layout.owner_at(position).unwrap().get();
        assert!(seeds.iter().all(|&seed| score(position, seed) <= score(position, seeds[owner])));
    }
}

#[cfg(feature = "serde")]
#[test]
fn the_configuration_names_its_fields() {
    let config: Config = serde_json::from_str(r#"{"hash":"xxh3:42"}"#).unwrap();
    assert_eq!(config.hash, KeyHash::Xxh3 { seed: 42 });
    assert_eq!(serde_json::to_string(&config).unwrap(), r#"{"hash":"xxh3:42"}"#);
    assert_eq!(serde_json::from_str::<Config>("{}").unwrap(), Config::default());
    assert!(serde_json::from_str::<Config>(r#"{"points":160}"#).is_err());
}

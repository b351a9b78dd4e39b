//! Points made of labels, against rings that other programs made: the rows are of the
//! vector files named.

#![cfg(feature = "compat")]

use homing_core::{
    Attribute, Build, Change, Disruption, Error, Members, Node, NodeId, NodeIndex, Placement,
};
use homing_ring::{Boundary, Config, Count, Place, Points, Ring, Rounding, Scheme, Sums, Ties};

/// Four words a digest, 40 digests a node on average.
fn ketama(rounding: Rounding) -> Config {
    let scheme = Scheme::Digest { copy: Place::Last, separator: "-".into(), words: 4 };
    let count = Count::Share { average: 40, rounding };
    config("md5-le32", scheme, count)
}

fn config(hash: &str, scheme: Scheme, count: Count) -> Config {
    let points = Points::Derived { scheme, count };
    Config { hash: hash.parse().unwrap(), points, ..Config::default() }
}

fn text(copy: Place, separator: &str, hash: &str) -> Scheme {
    Scheme::Text { copy, separator: separator.into(), hash: hash.parse().unwrap() }
}

/// Nodes by label, with ids in another order.
fn labelled<'a>(nodes: impl IntoIterator<Item = (&'a str, u32)>) -> Members {
    let nodes = nodes.into_iter().enumerate().map(|(i, (label, weight))| {
        Node::new(format!("id {}", 99 - i)).weighing(weight).with(Attribute::Label, label)
    });
    Members::new(nodes).unwrap()
}

fn ring_of(config: Config, nodes: &[(&str, u32)]) -> Ring {
    Ring::build(config, labelled(nodes.iter().copied())).unwrap()
}

fn owners<const N: usize>(ring: &Ring, keys: [&str; N]) -> [usize; N] {
    keys.map(|key| ring.owner_at(ring.position(key.as_bytes())).unwrap().get())
}

/// How many points each node has.
fn counts(ring: &Ring) -> Vec<usize> {
    let mut counts = vec![0; ring.members().len()];
    ring.points().for_each(|(_, owner)| counts[owner.get()] += 1);
    counts
}

const THREE: [(&str, u32); 3] =
    [("10.0.1.1:11211", 1), ("10.0.1.2:11211", 1), ("10.0.1.3:11211", 1)];

#[test]
fn the_words_of_a_digest_are_points() {
    // ketama/libketama.jsonl, eq3: the points, a key on a point, one above all points.
    let ring = ring_of(ketama(Rounding::F32F64), &THREE);
    let points: Vec<(u64, usize)> = ring.points().map(|(at, node)| (at, node.get())).collect();
    let first = [(4_826_654, 1), (10_171_922, 0), (24_617_692, 2), (24_991_403, 1)];
    assert_eq!(points[..4], first);
    assert_eq!(points[478..], [(4_274_420_475, 1), (4_284_233_799, 1)]);
    assert_eq!(ring.position(b"10.0.1.1:11211-0"), 2_431_485_715);
    assert_eq!(owners(&ring, ["foo", "bar", "hello"]), [1, 0, 2]);
    assert_eq!(owners(&ring, ["10.0.1.1:11211-0", "10.0.1.1:11211-1", "key:182"]), [0, 0, 1]);
}

#[test]
fn a_key_on_a_point_belongs_to_the_next_where_points_own_what_is_after() {
    // ketama/uhashring.jsonl, eq3: the first keys of the test above.
    let config = Config { boundary: Boundary::After, ..ketama(Rounding::Exact) };
    let ring = ring_of(config, &THREE);
    assert_eq!(owners(&ring, ["foo", "bar", "hello"]), [1, 0, 2]);
    assert_eq!(owners(&ring, ["10.0.1.1:11211-0", "10.0.1.1:11211-1"]), [2, 1]);
    let lower = ring_of(ketama(Rounding::Exact), &THREE);
    assert!(ring.points().eq(lower.points()));
}

#[test]
fn equal_weights_lose_digests_as_the_rounding_has_it() {
    // ketama/: records eq7, eq25-float-quirk and eq61-float-quirk of uhashring, npm-hashring,
    // libmemcached (the last two) and libketama.
    for (rounding, expected) in [
        (Rounding::Exact, [160, 160, 160]),
        (Rounding::F64, [156, 160, 160]),
        (Rounding::F32, [160, 156, 156]),
        (Rounding::F32F64, [160, 160, 156]),
    ] {
        for (count, expected) in [7, 25, 61].into_iter().zip(expected) {
            let labels: Vec<String> = (0..count).map(|i| format!("n{i}")).collect();
            let nodes: Vec<(&str, u32)> = labels.iter().map(|label| (label.as_str(), 1)).collect();
            assert_eq!(counts(&ring_of(ketama(rounding), &nodes)), vec![expected; count]);
        }
    }
}

#[test]
fn shares_of_uneven_weights_are_those_of_every_client() {
    // ketama/: the record libketama-sample of all clients.
    let weights = [600, 300, 200, 350, 1000, 800, 950, 100];
    let labels: Vec<String> = (1..=8).map(|i| format!("10.0.1.{i}:11211")).collect();
    let nodes: Vec<(&str, u32)> = labels.iter().map(String::as_str).zip(weights).collect();
    for rounding in [Rounding::Exact, Rounding::F64, Rounding::F32, Rounding::F32F64] {
        let ring = ring_of(ketama(rounding), &nodes);
        assert_eq!(counts(&ring), [176, 88, 56, 104, 296, 236, 280, 28], "{rounding:?}");
        assert_eq!(ring.family().capabilities.disruption, Disruption::Unbounded);
    }
}

#[test]
fn each_point_of_a_chain_is_hashed_of_the_one_before() {
    // nginx/nginx_hash.jsonl, eq3: two of the keys are on a point.
    let scheme = Scheme::Chain { hash: "crc32".parse().unwrap() };
    let config = config("crc32", scheme, Count::PerWeight(160));
    let nodes = [("127.0.0.1\x0026001", 1), ("127.0.0.1\x0026002", 1), ("127.0.0.1\x0026003", 1)];
    let ring = ring_of(config, &nodes);
    let points: Vec<(u64, usize)> = ring.points().map(|(at, node)| (at, node.get())).collect();
    assert_eq!(points[..3], [(504_123, 0), (537_743, 2), (11_152_344, 2)]);
    assert_eq!(points[479], (4_291_409_226, 0));
    assert_eq!(owners(&ring, ["foo", "bar", "hello", "user:1"]), [1, 0, 2, 2]);
    assert_eq!(owners(&ring, ["t7815637", "t25320412"]), [0, 2]);
}

#[test]
fn the_next_points_are_met_one_by_one() {
    // nginx/nginx_hash.jsonl, one-down: the second server is down, and each key goes to
    // the next point of another.
    let scheme = Scheme::Chain { hash: "crc32".parse().unwrap() };
    let config = config("crc32", scheme, Count::PerWeight(160));
    let labels = [26_001, 26_002, 26_003, 26_004].map(|port| format!("127.0.0.1\0{port}"));
    let ring = ring_of(config, &labels.each_ref().map(|label| (label.as_str(), 1)));
    for (key, live) in [("foo", 2), ("bar", 3), ("hello", 2), ("user:1", 2)] {
        let mut met = ring.owners_from(ring.position(key.as_bytes()));
        assert_eq!(met.find(|node| node.get() != 1), Some(NodeIndex::new(live)), "{key}");
    }
}

#[test]
fn the_nearest_point_owns_a_position_and_the_one_before_if_two_are() {
    // haproxy/haproxy_hash.jsonl, eq3: t on a point, m in the middle, o one beyond it.
    let config = config("sdbm-avalanche", Scheme::Number { stride: 4096 }, Count::PerWeight(16));
    let config = Config { boundary: Boundary::Nearest, ..config };
    let ring = ring_of(config, &[("1", 1), ("2", 1), ("3", 1)]);
    let points: Vec<(u64, usize)> = ring.points().map(|(at, node)| (at, node.get())).collect();
    assert_eq!(points[..2], [(76_442_173, 2), (372_321_919, 2)]);
    assert_eq!(points[46..], [(3_980_190_948, 0), (4_061_310_468, 1)]);
    assert_eq!(owners(&ring, ["foo", "bar", "hello", "user:1"]), [0, 2, 1, 0]);
    assert_eq!(owners(&ring, ["t6652771", "t6652776", "t6652778"]), [2, 2, 2]);
    assert_eq!(owners(&ring, ["m80825101", "m106060443", "m149656386"]), [2, 2, 2]);
    assert_eq!(owners(&ring, ["o409803570", "o504270844", "o481951914"]), [1, 0, 1]);
}

#[test]
fn a_number_before_the_label_can_read_like_another_label() {
    // ring/go_crc32_rings.jsonl: copy 1 of "11" reads like copy 11 of "1"; who came last has it.
    let scheme = text(Place::First, "", "crc32");
    let config = config("crc32", scheme, Count::PerWeight(12));
    let last = Config { ties: Ties::HighestIndex, ..config.clone() };
    let owner = |config: &Config, at| {
        ring_of(config.clone(), &[("1", 1), ("11", 1)]).owner_at(at).unwrap().get()
    };
    assert_eq!(owner(&last, 1_298_878_781), 1);
    assert_eq!(owner(&Config { ties: Ties::LowestIndex, ..config.clone() }, 1_298_878_781), 0);
    assert_eq!(owner(&config, 1_298_878_781), 1, "its id is the least");
    let ring = ring_of(last, &[("1", 1), ("11", 1)]);
    assert_eq!(owners(&ring, ["foo", "hello", "session:abc"]), [0, 1, 1]);
    assert!(ring.family().capabilities.ordered);
    assert_eq!(ring.points().count(), 23);
}

#[test]
fn scaled_counts_are_running_sums_in_the_order_given() {
    // envoy/ring_hash.jsonl: eq4-max6-fractional, w1-2-3-min100, w-uneven-max50, and the points
    // of eq3-min12; ring/other_rings.jsonl: the third of grpc-go, whose labels are sorted.
    let scheme = || text(Place::Last, "_", "xxh64");
    let scaled =
        |least, greatest, sums| config("xxh64", scheme(), Count::Scaled { least, greatest, sums });
    let labels = [26_001, 26_002, 26_003, 26_004].map(|port| format!("127.0.0.1:{port}"));
    for (least, greatest, weights, expected) in [
        (6, 6, &[1, 1, 1, 1][..], &[2, 1, 2, 1][..]),
        (100, 8_388_608, &[1, 2, 3], &[17, 34, 51]),
        (10, 50, &[1, 10, 100], &[1, 4, 45]),
    ] {
        let nodes = labels.iter().map(String::as_str).zip(weights.iter().copied());
        let nodes: Vec<(&str, u32)> = nodes.collect();
        let ring = ring_of(scaled(least, greatest, Sums::ByIndex), &nodes);
        assert_eq!(counts(&ring), expected, "{weights:?}");
    }
    let sorted =
        ring_of(scaled(6, 6, Sums::ByLabel), &[("z:1", 1), ("y:1", 1), ("x:1", 1), ("w:1", 1)]);
    let points: Vec<(u64, usize)> = sorted.points().map(|(at, node)| (at, node.get())).collect();
    let expected = [
        (329_069_045_224_402_074, 0),
        (3_783_334_555_770_996_673, 2),
        (6_326_614_749_173_746_912, 3),
        (16_201_526_289_589_452_847, 3),
        (17_599_801_568_383_653_518, 1),
        (17_899_697_632_561_303_928, 1),
    ];
    assert_eq!(points, expected);
    assert!(!sorted.family().capabilities.ordered);
}

#[test]
fn the_hash_of_keys_may_have_fewer_bits_than_the_points() {
    // A hash of 32 bits leads to the least 2^32 of 2^64 positions.
    let scheme = text(Place::Last, "-", "xxh64");
    let ring = ring_of(config("crc32", scheme, Count::PerWeight(9)), &THREE);
    assert_eq!(ring.max_position(), u64::MAX);
    assert!(u32::try_from(ring.position(b"foo")).is_ok());
}

#[test]
fn what_cannot_have_points_is_refused_and_changes_nothing() {
    let mut ring = ring_of(ketama(Rounding::Exact), &THREE);
    let before = ring.clone();
    let heavy = Node::new("heavy").weighing(1_000);
    let refused = ring.apply(&[Change::Add(heavy)]).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "weight is 1 for \"id 99\", which gives it no point, but must be 0, or enough for one"
    );
    assert_eq!(ring, before);
    assert!(ring.points().eq(before.points()));

    let numbers = config("sdbm", Scheme::Number { stride: 4096 }, Count::PerWeight(16));
    let error = |config: &Config, label| {
        Ring::build(config.clone(), labelled([(label, 1)])).unwrap_err().to_string()
    };
    for label in ["", "s1", "+1", "-1", "4294967296"] {
        let text = error(&numbers, label);
        let expected = format!(
            "label is {label:?} of node \"id 99\", but must be a decimal number from 0 to 4294967295"
        );
        assert_eq!(text, expected);
    }
    let mut ring = ring_of(numbers, &[("1", 1)]);
    assert!(ring.apply(&[Change::Add(Node::new("s2"))]).is_err());
    ring.apply(&[Change::Add(Node::new("2"))]).unwrap();
    assert_eq!(counts(&ring), [16, 16]);
}

#[test]
fn parameters_that_do_not_go_together_are_refused() {
    let per_weight = Count::PerWeight(1);
    let digest = |words| Scheme::Digest { copy: Place::Last, separator: String::new(), words };
    let text = || text(Place::Last, "-", "crc32");
    let scaled = |least, greatest| Count::Scaled { least, greatest, sums: Sums::ByLabel };
    for (config, expected) in [
        (
            config("xxh3", text(), per_weight),
            "hash is xxh3, up to 18446744073709551615, but must be one up to 4294967295, as far as \
             the points go",
        ),
        (config("crc32", digest(0), per_weight), "words is 0, but must be from 1 to 4"),
        (config("crc32", digest(5), per_weight), "words is 5, but must be from 1 to 4"),
        (
            config("crc32", Scheme::Chain { hash: "xxh64".parse().unwrap() }, per_weight),
            "point_hash is xxh64, but must be of 32 bits for points in a chain",
        ),
        (
            config("crc32", text(), Count::PerWeight(0)),
            "points is 0, but must be from 1 to 4294967295",
        ),
        (config("crc32", text(), scaled(0, 1)), "least is 0, but must be from 1 to 4294967295"),
        (
            config("crc32", text(), scaled(2, 1)),
            "greatest is 1, but must be at least 2, as least is",
        ),
        (
            config("crc32", digest(2), Count::PerWeight(u32::MAX)),
            "points is 8589934590 or more, but must be at most 4294967295 in all",
        ),
    ] {
        let error = Ring::build(config, labelled([("a", 1)])).unwrap_err();
        assert!(matches!(error, Error::InvalidParameter { .. }));
        assert_eq!(error.to_string(), expected);
    }
    let assigned = Config {
        hash: "crc32".parse().unwrap(),
        points: Points::Assigned(vec![(1 << 32, "a".into())]),
        ..Config::default()
    };
    let error = Ring::build(assigned, Members::named(["a"]).unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "assigned is at 4294967296 for \"a\", but must be at 4294967295 or below, as far as crc32 goes"
    );
}

#[test]
fn labels_decide_the_fingerprint_where_they_are_hashed() {
    let with =
        |config: &Config, label| ring_of(config.clone(), &[(label, 1), ("other", 1)]).fingerprint();
    let derived = config("crc32", text(Place::Last, "-", "crc32"), Count::PerWeight(9));
    assert_ne!(with(&derived, "a"), with(&derived, "b"));
    assert_eq!(with(&Config::default(), "a"), with(&Config::default(), "b"));
    let boundary = Config { boundary: Boundary::After, ..derived.clone() };
    assert_ne!(with(&derived, "a"), with(&boundary, "a"));
    let ties = Config { ties: Ties::LowestIndex, ..derived.clone() };
    assert_ne!(with(&derived, "a"), with(&ties, "a"));
}

#[test]
fn a_walk_meets_who_lost_a_point_unless_the_last_has_replaced_it() {
    // The rule of a map whose last entry stays, beside that of a list: A, B and C at 40.
    let points = [(10, "B"), (40, "A"), (40, "B"), (40, "C"), (80, "A")];
    let points = points.map(|(at, id)| (at, NodeId::new(id))).to_vec();
    let met = |ties| {
        let config = Config { points: Points::Assigned(points.clone()), ties, ..Config::default() };
        let ring = Ring::build(config, Members::named(["A", "B", "C"]).unwrap()).unwrap();
        ring.owners_from(20).map(NodeIndex::get).collect::<Vec<_>>()
    };
    assert_eq!(met(Ties::LowestIndex), [0, 1, 2, 0, 1]);
    assert_eq!(met(Ties::HighestIndex), [2, 0, 1]);
}

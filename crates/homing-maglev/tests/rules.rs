//! Tables under parameters other than the default ones.

use homing_core::{Attribute, Build, Change, Error, Members, Node, NodeIndex, Placement};
use homing_maglev::{Config, Maglev, Order, Permutation, Stride, Surplus, Turns};

/// Nodes whose ids are in the reverse of their order, so that nothing goes by id unseen.
fn members<'a>(
    nodes: impl IntoIterator<Item = (&'a str, u32)>,
    attribute: Attribute,
) -> Result<Members, Error> {
    let nodes = nodes.into_iter().enumerate();
    Members::new(nodes.map(|(i, (text, weight))| {
        Node::new(format!("{}", 99 - i)).weighing(weight).with(attribute, text)
    }))
}

fn table(maglev: &Maglev, entries: usize) -> Vec<usize> {
    maglev.table().take(entries).map(NodeIndex::get).collect()
}

fn counts(maglev: &Maglev) -> Vec<u32> {
    maglev.members().iter_by_index().map(|(index, _)| maglev.entries_of(index)).collect()
}

fn by_labels(entries: u32, order: Order) -> Config {
    Config {
        hash: "xxh64".parse().unwrap(),
        entries,
        permutation: "hashes:xxh64/xxh64:1".parse().unwrap(),
        order,
        turns: Turns::Iterated,
        surplus: Surplus::Idle,
        ..Config::default()
    }
}

fn by_numbers(entries: u32, turns: Turns) -> Config {
    Config {
        entries,
        permutation: "numbers:murmur3-128+42/murmur3-128:2307+2718281828".parse().unwrap(),
        order: Order::Index,
        turns,
        stride: Stride::Wrapping,
        surplus: Surplus::Idle,
        ..Config::default()
    }
}

const GIVEN: [&str; 3] = ["3,4", "0,2", "3 1"];

#[test]
fn given_sequences_fill_as_published() {
    // The example of the paper, with its second node alive and dead.
    let config = Config {
        entries: 7,
        permutation: Permutation::Given,
        order: Order::Index,
        ..Config::default()
    };
    for (weight, expected) in [(1, [1, 0, 1, 0, 2, 2, 0]), (0, [0, 0, 0, 0, 2, 2, 2])] {
        let nodes = [(GIVEN[0], 1), (GIVEN[1], weight), (GIVEN[2], 1)];
        let members = members(nodes, Attribute::Tokens).unwrap();
        let maglev = Maglev::build(config.clone(), members).unwrap();
        assert_eq!(table(&maglev, 7), expected);
    }
}

#[test]
fn two_hashes_of_the_label_in_order_of_labels_fill_as_the_vectors_say() {
    // envoy/maglev.jsonl: eq3-m7 and order-reversed-m31, whose owners are by index.
    let of = |entries, hosts: [&str; 3]| {
        let members = members(hosts.map(|host| (host, 1)), Attribute::Label).unwrap();
        Maglev::build(by_labels(entries, Order::Label), members).unwrap()
    };
    let hosts = ["127.0.0.1:26001", "127.0.0.1:26002", "127.0.0.1:26003"];
    assert_eq!(table(&of(7, hosts), 7), [0, 0, 2, 2, 1, 0, 1]);
    let [a, b, c] = hosts;
    assert_eq!(
        table(&of(31, [c, b, a]), 31),
        [
            1, 2, 0, 2, 1, 1, 1, 2, 0, 1, 2, 2, 0, 1, 2, 0, 0, 1, 2, 0, 0, 2, 2, 1, 0, 0, 1, 1, 2,
            0, 2
        ]
    );
    // `foo` hashes to 3728699739546630719 and is owned by 2 in eq3-m7.
    let maglev = of(7, hosts);
    assert_eq!(maglev.position(b"foo"), 3_728_699_739_546_630_719 % 7);
    assert_eq!(maglev.owner(b"foo"), maglev.members().iter_by_index().nth(2).map(|it| it.1));
}

#[test]
fn iterated_turns_are_those_of_the_vectors() {
    // envoy/maglev.jsonl: w1-2-3-m211, its counts and its first entries.
    let hosts = [("127.0.0.1:26001", 1), ("127.0.0.1:26002", 2), ("127.0.0.1:26003", 3)];
    let members = members(hosts, Attribute::Label).unwrap();
    let maglev = Maglev::build(by_labels(211, Order::Label), members).unwrap();
    assert_eq!(counts(&maglev), [36, 71, 104]);
    assert_eq!(table(&maglev, 16), [1, 2, 2, 2, 0, 2, 1, 2, 2, 2, 1, 2, 1, 2, 2, 0]);
}

#[test]
fn more_nodes_than_entries_are_idle_where_they_are_not_refused() {
    // envoy/maglev.jsonl: more-hosts-than-slots-m5, 8 hosts.
    let hosts: Vec<String> = (26_001..26_009).map(|port| format!("127.0.0.1:{port}")).collect();
    let hosts = || members(hosts.iter().map(|host| (host.as_str(), 1)), Attribute::Label).unwrap();
    let idle = by_labels(5, Order::Label);
    let maglev = Maglev::build(idle.clone(), hosts()).unwrap();
    assert_eq!(table(&maglev, 5), [4, 1, 0, 2, 3]);
    let refused = Config { surplus: Surplus::Refused, ..idle };
    assert_eq!(
        Maglev::build(refused, hosts()).unwrap_err().to_string(),
        "entries is 5, but must be at least 8, the number of nodes of a weight above 0"
    );
}

#[test]
fn the_halves_of_one_hash_fill_as_the_vectors_say() {
    // maglev/go_maglev.jsonl: backend-0 to backend-2 at M = 7, with and without the second.
    let config = Config {
        entries: 7,
        permutation: "halves:siphash-2-4:16045690984503098046,0".parse().unwrap(),
        order: Order::Index,
        ..Config::default()
    };
    for (weight, expected) in [(1, [1, 2, 0, 2, 0, 1, 0]), (0, [0, 2, 0, 2, 0, 2, 0])] {
        let nodes = [("backend-0", 1), ("backend-1", weight), ("backend-2", 1)];
        let members = members(nodes, Attribute::Label).unwrap();
        let maglev = Maglev::build(config.clone(), members).unwrap();
        assert_eq!(table(&maglev, 7), expected);
    }
}

#[test]
fn hashes_of_texts_with_their_ends_fill_as_the_vectors_say() {
    // maglev/crate_maglev.jsonl: a, b, c at M = 7, and the owners of four keys.
    let config = Config {
        hash: "siphash-1-3-str:3735927486".parse().unwrap(),
        entries: 7,
        permutation: "hashes:siphash-1-3-str:3735927486/siphash-1-3-str:3735928559"
            .parse()
            .unwrap(),
        order: Order::Index,
        ..Config::default()
    };
    let members = members([("a", 1), ("b", 1), ("c", 1)], Attribute::Label).unwrap();
    let maglev = Maglev::build(config, members).unwrap();
    assert_eq!(table(&maglev, 7), [0, 2, 1, 2, 0, 1, 0]);
    for (key, owner) in [("foo", 1), ("bar", 1), ("hello", 2), ("user:1", 0)] {
        assert_eq!(maglev.owner_at(maglev.position(key.as_bytes())).unwrap().get(), owner);
    }
}

#[test]
fn turns_of_numbered_nodes_are_those_of_the_vectors() {
    // maglev/katran.jsonl: ring size 257, weights 5, 1, 3, under MaglevHash and MaglevHashV2.
    let nodes = [("111", 5), ("222", 1), ("333", 3)];
    for (turns, expected, first) in [
        (Turns::FirstRound, [88, 84, 85], [0, 0, 0, 1, 2, 1, 0, 1, 0, 2]),
        (Turns::Credited, [144, 28, 85], [0, 0, 0, 1, 2, 0, 0, 0, 0, 2]),
    ] {
        let members = members(nodes, Attribute::HashKey).unwrap();
        let maglev = Maglev::build(by_numbers(257, turns), members).unwrap();
        assert_eq!(counts(&maglev), expected);
        assert_eq!(table(&maglev, 10), first);
    }
}

#[test]
fn a_stride_that_wraps_fills_as_the_vectors_say() {
    // maglev/katran.jsonl: ring size 131071, hashes 90 to 92, MaglevHash; some samples.
    let members = members([("90", 1), ("91", 1), ("92", 1)], Attribute::HashKey).unwrap();
    let config = by_numbers(131_071, Turns::FirstRound);
    let maglev = Maglev::build(config.clone(), members.clone()).unwrap();
    assert_eq!(counts(&maglev), [43_691, 43_690, 43_690]);
    let samples = [(105_794, 2), (106_972, 0), (115_064, 2), (117_797, 1), (130_960, 0)];
    for (entry, owner) in samples {
        assert_eq!(maglev.owner_at(entry).unwrap().get(), owner);
    }
    let exact = Config { stride: Stride::Exact, ..config };
    assert_ne!(table(&Maglev::build(exact, members).unwrap(), 131_071), table(&maglev, 131_071));
}

#[test]
fn a_node_that_lacks_its_number_or_its_sequence_is_named() {
    let given = Config { entries: 7, permutation: Permutation::Given, ..Config::default() };
    let sequence = "an offset below 7 and a skip from 1 to 6";
    for (tokens, told) in [
        (None, "missing"),
        (Some("7,1"), "\"7,1\""),
        (Some("3,0"), "\"3,0\""),
        (Some("3,7"), "\"3,7\""),
        (Some("3"), "\"3\""),
        (Some("3,1,2"), "\"3,1,2\""),
        (Some("+3,1"), "\"+3,1\""),
    ] {
        let node = Node::new("a");
        let node = tokens.map_or(node.clone(), |text| node.with(Attribute::Tokens, text));
        let error = Maglev::build(given.clone(), Members::new([node]).unwrap()).unwrap_err();
        let expected = format!("tokens is {told} at node \"a\", but must be {sequence}");
        assert_eq!(error.to_string(), expected);
    }
    let members = members([("10", 1)], Attribute::HashKey).unwrap();
    let mut maglev = Maglev::build(by_numbers(7, Turns::Credited), members).unwrap();
    let before = maglev.clone();
    let error = maglev.apply(&[Change::Add(Node::new("b"))]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "hash_key is missing at node \"b\", but must be a whole number from 0 to \
         18446744073709551615"
    );
    assert_eq!(maglev, before);
    maglev.apply(&[Change::Add(Node::new("b").with(Attribute::HashKey, "20"))]).unwrap();
    assert_eq!(maglev.members().len(), 2);
}

#[test]
fn every_parameter_and_what_nodes_bring_is_digested_where_it_decides() {
    let build = |config: &Config, text: &str| {
        let attributes = [Attribute::Label, Attribute::HashKey];
        let node = attributes.iter().fold(Node::new("a"), |node, &it| node.with(it, text));
        let other = Node::new("b").with(Attribute::HashKey, "5");
        let members = Members::new([node, other]).unwrap();
        Maglev::build(config.clone(), members).unwrap().fingerprint()
    };
    let plain = Config { entries: 251, ..Config::default() };
    let numbers = by_numbers(251, Turns::Apportioned).permutation;
    let halves = Permutation::Halves(plain.hash);
    let hashes = Permutation::Hashes { offset: plain.hash, skip: plain.hash };
    let configs = [
        (false, plain.clone()),
        (false, Config { order: Order::Index, ..plain.clone() }),
        (false, Config { turns: Turns::Iterated, ..plain.clone() }),
        (false, Config { turns: Turns::FirstRound, ..plain.clone() }),
        (false, Config { turns: Turns::Credited, ..plain.clone() }),
        (false, Config { stride: Stride::Wrapping, ..plain.clone() }),
        (false, Config { surplus: Surplus::Idle, ..plain.clone() }),
        (true, Config { order: Order::Label, ..plain.clone() }),
        (true, Config { permutation: numbers, ..plain.clone() }),
        (true, Config { permutation: halves, ..plain.clone() }),
        (true, Config { permutation: hashes, ..plain }),
    ];
    let digests: Vec<_> = configs.iter().map(|(_, config)| build(config, "7")).collect();
    for ((i, digest), (goes_by_text, config)) in digests.iter().enumerate().zip(&configs) {
        assert!(!digests[i + 1..].contains(digest), "{config:?}");
        assert_eq!(*digest != build(config, "8"), *goes_by_text, "{config:?}");
    }
}

#[test]
fn the_order_of_the_members_counts_only_where_turns_go_by_index() {
    for order in [Order::Id, Order::Label, Order::Index] {
        let members = members([("x", 1), ("y", 1)], Attribute::Label).unwrap();
        let maglev = Maglev::build(by_labels(251, order), members).unwrap();
        assert_eq!(maglev.family().capabilities.ordered, order == Order::Index);
    }
}

#[cfg(feature = "serde")]
#[test]
fn parameters_are_texts_and_left_out_where_they_are_the_default() {
    let plain = serde_json::to_string(&Config::default()).unwrap();
    assert_eq!(plain, r#"{"hash":"xxh3","entries":65537}"#);
    let config = by_numbers(7, Turns::FirstRound);
    let json = serde_json::to_string(&config).unwrap();
    assert_eq!(
        json,
        concat!(
            r#"{"hash":"xxh3","entries":7,"#,
            r#""permutation":"numbers:murmur3-128+42/murmur3-128:2307+2718281828","#,
            r#""order":"index","turns":"first-round","stride":"wrapping","surplus":"idle"}"#
        )
    );
    assert_eq!(serde_json::from_str::<Config>(&json).unwrap(), config);
}

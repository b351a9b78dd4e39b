//! Scores other than the default one, seeds from labels, and ties by index.

use homing_core::{Attribute, Build, Change, Error, Members, Node, NodeId, Placement, Spread};
use homing_rendezvous::{Config, Rendezvous, Score, Ties};

fn config(hash: &str, score: Score) -> Config {
    let hash = hash.parse().unwrap();
    Config { hash, score, node_hash: Some(hash), ties: Ties::Index }
}

fn rendezvous(config: Config, nodes: &[(&str, u32)]) -> Rendezvous {
    // The label is hashed, and not the id.
    let nodes = nodes.iter().enumerate().map(|(i, &(label, weight))| {
        Node::new(format!("{i}")).weighing(weight).with(Attribute::Label, label)
    });
    Rendezvous::build(config, Members::new(nodes).unwrap()).unwrap()
}

/// The indices in the order of a position, checked against the other searches.
fn order(layout: &Rendezvous, position: u64) -> Vec<usize> {
    let mut replicas = Vec::new();
    layout.replicas_at(position, layout.members().len(), Spread::Nodes, &mut replicas);
    assert_eq!(layout.owner_at(position), replicas.first().copied());
    let mut owners = [None; 70];
    layout.owners_at(&[position; 70], &mut owners);
    assert_eq!(owners, [replicas.first().copied(); 70]);
    replicas.iter().map(|index| index.get()).collect()
}

const NUMBERED: [(&str, u32); 5] =
    [("node-0", 1), ("node-1", 1), ("node-2", 1), ("node-3", 1), ("node-4", 1)];

#[test]
fn the_greatest_xorshift_owns() {
    // hrw/hrw.jsonl: go-rendezvous, node-0 to node-4, with the position of each key.
    let layout = rendezvous(config("xxh64", Score::Xorshift), &NUMBERED);
    for (key, position, owner) in [
        ("foo", 3_728_699_739_546_630_719, 4),
        ("bar", 5_234_164_152_756_840_025, 1),
        ("hello", 2_794_345_569_481_354_659, 2),
        ("user:1", 15_692_727_345_848_811_763, 0),
        ("user:10086", 4_967_825_724_050_223_606, 3),
        ("\u{1f600}", 10_386_911_163_046_198_144, 2),
    ] {
        assert_eq!(layout.position(key.as_bytes()), position);
        assert_eq!(order(&layout, position)[0], owner, "{key}");
    }
}

#[test]
fn the_least_murmur_cost_owns_and_the_others_follow() {
    // hrw/hrw.jsonl: hrw-hash, node-0 to node-4, then alpha to delta of capacities 1 to 4.
    let even = rendezvous(config("rapidhash-str", Score::Murmur), &NUMBERED);
    let nodes = [("alpha", 1), ("beta", 2), ("gamma", 3), ("delta", 4)];
    let uneven = rendezvous(config("rapidhash-str", Score::Murmur), &nodes);
    for (key, position, of_even, of_uneven) in [
        ("foo", 10_700_966_328_256_183_507, [2, 0, 1, 3, 4], [3, 1, 2, 0]),
        ("bar", 791_785_740_372_029_645, [2, 4, 1, 3, 0], [3, 2, 1, 0]),
        ("hello", 1_605_767_703_735_333_860, [1, 0, 4, 3, 2], [1, 2, 3, 0]),
        ("user:1", 10_850_843_534_696_333_910, [0, 4, 2, 1, 3], [3, 1, 0, 2]),
        ("user:10086", 16_727_598_285_355_668_661, [4, 2, 1, 3, 0], [0, 3, 1, 2]),
        ("na\u{ef}ve", 3_126_944_038_965_757_461, [4, 2, 0, 3, 1], [2, 3, 1, 0]),
    ] {
        assert_eq!(even.position(key.as_bytes()), position);
        assert_eq!(order(&even, position), of_even, "{key}");
        assert_eq!(order(&uneven, position), of_uneven, "{key}");
    }
}

#[test]
fn equal_scores_go_to_the_first_index_or_to_the_first_id() {
    // By definition: equal labels have equal seeds, so that every score ties.
    for score in [Score::Lowbias, Score::Xorshift, Score::Murmur] {
        for (ties, owner) in [(Ties::Index, "b"), (Ties::Id, "a")] {
            let nodes = ["b", "c", "a"].map(|id| Node::new(id).with(Attribute::Label, "same"));
            let config = Config { ties, ..config("xxh3", score) };
            let mut layout = Rendezvous::build(config, Members::new(nodes).unwrap()).unwrap();
            let owner_of = |layout: &Rendezvous| layout.owner(b"key").unwrap().id.clone();
            assert_eq!(owner_of(&layout), NodeId::new(owner), "{score:?}");
            // A freed index goes to who joins, which then is first among indices.
            let joins = Node::new("d").with(Attribute::Label, "same");
            layout.apply(&[Change::Remove("b".into()), Change::Add(joins)]).unwrap();
            let now = if ties == Ties::Index { "d" } else { "a" };
            assert_eq!(owner_of(&layout), NodeId::new(now), "{score:?}");
        }
    }
}

#[test]
fn xorshift_scores_take_no_weights() {
    let refused = Error::Unsupported { family: "rendezvous", rule: "takes only nodes of weight 1" };
    let config = config("xxh64", Score::Xorshift);
    let mut layout = rendezvous(config.clone(), &NUMBERED);
    assert!(!layout.family().capabilities.weights);
    for weight in [0, 2] {
        let members = Members::new([Node::new("a"), Node::new("b").weighing(weight)]).unwrap();
        assert_eq!(Rendezvous::build(config.clone(), members), Err(refused.clone()));
        let before = layout.clone();
        for change in [
            Change::Add(Node::new("x").weighing(weight)),
            Change::Reweight(NodeId::new("1"), weight),
        ] {
            assert_eq!(layout.apply(&[change]), Err(refused.clone()));
            assert_eq!(layout, before);
        }
    }
}

#[test]
fn a_member_less_moves_its_keys_alone() {
    for score in [Score::Xorshift, Score::Murmur] {
        let before = rendezvous(config("xxh64", score), &NUMBERED);
        let after = before.with_changes(&[Change::Remove("2".into())]).unwrap();
        for i in 0..2_000_u32 {
            let (was, is) = (before.owner(&i.to_le_bytes()), after.owner(&i.to_le_bytes()));
            assert!(was == is || was.unwrap().id.as_str() == "2", "{score:?}");
        }
    }
}

#[test]
fn parameters_and_labels_are_digested_where_they_decide() {
    let build = |config: &Config, label: &str| {
        let labelled = Node::new("a").with(Attribute::Label, label);
        let members = Members::new([labelled, Node::new("b")]).unwrap();
        Rendezvous::build(config.clone(), members).unwrap().fingerprint()
    };
    let plain = Config::default();
    let node_hash = Some(plain.hash);
    let configs = [
        plain.clone(),
        Config { score: Score::Xorshift, ..plain.clone() },
        Config { score: Score::Murmur, ..plain.clone() },
        Config { ties: Ties::Index, ..plain.clone() },
        Config { node_hash, ..plain.clone() },
    ];
    let digests = configs.each_ref().map(|config| build(config, "x"));
    for (i, digest) in digests.iter().enumerate() {
        assert!(!digests[i + 1..].contains(digest), "{:?}", configs[i]);
        let again = build(&configs[i], "y");
        assert_eq!(*digest == again, configs[i].node_hash.is_none(), "{:?}", configs[i]);
    }
}

#[test]
fn ties_by_index_make_the_order_of_the_members_count() {
    for ties in [Ties::Id, Ties::Index] {
        for score in [Score::Lowbias, Score::Xorshift, Score::Murmur] {
            let config = Config { score, ties, ..Config::default() };
            let layout = rendezvous(config, &NUMBERED);
            assert_eq!(layout.family().capabilities.ordered, ties == Ties::Index);
        }
    }
}

#[cfg(feature = "serde")]
#[test]
fn parameters_are_texts_and_left_out_where_they_are_the_default() {
    assert_eq!(serde_json::to_string(&Config::default()).unwrap(), r#"{"hash":"xxh3"}"#);
    for score in [Score::Xorshift, Score::Murmur] {
        let config = config("xxh64", score);
        let json = serde_json::to_string(&config).unwrap();
        let (score, ties) = (score.name(), Ties::Index.name());
        let expected =
            format!(r#"{{"hash":"xxh64","score":"{score}","node_hash":"xxh64","ties":"{ties}"}}"#);
        assert_eq!(json, expected);
        assert_eq!(serde_json::from_str::<Config>(&json).unwrap(), config);
    }
}

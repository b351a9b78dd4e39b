//! Buckets by weight, and orders other than that of the members.

use homing_core::{Attribute, Build, Change, Error, Members, Node, NodeId, Placement};
use homing_modulo::{Buckets, Config, Modulo, Order};

const LABELLED: [(&str, u32); 4] = [("alpha", 1), ("beta", 2), ("gamma", 3), ("delta", 1)];

fn config(buckets: Buckets, order: Order) -> Config {
    Config { buckets, order, ..Config::default() }
}

fn weighing(buckets: Buckets, weights: &[u32]) -> Modulo {
    let nodes = weights.iter().enumerate().map(|(i, &weight)| {
        // Ids in another order than indices.
        Node::new(format!("s{}", 9 - i)).weighing(weight)
    });
    Modulo::build(config(buckets, Order::Index), Members::new(nodes).unwrap()).unwrap()
}

/// The index behind each bucket of one round.
fn dealt(layout: &Modulo, buckets: u64) -> Vec<usize> {
    let owner = |position| layout.owner_at(position).unwrap().get();
    assert!((0..buckets).all(|bucket| owner(bucket) == owner(bucket + 3 * buckets)));
    (0..buckets).map(owner).collect()
}

#[test]
fn repeated_buckets_stand_in_a_row() {
    // nginx/nginx_hash.jsonl, `w123`, without `consistent`: hash of the key, bits 16 to 30, and
    // the owner.
    let layout = weighing(Buckets::Repeated, &[1, 2, 3]);
    for (crc32, owner) in [
        (2_356_372_769_u64, 1),
        (1_996_459_178, 1),
        (907_060_870, 2),
        (2_074_460_802, 2),
        (3_976_017_865, 1),
    ] {
        assert_eq!(layout.owner_at((crc32 >> 16) & 0x7FFF).unwrap().get(), owner);
    }
    assert_eq!(dealt(&layout, 6), [0, 1, 1, 2, 2, 2]);
}

#[test]
fn interleaved_buckets_are_those_of_the_vectors() {
    // haproxy/haproxy_hash.jsonl, `model_map` of `w10-20-30`, `ids` and `eq5-w100`.
    for (weights, map) in [
        (&[10, 20, 30][..], &[0, 2, 1, 2, 1, 2][..]),
        (&[4, 4, 8], &[0, 2, 1, 2]),
        (&[100; 5], &[0, 1, 2, 3, 4]),
    ] {
        let layout = weighing(Buckets::Interleaved, weights);
        assert_eq!(dealt(&layout, map.len() as u64), map, "{weights:?}");
    }
}

#[test]
fn many_members_of_one_weight_have_a_bucket_each_in_order() {
    // By definition: every level is 1 until the member has its bucket. As many steps as
    // pairs of members would be 10^10.
    let nodes = (0..100_000).map(|i| Node::new(format!("{i}")).weighing(100));
    let layout =
        Modulo::build(config(Buckets::Interleaved, Order::Index), Members::new(nodes).unwrap());
    let layout = layout.unwrap();
    assert_eq!(dealt(&layout, 100_000), (0..100_000).collect::<Vec<_>>());
}

#[test]
fn drained_nodes_have_no_bucket() {
    for buckets in [Buckets::Repeated, Buckets::Interleaved] {
        assert_eq!(dealt(&weighing(buckets, &[0, 1, 0, 1]), 2), [1, 3]);
    }
}

#[test]
fn labels_are_in_order_of_their_length_and_then_their_bytes() {
    // ketama/twemproxy.jsonl, `alias-weighted`, distribution `modula`: `internal_server_order`
    // is 1, 0, 3, 2.
    let nodes = LABELLED.into_iter().enumerate().map(|(i, (label, weight))| {
        Node::new(format!("{i}")).weighing(weight).with(Attribute::Label, label)
    });
    let members = Members::new(nodes).unwrap();
    let layout = Modulo::build(config(Buckets::Repeated, Order::LabelLength), members).unwrap();
    assert_eq!(dealt(&layout, 7), [1, 1, 0, 3, 2, 2, 2]);
}

#[test]
fn only_what_goes_by_weight_or_label_says_so() {
    for buckets in [Buckets::Members, Buckets::Repeated, Buckets::Interleaved] {
        for order in [Order::Index, Order::LabelLength] {
            let members = Members::named(["a", "b"]).unwrap();
            let layout = Modulo::build(config(buckets, order), members).unwrap();
            let capabilities = layout.family().capabilities;
            assert_eq!(capabilities.weights, buckets != Buckets::Members);
            assert_eq!(capabilities.ordered, order == Order::Index);
            assert_eq!(layout.family().name, "modulo");
        }
    }
}

#[test]
fn labels_and_parameters_are_digested_where_they_decide() {
    let build = |label: &str, config: &Config| {
        let labelled = Node::new("a").with(Attribute::Label, label);
        let members = Members::new([labelled, Node::new("b")]).unwrap();
        Modulo::build(config.clone(), members).unwrap().fingerprint()
    };
    let by_label = config(Buckets::Members, Order::LabelLength);
    assert_eq!(build("x", &Config::default()), build("yy", &Config::default()));
    assert_ne!(build("x", &by_label), build("yy", &by_label));
    let repeated = config(Buckets::Repeated, Order::Index);
    let interleaved = config(Buckets::Interleaved, Order::Index);
    let digests = [Config::default(), repeated, interleaved, by_label].map(|it| build("x", &it));
    for (i, digest) in digests.iter().enumerate() {
        assert!(!digests[i + 1..].contains(digest), "{i}");
    }
}

#[test]
fn more_buckets_than_there_can_be_are_refused() {
    let repeated = config(Buckets::Repeated, Order::Index);
    let refused = Error::parameter("total weight", 16_777_217, "at most 16777216");
    let most = Members::new([Node::new("a").weighing(16_777_216)]).unwrap();
    let more = Members::new([Node::new("a").weighing(16_777_217)]).unwrap();
    assert_eq!(Modulo::build(repeated.clone(), more), Err(refused.clone()));
    let mut layout = Modulo::build(repeated, most).unwrap();
    assert_eq!(layout.apply(&[Change::Add(Node::new("b"))]), Err(refused));
    layout.apply(&[Change::Reweight(NodeId::new("a"), 2)]).unwrap();
    assert_eq!(dealt(&layout, 2), [0, 0]);
}

#[cfg(feature = "serde")]
#[test]
fn parameters_are_texts_and_left_out_where_they_are_the_default() {
    assert_eq!(serde_json::to_string(&Config::default()).unwrap(), r#"{"hash":"xxh3"}"#);
    for buckets in [Buckets::Repeated, Buckets::Interleaved] {
        let config = config(buckets, Order::LabelLength);
        let json = serde_json::to_string(&config).unwrap();
        let (buckets, order) = (buckets.name(), Order::LabelLength.name());
        assert_eq!(json, format!(r#"{{"hash":"xxh3","buckets":"{buckets}","order":"{order}"}}"#));
        assert_eq!(serde_json::from_str::<Config>(&json).unwrap(), config);
    }
}

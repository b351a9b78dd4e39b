//! What hash mod N owns, moves and refuses.

use homing_core::{Build, Change, Error, KeyHash, Members, Node, NodeId, Placement};
use homing_modulo::{Config, Modulo};

fn numbered(count: usize) -> Members {
    Members::new((0..count).map(|i| Node::new(format!("shard-{i}")))).unwrap()
}

fn modulo(members: Members) -> Modulo {
    Modulo::build(Config::default(), members).unwrap()
}

fn named(ids: &[&str]) -> Modulo {
    modulo(Members::named(ids.iter().copied()).unwrap())
}

fn remove(id: &str) -> Change {
    Change::Remove(NodeId::new(id))
}

fn owner_at(layout: &Modulo, position: u64) -> &str {
    layout.node(layout.owner_at(position).unwrap()).id.as_str()
}

#[test]
fn keys_go_where_the_vectors_say() {
    // Vectors, homing/modulo.jsonl: 12 buckets, xxh3 without and with a seed.
    let keys: [&[u8]; 5] = [b"", b"foo", b"bar", b"\xff", b"user:1"];
    for (seed, owners) in [(0, [10, 2, 10, 6, 9]), (42, [6, 10, 4, 1, 8])] {
        let config = Config { hash: KeyHash::Xxh3 { seed }, ..Config::default() };
        let layout = Modulo::build(config, numbered(12)).unwrap();
        for (key, owner) in keys.iter().zip(owners) {
            assert_eq!(layout.owner(key).unwrap().id.as_str(), format!("shard-{owner}"));
        }
    }
}

#[test]
fn positions_go_where_the_vectors_say() {
    // Vectors, homing/modulo.jsonl: `positions` at 1000003 buckets.
    let layout = modulo(numbered(1_000_003));
    for (position, owner) in [
        (256, 256),
        (u64::MAX, 350_686),
        (1 << 63, 675_345),
        (3_735_883_980, 872_775),
        (2_313_046_976_756_913_067, 800_159),
    ] {
        assert_eq!(layout.owner_at(position).unwrap().get(), owner);
    }
}

#[test]
fn positions_are_read_as_unsigned() {
    // cases.md, C34: -2^31 and -2^63 read as unsigned, whose remainders are these.
    for (count, of_32_bits, of_64_bits) in [(2, 0, 0), (3, 2, 2), (5, 3, 3), (7, 2, 1)] {
        let layout = modulo(numbered(count));
        assert_eq!(layout.owner_at(1 << 31).unwrap().get(), of_32_bits);
        assert_eq!(layout.owner_at(1 << 63).unwrap().get(), of_64_bits);
    }
}

#[test]
fn one_node_owns_everything_and_none_cannot_be_built() {
    // cases.md, C31.
    let layout = named(&["only"]);
    assert_eq!(owner_at(&layout, 43_966), "only");
    assert_eq!(Members::named([]), Err(Error::NoNodes));
}

#[test]
fn a_change_of_count_moves_all_but_the_common_residues() {
    // cases.md, C36: of 100 n m positions, min / lcm stay.
    for (before, after, moved) in [(4, 5, 1_600), (10, 11, 10_000), (3, 4, 900), (5, 4, 1_600)] {
        let (was, is) = (modulo(numbered(before)), modulo(numbered(after)));
        let positions = before as u64 * after as u64 * 100;
        let changed = (0..positions).filter(|&p| was.owner_at(p) != is.owner_at(p)).count();
        assert_eq!(changed, moved, "{before} to {after}");
    }
}

#[test]
fn remainders_follow_the_order_given_and_not_the_ids() {
    let layout = named(&["c", "a", "b"]);
    let owners = [0, 1, 2, 3].map(|position| owner_at(&layout, position));
    assert_eq!(owners, ["c", "a", "b", "c"]);
}

#[test]
fn a_removal_in_the_middle_shifts_those_after_it() {
    // By definition: a, b, c, d without b are a, c, d in order of index.
    let mut layout = named(&["a", "b", "c", "d"]);
    layout.apply(&[remove("b")]).unwrap();
    let owners = [0, 1, 2, 3].map(|position| owner_at(&layout, position));
    assert_eq!(owners, ["a", "c", "d", "a"]);
    assert_eq!(layout.owner_at(1).unwrap().get(), 2);
}

#[test]
fn a_node_that_joins_takes_the_freed_place() {
    let mut layout = named(&["a", "b", "c"]);
    layout.apply(&[remove("a")]).unwrap();
    layout.apply(&[Change::Add(Node::new("z"))]).unwrap();
    let owners = [0, 1, 2].map(|position| owner_at(&layout, position));
    assert_eq!(owners, ["z", "b", "c"]);
}

#[test]
fn weights_other_than_1_are_refused() {
    let refused = Error::Unsupported { family: "modulo", rule: "takes only nodes of weight 1" };
    assert_eq!(refused.to_string(), "modulo: takes only nodes of weight 1");
    for weight in [0, 2, u32::MAX] {
        let members = Members::new([Node::new("a"), Node::new("b").weighing(weight)]).unwrap();
        assert_eq!(Modulo::build(Config::default(), members), Err(refused.clone()));
        let before = named(&["a", "b", "c"]);
        let mut layout = before.clone();
        for change in [
            Change::Add(Node::new("d").weighing(weight)),
            Change::Reweight(NodeId::new("a"), weight),
        ] {
            assert_eq!(layout.apply(&[remove("b"), change]), Err(refused.clone()));
            assert_eq!(layout, before);
        }
    }
}

#[test]
fn fingerprints_tell_orders_apart_and_keyings_do_not() {
    let (one, other) = (named(&["a", "b"]), named(&["b", "a"]));
    assert_ne!(one.fingerprint(), other.fingerprint());
    assert_eq!(one.keying(), other.keying());
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

//! Partitions with bounded loads.

use homing_compat::homing_core::{Error, Members, Node};
use homing_compat::{Bounded, BoundedConfig};

fn config() -> BoundedConfig {
    let hash = "xxh64".parse().unwrap();
    BoundedConfig { hash, partitions: 23, points: 5, load: 1.1 }
}

fn three() -> Members {
    Members::named(["m1", "m2", "m3"]).unwrap()
}

#[test]
fn partitions_and_keys_are_those_of_the_vectors() {
    // ring/other_rings.jsonl: buraksezer/consistent, 23 partitions.
    let owners = [1, 0, 0, 0, 2, 0, 0, 2, 2, 0, 2, 0, 0, 2, 2, 0, 2, 1, 2, 1, 2, 1, 1];
    let rows = [
        ("foo", [0, 2]),
        ("bar", [1, 0]),
        ("hello", [2, 1]),
        ("user:1", [0, 2]),
        ("user:10086", [2, 1]),
        ("session:abc", [1, 0]),
    ];
    let table = Bounded::build(&config(), three()).unwrap();
    assert_eq!(table.cap(), 9);
    let dealt = (0..23).map(|partition| table.owner_of(partition).unwrap().get());
    assert_eq!(dealt.collect::<Vec<_>>(), owners);
    assert_eq!(table.owner_of(23), None);
    for (key, order) in rows {
        let key = key.as_bytes();
        assert_eq!(table.owner(key).get(), order[0]);
        let found: Vec<usize> = table.order(key, 2).iter().map(|index| index.get()).collect();
        assert_eq!(found, order);
        assert_eq!(table.order(key, 9).len(), 3);
    }
}

#[test]
fn nobody_holds_more_than_the_bound() {
    for load in [1.0, 1.01, 1.25, 7.5] {
        let table = Bounded::build(&BoundedConfig { load, ..config() }, three()).unwrap();
        let mut held = [0_u64; 3];
        for partition in 0..23 {
            held[table.owner_of(partition).unwrap().get()] += 1;
        }
        assert!(held.iter().all(|&held| held <= table.cap()), "{load}: {held:?}");
    }
}

#[test]
fn what_is_out_of_range_is_named() {
    let error = |config: BoundedConfig| match Bounded::build(&config, three()) {
        Err(Error::InvalidParameter { name, .. }) => name,
        other => panic!("{other:?}"),
    };
    assert_eq!(error(BoundedConfig { partitions: 0, ..config() }), "partitions");
    assert_eq!(error(BoundedConfig { points: 0, ..config() }), "points");
    for load in [0.99, f64::NAN, f64::INFINITY, -1.0] {
        assert_eq!(error(BoundedConfig { load, ..config() }), "load");
    }
    let hash = "crc32".parse().unwrap();
    assert_eq!(error(BoundedConfig { hash, ..config() }), "hash");
    let heavy = Members::new([Node::new("a"), Node::new("b").weighing(2)]).unwrap();
    let error = Bounded::build(&config(), heavy).unwrap_err().to_string();
    assert_eq!(error, "weight is 2 at node \"b\", but must be 1: the table takes no weights");
}

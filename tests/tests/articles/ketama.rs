//! The points of ketama, as memcached clients have them, given to a ring.

use homing_core::{Build as _, Members, NodeId, Placement as _};
use homing_ring::{Config, Points, Ring};
use homing_tests::bridge::{owner_at, remove};
use md5::{Digest as _, Md5};

fn assigned(points: Vec<(u64, NodeId)>, ids: &[&str]) -> Ring {
    let config = Config { points: Points::Assigned(points), ..Config::default() };
    Ring::build(config, Members::named(ids.iter().copied()).unwrap()).unwrap()
}

// The points and positions of ketama: 40 digests of label-i, each four little-endian words.
fn ketama(ids: &[&str]) -> Vec<(u64, NodeId)> {
    let mut points = Vec::new();
    for id in ids {
        for i in 0..40 {
            let digest = Md5::digest(format!("{id}-{i}"));
            points.extend(digest.chunks(4).map(|word| (little_endian(word), NodeId::new(id))));
        }
    }
    points
}

fn ketama_position(key: &str) -> u64 {
    little_endian(&Md5::digest(key)[..4])
}

fn little_endian(word: &[u8]) -> u64 {
    word.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

#[test]
fn c12_a_shared_point_is_the_least_ids_for_both_orders_of_arrival() {
    let ids = ["cache-349:11211", "cache-450:11211"];
    let points = ketama(&ids);
    assert_eq!(points.len(), 320);
    assert_eq!(points.iter().filter(|(point, _)| *point == 2_493_200_072).count(), 2);

    let one = assigned(points.clone(), &ids);
    let other = assigned(points.into_iter().rev().collect(), &[ids[1], ids[0]]);
    assert_eq!(one.points().count(), 319);
    for key in ["key-221", "key-1395"] {
        let position = ketama_position(key);
        assert_eq!(owner_at(&one, position).as_deref(), Some(ids[0]), "{key}");
        assert_eq!(owner_at(&other, position).as_deref(), Some(ids[0]), "{key}");
        let left = one.with_changes(&[remove(ids[0])]).unwrap();
        assert_eq!(owner_at(&left, position).as_deref(), Some(ids[1]), "{key}");
    }
    assert_eq!(one.fingerprint(), other.fingerprint());
    let left = one.with_changes(&[remove(ids[0])]).unwrap();
    assert_eq!(left.points().count(), 160, "the other node has all its points");
}

#[test]
fn c51_the_label_of_a_node_is_part_of_the_placement() {
    let long = ["10.1.0.1:11211", "10.1.0.2:11211", "10.1.0.3:11211"];
    let short = ["10.1.0.1", "10.1.0.2", "10.1.0.3"];
    let [with_port, without] = [long, short].map(|ids| assigned(ketama(&ids), &ids));
    let hosts = |ring: &Ring, count: u32| -> Vec<String> {
        let position = |i| ketama_position(&format!("user:{i}"));
        (0..count).map(|i| owner_at(ring, position(i)).unwrap()[7..8].to_owned()).collect()
    };
    assert_eq!(hosts(&with_port, 8).concat(), "11311331");
    assert_eq!(hosts(&without, 8).concat(), "11332323");
    let (one, other) = (hosts(&with_port, 1000), hosts(&without, 1000));
    assert_eq!(one.iter().zip(&other).filter(|(a, b)| a != b).count(), 663);
    let count = |host: &str| one.iter().filter(|each| *each == host).count();
    assert_eq!([count("1"), count("2"), count("3")], [343, 318, 339]);
}

//! Rendezvous, jump, modulo and the hashes.

use std::num::NonZeroU64;

use homing_core::{Build as _, KeyHash, Placement as _, Spread};
use homing_jump::{Config, Jump, jump};
use homing_modulo::Modulo;
use homing_rendezvous::{Rendezvous, cost};
use homing_tests::bridge::{add, owner, owner_at, remove, replicas_at};

use crate::{build, fraction, numbered, owners, weighted};

#[test]
fn c29_costs_are_finite_positive_and_fall_as_the_score_rises() {
    for weight in [1, 2, 1_000_000_000, u32::MAX] {
        let scores = [0, 1, 2, 1 << 16, 1 << 31, u32::MAX - 2, u32::MAX - 1, u32::MAX];
        let costs = scores.map(|score| cost(score, weight));
        assert!(costs.iter().all(|cost| cost.is_finite() && *cost > 0.0), "{costs:?}");
        assert!(costs.windows(2).all(|pair| pair[0] > pair[1]), "{costs:?}");
    }
}

#[test]
fn c30_jump_removes_the_last_node_and_refuses_a_middle_one() {
    let layout: Jump = build(&["a", "b", "c", "d", "e"]);
    let at = |layout: &Jump, position| layout.owner_at(position).unwrap().get();
    let mut counts = [0; 5];
    for position in 0..10_000 {
        counts[at(&layout, position)] += 1;
    }
    assert_eq!(counts, [2001, 1996, 2002, 2005, 1996]);

    let four = layout.with_changes(&[remove("e")]).unwrap();
    let moved = (0..10_000).filter(|&p| at(&layout, p) != at(&four, p));
    assert_eq!(moved.count(), 1996);

    let refused = layout.with_changes(&[remove("c")]).unwrap_err();
    assert_eq!(refused.to_string(), "jump: removes only the node that joined last");
    let shifted = |p: &u64| jump(*p, 4).map(|bucket| if bucket < 2 { bucket } else { bucket + 1 });
    let moved: Vec<u64> = (0..10_000).filter(|p| jump(*p, 5) != shifted(p)).collect();
    assert_eq!(moved.len(), 5506, "by shifting the list");
    assert_eq!(moved.iter().filter(|p| jump(**p, 5) != Some(2)).count(), 3504);
}

#[test]
fn c31_bucket_counts_out_of_range_have_no_bucket() {
    assert_eq!(jump(43_966, 0), None);
    assert_eq!(jump(43_966, 1), Some(0));
    assert!(jump(43_966, 2_147_483_647).is_some_and(|bucket| bucket < 2_147_483_647));
    assert_eq!(jump(43_966, 2_147_483_648), None);
    assert_eq!(jump(43_966, u32::MAX), None);
    let one: Modulo = build(&["a"]);
    assert_eq!(owner_at(&one, 43_966).as_deref(), Some("a"));
}

#[test]
fn c32_a_key_wider_than_64_bits_is_hashed_whole() {
    let key = hex::decode("a9993e364706816aba3e25717850c26c9cd0d89d").unwrap();
    let config = Config { hash: KeyHash::Sha256 };
    let ids = numbered("node-", 5);
    let members = homing_core::Members::named(ids.iter().map(String::as_str)).unwrap();
    let layout = Jump::build(config, members).unwrap();
    assert_eq!(layout.position(&key), homing_tests::oracle::OracleHash::Sha256.hash(&key));
    // The two reductions that other tools take of these 160 bits.
    assert_eq!(jump(0x7850_C26C_9CD0_D89D, 5), Some(2));
    assert_eq!(jump(0xA999_3E36_4706_816A, 5), Some(0));
}

#[test]
fn c33_jump_is_exact_where_doubles_end_and_signs_turn() {
    let counts = [1, 2, 3, 10, 100, 1000, 65_536, 2_147_483_647];
    for (key, buckets) in [
        (0, [0, 0, 0, 0, 0, 0, 0, 0]),
        (1, [0, 0, 0, 6, 55, 549, 21_134, 262_355_607]),
        (9_007_199_254_740_992, [0, 0, 0, 8, 63, 784, 44_309, 570_704_205]),
        (9_007_199_254_740_993, [0, 0, 0, 8, 40, 446, 58_142, 1_663_717_268]),
        (9_223_372_036_854_775_807, [0, 0, 2, 8, 97, 972, 8_550, 213_047_985]),
        (9_223_372_036_854_775_808, [0, 1, 1, 5, 84, 453, 53_854, 1_119_800_965]),
        (u64::MAX, [0, 1, 2, 9, 92, 313, 18_311, 699_554_662]),
    ] {
        assert_eq!(counts.map(|n| jump(key, n)), buckets.map(Some), "key {key}");
    }
}

#[test]
fn c34_a_hash_with_the_top_bit_set_is_read_as_unsigned() {
    for (n, of_32_bits, of_64_bits) in [(2, 0, 0), (3, 2, 2), (5, 3, 3), (7, 2, 1)] {
        let ids = numbered("", n);
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let layout: Modulo = build(&ids);
        assert_eq!(layout.owner_at(1 << 31).unwrap().get(), of_32_bits, "2^31 mod {n}");
        assert_eq!(layout.owner_at(1 << 63).unwrap().get(), of_64_bits, "2^63 mod {n}");
    }
}

#[test]
fn c36_growing_by_hash_mod_n_moves_almost_everything() {
    for (from, to, moved) in [(4, 5, 0.8), (10, 11, 0.909_091), (3, 4, 0.75), (5, 4, 0.8)] {
        let [before, after] = [from, to].map(|count| {
            let ids = numbered("n", count);
            build::<Modulo>(&ids.iter().map(String::as_str).collect::<Vec<_>>())
        });
        let residues = from * to * 100;
        let range = 0..NonZeroU64::try_from(u64::try_from(residues).unwrap()).unwrap().get();
        let count = range.filter(|&p| owner_at(&before, p) != owner_at(&after, p)).count();
        assert!((fraction(count, residues) - moved).abs() < 1e-6, "{from} to {to}: {count}");
    }
}

#[test]
fn c42_a_renamed_node_is_one_that_left_and_one_that_joined() {
    let ids = numbered("n", 10);
    let layout: Rendezvous = build(&ids.iter().map(String::as_str).collect::<Vec<_>>());
    let renamed = layout.with_changes(&[remove("n0"), add("x9")]).unwrap();
    let keys = numbered("k", 20_000);
    let pairs: Vec<_> = owners(&layout, &keys).into_iter().zip(owners(&renamed, &keys)).collect();
    let moved = pairs.iter().filter(|(from, to)| from != to);
    for (from, to) in moved.clone() {
        assert!(from.as_deref() == Some("n0") || to.as_deref() == Some("x9"));
    }
    // 2/11 are 0.1818: what n0 had, and what x9 takes of the others.
    let share = fraction(moved.count(), keys.len());
    assert!((0.17..=0.194).contains(&share), "{share}");
}

#[test]
fn c48_more_replicas_than_nodes_are_a_short_list() {
    let layout: Rendezvous = build(&["a", "b"]);
    for spread in [Spread::Nodes, Spread::Zones] {
        let mut replicas = replicas_at(&layout, layout.position(b"x"), 3, spread);
        replicas.sort();
        assert_eq!(replicas, ["a", "b"]);
    }
}

#[test]
fn c23_weights_that_sum_to_2_to_the_32_do_not_wrap_in_rendezvous() {
    let even: Rendezvous =
        weighted(homing_rendezvous::Config::default(), &[("a", 1 << 31), ("b", 1 << 31)]);
    let lopsided: Rendezvous =
        weighted(homing_rendezvous::Config::default(), &[("a", u32::MAX), ("b", 1)]);
    let keys = numbered("key-", 20_000);
    let of_a = |layout: &Rendezvous| {
        keys.iter().filter(|key| owner(layout, key.as_bytes()).as_deref() == Some("a")).count()
    };
    let share = fraction(of_a(&even), keys.len());
    assert!((0.475..=0.525).contains(&share), "{share}");
    assert!(of_a(&lopsided) >= keys.len() - 1);
}

#[test]
fn c24_a_half_percent_weight_keeps_its_half_percent_in_rendezvous() {
    let layout: Rendezvous =
        weighted(homing_rendezvous::Config::default(), &[("a", 5), ("b", 995)]);
    let keys = numbered("key-", 100_000);
    let owned = keys.iter().filter(|key| owner(&layout, key.as_bytes()).as_deref() == Some("a"));
    let share = fraction(owned.count(), keys.len());
    assert!((0.003..=0.008).contains(&share), "{share}");
}

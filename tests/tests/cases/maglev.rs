//! Maglev.

use homing_core::{Build as _, KeyHash, Members, Placement as _};
use homing_maglev::{Config, Maglev, populate};
use homing_tests::bridge::{add, owner_at, remove};

use crate::{build, fraction, numbered, weighted};

fn entries(layout: &Maglev) -> Vec<u32> {
    layout.members().iter().map(|(index, _)| layout.entries_of(index)).collect()
}

#[test]
fn c25_the_order_in_which_nodes_are_given_plays_no_part() {
    // Nodes take turns in order of id, here B0, B1, B2, whatever their order of arrival.
    assert_eq!(populate(7, &[(3, 4), (0, 2), (3, 1)]).unwrap(), [1, 0, 1, 0, 2, 2, 0]);
    assert_eq!(populate(7, &[(3, 4), (3, 1)]).unwrap(), [0, 0, 0, 0, 1, 1, 1]);
    let reversed = populate(7, &[(3, 1), (0, 2), (3, 4)]).unwrap();
    assert_eq!(reversed, [1, 2, 1, 0, 2, 0, 0], "B1 B0 B1 B2 B0 B2 B2 in the turns of B2, B1, B0");

    let layout: Maglev = build(&["B0", "B1", "B2"]);
    for order in [["B2", "B1", "B0"], ["B1", "B2", "B0"]] {
        let other: Maglev = build(&order);
        assert_eq!(other.fingerprint(), layout.fingerprint());
        for entry in 0..65_537 {
            assert_eq!(owner_at(&other, entry), owner_at(&layout, entry), "entry {entry}");
        }
    }
}

#[test]
fn c26_a_table_size_that_is_no_prime_is_refused() {
    let members = Members::named(["A", "B", "C"]).unwrap();
    let build = |entries| Maglev::build(Config { entries, ..Config::default() }, members.clone());
    for entries in [0, 1, 4, 8, 16_348, 65_536] {
        let told = build(entries).unwrap_err().to_string();
        assert!(told.starts_with(&format!("entries is {entries}, but must be a prime")), "{told}");
    }
    assert!(build(65_537).is_ok());
    assert!(build(2).is_err(), "three nodes in two entries");
    assert!(populate(8, &[(0, 4), (1, 2)]).is_err(), "it would leave entries free");
}

#[test]
fn c27_entries_are_in_the_ratio_of_the_weights() {
    let layout: Maglev = weighted(Config::default(), &[("a", 1), ("b", 2)]);
    assert_eq!(entries(&layout), [21_846, 43_691]);
    let layout: Maglev = weighted(Config::default(), &[("a", 1), ("b", 2), ("c", 5)]);
    assert_eq!(entries(&layout), [8_192, 16_384, 40_961]);
}

#[test]
fn c28_a_change_moves_a_few_entries_between_nodes_that_stay() {
    let ids: Vec<String> = (0..10).map(|i| format!("n{i:03}")).collect();
    for (size, least, most) in [(65_537, 0.0, 0.012), (1009, 0.005, 0.06)] {
        let config = Config { entries: size, ..Config::default() };
        let members = Members::named(ids.iter().map(String::as_str)).unwrap();
        let layout = Maglev::build(config, members).unwrap();
        let entries = entries(&layout);
        assert!(entries.iter().max().unwrap() - entries.iter().min().unwrap() <= 1);
        for (change, id) in [(remove("n005"), "n005"), (add("zz"), "zz")] {
            let after = layout.with_changes(&[change]).unwrap();
            let stray = (0..u64::from(size)).filter(|&entry| {
                let (from, to) = (owner_at(&layout, entry), owner_at(&after, entry));
                from != to && from.as_deref() != Some(id) && to.as_deref() != Some(id)
            });
            let stray = fraction(stray.count(), usize::try_from(size).unwrap());
            assert!((least..=most).contains(&stray), "{stray} of {size} for {id}");
        }
    }
}

#[test]
fn c23_weights_that_sum_to_2_to_the_32_do_not_wrap_in_maglev() {
    let layout: Maglev = weighted(Config::default(), &[("a", 1 << 31), ("b", 1 << 31)]);
    assert_eq!(entries(&layout), [32_769, 32_768]);
    let layout: Maglev = weighted(Config::default(), &[("a", u32::MAX), ("b", 1)]);
    assert_eq!(entries(&layout), [65_537, 0]);
}

#[test]
fn c24_a_half_percent_weight_keeps_its_half_percent_in_maglev() {
    let layout: Maglev = weighted(Config::default(), &[("a", 5), ("b", 995)]);
    // 65537 * 5 / 1000 is 327.685.
    assert_eq!(entries(&layout)[0], 328);
}

#[test]
fn c43_clients_of_two_views_disagree_about_a_lost_nodes_keys_and_little_more() {
    let full: Maglev = build(&["a", "b", "c", "d"]);
    let stale: Maglev = build(&["a", "b", "c"]);
    let differ = |entry: &u64| owner_at(&full, *entry) != owner_at(&stale, *entry);
    let differ: Vec<u64> = (0..65_537).filter(differ).collect();
    let of_d = (0..65_537).filter(|&e| owner_at(&full, e).as_deref() == Some("d")).count();
    let extra = differ.iter().filter(|&&e| owner_at(&full, e).as_deref() != Some("d")).count();
    assert_eq!(differ.len(), of_d + extra);
    assert!(fraction(extra, 65_537) < 0.012, "{extra}");
}

#[test]
fn a_table_keeps_its_size_when_nodes_come_and_go() {
    let ids = numbered("n", 20);
    let config = Config { hash: KeyHash::default(), entries: 23 };
    let members = Members::named(ids.iter().map(String::as_str)).unwrap();
    let layout = Maglev::build(config, members).unwrap();
    let three: Vec<_> = ["x", "y", "z"].map(add).to_vec();
    let full = layout.with_changes(&three).unwrap();
    assert_eq!(full.max_position(), 22);
    let refused = full.with_changes(&[add("too many")]).unwrap_err().to_string();
    assert!(refused.starts_with("entries is 23, but must be "), "{refused}");
}

//! Maglev.

use homing_core::{Build as _, Error, Placement as _, Plan};
use homing_maglev::{Config, Maglev, populate};
use homing_tests::bridge::{key_hash, members, owner_at};
use homing_tests::oracle::{OracleHash, OracleNode, maglev};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::changes::{Model, lists};
use crate::{
    any_weight, apply, assert_fingerprints, assert_positions, assert_rebuilds, config, hashes, ids,
    keys, nodes,
};

fn assert_table(layout: &Maglev, nodes: &[OracleNode], hash: OracleHash, m: u64) {
    let table = ids(nodes, &maglev::table(nodes, hash, m));
    let found: Vec<String> = (0..m).map(|entry| owner_at(layout, entry).unwrap()).collect();
    assert_eq!(found, table);
    assert_eq!(layout.max_position(), m - 1);
}

fn primes() -> impl Strategy<Value = u32> {
    select(vec![13, 17, 101, 251, 1009])
}

proptest! {
    #![proptest_config(config(96))]

    #[test]
    fn a_table_agrees_with_its_oracle(
        nodes in nodes(13, any_weight()), hash in hashes(), entries in primes(), keys in keys(),
    ) {
        let config = Config { hash: key_hash(hash), entries, ..Config::default() };
        let layout = Maglev::build(config.clone(), members(&nodes)).unwrap();
        assert_table(&layout, &nodes, hash, entries.into());
        assert_positions(&layout, hash, &keys);
        assert_rebuilds(&layout);
        assert_fingerprints::<Maglev>(&config, &nodes);
    }

    #[test]
    fn a_table_agrees_with_its_oracle_after_changes(
        nodes in nodes(6, any_weight()), hash in hashes(), lists in lists(any_weight()),
    ) {
        // Six nodes and up to 24 more.
        let entries = 37;
        let config = Config { hash: key_hash(hash), entries, ..Config::default() };
        let mut layout = Maglev::build(config, members(&nodes)).unwrap();
        let mut model = Model::new(&nodes);
        for list in lists {
            let mut next = model.clone();
            let changes = next.make(&list);
            let before = layout.clone();
            if apply(&mut layout, &changes, &next.nodes()) {
                model = next;
            }
            assert_table(&layout, &model.nodes(), hash, entries.into());
            assert_rebuilds(&layout);

            let plan = Plan::between(&before, &layout).unwrap();
            for entry in 0..u64::from(entries) {
                let planned = plan.moves().iter().any(|m| (m.first..=m.last).contains(&entry));
                let moved = owner_at(&before, entry) != owner_at(&layout, entry);
                prop_assert_eq!(planned, moved, "entry {}", entry);
            }
        }
    }

    #[test]
    fn the_published_loop_agrees_with_its_oracle(
        entries in primes(), pairs in vec((any::<u32>(), any::<u32>()), 1..13),
    ) {
        let pairs: Vec<(u32, u32)> =
            pairs.iter().map(|(a, b)| (a % entries, b % (entries - 1) + 1)).collect();
        let wide: Vec<(u64, u64)> = pairs.iter().map(|&(a, b)| (a.into(), b.into())).collect();
        let table: Vec<usize> = populate(entries, &pairs)
            .unwrap()
            .into_iter()
            .map(|owner| usize::try_from(owner).unwrap())
            .collect();
        prop_assert_eq!(table, maglev::populate(entries.into(), &wide));
    }

    #[test]
    fn a_table_size_that_is_no_prime_is_refused(entries in 0..5000_u32) {
        let prime = entries > 1 && (2..entries).all(|divisor| entries % divisor != 0);
        let config = Config { entries, ..Config::default() };
        let built = Maglev::build(config, members(&[OracleNode::new("a")]));
        match built {
            Ok(_) => prop_assert!(prime, "{} is no prime", entries),
            Err(Error::InvalidParameter { .. }) => prop_assert!(!prime, "{} is a prime", entries),
            Err(error) => prop_assert!(false, "{}", error),
        }
    }
}

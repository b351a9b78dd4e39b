//! Rendezvous, jump and modulo.

use homing_core::{Build as _, Change, Error, Placement as _};
use homing_jump::Jump;
use homing_modulo::Modulo;
use homing_rendezvous::Rendezvous;
use homing_tests::bridge::{key_hash, members, owner_at, remove, reweight};
use homing_tests::oracle::{OracleHash, OracleNode, draw, jump, modulo, rendezvous};
use proptest::prelude::*;

use crate::changes::{Model, lists};
use crate::{
    any_weight, apply, assert_fingerprints, assert_order, assert_positions, assert_rebuilds,
    config, hashes, keys, nodes, positions,
};

fn assert_rendezvous(layout: &Rendezvous, nodes: &[OracleNode], hash: OracleHash, at: &[u64]) {
    // Where a position is a node's seed, its score is 0.
    let seeds = nodes.iter().take(3).map(|node| draw(hash, &node.id, 0));
    for position in at.iter().copied().chain(seeds) {
        let order = rendezvous::order(nodes, hash, position);
        assert_order(layout, nodes, position, &order);
    }
}

fn place(layout: &impl homing_core::Placement, position: u64) -> Option<usize> {
    layout.owner_at(position).map(homing_core::NodeIndex::get)
}

proptest! {
    #![proptest_config(config(96))]

    #[test]
    fn rendezvous_agrees_with_its_oracle(
        nodes in nodes(12, any_weight()), hash in hashes(), keys in keys(), at in positions(),
    ) {
        let config = homing_rendezvous::Config { hash: key_hash(hash), ..Default::default() };
        let layout = Rendezvous::build(config.clone(), members(&nodes)).unwrap();
        assert_positions(&layout, hash, &keys);
        assert_rendezvous(&layout, &nodes, hash, &at);
        assert_fingerprints::<Rendezvous>(&config, &nodes);
    }

    #[test]
    fn rendezvous_agrees_with_its_oracle_where_weights_are_equal(
        nodes in nodes(12, Just(7)), hash in hashes(), at in positions(),
    ) {
        let config = homing_rendezvous::Config { hash: key_hash(hash), ..Default::default() };
        let layout = Rendezvous::build(config, members(&nodes)).unwrap();
        assert_rendezvous(&layout, &nodes, hash, &at);
    }

    #[test]
    fn rendezvous_agrees_with_its_oracle_after_changes(
        nodes in nodes(6, any_weight()), hash in hashes(), lists in lists(any_weight()),
        at in positions(),
    ) {
        let config = homing_rendezvous::Config { hash: key_hash(hash), ..Default::default() };
        let mut layout = Rendezvous::build(config, members(&nodes)).unwrap();
        let mut model = Model::new(&nodes);
        for list in lists {
            let mut next = model.clone();
            let changes = next.make(&list);
            if apply(&mut layout, &changes, &next.nodes()) {
                model = next;
            }
            assert_rendezvous(&layout, &model.nodes(), hash, &at);
            assert_rebuilds(&layout);
        }
    }

    #[test]
    fn jump_agrees_with_its_oracle(
        nodes in nodes(40, Just(1)), hash in hashes(), keys in keys(), at in positions(),
        grow in 0..20_usize, shrink in 0..20_usize,
    ) {
        let config = homing_jump::Config { hash: key_hash(hash), ..Default::default() };
        let mut layout = Jump::build(config.clone(), members(&nodes)).unwrap();
        assert_positions(&layout, hash, &keys);
        assert_fingerprints::<Jump>(&config, &nodes);
        let mut nodes = nodes;
        let assert_jump = |layout: &Jump, nodes: &[OracleNode]| {
            for &position in &at {
                let n = u32::try_from(nodes.len()).unwrap();
                let bucket = usize::try_from(jump::bucket(position, n)).unwrap();
                assert_eq!(place(layout, position), Some(bucket), "{position} of {n}");
                assert_eq!(owner_at(layout, position).unwrap(), nodes[bucket].id);
            }
        };
        assert_jump(&layout, &nodes);

        let joining: Vec<OracleNode> =
            (0..grow).map(|i| OracleNode::new(&format!("joins-{i}"))).collect();
        let changes: Vec<Change> =
            joining.iter().map(|node| Change::Add(homing_tests::bridge::node(node))).collect();
        layout.apply(&changes).unwrap();
        nodes.extend(joining);
        assert_jump(&layout, &nodes);

        let left = nodes.split_off(nodes.len() - shrink.min(nodes.len() - 1));
        let changes: Vec<Change> = left.iter().rev().map(|node| remove(&node.id)).collect();
        layout.apply(&changes).unwrap();
        assert_jump(&layout, &nodes);
        assert_rebuilds(&layout);
    }

    #[test]
    fn jump_refuses_weights_and_removals_but_of_the_last(
        nodes in nodes(10, Just(1)), at in any::<prop::sample::Index>(), weight in 2..9_u32,
    ) {
        let mut layout = Jump::build(homing_jump::Config::default(), members(&nodes)).unwrap();
        let before = layout.fingerprint();
        let place = at.index(nodes.len());
        let heavier = layout.apply(&[reweight(&nodes[place].id, weight)]).unwrap_err();
        let unsupported = matches!(heavier, Error::Unsupported { family: "jump", .. });
        prop_assert!(unsupported, "{heavier}");
        let removed = layout.with_changes(&[remove(&nodes[place].id)]);
        match removed {
            Ok(_) => prop_assert_eq!(place, nodes.len() - 1),
            Err(Error::NoNodes) => prop_assert_eq!(nodes.len(), 1),
            Err(error) => {
                prop_assert!(place < nodes.len() - 1);
                prop_assert_eq!(error.to_string(), "jump: removes only the node that joined last");
            }
        }
        prop_assert_eq!(layout.fingerprint(), before);
    }

    #[test]
    fn modulo_agrees_with_its_oracle_after_changes(
        nodes in nodes(12, Just(1)), hash in hashes(), lists in lists(Just(1)), keys in keys(),
        at in positions(),
    ) {
        let config = homing_modulo::Config { hash: key_hash(hash), ..Default::default() };
        let mut layout = Modulo::build(config.clone(), members(&nodes)).unwrap();
        assert_positions(&layout, hash, &keys);
        assert_fingerprints::<Modulo>(&config, &nodes);
        let mut model = Model::new(&nodes);
        for list in lists {
            let mut next = model.clone();
            let changes = next.make(&list);
            if apply(&mut layout, &changes, &next.nodes()) {
                model = next;
            }
            let members = model.nodes();
            for (index, node) in layout.members().iter_by_index() {
                prop_assert_eq!(model.id_at(index.get()), Some(node.id.as_str()));
            }
            for &position in &at {
                let expected = &members[modulo::place(position, members.len())].id;
                prop_assert_eq!(&owner_at(&layout, position).unwrap(), expected);
            }
            assert_rebuilds(&layout);
        }
    }
}

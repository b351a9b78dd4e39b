//! The forms of a table: two bytes an entry, or four where an index does not fit.

use homing_core::{Build, Change, KeyHash, Members, Node, NodeId, NodeIndex, Placement, draw};
use homing_maglev::{Config, Maglev, populate};

const ENTRIES: u32 = 131_101; // a prime, the least above 2^17

fn id(i: usize) -> String {
    format!("node-{i}")
}

fn maglev(entries: u32, nodes: usize) -> Maglev {
    let nodes = (0..nodes).map(|i| Node::new(id(i)));
    let config = Config { entries, ..Config::default() };
    Maglev::build(config, Members::new(nodes).unwrap()).unwrap()
}

/// The table by the README's definition: `populate` over the nodes in order of id.
fn defined(maglev: &Maglev) -> Vec<NodeIndex> {
    let Config { hash, entries, .. } = maglev.config();
    let permutation = |hash: u64| {
        let below = |i, bound: u32| u32::try_from(draw(hash, i) % u64::from(bound)).unwrap();
        (below(0, entries), below(1, entries - 1) + 1)
    };
    let active = || maglev.members().iter().filter(|(_, node)| node.weight > 0);
    let indices: Vec<NodeIndex> = active().map(|(index, _)| index).collect();
    let permutations: Vec<_> =
        active().map(|(_, node)| permutation(hash.hash(node.id.as_str().as_bytes()))).collect();
    let table = populate(entries, &permutations).unwrap();
    table.into_iter().map(|place| indices[place as usize]).collect()
}

/// Every way to ask gives the table as defined.
fn assert_defined(maglev: &Maglev) {
    let expected = defined(maglev);
    assert!(maglev.table().eq(expected.iter().copied()));
    let positions: Vec<u64> = (0..=maglev.max_position()).collect();
    let mut owners = vec![None; positions.len()];
    maglev.owners_at(&positions, &mut owners);
    assert!(owners.iter().eq(expected.iter().map(|&index| Some(index)).collect::<Vec<_>>().iter()));
    for (&position, &owner) in positions.iter().zip(&expected) {
        assert_eq!(maglev.owner_at(position), Some(owner));
    }
    let mut first = 0;
    for segment in maglev.segments().unwrap() {
        for position in first..=segment.last {
            assert_eq!(segment.owner, Some(expected[usize::try_from(position).unwrap()]));
        }
        first = segment.last + 1;
    }
    assert_eq!(first, positions.len() as u64);
}

/// The bytes of the table alone.
fn table_bytes(maglev: &Maglev) -> usize {
    maglev.memory_usage() - maglev.members().memory_usage()
}

#[test]
fn a_table_is_as_defined_at_every_number_of_nodes() {
    for nodes in [1, 2, 15, 16, 17] {
        assert_defined(&maglev(1_009, nodes));
    }
    for nodes in [65_535, 65_536, 65_537] {
        assert_defined(&maglev(ENTRIES, nodes));
    }
}

#[test]
fn an_entry_has_two_bytes_while_every_index_fits() {
    let entries = ENTRIES as usize;
    assert_eq!(table_bytes(&maglev(ENTRIES, 65_536)), 2 * entries);
    assert_eq!(table_bytes(&maglev(ENTRIES, 65_537)), 4 * entries);
}

#[test]
fn a_table_that_changes_its_form_in_place_is_that_of_a_fresh_build() {
    let mut changed = maglev(ENTRIES, 65_535);
    let removed = |i| Change::Remove(NodeId::new(id(i)));
    let added = |i| Change::Add(Node::new(id(i)));
    for changes in [
        vec![added(65_535)],                  // the last index that fits
        vec![added(65_536)],                  // one that does not
        vec![removed(3)],                     // fewer nodes, the same greatest index
        vec![removed(65_536), added(70_000)], // which goes to index 3
        vec![Change::Reweight(NodeId::new(id(9)), 0)],
    ] {
        changed.apply(&changes).unwrap();
        let fresh = Maglev::build(changed.config(), changed.members().clone()).unwrap();
        assert_eq!(changed, fresh);
        assert_defined(&changed);
    }
}

#[test]
fn a_table_after_many_changes_is_that_of_a_fresh_build() {
    let mut changed = maglev(4_099, 20);
    for step in 0..300 {
        let [kind, node, weight] = [0, 1, 2].map(|i| draw(step, i));
        let node = NodeId::new(id(usize::try_from(node % 40).unwrap()));
        let weight = u32::try_from(weight % 4).unwrap();
        let change = match (changed.members().index_of(&node), kind % 3) {
            (None, _) => Change::Add(Node::new(node.as_str()).weighing(weight)),
            (Some(_), 0) => Change::Remove(node),
            (Some(_), _) => Change::Reweight(node, weight),
        };
        let before = changed.clone();
        if changed.apply(&[change]).is_err() {
            assert_eq!(changed, before);
        }
        let fresh = Maglev::build(changed.config(), changed.members().clone()).unwrap();
        assert_eq!(changed, fresh, "step {step}");
    }
}

#[test]
fn positions_are_the_remainders_of_the_hashes() {
    for entries in [2, 13, 65_537, 1_000_003] {
        let maglev = maglev(entries, 2);
        for i in 0..20_000 {
            let key = id(i);
            let hash = KeyHash::default().hash(key.as_bytes());
            assert_eq!(maglev.position(key.as_bytes()), hash % u64::from(entries), "{key}");
        }
    }
}

#[test]
fn a_batch_of_keys_has_the_owner_of_each() {
    for nodes in [1, 17, 65_536, 65_537] {
        let maglev = maglev(ENTRIES, nodes);
        for count in [0, 1, 2, 15, 16, 17, 64, 65, 5_000] {
            let keys: Vec<String> = (0..count).map(id).collect();
            let keys: Vec<&[u8]> = keys.iter().map(String::as_bytes).collect();
            let mut owners = vec![None; count];
            maglev.owners(&keys, &mut owners);
            for (key, owner) in keys.iter().zip(owners) {
                assert_eq!(owner, maglev.owner_at(maglev.position(key)));
            }
        }
    }
}

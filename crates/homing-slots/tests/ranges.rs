//! Plans in one range for each node, by load and for many nodes; against every
//! order of the nodes, on small maps.

use homing_core::{Build, Members, Node, NodeId, Placement};
use homing_slots::{Config, Handover, Prefer, RangesBound, SlotRange, Slots};

/// A map of the first slots, whose owners are places in `nodes`.
fn small(nodes: &[Node], owners: &[usize]) -> Slots {
    let ranges = (0_u16..).zip(owners).map(|(slot, &owner)| SlotRange {
        first: slot,
        last: slot,
        node: NodeId::new(nodes[owner].id.as_str()),
    });
    let config = Config { ranges: Some(ranges.collect()) };
    Slots::build(config, Members::new(nodes.iter().cloned()).unwrap()).unwrap()
}

fn nodes(weights: &[u32]) -> Vec<Node> {
    let named = weights.iter().enumerate();
    named.map(|(i, &weight)| Node::new(format!("n{i:02}")).weighing(weight)).collect()
}

fn loads(of: &[u64]) -> Vec<u64> {
    let mut loads = of.to_vec();
    loads.resize(16_384, 0);
    loads
}

/// The owners of the first slots after some moves, as places.
fn after(owners: &[usize], moves: &[Handover]) -> Vec<usize> {
    let mut owners = owners.to_vec();
    for it in moves {
        for &slot in &it.slots {
            assert_eq!(owners[usize::from(slot)], it.from.get());
            owners[usize::from(slot)] = it.to.get();
        }
    }
    owners
}

fn moved(moves: &[Handover]) -> usize {
    moves.iter().map(|it| it.slots.len()).sum()
}

fn ranges(owners: &[usize]) -> usize {
    owners.chunk_by(|a, b| a == b).count()
}

/// A sequence of numbers that looks random: the generator of Numerical Recipes.
fn numbers(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223) % (1 << 32);
        (state >> 8) % below
    }
}

/// Every order of some places.
fn orders(places: &[usize]) -> Vec<Vec<usize>> {
    if places.is_empty() {
        return vec![Vec::new()];
    }
    let behind = |&first: &usize| {
        let rest: Vec<usize> = places.iter().copied().filter(|&it| it != first).collect();
        let orders = orders(&rest).into_iter();
        orders.map(|order| [&[first][..], &order].concat()).collect::<Vec<_>>()
    };
    places.iter().flat_map(behind).collect()
}

/// The map of an order by load: each border, of all there could be, is where the load
/// before it is nearest to what is due.
fn laid(order: &[usize], weights: &[u32], some: &[u64]) -> Vec<usize> {
    let all: u64 = some.iter().sum();
    let total: u64 = weights.iter().copied().map(u64::from).sum();
    let mut due = 0;
    let mut map = Vec::new();
    for &place in order {
        due += u64::from(weights[place]);
        let off = |end: &usize| (some[..*end].iter().sum::<u64>() * total).abs_diff(all * due);
        let end = (0..=some.len()).min_by_key(off).unwrap();
        map.resize(end.max(map.len()), place);
    }
    map
}

#[test]
fn ranges_by_load_move_fewest_of_all_orders() {
    let mut number = numbers(5);
    for weights in [[1, 1, 1, 1], [3, 1, 2, 1], [2, 0, 1, 1]] {
        let nodes = nodes(&weights);
        let due: Vec<usize> = (0..4).filter(|&place| weights[place] > 0).collect();
        for _ in 0..100 {
            let owners: Vec<usize> = (0..12).map(|_| usize::try_from(number(4)).unwrap()).collect();
            // No load is 0, so that no two borders are equally loaded.
            let some: Vec<u64> = (0..12).map(|_| 1 + number(9)).collect();
            let slots = small(&nodes, &owners);
            let moves = slots.moves_to_level(&loads(&some), 0, Prefer::Ranges).unwrap();
            let differ = |map: &[usize]| map.iter().zip(&owners).filter(|(a, b)| a != b).count();
            let least = orders(&due)
                .iter()
                .map(|order| differ(&laid(order, &weights, &some)))
                .min()
                .unwrap();
            let map = after(&owners, &moves);
            assert_eq!(moved(&moves), least, "{weights:?} {owners:?} {some:?}");
            assert!(ranges(&map) <= due.len(), "{weights:?} {owners:?} {some:?}");
        }
    }
}

#[test]
fn ranges_by_load_are_above_their_due_by_a_slot_at_most() {
    let mut number = numbers(13);
    let weights = [3_u32, 1, 2, 1];
    for _ in 0..200 {
        let owners: Vec<usize> = (0..40).map(|_| usize::try_from(number(4)).unwrap()).collect();
        let some: Vec<u64> = (0..40).map(|_| number(30)).collect();
        let slots = small(&nodes(&weights), &owners);
        let moves = slots.moves_to_level(&loads(&some), 10, Prefer::Ranges).unwrap();
        let map = after(&owners, &moves);
        let (all, most) = (some.iter().sum::<u64>(), *some.iter().max().unwrap());
        for (place, weight) in weights.into_iter().enumerate() {
            let load: u64 = (0..40).filter(|&slot| map[slot] == place).map(|slot| some[slot]).sum();
            // The weights add up to 7.
            assert!(load * 7 <= all * u64::from(weight) + most * 7, "{owners:?} {some:?}");
        }
    }
}

#[test]
fn ranges_that_are_level_stay() {
    // By hand: 10, 10 and 10, though 0-1, 2-4 and 5 could also be cut elsewhere.
    let some = [4, 6, 3, 3, 4, 10];
    let slots = small(&nodes(&[1; 3]), &[1, 1, 0, 0, 0, 2]);
    assert_eq!(slots.moves_to_level(&loads(&some), 10, Prefer::Ranges), Ok(vec![]));
}

#[test]
fn a_level_map_in_pieces_is_put_in_ranges() {
    // By hand: both have 4 in two pieces each; in one range each two slots move.
    let owners = [0, 1, 0, 1];
    let slots = small(&nodes(&[1; 2]), &owners);
    let some = loads(&[2, 2, 2, 2]);
    assert_eq!(slots.moves_to_level(&some, 10, Prefer::Moves), Ok(vec![]));
    let moves = slots.moves_to_level(&some, 10, Prefer::Ranges).unwrap();
    assert_eq!((moved(&moves), ranges(&after(&owners, &moves))), (2, 2));
}

#[test]
fn a_range_gives_what_no_slot_alone_would_level() {
    // By hand: of 55 loads of 1 the node of weight 100 is due 50, each of ten others
    // half a one, five of which come by a slot. No single slot lowers the greatest
    // load over its weight, 55 / 100: with the taker it would be 1 / 1.
    let weights = [[100].as_slice(), &[1; 10]].concat();
    let slots = small(&nodes(&weights), &[0; 55]);
    let some = loads(&[1; 55]);
    assert_eq!(slots.moves_to_level(&some, 10, Prefer::Moves), Ok(vec![]));
    assert_eq!(moved(&slots.moves_to_level(&some, 10, Prefer::Ranges).unwrap()), 5);
}

#[test]
fn loads_and_weights_as_great_as_can_be_do_not_overflow() {
    // By hand: equal loads and weights of two nodes, so that each has half of four.
    let slots = small(&nodes(&[u32::MAX; 2]), &[0, 0, 0, 1]);
    let moves = slots.moves_to_level(&loads(&[u64::MAX; 4]), 10, Prefer::Ranges).unwrap();
    assert_eq!(after(&[0, 0, 0, 1], &moves), [0, 0, 1, 1]);
}

#[test]
fn slots_of_no_load_are_shared_by_number() {
    // By hand: 5 and 5 are due, and any border in 1..=9 leaves that; half of the ten
    // slots is 5. With 0 in front 0, 2, 4, 5, 7 and 9 stay, else four.
    let owners = [0, 1, 0, 1, 0, 1, 0, 1, 0, 1];
    let slots = small(&nodes(&[1; 2]), &owners);
    let some = loads(&[5, 0, 0, 0, 0, 0, 0, 0, 0, 5]);
    let moves = slots.moves_to_level(&some, 10, Prefer::Ranges).unwrap();
    assert_eq!(after(&owners, &moves), [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
}

#[test]
fn a_bound_of_few_nodes_is_what_moves() {
    let mut number = numbers(17);
    for _ in 0..50 {
        let owners: Vec<usize> = (0..15).map(|_| usize::try_from(number(5)).unwrap()).collect();
        let slots = small(&nodes(&[1; 5]), &owners);
        // 15 slots, 3 each: every map in ranges is an order of five.
        let least = orders(&[0, 1, 2, 3, 4])
            .iter()
            .map(|order| {
                let laid = order.iter().flat_map(|&node| [node; 3]);
                laid.zip(&owners).filter(|(a, b)| a != *b).count()
            })
            .min()
            .unwrap();
        assert_eq!(slots.bound_in_ranges(), RangesBound { ranges: 5, moved: least });
        assert_eq!(moved(&slots.moves_to_quotas(Prefer::Ranges)), least, "{owners:?}");
    }
}

#[test]
fn many_nodes_that_exchanged_a_slot_each_take_it_back() {
    // By hand: ten pairs x x y y x y. Nobody's 3 slots are together, so each node
    // keeps 2 at most; x x x y y y keeps 2 and 2. So 20 of 60 move.
    let order: Vec<usize> = (0..20).map(|i| (i * 7) % 20).collect();
    let owners: Vec<usize> =
        order.chunks(2).flat_map(|pair| [0, 0, 1, 1, 0, 1].map(|which| pair[which])).collect();
    let slots = small(&nodes(&[1; 20]), &owners);
    assert_eq!(slots.bound_in_ranges(), RangesBound { ranges: 20, moved: 20 });
    let moves = slots.moves_to_quotas(Prefer::Ranges);
    assert_eq!((moved(&moves), ranges(&after(&owners, &moves))), (20, 20));
}

#[test]
fn slots_without_an_owner_add_to_the_ranges_there_must_be() {
    // By hand: 0, 2 and 4 are a's, each apart: three ranges for two nodes, and a, who
    // holds more, is due two of the three slots.
    let ranges = [0, 2, 4].map(|slot| SlotRange { first: slot, last: slot, node: "a".into() });
    let config = Config { ranges: Some(ranges.to_vec()) };
    let slots = Slots::build(config, Members::named(["a", "b"]).unwrap()).unwrap();
    assert_eq!(slots.bound_in_ranges(), RangesBound { ranges: 3, moved: 1 });
    assert_eq!(slots.owner_at(1), None);
}

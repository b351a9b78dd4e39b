//! What the operator's tool does, as it was seen doing it.
//!
//! Rows of `redis/create_allocation.jsonl` and `redis/rebalance.jsonl`, which
//! `redis-cli` 7.0.15 made on live clusters.

use homing_core::{Attribute, Build, Change, Error, Members, Node, NodeId, Placement};
use homing_slots::{Config, Created, OperatorTool, SlotRange, Slots};

fn id(number: usize) -> NodeId {
    NodeId::new(format!("node-{number}"))
}

fn number(id: &NodeId) -> usize {
    id.as_str()["node-".len()..].parse().unwrap()
}

fn members(count: usize) -> Members {
    Members::new((0..count).map(|i| Node::new(id(i)))).unwrap()
}

fn on_hosts(hosts: &[&str], replicas: u32) -> Result<Created, Error> {
    let nodes = hosts.iter().enumerate();
    let nodes = nodes.map(|(i, host)| Node::new(id(i)).with(Attribute::Host, host));
    OperatorTool::create(&Members::new(nodes).unwrap(), replicas)
}

/// The map of `slots` with the moves made.
fn made(slots: &Slots, moves: &[homing_slots::Handover]) -> Slots {
    let mut owners: Vec<_> = (0..16_384).map(|slot| slots.owner_at(slot).unwrap()).collect();
    for handover in moves {
        for &slot in &handover.slots {
            assert_eq!(owners[usize::from(slot)], handover.from, "slot {slot}");
            owners[usize::from(slot)] = handover.to;
        }
    }
    let ranges = (0..).zip(owners).map(|(slot, owner)| {
        let node = slots.node(owner).id.clone();
        SlotRange { first: slot, last: slot, node }
    });
    let config = Config { ranges: Some(ranges.collect()) };
    Slots::build(config, slots.members().clone()).unwrap()
}

fn in_numbers(moves: &[homing_slots::Handover]) -> Vec<[usize; 3]> {
    moves.iter().map(|it| [it.from.get(), it.to.get(), it.slots.len()]).collect()
}

fn tool(order: &[usize]) -> OperatorTool {
    let order = order.iter().copied().map(id).collect();
    OperatorTool { order, ..OperatorTool::default() }
}

#[test]
fn one_host_gets_the_ranges_of_the_tool() {
    // create_allocation.jsonl, `create` with 3 and 10 masters: the ends.
    let rows: [&[u16]; 2] = [
        &[5_460, 10_922, 16_383],
        &[1_637, 3_276, 4_914, 6_553, 8_191, 9_829, 11_468, 13_106, 14_745, 16_383],
    ];
    for ends in rows {
        let created = on_hosts(&vec!["h"; ends.len()], 0).unwrap();
        assert_eq!(created.ranges.iter().map(|it| it.last).collect::<Vec<_>>(), ends);
        let nodes: Vec<_> = created.ranges.iter().map(|it| number(&it.node)).collect();
        assert_eq!(nodes, (0..ends.len()).collect::<Vec<_>>());
        assert!(created.replicas.is_empty());
    }
}

#[test]
fn several_hosts_are_taken_in_turn() {
    // create_allocation.jsonl, `create-hosts`: who owns, in order of slots.
    let rows: [(&[&str], u32, &[usize]); 5] = [
        (&["h1", "h2", "h3", "h1", "h2", "h3"], 1, &[0, 1, 2]),
        (&["h1", "h1", "h2", "h2", "h3", "h3"], 1, &[0, 2, 4]),
        (&["h1", "h1", "h1", "h2", "h2", "h2"], 1, &[0, 3, 1]),
        (&["h1", "h1", "h1", "h2", "h2", "h2", "h3", "h3", "h3"], 2, &[0, 3, 6]),
        (&["h1", "h1", "h1", "h2", "h2", "h3"], 0, &[0, 3, 5, 1, 4, 2]),
    ];
    for (hosts, replicas, owners) in rows {
        let created = on_hosts(hosts, replicas).unwrap();
        assert_eq!(
            created.ranges.iter().map(|it| number(&it.node)).collect::<Vec<_>>(),
            owners,
            "{hosts:?}"
        );
        assert_eq!(created.replicas.len(), hosts.len() - owners.len());
        for replica in &created.replicas {
            let (host, of) = (hosts[number(&replica.node)], hosts[number(&replica.of)]);
            assert_ne!(host, of, "{replica:?} of {hosts:?}");
        }
        for owner in owners {
            let followers = created.replicas.iter().filter(|it| number(&it.of) == *owner);
            assert_eq!(followers.count(), replicas as usize);
        }
    }
}

#[test]
fn replicas_share_a_host_with_their_owner_only_where_they_must() {
    // By hand: h1 has the owners 0, 2 and the replicas 3, 4, 5; one of them can
    // follow 1 on h2.
    let created = on_hosts(&["h1", "h2", "h1", "h1", "h1", "h1"], 1).unwrap();
    let apart = created.replicas.iter().filter(|it| number(&it.of) == 1).count();
    assert_eq!((created.replicas.len(), apart), (3, 1));
}

#[test]
fn nodes_without_a_host_are_hosts_of_their_own() {
    let created = OperatorTool::create(&members(4), 0).unwrap();
    let nodes: Vec<_> = created.ranges.iter().map(|it| number(&it.node)).collect();
    assert_eq!(nodes, [0, 1, 2, 3]);
    let built = Slots::build(created.to_config(), members(4)).unwrap();
    assert_eq!(built.ranges(), created.ranges);
}

#[test]
fn two_owners_are_too_few() {
    assert_eq!(
        on_hosts(&["h1", "h2", "h3", "h4", "h5"], 1).unwrap_err().to_string(),
        "number of owners is 2 (5 nodes, 1 replicas), but must be at least 3"
    );
}

/// A row of `rebalance.jsonl`: label, nodes, weights, use-empty, threshold, moves.
type Row<'a> = (&'a str, usize, &'a [(usize, f32)], bool, f32, &'a [[usize; 3]]);

#[test]
fn a_rebalance_makes_the_moves_of_the_tool_in_its_order() {
    // Each row begins with the map that the row before it left.
    let four = [0, 2, 3, 1];
    let five = [0, 4, 2, 1, 3];
    let rows: [Row<'_>; 13] = [
        ("3 even masters, nothing to do", 3, &[], false, 2.0, &[]),
        ("3 masters, weight within 2% threshold", 3, &[(2, 1.03)], false, 2.0, &[]),
        ("3->4 without use-empty: empty master ignored", 4, &[], false, 2.0, &[]),
        ("3->4 use-empty", 4, &[], true, 2.0, &[[1, 3, 1366], [2, 3, 1365], [0, 3, 1365]]),
        (
            "4->3 drain last added by weight 0",
            4,
            &[(3, 0.0)],
            false,
            2.0,
            &[[3, 0, 1366], [3, 2, 1365], [3, 1, 1365]],
        ),
        (
            "drained node back with weight 2",
            4,
            &[(3, 2.0)],
            true,
            2.0,
            &[[0, 3, 2186], [1, 3, 2185], [2, 3, 2185]],
        ),
        (
            "4->3 drain first",
            4,
            &[(0, 0.0)],
            false,
            2.0,
            &[[0, 2, 2186], [0, 1, 1090], [3, 1, 1095]],
        ),
        ("back to even over 4", 4, &[], true, 2.0, &[[2, 0, 1366], [1, 0, 1365], [3, 0, 1365]]),
        (
            "4->5 use-empty on fragmented map",
            5,
            &[],
            true,
            2.0,
            &[[3, 4, 820], [1, 4, 820], [2, 4, 820], [0, 4, 820]],
        ),
        (
            "5->4 drain node 1",
            5,
            &[(1, 0.0)],
            false,
            2.0,
            &[[1, 0, 820], [1, 2, 820], [1, 3, 820], [1, 4, 816]],
        ),
        (
            "weights 1,(1),2,3,4",
            5,
            &[(0, 1.0), (2, 2.0), (3, 3.0), (4, 4.0)],
            true,
            2.0,
            &[[0, 4, 1862], [0, 1, 745], [2, 1, 745], [2, 3, 373]],
        ),
        (
            "fractional weights, threshold 1",
            5,
            &[(0, 0.5), (4, 1.5)],
            true,
            1.0,
            &[[3, 1, 1193], [4, 1, 594], [4, 2, 299], [4, 0, 150]],
        ),
        ("threshold 50", 5, &[], true, 50.0, &[[4, 0, 1639], [1, 3, 1], [2, 3, 1]]),
    ];
    let mut slots = Slots::build(Config::default(), members(3)).unwrap();
    for (label, nodes, weights, use_empty, threshold, moves) in rows {
        while slots.members().len() < nodes {
            let joining = Node::new(id(slots.members().len()));
            slots.apply(&[Change::Add(joining)]).unwrap();
        }
        let order: &[usize] = if nodes == 5 { &five } else { &four[..] };
        let order: Vec<_> = order.iter().copied().filter(|&it| it < nodes).collect();
        let weights = weights.iter().map(|&(node, weight)| (id(node), weight)).collect();
        let tool = OperatorTool { use_empty, threshold, weights, ..tool(&order) };
        let told = tool.rebalance(&slots).unwrap();
        assert_eq!(in_numbers(&told), moves, "{label}");
        slots = made(&slots, &told);
    }
    reshards(&slots);
}

/// The rows of kind `reshard`, which go on from there.
fn reshards(slots: &Slots) {
    let tool = tool(&[0, 4, 2, 1, 3]);
    // "reshard 1000 from all to node 0", taken_counts: two are missing.
    let told = tool.reshard(slots, &[], &id(0), 1_000).unwrap();
    assert_eq!(in_numbers(&told), [[3, 0, 251], [4, 0, 249], [2, 0, 249], [1, 0, 249]]);
    // taken_from of node 3: 0, 594 and 7749-7997.
    let slots_of_3: Vec<u16> = [0, 594].into_iter().chain(7_749..=7_997).collect();
    assert_eq!(told[0].slots, slots_of_3);
    let slots = made(slots, &told);
    // "reshard 777 from nodes 1,2 to node 3".
    let told = tool.reshard(&slots, &[id(1), id(2)], &id(3), 777).unwrap();
    assert_eq!(in_numbers(&told), [[1, 3, 389], [2, 3, 388]]);
    let slots = made(&slots, &told);
    // "reshard 1 slot", taken_from of node 4.
    let told = tool.reshard(&slots, &[id(4)], &id(1), 1).unwrap();
    assert_eq!((in_numbers(&told), &told[0].slots), (vec![[4, 1, 1]], &vec![3_801]));
}

#[test]
fn the_order_read_decides_among_equals() {
    // "3->5 use-empty" and "5->6 use-empty": the nodes in another order each.
    let start = |owners: usize, nodes: usize| {
        let config = OperatorTool::create(&members(owners), 0).unwrap().to_config();
        Slots::build(config, members(nodes)).unwrap()
    };
    let using = |order: &[usize]| OperatorTool { use_empty: true, ..tool(order) };
    let told = using(&[0, 2, 4, 1, 3]).rebalance(&start(3, 5)).unwrap();
    assert_eq!(in_numbers(&told), [[1, 4, 2186], [2, 4, 1092], [2, 3, 1093], [0, 3, 2185]]);
    let told = using(&[0, 4, 3, 1, 2, 5]).rebalance(&start(5, 6)).unwrap();
    assert_eq!(
        in_numbers(&told),
        [[1, 5, 547], [3, 5, 547], [4, 5, 547], [0, 5, 547], [2, 5, 546]]
    );
}

#[test]
fn weights_of_the_membership_count_as_those_given() {
    // "3 masters weights 1,2,3".
    let nodes = (0..3).map(|i| Node::new(id(i)).weighing(u32::try_from(i).unwrap() + 1));
    let config = OperatorTool::create(&members(3), 0).unwrap().to_config();
    let slots = Slots::build(config, Members::new(nodes).unwrap()).unwrap();
    let told = tool(&[0, 1, 2]).rebalance(&slots).unwrap();
    assert_eq!(in_numbers(&told), [[0, 2, 2731], [1, 2, 1]]);
}

#[test]
fn the_tool_moves_more_than_there_must_be() {
    // "5->6 use-empty". 16384 / 6 is 2730 and 4 over: the tool cuts every due part,
    // so the joining node takes those too; the fewest moves leave them where they are.
    let config = OperatorTool::create(&members(5), 0).unwrap().to_config();
    let slots = Slots::build(config, members(6)).unwrap();
    let told = OperatorTool { use_empty: true, ..OperatorTool::default() }.rebalance(&slots);
    let moved = |moves: &[homing_slots::Handover]| moves.iter().map(|it| it.slots.len()).sum();
    let (tool, ours): (usize, usize) = (moved(&told.unwrap()), moved(&slots.rebalance_moves()));
    assert_eq!((tool, ours), (2_734, 2_730));
}

#[test]
fn what_the_tool_would_refuse_is_an_error() {
    let slots = Slots::build(Config::default(), members(3)).unwrap();
    let left = slots.with_changes(&[Change::Remove(id(1))]).unwrap();
    let error = |result: Result<Vec<_>, Error>| result.unwrap_err().to_string();
    assert_eq!(
        error(OperatorTool::default().rebalance(&left)),
        "number of slots without an owner is 5462, from slot 5461 on, \
         but must be 0 before the tool moves any"
    );
    let weighing = |weight| OperatorTool { weights: vec![(id(1), weight)], ..tool(&[]) };
    assert_eq!(
        error(weighing(f32::NAN).rebalance(&slots)),
        "weight is NaN of \"node-1\", but must be finite and at least 0"
    );
    let unknown = OperatorTool { threshold: f32::NAN, ..OperatorTool::default() };
    assert_eq!(error(unknown.rebalance(&slots)), "threshold is NaN, but must be a number");
    assert_eq!(
        error(tool(&[2, 1, 2]).rebalance(&slots)),
        "order is twice \"node-2\", but must be of different nodes"
    );
    assert_eq!(error(tool(&[3]).rebalance(&slots)), "node \"node-3\" is no member");
    assert_eq!(
        error(tool(&[]).reshard(&slots, &[], &id(0), 0)),
        "number of slots to move is 0, but must be from 1 to 16384"
    );
    assert_eq!(
        error(tool(&[]).reshard(&slots, &[id(0)], &id(0), 1)),
        "source is \"node-0\", but must be named once, and not who gets them"
    );
    let none = (0..3).map(|i| (id(i), 0.0)).collect();
    let tool = OperatorTool { weights: none, ..OperatorTool::default() };
    assert_eq!(tool.rebalance(&slots), Err(Error::NoNodes));
}

//! Plans between rings of many points, against the owners of single positions.

use std::collections::BTreeSet;

use homing_core::{Build, Change, Members, Move, Node, NodeId, NodeIndex, Placement, Plan};
use homing_ring::{Config, Points, Ring};

fn ring(points: Points) -> Ring {
    let members = Members::new((0..40).map(|i| Node::new(format!("node-{i}")))).unwrap();
    Ring::build(Config { points, ..Config::default() }, members).unwrap()
}

fn labelled() -> Points {
    Points::Labelled { prefix: String::new(), separator: "-".to_owned(), per_weight: 50 }
}

fn leaving(id: &str) -> Change {
    Change::Remove(NodeId::new(id))
}

/// What moves, by the owner of the end of each run that has one owner in both.
fn moved(before: &Ring, after: &Ring) -> Vec<Move> {
    let id = |ring: &Ring, owner: Option<NodeIndex>| owner.map(|owner| ring.node(owner).id.clone());
    let points = before.points().chain(after.points()).map(|(point, _)| point);
    let ends: BTreeSet<u64> = points.chain([u64::MAX]).collect();
    let mut moves: Vec<Move> = Vec::new();
    let mut first = 0;
    for last in ends {
        let (from, to) = (before.owner_at(last), after.owner_at(last));
        if id(before, from) != id(after, to) {
            match moves.last_mut() {
                Some(run)
                    if run.last.wrapping_add(1) == first && (run.from, run.to) == (from, to) =>
                {
                    run.last = last;
                }
                _ => moves.push(Move { first, last, from, to }),
            }
        }
        first = last.wrapping_add(1);
    }
    moves
}

#[test]
fn a_plan_is_what_the_owners_of_single_positions_say() {
    let joining = |i: u32| Change::Add(Node::new(format!("joined-{i}")));
    let steps = [
        vec![],
        vec![joining(0)],
        vec![leaving("node-7")],
        // Who joins takes the freed index of another node.
        vec![leaving("node-7"), joining(0)],
        (0..30).map(joining).collect(),
        (0..39).map(|i| leaving(&format!("node-{i}"))).collect(),
    ];
    for points in [Points::Drawn { per_weight: 50 }, labelled()] {
        let before = ring(points);
        for changes in &steps {
            let after = before.with_changes(changes).unwrap();
            for (a, b) in [(&before, &after), (&after, &before)] {
                let plan = Plan::between(a, b).unwrap();
                assert_eq!(plan.moves(), moved(a, b), "{changes:?}");
            }
        }
    }
}

#[test]
fn rings_with_no_points_in_common_have_a_plan() {
    let (drawn, labelled) = (ring(Points::Drawn { per_weight: 50 }), ring(labelled()));
    let plan = Plan::between(&drawn, &labelled).unwrap();
    assert_eq!(plan.moves(), moved(&drawn, &labelled));
}

//! What a point owns, by each boundary, against a search through all points.

use homing_core::{Build, Change, KeyHash, Members, Node, NodeId, Placement, Spread, mix64};
use homing_ring::{Boundary, Config, Points, Ring, Ties};

const BOUNDARIES: [Boundary; 3] = [Boundary::AtOrAfter, Boundary::After, Boundary::Nearest];

/// The hashes of all widths that there are.
fn hashes() -> Vec<KeyHash> {
    let foreign = cfg!(feature = "compat").then(|| "crc32".parse().unwrap());
    foreign.into_iter().chain([KeyHash::default()]).collect()
}

fn name(node: u64) -> NodeId {
    NodeId::new(format!("n{node}"))
}

/// The point that owns a position, by the definition of the boundary.
fn owning(points: &[u64], position: u64, boundary: Boundary, max: u64) -> u64 {
    let up = |from: u64, to: u64| to.wrapping_sub(from) & max;
    let after = |from: u64| points.iter().copied().min_by_key(|&point| up(from, point)).unwrap();
    let next = after(position);
    match boundary {
        Boundary::After => after(position.wrapping_add(1) & max),
        Boundary::Nearest => {
            let before = points.iter().copied().min_by_key(|&point| up(point, position)).unwrap();
            if up(before, position) <= up(position, next) { before } else { next }
        }
        _ => next,
    }
}

/// Points of eight nodes: on the ends of the range, crowded, coinciding, or anywhere.
fn lists(max: u64) -> Vec<Vec<(u64, NodeId)>> {
    let spread = |count: u64, bound: u64| {
        let points = (0..count).map(|i| (mix64(i * count) % bound, name(i % 8)));
        points.map(|(point, node)| (point & max, node)).collect::<Vec<_>>()
    };
    let edges = [0, 1, max, max - 1, max / 2, max / 2 + 1, max / 2 + 3, 2];
    vec![
        vec![(0, name(0))],
        vec![(max, name(0))],
        vec![(max / 3, name(0)), (max / 3, name(1))],
        vec![(0, name(0)), (max, name(1))],
        vec![(0, name(0)), (max, name(0)), (max, name(1)), (0, name(2)), (7, name(3))],
        vec![(max - 4, name(0)), (max - 1, name(1)), (max - 1, name(2))],
        edges.into_iter().zip((0..).map(name)).collect(),
        spread(40, 12),
        spread(40, 200),
        spread(600, u64::MAX),
    ]
}

/// A ring of the nodes that have points, and the points that it must show.
fn rings() -> impl Iterator<Item = (Ring, Vec<(u64, NodeId)>)> {
    hashes().into_iter().flat_map(|hash| {
        lists(hash.max_hash()).into_iter().flat_map(move |list| {
            BOUNDARIES.into_iter().map(move |boundary| {
                let points = Points::Assigned(list.clone());
                let config = Config { hash, points, boundary, ties: Ties::LeastId };
                let mut ids: Vec<&NodeId> = list.iter().map(|(_, id)| id).collect();
                ids.sort_unstable();
                ids.dedup();
                let members = Members::new(ids.into_iter().rev().cloned().map(Node::new)).unwrap();
                let mut shown = list.clone();
                shown.sort_unstable();
                shown.dedup_by_key(|point| point.0);
                (Ring::build(config, members).unwrap(), shown)
            })
        })
    })
}

/// The points, what is halfway, and one beside each; and the ends of the range.
fn positions(ring: &Ring, points: &[u64]) -> Vec<u64> {
    let max = ring.max_position();
    let middles = points.iter().zip(&points[1..]).map(|(a, b)| a.midpoint(*b));
    let around = (points[0].wrapping_sub(points[points.len() - 1]) & max) / 2;
    let around = points[points.len() - 1].wrapping_add(around) & max;
    let near = points.iter().copied().chain(middles).chain([around, around.wrapping_add(max / 2)]);
    let near = near.flat_map(|at| (0..5).map(move |i| at.wrapping_add(i).wrapping_sub(2) & max));
    near.chain([0, 1, max - 1, max]).collect()
}

#[test]
fn each_boundary_is_what_its_definition_says() {
    for (ring, shown) in rings() {
        let Config { boundary, hash, .. } = ring.config();
        let max = ring.max_position();
        let points: Vec<u64> = shown.iter().map(|&(point, _)| point).collect();
        for position in positions(&ring, &points) {
            let point = owning(&points, position, boundary, max);
            let expected = &shown[points.binary_search(&point).unwrap()].1;
            let owner = &ring.node(ring.owner_at(position).unwrap()).id;
            assert_eq!(owner, expected, "{position} of {points:?}, {boundary:?}, {hash}");
        }
    }
}

#[test]
fn the_points_are_shown_as_they_are_whatever_they_own() {
    for (ring, shown) in rings() {
        let points = ring.points().map(|(point, node)| (point, ring.node(node).id.clone()));
        assert_eq!(points.collect::<Vec<_>>(), shown, "{:?}", ring.config().boundary);
    }
}

#[test]
fn segments_end_where_owners_say_and_cover_every_position() {
    for (ring, _) in rings() {
        let max = ring.max_position();
        let mut next = Some(0);
        for segment in ring.segments().unwrap() {
            let first = next.expect("nothing follows the greatest position");
            assert!(first <= segment.last && segment.last <= max);
            assert_eq!(ring.owner_at(first), segment.owner);
            assert_eq!(ring.owner_at(segment.last), segment.owner);
            next = (segment.last < max).then(|| segment.last + 1);
        }
        assert_eq!(next, None, "the last segment ends at the greatest position");
    }
}

#[test]
fn all_nodes_are_met_the_owner_first() {
    for (ring, shown) in rings() {
        let points: Vec<u64> = shown.iter().map(|&(point, _)| point).collect();
        let mut replicas = Vec::new();
        for position in positions(&ring, &points) {
            ring.replicas_at(position, 9, Spread::Nodes, &mut replicas);
            assert_eq!(replicas.len(), ring.members().len());
            assert_eq!(replicas.first().copied(), ring.owner_at(position));
            assert_eq!(ring.owners_from(position).next(), ring.owner_at(position));
        }
    }
}

#[test]
fn a_change_gives_what_a_fresh_build_gives() {
    for (ring, _) in rings().filter(|(ring, _)| ring.members().len() > 1) {
        let first = ring.members().iter().next().unwrap().1.id.clone();
        let after = ring.with_changes(&[Change::Remove(first.clone())]).unwrap();
        let fresh = Ring::build(ring.config(), after.members().clone()).unwrap();
        assert!(after.segments().unwrap().eq(fresh.segments().unwrap()));
        assert!(after.points().eq(fresh.points()));
        let back = after.with_changes(&[Change::Add(Node::new(first))]).unwrap();
        assert!(back.segments().unwrap().eq(ring.segments().unwrap()));
    }
}

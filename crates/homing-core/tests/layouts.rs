//! Shares, plans, manifests, `Live` and the contract, on a toy family whose
//! positions are 0..=99 and whose members own up to a bound each.

use std::sync::Arc;

use homing_core::{
    Build, Capabilities, Change, Disruption, Error, Family, Fingerprint, Fingerprinter, KeyHash,
    Live, Manifest, Members, Move, Node, NodeId, NodeIndex, Placement, Plan, Removal, Segment,
    Segments, Snapshot, shares,
};

/// `bounds` are ascending: the node with an id owns up to its bound, inclusive,
/// and the first bound owns what is above the last. Ids that are no members'
/// leave their run without an owner.
#[derive(Clone, Debug)]
struct Toy {
    bounds: Vec<(u64, NodeId)>,
    members: Members,
}

const FAMILY: Family = Family {
    name: "toy",
    title: "Toy",
    source: "none",
    lookup: "O(N)",
    capabilities: Capabilities {
        weights: false,
        removal: Removal::Any,
        disruption: Disruption::Operator,
        replicas: false,
        ordered: false,
    },
};

const UNEVEN: Error = Error::Unsupported { family: "toy", rule: "takes only nodes of weight 1" };

impl Placement for Toy {
    fn family(&self) -> &'static Family {
        Self::FAMILY
    }

    fn members(&self) -> &Members {
        &self.members
    }

    fn position(&self, key: &[u8]) -> u64 {
        KeyHash::default().hash(key) % 100
    }

    fn owner_at(&self, position: u64) -> Option<NodeIndex> {
        let bound = self.bounds.iter().find(|(bound, _)| *bound >= position);
        self.members.index_of(&bound.unwrap_or(&self.bounds[0]).1)
    }

    fn apply(&mut self, changes: &[Change]) -> Result<(), Error> {
        let uneven = |change: &Change| match change {
            Change::Add(node) => node.weight != 1,
            Change::Reweight(_, weight) => *weight != 1,
            _ => false,
        };
        self.members.preview(changes)?;
        if changes.iter().any(uneven) {
            return Err(UNEVEN);
        }
        self.members.apply(changes)
    }

    fn fingerprint(&self) -> Fingerprint {
        let start = Fingerprinter::new("toy").members(&self.members);
        self.bounds
            .iter()
            .fold(start, |all, (bound, id)| all.number(*bound).text(id.as_str()))
            .finish()
    }

    fn keying(&self) -> Fingerprint {
        Fingerprint::of_keying(self.max_position(), KeyHash::default())
    }

    fn memory_usage(&self) -> usize {
        self.members.memory_usage()
    }

    fn max_position(&self) -> u64 {
        99
    }

    fn segments(&self) -> Option<Segments<'_>> {
        let bounds = self.bounds.iter().map(|(bound, _)| *bound);
        let ends = bounds.chain([99]);
        Some(Box::new(ends.map(|last| Segment { last, owner: self.owner_at(last) })))
    }
}

impl Build for Toy {
    type Config = Vec<(u64, NodeId)>;

    const FAMILY: &'static Family = &FAMILY;

    fn build(config: Self::Config, members: Members) -> Result<Self, Error> {
        if members.iter().any(|(_, node)| node.weight != 1) {
            return Err(UNEVEN);
        }
        let split = || {
            let step = 100 / members.len() as u64;
            members
                .iter()
                .enumerate()
                .map(|(i, (_, node))| (i as u64 * step, node.id.clone()))
                .collect()
        };
        let bounds = if config.is_empty() { split() } else { config };
        Ok(Self { bounds, members })
    }

    fn config(&self) -> Self::Config {
        self.bounds.clone()
    }
}

fn toy<const N: usize>(bounds: [(u64, &str); N]) -> Toy {
    let members = Members::named(bounds.map(|(_, id)| id)).unwrap();
    Toy::build(bounds.map(|(bound, id)| (bound, NodeId::new(id))).to_vec(), members).unwrap()
}

fn at(toy: &Toy, id: &str) -> Option<NodeIndex> {
    toy.members.index_of(&NodeId::new(id))
}

homing_core::contract!(Toy);

#[test]
fn a_share_is_the_arc_before_a_point_not_the_one_after() {
    // facts.md, section 1: A at 10, B at 40, C at 80 on 0..=99 own 30, 30 and 40
    // positions: A 81..=99 and 0..=10, B 11..=40, C 41..=80.
    let shares = shares(&toy([(10, "A"), (40, "B"), (80, "C")])).unwrap();
    assert_eq!(shares, [0.30, 0.30, 0.40]);
}

#[test]
fn a_plan_names_exactly_the_run_that_a_new_point_takes() {
    // facts.md, section 1: D at 60 takes 41..=60 from C, 20 % of the circle.
    let before = toy([(10, "A"), (40, "B"), (80, "C")]);
    let after = toy([(10, "A"), (40, "B"), (60, "D"), (80, "C")]);
    let plan = Plan::between(&before, &after).unwrap();
    let moved = Move { first: 41, last: 60, from: at(&before, "C"), to: at(&after, "D") };
    assert_eq!(plan.moves(), [moved]);
    assert_eq!(plan.moves()[0].positions(), 20);
    assert!((plan.fraction() - 0.2).abs() < 1e-15);
}

#[test]
fn blocks_of_every_length_hand_out_each_segment_once() {
    let all: Vec<Segment> = (0..7).map(|last| Segment { last, owner: None }).collect();
    for length in 1..=9 {
        let mut segments: Segments<'_> = Box::new(all.iter().copied());
        let mut block = vec![Segment { last: u64::MAX, owner: None }; length];
        assert_eq!((*segments).fill(&mut []), 0);
        for expected in all.chunks(length) {
            let count = (*segments).fill(&mut block);
            assert_eq!(&block[..count], expected);
        }
        assert_eq!((*segments).fill(&mut block), 0);
    }
}

#[test]
fn a_plan_compares_nodes_by_id_not_by_index() {
    let before = toy([(10, "A"), (40, "B"), (80, "C")]);
    let reversed = Members::named(["C", "B", "A"]).unwrap();
    let after = Toy::build(before.config(), reversed).unwrap();
    assert_eq!(Plan::between(&before, &after).unwrap().moves(), []);
}

#[test]
fn a_run_that_loses_its_owner_moves_to_nobody() {
    let before = toy([(10, "A"), (40, "B"), (80, "C")]);
    let after = before.with_changes(&[Change::Remove(NodeId::new("B"))]).unwrap();
    let plan = Plan::between(&before, &after).unwrap();
    assert_eq!(plan.moves(), [Move { first: 11, last: 40, from: at(&before, "B"), to: None }]);
    assert_eq!(shares(&after).unwrap(), [0.30, 0.0, 0.40]);
}

#[test]
fn moves_that_touch_and_go_the_same_way_are_one() {
    let before = toy([(10, "A"), (20, "B"), (30, "B2"), (99, "C")]);
    let members = Members::named(["A", "C"]).unwrap();
    let after = Toy::build(
        vec![(10, NodeId::new("A")), (25, NodeId::new("C")), (99, NodeId::new("C"))],
        members,
    )
    .unwrap();
    let to = at(&after, "C");
    assert_eq!(
        Plan::between(&before, &after).unwrap().moves(),
        [
            Move { first: 11, last: 20, from: at(&before, "B"), to },
            Move { first: 21, last: 30, from: at(&before, "B2"), to },
        ]
    );
}

#[test]
fn a_manifest_builds_what_it_describes_and_nothing_else() {
    let toy = toy([(10, "A"), (40, "B")]);
    let manifest = Manifest::of(&toy, 7);
    let text = serde_json::to_string(&manifest).unwrap();
    let read: Manifest<Vec<(u64, NodeId)>> = serde_json::from_str(&text).unwrap();
    assert_eq!(read, manifest);
    assert_eq!(read.epoch, 7);
    let built: Toy = read.clone().build().unwrap();
    assert_eq!(built.fingerprint(), toy.fingerprint());

    let mut other = read.clone();
    other.config[0].0 = 11;
    assert!(matches!(other.build::<Toy>(), Err(Error::FingerprintMismatch { .. })));
    let mut other = read.clone();
    other.family = "ring".into();
    assert_eq!(
        other.build::<Toy>().unwrap_err(),
        Error::WrongFamily { stated: "ring".into(), expected: "toy" }
    );
    let mut other = read;
    other.version = 2;
    assert_eq!(other.build::<Toy>().unwrap_err().to_string(), "version is 2, but must be 1");
}

#[test]
fn c24_weights_that_are_no_whole_numbers_of_32_bits_are_refused() {
    for weight in ["NaN", "inf", "-inf", "-1", "-0.5", "0.5", "1e999", "4294967296"] {
        let node = format!("{{\"id\":\"a\",\"weight\":{weight}}}");
        assert!(serde_json::from_str::<Node>(&node).is_err(), "{weight}");
    }
    let heaviest: Node = serde_json::from_str(r#"{"id":"a","weight":4294967295}"#).unwrap();
    assert_eq!(heaviest.weight, u32::MAX);
}

#[test]
fn a_change_from_a_stale_epoch_is_refused_and_the_layout_in_force_stays() {
    let live = Live::new(toy([(10, "A"), (40, "B")]));
    let kept = Arc::clone(&live.load());
    let add = |id: &str| [Change::Add(Node::new(id))];
    assert_eq!(live.change(0, &add("C")), Ok(1));
    let stale = live.change(0, &add("D"));
    assert_eq!(stale, Err(Error::StaleEpoch { base: 0, current: 1 }));
    assert_eq!(stale.unwrap_err().to_string(), "change made from epoch 0, but epoch 1 is current");
    assert!(live.change(1, &add("C")).is_err());
    assert_eq!(live.load().epoch, 1);
    assert_eq!(live.load().placement.members().len(), 3);
    assert_eq!(kept.placement.members().len(), 2);
}

#[test]
fn a_layout_is_put_in_force_again_under_its_epoch() {
    let live = Live::from(Snapshot { epoch: 41, placement: toy([(10, "A")]) });
    assert_eq!(live.change(41, &[Change::Add(Node::new("B"))]), Ok(42));
}

#[test]
fn a_layout_from_elsewhere_is_put_in_force_after_the_current_one() {
    let live = Live::new(toy([(10, "A")]));
    assert_eq!(live.replace(0, toy([(20, "B")])), Ok(1));
    assert_eq!(
        live.load().placement.members().index_of(&NodeId::new("B")),
        Some(NodeIndex::new(0))
    );
    let stale = live.replace(0, toy([(30, "C")]));
    assert_eq!(stale, Err(Error::StaleEpoch { base: 0, current: 1 }));
}

#[test]
fn the_last_epoch_has_no_next() {
    let live = Live::from(Snapshot { epoch: u64::MAX, placement: toy([(10, "A")]) });
    let error = live.change(u64::MAX, &[Change::Add(Node::new("B"))]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "epoch is 18446744073709551615, but must be below 18446744073709551615"
    );
}

#[test]
fn of_changes_raced_from_one_epoch_one_wins() {
    let live = Live::new(toy([(10, "A")]));
    let won = std::thread::scope(|scope| {
        let racers: Vec<_> = (0..8)
            .map(|i| {
                let live = &live;
                scope.spawn(move || live.change(0, &[Change::Add(Node::new(format!("n{i}")))]))
            })
            .collect();
        racers.into_iter().flat_map(|racer| racer.join().unwrap()).count()
    });
    assert_eq!(won, 1);
    assert_eq!(live.load().placement.members().len(), 2);
}

//! What holds of every plan: on random memberships, changes, keys and steps.

use std::collections::BTreeMap;
use std::io::Cursor;

use homing_core::{Change, Members, Node, NodeId, Placement};
use homing_harness::ends::{Ends, Goal};
use homing_harness::measure::difference::{Difference, Moves, RangeMove, difference};
use homing_harness::measure::plan::{Load, Wish, Wishes, plan};
use homing_harness::quantity::Portion;
use homing_harness::registry::{self, Choice};
use homing_harness::workload::{Rows, Workload};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const FAMILIES: [&str; 7] = [
    "ring:points=16",
    "slots",
    "maglev:entries=251",
    "rendezvous",
    "jump",
    "modulo",
    "ring:points=5,hash=sha256",
];

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x686F_6D69_6E67),
        ..ProptestConfig::default()
    }
}

/// Members a, b, ... of these weights, or of weight 1 where the family takes none.
fn members(family: &str, weights: &[u32]) -> Members {
    let weighs = !matches!(family, "jump" | "modulo");
    let mut nodes: Vec<Node> = ('a'..)
        .zip(weights)
        .map(|(id, &weight)| Node::new(id.to_string()).weighing(if weighs { weight } else { 1 }))
        .collect();
    if nodes.iter().all(|node| node.weight == 0) {
        nodes[0].weight = 1;
    }
    Members::new(nodes).unwrap()
}

/// Changes that this family takes: some join, the last leaves or any, one has
/// another weight.
fn changes(
    family: &str,
    members: &Members,
    joining: usize,
    leaves: usize,
    weight: u32,
) -> Vec<Change> {
    let ids: Vec<NodeId> = members.iter().map(|(_, node)| node.id.clone()).collect();
    let mut changes = Vec::new();
    if ids.len() > 2 {
        let at = if family == "jump" { ids.len() - 1 } else { leaves % ids.len() };
        changes.push(Change::Remove(ids[at].clone()));
        if !matches!(family, "jump" | "modulo") {
            changes.push(Change::Reweight(ids[(at + 1) % ids.len()].clone(), weight));
        }
    }
    changes.extend((0..joining).map(|i| Change::Add(Node::new(format!("new-{i}")))));
    changes
}

fn workload(keys: &[Vec<u8>]) -> Workload {
    let mut text = b"key,bytes,requests\n".to_vec();
    for (i, key) in keys.iter().enumerate() {
        text.extend(format!("{},{},{}\n", hex::encode(key), i % 7, i % 5).into_bytes());
    }
    text.extend(b"one-more,3,4\n");
    Workload::read(Rows::new("keys.csv".into(), true, Cursor::new(text), true).unwrap()).unwrap()
}

fn owner(layout: &dyn Placement, key: &[u8]) -> Option<NodeId> {
    layout.owner(key).map(|node| node.id.clone())
}

fn owner_at(layout: &dyn Placement, position: u64) -> Option<NodeId> {
    layout.owner_at(position).map(|index| layout.node(index).id.clone())
}

/// Every sum is what moves, and the list of keys is the plain difference.
fn adds_up(found: &Difference, before: &dyn Placement, after: &dyn Placement, workload: &Workload) {
    let keys = workload.sample(usize::MAX);
    let moved: Vec<(Vec<u8>, Option<NodeId>, Option<NodeId>)> = keys
        .into_iter()
        .map(|key| (owner(before, &key), owner(after, &key), key))
        .filter(|(from, to, _)| from != to)
        .map(|(from, to, key)| (key, from, to))
        .collect();
    let Moves::Keys(listed) = &found.moves else { panic!("keys were given") };
    let listed: Vec<_> =
        listed.iter().map(|it| (it.key.clone(), it.from.clone(), it.to.clone())).collect();
    assert_eq!(listed, moved);
    let mut pairs = BTreeMap::<_, u64>::new();
    for (_, from, to) in &moved {
        *pairs.entry((from.clone(), to.clone())).or_default() += 1;
    }
    for flow in found.matrix.iter() {
        let pair = (flow.from.clone(), flow.to.clone());
        assert_eq!(flow.amount.keys.unwrap(), pairs.get(&pair).copied().unwrap_or(0));
    }
    let sum = |of: fn(&homing_harness::measure::difference::Amount) -> Option<u128>| {
        found.matrix.iter().filter_map(|flow| of(&flow.amount)).sum::<u128>()
    };
    assert_eq!(sum(|it| it.keys.map(u128::from)), moved.len() as u128);
    assert_eq!(sum(|it| it.keys.map(u128::from)), u128::from(found.moved.keys.unwrap()));
    assert_eq!(sum(|it| it.bytes), found.moved.bytes.unwrap_or(0));
    assert_eq!(sum(|it| it.requests), found.moved.requests.unwrap_or(0));
    assert_eq!(sum(|it| it.positions), found.moved.positions.unwrap_or(0));
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn a_plan_is_the_plain_difference_and_its_steps_lead_to_its_end(
        family in 0..FAMILIES.len(),
        weights in vec(0..4_u32, 1..7),
        (joining, leaves, weight) in (0..3_usize, 0..7_usize, 0..4_u32),
        keys in vec(vec(any::<u8>(), 0..12), 0..60),
        step in 1..60_u32,
        aim in 0..6_usize,
    ) {
        let name = FAMILIES[family];
        let choice = Choice::parse(name).unwrap();
        let members = members(name, &weights);
        let changes = changes(name, &members, joining, leaves, weight);
        prop_assume!(members.preview(&changes).is_ok());
        let given = homing_harness::members::Given::from(members);
        let ends = Ends::between(Some(choice), given, Goal::Changes(changes)).unwrap();
        let workload = workload(&keys);
        let aim = [
            Wish::Moves,
            Wish::Ranges,
            Wish::By(Load::Keys),
            Wish::InRangesBy(Load::Requests),
            Wish::By(Load::Requests),
            Wish::By(Load::Bytes),
        ][aim];
        let wishes = Wishes {
            aim: (name == "slots").then_some(aim),
            rate: None,
            max_step: Some(Portion::Part(f64::from(step) / 100.0)),
            workload: Some(&workload),
        };
        let plan = match plan(&ends, &wishes) {
            Ok(plan) => plan,
            // Few keys may happen to have neither bytes nor requests.
            Err(error) => {
                prop_assert!(error.to_string().contains("the keys have no"), "{error}");
                return Ok(());
            }
        };
        let before = registry::open(plan.before.clone()).unwrap();
        let after = registry::open(plan.after.clone()).unwrap();
        prop_assert_eq!(before.fingerprint(), plan.start);
        prop_assert_eq!(after.fingerprint(), plan.end);
        adds_up(&plan.difference, &*before, &*after, &workload);

        let mut last = before;
        for step in &plan.steps {
            let next = registry::open(step.manifest.clone()).unwrap();
            prop_assert_eq!(next.fingerprint(), step.fingerprint);
            let moved = difference(&*last, &*next, Some(&workload)).moved;
            prop_assert_eq!(moved.keys, step.moved.keys);
            let count = match plan.difference.all.bytes {
                Some(_) => step.moved.bytes.unwrap(),
                None => step.moved.keys.unwrap().into(),
            };
            #[expect(clippy::cast_precision_loss, reason = "a few hundred")]
            let fits = count as f64 <= plan.max_step.unwrap();
            prop_assert!(step.exceeds || fits, "{step:?}");
            last = next;
        }
        prop_assert_eq!(last.fingerprint(), plan.end);
    }

    #[test]
    fn runs_of_positions_are_the_plain_difference(
        family in 0..4_usize,
        weights in vec(0..4_u32, 1..7),
        (joining, leaves, weight) in (0..3_usize, 0..7_usize, 0..4_u32),
        some in vec(any::<u64>(), 64),
    ) {
        let name = ["ring:points=16", "slots", "maglev:entries=251", "ring:points=1"][family];
        let choice = Choice::parse(name).unwrap();
        let members = members(name, &weights);
        let before = choice.build(members.clone()).unwrap();
        let changes = changes(name, &members, joining, leaves, weight);
        let mut after = before.clone();
        prop_assume!(after.apply(&changes).is_ok());
        let found = difference(&*before, &*after, None);
        let Moves::Ranges(runs) = &found.moves else { panic!("no keys were given") };
        let runs: Vec<RangeMove> = runs.iter().collect();
        let mut positions: Vec<u64> = some
            .into_iter()
            .map(|position| position % before.max_position().max(1))
            .collect();
        positions.extend(runs.iter().flat_map(|run| [run.first, run.last]));
        for position in positions {
            let (from, to) = (owner_at(&*before, position), owner_at(&*after, position));
            let run = runs.iter().find(|run| (run.first..=run.last).contains(&position));
            let run = run.map(|run| (&run.from, &run.to));
            prop_assert_eq!(run, (from != to).then_some((&from, &to)));
        }
        let sum: u128 = found.matrix.iter().filter_map(|flow| flow.amount.positions).sum();
        let runs: u128 = runs.iter().map(|run| u128::from(run.last - run.first) + 1).sum();
        prop_assert_eq!((Some(sum), sum), (found.moved.positions, runs));
    }

    #[test]
    fn equal_layouts_have_no_difference(
        family in 0..FAMILIES.len(),
        weights in vec(0..4_u32, 1..7),
        keys in vec(vec(any::<u8>(), 0..12), 0..20),
    ) {
        let name = FAMILIES[family];
        let layout = Choice::parse(name).unwrap().build(members(name, &weights)).unwrap();
        for workload in [None, Some(workload(&keys))] {
            let found = difference(&*layout, &*layout, workload.as_ref());
            prop_assert!(!found.moves_anything() && found.matrix.is_empty());
            prop_assert!(found.moves.is_empty() && found.fraction == 0.0);
        }
    }
}

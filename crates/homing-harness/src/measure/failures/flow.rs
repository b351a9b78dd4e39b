//! Where the load of a failed node goes.

use homing_core::{NodeIndex, Placement, Plan};

use super::by::By;
use crate::workload::{Block, Workload};

/// Positions, keys, bytes or requests before and after a failure, counted; all by
/// index before.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    pub(super) before: Vec<u128>,
    pub(super) after: Vec<u128>,
    pub(super) taken: Vec<u128>, // what each survivor takes over from who failed
    pub(super) lost: u128,       // what the failed ones owned
    pub(super) stray: u128,      // what moves between survivors
    pub(super) unserved: u128,   // what nobody owns after
    total: u128,
}

impl Flow {
    /// Over the keys of a workload, or, without one, over all positions: both
    /// layouts must then have segments. Without a layout after, nobody is left.
    pub(super) fn of(
        before: &dyn Placement,
        after: Option<&dyn Placement>,
        failed: &[NodeIndex],
        over: Option<&Workload>,
    ) -> By<Self> {
        let flows = match over {
            Some(workload) => Self::over_keys(before, after, failed, workload),
            None => By::keys(Self::over_positions(before, after, failed)),
        };
        flows.map(|mut flow| {
            flow.lost = failed.iter().map(|index| flow.before[index.get()]).sum();
            flow
        })
    }

    fn over_positions(
        before: &dyn Placement,
        after: Option<&dyn Placement>,
        failed: &[NodeIndex],
    ) -> Self {
        let mut flow = match after {
            Some(after) => Self::exact(before, after, failed),
            None => Self { before: owned(before), ..Self::empty(before) },
        };
        flow.total = u128::from(before.max_position()) + 1;
        flow.unserved = flow.total - flow.after.iter().sum::<u128>();
        flow
    }

    /// A count as a part of all.
    pub(super) fn part(&self, count: u128) -> f64 {
        if self.total == 0 { 0.0 } else { count as f64 / self.total as f64 }
    }

    fn empty(before: &dyn Placement) -> Self {
        let none = vec![0; before.members().index_bound()];
        Self {
            before: none.clone(),
            after: none.clone(),
            taken: none,
            lost: 0,
            stray: 0,
            unserved: 0,
            total: 0,
        }
    }

    fn exact(before: &dyn Placement, after: &dyn Placement, failed: &[NodeIndex]) -> Self {
        let mut flow = Self { before: owned(before), ..Self::empty(before) };
        let home = after.members().matched_in(before.members());
        for (index, &owned) in owned(after).iter().enumerate() {
            if let Some(home) = home[index] {
                flow.after[home.get()] = owned;
            }
        }
        let has_failed = marked(before, failed);
        let plan = Plan::between(before, after).expect("both layouts have segments and one keying");
        for step in plan.moves() {
            let (Some(from), Some(to)) = (step.from, step.to) else { continue };
            if has_failed[from.get()] {
                if let Some(home) = home[to.get()] {
                    flow.taken[home.get()] += step.positions();
                }
            } else {
                flow.stray += step.positions();
            }
        }
        flow
    }

    fn over_keys(
        before: &dyn Placement,
        after: Option<&dyn Placement>,
        failed: &[NodeIndex],
        workload: &Workload,
    ) -> By<Self> {
        let home = after.map(|after| after.members().matched_in(before.members()));
        let has_failed = marked(before, failed);
        let count = |flows: &mut By<Self>, block: &Block<'_>| {
            let positions: Vec<u64> = block.keys.iter().map(|key| before.position(key)).collect();
            let mut from = vec![None; positions.len()];
            let mut to = vec![None; positions.len()];
            before.owners_at(&positions, &mut from);
            if let (Some(after), Some(home)) = (after, &home) {
                after.owners_at(&positions, &mut to);
                for to in &mut to {
                    *to = to.and_then(|to: NodeIndex| home[to.get()]);
                }
            }
            for (i, (&from, &to)) in from.iter().zip(&to).enumerate() {
                let failed = from.is_some_and(|from| has_failed[from.get()]);
                flows.add(block, i, |flow, amount| flow.add(amount.into(), from, to, failed));
            }
        };
        let none = || By::each_of(workload, || Self::empty(before));
        workload.fold(none, count, |a, b| a.zip(b).map(|(a, b)| a.merge(&b)))
    }

    fn add(&mut self, amount: u128, from: Option<NodeIndex>, to: Option<NodeIndex>, failed: bool) {
        self.total += amount;
        if let Some(from) = from {
            self.before[from.get()] += amount;
        }
        let Some(to) = to else {
            self.unserved += amount;
            return;
        };
        self.after[to.get()] += amount;
        if failed {
            self.taken[to.get()] += amount;
        } else if from.is_some_and(|from| from != to) {
            self.stray += amount;
        }
    }

    fn merge(mut self, other: &Self) -> Self {
        let sum = |ours: &mut [u128], theirs: &[u128]| {
            ours.iter_mut().zip(theirs).for_each(|(ours, theirs)| *ours += theirs);
        };
        sum(&mut self.before, &other.before);
        sum(&mut self.after, &other.after);
        sum(&mut self.taken, &other.taken);
        self.stray += other.stray;
        self.unserved += other.unserved;
        self.total += other.total;
        self
    }
}

/// By index: whether a node is one of these.
pub(super) fn marked(placement: &dyn Placement, nodes: &[NodeIndex]) -> Vec<bool> {
    let mut marked = vec![false; placement.members().index_bound()];
    for index in nodes {
        marked[index.get()] = true;
    }
    marked
}

/// How many positions each node owns, by index; 0 without segments.
fn owned(placement: &dyn Placement) -> Vec<u128> {
    let mut owned = vec![0; placement.members().index_bound()];
    let mut first = 0_u128;
    for segment in placement.segments().into_iter().flatten() {
        let next = u128::from(segment.last) + 1;
        if let Some(owner) = segment.owner {
            owned[owner.get()] += next - first;
        }
        first = next;
    }
    owned
}

//! The order of the nodes on a [`Line`] that moves fewest, or few.

use alloc::vec;
use alloc::vec::Vec;

use super::line::Line;

/// Up to so many nodes every order is tried, by subsets: 2^16 of them.
pub(super) const TRIED: usize = 16;

/// Beyond that, every order of so many neighbours.
const NEIGHBOURS: usize = 8;

/// Up to so many nodes each is tried in every other place: the time is in the
/// square of their number.
const REPLACED: usize = 1024;

/// The order that keeps most slots where they are, or for more than [`TRIED`] nodes
/// one that keeps many.
pub(super) fn order_of(line: &Line) -> Vec<usize> {
    let places = line.places();
    if places.len() <= TRIED { best_order(line, &places, 0) } else { good_order(line, &places) }
}

/// The order that keeps most behind nodes that are due so much; of several the one
/// found first.
fn best_order(line: &Line, places: &[usize], due: u64) -> Vec<usize> {
    let span = places.iter().map(|&place| line.dues[place]).sum::<u64>();
    let (first, end) = (line.border(due), line.border(due + span));
    // held[i][k]: how many of the first k slots of the span the i-th holds.
    let held: Vec<Vec<usize>> = places
        .iter()
        .map(|&place| {
            let mut counts = vec![0; end - first + 1];
            let held = &line.held[place];
            let from = held.partition_point(|&at| at < first);
            for &at in held[from..].iter().take_while(|&&at| at < end) {
                counts[at - first + 1] = 1;
            }
            for k in 1..counts.len() {
                counts[k] += counts[k - 1];
            }
            counts
        })
        .collect();
    let all = 1_usize << places.len();
    // By the set of nodes laid out so far: what they are due, where the next starts,
    // what is kept at most, and which of them is then the last.
    let mut dues = vec![0; all];
    let mut starts = vec![0; all];
    let mut most = vec![(0, usize::MAX); all];
    for set in 1..all {
        let lowest = set.trailing_zeros() as usize;
        dues[set] = dues[set & (set - 1)] + line.dues[places[lowest]];
        starts[set] = line.border(due + dues[set]) - first;
        most[set] = (0..places.len())
            .filter(|last| set >> last & 1 == 1)
            .map(|last| {
                let others = set & !(1 << last);
                let kept = held[last][starts[set]] - held[last][starts[others]];
                (most[others].0 + kept, last)
            })
            .rev()
            .max_by_key(|&(kept, _)| kept)
            .expect("the set is not empty");
    }
    let mut order = Vec::new();
    let mut set = all - 1;
    while set > 0 {
        let last = most[set].1;
        order.push(places[last]);
        set &= !(1 << last);
    }
    order.reverse();
    order
}

/// An order that keeps many: nodes by the middle of what they hold, those that hold
/// nothing put where most is kept; then neighbours in the best of their orders, and
/// single nodes elsewhere, for as long as that keeps more.
fn good_order(line: &Line, places: &[usize]) -> Vec<usize> {
    let middle = |place: &usize| line.held[*place].get(line.held[*place].len() / 2).copied();
    let (mut order, new): (Vec<usize>, Vec<usize>) =
        places.iter().partition(|place| middle(place).is_some());
    order.sort_by_key(|place| (middle(place), *place));
    for place in new {
        order.insert(best_gap(line, &order, place).1, place);
    }
    // Each change keeps more, so there is an end.
    while order_neighbours(line, &mut order) || replace_one_by_one(line, &mut order) {}
    order
}

/// What an order keeps behind nodes that are due so much.
fn kept(line: &Line, order: &[usize], mut due: u64) -> usize {
    let kept = order.iter().map(|&place| {
        let kept = line.kept(place, due);
        due += line.dues[place];
        kept
    });
    kept.sum()
}

/// What is kept at most with a node put between those in order, and before which.
fn best_gap(line: &Line, order: &[usize], place: usize) -> (usize, usize) {
    let own = line.dues[place];
    let mut due = 0;
    // What the others keep: first all of them behind the node, then one after the
    // other before it.
    let mut others = kept(line, order, own);
    let mut best = (others + line.kept(place, 0), 0);
    for (i, &other) in order.iter().enumerate() {
        others = others - line.kept(other, due + own) + line.kept(other, due);
        due += line.dues[other];
        let kept = others + line.kept(place, due);
        if kept > best.0 {
            best = (kept, i + 1);
        }
    }
    best
}

/// Puts neighbours in the best of their orders; answers whether that keeps more.
fn order_neighbours(line: &Line, order: &mut [usize]) -> bool {
    let mut changed = false;
    let mut due = 0;
    for first in 0..=order.len().saturating_sub(NEIGHBOURS) {
        let last = order.len().min(first + NEIGHBOURS);
        let neighbours = &mut order[first..last];
        let best = best_order(line, neighbours, due);
        if kept(line, &best, due) > kept(line, neighbours, due) {
            neighbours.copy_from_slice(&best);
            changed = true;
        }
        due += line.dues[order[first]];
    }
    changed
}

/// Puts each node where most is kept; answers whether that keeps more.
fn replace_one_by_one(line: &Line, order: &mut Vec<usize>) -> bool {
    if order.len() > REPLACED {
        return false;
    }
    let mut changed = false;
    let mut all = kept(line, order, 0);
    for place in order.clone() {
        let Some(at) = order.iter().position(|&it| it == place) else { continue };
        order.remove(at);
        let (kept, gap) = best_gap(line, order, place);
        if kept > all {
            order.insert(gap, place);
            all = kept;
            changed = true;
        } else {
            order.insert(at, place);
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use homing_core::{Members, Node, NodeIndex};

    use super::*;

    /// Lines of so many nodes whose slots look as if owned at random: the generator
    /// of Numerical Recipes.
    fn lines(nodes: u64, slots: usize) -> impl Iterator<Item = (Line, Vec<Option<NodeIndex>>)> {
        let mut state = 1_u64;
        let mut number = move |below| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223) % (1 << 32);
            (state >> 8) % below
        };
        let members = (0..nodes).map(|i| Node::new(alloc::format!("{i:02}")));
        let members = Members::new(members).unwrap();
        core::iter::repeat_with(move || {
            let node = |number: u64| NodeIndex::new(usize::try_from(number).unwrap());
            let owners: Vec<_> = (0..slots).map(|_| Some(node(number(nodes)))).collect();
            (Line::by_quota(&members, &owners), owners)
        })
    }

    /// The most that any order of the rest keeps, one after the other.
    fn most_kept(line: &Line, rest: &[usize], due: u64) -> usize {
        let first = |&place: &usize| {
            let others: Vec<usize> = rest.iter().copied().filter(|&it| it != place).collect();
            line.kept(place, due) + most_kept(line, &others, due + line.dues[place])
        };
        rest.iter().map(first).max().unwrap_or(0)
    }

    #[test]
    fn few_neighbours_are_in_the_best_of_all_their_orders() {
        // 13 slots of 6 nodes: quotas of 2 and one of 3, 720 orders.
        for (line, _) in lines(6, 13).take(40) {
            let most = most_kept(&line, &line.places(), 0);
            for order in [best_order(&line, &line.places(), 0), good_order(&line, &line.places())] {
                assert_eq!(kept(&line, &order, 0), most);
            }
        }
    }

    #[test]
    fn an_order_of_many_lies_between_the_bound_and_the_best() {
        for nodes in 9..=12 {
            for (line, owners) in lines(nodes, 50).take(10) {
                let best = 50 - kept(&line, &best_order(&line, &line.places(), 0), 0);
                let order = good_order(&line, &line.places());
                let moved: usize =
                    line.moves(&order, &owners).iter().map(|it| it.slots.len()).sum();
                assert_eq!(moved, 50 - kept(&line, &order, 0));
                assert!(line.least_moved() <= best && best <= moved);
            }
        }
    }
}

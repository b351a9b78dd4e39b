//! [`Created`]: who gets which slots, and who replicates whom, in a new cluster.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec;
use alloc::vec::Vec;

use homing_core::{Attribute, Error, Members, Node, NodeId};

use super::OperatorTool;
use crate::{Config, SLOTS, SlotRange};

/// What a new cluster looks like.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Created {
    /// Who owns what: one range for each owner, ascending.
    pub ranges: Vec<SlotRange>,
    /// The other nodes, in order of index.
    pub replicas: Vec<Replica>,
}

/// A node that follows an owner of slots.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Replica {
    /// The node.
    pub node: NodeId,
    /// Whom it follows.
    pub of: NodeId,
}

impl Created {
    /// The configuration with these ranges.
    #[must_use]
    pub fn to_config(&self) -> Config {
        Config { ranges: Some(self.ranges.clone()) }
    }
}

/// The least number of owners that the tool takes.
const FEWEST_OWNERS: usize = 3;

impl OperatorTool {
    /// The slots and replicas of a new cluster of `members`, given to the tool in
    /// order of index, with `replicas` replicas for each owner.
    ///
    /// The nodes are taken one of each host in turn, hosts in order of their first
    /// node; a node without the attribute [`Host`](Attribute::Host) is a host of
    /// its own. The first of them, one in `replicas + 1`, own slots: a step of
    /// 16384 over their number each, summed up in 32-bit floating point, ends
    /// rounded, halves up. Weights play no part.
    ///
    /// Who follows whom the tool draws by lot; here no replica is on its owner's
    /// host where that can be, each owner has at least `replicas`, and nothing is
    /// left to chance.
    ///
    /// # Errors
    ///
    /// Fails if that leaves fewer than 3 owners, or so many that an owner would
    /// have no slot.
    pub fn create(members: &Members, replicas: u32) -> Result<Created, Error> {
        let nodes = interleaved(members);
        let count = nodes.len() / (replicas as usize).saturating_add(1);
        if count < FEWEST_OWNERS {
            let value = alloc::format!("{count} ({} nodes, {replicas} replicas)", nodes.len());
            return Err(Error::parameter("number of owners", value, "at least 3"));
        }
        let (owners, others) = nodes.split_at(count);
        let ranges = ranges(owners)?;
        let of = followed(owners, others, replicas as usize);
        let mut replicas: Vec<(usize, Replica)> = others
            .iter()
            .zip(of)
            .map(|(other, of)| {
                let of = owners[of].node.id.clone();
                (other.place, Replica { node: other.node.id.clone(), of })
            })
            .collect();
        replicas.sort_by_key(|&(place, _)| place);
        Ok(Created { ranges, replicas: replicas.into_iter().map(|(_, it)| it).collect() })
    }
}

/// A node of the cluster to come.
struct Given<'a> {
    node: &'a Node,
    place: usize, // in order of index
    host: usize,  // in order of first node
}

/// The nodes, one of each host in turn.
fn interleaved(members: &Members) -> Vec<Given<'_>> {
    let mut known = BTreeMap::new();
    let mut hosts: Vec<VecDeque<Given<'_>>> = Vec::new();
    for (place, (_, node)) in members.iter().enumerate() {
        let host = node.attributes.get(Attribute::Host).ok_or(place);
        let host = *known.entry(host).or_insert(hosts.len());
        if host == hosts.len() {
            hosts.push(VecDeque::new());
        }
        hosts[host].push_back(Given { node, place, host });
    }
    let mut nodes = Vec::with_capacity(members.len());
    while nodes.len() < members.len() {
        nodes.extend(hosts.iter_mut().filter_map(VecDeque::pop_front));
    }
    nodes
}

/// One range for each owner.
fn ranges(owners: &[Given<'_>]) -> Result<Vec<SlotRange>, Error> {
    let too_many =
        || Error::parameter("number of owners", owners.len(), "few enough that each has a slot");
    let count = u16::try_from(owners.len()).map_err(|_| too_many())?;
    let step = f32::from(SLOTS) / f32::from(count);
    let mut cursor = 0.0_f32;
    let mut first = 0;
    let mut ranges = Vec::with_capacity(owners.len());
    for (i, owner) in owners.iter().enumerate() {
        let is_last = i + 1 == owners.len();
        let last = if is_last { SLOTS - 1 } else { rounded(cursor + step - 1.0) };
        if first > last || last >= SLOTS {
            return Err(too_many());
        }
        ranges.push(SlotRange { first, last, node: owner.node.id.clone() });
        first = last + 1;
        cursor += step;
    }
    Ok(ranges)
}

/// The nearest integer, halves up; `x` is from -1 to 16385.
fn rounded(x: f32) -> u16 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
    let rounded = (f64::from(x) + 0.5) as u16;
    rounded
}

/// Whom each of `others` follows, as a place in `owners`.
///
/// The greatest matching between replicas and owners on other hosts, in which an
/// owner takes up to `each`, found by augmenting paths; who is left goes to the
/// owner with the fewest, on another host if there is one.
fn followed(owners: &[Given<'_>], others: &[Given<'_>], each: usize) -> Vec<usize> {
    let mut of = vec![None; others.len()];
    let mut taken = vec![Vec::new(); owners.len()];
    for i in 0..others.len() {
        augment(i, owners, others, each, &mut of, &mut taken);
    }
    for i in 0..others.len() {
        if of[i].is_none() {
            let apart = |owner: usize| owners[owner].host != others[i].host;
            let order = |&owner: &usize| {
                let filled = taken[owner].len() >= each;
                (filled, !apart(owner), taken[owner].len(), owner)
            };
            let owner = (0..owners.len()).min_by_key(order).expect("there are three owners");
            of[i] = Some(owner);
            taken[owner].push(i);
        }
    }
    of.into_iter().map(|owner| owner.expect("everybody was given one")).collect()
}

/// Finds an owner on another host for replica `start`, moving others on if it must.
fn augment(
    start: usize,
    owners: &[Given<'_>],
    others: &[Given<'_>],
    each: usize,
    of: &mut [Option<usize>],
    taken: &mut [Vec<usize>],
) {
    let mut reached_by = vec![None; owners.len()]; // the replica that would move there
    let mut waiting = VecDeque::from([start]);
    while let Some(replica) = waiting.pop_front() {
        let open = |owner: &usize| {
            owners[*owner].host != others[replica].host && reached_by[*owner].is_none()
        };
        // The emptiest first, so that owners fill up evenly.
        let mut next: Vec<usize> = (0..owners.len()).filter(open).collect();
        next.sort_by_key(|&owner| taken[owner].len());
        for owner in next {
            reached_by[owner] = Some(replica);
            if taken[owner].len() < each {
                return settle(owner, &reached_by, of, taken);
            }
            waiting.extend(&taken[owner]);
        }
    }
}

/// Moves the replicas of a path on, from the owner at its end backwards.
fn settle(
    end: usize,
    reached_by: &[Option<usize>],
    of: &mut [Option<usize>],
    taken: &mut [Vec<usize>],
) {
    let mut owner = end;
    loop {
        let replica = reached_by[owner].expect("the path leads here");
        taken[owner].push(replica);
        let Some(before) = of[replica].replace(owner) else { return };
        taken[before].retain(|&it| it != replica);
        owner = before;
    }
}

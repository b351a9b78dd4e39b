//! The 16384 hash slots: tag, CRC, even split and rebalance.

use super::{OracleNode, apportion, live};

/// The number of slots.
pub const SLOTS: usize = 16384;

/// CRC-16/XMODEM, bit by bit: polynomial 0x1021, start 0, not reflected.
#[must_use]
pub fn crc16(bytes: &[u8]) -> u16 {
    let mut crc = 0_u16;
    for &byte in bytes {
        crc ^= u16::from(byte) << 8;
        for _ in 0..8 {
            let carry = crc & 0x8000 != 0;
            crc <<= 1;
            if carry {
                crc ^= 0x1021;
            }
        }
    }
    crc
}

/// The bytes of a key that are hashed: those between the first `{` and the first
/// `}` after it, if there are any; else the whole key.
#[must_use]
pub fn tag(key: &[u8]) -> &[u8] {
    let Some(open) = key.iter().position(|&byte| byte == b'{') else { return key };
    let after = &key[open + 1..];
    match after.iter().position(|&byte| byte == b'}') {
        Some(length) if length > 0 => &after[..length],
        _ => key,
    }
}

/// Returns the slot of a key.
#[must_use]
pub fn slot(key: &[u8]) -> u16 {
    crc16(tag(key)) % 16384
}

/// A slot map: the owner of each slot, as a place in a list of nodes.
pub type OracleMap = Vec<Option<usize>>;

/// The map of a configuration without ranges.
#[must_use]
pub fn even_split(nodes: &[OracleNode]) -> OracleMap {
    let live = live(nodes);
    let weights: Vec<u32> = live.iter().map(|&i| nodes[i].weight).collect();
    let mut map = OracleMap::new();
    if weights.iter().all(|&weight| weight == weights[0]) {
        let n = live.len();
        for (k, &node) in live.iter().enumerate() {
            let end = (2 * SLOTS * (k + 1) + n) / (2 * n);
            while map.len() < end {
                map.push(Some(node));
            }
        }
    } else {
        for (&node, quota) in live.iter().zip(apportion(16384, &weights, |a, b| a < b)) {
            map.extend((0..quota).map(|_| Some(node)));
        }
    }
    map
}

/// Rebalances a map in place, and returns how many slots have moved.
///
/// # Panics
///
/// Panics if a slot's owner is not a place in `nodes`.
pub fn rebalance(map: &mut OracleMap, nodes: &[OracleNode]) -> usize {
    let mut by_id: Vec<usize> = (0..nodes.len()).collect();
    by_id.sort_by(|&a, &b| nodes[a].id.as_bytes().cmp(nodes[b].id.as_bytes()));
    let held = |map: &OracleMap, node: usize| map.iter().filter(|&&o| o == Some(node)).count();

    let covered = map.iter().flatten().count();
    let weights: Vec<u32> = by_id.iter().map(|&i| nodes[i].weight).collect();
    let holds: Vec<usize> = by_id.iter().map(|&i| held(map, i)).collect();
    let covered = u64::try_from(covered).expect("a map has 16384 slots");
    let prefer = |a: usize, b: usize| holds[a] > holds[b] || (holds[a] == holds[b] && a < b);
    let quotas: Vec<usize> = apportion(covered, &weights, prefer)
        .into_iter()
        .map(|quota| usize::try_from(quota).expect("a map has 16384 slots"))
        .collect();

    let mut moved = 0;
    loop {
        let mut giver = (0, 0); // the greatest surplus so far, and whose; ties by id
        let mut taker = (0, 0);
        for (k, &node) in by_id.iter().enumerate() {
            let holds = held(map, node);
            if holds.saturating_sub(quotas[k]) > giver.0 {
                giver = (holds - quotas[k], node);
            }
            if quotas[k].saturating_sub(holds) > taker.0 {
                taker = (quotas[k] - holds, node);
            }
        }
        let block = giver.0.min(taker.0);
        if block == 0 {
            return moved;
        }
        let own: Vec<usize> = (0..map.len()).filter(|&slot| map[slot] == Some(giver.1)).collect();
        for &slot in &own[own.len() - block..] {
            map[slot] = Some(taker.1);
        }
        moved += block;
    }
}

/// The runs of a map, `(first, last, owner)`, in order of slot.
#[must_use]
pub fn ranges(map: &[Option<usize>]) -> Vec<(usize, usize, Option<usize>)> {
    let mut ranges: Vec<(usize, usize, Option<usize>)> = Vec::new();
    for (slot, &owner) in map.iter().enumerate() {
        match ranges.last_mut() {
            Some((_, last, same)) if *same == owner => *last = slot,
            _ => ranges.push((slot, slot, owner)),
        }
    }
    ranges
}

/// A membership with its slot map, changed step by step as an operator does.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct OracleSlots {
    /// The members.
    pub nodes: Vec<OracleNode>,
    /// The map, by the places of the members.
    pub map: OracleMap,
}

impl OracleSlots {
    /// The even split of a membership.
    #[must_use]
    pub fn even(nodes: Vec<OracleNode>) -> Self {
        let map = even_split(&nodes);
        Self { nodes, map }
    }

    /// Adds a node, which owns nothing.
    pub fn add(&mut self, node: OracleNode) {
        self.nodes.push(node);
    }

    /// Removes a node, and leaves its slots without an owner.
    ///
    /// # Panics
    ///
    /// Panics if no member has this id.
    pub fn remove(&mut self, id: &str) {
        let place = self.nodes.iter().position(|node| node.id == id).expect("the id of a member");
        self.nodes.remove(place);
        for owner in &mut self.map {
            *owner = match *owner {
                Some(other) if other == place => None,
                Some(other) if other > place => Some(other - 1),
                same => same,
            };
        }
    }

    /// Gives a node another weight, and moves nothing.
    ///
    /// # Panics
    ///
    /// Panics if no member has this id.
    pub fn reweight(&mut self, id: &str, weight: u32) {
        let node = self.nodes.iter_mut().find(|node| node.id == id);
        node.expect("the id of a member").weight = weight;
    }

    /// Rebalances, and returns how many slots have moved.
    pub fn rebalance(&mut self) -> usize {
        rebalance(&mut self.map, &self.nodes)
    }

    /// The runs of the map with the ids of their owners.
    #[must_use]
    pub fn ranges(&self) -> Vec<(usize, usize, Option<String>)> {
        let id = |place: usize| self.nodes[place].id.clone();
        ranges(&self.map).into_iter().map(|(first, last, o)| (first, last, o.map(id))).collect()
    }
}

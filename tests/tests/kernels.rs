//! Every family under every set of vectors that its kernels may use, against its
//! definition written plainly: at numbers of nodes where blocks, lines and the
//! forms of an index end.
//!
//! What a kernel may use is the concern of the whole process, and so these tests
//! take turns.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use homing_core::dev::allow;
use homing_core::{Build, Lanes, Members, Node, Placement, mix64};
use homing_jump::Jump;
use homing_maglev::Maglev;
use homing_modulo::Modulo;
use homing_rendezvous::Rendezvous;
use homing_ring::{Config as Rings, Points, Ring};
use homing_slots::Slots;
use homing_tests::oracle::{self, OracleHash, jump, rendezvous, slots};

/// Numbers of nodes, and how many of each hundred positions are looked at there.
const COUNTS: &[(usize, usize)] = if cfg!(miri) {
    &[(1, 100), (17, 100)]
} else {
    &[
        (1, 100),
        (2, 100),
        (15, 100),
        (16, 100),
        (17, 100),
        (1_000, 100),
        (65_535, 10),
        (65_536, 10),
        (65_537, 10),
    ]
};

/// The sets of vectors; those that the machine lacks are the next narrower ones.
const LANES: [Lanes; 3] = [Lanes::Baseline, Lanes::Avx2, Lanes::Avx512];

fn take_turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn id(i: usize) -> String {
    format!("node-{i}")
}

fn nodes(count: usize, weight: impl Fn(usize) -> u32) -> Vec<Node> {
    (0..count).map(|i| Node::new(id(i)).weighing(weight(i))).collect()
}

/// As many positions as `all` says, but under Miri a few.
fn positions(all: usize, hundredths: usize, range: Option<u64>) -> Vec<u64> {
    let count = if cfg!(miri) { 38 } else { all * hundredths / 100 };
    let inner = (0..count as u64).map(mix64).chain([0, u64::MAX]);
    inner.map(|position| range.map_or(position, |range| position % range)).collect()
}

/// Builds the layout under each set of vectors, and asks it in every way for the
/// owners of these positions, which are the indices expected.
fn check<P: Build>(config: &P::Config, nodes: &[Node], positions: &[u64], expected: &[usize]) {
    for lanes in LANES {
        allow(lanes);
        assert_eq!(Lanes::allowed(), lanes);
        let members = Members::new(nodes.iter().cloned()).unwrap();
        let layout = P::build(config.clone(), members).unwrap();
        let told = |at: usize| format!("{lanes:?}, {} nodes, {}", nodes.len(), positions[at]);
        let mut batch = vec![None; positions.len()];
        layout.owners_at(positions, &mut batch);
        for (at, (&owner, &expected)) in batch.iter().zip(expected).enumerate() {
            assert_eq!(owner.map(homing_core::NodeIndex::get), Some(expected), "{}", told(at));
        }
        for (at, &position) in positions.iter().enumerate().take(200_000) {
            assert_eq!(layout.owner_at(position), batch[at], "{}", told(at));
        }
        let keys: Vec<String> = (0..positions.len().min(2_000)).map(id).collect();
        let keys: Vec<&[u8]> = keys.iter().map(String::as_bytes).collect();
        let mut owners = vec![None; keys.len()];
        layout.owners(&keys, &mut owners);
        for (key, owner) in keys.iter().zip(owners) {
            assert_eq!(owner, layout.owner_at(layout.position(key)), "{lanes:?}, {key:?}");
        }
    }
    allow(Lanes::Avx512);
}

fn draw(id: &str, i: u64) -> u64 {
    oracle::draw(OracleHash::Xxh3(0), id, i)
}

#[test]
fn the_ring_finds_the_next_point_under_all_vectors() {
    let _turn = take_turn();
    for &(count, hundredths) in COUNTS {
        let per_weight = match count {
            _ if cfg!(miri) => 3,
            ..2_000 => 160,
            _ => 1,
        };
        let mut points = BTreeMap::new();
        for i in 0..count {
            for copy in 0..per_weight.into() {
                points.entry(draw(&id(i), copy)).or_insert(i);
            }
        }
        let near = points.keys().step_by((points.len() / if cfg!(miri) { 5 } else { 500 }).max(1));
        let near = near.flat_map(|&at| [at.wrapping_sub(1), at, at.wrapping_add(1)]);
        let mut positions = positions(400_000, hundredths, None);
        positions.extend(near);
        let owner = |&at: &u64| *points.range(at..).chain(&points).next().unwrap().1;
        let expected: Vec<usize> = positions.iter().map(owner).collect();
        let config = Rings { points: Points::Drawn { per_weight }, ..Rings::default() };
        check::<Ring>(&config, &nodes(count, |_| 1), &positions, &expected);
    }
}

#[test]
fn rendezvous_finds_the_greatest_score_under_all_vectors() {
    let _turn = take_turn();
    for &(count, _) in COUNTS {
        // In order of id, so that of equal scores the first is the owner.
        let mut seeds: Vec<_> = (0..count).map(|i| (id(i), i)).collect();
        seeds.sort();
        let seeds: Vec<_> = seeds.into_iter().map(|(id, i)| (draw(&id, 0), i)).collect();
        let positions = positions((12_000_000 / (count + 20)).min(300_000), 100, None);
        let owner = |&at: &u64| {
            let mut best = (0, usize::MAX);
            for &(seed, i) in &seeds {
                let score = rendezvous::score(at, seed);
                if best.1 == usize::MAX || score > best.0 {
                    best = (score, i);
                }
            }
            best.1
        };
        let expected: Vec<usize> = positions.iter().map(owner).collect();
        let config = homing_rendezvous::Config::default();
        check::<Rendezvous>(&config, &nodes(count, |_| 1), &positions, &expected);
    }
}

#[test]
fn weighted_rendezvous_finds_the_least_cost_under_all_vectors() {
    let _turn = take_turn();
    // From 1 to 10^6: evenly spread; mostly small; one node far heavier than the rest.
    let weights: [fn(usize) -> u32; 3] = [
        |i| u32::try_from(mix64(i as u64) % 1_000_000).unwrap() + 1,
        |i| 1_000_000 >> (mix64(i as u64) % 20),
        |i| if i == 1 { 1_000_000 } else { 1 + u32::try_from(i % 30).unwrap() },
    ];
    let weights = if cfg!(miri) { &weights[..1] } else { &weights };
    for (&(count, _), weight) in weights.iter().flat_map(|w| COUNTS.iter().map(move |c| (c, w))) {
        let mut seeds: Vec<_> = (0..count).map(|i| (id(i), i)).collect();
        seeds.sort();
        let seeds = seeds.into_iter().map(|(id, i)| (draw(&id, 0), f64::from(weight(i)), i));
        let seeds: Vec<_> = seeds.collect();
        let positions = positions((3_000_000 / (count + 20)).min(100_000), 100, None);
        let owner = |&at: &u64| {
            let mut best = (f64::INFINITY, usize::MAX);
            for &(seed, weight, i) in &seeds {
                let cost = -rendezvous::ln_of_score(rendezvous::score(at, seed)) / weight;
                if cost < best.0 {
                    best = (cost, i);
                }
            }
            best.1
        };
        let expected: Vec<usize> = positions.iter().map(owner).collect();
        let config = homing_rendezvous::Config::default();
        check::<Rendezvous>(&config, &nodes(count, weight), &positions, &expected);
    }
}

#[test]
fn jump_reaches_the_published_bucket_under_all_vectors() {
    let _turn = take_turn();
    for &(count, hundredths) in COUNTS {
        let positions = positions(400_000, hundredths, None);
        let buckets = u32::try_from(count).unwrap();
        let bucket = |&at: &u64| usize::try_from(jump::bucket(at, buckets)).unwrap();
        let expected: Vec<usize> = positions.iter().map(bucket).collect();
        check::<Jump>(&homing_jump::Config::default(), &nodes(count, |_| 1), &positions, &expected);
    }
}

#[test]
fn modulo_takes_the_remainder_under_all_vectors() {
    let _turn = take_turn();
    for &(count, hundredths) in COUNTS {
        let positions = positions(400_000, hundredths, None);
        let place = |&at: &u64| oracle::modulo::place(at, count);
        let expected: Vec<usize> = positions.iter().map(place).collect();
        let config = homing_modulo::Config::default();
        check::<Modulo>(&config, &nodes(count, |_| 1), &positions, &expected);
    }
}

/// The table of nodes in order of id, each with its index and weight, by the
/// definition: the turns sorted whole, entries taken one by one.
fn maglev_table(entries: u64, nodes: &[(String, usize, u32)]) -> Vec<usize> {
    let total: u64 = nodes.iter().map(|&(_, _, weight)| u64::from(weight)).sum();
    let product = |weight: u32| entries * u64::from(weight);
    let mut turns: Vec<u64> = nodes.iter().map(|node| product(node.2) / total).collect();
    let mut by_rest: Vec<usize> = (0..nodes.len()).collect();
    by_rest.sort_by_key(|&node| std::cmp::Reverse(product(nodes[node].2) % total));
    let left = entries - turns.iter().sum::<u64>();
    for &node in by_rest.iter().take(usize::try_from(left).unwrap()) {
        turns[node] += 1;
    }
    let mut due = Vec::new();
    for (node, &turns) in turns.iter().enumerate() {
        due.extend((0..turns).map(|turn| (turn, u64::from(nodes[node].2), node)));
    }
    due.sort_by(|(t, w, _), (other_t, other_w, _)| (t * other_w).cmp(&(other_t * w)));
    let mut next: Vec<(u64, u64)> = nodes
        .iter()
        .map(|(id, ..)| oracle::maglev::offset_and_skip(OracleHash::Xxh3(0), id, entries))
        .collect();
    let mut table = vec![usize::MAX; usize::try_from(entries).unwrap()];
    for (_, _, node) in due {
        let (at, skip) = &mut next[node];
        while table[usize::try_from(*at).unwrap()] != usize::MAX {
            *at = (*at + *skip) % entries;
        }
        table[usize::try_from(*at).unwrap()] = nodes[node].1;
    }
    table
}

#[test]
fn maglev_has_the_published_table_under_all_vectors() {
    let _turn = take_turn();
    // 65,537 nodes have an entry each of 65,537, and a table of four bytes an entry.
    let sizes = if cfg!(miri) { [17, 101] } else { [65_537, 131_101] };
    let weights: [fn(usize) -> u32; 2] =
        [|_| 3, |i| u32::try_from(mix64(i as u64) % 1_000_000).unwrap() + 1];
    for (&(count, _), weight) in COUNTS.iter().flat_map(|count| weights.map(|w| (count, w))) {
        let mut named: Vec<_> = (0..count).map(|i| (id(i), i, weight(i))).collect();
        named.sort();
        for entries in sizes {
            let table = maglev_table(entries.into(), &named);
            let range = Some(u64::from(entries));
            let mut positions = positions(100_000, 100, range);
            positions.extend(0..u64::from(entries));
            let entry = |&at: &u64| table[usize::try_from(at).unwrap()];
            let expected: Vec<usize> = positions.iter().map(entry).collect();
            let config = homing_maglev::Config { entries, ..Default::default() };
            check::<Maglev>(&config, &nodes(count, weight), &positions, &expected);
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "a map of 16384 slots takes Miri minutes, and is no kernel's")]
fn slots_are_split_as_defined_under_all_vectors() {
    let _turn = take_turn();
    for &(count, _) in COUNTS {
        let mut named: Vec<_> = (0..count).map(|i| (id(i), i)).collect();
        named.sort();
        // The node k, from 0, ends at floor((2 * 16384 (k + 1) + n) / 2n) - 1.
        let mut map = Vec::new();
        for (k, (_, i)) in named.into_iter().enumerate() {
            map.resize((2 * 16_384 * (k + 1) + count) / (2 * count), i);
        }
        let positions = positions(100_000, 100, Some(16_384));
        let owner = |&at: &u64| map[usize::try_from(at).unwrap()];
        let expected: Vec<usize> = positions.iter().map(owner).collect();
        let config = homing_slots::Config::default();
        check::<Slots>(&config, &nodes(count, |_| 1), &positions, &expected);
    }
}

#[test]
fn keys_have_the_slot_of_the_specification_under_all_vectors() {
    let _turn = take_turn();
    // Random bytes of which some are braces; at each length as many keys.
    let byte = |key: u64, i: u64| {
        let [byte, kind, ..] = mix64(key << 16 | i).to_le_bytes();
        match kind {
            0..8 => b'{',
            8..16 => b'}',
            _ => byte,
        }
    };
    let each = if cfg!(miri) { 1 } else { 3_000 };
    let keys: Vec<Vec<u8>> = (0..130)
        .step_by(if cfg!(miri) { 7 } else { 1 })
        .flat_map(|length| (0..each).map(move |key| (length, length * each + key)))
        .map(|(length, key)| (0..length).map(|i| byte(key, i)).collect())
        .collect();
    let keys: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
    // 16,384 nodes own a slot each, node k the slot k.
    let ids: Vec<String> =
        (0..if cfg!(miri) { 0 } else { 16_384 }).map(|i| format!("{i:05}")).collect();
    let members = || Members::named(ids.iter().map(String::as_str)).unwrap();
    for lanes in LANES {
        allow(lanes);
        for key in &keys {
            assert_eq!(homing_slots::slot(key), slots::slot(key), "{lanes:?}, {key:?}");
        }
        if cfg!(miri) {
            continue; // a map takes it minutes
        }
        let layout = Slots::build(homing_slots::Config::default(), members()).unwrap();
        let mut owners = vec![None; keys.len()];
        layout.owners(&keys, &mut owners);
        for (key, owner) in keys.iter().zip(owners) {
            let slot = slots::slot(key);
            assert_eq!(layout.position(key), u64::from(slot), "{lanes:?}, {key:?}");
            assert_eq!(owner.unwrap().get(), usize::from(slot), "{lanes:?}, {key:?}");
        }
    }
    allow(Lanes::Avx512);
}

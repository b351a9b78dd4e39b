//! Every path of the search against the rule.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "random bits are cut, and small numbers narrowed"
)]

use alloc::vec;

use homing_core::mix64;

use super::*;

/// One of so many positions is looked at.
const ONE_OF: usize = if cfg!(emulated) { 40 } else { 1 };

/// Every path that this machine has.
fn paths() -> Vec<Path> {
    #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut, reason = "no other path"))]
    let mut paths = vec![Path::Plain];
    #[cfg(target_arch = "x86_64")]
    {
        paths.extend(Avx2::detect().map(Path::Avx2));
        paths.extend(Avx512::detect().map(Path::Avx512));
    }
    paths
}

fn contest(seeds: &[u64], weights: &[u32]) -> Contest {
    let mut contest = Contest::new(Seeds::default(), Path::Plain);
    contest.seeds.extend(seeds.iter().copied());
    contest.weigh(weights.iter().copied());
    contest
}

/// Checks both searches of every path against the rule.
fn check(mut contest: Contest, positions: &[u64]) {
    let first = |&position: &u64| {
        let ranks = (0..contest.seeds.len()).map(|place| contest.rank(position, place));
        ranks.min().unwrap().place
    };
    let expected: Vec<usize> = positions.iter().map(first).collect();
    for path in paths() {
        contest.path = path;
        let mut winners = vec![usize::MAX; positions.len()];
        contest.winners(positions, &mut winners);
        for (i, &position) in positions.iter().enumerate() {
            let single = contest.winner(position);
            let nodes = contest.seeds.len();
            assert_eq!(
                (single, winners[i]),
                (expected[i], expected[i]),
                "{path:?}, {nodes} nodes, position {position}"
            );
        }
    }
}

fn draws(seed: u64, count: usize) -> Vec<u64> {
    (seed..).map(mix64).take(count).collect()
}

/// The seed that has the score at position 0, the upper half as given.
fn seed_scoring(score: u32, high: u32) -> u64 {
    // The inverses of the multipliers modulo 2^32, by Newton's iteration.
    let inverse =
        |a: u32| (0..5).fold(a, |x, _| x.wrapping_mul(2_u32.wrapping_sub(a.wrapping_mul(x))));
    let x = score ^ (score >> 16);
    let x = x.wrapping_mul(inverse(0x846C_A68B)).wrapping_sub(high);
    let x = x ^ (x >> 15) ^ (x >> 30);
    let x = x.wrapping_mul(inverse(0x7FEB_352D));
    let low = x ^ (x >> 16);
    assert_eq!(crate::score(0, u64::from(high) << 32 | u64::from(low)), score);
    u64::from(high) << 32 | u64::from(low)
}

const COUNTS: [usize; 14] = [1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 100, 1_000, 3_001];

#[cfg(target_arch = "x86_64")]
#[test]
fn the_path_is_the_best_that_the_processor_has() {
    extern crate std;
    assert_eq!(Avx2::detect().is_some(), std::is_x86_feature_detected!("avx2"));
    let wide = std::is_x86_feature_detected!("avx512f") && std::is_x86_feature_detected!("fma");
    assert_eq!(Avx512::detect().is_some(), wide && Avx2::detect().is_some());
    assert_eq!(Path::detect(), *paths().last().unwrap());
}

#[test]
fn every_path_finds_the_greatest_score() {
    for count in COUNTS {
        let positions = draws(1 << 40, 8_000_000 / ONE_OF / (count + 30));
        check(contest(&draws(7, count), &[]), &positions);
    }
    // Around where the search in lanes changes its ways: at 64 blocks and at 2048.
    for count in [511, 512, 513, 520, 521, 545] {
        check(contest(&draws(7, count), &[]), &draws(1 << 40, 10_000 / ONE_OF));
    }
    for count in [16_384, 16_385, 16_400, 16_408, 16_409, 65_535, 65_536] {
        check(contest(&draws(7, count), &[]), &draws(1 << 40, 30));
    }
}

#[test]
fn scores_equal_in_the_upper_half_are_ranked_by_the_lower_on_every_path() {
    // At position 0; few upper halves, so that the greatest stands in many lanes and groups.
    for (count, uppers) in [(17, 1), (600, 1), (600, 40), (600, 300), (16_500, 1), (16_500, 9_000)]
    {
        for upper in [0, 0x7FFF, 0xFFFF - (uppers - 1)] {
            let rounds = if cfg!(emulated) { 1 } else { 20_000 / (count + 1_000) };
            for round in 0..rounds {
                let seed = |i: u64| {
                    let drawn = mix64(round << 20 | i);
                    let upper = upper + (drawn >> 32) as u32 % uppers;
                    seed_scoring(upper << 16 | (drawn & 0xFFFF) as u32, i as u32)
                };
                let seeds: Vec<u64> = (0..count).map(seed).collect();
                check(contest(&seeds, &[]), &[0; 33]);
            }
        }
    }
}

#[test]
fn a_score_that_all_nodes_share_goes_to_the_first_place_on_every_path() {
    for score in [0, 1, 0xFFFF, 0x1_0000, u32::MAX] {
        for count in [1, 16, 600, 16_500] {
            let seeds: Vec<u64> = (0..count).map(|i| seed_scoring(score, i)).collect();
            check(contest(&seeds, &[]), &[0; 33]);
        }
    }
}

#[test]
fn every_path_finds_the_least_cost() {
    let weighers: [fn(u64) -> u32; 6] = [
        |i| 1 + (i % 4) as u32,
        |i| 1 + (mix64(i) % 1_000_000) as u32,
        |i| if i == 0 { u32::MAX } else { 1 },
        |i| u32::MAX >> (mix64(i) % 32),
        |i| u32::MAX - (mix64(i) % 3) as u32,
        // Half of the weight is one node's, so that it often wins by a low score.
        |i| if i == 5 { 3_000 } else { 1 },
    ];
    // The others are around eight blocks, where a batch changes its ways.
    let counts = COUNTS.into_iter().chain([57, 63, 64, 65, 72]);
    for (count, weigher) in counts.flat_map(|count| weighers.map(|w| (count, w))) {
        let weights: Vec<u32> = (0..count as u64).map(weigher).collect();
        let positions = draws(1 << 41, 700_000 / (count + 30));
        check(contest(&draws(7, count), &weights), &positions);
    }
    let weights: Vec<u32> = (0..65_536).map(|i| 1 + (i % 4)).collect();
    for count in [65_535, 65_536] {
        check(contest(&draws(7, count), &weights[..count]), &draws(1 << 41, 10));
    }
}

#[test]
fn ties_go_to_the_first_place_on_every_path() {
    // Few seeds, each many times: every position ties.
    for (count, distinct) in [(2, 1), (9, 1), (16, 2), (17, 3), (100, 8), (1_000, 9)] {
        let few = draws(7, distinct);
        let seeds: Vec<u64> = (0..count).map(|i| few[i * i % distinct]).collect();
        let positions = draws(1 << 42, 2_000 / ONE_OF);
        check(contest(&seeds, &[]), &positions);
        check(contest(&seeds, &vec![5; count]), &positions);
        let weights: Vec<u32> = (0..count).map(|i| 1 + (i % 5 / 4) as u32).collect();
        check(contest(&seeds, &weights), &positions);
    }
}

/// The seeds of nodes with scores around 0, 2^31 and 2^32 - 1 at position 0, another one
/// at each place in turn, and that place.
fn seeds_at_the_ends() -> impl Iterator<Item = (Vec<u64>, usize)> {
    const ENDS: [u32; 7] = [0, 1, 2, (1 << 31) - 1, 1 << 31, u32::MAX - 1, u32::MAX];
    let pairs = ENDS.into_iter().flat_map(|a| ENDS.map(|b| (a, b)));
    let counted = pairs.flat_map(|pair| [2, 7, 8, 9, 16, 17].map(|count| (pair, count)));
    counted.flat_map(|((a, b), count)| {
        (0..count).map(move |at| {
            let score = |i| if i == at { (b, 99) } else { (a, i as u32) };
            let seeds = (0..count).map(score).map(|(score, high)| seed_scoring(score, high));
            (seeds.collect(), at)
        })
    })
}

#[test]
fn scores_at_the_ends_of_the_range_are_ranked_on_every_path() {
    for (seeds, _) in seeds_at_the_ends() {
        check(contest(&seeds, &[]), &[0; 33]);
    }
}

#[test]
fn costs_at_the_ends_of_the_range_are_ranked_on_every_path() {
    for (seeds, at) in seeds_at_the_ends() {
        for weight in [1, 3, u32::MAX] {
            let mut weights = vec![1; seeds.len()];
            weights[at] = weight;
            check(contest(&seeds, &weights), &[0; 9]);
        }
    }
}

#[test]
fn costs_that_only_the_logarithm_tells_apart_are_ranked_on_every_path() {
    // The weights make the costs of two scores as near as whole weights can.
    for i in 0..20_000 {
        let (a, b) = (mix64(2 * i) as u32, mix64(2 * i + 1) as u32);
        let weight = 1_000_000;
        let other = f64::from(weight) * crate::ln(b) / crate::ln(a);
        if (1.0..4e9).contains(&other) {
            let other = other.round() as u32;
            let seeds = [seed_scoring(a, 1), seed_scoring(b, 2), seed_scoring(0, 3)];
            check(contest(&seeds, &[weight, other, 1]), &[0; 9]);
        }
    }
}

#[test]
fn near_costs_of_high_scores_are_ranked_on_every_path() {
    // So near to 2^32 that rounding is more of a bound than the terms that it lacks.
    for i in 0..20_000 {
        let [a, b] = [2 * i, 2 * i + 1].map(|drawn| !(mix64(drawn) as u32 >> (9 + i % 14)));
        let weight = 1_500_000_000;
        let other = (f64::from(weight) * crate::ln(b) / crate::ln(a)).round();
        if (1e8..4.2e9).contains(&other) {
            let seeds = [seed_scoring(a, 1), seed_scoring(b, 2), seed_scoring(0, 3)];
            for other in [other - 1.0, other, other + 1.0] {
                check(contest(&seeds, &[weight, other as u32, 1]), &[0; 9]);
            }
        }
    }
}

#[test]
fn a_bound_is_never_above_the_cost() {
    for i in 0..4_000_000_u64 {
        let score = match i % 4 {
            0 => (i / 4) as u32,
            1 => !((i / 4) as u32),
            _ => mix64(i) as u32,
        };
        let weight = 1 + (mix64(!i) as u32 >> (i % 32)).min(u32::MAX - 1);
        let bound = bound(score) * f64::from(handicap_of(weight));
        assert!(bound <= cost(score, weight), "{score} at {weight}");
    }
}

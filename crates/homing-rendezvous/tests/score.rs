//! Scores, logarithms and costs, bit by bit.

use homing_core::mix64;
use homing_rendezvous::{cost, ln, score};

#[test]
fn scores_are_those_of_the_vectors() {
    // Vectors, homing/pieces.jsonl, `score`.
    for (position, seed, expected) in [
        (0, 0, 0),
        (u64::MAX, 0, 3_808_222_315),
        (1, 0, 1_753_845_952),
        (1 << 32, 0, 2_221_679_335),
        (1 << 63, 0, 2_147_516_416),
        (1 << 31, 0, 3_427_483_940),
        (5, 5, 0),
        (5_297_993_976_566_527_462, 16_913_875_372_733_688_261, 3_222_943_622),
        (9_835_803_029_037_670_462, 15_926_215_069_052_010_231, 3_882_369_116),
    ] {
        assert_eq!(score(position, seed), expected, "score({position}, {seed})");
    }
}

#[test]
fn logarithms_are_those_of_the_vectors() {
    // Vectors, homing/pieces.jsonl, `ln`.
    for (score, bits) in [
        (0, 13_850_503_672_891_575_231),
        (1, 13_850_194_441_023_208_334),
        (2, 13_850_050_656_392_655_595),
        (3, 13_849_955_947_877_688_857),
        (8, 13_849_706_194_231_540_687),
        (29_850_815, 13_840_652_637_350_745_409),
        (1_518_500_249, 13_830_733_342_104_994_134),
        (1_518_500_250, 13_830_733_342_102_028_313),
        (2_147_483_647, 13_827_790_571_170_314_735),
        (2_147_483_648, 13_827_790_571_166_120_431),
        (3_037_000_499, 13_823_286_971_543_670_843),
        (3_037_000_500, 13_823_286_971_537_739_202),
        (u32::MAX - 1, 13_688_691_067_393_802_240),
        (u32::MAX, 13_681_935_667_951_828_992),
    ] {
        assert_eq!(ln(score).to_bits(), bits, "ln({score})");
    }
}

#[test]
fn logarithms_are_those_of_libm() {
    // 4 million scores a prime step apart; then the surroundings of each power of two
    // and of each power times the square root of 2, where the exponent k changes.
    let spread = (0..4_000_000_u32).map(|i| i.wrapping_mul(1_073_741_789));
    let octaves = (0..32).flat_map(|bit| {
        let ends = [1_u32 << bit, 3_037_000_500 >> bit];
        ends.into_iter().flat_map(|end| (0..64).map(move |i| end.wrapping_add(i).wrapping_sub(32)))
    });
    for score in spread.chain(octaves) {
        let u = (f64::from(score) + 0.5) / 4_294_967_296.0;
        assert_eq!(ln(score).to_bits(), libm::log(u).to_bits(), "ln({score})");
    }
}

#[test]
fn costs_are_finite_and_positive_and_fall_as_scores_rise() {
    // cases.md, C29: the ends of the range at the least and the greatest weight.
    for weight in [1, 2, 3, 1_000_000_000, u32::MAX] {
        for score in [0, 1, 2, u32::MAX / 2, u32::MAX - 2, u32::MAX - 1] {
            let (lower, upper) = (cost(score, weight), cost(score + 1, weight));
            assert!(lower.is_finite() && upper > 0.0 && upper < lower, "{score} at {weight}");
        }
    }
}

#[test]
fn distinct_scores_have_distinct_costs() {
    // The order by cost is then the order by score wherever weights are equal. Steps
    // are smallest against the cost itself near u = 1/e: 2^-32 e against 2^-53.
    for i in 0..1_000_000 {
        let score = (mix64(i) >> 32) as u32;
        if score < u32::MAX {
            assert!(cost(score, 7) > cost(score + 1, 7), "{score}");
        }
    }
}

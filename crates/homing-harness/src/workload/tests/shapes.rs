use std::collections::{HashMap, HashSet};

use super::*;

fn made(names: &str, keys: u64, seed: u64) -> Vec<String> {
    let names = Names::parse(names).unwrap();
    let of = Generated { keys, seed, names, ..Generated::default() };
    let workload = Workload::load(&Source::Generated(of)).unwrap();
    let text = |key: Vec<u8>| String::from_utf8(key).unwrap();
    rows_of(&workload).into_iter().map(|(key, ..)| text(key)).collect()
}

fn requests_of(skew: Skew, keys: u64) -> Vec<u64> {
    let of = Generated { keys, skew: Some(skew), ..Generated::default() };
    let workload = Workload::load(&Source::Generated(of)).unwrap();
    rows_of(&workload).into_iter().filter_map(|row| row.1).collect()
}

#[test]
fn numbered_keys_count_on_from_their_seed() {
    assert_eq!(made("numbered", 3, 0), ["0", "1", "2"]);
    assert_eq!(made("numbered", 2, 3), ["30000000000", "30000000001"]);
}

#[test]
fn words_are_the_proquints_of_a_number() {
    // The examples of the proposal, two addresses a number.
    let addresses = [
        ([127, 0, 0, 1], "lusab-babad"),
        ([63, 84, 220, 193], "gutih-tugad"),
        ([140, 98, 193, 141], "mudof-sakat"),
        ([64, 255, 6, 200], "haguz-biram"),
        ([216, 68, 232, 21], "todah-vobij"),
        ([12, 110, 110, 204], "budov-kuras"),
    ];
    for pair in addresses.chunks(2) {
        let number = pair
            .iter()
            .fold(0, |number, &(address, _)| number << 32 | u64::from(u32::from_be_bytes(address)));
        let mut text = Vec::new();
        generate::write_words(number, &mut text);
        assert_eq!(String::from_utf8(text).unwrap(), format!("{}-{}", pair[0].1, pair[1].1));
    }
    // The first output of SplitMix64 from 0 is e220a8397b1dcdaf: v a m o b is
    // 1110 00 1000 10 0000, and so on.
    assert_eq!(made("words", 1, 0), ["vamob-pobun-losit-sukoz"]);
}

#[test]
fn uuids_are_of_version_4_and_hold_the_whole_number() {
    // e220a8397b1dcdaf: 12 digits, the version, 3 digits, the variant 10 and the
    // first two bits of the last digit, 11.
    let keys = made("uuid", 100_000, 0);
    assert!(keys[0].starts_with("e220a839-7b1d-4cda-b"), "{}", keys[0]);
    for key in &keys {
        let bytes = key.as_bytes();
        let dashes: Vec<_> = (0..36).filter(|&i| bytes[i] == b'-').collect();
        assert_eq!((key.len(), &dashes[..]), (36, &[8, 13, 18, 23][..]), "{key}");
        assert!(bytes[14] == b'4' && b"89ab".contains(&bytes[19]), "{key}");
    }
    assert_eq!(keys.iter().collect::<HashSet<_>>().len(), keys.len());
}

#[test]
fn a_part_of_tagged_keys_shares_tags_evenly() {
    // 100,000 keys: 4 standard deviations of a binomial are 580 for 0.3, and 67 of
    // 290 for each of 100 tags among 30,000.
    let keys = made("tagged:share=0.3,tags=100", 100_000, 9);
    let mut tags = HashMap::new();
    for key in keys.iter().filter(|key| key.starts_with('{')) {
        *tags.entry(key.split_once("}:").unwrap().0).or_insert(0_i64) += 1;
    }
    let tagged: i64 = tags.values().sum();
    assert!((tagged - 30_000).abs() <= 580, "{tagged}");
    assert_eq!(tags.len(), 100);
    assert!(tags.values().all(|count| (count - 300).abs() <= 75), "{tags:?}");
    assert_eq!(keys.iter().collect::<HashSet<_>>().len(), keys.len());
}

#[test]
fn keys_that_share_tags_are_no_sample() {
    let names = Names::parse("tagged").unwrap();
    let of = Generated { keys: 10, names, ..Generated::default() };
    let workload = Workload::load(&Source::Generated(of)).unwrap();
    assert_eq!((workload.basis(), workload.is_generated()), (Basis::Counted, true));
    let told = "10 generated keys (tagged:share=0.5,tags=1000), seed 0";
    assert_eq!(workload.summary(), told);
}

#[test]
fn one_hot_key_has_its_part_of_all_requests() {
    // Half of 100 over ten others: 5 each.
    let requests = requests_of(Skew::Hot { share: 0.5, requests: 100 }, 11);
    assert_eq!(requests[0], 50);
    assert_eq!(requests[1..], [5; 10]);
    // The others have one at least, and the first still its part: 3 of 4.
    let requests = requests_of(Skew::Hot { share: 0.75, requests: 1 }, 101);
    assert_eq!((requests[0], requests[1]), (300, 1));
    assert_eq!(requests_of(Skew::Hot { share: 0.2, requests: 7 }, 1), [7]);
}

#[test]
fn a_shape_that_is_none_is_refused_with_those_that_are() {
    let names = |text| Names::parse(text).unwrap_err().to_string();
    let skew = |text| Skew::parse(text, 10).unwrap_err().to_string();
    let sizes = |text| Sizes::parse(text).unwrap_err().to_string();
    let cases = [
        (
            names("guid"),
            "generate is \"guid\", but must be one of random, numbered, uuid, words, tagged",
        ),
        (names("uuid:v=4"), "generate: uuid has no parameter \"v\", it has none"),
        (
            names("tagged:tag=4"),
            "generate: tagged has no parameter \"tag\", its parameters are share, tags",
        ),
        (
            names("tagged:share"),
            "generate: tagged: parameter is \"share\", but must be PARAMETER=VALUE",
        ),
        (
            names("tagged:share=2"),
            "generate: tagged: share is 2, but must be above 0 and at most 1",
        ),
        (
            names("tagged:tags=-1"),
            "generate: tagged: tags is \"-1\", but must be a whole number from 1 to 4294967296",
        ),
        (skew("zipf"), "requests: zipf needs exponent, above 0 and at most 100: zipf:exponent=N"),
        (
            skew("zipf:exponent=0"),
            "requests: zipf: exponent is 0, but must be above 0 and at most 100",
        ),
        (skew("hot:share=1"), "requests: hot: share is 1, but must be above 0 and below 1"),
        (skew("hot:share=0.1,share=0.2"), "requests: hot: parameter \"share\" is given twice"),
        (
            skew("zipf:exponent=1,total=0"),
            "requests: zipf: total is 0, but must be a whole number from 1 to 9007199254740992",
        ),
        (sizes("normal"), "sizes is \"normal\", but must be one of lognormal"),
        (
            sizes("lognormal:median=0,sigma=1"),
            "sizes: lognormal: median is 0, but must be from 1 to 9007199254740992",
        ),
        (
            sizes("lognormal:median=nan,sigma=1"),
            "sizes: lognormal: median is NaN, but must be from 1 to 9007199254740992",
        ),
    ];
    for (told, message) in cases {
        assert_eq!(told, message);
    }
}

#[test]
fn what_is_asked_for_is_read_as_it_is_shown() {
    for text in ["random", "numbered", "uuid", "words", "tagged:share=0.25,tags=7"] {
        assert_eq!(Names::parse(text).unwrap().to_string(), text);
    }
    assert_eq!(Skew::parse("hot:share=0.25", 30), Ok(Skew::Hot { share: 0.25, requests: 300 }));
    assert_eq!(
        Sizes::parse("lognormal:median=1000,sigma=1.5"),
        Ok(Sizes { median: 1000.0, sigma: 1.5 })
    );
}

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::*;

fn load(of: Generated) -> Workload {
    Workload::load(&Source::Generated(of)).unwrap()
}

fn source(text: &str) -> Result<Source, String> {
    toml::from_str(text).map_err(|error| error.message().to_owned())
}

#[test]
fn keys_are_the_decimal_outputs_of_splitmix64() {
    // The first outputs of SplitMix64 for these seeds, as published with other
    // implementations of it.
    let keys = load(Generated::default()).sample(4);
    let expected = [
        "16294208416658607535",
        "7960286522194355700",
        "487617019471545679",
        "17909611376780542444",
    ];
    assert_eq!(keys, expected.map(|key| key.as_bytes().to_vec()));
    let keys = load(Generated { seed: 1_234_567, ..Generated::default() }).sample(2);
    assert_eq!(keys, [b"6457827717110365317".to_vec(), b"3203168211198807973".to_vec()]);
}

#[test]
fn by_default_there_are_a_million_distinct_keys_and_nothing_else() {
    let workload = load(Generated::default());
    assert_eq!((workload.count(), workload.basis()), (1_000_000, Basis::Generated));
    assert!(!workload.has_bytes() && !workload.has_requests());
    assert_eq!(workload.hottest(), None);
    assert_eq!(workload.summary(), "1,000,000 generated keys, seed 0");
    let totals = Totals { keys: 1_000_000, requests: 1_000_000, bytes: 0 };
    assert_eq!(workload.totals(), totals);
    let keys: HashSet<Vec<u8>> = rows_of(&workload).into_iter().map(|(key, ..)| key).collect();
    assert_eq!(keys.len(), 1_000_000);
}

#[test]
fn blocks_give_every_key_once_and_in_order() {
    for keys in [1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, RUNS * BLOCK + 1] {
        let workload = load(Generated { keys, seed: u64::MAX, ..Generated::default() });
        let rows = rows_of(&workload);
        let sample = workload.sample(usize::MAX);
        assert_eq!(rows.len() as u64, keys);
        assert!(rows.iter().map(|(key, ..)| key).eq(&sample), "{keys}");
    }
}

#[test]
fn a_sum_of_floats_does_not_depend_on_the_number_of_threads() {
    let workload = load(Generated { keys: 300_000, ..Generated::default() });
    let sum = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            workload.fold(
                || 0.0_f64,
                |sum, block| {
                    for key in block.keys {
                        *sum += 1.0 / f64::from(u16::from(key[0]) * 7 + u16::from(key[1]));
                    }
                },
                |a, b| a + b,
            )
        })
    };
    let one = sum(1);
    for threads in [2, 3, 8] {
        assert_eq!(sum(threads).to_bits(), one.to_bits(), "{threads} threads");
    }
}

#[test]
fn requests_follow_zipfs_law() {
    // 1000 / (r H), H the sum of 1/r for r from 1 to 10, rounded by hand.
    let skew = Some(Skew::Zipf { exponent: 1.0, requests: 1000 });
    let workload = load(Generated { keys: 10, skew, ..Generated::default() });
    let requests: Vec<u64> = rows_of(&workload).iter().filter_map(|row| row.1).collect();
    assert_eq!(requests, [341, 171, 114, 85, 68, 57, 49, 43, 38, 34]);
    assert_eq!(workload.totals().requests, 1000);
    let hottest = workload.hottest().unwrap();
    assert_eq!((&hottest.key[..], hottest.requests), (&b"16294208416658607535"[..], 341));
    assert!((hottest.fraction - 0.341).abs() < 1e-12);
}

#[test]
fn zipfs_law_holds_across_blocks() {
    // 10^6 r^-0.9 / sum, with 30 digits.
    let skew = Some(Skew::Zipf { exponent: 0.9, requests: 1_000_000 });
    let workload = load(Generated { keys: 10_000, skew, ..Generated::default() });
    let rows = rows_of(&workload);
    let at = |rank: usize| rows[rank - 1].1.unwrap();
    let expected = [(1, 63_739), (2, 34_157), (3, 23_714), (4096, 36), (4097, 36), (10_000, 16)];
    for (rank, requests) in expected {
        assert_eq!(at(rank), requests, "rank {rank}");
    }
}

#[test]
fn no_key_is_without_a_request() {
    let skew = Some(Skew::Zipf { exponent: 100.0, requests: 1 });
    let workload = load(Generated { keys: 5000, skew, ..Generated::default() });
    assert!(rows_of(&workload).iter().all(|row| row.1 == Some(1)));
    assert_eq!(workload.hottest(), None);
    assert_eq!(workload.totals().requests, 5000);
}

#[test]
fn sizes_are_quantiles_of_the_log_normal_distribution() {
    // 4096 exp(1.5 z), z the normal quantile of the draw, with 30 digits.
    let sizes = Some(Sizes { median: 4096.0, sigma: 1.5 });
    let workload = load(Generated { keys: 6, sizes, ..Generated::default() });
    let bytes: Vec<u64> = rows_of(&workload).iter().filter_map(|row| row.2).collect();
    assert_eq!(bytes, [1722, 14_675, 3822, 1313, 1034, 72]);
    assert_eq!(workload.totals().bytes, 1722 + 14_675 + 3822 + 1313 + 1034 + 72);
    assert_eq!(workload.summary(), "6 generated keys, seed 0, 22,638 bytes");
}

#[test]
fn sizes_stay_in_their_range_whatever_the_parameters() {
    for (median, sigma) in [(1.0, 100.0), (9_007_199_254_740_992.0, 100.0), (1.0, 1e-300)] {
        let sizes = Some(Sizes { median, sigma });
        let workload = load(Generated { keys: 10_000, sizes, ..Generated::default() });
        let in_range = |row: &(Vec<u8>, _, Option<u64>)| (1..=1 << 53).contains(&row.2.unwrap());
        assert!(rows_of(&workload).iter().all(in_range), "{median} {sigma}");
    }
}

#[test]
fn a_parameter_out_of_range_is_named_with_its_range() {
    let keys = |keys| Generated { keys, ..Generated::default() };
    let skewed = |exponent, requests| Generated {
        skew: Some(Skew::Zipf { exponent, requests }),
        ..Generated::default()
    };
    let sized =
        |median, sigma| Generated { sizes: Some(Sizes { median, sigma }), ..Generated::default() };
    let cases = [
        (keys(0), "keys is 0, but must be from 1 to 10000000000"),
        (keys(10_000_000_001), "keys is 10000000001, but must be from 1 to 10000000000"),
        (keys(1 << 53), "keys is 9007199254740992, but must be from 1 to 10000000000"),
        (skewed(1.0, 0), "requests is 0, but must be from 1 to 9007199254740992"),
        (skewed(0.0, 1), "zipf is 0, but must be above 0 and at most 100"),
        (skewed(-1.0, 1), "zipf is -1, but must be above 0 and at most 100"),
        (skewed(f64::NAN, 1), "zipf is NaN, but must be above 0 and at most 100"),
        (skewed(f64::INFINITY, 1), "zipf is inf, but must be above 0 and at most 100"),
        (sized(0.5, 1.0), "bytes_median is 0.5, but must be from 1 to 9007199254740992"),
        (sized(f64::NAN, 1.0), "bytes_median is NaN, but must be from 1 to 9007199254740992"),
        (sized(1.0, 0.0), "bytes_sigma is 0, but must be above 0 and at most 100"),
        (sized(1.0, f64::NAN), "bytes_sigma is NaN, but must be above 0 and at most 100"),
    ];
    for (of, message) in cases {
        let error = Workload::load(&Source::Generated(of)).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn a_table_without_fields_is_the_default() {
    assert_eq!(source(""), Ok(Source::default()));
}

#[test]
fn a_table_tells_every_parameter() {
    let text =
        "keys = 5\nseed = 7\nzipf = 0.9\nrequests = 100\nbytes_median = 2.5\nbytes_sigma = 1";
    let generated = Generated {
        keys: 5,
        seed: 7,
        names: Names::Random,
        skew: Some(Skew::Zipf { exponent: 0.9, requests: 100 }),
        sizes: Some(Sizes { median: 2.5, sigma: 1.0 }),
    };
    assert_eq!(source(text), Ok(Source::Generated(generated)));
}

#[test]
fn a_file_is_relative_to_the_folder_of_its_scenario() {
    let read = |text: &str| source(text).unwrap().relative_to(Path::new("scenarios"));
    let file = |path: &str, strict| Source::File {
        path: PathBuf::from(path),
        strict,
        form: Form::default(),
    };
    assert_eq!(read("file = 'keys.csv'"), file("scenarios/keys.csv", false));
    assert_eq!(read("file = '/keys.csv'\nstrict = true"), file("/keys.csv", true));
    assert_eq!(read("file = '-'"), Source::Stdin { strict: false, form: Form::default() });
}

#[test]
fn a_table_that_contradicts_itself_is_refused() {
    let cases = [
        ("file = 'a'\nkeys = 1", "keys is for generated keys, but file gives the keys"),
        ("file = 'a'\nseed = 0", "seed is for generated keys, but file gives the keys"),
        ("strict = true", "strict is for a file, but there is no file"),
        ("zipf = 1.0", "zipf needs requests beside it"),
        ("requests = 10", "requests needs zipf beside it"),
        ("bytes_median = 1.0", "bytes_median needs bytes_sigma beside it"),
        ("keys = 0", "keys is 0, but must be a whole number from 1 to 10000000000"),
        ("zipf = nan\nrequests = 1", "zipf is NaN, but must be above 0 and at most 100"),
        ("file = ''", "file is \"\", but must be the name of a file, or - for standard input"),
    ];
    for (text, message) in cases {
        assert_eq!(source(text), Err(message.to_owned()), "{text}");
    }
}

#[test]
fn a_field_out_of_its_range_is_told_at_its_own_line() {
    let sound =
        "seed = 1\nkeys = 5\nzipf = 1.0\nrequests = 9\nbytes_median = 2.0\nbytes_sigma = 1.0\n";
    let wrong = [
        ("keys = 5", "keys = 0", 2),
        ("zipf = 1.0", "zipf = 0.0", 3),
        ("requests = 9", "requests = 0", 4),
        ("bytes_median = 2.0", "bytes_median = 0.5", 5),
        ("bytes_sigma = 1.0", "bytes_sigma = 101.0", 6),
    ];
    assert!(source(sound).is_ok());
    for (from, to, line) in wrong {
        let text = sound.replace(from, to);
        let error = toml::from_str::<Source>(&text).unwrap_err();
        let told = crate::Error::from_toml("s.toml", &text, &error).to_string();
        assert!(told.starts_with(&format!("s.toml:{line}: ")), "{told}");
    }
}

#[test]
fn an_unknown_field_is_named_with_those_that_exist() {
    let text = "kyes = 5";
    let error = toml::from_str::<Source>(text).unwrap_err();
    assert_eq!(
        crate::Error::from_toml("s.toml", text, &error).to_string(),
        "s.toml:1: unknown field \"kyes\", but the fields are keys, seed, generate, zipf, \
         hot, requests, bytes_median, bytes_sigma, file, strict, format, key_column, \
         bytes_column, requests_column, sketch"
    );
}

#[test]
fn a_negative_count_is_refused_with_the_range() {
    let text = "seed = 1\nkeys = -1";
    let error = toml::from_str::<Source>(text).unwrap_err();
    assert_eq!(
        crate::Error::from_toml("s.toml", text, &error).to_string(),
        "s.toml:2: keys is -1, but must be a whole number from 1 to 10000000000"
    );
}

#[test]
fn a_source_survives_json() {
    let sources = [
        "",
        "keys = 5\nzipf = 0.9\nrequests = 100",
        "bytes_median = 2.5\nbytes_sigma = 1",
        "file = 'a'\nstrict = true",
        "file = '-'",
    ];
    for text in sources {
        let source = source(text).unwrap();
        let json = serde_json::to_string(&source).unwrap();
        assert_eq!(serde_json::from_str::<Source>(&json).unwrap(), source, "{json}");
    }
}

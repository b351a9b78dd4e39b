//! The hashes of other programs, against the answers of those programs.

use homing_core::compat::{self, Algorithm, Compat};
use homing_core::{Error, KeyHash};

fn hash(name: &str, key: &[u8]) -> u64 {
    let hash: KeyHash = name.parse().unwrap_or_else(|error| panic!("{error}"));
    hash.hash(key)
}

/// One claim a row: this name, over this key, is that number.
fn check(rows: &[(&str, &[u8], u64)]) {
    for &(name, key, value) in rows {
        assert_eq!(hash(name, key), value, "{name} of {}", key.escape_ascii());
    }
}

// Two keys of the vectors with bytes from 0x80 on: of 8 bytes, UTF-8, and of 13, random.
const USER: &[u8] = "用户:1".as_bytes();
const NOISE: &[u8] = b"\xaf\x43\x16\x18\x76\x75\xde\xab\xe7\x48\xec\x90\x17";

#[test]
fn memcached_clients_hash_as_recorded() {
    // hashes/libhashkit.csv of the vectors, rows 666f6f, e794a8e688b73a31 and af4316...
    check(&[
        ("one-at-a-time-signed", b"foo", 596_015_325),
        ("md5-le32", b"foo", 3_675_831_724),
        ("crc32-15", b"foo", 3187),
        ("fnv1-64-low32-signed", b"foo", 1_805_727_027),
        ("fnv1a-64-low32-signed", b"foo", 4_275_688_823),
        ("fnv1-32-signed", b"foo", 1_083_137_555),
        ("fnv1a-32-signed", b"foo", 2_851_307_223),
        ("murmur2-length", b"foo", 3_303_027_599),
        ("lookup3:13", b"foo", 2_583_187_353),
        ("murmur3-32-length", b"foo", 2_784_297_138),
        ("one-at-a-time-signed", USER, 3_014_549_158),
        ("md5-le32", USER, 2_154_372_519),
        ("crc32-15", USER, 14_816),
        ("fnv1-64-low32-signed", USER, 1_783_465_318),
        ("fnv1a-64-low32-signed", USER, 84_289_784),
        ("fnv1-32-signed", USER, 3_126_377_190),
        ("fnv1a-32-signed", USER, 2_234_903_448),
        ("murmur2-length", USER, 951_792_941),
        ("lookup3:13", USER, 2_274_545_161),
        ("murmur3-32-length", USER, 1_511_809_254),
        ("one-at-a-time-signed", NOISE, 1_473_530_228),
        ("fnv1-64-low32-signed", NOISE, 1_328_491_617),
        ("fnv1a-64-low32-signed", NOISE, 3_053_061_253),
        ("fnv1-32-signed", NOISE, 2_737_775_425),
        ("fnv1a-32-signed", NOISE, 3_991_049_445),
        ("murmur2-length", NOISE, 3_616_464_454),
        ("lookup3:13", NOISE, 2_786_391_117),
        ("murmur3-32-length", NOISE, 2_897_898_083),
    ]);
}

#[test]
fn a_proxy_of_memcached_picks_servers_by_these_remainders() {
    // ketama/twemproxy.jsonl of the vectors, modula over three servers: the owners tell the
    // hash mod 3. Tails of 1, 2 and 3 bytes, with and without a sign.
    let owners = |name, rows: &[(&[u8], u64)]| {
        for &(key, owner) in rows {
            assert_eq!(hash(name, key) % 3, owner, "{name} of {}", key.escape_ascii());
        }
    };
    owners(
        "hsieh",
        &[
            (b"foo", 2),
            (b"hello", 0),
            (USER, 0),
            ("naïve".as_bytes(), 0),
            (b"\x80", 0),
            (b"\xff", 0),
            (b"\xcb", 0),
            (b"\xe0\x79\x69\x3f\x41\x01\x5c\xbc\x80", 2),
            (b"\x2e\x23\xe0\x6c\x0a\xc8\x42\x52\xe3\x53\xf3\xc7\xa0", 2),
            (b"\xf7\x09\xe6", 2),
            (b"\xbe\x49\x77\x14\x37\xf2\xdb\xa4\x04\xd0\xbd", 0),
            (b"\x2c\x11", 2),
        ],
    );
    // What is shifted out of the 16 bits counts: masked, foo would go to another.
    owners(
        "crc16-wide",
        &[
            (b"foo", 1),
            (b"bar", 2),
            (b"hello", 2),
            (USER, 2),
            (b"\xff", 0),
            (b"\x80", 2),
            (b"\xff\xff\xff\xff\xff\xff\xff\xff", 1),
            (b"\xd7\x49\x1f\xc0\x02\x08\x23\x09\xe4\x96\xf6\xa2\x86", 1),
        ],
    );
}

#[test]
fn proxies_of_http_hash_as_recorded() {
    // haproxy/haproxy_hash.jsonl, nginx/nginx_hash.jsonl, envoy/ring_hash.jsonl of the vectors.
    let naive = "naïve".as_bytes();
    check(&[
        ("sdbm", b"hello", 684_824_882),
        ("sdbm", USER, 2_604_432_209),
        ("sdbm-avalanche", b"hello", 2_061_535_398),
        ("sdbm-avalanche", naive, 3_680_902_537),
        ("djb2", b"hello", 261_238_937),
        ("djb2", USER, 3_291_993_048),
        ("djb2-avalanche", naive, 3_935_455_536),
        ("wt6", b"hello", 3_538_347_703),
        ("wt6", USER, 2_983_043_574),
        ("wt6-avalanche", naive, 1_578_355_568),
        ("crc32", b"foo", 2_356_372_769),
        ("crc32", naive, 3_574_563_174),
        ("crc32-avalanche", naive, 3_255_886_242),
        ("xxh64", b"foo", 3_728_699_739_546_630_719),
        ("xxh64", b"user:10086", 4_967_825_724_050_223_606),
    ]);
    // haproxy, config eq3: the first two points of its ring, of the servers 3 and 1.
    let point_of =
        |server: u32, point| (0..16).any(|j| compat::avalanche(4096 * server + j) == point);
    assert!(point_of(3, 76_442_173) && point_of(2, 414_606_662) && point_of(1, 494_948_004));
    // envoy, config eq3-murmur2-min60: points of 127.0.0.1:26001.
    let point_of = |point| {
        (0..20).any(|i| {
            let label = format!("127.0.0.1:26001_{i}");
            hash("murmur2-64a:3339675911", label.as_bytes()) == point
        })
    };
    assert!(point_of(417_764_426_629_474_871) && point_of(630_395_700_712_085_105));
}

#[test]
fn brokers_and_clients_take_these_numbers() {
    // modulo/modulo.jsonl, ring/go_crc32_rings.jsonl, hrw/hrw.jsonl of the vectors. The first
    // of them records murmur2 before its top bit is cut.
    check(&[
        ("murmur2-kafka", b"hello", 2_132_663_229),
        ("murmur2-kafka", USER, 672_531_499),
        ("murmur2-kafka", "naïve".as_bytes(), 452_640_081),
        ("crc32-15-or-1", b"hello", 13_840),
        ("fnv1a-32", b"foo", 2_851_307_223),
        ("fnv1a-32", b"bar", 1_991_736_602),
        ("rapidhash-str", b"foo", 10_700_966_328_256_183_507),
        ("rapidhash-str", b"node-0", 15_446_114_412_423_385_266),
    ]);
    // Partitions 100 of that file.
    assert_eq!(hash("fnv1a-32-abs", b"hello") % 100, 23);
    assert_eq!(hash("fnv1a-32-abs", "😀".as_bytes()) % 100, 56);
    // clandestined, seed 10, in hrw/hrw.jsonl: of five nodes node-1 wins the key foo.
    let score = |i| hash("murmur3-32:10", format!("node-{i}-foo").as_bytes());
    assert!([0, 2, 3, 4].iter().all(|&i| score(i) < score(1)));
    // rendezvous_hash in the same file: foo goes to the nodes 1, 0, 4, 2, 3 in that order.
    let score = |i: u8| {
        let pair = [b"foo\xffnode-", &[b'0' + i][..], b"\xff"].concat();
        hash("siphash-1-3", &pair)
    };
    assert!([1, 0, 4, 2, 3].map(score).is_sorted_by(|a, b| a > b));
}

#[test]
fn tokens_are_those_of_the_server() {
    // cassandra/murmur3_tokens.csv of the vectors; the last column is murmur3-128.
    let rows: [(&[u8], i64, i64); 8] = [
        (b"\x02", 7_160_176_530_259_582_706, 7_160_176_530_259_582_706),
        (b"\x81", -1_907_894_690_725_236_177, 2_816_559_393_329_287_790),
        (b"\xff", -4_442_228_696_663_692_417, 5_177_511_712_917_721_324),
        (b"\xff\xff", 6_163_071_069_786_142_063, 2_308_901_013_603_085_530),
        (b"foo", -2_129_773_440_516_405_919, -2_129_773_440_516_405_919),
        (
            b"\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
            6_371_209_966_942_456_524,
            -7_656_988_346_803_964_494,
        ),
        (b"\0\x04user\0\0\x04\0\0\0\x07\0", -3_239_687_361_123_109_945, -3_239_687_361_123_109_945),
        (b"\xee\x63\x83\xde\x4d\x46\x81\x16\x09\x8d\xdc\xb3\x91\xc4\x8f\xec", i64::MAX, i64::MIN),
    ];
    for (key, token, standard) in rows {
        let shown = key.escape_ascii();
        assert_eq!(compat::murmur3_token(key), token, "{shown}");
        let raw = if token == i64::MAX { i64::MIN } else { token };
        assert_eq!(hash("murmur3-128-signed", key).cast_signed(), raw, "{shown}");
        assert_eq!(hash("murmur3-token", key).cast_signed() ^ i64::MIN, token, "{shown}");
        assert_eq!(hash("murmur3-128", key).cast_signed(), standard, "{shown}");
    }
    // README of the vectors: the server has the least token for the empty key.
    assert_eq!(hash("murmur3-token", b""), 0);
    assert_eq!(hash("murmur3-128-signed", b""), 0);
}

#[test]
fn magnitudes_are_the_tokens_of_the_random_partitioner() {
    // cassandra/md5_tokens.csv of the vectors.
    for (key, token) in [
        (&b""[..], 58_332_598_431_525_814_501_020_785_164_969_033_090),
        (b"\x02", 129_721_498_153_058_668_219_395_762_571_499_089_729),
        (b"\xff", 463_733_602_705_843_015_805_947_089_201_357_461),
        (b"\x03\x06", 28_982_992_855_152_945_487_841_540_203_949_182_535),
    ] {
        assert_eq!(compat::md5_magnitude(key), token);
        assert_eq!(u128::from(hash("md5-magnitude", key)), token >> 63);
    }
}

#[test]
fn tables_start_where_the_recorded_ones_do() {
    // maglev/katran.jsonl of the vectors: the first record, ring of 7, endpoint hashes 10, 20, 30.
    let pair = |a: u64, b: u64| [a.to_le_bytes(), b.to_le_bytes()].concat();
    let offset = |of| hash("murmur3-128", &pair(of, 42)) % 7;
    let skip = |of| hash("murmur3-128:2307", &pair(of, 2_718_281_828)) % 6 + 1;
    assert_eq!([10, 20, 30].map(offset), [3, 0, 4]);
    assert_eq!([10, 20, 30].map(skip), [3, 3, 5]);
    // maglev/go_maglev.jsonl: the first record with names, M = 7.
    let of = |i: u32| {
        let name = format!("backend-{i}");
        let hash = hash("siphash-2-4:16045690984503098046,0", name.as_bytes());
        ((hash >> 32) % 7, (hash & 0xffff_ffff) % 6 + 1)
    };
    assert_eq!([0, 1, 2].map(of), [(2, 4), (0, 5), (1, 2)]);
}

#[test]
fn published_values_hold() {
    check(&[
        // RFC 1321, section A.5, and FIPS 180-4, example "abc".
        ("md5-be32", b"abc", 0x9001_5098),
        ("md5-be64", b"abc", 0x9001_5098_3cd2_4fb0),
        ("md5-le-i64", b"abc", 0xb04f_d23c_9850_0190 ^ (1 << 63)),
        ("sha1-be32", b"abc", 0xa999_3e36),
        ("sha1-be64", b"abc", 0xa999_3e36_4706_816a),
        // Catalogue of parametrised CRC algorithms, CRC-32/ISO-HDLC, check.
        ("crc32", b"123456789", 0xcbf4_3926),
        // draft-eastlake-fnv, test vectors.
        ("fnv1-32", b"foobar", 0x31f0_b262),
        ("fnv1a-32", b"foobar", 0xbf9c_f968),
        ("fnv1-64", b"foobar", 0x340d_8765_a4dd_a9c2),
        ("fnv1a-64", b"foobar", 0x8594_4171_f739_67e8),
        ("fnv1-64-low32", b"foobar", 0xa4dd_a9c2),
        ("fnv1a-64-low32", b"foobar", 0xf739_67e8),
        // lookup3.c, driver5.
        ("lookup3", b"Four score and seven years ago", 0x1777_0551),
        ("lookup3:1", b"Four score and seven years ago", 0xcd62_8161),
        // Wikipedia, "Jenkins hash function".
        ("one-at-a-time", b"a", 0xca2e_9442),
        ("one-at-a-time", b"The quick brown fox jumps over the lazy dog", 0x519e_91f5),
        // xxHash specification: XXH64 of nothing with seed 0.
        ("xxh64", b"", 0xef46_db37_51d8_e999),
        // SipHash paper, appendix A: key 00..0f, input 00..0e.
        (
            "siphash-2-4:506097522914230528,1084818905618843912",
            b"\0\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e",
            0xa129_ca61_49be_45e5,
        ),
    ]);
    assert_eq!(compat::md5(b"abc")[..4], [0x90, 0x01, 0x50, 0x98]);
    assert_eq!(compat::sha1(b"abc")[16..], [0x9c, 0xd0, 0xd8, 0x9d]);
}

#[test]
fn signed_and_unsigned_agree_on_ascii_and_on_nothing_else() {
    for signed in Algorithm::ALL.iter().filter(|algorithm| algorithm.name().ends_with("-signed")) {
        let unsigned = signed.name().strip_suffix("-signed").unwrap();
        assert_eq!(hash(unsigned, b"user:10086"), signed.hash(b"user:10086"), "{signed}");
        assert_ne!(hash(unsigned, USER), signed.hash(USER), "{signed}");
    }
}

#[test]
fn only_what_a_tag_encloses_is_hashed() {
    // The rule of redis/keyslot.csv of the vectors: the first {, then the first } after it, and
    // the whole key where nothing stands between them.
    for (key, part) in [
        ("foo{bar}baz", "bar"),
        ("{a}b{c}", "a"),
        ("a{b{c}d}e", "b{c"),
        ("}{a}", "a"),
        ("foo{}{bar}", "foo{}{bar}"),
        ("foo{bar", "foo{bar"),
        ("foo}bar{", "foo}bar{"),
        ("", ""),
    ] {
        assert_eq!(hash("md5-le32@{}", key.as_bytes()), hash("md5-le32", part.as_bytes()), "{key}");
    }
    assert_eq!(hash("crc32@%%", b"a%b%c"), hash("crc32", b"b"));
    assert_eq!(hash("crc32@00ff", b"a\0b\xffc"), hash("crc32", b"b"));
}

#[test]
fn a_hash_is_written_in_one_way() {
    for text in [
        "md5-le32",
        "md5-le32@{}",
        "md5-le32@@@",
        "crc32@:,",
        "crc32@7b00",
        "murmur3-32",
        "murmur3-32:42",
        "murmur3-32:4294967295@{}",
        "xxh64:18446744073709551615",
        "siphash-2-4:0,1",
    ] {
        assert_eq!(text.parse::<KeyHash>().unwrap().to_string(), text);
        assert_eq!(text.parse::<Compat>().unwrap().to_string(), text);
    }
    // A seed of 0 may be given, and is not written.
    assert_eq!("murmur3-32:0".parse::<KeyHash>().unwrap().to_string(), "murmur3-32");
    assert_eq!("siphash-1-3:0,0".parse::<KeyHash>().unwrap().to_string(), "siphash-1-3");
    for text in [
        "MD5-le32",
        "md5-le32 ",
        "md5-le32:",
        "md5-le32:0",
        "md5-le32@",
        "md5-le32@{",
        "md5-le32@{}}",
        "md5-le32@7b7d",
        "md5-le32@7B00",
        "@{}",
        "murmur3-32:",
        "murmur3-32:+1",
        "murmur3-32:01",
        "murmur3-32:4294967296",
        "siphash-2-4:1",
        "siphash-2-4:1,2,3",
        "siphash-2-4:1, 2",
    ] {
        assert!(text.parse::<KeyHash>().is_err(), "{text:?}");
    }
}

#[test]
fn an_error_states_what_would_do() {
    let message = |text: &str| text.parse::<KeyHash>().unwrap_err().to_string();
    let start = r#"hash is "md5le32", but must be one of md5-le32, xxh3[:SEED], "#;
    assert!(message("md5le32").starts_with(start), "{}", message("md5le32"));
    for algorithm in Algorithm::ALL {
        assert!(message("ketama").contains(algorithm.name()), "{algorithm}");
    }
    let error = Error::parameter(
        "hash",
        r#""murmur3-32:-1""#,
        "murmur3-32:SEED, a seed of 0 to 4294967295",
    );
    assert_eq!("murmur3-32:-1".parse::<KeyHash>().unwrap_err(), error);
    assert!(message("siphash-1-3:5").ends_with("two keys of 0 to 18446744073709551615"));
    assert!(message("crc32:5").ends_with("crc32, which has no seed"));
}

#[test]
fn no_value_is_beyond_the_range() {
    let keys = [&b""[..], b"a", b"foo", USER, NOISE, &[0xff; 40]];
    for algorithm in Algorithm::ALL {
        let max = algorithm.max_hash();
        assert_eq!(KeyHash::from(*algorithm).max_hash(), max);
        assert!(max == u64::MAX || max == u64::from(u32::MAX));
        assert!(keys.iter().all(|key| algorithm.hash(key) <= max), "{algorithm}");
        // Of 64 values of 64 bits, not all are of 32.
        let wide = (0..64_u32).any(|i| algorithm.hash(&i.to_le_bytes()) > u64::from(u32::MAX));
        assert_eq!(wide, max == u64::MAX, "{algorithm}");
    }
}

#[test]
fn the_readme_has_every_name() {
    let readme = include_str!("../README.md");
    for algorithm in Algorithm::ALL {
        let row = format!("| `{}` | ", algorithm.name());
        let bits = if algorithm.max_hash() == u64::MAX { "64" } else { "32" };
        let found = readme.lines().find_map(|line| line.strip_prefix(&row));
        let found = found.unwrap_or_else(|| panic!("no row {row}"));
        assert!(
            bits == "64" && found.starts_with("64 |") || bits == "32" && !found.starts_with("64 |")
        );
    }
}

#[test]
fn a_manifest_states_the_hash_as_text() {
    let hash: KeyHash = "md5-le32@{}".parse().unwrap();
    assert_eq!(serde_json::to_string(&hash).unwrap(), r#""md5-le32@{}""#);
    assert_eq!(serde_json::from_str::<KeyHash>(r#""md5-le32@{}""#).unwrap(), hash);
    assert!(serde_json::from_str::<KeyHash>(r#""md5""#).is_err());
}

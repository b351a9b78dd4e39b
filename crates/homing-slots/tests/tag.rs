//! From a key to its slot: the cases of the Redis cluster specification and of
//! clients that got them wrong.

use homing_slots::{crc16, hash_tag, slot};

fn assert_slots(slots: &[(&[u8], u16)]) {
    for &(key, expected) in slots {
        assert_eq!(slot(key), expected, "{:?}", String::from_utf8_lossy(key));
    }
}

#[test]
fn the_crc_has_its_check_value() {
    // Redis cluster specification, appendix: CRC16 of "123456789" is 0x31C3.
    assert_eq!(crc16(b"123456789"), 0x31C3);
    assert_eq!(crc16(b""), 0);
    // cases.md, C49.
    assert_eq!(crc16(b"apple"), 0x5BB4);
}

#[test]
fn slots_are_those_of_a_server() {
    // facts.md, section 3.
    assert_slots(&[
        (b"", 0),
        (b"foo", 12_182),
        (b"123456789", 12_739),
        (b"{user1000}.following", 3_443),
        (b"foo{bar}{zap}", 5_061),
    ]);
}

#[test]
fn c01_after_an_empty_tag_no_other_is_tried() {
    assert_slots(&[
        (b"foo{}{bar}", 8_363),
        (b"{}{user1}", 14_830),
        (b"a{}b}c", 2_041),
        (b"{}", 15_257),
        (b"cart:{}:77", 10_245),
        (b"{}}", 14_790),
    ]);
}

#[test]
fn c02_a_tag_ends_at_the_first_closing_brace() {
    assert_slots(&[
        (b"foo{{bar}}zap", 4_015),
        (b"cfg{'a':{'b':2}}", 703),
        (b"{'a':{'b':2}}", 703),
        (b"order{a{b}c}", 13_340),
        (b"p{x}{y}", 16_287),
        (b"p{x}z", 16_287),
        (b"{{{x}", 965),
    ]);
}

#[test]
fn c03_a_tag_may_stand_anywhere() {
    let keys = ["session{u7}", "{u7}", "x{u7}y", "deep:path:{u7}:leaf", "u7"];
    for key in keys {
        assert_eq!(slot(key.as_bytes()), 12_568, "{key}");
    }
}

#[test]
fn c04_text_is_hashed_by_its_utf8_bytes() {
    assert_slots(&[
        ("профиль:42".as_bytes(), 9_613),
        ("naïve:é".as_bytes(), 7_089),
        ("商品:{购物车}:9".as_bytes(), 4_452),
        ("emoji:🦀".as_bytes(), 3_056),
        (b"ascii-only", 11_597),
    ]);
}

#[test]
fn c05_brace_bytes_in_binary_keys_are_a_tag() {
    assert_slots(&[
        (b"\x7b\x3e\x45\x67\xe8\x9b\x12\xd3\xa4\x56\x42\x66\x14\x17\x7d\x00", 13_599),
        (b"\x00\xff\x7b\x7d\x11", 8_015),
        (b"\x7b\x41\x42\x7d\x43", 5_755),
        (b"\xc3\x28\x7b\x61\x62\x63", 15_349),
        (b"\xff\x00\xfe", 434),
    ]);
}

#[test]
fn a_key_without_a_whole_tag_is_hashed_whole() {
    for key in ["plain", "open{", "open{tag", "}closed{", "a}b", "x{}"] {
        assert_eq!(hash_tag(key.as_bytes()), key.as_bytes());
    }
    assert_eq!(hash_tag(b"}{tag}"), b"tag");
}

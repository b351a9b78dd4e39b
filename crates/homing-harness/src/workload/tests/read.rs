use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;
use crate::Error;

type Keys = Vec<(String, Option<u64>, Option<u64>)>; // key, requests, bytes

fn rows(name: &str, text: impl Into<Vec<u8>>, strict: bool) -> Result<Rows> {
    Rows::new(name.into(), name == "k.csv", Cursor::new(text.into()), strict)
}

pub(super) fn read(name: &str, text: impl Into<Vec<u8>>) -> Result<Workload> {
    Workload::read(rows(name, text, false)?)
}

fn keys(workload: &Workload) -> Keys {
    rows_of(workload)
        .into_iter()
        .map(|(key, requests, bytes)| (key.escape_ascii().to_string(), requests, bytes))
        .collect()
}

pub(super) fn plain(name: &str, text: impl Into<Vec<u8>>) -> Vec<String> {
    keys(&read(name, text).unwrap()).into_iter().map(|(key, ..)| key).collect()
}

pub(super) fn unreadable(name: &str, text: &str) -> Vec<(u64, String)> {
    let workload = read(name, text).unwrap();
    let reading = workload.reading().unwrap();
    reading.first_unreadable.iter().map(|row| (row.line, row.reason.clone())).collect()
}

pub(super) fn refusal(name: &str, text: impl Into<Vec<u8>>) -> String {
    let message = read(name, text).unwrap_err().to_string();
    assert_eq!(message.lines().count(), 1);
    message
}

pub(super) fn zipped(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_line_is_a_key_without_its_line_end() {
    assert_eq!(plain("keys", "a\nb,1\n c \n"), ["a", "b,1", " c "]);
    assert_eq!(plain("keys", "a\r\nb\r\r\nc"), ["a", "b\\r", "c"]);
    assert_eq!(plain("keys", "\"a\nb\"\n"), ["\\\"a", "b\\\""]);
}

#[test]
fn an_empty_line_is_the_empty_key() {
    assert_eq!(plain("keys", "\n"), [""]);
    assert_eq!(plain("keys", "a\n\r\nb"), ["a", "", "b"]);
}

#[test]
fn keys_need_not_be_utf8() {
    assert_eq!(plain("keys", b"\xff\x00\n\xc3\x28".to_vec()), ["\\xff\\x00", "\\xc3("]);
    assert_eq!(plain("k.csv", b"key,x\n\xff\x00,\xfe\n".to_vec()), ["\\xff\\x00"]);
}

#[test]
fn a_key_on_several_rows_has_that_many_requests_and_the_largest_bytes() {
    let workload = read("k.csv", "t,key,bytes\n1,a,10\n2,b,5\n3,a,30\n4,a,20\n").unwrap();
    let expected = [("a".into(), Some(3), Some(30)), ("b".into(), Some(1), Some(5))];
    assert_eq!(keys(&workload), expected);
    assert_eq!(workload.basis(), Basis::Counted);
    assert_eq!(workload.totals(), Totals { keys: 2, requests: 4, bytes: 35 });
    let hottest = Hottest { key: b"a".to_vec(), requests: 3, fraction: 0.75 };
    assert_eq!(workload.hottest(), Some(&hottest));
    assert_eq!(workload.summary(), "k.csv: 2 keys on 4 rows, 4 requests, 35 bytes");
}

#[test]
fn requests_of_a_key_are_added_up_where_there_is_a_column() {
    let workload = read("k.csv", "requests,key\n10,a\n0,b\n7,a\n").unwrap();
    let expected = [("a".into(), Some(17), None), ("b".into(), Some(0), None)];
    assert_eq!(keys(&workload), expected);
}

#[test]
fn keys_that_occur_once_have_no_requests_to_tell() {
    let workload = read("keys", "a\nb\n").unwrap();
    assert!(!workload.has_requests() && workload.hottest().is_none());
    assert_eq!(workload.totals().requests, 2);
}

#[test]
fn keys_with_equal_requests_have_no_hottest() {
    let workload = read("keys", "a\nb\nb\na\n").unwrap();
    assert!(workload.has_requests() && workload.hottest().is_none());
    let none = read("k.csv", "key,requests\na,0\nb,0\n").unwrap();
    assert!(none.hottest().is_none());
}

#[test]
fn of_equally_hot_keys_the_first_is_named() {
    let many: Vec<_> = (0..3 * BLOCK).map(|i| format!("k{i}")).collect();
    let workload = read("keys", many.join("\n") + "\nk9000\nk5000\n").unwrap();
    assert_eq!(workload.hottest().unwrap().key, b"k5000");
}

#[test]
fn requests_that_do_not_fit_are_an_error() {
    let text = format!("key,requests\na,{}\na,1\n", u64::MAX);
    assert_eq!(
        refusal("k.csv", text),
        "k.csv:3: the requests of key \"a\" add up to more than 18446744073709551615"
    );
    let text = format!("key,requests\na,{0}\nb,{0}\n", u64::MAX);
    let totals = read("k.csv", text).unwrap().totals();
    assert_eq!(totals.requests, 2 * u128::from(u64::MAX));
}

#[test]
fn a_first_line_with_a_field_key_makes_any_file_csv() {
    for header in ["key,n", "n,key", "\"key\",n", "\u{feff}key,n", " key , n", "key,n\r"] {
        assert_eq!(read("keys", format!("{header}\n1,1\n")).unwrap().count(), 1, "{header}");
    }
    assert_eq!(plain("keys", "keys\na"), ["keys", "a"]);
    assert_eq!(plain("keys", "a\nkey"), ["a", "key"]);
    assert_eq!(plain("keys", "key\nb,\nb"), ["b"]);
}

#[test]
fn a_csv_file_without_a_key_column_names_its_columns() {
    assert_eq!(
        refusal("k.csv", "id;key,si\u{1b}ze\n1,2\n"),
        "k.csv:1: no column \"key\", the columns are \"id;key\", \"si\\u{1b}ze\""
    );
    let wide: Vec<_> = (0..9).map(|i| i.to_string()).collect();
    assert!(refusal("k.csv", wide.join(",")).ends_with("\"7\", ..."));
    assert!(refusal("k.csv", "a\rb\r").contains("\"a\\rb\\r\""));
    assert!(refusal("k.csv", "x".repeat(1000)).len() < 200);
}

#[test]
fn a_column_that_stands_twice_is_refused() {
    let twice = |name| format!("k.csv:1: column \"{name}\" stands twice in the header");
    assert_eq!(refusal("k.csv", "key,key\n"), twice("key"));
    assert_eq!(refusal("k.csv", "key,bytes,bytes\n"), twice("bytes"));
    assert_eq!(
        refusal("keys", "key,requests,requests\n"),
        twice("requests").replace(".csv", "eys")
    );
}

#[test]
fn unreadable_rows_are_passed_over_and_told() {
    let text = "key,bytes\na,1\nb\nc,2,3\nd,-1\ne,1.5\nf,abc\n,4\ng,\n\nh,+7\ni, 8 \n";
    let workload = read("k.csv", text).unwrap();
    let used: Vec<_> = keys(&workload).into_iter().map(|(key, _, bytes)| (key, bytes)).collect();
    assert_eq!(used, [("a".into(), Some(1)), (String::new(), Some(4)), ("i".into(), Some(8))]);
    let reading = workload.reading().unwrap();
    assert_eq!((reading.rows, reading.unreadable), (3, 7));
    let rule = "but must be a whole number from 0 to 18446744073709551615";
    let told: Vec<_> = reading.first_unreadable.iter().map(|row| &row.reason[..]).collect();
    let lines: Vec<_> = reading.first_unreadable.iter().map(|row| row.line).collect();
    assert_eq!(lines, [3, 4, 5, 6, 7]);
    assert_eq!(
        told,
        [
            "a row of 1 fields, but the header has 2".to_owned(),
            "a row of 3 fields, but the header has 2".to_owned(),
            format!("bytes is \"-1\", {rule}"),
            format!("bytes is \"1.5\", {rule}"),
            format!("bytes is \"abc\", {rule}"),
        ]
    );
    assert!(workload.summary().ends_with(", 7 rows that could not be read"));
}

#[test]
fn numbers_beyond_64_bits_are_unreadable() {
    let text = "key,bytes\na,18446744073709551615\nb,18446744073709551616\nc,1e400\n";
    assert_eq!(unreadable("k.csv", text).iter().map(|row| row.0).collect::<Vec<_>>(), [3, 4]);
}

#[test]
fn an_unclosed_quote_costs_one_row_and_not_the_rest_of_the_file() {
    let text = "key,bytes\na,1\n\"b,2\nc,3\nd,4\n";
    assert_eq!(plain("k.csv", text), ["a", "c", "d"]);
    assert_eq!(unreadable("k.csv", text), [(3, "a quote is not closed".into())]);
    assert_eq!(plain("k.csv", "key\n\"a\nb\nc"), ["b", "c"]);
}

#[test]
fn text_after_a_closing_quote_costs_one_row() {
    let text = "key,bytes\n\"a\"x,1\nb,2\n\"c\nd,3\n\"e\",4\n";
    assert_eq!(plain("k.csv", text), ["b", "d", "e"]);
    let reason = "a closing quote has text after it";
    assert_eq!(unreadable("k.csv", text), [(2, reason.to_owned()), (4, reason.to_owned())]);
}

#[test]
fn many_broken_rows_are_read_in_one_pass() {
    let broken: String = (0..50_000).map(|_| "\"x\n\"\"\"\"y\n").collect();
    let workload = read("k.csv", format!("key\na\n{broken}b\n")).unwrap();
    let reading = workload.reading().unwrap();
    assert_eq!(reading.rows + reading.unreadable, 100_002);
}

#[test]
fn a_quoted_field_may_hold_commas_quotes_and_line_ends() {
    let text = "key,n\n\"a,\"\"1\"\"\r\n2\",1\nb,2\n";
    assert_eq!(plain("k.csv", text), ["a,\\\"1\\\"\\r\\n2", "b"]);
    let mut rows = rows("k.csv", text, false).unwrap();
    assert_eq!(rows.next_row().unwrap().unwrap().line, 2);
    assert_eq!(rows.next_row().unwrap().unwrap().line, 4);
    assert_eq!(rows.next_row(), Ok(None));
}

#[test]
fn strict_stops_at_the_first_unreadable_row() {
    let error = Workload::read(rows("k.csv", "key,bytes\na,1\nb,x\nc\n", true).unwrap());
    assert_eq!(
        error.unwrap_err().to_string(),
        "k.csv:3: bytes is \"x\", but must be a whole number from 0 to 18446744073709551615"
    );
    let error = Workload::read(rows("k.csv", "key\n\"a\nb\n", true).unwrap());
    assert_eq!(error.unwrap_err().to_string(), "k.csv:2: a quote is not closed");
}

#[test]
fn a_file_without_a_readable_key_is_refused() {
    let empty = "no keys, the file has no rows";
    assert_eq!(refusal("keys", ""), format!("keys: {empty}"));
    assert_eq!(refusal("k.csv", ""), format!("k.csv: {empty}"));
    assert_eq!(refusal("k.csv", "\n\n"), format!("k.csv: {empty}"));
    assert_eq!(refusal("k.csv", "key\n"), format!("k.csv: {empty}"));
    assert_eq!(refusal("k.csv", "\u{feff}key\n"), format!("k.csv: {empty}"));
    assert_eq!(refusal("keys.gz", zipped(b"")), format!("keys.gz: {empty}"));
    assert_eq!(
        refusal("k.csv", "key,bytes\na\nb\n"),
        "k.csv: no keys, none of 2 rows can be read, the first at line 2: \
         a row of 1 fields, but the header has 2"
    );
}

#[test]
fn gzip_is_known_by_its_first_bytes() {
    assert_eq!(plain("keys", zipped(b"a\nb\n")), ["a", "b"]);
    assert_eq!(plain("k.csv", zipped(b"key,bytes\na,1\n")), ["a"]);
    let members = [zipped(b"a\nb"), zipped(b""), zipped(b"c\nd\n")].concat();
    assert_eq!(plain("keys", members), ["a", "bc", "d"]);
    assert_eq!(plain("keys.gz", "a\n"), ["a"]);
    assert_eq!(plain("keys", b"\x1f".to_vec()), ["\\x1f"]);
}

#[test]
fn gzip_cut_off_anywhere_is_refused() {
    let whole = zipped(b"key,bytes\na,1\nb,2\nc,3\n");
    for end in 2..whole.len() {
        let message = refusal("k.csv", &whole[..end]);
        assert!(message.starts_with("k.csv:"), "{end} bytes: {message}");
        assert!(message.ends_with(": the gzip stream is cut off"), "{end} bytes: {message}");
    }
    let second = [whole.clone(), whole[..10].to_vec()].concat();
    assert_eq!(refusal("k.csv", second), "k.csv:5: the gzip stream is cut off");
}

#[test]
fn gzip_with_a_wrong_checksum_or_length_is_refused() {
    // RFC 1952, section 2.3: both stand in the last eight bytes.
    let whole = zipped(b"key,bytes\na,1\nb,2\nc,3\n");
    for at in whole.len() - 8..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        let message = refusal("k.csv", damaged);
        assert!(message.contains(": the gzip stream is damaged, "), "{message}");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named_with_the_systems_reason() {
    let folder = tempfile::tempdir().unwrap();
    let source = Source::named(folder.path(), false);
    let message = Workload::load(&source).unwrap_err().to_string();
    assert_eq!(message, format!("{}: is a directory", folder.path().display()));
    let missing = folder.path().join("none.csv");
    let message = Workload::load(&Source::named(&missing, false)).unwrap_err().to_string();
    assert_eq!(message, format!("{}: no such file or directory", missing.display()));
}

#[test]
fn the_name_of_a_file_tells_csv_in_any_case() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.csv", "a.CSV", "a.csv.gz", "a.Csv.Gz"] {
        let path = folder.path().join(name);
        fs::write(&path, "id\n1\n").unwrap();
        let message = Rows::open(&path, false).err().unwrap().to_string();
        assert!(message.contains("no column \"key\""), "{message}");
    }
}

#[test]
fn an_error_while_reading_is_told() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("Disk on fire"))
        }
    }
    let input = Cursor::new(b"a\nb".to_vec()).chain(Failing);
    let rows = Rows::new("keys".into(), false, input, false).unwrap();
    let error = Workload::read(rows).unwrap_err();
    assert_eq!(error, Error::in_file("keys", "disk on fire"));
}

#[test]
fn any_bytes_are_keys_or_an_error_but_no_panic() {
    // Draws of SplitMix64 over the bytes that mean something in CSV.
    let alphabet = b"\"\",,\n\r\xffa1key\x1f\x8b";
    let mut state = 0_u64;
    for round in 0..20_000_u64 {
        let mut text = if round % 2 == 0 { b"key,bytes\n".to_vec() } else { Vec::new() };
        for _ in 0..round % 40 {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let draw = homing_core::mix64(state) % alphabet.len() as u64;
            text.push(alphabet[usize::try_from(draw).unwrap()]);
        }
        for name in ["k.csv", "keys"] {
            match read(name, text.clone()) {
                Ok(workload) => assert!(workload.count() > 0),
                Err(error) => assert!(!error.to_string().contains(char::is_control)),
            }
        }
    }
}

#[test]
fn standard_input_is_named_by_a_lone_minus() {
    assert_eq!(
        Source::named(Path::new("-"), true),
        Source::Stdin { strict: true, form: Form::default() }
    );
}

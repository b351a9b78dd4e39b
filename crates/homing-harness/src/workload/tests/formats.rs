use std::io::Cursor;

use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::read::zipped;
use super::*;

type Told = (String, Option<u64>, Option<u64>); // key, requests, bytes

fn opened(name: &str, text: impl Into<Vec<u8>>, mut form: Form) -> Result<Workload> {
    form.format = form.format.or_else(|| KeysFormat::named(name));
    Workload::read(Rows::new_as(name.into(), form, Cursor::new(text.into()), false)?)
}

fn told(name: &str, text: impl Into<Vec<u8>>, form: Form) -> Vec<Told> {
    rows_of(&opened(name, text, form).unwrap())
        .into_iter()
        .map(|(key, requests, bytes)| (key.escape_ascii().to_string(), requests, bytes))
        .collect()
}

fn refusal(name: &str, text: impl Into<Vec<u8>>, form: Form) -> String {
    opened(name, text, form).unwrap_err().to_string()
}

fn reasons(name: &str, text: &str, form: Form) -> Vec<(u64, String)> {
    let workload = opened(name, text, form).unwrap();
    let first = &workload.reading().unwrap().first_unreadable;
    first.iter().map(|row| (row.line, row.reason.clone())).collect()
}

fn columns(key: &str, bytes: Option<&str>, requests: Option<&str>) -> Form {
    Form {
        key_column: Some(key.into()),
        bytes_column: bytes.map(Into::into),
        requests_column: requests.map(Into::into),
        ..Form::default()
    }
}

fn row(key: &str, requests: Option<u64>, bytes: Option<u64>) -> Told {
    (key.into(), requests, bytes)
}

/// RFC 8878: the magic number, a single segment with a size of one byte, and one
/// raw block, the last.
fn frame(content: &[u8]) -> Vec<u8> {
    let size = u8::try_from(content.len()).unwrap();
    let block = u32::from(size) << 3 | 1;
    let [a, b, c, _] = block.to_le_bytes();
    [&[0x28, 0xb5, 0x2f, 0xfd, 0x20, size, a, b, c], content].concat()
}

#[test]
fn tabs_are_between_the_fields_of_tsv_and_a_quote_is_itself() {
    let text = "n\tkey\tbytes\r\n1\ta,b\t5\r\n\r\n2\t\"c\t6\r\n3\t\t7";
    let expected = [row("a,b", None, Some(5)), row("\\\"c", None, Some(6)), row("", None, Some(7))];
    assert_eq!(told("k.tsv", text, Form::default()), expected);
    assert_eq!(told("keys", text, Form::default()), expected);
    assert_eq!(
        reasons("k.tsv", "key\tn\na\nb\t1\n", Form::default()),
        [(2, "a row of 1 fields, but the header has 2".into())]
    );
}

#[test]
fn objects_are_rows_of_json_lines() {
    let text = "\u{feff}{\"key\":\"a\\u0000\\\"\",\"bytes\":5,\"x\":[1,{}]}\r\n\n\
                {\"requests\":3,\"key\":17}\n{\"key\":\"\",\"bytes\":7,\"requests\":2}";
    let expected = [
        row("a\\x00\\\"", Some(1), Some(5)),
        row("17", Some(3), Some(0)),
        row("", Some(2), Some(7)),
    ];
    assert_eq!(told("k.jsonl", text, Form::default()), expected);
    assert_eq!(told("k.ndjson", text, Form::default()), expected);
    assert_eq!(told("keys", text, Form::default()), expected);
    // No object with a key: a key a line.
    assert_eq!(told("keys", "{user}.a\n", Form::default()), [row("{user}.a", None, None)]);
}

#[test]
fn objects_that_cannot_be_read_are_told_with_their_line() {
    let rule = "but must be a whole number from 0 to 18446744073709551615";
    let text = "{\"key\":\"a\",\"bytes\":-1}\n{\"key\":true}\n{\"id\":1,\"n\":2}\n\
                {\"key\":\"a\",\"key\":\"b\"}\n{\"key\":\"b\",\"bytes\":\"5\"}\n{\"key\":\"ok\"}\n";
    let reasons = reasons("k.jsonl", text, Form::default());
    let expected = [
        (1, format!("bytes is -1, {rule}")),
        (2, "key is true, but must be a text or a whole number".into()),
        (3, "no field \"key\", the fields are \"id\", \"n\"".into()),
        (4, "no JSON object, field \"key\" stands twice, at column 16".into()),
        (5, format!("bytes is \"5\", {rule}")),
    ];
    assert_eq!(reasons, expected);
}

#[test]
fn lines_that_are_no_json_are_unreadable_and_no_more() {
    for line in
        ["{\"key\":\"a\"", "[1]", "x", "{\"key\":\"a\"} x", "\"key\"", "{\"key\":\"\\ud800\"}"]
    {
        let text = format!("{{\"key\":\"ok\"}}\n{line}\n{{\"key\":\"too\"}}\n");
        let workload = opened("k.jsonl", text, Form::default()).unwrap();
        let reading = workload.reading().unwrap();
        assert_eq!((reading.rows, reading.unreadable), (2, 1), "{line}");
        let first = &reading.first_unreadable[0];
        assert!(first.line == 2 && first.reason.starts_with("no JSON object, "), "{first:?}");
        assert!(!first.reason.contains(char::is_control));
    }
}

#[test]
fn columns_may_have_other_names() {
    let expected = [row("a", Some(3), Some(9)), row("b", Some(1), Some(8))];
    let form = || columns("id", Some("size"), Some("hits"));
    for (name, text) in [
        ("k.csv", "hits,id,size,key\n3,a,9,x\n1,b,8,x\n"),
        ("keys", "hits,id,size,key\n3,a,9,x\n1,b,8,x\n"),
        ("keys", "hits\tid\tsize\n3\ta\t9\n1\tb\t8\n"),
        ("keys", "{\"hits\":3,\"id\":\"a\",\"size\":9}\n{\"hits\":1,\"id\":\"b\",\"size\":8}"),
    ] {
        assert_eq!(told(name, text, form()), expected, "{text}");
    }
}

#[test]
fn a_column_that_is_not_there_is_told_with_those_that_are() {
    let told = "no column \"sise\", the columns are \"id\", \"size\"";
    let form = || columns("id", Some("sise"), None);
    assert_eq!(refusal("k.csv", "id,size\na,1\n", form()), format!("k.csv:1: {told}"));
    assert_eq!(refusal("keys", "id\tsize\na\t1\n", form()), format!("keys:1: {told}"));
    assert_eq!(
        refusal("k.csv", "id,size\n", columns("key", None, None)),
        "k.csv:1: no column \"key\", the columns are \"id\", \"size\""
    );
    assert_eq!(
        refusal("k.jsonl", "{\"id\":1}\n", form()),
        "k.jsonl: no keys, none of 1 rows can be read, the first at line 1: \
         no field \"sise\", the fields are \"id\""
    );
    let lines = Form { format: Some(KeysFormat::Lines), ..columns("id", None, None) };
    assert_eq!(
        refusal("keys", "a\n", lines),
        "key column is for a file with columns, not for lines"
    );
}

#[test]
fn a_format_that_is_said_goes_before_the_name_and_the_first_line() {
    let lines = Form { format: Some(KeysFormat::Lines), ..Form::default() };
    assert_eq!(told("k.csv", "key\na\n", lines).len(), 2);
    let csv = Form { format: Some(KeysFormat::Csv), ..Form::default() };
    assert_eq!(told("k.jsonl", "key\na\n", csv).len(), 1);
}

#[test]
fn the_name_of_a_file_tells_its_format() {
    for (name, format) in [
        ("a.csv", Some(KeysFormat::Csv)),
        ("a.CSV.ZST", Some(KeysFormat::Csv)),
        ("a.tsv.gz", Some(KeysFormat::Tsv)),
        ("a.ndjson", Some(KeysFormat::Jsonl)),
        ("x.jsonl.gz", Some(KeysFormat::Jsonl)),
        ("a.csv/keys", None),
        ("csv", None),
        ("a.gz", None),
    ] {
        assert_eq!(KeysFormat::named(name), format, "{name}");
    }
}

#[test]
fn zstd_is_known_by_its_first_bytes() {
    let keys = |packed: Vec<u8>| -> Vec<String> {
        told("keys", packed, Form::default()).into_iter().map(|row| row.0).collect()
    };
    assert_eq!(keys(frame(b"a\nb\n")), ["a", "b"]);
    // A frame to be skipped, of three bytes, and an empty one.
    let skipped = [0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
    let frames = [&skipped[..], &frame(b"a\nb"), &frame(b""), &skipped, &frame(b"c\n")].concat();
    assert_eq!(keys(frames), ["a", "bc"]);
    let text = "key,bytes\n".to_owned() + &"a,1\nb,2\n".repeat(50_000);
    let packed = compress_to_vec(text.as_bytes(), CompressionLevel::Fastest);
    assert!(packed.len() < text.len() / 10);
    assert_eq!(told("keys", packed, Form::default())[1], row("b", Some(50_000), Some(2)));
}

#[test]
fn zstd_cut_off_anywhere_is_refused_with_its_line() {
    let text = "key,bytes\na,1\nb,2\nc,3\n";
    for whole in
        [frame(text.as_bytes()), compress_to_vec(text.as_bytes(), CompressionLevel::Fastest)]
    {
        for end in 4..whole.len() {
            let message = refusal("k.csv", &whole[..end], Form::default());
            assert!(message.starts_with("k.csv:"), "{end} bytes: {message}");
            assert!(message.ends_with(": the zstd stream is cut off"), "{end} bytes: {message}");
        }
    }
    let second = [frame(text.as_bytes()), frame(b"d,4\n")[..8].to_vec()].concat();
    let message = refusal("k.csv", second, Form::default());
    assert_eq!(message, "k.csv:5: the zstd stream is cut off");
}

#[test]
fn damaged_zstd_is_refused() {
    // RFC 8878, section 3.1.1: the checksum is the last four bytes.
    let mut whole = compress_to_vec(&b"a\nb\nc\n"[..], CompressionLevel::Fastest);
    *whole.last_mut().unwrap() ^= 1;
    let message = refusal("keys", whole, Form::default());
    assert_eq!(message, "keys:4: the zstd stream is damaged, a wrong checksum");
    let mut block = frame(b"a\n");
    block[6] |= 0b110; // the reserved type of block
    let message = refusal("keys", block, Form::default());
    assert!(message.starts_with("keys:1: the zstd stream is damaged, "), "{message}");
    let after = [frame(b"a\n"), b"x".to_vec()].concat();
    assert_eq!(
        refusal("keys", after, Form::default()),
        "keys: the zstd stream has ended, but bytes that are no zstd stand after it"
    );
}

#[test]
fn any_bytes_of_any_format_are_keys_or_an_error_but_no_panic() {
    // Draws of SplitMix64 over the bytes that mean something somewhere.
    let alphabet = b"{}[]\":,\n\r\t\\\xff\xef\xbb\xbf01-key";
    let mut state = 0_u64;
    for round in 0..20_000_u64 {
        let starts = [&b""[..], b"{\"key\":\"", b"key\tbytes\n", b"\x28\xb5\x2f\xfd"];
        let mut text = starts[usize::try_from(round % 4).unwrap()].to_vec();
        for _ in 0..round % 30 {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let draw = homing_core::mix64(state) % alphabet.len() as u64;
            text.push(alphabet[usize::try_from(draw).unwrap()]);
        }
        for name in ["k.csv", "k.tsv", "k.jsonl", "keys"] {
            match opened(name, text.clone(), Form::default()) {
                Ok(workload) => assert!(workload.count() > 0),
                Err(error) => assert!(!error.to_string().contains(char::is_control)),
            }
        }
    }
}

#[test]
fn a_sketch_that_holds_all_keys_is_what_reading_them_is() {
    let text = (0..3000).fold(String::new(), |all, i| all + &format!("k{},{}\n", i % 700, i));
    let packed = zipped(format!("key,bytes\n{text}").as_bytes());
    let sketch = Form { sketch: Some(700), ..Form::default() };
    let (all, held) =
        (told("k.csv", packed.clone(), Form::default()), told("k.csv", packed, sketch));
    assert_eq!(held, all);
}

#[test]
fn a_sketch_tells_how_much_it_holds() {
    let text = (0..3000).fold(String::new(), |all, i| all + &format!("k{i}\n"));
    let workload = opened("keys", text, Form { sketch: Some(64), ..Form::default() }).unwrap();
    assert_eq!((workload.count(), workload.basis()), (64, Basis::Sketched));
    // 1 / sqrt(62) of it is 12.7 %.
    assert!(workload.totals().keys.abs_diff(3000) < 4 * 381, "{:?}", workload.totals());
    assert_eq!(workload.totals().requests, 3000);
    assert!(workload.summary().starts_with("keys: a sketch of 64 of about "));
    let few = Form { sketch: Some(63), ..Form::default() };
    assert_eq!(refusal("keys", "a\n", few), "sketch is 63, but must be from 64 to 268435456");
}

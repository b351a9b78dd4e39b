use std::io::{Read, repeat};

use super::read::{plain, read, refusal, unreadable, zipped};
use super::*;
use crate::workload::records::LONGEST_RECORD;

#[test]
fn rows_that_each_leave_a_quote_open_are_read_in_one_pass() {
    // Each row goes on to the end of the file: followed anew from each row this
    // would be 2 * 10^11 bytes.
    let rows = 150_000;
    let text = format!("key,name\n{}", "5\",\"6 inch pipe\n".repeat(rows));
    assert_eq!(
        refusal("k.csv", text),
        "k.csv: no keys, none of 150000 rows can be read, the first at line 2: \
         a quote is not closed"
    );
}

#[test]
fn rows_that_break_at_the_same_place_are_read_in_one_pass() {
    let rows = 150_000;
    let text = format!("key,name\n{}a,\"x\"y\nb,1\n", "5\",\"6 inch pipe\n".repeat(rows));
    let workload = read("k.csv", text).unwrap();
    let reading = workload.reading().unwrap();
    assert_eq!((reading.rows, reading.unreadable), (1, rows as u64 + 1));
    assert_eq!(reading.first_unreadable[0].reason, "a closing quote has text after it");
}

#[test]
fn a_row_that_can_be_read_is_read_after_any_that_cannot() {
    // The first quote is followed to the end of the file, and so past the second,
    // which is closed; the last is not.
    let text = "key,n\n\"a,1\nb,2\n\"c\n\nd\",3\ne,4\n\"f,5\ng,6";
    assert_eq!(plain("k.csv", text), ["b", "c\\n\\nd", "e", "g"]);
    let lines: Vec<_> = unreadable("k.csv", text).into_iter().map(|row| row.0).collect();
    assert_eq!(lines, [2, 8]);
}

#[test]
fn a_record_of_several_lines_has_a_limit() {
    let line = "x".repeat((1 << 20) - 1) + "\n";
    let rest = line.repeat(usize::try_from(LONGEST_RECORD >> 20).unwrap());
    let text = format!("key\n\"a\n{rest}b\n");
    assert_eq!(
        unreadable("k.csv", &text),
        [(2, "a quote is not closed within 16777216 bytes".to_owned())]
    );
    assert_eq!(read("k.csv", text).unwrap().count(), 2);
    // `"` and `"\n` beside the contents: exactly as many bytes as there may be.
    let long = "y".repeat((1 << 20) - 4);
    let fits = format!("key\n\"{}{long}\n\"\nb\n", &rest[1 << 20..]);
    assert_eq!(read("k.csv", fits).unwrap().reading().unwrap().rows, 2);
}

#[test]
fn a_line_without_end_is_refused_with_its_number() {
    for (name, start, line) in
        [("keys", "a\nb\n", 3), ("keys", "", 1), ("k.csv", "key\na\n\"b\n", 4)]
    {
        let input = std::io::Cursor::new(start).chain(repeat(0));
        let rows = Rows::new(name.into(), name == "k.csv", input, false);
        let error = rows.and_then(Workload::read).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("{name}:{line}: a line of more than 67108864 bytes, the most there may be")
        );
    }
}

#[test]
fn bytes_after_a_gzip_stream_are_no_part_of_it() {
    let told = "keys: the gzip stream has ended, but bytes that are no gzip stand after it";
    for after in [&b"x"[..], b"\0", b"trailing", b"\x1fx", b"a longer text than a gzip header"] {
        assert_eq!(refusal("keys", [&zipped(b"a\nb\n")[..], after].concat()), told);
    }
    for after in [&b"\x1f"[..], b"\x1f\x8b", b"\x1f\x8b\x08\0"] {
        let told = "keys:3: the gzip stream is cut off";
        assert_eq!(refusal("keys", [&zipped(b"a\nb\n")[..], after].concat()), told);
    }
}

#[test]
fn bytes_or_requests_that_are_all_zero_are_not_there() {
    let workload = read("k.csv", "key,bytes,requests\na,0,0\nb,0,0\na,0,0\n").unwrap();
    assert!(!workload.has_bytes() && !workload.has_requests() && workload.hottest().is_none());
    let workload = read("k.csv", "key,bytes,requests\na,0,0\nb,1,0\nb,0,2\n").unwrap();
    assert!(workload.has_bytes() && workload.has_requests());
}

#[test]
fn an_empty_name_of_a_file_is_refused_by_name() {
    let error = Workload::load(&Source::named("".as_ref(), false)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "keys is \"\", but must be the name of a file, or - for standard input"
    );
}

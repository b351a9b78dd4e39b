//! The forms in which a plan is printed.

use crate::{Folder, three_with_slots};

/// A ring of assigned points: a at 10 and b at 40; then c at 80 too.
fn assigned() -> Folder {
    let folder = Folder::new();
    let config = r#"{"assigned": [[10, "a"], [40, "b"]]}"#;
    folder.state("before.json", "ring", config, r#"[{"id": "a"}, {"id": "b"}]"#);
    let config = r#"{"assigned": [[10, "a"], [40, "b"], [80, "c"]]}"#;
    folder.state("after.json", "ring", config, r#"[{"id": "a"}, {"id": "b"}, {"id": "c"}]"#);
    folder
}

#[test]
fn a_range_is_told_to_the_position() {
    // A position belongs to the least point not below it, above the greatest to the
    // least of all: c at 80 takes 41 to 80, which were a's.
    let folder = assigned();
    let csv = folder.planned(&["before.json", "after.json", "--format", "csv"]);
    assert_eq!(csv, "first,last,positions,from,to\n41,80,40,a,c\n");
    let plan = folder.json(&["before.json", "after.json"]);
    assert_eq!((&plan["moved"]["positions"], &plan["ranges"]), (&40.into(), &1.into()));
    let text = folder.planned(&["before.json", "after.json", "--format", "json"]);
    assert!(text.contains("\"positions\": 18446744073709551616\n"), "{text}"); // 2^64
    assert_eq!(plan["basis"], "exact");
}

#[test]
fn the_table_has_the_summary_the_matrix_and_every_move() {
    let folder = three_with_slots();
    let text = folder.planned(&["slots.json", "--add", "d"]);
    let plan = folder.json(&["slots.json", "--add", "d"]);
    let (start, end) = (plan["start"].as_str().unwrap(), plan["end"].as_str().unwrap());
    // By hand: the moves of case C10, in order of position.
    let told = format!(
        "slots:ranges=[3]: 3 to 4 nodes (add \"d\"); any placement must move 25.00 %\n\
         start {start}, end {end}\n\
         moves: 4096 of 16384 slots (25.00 %) in 3 ranges; exact\n\
         \n\
         What the operator can do\n\
         by      slots moved  in runs  ranges after  plan\n\
         moves          4096        3             6  this one\n\
         ranges         5461        3             4\n\
         tool           4096        3             6\n\
         \n\
         From whom to whom\n\
         from  to  slots\n\
         a     d    1365\n\
         b     d    1366\n\
         c     d    1365\n\
         \n\
         Givers\n\
         node  slots\n\
         a      1365\n\
         b      1366\n\
         c      1365\n\
         \n\
         Takers\n\
         node  slots\n\
         d      4096\n\
         \n\
         Moves\n\
         from  to  first   last  positions\n\
         a     d    4096   5460       1365\n\
         b     d    9557  10922       1366\n\
         c     d   15019  16383       1365\n"
    );
    assert_eq!(text, told);
}

#[test]
fn a_long_plan_is_cut_in_the_table_and_whole_elsewhere() {
    let folder = Folder::new();
    let arguments = ["--family", "ring", "--nodes", "8", "--add", "x"];
    let plan = folder.json(&arguments);
    let count = plan["moves"].as_array().unwrap().len();
    assert_eq!(plan["ranges"], count);
    let text = folder.planned(&[&arguments[..], &["--limit", "3"]].concat());
    assert!(text.contains(&format!("Moves: the first 3 of {count}")), "{text}");
    let csv = folder.planned(&[&arguments[..], &["--format", "csv"]].concat());
    assert_eq!(csv.lines().count(), count + 1);
    let csv = folder.planned(&[&arguments[..], &["--format", "csv", "--limit", "3"]].concat());
    assert_eq!(csv.lines().count(), 4);
}

#[test]
fn names_stay_within_their_cells() {
    let folder = Folder::new();
    folder.add("m.json", r#"[{"id": "a|b<i>"}, {"id": "c\u001b[2J"}, {"id": "=x,\"y"}]"#);
    let arguments = ["m.json", "--family", "slots", "--remove", "=x,\"y"];
    let markdown = folder.planned(&[&arguments[..], &["--format", "markdown"]].concat());
    assert!(markdown.contains(r"a\|b&lt;i&gt;") && !markdown.contains('\u{1b}'), "{markdown}");
    let text = folder.planned(&arguments);
    assert!(!text.contains('\u{1b}'), "{text}");
    let csv = folder.planned(&[&arguments[..], &["--format", "csv"]].concat());
    assert!(csv.contains(r#""=x,""y""#), "{csv}");
}

#[test]
fn keys_that_are_no_text_are_told_in_hexadecimal() {
    let folder = three_with_slots();
    // Case C05: c3 28 7b 61 62 63 has slot 15349, which is c's, and then d's.
    folder.add("keys", b"\xc3\x28{abc\n");
    let plan = folder.json(&["slots.json", "--add", "d", "--keys", "keys"]);
    assert_eq!(plan["moves"][0]["key_hex"], "c3287b616263");
    assert_eq!(plan["moves"][0]["to"], "d");
}

#[test]
fn generated_keys_are_counted_and_not_listed() {
    let folder = Folder::new();
    let arguments = ["--family", "rendezvous", "--nodes", "4", "--add", "x", "--sample", "20000"];
    let plan = folder.json(&arguments);
    assert_eq!(plan["basis"], "sampled");
    // A fifth of the keys moves, by four standard deviations of a binomial:
    // 4 sqrt(0.2 x 0.8 / 20000) = 0.0113.
    let fraction = plan["fraction"].as_f64().unwrap();
    assert!((fraction - 0.2).abs() < 0.0114, "{fraction}");
    let (low, high) = (&plan["fraction_low"], &plan["fraction_high"]);
    assert!(low.as_f64().unwrap() < fraction && fraction < high.as_f64().unwrap());
    assert!(plan["moves"].as_array().unwrap().is_empty());
    assert!(plan["notes"][0].as_str().unwrap().contains("20000 generated keys"));
}

#[test]
fn help_has_examples() {
    for command in ["plan", "diff"] {
        let output = Folder::new().run(command, &["--help"]).assert().success();
        let help = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
        assert!(help.contains("Examples:") && help.contains("xit status"), "{help}");
    }
}

#[test]
fn keys_are_read_as_compare_reads_them() {
    // k1 (12706) is c's, k2 (449) and k3 (4576) are a's; d takes 4096 slots, the
    // highest of each: k1 to k3 have sizes 5, 6 and 7 under other names.
    let folder = three_with_slots();
    folder.add("rows.dat", "id\tsize\nk1\t5\nk2\t6\nk3\t7\n");
    let columns = ["--keys", "rows.dat", "--keys-format", "tsv", "--key-column", "id"];
    let bytes = ["slots.json", "--add", "d", "--bytes-column", "size"];
    let plan = folder.json(&[&bytes[..], &columns].concat());
    assert_eq!((&plan["all"]["keys"], &plan["all"]["bytes"]), (&3.into(), &18.into()));
    assert_eq!(plan["basis"], "counted");
    let text = folder.planned(&[&bytes[..], &columns].concat());
    assert!(text.contains(" B of 18 B ("), "{text}");
}

#[test]
fn requests_that_are_generated_are_a_load_to_level() {
    // One key has half of all requests, and no slot is cut: the peak of three nodes is
    // at least 0.5 x 3.
    let folder = three_with_slots();
    let keys = ["--sample", "300", "--requests", "hot:share=0.5"];
    let plan = folder.json(&[&["slots.json", "--by", "requests"], &keys[..]].concat());
    let rows = plan["alternatives"].as_array().unwrap();
    let chosen = rows.iter().find(|it| it["chosen"] == true).unwrap();
    assert_eq!(chosen["prefer"], "requests");
    let peak = |it: &serde_json::Value| it["peak_to_mean"].as_f64().unwrap();
    assert!((1.49..1.6).contains(&peak(chosen)), "{chosen}");
    assert!(rows.iter().all(|it| peak(it) >= peak(chosen)));
}

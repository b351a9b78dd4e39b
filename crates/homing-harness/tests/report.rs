//! `homing record` and `homing report`, from end to end.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use serde_json::{Value, json};
use tempfile::TempDir;

const PLAIN: &str = r#"
name = "plain"
about = "Two nodes and a third."
nodes = 2

[workload]
keys = 1000
"#;

/// A name with what Markdown, XML and a terminal would read.
const NASTY: &str = r#"
name = "a<b>&\"c\"|d\u001b[2J"
about = "<script>alert(1)</script>"

[[node]]
id = "x<y>&\"z\"|w"

[[node]]
id = "b\u001b]"

[[change]]
add = "c\nd"

[workload]
keys = 1000
zipf = 1.0
requests = 5000

[[family]]
name = "ring"
points = 7

[[family]]
name = "jump"

[[change]]
remove = "x<y>&\"z\"|w"
"#;

fn homing(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_homing"));
    command.current_dir(folder);
    command
}

fn said(assert: &Assert) -> (String, String) {
    let output = assert.get_output();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

/// Fails unless a command ended with 2 and said one line that begins so.
fn refuses(command: &mut Command, opening: &str) {
    let (out, err) = said(&command.assert().code(2));
    assert_eq!(out, "");
    assert_eq!(err.lines().count(), 1, "{err}");
    assert!(err.starts_with(&format!("homing: {opening}")), "{err}");
}

/// The record of a run over both scenarios; made once, since it measures times.
fn measured() -> &'static Value {
    static RECORD: OnceLock<Value> = OnceLock::new();
    RECORD.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let scenarios = folder.path().join("scenarios");
        fs::create_dir(&scenarios).unwrap();
        fs::write(scenarios.join("2.toml"), PLAIN).unwrap();
        fs::write(scenarios.join("1.toml"), NASTY).unwrap();
        let run = ["record", "first", "--scenarios", "scenarios", "--to", "docs/record"];
        let (out, _) = said(&homing(folder.path()).args(run).assert().success());
        assert_eq!(out, "added docs/record/first.json: 2 scenarios and the sweeps\n");
        let bytes = fs::read(folder.path().join("docs/record/first.json")).unwrap();
        refuses(homing(folder.path()).args(run), "docs/record/first.json: is there already");
        assert_eq!(bytes, fs::read(folder.path().join("docs/record/first.json")).unwrap());
        serde_json::from_slice(&bytes).unwrap()
    })
}

/// A folder with one record under `docs/record`.
fn with_record(record: &Value) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    add(&folder, "first", record);
    folder
}

fn add(folder: &TempDir, name: &str, record: &Value) {
    let to = folder.path().join("docs/record");
    fs::create_dir_all(&to).unwrap();
    fs::write(to.join(format!("{name}.json")), record.to_string()).unwrap();
}

fn page(folder: &TempDir) -> String {
    fs::read_to_string(folder.path().join("docs/report.md")).unwrap()
}

fn charts(folder: &TempDir) -> Vec<(String, String)> {
    let mut charts: Vec<_> = fs::read_dir(folder.path().join("docs/report"))
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect();
    charts.sort();
    charts
}

#[test]
fn a_record_has_every_scenario_in_order_of_file_and_every_sweep() {
    let record = measured();
    assert_eq!(record["name"], "first");
    assert_eq!(record["command"], "homing record first --scenarios scenarios --to docs/record");
    let names: Vec<_> = record["comparisons"].as_array().unwrap().iter().collect();
    assert_eq!(names.len(), 2);
    assert_eq!(names[1]["scenario"], "plain");
    // Every family, at 10 nodes to 10,000.
    let lookup = record["sweeps"]["lookup"].as_array().unwrap();
    for family in ["modulo", "ring", "slots", "maglev", "rendezvous", "jump"] {
        let nodes: Vec<_> =
            lookup.iter().filter(|row| row["family"] == family).map(|row| &row["nodes"]).collect();
        assert_eq!(nodes, [10, 100, 1000, 10_000], "{family}");
    }
    assert!(!record["machine"]["cpu"].as_str().unwrap().is_empty());
}

#[test]
fn the_spread_of_ring_shares_follows_the_formula() {
    for row in measured()["sweeps"]["spread"].as_array().unwrap() {
        let figure = |name: &str| row[name].as_f64().unwrap();
        assert!(figure("cv_min") <= figure("cv_median") && figure("cv_median") <= figure("cv_max"));
        let nodes = figure("nodes");
        let expected = ((nodes - 1.0) / (nodes * figure("points") + 1.0)).sqrt();
        assert!((figure("cv_expected") - expected).abs() < 1e-12);
        // The cv of 10 shares has a relative deviation of about 1/sqrt(2 * 9), 0.24,
        // and the median of 101 of them 1.25 / sqrt(101) of that, 0.03. The median
        // lies below the root mean square by about a tenth, skewed as it is: so
        // 5 deviations and that bias are 0.25.
        assert!((figure("cv_median") / expected - 1.0).abs() < 0.25, "{row}");
    }
}

#[test]
fn the_same_record_gives_the_same_page_and_charts() {
    let (one, other) = (with_record(measured()), with_record(measured()));
    for folder in [&one, &other] {
        let (out, _) = said(&homing(folder.path()).arg("report").assert().success());
        assert_eq!(out, "wrote docs/report.md and 6 charts of record first\n");
    }
    assert_eq!(page(&one), page(&other));
    assert_eq!(charts(&one), charts(&other));
    assert_eq!(charts(&one).len(), 6);
}

#[test]
fn a_check_passes_until_the_page_or_a_chart_is_edited() {
    let folder = with_record(measured());
    let check = || homing(folder.path()).args(["report", "--check"]).assert();
    let (out, _) = said(&check().code(1));
    assert!(out.contains("docs/report.md: is not what record first says"), "{out}");
    assert!(!folder.path().join("docs/report.md").exists());
    homing(folder.path()).arg("report").assert().success();
    let (out, _) = said(&check().success());
    assert_eq!(out, "docs/report.md and 6 charts are what record first says\n");
    let written = page(&folder);
    fs::write(folder.path().join("docs/report.md"), written.replacen(" %", "%", 1)).unwrap();
    let (out, _) = said(&check().code(1));
    assert_eq!(out.lines().count(), 1, "{out}");
    assert!(out.starts_with("docs/report.md: "), "{out}");
    fs::write(folder.path().join("docs/report.md"), written).unwrap();
    fs::write(folder.path().join("docs/report/plain-load.svg"), "<svg/>").unwrap();
    let (out, _) = said(&check().code(1));
    assert_eq!(out.lines().count(), 1, "{out}");
    assert!(out.starts_with("docs/report/plain-load.svg: "), "{out}");
}

#[test]
fn text_outside_the_marks_is_kept() {
    let folder = with_record(measured());
    let path = folder.path().join("docs/report.md");
    let around =
        "# Ours\n\nBefore.\n\n<!-- BEGIN: report -->\nold\n<!-- END: report -->\n\nAfter.\n";
    fs::write(&path, around).unwrap();
    homing(folder.path()).arg("report").assert().success();
    let page = page(&folder);
    assert!(page.starts_with("# Ours\n\nBefore.\n\n<!-- BEGIN: report -->\n"));
    assert!(page.ends_with("<!-- END: report -->\n\nAfter.\n"));
    assert!(!page.contains("old\n"));
    fs::write(&path, "# Ours\n").unwrap();
    refuses(homing(folder.path()).arg("report"), "docs/report.md: has no line <!-- BEGIN: report");
}

#[test]
fn names_are_escaped_on_the_page_and_in_the_charts() {
    let folder = with_record(measured());
    homing(folder.path()).arg("report").assert().success();
    let page = page(&folder);
    assert!(page.contains(r#"## a&lt;b&gt;&amp;"c"\|d\\u{1b}"#), "{page}");
    assert!(!page.contains("<script>") && !page.contains('\u{1b}'));
    let charts = charts(&folder);
    let (_, moved) = charts.iter().find(|(name, _)| name == "a-b-c-d-2j-moved.svg").unwrap();
    assert!(moved.contains("a&lt;b&gt;&amp;&quot;c&quot;|d\\u{1b}[2J"), "{moved}");
    for (name, svg) in &charts {
        assert!(svg.chars().all(|c| c == '\n' || !c.is_control()), "{name}");
    }
}

#[test]
fn every_chart_is_on_the_page_with_its_figures_in_words() {
    let folder = with_record(measured());
    homing(folder.path()).arg("report").assert().success();
    let page = page(&folder);
    for (name, svg) in charts(&folder) {
        let image = page.lines().find(|line| line.ends_with(&format!("](report/{name})"))).unwrap();
        assert!(image.starts_with("![") && image.contains(|c: char| c.is_ascii_digit()), "{image}");
        assert!(svg.contains("fill=\"#FFFFFF\""), "{name} has no white ground");
    }
    // Two nodes become three: a third of the keys, 33.33 %, must move.
    assert!(page.contains("Bars: moved of all keys") && page.contains("optimal 33.33 %"));
    assert!(page.contains("jump cannot do this: removes only the node that joined last."));
    assert!(page.contains("`homing record first --scenarios scenarios --to docs/record`"));
}

#[test]
fn the_newest_record_is_the_one_begun_last_unless_one_is_named() {
    let mut older = measured().clone();
    older["name"] = json!("older");
    older["time"] = json!("2001-01-01T00:00:00Z");
    let folder = with_record(measured());
    // Later by name, but begun earlier.
    add(&folder, "older", &older);
    let (out, _) = said(&homing(folder.path()).arg("report").assert().success());
    assert!(out.ends_with("of record first\n"), "{out}");
    for named in ["older", "docs/record/older.json"] {
        let (out, _) = said(&homing(folder.path()).args(["report", named]).assert().success());
        assert!(out.ends_with("of record older\n"), "{out}");
    }
}

#[test]
fn what_is_no_record_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    refuses(homing(folder.path()).arg("report"), "docs/record: ");
    fs::create_dir_all(folder.path().join("docs/record")).unwrap();
    for arguments in [&["report"][..], &["report", "--check"]] {
        refuses(homing(folder.path()).args(arguments), "docs/record: has no record");
    }
    refuses(homing(folder.path()).args(["report", "none"]), "docs/record/none.json: ");
    let path = folder.path().join("docs/record/first.json");
    let whole = measured().to_string();
    // Cut within the first field, wherever the figures end.
    fs::write(&path, &whole[..8]).unwrap();
    refuses(homing(folder.path()).arg("report"), "docs/record/first.json:1: EOF");
    let mut changed = measured().clone();
    changed["version"] = json!(2);
    add(&folder, "first", &changed);
    let version = "docs/record/first.json: version is 2, but must be 1";
    refuses(homing(folder.path()).arg("report"), version);
    let mut changed = measured().clone();
    changed["time"] = json!("yesterday");
    add(&folder, "first", &changed);
    refuses(homing(folder.path()).arg("report"), "docs/record/first.json: time is \"yesterday\"");
    let mut changed = measured().clone();
    changed["comparisons"][1]["optimal"] = json!(1e300);
    add(&folder, "first", &changed);
    refuses(homing(folder.path()).arg("report"), "docs/record/first.json: plain: optimal is 1");
    let mut changed = measured().clone();
    changed["sweeps"]["lookup"][0]["throughput"]["one_thread_keys_per_s"] = json!(1e300);
    add(&folder, "first", &changed);
    let rate = "docs/record/first.json: modulo: one_thread_keys_per_s is 1e300, but must be";
    refuses(homing(folder.path()).arg("report"), rate);
}

#[test]
fn a_record_from_before_single_lookups_has_a_page_without_them() {
    let mut old = measured().clone();
    let mut without = |rows: &str| {
        for row in old.pointer_mut(rows).unwrap().as_array_mut().unwrap() {
            let row = row.as_object_mut().unwrap();
            row.remove("single");
            row.remove("throughput");
        }
    };
    without("/comparisons/0/rows");
    without("/comparisons/1/rows");
    without("/sweeps/lookup");
    let (new, old) = (with_record(measured()), with_record(&old));
    for folder in [&new, &old] {
        homing(folder.path()).arg("report").assert().success();
    }
    // A table of them in each of the two scenarios, and one in the sweep.
    assert_eq!(page(&new).matches("| timer alone |").count(), 3);
    assert_eq!(page(&old).matches("timer alone").count(), 0);
}

#[test]
fn published_results_come_out_within_their_intervals() {
    let results = measured()["published"].as_array().unwrap();
    let of = |family: &str| -> Vec<&Value> {
        results.iter().filter(|row| row["family"] == family).collect()
    };
    for row in results {
        let figure = |name: &str| row[name].as_f64().unwrap();
        let found = figure("measured");
        assert!(figure("low") <= found && found <= figure("high"), "{row}");
    }
    let published = |family, expected: &[f64]| {
        let rows = of(family);
        assert_eq!(rows.len(), expected.len(), "{family}");
        for (row, expected) in rows.iter().zip(expected) {
            assert!((row["published"].as_f64().unwrap() - expected).abs() < 1e-12, "{row}");
        }
    };
    // Lamping and Veach 2014: by 1, 10, 100 and 1000 points.
    published("ring", &[0.998, 0.315, 0.0997, 0.0316]);
    // Eisenbud et al. 2016: 65537 entries are 537 x 66 and 463 x 65; 655373 are
    // 373 x 656 and 627 x 655.
    published("maglev", &[66.0 / 65.0, 656.0 / 655.0]);
    // The cv of 1000 even counts of 1,000,000 keys, sqrt(999 / 10^6).
    published("jump", &[(999_f64 / 1e6).sqrt()]);
}

#[test]
fn published_results_are_on_the_page_with_their_sources_where_a_record_has_them() {
    let folder = with_record(measured());
    homing(folder.path()).arg("report").assert().success();
    let new = page(&folder);
    let (_, section) = new.split_once("## Published results").unwrap();
    assert_eq!(section.matches("Lamping and Veach 2014").count(), 5);
    assert_eq!(section.matches("Eisenbud et al. 2016").count(), 2);
    assert_eq!(section.matches("| yes |").count(), 7);
    let mut old = measured().clone();
    old.as_object_mut().unwrap().remove("published");
    let figures = ["evenness", "stray_low", "stray_high"];
    for comparison in old["comparisons"].as_array_mut().unwrap() {
        for row in comparison["rows"].as_array_mut().unwrap() {
            let row = row.as_object_mut().unwrap();
            for figure in figures {
                row.remove(figure);
            }
            row.remove("by_requests");
        }
    }
    let folder = with_record(&old);
    homing(folder.path()).arg("report").assert().success();
    let old = page(&folder);
    assert!(!old.contains("Published results") && !old.contains("verdict"), "{old}");
    assert!(old.contains("peak/mean"), "{old}");
}

#[test]
fn a_record_without_figures_is_drawn_without_panic() {
    let mut empty = measured().clone();
    empty["comparisons"][0]["rows"] = json!([]);
    empty["comparisons"][1]["rows"] = json!([{ "family": "jump", "unsupported": "no" }]);
    empty["comparisons"][1]["optimal"] = json!(0.0);
    for row in empty["sweeps"]["lookup"].as_array_mut().unwrap() {
        row["lookup_ns"] = json!(0.0);
    }
    let spread = empty["sweeps"]["spread"].as_array_mut().unwrap();
    spread.truncate(1);
    for name in ["cv_min", "cv_median", "cv_max", "cv_expected"] {
        spread[0][name] = json!(0.0);
    }
    let folder = with_record(&empty);
    homing(folder.path()).arg("report").assert().success();
    homing(folder.path()).args(["report", "--check"]).assert().success();
}

#[test]
fn a_run_that_cannot_be_recorded_is_refused_before_it_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let record = || {
        let mut command = homing(folder.path());
        command.arg("record");
        command
    };
    refuses(&mut record(), "benches/scenarios: ");
    fs::create_dir(folder.path().join("none")).unwrap();
    refuses(record().args(["--scenarios", "none"]), "none: has no scenario");
    fs::write(folder.path().join("none/a.toml"), "nods = 3\n").unwrap();
    refuses(record().args(["--scenarios", "none"]), "none/a.toml:1: unknown field \"nods\"");
    refuses(record().args(["../x", "--scenarios", "none"]), "name is \"../x\", but must be");
    fs::write(folder.path().join("file"), "").unwrap();
    refuses(record().args(["--to", "file/record"]), "file/record: ");
    let held = with_record(measured());
    fs::write(held.path().join("docs/report"), "no folder").unwrap();
    refuses(homing(held.path()).arg("report"), "docs/report");
}

//! What `--by` judges by.

use crate::{Folder, assert_close, json, let_in, list, verdict};

/// Three keys with 98, 1 and 1 requests and 10, 45 and 45 bytes.
const TRACE: &str = "key,bytes,requests\nb,10,98\n123456789,45,1\nd,45,1\n";

/// The second of two nodes leaves. By `binascii.crc_hqx` and `zlib.crc32` of Python:
///
/// | key | CRC-16/XMODEM modulo 16384 | node | CRC-32 | node |
/// |---|---|---|---|---|
/// | b | 3300 | 0 | 71beeff9 | 1 |
/// | 123456789 | 12739 | 1 | cbf43926 | 0 |
/// | d | 11298 | 1 | 98dd4acc | 0 |
///
/// The first node has the slots from 0 to 8191, and the even CRC-32s. A half must move.
/// By keys slots move 2/3 and hash mod N 1/3, by requests 2 and 98 of 100, by bytes 90
/// and 10 of 100.
const LEAVE: [&str; 10] = [
    "--nodes",
    "2",
    "--most-nodes",
    "2",
    "--keys",
    "k.csv",
    "--family",
    "slots",
    "--family",
    "modulo:hash=crc32",
];

fn leave(more: &[&str]) -> Vec<&'static str> {
    let folder = Folder::with("k.csv", TRACE);
    let answer = folder.json(&[&LEAVE[..], more].concat(), 0);
    let names = ["slots", "modulo"];
    let order = let_in(&answer);
    order.iter().map(|name| *names.iter().find(|it| *it == name).unwrap()).collect()
}

#[test]
fn who_is_let_in_depends_on_the_load() {
    let limit = ["--most-excess", "10%"];
    assert_eq!(leave(&limit), ["modulo"]);
    assert_eq!(leave(&[&limit[..], &["--by", "keys"]].concat()), ["modulo"]);
    assert_eq!(leave(&[&limit[..], &["--by", "requests"]].concat()), ["slots"]);
    assert_eq!(leave(&[&limit[..], &["--by", "bytes"]].concat()), ["modulo"]);
}

#[test]
fn the_order_depends_on_the_load() {
    assert_eq!(leave(&[]), ["modulo", "slots"]);
    assert_eq!(leave(&["--by", "requests"]), ["slots", "modulo"]);
    assert_eq!(leave(&["--by", "bytes"]), ["modulo", "slots"]);
}

#[test]
fn every_figure_of_a_load_says_of_which() {
    let folder = Folder::with("k.csv", TRACE);
    let arguments = [&LEAVE[..], &["--most-excess", "10%", "--by", "requests"]].concat();
    let answer = folder.json(&arguments, 0);
    assert_eq!(answer["by"], "requests");
    let stated = list(&answer, "constraints").iter().find(|it| it["constraint"] == "most-excess");
    assert_eq!(stated.unwrap()["by"], "requests");
    let [slots, modulo] = list(&answer, "families") else { panic!("{answer}") };
    for (family, moved) in [(slots, 0.02), (modulo, 0.98)] {
        let attempt = &family["attempts"][0];
        let excess = verdict(attempt, "most-excess");
        assert_eq!((&excess["by"], &excess["step"]), (&"requests".into(), &"leave".into()));
        assert_close(&excess["figure"], moved - 0.5);
        let figures = list(attempt, "figures")
            .iter()
            .map(|it| (it["constraint"].as_str().unwrap(), it["by"].as_str().unwrap_or_default()));
        let figures: Vec<_> = figures.collect();
        assert_eq!(
            figures,
            [
                ("most-excess", "requests"),
                ("most-stray", "requests"),
                ("most-peak", "requests"),
                ("most-lookup-ns", ""),
                ("most-memory", ""),
            ]
        );
    }
    let form = |format| folder.text(&[&arguments[..], &["--format", format]].concat(), 0);
    let text = form("table");
    assert!(text.contains("judged by: requests\n"), "{text}");
    assert!(text.contains("most-excess by requests 10.00 %"), "{text}");
    assert!(text.contains("moved above optimal by requests 48.00 % > 10.00 % (leave)"), "{text}");
    let told = "modulo:hash=crc32 is let in if most-excess by requests is at least 48.00 %";
    assert!(text.contains(told), "{text}");
    assert!(!text.contains("by keys"), "{text}");
    let page = form("markdown");
    assert!(page.contains("requests moved above optimal"), "{page}");
    assert!(page.contains("moved above optimal by requests -48.00 %"), "{page}");
    let rows = form("csv");
    let row = "\nmodulo,hash=crc32,most-excess,requests,false,leave,0.48,0,0.1,\n";
    assert!(rows.replace("\n,", "\n").contains(row), "{rows}");
    // A constraint is named once in its verdict.
    let text = form("json");
    let verdicts = text.split("\"figures\"").next().unwrap().split("\"verdicts\"").nth(1).unwrap();
    assert_eq!(verdicts.matches("most-excess").count(), 1, "{verdicts}");
}

#[test]
fn without_by_and_in_words_families_are_judged_by_keys() {
    let folder = Folder::with("k.csv", TRACE);
    let text = folder.text(&[&LEAVE[..], &["--most-excess", "10%"]].concat(), 0);
    assert!(text.contains("moved above optimal by keys 16.67 % > 10.00 % (leave)"), "{text}");
    assert!(text.contains("moves and balance by keys"), "{text}");
}

#[test]
fn a_file_of_constraints_names_the_load_and_the_flag_goes_before_it() {
    let folder = Folder::with("k.csv", TRACE);
    folder.add("c.toml", "by = \"requests\"\nmost-excess = 0.1\n");
    let arguments = [&LEAVE[..], &["--constraints", "c.toml"]].concat();
    assert_eq!(let_in(&folder.json(&arguments, 0)), ["slots"]);
    let keys = [&arguments[..], &["--by", "keys"]].concat();
    assert_eq!(let_in(&folder.json(&keys, 0)), ["modulo"]);
}

/// Two nodes, and nothing changes.
const TWO: [&str; 6] = ["--nodes", "2", "--most-nodes", "2", "--removal", "none"];

#[test]
fn no_parameter_is_searched_for_where_one_key_alone_is_above_the_limit() {
    // 98 of 100 requests are on one of two nodes: 0.98 over 1/2.
    let folder = Folder::with("k.csv", TRACE);
    let ring = ["--keys", "k.csv", "--family", "ring", "--most-peak", "1.9"];
    let arguments = [&TWO[..], &ring, &["--by", "requests"]].concat();
    let answer = folder.json(&arguments, 1);
    assert!(answer["families"][0].get("search").is_none(), "{answer}");
    let least = &answer["least_peak"];
    assert_close(&least["part"], 0.98);
    assert_close(&least["peak_to_mean"], 1.96);
    assert_eq!(least["nodes"], 2);
    let told = "one key has 98.00 % of the requests, and is on one node: over 2 nodes no family \
                and no parameter brings peak/mean by requests below 1.960";
    assert!(folder.text(&arguments, 1).contains(told));
}

#[test]
fn what_one_hot_key_makes_of_a_peak_is_not_taken_for_chance() {
    // 101 keys of 1000 requests: the hot one has 900, the others one each. Of a hundred
    // requests beside a key of 900 chance says little; but no family is below 0.9 over 1/2.
    let hot = ["--sample", "101", "--requests", "hot:share=0.9,total=1000", "--by", "requests"];
    let run = |limit, status| json(&[&TWO[..], &hot, &["--most-peak", limit]].concat(), status);
    let answer = run("1.79", 1);
    let families = list(&answer, "families");
    assert!(families.iter().all(|it| it["place"].is_null()), "{answer}");
    assert_close(&answer["loosenings"][0]["loosen"][0]["needs"], 1.8);
    assert_eq!(list(&run("1.8", 0), "families").len(), families.len());
}

#[test]
fn a_parameter_is_searched_for_by_the_load_of_the_keys() {
    // With 50, 25 and 25 requests two nodes have peaks of 1, 1.5 or 2: within 1.2 the
    // first key is alone. What is built before the one found is out when asked for.
    let folder = Folder::with("k.csv", "key,requests\nb,50\n123456789,25\nd,25\n");
    let run = |family: &str, status| {
        let asked = ["--keys", "k.csv", "--by", "requests", "--most-peak", "1.2"];
        folder.json(&[&TWO[..], &asked, &["--family", family]].concat(), status)
    };
    let answer = run("ring", 0);
    let ring = &answer["families"][0];
    let search = &ring["search"];
    assert_eq!(search["basis"], "counted");
    let values = list(search, "values");
    let (found, before) = values.split_last().unwrap();
    assert_eq!(&search["found"], found);
    for value in before {
        run(&format!("ring:points={value}"), 1);
    }
    // 50 and 50.
    let peak = verdict(&ring["attempts"][0], "most-peak");
    assert_close(&peak["figure"], 1.0);
    assert_eq!(ring["attempts"][0]["parameters"], format!("points={found}"));
}

#[test]
fn a_parameter_is_searched_for_by_keys_over_all_positions() {
    let folder = Folder::with("k.csv", TRACE);
    let ring = ["--keys", "k.csv", "--family", "ring", "--most-peak", "1.02"];
    let output = folder.recommend(&[&TWO[..], &ring, &["--format", "json"]].concat());
    let output = { output }.output().unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["families"][0]["search"]["basis"], "exact", "{answer}");
}

#[test]
fn a_search_for_memory_alone_is_by_no_load() {
    // 65537 entries of a byte or more are above 20 kB, and halving them ends below it.
    let folder = Folder::with("k.csv", TRACE);
    let maglev = ["--keys", "k.csv", "--family", "maglev", "--most-memory", "20KB"];
    let arguments = [&TWO[..], &maglev, &["--by", "bytes"]].concat();
    let answer = folder.json(&arguments, 0);
    let search = &answer["families"][0]["search"];
    assert!(search["found"].is_u64() && search.get("basis").is_none(), "{answer}");
    let text = folder.text(&arguments, 0);
    assert!(!text.contains("by bytes of the keys"), "{text}");
    assert!(!text.contains("one for these keys"), "{text}");
}

#[test]
fn copies_are_told_to_be_by_keys_where_the_rest_is_not() {
    let folder = Folder::with("k.csv", TRACE);
    let ring = ["--keys", "k.csv", "--family", "ring", "--replicas", "2"];
    let text = |by| folder.text(&[&TWO[..], &ring, &["--by", by]].concat(), 0);
    let told = "copies of replicas are counted by keys, not by requests";
    assert!(text("requests").contains(told));
    assert!(!text("keys").contains("copies of replicas are counted"));
}

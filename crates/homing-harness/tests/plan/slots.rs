//! Plans where the moves are the operator's.

use crate::{Folder, three_with_slots};

/// The keys of case C06 with their slots: k2 449, k3 4576, k6 325, k0 8579, k1
/// 12706, k4 8455. So k2, k3 and k6 are a's, k0 and k4 b's, and k1 is c's.
const KEYS: &str = "key,bytes,requests\nk2,10,6\nk3,20,6\nk6,30,0\nk0,40,6\nk1,50,12\nk4,60,6\n";

#[test]
fn c10_the_fourth_node_takes_a_quarter_and_both_figures_are_shown() {
    let folder = three_with_slots();
    let plan = folder.json(&["slots.json", "--add", "d"]);
    assert_eq!(plan["moved"]["positions"], 4096);
    assert_eq!(plan["fraction"], 0.25);
    assert_eq!(plan["optimal"], 0.25);
    let told = plan["alternatives"].as_array().unwrap();
    let figures: Vec<_> = told
        .iter()
        .map(|it| (it["prefer"].as_str(), it["positions"].as_u64(), it["ranges"].as_u64()))
        .collect();
    // By hand: in one range each, in the order a, b, d, c, a keeps 4096 slots, b
    // 2731 and c 4096, and so 5461 move.
    // The tool takes the lowest slots of each, rebalance.jsonl, "3->4 use-empty".
    let expected = [("moves", 4096, 6), ("ranges", 5461, 4), ("tool", 4096, 6)]
        .map(|(by, slots, ranges)| (Some(by), Some(slots), Some(ranges)));
    assert_eq!(figures, expected);
    assert!(plan["matrix"].as_array().unwrap().iter().all(|flow| flow["to"] == "d"));

    let plan = folder.json(&["slots.json", "--add", "d", "--prefer", "ranges"]);
    assert_eq!(plan["moved"]["positions"], 5461);
    assert_eq!(plan["after"]["config"]["ranges"].as_array().unwrap().len(), 4);
}

#[test]
fn the_operators_tool_is_planned_beside_the_fewest_moves() {
    // rebalance.jsonl, "5->6 use-empty": 2734. By hand: 16384 / 6 is 2730 and 4 over,
    // which need not go to who joins.
    let folder = Folder::new();
    let arguments = ["--family", "slots", "--nodes", "5", "--grow", "1"];
    let plan = folder.json(&arguments);
    assert_eq!(plan["moved"]["positions"], 2_730);
    let tool = &plan["alternatives"][2];
    assert_eq!((&tool["prefer"], &tool["positions"]), (&"tool".into(), &2_734.into()));
    let plan = folder.json(&[&arguments[..], &["--prefer", "tool"]].concat());
    assert_eq!(plan["moved"]["positions"], 2_734);
    assert_eq!(plan["after"]["config"]["ranges"][0], serde_json::json!([0, 546, "node-5"]));
}

#[test]
fn c08_the_remainder_is_shared_by_all() {
    let folder = Folder::new();
    let plan = folder.json(&["--family", "slots", "--nodes", "1", "--grow", "200"]);
    assert_eq!(plan["moved"]["positions"], 16_302);
    let takers = plan["takers"].as_array().unwrap();
    assert!(takers.iter().all(|it| it["positions"] == 81 || it["positions"] == 82));
}

#[test]
fn c09_an_even_map_stays() {
    let folder = three_with_slots();
    let plan = folder.json(&["slots.json"]);
    assert_eq!(plan["moved"]["positions"], 0);
    assert_eq!(plan["start"], plan["end"]);
    assert!(plan["moves"].as_array().unwrap().is_empty());
}

#[test]
fn who_leaves_hands_over_first() {
    // By hand: c has 5461 slots; a and b are due 8192 each, and want 2731 and 2730.
    let folder = three_with_slots();
    let plan = folder.json(&["slots.json", "--remove", "c"]);
    assert_eq!(plan["moved"]["positions"], 5461);
    assert_eq!(plan["loses_owner"]["positions"], 0);
    assert_eq!(plan["givers"].as_array().unwrap().len(), 1);
    assert_eq!(plan["after"]["members"].as_array().unwrap().len(), 2);
}

#[test]
fn a_file_of_members_says_what_comes_after() {
    let folder = three_with_slots();
    folder.add("next", "d\nc\nb\na\n");
    let plan = folder.json(&["slots.json", "next"]);
    let with_flags = folder.json(&["slots.json", "--add", "d"]);
    assert_eq!(plan, with_flags);
}

#[test]
fn a_map_that_is_stated_is_planned_as_it_is() {
    // By hand: 100-199 get an owner, 300-399 lose theirs, 500-599 change it.
    let folder = Folder::new();
    let members = r#"[{"id": "a"}, {"id": "b"}]"#;
    folder.state("x.json", "slots", r#"{"ranges": [[0, 99, "a"], [300, 599, "a"]]}"#, members);
    let after = r#"{"ranges": [[0, 199, "a"], [400, 499, "a"], [500, 599, "b"]]}"#;
    folder.state("y.json", "slots", after, members);
    let csv = folder.planned(&["x.json", "y.json", "--format", "csv"]);
    assert_eq!(
        csv,
        "first,last,positions,from,to\n100,199,100,,a\n300,399,100,a,\n500,599,100,a,b\n"
    );
    let plan = folder.json(&["x.json", "y.json"]);
    assert_eq!(plan["gains_owner"]["positions"], 100);
    assert_eq!(plan["loses_owner"]["positions"], 100);
    assert_eq!(plan["matrix"][2]["from"], serde_json::Value::Null);
    let told = &plan["alternatives"][0];
    assert_eq!((&told["prefer"], &told["ranges"]), (&"stated".into(), &3.into()));
    // Step by step the same map: 150 and 150 slots.
    let plan = folder.json(&["x.json", "y.json", "--max-step", "150"]);
    assert_eq!(plan["steps"].as_array().unwrap().len(), 2);
    assert_eq!(plan["steps"][1]["fingerprint"], plan["end"]);
}

#[test]
fn loads_are_levelled_instead_of_slots() {
    // By hand: a has 12 requests, b 12, c 12 and d none; d is even with a at 6, so
    // a hands over slot 449 of k2 (of 449 and 4576 the lesser). Then nobody takes 6
    // from b or 12 from c without having 12. The mean is 9, the peak 12.
    let folder = three_with_slots();
    folder.add("keys.csv", KEYS);
    let plan = folder.json(&["slots.json", "--add", "d", "--by", "requests", "--keys", "keys.csv"]);
    let chosen = &plan["alternatives"][2];
    assert_eq!((&chosen["prefer"], &chosen["positions"]), (&"requests".into(), &1.into()));
    assert!((chosen["peak_to_mean"].as_f64().unwrap() - 12.0 / 9.0).abs() < 1e-12);
    let moved = &plan["moved"];
    assert_eq!(
        [&moved["positions"], &moved["keys"], &moved["bytes"], &moved["requests"]],
        [1, 1, 10, 6]
    );
    assert_eq!(plan["moves"][0]["key"], "k2");
}

#[test]
fn loads_are_levelled_in_ranges() {
    // By hand: by slot 449 6 (k2), 4576 6 (k3), 8455 6 (k4), 8579 6 (k0) and 12706 12
    // (k1), 36 in all, 9 for each of four. A border falls where the load up to it is
    // 6 (of 6 and 12, equally near to 9, the lesser), 18 and 24 (of 24 and 36 to 27).
    // Of the borders of no load the even ones are 4096, 8192 and 12288, which slots
    // 450-4576, 8456-8579 and 8580-12706 allow but for the second: 8456. So the
    // ranges end before 4096, 8456 and 12288, with loads of 6, 12, 6 and 12, of a
    // mean of 9. In order a, b, d, c a keeps 4096, b 8456 - 5461 = 2995 and c
    // 16384 - 12288 = 4096 slots; in order a, d, b, c b would keep 10923 - 8456 = 2467.
    let folder = three_with_slots();
    folder.add("keys.csv", KEYS);
    let arguments = ["slots.json", "--add", "d", "--by", "requests", "--keys", "keys.csv"];
    let plan = folder.json(&[&arguments[..], &["--prefer", "ranges"]].concat());
    let rows: Vec<_> = plan["alternatives"].as_array().unwrap().iter().collect();
    let names: Vec<_> = rows.iter().map(|it| it["prefer"].as_str().unwrap()).collect();
    assert_eq!(names, ["moves", "ranges", "requests", "requests in ranges", "tool"]);
    let chosen = rows[3];
    assert_eq!(chosen["chosen"], true);
    assert_eq!((&chosen["positions"], &chosen["ranges"]), (&5197.into(), &4.into()));
    assert!((chosen["peak_to_mean"].as_f64().unwrap() - 12.0 / 9.0).abs() < 1e-12);
    let ranges = serde_json::json!([
        [0, 4095, "a"],
        [4096, 8455, "b"],
        [8456, 12287, "d"],
        [12288, 16383, "c"]
    ]);
    assert_eq!(plan["after"]["config"]["ranges"], ranges);
    // What goes by moves is what goes by load alone.
    let by_moves = folder.json(&[&arguments[..], &["--prefer", "moves"]].concat());
    assert_eq!(by_moves, folder.json(&arguments));
}

#[test]
fn few_moves_in_ranges_are_told_with_what_is_certain() {
    // By hand: up to 16 nodes the fewest are certain, and there is nothing to tell.
    let folder = Folder::new();
    let ranges = |nodes: &str| {
        let arguments = ["--family", "slots", "--nodes", nodes, "--grow", "1"];
        let plan = folder.json(&[&arguments[..], &["--prefer", "ranges"]].concat());
        let row = plan["alternatives"][1].clone();
        (row, plan["notes"].to_string(), folder.planned(&arguments))
    };
    let (few, notes, _) = ranges("15");
    assert_eq!((&few["positions_at_least"], notes.as_str()), (&few["positions"], "[]"));
    // 30 nodes of 546 or 547 slots become 31 of 528 or 529. Each could keep all of its
    // quota by itself, so at least what the new one is due has to move, 528 or 529.
    let (many, notes, text) = ranges("30");
    assert_eq!((&many["ranges"], &many["ranges_at_least"]), (&31.into(), &31.into()));
    let least = many["positions_at_least"].as_u64().unwrap();
    assert!((528..=529).contains(&least) && least < many["positions"].as_u64().unwrap());
    let told = format!("not certainly the fewest; at least {least} have to move");
    assert!(notes.contains(&told) && text.contains(&told), "{notes} {text}");
}

#[test]
fn the_warm_up_list_of_a_new_node() {
    // d gets 4096-5460, 9557-10922 and 15019-16383 (case C10): k3 alone is in them.
    let folder = three_with_slots();
    folder.add("keys.csv", KEYS);
    let arguments = ["slots.json", "--add", "d", "--keys", "keys.csv", "--to", "d"];
    let csv = folder.planned(&[&arguments[..], &["--format", "csv"]].concat());
    assert_eq!(csv, "key,from,to,bytes,requests\nk3,a,d,20,6\n");
    let csv = folder.planned(&[&arguments[..6], &["a", "--format", "csv"]].concat());
    assert_eq!(csv, "key,from,to,bytes,requests\n");
    let plan = folder.json(&arguments);
    assert_eq!(plan["basis"], "counted");
    let (moved, all) = (&plan["moved"], &plan["all"]);
    assert_eq!([&moved["keys"], &moved["bytes"], &moved["requests"]], [1, 20, 6]);
    assert_eq!([&all["keys"], &all["bytes"], &all["requests"]], [6, 210, 36]);
    assert!((plan["fraction"].as_f64().unwrap() - 1.0 / 6.0).abs() < 1e-12);
}

#[test]
fn handovers_are_cut_into_steps() {
    // By hand: a gives 4096-5460 (1365), b 9557-10922 (1366), c 15019-16383 (1365).
    // 2000 slots are all of a's and 635 of b's; then 731 of b's and 1269 of c's;
    // then 96. At 100 slots a second that is 20, 20 and 0.96 seconds.
    let folder = three_with_slots();
    let arguments = ["slots.json", "--add", "d", "--max-step", "2000", "--rate", "100"];
    let csv = folder.planned(&[&arguments[..], &["--format", "csv"]].concat());
    assert_eq!(
        csv,
        "step,first,last,positions,from,to\n\
         1,4096,5460,1365,a,d\n\
         1,9557,10191,635,b,d\n\
         2,10192,10922,731,b,d\n\
         2,15019,16287,1269,c,d\n\
         3,16288,16383,96,c,d\n"
    );
    let plan = folder.json(&arguments);
    let seconds: Vec<f64> = plan["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["seconds"].as_f64().unwrap())
        .collect();
    assert_eq!(seconds, [20.0, 20.0, 0.96]);
    assert_eq!(plan["seconds"], 40.96);
    assert_eq!(plan["steps"][2]["fingerprint"], plan["end"]);
    let first = plan["steps"][0]["changes"].as_array().unwrap();
    assert_eq!(
        first,
        &["add \"d\"", "1365 slots from \"a\" to \"d\"", "635 slots from \"b\" to \"d\""]
    );
}

#[test]
fn steps_go_by_the_bytes_of_the_keys() {
    // By hand: with c gone a is due 8192 and wants 2731, b wants 2730. a has the
    // greater want and gets c's highest 2731 slots, 13653-16383; b 10923-13652, so
    // k1 (12706, 50 bytes) goes to b. One step of at most 49 bytes cannot hold it.
    let folder = three_with_slots();
    folder.add("keys.csv", KEYS);
    let arguments =
        ["slots.json", "--remove", "c", "--keys", "keys.csv", "--max-step", "49B", "--rate", "25B"];
    let plan = folder.json(&arguments);
    assert_eq!((&plan["unit"], &plan["seconds"]), (&"bytes".into(), &2.0.into()));
    let over: Vec<_> = plan["steps"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|step| step["exceeds"] == true)
        .map(|step| step["moved"]["bytes"].as_u64())
        .collect();
    assert_eq!(over, [Some(50)]);
    assert!(plan["notes"][0].as_str().unwrap().contains("cannot be cut further"));
}

//! Plans in steps, each of which leaves a valid layout.

use std::fmt::Write as _;

use homing_harness::registry;
use serde_json::Value;

use crate::Folder;

/// Fails unless the manifests of the steps build what they state, and the last is
/// what comes after.
#[track_caller]
fn leads_to_the_end(plan: &Value) -> Vec<&Value> {
    let steps: Vec<&Value> = plan["steps"].as_array().unwrap().iter().collect();
    for step in &steps {
        let layout = registry::open(step["manifest"].clone()).unwrap();
        assert_eq!(layout.fingerprint().to_string(), step["fingerprint"].as_str().unwrap());
    }
    assert_eq!(steps.last().unwrap()["fingerprint"], plan["end"]);
    steps
}

#[test]
fn weights_go_up_little_by_little() {
    for family in ["ring", "ring:points=7", "maglev:entries=1009", "rendezvous"] {
        let folder = Folder::new();
        let arguments = ["--family", family, "--nodes", "3", "--add", "x", "--sample", "5000"];
        let plan = folder.json(&[&arguments[..], &["--max-step", "10%"]].concat());
        let steps = leads_to_the_end(&plan);
        assert!(steps.len() > 1, "{family}: {} steps", steps.len());
        for step in steps {
            let part = step["fraction"].as_f64().unwrap();
            assert!(part <= 0.1 || step["exceeds"] == true, "{family}: {part}");
        }
        let told = plan["notes"].to_string();
        assert!(told.contains("weights times"), "{family}: {told}");
    }
}

#[test]
fn without_weights_it_goes_node_by_node() {
    let folder = Folder::new();
    let arguments = ["--family", "jump", "--nodes", "3", "--grow", "2", "--sample", "5000"];
    let plan = folder.json(&[&arguments[..], &["--max-step", "1%"]].concat());
    let steps = leads_to_the_end(&plan);
    assert_eq!(steps.len(), 2);
    assert!(steps.iter().all(|step| step["exceeds"] == true));
    assert_eq!(steps[0]["changes"], serde_json::json!(["add \"node-3\""]));
    let told = plan["notes"][0].as_str().unwrap();
    assert!(told.starts_with("steps 1, 2: more than"), "{told}");
}

#[test]
fn a_list_in_another_order_is_one_step() {
    // By index: x takes the place of b, whatever jump can remove.
    let folder = Folder::new();
    folder.add("before", "a\nb\nc\n");
    folder.add("after", "a\nx\nc\n");
    let arguments = ["--family", "jump", "before", "after", "--sample", "3000"];
    let plan = folder.json(&[&arguments[..], &["--max-step", "1%"]].concat());
    let steps = leads_to_the_end(&plan);
    assert_eq!((steps.len(), &steps[0]["exceeds"]), (1, &true.into()));
    let matrix = plan["matrix"].as_array().unwrap();
    assert_eq!(matrix.len(), 1);
    assert_eq!((&matrix[0]["from"], &matrix[0]["to"]), (&"b".into(), &"x".into()));
}

#[test]
fn what_fits_one_step_is_one_step() {
    let folder = Folder::new();
    let arguments = ["--family", "ring", "--nodes", "3", "--add", "x", "--max-step", "0.5"];
    let plan = folder.json(&arguments);
    assert_eq!(plan["steps"].as_array().unwrap().len(), 1);
    assert_eq!(plan["notes"], serde_json::json!([]));
}

#[test]
fn the_time_is_what_moves_over_the_rate() {
    let folder = Folder::new();
    let mut keys = String::from("key,bytes\n");
    for i in 0..1000 {
        writeln!(keys, "key-{i},100").unwrap();
    }
    folder.add("keys.csv", keys);
    let arguments = ["--family", "ring", "--nodes", "3", "--add", "x", "--keys", "keys.csv"];
    let plan = folder.json(&[&arguments[..], &["--rate", "2kB"]].concat());
    // 100 bytes a key over 2000 bytes a second.
    let keys = plan["moved"]["keys"].as_f64().unwrap();
    assert!((plan["seconds"].as_f64().unwrap() - keys / 20.0).abs() < 1e-9);
}

#[test]
fn other_zones_move_nothing() {
    let folder = Folder::new();
    folder.add("before.json", r#"[{"id": "a"}, {"id": "b", "zone": "x"}]"#);
    folder.add("after.json", r#"[{"id": "a", "zone": "y"}, {"id": "b"}]"#);
    for family in ["slots", "ring"] {
        let plan = folder.json(&["--family", family, "before.json", "after.json"]);
        assert_eq!(plan["moved"]["positions"], 0, "{family}");
        assert_ne!(plan["start"], plan["end"], "{family}");
    }
}

//! What is refused: one line, which names what is wrong and what is allowed.

use crate::{Folder, lines};

#[test]
fn an_unknown_preset_is_told_with_the_nearest() {
    let folder = Folder::new();
    for command in ["locate", "layout"] {
        let told = folder.refusal(
            &[command, "--preset", "twemprox", "foo"][..if command == "locate" { 4 } else { 3 }],
        );
        assert!(told.starts_with("preset is \"twemprox\", but must be twemproxy or "), "{told}");
    }
    for arguments in [
        &["compare", "--preset", "ketma"][..],
        &["plan", "--preset", "ketma", "--nodes", "3", "--grow", "1"],
        &["presets", "ketma"],
        &["compare", "--family", "ring:preset=ketma"],
    ] {
        let told = folder.refusal(arguments);
        assert!(told.starts_with("preset is \"ketma\", but must be "), "{told}");
    }
}

#[test]
fn any_is_for_verify_alone() {
    let folder = Folder::new();
    for arguments in [
        &["locate", "--preset", "any", "--nodes", "3", "foo"][..],
        &["layout", "--preset", "any", "--nodes", "3"],
        &["compare", "--preset", "any"],
        &["plan", "--preset", "any", "--nodes", "3", "--grow", "1"],
    ] {
        assert_eq!(
            folder.refusal(arguments),
            "preset is \"any\", but must be one: homing presets lists them, and only homing verify \
             tries all"
        );
    }
}

#[test]
fn a_node_that_lacks_what_is_hashed_is_named_with_the_field() {
    let folder = Folder::new();
    folder
        .add("nodes.toml", "[[node]]\nid = 'a'\nhost = '10.0.0.1'\nport = 1\n[[node]]\nid = 'b'\n");
    let rule = "but must be given: libketama hashes host and port";
    assert_eq!(
        folder.refusal(&["locate", "--preset", "libketama", "--members", "nodes.toml", "foo"]),
        format!("port is missing in node \"b\", {rule}")
    );
    assert_eq!(
        folder.refusal(&["compare", "--preset", "libketama", "--nodes", "2"]),
        format!("ring: port is missing in node \"node-0\", {rule}")
    );
    folder.add("one.toml", "[[node]]\nid = 'a'\nhost = '10.0.0.1'\nport = 1\n");
    assert_eq!(
        folder.refusal(&["plan", "--preset", "libketama", "--members", "one.toml", "--add", "c"]),
        format!("port is missing in node \"c\", {rule}")
    );
}

#[test]
fn a_node_that_compare_makes_up_is_no_riddle() {
    let folder = Folder::new();
    folder.add("one.toml", "[[node]]\nid = 'a'\nhost = '10.0.0.1'\nport = 1\n");
    let arguments =
        ["compare", "--sample", "100", "--preset", "libketama", "--members", "one.toml"];
    assert_eq!(
        folder.refusal(&arguments),
        "port is missing in node \"node-1\", but must be given: libketama hashes host and port; \
         --add or a scenario says which node joins"
    );
    folder.homing(&[&arguments[..], &["--add", "10.0.0.2:1"]].concat());
}

#[test]
fn limits_of_a_program_are_told_with_their_number() {
    let folder = Folder::new();
    folder.add("many.txt", lines(118, |i| format!("10.0.0.{i}:11211")));
    assert_eq!(
        folder.refusal(&["locate", "--preset", "libketama", "--members", "many.txt", "foo"]),
        "nodes is 118, but must be at most 117, which is what libketama holds"
    );
    folder.add("heavy.toml", "[[node]]\nid = 'a:80'\nweight = 4000000000\n");
    let told = folder.refusal(&["locate", "--preset", "nginx", "--members", "heavy.toml", "foo"]);
    assert!(told.contains("which is what homing builds"), "{told}");
}

#[test]
fn what_no_family_is_has_no_plan_and_no_row() {
    let folder = Folder::new();
    let why = "hashes key and node together, so that there is no layout; homing locate and homing \
               verify take it";
    for arguments in [
        &["compare", "--preset", "clandestined"][..],
        &["plan", "--preset", "clandestined", "--nodes", "3", "--grow", "1"],
        &["layout", "--preset", "clandestined", "--nodes", "3"],
    ] {
        assert_eq!(folder.refusal(arguments), format!("clandestined: {why}"));
    }
    let told = folder.refusal(&["locate", "--preset", "clandestined", "--input", "positions", "7"]);
    assert_eq!(told, "clandestined: a key has no position");
}

#[test]
fn a_preset_and_a_family_do_not_go_together() {
    let folder = Folder::new();
    let told = folder.refusal(&["locate", "--preset", "jump", "--family", "ring", "foo"]);
    assert_eq!(told, "a preset has a family: --preset and --family cannot be given together");
    let told = folder.refusal(&["compare", "--family", "maglev:preset=libketama"]);
    assert_eq!(told, "maglev: preset is \"libketama\", but must be of family maglev, not of ring");
    folder.add("two.toml", "[[family]]\npreset = 'jump'\nname = 'jump'\n");
    let told = folder.refusal(&["compare", "--scenario", "two.toml"]);
    assert_eq!(
        told,
        "two.toml:1: a [[family]] has a preset, and then must have that alone, a text"
    );
    folder.add("unknown.toml", "\n[[family]]\npreset = 'jumpp'\n");
    let told = folder.refusal(&["compare", "--scenario", "unknown.toml"]);
    assert!(
        told.starts_with("unknown.toml:2: preset is \"jumpp\", but must be jump, or"),
        "{told}"
    );
}

#[test]
fn attributes_go_with_who_joins() {
    let folder = Folder::new();
    folder.add("change.toml", "[[change]]\nremove = 'node-0'\nattributes = { host = 'a' }\n");
    let told = folder.refusal(&["compare", "--scenario", "change.toml"]);
    assert_eq!(told, "change.toml:1: change 1 has attributes, which go with add only");
    folder.add("step.toml", "[[step]]\nleave = 'node-0'\nattributes = { host = 'a' }\n");
    let told = folder.refusal(&["compare", "--scenario", "step.toml"]);
    assert_eq!(told, "step.toml:1: step 1 has attributes, which go with join only");
    folder.add("odd.toml", "[[change]]\nadd = 'a'\nattributes = { hots = 'a' }\n");
    let told = folder.refusal(&["compare", "--scenario", "odd.toml"]);
    assert!(
        told.starts_with("odd.toml:3: unknown field \"hots\", but the fields are label, host"),
        "{told}"
    );
}

#[test]
fn labels_of_a_manifest_are_not_hashed_by_another_preset() {
    let folder = Folder::of_servers();
    let given = ["--preset", "libketama", "--members", "servers.toml"];
    let layout = folder.homing(&[&["layout"][..], &given].concat());
    folder.add("layout.json", layout);
    let reason = "layout.json: label is \"10.0.1.1:11211\" in node \"cache-1\", but must be \
                  \"10.0.1.1\\011211\", which is what nginx hashes: a manifest has the labels of its \
                  own layout";
    for arguments in [
        &["locate", "--preset", "nginx", "--members", "layout.json", "foo"][..],
        &["locate", "--family", "ring:preset=nginx", "--members", "layout.json", "foo"],
        &["plan", "--preset", "nginx", "layout.json", "--add", "10.0.1.4:1"],
        &["plan", "--preset", "nginx", "servers.toml", "layout.json"],
        &["compare", "--preset", "nginx", "--members", "layout.json"],
    ] {
        let told = folder.refusal(arguments);
        assert!(told.ends_with(reason), "{told}");
    }
    // Its own preset, and one that hashes the same, take it.
    for preset in ["libketama", "spymemcached"] {
        let placed =
            folder.homing(&["locate", "--preset", preset, "--members", "layout.json", "foo"]);
        assert_eq!(placed, "key,position,owner\nfoo,3675831724,cache-2\n");
    }
}

#[test]
fn nothing_is_tried_that_is_larger_than_what_is_built() {
    let folder = Folder::new();
    folder.add("heavy.toml", "[[node]]\nid = '10.0.1.1:1'\nweight = 1000000000\n");
    folder.add("placed.csv", "key,node\nfoo,10.0.1.1:1\n");
    let of =
        folder.json(0, &["verify", "--preset", "any", "--members", "heavy.toml", "placed.csv"]);
    let skipped = of["skipped"].to_string();
    assert!(skipped.contains("nginx") && skipped.contains("conhash"), "{skipped}");
    let many = lines(500, |i| format!("node-{i}"));
    folder.add("many.txt", many);
    let preset = "buraksezer-consistent:ReplicationFactor=65536";
    assert_eq!(
        folder.refusal(&["locate", "--preset", preset, "--members", "many.txt", "foo"]),
        "ReplicationFactor is 65536 x 500 nodes, but must be at most 8388608 in all, which is what \
         homing builds"
    );
}

#[test]
fn a_spread_that_a_program_does_not_have_is_refused() {
    let folder = Folder::new();
    let node = |i: usize| format!("[[node]]\nid = 'n{i}'\nzone = 'z{}'\n", i / 2);
    folder.add("zones.toml", (0..4).map(node).collect::<String>());
    let asked = ["--members", "zones.toml", "--replicas", "2", "--spread", "zones", "foo"];
    for preset in ["pypi-hrw", "buraksezer-consistent"] {
        assert_eq!(
            folder.refusal(&[&["locate", "--preset", preset][..], &asked].concat()),
            format!("{preset}: does not spread replicas over zones")
        );
    }
    folder.homing(&[&["locate", "--preset", "clandestined-cluster"][..], &asked].concat());
}

//! `locate`, `layout`, `compare` and `plan` under a preset.

use serde_json::Value;

use crate::{Folder, servers};

#[test]
fn keys_are_where_the_program_has_them() {
    let folder = Folder::of_servers();
    // ketama/libketama.jsonl, record eq3: foo is on the second server, bar on the first.
    let placed = folder.homing(&[
        "locate",
        "--preset",
        "libketama",
        "--members",
        "servers.toml",
        "foo",
        "bar",
    ]);
    assert_eq!(placed, "key,position,owner\nfoo,3675831724,cache-2\nbar,421377335,cache-1\n");
    // ketama/libmemcached.jsonl, record eq3, weighted: the port is no part of the label.
    let placed = folder.homing(&[
        "locate",
        "--preset",
        "libmemcached",
        "--members",
        "servers.toml",
        "foo",
        "bar",
    ]);
    assert_eq!(placed, "key,position,owner\nfoo,3675831724,cache-3\nbar,421377335,cache-3\n");
    // The first record of clandestined in hrw/hrw.jsonl, by ids: foo is on the third node.
    folder.add("nodes.txt", "node-0\nnode-1\nnode-2\nnode-3\nnode-4\n");
    let placed = folder.homing(&[
        "locate",
        "--preset",
        "clandestined",
        "--members",
        "nodes.txt",
        "foo",
        "bar",
    ]);
    assert_eq!(placed, "key,position,owner\nfoo,,node-2\nbar,,node-3\n");
}

#[test]
fn a_manifest_has_the_layout_without_the_preset() {
    let folder = Folder::of_servers();
    let layout =
        folder.homing(&["layout", "--preset", "libmemcached", "--members", "servers.toml"]);
    let manifest: Value = serde_json::from_str(&layout).unwrap();
    assert_eq!(
        (&manifest["family"], &manifest["config"]["hash"]),
        (&"ring".into(), &"md5-le32".into())
    );
    assert_eq!(manifest["members"][0]["attributes"]["label"], "10.0.1.1");
    assert_eq!(manifest["members"][0]["attributes"]["port"], "11211");
    folder.add("layout.json", &layout);
    let placed = folder.homing(&["locate", "--members", "layout.json", "foo"]);
    assert_eq!(placed, "key,position,owner\nfoo,3675831724,cache-3\n");
    assert_eq!(folder.homing(&["layout", "--members", "layout.json"]), layout);
}

#[test]
fn compare_has_a_row_of_a_preset_beside_those_of_families() {
    let folder = Folder::of_servers();
    let of = folder.json(
        0,
        &[
            "compare",
            "--members",
            "servers.toml",
            "--add",
            "10.0.1.4:11211",
            "--family",
            "ring",
            "--preset",
            "libketama",
            "--preset",
            "twemproxy:hash=md5",
            "--sample",
            "2000",
        ],
    );
    let rows = of["rows"].as_array().unwrap();
    let told: Vec<(&str, Option<&str>)> = rows
        .iter()
        .map(|row| (row["family"].as_str().unwrap(), row["parameters"].as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("ring", None),
            ("ring", Some("preset=libketama")),
            ("ring", Some("preset=twemproxy,hash=md5")),
        ]
    );
    // Four equal servers of 160 points each: nobody but who joins gets keys.
    assert_eq!(rows[1]["stray"], 0.0);
    assert!(rows[1]["moved"].as_f64().unwrap() > 0.15);
    // What a row is called can be asked for again.
    let again = folder.json(
        0,
        &[
            "compare",
            "--members",
            "servers.toml",
            "--add",
            "10.0.1.4:11211",
            "--family",
            "ring:preset=libketama",
            "--sample",
            "2000",
        ],
    );
    assert_eq!(again["rows"][0]["moved"], rows[1]["moved"]);
}

#[test]
fn a_scenario_has_presets_among_its_families() {
    let folder = Folder::of_servers();
    folder.add(
        "change.toml",
        "members = 'servers.toml'\n[[change]]\nadd = 'cache-4'\n\
         attributes = { host = '10.0.1.4', port = 11211 }\n[workload]\nkeys = 2000\n\
         [[family]]\nname = 'jump'\n[[family]]\npreset = 'libketama'\n",
    );
    let of = folder.json(0, &["compare", "--scenario", "change.toml"]);
    assert_eq!(of["rows"][1]["parameters"], "preset=libketama");
    folder.add(
        "steps.toml",
        "members = 'servers.toml'\n[[step]]\njoin = 'cache-4'\n\
         attributes = { host = '10.0.1.4', port = 11211 }\n[[step]]\nleave = 'cache-1'\n\
         [workload]\nkeys = 2000\n[[family]]\npreset = 'nginx'\n",
    );
    let of = folder.json(0, &["compare", "--scenario", "steps.toml"]);
    assert_eq!(of["rows"].as_array().unwrap().len(), 2);
    assert!(of["rows"].as_array().unwrap().iter().all(|row| row["unsupported"].is_null()));
}

#[test]
fn a_plan_goes_from_one_list_of_the_program_to_the_next() {
    let folder = Folder::of_servers();
    folder.add("next.toml", servers(4));
    let of = folder.json(0, &["plan", "--preset", "libketama", "servers.toml", "next.toml"]);
    assert_eq!((&of["family"], &of["parameters"]), (&"ring".into(), &"preset=libketama".into()));
    assert_eq!((&of["basis"], &of["takers"][0]["node"]), (&"exact".into(), &"cache-4".into()));
    assert_eq!(of["after"]["members"][3]["attributes"]["label"], "10.0.1.4:11211");
    let cut = folder.json(
        0,
        &["plan", "--preset", "libketama", "servers.toml", "next.toml", "--max-step", "5%"],
    );
    assert_eq!((&cut["end"], cut["steps"].as_array().unwrap().len()), (&of["end"], 1));
}

#[test]
fn a_plan_sees_that_a_node_has_another_address() {
    let folder = Folder::of_servers();
    folder.add("moved.toml", servers(3).replace("10.0.1.2", "10.0.1.9"));
    let plan = |preset| folder.json(0, &["plan", "--preset", preset, "servers.toml", "moved.toml"]);
    let of = plan("libketama");
    let takers: Vec<_> = of["takers"].as_array().unwrap().iter().collect();
    assert!(takers.iter().any(|taker| taker["node"] == "cache-2"), "{takers:?}");
    assert_eq!(of["after"]["members"][1]["attributes"]["label"], "10.0.1.9:11211");
    // What hashes the ids moves nothing.
    assert_eq!(plan("uhashring")["moved"]["positions"], 0);
}

#[test]
fn tokens_of_a_store_decide_its_ring() {
    let folder = Folder::new();
    folder.add(
        "ring.toml",
        "[[node]]\nid = 'a'\ntokens = [-9223372036854775807]\n[[node]]\nid = 'b'\n\
         tokens = '-3074457345618258603'\n[[node]]\nid = 'c'\ntokens = [3074457345618258602]\n",
    );
    // cassandra/replicas.jsonl, ring 3-even-1dc, SimpleStrategy of one: key:0 and key:5.
    let placed = folder.homing(&[
        "locate",
        "--preset",
        "cassandra",
        "--members",
        "ring.toml",
        "key:0",
        "key:5",
        "--format",
        "json",
    ]);
    let owners: Vec<Value> =
        placed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&owners[0]["owner"], &owners[1]["owner"]), (&"a".into(), &"b".into()));
}

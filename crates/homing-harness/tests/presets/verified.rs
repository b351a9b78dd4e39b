//! `homing verify` with presets.

use crate::{Folder, lines};

/// ketama/uhashring.jsonl, record eq3: keys with the places of their owners; the last
/// six hash to a point exactly.
const UHASHRING: [(&str, usize); 19] = [
    ("foo", 1),
    ("bar", 0),
    ("hello", 2),
    ("user:1", 0),
    ("user:10086", 2),
    ("session:abc", 1),
    ("a", 2),
    ("Z", 1),
    ("0", 0),
    ("12345", 2),
    ("key{tag}", 0),
    ("{a}b", 0),
    ("key:0", 0),
    ("10.0.1.1:11211-0", 2),
    ("10.0.1.1:11211-1", 1),
    ("10.0.1.1:11211-7", 2),
    ("10.0.1.2:11211-0", 2),
    ("10.0.1.2:11211-1", 0),
    ("10.0.1.2:11211-7", 2),
];

/// The servers by address, `nodes.txt`, and the rows, `placed.csv`.
fn of_uhashring() -> Folder {
    let folder = Folder::new();
    folder.add("nodes.txt", "10.0.1.1:11211\n10.0.1.2:11211\n10.0.1.3:11211\n");
    let row = |(key, owner): (&str, usize)| format!("{key},10.0.1.{}:11211\n", owner + 1);
    folder.add("placed.csv", "key,node\n".to_owned() + &UHASHRING.map(row).concat());
    folder
}

#[test]
fn a_preset_agrees_with_the_program_it_is_named_for() {
    let folder = of_uhashring();
    let arguments = |preset| ["verify", "--preset", preset, "--members", "nodes.txt", "placed.csv"];
    let of = folder.json(0, &arguments("uhashring"));
    assert_eq!((&of["agree"], &of["parameters"]), (&19.into(), &"preset=uhashring".into()));
    // The same points under the other boundary: the six on a point are elsewhere.
    let of = folder.json(1, &arguments("libketama"));
    assert_eq!((&of["agree"], &of["tried"]), (&13.into(), &0.into()));
}

#[test]
fn any_names_the_preset_that_every_row_agrees_with() {
    let folder = of_uhashring();
    let any = ["verify", "--preset", "any", "--members", "nodes.txt", "placed.csv"];
    let of = folder.json(0, &any);
    let names: Vec<&str> =
        of["agree"].as_array().unwrap().iter().map(|of| of["preset"].as_str().unwrap()).collect();
    assert_eq!(names, ["uhashring"]);
    assert!(of["tried"].as_u64().unwrap() > 70, "{}", of["tried"]);
    assert_eq!(of["nearest"].as_array().unwrap().len(), 0);
    // What the members lack is said of those that could not be tried.
    let skipped = of["skipped"].as_array().unwrap();
    let reason = |name: &str| {
        skipped.iter().find(|skip| skip["preset"] == name).unwrap()["reason"].as_str().unwrap()
    };
    assert!(reason("cassandra").starts_with("tokens is missing in node \"10.0.1.1:11211\""));
    let text = folder.homing(&any);
    assert!(
        text.starts_with("uhashring agrees with all 19 rows in placed.csv, the only one of "),
        "{text}"
    );
    let csv = folder.homing(&[&any[..], &["--format", "csv"]].concat());
    assert_eq!(csv, "preset,family,agree,rows\nuhashring,ring,19,19\n");
    let markdown = folder.homing(&[&any[..], &["--format", "markdown"]].concat());
    assert!(markdown.lines().next().unwrap().starts_with("uhashring agrees with"), "{markdown}");
    assert!(markdown.contains("\n\n| preset |"), "{markdown}");
}

#[test]
fn presets_that_the_rows_cannot_tell_apart_are_all_named() {
    let folder = Folder::of_servers();
    // Without a key on a point, and of keys in ASCII, these are one ring.
    folder.add("placed.csv", "key,node\nfoo,cache-2\nbar,cache-1\nhello,cache-3\n");
    let of = folder.json(
        0,
        &[
            "verify",
            "--preset",
            "any",
            "--family",
            "ring",
            "--members",
            "servers.toml",
            "placed.csv",
        ],
    );
    let names: Vec<&str> =
        of["agree"].as_array().unwrap().iter().map(|of| of["preset"].as_str().unwrap()).collect();
    for name in ["libketama", "spymemcached", "npm-hashring"] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    assert!(of["agree"].as_array().unwrap().iter().all(|of| of["family"] == "ring"));
}

#[test]
fn where_none_agrees_the_nearest_and_a_family_are_named() {
    let folder = Folder::of_servers();
    folder.add("keys.txt", lines(200, |i| format!("user:{i}")));
    let placed = folder.homing(&[
        "locate",
        "--family",
        "rendezvous",
        "--members",
        "servers.toml",
        "--keys",
        "keys.txt",
    ]);
    folder.add("placed.csv", placed);
    let of =
        folder.json(1, &["verify", "--preset", "any", "--members", "servers.toml", "placed.csv"]);
    assert_eq!(of["agree"].as_array().unwrap().len(), 0);
    let nearest = of["nearest"].as_array().unwrap();
    assert_eq!(nearest.len(), 5);
    let agree = |i: usize| nearest[i]["agree"].as_u64().unwrap();
    assert!(agree(0) >= agree(1) && agree(0) < 200);
    assert_eq!(
        (&of["families"][0]["family"], &of["families"][0]["agree"]),
        (&"rendezvous".into(), &200.into())
    );
}

#[test]
fn a_preset_under_which_no_row_agrees_is_not_near() {
    let folder = Folder::of_servers();
    folder.add("placed.csv", "key,node\nfoo,elsewhere\n");
    let any = ["verify", "--preset", "any", "--members", "servers.toml", "placed.csv"];
    assert_eq!(folder.json(1, &any)["nearest"].as_array().unwrap().len(), 0);
    let text = folder.both(1, &any).0;
    assert!(text.contains(" presets agrees with the one row in placed.csv\n"), "{text}");
    assert!(!text.contains("0.00 %"), "{text}");
}

#[test]
fn a_program_that_no_preset_is_is_named_by_what_it_does() {
    // articles/modbus_crc16.csv of the vectors: foo is in slot 1020 there, in 12182 of
    // the server; the members are 16384 with one slot each.
    let folder = Folder::new();
    folder.add("slots.txt", lines(16_384, |slot| format!("{slot:05}")));
    folder.add("placed.csv", "key,node\nfoo,01020\nbar,11129\nhello,13558\n");
    let of = folder.json(
        1,
        &["verify", "--preset", "any", "--family", "slots", "--members", "slots.txt", "placed.csv"],
    );
    assert_eq!((&of["tried"], &of["families"][0]["family"]), (&0.into(), &"slots".into()));
    let cause = of["families"][0]["cause"]["name"].as_str().unwrap();
    assert!(cause.starts_with("CRC-16/MODBUS"), "{cause}");
}

#[test]
fn what_no_family_is_is_verified_too() {
    let folder = Folder::new();
    // The first record of clandestined in hrw/hrw.jsonl.
    folder.add("nodes.txt", "node-0\nnode-1\nnode-2\nnode-3\nnode-4\n");
    folder.add("placed.csv", "key,node\nfoo,node-2\nbar,node-3\nhello,node-3\na,node-0\nZ,node-4\n0,node-3\n12345,node-2\nnaïve,node-2\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx,node-2\n");
    let verify = |status, preset| {
        folder
            .both(status, &["verify", "--preset", preset, "--members", "nodes.txt", "placed.csv"])
            .0
    };
    assert!(verify(0, "clandestined").starts_with("clandestined agrees with all 9 rows"));
    assert!(verify(1, "clandestined:seed=10").contains("of 9 rows agree in placed.csv"));
}

#[test]
fn a_label_that_the_members_have_is_told() {
    let folder = Folder::of_servers();
    let layout = folder.homing(&["layout", "--preset", "libketama", "--members", "servers.toml"]);
    folder.add("layout.json", layout);
    folder.add("placed.csv", "key,node\nfoo,cache-2\n");
    let text =
        folder.homing(&["verify", "--preset", "any", "--members", "layout.json", "placed.csv"]);
    assert!(text.contains("the members have labels"), "{text}");
}

//! `homing presets`.

use crate::Folder;

#[test]
fn every_form_of_the_list_has_every_preset() {
    let folder = Folder::new();
    let json = folder.json(0, &["presets"]);
    let names: Vec<&str> =
        json.as_array().unwrap().iter().map(|of| of["name"].as_str().unwrap()).collect();
    // Those that the programs are asked for by.
    for name in [
        "libketama",
        "libmemcached",
        "twemproxy",
        "spymemcached",
        "uhashring",
        "npm-hashring",
        "pypi-hashring",
        "nginx",
        "haproxy",
        "envoy",
        "grpc",
        "groupcache",
        "stathat",
        "conhash",
        "cassandra",
        "katran-v1",
        "katran-v2",
        "go-maglev",
        "hrw-hash",
        "rendezvous_hash",
        "clandestined",
        "pymemcache",
        "go-redis",
        "jump",
        "guava",
        "python-memcached",
        "kafka",
    ] {
        assert!(names.contains(&name), "{name}");
    }
    for form in ["table", "markdown", "csv"] {
        // Markdown has a backslash before what it would take for its own.
        let list = folder.homing(&["presets", "--format", form]).replace('\\', "");
        for name in &names {
            assert!(list.contains(name), "{form}: {name}");
        }
    }
}

#[test]
fn a_preset_tells_family_versions_vectors_options_and_limits() {
    let folder = Folder::new();
    let of = folder.json(0, &["presets", "libketama"]);
    assert_eq!((&of["family"], &of["limits"]["label_bytes"]), (&"ring".into(), &21.into()));
    assert_eq!(of["versions"][0], "RJ/ketama 18cf9a7 (2014)");
    // ketama/libketama.jsonl has 7 records, of 1010 keys together.
    assert_eq!((&of["vectors"][0]["records"], &of["lookups"]), (&7.into(), &1010.into()));
    let sheet = folder.homing(&["presets", "twemproxy"]);
    for part in ["option hash: ", "one_at_a_time", "[default: fnv1a_64]", "differs: "] {
        assert!(sheet.contains(part), "{part} in {sheet}");
    }
    // A line ends in two blanks, which is where Markdown breaks it.
    let markdown = folder.homing(&["presets", "twemproxy", "--format", "markdown"]);
    assert_eq!(markdown.lines().count(), sheet.lines().count(), "{markdown}");
    assert!(markdown.contains("\nfamily: ring  \n"), "{markdown}");
    let table = folder.homing(&["presets", "haproxy"]);
    assert!(table.contains("holds: weights of at most 256"), "{table}");
}

#[test]
fn no_preset_offers_slots_that_the_server_does_not_have() {
    // articles/modbus_crc16.csv of the vectors is a program that nothing should agree with.
    let list = Folder::new().homing(&["presets", "--format", "json"]).to_lowercase();
    assert!(!list.contains("modbus"));
}

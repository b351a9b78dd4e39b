//! What of a node is hashed, and how a layout goes on.

use homing_compat::homing_core::{Attribute, Build, Change, Members, Node, NodeId, Placement};
use homing_compat::{Configuration, PRESETS, Prepared, Preset};
use homing_ring::Ring;

fn label(preset: &str, node: Node) -> String {
    Preset::parse(preset).unwrap().prepare(node, 2).unwrap().label().to_owned()
}

fn hosted(port: &str) -> Node {
    Node::new("cache-1").with(Attribute::Host, "10.0.1.1").with(Attribute::Port, port)
}

#[test]
fn labels_are_what_the_programs_hash() {
    // The labels of ketama/libketama.jsonl, ketama/libmemcached.jsonl and
    // ketama/spymemcached.jsonl; the rules of the others as the vectors state them.
    let cases = [
        ("libketama", "11211", "10.0.1.1:11211"),
        ("libmemcached", "11211", "10.0.1.1"),
        ("libmemcached", "11212", "10.0.1.1:11212"),
        ("libmemcached-ketama-spy", "11211", "/10.0.1.1:11211"),
        ("twemproxy", "11211", "10.0.1.1"),
        ("spymemcached", "11211", "10.0.1.1:11211"),
        ("spymemcached-libmemcached", "11211", "10.0.1.1"),
        ("npm-hashring", "11211", "10.0.1.1:11211"),
        ("npm-hashring:default_port=11211", "11211", "10.0.1.1"),
        ("nginx", "80", "10.0.1.1\0"),
        ("envoy", "80", "10.0.1.1:80"),
        ("uhashring", "80", "cache-1"),
        ("haproxy", "80", "3"),
    ];
    for (preset, port, expected) in cases {
        let expected =
            if preset == "nginx" { format!("{expected}80") } else { expected.to_owned() };
        assert_eq!(label(preset, hosted(port)), expected, "{preset}");
    }
}

#[test]
fn an_id_is_read_as_host_and_port_where_there_is_no_host() {
    assert_eq!(label("libmemcached", Node::new("10.0.1.1:11211")), "10.0.1.1");
    assert_eq!(label("libmemcached", Node::new("cache-1")), "cache-1");
    assert_eq!(label("libmemcached", Node::new("[::1]:11212")), "[::1]:11212");
    assert_eq!(label("libmemcached", Node::new("::1")), "::1");
    let port = Node::new("cache-1").with(Attribute::Port, "7");
    assert_eq!(label("libketama", port), "cache-1:7");
}

#[test]
fn other_names_of_a_node_go_before_its_address() {
    let alias = hosted("11211").with(Attribute::Alias, "server-a");
    assert_eq!(label("twemproxy", alias.clone()), "server-a");
    assert_eq!(label("spymemcached", alias.clone()), "server-a/10.0.1.1:11211");
    assert_eq!(label("envoy", alias.clone()), "10.0.1.1:11211");
    assert_eq!(label("envoy:use_hostname_for_hashing=true", alias), "server-a");
    assert_eq!(label("envoy", hosted("80").with(Attribute::HashKey, "k")), "k");
    assert_eq!(label("haproxy", hosted("80").with(Attribute::ServerId, "17")), "17");
    assert_eq!(label("libketama", hosted("80").with(Attribute::Label, "any")), "any");
}

#[test]
fn a_preset_is_written_as_it_is_read() {
    for text in ["libketama", "twemproxy:hash=md5,hash_tag={}", "envoy:minimum_ring_size=7"] {
        assert_eq!(Preset::parse(text).unwrap().to_string(), text);
    }
    // What is the default is left out.
    assert_eq!(Preset::parse("twemproxy:hash=fnv1a_64").unwrap().to_string(), "twemproxy");
}

#[test]
fn every_preset_has_sound_settings_and_a_name_of_its_own() {
    let node = |i: u128, unit: u128| {
        let node = Node::new(format!("10.0.0.{i}:80")).in_zone(format!("z{i}"));
        let node = node.with(Attribute::HashKey, &i.to_string());
        node.with(Attribute::Tokens, &(i * unit).to_string())
    };
    for (i, entry) in PRESETS.iter().enumerate() {
        assert!(PRESETS[..i].iter().all(|other| other.name != entry.name), "{}", entry.name);
        assert!(!entry.vectors.is_empty() && !entry.versions.is_empty(), "{}", entry.name);
        // Tokens up to 2^127 are told apart by their leading 64 bits.
        let unit = if entry.name == "cassandra-random" { 1 << 64 } else { 5 };
        let members = Members::new((1..=3).map(|i| node(i, unit))).unwrap();
        for preset in Preset::variants(entry) {
            let apart = preset.apart(&members).unwrap();
            let owned = match apart {
                Some(apart) => apart.order(b"foo", 2).is_ok(),
                None => preset.build(&members).unwrap().owner(b"foo").is_some(),
            };
            assert!(owned, "{preset}");
            assert_eq!(Preset::parse(&preset.to_string()).unwrap(), preset);
        }
    }
}

#[test]
fn who_joins_is_prepared_as_who_was_there_from_the_start() {
    let nodes = ["10.0.1.1:11211", "10.0.1.2:11211", "10.0.1.3:11211"];
    for name in ["libmemcached", "haproxy", "libketama"] {
        let preset = Preset::by_name(name).unwrap();
        let whole = preset.build(&Members::named(nodes).unwrap()).unwrap();
        let mut layout =
            preset.build(&Members::named(nodes[..2].iter().copied()).unwrap()).unwrap();
        layout.apply(&[Change::Add(Node::new(nodes[2]))]).unwrap();
        assert_eq!(layout.fingerprint(), whole.fingerprint(), "{name}");
    }
}

#[test]
fn tokens_of_who_joins_come_with_it() {
    let node = |id: &str, tokens: &str| Node::new(id).with(Attribute::Tokens, tokens);
    let preset = Preset::by_name("cassandra").unwrap();
    let members = Members::new([node("a", "-5, 7"), node("b", "0")]).unwrap();
    let mut layout = Prepared::<Ring>::build(&preset, &members).unwrap();
    let at = |token: i64| token.cast_unsigned() ^ (1 << 63);
    let owner = |layout: &Prepared<Ring>, token: i64| {
        layout.owner_at(at(token)).map(|index| layout.node(index).id.as_str().to_owned())
    };
    // A token belongs to the node that has it, and the greatest go to the least.
    assert_eq!(owner(&layout, -5).as_deref(), Some("a"));
    assert_eq!(owner(&layout, -4).as_deref(), Some("b"));
    assert_eq!(owner(&layout, 8).as_deref(), Some("a"));
    layout.apply(&[Change::Add(node("c", "-9223372036854775808"))]).unwrap();
    assert_eq!(owner(&layout, 8).as_deref(), Some("c"));
    layout.apply(&[Change::Remove(NodeId::new("c"))]).unwrap();
    assert_eq!(owner(&layout, 8).as_deref(), Some("a"));
}

#[test]
fn one_weight_above_1_makes_it_the_weighted_ring_and_so_does_a_change() {
    // ketama/libmemcached.jsonl, records w123-hosts: 480 points, not 600.
    let preset = Preset::by_name("libmemcached-ketama").unwrap();
    let members = Members::named(["cache-a", "cache-b", "cache-c"]).unwrap();
    let mut layout = Prepared::<Ring>::build(&preset, &members).unwrap();
    assert_eq!(layout.layout().points().count(), 300);
    layout
        .apply(&[Change::Reweight("cache-b".into(), 2), Change::Reweight("cache-c".into(), 3)])
        .unwrap();
    assert_eq!(layout.layout().points().count(), 480);
}

#[test]
fn a_configuration_builds_the_layout_without_the_preset() {
    let preset = Preset::by_name("libmemcached").unwrap();
    let given = Members::named(["10.0.1.1:11211", "10.0.1.2:11211"]).unwrap();
    let members = preset.members(&given).unwrap();
    let Configuration::Ring(config) = preset.configuration(&members).unwrap() else {
        panic!("libmemcached is a ring");
    };
    let ring = Ring::build(config, members).unwrap();
    assert_eq!(ring.fingerprint(), preset.build(&given).unwrap().fingerprint());
}

#[test]
fn a_server_without_an_id_has_its_place_or_the_next_number_that_is_free() {
    // HAProxy, the keyword id: an unused one is assigned where none is set.
    let haproxy = Preset::by_name("haproxy").unwrap();
    let id = |node: &str, id: &str| Node::new(node).with(Attribute::ServerId, id);
    let members = [id("a", "2"), Node::new("b"), Node::new("c"), id("d", "5"), Node::new("e")];
    let prepared = haproxy.members(&Members::new(members).unwrap()).unwrap();
    let labels: Vec<&str> = prepared.iter().map(|(_, node)| node.label()).collect();
    assert_eq!(labels, ["2", "3", "4", "5", "6"]);
    let again = haproxy.members(&prepared).unwrap();
    assert_eq!(again, prepared);
}

#[test]
fn a_tag_of_twemproxy_is_any_two_bytes() {
    // The two bytes of an e with an acute accent in UTF-8 are no printable ones.
    let preset = Preset::parse("twemproxy:hash_tag=\u{e9}").unwrap();
    let ring = preset.build(&Members::named(["a", "b"]).unwrap()).unwrap();
    let plain = Preset::by_name("twemproxy").unwrap();
    let plain = plain.build(&Members::named(["a", "b"]).unwrap()).unwrap();
    let tagged = ring.position(b"x\xc3user:1\xa9y");
    assert_eq!(tagged, plain.position(b"user:1"));
}

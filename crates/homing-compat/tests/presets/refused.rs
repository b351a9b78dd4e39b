//! What a preset refuses, by name and number.

use homing_compat::Preset;
use homing_compat::homing_core::{Attribute, Change, Members, Node};

fn refusal(preset: &str, nodes: impl IntoIterator<Item = Node>) -> String {
    let members = Members::new(nodes).unwrap();
    let preset = Preset::parse(preset).unwrap();
    match preset.apart(&members) {
        Ok(None) => preset.build(&members).unwrap_err().to_string(),
        Ok(Some(apart)) => panic!("{apart:?}"),
        Err(error) => error.to_string(),
    }
}

fn unread(text: &str) -> String {
    Preset::parse(text).unwrap_err().to_string()
}

#[test]
fn a_node_that_lacks_what_is_hashed_is_named_with_the_field() {
    let lacks = |preset, field| {
        let told =
            refusal(preset, [Node::new("1.1.1.1:1").with(Attribute::HashKey, "1"), Node::new("a")]);
        assert!(
            told.starts_with(&format!("{field} is missing in node \"a\", but must be given: ")),
            "{told}"
        );
        assert!(told.contains(preset), "{told}");
    };
    lacks("libketama", "port");
    lacks("nginx", "port");
    lacks("katran-v1", "hash_key");
    let told = refusal("cassandra", [Node::new("a")]);
    assert!(told.starts_with("tokens is missing in node \"a\""), "{told}");
    let told = refusal("clandestined-cluster", [Node::new("a")]);
    assert!(told.contains("zone") && told.contains("\"a\""), "{told}");
}

#[test]
fn a_value_that_is_none_is_named_with_the_node() {
    let wrong = |preset, attribute, text| refusal(preset, [Node::new("a").with(attribute, text)]);
    assert_eq!(
        wrong("haproxy", Attribute::ServerId, "one"),
        "server_id is \"one\" in node \"a\", but must be a whole number from 1 to 2147483647 for \
         haproxy"
    );
    assert!(wrong("haproxy", Attribute::ServerId, "0").starts_with("server_id is \"0\" in node"));
    let told = wrong("haproxy", Attribute::ServerId, "2147483648");
    assert!(told.starts_with("server_id is \"2147483648\" in node"), "{told}");
    assert!(wrong("katran-v2", Attribute::HashKey, "-1").starts_with("hash_key is \"-1\" in node"));
    let told = wrong("cassandra", Attribute::Tokens, "5 x");
    assert!(told.starts_with("tokens is \"x\" in node \"a\", but must be whole numbers"), "{told}");
}

#[test]
fn what_the_program_does_not_hold_is_refused_with_its_limit() {
    // ketama/libketama.jsonl: labels have at most 21 bytes, and 117 servers fit.
    let label = refusal("libketama", [Node::new("cache-0001.example:11211")]);
    assert_eq!(
        label,
        "label is \"cache-0001.example:11211\" of node \"cache-0001.example:11211\", 24 bytes, but \
         must be at most 21 bytes long, which is what libketama holds"
    );
    let many = |count: usize| (0..count).map(|i| Node::new(format!("10.0.0.{i}:1")));
    assert_eq!(
        refusal("libketama", many(118)),
        "nodes is 118, but must be at most 117, which is what libketama holds"
    );
    assert_eq!(
        refusal("libmemcached", many(101)),
        "nodes is 101, but must be at most 100, which is what libmemcached holds"
    );
    let heavy = refusal("haproxy", [Node::new("a").weighing(257)]);
    assert_eq!(
        heavy,
        "weight is 257 for node \"a\", but must be at most 256, which is what haproxy holds"
    );
}

#[test]
fn a_name_that_a_program_has_but_once_is_refused_with_both_nodes() {
    let id = |node: &str| Node::new(node).with(Attribute::ServerId, "7");
    assert_eq!(
        refusal("haproxy", [id("a"), id("b")]),
        "server_id is \"7\" in nodes \"a\" and \"b\", but must be that of one node, as haproxy \
         has it"
    );
    let alias = |node: &str| Node::new(node).with(Attribute::Alias, "x");
    let told = refusal("twemproxy-modula", [alias("a"), alias("b")]);
    assert!(told.starts_with("alias is \"x\" in nodes \"a\" and \"b\""), "{told}");
}

#[test]
fn two_nodes_of_one_label_are_refused_where_it_is_hashed() {
    let on = |id: &str| Node::new(id).with(Attribute::Host, "10.0.1.1").with(Attribute::Port, "1");
    for preset in ["libketama", "nginx", "envoy", "envoy-maglev", "npm-hashring", "libmemcached"] {
        assert_eq!(
            refusal(preset, [on("a"), on("b")]).replace("\\0", ":"),
            format!(
                "label is \"10.0.1.1:1\" in nodes \"a\" and \"b\", but must be that of one node, as \
                 {preset} has it"
            )
        );
    }
    let key = |id: &str| Node::new(id).with(Attribute::HashKey, "5");
    let told = refusal("katran-v1", [key("a"), key("b")]);
    assert!(told.starts_with("hash_key is \"5\" in nodes \"a\" and \"b\""), "{told}");
    // Where only the order counts a label says nothing.
    let alike = ["a", "b"].map(|id| Node::new(id).with(Attribute::Label, "x"));
    let members = Members::new(alike).unwrap();
    assert!(Preset::by_name("kafka").unwrap().build(&members).is_ok());
}

#[test]
fn a_port_is_one_and_a_host_has_no_nul() {
    for (port, preset) in [("70000", "libketama"), ("http", "nginx"), ("080", "libmemcached")] {
        let node = Node::new("a").with(Attribute::Host, "h").with(Attribute::Port, port);
        assert_eq!(
            refusal(preset, [node]),
            format!(
                "port is {port:?} in node \"a\", but must be a whole number from 0 to 65535 for \
                 {preset}"
            )
        );
    }
    // It would end the text in these programs, and nginx has one before the port.
    let told = refusal("nginx", [Node::new("h\0:1")]);
    assert!(told.starts_with("host is \"h\\0\" in node \"h\\0:1\", but must be"), "{told}");
    let told = refusal("libmemcached", [Node::new("h:99999")]);
    assert!(told.starts_with("port is \"99999\" in node \"h:99999\""), "{told}");
}

#[test]
fn what_is_empty_is_not_given() {
    let empty = |preset, attribute| refusal(preset, [Node::new("a:1").with(attribute, "")]);
    for (preset, attribute) in [
        ("libmemcached", Attribute::Host),
        ("libmemcached", Attribute::Port),
        ("twemproxy", Attribute::Alias),
        ("envoy", Attribute::HashKey),
        ("haproxy", Attribute::ServerId),
        ("uhashring", Attribute::Label),
    ] {
        let name = attribute.name();
        assert_eq!(
            empty(preset, attribute),
            format!(
                "{name} is \"\" in node \"a:1\", but must be a text that is not empty for {preset}"
            )
        );
    }
    for tokens in ["", " , "] {
        let node = Node::new("a").with(Attribute::Tokens, tokens);
        let told = refusal("cassandra", [node]);
        assert!(told.starts_with("tokens is missing in node \"a\", but must be given"), "{told}");
    }
}

#[test]
fn a_token_of_two_nodes_is_refused() {
    let at = |id: &str, tokens: &str| Node::new(id).with(Attribute::Tokens, tokens);
    assert_eq!(
        refusal("cassandra", [at("a", "1 5"), at("b", "7 5")]),
        "tokens is 5 in nodes \"a\" and \"b\", but must be each that of one node"
    );
    // A position is a token in units of 2^63: both are 0.
    let told = refusal("cassandra-random", [at("a", "0"), at("b", "7")]);
    assert!(told.starts_with("tokens is 0 and 7, less than 2^63 apart, in nodes"), "{told}");
}

#[test]
fn a_server_id_is_a_positive_number() {
    // The keyword id of a server in HAProxy, which has it as a signed number of 32 bits.
    for id in ["0", "2147483648", "007", "+1"] {
        let told = refusal("haproxy", [Node::new("a").with(Attribute::ServerId, id)]);
        assert_eq!(
            told,
            format!(
                "server_id is {id:?} in node \"a\", but must be a whole number from 1 to \
                 2147483647 for haproxy"
            )
        );
    }
}

#[test]
fn a_limit_holds_for_changes_too() {
    let preset = Preset::by_name("libketama").unwrap();
    let members = Members::named(["10.0.0.1:1"]).unwrap();
    let mut layout = preset.build(&members).unwrap();
    let before = layout.fingerprint();
    let many = (0..117).map(|i| Change::Add(Node::new(format!("10.0.1.{i}:1"))));
    let error = layout.apply(&many.collect::<Vec<_>>()).unwrap_err().to_string();
    assert!(error.starts_with("nodes is 118, but must be at most 117"), "{error}");
    let error = layout.apply(&[Change::Add(Node::new("b"))]).unwrap_err().to_string();
    assert!(error.starts_with("port is missing in node \"b\""), "{error}");
    assert_eq!(layout.fingerprint(), before);
}

#[test]
fn a_weight_that_gives_no_points_is_refused() {
    // floor(40 * 2 * 1 / 1001) is 0 digests.
    let nodes = [Node::new("10.0.0.1:1").weighing(1), Node::new("10.0.0.2:1").weighing(1000)];
    let told = refusal("libketama", nodes);
    assert!(told.contains("10.0.0.1:1") && told.contains("no point"), "{told}");
}

#[test]
fn who_asks_for_a_layout_where_there_is_none_is_told_why() {
    let members = Members::named(["a"]).unwrap();
    let error = Preset::by_name("pymemcache").unwrap().build(&members).unwrap_err();
    assert_eq!(
        error.to_string(),
        "pymemcache: hashes key and node together, so that there is no layout"
    );
}

#[test]
fn an_unknown_name_is_told_with_the_nearest() {
    let told = unread("libketma");
    assert!(
        told.starts_with("preset is \"libketma\", but must be libketama, or one of "),
        "{told}"
    );
    assert!(told.contains("haproxy-map-based"), "{told}");
    let told = unread("ketama");
    assert!(told.contains("but must be libketama or libmemcached-ketama"), "{told}");
    assert_eq!(
        unread("redis"),
        "preset is \"redis\", but must be left out: a cluster of Redis or Valkey is the family slots"
    );
    assert!(unread("zzzzzzz").starts_with("preset is \"zzzzzzz\", but must be one of "));
}

#[test]
fn options_are_refused_with_what_they_can_be() {
    assert_eq!(
        unread("twemproxy:hash=mdd5"),
        "hash is \"mdd5\", but must be md5, or one of fnv1a_64, one_at_a_time, md5, crc16, crc32, \
         crc32a, fnv1_64, fnv1_32, fnv1a_32, hsieh, murmur, jenkins"
    );
    assert_eq!(
        unread("twemproxy:hahs=md5"),
        "option is \"hahs\", but must be hash, or one of hash, hash_tag for twemproxy"
    );
    assert_eq!(
        unread("libketama:hash=md5"),
        "option is \"hash\", but must be left out: libketama has no options"
    );
    assert_eq!(unread("twemproxy:hash"), "option is \"hash\", but must be OPTION=VALUE");
    assert_eq!(
        unread("twemproxy:hash=md5,hash=md5"),
        "option is \"hash\" twice, but must be given once"
    );
    assert_eq!(
        unread("groupcache:replicas=0"),
        "replicas is \"0\", but must be a whole number from 1 to 1048576"
    );
    for tag in ["{", "{}}", "éé"] {
        let told = unread(&format!("twemproxy:hash_tag={tag}"));
        let rule = "but must be two bytes, as {}, or nothing";
        assert_eq!(told, format!("hash_tag is {tag:?}, {rule}"));
    }
    assert!(unread("jump:hash=md55").contains("md5"), "{}", unread("jump:hash=md55"));
}

#[test]
fn sizes_are_refused_by_the_names_of_the_program() {
    // The messages of the families have the names of their own parameters.
    let node = || [Node::new("a:1")];
    assert_eq!(
        refusal("envoy:minimum_ring_size=10,maximum_ring_size=5", node()),
        "maximum_ring_size is 5, but must be at least 10, as minimum_ring_size is"
    );
    assert_eq!(
        refusal("grpc:min_ring_size=9,max_ring_size=8", node()),
        "max_ring_size is 8, but must be at least 9, as min_ring_size is"
    );
    assert_eq!(
        unread("katran-v2:ring_size=8"),
        "ring_size is \"8\", but must be a prime from 2 to 2147483647"
    );
    // Envoy's own rule of table_size. The last is a prime.
    let told = "table_size is \"5000077\", but must be a prime from 2 to 5000011";
    assert_eq!(unread("envoy-maglev:table_size=5000077"), told);
    assert!(Preset::parse("envoy-maglev:table_size=5000011").is_ok());
    for text in ["0", "1", "4", "+7", "-7", "", "7.0"] {
        assert!(Preset::parse(&format!("go-maglev:M={text}")).is_err(), "{text}");
    }
}

#[test]
fn no_preset_has_the_article_on_slots() {
    // articles/modbus_crc16.csv: no slot of that program is the cluster's.
    assert!(Preset::by_name("modbus").is_err());
    assert!(homing_compat::PRESETS.iter().all(|entry| {
        entry.family != "slots" && entry.vectors.iter().all(|of| !of.file.contains("modbus"))
    }));
}

#[test]
fn sizes_that_cross_are_told_by_the_options() {
    let told = |preset| refusal(preset, [Node::new("10.0.0.1:1")]);
    assert_eq!(
        told("envoy:minimum_ring_size=2000,maximum_ring_size=1000"),
        "maximum_ring_size is 1000, but must be at least 2000, as minimum_ring_size is"
    );
    assert_eq!(
        told("grpc:min_ring_size=5000"),
        "max_ring_size is 4096, but must be at least 5000, as min_ring_size is"
    );
}

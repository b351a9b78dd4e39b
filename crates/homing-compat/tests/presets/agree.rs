//! Rows of the vectors: what the programs themselves answered.
//!
//! Each has the preset, the nodes in the order of the program, and keys with the places
//! of their owners in that order. The file and the record are behind the preset.

use homing_compat::Preset;
use homing_compat::homing_core::{Attribute, Members, Node, NodeIndex};

type Row = (
    &'static str,
    &'static [(&'static str, u32, &'static [(Attribute, &'static str)])],
    &'static [(&'static str, usize)],
);

const LAYOUTS: &[Row] = &[
    (
        "libketama", // ketama/libketama.jsonl, w123-hosts
        &[("cache-a:11211", 1, &[]), ("cache-b:11212", 2, &[]), ("cache-c:11211", 3, &[])],
        &[("foo", 2), ("bar", 2), ("cache-c:11211-1", 2), ("cache-c:11211-7", 2)],
    ),
    (
        "libmemcached", // ketama/libmemcached.jsonl, eq3
        &[("10.0.1.1:11211", 1, &[]), ("10.0.1.2:11211", 1, &[]), ("10.0.1.3:11211", 1, &[])],
        &[("foo", 2), ("bar", 2), ("10.0.1.3-1", 2), ("10.0.1.3-7", 2)],
    ),
    (
        "libmemcached", // ketama/libmemcached.jsonl, w123-hosts
        &[("cache-a:11211", 1, &[]), ("cache-b:11212", 2, &[]), ("cache-c:11211", 3, &[])],
        &[("foo", 2), ("bar", 1), ("cache-c-1", 2), ("cache-c-7", 2)],
    ),
    (
        "libmemcached-ketama", // ketama/libmemcached.jsonl, eq3
        &[("10.0.1.1:11211", 1, &[]), ("10.0.1.2:11211", 1, &[]), ("10.0.1.3:11211", 1, &[])],
        &[("foo", 2), ("bar", 0), ("10.0.1.3-1", 2), ("10.0.1.3-7", 2)],
    ),
    (
        "libmemcached-ketama", // ketama/libmemcached.jsonl, w123-hosts
        &[("cache-a:11211", 1, &[]), ("cache-b:11212", 2, &[]), ("cache-c:11211", 3, &[])],
        &[("foo", 1), ("bar", 2), ("cache-c-1", 1), ("cache-c-7", 0)],
    ),
    (
        "libmemcached-ketama-spy", // ketama/libmemcached.jsonl, eq3
        &[("10.0.1.1:11211", 1, &[]), ("10.0.1.2:11211", 1, &[]), ("10.0.1.3:11211", 1, &[])],
        &[("foo", 1), ("bar", 1), ("/10.0.1.3:11211-1", 2), ("/10.0.1.3:11211-7", 2)],
    ),
    (
        "spymemcached", // ketama/spymemcached.jsonl, w123-hosts
        &[
            (
                "cache-a",
                1,
                &[
                    (Attribute::Host, "10.9.8.1"),
                    (Attribute::Port, "11211"),
                    (Attribute::Alias, "cache-a"),
                ],
            ),
            (
                "cache-b",
                2,
                &[
                    (Attribute::Host, "10.9.8.2"),
                    (Attribute::Port, "11212"),
                    (Attribute::Alias, "cache-b"),
                ],
            ),
            (
                "cache-c",
                3,
                &[
                    (Attribute::Host, "10.9.8.3"),
                    (Attribute::Port, "11211"),
                    (Attribute::Alias, "cache-c"),
                ],
            ),
        ],
        &[("foo", 0), ("bar", 1), ("cache-c:11211-1", 2), ("cache-c:11211-7", 2)],
    ),
    (
        "spymemcached-libmemcached", // ketama/spymemcached.jsonl, w123-hosts
        &[("cache-a:11211", 1, &[]), ("cache-b:11212", 2, &[]), ("cache-c:11211", 3, &[])],
        &[("foo", 2), ("bar", 1), ("cache-c-1", 2), ("cache-c-7", 2)],
    ),
    (
        "uhashring", // ketama/uhashring.jsonl, eq3
        &[("10.0.1.1:11211", 1, &[]), ("10.0.1.2:11211", 1, &[]), ("10.0.1.3:11211", 1, &[])],
        &[("foo", 1), ("bar", 0), ("10.0.1.3:11211-1", 0), ("10.0.1.3:11211-7", 2)],
    ),
    (
        "npm-hashring:default_port=11211", // ketama/npm-hashring.jsonl, eq7
        &[
            ("10.0.7.1:11211", 1, &[]),
            ("10.0.7.2:11211", 1, &[]),
            ("10.0.7.3:11211", 1, &[]),
            ("10.0.7.4:11211", 1, &[]),
            ("10.0.7.5:11211", 1, &[]),
            ("10.0.7.6:11211", 1, &[]),
            ("10.0.7.7:11211", 1, &[]),
        ],
        &[("foo", 4), ("bar", 3), ("10.0.7.4:11211-1", 6), ("10.0.7.4:11211-7", 3)],
    ),
    (
        "pypi-hashring", // ketama/pypi-hashring.jsonl, eq3
        &[("10.0.1.1:11211", 1, &[]), ("10.0.1.2:11211", 1, &[]), ("10.0.1.3:11211", 1, &[])],
        &[("foo", 1), ("bar", 0), ("10.0.1.3:11211-1", 2), ("10.0.1.3:11211-7", 1)],
    ),
    (
        "twemproxy:hash_tag={}", // ketama/twemproxy.jsonl, alias-weighted
        &[
            ("alpha", 1, &[(Attribute::Alias, "alpha")]),
            ("beta", 2, &[(Attribute::Alias, "beta")]),
            ("gamma", 3, &[(Attribute::Alias, "gamma")]),
            ("delta", 1, &[(Attribute::Alias, "delta")]),
        ],
        &[("foo", 2), ("bar", 3), ("{", 2), ("{}", 1)],
    ),
    (
        "twemproxy-modula:hash=murmur", // ketama/twemproxy.jsonl, alias-weighted
        &[
            ("alpha", 1, &[(Attribute::Alias, "alpha")]),
            ("beta", 2, &[(Attribute::Alias, "beta")]),
            ("gamma", 3, &[(Attribute::Alias, "gamma")]),
            ("delta", 1, &[(Attribute::Alias, "delta")]),
        ],
        &[("foo", 2), ("bar", 1), ("de11cc9dea959c21", 2), ("&", 2)],
    ),
    (
        "nginx", // nginx/nginx_hash.jsonl, w123
        &[("127.0.0.1:26001", 1, &[]), ("127.0.0.1:26002", 2, &[]), ("127.0.0.1:26003", 3, &[])],
        &[("foo", 2), ("bar", 0), ("y1017412", 0), ("y1025049", 0)],
    ),
    (
        "nginx-modulo", // nginx/nginx_hash.jsonl, w123
        &[("127.0.0.1:26001", 1, &[]), ("127.0.0.1:26002", 2, &[]), ("127.0.0.1:26003", 3, &[])],
        &[("foo", 1), ("bar", 1), ("de11cc9dea959c21", 1), ("U7", 1)],
    ),
    (
        "haproxy", // haproxy/haproxy_hash.jsonl, ids
        &[
            ("x", 4, &[(Attribute::ServerId, "77")]),
            ("y", 4, &[(Attribute::ServerId, "5")]),
            ("z", 8, &[(Attribute::ServerId, "1001")]),
        ],
        &[("foo", 1), ("bar", 0), ("o9681939", 2), ("o62663069", 0)],
    ),
    (
        "haproxy-map-based", // haproxy/haproxy_hash.jsonl, ids
        &[
            ("x", 4, &[(Attribute::ServerId, "77")]),
            ("y", 4, &[(Attribute::ServerId, "5")]),
            ("z", 8, &[(Attribute::ServerId, "1001")]),
        ],
        &[("foo", 1), ("bar", 2), ("2e9c82b1478c281d", 2), ("de11cc9dea959c21", 2)],
    ),
    (
        "envoy:minimum_ring_size=12", // envoy/ring_hash.jsonl, eq3-min12
        &[("127.0.0.1:26001", 1, &[]), ("127.0.0.1:26002", 1, &[]), ("127.0.0.1:26003", 1, &[])],
        &[("foo", 0), ("bar", 0), ("127.0.0.1:26003_2", 2), ("127.0.0.1:26003_3", 2)],
    ),
    (
        "envoy-maglev:table_size=7", // envoy/maglev.jsonl, eq3-m7
        &[("127.0.0.1:26001", 1, &[]), ("127.0.0.1:26002", 1, &[]), ("127.0.0.1:26003", 1, &[])],
        &[("foo", 2), ("bar", 1), ("c", 0), ("G", 0)],
    ),
    (
        "grpc:min_ring_size=7,max_ring_size=7", // ring/other_rings.jsonl, 7 points
        &[("a:1", 3, &[]), ("b:2", 3, &[]), ("c:3", 4, &[])],
        &[("foo", 2), ("bar", 1), ("c:3_0", 2), ("c:3_1", 2)],
    ),
    (
        "serialx-hashring", // ring/other_rings.jsonl, the first
        &[("a", 1, &[]), ("b", 1, &[]), ("c", 1, &[])],
        &[("foo", 0), ("bar", 2), ("c-0", 1), ("c-1", 1)],
    ),
    (
        "conhash", // ring/other_rings.jsonl, the first
        &[("host1:80", 1, &[]), ("host2:80", 1, &[]), ("host3:80", 1, &[])],
        &[("foo", 0), ("bar", 1), ("host3:80:0", 2), ("host3:80:1", 2)],
    ),
    (
        "groupcache", // ring/go_crc32_rings.jsonl, the first
        &[("a", 1, &[]), ("b", 1, &[]), ("c", 1, &[])],
        &[("foo", 1), ("bar", 1), ("1c", 2), ("2c", 2)],
    ),
    (
        "stathat:replicas=50", // ring/go_crc32_rings.jsonl, the first
        &[("a", 1, &[]), ("b", 1, &[]), ("c", 1, &[])],
        &[("foo", 1), ("bar", 1), ("1c", 0), ("2c", 2)],
    ),
    (
        "stathat-fnv:replicas=50", // ring/go_crc32_rings.jsonl, the first
        &[("a", 1, &[]), ("b", 1, &[]), ("c", 1, &[])],
        &[("foo", 0), ("bar", 1), ("1c", 1), ("2c", 0)],
    ),
    (
        "crate-maglev", // maglev/crate_maglev.jsonl, the first
        &[
            ("Monday", 1, &[]),
            ("Tuesday", 1, &[]),
            ("Wednesday", 1, &[]),
            ("Thursday", 1, &[]),
            ("Friday", 1, &[]),
            ("Saturday", 1, &[]),
            ("Sunday", 1, &[]),
        ],
        &[("foo", 6), ("bar", 6), ("2e9c82b1478c281d", 4), ("de11cc9dea959c21", 0)],
    ),
    (
        "hrw-hash", // hrw/hrw.jsonl, with capacities
        &[("alpha", 1, &[]), ("beta", 2, &[]), ("gamma", 3, &[]), ("delta", 4, &[])],
        &[("foo", 3), ("bar", 3), ("2e9c82b1478c281d", 3), ("de11cc9dea959c21", 3)],
    ),
    (
        "go-redis", // hrw/hrw.jsonl, the first
        &[
            ("node-0", 1, &[]),
            ("node-1", 1, &[]),
            ("node-2", 1, &[]),
            ("node-3", 1, &[]),
            ("node-4", 1, &[]),
        ],
        &[("foo", 4), ("bar", 1), ("2e9c82b1478c281d", 3), ("de11cc9dea959c21", 2)],
    ),
    (
        "libmemcached-modula:hash=jenkins", // modulo/modulo.jsonl, of 3
        &[("m0", 1, &[]), ("m1", 1, &[]), ("m2", 1, &[])],
        &[("foo", 0), ("bar", 1), ("de11cc9dea959c21", 1), ("u|", 1)],
    ),
    (
        "python-memcached", // modulo/modulo.jsonl, weighted
        &[("127.0.0.1:11211", 1, &[]), ("127.0.0.2:11211", 3, &[])],
        &[("foo", 1), ("bar", 1), ("de11cc9dea959c21", 1), ("u|", 1)],
    ),
    (
        "kafka", // modulo/modulo.jsonl, of 3
        &[("p0", 1, &[]), ("p1", 1, &[]), ("p2", 1, &[])],
        &[("foo", 2), ("bar", 0), ("de11cc9dea959c21", 1), ("u|", 2)],
    ),
    (
        "librdkafka-consistent", // modulo/modulo.jsonl, of 3
        &[("p0", 1, &[]), ("p1", 1, &[]), ("p2", 1, &[])],
        &[("foo", 2), ("bar", 2), ("de11cc9dea959c21", 2), ("u|", 1)],
    ),
    (
        "librdkafka-fnv1a", // modulo/modulo.jsonl, of 3
        &[("p0", 1, &[]), ("p1", 1, &[]), ("p2", 1, &[])],
        &[("foo", 1), ("bar", 2), ("de11cc9dea959c21", 0), ("u|", 0)],
    ),
];

const APART: &[Row] = &[
    (
        "rendezvous_hash", // hrw/hrw.jsonl, the first
        &[
            ("node-0", 1, &[]),
            ("node-1", 1, &[]),
            ("node-2", 1, &[]),
            ("node-3", 1, &[]),
            ("node-4", 1, &[]),
        ],
        &[("foo", 1), ("bar", 0), ("2e9c82b1478c281d", 4), ("de11cc9dea959c21", 3)],
    ),
    (
        "clandestined:seed=10", // hrw/hrw.jsonl, the first
        &[
            ("node-0", 1, &[]),
            ("node-1", 1, &[]),
            ("node-2", 1, &[]),
            ("node-3", 1, &[]),
            ("node-4", 1, &[]),
        ],
        &[("foo", 1), ("bar", 0), ("2e9c82b1478c281d", 0), ("de11cc9dea959c21", 1)],
    ),
    (
        "pymemcache:seed=10", // hrw/hrw.jsonl, the first
        &[
            ("node-0", 1, &[]),
            ("node-1", 1, &[]),
            ("node-2", 1, &[]),
            ("node-3", 1, &[]),
            ("node-4", 1, &[]),
        ],
        &[("foo", 1), ("bar", 0), ("2e9c82b1478c281d", 0), ("de11cc9dea959c21", 1)],
    ),
    (
        "pypi-hrw", // hrw/hrw.jsonl, the first
        &[
            ("node-0", 1, &[]),
            ("node-1", 1, &[]),
            ("node-2", 1, &[]),
            ("node-3", 1, &[]),
            ("node-4", 1, &[]),
        ],
        &[("foo", 2), ("bar", 0), ("2e9c82b1478c281d", 2), ("de11cc9dea959c21", 2)],
    ),
    (
        "buraksezer-consistent:PartitionCount=23,ReplicationFactor=5,Load=1.1", // ring/other_rings.jsonl, 23 partitions
        &[("m1", 1, &[]), ("m2", 1, &[]), ("m3", 1, &[])],
        &[("foo", 0), ("bar", 1), ("2e9c82b1478c281d", 0), ("de11cc9dea959c21", 2)],
    ),
];

fn members(row: &Row) -> Members {
    let node = |&(id, weight, attributes): &(&str, u32, &[(Attribute, &str)])| {
        let node = Node::new(id).weighing(weight);
        attributes.iter().fold(node, |node, &(attribute, text)| node.with(attribute, text))
    };
    Members::new(row.1.iter().map(node)).unwrap()
}

#[test]
fn layouts_agree_with_the_programs_they_are_named_for() {
    for row in LAYOUTS {
        let layout = Preset::parse(row.0).unwrap().build(&members(row)).unwrap();
        for &(key, owner) in row.2 {
            let ours = layout.owner_at(layout.position(key.as_bytes())).map(NodeIndex::get);
            assert_eq!(ours, Some(owner), "{} {key:?}", row.0);
        }
    }
}

#[test]
fn what_no_family_is_agrees_with_the_programs_it_is_named_for() {
    for row in APART {
        let preset = Preset::parse(row.0).unwrap();
        let apart = preset.apart(&members(row)).unwrap().unwrap();
        for &(key, owner) in row.2 {
            let ours = apart.order(key.as_bytes(), 1).unwrap();
            assert_eq!(ours[0].get(), owner, "{} {key:?}", row.0);
        }
        assert!(preset.build(&members(row)).is_err());
    }
}

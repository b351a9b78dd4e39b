//! Where the text, the order or the weight of a node parts systems.

use std::fmt::Write as _;

use homing_core::{Attribute, Node, Placement};

use super::example::{keys, parting, record, system};
use crate::answers::table_of;
use crate::record::Column;
use crate::{ketama, system as by_name, twemproxy};

pub(super) const SECTIONS: &[fn() -> String] = &[labels, weights, order, turns, alphabet];

const HASHED: [Column; 3] = [Column::Hash, Column::Owner, Column::Order];

fn labels() -> String {
    let record = record("ketama/libketama.jsonl", &[("config", "eq3")]);
    let nodes = || ketama::nodes(&record);
    let systems = [
        system("libketama", nodes()),
        system("libmemcached", nodes()),
        system("libmemcached-ketama-spy", nodes()),
    ];
    format!(
        "### What of a server is hashed\n\n\
         libketama hashes `host:port-0`, libmemcached and twemproxy leave out port 11211, \
         libmemcached's SPY mode puts a slash before it, spymemcached hashes what Java prints of \
         a resolved address. For three servers on port 11211 they {}",
        parting(&systems, &keys(&record, &HASHED))
    )
}

fn weights() -> String {
    let record = record("ketama/libmemcached.jsonl", &[("config", "w123-hosts")]);
    let nodes = || ketama::nodes(&record);
    let systems = [system("libmemcached", nodes()), system("libmemcached-ketama", nodes())];
    format!(
        "### A weight that changes the hash\n\n\
         libmemcached's ketama without weights has 100 points a server by one-at-a-time, and \
         hashes keys with it. As soon as one server weighs more than 1 its points become those \
         of the weighted mode, by MD5, while keys are hashed as before. So the two modes share a \
         ring, and {}",
        parting(&systems, &keys(&record, &HASHED))
    )
}

fn order() -> String {
    let record = record(
        "ketama/twemproxy.jsonl",
        &[("config", "alias-weighted"), ("params/distribution", "modula")],
    );
    // The other takes no weights.
    let even = |node: Node| node.weighing(1);
    let nodes = || twemproxy::nodes(&record).into_iter().map(even).collect();
    let sorted = system("twemproxy-modula:hash=fnv1a_64", nodes());
    let listed = system("libmemcached-modula:hash=fnv1a_64", nodes());
    format!(
        "### The order of a list\n\n\
         A remainder indexes a list, so its order decides everything. libmemcached takes the order \
         of the configuration and no weights; twemproxy sorts its servers by the length of \
         their names, then by the names, and has each as often as it weighs. With equal weights they {}",
        parting(&[listed, sorted], &keys(&record, &[Column::Owner]))
    )
}

// How many entries of a table each node has, in the order in which they were given.
fn shares(preset: &str, nodes: Vec<Node>) -> Vec<String> {
    let count = nodes.len();
    let layout = by_name::layout(preset, nodes, &preset);
    let table = table_of(&*layout);
    let entries = |place| table.iter().filter(|&&owner| owner == place).count();
    (0..count).map(|place| entries(place).to_string()).collect()
}

fn turns() -> String {
    let nodes = || -> Vec<Node> {
        let weighed = [("a", 100), ("b", 50), ("c", 1)];
        weighed.map(|(id, weight)| Node::new(id).weighing(weight)).into()
    };
    let numbered = || -> Vec<Node> {
        let number = |(place, node): (usize, Node)| {
            node.with(Attribute::HashKey, &(111 * (place + 1)).to_string())
        };
        nodes().into_iter().enumerate().map(number).collect()
    };
    let mut rows = String::new();
    for (preset, nodes) in [
        ("katran-v1:ring_size=257", numbered()),
        ("katran-v2:ring_size=257", numbered()),
        ("envoy-maglev:table_size=257", addressed(nodes())),
    ] {
        let name = preset.split(':').next().unwrap_or(preset);
        let _ = writeln!(rows, "| `{name}` | {} |", shares(preset, nodes).join(" | "));
    }
    let six: Vec<Node> = (0..6).map(|i| Node::new(format!("node-{i}"))).collect();
    let sizes = [5, 6].map(|n| {
        let built = by_name::layout("crate-maglev", six[..n].to_vec(), &"crate-maglev");
        built.max_position() + 1
    });
    format!(
        "### Turns of a Maglev table\n\n\
         The paper leaves weights open, and each fills its own permutations, so no two tables \
         are alike. katran's first version gives a node its weight in turns in the first round \
         only, its second version in each round; Envoy by running products. Entries of 257 for \
         weights of 100, 50 and 1:\n\n\
         | preset | 100 | 50 | 1 |\n|---|--:|--:|--:|\n{rows}\n\
         The `maglev` package of crates.io takes the next prime from 100 entries a node on, so \
         that a sixth node turns a table of {} entries into one of {}, and nearly every key \
         moves.\n",
        sizes[0], sizes[1]
    )
}

// The nodes with an address, which is hashed.
fn addressed(nodes: Vec<Node>) -> Vec<Node> {
    let address = |(i, node): (usize, Node)| {
        node.with(Attribute::Host, "10.0.0.1").with(Attribute::Port, &(8000 + i).to_string())
    };
    nodes.into_iter().enumerate().map(address).collect()
}

fn alphabet() -> String {
    let names = ["10.0.0.9:80", "10.0.0.10:80", "10.0.0.11:80"];
    let nodes = || names.map(Node::new).to_vec();
    let reversed = || nodes().into_iter().rev().collect();
    let ours = ["envoy-maglev:table_size=31", "go-maglev:M=31"].map(|preset| {
        let [one, other] =
            [nodes(), reversed()].map(|nodes| by_name::layout(preset, nodes, &preset));
        let entries = 0..=one.max_position();
        let moved = entries.filter(|&entry| owner_at(&*one, entry) != owner_at(&*other, entry));
        moved.count()
    });
    format!(
        "### The order of a configuration\n\n\
         Envoy sorts hosts by label before it fills a table, go-maglev and katran take them as \
         they come: of 31 entries for three nodes {} change their owner when the configuration \
         lists the nodes the other way round with Envoy, and {} with go-maglev. nginx and \
         HAProxy (with ids given) do not go by the order; groupcache and stathat only where \
         points coincide; lists, jump and Guava by nothing else.\n",
        ours[0], ours[1]
    )
}

fn owner_at(layout: &dyn Placement, entry: u64) -> Option<String> {
    layout.owner_at(entry).map(|index| layout.node(index).id.to_string())
}

//! Where rings part: the boundary, the number of points, the order of sums and ties.

use std::fmt::Write as _;

use homing_core::{Attribute, Node, Placement as _};
use homing_ring::Ring;

use super::example::{count, keys, parting, record, shown, system};
use crate::answers::{place, points_of};
use crate::record::{Column, Record};
use crate::{haproxy, ketama, rings, system as by_name};

pub(super) const SECTIONS: &[fn() -> String] = &[boundary, nearest, rounding, sums, ties];

const HASHED: [Column; 3] = [Column::Hash, Column::Owner, Column::Order];

fn eq3() -> Record {
    record("ketama/libketama.jsonl", &[("config", "eq3")])
}

fn boundary() -> String {
    let record = eq3();
    let nodes = || ketama::nodes(&record);
    let systems = [system("libketama", nodes()), system("uhashring", nodes())];
    let go = self::record("ring/go_crc32_rings.jsonl", &[("system", "stathat")]);
    let replicas: u32 = go.field("replicas");
    let named = || rings::named(&go, "nodes");
    let go_systems = [
        system(&format!("groupcache:replicas={replicas}"), named()),
        system(&format!("stathat:replicas={replicas}"), named()),
    ];
    format!(
        "### A key on a point\n\n\
         Most rings give a position to the first point at or after it; `uhashring`, \
         `pypi-hashring`, `stathat` and `serialx-hashring` to the first point after it. A key \
         whose hash is a point then goes to the next node, and every other key stays, so no test \
         with a thousand keys tells them apart.\n\n\
         `libketama` and `uhashring` have the same points for three equal servers. They {}\n\
         So have `groupcache` and `stathat`, which both put the number of the copy before the \
         name. They {}",
        parting(&systems, &keys(&record, &HASHED)),
        parting(&go_systems, &keys(&go, &HASHED))
    )
}

// The point at or after a position, and the one before it, with their owners.
fn around(ring: &Ring, position: u64) -> ((u64, usize), (u64, usize)) {
    let points = points_of(ring);
    let next = points.partition_point(|&(point, _)| point < position) % points.len();
    (points[(next + points.len() - 1) % points.len()], points[next])
}

fn nearest() -> String {
    let record =
        record("haproxy/haproxy_hash.jsonl", &[("config", "eq3"), ("hash_type", "consistent")]);
    let ring = by_name::ring("haproxy", haproxy::nodes(&record), &"haproxy");
    let name = |place: usize| ring.members().iter().nth(place).map(|(_, node)| node.id.clone());
    let mut rows = String::new();
    let mut parted = 0;
    let keys = keys(&record, &HASHED);
    for key in &keys {
        let position = ring.position(key);
        let ((before, its), (after, next)) = around(&ring, position);
        let owner = place(ring.owner_at(position));
        if owner == next {
            continue;
        }
        parted += 1;
        if parted <= 2 {
            let [its, next, owner] =
                [its, next, owner].map(|place| name(place).expect("it is a member"));
            let key = shown(key);
            let _ = writeln!(
                rows,
                "| {key} | {position} | {before} of {its} | {after} of {next} | {owner} |"
            );
        }
    }
    format!(
        "### A territory around a point\n\n\
         With `hash-type consistent` HAProxy takes the nearer of the points on both sides, and of \
         two that are as near the one before. Of {} recorded keys {} belong to another node than \
         the first point at or after them:\n\n\
         | key | hash | point before | point at or after | owner |\n|---|--:|---|---|---|\n{rows}",
        count(keys.len()),
        count(parted)
    )
}

// `n` servers of equal weight.
fn equal(n: usize) -> Vec<Node> {
    let host = |i| format!("10.0.{n}.{i}");
    (1..=n)
        .map(|i| {
            Node::new(format!("{}:11211", host(i)))
                .with(Attribute::Host, &host(i))
                .with(Attribute::Port, "11211")
        })
        .collect()
}

// The numbers of equal servers at which each has four points less than 160.
fn losing(preset: &str, most: usize) -> Vec<String> {
    let few = |n: &usize| {
        // Points that coincide are few: less than two a server.
        by_name::ring(preset, equal(*n), &preset).points().count() < 158 * n
    };
    (1..=most).filter(few).map(|n| n.to_string()).collect()
}

fn rounding() -> String {
    let systems =
        [("libketama", 117), ("libmemcached", 100), ("npm-hashring", 112), ("uhashring", 112)];
    let mut rows = String::new();
    for (preset, most) in systems {
        let losing = losing(preset, most);
        let losing = if losing.is_empty() { "none".to_owned() } else { losing.join(", ") };
        let _ = writeln!(rows, "| `{preset}` | {most} | {losing} |");
    }
    let record = record("ketama/npm-hashring.jsonl", &[("config", "eq7")]);
    let nodes = || ketama::nodes(&record);
    let systems = [system("libketama", nodes()), system("npm-hashring", nodes())];
    format!(
        "### How many points\n\n\
         A server of weight w of n servers that weigh W together has the floor of 40 n w / W \
         digests, four points each. For equal servers that is 40, unless what is computed is a \
         little less: libketama divides in 32 bits and multiplies in 64, libmemcached and \
         twemproxy compute in 32 bits and add 10^-10, the npm package computes in 64 bits, and \
         uhashring in integers. The numbers of equal servers at which all have 156 points in \
         place of 160:\n\n\
         | preset | looked at up to | numbers of servers |\n|---|--:|---|\n{rows}\n\
         With seven servers they {}",
        parting(&systems, &keys(&record, &HASHED))
    )
}

fn sums() -> String {
    let record = record("ring/other_rings.jsonl", &[("endpoints/0", "z:1")]);
    let least: u64 = record.field("min_ring_size");
    let most: u64 = record.field("max_ring_size");
    let nodes = || rings::weighed(&record, "endpoints", "weights");
    let sizes = |name: &str| match name {
        "envoy" => format!("envoy:minimum_ring_size={least},maximum_ring_size={most}"),
        name => format!("{name}:min_ring_size={least},max_ring_size={most}"),
    };
    let systems = [system(&sizes("envoy"), nodes()), system(&sizes("grpc"), nodes())];
    let ids: Vec<String> = nodes().iter().map(|node| node.id.to_string()).collect();
    format!(
        "### In which order fractions add up\n\n\
         Envoy and gRPC give each host its fraction of a ring's size by running sums, Envoy in the \
         order of the configuration, gRPC in the order of the labels. Where a host is due a \
         fraction of a point, that decides who gets the whole one. With {} points over {} they {}",
        count(usize::try_from(most).unwrap_or_default()),
        ids.join(", "),
        parting(&systems, &keys(&record, &HASHED))
    )
}

fn ties() -> String {
    let record = record("ring/go_crc32_rings.jsonl", &[("nodes/0", "1"), ("nodes/1", "11")]);
    let preset = format!("groupcache:replicas={}", record.field::<u32>("replicas"));
    let mut reversed = rings::named(&record, "nodes");
    reversed.reverse();
    let ring = by_name::ring(&preset, rings::named(&record, "nodes"), &preset);
    let other = by_name::ring(&preset, reversed, &preset);
    // Keys that are texts of points: the number of the copy, then the name.
    let labels = (0..record.field::<u32>("replicas")).map(|i| format!("{i}11"));
    let owner = |ring: &Ring, key: &str| ring.owner(key.as_bytes()).map(|node| node.id.clone());
    let mut rows = String::new();
    for key in labels.filter(|key| owner(&ring, key) != owner(&other, key)) {
        let owners = [&ring, &other].map(|ring| owner(ring, &key).expect("every key has an owner"));
        let hash = ring.position(key.as_bytes());
        let _ = writeln!(rows, "| `{key}` | {hash} | {} | {} |", owners[0], owners[1]);
    }
    assert!(!rows.is_empty(), "no key is on a point that two nodes draw");
    format!(
        "### Whose point it is where two coincide\n\n\
         The least id in ours, the first server of the list in libmemcached, the last that was \
         added in groupcache: there two processes that add the same nodes in another order place \
         keys differently. groupcache makes that easy, because `1` before `11` and `11` before `1` \
         read the same:\n\n\
         | key | hash | `1` added first | `11` added first |\n|---|--:|---|---|\n{rows}"
    )
}

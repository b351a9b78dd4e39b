//! What it costs to find the owner of a key: one key, a batch, a batch through
//! `dyn`, a batch of positions, and lookups that wait for each other; and what the
//! ring as other programs have it costs beside the default one.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use homing_benches::{BATCH, Layout, SIZES, SUBJECTS, keys, rings};
use homing_core::{NodeIndex, Placement};

/// Looks keys up in a layout.
type Pass<'a> = &'a dyn Fn(&dyn Layout, &[&[u8]]) -> usize;

/// `ring/one/1000` and on, each a pass over all keys.
fn lookup(c: &mut Criterion) {
    let keys = keys();
    let keys: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
    for subject in &SUBJECTS {
        let mut group = c.benchmark_group(subject.name);
        group.throughput(Throughput::Elements(keys.len() as u64));
        for nodes in SIZES {
            let layout = subject.build(nodes);
            let mut bench = |what: &str, pass: Pass| {
                group.bench_function(BenchmarkId::new(what, nodes), |b| {
                    b.iter(|| pass(black_box(&*layout), black_box(&keys)));
                });
            };
            bench("one", &|layout, keys| layout.one(keys));
            bench("batch", &|layout, keys| layout.batches(keys));
            bench("latency", &|layout, keys| layout.in_turn(keys));
            for batch in [64, BATCH] {
                let name = format!("latency-{batch}");
                bench(&name, &|layout, keys| layout.batches_in_turn(keys, batch));
            }
            let mut owners = vec![None; BATCH];
            let placement = layout.as_placement();
            group.bench_function(BenchmarkId::new("dyn", nodes), |b| {
                b.iter(|| {
                    for keys in black_box(&keys).chunks(BATCH) {
                        black_box(placement).owners(keys, &mut owners[..keys.len()]);
                        black_box(&owners);
                    }
                });
            });
            let positions: Vec<u64> = keys.iter().map(|key| placement.position(key)).collect();
            group.bench_function(BenchmarkId::new("positions", nodes), |b| {
                b.iter(|| {
                    for positions in black_box(&positions).chunks(BATCH) {
                        black_box(placement).owners_at(positions, &mut owners[..positions.len()]);
                        black_box(&owners);
                    }
                });
            });
        }
    }
}

/// `ring/compat-after/1000` and on: positions in batches, and `-one` one by one, in
/// rings with as many points. The hash of the keys is not in it.
fn compat(c: &mut Criterion) {
    let keys = keys();
    let mut group = c.benchmark_group("ring");
    group.throughput(Throughput::Elements(keys.len() as u64));
    for nodes in SIZES {
        for (name, ring) in rings(nodes) {
            let positions: Vec<u64> = keys.iter().map(|key| ring.position(key)).collect();
            let mut owners = vec![None; BATCH];
            group.bench_function(BenchmarkId::new(format!("compat-{name}"), nodes), |b| {
                b.iter(|| {
                    for positions in black_box(&positions).chunks(BATCH) {
                        black_box(&ring).owners_at(positions, &mut owners[..positions.len()]);
                        black_box(&owners);
                    }
                });
            });
            group.bench_function(BenchmarkId::new(format!("compat-{name}-one"), nodes), |b| {
                b.iter(|| {
                    let (ring, positions) = (black_box(&ring), black_box(&positions));
                    let owners = positions.iter().map(|&position| ring.owner_at(position));
                    owners.flatten().map(NodeIndex::get).sum::<usize>()
                });
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = homing_benches::criterion();
    targets = lookup, compat
}
criterion_main!(benches);

//! What it costs to find the owner of a key: one key, a batch, and a batch of
//! positions, that is without the hash.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use homing_benches::{Layout, SIZES, keys, layouts};

fn lookup(c: &mut Criterion) {
    let keys = keys();
    let keys: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
    for nodes in SIZES {
        for layout in layouts(nodes) {
            of_layout(c, &layout, nodes, &keys);
        }
    }
}

/// `lookup/ring/1000/one`, `.../batch` and `.../positions`.
fn of_layout(c: &mut Criterion, layout: &Layout, nodes: usize, keys: &[&[u8]]) {
    let placement = &*layout.placement;
    let name = format!("{}/{nodes}", layout.family);
    let mut group = c.benchmark_group("lookup");

    // The same key again and again would find its way in every cache and in the
    // branch predictor.
    let mut turn = keys.iter().cycle();
    group.throughput(Throughput::Elements(1));
    group.bench_function(BenchmarkId::new(&name, "one"), |b| {
        b.iter(|| {
            let key = turn.next().expect("a cycle of some keys has no end");
            let placement = black_box(placement);
            placement.owner_at(placement.position(black_box(key)))
        });
    });

    let mut owners = vec![None; keys.len()];
    group.throughput(Throughput::Elements(keys.len() as u64));
    group.bench_function(BenchmarkId::new(&name, "batch"), |b| {
        b.iter(|| {
            black_box(placement).owners(black_box(keys), &mut owners);
            black_box(&owners);
        });
    });

    let positions: Vec<u64> = keys.iter().map(|key| placement.position(key)).collect();
    group.bench_function(BenchmarkId::new(&name, "positions"), |b| {
        b.iter(|| {
            black_box(placement).owners_at(black_box(&positions), &mut owners);
            black_box(&owners);
        });
    });
}

criterion_group! {
    name = benches;
    config = homing_benches::criterion();
    targets = lookup
}
criterion_main!(benches);

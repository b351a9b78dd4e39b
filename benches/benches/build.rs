//! What it costs to build a layout from a configuration and a membership.

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use homing_benches::{SIZES, members};
use homing_harness::registry::Choice;

/// `build/ring/1000`, the membership being there already.
fn build(c: &mut Criterion) {
    let mut group = c.benchmark_group("build");
    for nodes in SIZES {
        let members = members(nodes);
        group.throughput(Throughput::Elements(nodes as u64));
        for choice in Choice::all() {
            let family = choice.entry.family.name;
            let builder = choice.builder().expect("the defaults of a family are its own");
            if let Err(error) = builder.build(members.clone()) {
                eprintln!("{family}/{nodes} is passed over: {error}");
                continue;
            }
            group.bench_function(BenchmarkId::new(family, nodes), |b| {
                b.iter_batched(
                    || members.clone(),
                    |members| builder.build(black_box(members)),
                    BatchSize::LargeInput,
                );
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = homing_benches::criterion();
    targets = build
}
criterion_main!(benches);

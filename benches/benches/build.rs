//! What it costs to build a layout from a configuration and a membership.

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use homing_benches::{SIZES, SUBJECTS};

/// `ring/build/1000`, the membership being there already.
fn build(c: &mut Criterion) {
    for subject in &SUBJECTS {
        let mut group = c.benchmark_group(subject.name);
        for nodes in SIZES {
            let members = (subject.members)(nodes);
            group.bench_function(BenchmarkId::new("build", nodes), |b| {
                b.iter_batched(
                    || members.clone(),
                    |members| subject.build_for(black_box(members)),
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

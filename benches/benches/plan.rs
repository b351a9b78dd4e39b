//! What it costs to list every range that moves when a node joins a ring.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use homing_benches::planned;

/// `ring/plan-drawn/1000`, the points being made again, and `ring/plan-kept/1000`.
fn plan(c: &mut Criterion) {
    let mut group = c.benchmark_group("ring");
    for nodes in [100, 1_000] {
        for (what, labelled) in [("plan-drawn", false), ("plan-kept", true)] {
            let plan = planned(nodes, labelled);
            group.bench_function(BenchmarkId::new(what, nodes), |b| b.iter(&plan));
        }
    }
}

criterion_group! {
    name = benches;
    config = homing_benches::criterion();
    targets = plan
}
criterion_main!(benches);

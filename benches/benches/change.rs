//! What it costs to change a layout in place.

use std::hint::black_box;
use std::slice;

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use homing_benches::{Layout, SIZES, SUBJECTS};
use homing_core::{Change, Disruption, Node, NodeId};

fn change(c: &mut Criterion) {
    for subject in &SUBJECTS {
        for nodes in SIZES {
            let layout = subject.build(nodes);
            let joins = Change::Add(Node::new(format!("node-{nodes}")));
            let leaves = Change::Remove(NodeId::from(format!("node-{}", nodes - 1)));
            let name = (subject.name, nodes);
            of_layout(c, &*layout, name, "add", slice::from_ref(&joins));
            of_layout(c, &*layout, name, "remove", slice::from_ref(&leaves));
            // Elsewhere the owners change with the membership; here they wait
            // for the operator.
            let capabilities = layout.as_placement().family().capabilities;
            if capabilities.disruption == Disruption::Operator {
                of_layout(c, &*layout, name, "add+rebalance", &[joins, Change::Rebalance]);
            }
        }
    }
}

/// `ring/add/1000`; the copy that is changed is made outside the timing.
fn of_layout(
    c: &mut Criterion,
    layout: &dyn Layout,
    (subject, nodes): (&str, usize),
    what: &str,
    changes: &[Change],
) {
    c.benchmark_group(subject).bench_function(BenchmarkId::new(what, nodes), |b| {
        b.iter_batched(
            || layout.copy(),
            |mut next| {
                next.change(black_box(changes));
                next
            },
            BatchSize::LargeInput,
        );
    });
}

criterion_group! {
    name = benches;
    config = homing_benches::criterion();
    targets = change
}
criterion_main!(benches);

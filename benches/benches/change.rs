//! What it costs to change a layout in place.

use std::hint::black_box;
use std::slice;

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use homing_benches::{CHANGED_SIZES, Layout, layouts};
use homing_core::{Change, Disruption, Node, NodeId};

fn change(c: &mut Criterion) {
    for nodes in CHANGED_SIZES {
        let joins = Change::Add(Node::new(format!("node-{nodes}")));
        let leaves = Change::Remove(NodeId::from(format!("node-{}", nodes - 1)));
        for layout in layouts(nodes) {
            of_layout(c, &layout, nodes, "add", slice::from_ref(&joins));
            of_layout(c, &layout, nodes, "remove", slice::from_ref(&leaves));
            // Elsewhere the owners change with the membership; here they wait
            // for the operator.
            if layout.placement.family().capabilities.disruption == Disruption::Operator {
                let planned = [joins.clone(), Change::Rebalance];
                of_layout(c, &layout, nodes, "add+rebalance", &planned);
            }
        }
    }
}

/// `change/ring/1000/add`; the copy that is changed is made outside the timing.
fn of_layout(c: &mut Criterion, layout: &Layout, nodes: usize, what: &str, changes: &[Change]) {
    let name = format!("{}/{nodes}", layout.family);
    c.benchmark_group("change").bench_function(BenchmarkId::new(name, what), |b| {
        b.iter_batched(
            || layout.placement.clone(),
            |mut next| {
                next.apply(black_box(changes)).expect("any family takes and loses its last node");
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

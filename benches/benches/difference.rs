//! What it costs to tell what moves between two layouts, as the harness tells it.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use homing_core::{Change, Members, Node, NodeId, Placement, Plan};
use homing_harness::measure::difference::difference;
use homing_harness::registry::{Choice, by_name};

const NODES: usize = 1000;

fn layout(family: &str, first: usize) -> Box<dyn Placement> {
    let nodes = (first..first + NODES).map(|i| Node::new(format!("node-{i}")));
    let members = Members::new(nodes).expect("there are nodes, no id twice");
    let entry = by_name(family).expect("it is a family");
    Choice::plain(entry).build(members).expect("any family takes equal nodes")
}

/// `difference/ring/one-joins`, `difference/ring/all-change`: every run, every pair, exactly;
/// one node joins and another is drained, or every node is another one.
fn differ(c: &mut Criterion) {
    for family in ["ring", "slots", "maglev"] {
        let before = layout(family, 0);
        let mut joined = before.clone();
        let changes = [
            Change::Add(Node::new("new")),
            Change::Reweight(NodeId::from("node-7"), 0),
            Change::Rebalance,
        ];
        joined.apply(&changes).expect("any family here takes weights");
        let others = layout(family, NODES);
        for (name, after) in [("one-joins", &joined), ("all-change", &others)] {
            c.benchmark_group("difference").bench_function(BenchmarkId::new(family, name), |b| {
                b.iter(|| difference(black_box(&*before), black_box(&**after), None));
            });
            // The runs alone, without names, pairs and sums.
            let runs = format!("{name}/runs");
            c.benchmark_group("difference").bench_function(BenchmarkId::new(family, runs), |b| {
                b.iter(|| Plan::between(black_box(&*before), black_box(&**after)));
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = homing_benches::criterion();
    targets = differ
}
criterion_main!(benches);

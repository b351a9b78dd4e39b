//! What it costs the harness to take generated keys through a layout before and
//! after a change, beside making and hashing the same keys.
//!
//! Both run on as many threads as there are cores. Last it prints how many times
//! the one is of the other, both taken in turn over [`KEYS`] keys, or as many as
//! the variable `HOMING_KEYS` says.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use homing_benches::members;
use homing_core::{Change, Node, Placement};
use homing_harness::measure::count;
use homing_harness::registry::{Choice, by_name};
use homing_harness::workload::{Generated, Source, Workload};

/// The keys of one run in the report of Criterion.
const FEW: u64 = 1_000_000;

/// The keys of one run of the ratio.
const KEYS: u64 = 10_000_000;

/// The nodes before the change; one more after it.
const NODES: usize = 1_000;

/// The runs of each kind that the ratio is a median of.
const RUNS: usize = 5;

/// `harness/ring/1000/hash` and `harness/ring/1000/count`.
fn harness(c: &mut Criterion) {
    let (before, after) = layouts();
    let workload = generated(FEW);
    let mut group = c.benchmark_group("harness");
    group.throughput(Throughput::Elements(FEW));
    let name = format!("ring/{NODES}");
    group.bench_function(BenchmarkId::new(&name, "hash"), |b| {
        b.iter(|| hash(&*before, &workload));
    });
    group.bench_function(BenchmarkId::new(&name, "count"), |b| {
        b.iter(|| count(&*before, &*after, &workload).moved_keys());
    });
    group.finish();
}

fn ratio(_: &mut Criterion) {
    let (before, after) = layouts();
    let keys = std::env::var("HOMING_KEYS").ok().and_then(|keys| keys.parse().ok());
    let workload = generated(keys.unwrap_or(KEYS));
    let (mut hashes, mut counts) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        hashes.push(timed(|| hash(&*before, &workload)));
        counts.push(timed(|| count(&*before, &*after, &workload).moved_keys()));
    }
    let (hash, count) = (median(hashes), median(counts));
    println!(
        "before and after over {} keys, ring of {NODES} nodes: {:.2} s, {:.2} times the {:.2} s of making and hashing them",
        workload.count(),
        count.as_secs_f64(),
        count.as_secs_f64() / hash.as_secs_f64(),
        hash.as_secs_f64(),
    );
}

/// Makes all keys and hashes each once, as counting does.
fn hash(placement: &dyn Placement, workload: &Workload) -> u64 {
    workload.fold(
        || 0,
        |sum, block| {
            for key in block.keys {
                *sum ^= placement.position(key);
            }
        },
        |a, b| a ^ b,
    )
}

fn layouts() -> (Box<dyn Placement>, Box<dyn Placement>) {
    let ring = Choice::plain(by_name("ring").expect("the registry has a ring"));
    let before = ring.build(members(NODES)).expect("a ring takes any members");
    let mut after = before.clone();
    let joins = Change::Add(Node::new(format!("node-{NODES}")));
    after.apply(&[joins]).expect("a ring takes one more node");
    (before, after)
}

fn generated(keys: u64) -> Workload {
    let source = Source::Generated(Generated { keys, ..Generated::default() });
    Workload::load(&source).expect("generated keys need no file")
}

fn timed<T>(run: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(run());
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

criterion_group! {
    name = benches;
    config = homing_benches::criterion();
    targets = harness, ratio
}
criterion_main!(benches);

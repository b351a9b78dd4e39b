//! What it costs to turn a key into a position, and the hash behind it.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use homing_benches::{SUBJECTS, key_of};
use homing_core::KeyHash;

/// The lengths of the keys, in bytes.
const LENGTHS: [usize; 4] = [8, 16, 64, 256];

/// `hash/ring/64`: the position of one key. The number of nodes plays no part.
fn position(c: &mut Criterion) {
    let mut group = c.benchmark_group("hash");
    for subject in &SUBJECTS {
        let layout = subject.build(10);
        for length in LENGTHS {
            let key = key_of(length);
            group.throughput(Throughput::Bytes(length as u64));
            group.bench_function(BenchmarkId::new(subject.name, length), |b| {
                b.iter(|| black_box(layout.as_placement()).position(black_box(&key)));
            });
        }
    }
}

/// `hash/sha256/64`: one hash alone.
fn hash(c: &mut Criterion) {
    let mut group = c.benchmark_group("hash");
    for hash in [KeyHash::default(), KeyHash::Sha256] {
        for length in LENGTHS {
            let key = key_of(length);
            group.throughput(Throughput::Bytes(length as u64));
            group.bench_function(BenchmarkId::new(hash.to_string(), length), |b| {
                b.iter(|| black_box(hash).hash(black_box(&key)));
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = homing_benches::criterion();
    targets = position, hash
}
criterion_main!(benches);

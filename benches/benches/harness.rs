//! What it costs the harness to take generated keys through a layout before and
//! after a change, beside making and hashing the same keys.
//!
//! Both run on as many threads as there are cores. With the variable `HOMING_KEYS`
//! set to a number of keys, say 100000000, it last takes both in turn over so many
//! and prints how many times the one is of the other: above [`BOUND`] it exits 1.
//! So it does with a whole comparison of every family but rendezvous, beside one
//! plain loop that makes the same keys and hashes and looks them up in each crate;
//! that is printed and not judged. What is no number of keys is refused with 2,
//! before anything is measured.

use std::env;
use std::hint::black_box;
use std::process;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group};
use homing_benches::members;
use homing_core::{Build, Change, Node, Placement};
use homing_harness::measure::{compare, count};
use homing_harness::members::Given;
use homing_harness::registry::{Choice, by_name};
use homing_harness::scenario::Scenario;
use homing_harness::workload::{Generated, Source, Workload};
use homing_jump::Jump;
use homing_maglev::Maglev;
use homing_modulo::Modulo;
use homing_ring::Ring;
use homing_slots::Slots;

/// The keys of one run in the report of Criterion.
const FEW: u64 = 1_000_000;

/// The most times that counting may take of making and hashing the same keys.
const BOUND: f64 = 2.4;

/// The nodes before the change; one more after it.
const NODES: usize = 1_000;

/// The nodes before the change of a whole comparison.
const COMPARED: usize = 100;

/// The runs of each kind that the ratio is a median of.
const RUNS: usize = 5;

fn main() {
    let keys = asked_for().unwrap_or_else(|error| {
        eprintln!("harness: {error}");
        process::exit(2);
    });
    benches();
    Criterion::default().configure_from_args().final_summary();
    if let Some(keys) = keys {
        let meets = meets(keys);
        comparison(keys);
        if !meets {
            process::exit(1);
        }
    }
}

/// How many keys the ratio is to be of, if it is asked for.
fn asked_for() -> Result<Option<u64>, String> {
    let Some(keys) = env::var_os("HOMING_KEYS") else { return Ok(None) };
    let keys = keys.to_string_lossy();
    match keys.parse() {
        Ok(count) if count > 0 => Ok(Some(count)),
        _ => Err(format!("HOMING_KEYS is {keys:?}, but must be a number of keys above 0")),
    }
}

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

/// Takes the ratio over so many keys, prints it, and says whether it is within
/// [`BOUND`].
fn meets(keys: u64) -> bool {
    let (before, after) = layouts();
    let workload = generated(keys);
    let (mut hashes, mut counts) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        hashes.push(timed(|| hash(&*before, &workload)));
        counts.push(timed(|| count(&*before, &*after, &workload).moved_keys()));
    }
    let (hash, count) = (median(hashes).as_secs_f64(), median(counts).as_secs_f64());
    let ratio = count / hash;
    let meets = ratio <= BOUND;
    println!(
        "before and after over {keys} keys, ring of {NODES} nodes: {count:.2} s, {ratio:.2} times \
         the {hash:.2} s of making and hashing them, at most {BOUND}: {}",
        if meets { "met" } else { "missed" },
    );
    meets
}

/// What `homing compare` counts, families with segments being exact without keys; all
/// of it, its times of lookups and builds included, which do not depend on the number
/// of keys; and what it counts where keys have requests, every family.
fn comparison(keys: u64) {
    let workload = generated(keys);
    let names = ["modulo", "ring", "slots", "maglev", "jump"];
    let choices = names.map(|name| Choice::plain(by_name(name).expect("it is registered")));
    let given = Given::named(COMPARED).expect("there are nodes");
    let joins = Change::Add(Node::new(format!("node-{COMPARED}")));
    let mut scenario = Scenario::of(given).expect("no manifest gives the members");
    scenario.changes = vec![joins.clone()];
    scenario.choose(choices.to_vec());
    let pairs = choices.map(|choice| {
        let before = choice.build(members(COMPARED)).expect("it takes any equal members");
        let mut after = before.clone();
        after.apply(std::slice::from_ref(&joins)).expect("it takes one more node");
        (before, after)
    });
    let counted = |all: bool| {
        pairs
            .iter()
            .filter(|(before, _)| all || before.segments().is_none())
            .map(|(before, after)| count(&**before, &**after, &workload).moved_keys())
            .sum::<u64>()
    };
    let mut times = [const { Vec::new() }; 4];
    for _ in 0..RUNS {
        times[0].push(timed(|| looked_up(&workload)));
        times[1].push(timed(|| counted(false)));
        times[2].push(timed(|| compare(&scenario, &workload).expect("every family takes it")));
        times[3].push(timed(|| counted(true)));
    }
    let [plain, counting, whole, all] = times.map(|times| median(times).as_secs_f64());
    println!(
        "comparison of {} keys, {COMPARED} nodes and one more, over {}: a plain loop {plain:.2} s; counting {:.2} times that, with the times of lookups and builds {:.2} times; {:.2} times where every family is counted",
        workload.count(),
        names.join(", "),
        counting / plain,
        whole / plain,
        all / plain,
    );
}

/// Makes all keys, and hashes and looks up each in every crate.
fn looked_up(workload: &Workload) -> u64 {
    fn built<P: Build>(config: P::Config) -> P {
        P::build(config, members(COMPARED)).expect("it takes any equal members")
    }
    fn sum(placement: &impl Placement, keys: &[&[u8]]) -> u64 {
        let owner = |key: &&[u8]| placement.owner_at(placement.position(key));
        keys.iter().map(|key| owner(key).map_or(0, |owner| owner.get() as u64)).sum()
    }
    let modulo: Modulo = built(homing_modulo::Config::default());
    let ring: Ring = built(homing_ring::Config::default());
    let slots: Slots = built(homing_slots::Config::default());
    let maglev: Maglev = built(homing_maglev::Config::default());
    let jump: Jump = built(homing_jump::Config::default());
    workload.fold(
        || 0,
        |all, block| {
            *all += sum(&modulo, block.keys)
                + sum(&ring, block.keys)
                + sum(&slots, block.keys)
                + sum(&maglev, block.keys)
                + sum(&jump, block.keys);
        },
        |a, b| a + b,
    )
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
    targets = harness
}

//! The figures: those that the targets are judged by, and those that only tell.

mod beyond;
mod costs;
mod moving;
mod threads;

use std::time::Instant;

use crate::keys::Keys;
use crate::machine::Machine;
use crate::subject::{Built, Mode, Role, Subject};
use crate::timing::{Lookups, Middle, Pace};
use crate::verdict::figure::{Figure, Quantity};

/// How many times slower than the fastest peer of its family a peer may be at
/// the first try and still be measured.
const HOPELESS: f64 = 5.0;

/// The numbers of keys of the batches of which the latency is measured.
pub(crate) const BATCHES: [usize; 2] = [64, 1024];

/// The lengths of keys that are compared, in bytes.
pub(crate) const LENGTHS: [usize; 4] = [8, 16, 64, 256];

/// How many keys of each length there are: 8 MB of the longest.
const KEYS_OF_LENGTH: usize = 1 << 15;

/// The number of nodes at which threads and the lengths of keys are compared.
pub(crate) const USUAL: usize = 1_000;

/// Measures every quantity, a family and a size at a time, and says on standard
/// error how far it is.
pub(super) fn all(
    subjects: &[Subject],
    sizes: &[usize],
    lookups: Lookups,
    machine: &Machine,
) -> Vec<Figure> {
    let started = Instant::now();
    let tell = |what: &str| eprintln!("[{:>4.0} s] {what}", started.elapsed().as_secs_f64());
    let mut figures = Vec::new();
    for family in subjects.chunk_by(|a, b| a.family == b.family) {
        let Some(name) = family.first().map(|subject| subject.family) else { continue };
        if name == "other" {
            continue;
        }
        for &nodes in sizes {
            tell(&format!("{name}, {nodes} nodes: lookups"));
            let fitting = family.iter().filter(|subject| nodes <= subject.max_nodes).collect();
            let layouts = Layouts::worthwhile(fitting, nodes, lookups);
            figures.extend(layouts.timed(Quantity::Lookup, lookups));
            figures.extend(layouts.latencies(lookups));
            if nodes == USUAL {
                tell(&format!("{name}, {nodes} nodes: lengths of keys, threads"));
                let usual = layouts.without_peers();
                figures.extend(usual.key_lengths(lookups));
                if machine.cores > 1 {
                    figures.extend(threads::figures(&usual, lookups));
                }
            }
            drop(layouts);
            if name == "ring" || name == "maglev" {
                tell(&format!("{name}, {nodes} nodes: builds and changes"));
                figures.extend(costs::figures(family, nodes, lookups.repetitions));
            }
        }
        if sizes.contains(&USUAL) {
            if name == "ring" || name == "maglev" {
                tell(&format!("{name}: tables beyond the caches"));
                figures.extend(beyond::figures(name, machine, lookups));
            }
            if name == "ring" {
                tell("ring: owners before and after");
                figures.extend(moving::figures(machine.cores, lookups.repetitions));
            }
        }
    }
    tell("done");
    figures
}

/// Subjects with their layouts.
struct Layouts<'a> {
    nodes: usize,
    subjects: Vec<&'a Subject>,
    built: Vec<Box<dyn Built>>, // of each subject
}

impl<'a> Layouts<'a> {
    fn new(subjects: Vec<&'a Subject>, nodes: usize) -> Self {
        let built = subjects.iter().map(|subject| subject.build(nodes)).collect();
        Self { nodes, subjects, built }
    }

    /// Those that are worth more time.
    fn worthwhile(subjects: Vec<&'a Subject>, nodes: usize, lookups: Lookups) -> Self {
        let all = Self::new(subjects, nodes);
        let guesses: Vec<f64> = all.built.iter().map(|built| lookups.guess(&**built)).collect();
        let kept = worthwhile(&all.subjects, &guesses);
        let pairs = all.subjects.into_iter().zip(all.built).zip(kept);
        let (subjects, built) = pairs.filter_map(|(pair, kept)| kept.then_some(pair)).unzip();
        Self { nodes, subjects, built }
    }

    /// Floors and ours, each by its widest lanes and none through `dyn`; built again.
    fn without_peers(&self) -> Self {
        let widest = |subject: &Subject| {
            let alike = self
                .subjects
                .iter()
                .filter(|other| (other.role, other.mode) == (subject.role, subject.mode));
            subject.lanes == alike.map(|other| other.lanes).max().flatten()
        };
        let kept = self.subjects.iter().copied().filter(|subject| {
            subject.role != Role::Peer && subject.mode != Mode::Dyn && widest(subject)
        });
        Self::new(kept.collect(), self.nodes)
    }

    fn timed(&self, quantity: Quantity, lookups: Lookups) -> Vec<Figure> {
        self.figures(quantity, lookups.time(&self.built))
    }

    fn figures(&self, quantity: Quantity, values: Vec<Middle>) -> Vec<Figure> {
        let figures = self.subjects.iter().zip(values);
        figures.map(|(subject, value)| Figure::of(subject, quantity, self.nodes, value)).collect()
    }

    fn latencies(&self, lookups: Lookups) -> Vec<Figure> {
        let of_mode = |mode: Mode| move |figure: &Figure| figure.mode == mode;
        let each = Lookups { pace: Pace::InTurn(1), ..brief(lookups) };
        let mut figures = self.timed(Quantity::Latency, each);
        // A batch of one key is none.
        figures.retain(of_mode(Mode::One));
        for keys in BATCHES {
            let lookups = Lookups { pace: Pace::InTurn(keys), ..brief(lookups) };
            let mut batches = self.timed(Quantity::BatchLatency(keys), lookups);
            batches.retain(of_mode(Mode::Batch));
            for figure in &mut batches {
                figure.value.median *= keys as f64;
            }
            figures.extend(batches);
        }
        figures
    }

    fn key_lengths(&self, lookups: Lookups) -> Vec<Figure> {
        let of_length = |bytes| {
            let keys = Keys::of_length(bytes, KEYS_OF_LENGTH.min(lookups.keys.len()));
            self.timed(Quantity::KeyBytes(bytes), Lookups { keys, ..brief(lookups) })
        };
        LENGTHS.into_iter().flat_map(of_length).collect()
    }
}

/// Half the repetitions, of a fifth of the time: for what is not judged.
fn brief(lookups: Lookups) -> Lookups {
    let repetitions = lookups.repetitions.div_ceil(2);
    Lookups { repetitions, budget: lookups.budget / 5.0, ..lookups }
}

/// Whether each is worth more time: all but the peers that are hopelessly slower
/// than the fastest one.
fn worthwhile(subjects: &[&Subject], guesses: &[f64]) -> Vec<bool> {
    let is_peer = |subject: &Subject| subject.role == Role::Peer;
    let peers = subjects.iter().zip(guesses).filter(|(subject, _)| is_peer(subject));
    let fastest = peers.map(|(_, &guess)| guess).fold(f64::INFINITY, f64::min);
    let pairs = subjects.iter().zip(guesses);
    pairs.map(|(subject, &guess)| !is_peer(subject) || guess <= HOPELESS * fastest).collect()
}

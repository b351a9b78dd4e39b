//! [`Subject`], one implementation that is measured, and [`Built`], its layout
//! for so many nodes.

use std::fmt;
use std::hint::black_box;

use crate::keys::Keys;
use crate::lanes::Lanes;

/// The names that `--family` takes, in the order of every table.
pub(crate) const FAMILIES: [&str; 8] =
    ["ring", "slots", "maglev", "jump", "rendezvous", "weighted", "modulo", "other"];

/// How many points a ring has for each node.
pub(crate) const POINTS: usize = 160;

/// How many keys a batch holds.
pub(crate) const BATCH: usize = 1024;

/// One implementation.
pub(crate) struct Subject {
    pub(crate) family: &'static str, // one of FAMILIES
    pub(crate) role: Role,
    pub(crate) mode: Mode,
    pub(crate) name: &'static str,
    pub(crate) hasher: &'static str,
    /// What its kernels are kept to, where it has some.
    pub(crate) lanes: Option<Lanes>,
    /// The most nodes that it is built for at all.
    pub(crate) max_nodes: usize,
    /// The most nodes that it is built for again and again, to time that.
    pub(crate) max_builds: usize,
    prepare: Box<dyn Fn(usize) -> Maker>,
}

/// What a subject is in a comparison.
#[derive(Clone, Copy, Debug, Eq, PartialEq, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    /// The least work that the family allows.
    Floor,
    /// A published crate.
    Peer,
    /// A crate of ours.
    Ours,
}

/// How a subject is asked.
#[derive(Clone, Copy, Debug, Eq, PartialEq, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mode {
    /// Key by key.
    One,
    /// [`BATCH`] keys at a time.
    Batch,
    /// The same through `dyn Placement`.
    Dyn,
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::One => "one",
            Self::Batch => "batch",
            Self::Dyn => "dyn",
        })
    }
}

/// Builds a layout, its input being there already.
pub(crate) type Maker = Box<dyn FnOnce() -> Box<dyn Built>>;

/// A layout for some nodes, with ids from 0.
///
/// The loop over the keys is compiled for each subject: one virtual call a run,
/// none a key.
pub(crate) trait Built: Sync {
    /// Looks every key up; the sum of the ids found, so that none is left out.
    fn run(&self, keys: Keys) -> u64;

    /// As [`run`](Self::run), where each lookup waits for the one before; or each
    /// batch of up to `batch` keys for the batch before.
    fn run_in_turn(&self, keys: Keys, batch: usize) -> u64;

    /// Adds the node `id`; whether that can be done in place.
    fn add(&mut self, id: u32) -> bool;

    /// Removes the node `id`; whether that can be done in place.
    fn remove(&mut self, id: u32) -> bool;
}

/// Adds or removes a node in place.
pub(crate) type Change<T> = fn(&mut T, u32);

struct Case<T, L> {
    layout: T,
    look: L,
    changes: Option<(Change<T>, Change<T>)>, // adds, removes
}

struct BatchCase<T, L> {
    layout: T,
    look: L, // sums the ids of up to BATCH keys
}

impl Subject {
    /// A subject that is asked key by key; a change builds it again.
    ///
    /// `input` makes, untimed, what `build` takes.
    pub(crate) fn one<I: 'static, T: Sync + 'static>(
        (family, role, name, hasher): (&'static str, Role, &'static str, &'static str),
        input: impl Fn(usize) -> I + 'static,
        build: impl Fn(I) -> T + Copy + 'static,
        look: impl Fn(&T, &'static str) -> u64 + Copy + Sync + 'static,
    ) -> Self {
        let case = move |layout| Case { layout, look, changes: None };
        let prepare = move |nodes| maker(input(nodes), move |input| case(build(input)));
        Self::new((family, role, name, hasher), Mode::One, Box::new(prepare))
    }

    /// A subject that is asked key by key, and changed in place.
    pub(crate) fn changing<I: 'static, T: Sync + 'static>(
        (family, role, name, hasher): (&'static str, Role, &'static str, &'static str),
        input: impl Fn(usize) -> I + 'static,
        build: impl Fn(I) -> T + Copy + 'static,
        look: impl Fn(&T, &'static str) -> u64 + Copy + Sync + 'static,
        add: Change<T>,
        remove: Change<T>,
    ) -> Self {
        let case = move |layout| Case { layout, look, changes: Some((add, remove)) };
        let prepare = move |nodes| maker(input(nodes), move |input| case(build(input)));
        Self::new((family, role, name, hasher), Mode::One, Box::new(prepare))
    }

    /// A subject that is asked up to [`BATCH`] keys at a time, for the sum of
    /// their ids.
    pub(crate) fn batch<I: 'static, T: Sync + 'static>(
        (family, role, name, hasher): (&'static str, Role, &'static str, &'static str),
        input: impl Fn(usize) -> I + 'static,
        build: impl Fn(I) -> T + Copy + 'static,
        look: impl Fn(&T, &[&[u8]]) -> u64 + Copy + Sync + 'static,
    ) -> Self {
        let case = move |layout| BatchCase { layout, look };
        let prepare = move |nodes| maker(input(nodes), move |input| case(build(input)));
        Self::new((family, role, name, hasher), Mode::Batch, Box::new(prepare))
    }

    fn new(
        (family, role, name, hasher): (&'static str, Role, &'static str, &'static str),
        mode: Mode,
        prepare: Box<dyn Fn(usize) -> Maker>,
    ) -> Self {
        let (max_nodes, max_builds) = (usize::MAX, usize::MAX);
        let lanes = None;
        Self { family, role, mode, name, hasher, lanes, max_nodes, max_builds, prepare }
    }

    /// The same, its kernels kept to these lanes.
    pub(crate) fn kept_to(self, lanes: Lanes) -> Self {
        let prepare = self.prepare;
        let prepare = move |nodes| -> Maker {
            let make = prepare(nodes);
            Box::new(move || lanes.keeping(make))
        };
        Self { lanes: Some(lanes), prepare: Box::new(prepare), ..self }
    }

    /// The same, built for at most so many nodes.
    pub(crate) fn up_to(self, nodes: usize) -> Self {
        Self { max_nodes: nodes, ..self }
    }

    /// The same, its building timed for at most so many nodes.
    pub(crate) fn timed_up_to(self, nodes: usize) -> Self {
        Self { max_builds: nodes, ..self }
    }

    /// The same, asked in another way.
    pub(crate) fn asked(self, mode: Mode) -> Self {
        Self { mode, ..self }
    }

    /// The name, with the lanes and the hasher.
    pub(crate) fn label(&self) -> String {
        let lanes = self.lanes.map_or_else(String::new, |lanes| format!(", {}", lanes.name()));
        format!("{}{lanes} [{}]", self.name, self.hasher)
    }

    /// Makes the input for so many nodes.
    pub(crate) fn prepare(&self, nodes: usize) -> Maker {
        (self.prepare)(nodes)
    }

    /// Builds the layout for so many nodes.
    pub(crate) fn build(&self, nodes: usize) -> Box<dyn Built> {
        self.prepare(nodes)()
    }
}

fn maker<I: 'static, B: Built + 'static>(input: I, build: impl FnOnce(I) -> B + 'static) -> Maker {
    Box::new(move || Box::new(build(input)))
}

impl<T: Sync, L: Fn(&T, &'static str) -> u64 + Sync> Built for Case<T, L> {
    #[inline(never)]
    fn run(&self, keys: Keys) -> u64 {
        let mut sum = 0_u64;
        for key in keys.texts() {
            sum = sum.wrapping_add((self.look)(&self.layout, key));
        }
        sum
    }

    #[inline(never)]
    fn run_in_turn(&self, keys: Keys, _batch: usize) -> u64 {
        // Always 0, which the compiler must not know: the next key is known only
        // when the id of this one is.
        let zero = black_box(0);
        let keys = keys.texts();
        let (mut sum, mut at) = (0_u64, 0);
        while at < keys.len() {
            let id = (self.look)(&self.layout, keys[at]);
            sum = sum.wrapping_add(id);
            at += 1 + (id & zero) as usize;
        }
        sum
    }

    fn add(&mut self, id: u32) -> bool {
        self.changes.map(|(add, _)| add(&mut self.layout, id)).is_some()
    }

    fn remove(&mut self, id: u32) -> bool {
        self.changes.map(|(_, remove)| remove(&mut self.layout, id)).is_some()
    }
}

impl<T: Sync, L: Fn(&T, &[&[u8]]) -> u64 + Sync> Built for BatchCase<T, L> {
    #[inline(never)]
    fn run(&self, keys: Keys) -> u64 {
        let mut sum = 0_u64;
        for batch in keys.bytes().chunks(BATCH) {
            sum = sum.wrapping_add((self.look)(&self.layout, batch));
        }
        sum
    }

    #[inline(never)]
    fn run_in_turn(&self, keys: Keys, batch: usize) -> u64 {
        let zero = black_box(0); // as above
        let keys = keys.bytes();
        let (mut sum, mut at) = (0_u64, 0);
        while at < keys.len() {
            let end = (at + batch.min(BATCH)).min(keys.len());
            let ids = (self.look)(&self.layout, &keys[at..end]);
            sum = sum.wrapping_add(ids);
            at = end + (ids & zero) as usize;
        }
        sum
    }

    fn add(&mut self, _id: u32) -> bool {
        false
    }

    fn remove(&mut self, _id: u32) -> bool {
        false
    }
}

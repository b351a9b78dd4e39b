//! A cluster in which slots move, claims are late and clients know old maps: whatever
//! comes in between what, no key is served by two nodes, none is lost, and every client
//! ends with the right map.

use std::collections::{BTreeMap, BTreeSet};

use homing_core::{Build, Members, NodeId, Placement};
use homing_slots::{
    Claim, Client, Config, Keys, NodeView, Release, Route, Slots, Withdrawal, slot,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const NODES: usize = 4;
const CLIENTS: usize = 3;
const KEYS: u8 = 3; // in each slot

/// The slots that move: of `{0}` to `{4}`.
fn moving() -> [u16; 5] {
    [0, 1, 2, 3, 4].map(|tag: u8| slot(format!("{{{tag}}}").as_bytes()))
}

fn id(node: usize) -> NodeId {
    NodeId::new(format!("node-{node}"))
}

fn place(id: &NodeId) -> usize {
    (0..NODES).find(|&node| *id == self::id(node)).expect("only these are members")
}

/// What happens next; a number that is too large is taken modulo.
#[derive(Clone, Debug)]
enum Step {
    Begin { slot: usize, to: usize },
    OpenAtTarget { slot: usize },
    OpenAtSource { slot: usize },
    MoveKey { slot: usize, key: u8 },
    Release { slot: usize },
    Finish { slot: usize },
    GiveUp { slot: usize },
    Withdraw { slot: usize },
    Cancel { slot: usize },
    Publish { node: usize },
    Hear { node: usize, claim: usize },
    Command { client: usize, slot: usize, keys: Vec<u8>, what: What },
    Hop { client: usize },
}

#[derive(Clone, Copy, Debug)]
enum What {
    Get,
    Set,
    Delete,
}

fn step() -> impl Strategy<Value = Step> {
    let slot = 0..moving().len();
    let what = prop_oneof![Just(What::Get), Just(What::Set), Just(What::Delete)];
    prop_oneof![
        3 => (slot.clone(), 0..NODES).prop_map(|(slot, to)| Step::Begin { slot, to }),
        3 => slot.clone().prop_map(|slot| Step::OpenAtTarget { slot }),
        3 => slot.clone().prop_map(|slot| Step::OpenAtSource { slot }),
        4 => (slot.clone(), 0..KEYS).prop_map(|(slot, key)| Step::MoveKey { slot, key }),
        3 => slot.clone().prop_map(|slot| Step::Release { slot }),
        3 => slot.clone().prop_map(|slot| Step::Finish { slot }),
        1 => slot.clone().prop_map(|slot| Step::GiveUp { slot }),
        2 => slot.clone().prop_map(|slot| Step::Withdraw { slot }),
        2 => slot.clone().prop_map(|slot| Step::Cancel { slot }),
        2 => (0..NODES).prop_map(|node| Step::Publish { node }),
        5 => (0..NODES, 0..1_000_usize).prop_map(|(node, claim)| Step::Hear { node, claim }),
        5 => (0..CLIENTS, slot, prop::collection::vec(0..KEYS, 1..=2), what)
            .prop_map(|(client, slot, keys, what)| Step::Command { client, slot, keys, what }),
        12 => (0..CLIENTS).prop_map(|client| Step::Hop { client }),
    ]
}

/// A move as its operator sees it.
#[derive(Debug)]
struct Move {
    from: usize,
    to: usize,
    is_open_at_target: bool,
    is_open_at_source: bool,
    is_given_up: bool,
    release: Option<Release>,
    withdrawal: Option<Withdrawal>,
}

#[derive(Clone, Debug)]
struct Command {
    slot: u16,
    keys: BTreeSet<u8>,
    what: What,
    is_asking: bool, // whether an `ASK` of this slot is still to be followed
}

#[derive(Debug)]
struct Cluster {
    views: Vec<NodeView>,
    stored: Vec<BTreeSet<(u16, u8)>>, // the keys at each node
    written: BTreeSet<(u16, u8)>,     // the keys that there are
    owners: BTreeMap<u16, usize>,     // of the slots that move, by the moves that are finished
    moves: BTreeMap<u16, Move>,
    claims: Vec<Claim>, // all that ever were, to be heard late or twice
    clients: Vec<(Client, Option<Command>)>,
    epochs: Vec<(u64, u64)>,
}

impl Cluster {
    fn new() -> Self {
        let members = Members::new((0..NODES).map(|node| homing_core::Node::new(id(node))));
        let slots = Slots::build(Config::default(), members.unwrap()).unwrap();
        let epochs: Vec<_> = (1..).zip(0..NODES).map(|(epoch, node)| (id(node), epoch)).collect();
        let view = |node| NodeView::new(&id(node), slots.clone(), &epochs).unwrap();
        let owner = |slot: u16| slots.owner_at(slot.into()).unwrap().get();
        Self {
            views: (0..NODES).map(view).collect(),
            stored: vec![BTreeSet::new(); NODES],
            written: BTreeSet::new(),
            owners: moving().map(|slot| (slot, owner(slot))).into(),
            moves: BTreeMap::new(),
            claims: Vec::new(),
            clients: vec![(Client::new(slots.clone()), None); CLIENTS],
            epochs: vec![(0, 0); NODES],
        }
    }

    fn keys_of(&self, node: usize, slot: u16) -> usize {
        self.stored[node].iter().filter(|(of, _)| *of == slot).count()
    }

    fn take(&mut self, step: &Step) {
        let of = |slot: &usize| moving()[*slot];
        match step {
            Step::Begin { slot, to } => self.begin(of(slot), *to),
            Step::OpenAtTarget { slot } => self.open_at_target(of(slot)),
            Step::OpenAtSource { slot } => self.open_at_source(of(slot)),
            Step::MoveKey { slot, key } => self.move_key(of(slot), *key),
            Step::Release { slot } => self.release(of(slot)),
            Step::Finish { slot } => self.finish(of(slot)),
            Step::GiveUp { slot } => self.give_up(of(slot)),
            Step::Withdraw { slot } => self.withdraw(of(slot)),
            Step::Cancel { slot } => self.cancel(of(slot)),
            Step::Publish { node } => self.claims.push(self.views[*node].claim()),
            Step::Hear { node, claim } => {
                if !self.claims.is_empty() {
                    let claim = &self.claims[claim % self.claims.len()];
                    self.views[*node].hear(claim).unwrap();
                }
            }
            Step::Command { client, slot, keys, what } => {
                self.clients[*client].1.get_or_insert(Command {
                    slot: of(slot),
                    keys: keys.iter().copied().collect(),
                    what: *what,
                    is_asking: false,
                });
            }
            Step::Hop { client } => self.hop(*client),
        }
    }

    fn begin(&mut self, slot: u16, to: usize) {
        let from = self.owners[&slot];
        let is_asked = self.clients.iter().filter_map(|(_, command)| command.as_ref());
        let is_asked = is_asked.into_iter().any(|it| it.slot == slot && it.is_asking);
        // A move is not begun again before every `ASK` of the last one is followed.
        if from == to || self.moves.contains_key(&slot) || is_asked {
            return;
        }
        let begun = Move {
            from,
            to,
            is_open_at_target: false,
            is_open_at_source: false,
            is_given_up: false,
            release: None,
            withdrawal: None,
        };
        self.moves.insert(slot, begun);
    }

    fn open_at_target(&mut self, slot: u16) {
        let Some(it) = self.moves.get_mut(&slot) else { return };
        // What a target has withdrawn from it does not begin anew for the same move.
        if !it.is_open_at_target && it.withdrawal.is_none() {
            // It may still take itself for the owner, of a time before this one.
            let begun = self.views[it.to].begin_importing(slot, &id(it.from));
            it.is_open_at_target = begun.is_ok();
            if it.is_given_up && it.is_open_at_target {
                self.views[it.to].turn_back(slot).unwrap();
            }
        }
    }

    fn give_up(&mut self, slot: u16) {
        let Some(it) = self.moves.get_mut(&slot) else { return };
        if it.release.is_none() {
            it.is_given_up = true;
            if it.is_open_at_target {
                self.views[it.to].turn_back(slot).unwrap();
            }
        }
    }

    fn open_at_source(&mut self, slot: u16) {
        let Some(it) = self.moves.get_mut(&slot) else { return };
        if !it.is_open_at_source {
            self.views[it.from].begin_migrating(slot, &id(it.to)).unwrap();
            it.is_open_at_source = true;
        }
    }

    /// `MIGRATE`: forwards, or backwards if the move is given up.
    fn move_key(&mut self, slot: u16, key: u8) {
        let Some(it) = self.moves.get(&slot) else { return };
        if it.is_open_at_source && it.is_open_at_target && it.release.is_none() {
            let (from, to) = if it.is_given_up { (it.to, it.from) } else { (it.from, it.to) };
            if self.stored[from].remove(&(slot, key)) {
                assert!(self.stored[to].insert((slot, key)), "a key at both ends");
            }
        }
    }

    fn release(&mut self, slot: u16) {
        let keys = self.moves.get(&slot).map_or(0, |it| self.keys_of(it.from, slot));
        let Some(it) = self.moves.get_mut(&slot) else { return };
        // Only once the target can take it.
        let is_open = it.is_open_at_source && it.is_open_at_target;
        if is_open && !it.is_given_up && it.release.is_none() {
            let release = self.views[it.from].release(slot, keys);
            assert_eq!(release.is_ok(), keys == 0);
            it.release = release.ok();
        }
    }

    fn finish(&mut self, slot: u16) {
        let Some(it) = self.moves.get_mut(&slot) else { return };
        let Some(release) = it.release.take() else { return };
        let to = it.to;
        self.claims.push(self.views[to].finish(release).unwrap());
        self.owners.insert(slot, to);
        self.moves.remove(&slot);
    }

    fn withdraw(&mut self, slot: u16) {
        let keys = self.moves.get(&slot).map_or(0, |it| self.keys_of(it.to, slot));
        let Some(it) = self.moves.get_mut(&slot) else { return };
        if it.is_given_up && it.is_open_at_target {
            let withdrawal = self.views[it.to].withdraw(slot, keys);
            assert_eq!(withdrawal.is_ok(), keys == 0);
            it.is_open_at_target = withdrawal.is_err();
            it.withdrawal = withdrawal.ok();
        }
    }

    fn cancel(&mut self, slot: u16) {
        let Some(it) = self.moves.get_mut(&slot) else { return };
        if let Some(withdrawal) = it.withdrawal.take() {
            self.views[it.from].cancel(withdrawal).unwrap();
            self.moves.remove(&slot);
        }
    }

    /// Sends the command of a client to one node, and takes in the answer.
    fn hop(&mut self, client: usize) {
        let (client, pending) = &mut self.clients[client];
        let Some(command) = pending else { return };
        let slot = command.slot;
        let sending = client.send(slot).unwrap();
        let node = place(&sending.to);
        let stored = &mut self.stored[node];
        let keys = Keys::counted(command.keys.iter().map(|&key| stored.contains(&(slot, key))));
        let route = self.views[node].route(slot, keys, sending.asking);
        client.answered(slot, &route).unwrap();
        command.is_asking = matches!(route, Route::Ask(_));
        if route == Route::Serve {
            for key in command.keys.iter().map(|&key| (slot, key)) {
                let is_there = self.written.contains(&key);
                assert_eq!(stored.contains(&key), is_there, "{key:?} served by {node}");
                match command.what {
                    What::Get => {}
                    What::Set => {
                        stored.insert(key);
                        self.written.insert(key);
                    }
                    What::Delete => {
                        stored.remove(&key);
                        self.written.remove(&key);
                    }
                }
            }
            *pending = None;
        }
    }

    fn check(&mut self) {
        // None lost, and none in two places.
        let all: Vec<_> = self.stored.iter().flatten().copied().collect();
        assert_eq!(all.len(), self.written.len());
        assert_eq!(all.into_iter().collect::<BTreeSet<_>>(), self.written);
        // Nor is any key, there or not, served by two nodes to who does not ask.
        for slot in moving() {
            for key in 0..KEYS {
                let serving = (0..NODES).filter(|&node| {
                    let is_here = self.stored[node].contains(&(slot, key));
                    self.views[node].route(slot, Keys::one(is_here), false) == Route::Serve
                });
                assert!(serving.count() <= 1, "key {key} of slot {slot}");
            }
        }
        for (before, view) in self.epochs.iter_mut().zip(&self.views) {
            let now = (view.config_epoch(), view.current_epoch());
            assert!(before.0 <= now.0 && before.1 <= now.1 && now.0 <= now.1, "epochs go back");
            *before = now;
        }
    }

    /// Ends every move, has every claim heard, and every command served.
    fn come_to_rest(&mut self) {
        for slot in moving() {
            for round in 0.. {
                if !self.moves.contains_key(&slot) {
                    break;
                }
                assert!(round < 10, "the move of slot {slot} does not end");
                self.tell_all();
                self.open_at_target(slot);
                self.open_at_source(slot);
                (0..KEYS).for_each(|key| self.move_key(slot, key));
                self.release(slot);
                self.finish(slot);
                self.withdraw(slot);
                self.cancel(slot);
                self.check();
            }
        }
        // Twice, since a claim may have its hearer take another epoch.
        self.tell_all();
        self.tell_all();
        for view in &self.views {
            assert_eq!((view.migrating().count(), view.importing().count()), (0, 0));
            for (&slot, &owner) in &self.owners {
                assert_eq!(view.slots().owner_at(slot.into()).unwrap().get(), owner);
            }
        }
        for client in 0..CLIENTS {
            for slot in moving() {
                // What it was at, and one command more for each slot.
                for _ in 0..2 {
                    for _ in 0..2 * NODES {
                        self.hop(client);
                    }
                    assert!(self.clients[client].1.is_none(), "a command is not served");
                    let keys = BTreeSet::from([0]);
                    let command = Command { slot, keys, what: What::Get, is_asking: false };
                    self.clients[client].1 = Some(command);
                }
                self.clients[client].1 = None;
                let owner = self.clients[client].0.map().owner_at(slot.into()).unwrap().get();
                assert_eq!(owner, self.owners[&slot], "the map of client {client}");
            }
        }
    }

    fn tell_all(&mut self) {
        for from in 0..NODES {
            let claim = self.views[from].claim();
            for view in &mut self.views {
                view.hear(&claim).unwrap();
            }
        }
    }
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 600,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x686F_6D69_6E67),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn no_key_is_served_twice_or_lost_and_every_client_ends_with_the_right_map(
        steps in prop::collection::vec(step(), 0..300),
    ) {
        let mut cluster = Cluster::new();
        for step in &steps {
            cluster.take(step);
            cluster.check();
        }
        cluster.come_to_rest();
        cluster.check();
    }
}

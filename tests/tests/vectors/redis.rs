//! `redis/`: slots of keys, and what the operator's tool does with slots.

use std::collections::BTreeMap;

use homing_core::{Attribute, Build as _, Members, Node, NodeId, NodeIndex, Placement as _};
use homing_slots::{Config, Handover, OperatorTool, SlotRange, Slots, slot};
use homing_tests::vectors::{CreateRow, KeySlotRow, interleaved};
use serde::Deserialize;

use crate::tally::{Tally, read};

pub(crate) fn keyslot(file: &str) -> Tally {
    let (rows, mut tally) = read::<KeySlotRow>(file);
    let slots = Slots::build(Config::default(), Members::named(["a"]).unwrap()).unwrap();
    for row in rows {
        assert_eq!(slot(&row.key()), row.slot, "{file}: {row:?}");
        assert_eq!(slots.position(&row.key()), u64::from(row.slot), "{file}: {row:?}");
        tally.agree("homing-slots", 1, 0);
    }
    tally
}

fn id(place: usize) -> NodeId {
    NodeId::new(format!("node-{place:04}"))
}

fn place_of(id: &NodeId) -> usize {
    id.as_str()["node-".len()..].parse().unwrap()
}

pub(crate) fn create_allocation(file: &str) -> Tally {
    let (rows, mut tally) = read::<CreateRow>(file);
    for row in rows {
        let (hosts, replicas, expected) = match row {
            CreateRow::Create { masters, replicas, ranges, counts } => {
                let lengths: Vec<usize> =
                    ranges.iter().map(|(first, last)| last + 1 - first).collect();
                assert_eq!(counts, lengths, "{file}: the counts of {masters} masters");
                let nodes = masters * (replicas as usize + 1);
                let expected = ranges.into_iter().enumerate().collect();
                (vec!["host".to_owned(); nodes], replicas, expected)
            }
            CreateRow::CreateHosts { hosts, replicas, masters } => {
                let places: Vec<usize> = masters.iter().map(|&(place, _)| place).collect();
                assert_eq!(interleaved(&hosts, replicas as usize), places, "{hosts:?}");
                (hosts, replicas, masters)
            }
        };
        let nodes = hosts.iter().enumerate();
        let nodes = nodes.map(|(i, host)| Node::new(id(i)).with(Attribute::Host, host));
        let created = OperatorTool::create(&Members::new(nodes).unwrap(), replicas).unwrap();
        let ranges: Vec<(usize, (usize, usize))> = created
            .ranges
            .iter()
            .map(|range| (place_of(&range.node), (range.first.into(), range.last.into())))
            .collect();
        assert_eq!(ranges, expected, "{hosts:?} with {replicas} replicas");

        // Who follows whom the tool draws by lot. What holds of every draw is checked: so
        // many for each owner, and none on its owner's host where that can be.
        if replicas > 0 {
            tally.leave_out("the owner of each replica, which the tool draws by lot");
        }
        let mut followers = BTreeMap::<usize, Vec<usize>>::new();
        for replica in &created.replicas {
            followers.entry(place_of(&replica.of)).or_default().push(place_of(&replica.node));
        }
        for (owner, _) in &expected {
            let followers = followers.remove(owner).unwrap_or_default();
            assert!(followers.len() >= replicas as usize, "{hosts:?}: the replicas of {owner}");
            for follower in followers {
                // In all rows but those of one host there are enough others.
                let apart = hosts[follower] != hosts[*owner];
                let one = hosts.iter().all(|host| *host == hosts[0]);
                assert!(apart || one, "{hosts:?}: {follower} follows {owner}");
            }
        }
        tally.agree("homing-slots", expected.len(), 0);
    }
    tally
}

/// Slots from and to, both inclusive.
type Runs = Vec<(u16, u16)>;

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Row {
    Rebalance(Rebalance),
    Reshard(Reshard),
}

#[derive(Deserialize)]
struct Rebalance {
    label: String,
    nodes: usize,
    load_order: Vec<usize>,
    weights: BTreeMap<String, f32>,
    use_empty_masters: bool,
    threshold_percent: f32,
    before: Vec<Runs>,
    before_counts: Vec<usize>,
    moves_from_to_count: Vec<(usize, usize, usize)>,
    after: Vec<Runs>,
    after_counts: Vec<usize>,
    slots_moved: usize,
    roles_after: Vec<String>,
    cluster_allow_replica_migration: String,
    said_no_rebalancing_needed: bool,
}

#[derive(Deserialize)]
struct Reshard {
    label: String,
    nodes: usize,
    load_order: Vec<usize>,
    from: From,
    to: usize,
    requested: u16,
    before: Vec<Runs>,
    taken_from: BTreeMap<String, Runs>,
    taken_counts: BTreeMap<String, usize>,
    after: Vec<Runs>,
    slots_moved: usize,
}

/// The nodes that give, or `all`.
#[derive(Deserialize)]
#[serde(untagged)]
enum From {
    All(String),
    Some(Vec<usize>),
}

pub(crate) fn rebalance(file: &str) -> Tally {
    let (rows, mut tally) = read::<Row>(file);
    for row in rows {
        let moves = match &row {
            Row::Rebalance(row) => check_rebalance(row),
            Row::Reshard(row) => check_reshard(row),
        };
        // A row in which nothing moves says so as well.
        tally.agree("homing-slots", moves.max(1), 0);
    }
    tally
}

fn check_rebalance(row: &Rebalance) -> usize {
    let label = &row.label;
    let slots = slots_of(&row.before, row.nodes);
    assert_eq!(counts(&row.before), row.before_counts, "{label}");
    assert_eq!(counts(&row.after), row.after_counts, "{label}");
    let weights =
        row.weights.iter().map(|(place, &weight)| (id(place.parse().unwrap()), weight)).collect();
    let tool = OperatorTool {
        threshold: row.threshold_percent,
        use_empty: row.use_empty_masters,
        weights,
        order: row.load_order.iter().copied().map(id).collect(),
    };
    let moves = tool.rebalance(&slots).unwrap();
    let told: Vec<(usize, usize, usize)> =
        moves.iter().map(|it| (it.from.get(), it.to.get(), it.slots.len())).collect();
    assert_eq!(told, row.moves_from_to_count, "{label}: the moves");
    assert_eq!(moves.is_empty(), row.said_no_rebalancing_needed, "{label}");
    assert_eq!(moved(&moves), row.slots_moved, "{label}: the number of slots");
    assert_eq!(after(&slots, &moves), row.after, "{label}: the map afterwards");
    // Where the cluster lets replicas migrate, who has lost every slot follows the node
    // that took the last.
    let migrating = row.cluster_allow_replica_migration == "yes";
    for (place, role) in row.roles_after.iter().enumerate() {
        let drained = row.before_counts[place] > 0 && row.after_counts[place] == 0;
        let taken = moves.iter().rev().find(|it| it.from.get() == place).filter(|_| drained);
        let expected = taken
            .filter(|_| migrating)
            .map_or_else(|| "master".to_owned(), |it| format!("replica-of-{}", it.to.get()));
        assert_eq!(*role, expected, "{label}: the role of {place}");
    }
    moves.len()
}

fn check_reshard(row: &Reshard) -> usize {
    let label = &row.label;
    let slots = slots_of(&row.before, row.nodes);
    let order = row.load_order.iter().copied().map(id).collect();
    let tool = OperatorTool { order, ..OperatorTool::default() };
    let from = match &row.from {
        From::All(all) => {
            assert_eq!(all, "all", "{label}: unknown sources");
            Vec::new()
        }
        From::Some(places) => places.iter().copied().map(id).collect(),
    };
    let moves = tool.reshard(&slots, &from, &id(row.to), row.requested).unwrap();
    let mut taken = BTreeMap::<String, Vec<u16>>::new();
    for it in &moves {
        assert_eq!(it.to.get(), row.to, "{label}: who gets them");
        taken.entry(it.from.get().to_string()).or_default().extend(&it.slots);
    }
    let numbers = taken.iter().map(|(place, slots)| (place.clone(), slots.len())).collect();
    assert_eq!(row.taken_counts, numbers, "{label}: how many each gives");
    let runs = taken.into_iter().map(|(place, slots)| (place, runs_of(&slots))).collect();
    assert_eq!(row.taken_from, runs, "{label}: which each gives");
    assert_eq!(moved(&moves), row.slots_moved, "{label}: the number of slots");
    assert_eq!(after(&slots, &moves), row.after, "{label}: the map afterwards");
    moves.len()
}

fn slots_of(runs: &[Runs], nodes: usize) -> Slots {
    assert_eq!(runs.len(), nodes, "each node has a list of slots");
    let ranges = runs.iter().enumerate().flat_map(|(place, runs)| {
        runs.iter().map(move |&(first, last)| SlotRange { first, last, node: id(place) })
    });
    let config = Config { ranges: Some(ranges.collect()) };
    let members = Members::new((0..nodes).map(|place| Node::new(id(place)))).unwrap();
    Slots::build(config, members).unwrap()
}

fn counts(runs: &[Runs]) -> Vec<usize> {
    let count = |runs: &Runs| runs.iter().map(|&(first, last)| usize::from(last - first) + 1).sum();
    runs.iter().map(count).collect()
}

fn moved(moves: &[Handover]) -> usize {
    moves.iter().map(|it| it.slots.len()).sum()
}

fn after(slots: &Slots, moves: &[Handover]) -> Vec<Runs> {
    let mut owners: Vec<NodeIndex> =
        (0..16_384).map(|slot| slots.owner_at(slot).expect("every slot is owned")).collect();
    for it in moves {
        for &slot in &it.slots {
            let owner = &mut owners[usize::from(slot)];
            assert_eq!(std::mem::replace(owner, it.to), it.from, "slot {slot}");
        }
    }
    let of = |place| {
        let own = (0..).zip(&owners).filter(|(_, owner)| owner.get() == place);
        runs_of(&own.map(|(slot, _)| slot).collect::<Vec<u16>>())
    };
    (0..slots.members().len()).map(of).collect()
}

// The runs of ascending slots.
fn runs_of(slots: &[u16]) -> Runs {
    let mut runs = Runs::new();
    for &slot in slots {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == slot => *last = slot,
            _ => runs.push((slot, slot)),
        }
    }
    runs
}

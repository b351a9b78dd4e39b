//! Hash slots, as others compute them.

mod crc;
mod tags;

use homing_core::{Build, Members, NodeIndex, Placement, apportion};
use homing_slots::{Config, SLOTS, Slots, crc16, hash_tag};

use self::crc::{CHECKS, Check};
use self::tags::{TAGS, Tag};
use super::nodes::{self, Nodes};
use super::texts::{self, Texts};
use crate::verify::{Cause, Part, Program, Suspect};

/// The slot of a check value, the greatest slot that has an owner beside it.
type Number = fn(u16, u16) -> u16;

/// How many slots each of some members gets, in their order, by their weights.
type Split = fn(&Nodes) -> Vec<Option<usize>>;

#[derive(Clone)]
pub(crate) struct Recipe {
    texts: Texts,
    tag: Tag,
    check: Check,
    number: Number,
    nodes: Nodes, // in order of id
    owners: Owners,
}

/// The index of the owner of each slot.
#[derive(Clone)]
enum Owners {
    Given(Vec<Option<usize>>),
    Split(Split),
}

const NUMBERS: &[(&str, Number)] = &[
    ("the bytes of the CRC exchanged", |crc, _| crc.swap_bytes() % SLOTS),
    ("the CRC modulo 16383", |crc, _| crc % (SLOTS - 1)),
    ("the greatest slot with an owner as a mask, in place of 16383", |crc, last| crc & last),
    ("the upper 14 bits of the CRC", |crc, _| crc >> 2),
    ("the remainder of the signed CRC, its sign dropped", |crc, _| {
        crc.cast_signed().unsigned_abs() % SLOTS
    }),
];

const SPLITS: &[(&str, Split)] = &[
    ("slots dealt out to the members one by one", |nodes| {
        let places = (0..nodes.0.len()).cycle().take(SLOTS.into());
        places.map(|place| Some(nodes.0[place].index)).collect()
    }),
    ("slots split by rounding down, the last member with the rest", |nodes| {
        let each = (usize::from(SLOTS) / nodes.0.len()).max(1);
        let place = |slot: usize| (slot / each).min(nodes.0.len() - 1);
        (0..SLOTS.into()).map(|slot| Some(nodes.0[place(slot)].index)).collect()
    }),
    ("slots split by rounding up, the last member with what is left", |nodes| {
        let each = usize::from(SLOTS).div_ceil(nodes.0.len());
        (0..SLOTS.into()).map(|slot: usize| Some(nodes.0[slot / each].index)).collect()
    }),
];

impl Suspect for Slots {
    type Recipe = Recipe;

    fn recipe(config: &Config, members: &Members) -> Recipe {
        let given = config.ranges.as_ref().and_then(|_| {
            // A configuration that builds does, and without one there are no owners.
            let layout = Self::build(config.clone(), members.clone()).ok()?;
            let owner = |slot| layout.owner_at(slot).map(NodeIndex::get);
            Some((0..u64::from(SLOTS)).map(owner).collect())
        });
        Recipe {
            texts: Texts::default(),
            tag: hash_tag,
            check: crc16,
            number: |crc, _| crc % SLOTS,
            nodes: Nodes::by_id(members),
            owners: given.map_or(Owners::Split(split), Owners::Given),
        }
    }

    fn causes(recipe: &Recipe) -> Vec<Cause<Recipe>> {
        let checks = CHECKS.iter().map(|&(name, check)| {
            Cause::new(name, Part::Check, move |recipe: &mut Recipe| recipe.check = check)
        });
        let tags = TAGS.iter().map(|&(name, tag)| {
            Cause::new(name, Part::Tag, move |recipe: &mut Recipe| recipe.tag = tag)
        });
        let numbers = NUMBERS.iter().map(|&(name, number)| {
            Cause::new(name, Part::Remainder, move |recipe: &mut Recipe| recipe.number = number)
        });
        let mut causes: Vec<_> = checks.chain(tags).chain(numbers).collect();
        if let Owners::Split(_) = recipe.owners {
            causes.extend(nodes::orders());
            causes.push(nodes::weights());
            causes.extend(SPLITS.iter().map(|&(name, split)| {
                Cause::new(name, Part::Split, move |recipe: &mut Recipe| {
                    recipe.owners = Owners::Split(split);
                })
            }));
        }
        causes.extend(texts::of_keys());
        causes
    }

    fn program(Recipe { texts, tag, check, number, nodes, owners }: Recipe) -> Program {
        let owners = match owners {
            Owners::Given(owners) => owners,
            Owners::Split(split) => split(&nodes),
        };
        let last = owners.iter().rposition(Option::is_some).unwrap_or_default();
        let last = u16::try_from(last).unwrap_or(SLOTS - 1);
        Box::new(move |key| {
            let text = (texts.key)(key);
            let slot = number(check(tag(&text)), last);
            *owners.get(usize::from(slot))?
        })
    }
}

/// The split of the default configuration.
fn split(nodes: &Nodes) -> Vec<Option<usize>> {
    let all = u32::from(SLOTS);
    let counts: Vec<u32> = if nodes.are_even() {
        // Member k, from 0, ends before 16384 (k + 1) / n, rounded, halves up.
        let n = nodes.0.len() as u64;
        let end = |k: u64| (2 * u64::from(all) * k + n) / (2 * n);
        (0..n).map(|k| u32::try_from(end(k + 1) - end(k)).unwrap_or(all)).collect()
    } else {
        let weights: Vec<u32> = nodes.0.iter().map(|node| node.weight).collect();
        apportion(all, &weights, &vec![0; weights.len()])
    };
    let runs = nodes.0.iter().zip(counts);
    runs.flat_map(|(node, count)| vec![Some(node.index); count as usize]).collect()
}

impl AsMut<Nodes> for Recipe {
    fn as_mut(&mut self) -> &mut Nodes {
        &mut self.nodes
    }
}

impl AsMut<Texts> for Recipe {
    fn as_mut(&mut self) -> &mut Texts {
        &mut self.texts
    }
}

//! Rendezvous, as others write it.

use homing_core::{Members, draw};
use homing_rendezvous::{Config, Rendezvous, cost, score};

use super::hashes::{self, Hashing};
use super::nodes::{self, Nodes};
use super::texts::{self, Texts};
use crate::verify::{Cause, Part, Program, Suspect};

/// What nodes are compared by: the greatest owns. Of a score and a weight.
type Merit = fn(u32, u32) -> f64;

/// What a node throws, of the hash of its id.
type Throw = fn(u64) -> u64;

#[derive(Clone)]
pub(crate) struct Recipe {
    hashing: Hashing,
    nodes: Nodes, // in order of id
    merit: Merit,
    sign: f64, // 1, or -1 where the least owns
    throw: Throw,
}

const MERITS: &[(&str, Merit)] = &[
    ("scores compared as signed numbers", |score, _| f64::from(score.cast_signed())),
    ("scores times weights", |score, weight| f64::from(score) * f64::from(weight)),
    ("scores with the weight as an exponent of 1 / weight, in f32", |score, weight| {
        #[expect(clippy::cast_possible_truncation, reason = "the cause is the loss")]
        let part = (f64::from(score) / f64::from(u32::MAX)) as f32;
        #[expect(clippy::cast_possible_truncation, reason = "the cause is the loss")]
        let exponent = (1.0 / f64::from(weight)) as f32;
        f64::from(part.powf(exponent))
    }),
];

impl Suspect for Rendezvous {
    type Recipe = Recipe;

    fn recipe(config: &Config, members: &Members) -> Recipe {
        Recipe {
            hashing: Hashing::of(config.hash),
            nodes: Nodes::by_id(members),
            merit: |score, weight| -cost(score, weight),
            sign: 1.0,
            throw: |hash| draw(hash, 0),
        }
    }

    fn causes(_: &Recipe) -> Vec<Cause<Recipe>> {
        let merits = MERITS.iter().map(|&(name, merit)| {
            Cause::new(name, Part::Rule, move |recipe: &mut Recipe| recipe.merit = merit)
        });
        let least = Cause::new("the least score owns", Part::Rule, |recipe: &mut Recipe| {
            recipe.sign = -1.0;
        });
        let undrawn =
            Cause::new("the hash of the id as it is", Part::Throw, |recipe: &mut Recipe| {
                recipe.throw = |hash| hash;
            });
        merits
            .chain([least, undrawn, nodes::weights()])
            .chain(hashes::causes())
            .chain([hashes::extended(), hashes::absolute()])
            .chain(texts::of_keys())
            .chain(texts::of_all())
            .collect()
    }

    fn program(Recipe { hashing, nodes, merit, sign, throw }: Recipe) -> Program {
        let even = nodes.are_even();
        let seeds: Vec<u64> =
            nodes.0.iter().map(|node| throw(hashing.of_id(node.id.as_bytes()))).collect();
        Box::new(move |key| {
            let position = hashing.position(key);
            let mut best: Option<(usize, f64)> = None;
            for (node, &seed) in nodes.0.iter().zip(&seeds) {
                let merit = sign * merit(score(position, seed), if even { 1 } else { node.weight });
                // Of equal ones the first stays: the least id.
                if best.is_none_or(|(_, least)| merit > least) {
                    best = Some((node.index, merit));
                }
            }
            best.map(|(index, _)| index)
        })
    }
}

shares_parts!(Recipe);

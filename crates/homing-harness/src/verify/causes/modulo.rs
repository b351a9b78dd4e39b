//! Hash mod N, as others write it.

use homing_core::Members;
use homing_modulo::{Config, Modulo};

use super::hashes::{self, Hashing};
use super::nodes::{self, Nodes};
use super::texts::{self, Texts};
use crate::verify::{Cause, Program, Suspect};

#[derive(Clone)]
pub(crate) struct Recipe {
    hashing: Hashing,
    nodes: Nodes,
}

impl Suspect for Modulo {
    type Recipe = Recipe;

    fn recipe(config: &Config, members: &Members) -> Recipe {
        Recipe { hashing: Hashing::of(config.hash), nodes: Nodes::by_index(members) }
    }

    fn causes(_: &Recipe) -> Vec<Cause<Recipe>> {
        nodes::orders()
            .chain(nodes::shifts())
            .chain(hashes::causes())
            .chain([hashes::extended()])
            .chain(hashes::remainders())
            .chain(texts::of_keys())
            .collect()
    }

    fn program(Recipe { hashing, nodes }: Recipe) -> Program {
        Box::new(move |key| {
            let place = (hashing.rest)(hashing.position(key), nodes.0.len() as u64);
            usize::try_from(place).ok().and_then(|place| Some(nodes.0.get(place)?.index))
        })
    }
}

shares_parts!(Recipe);

//! Programs that place keys as a family does, but for one known cause or two:
//! what `homing verify` tries where another program does not agree.
//!
//! Nothing here is meant to be quick: each program is written as plainly as the
//! mistake it makes.

mod causes;
pub mod pairs;

use homing_core::{Build, Members};

/// A program that places keys: the index of the member that owns a key, if any.
pub type Program = Box<dyn Fn(&[u8]) -> Option<usize> + Send + Sync>;

/// What a cause concerns; of two that concern the same only one can be.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Part {
    /// The bytes that are hashed.
    Text,
    /// The hash function and its seed.
    Hash,
    /// The order of the bytes of a hash.
    ByteOrder,
    /// What is kept of a hash.
    Kept,
    /// How a number becomes a place.
    Remainder,
    /// The order of the members.
    Members,
    /// Whether weights count.
    Weights,
    /// Which point, score or bucket owns a key.
    Rule,
    /// How many points or entries there are.
    Count,
    /// What is hashed for a point.
    Label,
    /// The number of the first copy.
    First,
    /// What is thrown for a node.
    Throw,
    /// The cyclic redundancy check.
    Check,
    /// The part of a key that is hashed.
    Tag,
    /// Who has which slots.
    Split,
}

/// A family as somebody else may have written it.
pub(crate) trait Suspect: Build {
    /// Everything that decides where the program puts a key.
    type Recipe: Clone + Send + Sync + 'static;

    /// The family as it is here, for a configuration that builds.
    fn recipe(config: &Self::Config, members: &Members) -> Self::Recipe;

    /// The known causes, those that are likelier first.
    fn causes(recipe: &Self::Recipe) -> Vec<Cause<Self::Recipe>>;

    /// The program of a recipe.
    fn program(recipe: Self::Recipe) -> Program;
}

/// One thing that another program may do otherwise.
pub(crate) struct Cause<R> {
    name: String,
    part: Part,
    change: Box<dyn Fn(&mut R) + Send + Sync>,
}

impl<R> Cause<R> {
    fn new(
        name: impl Into<String>,
        part: Part,
        change: impl Fn(&mut R) + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), part, change: Box::new(change) }
    }
}

/// From causes to the program in which they are at work.
type Make = Box<dyn Fn(&[usize]) -> Program + Send + Sync>;

/// The known causes of one layout.
pub struct Suspects {
    causes: Vec<(String, Part)>,
    make: Make,
}

impl Suspects {
    /// Those of a family, for a configuration that builds a layout of `members`.
    pub(crate) fn of<P: Suspect>(config: &P::Config, members: &Members) -> Self {
        let recipe = P::recipe(config, members);
        let causes = P::causes(&recipe);
        let named = causes.iter().map(|cause| (cause.name.clone(), cause.part)).collect();
        let make = move |chosen: &[usize]| {
            let mut recipe = recipe.clone();
            for &i in chosen {
                (causes[i].change)(&mut recipe);
            }
            P::program(recipe)
        };
        Self { causes: named, make: Box::new(make) }
    }

    /// None: of a layout of another system nothing is known.
    pub(crate) fn none() -> Self {
        let make = |_: &[usize]| -> Program { Box::new(|_: &[u8]| None) };
        Self { causes: Vec::new(), make: Box::new(make) }
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.causes.len()
    }

    /// What one concerns.
    ///
    /// # Panics
    ///
    /// Panics if there is no such cause.
    #[must_use]
    pub fn part(&self, cause: usize) -> Part {
        self.causes[cause].1
    }

    /// The name of some causes together.
    ///
    /// # Panics
    ///
    /// Panics if there is no such cause.
    #[must_use]
    pub fn name(&self, causes: &[usize]) -> String {
        let names: Vec<&str> = causes.iter().map(|&cause| self.causes[cause].0.as_str()).collect();
        names.join("; ")
    }

    /// The program in which some causes are at work, none for ours.
    ///
    /// # Panics
    ///
    /// Panics if there is no such cause.
    #[must_use]
    pub fn program(&self, causes: &[usize]) -> Program {
        (self.make)(causes)
    }
}

impl std::fmt::Debug for Suspects {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Suspects").field("causes", &self.causes).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;

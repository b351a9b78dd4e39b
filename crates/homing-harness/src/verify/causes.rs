//! The known causes: those that families share, and a module for each family.

/// Lets the causes that families share change a recipe that has `hashing` and
/// `nodes`.
macro_rules! shares_parts {
    ($recipe:ty) => {
        impl AsMut<Hashing> for $recipe {
            fn as_mut(&mut self) -> &mut Hashing {
                &mut self.hashing
            }
        }

        impl AsMut<Nodes> for $recipe {
            fn as_mut(&mut self) -> &mut Nodes {
                &mut self.nodes
            }
        }

        impl AsMut<Texts> for $recipe {
            fn as_mut(&mut self) -> &mut Texts {
                &mut self.hashing.texts
            }
        }
    };
}

mod hashes;
mod jump;
mod maglev;
mod modulo;
mod nodes;
mod rendezvous;
mod ring;
mod slots;
mod texts;

//! [`Order`], [`Turns`], [`Stride`] and [`Surplus`]: how nodes take turns.

use alloc::vec::Vec;

use homing_core::{Members, NodeIndex};

macro_rules! rule {
    (
        $(#[$about:meta])*
        $rule:ident {
            $(#[$about_default:meta])*
            $default:ident = $default_name:literal,
            $($(#[$about_variant:meta])* $variant:ident = $name:literal,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
        #[non_exhaustive]
        pub enum $rule {
            $(#[$about_default])*
            #[default]
            #[cfg_attr(feature = "serde", serde(rename = $default_name))]
            $default,
            $($(#[$about_variant])* #[cfg_attr(feature = "serde", serde(rename = $name))] $variant,)+
        }

        impl $rule {
            /// The name in configurations.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    Self::$default => $default_name,
                    $(Self::$variant => $name,)+
                }
            }

            pub(crate) fn is_default(&self) -> bool {
                *self == Self::$default
            }
        }
    };
}

rule! {
    /// The order in which nodes take their turns.
    Order {
        /// By id.
        Id = "id",
        /// By the bytes of the label; equal labels by id.
        Label = "label",
        /// By index.
        Index = "index",
    }
}

rule! {
    /// How many turns nodes take, and when, where their weights differ; with equal weights
    /// each takes one in every round.
    Turns {
        /// Of the turns, as many as there are entries, each node has its exact share,
        /// rounded; turn t of a node of weight w is due at t / w.
        Apportioned = "apportioned",
        /// In round i, from 1, a node takes one turn unless i w is less than its target,
        /// which is 0 at first and grows by the greatest w with each turn; w is the
        /// weight over the sum of the weights. All of it in doubles.
        Iterated = "iterated",
        /// In the first round a node takes as many turns as its weight, in a row, and one
        /// in each round after it. Shares are nearly equal then.
        FirstRound = "first-round",
        /// In each round the credit of a node grows by its weight, and if it has come to
        /// the greatest weight, it gives that much for one turn.
        Credited = "credited",
    }
}

rule! {
    /// How a node goes along its sequence, to offset + k skip mod M for k from 0.
    Stride {
        /// In whole numbers, so that it comes by every entry.
        Exact = "exact",
        /// offset + k skip is taken mod 2^32 before it is mod M: from where it wraps on
        /// the sequence is another, and comes by some entries again.
        Wrapping = "wrapping",
    }
}

rule! {
    /// What becomes of more nodes than there are entries.
    Surplus {
        /// They are refused.
        Refused = "refused",
        /// Those that have had no turn when the table is full own nothing.
        Idle = "idle",
    }
}

impl Order {
    /// The nodes of a weight above 0 in this order.
    pub(crate) fn arrange(self, members: &Members) -> Vec<NodeIndex> {
        let mut order = Vec::with_capacity(members.active());
        let weighs = |&index: &NodeIndex| members[index].weight > 0;
        match self {
            Self::Id => order.extend(members.iter().map(|it| it.0).filter(weighs)),
            Self::Label => {
                order.extend(members.iter().map(|it| it.0).filter(weighs));
                order.sort_by_key(|&index| members[index].label());
            }
            Self::Index => order.extend(members.iter_by_index().map(|it| it.0).filter(weighs)),
        }
        order
    }
}

//! [`Family`]: what a placement family is called and can do, as data.

/// A placement family: its names, its source, and what it can and cannot do.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Family {
    /// The name in configurations and on the command line: lower case, one word.
    pub name: &'static str,
    /// The name in prose.
    pub title: &'static str,
    /// The publication it follows: author, title, year.
    pub source: &'static str,
    /// The cost of one lookup, the key already hashed, in N nodes.
    pub lookup: &'static str,
    /// What it can and cannot do.
    pub capabilities: Capabilities,
}

/// What a family can and cannot do.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Capabilities {
    /// Whether nodes may weigh something else than 1.
    pub weights: bool,
    /// Which nodes can be removed.
    pub removal: Removal,
    /// How many keys a change disturbs.
    pub disruption: Disruption,
    /// Whether a position has further nodes after its owner.
    pub replicas: bool,
    /// Whether ownership goes by index, so that the order of the members counts.
    pub ordered: bool,
}

/// Which nodes a family can remove.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Removal {
    /// Any node.
    Any,
    /// Only the node that joined last.
    Last,
}

/// How many keys a change of membership disturbs.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Disruption {
    /// Keys move only to nodes that gain weight, or from nodes that lose it.
    Minimal,
    /// As `Minimal`, but for a few keys between nodes that stay as they are.
    Near,
    /// Keys move only where the operator says; a node that leaves loses its owner.
    Operator,
    /// Nothing is promised.
    Unbounded,
}

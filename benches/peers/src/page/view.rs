//! [`View`], how a page finds the figures of a result.

use crate::lanes::Lanes;
use crate::subject::{Mode, Role};
use crate::verdict::{Asked, Figure, Quantity, Record, floor, least};

/// The figures of one quantity.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    record: &'a Record,
    quantity: Quantity,
    lanes: Option<Lanes>, // the widest by default
}

impl<'a> View<'a> {
    pub(super) fn of(record: &'a Record, quantity: Quantity) -> Self {
        Self { record, quantity, lanes: None }
    }

    /// The same at one level.
    pub(super) fn at(self, lanes: Lanes) -> Self {
        Self { lanes: Some(lanes), ..self }
    }

    /// Ours, asked this way.
    pub(super) fn ours(self, family: &str, mode: Mode, nodes: usize) -> Option<f64> {
        self.least((family, Role::Ours, Some(mode)), nodes).map(|figure| figure.value.median)
    }

    /// The floor, asked this way.
    pub(super) fn floor(self, family: &str, mode: Mode, nodes: usize) -> Option<f64> {
        self.least((family, Role::Floor, Some(mode)), nodes).map(|figure| figure.value.median)
    }

    /// The floor that ours is held against: for a batch the lesser of its own and of
    /// that key by key.
    pub(super) fn bound(self, family: &str, mode: Mode, nodes: usize) -> Option<f64> {
        let Self { record, quantity, lanes } = self;
        let mode = Some(mode);
        let asked = Asked { family, role: Role::Floor, mode, quantity, nodes, lanes };
        floor(&record.figures, asked).map(|figure| figure.value.median)
    }

    /// The fastest peer.
    pub(super) fn peer(self, family: &str, nodes: usize) -> Option<&'a Figure> {
        self.least((family, Role::Peer, None), nodes)
    }

    fn least(
        self,
        (family, role, mode): (&str, Role, Option<Mode>),
        nodes: usize,
    ) -> Option<&'a Figure> {
        let Self { record, quantity, lanes } = self;
        least(&record.figures, Asked { family, role, mode, quantity, nodes, lanes })
    }
}

/// One number as a multiple of another, if both are there.
pub(super) fn times(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    Some(a? / b?)
}

/// How ours are asked, and the words for it.
pub(super) const MODES: [(Mode, &str); 2] = [(Mode::One, "one key"), (Mode::Batch, "batch")];

//! [`Evenness`]: what the loads of nodes are worth as figures.

use serde::{Deserialize, Serialize};

/// How even the loads of the nodes are after a change, beyond their coefficient of
/// variation; drained nodes left out.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Evenness {
    /// The coefficient of variation without what the sampling of keys adds to it,
    /// at least 0; as counted where the row is exact.
    pub cv_corrected: f64,
    /// The lower end of the 95 % interval of the peak-to-mean; the figure itself
    /// unless sampled.
    pub peak_to_mean_low: f64,
    /// The upper end of it.
    pub peak_to_mean_high: f64,
    /// The Gini coefficient of the loads, in `0..=1`; 0 is even.
    pub gini: f64,
    /// The chi-square statistic of the shares against the ideal ones; none where
    /// the row is exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chi_square: Option<f64>,
    /// How likely shares as far from the ideal ones are by chance alone, in `0..=1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chi_square_p: Option<f64>,
    /// What that comes to, in a word.
    pub verdict: Verdict,
}

/// Whether keys fall on nodes as their weights ask.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The shares are those of all positions: there is no chance to tell them from.
    Exact,
    /// Chance alone explains the shares.
    Even,
    /// Chance alone would do this in less than 1 of 100 cases.
    Uneven,
    /// Some node is due fewer than 5 keys, and the test says nothing.
    TooFew,
}

impl Verdict {
    /// The word for it in tables.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Even => "even",
            Self::Uneven => "uneven",
            Self::TooFew => "too few",
        }
    }

    /// The name in JSON and CSV.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::TooFew => "too_few",
            other => other.word(),
        }
    }
}

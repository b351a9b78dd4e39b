//! The worked examples of the articles and papers that the families come from.
//!
//! Values were computed by the articles' own programs, or follow from a formula that
//! the comment states.

mod ketama;
mod ring;
mod tables;

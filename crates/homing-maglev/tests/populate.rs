//! The published algorithm over permutations that are given.

use homing_core::Error;
use homing_maglev::populate;

const B0: (u32, u32) = (3, 4);
const B1: (u32, u32) = (0, 2);
const B2: (u32, u32) = (3, 1);

#[test]
fn the_example_of_the_paper_comes_out() {
    // Eisenbud et al. 2016, section 3.4, table 1.
    assert_eq!(populate(7, &[B0, B1, B2]).unwrap(), [1, 0, 1, 0, 2, 2, 0]);
}

#[test]
fn the_example_of_the_paper_without_its_second_node_comes_out() {
    // Eisenbud et al. 2016, section 3.4, table 1; place 1 is now B2.
    assert_eq!(populate(7, &[B0, B2]).unwrap(), [0, 0, 0, 0, 1, 1, 1]);
}

#[test]
fn the_turns_are_in_the_order_given() {
    // cases.md, C25: the table of the reversed order, B2 B1 B0 at places 0, 1, 2.
    assert_eq!(populate(7, &[B2, B1, B0]).unwrap(), [1, 2, 1, 0, 2, 0, 0]);
}

#[test]
fn c26_a_table_that_would_not_fill_is_refused() {
    let error = populate(8, &[(0, 4), (1, 2)]).unwrap_err();
    assert_eq!(error.to_string(), "entries is 8, but must be a prime");
}

#[test]
fn more_nodes_than_entries_leave_the_last_without_any() {
    // By hand: the first two nodes take the two entries.
    assert_eq!(populate(2, &[(1, 1), (1, 1), (0, 1)]).unwrap(), [1, 0]);
}

#[test]
fn permutations_that_are_all_alike_fill_the_table() {
    // By hand: each turn takes the next entry.
    assert_eq!(populate(5, &[(3, 1), (3, 1)]).unwrap(), [0, 1, 0, 0, 1]);
}

#[test]
fn unsound_permutations_are_refused() {
    let refused = |permutations: &[(u32, u32)]| populate(7, permutations).unwrap_err().to_string();
    assert_eq!(refused(&[B0, (7, 1)]), "offset is 7, but must be below 7");
    assert_eq!(refused(&[B0, (0, 0)]), "skip is 0, but must be from 1 to 6");
    assert_eq!(refused(&[B0, (0, 7)]), "skip is 7, but must be from 1 to 6");
    assert_eq!(populate(7, &[]), Err(Error::NoNodes));
}

//! [`Origin`], what stands behind the parameters of a family.

use crate::Error;

/// Where the parameters of a family are from, for whoever must mend them.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum Origin {
    /// The command line, or nothing was asked.
    #[default]
    Flags,
    /// A table of a scenario.
    Scenario {
        /// The file, as it was given.
        file: String,
        /// The line where the table begins, from 1.
        line: u64,
    },
    /// The manifest that gave the members.
    Manifest {
        /// The file, as it was given.
        file: String,
    },
}

impl Origin {
    /// The error, with the file and the line of the parameters if they have one.
    #[must_use]
    pub fn located(&self, error: Error) -> Error {
        match (self, error) {
            (Self::Flags, error) | (_, error @ Error::Input { .. }) => error,
            (Self::Scenario { file, line }, error) => Error::in_line(file, *line, error),
            (Self::Manifest { file }, error) => Error::in_file(file, error),
        }
    }
}

//! The binary `homing`: parse, run, exit code.

use std::io::{self, Write};
use std::process::ExitCode;

use homing_harness::Error;
use homing_harness::cmd::{Status, usage};

fn main() -> ExitCode {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let status = usage::run(std::env::args_os(), &mut out);
    // A reader that has gone away is no failure of ours.
    let _ = out.flush();
    match status {
        Ok(Status::Passed) | Err(Error::Closed) => ExitCode::SUCCESS,
        Ok(Status::Failed) => ExitCode::from(1),
        Err(error) => {
            // Where there is nobody to tell, the exit status still does.
            let _ = writeln!(io::stderr(), "homing: {error}");
            ExitCode::from(2)
        }
    }
}

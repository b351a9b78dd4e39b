//! Writes the golden files of the default placements from the oracles.

use homing_tests::golden;

fn main() -> std::io::Result<()> {
    for family in golden::FILES {
        let path = golden::path(family);
        std::fs::write(&path, golden::text(family))?;
        println!("{}", path.display());
    }
    Ok(())
}

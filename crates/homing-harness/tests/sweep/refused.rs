//! What is refused: exit status 2, nothing on standard output, and one line.

use std::path::Path;

use crate::sweep_in;

#[track_caller]
fn refuses(arguments: &[&str], told: &str) {
    let output = sweep_in(Path::new("."), arguments).assert().code(2);
    let output = output.get_output();
    assert!(output.stdout.is_empty(), "{arguments:?} prints an answer");
    let error = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(error.trim_end(), format!("homing: {told}"));
}

#[test]
fn a_parameter_that_the_family_does_not_have() {
    let run = |family, parameter| ["--family", family, "--parameter", parameter];
    refuses(&run("ring", "entries"), "ring: parameter is \"entries\", but must be points or seed");
    refuses(&run("modulo", "points"), "modulo: parameter is \"points\", but must be seed");
    refuses(&run("slots", "seed"), "slots has no parameter to sweep");
    let preset = "ring:preset=groupcache,replicas=7";
    refuses(&run(preset, "points"), &format!("{preset} has no parameter to sweep"));
    // SHA-256 takes no seed.
    let told = "ring: parameter is \"seed\", but must be points";
    refuses(&run("ring:hash=sha256", "seed"), told);
}

#[test]
fn values_that_are_none() {
    let run = |values| ["--family", "maglev", "--values", values];
    let rule =
        "whole numbers from 0 to 18446744073709551615 with commas between them, or FIRST..LAST";
    let great = "18446744073709551616";
    refuses(&run(great), &format!("values is \"{great}\", but must be {rule}"));
    refuses(&run("x"), &format!("values is \"x\", but must be {rule}"));
    refuses(&run("1,,2"), &format!("values is \"\", but must be {rule}"));
    let rule = "FIRST..LAST, the first not above the last";
    refuses(&run("9..3"), &format!("values is \"9..3\", but must be {rule}"));
    refuses(&run("1009,65536"), "entries is 65536, but must be a prime");
    let told = "values is 24..28 of entries, but must be a range that holds one of its values";
    refuses(&run("24..28"), told);
    let run = ["--family", "ring", "--parameter", "seed", "--values", "0..1000"];
    refuses(&run, "values is 0..1000, but must be at most 1000 seeds");
    refuses(
        &["--family", "ring", "--values", "0"],
        "points is 0, but must be from 1 to 4294967295",
    );
}

#[test]
fn targets_that_are_none() {
    let run = |flag, value| ["--family", "ring", flag, value];
    refuses(&run("--target-cv=-1", "--seeds=1"), "target-cv is -1, but must be a number from 0 up");
    refuses(&run("--target-cv", "nan"), "target-cv is NaN, but must be a number from 0 up");
    refuses(&run("--target-peak", "0.5"), "target-peak is 0.5, but must be a number from 1 up");
    let rule = "a size from 1 B to 2^53 B: 65536, 64KiB or 16MB";
    refuses(&run("--max-memory", "1kb"), &format!("max-memory is \"1kb\", but must be {rule}"));
    refuses(&run("--max-memory", "0"), &format!("max-memory is \"0\", but must be {rule}"));
    refuses(&run("--seeds", "0"), "seeds is \"0\", but must be a whole number from 1 to 10000");
}

#[test]
fn no_family() {
    let families = "modulo, ring, slots, maglev, rendezvous, jump";
    let rule = format!("one of {families}, or of a --preset where there is that flag");
    refuses(&[], &format!("family is not given, but must be {rule}"));
}

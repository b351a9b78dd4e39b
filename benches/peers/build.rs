//! Tells the program which compiler and which profile it is built with.

use std::env;
use std::process::Command;

fn main() {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc)
        .arg("--version")
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .unwrap_or_default();
    println!("cargo::rustc-env=PEERS_RUSTC={}", version.trim());
    println!("cargo::rustc-env=PEERS_PROFILE={}", env::var("PROFILE").unwrap_or_default());
    println!("cargo::rerun-if-changed=build.rs");
}

//! The configuration through serde.
#![cfg(feature = "serde")]

use homing_core::{Build, KeyHash, Manifest, Members, Placement};
use homing_maglev::{Config, Maglev};

fn read(json: &str) -> Result<Config, String> {
    serde_json::from_str(json).map_err(|error| error.to_string())
}

#[test]
fn what_is_left_out_is_the_default() {
    assert_eq!(read("{}"), Ok(Config::default()));
    let config = Config { hash: KeyHash::Xxh3 { seed: 42 }, ..Config::default() };
    assert_eq!(read(r#"{"hash":"xxh3:42"}"#), Ok(config.clone()));
    assert_eq!(serde_json::to_string(&config).unwrap(), r#"{"hash":"xxh3:42","entries":65537}"#);
}

#[test]
fn unknown_fields_are_named() {
    let error = read(r#"{"size":7}"#).unwrap_err();
    assert!(
        error.starts_with("unknown field `size`, expected one of `hash`, `entries`"),
        "{error}"
    );
}

#[test]
fn a_manifest_builds_the_layout_again() {
    let config = Config { entries: 251, ..Config::default() };
    let maglev = Maglev::build(config, Members::named(["a", "b"]).unwrap()).unwrap();
    let json = serde_json::to_string(&Manifest::of(&maglev, 0)).unwrap();
    let manifest: Manifest<Config> = serde_json::from_str(&json).unwrap();
    let again: Maglev = manifest.build().unwrap();
    assert_eq!(again.fingerprint(), maglev.fingerprint());
    assert!(again.table().eq(maglev.table()));
}

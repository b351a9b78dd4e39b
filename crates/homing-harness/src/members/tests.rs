use super::*;

fn shown(name: &str, text: &str) -> Vec<(String, u32, Option<String>)> {
    let given = parse(name, text.as_bytes()).unwrap();
    given
        .members
        .iter_by_index()
        .map(|(_, node)| {
            let zone = node.zone.as_ref().map(|zone| zone.as_str().to_owned());
            (node.id.as_str().to_owned(), node.weight, zone)
        })
        .collect()
}

fn ids(name: &str, text: &str) -> Vec<String> {
    shown(name, text).into_iter().map(|(id, ..)| id).collect()
}

fn refusal(name: &str, text: impl AsRef<[u8]>) -> String {
    let message = parse(name, text.as_ref()).unwrap_err().to_string();
    assert!(!message.contains(char::is_control), "{message:?}");
    message
}

fn expected() -> Vec<(String, u32, Option<String>)> {
    vec![("b".into(), 1, None), ("a".into(), 3, Some("z1".into())), ("c".into(), 0, None)]
}

const TOML: &str = "[[node]]\nid = 'b'\n[[node]]\nid = 'a'\nweight = 3\nzone = 'z1'\n\
                    [[node]]\nid = 'c'\nweight = 0\n";
const NODES: &str = r#"[{"id": "b"}, {"id": "a", "weight": 3, "zone": "z1"},
                       {"zone": null, "id": "c", "weight": 0}]"#;

#[test]
fn toml_and_json_tell_id_weight_and_zone_in_order() {
    assert_eq!(shown("m.toml", TOML), expected());
    assert_eq!(shown("m.json", NODES), expected());
    assert_eq!(shown("m.json", &format!("{{\"node\": {NODES}}}")), expected());
}

#[test]
fn the_form_is_told_by_the_content_where_the_name_does_not() {
    assert_eq!(shown("members", TOML), expected());
    assert_eq!(shown("members", &format!("# ours\n\n# really\n{TOML}")), expected());
    assert_eq!(shown("members", &TOML.replace("[[node]]", " [[ node ]]")), expected());
    assert_eq!(shown("members", &format!("\u{feff}\n {NODES}")), expected());
    assert_eq!(shown("members", &format!("\n{{\"node\": {NODES}}}")), expected());
}

#[test]
fn any_other_text_is_an_id_a_line() {
    assert_eq!(ids("members", "b\na\r\n\n  \nc"), ["b", "a", "c"]);
    assert_eq!(ids("members", " b \n#a\n"), [" b ", "#a"]);
    assert_eq!(ids("m.txt", "[::1]:6379\n[::2]:6379\n"), ["[::1]:6379", "[::2]:6379"]);
    assert_eq!(ids("m.txt", "#1\n[x]\n"), ["#1", "[x]"]);
}

#[test]
fn a_manifest_gives_members_and_what_else_it_states() {
    let text = format!(
        r#"{{"version": 1, "epoch": 4, "family": "ring", "config": {{"points": 7}},
            "members": {NODES}, "fingerprint": "00000000000000ff"}}"#
    );
    assert_eq!(shown("m", &text), expected());
    let stated = parse("m", text.as_bytes()).unwrap().manifest.unwrap();
    assert_eq!((&stated.family[..], &stated.config["points"]), ("ring", &Value::from(7)));
    assert_eq!(stated.fingerprint.to_string(), "00000000000000ff");
    let newer = text.replace("\"version\": 1", "\"version\": 2");
    assert_eq!(refusal("m", newer), "m: version is 2, but must be 1");
    let more = text.replace("\"epoch\"", "\"epok\"");
    assert!(refusal("m", more).starts_with("m:1: unknown field \"epok\", but the fields are "));
}

#[test]
fn a_weight_that_is_none_is_named_with_its_node() {
    let rule = "but must be a whole number from 0 to 4294967295";
    let cases = [
        ("nan", "NaN"),
        ("inf", "inf"),
        ("-1", "-1"),
        ("0.5", "0.5"),
        ("4294967296", "4294967296"),
        ("18446744073709551616", "18446744073709551616"),
        ("'3'", "\"3\""),
        ("true", "true"),
        ("[1]", "a list"),
        ("{ a = 1 }", "a table"),
    ];
    for (weight, given) in cases {
        let text = format!("[[node]]\nid = \"a\\u001b\"\nweight = {weight}\n");
        let message = format!("m.toml:1: the weight of node \"a\\u{{1b}}\" is {given}, {rule}");
        assert_eq!(refusal("m.toml", text), message);
    }
    for (weight, given) in [("-1", "-1"), ("1e300", "1e300"), ("null", "null"), ("0.5", "0.5")] {
        let text = format!(r#"[{{"weight": {weight}, "id": "a"}}]"#);
        let message = format!("m.json:1: the weight of node \"a\" is {given}, {rule}");
        assert_eq!(refusal("m.json", text), message);
    }
}

#[test]
fn a_number_that_no_float_holds_is_refused() {
    for weight in ["1e400", "-1e400", "99999999999999999999999999999999999999999999"] {
        let toml = refusal("m.toml", format!("[[node]]\nid = 'a'\nweight = {weight}\n"));
        assert!(toml.starts_with("m.toml"), "{toml}");
        let json = refusal("m.json", format!(r#"[{{"id": "a", "weight": {weight}}}]"#));
        assert!(json.starts_with("m.json"), "{json}");
    }
}

#[test]
fn whole_weights_at_the_ends_of_the_range_are_taken() {
    for (text, weight) in [("4294967295", u32::MAX), ("2.0", 2)] {
        let json = format!(r#"[{{"id": "a", "weight": {text}}}]"#);
        assert_eq!(shown("m.json", &json), [("a".into(), weight, None)]);
        let toml = format!("[[node]]\nid = 'a'\nweight = {text}");
        assert_eq!(shown("m.toml", &toml), [("a".into(), weight, None)]);
    }
}

#[test]
fn an_unknown_field_is_named_with_those_that_exist() {
    let fields = "but the fields are id, weight, zone, label, host, port, alias, server_id, \
                  hash_key, tokens, data_centre, rack";
    assert_eq!(
        refusal("m.toml", "[[node]]\nid = 'a'\nwieght = 2\n"),
        format!("m.toml:3: unknown field \"wieght\", {fields}")
    );
    assert_eq!(
        refusal("m.json", "[{\"id\": \"a\",\n\"x\\u001b\": 2}]"),
        format!("m.json:2: unknown field \"x\\u{{1b}}\", {fields}")
    );
    assert_eq!(
        refusal("m.toml", "[[node]]\nid = 'a'\n[other]\n"),
        "m.toml:3: unknown field \"other\", but the fields are node"
    );
    assert_eq!(
        refusal("m.json", "{\"node\": [], \"x\": 1}"),
        "m.json:1: unknown field \"x\", but the fields are node"
    );
}

#[test]
fn an_object_that_is_no_membership_is_told_what_is_missing() {
    let rule = "but must have node, or members as a manifest has";
    assert_eq!(refusal("m", "{}"), format!("m: found no fields, {rule}"));
    assert_eq!(refusal("m", "{\"nodes\": []}"), format!("m: found \"nodes\", {rule}"));
}

#[test]
fn what_is_no_toml_or_json_is_refused_with_its_line() {
    assert!(refusal("m.toml", "[[node]]\nid = 'a'\nid = 'b'\n").starts_with("m.toml:3: "));
    assert!(refusal("m.toml", "a\nb\n").starts_with("m.toml:1: "));
    assert!(refusal("m.toml", "[[node]]\nweight = 1\n").starts_with("m.toml:1: missing field"));
    assert!(refusal("m.json", "[{\"id\": \"a\"},\n").starts_with("m.json:2: "));
    assert!(refusal("m.json", "[{\"id\": \"a\"}] x").starts_with("m.json:1: "));
    assert!(refusal("m.json", "[\"a\"]").starts_with("m.json:1: found string \"a\", but must be"));
    assert!(refusal("m.json", "").starts_with("m.json:1: "));
    assert!(refusal("m.json", "[".repeat(100_000)).starts_with("m.json:1: "));
    assert!(refusal("m.json", "{\"a\":".repeat(100_000)).starts_with("m.json:1: "));
    assert!(
        refusal("m.toml", "node = ".to_owned() + &"[".repeat(100_000)).starts_with("m.toml:1: ")
    );
}

#[test]
fn an_unsound_membership_is_refused_with_the_file() {
    let nobody = "no nodes: at least one must have a weight above 0";
    assert_eq!(refusal("m", ""), format!("m: {nobody}"));
    assert_eq!(refusal("m", "\n \n"), format!("m: {nobody}"));
    assert_eq!(refusal("m.toml", ""), format!("m.toml: {nobody}"));
    assert_eq!(refusal("m.json", "[]"), format!("m.json: {nobody}"));
    assert_eq!(refusal("m.json", "[{\"id\":\"a\",\"weight\":0}]"), format!("m.json: {nobody}"));
    assert!(refusal("m.json", "[{\"id\":\"\"}]").starts_with("m.json: id is \"\", but must be"));
}

#[test]
fn a_node_that_cannot_be_is_told_with_its_line() {
    let twice = "node \"a\" is a member already";
    assert_eq!(refusal("m", "a\n\nb\na\n"), format!("m:4: {twice}"));
    let toml = "[[node]]\nid = 'a'\n[[node]]\nid = 'b'\n\n[[node]]\nid = 'a'\n";
    assert_eq!(refusal("m.toml", toml), format!("m.toml:6: {twice}"));
    assert_eq!(
        refusal("m.toml", "node = [{ id = 'a' },\n{ id = 'a' }]"),
        format!("m.toml:2: {twice}")
    );
    // The reader of JSON knows lines only while it reads.
    assert_eq!(refusal("m.json", "[{\"id\":\"a\"},\n{\"id\":\"a\"}]"), format!("m.json: {twice}"));
    let empty = "id is \"\", but must be at least one byte long";
    assert_eq!(refusal("m.toml", toml.replace("'b'", "''")), format!("m.toml:3: {empty}"));
    let weight = "the weight of node \"b\" is -1, but must be a whole number from 0 to 4294967295";
    let light = toml.replace("'b'", "'b'\nweight = -1");
    assert_eq!(refusal("m.toml", light), format!("m.toml:3: {weight}"));
    let light = "[{\"id\":\"a\"},\n{\"id\":\"b\",\"weight\":-1}]";
    assert_eq!(refusal("m.json", light), format!("m.json:2: {weight}"));
}

#[test]
fn a_node_is_a_table_and_no_list_of_its_fields() {
    let told = "found a list, but must be a table of fields";
    assert_eq!(refusal("m.json", "[[\"a\", 1, null]]"), format!("m.json:1: {told}"));
    assert_eq!(refusal("m.json", "{\"node\": [[\"a\", 1, null]]}"), format!("m.json:1: {told}"));
    assert_eq!(refusal("m.toml", "node = [['a', 1]]"), format!("m.toml:1: {told}"));
    let manifest = r#"{"version": 1, "epoch": 4, "family": "jump", "config": {},
        "members": [["a", 1, null]], "fingerprint": "00000000000000ff"}"#;
    assert_eq!(refusal("m.json", manifest), format!("m.json:2: {told}"));
}

#[test]
fn a_field_of_a_configuration_stands_once() {
    let manifest = r#"{"version": 1, "epoch": 4, "family": "ring",
        "config": {"points": 3, "points": 4},
        "members": [{"id": "a"}], "fingerprint": "00000000000000ff"}"#;
    assert_eq!(refusal("m", manifest), "m:2: config has the field \"points\" twice");
}

#[test]
fn free_indices_of_a_manifest_stay_free() {
    let manifest = r#"{"version": 1, "epoch": 4, "family": "jump", "config": {},
        "members": [{"id": "a"}, null, {"id": "c"}], "fingerprint": "00000000000000ff"}"#;
    let members = parse("m", manifest.as_bytes()).unwrap().members;
    assert_eq!((members.len(), members.index_bound()), (2, 3));
}

#[test]
fn a_name_of_another_form_is_refused_with_those_that_are_read() {
    for name in ["m.csv", "m.CSV", "m.tsv", "m.yaml", "m.yml"] {
        let told = refusal(name, "a\nb\n");
        let form = name[1..].to_lowercase();
        assert!(told.starts_with(&format!("{name}: members are not read from {form}, ")), "{told}");
        assert!(["(.toml)", "(.json)", "one id a line"].iter().all(|part| told.contains(part)));
    }
    assert_eq!(ids("csv", "a\nb\n"), ["a", "b"]);
}

#[test]
fn what_is_not_utf8_is_refused_with_its_line() {
    assert_eq!(refusal("m", b"a\ncaf\xe9\r\nb"), "m:2: found \"caf\\xe9\", but must be UTF-8");
    for (bytes, name) in [(&b"\xff\xfea\0\n\0"[..], "m"), (b"\xfe\xff\0[", "m.toml")] {
        let told = format!("{name}:1: found the mark of UTF-16, but must be UTF-8");
        assert_eq!(refusal(name, bytes), told);
    }
    assert_eq!(
        refusal("m", b"a\nb\0\n\0"),
        "m:2: found a NUL, as UTF-16 has, but must be UTF-8 without"
    );
}

#[test]
fn nodes_are_named_by_their_number() {
    let members = Given::named(3).unwrap().members;
    let ids: Vec<_> = members.iter_by_index().map(|(_, node)| node.id.as_str()).collect();
    assert_eq!(ids, ["node-0", "node-1", "node-2"]);
    assert!(Given::named(0).is_err());
    assert_eq!(
        Given::named(usize::MAX).unwrap_err().to_string(),
        format!("nodes is {}, but must be from 1 to 10000000", usize::MAX)
    );
}

#[test]
fn a_missing_file_and_a_folder_are_named_with_the_systems_reason() {
    let folder = tempfile::tempdir().unwrap();
    let message = read(folder.path()).unwrap_err().to_string();
    assert_eq!(message, format!("{}: is a directory", folder.path().display()));
    let missing = folder.path().join("none");
    let message = read(&missing).unwrap_err().to_string();
    assert_eq!(message, format!("{}: no such file or directory", missing.display()));
}

//! What serde, TOML and JSON say of a text, in the form of our own messages: what
//! was found, and what must stand there.

use super::{lower_first, quoted};

/// The least and the greatest 64-bit float, as a range.
const FLOATS: &str = "a number from -1.7976931348623157e308 to 1.7976931348623157e308";

/// The least and the greatest whole number of 64 bits, with a sign or without.
const WHOLES: &str = "a whole number from -9223372036854775808 to 18446744073709551615";

const VALUES: &str = "a number, true, false, a text in quotes, a list or a table";

/// Returns what serde says of a value.
pub(crate) fn in_our_words(message: &str) -> String {
    let message = message.replace('\n', ", ");
    for opening in ["invalid type: ", "invalid value: "] {
        if let Some((found, allowed)) = expected(message.strip_prefix(opening)) {
            return but(&bare(found), &in_full(allowed));
        }
    }
    if let Some((count, allowed)) = expected(message.strip_prefix("invalid length ")) {
        return but(&format!("a list of {count}"), &in_full(allowed));
    }
    for (opening, kind) in [("unknown field `", "field"), ("unknown variant `", "value")] {
        if let Some((name, rest)) =
            message.strip_prefix(opening).and_then(|rest| rest.rsplit_once("`, expected "))
        {
            let known = rest.strip_prefix("one of ").unwrap_or(rest).replace('`', "");
            let known = known.replace(" or ", ", ");
            return format!(
                "unknown {kind} {}, but the {kind}s are {known}",
                quoted(name.as_bytes())
            );
        }
    }
    let named = |opening| message.strip_prefix(opening).and_then(|rest| rest.strip_suffix('`'));
    if let Some(name) = named("missing field `") {
        return format!("missing field {}", quoted(name.as_bytes()));
    }
    if let Some(name) = named("duplicate field `") {
        return format!("field {} {TWICE}", quoted(name.as_bytes()));
    }
    lower_first(&message)
}

/// Returns what TOML says of a place where `found` stands.
pub(super) fn of_toml(message: &str, found: &str) -> String {
    let line = found.lines().next().unwrap_or_default();
    let place = if line.is_empty() { "nothing".to_owned() } else { quoted(line.as_bytes()) };
    let (what, allowed) = message.split_once(", expected ").unwrap_or((message, ""));
    match what {
        // A date comes as a table with a field of its own.
        "invalid type: map" if line.starts_with(|c: char| c.is_ascii_digit()) => {
            but("a date or a time", &in_full(allowed))
        }
        "duplicate key" => format!("field {place} {TWICE}"),
        "floating-point number overflowed" => but(&place, FLOATS),
        // Beyond 128 bits TOML does not ask the field what it may be.
        "integer number overflowed" => but(&place, WHOLES),
        // Parameters of families are kept as JSON has them.
        "JSON number out of range" => but("a number out of range", WHOLES),
        "wanted string or table" => but(&place, "a text in quotes"),
        "string values must be quoted" => but(&place, VALUES),
        "invalid boolean" => but(&place, "true or false"),
        "unexpected key or value" => "text after the end of a value or a header, \
                                      but must be on a line of its own"
            .to_owned(),
        "unexpected leading zero" => {
            "a number begins with 0, but must be without leading zeros".to_owned()
        }
        "missing escaped value" => format!("an escape in a text, but must be one of {allowed}"),
        "cannot recurse further; max recursion depth met" => {
            "lists and tables stand too deep in each other, but must be at most 80 deep".to_owned()
        }
        "invalid basic string" | "invalid literal string" if allowed.len() == 3 => {
            format!("a text is not closed, but must end with {allowed}")
        }
        _ if allowed == "nothing" => lower_first(what),
        _ if allowed.is_empty() || SERDE.iter().any(|opening| what.starts_with(opening)) => {
            in_our_words(message)
        }
        _ => match what.strip_prefix("invalid ") {
            Some(kind) => format!("no {kind}, but must have {allowed}"),
            None => format!("{}, but must have {allowed}", lower_first(what)),
        },
    }
}

/// Returns what JSON says.
pub(crate) fn of_json(message: &str) -> String {
    let said = match message {
        "EOF while parsing a value" => "EOF where a value must stand",
        "EOF while parsing a list" => "EOF within a list, but must have `]` after it",
        "EOF while parsing an object" => "EOF within a table, but must have `}` after it",
        "EOF while parsing a string" => "EOF within a text, but must have `\"` after it",
        "expected value" => return but("no value", VALUES),
        "expected ident" => return but("a word", "true, false or null"),
        "expected `:`" => "the name of a field has no `:` after it, but must have",
        "expected `,` or `]`" => "a value in a list must have `,` or `]` after it",
        "expected `,` or `}`" => "a field must have `,` or `}` after it",
        "key must be a string" => "the name of a field must be in quotes",
        "trailing comma" => "a `,` must have another value or field after it",
        "trailing characters" => "text after the value, but must be one value",
        "number out of range" => return but("a number out of range", FLOATS),
        "invalid number" => return but("no number", "a number as 12, -0.5 or 1e3"),
        "invalid escape" => {
            "an escape in a text must be one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"
        }
        "unexpected end of hex escape" | "lone leading surrogate in hex escape" => {
            "half of a surrogate pair in a text, but must be both halves"
        }
        "recursion limit exceeded" => {
            "lists and tables stand too deep in each other, but must be at most 127 deep"
        }
        _ if message.starts_with("control character") => {
            "a control character in a text, but must be escaped"
        }
        _ => return in_our_words(message),
    };
    said.to_owned()
}

const TWICE: &str = "is given twice, but must be once";

/// What the messages begin with that serde gives on its own account.
const SERDE: [&str; 5] =
    ["invalid type: ", "invalid value: ", "invalid length ", "unknown field ", "unknown variant "];

fn expected(rest: Option<&str>) -> Option<(&str, &str)> {
    rest?.rsplit_once(", expected ")
}

fn but(found: &str, allowed: &str) -> String {
    format!("found {found}, but must be {allowed}")
}

/// Returns what serde calls a value it found, without its name for the type.
fn bare(found: &str) -> String {
    let number = ["integer `", "floating point `", "boolean `"]
        .iter()
        .find_map(|kind| found.strip_prefix(kind)?.split_once('`'));
    match (number, found) {
        (Some((number, _)), _) => number.to_owned(),
        (None, "map") => "a table".to_owned(),
        (None, "sequence") => "a list".to_owned(),
        (None, other) => other.to_owned(),
    }
}

/// Returns what serde calls an expected type, in words.
fn in_full(allowed: &str) -> String {
    let said = match allowed {
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number from 0 to 18446744073709551615",
        "f64" => "a number",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "a map" => "a table",
        "a string" => "a text",
        "path string" => "the name of a file",
        "fewer elements in array" => "a shorter list",
        _ if allowed.starts_with("struct ") => "a table of fields",
        _ => match allowed.strip_prefix("a tuple of size ") {
            Some(size) => return format!("a list of {size}"),
            None => allowed,
        },
    };
    said.to_owned()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use serde::Deserialize;

    use super::*;
    use crate::Error;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only what is refused is looked at")]
    struct Fields {
        count: Option<u32>,
        part: Option<f64>,
        file: Option<PathBuf>,
        list: Option<Vec<u64>>,
        range: Option<(u16, u16, String)>,
        spread: Option<crate::scenario::Apart>,
        node: Option<Named>,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only what is refused is looked at")]
    struct Named {
        id: String,
    }

    #[track_caller]
    fn toml(text: &str, told: &str) {
        let error = toml::from_str::<Fields>(text).unwrap_err();
        assert_eq!(Error::from_toml("f", text, &error).to_string(), format!("f:{told}"), "{text}");
    }

    #[track_caller]
    fn json(text: &str, told: &str) {
        let error = serde_json::from_str::<Fields>(text).unwrap_err();
        assert_eq!(Error::from_json("f", &error).to_string(), format!("f:{told}"), "{text}");
    }

    #[test]
    fn messages_of_serde_are_said_in_our_words() {
        assert_eq!(
            in_our_words("unknown field `wieght`, expected one of `id`, `weight`, `zone`"),
            "unknown field \"wieght\", but the fields are id, weight, zone"
        );
        assert_eq!(
            in_our_words("unknown field `a\n\u{1b}`, expected `node`"),
            "unknown field \"a, \\u{1b}\", but the fields are node"
        );
        assert_eq!(
            in_our_words("invalid type: string \"x\", expected u64"),
            "found string \"x\", but must be a whole number from 0 to 18446744073709551615"
        );
        assert_eq!(
            in_our_words("invalid length 4, expected fewer elements in array"),
            "found a list of 4, but must be a shorter list"
        );
        assert_eq!(in_our_words("Expected something"), "expected something");
    }

    #[test]
    fn a_value_of_another_type_is_told_without_names_of_types() {
        toml("list = 2024-01-01", "1: found a date or a time, but must be a list");
        toml("list = {}", "1: found a table, but must be a list");
        toml("range = [1, 2]", "1: found a list of 2, but must be a list of 3");
        toml("range = 3", "1: found 3, but must be a list of 3");
        toml(
            "range = [1, 70000, 'a']",
            "1: found 70000, but must be a whole number from 0 to 65535",
        );
        toml("file = 3", "1: found 3, but must be the name of a file");
        toml("count = 1.5", "1: found 1.5, but must be a whole number from 0 to 4294967295");
        toml("spread = 'no'", "1: unknown value \"no\", but the values are nodes, zones");
        toml("spread = 3", "1: found \"3\", but must be a text in quotes");
        toml("[node]", "1: missing field \"id\"");
        json("{\"file\": []}", "1: found a list, but must be the name of a file");
        json("{\"node\": {\"id\": true}}", "1: found true, but must be a text");
    }

    #[test]
    fn a_field_given_twice_is_named() {
        toml("count = 1\ncount = 2", "2: field \"count\" is given twice, but must be once");
        json(
            "{\"count\": 1,\n\"count\": 1}",
            "2: field \"count\" is given twice, but must be once",
        );
    }

    #[test]
    fn a_number_out_of_range_is_told_with_the_range() {
        toml("\npart = 1e999", &format!("2: found \"1e999\", but must be {FLOATS}"));
        json("{\"part\": 1e999}", &format!("1: found a number out of range, but must be {FLOATS}"));
        let range = "a whole number from 0 to 4294967295";
        toml("count = -1", &format!("1: found -1, but must be {range}"));
        let long = "99999999999999999999999";
        toml(&format!("count = {long}"), &format!("1: found {long}, but must be {range}"));
        let beyond = "9".repeat(40);
        toml(&format!("count = {beyond}"), &format!("1: found {beyond:?}, but must be {WHOLES}"));
    }

    #[test]
    fn what_is_no_toml_is_told_with_what_must_stand_there() {
        toml("count =", &format!("1: found nothing, but must be {VALUES}"));
        toml("file = abc", &format!("1: found \"abc\", but must be {VALUES}"));
        toml("count = tru", "1: found \"tru\", but must be true or false");
        toml("file = \"abc", "1: a text is not closed, but must end with `\"`");
        toml("count", "1: key with no value, but must have `=`");
        toml("list = [", "1: unclosed array, but must have `]`");
        toml("part = 5.", "1: no fraction, but must have digits");
        toml("count = 03", "1: a number begins with 0, but must be without leading zeros");
        toml(
            "[node]]",
            "1: text after the end of a value or a header, but must be on a line of its own",
        );
    }

    #[test]
    fn what_is_no_json_is_told_with_what_must_stand_there() {
        json("", "1: EOF where a value must stand");
        json("{\"list\": [1", "1: EOF within a list, but must have `]` after it");
        json("{", "1: EOF within a table, but must have `}` after it");
        json("{\"list\": @}", &format!("1: found no value, but must be {VALUES}"));
        json("{} {}", "1: text after the value, but must be one value");
        json("{\"count\": 1,}", "1: a `,` must have another value or field after it");
        json("{count: 1}", "1: the name of a field must be in quotes");
        json("{\"count\": 01}", "1: found no number, but must be a number as 12, -0.5 or 1e3");
    }
}

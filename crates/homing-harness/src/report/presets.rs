//! Presets as text, Markdown, CSV and JSON.

use std::fmt::Write as _;

use homing_compat::{Entry, PresetOption};
use serde::Serialize;

use super::table::escape_markdown;
use super::{Format, Table};

const MEMORY: &str = "a vector takes every row";

/// What is told of a preset.
#[derive(Debug, Serialize)]
struct Told {
    name: &'static str,
    family: &'static str,
    agrees_with: &'static str,
    versions: &'static [&'static str],
    hashes: &'static str,
    vectors: Vec<Counted>,
    lookups: usize,
    options: Vec<Setting>,
    limits: Limits,
    differs: &'static [&'static str],
}

/// The vectors in a file.
#[derive(Debug, Serialize)]
struct Counted {
    file: &'static str,
    records: usize,
    lookups: usize,
}

/// What can be set.
#[derive(Debug, Serialize)]
struct Setting {
    name: &'static str,
    default: String,
    must_be: String,
    about: &'static str,
}

/// What the program does not hold.
#[derive(Debug, Serialize)]
struct Limits {
    #[serde(skip_serializing_if = "Option::is_none")]
    label_bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weight: Option<u32>,
}

impl Told {
    fn of(entry: &Entry) -> Self {
        let file = |of: &homing_compat::Vectors| Counted {
            file: of.file,
            records: of.records,
            lookups: of.lookups,
        };
        let setting = |of: &PresetOption| Setting {
            name: of.name,
            default: of.values.default(),
            must_be: of.values.rule(),
            about: of.about,
        };
        Self {
            name: entry.name,
            family: entry.family,
            agrees_with: entry.agrees_with,
            versions: entry.versions,
            hashes: entry.hashes,
            vectors: entry.vectors.iter().map(file).collect(),
            lookups: entry.vectors.iter().map(|of| of.lookups).sum(),
            options: entry.options.iter().map(setting).collect(),
            limits: Limits {
                label_bytes: entry.limits.label,
                nodes: entry.limits.nodes,
                weight: entry.limits.weight,
            },
            differs: entry.differs,
        }
    }

    fn limits(&self) -> Vec<String> {
        let mut limits = Vec::new();
        if let Some(most) = self.limits.label_bytes {
            limits.push(format!("a label of at most {most} bytes"));
        }
        if let Some(most) = self.limits.nodes {
            limits.push(format!("at most {most} nodes"));
        }
        if let Some(most) = self.limits.weight {
            limits.push(format!("weights of at most {most}"));
        }
        limits
    }

    fn records(&self) -> usize {
        self.vectors.iter().map(|of| of.records).sum()
    }
}

/// All of these presets in the form asked for.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "plain data is always JSON")]
pub fn list(entries: &[&Entry], format: Format) -> Vec<u8> {
    let told: Vec<Told> = entries.iter().map(|entry| Told::of(entry)).collect();
    match format {
        Format::Table => table(&told).text().into_bytes(),
        Format::Markdown => table(&told).markdown().into_bytes(),
        Format::Csv => csv(&told),
        Format::Json => {
            let json = serde_json::to_string_pretty(&told).expect("presets are plain data");
            (json + "\n").into_bytes()
        }
    }
}

/// All that is known of one preset in the form asked for.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "plain data is always JSON")]
pub fn one(entry: &Entry, format: Format) -> Vec<u8> {
    let told = Told::of(entry);
    match format {
        Format::Table => sheet(&told).into_bytes(),
        Format::Markdown => {
            let lines = sheet(&told).lines().map(|line| escape_markdown(line) + "  \n").collect();
            String::into_bytes(lines)
        }
        Format::Csv => csv(&[told]),
        Format::Json => {
            let json = serde_json::to_string_pretty(&told).expect("presets are plain data");
            (json + "\n").into_bytes()
        }
    }
}

fn table(told: &[Told]) -> Table {
    let header = ["preset", "family", "agrees with", "records", "lookups", "versions"];
    let mut table = Table::new(header, 3).ending_in_words();
    for of in told {
        table.push(vec![
            of.name.to_owned(),
            of.family.to_owned(),
            of.agrees_with.to_owned(),
            of.records().to_string(),
            of.lookups.to_string(),
            of.versions.join(", "),
        ]);
    }
    table
}

fn csv(told: &[Told]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = ["preset", "family", "agrees_with", "versions", "records", "lookups", "hashes"];
    writer.write_record(header).expect(MEMORY);
    for of in told {
        let (versions, records) = (of.versions.join("; "), of.records().to_string());
        let lookups = of.lookups.to_string();
        let row = [of.name, of.family, of.agrees_with, &versions, &records, &lookups, of.hashes];
        writer.write_record(row).expect(MEMORY);
    }
    writer.into_inner().expect(MEMORY)
}

fn sheet(of: &Told) -> String {
    let mut text = format!("{}: {}\n", of.name, of.agrees_with);
    let mut line = |name: &str, what: &str| {
        let _ = writeln!(text, "{name}: {what}");
    };
    line("family", of.family);
    line("versions", &of.versions.join(", "));
    line("hashed of a node", of.hashes);
    for of in &of.vectors {
        let (records, lookups) = (of.records, of.lookups);
        line("vectors", &format!("{}, {records} records, {lookups} lookups", of.file));
    }
    for of in &of.options {
        let default = if of.default.is_empty() { "nothing" } else { &of.default };
        let what = format!("{}; {} [default: {default}]", of.about, of.must_be);
        line(&format!("option {}", of.name), &what);
    }
    for limit in of.limits() {
        line("holds", &limit);
    }
    for differs in of.differs {
        line("differs", differs);
    }
    text
}

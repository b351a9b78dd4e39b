//! A [`Record`] as a page with charts beside it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::table::{escape_markdown, percent, size, time};
use super::{Table, charts, comparison, steps, words};
use crate::record::{Comparison, LookupTime, PointSpread, Published, Record, StepRun};

/// The line before what is generated.
pub const BEGIN: &str = "<!-- BEGIN: report -->";

/// The line after it.
pub const END: &str = "<!-- END: report -->";

/// A page on which nothing is written yet.
pub const EMPTY: &str = "\
# Report

What each family does in each scenario of a run, and how times and shares grow.

<!-- BEGIN: report -->
<!-- END: report -->
";

/// What a record says: the part of the page between its marks, and the charts.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Report {
    /// Markdown, each line ended.
    pub body: String,
    /// The charts, in order of the page.
    pub charts: Vec<Chart>,
}

/// A picture beside the page.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Chart {
    /// The file in the folder `report`.
    pub file: String,
    /// What is in it.
    pub svg: String,
}

/// Returns the page of a record; equal records have equal pages.
#[must_use]
pub fn report(record: &Record) -> Report {
    let mut report = Report { body: head(record), charts: Vec::new() };
    let mut taken = BTreeSet::new();
    for comparison in &record.comparisons {
        report.scenario(comparison, &slug(&comparison.scenario, &mut taken));
    }
    for run in &record.steps {
        report.steps(run);
    }
    if !record.sweeps.lookup.is_empty() {
        report.lookup(&record.sweeps.lookup);
    }
    if !record.sweeps.spread.is_empty() {
        report.spread(&record.sweeps.spread);
    }
    if !record.published.is_empty() {
        report.published(&record.published);
    }
    report.body.push('\n');
    report
}

/// Returns a page with `body` between its marks, and all else as it was.
///
/// # Errors
///
/// Says what is wrong with the marks, if each does not stand once on a line of
/// its own, in order.
pub fn splice(page: &str, body: &str) -> Result<String, String> {
    let begin = mark(page, BEGIN)?;
    let end = mark(page, END)?;
    let after = begin + page[begin..].find('\n').map_or(BEGIN.len(), |end| end + 1);
    if after > end {
        return Err(format!("has {END} before {BEGIN}, but must have it after"));
    }
    Ok(format!("{}\n{body}{}", page[..after].trim_end_matches(['\r', '\n']), &page[end..]))
}

/// Where the one line is that is this mark.
fn mark(page: &str, mark: &str) -> Result<usize, String> {
    let mut found = None;
    let mut start = 0;
    for line in page.split_inclusive('\n') {
        if line.trim_end() == mark && found.replace(start).is_some() {
            return Err(format!("has the line {mark} twice, but must have it once"));
        }
        start += line.len();
    }
    found.ok_or_else(|| format!("has no line {mark}, but must have it once"))
}

fn head(record: &Record) -> String {
    let machine = &record.machine;
    let mut text = String::from("\n");
    let build = if machine.release { "a release build" } else { "a debug build" };
    let _ = write!(
        text,
        "Measured by {} on {}; printed from the record {} by `homing report`. In a clone `cargo homing` stands for `homing`.\n\n",
        code(&record.command),
        escape_markdown(&record.time),
        code(&record.name),
    );
    let mut table = Table::new(["what", "value"], 2);
    let mut row = |what: &str, value: String| table.push(vec![what.into(), value]);
    row("processor", machine.cpu.clone());
    row("threads", machine.cores.to_string());
    row("memory", size(machine.memory_bytes));
    row("system", format!("{}, {}", machine.os, machine.arch));
    row("compiler", machine.rustc.clone());
    row("program", format!("homing {}, {build}", record.package));
    if let Some(busy) = machine.busy {
        row("busy before the run", format!("{busy:.1} threads on average over a minute"));
    }
    text += &table.markdown();
    if !machine.release {
        text += "\n**The times are those of a debug build, and say nothing of a release build.**\n";
    }
    text +=
        "\nWhat the columns mean, and how each figure is taken, is in [method.md](method.md).\n";
    text
}

impl Report {
    fn scenario(&mut self, of: &Comparison, slug: &str) {
        let _ = write!(self.body, "\n## {}\n\n", escape_markdown(&of.scenario));
        if let Some(about) = &of.about {
            let _ = write!(self.body, "{}\n\n", escape_markdown(about));
        }
        self.body += &comparison::markdown(of);
        let (alt, says) = (words::moved_alt(of), words::moved(of));
        self.chart(format!("{slug}-moved.svg"), charts::moved(of), &alt, &says);
        let (alt, says) = (words::load_alt(of), words::load(of));
        self.chart(format!("{slug}-load.svg"), charts::load(of), &alt, &says);
    }

    fn steps(&mut self, of: &StepRun) {
        let _ = write!(self.body, "\n## {}\n\n", escape_markdown(&of.scenario));
        if let Some(about) = &of.about {
            let _ = write!(self.body, "{}\n\n", escape_markdown(about));
        }
        self.body += &steps::page(of);
    }

    fn lookup(&mut self, times: &[LookupTime]) {
        self.body += "\n## Lookup time against the number of nodes\n\n";
        let single = times.iter().any(|row| row.single.is_some());
        let mut header = vec!["family", "nodes", "lookup", "hash alone"];
        if single {
            header.extend(comparison::LOOKUPS);
        }
        let mut table = Table::new(header, 1);
        for row in times {
            let mut name = row.family.clone();
            if !row.parameters.is_empty() {
                let _ = write!(name, ":{}", row.parameters);
            }
            let mut cells =
                vec![name, row.nodes.to_string(), time(row.lookup_ns), time(row.hash_ns)];
            if single {
                cells.extend(comparison::lookup_cells(row.single, row.throughput));
            }
            table.push(cells);
        }
        self.body += &table.markdown();
        let (alt, says) = (words::lookup_alt(times), words::lookup(times));
        self.chart("lookup.svg".into(), charts::lookup(times), &alt, &says);
    }

    fn spread(&mut self, spreads: &[PointSpread]) {
        self.body += "\n## Spread of shares against points a node\n\n";
        let header =
            ["family", "nodes", "points", "seeds", "least", "median", "greatest", "formula"];
        let mut table = Table::new(header, 1);
        for row in spreads {
            table.push(vec![
                row.family.clone(),
                row.nodes.to_string(),
                row.points.to_string(),
                row.seeds.to_string(),
                percent(row.cv_min),
                percent(row.cv_median),
                percent(row.cv_max),
                percent(row.cv_expected),
            ]);
        }
        self.body += &table.markdown();
        let (alt, says) = (words::spread_alt(spreads), words::spread(spreads));
        self.chart("spread.svg".into(), charts::spread(spreads), &alt, &says);
    }

    fn published(&mut self, results: &[Published]) {
        self.body += "\n## Published results\n\n";
        self.body += words::PUBLISHED;
        let header = ["family", "figure", "published", "measured", "interval", "agrees", "source"];
        let mut table = Table::new(header, 2).ending_in_words();
        for row in results {
            table.push(vec![
                row.family.clone(),
                row.what.clone(),
                format!("{:.4}", row.published),
                format!("{:.4}", row.measured),
                format!("{:.4} to {:.4}", row.low, row.high),
                if row.agrees() { "yes" } else { "no" }.into(),
                row.source.clone(),
            ]);
        }
        self.body += &table.markdown();
    }

    fn chart(&mut self, file: String, svg: String, alt: &str, says: &str) {
        let _ = write!(
            self.body,
            "\n![{}](report/{file})\n\n{}\n",
            escape_markdown(alt),
            escape_markdown(says)
        );
        self.charts.push(Chart { file, svg });
    }
}

/// A text as code: no mark in it means anything, and it stays on one line.
fn code(text: &str) -> String {
    let text = crate::error::printable(text);
    let mut run = 0;
    let mut longest = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A name for files, of lower-case letters, digits and `-`, that no other
/// scenario has.
fn slug(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut slug = String::new();
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.len() == 60 {
            break;
        }
    }
    let slug = match slug.trim_end_matches('-') {
        "" => "scenario".to_owned(),
        slug => slug.to_owned(),
    };
    let names = (1_u32..).map(|i| if i == 1 { slug.clone() } else { format!("{slug}-{i}") });
    let free = names.into_iter().find(|name| !taken.contains(name)).expect("names do not run out");
    taken.insert(free.clone());
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_around_the_marks_is_kept() {
        let page = format!("# A\n\nbefore\n{BEGIN}\nold\n{END}\nafter\n");
        let spliced = splice(&page, "new\n").unwrap();
        assert_eq!(spliced, format!("# A\n\nbefore\n{BEGIN}\nnew\n{END}\nafter\n"));
        assert_eq!(splice(&spliced, "new\n").unwrap(), spliced);
    }

    #[test]
    fn a_page_without_its_marks_is_refused() {
        assert!(splice("# A\n", "").unwrap_err().starts_with("has no line <!-- BEGIN"));
        assert!(splice(&format!("{BEGIN}\n"), "").unwrap_err().starts_with("has no line <!-- END"));
        let turned = format!("{END}\n{BEGIN}\n");
        assert!(splice(&turned, "").unwrap_err().contains("before"));
        let twice = format!("{BEGIN}\n{BEGIN}\n{END}\n");
        assert!(splice(&twice, "").unwrap_err().contains("twice"));
    }

    #[test]
    fn scenarios_of_one_name_have_files_of_their_own() {
        let mut taken = BTreeSet::new();
        let names = ["Growing 8 to 9", "growing: 8/to/9", "../..", "\u{1b}"];
        let slugs = names.map(|name| slug(name, &mut taken));
        assert_eq!(slugs, ["growing-8-to-9", "growing-8-to-9-2", "scenario", "scenario-2"]);
    }

    #[test]
    fn code_cannot_be_left() {
        assert_eq!(code("homing record"), "`homing record`");
        assert_eq!(code("a`b``\n"), "```a`b``\\n```");
        assert_eq!(code("`"), "`` ` ``");
    }
}

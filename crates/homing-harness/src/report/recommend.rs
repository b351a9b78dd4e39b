//! A [`Recommendation`] as text, Markdown, CSV and JSON: every sentence is made of
//! measured figures and of what a family can do.

mod words;

use std::fmt::Write as _;

use self::words::{loosening, notes, searched, shift};
use super::Table;
use super::table::{counted, escape_markdown, percent, size, time};
use crate::error::printable;
use crate::recommend::{
    Attempt, Candidate, Constraint, Criterion, Ground, Recommendation, Stated, Verdict, Worst,
};
use crate::workload::Load;

const MEMORY: &str = "a vector takes every row";

/// For a terminal.
#[must_use]
pub fn text(answer: &Recommendation) -> String {
    let mut text = String::new();
    for line in heading(answer) {
        let _ = writeln!(text, "{}", printable(&line));
    }
    for (title, table) in tables(answer) {
        let _ = write!(text, "\n{title}\n{}", table.text());
    }
    for (title, lines) in lists(answer) {
        let _ = writeln!(text, "\n{title}");
        for line in lines {
            let _ = writeln!(text, "- {}", printable(&line));
        }
    }
    text
}

/// For a page.
#[must_use]
pub fn markdown(answer: &Recommendation) -> String {
    let mut text = String::new();
    for line in heading(answer) {
        let _ = writeln!(text, "{}  ", escape_markdown(&line));
    }
    for (title, table) in tables(answer) {
        let _ = write!(text, "\n**{title}**\n\n{}", table.markdown());
    }
    for (title, lines) in lists(answer) {
        let _ = writeln!(text, "\n**{title}**\n");
        for line in lines {
            let _ = writeln!(text, "- {}", escape_markdown(&line));
        }
    }
    text
}

/// For a program: the whole answer as one object.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "plain data is always JSON")]
pub fn json(answer: &Recommendation) -> String {
    serde_json::to_string_pretty(answer).expect("an answer is plain data") + "\n"
}

/// For a spreadsheet: a row a verdict.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "a vector takes every row")]
pub fn csv(answer: &Recommendation) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = [
        "place",
        "family",
        "parameters",
        "constraint",
        "by",
        "met",
        "step",
        "figure",
        "noise",
        "limit",
        "ability",
    ];
    writer.write_record(header).expect(MEMORY);
    for (candidate, attempt, verdict) in verdicts(answer) {
        let counts = std::ptr::eq(attempt, candidate.first());
        let place = candidate.place.filter(|_| counts);
        let mut cells = vec![
            place.map_or_else(String::new, |place| place.to_string()),
            attempt.family.clone(),
            attempt.parameters.clone(),
            verdict.constraint.name().to_owned(),
            load_of(verdict).map_or_else(String::new, |load| load.word().to_owned()),
            verdict.met.to_string(),
        ];
        match &verdict.ground {
            Ground::Measured { worst, limit } => {
                cells.push(worst.step.word().to_owned());
                cells.extend([worst.figure, worst.noise, *limit].map(|cell| cell.to_string()));
                cells.push(String::new());
            }
            Ground::Able { ability } => {
                cells.extend([const { String::new() }; 4]);
                cells.push(ability.clone());
            }
        }
        writer.write_record(&cells).expect(MEMORY);
    }
    writer.into_inner().expect(MEMORY)
}

fn verdicts(answer: &Recommendation) -> impl Iterator<Item = (&Candidate, &Attempt, &Verdict)> {
    answer.families.iter().flat_map(|candidate| {
        candidate.attempts.iter().flat_map(move |attempt| {
            attempt.verdicts.iter().map(move |verdict| (candidate, attempt, verdict))
        })
    })
}

/// The load that a verdict is of, where it is of one.
fn load_of(verdict: &Verdict) -> Option<Load> {
    match &verdict.ground {
        Ground::Measured { worst, .. } => worst.by,
        Ground::Able { .. } => None,
    }
}

/// What was asked and measured, in a few lines.
fn heading(answer: &Recommendation) -> Vec<String> {
    let constraints: Vec<String> = answer.constraints.iter().map(stated).collect();
    let steps: Vec<String> = answer
        .steps
        .iter()
        .map(|it| {
            let nodes = counted(it.nodes_after as u64, "node");
            format!("{} ({}: {nodes})", it.step.word(), it.change)
        })
        .collect();
    vec![
        format!("{} now, {} at most", counted(answer.nodes as u64, "node"), answer.most_nodes),
        format!("keys: {}", answer.workload.source),
        format!("judged by: {}", answer.by.word()),
        format!("constraints: {}", constraints.join(", ")),
        format!("measured: {}", steps.join(", ")),
    ]
}

fn stated(it: &Stated) -> String {
    let name = it.constraint.name();
    match &it.value {
        None => name.to_owned(),
        Some(serde_json::Value::String(word)) => format!("{name} {word}"),
        Some(value) => match (Constraint::LIMITS.contains(&it.constraint), value.as_f64()) {
            (true, Some(limit)) => format!("{name}{} {}", of(it.by), shown(it.constraint, limit)),
            _ => format!("{name} {value}"),
        },
    }
}

/// ` by requests`, where a figure is of a load.
fn of(load: Option<Load>) -> String {
    load.map_or_else(String::new, |load| format!(" by {}", load.word()))
}

fn tables(answer: &Recommendation) -> Vec<(String, Table)> {
    let by: Vec<&str> = answer.ranked_by.iter().map(|&it| word(it)).collect();
    let load = answer.by.word();
    let (moved, peak) = (format!("{load} moved above optimal"), format!("peak/mean by {load}"));
    let mut order = Table::new(["place", "family", &moved, &peak, "lookup", "memory"], 2);
    for candidate in &answer.families {
        let Some(place) = candidate.place else { continue };
        let first = candidate.first();
        let cell = |limit| first.worst(limit).map_or("-".into(), |it| shown(limit, it.figure));
        order.push(vec![
            place.to_string(),
            first.label(),
            cell(Constraint::MostExcess),
            cell(Constraint::MostPeak),
            cell(Constraint::MostLookupNs),
            cell(Constraint::MostMemory),
        ]);
    }
    let mut all = Table::new(["family", "verdict", "constraint", "met", "by"], 5);
    for candidate in &answer.families {
        for attempt in &candidate.attempts {
            let verdict = if attempt.is_in() { "in" } else { "out" };
            let mut push = |constraint: &str, met: &str, by: String| {
                let row = [attempt.label().as_str(), verdict, constraint, met].map(str::to_owned);
                all.push(row.into_iter().chain([by]).collect());
            };
            if attempt.verdicts.is_empty() {
                push("-", "-", "no constraint is asked that could put it out".into());
            }
            for verdict in &attempt.verdicts {
                let met = if verdict.met { "yes" } else { "no" };
                push(verdict.constraint.name(), met, ground(verdict));
            }
        }
    }
    let mut tables = Vec::new();
    if answer.families.iter().any(|it| it.place.is_some()) {
        tables.push((format!("Let in, in order of {}", by.join(", ")), order));
    }
    tables.push(("What let each in or put it out".to_owned(), all));
    tables
}

fn lists(answer: &Recommendation) -> Vec<(String, Vec<String>)> {
    let mut lists = Vec::new();
    let searches: Vec<String> =
        answer.families.iter().filter_map(|it| searched(it, answer.by)).collect();
    if !searches.is_empty() {
        lists.push(("Parameters searched for".to_owned(), searches));
    }
    let shifts: Vec<String> = answer.shifts.iter().map(|it| shift(it, answer.by)).collect();
    if !shifts.is_empty() {
        lists.push(("What would change the order".to_owned(), shifts));
    }
    let loosenings: Vec<String> =
        answer.loosenings.iter().map(|it| loosening(it, answer.by)).collect();
    if !loosenings.is_empty() {
        lists.push(("No family is let in. What would let one in".to_owned(), loosenings));
    }
    lists.push(("Notes".to_owned(), notes(answer)));
    lists
}

/// What a verdict is taken from, in words.
fn ground(verdict: &Verdict) -> String {
    match &verdict.ground {
        Ground::Able { ability } => ability.clone(),
        Ground::Measured { worst, limit } => {
            let of = |figure| shown(worst.constraint, figure);
            let mark = if worst.figure <= *limit {
                "<="
            } else if verdict.met {
                "within chance of"
            } else {
                ">"
            };
            format!("{} {mark} {} ({})", measured(worst), of(*limit), worst.step.word())
        }
    }
}

fn measured(worst: &Worst) -> String {
    let (what, figure) = (what(worst.constraint), shown(worst.constraint, worst.figure));
    format!("{what}{} {figure}", of(worst.by))
}

/// What a limit limits.
fn what(limit: Constraint) -> &'static str {
    match limit {
        Constraint::MostExcess => "moved above optimal",
        Constraint::MostStray => "stray",
        Constraint::MostPeak => "peak/mean",
        Constraint::MostLookupNs => "lookup",
        Constraint::MostMemory => "memory",
        other => other.name(),
    }
}

/// A figure in the unit of its limit.
fn shown(limit: Constraint, figure: f64) -> String {
    match limit {
        Constraint::MostExcess | Constraint::MostStray => percent(figure),
        Constraint::MostPeak => format!("{figure:.3}"),
        Constraint::MostLookupNs => time(figure),
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "bytes are whole, and below 2^53"
        )]
        Constraint::MostMemory => match figure as u64 {
            bytes @ ..1024 => size(bytes),
            bytes => format!("{} ({bytes} B)", size(bytes)),
        },
        _ => figure.to_string(),
    }
}

fn word(criterion: Criterion) -> &'static str {
    match criterion {
        Criterion::Moved => "moved",
        Criterion::Evenness => "evenness",
        Criterion::Lookup => "lookup",
        Criterion::Memory => "memory",
    }
}

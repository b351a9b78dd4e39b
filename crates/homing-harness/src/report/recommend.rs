//! A [`Recommendation`] as text, Markdown, CSV and JSON: every sentence is made of
//! measured figures and of what a family can do.

use std::fmt::Write as _;

use super::Table;
use super::table::{counted, escape_markdown, percent, size, time};
use crate::error::printable;
use crate::recommend::{
    Attempt, Candidate, Constraint, Criterion, Ground, Loosened, Loosening, Recommendation, Shift,
    Stated, Verdict, Worst,
};

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
            (true, Some(limit)) => format!("{name} {}", shown(it.constraint, limit)),
            _ => format!("{name} {value}"),
        },
    }
}

fn tables(answer: &Recommendation) -> Vec<(String, Table)> {
    let by: Vec<&str> = answer.ranked_by.iter().map(|&it| word(it)).collect();
    let mut order =
        Table::new(["place", "family", "moved above optimal", "peak/mean", "lookup", "memory"], 2);
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
    let searches: Vec<String> = answer.families.iter().filter_map(searched).collect();
    if !searches.is_empty() {
        lists.push(("Parameters searched for".to_owned(), searches));
    }
    let shifts: Vec<String> = answer.shifts.iter().map(shift).collect();
    if !shifts.is_empty() {
        lists.push(("What would change the order".to_owned(), shifts));
    }
    let loosenings: Vec<String> = answer.loosenings.iter().map(loosening).collect();
    if !loosenings.is_empty() {
        lists.push(("No family is let in. What would let one in".to_owned(), loosenings));
    }
    let mut notes = vec![
        "figures are the worst of the measured rows, by keys; places differ only by 0.1 % of all \
         keys, by 0.01 of peak/mean, or by a tenth of a lookup time or of memory"
            .to_owned(),
        "lookup times were measured on this machine in this run".to_owned(),
    ];
    let figures = answer.families.iter().flat_map(|it| &it.attempts).flat_map(|it| &it.figures);
    let noisy = figures.filter(|it| it.noise > 0.0 && it.constraint == Constraint::MostPeak);
    let noise = noisy.map(|it| it.noise).fold(0.0, f64::max);
    if noise > 0.0 {
        notes.push(format!(
            "of {} generated keys up to {noise:.3} of a sampled peak/mean may be chance, and puts no family out",
            answer.workload.keys
        ));
    }
    lists.push(("Notes".to_owned(), notes));
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
    format!("{} {}", what(worst.constraint), shown(worst.constraint, worst.figure))
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

fn searched(candidate: &Candidate) -> Option<String> {
    let search = candidate.search.as_ref()?;
    let values: Vec<String> = search.values.iter().map(u64::to_string).collect();
    let family = &candidate.first().family;
    let built = format!("{family}: {} {} were built", search.parameter, values.join(", "));
    Some(match search.found {
        Some(found) => format!("{built}; {}={found} was then measured", search.parameter),
        None => format!("{built}; none met the limits"),
    })
}

fn shift(shift: &Shift) -> String {
    match shift {
        Shift::LetIn { family, constraint, needs, before, .. } => {
            let place =
                before.as_ref().map_or("comes last".to_owned(), |it| format!("comes before {it}"));
            format!("{family} is let in {}, and {place}", if_(*constraint, *needs))
        }
        Shift::PutOut { family, constraint, below: Some(below), next } => {
            let limit = shown(*constraint, *below);
            format!("{family} is put out if {} is below {limit}; {next} is not", constraint.name())
        }
        Shift::PutOut { family, constraint, below: None, next } => {
            let asked = match constraint {
                Constraint::Removal => "any node can leave".to_owned(),
                other => format!("{} is asked", other.name()),
            };
            format!("{family} is put out if {asked}; {next} is not")
        }
        Shift::RankBy { rank_by, order } => {
            format!("ranked by {} first: {}", word(*rank_by), order.join(", "))
        }
    }
}

fn if_(constraint: Constraint, needs: Option<f64>) -> String {
    match (constraint, needs) {
        (_, Some(needs)) => {
            format!("if {} is at least {}", constraint.name(), shown(constraint, needs))
        }
        (Constraint::Removal, None) => "if only the node that joined last can leave".to_owned(),
        (Constraint::Weights, None) => "if all nodes weigh 1".to_owned(),
        (_, None) => format!("if {} is not asked", constraint.name()),
    }
}

fn loosening(loosening: &Loosening) -> String {
    let each: Vec<String> = loosening.loosen.iter().map(loosened).collect();
    format!("{}: lets in {}", each.join(", and "), loosening.family)
}

fn loosened(it: &Loosened) -> String {
    let name = it.constraint.name();
    match (it.limit, it.needs) {
        (Some(limit), Some(needs)) => {
            let of = |figure| shown(it.constraint, figure);
            format!("{name} from {} to {}, by {}", of(limit), of(needs), of(needs - limit))
        }
        _ => match it.constraint {
            Constraint::Removal => "removal of only the node that joined last".to_owned(),
            Constraint::Weights => "weights of 1".to_owned(),
            _ => format!("{name} left out"),
        },
    }
}

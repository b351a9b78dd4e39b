//! A [`Diff`] as text, Markdown, CSV and JSON.

use super::difference;
use super::plan::{markdown, text};
use super::table::{counted, percent};
use super::{Format, Table};
use crate::measure::diff::{Diff, Side};

/// The comparison in a form; tables show the first `limit` rows.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "a diff is plain data")]
pub fn write(diff: &Diff, format: Format, limit: usize) -> Vec<u8> {
    match format {
        Format::Json => {
            let mut json = serde_json::to_vec_pretty(diff).expect("a diff is plain data");
            json.push(b'\n');
            json
        }
        Format::Csv => difference::csv(&diff.difference.moves),
        Format::Table => text(&heading(diff), &tables(diff, limit), &diff.notes),
        Format::Markdown => markdown(&heading(diff), &tables(diff, limit), &diff.notes),
    }
}

fn heading(diff: &Diff) -> Vec<String> {
    let side = |side: &Side| {
        let parameters = match &*side.parameters {
            "" => String::new(),
            parameters => format!(":{parameters}"),
        };
        let Side { file, family, fingerprint, .. } = side;
        let nodes = counted(side.nodes as u64, "node");
        format!("{file}: {family}{parameters}, {nodes}, {fingerprint}")
    };
    let mut lines = vec![side(&diff.before), side(&diff.after), diff.verdict.clone()];
    if let Some(workload) = &diff.workload {
        lines.push(format!("keys: {}", workload.source));
    }
    if diff.moves_anything {
        lines.push(difference::moved(&diff.difference, "positions"));
        lines.extend(difference::unowned(&diff.difference, "positions"));
        lines.push(format!(
            "any placement must move {} between these memberships",
            percent(diff.difference.optimal)
        ));
    }
    lines
}

fn tables(diff: &Diff, limit: usize) -> Vec<(String, Table)> {
    let mut tables = difference::tables(&diff.difference, "positions", limit);
    tables.extend(difference::moves(&diff.difference.moves, limit));
    tables
}

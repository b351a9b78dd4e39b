//! [`Table`]: cells for a terminal, Markdown or CSV, whatever they hold.

use std::io::IsTerminal;

use clap::ValueEnum;
use comfy_table::presets::NOTHING;
use comfy_table::{Attribute, Cell, CellAlignment, ContentArrangement, Table as Grid};

use crate::error::printable;

/// The forms in which a command prints.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub enum Format {
    /// Aligned columns, for people.
    #[default]
    Table,
    /// JSON.
    Json,
    /// Comma-separated values with a header.
    Csv,
    /// A Markdown table.
    Markdown,
}

/// Columns with a header, and rows of as many cells.
#[derive(Clone, Debug, Default)]
pub struct Table {
    header: Vec<String>,
    left: usize, // how many columns hold words, from the left; numbers are set right
    last: bool,  // whether the last one holds words too
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows, of which the first `left` columns hold words.
    #[must_use]
    pub fn new<T: Into<String>>(header: impl IntoIterator<Item = T>, left: usize) -> Self {
        Self {
            header: header.into_iter().map(Into::into).collect(),
            left,
            last: false,
            rows: Vec::new(),
        }
    }

    /// The table with words in its last column too.
    #[must_use]
    pub fn ending_in_words(self) -> Self {
        Self { last: true, ..self }
    }

    /// Adds a row.
    ///
    /// # Panics
    ///
    /// Panics if it has not one cell for each column.
    pub fn push(&mut self, row: Vec<String>) {
        assert_eq!(row.len(), self.header.len(), "a row has a cell for each column");
        self.rows.push(row);
    }

    /// Aligned columns; control characters are escaped. The header is bold on a
    /// terminal, unless `NO_COLOR` is set.
    #[must_use]
    pub fn text(&self) -> String {
        let bold = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        let mut grid = Grid::new();
        grid.load_style(NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        if bold {
            grid.enforce_styling();
        } else {
            grid.force_no_tty();
        }
        grid.set_header(self.header.iter().map(|name| {
            let cell = Cell::new(printable(name));
            if bold { cell.add_attribute(Attribute::Bold) } else { cell }
        }));
        for row in &self.rows {
            grid.add_row(row.iter().map(|cell| printable(cell).into_owned()));
        }
        for (i, column) in grid.column_iter_mut().enumerate() {
            column.set_padding((u16::from(i > 0), 1));
            if self.is_number(i) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let lines = grid.lines().map(|line| line.trim_end().to_owned() + "\n");
        lines.collect()
    }

    /// A Markdown table; what Markdown or HTML would read is escaped.
    #[must_use]
    pub fn markdown(&self) -> String {
        let line = |cells: &mut dyn Iterator<Item = String>| {
            cells.fold(String::from("|"), |line, cell| line + " " + &cell + " |") + "\n"
        };
        let mut text = line(&mut self.header.iter().map(|name| escape_markdown(name)));
        text += &line(
            &mut (0..self.header.len())
                .map(|i| if i < self.left { "---".to_owned() } else { "---:".to_owned() }),
        );
        for row in &self.rows {
            text += &line(&mut row.iter().map(|cell| escape_markdown(cell)));
        }
        text
    }
}

impl Table {
    fn is_number(&self, column: usize) -> bool {
        column >= self.left && !(self.last && column + 1 == self.header.len())
    }
}

/// A text that Markdown shows as it is: marks and HTML escaped, on one line.
#[must_use]
pub fn escape_markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in printable(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '!' | '$' => {
                escaped.push('\\');
                escaped.push(c);
            }
            c => escaped.push(c),
        }
    }
    escaped
}

/// So many of a thing: `1 node`, `2 nodes`.
#[must_use]
pub fn counted(count: u64, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}

/// A fraction of one as a percentage: `11.11 %`.
#[must_use]
pub fn percent(fraction: f64) -> String {
    let text = format!("{:.2} %", fraction * 100.0);
    // What is rounded to nothing has no sign.
    if text == "-0.00 %" { "0.00 %".to_owned() } else { text }
}

/// A time in the unit that fits it: `1.23 ms`.
#[must_use]
pub fn time(ns: f64) -> String {
    // From here on one digit after the point rounds to 1000.0.
    const NEXT: f64 = 999.95;
    for (unit, length) in [("ns", 1.0), ("us", 1e3), ("ms", 1e6)] {
        let time = ns / length;
        if time < NEXT {
            return format!("{time:.1} {unit}");
        }
    }
    format!("{:.2} s", ns / 1e9)
}

/// A number a second in the unit that fits it: `123.4 M/s`.
#[must_use]
pub fn rate(per_s: f64) -> String {
    // From here on one digit after the point rounds to 1000.0.
    const NEXT: f64 = 999.95;
    let units = [("/s", 1.0), (" k/s", 1e3), (" M/s", 1e6), (" G/s", 1e9)];
    let fits = units.iter().find(|(_, scale)| per_s / scale < NEXT);
    let (unit, scale) = fits.copied().unwrap_or((" G/s", 1e9));
    format!("{:.1}{unit}", per_s / scale)
}

/// A size in the unit that fits it: `1.5 KiB`.
#[must_use]
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut amount = bytes as f64 / 1024.0;
    let mut unit = 0;
    // From here on one digit after the point rounds to 1024.0.
    while amount >= 1023.95 && unit + 1 < UNITS.len() {
        amount /= 1024.0;
        unit += 1;
    }
    format!("{amount:.1} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_cell() {
        let mut table = Table::new(["node", "share"], 1);
        table.push(vec!["a|b<script>\n*x*\u{1b}[2J".into(), "1".into()]);
        let markdown = table.markdown();
        assert_eq!(markdown.lines().count(), 3);
        assert!(markdown.contains(r"a\|b&lt;script&gt;"), "{markdown}");
        assert!(!markdown.contains('\u{1b}') && !table.text().contains('\u{1b}'));
        assert_eq!(table.text().lines().count(), 2);
    }

    #[test]
    fn figures_are_set_in_the_unit_that_fits() {
        assert_eq!(percent(1.0 / 9.0), "11.11 %");
        assert_eq!([-0.01, -0.000_01, -0.0].map(percent), ["-1.00 %", "0.00 %", "0.00 %"]);
        assert_eq!([time(4.26), time(12_345.0), time(2.5e9)], ["4.3 ns", "12.3 us", "2.50 s"]);
        assert_eq!([rate(7.0), rate(3e4), rate(1.234e8)], ["7.0/s", "30.0 k/s", "123.4 M/s"]);
        assert_eq!([size(17), size(1536), size(3 << 20)], ["17 B", "1.5 KiB", "3.0 MiB"]);
    }

    #[test]
    fn the_unit_is_that_of_the_rounded_figure() {
        assert_eq!([time(999.9), time(999.96), time(1e3)], ["999.9 ns", "1.0 us", "1.0 us"]);
        assert_eq!([time(999_940.0), time(999_960.0)], ["999.9 us", "1.0 ms"]);
        assert_eq!([time(999_940_000.0), time(999_960_000.0)], ["999.9 ms", "1.00 s"]);
        assert_eq!([rate(999.9), rate(999.96), rate(2e12)], ["999.9/s", "1.0 k/s", "2000.0 G/s"]);
        assert_eq!([size(1023), size((1 << 20) - 1)], ["1023 B", "1.0 MiB"]);
    }
}

//! Markdown: tables, texts and figures.

/// A table; its first columns are texts, the others numbers.
pub(super) struct Table {
    lines: Vec<String>,
}

impl Table {
    /// A table of so many columns of text, then columns of numbers.
    pub(super) fn new<S: AsRef<str>>(texts: usize, head: impl IntoIterator<Item = S>) -> Self {
        let head: Vec<String> = head.into_iter().map(|cell| escaped(cell.as_ref())).collect();
        let align = |at| if at < texts { "---" } else { "---:" };
        let rule: Vec<&str> = (0..head.len()).map(align).collect();
        Self { lines: vec![line(&head), line(&rule)] }
    }

    /// Adds a row; what is in its cells is text, and comes out as it is.
    pub(super) fn row<S: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let cells: Vec<String> = cells.into_iter().map(|cell| escaped(cell.as_ref())).collect();
        self.lines.push(line(&cells));
    }

    /// Adds a row of which the cell at `bold` stands out.
    pub(super) fn row_with_bold(&mut self, cells: &[String], bold: usize) {
        let cells: Vec<String> = cells
            .iter()
            .enumerate()
            .map(|(at, cell)| {
                let cell = escaped(cell);
                if at == bold { format!("**{cell}**") } else { cell }
            })
            .collect();
        self.lines.push(line(&cells));
    }

    /// Whether it has no row.
    pub(super) fn is_empty(&self) -> bool {
        self.lines.len() == 2
    }

    /// The lines, with an empty one after them; `none` if there is no row.
    pub(super) fn or(self, none: &str) -> String {
        if self.is_empty() {
            return format!("{none}\n\n");
        }
        self.lines.join("\n") + "\n\n"
    }
}

fn line<S: AsRef<str>>(cells: &[S]) -> String {
    let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
    format!("| {} |", cells.join(" | "))
}

/// A text that Markdown shows as it is, on one line.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' | '\r' => escaped.push(' '),
            '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '<' | '>' | '#' | '&' | '~' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// What is not there.
pub(super) const NONE: &str = "-";

/// Nanoseconds: two decimals, and fewer the more there are.
pub(super) fn ns(nanoseconds: Option<f64>) -> String {
    match nanoseconds {
        None => NONE.to_owned(),
        Some(ns) if ns < 100.0 => format!("{ns:.2}"),
        Some(ns) if ns < 1000.0 => format!("{ns:.1}"),
        Some(ns) => format!("{ns:.0}"),
    }
}

/// A ratio, to two decimals.
pub(super) fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| NONE.to_owned(), |ratio| format!("{ratio:.2}"))
}

/// A number of bytes in units of 1024.
pub(super) fn bytes(count: u64) -> String {
    match count {
        ..0x0010_0000 => format!("{} KiB", count >> 10),
        0x0010_0000..0x4000_0000 => format!("{} MiB", count >> 20),
        _ => format!("{:.1} GiB", count as f64 / f64::from(1 << 30)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_something_in_markdown_is_escaped() {
        assert_eq!(escaped("rendezvous_hash | [xxh3]\n*"), r"rendezvous\_hash \| \[xxh3\] \*");
    }

    #[test]
    fn numbers_stand_to_the_right_and_an_empty_table_is_a_sentence() {
        let mut table = Table::new(1, ["what", "ns"]);
        table.row(["a", "1.00"]);
        assert_eq!(table.or("none"), "| what | ns |\n| --- | ---: |\n| a | 1.00 |\n\n");
        assert_eq!(Table::new(1, ["what"]).or("none"), "none\n\n");
    }
}

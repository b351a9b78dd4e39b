//! One record of a CSV text at a time, strict about quotes.
//!
//! RFC 4180, section 2: fields in quotes may hold commas, line ends and quotes,
//! these doubled. The `csv` crate reads every text as some record: after a
//! quote that nobody closed it takes the rest of the file for one field. Here
//! that is an answer, so the reader can pass over one row and keep the others.

use crate::workload::lines::without_line_end;

/// The fields of one record.
#[derive(Debug, Default)]
pub(crate) struct Splitter {
    text: Vec<u8>,    // the fields, unquoted, one after the other
    ends: Vec<usize>, // field i is text[ends[i - 1]..ends[i]]
    tabs: bool,       // tabs between fields, and no quotes
}

/// What some lines are.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Split {
    /// A whole record.
    Whole,
    /// A record that goes on in the next line: a quote is open.
    Open,
    /// No record: a closing quote with text after it.
    Broken,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum State {
    Start,
    Bare,
    Quoted,
    Closed, // after a quote in a quoted field: its end, or half of a doubled one
}

impl Splitter {
    /// Takes tabs for what is between fields, and quotes for what they are.
    pub(crate) fn with_tabs() -> Self {
        Self { tabs: true, ..Self::default() }
    }

    /// Forgets the record.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    /// Takes a record from its start, with the line end if it has one.
    ///
    /// Of several lines every one but the last must leave a quote open.
    pub(crate) fn feed(&mut self, record: &[u8]) -> Split {
        let content = without_line_end(record);
        if self.tabs || !content.contains(&b'"') {
            self.feed_bare(content);
            return Split::Whole;
        }
        let mut state = State::Start;
        for &byte in content {
            let Some(next) = state.after(byte) else { return Split::Broken };
            match (state, next) {
                (_, State::Start) => self.ends.push(self.text.len()),
                (State::Start, State::Quoted) | (_, State::Closed) => {}
                (_, State::Bare | State::Quoted) => self.text.push(byte),
            }
            state = next;
        }
        if state == State::Quoted {
            return Split::Open;
        }
        self.ends.push(self.text.len());
        Split::Whole
    }

    /// Returns what a line is that begins within quotes.
    pub(crate) fn within_quotes(line: &[u8]) -> Split {
        if !line.contains(&b'"') {
            return Split::Open;
        }
        match without_line_end(line)
            .iter()
            .try_fold(State::Quoted, |state, &byte| state.after(byte))
        {
            Some(State::Quoted) => Split::Open,
            Some(_) => Split::Whole,
            None => Split::Broken,
        }
    }

    /// Takes a whole record without quotes.
    fn feed_bare(&mut self, content: &[u8]) {
        let between = if self.tabs { b'\t' } else { b',' };
        for field in content.split(|&byte| byte == between) {
            self.text.extend_from_slice(field);
            self.ends.push(self.text.len());
        }
    }

    /// The number of fields of a whole record.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The bytes of field `i` of a whole record.
    pub(crate) fn field(&self, i: usize) -> &[u8] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.text[start..self.ends[i]]
    }

    /// The fields of a whole record.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|i| self.field(i))
    }
}

impl State {
    /// The state after one more byte; `None` if that is no record.
    fn after(self, byte: u8) -> Option<Self> {
        match (self, byte) {
            (Self::Quoted, b'"') => Some(Self::Closed),
            (Self::Start | Self::Closed, b'"') | (Self::Quoted, _) => Some(Self::Quoted),
            (_, b',') => Some(Self::Start),
            (Self::Closed, _) => None,
            (Self::Start | Self::Bare, _) => Some(Self::Bare),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(lines: &[&str]) -> (Split, Vec<String>) {
        let (last, open) = lines.split_last().unwrap();
        let mut splitter = Splitter::default();
        for (i, line) in open.iter().enumerate() {
            let split = if i == 0 {
                splitter.feed(line.as_bytes())
            } else {
                Splitter::within_quotes(line.as_bytes())
            };
            assert_eq!(split, Split::Open);
        }
        splitter.clear();
        let split = splitter.feed(lines.concat().as_bytes());
        if !open.is_empty() {
            assert_eq!(Splitter::within_quotes(last.as_bytes()), split);
        }
        let fields =
            splitter.fields().map(|field| String::from_utf8_lossy(field).into_owned()).collect();
        (split, fields)
    }

    #[test]
    fn records_of_rfc_4180_are_read() {
        // RFC 4180, section 2, rules 1 to 7.
        let cases: &[(&[&str], &[&str])] = &[
            (&["aaa,bbb,ccc\r\n"], &["aaa", "bbb", "ccc"]),
            (&["zzz,yyy,xxx"], &["zzz", "yyy", "xxx"]),
            (&["\"aaa\",\"bbb\",\"ccc\"\r\n"], &["aaa", "bbb", "ccc"]),
            (&["\"aaa\",\"b\r\n", "bb\",\"ccc\"\r\n"], &["aaa", "b\r\nbb", "ccc"]),
            (&["\"aaa\",\"b\"\"bb\",\"ccc\""], &["aaa", "b\"bb", "ccc"]),
            (&["\"a,b\",c\n"], &["a,b", "c"]),
            (&[" a , b \n"], &[" a ", " b "]),
        ];
        for (lines, fields) in cases {
            let (split, found) = record(lines);
            assert_eq!(
                (split, &found[..]),
                (Split::Whole, &fields.iter().map(|f| (*f).to_owned()).collect::<Vec<_>>()[..]),
                "{lines:?}"
            );
        }
    }

    #[test]
    fn empty_fields_are_fields() {
        assert_eq!(record(&[",\n"]).1, ["", ""]);
        assert_eq!(record(&["\"\",\"\"\n"]).1, ["", ""]);
        assert_eq!(record(&["\n"]).1, [""]);
        assert_eq!(record(&["a,"]).1, ["a", ""]);
    }

    #[test]
    fn a_quote_inside_a_bare_field_is_itself() {
        assert_eq!(record(&["a\"b,c\"\n"]), (Split::Whole, vec!["a\"b".into(), "c\"".into()]));
    }

    #[test]
    fn text_after_a_closing_quote_breaks_the_record() {
        assert_eq!(record(&["\"a\"b,c\n"]).0, Split::Broken);
        assert_eq!(record(&["\"a\" ,c\n"]).0, Split::Broken);
        assert_eq!(record(&["\"a\n", "b\"c\n"]).0, Split::Broken);
    }

    #[test]
    fn an_open_quote_leaves_the_record_open() {
        assert_eq!(record(&["\"a,1\n"]).0, Split::Open);
        assert_eq!(record(&["a,\"\n"]).0, Split::Open);
        assert_eq!(record(&["\"\"\"\n"]).0, Split::Open);
    }
}

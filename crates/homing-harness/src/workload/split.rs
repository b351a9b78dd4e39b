//! One record of a CSV text at a time, strict about quotes.
//!
//! RFC 4180, section 2: fields in quotes may hold commas, line ends and quotes,
//! these doubled. The `csv` crate reads every text as some record: after a
//! quote that nobody closed it takes the rest of the file for one field. Here
//! that is an answer, so the reader can pass over one row and keep the others.

/// A record under way, fed line by line.
#[derive(Debug, Default)]
pub(crate) struct Splitter {
    text: Vec<u8>,    // the fields, unquoted, one after the other
    ends: Vec<usize>, // field i is text[ends[i - 1]..ends[i]]
    state: State,
}

/// What the lines fed so far are.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Split {
    /// A whole record.
    Whole,
    /// A record that goes on in the next line: a quote is open.
    Open,
    /// No record: a closing quote with text after it.
    Broken,
}

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum State {
    #[default]
    Start,
    Bare,
    Quoted,
    Closed, // after a quote in a quoted field: its end, or half of a doubled one
}

impl Splitter {
    /// Forgets the record.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.state = State::Start;
    }

    /// Takes the next line, with its line end if it has one.
    pub(crate) fn feed(&mut self, line: &[u8]) -> Split {
        let content = without_line_end(line);
        if self.state == State::Start && !content.contains(&b'"') {
            self.feed_bare(content);
            return Split::Whole;
        }
        for &byte in content {
            self.state = match (self.state, byte) {
                (State::Start, b'"') => State::Quoted,
                (State::Start | State::Bare | State::Closed, b',') => {
                    self.ends.push(self.text.len());
                    State::Start
                }
                (State::Quoted, b'"') => State::Closed,
                (State::Closed, b'"') => {
                    self.text.push(b'"');
                    State::Quoted
                }
                (State::Closed, _) => return Split::Broken,
                (State::Start | State::Bare, _) => {
                    self.text.push(byte);
                    State::Bare
                }
                (State::Quoted, _) => {
                    self.text.push(byte);
                    State::Quoted
                }
            };
        }
        if self.state == State::Quoted {
            self.text.extend_from_slice(&line[content.len()..]);
            return Split::Open;
        }
        self.ends.push(self.text.len());
        Split::Whole
    }

    /// Takes a whole record without quotes.
    fn feed_bare(&mut self, content: &[u8]) {
        for field in content.split(|&byte| byte == b',') {
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

/// Returns a line without its `\n` and one `\r` before it.
pub(crate) fn without_line_end(line: &[u8]) -> &[u8] {
    let Some(content) = line.strip_suffix(b"\n") else { return line };
    content.strip_suffix(b"\r").unwrap_or(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(lines: &[&str]) -> (Split, Vec<String>) {
        let mut splitter = Splitter::default();
        let mut split = Split::Open;
        for line in lines {
            assert_eq!(split, Split::Open);
            split = splitter.feed(line.as_bytes());
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

    #[test]
    fn one_carriage_return_goes_with_the_line_end() {
        assert_eq!(without_line_end(b"a\r\n"), b"a");
        assert_eq!(without_line_end(b"a\r\r\n"), b"a\r");
        assert_eq!(without_line_end(b"a\r"), b"a\r");
        assert_eq!(without_line_end(b"\n"), b"");
        assert_eq!(without_line_end(b""), b"");
    }
}

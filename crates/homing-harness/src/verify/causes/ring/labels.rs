//! What is hashed for a point.

/// The label of a point: a prefix, then the id and the number of the copy.
#[derive(Clone)]
pub(super) struct Label {
    pub(super) prefix: String,
    pub(super) join: Join,
}

#[derive(Clone)]
pub(super) enum Join {
    /// The id, a separator, the number in decimal.
    Separator(String),
    /// Any other way.
    Other(Format),
}

/// The bytes for an id and the number of a copy.
type Format = fn(&str, u64) -> Vec<u8>;

impl Label {
    /// The bytes for a copy of a node.
    pub(super) fn of(&self, id: &str, copy: u64) -> Vec<u8> {
        let rest = match &self.join {
            Join::Separator(separator) => format!("{id}{separator}{copy}").into_bytes(),
            Join::Other(format) => format(id, copy),
        };
        [self.prefix.as_bytes(), &rest].concat()
    }
}

/// The labels that programs make, by the way they read.
pub(super) fn formats() -> Vec<(String, Join)> {
    let separated = ["-", ":", "#", "", "_", ".", "/", " ", "@", "|", "~", "&&VN", "-vn-"];
    let separated = separated.into_iter().map(|separator| {
        (format!("{{id}}{separator}{{i}}"), Join::Separator(separator.to_owned()))
    });
    let others: [(&str, Format); 12] = [
        ("{i}-{id}", |id, i| format!("{i}-{id}").into_bytes()),
        ("{i}:{id}", |id, i| format!("{i}:{id}").into_bytes()),
        ("{i}{id}", |id, i| format!("{i}{id}").into_bytes()),
        ("{i}_{id}", |id, i| format!("{i}_{id}").into_bytes()),
        ("{i}#{id}", |id, i| format!("{i}#{id}").into_bytes()),
        ("({id}, {i})", |id, i| format!("({id}, {i})").into_bytes()),
        ("[{id}][{i}]", |id, i| format!("[{id}][{i}]").into_bytes()),
        ("{id}-{i}, i of three digits", |id, i| format!("{id}-{i:03}").into_bytes()),
        ("{id}-{i}, i in hexadecimal", |id, i| format!("{id}-{i:x}").into_bytes()),
        ("{id}, i as 4 bytes little-endian", |id, i| {
            [id.as_bytes(), &low(i).to_le_bytes()].concat()
        }),
        ("{id}, i as 4 bytes big-endian", |id, i| [id.as_bytes(), &low(i).to_be_bytes()].concat()),
        ("{id}, i as one byte", |id, i| [id.as_bytes(), &low(i).to_le_bytes()[..1]].concat()),
    ];
    let others = others.into_iter().map(|(name, format)| (name.to_owned(), Join::Other(format)));
    separated.chain(others).collect()
}

fn low(copy: u64) -> u32 {
    u32::try_from(copy).unwrap_or(u32::MAX)
}

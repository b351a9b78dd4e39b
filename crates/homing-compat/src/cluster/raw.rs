//! What `redis-cli` prints into a pipe: the values one a line, without structure.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use super::error::{ended, lines, short};
use super::reply::{Reply, Value};
use super::{ClusterError, Place};

/// Whether a first line begins the values of `CLUSTER SLOTS` or `CLUSTER SHARDS`.
pub(super) fn begins(line: &str) -> bool {
    line == "slots" || is_number(line)
}

/// Reads the values, and gives them back their structure.
pub(super) fn read(text: &str) -> Result<Reply, ClusterError> {
    ended(text)?;
    let mut reader = Reader { lines: lines(text).collect(), next: 0 };
    let mut entries = Vec::new();
    // As in a file that was put together, blank lines may come first, but not last.
    while reader.peek(0) == Some("") {
        reader.next += 1;
    }
    let at = reader.at();
    while reader.peek(0).is_some() {
        entries.push(if reader.peek(0) == Some("slots") {
            reader.shard()?
        } else {
            reader.range()?
        });
    }
    Ok(Reply::new(at, Value::List(entries)))
}

fn is_number(line: &str) -> bool {
    !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit())
}

struct Reader<'a> {
    lines: Vec<(usize, &'a str)>,
    next: usize,
}

impl<'a> Reader<'a> {
    fn at(&self) -> Place {
        let line = self.lines.get(self.next).or(self.lines.last());
        Place::Line(line.map_or(1, |&(number, _)| number))
    }

    fn peek(&self, further: usize) -> Option<&'a str> {
        self.lines.get(self.next + further).map(|&(_, line)| line)
    }

    fn take(&mut self, what: &str) -> Result<&'a str, ClusterError> {
        let line = self.peek(0).ok_or_else(|| {
            ClusterError::new(self.at(), format!("cut short: {what} is missing after this line"))
        })?;
        self.next += 1;
        Ok(line)
    }

    fn text(&mut self, what: &str) -> Result<Reply, ClusterError> {
        let at = self.at();
        Ok(Reply::new(at, Value::Text(self.take(what)?.to_owned())))
    }

    /// First slot, last slot, and nodes up to the next range.
    fn range(&mut self) -> Result<Reply, ClusterError> {
        let at = self.at();
        let mut items = Vec::new();
        for what in ["a first slot", "a last slot"] {
            let at = self.at();
            let line = self.take(what)?;
            let slot = line.parse().map_err(|_| {
                let reason = format!("{what} is {}, but must be a number", short(line));
                ClusterError::new(at, reason)
            })?;
            items.push(Reply::new(at, Value::Integer(slot)));
        }
        items.push(self.node()?);
        while self.peek(0).is_some_and(|line| !is_number(line)) {
            items.push(self.node()?);
        }
        Ok(Reply::new(at, Value::List(items)))
    }

    /// Host, port, id, and since Redis 7 an empty line or fields.
    fn node(&mut self) -> Result<Reply, ClusterError> {
        let at = self.at();
        let mut items = Vec::new();
        for what in ["a host", "a port", "a node id"] {
            items.push(self.text(what)?);
        }
        let besides_at = self.at();
        let mut fields = Vec::new();
        let mut is_told = true;
        if self.peek(0) == Some("") {
            self.next += 1;
        } else {
            while matches!(self.peek(0), Some("ip" | "hostname")) {
                fields.push(self.text("a field")?);
                fields.push(self.text("the value of a field")?);
            }
            is_told = !fields.is_empty();
        }
        if is_told {
            items.push(Reply::new(besides_at, Value::List(fields)));
        }
        Ok(Reply::new(at, Value::List(items)))
    }

    /// `slots`, first and last slots, `nodes`, and fields up to the next shard.
    fn shard(&mut self) -> Result<Reply, ClusterError> {
        let at = self.at();
        let mut shard = vec![self.text("\"slots\"")?];
        let ends_at = self.at();
        let mut ends = Vec::new();
        // No slots are an empty line.
        if self.peek(0) == Some("") {
            self.next += 1;
        }
        while self.peek(0).is_some_and(is_number) {
            ends.push(self.text("a slot")?);
        }
        shard.push(Reply::new(ends_at, Value::List(ends)));
        let nodes_at = self.at();
        let name = self.take("\"nodes\"")?;
        if name != "nodes" {
            let reason = format!("{} stands where \"nodes\" must", short(name));
            return Err(ClusterError::new(nodes_at, reason));
        }
        shard.push(Reply::new(nodes_at, Value::Text(name.to_owned())));
        let mut nodes: Vec<Reply> = Vec::new();
        let mut own = Vec::new();
        while self.peek(0).is_some_and(|line| line != "slots") {
            let field_at = self.at();
            let name = self.text("a field")?;
            let value = self.text("the value of a field")?;
            let Value::Text(key) = &name.value else { unreachable!("a line is a text") };
            let begins_node = key == "id" && !matches!(self.peek(0), None | Some("slots"));
            if begins_node {
                nodes.push(Reply::new(field_at, Value::List(Vec::new())));
            }
            let is_of_shard = key == "id" && !begins_node;
            match nodes.last_mut() {
                Some(Reply { value: Value::List(fields), .. }) if !is_of_shard => {
                    fields.extend([name, value]);
                }
                _ => own.extend([name, value]),
            }
        }
        shard.push(Reply::new(nodes_at, Value::List(nodes)));
        shard.extend(own);
        Ok(Reply::new(at, Value::List(shard)))
    }
}

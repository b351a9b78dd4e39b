//! The lines of `CLUSTER NODES`, and the file `nodes.conf`.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use homing_core::NodeId;
use homing_slots::SLOTS;

use super::error::{ended, lines, short};
use super::gather::{Gathered, Told, told, unknown};
use super::{Cluster, ClusterError, ClusterNode, Command, Notation, OpenSlot, Place, Way};

/// The digits of an id.
const DIGITS: usize = 40;

/// Whether a first line is one of a node.
pub(super) fn begins(line: &str) -> bool {
    line.split(' ').next().is_some_and(is_id) || line.starts_with("vars ")
}

/// Reads the lines.
pub(super) fn read(text: &str, notation: Notation) -> Result<Cluster, ClusterError> {
    let mut gathered = Gathered::default();
    let mut followers = Vec::new();
    let mut myself = None;
    let mut variables = None;
    ended(text)?;
    for (number, line) in lines(text) {
        let at = Place::Line(number);
        if variables.is_some() && !line.is_empty() {
            return Err(ClusterError::new(at, "a line after the variables, which are the last"));
        }
        if let Some(rest) = line.strip_prefix("vars ") {
            variables = Some(read_variables(at, rest)?);
        } else if !line.is_empty() {
            let (node, told) = read_node(at, line)?;
            if let Some(of) = &node.of {
                followers.push((at, of.clone()));
            }
            if node.has("myself")
                && let Some(before) = myself.replace(at)
            {
                return Err(ClusterError::new(at, format!("`myself` stands in {before} too")));
            }
            let id = node.id.clone();
            let (place, is_new) = gathered.meet(node);
            if !is_new {
                return Err(ClusterError::new(at, format!("node {id:?} has a line already")));
            }
            for told in told {
                gathered.give(place, told);
            }
        }
    }
    let nodes = gathered.finish()?;
    whole(text, &nodes, &followers, myself)?;
    let (current_epoch, last_vote_epoch) = variables.unwrap_or_default();
    let notation = match notation {
        Notation::Lines if variables.is_some() => Notation::File,
        other => other,
    };
    Ok(Cluster { command: Command::Nodes, notation, nodes, current_epoch, last_vote_epoch })
}

/// Fails if lines are missing as far as the others tell.
fn whole(
    text: &str,
    nodes: &[ClusterNode],
    followers: &[(Place, NodeId)],
    myself: Option<Place>,
) -> Result<(), ClusterError> {
    let known: BTreeSet<&NodeId> = nodes.iter().map(|node| &node.id).collect();
    if let Some((at, of)) = followers.iter().find(|(_, of)| !known.contains(of)) {
        let reason = format!("cut short: the node replicates {of:?}, which has no line");
        return Err(ClusterError::new(*at, reason));
    }
    if myself.is_none() {
        let reason = "cut short: no line has the flag `myself`";
        return Err(ClusterError::new(Place::Line(text.lines().count()), reason));
    }
    Ok(())
}

/// `currentEpoch 6 lastVoteEpoch 0`; other names are passed over.
type Variables = (Option<u64>, Option<u64>);

fn read_variables(at: Place, rest: &str) -> Result<Variables, ClusterError> {
    let mut variables = (None, None);
    let mut words = rest.split_ascii_whitespace();
    while let Some(name) = words.next() {
        let Some(value) = words.next() else {
            return Err(ClusterError::new(at, format!("cut short: {name} has no value")));
        };
        match name {
            "currentEpoch" => variables.0 = Some(number(at, name, value)?),
            "lastVoteEpoch" => variables.1 = Some(number(at, name, value)?),
            _ => {}
        }
    }
    Ok(variables)
}

/// One line: id, address, flags, whom it replicates, ping sent, pong received,
/// configuration epoch, link, and any number of slots.
fn read_node(at: Place, line: &str) -> Result<(ClusterNode, Vec<Told>), ClusterError> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let [id, address, flags, of, ping, pong, epoch, link, slots @ ..] = words.as_slice() else {
        let reason = format!("cut short: {} fields of at least 8", words.len());
        return Err(ClusterError::new(at, reason));
    };
    let mut node = unknown(read_id(at, "node id", id)?);
    read_address(at, address, &mut node)?;
    node.flags = flags.split(',').filter(|flag| *flag != "noflags").map(str::to_owned).collect();
    if *of != "-" {
        node.of = Some(read_id(at, "whom it replicates", of)?);
    }
    for (name, time) in [("ping sent", ping), ("pong received", pong)] {
        number(at, name, time)?;
    }
    node.epoch = Some(number(at, "configuration epoch", epoch)?);
    node.connected = match *link {
        "connected" => Some(true),
        "disconnected" => Some(false),
        other => {
            let reason = format!("link is {}, but must be connected or disconnected", short(other));
            return Err(ClusterError::new(at, reason));
        }
    };
    let mut ranges = Vec::new();
    for word in slots {
        match word.strip_prefix('[') {
            Some(marker) => node.open.push(read_marker(at, marker)?),
            None => ranges.push(read_range(at, word)?),
        }
    }
    Ok((node, ranges))
}

/// `host:port`, `@bus-port` behind it, and behind commas the host name and what
/// later versions add, `name=value`.
fn read_address(at: Place, address: &str, node: &mut ClusterNode) -> Result<(), ClusterError> {
    let unfit = || {
        let rule = "as in 10.0.0.1:6379@16379,name";
        ClusterError::new(at, format!("address is {}, but must be {rule}", short(address)))
    };
    let mut parts = address.split(',');
    let main = parts.next().ok_or_else(unfit)?;
    let (main, bus) = match main.split_once('@') {
        Some((main, bus)) => (main, Some(bus.parse().map_err(|_| unfit())?)),
        None => (main, None),
    };
    // An IPv6 address has colons of its own.
    let (host, port) = main.rsplit_once(':').ok_or_else(unfit)?;
    host.clone_into(&mut node.host);
    node.port = port.parse().map_err(|_| unfit())?;
    node.bus_port = bus;
    node.hostname = parts.next().filter(|name| !name.is_empty()).map(str::to_owned);
    node.others = parts
        .map(|part| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            (name.to_owned(), value.to_owned())
        })
        .collect();
    Ok(())
}

/// `5461` or `0-5460`.
fn read_range(at: Place, word: &str) -> Result<Told, ClusterError> {
    let (first, last) = word.split_once('-').unwrap_or((word, word));
    told(at, read_slot(at, word, first)?, read_slot(at, word, last)?)
}

/// `93->-id]` or `93-<-id]`.
fn read_marker(at: Place, marker: &str) -> Result<OpenSlot, ClusterError> {
    let unfit = || {
        let rule = "as in [93->-id] or [93-<-id]";
        let given = format!("[{marker}");
        ClusterError::new(at, format!("open slot is {}, but must be {rule}", short(&given)))
    };
    let inner = marker.strip_suffix(']').ok_or_else(unfit)?;
    let (slot, rest) = inner.split_once('-').ok_or_else(unfit)?;
    let (way, other) = match (rest.strip_prefix(">-"), rest.strip_prefix("<-")) {
        (Some(other), _) => (Way::Migrating, other),
        (_, Some(other)) => (Way::Importing, other),
        _ => return Err(unfit()),
    };
    let slot = read_slot(at, inner, slot)?;
    Ok(OpenSlot { slot, way, other: read_id(at, "the other node of an open slot", other)? })
}

fn read_slot(at: Place, word: &str, slot: &str) -> Result<u16, ClusterError> {
    let digits = !slot.is_empty() && slot.bytes().all(|byte| byte.is_ascii_digit());
    match slot.parse() {
        Ok(slot) if digits && slot < SLOTS => Ok(slot),
        _ => {
            let rule = "a slot or a range within 0-16383";
            Err(ClusterError::new(at, format!("slots are {}, but must be {rule}", short(word))))
        }
    }
}

fn is_id(word: &str) -> bool {
    word.len() == DIGITS && word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

pub(super) fn read_id(at: Place, what: &str, word: &str) -> Result<NodeId, ClusterError> {
    if is_id(word) {
        return Ok(NodeId::new(word));
    }
    let rule = "40 hexadecimal digits";
    Err(ClusterError::new(at, format!("{what} is {}, but must be {rule}", short(word))))
}

fn number(at: Place, what: &str, word: &str) -> Result<u64, ClusterError> {
    word.parse().map_err(|_| {
        let reason: String = format!("{what} is {}, but must be a number", short(word));
        ClusterError::new(at, reason)
    })
}

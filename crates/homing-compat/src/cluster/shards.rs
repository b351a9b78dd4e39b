//! `CLUSTER SHARDS`: groups of nodes, each with its slots.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use homing_core::NodeId;

use super::gather::{Gathered, Told, told, unknown};
use super::nodes::read_id;
use super::reply::Reply;
use super::{ClusterError, ClusterNode};

/// Entries of slots and nodes, by name.
pub(super) fn nodes(entries: &[Reply]) -> Result<Vec<ClusterNode>, ClusterError> {
    let mut gathered = Gathered::default();
    let mut named = None;
    for entry in entries {
        let is_named = read_shard(entry, &mut gathered)?;
        if *named.get_or_insert(is_named) != is_named {
            let reason = "cut short: of the shards some have an id, and others none";
            return Err(ClusterError::new(entry.at, reason));
        }
    }
    gathered.finish()
}

/// Reads a shard, and tells whether it has an id.
fn read_shard(entry: &Reply, gathered: &mut Gathered) -> Result<bool, ClusterError> {
    let mut slots = None;
    let mut nodes = None;
    let mut others = Vec::new();
    for (name, value) in entry.fields("a shard")? {
        match name {
            "slots" => slots = Some(value),
            "nodes" => nodes = Some(value),
            "id" => others.push(("shard-id".to_owned(), value.as_kept())),
            _ => {}
        }
    }
    let (Some(slots), Some(nodes)) = (slots, nodes) else {
        let missing = if slots.is_none() { "slots" } else { "nodes" };
        let reason = format!("not a shard, or cut short: it has no {missing:?}");
        return Err(ClusterError::new(entry.at, reason));
    };
    let told = read_slots(slots)?;
    let mut members = Vec::new();
    for reply in nodes.list("the nodes of a shard")? {
        let mut node = read_node(reply)?;
        node.others.extend(others.iter().cloned());
        let id = node.id.clone();
        let (place, is_new) = gathered.meet(node);
        if !is_new {
            return Err(ClusterError::new(reply.at, format!("node {id:?} is in two shards")));
        }
        members.push(place);
    }
    let owner = owner_of(entry, gathered, &members)?;
    if let Some((_, id)) = &owner {
        for &place in &members {
            let node = gathered.node(place);
            if !node.is_owner() {
                node.of = Some(id.clone());
            }
        }
    }
    match owner {
        Some((place, _)) => told.into_iter().for_each(|told| gathered.give(place, told)),
        None if told.is_empty() => {}
        None => {
            return Err(ClusterError::new(entry.at, "a shard with slots, but without a master"));
        }
    }
    Ok(!others.is_empty())
}

/// The one master of a shard; of several, the one that is not down.
fn owner_of(
    entry: &Reply,
    gathered: &mut Gathered,
    members: &[usize],
) -> Result<Option<(usize, NodeId)>, ClusterError> {
    let mut owners: Vec<usize> =
        members.iter().copied().filter(|&place| gathered.node(place).is_owner()).collect();
    if owners.len() > 1 {
        owners.retain(|&place| !gathered.node(place).has("fail"));
    }
    match owners.as_slice() {
        [] => Ok(None),
        &[place] => Ok(Some((place, gathered.node(place).id.clone()))),
        several => {
            let reason =
                format!("a shard with {} masters, so its slots are nobody's", several.len());
            Err(ClusterError::new(entry.at, reason))
        }
    }
}

/// First and last slots in turn.
fn read_slots(reply: &Reply) -> Result<Vec<Told>, ClusterError> {
    let ends = reply.list("the slots of a shard")?;
    if !ends.len().is_multiple_of(2) {
        let reason = "cut short: the slots of a shard are first and last slots in turn";
        return Err(ClusterError::new(reply.at, reason));
    }
    ends.chunks_exact(2).map(|ends| told(ends[0].at, ends[0].slot()?, ends[1].slot()?)).collect()
}

fn read_node(reply: &Reply) -> Result<ClusterNode, ClusterError> {
    let mut node = unknown(NodeId::new(""));
    let mut port = None;
    let mut tls_port = None;
    let mut is_told = false;
    for (name, value) in reply.fields("a node")? {
        match name {
            "id" => {
                let id = value.text("a node id")?.unwrap_or_default();
                node.id = read_id(value.at, "node id", id)?;
            }
            "port" => port = Some(value.port("a port")?),
            "tls-port" => tls_port = Some(value.port("a port")?),
            "ip" => value.text("an address")?.unwrap_or_default().clone_into(&mut node.host),
            "hostname" => node.hostname = value.text("a host name")?.map(str::to_owned),
            "role" => {
                node.flags.push(match value.text("a role")? {
                    Some("master") => "master".to_owned(),
                    Some("replica" | "slave") => "slave".to_owned(),
                    _ => return Err(value.unfit("role", "master or replica")),
                });
            }
            "health" => {
                is_told = true;
                match value.text("health")? {
                    Some("online") => {}
                    Some("fail" | "failed") => node.flags.push("fail".to_owned()),
                    Some(other) => node.flags.push(other.to_owned()),
                    None => return Err(value.unfit("health", "online, fail or loading")),
                }
            }
            // Where the node is reached, which one of the fields above tells too.
            "endpoint" => {
                if let Some(host) = value.text("an endpoint")?
                    && node.host.is_empty()
                {
                    host.clone_into(&mut node.host);
                }
            }
            _ => node.others.push((name.to_owned(), value.as_kept())),
        }
    }
    let missing = if node.id.as_str().is_empty() {
        "id"
    } else if node.flags.iter().all(|flag| flag != "master" && flag != "slave") {
        "role"
    } else if port.or(tls_port).is_none() {
        "port"
    } else if !is_told {
        "health"
    } else {
        node.port = port.or(tls_port).unwrap_or_default();
        if port.is_some()
            && let Some(tls) = tls_port
        {
            node.others.push(("tls-port".to_owned(), tls.to_string()));
        }
        return Ok(node);
    };
    Err(ClusterError::new(reply.at, format!("cut short: a node without {missing:?}")))
}

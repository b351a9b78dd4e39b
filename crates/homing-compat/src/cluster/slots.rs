//! `CLUSTER SLOTS`: ranges, each with its nodes.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec::Vec;

use homing_core::NodeId;

use super::gather::{Gathered, told, unknown};
use super::nodes::read_id;
use super::reply::Reply;
use super::{ClusterError, ClusterNode};

/// Entries of first slot, last slot, the owner and its replicas.
pub(super) fn nodes(entries: &[Reply]) -> Result<Vec<ClusterNode>, ClusterError> {
    let mut gathered = Gathered::default();
    let mut length = None;
    for entry in entries {
        let items = entry.list("a range")?;
        let [first, last, owner, replicas @ ..] = items else {
            let reason = format!("cut short: a range of {} items, of at least 3", items.len());
            return Err(ClusterError::new(entry.at, reason));
        };
        let told = told(entry.at, first.slot()?, last.slot()?)?;
        for node in core::iter::once(owner).chain(replicas) {
            let items = node.list("a node")?.len();
            let usual = *length.get_or_insert(items);
            if items != usual {
                let reason = format!("cut short: a node of {items} items, the others have {usual}");
                return Err(ClusterError::new(node.at, reason));
            }
        }
        let mut node = read(owner)?;
        node.flags.push("master".to_owned());
        let (place, is_new) = gathered.meet(node);
        let owner_id = gathered.node(place).id.clone();
        if !is_new && !gathered.node(place).is_owner() {
            return Err(both(owner, &owner_id));
        }
        gathered.give(place, told);
        for reply in replicas {
            let mut node = read(reply)?;
            node.flags.push("slave".to_owned());
            node.of = Some(owner_id.clone());
            let id = node.id.clone();
            let (place, _) = gathered.meet(node);
            match &gathered.node(place).of {
                Some(of) if *of == owner_id => {}
                _ => return Err(both(reply, &id)),
            }
        }
    }
    gathered.finish()
}

fn both(reply: &Reply, id: &NodeId) -> ClusterError {
    let reason = format!("node {id:?} owns one range, and replicates the owner of another");
    ClusterError::new(reply.at, reason)
}

/// Host, port, id, and what is known besides; ids are there since Redis 4.
fn read(reply: &Reply) -> Result<ClusterNode, ClusterError> {
    let items = reply.list("a node")?;
    let [host, port, rest @ ..] = items else {
        let reason = format!("cut short: a node of {} items, of at least 2", items.len());
        return Err(ClusterError::new(reply.at, reason));
    };
    let host = host.text("a host")?.filter(|host| *host != "?");
    let port = port.port("a port")?;
    let id = match rest.first() {
        Some(id) => read_id(id.at, "node id", id.text("a node id")?.unwrap_or_default())?,
        None => NodeId::from(format!("{}:{port}", host.unwrap_or_default())),
    };
    let mut node = unknown(id);
    node.port = port;
    host.unwrap_or_default().clone_into(&mut node.host);
    let Some(besides) = rest.get(1) else { return Ok(node) };
    for (name, value) in besides.fields("what is known of a node besides")? {
        match (name, value.text(name)?) {
            // The preferred endpoint is another: then it is the name.
            ("ip", Some(address)) => {
                let named = core::mem::replace(&mut node.host, address.to_owned());
                node.hostname = Some(named).filter(|named| !named.is_empty());
            }
            ("hostname", Some(named)) => node.hostname = Some(named.to_owned()),
            (_, value) => node.others.push((name.to_owned(), value.unwrap_or_default().to_owned())),
        }
    }
    Ok(node)
}

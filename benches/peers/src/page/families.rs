//! What each family takes, and why.

use crate::page::markdown::{Table, escaped, ns, ratio};
use crate::page::view::{MODES, View, times};
use crate::subject::{FAMILIES, Mode};
use crate::verdict::{Quantity, Record};

/// What a family is called, and why its numbers are what they are.
///
/// The words state no figure: those are in the tables.
fn about(family: &str) -> Option<(&'static str, &'static str)> {
    Some(match family {
        "ring" => (
            "Ring",
            "A lookup is the hash, one multiplication and one cache line of 64 bytes, which holds \
             the points of its part of the circle and their owners side by side; the floor reads \
             such a line too and looks at nothing in it. What is left between the two is the \
             comparison within the line and the owner it points to. A batch asks for its lines \
             ahead, so beyond the caches it waits for memory less often than one key at a time; \
             a search, which is what peers do, waits at every step of it. The vectors are SSE2, \
             which every x86-64 has, so there is one level.",
        ),
        "slots" => (
            "Slots",
            "The floor hashes with XXH3, which slots must not: the specification of the cluster \
             asks for a CRC-16 of what is between the braces. So a key is looked through for a \
             brace, and the remainder of it is taken many bytes at a time: by carry-less \
             multiplications where the processor has them (PCLMULQDQ, the level AVX2) and by \
             tables where not; the map itself is one load, for any number of nodes.",
        ),
        "maglev" => (
            "Maglev",
            "A lookup is the hash, the remainder by the number of entries, which multiplications \
             give, and one load of two bytes. Against peers it is the size of an entry that \
             counts, from where their tables leave a cache that ours still fits; the floor differs \
             by the remainder, for which it takes the high part of a product.",
        ),
        "jump" => (
            "Jump",
            "Each step of a key is a multiplication and a division that wait for the step before, \
             and a key takes about as many as the natural logarithm of the number of buckets. One \
             key can do no better than its chain, which is what every peer computes as well. A \
             batch keeps many keys in flight, in as many lanes as the level has; the floor divides \
             and does not wait, and no lane idles there until the slowest key of its group is done.",
        ),
        "rendezvous" => (
            "Rendezvous",
            "Every node is scored for every key, so the time grows with the number of nodes. The \
             floor computes the same scores and their maximum, in the same lanes, several keys a \
             pass, and takes their first and last step once a key; ours also has to know which \
             node the maximum is of, and the least id among equals. Up to some hundreds of nodes \
             the lanes of a batch hold keys, not nodes, in both. Peers hash each node with the \
             key by a call of their hasher, which no vector unit takes up.",
        ),
        "weighted" => (
            "Weighted rendezvous",
            "The score as without weights, and from it a logarithm and a division, which most \
             nodes never reach: a block of nodes whose greatest score cannot win is passed over. \
             The floor is that of equal weights and has no logarithm at all. Peers compute \
             one for every node.",
        ),
        "modulo" => (
            "Modulo",
            "The control: the hash and the remainder by a number of nodes that does not change, by \
             multiplications in place of a division. The floor is the hash alone, so the remainder \
             and writing the owner are all that is between them.",
        ),
        _ => return None,
    })
}

/// A section for each family that was measured.
pub(super) fn all(record: &Record) -> String {
    let mut text = "## Each family\n\nNanoseconds a lookup, the key hashed in the loop; N is the \
                    number of nodes. Kernels are those of the widest level that the machine has.\n\n"
        .to_owned();
    for family in FAMILIES {
        let measured = record.options.families.iter().any(|name| name == family);
        if let Some((title, why)) = about(family).filter(|_| measured) {
            text.extend(["### ", title, "\n\n", why, "\n\n"]);
            text += &lookups(record, family);
            text += &fastest(record, family);
        }
    }
    text
}

fn lookups(record: &Record, family: &str) -> String {
    let sizes = &record.options.nodes;
    let view = View::of(record, Quantity::Lookup);
    let each = |name: &str, of: &dyn Fn(usize) -> String| -> Vec<String> {
        let numbers = sizes.iter().map(|&nodes| of(nodes));
        [name.to_owned()].into_iter().chain(numbers).collect()
    };
    let mut table = Table::new(1, each("", &|nodes| format!("N = {nodes}")));
    for (mode, how) in MODES {
        table.row(each(&format!("ours, {how}"), &|nodes| ns(view.ours(family, mode, nodes))));
    }
    if sizes.iter().any(|&nodes| view.ours(family, Mode::Dyn, nodes).is_some()) {
        table.row(each("ours, batch through dyn", &|n| ns(view.ours(family, Mode::Dyn, n))));
    }
    for (mode, how) in MODES {
        if sizes.iter().any(|&nodes| view.floor(family, mode, nodes).is_some()) {
            table.row(each(&format!("floor, {how}"), &|nodes| ns(view.floor(family, mode, nodes))));
        }
    }
    let peer = |nodes| view.peer(family, nodes).map(|figure| figure.value.median);
    let has_peers = sizes.iter().any(|&nodes| peer(nodes).is_some());
    if has_peers {
        table.row(each("fastest peer", &|nodes| ns(peer(nodes))));
    }
    for (mode, how) in MODES {
        let share = |nodes| times(view.ours(family, mode, nodes), view.bound(family, mode, nodes));
        if sizes.iter().any(|&nodes| share(nodes).is_some()) {
            table.row(each(&format!("ours / floor, {how}"), &|nodes| ratio(share(nodes))));
        }
    }
    for (mode, how) in MODES.into_iter().filter(|_| has_peers) {
        table.row(each(&format!("peer / ours, {how}"), &|nodes| {
            ratio(times(peer(nodes), view.ours(family, mode, nodes)))
        }));
    }
    table.or("Not measured.")
}

/// The names of the fastest peers, each with the numbers of nodes where it is.
fn fastest(record: &Record, family: &str) -> String {
    let view = View::of(record, Quantity::Lookup);
    let sizes = record.options.nodes.iter();
    let found: Vec<(&str, usize)> = sizes
        .filter_map(|&nodes| Some((view.peer(family, nodes)?.subject.as_str(), nodes)))
        .collect();
    if found.is_empty() {
        return String::new();
    }
    let runs = found.chunk_by(|(a, _), (b, _)| a == b);
    let words: Vec<String> = runs
        .map(|run| {
            let name = run.first().map_or("", |(name, _)| name);
            let sizes: Vec<String> = run.iter().map(|(_, nodes)| nodes.to_string()).collect();
            format!("{} at {}", escaped(name), sizes.join(", "))
        })
        .collect();
    format!("The fastest peer is {}.\n\n", words.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_but_the_others_is_told_about() {
        for family in FAMILIES {
            assert_eq!(about(family).is_some(), family != "other", "{family}");
        }
    }
}

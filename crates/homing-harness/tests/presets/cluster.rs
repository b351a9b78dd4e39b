//! What a cluster prints of itself, as members.

use crate::Folder;

const A: &str = "07c37dfeb235213a872192d90877d0cd55635b91";
const B: &str = "67ed2db8d677e59ec4a4cefb06858cf2a1a89fa1";

/// CLUSTER NODES of two nodes, in the form of the cluster specification.
fn dump(of_a: &str, of_b: &str) -> String {
    format!(
        "{A} 10.0.0.1:7000@17000 myself,master - 0 0 1 connected {of_a}\n\
         {B} 10.0.0.2:7000@17000 master - 0 1426238317239 2 connected {of_b}\n"
    )
}

#[test]
fn a_dump_is_members_and_the_slots_that_they_have() {
    let folder = Folder::new();
    folder.add("cluster.txt", dump("0-12000", "12001-16383"));
    // The specification of the cluster: foo is in slot 12182.
    for flag in ["--members", "--cluster"] {
        let placed = folder.homing(&["locate", flag, "cluster.txt", "foo"]);
        assert_eq!(placed, format!("key,position,owner\nfoo,12182,{B}\n"));
    }
    let of = folder.json(0, &["plan", "cluster.txt"]);
    // 12001 and 4383 slots are levelled to 8192 each.
    assert_eq!((&of["family"], &of["moved"]["positions"]), (&"slots".into(), &3809.into()));
}

#[test]
fn slots_that_are_odd_are_named() {
    let folder = Folder::new();
    folder.add("cluster.txt", dump(&format!("0-99 [93->-{B}]"), "102-16383"));
    let (_, told) = folder.both(0, &["locate", "--members", "cluster.txt", "foo"]);
    assert!(told.contains("cluster.txt: without an owner: slots 100 to 101"), "{told}");
    assert!(told.contains(&format!("slot 93 migrates from \"{A}\" to \"{B}\"")), "{told}");
    folder.add("twice.txt", dump("0-99", "98-16383"));
    let told = folder.refusal(&["locate", "--members", "twice.txt", "foo"]);
    assert_eq!(
        told,
        format!(
            "twice.txt: each slot must have one owner, but claimed are slots 98 to 99 by \"{A}\" \
             and \"{B}\""
        )
    );
}

#[test]
fn a_dump_that_cannot_be_read_is_told_with_its_line() {
    let folder = Folder::new();
    let whole = dump("0-12000", "12001-16383");
    folder.add("crlf.txt", whole.replace('\n', "\r\n"));
    let placed = folder.homing(&["locate", "--cluster", "crlf.txt", "foo"]);
    assert!(placed.contains(B), "{placed}");
    folder.add("cut.txt", &whole[..whole.len() - 30]);
    let told = folder.refusal(&["locate", "--cluster", "cut.txt", "foo"]);
    assert!(told.starts_with("cut.txt:2: "), "{told}");
    folder.add("info.txt", "cluster_state:ok\r\ncluster_slots_assigned:16384\r\n");
    let told = folder.refusal(&["locate", "--cluster", "info.txt", "foo"]);
    assert!(told.starts_with("info.txt:1: the answer of CLUSTER INFO, not of "), "{told}");
    folder.add("far.txt", dump("0-99999", "1-2"));
    let told = folder.refusal(&["locate", "--members", "far.txt", "foo"]);
    assert!(told.starts_with("far.txt:1: "), "{told}");
}

#[test]
fn a_family_and_what_is_no_dump_go_on_as_before() {
    let folder = Folder::new();
    folder.add("cluster.txt", dump("0-12000", "12001-16383"));
    let placed = folder.homing(&["locate", "--family", "jump", "--members", "cluster.txt", "foo"]);
    assert!(placed.contains(A) || placed.contains(B), "{placed}");
    folder.add("ids.txt", "slots\n0\n1\n");
    let placed = folder.homing(&["locate", "--family", "jump", "--members", "ids.txt", "foo"]);
    assert_eq!(placed.lines().count(), 2);
}

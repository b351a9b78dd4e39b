//! What becomes of replicas.

use crate::{RING, abcd, assert_figures, failures, failures_in, figure, json_of, of, ring, row};

#[test]
fn a_pair_takes_all_replicas_of_the_keys_between_the_two() {
    // Two replicas are the owner and the next node: the 4 sixteenths of A are on A
    // and B, the 2 of B on B and C, the 2 of C on C and D, the 8 of D on D and A.
    let arguments = [&RING[..], &["--replicas", "2"]].concat();
    let found = json_of(failures_in(abcd().path(), &arguments));
    let pairs = row(&found, "ring", "pair");
    for (pair, sixteenths) in [
        (["A", "B"], 4.0),
        (["A", "C"], 0.0),
        (["B", "C"], 2.0),
        (["A", "D"], 8.0),
        (["B", "D"], 0.0),
        (["C", "D"], 2.0),
    ] {
        let lost = sixteenths / 16.0;
        let expected = [
            ("replicas.all_lost", lost),
            ("replicas.all_lost_low", lost),
            ("replicas.all_lost_high", lost),
        ];
        assert_figures(of(pairs, &pair), &expected);
    }
    let summed = [("replicas.all_lost.worst", 0.5), ("replicas.all_lost.mean", 1.0 / 6.0)];
    assert_figures(pairs, &summed);
    // A node alone takes none, and some of its own keys and of those before it.
    let nodes = row(&found, "ring", "node");
    assert_figures(nodes, &[("replicas.all_lost.worst", 0.0)]);
    for (node, sixteenths) in [("A", 12.0), ("B", 6.0), ("C", 4.0), ("D", 10.0)] {
        assert_figures(of(nodes, &[node]), &[("replicas.some_lost", sixteenths / 16.0)]);
    }
}

/// a1 and a2 in zone a own an eighth each, b1 and b2 in b as well, c1 and c2 in c
/// two eighths each.
fn three_zones() -> tempfile::TempDir {
    let nodes = [("a1", 2), ("a2", 2), ("b1", 2), ("b2", 2), ("c1", 4), ("c2", 4)];
    ring(&nodes, |id| Some(id[..1].to_owned()))
}

#[test]
fn replicas_on_the_next_node_share_a_zone_with_the_owner() {
    // In eighths: the sets are a1 a2 (1), a2 b1 (1), b1 b2 (1), b2 c1 (1), c1 c2 (2)
    // and c2 a1 (2). In one zone before: 1 + 1 + 2.
    let folder = three_zones();
    let arguments = [&RING[..], &["--replicas", "2"]].concat();
    let found = json_of(failures_in(folder.path(), &arguments));
    assert_figures(&found, &[("zones", 3.0), ("zones_due", 2.0)]);
    let zones = row(&found, "ring", "zone");
    for (zone, all, some, left, after) in [
        // Left in two zones: only b2 c1. After, on b1 (3) b2 (1) c1 (2) c2 (2): b1 b2
        // and c1 c2 are in one zone.
        ("a", 1.0, 4.0, 7.0, 5.0),
        // Left: only c2 a1 (2). After, on a1 (1) a2 (1) c1 (4) c2 (2): a1 a2, c1 c2.
        ("b", 1.0, 3.0, 6.0, 5.0),
        // Left: only a2 b1. After, on a1 (5) a2 (1) b1 (1) b2 (1): a1 a2, b1 b2.
        ("c", 2.0, 5.0, 7.0, 6.0),
    ] {
        let each = zones["each"].as_array().unwrap();
        let each = each.iter().find(|each| each["zone"] == zone).unwrap();
        let expected = [
            ("replicas.all_lost", all / 8.0),
            ("replicas.some_lost", some / 8.0),
            ("replicas.few_zones_before", 4.0 / 8.0),
            ("replicas.few_zones_left", left / 8.0),
            ("replicas.few_zones_after", after / 8.0),
        ];
        assert_figures(each, &expected);
    }
    let summed = [("replicas.all_lost.worst", 0.25), ("replicas.all_lost.mean", 4.0 / 24.0)];
    assert_figures(zones, &summed);
}

#[test]
fn replicas_in_distinct_zones_survive_a_zone() {
    // In eighths: the sets are a1 b1 (1), a2 b1 (1), b1 c1 (1), b2 c1 (1), c1 a1 (2)
    // and c2 a1 (2): some are lost of 6, 4 and 6.
    let folder = three_zones();
    let arguments = [&RING[..], &["--replicas", "2", "--spread", "zones"]].concat();
    let found = json_of(failures_in(folder.path(), &arguments));
    let zones = row(&found, "ring", "zone");
    let summed = [
        ("replicas.all_lost.worst", 0.0),
        ("replicas.some_lost.worst", 6.0 / 8.0),
        ("replicas.some_lost.mean", 16.0 / 24.0),
        ("replicas.few_zones_before", 0.0),
        ("replicas.few_zones_left.worst", 6.0 / 8.0),
        ("replicas.few_zones_after.worst", 0.0),
    ];
    assert_figures(zones, &summed);
    // Two nodes of two zones still take the keys that only they hold.
    let pairs = row(&found, "ring", "pair");
    assert_figures(of(pairs, &["a1", "b1"]), &[("replicas.all_lost", 1.0 / 8.0)]);
    assert_figures(of(pairs, &["a1", "a2"]), &[("replicas.all_lost", 0.0)]);
    assert_figures(of(pairs, &["a1", "c1"]), &[("replicas.all_lost", 2.0 / 8.0)]);
}

#[test]
fn as_many_zones_as_there_were_are_due_after_a_zone_is_gone() {
    let folder = three_zones();
    let arguments = [&RING[..], &["--replicas", "3", "--spread", "zones"]].concat();
    let found = json_of(failures_in(folder.path(), &arguments));
    assert_figures(&found, &[("zones_due", 3.0)]);
    let zones = row(&found, "ring", "zone");
    // Two zones are left, and three were due.
    assert_figures(zones, &[("replicas.few_zones_after.worst", 1.0)]);
    let nodes = row(&found, "ring", "node");
    assert_figures(nodes, &[("replicas.few_zones_after.worst", 0.0)]);
}

#[test]
fn sampled_losses_have_an_interval_that_holds_the_true_part() {
    // Rendezvous puts two replicas on every pair of four nodes alike: 1/6 of the
    // keys. 95 % intervals of 6 pairs may miss; four deviations may not.
    let keys = 20_000.0;
    let run = ["--nodes", "4", "--family", "rendezvous", "--replicas", "2", "--sample", "20000"];
    let found = failures(&run);
    let pairs = row(&found, "rendezvous", "pair");
    assert_eq!(pairs["replicas"]["basis"], "sampled");
    for each in pairs["each"].as_array().unwrap() {
        let [low, lost, high] = ["low", "", "high"].map(|end| match end {
            "" => figure(each, "replicas.all_lost"),
            end => figure(each, &format!("replicas.all_lost_{end}")),
        });
        crate::assert_sampled(lost, 1.0 / 6.0, keys);
        assert!(low < lost && lost < high, "{each}");
        // The normal interval is 1.96 sqrt(p (1 - p) / n) to both sides: 0.0103 wide.
        assert!((high - low - 0.0103).abs() < 0.001, "{each}");
    }
    // Of each key two replicas are on two of four nodes.
    let nodes = row(&found, "rendezvous", "node");
    for each in nodes["each"].as_array().unwrap() {
        crate::assert_sampled(figure(each, "replicas.some_lost"), 0.5, keys);
    }
}

#[test]
fn a_family_without_replicas_says_so() {
    let run = ["--nodes", "3", "--replicas", "2", "--family", "slots", "--family", "maglev"];
    let found = failures(&run);
    for family in ["slots", "maglev"] {
        let said = &row(&found, family, "node")["replicas"]["unsupported"];
        assert_eq!(said, "has no second choice after the owner");
    }
}

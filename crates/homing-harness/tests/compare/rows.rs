//! The rows of `compare --format json`, and their figures for known changes.

use std::sync::LazyLock;

use serde_json::Value;

use crate::{Folder, assert_close, assert_sampled, compare, figure, json_of, names, row};

/// `homing compare` as it is without flags.
static DEFAULT: LazyLock<Value> = LazyLock::new(|| compare(&[]));

fn measured() -> impl Iterator<Item = &'static Value> {
    DEFAULT["rows"].as_array().unwrap().iter()
}

#[test]
fn every_family_has_a_row_and_slots_have_two() {
    let families = ["modulo", "ring", "slots", "slots+rebalance", "maglev", "rendezvous", "jump"];
    assert_eq!(names(&DEFAULT), families);
}

#[test]
fn eight_nodes_become_nine_by_default_over_a_million_keys() {
    assert_eq!(DEFAULT["nodes_before"], 8);
    assert_eq!(DEFAULT["nodes_after"], 9);
    assert_eq!(DEFAULT["workload"]["keys"], 1_000_000);
    let change = DEFAULT["changes"][0].as_str().unwrap();
    assert!(change.contains("add") && change.contains("node-8"), "{change}");
}

#[test]
fn every_measured_row_has_every_figure_as_a_number() {
    let figures = [
        "moved",
        "moved_low",
        "moved_high",
        "optimal",
        "stray",
        "peak_to_mean",
        "cv",
        "lookup_ns",
        "hash_ns",
        "build_ns",
        "change_ns",
        "memory_bytes",
    ];
    for row in measured() {
        for name in figures {
            assert!(figure(row, name) >= 0.0, "{name} in {row}");
        }
        assert!(row.get("unsupported").is_none(), "{row}");
    }
}

#[test]
fn single_lookups_have_percentiles_in_order_beside_the_timer() {
    for row in measured() {
        let figure = |name: &str| row["single"][name].as_u64().unwrap();
        assert!(figure("lookups") >= 1, "{row}");
        assert!(figure("p50_ns") <= figure("p99_ns"), "{row}");
        assert!(figure("p99_ns") <= figure("p999_ns"), "{row}");
        assert!(row["single"]["timer_ns"].is_u64(), "{row}");
    }
}

#[test]
fn two_threads_are_measured_where_the_machine_has_two() {
    let has_two = std::thread::available_parallelism().is_ok_and(|threads| threads.get() > 1);
    for row in measured() {
        let throughput = &row["throughput"];
        assert!(figure(throughput, "one_thread_keys_per_s") > 0.0, "{row}");
        assert_eq!(throughput.get("two_threads_keys_per_s").is_some(), has_two, "{row}");
    }
}

#[test]
fn every_fraction_of_a_sample_has_an_interval_that_holds_it() {
    for row in measured() {
        let ends = [figure(row, "stray_low"), figure(row, "stray_high")];
        let stray = figure(row, "stray");
        assert!(ends[0] <= stray && stray <= ends[1], "{row}");
        assert_eq!(ends[0] < ends[1], row["basis"] == "sampled", "{row}");
        let even = &row["evenness"];
        let ends = [figure(even, "peak_to_mean_low"), figure(even, "peak_to_mean_high")];
        let peak = figure(row, "peak_to_mean");
        assert!(ends[0] <= peak && peak <= ends[1], "{row}");
        assert_eq!(ends[0] < ends[1], row["basis"] == "sampled", "{row}");
    }
}

#[test]
fn exact_rows_need_no_test_and_even_samples_pass_it() {
    for row in measured() {
        let (name, even) = (row["family"].as_str().unwrap(), &row["evenness"]);
        if row["basis"] == "exact" {
            assert_eq!(even["verdict"], "exact", "{name}");
            assert!(even.get("chi_square_p").is_none(), "{name}");
            assert_close(figure(even, "cv_corrected"), figure(row, "cv"));
        } else {
            assert_eq!(even["verdict"], "even", "{row}");
            // The statistic of equal nodes is the square of the cv times the keys.
            let statistic = figure(row, "cv").powi(2) * 1e6;
            assert!((figure(even, "chi_square") / statistic - 1.0).abs() < 1e-9, "{row}");
            // Nine equal nodes: cv^2 - (8 - cv^2) / (K - 1).
            let square = figure(row, "cv").powi(2);
            let corrected = (square - (8.0 - square) / (1e6 - 1.0)).max(0.0).sqrt();
            assert!((figure(even, "cv_corrected") - corrected).abs() < 1e-9, "{row}");
        }
    }
}

#[test]
fn the_gini_coefficient_of_a_node_without_slots_is_a_ninth() {
    // Eight loads of 9/8 and one of 0: of the 81 pairs 16 differ, by 9/8; half of
    // 16 x 9/8 / 81 over the mean of 1 is 1/9.
    assert_close(figure(&row(&DEFAULT, "slots")["evenness"], "gini"), 1.0 / 9.0);
}

#[test]
fn a_ring_of_a_few_points_is_called_uneven_by_its_keys() {
    // With 10 points a node its shares deviate by about 30 %; 20,000 keys over nine
    // nodes by 2 %. Requests make it count keys.
    let scenario = "nodes = 8\n[workload]\nkeys = 20000\nzipf = 0.5\nrequests = 1000000\n\
                    [[family]]\nname = \"ring\"\npoints = 10\n[[family]]\nname = \"jump\"\n";
    let folder = Folder::with("s.toml", scenario);
    let comparison = json_of(folder.compare(&["--scenario", "s.toml"]));
    let ring = row(&comparison, "ring");
    assert_eq!(ring["evenness"]["verdict"], "uneven", "{ring}");
    assert_eq!(ring["by_requests"]["evenness"]["verdict"], "uneven", "{ring}");
    let jump = row(&comparison, "jump");
    assert_eq!(jump["evenness"]["verdict"], "even", "{jump}");
    assert_eq!(jump["by_requests"]["evenness"]["verdict"], "even", "{jump}");
    // Unequal requests tell less than as many keys: the interval is wider.
    let width = |of: &Value| figure(of, "moved_high") - figure(of, "moved_low");
    assert!(width(&jump["by_requests"]) > width(jump), "{jump}");
    let due = 1.0 / 9.0;
    assert!(figure(&jump["by_requests"], "moved_low") < due, "{jump}");
    assert!(figure(&jump["by_requests"], "moved_high") > due, "{jump}");
}

#[test]
fn forty_keys_are_too_few_for_nine_nodes_and_ones_own_have_no_interval() {
    // 40 / 9 = 4.4 keys a node are less than 5; 45 are 5.
    let keys = |count: usize| (0..count).fold(String::new(), |all, i| all + &format!("user:{i}\n"));
    for (count, few) in [(40, true), (45, false)] {
        let folder = Folder::with("keys.txt", keys(count));
        let comparison = json_of(folder.compare(&["--keys", "keys.txt", "--family", "jump"]));
        let jump = row(&comparison, "jump");
        assert_eq!(jump["evenness"]["verdict"] == "too_few", few, "{jump}");
        assert_eq!(jump["stray_low"], jump["stray_high"]);
        assert_eq!(jump["evenness"]["peak_to_mean_low"], jump["peak_to_mean"]);
    }
}

#[test]
fn replicas_of_a_sample_have_intervals() {
    // A ninth node takes one of two places of 2/9 of the keys, so 1/9 of the copies.
    let arguments = ["--replicas", "2", "--family", "rendezvous", "--sample", "20000"];
    let comparison = compare(&arguments);
    let replicas = &row(&comparison, "rendezvous")["replicas"];
    for (name, part) in [("copies_moved", 1.0 / 9.0), ("sets_changed", 2.0 / 9.0), ("short", 0.0)] {
        let end = |end: &str| figure(replicas, &format!("{name}_{end}"));
        assert!(end("low") <= part && part <= end("high"), "{name} in {replicas}");
    }
}

#[test]
fn only_slots_tell_what_is_uncovered() {
    for row in measured() {
        let slots = row["family"].as_str().unwrap().starts_with("slots");
        assert_eq!(row.get("uncovered").is_some(), slots, "{row}");
    }
}

#[test]
fn generated_keys_have_neither_bytes_nor_requests_by_default() {
    for row in measured() {
        assert!(row.get("by_bytes").is_none() && row.get("by_requests").is_none(), "{row}");
    }
}

#[test]
fn families_with_segments_are_exact_and_the_others_sampled() {
    // design.md's table of families: rendezvous and jump have no segments; hash
    // mod N over 2^64 positions has no short list of them.
    for row in measured() {
        let name = row["family"].as_str().unwrap();
        let sampled = ["modulo", "rendezvous", "jump"].contains(&name);
        assert_eq!(row["basis"], if sampled { "sampled" } else { "exact" }, "{name}");
    }
}

#[test]
fn the_interval_holds_moved_and_is_moved_itself_where_nothing_is_sampled() {
    for row in measured() {
        let (low, moved, high) =
            (figure(row, "moved_low"), figure(row, "moved"), figure(row, "moved_high"));
        if row["basis"] == "sampled" {
            assert!(low < moved && moved < high, "{row}");
        } else {
            assert_eq!([&row["moved_low"], &row["moved_high"]], [&row["moved"]; 2], "{row}");
        }
    }
}

#[test]
fn the_optimum_of_a_ninth_node_is_a_ninth_in_every_row() {
    // Eight nodes fall from 1/8 to 1/9 each, one rises from 0 to 1/9: half of
    // 8 (1/8 - 1/9) + 1/9 = 2/9.
    for row in measured() {
        assert_close(figure(row, "optimal"), 1.0 / 9.0);
    }
}

#[test]
fn hash_mod_n_moves_eight_ninths() {
    // A key stays with probability min(8, 9) / lcm(8, 9) = 8/72 = 1/9. It then
    // lies on a node that stays; of those that move, node-8 takes 1/9 of all,
    // so 8/9 - 1/9 = 7/9 stray.
    let row = row(&DEFAULT, "modulo");
    let moved = 8.0 / 9.0;
    assert!(figure(row, "moved_low") <= moved && moved <= figure(row, "moved_high"), "{row}");
    assert_sampled(figure(row, "stray"), 7.0 / 9.0, 1e6);
}

#[test]
fn slots_move_nothing_while_only_the_membership_changes() {
    // Eight nodes hold 2048 of 16384 slots each, the ninth none. Over the mean,
    // 1/9, the greatest load is (1/8) / (1/9); the variance is
    // 8/9 x 1/64 - 1/81 = 1/648, so cv = 9 / sqrt(648) = 1 / sqrt(8).
    let row = row(&DEFAULT, "slots");
    assert_close(figure(row, "moved"), 0.0);
    assert_eq!(row["uncovered"], 0);
    assert_close(figure(row, "peak_to_mean"), 9.0 / 8.0);
    assert_close(figure(row, "cv"), 8_f64.sqrt().recip());
}

#[test]
fn a_rebalance_moves_1820_of_16384_slots_to_a_ninth_node() {
    // 16384 = 9 x 1820 + 4: four nodes that were there hold 1821, five hold
    // 1820, the new one among them. The variance of the counts is
    // (4/9)(5/9) = 20/81 around 16384/9, so cv = sqrt(20) / 16384.
    let row = row(&DEFAULT, "slots+rebalance");
    assert_close(figure(row, "moved"), 1820.0 / 16384.0);
    assert_close(figure(row, "stray"), 0.0);
    assert_eq!(row["uncovered"], 0);
    assert_close(figure(row, "peak_to_mean"), 1821.0 * 9.0 / 16384.0);
    assert_close(figure(row, "cv"), 20_f64.sqrt() / 16384.0);
}

#[test]
fn maglev_moves_a_little_more_than_the_new_node_takes() {
    // 65537 = 9 x 7281 + 8: the new node has 7281 or 7282 entries, all of which
    // move to it; what else moves strays. facts.md, section 4: about 11.3 % in
    // all; cases.md, C28: 0.19 to 0.54 % stray over six seeds.
    let row = row(&DEFAULT, "maglev");
    let (moved, stray) = (figure(row, "moved"), figure(row, "stray"));
    let to_the_new_node = ((moved - stray) * 65537.0).round();
    assert!([7281.0, 7282.0].contains(&to_the_new_node), "{to_the_new_node}");
    assert!((0.001..0.006).contains(&stray), "{stray}");
    assert!((0.112..0.117).contains(&moved), "{moved}");
}

#[test]
fn minimal_families_move_keys_only_to_the_new_node() {
    for name in ["ring", "rendezvous", "jump"] {
        let row = row(&DEFAULT, name);
        assert_close(figure(row, "stray"), 0.0);
        let load = row["load"].as_array().unwrap();
        let of_the_new_node = load.iter().find(|load| load["node"] == "node-8").unwrap();
        assert_close(figure(row, "moved"), figure(of_the_new_node, "share"));
    }
}

#[test]
fn rendezvous_and_jump_move_a_ninth() {
    for name in ["rendezvous", "jump"] {
        assert_sampled(figure(row(&DEFAULT, name), "moved"), 1.0 / 9.0, 1e6);
    }
}

#[test]
fn a_ring_of_160_points_a_node_is_as_uneven_as_the_theory_says() {
    // facts.md, section 1: a cv of about sqrt((N-1)/(N v + 1)) = 7.45 % for nine
    // nodes. The cv of nine draws has a relative deviation of about
    // 1 / sqrt(2 x 8) = 0.25; four of them are the whole of it.
    let cv = figure(row(&DEFAULT, "ring"), "cv");
    assert!(cv > 0.0 && cv < 2.0 * (8_f64 / (9.0 * 160.0 + 1.0)).sqrt(), "{cv}");
}

#[test]
fn a_removal_in_the_middle_is_jumps_rule_and_the_others_are_measured() {
    let comparison = compare(&["--remove", "node-3", "--sample", "20000"]);
    let jump = row(&comparison, "jump");
    assert_eq!(jump["unsupported"], "removes only the node that joined last");
    assert!(jump.get("moved").is_none(), "{jump}");
    for name in ["modulo", "ring", "slots", "slots+rebalance", "maglev", "rendezvous"] {
        let row = row(&comparison, name);
        assert!(figure(row, "moved") > 0.0);
        assert_close(figure(row, "optimal"), 1.0 / 8.0);
    }
}

#[test]
fn removing_one_of_eight_uncovers_2048_slots_and_the_planned_way_none() {
    // 16384 / 8 = 2048 slots are one node's. Unplanned they lose their owner;
    // planned, they go to the seven others, and no other slot moves.
    let comparison = compare(&["--remove", "node-3", "--family", "slots", "--sample", "1000"]);
    assert_eq!(names(&comparison), ["slots", "slots+rebalance"]);
    let alone = row(&comparison, "slots");
    assert_eq!(alone["uncovered"], 2048);
    assert_close(figure(alone, "moved"), 2048.0 / 16384.0);
    assert_close(figure(alone, "stray"), 0.0);
    let planned = row(&comparison, "slots+rebalance");
    assert_eq!(planned["uncovered"], 0);
    assert_close(figure(planned, "moved"), 2048.0 / 16384.0);
    assert_close(figure(planned, "stray"), 0.0);
    // 16384 = 7 x 2340 + 4: the most that one of seven holds is 2341.
    assert_close(figure(planned, "peak_to_mean"), 2341.0 * 7.0 / 16384.0);
}

#[test]
fn jump_loses_the_node_that_joined_last() {
    let arguments = ["--remove", "node-7", "--family", "jump", "--sample", "20000"];
    let comparison = compare(&arguments);
    let jump = row(&comparison, "jump");
    assert_sampled(figure(jump, "moved"), 1.0 / 8.0, 20_000.0);
    assert_close(figure(jump, "stray"), 0.0);
}

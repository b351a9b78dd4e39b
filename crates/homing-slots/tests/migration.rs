//! Slots on the move, by the "Redis cluster specification".

use homing_core::{Build, Change, Error, Members, NodeId, Placement};
use homing_slots::{
    Claim, Client, Config, Coverage, CrossSlot, Keys, NodeView, Route, Slots, Unserved, slot,
    slot_of,
};

const HERE: Keys = Keys { here: 1, missing: 0 };
const MISSING: Keys = Keys { here: 0, missing: 1 };
const PARTLY: Keys = Keys { here: 1, missing: 1 };

fn id(node: &str) -> NodeId {
    NodeId::new(node)
}

fn map() -> Slots {
    Slots::build(Config::default(), Members::named(["a", "b", "c"]).unwrap()).unwrap()
}

/// The views of a, b and c, with the configuration epochs 1, 2 and 3.
fn views() -> [NodeView; 3] {
    let epochs = [(id("a"), 1), (id("b"), 2), (id("c"), 3)];
    ["a", "b", "c"].map(|node| NodeView::new(&id(node), map(), &epochs).unwrap())
}

/// The views with slot 7 of a on its way to b.
fn moving() -> [NodeView; 3] {
    let [mut a, mut b, c] = views();
    b.begin_importing(7, &id("a")).unwrap();
    a.begin_migrating(7, &id("b")).unwrap();
    [a, b, c]
}

fn moved(node: &str) -> Route {
    Route::Moved(id(node))
}

fn ask(node: &str) -> Route {
    Route::Ask(id(node))
}

fn owner(view: &NodeView, slot: u16) -> &str {
    let owner = view.slots().owner_at(slot.into()).unwrap();
    view.slots().node(owner).id.as_str()
}

#[test]
fn a_slot_at_rest_is_served_by_its_owner() {
    let [a, b, _] = views();
    assert_eq!(a.route(7, MISSING, false), Route::Serve);
    assert_eq!(b.route(7, HERE, false), moved("a"));
    assert_eq!(b.route(7, HERE, true), moved("a"), "asking alone opens nothing");
}

#[test]
fn the_source_serves_what_it_still_has() {
    let [a, _, c] = moving();
    assert_eq!(a.route(7, HERE, false), Route::Serve);
    assert_eq!(a.route(7, MISSING, false), ask("b"));
    assert_eq!(a.route(7, PARTLY, false), Route::TryAgain);
    assert_eq!(a.route(7, Keys { here: 0, missing: 2 }, false), ask("b"));
    assert_eq!(c.route(7, MISSING, false), moved("a"));
}

#[test]
fn the_target_serves_who_asks() {
    let [_, b, _] = moving();
    assert_eq!(b.route(7, HERE, false), moved("a"));
    assert_eq!(b.route(7, HERE, true), Route::Serve);
    assert_eq!(b.route(7, MISSING, true), Route::Serve, "it is a new key");
    assert_eq!(b.route(7, PARTLY, true), Route::TryAgain);
    assert_eq!(b.route(7, Keys { here: 0, missing: 2 }, true), Route::TryAgain);
    assert_eq!(b.route(8, HERE, true), moved("a"), "the slot next to it is at rest");
}

#[test]
fn a_command_without_keys_is_served_anywhere() {
    let [a, b, c] = moving();
    for view in [a, b, c] {
        assert_eq!(view.route(7, Keys::default(), false), Route::Serve);
    }
}

#[test]
fn an_uncovered_slot_takes_the_cluster_down_where_all_must_be_covered() {
    let left = map().with_changes(&[Change::Remove(id("c"))]).unwrap();
    let view = NodeView::new(&id("a"), left, &[]).unwrap();
    let uncovered = vec![10_923..=16_383];
    assert_eq!(view.route(7, HERE, false), Route::Down(Unserved::ClusterDown { uncovered }));
    let view = view.with_coverage(Coverage::Partial);
    assert_eq!(view.route(7, HERE, false), Route::Serve);
    let down = Route::Down(Unserved::Uncovered { slot: 16_000 });
    assert_eq!(view.route(16_000, HERE, false), down);
}

#[test]
fn a_released_slot_is_the_targets_when_it_finishes() {
    let [mut a, mut b, mut c] = moving();
    let release = a.release(7, 0).unwrap();
    assert_eq!(a.route(7, MISSING, false), ask("b"));
    let claim = b.finish(release).unwrap();
    // The greatest epoch that b knew of was 3.
    assert_eq!((claim.config_epoch, b.config_epoch(), b.current_epoch()), (4, 4, 4));
    assert_eq!(claim.slots, [7..=7, 5_461..=10_922]);
    assert_eq!(b.route(7, MISSING, false), Route::Serve);
    assert_eq!(a.route(7, MISSING, false), ask("b"), "a has not heard of it");
    assert_eq!(a.hear(&claim).unwrap().taken, [7]);
    assert_eq!(a.route(7, MISSING, false), moved("b"));
    assert_eq!(a.migrating().count(), 0);
    assert_eq!(c.hear(&claim).unwrap().taken, [7]);
    assert_eq!(owner(&c, 7), "b");
}

#[test]
fn a_slot_with_keys_is_not_released() {
    let [mut a, _, _] = moving();
    assert_eq!(
        a.release(7, 2).unwrap_err().to_string(),
        "number of keys of the slot that are here is 2, but must be 0"
    );
    assert_eq!(a.route(7, MISSING, false), ask("b"), "it stays open");
}

#[test]
fn a_released_slot_cannot_be_cancelled() {
    let [mut a, mut b, _] = moving();
    let _release = a.release(7, 0).unwrap();
    let withdrawal = b.withdraw(7, 0).unwrap();
    assert!(a.cancel(withdrawal).is_err());
}

#[test]
fn a_cancelled_slot_stays_at_the_source() {
    let [mut a, mut b, _] = moving();
    assert!(b.withdraw(7, 1).is_err(), "a key has to be moved back first");
    let withdrawal = b.withdraw(7, 0).unwrap();
    assert_eq!(b.route(7, HERE, true), moved("a"));
    a.cancel(withdrawal).unwrap();
    assert_eq!(a.route(7, MISSING, false), Route::Serve);
    assert_eq!((a.migrating().count(), b.importing().count()), (0, 0));
    assert_eq!((a.config_epoch(), b.config_epoch()), (1, 2));
}

#[test]
fn a_target_that_turns_back_takes_no_new_key() {
    let [a, mut b, _] = moving();
    b.turn_back(7).unwrap();
    assert_eq!(b.route(7, HERE, true), Route::Serve);
    assert_eq!(b.route(7, MISSING, true), Route::TryAgain, "it may be back at the source");
    assert_eq!(a.route(7, MISSING, false), ask("b"));
    assert!(b.turn_back(8).is_err());
}

#[test]
fn a_claim_with_a_lower_or_equal_epoch_is_refused() {
    let [mut a, _, _] = views();
    let claim = |config_epoch| Claim {
        node: id("b"),
        config_epoch,
        current_epoch: 9,
        slots: vec![11_000..=11_001],
    };
    // c has the slots under epoch 3.
    for epoch in [2, 3] {
        let heard = a.hear(&claim(epoch)).unwrap();
        assert_eq!((heard.taken.len(), heard.refused), (0, vec![11_000, 11_001]));
    }
    assert_eq!(owner(&a, 11_000), "c");
    assert_eq!(a.hear(&claim(4)).unwrap().taken, [11_000, 11_001]);
    assert_eq!((a.current_epoch(), a.config_epoch()), (9, 1));
    let older = Claim { node: id("c"), ..claim(3) };
    assert_eq!(a.hear(&older).unwrap().refused, [11_000, 11_001], "it never goes back");
}

#[test]
fn an_epoch_that_could_not_be_raised_is_refused() {
    let [mut a, _, _] = views();
    let most = i64::MAX.cast_unsigned();
    let claim = |config_epoch, current_epoch| Claim {
        node: id("b"),
        config_epoch,
        current_epoch,
        slots: vec![],
    };
    for (claim, epoch) in [(claim(most + 1, 4), most + 1), (claim(4, u64::MAX), u64::MAX)] {
        let expected = format!("epoch is {epoch}, but must be at most 9223372036854775807");
        assert_eq!(a.hear(&claim).unwrap_err().to_string(), expected);
        assert_eq!(a.current_epoch(), 3, "nothing is changed");
    }
    assert!(NodeView::new(&id("a"), map(), &[(id("b"), u64::MAX)]).is_err());
    a.hear(&claim(most, most)).unwrap();
    // Raised from the greatest that can be told: b has it too, and a has the lesser id.
    let mut a = NodeView::new(&id("a"), map(), &[(id("a"), most)]).unwrap();
    assert!(a.hear(&claim(most, most)).unwrap().raised);
    assert_eq!((a.config_epoch(), a.current_epoch()), (1 << 63, 1 << 63));
}

#[test]
fn a_claim_whose_runs_do_not_ascend_is_refused() {
    let [mut a, _, _] = views();
    let backwards = std::ops::RangeInclusive::new(9, 8);
    for (slots, told) in [
        (vec![5..=6, 6..=7], "6-7"),
        (vec![5..=6, 1..=2], "1-2"),
        (vec![backwards], "9-8"),
        (vec![0..=16_384], "0-16384"),
    ] {
        let claim = Claim { node: id("b"), config_epoch: 9, current_epoch: 9, slots };
        let expected = format!("claimed run is {told}, but must be ascending within 0-16383");
        assert_eq!(a.hear(&claim).unwrap_err().to_string(), expected);
    }
    assert_eq!((a.current_epoch(), owner(&a, 5)), (3, "a"));
}

#[test]
fn numbers_of_keys_are_counted_without_an_overflow() {
    let [_, b, _] = moving();
    let many = Keys { here: u32::MAX, missing: u32::MAX };
    assert_eq!(b.route(7, many, true), Route::TryAgain);
    assert_eq!(b.route(7, Keys { missing: 0, ..many }, true), Route::Serve);
}

#[test]
fn of_two_nodes_with_one_epoch_the_lesser_id_takes_another() {
    let epochs = [(id("a"), 5), (id("b"), 5)];
    let [mut a, mut b] = ["a", "b"].map(|it| NodeView::new(&id(it), map(), &epochs).unwrap());
    let (of_a, of_b) = (a.claim(), b.claim());
    assert!(!b.hear(&of_a).unwrap().raised);
    assert!(a.hear(&of_b).unwrap().raised);
    assert_eq!((a.config_epoch(), b.config_epoch()), (6, 5));
    assert_eq!(a.claim().config_epoch, 6);
}

#[test]
fn a_slot_on_its_way_here_is_not_touched_by_claims() {
    let [_, mut b, _] = moving();
    let claim = Claim { node: id("c"), config_epoch: 9, current_epoch: 9, slots: vec![7..=7] };
    assert_eq!(b.hear(&claim).unwrap().refused, [7]);
    assert_eq!(b.importing().collect::<Vec<_>>(), [(7, &id("a"))]);
}

#[test]
fn who_hands_a_slot_on_does_not_take_it_back_with_another_one() {
    let [mut a, mut b, mut c] = moving();
    let release = a.release(7, 0).unwrap();
    let of_b = b.finish(release).unwrap();
    // Before a hears of it, it gets slot 16000 of c, under an epoch as great.
    a.begin_importing(16_000, &id("c")).unwrap();
    c.begin_migrating(16_000, &id("a")).unwrap();
    let of_a = a.finish(c.release(16_000, 0).unwrap()).unwrap();
    assert_eq!((of_a.config_epoch, of_b.config_epoch), (4, 4));
    for claims in [[&of_a, &of_b], [&of_b, &of_a]] {
        let mut view = c.clone();
        for claim in claims {
            view.hear(claim).unwrap();
        }
        assert_eq!((owner(&view, 7), owner(&view, 16_000)), ("b", "a"));
    }
}

#[test]
fn what_cannot_be_begun_is_told() {
    let [mut a, mut b, _] = views();
    let text = |result: Result<(), Error>| result.unwrap_err().to_string();
    assert_eq!(
        text(b.begin_migrating(7, &id("a"))),
        "slot is 7 at \"b\", but must be of this node and not on its way out"
    );
    assert_eq!(
        text(a.begin_importing(7, &id("b"))),
        "slot is 7 at \"a\", but must be of another node and not on its way here"
    );
    assert_eq!(text(a.begin_migrating(7, &id("x"))), "node \"x\" is no member");
    assert_eq!(
        text(a.begin_migrating(7, &id("a"))),
        "other node is \"a\", but must be another than this one"
    );
    assert_eq!(
        text(a.begin_migrating(16_384, &id("b"))),
        "slot is 16384, but must be within 0-16383"
    );
    let claim = Claim { node: id("b"), config_epoch: 9, current_epoch: 9, slots: vec![0..=16_384] };
    assert!(a.hear(&claim).is_err());
    assert_eq!(a.current_epoch(), 3);
}

#[test]
fn ask_holds_once_and_moved_for_good() {
    let mut client = Client::new(map());
    let to = |client: &mut Client| {
        let sending = client.send(7).unwrap();
        (sending.to.as_str().to_owned(), sending.asking)
    };
    client.answered(7, &ask("b")).unwrap();
    assert_eq!(to(&mut client), ("b".to_owned(), true));
    assert_eq!(to(&mut client), ("a".to_owned(), false));
    assert_eq!(client.map(), &map(), "ASK leaves the map");
    client.answered(7, &moved("c")).unwrap();
    assert_eq!(to(&mut client), ("c".to_owned(), false));
    assert_eq!(to(&mut client), ("c".to_owned(), false));
    assert_eq!(client.send(8).unwrap().to, id("a"), "only that slot is corrected");
    client.answered(8, &moved("new")).unwrap();
    assert_eq!(client.send(8).unwrap().to, id("new"), "a node that it did not know");
}

#[test]
fn a_command_over_several_slots_is_refused() {
    assert_eq!(slot_of(&[b"{user}.a", b"{user}.b"]), Ok(Some(slot(b"user"))));
    assert_eq!(slot_of(&[]), Ok(None));
    // Redis cluster specification: `foo` is in slot 12182; keyslot.csv: `bar` in 5061.
    let error = CrossSlot { slot: 12_182, other: 5_061 };
    assert_eq!(slot_of(&[b"foo", b"foo", b"bar"]), Err(error));
    assert_eq!(error.to_string(), "keys are in slots 12182 and 5061, but must be in one");
}

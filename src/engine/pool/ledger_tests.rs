use super::*;

#[test]
fn lanes_are_counted_while_they_are_in_flight() {
    let ledger = Ledger::new(3);
    ledger.mark_sent([0, 2].into_iter());
    ledger.set_state(2, LaneState::Written);
    assert_eq!((ledger.count_in_flight(), ledger.lanes_in_flight()), (2, vec![0, 2]));
    assert_eq!(ledger.check_not_in_flight(&LaneList::Some(vec![1, 2])), Err(Error::InFlight { lane: 2 }));
    ledger.mark_received([2].into_iter());
    assert_eq!(ledger.check_not_in_flight(&LaneList::Some(vec![1, 2])), Ok(()));
    assert!(ledger.check_none_in_flight().is_err());
    assert!(ledger.check_enough_in_flight(1, 3).is_err() && ledger.check_enough_in_flight(2, 3).is_ok());
}

#[test]
fn a_call_is_pending_and_not_in_flight() {
    let ledger = Ledger::new(2);
    ledger.set_state(0, LaneState::Called);
    ledger.set_state(1, LaneState::Abandoned);
    assert!([0, 1].iter().all(|lane| ledger.state(*lane).is_pending()));
    ledger.mark_all_received();
    assert_eq!([ledger.state(0), ledger.state(1)], [LaneState::Called, LaneState::Abandoned], "only rows are received");
    assert_eq!(ledger.check_none_in_flight(), Ok(()));
}

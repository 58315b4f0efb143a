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

#[cfg(loom)]
mod loom_tests {
    use std::sync::Arc;

    use loom::cell::UnsafeCell;

    use super::*;

    /// Model of a ledger and one lane. A cell stands for the lane's memory, so that loom checks accesses to it.
    struct Model {
        ledger: Ledger,
        lane: UnsafeCell<usize>,
        /// Number of times that the lane was handed over to the receiver.
        handed: AtomicUsize,
    }

    // SAFETY: the thread that has claimed the lane owns the cell; loom checks every access.
    unsafe impl Sync for Model {}
    // SAFETY: the type holds plain data without thread affinity.
    unsafe impl Send for Model {}

    impl Model {
        fn change_lane(&self) {
            // SAFETY: the lane was claimed, or is in flight and was handed over to this thread; loom checks this.
            self.lane.with_mut(|count| unsafe { *count += 1 });
        }
    }

    /// Sends and receives a lane `rounds` times in two threads, while `others` other lanes are in flight.
    fn pass_to_and_fro(rounds: usize, others: usize) {
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(3);
        builder.check(move || {
            let ledger = Ledger::new(1 + others);
            ledger.mark_sent(1..1 + others);
            let model = Arc::new(Model { ledger, lane: UnsafeCell::new(0), handed: AtomicUsize::new(0) });
            let sending = Arc::clone(&model);
            let sender = loom::thread::spawn(move || {
                for round in 1..=rounds {
                    while sending.ledger.check_not_in_flight(&LaneList::Some(vec![0])).is_err() {
                        loom::thread::yield_now();
                    }
                    sending.change_lane();
                    sending.ledger.mark_sent(std::iter::once(0));
                    sending.handed.store(round, Ordering::Release);
                }
            });
            for round in 1..=rounds {
                while model.handed.load(Ordering::Acquire) != round {
                    loom::thread::yield_now();
                }
                model.change_lane();
                model.ledger.mark_received(std::iter::once(0));
            }
            sender.join().unwrap();
            assert_eq!(model.ledger.count_in_flight(), others);
            // SAFETY: the other thread has ended, so only this thread accesses the cell; loom checks this.
            assert_eq!(model.lane.with(|count| unsafe { *count }), 2 * rounds);
        });
    }

    #[test]
    fn loom_a_lane_is_claimed_again_only_after_it_was_received() {
        pass_to_and_fro(2, 0);
    }

    #[test]
    fn loom_a_lane_is_claimed_by_its_own_state_while_others_are_in_flight() {
        pass_to_and_fro(2, 1);
    }
}

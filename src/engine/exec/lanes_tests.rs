use std::panic::{AssertUnwindSafe, catch_unwind};

use super::*;

/// Calls `act`, and returns whether it panics.
fn is_refused<T>(act: impl FnOnce() -> T) -> bool {
    catch_unwind(AssertUnwindSafe(act)).is_err()
}

#[test]
fn a_guard_lends_only_its_own_lanes() {
    let (list, storage) = (LaneList::Some(vec![7, 5, 6, 9]), PerLane::new(5..10, |lane| lane));
    // SAFETY: the list is local to this test, and no other thread accesses its lanes.
    let mut guard = unsafe { LanesGuard::new(&list, 1..3) };
    assert_eq!((*storage.get_mut(guard.lane(1)), *storage.get_mut(guard.lane(2))), (5, 6));
    assert!([0, 3].into_iter().all(|index| is_refused(|| guard.lane(index).number())));
    assert!([0, 2].into_iter().all(|index| is_refused(|| guard.block::<2, true>(index).is_some())));
    assert!(guard.block::<2, true>(1).is_some() && is_refused(|| guard.block::<3, false>(1).is_some()));
}

#[test]
fn lanes_lent_together_must_differ() {
    let (list, storage) = (LaneList::All(4), PerLane::new(0..4, |lane| lane));
    // SAFETY: the list is local to this test, and no other thread accesses its lanes.
    let mut guard = unsafe { LanesGuard::new(&list, 0..4) };
    let mut all: Vec<_> = guard.each([0, 2, 3].into_iter()).map(|lane| storage.get_mut(lane)).collect();
    all.iter_mut().for_each(|element| **element += 10);
    assert!(is_refused(|| guard.each([1, 1].into_iter()).count()), "one lane twice");
    assert_eq!(*storage.get_mut(guard.lane(3)), 13);
}

#[test]
fn a_lane_has_one_element_in_each_storage() {
    let (list, numbers, names) = (LaneList::All(2), PerLane::new(0..2, |lane| lane), PerLane::new(0..2, |lane| lane.to_string()));
    // SAFETY: the list is local to this test, and no other thread accesses its lanes.
    let mut guard = unsafe { LanesGuard::new(&list, 0..2) };
    let (number, name) = numbers.get_mut_both(&names, guard.lane(1));
    assert_eq!((*number, name.as_str()), (1, "1"));
    assert!(is_refused(|| *numbers.get_mut_both(&numbers, guard.lane(1)).0));
}

#[test]
fn lanes_beyond_the_storage_are_refused() {
    let (list, cells) = (LaneList::All(4), LaneCells::new(1..3, |lane| lane));
    // SAFETY: the list is local to this test, and no other thread accesses its lanes.
    let guard = unsafe { LanesGuard::new(&list, 0..4) };
    assert_eq!([1, 2].map(|index| cells.get(guard.id(index))), [1, 2]);
    assert!([0, 3].into_iter().all(|index| is_refused(|| cells.get(guard.id(index)))));
    assert!([0, 2].into_iter().all(|index| is_refused(|| guard.block::<2, true>(index).unwrap().load(&cells))));
    guard.block::<2, true>(1).unwrap().store(&cells, &[8, 9]);
    assert_eq!(guard.block::<2, false>(1).unwrap().load(&cells), [8, 9]);
}

//! Tests failures of a library's functions, and the mistakes that checks find.

use std::sync::LazyLock;

use envpool_rs_engine::{Dialect, PoolConfig, RenderArgs, ResetOptions, Role, Value};
use envpool_rs_plugin::host::check_task;

use crate::{load, message, never, pool, reset, step, support, task};

/// Number by which a test selects the mistake that the fixture library makes.
#[derive(Debug, Clone, Copy)]
enum Fault {
    None,
    BeyondState,
    OtherLane,
    BeyondRow,
    Unwritten,
    OutOfBounds,
    NanReward,
    HiddenState,
    Address,
    ChangedAction,
    ObserveChanges,
    UnknownEnd,
    AllFail,
    OneFails,
    RefusesOwnStates,
    Elapsed,
    BeyondRewards,
    RenderFails,
    Int64Action,
    FloatAction,
    IntOfFloat,
    IntChoiceOfFloat,
}

fn id() -> &'static str {
    static ID: LazyLock<&str> = LazyLock::new(|| load(&support::library("faults", "faults", &[])).unwrap().ids[0]);
    *ID
}

fn options(fault: Fault, check: bool) -> [(&'static str, Value); 2] {
    [("fault", Value::Int(fault as i64)), ("check", Value::Bool(check))]
}

fn pool_with(fault: Fault, check: bool, lanes: i64) -> envpool_rs_engine::Pool {
    let mut config = PoolConfig::new(lanes).unwrap();
    config.num_threads = 0;
    pool(id(), &options(fault, check), config, Dialect::Gymnasium)
}

#[test]
fn a_library_without_mistakes_has_no_findings() {
    assert_eq!(check_task(task(id()), &[], 30).unwrap(), []);
}

#[test]
fn each_mistake_is_detected_by_its_check() {
    for (fault, check, text) in [
        (Fault::BeyondState, "state_guard", "step wrote outside of the states of its lanes: 3 bytes after the state of lane 0"),
        (Fault::OtherLane, "state_guard", "byte 0 of the state of lane 1"),
        (Fault::BeyondRow, "row_guard", "observe wrote outside of row 0 of array 0"),
        (Fault::Unwritten, "unwritten", "observe did not write element 1 of array 0 (\"\") for lane 0"),
        (Fault::OutOfBounds, "bounds", "element 0 is 31: expected 0 to 30"),
        (Fault::NanReward, "reward", "NaN: expected a finite number"),
        (Fault::HiddenState, "repeat", "a second step from the same states differs"),
        (Fault::Address, "alone", "at another address"),
        (Fault::ChangedAction, "actions", "step changed action 0, which is read-only"),
        (Fault::ObserveChanges, "read_only", "observe changed a state, which it may only read"),
        (Fault::UnknownEnd, "failure", "end[0] of step=64: expected bits of"),
        (Fault::AllFail, "failure", "the fifth call fails"),
        (Fault::OneFails, "failure", "the counter cannot be seven"),
        (Fault::RefusesOwnStates, "is_valid", "is_valid refuses a state that step wrote"),
        (Fault::Elapsed, "elapsed", "reset set elapsed to -3"),
        (Fault::BeyondRewards, "row_guard", "step wrote outside of row 0 of rewards"),
        (Fault::Int64Action, "action_type", "expected it to read action as int32_t"),
        (Fault::FloatAction, "action_type", "equal results: expected step to read it as int32_t"),
        (Fault::IntOfFloat, "action_type", "expected step to read it as float"),
        (Fault::IntChoiceOfFloat, "action_type", "expected step to read it as float"),
    ] {
        // An action without influence is reported after 500 steps.
        let steps = if matches!(fault, Fault::FloatAction) { 600 } else { 12 };
        let given = [("fault".to_owned(), Value::Int(fault as i64))];
        let found = check_task(task(id()), &given, steps).unwrap();
        let finding = found.iter().find(|finding| finding.check == check);
        assert!(finding.is_some_and(|finding| finding.text.contains(text)), "{fault:?}: {found:?}");
    }
}

#[test]
fn a_pool_with_checks_fails_the_lanes_of_the_mistake() {
    let pool = pool_with(Fault::NanReward, true, 3);
    reset(&pool, None, ResetOptions::default()).unwrap();
    let error = message(step(&pool, None, &[0; 3]));
    assert!(error.contains("task Faults-v0: check reward: step gave lane 0 the reward NaN"), "{error}");
}

#[test]
fn an_error_code_fails_all_lanes_of_the_call_and_resets_recover() {
    let pool = pool_with(Fault::AllFail, false, 5);
    reset(&pool, None, ResetOptions::default()).unwrap();
    let mut failed = 0;
    for _ in 0..15 {
        if let Err(error) = step(&pool, None, &[1; 5]) {
            let text = error.to_string();
            assert!(text.contains("faults 2.1 (") && text.contains("the fifth call fails"), "{text}");
            failed += 1;
            pool.drain(&mut never).unwrap();
            reset(&pool, None, ResetOptions::default()).unwrap();
        }
    }
    assert_eq!(failed, 3);
}

#[test]
fn a_single_failed_lane_keeps_the_rows_of_other_lanes() {
    let pool = pool_with(Fault::OneFails, false, 4);
    reset(&pool, None, ResetOptions::default()).unwrap();
    (0..3).for_each(|_| _ = step(&pool, None, &[0, 2, 1, 0]).unwrap());
    let error = message(step(&pool, None, &[0, 1, 2, 0]));
    assert!(error.contains("the counter cannot be seven") && error.contains("environment 1"), "{error}");
    let batch = pool.recv(&mut None, &mut never).unwrap();
    let counts: Vec<_> = batch.values::<i64>(Role::Observation(0)).unwrap().chunks(2).map(|row| row[0]).collect();
    assert_eq!((batch.lanes(), &counts[..]), (&[0, 2, 3][..], &[0, 5, 0][..]));
    reset(&pool, Some(&[1]), ResetOptions::default()).unwrap();
    step(&pool, None, &[0; 4]).unwrap();
}

#[test]
fn unknown_end_bits_are_refused_without_checks() {
    let pool = pool_with(Fault::UnknownEnd, false, 2);
    reset(&pool, None, ResetOptions::default()).unwrap();
    assert!(message(step(&pool, None, &[0; 2])).contains("end[0] of step=64: expected bits of EPR_TERMINATED"));
}

#[test]
fn frames_have_the_librarys_bytes_or_its_error() {
    let pool = pool_with(Fault::None, false, 2);
    reset(&pool, None, ResetOptions::default()).unwrap();
    step(&pool, None, &[2, 1]).unwrap();
    let frames = pool.render(None, RenderArgs::default(), &mut never).unwrap();
    assert_eq!((frames.width, frames.height, &frames.pixels[..]), (4, 3, &[[2; 36], [1; 36]].concat()[..]));
    let pool = pool_with(Fault::RenderFails, false, 1);
    reset(&pool, None, ResetOptions::default()).unwrap();
    assert!(message(pool.render(None, RenderArgs::default(), &mut never)).contains("render returned 5 without a message"));
}

#[test]
fn a_changed_snapshot_is_refused_by_is_valid_and_leaves_the_lane() {
    let pool = pool_with(Fault::None, false, 1);
    reset(&pool, None, ResetOptions::default()).unwrap();
    step(&pool, None, &[2]).unwrap();
    let state = pool.get_state(None).unwrap().remove(0);
    for index in 0..state.len() {
        let mut damaged = state.clone();
        damaged[index] ^= 0x80;
        assert!(pool.set_state(&[damaged], None).is_err(), "byte {index}");
    }
    let batch = step(&pool, None, &[1]).unwrap();
    assert_eq!(batch.values::<i64>(Role::Observation(0)).unwrap()[0], 3);
}

//! Tests the behaviour of pools that does not depend on what runs the lanes.
//!
//! Random sequences of calls run on a pool and on a model without threads, processes or memory, and the results are compared.

mod model;

use std::collections::VecDeque;
use std::time::Instant;

use envpool_rs_engine::Scheduling;
use proptest::prelude::*;

use self::model::{Model, Phase};
use super::children::ChildBackend;
use super::envs::{COUNT, END, PANIC, bare_block_counter, block_counter, counter};
use super::fake::{FakeControl, Pace, backend_spec};
use super::families::{c_library, foreign_counter, solved_together};
use super::*;

/// Number of environments of each pool.
const LANES: usize = 4;

/// Implementation that runs the lanes of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LaneKind {
    Lanes,
    Blocks,
    /// Blocks of lanes without infos, so that no lane needs individual work after a step.
    BareBlocks,
    CLibrary,
    SolvedTogether,
    /// Environment whose functions run several lanes in each call, with this scheduling.
    Foreign(Scheduling),
    Fakes(Pace),
    /// Backend lanes that stage and collect many operations at once.
    Together(Pace),
    Children,
}

impl LaneKind {
    /// Returns whether an environment can fail by [`PANIC`].
    fn can_fail(self) -> bool {
        !matches!(self, Self::Blocks | Self::BareBlocks)
    }

    /// Returns the error message that the pool reports if an environment fails by [`PANIC`].
    fn failure(self) -> &'static str {
        if self == Self::CLibrary { c_library::REFUSAL } else { "it was asked to" }
    }

    /// Returns the steps since the last reset, as counted by the environments.
    fn counts(self, batch: &Batch) -> Vec<f64> {
        if self == Self::CLibrary { c_library::counts(batch) } else { counts(batch) }
    }
}

/// One call of a random sequence. `ids`, `ends` and `panics` are bit sets of lanes; `turn` rotates the order of `ids`.
#[derive(Debug, Clone)]
enum Call {
    Step {
        ids: u8,
        turn: u8,
        ends: u8,
        panics: u8,
    },
    Send {
        ids: u8,
        turn: u8,
        ends: u8,
        panics: u8,
    },
    Recv,
    /// A receive call whose deadline has passed.
    ExpiredDeadline,
    /// A receive call whose interrupt hook ends the wait.
    Interrupted,
    Reset {
        ids: u8,
        turn: u8,
    },
    Masked {
        ids: u8,
    },
    Drain,
    State {
        ids: u8,
    },
}

fn call() -> impl Strategy<Value = Call> {
    let panics = prop_oneof![9 => Just(0), 1 => 1u8..16];
    let play = (1u8..16, 0u8..4, 0u8..16, panics);
    prop_oneof![
        4 => play.clone().prop_map(|(ids, turn, ends, panics)| Call::Step { ids, turn, ends, panics }),
        4 => play.prop_map(|(ids, turn, ends, panics)| Call::Send { ids, turn, ends, panics }),
        5 => Just(Call::Recv),
        1 => Just(Call::ExpiredDeadline),
        1 => Just(Call::Interrupted),
        2 => (1u8..16, 0u8..4).prop_map(|(ids, turn)| Call::Reset { ids, turn }),
        1 => (1u8..16).prop_map(|ids| Call::Masked { ids }),
        1 => Just(Call::Drain),
        1 => (1u8..16).prop_map(|ids| Call::State { ids }),
    ]
}

fn pool(kind: LaneKind, config: PoolConfig) -> Pool {
    let outputs = Outputs { dialect: Dialect::EnvPool, format: Format::Gymnasium };
    let of = |task: Task, config| Pool::new(&task, &task.resolve(&[]).unwrap(), config, outputs).unwrap();
    match kind {
        LaneKind::Lanes => of(counter(), config),
        LaneKind::Blocks => of(block_counter(), config),
        LaneKind::BareBlocks => of(bare_block_counter(), config),
        LaneKind::CLibrary => of(c_library::task(), config),
        LaneKind::SolvedTogether => of(solved_together::task(), config),
        LaneKind::Foreign(scheduling) => of(foreign_counter::task(scheduling), config),
        LaneKind::Fakes(pace) => {
            Pool::with_backend(FakeControl::new(LANES, pace).outside(), backend_spec(LANES), config, outputs).unwrap()
        }
        LaneKind::Together(pace) => {
            Pool::with_backend(FakeControl::new(LANES, pace).together(), backend_spec(LANES), config, outputs).unwrap()
        }
        LaneKind::Children => {
            Pool::with_backend(Box::new(ChildBackend::new(LANES, false)), backend_spec(LANES), config, outputs).unwrap()
        }
    }
}

/// Returns the lanes in a bit set, starting with lane number `turn`.
fn list(ids: u8, turn: u8) -> Vec<i64> {
    let lanes = (0..LANES).map(|lane| (lane + turn as usize) % LANES);
    lanes.filter(|lane| ids >> lane & 1 == 1).map(|lane| lane as i64).collect()
}

fn check(kind: LaneKind, mode: AutoresetMode, batch_size: usize, calls: &[Call]) {
    let limit = 3;
    // The model assumes that all lanes of a call are solved together. Two threads would share them.
    let threads = if matches!(kind, LaneKind::SolvedTogether) { 1 } else { 2 };
    let config = PoolConfig {
        autoreset_mode: mode,
        max_episode_steps: Some(limit),
        ..config(LANES as i64).batch_size(batch_size as i64).unwrap().num_threads(threads).unwrap()
    };
    let pool = pool(kind, config);
    let mut model = Model {
        kind,
        mode,
        batch_size,
        limit,
        lanes: vec![(Phase::Fresh, 0); LANES],
        in_flight: vec![false; LANES],
        sent: VecDeque::new(),
        retained: VecDeque::new(),
        retained_counts: VecDeque::new(),
    };
    for call in calls {
        apply_call(&pool, &mut model, call);
    }
    // Receives until the model expects no more results, because every item that was sent can be received.
    while !model.retained.is_empty()
        || !model.retained_counts.is_empty()
        || model.in_flight_count() >= if model.is_async() { batch_size } else { 1 }
    {
        model.receive(recv(&pool));
    }
    pool.drain(&mut never).unwrap();
    pool.reset(None, Vec::new(), ResetOptions::default()).unwrap().send(None).unwrap();
    (0..LANES / batch_size).for_each(|_| assert!(kind.counts(&recv(&pool).unwrap()).iter().all(|count| *count == 0.0)));
}

/// Makes one call on the pool and on its model, and compares the results.
fn apply_call(pool: &Pool, model: &mut Model, call: &Call) {
    match call {
        Call::Step { ids, turn, ends, panics } | Call::Send { ids, turn, ends, panics } => {
            let ids = list(*ids, *turn);
            let panics = if model.kind.can_fail() { *panics } else { 0 };
            let action = |id: &i64| match () {
                () if panics >> *id & 1 == 1 => PANIC,
                () if ends >> *id & 1 == 1 => END,
                () => COUNT,
            };
            let actions: Vec<_> = ids.iter().map(action).collect();
            let is_step = matches!(call, Call::Step { .. });
            let refused = model.check_flight(&ids).and_then(|()| model.check_steppable(&ids));
            let refused = refused.and_then(|()| if is_step { model.check_runnable(ids.len()) } else { Ok(()) });
            let received = match is_step {
                true => step(pool, Some(&ids), &actions).map(Some),
                false => send(pool, Some(&ids), &actions).map(|()| None),
            };
            if let Err(refusal) = refused {
                return assert_eq!(message(received), refusal);
            }
            let rows = model.step_all(&ids, &actions);
            model.launch(rows);
            if is_step {
                model.receive(received.map(|batch| batch.expect("a step receives")));
            } else {
                received.unwrap();
            }
        }
        Call::Recv => model.receive(recv(pool)),
        Call::ExpiredDeadline => {
            let received = pool.recv_until(&mut None, &mut never, Some(Instant::now()));
            if let Err(Error::Timeout { lanes }) = &received {
                return assert!(lanes.iter().all(|lane| model.in_flight[*lane as usize]), "{lanes:?}");
            }
            model.receive(received);
        }
        Call::Interrupted => {
            let received = pool.recv(&mut None, &mut || true);
            if !matches!(received, Err(Error::Interrupted)) {
                model.receive(received);
            }
        }
        Call::Reset { ids, turn } => {
            let ids = list(*ids, *turn);
            let refused = model.check_flight(&ids).and_then(|()| model.check_runnable(ids.len()));
            let received = reset(pool, Some(&ids));
            if let Err(refusal) = refused {
                return assert_eq!(message(received), refusal);
            }
            let rows = ids.iter().map(|id| model.begin(*id as usize)).collect();
            model.launch(rows);
            model.receive(received);
        }
        Call::Masked { ids } => {
            let only: Vec<_> = (0..LANES).map(|lane| ids >> lane & 1 == 1).collect();
            let all: Vec<_> = (0..LANES as i64).collect();
            let shows = |lane: &usize| !only[*lane] && matches!(model.lanes[*lane].0, Phase::Fresh | Phase::Failed);
            let refused = model.check_flight(&all).and_then(|()| match (0..LANES).find(shows) {
                Some(lane) => Err(format!("environment {lane} shows nothing yet: the reset has to include it")),
                None => model.check_runnable(LANES),
            });
            let call = pool.reset_masked(only.clone(), Vec::new(), ResetOptions::default());
            let received = call.and_then(|call| call.run(&mut None, &mut never));
            if let Err(refusal) = refused {
                return assert_eq!(message(received), refusal);
            }
            let rows = (0..LANES).map(|lane| if only[lane] { model.begin(lane) } else { model.show(lane) }).collect();
            model.launch(rows);
            model.receive(received);
            // In an asynchronous pool, the remaining rows arrive with the next batch.
        }
        Call::Drain => {
            pool.drain(&mut never).unwrap();
            (model.sent, model.retained, model.retained_counts) = (VecDeque::new(), VecDeque::new(), VecDeque::new());
            model.in_flight.fill(false);
        }
        Call::State { ids } => {
            let ids = list(*ids, 0);
            let failed = ids.iter().find(|id| model.lanes[**id as usize].0 == Phase::Failed);
            let refused = model.check_flight(&ids).and_then(|()| match failed {
                Some(lane) => Err(format!("environment {lane} has failed: reset it before taking its state")),
                None => Ok(()),
            });
            let states = pool.get_state(Some(&ids));
            match refused {
                Err(refusal) => assert_eq!(message(states), refusal),
                Ok(()) => pool.set_state(&states.unwrap(), Some(&ids)).unwrap(),
            }
        }
    }
}

/// Checks one kind of lanes in all autoreset modes, synchronous and asynchronous.
fn check_kind(kind: LaneKind, cases: u32) {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let modes = [AutoresetMode::NextStep, AutoresetMode::SameStep, AutoresetMode::Disabled];
    let strategy = (0..modes.len(), prop::bool::ANY, prop::collection::vec(call(), 1..40));
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let run = runner.run(&strategy, |(mode, is_async, calls)| {
        check(kind, modes[mode], if is_async { 2 } else { LANES }, &calls);
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{kind:?}: {failure}"));
}

#[test]
fn scalar_lanes_satisfy_the_contract() {
    super::failures::quietly(|| check_kind(LaneKind::Lanes, 200));
}

#[test]
fn block_lanes_satisfy_the_contract() {
    [LaneKind::Blocks, LaneKind::BareBlocks].into_iter().for_each(|kind| check_kind(kind, 200));
}

#[test]
fn lanes_of_a_c_library_satisfy_the_contract() {
    let _turn = c_library::turn();
    check_kind(LaneKind::CLibrary, 200);
}

#[test]
fn lanes_solved_together_satisfy_the_contract() {
    super::failures::quietly(|| check_kind(LaneKind::SolvedTogether, 200));
}

#[test]
fn foreign_lanes_satisfy_the_contract() {
    [Scheduling::Uniform, Scheduling::OneByOne].into_iter().for_each(|kind| check_kind(LaneKind::Foreign(kind), 200));
}

#[test]
fn external_lanes_satisfy_the_contract_with_any_reply_timing() {
    for pace in [Pace::AtOnce, Pace::OutOfOrder(1), Pace::Twice(2)] {
        check_kind(LaneKind::Fakes(pace), 200);
    }
}

#[test]
fn batched_external_lanes_satisfy_the_contract() {
    for pace in [Pace::AtOnce, Pace::OutOfOrder(1), Pace::Twice(2)] {
        check_kind(LaneKind::Together(pace), 200);
    }
}

#[test]
fn lanes_in_child_processes_satisfy_the_contract() {
    check_kind(LaneKind::Children, 8);
}

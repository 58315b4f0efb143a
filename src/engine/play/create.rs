//! The states of a pool's lanes, created by several threads where that may take a while.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use crate::engine::contract::env::{Env, Scheduling};
use crate::engine::contract::error::{Error, Result};
use crate::engine::threads::interrupts::{INTERVAL, Interrupts};

/// Who creates the environments of a pool, and who may end it.
pub struct Creation<'a> {
    /// Threads that may do it at once.
    pub threads: usize,
    /// Asked now and then whether to go on.
    pub interrupts: Interrupts<'a>,
}

/// A state for each of these lanes.
///
/// # Errors
/// The error of the first lane that has one, with `State` for a panic; `Interrupted`. What had been created is closed then, and an
/// environment that is just being created is waited for. Where the system refuses threads, those that it gave must do.
pub fn create_states<E: Env>(env: &E, lanes: Range<usize>, creation: &mut Creation<'_>) -> Result<Vec<E::State>> {
    let threads = creation.threads.min(lanes.len());
    let mut states: Vec<_> = Vec::with_capacity(lanes.len());
    let created = match E::SCHEDULING {
        Scheduling::OneByOne | Scheduling::Together(_) if threads > 1 => {
            create_in_parallel(env, lanes, threads, &mut creation.interrupts, &mut states)
        }
        _ => create_in_turn(env, lanes, &mut creation.interrupts, &mut states),
    };
    match created {
        Ok(()) => Ok(states),
        Err(error) => {
            states.into_iter().for_each(|state| env.close(state));
            Err(error)
        }
    }
}

fn create_in_turn<E: Env>(
    env: &E,
    lanes: Range<usize>,
    interrupts: &mut Interrupts<'_>,
    states: &mut Vec<E::State>,
) -> Result<()> {
    // Looking at the clock takes longer than creating what is cheap.
    const CHEAP: usize = 1024;
    for lane in lanes {
        if E::SCHEDULING != Scheduling::Uniform || lane.is_multiple_of(CHEAP) {
            interrupts.check()?;
        }
        states.push(create(env, lane)?);
    }
    Ok(())
}

fn create_in_parallel<E: Env>(
    env: &E,
    lanes: Range<usize>,
    threads: usize,
    interrupts: &mut Interrupts<'_>,
    states: &mut Vec<E::State>,
) -> Result<()> {
    let (next, stopped) = (AtomicUsize::new(lanes.start), AtomicBool::new(false));
    let mut created: Vec<_> = lanes.clone().map(|_| None).collect();
    let mut failed: Option<(usize, Error)> = None;
    let begun = std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let begin = |_: &usize| {
            let (sender, lanes, next, stopped) = (sender.clone(), lanes.clone(), &next, &stopped);
            let thread = std::thread::Builder::new().spawn_scoped(scope, move || {
                while !stopped.load(Ordering::Relaxed) {
                    let lane = next.fetch_add(1, Ordering::Relaxed);
                    if lane >= lanes.end || sender.send((lane, create(env, lane))).is_err() {
                        break;
                    }
                }
            });
            thread.is_ok()
        };
        let begun = (0..threads).take_while(begin).count();
        drop(sender);
        let mut fail = |lane, error| {
            stopped.store(true, Ordering::Relaxed);
            if failed.as_ref().is_none_or(|(other, _)| lane < *other) {
                failed = Some((lane, error));
            }
        };
        loop {
            match receiver.recv_timeout(INTERVAL) {
                Ok((lane, Ok(state))) => created[lane - lanes.start] = Some(state),
                Ok((lane, Err(error))) => fail(lane, error),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            if let Err(interrupted) = interrupts.check() {
                fail(lanes.end, interrupted);
            }
        }
        begun
    });
    if begun == 0 {
        return create_in_turn(env, lanes, interrupts, states);
    }
    states.extend(created.into_iter().flatten());
    failed.map_or(Ok(()), |(_, error)| Err(error))
}

fn create<E: Env>(env: &E, lane: usize) -> Result<E::State> {
    let created = catch_unwind(AssertUnwindSafe(|| env.create(lane)));
    created.unwrap_or_else(|panic| {
        let message = crate::engine::play::work::panic_message(&*panic);
        Err(Error::State(format!("environment {lane} could not be created: {message}")))
    })
}

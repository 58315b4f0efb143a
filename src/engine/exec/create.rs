//! Creates the states of a pool's lanes, by several threads unless creation is cheap.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};

use crate::contract::env::{Env, Scheduling};
use crate::contract::error::{Error, Result};
use crate::threads::interrupt_poller::{InterruptPoller, POLL_INTERVAL};
use crate::threads::worker_thread::worker_thread;

/// Settings for creating a pool's environments: the maximum number of threads, and the interrupt checks.
pub struct CreateContext<'a> {
    /// Maximum number of concurrent threads.
    pub threads: usize,
    /// Checks for signals and for the deadline, called periodically during the creation.
    pub interrupts: InterruptPoller<'a>,
}

/// Creates a state for each lane of a range.
///
/// # Errors
/// The error of the first lane whose creation fails (`State` for a panic); `Interrupted` if the caller's interrupt hook returned
/// true. Created states are then closed, after the creation in progress has finished. If the system refuses threads, the creation
/// continues with the threads that it granted.
pub fn create_states<E: Env>(env: &E, lanes: Range<usize>, context: &mut CreateContext<'_>) -> Result<Vec<E::State>> {
    let threads = context.threads.min(lanes.len());
    let mut states: Vec<_> = Vec::with_capacity(lanes.len());
    let created = match E::SCHEDULING {
        Scheduling::OneByOne | Scheduling::Batched(_) if threads > 1 => {
            create_in_parallel(env, lanes, threads, &mut context.interrupts, &mut states)
        }
        _ => create_sequentially(env, lanes, &mut context.interrupts, &mut states),
    };
    match created {
        Ok(()) => Ok(states),
        Err(error) => {
            states.into_iter().for_each(|state| env.close(state));
            Err(error)
        }
    }
}

fn create_sequentially<E: Env>(
    env: &E,
    lanes: Range<usize>,
    interrupts: &mut InterruptPoller<'_>,
    states: &mut Vec<E::State>,
) -> Result<()> {
    // Number of lanes created between two interrupt checks if creating a state takes less time than a check, which reads the
    // clock.
    const CHEAP: usize = 1024;
    for lane in lanes {
        if E::SCHEDULING != Scheduling::Uniform || lane.is_multiple_of(CHEAP) {
            interrupts.check()?;
        }
        states.push(create(env, lane)?);
    }
    Ok(())
}

/// Creates a state for each lane of a range by several threads.
///
/// Only the closure that fills a lane's slot is compiled for each environment type; threads and interrupts are compiled once.
fn create_in_parallel<E: Env>(
    env: &E,
    lanes: Range<usize>,
    threads: usize,
    interrupts: &mut InterruptPoller<'_>,
    states: &mut Vec<E::State>,
) -> Result<()> {
    let slots: Vec<Mutex<Option<E::State>>> = lanes.clone().map(|_| Mutex::new(None)).collect();
    let fill = |lane: usize| {
        let state = create(env, lane)?;
        *slots[lane - lanes.start].lock().unwrap_or_else(PoisonError::into_inner) = Some(state);
        Ok(())
    };
    let Some(filled) = fill_in_parallel(&fill, lanes.clone(), threads, interrupts) else {
        return create_sequentially(env, lanes, interrupts, states);
    };
    states.extend(slots.into_iter().filter_map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner)));
    filled
}

/// Calls `fill` for each lane, by several threads. Returns `None` if the system refuses every thread.
///
/// # Errors
/// The error of the first lane whose call fails; `Interrupted` if the caller's interrupt hook returned true. Calls in progress
/// are completed first.
fn fill_in_parallel(
    fill: &(dyn Fn(usize) -> Result<()> + Sync),
    lanes: Range<usize>,
    threads: usize,
    interrupts: &mut InterruptPoller<'_>,
) -> Option<Result<()>> {
    let (next, stopped) = (AtomicUsize::new(lanes.start), AtomicBool::new(false));
    let (next, stopped) = (&next, &stopped);
    let mut failed: Option<(usize, Error)> = None;
    let started = std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let start = |_: &usize| {
            let (sender, end) = (sender.clone(), lanes.end);
            let thread = worker_thread("envpool-create").spawn_scoped(scope, move || {
                while !stopped.load(Ordering::Relaxed) {
                    let lane = next.fetch_add(1, Ordering::Relaxed);
                    if lane >= end || fill(lane).is_err_and(|error| sender.send((lane, error)).is_err()) {
                        break;
                    }
                }
            });
            thread.is_ok()
        };
        let started = (0..threads).take_while(start).count();
        drop(sender);
        let mut fail = |lane, error| {
            stopped.store(true, Ordering::Relaxed);
            if failed.as_ref().is_none_or(|(other, _)| lane < *other) {
                failed = Some((lane, error));
            }
        };
        loop {
            match receiver.recv_timeout(POLL_INTERVAL) {
                Ok((lane, error)) => fail(lane, error),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            if let Err(interrupted) = interrupts.check() {
                fail(lanes.end, interrupted);
            }
        }
        started
    });
    (started > 0).then(|| failed.map_or(Ok(()), |(_, error)| Err(error)))
}

fn create<E: Env>(env: &E, lane: usize) -> Result<E::State> {
    let created = catch_unwind(AssertUnwindSafe(|| env.create(lane)));
    created.unwrap_or_else(|panic| {
        let message = crate::exec::chunk::panic_message(&*panic);
        Err(Error::State(format!("environment {lane} could not be created: {message}")))
    })
}

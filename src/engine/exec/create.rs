//! Creates the states of a pool's lanes, by several threads unless creation is cheap.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use crate::contract::env::Env;
use crate::contract::error::{Error, Result};
use crate::threads::interrupt_poller::InterruptPoller;
use crate::threads::parallel_loop::ParallelLoop;
use envpool_rs_sync::fork;

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
/// continues with the threads that it granted. `State` in a child that the hook forked.
pub fn create_states<E: Env>(env: &E, lanes: Range<usize>, context: &mut CreateContext<'_>) -> Result<Vec<E::State>> {
    let threads = context.threads.min(lanes.len());
    let mut states: Vec<_> = Vec::with_capacity(lanes.len());
    let created = if const { E::SCHEDULING.is_costly() } && threads > 1 {
        create_in_parallel(env, lanes, threads, &mut context.interrupts, &mut states)
    } else {
        create_sequentially(env, lanes, &mut context.interrupts, &mut states)
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
        if const { E::SCHEDULING.is_costly() } || lane.is_multiple_of(CHEAP) {
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
    let generation = fork::generation();
    let filled = fill_in_parallel(&fill, lanes.clone(), threads, interrupts);
    if fork::generation() != generation {
        std::mem::forget(slots); // during the fork, a thread may have been writing a state
        return Err(Error::State("the process was forked during this call: call again".into()));
    }
    states.extend(slots.into_iter().filter_map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner)));
    filled
}

/// Calls `fill` for each lane, by several threads.
///
/// # Errors
/// The error of the first lane whose call fails; `Interrupted` if the caller's interrupt hook returned true, `State` in a child that
/// it forked. Calls in progress are completed first, except in that child.
fn fill_in_parallel(
    fill: &(dyn Fn(usize) -> Result<()> + Sync),
    lanes: Range<usize>,
    threads: usize,
    interrupts: &mut InterruptPoller<'_>,
) -> Result<()> {
    let failed = Mutex::new(None::<(usize, Error)>);
    let lock = || failed.lock().unwrap_or_else(PoisonError::into_inner);
    let body = |items: Range<usize>, _: &mut dyn FnMut() -> bool| {
        for lane in items.map(|item| lanes.start + item) {
            if lock().is_some() {
                return;
            }
            if let Err(error) = fill(lane) {
                let mut failed = lock();
                if failed.as_ref().is_none_or(|(other, _)| lane < *other) {
                    *failed = Some((lane, error));
                }
            }
        }
    };
    // No stack is that large, so the calling thread creates nothing and checks for interrupts meanwhile.
    let loops = ParallelLoop::new(threads, usize::MAX);
    let filled = loops.run(lanes.len(), 1, &body, &mut || interrupts.check_now().is_err());
    if let Err(Error::State(_)) = &filled {
        std::mem::forget(failed); // in the forked child; another thread may have been writing the error
        return filled;
    }
    failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(filled, |(_, error)| Err(error))
}

fn create<E: Env>(env: &E, lane: usize) -> Result<E::State> {
    let created = catch_unwind(AssertUnwindSafe(|| env.create(lane)));
    created.unwrap_or_else(|panic| {
        let message = crate::exec::chunk::panic_message(&*panic);
        Err(Error::State(format!("environment {lane} could not be created: {message}")))
    })
}

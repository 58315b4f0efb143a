//! Creates the states of a pool's lanes, by several threads unless creation is cheap.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::contract::env::Env;
use crate::contract::error::{Error, Result};
use crate::threads::interrupt_poller::InterruptPoller;
use crate::threads::parallel_loop::ParallelLoop;
use envpool_rs_sync::fork;

/// Settings for creating a pool's environments: the threads, and the interrupt checks.
pub struct CreateContext<'a> {
    /// Maximum number of concurrent threads.
    pub threads: usize,
    /// CPUs of the pool's workers, if they are pinned. A state is then created on the CPU of the worker that steps its lane, so
    /// that its memory is near this CPU.
    pub cpus: Vec<core_affinity::CoreId>,
    /// Number of consecutive lanes that a worker steps.
    pub lanes_per_worker: usize,
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
        create_in_parallel(env, lanes, context, &mut states)
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
    context: &mut CreateContext<'_>,
    states: &mut Vec<E::State>,
) -> Result<()> {
    let slots: Vec<Mutex<Option<E::State>>> = lanes.clone().map(|_| Mutex::new(None)).collect();
    let fill = |lane: usize| {
        let state = create(env, lane)?;
        *slots[lane - lanes.start].lock().unwrap_or_else(PoisonError::into_inner) = Some(state);
        Ok(())
    };
    let generation = fork::generation();
    let filled = fill_in_parallel(&fill, lanes.clone(), context);
    if fork::generation() != generation {
        std::mem::forget(slots); // during the fork, a thread may have been writing a state
        return Err(Error::State("the process was forked during this call: call again".into()));
    }
    states.extend(slots.into_iter().filter_map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner)));
    filled
}

/// Calls `fill` for each lane, by several threads. Each takes one lane after another or, if the pool's workers are pinned, all lanes
/// of a worker, on its CPU.
///
/// # Errors
/// The error of the first lane whose call fails; `Interrupted` if the caller's interrupt hook returned true, `State` in a child that
/// it forked. Calls in progress are completed first, except in that child.
fn fill_in_parallel(
    fill: &(dyn Fn(usize) -> Result<()> + Sync),
    lanes: Range<usize>,
    context: &mut CreateContext<'_>,
) -> Result<()> {
    let (share, cpus) = (if context.cpus.is_empty() { 1 } else { context.lanes_per_worker.max(1) }, &context.cpus);
    let shares = lanes.start / share..lanes.end.div_ceil(share);
    let caller = thread::current().id();
    let failed = Mutex::new(None::<(usize, Error)>);
    let lock = || failed.lock().unwrap_or_else(PoisonError::into_inner);
    let body = |items: Range<usize>, _: &mut dyn FnMut() -> bool| {
        let shares = items.start + shares.start..items.end + shares.start;
        // The calling thread keeps its CPUs. It takes part if the system refuses all other threads.
        if !cpus.is_empty() && thread::current().id() != caller {
            core_affinity::set_for_current(cpus[shares.start % cpus.len()]);
        }
        for lane in lanes.start.max(shares.start * share)..lanes.end.min(shares.end * share) {
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
    let loops = ParallelLoop::new(context.threads.min(shares.len()), usize::MAX);
    let interrupts = &mut context.interrupts;
    let filled = loops.run(shares.len(), 1, &body, &mut || interrupts.check_now().is_err());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::env::Scheduling;
    use crate::contract::options::{Options, ResetOptions};
    use crate::contract::row::{Action, Row};
    use crate::contract::space::Space;
    use crate::contract::spec::EnvSpec;
    use envpool_rs_numeric::random::Generator;

    /// Environment whose state is the CPUs on which the thread that created it may run.
    struct Placed;

    impl Env for Placed {
        type State = Vec<usize>;
        type Random = Generator;
        const SCHEDULING: Scheduling = Scheduling::OneByOne;

        fn new(_options: &Options) -> Result<Self> {
            Ok(Self)
        }

        fn spec(&self) -> EnvSpec {
            EnvSpec::new(Space::discrete(2), Space::discrete(2))
        }

        fn create(&self, _lane: usize) -> Result<Self::State> {
            Ok(usable())
        }

        fn reset(&self, _state: &mut Self::State, _options: &ResetOptions, _rng: &mut Generator) {}

        fn step(&self, _state: &mut Self::State, _action: &Action<'_>, _rewards: &mut [f64], _rng: &mut Generator) -> bool {
            false
        }

        fn observe(&self, _state: &Self::State, _out: &mut Row<'_>) {}
    }

    fn usable() -> Vec<usize> {
        core_affinity::get_core_ids().unwrap_or_default().iter().map(|cpu| cpu.id).collect()
    }

    #[test]
    fn lanes_of_pinned_workers_are_created_on_the_cpus_of_the_workers() {
        let before = usable();
        let cpus = core_affinity::get_core_ids().unwrap_or_default();
        for lanes in [0..11, 3..11, 4..5] {
            let mut never = || false;
            let interrupts = InterruptPoller::new(&mut never);
            let mut context = CreateContext { threads: 4, cpus: cpus.clone(), lanes_per_worker: 3, interrupts };
            let created = create_states(&Placed, lanes.clone(), &mut context).unwrap();
            if lanes.len() > 1 && !before.is_empty() {
                let expected = lanes.map(|lane| vec![before[lane / 3 % before.len()]]);
                assert_eq!(created, expected.collect::<Vec<_>>());
            }
        }
        assert_eq!(usable(), before, "the calling thread keeps its CPUs");
    }
}

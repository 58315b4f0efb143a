//! Tests that a pool releases its resources when it is closed, before it is dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use envpool_rs_engine::{Action, Dtype, Env, EnvSpec, ResetOptions, Row, Space};
use envpool_rs_numeric::random::Generator;
use serde::{Deserialize, Serialize};

use super::envs::{COUNT, GATE, WAIT, counter, until};
use super::*;

/// Number of existing [`Counted`] values.
static ALIVE: AtomicUsize = AtomicUsize::new(0);

/// Environment state that counts its instances.
#[derive(Serialize, Deserialize)]
pub struct Counted;

impl Drop for Counted {
    fn drop(&mut self) {
        ALIVE.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Environment whose states are counted. A step with action 1 blocks until [`GATE`] is opened.
struct Heavy;

impl Env for Heavy {
    type State = Counted;
    type Random = Generator;

    fn new(_options: &Options) -> Result<Self> {
        Ok(Self)
    }

    fn spec(&self) -> EnvSpec {
        EnvSpec::new(Space::uniform(0.0, 1.0, &[1000], Dtype::F32), Space::discrete(2))
    }

    fn create(&self, _lane: usize) -> Result<Counted> {
        ALIVE.fetch_add(1, Ordering::SeqCst);
        Ok(Counted)
    }

    fn reset(&self, _state: &mut Counted, _options: &ResetOptions, _rng: &mut Generator) {}

    fn step(&self, _state: &mut Counted, action: &Action<'_>, _rewards: &mut [f64], _rng: &mut Generator) -> bool {
        if action.discrete() == 1 {
            GATE.pass();
        }
        false
    }

    fn observe(&self, _state: &Counted, _out: &mut Row<'_>) {}
}

#[test]
fn closing_drops_idle_environments_immediately() {
    let heavy = Task::env::<Heavy>("Heavy-v0");
    for size in [4, 2] {
        GATE.closed(|| {
            let idle = reset_pool(&heavy, config(4).batch_size(size).unwrap());
            assert_eq!(ALIVE.load(Ordering::SeqCst), 4);
            idle.close();
            until(|| ALIVE.load(Ordering::SeqCst) == 0); // an exiting worker may be the last user
            let busy = reset_pool(&heavy, config(4).batch_size(size).unwrap().num_threads(2).unwrap());
            send(&busy, None, &[1; 4]).unwrap();
            GATE.holds(2);
            busy.close();
            assert_eq!(ALIVE.load(Ordering::SeqCst), 4, "they are being played");
            GATE.open();
            until(|| ALIVE.load(Ordering::SeqCst) == 0);
            assert_eq!(message(step(&busy, None, &[0; 4])), "this pool is closed");
            assert_eq!(message(recv(&busy)), "this pool is closed");
            assert_eq!(busy.rendering(), Default::default());
        });
    }
}

#[test]
fn a_receiver_woken_by_closing_drops_the_environments() {
    let heavy = Task::env::<Heavy>("Heavy-v0");
    GATE.closed(|| {
        let pool = reset_pool(&heavy, config(2).batch_size(1).unwrap().num_threads(1).unwrap());
        send(&pool, None, &[1, 1]).unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| recv(&pool).err());
            GATE.holds(1);
            pool.close();
            assert_eq!(waiting.join().unwrap().unwrap().to_string(), "this pool is closed");
        });
        GATE.open();
        until(|| ALIVE.load(Ordering::SeqCst) == 0);
    });
}

#[test]
fn closing_releases_the_memory_of_unreceived_results() {
    let pool = reset_pool(&counter(), config(3).num_threads(2).unwrap());
    let batch = pool.batch(0).unwrap();
    let memory = Arc::clone(batch.memory(0));
    let mut call = pool.step(None).unwrap();
    call.set_action(0, &[COUNT; 3]).unwrap();
    call.send(Some(batch)).unwrap();
    pool.close();
    until(|| Arc::strong_count(&memory) == 1);
    let _not_only_by_a_drop = pool;
}

#[test]
fn draining_leaves_steps_of_unknown_length_to_the_workers() {
    GATE.closed(|| {
        // The only worker blocks at the gate. If the draining thread helped with the other step, it would block as well, and not
        // check for interrupts.
        let pool = reset_pool(&counter(), config(2).batch_size(1).unwrap().num_threads(1).unwrap());
        send(&pool, None, &[WAIT; 2]).unwrap();
        GATE.holds(1);
        assert_eq!(pool.drain(&mut || true).err(), Some(Error::Interrupted));
        GATE.open();
        pool.drain(&mut never).unwrap();
    });
}

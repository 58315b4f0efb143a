//! Tests pools that several threads use.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use envpool_rs_engine::{EnvSpec, Kernel, Space};
use envpool_rs_numeric::random::Generator;

use super::envs::{COUNT, both, counter, thread_number};
use super::*;

#[test]
fn one_thread_may_send_while_another_receives() {
    for task in both() {
        let pool = reset_pool(&task, config(64).batch_size(16).unwrap().num_threads(2).unwrap());
        let (give, take) = std::sync::mpsc::channel::<Vec<i64>>();
        give.send((0..64).collect()).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for ids in take {
                    send(&pool, Some(&ids), &vec![COUNT; ids.len()]).unwrap();
                }
            });
            for _ in 0..500 {
                // Before the sender has sent enough, `recv` only returns an error.
                let batch = std::iter::repeat_with(|| recv(&pool)).find_map(Result::ok).unwrap();
                assert_eq!(counts(&batch), numbers(&batch, Role::ElapsedStep));
                give.send(ids(&batch).iter().map(|id| *id as i64).collect()).unwrap();
            }
            drop(give);
        });
        pool.drain(&mut never).unwrap();
    }
}

#[test]
fn a_second_sender_is_refused_instead_of_waiting() {
    let pool = reset_pool(&counter(), config(2));
    let call = pool.step(None).unwrap();
    assert_eq!(message(pool.step(None)), "this pool is in use by another thread");
    drop(call);
    step(&pool, None, &[COUNT; 2]).unwrap();
}

/// Number of the calling thread in the current test.
static CALLER: AtomicU32 = AtomicU32::new(u32::MAX);
/// Whether a worker has run items in the current round.
static IS_SHARED: AtomicBool = AtomicBool::new(false);

/// Environment that records the thread that steps it. Observation: the number of the thread that ran the last step, and the steps
/// since the reset.
///
/// The calling thread steps slowly until a worker helps it. Otherwise, on a busy machine, the calling thread would often finish
/// before a woken worker gets a CPU.
struct Signed;

impl Kernel for Signed {
    type Action = i32;
    type Fields<const W: usize> = [[f64; W]; 2];
    type Observation<const W: usize> = [[f32; W]; 2];

    fn new(_options: &Options) -> Result<Self> {
        Ok(Self)
    }

    fn spec(&self) -> EnvSpec {
        EnvSpec::new(Space::vector(&[0.0; 2], &[f64::INFINITY; 2]), Space::discrete(1))
    }

    fn reset(&self, fields: &mut [f64], _options: &ResetOptions, _rng: &mut Generator) {
        fields.fill(0.0);
    }

    fn step<const W: usize>(&self, fields: &mut [[f64; W]], _action: &[i32; W], _reward: &mut [f64; W], _end: &mut [bool; W]) {
        let number = thread_number();
        match number == CALLER.load(Ordering::Relaxed) {
            true if !IS_SHARED.load(Ordering::Relaxed) => std::thread::yield_now(),
            true => {}
            false => IS_SHARED.store(true, Ordering::Relaxed),
        }
        fields[0] = [f64::from(number); W];
        fields[1].iter_mut().for_each(|count| *count += 1.0);
    }

    fn observe<const W: usize>(&self, fields: &[[f64; W]], out: &mut [[f32; W]]) {
        for (out, field) in out.iter_mut().zip(fields) {
            *out = field.map(|value| value as f32);
        }
    }
}

#[test]
fn each_of_thousands_of_lanes_is_stepped_once() {
    if std::thread::available_parallelism().unwrap().get() == 1 {
        return; // with a single CPU, no worker helps
    }
    let pool = reset_pool(&Task::kernel::<Signed>("Signed-v0"), config(30_001).num_threads(3).unwrap());
    let mut shared = 0;
    CALLER.store(thread_number(), Ordering::Relaxed);
    // A busy machine may run only the calling thread for many rounds, so the test tries up to 5,000.
    for round in 1..=5_000 {
        IS_SHARED.store(false, Ordering::Relaxed);
        let batch = step(&pool, None, &vec![COUNT; 30_001]).unwrap();
        let rows = numbers(&batch, Role::Observation(0));
        assert!(rows.chunks(2).all(|row| row[1] == f64::from(round)), "round {round}");
        shared += usize::from(rows.chunks(2).map(|row| row[0] as u32).collect::<HashSet<_>>().len() > 1);
        if shared == 50 {
            return;
        }
    }
    panic!("workers took part in {shared} of 5,000 rounds");
}

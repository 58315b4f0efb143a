//! Tests that environments run with standard floating-point arithmetic, even if the caller's thread flushes denormal numbers to
//! zero.
#![cfg(target_arch = "x86_64")]

use std::hint::black_box;

use envpool_rs_engine::{Action, Dtype, Env, EnvSpec, ResetOptions, Row, Space};
use envpool_rs_numeric::random::Generator;

use super::*;

/// Environment whose observation, reward and info are denormal numbers.
struct Tiny;

impl Env for Tiny {
    type State = f64;
    type Random = Generator;

    fn new(_options: &Options) -> Result<Self> {
        Ok(Self)
    }

    fn spec(&self) -> EnvSpec {
        EnvSpec::new(Space::uniform(0.0, 1.0, &[1], Dtype::F64), Space::uniform(-1.0, 1.0, &[1], Dtype::F32))
    }

    fn create(&self, _lane: usize) -> Result<f64> {
        Ok(black_box(1e-308) / black_box(16.0))
    }

    fn reset(&self, state: &mut f64, _options: &ResetOptions, _rng: &mut Generator) {
        *state = black_box(1e-308) / black_box(16.0);
    }

    fn step(&self, state: &mut f64, action: &Action<'_>, rewards: &mut [f64], _rng: &mut Generator) -> bool {
        *state = black_box(*state) / black_box(2.0);
        rewards[0] = f64::from(action.continuous(0, 1)[0]);
        false
    }

    fn observe(&self, state: &f64, out: &mut Row<'_>) {
        out.write(0, &[black_box(*state) * black_box(0.5)]);
    }
}

fn control() -> u32 {
    let mut register = 0_u32;
    // SAFETY: the instruction stores MXCSR into `register`, which is valid for the write.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut register, options(nostack, preserves_flags)) };
    register & !0x3f
}

fn set_control(register: u32) {
    // SAFETY: the instruction loads MXCSR; all callers keep all exceptions masked.
    unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const register, options(nostack, preserves_flags)) };
}

#[test]
fn environments_keep_denormals_if_the_caller_flushes_them() {
    const FLUSHING: u32 = 0x9fc0;
    for (num_envs, batch_size) in [(1, 1), (8, 8), (8, 4)] {
        let before = control();
        set_control(FLUSHING);
        let task = Task::env::<Tiny>("Tiny-v0");
        let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
        let config = config(num_envs).batch_size(batch_size).unwrap().num_threads(2).unwrap();
        let pool = Pool::new(&task, &Options::default(), config, outputs).unwrap();
        let mut batches = Vec::new();
        let rounds = num_envs / batch_size;
        pool.reset(None, Vec::new(), ResetOptions::default()).unwrap().send(None).unwrap();
        batches.extend((0..rounds).map(|_| recv(&pool).unwrap()));
        let mut call = pool.step(None).unwrap();
        call.set_action(0, &vec![1e-40_f64; num_envs as usize]).unwrap();
        batches.push(call.run(&mut None, &mut never).unwrap());
        let after = control();
        set_control(before);
        assert_eq!(after, FLUSHING, "the caller's own setting comes back");
        for batch in &batches {
            assert!(numbers(batch, Role::Observation(0)).iter().all(|number| *number > 0.0), "{num_envs}/{batch_size}");
        }
        let rewards = numbers(batches.last().unwrap(), Role::Reward);
        assert!(rewards.iter().all(|reward| *reward == f64::from(1e-40_f32)), "actions are taken in with the same arithmetic");
    }
}

//! Tests that the pool rejects environments whose spec is inconsistent, before they write beyond the end of their arrays.

use std::sync::atomic::{AtomicUsize, Ordering};

use envpool_rs_engine::{Action, Env, EnvSpec, Kernel, Row, Space};
use envpool_rs_numeric::random::Generator;

use super::*;

/// Kernel that declares one float64 as observation, and writes four float32.
struct Misshapen;

impl Kernel for Misshapen {
    type Action = i32;
    type Fields<const W: usize> = [[f64; W]; 4];
    type Observation<const W: usize> = [[f32; W]; 4];

    fn new(_options: &Options) -> Result<Self> {
        Ok(Self)
    }

    fn spec(&self) -> EnvSpec {
        EnvSpec::new(Space::uniform(0.0, 1.0, &[1], Dtype::F64), Space::discrete(2))
    }

    fn reset(&self, fields: &mut [f64], _options: &ResetOptions, _rng: &mut Generator) {
        fields.fill(0.0);
    }

    fn step<const W: usize>(&self, _: &mut [[f64; W]], _: &[i32; W], _: &mut [f64; W], _: &mut [bool; W]) {}

    fn observe<const W: usize>(&self, _fields: &[[f64; W]], out: &mut [[f32; W]]) {
        out.fill([0.0; W]);
    }
}

#[test]
#[should_panic(expected = "a kernel's observation is a float32 vector of its Observation's elements")]
fn a_kernel_whose_space_differs_from_its_output_is_refused() {
    pool_of(&Task::kernel::<Misshapen>("Misshapen-v0"), config(64));
}

/// Environment that declares one more player at each call of `spec`.
struct Growing;

static PLAYERS: AtomicUsize = AtomicUsize::new(1);

impl Env for Growing {
    type State = ();
    type Random = Generator;

    fn new(_options: &Options) -> Result<Self> {
        Ok(Self)
    }

    fn spec(&self) -> EnvSpec {
        let players = PLAYERS.fetch_add(1, Ordering::SeqCst);
        EnvSpec { players, ..EnvSpec::new(Space::uniform(0.0, 1.0, &[1], Dtype::F64), Space::discrete(2)) }
    }

    fn create(&self, _lane: usize) -> Result<()> {
        Ok(())
    }

    fn reset(&self, _: &mut (), _: &ResetOptions, _: &mut Generator) {}

    fn step(&self, _: &mut (), _: &Action<'_>, _: &mut [f64], _: &mut Generator) -> bool {
        false
    }

    fn observe(&self, _: &(), _: &mut Row<'_>) {}
}

#[test]
fn an_environment_whose_description_changes_is_refused() {
    let outputs = Outputs { dialect: Dialect::EnvPool, format: Format::Gymnasium };
    let pool = Pool::new(&Task::env::<Growing>("Growing-v0"), &Options::default(), config(4), outputs);
    assert_eq!(message(pool), "Growing-v0 describes itself differently each time it is asked");
}

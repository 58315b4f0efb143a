//! Kernels that contradict themselves are refused before their blocks write past the arrays made for them.

use envpool_rs::engine::{EnvSpec, Kernel, Space};
use envpool_rs::random::Generator;

use super::*;

/// Says that it observes one float64, and writes four float32.
struct Misshapen;

impl Kernel for Misshapen {
    type Action = i32;
    const FIELDS: usize = 4;
    const OBSERVATION: usize = 4;

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
#[should_panic(expected = "a kernel's observation is a float32 vector of its OBSERVATION elements")]
fn a_kernel_whose_space_is_not_what_it_writes_is_refused() {
    pool_of(&Task::kernel::<Misshapen>("Misshapen-v0"), config(64));
}

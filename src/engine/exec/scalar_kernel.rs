//! [`Env`] implementation for a [`Kernel`]: steps one lane alone. Used for pools whose lanes draw options for each episode, and
//! by `SimdBatchEnv` for single lanes.

use crate::contract::env::{Env, LaneState, Scheduling};
use crate::contract::error::Result;
use crate::contract::frame::{Frame, RenderSpec};
use crate::contract::kernel::{Columns, Kernel, KernelAction};
use crate::contract::options::{OptionSpec, Options, ResetOptions};
use crate::contract::row::{Action, Row};
use crate::contract::spec::EnvSpec;
use crate::contract::state::{read_value, refused_state, write_value};
use envpool_rs_numeric::random::Generator;

/// A kernel that runs one lane at a time (`W` = 1). It computes the same numbers as a kernel that runs blocks of lanes, and takes
/// two to three times as long per lane.
pub struct ScalarKernel<K> {
    pub kernel: K,
    pub infos: usize,
}

impl<K: Kernel> ScalarKernel<K> {
    /// Wraps a kernel as an environment that is stepped one lane at a time.
    pub fn from_kernel(kernel: K) -> Self {
        Self { infos: kernel.spec().info.len(), kernel }
    }
}

/// State of one lane: the kernel's fields for that lane.
pub struct KernelState<K: Kernel>(pub K::Fields<1>);

impl<K: Kernel> KernelState<K> {
    /// Returns a state whose fields are all zero.
    #[inline]
    pub fn zeros() -> Self {
        Self(Columns::zeros())
    }

    fn fields(&self) -> &[f64] {
        self.0.columns().as_flattened()
    }
}

impl<K: Kernel> LaneState<ScalarKernel<K>> for KernelState<K> {
    fn save(&self, _env: &ScalarKernel<K>, bytes: &mut Vec<u8>) -> Result<()> {
        let bits: Vec<_> = self.fields().iter().map(|field| field.to_bits()).collect();
        write_value(bytes, &bits)
    }

    fn load(env: &ScalarKernel<K>, bytes: &mut &[u8]) -> Result<Self> {
        let bits: Vec<u64> = read_value(bytes)?;
        let mut numbers = Self::zeros();
        let fields = numbers.0.columns_mut().as_flattened_mut();
        if bits.len() != fields.len() {
            let lens = format!("its state has {} values instead of {}", bits.len(), fields.len());
            return Err(refused_state(&lens));
        }
        fields.iter_mut().zip(bits).for_each(|(field, bits)| *field = f64::from_bits(bits));
        if env.kernel.is_valid(fields) { Ok(numbers) } else { Err(refused_state("its values are out of range")) }
    }
}

impl<K: Kernel> Env for ScalarKernel<K> {
    type State = KernelState<K>;
    type Random = Generator;
    const SCHEDULING: Scheduling = Scheduling::Uniform;
    const RESET_OPTIONS: &'static [&'static str] = K::RESET_OPTIONS;

    fn options() -> Vec<OptionSpec> {
        K::options()
    }

    fn new(options: &Options) -> Result<Self> {
        K::new(options).map(Self::from_kernel)
    }

    fn spec(&self) -> EnvSpec {
        self.kernel.spec()
    }

    fn create(&self, _lane: usize) -> Result<KernelState<K>> {
        Ok(KernelState::zeros())
    }

    fn check_reset(&self, options: &ResetOptions) -> Result<()> {
        self.kernel.check_reset(options)
    }

    fn reset(&self, state: &mut Self::State, options: &ResetOptions, random: &mut Generator) {
        self.kernel.reset(state.0.columns_mut().as_flattened_mut(), options, random);
    }

    fn step(&self, state: &mut Self::State, action: &Action<'_>, rewards: &mut [f64], _random: &mut Generator) -> bool {
        let (mut reward, mut terminated) = ([0.0], [false]);
        let action = K::Action::column(&action.columns[0])[action.row];
        self.kernel.step(state.0.columns_mut(), &[action], &mut reward, &mut terminated);
        rewards[0] = reward[0];
        terminated[0]
    }

    fn is_truncated(&self, state: &Self::State) -> bool {
        let mut truncated = [false];
        self.kernel.is_truncated(state.0.columns(), &mut truncated);
        truncated[0]
    }

    fn observe(&self, state: &Self::State, out: &mut Row<'_>) {
        let mut observation = K::Observation::<1>::zeros();
        self.kernel.observe::<1>(state.0.columns(), observation.columns_mut());
        out.write(0, observation.columns().as_flattened());
    }

    fn info(&self, state: &Self::State, out: &mut Row<'_>) {
        (0..self.infos).for_each(|index| self.kernel.info(index, state.fields(), out));
    }

    fn render_spec(&self) -> RenderSpec {
        self.kernel.render_spec()
    }

    fn render_frame(&self, state: &Self::State, size: (u32, u32)) -> Frame {
        self.kernel.render_frame(state.fields(), size)
    }
}

#[cfg(test)]
mod tests {
    /// Returns the names of the methods and constants of the trait [`Kernel`](super::Kernel).
    fn items() -> impl Iterator<Item = &'static str> {
        let (_, kernel) = include_str!("../contract/kernel.rs").split_once("pub trait Kernel:").expect("the trait");
        let (kernel, _) = kernel.split_once("\n}").expect("its end");
        let names = kernel.lines().filter_map(|line| line.strip_prefix("    fn ").or(line.strip_prefix("    const ")));
        names.map(|rest| rest.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).next().expect("a name"))
    }

    #[test]
    fn each_method_of_a_kernel_is_forwarded() {
        let (forwarding, _) = include_str!("scalar_kernel.rs").split_once("#[cfg(test)]").expect("these tests");
        let is_forwarded = |name: &str| {
            ["kernel.", "K::"].iter().any(|of| {
                forwarding.match_indices(of).any(|(at, of)| {
                    let rest = &forwarding[at + of.len()..];
                    rest.strip_prefix(name).is_some_and(|rest| rest.starts_with(['(', ':', ';', ']']))
                })
            })
        };
        let dropped: Vec<_> = items().filter(|name| !is_forwarded(name)).collect();
        assert!(items().count() > 10, "the trait's methods are not found");
        assert!(dropped.is_empty(), "ScalarKernel drops {dropped:?} of its kernel");
    }
}

//! Environments that are stepped many lanes at a time, in vector registers.

use crate::contract::error::Result;
use crate::contract::options::{OptionSpec, Options, ResetOptions};
use crate::contract::picture::{Picture, Rendering};
use crate::contract::row::{ActionColumn, Row};
use crate::contract::spec::EnvSpec;
use envpool_rs_numeric::random::Generator;

/// An action of a [`Kernel`]: one scalar, `i32` (discrete) or `f32` (continuous).
pub trait KernelAction: Copy + Default + Send + Sync + 'static {
    /// The batch's only action array, one element per lane.
    ///
    /// # Panics
    /// Where the array is of the other kind.
    fn column(column: &ActionColumn) -> &[Self];
}

impl KernelAction for i32 {
    fn column(column: &ActionColumn) -> &[Self] {
        match column {
            ActionColumn::I32(values) => values,
            _ => panic!("the action is not discrete"),
        }
    }
}

impl KernelAction for f32 {
    fn column(column: &ActionColumn) -> &[Self] {
        match column {
            ActionColumn::F32(values) => values,
            _ => panic!("the action is not continuous"),
        }
    }
}

mod sealed {
    /// Keeps [`super::Columns`] to arrays.
    pub trait Sealed {}

    impl<T, const N: usize> Sealed for [T; N] {}
}

/// As many columns of `W` lanes as a kernel has numbers: `[[T; W]; N]`.
pub trait Columns<T, const W: usize>: Copy + Send + sealed::Sealed {
    /// How many.
    const LEN: usize;
    /// All of them zero.
    fn zeros() -> Self;
    /// The columns.
    fn columns(&self) -> &[[T; W]];
    /// The columns, to be written.
    fn columns_mut(&mut self) -> &mut [[T; W]];
}

impl<T: Copy + Default + Send, const W: usize, const N: usize> Columns<T, W> for [[T; W]; N] {
    const LEN: usize = N;
    #[inline(always)]
    fn zeros() -> Self {
        [[T::default(); W]; N]
    }
    #[inline(always)]
    fn columns(&self) -> &[[T; W]] {
        self
    }
    #[inline(always)]
    fn columns_mut(&mut self) -> &mut [[T; W]] {
        self
    }
}

/// A single-player environment whose state is a few numbers, written once for any number of lanes `W` side by side: the
/// engine instantiates it for SIMD registers and for single lanes. One scalar action, one float32 vector as observation.
///
/// `fields[k][i]` is field `k` of lane `i`. Implement `step` and `observe` as `#[inline(always)]` loops over `0..W` without
/// branches, so that they vectorise; both instances must compute the same bits (no `mul_add` in the dynamics).
pub trait Kernel: Sized + Send + Sync + 'static {
    /// `i32` for `Discrete`, `f32` for a `Box` of one element.
    type Action: KernelAction;

    /// The numbers of state of `W` lanes: `[[f64; W]; 4]` for four of them.
    type Fields<const W: usize>: Columns<f64, W>;

    /// The observations of `W` lanes: `[[f32; W]; 4]` for four elements.
    type Observation<const W: usize>: Columns<f32, W>;

    /// Names of the numbers that `reset(options=...)` may carry.
    const RESET_OPTIONS: &'static [&'static str] = &[];

    /// The options that tasks built on this environment take.
    fn options() -> Vec<OptionSpec> {
        Vec::new()
    }

    /// The environment with its options fixed.
    ///
    /// # Errors
    /// `Value` or `Type`, naming the option, its value and what is allowed.
    fn new(options: &Options) -> Result<Self>;

    /// Spaces and infos.
    fn spec(&self) -> EnvSpec;

    /// Refuses reset options that make no sense together.
    ///
    /// # Errors
    /// `Value`, naming the option.
    fn check_reset(&self, _options: &ResetOptions) -> Result<()> {
        Ok(())
    }

    /// Starts an episode in one lane: writes its numbers.
    fn reset(&self, fields: &mut [f64], options: &ResetOptions, rng: &mut Generator);

    /// Plays one step in each of `W` lanes.
    fn step<const W: usize>(
        &self,
        fields: &mut [[f64; W]],
        action: &[Self::Action; W],
        reward: &mut [f64; W],
        terminated: &mut [bool; W],
    );

    /// Says which of `W` lanes, just stepped, have reached a limit that the environment watches itself.
    #[inline(always)]
    fn is_truncated<const W: usize>(&self, _fields: &[[f64; W]], _truncated: &mut [bool; W]) {}

    /// Computes the observation of each of `W` lanes: `out[k][i]` is element `k` of lane `i`. Unless it says otherwise, an environment
    /// shows its first numbers as float32.
    #[inline(always)]
    fn observe<const W: usize>(&self, fields: &[[f64; W]], out: &mut [[f32; W]]) {
        for (out, field) in out.iter_mut().zip(fields) {
            *out = field.map(|value| value as f32);
        }
    }

    /// Computes info array `index` (a float64 of shape `()` or `(len,)`) of one lane.
    fn info(&self, _index: usize, _fields: &[f64], _out: &mut Row<'_>) {}

    /// Whether numbers that came from a snapshot can be played.
    fn is_valid(&self, _fields: &[f64]) -> bool {
        true
    }

    /// What it can show of itself: the size of its pictures, whether it has text, and how fast a film of it runs.
    fn rendering(&self) -> Rendering {
        Rendering::default()
    }

    /// A picture of one environment. Called only where `rendering` promises pictures, in the size it says, for an environment
    /// that has been reset; a state from a snapshot may hold any numbers that `is_valid` lets pass.
    fn paint(&self, _fields: &[f64]) -> Picture {
        Picture::default()
    }
}

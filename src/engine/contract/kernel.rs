//! The `Kernel` trait: an environment that steps many lanes at a time in vector registers.

use crate::contract::error::Result;
use crate::contract::frame::{Frame, RenderSpec};
use crate::contract::options::{OptionSpec, Options, ResetOptions};
use crate::contract::row::{ActionColumn, Row};
use crate::contract::spec::EnvSpec;
use envpool_rs_numeric::random::Generator;

/// Action of a [`Kernel`]: one scalar, `i32` (discrete) or `f32` (continuous).
pub trait KernelAction: Copy + Default + Send + Sync + 'static {
    /// Returns the only action array of a batch, one element per lane.
    ///
    /// # Panics
    /// If the array has the other type.
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
    /// Supertrait that prevents other modules from implementing [`super::Columns`], so that only arrays implement it.
    pub trait Sealed {}

    impl<T, const N: usize> Sealed for [T; N] {}
}

/// Array of `N` columns with one element for each of `W` lanes: `[[T; W]; N]`.
pub trait Columns<T, const W: usize>: Copy + Send + sealed::Sealed {
    /// Number of columns.
    const LEN: usize;
    /// Returns an array whose columns are all zero.
    fn zeros() -> Self;
    /// Returns the columns as a slice.
    fn columns(&self) -> &[[T; W]];
    /// Returns the columns as a mutable slice.
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

/// A single-player environment whose state is a few numbers, generic over the number of lanes `W`.
///
/// The engine instantiates it for SIMD registers and for single lanes. It has one scalar action and one float32 vector as
/// observation.
///
/// `fields[k][i]` is field `k` of lane `i`. Implement `step` and `observe` as `#[inline(always)]` loops over `0..W` without
/// branches, so that they vectorise. The instances for SIMD registers and for single lanes must compute the same bits (no
/// `mul_add` in the dynamics).
pub trait Kernel: Sized + Send + Sync + 'static {
    /// Type of the action: `i32` for `Discrete`, `f32` for a `Box` of one element.
    type Action: KernelAction;

    /// State of `W` lanes: for example `[[f64; W]; 4]` for four numbers per lane.
    type Fields<const W: usize>: Columns<f64, W>;

    /// Observations of `W` lanes: for example `[[f32; W]; 4]` for four elements per lane.
    type Observation<const W: usize>: Columns<f32, W>;

    /// Names of the numeric options that `reset(options=...)` accepts.
    const RESET_OPTIONS: &'static [&'static str] = &[];

    /// Returns the options of tasks that use this environment.
    fn options() -> Vec<OptionSpec> {
        Vec::new()
    }

    /// Creates the environment from resolved options.
    ///
    /// # Errors
    /// `Value` or `Type`, naming the option, its value and the allowed values.
    fn new(options: &Options) -> Result<Self>;

    /// Returns the environment's specification: spaces and infos.
    fn spec(&self) -> EnvSpec;

    /// Rejects inconsistent reset options.
    ///
    /// # Errors
    /// `Value`, naming the option.
    fn check_reset(&self, _options: &ResetOptions) -> Result<()> {
        Ok(())
    }

    /// Starts an episode in one lane: writes the initial values of all its fields.
    fn reset(&self, fields: &mut [f64], options: &ResetOptions, rng: &mut Generator);

    /// Runs one step in each of `W` lanes.
    fn step<const W: usize>(
        &self,
        fields: &mut [[f64; W]],
        action: &[Self::Action; W],
        reward: &mut [f64; W],
        terminated: &mut [bool; W],
    );

    /// Writes for each of `W` lanes whether the last step reached a limit that the environment checks itself.
    #[inline(always)]
    fn is_truncated<const W: usize>(&self, _fields: &[[f64; W]], _truncated: &mut [bool; W]) {}

    /// Computes the observation of each of `W` lanes: `out[k][i]` is element `k` of lane `i`. By default, the observation is the
    /// first fields as float32.
    #[inline(always)]
    fn observe<const W: usize>(&self, fields: &[[f64; W]], out: &mut [[f32; W]]) {
        for (out, field) in out.iter_mut().zip(fields) {
            *out = field.map(|value| value as f32);
        }
    }

    /// Computes info array `index` (a float64 of shape `()` or `(len,)`) of one lane.
    fn info(&self, _index: usize, _fields: &[f64], _out: &mut Row<'_>) {}

    /// Returns whether a lane with these fields from a snapshot can be stepped.
    fn is_valid(&self, _fields: &[f64]) -> bool {
        true
    }

    /// Returns the rendering capabilities: frame size, text output, and frames per second.
    fn render_spec(&self) -> RenderSpec {
        RenderSpec::default()
    }

    /// Renders one environment as an RGB image. `size` is the requested width and height, by default that of
    /// [`Kernel::render_spec`]. The engine scales images of another size.
    ///
    /// Called only if `render_spec` declares images, and only after a reset. A state from a snapshot may hold any numbers that
    /// `is_valid` accepts.
    fn render_frame(&self, _fields: &[f64], _size: (u32, u32)) -> Frame {
        Frame::default()
    }
}

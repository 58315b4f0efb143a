//! Implements the functions of the C interface for a [`Kernel`], which steps blocks of lanes in vector registers.

use std::ffi::c_char;
use std::ops::Range;

use envpool_rs_engine::{Columns, Dtype, EnvSpec, Kernel, LeafTarget, Options, Result, Row, Space, refused_state};
use envpool_rs_numeric::simd::{SimdKernel, SimdLevel};

use super::arrays::{Arrays, targets};
use super::guard::{each_lane, guarded, guarded_batch, unsupported};
use super::lanes::{Lanes, reset_options};
use super::rows::with_rows;
use super::variants::Variants;
use crate::abi;

/// Number of lanes in a full block.
const FULL_WIDTH: usize = 16;
/// Number of lanes in a half block, used when too few lanes remain for a full block.
const HALF_WIDTH: usize = 8;

/// A kernel with its options fixed, to which [`abi::Env::data`] points.
struct Shared<K> {
    kernels: Variants<K>,
    /// Memory of the arrays of [`abi::Env`]. The memory must live as long as the kernel.
    _arrays: Arrays,
    info: Vec<LeafTarget>,
    level: SimdLevel,
}

// SAFETY: the pointers in the output arrays' descriptions are null, and all other fields are `Sync`.
unsafe impl<K: Sync> Sync for Shared<K> {}

/// Fills in `table` for a kernel with these options: functions, sizes and arrays.
///
/// # Errors
/// Errors that [`Kernel::new`] returns; `State`, naming a property for which the interface has no field.
pub fn make<K: Kernel>(options: &Options, table: &mut abi::Env) -> Result<()> {
    let kernel = K::new(options)?;
    let spec = kernel.spec();
    if spec.players != 1 || !observes::<K>(&spec) {
        return Err(unsupported("observation", "one player's float32 vector of the kernel's Observation"));
    }
    let arrays = Arrays::new(&spec)?;
    *table = abi::Env::zeroed();
    table.size = size_of::<abi::Env>() as u64;
    table.players = 1;
    table.flags = abi::PLAIN | abi::COLUMNS | abi::UNIFORM;
    (table.observations, table.observation) = (arrays.observation.len() as u64, arrays.observation.as_ptr());
    (table.actions, table.action) = (arrays.action.len() as u64, arrays.action.as_ptr());
    (table.infos, table.info) = (arrays.info.len() as u64, arrays.info.as_ptr());
    table.state_size = size_of::<K::Fields<1>>() as u64;
    table.shared_heap = size_of::<K>() as u64;
    table.reset = Some(reset::<K>);
    table.step = Some(step::<K>);
    table.observe = Some(observe::<K>);
    table.inform = (!spec.info.is_empty()).then_some(inform::<K>);
    table.is_valid = Some(is_valid::<K>);
    table.check_reset = (!K::RESET_OPTIONS.is_empty()).then_some(check_reset::<K>);
    table.unmake = Some(unmake::<K>);
    let rendering = kernel.render_spec();
    if let Some((width, height)) = rendering.frame_size {
        (table.frame_width, table.frame_height) = (u64::from(width), u64::from(height));
        table.render = Some(render::<K>);
    }
    table.frames_per_second = u64::from(rendering.frames_per_second);
    let info = targets(spec.info.iter().map(|info| (info.dtype, &*info.shape)), 1);
    table.data = Box::into_raw(Box::new(Shared {
        kernels: Variants::new(kernel, options, K::new),
        _arrays: arrays,
        info,
        level: SimdLevel::detect(),
    }))
    .cast();
    Ok(())
}

/// Returns whether the observation space of `spec` is a float32 vector of the length that the kernel writes.
fn observes<K: Kernel>(spec: &EnvSpec) -> bool {
    matches!(&spec.observation, Space::Box { shape, dtype: Dtype::F32, .. } if *shape == [K::Observation::<1>::LEN])
}

/// Returns the kernel to which a table points.
///
/// # Safety
/// [`make`] has filled in the table for the same type, and `unmake` was not called for the table.
unsafe fn shared<'a, K: Kernel>(env: *const abi::Env) -> &'a Shared<K> {
    // SAFETY: the caller guarantees that `make` filled in the table, and that the kernel in `data` still exists.
    unsafe { &*(*env).data.cast() }
}

/// Returns the fields of one lane.
fn fields_of<K: Kernel>(lanes: &Lanes, index: usize) -> K::Fields<1> {
    let mut fields = K::Fields::<1>::zeros();
    for (number, field) in fields.columns_mut().as_flattened_mut().iter_mut().enumerate() {
        // SAFETY: the pool's memory has the declared fields of each lane of the call, and only this call accesses them.
        *field = unsafe { *lanes.field(index, number) };
    }
    fields
}

/// Replaces the fields of one lane.
fn set_fields<K: Kernel>(lanes: &Lanes, index: usize, fields: &K::Fields<1>) {
    for (number, field) in fields.columns().as_flattened().iter().enumerate() {
        // SAFETY: the pool's memory has the declared fields of each lane of the call, and only this call accesses them.
        unsafe { lanes.field(index, number).write(*field) };
    }
}

/// Loads `W` numbers of consecutive items: from consecutive addresses, or one by one.
#[inline(always)]
fn load<T: Copy + Default, const W: usize>(is_consecutive: bool, at: impl Fn(usize) -> *const T) -> [T; W] {
    // SAFETY: the callers pass addresses of items of their call, which are consecutive if `is_consecutive` is true.
    unsafe { if is_consecutive { at(0).cast::<[T; W]>().read_unaligned() } else { std::array::from_fn(|i| *at(i)) } }
}

/// Stores `W` numbers for consecutive items: to consecutive addresses, or one by one.
#[inline(always)]
fn store<T: Copy, const W: usize>(is_consecutive: bool, values: &[T; W], at: impl Fn(usize) -> *mut T) {
    // SAFETY: the callers pass addresses of items of their call, which are consecutive if `is_consecutive` is true.
    unsafe {
        if is_consecutive {
            at(0).cast::<[T; W]>().write_unaligned(*values);
        } else {
            values.iter().enumerate().for_each(|(i, value)| at(i).write(*value));
        }
    }
}

/// Loads the fields of items `index..index + W`.
#[inline(always)]
fn load_fields<K: Kernel, const W: usize>(lanes: &Lanes, index: usize) -> K::Fields<W> {
    let mut fields = K::Fields::<W>::zeros();
    for (number, column) in fields.columns_mut().iter_mut().enumerate() {
        *column = load(lanes.is_consecutive(), |i| lanes.field(index + i, number));
    }
    fields
}

/// Calls `act` with each run of items whose episodes have the same kernel.
fn each_run<K: Kernel>(kernels: &Variants<K>, lanes: &mut Lanes, mut act: impl FnMut(&K, &mut Lanes, Range<usize>)) {
    let mut start = 0;
    while start < lanes.count() {
        let kernel = kernels.of(lanes, start);
        let end = kernels.run_end(lanes, start);
        act(&kernel, lanes, start..end);
        start = end;
    }
}

/// Operation that steps some lanes of a call with the widest SIMD instructions.
struct Step<'a, K>(&'a K, &'a mut Lanes, Range<usize>);

impl<K: Kernel> Step<'_, K> {
    /// Steps items, starting at `index`, in blocks of `W` while at least `W` items remain. Returns the first item that remains.
    #[inline(always)]
    fn blocks<const W: usize>(&mut self, mut index: usize) -> usize {
        while index + W <= self.2.end {
            self.block::<W>(index);
            index += W;
        }
        index
    }

    #[inline(always)]
    fn block<const W: usize>(&mut self, index: usize) {
        let Self(kernel, lanes, _) = self;
        let mut fields = load_fields::<K, W>(lanes, index);
        let size = size_of::<K::Action>();
        let is_dense = W == 1 || lanes.action(0, index + 1) as usize == lanes.action(0, index) as usize + size;
        let actions: [K::Action; W] = load(is_dense, |i| lanes.action(0, index + i).cast());
        let (mut reward, mut terminated, mut truncated) = ([0.0; W], [false; W], [false; W]);
        kernel.step(fields.columns_mut(), &actions, &mut reward, &mut terminated);
        kernel.is_truncated(fields.columns(), &mut truncated);
        for (number, column) in fields.columns().iter().enumerate() {
            store(lanes.is_consecutive(), column, |i| lanes.field(index + i, number));
        }
        for i in 0..W {
            lanes.rewards(index + i, 1)[0] = reward[i];
            // Sets the bits `TERMINATED` and `TRUNCATED` of each lane.
            lanes.set_end(index + i, u64::from(terminated[i]) | (u64::from(truncated[i]) << 1));
        }
    }
}

impl<K: Kernel> SimdKernel for Step<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let index = self.blocks::<FULL_WIDTH>(self.2.start);
        let index = self.blocks::<HALF_WIDTH>(index);
        self.blocks::<1>(index);
    }
}

/// Operation that writes the observations of some lanes of a call with the widest SIMD instructions.
struct Observe<'a, K>(&'a K, &'a Lanes, Range<usize>);

impl<K: Kernel> Observe<'_, K> {
    #[inline(always)]
    fn blocks<const W: usize>(&self, target: LeafTarget, mut index: usize) -> usize {
        let Self(kernel, lanes, items) = self;
        while index + W <= items.end {
            let fields = load_fields::<K, W>(lanes, index);
            let mut observation = K::Observation::<W>::zeros();
            kernel.observe(fields.columns(), observation.columns_mut());
            for i in 0..W {
                // SAFETY: the pool's array has a row of the declared elements for each item, which belongs to this call.
                let row = unsafe { target.data.add((index + i) * target.stride).cast::<f32>() };
                for (number, column) in observation.columns().iter().enumerate() {
                    // SAFETY: `row` points to the item's row, which has an element for each column.
                    unsafe { row.add(number).write(column[i]) };
                }
            }
            index += W;
        }
        index
    }
}

impl<K: Kernel> SimdKernel for Observe<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let model = LeafTarget { data: std::ptr::null_mut(), stride: 0, dtype: Dtype::F32, len: K::Observation::<1>::LEN };
        let target = self.1.target(0, model);
        if target.data.is_null() {
            return;
        }
        let index = self.blocks::<FULL_WIDTH>(target, self.2.start);
        let index = self.blocks::<HALF_WIDTH>(target, index);
        self.blocks::<1>(target, index);
    }
}

unsafe extern "C" fn step<K: Kernel>(env: *const abi::Env, batch: *mut abi::Batch) -> i64 {
    // SAFETY: `env` is a table that `make` filled in, and the lanes of `batch` belong to this thread (rules of `envpool_rs.h`).
    unsafe {
        guarded_batch(batch, |lanes| {
            let Shared { kernels, level, .. } = shared::<K>(env);
            each_run(kernels, lanes, |kernel, lanes, items| level.run(Step(kernel, lanes, items)));
            Ok(())
        })
    }
}

unsafe extern "C" fn observe<K: Kernel>(env: *const abi::Env, batch: *mut abi::Batch) -> i64 {
    // SAFETY: `env` is a table that `make` filled in, and the lanes of `batch` belong to this thread (rules of `envpool_rs.h`).
    unsafe {
        guarded_batch(batch, |lanes| {
            let Shared { kernels, level, .. } = shared::<K>(env);
            each_run(kernels, lanes, |kernel, lanes, items| level.run(Observe(kernel, lanes, items)));
            Ok(())
        })
    }
}

unsafe extern "C" fn reset<K: Kernel>(env: *const abi::Env, batch: *mut abi::Batch) -> i64 {
    // SAFETY: `env` is a table that `make` filled in, and the lanes of `batch` belong to this thread (rules of `envpool_rs.h`).
    unsafe {
        guarded_batch(batch, |lanes| {
            let shared = shared::<K>(env);
            let options = lanes.reset_options(K::RESET_OPTIONS);
            each_lane(lanes, |lanes, index| {
                let (mut fields, mut stream) = (fields_of::<K>(lanes, index), lanes.stream(index));
                let options = lanes.seed(index).map_or_else(|| options.clone(), |seed| options.clone().with_seed(seed));
                shared.kernels.of(lanes, index).reset(fields.columns_mut().as_flattened_mut(), &options, &mut stream.generator);
                set_fields::<K>(lanes, index, &fields);
                lanes.set_elapsed(index, 0);
            });
            Ok(())
        })
    }
}

unsafe extern "C" fn inform<K: Kernel>(env: *const abi::Env, batch: *mut abi::Batch) -> i64 {
    // SAFETY: `env` is a table that `make` filled in, and the lanes of `batch` belong to this thread (rules of `envpool_rs.h`).
    unsafe {
        guarded_batch(batch, |lanes| {
            let shared = shared::<K>(env);
            let write = |index: usize, row: &mut Row<'_>| {
                let fields = fields_of::<K>(lanes, index);
                let kernel = shared.kernels.of(lanes, index);
                (0..shared.info.len()).for_each(|info| kernel.info(info, fields.columns().as_flattened(), row));
            };
            with_rows(lanes, &shared.info, write);
            Ok(())
        })
    }
}

unsafe extern "C" fn is_valid<K: Kernel>(env: *const abi::Env, batch: *mut abi::Batch) -> i64 {
    // SAFETY: `env` is a table that `make` filled in, and the lanes of `batch` belong to this thread (rules of `envpool_rs.h`).
    unsafe {
        guarded_batch(batch, |lanes| {
            let fields = fields_of::<K>(lanes, 0);
            let is_valid = shared::<K>(env).kernels.of(lanes, 0).is_valid(fields.columns().as_flattened());
            if is_valid { Ok(()) } else { Err(refused_state("its values are out of range")) }
        })
    }
}

unsafe extern "C" fn render<K: Kernel>(env: *const abi::Env, batch: *mut abi::Batch, rgb: *mut u8) -> i64 {
    // SAFETY: `env` is a table that `make` filled in, and the lanes of `batch` belong to this thread (rules of `envpool_rs.h`);
    // the pool's buffer has room for a picture of the declared size.
    unsafe {
        guarded_batch(batch, |lanes| {
            let table = &*env;
            let (width, height) = (table.frame_width as u32, table.frame_height as u32);
            let fields = fields_of::<K>(lanes, 0);
            let frame = shared::<K>(env).kernels.of(lanes, 0).render_frame(fields.columns().as_flattened(), (width, height));
            let frame = frame.scaled(width, height);
            std::ptr::copy_nonoverlapping(frame.pixels().as_ptr(), rgb, frame.pixels().len());
            Ok(())
        })
    }
}

unsafe extern "C" fn check_reset<K: Kernel>(
    env: *const abi::Env,
    numbers: *const f64,
    error: *mut c_char,
    error_size: u64,
) -> i64 {
    // SAFETY: `env` is a table that `make` filled in (rule of `envpool_rs.h`); the pool's arrays have the declared sizes.
    unsafe {
        guarded(error, error_size, || {
            let options = reset_options(numbers, K::RESET_OPTIONS);
            shared::<K>(env).kernels.base.check_reset(&options)
        })
    }
}

unsafe extern "C" fn unmake<K: Kernel>(env: *mut abi::Env) {
    let release = || {
        // SAFETY: the pool unmakes an environment once, after its last use; `make` has filled in `data`.
        unsafe {
            let data = std::mem::replace(&mut (*env).data, std::ptr::null_mut());
            drop((!data.is_null()).then(|| Box::from_raw(data.cast::<Shared<K>>())));
        }
        Ok(())
    };
    // SAFETY: the buffer for the error message is null, which `guarded` allows.
    unsafe { guarded(std::ptr::null_mut(), 0, release) };
}

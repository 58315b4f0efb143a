//! Implements the functions of the C interface for an [`Env`].

use std::cell::RefCell;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use envpool_rs_engine::{
    Action, ActionColumn, ActionKey, AssetCache, Env, EnvSpec, EpisodeEnd, LaneState, LaneStep, LeafTarget, Options,
    RenderParams, RenderSpec, Result, Row, Scheduling, read_value, refused_state, write_value,
};
use envpool_rs_numeric::random::RandomStream;

use super::actions::copy_actions;
use super::arrays::{Arrays, targets};
use super::guard::{each_lane, guarded, guarded_batch, unsupported, write_sized};
use super::lane_memory::{LaneMemory, LaneRandom, lane_size, memory, owns_random, release, replace, state};
use super::lanes::{Lanes, reset_options};
use super::rows::with_rows;
use super::variants::Variants;
use crate::abi;

/// Largest alignment that pools give to states.
const MAX_ALIGN: usize = 64;

/// An environment with its options fixed, to which [`abi::Env::data`] points.
struct Shared<E> {
    envs: Variants<E>,
    /// Memory of the arrays of [`abi::Env`]. The memory must live as long as the environment.
    _arrays: Arrays,
    keys: Vec<ActionKey>,
    observation: Vec<LeafTarget>,
    info: Vec<LeafTarget>,
    players: usize,
}

// SAFETY: the pointers in the output arrays' descriptions are null, and all other fields are `Sync`.
unsafe impl<E: Sync> Sync for Shared<E> {}

/// Fills in `table` for an environment with these options: functions, sizes and arrays.
///
/// # Errors
/// Errors that [`Env::new`] and [`Env::load`] return; `State`, naming a property for which the interface has no field.
pub fn make<E: Env>(options: &Options, table: &mut abi::Env) -> Result<()> {
    let mut env = E::new(options)?;
    if E::SPEC_NEEDS_LOAD {
        env.load(&AssetCache::default())?;
    }
    let spec = env.spec();
    if align_of::<LaneMemory<E>>() > MAX_ALIGN {
        return Err(unsupported("State", "an alignment of at most 64 bytes"));
    }
    let arrays = Arrays::new(&spec)?;
    describe::<E>(&env, &spec, &arrays, table)?;
    let leaves = spec.observation.leaves();
    let shared = Shared {
        keys: ActionKey::from_spec(&spec),
        observation: targets(leaves.iter().map(|leaf| (leaf.space.dtype(), leaf.space.shape())), spec.rows()),
        info: targets(spec.info.iter().map(|info| (info.dtype, &*info.shape)), 1),
        players: spec.players,
        _arrays: arrays,
        envs: Variants::new(env, options, |options| {
            let mut env = E::new(options)?;
            env.load(&AssetCache::default())?;
            Ok(env)
        }),
    };
    table.data = Box::into_raw(Box::new(shared)).cast();
    Ok(())
}

/// Fills in all fields of `table` except [`abi::Env::data`].
fn describe<E: Env>(env: &E, spec: &EnvSpec, arrays: &Arrays, table: &mut abi::Env) -> Result<()> {
    *table = abi::Env::zeroed();
    table.size = size_of::<abi::Env>() as u64;
    table.players = spec.players as u64;
    table.flags = flags::<E>(env, spec);
    (table.observations, table.observation) = (arrays.observation.len() as u64, arrays.observation.as_ptr());
    (table.actions, table.action) = (arrays.action.len() as u64, arrays.action.as_ptr());
    (table.infos, table.info) = (arrays.info.len() as u64, arrays.info.as_ptr());
    table.state_align = align_of::<LaneMemory<E>>().max(8) as u64;
    table.state_size = (lane_size::<E>() as u64).next_multiple_of(table.state_align);
    if let Scheduling::Batched(lanes) = env.scheduling() {
        table.together = lanes as u64;
    }
    (table.lane_heap, table.shared_heap) = (env.heap_bytes() as u64, (env.shared_bytes() + size_of::<E>()) as u64);
    table.create = Some(create::<E>);
    table.reset = Some(reset::<E>);
    table.step = Some(step::<E>);
    table.observe = Some(observe::<E>);
    table.inform = (!spec.info.is_empty()).then_some(inform::<E>);
    table.destroy = Some(destroy::<E>);
    table.save = Some(save::<E>);
    table.load = Some(load::<E>);
    table.check_reset = (!E::RESET_OPTIONS.is_empty()).then_some(check_reset::<E>);
    table.prepare = (!E::SPEC_NEEDS_LOAD).then_some(prepare::<E>);
    table.unmake = Some(unmake::<E>);
    describe_rendering::<E>(env.render_spec(), table);
    Ok(())
}

/// Fills in the rendering functions. Environments with cameras render their default camera, in their own size.
fn describe_rendering<E: Env>(rendering: RenderSpec, table: &mut abi::Env) {
    if let Some((width, height)) = rendering.frame_size {
        (table.frame_width, table.frame_height) = (u64::from(width), u64::from(height));
        table.render = Some(render::<E>);
    }
    table.frames_per_second = u64::from(rendering.frames_per_second);
    table.render_text = rendering.has_text.then_some(render_text::<E>);
}

fn flags<E: Env>(env: &E, spec: &EnvSpec) -> u64 {
    let flag = |condition: bool, flag: u64| if condition { flag } else { 0 };
    flag(env.scheduling() == Scheduling::Uniform, abi::UNIFORM)
        | flag(!spec.shared_spaces, abi::SEPARATE_SPACES)
        | flag(E::TRUNCATION_WINS, abi::TRUNCATION_WINS)
        | flag(owns_random::<E>(), abi::OWN_RANDOM)
}

/// Returns the environment to which a table points.
///
/// # Safety
/// [`make`] has filled in the table for the same type, and `unmake` was not called for the table.
unsafe fn shared<'a, E: Env>(env: *const abi::Env) -> &'a Shared<E> {
    // SAFETY: the caller guarantees that `make` filled in the table, and that the environment in `data` still exists.
    unsafe { &*(*env).data.cast() }
}

unsafe extern "C" fn create<E: Env>(env: *const abi::Env, batch: *mut abi::Batch) -> i64 {
    // SAFETY: `env` is a table that `make` filled in, and the lanes of `batch` belong to this thread (rules of `envpool_rs.h`).
    unsafe {
        guarded_batch(batch, |lanes| {
            let shared = shared::<E>(env);
            // A call that fails creates no state: those that exist are closed after an error and after a panic.
            let created = catch_unwind(AssertUnwindSafe(|| {
                (0..lanes.count()).try_for_each(|index| {
                    let state = shared.envs.base.create(lanes.pool_lane(index))?;
                    replace(&shared.envs.base, memory(lanes, index), state, || E::Random::from_seed(0));
                    Ok(())
                })
            }));
            if !matches!(created, Ok(Ok(()))) {
                (0..lanes.count()).for_each(|index| release(&shared.envs.base, memory(lanes, index)));
            }
            created.unwrap_or_else(|panic| resume_unwind(panic))
        })
    }
}

unsafe extern "C" fn destroy<E: Env>(env: *const abi::Env, batch: *mut abi::Batch) -> i64 {
    // SAFETY: `env` is a table that `make` filled in, and the lanes of `batch` belong to this thread (rules of `envpool_rs.h`).
    unsafe {
        guarded_batch(batch, |lanes| {
            let shared = shared::<E>(env);
            each_lane(lanes, |lanes, index| release(&shared.envs.base, memory(lanes, index)));
            Ok(())
        })
    }
}

unsafe extern "C" fn reset<E: Env>(env: *const abi::Env, batch: *mut abi::Batch) -> i64 {
    // SAFETY: `env` is a table that `make` filled in, and the lanes of `batch` belong to this thread (rules of `envpool_rs.h`).
    unsafe {
        guarded_batch(batch, |lanes| {
            let shared = shared::<E>(env);
            let options = lanes.reset_options(E::RESET_OPTIONS);
            each_lane(lanes, |lanes, index| {
                let env = shared.envs.of(lanes, index);
                let (state, mut random) = (state::<E>(lanes, index), LaneRandom::<E>::of(lanes, index));
                let seed = lanes.seed(index);
                if let (Some(seed), LaneRandom::Own(random)) = (seed, &mut random) {
                    **random = E::Random::from_seed(seed);
                }
                let mut elapsed = 0;
                if lanes.has_cause(index, abi::NEXT_EPISODE) {
                    let ended = EpisodeEnd { elapsed: lanes.elapsed(index), at_limit: lanes.has_cause(index, abi::AFTER_LIMIT) };
                    elapsed = env.next_episode(state, ended, random.get());
                } else {
                    let options = options.clone();
                    let options = seed.map_or(options.clone(), |seed| options.with_seed(seed));
                    env.reset(state, &options, random.get());
                }
                lanes.set_elapsed(index, elapsed);
            });
            Ok(())
        })
    }
}

unsafe extern "C" fn step<E: Env>(env: *const abi::Env, batch: *mut abi::Batch) -> i64 {
    thread_local! { static COLUMNS: RefCell<Vec<ActionColumn>> = const { RefCell::new(Vec::new()) } }
    // SAFETY: `env` is a table that `make` filled in, and the lanes of `batch` belong to this thread (rules of `envpool_rs.h`).
    unsafe {
        guarded_batch(batch, |lanes| {
            let shared = shared::<E>(env);
            COLUMNS.with_borrow_mut(|columns| {
                copy_actions(&shared.keys, lanes, columns);
                match shared.envs.base.scheduling() {
                    Scheduling::Batched(_) => step_together(shared, lanes, columns),
                    _ => each_lane(lanes, |lanes, index| step_lane(shared, lanes, columns, index)),
                }
            });
            Ok(())
        })
    }
}

#[inline(always)]
fn step_lane<E: Env>(shared: &Shared<E>, lanes: &mut Lanes, columns: &[ActionColumn], index: usize) {
    let env = shared.envs.of(lanes, index);
    let (state, mut random) = (state::<E>(lanes, index), LaneRandom::<E>::of(lanes, index));
    let rewards = lanes.rewards(index, shared.players);
    let over = env.step(state, &Action::new(columns, index), rewards, random.get());
    lanes.set_end(index, end_bits(&*env, state, over));
}

/// Steps all lanes of the call together, with [`Env::step_lanes`]. A panic fails all these lanes.
fn step_together<E: Env>(shared: &Shared<E>, lanes: &mut Lanes, columns: &[ActionColumn]) {
    let mut rewards = vec![0.0; lanes.count() * shared.players];
    let mut randoms: Vec<_> = (0..lanes.count()).map(|index| LaneRandom::<E>::of(lanes, index)).collect();
    let borrowed = randoms.iter_mut().zip(rewards.chunks_mut(shared.players)).enumerate();
    let mut steps: Vec<LaneStep<'_, E>> = borrowed
        .map(|(index, (random, rewards))| LaneStep {
            state: state::<E>(lanes, index),
            random: random.get(),
            action: Action::new(columns, index),
            rewards,
            terminated: false,
            error: None,
        })
        .collect();
    let mut rest = &mut steps[..];
    while !rest.is_empty() {
        let start = lanes.count() - rest.len();
        let (alike, others) = rest.split_at_mut(shared.envs.run_end(lanes, start) - start);
        shared.envs.of(lanes, start).step_lanes(alike);
        rest = others;
    }
    for (index, step) in steps.into_iter().enumerate() {
        match step.error {
            Some(error) => lanes.fail(index, &error.to_string()),
            None => lanes.set_end(index, end_bits(&*shared.envs.of(lanes, index), step.state, step.terminated)),
        }
    }
    for (index, rewards) in rewards.chunks(shared.players).enumerate() {
        lanes.rewards(index, shared.players).copy_from_slice(rewards);
    }
}

/// Returns the bits of a lane's `end` after a step. `over`: whether the environment reported that the episode terminated.
#[inline(always)]
fn end_bits<E: Env>(env: &E, state: &E::State, over: bool) -> u64 {
    let bit = |condition: bool, bit: u64| if condition { bit } else { 0 };
    bit(over, abi::TERMINATED)
        | bit(env.is_truncated(state), abi::TRUNCATED)
        | bit(env.has_zero_discount(state), abi::ZERO_DISCOUNT)
}

unsafe extern "C" fn observe<E: Env>(env: *const abi::Env, batch: *mut abi::Batch) -> i64 {
    // SAFETY: `env` is a table that `make` filled in, and the lanes of `batch` belong to this thread (rules of `envpool_rs.h`).
    unsafe {
        guarded_batch(batch, |lanes| {
            let shared = shared::<E>(env);
            let write = |index: usize, row: &mut Row<'_>| shared.envs.of(lanes, index).observe(state::<E>(lanes, index), row);
            with_rows(lanes, &shared.observation, write);
            Ok(())
        })
    }
}

unsafe extern "C" fn inform<E: Env>(env: *const abi::Env, batch: *mut abi::Batch) -> i64 {
    // SAFETY: `env` is a table that `make` filled in, and the lanes of `batch` belong to this thread (rules of `envpool_rs.h`).
    unsafe {
        guarded_batch(batch, |lanes| {
            let shared = shared::<E>(env);
            let write = |index: usize, row: &mut Row<'_>| shared.envs.of(lanes, index).info(state::<E>(lanes, index), row);
            with_rows(lanes, &shared.info, write);
            Ok(())
        })
    }
}

unsafe extern "C" fn save<E: Env>(
    env: *const abi::Env,
    batch: *mut abi::Batch,
    out: *mut u8,
    room: u64,
    length: *mut u64,
) -> i64 {
    // SAFETY: `env` is a table that `make` filled in, and the lanes of `batch` belong to this thread (rules of `envpool_rs.h`);
    // the pool's buffer has `room` bytes.
    unsafe {
        guarded_batch(batch, |lanes| {
            let (shared, mut bytes) = (shared::<E>(env), Vec::new());
            state::<E>(lanes, 0).save(&shared.envs.of(lanes, 0), &mut bytes)?;
            if let LaneRandom::Own(random) = LaneRandom::<E>::of(lanes, 0) {
                write_value(&mut bytes, random)?;
            }
            write_sized(&bytes, out, room, length);
            Ok(())
        })
    }
}

unsafe extern "C" fn load<E: Env>(env: *const abi::Env, batch: *mut abi::Batch, bytes: *const u8, length: u64) -> i64 {
    // SAFETY: `env` is a table that `make` filled in, and the lanes of `batch` belong to this thread (rules of `envpool_rs.h`);
    // the pool's buffer has `length` bytes.
    unsafe {
        guarded_batch(batch, |lanes| {
            let shared = shared::<E>(env);
            let mut bytes = if length == 0 { &[][..] } else { std::slice::from_raw_parts(bytes, length as usize) };
            let loaded = E::State::load(&shared.envs.of(lanes, 0), &mut bytes)?;
            let random = if owns_random::<E>() { read_value::<E::Random>(&mut bytes).map(Some) } else { Ok(None) };
            let random = random.and_then(|random| match bytes {
                [] => Ok(random),
                _ => Err(refused_state("bytes are left over")),
            });
            match random {
                Ok(random) => {
                    let memory = memory::<E>(lanes, 0);
                    replace(&shared.envs.base, memory, loaded, || E::Random::from_seed(0));
                    if let Some(random) = random {
                        *(*memory).random.assume_init_mut() = random;
                    }
                    Ok(())
                }
                Err(error) => {
                    shared.envs.base.close(loaded);
                    Err(error)
                }
            }
        })
    }
}

unsafe extern "C" fn render<E: Env>(env: *const abi::Env, batch: *mut abi::Batch, rgb: *mut u8) -> i64 {
    // SAFETY: `env` is a table that `make` filled in, and the lanes of `batch` belong to this thread (rules of `envpool_rs.h`);
    // the pool's buffer has room for a picture of the declared size.
    unsafe {
        guarded_batch(batch, |lanes| {
            let (shared, table) = (shared::<E>(env), &*env);
            let (width, height) = (table.frame_width as u32, table.frame_height as u32);
            let view = RenderParams { width, height, camera: None, depth: false };
            let frame = shared.envs.of(lanes, 0).render_view(state::<E>(lanes, 0), &view)?.scaled(width, height);
            std::ptr::copy_nonoverlapping(frame.pixels().as_ptr(), rgb, frame.pixels().len());
            Ok(())
        })
    }
}

unsafe extern "C" fn render_text<E: Env>(
    env: *const abi::Env,
    batch: *mut abi::Batch,
    out: *mut c_char,
    room: u64,
    length: *mut u64,
) -> i64 {
    // SAFETY: `env` is a table that `make` filled in, and the lanes of `batch` belong to this thread (rules of `envpool_rs.h`);
    // the pool's buffer has `room` bytes.
    unsafe {
        guarded_batch(batch, |lanes| {
            let text = shared::<E>(env).envs.of(lanes, 0).render_text(state::<E>(lanes, 0));
            write_sized(text.as_bytes(), out.cast(), room, length);
            Ok(())
        })
    }
}

unsafe extern "C" fn check_reset<E: Env>(env: *const abi::Env, numbers: *const f64, error: *mut c_char, error_size: u64) -> i64 {
    // SAFETY: `env` is a table that `make` filled in (rule of `envpool_rs.h`); the pool's arrays have the declared sizes.
    unsafe {
        guarded(error, error_size, || {
            let options = reset_options(numbers, E::RESET_OPTIONS);
            shared::<E>(env).envs.base.check_reset(&options)
        })
    }
}

unsafe extern "C" fn prepare<E: Env>(env: *mut abi::Env, error: *mut c_char, error_size: u64) -> i64 {
    // SAFETY: the pool prepares an environment once, before others use it; `make` has filled in `data`.
    unsafe { guarded(error, error_size, || (*(*env).data.cast::<Shared<E>>()).envs.base.load(&AssetCache::default())) }
}

unsafe extern "C" fn unmake<E: Env>(env: *mut abi::Env) {
    let release = || {
        // SAFETY: the pool unmakes an environment once, after its last use; `make` has filled in `data`.
        unsafe {
            let data = std::mem::replace(&mut (*env).data, std::ptr::null_mut());
            drop((!data.is_null()).then(|| Box::from_raw(data.cast::<Shared<E>>())));
        }
        Ok(())
    };
    // SAFETY: the buffer for the error message is null, which `guarded` allows.
    unsafe { guarded(std::ptr::null_mut(), 0, release) };
}

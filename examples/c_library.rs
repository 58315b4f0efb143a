//! Walkthrough of an environment whose state is memory of a C library.
//!
//! The game is a walk on a line that starts at 0. Position 10 wins, and -10 loses. The library allocates each walk, can refuse a
//! call, and frees the walk.
//!
//! ```sh
//! cargo run --example c_library
//! ```
//!
//! The module `library` replaces C code, so that the example needs no C compiler. With a real library, the module would be
//! `unsafe extern "C" { fn walk_new() -> *mut Walk; ... }`, linked by a build script.

use std::ptr::NonNull;

use envpool_rs::engine::{
    Action, Dialect, Dtype, Env, EnvSpec, Error, Format, LaneState, Options, Outputs, Pool, PoolConfig, ResetOptions, Result,
    Role, Row, Scheduling, Space, Task, read_value, refused_state, write_value,
};
use envpool_rs::random::Generator;

use self::library::Walk;

/// Replacement of a C library, whose functions use C's calling convention.
mod library {
    /// Data of a walk. Callers have only a pointer to a walk.
    #[derive(Debug)]
    pub struct Walk {
        position: i32,
    }

    /// Allocates a walk at position 0. Returns null if there is no memory.
    pub extern "C" fn walk_new() -> *mut Walk {
        Box::into_raw(Box::new(Walk { position: 0 }))
    }

    /// Frees a walk.
    ///
    /// # Safety
    /// `walk` was returned by [`walk_new`] and is not used afterwards.
    pub unsafe extern "C" fn walk_delete(walk: *mut Walk) {
        // SAFETY: the caller passes ownership of a walk that `walk_new` allocated as a box.
        drop(unsafe { Box::from_raw(walk) });
    }

    /// Moves a walk by `steps`; returns 0, or -1 for more than one step at a time.
    ///
    /// # Safety
    /// `walk` was returned by [`walk_new`] and not deleted, and no other thread uses it.
    pub unsafe extern "C" fn walk_move(walk: *mut Walk, steps: i32) -> i32 {
        if steps.abs() > 1 {
            return -1;
        }
        // SAFETY: the caller has exclusive access to the walk.
        unsafe { (*walk).position += steps };
        0
    }

    /// Returns the position of a walk.
    ///
    /// # Safety
    /// `walk` was returned by [`walk_new`] and not deleted, and no other thread changes it.
    pub unsafe extern "C" fn walk_position(walk: *const Walk) -> i32 {
        // SAFETY: the caller guarantees that the walk exists and that no other thread changes it.
        unsafe { (*walk).position }
    }

    /// Sets the position of a walk.
    ///
    /// # Safety
    /// `walk` was returned by [`walk_new`] and not deleted, and no other thread uses it.
    pub unsafe extern "C" fn walk_set(walk: *mut Walk, position: i32) {
        // SAFETY: the caller has exclusive access to the walk.
        unsafe { (*walk).position = position };
    }
}

/// Owner of a walk in the library. Only the methods of this type call the library, so that the environment below is safe code.
#[derive(Debug)]
struct WalkHandle(NonNull<Walk>);

// SAFETY: each walk belongs to one handle, and the library has neither other state nor thread affinity.
unsafe impl Send for WalkHandle {}

impl WalkHandle {
    fn new() -> Result<Self> {
        let walk = NonNull::new(library::walk_new());
        walk.map(Self).ok_or_else(|| Error::NotFound("the library has no memory for a walk".into()))
    }

    fn position(&self) -> i32 {
        // SAFETY: the walk exists as long as the handle, which owns it.
        unsafe { library::walk_position(self.0.as_ptr()) }
    }

    fn set(&mut self, position: i32) {
        // SAFETY: the walk lives as long as the handle; `&mut self` makes the access exclusive.
        unsafe { library::walk_set(self.0.as_ptr(), position) };
    }

    fn step(&mut self, steps: i32) -> Result<()> {
        // SAFETY: the walk lives as long as the handle; `&mut self` makes the access exclusive.
        match unsafe { library::walk_move(self.0.as_ptr(), steps) } {
            0 => Ok(()),
            code => Err(Error::State(format!("the library refuses the step: error {code}"))),
        }
    }
}

impl Drop for WalkHandle {
    fn drop(&mut self) {
        // SAFETY: the handle owns the walk, and is dropped once.
        unsafe { library::walk_delete(self.0.as_ptr()) };
    }
}

/// Number of steps from the start to either end of the line.
const END: i32 = 10;

/// Environment that walks along a line.
///
/// - Observation: int32 `(1,)`, the position.
/// - Action: `Discrete(4)`: 0 to 2 move one step to the left, not at all, and one step to the right; 3 requests a step that is
///   too long, which the library rejects.
/// - Reward: 1 at the right end, -1 at the left one; either terminates.
struct WalkEnv;

impl Env for WalkEnv {
    type State = WalkHandle;
    type Random = Generator;
    const SCHEDULING: Scheduling = Scheduling::Uniform;

    fn new(_options: &Options) -> Result<Self> {
        Ok(Self)
    }

    fn spec(&self) -> EnvSpec {
        EnvSpec::new(Space::uniform(f64::from(-END), f64::from(END), &[1], Dtype::I32), Space::discrete(4))
    }

    /// Allocates an environment's state. Several threads call this method; an error ends the creation of the pool.
    fn create(&self, _lane: usize) -> Result<WalkHandle> {
        WalkHandle::new()
    }

    fn reset(&self, walk: &mut WalkHandle, _options: &ResetOptions, rng: &mut Generator) {
        walk.set(rng.integers(-2, 3) as i32);
    }

    fn step(&self, walk: &mut WalkHandle, action: &Action<'_>, rewards: &mut [f64], _rng: &mut Generator) -> bool {
        // `raise` fails only this environment: the pool reports the error, and returns the rows of the other environments.
        walk.step(action.discrete() - 1).unwrap_or_else(|error| error.raise());
        let is_over = walk.position().abs() >= END;
        rewards[0] = if is_over { f64::from(walk.position().signum()) } else { 0.0 };
        is_over
    }

    fn observe(&self, walk: &WalkHandle, out: &mut Row<'_>) {
        out.scalar(0, walk.position());
    }
}

/// Converts the library's memory to bytes for snapshots, and back.
impl LaneState<WalkEnv> for WalkHandle {
    fn save(&self, _env: &WalkEnv, bytes: &mut Vec<u8>) -> Result<()> {
        write_value(bytes, &self.position())
    }

    fn load(_env: &WalkEnv, bytes: &mut &[u8]) -> Result<Self> {
        let position: i32 = read_value(bytes)?;
        if position.abs() > END {
            return Err(refused_state("a position beyond the ends of the line"));
        }
        let mut walk = Self::new()?;
        walk.set(position);
        Ok(walk)
    }
}

fn task() -> Task {
    Task::env::<WalkEnv>("Walk-v0").max_episode_steps(100)
}

fn pool(num_envs: i64) -> Result<Pool> {
    let task = task();
    let config = PoolConfig { max_episode_steps: task.max_episode_steps, ..PoolConfig::new(num_envs)? };
    let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
    let pool = Pool::new(&task, &task.resolve(&[])?, config, outputs)?;
    pool.reset(None, Vec::new(), ResetOptions::default())?.run(&mut None, &mut || false)?;
    Ok(pool)
}

fn step(pool: &Pool, actions: &[i32]) -> Result<Vec<f64>> {
    let mut call = pool.step(None)?;
    call.set_action(0, actions)?;
    let batch = call.run(&mut None, &mut || false)?;
    Ok(batch.values::<f64>(Role::Reward).expect("gymnasium's rewards are float64").to_vec())
}

fn main() -> Result<()> {
    let pool = pool(3)?;
    for number in 1..=12 {
        let rewards = step(&pool, &[2, 0, 2])?;
        println!("step {number:>2}: rewards {rewards:?}");
    }
    println!("too long a step: {}", step(&pool, &[1, 3, 1]).expect_err("the library refuses it"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_end_at_both_ends() {
        let pool = pool(2).unwrap();
        let all: Vec<_> = (0..12).map(|_| step(&pool, &[2, 0]).unwrap()).collect();
        assert!(all.iter().any(|rewards| rewards[0] == 1.0) && all.iter().any(|rewards| rewards[1] == -1.0));
    }

    #[test]
    fn a_refused_step_fails_its_environment_only() {
        let pool = pool(2).unwrap();
        let error = step(&pool, &[3, 2]).unwrap_err().to_string();
        assert!(error.starts_with("environment 0 failed: the library refuses the step: error -1"), "{error}");
        pool.recv(&mut None, &mut || false).unwrap();
        pool.reset(Some(&[0]), Vec::new(), ResetOptions::default()).unwrap().run(&mut None, &mut || false).unwrap();
        assert_eq!(step(&pool, &[1, 1]).unwrap(), [0.0, 0.0]);
    }

    #[test]
    fn snapshots_are_restored_and_positions_beyond_the_line_are_refused() {
        let load = |position: i32| {
            let mut bytes = Vec::new();
            write_value(&mut bytes, &position).unwrap();
            WalkHandle::load(&WalkEnv, &mut &bytes[..])
        };
        assert_eq!(load(-END).unwrap().position(), -END);
        assert!(load(END + 1).unwrap_err().to_string().contains("beyond the ends"));
    }
}

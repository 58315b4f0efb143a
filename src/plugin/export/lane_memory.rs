//! States of an [`Env`] in the pool's memory.

use std::any::{Any, TypeId};
use std::mem::{MaybeUninit, offset_of};

use envpool_rs_engine::Env;
use envpool_rs_numeric::random::Generator;

use super::lanes::{Lanes, PoolStream};

/// State of a lane in the pool's memory. All bytes are initially zero.
///
/// The random stream is the last field, because environments that draw from the pool's streams omit it.
#[repr(C)]
pub struct LaneMemory<E: Env> {
    /// 1 while the state exists: from its creation until its destruction.
    is_live: u64,
    state: MaybeUninit<E::State>,
    pub random: MaybeUninit<E::Random>,
}

/// Returns whether the environment's random streams are stored in its lanes. Lanes store all streams except numpy's `Generator`,
/// which the pool stores.
pub fn owns_random<E: Env>() -> bool {
    TypeId::of::<E::Random>() != TypeId::of::<Generator>()
}

/// Returns the size of one lane's memory in bytes.
pub fn lane_size<E: Env>() -> usize {
    if owns_random::<E>() { size_of::<LaneMemory<E>>() } else { offset_of!(LaneMemory<E>, random) }
}

/// Returns the address of the memory of a lane's state.
pub fn memory<E: Env>(lanes: &Lanes, index: usize) -> *mut LaneMemory<E> {
    lanes.state(index).cast()
}

/// Returns the state of a lane.
pub fn state<'a, E: Env>(lanes: &Lanes, index: usize) -> &'a mut E::State {
    let memory = memory::<E>(lanes, index);
    // SAFETY: the pool's memory of the lane has the declared size and alignment, and belongs to this call. `is_live`, checked
    // first, shows that the state exists.
    unsafe {
        assert!((*memory).is_live == 1, "the state of a lane was used before its creation");
        (*memory).state.assume_init_mut()
    }
}

/// Random stream of a lane, borrowed from its state or loaded from the pool.
pub enum LaneRandom<'a, E: Env> {
    Own(&'a mut E::Random),
    Pool(PoolStream),
}

impl<E: Env> LaneRandom<'_, E> {
    /// Borrows the random stream of a lane whose state exists.
    #[inline(always)]
    pub fn of(lanes: &mut Lanes, index: usize) -> Self {
        if !owns_random::<E>() {
            return Self::Pool(lanes.stream(index));
        }
        let memory = memory::<E>(lanes, index);
        // SAFETY: `create` and `load` write the stream together with the state, and `state` has checked that the state exists.
        // The lanes belong to this call.
        Self::Own(unsafe { (*memory).random.assume_init_mut() })
    }

    /// Returns the lane's random stream as the environment's type.
    #[inline(always)]
    pub fn get(&mut self) -> &mut E::Random {
        match self {
            Self::Own(random) => random,
            Self::Pool(stream) => {
                (&mut stream.generator as &mut dyn Any).downcast_mut().expect("the pool's streams are of type Generator")
            }
        }
    }
}

/// Writes a new state into a lane, and closes the old state, if there is one. The lane's random stream is unchanged.
///
/// # Safety
/// `memory` belongs to the caller, and is zero or was written by this function.
pub unsafe fn replace<E: Env>(env: &E, memory: *mut LaneMemory<E>, state: E::State, random: impl FnOnce() -> E::Random) {
    // SAFETY: the caller guarantees exclusive access to `memory`, which is zero or holds a value if `is_live` is 1.
    unsafe {
        let old = ((*memory).is_live == 1).then(|| (*memory).state.assume_init_read());
        if old.is_none() && owns_random::<E>() {
            (*memory).random.write(random());
        }
        (*memory).state.write(state);
        (*memory).is_live = 1;
        old.into_iter().for_each(|old| env.close(old));
    }
}

/// Closes the state of a lane, if there is one.
///
/// # Safety
/// `memory` belongs to the caller, and is zero or was written by [`replace`].
pub unsafe fn release<E: Env>(env: &E, memory: *mut LaneMemory<E>) {
    // SAFETY: the caller guarantees exclusive access to `memory`, which is zero or holds a value if `is_live` is 1.
    unsafe {
        if std::mem::replace(&mut (*memory).is_live, 0) == 1 {
            if owns_random::<E>() {
                (*memory).random.assume_init_drop();
            }
            env.close((*memory).state.assume_init_read());
        }
    }
}

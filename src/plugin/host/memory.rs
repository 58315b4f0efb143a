//! Memory of the states and random streams of lanes.

use std::cell::UnsafeCell;

use crate::abi::{self, COLUMNS, Random};
use crate::host::functions::seeded;
use envpool_rs_engine::{AlignedBuffer, Error, LaneSet, Result, refused_memory};

/// Number of guard bytes before the first state, and after each state.
const GUARD: usize = 64;

/// Value of each guard byte.
const PATTERN: u8 = 0xa5;

/// Number of unused elements at the end of each column of states, so that the same lanes of two columns do not share a cache set.
const COLUMN_PADDING: usize = 24;

/// States and random streams of some lanes. States are initially zero, and never move.
pub struct LaneMemory {
    states: AlignedBuffer,
    /// Number of bytes in `states`.
    bytes: usize,
    /// Number of guard bytes before the first state.
    guard: usize,
    random: Box<[UnsafeCell<Random>]>,
    /// Values of each lane's options with `EPR_DRAWN`.
    options: Box<[UnsafeCell<f64>]>,
    /// Number of options with `EPR_DRAWN`.
    pub drawn: usize,
    /// Number of bytes of one state.
    size: usize,
    /// Number of bytes from the state of one lane to that of the next.
    pub lane_stride: usize,
    /// Number of bytes from one 8-byte field of a state to the next field.
    pub field_stride: usize,
    is_columns: bool,
}

// SAFETY: a lane's memory is only accessed by the holder of its `LaneSet`, one thread at a time.
unsafe impl Send for LaneMemory {}
// SAFETY: a lane's memory is only accessed by the holder of its `LaneSet`, one thread at a time.
unsafe impl Sync for LaneMemory {}

impl LaneMemory {
    /// Allocates the memory of `lanes` lanes with `drawn` options of their own each. If `is_guarded`, the memory has an additional lane, and guard bytes between states.
    ///
    /// # Errors
    /// `Memory` if the number of bytes does not fit the address space.
    pub fn new(lanes: usize, env: &abi::Env, drawn: usize, is_guarded: bool) -> Result<Self> {
        let (lanes, guard) = if is_guarded { (lanes + 1, GUARD) } else { (lanes, 0) };
        let is_columns = env.flags & COLUMNS != 0;
        let size = env.state_size as usize;
        let (lane_stride, field_stride) = match is_columns {
            true => (8, 8 * (lanes.next_multiple_of(8) + COLUMN_PADDING)),
            false => ((size.max(1) + guard).next_multiple_of(env.state_align.max(8) as usize), 8),
        };
        let bytes = if is_columns { (size / 8).checked_mul(field_stride) } else { lanes.checked_mul(lane_stride) };
        let bytes = bytes.filter(|bytes| *bytes < isize::MAX as usize / 2).map(|bytes| guard + bytes);
        let bytes = bytes.ok_or_else(|| Error::Memory(format!("the states of {lanes} environments do not fit into memory")))?;
        let random = (0..lanes).map(|_| UnsafeCell::new(seeded(0))).collect();
        let options = (0..lanes * drawn).map(|_| UnsafeCell::new(0.0)).collect();
        let states = AlignedBuffer::new(bytes)?;
        let memory = Self { states, bytes, guard, random, options, drawn, size, lane_stride, field_stride, is_columns };
        if is_guarded {
            // SAFETY: the buffer `states` has `bytes` bytes, and no other reference to the buffer exists.
            unsafe { memory.states.data().write_bytes(PATTERN, bytes) };
            for lane in 0..lanes as u32 {
                let numbers = [lane];
                // SAFETY: `memory` was just created, so no other access to its lanes exists.
                memory.clear(&unsafe { LaneSet::new(&numbers, true) });
            }
        }
        Ok(memory)
    }

    /// Returns a copy of all states and of the bytes between them. No other thread may access any lane.
    pub fn all_bytes(&self) -> Vec<u8> {
        // SAFETY: the buffer has `self.bytes` bytes, and the caller guarantees that no other thread accesses a lane.
        unsafe { std::slice::from_raw_parts(self.states.data(), self.bytes) }.to_vec()
    }

    /// Returns a position outside of the states of these lanes at which the memory differs from the earlier copy `before`. No
    /// other thread may access any lane.
    pub fn changed_outside(&self, before: &[u8], lanes: &LaneSet<'_>) -> Option<String> {
        let mut after = self.all_bytes();
        for position in 0..lanes.numbers().len() {
            self.parts(&lanes.part(position..position + 1), |part, size| {
                let offset = part as usize - self.states.data() as usize;
                after[offset..offset + size].copy_from_slice(&before[offset..offset + size]);
            });
        }
        if after == before {
            return None;
        }
        let changed = before.iter().zip(&after).position(|(one, other)| one != other)?;
        let Some(offset) = changed.checked_sub(self.guard) else { return Some("before the state of lane 0".to_owned()) };
        let (lane, byte) = match self.is_columns {
            true => (offset % self.field_stride / 8, offset / self.field_stride * 8 + offset % 8),
            false => (offset / self.lane_stride, offset % self.lane_stride),
        };
        Some(match byte < self.size && lane < self.lanes() {
            true => format!("byte {byte} of the state of lane {lane}"),
            false => format!("{} bytes after the state of lane {lane}, or next to it", byte.saturating_sub(self.size)),
        })
    }

    /// Returns the number of lanes in this memory.
    pub fn lanes(&self) -> usize {
        self.random.len()
    }

    /// Returns the address of lane 0's state.
    #[inline]
    pub fn states(&self) -> *mut u8 {
        self.states.data().wrapping_add(self.guard)
    }

    /// Returns the address of lane 0's random stream.
    #[inline]
    pub fn streams(&self) -> *mut Random {
        self.random.as_ptr().cast_mut().cast()
    }

    /// Returns the random stream of a single lane.
    pub fn random(&self, lane: &LaneSet<'_>) -> Random {
        // SAFETY: the `LaneSet` is the only access to the lane and its random stream.
        unsafe { *self.random[lane.numbers()[0] as usize].get() }
    }

    /// Replaces the random stream of a single lane.
    pub fn set_random(&self, lane: &LaneSet<'_>, random: Random) {
        // SAFETY: the `LaneSet` is the only access to the lane and its random stream.
        unsafe { *self.random[lane.numbers()[0] as usize].get() = random };
    }

    /// Returns the address of lane 0's options.
    #[inline]
    pub fn options(&self) -> *const f64 {
        self.options.as_ptr().cast()
    }

    /// Returns the options of a single lane.
    pub fn options_of(&self, lane: &LaneSet<'_>) -> Vec<f64> {
        // SAFETY: the `LaneSet` is the only access to the lane and its options.
        self.option_cells(lane).iter().map(|option| unsafe { *option.get() }).collect()
    }

    /// Replaces the options of a single lane.
    pub fn set_options(&self, lane: &LaneSet<'_>, values: &[f64]) {
        // SAFETY: the `LaneSet` is the only access to the lane and its options.
        self.option_cells(lane).iter().zip(values).for_each(|(option, value)| unsafe { *option.get() = *value });
    }

    fn option_cells(&self, lane: &LaneSet<'_>) -> &[UnsafeCell<f64>] {
        &self.options[lane.numbers()[0] as usize * self.drawn..][..self.drawn]
    }

    /// Calls `act` with the address and the size of each contiguous part of a single lane's state.
    fn parts(&self, lane: &LaneSet<'_>, mut act: impl FnMut(*mut u8, usize)) {
        let number = lane.numbers()[0] as usize;
        assert!(number < self.lanes(), "a lane of others");
        let first = self.states().wrapping_add(number * self.lane_stride);
        match self.is_columns {
            true => (0..self.size / 8).for_each(|field| act(first.wrapping_add(field * self.field_stride), 8)),
            false => act(first, self.size),
        }
    }

    /// Copies the state of a single lane.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory for the copy.
    pub fn state(&self, lane: &LaneSet<'_>) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(self.size).map_err(|_| refused_memory(self.size, "a state"))?;
        self.parts(lane, |part, size| {
            // SAFETY: the part lies inside of the lane's memory, to which the `LaneSet` is the only access.
            bytes.extend_from_slice(unsafe { std::slice::from_raw_parts(part, size) });
        });
        Ok(bytes)
    }

    /// Replaces the state of a single lane.
    ///
    /// # Panics
    /// If `bytes` has another length.
    pub fn set_state(&self, lane: &LaneSet<'_>, bytes: &[u8]) {
        assert_eq!(bytes.len(), self.size, "a state of another size");
        let mut rest = bytes;
        self.parts(lane, |part, size| {
            let (own, others) = rest.split_at(size);
            rest = others;
            // SAFETY: the part lies inside of the lane's memory, to which the `LaneSet` is the only access.
            unsafe { part.copy_from_nonoverlapping(own.as_ptr(), size) };
        });
    }

    /// Fills the state of a single lane with zeros.
    pub fn clear(&self, lane: &LaneSet<'_>) {
        // SAFETY: the part lies inside of the lane's memory, to which the `LaneSet` is the only access.
        self.parts(lane, |part, size| unsafe { part.write_bytes(0, size) });
    }
}

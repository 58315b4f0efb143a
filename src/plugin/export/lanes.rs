//! Lanes of one call: checked access to the struct that the pool fills in.

use std::ffi::{c_char, c_void};

use envpool_rs_engine::{LeafTarget, ResetOptions};
use envpool_rs_numeric::random::{Generator, RandomStream};

use crate::abi;
use crate::error_text::write_text;
use crate::random::{from_pcg64, to_pcg64};

/// Lanes of a call. The lanes, their rows and their random streams belong to this thread for the lifetime of the value.
pub struct Lanes {
    batch: abi::Batch,
    has_error: bool,
}

impl Lanes {
    /// Creates access to the lanes of a call.
    ///
    /// # Safety
    /// `batch` points at a struct whose first field is its size. For the lifetime of the value, its pointers are valid as the
    /// header describes, and the lanes belong to this thread.
    pub unsafe fn new(batch: *const abi::Batch) -> Self {
        let mut copy = abi::Batch::zeroed();
        // SAFETY: the caller guarantees that the struct has `size` bytes; the copy has room for all bytes that are copied.
        unsafe {
            let size = (*batch).size.min(size_of::<abi::Batch>() as u64) as usize;
            std::ptr::copy_nonoverlapping(batch.cast::<u8>(), (&raw mut copy).cast::<u8>(), size);
        }
        Self { batch: copy, has_error: false }
    }

    /// Returns the number of lanes in the call.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.batch.count as usize
    }

    /// Returns the buffer for the error of the call, and its size.
    pub fn error(&self) -> (*mut c_char, u64) {
        (self.batch.error, self.batch.error_size)
    }

    /// Returns whether the lanes of the call are consecutive.
    #[inline(always)]
    pub fn is_consecutive(&self) -> bool {
        self.batch.consecutive != 0
    }

    /// Returns the number of item `index`'s lane, counted from the environment's first lane.
    #[inline(always)]
    fn number(&self, index: usize) -> usize {
        assert!(index < self.count(), "an item of another call");
        // SAFETY: the pool passes the numbers of `count` lanes (`Lanes::new`).
        unsafe { *self.batch.lane.add(index) as usize }
    }

    /// Returns the number of item `index`'s lane in the pool.
    pub fn pool_lane(&self, index: usize) -> usize {
        self.batch.first_lane as usize + self.number(index)
    }

    /// Returns the address of item `index`'s state. For states in columns, this is the address of the first field.
    #[inline(always)]
    pub fn state(&self, index: usize) -> *mut u8 {
        // SAFETY: the pool's memory has a state for each lane (`Lanes::new`).
        unsafe { self.batch.state.add(self.number(index) * self.batch.lane_stride as usize) }
    }

    /// Returns the address of field `field` in the state of item `index`.
    #[inline(always)]
    pub fn field(&self, index: usize, field: usize) -> *mut f64 {
        // SAFETY: the pool's memory has all declared fields of each lane (`Lanes::new`).
        unsafe { self.state(index).add(field * self.batch.field_stride as usize).cast() }
    }

    /// Returns the random stream of item `index`. When the returned value is dropped, the stream with its draws is stored in the
    /// pool.
    #[inline(always)]
    pub fn stream(&mut self, index: usize) -> PoolStream {
        // SAFETY: the pool has a stream for each lane (`Lanes::new`).
        PoolStream::load(unsafe { self.batch.random.add(self.number(index)) })
    }

    /// Returns whether the cause of item `index`'s reset includes the bit `cause`, a constant of `abi`.
    pub fn has_cause(&self, index: usize, cause: u64) -> bool {
        assert!(index < self.count(), "an item of another call");
        // SAFETY: a non-null list of causes has `count` elements (`Lanes::new`).
        !self.batch.cause.is_null() && u64::from(unsafe { *self.batch.cause.add(index) }) & cause != 0
    }

    /// Returns the seed of item `index`'s reset; `None` if its stream continues.
    pub fn seed(&self, index: usize) -> Option<u64> {
        // SAFETY: a seeded reset has a seed for each item (`Lanes::new`).
        self.has_cause(index, abi::SEEDED).then(|| unsafe { *self.batch.seed.add(index) })
    }

    /// Returns the number of steps of item `index`'s ended episode.
    pub fn elapsed(&self, index: usize) -> i32 {
        assert!(index < self.count(), "an item of another call");
        // SAFETY: a non-null list of step counts has `count` elements (`Lanes::new`).
        let elapsed = if self.batch.ended.is_null() { 0 } else { unsafe { *self.batch.ended.add(index) } };
        i32::try_from(elapsed).unwrap_or(i32::MAX)
    }

    /// Sets the number of steps that already count towards item `index`'s new episode.
    pub fn set_elapsed(&mut self, index: usize, elapsed: i32) {
        assert!(index < self.count(), "an item of another call");
        if !self.batch.elapsed.is_null() {
            // SAFETY: the pool passes an array of `count` step counts (`Lanes::new`).
            unsafe { self.batch.elapsed.add(index).write(i64::from(elapsed)) }
        }
    }

    /// Returns the options of the resets in this call. `names` are the reset options that the task declares.
    pub fn reset_options(&self, names: &[&str]) -> ResetOptions {
        // SAFETY: the pool gives a number for each declared name (`Lanes::new`).
        unsafe { reset_options(self.batch.reset_option, names) }
    }

    /// Returns the values of item `index`'s `drawn` options that may change from episode to episode.
    #[inline(always)]
    pub fn options(&self, index: usize, drawn: usize) -> &[f64] {
        assert!(drawn as u64 == self.batch.drawn, "a call with other options");
        // SAFETY: the pool has `drawn` values for each lane (`Lanes::new`).
        unsafe { std::slice::from_raw_parts(self.batch.option.add(self.number(index) * drawn), drawn) }
    }

    /// Returns the rewards of item `index`, one for each player.
    #[inline(always)]
    pub fn rewards(&mut self, index: usize, players: usize) -> &mut [f64] {
        assert!(index < self.count(), "an item of another call");
        // SAFETY: the pool gives `players` rewards for each item, which belong to this call (`Lanes::new`).
        unsafe { std::slice::from_raw_parts_mut(self.batch.reward.add(index * players), players) }
    }

    /// Sets the bits of item `index` in the result `end`.
    #[inline(always)]
    pub fn set_end(&mut self, index: usize, bits: u64) {
        assert!(index < self.count(), "an item of another call");
        // SAFETY: the pool gives a byte for each item, which belongs to this call (`Lanes::new`).
        unsafe { self.batch.end.add(index).write(bits as u8) }
    }

    /// Marks item `index` as failed. The pool reports the message of the first item of the call that failed.
    #[cold]
    pub fn fail(&mut self, index: usize, message: &str) {
        self.set_end(index, abi::FAILED);
        if !std::mem::replace(&mut self.has_error, true) {
            // SAFETY: the pool's buffer has `error_size` bytes (`Lanes::new`).
            unsafe { write_text(self.batch.error, self.batch.error_size, message) }
        }
    }

    /// Returns the address of item `index` in action array `key`.
    #[inline(always)]
    pub fn action(&self, key: usize, index: usize) -> *const u8 {
        assert!(index < self.count(), "an item of another call");
        // SAFETY: the pool gives a row for each item in each declared array (`Lanes::new`).
        unsafe { (*self.batch.action.add(key)).cast::<u8>().add(index * *self.batch.action_stride.add(key) as usize) }
    }

    /// Returns the memory of output array `leaf` of a call, with the element type and length of `model`.
    pub fn target(&self, leaf: usize, model: LeafTarget) -> LeafTarget {
        // SAFETY: the pool gives an address and a stride for each declared array (`Lanes::new`).
        let (data, stride): (*mut c_void, u64) = unsafe { (*self.batch.out.add(leaf), *self.batch.out_stride.add(leaf)) };
        LeafTarget { data: data.cast(), stride: stride as usize, ..model }
    }
}

/// Reads the reset options from an array of the pool that has a number for each of `names`; NaN means that the option is not
/// given.
///
/// # Safety
/// `numbers` is null, or points at as many numbers as there are names.
pub unsafe fn reset_options(numbers: *const f64, names: &[&str]) -> ResetOptions {
    if numbers.is_null() || names.is_empty() {
        return ResetOptions::default();
    }
    // SAFETY: the caller guarantees a number for each name; null was excluded above.
    let numbers = unsafe { std::slice::from_raw_parts(numbers, names.len()) };
    let given = names.iter().zip(numbers).filter(|(_, number)| !number.is_nan());
    ResetOptions::new(given.map(|(name, number)| ((*name).to_owned(), *number)).collect())
}

/// Copy of a lane's random stream, whose original the pool stores. Dropping the copy writes it back to the pool, also after a
/// panic.
pub struct PoolStream {
    /// Generator that draws from the stream.
    pub generator: Generator,
    home: *mut abi::Random,
}

impl PoolStream {
    #[inline(always)]
    fn load(home: *mut abi::Random) -> Self {
        // SAFETY: `Lanes::stream` gives the address of a stream that belongs to this thread.
        let pcg = to_pcg64(unsafe { &*home });
        Self { generator: Generator::from_pcg64(pcg), home }
    }
}

impl Drop for PoolStream {
    #[inline(always)]
    fn drop(&mut self) {
        let random = from_pcg64(self.generator.pcg64().expect("numpy's generator has a PCG64"));
        // SAFETY: `home` is the address of a stream that belongs to this thread until the call ends, and this value lives no
        // longer than the call.
        unsafe { self.home.write(random) }
    }
}

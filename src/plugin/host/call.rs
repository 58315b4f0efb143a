//! Calls the functions of a library that run several lanes.

use std::ffi::c_void;

use crate::abi::{self, Batch, BatchFn};
use crate::host::current_call::CurrentCall;
use crate::host::lanes::LibraryLanes;
use crate::host::table::{ERROR_SIZE, clear_error, take_error};
use envpool_rs_engine::{Error, LaneSet, Result};

/// All bits that a library may set in `end`.
const ENDS: u8 = (abi::TERMINATED | abi::TRUNCATED | abi::ZERO_DISCOUNT | abi::FAILED) as u8;

/// Maximum number of arrays whose addresses are adjusted without allocating memory.
const FEW_ARRAYS: usize = 8;

impl LibraryLanes {
    /// Returns the struct that describes a call with some lanes; the caller sets the arguments of the called function.
    #[inline]
    pub fn batch(&self, lanes: &LaneSet<'_>) -> Result<Batch> {
        Ok(self.batch_with(lanes, self.scratch()?))
    }

    /// Returns the struct that describes a call with some lanes, whose working memory is `scratch`.
    #[inline]
    pub fn batch_with(&self, lanes: &LaneSet<'_>, scratch: *mut c_void) -> Batch {
        let memory = &self.memory;
        Batch {
            size: size_of::<Batch>() as u64,
            count: lanes.numbers().len() as u64,
            lane: lanes.numbers().as_ptr(),
            consecutive: u64::from(lanes.is_consecutive()),
            first_lane: self.first as u64,
            state: memory.states(),
            lane_stride: memory.lane_stride as u64,
            field_stride: memory.field_stride as u64,
            random: memory.streams(),
            option: memory.options(),
            drawn: memory.drawn as u64,
            scratch,
            error_size: ERROR_SIZE as u64,
            ..Batch::zeroed()
        }
    }

    /// Calls a function of the library. If states are stored as columns, calls it separately for each run of consecutive lanes.
    ///
    /// Returns the error of the lanes whose end has [`abi::FAILED`].
    ///
    /// # Errors
    /// `State` with the library's message, if the library reports that all lanes failed.
    ///
    /// # Safety
    /// `batch` was created for these lanes, and has valid arguments of the function for all lanes. `batch` has `arrays` action or
    /// output arrays.
    #[inline]
    pub unsafe fn call(
        &self,
        (name, function): (&'static str, BatchFn),
        lanes: &LaneSet<'_>,
        mut batch: Batch,
        arrays: usize,
    ) -> Result<Option<Error>> {
        let _one_call = self.env.enter();
        if lanes.is_consecutive() || !self.env.has(abi::COLUMNS) {
            // SAFETY: the caller guarantees that `batch` has valid arguments for these lanes.
            return unsafe { self.call_once(name, function, &mut batch) };
        }
        let (mut start, mut failure) = (0, None);
        while start < lanes.numbers().len() {
            let end = lanes.run_end(start);
            let run = lanes.run(start..end);
            // SAFETY: the caller guarantees that `batch` has valid arguments for all lanes, and `shifted` passes only the
            // arguments of this run's lanes.
            let result = unsafe {
                shifted(&batch, start, (self.env.spec.players, arrays), |batch| {
                    batch.count = run.numbers().len() as u64;
                    batch.lane = run.numbers().as_ptr();
                    batch.consecutive = 1;
                    self.call_once(name, function, batch)
                })
            };
            match result {
                Ok(error) => failure = failure.or(error),
                Err(error) if batch.end.is_null() => return Err(error),
                Err(error) => {
                    // SAFETY: the caller guarantees that `batch.end` has an element for each lane of the call.
                    (start..end).for_each(|i| unsafe { *batch.end.add(i) = abi::FAILED as u8 });
                    failure = failure.or(Some(error));
                }
            }
            start = end;
        }
        Ok(failure)
    }

    /// Calls a function of the library once, and checks its results.
    ///
    /// # Safety
    /// `batch` was created for a set of lanes, and has valid arguments of the function for all of these lanes.
    #[inline]
    unsafe fn call_once(&self, name: &str, function: BatchFn, batch: &mut Batch) -> Result<Option<Error>> {
        let _call = CurrentCall::enter(&self.env.table.path, name);
        batch.error = clear_error();
        // `end` and `count` are read before the call, because the library may change the struct.
        let (end, count) = (batch.end, batch.count as usize);
        // SAFETY: the caller guarantees that `batch` has valid arguments of the function. The function has this signature in the
        // header.
        let code = unsafe { function(self.env.address(), batch) };
        if code != 0 {
            return Err(self.env.failure(name, code));
        }
        if end.is_null() {
            return Ok(None);
        }
        // SAFETY: the caller guarantees that `batch.end` has an element for each lane of the call.
        let ends = unsafe { std::slice::from_raw_parts(end, count) };
        let all = ends.iter().fold(0, |all, end| all | end);
        if all & !(ENDS & !(abi::FAILED as u8)) == 0 {
            return Ok(None);
        }
        if all & !ENDS != 0 {
            let position = ends.iter().position(|end| end & !ENDS != 0).unwrap_or(0);
            let field = format!("end[{position}] of {name}");
            let end = ends[position];
            return Err(self.env.table.path.refuse(
                &field,
                end,
                "bits of EPR_TERMINATED, EPR_TRUNCATED, EPR_ZERO_DISCOUNT, EPR_FAILED",
            ));
        }
        let message = take_error().unwrap_or_else(|| format!("{name} reported a failure without a message"));
        Ok(Some(Error::State(format!("{}: {message}", self.env.table.path))))
    }
}

/// Calls `act` with a copy of `batch` whose arguments start at lane number `start`.
///
/// # Safety
/// The arguments of `batch` have more than `start` elements; its action or output has `count` arrays.
unsafe fn shifted<T>(batch: &Batch, start: usize, (players, count): (usize, usize), act: impl FnOnce(&mut Batch) -> T) -> T {
    fn offset<P>(address: *mut P, by: usize) -> *mut P {
        if address.is_null() { address } else { address.wrapping_add(by) }
    }
    let mut few = [std::ptr::null_mut::<c_void>(); FEW_ARRAYS];
    let mut many = Vec::new();
    let (arrays, strides, is_action) = match (batch.action.is_null(), batch.out.is_null()) {
        (false, _) => (batch.action.cast::<*mut c_void>(), batch.action_stride, true),
        (_, false) => (batch.out, batch.out_stride, false),
        _ => (std::ptr::null(), std::ptr::null(), false),
    };
    let count = if arrays.is_null() { 0 } else { count };
    let addresses = if count <= FEW_ARRAYS {
        &mut few[..count]
    } else {
        many.resize(count, std::ptr::null_mut());
        &mut many[..]
    };
    for (index, address) in addresses.iter_mut().enumerate() {
        // SAFETY: the caller guarantees that `arrays` and `strides` have an element for each array.
        let (first, stride) = unsafe { (*arrays.add(index), *strides.add(index)) };
        *address = if first.is_null() { first } else { first.wrapping_byte_add(start * stride as usize) };
    }
    let mut part = Batch {
        cause: offset(batch.cause.cast_mut(), start),
        seed: offset(batch.seed.cast_mut(), start),
        elapsed: offset(batch.elapsed, start),
        ended: offset(batch.ended.cast_mut(), start),
        reward: offset(batch.reward, start * players),
        end: offset(batch.end, start),
        ..*batch
    };
    match is_action {
        true => part.action = addresses.as_ptr().cast(),
        false if count > 0 => part.out = addresses.as_ptr(),
        false => {}
    }
    act(&mut part)
}

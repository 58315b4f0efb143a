//! Lanes of a library's environment whose calls are checked.
//!
//! Calls run one at a time, so that the checks find bytes that a call changed outside of its lanes. A step runs three times from
//! the same states: the requested call, its repetition, and some lanes one by one in the memory of a spare lane.

use std::sync::atomic::AtomicUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::abi;
use crate::host::check::actions::CheckedAction;
use crate::host::check::findings::report;
use crate::host::check::guarded::{GuardedRows, OTHER_PATTERN, PATTERN, outside, unwritten};
use crate::host::check::step_result::{StepResult, copy_of};
use crate::host::current_call::CurrentCall;
use crate::host::functions::seeded;
use crate::host::lanes::LibraryLanes;
use crate::random::to_pcg64;
use envpool_rs_engine::{
    Dtype, Error, ForeignActions, ForeignLanes, ForeignResets, Frame, LaneSet, OutputRows, ResetOptions, Result, Space, lane_end,
};
use envpool_rs_numeric::random::{Generator, Pcg64};

/// An output array: its name, its space, and the rows of all lanes.
pub(super) struct Output {
    name: String,
    /// Space of the values; `None` for infos, whose values have no bounds.
    space: Option<Space>,
    pub(super) dtype: Dtype,
    /// Number of bytes of one lane's row.
    pub(super) size: usize,
}

/// Lanes whose calls are checked.
pub struct CheckedLanes {
    pub(super) inner: LibraryLanes,
    pub(super) observations: Vec<Output>,
    infos: Vec<Output>,
    pub(super) actions: Vec<CheckedAction>,
    /// Number of the spare lane, which belongs to no environment of the pool.
    pub(super) spare: u32,
    calls: Mutex<()>,
    /// Number of steps of single lanes so far. The number selects the lanes that the next check steps one by one, so that over
    /// several calls all lanes are selected.
    pub(super) turn: AtomicUsize,
}

impl CheckedLanes {
    /// Wraps lanes of a library whose memory has guard bytes and a spare lane.
    pub fn new(inner: LibraryLanes) -> Self {
        let spec = &inner.env.spec;
        let output = |name: &str, space: &Space, rows: usize| Output {
            name: name.to_owned(),
            dtype: space.dtype(),
            size: space.size() * rows * space.dtype().size(),
            space: Some(space.clone()),
        };
        let leaves = spec.observation.leaves();
        let observations = leaves.iter().map(|leaf| output(&leaf.path, leaf.space, spec.rows())).collect();
        let info = |info: &envpool_rs_engine::InfoSpec| {
            let size = info.shape.iter().product::<usize>() * info.dtype.size();
            Output { name: info.key.to_owned(), space: None, dtype: info.dtype, size }
        };
        let infos = spec.info.iter().map(info).collect();
        let actions = CheckedAction::all(spec);
        let spare = inner.memory.lanes() as u32 - 1;
        Self { observations, infos, actions, spare, calls: Mutex::default(), turn: AtomicUsize::new(0), inner }
    }

    fn enter(&self) -> MutexGuard<'_, ()> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn report(&self, check: &'static str, text: String) -> Result<()> {
        report(&self.inner.env.table.path, check, text)
    }

    /// Calls `act`, and reports bytes of lane memory that `act` changed outside of these lanes.
    fn watched<T>(&self, function: &str, lanes: &LaneSet<'_>, act: impl FnOnce() -> Result<T>) -> Result<T> {
        let before = self.inner.memory.all_bytes();
        let result = {
            let _call = CurrentCall::enter(&self.inner.env.table.path, function);
            act()?
        };
        match self.inner.memory.changed_outside(&before, lanes) {
            Some(difference) if lanes.numbers().is_empty() => {
                self.report("read_only", format!("{function} changed a state, which it may only read: {difference}"))?;
            }
            Some(difference) => {
                self.report("state_guard", format!("{function} wrote outside of the states of its lanes: {difference}"))?;
            }
            None => {}
        }
        Ok(result)
    }

    /// Calls `act` with a copy of the numbers of the lanes, and reports a mistake if `act` changed the numbers.
    fn with_numbers<T>(&self, function: &str, lanes: &LaneSet<'_>, act: impl FnOnce(&LaneSet<'_>) -> Result<T>) -> Result<T> {
        let numbers = lanes.numbers().to_vec();
        // SAFETY: the numbers are those of `lanes`, which is not used during the call.
        let result = act(&unsafe { LaneSet::new(&numbers, lanes.is_consecutive()) });
        if numbers != lanes.numbers() {
            self.report("read_only", format!("{function} changed the numbers of its lanes, which it may only read"))?;
        }
        result
    }

    /// Reports a mistake if a function has changed guard bytes of `rows`.
    fn check_guard(&self, function: &str, array: &str, rows: &GuardedRows) -> Result<()> {
        match rows.broken() {
            Some(row) => self.report("row_guard", format!("{function} wrote outside of row {row} of {array}")),
            None => Ok(()),
        }
    }

    /// Returns copies of the lanes' states and random streams; `None` if the library cannot save its states.
    pub(super) fn capture(&self, lanes: &LaneSet<'_>) -> Result<Option<Vec<Vec<u8>>>> {
        if !self.inner.env.has(abi::PLAIN) && self.inner.env.view.save.is_none() {
            return Ok(None);
        }
        let copy = |position: usize| {
            let mut bytes = Vec::new();
            self.inner.save_lane(&lanes.run(position..position + 1), &mut bytes).map(|()| bytes)
        };
        (0..lanes.numbers().len()).map(copy).collect::<Result<Vec<_>>>().map(Some)
    }

    /// Replaces the states and random streams of lanes by copies that [`Self::capture`] made.
    pub(super) fn restore(&self, lanes: &LaneSet<'_>, copies: &[Vec<u8>]) -> Result<()> {
        for (position, bytes) in copies.iter().enumerate() {
            self.inner.load_lane(&lanes.run(position..position + 1), bytes)?;
        }
        Ok(())
    }

    /// Steps lanes; all arguments of the call are in buffers with guard bytes, those of the actions with the value `guard`.
    pub(super) fn guarded_step(
        &self,
        lanes: &LaneSet<'_>,
        actions: &[GuardedRows],
        guard: u8,
    ) -> Result<(StepResult, Option<Error>)> {
        let (count, players) = (lanes.numbers().len(), self.inner.env.spec.players);
        let mut rewards = GuardedRows::new(1, count * players * 8, 0);
        let mut ends = GuardedRows::new(1, count, 0);
        let mut given: Vec<_> = actions.iter().map(|rows| copy_of(rows, count, guard)).collect();
        let data: Vec<_> = given.iter_mut().map(|rows| rows.data().cast_const()).collect();
        let strides: Vec<_> = given.iter().map(|rows| rows.stride() as u64).collect();
        // SAFETY: the buffer of each key has a row for each lane.
        let rows = unsafe { ForeignActions::new(&data, &strides) };
        let error = self.watched("step", lanes, || {
            // SAFETY: the buffers have these sizes, are aligned to 8 bytes, and live until the end of the function.
            let (rewards, ends) = unsafe {
                (
                    std::slice::from_raw_parts_mut(rewards.data().cast::<f64>(), count * players),
                    std::slice::from_raw_parts_mut(ends.data(), count),
                )
            };
            self.with_numbers("step", lanes, |lanes| self.inner.step(lanes, &rows, rewards, ends))
        })?;
        self.check_guard("step", "rewards", &rewards)?;
        self.check_guard("step", "ends", &ends)?;
        for (key, (now, before)) in given.iter().zip(actions).enumerate() {
            let is_same = (0..count).all(|row| now.row(row) == before.row(row)) && now.broken().is_none();
            if !is_same {
                self.report("actions", format!("step changed action {key}, which is read-only"))?;
            }
        }
        let words = rewards.row(0).chunks_exact(8).map(|word| u64::from_ne_bytes(word.try_into().expect("eight bytes")));
        let rewards: Vec<u64> = words.collect();
        if let Some(position) = rewards.iter().position(|reward| !f64::from_bits(*reward).is_finite()) {
            let reward = f64::from_bits(rewards[position]);
            let lane = lanes.numbers()[position / players];
            self.report("reward", format!("step gave lane {lane} the reward {reward}: expected a finite number"))?;
        }
        Ok((StepResult { rewards, ends: ends.row(0).to_vec(), lanes: self.capture(lanes)? }, error))
    }

    /// Lets the library write rows into buffers with guard bytes, checks the rows, and copies them to the rows of the batch.
    fn output(
        &self,
        function: &str,
        lanes: &LaneSet<'_>,
        rows: &mut OutputRows<'_>,
        arrays: &[Output],
        write: impl Fn(&mut OutputRows<'_>) -> Result<()>,
    ) -> Result<()> {
        let count = lanes.numbers().len();
        let (targets, target_strides) = (rows.data(), rows.strides());
        let run = |pattern: u8| {
            let mut buffers: Vec<_> = arrays.iter().map(|array| GuardedRows::new(count, array.size, pattern)).collect();
            let address = |(rows, target): (&mut GuardedRows, &*mut u8)| match target.is_null() {
                true => std::ptr::null_mut(),
                false => rows.data(),
            };
            let data: Vec<_> = buffers.iter_mut().zip(targets).map(address).collect();
            let strides: Vec<_> = buffers.iter().map(|rows| rows.stride() as u64).collect();
            // SAFETY: each buffer has a row of the array's size for each lane.
            let mut rows = unsafe { OutputRows::new(&data, &strides) };
            // SAFETY: an empty set of lanes grants access to no lane.
            let none = unsafe { LaneSet::new(&[], true) };
            self.watched(function, &none, || write(&mut rows))?;
            Ok::<_, Error>(buffers)
        };
        let (one, other) = (run(PATTERN)?, run(OTHER_PATTERN)?);
        for (index, array) in arrays.iter().enumerate().filter(|(index, _)| !targets[*index].is_null()) {
            let label = format!("array {index} ({:?})", array.name);
            self.check_guard(function, &label, &one[index])?;
            for (row, lane) in lanes.numbers().iter().enumerate() {
                let (first, second) = (one[index].row(row), other[index].row(row));
                if let Some(element) = unwritten(first, second, array.dtype.size()) {
                    let text = format!("{function} did not write element {element} of {label} for lane {lane}");
                    self.report("unwritten", text)?;
                } else if first != second {
                    self.report("repeat", format!("{function} wrote another {label} for lane {lane} the second time"))?;
                } else if let Some(sentence) = array.space.as_ref().and_then(|space| outside(first, space)) {
                    self.report("bounds", format!("{label} of lane {lane}: {sentence}"))?;
                }
                let target = targets[index].wrapping_add(row * target_strides[index] as usize);
                // SAFETY: the batch has a row of the array's size at `target`, and `rows` grants the only access to this row.
                unsafe { target.copy_from_nonoverlapping(first.as_ptr(), array.size) };
            }
        }
        Ok(())
    }
}

impl ForeignLanes for CheckedLanes {
    fn reset_options(&self) -> &[&'static str] {
        self.inner.reset_options()
    }

    fn check_reset(&self, options: &ResetOptions) -> Result<()> {
        self.inner.check_reset(options)
    }

    fn recreate(&self, lanes: &LaneSet<'_>) -> Result<()> {
        let _one_call = self.enter();
        self.watched("create", lanes, || self.inner.recreate(lanes))
    }

    fn reset(&self, lanes: &LaneSet<'_>, resets: ForeignResets<'_>) -> Result<Option<Error>> {
        let _one_call = self.enter();
        let before = if self.inner.env.has(abi::PLAIN) { self.capture(lanes)? } else { None };
        let old = resets.elapsed.to_vec();
        let mine = ForeignResets {
            causes: resets.causes,
            seeds: resets.seeds,
            elapsed: &mut *resets.elapsed,
            options: resets.options,
            ends: &mut *resets.ends,
        };
        let error = self.watched("reset", lanes, || self.with_numbers("reset", lanes, |lanes| self.inner.reset(lanes, mine)))?;
        if let Some(elapsed) = resets.elapsed.iter().find(|elapsed| !(0..i64::from(i32::MAX)).contains(*elapsed)) {
            self.report("elapsed", format!("reset set elapsed to {elapsed}: expected 0, or the steps already counted"))?;
        }
        if let Some(before) = before.filter(|_| error.is_none()) {
            self.repeat_reset(lanes, &before, &resets, &old)?;
        }
        Ok(error)
    }

    fn step(
        &self,
        lanes: &LaneSet<'_>,
        actions: &ForeignActions<'_>,
        rewards: &mut [f64],
        ends: &mut [u8],
    ) -> Result<Option<Error>> {
        let _one_call = self.enter();
        let before = self.capture(lanes)?;
        let mut given = Vec::with_capacity(self.actions.len());
        for ((data, stride), action) in actions.data().iter().zip(actions.strides()).zip(&self.actions) {
            let mut rows = GuardedRows::new(lanes.numbers().len(), action.bytes, 0);
            for row in 0..lanes.numbers().len() {
                let from = data.wrapping_add(row * *stride as usize);
                // SAFETY: the request's action arrays have a row of this size for each lane of the call.
                rows.row_mut(row).copy_from_slice(unsafe { std::slice::from_raw_parts(from, action.bytes) });
            }
            given.push(rows);
        }
        let (first, error) = self.guarded_step(lanes, &given, PATTERN)?;
        rewards.iter_mut().zip(&first.rewards).for_each(|(reward, bits)| *reward = f64::from_bits(*bits));
        ends.copy_from_slice(&first.ends);
        if ends.iter().any(|end| end & lane_end::FAILED != 0) {
            return Ok(error);
        }
        if let Some(before) = before {
            self.repeat(lanes, &before, &given, &first)?;
            self.restore(lanes, first.lanes.as_deref().unwrap_or_default())?;
        }
        self.check_states(lanes)?;
        Ok(error)
    }

    fn observe(&self, lanes: &LaneSet<'_>, rows: &mut OutputRows<'_>) -> Result<()> {
        let _one_call = self.enter();
        let observe = |rows: &mut OutputRows<'_>| self.with_numbers("observe", lanes, |lanes| self.inner.observe(lanes, rows));
        self.output("observe", lanes, rows, &self.observations, observe)
    }

    fn inform(&self, lanes: &LaneSet<'_>, rows: &mut OutputRows<'_>) -> Result<()> {
        let _one_call = self.enter();
        let inform = |rows: &mut OutputRows<'_>| self.with_numbers("inform", lanes, |lanes| self.inner.inform(lanes, rows));
        self.output("inform", lanes, rows, &self.infos, inform)
    }

    fn seed(&self, lane: &LaneSet<'_>, seed: u64) {
        self.inner.memory.set_random(lane, seeded(seed));
    }

    fn pcg64(&self, lane: &LaneSet<'_>) -> Option<Pcg64> {
        (!self.inner.env.has(abi::OWN_RANDOM)).then(|| to_pcg64(&self.inner.memory.random(lane)))
    }

    fn draw_options(&self, lane: &LaneSet<'_>, draw: &mut dyn FnMut(&mut Generator)) {
        self.inner.draw_options(lane, draw);
    }

    fn set_options(&self, lane: &LaneSet<'_>, values: &[f64]) {
        self.inner.set_options(lane, values);
    }

    fn save(&self, lane: &LaneSet<'_>, bytes: &mut Vec<u8>) -> Result<()> {
        let _one_call = self.enter();
        self.inner.save_lane(lane, bytes)
    }

    fn load(&self, lane: &LaneSet<'_>, bytes: &[u8]) -> Result<()> {
        let _one_call = self.enter();
        self.watched("load", lane, || self.inner.load_lane(lane, bytes))
    }

    fn render_frame(&self, lane: &LaneSet<'_>) -> Result<Frame> {
        let _one_call = self.enter();
        // SAFETY: an empty set of lanes grants access to no lane.
        let none = unsafe { LaneSet::new(&[], true) };
        self.watched("render", &none, || self.inner.render_frame(lane))
    }

    fn render_text(&self, lane: &LaneSet<'_>) -> Result<String> {
        let _one_call = self.enter();
        // SAFETY: an empty set of lanes grants access to no lane.
        let none = unsafe { LaneSet::new(&[], true) };
        self.watched("render_text", &none, || self.inner.render_text(lane))
    }
}

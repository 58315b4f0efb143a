//! Finds actions that a library reads as another type: a float as an integer, an integer as a float, or too many bytes.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::host::check::findings::is_collecting;
use crate::host::check::guarded::{GuardedRows, PATTERN, numbers};
use crate::host::check::lanes::CheckedLanes;
use crate::host::check::step_result::{StepResult, one_row};
use envpool_rs_engine::{ActionKey, EnvSpec, ForeignLanes, LaneSet, OutputRows, Result, Space};

/// Differences of the bits of float actions whose values are almost equal. An integer has as many different values.
const BITS: [u64; 4] = [1, 2, 3, 100];

/// Number of steps in which almost equal floats must have almost equal results.
const PROBE_STEPS: usize = 3;

/// Largest relative difference of almost equal results.
const TOLERANCE: f64 = 1e-2;

/// Number of steps with another action after which an action without any influence is reported.
const INFLUENCE_STEPS: usize = 500;

/// An action array of a library's environment, and its use so far.
pub struct CheckedAction {
    name: String,
    space: Space,
    is_f64: bool,
    /// Bytes of a lane's row.
    pub(super) bytes: usize,
    /// Number of steps in which another action had the same results; `usize::MAX` after the first other result.
    same_results: AtomicUsize,
}

impl CheckedAction {
    /// Returns all action arrays of an environment.
    pub fn all(spec: &EnvSpec) -> Vec<Self> {
        let keys = ActionKey::from_spec(spec);
        let action = |(key, leaf): (&ActionKey, envpool_rs_engine::Leaf<'_>)| Self {
            name: key.name.clone(),
            space: leaf.space.clone(),
            is_f64: key.is_f64,
            bytes: key.values_per_row() * if key.is_f64 { 8 } else { 4 },
            same_results: AtomicUsize::new(0),
        };
        keys.iter().zip(spec.action.leaves()).map(action).collect()
    }

    fn is_float(&self) -> bool {
        matches!(self.space, Space::Box { .. })
    }

    /// Returns the type of the elements, as C writes it.
    fn dtype(&self) -> &'static str {
        match (self.is_float(), self.is_f64) {
            (true, true) => "double",
            (true, false) => "float",
            (false, _) => "int32_t",
        }
    }

    /// Returns the number in the space that is closest to 0, of element `index` of a row.
    fn smallest(&self, index: usize) -> f64 {
        match &self.space {
            Space::Box { low, high, .. } => 0_f64.clamp(low[index % low.len()], high[index % high.len()]),
            _ => 0.0,
        }
    }

    /// Returns a row of the numbers closest to 0, whose bits differ by `bits` from them.
    fn almost_smallest(&self, bits: u64) -> GuardedRows {
        let mut rows = GuardedRows::new(1, self.bytes, 0);
        for (index, element) in rows.row_mut(0).chunks_exact_mut(if self.is_f64 { 8 } else { 4 }).enumerate() {
            let smallest = self.smallest(index % self.space.size().max(1));
            match self.is_f64 {
                true => element.copy_from_slice(&(smallest.to_bits() + bits).to_ne_bytes()),
                false => element.copy_from_slice(&((smallest as f32).to_bits() + bits as u32).to_ne_bytes()),
            }
        }
        rows
    }

    /// Replaces each element of a row by another one of the space, if there is one.
    fn replace(&self, row: &mut [u8]) {
        let elements = self.space.size().max(1);
        if self.is_f64 {
            for (index, element) in row.chunks_exact_mut(8).enumerate() {
                let value = f64::from_ne_bytes((&*element).try_into().expect("eight bytes"));
                element.copy_from_slice(&self.other_float(index % elements, value).to_ne_bytes());
            }
            return;
        }
        for (index, element) in row.chunks_exact_mut(4).enumerate() {
            let (index, bytes) = (index % elements, (&*element).try_into().expect("four bytes"));
            let value = i32::from_ne_bytes(bytes);
            let next = match &self.space {
                Space::Discrete { n, start, .. } => (start + (i64::from(value) - start + 1).rem_euclid(*n)) as i32,
                Space::MultiDiscrete { counts, .. } => (value + 1).rem_euclid(counts[index] as i32),
                Space::Box { .. } => {
                    let other = self.other_float(index, f64::from(f32::from_ne_bytes(bytes))) as f32;
                    i32::from_ne_bytes(other.to_ne_bytes())
                }
                _ => 1 - value,
            };
            element.copy_from_slice(&next.to_ne_bytes());
        }
    }

    /// Returns the bound of a float element that is farther from `value`; its negative without bounds.
    fn other_float(&self, index: usize, value: f64) -> f64 {
        let Space::Box { low, high, .. } = &self.space else { return value };
        let (low, high) = (low[index % low.len()], high[index % high.len()]);
        if !(low.abs() < 1e30 && high.abs() < 1e30) {
            return (-value).clamp(low, high);
        }
        if value - low > high - value { low } else { high }
    }
}

impl CheckedLanes {
    /// Steps one lane with further actions in the memory of the spare lane, and reports actions that the library misreads.
    ///
    /// `position` is the lane's number in `before` and `actions`, and `expected` the result of its step.
    pub(super) fn check_actions(
        &self,
        spare: &LaneSet<'_>,
        before: &[Vec<u8>],
        (actions, position): (&[GuardedRows], usize),
        expected: &StepResult,
    ) -> Result<()> {
        let before = &before[position..=position];
        let own = || actions.iter().map(|rows| one_row(rows, position)).collect::<Vec<_>>();
        self.restore(spare, before)?;
        if matches!(self.guarded_step(spare, &own(), 0), Ok((result, None)) if result != *expected) {
            let types: Vec<_> = self.actions.iter().map(|action| format!("{} as {}", action.name, action.dtype())).collect();
            let text = format!("step read beyond the row of an action: expected it to read {}", types.join(", "));
            self.report("action_type", text)?;
        }
        for (key, action) in self.actions.iter().enumerate() {
            if action.is_float() && action.bytes > 0 {
                self.check_float(spare, before, key)?;
            }
            if is_collecting() && action.same_results.load(Ordering::Relaxed) < INFLUENCE_STEPS {
                let mut other = own();
                action.replace(other[key].row_mut(0));
                self.restore(spare, before)?;
                let is_same = matches!(self.guarded_step(spare, &other, PATTERN), Ok((result, None)) if result == *expected);
                if !is_same {
                    action.same_results.store(usize::MAX, Ordering::Relaxed);
                } else if other[key].row(0) != actions[key].row(position)
                    && action.same_results.fetch_add(1, Ordering::Relaxed) + 1 == INFLUENCE_STEPS
                {
                    let (name, dtype) = (&action.name, action.dtype());
                    let text = format!(
                        "{INFLUENCE_STEPS} steps with another {name} had equal results: expected step to read it as {dtype}"
                    );
                    self.report("action_type", text)?;
                }
            }
        }
        Ok(())
    }

    /// Reports a float action of which almost equal values have different results: the library reads its bits as an integer.
    fn check_float(&self, spare: &LaneSet<'_>, before: &[Vec<u8>], key: usize) -> Result<()> {
        let action = &self.actions[key];
        let mut first: Option<Vec<f64>> = None;
        for bits in BITS {
            let mut given: Vec<_> = self.actions.iter().map(|action| action.almost_smallest(0)).collect();
            given[key] = action.almost_smallest(bits);
            self.restore(spare, before)?;
            let mut results = Vec::new();
            for _ in 0..PROBE_STEPS {
                let Ok((result, None)) = self.guarded_step(spare, &given, PATTERN) else { return Ok(()) };
                results.extend(result.rewards.iter().map(|reward| f64::from_bits(*reward)));
                results.extend(result.ends.iter().map(|end| f64::from(*end)));
                results.extend(self.observed(spare)?);
                if result.ends.iter().any(|end| *end != 0) {
                    break;
                }
            }
            let is_close = |(one, other): (&f64, &f64)| {
                let difference = (one - other).abs();
                difference <= TOLERANCE * one.abs().max(1.0) || one == other || (one.is_nan() && other.is_nan())
            };
            match &first {
                Some(first) if first.len() == results.len() && first.iter().zip(&results).all(is_close) => {}
                Some(_) => {
                    let (name, dtype) = (&action.name, action.dtype());
                    let text = format!(
                        "steps whose {name} differs by less than 1e-4 differ, as if step read its bits as an integer: expected \
                         step to read it as {dtype}"
                    );
                    return self.report("action_type", text);
                }
                None => first = Some(results),
            }
        }
        Ok(())
    }

    /// Returns all elements of a lane's observation.
    fn observed(&self, lane: &LaneSet<'_>) -> Result<Vec<f64>> {
        let mut buffers: Vec<_> = self.observations.iter().map(|array| GuardedRows::new(1, array.size, 0)).collect();
        let data: Vec<_> = buffers.iter_mut().map(GuardedRows::data).collect();
        let strides: Vec<_> = buffers.iter().map(|rows| rows.stride() as u64).collect();
        // SAFETY: each buffer has a row of the array's size for the lane.
        let mut rows = unsafe { OutputRows::new(&data, &strides) };
        self.inner.observe(lane, &mut rows)?;
        Ok(self.observations.iter().zip(&buffers).flat_map(|(array, rows)| numbers(rows.row(0), array.dtype)).collect())
    }
}

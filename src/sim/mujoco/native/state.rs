//! Layout of MuJoCo state vectors, and the derived arrays that callers may request.

use std::ops::Range;

use crate::data::Data;
use crate::faults::Fault;
use crate::model::Model;
use crate::native::sensor::final_pass::FinalArrays;

/// Derived arrays that a caller can request after a step, in addition to positions and velocities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Derived {
    /// Whether `xpos` is requested.
    pub xpos: bool,
    /// Whether `xipos`, `cinert`, `cvel` and `qfrc_actuator` are requested.
    pub body_motions: bool,
    /// Whether `site_xpos` is requested.
    pub site_xpos: bool,
    /// Whether `qfrc_constraint` is requested.
    pub constraint_forces: bool,
    /// Whether `ten_length` and `ten_velocity` are requested.
    pub tendons: bool,
    /// Whether `cfrc_ext` is requested.
    pub cfrc_ext: bool,
    /// Whether the values of touch sensors in `sensordata` are requested. They are computed if
    /// [`Shared::knows_touch`](crate::native::Shared::knows_touch) returns true.
    pub touch_sensordata: bool,
    /// Arrays that are requested for the state at the end of the last step. All other requests are for the state before the
    /// last step. Of those, only `constraint_forces` and `touch_sensordata` can be combined with final arrays.
    pub final_arrays: FinalArrays,
}

impl Derived {
    /// Request for all derived arrays of a step, without final arrays.
    pub const ALL: Self = Self {
        xpos: true,
        body_motions: true,
        site_xpos: true,
        constraint_forces: true,
        tendons: true,
        cfrc_ext: true,
        touch_sensordata: true,
        final_arrays: FinalArrays { xpos: false, xmat: false, xipos: false, site_xpos: false, subtree_linvel: false },
    };

    /// Returns whether any requested array has components that a planar step does not compute. `knows_touch` says whether a
    /// planar step computes touch sensors.
    pub(super) fn needs_all_axes(self, knows_touch: bool) -> bool {
        self.excludes_final_arrays() || (self.touch_sensordata && !knows_touch)
    }

    /// Returns whether any requested array would be overwritten by final arrays.
    pub(super) fn excludes_final_arrays(self) -> bool {
        let Self { xpos, body_motions, site_xpos, constraint_forces: _, tendons, cfrc_ext, touch_sensordata: _, final_arrays: _ } =
            self;
        xpos || body_motions || site_xpos || tendons || cfrc_ext
    }
}

/// Offsets, in a state vector (`mjSTATE_INTEGRATION`), of the arrays that a native step reads and writes.
#[derive(Debug, Clone)]
pub(super) struct StateLayout {
    pub(super) time: usize,
    pub(super) qpos: Range<usize>,
    pub(super) qvel: Range<usize>,
    pub(super) qacc_warmstart: Range<usize>,
    pub(super) control: Range<usize>,
    pub(super) act: Range<usize>,
    /// Range of `mocap_pos`, and range of `mocap_quat`.
    pub(super) mocap: [Range<usize>; 2],
    /// Ranges of the state vector that a native step neither reads nor writes.
    other_ranges: Vec<Range<usize>>,
    /// State vector of a new simulation. A native step requires that the numbers in `other_ranges` equal those of this state.
    pub(super) initial: Vec<f64>,
    /// Size of a simulation's arrays, in bytes.
    pub(super) simulation_bytes: usize,
}

impl StateLayout {
    /// Finds the offsets of the arrays: writes distinct marker values into a simulation's arrays, and searches the state vector
    /// for them.
    ///
    /// # Errors
    /// Returns MuJoCo's error, or the reason if an array is not contiguous in the state vector.
    pub(super) fn probe(model: &Model) -> Result<Self, String> {
        let refused = |fault: Fault| fault.to_string();
        let mut data = Data::new(model).map_err(refused)?;
        let mut state = vec![0.0; model.state_len()];
        data.get_state(&mut state);
        let beginning = state.clone();
        let mut find = |write: &mut dyn FnMut(&mut Data) -> usize| {
            let len = write(&mut data);
            data.get_state(&mut state);
            let start = state.iter().position(|value| *value == MARK).unwrap_or(0);
            let is_whole = (0..len).all(|index| state.get(start + index) == Some(&(MARK + index as f64)));
            data.set_state(&beginning).map_err(refused)?;
            if is_whole { Ok(start..start + len) } else { Err("a state in another order".to_owned()) }
        };
        let mark = |values: &mut [f64]| {
            values.iter_mut().enumerate().for_each(|(index, value)| *value = MARK + index as f64);
            values.len()
        };
        let qpos = find(&mut |data| mark(data.qpos_mut()))?;
        let qvel = find(&mut |data| mark(data.qvel_mut()))?;
        let qacc_warmstart = find(&mut |data| mark(data.qacc_warmstart_mut()))?;
        let control = find(&mut |data| mark(data.ctrl_mut()))?;
        let act = find(&mut |data| mark(data.act_mut()))?;
        let mocap = [find(&mut |data| mark(data.mocap_pos_mut()))?, find(&mut |data| mark(data.mocap_quat_mut()))?];
        let time = find(&mut |data| mark(std::slice::from_mut(data.time_mut())))?.start;
        let own = [&(time..time + 1), &qpos, &qvel, &qacc_warmstart, &control, &act, &mocap[0], &mocap[1]];
        let mut own: Vec<_> = own.into_iter().filter(|part| !part.is_empty()).collect();
        own.sort_unstable_by_key(|part| part.start);
        let starts = [0].into_iter().chain(own.iter().map(|part| part.end));
        let ends = own.iter().map(|part| part.start).chain([beginning.len()]);
        let others = starts.zip(ends).map(|(start, end)| start..end).filter(|others| !others.is_empty()).collect();
        Ok(Self {
            time,
            qpos,
            qvel,
            qacc_warmstart,
            control,
            act,
            mocap,
            other_ranges: others,
            initial: beginning,
            simulation_bytes: data.bytes(),
        })
    }

    /// Returns the range that holds the field `name` of `mjData`; `None` for fields that a native step does not write.
    pub(super) fn range(&self, name: &str) -> Option<Range<usize>> {
        match name {
            "time" => Some(self.time..self.time + 1),
            "qpos" => Some(self.qpos.clone()),
            "qvel" => Some(self.qvel.clone()),
            "act" => Some(self.act.clone()),
            "qacc_warmstart" => Some(self.qacc_warmstart.clone()),
            "ctrl" => Some(self.control.clone()),
            _ => None,
        }
    }

    /// Returns whether all numbers in `other_ranges` have their initial values. They do if, for example, no external force is
    /// set.
    pub(super) fn has_only_stepped_parts(&self, state: &[f64]) -> bool {
        self.other_ranges.iter().all(|others| {
            let (state, initial) = (&state[others.clone()], &self.initial[others.clone()]);
            are_same_bits(state, initial) || state == initial
        })
    }
}

/// Returns whether two equally long arrays have the same bits. The loop does not end early, so that it is vectorised.
fn are_same_bits(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).fold(0, |differing, (a, b)| differing | (a.to_bits() ^ b.to_bits())) == 0
}

/// Overwrites the arrays that `derived` does not request with NaN, so that callers cannot read another lane's values. Exceptions
/// are the rows of the world body, and `cfrc_ext`, which is 0 if it is not requested.
pub(super) fn poison_unrequested(data: &mut Data, derived: Derived) {
    if !derived.xpos {
        data.xpos_mut()[3..].fill(f64::NAN);
    }
    if !derived.body_motions {
        data.xipos_mut()[3..].fill(f64::NAN);
        data.cinert_mut()[10..].fill(f64::NAN);
        data.cvel_mut()[6..].fill(f64::NAN);
        data.qfrc_actuator_mut().fill(f64::NAN);
    }
    if !derived.site_xpos {
        data.site_xpos_mut().fill(f64::NAN);
    }
    data.xmat_mut()[9..].fill(f64::NAN);
    if !derived.constraint_forces {
        data.qfrc_constraint_mut().fill(f64::NAN);
    }
    if !derived.tendons {
        data.ten_length_mut().fill(f64::NAN);
        data.ten_velocity_mut().fill(f64::NAN);
    }
    data.sensordata_mut().fill(f64::NAN);
}

/// First of the distinct marker values that [`StateLayout::probe`] writes.
const MARK: f64 = 1234.5;

/// State and controls of one simulation that is to be stepped.
#[derive(Debug)]
pub struct Lane<'a> {
    /// State vector, as [`Data::get_state`] returns it.
    pub state: &'a mut [f64],
    /// Control input (`ctrl`) of the step.
    pub control: &'a [f64],
}

//! Layout of MuJoCo state vectors, and the derived arrays that callers may request.

use std::ops::{BitOr, Range};

use crate::data::Data;
use crate::faults::Fault;
use crate::model::Model;

/// Derived arrays that a caller requests after a step, in addition to positions and velocities: a set of flags.
///
/// Flags with the prefix `FINAL` request arrays of the state at the end of the last step, all others those of the state before the
/// last step. Of the others, only [`CONSTRAINT_FORCES`](Self::CONSTRAINT_FORCES) and [`TOUCH_SENSORDATA`](Self::TOUCH_SENSORDATA)
/// can be combined with final arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Derived(u16);

impl Derived {
    /// `xpos`
    pub const XPOS: Self = Self(1);
    /// `xipos`, `cinert`, `cvel` and `qfrc_actuator`
    pub const BODY_MOTIONS: Self = Self(1 << 1);
    /// `site_xpos`
    pub const SITE_XPOS: Self = Self(1 << 2);
    /// `ten_length` and `ten_velocity`
    pub const TENDONS: Self = Self(1 << 3);
    /// `cfrc_ext`
    pub const CFRC_EXT: Self = Self(1 << 4);
    /// `qfrc_constraint`
    pub const CONSTRAINT_FORCES: Self = Self(1 << 5);
    /// The values of touch sensors in `sensordata`, if [`Shared::knows_touch`](crate::native::Shared::knows_touch) returns true
    pub const TOUCH_SENSORDATA: Self = Self(1 << 6);
    /// All derived arrays of a step except the final arrays
    pub const ALL: Self = Self((1 << 7) - 1);
    /// `xpos` of the final state
    pub const FINAL_XPOS: Self = Self(1 << 7);
    /// `xmat` of the final state
    pub const FINAL_XMAT: Self = Self(1 << 8);
    /// `xipos` of the final state
    pub const FINAL_XIPOS: Self = Self(1 << 9);
    /// `site_xpos` of the final state
    pub const FINAL_SITE_XPOS: Self = Self(1 << 10);
    /// The values in `sensordata` of sensors of subtrees' linear velocities (`mjSENS_SUBTREELINVEL`) for the final state, if
    /// [`Shared::knows`](crate::native::Shared::knows) returns true
    pub const FINAL_SUBTREE_LINVEL: Self = Self(1 << 11);
    /// The whole `sensordata`, if [`Shared::obstacle_of_sensors`](crate::native::Shared::obstacle_of_sensors) returns none
    pub const SENSORDATA: Self = Self(1 << 12);
    /// All final arrays
    pub const FINAL: Self = Self(31 << 7);
    /// Arrays that final arrays would overwrite; they have components that a planar step does not compute.
    pub(super) const OVERWRITTEN: Self = Self(((1 << 5) - 1) | Self::SENSORDATA.0);
    /// Arrays that depend on the forces of contacts.
    pub(super) const OF_CONTACTS: Self = Self(Self::CFRC_EXT.0 | Self::TOUCH_SENSORDATA.0 | Self::SENSORDATA.0);

    /// Returns whether any of these arrays is among `arrays`.
    pub const fn has(self, arrays: Self) -> bool {
        self.0 & arrays.0 != 0
    }

    /// Returns those of these arrays that are among `arrays`.
    pub(super) const fn only(self, arrays: Self) -> Self {
        Self(self.0 & arrays.0)
    }

    /// Returns these arrays if `condition` holds, otherwise none.
    #[must_use]
    pub fn when(self, condition: bool) -> Self {
        if condition { self } else { Self::default() }
    }

    /// Returns whether a planar step lacks components of a requested array; `knows_touch`: it computes touch sensors.
    pub(super) fn needs_all_axes(self, knows_touch: bool) -> bool {
        self.has(Self::OVERWRITTEN) || (self.has(Self::TOUCH_SENSORDATA) && !knows_touch)
    }
}

impl BitOr for Derived {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
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
    pub(super) simulation_bytes: usize,
}

impl StateLayout {
    /// Finds the offsets of the arrays: writes distinct marker values into a simulation's arrays, and searches the state vector
    /// for them. Fails with MuJoCo's error, or the reason if an array is not contiguous in the state vector.
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

    /// Returns the range that holds the field `name` of `mjData`; `None` for fields that a native step neither reads nor writes.
    pub(super) fn range(&self, name: &str) -> Option<Range<usize>> {
        match name {
            "time" => Some(self.time..self.time + 1),
            "qpos" => Some(self.qpos.clone()),
            "qvel" => Some(self.qvel.clone()),
            "act" => Some(self.act.clone()),
            "qacc_warmstart" => Some(self.qacc_warmstart.clone()),
            "ctrl" => Some(self.control.clone()),
            "mocap_pos" => Some(self.mocap[0].clone()),
            "mocap_quat" => Some(self.mocap[1].clone()),
            _ => None,
        }
    }

    /// Returns whether all numbers in `other_ranges` have their initial values, such as no external force.
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
    if !derived.has(Derived::XPOS) {
        data.xpos_mut()[3..].fill(f64::NAN);
    }
    if !derived.has(Derived::BODY_MOTIONS) {
        data.xipos_mut()[3..].fill(f64::NAN);
        data.cinert_mut()[10..].fill(f64::NAN);
        data.cvel_mut()[6..].fill(f64::NAN);
        data.qfrc_actuator_mut().fill(f64::NAN);
    }
    if !derived.has(Derived::SITE_XPOS) {
        data.site_xpos_mut().fill(f64::NAN);
    }
    data.xmat_mut()[9..].fill(f64::NAN);
    if !derived.has(Derived::CONSTRAINT_FORCES) {
        data.qfrc_constraint_mut().fill(f64::NAN);
    }
    if !derived.has(Derived::TENDONS) {
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
    /// Number of constraint rows at the last evaluation of `mj_forward`, which the stepper sets if it solves lanes by themselves
    /// ([`Shared::lanes_together`](crate::native::Shared::lanes_together)): with similar numbers in a register, it takes less time.
    pub nefc: usize,
}

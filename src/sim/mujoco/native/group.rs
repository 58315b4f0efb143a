//! Advances a batch of simulations, one per SIMD lane, as `mj_step` does.

mod results;

use super::compact::Pgs;
use super::feelers::TouchSensor;
use super::final_pass::SubtreeSensor;
use super::find::MakeConstraint;
use super::integrate::{Euler, RungeKutta, STAGES, Stages, bad_lanes, lanes_beyond};
use super::islands::{IslandScratch, IslandSets, Islands};
use super::lane_fields::{BaseFields, LaneFields, LaneTables, SharedFields};
use super::newton::{Newton, SolverStats};
use super::planar::{PlanarModel, Planes, StepArgs};
use super::rows::Constraints;
use super::smooth::{FwdSmooth, NativeData, clipped};
use super::state::{Derived, Lane, StateLayout};
use super::tables::{Integrator, MAX_NBODY, MAX_NV, NativeModel};
use envpool_rs_numeric::simd::{Float64Lanes, Lanes, SimdKernel};

/// Batch of simulations, one per SIMD lane, with the memory that a step needs.
pub(super) struct Batch<V: Float64Lanes> {
    pub(super) motion: Box<NativeData<V>>,
    pub(super) rows: Constraints<V>,
    pub(super) qacc_warmstart: [V; MAX_NV],
    pub(super) qacc: [V; MAX_NV],
    pub(super) qfrc_constraint: [V; MAX_NV],
    pub(super) stages: Box<Stages<V>>,
    islands: Islands,
    /// Scratch memory for solving constraint islands separately; `None` if the model has no islands.
    island_scratch: Option<Box<IslandScratch<V>>>,
    /// Scratch memory for solving constraint islands of single lanes.
    lane_scratch: Option<Box<IslandScratch<f64>>>,
    /// Planar form of the batch, in which only the x and z axes are computed; `None` if the model is not planar.
    planes: Option<Planes<V>>,
    /// Whether the planar form computes touch sensors.
    has_planar_touch: bool,
    /// Whether the last evaluation of `mj_forward` used the planar form.
    was_flat: bool,
    touch_sensors: Vec<TouchSensor>,
    /// Values of the touch sensors in all lanes, lane by lane, after the last step for which they were requested.
    touch_values: Vec<f64>,
    subtree_sensors: Vec<SubtreeSensor>,
    /// Linear velocities of the bodies' subtrees (`subtree_linvel`) after the last step for which they were requested.
    subtree_linvel: Box<[[V; 3]; MAX_NBODY]>,
    pub(super) stats: SolverStats,
    /// Values of model fields in the lanes; `None` if the lanes have always had the model's values.
    lane_tables: Option<Box<LaneTables<V>>>,
    /// Whether the planar form has values of model fields that are not the model's.
    are_planes_own: bool,
}

/// Enters a kernel with the source of model fields of the present lanes: `$fields` in the expression `$kernel`.
macro_rules! enter_with_fields {
    ($lanes:ident, $tables:expr, $fields:ident => $kernel:expr) => {
        match $tables.as_deref().filter(|tables| tables.change_steps) {
            Some($fields) => <$lanes as Lanes>::enter($kernel),
            None => {
                let $fields = SharedFields;
                <$lanes as Lanes>::enter($kernel)
            }
        }
    };
}

// After the macro that it uses.
mod final_arrays;

/// Number of degrees of freedom for which PGS is compiled.
pub(super) const PGS_NV: usize = 23;

/// Calls the instance of the Newton solver with the smallest capacity that suffices for the model's degrees of freedom.
macro_rules! solve_newton {
    ($lanes:ident, $model:ident, $fields:tt) => {
        solve_newton!(@ $lanes, $model, $fields, 4 9 15 27 MAX_NV)
    };
    (@ $lanes:ident, $model:ident, $fields:tt, $($capacity:tt)*) => {
        match $model.dofs.len() {
            $(0..=$capacity => <$lanes as Lanes>::enter(Newton::<$lanes, $capacity> $fields),)*
            count => unreachable!("{count} degrees of freedom"),
        }
    };
}

// After the macros that it uses.
mod solve_islands;

/// Largest position of a native step, in metres or radians. MuJoCo steps the lanes with larger positions, because the distance
/// tests allow for rounding errors of up to a micrometre only.
const MAX_POSITION: f64 = 1e5;

/// Largest velocity of a native step, in m/s or rad/s. In simulations that explode, last bits differed in Newton's method.
const MAX_VELOCITY: f64 = 1e6;

/// Finds the lanes with bad numbers among the inputs of a step other than positions and velocities. `mj_fwdActuation` replaces
/// bad controls; for the other inputs, `mj_checkAcc` and `mj_checkPos` decide after they were used.
struct CheckInputs<'a, V>(&'a NativeData<V>, &'a [V; MAX_NV], &'a NativeModel)
where
    V: Float64Lanes;

impl<V: Float64Lanes> SimdKernel for CheckInputs<'_, V> {
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self(motion, qacc_warmstart, model) = self;
        let mut bad = bad_lanes(&qacc_warmstart[..model.dofs.len()]) | bad_lanes(&motion.act);
        bad |= lanes_beyond(&motion.mocap_pos, MAX_POSITION) | bad_lanes(&motion.mocap_quat);
        for (motor, control) in model.actuators.iter().zip(&motion.ctrl) {
            bad |= bad_lanes(&[clipped(*control, [motor.low, motor.high])]);
        }
        bad
    }
}

/// Finds the lanes with bad numbers in positions or velocities, as `mj_checkPos` and `mj_checkVel` do, and those with large
/// numbers.
struct Check<'a, V>(&'a NativeData<V>, &'a NativeModel)
where
    V: Float64Lanes;

impl<V: Float64Lanes> SimdKernel for Check<'_, V> {
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self(motion, model) = self;
        lanes_beyond(&motion.qpos[..model.nq], MAX_POSITION) | lanes_beyond(&motion.qvel[..model.dofs.len()], MAX_VELOCITY)
    }
}

/// Finds the lanes with bad numbers in accelerations, as `mj_checkAcc` does.
struct CheckAccelerations<'a, V>(&'a [V]);

impl<V: Float64Lanes> SimdKernel for CheckAccelerations<'_, V> {
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        bad_lanes(self.0)
    }
}

/// Copies the numbers of one lane from SIMD vectors, which hold the numbers of all lanes, to an array.
#[inline(always)]
fn copy_lane<V: Float64Lanes>(to: &mut [f64], from: &[V], lane: usize) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = from.get(lane);
    }
}

impl<V: Float64Lanes> Batch<V> {
    pub(super) fn new(
        model: &NativeModel,
        flat: Option<&PlanarModel>,
        (touch_sensors, subtree_sensors): (&[TouchSensor], &[SubtreeSensor]),
    ) -> Self {
        let none = [V::splat(0.0); MAX_NV];
        Self {
            motion: NativeData::new(model),
            rows: Constraints::new(model),
            qacc_warmstart: none,
            qacc: none,
            qfrc_constraint: none,
            stages: Box::new(Stages::new()),
            islands: Islands::default(),
            island_scratch: None,
            lane_scratch: None,
            planes: if const { V::COUNT > 1 } { flat.map(|flat| Planes::new(model, flat)) } else { None },
            has_planar_touch: flat.is_some_and(PlanarModel::knows_touch),
            was_flat: false,
            touch_sensors: touch_sensors.to_vec(),
            touch_values: vec![0.0; V::COUNT * touch_sensors.len()],
            subtree_sensors: subtree_sensors.to_vec(),
            subtree_linvel: Box::new([[V::splat(0.0); 3]; MAX_NBODY]),
            stats: SolverStats::default(),
            lane_tables: None,
            are_planes_own: false,
        }
    }

    /// Loads the lanes' values of model fields for the next step. `fields` is empty if all lanes have the model's values.
    pub(super) fn load_fields(&mut self, model: &NativeModel, base: &BaseFields, fields: &[LaneFields<'_>]) {
        if !fields.iter().all(LaneFields::is_empty) {
            let tables = self.lane_tables.get_or_insert_with(|| Box::new(LaneTables::new(model, base)));
            tables.load(model, base, fields);
        } else if let Some(tables) = &mut self.lane_tables {
            (tables.is_used, tables.change_steps) = (false, false);
        }
        if const { V::COUNT > 1 } {
            self.load_planar_fields(model);
        }
    }

    /// Loads the lanes' values of model fields into the planar form of the batch, if there is one and it has other values.
    fn load_planar_fields(&mut self, model: &NativeModel) {
        let (Some(planes), Some(tables)) = (&mut self.planes, self.lane_tables.as_deref()) else { return };
        let is_own = tables.change_steps && tables.are_planar;
        if is_own {
            planes.load_fields(model, tables);
        } else if self.are_planes_own {
            planes.load_fields(model, SharedFields);
        }
        self.are_planes_own = is_own;
    }

    /// Returns the lanes' values of model fields; `None` if all lanes have the model's values.
    fn lane_fields(&self) -> Option<&LaneTables<V>> {
        self.lane_tables.as_deref().filter(|tables| tables.is_used)
    }

    /// Advances each simulation of the batch by `count` steps. Returns a bit mask of the lanes that MuJoCo must step instead of
    /// the native stepper; their states are unchanged.
    ///
    /// # Panics
    /// If `derived` combines final arrays with arrays that they overwrite.
    pub(super) fn step(
        &mut self,
        (model, parts): (&NativeModel, &StateLayout),
        lanes: &mut [Lane<'_>],
        count: u32,
        derived: Derived,
    ) -> u32 {
        let used = (1 << lanes.len()) - 1;
        self.load(parts, lanes);
        let mut left = V::enter(CheckInputs(&self.motion, &self.qacc_warmstart, model));
        let is_planar =
            self.planes.is_some() && self.lane_fields().is_none_or(|fields| !fields.change_steps || fields.are_planar);
        for step in 0..count {
            let is_last = step + 1 == count;
            left |= V::enter(Check(&self.motion, model));
            let is_flat = is_planar && !(is_last && derived.needs_all_axes(self.has_planar_touch));
            left |= self.advance(model, is_flat, is_last && (derived.cfrc_ext || derived.touch_sensordata));
            if left & used == used {
                return used;
            }
        }
        left |= V::enter(Check(&self.motion, model));
        for (lane, to) in lanes.iter_mut().enumerate().filter(|(lane, _)| left >> lane & 1 == 0) {
            self.store((model, parts), lane, to.state, count);
        }
        if derived.touch_sensordata {
            if let Some(planes) = self.planes.as_mut().filter(|_| self.was_flat) {
                planes.normal_forces();
            }
            self.read_touch(model, lanes.len());
        }
        if derived.final_arrays.any() {
            self.compute_final_arrays(model, derived, is_planar);
        }
        left & used
    }

    /// Advances each simulation by one step, as `mj_step` does. Returns a bit mask of the lanes that MuJoCo must step instead
    /// of the native stepper.
    ///
    /// `is_flat` says whether the planar computation is permitted. `keeps` says whether to store the contacts of the last
    /// stage, from which `cfrc_ext` and touch sensors are computed.
    fn advance(&mut self, model: &NativeModel, is_flat: bool, keeps: bool) -> u32 {
        match model.integrator {
            Integrator::Euler | Integrator::ImplicitFast => {
                let (mut left, was_flat) = self.forward(model, is_flat, keeps);
                left |= self.check_accelerations(model);
                if const { V::COUNT > 1 } && was_flat {
                    return left | self.with_planar(model, Planes::euler);
                }
                let Self { motion, qacc_warmstart, qacc, qfrc_constraint, lane_tables, .. } = self;
                left |= enter_with_fields!(V, lane_tables, fields => Euler { model, fields, motion, qacc_warmstart, qacc, qfrc_constraint });
                left
            }
            Integrator::RungeKutta => {
                let mut left = 0;
                for after in 0..STAGES {
                    left |= self.forward(model, is_flat, keeps && after + 1 == STAGES).0 | self.check_accelerations(model);
                    let Self { motion, stages, qacc_warmstart, qacc, .. } = &mut *self;
                    left |= V::enter(RungeKutta { model, motion, stages, qacc_warmstart, qacc, after });
                }
                left
            }
        }
    }

    fn check_accelerations(&self, model: &NativeModel) -> u32 {
        V::enter(CheckAccelerations(&self.qacc[..model.dofs.len()]))
    }

    /// Computes accelerations, as `mj_forward` does. Returns a bit mask of the lanes that MuJoCo must step instead of the
    /// native stepper, and whether the planar form was used.
    fn forward(&mut self, model: &NativeModel, is_flat: bool, keeps: bool) -> (u32, bool) {
        if const { V::COUNT > 1 }
            && is_flat
            && let Some(left) = self.with_planar(model, Planes::forward)
        {
            self.was_flat = true;
            return (left, true);
        }
        self.was_flat = false;
        (self.forward_along_all_axes(model, keeps), false)
    }

    /// Computes accelerations, as `mj_forward` does, in three dimensions. Returns a bit mask of the lanes that MuJoCo must step
    /// instead of the native stepper.
    fn forward_along_all_axes(&mut self, model: &NativeModel, keeps: bool) -> u32 {
        let Self { motion, rows, lane_tables, .. } = &mut *self;
        let singular = enter_with_fields!(V, lane_tables, fields => FwdSmooth { model, fields, motion });
        let found =
            enter_with_fields!(V, lane_tables, fields => MakeConstraint { model, fields, motion, rows, stores_contacts: keeps });
        let mut left = singular | found;
        if let Some(narrow) = &mut self.rows.narrow {
            self.stats.searched_lanes += std::mem::take(&mut narrow.searches);
        }
        if self.rows.max_rows() > model.arena_rows {
            left = V::ALL;
        }
        if self.rows.lanes == 0 {
            self.qacc = self.motion.qacc_smooth;
            self.qfrc_constraint.fill(V::splat(0.0));
            return left;
        }
        let Self { motion, rows, qacc_warmstart, qacc, qfrc_constraint, stats, .. } = self;
        if let Some(compact) = &mut rows.compact {
            let lanes = rows.lanes;
            V::enter(Pgs::<V, PGS_NV> { model, motion, rows: compact, lanes, qacc_warmstart, qacc, qfrc_constraint });
            return left;
        }
        let skips_warmstart = false;
        if model.can_have_islands {
            let bound = IslandSets::of(rows);
            let is_whole =
                |(trees, lanes): &(u64, u32)| *lanes == rows.lanes && model.dofs.iter().all(|dof| trees >> dof.tree & 1 != 0);
            if !matches!(bound.sets(), [set] if is_whole(set)) {
                return left | self.solve_islands(model, &bound);
            }
        }
        left | solve_newton!(V, model, { model, motion, rows, qacc_warmstart, skips_warmstart, qacc, qfrc_constraint, stats })
    }

    /// Calls the function `work` with the planar form of the batch and the arguments of a planar step, and returns its result.
    /// The model must be planar.
    fn with_planar<T>(&mut self, model: &NativeModel, work: impl FnOnce(&mut Planes<V>, StepArgs<'_, V>) -> T) -> T {
        let Self { motion, qacc_warmstart, qacc, qfrc_constraint, planes, stats, .. } = self;
        let planes = planes.as_mut().expect("it was looked at before");
        work(planes, StepArgs { model, motion, qacc_warmstart, qacc, qfrc_constraint, stats })
    }

    /// Loads the states of simulations into the batch. Unused lanes get a copy of the first lane.
    fn load(&mut self, parts: &StateLayout, lanes: &[Lane<'_>]) {
        for lane in 0..V::COUNT {
            let Lane { state, control } = &lanes[if lane < lanes.len() { lane } else { 0 }];
            let motion = &mut *self.motion;
            for (to, from) in [
                (&mut motion.qpos[..], &state[parts.positions.clone()]),
                (&mut motion.qvel[..], &state[parts.velocities.clone()]),
                (&mut motion.ctrl[..], control),
                (&mut motion.act[..], &state[parts.activations.clone()]),
                (&mut motion.mocap_pos[..], &state[parts.mocap[0].clone()]),
                (&mut motion.mocap_quat[..], &state[parts.mocap[1].clone()]),
                (&mut self.qacc_warmstart[..], &state[parts.warm.clone()]),
            ] {
                for (to, from) in to.iter_mut().zip(from) {
                    to.set(lane, *from);
                }
            }
        }
    }

    /// Stores the batch's state of one lane into the lane's state vector.
    fn store(&self, (model, parts): (&NativeModel, &StateLayout), lane: usize, state: &mut [f64], count: u32) {
        let motion = &*self.motion;
        copy_lane(&mut state[parts.positions.clone()], &motion.qpos, lane);
        copy_lane(&mut state[parts.velocities.clone()], &motion.qvel, lane);
        copy_lane(&mut state[parts.warm.clone()], &self.qacc_warmstart, lane);
        copy_lane(&mut state[parts.activations.clone()], &motion.act, lane);
        let time = &mut state[parts.time];
        for _ in 0..count {
            *time += model.timestep;
        }
    }
}

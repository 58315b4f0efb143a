//! Advances a batch of simulations, one per SIMD lane, as `mj_step` does.

use crate::native::constraint::Constraints;
use crate::native::constraint::make_constraint::make_constraint;
use crate::native::data::NativeData;
use crate::native::integrate::{STAGES, Stages, bad_lanes, euler, lanes_beyond, runge_kutta};
use crate::native::lane_fields::{BaseFields, LaneFields, LaneTables, SharedFields};
use crate::native::mju::clip;
use crate::native::model::{Integrator, MAX_NBODY, MAX_NV, NativeModel};
use crate::native::outlined::outlined;
use crate::native::planar::{PlanarBatch, PlanarModel, StepArgs};
use crate::native::sensor::final_pass::SubtreeSensor;
use crate::native::sensor::library_sensors::{SensorInputs, Sensors};
use crate::native::sensor::touch_sensors::TouchSensor;
use crate::native::smooth::fwd_smooth;
use crate::native::solver::island::{IslandScratch, IslandSets, Islands};
use crate::native::solver::newton::{Newton, SolverStats};
use crate::native::solver::pgs::{Pgs, PreparedPgs, SweepShuffled};
use crate::native::state::{Derived, Lane, StateLayout};
use envpool_rs_numeric::simd::{Float64Lanes, Lanes};

/// Batch of simulations, one per SIMD lane, with the memory that a step needs.
pub(super) struct Batch<V: Float64Lanes> {
    /// Bit mask of the lanes that hold simulations.
    used: u32,
    /// Bit mask of the lanes that MuJoCo must step instead of the native stepper.
    pub(super) fallback: u32,
    pub(super) data: Box<NativeData<V>>,
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
    planar: Option<PlanarBatch<V>>,
    /// Whether the planar form computes touch sensors.
    has_planar_touch: bool,
    /// Whether the present step may use the planar form.
    uses_planar: bool,
    /// Whether the last evaluation of `mj_forward` used the planar form.
    used_planar: bool,
    touch_sensors: Vec<TouchSensor>,
    /// Values of the touch sensors in all lanes, lane by lane, after the last step for which they were requested.
    touch_values: Vec<f64>,
    subtree_sensors: Vec<SubtreeSensor>,
    /// Linear velocities of the bodies' subtrees (`subtree_linvel`) after the last step for which they were requested.
    subtree_linvel: Box<[[V; 3]; MAX_NBODY]>,
    sensors: Sensors,
    sensor_inputs: SensorInputs<V>,
    pub(super) stats: SolverStats,
    /// Values of model fields in the lanes; `None` if the lanes have always had the model's values.
    lane_tables: Option<Box<LaneTables<V>>>,
    /// Whether the planar form has values of model fields that are not the model's.
    has_own_planar_fields: bool,
}

/// Calls a function with the source of model fields of the present lanes: `$fields` in the expression `$call`.
macro_rules! with_fields {
    ($tables:expr, $fields:ident => $call:expr) => {
        match $tables.as_deref().filter(|tables| tables.change_steps) {
            Some($fields) => $call,
            None => {
                let $fields = SharedFields;
                $call
            }
        }
    };
}

// After the macro that it uses.
mod results;

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

outlined!(
    /// Finds the lanes with bad numbers among the inputs of a step other than positions and velocities. `mj_fwdActuation` replaces
    /// bad controls; for the other inputs, `mj_checkAcc` and `mj_checkPos` decide after they were used.
    fn check_inputs<V: Float64Lanes>(data: &NativeData<V>, qacc_warmstart: &[V], model: &NativeModel) -> u32 {
        let mut bad = bad_lanes(&qacc_warmstart[..model.dofs.len()]) | bad_lanes(&data.act);
        bad |= lanes_beyond(&data.mocap_pos, MAX_POSITION) | bad_lanes(&data.mocap_quat);
        for (actuator, control) in model.actuators.iter().zip(&data.ctrl) {
            bad |= bad_lanes(&[clip(*control, [actuator.low, actuator.high])]);
        }
        bad
    }
);

outlined!(
    /// Finds the lanes with bad numbers in positions or velocities, as `mj_checkPos` and `mj_checkVel` do, and those with large
    /// numbers.
    fn check<V: Float64Lanes>(data: &NativeData<V>, model: &NativeModel) -> u32 {
        lanes_beyond(&data.qpos[..model.nq], MAX_POSITION) | lanes_beyond(&data.qvel[..model.dofs.len()], MAX_VELOCITY)
    }
);

outlined!(
    /// Finds the lanes with bad numbers in accelerations, as `mj_checkAcc` does.
    fn check_accelerations<V: Float64Lanes>(qacc: &[V]) -> u32 {
        bad_lanes(qacc)
    }
);

/// Copies the numbers of one lane from SIMD vectors, which hold the numbers of all lanes, to an array.
#[inline(always)]
fn copy_lane<V: Float64Lanes>(to: &mut [f64], from: &[V], lane: usize) {
    assert!(lane < V::COUNT, "lane {lane} of {}", V::COUNT);
    for (to, from) in to.iter_mut().zip(V::numbers(from).chunks_exact(V::COUNT)) {
        *to = from[lane];
    }
}

impl<V: Float64Lanes> Batch<V> {
    pub(super) fn new(
        model: &NativeModel,
        planar_model: Option<&PlanarModel>,
        (touch_sensors, subtree_sensors, sensors): (&[TouchSensor], &[SubtreeSensor], Sensors),
    ) -> Self {
        let none = [V::splat(0.0); MAX_NV];
        Self {
            used: 0,
            fallback: 0,
            data: NativeData::new(model),
            rows: Constraints::new(model),
            qacc_warmstart: none,
            qacc: none,
            qfrc_constraint: none,
            stages: Box::new(Stages::new(model)),
            islands: Islands::default(),
            island_scratch: None,
            lane_scratch: None,
            planar: if const { V::COUNT > 1 } {
                planar_model.map(|planar_model| PlanarBatch::new(model, planar_model))
            } else {
                None
            },
            has_planar_touch: planar_model.is_some_and(PlanarModel::knows_touch),
            uses_planar: false,
            used_planar: false,
            touch_sensors: touch_sensors.to_vec(),
            touch_values: vec![0.0; V::COUNT * touch_sensors.len()],
            subtree_sensors: subtree_sensors.to_vec(),
            subtree_linvel: Box::new([[V::splat(0.0); 3]; MAX_NBODY]),
            sensors,
            sensor_inputs: SensorInputs::new(model),
            stats: SolverStats::default(),
            lane_tables: None,
            has_own_planar_fields: false,
        }
    }

    /// Loads the lanes' values of model fields for the next step. `fields` is empty if all lanes have the model's values.
    pub(super) fn load_fields(&mut self, model: &NativeModel, base: &BaseFields, fields: &[LaneFields<'_>]) {
        if let Some(narrow) = &mut self.rows.narrow {
            narrow.load(fields);
        }
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
        let (Some(planar), Some(tables)) = (&mut self.planar, self.lane_tables.as_deref()) else { return };
        let is_own = tables.change_steps && tables.are_planar;
        if is_own {
            planar.load_fields(model, tables);
        } else if self.has_own_planar_fields {
            planar.load_fields(model, SharedFields);
        }
        self.has_own_planar_fields = is_own;
    }

    /// Returns the lanes' values of model fields; `None` if all lanes have the model's values.
    fn lane_fields(&self) -> Option<&LaneTables<V>> {
        self.lane_tables.as_deref().filter(|tables| tables.is_used)
    }

    /// Advances the simulations of batches by `count` steps. Afterwards, `fallback` of each batch has the lanes that MuJoCo must
    /// step instead of the native stepper; their states are unchanged.
    pub(super) fn step(
        batches: &mut [Self],
        (model, layout): (&NativeModel, &StateLayout),
        lanes: &mut [Lane<'_>],
        count: u32,
        derived: Derived,
    ) {
        for (batch, lanes) in batches.iter_mut().zip(lanes.chunks(V::COUNT)) {
            batch.load(layout, lanes);
            batch.used = (1 << lanes.len()) - 1;
            batch.fallback = check_inputs(&batch.data, &batch.qacc_warmstart, model);
        }
        for step in 0..count {
            let is_last = step + 1 == count;
            for batch in &mut *batches {
                batch.fallback |= check(&batch.data, model);
                batch.uses_planar = batch.is_planar() && !(is_last && derived.needs_all_axes(batch.has_planar_touch));
                if is_last && derived.has(Derived::SENSORDATA) {
                    batch.sensor_inputs.set_state(&batch.data);
                }
            }
            Self::advance(batches, model, is_last && derived.has(Derived::OF_CONTACTS));
            if batches.iter().all(|batch| batch.fallback & batch.used == batch.used) {
                return;
            }
        }
        for (batch, lanes) in batches.iter_mut().zip(lanes.chunks_mut(V::COUNT)) {
            batch.finish((model, layout), lanes, count, derived);
        }
    }

    /// Returns whether a step may use the planar form.
    fn is_planar(&self) -> bool {
        self.planar.is_some() && self.lane_fields().is_none_or(|fields| !fields.change_steps || fields.are_planar)
    }

    /// Stores the states after the last step, and computes the final arrays and sensors that `derived` requests.
    fn finish(&mut self, (model, layout): (&NativeModel, &StateLayout), lanes: &mut [Lane<'_>], count: u32, derived: Derived) {
        self.fallback |= check(&self.data, model);
        for (lane, to) in lanes.iter_mut().enumerate().filter(|(lane, _)| self.fallback >> lane & 1 == 0) {
            self.store((model, layout), lane, to.state, count);
        }
        if derived.has(Derived::TOUCH_SENSORDATA | Derived::SENSORDATA) {
            if let Some(planar) = self.planar.as_mut().filter(|_| self.used_planar) {
                planar.normal_forces();
            }
            self.read_touch(model, lanes.len());
        }
        if derived.has(Derived::FINAL) {
            self.compute_final_arrays(model, derived, self.is_planar());
        }
        if derived.has(Derived::SENSORDATA) {
            self.compute_sensor_inputs(model);
        }
    }

    /// Advances each simulation by one step, as `mj_step` does. `stores_contacts` says whether to store the contacts of the last
    /// stage, from which `cfrc_ext` and touch sensors are computed.
    fn advance(batches: &mut [Self], model: &NativeModel, stores_contacts: bool) {
        let stages = match model.integrator {
            Integrator::Euler | Integrator::ImplicitFast => 1,
            Integrator::RungeKutta => STAGES,
        };
        for after in 0..stages {
            for batch in &mut *batches {
                batch.fallback |= batch.forward(model, stores_contacts && after + 1 == stages);
            }
            if model.sweeps_together() {
                Self::solve_together(batches, model);
            }
            for batch in &mut *batches {
                batch.fallback |= check_accelerations(&batch.qacc[..model.dofs.len()]);
                batch.fallback |= batch.integrate(model, after);
            }
        }
    }

    /// Computes the state after the Runge-Kutta stage `after`, or after Euler's step. Returns a bit mask of the lanes that MuJoCo must
    /// step instead of the native stepper.
    fn integrate(&mut self, model: &NativeModel, after: usize) -> u32 {
        if model.integrator == Integrator::RungeKutta {
            let Self { data, stages, qacc_warmstart, qacc, .. } = self;
            return runge_kutta(model, data, stages, qacc_warmstart, qacc, after);
        }
        if const { V::COUNT > 1 } && self.used_planar {
            return self.with_planar(model, PlanarBatch::euler);
        }
        let Self { data, qacc_warmstart, qacc, qfrc_constraint, lane_tables, .. } = self;
        with_fields!(lane_tables, fields => euler(model, fields, data, qacc_warmstart, qacc, qfrc_constraint))
    }

    /// Computes accelerations, as `mj_forward` (`mj_forwardSkip`) does, without those for which [`Batch::solve_together`] is needed.
    /// Returns a bit mask of the lanes that MuJoCo must step instead of the native stepper.
    fn forward(&mut self, model: &NativeModel, stores_contacts: bool) -> u32 {
        let planar = const { V::COUNT > 1 } && self.uses_planar;
        let fallback = if planar { self.with_planar(model, PlanarBatch::forward) } else { None };
        self.used_planar = fallback.is_some();
        fallback.unwrap_or_else(|| self.forward_3d(model, stores_contacts))
    }

    /// Solves the constraints of all batches by PGS in a shuffled order (`mj_solPGS`).
    fn solve_together(batches: &mut [Self], model: &NativeModel) {
        let mut problems = Vec::with_capacity(batches.len());
        for Self { data, rows: Constraints { dual, lanes, .. }, qacc, qfrc_constraint, .. } in batches {
            if let Some(rows) = dual.as_deref_mut().filter(|_| *lanes != 0) {
                problems.push(PreparedPgs { model, data, rows, lanes: *lanes, qacc, qfrc_constraint });
            }
        }
        V::enter(SweepShuffled::<V, PGS_NV>(&mut problems));
    }

    /// Computes accelerations, as `mj_forward` does, in three dimensions. Returns a bit mask of the lanes that MuJoCo must step
    /// instead of the native stepper.
    fn forward_3d(&mut self, model: &NativeModel, stores_contacts: bool) -> u32 {
        let Self { data, rows, lane_tables, .. } = &mut *self;
        let singular = with_fields!(lane_tables, fields => fwd_smooth(model, fields, data));
        let found = with_fields!(lane_tables, fields => make_constraint(model, fields, data, rows, stores_contacts));
        let mut fallback = singular | found;
        if let Some(narrow) = &mut self.rows.narrow {
            self.stats.searched_lanes += std::mem::take(&mut narrow.searches);
        }
        if self.rows.max_rows() > model.arena_rows {
            fallback = V::ALL;
        }
        if self.rows.lanes == 0 {
            let dofs = model.dofs.len();
            self.qacc[..dofs].copy_from_slice(&self.data.qacc_smooth[..dofs]);
            self.qfrc_constraint[..dofs].fill(V::splat(0.0));
            return fallback;
        }
        let Self { data, rows, qacc_warmstart, qacc, qfrc_constraint, stats, .. } = self;
        if let Some(dual) = &mut rows.dual {
            let prepared = PreparedPgs { model, data, rows: dual, lanes: rows.lanes, qacc, qfrc_constraint };
            V::enter(Pgs::<V, PGS_NV> { prepared, qacc_warmstart });
            return fallback;
        }
        let skips_warmstart = false;
        if model.can_have_islands {
            let island_sets = IslandSets::of(rows);
            let is_whole =
                |(trees, lanes): &(u64, u32)| *lanes == rows.lanes && model.dofs.iter().all(|dof| trees >> dof.tree & 1 != 0);
            if !matches!(island_sets.sets(), [set] if is_whole(set)) {
                return fallback | self.solve_islands(model, &island_sets);
            }
        }
        fallback | solve_newton!(V, model, { model, data, rows, qacc_warmstart, skips_warmstart, qacc, qfrc_constraint, stats })
    }

    /// Calls the function `work` with the planar form of the batch and the arguments of a planar step, and returns its result.
    /// The model must be planar.
    fn with_planar<T>(&mut self, model: &NativeModel, work: impl FnOnce(&mut PlanarBatch<V>, StepArgs<'_, V>) -> T) -> T {
        let Self { data, qacc_warmstart, qacc, qfrc_constraint, planar, stats, .. } = self;
        let planar = planar.as_mut().expect("it was looked at before");
        work(planar, StepArgs { model, data, qacc_warmstart, qacc, qfrc_constraint, stats })
    }

    /// Loads the states of simulations into the batch. Unused lanes get a copy of the first lane.
    fn load(&mut self, layout: &StateLayout, lanes: &[Lane<'_>]) {
        for lane in 0..V::COUNT {
            let Lane { state, control, .. } = &lanes[if lane < lanes.len() { lane } else { 0 }];
            let data = &mut *self.data;
            for (to, from) in [
                (&mut data.qpos[..], &state[layout.qpos.clone()]),
                (&mut data.qvel[..], &state[layout.qvel.clone()]),
                (&mut data.ctrl[..], control),
                (&mut data.act[..], &state[layout.act.clone()]),
                (&mut data.mocap_pos[..], &state[layout.mocap[0].clone()]),
                (&mut data.mocap_quat[..], &state[layout.mocap[1].clone()]),
                (&mut self.qacc_warmstart[..], &state[layout.qacc_warmstart.clone()]),
            ] {
                for (to, from) in V::numbers_mut(to).chunks_exact_mut(V::COUNT).zip(from) {
                    to[lane] = *from;
                }
            }
        }
    }

    /// Stores the batch's state of one lane into the lane's state vector.
    fn store(&self, (model, layout): (&NativeModel, &StateLayout), lane: usize, state: &mut [f64], count: u32) {
        let data = &*self.data;
        copy_lane(&mut state[layout.qpos.clone()], &data.qpos, lane);
        copy_lane(&mut state[layout.qvel.clone()], &data.qvel, lane);
        copy_lane(&mut state[layout.qacc_warmstart.clone()], &self.qacc_warmstart, lane);
        copy_lane(&mut state[layout.act.clone()], &data.act, lane);
        let time = &mut state[layout.time];
        for _ in 0..count {
            *time += model.timestep;
        }
    }
}

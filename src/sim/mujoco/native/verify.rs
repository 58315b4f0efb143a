//! Verifies that native steps are bit-identical to MuJoCo's.
//!
//! Exactness depends on MuJoCo's version and build and on the processor, so each model is verified before its native steps are
//! used.

mod scenario;

use std::collections::HashMap;
use std::panic::resume_unwind;
use std::thread;

pub(super) use self::scenario::OwnValues;
use self::scenario::randomize_fields;
use self::scenario::{Random, Scenario, begin, control, move_mocap};
use crate::data::{Data, DetachedOverrides};
use crate::model::Model;
use crate::native::lane_fields::LaneFields;
use crate::native::solver::newton::SolverStats;
use crate::native::state::{Derived, Lane};
use crate::native::stepper::LaneOutcome;
use crate::native::{Scratch, Shared, Stepper};
use crate::workspace::Workspace;
use envpool_rs_sync::{ForkMutex, fork};

/// Result of comparing native steps with MuJoCo's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Comparison {
    /// Number of compared steps, summed over simulations.
    pub steps: u64,
    /// Number of steps after which any number differed in any bit.
    pub differing: u64,
    /// Number of steps after which an array of [`COMPARED`] differed, for each array.
    pub differing_by_array: [u64; COMPARED.len()],
    /// Number of steps that MuJoCo had to take instead of the native stepper.
    pub fallbacks: u64,
    /// Event counters of the solvers.
    pub(in crate::native) stats: SolverStats,
}

impl Comparison {
    fn add(&mut self, other: &Self) {
        self.steps += other.steps;
        self.differing += other.differing;
        self.differing_by_array.iter_mut().zip(other.differing_by_array).for_each(|(sum, count)| *sum += count);
        self.fallbacks += other.fallbacks;
        self.stats.add(&other.stats);
    }
}

/// Arrays that are compared after each step, in the order in which a step computes them. The state is the input of the next step.
pub const COMPARED: [&str; 17] = [
    "ten_length",
    "ten_velocity",
    "xpos",
    "xmat",
    "xipos",
    "site_xpos",
    "cinert",
    "cvel",
    "qfrc_actuator",
    "qfrc_constraint",
    "cfrc_ext",
    "sensordata of touches",
    "sensordata of subtrees",
    "sensordata",
    "qvel",
    "qpos",
    "state",
];

/// Names in [`COMPARED`] of the arrays that a step computes without a request.
const ALWAYS_COMPARED: [&str; 4] = ["qfrc_constraint", "qvel", "qpos", "state"];

/// Names in [`COMPARED`] of the arrays that are not part of [`Derived::ALL`].
const NOT_IN_ALL: [&str; 3] = ["xmat", "sensordata of subtrees", "sensordata"];

/// Names in [`COMPARED`] of the arrays that [`Derived::FINAL`] requests.
const FINAL: [&str; 5] = ["xpos", "xmat", "xipos", "site_xpos", "sensordata of subtrees"];

/// Returns the derived arrays that a compared step requests.
///
/// If few derived arrays are requested, a step may use another implementation (the planar stepper). So steps with many and with
/// few requested arrays are compared, and steps with the arrays of the final state.
fn request(stepper: &Shared, step: u32) -> Derived {
    let few = Derived::CONSTRAINT_FORCES;
    match step % 8 {
        5 if stepper.subtree_sensors.as_ref().is_ok_and(|sensors| !sensors.is_empty()) => {
            // A planar step computes these velocities if no other final array is requested.
            few | Derived::FINAL_SUBTREE_LINVEL
        }
        1 | 5 => {
            let poses = Derived::FINAL_XPOS | Derived::FINAL_XMAT | Derived::FINAL_XIPOS | Derived::FINAL_SITE_XPOS;
            let velocities = Derived::FINAL_SUBTREE_LINVEL.when(stepper.subtree_sensors.is_ok());
            few | poses | velocities | Derived::TOUCH_SENSORDATA.when(step % 8 == 1)
        }
        3 => few | Derived::SENSORDATA.when(stepper.sensors.is_ok()),
        7 => few,
        _ => Derived::ALL,
    }
}

/// Returns whether the array `name` of [`COMPARED`] is compared after a step that requested `derived`.
fn is_compared(derived: Derived, name: &str) -> bool {
    if derived == Derived::ALL {
        return !NOT_IN_ALL.contains(&name);
    }
    ALWAYS_COMPARED.contains(&name)
        || (derived.has(Derived::FINAL_XPOS) && FINAL.contains(&name))
        || (derived.has(Derived::FINAL_SUBTREE_LINVEL) && name == "sensordata of subtrees")
        || (derived.has(Derived::TOUCH_SENSORDATA) && name == "sensordata of touches")
        || (derived.has(Derived::SENSORDATA) && name == "sensordata")
}

/// Batch sizes of the comparison: the lane count of each narrower register width.
const BATCH_SIZES: [usize; 2] = [4, 1];

/// Stack size of each thread of the comparison, in bytes. Builds without optimization need more than the default.
const STACK: usize = 8 << 20;

/// Number of steps of each simulation when a model is verified for the first time.
const FIRST_STEPS: u32 = 160;

/// Largest accepted fraction of steps that fall back to MuJoCo, which take longer than steps of MuJoCo alone.
const MAX_FALLBACK: f64 = 0.5;

/// Number of pairs of geoms above which a fallback takes much longer than MuJoCo's own step, which skips most pairs.
const MANY_PAIRS: usize = 256;

/// Largest accepted fraction of steps that fall back to MuJoCo if there are many pairs of geoms.
const MAX_LARGE_FALLBACK: f64 = 0.25;

/// Largest accepted number of searches for all contacts of MuJoCo per step. Each takes about as long as a step of MuJoCo.
const MAX_SEARCHES: f64 = 1.0;

/// Number of steps after which a simulation of the comparison restarts in a new start state.
const EPISODE: u32 = 80;

/// Results by [`Shared::fingerprint`] and by whether lanes have own fields: the share of fallbacks, or a refusal.
static VERIFIED: ForkMutex<Option<HashMap<(u64, bool), Verdict>>> = ForkMutex::new(None);

type Verdict = Result<f64, String>;

impl Stepper {
    /// Creates a stepper whose results are bit-identical to MuJoCo's. Each model is verified once per process.
    ///
    /// # Errors
    /// Returns the reason why MuJoCo must step the model instead of the native stepper.
    pub fn verified(model: &Model) -> Result<Self, String> {
        let stepper = Self::new(model)?;
        let fallback_share = stepper.verdict(&[OwnValues::None])?;
        if !model.shaped().is_empty() {
            stepper.verify_fields()?;
        }
        stepper.fallback_share.get_or_init(|| fallback_share);
        Ok(stepper)
    }
}

impl Shared {
    /// Verifies, once per model and process, that native steps with own values of fields are bit-identical to MuJoCo's.
    pub(super) fn verify_fields(&self) -> Result<(), String> {
        let verdict = || self.verdict(&[OwnValues::InPlace, OwnValues::All]).map(|_| ());
        self.fields_verdict.get_or_init(verdict).clone()
    }

    /// Returns the fraction of compared steps that fell back to MuJoCo, if each model is verified once per process.
    fn verdict(&self, own: &[OwnValues]) -> Result<f64, String> {
        let mut known = VERIFIED.lock();
        let entry = known.get_or_insert_default().entry((self.fingerprint(), !own.contains(&OwnValues::None)));
        let verify =
            || own.iter().map(|own| self.verify(*own)).try_fold(0.0, |most: f64, fallback_share| Ok(most.max(fallback_share?)));
        entry.or_insert_with(verify).clone()
    }

    /// Compares native steps with MuJoCo's, and returns the fraction of steps that fell back to MuJoCo.
    fn verify(&self, own: OwnValues) -> Result<f64, String> {
        let found = compare_with(self, FIRST_STEPS, 1, own)?;
        if found.differing == 0 {
            let share = |count: u64| count as f64 / found.steps as f64;
            let (fallback_share, is_large) = (share(found.fallbacks), self.native_model.pairs.len() > MANY_PAIRS);
            // MuJoCo steps simulations in which a body with another `body_ipos` touches something.
            if own == OwnValues::All {
                return Ok(fallback_share);
            }
            if fallback_share > MAX_FALLBACK || (is_large && fallback_share > MAX_LARGE_FALLBACK) {
                return Err(format!("{} of {} steps were left to it", found.fallbacks, found.steps));
            }
            if share(found.stats.searched_lanes) > MAX_SEARCHES {
                return Err(format!("it had to find {} contacts in {} steps", found.stats.searched_lanes, found.steps));
            }
            return Ok(fallback_share);
        }
        let first =
            COMPARED.into_iter().zip(found.differing_by_array).find(|(_, count)| *count > 0).map_or("failures", |(name, _)| name);
        Err(format!("{} of {} steps differ from the library's in some bit, first in {first}", found.differing, found.steps))
    }
}

/// Steps simulations of a model by the native stepper and by MuJoCo, and compares all numbers after each step.
///
/// Each register width runs on its own thread, if the system can create threads.
///
/// # Errors
/// Returns an error if simulations cannot be allocated.
pub fn compare(stepper: &Stepper, steps: u32, seed: u64) -> Result<Comparison, String> {
    compare_with(stepper, steps, seed, OwnValues::None)
}

/// Compares native steps with MuJoCo's, as [`compare`] does, in simulations with own values of model fields.
pub(super) fn compare_with(stepper: &Shared, steps: u32, seed: u64, own: OwnValues) -> Result<Comparison, String> {
    let found: Vec<_> = thread::scope(|scope| {
        let begin = |(seed, lanes)| {
            let compare = move || compare_together(stepper, steps, seed, (lanes, own));
            let started = fork::without_forks(|| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, compare));
            started.map_err(|_refused| Box::new(compare()))
        };
        let sizes = [stepper.lanes_together()].into_iter().chain(BATCH_SIZES);
        let started: Vec<_> = (seed..).zip(sizes).map(begin).collect();
        let found = |thread: thread::ScopedJoinHandle<'_, _>| thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        started.into_iter().map(|started| started.map_or_else(|found| *found, found)).collect()
    });
    let mut sum = Comparison::default();
    for found in found {
        sum.add(&found?);
    }
    Ok(sum)
}

/// Compares native steps with MuJoCo's, as [`compare`] does, for `total` simulations that are stepped as one batch.
fn compare_together(stepper: &Shared, steps: u32, seed: u64, (total, own): (usize, OwnValues)) -> Result<Comparison, String> {
    let mut random = Random(seed);
    let mut found = Comparison::default();
    let workspace = Workspace::new(&stepper.model);
    let made: Result<Vec<_>, _> = (0..total).map(|_| Data::new(&stepper.model)).collect();
    let mut simulations = made.map_err(|fault| fault.to_string())?;
    let mut states = vec![stepper.layout.initial.clone(); total];
    let mut scenarios = vec![Scenario::Random; total];
    let mut restarts = vec![0; total];
    let mut changes: Vec<_> = (0..total).map(|_| DetachedOverrides::default()).collect();
    for step in 0..steps {
        for lane in 0..total {
            if restarts[lane] <= step {
                scenarios[lane] = Scenario::ALL[random.next() as usize % Scenario::ALL.len()];
                restarts[lane] = step + EPISODE + (random.next() % u64::from(EPISODE)) as u32;
                if own != OwnValues::None {
                    randomize_fields(stepper, &mut simulations[lane], own, &mut random);
                }
                begin(stepper, &mut simulations[lane], scenarios[lane], &mut random);
                simulations[lane].get_state(&mut states[lane]);
            }
            if step % 4 == lane as u32 % 4 {
                control(stepper, &mut simulations[lane], scenarios[lane], &mut random);
                if stepper.native_model.nmocap > 0 && scenarios[lane] != Scenario::Initial {
                    move_mocap(stepper, &mut simulations[lane], 0.02, &mut random);
                    simulations[lane].get_state(&mut states[lane]);
                }
            }
        }
        let derived = request(stepper, step);
        let has_own = own != OwnValues::None;
        let outcomes = step_natively((stepper, &workspace), (&mut simulations, &mut changes, has_own), &mut states, derived)?;
        for (lane, outcome) in outcomes.into_iter().enumerate() {
            if !compare_lane(stepper, (&mut simulations[lane], &mut states[lane]), (outcome, derived), &mut found) {
                restarts[lane] = 0;
            }
        }
    }
    let scratch = stepper.scratch.get_or_default().take().unwrap_or_default();
    found.fallbacks = scratch.fallbacks;
    found.stats = scratch.counts();
    Ok(found)
}

/// Compares a native step with MuJoCo's. Returns whether the lane can continue: both succeeded with the same results.
fn compare_lane(
    stepper: &Shared,
    (data, state): (&mut Data, &mut [f64]),
    (outcome, derived): (Outcome, Derived),
    found: &mut Comparison,
) -> bool {
    let is_stepped = data.step(1, true).is_ok() && (!derived.has(Derived::FINAL) || data.kinematics_and_sensors().is_ok());
    let expected = is_stepped.then(|| numbers(stepper, data));
    let mut is_same = match (&outcome, &expected) {
        (Outcome::Left, _) => true,
        (outcome, expected) => matches!(outcome, Outcome::Numbers(_)) == expected.is_some(),
    };
    if let (Outcome::Left, Some(_)) = (&outcome, &expected) {
        data.get_state(state);
    }
    if let (Outcome::Numbers(outcome), Some(expected)) = (outcome, &expected) {
        let mut library = vec![0.0; state.len()];
        data.get_state(&mut library);
        let differs = |at: usize| match outcome.get(at) {
            Some(numbers) => *numbers != expected[at],
            None => library.iter().zip(&*state).any(|(one, other)| one.to_bits() != other.to_bits()),
        };
        let counts = found.differing_by_array.iter_mut().enumerate();
        for (_, count) in counts.filter(|(at, _)| is_compared(derived, COMPARED[*at]) && differs(*at)) {
            *count += 1;
            is_same = false;
        }
    }
    found.steps += 1;
    found.differing += u64::from(!is_same);
    is_same && expected.is_some()
}

/// Steps the states natively, with the controls of the simulations `simulations`, and if `has_own` with their values of model fields.
/// `changes` is memory for these values. Fails with the reason if native steps do not support the values.
fn step_natively(
    (stepper, workspace): (&Shared, &Workspace),
    (simulations, changes, has_own): (&mut [Data], &mut [DetachedOverrides], bool),
    states: &mut [Vec<f64>],
    derived: Derived,
) -> Result<Vec<Outcome>, String> {
    let controls: Vec<_> = simulations.iter().map(|data| data.ctrl().to_vec()).collect();
    let mut lanes: Vec<_> = states.iter_mut().zip(&controls).map(|(state, control)| Lane { state, control, nefc: 0 }).collect();
    simulations.iter_mut().zip(&mut *changes).for_each(|(data, changed)| data.exchange(changed));
    let fields = changes.iter().map(|changed| stepper.base_fields.lane_fields(changed)).collect::<Result<Vec<_>, _>>()?;
    let fields: &[LaneFields<'_>] = if has_own { &fields } else { &[] };
    let mut outcomes = Vec::new();
    stepper.step_with_fields(Some(workspace), (&mut lanes, fields), (1, derived), |_, _, outcome| {
        outcomes.push(match outcome {
            LaneOutcome::Written(data) => Outcome::Numbers(Box::new(numbers(stepper, data))),
            LaneOutcome::Left => Outcome::Left,
            _ => Outcome::Failed,
        });
    });
    simulations.iter_mut().zip(changes).for_each(|(data, changed)| data.exchange(changed));
    Ok(outcomes)
}

enum Outcome {
    /// Bit patterns of the step's results.
    Numbers(Box<[Vec<u64>; COMPARED.len() - 1]>),
    /// MuJoCo must take the step.
    Left,
    Failed,
}

/// Returns the bit patterns of a simulation's results, as arrays in the order of [`COMPARED`], without the state.
fn numbers(stepper: &Shared, data: &Data) -> [Vec<u64>; COMPARED.len() - 1] {
    let touch_readings: Vec<_> =
        stepper.touch_sensors.iter().flatten().map(|sensor| data.sensordata()[sensor.sensor_adr]).collect();
    let subtree_velocities: Vec<_> = stepper
        .subtree_sensors
        .iter()
        .flatten()
        .flat_map(|sensor| data.sensordata()[sensor.sensor_adr..][..3].to_vec())
        .collect();
    let arrays = [
        data.ten_length(),
        data.ten_velocity(),
        data.xpos(),
        data.xmat(),
        data.xipos(),
        data.site_xpos(),
        data.cinert(),
        data.cvel(),
        data.qfrc_actuator(),
        data.qfrc_constraint(),
        data.cfrc_ext(),
        &touch_readings,
        &subtree_velocities,
        data.sensordata(),
        data.qvel(),
        data.qpos(),
    ];
    arrays.map(|array| array.iter().map(|number| number.to_bits()).collect())
}

impl Scratch {
    /// Returns the event counters of the Newton solver, summed over the register widths.
    fn counts(&self) -> SolverStats {
        let mut sum = SolverStats::default();
        self.batches.iter().for_each(|batch| sum.add(&batch.stats()));
        sum
    }
}

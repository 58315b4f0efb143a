//! Whether steps of our own have the library's bits: exactness belongs to a version, a build and a processor, so that it is looked at
//! before anything rests on it.

use std::collections::HashMap;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::super::data::Data;
use super::super::model::Model;
use super::super::workspace::Workspace;
use super::newton::Counts;
use super::state::{Derived, Lane};
use super::tables::JointKind;
use super::{Memory, Stepper};

/// What a comparison has found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Comparison {
    /// Steps of simulations that were compared.
    pub steps: u64,
    /// Those of them after which a number was another, in any bit.
    pub differing: u64,
    /// Those of them after which a number of each of [`SHOWN`] was another.
    pub apart: [u64; SHOWN.len()],
    /// Those of them that were left to the library.
    pub left: u64,
    /// Constraints that came or went while the solver was at it.
    pub updates: u64,
    /// Those of them that cost so much accuracy that it began anew.
    pub rebuilds: u64,
    /// Searches along a line beyond their first step.
    pub searches: u64,
    /// Where contacts' cones have ended: in their top, middle and bottom zones; and friction in joints: at its low bound, at its high one, or
    /// in between.
    pub zones: [u64; 6],
}

impl Comparison {
    fn add(&mut self, other: &Self) {
        self.steps += other.steps;
        self.differing += other.differing;
        self.apart.iter_mut().zip(other.apart).for_each(|(sum, apart)| *sum += apart);
        self.left += other.left;
        self.updates += other.updates;
        self.rebuilds += other.rebuilds;
        self.searches += other.searches;
        self.zones.iter_mut().zip(other.zones).for_each(|(sum, zones)| *sum += zones);
    }
}

/// What is compared, in the order in which a step comes to it; the state is what the next step begins with.
pub const SHOWN: [&str; 14] = [
    "ten_length",
    "ten_velocity",
    "xpos",
    "xipos",
    "site_xpos",
    "cinert",
    "cvel",
    "qfrc_actuator",
    "qfrc_constraint",
    "cfrc_ext",
    "sensordata of touches",
    "qvel",
    "qpos",
    "state",
];

/// Those of [`SHOWN`] that every step shows.
const ALWAYS_SHOWN: [usize; 4] = [8, 11, 12, 13];

/// Simulations that are compared together: as many as there are lanes, of all widths.
const GROUPS: [usize; 3] = [8, 4, 1];

/// Steps of each simulation when a model is first met.
const FIRST_STEPS: u32 = 160;

/// The largest share of compared steps that the library may have taken: such a step costs more here than it does there.
const MOST_LEFT: f64 = 0.5;

/// Steps after which simulations begin elsewhere.
const EPISODE: u32 = 80;

/// What is known of models, by [`Stepper::fingerprint`].
static KNOWN: Mutex<Option<HashMap<u64, Result<f64, String>>>> = Mutex::new(None);

impl Stepper {
    /// A stepper for a model, if it gives the library's bits: compared once for each model and process.
    ///
    /// # Errors
    /// Why the model is left to the library.
    pub fn trusted(model: &Model) -> Result<Self, String> {
        let stepper = Self::new(model)?;
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let verdict = known.get_or_insert_default().entry(stepper.fingerprint());
        let left = verdict.or_insert_with(|| stepper.check()).clone()?;
        stepper.left.get_or_init(|| left);
        Ok(stepper)
    }

    /// Compares steps, and returns the share of them that was left to the library.
    fn check(&self) -> Result<f64, String> {
        let found = compare(self, FIRST_STEPS, 1)?;
        if found.differing == 0 {
            let left = found.left as f64 / found.steps as f64;
            return if left <= MOST_LEFT {
                Ok(left)
            } else {
                Err(format!("{} of {} steps were left to it", found.left, found.steps))
            };
        }
        let first = SHOWN.into_iter().zip(found.apart).find(|(_, apart)| *apart > 0).map_or("failures", |(name, _)| name);
        Err(format!("{} of {} steps differ from the library's in some bit, first in {first}", found.differing, found.steps))
    }
}

/// SplitMix64, which takes any seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }

    /// Between -1 and 1.
    fn signed(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// About normal.
    fn normal(&mut self) -> f64 {
        (0..6).map(|_| self.signed()).sum::<f64>() / 2.0_f64.sqrt()
    }
}

/// How a simulation is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// From about where the model begins, with any controls.
    Usual,
    /// The same, with the highest and lowest.
    BangBang,
    /// From anywhere, fast, beyond limits, upside down.
    Wild,
    /// From anywhere, without controls, until it rests.
    Resting,
    /// In the air, with controls beyond their bounds.
    Airborne,
    /// From where the model begins, without controls: where numbers are zero, of either sign.
    Begun,
}

impl Manner {
    const ALL: [Self; 6] = [Self::Usual, Self::BangBang, Self::Wild, Self::Resting, Self::Airborne, Self::Begun];
}

/// Plays simulations of a model for so many steps, here and by the library, and compares all numbers after each step: each width of
/// registers on a thread of its own, as far as the system gives threads.
///
/// # Errors
/// Where there is not enough memory for simulations.
pub fn compare(stepper: &Stepper, steps: u32, seed: u64) -> Result<Comparison, String> {
    let found: Vec<_> = thread::scope(|scope| {
        let begin = |(seed, lanes)| {
            let compare = move || compare_together(stepper, steps, seed, lanes);
            thread::Builder::new().spawn_scoped(scope, compare).map_err(|_refused| Box::new(compare()))
        };
        let begun: Vec<_> = (seed..).zip(GROUPS).map(begin).collect();
        let found = |thread: thread::ScopedJoinHandle<'_, _>| thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        begun.into_iter().map(|begun| begun.map_or_else(|found| *found, found)).collect()
    });
    let mut sum = Comparison::default();
    for found in found {
        sum.add(&found?);
    }
    Ok(sum)
}

/// [`compare`], for so many simulations in one register.
fn compare_together(stepper: &Stepper, steps: u32, seed: u64, total: usize) -> Result<Comparison, String> {
    let mut random = Random(seed);
    let mut found = Comparison::default();
    let workspace = Workspace::new(&stepper.model);
    let made: Result<Vec<_>, _> = (0..total).map(|_| Data::new(&stepper.model)).collect();
    let mut theirs = made.map_err(|fault| fault.to_string())?;
    let mut states = vec![stepper.parts.beginning.clone(); total];
    let mut manners = vec![Manner::Usual; total];
    let mut restarts = vec![0; total];
    for step in 0..steps {
        for lane in 0..total {
            if restarts[lane] <= step {
                manners[lane] = Manner::ALL[random.next() as usize % Manner::ALL.len()];
                restarts[lane] = step + EPISODE + (random.next() % u64::from(EPISODE)) as u32;
                begin(stepper, &mut theirs[lane], manners[lane], &mut random);
                theirs[lane].get_state(&mut states[lane]);
            }
            if step % 4 == lane as u32 % 4 {
                control(stepper, &mut theirs[lane], manners[lane], &mut random);
            }
        }
        let controls: Vec<_> = theirs.iter().map(|data| data.ctrl().to_vec()).collect();
        let mut outcomes = Vec::new();
        let mut lanes: Vec<_> = states.iter_mut().zip(&controls).map(|(state, control)| Lane { state, control }).collect();
        // Steps that show little may go another way.
        let shows_all = step % 2 == 0;
        let derived = if shows_all { Derived::ALL } else { Derived { constraint_forces: true, ..Derived::default() } };
        stepper.step(&workspace, &mut lanes, (1, derived), |_, shown| {
            outcomes.push(shown.map(|data| numbers(stepper, data)).ok());
        });
        for (lane, outcome) in outcomes.into_iter().enumerate() {
            let expected = theirs[lane].step(1, true).ok().map(|()| numbers(stepper, &theirs[lane]));
            let mut is_same = outcome.is_some() == expected.is_some();
            if let (Some(outcome), Some(expected)) = (outcome, &expected) {
                let mut state = vec![0.0; states[lane].len()];
                theirs[lane].get_state(&mut state);
                let is_apart = |at: usize| match outcome.get(at) {
                    Some(numbers) => *numbers != expected[at],
                    None => state.iter().zip(&states[lane]).any(|(one, other)| one.to_bits() != other.to_bits()),
                };
                let is_shown = |at: usize| shows_all || ALWAYS_SHOWN.contains(&at);
                for (_, apart) in found.apart.iter_mut().enumerate().filter(|(at, _)| is_shown(*at) && is_apart(*at)) {
                    *apart += 1;
                    is_same = false;
                }
            }
            found.steps += 1;
            found.differing += u64::from(!is_same);
            if !is_same || expected.is_none() {
                restarts[lane] = 0;
            }
        }
    }
    let memory = stepper.memories.get_or_default().take().unwrap_or_default();
    found.left = memory.left;
    let counts = memory.counts();
    [found.updates, found.rebuilds, found.searches] = [counts.updates[0], counts.updates[1], counts.searches];
    found.zones = counts.zones;
    Ok(found)
}

/// What is shown of a simulation, to the last bit, as [`SHOWN`] has it without the state.
fn numbers(stepper: &Stepper, data: &Data) -> [Vec<u64>; SHOWN.len() - 1] {
    let felt: Vec<_> = stepper.feelers.iter().flatten().map(|feeler| data.sensordata()[feeler.place]).collect();
    let arrays = [
        data.ten_length(),
        data.ten_velocity(),
        data.xpos(),
        data.xipos(),
        data.site_xpos(),
        data.cinert(),
        data.cvel(),
        data.qfrc_actuator(),
        data.qfrc_constraint(),
        data.cfrc_ext(),
        &felt,
        data.qvel(),
        data.qpos(),
    ];
    arrays.map(|array| array.iter().map(|number| number.to_bits()).collect())
}

impl Memory {
    /// How often what happened in the solver.
    fn counts(&self) -> Counts {
        let mut sum = Counts::default();
        let mut add = |counts: &Counts| {
            sum.updates[0] += counts.updates[0];
            sum.updates[1] += counts.updates[1];
            sum.searches += counts.searches;
            sum.zones.iter_mut().zip(counts.zones).for_each(|(sum, zones)| *sum += zones);
        };
        self.one.iter().for_each(|group| add(&group.counts));
        #[cfg(target_arch = "x86_64")]
        {
            self.four.iter().for_each(|group| add(&group.counts));
            self.eight.iter().for_each(|group| add(&group.counts));
        }
        sum
    }
}

/// Brings a simulation to some beginning.
fn begin(stepper: &Stepper, data: &mut Data, manner: Manner, random: &mut Random) {
    // The library has no reason to refuse: it has made the simulation.
    drop(data.reset());
    if manner == Manner::Begun {
        drop(data.forward());
        return;
    }
    let is_near = matches!(manner, Manner::Usual | Manner::BangBang);
    for joint in &stepper.tables.joints {
        let positions = &mut data.qpos_mut()[joint.position..];
        match joint.kind {
            JointKind::Free => {
                let noise = if is_near { 0.1 } else { 1.0 };
                positions[..7].iter_mut().for_each(|position| *position += noise * random.signed());
                if manner == Manner::Airborne {
                    positions[2] += 2.0;
                }
            }
            JointKind::Slide | JointKind::Hinge if is_near => positions[0] += 0.1 * random.signed(),
            JointKind::Slide => positions[0] += 0.5 * random.signed(),
            JointKind::Hinge => {
                let (low, high) = joint.limit.as_ref().map_or((-4.0, 4.0), |limit| (limit.low, limit.high));
                positions[0] = (low + high) / 2.0 + 0.7 * (high - low) * random.signed();
            }
        }
    }
    let speed = match manner {
        Manner::Usual | Manner::BangBang => 0.1,
        Manner::Resting | Manner::Begun => 0.0,
        Manner::Wild => [1.0, 5.0, 20.0][random.next() as usize % 3],
        Manner::Airborne => 1.0,
    };
    data.qvel_mut().iter_mut().for_each(|velocity| *velocity = speed * random.normal());
    drop(data.forward());
}

fn control(stepper: &Stepper, data: &mut Data, manner: Manner, random: &mut Random) {
    for (motor, control) in stepper.tables.motors.iter().zip(data.ctrl_mut()) {
        let (low, high) = (motor.low.max(-1.0), motor.high.min(1.0));
        let share = random.signed();
        *control = match manner {
            Manner::Usual | Manner::Wild => f64::from(((low + high) / 2.0 + share * (high - low) / 2.0) as f32),
            Manner::BangBang => {
                if share < 0.0 {
                    low
                } else {
                    high
                }
            }
            Manner::Resting | Manner::Begun => 0.0,
            Manner::Airborne => 3.0 * share * high,
        };
    }
}

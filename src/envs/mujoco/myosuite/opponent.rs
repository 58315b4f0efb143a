//! Opponent in a game of tag (`ChallengeOpponent`, `RepellerChallengeOpponent`).

use super::brown_noise;
use super::task::{interval, interval_of, list, probabilities_of};
use crate::robot::{Range, number};
use crate::rotations::{euler_to_quaternion, quaternion_to_euler};
use envpool_rs_engine::{Error, OptionSpec, Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_numeric::{numpy, numpy_ufuncs};
use envpool_rs_sim_mujoco::Data;
use std::borrow::Cow;
use std::f64::consts::{FRAC_PI_2, PI};

/// Factor of the noise.
const LOUDNESS: f64 = 10.0;
/// Largest speed in m/s and rad/s.
const FASTEST: f64 = 2.0;
/// Largest distance from the middle along each axis, and that of a start, in metres.
const FIELD: f64 = 5.5;
const START: f64 = 5.0;
/// Place of an opponent that stays at its fixed place.
const FIXED: [f64; 3] = [0.0, -5.0, 0.0];
/// Distance in metres within which legs and walls repel, and the strength.
const INFLUENCE: f64 = 3.5;
const STRENGTH: f64 = 20.0;
/// Points of each wall, and the walls' distance from the middle in metres.
const POINTS: usize = 25;
const WALL: f64 = 8.7;
/// Distance in metres along an axis at which repulsion is in balance.
const BALANCE: f64 = 0.1;

/// Policies of an opponent.
const STILL: f64 = 0.0;
const AT_FIXED_PLACE: f64 = 1.0;
const RANDOM: f64 = 2.0;
const REPELLED: f64 = 3.0;
const CHASING: f64 = 4.0;

/// Indices of the values that a lane stores: policy, velocity of chases, place of the legs' pelvis, observed velocities of the last
/// step, horizontal position and orientation, whether the episode has just started, pose at the end of the last episode, index of
/// the next noise, and the noise.
const POLICY: usize = 0;
const CHASE_SPEED: usize = 1;
const PELVIS: usize = 2;
const VELOCITY: usize = 4;
const PLACE: usize = 6;
const QUATERNION: usize = 8;
const IS_FIRST: usize = 12;
const LAST_POSE: usize = 13;
const NEXT: usize = 16;
const NOISE: usize = 17;
/// Number of values of each series of noise.
const SERIES: usize = 2000;
/// Number of values that a lane stores.
pub const STORED: usize = NOISE + 2 * SERIES;

/// Arguments of an opponent.
pub struct Opponent {
    /// Probabilities of the policies: at a fixed place, still, random and, in some tasks, repelled.
    pub probabilities: Cow<'static, [f64]>,
    /// Least distance in metres from the legs at the start.
    pub spawn: f64,
    /// Bounds of the velocity of chases, of random velocities, and of velocities away from the legs.
    pub chase: Range,
    pub random: Range,
    pub repelled: Range,
}

/// Returns pose and velocities for an observation, and stores the place of the legs' pelvis.
///
/// The package observes a reset before it places the opponent and stops it: as the last episode, or the last reset, has left it.
pub fn observe(stored: &mut [f64], pelvis: &[f64; 3]) -> [f64; 5] {
    stored[PELVIS..][..2].copy_from_slice(&pelvis[..2]);
    let is_first = std::mem::take(&mut stored[IS_FIRST]) == 1.0;
    let [x, y, angle] = if is_first { [0, 1, 2].map(|index| stored[LAST_POSE + index]) } else { pose(stored) };
    let velocity = [stored[VELOCITY], stored[VELOCITY + 1]];
    if is_first {
        stored[VELOCITY..][..2].fill(0.0);
    }
    [x, y, angle, velocity[0], velocity[1]]
}

/// Moves the body of the opponent.
pub fn show(stored: &[f64], data: &mut Data) {
    data.mocap_pos_mut()[..2].copy_from_slice(&stored[PLACE..][..2]);
    data.mocap_quat_mut().copy_from_slice(&stored[QUATERNION..][..4]);
}

/// Returns x, y and direction.
fn pose(stored: &[f64]) -> [f64; 3] {
    let quaternion = stored[QUATERNION..][..4].try_into().expect("four values");
    [stored[PLACE], stored[PLACE + 1], quaternion_to_euler(&quaternion)[2]]
}

fn set_pose(stored: &mut [f64], [x, y, angle]: [f64; 3]) {
    stored[PLACE..][..2].copy_from_slice(&[x, y]);
    stored[QUATERNION..][..4].copy_from_slice(&euler_to_quaternion(&[0.0, 0.0, angle]));
}

/// Name of the option with the probabilities of the policies.
const PROBABILITIES: &str = "opponent_probabilities";
/// Name of the option with the interval of the velocity of chases.
const CHASE: &str = "chase_vel_range";
/// Largest distance in metres from the legs that can be drawn wherever these start.
const MOST_DISTANT: f64 = 7.0;

impl Opponent {
    /// Returns the options of a task.
    pub fn options(&self) -> Vec<OptionSpec> {
        let about =
            "probabilities of an opponent at a fixed place, of one that stays, of one that moves randomly, and of one that flees";
        let mut options = vec![
            number("min_spawn_distance", self.spawn, "least distance in metres of the opponent from the legs at the start")
                .numbers(0.0..=MOST_DISTANT),
            list(PROBABILITIES, &self.probabilities, about),
            interval(CHASE, self.chase, "interval of the opponent's velocity in m/s when it chases"),
            interval("random_vel_range", self.random, "bounds to which the velocities of a randomly moving opponent are clipped"),
        ];
        if self.flees() {
            let about = "bounds in m/s to which the velocity of an opponent that flees is clipped";
            options.push(interval("repeller_vel_range", self.repelled, about));
        }
        options
    }

    /// Creates the opponent from the values of the options. Fails with `Value` for one that the package does not take.
    pub fn with(&self, options: &Options) -> Result<Self> {
        let chase = interval_of(options, CHASE)?;
        if chase.low < 0.0 || chase.high <= 0.0 {
            return Err(Error::value(CHASE, options.get(CHASE), "bounds from 0, the second one above it"));
        }
        Ok(Self {
            probabilities: probabilities_of(options, PROBABILITIES, self.probabilities.len())?.to_vec().into(),
            spawn: options.float("min_spawn_distance"),
            chase,
            random: interval_of(options, "random_vel_range")?,
            repelled: if self.flees() { interval_of(options, "repeller_vel_range")? } else { self.repelled },
        })
    }

    fn flees(&self) -> bool {
        self.probabilities.len() > 3
    }

    /// Draws what the package draws when it makes an environment, which takes a step.
    pub fn create(&self, stored: &mut [f64], random: &mut Generator) {
        self.start(stored, [0.0; 2], true, random);
        stored[PELVIS..][..2].fill(0.0);
        stored[VELOCITY..][..2].fill(0.0);
        self.advance(stored, 0.01, random);
    }

    /// Starts an episode: draws noise, policy, pose and velocity. The observed velocity stays that of the last step.
    pub fn start(&self, stored: &mut [f64], legs: [f64; 2], is_chased: bool, random: &mut Generator) {
        brown_noise::draw(&mut stored[NOISE..], random);
        stored[NEXT] = 0.0;
        stored[IS_FIRST] = 1.0;
        let last = pose(stored);
        stored[LAST_POSE..][..3].copy_from_slice(&last);
        stored[POLICY] = if is_chased { self.policy(random) } else { CHASING };
        let mut pose = [0.0; 3];
        let mut distance = 0.0;
        while distance < self.spawn {
            let [x, y] = [(); 2].map(|()| random.uniform(-START, START));
            pose = [x, y, random.uniform(-2.0 * PI, 2.0 * PI)];
            distance = numpy::norm(&[x - legs[0], y - legs[1]]);
        }
        set_pose(stored, if stored[POLICY] == AT_FIXED_PLACE { FIXED } else { pose });
        stored[CHASE_SPEED] = random.uniform(self.chase.low, self.chase.high);
    }

    fn policy(&self, random: &mut Generator) -> f64 {
        let drawn = random.random();
        let mut sum = 0.0;
        for (policy, probability) in [AT_FIXED_PLACE, STILL, RANDOM].into_iter().zip(&*self.probabilities) {
            sum += probability;
            if drawn < sum {
                return policy;
            }
        }
        REPELLED
    }

    /// Moves the opponent by a step of `seconds`.
    pub fn advance(&self, stored: &mut [f64], seconds: f64, random: &mut Generator) {
        let mut velocity = match stored[POLICY] {
            RANDOM => sample(stored, random).map(|value| self.random.clip(value)),
            REPELLED => self.flee(stored, random),
            CHASING => {
                let [x, y, angle] = pose(stored);
                let ahead = [numpy_ufuncs::cos(angle), numpy_ufuncs::sin(angle)];
                [stored[CHASE_SPEED], numpy::dot(&ahead, &[stored[PELVIS] - x, stored[PELVIS + 1] - y])]
            }
            _ => [0.0; 2],
        };
        velocity[0] = velocity[0].abs();
        stored[VELOCITY..][..2].copy_from_slice(&velocity);
        let [speed, turn] = velocity.map(|value| numpy::clip(value, -FASTEST, FASTEST));
        let [x, y, angle] = pose(stored);
        let direction = angle + FRAC_PI_2;
        let moved = [x - seconds * (speed * numpy_ufuncs::cos(direction)), y - seconds * (speed * numpy_ufuncs::sin(direction))];
        let [x, y] = moved.map(|coordinate| numpy::clip(coordinate, -FIELD, FIELD));
        set_pose(stored, [x, y, angle + seconds * turn]);
    }

    /// Returns the velocities of an opponent that legs and walls repel.
    fn flee(&self, stored: &mut [f64], random: &mut Generator) -> [f64; 2] {
        let [x, y, angle] = pose(stored);
        let step = (WALL - -WALL) / (POINTS - 1) as f64;
        let along = |index: usize| if index + 1 == POINTS { WALL } else { index as f64 * step - WALL };
        let sides = [WALL, -WALL].into_iter().flat_map(|side| (0..POINTS).map(move |index| [side, along(index)]));
        let walls: Vec<_> = sides.collect();
        let obstacles = std::iter::once([stored[PELVIS], stored[PELVIS + 1]]);
        let obstacles = obstacles.chain(walls.iter().copied()).chain(walls.iter().map(|[x, y]| [*y, *x]));
        let obstacles = obstacles.map(|place| (place, numpy::norm(&[place[0] - x, place[1] - y])));
        let near: Vec<_> = obstacles.filter(|(_, distance)| *distance < INFLUENCE).collect();
        if near.is_empty() {
            let [speed, direction] = sample(stored, random);
            return [self.repelled.clip(speed), turn(angle, direction)];
        }
        let count = near.len() as f64;
        let middle = [0, 1].map(|axis| near.iter().fold(0.0, |sum, (place, _)| sum + place[axis]) / count);
        let force = |distance: f64| {
            let excess = 1.0 / distance.max(0.00001) - 1.0 / INFLUENCE;
            0.5 * STRENGTH * (excess * excess)
        };
        let forces: Vec<_> = near.iter().map(|(_, distance)| force(*distance)).collect();
        let speed = self.repelled.clip(numpy::sum(&forces) / count);
        let away = [x - middle[0], y - middle[1]].map(|part| match part.abs() <= BALANCE {
            true => -sign(part) * random.uniform(0.3, 0.9),
            false => part,
        });
        [speed, turn(angle, numpy_ufuncs::arctan2(away[1], away[0]) + 1.57)]
    }
}

/// Returns the next noise of both series.
fn sample(stored: &mut [f64], random: &mut Generator) -> [f64; 2] {
    if stored[NEXT] as usize >= SERIES {
        brown_noise::draw(&mut stored[NOISE..], random);
        stored[NEXT] = 0.0;
    }
    let next = stored[NEXT] as usize;
    stored[NEXT] += 1.0;
    [next, SERIES + next].map(|index| LOUDNESS * stored[NOISE + index])
}

/// Computes `np.sign`.
fn sign(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value.signum() }
}

/// Returns 1 or -1, for the way from one direction to another (`_calc_angular_vel`).
fn turn(present: f64, wanted: f64) -> f64 {
    let within = |mut angle: f64| {
        if angle > 2.0 * PI {
            while angle > 2.0 * PI {
                angle -= 2.0 * PI;
            }
        } else {
            while angle < 0.0 {
                angle += 2.0 * PI;
            }
        }
        angle
    };
    let (present, wanted) = (within(present), within(wanted));
    let clockwise = (0.0 - present).abs() + (2.0 * PI - wanted);
    let anticlockwise = (2.0 * PI - present) + (0.0 + wanted);
    if clockwise < anticlockwise { 1.0 } else { -1.0 }
}

//! Tasks in which legs chase an opponent, or evade it (`ChaseTagEnvV0`).

use super::opponent;
pub use super::opponent::Opponent;
use super::task::{Class, Late, ModelSpec, Outcome, Rules, Scene, UNUSED, choice, flag, forward_observed, interval, interval_of};
use super::terrain::{QuadField, SQUARE_LEN};
use super::walk::{STANDING, STEPPING, add_muscles, random_keyframe, set_keyframe};
use crate::names::{Names, bound};
use crate::robot::{Range, Writer, number};
use crate::rotations::{euler_to_quaternion, quaternion_to_euler};
use crate::vector::distance_xy;
use envpool_rs_engine::{Error, OptionSpec, Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_numeric::{numpy, numpy_ufuncs};
use envpool_rs_sim_mujoco::model_overrides::HFIELD_DATA;
use envpool_rs_sim_mujoco::{Data, Fault};
use std::f64::consts::PI;

/// Time in seconds after which evasion has succeeded and chase has failed.
const LIMIT: f64 = 20.0;
/// Distance in metres from the middle along each axis beyond which an episode terminates.
const FIELD: f64 = 6.5;
/// Height in metres of the pelvis on flat ground, and of the head above the feet elsewhere, below which legs have fallen.
const FALLEN: [f64; 2] = [0.5, 0.2];
/// Bounds of the coordinates of a random start.
const START: f64 = 5.0;
/// Names of the options with the heights of hills, noise and relief.
const HEIGHTS: [&str; 3] = ["hills_range", "rough_range", "relief_range"];
const INITIAL_STEP: usize = STEPPING[0];

/// Index of the task of the episode among the values that a lane stores; those of the opponent follow.
const TASK: usize = 0;
const CHASE: f64 = 0.0;
const EVADE: f64 = 1.0;

/// Arguments of a task.
pub struct ChaseTag {
    /// Start of episodes: `init` or `random`.
    pub reset_type: &'static str,
    /// Task of the legs: `CHASE`, `EVADE` or `random`.
    pub choice: &'static str,
    /// Heights of hills, noise and relief in metres, of which the ground is drawn; `None` for flat ground.
    pub terrain: Option<[Range; 3]>,
    pub opponent: Opponent,
    /// Distance in metres at which a chase is won.
    pub win: f64,
}

impl Class for ChaseTag {
    fn options(&self) -> Vec<OptionSpec> {
        let start = "start of episodes: a step, a random step at a random place, or standing";
        let mut options = vec![
            choice("reset_type", self.reset_type, &["init", "random", "none"], start),
            choice("task_choice", self.choice, &["CHASE", "EVADE", "random"], "task of the legs; random: drawn at each reset"),
            number("win_distance", self.win, "distance in metres at which a chase is won"),
        ];
        options.extend(self.opponent.options());
        let heights = HEIGHTS.iter().zip(self.terrain.iter().flatten());
        options.extend(
            heights.map(|(name, range)| interval(name, *range, "interval of the heights of one kind of ground in metres")),
        );
        options
    }

    fn reward_keys(&self) -> &'static [&'static str] {
        &["act_reg", "distance", "lose"]
    }

    fn weights(&self) -> Vec<(&'static str, f64)> {
        vec![("distance", -0.1), ("lose", -1000.0)]
    }

    fn observed(&self, model: &ModelSpec) -> usize {
        model.nq - 7 + model.nv - 6 + 17 + 3 * model.nu
    }

    fn goal_len(&self, _model: &ModelSpec) -> usize {
        1 + opponent::STORED
    }

    fn terrain_height(&self) -> Option<f64> {
        Some(if self.terrain.is_some() { 0.0 } else { UNUSED })
    }

    fn create(&'static self, options: &Options) -> Result<Box<dyn Rules>> {
        let heights = |name| interval_of(options, name);
        let terrain =
            self.terrain.map(|_| -> Result<_> { Ok([heights(HEIGHTS[0])?, heights(HEIGHTS[1])?, heights(HEIGHTS[2])?]) });
        Ok(Box::new(ChaseRules {
            terrain: terrain.transpose()?,
            opponent: self.opponent.with(options)?,
            starts: options.text("reset_type").expect("it has a default").to_owned(),
            choice: options.text("task_choice").expect("it has a default").to_owned(),
            win: options.float("win_distance"),
            bound: Late::NONE,
        }))
    }
}

struct ChaseRules {
    terrain: Option<[Range; 3]>,
    opponent: Opponent,
    starts: String,
    choice: String,
    win: f64,
    bound: Late<Bound>,
}

bound! {
    /// Ids of the model's objects.
    struct Bound {
        pelvis: body("pelvis"),
        head: site("head"),
        left: body("talus_l"),
        right: body("talus_r");
        /// Indices of the forces under the feet in `sensordata`.
        feet: Vec<usize>,
        quad: Option<QuadField>,
    }
}

impl ChaseRules {
    /// Moves a start to a random place and direction.
    fn place(data: &mut Data, random: &mut Generator) {
        let place = [(); 2].map(|()| random.uniform(-START, START));
        let direction = random.uniform(0.0, 2.0 * PI);
        let positions = data.qpos_mut();
        positions[..2].copy_from_slice(&place);
        let [about_x, about_y, _] = quaternion_to_euler(&positions[3..7].try_into().expect("four values"));
        positions[3..7].copy_from_slice(&euler_to_quaternion(&[about_x, about_y, direction]));
        let speed = numpy::norm(&data.qvel()[..2]);
        data.qvel_mut()[..2].copy_from_slice(&[numpy_ufuncs::cos(direction) * speed, numpy_ufuncs::sin(direction) * speed]);
    }
}

impl Rules for ChaseRules {
    fn bind(&mut self, names: Names<'_>, _start: &mut [f64]) -> Result<()> {
        if names.0.key_qpos(STEPPING[1]).is_none() {
            return Err(Error::Value("the model has no keyframes of walking".to_owned()));
        }
        let feet = names.sensors(&["r_foot", "r_toes", "l_foot", "l_toes"])?;
        let quad = self.terrain.map(|ranges| QuadField::load(names.0, ranges)).transpose()?;
        self.bound = Bound::bind(names, feet, quad)?.into();
        Ok(())
    }

    fn draw_at_creation(&self, goal: &mut [f64], random: &mut Generator) {
        if let Some(quad) = &self.bound.quad {
            quad.draw(&mut vec![0.0; SQUARE_LEN], random);
        }
        self.opponent.create(&mut goal[1..], random);
    }

    fn start(&self, data: &mut Data, goal: &mut [f64], random: &mut Generator) -> Result<(), Fault> {
        if let Some(quad) = &self.bound.quad {
            quad.draw(data.model_array_mut(HFIELD_DATA), random);
        }
        goal[TASK] = match &*self.choice {
            "CHASE" => CHASE,
            "EVADE" => EVADE,
            _ => random.choice(2) as f64,
        };
        match &*self.starts {
            "random" => {
                random_keyframe(data, random);
                Self::place(data, random);
            }
            "init" => set_keyframe(data, INITIAL_STEP),
            _ => set_keyframe(data, STANDING),
        }
        let place = [data.qpos()[0], data.qpos()[1]];
        if self.bound.quad.is_some() {
            QuadField::flatten(data.model_array_mut(HFIELD_DATA), place);
        }
        let is_chased = goal_is_chase(goal);
        self.opponent.start(&mut goal[1..], place, is_chased, random);
        Ok(())
    }

    fn advance(&self, goal: &mut [f64], random: &mut Generator, seconds: f64) {
        self.opponent.advance(&mut goal[1..], seconds, random);
    }

    fn evaluate(
        &self,
        data: &mut Data,
        goal: &mut [f64],
        scene: &Scene,
        [frame, rewards]: [&mut Writer<'_>; 2],
    ) -> Result<Outcome, Fault> {
        forward_observed(data)?;
        let Bound { pelvis, head, left, right, feet, quad } = &*self.bound;
        let is_chase = goal_is_chase(goal);
        let root = data.body(*pelvis);
        let seen = opponent::observe(&mut goal[1..], &root);
        let (positions, velocities) = (data.qpos(), data.qvel());
        frame.add(&positions[7..]);
        frame.add_mapped(&velocities[6..], |velocity| velocity * scene.seconds);
        feet.iter().for_each(|place| frame.add(&[data.sensordata()[*place]]));
        frame.add(&data.xquat()[4 * pelvis..][..4]);
        frame.add(&seen);
        frame.add(&positions[..2]);
        frame.add(&velocities[..2]);
        add_muscles(data, frame);

        let is_tagged = distance_xy(&root, &seen) <= self.win;
        let is_late = scene.time >= LIMIT;
        let is_out = root[..2].iter().any(|coordinate| coordinate.abs() > FIELD);
        let has_fallen = match quad {
            None => root[2] < FALLEN[0],
            Some(_) => data.site(*head)[2] - (data.body(*left)[2] + data.body(*right)[2]) / 2.0 < FALLEN[1],
        };
        let passed = (scene.time * 100.0).round_ties_even() / 100.0 / LIMIT;
        let (is_won, is_lost, score) = match is_chase {
            true => (is_tagged, has_fallen || is_late || is_out, 1.0 - passed),
            false => (is_late, is_tagged || is_out, passed),
        };
        let has_score = is_won || !is_chase && is_lost;
        if is_chase && is_lost {
            scene.shown_time.set(LIMIT);
        }
        let distance = distance_xy(positions, &seen);
        rewards.add(&[scene.effort, distance, flag(is_lost)]);
        let sparse = if has_score { score } else { 0.0 };
        opponent::show(&goal[1..], data);
        Ok(Outcome { sparse, is_solved: is_won, is_done: is_lost || is_won })
    }
}

fn goal_is_chase(goal: &[f64]) -> bool {
    goal[TASK] == CHASE
}

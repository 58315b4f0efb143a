//! Starts, observations and rewards of the four Adroit tasks.

use crate::names::{Names, bound};
use crate::robot::{Range, Writer};
use crate::rotations::{euler_to_quaternion, quaternion_to_euler};
use crate::vector::{Vec3, distance, sub};
use envpool_rs_engine::Result;
use envpool_rs_numeric::random::Generator;
use envpool_rs_numeric::{numpy, numpy_ufuncs};
use envpool_rs_sim_mujoco::Data;
use envpool_rs_sim_mujoco::model_overrides::{BODY_POS, BODY_QUAT, SITE_POS};

/// Function that looks up the objects of a task's model.
pub type Bind = fn(Names<'_>) -> Result<Box<dyn Rules>>;

/// Quantities of a lane that a task computes at the reset, and reads until the next reset.
pub type Lengths = [f64; 2];

#[derive(Debug, Clone, Copy)]
pub struct Outcome {
    pub is_success: bool,
    /// Distance to the goal in metres; for the door, its angle in radians.
    pub distance: f64,
    /// Reward of the type `dense`.
    pub dense: f64,
}

/// Rules of a task, with the ids of its objects.
pub trait Rules: Send + Sync {
    /// Draws the start of an episode: places the objects in the lane's model.
    fn draw(&self, data: &mut Data, random: &mut Generator);

    /// Places the objects in the lane's model; `places` are the numbers of [`RulesClass::places`].
    fn place(&self, data: &mut Data, places: &[f64]);

    /// Returns the quantities that depend on the start, after derived quantities were computed.
    fn lengths(&self, _data: &Data) -> Lengths {
        [1.0; 2]
    }

    fn observe(&self, data: &Data, lengths: &Lengths, to: &mut Writer<'_>);

    fn outcome(&self, data: &Data, lengths: &Lengths) -> Outcome;
}

/// Class of [`Rules`], with the properties of its model.
pub struct RulesClass {
    /// Path of the model in the folder of Gymnasium-Robotics' models.
    pub xml_file: &'static str,
    pub observed: usize,
    pub actuators: usize,
    /// Number of positions of the model, which is its number of velocities.
    pub positions: usize,
    /// Keys of objects' places in Gymnasium-Robotics' `set_env_state`, with their numbers of values.
    pub places: &'static [(&'static str, usize)],
    pub bind: Bind,
}

bound! {
    /// Task of opening a door with a latch.
    pub struct Door {
        hinge: velocity("door_hinge"),
        grasp: site("S_grasp"),
        handle: site("S_handle"),
        frame: body("frame"),
    }

    /// Task of driving a nail into a board with a hammer.
    pub struct Hammer {
        nail: site("S_target"),
        grasp: site("S_grasp"),
        hammer: body("Object"),
        tool: site("tool"),
        goal: site("nail_goal"),
        board: body("nail_board"),
        /// Index in `sensordata` that Gymnasium-Robotics reads: the number of the sensor of the nail.
        impact: sensor_id("S_nail"),
    }

    /// Task of turning a pen in the hand to the orientation of another pen.
    pub struct AdroitPen {
        target: body("target"),
        pen: body("Object"),
        ball: site("eps_ball"),
        top: site("object_top"),
        bottom: site("object_bottom"),
        target_top: site("target_top"),
        target_bottom: site("target_bottom"),
    }

    /// Task of moving a ball to a target.
    pub struct Relocate {
        target: site("target"),
        grasp: site("S_grasp"),
        ball: body("Object"),
    }
}

pub static DOOR: RulesClass = RulesClass {
    xml_file: "adroit_hand/adroit_door.xml",
    observed: 39,
    actuators: 28,
    positions: 30,
    places: &[("door_body_pos", 3)],
    bind: |names| Ok(Box::new(Door::bind(names)?)),
};

impl Rules for Door {
    fn draw(&self, data: &mut Data, random: &mut Generator) {
        let place = &mut data.model_array_mut(BODY_POS)[3 * self.frame..][..3];
        for (value, [low, high]) in place.iter_mut().zip([[-0.3, -0.2], [0.25, 0.35], [0.252, 0.35]]) {
            *value = random.uniform(low, high);
        }
    }

    fn place(&self, data: &mut Data, places: &[f64]) {
        data.model_array_mut(BODY_POS)[3 * self.frame..][..3].copy_from_slice(places);
    }

    fn observe(&self, data: &Data, _lengths: &Lengths, to: &mut Writer<'_>) {
        let (qpos, palm, handle) = (data.qpos(), data.site(self.grasp), data.site(self.handle));
        let (latch, angle) = (qpos[qpos.len() - 1], qpos[self.hinge]);
        to.add(&qpos[1..qpos.len() - 2]);
        to.add(&[latch, angle]);
        to.add(&palm);
        to.add(&handle);
        to.add(&sub(palm, handle));
        to.add(&[if angle > 1.0 { 1.0 } else { -1.0 }]);
    }

    fn outcome(&self, data: &Data, _lengths: &Lengths) -> Outcome {
        let angle = data.qpos()[self.hinge];
        let mut dense = 0.1 * distance(data.site(self.grasp), data.site(self.handle));
        dense += -0.1 * (angle - 1.57) * (angle - 1.57);
        dense += -1e-5 * numpy::sum_of_squares(data.qvel());
        for (limit, bonus) in [(0.2, 2.0), (1.0, 8.0), (1.35, 10.0)] {
            if angle > limit {
                dense += bonus;
            }
        }
        Outcome { is_success: angle >= 1.35, distance: angle, dense }
    }
}

pub static HAMMER: RulesClass = RulesClass {
    xml_file: "adroit_hand/adroit_hammer.xml",
    observed: 46,
    actuators: 26,
    positions: 33,
    places: &[("board_pos", 3)],
    bind: |names| Ok(Box::new(Hammer::bind(names)?)),
};

impl Rules for Hammer {
    fn draw(&self, data: &mut Data, random: &mut Generator) {
        data.model_array_mut(BODY_POS)[3 * self.board + 2] = random.uniform(0.1, 0.25);
    }

    fn place(&self, data: &mut Data, places: &[f64]) {
        data.model_array_mut(BODY_POS)[3 * self.board..][..3].copy_from_slice(places);
    }

    fn observe(&self, data: &Data, _lengths: &Lengths, to: &mut Writer<'_>) {
        let (qpos, qvel) = (data.qpos(), data.qvel());
        let orientation = data.xquat()[4 * self.hammer..][..4].try_into().expect("four values");
        let bounds = Range { low: -1.0, high: 1.0 };
        to.add(&qpos[..qpos.len() - 6]);
        to.add_clipped(&qvel[qvel.len() - 6..], bounds);
        to.add(&data.site(self.grasp));
        to.add(&data.body(self.hammer));
        to.add(&quaternion_to_euler(&orientation));
        to.add(&data.site(self.nail));
        to.add_clipped(&data.sensordata()[self.impact..=self.impact], bounds);
    }

    fn outcome(&self, data: &Data, _lengths: &Lengths) -> Outcome {
        let (hammer, head, nail) = (data.body(self.hammer), data.site(self.tool), data.site(self.nail));
        let to_goal = distance(nail, data.site(self.goal));
        let mut dense = 0.1 * distance(data.site(self.grasp), hammer);
        dense -= distance(head, nail);
        dense -= 10.0 * to_goal;
        dense -= 0.01 * numpy_ufuncs::norm(data.qvel());
        if hammer[2] > 0.04 && head[2] > 0.04 {
            dense += 2.0;
        }
        for (limit, bonus) in [(0.02, 25.0), (0.01, 75.0)] {
            if to_goal < limit {
                dense += bonus;
            }
        }
        Outcome { is_success: to_goal < 0.01, distance: to_goal, dense }
    }
}

impl AdroitPen {
    /// Returns the vectors from bottom to top of the pen and of the target, divided by `lengths`.
    fn directions(&self, data: &Data, lengths: &Lengths) -> [Vec3; 2] {
        let [[top, bottom], [target_top, target_bottom]] = self.ends(data);
        [sub(top, bottom).map(|value| value / lengths[0]), sub(target_top, target_bottom).map(|value| value / lengths[1])]
    }

    /// Returns top and bottom of the pen, then of the target.
    fn ends(&self, data: &Data) -> [[Vec3; 2]; 2] {
        [[self.top, self.bottom], [self.target_top, self.target_bottom]].map(|ends| ends.map(|site| data.site(site)))
    }
}

pub static PEN: RulesClass = RulesClass {
    xml_file: "adroit_hand/adroit_pen.xml",
    observed: 45,
    actuators: 24,
    positions: 30,
    places: &[("desired_orien", 4)],
    bind: |names| Ok(Box::new(AdroitPen::bind(names)?)),
};

impl Rules for AdroitPen {
    fn draw(&self, data: &mut Data, random: &mut Generator) {
        let (x, y) = (random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
        self.place(data, &euler_to_quaternion(&[x, y, 0.0]));
    }

    fn place(&self, data: &mut Data, places: &[f64]) {
        data.model_array_mut(BODY_QUAT)[4 * self.target..][..4].copy_from_slice(places);
    }

    fn lengths(&self, data: &Data) -> Lengths {
        self.ends(data).map(|[top, bottom]| distance(top, bottom))
    }

    fn observe(&self, data: &Data, lengths: &Lengths, to: &mut Writer<'_>) {
        let (qpos, qvel) = (data.qpos(), data.qvel());
        let (pen, [own, desired]) = (data.body(self.pen), self.directions(data, lengths));
        to.add(&qpos[..qpos.len() - 6]);
        to.add(&pen);
        to.add(&qvel[qvel.len() - 6..]);
        to.add(&own);
        to.add(&desired);
        to.add(&sub(pen, data.site(self.ball)));
        to.add(&sub(own, desired));
    }

    fn outcome(&self, data: &Data, lengths: &Lengths) -> Outcome {
        let (pen, [own, desired]) = (data.body(self.pen), self.directions(data, lengths));
        let (to_ball, similarity) = (distance(pen, data.site(self.ball)), numpy::dot(&own, &desired));
        let is_near = to_ball < 0.075;
        let mut dense = -to_ball + similarity;
        if is_near && similarity > 0.9 {
            dense += 10.0;
        }
        if is_near && similarity > 0.95 {
            dense += 50.0;
        }
        if pen[2] < 0.075 {
            dense -= 5.0;
        }
        Outcome { is_success: is_near && similarity > 0.95, distance: to_ball, dense }
    }
}

pub static RELOCATE: RulesClass = RulesClass {
    xml_file: "adroit_hand/adroit_relocate.xml",
    observed: 39,
    actuators: 30,
    positions: 36,
    places: &[("obj_pos", 3), ("target_pos", 3)],
    bind: |names| Ok(Box::new(Relocate::bind(names)?)),
};

impl Relocate {
    fn places(&self, data: &Data) -> [Vec3; 3] {
        [data.site(self.grasp), data.body(self.ball), data.site(self.target)]
    }
}

impl Rules for Relocate {
    fn draw(&self, data: &mut Data, random: &mut Generator) {
        let ball = [random.uniform(-0.15, 0.15), random.uniform(-0.15, 0.3)];
        data.model_array_mut(BODY_POS)[3 * self.ball..][..2].copy_from_slice(&ball);
        let target = [random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), random.uniform(0.15, 0.35)];
        data.model_array_mut(SITE_POS)[3 * self.target..][..3].copy_from_slice(&target);
    }

    fn place(&self, data: &mut Data, places: &[f64]) {
        data.model_array_mut(BODY_POS)[3 * self.ball..][..3].copy_from_slice(&places[..3]);
        data.model_array_mut(SITE_POS)[3 * self.target..][..3].copy_from_slice(&places[3..]);
    }

    fn observe(&self, data: &Data, _lengths: &Lengths, to: &mut Writer<'_>) {
        let (qpos, [palm, ball, target]) = (data.qpos(), self.places(data));
        to.add(&qpos[..qpos.len() - 6]);
        to.add(&sub(palm, ball));
        to.add(&sub(palm, target));
        to.add(&sub(ball, target));
    }

    fn outcome(&self, data: &Data, _lengths: &Lengths) -> Outcome {
        let [palm, ball, target] = self.places(data);
        let to_target = distance(ball, target);
        let mut dense = 0.1 * distance(palm, ball);
        if ball[2] > 0.04 {
            dense += 1.0;
            dense += -0.5 * distance(palm, target);
            dense += -0.5 * to_target;
        }
        for (limit, bonus) in [(0.1, 10.0), (0.05, 20.0)] {
            if to_target < limit {
                dense += bonus;
            }
        }
        Outcome { is_success: to_target < 0.1, distance: to_target, dense }
    }
}

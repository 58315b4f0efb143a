//! Tasks `button-press-v3`, `button-press-wall-v3`, `button-press-topdown-v3` and `button-press-topdown-wall-v3`.

use super::prelude::*;
use envpool_rs_numeric::math::pow2;

pub static PRESS: TaskSpec = TaskSpec {
    name: "button-press-v3",
    model: "sawyer_xyz/sawyer_button_press.xml",
    hand_init: float32([0.0, 0.4, 0.2]),
    random_low: &[-0.1, 0.85, 0.115],
    random_high: &[0.1, 0.9, 0.115],
    bind: |names| Ok(Box::new(Press::bind(names, 1, [0.05, 0.02], side)?)),
    ..USUAL
};

pub static PRESS_WALL: TaskSpec = TaskSpec {
    name: "button-press-wall-v3",
    model: "sawyer_xyz/sawyer_button_press_wall.xml",
    random_low: &[-0.05, 0.85, 0.1149],
    random_high: &[0.05, 0.9, 0.1151],
    bind: |names| Ok(Box::new(Press { has_wall_at_side: true, ..Press::bind(names, 1, [0.01, 0.03], wall)? })),
    ..PRESS
};

pub static TOPDOWN: TaskSpec = TaskSpec {
    name: "button-press-topdown-v3",
    model: "sawyer_xyz/sawyer_button_press_topdown.xml",
    random_low: &[-0.1, 0.8, 0.115],
    random_high: &[0.1, 0.9, 0.115],
    bind: |names| Ok(Box::new(Press::bind(names, 2, [0.01, 0.024], |parts| from_above(parts, 1.0 - parts.opened))?)),
    ..PRESS
};

pub static TOPDOWN_WALL: TaskSpec = TaskSpec {
    name: "button-press-topdown-wall-v3",
    model: "sawyer_xyz/sawyer_button_press_topdown_wall.xml",
    bind: |names| Ok(Box::new(Press::bind(names, 2, [0.01, 0.024], |parts| from_above(parts, parts.opened.max(0.0)))?)),
    ..TOPDOWN
};

bound! {
    struct Button {
        machine: body("box"),
        button: body("button"),
        hole_site: site("hole"),
        start_site: site("buttonStart");
        /// Axis along which the button is pressed: 1 (y) or 2 (z).
        axis: usize,
    }
}

impl Button {
    fn front(&self, sim: &Sawyer<'_>) -> Vec3 {
        let offset = if self.axis == 1 { [0.0, -0.193, 0.0] } else { [0.0, 0.0, 0.193] };
        add(sim.body(self.button), offset)
    }
}

/// Values from which the tasks compute their rewards.
struct PressInputs {
    tcp_to_object: f64,
    /// How far the gripper is open.
    opened: f64,
    /// Reward for being near the button.
    near: f64,
    /// Reward for pressing the button.
    pressed: f64,
}

/// Returns the reward of `button-press-v3`.
fn side(parts: &PressInputs) -> f64 {
    let reward = 2.0 * hamacher_product(parts.opened.max(0.0), parts.near);
    if parts.tcp_to_object <= 0.05 { reward + 8.0 * parts.pressed } else { reward }
}

/// Returns the reward of `button-press-wall-v3`.
fn wall(parts: &PressInputs) -> f64 {
    if parts.tcp_to_object > 0.07 {
        return 2.0 * hamacher_product((1.0 - parts.opened) / 2.0, parts.near);
    }
    2.0 + 2.0 * (1.0 + parts.opened) + 4.0 * pow2(&[parts.pressed])[0]
}

/// Returns the reward of `button-press-topdown-v3` and `button-press-topdown-wall-v3`, by the reward for the gripper.
fn from_above(parts: &PressInputs, gripper: f64) -> f64 {
    let reward = 5.0 * hamacher_product(gripper, parts.near);
    if parts.tcp_to_object <= 0.03 { reward + 5.0 * parts.pressed } else { reward }
}

/// Rules of all four tasks. `episode.own` starts with the initial distances of the button from the goal: along its axis, and along z.
struct Press {
    button: Button,
    /// Distance of the gripper from the button at which the reward is largest.
    near: f64,
    /// Distance of the button from the goal at which the task is solved.
    success: f64,
    /// Whether version 1 of the reward takes the initial distance along z, as in `button-press-wall-v3`.
    has_wall_at_side: bool,
    reward: fn(&PressInputs) -> f64,
}

impl Press {
    /// Creates the rules for a button that is pressed along `axis`. `near` and `success` are the distances of those fields.
    fn bind(names: Names<'_>, axis: usize, [near, success]: [f64; 2], reward: fn(&PressInputs) -> f64) -> Result<Self> {
        Ok(Self { button: Button::bind(names, axis)?, near, success, has_wall_at_side: false, reward })
    }
}

impl Rules for Press {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        let axis = self.button.axis;
        episode.object = vec3(&episode.random, 0);
        sim.set_model_body(self.button.machine, episode.object);
        match axis {
            1 => sim.set_positions(9, &[0.0], 9..10)?,
            _ => sim.set_positions(9, &[], 0..0)?,
        }
        episode.target = sim.site(self.button.hole_site);
        let start = sim.site(self.button.start_site);
        episode.own[0] = (episode.target[axis] - start[axis]).abs();
        episode.own[1] = (start[2] - episode.target[2]).abs();
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(self.button.front(sim), sim.body_quat(self.button.button))
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let (object, axis) = (step.object(), self.button.axis);
        let fingers = if axis == 1 { left_finger(step.sim) } else { step.sim.tcp_center() };
        let initial = episode.own[if self.has_wall_at_side { 1 } else { 0 }];
        Move::new(fingers, object, (object[axis] - episode.target[axis]).abs(), initial).outcome(self.success, 0.0)
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let (object, axis) = (step.object(), self.button.axis);
        let tcp_to_object = distance(object, step.sim.tcp_center());
        let obj_to_target = (episode.target[axis] - object[axis]).abs();
        let near = tolerance(tcp_to_object, (0.0, self.near), distance(object, episode.tcp));
        let pressed = tolerance(obj_to_target, (0.0, 0.005), episode.own[0]);
        let reward = (self.reward)(&PressInputs { tcp_to_object, opened: step.opened(), near, pressed });
        let parts =
            Parts { reward: Number::Python(reward), grasped: near, in_place: pressed, to_target: obj_to_target, tcp_to_object };
        Ok(parts.outcome(0.05, self.success, flag(step.opened() > 0.0)))
    }
}

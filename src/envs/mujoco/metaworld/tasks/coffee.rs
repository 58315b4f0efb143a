//! Tasks `coffee-button-v3`, `coffee-push-v3` and `coffee-pull-v3`: a coffee machine and a mug.

use super::prelude::*;
use super::puck::is_far;

const MAX_DIST: f64 = 0.03;
/// Weights of the axes in the distance of the mug from its goal.
const SCALE: Vec3 = [2.0, 2.0, 1.0];
/// Position of the machine relative to the place of the mug in it.
const MACHINE: Vec3 = [0.0, 0.22, 0.0];
const CAGING: Caging =
    Caging { radius: 0.02, pad_threshold: 0.05, reach_radius: 0.04, xz_threshold: 0.05, effort: 0.7, density: Density::Medium };

pub static BUTTON: TaskSpec = TaskSpec {
    name: "coffee-button-v3",
    model: "sawyer_xyz/sawyer_coffee.xml",
    hand_init: [0.0, 0.4, 0.2],
    random_low: &[-0.1, 0.8, -0.001],
    random_high: &[0.1, 0.9, 0.001],
    goal: [add([-0.1, 0.8, -0.001], [-0.001, -0.22 + MAX_DIST, 0.299]), add([0.1, 0.9, 0.001], [0.001, -0.22 + MAX_DIST, 0.301])],
    bind: |names| Ok(Box::new(CoffeeButton::bind(names)?)),
    ..USUAL
};

pub static PUSH: TaskSpec = TaskSpec {
    name: "coffee-push-v3",
    random_low: &[-0.1, 0.55, -0.001, -0.05, 0.7, -0.001],
    random_high: &[0.1, 0.65, 0.001, 0.05, 0.75, 0.001],
    goal: [[-0.05, 0.7, -0.001], [0.05, 0.75, 0.001]],
    accepts: is_far,
    bind: |names| Ok(Box::new(Mug::bind(names, true)?)),
    ..BUTTON
};

pub static PULL: TaskSpec = TaskSpec {
    name: "coffee-pull-v3",
    random_low: &[-0.05, 0.7, -0.001, -0.1, 0.55, -0.001],
    random_high: &[0.05, 0.75, 0.001, 0.1, 0.65, 0.001],
    goal: [[-0.1, 0.55, -0.001], [0.1, 0.65, 0.001]],
    bind: |names| Ok(Box::new(Mug::bind(names, false)?)),
    ..PUSH
};

/// Moves the mug, whose joint is the model's first one, as the reference does: the velocities of other joints are set to 0.
fn place_mug(sim: &mut Sawyer<'_>, position: Vec3) -> Result<(), Fault> {
    sim.set_positions(0, &position, 9..15)
}

bound! {
    /// Rules of `coffee-button-v3`. The button's initial distance from the goal is at the start of `episode.own`.
    struct CoffeeButton {
        machine: body("coffee_machine"),
        button_site: site("buttonStart"),
    }

    /// Rules of `coffee-push-v3` and `coffee-pull-v3`.
    struct Mug {
        machine: body("coffee_machine"),
        mug: body("obj"),
        mug_geom: geom("mug"),
        goal_site: site("mug_goal");
        machine_at_goal: bool,
    }
}

impl Rules for CoffeeButton {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        episode.object = vec3(&episode.random, 0);
        sim.set_model_body(self.machine, episode.object);
        place_mug(sim, add(episode.object, [0.0, -0.22, 0.0]))?;
        episode.target = add(add(episode.object, [0.0, -0.22, 0.3]), [0.0, MAX_DIST, 0.0]);
        episode.own[0] = (sim.site(self.button_site)[1] - episode.target[1]).abs();
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(sim.site(self.button_site), [1.0, 0.0, 0.0, 0.0])
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let object = step.object();
        let to_target = (object[1] - episode.target[1]).abs();
        Move::new(left_finger(step.sim), object, to_target, episode.own[0]).outcome(0.02, 0.0)
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let object = step.object();
        let tcp_to_object = distance(object, step.sim.tcp_center());
        let obj_to_target = (episode.target[1] - object[1]).abs();
        let near = tolerance(tcp_to_object, (0.0, 0.05), distance(object, episode.tcp));
        let pressed = tolerance(obj_to_target, (0.0, 0.005), MAX_DIST);
        let mut reward = 2.0 * hamacher_product(step.opened().max(0.0), near);
        if tcp_to_object <= 0.05 {
            reward += 8.0 * pressed;
        }
        let parts =
            Parts { reward: Number::Python(reward), grasped: near, in_place: pressed, to_target: obj_to_target, tcp_to_object };
        Ok(parts.outcome(0.05, 0.02, flag(step.opened() > 0.0)))
    }
}

impl Rules for Mug {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        episode.object = vec3(&episode.random, 0);
        episode.target = vec3(&episode.random, 3);
        place_mug(sim, episode.object)?;
        let place = if self.machine_at_goal { episode.target } else { episode.object };
        sim.set_model_body(self.machine, add(place, MACHINE));
        sim.set_model_site(self.goal_site, episode.target);
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(sim.body(self.mug), sim.geom_rotation(self.mug_geom))
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let (mug, target) = (step.object(), episode.target);
        let fingers = step.sim.tcp_center();
        let (to_goal, initial) = (distance_xy(&mug, &target), distance_xy(&episode.object, &target));
        let moved = Move::new(fingers, mug, to_goal, initial);
        let to_target = distance(mug, target);
        if self.machine_at_goal {
            return Move { to_target, ..moved }.outcome(0.07, 0.0);
        }
        let reach = distance(fingers, mug);
        // The reference compares with a vector of the mug's position and the initial height of the fingers.
        let aside = numpy::norm(&[mug[0], mug[1], episode.tcp[2]]);
        let near = if reach < 0.05 { grip(step) } else { 0.0 };
        let reaching = if aside < 0.05 { -reach + 0.1 + near } else { -aside };
        let pulled = if reach < 0.05 { progress(initial, to_goal, WIDTHS).max(0.0) } else { 0.0 };
        Move { reward: reaching + pulled, to_target }.outcome(0.07, 0.0)
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let object = step.object();
        let weighted = |place: Vec3| numpy::norm(&mul(sub(place, episode.target), SCALE));
        let to_target = weighted(object);
        let in_place = tolerance(to_target, (0.0, 0.05), weighted(episode.object));
        let tcp_to_object = distance(object, step.sim.tcp_center());
        let grasped = CAGING.reward(step, episode, object);
        let is_open = step.opened() > 0.0;
        let held = (tcp_to_object < 0.04 && is_open).then_some((5.0 * in_place).into());
        let reward = grasp_and_move(grasped, in_place, held, to_target < 0.05);
        let obj_to_target = distance(object, episode.target);
        let parts = Parts { reward, grasped: grasped.value(), in_place, to_target: obj_to_target, tcp_to_object };
        Ok(parts.outcome(0.03, 0.07, flag(is_open && step.sim.touches(self.mug_geom))))
    }
}

//! Tasks `stick-pull-v3` and `stick-push-v3`: move a container with a stick.

use super::prelude::*;
use super::puck::TARGET_RADIUS;

/// Initial height of the stick, in metres.
const HEIGHT: f64 = 0.02;
/// Distance of the container from its goal at which the task is solved, in metres.
const SUCCESS: f64 = 0.12;
/// Index in `qpos` and `qvel` at which the reference places the container.
const CONTAINER: usize = 16;
/// Position of the container relative to its handle.
const FROM_HANDLE: Vec3 = [0.05, 0.0, 0.0];
/// Position of the container relative to the site `insertion` in `stick-push-v3`.
const FROM_INSERTION: Vec3 = [0.0, 0.09, 0.0];
/// Position relative to the stick at which the gripper grasps it in `stick-push-v3`.
const GRASP: Vec3 = [0.015, 0.0, 0.0];
/// Weights of the axes in the distance of the stick from the container.
const SCALE: Vec3 = [1.0, 1.0, 2.0];
/// Parameters of the reward for grasping the stick in `stick-pull-v3`.
const PULL_CAGING: Caging =
    Caging { radius: 0.014, pad_threshold: 0.05, reach_radius: 0.01, xz_threshold: 0.01, effort: 1.0, density: Density::High };
/// Parameters of the reward for grasping the stick in `stick-push-v3`.
const PUSH_CAGING: Caging = Caging { radius: 0.04, ..PULL_CAGING };

pub static PULL: TaskSpec = TaskSpec {
    name: "stick-pull-v3",
    model: "sawyer_xyz/sawyer_stick_obj.xml",
    hand: [[-0.5, 0.35, 0.05], [0.5, 1.0, 0.5]],
    hand_init: HAND_INIT,
    random_low: &[-0.1, 0.55, 0.0, 0.35, 0.45, 0.0199],
    random_high: &[0.0, 0.65, 0.001, 0.45, 0.55, 0.0201],
    goal: [[0.35, 0.45, 0.0199], [0.45, 0.55, 0.0201]],
    accepts: |random| distance_xy(random, &random[3..]) >= 0.1,
    bind: |names| Ok(Box::new(StickPull(HeldStick::bind(names)?))),
};

pub static PUSH: TaskSpec = TaskSpec {
    name: "stick-push-v3",
    hand: HAND,
    random_low: &[-0.08, 0.58, 0.0, 0.399, 0.55, 0.1319],
    random_high: &[-0.03, 0.62, 0.001, 0.401, 0.6, 0.1321],
    goal: [[0.399, 0.55, 0.1319], [0.401, 0.6, 0.1321]],
    bind: |names| Ok(Box::new(StickPush(HeldStick::bind(names)?))),
    ..PULL
};

bound! {
    struct HeldStick {
        stick: body("stick"),
        container: body("object"),
        stick_geom: geom("objGeom"),
        end_site: site("stick_end"),
        insertion_site: site("insertion"),
        goal_site: site("goal"),
    }
}

impl HeldStick {
    /// Places stick, container, and a goal of the height `height`. The stick's position is at the start of `episode.own`.
    fn place(&self, sim: &mut Sawyer<'_>, episode: &mut Episode, container: [f64; 2], height: f64) -> Result<(), Fault> {
        let [x, y, _, goal_x, goal_y, _] = episode.random;
        let stick = [x, y, HEIGHT];
        episode.own[..3].copy_from_slice(&stick);
        episode.target = [goal_x, goal_y, height];
        sim.set_object(stick)?;
        sim.set_positions(CONTAINER, &container, CONTAINER..CONTAINER + 2)?;
        episode.object = sim.body(self.container);
        sim.set_model_site(self.goal_site, episode.target);
        episode.own[LIFTED] = sim.body(self.stick)[2];
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>, container: Vec3) -> Objects {
        Objects::two((sim.body(self.stick), sim.body_rotation(self.stick)), (container, [0.0; 4]))
    }
}

/// Returns the observed position of the container or of its handle (`obs[11:14]`).
fn container(step: &Step<'_, '_>) -> Vec3 {
    vec3(&step.observation, 11)
}

/// Computes version 1 of the tasks' reward, with bonuses of the variances `widths` for the container's position.
fn moved(step: &Step<'_, '_>, episode: &Episode, widths: [f64; 2]) -> Move {
    // The reference reads the container's position from values of the stick.
    let (stick, container, height) = (step.object(), vec3(&step.observation, 6), episode.own[LIFTED]);
    let reach = distance(stick, step.sim.tcp_center());
    let reaching = if reach < 0.05 { -reach + grip(step) } else { -reach };
    let (to_target, apart) = (distance_xy(&container, &episode.target), distance(container, stick));
    let pick = Pick { z: stick[2], height, lifted: height + 0.04, to_target, reach };
    let is_held = pick.is_held();
    let mut pushed = progress(pick.farthest(episode.object, vec3(&episode.own, 0)), apart, WIDTHS);
    if apart < 0.05 {
        let initial = distance_xy(&episode.object, &episode.target);
        pushed += 1000.0 * (initial - to_target) + bonus(2000.0, to_target, widths);
    }
    let pushed = if is_held && reach < 0.1 { pushed.max(0.0) } else { 0.0 };
    Move { reward: reaching + pick.reward(is_held, 0.1) + pushed, to_target }
}

fn is_inserted(handle: Vec3, end: Vec3) -> bool {
    end[0] >= handle[0] && (end[1] - handle[1]).abs() <= 0.04 && (end[2] - handle[2]).abs() <= 0.06
}

struct StickPull(HeldStick);

impl Rules for StickPull {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        self.0.place(sim, episode, [0.0, 0.09], HEIGHT)
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        self.0.objects(sim, sim.site(self.0.insertion_site))
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let moved = moved(step, episode, WIDTHS);
        let (handle, end) = (container(step), step.sim.site(self.0.end_site));
        let is_success = distance(handle, episode.target) <= SUCCESS && is_inserted(handle, end);
        Outcome { is_success, ..moved.outcome(0.0, 0.0) }
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let (stick, handle, target) = (step.object(), container(step), episode.target);
        let (initial, container_initial) = (vec3(&episode.own, 0), add(episode.object, FROM_HANDLE));
        let container = add(handle, FROM_HANDLE);
        let tcp_to_stick = distance(stick, step.sim.tcp_center());
        let to_target = distance(handle, target);
        let near = (0.0, TARGET_RADIUS);
        let scaled = |stick: Vec3, container: Vec3| numpy::norm(&mul(sub(stick, container), SCALE));
        let in_place = tolerance(scaled(stick, container), near, scaled(initial, container_initial));
        let is_open = step.opened() > 0.0;
        let is_grasped = tcp_to_stick < 0.02 && is_open && stick[2] - 0.01 > initial[2];
        let is_inserted = is_inserted(handle, step.sim.site(self.0.end_site));
        let grasped = if is_grasped { Number::Python(1.0) } else { PULL_CAGING.reward(step, episode, stick) };
        let both = hamacher(grasped, in_place);
        let reward = if is_grasped && is_inserted && to_target <= SUCCESS {
            Number::Python(10.0)
        } else if is_grasped && is_inserted {
            let at_target = tolerance(distance(stick, target), near, distance(initial, target));
            let container_at_target = tolerance(distance(container, target), near, distance(episode.object, target));
            1.0 + both + 5.0 + 2.0 * at_target + container_at_target
        } else if is_grasped {
            1.0 + both + 5.0 * in_place
        } else {
            both
        };
        let is_lifted = is_open && stick[2] - 0.02 > episode.object[2];
        let parts = Parts { reward, grasped: grasped.value(), in_place, to_target, tcp_to_object: tcp_to_stick };
        let outcome = parts.outcome(0.03, SUCCESS, flag(is_lifted && step.sim.touches(self.0.stick_geom)));
        Ok(Outcome { is_success: outcome.is_success && is_inserted, ..outcome })
    }
}

struct StickPush(HeldStick);

impl Rules for StickPush {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        let height = sim.site(self.0.insertion_site)[2];
        self.0.place(sim, episode, [0.0, 0.0], height)
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        self.0.objects(sim, add(sim.site(self.0.insertion_site), FROM_INSERTION))
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        // The task counts as solved while the stick is grasped, which this version does not compute.
        Outcome { is_success: false, ..moved(step, episode, [0.001, 0.0001]).outcome(0.0, 0.0) }
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let (container, target, initial) = (container(step), episode.target, vec3(&episode.own, 0));
        let stick = add(step.object(), GRASP);
        let tcp_to_stick = distance(stick, step.sim.tcp_center());
        let at_target =
            |place: Vec3, initial: Vec3| tolerance(distance(place, target), (0.0, SUCCESS), distance(initial, target) - SUCCESS);
        let in_place = at_target(stick, initial);
        let to_target = distance(container, target);
        let is_open = step.opened() > 0.0;
        let is_grasped = tcp_to_stick < 0.02 && is_open && stick[2] - 0.01 > initial[2];
        let (reward, grasped) = if is_grasped {
            let pushed = 2.0 + 5.0 * in_place + 3.0 * at_target(container, episode.object);
            (Number::Python(if to_target <= SUCCESS { 10.0 } else { pushed }), 1.0)
        } else {
            // The task's own caging reward differs in the initial position, which is the stick's.
            let grasped = PUSH_CAGING.reward(step, &Episode { object: initial, ..episode.clone() }, stick);
            (grasped, grasped.value())
        };
        let is_lifted = is_open && step.object()[2] - 0.01 > initial[2];
        let is_held = is_lifted && step.sim.touches(self.0.stick_geom);
        let outcome =
            Parts { reward, grasped, in_place, to_target, tcp_to_object: tcp_to_stick }.outcome(0.03, SUCCESS, flag(is_held));
        Ok(Outcome { is_success: is_held && outcome.is_success, ..outcome })
    }
}

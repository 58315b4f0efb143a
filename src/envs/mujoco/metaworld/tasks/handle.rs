//! Tasks `handle-press-v3`, `handle-pull-v3`, and both with the handle at the side of the table.

use super::prelude::*;

/// Distance from the goal at which a pressed handle has the largest reward, in metres.
const PRESS_RADIUS: f64 = 0.02;
/// Distance from the goal at which a pulled handle has the largest reward, in metres.
const PULL_RADIUS: f64 = 0.05;
/// Distance from the handle at which the reward for reaching it is largest, in metres.
const HANDLE_RADIUS: f64 = 0.02;
/// Index in `qpos` and `qvel` of the handle's joint.
const HANDLE: usize = 9;
/// Parameters of the reward for grasping the handle in `handle-pull-v3`.
const CAGING: Caging =
    Caging { radius: 0.022, pad_threshold: 0.05, reach_radius: 0.01, xz_threshold: 0.01, effort: 1.0, density: Density::High };
/// Parameters of the reward for grasping the handle in `handle-pull-side-v3`.
const SIDE_CAGING: Caging = Caging { radius: 0.032, pad_threshold: 0.06, ..CAGING };

pub static PRESS: TaskSpec = TaskSpec {
    name: "handle-press-v3",
    model: "sawyer_xyz/sawyer_handle_press.xml",
    random_low: &[-0.1, 0.8, -0.001],
    random_high: &[0.1, 0.9, 0.001],
    goal: [[-0.1, 0.55, 0.04], [0.1, 0.7, 0.08]],
    bind: |names| Ok(Box::new(HandlePress(Handle::bind(names, "handleStart", "goalPress")?))),
    ..USUAL
};

pub static PRESS_SIDE: TaskSpec = TaskSpec {
    name: "handle-press-side-v3",
    model: "sawyer_xyz/sawyer_handle_press_sideways.xml",
    random_low: &[-0.35, 0.65, -0.001],
    random_high: &[-0.25, 0.75, 0.001],
    goal: HAND,
    ..PRESS
};

pub static PULL: TaskSpec = TaskSpec {
    name: "handle-pull-v3",
    goal: [[-0.1, 0.55, 0.04], [0.1, 0.7, 0.18]],
    bind: |names| Ok(Box::new(HandlePull::bind(names, "handleRight", false)?)),
    ..PRESS
};

pub static PULL_SIDE: TaskSpec = TaskSpec {
    name: "handle-pull-side-v3",
    random_low: &[-0.35, 0.65, 0.0],
    random_high: &[-0.25, 0.75, 0.0],
    bind: |names| Ok(Box::new(HandlePull::bind(names, "handleCenter", true)?)),
    ..PRESS_SIDE
};

struct Handle {
    base: usize,
    handle_site: usize,
    goal_site: usize,
}

impl Handle {
    fn bind(names: Names<'_>, handle: &str, goal: &str) -> Result<Self> {
        Ok(Self { base: names.body("box")?, handle_site: names.site(handle)?, goal_site: names.site(goal)? })
    }

    /// Places the handle's base at the random vector, and the handle's joint at `position`.
    fn place(&self, sim: &mut Sawyer<'_>, episode: &mut Episode, position: f64) -> Result<(), Fault> {
        episode.object = vec3(&episode.random, 0);
        sim.set_model_body(self.base, episode.object);
        sim.set_positions(HANDLE, &[position], HANDLE..HANDLE + 1)?;
        episode.target = sim.site(self.goal_site);
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(sim.site(self.handle_site), [0.0; 4])
    }
}

/// Computes version 1 of the tasks' reward for a handle whose height was `initial` metres from that of the goal.
fn moved(step: &Step<'_, '_>, episode: &Episode, initial: f64) -> Move {
    let object = step.object();
    Move::new(left_finger(step.sim), object, (object[2] - episode.target[2]).abs(), initial)
}

/// Rules of `handle-press-v3` and `handle-press-side-v3`. The handle's initial position is at the start of `episode.own`.
struct HandlePress(Handle);

impl Rules for HandlePress {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        self.0.place(sim, episode, -0.001)?;
        episode.own[..3].copy_from_slice(&sim.site(self.0.handle_site));
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        self.0.objects(sim)
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let initial = (episode.own[2] - episode.target[2]).abs();
        moved(step, episode, initial).outcome(PRESS_RADIUS, 1.0)
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let (handle, initial) = (step.sim.site(self.0.handle_site), vec3(&episode.own, 0));
        let above = |place: Vec3| (place[2] - episode.target[2]).abs();
        let to_target = above(handle);
        let in_place = tolerance(to_target, (0.0, PRESS_RADIUS), (above(initial) - PRESS_RADIUS).abs());
        let tcp_to_handle = distance(handle, step.sim.tcp_center());
        let margin = (distance(initial, episode.tcp) - HANDLE_RADIUS).abs();
        let reach = tolerance(tcp_to_handle, (0.0, HANDLE_RADIUS), margin);
        let reward = Number::Python(10.0 * if to_target <= PRESS_RADIUS { 1.0 } else { hamacher_product(reach, in_place) });
        let parts = Parts { reward, grasped: reach, in_place, to_target, tcp_to_object: tcp_to_handle };
        Ok(parts.outcome(0.05, PRESS_RADIUS, 1.0))
    }
}

/// Rules of `handle-pull-v3` and `handle-pull-side-v3`. With the handle at the side, the initial distance of its height from the
/// goal's is at the start of `episode.own`.
struct HandlePull {
    handle: Handle,
    start_site: usize,
    is_at_side: bool,
    /// Distance from the goal at which the task is solved, in metres.
    success: f64,
}

impl HandlePull {
    fn bind(names: Names<'_>, handle: &str, is_at_side: bool) -> Result<Self> {
        let (handle, start_site) = (Handle::bind(names, handle, "goalPull")?, names.site("handleStart")?);
        Ok(Self { handle, start_site, is_at_side, success: if is_at_side { 0.08 } else { PULL_RADIUS } })
    }
}

impl Rules for HandlePull {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        self.handle.place(sim, episode, -0.1)?;
        if self.is_at_side {
            episode.object = sim.site(self.handle.handle_site);
            episode.own[0] = (sim.site(self.start_site)[2] - episode.target[2]).abs();
        }
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        self.handle.objects(sim)
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let initial = match self.is_at_side {
            true => episode.own[0],
            // The reference takes the position relative to the handle's base.
            false => (step.sim.model_site(self.start_site)[2] - episode.target[2]).abs(),
        };
        moved(step, episode, initial).outcome(self.success, 0.0)
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let (handle, initial, target) = (step.object(), episode.object, episode.target);
        // Unless the handle is at the side, the reference compares its y with the base's z.
        let (to_target, margin, height, caging) = match self.is_at_side {
            true => (distance(handle, target), distance(initial, target), handle[2], SIDE_CAGING),
            false => ((target[2] - handle[2]).abs(), (target[2] - initial[2]).abs(), handle[1], CAGING),
        };
        let in_place = tolerance(to_target, (0.0, PULL_RADIUS), margin);
        let grasped = caging.reward(step, episode, handle);
        let tcp_to_handle = distance(handle, step.sim.tcp_center());
        let is_open = step.opened() > 0.0;
        let is_held = tcp_to_handle < 0.035 && is_open && height - 0.01 > initial[2];
        let reward = grasp_and_move(grasped, in_place, is_held.then_some((5.0 * in_place).into()), to_target < PULL_RADIUS);
        let parts = Parts { reward, grasped: grasped.value(), in_place, to_target, tcp_to_object: tcp_to_handle };
        Ok(parts.outcome(0.05, self.success, flag(is_open && handle[2] - 0.03 > initial[2])))
    }
}

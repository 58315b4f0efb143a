//! Tasks `drawer-open-v3` and `drawer-close-v3`.

use super::prelude::*;

/// Distance by which the drawer opens in `drawer-open-v3`, in metres (`maxDist`).
const MAX_DIST: f64 = 0.2;
/// Distance by which the drawer is open at the start of `drawer-close-v3`, in metres (`maxDist`).
const OPEN_DIST: f64 = 0.15;
/// Distance from the goal at which the reward is largest, in metres.
const TARGET_RADIUS: f64 = 0.05;
/// Distance from the goal at which `drawer-close-v3` is solved, in metres.
const SUCCESS: f64 = TARGET_RADIUS + 0.015;
/// Position of the handle relative to the drawer.
const HANDLE: Vec3 = [0.0, -0.16, 0.0];
/// Weights of the axes in the distance of the gripper from the handle.
const SCALE: Vec3 = [3.0, 3.0, 1.0];

pub static OPEN: TaskSpec = TaskSpec {
    name: "drawer-open-v3",
    model: "sawyer_xyz/sawyer_drawer.xml",
    hand_init: float32([0.0, 0.6, 0.2]),
    random_low: &[-0.1, 0.9, 0.0],
    random_high: &[0.1, 0.9, 0.0],
    bind: |names| Ok(Box::new(DrawerOpen(Drawer::bind(names)?))),
    ..USUAL
};

pub static CLOSE: TaskSpec =
    TaskSpec { name: "drawer-close-v3", bind: |names| Ok(Box::new(DrawerClose(Drawer::bind(names)?))), ..OPEN };

bound! {
    struct Drawer {
        drawer: body("drawer"),
        drawer_link: body("drawer_link"),
        goal_site: site("goal"),
    }
}

struct DrawerOpen(Drawer);

impl Rules for DrawerOpen {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        episode.object = vec3(&episode.random, 0);
        sim.set_model_body(self.0.drawer, episode.object);
        episode.target = add(episode.object, [0.0, -0.16 - MAX_DIST, 0.09]);
        sim.set_model_site(self.0.goal_site, episode.target);
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(add(sim.body(self.0.drawer_link), HANDLE), sim.body_quat(self.0.drawer_link))
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let object = step.object();
        let to_target = (object[1] - episode.target[1]).abs();
        Move::new(step.sim.tcp_center(), object, to_target, MAX_DIST).outcome(0.03, 0.0)
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let (gripper, handle) = (step.hand(), step.object());
        let handle_error = distance(handle, episode.target);
        let opening = tolerance(handle_error, (0.0, 0.02), MAX_DIST);
        let handle_init = add(episode.target, [0.0, MAX_DIST, 0.0]);
        let error = numpy::norm(&mul(sub(handle, gripper), SCALE));
        let margin = numpy::norm(&mul(sub(handle_init, episode.tcp), SCALE));
        let caging = tolerance(error, (0.0, 0.01), margin);
        let gripper_error = distance(handle, gripper);
        let parts = Parts {
            reward: Number::Python((caging + opening) * 5.0),
            grasped: caging,
            in_place: opening,
            to_target: handle_error,
            tcp_to_object: gripper_error,
        };
        Ok(parts.outcome(0.03, 0.03, flag(step.opened() > 0.0)))
    }
}

struct DrawerClose(Drawer);

impl DrawerClose {
    fn handle(&self, sim: &Sawyer<'_>) -> Vec3 {
        add(sim.body(self.0.drawer_link), [0.0, -0.16, 0.05])
    }
}

impl Rules for DrawerClose {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        let place = vec3(&episode.random, 0);
        sim.set_model_body(self.0.drawer, place);
        episode.target = add(place, [0.0, -0.16, 0.09]);
        sim.set_positions(9, &[-OPEN_DIST], 0..0)?;
        episode.object = self.handle(sim);
        sim.set_model_site(self.0.goal_site, episode.target);
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(self.handle(sim), [0.0; 4])
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let object = step.object();
        let to_target = (object[1] - episode.target[1]).abs();
        Move::new(step.sim.tcp_center(), object, to_target, OPEN_DIST).outcome(SUCCESS, 1.0)
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        const REACH_RADIUS: f64 = 0.005;
        let object = step.object();
        let to_target = distance(object, episode.target);
        let margin = (distance(episode.object, episode.target) - TARGET_RADIUS).abs();
        let in_place = tolerance(to_target, (0.0, TARGET_RADIUS), margin);
        let tcp_to_object = distance(object, step.sim.tcp_center());
        let margin = (distance(episode.object, episode.tcp) - REACH_RADIUS).abs();
        let reach = hamacher(gaussian_tolerance(tcp_to_object, (0.0, REACH_RADIUS), margin), step.closed(1.0));
        let reward = if to_target <= SUCCESS { Number::Python(1.0) } else { hamacher(reach, in_place) };
        let parts = Parts { reward: reward * 10.0, grasped: reach.value(), in_place, to_target, tcp_to_object };
        Ok(parts.outcome(0.01, SUCCESS, 1.0))
    }
}

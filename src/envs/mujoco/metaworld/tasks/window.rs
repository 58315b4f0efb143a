//! Tasks `window-open-v3` and `window-close-v3`: slide a window.

use super::prelude::*;
use super::puck::TARGET_RADIUS;

/// Distance from the handle at which the reward for reaching it is largest, in metres.
const HANDLE_RADIUS: f64 = 0.02;
/// Distance by which the window opens, in metres.
const WIDTH: f64 = 0.2;

pub static OPEN: TaskSpec = TaskSpec {
    name: "window-open-v3",
    model: "sawyer_xyz/sawyer_window_horizontal.xml",
    hand_init: float32([0.0, 0.4, 0.2]),
    random_low: &[-0.1, 0.7, 0.16],
    random_high: &[0.1, 0.9, 0.16],
    bind: |names| Ok(Box::new(Window::bind(names, false)?)),
    ..USUAL
};

pub static CLOSE: TaskSpec = TaskSpec {
    name: "window-close-v3",
    random_low: &[0.0, 0.75, 0.2],
    random_high: &[0.0, 0.9, 0.2],
    bind: |names| Ok(Box::new(Window::bind(names, true)?)),
    ..OPEN
};

bound! {
    /// Rules of both tasks. The handle's initial position is at the start of `episode.own`.
    struct Window {
        window: body("window"),
        /// Index in `qpos` of the window's joint.
        slide: position("window_slide"),
        handle_site: site(if is_open { "handleCloseStart" } else { "handleOpenStart" }),
        goal_site: site("goal");
        /// Whether the window is open at the start, and the task is to close it.
        is_open: bool,
    }
}

impl Rules for Window {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        // The reference does not compute poses after these changes: the handle's position is the one before them.
        let opened: Vec3 = [WIDTH, 0.0, 0.0];
        let handle = sim.site(self.handle_site);
        let handle = if self.is_open { add(handle, opened) } else { handle };
        episode.object = vec3(&episode.random, 0);
        episode.target = if self.is_open { episode.object } else { add(episode.object, opened) };
        episode.own[..3].copy_from_slice(&handle);
        sim.set_model_body(self.window, episode.object);
        sim.data.qpos_mut()[self.slide] = if self.is_open { WIDTH } else { 0.0 };
        sim.set_model_site(self.goal_site, episode.target);
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(sim.site(self.handle_site), [0.0; 4])
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let object = step.object();
        let to_target = (object[0] - episode.target[0]).abs();
        let reach = distance(object, step.sim.tcp_center());
        // Unlike other tasks, this reward can decrease below that for the distance of the fingers.
        let moved = if reach < 0.05 { progress(WIDTH, to_target, WIDTHS) } else { 0.0 };
        Move { reward: -reach + moved, to_target }.outcome(TARGET_RADIUS, 1.0)
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let (handle, initial) = (step.sim.site(self.handle_site), vec3(&episode.own, 0));
        let aside = |place: Vec3| (place[0] - episode.target[0]).abs();
        let to_target = aside(handle);
        let start = if self.is_open { initial } else { episode.object };
        let in_place = tolerance(to_target, (0.0, TARGET_RADIUS), (aside(start) - TARGET_RADIUS).abs());
        let tcp_to_handle = distance(handle, step.sim.tcp_center());
        let margin = (distance(initial, episode.tcp) - HANDLE_RADIUS).abs();
        let reaching = if self.is_open { gaussian_tolerance } else { tolerance };
        let reach = reaching(tcp_to_handle, (0.0, HANDLE_RADIUS), margin);
        let parts = Parts {
            reward: Number::Python(10.0 * hamacher_product(reach, in_place)),
            grasped: reach,
            in_place,
            to_target,
            tcp_to_object: tcp_to_handle,
        };
        Ok(parts.outcome(0.05, TARGET_RADIUS, 1.0))
    }
}

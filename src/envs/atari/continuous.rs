//! `ale_py`'s continuous actions: a joystick in polar coordinates, and the fire button.

use std::f64::consts::PI;

use envpool_rs_engine::{Options, Space};
use envpool_rs_sim_atari::Action;

/// Converter of continuous actions to joystick positions.
#[derive(Debug)]
pub struct ContinuousActions {
    threshold: f32,
}

impl ContinuousActions {
    /// Reads the options of continuous actions; returns `None` if the options select discrete actions.
    pub fn new(options: &Options) -> Option<Self> {
        let threshold = options.float("continuous_action_threshold") as f32;
        options.bool("continuous").then_some(Self { threshold })
    }

    /// Returns the space of continuous actions: a `Box` with radius, angle and fire.
    pub fn space() -> Space {
        let pi = f64::from(PI as f32);
        Space::vector(&[0.0, -pi, 0.0], &[1.0, pi, 1.0])
    }

    /// Returns the joystick action for a continuous action, and the strength with which paddles turn.
    pub fn action(&self, action: &[f32]) -> (Action, f32) {
        let (radius, angle) = (action[0], f64::from(action[1]));
        let (x, y) = (radius * angle.cos() as f32, radius * angle.sin() as f32);
        let direction = |along: f32| usize::from(along > self.threshold) + 2 * usize::from(along < -self.threshold);
        (joystick(direction(x), direction(y), action[2] > self.threshold), radius)
    }
}

/// Returns the action of a joystick position and the button.
///
/// `right` and `up` are 0 for the centre, 1 for right or up, and 2 for left or down. With a negative threshold, they can be 3,
/// which means both directions.
fn joystick(right: usize, up: usize, fire: bool) -> Action {
    use Action::*;
    let positions = match up {
        1 => [[Up, UpRight, UpLeft], [UpFire, UpRightFire, UpLeftFire]],
        2 => [[Down, DownRight, DownLeft], [DownFire, DownRightFire, DownLeftFire]],
        _ => [[Noop, Right, Left], [Fire, RightFire, LeftFire]],
    };
    positions[usize::from(fire)][right % 3]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_directions_and_the_radius_is_a_strength() {
        let continuous = ContinuousActions { threshold: 0.5 };
        let pi = PI as f32;
        let cases = [
            ([1.0, 0.0, 0.0], Action::Right),
            ([1.0, pi / 4.0, 0.0], Action::UpRight),
            ([1.0, pi / 2.0, 1.0], Action::UpFire),
            ([0.7, pi, 0.0], Action::Left),
            ([0.5, pi, 0.0], Action::Noop),
            ([1.0, -pi / 4.0 * 3.0, 0.6], Action::DownLeftFire),
            ([0.0, 1.0, 0.6], Action::Fire),
        ];
        for (action, expected) in cases {
            assert_eq!(continuous.action(&action), (expected, action[0]), "{action:?}");
        }
    }
}

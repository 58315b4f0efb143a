//! Task `shelf-place-v3`: place a puck on a shelf.

use super::prelude::*;
use super::puck::{Puck, TARGET_RADIUS, outcome};

/// Height below which the puck is under the shelf, in metres.
const UNDER: f64 = 0.24;
const CAGING: Caging =
    Caging { radius: 0.02, pad_threshold: 0.05, reach_radius: 0.01, xz_threshold: 0.01, effort: 1.0, density: Density::Low };

pub static PLACE: TaskSpec = TaskSpec {
    name: "shelf-place-v3",
    model: "sawyer_xyz/sawyer_shelf_placing.xml",
    hand: HAND,
    hand_init: float32([0.0, 0.6, 0.2]),
    random_low: &[-0.1, 0.5, 0.019, -0.1, 0.8, 0.299],
    random_high: &[0.1, 0.6, 0.021, 0.1, 0.9, 0.301],
    goal: [[-0.1, 0.8, 0.299], [0.1, 0.9, 0.301]],
    accepts: |random| distance_xy(random, &random[3..]) >= 0.1,
    bind: |names| Ok(Box::new(ShelfPlace { puck: Puck::bind(names)?, shelf: names.body("shelf")? })),
};

struct ShelfPlace {
    puck: Puck,
    shelf: usize,
}

impl ShelfPlace {
    /// Lowers the reward for the puck's position where the puck is under or behind the shelf.
    fn under_shelf(object: Vec3, target: Vec3, in_place: f64) -> Number {
        let is_under = 0.0 < object[2] && object[2] < UNDER && target[0] - 0.15 < object[0] && object[0] < target[0] + 0.15;
        let front = target[1] - 3.0 * TARGET_RADIUS;
        if is_under && object[1] > target[1] {
            return Number::Python(0.0);
        }
        if is_under && front < object[1] && object[1] < target[1] {
            let height = (UNDER - object[2]) / UNDER;
            let depth = (object[1] - front) / (3.0 * TARGET_RADIUS);
            return Number::Double(numpy::clip(in_place - hamacher_product(depth, height), 0.0, 1.0));
        }
        Number::Python(in_place)
    }
}

impl Rules for ShelfPlace {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        let [x, y, ..] = episode.random;
        let shelf = sub(vec3(&episode.random, 3), [0.0, 0.0, 0.3]);
        episode.object = [x, y, sim.body(self.puck.object)[2]];
        sim.set_model_body(self.shelf, shelf);
        episode.target = add(sim.model_site(self.puck.goal_site), shelf);
        sim.set_object(episode.object)?;
        episode.own[LIFTED] = sim.geom(self.puck.object_geom)[2];
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        self.puck.body(sim)
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        pick_and_place(step, episode, 0.04, [episode.target; 2]).outcome(0.07, 0.0)
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let (object, target) = (step.object(), episode.target);
        let parts = Parts::of(step, episode, TARGET_RADIUS);
        let grasped = CAGING.reward(step, episode, object);
        let in_place = Self::under_shelf(object, target, parts.in_place);
        let is_held = parts.tcp_to_object < 0.025 && step.opened() > 0.0 && object[2] - 0.01 > episode.object[2];
        let reward = grasp_and_move(grasped, parts.in_place, is_held.then_some(5.0 * in_place), false);
        let parts = Parts { reward, grasped: grasped.value(), in_place: in_place.value(), ..parts };
        Ok(outcome(step, episode, &self.puck, parts, (0.07, true)))
    }
}

//! Task `box-close-v3`: put the lid on a box.

use super::prelude::*;

/// Initial height of the lid.
const HEIGHT: f64 = 0.02_f32 as f64;
/// Radius of the funnel around the lid's handle, in metres.
const THRESHOLD: f64 = 0.02;

pub static CLOSE: TaskSpec = TaskSpec {
    name: "box-close-v3",
    model: "sawyer_xyz/sawyer_box.xml",
    hand: HAND,
    hand_init: float32([0.0, 0.6, 0.2]),
    random_low: &[-0.05, 0.5, 0.02, -0.1, 0.7, 0.133],
    random_high: &[0.05, 0.55, 0.02, 0.1, 0.8, 0.133],
    goal: [[-0.1, 0.7, 0.133], [0.1, 0.8, 0.133]],
    accepts: |random| distance_xy(random, &random[3..]) >= 0.25,
    bind: |names| Ok(Box::new(BoxClose::bind(names)?)),
};

bound! {
    struct BoxClose {
        lid: body("top_link"),
        handle_geom: geom("BoxHandleGeom"),
        box_body: body("boxbody"),
        goal_site: site("goal"),
    }
}

impl BoxClose {
    /// Returns the rewards for a hand at the lid's handle, and for the lid's position (`_reward_pos`).
    fn positions(step: &Step<'_, '_>, target: Vec3) -> [f64; 2] {
        let (hand, lid) = (step.hand(), add(step.object(), [0.0, 0.0, 0.02]));
        let floor = funnel(distance_xy(&hand, &lid), THRESHOLD, 0.04, 0.4);
        let above = above_floor(hand[2], floor, floor / 2.0);
        let ready = hamacher_product(above, tolerance(distance(hand, lid), (0.0, 0.02), 0.5));
        let error = numpy::norm(&mul(sub(target, lid), [1.0, 1.0, 3.0]));
        let lifted = if lid[2] > 0.04 { 0.2 } else { 0.0 };
        [ready, lifted + 0.8 * tolerance(error, (0.0, 0.05), 0.25)]
    }
}

impl Rules for BoxClose {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        let height = sim.body(self.box_body)[2];
        let [x, y, ..] = episode.random;
        episode.object = [x, y, HEIGHT];
        episode.target = vec3(&episode.random, 3);
        sim.set_model_body(self.box_body, [episode.target[0], episode.target[1], height]);
        sim.advance()?;
        sim.set_object(episode.object)?;
        sim.set_model_site(self.goal_site, episode.target);
        episode.own[LIFTED] = sim.geom(self.handle_geom)[2];
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(sim.body(self.lid), sim.body_quat(self.lid))
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let placed = pick_and_place(step, episode, 0.12, [episode.target; 2]);
        solved(placed.reward, placed.to_target < 0.08)
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let grasped = grab_effort(step);
        let [ready, in_place] = Self::positions(step, episode.target);
        let is_success = distance(step.object(), episode.target) < 0.08;
        let reward = if is_success { 10.0 } else { 2.0 * hamacher_product(grasped, ready) + 8.0 * in_place };
        let reward = Number::Python(reward * orientation(step, [0.707, 0.0, 0.0, 0.707], 0.2));
        Ok(Stages { reward, is_success, ready, grasped, in_place }.outcome())
    }
}

//! Tasks `plate-slide-v3`, `plate-slide-back-v3`, and both along the side: slide a plate to a goal.

use super::prelude::*;
use super::puck::TARGET_RADIUS;

pub static SLIDE: TaskSpec = TaskSpec {
    name: "plate-slide-v3",
    model: "sawyer_xyz/sawyer_plate_slide.xml",
    hand_init: float32([0.0, 0.6, 0.2]),
    random_low: &[0.0, 0.6, 0.0, -0.1, 0.85, 0.0],
    random_high: &[0.0, 0.6, 0.0, 0.1, 0.9, 0.0],
    goal: [[-0.1, 0.85, 0.0], [0.1, 0.9, 0.0]],
    bind: |names| Ok(Box::new(PlateSlide::bind(names, [0.0, 0.0], Some(Net::Target), Reward::Product)?)),
    ..USUAL
};

pub static SLIDE_SIDE: TaskSpec = TaskSpec {
    name: "plate-slide-side-v3",
    model: "sawyer_xyz/sawyer_plate_slide_sideway.xml",
    random_low: &[0.0, 0.6, 0.0, -0.3, 0.54, 0.0],
    random_high: &[0.0, 0.6, 0.0, -0.25, 0.66, 0.0],
    goal: [[-0.3, 0.54, 0.0], [-0.25, 0.66, 0.0]],
    bind: |names| Ok(Box::new(PlateSlide::bind(names, [0.0, 0.0], None, Reward::Stages)?)),
    ..SLIDE
};

pub static SLIDE_BACK: TaskSpec = TaskSpec {
    name: "plate-slide-back-v3",
    random_low: &[0.0, 0.85, 0.0, -0.1, 0.6, 0.015],
    random_high: &[0.0, 0.85, 0.0, 0.1, 0.6, 0.015],
    goal: [[-0.1, 0.6, 0.015], [0.1, 0.6, 0.015]],
    bind: |names| Ok(Box::new(PlateSlide::bind(names, [0.0, 0.15], None, Reward::Stages)?)),
    ..SLIDE
};

pub static SLIDE_BACK_SIDE: TaskSpec = TaskSpec {
    name: "plate-slide-back-side-v3",
    random_low: &[-0.25, 0.6, 0.0, -0.05, 0.6, 0.015],
    random_high: &[-0.25, 0.6, 0.0, 0.15, 0.6, 0.015],
    goal: [[-0.05, 0.6, 0.015], [0.15, 0.6, 0.015]],
    bind: |names| Ok(Box::new(PlateSlide::bind(names, [-0.15, 0.0], Some(Net::Object), Reward::Stages)?)),
    ..SLIDE_SIDE
};

/// Position to which a reset moves the net, the body `puck_goal`.
#[derive(Clone, Copy)]
enum Net {
    Target,
    Object,
}

/// Function that combines the rewards for reaching the plate and for its position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reward {
    Product,
    /// Reward for reaching the plate, then the reward for its position. Margins of both start at the goal's radius.
    Stages,
}

bound! {
    /// Rules of the four tasks. The plate's initial distance from the goal is at the start of `episode.own`.
    struct PlateSlide {
        plate: geom("puck"),
        net: body("puck_goal"),
        goal_site: site("goal");
        position: [f64; 2],
        /// Position of the net; `None` if it stays in place.
        net_position: Option<Net>,
        reward: Reward,
    }
}

impl Rules for PlateSlide {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        episode.object = vec3(&episode.random, 0);
        episode.target = vec3(&episode.random, 3);
        match self.net_position {
            Some(Net::Target) => sim.set_model_body(self.net, episode.target),
            Some(Net::Object) => sim.set_model_body(self.net, episode.object),
            None => {}
        }
        sim.set_positions(9, &self.position, 0..0)?;
        let initial = if self.position == [0.0; 2] { episode.object } else { sim.geom(self.plate) };
        episode.own[0] = distance_xy(&initial, &episode.target);
        sim.set_model_site(self.goal_site, episode.target);
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(sim.geom(self.plate), sim.geom_rotation(self.plate))
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let object = step.object();
        let to_target = distance_xy(&object, &episode.target);
        Move::new(step.sim.tcp_center(), object, to_target, episode.own[0]).outcome(0.07, 0.0)
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let (tcp, plate) = (step.sim.tcp_center(), step.object());
        let to_target = distance(plate, episode.target);
        let tcp_to_plate = distance(tcp, plate);
        let inner = if self.reward == Reward::Stages { TARGET_RADIUS } else { 0.0 };
        let in_place = tolerance(to_target, (0.0, TARGET_RADIUS), distance(episode.object, episode.target) - inner);
        let grasped = tolerance(tcp_to_plate, (0.0, TARGET_RADIUS), distance(episode.tcp, episode.object) - inner);
        let reward = match self.reward {
            _ if to_target < TARGET_RADIUS => 10.0,
            Reward::Product => 8.0 * hamacher_product(grasped, in_place),
            Reward::Stages if tcp[2] <= 0.03 && tcp_to_plate < 0.07 => 2.0 + 7.0 * in_place,
            Reward::Stages => 1.5 * grasped,
        };
        let parts = Parts { reward: Number::Python(reward), grasped, in_place, to_target, tcp_to_object: tcp_to_plate };
        Ok(parts.outcome(0.03, 0.07, 0.0))
    }
}

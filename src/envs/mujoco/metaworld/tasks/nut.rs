//! Tasks `assembly-v3` and `disassemble-v3`: put a nut with a handle on a peg, and take it off.

use super::prelude::*;

/// Length of the nut's handle, in metres (`WRENCH_HANDLE_LENGTH`).
const HANDLE: f64 = 0.02;
/// Orientation of a nut that lies flat.
const FLAT: [f64; 4] = [0.707, 0.0, 0.0, 0.707];
/// Parameters of the reward for grasping the nut in `assembly-v3`.
const CAGING: Caging =
    Caging { radius: 0.015, pad_threshold: 0.02, reach_radius: 0.01, xz_threshold: 0.01, effort: 1.0, density: Density::Medium };
/// Parameters of the reward for grasping the nut in `disassemble-v3`.
const DISASSEMBLE_CAGING: Caging = Caging { density: Density::High, ..CAGING };

pub static ASSEMBLE: TaskSpec = TaskSpec {
    name: "assembly-v3",
    model: "sawyer_xyz/sawyer_assembly_peg.xml",
    hand: HAND,
    hand_init: float32([0.0, 0.6, 0.2]),
    random_low: &[0.0, 0.6, 0.02, -0.1, 0.75, 0.1],
    random_high: &[0.0, 0.6, 0.02, 0.1, 0.85, 0.1],
    goal: [[-0.1, 0.75, 0.1], [0.1, 0.85, 0.1]],
    accepts: is_far,
    bind: |names| Ok(Box::new(Assemble(Nut::bind(names)?))),
};

pub static DISASSEMBLE: TaskSpec = TaskSpec {
    name: "disassemble-v3",
    hand_init: float32([0.0, 0.4, 0.2]),
    random_low: &[0.0, 0.6, 0.025, -0.1, 0.6, 0.1699],
    random_high: &[0.1, 0.75, 0.02501, 0.1, 0.75, 0.1701],
    goal: [add([-0.1, 0.6, 0.1699], [0.0, 0.0, 0.005]), add([0.1, 0.75, 0.1701], [0.0, 0.0, 0.005])],
    bind: |names| Ok(Box::new(Disassemble(Nut::bind(names)?))),
    ..ASSEMBLE
};

/// Returns whether the two halves of a random vector are far enough from each other.
fn is_far(random: &[f64; RANDOM]) -> bool {
    distance_xy(random, &random[3..]) >= 0.1
}

bound! {
    struct Nut {
        nut: body("RoundNut"),
        handle_site: site("RoundNut-8"),
        centre_site: site("RoundNut"),
        peg: body("peg"),
        peg_site: site("pegTop"),
    }
}

impl Nut {
    fn observe(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(sim.site(self.handle_site), sim.body_quat(self.nut))
    }
}

struct Assemble(Nut);

impl Assemble {
    /// Returns the reward for the nut's position, and whether the nut is on the peg (`_reward_pos`).
    fn placed(centre: Vec3, target: Vec3) -> (f64, bool) {
        let error = sub(target, centre);
        let radius = numpy::norm(&error[..2]);
        let is_success = radius < 0.02 && error[2] > 0.0;
        let threshold = if is_success { 0.02 } else { 0.01 };
        let height = funnel(radius, threshold, 0.02, 0.2);
        let lifted = if centre[2] > 0.02 || radius < threshold { 0.1 } else { 0.0 };
        let error = numpy::norm(&mul([error[0], error[1], height - centre[2]], [1.0, 1.0, 3.0]));
        (lifted + 0.9 * tolerance(error, (0.0, 0.02), 0.4), is_success)
    }
}

impl Rules for Assemble {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        episode.object = vec3(&episode.random, 0);
        episode.target = vec3(&episode.random, 3);
        sim.set_object(episode.object)?;
        sim.set_model_body(self.0.peg, sub(episode.target, [0.0, 0.0, 0.05]));
        sim.set_model_site(self.0.peg_site, episode.target);
        episode.own[LIFTED] = sim.site(self.0.handle_site)[2];
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        self.0.observe(sim)
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let (handle, nut, target, height) = (step.object(), step.sim.body(self.0.nut), episode.target, episode.own[LIFTED]);
        let [reach, reaching] = Reach { above: 0.04, near: 0.04, weight: 1.0 }.of(step, handle, episode.tcp[2]);
        let (to_target, above) = (distance_xy(&nut, &target), (nut[2] - height).abs());
        let pick = Pick { z: nut[2], height, lifted: height + 0.1, to_target, reach };
        let is_picked = pick.is_picked() && reach < 0.03 && !pick.is_dropped();
        let is_placed = (nut[0] - target[0]).abs() < 0.03 && (nut[1] - target[1]).abs() < 0.03;
        let mut placed = progress(pick.farthest(episode.object, target), to_target, WIDTHS);
        if is_placed {
            placed += 2000.0 * (pick.lifted - above) + bonus(2000.0, above, [0.003, 0.0003]);
        }
        let placed = if is_placed || is_picked { placed.max(0.0) } else { 0.0 };
        solved(reaching + pick.reward(is_placed || is_picked, 0.04) + placed, is_placed && above <= 0.04)
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let ready = orientation(step, FLAT, 0.4);
        let grasped = CAGING.reward(step, episode, on_handle(step, HANDLE));
        let (in_place, is_success) = Self::placed(step.sim.site(self.0.centre_site), episode.target);
        let reward = if is_success { Number::Python(10.0) } else { (2.0 * grasped + 6.0 * in_place) * ready };
        Ok(Stages { reward, is_success, ready, grasped: grasped.value(), in_place }.outcome())
    }
}

struct Disassemble(Nut);

impl Rules for Disassemble {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        episode.object = vec3(&episode.random, 0);
        episode.target = add(episode.object, [0.0, 0.0, 0.15]);
        sim.set_model_body(self.0.peg, add(episode.object, [0.0, 0.0, 0.03]));
        sim.set_model_site(self.0.peg_site, add(episode.object, [0.0, 0.0, 0.08]));
        sim.set_object(episode.object)?;
        episode.own[LIFTED] = sim.body(self.0.nut)[2];
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        self.0.observe(sim)
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let (handle, target, height) = (step.object(), episode.target, episode.own[LIFTED]);
        let [reach, reaching] = Reach { above: 0.04, near: 0.04, weight: 2.0 }.of(step, handle, episode.tcp[2]);
        let to_target = distance(handle, target);
        let pick = Pick { z: handle[2], height, lifted: height + 0.05, to_target, reach };
        let is_picked = pick.is_picked() && reach < 0.04 && !pick.is_dropped();
        let placed = progress(pick.farthest(episode.object, target), to_target, WIDTHS).max(0.0);
        let placed = if is_picked && reach < 0.03 { placed } else { 0.0 };
        let (nut, peg) = (step.sim.body(self.0.nut), step.sim.model_body(self.0.peg));
        let is_off = (nut[0] - peg[0]).abs() > 0.05 || (nut[1] - peg[1]).abs() > 0.05;
        let reward = if is_off { pick.lifted * 100.0 } else { reaching + pick.reward(is_picked, 0.04) };
        solved(reward + placed, handle[2] > target[2])
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let ready = orientation(step, FLAT, 0.4);
        let grasped = DISASSEMBLE_CAGING.reward(step, episode, on_handle(step, HANDLE));
        let centre = step.sim.site(self.0.centre_site);
        let lifted = if centre[2] > 0.02 { 0.1 } else { 0.0 };
        let error = distance(add(episode.target, [0.0, 0.0, 0.1]), centre);
        let in_place = lifted + 0.9 * tolerance(error, (0.0, 0.02), 0.2);
        let is_success = step.object()[2] > episode.target[2];
        let reward = if is_success { Number::Python(10.0) } else { (2.0 * grasped + 6.0 * in_place) * ready };
        Ok(Stages { reward, is_success, ready, grasped: grasped.value(), in_place }.outcome())
    }
}

//! Tasks `peg-insert-side-v3` and `peg-unplug-side-v3`: insert a peg into a box, and pull a plug out of one.

use super::prelude::*;

/// Distance from the hole at which the peg is inserted, in metres (`TARGET_RADIUS`).
const INSERTED: f64 = 0.07;
/// Distance from the goal at which the plug is pulled out, in metres.
const UNPLUGGED: f64 = 0.05;
/// Position of the hole relative to the box.
const HOLE: Vec3 = [0.03, 0.0, 0.13];
/// Position of the plug relative to the box.
const PLUG: Vec3 = [0.044, 0.0, 0.131];
/// Position of the goal of `peg-unplug-side-v3`, relative to the box, in the bounds of goals.
const UNPLUG_GOAL: Vec3 = [0.194, 0.0, 0.131];
/// Weights of the axes in the distance of the peg's head from the hole.
const SCALE: Vec3 = [1.0, 2.0, 2.0];
const CAGING: Caging =
    Caging { radius: 0.0075, pad_threshold: 0.03, reach_radius: 0.01, xz_threshold: 0.005, effort: 1.0, density: Density::High };
/// Parameters of the reward for grasping the plug.
const PLUG_CAGING: Caging = Caging { radius: 0.025, pad_threshold: 0.05, effort: 0.8, ..CAGING };

pub static INSERT: TaskSpec = TaskSpec {
    name: "peg-insert-side-v3",
    model: "sawyer_xyz/sawyer_peg_insertion_side.xml",
    random_low: &[0.0, 0.5, 0.02, -0.35, 0.4, -0.001],
    random_high: &[0.2, 0.7, 0.02, -0.25, 0.7, 0.001],
    goal: [add([-0.35, 0.4, -0.001], HOLE), add([-0.25, 0.7, 0.001], HOLE)],
    accepts: |random| distance_xy(random, &random[3..]) >= 0.1,
    bind: |names| {
        let corner = |name: &str, prism: u8| names.site(&format!("{name}_corner_collision_box_{prism}"));
        let corners = |prism| -> Result<[usize; 2]> { Ok([corner("bottom_right", prism)?, corner("top_left", prism)?]) };
        Ok(Box::new(PegInsert::bind(names, [corners(1)?, corners(2)?])?))
    },
    ..USUAL
};

pub static UNPLUG: TaskSpec = TaskSpec {
    name: "peg-unplug-side-v3",
    model: "sawyer_xyz/sawyer_peg_unplug_side.xml",
    random_low: &[-0.25, 0.6, -0.001],
    random_high: &[-0.15, 0.8, 0.001],
    goal: [add([-0.25, 0.6, -0.001], UNPLUG_GOAL), add([-0.15, 0.8, 0.001], UNPLUG_GOAL)],
    bind: |names| Ok(Box::new(PegUnplug::bind(names)?)),
    ..USUAL
};

bound! {
    /// Rules of `peg-insert-side-v3`. The initial position of the peg's head is at the start of `episode.own`.
    struct PegInsert {
        peg: body("peg"),
        peg_box: body("box"),
        goal_site: site("goal"),
        head_site: site("pegHead"),
        grasp_site: site("pegGrasp");
        /// Two opposite corners of each of the prisms in which the peg's head touches the box.
        prisms: [[usize; 2]; 2],
    }

    struct PegUnplug {
        peg_box: body("box"),
        plug: body("plug1"),
        goal_site: site("goal"),
        end_site: site("pegEnd"),
    }
}

impl PegInsert {
    /// Computes the reward for the peg's head not being in the prisms.
    fn free(&self, sim: &Sawyer<'_>, head: Vec3) -> Number {
        let [first, second] = self.prisms.map(|[zero, one]| prism_tolerance(head, sim.site(zero), sim.site(one)));
        hamacher(second, first)
    }
}

impl Rules for PegInsert {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        let peg_box = vec3(&episode.random, 3);
        episode.object = vec3(&episode.random, 0);
        // The reference reads the head's position before it moves the peg.
        episode.own[..3].copy_from_slice(&sim.site(self.head_site));
        sim.set_object(episode.object)?;
        sim.set_model_body(self.peg_box, peg_box);
        episode.target = add(peg_box, HOLE);
        sim.set_model_site(self.goal_site, episode.target);
        episode.own[LIFTED] = sim.body(self.peg)[2];
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(sim.site(self.grasp_site), sim.site_rotation(self.grasp_site))
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let (peg, target, height) = (step.object(), episode.target, episode.own[LIFTED]);
        let [reach, reaching] = Reach { weight: 1.0, ..Reach::USUAL }.of(step, peg, episode.tcp[2]);
        let (to_target, head) = (distance(peg, target), distance(step.sim.site(self.head_site), target));
        let pick = Pick { z: peg[2], height, lifted: height + 0.11, to_target, reach };
        let is_held = pick.is_held();
        let placing = if head <= 0.05 { to_target } else { head };
        let farthest = pick.farthest(episode.object, target);
        let placed = if is_held && reach < 0.1 { progress(farthest, placing, WIDTHS).max(0.0) } else { 0.0 };
        Move { reward: reaching + pick.reward(is_held, 0.1) + placed, to_target }.outcome(0.07, 0.0)
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let (peg, head) = (step.object(), step.sim.site(self.head_site));
        let tcp_to_peg = distance(peg, step.sim.tcp_center());
        let to_hole = |head: Vec3| numpy::norm(&mul(sub(head, episode.target), SCALE));
        let to_target = to_hole(head);
        let in_place = tolerance(to_target, (0.0, INSERTED), to_hole(vec3(&episode.own, 0)));
        let in_place = hamacher(in_place, self.free(step.sim, head));
        let is_lifted = step.opened() > 0.0 && peg[2] - 0.01 > episode.object[2];
        let is_held = tcp_to_peg < 0.08 && is_lifted;
        let grasped = if is_held { Number::Python(1.0) } else { CAGING.reward(step, episode, peg) };
        let reward = grasp_and_move(grasped, in_place, is_held.then_some(5.0 * in_place), to_target <= INSERTED);
        let parts = Parts { reward, grasped: grasped.value(), in_place: in_place.value(), to_target, tcp_to_object: tcp_to_peg };
        Ok(parts.outcome(0.03, INSERTED, flag(tcp_to_peg < 0.02 && is_lifted)))
    }
}

impl Rules for PegUnplug {
    fn reset(&self, sim: &mut Sawyer<'_>, episode: &mut Episode) -> Result<(), Fault> {
        let peg_box = vec3(&episode.random, 0);
        sim.set_model_body(self.peg_box, peg_box);
        let [x, y, z] = add(peg_box, PLUG);
        sim.set_positions(9, &[x, y, z, 1.0, 0.0, 0.0, 0.0], 9..12)?;
        episode.object = sim.site(self.end_site);
        episode.target = add([x, y, z], [0.15, 0.0, 0.0]);
        sim.set_model_site(self.goal_site, episode.target);
        Ok(())
    }

    fn objects(&self, sim: &Sawyer<'_>) -> Objects {
        Objects::one(sim.site(self.end_site), sim.body_quat(self.plug))
    }

    fn first_version(&self, step: &Step<'_, '_>, episode: &Episode) -> Outcome {
        let (plug, target) = (step.object(), episode.target);
        let [reach, reaching] = Reach::USUAL.of(step, plug, UNPLUG.hand_init[2]);
        let to_target = distance_xy(&plug, &target);
        let farthest = distance(target, episode.object);
        let placed = if reach < 0.05 { progress(farthest, to_target, WIDTHS).max(0.0) } else { 0.0 };
        Move { reward: reaching + placed, to_target }.outcome(0.07, 0.0)
    }

    fn evaluate(&self, step: &mut Step<'_, '_>, episode: &mut Episode) -> Result<Outcome, Fault> {
        let plug = step.object();
        let tcp_to_plug = distance(plug, step.sim.tcp_center());
        let to_target = distance(plug, episode.target);
        let grasped = PLUG_CAGING.reward(step, episode, plug);
        let in_place = tolerance(to_target, (0.0, UNPLUGGED), distance(episode.object, episode.target));
        let is_grasped = step.opened() > 0.5 && plug[0] - episode.object[0] > 0.015;
        let mut reward = 2.0 * grasped;
        if is_grasped && tcp_to_plug < 0.035 {
            reward = 1.0 + reward + 5.0 * in_place;
        }
        if to_target <= UNPLUGGED {
            reward = Number::Python(10.0);
        }
        let parts = Parts { reward, grasped: grasped.value(), in_place, to_target, tcp_to_object: tcp_to_plug };
        Ok(parts.outcome(0.03, 0.07, flag(is_grasped)))
    }
}

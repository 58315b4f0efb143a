//! Tasks in which a hand holds an object at a place (`ObjHoldFixedEnvV0`, `ObjHoldRandomEnvV0`).

use super::task::{Class, Late, ModelSpec, Outcome, Rules, Scene, bonus, flag, length, observe_joints, open_hand, rest_pose};
use crate::names::{Names, bound};
use crate::robot::Writer;
use crate::vector::{Vec3, sub};
use envpool_rs_engine::{Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::model_overrides::{GEOM_SIZE, SITE_POS, SITE_SIZE};
use envpool_rs_sim_mujoco::{Data, Fault};

/// Distance in metres from the goal below which the task is solved.
const NEAR: f64 = 0.010;
/// Distance in metres from the goal beyond which the object has dropped.
const FAR: f64 = 0.300;
/// Numbers of positions and velocities of the object.
const OBJECT: [usize; 2] = [7, 6];

/// Arguments of a task.
pub struct Hold {
    /// Whether episodes draw the goal and the sizes of the object.
    pub is_random: bool,
}

impl Class for Hold {
    fn reward_keys(&self) -> &'static [&'static str] {
        &["goal_dist", "bonus", "act_reg", "penalty"]
    }

    fn weights(&self) -> Vec<(&'static str, f64)> {
        vec![("goal_dist", 100.0), ("bonus", 4.0), ("penalty", 10.0)]
    }

    fn observed(&self, model: &ModelSpec) -> usize {
        model.nq - OBJECT[0] + model.nv - OBJECT[1] + 6
    }

    fn goal_len(&self, _model: &ModelSpec) -> usize {
        0
    }

    fn shaped(&self) -> &'static [&'static str] {
        if self.is_random { &["object"] } else { &[] }
    }

    fn create(&'static self, _options: &Options) -> Result<Box<dyn Rules>> {
        Ok(Box::new(HoldRules { is_random: self.is_random, bound: Late::NONE }))
    }
}

struct HoldRules {
    is_random: bool,
    bound: Late<Bound>,
}

bound! {
    /// Ids of the model's objects.
    struct Bound {
        object: site("object"),
        goal: site("goal"),
        shape: geom("object");
        /// Place of the object in the positions of the file.
        place: Vec3,
    }
}

impl Rules for HoldRules {
    fn bind(&mut self, names: Names<'_>, start: &mut [f64]) -> Result<()> {
        self.bound = Bound::bind(names, rest_pose(names)?.site(names.site("object")?))?.into();
        open_hand(start, OBJECT[0], -1.5);
        Ok(())
    }

    fn start(&self, data: &mut Data, _goal: &mut [f64], random: &mut Generator) -> Result<(), Fault> {
        if self.is_random {
            let Bound { goal, shape, place, .. } = &*self.bound;
            let place = place.map(|coordinate| coordinate + random.uniform(-0.030, 0.030));
            let size = [(); 3].map(|()| random.uniform(0.020, 0.030));
            data.model_array_mut(SITE_POS)[3 * goal..][..3].copy_from_slice(&place);
            data.model_array_mut(SITE_SIZE)[3 * goal..][..3].copy_from_slice(&size);
            data.model_array_mut(GEOM_SIZE)[3 * shape..][..3].copy_from_slice(&size);
        }
        Ok(())
    }

    fn evaluate(
        &self,
        data: &mut Data,
        _goal: &mut [f64],
        scene: &Scene,
        [frame, rewards]: [&mut Writer<'_>; 2],
    ) -> Result<Outcome, Fault> {
        data.kinematics()?;
        let Bound { object, goal, .. } = &*self.bound;
        let place = data.site(*object);
        let error = sub(data.site(*goal), place);
        observe_joints(data, scene, frame, OBJECT);
        frame.add(&place);
        frame.add(&error);
        let distance = length(&error);
        let is_done = distance > FAR;
        rewards.add(&[-distance, bonus(distance, [2.0 * NEAR, NEAR]), -scene.effort, -flag(is_done)]);
        Ok(Outcome { sparse: -distance, is_solved: distance < NEAR, is_done })
    }
}

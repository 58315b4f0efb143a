//! Tasks in which thumb and index finger turn a key (`KeyTurnEnvV0`).

use std::f64::consts::{FRAC_PI_2, PI};

use super::task::{
    Class, Late, ModelSpec, Outcome, Rules, Scene, flag, interval, interval_of, length, observe_joints, rest_pose,
};
use crate::names::{Names, bound};
use crate::robot::{Range, Writer, number};
use crate::vector::{Vec3, sub};
use envpool_rs_engine::{OptionSpec, Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::model_overrides::BODY_POS;
use envpool_rs_sim_mujoco::{Data, Fault};

/// Distance in metres of the tips from the key's head at which they touch it.
const TOUCH: f64 = 0.030;
/// Further distance in metres beyond which an episode terminates.
const FAR: f64 = 0.1;
/// Largest change of each coordinate of the key's place at a reset, in metres.
const MOVED: f64 = 0.01;

/// Arguments of a task.
pub struct KeyTurn {
    /// Angle of the key in radians beyond which the task is solved.
    pub goal: f64,
    /// Interval from which the key's first angle is drawn. If it is no single angle, the key's place is drawn, too.
    pub start: Range,
}

impl Class for KeyTurn {
    fn options(&self) -> Vec<OptionSpec> {
        let about = "interval of the key's first angle in radians; different bounds: the key's place is drawn, too";
        vec![
            number("goal_th", self.goal, "angle of the key in radians beyond which the task is solved"),
            interval("key_init_range", self.start, about),
        ]
    }

    fn reward_keys(&self) -> &'static [&'static str] {
        &["key_turn", "IFtip_approach", "THtip_approach", "act_reg", "bonus", "penalty"]
    }

    fn weights(&self) -> Vec<(&'static str, f64)> {
        let tips = [("IFtip_approach", 10.0), ("THtip_approach", 10.0)];
        let others = [("act_reg", 1.0), ("bonus", 4.0), ("penalty", 25.0)];
        [&[("key_turn", 1.0)][..], &tips, &others].concat()
    }

    fn observed(&self, model: &ModelSpec) -> usize {
        model.nq + model.nv + 6
    }

    fn goal_len(&self, _model: &ModelSpec) -> usize {
        0
    }

    fn create(&'static self, options: &Options) -> Result<Box<dyn Rules>> {
        let task = Self { goal: options.float("goal_th"), start: interval_of(options, "key_init_range")? };
        Ok(Box::new(KeyRules { task, bound: Late::NONE }))
    }
}

struct KeyRules {
    task: KeyTurn,
    bound: Late<Bound>,
}

bound! {
    /// Ids of the model's objects.
    struct Bound {
        head: site("keyhead"),
        finger: site("IFtip"),
        thumb: site("THtip");
        /// Place of the key's head in the positions of the file.
        place: Vec3,
    }
}

impl Rules for KeyRules {
    fn bind(&mut self, names: Names<'_>, start: &mut [f64]) -> Result<()> {
        self.bound = Bound::bind(names, rest_pose(names)?.site(names.site("keyhead")?))?.into();
        let joints = start.len() - 1;
        start[..joints].iter_mut().for_each(|position| *position *= 0.0);
        Ok(())
    }

    fn start(&self, data: &mut Data, _goal: &mut [f64], random: &mut Generator) -> Result<(), Fault> {
        let Range { low, high } = self.task.start;
        let angle = random.uniform(low, high);
        data.qpos_mut().iter_mut().last().into_iter().for_each(|position| *position = angle);
        if low != high {
            let place = self.bound.place.map(|coordinate| coordinate + random.uniform(-MOVED, MOVED));
            let places = data.model_array_mut(BODY_POS);
            let key = places.len() - place.len();
            places[key..].copy_from_slice(&place);
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
        let Bound { head, finger, thumb, .. } = *self.bound;
        let approaches = [finger, thumb].map(|tip| sub(data.site(head), data.site(tip)));
        observe_joints(data, scene, frame, [1, 1]);
        let ([.., angle], [.., speed]) = (data.qpos(), data.qvel()) else { unreachable!("the model has a key") };
        frame.add(&[*angle, speed * scene.seconds]);
        approaches.iter().for_each(|approach| frame.add(approach));
        let [finger, thumb] = approaches.map(|approach| (length(&approach) - TOUCH).abs());
        let bonus = flag(*angle > FRAC_PI_2) + flag(*angle > PI);
        let penalty = -flag(finger > FAR / 2.0) - flag(thumb > FAR / 2.0);
        rewards.add(&[*angle, -finger, -thumb, -scene.effort, bonus, penalty]);
        Ok(Outcome { sparse: *angle, is_solved: *angle > self.task.goal, is_done: finger > FAR || thumb > FAR })
    }
}

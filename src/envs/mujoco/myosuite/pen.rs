//! Tasks in which a hand turns a pen to a direction (`PenTwirlFixedEnvV0`, `PenTwirlRandomEnvV0`).

use super::task::{Class, Late, ModelSpec, Outcome, Rules, Scene, flag, length, open_hand};
use crate::names::{Names, bound};
use crate::robot::{Range, Writer};
use crate::rotations::euler_to_quaternion;
use crate::vector::{Vec3, distance, sub, vec3};
use envpool_rs_engine::{Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::model_overrides::{BODY_QUAT, SITE_POS};
use envpool_rs_sim_mujoco::{Data, Fault};

/// Number of positions, and of velocities, of the object.
pub const OBJECT: usize = 6;
/// Number of observed values of the object and of its target.
pub const OBSERVED: usize = 21;
/// Distance in metres from the target beyond which the object has dropped.
const FAR: f64 = 0.075;
/// Cosines of the angle to the target's direction above which a bonus is paid.
const ALIGNED: [f64; 2] = [0.9, 0.95];
/// Interval of both angles of a target's direction in radians.
const TURN: Range = Range { low: -1.0, high: 1.0 };

/// Arguments of a task.
pub struct Pen {
    /// Whether episodes draw the target's direction.
    pub is_random: bool,
}

impl Class for Pen {
    fn reward_keys(&self) -> &'static [&'static str] {
        ALIGNMENT_KEYS
    }

    fn weights(&self) -> Vec<(&'static str, f64)> {
        ALIGNMENT_WEIGHTS.to_vec()
    }

    fn observed(&self, model: &ModelSpec) -> usize {
        model.nq - OBJECT + OBSERVED
    }

    fn goal_len(&self, _model: &ModelSpec) -> usize {
        0
    }

    fn create(&'static self, _options: &Options) -> Result<Box<dyn Rules>> {
        Ok(Box::new(PenRules { is_random: self.is_random, bound: Late::NONE }))
    }
}

struct PenRules {
    is_random: bool,
    bound: Late<Bound>,
}

bound! {
    /// Ids of the model's objects.
    struct Bound {
        object: body("Object"),
        target: body("target"),
        goal: site("eps_ball"),
        top: site("object_top"),
        bottom: site("object_bottom"),
        target_top: site("target_top"),
        target_bottom: site("target_bottom");
        /// Lengths of the pen and of its target in metres.
        lengths: [f64; 2],
    }
}

impl Rules for PenRules {
    fn bind(&mut self, names: Names<'_>, start: &mut [f64]) -> Result<()> {
        let ends = [["object_top", "object_bottom"], ["target_top", "target_bottom"]];
        let end = |site: &str| -> Result<_> { Ok(vec3(names.0.array(SITE_POS), 3 * names.site(site)?)) };
        let measure = |[top, bottom]: [&str; 2]| -> Result<_> { Ok(distance(end(top)?, end(bottom)?)) };
        let [pen, target] = ends.map(measure);
        self.bound = Bound::bind(names, [pen?, target?])?.into();
        open_hand(start, OBJECT, -1.5);
        Ok(())
    }

    fn start(&self, data: &mut Data, _goal: &mut [f64], random: &mut Generator) -> Result<(), Fault> {
        if self.is_random {
            let target = self.bound.target;
            turn_target(data, target, [TURN; 2], random);
        }
        Ok(())
    }

    fn evaluate(&self, data: &mut Data, _goal: &mut [f64], scene: &Scene, to: [&mut Writer<'_>; 2]) -> Result<Outcome, Fault> {
        data.kinematics()?;
        let bound = &*self.bound;
        let aligned = Alignment {
            place: data.body(bound.object),
            goal: data.site(bound.goal),
            axes: [[bound.top, bound.bottom], [bound.target_top, bound.target_bottom]].map(|ends| ends.map(|end| data.site(end))),
            lengths: bound.lengths,
        };
        Ok(aligned.evaluate(data, scene, to))
    }
}

/// Draws the direction of a target from intervals of its angles about x and y.
pub fn turn_target(data: &mut Data, target: usize, [x, y]: [Range; 2], random: &mut Generator) {
    let euler = [random.uniform(x.low, x.high), random.uniform(y.low, y.high), 0.0];
    data.model_array_mut(BODY_QUAT)[4 * target..][..4].copy_from_slice(&euler_to_quaternion(&euler));
}

/// Keys of the parts of the reward of [`Alignment`].
pub const ALIGNMENT_KEYS: &[&str] = &["pos_align", "rot_align", "act_reg", "drop", "bonus"];
/// Weights of these parts.
pub const ALIGNMENT_WEIGHTS: [(&str, f64); 5] =
    [("pos_align", 1.0), ("rot_align", 1.0), ("act_reg", 5.0), ("drop", 5.0), ("bonus", 10.0)];

/// Place and direction of an object, and those that it should have.
pub struct Alignment {
    pub place: Vec3,
    pub goal: Vec3,
    /// Ends of the object and of the target.
    pub axes: [[Vec3; 2]; 2],
    /// Lengths by which the vectors between the ends are divided.
    pub lengths: [f64; 2],
}

impl Alignment {
    /// Writes the observation and the parts of the reward.
    pub fn evaluate(&self, data: &Data, scene: &Scene, [frame, rewards]: [&mut Writer<'_>; 2]) -> Outcome {
        let axis = |which: usize| {
            let [top, bottom] = self.axes[which];
            sub(top, bottom).map(|part| part / self.lengths[which])
        };
        let (own, wanted) = (axis(0), axis(1));
        let error = sub(self.place, self.goal);
        frame.add(&data.qpos()[..data.qpos().len() - OBJECT]);
        frame.add(&self.place);
        frame.add_mapped(&data.qvel()[data.qvel().len() - OBJECT..], |velocity| velocity * scene.seconds);
        [own, wanted, error, sub(own, wanted)].iter().for_each(|values| frame.add(values));
        let far = length(&error);
        let cosine = cosine(own, wanted);
        let is_near = flag(far < FAR);
        let [first, second] = ALIGNED.map(|least| flag(cosine > least));
        let bonus = first * is_near + 5.0 * second * is_near;
        let is_done = far > FAR;
        rewards.add(&[-far, cosine, -scene.effort, -flag(is_done), bonus]);
        Outcome { sparse: -far + cosine, is_solved: cosine > ALIGNED[1] && !is_done, is_done }
    }
}

/// Returns the cosine of the angle between two vectors (`calculate_cosine`). `np.einsum` adds the products in pairs: the first and
/// the third, then the second.
fn cosine(first: Vec3, second: Vec3) -> f64 {
    let lengths = length(&first) * length(&second);
    let products: Vec3 = std::array::from_fn(|axis| first[axis] * second[axis]);
    (products[0] + products[2] + products[1]) / if lengths == 0.0 { 1.0 } else { lengths }
}

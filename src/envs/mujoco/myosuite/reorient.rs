//! Tasks in which a hand turns a die to an orientation (`ReorientEnvV0` of the challenge of 2022).

use super::task::{
    Class, Late, ModelSpec, Outcome, Rules, Scene, bonus, can_draw, changes_of, flag, interval, interval_of, length, list,
    observe_joints, open_hand, rest_pose,
};
use crate::names::{Names, bound};
use crate::robot::{Range, Writer, number};
use crate::rotations::{euler_to_quaternion, matrix_to_euler};
use crate::vector::{Vec3, sub};
use envpool_rs_engine::{Error, OptionSpec, Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::model_overrides::{BODY_MASS, BODY_POS, BODY_QUAT, GEOM_FRICTION, GEOM_POS, GEOM_SIZE};
use envpool_rs_sim_mujoco::{Data, Fault};

/// Number of the die's geoms that are boxes, which are the last ones. The others are the capsules of its edges.
const BOXES: usize = 3;
/// Numbers of positions and velocities that are not observed. The package omits the last joint of the hand, too.
const OMITTED: [usize; 2] = [7, 6];

/// Arguments of a task.
pub struct Reorient {
    /// Interval of the goal's coordinates in metres, from its place in the file.
    pub goal_pos: Range,
    /// Interval of the goal's Euler angles in radians.
    pub goal_rot: Range,
    /// Largest change of the die's size in metres.
    pub size_change: f64,
    /// Interval of the die's mass in kg.
    pub mass: Range,
    /// Largest changes of the die's coefficients of friction.
    pub friction_change: [f64; 3],
    /// Distance in metres from the goal below which the task is solved.
    pub pos_th: f64,
    /// Norm of the error of the Euler angles in radians below which the task is solved.
    pub rot_th: f64,
    /// Distance in metres from the goal beyond which the die has dropped.
    pub drop_th: f64,
}

impl Class for Reorient {
    fn options(&self) -> Vec<OptionSpec> {
        vec![
            interval("goal_pos", self.goal_pos, "interval of the changes of the goal's coordinates in metres"),
            interval("goal_rot", self.goal_rot, "interval of the goal's Euler angles in radians"),
            interval("obj_mass_range", self.mass, "interval of the die's mass in kg"),
            number("obj_size_change", self.size_change, "largest change of the die's half width in metres")
                .numbers(0.0..=f64::MAX),
            list("obj_friction_change", &self.friction_change, "largest changes of the die's coefficients of friction"),
            number("pos_th", self.pos_th, "distance in metres from the goal below which the task is solved"),
            number("rot_th", self.rot_th, "norm of the error of the Euler angles in radians below which the task is solved"),
            number("drop_th", self.drop_th, "distance in metres from the goal beyond which an episode ends"),
        ]
    }

    fn reward_keys(&self) -> &'static [&'static str] {
        &["pos_dist", "rot_dist", "bonus", "act_reg", "penalty"]
    }

    fn weights(&self) -> Vec<(&'static str, f64)> {
        vec![("pos_dist", 100.0), ("rot_dist", 1.0), ("bonus", 0.0), ("act_reg", 0.0), ("penalty", 0.0)]
    }

    fn observed(&self, model: &ModelSpec) -> usize {
        model.nq - OMITTED[0] + model.nv - OMITTED[1] + 18
    }

    fn goal_len(&self, _model: &ModelSpec) -> usize {
        0
    }

    fn shaped(&self) -> &'static [&'static str] {
        &["Object"]
    }

    fn keeps_fatigue(&self) -> bool {
        true
    }

    fn create(&'static self, options: &Options) -> Result<Box<dyn Rules>> {
        let size_change = options.float("obj_size_change");
        if !can_draw(-size_change, size_change) {
            return Err(Error::value("obj_size_change", size_change, "0 or more, at most half of the largest float"));
        }
        let task = Self {
            goal_pos: interval_of(options, "goal_pos")?,
            goal_rot: interval_of(options, "goal_rot")?,
            size_change,
            mass: interval_of(options, "obj_mass_range")?,
            friction_change: changes_of(options, "obj_friction_change")?,
            pos_th: options.float("pos_th"),
            rot_th: options.float("rot_th"),
            drop_th: options.float("drop_th"),
        };
        Ok(Box::new(DieRules { task, bound: Late::NONE }))
    }
}

struct DieRules {
    task: Reorient,
    bound: Late<Bound>,
}

bound! {
    /// Ids of the model's objects.
    struct Bound {
        die: body("Object"),
        target: body("target"),
        object: site("object_o"),
        goal: site("target_o"),
        /// The target's geom, which follows those of the die.
        target_shape: geom("target_dice");
        /// First geom of the die.
        first_shape: usize,
        /// Place of the goal in the positions of the file.
        place: Vec3,
        /// Way from the object to the goal in the positions of the file.
        offset: Vec3,
        /// Sizes of the geoms from the die's first one to the target's.
        sizes: Vec<f64>,
        /// Places of the die's geoms in its frame.
        places: Vec<f64>,
        /// Friction of the die's geoms.
        friction: Vec<f64>,
    }
}

impl Rules for DieRules {
    fn bind(&mut self, names: Names<'_>, start: &mut [f64]) -> Result<()> {
        let data = rest_pose(names)?;
        let [object, place] = [names.site("object_o")?, names.site("target_o")?].map(|site| data.site(site));
        let (first, target) = (names.0.body_geomadr()[names.body("Object")?] as usize, names.geom("target_dice")?);
        let of = |values: &[f64], shapes: usize| values[3 * first..3 * shapes].to_vec();
        let (sizes, places) = (of(names.0.array(GEOM_SIZE), target + 1), of(names.0.array(GEOM_POS), target));
        let friction = of(names.0.array(GEOM_FRICTION), target);
        self.bound = Bound::bind(names, first, place, sub(place, object), sizes, places, friction)?.into();
        open_hand(start, OMITTED[0], -1.5);
        Ok(())
    }

    fn start(&self, data: &mut Data, _goal: &mut [f64], random: &mut Generator) -> Result<(), Fault> {
        let (task, bound) = (&self.task, &*self.bound);
        let mut draw = |range: Range| random.uniform(range.low, range.high);
        let place = bound.place.map(|coordinate| coordinate + draw(task.goal_pos));
        let turn = [(); 3].map(|()| draw(task.goal_rot));
        data.model_array_mut(BODY_POS)[3 * bound.target..][..3].copy_from_slice(&place);
        data.model_array_mut(BODY_QUAT)[4 * bound.target..][..4].copy_from_slice(&euler_to_quaternion(&turn));
        let friction = bound.friction.iter().zip(task.friction_change.iter().cycle());
        let friction: Vec<_> = friction.map(|(value, by)| draw(Range { low: value - by, high: value + by })).collect();
        let shapes = 3 * bound.first_shape..3 * bound.target_shape;
        data.model_array_mut(GEOM_FRICTION)[shapes.clone()].copy_from_slice(&friction);
        data.model_array_mut(BODY_MASS)[bound.die] = draw(task.mass);
        let change = draw(Range { low: -task.size_change, high: task.size_change });
        let sizes = &mut data.model_array_mut(GEOM_SIZE)[shapes.start..shapes.end + 3];
        let edges = bound.places.len() - 3 * BOXES;
        for (index, (size, original)) in sizes.iter_mut().zip(&bound.sizes).enumerate() {
            // Edges change their lengths, boxes all sides.
            if index >= edges || index % 3 == 1 {
                *size = original + change;
            }
        }
        // The package divides the present coordinates by nearly their absolute values, which keeps their signs.
        for (place, original) in data.model_array_mut(GEOM_POS)[shapes].iter_mut().zip(&bound.places) {
            *place = *place / (*place + 1e-16).abs() * (original.abs() + change);
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
        let Bound { object, goal, offset, .. } = &*self.bound;
        let places = [*object, *goal].map(|site| data.site(site));
        let turns = [*object, *goal].map(|site| matrix_to_euler(&data.site_xmat()[9 * site..][..9]));
        let apart = |[object, goal]: [Vec3; 2]| sub(goal, object);
        let errors = [sub(apart(places), *offset), apart(turns)];
        observe_joints(data, scene, frame, OMITTED);
        for (values, error) in [places, turns].iter().zip(&errors) {
            frame.add(values.as_flattened());
            frame.add(error);
        }
        let [far, turned] = errors.map(|error| length(&error));
        let Reorient { pos_th, rot_th, drop_th, .. } = self.task;
        let is_done = far > drop_th;
        rewards.add(&[-far, -turned, bonus(far, [2.0 * pos_th, pos_th]), -scene.effort, -flag(is_done)]);
        let is_solved = far < pos_th && turned < rot_th && !is_done;
        Ok(Outcome { sparse: -turned - 10.0 * far, is_solved, is_done })
    }
}

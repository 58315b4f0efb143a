//! Tasks in which an arm puts an object into a bin (`RelocateEnvV0`).

use std::f64::consts::FRAC_PI_2;

use super::task::{Bounds, Class, Late, ModelSpec, Outcome, Rules, Scene, bounds, box_of, interval, interval_of, uniform};
use crate::errors::to_error;
use crate::names::{Names, bound};
use crate::robot::{Range, Writer, number};
use crate::rotations::{Quaternion, euler_to_quaternion, matrix_to_euler};
use crate::vector::{Vec3, sub};
use envpool_rs_engine::{Error, OptionSpec, Options, Result};
use envpool_rs_numeric::numpy;
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::model_overrides::{
    BODY_MASS, BODY_POS, BODY_QUAT, GEOM_AABB, GEOM_FRICTION, GEOM_POS, GEOM_QUAT, GEOM_RBOUND, GEOM_RGBA, GEOM_SIZE, GEOM_TYPE,
};
use envpool_rs_sim_mujoco::{Data, Fault};

/// Number of positions that are not observed: the package leaves out one of the hand's, too.
const HIDDEN: usize = 7;
/// Number of the object's positions, and of its velocities.
const OBJECT: usize = 6;
/// Largest distance in metres of the palm from the object at which episodes go on.
const DROPPED: f64 = 0.50;
/// Name of the option with the sizes of the object.
const SIZES: &str = "obj_geom_range";
/// Types of geoms from which those of the object are drawn (`mjtGeom`): sphere, capsule, ellipsoid, cylinder and box.
const SHAPES: [i32; 5] = [2, 3, 4, 5, 6];

/// Arguments of a task.
pub struct Relocate {
    /// Distance in metres of the object from its target below which the task is solved.
    pub near: f64,
    /// Bounds of the bin's place and of its Euler angles.
    pub bin: [Bounds<3>; 2],
    /// Object that is drawn at each reset, if any.
    pub object: Option<DrawnObject>,
}

/// Bounds of an object that is drawn at each reset.
pub struct DrawnObject {
    /// Share of each joint's range by which the arm's positions at the start differ from the keyframe's.
    pub noise: f64,
    /// Bounds of the object's place.
    pub place: Bounds<3>,
    /// Bounds of the sizes of its geoms.
    pub size: Bounds<3>,
    /// Bounds of its mass in kg.
    pub mass: Range,
    /// Bounds of the friction of its geoms.
    pub friction: Bounds<3>,
}

impl Class for Relocate {
    fn options(&self) -> Vec<OptionSpec> {
        let [place, angles] = &self.bin;
        let mut options = vec![
            number(
                "pos_th",
                self.near,
                "distance in metres of the object from the observed target below which the task is solved",
            ),
            number("rot_th", 1e9, "norm of the error of the Euler angles in radians below which the task is solved"),
            number("drop_th", DROPPED, "distance in metres of the palm from the object beyond which an episode ends"),
            bounds("target_xyz_range", place, "bounds of the bin's place in metres"),
            bounds("target_rxryrz_range", angles, "bounds of the bin's Euler angles in radians"),
        ];
        if let Some(DrawnObject { noise, place, size, mass, friction }) = &self.object {
            options.extend([
                number("qpos_noise_range", *noise, "change of the arm's first positions, as a part of the joints' ranges"),
                bounds("obj_xyz_range", place, "bounds of the object's place in metres"),
                bounds(SIZES, size, "bounds of the sizes of the object's geoms in metres"),
                interval("obj_mass_range", *mass, "interval of the object's mass in kg"),
                bounds("obj_friction_range", friction, "bounds of the coefficients of friction of the object's geoms"),
            ]);
        }
        options
    }

    fn reward_keys(&self) -> &'static [&'static str] {
        &["pos_dist", "rot_dist", "act_reg"]
    }

    fn weights(&self) -> Vec<(&'static str, f64)> {
        vec![("pos_dist", 100.0), ("rot_dist", 1.0)]
    }

    fn observed(&self, model: &ModelSpec) -> usize {
        model.nq - HIDDEN + model.nv - OBJECT + 18
    }

    fn goal_len(&self, _model: &ModelSpec) -> usize {
        0
    }

    fn obstacle(&self) -> Option<&'static str> {
        self.object.as_ref().map(|_| "episodes have own shapes of the object")
    }

    fn create(&'static self, options: &Options) -> Result<Box<dyn Rules>> {
        let [near, turned, dropped] = ["pos_th", "rot_th", "drop_th"].map(|name| options.float(name));
        let object = self.object.as_ref().map(|_| -> Result<_> {
            let size: Bounds<3> = box_of(options, SIZES)?;
            if size[0].iter().any(|low| low.is_sign_negative()) {
                return Err(Error::value(
                    SIZES,
                    options.get(SIZES),
                    "lower bounds from 0, between which the package draws places",
                ));
            }
            Ok(DrawnObject {
                noise: options.float("qpos_noise_range"),
                place: box_of(options, "obj_xyz_range")?,
                size,
                mass: interval_of(options, "obj_mass_range")?,
                friction: box_of(options, "obj_friction_range")?,
            })
        });
        let bin = [box_of(options, "target_xyz_range")?, box_of(options, "target_rxryrz_range")?];
        let task = Self { near, bin, object: object.transpose()? };
        Ok(Box::new(RelocateRules { task, turned, dropped, bound: Late::NONE }))
    }
}

struct RelocateRules {
    task: Relocate,
    /// Norm of the error of the Euler angles below which the task is solved.
    turned: f64,
    dropped: f64,
    bound: Late<Bound>,
}

bound! {
    /// Ids of the model's objects.
    struct Bound {
        body: body("Object"),
        bin: body("target"),
        object: site("object_o"),
        target: site("target_o"),
        palm: site("S_grasp");
        /// Place and orientation of the bin in the model, where the package observes it in all episodes.
        seen: (Vec3, Quaternion),
        /// Index of the object's first geom, and of the first geom after the object's.
        geoms: [usize; 2],
    }
}

impl RelocateRules {
    /// Calls `look` with the simulation that the package observes, in which the bin is where the model has it.
    fn observe<R>(&self, data: &mut Data, look: impl FnOnce(&mut Data) -> Result<R, Fault>) -> Result<R, Fault> {
        let own = place_bin(data, self.bound.seen);
        let seen = look(data);
        place_bin(data, own);
        seen
    }

    /// Draws the object: its place, shapes, mass and friction.
    fn draw(&self, object: &DrawnObject, data: &mut Data, random: &mut Generator) {
        let Bound { body, geoms: [first, end], .. } = *self.bound;
        data.model_array_mut(BODY_POS)[3 * body..][..3].copy_from_slice(&uniform(random, &object.place));
        let largest = object.size[1];
        for geom in first..end {
            data.model_array_mut(GEOM_TYPE)[geom] = SHAPES[random.choice(SHAPES.len())];
            let size = uniform(random, &object.size);
            let place = uniform(random, &[size.map(|size| -size), size]);
            let turn = euler_to_quaternion(&uniform(random, &[[-FRAC_PI_2; 3], [FRAC_PI_2; 3]]));
            let color = uniform(random, &[[0.2, 0.2, 0.2, 1.0], [0.9, 0.9, 0.9, 1.0]]);
            let friction = uniform(random, &object.friction);
            data.model_array_mut(GEOM_AABB)[6 * geom + 3..][..3].copy_from_slice(&largest);
            data.model_array_mut(GEOM_RBOUND)[geom] = 2.0 * largest.into_iter().fold(0.0, f64::max);
            data.model_array_mut(GEOM_QUAT)[4 * geom..][..4].copy_from_slice(&turn);
            data.model_array_mut(GEOM_RGBA)[4 * geom..][..4].copy_from_slice(&color.map(|value| value as f32));
            for (array, values) in [(GEOM_SIZE, size), (GEOM_POS, place), (GEOM_FRICTION, friction)] {
                data.model_array_mut(array)[3 * geom..][..3].copy_from_slice(&values);
            }
        }
        data.model_array_mut(BODY_MASS)[body] = random.uniform(object.mass.low, object.mass.high);
    }
}

impl Rules for RelocateRules {
    fn bind(&mut self, names: Names<'_>, start: &mut [f64]) -> Result<()> {
        let key = names.0.key_qpos(usize::from(self.task.object.is_some()));
        let key = key.ok_or_else(|| Error::Value("the model has no second keyframe".to_owned()))?;
        start.copy_from_slice(key);
        if let Some(DrawnObject { noise, .. }) = &self.task.object {
            let arm = start.len() - OBJECT;
            let ranges = names.0.jnt_range().as_chunks::<2>().0;
            start[..arm].iter_mut().zip(ranges).for_each(|(position, [low, high])| *position += noise * (high - low));
        }
        let data = Data::new(names.0).map_err(to_error)?;
        let (Ok(place), Ok(turn)) = (data.mocap_pos().try_into(), data.mocap_quat().try_into()) else {
            return Err(Error::Value("the model has other mocap bodies than the bin".to_owned()));
        };
        let geoms = [names.body("Object")?, names.body("target")?].map(|body| names.0.body_geomadr()[body] as usize);
        self.bound = Bound::bind(names, (place, turn), geoms)?.into();
        Ok(())
    }

    fn start(&self, data: &mut Data, _goal: &mut [f64], random: &mut Generator) -> Result<(), Fault> {
        let [place, angles] = [0, 1].map(|part| uniform(random, &self.task.bin[part]));
        let bin = self.bound.bin;
        data.model_array_mut(BODY_POS)[3 * bin..][..3].copy_from_slice(&place);
        data.model_array_mut(BODY_QUAT)[4 * bin..][..4].copy_from_slice(&euler_to_quaternion(&angles));
        if let Some(object) = &self.task.object {
            self.draw(object, data, random);
        }
        // Each reset takes the bin's place from the model, also those of MuJoCo when a simulation is unstable.
        let positions = data.qpos().to_vec();
        data.reset()?;
        data.qpos_mut().copy_from_slice(&positions);
        Ok(())
    }

    /// The package draws another start while something touches something else, the bin of the model among it.
    fn is_rejected(&self, data: &mut Data) -> Result<bool, Fault> {
        self.observe(data, |data| data.forward_positions().map(|()| data.ncon() > 0))
    }

    fn evaluate(
        &self,
        data: &mut Data,
        _goal: &mut [f64],
        scene: &Scene,
        [frame, rewards]: [&mut Writer<'_>; 2],
    ) -> Result<Outcome, Fault> {
        self.observe(data, Data::kinematics)?;
        let Bound { object, target, palm, .. } = *self.bound;
        let [place, goal] = [object, target].map(|site| data.site(site));
        let [turn, goal_turn] = [object, target].map(|site| matrix_to_euler(&data.site_xmat()[9 * site..][..9]));
        let (off, turned) = (sub(goal, place), sub(goal_turn, turn));
        frame.add(&data.qpos()[..data.qpos().len() - HIDDEN]);
        frame.add_mapped(&data.qvel()[..data.qvel().len() - OBJECT], |velocity| velocity * scene.seconds);
        [place, goal, off, turn, goal_turn, turned].iter().for_each(|values| frame.add(values));
        let [reach, off, turned] = [sub(data.site(palm), place), off, turned].map(|values| numpy::sum_of_squares(&values).sqrt());
        let is_done = reach > self.dropped;
        rewards.add(&[-off, -turned, -scene.effort]);
        Ok(Outcome { sparse: -turned - 10.0 * off, is_solved: off < self.task.near && turned < self.turned && !is_done, is_done })
    }

    fn shown(&self, data: &mut Data, _goal: &[f64]) -> Result<Vec<(usize, Vec3)>, Fault> {
        place_bin(data, self.bound.seen);
        Ok(Vec::new())
    }
}

/// Moves the bin, and returns its former place and orientation.
fn place_bin(data: &mut Data, (place, turn): (Vec3, Quaternion)) -> (Vec3, Quaternion) {
    let mut own = ([0.0; 3], [0.0; 4]);
    own.0.copy_from_slice(data.mocap_pos());
    own.1.copy_from_slice(data.mocap_quat());
    data.mocap_pos_mut().copy_from_slice(&place);
    data.mocap_quat_mut().copy_from_slice(&turn);
    own
}

//! Task in which an arm hands an object to a prosthetic arm, which puts it on a pillar (`BimanualEnvV1`).

use super::task::{
    Class, Late, ModelSpec, Outcome, Rules, Scene, changes_of, interval, interval_of, length, list, list_of, touching, uniform,
};
use crate::errors::to_error;
use crate::names::{Names, bound};
use crate::robot::{Range, Writer, number};
use crate::vector::{Vec3, add, sub};
use envpool_rs_engine::{Error, OptionSpec, Options, Result};
use envpool_rs_numeric::numpy_ufuncs;
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::model_overrides::{BODY_MASS, BODY_POS, GEOM_FRICTION, GEOM_SIZE};
use envpool_rs_sim_mujoco::{Data, Fault};

/// Options with the places of the two pillars in metres, around which their places are drawn, and with the largest changes.
const PLACES: [[&str; 2]; 2] = [["start_center", "start_shifts"], ["goal_center", "goal_shifts"]];
/// Their default values.
const PILLARS: [(Vec3, Vec3); 2] = [([-0.4, -0.25, 1.05], [0.055, 0.055, 0.0]), ([0.4, -0.25, 1.05], [0.098, 0.098, 0.0])];
/// Height in metres of the goal.
const GOAL_HEIGHT: f64 = 1.09;
/// Time in seconds after which an episode terminates.
const MAX_TIME: f64 = 10.0;
/// Height of the object in metres below which an episode terminates.
const DROPPED: f64 = 0.3;
/// Number of steps in which the object must touch the goal.
const TOUCHES: f64 = 10.0;
/// Keyframe in which episodes start.
const START: usize = 2;
/// Changes of the object's mass in kg, of its friction and, relatively, of its size, unless they are options.
const MASS_CHANGE: Range = Range { low: -0.050, high: 0.050 };
const FRICTION_CHANGE: Vec3 = [0.1, 0.001, 0.00002];
const SIZE_CHANGE: Vec3 = [0.1, 0.05, 0.1];

// Places of a lane's values: the goal's first two coordinates, the number of steps in which the object has touched the goal,
// whether the last step was solved, and whether an episode has started.
const GOAL: usize = 0;
const TOUCHED: usize = 2;
const SOLVED: usize = 3;
const STARTED: usize = 4;

/// Task, whose arguments are all constants.
pub struct Bimanual;

impl Class for Bimanual {
    fn options(&self) -> Vec<OptionSpec> {
        let mut options = vec![
            number("proximity_th", 0.17, "distance in metres of the object from the goal below which the task is solved"),
            interval("obj_mass_change", MASS_CHANGE, "interval of the changes of the object's mass in kg"),
            list("obj_friction_change", &FRICTION_CHANGE, "largest changes of the object's coefficients of friction"),
            list("obj_scale_change", &SIZE_CHANGE, "largest changes of the object's sizes, as parts of them"),
        ];
        for ([place, shift], (center, change)) in PLACES.iter().zip(&PILLARS) {
            options.push(list(place, center, "place of a pillar in metres, around which its place is drawn"));
            options.push(list(shift, change, "largest changes of the coordinates of a pillar in metres"));
        }
        options
    }

    fn reward_keys(&self) -> &'static [&'static str] {
        &["reach_dist", "act", "fin_open", "fin_dis", "lift_bonus", "lift_height", "pass_err", "goal_dist"]
    }

    fn weights(&self) -> Vec<(&'static str, f64)> {
        vec![("reach_dist", -0.1), ("act", 0.0), ("fin_dis", -0.5), ("pass_err", -1.0)]
    }

    fn observed(&self, model: &ModelSpec) -> usize {
        1 + model.nq + model.nv + OTHERS
    }

    fn goal_len(&self, _model: &ModelSpec) -> usize {
        STARTED + 1
    }

    fn obstacle(&self) -> Option<&'static str> {
        Some("episodes draw the object's friction and size, which the library reads")
    }

    fn scales_motors(&self) -> bool {
        true
    }

    fn create(&'static self, options: &Options) -> Result<Box<dyn Rules>> {
        let pillar = |[place, shift]: [&str; 2]| -> Result<_> { Ok((list_of(options, place)?, list_of(options, shift)?)) };
        Ok(Box::new(BimanualRules {
            near: options.float("proximity_th"),
            pillars: [pillar(PLACES[0])?, pillar(PLACES[1])?],
            mass: interval_of(options, "obj_mass_change")?,
            friction: changes_of(options, "obj_friction_change")?,
            size: changes_of(options, "obj_scale_change")?,
            bound: Late::NONE,
        }))
    }
}

struct BimanualRules {
    /// Distance in metres below which the task is solved.
    near: f64,
    /// Places around which those of the pillars are drawn, and the largest changes of the coordinates, in metres.
    pillars: [(Vec3, Vec3); 2],
    /// Changes of the object's mass in kg, of its friction and, relatively, of its size.
    mass: Range,
    friction: Vec3,
    size: Vec3,
    bound: Late<Bound>,
}

/// Number of kinds of bodies that can touch the object: arm, prosthesis, start, goal, others.
const OTHERS: usize = 5;

bound! {
    /// Ids of the model's objects.
    struct Bound {
        object: body("manip_object"),
        grip: site("touch_site"),
        palm: site("S_grasp"),
        thumb_side: site("prosthesis/palm_thumb"),
        little_side: site("prosthesis/palm_pinky"),
        elbow: position("elbow_flexion"),
        /// First coordinates of the prosthesis and of the object.
        prosthesis: position("prosthesis/Lshoulder_fe"),
        free: position("manip_object/freejoint");
        tips: [usize; 5],
        pillars: [usize; 2],
        /// Kind of each geom's body; `None` for the object.
        kinds: Vec<Option<usize>>,
        /// Geom of the object that touches others.
        geom: usize,
        /// Mass, friction and size of the object in the file.
        mass: f64,
        friction: Vec3,
        size: Vec3,
        /// Heights of the object and of the palm at the start of an episode.
        heights: [f64; 2],
    }
}

/// Returns the kind of each geom's body.
fn kinds(names: Names<'_>) -> Result<Vec<Option<usize>>> {
    let [first, last] = ["prosthesis/Lmpl_attach", "prosthesis/pinky3"].map(|body| names.body(body));
    let (first, last) = (first?, last?);
    let [object, start, goal] = ["manip_object", "start", "goal"].map(|body| names.body(body));
    let (object, start, goal) = (object?, start?, goal?);
    let kind = |body: &i32| match *body as usize {
        body if body == object => None,
        body if body < first => Some(0),
        body if body <= last => Some(1),
        body if body == start => Some(2),
        body if body == goal => Some(3),
        _ => Some(4),
    };
    Ok(names.0.geom_bodyid().iter().map(kind).collect())
}

impl BimanualRules {
    /// Returns which kinds of bodies touch the object. The package observes the pillars in the places of the file.
    fn touching(&self, data: &mut Data) -> Result<[f64; OTHERS], Fault> {
        let places = data.mocap_pos().to_vec();
        data.mocap_pos_mut().copy_from_slice(PILLARS.map(|(place, _)| place).as_flattened());
        data.kinematics()?;
        let touching = touching(data, |geoms| match geoms.map(|geom| self.bound.kinds[geom]) {
            [None, Some(kind)] | [Some(kind), None] => Some(kind),
            _ => None,
        })?;
        data.mocap_pos_mut().copy_from_slice(&places);
        Ok(touching)
    }
}

impl Rules for BimanualRules {
    fn bind(&mut self, names: Names<'_>, start: &mut [f64]) -> Result<()> {
        let model = names.0;
        let key = model.key_qpos(START).ok_or_else(|| Error::Value(format!("the model has no keyframe {START}")))?;
        start.copy_from_slice(key);
        let mut data = Data::new(model).map_err(to_error)?;
        data.qpos_mut().copy_from_slice(key);
        data.kinematics().map_err(to_error)?;
        let heights = [data.site(names.site("touch_site")?)[2], data.site(names.site("S_grasp")?)[2]];
        let object = names.body("manip_object")?;
        let geom = model.body_geomadr()[object] as usize + 1;
        let triple = |values: &[f64]| values.as_chunks::<3>().0[geom];
        let [thumb, index, middle, ring, little] = ["THtip", "IFtip", "MFtip", "RFtip", "LFtip"].map(|tip| names.site(tip));
        self.bound = Bound::bind(
            names,
            [thumb?, index?, middle?, ring?, little?],
            [names.body("start")?, names.body("goal")?],
            kinds(names)?,
            geom,
            model.body_mass()[object],
            triple(model.geom_friction()),
            triple(model.geom_size()),
            heights,
        )?
        .into();
        Ok(())
    }

    fn draw_at_creation(&self, goal: &mut [f64], _random: &mut Generator) {
        goal.fill(0.0);
    }

    fn start(&self, data: &mut Data, goal: &mut [f64], random: &mut Generator) -> Result<(), Fault> {
        let bound = &*self.bound;
        let [start, end]: [Vec3; 2] = self.pillars.map(|(center, change)| {
            let drawn = [(); 3].map(|()| random.random());
            std::array::from_fn(|axis| center[axis] + change[axis] * (2.0 * drawn[axis] - 1.0))
        });
        data.mocap_pos_mut().copy_from_slice([start, end].as_flattened());
        for (pillar, place) in bound.pillars.into_iter().zip([start, end]) {
            data.model_array_mut(BODY_POS)[3 * pillar..][..3].copy_from_slice(&place); // for MuJoCo's own resets
        }
        goal[GOAL..TOUCHED].copy_from_slice(&end[..2]);
        goal[TOUCHED] = 0.0;
        data.model_array_mut(BODY_MASS)[bound.object] = random.uniform(bound.mass + self.mass.low, bound.mass + self.mass.high);
        let friction = uniform(random, &[sub(bound.friction, self.friction), add(bound.friction, self.friction)]);
        data.model_array_mut(GEOM_FRICTION)[3 * bound.geom..][..3].copy_from_slice(&friction);
        // The first episode of an environment has an object of the file's size.
        if goal[STARTED] != 0.0 {
            let scales = uniform(random, &[self.size.map(|change| -change), self.size]).map(|change| change + 1.0);
            let size: Vec3 = std::array::from_fn(|axis| bound.size[axis] * scales[axis]);
            data.model_array_mut(GEOM_SIZE)[3 * bound.geom..][..3].copy_from_slice(&size);
        } else {
            data.model_array_mut(GEOM_SIZE)[3 * bound.geom..][..3].copy_from_slice(&bound.size);
        }
        goal[STARTED] = 1.0;
        Ok(())
    }

    fn evaluate(
        &self,
        data: &mut Data,
        goal: &mut [f64],
        scene: &Scene,
        [frame, rewards]: [&mut Writer<'_>; 2],
    ) -> Result<Outcome, Fault> {
        let bound = &*self.bound;
        let touching = self.touching(data)?;
        frame.add(&[scene.time]);
        let (places, speeds) = (data.qpos(), data.qvel());
        for range in [0..bound.prosthesis, bound.prosthesis..bound.free] {
            frame.add(&places[range.clone()]);
            frame.add(&speeds[range]);
        }
        frame.add(&places[bound.free..]);
        frame.add(&speeds[bound.free..]);
        frame.add(&touching);

        let (object, palm) = (data.site(bound.grip), data.site(bound.palm));
        let middle = add(data.site(bound.thumb_side), data.site(bound.little_side)).map(|sum| sum / 2.0);
        let [reach, pass] = [palm, middle].map(|hand| length(&sub(hand, object)));
        let spread = |center: Vec3| bound.tips.iter().fold(0.0, |total, tip| total + length(&sub(data.site(*tip), center)));
        let (open, fingers) = (spread(palm), spread(object));
        let peak = |error: f64| 5.0 * numpy_ufuncs::exp(-10.0 * (error * error)) - 5.0;
        let lift = length(&[object[2] - bound.heights[0], palm[2] - bound.heights[1]]);
        let far = length(&sub(object, [goal[GOAL], goal[GOAL + 1], GOAL_HEIGHT]));
        if scene.time > 0.0 {
            goal[TOUCHED] += touching[3];
        }
        let is_solved = far < self.near && goal[TOUCHED] >= TOUCHES;
        let mut is_done = scene.time > MAX_TIME;
        if !is_done && object[2] < DROPPED {
            scene.shown_time.set(MAX_TIME);
            is_done = true;
        }
        is_done |= goal[SOLVED] != 0.0;
        if scene.time > 0.0 {
            goal[SOLVED] = f64::from(u8::from(is_solved));
        }
        let log = |value: f64, offset: f64| value + numpy_ufuncs::log(value + offset);
        let (reach, fingers, pass) = (log(reach, 1e-6), log(fingers, 1e-6), log(pass, 1e-3));
        rewards.add(&[
            reach,
            scene.effort,
            numpy_ufuncs::exp(-5.0 * open),
            fingers,
            peak(places[bound.elbow] - 1.0),
            peak(lift - 0.2),
            pass,
            far,
        ]);
        Ok(Outcome { sparse: 0.0, is_solved, is_done })
    }
}

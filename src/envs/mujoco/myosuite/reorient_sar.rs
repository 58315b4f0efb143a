//! Tasks in which a hand turns objects of various shapes to a direction (SAR: `Geometries8EnvV0`, `Geometries100EnvV0`, `InDistribution`,
//! `OutofDistribution`).

use std::path::Path;

use super::pen::{ALIGNMENT_KEYS, ALIGNMENT_WEIGHTS, Alignment, OBJECT, OBSERVED, turn_target};
use super::task::{Class, Late, ModelSpec, Outcome, Rules, Scene, open_hand};
use crate::mujoco_env::shared_model::path_in_folder;
use crate::names::{Names, bound};
use crate::robot::{Range, Writer};
use crate::vector::{Vec3, distance, vec3};
use envpool_rs_engine::{Error, Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::model_overrides::{BODY_MASS, GEOM_POS, GEOM_SIZE, GEOM_TYPE};
use envpool_rs_sim_mujoco::{Data, Fault, Model};

/// Module of the package with the sizes of objects.
const MODULE: &str = "envs/myo/myobase/reorient_sar_v0.py";
/// Names of the module's tables, in the order in which episodes draw the kind of the object, with the type of geoms (`mjtGeom`) and
/// the place of the half length among the sizes.
const KINDS: [(&str, i32, usize); 4] = [("caps", 3, 1), ("ellips", 4, 2), ("cyl", 5, 1), ("box", 6, 2)];
/// Share of a capsule's half length at which its ends are shown.
const CAPSULE_END: f64 = 1.3;
/// Mass of the object in kg.
const MASS: f64 = 1.2;
/// Intervals of the angles of a target's direction in radians.
const TURNS: [Range; 2] = [Range { low: -1.0, high: 1.0 }, Range { low: -0.8, high: 1.2 }];

/// Arguments of a task.
pub struct ReorientSar {
    /// Class of the module [`MODULE`] with the sizes of objects.
    pub class: &'static str,
    /// Whether episodes also draw a colour, which is not used, and contacts of the object have no torsional friction.
    pub has_colours: bool,
}

impl Class for ReorientSar {
    fn reward_keys(&self) -> &'static [&'static str] {
        ALIGNMENT_KEYS
    }

    fn weights(&self) -> Vec<(&'static str, f64)> {
        ALIGNMENT_WEIGHTS.to_vec()
    }

    fn observed(&self, model: &ModelSpec) -> usize {
        model.nq - OBJECT + OBSERVED + 3 * model.nu
    }

    fn goal_len(&self, _model: &ModelSpec) -> usize {
        0
    }

    fn shaped(&self) -> &'static [&'static str] {
        &["Object", "target"]
    }

    fn changes(&self) -> &'static str {
        if self.has_colours { "mass, condim" } else { "mass" }
    }

    fn change(&self, model: &mut Model) -> Result<()> {
        let (body, geom) = (Names(model).body("Object")?, Names(model).geom("obj")?);
        model.set(BODY_MASS, body, MASS);
        if self.has_colours {
            model.set_condim(geom, 3);
        }
        Ok(())
    }

    fn create(&'static self, options: &Options) -> Result<Box<dyn Rules>> {
        let folder = options.text("myosuite_dir").map(str::to_owned);
        Ok(Box::new(SarRules { task: self, folder, shapes: [const { Vec::new() }; 4], bound: Late::NONE }))
    }
}

struct SarRules {
    task: &'static ReorientSar,
    /// Folder of the package.
    folder: Option<String>,
    /// Sizes of the objects of each kind.
    shapes: [Vec<Vec3>; 4],
    bound: Late<Bound>,
}

bound! {
    /// Ids of the model's objects.
    struct Bound {
        object: body("Object"),
        target: body("target"),
        goal: site("eps_ball"),
        shape: geom("obj"),
        target_shape: geom("target"),
        top: geom("top"),
        bottom: geom("bot"),
        target_top: geom("t_top"),
        target_bottom: geom("t_bot");
        /// Distances between the ends of the object and of the target in the model file, in metres.
        lengths: [f64; 2],
    }
}

impl Rules for SarRules {
    fn bind(&mut self, names: Names<'_>, start: &mut [f64]) -> Result<()> {
        let end = |geom: &str| -> Result<_> { Ok(vec3(names.0.array(GEOM_POS), 3 * names.geom(geom)?)) };
        let length = |top: &str, bottom: &str| -> Result<_> { Ok(distance(end(top)?, end(bottom)?)) };
        self.bound = Bound::bind(names, [length("top", "bot")?, length("t_top", "t_bot")?])?.into();
        let path = path_in_folder("myosuite_dir", self.folder.as_deref(), MODULE, "in the package myosuite")?;
        self.shapes = read_shapes(&path, self.task.class)?;
        open_hand(start, OBJECT, -1.5);
        Ok(())
    }

    fn start(&self, data: &mut Data, _goal: &mut [f64], random: &mut Generator) -> Result<(), Fault> {
        let bound = &*self.bound;
        let kind = random.choice(KINDS.len());
        let shapes = &self.shapes[kind];
        let size = shapes[random.choice(shapes.len())];
        if self.task.has_colours {
            random.choice(shapes.len());
        }
        let (_, geom_type, along) = KINDS[kind];
        let end = if kind == 0 { CAPSULE_END * size[along] } else { size[along] };
        for shape in [bound.shape, bound.target_shape] {
            data.model_array_mut(GEOM_SIZE)[3 * shape..][..3].copy_from_slice(&size);
            data.model_array_mut(GEOM_TYPE)[shape] = geom_type;
        }
        for (shape, place) in [(bound.top, end), (bound.bottom, -end), (bound.target_top, end), (bound.target_bottom, -end)] {
            data.model_array_mut(GEOM_POS)[3 * shape..][..3].copy_from_slice(&[0.0, 0.0, place]);
        }
        turn_target(data, bound.target, TURNS, random);
        Ok(())
    }

    fn evaluate(
        &self,
        data: &mut Data,
        _goal: &mut [f64],
        scene: &Scene,
        [frame, rewards]: [&mut Writer<'_>; 2],
    ) -> Result<Outcome, Fault> {
        data.forward_actuation()?;
        let bound = &*self.bound;
        let aligned = Alignment {
            place: data.body(bound.object),
            goal: data.site(bound.goal),
            axes: [[bound.top, bound.bottom], [bound.target_top, bound.target_bottom]].map(|ends| ends.map(|end| data.geom(end))),
            lengths: bound.lengths,
        };
        let outcome = aligned.evaluate(data, scene, [&mut *frame, rewards]);
        [data.actuator_length(), data.actuator_velocity(), data.actuator_force()]
            .into_iter()
            .for_each(|values| frame.add(values));
        Ok(outcome)
    }
}

/// Reads the sizes of the objects of each kind from a class of the package's module: the first list of each row of a table.
fn read_shapes(path: &Path, class: &str) -> Result<[Vec<Vec3>; 4]> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let of_class = text.split_once(&format!("class {class}(")).map_or("", |(_, after)| after);
    let read = |(name, ..): &(&str, i32, usize)| -> Option<Vec<Vec3>> {
        let (table, _) = of_class.split_once(&format!(" {name} = {{"))?.1.split_once('}')?;
        let size = |row: &str| -> Option<Vec3> {
            let values: Option<Vec<f64>> = row.split_once(']')?.0.split(',').map(|value| value.trim().parse().ok()).collect();
            values?.try_into().ok()
        };
        table.split("[[").skip(1).map(size).collect::<Option<Vec<_>>>().filter(|sizes| !sizes.is_empty())
    };
    let shapes: Option<Vec<_>> = KINDS.iter().map(read).collect();
    let shapes = shapes.and_then(|shapes| shapes.try_into().ok());
    shapes.ok_or_else(|| Error::Value(format!("{}: expected the sizes of objects in the class {class}", path.display())))
}

//! Environments of gymnasium's robots: [`RobotEnv`] is the [`Family`] of each [`Robot`](crate::robot::Robot).

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::agent::{Agent, AgentMemory};
use crate::errors::to_error;
use crate::goals::{same_spec, stacked_space};
use crate::mujoco_env::{Family, Inputs, MujocoEnv, RENDER_OBSTACLE, Reset, Step, Stepped, step_options};
use crate::render_setup::{CameraPreset, ENVPOOL_ORDER};
use crate::robot::{self, RobotClass, RobotSpec, Writer};
use crate::stepper_choice::StepperChoice;
use envpool_rs_engine::{
    Action, AssetCache, Dtype, EnvSpec, Error, InfoSpec, OptionSpec, Options, Result, Row, Space, Task, Value,
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::model_overrides::GEOM_FRICTION;
use envpool_rs_sim_mujoco::{Data, DisableFlag, Fault, LaneField, Library, Model, ModelSizes, SavedOverrides, saved_values};

/// Suffix that replaces `.xml` in the names of EnvPool's copies of gymnasium's models.
const ENVPOOL_SUFFIX: &str = "_envpool.xml";
/// Magnitude above which a number counts as bad (`mjMAXVAL`).
const MJMAXVAL: f64 = 1e10;

/// Environment of a gymnasium robot.
pub struct RobotEnv {
    spec: &'static RobotSpec,
    agent: Agent,
    model: ModelFile,
    /// Option [`robot::NOISE`].
    noise: f64,
    /// Sizes of the model; of the robot's default model before it is loaded.
    sizes: ModelSizes,
    limited: Vec<u8>,
    physics: PhysicsOptions,
    /// Values of model fields that `physics` changes.
    own_values: Vec<(LaneField, Vec<f64>)>,
    /// The same values as changes of a model.
    changes: SavedOverrides,
}

/// Options that change attributes of the model, as programs change those of gymnasium's `env.unwrapped.model`.
struct PhysicsOptions {
    /// `opt.gravity[2]`; `None` for the model's.
    gravity: Option<f64>,
    /// Factor of `body_mass`.
    mass_scale: f64,
    /// Factor of `geom_friction`.
    friction_scale: f64,
}

impl PhysicsOptions {
    fn options() -> [OptionSpec; 3] {
        let scale = |name, doc| robot::number(name, 1.0, doc).numbers(f64::MIN_POSITIVE..=1e6);
        [
            OptionSpec::optional(
                "gravity",
                0.0,
                "gravity along z in m/s² (model.opt.gravity[2]), such as -9.81; None: the model's",
            )
            .numbers(-1e6..=1e6)
            .per_episode(),
            scale("mass_scale", "factor of the masses of all bodies (model.body_mass)"),
            scale("friction_scale", "factor of the frictions of all geoms (model.geom_friction)"),
        ]
    }

    fn new(options: &Options) -> Self {
        Self {
            gravity: match options.get("gravity") {
                Value::Float(gravity) => Some(*gravity),
                _ => None,
            },
            mass_scale: options.float("mass_scale"),
            friction_scale: options.float("friction_scale"),
        }
    }

    /// Returns the values of the model fields that these options change.
    fn values(&self, model: &Model) -> Result<Vec<(LaneField, Vec<f64>)>> {
        let mut values = Vec::new();
        if let Some(z) = self.gravity {
            let [x, y, _] = model.gravity();
            values.push((LaneField::Gravity, vec![x, y, z]));
        }
        let scaled = |array: &[f64], scale: f64| array.iter().map(|value| value * scale).collect();
        if self.mass_scale != 1.0 {
            values.push((LaneField::BodyMass, scaled(model.body_mass(), self.mass_scale)));
        }
        if self.friction_scale != 1.0 {
            let data = Data::new(model).map_err(to_error)?;
            values.push((LaneField::GeomFriction, scaled(data.model_array(GEOM_FRICTION), self.friction_scale)));
        }
        Ok(values)
    }
}

/// Returns the controls that MuJoCo applies for an action: zeros if a control without limits is beyond `mjMAXVAL`, for which
/// MuJoCo only warns. `limited` says which controls have limits.
fn applied_controls<'a>(limited: &[u8], action: &'a [f64]) -> Cow<'a, [f64]> {
    let mut limited = limited.iter();
    let is_bad = |value: &f64| limited.next().is_none_or(|limited| *limited == 0) && value.abs() > MJMAXVAL;
    if action.iter().any(is_bad) { Cow::Owned(vec![0.0; action.len()]) } else { Cow::Borrowed(action) }
}

/// Location of the model file: a file name or path, and the folder that contains gymnasium's models.
#[derive(Debug)]
struct ModelFile {
    name: String,
    folder: Option<String>,
    is_own: bool,
}

impl ModelFile {
    /// Returns whether the model file cannot be located, because its name is not a path and no folder of models is given.
    fn is_nowhere(&self) -> bool {
        self.folder.is_none() && !self.name.starts_with(['.', '/', '~'])
    }

    /// Returns the path of the model file, for which the same folders are searched as in gymnasium.
    fn path(&self) -> Result<PathBuf> {
        let path = if self.name.starts_with(['.', '/']) {
            PathBuf::from(&self.name)
        } else if let (Some(rest), Ok(home)) = (self.name.strip_prefix("~/"), std::env::var("HOME")) {
            Path::new(&home).join(rest)
        } else {
            let folder = self.folder.as_ref().ok_or_else(|| {
                Error::NotFound(format!("xml_dir=None: expected the folder that holds {}, the robot's model", self.name))
            })?;
            let path = Path::new(folder).join(&self.name);
            match self.name.strip_suffix(ENVPOOL_SUFFIX) {
                // EnvPool's copies of gymnasium's models differ from the originals only in comments, so an original replaces a
                // missing copy.
                Some(stem) if !path.is_file() => Path::new(folder).join(format!("{stem}.xml")),
                _ => path,
            }
        };
        match path.is_file() {
            true => Ok(path),
            false => {
                let xml_dir = self.folder.as_ref().map_or_else(|| "None".to_owned(), |folder| format!("{folder:?}"));
                let (name, path) = (&self.name, path.display());
                Err(Error::NotFound(format!("xml_file={name:?}: there is no file {path} (xml_dir={xml_dir})")))
            }
        }
    }
}

/// Creates the task `id` of the robot `R`, with the render options.
pub fn task<R: RobotClass>(id: &'static str) -> Task {
    task_of(id, const { &RobotSpec::of::<R>() })
}

/// Creates the task `id` of the robot that `spec` describes, with the render options.
fn task_of(id: &'static str, spec: &'static RobotSpec) -> Task {
    let default = &spec.model;
    let mut options = vec![
        OptionSpec::new("xml_file", default.xml_file, "model: a file in xml_dir, or a path that starts with ., / or ~"),
        OptionSpec::path("xml_dir", "folder of xml_file; None: that of the installed gymnasium"),
    ];
    options.extend(step_options(default.frame_skip));
    options.extend([
        StepperChoice::option(),
        robot::flag("post_constraint", true, "whether external forces on bodies are computed after steps; False: they are 0"),
    ]);
    options.extend((spec.options)());
    options.extend(PhysicsOptions::options());
    let order = match spec.envpool_order {
        "" => Vec::new(),
        own => "frame_skip frame_stack post_constraint".split(' ').chain(own.split(' ')).chain(ENVPOOL_ORDER).collect(),
    };
    MujocoEnv::<RobotEnv>::task(id, options, spec.camera).variant(spec).envpool_order(order)
}

impl RobotEnv {
    /// Returns the stages of MuJoCo's step that are disabled.
    fn without(&self) -> &'static [DisableFlag] {
        if self.model.is_own { self.spec.model.without } else { &[] }
    }
}

impl Family for RobotEnv {
    type Memory = AgentMemory;
    type Random = Generator;
    const SPEC_NEEDS_LOAD: bool = true;
    const CHANGES_MODEL: bool = true;
    const REPEATS_STEPS: bool = true;
    const IS_SHOWN_AS_STEPPED: bool = true;

    fn new(options: &Options) -> Result<Self> {
        let spec = options.variant::<RobotSpec>().expect("`task_of` says which robot it is");
        let name = options.text("xml_file").expect("it has a default").to_owned();
        let (robot, sizes) = ((spec.new)(options)?, spec.model.sizes);
        Ok(Self {
            spec,
            model: ModelFile { is_own: name == spec.model.xml_file, name, folder: options.text("xml_dir").map(str::to_owned) },
            agent: Agent::new(robot, options.int("frame_skip") as u32, options.bool("post_constraint"), &sizes),
            noise: options.find(robot::NOISE).map_or(0.0, |_| options.float(robot::NOISE)),
            sizes,
            limited: Vec::new(),
            physics: PhysicsOptions::new(options),
            own_values: Vec::new(),
            changes: SavedOverrides::new(),
        })
    }

    fn camera_preset(&self) -> CameraPreset {
        self.spec.camera
    }

    fn timestep(&self) -> f64 {
        self.spec.timestep
    }

    fn needs_no_model(&self) -> bool {
        // The properties of the robot's default model are known without loading the model.
        self.model.is_own
    }

    fn is_nowhere(&self) -> bool {
        self.model.is_nowhere()
    }

    fn model_name(&self) -> Result<String> {
        Ok(format!("{} without {:?}", self.model.path()?.display(), self.without()))
    }

    fn compile(&self, library: &'static Library) -> Result<Model> {
        Model::from_xml(library, &self.model.path()?, self.without()).map_err(to_error)
    }

    fn bind(&mut self, model: &Model, _store: &AssetCache) -> Result<()> {
        (self.sizes, self.limited) = (*model.sizes(), model.actuator_ctrllimited().to_vec());
        self.agent.bind(model)?;
        self.own_values = self.physics.values(model)?;
        self.changes = saved_values(&self.own_values);
        if let Some((_, masses)) = self.own_values.iter().find(|(field, _)| *field == LaneField::BodyMass) {
            self.agent.robot.set_masses(masses);
        }
        Ok(())
    }

    fn own_values(&self) -> &[(LaneField, Vec<f64>)] {
        &self.own_values
    }

    fn obstacle(&self, _model: &Model, is_rendered: bool) -> Option<&'static str> {
        is_rendered.then_some(RENDER_OBSTACLE)
    }

    fn agent(&self) -> Option<&Agent> {
        Some(&self.agent)
    }

    fn spec(&self, model: Option<&Model>, frame_stack: usize) -> EnvSpec {
        let default = &self.spec.model;
        let (low, high): (Vec<f64>, Vec<f64>) = match model {
            None => (vec![-default.control; default.sizes.nu], vec![default.control; default.sizes.nu]),
            Some(model) => {
                let bounds = model.actuator_ctrlrange().as_chunks::<2>().0;
                (bounds.iter().map(|[low, _]| *low).collect(), bounds.iter().map(|[_, high]| *high).collect())
            }
        };
        // EnvPool lists the terms of the reward first.
        let is_term = |info: &InfoSpec| info.key.starts_with("reward_");
        let in_order = |info: InfoSpec| if is_term(&info) { info.first_in_envpool() } else { info };
        let info = self.agent.robot.infos(&self.sizes).into_iter().map(in_order).collect();
        let control = |dtype| Space::Box { low: low.clone(), high: high.clone(), shape: vec![low.len()], dtype };
        let spec = same_spec(stacked_space(self.frame_len(), frame_stack), control(Dtype::F32), info);
        EnvSpec { envpool_action: Some(control(Dtype::F64)), ..spec }
    }

    fn frame_len(&self) -> usize {
        self.agent.robot.observation_len(&self.sizes)
    }

    fn create(&self) -> AgentMemory {
        self.agent.create()
    }

    fn reset(&self, data: &mut Data, reset: &mut Reset<'_, Self>) -> Result<(), Fault> {
        data.set_changes(&self.changes)?;
        data.reset()?;
        self.agent.robot.reset_model(data, self.noise, reset.random);
        data.forward()?;
        self.agent.begin(data, reset.memory);
        self.agent.robot.observe(data, &mut Writer::new(reset.frame));
        Ok(())
    }

    fn act(&self, inputs: &mut impl Inputs, action: &Action<'_>, _memory: &mut AgentMemory, _frame: &[f64]) {
        inputs.ctrl_mut().copy_from_slice(&applied_controls(&self.limited, action.doubles(0, self.sizes.nu)));
    }

    fn evaluate(&self, data: &mut Data, _stepped: Stepped<'_>, step: &mut Step<'_, Self>) -> Result<bool, Fault> {
        let action = step.action.doubles(0, self.sizes.nu);
        let (reward, terminates) = self.agent.evaluate(data, action, step.memory);
        step.rewards[0] = reward;
        self.agent.robot.observe(data, &mut Writer::new(step.frame));
        Ok(terminates)
    }

    fn info(&self, memory: &AgentMemory, out: &mut Row<'_>) {
        self.agent.write_infos(memory, out);
    }

    fn check(&self, memory: &AgentMemory, _frames: &[f64]) -> Result<()> {
        self.agent.check(memory)
    }
}

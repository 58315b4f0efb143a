//! Environment of an Adroit task: its options, model, episodes and observations.

use super::AdroitSpec;
use super::rules::{Lengths, Rules};
use crate::goals::{REWARD_TYPES, RewardType, same_spec, stacked_space};
use crate::mujoco_env::{Family, Inputs, MujocoEnv, Reset, Step, Stepped};
use crate::names::Names;
use crate::render_setup::{CameraPreset, ENVPOOL_ORDER};
use crate::robot::{Range, Writer};
use crate::robotics::{self, ModelFile};
use envpool_rs_engine::{
    Action, AssetCache, Dtype, EnvSpec, Error, InfoSpec, OptionSpec, Options, ResetOptions, Result, Row, Space, Task,
    refused_state,
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::model_overrides::{ACTUATOR_BIASPRM, ACTUATOR_GAINPRM};
use envpool_rs_sim_mujoco::{Data, Fault, Library, Model, ObjectKind};
use serde::{Deserialize, Serialize};

const FRAME_SKIP: i64 = 5;
/// First and last of the actuators whose gain changes, and the gain: first the wrist's, then the fingers'.
const GAINS: [([&str; 2], f64); 2] = [(["A_WRJ1", "A_WRJ0"], 10.0), (["A_FFJ3", "A_THJ0"], 1.0)];
/// Number of gain parameters, and of bias parameters, of an actuator (`mjNGAIN`, `mjNBIAS`).
const PARAMETERS: usize = 10;

pub struct AdroitEnv {
    spec: &'static AdroitSpec,
    reward_type: RewardType,
    model: ModelFile,
    rules: Option<Box<dyn Rules>>,
    /// Middle and half width of each actuator's control range.
    controls: Vec<[f64; 2]>,
}

#[derive(Serialize, Deserialize)]
pub struct AdroitMemory {
    lengths: Lengths,
    is_success: bool,
    distance: f64,
}

impl AdroitEnv {
    pub fn task(id: &'static str, spec: &'static AdroitSpec) -> Task {
        let mut options = robotics::model_options(FRAME_SKIP, spec.class.xml_file);
        options.push(
            OptionSpec::new("reward_type", "dense", "sparse: 10 where the task is solved, otherwise -0.1; dense: by distances")
                .one_of(&REWARD_TYPES),
        );
        let order = [&["frame_skip", "frame_stack", "xml_file", "reward_type"][..], &ENVPOOL_ORDER].concat();
        let task = MujocoEnv::<Self>::task(id, options, spec.camera).variant(spec).envpool_order(order);
        task.with_reset_options(&spec.reset_options)
    }

    /// Returns the numbers of the reset option `initial_state_dict`; `None` if it is not given.
    fn given_state(&self, options: &ResetOptions) -> Result<Option<Vec<f64>>> {
        let names = &self.spec.reset_options;
        let mut given = vec![f64::NAN; names.len()];
        for (name, value) in options.iter() {
            if let Some(index) = names.iter().position(|each| *each == name) {
                given[index] = value;
            }
        }
        if given.iter().all(|value| value.is_nan()) {
            return Ok(None);
        }
        if let Some(missing) = given.iter().position(|value| value.is_nan()) {
            let key = names[missing].split('[').next().unwrap_or_default();
            let count = names.iter().filter(|name| name.starts_with(&format!("{key}["))).count();
            return Err(Error::Value(format!("{key}: expected {count} numbers")));
        }
        Ok(Some(given))
    }

    fn rules(&self) -> &dyn Rules {
        self.rules.as_deref().expect("lanes are made of a loaded model")
    }
}

impl Family for AdroitEnv {
    type Memory = AdroitMemory;
    type Random = Generator;
    const CHANGES_MODEL: bool = true;
    const REPEATS_STEPS: bool = true;

    fn new(options: &Options) -> Result<Self> {
        Ok(Self {
            spec: options.variant::<AdroitSpec>().expect("`AdroitEnv::task` says which task it is"),
            reward_type: options.text("reward_type").and_then(RewardType::of).expect("the option takes no other values"),
            model: ModelFile::new(options),
            rules: None,
            controls: Vec::new(),
        })
    }

    fn camera_preset(&self) -> CameraPreset {
        self.spec.camera
    }

    fn model_name(&self) -> Result<String> {
        Ok(self.model.name("Adroit"))
    }

    /// Compiles the model, and changes the gains of its actuators.
    fn compile(&self, library: &'static Library) -> Result<Model> {
        let mut model = self.model.compile(library)?;
        let (sizes, positions) = (model.sizes(), self.spec.class.positions);
        for (found, expected, what) in [
            (sizes.nu, self.spec.class.actuators, "actuators"),
            (sizes.nq, positions, "positions"),
            (sizes.nv, positions, "velocities"),
        ] {
            if found != expected {
                let message = format!("xml_file={:?}: expected a model of {expected} {what}, found {found}", self.model.xml_file);
                return Err(Error::Value(message));
            }
        }
        for ([first, last], gain) in GAINS {
            let id = |name| Names(&model).id(ObjectKind::Actuator, name);
            for actuator in id(first)?..=id(last)? {
                for (index, (gain, bias)) in [(gain, 0.0), (0.0, -gain), (0.0, 0.0)].into_iter().enumerate() {
                    model.set(ACTUATOR_GAINPRM, PARAMETERS * actuator + index, gain);
                    model.set(ACTUATOR_BIASPRM, PARAMETERS * actuator + index, bias);
                }
            }
        }
        Ok(model)
    }

    fn bind(&mut self, model: &Model, _store: &AssetCache) -> Result<()> {
        self.rules = Some((self.spec.class.bind)(Names(model))?);
        let ranges = model.actuator_ctrlrange().as_chunks::<2>().0;
        self.controls = ranges.iter().map(|[low, high]| [(low + high) / 2.0, 0.5 * (high - low)]).collect();
        Ok(())
    }

    fn spec(&self, _model: Option<&Model>, frame_stack: usize) -> EnvSpec {
        let observation = stacked_space(self.spec.class.observed, frame_stack);
        let success = InfoSpec::new("success", Dtype::Bool, &[]).with_envpool_dtype(Dtype::F64).only_after_steps();
        let action = Space::uniform(-1.0, 1.0, &[self.spec.class.actuators], Dtype::F32);
        same_spec(observation, action, vec![success, robotics::distance_info()])
    }

    fn frame_len(&self) -> usize {
        self.spec.class.observed
    }

    fn create(&self) -> AdroitMemory {
        AdroitMemory { lengths: [1.0; 2], is_success: false, distance: 0.0 }
    }

    fn memory_bytes(&self, model: Option<&Model>) -> usize {
        model.map_or(0, |model| 7 * model.sizes().nbody + 3 * model.sizes().nsite) * size_of::<f64>()
    }

    fn reset_options(&self) -> &[&'static str] {
        &self.spec.reset_options
    }

    fn check_reset(&self, options: &ResetOptions) -> Result<()> {
        self.given_state(options).map(|_| ())
    }

    fn reset(&self, data: &mut Data, reset: &mut Reset<'_, Self>) -> Result<(), Fault> {
        let given = self.given_state(reset.options).unwrap_or_else(|error| error.raise());
        data.reset()?;
        self.rules().draw(data, reset.random);
        data.forward()?;
        let lengths = self.rules().lengths(data);
        if let Some(given) = &given {
            let (qpos, rest) = given.split_at(self.spec.class.positions);
            let (qvel, places) = rest.split_at(self.spec.class.positions);
            self.rules().place(data, places);
            data.qpos_mut().copy_from_slice(qpos);
            data.qvel_mut().copy_from_slice(qvel);
            data.forward()?;
        }
        let distance = self.rules().outcome(data, &lengths).distance;
        *reset.memory = AdroitMemory { lengths, is_success: false, distance };
        self.rules().observe(data, &lengths, &mut Writer::new(reset.frame));
        Ok(())
    }

    fn act(&self, inputs: &mut impl Inputs, action: &Action<'_>, _memory: &mut AdroitMemory, _frame: &[f64]) {
        let bounds = Range { low: -1.0, high: 1.0 };
        let action = action.continuous(0, self.spec.class.actuators).iter().zip(&self.controls);
        for (control, (value, [middle, width])) in inputs.ctrl_mut().iter_mut().zip(action) {
            *control = middle + bounds.clip(f64::from(*value)) * width;
        }
    }

    fn evaluate(&self, data: &mut Data, _stepped: Stepped<'_>, step: &mut Step<'_, Self>) -> Result<bool, Fault> {
        let AdroitMemory { lengths, is_success, distance } = step.memory;
        self.rules().observe(data, lengths, &mut Writer::new(step.frame));
        let outcome = self.rules().outcome(data, lengths);
        (*is_success, *distance) = (outcome.is_success, outcome.distance);
        step.rewards[0] = match self.reward_type {
            RewardType::Dense => outcome.dense,
            RewardType::Sparse if outcome.is_success => 10.0,
            RewardType::Sparse => -0.1,
        };
        Ok(false)
    }

    fn info(&self, memory: &AdroitMemory, out: &mut Row<'_>) {
        out.scalar(0, u8::from(memory.is_success));
        out.scalar(1, memory.distance);
    }

    fn check(&self, memory: &AdroitMemory, _frames: &[f64]) -> Result<()> {
        match memory.lengths.iter().all(|value| value.is_finite() && *value > 0.0) {
            true => Ok(()),
            false => Err(refused_state("its values are out of range")),
        }
    }
}

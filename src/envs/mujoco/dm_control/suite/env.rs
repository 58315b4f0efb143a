//! Implements [`Family`] for dm_control's suite.

use super::domain::{Block, DomainSpec, FirstReward, Stage};
use super::physics::{Colours, Physics};
use super::{Bound, FLAT, SUITE_DIR, Suite, SuiteMemory, sub_steps, task};
use crate::mujoco_env::native_lanes::OwnField;
use crate::mujoco_env::{Family, Inputs, NativeStep, RENDER_OBSTACLE, Reset, Step, Stepped};
use crate::names::Names;
use envpool_rs_engine::{Action, AssetCache, Dtype, EnvSpec, Options, Result, Row, Space};
use envpool_rs_numeric::random::RandomState;
use envpool_rs_sim_mujoco::model_overrides::{BODY_POS, BODY_QUAT};
use envpool_rs_sim_mujoco::{Data, Derived, Fault, LaneField, Library, Model, Stepper};

/// Entry of a pool's store for a model whose observations have been checked.
struct CheckedObservation;

impl Family for Suite {
    type Memory = SuiteMemory;
    type Random = RandomState;
    /// As in dm_control, a step that reaches the time limit does not check for termination.
    const TRUNCATION_WINS: bool = true;
    const CHANGES_MODEL: bool = true;
    const OWN_FIELDS: &'static [OwnField] = &[(BODY_POS, LaneField::BodyPos), (BODY_QUAT, LaneField::BodyQuat)];

    fn new(options: &Options) -> Result<Self> {
        let spec = DomainSpec::in_options(options);
        let mut task = (spec.task_spec)(task(options), options)?;
        let observed = task.observation.iter().map(Block::len).sum();
        if options.bool("domain_keys") {
            task.observation.append(&mut task.other_tasks_blocks);
        }
        let mut start = 0;
        let mut shown = Vec::with_capacity(task.observation.len());
        for block in &task.observation {
            shown.push((block.clone(), start));
            start += block.len();
        }
        if options.bool("domain_keys") {
            shown.sort_by_key(|(block, _)| spec.keys_in_order.iter().position(|key| *key == block.key));
        }
        Ok(Self {
            spec,
            task,
            observed,
            shown,
            shows_reward: options.bool("visualize_reward"),
            is_legacy: options.bool("legacy_step"),
            is_flat: options.bool("flat_observation"),
            folder: options.text(SUITE_DIR).map(str::to_owned),
            options: options.clone(),
            bound: None,
            stage: None,
            follow: |_| Ok(()),
        })
    }

    fn frame_skip(options: &Options) -> u32 {
        sub_steps(options)
    }

    fn timestep(&self) -> f64 {
        self.spec.info.timestep
    }

    fn model_name(&self) -> Result<String> {
        let changed_by = self.task.model_change.map_or("", |_| task(&self.options));
        Ok(format!("{:?}/{} {:?} {changed_by}", self.folder, self.spec.info.name, self.task.generator_arguments))
    }

    fn compile(&self, library: &'static Library) -> Result<Model> {
        let mut model = self.compile_file(library)?;
        if let Some(change) = self.task.model_change {
            let (array, index, value) = change(Names(&model))?;
            model.set(array, index, value);
        }
        self.check_model(&model)?;
        Ok(model)
    }

    fn bind(&mut self, model: &Model, store: &AssetCache) -> Result<()> {
        let domain = (self.spec.bind)(task(&self.options), &self.options, Names(model))?;
        let key = format!("{} {:?}", self.model_name()?, self.task.observation);
        store.get_or_load(&key, || self.check_observation(model, &*domain).map(|()| (CheckedObservation, 0)))?;
        let colours = if self.shows_reward { Some(Colours::bind(Names(model))?) } else { None };
        self.bound = Some(Bound { domain, colours });
        Ok(())
    }

    fn obstacle(&self, _model: &Model, is_rendered: bool) -> Option<&'static str> {
        match self.task.required_stage {
            None => Some("a task that only the library steps"),
            Some(_) if is_rendered => Some(RENDER_OBSTACLE),
            Some(_) if !self.is_legacy => Some("legacy_step=False, which shows what only the library computes"),
            Some(_) => None,
        }
    }

    fn native_step(&mut self, stepper: Option<&Stepper>) -> NativeStep {
        self.stage = self.task.required_stage.filter(|_| stepper.is_some());
        let final_arrays = self.task.final_arrays.filter(|arrays| stepper.is_some_and(|by| by.knows(*arrays)));
        let has_touch = self.stage == Some(Stage::Acc);
        if self.task.moves_bodies || has_touch && !stepper.is_some_and(|stepper| stepper.knows_touch()) {
            if !self.task.moves_bodies && stepper.is_some_and(|stepper| stepper.obstacle_of_sensors().is_none()) {
                self.follow = Data::kinematics_and_sensors;
                return NativeStep::Arrays(Derived::SENSORDATA);
            }
            // MuJoCo's library computes the force sensors, in the last simulation step with the lane's own model.
            self.follow = Data::step1;
            return NativeStep::States { library_steps: 1, keeps_positions: false };
        }
        self.follow = match self.stage {
            _ if final_arrays.is_some() => |_| Ok(()),
            Some(Stage::Pos) => Data::kinematics,
            _ => Data::kinematics_and_sensors,
        };
        NativeStep::Arrays(final_arrays.unwrap_or_default() | Derived::TOUCH_SENSORDATA.when(has_touch))
    }

    fn owns_simulations(&self) -> bool {
        self.stage.is_none()
    }

    fn spec(&self, _model: Option<&Model>, frame_stack: usize) -> EnvSpec {
        let space = |shape: &[usize]| {
            let stacked = if frame_stack == 1 { vec![] } else { vec![frame_stack] };
            Space::uniform(f64::NEG_INFINITY, f64::INFINITY, &[&stacked, shape].concat(), Dtype::F64)
        };
        let parts = self.shown.iter().map(|(block, _)| (block.key.to_owned(), space(&block.shape)));
        let flat = space(&[self.frame_len()]);
        let (observation, in_envpool) = match self.is_flat {
            true => (flat.clone(), Space::Dict(vec![(FLAT.to_owned(), flat)])),
            false => {
                let mut in_envpool: Vec<_> = parts.clone().collect();
                in_envpool.sort_by_key(|(key, _)| self.spec.keys_in_order.iter().position(|other| other == key));
                (Space::Dict(parts.collect()), Space::Dict(in_envpool))
            }
        };
        let written = (!self.is_flat && observation != in_envpool).then(|| observation.clone());
        let bounds = &self.task.controls;
        let action = Space::Box {
            low: bounds.iter().map(|[low, _]| *low).collect(),
            high: bounds.iter().map(|[_, high]| *high).collect(),
            shape: vec![bounds.len()],
            dtype: Dtype::F64,
        };
        EnvSpec {
            envpool_observation: Some(in_envpool),
            written,
            envpool_action: Some(action.clone()),
            ..EnvSpec::new(observation, action)
        }
    }

    fn frame_len(&self) -> usize {
        self.task.observation.iter().map(Block::len).sum()
    }

    fn create(&self) -> SuiteMemory {
        SuiteMemory::default()
    }

    fn memory_bytes(&self, _model: Option<&Model>) -> usize {
        self.frame_len() * size_of::<f64>()
    }

    fn shared_bytes(&self) -> usize {
        self.bound.as_ref().map_or(0, |bound| size_of_val(&*bound.domain))
    }

    /// The native stepper settles several lanes together, unless colours show the derived quantities of the last step.
    fn reset_steps(&self) -> u32 {
        let is_plain = |bound: &&Bound| bound.colours.is_none();
        self.bound.as_ref().filter(is_plain).map_or(0, |bound| bound.domain.settling_steps().saturating_sub(1))
    }

    fn begin_reset(&self, data: &mut Data, reset: &mut Reset<'_, Self>) -> Result<(), Fault> {
        let physics = &mut Physics { data, is_legacy: self.is_legacy };
        physics.restart()?;
        if self.task.first_reward == FirstReward::OfModel {
            self.paint(physics);
        }
        self.domain().initialize_episode(physics, reset.random, reset.options.seed().is_some())?;
        // The first step uses the derived quantities of the model's initial state, so MuJoCo computes it.
        match self.domain().settling_steps() - self.reset_steps() {
            0 => Ok(()),
            count => physics.advance(count),
        }
    }

    fn reset(&self, data: &mut Data, reset: &mut Reset<'_, Self>) -> Result<(), Fault> {
        let physics = &mut Physics { data, is_legacy: self.is_legacy };
        if self.task.first_reward == FirstReward::OfStartState {
            self.paint(physics);
        }
        if self.domain().settling_steps() > 0 {
            *physics.time_mut() = 0.0;
        }
        physics.forward_unactuated()?;
        reset.memory.is_over = false;
        self.capture(physics, reset.memory, reset.frame);
        Ok(())
    }

    fn act(&self, inputs: &mut impl Inputs, action: &Action<'_>, _memory: &mut SuiteMemory, _frame: &[f64]) {
        inputs.ctrl_mut().copy_from_slice(action.doubles(0, self.task.controls.len()));
    }

    fn advance(&self, data: &mut Data, count: u32) -> Result<(), Fault> {
        match self.stage {
            None => Physics { data, is_legacy: self.is_legacy }.advance(count),
            Some(_) => data.step(count, false),
        }
    }

    fn evaluate(&self, data: &mut Data, _stepped: Stepped<'_>, step: &mut Step<'_, Self>) -> Result<bool, Fault> {
        if self.stage.is_some() {
            (self.follow)(data)?;
        }
        let (domain, physics) = (self.domain(), &mut Physics { data, is_legacy: self.is_legacy });
        step.rewards[0] = domain.get_reward(physics);
        if let Some(colours) = &self.bound().colours {
            colours.show(physics, step.rewards[0]);
        }
        self.capture(physics, step.memory, step.frame);
        step.memory.is_over = domain.get_termination(physics);
        Ok(step.memory.is_over)
    }

    fn has_zero_discount(&self, memory: &SuiteMemory) -> bool {
        memory.is_over
    }

    fn observe(&self, frames: &[f64], out: &mut Row<'_>) {
        let len = self.frame_len();
        for (number, frame) in frames.chunks_exact(len).enumerate() {
            if self.is_flat {
                out.write_at(0, number * len, frame);
                continue;
            }
            for (leaf, (block, start)) in self.shown.iter().enumerate() {
                out.write_at(leaf, number * block.len(), &frame[*start..start + block.len()]);
            }
        }
    }

    fn show(&self, data: &mut Data, _memory: &SuiteMemory, _frames: &[f64]) -> Result<(), Fault> {
        data.step1()
    }

    fn check(&self, _memory: &SuiteMemory, _frames: &[f64]) -> Result<()> {
        Ok(())
    }
}

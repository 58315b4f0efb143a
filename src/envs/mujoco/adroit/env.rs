//! Environment of an Adroit task: its model, simulations, stacked frames and snapshots.

use super::AdroitSpec;
use super::rules::{Lengths, Rules};
use crate::goals::{REWARD_TYPES, RewardType, stacked_space};
use crate::names::Names;
use crate::rendered::{CameraPreset, ENVPOOL_ORDER, Renderable, Rendered};
use crate::robot::{Range, Writer};
use crate::robotics::{self, ROBOTICS_DIR};
use crate::simulated::shared_model::{SharedModel, repeat_step, restored_changes};
use crate::simulated::{shift_frames, to_error};
use crate::snapshot_checks::check_len;
use envpool_rs_engine::{
    Action, AssetCache, Dtype, Env, EnvSpec, Error, InfoSpec, LaneState, OptionSpec, Options, ResetOptions, Result, Row, Space,
    Task, refused_state,
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::model_overrides::{ACTUATOR_BIASPRM, ACTUATOR_GAINPRM};
use envpool_rs_sim_mujoco::{self as mujoco, Data, DetachedOverrides, Fault, Library, Model, ObjectKind, SavedOverrides};

/// Default number of simulation steps per environment step.
const FRAME_SKIP: i64 = 5;
/// Timestep of the models in seconds, for use before they are loaded.
const TIMESTEP: f64 = 0.002;
/// First and last of the actuators whose gain changes, and the gain: first the wrist's, then the fingers'.
const GAINS: [([&str; 2], f64); 2] = [(["A_WRJ1", "A_WRJ0"], 10.0), (["A_FFJ3", "A_THJ0"], 1.0)];
/// Number of gain parameters, and of bias parameters, of an actuator (`mjNGAIN`, `mjNBIAS`).
const PARAMETERS: usize = 10;

/// Environment of an Adroit task.
pub struct AdroitEnv {
    spec: &'static AdroitSpec,
    reward_type: RewardType,
    xml_file: String,
    folder: Option<String>,
    frame_skip: u32,
    frame_stack: usize,
    shared: SharedModel,
    rules: Option<Box<dyn Rules>>,
    /// Middle and half width of each actuator's control range.
    controls: Vec<[f64; 2]>,
}

/// Episode state of a lane, which is one environment of a pool.
pub struct EpisodeState {
    /// MuJoCo's state vector of the lane (`mjSTATE_INTEGRATION`).
    state: Vec<f64>,
    /// State vector before the last step, from which rendering repeats the step; empty after a reset.
    start: Vec<f64>,
    /// Positions of bodies and sites in the lane's model.
    changed: DetachedOverrides,
    lengths: Lengths,
    /// Stacked observations, oldest first.
    frames: Vec<f64>,
    is_success: bool,
    distance: f64,
}

/// Fields of [`EpisodeState`] in a snapshot.
type Saved = ([Vec<f64>; 3], SavedOverrides, Lengths, bool, f64);

impl AdroitEnv {
    /// Creates the task `id` that `spec` describes, with the render options.
    pub fn task(id: &'static str, spec: &'static AdroitSpec) -> Task {
        let mut options = robotics::model_options(FRAME_SKIP, spec.xml_file).to_vec();
        options.push(
            OptionSpec::new("reward_type", "dense", "sparse: 10 where the task is solved, otherwise -0.1; dense: by distances")
                .one_of(&REWARD_TYPES),
        );
        let order = [&["frame_skip", "frame_stack", "xml_file", "reward_type"][..], &ENVPOOL_ORDER].concat();
        let task = Rendered::<Self>::task(id, options, spec.camera).variant(spec).envpool_order(order);
        task.with_reset_options(&spec.reset_options)
    }

    /// Returns the key under which the pool's store holds the model.
    fn model_name(&self) -> String {
        format!("{} in {:?} for Adroit", self.xml_file, self.folder)
    }

    /// Compiles the model, and changes the gains of its actuators.
    ///
    /// # Errors
    /// `NotFound` if there is no such file, `Value` if MuJoCo rejects it or if it lacks an actuator.
    fn compile(&self, library: &'static Library) -> Result<Model> {
        let path = robotics::model_path(self.folder.as_deref(), &self.xml_file)?;
        let mut model = Model::from_xml(library, &path, &[]).map_err(to_error)?;
        let (sizes, positions) = (model.sizes(), self.spec.positions);
        for (found, expected, what) in [
            (sizes.nu, self.spec.actuators, "actuators"),
            (sizes.nq, positions, "positions"),
            (sizes.nv, positions, "velocities"),
        ] {
            if found != expected {
                let message = format!("xml_file={:?}: expected a model of {expected} {what}, found {found}", self.xml_file);
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

    /// Returns the numbers of the reset option `initial_state_dict`; `None` if it is not given.
    ///
    /// # Errors
    /// `Value`, naming the option, if numbers are missing.
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

    /// Sets the controls of an action, and advances the simulation by a step of the environment.
    fn advance(&self, data: &mut Data, control: &[f64]) -> Result<(), Fault> {
        data.ctrl_mut().copy_from_slice(control);
        data.step(self.frame_skip, false)
    }

    /// Drops the oldest of the stacked observations, and appends the newest one.
    fn capture(&self, data: &Data, lengths: &Lengths, frames: &mut [f64]) {
        self.rules().observe(data, lengths, &mut Writer::new(shift_frames(frames, self.spec.observed)));
    }
}

impl Env for AdroitEnv {
    type State = EpisodeState;
    type Random = Generator;

    fn new(options: &Options) -> Result<Self> {
        Ok(Self {
            spec: options.variant::<AdroitSpec>().expect("`AdroitEnv::task` says which task it is"),
            reward_type: options.text("reward_type").and_then(RewardType::of).expect("the option takes no other values"),
            xml_file: options.text("xml_file").expect("it has a default").to_owned(),
            folder: options.text(ROBOTICS_DIR).map(str::to_owned),
            frame_skip: options.int("frame_skip") as u32,
            frame_stack: options.int("frame_stack") as usize,
            shared: SharedModel::default(),
            rules: None,
            controls: Vec::new(),
        })
    }

    fn load(&mut self, store: &AssetCache) -> Result<()> {
        let Some(library) = mujoco::installed() else { return self.shared.loaded().map(|_| ()) };
        let mut shared = std::mem::take(&mut self.shared);
        let model = shared.load(store, &self.model_name(), || self.compile(library))?;
        self.rules = Some((self.spec.bind)(Names(model))?);
        let ranges = model.actuator_ctrlrange().as_chunks::<2>().0;
        self.controls = ranges.iter().map(|[low, high]| [(low + high) / 2.0, 0.5 * (high - low)]).collect();
        self.shared = shared;
        Ok(())
    }

    fn is_slow_to_load(&self, store: &AssetCache) -> bool {
        !SharedModel::is_in(store, &self.model_name())
    }

    fn spec(&self) -> EnvSpec {
        let observation = stacked_space(self.spec.observed, self.frame_stack);
        let success = InfoSpec::new("success", Dtype::Bool, &[]).with_envpool_dtype(Dtype::F64).only_after_steps();
        EnvSpec {
            envpool_observation: Some(observation.clone()),
            info: vec![success, robotics::distance_info()],
            ..EnvSpec::new(observation, Space::uniform(-1.0, 1.0, &[self.spec.actuators], Dtype::F32))
        }
    }

    fn heap_bytes(&self) -> usize {
        let changed = self.shared.model().map_or(0, |model| 7 * model.sizes().nbody + 3 * model.sizes().nsite);
        2 * self.shared.state_bytes() + (changed + self.spec.observed * self.frame_stack) * size_of::<f64>()
    }

    fn thread_bytes(&self) -> usize {
        self.shared.thread_bytes()
    }

    fn create(&self, _lane: usize) -> Result<EpisodeState> {
        Ok(EpisodeState {
            state: self.shared.loaded()?.state.clone(),
            start: Vec::new(),
            changed: DetachedOverrides::default(),
            lengths: [1.0; 2],
            frames: vec![0.0; self.spec.observed * self.frame_stack],
            is_success: false,
            distance: 0.0,
        })
    }

    fn reset_options(&self) -> &[&'static str] {
        &self.spec.reset_options
    }

    fn check_reset(&self, options: &ResetOptions) -> Result<()> {
        self.given_state(options).map(|_| ())
    }

    fn reset(&self, play: &mut EpisodeState, options: &ResetOptions, random: &mut Generator) {
        let given = self.given_state(options).unwrap_or_else(|error| error.raise());
        let EpisodeState { state, start, changed, lengths, frames, is_success, distance } = play;
        start.clear();
        self.shared.simulate_changed(state, changed, |data| {
            data.reset()?;
            self.rules().draw(data, random);
            data.forward()?;
            *lengths = self.rules().lengths(data);
            if let Some(given) = &given {
                let (qpos, rest) = given.split_at(self.spec.positions);
                let (qvel, places) = rest.split_at(self.spec.positions);
                self.rules().place(data, places);
                data.qpos_mut().copy_from_slice(qpos);
                data.qvel_mut().copy_from_slice(qvel);
                data.forward()?;
            }
            *distance = self.rules().outcome(data, lengths).distance;
            *is_success = false;
            (0..self.frame_stack).for_each(|_| self.capture(data, lengths, frames));
            Ok(())
        });
    }

    fn step(&self, play: &mut EpisodeState, action: &Action<'_>, rewards: &mut [f64], _random: &mut Generator) -> bool {
        let EpisodeState { state, start, changed, lengths, frames, is_success, distance } = play;
        let bounds = Range { low: -1.0, high: 1.0 };
        let action = action.continuous(0, self.spec.actuators);
        let control = |(value, [middle, width]): (&f32, &[f64; 2])| middle + bounds.clip(f64::from(*value)) * width;
        let control: Vec<f64> = action.iter().zip(&self.controls).map(control).collect();
        start.clone_from(state);
        let outcome = self.shared.simulate_changed(state, changed, |data| {
            self.advance(data, &control)?;
            self.capture(data, lengths, frames);
            Ok(self.rules().outcome(data, lengths))
        });
        (*is_success, *distance) = (outcome.is_success, outcome.distance);
        rewards[0] = match self.reward_type {
            RewardType::Dense => outcome.dense,
            RewardType::Sparse if outcome.is_success => 10.0,
            RewardType::Sparse => -0.1,
        };
        false
    }

    fn observe(&self, play: &EpisodeState, out: &mut Row<'_>) {
        out.write(0, &play.frames);
    }

    fn info(&self, play: &EpisodeState, out: &mut Row<'_>) {
        out.scalar(0, u8::from(play.is_success));
        out.scalar(1, play.distance);
    }
}

impl Renderable for AdroitEnv {
    fn camera_preset(&self) -> CameraPreset {
        self.spec.camera
    }

    fn model(&self) -> Option<&Model> {
        self.shared.model()
    }

    fn view<T>(&self, play: &EpisodeState, look: impl FnOnce(&Data) -> T) -> Result<T, Fault> {
        let repeat = |data: &mut Data| {
            data.set_changes(&play.changed.all())?;
            repeat_step(data, &play.start, |data, control| self.advance(data, control))
        };
        self.shared.view(&play.state, repeat, look)
    }

    fn seconds(&self) -> f64 {
        self.model().map_or(TIMESTEP, Model::timestep) * f64::from(self.frame_skip)
    }
}

impl LaneState<AdroitEnv> for EpisodeState {
    fn save(&self, env: &AdroitEnv, bytes: &mut Vec<u8>) -> Result<()> {
        let Self { state, start, changed, lengths, frames, is_success, distance } = self;
        env.shared.save(&([state, start, frames], changed.all(), lengths, is_success, distance), bytes)
    }

    fn load(env: &AdroitEnv, bytes: &mut &[u8]) -> Result<Self> {
        let ([state, start, frames], changes, lengths, is_success, distance): Saved = env.shared.restore(bytes)?;
        let model = env.shared.check_states(&state, &start)?;
        check_len("observation", frames.len(), env.spec.observed * env.frame_stack)?;
        if !lengths.iter().all(|value| value.is_finite() && *value > 0.0) {
            return Err(refused_state("its values are out of range"));
        }
        let changed = restored_changes(model, &changes)?;
        Ok(Self { state, start, changed, lengths, frames, is_success, distance })
    }
}

//! Implements the engine's [`Env`], [`Renderable`], and snapshots for dm_control's suite.

use super::domain::{Block, DomainSpec, Stage};
use super::physics::{Colours, Physics};
use super::{
    Bound, EpisodeState, FLAT, Follow, ObservationState, SUITE_DIR, Saved, SharedModel, Simulation, Suite, sub_steps, task,
    to_error,
};
use crate::names::Names;
use crate::rendered::{CameraPreset, Renderable};
use crate::snapshot_checks::check_len;
use crate::who_steps::StepperChoice;
use envpool_rs_engine as engine;
use envpool_rs_engine::{
    Action, AssetCache, Dtype, Env, EnvSpec, EpisodeEnd, LaneState, Options, ResetOptions, Result, Row, Scheduling, Space,
    refused_state,
};
use envpool_rs_numeric::random::RandomState;
use envpool_rs_sim_mujoco as mujoco;
use envpool_rs_sim_mujoco::{Data, Derived, DetachedOverrides, Fault, Lane, Model};

/// Entry of a pool's store for a model whose observations have been checked.
struct CheckedObservation;

impl Env for Suite {
    type State = EpisodeState;
    type Random = RandomState;
    /// In a step that reaches the time limit, the environment only truncates the episode and does not check for termination, as
    /// in dm_control.
    const TRUNCATION_WINS: bool = true;

    fn new(options: &Options) -> Result<Self> {
        let spec = DomainSpec::in_options(options);
        let mut outline = (spec.outline)(task(options), options)?;
        let observed = outline.observation.iter().map(Block::len).sum();
        if options.bool("domain_keys") {
            outline.observation.extend((spec.blocks_of_others)(task(options)));
        }
        let mut start = 0;
        let mut shown = Vec::with_capacity(outline.observation.len());
        for block in &outline.observation {
            shown.push((block.clone(), start));
            start += block.len();
        }
        if options.bool("domain_keys") {
            shown.sort_by_key(|(block, _)| (spec.keys_in_order)().iter().position(|key| *key == block.key));
        }
        Ok(Self {
            spec,
            outline,
            observed,
            shown,
            shows_reward: options.bool("visualize_reward"),
            sub_steps: sub_steps(options),
            frame_stack: options.int("frame_stack") as usize,
            is_legacy: options.bool("legacy_step"),
            is_flat: options.bool("flat_observation"),
            who_steps: StepperChoice::new(options),
            is_rendered: false,
            folder: options.text(SUITE_DIR).map(str::to_owned),
            options: options.clone(),
            shared: SharedModel::default(),
            bound: None,
        })
    }

    fn load(&mut self, store: &AssetCache) -> Result<()> {
        let Some(library) = mujoco::installed() else { return self.shared.loaded().map(|_| ()) };
        let change = (self.spec.change)(task(&self.options));
        let name = self.model_name();
        let mut shared = std::mem::take(&mut self.shared);
        let model = shared.load(store, &name, || {
            let mut model = self.model(library)?;
            if let Some(change) = change {
                let (array, index, value) = change(Names(&model))?;
                model.set(array, index, value);
            }
            self.check(&model)?;
            Ok(model)
        })?;
        let domain = (self.spec.bind)(task(&self.options), &self.options, Names(model))?;
        let key = format!("{name} {:?}", self.outline.observation);
        store.get_or_load(&key, || self.check_observation(model, &*domain).map(|()| (CheckedObservation, 0)))?;
        let obstacle = self.obstacle();
        self.who_steps.choose(store, &name, model, obstacle)?;
        let needs = (self.spec.needs)(task(&self.options)).filter(|_| self.who_steps.stepper().is_some());
        let colours = if self.shows_reward { Some(Colours::bind(Names(model))?) } else { None };
        self.bound = Some(Bound { domain, colours, needs });
        self.shared = shared;
        Ok(())
    }

    fn is_slow_to_load(&self, store: &AssetCache) -> bool {
        !SharedModel::is_in(store, &self.model_name())
    }

    fn spec(&self) -> EnvSpec {
        let space = |shape: &[usize]| {
            let stacked = if self.frame_stack == 1 { vec![] } else { vec![self.frame_stack] };
            Space::uniform(f64::NEG_INFINITY, f64::INFINITY, &[&stacked, shape].concat(), Dtype::F64)
        };
        let parts = self.shown.iter().map(|(block, _)| (block.key.to_owned(), space(&block.shape)));
        let flat = space(&[self.frame()]);
        let (observation, in_envpool) = match self.is_flat {
            true => (flat.clone(), Space::Dict(vec![(FLAT.to_owned(), flat)])),
            false => {
                let mut in_envpool: Vec<_> = parts.clone().collect();
                in_envpool.sort_by_key(|(key, _)| (self.spec.keys_in_order)().iter().position(|other| other == key));
                (Space::Dict(parts.collect()), Space::Dict(in_envpool))
            }
        };
        let written = (!self.is_flat && observation != in_envpool).then(|| observation.clone());
        let bounds = &self.outline.controls;
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
            option_decisions: self.who_steps.decided(),
            ..EnvSpec::new(observation, action)
        }
    }

    fn heap_bytes(&self) -> usize {
        let numbers = self.frame() * (self.frame_stack + 1);
        let is_shared = self.bound.as_ref().is_none_or(|bound| bound.needs.is_some());
        let simulation = if is_shared { self.shared.state_bytes() } else { self.shared.thread_bytes() };
        simulation + numbers * size_of::<f64>() + self.settled_bytes()
    }

    fn shared_bytes(&self) -> usize {
        self.bound.as_ref().map_or(0, |bound| size_of_val(&*bound.domain))
    }

    fn thread_bytes(&self) -> usize {
        let is_shared = self.bound.as_ref().is_some_and(|bound| bound.needs.is_some());
        (if is_shared { self.shared.thread_bytes() } else { 0 }) + self.who_steps.thread_bytes()
    }

    fn create(&self, _lane: usize) -> Result<EpisodeState> {
        let loaded = self.shared.loaded()?;
        let simulation = match self.bound().needs {
            None => {
                let mut data = Data::new(&loaded.model).map_err(to_error)?;
                data.ctrl_mut().fill(0.0);
                Simulation::Own(data)
            }
            Some(_) => Simulation::Shared(loaded.state.clone(), DetachedOverrides::default()),
        };
        Ok(EpisodeState { simulation, shown: self.empty_observation(), settled: Vec::new() })
    }

    fn reset(&self, play: &mut EpisodeState, options: &ResetOptions, random: &mut RandomState) {
        self.try_reset(play, random, options.seed().is_some()).unwrap_or_else(|fault| to_error(fault).raise());
    }

    fn next_episode(&self, play: &mut EpisodeState, _ended: EpisodeEnd, random: &mut RandomState) -> i32 {
        self.try_next_episode(play, random).unwrap_or_else(|fault| to_error(fault).raise());
        0
    }

    fn step(&self, play: &mut EpisodeState, action: &Action<'_>, rewards: &mut [f64], _random: &mut RandomState) -> bool {
        let EpisodeState { simulation, shown, .. } = play;
        let is_in_turn = matches!(simulation, Simulation::Shared(..));
        let stepped = self.with(simulation, |physics| {
            let controls = physics.ctrl_mut();
            let action = action.doubles(0, controls.len());
            controls.copy_from_slice(action);
            match is_in_turn {
                true => physics.advance_whole(self.sub_steps)?,
                false => physics.advance(self.sub_steps)?,
            }
            Ok(self.evaluate(physics, shown, rewards))
        });
        stepped.unwrap_or_else(|fault| to_error(fault).raise())
    }

    fn stack_bytes(&self) -> usize {
        self.who_steps.stack_bytes()
    }

    fn scheduling(&self) -> Scheduling {
        self.who_steps.scheduling(Self::SCHEDULING)
    }

    fn step_lanes(&self, lanes: &mut [engine::LaneStep<'_, Self>]) {
        let (Some(stepper), Some(needs)) = (self.who_steps.stepper(), &self.bound().needs) else {
            unreachable!("lanes are only stepped together where there is a stepper");
        };
        let workspace = self.shared.workspace();
        let controls = self.outline.controls.len();
        let (mut simulated, mut others) = (Vec::with_capacity(lanes.len()), Vec::with_capacity(lanes.len()));
        for engine::LaneStep { state: play, action, rewards, terminated, error: failure, .. } in lanes {
            let Simulation::Shared(state, changed) = &mut play.simulation else { unreachable!("lanes that take turns") };
            simulated.push(Lane { state, control: action.doubles(0, controls) });
            others.push((changed, &mut play.shown, rewards, terminated, failure));
        }
        let mut judge = |lane: usize, stepped: Result<&mut Data, Fault>, follow: Follow<'_>| {
            let (changed, shown, rewards, terminated, failure) = &mut others[lane];
            let followed = stepped.and_then(|data| {
                data.exchange(changed);
                let followed = follow(data);
                if followed.is_ok() {
                    **terminated = self.evaluate(&mut Physics { data, is_legacy: self.is_legacy }, shown, rewards);
                }
                data.exchange(changed);
                followed
            });
            **failure = followed.err().map(to_error);
        };
        let final_arrays = (self.spec.final_arrays)(task(&self.options)).filter(|arrays| stepper.knows_final_arrays(*arrays));
        let mut derived = Derived { final_arrays: final_arrays.unwrap_or_default(), ..Derived::default() };
        let follow: Follow<'_> = match needs {
            Stage::Pos | Stage::Vel if final_arrays.is_some() => &|_| Ok(()),
            Stage::Pos => &Data::kinematics,
            Stage::Vel => &Data::kinematics_and_sensors,
            Stage::Acc if stepper.knows_touch() => {
                derived.touch_sensordata = true;
                if final_arrays.is_some() { &|_| Ok(()) } else { &Data::kinematics_and_sensors }
            }
            Stage::Acc => return self.step_to_forces((stepper, workspace), &mut simulated, &mut judge),
        };
        stepper.step(workspace, &mut simulated, (self.sub_steps, derived), |lane, stepped| {
            judge(lane, stepped, follow);
        });
    }

    fn has_zero_discount(&self, play: &EpisodeState) -> bool {
        play.shown.is_over
    }

    fn observe(&self, play: &EpisodeState, out: &mut Row<'_>) {
        let len = self.frame();
        for (number, frame) in play.shown.frames.chunks_exact(len).enumerate() {
            if self.is_flat {
                out.write_at(0, number * len, frame);
                continue;
            }
            for (leaf, (block, start)) in self.shown.iter().enumerate() {
                out.write_at(leaf, number * block.len(), &frame[*start..start + block.len()]);
            }
        }
    }
}

impl Renderable for Suite {
    fn camera_preset(&self) -> CameraPreset {
        CameraPreset::Model
    }

    fn model(&self) -> Option<&Model> {
        self.shared.model()
    }

    fn view<T>(&self, play: &EpisodeState, look: impl FnOnce(&Data) -> T) -> Result<T, Fault> {
        match &play.simulation {
            Simulation::Own(data) => Ok(look(data)),
            Simulation::Shared(state, changed) => {
                let show = |data: &mut Data| {
                    data.set_changes(&changed.all())?;
                    data.step1()
                };
                self.shared.view(state, show, look)
            }
        }
    }

    fn enable_step_rendering(&mut self) {
        self.is_rendered = true;
    }

    fn seconds(&self) -> f64 {
        self.spec.body.timestep * f64::from(self.sub_steps)
    }
}

impl LaneState<Suite> for EpisodeState {
    fn save(&self, env: &Suite, bytes: &mut Vec<u8>) -> Result<()> {
        let (state, changes) = match &self.simulation {
            Simulation::Own(data) => {
                let mut state = vec![0.0; data.model().state_len()];
                data.get_state(&mut state);
                (state, data.changes())
            }
            Simulation::Shared(state, changed) => (state.clone(), changed.all()),
        };
        env.shared.save(&(state, changes, &self.shown.frames, self.shown.is_over), bytes)
    }

    fn load(env: &Suite, bytes: &mut &[u8]) -> Result<Self> {
        let (state, changes, frames, is_over): Saved = env.shared.restore(bytes)?;
        let model = env.shared.check_state(&state)?;
        check_len("observation", frames.len(), env.frame() * env.frame_stack)?;
        let restored = || {
            let mut data = Data::new(model)?;
            data.set_changes(&changes)?;
            data.set_state(&state)?;
            data.step1()?;
            Ok(data)
        };
        let mut data = restored().map_err(|fault: Fault| refused_state(&fault.to_string()))?;
        let simulation = match env.bound().needs {
            None => Simulation::Own(data),
            Some(_) => {
                let mut changed = DetachedOverrides::default();
                data.exchange(&mut changed);
                Simulation::Shared(state, changed)
            }
        };
        let shown = ObservationState { frames, is_over, ..env.empty_observation() };
        Ok(Self { simulation, shown, settled: Vec::new() })
    }
}

//! Model of a task with the threads' simulations of it, which all lanes of a pool share.

use std::path::{Path, PathBuf};

use super::{Loaded, to_error};
use crate::library_error::library_error;
use crate::snapshot_checks::{check_finite, check_len};
use envpool_rs_engine::{AssetCache, AssetRef, Error, Result, read_value, refused_state, write_value};
use envpool_rs_sim_mujoco::{Data, DetachedOverrides, Fault, Model, SavedOverrides, Workspace};
use serde::{Serialize, de::DeserializeOwned};

/// Model that all lanes of a pool share, with a simulation for each thread; empty until [`SharedModel::load`].
#[derive(Default)]
pub struct SharedModel(Option<(Loaded, AssetRef<Workspace>)>);

/// Returns the path of the model `file` in `folder`, which is the value of the option `option`.
///
/// # Errors
/// `NotFound` if no folder is given (`owner` describes the file), or if it does not contain the file.
pub fn path_in_folder(option: &str, folder: Option<&str>, file: &str, owner: &str) -> Result<PathBuf> {
    let folder =
        folder.ok_or_else(|| Error::NotFound(format!("{option}=None: expected the folder that holds {file}, {owner}")))?;
    let path = Path::new(folder).join(file);
    match path.is_file() {
        true => Ok(path),
        false => Err(Error::NotFound(format!("{option}={folder:?}: there is no file {}, {owner}", path.display()))),
    }
}

/// Returns the changes of a model that a snapshot contains.
///
/// # Errors
/// `Value` if they do not fit the model's arrays.
pub fn restored_changes(model: &Model, changes: &SavedOverrides) -> Result<DetachedOverrides> {
    let mut changed = DetachedOverrides::default();
    let mut data = Data::new(model).map_err(to_error)?;
    data.set_changes(changes).map_err(|fault| refused_state(&fault.to_string()))?;
    data.exchange(&mut changed);
    Ok(changed)
}

/// Repeats a lane's last step: sets the state before it, `start`, and calls `advance` with the controls of the present state. If
/// `start` is empty, as after a reset, computes the derived quantities of the present state.
///
/// # Errors
/// The errors of `advance`, and those that MuJoCo reports.
pub fn repeat_step(
    data: &mut Data,
    start: &[f64],
    advance: impl FnOnce(&mut Data, &[f64]) -> Result<(), Fault>,
) -> Result<(), Fault> {
    if start.is_empty() {
        return data.forward();
    }
    let controls = data.ctrl().to_vec();
    data.set_state(start)?;
    advance(data, &controls)
}

impl SharedModel {
    /// Returns whether the pool's store already holds the model `name`.
    pub fn is_in(store: &AssetCache, name: &str) -> bool {
        store.has::<Loaded>(name)
    }

    /// Takes the model `name` from the pool's store. If it is missing, calls `compile`.
    ///
    /// # Errors
    /// Errors of `compile`, and `State` if MuJoCo cannot create a simulation of the model.
    pub fn load(&mut self, store: &AssetCache, name: &str, compile: impl FnOnce() -> Result<Model>) -> Result<&Model> {
        let loaded = store.get_or_load(name, || Loaded::new(compile()?))?;
        // The workspace is stored with the size 0, because `thread_bytes` already reports the memory of each thread's
        // simulation.
        let workspace = store.get_or_load(name, || Ok((Workspace::new(&loaded.model), 0)))?;
        Ok(&self.0.insert(((*loaded).clone(), workspace)).0.model)
    }

    /// Returns the model and the state of a new simulation.
    ///
    /// # Errors
    /// `NotFound` if the model is not loaded, because MuJoCo's library has not been opened.
    pub fn loaded(&self) -> Result<&Loaded> {
        self.0.as_ref().map(|(loaded, _)| loaded).ok_or_else(library_error)
    }

    /// Returns the model; `None` if it is not loaded.
    pub fn model(&self) -> Option<&Model> {
        self.0.as_ref().map(|(loaded, _)| &loaded.model)
    }

    /// Returns the threads' simulations.
    ///
    /// # Panics
    /// If the model is not loaded; lanes exist only of a loaded model.
    pub fn workspace(&self) -> &Workspace {
        &self.0.as_ref().expect("lanes are made of a loaded model").1
    }

    /// Returns the size of a lane's state vector in bytes; 0 if the model is not loaded.
    pub fn state_bytes(&self) -> usize {
        self.0.as_ref().map_or(0, |(loaded, _)| size_of_val(&*loaded.state))
    }

    /// Returns the size of a thread's simulation in bytes; 0 if the model is not loaded.
    pub fn thread_bytes(&self) -> usize {
        self.0.as_ref().map_or(0, |(loaded, _)| loaded.simulation_bytes)
    }

    /// Sets the thread's simulation to the lane's state `state`, and calls `work` with this simulation.
    ///
    /// # Panics
    /// If MuJoCo reports an error; the panic message is MuJoCo's.
    pub fn simulate<R>(&self, state: &mut [f64], work: impl FnOnce(&mut Data) -> Result<R, Fault>) -> R {
        self.workspace().with_state(state, work).unwrap_or_else(|fault| to_error(fault).raise())
    }

    /// Does the same as [`SharedModel::simulate`], with the lane's changes of the model.
    ///
    /// # Panics
    /// If MuJoCo reports an error; the panic message is MuJoCo's.
    pub fn simulate_changed<R>(
        &self,
        state: &mut [f64],
        changed: &mut DetachedOverrides,
        work: impl FnOnce(&mut Data) -> Result<R, Fault>,
    ) -> R {
        self.with_changes(state, changed, work).unwrap_or_else(|fault| to_error(fault).raise())
    }

    /// Does the same as [`SharedModel::simulate_changed`], and returns the errors of MuJoCo and of `work`.
    ///
    /// # Errors
    /// The errors of `work`, and `MujocoError` if memory runs out.
    pub fn with_changes<R>(
        &self,
        state: &mut [f64],
        changed: &mut DetachedOverrides,
        work: impl FnOnce(&mut Data) -> Result<R, Fault>,
    ) -> Result<R, Fault> {
        self.workspace().with_state(state, |data| {
            data.exchange(changed);
            let result = work(data);
            data.exchange(changed);
            result
        })
    }

    /// Calls `look` with the thread's simulation, after `prepare` in the state `state`. Changes of the model by `prepare` do not
    /// last.
    ///
    /// # Errors
    /// The errors of `prepare`, and `MujocoError` if memory runs out.
    pub fn view<R>(
        &self,
        state: &[f64],
        prepare: impl FnOnce(&mut Data) -> Result<(), Fault>,
        look: impl FnOnce(&Data) -> R,
    ) -> Result<R, Fault> {
        self.workspace().with_state(&mut state.to_vec(), |data| {
            prepare(data)?;
            let seen = look(data);
            data.set_changes(&SavedOverrides::new())?;
            Ok(seen)
        })
    }

    /// Appends a lane's snapshot to `bytes`: the model's fingerprint, and `fields`.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory for the bytes.
    pub fn save(&self, fields: &impl Serialize, bytes: &mut Vec<u8>) -> Result<()> {
        write_value(bytes, &(self.workspace().model().fingerprint(), fields))
    }

    /// Reads the fields of a snapshot that [`SharedModel::save`] wrote from the front of `bytes`, and advances `bytes`.
    ///
    /// # Errors
    /// `Value` if the bytes do not start with such a snapshot, or if it is of another model.
    pub fn restore<T: DeserializeOwned>(&self, bytes: &mut &[u8]) -> Result<T> {
        let (fingerprint, fields): (u64, T) = read_value(bytes)?;
        match fingerprint == self.loaded()?.model.fingerprint() {
            true => Ok(fields),
            false => Err(refused_state("it is of another model")),
        }
    }

    /// Checks the state vector of a snapshot. Returns the model.
    ///
    /// # Errors
    /// `Value` if the state vector has another length than the model's, or if a value is not finite.
    pub fn check_state(&self, state: &[f64]) -> Result<&Model> {
        let model = &self.loaded()?.model;
        check_len("state", state.len(), model.state_len())?;
        check_finite(state)?;
        Ok(model)
    }

    /// Checks the state vectors of a snapshot: the present one, and the one before the last step, which is empty after a reset.
    /// Returns the model.
    ///
    /// # Errors
    /// The errors of [`SharedModel::check_state`].
    pub fn check_states(&self, state: &[f64], start: &[f64]) -> Result<&Model> {
        if !start.is_empty() {
            self.check_state(start)?;
        }
        self.check_state(state)
    }
}

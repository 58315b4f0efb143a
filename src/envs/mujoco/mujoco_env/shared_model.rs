//! Model of a task with the threads' simulations of it, which all lanes of a pool share.

use std::path::{Path, PathBuf};

use crate::errors::{library_error, to_error};
use envpool_rs_engine::{AssetCache, AssetRef, Error, Result};
use envpool_rs_sim_mujoco::{Data, DetachedOverrides, Fault, Model, SavedOverrides, Workspace};

/// Approximate number of bytes that a step uses in a simulation's stack.
const STACK: usize = 1 << 17;

/// Compiled model, with the state of a new simulation.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// State vector of a new simulation (`mjSTATE_INTEGRATION`).
    pub state: Vec<f64>,
    /// Size of one simulation (`mjData`) in bytes; each thread has one simulation.
    pub simulation_bytes: usize,
}

impl Loaded {
    /// Reads the state of a new simulation of `model`. Also returns the model's size in bytes.
    fn new(model: Model) -> Result<(Self, usize)> {
        let data = Data::new(&model).map_err(to_error)?;
        let mut state = vec![0.0; model.state_len()];
        data.get_state(&mut state);
        let (bytes, simulation_bytes) = (model.bytes(), data.bytes() + STACK);
        Ok((Self { model, state, simulation_bytes }, bytes))
    }
}

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

    /// Calls `work` with the thread's simulation, in the state `state` and with a lane's changes of the model, and updates both.
    ///
    /// # Errors
    /// The errors of `work`, and `MujocoError` if memory runs out.
    pub fn simulate<R>(
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
}

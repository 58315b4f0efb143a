//! Thread-local simulations (`mjData`), each of which serves any number of lanes (environments).
//!
//! A lane owns only its state vector, a few hundred numbers, while a simulation uses some hundred kilobytes of memory.

use std::cell::Cell;

use thread_local::ThreadLocal;

use crate::data::Data;
use crate::faults::Fault;
use crate::model::Model;
use crate::model_overrides::SavedOverrides;

/// Thread-local simulations of one model, created on demand.
///
/// Steps have the same results as with one simulation per lane: MuJoCo continues from the state vector, and each step
/// recomputes all derived quantities. The exception is a separate call of `mj_step2`, which continues from the results of
/// `mj_step1` and not from the state vector alone.
pub struct Workspace {
    model: Model,
    simulations: ThreadLocal<Cell<Option<Simulation>>>,
}

/// Simulation that belongs to one thread.
struct Simulation {
    data: Data,
    /// Whether `data` holds a state whose derived quantities have all been computed.
    is_whole: bool,
}

impl Workspace {
    /// Creates a workspace for simulations of this model.
    pub fn new(model: &Model) -> Self {
        Self { model: model.clone(), simulations: ThreadLocal::new() }
    }

    /// Returns the model of the simulations.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Takes the calling thread's simulation out of its cell. Returns the cell, to which the caller must return the simulation,
    /// and the simulation. A simulation that fails or panics is not returned to the cell.
    fn take(&self) -> Result<(&Cell<Option<Simulation>>, Simulation), Fault> {
        let cell = self.simulations.get_or_default();
        let simulation = match cell.take() {
            Some(simulation) => simulation,
            None => Simulation { data: Data::new(&self.model)?, is_whole: false },
        };
        Ok((cell, simulation))
    }

    /// Calls the function `work` with a simulation in the state `state`, and writes the final state to `state`.
    ///
    /// # Errors
    /// `MujocoError` if memory runs out, and the errors of `work`; `state` is then unchanged.
    pub fn with_state<R>(&self, state: &mut [f64], work: impl FnOnce(&mut Data) -> Result<R, Fault>) -> Result<R, Fault> {
        let (cell, Simulation { mut data, .. }) = self.take()?;
        data.set_state(state)?;
        let result = work(&mut data)?;
        data.get_state(state);
        cell.set(Some(Simulation { data, is_whole: true }));
        Ok(result)
    }

    /// Calls the function `work` with the calling thread's simulation, whose state is undefined; `work` uses it as scratch
    /// memory. Fails with `MujocoError` if memory runs out, and the errors of `work`.
    pub(super) fn with_scratch<R>(&self, work: impl FnOnce(&mut Data) -> Result<R, Fault>) -> Result<R, Fault> {
        let (cell, Simulation { mut data, .. }) = self.take()?;
        let result = work(&mut data)?;
        cell.set(Some(Simulation { data, is_whole: false }));
        Ok(result)
    }

    /// Calls the function `look` with a simulation in the state `state`, which has all derived quantities of the last step.
    ///
    /// If the thread's simulation last stepped another lane, the function `again` repeats the last step in the simulation.
    ///
    /// # Errors
    /// `MujocoError` if memory runs out, and the errors of `again` and `look`.
    pub fn view<R>(
        &self,
        state: &[f64],
        again: impl FnOnce(&mut Data) -> Result<(), Fault>,
        look: impl FnOnce(&Data) -> R,
    ) -> Result<R, Fault> {
        let (cell, Simulation { mut data, is_whole }) = self.take()?;
        let mut present = vec![0.0; state.len()];
        data.get_state(&mut present);
        if !is_whole || !present.iter().zip(state).all(|(one, other)| one.to_bits() == other.to_bits()) {
            again(&mut data)?;
        }
        let seen = look(&data);
        data.set_changes(&SavedOverrides::new())?; // of the lane for which `again` repeated the step
        cell.set(Some(Simulation { data, is_whole: true }));
        Ok(seen)
    }
}

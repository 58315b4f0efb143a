//! A simulation for each thread, at which any number of lanes take turns: what a lane has of its own is the state that it goes on from, a
//! few hundred numbers, where a simulation touches some hundred kilobytes.

use std::cell::Cell;

use thread_local::ThreadLocal;

use super::data::Data;
use super::faults::Fault;
use super::model::Model;

/// Simulations of one model, made as threads need them.
///
/// Steps come out as those of a simulation that is kept: what MuJoCo goes on from is its state, and what else is in a simulation is
/// computed anew by each step. That is not so for `mj_step2` by itself, which goes on from what `mj_step1` has left.
pub struct Workspace {
    model: Model,
    simulations: ThreadLocal<Cell<Option<Simulation>>>,
}

/// A thread's simulation.
struct Simulation {
    data: Data,
    /// Whether all that follows from its state is there, as the library computes it.
    is_whole: bool,
}

impl Workspace {
    /// For simulations of this model.
    pub fn new(model: &Model) -> Self {
        Self { model: model.clone(), simulations: ThreadLocal::new() }
    }

    /// What they are of.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// This thread's simulation, and where it is to be put back: one that fails, by a panic too, is not.
    fn take(&self) -> Result<(&Cell<Option<Simulation>>, Simulation), Fault> {
        let cell = self.simulations.get_or_default();
        let simulation = match cell.take() {
            Some(simulation) => simulation,
            None => Simulation { data: Data::new(&self.model)?, is_whole: false },
        };
        Ok((cell, simulation))
    }

    /// Lets `work` go on from `state`, which becomes where it ends.
    ///
    /// # Errors
    /// `Refused` where there is not enough memory, and those of `work`, after which the state is what it was.
    pub fn at<R>(&self, state: &mut [f64], work: impl FnOnce(&mut Data) -> Result<R, Fault>) -> Result<R, Fault> {
        let (cell, Simulation { mut data, .. }) = self.take()?;
        data.set_state(state)?;
        let result = work(&mut data)?;
        data.get_state(state);
        cell.set(Some(Simulation { data, is_whole: true }));
        Ok(result)
    }

    /// Lets `work` have the thread's simulation, wherever that is, to write into it what was not computed there.
    ///
    /// # Errors
    /// `Refused` where there is not enough memory, and those of `work`.
    pub(super) fn anywhere<R>(&self, work: impl FnOnce(&mut Data) -> Result<R, Fault>) -> Result<R, Fault> {
        let (cell, Simulation { mut data, .. }) = self.take()?;
        let result = work(&mut data)?;
        cell.set(Some(Simulation { data, is_whole: false }));
        Ok(result)
    }

    /// Lets `look` see a simulation that is where `state` says, with all that followed from its last step: the one that this thread has,
    /// if it was that lane's turn just now, or else what `again` makes of one, which plays that step anew.
    ///
    /// # Errors
    /// As [`Workspace::at`].
    pub fn see<R>(
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
        cell.set(Some(Simulation { data, is_whole: true }));
        Ok(seen)
    }
}

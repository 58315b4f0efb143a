//! Adds data of ended episodes to a result's info dict, and creates dm_env's time steps.

use super::schema::object;
use super::{ColumnTree, Episode, RecycledResult, ResultSchema};
use envpool_rs_engine::{Batch, Dialect, Role};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

impl RecycledResult {
    /// Adds the statistics, final observations and final infos to the info dict if an episode has ended.
    pub(super) fn add_ended_episodes(&self, py: Python<'_>, shape: &ResultSchema, info: &Bound<'_, PyDict>) -> PyResult<()> {
        let Some(done) = shape.done else { return Ok(()) };
        // Rows that report the loss of an environment's host are excluded, because their episode was lost and did not end.
        let ended = |batch: &Batch| match &batch.restarted[..] {
            [] => batch.bytes(done).contains(&1),
            lost => batch.bytes(done).iter().enumerate().any(|(row, done)| *done == 1 && !lost.contains(&(row as u32))),
        };
        if !self.batch.as_deref().is_some_and(ended) {
            return Ok(());
        }
        let mask = object(&self.arrays, done);
        if let Some(Episode { total, length, time }) = shape.episode {
            let episode = PyDict::new(py);
            for (key, column) in [("r", total), ("l", length), ("t", time)] {
                episode.set_item(key, object(&self.arrays, column))?;
            }
            info.set_item("episode", episode)?;
            let mask = mask.call_method0(py, "copy")?;
            for row in self.batch.iter().flat_map(|batch| &batch.restarted) {
                mask.bind(py).set_item(row, false)?; // the environment was lost, so no episode ended
            }
            info.set_item("_episode", mask)?;
        }
        let (Some(finish), Some(structure)) = (&shape.finish, &shape.final_observation) else { return Ok(()) };
        let last = PyDict::new(py);
        for (key, column, own) in &shape.final_infos {
            last.set_item(key, object(&self.arrays, *column))?;
            if shape.dialect == Dialect::Gymnasium {
                let mask = own.map_or(mask, |own| object(&self.arrays, own));
                last.set_item(format!("_{key}"), mask.call_method0(py, "copy")?)?;
            }
        }
        // The mask of ended episodes is copied, because in gym's old format the result also contains the array of these `done`
        // flags.
        finish.call1(py, (info, mask.call_method0(py, "copy")?, structure.build(py, &self.arrays)?, last))?;
        Ok(())
    }

    /// Creates a dm_env time step from a converted observation and info.
    pub(super) fn timestep_of(
        &self,
        py: Python<'_>,
        shape: &ResultSchema,
        observation: Py<PyAny>,
        info: Py<PyAny>,
    ) -> PyResult<Py<PyAny>> {
        let (timestep_type, observation_type) = shape.time_step_types()?;
        let flags = shape.flags.iter().map(|index| object(&self.arrays, *index).clone_ref(py));
        let observation = observation_type.call1(py, (observation, info))?;
        timestep_type.call1(py, PyTuple::new(py, flags.chain([observation]).collect::<Vec<_>>())?)
    }

    /// Creates a dm_env time step from the result's arrays.
    pub(super) fn timestep(&self, py: Python<'_>, shape: &ResultSchema) -> PyResult<Py<PyAny>> {
        let (timestep_type, observation_type) = shape.time_step_types()?;
        let column = |column: usize| object(&self.arrays, column).clone_ref(py);
        let by_role = |role| shape.layout.index(role).map(column);
        let mut fields: Vec<Py<PyAny>> = [Role::EnvId, Role::PlayerEnvId].into_iter().filter_map(by_role).collect();
        match &shape.observation {
            ColumnTree::Column(index) | ColumnTree::Text(index, _) => fields.push(column(*index)),
            ColumnTree::Tuple(parts) => {
                for part in parts {
                    fields.push(part.build(py, &self.arrays)?);
                }
            }
            ColumnTree::Dict(parts) => {
                for (_, part) in parts {
                    fields.push(part.build(py, &self.arrays)?);
                }
            }
        }
        let infos = shape.layout.columns.iter().enumerate().filter(|(_, column)| matches!(column.role, Role::Info(_)));
        fields.extend(infos.map(|(index, _)| column(index)));
        if let (true, Some(batch)) = (shape.is_remote, &self.batch) {
            fields.push(shape.restarted(py, batch).into_any().unbind());
        }
        let observation = observation_type.call1(py, PyTuple::new(py, fields)?)?;
        let flags = shape.flags.iter().map(|index| column(*index));
        timestep_type.call1(py, PyTuple::new(py, flags.chain([observation]).collect::<Vec<_>>())?)
    }
}

//! Columns of a batch that are not among the results: inputs of normalisation, and columns that recordings read.

use crate::contract::config::PoolConfig;
use crate::contract::space::Dtype;
use crate::contract::spec::InfoSpec;
use crate::results::layout::{Column, Layout, LeafSpan, Role};

impl Layout {
    /// Returns column number `index`. The numbers of hidden columns follow those of the visible columns.
    pub fn column(&self, index: usize) -> &Column {
        self.columns.get(index).unwrap_or_else(|| &self.hidden[index - self.columns.len()])
    }

    /// Returns all columns of the layout: first the visible columns, then the hidden columns.
    pub(crate) fn all_columns(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().chain(&self.hidden)
    }

    /// Returns the number of the column with role `role`, which may be hidden.
    pub fn index_of_all(&self, role: Role) -> Option<usize> {
        self.all_columns().position(|column| column.role == role)
    }

    /// Returns the number of the hidden column with an info; `None` if there is no hidden info.
    pub fn hidden_info(&self) -> Option<usize> {
        let hidden = self.hidden.iter().position(|column| matches!(column.role, Role::Info(_)));
        hidden.map(|index| self.columns.len() + index)
    }

    /// Adds the infos that belong to no dialect.
    pub(super) fn add_hidden_infos(&mut self, infos: &[InfoSpec]) {
        for (index, info) in infos.iter().enumerate().filter(|(_, info)| !info.in_gymnasium && !info.in_envpool) {
            let column = Column { role: Role::Info(index), dtype: info.dtype, shape: info.shape.clone(), rows: 1 };
            self.infos[index] = Some(LeafSpan { column: self.columns.len() + self.hidden.len(), offset: 0, len: column.len() });
            self.hidden.push(column);
        }
    }

    /// Adds the columns that normalisation and recordings read and that are not among the results.
    pub(super) fn add_hidden_columns(&mut self, config: &PoolConfig) {
        if config.normalization.observations.is_some() {
            self.hide_float64(Role::Observation(0), Role::RawObservation);
            self.hide_float64(Role::FinalObservation(0), Role::RawFinalObservation);
        }
        let done = config.normalization.rewards.is_some().then_some(Role::Done);
        for role in [Role::Terminated, Role::Truncated].into_iter().chain(done) {
            if self.index(role).is_none() {
                self.hidden.push(Column { role, dtype: Dtype::Bool, shape: Vec::new(), rows: 1 });
            }
        }
    }

    /// Makes the column `role` float32 if it is float64. The environments then write into a hidden column with role `raw`.
    fn hide_float64(&mut self, role: Role, raw: Role) {
        let Some(index) = self.index(role).filter(|index| self.columns[*index].dtype == Dtype::F64) else { return };
        let number = self.columns.len() + self.hidden.len();
        self.hidden.push(Column { role: raw, ..self.columns[index].clone() });
        self.columns[index].dtype = Dtype::F32;
        let spans = self.leaves.iter_mut().chain(&mut self.final_leaves);
        spans.filter(|span| span.column == index).for_each(|span| *span = LeafSpan { column: number, ..*span });
    }
}

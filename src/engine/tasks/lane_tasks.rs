//! Description of each lane's task, with which the description in a snapshot is compared.

use crate::tasks::group::Group;

/// Description of the task and options of each lane, stored once per group.
pub struct LaneTasks(Vec<(usize, String)>);

impl LaneTasks {
    /// Creates the descriptions for consecutive groups.
    pub fn new(groups: &[Group<'_>]) -> Self {
        Self::from_runs(groups.iter().map(|group| (group.num_envs, group.describe())).collect())
    }

    /// Creates the descriptions from pairs: a number of consecutive lanes, and their common description.
    pub fn from_runs(runs: Vec<(usize, String)>) -> Self {
        let mut end = 0;
        let described = runs.into_iter().map(|(lanes, task)| {
            end += lanes;
            (end, task)
        });
        Self(described.collect())
    }

    /// Returns the description of a lane's task and options.
    pub fn task_of(&self, lane: usize) -> &str {
        &self.0[self.0.partition_point(|(end, _)| *end <= lane)].1
    }
}

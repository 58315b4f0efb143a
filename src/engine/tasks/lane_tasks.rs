//! Task of each lane: its description, with which the description in a snapshot is compared, and its options.

use std::sync::Arc;

use crate::contract::options::{OptionSpec, reset_option_names};
use crate::tasks::group::Group;

/// Description and options of the task of each lane, stored once per group.
pub struct LaneTasks(Vec<GroupTask>);

struct GroupTask {
    /// Number of the lane after the group's last one.
    end: usize,
    description: String,
    /// Declarations of the task's options; empty for lanes in nested pools.
    options: Arc<[OptionSpec]>,
    /// Names of the reset options of the task; empty for lanes in nested pools.
    reset_options: &'static [&'static str],
}

impl LaneTasks {
    /// Creates the descriptions for consecutive groups.
    pub fn new(groups: &[Group<'_>]) -> Self {
        let part = |group: &Group<'_>| {
            let Group { task, num_envs, .. } = group;
            (*num_envs, group.describe(), Arc::clone(&task.options), task.reset_options)
        };
        Self::from_parts(groups.iter().map(part))
    }

    /// Creates the descriptions from pairs: a number of consecutive lanes, and their common description.
    pub fn from_runs(runs: Vec<(usize, String)>) -> Self {
        Self::from_parts(runs.into_iter().map(|(lanes, description)| (lanes, description, Arc::default(), &[][..])))
    }

    fn from_parts(groups: impl Iterator<Item = (usize, String, Arc<[OptionSpec]>, &'static [&'static str])>) -> Self {
        let mut end = 0;
        let described = groups.map(|(lanes, description, options, reset_options)| {
            end += lanes;
            GroupTask { end, description, options, reset_options }
        });
        Self(described.collect())
    }

    /// Returns the description of a lane's task and options.
    pub fn task_of(&self, lane: usize) -> &str {
        &self.0[self.group_of(lane)].description
    }

    /// Returns the declarations of the options of a lane's task; empty for a lane that does not exist.
    pub fn options_of(&self, lane: usize) -> &[OptionSpec] {
        self.0.get(self.group_of(lane)).map_or(&[], |group| &group.options)
    }

    /// Returns whether a lane's task has a reset option of this name.
    pub fn has_reset_option(&self, lane: usize, name: &str) -> bool {
        self.0.get(self.group_of(lane)).is_some_and(|group| reset_option_names(group.reset_options).contains(&name))
    }

    /// Returns whether the task of lane `lane` has a reset option of this name that is one number.
    pub fn has_reset_number(&self, lane: usize, name: &str) -> bool {
        self.0.get(self.group_of(lane)).is_some_and(|group| group.reset_options.contains(&name))
    }

    fn group_of(&self, lane: usize) -> usize {
        self.0.partition_point(|group| group.end <= lane)
    }
}

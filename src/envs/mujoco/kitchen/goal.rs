//! Tasks in the kitchen: the joints that they move, their goals, and when they are completed.

use std::ops::Range;

use crate::goals::goal_pairs;
use envpool_rs_engine::{Error, Result};
use envpool_rs_numeric::numpy;
use serde::{Deserialize, Serialize};

/// Distance from its goal below which a task is completed, as a norm of joint positions (`BONUS_THRESH`).
const THRESHOLD: f64 = 0.3;
/// Number of tasks in the kitchen.
pub const COUNT: usize = 7;
/// Number of values of the goals of all tasks.
pub const GOALS: usize = 17;

/// Task in the kitchen.
#[derive(Debug)]
pub struct KitchenTask {
    /// Name in the option `tasks_to_complete`, and key in goals.
    pub name: &'static str,
    /// Index in `qpos` of the first joint position that the task compares with its goal.
    start: usize,
    /// Joint positions at which the task is completed.
    pub goal: &'static [f64],
}

/// All tasks, in the order of `OBS_ELEMENT_GOALS`.
pub const TASKS: [KitchenTask; COUNT] = [
    KitchenTask { name: "bottom burner", start: 11, goal: &[-0.88, -0.01] },
    KitchenTask { name: "top burner", start: 15, goal: &[-0.92, -0.01] },
    KitchenTask { name: "light switch", start: 17, goal: &[-0.69, -0.05] },
    KitchenTask { name: "slide cabinet", start: 19, goal: &[0.37] },
    KitchenTask { name: "hinge cabinet", start: 20, goal: &[0.0, 1.45] },
    KitchenTask { name: "microwave", start: 22, goal: &[-0.75] },
    KitchenTask { name: "kettle", start: 23, goal: &[-0.23, 0.75, 1.62, 0.99, 0.0, 0.0, -0.06] },
];

impl KitchenTask {
    /// Returns the indices in `qpos` of the joint positions that the task compares with its goal.
    pub fn places(&self) -> Range<usize> {
        self.start..self.start + self.goal.len()
    }
}

/// Returns whether a task is completed at these joint positions.
fn is_completed(achieved: &[f64], desired: &[f64]) -> bool {
    let difference: Vec<f64> = achieved.iter().zip(desired).map(|(achieved, desired)| achieved - desired).collect();
    numpy::norm(&difference) < THRESHOLD
}

/// Computes for several achieved and desired goals of one task, each of `len` values, whether the task is completed: 1 or 0.
///
/// # Errors
/// `Value` if `achieved` and `desired` differ in length, or do not consist of goals of `len` values.
pub fn completions(achieved: &[f64], desired: &[f64], len: usize) -> Result<Vec<f64>> {
    let pairs = goal_pairs(achieved, desired, len)?;
    Ok(pairs.map(|(achieved, desired)| f64::from(u8::from(is_completed(achieved, desired)))).collect())
}

/// Set of tasks in the kitchen, with one bit for each index in [`TASKS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TaskSet(u8);

impl TaskSet {
    /// Returns the set of the tasks with these names.
    ///
    /// # Errors
    /// `Value` for an unknown name, and for an empty list.
    pub fn of_names(names: &[String]) -> Result<Self> {
        let places = names.iter().map(|name| TASKS.iter().position(|task| task.name == name));
        match places.collect::<Option<Vec<_>>>() {
            Some(places) if !places.is_empty() => Ok(Self(places.into_iter().fold(0, |bits, place| bits | 1 << place))),
            _ => {
                let known = TASKS.map(|task| format!("{:?}", task.name)).join(", ");
                Err(Error::value("tasks_to_complete", format_args!("{names:?}"), format!("one or more of {known}")))
            }
        }
    }

    /// Returns whether `all` contains each task of this set.
    pub fn is_part_of(self, all: Self) -> bool {
        self.0 & !all.0 == 0
    }

    /// Returns the set of all tasks.
    pub fn all() -> Self {
        Self((1 << COUNT) - 1)
    }

    /// Returns the tasks of the set, in the order of [`TASKS`].
    pub fn iter(self) -> impl Iterator<Item = &'static KitchenTask> {
        const { &TASKS }.iter().enumerate().filter(move |(place, _)| self.0 >> place & 1 == 1).map(|(_, task)| task)
    }

    /// Returns for each task in [`TASKS`] whether the set contains it: 1 or 0.
    pub fn mask(self) -> [u8; COUNT] {
        std::array::from_fn(|place| self.0 >> place & 1)
    }

    /// Returns the number of tasks.
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns the tasks that are in this set or in `other`.
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the tasks of this set that are not in `other`.
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the tasks of this set that are completed at the joint positions `qpos`.
    pub fn completed(self, qpos: &[f64]) -> Self {
        let bit = |(place, task): (usize, &KitchenTask)| u8::from(is_completed(&qpos[task.places()], task.goal)) << place;
        Self(self.0 & TASKS.iter().enumerate().map(bit).sum::<u8>())
    }
}

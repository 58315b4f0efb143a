//! Order of the velocity iterations' operations, in which those of successive iterations overlap.

use super::STATIC_SLOT;

/// A row of joints or contacts, one of each world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Row {
    Joint(usize),
    Contact(usize),
}

/// Solution of one row in each iteration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub row: Row,
    /// Time at which the first iteration starts to solve the row.
    start: u32,
    /// Number of the round in which the row is solved for the first iteration.
    pub stage: u32,
}

/// Rounds in which the rows of the velocity iterations are solved (a modulo schedule).
///
/// Rows are chains of operations that depend on each other, so the processor is mostly idle while it solves one row. Rows without a
/// common body are independent. A round therefore contains rows of several iterations: it solves the joints of one leg while it
/// solves the contacts of the other. Each body meets its rows in the same order as without a schedule.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    /// Steps of a round. Those of stage `n` belong to the iteration whose number is the number of the round minus `n`.
    pub steps: Vec<Step>,
    /// Number of further rounds after which the last iteration has ended.
    pub stages: u32,
    /// For each slot, the times at which its first row starts and its last row ends.
    slots: Vec<(u32, u32)>,
}

impl Schedule {
    /// Plans the rounds of rows that are solved in the order `rows`, each with the slots of its bodies.
    pub fn plan(&mut self, rows: impl Iterator<Item = (Row, [usize; 2])>, slot_count: usize) {
        self.steps.clear();
        self.slots.clear();
        self.slots.resize(slot_count, (u32::MAX, 0));
        for (row, bodies) in rows {
            // Contacts take about one and a half times as long as joints.
            let duration = if matches!(row, Row::Joint(_)) { 2 } else { 3 };
            let moving = bodies.into_iter().filter(|slot| *slot != STATIC_SLOT);
            let start = moving.clone().map(|slot| self.slots[slot].1).max().unwrap_or(0);
            for slot in moving {
                let (first, end) = &mut self.slots[slot];
                (*first, *end) = ((*first).min(start), start + duration);
            }
            self.steps.push(Step { row, start, stage: 0 });
        }
        // A round is as long as the rows of the body with the most work.
        let round = self.slots.iter().map(|(first, end)| end.saturating_sub(*first)).max().unwrap_or(0).max(1);
        self.steps.iter_mut().for_each(|step| step.stage = step.start / round);
        self.stages = self.steps.iter().map(|step| step.stage).max().unwrap_or(0);
        self.steps.sort_by_key(|step| step.start % round);
    }
}

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
    /// Starts the plan of rows of bodies in `slot_count` slots.
    pub fn clear(&mut self, slot_count: usize) {
        self.steps.clear();
        self.slots.clear();
        self.slots.resize(slot_count, (u32::MAX, 0));
    }

    /// Adds a row, which is solved after those that were added before, with the slots of its bodies.
    pub fn add(&mut self, row: Row, bodies: impl Iterator<Item = usize> + Clone) {
        // Contacts take about one and a half times as long as joints.
        let duration = if matches!(row, Row::Joint(_)) { 2 } else { 3 };
        let moving = bodies.filter(|slot| *slot != STATIC_SLOT);
        let start = moving.clone().map(|slot| self.slots[slot].1).max().unwrap_or(0);
        for slot in moving {
            let (first, end) = &mut self.slots[slot];
            (*first, *end) = ((*first).min(start), start + duration);
        }
        self.steps.push(Step { row, start, stage: 0 });
    }

    /// Distributes the rows among the rounds.
    pub fn finish(&mut self) {
        // A round is as long as the rows of the body with the most work.
        let round = self.slots.iter().map(|(first, end)| end.saturating_sub(*first)).max().unwrap_or(0).max(1);
        self.steps.iter_mut().for_each(|step| step.stage = step.start / round);
        self.stages = self.steps.iter().map(|step| step.stage).max().unwrap_or(0);
        self.steps.sort_by_key(|step| step.start % round);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A leg's lower part, upper part, the hull, the other leg's upper part and its lower part, with contacts of some of them.
    const ROWS: [(Row, [usize; 2]); 8] = [
        (Row::Joint(0), [2, 1]),
        (Row::Joint(1), [3, 2]),
        (Row::Joint(2), [3, 4]),
        (Row::Joint(3), [4, 5]),
        (Row::Contact(0), [STATIC_SLOT, 1]),
        (Row::Contact(1), [STATIC_SLOT, 5]),
        (Row::Contact(2), [STATIC_SLOT, 1]),
        (Row::Contact(3), [1, 5]),
    ];

    /// Returns the schedule of rows of bodies in six slots.
    fn plan(rows: &[(Row, [usize; 2])]) -> Schedule {
        let mut schedule = Schedule::default();
        schedule.clear(6);
        rows.iter().for_each(|(row, slots)| schedule.add(*row, slots.iter().copied()));
        schedule.finish();
        schedule
    }

    #[test]
    fn each_body_meets_its_rows_in_the_order_of_the_iterations() {
        for count in 0..=ROWS.len() {
            let (rows, iterations) = (&ROWS[..count], 9);
            let schedule = plan(rows);
            let rounds = (0..iterations + schedule.stages).flat_map(|round| schedule.steps.iter().map(move |step| (round, step)));
            let solved: Vec<_> =
                rounds.filter(|(round, step)| round.wrapping_sub(step.stage) < iterations).map(|(_, step)| step.row).collect();
            assert_eq!(solved.len(), count * iterations as usize);
            for slot in 1..6 {
                let of_slot = |row: &Row| rows.iter().any(|(other, slots)| other == row && slots.contains(&slot));
                let expected: Vec<_> = rows.iter().map(|(row, _)| *row).filter(of_slot).collect();
                let met: Vec<_> = solved.iter().copied().filter(of_slot).collect();
                assert_eq!(met, expected.repeat(iterations as usize), "{count} rows, slot {slot}");
            }
        }
    }

    #[test]
    fn the_joints_of_one_leg_overlap_with_those_of_the_other() {
        let schedule = plan(&ROWS[..6]);
        assert!(schedule.stages > 0);
    }
}

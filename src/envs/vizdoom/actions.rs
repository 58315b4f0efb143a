//! Builds EnvPool's action set (`BuildActionSet`): all combinations of the available buttons in which no two opposite buttons
//! are pressed.

use envpool_rs_sim_vizdoom::buttons::{COUNT, FIRST_DELTA_BUTTON, SPEED};

/// First numbers of the pairs of opposite buttons, which have consecutive numbers and cannot be pressed together, such as
/// `MOVE_RIGHT` (10) and `MOVE_LEFT` (11).
const EXCLUSIVE_PAIRS: [usize; 7] = [10, 12, 14, 16, 18, 31, 35];
/// Numbers of the buttons `SELECT_WEAPON1` to `SELECT_WEAPON0`, of which at most one can be pressed at a time.
const SELECT_WEAPON_BUTTONS: std::ops::RangeInclusive<usize> = 21..=30;

/// Values that a delta button takes in the action set: `count` values at equal distances from `min` to `max`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeltaValues {
    /// Number of values of the delta button.
    pub count: i64,
    /// Smallest value of the delta button.
    pub min: f32,
    /// Largest value of the delta button.
    pub max: f32,
}

/// Returns all actions of the action set, each with one value per button of `buttons`. `deltas` lists the values of delta
/// buttons by button number; other delta buttons stay at 0.
pub fn build_action_set(buttons: &[usize], force_speed: bool, deltas: &[(usize, DeltaValues)]) -> Vec<Vec<f64>> {
    let index = |button: usize| buttons.iter().position(|other| *other == button);
    let builder = ActionSetBuilder { button_index: std::array::from_fn(index), force_speed, delta_config: deltas };
    let (mut values, mut found) = (vec![0.0; buttons.len()], Vec::new());
    builder.extend(0, &mut values, &mut found);
    found
}

struct ActionSetBuilder<'a> {
    button_index: [Option<usize>; COUNT],
    force_speed: bool,
    delta_config: &'a [(usize, DeltaValues)],
}

impl ActionSetBuilder<'_> {
    /// Adds to `found` all actions of the action set in which the buttons before the index `button` have the given `values`.
    fn extend(&self, button: usize, values: &mut Vec<f64>, found: &mut Vec<Vec<f64>>) {
        if button == COUNT {
            found.push(values.clone());
            return;
        }
        let mut with = |index: Option<usize>, next: usize| {
            if let Some(index) = index {
                values[index] = 1.0;
            }
            self.extend(next, values, found);
            if let Some(index) = index {
                values[index] = 0.0;
            }
        };
        let own_index = self.button_index[button];
        if SELECT_WEAPON_BUTTONS.contains(&button) {
            let after = SELECT_WEAPON_BUTTONS.end() + 1;
            with(None, after);
            SELECT_WEAPON_BUTTONS.filter_map(|weapon| self.button_index[weapon]).for_each(|index| with(Some(index), after));
        } else if button >= FIRST_DELTA_BUTTON {
            let deltas = self.delta_config.iter().find(|(other, deltas)| *other == button && deltas.count > 1);
            let (Some((_, deltas)), Some(index)) = (deltas, own_index) else { return with(None, button + 1) };
            let step = (deltas.max - deltas.min) / (deltas.count - 1) as f32;
            let mut value = deltas.min;
            for _ in 0..deltas.count {
                values[index] = f64::from(value);
                self.extend(button + 1, values, found);
                value += step;
            }
        } else if let (true, Some(own_index), Some(next)) =
            (EXCLUSIVE_PAIRS.contains(&button), own_index, self.button_index.get(button + 1).copied().flatten())
        {
            [None, Some(own_index), Some(next)].into_iter().for_each(|index| with(index, button + 2));
        } else if own_index.is_some() {
            if button != SPEED || !self.force_speed {
                with(None, button + 1);
            }
            with(own_index, button + 1);
        } else {
            with(None, button + 1);
        }
    }
}

/// Returns the number of actions in the action set.
pub fn action_set_size(buttons: &[usize], force_speed: bool, deltas: &[(usize, DeltaValues)]) -> usize {
    build_action_set(buttons, force_speed, deltas).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposites_and_weapons_exclude_each_other() {
        let attack_left_right = [11, 10, 0];
        let expected = [[0, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1], [0, 1, 1], [1, 0, 1]].map(|row| row.map(f64::from).to_vec());
        assert_eq!(build_action_set(&attack_left_right, false, &[]), expected);
        assert_eq!(build_action_set(&[22, 21], false, &[]), [vec![0.0, 0.0], vec![0.0, 1.0], vec![1.0, 0.0]]);
        assert_eq!(build_action_set(&[10], false, &[]), [vec![0.0], vec![1.0]]);
    }

    #[test]
    fn force_speed_always_presses_speed() {
        assert_eq!(build_action_set(&[SPEED, 0], true, &[]), [vec![1.0, 0.0], vec![1.0, 1.0]]);
        assert_eq!(action_set_size(&[SPEED, 0], false, &[]), 4);
    }

    #[test]
    fn delta_buttons_take_values_in_float32_steps() {
        let deltas = [(39, DeltaValues { count: 4, min: -1.0, max: 1.0 })];
        let values: Vec<_> = build_action_set(&[39], false, &deltas).concat();
        let step = 2.0_f32 / 3.0;
        let expected = [-1.0, -1.0 + step, -1.0 + step + step, -1.0 + step + step + step].map(f64::from);
        assert_eq!(values, expected);
        assert_eq!(build_action_set(&[39], false, &[]), [vec![0.0]]);
    }
}

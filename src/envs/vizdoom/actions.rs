//! EnvPool's action set (`BuildActionSet`): all combinations of the available buttons, without opposite buttons pressed together.

use envpool_rs_sim_vizdoom::buttons::{COUNT, FIRST_DELTA_BUTTON, SPEED};

/// Buttons that exclude their successor, such as `MOVE_RIGHT` and `MOVE_LEFT`.
const EXCLUSIVE_PAIRS: [usize; 7] = [10, 12, 14, 16, 18, 31, 35];
/// Buttons that exclude each other: `SELECT_WEAPON1` to `SELECT_WEAPON0`.
const SELECT_WEAPON_BUTTONS: std::ops::RangeInclusive<usize> = 21..=30;

/// Values of a delta button: `count` values at equal distances from `min` to `max`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeltaValues {
    /// Number of values.
    pub count: i64,
    /// Smallest value.
    pub min: f32,
    /// Largest value.
    pub max: f32,
}

/// Returns all actions, each with one value per button of `buttons`. Delta buttons without an entry in `moves` stay at 0.
pub fn build_action_set(buttons: &[usize], always_speed: bool, moves: &[(usize, DeltaValues)]) -> Vec<Vec<f64>> {
    let place = |button: usize| buttons.iter().position(|other| *other == button);
    let list = ActionSetBuilder { button_index: std::array::from_fn(place), force_speed: always_speed, delta_config: moves };
    let (mut values, mut found) = (vec![0.0; buttons.len()], Vec::new());
    list.extend(0, &mut values, &mut found);
    found
}

struct ActionSetBuilder<'a> {
    button_index: [Option<usize>; COUNT],
    force_speed: bool,
    delta_config: &'a [(usize, DeltaValues)],
}

impl ActionSetBuilder<'_> {
    /// Adds all actions whose values of the buttons before `button` are those of `values`.
    fn extend(&self, button: usize, values: &mut Vec<f64>, found: &mut Vec<Vec<f64>>) {
        if button == COUNT {
            found.push(values.clone());
            return;
        }
        let mut with = |place: Option<usize>, next: usize| {
            if let Some(place) = place {
                values[place] = 1.0;
            }
            self.extend(next, values, found);
            if let Some(place) = place {
                values[place] = 0.0;
            }
        };
        let here = self.button_index[button];
        if SELECT_WEAPON_BUTTONS.contains(&button) {
            let behind = SELECT_WEAPON_BUTTONS.end() + 1;
            with(None, behind);
            SELECT_WEAPON_BUTTONS.filter_map(|weapon| self.button_index[weapon]).for_each(|place| with(Some(place), behind));
        } else if button >= FIRST_DELTA_BUTTON {
            let moves = self.delta_config.iter().find(|(other, moves)| *other == button && moves.count > 1);
            let (Some((_, moves)), Some(place)) = (moves, here) else { return with(None, button + 1) };
            let step = (moves.max - moves.min) / (moves.count - 1) as f32;
            let mut value = moves.min;
            for _ in 0..moves.count {
                values[place] = f64::from(value);
                self.extend(button + 1, values, found);
                value += step;
            }
        } else if let (true, Some(here), Some(next)) =
            (EXCLUSIVE_PAIRS.contains(&button), here, self.button_index.get(button + 1).copied().flatten())
        {
            [None, Some(here), Some(next)].into_iter().for_each(|place| with(place, button + 2));
        } else if here.is_some() {
            if button != SPEED || !self.force_speed {
                with(None, button + 1);
            }
            with(here, button + 1);
        } else {
            with(None, button + 1);
        }
    }
}

/// Returns the number of actions in the action set.
pub fn action_set_size(buttons: &[usize], always_speed: bool, moves: &[(usize, DeltaValues)]) -> usize {
    build_action_set(buttons, always_speed, moves).len()
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
    fn speed_is_always_pressed_where_that_is_asked() {
        assert_eq!(build_action_set(&[SPEED, 0], true, &[]), [vec![1.0, 0.0], vec![1.0, 1.0]]);
        assert_eq!(action_set_size(&[SPEED, 0], false, &[]), 4);
    }

    #[test]
    fn buttons_move_in_float32_steps_where_that_is_said() {
        let moves = [(39, DeltaValues { count: 4, min: -1.0, max: 1.0 })];
        let values: Vec<_> = build_action_set(&[39], false, &moves).concat();
        let step = 2.0_f32 / 3.0;
        let expected = [-1.0, -1.0 + step, -1.0 + step + step, -1.0 + step + step + step].map(f64::from);
        assert_eq!(values, expected);
        assert_eq!(build_action_set(&[39], false, &[]), [vec![0.0]]);
    }
}

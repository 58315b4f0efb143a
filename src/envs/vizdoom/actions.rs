//! EnvPool's list of combined actions: every way to press the buttons that there are, with not both of two that are opposites.

use envpool_rs_sim_vizdoom::buttons::{COUNT, FIRST_DELTA, SPEED};

/// Buttons of which at most one is pressed with its successor.
const PAIRS: [usize; 7] = [10, 12, 14, 16, 18, 31, 35];
/// Buttons of which at most one is pressed.
const WEAPONS: std::ops::RangeInclusive<usize> = 21..=30;

/// How far a button is moved: so many values from the least to the largest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moves {
    /// How many.
    pub count: i64,
    /// The least.
    pub least: f32,
    /// The largest.
    pub most: f32,
}

/// All actions, each with a value for every button of `buttons`. `moves` says how far buttons are moved; others are not.
pub fn combined(buttons: &[usize], always_speed: bool, moves: &[(usize, Moves)]) -> Vec<Vec<f64>> {
    let place = |button: usize| buttons.iter().position(|other| *other == button);
    let list = List { places: std::array::from_fn(place), always_speed, moves };
    let (mut values, mut found) = (vec![0.0; buttons.len()], Vec::new());
    list.from(0, &mut values, &mut found);
    found
}

struct List<'a> {
    places: [Option<usize>; COUNT],
    always_speed: bool,
    moves: &'a [(usize, Moves)],
}

impl List<'_> {
    /// Adds all actions that have these values of the buttons before `button`.
    fn from(&self, button: usize, values: &mut Vec<f64>, found: &mut Vec<Vec<f64>>) {
        if button == COUNT {
            found.push(values.clone());
            return;
        }
        let mut with = |place: Option<usize>, next: usize| {
            if let Some(place) = place {
                values[place] = 1.0;
            }
            self.from(next, values, found);
            if let Some(place) = place {
                values[place] = 0.0;
            }
        };
        let here = self.places[button];
        if WEAPONS.contains(&button) {
            let behind = WEAPONS.end() + 1;
            with(None, behind);
            WEAPONS.filter_map(|weapon| self.places[weapon]).for_each(|place| with(Some(place), behind));
        } else if button >= FIRST_DELTA {
            let moves = self.moves.iter().find(|(other, moves)| *other == button && moves.count > 1);
            let (Some((_, moves)), Some(place)) = (moves, here) else { return with(None, button + 1) };
            let step = (moves.most - moves.least) / (moves.count - 1) as f32;
            let mut value = moves.least;
            for _ in 0..moves.count {
                values[place] = f64::from(value);
                self.from(button + 1, values, found);
                value += step;
            }
        } else if let (true, Some(here), Some(next)) =
            (PAIRS.contains(&button), here, self.places.get(button + 1).copied().flatten())
        {
            [None, Some(here), Some(next)].into_iter().for_each(|place| with(place, button + 2));
        } else if here.is_some() {
            if button != SPEED || !self.always_speed {
                with(None, button + 1);
            }
            with(here, button + 1);
        } else {
            with(None, button + 1);
        }
    }
}

/// How many there are.
pub fn count(buttons: &[usize], always_speed: bool, moves: &[(usize, Moves)]) -> usize {
    combined(buttons, always_speed, moves).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposites_and_weapons_exclude_each_other() {
        let attack_left_right = [11, 10, 0];
        let expected = [[0, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1], [0, 1, 1], [1, 0, 1]].map(|row| row.map(f64::from).to_vec());
        assert_eq!(combined(&attack_left_right, false, &[]), expected);
        assert_eq!(combined(&[22, 21], false, &[]), [vec![0.0, 0.0], vec![0.0, 1.0], vec![1.0, 0.0]]);
        assert_eq!(combined(&[10], false, &[]), [vec![0.0], vec![1.0]]);
    }

    #[test]
    fn speed_is_always_pressed_where_that_is_asked() {
        assert_eq!(combined(&[SPEED, 0], true, &[]), [vec![1.0, 0.0], vec![1.0, 1.0]]);
        assert_eq!(count(&[SPEED, 0], false, &[]), 4);
    }

    #[test]
    fn buttons_move_in_float32_steps_where_that_is_said() {
        let moves = [(39, Moves { count: 4, least: -1.0, most: 1.0 })];
        let values: Vec<_> = combined(&[39], false, &moves).concat();
        let step = 2.0_f32 / 3.0;
        let expected = [-1.0, -1.0 + step, -1.0 + step + step, -1.0 + step + step + step].map(f64::from);
        assert_eq!(values, expected);
        assert_eq!(combined(&[39], false, &[]), [vec![0.0]]);
    }
}

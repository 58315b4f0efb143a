//! Potential of a state: the discounted value of the soups to which greedy players come, by which the package shapes rewards.

use super::kitchen::{Item, Kitchen, MAX_PLAYERS, Player, Soup, State};
use super::recipe::{MAX_INGREDIENTS, Recipe, RecipeTable, TABLE};
use crate::cell_set::CellSet;
use crate::grid::Cell;

/// Discount of a step.
const GAMMA: f64 = 0.99;
/// Largest number of steps that a player needs to bring an ingredient to a pot, to take a soup, and to deliver it.
const MOST_STEPS: i32 = 10;
/// Values of an onion and of a tomato, if nothing states them.
const INGREDIENT_VALUES: [f64; 2] = [21.0, 13.0];

/// Parts of the potential that do not depend on the state.
#[derive(Debug, Clone, PartialEq)]
pub struct Potential {
    /// Best recipe that each recipe can become, and its value, discounted for cooking and missing ingredients.
    best: [(Recipe, f64); TABLE],
    /// Potential of soups that are made forever.
    steady: f64,
    /// Values of an onion and of a tomato.
    ingredient_values: [f64; 2],
}

impl Potential {
    /// Creates the parts from the values and times of all recipes, and the stated values of an onion and of a tomato.
    pub fn new(recipes: &RecipeTable, ingredient_values: Option<[f64; 2]>) -> Self {
        let mut best = [(Recipe::default(), 0.0); TABLE];
        for start in Recipe::all().chain([Recipe::default()]) {
            best[start.index()] = best_of(recipes, start);
        }
        let (recipe, discounted) = best[Recipe::default().index()];
        let value = recipes.value(recipe);
        let discount = discounted / value;
        let steady = discount / (1.0 - discount) * value;
        Self { best, steady, ingredient_values: ingredient_values.unwrap_or(INGREDIENT_VALUES) }
    }
}

/// Returns the best recipe that `start` can become, with its discounted value. Of equal ones, the package finds more tomatoes first.
fn best_of(recipes: &RecipeTable, start: Recipe) -> (Recipe, f64) {
    let mut stack = if start.size() == 0 { start.extended().to_vec() } else { vec![start] };
    let (mut best, mut visited) = ((start, 0.0), Vec::new());
    while let Some(recipe) = stack.pop() {
        if visited.contains(&recipe) {
            continue;
        }
        visited.push(recipe);
        let missing = |own: u8, before: u8| discount(MOST_STEPS * i32::from(own - before));
        let (onions, tomatoes) = (missing(recipe.onions, start.onions), missing(recipe.tomatoes, start.tomatoes));
        let value = discount(recipes.cook_time(recipe)) * onions * tomatoes * recipes.value(recipe);
        if value > best.1 {
            best = (recipe, value);
        }
        if recipe.size() < MAX_INGREDIENTS {
            stack.extend(recipe.extended());
        }
    }
    best
}

fn discount(steps: i32) -> f64 {
    GAMMA.powf(f64::from(steps))
}

/// Returns the number of steps that a player is assumed to need, at most [`MOST_STEPS`]; `None` stands for no way.
fn at_most(steps: Option<i32>) -> i32 {
    steps.map_or(MOST_STEPS, |steps| steps.min(MOST_STEPS))
}

impl Kitchen {
    /// Returns the package's `potential_function` of a state.
    pub(super) fn potential(&self, potential: &Potential, state: &State) -> f64 {
        let value = |recipe: Recipe| self.recipes.value(recipe).max(1.0);
        let holding = |item: Item| (0..state.players.len()).filter(move |player| state.players[*player].held == item);
        let steps = |player: usize, cells: &[Cell]| self.steps_to(&state.players[player], cells);
        let pots: Vec<_> = self.layout.pots.iter().map(|pot| (*pot, Self::soup_in(state, *pot))).collect();
        let soups = || pots.iter().filter_map(|(pot, soup)| Some((*pot, (*soup)?)));
        let mut sum = potential.steady;

        for player in 0..state.players.len() {
            if let Item::Soup(soup) = state.players[player].held {
                sum += discount(at_most(steps(player, &self.layout.serving))) * value(soup.recipe);
            }
        }

        // Soups that cook come before those that are ready.
        let is_ready = |ready: bool| soups().filter(move |(_, soup)| soup.tick >= 0 && self.is_ready(*soup) == ready);
        let remaining = |soup: Soup| self.recipes.cook_time(soup.recipe) - soup.tick;
        let worst = |soup: Soup| discount(MOST_STEPS + remaining(soup).max(MOST_STEPS)) * value(soup.recipe);
        let mut started: Vec<_> = is_ready(false).chain(is_ready(true)).map(|(pot, soup)| (pot, soup, worst(soup))).collect();
        for player in holding(Item::Dish) {
            let mut best = (0.0, 0);
            for (number, (pot, soup, _)) in started.iter().enumerate() {
                let Some(way) = steps(player, &[*pot]) else { continue };
                let served = discount(MOST_STEPS) * value(soup.recipe);
                let pickup = discount(remaining(*soup).max(way.min(MOST_STEPS))) * served;
                if pickup > best.0 {
                    best = (pickup, number);
                }
            }
            if let Some((.., potential)) = started.get_mut(best.1).filter(|_| best.0 > 0.0) {
                *potential = potential.max(best.0);
            }
        }
        sum = started.iter().fold(sum, |sum, (.., potential)| sum + potential);

        let mut is_used = [false; MAX_PLAYERS];
        for (pot, recipe) in self.idle_soups(potential, &pots) {
            let (target, _) = potential.best[recipe.index()];
            let mut part = discount(self.recipes.cook_time(target).max(MOST_STEPS) + MOST_STEPS);
            let missing = [(Item::Onion, target.onions - recipe.onions), (Item::Tomato, target.tomatoes - recipe.tomatoes)];
            for (item, count) in missing {
                for _ in 0..count {
                    let unused = holding(item).filter(|player| !is_used[*player]);
                    let ways = unused.filter_map(|player| Some((steps(player, &[pot])?, player)));
                    let closest = ways.min_by_key(|(way, _)| *way);
                    part *= discount(at_most(closest.map(|(way, _)| way)));
                    if let Some((_, player)) = closest {
                        is_used[player] = true;
                    }
                }
            }
            part *= if target == recipe {
                discount(at_most(holding(Item::Nothing).filter_map(|player| steps(player, &[pot])).min()))
            } else {
                GAMMA
            };
            sum += part * value(target);
        }

        let empty: Vec<_> = pots.iter().filter(|(_, soup)| soup.is_none()).map(|(pot, _)| *pot).collect();
        for (item, value) in [(Item::Tomato, potential.ingredient_values[1]), (Item::Onion, potential.ingredient_values[0])] {
            for player in holding(item).filter(|player| !is_used[*player]) {
                if let Some(way) = steps(player, &empty) {
                    sum += discount(way.min(MOST_STEPS) + 2 * MOST_STEPS) * value;
                }
            }
        }
        sum
    }

    /// Returns pots that do not cook, with their ingredients, by descending value of what they can become. Of equal ones, the order
    /// is that of the package: those with three ingredients, and then the others in the order of a set.
    fn idle_soups(&self, potential: &Potential, pots: &[(Cell, Option<Soup>)]) -> Vec<(Cell, Recipe)> {
        let of_size = |size: u8| {
            let is_idle = move |soup: &Soup| soup.tick < 0 && soup.recipe.size() == size;
            pots.iter().filter_map(move |(pot, soup)| Some((*pot, soup.filter(is_idle)?.recipe)))
        };
        let partial: Vec<_> = (1..MAX_INGREDIENTS).flat_map(of_size).collect();
        let order = CellSet::of(partial.iter().map(|(pot, _)| *pot));
        let in_order = order.cells().filter_map(|cell| partial.iter().find(|(pot, _)| *pot == cell).copied());
        let mut idle: Vec<_> = of_size(MAX_INGREDIENTS).chain(in_order).collect();
        let value = |recipe: Recipe| potential.best[recipe.index()].1;
        idle.sort_by(|(_, a), (_, b)| value(*b).total_cmp(&value(*a)));
        idle
    }

    /// Returns the number of steps until a player has interacted with one of some cells; `None` if there is no way.
    fn steps_to(&self, player: &Player, cells: &[Cell]) -> Option<i32> {
        let steps = self.steps_from(player);
        let ways = cells.iter().filter_map(|cell| steps.get(self.layout.terrain.index(*cell)?).copied());
        ways.filter(|way| *way < u16::MAX).min().map(|way| i32::from(way) + 1)
    }
}

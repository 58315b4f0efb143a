//! Observations of the kitchen: the package's lossless encoding, and its features.

use std::collections::VecDeque;

use super::kitchen::{DIRECTIONS, Item, Kitchen, Player, State};
use super::layout::{Layout, Terrain};
use crate::grid::{Cell, Direction};
use envpool_rs_engine::{Dtype, Row, Space};

/// Form of observations.
#[derive(Debug, Clone, PartialEq)]
pub enum Encoding {
    /// Numbers for each cell, column by column. `terrain`: those that never change, without urgency and with it.
    Lossless { terrain: [Vec<i32>; 2] },
    /// Numbers for each player.
    Features,
}

/// Numbers of a cell in the lossless encoding.
const LAYERS: usize = 26;
const DIRECTION_LAYERS: usize = 2;
const TERRAIN_LAYERS: usize = 10;
const POT_LAYERS: usize = 16;
const SOUP_LAYERS: usize = 18;
const REMAINING_LAYER: usize = 20;
const DONE_LAYER: usize = 21;
const DISH_LAYER: usize = 22;
const ONION_LAYER: usize = 23;
const TOMATO_LAYER: usize = 24;
const URGENCY_LAYER: usize = 25;
/// Steps before the horizon in which the encoding shows urgency.
const URGENCY: i32 = 40;

/// Largest number of pots in features.
pub const MAX_POTS: usize = 16;
/// Features of a player besides its pots, its place, and the others' places.
const BASE_FEATURES: usize = 26;
const POT_FEATURES: usize = 10;

impl Encoding {
    /// Creates the lossless encoding of a layout.
    pub fn lossless(layout: &Layout) -> Self {
        let mut calm = vec![0; layout.terrain.values().len() * LAYERS];
        for (layer, (kind, _)) in (TERRAIN_LAYERS..POT_LAYERS).zip(Terrain::ALL) {
            for cell in layout.cells_of(kind) {
                calm[(cell.x * layout.height + cell.y) as usize * LAYERS + layer] = 1;
            }
        }
        let mut urgent = calm.clone();
        urgent.chunks_exact_mut(LAYERS).for_each(|cell| cell[URGENCY_LAYER] = 1);
        Self::Lossless { terrain: [calm, urgent] }
    }
}

/// Steps from each place and direction of a player to an interaction with each cell, after the package's motion planner.
#[derive(Debug, Clone, PartialEq)]
pub struct Distances {
    steps: Vec<u16>,
    cells: usize,
}

impl Distances {
    /// Searches all ways, in which a turn takes a step.
    pub fn new(layout: &Layout) -> Self {
        let cells = layout.terrain.values().len();
        let index = |cell: Cell| layout.terrain.index(cell).unwrap_or(0);
        let is_floor = |cell| layout.terrain.get(cell) == Some(Terrain::Floor);
        let mut steps = vec![u16::MAX; cells * DIRECTIONS.len() * cells];
        let mut found = vec![u16::MAX; cells * DIRECTIONS.len()];
        for start in &layout.floor {
            for number in 0..DIRECTIONS.len() {
                found.fill(u16::MAX);
                found[index(*start) * DIRECTIONS.len() + number] = 0;
                let row = &mut steps[(index(*start) * DIRECTIONS.len() + number) * cells..][..cells];
                let mut queue = VecDeque::from([(*start, number)]);
                while let Some((cell, facing)) = queue.pop_front() {
                    let distance = found[index(cell) * DIRECTIONS.len() + facing];
                    let target = cell.neighbor(DIRECTIONS[facing]);
                    if !is_floor(target) {
                        row[index(target)] = row[index(target)].min(distance);
                    }
                    for (turned, direction) in DIRECTIONS.into_iter().enumerate() {
                        let ahead = cell.neighbor(direction);
                        let next = if is_floor(ahead) { ahead } else { cell };
                        let known = &mut found[index(next) * DIRECTIONS.len() + turned];
                        if *known == u16::MAX {
                            *known = distance + 1;
                            queue.push_back((next, turned));
                        }
                    }
                }
            }
        }
        Self { steps, cells }
    }

    pub fn bytes(&self) -> usize {
        self.steps.len() * size_of::<u16>()
    }
}

/// Features of one player, without places of other players.
struct Features {
    values: [f64; BASE_FEATURES + POT_FEATURES * MAX_POTS],
    len: usize,
}

impl Features {
    fn push(&mut self, values: &[f64]) {
        self.values[self.len..][..values.len()].copy_from_slice(values);
        self.len += values.len();
    }

    fn push_flags(&mut self, flags: &[bool]) {
        flags.iter().for_each(|flag| self.push(&[f64::from(u8::from(*flag))]));
    }

    fn push_offset(&mut self, from: Cell, to: Option<Cell>) {
        self.push(&to.map_or([0.0; 2], |to| offset(from, to)));
    }
}

fn offset(from: Cell, to: Cell) -> [f64; 2] {
    [f64::from(to.x - from.x), f64::from(to.y - from.y)]
}

fn direction_number(direction: Direction) -> usize {
    DIRECTIONS.into_iter().position(|other| other == direction).unwrap_or(0)
}

impl Kitchen {
    pub(super) fn space_of_observations(&self) -> Space {
        let (width, height) = (self.layout.width as usize, self.layout.height as usize);
        match self.encoding {
            Encoding::Lossless { .. } => {
                let most = self.recipes.longest_cook_time().max(3);
                Space::uniform(0.0, f64::from(most), &[width, height, LAYERS], Dtype::I64)
            }
            Encoding::Features => Space::uniform(f64::NEG_INFINITY, f64::INFINITY, &[self.features_of_all()], Dtype::F64),
        }
    }

    fn own_features(&self) -> usize {
        BASE_FEATURES + POT_FEATURES * self.num_pots
    }

    /// Returns the number of features in the observation of one player.
    fn features_of_all(&self) -> usize {
        self.layout.players.len() * (self.own_features() + 2)
    }

    pub(super) fn write_observation(&self, state: &State, out: &mut Row<'_>) {
        match &self.encoding {
            Encoding::Lossless { terrain } => {
                let terrain = &terrain[usize::from(self.horizon - state.timestep < URGENCY)];
                let size = terrain.len();
                for player in 0..state.players.len() {
                    let start = state.row(player) * size;
                    out.write_at(0, start, terrain);
                    self.write_objects(state, player, |index, value| out.write_at(0, start + index, &[value]));
                }
            }
            Encoding::Features => self.write_features(state, out),
        }
    }

    /// Writes the numbers of players and objects in the lossless encoding of a player.
    fn write_objects(&self, state: &State, player: usize, mut write: impl FnMut(usize, i32)) {
        let first = |cell: Cell| (cell.x * self.layout.height + cell.y) as usize * LAYERS;
        for (number, other) in state.players.iter().enumerate() {
            let rank = usize::from(number != player);
            let start = first(other.cell);
            write(start + rank, 1);
            write(start + DIRECTION_LAYERS + DIRECTIONS.len() * rank + direction_number(other.direction), 1);
            self.write_item(other.held, start, false, &mut write);
        }
        for cell in &self.layout.pots {
            self.write_item(state.items.get(*cell).unwrap_or_default(), first(*cell), true, &mut write);
        }
        for cell in &self.layout.counters {
            self.write_item(state.items.get(*cell).unwrap_or_default(), first(*cell), false, &mut write);
        }
    }

    fn write_item(&self, item: Item, start: usize, is_in_pot: bool, write: &mut impl FnMut(usize, i32)) {
        match item {
            Item::Nothing => {}
            Item::Dish => write(start + DISH_LAYER, 1),
            Item::Onion => write(start + ONION_LAYER, 1),
            Item::Tomato => write(start + TOMATO_LAYER, 1),
            Item::Soup(soup) => {
                let layer = if is_in_pot && soup.tick < 0 { POT_LAYERS } else { SOUP_LAYERS };
                write(start + layer, soup.recipe.onions.into());
                write(start + layer + 1, soup.recipe.tomatoes.into());
                if is_in_pot && soup.tick >= 0 {
                    write(start + REMAINING_LAYER, self.recipes.cook_time(soup.recipe) - soup.tick);
                }
                if !is_in_pot || self.is_ready(soup) {
                    write(start + DONE_LAYER, 1);
                }
            }
        }
    }

    fn write_features(&self, state: &State, out: &mut Row<'_>) {
        let (players, own, all) = (state.players.len(), self.own_features(), self.features_of_all());
        for (player, described) in state.players.iter().enumerate() {
            let features = self.features(state, described);
            for (viewer, Player { cell, .. }) in state.players.iter().enumerate() {
                let start = state.row(viewer) * all;
                // A viewer comes first in its own observation.
                let place = if viewer == player { 0 } else { player + usize::from(player < viewer) };
                out.write_at(0, start + place * own, &features.values[..features.len]);
                let places = start + players * own;
                if viewer == player {
                    out.write_at(0, places + 2 * (players - 1), &offset(Cell::default(), *cell));
                } else {
                    out.write_at(0, places + 2 * (place - 1), &offset(*cell, described.cell));
                }
            }
        }
    }

    fn features(&self, state: &State, player: &Player) -> Features {
        let mut features = Features { values: [0.0; BASE_FEATURES + POT_FEATURES * MAX_POTS], len: 0 };
        let facing = direction_number(player.direction);
        features.push_flags(&[0, 1, 2, 3].map(|number| number == facing));
        let is_soup = matches!(player.held, Item::Soup(_));
        features.push_flags(&[player.held == Item::Onion, is_soup, player.held == Item::Dish, player.held == Item::Tomato]);
        let distances = self.steps_from(player);
        let closest = |cells: &mut dyn Iterator<Item = Cell>| {
            let steps = |cell: Cell| self.layout.terrain.index(cell).map_or(u16::MAX, |i| distances[i]);
            let found = cells.map(|cell| (steps(cell), cell)).filter(|(steps, _)| *steps < u16::MAX);
            found.min_by_key(|(steps, _)| *steps).map(|(_, cell)| cell)
        };
        for (item, cells) in
            [(Item::Onion, &self.layout.onions), (Item::Tomato, &self.layout.tomatoes), (Item::Dish, &self.layout.dishes)]
        {
            let is_held = player.held == item;
            features.push_offset(player.cell, if is_held { None } else { closest(&mut cells.iter().copied()) });
        }
        // With the package's default parameters, counters are no goals: no soup on one is the closest, and no empty one is.
        let held_soup = if let Item::Soup(soup) = player.held { soup } else { Default::default() };
        features.push(&[0.0, 0.0, held_soup.recipe.onions.into(), held_soup.recipe.tomatoes.into()]);
        features.push_offset(player.cell, closest(&mut self.layout.serving.iter().copied()));
        features.push(&[0.0, 0.0]);
        let mut seen = [Cell { x: -1, y: -1 }; MAX_POTS];
        for number in 0..self.num_pots {
            let mut left = self.layout.pots.iter().copied().filter(|pot| !seen[..number].contains(pot));
            match closest(&mut left) {
                Some(pot) => {
                    seen[number] = pot;
                    self.push_pot(state, player, pot, &mut features);
                }
                None => features.push(&[0.0; POT_FEATURES]),
            }
        }
        let is_wall = |direction| self.layout.terrain.get(player.cell.neighbor(direction)) != Some(Terrain::Floor);
        features.push_flags(&DIRECTIONS.map(is_wall));
        features
    }

    /// Returns the steps from a player to an interaction with each cell, `u16::MAX` without a way; nothing without a table.
    pub(super) fn steps_from(&self, player: &Player) -> &[u16] {
        let start = self.layout.terrain.index(player.cell).unwrap_or(0) * DIRECTIONS.len() + direction_number(player.direction);
        self.distances.as_ref().map_or(&[], |distances| &distances.steps[start * distances.cells..][..distances.cells])
    }

    fn push_pot(&self, state: &State, player: &Player, pot: Cell, features: &mut Features) {
        let soup = if let Some(Item::Soup(soup)) = state.items.get(pot) { Some(soup) } else { None };
        let is_ready = soup.is_some_and(|soup| self.is_ready(soup));
        let is_cooking = soup.is_some_and(|soup| soup.tick >= 0) && !is_ready;
        features.push_flags(&[true, soup.is_none(), soup.is_some_and(|soup| soup.is_full()), is_cooking, is_ready]);
        let soup = soup.unwrap_or_default();
        let left = if is_cooking { self.recipes.cook_time(soup.recipe) - soup.tick } else { 0 };
        features.push(&[soup.recipe.onions.into(), soup.recipe.tomatoes.into(), left.into()]);
        features.push_offset(player.cell, Some(pot));
    }
}

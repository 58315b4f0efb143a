//! Rules of level-based foraging.

use serde::{Deserialize, Serialize};

use super::options::{self, MAX_PLAYERS, lowest_three};
use crate::float_writer::FloatWriter;
use crate::game::Rules;
use crate::grid::{Cell, Direction, Grid, lines_of};
use crate::picture::GridPicture;
use envpool_rs_engine::{Action, Dtype, Error, OptionSpec, Options, Result, Row, Space};
use envpool_rs_numeric::random::Generator;
use envpool_rs_pictures::raster::Color;

/// Number of actions: none, four directions, load.
const ACTIONS: usize = 6;
const NONE: i32 = 0;
const LOAD: i32 = 5;
/// Number of random cells that are tried for each player, and for all foods together.
const ATTEMPTS: usize = 1000;
const FOOD_COLOR: Color = Color::rgb(150, 205, 110);
const PLAYER_COLOR: Color = Color::rgb(130, 170, 230);
/// Cell of a player that was never placed.
const NOWHERE: Cell = Cell { x: -1, y: -1 };

/// Options of level-based foraging, shared by all environments of a pool.
#[derive(Debug, Clone, PartialEq)]
pub struct Foraging {
    pub(super) rows: i32,
    pub(super) columns: i32,
    pub(super) sight: i32,
    /// Lowest and highest level of each player.
    pub(super) player_levels: Vec<(i32, i32)>,
    /// Lowest and highest level of each food; the highest counts only with `has_fixed_foods`.
    pub(super) food_levels: Vec<(i32, i32)>,
    /// Whether options give the highest levels of foods; otherwise, the players of an episode do.
    pub(super) has_fixed_foods: bool,
    pub(super) force_coop: bool,
    pub(super) divides_rewards: bool,
    pub(super) penalty: f64,
    pub(super) shows_levels: bool,
    pub(super) observes_grid: bool,
    pub(super) max_steps: i32,
}

/// State of one environment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Level of the food on each cell; 0 on cells without food.
    field: Grid<i32>,
    /// Cells with food at the start of the episode, row by row.
    foods: Vec<Cell>,
    /// Players, whose positions a reset does not clear.
    players: Vec<Player>,
    /// Sum of the levels of all foods at the start of the episode.
    spawned: i32,
    /// Number of foods that are left.
    remaining: usize,
    steps: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Player {
    cell: Cell,
    level: i32,
}

impl Rules for Foraging {
    type State = State;
    type Random = Generator;

    const MASKED_ACTIONS: usize = ACTIONS;
    const FRAMES_PER_SECOND: u32 = 5;

    fn options() -> Vec<OptionSpec> {
        options::options()
    }

    fn new(options: &Options) -> Result<Self> {
        options::checked(options)
    }

    fn players(&self) -> usize {
        self.player_levels.len()
    }

    fn observation_space(&self) -> Space {
        if self.observes_grid { self.grid_space() } else { self.vector_space() }
    }

    fn action_space(&self) -> Space {
        Space::discrete(ACTIONS as i64)
    }

    fn heap_bytes(&self) -> usize {
        let cells = self.rows as usize * self.columns as usize;
        cells * size_of::<i32>() + self.food_levels.len() * size_of::<Cell>() + self.player_levels.len() * size_of::<Player>()
    }

    fn create(&self) -> State {
        State {
            field: Grid::new(self.columns, self.rows, 0),
            foods: Vec::with_capacity(self.food_levels.len()),
            players: vec![Player { cell: NOWHERE, level: 0 }; self.player_levels.len()],
            spawned: 0,
            remaining: 0,
            steps: 0,
        }
    }

    fn reset(&self, state: &mut State, rng: &mut Generator) {
        state.field.fill(0);
        state.steps = 0;
        self.spawn_players(state, rng);
        self.spawn_food(state, rng);
    }

    fn step(&self, state: &mut State, action: &Action<'_>, rewards: &mut [f64], _rng: &mut Generator) -> bool {
        state.steps += 1;
        let mut loading = [false; MAX_PLAYERS];
        state.move_players(action.discretes(0, state.players.len()), &mut loading);
        for player in 0..state.players.len() {
            if loading[player] {
                self.load(state, player, &mut loading, rewards);
            }
        }
        state.remaining == 0 || state.steps >= self.max_steps
    }

    fn observe(&self, state: &State, out: &mut Row<'_>) {
        let Some(mut writer) = FloatWriter::new(out, 0) else { return };
        for player in 0..state.players.len() {
            if self.observes_grid {
                self.write_grid(state, player, &mut writer);
            } else {
                self.write_vector(state, player, &mut writer);
            }
        }
    }

    fn has_effect(&self, state: &State, player: usize, action: usize) -> bool {
        state.is_valid_action(state.players[player].cell, action as i32)
    }

    fn grid_size(&self) -> (i32, i32) {
        (self.columns, self.rows)
    }

    /// Draws foods as green discs and players as blue squares, each with its level.
    fn draw(&self, state: &State, picture: &mut GridPicture) {
        for cell in &state.foods {
            if let Some(level) = state.field.get(*cell).filter(|level| *level > 0) {
                picture.disc(*cell, 0.7, FOOD_COLOR);
                picture.text(*cell, &level.to_string());
            }
        }
        for player in &state.players {
            picture.square(player.cell, 0.7, PLAYER_COLOR);
            picture.text(player.cell, &player.level.to_string());
        }
    }

    /// Draws a line for each row: levels of foods, letters of players (`A` is the first) with their levels, dots.
    fn render_text(&self, state: &State) -> String {
        let text = |cell: Cell| match state.players.iter().rposition(|player| player.cell == cell) {
            Some(number) => format!("{}{}", char::from(b'A' + (number % 26) as u8), state.players[number].level),
            None => state.field.get(cell).filter(|level| *level > 0).map_or_else(|| ".".to_owned(), |level| level.to_string()),
        };
        lines_of(self.columns, self.rows, |cell| format!("{:>4}", text(cell)))
    }

    fn is_valid(&self, state: &State) -> bool {
        let is_inside = |cell: Cell| state.field.index(cell).is_some();
        state.field.has_size(self.columns, self.rows)
            && state.players.len() == self.player_levels.len()
            && state
                .players
                .iter()
                .all(|player| (player.cell == NOWHERE || is_inside(player.cell)) && (0..=MAX_STATE).contains(&player.level))
            && state.foods.len() <= self.food_levels.len()
            && state.foods.iter().all(|cell| is_inside(*cell))
            && state.field.values().iter().all(|level| (0..=MAX_STATE).contains(level))
            && state.remaining <= state.foods.len()
            && (0..i32::MAX).contains(&state.steps)
            && (0..i32::MAX).contains(&state.spawned)
    }
}

/// Largest level in a snapshot, with which no sum or product overflows.
const MAX_STATE: i32 = 3000;

impl Foraging {
    /// Returns the highest level that a food of any episode has.
    fn highest_food(&self) -> i32 {
        if self.has_fixed_foods {
            self.food_levels.iter().map(|(_, most)| *most).max().unwrap_or(0)
        } else {
            lowest_three(self.player_levels.iter().map(|(_, most)| *most))
        }
    }

    fn highest_player(&self) -> i32 {
        self.player_levels.iter().map(|(_, most)| *most).max().unwrap_or(0)
    }

    fn vector_space(&self) -> Space {
        let (bottom, right) = (f64::from(self.rows - 1), f64::from(self.columns - 1));
        let (foods, players) = (self.food_levels.len(), self.player_levels.len());
        let player_size = 2 + usize::from(self.shows_levels);
        let low = [[-1.0, -1.0, 0.0].repeat(foods), [-1.0, -1.0, 0.0][..player_size].repeat(players)].concat();
        let player = [bottom, right, f64::from(self.highest_player())];
        let high = [[bottom, right, f64::from(self.highest_food())].repeat(foods), player[..player_size].repeat(players)];
        Space::vector(&low, &high.concat())
    }

    fn grid_space(&self) -> Space {
        let side = self.grid_side();
        let player = if self.shows_levels { f64::from(self.highest_player()) } else { 1.0 };
        let high = [player, f64::from(self.highest_food()), 1.0].map(|most| vec![most; side * side]).concat();
        Space::Box { low: vec![0.0], high, shape: vec![3, side, side], dtype: Dtype::F32 }
    }

    fn grid_side(&self) -> usize {
        2 * self.sight as usize + 1
    }

    fn spawn_players(&self, state: &mut State, rng: &mut Generator) {
        let order = rng.permutation(state.players.len());
        for (player, place) in order.into_iter().enumerate() {
            let (least, most) = self.player_levels[place];
            let mut attempts = 0;
            while attempts < ATTEMPTS {
                let y = rng.integers(0, i64::from(self.rows)) as i32;
                let x = rng.integers(0, i64::from(self.columns)) as i32;
                let cell = Cell { x, y };
                if state.players.iter().all(|other| other.cell != cell) {
                    let level = rng.integers(i64::from(least), i64::from(most) + 1) as i32;
                    state.players[player] = Player { cell, level };
                    break;
                }
                attempts += 1;
            }
            if state.players[player].cell == NOWHERE {
                let size = format!("[{}, {}]", self.rows, self.columns);
                let expected = format!("room for all players; player {player} found no free cell in {ATTEMPTS} attempts");
                Error::value("field_size", size, expected).raise();
            }
        }
    }

    fn spawn_food(&self, state: &mut State, rng: &mut Generator) {
        let top = lowest_three(state.players.iter().map(|player| player.level));
        state.foods.clear();
        state.spawned = 0;
        let order = rng.permutation(self.food_levels.len());
        let mut attempts = 0;
        while state.foods.len() < order.len() && attempts < ATTEMPTS {
            attempts += 1;
            let y = rng.integers(1, i64::from(self.rows) - 1) as i32;
            let x = rng.integers(1, i64::from(self.columns) - 1) as i32;
            let cell = Cell { x, y };
            if state.has_food_near(cell) || state.players.iter().any(|player| player.cell == cell) {
                continue;
            }
            let (least, most) = self.food_levels[order[state.foods.len()]];
            let most = if self.has_fixed_foods { most } else { top };
            let least = if self.force_coop { most } else { least };
            let level = if least == most {
                least
            } else if least > most {
                let expected = format!("at most {most}, the sum of three players' levels in this episode; set max_food_level");
                Error::value("min_food_level", least, expected).raise()
            } else {
                rng.integers(i64::from(least), i64::from(most) + 1) as i32
            };
            state.field.set(cell, level);
            state.foods.push(cell);
            state.spawned += level;
        }
        state.foods.sort_unstable_by_key(|cell| (cell.y, cell.x));
        state.remaining = state.foods.iter().filter(|cell| state.field.get(**cell) != Some(0)).count();
    }

    /// Loads the food next to `player`, together with all other players next to it that are loading.
    fn load(&self, state: &mut State, player: usize, loading: &mut [bool; MAX_PLAYERS], rewards: &mut [f64]) {
        loading[player] = false;
        let Some(cell) = state.food_next_to(state.players[player].cell) else { return };
        let food = state.field.get(cell).unwrap_or(0);
        let mut group = [false; MAX_PLAYERS];
        let mut total = 0;
        for (number, other) in state.players.iter().enumerate() {
            if (number == player || loading[number]) && other.cell.distance(cell) == 1 {
                group[number] = true;
                loading[number] = false;
                total += other.level;
            }
        }
        for (number, other) in state.players.iter().enumerate() {
            if !group[number] {
                continue;
            }
            if total < food {
                rewards[number] -= self.penalty;
            } else {
                rewards[number] = f64::from(other.level * food);
                if self.divides_rewards {
                    rewards[number] /= f64::from(total) * f64::from(state.spawned);
                }
            }
        }
        if total >= food {
            state.field.set(cell, 0);
            state.remaining = state.remaining.saturating_sub(1);
        }
    }

    fn write_vector(&self, state: &State, player: usize, writer: &mut FloatWriter<'_>) {
        let own = state.players[player].cell;
        let (left, top) = ((own.x - self.sight).max(0), (own.y - self.sight).max(0));
        let (right, bottom) = (own.x + self.sight, own.y + self.sight);
        let mut seen = 0;
        for cell in &state.foods {
            let is_near = (left..=right).contains(&cell.x) && (top..=bottom).contains(&cell.y);
            let level = if is_near { state.field.get(*cell).unwrap_or(0) } else { 0 };
            if level > 0 {
                writer.write((cell.y - top) as f32);
                writer.write((cell.x - left) as f32);
                writer.write(level as f32);
                seen += 1;
            }
        }
        for _ in seen..self.food_levels.len() {
            [-1.0, -1.0, 0.0].into_iter().for_each(|value| writer.write(value));
        }
        seen = 0;
        let others = (0..state.players.len()).filter(|number| *number != player);
        for number in std::iter::once(player).chain(others) {
            let Player { cell, level } = state.players[number];
            let (y, x) = (cell.y - top, cell.x - left);
            // Near the upper and left border, this is farther than the sight, as in the package.
            if y.min(x) >= 0 && y.max(x) <= 2 * self.sight {
                writer.write(y as f32);
                writer.write(x as f32);
                if self.shows_levels {
                    writer.write(level as f32);
                }
                seen += 1;
            }
        }
        for _ in seen..state.players.len() {
            [-1.0, -1.0, 0.0][..2 + usize::from(self.shows_levels)].iter().for_each(|value| writer.write(*value));
        }
    }

    fn write_grid(&self, state: &State, player: usize, writer: &mut FloatWriter<'_>) {
        let own = state.players[player].cell;
        let size = self.grid_side() * self.grid_side();
        let mut layers = [writer.take(size), writer.take(size), writer.take(size)];
        for y in own.y - self.sight..=own.y + self.sight {
            for x in own.x - self.sight..=own.x + self.sight {
                let cell = Cell { x, y };
                let here = state.players.iter().rfind(|player| player.cell == cell);
                let food = state.field.get(cell);
                let level = here.map_or(0, |player| if self.shows_levels { player.level } else { 1 });
                layers[0].write(level as f32);
                layers[1].write(food.unwrap_or(0) as f32);
                layers[2].write_flag(here.is_none() && food == Some(0));
            }
        }
    }
}

impl State {
    /// Returns whether a food lies next to a cell, also diagonally, or two cells away in a straight line.
    fn has_food_near(&self, cell: Cell) -> bool {
        let is_food = |x, y| self.field.get(Cell { x, y }).is_some_and(|level| level > 0);
        (-1..=1).any(|y| (-1..=1).any(|x| is_food(cell.x + x, cell.y + y)))
            || [-2, 2].into_iter().any(|far| is_food(cell.x + far, cell.y) || is_food(cell.x, cell.y + far))
    }

    /// Returns a cell with food next to `cell`.
    #[inline]
    fn food_next_to(&self, cell: Cell) -> Option<Cell> {
        let neighbors = Direction::ALL.map(|direction| cell.neighbor(direction));
        neighbors.into_iter().find(|neighbor| self.field.get(*neighbor).is_some_and(|level| level > 0))
    }

    /// Returns whether an action of a player on `cell` has an effect.
    #[inline]
    fn is_valid_action(&self, cell: Cell, action: i32) -> bool {
        match action {
            NONE => true,
            LOAD => self.food_next_to(cell).is_some(),
            _ => self.field.get(cell.neighbor(Direction::ALL[action as usize - 1])) == Some(0),
        }
    }

    /// Moves all players at once. Players that choose the same cell stay; a player may enter the cell of one that stays.
    #[inline]
    fn move_players(&mut self, actions: &[i32], loading: &mut [bool; MAX_PLAYERS]) {
        let mut targets = [NOWHERE; MAX_PLAYERS];
        let count = self.players.len();
        for (number, action) in actions.iter().enumerate() {
            let cell = self.players[number].cell;
            let is_valid = self.is_valid_action(cell, *action);
            loading[number] = is_valid && *action == LOAD;
            targets[number] = match *action {
                NONE | LOAD => cell,
                _ if !is_valid => cell,
                _ => cell.neighbor(Direction::ALL[*action as usize - 1]),
            };
        }
        for number in 0..count {
            let target = targets[number];
            if targets[..count].iter().filter(|other| **other == target).count() == 1 {
                self.players[number].cell = target;
            }
        }
    }
}

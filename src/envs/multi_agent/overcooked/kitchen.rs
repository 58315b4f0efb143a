//! Rules of the kitchen.

use serde::{Deserialize, Serialize};

use super::encoding::{Distances, Encoding};
use super::events::{EVENTS, EventSet, ObjectEvent, SOUP_DELIVERY, object_event, potting_events};
use super::layout::{Layout, Terrain};
use super::options;
use super::potential::Potential;
use super::recipe::{MAX_INGREDIENTS, Recipe, RecipeTable};
use crate::game::Rules;
use crate::grid::{Cell, Direction, Grid, cells, lines_of};
use crate::picture::GridPicture;
use envpool_rs_engine::{Action, Dtype, InfoSpec, OptionSpec, Options, Result, Row, Space};
use envpool_rs_numeric::random::RandomState;
use envpool_rs_pictures::raster::{BLACK, Color, WHITE};

/// Directions in the order of the package's actions, which start with them.
pub const DIRECTIONS: [Direction; 4] = [Direction::North, Direction::South, Direction::East, Direction::West];
const PLAYER_COLORS: [Color; 4] =
    [Color::rgb(90, 140, 230), Color::rgb(110, 190, 110), Color::rgb(200, 130, 210), Color::rgb(240, 160, 90)];
const COOKING_COLOR: Color = Color::rgb(250, 200, 120);
const READY_COLOR: Color = Color::rgb(255, 235, 60);
const INTERACT: i32 = 5;
const ACTIONS: i64 = 6;
/// Largest number of players, those with digits in layouts.
pub const MAX_PLAYERS: usize = 9;
/// Probabilities of a dish and an onion in a player's hands at a random start; otherwise a soup.
const START_OBJECTS: [f64; 3] = [0.2, 0.6, 0.2];

/// Rewards of steps towards a soup.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shaping {
    pub placement_in_pot: f64,
    pub dish_pickup: f64,
    pub soup_pickup: f64,
}

/// Options of the kitchen, shared by all environments of a pool.
#[derive(Debug, Clone, PartialEq)]
pub struct Kitchen {
    pub(super) layout: Layout,
    pub(super) recipes: RecipeTable,
    pub(super) bonus_orders: Vec<Recipe>,
    pub(super) shaping: Shaping,
    pub(super) shaping_factor: f64,
    pub(super) horizon: i32,
    pub(super) has_old_dynamics: bool,
    pub(super) encoding: Encoding,
    pub(super) num_pots: usize,
    pub(super) distances: Option<Distances>,
    /// Number of random places of all players; `None` without random places.
    pub(super) random_places: Option<usize>,
    pub(super) object_probability: f64,
    pub(super) has_random_agent_idx: bool,
    pub(super) has_event_infos: bool,
    /// Parts of the potential, if infos have it.
    pub(super) potential: Option<Potential>,
}

/// State of one kitchen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    pub(super) players: Vec<Player>,
    /// Objects on counters and in pots.
    pub(super) items: Grid<Item>,
    pub(super) timestep: i32,
    /// Results of the last step, by player.
    outcomes: Vec<Outcome>,
    /// Whether the second player has the first row.
    is_swapped: bool,
    /// Potentials before and after the last step, if infos have them.
    potentials: [f64; 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Player {
    pub cell: Cell,
    pub direction: Direction,
    pub held: Item,
}

/// Object that a player holds, or that lies on a counter or in a pot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Item {
    #[default]
    Nothing,
    Onion,
    Tomato,
    Dish,
    Soup(Soup),
}

/// Soup in a pot or on a dish.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Soup {
    pub recipe: Recipe,
    /// Steps since the start of the cooking; -1 before.
    pub tick: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
struct Outcome {
    sparse: f64,
    shaped: f64,
    events: EventSet,
}

/// Numbers of pots before a step, which decide what all players do in it.
struct PotCounts {
    /// Pots that cook, are ready, or have three ingredients.
    full: usize,
    /// Pots for whose soup a dish is useful. As in the package, these are not the full ones that do not cook yet.
    for_dishes: usize,
}

impl Rules for Kitchen {
    type State = State;
    type Random = RandomState;

    const FRAMES_PER_SECOND: u32 = 5;

    fn options() -> Vec<OptionSpec> {
        options::options()
    }

    fn new(options: &Options) -> Result<Self> {
        options::checked(options)
    }

    fn players(&self) -> usize {
        self.layout.players.len()
    }

    fn observation_space(&self) -> Space {
        self.space_of_observations()
    }

    fn action_space(&self) -> Space {
        Space::discrete(ACTIONS)
    }

    fn infos(&self) -> Vec<InfoSpec> {
        let players = self.players();
        let by_agent = |name| InfoSpec::new(name, Dtype::F64, &[players]);
        let mut infos = vec![by_agent("sparse_r_by_agent"), by_agent("shaped_r_by_agent")];
        if self.has_event_infos {
            infos.push(InfoSpec::new("event_infos", Dtype::I8, &[players, EVENTS]));
        }
        if self.has_random_agent_idx {
            infos.push(InfoSpec::new("policy_agent_idx", Dtype::I64, &[]));
        }
        if self.potential.is_some() {
            infos.extend(["phi_s", "phi_s_prime"].map(|name| InfoSpec::new(name, Dtype::F64, &[])));
        }
        infos
    }

    fn heap_bytes(&self) -> usize {
        self.layout.terrain.values().len() * size_of::<Item>() + self.players() * (size_of::<Player>() + size_of::<Outcome>())
    }

    fn shared_bytes(&self) -> usize {
        self.distances.as_ref().map_or(0, Distances::bytes)
    }

    fn create(&self) -> State {
        State {
            players: self.standard_players(),
            items: Grid::new(self.layout.width, self.layout.height, Item::Nothing),
            timestep: 0,
            outcomes: vec![Outcome::default(); self.players()],
            is_swapped: false,
            potentials: [0.0; 2],
        }
    }

    fn reset(&self, state: &mut State, rng: &mut RandomState) {
        state.timestep = 0;
        state.outcomes.fill(Outcome::default());
        state.items.fill(Item::Nothing);
        state.players.copy_from_slice(&self.standard_players());
        if self.random_places.is_some() || self.object_probability > 0.0 {
            self.start_at_random(state, rng);
        } else {
            for (cell, recipe) in self.layout.standard_start().1 {
                state.items.set(*cell, Item::Soup(Soup { recipe: *recipe, tick: -1 }));
            }
        }
        state.is_swapped = self.has_random_agent_idx && rng.choice(2) == 1;
        self.update_potentials(state);
        state.potentials[0] = state.potentials[1];
    }

    fn step(&self, state: &mut State, action: &Action<'_>, rewards: &mut [f64], _rng: &mut RandomState) -> bool {
        let given = action.discretes(0, state.players.len());
        let mut actions = [0; MAX_PLAYERS];
        let actions = &mut actions[..given.len()];
        actions.copy_from_slice(given);
        if state.is_swapped {
            actions.reverse();
        }
        state.outcomes.fill(Outcome::default());
        if actions.contains(&INTERACT) {
            let pots = self.pot_counts(state);
            for player in (0..actions.len()).filter(|player| actions[*player] == INTERACT) {
                self.interact(state, player, &pots);
            }
        }
        self.move_players(state, actions);
        self.cook(state);
        state.timestep = state.timestep.saturating_add(1);
        self.update_potentials(state);
        let sparse: f64 = state.outcomes.iter().map(|outcome| outcome.sparse).sum();
        for (player, outcome) in state.outcomes.iter().enumerate() {
            rewards[state.row(player)] = sparse + self.shaping_factor * outcome.shaped;
        }
        false
    }

    fn is_truncated(&self, state: &State) -> bool {
        state.timestep >= self.horizon
    }

    fn observe(&self, state: &State, out: &mut Row<'_>) {
        self.write_observation(state, out);
    }

    fn write_infos(&self, state: &State, out: &mut Row<'_>) {
        for (player, outcome) in state.outcomes.iter().enumerate() {
            let row = state.row(player);
            out.write_at(0, row, &[outcome.sparse]);
            out.write_at(1, row, &[outcome.shaped]);
            if self.has_event_infos {
                let flags: [i8; EVENTS] = std::array::from_fn(|event| (outcome.events >> event & 1) as i8);
                out.write_at(2, row * EVENTS, &flags);
            }
        }
        let mut leaf = 2 + usize::from(self.has_event_infos);
        if self.has_random_agent_idx {
            out.scalar(leaf, i64::from(state.is_swapped));
            leaf += 1;
        }
        if self.potential.is_some() {
            out.scalar(leaf, state.potentials[0]);
            out.scalar(leaf + 1, state.potentials[1]);
        }
    }

    fn grid_size(&self) -> (i32, i32) {
        (self.layout.width, self.layout.height)
    }

    /// Draws counters with their letters, players with their direction, and objects: an onion, a tomato, a dish, or a soup's
    /// number of ingredients.
    fn draw(&self, state: &State, picture: &mut GridPicture) {
        for cell in cells(self.layout.width, self.layout.height) {
            let terrain = self.layout.terrain.get(cell).unwrap_or(Terrain::Floor);
            if terrain != Terrain::Floor {
                picture.square(cell, 0.96, terrain.color());
            }
            match state.items.get(cell).unwrap_or_default() {
                Item::Nothing if matches!(terrain, Terrain::Floor | Terrain::Counter) => {}
                Item::Nothing => picture.text(cell, &terrain.letter().to_string()),
                item => self.draw_item(item, cell, picture),
            }
        }
        for (player, color) in state.players.iter().zip(PLAYER_COLORS.iter().cycle()) {
            picture.disc(player.cell, 0.75, *color);
            picture.pointer(player.cell, player.direction, BLACK);
            self.draw_item(player.held, player.cell, picture);
        }
    }

    /// Draws the package's `state_string`.
    fn render_text(&self, state: &State) -> String {
        let grid = lines_of(self.layout.width, self.layout.height, |cell| format!("{:<7} ", self.cell_text(state, cell)));
        let mut bonus = self.bonus_orders.clone();
        bonus.sort_unstable_by_key(|recipe| recipe.rank());
        let text = grid.replace('\n', "\n\n");
        match bonus.iter().map(|recipe| recipe.python_text()).collect::<Vec<_>>() {
            recipes if recipes.is_empty() => text,
            recipes => format!("{text}Bonus orders: [{}]\n", recipes.join(", ")),
        }
    }

    fn is_valid(&self, state: &State) -> bool {
        let is_floor = |cell: Cell| self.layout.terrain.get(cell) == Some(Terrain::Floor);
        let is_item = |item: &Item| match item {
            Item::Soup(soup) => soup.recipe.is_possible() && (-1..=self.recipes.longest_cook_time()).contains(&soup.tick),
            _ => true,
        };
        let kinds = || self.layout.terrain.values().iter().zip(state.items.values());
        state.items.has_size(self.layout.width, self.layout.height)
            && state.players.len() == self.players()
            && state.outcomes.len() == self.players()
            && state.players.iter().all(|player| is_floor(player.cell) && is_item(&player.held))
            && state.items.values().iter().all(is_item)
            && kinds().all(|(kind, item)| match kind {
                Terrain::Counter => true,
                Terrain::Pot => matches!(item, Item::Nothing | Item::Soup(_)),
                _ => *item == Item::Nothing,
            })
            && (0..i32::MAX).contains(&state.timestep)
            && (!state.is_swapped || self.has_random_agent_idx)
    }
}

impl Kitchen {
    fn standard_players(&self) -> Vec<Player> {
        let is_random = self.random_places.is_some() || self.object_probability > 0.0;
        let (players, _) = self.layout.standard_start();
        let players = if is_random { &self.layout.players } else { players };
        let held = |has_onion| if has_onion { Item::Onion } else { Item::Nothing };
        players.iter().map(|start| Player { cell: start.cell, direction: start.direction, held: held(start.has_onion) }).collect()
    }

    /// Draws places of players, ingredients of pots and held objects, as the package's `get_random_start_state_fn` does.
    fn start_at_random(&self, state: &mut State, rng: &mut RandomState) {
        if let Some(places) = self.random_places {
            let (mut place, mut block) = (rng.choice(places), places);
            let mut free = self.layout.floor.clone();
            for player in &mut state.players {
                block /= free.len();
                player.cell = free.remove(place / block);
                place %= block;
            }
        }
        if self.object_probability == 0.0 {
            return;
        }
        let ingredients = |rng: &mut RandomState| {
            let onions = rng.randint(1, 4);
            Recipe { onions: onions as u8, tomatoes: rng.randint(0, 4 - onions) as u8 }
        };
        for pot in &self.layout.pots {
            if rng.random_sample() < self.object_probability {
                let recipe = ingredients(rng);
                let tick = if rng.random_sample() < self.object_probability { 0 } else { -1 };
                state.items.set(*pot, Item::Soup(Soup { recipe, tick }));
            }
        }
        for player in &mut state.players {
            if rng.random_sample() < self.object_probability {
                let object = rng.choice_weighted(&START_OBJECTS);
                let recipe = ingredients(rng);
                player.held = match object {
                    0 => Item::Dish,
                    1 => Item::Onion,
                    _ => Item::Soup(Soup { recipe, tick: self.recipes.cook_time(recipe) }),
                };
            }
        }
    }

    /// Returns whether a soup's cooking has ended.
    pub(super) fn is_ready(&self, soup: Soup) -> bool {
        soup.tick >= 0 && soup.tick >= self.recipes.cook_time(soup.recipe)
    }

    fn update_potentials(&self, state: &mut State) {
        if let Some(potential) = &self.potential {
            state.potentials = [state.potentials[1], self.potential(potential, state)];
        }
    }

    pub(super) fn soup_in(state: &State, pot: Cell) -> Option<Soup> {
        match state.items.get(pot) {
            Some(Item::Soup(soup)) => Some(soup),
            _ => None,
        }
    }

    fn pot_counts(&self, state: &State) -> PotCounts {
        let soups = || self.layout.pots.iter().filter_map(|pot| Self::soup_in(state, *pot));
        let for_dishes = soups().filter(|soup| soup.tick >= 0 || soup.recipe.size() < MAX_INGREDIENTS).count();
        PotCounts { full: soups().filter(|soup| soup.is_full()).count(), for_dishes }
    }

    /// Returns whether a dish is useful: fewer players hold one than pots need, and none lies on a counter.
    fn is_dish_useful(state: &State, pots: &PotCounts) -> bool {
        let held = state.players.iter().filter(|player| player.held == Item::Dish).count();
        state.players.len() == 2 && held < pots.for_dishes && !state.items.values().contains(&Item::Dish)
    }

    /// Logs that a player picks an object up, before it does.
    fn log_pickup(&self, state: &mut State, player: usize, item: Item, pots: &PotCounts) {
        let is_useful = match item {
            Item::Dish => Self::is_dish_useful(state, pots),
            Item::Onion | Item::Tomato => match state.other_held(player) {
                Some(other) => pots.full < self.layout.pots.len() || other == Item::Dish,
                None => false,
            },
            _ => false,
        };
        let useful = if is_useful { object_event(item, ObjectEvent::UsefulPickup) } else { 0 };
        state.outcomes[player].events |= object_event(item, ObjectEvent::Pickup) | useful;
    }

    /// Logs that a player puts an object on a counter, before it does.
    fn log_drop(&self, state: &mut State, player: usize, item: Item, pots: &PotCounts) {
        let is_useful = match (item, state.other_held(player)) {
            (Item::Dish, Some(other)) => pots.full == 0 && other != Item::Onion,
            (Item::Onion | Item::Tomato, Some(other)) => pots.full == self.layout.pots.len() && other != Item::Dish,
            _ => false,
        };
        let useful = if is_useful { object_event(item, ObjectEvent::UsefulDrop) } else { 0 };
        state.outcomes[player].events |= object_event(item, ObjectEvent::Drop) | useful;
    }

    fn interact(&self, state: &mut State, player: usize, pots: &PotCounts) {
        let Player { cell, direction, held } = state.players[player];
        let target = cell.neighbor(direction);
        let there = state.items.get(target).unwrap_or_default();
        match self.layout.terrain.get(target).unwrap_or(Terrain::Floor) {
            Terrain::Counter if held != Item::Nothing && there == Item::Nothing => {
                self.log_drop(state, player, held, pots);
                state.items.set(target, held);
                state.players[player].held = Item::Nothing;
            }
            Terrain::Counter if held == Item::Nothing && there != Item::Nothing => {
                self.log_pickup(state, player, there, pots);
                state.items.set(target, Item::Nothing);
                state.players[player].held = there;
            }
            Terrain::Onions if held == Item::Nothing => {
                self.log_pickup(state, player, Item::Onion, pots);
                state.players[player].held = Item::Onion;
            }
            // As in the package, not logged.
            Terrain::Tomatoes if held == Item::Nothing => state.players[player].held = Item::Tomato,
            Terrain::Dishes if held == Item::Nothing => {
                self.log_pickup(state, player, Item::Dish, pots);
                if Self::is_dish_useful(state, pots) {
                    state.outcomes[player].shaped += self.shaping.dish_pickup;
                }
                state.players[player].held = Item::Dish;
            }
            Terrain::Pot => self.use_pot(state, player, target, pots),
            Terrain::Serving => {
                if let Item::Soup(soup) = held {
                    state.players[player].held = Item::Nothing;
                    state.outcomes[player].sparse += self.recipes.value(soup.recipe);
                    state.outcomes[player].events |= 1 << SOUP_DELIVERY;
                }
            }
            _ => {}
        }
    }

    fn use_pot(&self, state: &mut State, player: usize, pot: Cell, pots: &PotCounts) {
        let held = state.players[player].held;
        let soup = Self::soup_in(state, pot);
        match (held, soup) {
            (Item::Nothing, Some(soup)) if soup.tick < 0 && !self.has_old_dynamics => {
                state.items.set(pot, Item::Soup(Soup { tick: 0, ..soup }));
            }
            (Item::Dish, Some(soup)) if self.is_ready(soup) => {
                self.log_pickup(state, player, Item::Soup(soup), pots);
                state.items.set(pot, Item::Nothing);
                state.players[player].held = Item::Soup(soup);
                state.outcomes[player].shaped += self.shaping.soup_pickup;
            }
            (Item::Onion | Item::Tomato, _) => {
                let before = soup.unwrap_or(Soup { recipe: Recipe::default(), tick: -1 });
                if before.is_full() {
                    return;
                }
                let mut recipe = before.recipe;
                *(if held == Item::Onion { &mut recipe.onions } else { &mut recipe.tomatoes }) += 1;
                state.items.set(pot, Item::Soup(Soup { recipe, ..before }));
                state.players[player].held = Item::Nothing;
                let values = [before.recipe, recipe].map(|recipe| self.recipes.best_value(recipe));
                let outcome = &mut state.outcomes[player];
                outcome.shaped += self.shaping.placement_in_pot;
                outcome.events |= potting_events(held, values[0], values[1]);
            }
            _ => {}
        }
    }

    /// Turns all players, and moves them, unless two of them would meet or change places: then all stay.
    fn move_players(&self, state: &mut State, actions: &[i32]) {
        let mut cells = [Cell::default(); MAX_PLAYERS];
        for (number, action) in actions.iter().enumerate() {
            let player = &mut state.players[number];
            cells[number] = player.cell;
            if let Some(direction) = DIRECTIONS.get(*action as usize) {
                player.direction = *direction;
                let ahead = player.cell.neighbor(*direction);
                if self.layout.terrain.get(ahead) == Some(Terrain::Floor) {
                    cells[number] = ahead;
                }
            }
        }
        let collide = |first: usize, second: usize| {
            let crossed = cells[first] == state.players[second].cell && cells[second] == state.players[first].cell;
            cells[first] == cells[second] || crossed
        };
        if (0..actions.len()).any(|second| (0..second).any(|first| collide(first, second))) {
            return;
        }
        for (player, cell) in state.players.iter_mut().zip(cells) {
            player.cell = cell;
        }
    }

    fn cook(&self, state: &mut State) {
        for pot in &self.layout.pots {
            if let Some(mut soup) = Self::soup_in(state, *pot) {
                if self.has_old_dynamics && soup.tick < 0 && soup.recipe.size() == MAX_INGREDIENTS {
                    soup.tick = 0;
                }
                if soup.tick >= 0 && !self.is_ready(soup) {
                    soup.tick += 1;
                }
                state.items.set(*pot, Item::Soup(soup));
            }
        }
    }

    fn draw_item(&self, item: Item, cell: Cell, picture: &mut GridPicture) {
        let color = match item {
            Item::Nothing => return,
            Item::Onion => Terrain::Onions.color(),
            Item::Tomato => Terrain::Tomatoes.color(),
            Item::Dish => WHITE,
            Item::Soup(soup) if self.is_ready(soup) => READY_COLOR,
            Item::Soup(soup) if soup.tick >= 0 => COOKING_COLOR,
            Item::Soup(_) => Terrain::Pot.color(),
        };
        picture.disc(cell, 0.45, color);
        if let Item::Soup(soup) = item {
            picture.text(cell, &soup.recipe.size().to_string());
        }
    }

    fn cell_text(&self, state: &State, cell: Cell) -> String {
        if let Some(number) = state.players.iter().position(|player| player.cell == cell) {
            let player = state.players[number];
            let arrow = match player.direction {
                Direction::North => '↑',
                Direction::South => '↓',
                Direction::East => '→',
                Direction::West => '←',
            };
            return format!("{arrow}{number}{}", self.item_text(player.held));
        }
        let terrain = self.layout.terrain.get(cell).unwrap_or(Terrain::Floor);
        format!("{}{}", terrain.letter(), self.item_text(state.items.get(cell).unwrap_or_default()))
    }

    fn item_text(&self, item: Item) -> String {
        match item {
            Item::Nothing => String::new(),
            Item::Onion => "o".to_owned(),
            Item::Tomato => "t".to_owned(),
            Item::Dish => "d".to_owned(),
            Item::Soup(soup) => {
                let ingredients = "ø".repeat(soup.recipe.onions.into()) + &"†".repeat(soup.recipe.tomatoes.into());
                let progress = match soup.tick {
                    _ if self.is_ready(soup) => "✓".to_owned(),
                    ..0 => String::new(),
                    tick => tick.to_string(),
                };
                format!("{{{ingredients}{progress}")
            }
        }
    }
}

impl State {
    /// Returns the row of a player in observations, actions, rewards and infos.
    #[inline]
    pub(super) fn row(&self, player: usize) -> usize {
        if self.is_swapped { self.players.len() - 1 - player } else { player }
    }

    /// Returns what the other one of two players holds; `None` if there are not two.
    fn other_held(&self, player: usize) -> Option<Item> {
        (self.players.len() == 2).then(|| self.players[1 - player].held)
    }
}

impl Soup {
    /// Returns whether the soup cooks, is ready, or has three ingredients.
    pub fn is_full(self) -> bool {
        self.tick >= 0 || self.recipe.size() >= MAX_INGREDIENTS
    }
}

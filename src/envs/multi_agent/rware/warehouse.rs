//! Rules of the multi-robot warehouse.

use serde::{Deserialize, Serialize};

use super::collisions::Wishes;
use super::layout::Layout;
use super::observation::{Layer, ObservationType};
use super::options::{self, MAX_AGENTS};
use crate::game::Rules;
use crate::grid::{Cell, Direction, Grid, cells, lines_of};
use crate::picture::GridPicture;
use envpool_rs_engine::{Action, OptionSpec, Options, Result, Row, Space};
use envpool_rs_numeric::random::Generator;
use envpool_rs_pictures::raster::{BLACK, Color};

/// Number of actions without messages: none, forward, left, right, load or unload.
const ACTIONS: usize = 5;
/// Colours of rware's pictures.
const GOAL_COLOR: Color = Color::rgb(60, 60, 60);
const SHELF_COLOR: Color = Color::rgb(72, 61, 139);
const REQUEST_COLOR: Color = Color::rgb(0, 128, 128);
const AGENT_COLOR: Color = Color::rgb(255, 140, 0);
const LOADED_COLOR: Color = Color::rgb(255, 0, 0);
const FORWARD: i32 = 1;
const LEFT: i32 = 2;
const RIGHT: i32 = 3;
const TOGGLE_LOAD: i32 = 4;

/// Players that a delivery rewards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RewardType {
    Individual,
    Global,
    /// Half of the reward at the delivery, and half when the shelf is put down again.
    TwoStage,
}

/// Options of the warehouse, shared by all environments of a pool.
#[derive(Debug, Clone, PartialEq)]
pub struct Warehouse {
    pub(super) layout: Layout,
    pub(super) agents: usize,
    pub(super) message_bits: usize,
    pub(super) sensor_range: i32,
    pub(super) requests: usize,
    pub(super) max_inactivity_steps: i32,
    pub(super) max_steps: i32,
    pub(super) reward_type: RewardType,
    pub(super) observation_type: ObservationType,
    pub(super) layers: Vec<Layer>,
    pub(super) is_directional: bool,
    pub(super) is_normalised: bool,
}

/// State of one warehouse. Agents and shelves have numbers from 1 in grids and in `carrying`; 0 stands for none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    pub(super) cells: Vec<Cell>,
    pub(super) agents: Vec<Agent>,
    /// Bits that the agents sent in the last step, agent by agent.
    pub(super) messages: Vec<u8>,
    pub(super) agent_at: Grid<u16>,
    pub(super) shelf_at: Grid<u16>,
    /// Indices of the requested shelves.
    queue: Vec<u16>,
    /// Whether each shelf is requested.
    is_requested: Vec<bool>,
    inactive_steps: i32,
    steps: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Agent {
    pub direction: Direction,
    pub carrying: u16,
    has_delivered: bool,
}

impl Rules for Warehouse {
    type State = State;
    type Random = Generator;

    const MASKED_ACTIONS: usize = ACTIONS;
    const FRAMES_PER_SECOND: u32 = 10;

    fn options() -> Vec<OptionSpec> {
        options::options()
    }

    fn new(options: &Options) -> Result<Self> {
        options::checked(options)
    }

    fn players(&self) -> usize {
        self.agents
    }

    fn observation_space(&self) -> Space {
        self.space_of_observations()
    }

    fn action_space(&self) -> Space {
        match self.message_bits {
            0 => Space::discrete(ACTIONS as i64),
            bits => Space::multi_discrete(&[&[ACTIONS as i64][..], &vec![2; bits]].concat()),
        }
    }

    fn heap_bytes(&self) -> usize {
        let cells = self.layout.width as usize * self.layout.height as usize;
        let agent = size_of::<Cell>() + size_of::<Agent>() + self.message_bits;
        cells * 2 * size_of::<u16>() + self.agents * agent + self.layout.shelves.len() + self.requests * size_of::<u16>()
    }

    fn create(&self) -> State {
        let agent = Agent { direction: Direction::North, carrying: 0, has_delivered: false };
        State {
            cells: vec![Cell::default(); self.agents],
            agents: vec![agent; self.agents],
            messages: vec![0; self.agents * self.message_bits],
            agent_at: Grid::new(self.layout.width, self.layout.height, 0),
            shelf_at: Grid::new(self.layout.width, self.layout.height, 0),
            queue: Vec::with_capacity(self.requests),
            is_requested: vec![false; self.layout.shelves.len()],
            inactive_steps: 0,
            steps: 0,
        }
    }

    fn reset(&self, state: &mut State, rng: &mut Generator) {
        let width = self.layout.width as usize;
        (state.inactive_steps, state.steps) = (0, 0);
        state.shelf_at.fill(0);
        for (number, cell) in (1..).zip(&self.layout.shelves) {
            state.shelf_at.set(*cell, number);
        }
        let places = rng.choice_without_replacement(width * self.layout.height as usize, self.agents);
        state.agent_at.fill(0);
        for (number, place) in (1..).zip(&places) {
            let cell = Cell { x: (place % width) as i32, y: (place / width) as i32 };
            state.cells[usize::from(number) - 1] = cell;
            state.agent_at.set(cell, number);
        }
        for agent in &mut state.agents {
            let direction = Direction::ALL[rng.choice(Direction::ALL.len())];
            *agent = Agent { direction, carrying: 0, has_delivered: false };
        }
        state.messages.fill(0);
        state.is_requested.fill(false);
        state.queue.clear();
        if self.requests > 0 {
            let requested = rng.choice_without_replacement(self.layout.shelves.len(), self.requests);
            state.queue.extend(requested.into_iter().map(|shelf| shelf as u16));
        }
        for shelf in &state.queue {
            state.is_requested[usize::from(*shelf)] = true;
        }
    }

    fn step(&self, state: &mut State, action: &Action<'_>, rewards: &mut [f64], rng: &mut Generator) -> bool {
        let given = action.discretes(0, self.agents * (1 + self.message_bits));
        let mut actions = [0_i32; MAX_AGENTS];
        for (number, own) in given.chunks_exact(1 + self.message_bits).enumerate() {
            actions[number] = own[0];
            let bits = state.messages[number * self.message_bits..].iter_mut().zip(&own[1..]);
            bits.for_each(|(bit, value)| *bit = *value as u8);
        }
        let actions = &mut actions[..self.agents];
        self.move_agents(state, actions);
        self.turn_and_load(state, actions, rewards);
        let has_delivered = self.deliver(state, rewards, rng);
        state.inactive_steps = if has_delivered { 0 } else { state.inactive_steps.saturating_add(1) };
        state.steps = state.steps.saturating_add(1);
        state.inactive_steps >= self.max_inactivity_steps || state.steps >= self.max_steps
    }

    fn observe(&self, state: &State, out: &mut Row<'_>) {
        self.write_observation(state, out);
    }

    fn has_effect(&self, state: &State, player: usize, action: usize) -> bool {
        let (cell, agent) = (state.cells[player], state.agents[player]);
        match action as i32 {
            FORWARD => {
                let target = self.cell_in_front(state, player);
                target != cell && !Self::is_blocked(state, player, target)
            }
            TOGGLE_LOAD if agent.carrying == 0 => state.shelf_at.get(cell) != Some(0),
            TOGGLE_LOAD => self.layout.highways.get(cell) == Some(false),
            _ => true,
        }
    }

    fn grid_size(&self) -> (i32, i32) {
        (self.layout.width, self.layout.height)
    }

    /// Draws goals, shelves (requested ones in another colour), and agents with their direction (loaded ones in another colour).
    fn draw(&self, state: &State, picture: &mut GridPicture) {
        for cell in cells(self.layout.width, self.layout.height) {
            if self.layout.goals.contains(&cell) {
                picture.square(cell, 1.0, GOAL_COLOR);
            }
            if let Some(shelf) = state.shelf_at.get(cell).filter(|shelf| *shelf > 0) {
                picture.square(cell, 0.85, if state.is_requested(shelf) { REQUEST_COLOR } else { SHELF_COLOR });
            }
        }
        for (cell, agent) in state.cells.iter().zip(&state.agents) {
            picture.disc(*cell, 0.6, if agent.carrying > 0 { LOADED_COLOR } else { AGENT_COLOR });
            picture.pointer(*cell, agent.direction, BLACK);
        }
    }

    /// Draws a line for each row: agents as arrows, bold ones with a shelf, shelves as `x`, requested ones as `X`, goals as `g`.
    fn render_text(&self, state: &State) -> String {
        let mark = |cell: Cell| {
            if let Some(number) = state.agent_number(cell) {
                let agent = state.agents[number];
                let arrows = if agent.carrying > 0 { ['▲', '▼', '◀', '▶'] } else { ['↑', '↓', '←', '→'] };
                return arrows[agent.direction as usize];
            }
            match state.shelf_at.get(cell).unwrap_or(0) {
                0 if self.layout.goals.contains(&cell) => 'g',
                0 => '.',
                shelf if state.is_requested(shelf) => 'X',
                _ => 'x',
            }
        };
        lines_of(self.layout.width, self.layout.height, mark)
    }

    fn is_valid(&self, state: &State) -> bool {
        let (shelves, layout) = (self.layout.shelves.len(), &self.layout);
        let is_inside = |cell: &Cell| state.agent_at.index(*cell).is_some();
        let has_numbers = |grid: &Grid<u16>, most: usize| grid.values().iter().all(|number| usize::from(*number) <= most);
        state.agent_at.has_size(layout.width, layout.height)
            && state.shelf_at.has_size(layout.width, layout.height)
            && has_numbers(&state.agent_at, self.agents)
            && has_numbers(&state.shelf_at, shelves)
            && state.cells.len() == self.agents
            && state.cells.iter().all(is_inside)
            && state.agents.len() == self.agents
            && state.agents.iter().all(|agent| usize::from(agent.carrying) <= shelves)
            && state.messages.len() == self.agents * self.message_bits
            && state.is_requested.len() == shelves
            && state.queue.len() <= self.requests
            && state.queue.iter().all(|shelf| usize::from(*shelf) < shelves)
            && state.is_requested.iter().filter(|requested| **requested).count() == state.queue.len()
            && state.queue.iter().all(|shelf| state.is_requested[usize::from(*shelf)])
            && has_consistent_agents(state)
    }
}

/// Returns whether each agent is alone on its cell, and no other cell has an agent.
fn has_consistent_agents(state: &State) -> bool {
    let occupied = state.agent_at.values().iter().filter(|number| **number > 0).count();
    let is_new = state.steps == 0 && occupied == 0;
    let is_at_home = |(number, cell): (u16, &Cell)| state.agent_at.get(*cell) == Some(number);
    is_new || (occupied == state.cells.len() && (1..).zip(&state.cells).all(is_at_home))
}

impl Warehouse {
    /// Returns the cell in front of an agent, or its own cell at a border.
    fn cell_in_front(&self, state: &State, number: usize) -> Cell {
        let ahead = state.cells[number].neighbor(state.agents[number].direction);
        Cell { x: ahead.x.clamp(0, self.layout.width - 1), y: ahead.y.clamp(0, self.layout.height - 1) }
    }

    /// Returns whether a standing shelf blocks an agent that carries another one.
    fn is_blocked(state: &State, number: usize, target: Cell) -> bool {
        state.agents[number].carrying > 0
            && target != state.cells[number]
            && state.shelf_at.get(target) != Some(0)
            && state.agent_number(target).is_none_or(|other| state.agents[other].carrying == 0)
    }

    /// Moves agents forward with their shelves, and replaces the actions that fail by 0.
    fn move_agents(&self, state: &mut State, actions: &mut [i32]) {
        if !actions.contains(&FORWARD) {
            return;
        }
        let (mut targets, mut may_act) = ([Cell::default(); MAX_AGENTS], [true; MAX_AGENTS]);
        for (number, action) in actions.iter_mut().enumerate() {
            let is_forward = *action == FORWARD;
            targets[number] = if is_forward { self.cell_in_front(state, number) } else { state.cells[number] };
            if Self::is_blocked(state, number, targets[number]) {
                (*action, targets[number]) = (0, state.cells[number]);
            }
        }
        let (targets, may_act) = (&targets[..actions.len()], &mut may_act[..actions.len()]);
        Wishes { cells: &state.cells, targets, agent_at: &state.agent_at }.resolve(may_act);
        for (number, action) in actions.iter_mut().enumerate() {
            if !may_act[number] {
                *action = 0;
            }
        }
        let moves = |number: usize| actions[number] == FORWARD && targets[number] != state.cells[number];
        let moving: Vec<usize> = (0..actions.len()).filter(|number| moves(*number)).collect();
        for number in &moving {
            state.agent_at.set(state.cells[*number], 0);
            if state.agents[*number].carrying > 0 {
                state.shelf_at.set(state.cells[*number], 0);
            }
        }
        for number in moving {
            state.cells[number] = targets[number];
            state.agent_at.set(targets[number], number as u16 + 1);
            if state.agents[number].carrying > 0 {
                state.shelf_at.set(targets[number], state.agents[number].carrying);
            }
        }
    }

    fn turn_and_load(&self, state: &mut State, actions: &[i32], rewards: &mut [f64]) {
        for (number, action) in actions.iter().enumerate() {
            let cell = state.cells[number];
            let agent = &mut state.agents[number];
            match *action {
                LEFT => agent.direction = turned_left(agent.direction),
                RIGHT => agent.direction = turned_left(turned_left(turned_left(agent.direction))),
                TOGGLE_LOAD if agent.carrying == 0 => agent.carrying = state.shelf_at.get(cell).unwrap_or(0),
                TOGGLE_LOAD if self.layout.highways.get(cell) == Some(false) => {
                    agent.carrying = 0;
                    if agent.has_delivered && self.reward_type == RewardType::TwoStage {
                        rewards[number] += 0.5;
                    }
                    agent.has_delivered = false;
                }
                _ => {}
            }
        }
    }

    /// Replaces delivered requests by new ones, and rewards players. Returns whether there was a delivery.
    fn deliver(&self, state: &mut State, rewards: &mut [f64], rng: &mut Generator) -> bool {
        let mut has_delivered = false;
        for goal in &self.layout.goals {
            let Some(shelf) = state.shelf_at.get(*goal).and_then(|number| usize::from(number).checked_sub(1)) else { continue };
            if !state.is_requested[shelf] {
                continue;
            }
            has_delivered = true;
            let rank = rng.choice(state.is_requested.len() - state.queue.len());
            let free = state.is_requested.iter().enumerate().filter(|(_, requested)| !**requested).map(|(shelf, _)| shelf);
            let next = free.into_iter().nth(rank).unwrap_or(shelf);
            (state.is_requested[shelf], state.is_requested[next]) = (false, true);
            if let Some(place) = state.queue.iter_mut().find(|request| usize::from(**request) == shelf) {
                *place = next as u16;
            }
            // Without an agent on the goal, the package rewards the last agent.
            let agent = state.agent_number(*goal).unwrap_or(self.agents - 1);
            match self.reward_type {
                RewardType::Global => rewards.iter_mut().for_each(|reward| *reward += 1.0),
                RewardType::Individual => rewards[agent] += 1.0,
                RewardType::TwoStage => {
                    state.agents[agent].has_delivered = true;
                    rewards[agent] += 0.5;
                }
            }
        }
        has_delivered
    }
}

impl State {
    /// Returns the index of the agent on a cell.
    #[inline]
    pub(super) fn agent_number(&self, cell: Cell) -> Option<usize> {
        self.agent_at.get(cell).and_then(|number| usize::from(number).checked_sub(1))
    }

    /// Returns whether a shelf, by its number from 1, is requested.
    #[inline]
    pub(super) fn is_requested(&self, shelf: u16) -> bool {
        self.is_requested[usize::from(shelf) - 1]
    }
}

fn turned_left(direction: Direction) -> Direction {
    match direction {
        Direction::North => Direction::West,
        Direction::West => Direction::South,
        Direction::South => Direction::East,
        Direction::East => Direction::North,
    }
}

//! Taxi: pick up a passenger at one of four locations and drop them off at another.
//!
//! After Dietterich, "Hierarchical Reinforcement Learning with the MAXQ Value Function Decomposition" (2000).
//!
//! `Taxi-v4` follows gymnasium 1.4.0; `Taxi-v3` follows 1.2.3, the last release that has this version. The versions differ only
//! in the rain: v3 has fixed probabilities, and its sideways drift passes some walls and is blocked in some open cells.

use super::{
    colored,
    pictures::taxi::{self as town, TaxiView},
    transitions::{Outcome, Transition, TransitionSet, TransitionTable, prob_info},
};
use envpool_rs_engine::{
    Action, Dtype, Env, EnvPoolClass, EnvSpec, Frame, InfoSpec, OptionSpec, Options, RenderSpec, ResetOptions, Result, Row,
    Scheduling, Space, Task,
};
use envpool_rs_numeric::random::Generator;
use serde::{Deserialize, Serialize};

const SIDE: u32 = 5;
const STATES: u32 = SIDE * SIDE * 5 * 4;
const ACTIONS: usize = 6;

/// Locations of passengers and destinations: red, green, yellow, blue, as (row, column).
const LOCS: [(u32, u32); 4] = [(0, 0), (0, 4), (4, 0), (4, 3)];

/// Map: walls as bars, locations as letters, cells between colons.
const MAP: [&str; 7] = ["+---------+", "|R: | : :G|", "| : | : : |", "| : : : : |", "| | : | : |", "|Y| : |B: |", "+---------+"];

const ACTION_NAMES: [&str; ACTIONS] = ["South", "North", "East", "West", "Pickup", "Dropoff"];

/// Value of `pass_loc` that means that the passenger is in the taxi.
const IN_TAXI: u32 = 4;

/// Whether a wall (or the border) stands east of a cell, by row and column.
const WALL_EAST: [[bool; 5]; 5] = {
    let upper = [false, true, false, false, true];
    let lower = [true, false, true, false, true];
    [upper, upper, [false, false, false, false, true], lower, lower]
};

/// Number of the action that moves south. The following constants number the other three moves and the pickup; the highest
/// number is the dropoff.
const SOUTH: usize = 0;
const NORTH: usize = 1;
const EAST: usize = 2;
const WEST: usize = 3;
const PICKUP: usize = 4;

/// Rewards of a step, of an illegal action and of the delivery. A [`Transition`] stores an index into this list.
const REWARDS: [f64; 3] = [-1.0, -10.0, 20.0];
const STEP: u8 = 0;
const ILLEGAL_ACTION: u8 = 1;
const DELIVERY: u8 = 2;

/// `Taxi-v3` (`VERSION` 3) and `Taxi-v4` (`VERSION` 4).
///
/// - Observation: int64 `()`, `((taxi_row * 5 + taxi_col) * 5 + pass_loc) * 4 + dest_idx`.
/// - Action: `Discrete(6)`: south, north, east, west, pickup, dropoff.
/// - Reward: -1 per step, -10 for an illegal pickup or dropoff, 20 for the delivery, which ends the episode.
/// - Info `prob`: float64 `()`, the probability of the outcome.
/// - Info `action_mask`: int8 `(6,)`, 1 for each action that changes the state.
#[derive(Debug)]
pub struct Taxi<const VERSION: u8> {
    table: TransitionTable,
    action_masks: Vec<[i8; ACTIONS]>,
    /// Probability that a passenger is fickle; `None` if passengers are never fickle; then no random number is drawn for this
    /// decision.
    fickle_probability: Option<f64>,
}

/// State of one Taxi environment.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct TaxiState {
    outcome: Outcome,
    /// Whether the passenger will change the destination at the taxi's first move with the passenger.
    is_fickle: bool,
    /// Direction of the last move, initially south; used only for rendering.
    heading: u8,
}

/// Class of the tasks in EnvPool.
static CLASS: EnvPoolClass = EnvPoolClass::new("toy_text", "Taxi", "Taxi-v3");

/// Returns the tasks `Taxi-v4` and `Taxi-v3`.
pub fn tasks() -> Vec<Task> {
    [Task::env::<Taxi<3>>("Taxi-v3").envpool_class(&CLASS), Task::env::<Taxi<4>>("Taxi-v4")]
        .map(|task| task.max_episode_steps(200).reward_threshold(8.0))
        .into()
}

/// Components that a state number encodes: taxi position, passenger location and destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct DecodedState {
    taxi_row: u32,
    taxi_col: u32,
    pass_loc: u32,
    dest_idx: u32,
}

impl DecodedState {
    fn decode(state: u32) -> Self {
        Self { taxi_row: state / 100, taxi_col: state / 20 % 5, pass_loc: state / 4 % 5, dest_idx: state % 4 }
    }

    fn encode(self) -> u32 {
        ((self.taxi_row * SIDE + self.taxi_col) * 5 + self.pass_loc) * 4 + self.dest_idx
    }

    /// Returns the index of the location at which the taxi is; `None` if the taxi is at none of the four.
    fn loc_index(self) -> Option<u32> {
        (0..).zip(LOCS).find(|(_, stop)| *stop == (self.taxi_row, self.taxi_col)).map(|(index, _)| index)
    }

    fn is_open(self, heading: usize) -> bool {
        match heading {
            SOUTH => self.taxi_row + 1 < SIDE,
            NORTH => self.taxi_row > 0,
            EAST => !WALL_EAST[self.taxi_row as usize][self.taxi_col as usize],
            _ => self.taxi_col > 0 && !WALL_EAST[self.taxi_row as usize][self.taxi_col as usize - 1],
        }
    }

    /// Moves the taxi by one cell, unless a wall blocks it.
    fn move_taxi(self, heading: usize) -> Self {
        match heading {
            _ if !self.is_open(heading) => self,
            SOUTH => Self { taxi_row: self.taxi_row + 1, ..self },
            NORTH => Self { taxi_row: self.taxi_row - 1, ..self },
            EAST => Self { taxi_col: self.taxi_col + 1, ..self },
            _ => Self { taxi_col: self.taxi_col - 1, ..self },
        }
    }

    fn transition(self, reward: u8) -> Transition {
        Transition { state: self.encode(), reward, terminated: reward == DELIVERY }
    }

    fn pickup(self) -> Transition {
        if self.pass_loc < IN_TAXI && self.loc_index() == Some(self.pass_loc) {
            Self { pass_loc: IN_TAXI, ..self }.transition(STEP)
        } else {
            self.transition(ILLEGAL_ACTION)
        }
    }

    fn dropoff(self) -> Transition {
        match self.loc_index() {
            Some(stop) if self.pass_loc == IN_TAXI => {
                Self { pass_loc: stop, ..self }.transition(if stop == self.dest_idx { DELIVERY } else { STEP })
            }
            _ => self.transition(ILLEGAL_ACTION),
        }
    }

    /// Returns the transition of an action in an environment without rain.
    fn dry_transition(self, action: usize) -> Transition {
        match action {
            SOUTH..=WEST => self.move_taxi(action).transition(STEP),
            PICKUP => self.pickup(),
            _ => self.dropoff(),
        }
    }

    /// Returns the three states to which a move in the rain may lead: the taxi moves ahead, or drifts to the left or right.
    ///
    /// In version 4, a move that is blocked ahead does not drift.
    fn drift(self, heading: usize, version: u8) -> [Self; 3] {
        let ahead = self.move_taxi(heading);
        match heading {
            _ if version == 3 => drift_v3(self, heading),
            _ if ahead == self => [self; 3],
            SOUTH => [ahead, self.move_taxi(EAST), self.move_taxi(WEST)],
            NORTH => [ahead, self.move_taxi(WEST), self.move_taxi(EAST)],
            EAST => [ahead, self.move_taxi(NORTH), self.move_taxi(SOUTH)],
            _ => [ahead, self.move_taxi(SOUTH), self.move_taxi(NORTH)],
        }
    }

    fn rainy_transitions(self, action: usize, version: u8) -> TransitionSet {
        if action <= WEST {
            TransitionSet::Stochastic(self.drift(action, version).map(|scene| scene.transition(STEP)))
        } else {
            TransitionSet::Deterministic(self.dry_transition(action))
        }
    }

    /// Returns the map in terminal colours.
    ///
    /// The taxi is yellow, or green with the passenger in it; the passenger is blue; the destination is magenta.
    fn ansi_map(self) -> String {
        let mut cells = MAP.map(|row| row.chars().map(String::from).collect::<Vec<_>>());
        let mut paint = |(row, column): (u32, u32), codes: &str, blank: &str| {
            let cell = &mut cells[row as usize + 1][column as usize * 2 + 1];
            *cell = colored(if cell == " " { blank } else { cell }, codes);
        };
        match LOCS.get(self.pass_loc as usize) {
            Some(waiting) => {
                paint((self.taxi_row, self.taxi_col), "43", " ");
                paint(*waiting, "34;1", " ");
            }
            None => paint((self.taxi_row, self.taxi_col), "42", "_"),
        }
        paint(LOCS[self.dest_idx as usize], "35", " ");
        cells.map(|row| row.concat() + "\n").concat()
    }

    fn action_mask(self) -> [i8; ACTIONS] {
        let at_passenger = self.pass_loc < IN_TAXI && self.loc_index() == Some(self.pass_loc);
        let can_set_down = self.pass_loc == IN_TAXI && self.loc_index().is_some();
        let open = |heading| self.is_open(heading);
        [open(SOUTH), open(NORTH), open(EAST), open(WEST), at_passenger, can_set_down].map(i8::from)
    }
}

/// Returns the three states to which a move in the rain may lead in `Taxi-v3` (gymnasium 1.2): the taxi moves ahead, or drifts
/// to one of two sides.
///
/// A taxi that moves south or north drifts even if the border blocks the move. A taxi that moves east or west drifts to the
/// south and north. It drifts south only if the cell to the south is open to the east, and north only if the cell to the north
/// is open to the west.
fn drift_v3(scene: DecodedState, heading: usize) -> [DecodedState; 3] {
    if heading == SOUTH || heading == NORTH {
        return [scene.move_taxi(heading), scene.move_taxi(WEST), scene.move_taxi(EAST)];
    }
    if !scene.is_open(heading) {
        return [scene; 3];
    }
    let passable = |reached: DecodedState, side| if reached.is_open(side) { reached } else { scene };
    [scene.move_taxi(heading), passable(scene.move_taxi(SOUTH), EAST), passable(scene.move_taxi(NORTH), WEST)]
}

impl<const VERSION: u8> Taxi<VERSION> {
    /// Returns the probabilities of moving ahead, left and right in the rain.
    fn rainy_probabilities(options: &Options) -> [f64; 3] {
        if VERSION == 3 {
            return [0.8, 0.1, 0.1];
        }
        let ahead = options.float("rainy_probability");
        // If `ahead` is 0.8, the result is not 0.1 but the adjacent float, as in the reference. The info `prob` reports this
        // number.
        let aside = (1.0 - ahead) / 2.0;
        [ahead, aside, aside]
    }

    fn fickle_probability(options: &Options) -> f64 {
        if VERSION == 3 { 0.3 } else { options.float("fickle_probability") }
    }
}

fn initial_states() -> impl Iterator<Item = u32> {
    (0..STATES).filter(|state| {
        let scene = DecodedState::decode(*state);
        scene.pass_loc < IN_TAXI && scene.pass_loc != scene.dest_idx
    })
}

/// Draws a new destination, which is one of the three locations other than the destination of `state`, all equally likely.
fn random_other_destination(state: u32, rng: &mut Generator) -> u32 {
    let destination = state % 4;
    let choice = rng.choice(3) as u32;
    state - destination + choice + u32::from(choice >= destination)
}

impl<const VERSION: u8> Env for Taxi<VERSION> {
    type State = TaxiState;
    type Random = Generator;
    const SCHEDULING: Scheduling = Scheduling::Uniform;

    fn options() -> Vec<OptionSpec> {
        let fickle = "whether the passenger may choose another destination when first driven";
        let mut options = vec![
            OptionSpec::new("is_rainy", false, "whether the taxi may drift sideways").per_episode(),
            OptionSpec::new("fickle_passenger", false, fickle).per_episode(),
        ];
        if VERSION > 3 {
            options.push(
                OptionSpec::new("rainy_probability", 0.8, "probability of no drift in the rain").probability().per_episode(),
            );
            options.push(
                OptionSpec::new("fickle_probability", 0.3, "probability that a passenger is fickle, if any may be")
                    .probability()
                    .per_episode(),
            );
        }
        options
    }

    fn new(options: &Options) -> Result<Self> {
        let size = (STATES as usize, ACTIONS);
        let rain = Self::rainy_probabilities(options);
        let fickleness = Self::fickle_probability(options);
        let table = if options.bool("is_rainy") {
            let landings = |state, action| DecodedState::decode(state).rainy_transitions(action, VERSION);
            TransitionTable::new(size, Some(rain), &REWARDS, initial_states(), landings)
        } else {
            let landings = |state, action| TransitionSet::Deterministic(DecodedState::decode(state).dry_transition(action));
            TransitionTable::new(size, None, &REWARDS, initial_states(), landings)
        };
        let action_masks = (0..STATES).map(|state| DecodedState::decode(state).action_mask()).collect();
        Ok(Self { table, action_masks, fickle_probability: options.bool("fickle_passenger").then_some(fickleness) })
    }

    fn shared_bytes(&self) -> usize {
        self.table.bytes() + size_of_val(&*self.action_masks)
    }

    fn spec(&self) -> EnvSpec {
        let mask = InfoSpec::new("action_mask", Dtype::I8, &[ACTIONS]).only_in_gymnasium();
        let mut spec = EnvSpec::new(Space::discrete(i64::from(STATES)), Space::discrete(ACTIONS as i64));
        spec.info = vec![prob_info(false), mask];
        spec
    }

    fn create(&self, _lane: usize) -> Result<TaxiState> {
        Ok(TaxiState::default())
    }

    #[inline]
    fn reset(&self, state: &mut TaxiState, _options: &ResetOptions, rng: &mut Generator) {
        state.outcome = self.table.start(rng);
        state.heading = SOUTH as u8;
        state.is_fickle = self.fickle_probability.is_some_and(|probability| rng.random() < probability);
    }

    #[inline]
    fn step(&self, state: &mut TaxiState, action: &Action<'_>, rewards: &mut [f64], rng: &mut Generator) -> bool {
        let before = state.outcome.state;
        let action = action.discrete();
        state.heading = if action <= WEST as i32 { action as u8 } else { state.heading };
        let terminated;
        (state.outcome, rewards[0], terminated) = self.table.step(before, action, rng);
        if state.is_fickle {
            let was_aboard = before / 4 % 5 == IN_TAXI;
            if was_aboard && state.outcome.state / 20 != before / 20 {
                state.is_fickle = false;
                state.outcome.state = random_other_destination(state.outcome.state, rng);
            }
        }
        terminated
    }

    #[inline]
    fn observe(&self, state: &TaxiState, out: &mut Row<'_>) {
        out.scalar(0, i64::from(state.outcome.state));
    }

    #[inline]
    fn info(&self, state: &TaxiState, out: &mut Row<'_>) {
        out.scalar(0, self.table.probability(state.outcome));
        out.write(1, &self.action_masks[state.outcome.state as usize]);
    }

    fn is_valid(&self, state: &TaxiState) -> bool {
        self.table.is_valid(state.outcome)
    }

    fn render_spec(&self) -> RenderSpec {
        town::RENDERING
    }

    fn render_frame(&self, state: &TaxiState, size: (u32, u32)) -> Frame {
        let scene = DecodedState::decode(state.outcome.state);
        let view = TaxiView {
            taxi: (scene.taxi_row, scene.taxi_col),
            heading: state.heading,
            passenger: LOCS.get(scene.pass_loc as usize).copied(),
            destination: LOCS[scene.dest_idx as usize],
            stops: LOCS,
            wall_east: &WALL_EAST,
        };
        town::picture(&view, size)
    }

    fn render_text(&self, state: &TaxiState) -> String {
        let action = state.outcome.action().map_or(String::new(), |action| format!("  ({})", ACTION_NAMES[action]));
        DecodedState::decode(state.outcome.state).ansi_map() + &action + "\n"
    }
}

#[cfg(test)]
mod tests;

//! Taxi: fetch a passenger at one of four stops and take them to another, in a grid with walls. After Dietterich,
//! "Hierarchical Reinforcement Learning with the MAXQ Value Function Decomposition" (2000).
//!
//! `Taxi-v4` follows gymnasium 1.4.0, `Taxi-v3` follows 1.2.3, the last release that has it. They differ in the rain only: v3's
//! chances are fixed and its sideways drift takes some walls for open and open ground for walls.

use super::{
    colored,
    pictures::taxi::{self as town, Town},
    transitions::{Landing, Landings, Outcome, Transitions, prob_info},
};
use envpool_rs_engine::{
    Action, Dtype, Env, EnvSpec, InfoSpec, OptionSpec, Options, Picture, Rendering, ResetOptions, Result, Row, Scheduling, Space,
    Task,
};
use envpool_rs_numeric::random::Generator;
use serde::{Deserialize, Serialize};

const SIDE: u32 = 5;
const STATES: u32 = SIDE * SIDE * 5 * 4;
const ACTIONS: usize = 6;

/// Where passengers wait and want to go: red, green, yellow, blue, as (row, column).
const STOPS: [(u32, u32); 4] = [(0, 0), (0, 4), (4, 0), (4, 3)];

/// The town: walls as bars, stops by their letters, cells between colons.
const MAP: [&str; 7] = ["+---------+", "|R: | : :G|", "| : | : : |", "| : : : : |", "| | : | : |", "|Y| : |B: |", "+---------+"];

const ACTION_NAMES: [&str; ACTIONS] = ["South", "North", "East", "West", "Pickup", "Dropoff"];

/// The passenger's place while in the taxi.
const ABOARD: u32 = 4;

/// Whether a wall (or the border) stands east of a cell, by row and column.
const WALL_EAST: [[bool; 5]; 5] = {
    let upper = [false, true, false, false, true];
    let lower = [true, false, true, false, true];
    [upper, upper, [false, false, false, false, true], lower, lower]
};

/// Actions that drive; the others pick the passenger up and set them down.
const SOUTH: usize = 0;
const NORTH: usize = 1;
const EAST: usize = 2;
const WEST: usize = 3;
const PICK_UP: usize = 4;

/// Rewards by their index in [`Landing`].
const REWARDS: [f64; 3] = [-1.0, -10.0, 20.0];
const STEP: u8 = 0;
const MISTAKE: u8 = 1;
const DELIVERY: u8 = 2;

/// The environment in its version 3 or 4: observation int64 `()`, `((row * 5 + column) * 5 + passenger) * 4 + destination`;
/// action `Discrete(6)`: south, north, east, west, pick up, set down; reward -1 per step, -10 for a mistaken stop, 20 for the
/// delivery, which ends the episode; infos `prob` float64 `()`, the probability of the outcome, and `action_mask` int8 `(6,)`,
/// 1 for each action that changes the state.
#[derive(Debug)]
pub struct Taxi<const VERSION: u8> {
    transitions: Transitions,
    masks: Vec<[i8; ACTIONS]>,
    /// Probability that a passenger is fickle; `None` where the passenger never is, and no chance is drawn.
    fickle: Option<f64>,
}

/// What one taxi remembers.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Ride {
    outcome: Outcome,
    /// Whether the passenger will change their mind when first driven.
    is_fickle: bool,
    /// The way it drove last, south in the beginning; which only the picture shows.
    heading: u8,
}

/// The tasks built on it.
pub fn tasks() -> Vec<Task> {
    [Task::env::<Taxi<3>>("Taxi-v3"), Task::env::<Taxi<4>>("Taxi-v4")]
        .map(|task| task.max_episode_steps(200).reward_threshold(8.0))
        .into()
}

/// What the state's number stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Scene {
    row: u32,
    column: u32,
    passenger: u32,
    destination: u32,
}

impl Scene {
    fn decode(state: u32) -> Self {
        Self { row: state / 100, column: state / 20 % 5, passenger: state / 4 % 5, destination: state % 4 }
    }

    fn encode(self) -> u32 {
        ((self.row * SIDE + self.column) * 5 + self.passenger) * 4 + self.destination
    }

    /// The stop at which the taxi is.
    fn stop(self) -> Option<u32> {
        (0..).zip(STOPS).find(|(_, stop)| *stop == (self.row, self.column)).map(|(index, _)| index)
    }

    fn is_open(self, heading: usize) -> bool {
        match heading {
            SOUTH => self.row + 1 < SIDE,
            NORTH => self.row > 0,
            EAST => !WALL_EAST[self.row as usize][self.column as usize],
            _ => self.column > 0 && !WALL_EAST[self.row as usize][self.column as usize - 1],
        }
    }

    /// One cell on, if nothing stands in the way.
    fn drive(self, heading: usize) -> Self {
        match heading {
            _ if !self.is_open(heading) => self,
            SOUTH => Self { row: self.row + 1, ..self },
            NORTH => Self { row: self.row - 1, ..self },
            EAST => Self { column: self.column + 1, ..self },
            _ => Self { column: self.column - 1, ..self },
        }
    }

    fn landing(self, reward: u8) -> Landing {
        Landing { state: self.encode(), reward, terminated: reward == DELIVERY }
    }

    fn pick_up(self) -> Landing {
        if self.passenger < ABOARD && self.stop() == Some(self.passenger) {
            Self { passenger: ABOARD, ..self }.landing(STEP)
        } else {
            self.landing(MISTAKE)
        }
    }

    fn set_down(self) -> Landing {
        match self.stop() {
            Some(stop) if self.passenger == ABOARD => {
                Self { passenger: stop, ..self }.landing(if stop == self.destination { DELIVERY } else { STEP })
            }
            _ => self.landing(MISTAKE),
        }
    }

    /// What an action leads to when the sky is clear.
    fn act(self, action: usize) -> Landing {
        match action {
            SOUTH..=WEST => self.drive(action).landing(STEP),
            PICK_UP => self.pick_up(),
            _ => self.set_down(),
        }
    }

    /// Where rain may take the taxi: ahead, to the left and to the right. In version 4 a way that is blocked ahead leaves no
    /// chance of a drift.
    fn drift(self, heading: usize, version: u8) -> [Self; 3] {
        let ahead = self.drive(heading);
        match heading {
            _ if version == 3 => drift_of_version_3(self, heading),
            _ if ahead == self => [self; 3],
            SOUTH => [ahead, self.drive(EAST), self.drive(WEST)],
            NORTH => [ahead, self.drive(WEST), self.drive(EAST)],
            EAST => [ahead, self.drive(NORTH), self.drive(SOUTH)],
            _ => [ahead, self.drive(SOUTH), self.drive(NORTH)],
        }
    }

    fn rainy_landings(self, action: usize, version: u8) -> Landings {
        if action <= WEST {
            Landings::Chance(self.drift(action, version).map(|scene| scene.landing(STEP)))
        } else {
            Landings::Certain(self.act(action))
        }
    }

    /// The town in a terminal's colours: the taxi yellow, or green with the passenger aboard; the passenger blue; where they go
    /// magenta.
    fn map(self) -> String {
        let mut cells = MAP.map(|row| row.chars().map(String::from).collect::<Vec<_>>());
        let mut paint = |(row, column): (u32, u32), codes: &str, blank: &str| {
            let cell = &mut cells[row as usize + 1][column as usize * 2 + 1];
            *cell = colored(if cell == " " { blank } else { cell }, codes);
        };
        match STOPS.get(self.passenger as usize) {
            Some(waiting) => {
                paint((self.row, self.column), "43", " ");
                paint(*waiting, "34;1", " ");
            }
            None => paint((self.row, self.column), "42", "_"),
        }
        paint(STOPS[self.destination as usize], "35", " ");
        cells.map(|row| row.concat() + "\n").concat()
    }

    fn action_mask(self) -> [i8; ACTIONS] {
        let at_passenger = self.passenger < ABOARD && self.stop() == Some(self.passenger);
        let can_set_down = self.passenger == ABOARD && self.stop().is_some();
        let open = |heading| self.is_open(heading);
        [open(SOUTH), open(NORTH), open(EAST), open(WEST), at_passenger, can_set_down].map(i8::from)
    }
}

/// The drift of gymnasium 1.2: south or north it also happens at the border; east or west it is southward and northward, and
/// depends on whether the cell reached is open to the east (southward) or west (northward).
fn drift_of_version_3(scene: Scene, heading: usize) -> [Scene; 3] {
    if heading == SOUTH || heading == NORTH {
        return [scene.drive(heading), scene.drive(WEST), scene.drive(EAST)];
    }
    if !scene.is_open(heading) {
        return [scene; 3];
    }
    let passable = |reached: Scene, side| if reached.is_open(side) { reached } else { scene };
    [scene.drive(heading), passable(scene.drive(SOUTH), EAST), passable(scene.drive(NORTH), WEST)]
}

impl<const VERSION: u8> Taxi<VERSION> {
    /// Probabilities to go ahead, left and right in the rain.
    fn rain(options: &Options) -> [f64; 3] {
        if VERSION == 3 {
            return [0.8, 0.1, 0.1];
        }
        let ahead = options.float("rainy_probability");
        // Not 0.1 for 0.8, but the float next to it: `prob` shows the difference.
        let aside = (1.0 - ahead) / 2.0;
        [ahead, aside, aside]
    }

    fn fickleness(options: &Options) -> f64 {
        if VERSION == 3 { 0.3 } else { options.float("fickle_probability") }
    }
}

fn initial_states() -> impl Iterator<Item = u32> {
    (0..STATES).filter(|state| {
        let scene = Scene::decode(*state);
        scene.passenger < ABOARD && scene.passenger != scene.destination
    })
}

/// A destination other than the one of `state`, each of the three as likely.
fn other_destination(state: u32, rng: &mut Generator) -> u32 {
    let destination = state % 4;
    let choice = rng.choice(3) as u32;
    state - destination + choice + u32::from(choice >= destination)
}

impl<const VERSION: u8> Env for Taxi<VERSION> {
    type State = Ride;
    type Random = Generator;
    const SCHEDULING: Scheduling = Scheduling::Uniform;

    fn options() -> Vec<OptionSpec> {
        let fickle = "whether the passenger may choose another destination when first driven";
        let mut options = vec![
            OptionSpec::new("is_rainy", false, "whether the taxi may drift aside").each_episode(),
            OptionSpec::new("fickle_passenger", false, fickle).each_episode(),
        ];
        if VERSION > 3 {
            options.push(
                OptionSpec::new("rainy_probability", 0.8, "probability of no drift in the rain").probability().each_episode(),
            );
            options.push(
                OptionSpec::new("fickle_probability", 0.3, "probability that a passenger is fickle, if any may be")
                    .probability()
                    .each_episode(),
            );
        }
        options
    }

    fn new(options: &Options) -> Result<Self> {
        let size = (STATES as usize, ACTIONS);
        let rain = Self::rain(options);
        let fickleness = Self::fickleness(options);
        let transitions = if options.bool("is_rainy") {
            let landings = |state, action| Scene::decode(state).rainy_landings(action, VERSION);
            Transitions::new(size, Some(rain), &REWARDS, initial_states(), landings)
        } else {
            let landings = |state, action| Landings::Certain(Scene::decode(state).act(action));
            Transitions::new(size, None, &REWARDS, initial_states(), landings)
        };
        let masks = (0..STATES).map(|state| Scene::decode(state).action_mask()).collect();
        Ok(Self { transitions, masks, fickle: options.bool("fickle_passenger").then_some(fickleness) })
    }

    fn shared_bytes(&self) -> usize {
        self.transitions.bytes() + size_of_val(&*self.masks)
    }

    fn spec(&self) -> EnvSpec {
        let mask = InfoSpec::new("action_mask", Dtype::I8, &[ACTIONS]).only_in_gymnasium();
        let mut spec = EnvSpec::new(Space::discrete(i64::from(STATES)), Space::discrete(ACTIONS as i64));
        spec.info = vec![prob_info(false), mask];
        spec
    }

    fn create(&self, _lane: usize) -> Result<Ride> {
        Ok(Ride::default())
    }

    #[inline]
    fn reset(&self, state: &mut Ride, _options: &ResetOptions, rng: &mut Generator) {
        state.outcome = self.transitions.start(rng);
        state.heading = SOUTH as u8;
        state.is_fickle = self.fickle.is_some_and(|probability| rng.random() < probability);
    }

    #[inline]
    fn step(&self, state: &mut Ride, action: &Action<'_>, rewards: &mut [f64], rng: &mut Generator) -> bool {
        let before = state.outcome.state;
        let action = action.discrete();
        state.heading = if action <= WEST as i32 { action as u8 } else { state.heading };
        let terminated;
        (state.outcome, rewards[0], terminated) = self.transitions.step(before, action, rng);
        if state.is_fickle {
            let was_aboard = before / 4 % 5 == ABOARD;
            if was_aboard && state.outcome.state / 20 != before / 20 {
                state.is_fickle = false;
                state.outcome.state = other_destination(state.outcome.state, rng);
            }
        }
        terminated
    }

    #[inline]
    fn observe(&self, state: &Ride, out: &mut Row<'_>) {
        out.scalar(0, i64::from(state.outcome.state));
    }

    #[inline]
    fn info(&self, state: &Ride, out: &mut Row<'_>) {
        out.scalar(0, self.transitions.probability(state.outcome));
        out.write(1, &self.masks[state.outcome.state as usize]);
    }

    fn is_valid(&self, state: &Ride) -> bool {
        self.transitions.is_valid(state.outcome)
    }

    fn rendering(&self) -> Rendering {
        town::RENDERING
    }

    fn paint(&self, state: &Ride) -> Picture {
        let scene = Scene::decode(state.outcome.state);
        town::picture(&Town {
            taxi: (scene.row, scene.column),
            heading: state.heading,
            passenger: STOPS.get(scene.passenger as usize).copied(),
            destination: STOPS[scene.destination as usize],
            stops: STOPS,
            wall_east: &WALL_EAST,
        })
    }

    fn text(&self, state: &Ride) -> String {
        let action = state.outcome.action().map_or(String::new(), |action| format!("  ({})", ACTION_NAMES[action]));
        Scene::decode(state.outcome.state).map() + &action + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy_text::replay::{replays_like_the_reference, with_options};

    #[test]
    fn taxi_v4_plays_as_in_gymnasium() {
        replays_like_the_reference::<Taxi<4>>("Taxi-v4");
    }

    #[test]
    fn taxi_v3_plays_as_in_gymnasium_1_2() {
        replays_like_the_reference::<Taxi<3>>("Taxi-v3");
    }

    #[test]
    fn every_state_is_one_scene() {
        assert!((0..STATES).all(|state| Scene::decode(state).encode() == state));
    }

    #[test]
    fn version_3_has_no_probabilities_to_set() {
        assert!(with_options::<Taxi<3>>("Taxi-v3", &[("rainy_probability", 0.5.into())]).is_err());
    }

    #[test]
    fn probabilities_out_of_range_are_refused_by_name() {
        for name in ["rainy_probability", "fickle_probability"] {
            let error = with_options::<Taxi<4>>("Taxi-v4", &[(name, (-0.1).into())]).unwrap_err();
            assert!(error.to_string().starts_with(&format!("{name}=-0.1")), "{error}");
        }
    }
}

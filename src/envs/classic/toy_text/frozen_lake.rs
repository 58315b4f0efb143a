//! FrozenLake: walk over slippery ice to the goal without falling into a hole.
//!
//! Follows gymnasium 1.4.0 (`FrozenLake-v1`).

use super::{
    colored,
    pictures::frozen_lake::{picture, size},
    transitions::{Outcome, Transition, TransitionSet, TransitionTable, prob_info},
};
use envpool_rs_engine::{
    Action, AssetCache, Env, EnvPoolClass, EnvPoolOption, EnvSpec, Error, Frame, OptionSpec, Options, RenderSpec, ResetOptions,
    Result, Row, Scheduling, Space, Task, Value, entropy_seed,
};
use envpool_rs_numeric::random::Generator;

const ACTIONS: usize = 4;

/// Maximum number of cells of a map. The transition table of the largest map takes 96 MiB.
const MAX_CELLS: usize = 1 << 20;

const MAP_4X4: [&str; 4] = ["SFFF", "FHFH", "FFFH", "HFFG"];
const MAP_8X8: [&str; 8] = ["SFFFFFFF", "FFFFFFFF", "FFFHFFFF", "FFFFFHFF", "FFFHFFFF", "FHHFFFHF", "FHFFHFHF", "FFFHFFFG"];

/// Width and height of a random map, in cells; `RANDOM_FROZEN` is the probability that a cell of a random map is frozen.
const RANDOM_SIDE: usize = 8;
const RANDOM_FROZEN: f64 = 0.8;

/// Index of the reward for reaching the goal, in the transition table's list of rewards. `HOLE` and `FROZEN` are the indices
/// of the rewards for a hole and for frozen ground. The option `reward_schedule` sets these three rewards. `STAY` is the index
/// of the reward 0 for staying in a hole or at the goal.
const GOAL: u8 = 0;
const HOLE: u8 = 1;
const FROZEN: u8 = 2;
const STAY: u8 = 3;

/// FrozenLake environment.
///
/// - Observation: int64 `()`, the cell `row * columns + column`.
/// - Action: `Discrete(4)`: left, down, right, up.
/// - Reward: depends on the kind of the cell reached.
/// - Terminates at the goal and in a hole.
/// - Info `prob`: float64 `()`, the probability of the sampled transition.
///
/// With `desc=None` and `map_name=None`, the map is a random one of 8 by 8 cells with a path from start to goal, as in
/// gymnasium. Its random numbers come from the operating system's entropy, so no seed reproduces the map. All environments of a
/// pool share the map.
///
/// Letters other than `S`, `H` and `G` are frozen ground, as in gymnasium. A map without a start is an error. For such a map,
/// gymnasium divides zero by zero and starts in the first cell.
#[derive(Debug)]
pub struct FrozenLake {
    map: Map,
    /// Probabilities that the player slips to one side, goes ahead, and slips to the other side; `None` if the ice is not
    /// slippery.
    slip_probabilities: Option<[f64; 3]>,
    rewards: [f64; 4],
    table: TransitionTable,
}

/// Class of the tasks in EnvPool.
static CLASS: EnvPoolClass = EnvPoolClass::new("toy_text", "FrozenLake", "FrozenLake-v1");

/// Returns EnvPool's option that selects a map by the number of its rows.
const fn map_size(default: i64) -> EnvPoolOption {
    EnvPoolOption {
        name: "size",
        default,
        allowed: "1, 2, 3, 4 or 8",
        doc: "EnvPool's name for the map: 4 or 8 rows; 1 to 3: a corner of the smaller map",
        tasks: &[],
    }
}

/// Returns the tasks of FrozenLake.
pub fn tasks() -> Vec<Task> {
    let task = |id| Task::env::<FrozenLake>(id).envpool_class(&CLASS);
    let small = task("FrozenLake-v1").preset("map_name", "4x4").envpool_options(const { &[map_size(4)] });
    let large = task("FrozenLake8x8-v1").preset("map_name", "8x8").envpool_options(const { &[map_size(8)] });
    vec![small.max_episode_steps(100).reward_threshold(0.70), large.max_episode_steps(200).reward_threshold(0.85)]
}

/// Rectangular map with one letter per cell.
#[derive(Debug, Clone)]
struct Map {
    letters: Vec<u8>,
    columns: usize,
    /// Whether the map was drawn at random.
    is_random: bool,
}

impl Map {
    fn from_options(options: &Options) -> Result<Self> {
        match (options.get("desc"), options.text("map_name")) {
            (Value::Lines(lines), _) => Self::new(lines).map_err(|allowed| Error::value("desc", options.get("desc"), allowed)),
            (_, Some("4x4")) => Ok(Self::builtin(&MAP_4X4)),
            (_, Some("8x8")) => Ok(Self::builtin(&MAP_8X8)),
            (_, Some(_)) => Err(Error::value("map_name", options.get("map_name"), r#""4x4", "8x8" or None"#)),
            (_, None) => Ok(Self::random(&mut Generator::new(entropy_seed()))),
        }
    }

    fn builtin(lines: &[&str]) -> Self {
        Self { letters: lines.concat().into_bytes(), columns: lines.len(), is_random: false }
    }

    /// Creates a map from its rows.
    ///
    /// # Errors
    /// If the rows are not a valid map; the error is the description of a valid map.
    fn new(lines: &[String]) -> Result<Self, &'static str> {
        let columns = lines.first().map_or(0, String::len);
        let letters = lines.concat().into_bytes();
        if columns == 0 || lines.iter().any(|line| line.len() != columns) {
            Err("a list of rows of the same length, at least one letter long")
        } else if !letters.iter().all(u8::is_ascii_graphic) {
            Err("rows of the letters S (start), F (frozen), H (hole) and G (goal)")
        } else if !letters.contains(&b'S') {
            Err("a map with a start, S")
        } else if letters.len() > MAX_CELLS {
            Err("a map of at most 1048576 cells")
        } else {
            Ok(Self { letters, columns, is_random: false })
        }
    }

    /// Draws maps at random until one has a path from start to goal.
    fn random(rng: &mut Generator) -> Self {
        loop {
            let mut letters = [(); RANDOM_SIDE * RANDOM_SIDE].map(|()| if rng.random() < RANDOM_FROZEN { b'F' } else { b'H' });
            letters[0] = b'S';
            letters[RANDOM_SIDE * RANDOM_SIDE - 1] = b'G';
            let map = Self { letters: letters.to_vec(), columns: RANDOM_SIDE, is_random: true };
            if map.goal_is_reachable() {
                return map;
            }
        }
    }

    fn goal_is_reachable(&self) -> bool {
        let mut seen = vec![false; self.letters.len()];
        let mut frontier = vec![0];
        while let Some(cell) = frontier.pop() {
            match self.letters[cell] {
                b'G' => return true,
                b'H' => {}
                _ if seen[cell] => {}
                _ => frontier.extend((0..ACTIONS).map(|heading| self.neighbour(cell, heading))),
            }
            seen[cell] = true;
        }
        false
    }

    /// Returns the neighbouring cell in direction `heading`, or `cell` itself at the border.
    fn neighbour(&self, cell: usize, heading: usize) -> usize {
        let column = cell % self.columns;
        match heading {
            0 if column > 0 => cell - 1,
            1 if cell + self.columns < self.letters.len() => cell + self.columns,
            2 if column + 1 < self.columns => cell + 1,
            3 if cell >= self.columns => cell - self.columns,
            _ => cell,
        }
    }

    fn transition(&self, cell: u32, heading: usize) -> Transition {
        let cell = self.neighbour(cell as usize, heading);
        let (reward, terminated) = match self.letters[cell] {
            b'G' => (GOAL, true),
            b'H' => (HOLE, true),
            _ => (FROZEN, false),
        };
        Transition { state: cell as u32, reward, terminated }
    }

    fn transition_set(&self, cell: u32, heading: usize, is_slippery: bool) -> TransitionSet {
        if matches!(self.letters[cell as usize], b'G' | b'H') {
            TransitionSet::Deterministic(Transition { state: cell, reward: STAY, terminated: true })
        } else if is_slippery {
            TransitionSet::Stochastic([heading + 3, heading, heading + 1].map(|heading| self.transition(cell, heading % ACTIONS)))
        } else {
            TransitionSet::Deterministic(self.transition(cell, heading))
        }
    }

    fn transitions(&self, slip_probabilities: Option<[f64; 3]>, rewards: &[f64]) -> TransitionTable {
        let landings = |cell, heading| self.transition_set(cell, heading, slip_probabilities.is_some());
        TransitionTable::new((self.letters.len(), ACTIONS), slip_probabilities, rewards, self.starts(), landings)
    }

    fn starts(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.letters).filter(|(_, letter)| **letter == b'S').map(|(cell, _)| cell)
    }
}

fn rewards(options: &Options) -> Result<[f64; 4]> {
    match options.get("reward_schedule") {
        Value::Floats(values) if values.len() == 3 => Ok([values[0], values[1], values[2], 0.0]),
        other => Err(Error::value("reward_schedule", other, "three numbers: for the goal, a hole and frozen ground")),
    }
}

impl Env for FrozenLake {
    type State = Outcome;
    type Random = Generator;
    const SCHEDULING: Scheduling = Scheduling::Uniform;

    fn options() -> Vec<OptionSpec> {
        let map_name = "name of a map, \"4x4\" or \"8x8\"; None and no desc: a random one of 8 by 8 cells";
        let success_rate = "probability of moving as intended on slippery ice; the rest is shared by the two sides";
        vec![
            OptionSpec::optional("desc", Vec::<String>::new(), "the map's rows, of the letters S, F, H and G").per_episode(),
            OptionSpec::new("map_name", "4x4", map_name).or(Value::None),
            OptionSpec::new("is_slippery", true, "whether moves may go sideways").per_episode(),
            OptionSpec::new("success_rate", 1.0 / 3.0, success_rate).probability().per_episode(),
            OptionSpec::new("reward_schedule", vec![1.0, 0.0, 0.0], "rewards for reaching the goal, a hole, frozen ground")
                .per_episode(),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        let map = Map::from_options(options)?;
        let success = options.float("success_rate");
        let failure = (1.0 - success) / 2.0;
        let slip_probabilities = options.bool("is_slippery").then_some([failure, success, failure]);
        let rewards = rewards(options)?;
        Ok(Self { table: map.transitions(slip_probabilities, &rewards), map, slip_probabilities, rewards })
    }

    /// If the map is random, replaces it by the random map in `store`, which all environments of the pool share. The map stays
    /// the same in all episodes.
    fn load(&mut self, store: &AssetCache) -> Result<()> {
        if self.map.is_random {
            let first = store.get_or_load_for_group("random map", || Ok((self.map.clone(), self.map.letters.len())))?;
            self.map = Map::clone(&first);
            self.table = self.map.transitions(self.slip_probabilities, &self.rewards);
        }
        Ok(())
    }

    fn shared_bytes(&self) -> usize {
        self.map.letters.len() + self.table.bytes()
    }

    fn spec(&self) -> EnvSpec {
        let mut spec = EnvSpec::new(Space::discrete(self.map.letters.len() as i64), Space::discrete(ACTIONS as i64));
        spec.info = vec![prob_info(false)];
        spec
    }

    fn create(&self, _lane: usize) -> Result<Outcome> {
        Ok(Outcome::default())
    }

    #[inline]
    fn reset(&self, state: &mut Outcome, _options: &ResetOptions, rng: &mut Generator) {
        *state = self.table.start(rng);
    }

    #[inline]
    fn step(&self, state: &mut Outcome, action: &Action<'_>, rewards: &mut [f64], rng: &mut Generator) -> bool {
        let terminated;
        (*state, rewards[0], terminated) = self.table.step(state.state, action.discrete(), rng);
        terminated
    }

    #[inline]
    fn observe(&self, state: &Outcome, out: &mut Row<'_>) {
        out.scalar(0, i64::from(state.state));
    }

    #[inline]
    fn info(&self, state: &Outcome, out: &mut Row<'_>) {
        out.scalar(0, self.table.probability(*state));
    }

    fn is_valid(&self, state: &Outcome) -> bool {
        self.table.is_valid(*state)
    }

    fn render_spec(&self) -> RenderSpec {
        let (width, height) = size(self.map.columns, self.map.letters.len() / self.map.columns);
        RenderSpec::with_frame_size(width, height, 4).with_text()
    }

    fn render_frame(&self, state: &Outcome, size: (u32, u32)) -> Frame {
        picture(&self.map.letters, self.map.columns, state.state as usize, size)
    }

    fn render_text(&self, state: &Outcome) -> String {
        let mut text = state.action().map_or(String::new(), |action| format!("  ({})", ["Left", "Down", "Right", "Up"][action]));
        for (cell, letter) in self.map.letters.iter().map(|letter| char::from(*letter)).enumerate() {
            if cell % self.map.columns == 0 {
                text.push('\n');
            }
            if cell == state.state as usize {
                text += &colored(&letter.to_string(), "41");
            } else {
                text.push(letter);
            }
        }
        text + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy_text::replay::{replays_like_the_reference, with_options};

    #[test]
    fn frozen_lake_equals_gymnasiums() {
        replays_like_the_reference::<FrozenLake>("FrozenLake-v1");
        replays_like_the_reference::<FrozenLake>("FrozenLake8x8-v1");
    }

    #[test]
    fn random_maps_have_eight_rows_and_a_path_to_the_goal() {
        let maps = [1, 2].map(|seed| Map::random(&mut Generator::new(seed)));
        for map in &maps {
            assert_eq!((map.letters.len(), map.columns), (64, 8));
            assert_eq!((map.letters[0], map.letters[63]), (b'S', b'G'));
            assert!(map.goal_is_reachable());
        }
        assert_ne!(maps[0].letters, maps[1].letters);
    }

    #[test]
    fn a_goal_behind_holes_is_not_reachable() {
        let rows = |rows: &[&str]| Map::new(&rows.iter().map(ToString::to_string).collect::<Vec<_>>()).unwrap();
        assert!(rows(&["SFF", "HHF", "GFF"]).goal_is_reachable());
        assert!(!rows(&["SFF", "HHH", "GFF"]).goal_is_reachable());
    }

    #[test]
    fn a_missing_map_name_selects_a_random_map() {
        let env = with_options::<FrozenLake>("FrozenLake-v1", &[("map_name", Value::None)]).unwrap();
        assert_eq!(env.spec().observation, Space::discrete(64));
    }

    #[test]
    fn invalid_options_are_refused_by_name() {
        let refused = |name, value: Value| {
            let error = with_options::<FrozenLake>("FrozenLake-v1", &[(name, value)]).unwrap_err();
            assert!(error.to_string().starts_with(&format!("{name}=")), "{error}");
        };
        let map = |rows: &[&str]| Value::Lines(rows.iter().map(ToString::to_string).collect());
        refused("map_name", "16x16".into());
        refused("desc", map(&[]));
        refused("desc", map(&[""]));
        refused("desc", map(&["SF", "G"]));
        refused("desc", map(&["FF", "FG"]));
        refused("desc", map(&["Sé", "FFG"]));
        refused("desc", Value::Lines(vec!["S".repeat(1025); 1024]));
        refused("success_rate", 1.5.into());
        refused("success_rate", f64::NAN.into());
        refused("reward_schedule", vec![1.0].into());
    }

    #[test]
    fn snapshots_of_cells_off_the_map_are_refused() {
        let env = with_options::<FrozenLake>("FrozenLake-v1", &[]).unwrap();
        assert!(env.is_valid(&Outcome { state: 15, ..Outcome::default() }));
        assert!(!env.is_valid(&Outcome { state: 16, ..Outcome::default() }));
    }
}

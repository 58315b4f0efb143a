//! Crafter's environment: spaces, options, infos and registered tasks.

use std::path::PathBuf;

use envpool_rs_engine::{
    Action, AssetCache, Dtype, Env, EnvSpec, Error, Frame, InfoSpec, OptionSpec, Options, RenderSpec, ResetOptions, Result, Row,
    ScratchPool, Space, Task, Value,
};
use envpool_rs_numeric::random::RandomState;
use envpool_rs_numeric::simd::SimdLevel;
use envpool_rs_sim_crafter::{
    ACHIEVEMENTS, ACTIONS, Action as PlayerAction, Area, EpisodeRandom, Game, ITEMS, Layout, MAX_AREA_SIDE, PictureRenderer,
    Scratch,
};
use serde::{Deserialize, Serialize};

use crate::files::{CRAFTER_DIR, textures};

/// Default number of steps after which an episode is truncated.
const DEFAULT_LENGTH: u32 = 10_000;

/// Frame rate of videos, in frames per second.
const FRAMES_PER_SECOND: u32 = 10;

/// Typical number of objects in a world, from which memory is estimated.
const TYPICAL_OBJECTS: usize = 512;

/// Maximum number of cells of a world: objects, of which there is at most one in each cell, are numbered from 1 in 16 bits.
const MAX_CELLS: i64 = u16::MAX as i64;

/// Crafter environment.
///
/// - Observation: uint8 `(64, 64, 3)`, the cells around the player, with the player's items below them.
/// - Action: `Discrete(17)`: noop, four moves, do, sleep, four actions that place stone, a table, a furnace or a plant, and six
///   that make a tool.
/// - Reward: a tenth of the change of health, plus 1 if the step unlocks an achievement.
/// - Terminates when the player dies, and is truncated after `length` steps.
/// - Infos: `inventory` `(16,)`, the number of each item; `achievements` `(22,)`, the number of times that each achievement was
///   reached in this episode; `semantic`, uint8 with one element per cell of the world, which is the number of the cell's
///   material or object; `player_pos` `(2,)`; `discount`, 0 after the player's death and otherwise 1; `reward`, which is filled
///   even if the option `reward` switches rewards off.
pub struct Crafter {
    area: Area,
    layout: Layout,
    is_rewarded: bool,
    /// Distance from the player in cells. Objects at this distance or farther away are not updated.
    update_distance: i32,
    folder: Option<PathBuf>,
    /// Renderer of pictures; `None` before `load` has read the textures.
    renderer: Option<PictureRenderer>,
    scratch: ScratchPool<Scratch>,
    level: SimdLevel,
}

/// State of one Crafter environment: the game, the last observation and the last reward.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EpisodeState {
    game: Game,
    /// Observation after the last step or reset. It is stored, because another rendering would draw different noise at night.
    picture: Vec<u8>,
    /// Reward of the last step.
    reward: f64,
}

/// Returns the tasks of the Python package crafter.
pub fn tasks() -> Vec<Task> {
    let task = |id| Task::env::<Crafter>(id).max_episode_steps(DEFAULT_LENGTH).step_limit_from(step_limit);
    vec![task("CrafterReward-v1"), task("CrafterNoReward-v1").preset("reward", false)]
}

/// Returns the time limit in steps: the option `length`, or the largest number that the engine can count if `length` is `None`.
fn step_limit(options: &Options) -> Option<u32> {
    match options.get("length") {
        Value::Int(length) if *length > 0 => u32::try_from(*length).ok(),
        _ => Some(i32::MAX as u32),
    }
}

/// Returns the value of an option that is a pair of integers, or a single integer that is used for both elements.
fn pair(options: &Options, name: &str) -> Result<[i64; 2]> {
    let value = options.get(name);
    let pair = match value {
        Value::Int(side) => Some([*side; 2]),
        Value::Ints(sides) => <[i64; 2]>::try_from(sides.as_slice()).ok(),
        _ => None,
    };
    pair.ok_or_else(|| Error::value(name, value, "two integers"))
}

impl Crafter {
    /// Renders the cells into the observation. Renders the player's items only if their numbers have changed.
    fn render(&self, state: &mut EpisodeState, random: &mut RandomState, has_new_items: bool) {
        let Some(renderer) = &self.renderer else { return };
        let EpisodeState { game, picture, .. } = state;
        let rendered =
            self.scratch.with(|| Ok(renderer.scratch()), |scratch| renderer.render_cells(game, random, scratch, picture));
        if let Err(error) = rendered {
            error.raise();
        }
        if has_new_items {
            renderer.render_items(game.inventory(), picture);
        }
    }
}

impl Env for Crafter {
    type State = EpisodeState;
    type Random = EpisodeRandom;

    fn options() -> Vec<OptionSpec> {
        let side = i64::from(MAX_AREA_SIDE);
        vec![
            OptionSpec::new("area", 64, "columns and rows of the world, or one number for both").integer_or_pair(1..=side),
            OptionSpec::new("view", 9, "columns and rows of the picture's cells, of which the lowest rows show the items")
                .integer_or_pair(1..=512),
            OptionSpec::new("size", 64, "width and height of the picture in pixels, or one number for both")
                .integer_or_pair(1..=1024),
            OptionSpec::new("reward", true, "whether steps are rewarded; the info `reward` is the same without").per_episode(),
            OptionSpec::new("length", i64::from(DEFAULT_LENGTH), "steps after which an episode is truncated; 0 and None: never")
                .integers(0..=i64::from(i32::MAX))
                .or(Value::None),
            OptionSpec::path(CRAFTER_DIR, "folder of the Python package crafter; default: the installed one"),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        let area = pair(options, "area")?;
        if area[0] * area[1] > MAX_CELLS {
            let expected = format!("at most {MAX_CELLS} cells; make one side smaller");
            return Err(Error::value("area", options.get("area"), expected));
        }
        let [width, height] = area.map(|side| side as i32);
        let view = pair(options, "view")?;
        let layout =
            Layout::new(view, pair(options, "size")?).map_err(|error| Error::value(error.option, error.value, error.expected))?;
        let folder = match options.text(CRAFTER_DIR) {
            Some("") => return Err(Error::value(CRAFTER_DIR, "\"\"", "a folder, or None for the installed one")),
            folder => folder.map(PathBuf::from),
        };
        Ok(Self {
            area: Area { width, height },
            layout,
            is_rewarded: options.bool("reward"),
            update_distance: 2 * view[0].max(view[1]) as i32,
            folder,
            renderer: None,
            scratch: ScratchPool::default(),
            level: SimdLevel::detect(),
        })
    }

    fn load(&mut self, store: &AssetCache) -> Result<()> {
        let textures = textures(store, self.folder.as_deref())?;
        let name = format!("pictures of {:?} from {:?}", self.layout, self.folder);
        let renderer = store.get_or_load(&name, || {
            let renderer = PictureRenderer::new(&textures, self.layout.clone(), self.level);
            let bytes = renderer.heap_bytes();
            Ok((renderer, bytes))
        })?;
        self.renderer = Some(PictureRenderer::clone(&renderer));
        Ok(())
    }

    fn spec(&self) -> EnvSpec {
        let [width, height] = self.layout.size;
        let picture = Space::uniform(0.0, 255.0, &[height, width, 3], Dtype::U8);
        let mut spec = EnvSpec::new(picture, Space::discrete(ACTIONS.len() as i64));
        spec.info = vec![
            InfoSpec::new("inventory", Dtype::I64, &[ITEMS.len()]),
            InfoSpec::new("achievements", Dtype::I64, &[ACHIEVEMENTS.len()]),
            InfoSpec::new("discount", Dtype::F64, &[]),
            InfoSpec::new("semantic", Dtype::U8, &[self.area.width as usize, self.area.height as usize]),
            InfoSpec::new("player_pos", Dtype::I64, &[2]),
            InfoSpec::new("reward", Dtype::F64, &[]),
        ];
        spec
    }

    fn heap_bytes(&self) -> usize {
        3 * self.area.cells() + self.layout.bytes() + TYPICAL_OBJECTS * 32
    }

    fn thread_bytes(&self) -> usize {
        self.renderer.as_ref().map_or(0, |renderer| renderer.scratch_bytes())
    }

    fn create(&self, _lane: usize) -> Result<EpisodeState> {
        Ok(EpisodeState { game: Game::new(self.area), picture: vec![0; self.layout.bytes()], reward: 0.0 })
    }

    fn reset(&self, state: &mut EpisodeState, _options: &ResetOptions, random: &mut EpisodeRandom) {
        random.start_episode();
        state.game.reset(random.stream(), self.level);
        state.reward = 0.0;
        self.render(state, random.stream(), true);
    }

    fn step(&self, state: &mut EpisodeState, action: &Action<'_>, rewards: &mut [f64], random: &mut EpisodeRandom) -> bool {
        let action = PlayerAction::ALL[action.discrete() as usize];
        let items = *state.game.inventory();
        let outcome = state.game.step(action, self.update_distance, random.stream());
        state.reward = outcome.reward;
        if self.is_rewarded {
            rewards[0] = outcome.reward;
        }
        self.render(state, random.stream(), items != *state.game.inventory());
        outcome.is_dead
    }

    fn observe(&self, state: &EpisodeState, out: &mut Row<'_>) {
        out.write(0, &state.picture);
    }

    fn info(&self, state: &EpisodeState, out: &mut Row<'_>) {
        let game = &state.game;
        out.write(0, &game.inventory().0);
        out.write(1, &game.achievements().map(i64::from));
        out.scalar(2, if game.is_dead() { 0.0 } else { 1.0 });
        if let Some(map) = out.bytes(3) {
            game.world().semantic(map);
        }
        let pos = game.player_pos();
        out.write(4, &[pos.x, pos.y]);
        out.scalar(5, state.reward);
    }

    fn render_spec(&self) -> RenderSpec {
        RenderSpec::with_frame_size(self.layout.size[0] as u32, self.layout.size[1] as u32, FRAMES_PER_SECOND)
    }

    fn render_frame(&self, state: &EpisodeState, _size: (u32, u32)) -> Frame {
        Frame::new(self.layout.size[0] as u32, self.layout.size[1] as u32, state.picture.clone())
    }

    fn is_valid(&self, state: &EpisodeState) -> bool {
        state.game.is_valid(self.area) && state.picture.len() == self.layout.bytes() && state.reward.is_finite()
    }
}

#[cfg(test)]
#[path = "env_tests.rs"]
mod tests;

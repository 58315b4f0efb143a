//! Test environments that need resources, or whose episodes are parts of a longer game.

use envpool_rs_engine::{
    Action, AssetCache, Dtype, Env, EnvSpec, EpisodeEnd, Error, LaneState, OptionSpec, Options, ResetOptions, Result, Row, Space,
    read_value, write_value,
};
use envpool_rs_numeric::random::Generator;

/// Action without an effect.
pub const PLAY: i32 = 0;
/// Action that loses a life, which ends the episode.
pub const LOSE: i32 = 1;
/// Action that truncates the episode.
pub const TRUNCATE: i32 = 2;
/// Action that sets the discount to 0 without ending the episode.
pub const DISCOUNT: i32 = 3;

/// Game with several lives; each episode is one life. Observation float64 `(2,)`: games started, and lives lost in the current
/// game. Snapshots omit the cartridge, which every game needs.
pub struct Game;

/// State of a game.
pub struct GameState {
    games: f64,
    lost: f64,
    last: i32,
    has_cartridge: bool,
}

impl Env for Game {
    type State = GameState;
    type Random = Generator;

    fn options() -> Vec<OptionSpec> {
        vec![OptionSpec::path("folder", "where it lies")]
    }

    fn new(_options: &Options) -> Result<Self> {
        Ok(Self)
    }

    fn spec(&self) -> EnvSpec {
        EnvSpec::new(Space::uniform(0.0, f64::INFINITY, &[2], Dtype::F64), Space::discrete(4))
    }

    fn create(&self, _lane: usize) -> Result<GameState> {
        Ok(GameState { games: 0.0, lost: 0.0, last: PLAY, has_cartridge: true })
    }

    fn reset(&self, state: &mut GameState, _options: &ResetOptions, _rng: &mut Generator) {
        *state = GameState { games: state.games + 1.0, last: PLAY, lost: 0.0, has_cartridge: true };
    }

    fn next_episode(&self, state: &mut GameState, ended: EpisodeEnd, rng: &mut Generator) -> i32 {
        if ended.at_limit || state.last != LOSE {
            self.reset(state, &ResetOptions::default(), rng);
            return 0;
        }
        ended.elapsed
    }

    fn step(&self, state: &mut GameState, action: &Action<'_>, _rewards: &mut [f64], _rng: &mut Generator) -> bool {
        assert!(state.has_cartridge, "played without its cartridge");
        state.last = action.discrete();
        state.lost += f64::from(state.last == LOSE);
        state.last == LOSE
    }

    fn is_truncated(&self, state: &GameState) -> bool {
        state.last == TRUNCATE
    }

    fn has_zero_discount(&self, state: &GameState) -> bool {
        state.last == DISCOUNT
    }

    fn observe(&self, state: &GameState, out: &mut Row<'_>) {
        out.write(0, &[state.games, state.lost]);
    }
}

impl LaneState<Game> for GameState {
    fn save(&self, _env: &Game, bytes: &mut Vec<u8>) -> Result<()> {
        write_value(bytes, &(self.games, self.lost, self.last))
    }

    fn load(_env: &Game, bytes: &mut &[u8]) -> Result<Self> {
        let (games, lost, last) = read_value(bytes)?;
        Ok(Self { games, lost, last, has_cartridge: true })
    }
}

/// Game whose load fails, because its file does not exist.
pub struct Unprepared;

impl Env for Unprepared {
    type State = ();
    type Random = Generator;

    fn new(_options: &Options) -> Result<Self> {
        Ok(Self)
    }

    fn load(&mut self, _store: &AssetCache) -> Result<()> {
        Err(Error::NotFound("there is no file".into()))
    }

    fn spec(&self) -> EnvSpec {
        Game.spec()
    }

    fn create(&self, _lane: usize) -> Result<()> {
        Ok(())
    }

    fn reset(&self, _state: &mut (), _options: &ResetOptions, _rng: &mut Generator) {}

    fn step(&self, _state: &mut (), _action: &Action<'_>, _rewards: &mut [f64], _rng: &mut Generator) -> bool {
        false
    }

    fn observe(&self, _state: &(), _out: &mut Row<'_>) {}
}

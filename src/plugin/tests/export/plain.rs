//! Wrapper that removes those properties of an environment for which the C interface has no field.

use envpool_rs_engine::{
    Action, AssetCache, Dtype, Env, EnvSpec, EpisodeEnd, Frame, LaneState, OptionSpec, Options, RenderParams, RenderSpec,
    ResetOptions, Result, Row, Scheduling,
};

/// The environment `E`, with only gymnasium's spaces and infos, and without aliases and optional options.
pub struct Plain<E>(E);

/// State of the environment `E`.
pub struct PlainState<E: Env>(E::State);

impl<E: Env> LaneState<Plain<E>> for PlainState<E> {
    fn save(&self, env: &Plain<E>, bytes: &mut Vec<u8>) -> Result<()> {
        self.0.save(&env.0, bytes)
    }

    fn load(env: &Plain<E>, bytes: &mut &[u8]) -> Result<Self> {
        E::State::load(&env.0, bytes).map(Self)
    }
}

impl<E: Env> Env for Plain<E> {
    type State = PlainState<E>;
    type Random = E::Random;
    const SCHEDULING: Scheduling = E::SCHEDULING;
    const TRUNCATION_WINS: bool = E::TRUNCATION_WINS;
    const RESET_OPTIONS: &'static [&'static str] = E::RESET_OPTIONS;

    fn options() -> Vec<OptionSpec> {
        let of_one_type = E::options().into_iter().filter(|option| option.or.is_none());
        of_one_type.map(|option| OptionSpec { alias: None, ..option }).collect()
    }

    fn new(options: &Options) -> Result<Self> {
        let given: Vec<_> = options.iter().map(|(name, value)| (name.to_owned(), value.clone())).collect();
        E::new(&Options::resolve(&E::options(), &[], &given)?).map(Self)
    }

    fn load(&mut self, store: &AssetCache) -> Result<()> {
        self.0.load(store)
    }

    fn spec(&self) -> EnvSpec {
        let mut spec = self.0.spec();
        for info in &mut spec.info {
            (info.in_gymnasium, info.in_envpool) = (true, true);
            (info.envpool_dtype, info.envpool_range) = (info.dtype.narrow(), None);
        }
        EnvSpec {
            envpool_observation: None,
            envpool_key: None,
            envpool_action: None,
            envpool_reward: Dtype::F32,
            action_hint: "",
            ..spec
        }
    }

    fn create(&self, lane: usize) -> Result<PlainState<E>> {
        self.0.create(lane).map(PlainState)
    }

    fn close(&self, state: PlainState<E>) {
        self.0.close(state.0);
    }

    fn check_reset(&self, options: &ResetOptions) -> Result<()> {
        self.0.check_reset(options)
    }

    fn reset(&self, state: &mut PlainState<E>, options: &ResetOptions, random: &mut E::Random) {
        self.0.reset(&mut state.0, options, random);
    }

    fn next_episode(&self, state: &mut PlainState<E>, ended: EpisodeEnd, random: &mut E::Random) -> i32 {
        self.0.next_episode(&mut state.0, ended, random)
    }

    fn step(&self, state: &mut PlainState<E>, action: &Action<'_>, rewards: &mut [f64], random: &mut E::Random) -> bool {
        self.0.step(&mut state.0, action, rewards, random)
    }

    fn scheduling(&self) -> Scheduling {
        self.0.scheduling()
    }

    fn is_truncated(&self, state: &PlainState<E>) -> bool {
        self.0.is_truncated(&state.0)
    }

    fn has_zero_discount(&self, state: &PlainState<E>) -> bool {
        self.0.has_zero_discount(&state.0)
    }

    fn observe(&self, state: &PlainState<E>, out: &mut Row<'_>) {
        self.0.observe(&state.0, out);
    }

    fn info(&self, state: &PlainState<E>, out: &mut Row<'_>) {
        self.0.info(&state.0, out);
    }

    fn render_spec(&self) -> RenderSpec {
        self.0.render_spec()
    }

    fn render_view(&self, state: &PlainState<E>, params: &RenderParams) -> Result<Frame> {
        self.0.render_view(&state.0, params)
    }

    fn render_text(&self, state: &PlainState<E>) -> String {
        self.0.render_text(&state.0)
    }
}

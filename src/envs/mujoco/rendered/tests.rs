use std::cell::RefCell;
use std::collections::BTreeSet;

use envpool_rs_engine::{ActionColumn, Dtype, Error, RowBuffer, Space};
use envpool_rs_numeric::random::{Generator, RandomStream};

use super::*;

thread_local! {
    /// Names of the methods of the test environment [`Noting`] that were called on this thread.
    static CALLED: RefCell<BTreeSet<&'static str>> = const { RefCell::new(BTreeSet::new()) };
}

fn note<T>(name: &'static str, value: T) -> T {
    CALLED.with_borrow_mut(|called| called.insert(name));
    value
}

/// Test environment that records which of its methods are called. Its constants differ from the defaults of the trait [`Env`].
struct Noting;

impl Env for Noting {
    type State = i64;
    type Random = Generator;
    const SCHEDULING: Scheduling = Scheduling::Batched(3);
    const TRUNCATION_WINS: bool = true;
    const RESET_OPTIONS: &'static [&'static str] = &["height"];
    const SPEC_NEEDS_LOAD: bool = true;

    fn options() -> Vec<OptionSpec> {
        note("options", Vec::new())
    }
    fn reset_options(&self) -> &[&'static str] {
        note("reset_options", &["height"])
    }
    fn new(_: &Options) -> Result<Self> {
        note("new", Ok(Self))
    }
    fn load(&mut self, _: &AssetCache) -> Result<()> {
        note("load", Ok(()))
    }
    fn is_slow_to_load(&self, _: &AssetCache) -> bool {
        note("is_slow_to_load", true)
    }
    fn spec(&self) -> EnvSpec {
        note("spec", EnvSpec::new(Space::discrete(2), Space::discrete(2)))
    }
    fn heap_bytes(&self) -> usize {
        note("heap_bytes", 1)
    }
    fn shared_bytes(&self) -> usize {
        note("shared_bytes", 2)
    }
    fn thread_bytes(&self) -> usize {
        note("thread_bytes", 3)
    }
    fn stack_bytes(&self) -> usize {
        note("stack_bytes", 4)
    }
    fn create(&self, _: usize) -> Result<i64> {
        note("create", Ok(0))
    }
    fn close(&self, _: i64) {
        note("close", ());
    }
    fn check_reset(&self, _: &ResetOptions) -> Result<()> {
        note("check_reset", Ok(()))
    }
    fn reset(&self, _: &mut i64, _: &ResetOptions, _: &mut Generator) {
        note("reset", ());
    }
    fn next_episode(&self, _: &mut i64, _: EpisodeEnd, _: &mut Generator) -> i32 {
        note("next_episode", 4)
    }
    fn step(&self, _: &mut i64, _: &Action<'_>, _: &mut [f64], _: &mut Generator) -> bool {
        note("step", true)
    }
    fn scheduling(&self) -> Scheduling {
        note("scheduling", Scheduling::Batched(5))
    }
    fn step_lanes(&self, lanes: &mut [LaneStep<'_, Self>]) {
        lanes.iter_mut().for_each(|lane| lane.terminated = true);
        note("step_lanes", ());
    }
    fn resets_together(&self) -> bool {
        note("resets_together", true)
    }
    fn reset_lanes(&self, lanes: &mut [LaneReset<'_, Self>]) {
        for lane in lanes {
            lane.error = lane.options.get("height").map(|height| Error::State(format!("height={height}")));
        }
        note("reset_lanes", ());
    }
    fn is_truncated(&self, _: &i64) -> bool {
        note("is_truncated", true)
    }
    fn has_zero_discount(&self, _: &i64) -> bool {
        note("has_zero_discount", true)
    }
    fn observe(&self, _: &i64, _: &mut Row<'_>) {
        note("observe", ());
    }
    fn info(&self, _: &i64, _: &mut Row<'_>) {
        note("info", ());
    }
    fn render_spec(&self) -> RenderSpec {
        note("render_spec", RenderSpec::default().with_text())
    }
    fn render_frame(&self, _: &i64, _: (u32, u32)) -> Frame {
        note("render_frame", Frame::new(1, 1, vec![7; 3]))
    }
    fn render_view(&self, _: &i64, _: &RenderParams) -> Result<Frame> {
        note("render_view", Ok(Frame::default()))
    }
    fn render_text(&self, _: &i64) -> String {
        note("render_text", "text".to_owned())
    }
    fn is_valid(&self, _: &i64) -> bool {
        note("is_valid", false)
    }
}

impl Renderable for Noting {
    fn camera_preset(&self) -> CameraPreset {
        CameraPreset::Model
    }
    fn model(&self) -> Option<&Model> {
        None
    }
    fn view<T>(&self, _: &i64, _: impl FnOnce(&Data) -> T) -> std::result::Result<T, Fault> {
        Err(Fault::Rendering("there is nothing to see".into()))
    }
    fn seconds(&self) -> f64 {
        0.02
    }
}

/// Returns the names of the items of the trait [`Env`] that are declared with the keyword `keyword`: `fn` for methods, `const`
/// for constants.
fn declared(keyword: &str) -> BTreeSet<&'static str> {
    let (_, declared) = include_str!("../../../engine/contract/env.rs").split_once("pub trait Env:").expect("the trait");
    let (declared, _) = declared.split_once("\n}").expect("its end");
    let names = declared.lines().filter_map(|line| line.strip_prefix("    ")?.strip_prefix(keyword)?.strip_prefix(' '));
    names.map(|rest| rest.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).next().expect("a name")).collect()
}

/// Calls every method of [`Env`] on the wrapper, and checks that the wrapper returns the inner environment's results.
fn call_all_methods() {
    let mut options = <Rendered<Noting> as Env>::options();
    options.extend(RenderSetup::options(CameraPreset::Model));
    let options = Options::resolve(&options, &[], &[]).expect("the defaults");
    let mut env = Rendered::<Noting>::new(&options).expect("the defaults");
    let (store, reset_options, mut random) = (AssetCache::default(), ResetOptions::default(), Generator::from_seed(0));
    env.load(&store).unwrap();
    env.check_reset(&reset_options).unwrap();
    assert_eq!(env.reset_options(), ["height"]);
    assert_eq!((env.is_slow_to_load(&store), env.scheduling()), (true, Scheduling::Batched(5)));
    assert_eq!((env.heap_bytes(), env.shared_bytes(), env.thread_bytes(), env.stack_bytes()), (1, 2, 3, 4));
    assert_eq!(env.spec(), Noting.spec());
    assert!(env.render_spec().has_text);

    let mut state = env.create(0).unwrap();
    env.reset(&mut state, &reset_options, &mut random);
    assert_eq!(env.next_episode(&mut state, EpisodeEnd { elapsed: 0, at_limit: false }, &mut random), 4);
    let columns = [ActionColumn::I32(vec![0])];
    let (action, mut rewards) = (Action::new(&columns, 0), [0.0]);
    assert!(env.step(&mut state, &action, &mut rewards, &mut random));
    let mut lanes =
        [LaneStep { state: &mut state, random: &mut random, action, rewards: &mut rewards, terminated: false, error: None }];
    env.step_lanes(&mut lanes);
    assert!(lanes[0].terminated);
    assert!(env.resets_together());
    let (mut other_state, mut other_random) = (env.create(1).unwrap(), Generator::from_seed(0));
    let failing = ResetOptions::new(vec![("height".into(), 3.0)]);
    let mut lanes = [
        LaneReset { state: &mut state, random: &mut random, options: ResetOptions::default(), error: None },
        LaneReset { state: &mut other_state, random: &mut other_random, options: failing, error: None },
    ];
    env.reset_lanes(&mut lanes);
    assert_eq!(lanes.map(|lane| lane.error), [None, Some(Error::State("height=3".into()))]);

    let mut rows = RowBuffer::new(Dtype::F64, &[1]);
    rows.bits(|row| env.observe(&state, row));
    rows.bits(|row| env.info(&state, row));
    assert!(env.is_truncated(&state) && env.has_zero_discount(&state) && !env.is_valid(&state));
    assert_eq!((env.render_text(&state), env.render_frame(&state, (1, 1)).pixels()), ("text".to_owned(), &[7, 7, 7][..]));
    let view = RenderParams { width: 1, height: 1, camera: None, depth: false };
    assert_eq!(env.render_view(&state, &view).unwrap_err().to_string(), "there is nothing to see");
    env.close(state);
}

#[test]
fn every_method_of_an_environment_is_forwarded() {
    CALLED.take();
    call_all_methods();
    // `render_view` is implemented by the wrapper itself, which does not call the inner environment.
    let own = BTreeSet::from(["render_view"]);
    assert_eq!(&CALLED.take() | &own, declared("fn"));
}

#[test]
fn every_constant_of_an_environment_is_forwarded() {
    type Wrapper = Rendered<Noting>;
    let forwarded = [
        ("SCHEDULING", Wrapper::SCHEDULING == Noting::SCHEDULING),
        ("TRUNCATION_WINS", Wrapper::TRUNCATION_WINS == Noting::TRUNCATION_WINS),
        ("RESET_OPTIONS", Wrapper::RESET_OPTIONS == Noting::RESET_OPTIONS),
        ("SPEC_NEEDS_LOAD", Wrapper::SPEC_NEEDS_LOAD == Noting::SPEC_NEEDS_LOAD),
    ];
    assert_eq!(forwarded.iter().filter(|(_, same)| *same).map(|(name, _)| *name).collect::<BTreeSet<_>>(), declared("const"));
}

#[test]
fn pictures_as_observations_need_the_stack_of_the_renderer() {
    let mut options = <Rendered<Noting> as Env>::options();
    options.extend(RenderSetup::options(CameraPreset::Model));
    let options = Options::resolve(&options, &[("from_pixels", true.into())], &[]).expect("known options");
    assert_eq!(Rendered::<Noting>::new(&options).expect("the default size").stack_bytes(), DRAWING_STACK_BYTES);
}

//! LunarLander: a lander with three engines and two legs comes down on the moon. Follows gymnasium 1.4.0, `box2d/lunar_lander.py`.
//!
//! What Python computes is float64, of the float32s that Box2D tells, and becomes float32 where Box2D is told. Sines are the C library's.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::drawing::{fill, outlines, whole};
use super::together::{Landscape, Physics};
use envpool_rs_engine::{
    Action, Env, EnvSpec, Error, OptionSpec, Options, Picture, Rendering, ResetOptions, Result, Row, Scheduling, Space, Stepped,
    Task,
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_pictures::raster::{BLACK, Color, Surface, WHITE};
use envpool_rs_sim_box2d::{Body, BodyId, FixtureDef, Polygon, RevoluteJointDef, Shape, Vec2, World, vec2};

const FPS: f64 = 50.0;
/// Pixels per metre.
const SCALE: f64 = 30.0;
const MAIN_ENGINE_POWER: f64 = 13.0;
const SIDE_ENGINE_POWER: f64 = 0.6;
/// Most of each component of the force at the start.
const INITIAL_RANDOM: f64 = 1000.0;
const LANDER_POLY: [(f64, f64); 6] = [(-14.0, 17.0), (-17.0, 0.0), (-17.0, -10.0), (17.0, -10.0), (17.0, 0.0), (14.0, 17.0)];
const LEG_AWAY: f64 = 20.0;
const LEG_DOWN: f64 = 18.0;
const LEG: (f64, f64) = (2.0, 8.0);
const LEG_SPRING_TORQUE: f64 = 40.0;
const SIDE_ENGINE_HEIGHT: f64 = 14.0;
const SIDE_ENGINE_AWAY: f64 = 12.0;
const MAIN_ENGINE_Y_LOCATION: f64 = 4.0;
/// Width and height of the picture in metres.
const W: f64 = 600.0 / SCALE;
const H: f64 = 400.0 / SCALE;
/// Corners of the ground.
const CHUNKS: usize = 11;
/// The landing pad's height in metres, and the corners of the ground at its ends.
const PAD_Y: f64 = H / 4.0;
const PAD: [usize; 2] = [CHUNKS / 2 - 1, CHUNKS / 2 + 1];

/// Bodies, as they are made.
const LANDER: BodyId = BodyId(1);
const LEGS: [BodyId; 2] = [BodyId(2), BodyId(3)];
const BODIES: usize = 4;

/// `LunarLander-v3` and its continuous variant.
///
/// - Observation (float32): position and velocity against the pad, angle, angular velocity, and 1 for each leg that touches.
/// - Action: 0 nothing, 1 the left engine, 2 the main engine, 3 the right one; continuous: throttles of the main and the side engines.
/// - Reward: what the shaping has gained, less fuel; -100 for a crash, 100 for coming to rest.
/// - Terminates on a crash, beyond the sides, and at rest.
#[derive(Debug)]
pub struct LunarLander {
    continuous: bool,
    gravity: f64,
    /// Most force of the wind and most torque of turbulence, where there are any.
    wind: Option<(f64, f64)>,
    physics: Physics,
}

/// One moon.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    world: World,
    /// Heights of the ground at its corners.
    ground: [f64; CHUNKS],
    shaping: Option<f64>,
    has_crashed: bool,
    touches: [bool; 2],
    /// Where wind and turbulence are in their course.
    wind: [i64; 2],
}

impl Landscape for State {
    fn world(&mut self) -> &mut World {
        &mut self.world
    }
}

/// What the engines do: throttle of the main engine, throttle of the side engines and their direction.
#[derive(Debug, Clone, Copy, Default)]
struct Thrust {
    main: f64,
    side: f64,
    direction: f64,
}

impl LunarLander {
    fn thrust(&self, action: &Action<'_>) -> Thrust {
        if !self.continuous {
            let action = action.discrete();
            let side = if action == 1 || action == 3 { 1.0 } else { 0.0 };
            return Thrust { main: if action == 2 { 1.0 } else { 0.0 }, side, direction: f64::from(action - 2) };
        }
        let [main, side] = [0, 1].map(|i| f64::from(action.continuous(0, 2)[i].clamp(-1.0, 1.0)));
        Thrust {
            main: if main > 0.0 { (main.clamp(0.0, 1.0) + 1.0) * 0.5 } else { 0.0 },
            side: if side.abs() > 0.5 { side.abs().clamp(0.5, 1.0) } else { 0.0 },
            direction: if side > 0.0 { 1.0 } else { -1.0 },
        }
    }

    /// Makes the moon, the lander and its legs.
    fn build(&self, state: &mut State, ground: [f64; CHUNKS], push: (f64, f64)) {
        let world = &mut state.world;
        world.renew(Vec2::of((0.0, self.gravity)));
        let corner = |i: usize| Vec2::of((W / (CHUNKS - 1) as f64 * i as f64, ground[i]));
        let mut edges = [FixtureDef::new(Shape::Edge(vec2(0.0, 0.0), Vec2::of((W, 0.0)))); CHUNKS];
        for i in 0..CHUNKS - 1 {
            edges[i + 1] = FixtureDef { friction: 0.1, ..FixtureDef::new(Shape::Edge(corner(i), corner(i + 1))) };
        }
        world.create_static(&edges);
        let hull = Polygon::hull(&LANDER_POLY.map(|(x, y)| Vec2::of((x / SCALE, y / SCALE))));
        let fixture =
            FixtureDef { density: 5.0, friction: 0.1, category: 0x10, mask: 1, ..FixtureDef::new(Shape::Polygon(hull)) };
        let (x, y) = (W / 2.0, H);
        let lander = world.create_dynamic(Vec2::of((x, y)), 0.0, &[fixture]);
        world.body_mut(lander).apply_force_to_center(Vec2::of(push));
        for side in [-1.0, 1.0] {
            let leg = Shape::Polygon(Polygon::centered_box((LEG.0 / SCALE) as f32, (LEG.1 / SCALE) as f32));
            let fixture = FixtureDef { density: 1.0, category: 0x20, mask: 1, ..FixtureDef::new(leg) };
            let leg = world.create_dynamic(Vec2::of((x - side * LEG_AWAY / SCALE, y)), (side * 0.05) as f32, &[fixture]);
            let limits = if side < 0.0 { (0.9 - 0.5, 0.9) } else { (-0.9, -0.9 + 0.5) };
            world.create_joint(&RevoluteJointDef {
                body_a: lander,
                body_b: leg,
                local_anchor_a: vec2(0.0, 0.0),
                local_anchor_b: Vec2::of((side * LEG_AWAY / SCALE, LEG_DOWN / SCALE)),
                limits: Some((limits.0 as f32, limits.1 as f32)),
                motor: Some((LEG_SPRING_TORQUE as f32, (0.3 * side) as f32)),
            });
        }
        (state.ground, state.shaping, state.has_crashed, state.touches) = (ground, None, false, [false; 2]);
    }

    fn blow(&self, state: &mut State) {
        let Some((wind, turbulence)) = self.wind.filter(|_| state.touches == [false; 2]) else { return };
        let strength = |index: &mut i64| {
            let at = *index as f64;
            *index = index.wrapping_add(1);
            ((0.02 * at).sin() + (PI * 0.01 * at).sin()).tanh()
        };
        let lander = state.world.body_mut(LANDER);
        lander.apply_force_to_center(Vec2::of((strength(&mut state.wind[0]) * wind, 0.0)));
        lander.apply_torque((strength(&mut state.wind[1]) * turbulence) as f32);
    }

    /// What happens before the world's step: wind, and the engines' blows.
    fn push(&self, state: &mut State, thrust: Thrust, rng: &mut Generator) {
        self.blow(state);
        let lander = state.world.body_mut(LANDER);
        let angle = f64::from(lander.angle());
        let tip = (angle.sin(), angle.cos());
        let side = (-tip.1, tip.0);
        let dispersion = [rng.uniform(-1.0, 1.0) / SCALE, rng.uniform(-1.0, 1.0) / SCALE];
        let position = lander.position();
        let (x, y) = (f64::from(position.x), f64::from(position.y));
        if thrust.main > 0.0 {
            let down = MAIN_ENGINE_Y_LOCATION / SCALE + 2.0 * dispersion[0];
            let ox = tip.0 * down + side.0 * dispersion[1];
            let oy = -tip.1 * down - side.1 * dispersion[1];
            let impulse = (-ox * MAIN_ENGINE_POWER * thrust.main, -oy * MAIN_ENGINE_POWER * thrust.main);
            lander.apply_linear_impulse(Vec2::of(impulse), Vec2::of((x + ox, y + oy)));
        }
        if thrust.side > 0.0 {
            let away = 3.0 * dispersion[1] + thrust.direction * SIDE_ENGINE_AWAY / SCALE;
            let ox = tip.0 * dispersion[0] + side.0 * away;
            let oy = -tip.1 * dispersion[0] - side.1 * away;
            let at = (x + ox - tip.0 * 17.0 / SCALE, y + oy + tip.1 * SIDE_ENGINE_HEIGHT / SCALE);
            let impulse = (-ox * SIDE_ENGINE_POWER * thrust.side, -oy * SIDE_ENGINE_POWER * thrust.side);
            lander.apply_linear_impulse(Vec2::of(impulse), Vec2::of(at));
        }
    }

    /// What the world's step has brought: reward, and whether the episode is over.
    fn judge(&self, state: &mut State, thrust: Thrust) -> (f64, bool) {
        state.note_contacts();
        let [x, y, vx, vy, angle, _, left, right] = state.numbers();
        let shaping = -100.0 * (x * x + y * y).sqrt() - 100.0 * (vx * vx + vy * vy).sqrt() - 100.0 * angle.abs()
            + 10.0 * left
            + 10.0 * right;
        let mut reward = state.shaping.map_or(0.0, |before| shaping - before);
        state.shaping = Some(shaping);
        reward -= thrust.main * 0.30;
        reward -= thrust.side * 0.03;
        if !state.lander().is_awake() {
            return (100.0, true);
        }
        if state.has_crashed || x.abs() >= 1.0 {
            return (-100.0, true);
        }
        (reward, false)
    }
}

impl State {
    fn lander(&self) -> &Body {
        self.world.body(LANDER)
    }

    fn note_contacts(&mut self) {
        for event in self.world.events() {
            self.has_crashed |= event.begins && event.bodies.contains(&LANDER);
            for (touches, leg) in self.touches.iter_mut().zip(LEGS) {
                if event.bodies.contains(&leg) {
                    *touches = event.begins;
                }
            }
        }
    }

    /// The observation in float64.
    pub fn numbers(&self) -> [f64; 8] {
        let lander = self.lander();
        let (p, v) = (lander.position(), lander.velocity());
        let leg = |touches: bool| if touches { 1.0 } else { 0.0 };
        [
            (f64::from(p.x) - W / 2.0) / (W / 2.0),
            (f64::from(p.y) - (PAD_Y + LEG_DOWN / SCALE)) / (H / 2.0),
            f64::from(v.x) * (W / 2.0) / FPS,
            f64::from(v.y) * (H / 2.0) / FPS,
            f64::from(lander.angle()),
            20.0 * f64::from(lander.angular_velocity()) / FPS,
            leg(self.touches[0]),
            leg(self.touches[1]),
        ]
    }
}

impl Env for LunarLander {
    type State = State;
    type Random = Generator;
    const SCHEDULING: Scheduling = super::together::SCHEDULING;

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::new("continuous", false, "throttles as actions, instead of engines on or off"),
            OptionSpec::new("gravity", -10.0, "vertical acceleration in m/s², between -12 and 0, both excluded").each_episode(),
            OptionSpec::new("enable_wind", false, "whether wind and turbulence push a lander that touches nothing")
                .each_episode(),
            OptionSpec::new("wind_power", 15.0, "most force of the wind in N; 0 to 20 is usual").each_episode(),
            OptionSpec::new("turbulence_power", 1.5, "most torque of turbulence in N m; 0 to 2 is usual").each_episode(),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        let gravity = options.float("gravity");
        if !(-12.0 < gravity && gravity < 0.0) {
            return Err(Error::value("gravity", gravity, "between -12 and 0, both excluded"));
        }
        let wind = (options.float("wind_power"), options.float("turbulence_power"));
        let wind = options.bool("enable_wind").then_some(wind);
        Ok(Self { continuous: options.bool("continuous"), gravity, wind, physics: Physics::default() })
    }

    fn spec(&self) -> EnvSpec {
        let low = [-2.5, -2.5, -10.0, -10.0, -2.0 * PI, -10.0, -0.0, -0.0];
        let high = [2.5, 2.5, 10.0, 10.0, 2.0 * PI, 10.0, 1.0, 1.0];
        let action = if self.continuous { Space::vector(&[-1.0; 2], &[1.0; 2]) } else { Space::discrete(4) };
        EnvSpec::new(Space::vector(&low, &high), action)
    }

    fn heap_bytes(&self) -> usize {
        8 << 10
    }

    fn create(&self, _lane: usize) -> Result<State> {
        let world = World::new(vec2(0.0, 0.0));
        let ground = [PAD_Y; CHUNKS];
        let mut state = State { world, ground, shaping: None, has_crashed: false, touches: [false; 2], wind: [0; 2] };
        self.build(&mut state, ground, (0.0, 0.0));
        Ok(state)
    }

    fn reset(&self, state: &mut State, _options: &ResetOptions, rng: &mut Generator) {
        let mut height = [0.0; CHUNKS + 1];
        height.fill_with(|| rng.uniform(0.0, H / 2.0));
        height[CHUNKS / 2 - 2..=CHUNKS / 2 + 2].fill(PAD_Y);
        let before = |i: usize| height[if i == 0 { CHUNKS } else { i - 1 }];
        let ground = std::array::from_fn(|i| 0.33 * (before(i) + height[i] + height[i + 1]));
        let push = (rng.uniform(-INITIAL_RANDOM, INITIAL_RANDOM), rng.uniform(-INITIAL_RANDOM, INITIAL_RANDOM));
        self.build(state, ground, push);
        if self.wind.is_some() {
            state.wind = [rng.integers(-9999, 9999), rng.integers(-9999, 9999)];
        }
        self.push(state, Thrust::default(), rng);
        self.physics.step(&mut state.world);
        self.judge(state, Thrust::default());
    }

    fn step(&self, state: &mut State, action: &Action<'_>, rewards: &mut [f64], rng: &mut Generator) -> bool {
        let thrust = self.thrust(action);
        self.push(state, thrust, rng);
        self.physics.step(&mut state.world);
        let (reward, over) = self.judge(state, thrust);
        rewards[0] = reward;
        over
    }

    fn step_together(&self, lanes: &mut [Stepped<'_, Self>]) {
        for lane in &mut *lanes {
            self.push(lane.state, self.thrust(&lane.action), lane.random);
        }
        self.physics.step_together(lanes);
        for lane in lanes {
            (lane.rewards[0], lane.terminated) = self.judge(lane.state, self.thrust(&lane.action));
        }
    }

    fn observe(&self, state: &State, out: &mut Row<'_>) {
        out.write(0, &state.numbers().map(|number| number as f32));
    }

    fn rendering(&self) -> Rendering {
        Rendering::pictures(600, 400, 50)
    }

    fn paint(&self, state: &State) -> Picture {
        paint(state)
    }

    fn is_valid(&self, state: &State) -> bool {
        state.world.count() == BODIES && state.world.is_valid()
    }
}

/// The moon, the lander and its legs, and the flags of the pad, pixel for pixel what gymnasium and pygame-ce make of it. There are no sparks:
/// they are bodies of their own where gymnasium draws them.
fn paint(state: &State) -> Picture {
    const LIGHT: Color = Color::rgb(128, 102, 230);
    const DARK: Color = Color::rgb(77, 77, 128);
    const FLAG: Color = Color::rgb(204, 204, 0);
    let mut surface = Surface::new((600, 400), WHITE);
    let chunk = |i: usize| W / (CHUNKS - 1) as f64 * i as f64;
    for i in 0..CHUNKS - 1 {
        let (a, b) = ((chunk(i), state.ground[i]), (chunk(i + 1), state.ground[i + 1]));
        fill(&mut surface, &[a, b, (b.0, H), (a.0, H)].map(|(x, y)| (x * SCALE, y * SCALE)), BLACK);
    }
    for body in [LANDER, LEGS[0], LEGS[1]] {
        for corners in outlines(&state.world, body, SCALE) {
            fill(&mut surface, &corners, LIGHT);
            surface.smooth_lines(&corners, DARK);
            // They are drawn anew with each body, and their smooth edges grow less smooth.
            for x in PAD.map(|i| chunk(i) * SCALE) {
                let (low, high) = (PAD_Y * SCALE, PAD_Y * SCALE + 50.0);
                surface.thin_lines(&[(x, low), (x, high)].map(whole), WHITE);
                fill(&mut surface, &[(x, high), (x, high - 10.0), (x + 25.0, high - 5.0)], FLAG);
            }
        }
    }
    Picture::new(600, 400, surface.into_rgb())
}

/// `LunarLander-v3`, `LunarLanderContinuous-v3`, and the same under the numbers that came before.
pub fn tasks() -> Vec<Task> {
    let task = |id| Task::env::<LunarLander>(id).max_episode_steps(1000).reward_threshold(200.0);
    vec![
        task("LunarLander-v3"),
        task("LunarLanderContinuous-v3").preset("continuous", true),
        task("LunarLander-v2"),
        task("LunarLanderContinuous-v2").preset("continuous", true),
    ]
}

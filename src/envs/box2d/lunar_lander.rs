//! LunarLander: a lander with three engines and two legs lands on the moon. Follows gymnasium 1.4.0, `box2d/lunar_lander.py`.
//!
//! Python's arithmetic is float64; Box2D's inputs and outputs are float32. Sines are computed by the C library.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::drawing::{PictureTarget, StretchedSurface, shape_vertices};
use super::physics::{HasWorld, Physics};
use envpool_rs_engine::{
    Action, Env, EnvSpec, Error, Frame, LaneStep, OptionSpec, Options, RenderSpec, ResetOptions, Result, Row, Scheduling, Space,
    Task,
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_pictures::raster::{BLACK, Color, Point, Surface, WHITE};
use envpool_rs_sim_box2d::{Body, BodyId, FixtureDef, Polygon, RevoluteJointDef, Shape, Vec2, World, vec2};

const FPS: f64 = 50.0;
/// Number of pixels per metre in a rendered picture.
const SCALE: f64 = 30.0;
/// Width and height of gymnasium's pictures in pixels.
const PICTURE: (u32, u32) = (600, 400);
const MAIN_ENGINE_POWER: f64 = 13.0;
const SIDE_ENGINE_POWER: f64 = 0.6;
/// Maximum of each component of the random force that pushes the lander at the start of an episode, in N.
const INITIAL_RANDOM: f64 = 1000.0;
const LANDER_POLY: [(f64, f64); 6] = [(-14.0, 17.0), (-17.0, 0.0), (-17.0, -10.0), (17.0, -10.0), (17.0, 0.0), (14.0, 17.0)];
const LEG_AWAY: f64 = 20.0;
const LEG_DOWN: f64 = 18.0;
const LEG: (f64, f64) = (2.0, 8.0);
const LEG_SPRING_TORQUE: f64 = 40.0;
const SIDE_ENGINE_HEIGHT: f64 = 14.0;
const SIDE_ENGINE_AWAY: f64 = 12.0;
const MAIN_ENGINE_Y_LOCATION: f64 = 4.0;
/// Width of the viewport in metres; `H` is its height.
const W: f64 = 600.0 / SCALE;
const H: f64 = 400.0 / SCALE;
/// Number of terrain points.
const CHUNKS: usize = 11;
/// Height of the landing pad in metres. `PAD` holds the indices of the terrain points at the pad's ends.
const PAD_Y: f64 = H / 4.0;
const PAD: [usize; 2] = [CHUNKS / 2 - 1, CHUNKS / 2 + 1];

/// Id of the lander's body; `LEGS` holds the ids of its legs, and `BODIES` is the number of all bodies in the world.
const LANDER: BodyId = BodyId(1);
const LEGS: [BodyId; 2] = [BodyId(2), BodyId(3)];
const BODIES: usize = 4;

/// `LunarLander-v3` and its continuous variant.
///
/// - Observation (float32): position relative to the pad, velocity, angle, angular velocity, and ground contact of each leg.
/// - Action: 0 nothing, 1 left engine, 2 main engine, 3 right engine; continuous: throttles of the main and the side engines.
/// - Reward: change of shaping, minus fuel; -100 for a crash, 100 for coming to rest.
/// - Terminates on a crash, beyond the left or right side of the viewport, and at rest.
#[derive(Debug)]
pub struct LunarLander {
    continuous: bool,
    gravity: f64,
    /// Maximum wind force in N, and maximum turbulence torque in N m; `None` if wind is disabled.
    wind_power: Option<(f64, f64)>,
    physics: Physics,
}

/// State of a LunarLander environment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    world: World,
    /// Heights of the terrain points in metres.
    ground: [f64; CHUNKS],
    prev_shaping: Option<f64>,
    game_over: bool,
    ground_contact: [bool; 2],
    /// Time indices `wind_idx` and `torque_idx`, from which gymnasium computes wind and turbulence.
    wind_idx: [i64; 2],
}

impl HasWorld for State {
    fn world(&mut self) -> &mut World {
        &mut self.world
    }
}

/// Power of the main engine and of the side engines, and the direction of the side engines.
#[derive(Debug, Clone, Copy, Default)]
struct Thrust {
    m_power: f64,
    s_power: f64,
    direction: f64,
}

impl LunarLander {
    fn thrust(&self, action: &Action<'_>) -> Thrust {
        if !self.continuous {
            let action = action.discrete();
            let side = if action == 1 || action == 3 { 1.0 } else { 0.0 };
            return Thrust { m_power: if action == 2 { 1.0 } else { 0.0 }, s_power: side, direction: f64::from(action - 2) };
        }
        let [main, side] = [0, 1].map(|i| f64::from(action.continuous(0, 2)[i].clamp(-1.0, 1.0)));
        Thrust {
            m_power: if main > 0.0 { (main.clamp(0.0, 1.0) + 1.0) * 0.5 } else { 0.0 },
            s_power: if side.abs() > 0.5 { side.abs().clamp(0.5, 1.0) } else { 0.0 },
            direction: if side > 0.0 { 1.0 } else { -1.0 },
        }
    }

    /// Creates the terrain, the lander and its legs.
    fn build(&self, state: &mut State, ground: [f64; CHUNKS], push: (f64, f64)) {
        let world = &mut state.world;
        world.reset(Vec2::from_f64((0.0, self.gravity)));
        let corner = |i: usize| Vec2::from_f64((W / (CHUNKS - 1) as f64 * i as f64, ground[i]));
        let mut edges = [FixtureDef::new(Shape::Edge(vec2(0.0, 0.0), Vec2::from_f64((W, 0.0)))); CHUNKS];
        for i in 0..CHUNKS - 1 {
            edges[i + 1] = FixtureDef { friction: 0.1, ..FixtureDef::new(Shape::Edge(corner(i), corner(i + 1))) };
        }
        world.create_static(&edges);
        let hull = Polygon::hull(&LANDER_POLY.map(|(x, y)| Vec2::from_f64((x / SCALE, y / SCALE))));
        let fixture = FixtureDef {
            density: 5.0,
            friction: 0.1,
            category_bits: 0x10,
            mask_bits: 1,
            ..FixtureDef::new(Shape::Polygon(hull))
        };
        let (x, y) = (W / 2.0, H);
        let lander = world.create_dynamic(Vec2::from_f64((x, y)), 0.0, &[fixture]);
        world.body_mut(lander).apply_force_to_center(Vec2::from_f64(push));
        for side in [-1.0, 1.0] {
            let leg = Shape::Polygon(Polygon::centered_box((LEG.0 / SCALE) as f32, (LEG.1 / SCALE) as f32));
            let fixture = FixtureDef { density: 1.0, category_bits: 0x20, mask_bits: 1, ..FixtureDef::new(leg) };
            let leg = world.create_dynamic(Vec2::from_f64((x - side * LEG_AWAY / SCALE, y)), (side * 0.05) as f32, &[fixture]);
            let limits = if side < 0.0 { (0.9 - 0.5, 0.9) } else { (-0.9, -0.9 + 0.5) };
            world.create_joint(&RevoluteJointDef {
                body_a: lander,
                body_b: leg,
                local_anchor_a: vec2(0.0, 0.0),
                local_anchor_b: Vec2::from_f64((side * LEG_AWAY / SCALE, LEG_DOWN / SCALE)),
                limits: Some((limits.0 as f32, limits.1 as f32)),
                motor: Some((LEG_SPRING_TORQUE as f32, (0.3 * side) as f32)),
            });
        }
        (state.ground, state.prev_shaping, state.game_over, state.ground_contact) = (ground, None, false, [false; 2]);
    }

    fn apply_wind(&self, state: &mut State) {
        let Some((wind, turbulence)) = self.wind_power.filter(|_| state.ground_contact == [false; 2]) else { return };
        let strength = |index: &mut i64| {
            let at = *index as f64;
            *index = index.wrapping_add(1);
            ((0.02 * at).sin() + (PI * 0.01 * at).sin()).tanh()
        };
        let lander = state.world.body_mut(LANDER);
        lander.apply_force_to_center(Vec2::from_f64((strength(&mut state.wind_idx[0]) * wind, 0.0)));
        lander.apply_torque((strength(&mut state.wind_idx[1]) * turbulence) as f32);
    }

    /// Applies the wind and the impulses of the engines to the lander, before the world's step.
    fn apply_action(&self, state: &mut State, thrust: Thrust, rng: &mut Generator) {
        self.apply_wind(state);
        let lander = state.world.body_mut(LANDER);
        let angle = f64::from(lander.angle());
        let tip = (angle.sin(), angle.cos());
        let side = (-tip.1, tip.0);
        let dispersion = [rng.uniform(-1.0, 1.0) / SCALE, rng.uniform(-1.0, 1.0) / SCALE];
        let position = lander.position();
        let (x, y) = (f64::from(position.x), f64::from(position.y));
        if thrust.m_power > 0.0 {
            let down = MAIN_ENGINE_Y_LOCATION / SCALE + 2.0 * dispersion[0];
            let ox = tip.0 * down + side.0 * dispersion[1];
            let oy = -tip.1 * down - side.1 * dispersion[1];
            let impulse = (-ox * MAIN_ENGINE_POWER * thrust.m_power, -oy * MAIN_ENGINE_POWER * thrust.m_power);
            lander.apply_linear_impulse(Vec2::from_f64(impulse), Vec2::from_f64((x + ox, y + oy)));
        }
        if thrust.s_power > 0.0 {
            let away = 3.0 * dispersion[1] + thrust.direction * SIDE_ENGINE_AWAY / SCALE;
            let ox = tip.0 * dispersion[0] + side.0 * away;
            let oy = -tip.1 * dispersion[0] - side.1 * away;
            let at = (x + ox - tip.0 * 17.0 / SCALE, y + oy + tip.1 * SIDE_ENGINE_HEIGHT / SCALE);
            let impulse = (-ox * SIDE_ENGINE_POWER * thrust.s_power, -oy * SIDE_ENGINE_POWER * thrust.s_power);
            lander.apply_linear_impulse(Vec2::from_f64(impulse), Vec2::from_f64(at));
        }
    }

    /// Updates the state after the world's step. Returns the reward, and whether the episode terminates.
    fn finish_step(&self, state: &mut State, thrust: Thrust) -> (f64, bool) {
        state.record_contacts();
        let [x, y, vx, vy, angle, _, left, right] = state.observation();
        let shaping = -100.0 * (x * x + y * y).sqrt() - 100.0 * (vx * vx + vy * vy).sqrt() - 100.0 * angle.abs()
            + 10.0 * left
            + 10.0 * right;
        let mut reward = state.prev_shaping.map_or(0.0, |before| shaping - before);
        state.prev_shaping = Some(shaping);
        reward -= thrust.m_power * 0.30;
        reward -= thrust.s_power * 0.03;
        if !state.lander().is_awake() {
            return (100.0, true);
        }
        if state.game_over || x.abs() >= 1.0 {
            return (-100.0, true);
        }
        (reward, false)
    }
}

impl State {
    fn lander(&self) -> &Body {
        self.world.body(LANDER)
    }

    fn record_contacts(&mut self) {
        for event in self.world.events() {
            self.game_over |= event.is_begin && event.bodies.contains(&LANDER);
            for (touches, leg) in self.ground_contact.iter_mut().zip(LEGS) {
                if event.bodies.contains(&leg) {
                    *touches = event.is_begin;
                }
            }
        }
    }

    /// Returns the observation before its conversion to float32.
    pub fn observation(&self) -> [f64; 8] {
        let lander = self.lander();
        let (p, v) = (lander.position(), lander.linear_velocity());
        let leg = |touches: bool| if touches { 1.0 } else { 0.0 };
        [
            (f64::from(p.x) - W / 2.0) / (W / 2.0),
            (f64::from(p.y) - (PAD_Y + LEG_DOWN / SCALE)) / (H / 2.0),
            f64::from(v.x) * (W / 2.0) / FPS,
            f64::from(v.y) * (H / 2.0) / FPS,
            f64::from(lander.angle()),
            20.0 * f64::from(lander.angular_velocity()) / FPS,
            leg(self.ground_contact[0]),
            leg(self.ground_contact[1]),
        ]
    }
}

impl Env for LunarLander {
    type State = State;
    type Random = Generator;
    const SCHEDULING: Scheduling = super::physics::SCHEDULING;

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::new("continuous", false, "continuous throttles instead of engines that are on or off"),
            OptionSpec::new("gravity", -10.0, "vertical acceleration in m/s², between -12 and 0, both excluded").per_episode(),
            OptionSpec::new("enable_wind", false, "apply wind and turbulence while no leg touches the ground").per_episode(),
            OptionSpec::new("wind_power", 15.0, "maximum wind force in N; gymnasium recommends 0 to 20").per_episode(),
            OptionSpec::new("turbulence_power", 1.5, "maximum turbulence torque in N m; gymnasium recommends 0 to 2")
                .per_episode(),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        let gravity = options.float("gravity");
        if !(-12.0 < gravity && gravity < 0.0) {
            return Err(Error::value("gravity", gravity, "between -12 and 0, both excluded"));
        }
        let wind = (options.float("wind_power"), options.float("turbulence_power"));
        let wind = options.bool("enable_wind").then_some(wind);
        Ok(Self { continuous: options.bool("continuous"), gravity, wind_power: wind, physics: Physics::default() })
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
        let mut state =
            State { world, ground, prev_shaping: None, game_over: false, ground_contact: [false; 2], wind_idx: [0; 2] };
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
        if self.wind_power.is_some() {
            state.wind_idx = [rng.integers(-9999, 9999), rng.integers(-9999, 9999)];
        }
        self.apply_action(state, Thrust::default(), rng);
        self.physics.step(&mut state.world);
        self.finish_step(state, Thrust::default());
    }

    fn step(&self, state: &mut State, action: &Action<'_>, rewards: &mut [f64], rng: &mut Generator) -> bool {
        let thrust = self.thrust(action);
        self.apply_action(state, thrust, rng);
        self.physics.step(&mut state.world);
        let (reward, over) = self.finish_step(state, thrust);
        rewards[0] = reward;
        over
    }

    fn step_lanes(&self, lanes: &mut [LaneStep<'_, Self>]) {
        self.physics.step_together(lanes, |lane| self.apply_action(lane.state, self.thrust(&lane.action), lane.random));
        for lane in lanes {
            (lane.rewards[0], lane.terminated) = self.finish_step(lane.state, self.thrust(&lane.action));
        }
    }

    fn observe(&self, state: &State, out: &mut Row<'_>) {
        out.write(0, &state.observation().map(|number| number as f32));
    }

    fn render_spec(&self) -> RenderSpec {
        RenderSpec::with_frame_size(PICTURE.0, PICTURE.1, 50)
    }

    fn render_frame(&self, state: &State, size: (u32, u32)) -> Frame {
        let surface = (PICTURE.0 as usize, PICTURE.1 as usize);
        if size == PICTURE {
            let mut target = Surface::new(surface, WHITE);
            paint(state, &mut target);
            return Frame::new(size.0, size.1, target.into_rgb());
        }
        let mut target = StretchedSurface::new(surface, 0.0, size, WHITE);
        paint(state, &mut target);
        target.into_frame()
    }

    fn is_valid(&self, state: &State) -> bool {
        state.world.body_count() == BODIES && state.world.is_valid()
    }
}

/// Draws terrain, lander, legs and flags: onto a [`Surface`], pixel for pixel as gymnasium does with pygame-ce.
///
/// Engine particles are not rendered: gymnasium creates them only with a render mode, and as bodies of the world.
fn paint(state: &State, target: &mut impl PictureTarget) {
    const LIGHT: Color = Color::rgb(128, 102, 230);
    const DARK: Color = Color::rgb(77, 77, 128);
    const FLAG: Color = Color::rgb(204, 204, 0);
    let chunk = |i: usize| W / (CHUNKS - 1) as f64 * i as f64;
    let ground: [Point; CHUNKS] = std::array::from_fn(|i| (chunk(i) * SCALE, state.ground[i] * SCALE));
    target.fill_terrain(&ground, H * SCALE, BLACK);
    for body in [LANDER, LEGS[0], LEGS[1]] {
        for corners in shape_vertices(&state.world, body, SCALE) {
            target.fill_aapolygon(&corners, LIGHT);
            target.draw_aalines(&corners, DARK);
            // gymnasium draws the flags once per shape of a body, which makes the flags' anti-aliased edges harder.
            for x in PAD.map(|i| chunk(i) * SCALE) {
                let (low, high) = (PAD_Y * SCALE, PAD_Y * SCALE + 50.0);
                target.draw_lines(&[(x, low), (x, high)], 1, WHITE);
                target.fill_aapolygon(&[(x, high), (x, high - 10.0), (x + 25.0, high - 5.0)], FLAG);
            }
        }
    }
}

/// Returns the LunarLander tasks with gymnasium's v3 ids, and the same environments with EnvPool's v2 ids.
pub fn tasks() -> Vec<Task> {
    let task = |id| Task::env::<LunarLander>(id).max_episode_steps(1000).reward_threshold(200.0);
    vec![
        task("LunarLander-v3"),
        task("LunarLanderContinuous-v3").preset("continuous", true),
        task("LunarLander-v2"),
        task("LunarLanderContinuous-v2").preset("continuous", true),
    ]
}

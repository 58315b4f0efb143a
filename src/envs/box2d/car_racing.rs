//! CarRacing: a car on a random track, seen from above. Follows gymnasium 1.4.0, `box2d/car_racing.py`.

use serde::{Deserialize, Serialize};

use super::car::{self, Controls, SkidParticles, Wheel};
use super::physics::{HasWorld, Physics};
use super::race_renderer::{self, Colors, PIXELS, PLAYFIELD, RaceScene};
use super::track::{self, Border, RoadSides};
use envpool_rs_engine::{
    Action, Dtype, Env, EnvSpec, Frame, InfoSpec, LaneStep, OptionSpec, Options, RenderSpec, ResetOptions, Result, Row,
    Scheduling, ScratchPool, Space, Task,
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_pictures::raster::SmoothScaled;
use envpool_rs_sim_box2d::{Body, BodyId, FixtureDef, Shape, Vec2, World, vec2};

/// Number of dynamic bodies of the car: the hull and four wheels.
const MOVING_BODIES: u32 = 5;
const GRAVITY: Vec2 = vec2(0.0, 0.0);

/// `CarRacing-v3`.
///
/// - Observation (uint8): 96 x 96 RGB pixels.
/// - Action: steering, gas and brake; or discrete: 0 nothing, 1 right, 2 left, 3 gas, 4 brake.
/// - Reward: 1000 for all tiles together, minus 0.1 per step; -100 outside the playfield.
/// - Terminates after a lap and outside the playfield.
/// - Info of the last step: whether a lap was finished.
#[derive(Debug)]
pub struct CarRacing {
    continuous: bool,
    domain_randomize: bool,
    lap_complete_percent: f64,
    physics: Physics,
    draw_targets: ScratchPool<SmoothScaled>,
}

/// State of a CarRacing environment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    world: World,
    is_fresh: bool,
    /// Whether a wheel has touched each tile of the track; `touched` stores whether any body, including the hull, has touched
    /// it.
    road_visited: Vec<bool>,
    touched: Vec<bool>,
    sides: Vec<RoadSides>,
    borders: Vec<Border>,
    colors: Colors,
    wheels: [Wheel; 4],
    skid_particles: SkidParticles,
    reward: f64,
    prev_reward: f64,
    tile_visited_count: u32,
    new_lap: bool,
    /// Whether the episode ended because a lap was finished, not because the car left the playfield.
    is_lap_finished: bool,
    /// Seconds since the start of the episode.
    time: f64,
}

impl HasWorld for State {
    fn world(&mut self) -> &mut World {
        &mut self.world
    }
}

impl State {
    fn tiles(&self) -> u32 {
        self.road_visited.len() as u32
    }

    /// Returns the body of the car's hull.
    fn hull(&self) -> &Body {
        self.world.body(BodyId(self.tiles()))
    }

    /// Returns the bodies of the car's wheels.
    fn wheel_bodies(&self) -> [BodyId; 4] {
        [1, 2, 3, 4].map(|wheel| BodyId(self.tiles() + wheel))
    }

    fn scene(&self) -> RaceScene<'_> {
        let Self { world, sides, touched, borders, colors, wheels, skid_particles, reward, time, .. } = self;
        RaceScene { world, sides, touched, borders, colors: *colors, wheels, skid_particles, reward: *reward, time: *time }
    }

    fn record_contacts(&mut self, lap_complete_percent: f64) {
        let tiles = self.tiles();
        for event in self.world.events() {
            let [a, b] = event.bodies.map(|body| body.0);
            let (tile, other) = if b < tiles { (b, a) } else { (a, b) };
            let Some(touched) = self.touched.get_mut(tile as usize) else { continue };
            *touched = true;
            let wheel = other.checked_sub(tiles + 1).and_then(|wheel| self.wheels.get_mut(wheel as usize));
            let Some(Wheel { tiles: on, .. }) = wheel else { continue };
            *on = if event.is_begin { on.wrapping_add(1) } else { on.wrapping_sub(1) };
            if event.is_begin && !self.road_visited[tile as usize] {
                self.road_visited[tile as usize] = true;
                self.reward += 1000.0 / f64::from(tiles);
                self.tile_visited_count += 1;
                self.new_lap |= tile == 0 && f64::from(self.tile_visited_count) / f64::from(tiles) > lap_complete_percent;
            }
        }
    }

    /// Returns ten quantities of the car, which tests compare with gymnasium's: the hull's position, velocity, angle and
    /// angular velocity, and the wheels' angular velocities.
    pub fn dynamics(&self) -> [f64; 10] {
        let hull = self.hull();
        let [a, b, c, d] = self.wheels.map(|wheel| wheel.omega);
        let (p, v) = (hull.position(), hull.linear_velocity());
        let [x, y, vx, vy, angle, w] = [p.x, p.y, v.x, v.y, hull.angle(), hull.angular_velocity()].map(f64::from);
        [x, y, vx, vy, angle, w, a, b, c, d]
    }
}

impl CarRacing {
    fn controls(&self, action: &Action<'_>) -> Controls {
        if self.continuous {
            let [steer, gas, brake] = [0, 1, 2].map(|i| f64::from(action.continuous(0, 3)[i]));
            return Controls { steer: -steer, gas, brake };
        }
        let is = |which: i32, value: f64| if action.discrete() == which { value } else { 0.0 };
        Controls { steer: is(1, -0.6) + is(2, 0.6), gas: is(3, 0.2), brake: is(4, 0.8) }
    }

    fn apply_action(&self, state: &mut State, controls: Controls) {
        car::apply_controls(&mut state.wheels, controls);
        let bodies = state.wheel_bodies();
        car::step_car(&mut state.world, &mut state.wheels, &mut state.skid_particles, bodies);
    }

    fn update_progress(&self, state: &mut State) {
        state.record_contacts(self.lap_complete_percent);
        state.time += 1.0 / 50.0;
    }

    fn finish_step(&self, state: &mut State) -> (f64, bool) {
        self.update_progress(state);
        state.reward -= 0.1;
        let reward = state.reward - state.prev_reward;
        state.prev_reward = state.reward;
        let p = state.hull().position();
        if f64::from(p.x).abs() > PLAYFIELD || f64::from(p.y).abs() > PLAYFIELD {
            state.is_lap_finished = false;
            return (-100.0, true);
        }
        state.is_lap_finished = state.tile_visited_count == state.tiles() || state.new_lap;
        (reward, state.is_lap_finished)
    }
}

impl CarRacing {
    /// Writes the observation into `pixels`: RGB bytes, row by row.
    pub fn render_observation(&self, state: &State, pixels: &mut [u8]) {
        let drawn = self
            .draw_targets
            .with(|| Ok(SmoothScaled::default()), |canvas| race_renderer::render_observation(&state.scene(), canvas, pixels));
        if let Err(error) = drawn {
            error.raise();
        }
    }
}

/// Colours of episodes that are not randomized.
const COLORS: Colors = Colors { road: [102.0; 3], field: [102.0, 204.0, 102.0], grass: [102.0, 230.0, 102.0] };

fn draw_colors(rng: &mut Generator) -> Colors {
    let mut three = || [0; 3].map(|_| rng.uniform(0.0, 210.0));
    let (road, field) = (three(), three());
    let mut grass = field;
    grass[rng.integers(0, 3) as usize] += 20.0;
    Colors { road, field, grass }
}

impl Env for CarRacing {
    type State = State;
    type Random = Generator;
    /// Drawing takes most of a step, and is not faster in large batches.
    const SCHEDULING: Scheduling = Scheduling::Batched(32);
    const RESET_OPTIONS: &'static [&'static str] = &["randomize"];

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::new("verbose", false, "accepted for compatibility with gymnasium; has no effect"),
            OptionSpec::new("lap_complete_percent", 0.95, "share of the tiles to visit before a lap counts").per_episode(),
            OptionSpec::new("domain_randomize", false, "random colours of road and background in each episode").per_episode(),
            OptionSpec::new("continuous", true, "continuous steering, gas and brake instead of five discrete actions"),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        Ok(Self {
            continuous: options.bool("continuous"),
            domain_randomize: options.bool("domain_randomize"),
            lap_complete_percent: options.float("lap_complete_percent"),
            physics: Physics::default(),
            draw_targets: ScratchPool::default(),
        })
    }

    fn spec(&self) -> EnvSpec {
        let pixels = Space::uniform(0.0, 255.0, &[PIXELS, PIXELS, 3], Dtype::U8);
        let action = if self.continuous { Space::vector(&[-1.0, 0.0, 0.0], &[1.0; 3]) } else { Space::discrete(5) };
        let lap_finished = InfoSpec::new("lap_finished", Dtype::Bool, &[]).only_after_terminations().only_in_gymnasium();
        EnvSpec { info: vec![lap_finished], ..EnvSpec::new(pixels, action) }
    }

    fn heap_bytes(&self) -> usize {
        200 << 10
    }

    fn create(&self, _lane: usize) -> Result<State> {
        let mut world = World::new(GRAVITY);
        let edge = Shape::Edge(vec2(0.0, 0.0), vec2(1.0, 0.0));
        world.create_static(&[FixtureDef { is_sensor: true, ..FixtureDef::new(edge) }]);
        car::build_car(&mut world, 0.0, (0.0, 0.0));
        Ok(State {
            world,
            is_fresh: true,
            road_visited: vec![false],
            touched: vec![false],
            sides: vec![[(0.0, 0.0); 2]],
            borders: Vec::new(),
            colors: COLORS,
            wheels: [Wheel::default(); 4],
            skid_particles: SkidParticles::default(),
            reward: 0.0,
            prev_reward: 0.0,
            tile_visited_count: 0,
            new_lap: false,
            is_lap_finished: false,
            time: 0.0,
        })
    }

    fn reset(&self, state: &mut State, options: &ResetOptions, rng: &mut Generator) {
        if std::mem::take(&mut state.is_fresh) {
            state.world.reset(GRAVITY);
        } else {
            state.world.destroy_bodies((0..state.tiles() + MOVING_BODIES).map(BodyId));
        }
        if !self.domain_randomize {
            state.colors = COLORS; // an earlier episode may have been randomized
        } else if options.get_or("randomize", 1.0) != 0.0 {
            state.colors = draw_colors(rng);
        }
        let road = std::iter::repeat_with(|| track::try_create_track(rng)).flatten().next().unwrap_or_default();
        (state.sides, state.borders) = track::build_road(&mut state.world, &road);
        car::build_car(&mut state.world, road[0].beta, (road[0].x, road[0].y));
        for flags in [&mut state.road_visited, &mut state.touched] {
            flags.clear();
            flags.resize(road.len(), false);
        }
        state.wheels = [Wheel::default(); 4];
        state.skid_particles.clear();
        (state.reward, state.prev_reward, state.tile_visited_count) = (0.0, 0.0, 0);
        (state.new_lap, state.is_lap_finished, state.time) = (false, false, 0.0);
        let bodies = state.wheel_bodies();
        car::step_car(&mut state.world, &mut state.wheels, &mut state.skid_particles, bodies);
        self.physics.step(&mut state.world);
        self.update_progress(state);
    }

    fn step(&self, state: &mut State, action: &Action<'_>, rewards: &mut [f64], _rng: &mut Generator) -> bool {
        self.apply_action(state, self.controls(action));
        self.physics.step(&mut state.world);
        let (reward, over) = self.finish_step(state);
        rewards[0] = reward;
        over
    }

    fn step_lanes(&self, lanes: &mut [LaneStep<'_, Self>]) {
        self.physics.step_together(lanes, |lane| self.apply_action(lane.state, self.controls(&lane.action)));
        for lane in lanes {
            (lane.rewards[0], lane.terminated) = self.finish_step(lane.state);
        }
    }

    fn observe(&self, state: &State, out: &mut Row<'_>) {
        if let Some(pixels) = out.bytes(0) {
            self.render_observation(state, pixels);
        }
    }

    fn info(&self, state: &State, out: &mut Row<'_>) {
        out.scalar(0, u8::from(state.is_lap_finished));
    }

    fn render_spec(&self) -> RenderSpec {
        RenderSpec::with_frame_size(race_renderer::PICTURE.0, race_renderer::PICTURE.1, 50)
    }

    fn render_frame(&self, state: &State, size: (u32, u32)) -> Frame {
        race_renderer::render_picture(&state.scene(), size)
    }

    fn is_valid(&self, state: &State) -> bool {
        let tiles = state.road_visited.len();
        tiles > 0
            && state.touched.len() == tiles
            && state.sides.len() == tiles
            && state.world.body_count() == tiles + MOVING_BODIES as usize
            && state.world.joint_count() == car::JOINTS.len()
            && state.skid_particles.is_valid()
            && state.borders.iter().all(|kerb| (kerb.tile as usize) < tiles)
            && state.world.is_valid()
    }
}

/// Returns the tasks `CarRacing-v3` and `CarRacing-v2`, EnvPool's id for the same environment.
pub fn tasks() -> Vec<Task> {
    ["CarRacing-v3", "CarRacing-v2"].map(|id| Task::env::<CarRacing>(id).max_episode_steps(1000).reward_threshold(900.0)).into()
}

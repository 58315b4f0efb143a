//! BipedalWalker: a hull on two legs walks over rough terrain with stumps, stairs and pits. Follows gymnasium 1.4.0,
//! `box2d/bipedal_walker.py`.
//!
//! The world persists across episodes, as in gymnasium: the order in which bodies are destroyed decides the order of contacts in
//! the next episode. Rewards are float32 after the subtraction of action costs, because actions are float32.

use serde::{Deserialize, Serialize};

use super::physics::{HasWorld, Physics};
use super::terrain::{self, Cloud, SCALE, TERRAIN_HEIGHT, TERRAIN_STEP};
use super::walker_renderer::{VIEWPORT, WalkerScene};
use envpool_rs_engine::{
    Action, Env, EnvSpec, Frame, LaneStep, OptionSpec, Options, RenderSpec, ResetOptions, Result, Row, Scheduling, Space, Task,
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_box2d::{BodyId, FixtureDef, JointId, Polygon, RevoluteJointDef, Shape, Vec2, World, exceeds_cache, vec2};

const FPS: f64 = 50.0;
const MOTORS_TORQUE: f32 = 80.0;
const SPEED_HIP: f32 = 4.0;
const SPEED_KNEE: f32 = 6.0;
const LIDAR_RANGE: f64 = 160.0 / SCALE;
const LIDAR_RAYS: usize = 10;
/// Maximum of the random horizontal force that pushes the hull at the start of an episode, in N.
const INITIAL_RANDOM: f64 = 5.0;
const HULL_POLY: [(f64, f64); 5] = [(-30.0, 9.0), (6.0, 9.0), (34.0, 1.0), (34.0, -8.0), (-30.0, -8.0)];
const LEG_DOWN: f64 = -8.0 / SCALE;
const LEG_W: f64 = 8.0 / SCALE;
const LEG_H: f64 = 34.0 / SCALE;
/// Width of the viewport in metres of the simulated world.
const VIEW_WIDTH: f64 = 600.0 / SCALE;
/// Number of dynamic bodies of the walker: the hull, and the upper and lower part of each leg.
const MOVING_BODIES: u32 = 5;
const JOINTS: [JointId; 4] = [JointId(0), JointId(1), JointId(2), JointId(3)];
const GRAVITY: Vec2 = vec2(0.0, -10.0);

/// `BipedalWalker-v3`.
///
/// - Observation (float32): the hull's angle, angular velocity and velocity; for each leg, hip and knee angles and speeds and
///   ground contact; ten lidar distances.
/// - Action: torques of hips and knees.
/// - Reward: proportional to the distance covered, minus a cost of the torques; -100 for a fall.
/// - Terminates on a fall and at the end of the terrain.
#[derive(Debug)]
pub struct BipedalWalker {
    hardcore: bool,
    lidar_rays: LidarRays,
    physics: Physics,
}

/// State of a BipedalWalker environment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    world: World,
    /// Whether no episode has been started in the environment yet.
    is_fresh: bool,
    /// Number of bodies of the terrain, which come before the walker's bodies in the world.
    ground_bodies: u32,
    /// Heights of the terrain points in metres, in float64 for rendering.
    heights: Vec<f64>,
    clouds: Vec<Cloud>,
    prev_shaping: Option<f64>,
    game_over: bool,
    ground_contact: [bool; 2],
    lidar: [f32; LIDAR_RAYS],
    /// Number of steps in the current episode so far.
    steps: u32,
}

impl HasWorld for State {
    fn world(&mut self) -> &mut World {
        &mut self.world
    }
}

impl State {
    /// Returns the bodies of the walker: the hull and the parts of the legs.
    fn walker(&self) -> [BodyId; MOVING_BODIES as usize] {
        [0, 1, 2, 3, 4].map(|part| BodyId(self.ground_bodies + part))
    }

    fn record_contacts(&mut self) {
        let [hull, _, left, _, right] = self.walker();
        for event in self.world.events() {
            self.game_over |= event.is_begin && event.bodies.contains(&hull);
            for (touches, leg) in self.ground_contact.iter_mut().zip([left, right]) {
                if event.bodies.contains(&leg) {
                    *touches = event.is_begin;
                }
            }
        }
    }

    /// Starts to load the terrain near the lidar's rays into the cache.
    fn prefetch_lidar(&self, is_first: bool) {
        const EDGES: u32 = terrain::TERRAIN_LENGTH as u32 - 1;
        let steps = |distance: f64| (distance / TERRAIN_STEP) as u32;
        let first = self.ground_bodies.saturating_sub(EDGES)
            + steps(f64::from(self.world.body(self.walker()[0]).position().x)).min(EDGES);
        self.world.prefetch_bodies(first..first + steps(LIDAR_RANGE) + 2, is_first);
    }

    fn update_lidar(&mut self, rays: &LidarRays) {
        let p1 = self.world.body(self.walker()[0]).position();
        let ends: [_; LIDAR_RAYS] = std::array::from_fn(|ray| Vec2::from_f64(end_of_ray(p1, rays[ray])));
        self.lidar = self.world.ray_cast_fan(p1, &ends, |fixture| fixture.category_bits() & 1 != 0);
    }

    /// Returns the lidar ray to draw in a rendered image; `None` if no ray is drawn.
    ///
    /// gymnasium draws a different ray at each `render()`, and in most calls no ray. This function returns the ray that
    /// gymnasium draws if `render()` was called after the reset and after each step.
    fn rendered_lidar_ray(&self, rays: &LidarRays) -> Option<[(f64, f64); 2]> {
        const ROUND: u32 = 100;
        let frame = (self.steps.wrapping_add(1) % ROUND) as usize;
        let ray = if frame < LIDAR_RAYS { frame } else { (2 * LIDAR_RAYS - 1).checked_sub(frame)? };
        let p1 = self.world.body(self.walker()[0]).position();
        let (end, fraction) = (end_of_ray(p1, rays[ray]), self.lidar[ray]);
        let double = |v: Vec2| (f64::from(v.x), f64::from(v.y));
        let p2 = if fraction < 1.0 { double((1.0 - fraction) * p1 + fraction * Vec2::from_f64(end)) } else { end };
        Some([double(p1), p2])
    }

    /// Returns the observation before its conversion to float32.
    pub fn observation(&self) -> [f64; 14 + LIDAR_RAYS] {
        let hull = self.world.body(self.walker()[0]);
        let v = hull.linear_velocity();
        let mut observation = [0.0; 14 + LIDAR_RAYS];
        observation[0] = f64::from(hull.angle());
        observation[1] = 2.0 * f64::from(hull.angular_velocity()) / FPS;
        observation[2] = 0.3 * f64::from(v.x) * VIEW_WIDTH / FPS;
        observation[3] = 0.3 * f64::from(v.y) * (400.0 / SCALE) / FPS;
        for (leg, part) in observation[4..14].chunks_exact_mut(5).enumerate() {
            let (hip, knee) = (JOINTS[2 * leg], JOINTS[2 * leg + 1]);
            part[0] = f64::from(self.world.joint_angle(hip));
            part[1] = f64::from(self.world.joint_speed(hip)) / f64::from(SPEED_HIP);
            part[2] = f64::from(self.world.joint_angle(knee)) + 1.0;
            part[3] = f64::from(self.world.joint_speed(knee)) / f64::from(SPEED_KNEE);
            part[4] = if self.ground_contact[leg] { 1.0 } else { 0.0 };
        }
        for (value, fraction) in observation[14..].iter_mut().zip(self.lidar) {
            *value = f64::from(fraction);
        }
        observation
    }
}

/// Vectors from start to end of each lidar ray, to the right and down, in metres.
type LidarRays = [(f64, f64); LIDAR_RAYS];

fn lidar_rays() -> LidarRays {
    std::array::from_fn(|ray| {
        let angle = 1.5 * ray as f64 / 10.0;
        (angle.sin() * LIDAR_RANGE, angle.cos() * LIDAR_RANGE)
    })
}

/// Returns the end point of a lidar ray that starts at `from` and hits nothing; `right` and `down` are the components of the
/// ray's vector.
fn end_of_ray(from: Vec2, (right, down): (f64, f64)) -> (f64, f64) {
    (f64::from(from.x) + right, f64::from(from.y) - down)
}

impl BipedalWalker {
    fn build_walker(&self, world: &mut World, force: f64) {
        let (x, y) = (TERRAIN_STEP * terrain::TERRAIN_STARTPAD as f64 / 2.0, TERRAIN_HEIGHT + 2.0 * LEG_H);
        let hull = Shape::Polygon(Polygon::hull(&HULL_POLY.map(|(x, y)| Vec2::from_f64((x / SCALE, y / SCALE)))));
        let of = |shape, density, friction| FixtureDef {
            density,
            friction,
            category_bits: 0x20,
            mask_bits: 1,
            ..FixtureDef::new(shape)
        };
        let hull = world.create_dynamic(Vec2::from_f64((x, y)), 0.0, &[of(hull, 5.0, 0.1)]);
        world.body_mut(hull).apply_force_to_center(Vec2::from_f64((force, 0.0)));
        let part = |width: f64| of(Shape::Polygon(Polygon::centered_box(width as f32, (LEG_H / 2.0) as f32)), 1.0, 0.2);
        for side in [-1.0, 1.0] {
            let angle = (side * 0.05) as f32;
            let upper = world.create_dynamic(Vec2::from_f64((x, y - LEG_H / 2.0 - LEG_DOWN)), angle, &[part(LEG_W / 2.0)]);
            let joint = |body_a, body_b, anchor_a: f64, speed: f64, limits: (f64, f64)| RevoluteJointDef {
                body_a,
                body_b,
                local_anchor_a: Vec2::from_f64((0.0, anchor_a)),
                local_anchor_b: Vec2::from_f64((0.0, LEG_H / 2.0)),
                limits: Some((limits.0 as f32, limits.1 as f32)),
                motor: Some((MOTORS_TORQUE, speed as f32)),
            };
            world.create_joint(&joint(hull, upper, LEG_DOWN, side, (-0.8, 1.1)));
            let position = Vec2::from_f64((x, y - LEG_H * 3.0 / 2.0 - LEG_DOWN));
            let lower = world.create_dynamic(position, angle, &[part(0.8 * LEG_W / 2.0)]);
            world.create_joint(&joint(upper, lower, -LEG_H / 2.0, 1.0, (-1.6, -0.1)));
        }
    }

    /// Destroys the bodies of the last episode in the same order as gymnasium.
    fn destroy_bodies(&self, state: &mut State) {
        if std::mem::take(&mut state.is_fresh) {
            state.world.reset(GRAVITY);
        } else {
            let walker = state.walker();
            state.world.destroy_bodies((0..state.ground_bodies).rev().map(BodyId).chain(walker));
        }
        (state.prev_shaping, state.game_over, state.ground_contact) = (None, false, [false; 2]);
    }

    fn apply_action(&self, state: &mut State, action: &[f32]) {
        for (i, (joint, action)) in JOINTS.into_iter().zip(action).enumerate() {
            let speed = if i % 2 == 0 { SPEED_HIP } else { SPEED_KNEE };
            state.world.set_motor(joint, speed * sign(*action), Some(MOTORS_TORQUE * torque_scale(*action)));
        }
    }

    fn finish_step(&self, state: &mut State, action: &[f32]) -> (f64, bool) {
        state.record_contacts();
        state.update_lidar(&self.lidar_rays);
        state.steps = state.steps.wrapping_add(1);
        let hull = state.world.body(state.walker()[0]);
        let (x, angle) = (f64::from(hull.position().x), f64::from(hull.angle()));
        let shaping = 130.0 * x / SCALE - 5.0 * angle.abs();
        let mut reward = state.prev_shaping.map_or(0.0, |before| shaping - before) as f32;
        state.prev_shaping = Some(shaping);
        for action in action {
            reward -= (0.00035 * f64::from(MOTORS_TORQUE)) as f32 * torque_scale(*action);
        }
        let is_over = state.game_over || x < 0.0;
        let reward = if is_over { -100.0 } else { f64::from(reward) };
        (reward, is_over || x > (terrain::TERRAIN_LENGTH - terrain::TERRAIN_GRASS) as f64 * TERRAIN_STEP)
    }
}

/// Returns the sign as numpy does: 0 for both zeros, NaN for NaN.
fn sign(x: f32) -> f32 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else if x == 0.0 {
        0.0
    } else {
        x
    }
}

/// Returns the motor torque for one element of an action, as a fraction of the maximum torque (0 to 1).
fn torque_scale(action: f32) -> f32 {
    action.abs().clamp(0.0, 1.0)
}

impl Env for BipedalWalker {
    type State = State;
    type Random = Generator;
    const SCHEDULING: Scheduling = super::physics::SCHEDULING;

    fn options() -> Vec<OptionSpec> {
        vec![OptionSpec::new("hardcore", false, "terrain with stumps, stairs and pits").per_episode()]
    }

    fn new(options: &Options) -> Result<Self> {
        Ok(Self { hardcore: options.bool("hardcore"), lidar_rays: lidar_rays(), physics: Physics::default() })
    }

    fn spec(&self) -> EnvSpec {
        use std::f64::consts::PI;
        let mut high = vec![PI, 5.0, 5.0, 5.0, PI, 5.0, PI, 5.0, 5.0, PI, 5.0, PI, 5.0, 5.0];
        let mut low: Vec<_> = high.iter().map(|high| -high).collect();
        (low[8], low[13]) = (-0.0, -0.0);
        low.resize(14 + LIDAR_RAYS, -1.0);
        high.resize(14 + LIDAR_RAYS, 1.0);
        EnvSpec::new(Space::vector(&low, &high), Space::vector(&[-1.0; 4], &[1.0; 4]))
    }

    fn heap_bytes(&self) -> usize {
        100 << 10
    }

    fn create(&self, _lane: usize) -> Result<State> {
        let mut state = State {
            world: World::new(GRAVITY),
            is_fresh: true,
            ground_bodies: 0,
            heights: vec![TERRAIN_HEIGHT; terrain::TERRAIN_LENGTH],
            clouds: Vec::new(),
            prev_shaping: None,
            game_over: false,
            ground_contact: [false; 2],
            lidar: [1.0; LIDAR_RAYS],
            steps: 0,
        };
        state
            .world
            .create_static(&[FixtureDef::new(Shape::Edge(vec2(0.0, TERRAIN_HEIGHT as f32), vec2(100.0, TERRAIN_HEIGHT as f32)))]);
        state.ground_bodies = 1;
        self.build_walker(&mut state.world, 0.0);
        Ok(state)
    }

    fn reset(&self, state: &mut State, _options: &ResetOptions, rng: &mut Generator) {
        self.destroy_bodies(state);
        state.heights.copy_from_slice(&terrain::generate_terrain(&mut state.world, self.hardcore, rng));
        state.ground_bodies = state.world.body_count() as u32;
        terrain::generate_clouds(&mut state.clouds, rng);
        self.build_walker(&mut state.world, rng.uniform(-INITIAL_RANDOM, INITIAL_RANDOM));
        self.apply_action(state, &[0.0; 4]);
        self.physics.step(&mut state.world);
        self.finish_step(state, &[0.0; 4]);
        state.steps = 0;
    }

    fn step(&self, state: &mut State, action: &Action<'_>, rewards: &mut [f64], _rng: &mut Generator) -> bool {
        let action = action.continuous(0, 4);
        self.apply_action(state, action);
        self.physics.step(&mut state.world);
        let (reward, over) = self.finish_step(state, action);
        rewards[0] = reward;
        over
    }

    fn step_lanes(&self, lanes: &mut [LaneStep<'_, Self>]) {
        self.physics.step_together(lanes, |lane| self.apply_action(lane.state, lane.action.continuous(0, 4)));
        for index in 0..lanes.len() {
            for (ahead, is_first) in [(2, true), (1, false)] {
                if exceeds_cache(lanes.len())
                    && let Some(lane) = lanes.get(index + ahead)
                {
                    lane.state.prefetch_lidar(is_first);
                }
            }
            let lane = &mut lanes[index];
            (lane.rewards[0], lane.terminated) = self.finish_step(lane.state, lane.action.continuous(0, 4));
        }
    }

    fn observe(&self, state: &State, out: &mut Row<'_>) {
        out.write(0, &state.observation().map(|number| number as f32));
    }

    fn render_spec(&self) -> RenderSpec {
        RenderSpec::with_frame_size(VIEWPORT.0, VIEWPORT.1, 50)
    }

    fn render_frame(&self, state: &State, size: (u32, u32)) -> Frame {
        let State { world, ground_bodies, heights, clouds, .. } = state;
        WalkerScene {
            world,
            ground_bodies: *ground_bodies,
            heights,
            walker: state.walker(),
            clouds,
            ray: state.rendered_lidar_ray(&self.lidar_rays),
        }
        .render(size)
    }

    fn is_valid(&self, state: &State) -> bool {
        state.ground_bodies.checked_add(MOVING_BODIES) == Some(state.world.body_count() as u32)
            && state.world.joint_count() == JOINTS.len()
            && state.heights.len() == terrain::TERRAIN_LENGTH
            && state.world.is_valid()
    }
}

/// Returns the tasks `BipedalWalker-v3` and `BipedalWalkerHardcore-v3`.
pub fn tasks() -> Vec<Task> {
    let task = |id, steps| Task::env::<BipedalWalker>(id).max_episode_steps(steps).reward_threshold(300.0);
    vec![task("BipedalWalker-v3", 1600), task("BipedalWalkerHardcore-v3", 2000).preset("hardcore", true)]
}

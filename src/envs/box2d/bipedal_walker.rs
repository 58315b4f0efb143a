//! BipedalWalker: a hull on two legs walks over uneven ground, and over ladders, stumps and pits. Follows gymnasium 1.4.0,
//! `box2d/bipedal_walker.py`.
//!
//! The world of an environment outlives its episodes, as gymnasium's does: what is destroyed leaves numbers free in an order that the next
//! episode's contacts depend on. Rewards are float32 wherever actions, which are, have been taken off them.

use serde::{Deserialize, Serialize};

use super::terrain::{self, Cloud, HEIGHT, SCALE, STEP};
use super::together::{Landscape, Physics};
use super::walker_picture::Scene;
use envpool_rs_engine::{
    Action, Env, EnvSpec, OptionSpec, Options, Picture, Rendering, ResetOptions, Result, Row, Scheduling, Space, Stepped, Task,
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_box2d::{BodyId, FixtureDef, JointId, Polygon, RevoluteJointDef, Shape, Vec2, World, vec2};

const FPS: f64 = 50.0;
const MOTORS_TORQUE: f32 = 80.0;
const SPEED_HIP: f32 = 4.0;
const SPEED_KNEE: f32 = 6.0;
const LIDAR_RANGE: f64 = 160.0 / SCALE;
const RAYS: usize = 10;
/// Most force at the start.
const INITIAL_RANDOM: f64 = 5.0;
const HULL_POLY: [(f64, f64); 5] = [(-30.0, 9.0), (6.0, 9.0), (34.0, 1.0), (34.0, -8.0), (-30.0, -8.0)];
const LEG_DOWN: f64 = -8.0 / SCALE;
const LEG_W: f64 = 8.0 / SCALE;
const LEG_H: f64 = 34.0 / SCALE;
/// Width of a picture in metres.
const WIDTH: f64 = 600.0 / SCALE;
/// Bodies that move: the hull, then each leg's upper and lower part.
const MOVING: u32 = 5;
const JOINTS: [JointId; 4] = [JointId(0), JointId(1), JointId(2), JointId(3)];
const GRAVITY: Vec2 = vec2(0.0, -10.0);

/// `BipedalWalker-v3`.
///
/// - Observation (float32): the hull's angle, angular velocity and velocity, of each leg the angles and speeds of hip and knee and whether
///   it touches the ground, and ten distances that the lidar sees.
/// - Action: torques of hips and knees.
/// - Reward: the way that was made, less torque; -100 for a fall.
/// - Terminates on a fall, and at the end of the ground.
#[derive(Debug)]
pub struct BipedalWalker {
    hardcore: bool,
    rays: Rays,
    physics: Physics,
}

/// One walker and its ground.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    world: World,
    /// Whether no episode has been played.
    is_fresh: bool,
    /// How many bodies the ground is made of. The walker's come after these.
    ground: u32,
    /// Heights of the ground at the ends of its pieces, which pictures show in float64.
    heights: Vec<f64>,
    clouds: Vec<Cloud>,
    shaping: Option<f64>,
    has_fallen: bool,
    touches: [bool; 2],
    lidar: [f32; RAYS],
    /// Steps of the episode.
    steps: u32,
}

impl Landscape for State {
    fn world(&mut self) -> &mut World {
        &mut self.world
    }
}

impl State {
    /// The hull, and the parts of the legs.
    fn walker(&self) -> [BodyId; MOVING as usize] {
        [0, 1, 2, 3, 4].map(|part| BodyId(self.ground + part))
    }

    fn note_contacts(&mut self) {
        let [hull, _, left, _, right] = self.walker();
        for event in self.world.events() {
            self.has_fallen |= event.begins && event.bodies.contains(&hull);
            for (touches, leg) in self.touches.iter_mut().zip([left, right]) {
                if event.bodies.contains(&leg) {
                    *touches = event.begins;
                }
            }
        }
    }

    fn look_around(&mut self, rays: &Rays) {
        let p1 = self.world.body(self.walker()[0]).position();
        let ends: [_; RAYS] = std::array::from_fn(|ray| Vec2::of(end_of_ray(p1, rays[ray])));
        self.lidar = self.world.cast_fan(p1, &ends, |fixture| fixture.category() & 1 != 0);
    }

    /// The ray that is shown in the picture of this step: gymnasium shows another one each time that it draws, and none most of the time.
    /// It is as though each step had been drawn, and the beginning of the episode.
    fn shown_ray(&self, rays: &Rays) -> Option<[(f64, f64); 2]> {
        const ROUND: u32 = 100;
        let drawn = (self.steps.wrapping_add(1) % ROUND) as usize;
        let ray = if drawn < RAYS { drawn } else { (2 * RAYS - 1).checked_sub(drawn)? };
        let p1 = self.world.body(self.walker()[0]).position();
        let (end, fraction) = (end_of_ray(p1, rays[ray]), self.lidar[ray]);
        let double = |v: Vec2| (f64::from(v.x), f64::from(v.y));
        let p2 = if fraction < 1.0 { double((1.0 - fraction) * p1 + fraction * Vec2::of(end)) } else { end };
        Some([double(p1), p2])
    }

    /// The observation in float64.
    pub fn numbers(&self) -> [f64; 14 + RAYS] {
        let hull = self.world.body(self.walker()[0]);
        let v = hull.velocity();
        let mut numbers = [0.0; 14 + RAYS];
        numbers[0] = f64::from(hull.angle());
        numbers[1] = 2.0 * f64::from(hull.angular_velocity()) / FPS;
        numbers[2] = 0.3 * f64::from(v.x) * WIDTH / FPS;
        numbers[3] = 0.3 * f64::from(v.y) * (400.0 / SCALE) / FPS;
        for (leg, numbers) in numbers[4..14].chunks_exact_mut(5).enumerate() {
            let (hip, knee) = (JOINTS[2 * leg], JOINTS[2 * leg + 1]);
            numbers[0] = f64::from(self.world.joint_angle(hip));
            numbers[1] = f64::from(self.world.joint_speed(hip)) / f64::from(SPEED_HIP);
            numbers[2] = f64::from(self.world.joint_angle(knee)) + 1.0;
            numbers[3] = f64::from(self.world.joint_speed(knee)) / f64::from(SPEED_KNEE);
            numbers[4] = if self.touches[leg] { 1.0 } else { 0.0 };
        }
        for (number, fraction) in numbers[14..].iter_mut().zip(self.lidar) {
            *number = f64::from(fraction);
        }
        numbers
    }
}

/// How far to the side and down each of the lidar's rays goes.
type Rays = [(f64, f64); RAYS];

fn rays() -> Rays {
    std::array::from_fn(|ray| {
        let angle = 1.5 * ray as f64 / 10.0;
        (angle.sin() * LIDAR_RANGE, angle.cos() * LIDAR_RANGE)
    })
}

/// Where a ray ends if nothing is in its way.
fn end_of_ray(from: Vec2, (aside, down): (f64, f64)) -> (f64, f64) {
    (f64::from(from.x) + aside, f64::from(from.y) - down)
}

impl BipedalWalker {
    fn build_walker(&self, world: &mut World, force: f64) {
        let (x, y) = (STEP * terrain::START as f64 / 2.0, HEIGHT + 2.0 * LEG_H);
        let hull = Shape::Polygon(Polygon::hull(&HULL_POLY.map(|(x, y)| Vec2::of((x / SCALE, y / SCALE)))));
        let of = |shape, density, friction| FixtureDef { density, friction, category: 0x20, mask: 1, ..FixtureDef::new(shape) };
        let hull = world.create_dynamic(Vec2::of((x, y)), 0.0, &[of(hull, 5.0, 0.1)]);
        world.body_mut(hull).apply_force_to_center(Vec2::of((force, 0.0)));
        let part = |width: f64| of(Shape::Polygon(Polygon::centered_box(width as f32, (LEG_H / 2.0) as f32)), 1.0, 0.2);
        for side in [-1.0, 1.0] {
            let angle = (side * 0.05) as f32;
            let upper = world.create_dynamic(Vec2::of((x, y - LEG_H / 2.0 - LEG_DOWN)), angle, &[part(LEG_W / 2.0)]);
            let joint = |body_a, body_b, anchor_a: f64, speed: f64, limits: (f64, f64)| RevoluteJointDef {
                body_a,
                body_b,
                local_anchor_a: Vec2::of((0.0, anchor_a)),
                local_anchor_b: Vec2::of((0.0, LEG_H / 2.0)),
                limits: Some((limits.0 as f32, limits.1 as f32)),
                motor: Some((MOTORS_TORQUE, speed as f32)),
            };
            world.create_joint(&joint(hull, upper, LEG_DOWN, side, (-0.8, 1.1)));
            let place = Vec2::of((x, y - LEG_H * 3.0 / 2.0 - LEG_DOWN));
            let lower = world.create_dynamic(place, angle, &[part(0.8 * LEG_W / 2.0)]);
            world.create_joint(&joint(upper, lower, -LEG_H / 2.0, 1.0, (-1.6, -0.1)));
        }
    }

    /// Destroys what was there, as gymnasium orders it.
    fn tear_down(&self, state: &mut State) {
        if std::mem::take(&mut state.is_fresh) {
            state.world.renew(GRAVITY);
        } else {
            let walker = state.walker();
            state.world.destroy_bodies((0..state.ground).rev().map(BodyId).chain(walker));
        }
        (state.shaping, state.has_fallen, state.touches) = (None, false, [false; 2]);
    }

    fn push(&self, state: &mut State, action: &[f32]) {
        for (i, (joint, action)) in JOINTS.into_iter().zip(action).enumerate() {
            let speed = if i % 2 == 0 { SPEED_HIP } else { SPEED_KNEE };
            state.world.set_motor(joint, speed * sign(*action), Some(MOTORS_TORQUE * strength(*action)));
        }
    }

    fn judge(&self, state: &mut State, action: &[f32]) -> (f64, bool) {
        state.note_contacts();
        state.look_around(&self.rays);
        state.steps = state.steps.wrapping_add(1);
        let hull = state.world.body(state.walker()[0]);
        let (x, angle) = (f64::from(hull.position().x), f64::from(hull.angle()));
        let shaping = 130.0 * x / SCALE - 5.0 * angle.abs();
        let mut reward = state.shaping.map_or(0.0, |before| shaping - before) as f32;
        state.shaping = Some(shaping);
        for action in action {
            reward -= (0.00035 * f64::from(MOTORS_TORQUE)) as f32 * strength(*action);
        }
        let is_over = state.has_fallen || x < 0.0;
        let reward = if is_over { -100.0 } else { f64::from(reward) };
        (reward, is_over || x > (terrain::LENGTH - terrain::GRASS) as f64 * STEP)
    }
}

/// numpy's: 0 for both zeros.
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

/// How much of the torque an action is.
fn strength(action: f32) -> f32 {
    action.abs().clamp(0.0, 1.0)
}

impl Env for BipedalWalker {
    type State = State;
    type Random = Generator;
    const SCHEDULING: Scheduling = super::together::SCHEDULING;

    fn options() -> Vec<OptionSpec> {
        vec![OptionSpec::new("hardcore", false, "ladders, stumps and pits on the ground").each_episode()]
    }

    fn new(options: &Options) -> Result<Self> {
        Ok(Self { hardcore: options.bool("hardcore"), rays: rays(), physics: Physics::default() })
    }

    fn spec(&self) -> EnvSpec {
        use std::f64::consts::PI;
        let mut high = vec![PI, 5.0, 5.0, 5.0, PI, 5.0, PI, 5.0, 5.0, PI, 5.0, PI, 5.0, 5.0];
        let mut low: Vec<_> = high.iter().map(|high| -high).collect();
        (low[8], low[13]) = (-0.0, -0.0);
        low.resize(14 + RAYS, -1.0);
        high.resize(14 + RAYS, 1.0);
        EnvSpec::new(Space::vector(&low, &high), Space::vector(&[-1.0; 4], &[1.0; 4]))
    }

    fn heap_bytes(&self) -> usize {
        100 << 10
    }

    fn create(&self, _lane: usize) -> Result<State> {
        let mut state = State {
            world: World::new(GRAVITY),
            is_fresh: true,
            ground: 0,
            heights: vec![HEIGHT; terrain::LENGTH],
            clouds: Vec::new(),
            shaping: None,
            has_fallen: false,
            touches: [false; 2],
            lidar: [1.0; RAYS],
            steps: 0,
        };
        state.world.create_static(&[FixtureDef::new(Shape::Edge(vec2(0.0, HEIGHT as f32), vec2(100.0, HEIGHT as f32)))]);
        state.ground = 1;
        self.build_walker(&mut state.world, 0.0);
        Ok(state)
    }

    fn reset(&self, state: &mut State, _options: &ResetOptions, rng: &mut Generator) {
        self.tear_down(state);
        state.heights.copy_from_slice(&terrain::build(&mut state.world, self.hardcore, rng));
        state.ground = state.world.count() as u32;
        terrain::draw_clouds(&mut state.clouds, rng);
        self.build_walker(&mut state.world, rng.uniform(-INITIAL_RANDOM, INITIAL_RANDOM));
        self.push(state, &[0.0; 4]);
        self.physics.step(&mut state.world);
        self.judge(state, &[0.0; 4]);
        state.steps = 0;
    }

    fn step(&self, state: &mut State, action: &Action<'_>, rewards: &mut [f64], _rng: &mut Generator) -> bool {
        let action = action.continuous(0, 4);
        self.push(state, action);
        self.physics.step(&mut state.world);
        let (reward, over) = self.judge(state, action);
        rewards[0] = reward;
        over
    }

    fn step_together(&self, lanes: &mut [Stepped<'_, Self>]) {
        for lane in &mut *lanes {
            self.push(lane.state, lane.action.continuous(0, 4));
        }
        self.physics.step_together(lanes);
        for lane in lanes {
            (lane.rewards[0], lane.terminated) = self.judge(lane.state, lane.action.continuous(0, 4));
        }
    }

    fn observe(&self, state: &State, out: &mut Row<'_>) {
        out.write(0, &state.numbers().map(|number| number as f32));
    }

    fn rendering(&self) -> Rendering {
        Rendering::pictures(600, 400, 50)
    }

    fn paint(&self, state: &State) -> Picture {
        let State { world, ground, heights, clouds, .. } = state;
        Scene { world, ground: *ground, heights, walker: state.walker(), clouds, ray: state.shown_ray(&self.rays) }.paint()
    }

    fn is_valid(&self, state: &State) -> bool {
        state.ground.checked_add(MOVING) == Some(state.world.count() as u32)
            && state.world.joint_count() == JOINTS.len()
            && state.heights.len() == terrain::LENGTH
            && state.world.is_valid()
    }
}

/// `BipedalWalker-v3` and `BipedalWalkerHardcore-v3`.
pub fn tasks() -> Vec<Task> {
    let task = |id, steps| Task::env::<BipedalWalker>(id).max_episode_steps(steps).reward_threshold(300.0);
    vec![task("BipedalWalker-v3", 1600), task("BipedalWalkerHardcore-v3", 2000).preset("hardcore", true)]
}

//! Top-down car dynamics: engine, brakes, steering and tire friction. Follows gymnasium 1.4.0, `box2d/car_dynamics.py`.

use serde::{Deserialize, Serialize};

use envpool_rs_sim_box2d::{BodyId, FixtureDef, JointId, Polygon, RevoluteJointDef, Shape, Vec2, World, vec2};

/// Metres per polygon unit; the vertices of hull and wheels are given in these units.
pub const SIZE: f64 = 0.02;
const ENGINE_POWER: f64 = 100_000_000.0 * SIZE * SIZE;
const WHEEL_MOMENT_OF_INERTIA: f64 = 4000.0 * SIZE * SIZE;
const FRICTION_LIMIT: f64 = 1_000_000.0 * SIZE * SIZE;
const STIFFNESS: f64 = 205_000.0 * SIZE * SIZE;
/// Deceleration of a wheel at full brake, in rad/s per step.
const BRAKE_FORCE: f64 = 15.0;
/// Radius and half width of a wheel, in polygon units.
pub const WHEEL: (f64, f64) = (27.0, 14.0);
const WHEEL_RADIUS: f64 = WHEEL.0 * SIZE;
const WHEELPOS: [(f64, f64); 4] = [(-55.0, 80.0), (55.0, 80.0), (-55.0, -82.0), (55.0, -82.0)];
const HULL_POLY1: [(f64, f64); 4] = [(-60.0, 130.0), (60.0, 130.0), (60.0, 110.0), (-60.0, 110.0)];
const HULL_POLY2: [(f64, f64); 4] = [(-15.0, 120.0), (15.0, 120.0), (20.0, 20.0), (-20.0, 20.0)];
const HULL_POLY3: [(f64, f64); 8] =
    [(25.0, 20.0), (50.0, -10.0), (50.0, -40.0), (20.0, -90.0), (-20.0, -90.0), (-50.0, -40.0), (-50.0, -10.0), (-25.0, 20.0)];
const HULL_POLY4: [(f64, f64); 4] = [(-50.0, -120.0), (50.0, -120.0), (50.0, -90.0), (-50.0, -90.0)];
/// Duration of a step in seconds.
const DT: f64 = 1.0 / 50.0;

/// Ids of the joints that connect the wheels to the hull, in the order of the wheels.
pub const JOINTS: [JointId; 4] = [JointId(0), JointId(1), JointId(2), JointId(3)];

/// State of a wheel. Wheels are ordered front left, front right, rear left, rear right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Wheel {
    gas: f64,
    brake: f64,
    steer: f64,
    /// Angle by which the wheel has rolled, in radians.
    pub phase: f64,
    /// Angular velocity of the wheel in rad/s.
    pub omega: f64,
    /// Number of tiles that the wheel touches.
    pub tiles: u32,
    /// Whether the wheel started to skid in the previous step (gymnasium's `skid_start`).
    has_skid_start: bool,
    skid_particle: Option<ActiveParticle>,
}

/// Maximum number of skid particles; `MAX_PARTICLE_POINTS` is the maximum number of points of each particle.
pub const MAX_PARTICLES: usize = 30;
const MAX_PARTICLE_POINTS: usize = 30;

/// Skid particle (a stretch of tire mark) that a wheel is extending, with its index among all created particles, whether it
/// lies on grass, and its number of points.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct ActiveParticle {
    number: u32,
    on_grass: bool,
    point_count: u8,
}

/// Ring buffer of fixed size for skid particles (stretches of tire marks), which only `render()` draws.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SkidParticles {
    /// Points of all skid particles, particle by particle, with space for [`MAX_PARTICLE_POINTS`] points each.
    points: Vec<Vec2>,
    /// Number of points of each skid particle; `on_grass` stores whether each particle lies on grass.
    lengths: [u8; MAX_PARTICLES],
    on_grass: [bool; MAX_PARTICLES],
    /// Number of skid particles created so far, including overwritten ones.
    created: u32,
}

impl Default for SkidParticles {
    fn default() -> Self {
        Self {
            points: vec![Vec2::default(); MAX_PARTICLES * MAX_PARTICLE_POINTS],
            lengths: [0; MAX_PARTICLES],
            on_grass: [false; MAX_PARTICLES],
            created: 0,
        }
    }
}

impl SkidParticles {
    /// Removes all skid particles.
    pub fn clear(&mut self) {
        self.created = 0;
    }

    /// Creates a skid particle whose two first points are both `point`.
    ///
    /// gymnasium intends the first point to be the wheel's previous position, but uses the current position for both points.
    fn create_particle(&mut self, point: Vec2, on_grass: bool) -> ActiveParticle {
        let mut particle = ActiveParticle { number: self.created, on_grass, point_count: 0 };
        self.created = self.created.wrapping_add(1);
        self.on_grass[particle.number as usize % MAX_PARTICLES] = on_grass;
        self.add_point(&mut particle, point);
        self.add_point(&mut particle, point);
        particle
    }

    /// Adds a point to a skid particle. If the particle has been overwritten in the ring buffer, the buffer does not change.
    fn add_point(&mut self, particle: &mut ActiveParticle, point: Vec2) {
        let slot = particle.number as usize % MAX_PARTICLES;
        if self.created.wrapping_sub(particle.number) as usize <= MAX_PARTICLES {
            if let Some(free) =
                self.points[slot * MAX_PARTICLE_POINTS..][..MAX_PARTICLE_POINTS].get_mut(usize::from(particle.point_count))
            {
                *free = point;
            }
            self.lengths[slot] = particle.point_count + 1;
        }
        particle.point_count += 1;
    }

    /// Returns the skid particles, oldest first, each as two values: whether it lies on grass, and its points.
    pub fn iter(&self) -> impl Iterator<Item = (bool, &[Vec2])> {
        let slots =
            (self.created.saturating_sub(MAX_PARTICLES as u32)..self.created).map(|number| number as usize % MAX_PARTICLES);
        slots.map(|slot| (self.on_grass[slot], &self.points[slot * MAX_PARTICLE_POINTS..][..usize::from(self.lengths[slot])]))
    }

    /// Returns whether the number of points of each skid particle is in range. Particles from an untrusted snapshot must pass
    /// this check.
    pub fn is_valid(&self) -> bool {
        self.points.len() == MAX_PARTICLES * MAX_PARTICLE_POINTS
            && self.lengths.iter().all(|length| usize::from(*length) <= MAX_PARTICLE_POINTS)
    }
}

/// Positions of steering wheel, gas and brake.
#[derive(Debug, Clone, Copy)]
pub struct Controls {
    /// Position of the steering wheel, from -1 to 1.
    pub steer: f64,
    /// Position of the gas pedal, 0 to 1.
    pub gas: f64,
    /// Position of the brake pedal, 0 to 1; at 0.9 or more the wheels lock.
    pub brake: f64,
}

/// Creates the car's bodies and joints: the hull, then the wheels.
pub fn build_car(world: &mut World, angle: f64, (x, y): (f64, f64)) {
    let polygon = |corners: &[(f64, f64)]| {
        let mut points = [Vec2::default(); 8];
        for (point, (x, y)) in points.iter_mut().zip(corners) {
            *point = Vec2::from_f64((x * SIZE, y * SIZE));
        }
        Shape::Polygon(Polygon::hull(&points[..corners.len()]))
    };
    let part = |corners: &[(f64, f64)]| FixtureDef { density: 1.0, ..FixtureDef::new(polygon(corners)) };
    let parts = [part(&HULL_POLY1), part(&HULL_POLY2), part(&HULL_POLY3), part(&HULL_POLY4)];
    let hull = world.create_dynamic(Vec2::from_f64((x, y)), angle as f32, &parts);
    let (r, w) = WHEEL;
    let wheel = FixtureDef {
        density: 0.1,
        category_bits: 0x20,
        mask_bits: 1,
        ..FixtureDef::new(polygon(&[(-w, r), (w, r), (w, -r), (-w, -r)]))
    };
    for (wx, wy) in WHEELPOS {
        let wheel = world.create_dynamic(Vec2::from_f64((x + wx * SIZE, y + wy * SIZE)), angle as f32, &[wheel]);
        world.create_joint(&RevoluteJointDef {
            body_a: hull,
            body_b: wheel,
            local_anchor_a: Vec2::from_f64((wx * SIZE, wy * SIZE)),
            local_anchor_b: vec2(0.0, 0.0),
            limits: Some((-0.4, 0.4)),
            motor: Some(((180.0 * 900.0 * SIZE * SIZE) as f32, 0.0)),
        });
    }
}

/// Applies the controls to the wheels. The gas of a wheel increases by at most 0.1 per step, and decreases without a limit.
pub fn apply_controls(wheels: &mut [Wheel; 4], controls: Controls) {
    wheels[..2].iter_mut().for_each(|wheel| wheel.steer = controls.steer);
    let gas = controls.gas.clamp(0.0, 1.0);
    for wheel in &mut wheels[2..] {
        let more = gas - wheel.gas;
        wheel.gas += if more > 0.1 { 0.1 } else { more };
    }
    wheels.iter_mut().for_each(|wheel| wheel.brake = controls.brake);
}

/// Returns the sign as numpy does: 0 for both zeros, NaN for NaN.
fn sign(x: f64) -> f64 {
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

/// Steers the wheels and applies their forces, before the world's step (`Car.step`).
pub fn step_car(world: &mut World, wheels: &mut [Wheel; 4], particles: &mut SkidParticles, bodies: [BodyId; 4]) {
    for ((wheel, body), joint) in wheels.iter_mut().zip(bodies).zip(JOINTS) {
        let angle_error = wheel.steer - f64::from(world.joint_angle(joint));
        let fast = 50.0 * angle_error.abs();
        world.set_motor(joint, (sign(angle_error) * if 3.0 < fast { 3.0 } else { fast }) as f32, None);
        let body = world.body_mut(body);
        let q = body.transform().q;
        let double = |v: Vec2| (f64::from(v.x), f64::from(v.y));
        let (forward, side) = (double(q.mul_vec(vec2(0.0, 1.0))), double(q.mul_vec(vec2(1.0, 0.0))));
        let (force, skids) = wheel.step(forward, side, double(body.linear_velocity()));
        wheel.update_skid(skids, body.position(), particles);
        body.apply_force_to_center(Vec2::from_f64(force));
    }
}

impl Wheel {
    /// Updates the wheel's angular velocity from engine power and brakes. Returns the force of the ground on the wheel in N,
    /// and whether the wheel skids.
    fn step(&mut self, forward: (f64, f64), side: (f64, f64), v: (f64, f64)) -> ((f64, f64), bool) {
        let limit = if self.tiles > 0 { FRICTION_LIMIT * 1.0 } else { FRICTION_LIMIT * 0.6 };
        let along = forward.0 * v.0 + forward.1 * v.1;
        let across = side.0 * v.0 + side.1 * v.1;
        self.omega += DT * ENGINE_POWER * self.gas / WHEEL_MOMENT_OF_INERTIA / (self.omega.abs() + 5.0);
        if self.brake >= 0.9 {
            self.omega = 0.0;
        } else if self.brake > 0.0 {
            let mut slower = BRAKE_FORCE * self.brake;
            if slower.abs() > self.omega.abs() {
                slower = self.omega.abs();
            }
            self.omega += -sign(self.omega) * slower;
        }
        self.phase += self.omega * DT;
        let mut f = (-along + self.omega * WHEEL_RADIUS) * STIFFNESS;
        let mut p = -across * STIFFNESS;
        let force = (f * f + p * p).sqrt();
        if force > limit {
            f = f / force * limit;
            p = p / force * limit;
        }
        self.omega -= DT * f * WHEEL_RADIUS / WHEEL_MOMENT_OF_INERTIA;
        ((p * side.0 + f * forward.0, p * side.1 + f * forward.1), force > 2.0 * limit)
    }

    /// Extends the wheel's skid particle or creates one, starting with the second step of skidding. If the surface changes,
    /// creates another particle.
    fn update_skid(&mut self, skids: bool, point: Vec2, particles: &mut SkidParticles) {
        let on_grass = self.tiles == 0;
        if !skids {
            (self.has_skid_start, self.skid_particle) = (false, None);
            return;
        }
        match &mut self.skid_particle {
            Some(particle) if particle.on_grass == on_grass && usize::from(particle.point_count) < MAX_PARTICLE_POINTS => {
                particles.add_point(particle, point)
            }
            _ if !self.has_skid_start => self.has_skid_start = true,
            particle => {
                *particle = Some(particles.create_particle(point, on_grass));
                self.has_skid_start = false;
            }
        }
    }
}

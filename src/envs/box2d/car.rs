//! A car seen from above: gas, brakes and steering, and wheels that roll and slide. Follows gymnasium 1.4.0, `box2d/car_dynamics.py`.

use serde::{Deserialize, Serialize};

use envpool_rs_sim_box2d::{BodyId, FixtureDef, JointId, Polygon, RevoluteJointDef, Shape, Vec2, World, vec2};

/// Metres per unit of the drawings below.
pub const SIZE: f64 = 0.02;
const ENGINE_POWER: f64 = 100_000_000.0 * SIZE * SIZE;
const WHEEL_MOMENT_OF_INERTIA: f64 = 4000.0 * SIZE * SIZE;
const FRICTION_LIMIT: f64 = 1_000_000.0 * SIZE * SIZE;
const STIFFNESS: f64 = 205_000.0 * SIZE * SIZE;
/// How fast brakes slow a wheel, in rad/s each step.
const BRAKE_FORCE: f64 = 15.0;
/// A wheel's radius and half width.
pub const WHEEL: (f64, f64) = (27.0, 14.0);
const WHEEL_RADIUS: f64 = WHEEL.0 * SIZE;
const WHEEL_PLACES: [(f64, f64); 4] = [(-55.0, 80.0), (55.0, 80.0), (-55.0, -82.0), (55.0, -82.0)];
const HULL_1: [(f64, f64); 4] = [(-60.0, 130.0), (60.0, 130.0), (60.0, 110.0), (-60.0, 110.0)];
const HULL_2: [(f64, f64); 4] = [(-15.0, 120.0), (15.0, 120.0), (20.0, 20.0), (-20.0, 20.0)];
const HULL_3: [(f64, f64); 8] =
    [(25.0, 20.0), (50.0, -10.0), (50.0, -40.0), (20.0, -90.0), (-20.0, -90.0), (-50.0, -40.0), (-50.0, -10.0), (-25.0, 20.0)];
const HULL_4: [(f64, f64); 4] = [(-50.0, -120.0), (50.0, -120.0), (50.0, -90.0), (-50.0, -90.0)];
/// A step in seconds.
const DT: f64 = 1.0 / 50.0;

/// Joints of the wheels.
pub const JOINTS: [JointId; 4] = [JointId(0), JointId(1), JointId(2), JointId(3)];

/// A wheel, front left, front right, rear left, rear right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Wheel {
    gas: f64,
    brake: f64,
    steer: f64,
    /// How far it has rolled, in radians.
    pub phase: f64,
    /// How fast it rolls, in rad/s.
    pub omega: f64,
    /// Tiles that it is on.
    pub tiles: u32,
    /// Whether it began to skid in the step before.
    has_begun: bool,
    mark: Option<Marking>,
}

/// Marks of which only the last are kept, and places of each at most.
pub const MARKS: usize = 30;
const PLACES: usize = 30;

/// A mark that a wheel is making: its number, whether it is on grass, and of how many places it is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Marking {
    number: u32,
    on_grass: bool,
    places: u8,
}

/// Where wheels have skidded, which people are shown. It has all its memory from the beginning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Marks {
    /// [`PLACES`] of each mark, in turn.
    places: Vec<Vec2>,
    /// Of how many each is, and whether it is on grass.
    lengths: [u8; MARKS],
    on_grass: [bool; MARKS],
    /// Marks that have been made, those included that were forgotten.
    made: u32,
}

impl Default for Marks {
    fn default() -> Self {
        Self { places: vec![Vec2::default(); MARKS * PLACES], lengths: [0; MARKS], on_grass: [false; MARKS], made: 0 }
    }
}

impl Marks {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.made = 0;
    }

    /// A mark of two places, which are one: gymnasium means where the wheel was a step before, but that has moved along.
    fn begin(&mut self, place: Vec2, on_grass: bool) -> Marking {
        let mut marking = Marking { number: self.made, on_grass, places: 0 };
        self.made = self.made.wrapping_add(1);
        self.on_grass[marking.number as usize % MARKS] = on_grass;
        self.add(&mut marking, place);
        self.add(&mut marking, place);
        marking
    }

    /// Makes a mark longer, whether or not it has been forgotten.
    fn add(&mut self, marking: &mut Marking, place: Vec2) {
        let slot = marking.number as usize % MARKS;
        if self.made.wrapping_sub(marking.number) as usize <= MARKS {
            if let Some(free) = self.places[slot * PLACES..][..PLACES].get_mut(usize::from(marking.places)) {
                *free = place;
            }
            self.lengths[slot] = marking.places + 1;
        }
        marking.places += 1;
    }

    /// The marks that are kept, the oldest first: whether they are on grass, and their places.
    pub fn iter(&self) -> impl Iterator<Item = (bool, &[Vec2])> {
        let slots = (self.made.saturating_sub(MARKS as u32)..self.made).map(|number| number as usize % MARKS);
        slots.map(|slot| (self.on_grass[slot], &self.places[slot * PLACES..][..usize::from(self.lengths[slot])]))
    }

    /// Whether it can be worked with: what was loaded may hold any numbers.
    pub fn is_valid(&self) -> bool {
        self.places.len() == MARKS * PLACES && self.lengths.iter().all(|length| usize::from(*length) <= PLACES)
    }
}

/// Where a driver puts steering, gas and brakes.
#[derive(Debug, Clone, Copy)]
pub struct Controls {
    /// -1 to 1.
    pub steer: f64,
    /// 0 to 1.
    pub gas: f64,
    /// 0 to 1; from 0.9 on wheels are blocked.
    pub brake: f64,
}

/// Builds a car: its hull, then its wheels.
pub fn build(world: &mut World, angle: f64, (x, y): (f64, f64)) {
    let polygon = |corners: &[(f64, f64)]| {
        let mut points = [Vec2::default(); 8];
        for (point, (x, y)) in points.iter_mut().zip(corners) {
            *point = Vec2::of((x * SIZE, y * SIZE));
        }
        Shape::Polygon(Polygon::hull(&points[..corners.len()]))
    };
    let part = |corners: &[(f64, f64)]| FixtureDef { density: 1.0, ..FixtureDef::new(polygon(corners)) };
    let parts = [part(&HULL_1), part(&HULL_2), part(&HULL_3), part(&HULL_4)];
    let hull = world.create_dynamic(Vec2::of((x, y)), angle as f32, &parts);
    let (r, w) = WHEEL;
    let wheel =
        FixtureDef { density: 0.1, category: 0x20, mask: 1, ..FixtureDef::new(polygon(&[(-w, r), (w, r), (w, -r), (-w, -r)])) };
    for (wx, wy) in WHEEL_PLACES {
        let wheel = world.create_dynamic(Vec2::of((x + wx * SIZE, y + wy * SIZE)), angle as f32, &[wheel]);
        world.create_joint(&RevoluteJointDef {
            body_a: hull,
            body_b: wheel,
            local_anchor_a: Vec2::of((wx * SIZE, wy * SIZE)),
            local_anchor_b: vec2(0.0, 0.0),
            limits: Some((-0.4, 0.4)),
            motor: Some(((180.0 * 900.0 * SIZE * SIZE) as f32, 0.0)),
        });
    }
}

/// Puts the controls where the driver wants them. Gas comes slowly and goes at once.
pub fn control(wheels: &mut [Wheel; 4], controls: Controls) {
    wheels[..2].iter_mut().for_each(|wheel| wheel.steer = controls.steer);
    let gas = controls.gas.clamp(0.0, 1.0);
    for wheel in &mut wheels[2..] {
        let more = gas - wheel.gas;
        wheel.gas += if more > 0.1 { 0.1 } else { more };
    }
    wheels.iter_mut().for_each(|wheel| wheel.brake = controls.brake);
}

/// numpy's: 0 for both zeros.
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

/// What the wheels do before the world's step.
pub fn drive(world: &mut World, wheels: &mut [Wheel; 4], marks: &mut Marks, bodies: [BodyId; 4]) {
    for ((wheel, body), joint) in wheels.iter_mut().zip(bodies).zip(JOINTS) {
        let rest = wheel.steer - f64::from(world.joint_angle(joint));
        let fast = 50.0 * rest.abs();
        world.set_motor(joint, (sign(rest) * if 3.0 < fast { 3.0 } else { fast }) as f32, None);
        let body = world.body_mut(body);
        let q = body.transform().q;
        let double = |v: Vec2| (f64::from(v.x), f64::from(v.y));
        let (forward, side) = (double(q.turn(vec2(0.0, 1.0))), double(q.turn(vec2(1.0, 0.0))));
        let (force, skids) = wheel.roll(forward, side, double(body.velocity()));
        wheel.leave_mark(skids, body.position(), marks);
        body.apply_force_to_center(Vec2::of(force));
    }
}

impl Wheel {
    /// Lets engine and brakes turn the wheel, and returns the force of the ground on it, and whether it skids.
    fn roll(&mut self, forward: (f64, f64), side: (f64, f64), v: (f64, f64)) -> ((f64, f64), bool) {
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

    /// Marks the ground from the second step of skidding on, one kind of ground at a time.
    fn leave_mark(&mut self, skids: bool, place: Vec2, marks: &mut Marks) {
        let on_grass = self.tiles == 0;
        if !skids {
            (self.has_begun, self.mark) = (false, None);
            return;
        }
        match &mut self.mark {
            Some(mark) if mark.on_grass == on_grass && usize::from(mark.places) < PLACES => marks.add(mark, place),
            _ if !self.has_begun => self.has_begun = true,
            mark => {
                *mark = Some(marks.begin(place, on_grass));
                self.has_begun = false;
            }
        }
    }
}

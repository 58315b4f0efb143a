//! A step of a world: contacts, islands, velocities, positions, and then impacts.

use super::collide::collide;
use super::contact::Contact;
use super::distance::Pair;
use super::manifold::Manifold;
use super::math::{ANGULAR_SLOP, LINEAR_SLOP, PI, Vec2, min};
use super::solver::{ContactConstraint, Position, Velocity};
use super::workspace::{Island, Workspace};
use super::world::{World, shape, synchronize};

/// How far a body moves in a step at most, in metres.
const MAX_TRANSLATION: f32 = 2.0;
/// How far it turns in a step at most, in radians.
const MAX_ROTATION: f32 = 0.5 * PI;
/// How long bodies have to be still to fall asleep, in seconds.
const TIME_TO_SLEEP: f32 = 0.5;
/// Velocity in m/s that counts as still.
const LINEAR_SLEEP_TOLERANCE: f32 = 0.01;
/// Angular velocity in rad/s that counts as still.
const ANGULAR_SLEEP_TOLERANCE: f32 = ANGULAR_SLOP;
/// How much of an error of position is put right in a sweep.
const BAUMGARTE: f32 = 0.2;

/// How long a step is, and how often it goes over everything.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepConfig {
    /// Its length in seconds.
    pub dt: f32,
    /// Sweeps over velocities.
    pub velocity_sweeps: u32,
    /// Sweeps over positions at most.
    pub position_sweeps: u32,
}

impl World {
    /// Plays a step.
    pub fn step(&mut self, config: &StepConfig, workspace: &mut Workspace) {
        self.begin_step(config, workspace);
        for island in workspace.islands_mut() {
            island.solve_velocities(config.velocity_sweeps);
        }
        self.end_step(config, workspace);
    }

    /// The part of a step before the sweeps over velocities: contacts, and islands in the workspace.
    pub(super) fn begin_step(&mut self, config: &StepConfig, workspace: &mut Workspace) {
        self.events.clear();
        if self.has_new_fixtures {
            self.find_new_contacts(workspace);
            self.has_new_fixtures = false;
        }
        self.update_contacts();
        self.build_islands(config, workspace);
    }

    /// The part of a step after the sweeps over velocities.
    pub(super) fn end_step(&mut self, config: &StepConfig, workspace: &mut Workspace) {
        for island in workspace.islands_mut() {
            self.finish(island, config);
        }
        let Self { bodies, dynamic, fixtures, polygons, broad_phase, .. } = self;
        for body in dynamic.iter().rev().map(|number| &bodies[*number as usize]).filter(|body| body.in_island) {
            synchronize(body, fixtures, polygons, broad_phase);
        }
        self.find_new_contacts(workspace);
        self.solve_impacts(config, workspace);
        self.inverse_dt = 1.0 / config.dt;
        for number in &self.dynamic {
            let body = &mut self.bodies[*number as usize];
            (body.force, body.torque) = (Vec2::default(), 0.0);
        }
    }

    /// Contacts for fixtures that have come close.
    pub(super) fn find_new_contacts(&mut self, workspace: &mut Workspace) {
        self.broad_phase.new_pairs(&mut workspace.pairs);
        for (a, b) in &workspace.pairs {
            self.add_pair(*a, *b);
        }
    }

    fn add_pair(&mut self, a: u32, b: u32) {
        let (one, two) = (&self.fixtures[a as usize], &self.fixtures[b as usize]);
        let (body_a, body_b) = (one.body, two.body);
        let moves = self.bodies[body_a as usize].is_dynamic || self.bodies[body_b as usize].is_dynamic;
        if body_a == body_b || !moves || !one.may_touch(two) || self.contacts.iter().any(|contact| contact.joins(a, b)) {
            return;
        }
        if self.joints.iter().any(|joint| joint.joins(body_a, body_b)) {
            return;
        }
        let Some(contact) = Contact::new((a, one), (b, two)) else { return };
        if !contact.is_sensor {
            self.bodies[body_a as usize].wake();
            self.bodies[body_b as usize].wake();
        }
        self.contacts.push(contact);
    }

    /// Looks at all contacts anew, and forgets those that are no longer close.
    fn update_contacts(&mut self) {
        for index in (0..self.contacts.len()).rev() {
            let contact = &self.contacts[index];
            let bodies = [contact.body_a, contact.body_b];
            if !bodies.iter().any(|body| self.bodies[*body as usize].is_active()) {
                continue;
            }
            let leaf = |fixture: u32| self.fixtures[fixture as usize].leaf;
            if self.broad_phase.overlap(leaf(contact.fixture_a), leaf(contact.fixture_b)) {
                self.update_contact(index);
            } else {
                self.remove_contact(index);
            }
        }
    }

    fn remove_contact(&mut self, index: usize) {
        let contact = self.contacts.remove(index);
        if contact.is_touching {
            self.events.push(contact.event(false));
        }
        for body in [contact.body_a, contact.body_b] {
            let body = &mut self.bodies[body as usize];
            if contact.manifold.count > 0 && !contact.is_sensor {
                body.wake();
            }
            // Each step begins so; those that do not move are only looked at through their contacts.
            body.sweep.alpha0 = 0.0;
        }
    }

    /// Finds where two fixtures touch now.
    pub(super) fn update_contact(&mut self, index: usize) {
        let contact = &mut self.contacts[index];
        let (a, b) = (&self.fixtures[contact.fixture_a as usize], &self.fixtures[contact.fixture_b as usize]);
        let (shape_a, shape_b) = (shape(&self.polygons, a), shape(&self.polygons, b));
        let at_a = &self.bodies[contact.body_a as usize].transform;
        let at_b = &self.bodies[contact.body_b as usize].transform;
        contact.is_enabled = true;
        let was_touching = contact.is_touching;
        if contact.is_sensor {
            let pair = Pair { a: shape_a.points(), at_a: *at_a, b: shape_b.points(), at_b: *at_b };
            contact.is_touching = pair.overlaps(shape_a.radius(), shape_b.radius());
            contact.manifold.count = 0;
        } else {
            let before = std::mem::replace(&mut contact.manifold, collide(shape_a, at_a, shape_b, at_b));
            inherit_impulses(&mut contact.manifold, &before);
            contact.is_touching = contact.manifold.count > 0;
        }
        if contact.is_touching != was_touching {
            self.events.push(contact.event(contact.is_touching));
            if !contact.is_sensor {
                let bodies = [contact.body_a, contact.body_b];
                bodies.iter().for_each(|body| self.bodies[*body as usize].wake());
            }
        }
    }

    /// Finds the islands of bodies that are awake, and prepares what is to be solved of each.
    fn build_islands(&mut self, config: &StepConfig, workspace: &mut Workspace) {
        workspace.count = 0;
        for number in &self.dynamic {
            self.bodies[*number as usize].in_island = false;
        }
        for contact in &mut self.contacts {
            contact.in_island = false;
            self.bodies[contact.body_a as usize].in_island = false;
            self.bodies[contact.body_b as usize].in_island = false;
        }
        self.joints.iter_mut().for_each(|joint| joint.in_island = false);
        for index in (0..self.dynamic.len()).rev() {
            let seed = self.dynamic[index];
            let body = &mut self.bodies[seed as usize];
            if body.in_island || !body.is_awake {
                continue;
            }
            body.in_island = true;
            let (island, stack) = workspace.next_island();
            stack.push(seed);
            while let Some(number) = stack.pop() {
                self.add_with_neighbours(number, island, stack);
            }
            self.prepare(island, config);
            for number in &island.bodies {
                let body = &mut self.bodies[*number as usize];
                body.in_island = body.is_dynamic;
            }
        }
    }

    /// Adds a body to an island, and puts what it touches or is joined to on the stack.
    fn add_with_neighbours(&mut self, number: u32, island: &mut Island, stack: &mut Vec<u32>) {
        let Self { bodies, contacts, joints, .. } = self;
        let body = &mut bodies[number as usize];
        body.island_index = island.bodies.len() as u32;
        island.bodies.push(number);
        body.wake();
        if !body.is_dynamic {
            return;
        }
        let mut reach = |other: u32| {
            let other_body = &mut bodies[other as usize];
            if !other_body.in_island {
                other_body.in_island = true;
                stack.push(other);
            }
        };
        for (index, contact) in contacts.iter_mut().enumerate().rev() {
            let is_solid = contact.is_enabled && contact.is_touching && !contact.is_sensor;
            if contact.has(number) && !contact.in_island && is_solid {
                contact.in_island = true;
                island.contacts.push(index as u32);
                reach(contact.other(number));
            }
        }
        for (index, joint) in joints.iter_mut().enumerate().rev() {
            if !joint.in_island && (joint.body_a == number || joint.body_b == number) {
                joint.in_island = true;
                island.joints.push(index as u32);
                reach(if joint.body_a == number { joint.body_b } else { joint.body_a });
            }
        }
    }

    /// Lets gravity and forces act on an island, and prepares what joins and touches.
    fn prepare(&mut self, island: &mut Island, config: &StepConfig) {
        let (h, ratio) = (config.dt, self.inverse_dt * config.dt);
        for number in &island.bodies {
            let body = &mut self.bodies[*number as usize];
            (body.sweep.c0, body.sweep.a0) = (body.sweep.c, body.sweep.a);
            let (mut v, mut w) = (body.velocity, body.angular_velocity);
            if body.is_dynamic {
                v += h * (self.gravity + body.inverse_mass * body.force);
                w += h * body.inverse_inertia * body.torque;
            }
            island.positions.push(Position { c: body.sweep.c, a: body.sweep.a });
            island.velocities.push(Velocity { v, w });
        }
        self.prepare_contacts(island, Some(ratio));
        for constraint in &mut island.contact_constraints {
            constraint.prepare(&island.positions, &island.velocities);
        }
        for constraint in &island.contact_constraints {
            constraint.warm_start(&mut island.velocities);
        }
        for index in &island.joints {
            let joint = &mut self.joints[*index as usize];
            let bodies = [&self.bodies[joint.body_a as usize], &self.bodies[joint.body_b as usize]];
            island.joint_constraints.push(joint.prepare(bodies, &island.positions, &mut island.velocities, (h, ratio)));
        }
    }

    pub(super) fn prepare_contacts(&self, island: &mut Island, ratio: Option<f32>) {
        for index in &island.contacts {
            let contact = &self.contacts[*index as usize];
            let bodies = [&self.bodies[contact.body_a as usize], &self.bodies[contact.body_b as usize]];
            let radius = |fixture: u32| shape(&self.polygons, &self.fixtures[fixture as usize]).radius();
            let radii = [radius(contact.fixture_a), radius(contact.fixture_b)];
            island.contact_constraints.push(ContactConstraint::new(contact, bodies, radii, ratio));
        }
    }

    /// Keeps an island's impulses, moves its bodies, and lets them sleep if they have been still for long.
    fn finish(&mut self, island: &mut Island, config: &StepConfig) {
        for (constraint, index) in island.contact_constraints.iter().zip(&island.contacts) {
            let manifold = &mut self.contacts[*index as usize].manifold;
            for (point, solved) in manifold.points.iter_mut().zip(&constraint.points[..constraint.count as usize]) {
                (point.normal_impulse, point.tangent_impulse) = (solved.normal_impulse, solved.tangent_impulse);
            }
        }
        for (constraint, index) in island.joint_constraints.iter().zip(&island.joints) {
            let joint = &mut self.joints[*index as usize];
            (joint.impulse, joint.motor_impulse) = (constraint.impulse, constraint.motor_impulse);
        }
        integrate(island, config.dt);
        let solved = solve_positions(island, config.position_sweeps);
        for ((number, position), velocity) in island.bodies.iter().zip(&island.positions).zip(&island.velocities) {
            let body = &mut self.bodies[*number as usize];
            (body.sweep.c, body.sweep.a) = (position.c, position.a);
            (body.velocity, body.angular_velocity) = (velocity.v, velocity.w);
            body.synchronize_transform();
        }
        self.let_sleep(island, config.dt, solved);
    }

    fn let_sleep(&mut self, island: &Island, dt: f32, solved: bool) {
        let mut least = f32::MAX;
        for number in &island.bodies {
            let body = &mut self.bodies[*number as usize];
            if !body.is_dynamic {
                continue;
            }
            let w = body.angular_velocity;
            if w * w > ANGULAR_SLEEP_TOLERANCE * ANGULAR_SLEEP_TOLERANCE
                || body.velocity.dot(body.velocity) > LINEAR_SLEEP_TOLERANCE * LINEAR_SLEEP_TOLERANCE
            {
                body.sleep_time = 0.0;
                least = 0.0;
            } else {
                body.sleep_time += dt;
                least = min(least, body.sleep_time);
            }
        }
        if least >= TIME_TO_SLEEP && solved {
            island.bodies.iter().for_each(|number| self.bodies[*number as usize].fall_asleep());
        }
    }
}

/// Impulses of points that are the same as before.
fn inherit_impulses(manifold: &mut Manifold, before: &Manifold) {
    for point in &mut manifold.points[..usize::from(manifold.count)] {
        if let Some(old) = before.points[..usize::from(before.count)].iter().find(|old| old.id == point.id) {
            (point.normal_impulse, point.tangent_impulse) = (old.normal_impulse, old.tangent_impulse);
        }
    }
}

/// Moves an island's bodies as fast as they are, but not farther than they may.
pub(super) fn integrate(island: &mut Island, h: f32) {
    for (position, velocity) in island.positions.iter_mut().zip(&mut island.velocities) {
        let translation = h * velocity.v;
        if translation.dot(translation) > MAX_TRANSLATION * MAX_TRANSLATION {
            velocity.v = (MAX_TRANSLATION / translation.length()) * velocity.v;
        }
        let rotation = h * velocity.w;
        if rotation * rotation > MAX_ROTATION * MAX_ROTATION {
            velocity.w *= MAX_ROTATION / rotation.abs();
        }
        position.c += h * velocity.v;
        position.a += h * velocity.w;
    }
}

/// Sweeps over positions until all are close to where they should be. Returns whether they are.
fn solve_positions(island: &mut Island, sweeps: u32) -> bool {
    for _ in 0..sweeps {
        let mut least = 0.0;
        for contact in &island.contact_constraints {
            least = min(least, contact.solve_position(&mut island.positions, BAUMGARTE, [true; 2]));
        }
        let mut solved = least >= -3.0 * LINEAR_SLOP;
        for joint in &island.joint_constraints {
            solved &= joint.solve_position(&mut island.positions);
        }
        if solved {
            return true;
        }
    }
    false
}

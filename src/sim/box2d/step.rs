//! One step of a world: contacts, islands, velocities, positions and continuous collision (`b2World::Step`).

use super::collide::collide;
use super::contact::Contact;
use super::contact_solver::{ContactConstraint, Position, Velocity};
use super::distance::DistanceInput;
use super::manifold::Manifold;
use super::math::{ANGULAR_SLOP, PI, Vec2, min};
use super::workspace::{Island, Workspace};
use super::world::{World, fixture_shape, synchronize_fixtures};

/// Maximum movement of a body per step in metres (`b2_maxTranslation`).
const MAX_TRANSLATION: f32 = 2.0;
/// Maximum rotation of a body per step in radians (`b2_maxRotation`).
const MAX_ROTATION: f32 = 0.5 * PI;
/// Time for which all bodies of an island must be slower than the sleep tolerances before the island falls asleep, in seconds
/// (`b2_timeToSleep`).
const TIME_TO_SLEEP: f32 = 0.5;
/// Speed below which a body may sleep, in m/s (`b2_linearSleepTolerance`).
const LINEAR_SLEEP_TOLERANCE: f32 = 0.01;
/// Angular speed below which a body may sleep, in rad/s (`b2_angularSleepTolerance`).
const ANGULAR_SLEEP_TOLERANCE: f32 = ANGULAR_SLOP;
/// Fraction of a position error that is corrected per iteration (`b2_baumgarte`).
pub(super) const BAUMGARTE: f32 = 0.2;

/// Length of a step and numbers of solver iterations (`b2TimeStep`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepConfig {
    /// Length of the step in seconds.
    pub dt: f32,
    /// Number of velocity iterations of the solver.
    pub velocity_iterations: u32,
    /// Maximum number of position iterations of the solver.
    pub position_iterations: u32,
}

impl World {
    /// Advances the world by one step.
    pub fn step(&mut self, config: &StepConfig, workspace: &mut Workspace) {
        self.start_step(config, workspace);
        for island in workspace.islands_mut() {
            island.solve_velocities(config.velocity_iterations);
        }
        self.integrate_islands(config, workspace);
        for island in workspace.islands_mut() {
            island.solve_positions(config.position_iterations);
        }
        self.finish_step(config, workspace);
    }

    /// Runs the part of a step before the velocity iterations: updates contacts, and builds the islands (groups of connected
    /// bodies) in the workspace.
    pub(super) fn start_step(&mut self, config: &StepConfig, workspace: &mut Workspace) {
        self.events.clear();
        if self.has_new_fixtures {
            self.find_new_contacts(workspace);
            self.has_new_fixtures = false;
        }
        self.update_contacts();
        self.build_islands(config, workspace);
    }

    /// Runs the part of a step between the velocity and the position iterations: stores impulses, and integrates positions.
    pub(super) fn integrate_islands(&mut self, config: &StepConfig, workspace: &mut Workspace) {
        for island in workspace.islands_mut() {
            self.store_impulses(island);
            integrate_positions(island, config.dt);
        }
    }

    /// Runs the part of a step after the position iterations: moves the bodies, and handles continuous collision.
    pub(super) fn finish_step(&mut self, config: &StepConfig, workspace: &mut Workspace) {
        for island in workspace.islands_mut() {
            self.finish_island(island, config);
        }
        workspace.swept.clear();
        let Self { bodies, dynamic_bodies: dynamic, fixtures, polygons, broad_phase, .. } = self;
        for body in dynamic.iter().rev().map(|body_index| &bodies[*body_index as usize]).filter(|body| body.in_island) {
            synchronize_fixtures(body, fixtures, polygons, broad_phase, &mut workspace.swept);
        }
        self.find_new_contacts(workspace);
        self.solve_toi(config, workspace);
        self.inverse_dt = 1.0 / config.dt;
        for body_index in &self.dynamic_bodies {
            let body = &mut self.bodies[*body_index as usize];
            (body.force, body.torque) = (Vec2::default(), 0.0);
        }
    }

    /// Adds contacts for new pairs of fixtures whose fat bounding boxes overlap, which the broad phase finds
    /// (`b2ContactManager::FindNewContacts`).
    pub(super) fn find_new_contacts(&mut self, workspace: &mut Workspace) {
        self.broad_phase.update_pairs(&mut workspace.pairs);
        for (a, b) in &workspace.pairs {
            self.add_pair(*a, *b);
        }
    }

    fn add_pair(&mut self, a: u32, b: u32) {
        let (one, two) = (&self.fixtures[a as usize], &self.fixtures[b as usize]);
        let (body_a, body_b) = (one.body, two.body);
        let moves = self.bodies[body_a as usize].is_dynamic || self.bodies[body_b as usize].is_dynamic;
        if body_a == body_b || !moves || !one.should_collide(two) || self.contacts.iter().any(|contact| contact.is_between(a, b))
        {
            return;
        }
        if self.joints.iter().any(|joint| joint.connects(body_a, body_b)) {
            return;
        }
        let Some(contact) = Contact::new((a, one), (b, two)) else { return };
        if !contact.is_sensor {
            self.bodies[body_a as usize].wake();
            self.bodies[body_b as usize].wake();
        }
        self.contacts.push(contact);
    }

    /// Updates all contacts. Destroys contacts of fixtures whose fat bounding boxes no longer overlap
    /// (`b2ContactManager::Collide`).
    fn update_contacts(&mut self) {
        for index in (0..self.contacts.len()).rev() {
            let contact = &self.contacts[index];
            let bodies = [contact.body_a, contact.body_b];
            if !bodies.iter().any(|body| self.bodies[*body as usize].is_awake_dynamic()) {
                continue;
            }
            let leaf = |fixture: u32| self.fixtures[fixture as usize].proxy;
            if self.broad_phase.test_overlap(leaf(contact.fixture_a), leaf(contact.fixture_b)) {
                self.update_contact(index);
            } else {
                self.destroy_contact(index);
            }
        }
    }

    fn destroy_contact(&mut self, index: usize) {
        let contact = self.contacts.remove(index);
        if contact.is_touching {
            self.events.push(contact.event(false));
        }
        for body in [contact.body_a, contact.body_b] {
            let body = &mut self.bodies[body as usize];
            if contact.manifold.point_count > 0 && !contact.is_sensor {
                body.wake();
            }
            // At the start of a step, `alpha0` must be 0. `alpha0` of static bodies is reset here, because continuous
            // collision in the last step may have advanced it.
            body.sweep.alpha0 = 0.0;
        }
    }

    /// Recomputes the manifold of a contact, and records an event if the fixtures start or stop touching (`b2Contact::Update`).
    pub(super) fn update_contact(&mut self, index: usize) {
        let contact = &mut self.contacts[index];
        let (a, b) = (&self.fixtures[contact.fixture_a as usize], &self.fixtures[contact.fixture_b as usize]);
        let (shape_a, shape_b) = (fixture_shape(&self.polygons, a), fixture_shape(&self.polygons, b));
        let xf_a = &self.bodies[contact.body_a as usize].transform;
        let xf_b = &self.bodies[contact.body_b as usize].transform;
        contact.is_enabled = true;
        let was_touching = contact.is_touching;
        if contact.is_sensor {
            let input = DistanceInput {
                proxy_a: shape_a.vertices(),
                transform_a: *xf_a,
                proxy_b: shape_b.vertices(),
                transform_b: *xf_b,
            };
            contact.is_touching = input.test_overlap(shape_a.radius(), shape_b.radius());
            contact.manifold.point_count = 0;
        } else {
            let before = std::mem::replace(&mut contact.manifold, collide(shape_a, xf_a, shape_b, xf_b));
            copy_impulses(&mut contact.manifold, &before);
            contact.is_touching = contact.manifold.point_count > 0;
        }
        if contact.is_touching != was_touching {
            self.events.push(contact.event(contact.is_touching));
            if !contact.is_sensor {
                let bodies = [contact.body_a, contact.body_b];
                bodies.iter().for_each(|body| self.bodies[*body as usize].wake());
            }
        }
    }

    /// Builds the islands of awake bodies and initializes the islands' constraints (`b2World::Solve`).
    fn build_islands(&mut self, config: &StepConfig, workspace: &mut Workspace) {
        workspace.island_count = 0;
        for body_index in &self.dynamic_bodies {
            self.bodies[*body_index as usize].in_island = false;
        }
        for contact in &mut self.contacts {
            contact.in_island = false;
            self.bodies[contact.body_a as usize].in_island = false;
            self.bodies[contact.body_b as usize].in_island = false;
        }
        self.joints.iter_mut().for_each(|joint| joint.in_island = false);
        for index in (0..self.dynamic_bodies.len()).rev() {
            let seed = self.dynamic_bodies[index];
            let body = &mut self.bodies[seed as usize];
            if body.in_island || !body.is_awake {
                continue;
            }
            body.in_island = true;
            let (island, stack) = workspace.add_island();
            stack.push(seed);
            while let Some(body_index) = stack.pop() {
                self.add_body_and_neighbors(body_index, island, stack);
            }
            self.init_island(island, config);
            for body_index in &island.bodies {
                let body = &mut self.bodies[*body_index as usize];
                body.in_island = body.is_dynamic;
            }
        }
    }

    /// Adds a body to an island, and pushes its neighbours (bodies connected to it by a contact or joint) onto the stack.
    fn add_body_and_neighbors(&mut self, body_index: u32, island: &mut Island, stack: &mut Vec<u32>) {
        let Self { bodies, contacts, joints, .. } = self;
        let body = &mut bodies[body_index as usize];
        body.island_index = island.bodies.len() as u32;
        island.bodies.push(body_index);
        body.wake();
        if !body.is_dynamic {
            return;
        }
        let mut push_neighbor = |other: u32| {
            let other_body = &mut bodies[other as usize];
            if !other_body.in_island {
                other_body.in_island = true;
                stack.push(other);
            }
        };
        for (index, contact) in contacts.iter_mut().enumerate().rev() {
            let is_solid = contact.is_enabled && contact.is_touching && !contact.is_sensor;
            if contact.has_body(body_index) && !contact.in_island && is_solid {
                contact.in_island = true;
                island.contacts.push(index as u32);
                push_neighbor(contact.other_body(body_index));
            }
        }
        for (index, joint) in joints.iter_mut().enumerate().rev() {
            if !joint.in_island && (joint.body_a == body_index || joint.body_b == body_index) {
                joint.in_island = true;
                island.joints.push(index as u32);
                push_neighbor(if joint.body_a == body_index { joint.body_b } else { joint.body_a });
            }
        }
    }

    /// Applies gravity and forces to the velocities of an island's bodies, and initializes the island's constraints.
    fn init_island(&mut self, island: &mut Island, config: &StepConfig) {
        let (h, ratio) = (config.dt, self.inverse_dt * config.dt);
        for body_index in &island.bodies {
            let body = &mut self.bodies[*body_index as usize];
            (body.sweep.c0, body.sweep.a0) = (body.sweep.c, body.sweep.a);
            let (mut v, mut w) = (body.linear_velocity, body.angular_velocity);
            if body.is_dynamic {
                v += h * (self.gravity + body.inverse_mass * body.force);
                w += h * body.inverse_inertia * body.torque;
            }
            island.positions.push(Position { c: body.sweep.c, a: body.sweep.a });
            island.velocities.push(Velocity { v, w });
        }
        self.add_contact_constraints(island, Some(ratio));
        for constraint in &mut island.contact_constraints {
            constraint.init_velocity_constraint(&island.positions, &island.velocities);
        }
        for constraint in &island.contact_constraints {
            constraint.warm_start(&mut island.velocities);
        }
        for index in &island.joints {
            let joint = &mut self.joints[*index as usize];
            let bodies = [&self.bodies[joint.body_a as usize], &self.bodies[joint.body_b as usize]];
            island.joint_constraints.push(joint.init_velocity_constraints(
                bodies,
                &island.positions,
                &mut island.velocities,
                (h, ratio),
            ));
        }
    }

    pub(super) fn add_contact_constraints(&self, island: &mut Island, ratio: Option<f32>) {
        for index in &island.contacts {
            let contact = &self.contacts[*index as usize];
            let bodies = [&self.bodies[contact.body_a as usize], &self.bodies[contact.body_b as usize]];
            let radius = |fixture: u32| fixture_shape(&self.polygons, &self.fixtures[fixture as usize]).radius();
            let radii = [radius(contact.fixture_a), radius(contact.fixture_b)];
            island.contact_constraints.push(ContactConstraint::new(contact, bodies, radii, ratio));
        }
    }

    /// Stores the impulses of an island's contacts and joints.
    fn store_impulses(&mut self, island: &Island) {
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
    }

    /// Moves the bodies of an island and updates sleep (the end of `b2Island::Solve`).
    fn finish_island(&mut self, island: &Island, config: &StepConfig) {
        for ((body_index, position), velocity) in island.bodies.iter().zip(&island.positions).zip(&island.velocities) {
            let body = &mut self.bodies[*body_index as usize];
            (body.sweep.c, body.sweep.a) = (position.c, position.a);
            (body.linear_velocity, body.angular_velocity) = (velocity.v, velocity.w);
            body.synchronize_transform();
        }
        self.update_sleep(island, config.dt);
    }

    fn update_sleep(&mut self, island: &Island, dt: f32) {
        let mut least = f32::MAX;
        for body_index in &island.bodies {
            let body = &mut self.bodies[*body_index as usize];
            if !body.is_dynamic {
                continue;
            }
            let w = body.angular_velocity;
            if w * w > ANGULAR_SLEEP_TOLERANCE * ANGULAR_SLEEP_TOLERANCE
                || body.linear_velocity.dot(body.linear_velocity) > LINEAR_SLEEP_TOLERANCE * LINEAR_SLEEP_TOLERANCE
            {
                body.sleep_time = 0.0;
                least = 0.0;
            } else {
                body.sleep_time += dt;
                least = min(least, body.sleep_time);
            }
        }
        if least >= TIME_TO_SLEEP && island.is_solved {
            island.bodies.iter().for_each(|body_index| self.bodies[*body_index as usize].put_to_sleep());
        }
    }
}

/// Copies the impulses of `before`, the manifold of the last step, to those points of `manifold` that have the same ids.
fn copy_impulses(manifold: &mut Manifold, before: &Manifold) {
    for point in &mut manifold.points[..usize::from(manifold.point_count)] {
        if let Some(old) = before.points[..usize::from(before.point_count)].iter().find(|old| old.id == point.id) {
            (point.normal_impulse, point.tangent_impulse) = (old.normal_impulse, old.tangent_impulse);
        }
    }
}

/// Integrates the positions of an island's bodies, after limiting movement and rotation per step.
pub(super) fn integrate_positions(island: &mut Island, h: f32) {
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

//! Continuous collision: moves fast bodies to their first impact with static bodies, and solves this impact
//! (`b2World::SolveTOI`).

use envpool_rs_numeric::simd::SimdLevel;

use super::contact_solver::{ContactConstraint, Velocity};
#[cfg(target_arch = "x86_64")]
use super::lanes::solve_lone_body;
use super::math::{EPSILON, LINEAR_SLOP, min};
use super::step::{StepConfig, integrate_positions};
use super::time_of_impact::{SweptBounds, SweptShape, time_of_impact};
use super::workspace::{Island, IterationCycle, Workspace};
use super::world::{World, fixture_shape, synchronize_fixtures};

/// Maximum number of impacts of a contact per step (`b2_maxSubSteps`).
const MAX_SUB_STEPS: u32 = 8;
/// Maximum number of contacts in the island (group of bodies that are solved together) of an impact (`b2_maxTOIContacts`).
const MAX_TOI_CONTACTS: usize = 32;
/// Maximum number of bodies in the island of an impact.
const MAX_TOI_BODIES: usize = 2 * MAX_TOI_CONTACTS;
/// Maximum number of position iterations per impact.
const TOI_POSITION_ITERATIONS: u32 = 20;
/// Fraction of a position error that is corrected per iteration after an impact (`b2_toiBaugarte`).
const TOI_BAUMGARTE: f32 = 0.75;

impl World {
    /// Solves the impacts of a step in order of time.
    pub(super) fn solve_toi(&mut self, config: &StepConfig, workspace: &mut Workspace) {
        self.reset_toi();
        while let Some((index, alpha)) = self.min_toi_contact(&workspace.swept) {
            self.solve_toi_contact(index, alpha, config, workspace);
        }
    }

    fn reset_toi(&mut self) {
        let Self { bodies, contacts, dynamic_bodies: dynamic, .. } = self;
        let mut reset_body = |body_index: u32| {
            let body = &mut bodies[body_index as usize];
            (body.in_island, body.sweep.alpha0) = (false, 0.0);
        };
        dynamic.iter().for_each(|body_index| reset_body(*body_index));
        for contact in contacts {
            reset_body(contact.body_a);
            reset_body(contact.body_b);
            (contact.toi, contact.toi_count, contact.in_island) = (None, 0, false);
        }
    }

    /// Returns the contact with the least time of impact, and this time as a fraction of the step.
    fn min_toi_contact(&mut self, swept: &[SweptBounds]) -> Option<(usize, f32)> {
        let (mut best, mut least) = (None, 1.0);
        for index in (0..self.contacts.len()).rev() {
            if let Some(alpha) = self.contact_toi(index, swept)
                && alpha < least
            {
                (best, least) = (Some(index), alpha);
            }
        }
        best.filter(|_| least <= 1.0 - 10.0 * EPSILON).map(|index| (index, least))
    }

    /// Returns the time of impact of a contact as a fraction of the step; 1 if there is no impact. Returns `None` for
    /// contacts that continuous collision ignores, such as contacts of sensors.
    #[inline]
    fn contact_toi(&mut self, index: usize, swept: &[SweptBounds]) -> Option<f32> {
        let contact = &mut self.contacts[index];
        if !contact.is_enabled || contact.toi_count > MAX_SUB_STEPS {
            return None;
        }
        if let Some(toi) = contact.toi {
            return Some(toi);
        }
        let [a, b] = self.bodies.get_disjoint_mut([contact.body_a as usize, contact.body_b as usize]).ok()?;
        if contact.is_sensor || !(a.is_awake_dynamic() || b.is_awake_dynamic()) || (a.is_dynamic && b.is_dynamic) {
            return None;
        }
        let mut alpha0 = a.sweep.alpha0;
        if a.sweep.alpha0 < b.sweep.alpha0 {
            alpha0 = b.sweep.alpha0;
            a.sweep.advance(alpha0);
        } else if b.sweep.alpha0 < a.sweep.alpha0 {
            b.sweep.advance(alpha0);
        }
        let shape_of = |fixture: u32| fixture_shape(&self.polygons, &self.fixtures[fixture as usize]);
        let (one, two) = (shape_of(contact.fixture_a), shape_of(contact.fixture_b));
        let (moving, other) =
            if a.is_dynamic { (contact.fixture_a, (two, &b.transform)) } else { (contact.fixture_b, (one, &a.transform)) };
        let is_out_of_reach = |swept: &SweptBounds| swept.is_out_of_reach(&other.0.compute_aabb(other.1));
        let beta = if swept.iter().find(|swept| swept.fixture == moving).is_some_and(is_out_of_reach) {
            None
        } else {
            time_of_impact(SweptShape { shape: one, sweep: a.sweep }, SweptShape { shape: two, sweep: b.sweep })
        };
        let alpha = beta.map_or(1.0, |beta| min(alpha0 + (1.0 - alpha0) * beta, 1.0));
        contact.toi = Some(alpha);
        Some(alpha)
    }

    /// Advances the two bodies of a contact to their impact, and solves the island of the impact.
    fn solve_toi_contact(&mut self, index: usize, alpha: f32, config: &StepConfig, workspace: &mut Workspace) {
        let pair = [self.contacts[index].body_a, self.contacts[index].body_b];
        let backups = pair.map(|body| self.bodies[body as usize].sweep);
        pair.iter().for_each(|body| self.bodies[*body as usize].advance(alpha));
        self.update_contact(index);
        let contact = &mut self.contacts[index];
        contact.toi = None;
        contact.toi_count += 1;
        if !contact.is_touching {
            contact.is_enabled = false;
            for (body_index, backup) in pair.into_iter().zip(backups) {
                let body = &mut self.bodies[body_index as usize];
                body.sweep = backup;
                body.synchronize_transform();
            }
            return;
        }
        contact.in_island = true;
        pair.iter().for_each(|body| self.bodies[*body as usize].wake());
        workspace.toi_island.clear();
        pair.iter().for_each(|body| self.add_to_toi_island(*body, &mut workspace.toi_island));
        workspace.toi_island.contacts.push(index as u32);
        for body in pair {
            if self.bodies[body as usize].is_dynamic {
                self.add_touching_static(body, alpha, &mut workspace.toi_island);
            }
        }
        self.solve_toi_island(alpha, config, &mut workspace.toi_island, workspace.level);
        self.finish_toi_island(&workspace.toi_island, &mut workspace.swept);
        self.find_new_contacts(workspace);
    }

    fn add_to_toi_island(&mut self, body_index: u32, island: &mut Island) {
        let body = &mut self.bodies[body_index as usize];
        body.in_island = true;
        body.island_index = island.bodies.len() as u32;
        island.bodies.push(body_index);
    }

    /// Adds the static bodies that the body `body` touches at the time `alpha` to the impact's island.
    fn add_touching_static(&mut self, body: u32, alpha: f32, island: &mut Island) {
        for index in (0..self.contacts.len()).rev() {
            if island.bodies.len() == MAX_TOI_BODIES || island.contacts.len() == MAX_TOI_CONTACTS {
                return;
            }
            let contact = &self.contacts[index];
            if !contact.has_body(body) || contact.in_island || contact.is_sensor {
                continue;
            }
            let body_index = contact.other_body(body);
            let other = &mut self.bodies[body_index as usize];
            if other.is_dynamic {
                continue;
            }
            let (backup, is_new) = (other.sweep, !other.in_island);
            if is_new {
                other.advance(alpha);
            }
            self.update_contact(index);
            if !self.contacts[index].is_touching {
                let other = &mut self.bodies[body_index as usize];
                other.sweep = backup;
                other.synchronize_transform();
                continue;
            }
            self.contacts[index].in_island = true;
            island.contacts.push(index as u32);
            if is_new {
                self.add_to_toi_island(body_index, island);
            }
        }
    }

    fn solve_toi_island(&mut self, alpha: f32, config: &StepConfig, island: &mut Island, level: SimdLevel) {
        for body_index in &island.bodies {
            let body = &self.bodies[*body_index as usize];
            island.positions.push(super::contact_solver::Position { c: body.sweep.c, a: body.sweep.a });
            island.velocities.push(super::contact_solver::Velocity { v: body.linear_velocity, w: body.angular_velocity });
        }
        self.add_contact_constraints(island, None);
        solve_toi_positions(island);
        for (body_index, position) in island.bodies.iter().zip(&island.positions).take(2) {
            let sweep = &mut self.bodies[*body_index as usize].sweep;
            (sweep.c0, sweep.a0) = (position.c, position.a);
        }
        for constraint in &mut island.contact_constraints {
            constraint.init_velocity_constraint(&island.positions, &island.velocities);
        }
        solve_toi_velocities(island, config.velocity_iterations, level);
        integrate_positions(island, (1.0 - alpha) * config.dt);
        for ((body_index, position), velocity) in island.bodies.iter().zip(&island.positions).zip(&island.velocities) {
            let body = &mut self.bodies[*body_index as usize];
            (body.sweep.c, body.sweep.a) = (position.c, position.a);
            (body.linear_velocity, body.angular_velocity) = (velocity.v, velocity.w);
            body.synchronize_transform();
        }
    }

    /// Updates the broad-phase proxies of the bodies in the impact's island, and invalidates the cached times of impact of
    /// their contacts.
    fn finish_toi_island(&mut self, island: &Island, swept: &mut Vec<SweptBounds>) {
        for body_index in &island.bodies {
            let body = &mut self.bodies[*body_index as usize];
            body.in_island = false;
            if !body.is_dynamic {
                continue;
            }
            synchronize_fixtures(body, &self.fixtures, &self.polygons, &mut self.broad_phase, swept);
            for contact in self.contacts.iter_mut().filter(|contact| contact.has_body(*body_index)) {
                (contact.toi, contact.in_island) = (None, false);
            }
        }
    }
}

/// Runs position iterations in which only the two colliding bodies move, which are the first two bodies of the island.
fn solve_toi_positions(island: &mut Island) {
    for _ in 0..TOI_POSITION_ITERATIONS {
        let mut least = 0.0;
        for contact in &island.contact_constraints {
            let may_move = [contact.index_a < 2, contact.index_b < 2];
            least = min(least, contact.solve_position_constraint(&mut island.positions, TOI_BAUMGARTE, may_move));
        }
        if least >= -1.5 * LINEAR_SLOP {
            return;
        }
    }
}

/// Runs the velocity iterations, and skips iterations that cannot change the result.
#[cfg_attr(not(target_arch = "x86_64"), expect(unused_variables, reason = "`level` has no vectors there"))]
fn solve_toi_velocities(island: &mut Island, iterations: u32, level: SimdLevel) {
    let Some(moving) = island.contact_constraints.first().map(|contact| contact.index_b as usize) else { return };
    let is_still = |contact: &ContactConstraint| {
        let bits = island.velocities[contact.index_a as usize].bits();
        contact.index_b as usize == moving && (contact.ma, contact.ia, bits) == (0.0, 0.0, [0; 3])
    };
    let is_alone = island.contact_constraints.iter().all(is_still);
    #[cfg(target_arch = "x86_64")]
    if is_alone && solve_lone_body(island, moving, iterations, level).is_some() {
        return;
    }
    let mut cycle = IterationCycle::new(island, iterations);
    while cycle.remaining > 0 {
        let before = island.velocities[moving];
        if is_alone {
            let mut velocity = before;
            for contact in &mut island.contact_constraints {
                (_, velocity) = contact.solve_velocities(Velocity::default(), velocity);
            }
            island.velocities[moving] = velocity;
        } else {
            for contact in &mut island.contact_constraints {
                contact.solve_velocity_constraint(&mut island.velocities);
            }
        }
        cycle.finish_iteration(island, before.bits() != island.velocities[moving].bits());
    }
}

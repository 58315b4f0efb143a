//! Impacts within a step: what is fast is brought to where it first touches something that does not move, and solved there.

use super::math::{EPSILON, LINEAR_SLOP, min};
use super::step::{StepConfig, integrate};
use super::time_of_impact::{Moving, time_of_impact};
use super::workspace::{Island, Workspace};
use super::world::{World, shape, synchronize};

/// How often a contact may be met within a step.
const MAX_SUB_STEPS: u32 = 8;
/// Contacts that are solved in an impact at most.
const MAX_CONTACTS: usize = 32;
/// Bodies that are solved in an impact at most.
const MAX_BODIES: usize = 2 * MAX_CONTACTS;
/// Sweeps over positions in an impact at most.
const POSITION_SWEEPS: u32 = 20;
/// How much of an error of position is put right in a sweep.
const BAUMGARTE: f32 = 0.75;

impl World {
    /// Finds impacts one after the other, and solves each.
    pub(super) fn solve_impacts(&mut self, config: &StepConfig, workspace: &mut Workspace) {
        self.begin_impacts();
        while let Some((index, alpha)) = self.first_impact() {
            self.solve_impact(index, alpha, config, workspace);
        }
    }

    fn begin_impacts(&mut self) {
        let Self { bodies, contacts, dynamic, .. } = self;
        let mut begin = |number: u32| {
            let body = &mut bodies[number as usize];
            (body.in_island, body.sweep.alpha0) = (false, 0.0);
        };
        dynamic.iter().for_each(|number| begin(*number));
        for contact in contacts {
            begin(contact.body_a);
            begin(contact.body_b);
            (contact.toi, contact.toi_count, contact.in_island) = (None, 0, false);
        }
    }

    /// The contact that is met first, and when.
    fn first_impact(&mut self) -> Option<(usize, f32)> {
        let (mut first, mut least) = (None, 1.0);
        for index in (0..self.contacts.len()).rev() {
            if let Some(alpha) = self.impact_of(index)
                && alpha < least
            {
                (first, least) = (Some(index), alpha);
            }
        }
        first.filter(|_| least <= 1.0 - 10.0 * EPSILON).map(|index| (index, least))
    }

    /// When a contact is met; 1 where it is not, `None` where it need not be looked at.
    #[inline]
    fn impact_of(&mut self, index: usize) -> Option<f32> {
        let contact = &mut self.contacts[index];
        if !contact.is_enabled || contact.toi_count > MAX_SUB_STEPS {
            return None;
        }
        if let Some(toi) = contact.toi {
            return Some(toi);
        }
        let [a, b] = self.bodies.get_disjoint_mut([contact.body_a as usize, contact.body_b as usize]).ok()?;
        if contact.is_sensor || !(a.is_active() || b.is_active()) || (a.is_dynamic && b.is_dynamic) {
            return None;
        }
        let mut alpha0 = a.sweep.alpha0;
        if a.sweep.alpha0 < b.sweep.alpha0 {
            alpha0 = b.sweep.alpha0;
            a.sweep.advance(alpha0);
        } else if b.sweep.alpha0 < a.sweep.alpha0 {
            b.sweep.advance(alpha0);
        }
        let shape_of = |fixture: u32| shape(&self.polygons, &self.fixtures[fixture as usize]);
        let moving = [(contact.fixture_a, a.sweep), (contact.fixture_b, b.sweep)];
        let [one, two] = moving.map(|(fixture, sweep)| Moving { shape: shape_of(fixture), sweep });
        let alpha = time_of_impact(one, two).map_or(1.0, |beta| min(alpha0 + (1.0 - alpha0) * beta, 1.0));
        contact.toi = Some(alpha);
        Some(alpha)
    }

    /// Brings both bodies to their impact, and solves what they touch there.
    fn solve_impact(&mut self, index: usize, alpha: f32, config: &StepConfig, workspace: &mut Workspace) {
        let pair = [self.contacts[index].body_a, self.contacts[index].body_b];
        let backups = pair.map(|body| self.bodies[body as usize].sweep);
        pair.iter().for_each(|body| self.bodies[*body as usize].advance(alpha));
        self.update_contact(index);
        let contact = &mut self.contacts[index];
        contact.toi = None;
        contact.toi_count += 1;
        if !contact.is_touching {
            contact.is_enabled = false;
            for (number, backup) in pair.into_iter().zip(backups) {
                let body = &mut self.bodies[number as usize];
                body.sweep = backup;
                body.synchronize_transform();
            }
            return;
        }
        contact.in_island = true;
        pair.iter().for_each(|body| self.bodies[*body as usize].wake());
        workspace.impact.clear();
        pair.iter().for_each(|body| self.add_to_impact(*body, &mut workspace.impact));
        workspace.impact.contacts.push(index as u32);
        for body in pair {
            if self.bodies[body as usize].is_dynamic {
                self.add_touched(body, alpha, &mut workspace.impact);
            }
        }
        self.solve_impact_island(alpha, config, &mut workspace.impact);
        self.end_impact(&workspace.impact);
        self.find_new_contacts(workspace);
    }

    fn add_to_impact(&mut self, number: u32, island: &mut Island) {
        let body = &mut self.bodies[number as usize];
        body.in_island = true;
        body.island_index = island.bodies.len() as u32;
        island.bodies.push(number);
    }

    /// Adds what a body touches that does not move.
    fn add_touched(&mut self, body: u32, alpha: f32, island: &mut Island) {
        for index in (0..self.contacts.len()).rev() {
            if island.bodies.len() == MAX_BODIES || island.contacts.len() == MAX_CONTACTS {
                return;
            }
            let contact = &self.contacts[index];
            if !contact.has(body) || contact.in_island || contact.is_sensor {
                continue;
            }
            let number = contact.other(body);
            let other = &mut self.bodies[number as usize];
            if other.is_dynamic {
                continue;
            }
            let (backup, is_new) = (other.sweep, !other.in_island);
            if is_new {
                other.advance(alpha);
            }
            self.update_contact(index);
            if !self.contacts[index].is_touching {
                let other = &mut self.bodies[number as usize];
                other.sweep = backup;
                other.synchronize_transform();
                continue;
            }
            self.contacts[index].in_island = true;
            island.contacts.push(index as u32);
            if is_new {
                self.add_to_impact(number, island);
            }
        }
    }

    fn solve_impact_island(&mut self, alpha: f32, config: &StepConfig, island: &mut Island) {
        for number in &island.bodies {
            let body = &self.bodies[*number as usize];
            island.positions.push(super::solver::Position { c: body.sweep.c, a: body.sweep.a });
            island.velocities.push(super::solver::Velocity { v: body.velocity, w: body.angular_velocity });
        }
        self.prepare_contacts(island, None);
        solve_impact_positions(island);
        for (number, position) in island.bodies.iter().zip(&island.positions).take(2) {
            let sweep = &mut self.bodies[*number as usize].sweep;
            (sweep.c0, sweep.a0) = (position.c, position.a);
        }
        for constraint in &mut island.contact_constraints {
            constraint.prepare(&island.positions, &island.velocities);
        }
        solve_impact_velocities(island, config.velocity_sweeps);
        integrate(island, (1.0 - alpha) * config.dt);
        for ((number, position), velocity) in island.bodies.iter().zip(&island.positions).zip(&island.velocities) {
            let body = &mut self.bodies[*number as usize];
            (body.sweep.c, body.sweep.a) = (position.c, position.a);
            (body.velocity, body.angular_velocity) = (velocity.v, velocity.w);
            body.synchronize_transform();
        }
    }

    /// Tells the tree of boxes where the bodies are now, whose next impacts are to be found anew.
    fn end_impact(&mut self, island: &Island) {
        for number in &island.bodies {
            let body = &mut self.bodies[*number as usize];
            body.in_island = false;
            if !body.is_dynamic {
                continue;
            }
            synchronize(body, &self.fixtures, &self.polygons, &mut self.broad_phase);
            for contact in self.contacts.iter_mut().filter(|contact| contact.has(*number)) {
                (contact.toi, contact.in_island) = (None, false);
            }
        }
    }
}

/// The two bodies that met are the first two: only they move.
fn solve_impact_positions(island: &mut Island) {
    for _ in 0..POSITION_SWEEPS {
        let mut least = 0.0;
        for contact in &island.contact_constraints {
            let may_move = [contact.index_a < 2, contact.index_b < 2];
            least = min(least, contact.solve_position(&mut island.positions, BAUMGARTE, may_move));
        }
        if least >= -1.5 * LINEAR_SLOP {
            return;
        }
    }
}

/// All sweeps over velocities, as far as they lead anywhere: what one sweep leaves as it was, the next leaves, too, and where some sweeps
/// lead back to what was before, so do as many again.
fn solve_impact_velocities(island: &mut Island, sweeps: u32) {
    let (mut left, mut since, mut until) = (sweeps, 0, 1);
    island.remember();
    while left > 0 {
        left -= 1;
        since += 1;
        let mut changes = false;
        for contact in &mut island.contact_constraints {
            let pair = [contact.index_a as usize, contact.index_b as usize];
            let before = (contact.numbers(), pair.map(|body| island.velocities[body].bits()));
            contact.solve_velocity(&mut island.velocities);
            changes |= before != (contact.numbers(), pair.map(|body| island.velocities[body].bits()));
        }
        if !changes {
            return;
        }
        if island.is_as_remembered() {
            // Whole rounds are left out.
            left %= since;
        } else if since == until {
            island.remember();
            (since, until) = (0, 2 * until);
        }
    }
}

//! Starts to load worlds into the processor's cache: of many worlds, one is loaded while another is stepped.

use std::ops::Range;
use std::slice::from_ref;

use envpool_rs_numeric::simd::prefetch;

use super::world::World;

/// Number of stages of a prefetch. Each reads what the stage before has loaded.
pub(super) const STAGES: usize = 3;
/// Number of worlds in a batch that stay in the cache between steps.
const MAX_CACHED: usize = 16;

/// Returns whether worlds of a batch of `count` worlds are often not in the cache.
pub fn exceeds_cache(count: usize) -> bool {
    count > MAX_CACHED
}

impl World {
    /// Starts to load the joints, and the moving bodies with their fixtures and polygons, which were created last: about two for each.
    #[inline(always)]
    pub fn prefetch_moving(&self) {
        let [first, .., last] = self.dynamic_bodies[..] else { return };
        let shapes = 2 * self.dynamic_bodies.len();
        prefetch(&self.joints);
        prefetch(&self.bodies[first as usize..=last as usize]);
        prefetch(&self.fixtures[self.fixtures.len().saturating_sub(shapes)..]);
        prefetch(&self.polygons[self.polygons.len().saturating_sub(shapes)..]);
    }

    /// Starts to load the contacts, and of each contact the first fixture, its body and its proxy.
    #[inline(always)]
    pub(super) fn prefetch_contacts(&self, stage: usize) {
        match stage {
            0 => prefetch(&self.contacts),
            1 => {
                for contact in &self.contacts {
                    prefetch(from_ref(&self.fixtures[contact.fixture_a as usize]));
                    self.prefetch_body(contact.body_a);
                    prefetch(from_ref(&self.bodies[contact.body_a as usize].is_awake));
                }
            }
            _ => self.contacts.iter().for_each(|contact| self.prefetch_proxy(contact.fixture_a)),
        }
    }

    /// Starts to load static bodies with one fixture each, for [`World::ray_cast_fan`], if `is_first`; otherwise loads their proxies.
    #[inline(always)]
    pub fn prefetch_bodies(&self, bodies: Range<u32>, is_first: bool) {
        let bodies = bodies.start..bodies.end.min(self.fixtures.len().min(self.bodies.len()) as u32);
        if is_first {
            prefetch(self.fixtures.get(bodies.start as usize..bodies.end as usize).unwrap_or_default());
            bodies.for_each(|body| self.prefetch_body(body));
        } else {
            bodies.for_each(|body| self.prefetch_proxy(body));
        }
    }

    #[inline(always)]
    fn prefetch_body(&self, body: u32) {
        prefetch(from_ref(&self.bodies[body as usize].transform));
    }

    #[inline(always)]
    fn prefetch_proxy(&self, fixture: u32) {
        prefetch(from_ref(self.broad_phase.fat_aabb(self.fixtures[fixture as usize].proxy)));
    }
}

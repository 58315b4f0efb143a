//! Broad phase: finds pairs of fixtures whose fat (enlarged) bounding boxes overlap (`b2BroadPhase`).

use serde::{Deserialize, Serialize};

use super::dynamic_tree::DynamicTree;
use super::math::{Aabb, Vec2};
use super::node_stack::NULL_NODE;
use super::shape::RayCastInput;

/// Broad phase: a dynamic tree of proxies (one leaf per fixture), and a list of the proxies that moved since the last update.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BroadPhase {
    tree: DynamicTree,
    /// Proxies for which the next update searches for new pairs (`m_moveBuffer`).
    move_buffer: Vec<u32>,
}

impl BroadPhase {
    /// Removes all proxies, which gives the state of a new broad phase.
    pub fn clear(&mut self) {
        self.tree.clear();
        self.move_buffer.clear();
    }

    /// Creates the proxy of a fixture with the bounding box `bounds`, and returns its id.
    pub fn create_proxy(&mut self, bounds: &Aabb, fixture: u32) -> u32 {
        let proxy = self.tree.create_proxy(bounds, fixture);
        self.move_buffer.push(proxy);
        proxy
    }

    /// Destroys a proxy: removes it from the tree and from the move buffer.
    pub fn destroy_proxy(&mut self, proxy: u32) {
        self.move_buffer.iter_mut().filter(|moved| **moved == proxy).for_each(|moved| *moved = NULL_NODE);
        self.tree.destroy_proxy(proxy);
    }

    /// Updates the bounding box of a proxy. `displacement` is the movement of its body since the last step, in metres.
    pub fn move_proxy(&mut self, proxy: u32, bounds: &Aabb, displacement: Vec2) {
        if self.tree.move_proxy(proxy, bounds, displacement) {
            self.move_buffer.push(proxy);
        }
    }

    /// Returns whether the fat boxes of two proxies overlap.
    #[inline(always)]
    pub fn test_overlap(&self, a: u32, b: u32) -> bool {
        self.tree.fat_aabb(b).overlaps(self.tree.fat_aabb(a))
    }

    /// Returns the fat box of a proxy.
    #[inline(always)]
    pub fn fat_aabb(&self, proxy: u32) -> &Aabb {
        self.tree.fat_aabb(proxy)
    }

    /// Writes all pairs of fixtures whose fat boxes have started to overlap to `pairs`: each pair once, in the order of the
    /// proxies' ids (`UpdatePairs`).
    pub fn update_pairs(&mut self, pairs: &mut Vec<(u32, u32)>) {
        pairs.clear();
        for proxy in self.move_buffer.drain(..).filter(|proxy| *proxy != NULL_NODE) {
            self.tree.query(self.tree.fat_aabb(proxy), |other| {
                if other != proxy {
                    pairs.push((proxy.min(other), proxy.max(other)));
                }
            });
        }
        pairs.sort_unstable();
        pairs.dedup();
        for (a, b) in pairs {
            (*a, *b) = (self.tree.fixture(*a), self.tree.fixture(*b));
        }
    }

    /// Calls `callback` with each fixture whose fat box overlaps `bounds`.
    #[inline]
    pub fn query(&self, bounds: &Aabb, mut callback: impl FnMut(u32)) {
        self.tree.query(bounds, |proxy| callback(self.tree.fixture(proxy)));
    }

    /// Calls `hit` with each fixture whose fat box intersects a ray. `hit` returns the new fraction at which the ray ends, 0
    /// to stop the search, or `None` to leave the ray unchanged.
    #[inline]
    pub fn ray_cast(&self, ray: &RayCastInput, hit: impl FnMut(&RayCastInput, u32) -> Option<f32>) {
        self.tree.ray_cast(ray, hit);
    }

    /// Returns whether the tree is consistent, and its proxies are the proxies of the `fixture_count` fixtures; `proxy_of`
    /// returns the proxy of a fixture. Untrusted snapshots must pass this check.
    pub fn is_valid(&self, fixture_count: usize, proxy_of: impl Fn(u32) -> Option<u32>) -> bool {
        let is_proxy =
            |proxy: &u32| *proxy == NULL_NODE || (0..fixture_count as u32).any(|fixture| proxy_of(fixture) == Some(*proxy));
        self.move_buffer.len() <= 4 * fixture_count + 16
            && self.move_buffer.iter().all(is_proxy)
            && self.tree.is_valid(fixture_count, proxy_of)
    }
}

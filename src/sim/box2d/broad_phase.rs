//! Which fixtures are close enough to be looked at.

use serde::{Deserialize, Serialize};

use super::math::{Aabb, Vec2};
use super::shape::Ray;
use super::stack::NULL;
use super::tree::Tree;

/// The tree of boxes, and what has moved in it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BroadPhase {
    tree: Tree,
    /// Leaves whose neighbours are to be looked for.
    moved: Vec<u32>,
}

impl BroadPhase {
    /// As it was when it was made.
    pub fn clear(&mut self) {
        self.tree.clear();
        self.moved.clear();
    }

    /// A leaf for a fixture.
    pub fn create(&mut self, bounds: &Aabb, fixture: u32) -> u32 {
        let leaf = self.tree.create(bounds, fixture);
        self.moved.push(leaf);
        leaf
    }

    /// Removes a leaf.
    pub fn destroy(&mut self, leaf: u32) {
        self.moved.iter_mut().filter(|moved| **moved == leaf).for_each(|moved| *moved = NULL);
        self.tree.destroy(leaf);
    }

    /// Tells that a fixture is within `bounds` now, and how far it has moved.
    pub fn move_leaf(&mut self, leaf: u32, bounds: &Aabb, displacement: Vec2) {
        if self.tree.move_leaf(leaf, bounds, displacement) {
            self.moved.push(leaf);
        }
    }

    /// Whether the boxes of two leaves overlap.
    #[inline(always)]
    pub fn overlap(&self, a: u32, b: u32) -> bool {
        self.tree.bounds(b).overlaps(self.tree.bounds(a))
    }

    /// The fixtures of pairs that have come close, each pair once, in the order of their leaves.
    pub fn new_pairs(&mut self, pairs: &mut Vec<(u32, u32)>) {
        pairs.clear();
        for leaf in self.moved.drain(..).filter(|leaf| *leaf != NULL) {
            self.tree.query(self.tree.bounds(leaf), |other| {
                if other != leaf {
                    pairs.push((leaf.min(other), leaf.max(other)));
                }
            });
        }
        pairs.sort_unstable();
        pairs.dedup();
        for (a, b) in pairs {
            (*a, *b) = (self.tree.fixture(*a), self.tree.fixture(*b));
        }
    }

    /// Calls `found` with the fixtures whose boxes overlap `bounds`.
    #[inline]
    pub fn query(&self, bounds: &Aabb, mut found: impl FnMut(u32)) {
        self.tree.query(bounds, |leaf| found(self.tree.fixture(leaf)));
    }

    /// See [`Tree::cast`].
    #[inline]
    pub fn cast(&self, ray: &Ray, hit: impl FnMut(&Ray, u32) -> Option<f32>) {
        self.tree.cast(ray, hit);
    }

    /// Whether it has these fixtures' leaves and is in order.
    pub fn is_valid(&self, leaves: usize, leaf_of: impl Fn(u32) -> Option<u32>) -> bool {
        let is_leaf = |leaf: &u32| *leaf == NULL || (0..leaves as u32).any(|fixture| leaf_of(fixture) == Some(*leaf));
        self.moved.len() <= 4 * leaves + 16 && self.moved.iter().all(is_leaf) && self.tree.is_valid(leaves, leaf_of)
    }
}

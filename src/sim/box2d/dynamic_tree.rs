//! Dynamic bounding-volume tree for pair queries and ray casts (`b2DynamicTree`).
//!
//! The id of a proxy is the index of its leaf node, and contacts are created in order of these ids. To give the same order of
//! contacts, nodes are allocated, freed and rotated exactly as in Box2D.

use serde::{Deserialize, Serialize};

use super::math::{Aabb, Vec2, cross, vec2};
use super::node_stack::{MAX_DEPTH, NULL_NODE, NodeStack};
use super::shape::RayCastInput;

/// Margin by which a leaf's fat box exceeds the fixture's bounding box, in metres (`b2_aabbExtension`).
const AABB_EXTENSION: f32 = 0.1;
/// Number of steps for which a fat box is extended in the direction of the fixture's movement (`b2_aabbMultiplier`).
const AABB_MULTIPLIER: f32 = 2.0;
/// Height that marks a free node.
const FREE_HEIGHT: i32 = -1;
/// Number of nodes in a new tree.
const INITIAL_CAPACITY: usize = 16;

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Node {
    aabb: Aabb,
    /// Index of the node's parent. If the node is free, index of the next free node.
    parent: u32,
    child_1: u32,
    child_2: u32,
    /// Height of the node above the leaves: 0 for leaves, -1 for free nodes.
    height: i32,
    /// Fixture of a leaf node; inner nodes do not use the field.
    fixture: u32,
}

impl Node {
    #[inline(always)]
    fn is_leaf(&self) -> bool {
        self.child_1 == NULL_NODE
    }

    fn free(next: u32) -> Self {
        Self {
            aabb: Aabb::default(),
            parent: next,
            child_1: NULL_NODE,
            child_2: NULL_NODE,
            height: FREE_HEIGHT,
            fixture: NULL_NODE,
        }
    }
}

/// A balanced tree of axis-aligned bounding boxes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DynamicTree {
    nodes: Vec<Node>,
    root: u32,
    free_list: u32,
}

impl Default for DynamicTree {
    fn default() -> Self {
        let mut tree = Self { nodes: Vec::new(), root: NULL_NODE, free_list: NULL_NODE };
        tree.grow(INITIAL_CAPACITY);
        tree
    }
}

impl DynamicTree {
    /// Removes all nodes, which gives the state of a new tree.
    pub fn clear(&mut self) {
        self.nodes.clear();
        (self.root, self.free_list) = (NULL_NODE, NULL_NODE);
        self.grow(INITIAL_CAPACITY);
    }

    /// Adds free nodes until the tree has `capacity` nodes.
    fn grow(&mut self, capacity: usize) {
        let first = self.nodes.len() as u32;
        self.nodes.extend((first..capacity as u32).map(|node| Node::free(node + 1)));
        if let Some(last) = self.nodes.last_mut() {
            last.parent = NULL_NODE;
        }
        self.free_list = first;
    }

    #[inline(always)]
    fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    #[inline(always)]
    fn node_mut(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    fn allocate_node(&mut self) -> u32 {
        if self.free_list == NULL_NODE {
            self.grow(2 * self.nodes.len());
        }
        let node = self.free_list;
        self.free_list = self.node(node).parent;
        *self.node_mut(node) = Node { height: 0, ..Node::free(NULL_NODE) };
        node
    }

    fn free_node(&mut self, node: u32) {
        *self.node_mut(node) = Node::free(self.free_list);
        self.free_list = node;
    }

    /// Creates the proxy of a fixture with a fat box around `bounds`, and returns its id.
    pub fn create_proxy(&mut self, bounds: &Aabb, fixture: u32) -> u32 {
        let leaf = self.allocate_node();
        let node = self.node_mut(leaf);
        (node.aabb, node.fixture) = (bounds.extended(AABB_EXTENSION), fixture);
        self.insert_leaf(leaf);
        leaf
    }

    /// Destroys a proxy: removes its leaf from the tree.
    pub fn destroy_proxy(&mut self, leaf: u32) {
        self.remove_leaf(leaf);
        self.free_node(leaf);
    }

    /// Returns the fat box of a proxy, which contains the box of its shape with a margin.
    #[inline(always)]
    pub fn fat_aabb(&self, leaf: u32) -> &Aabb {
        &self.node(leaf).aabb
    }

    /// Returns the fixture of a proxy.
    #[inline(always)]
    pub fn fixture(&self, leaf: u32) -> u32 {
        self.node(leaf).fixture
    }

    /// Reinserts a proxy if its fat box does not contain `bounds` (`MoveProxy`). Returns whether the proxy was reinserted.
    pub fn move_proxy(&mut self, leaf: u32, bounds: &Aabb, displacement: Vec2) -> bool {
        if self.node(leaf).aabb.contains(bounds) {
            return false;
        }
        self.remove_leaf(leaf);
        let (mut fat, d) = (bounds.extended(AABB_EXTENSION), AABB_MULTIPLIER * displacement);
        if d.x < 0.0 {
            fat.lower.x += d.x;
        } else {
            fat.upper.x += d.x;
        }
        if d.y < 0.0 {
            fat.lower.y += d.y;
        } else {
            fat.upper.y += d.y;
        }
        self.node_mut(leaf).aabb = fat;
        self.insert_leaf(leaf);
        true
    }

    /// Finds the sibling with the least cost for a new leaf, by the surface area heuristic.
    fn find_best_sibling(&self, leaf: &Aabb) -> u32 {
        let mut index = self.root;
        while !self.node(index).is_leaf() {
            let node = self.node(index);
            let area = node.aabb.perimeter();
            let combined = Aabb::combine(&node.aabb, leaf).perimeter();
            let cost = 2.0 * combined;
            let inheritance_cost = 2.0 * (combined - area);
            let descend_cost = |child: u32| {
                let child = self.node(child);
                let around = Aabb::combine(leaf, &child.aabb).perimeter();
                if child.is_leaf() { around + inheritance_cost } else { (around - child.aabb.perimeter()) + inheritance_cost }
            };
            let (cost_1, cost_2) = (descend_cost(node.child_1), descend_cost(node.child_2));
            if cost < cost_1 && cost < cost_2 {
                break;
            }
            index = if cost_1 < cost_2 { node.child_1 } else { node.child_2 };
        }
        index
    }

    fn insert_leaf(&mut self, leaf: u32) {
        if self.root == NULL_NODE {
            self.root = leaf;
            self.node_mut(leaf).parent = NULL_NODE;
            return;
        }
        let bounds = self.node(leaf).aabb;
        let sibling = self.find_best_sibling(&bounds);
        let old_parent = self.node(sibling).parent;
        let new_parent = self.allocate_node();
        let sibling_node = *self.node(sibling);
        *self.node_mut(new_parent) = Node {
            aabb: Aabb::combine(&bounds, &sibling_node.aabb),
            parent: old_parent,
            child_1: sibling,
            child_2: leaf,
            height: sibling_node.height + 1,
            fixture: NULL_NODE,
        };
        self.replace_child(old_parent, sibling, new_parent);
        self.node_mut(sibling).parent = new_parent;
        self.node_mut(leaf).parent = new_parent;
        self.refit_ancestors(new_parent);
    }

    fn remove_leaf(&mut self, leaf: u32) {
        if leaf == self.root {
            self.root = NULL_NODE;
            return;
        }
        let parent = self.node(leaf).parent;
        let Node { parent: grandparent, child_1, child_2, .. } = *self.node(parent);
        let sibling = if child_1 == leaf { child_2 } else { child_1 };
        self.replace_child(grandparent, parent, sibling);
        self.node_mut(sibling).parent = grandparent;
        self.free_node(parent);
        self.refit_ancestors(grandparent);
    }

    /// Replaces the child `old` of the node `parent` by `new`. If `parent` is null, `new` becomes the root.
    fn replace_child(&mut self, parent: u32, old: u32, new: u32) {
        if parent == NULL_NODE {
            self.root = new;
        } else if self.node(parent).child_1 == old {
            self.node_mut(parent).child_1 = new;
        } else {
            self.node_mut(parent).child_2 = new;
        }
    }

    /// Rebalances the tree and recomputes the boxes of the nodes from `index` up to the root.
    fn refit_ancestors(&mut self, mut index: u32) {
        while index != NULL_NODE {
            index = self.balance(index);
            self.refit(index);
            index = self.node(index).parent;
        }
    }

    /// Recomputes a node's box and height from its children.
    fn refit(&mut self, index: u32) {
        let Node { child_1, child_2, .. } = *self.node(index);
        let (child_a, child_b) = (self.node(child_1), self.node(child_2));
        let (bounds, height) = (Aabb::combine(&child_a.aabb, &child_b.aabb), 1 + child_a.height.max(child_b.height));
        let node = self.node_mut(index);
        (node.aabb, node.height) = (bounds, height);
    }

    /// Rotates the subtree at node `a` if the heights of its children differ by two or more (`Balance`). Returns the new root
    /// of the subtree.
    fn balance(&mut self, a: u32) -> u32 {
        let Node { child_1: b, child_2: c, height, .. } = *self.node(a);
        if self.node(a).is_leaf() || height < 2 {
            return a;
        }
        let balance = self.node(c).height - self.node(b).height;
        match balance {
            2.. => self.rotate(a, c),
            ..=-2 => self.rotate(a, b),
            _ => a,
        }
    }

    /// Rotates the node `up`, a child of `a`, to the position of `a` in the tree. `up` keeps its higher child; its lower child
    /// becomes a child of `a`. Returns `up`.
    fn rotate(&mut self, a: u32, up: u32) -> u32 {
        let Node { child_1: child_a, child_2: child_b, .. } = *self.node(up);
        let above = self.node(a).parent;
        self.replace_child(above, a, up);
        self.node_mut(up).parent = above;
        self.node_mut(a).parent = up;
        let (higher, lower) =
            if self.node(child_a).height > self.node(child_b).height { (child_a, child_b) } else { (child_b, child_a) };
        let node = self.node_mut(up);
        (node.child_1, node.child_2) = (a, higher);
        let node = self.node_mut(a);
        if node.child_1 == up {
            node.child_1 = lower;
        } else {
            node.child_2 = lower;
        }
        self.node_mut(lower).parent = a;
        self.refit(a);
        self.refit(up);
        up
    }

    /// Calls `callback` with each leaf whose fat box overlaps `bounds`.
    #[inline]
    pub fn query(&self, bounds: &Aabb, mut callback: impl FnMut(u32)) {
        let mut stack = NodeStack::with_root(self.root);
        while let Some(index) = stack.pop() {
            let node = self.node(index);
            if !node.aabb.overlaps(bounds) {
                continue;
            }
            if node.is_leaf() {
                callback(index);
            } else {
                stack.push(node.child_1);
                stack.push(node.child_2);
            }
        }
    }

    /// Calls `hit` with each fixture whose fat box intersects a ray.
    ///
    /// The function `hit` returns the new fraction at which the ray ends, 0 to stop the search, or `None` to leave the ray
    /// unchanged.
    #[inline]
    pub fn ray_cast(&self, ray: &RayCastInput, mut hit: impl FnMut(&RayCastInput, u32) -> Option<f32>) {
        let (p1, p2) = (ray.p1, ray.p2);
        let perpendicular = cross(1.0, (p2 - p1).normalized().0);
        let abs_perpendicular = vec2(perpendicular.x.abs(), perpendicular.y.abs());
        let mut ray = *ray;
        let aabb_to = |fraction: f32| {
            let end = p1 + fraction * (p2 - p1);
            Aabb { lower: p1.min(end), upper: p1.max(end) }
        };
        let mut segment = aabb_to(ray.max_fraction);
        let mut stack = NodeStack::with_root(self.root);
        while let Some(index) = stack.pop() {
            let node = self.node(index);
            if !node.aabb.overlaps(&segment) {
                continue;
            }
            let center = 0.5 * (node.aabb.lower + node.aabb.upper);
            let half = 0.5 * (node.aabb.upper - node.aabb.lower);
            if perpendicular.dot(p1 - center).abs() - abs_perpendicular.dot(half) > 0.0 {
                continue;
            }
            if node.is_leaf() {
                match hit(&ray, node.fixture) {
                    Some(0.0) => return,
                    Some(fraction) if fraction > 0.0 => {
                        ray.max_fraction = fraction;
                        segment = aabb_to(fraction);
                    }
                    _ => {}
                }
            } else {
                stack.push(node.child_1);
                stack.push(node.child_2);
            }
        }
    }

    /// Returns whether the tree is consistent, and its leaves are the proxies of the `fixture_count` fixtures; `proxy_of`
    /// returns the proxy of a fixture. Untrusted snapshots must pass this check.
    pub fn is_valid(&self, fixture_count: usize, proxy_of: impl Fn(u32) -> Option<u32>) -> bool {
        let count = self.nodes.len();
        let (mut visited, mut leaf_count) = (vec![false; count], 0);
        let mut visit = |node: u32| -> bool {
            let new = visited.get(node as usize) == Some(&false);
            if new {
                visited[node as usize] = true;
            }
            new
        };
        let mut stack = Vec::from_iter((self.root != NULL_NODE).then_some((self.root, NULL_NODE)));
        while let Some((index, parent)) = stack.pop() {
            if !visit(index) || self.node(index).parent != parent || stack.len() > MAX_DEPTH {
                return false;
            }
            let node = self.node(index);
            if node.is_leaf() {
                if node.height != 0 || proxy_of(node.fixture) != Some(index) {
                    return false;
                }
                leaf_count += 1;
            } else {
                let Some((child_a, child_b)) = self.nodes.get(node.child_1 as usize).zip(self.nodes.get(node.child_2 as usize))
                else {
                    return false;
                };
                // Heights come from a snapshot and may be any number, so this comparison must not overflow.
                let is_next = node.height.checked_sub(1) == Some(child_a.height.max(child_b.height));
                let in_balance = child_a.height.abs_diff(child_b.height) <= 1;
                if !is_next || !in_balance || child_a.height < 0 || child_b.height < 0 {
                    return false;
                }
                stack.extend([(node.child_1, index), (node.child_2, index)]);
            }
        }
        let mut free = self.free_list;
        while free != NULL_NODE {
            if !visit(free) {
                return false;
            }
            free = self.node(free).parent;
        }
        leaf_count == fixture_count && visited.into_iter().all(|visited| visited)
    }
}

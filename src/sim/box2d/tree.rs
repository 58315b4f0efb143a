//! The tree of boxes in which close pairs and rays' hits are looked for.
//!
//! Leaves are numbered by the nodes that they are, and contacts are made in the order of these numbers: so nodes are handed out, given back
//! and turned about as Box2D does it, or a world would go another way.

use serde::{Deserialize, Serialize};

use super::math::{Aabb, Vec2, cross, vec2};
use super::shape::Ray;
use super::stack::{DEEPEST, NULL, Stack};

/// How much wider than its shape a leaf's box is, in metres.
const EXTENSION: f32 = 0.1;
/// How many steps ahead a leaf's box reaches into the direction of movement.
const AHEAD: f32 = 2.0;
/// The height of nodes that are free.
const FREE: i32 = -1;
/// Nodes that a new tree has room for.
const FIRST_CAPACITY: usize = 16;

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Node {
    bounds: Aabb,
    /// The next free node, where it is free.
    parent: u32,
    child_1: u32,
    child_2: u32,
    /// 0 for leaves.
    height: i32,
    /// The fixture, where it is a leaf.
    fixture: u32,
}

impl Node {
    #[inline(always)]
    fn is_leaf(&self) -> bool {
        self.child_1 == NULL
    }

    fn free(next: u32) -> Self {
        Self { bounds: Aabb::default(), parent: next, child_1: NULL, child_2: NULL, height: FREE, fixture: NULL }
    }
}

/// A balanced tree of boxes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    nodes: Vec<Node>,
    root: u32,
    free: u32,
}

impl Default for Tree {
    fn default() -> Self {
        let mut tree = Self { nodes: Vec::new(), root: NULL, free: NULL };
        tree.grow(FIRST_CAPACITY);
        tree
    }
}

impl Tree {
    /// As it was when it was made.
    pub fn clear(&mut self) {
        self.nodes.clear();
        (self.root, self.free) = (NULL, NULL);
        self.grow(FIRST_CAPACITY);
    }

    /// Adds free nodes up to this many.
    fn grow(&mut self, capacity: usize) {
        let first = self.nodes.len() as u32;
        self.nodes.extend((first..capacity as u32).map(|node| Node::free(node + 1)));
        if let Some(last) = self.nodes.last_mut() {
            last.parent = NULL;
        }
        self.free = first;
    }

    #[inline(always)]
    fn at(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    #[inline(always)]
    fn at_mut(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    fn allocate(&mut self) -> u32 {
        if self.free == NULL {
            self.grow(2 * self.nodes.len());
        }
        let node = self.free;
        self.free = self.at(node).parent;
        *self.at_mut(node) = Node { height: 0, ..Node::free(NULL) };
        node
    }

    fn give_back(&mut self, node: u32) {
        *self.at_mut(node) = Node::free(self.free);
        self.free = node;
    }

    /// A new leaf around a fixture.
    pub fn create(&mut self, bounds: &Aabb, fixture: u32) -> u32 {
        let leaf = self.allocate();
        let node = self.at_mut(leaf);
        (node.bounds, node.fixture) = (bounds.widened(EXTENSION), fixture);
        self.insert(leaf);
        leaf
    }

    /// Removes a leaf.
    pub fn destroy(&mut self, leaf: u32) {
        self.remove(leaf);
        self.give_back(leaf);
    }

    /// The box of a leaf, which is wider than its shape's.
    #[inline(always)]
    pub fn bounds(&self, leaf: u32) -> &Aabb {
        &self.at(leaf).bounds
    }

    /// The fixture of a leaf.
    #[inline(always)]
    pub fn fixture(&self, leaf: u32) -> u32 {
        self.at(leaf).fixture
    }

    /// Makes a leaf's box one around `bounds`, unless it still is. Returns whether it was not.
    pub fn move_leaf(&mut self, leaf: u32, bounds: &Aabb, displacement: Vec2) -> bool {
        if self.at(leaf).bounds.contains(bounds) {
            return false;
        }
        self.remove(leaf);
        let (mut wide, d) = (bounds.widened(EXTENSION), AHEAD * displacement);
        if d.x < 0.0 {
            wide.lower.x += d.x;
        } else {
            wide.upper.x += d.x;
        }
        if d.y < 0.0 {
            wide.lower.y += d.y;
        } else {
            wide.upper.y += d.y;
        }
        self.at_mut(leaf).bounds = wide;
        self.insert(leaf);
        true
    }

    /// The node next to which a new leaf costs least.
    fn sibling_for(&self, leaf: &Aabb) -> u32 {
        let mut index = self.root;
        while !self.at(index).is_leaf() {
            let node = self.at(index);
            let area = node.bounds.perimeter();
            let combined = Aabb::around(&node.bounds, leaf).perimeter();
            let cost = 2.0 * combined;
            let inherited = 2.0 * (combined - area);
            let below = |child: u32| {
                let child = self.at(child);
                let around = Aabb::around(leaf, &child.bounds).perimeter();
                if child.is_leaf() { around + inherited } else { (around - child.bounds.perimeter()) + inherited }
            };
            let (cost_1, cost_2) = (below(node.child_1), below(node.child_2));
            if cost < cost_1 && cost < cost_2 {
                break;
            }
            index = if cost_1 < cost_2 { node.child_1 } else { node.child_2 };
        }
        index
    }

    fn insert(&mut self, leaf: u32) {
        if self.root == NULL {
            self.root = leaf;
            self.at_mut(leaf).parent = NULL;
            return;
        }
        let bounds = self.at(leaf).bounds;
        let sibling = self.sibling_for(&bounds);
        let old_parent = self.at(sibling).parent;
        let new_parent = self.allocate();
        let beside = *self.at(sibling);
        *self.at_mut(new_parent) = Node {
            bounds: Aabb::around(&bounds, &beside.bounds),
            parent: old_parent,
            child_1: sibling,
            child_2: leaf,
            height: beside.height + 1,
            fixture: NULL,
        };
        self.replace_child(old_parent, sibling, new_parent);
        self.at_mut(sibling).parent = new_parent;
        self.at_mut(leaf).parent = new_parent;
        self.mend_from(new_parent);
    }

    fn remove(&mut self, leaf: u32) {
        if leaf == self.root {
            self.root = NULL;
            return;
        }
        let parent = self.at(leaf).parent;
        let Node { parent: grandparent, child_1, child_2, .. } = *self.at(parent);
        let sibling = if child_1 == leaf { child_2 } else { child_1 };
        self.replace_child(grandparent, parent, sibling);
        self.at_mut(sibling).parent = grandparent;
        self.give_back(parent);
        self.mend_from(grandparent);
    }

    /// Puts `new` where `old` was below `parent`, or at the root.
    fn replace_child(&mut self, parent: u32, old: u32, new: u32) {
        if parent == NULL {
            self.root = new;
        } else if self.at(parent).child_1 == old {
            self.at_mut(parent).child_1 = new;
        } else {
            self.at_mut(parent).child_2 = new;
        }
    }

    /// Balances this node and those above it, and mends their boxes.
    fn mend_from(&mut self, mut index: u32) {
        while index != NULL {
            index = self.balance(index);
            self.mend(index);
            index = self.at(index).parent;
        }
    }

    /// Box and height of a node from those below it.
    fn mend(&mut self, index: u32) {
        let Node { child_1, child_2, .. } = *self.at(index);
        let (one, two) = (self.at(child_1), self.at(child_2));
        let (bounds, height) = (Aabb::around(&one.bounds, &two.bounds), 1 + one.height.max(two.height));
        let node = self.at_mut(index);
        (node.bounds, node.height) = (bounds, height);
    }

    /// Turns the tree about at `a` where one side is deeper by two, and returns what is there then.
    fn balance(&mut self, a: u32) -> u32 {
        let Node { child_1: b, child_2: c, height, .. } = *self.at(a);
        if self.at(a).is_leaf() || height < 2 {
            return a;
        }
        let balance = self.at(c).height - self.at(b).height;
        match balance {
            2.. => self.lift(a, c),
            ..=-2 => self.lift(a, b),
            _ => a,
        }
    }

    /// Turns `up`, a child of `a`, to where `a` is. Of its children it keeps the deeper one, `a` gets the other.
    fn lift(&mut self, a: u32, up: u32) -> u32 {
        let Node { child_1: one, child_2: two, .. } = *self.at(up);
        let above = self.at(a).parent;
        self.replace_child(above, a, up);
        self.at_mut(up).parent = above;
        self.at_mut(a).parent = up;
        let (kept, given) = if self.at(one).height > self.at(two).height { (one, two) } else { (two, one) };
        let node = self.at_mut(up);
        (node.child_1, node.child_2) = (a, kept);
        let node = self.at_mut(a);
        if node.child_1 == up {
            node.child_1 = given;
        } else {
            node.child_2 = given;
        }
        self.at_mut(given).parent = a;
        self.mend(a);
        self.mend(up);
        up
    }

    /// Calls `found` with every leaf whose box overlaps `bounds`.
    #[inline]
    pub fn query(&self, bounds: &Aabb, mut found: impl FnMut(u32)) {
        let mut stack = Stack::of(self.root);
        while let Some(index) = stack.pop() {
            let node = self.at(index);
            if !node.bounds.overlaps(bounds) {
                continue;
            }
            if node.is_leaf() {
                found(index);
            } else {
                stack.push(node.child_1);
                stack.push(node.child_2);
            }
        }
    }

    /// Calls `hit` with the fixtures whose boxes a ray meets. It answers with the fraction at which the ray ends from then on, or with
    /// nothing where it goes on as it did.
    #[inline]
    pub fn cast(&self, ray: &Ray, mut hit: impl FnMut(&Ray, u32) -> Option<f32>) {
        let (p1, p2) = (ray.p1, ray.p2);
        let across = cross(1.0, (p2 - p1).normalized().0);
        let across_size = vec2(across.x.abs(), across.y.abs());
        let mut ray = *ray;
        let until = |fraction: f32| {
            let end = p1 + fraction * (p2 - p1);
            Aabb { lower: p1.min(end), upper: p1.max(end) }
        };
        let mut segment = until(ray.max_fraction);
        let mut stack = Stack::of(self.root);
        while let Some(index) = stack.pop() {
            let node = self.at(index);
            if !node.bounds.overlaps(&segment) {
                continue;
            }
            let center = 0.5 * (node.bounds.lower + node.bounds.upper);
            let half = 0.5 * (node.bounds.upper - node.bounds.lower);
            if across.dot(p1 - center).abs() - across_size.dot(half) > 0.0 {
                continue;
            }
            if node.is_leaf() {
                match hit(&ray, node.fixture) {
                    Some(0.0) => return,
                    Some(fraction) if fraction > 0.0 => {
                        ray.max_fraction = fraction;
                        segment = until(fraction);
                    }
                    _ => {}
                }
            } else {
                stack.push(node.child_1);
                stack.push(node.child_2);
            }
        }
    }

    /// Whether it is a tree: one whose leaves are the leaves of these fixtures, in any order.
    pub fn is_valid(&self, leaves: usize, leaf_of: impl Fn(u32) -> Option<u32>) -> bool {
        let count = self.nodes.len();
        let (mut seen, mut found) = (vec![false; count], 0);
        let mut visit = |node: u32| -> bool {
            let new = seen.get(node as usize) == Some(&false);
            if new {
                seen[node as usize] = true;
            }
            new
        };
        let mut stack = Vec::from_iter((self.root != NULL).then_some((self.root, NULL)));
        while let Some((index, parent)) = stack.pop() {
            if !visit(index) || self.at(index).parent != parent || stack.len() > DEEPEST {
                return false;
            }
            let node = self.at(index);
            if node.is_leaf() {
                if node.height != 0 || leaf_of(node.fixture) != Some(index) {
                    return false;
                }
                found += 1;
            } else {
                let Some((one, two)) = self.nodes.get(node.child_1 as usize).zip(self.nodes.get(node.child_2 as usize)) else {
                    return false;
                };
                // Any numbers may stand there: none of them may overflow.
                let is_next = node.height.checked_sub(1) == Some(one.height.max(two.height));
                let in_balance = one.height.abs_diff(two.height) <= 1;
                if !is_next || !in_balance || one.height < 0 || two.height < 0 {
                    return false;
                }
                stack.extend([(node.child_1, index), (node.child_2, index)]);
            }
        }
        let mut free = self.free;
        while free != NULL {
            if !visit(free) {
                return false;
            }
            free = self.at(free).parent;
        }
        found == leaves && seen.into_iter().all(|seen| seen)
    }
}

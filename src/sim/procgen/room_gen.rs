//! Generates caves with a cellular automaton, and finds paths through them.

use std::collections::{BTreeSet, VecDeque};

use crate::object_ids::{SPACE, WALL_OBJ};
use crate::world::World;

/// Offsets of the four neighbors of a cell, in the order of procgen's loops.
const SIDES: [(i32, i32); 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];

/// Runs one step of the cellular automaton. A cell becomes a wall if at least five of the nine cells of its 3 x 3 neighborhood
/// are walls.
pub(crate) fn update(world: &mut World) {
    let is_wall = |index: i32| {
        let (x, y) = world.to_grid_xy(index);
        let cells = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (x + dx, y + dy)));
        cells.filter(|(x, y)| world.get_obj(*x, *y) == WALL_OBJ).count() >= 5
    };
    let next = (0..world.grid_size()).map(|index| if is_wall(index) { WALL_OBJ } else { SPACE }).collect();
    world.grid.cells = next;
}

/// Returns the cells at the offsets `steps` from a cell that are spaces (free cells).
fn spaces(world: &World, index: i32, steps: impl IntoIterator<Item = (i32, i32)>) -> impl Iterator<Item = i32> {
    let (x, y) = world.to_grid_xy(index);
    let cells = steps.into_iter().filter_map(move |(dx, dy)| world.to_grid_index(x + dx, y + dy));
    cells.filter(|next| world.get_obj_index(*next) == SPACE)
}

/// Returns the room of a space: all free cells that can be reached from it. The room includes the space itself only if one of
/// its neighbors is a space.
fn build_room(world: &World, index: i32) -> BTreeSet<i32> {
    let (mut room, mut queue) = (BTreeSet::new(), VecDeque::from([index]));
    while let Some(cell) = queue.pop_front() {
        for next in spaces(world, cell, SIDES) {
            if room.insert(next) {
                queue.push_back(next);
            }
        }
    }
    room
}

/// Returns the cells of the cave's largest room (connected set of free cells).
pub(crate) fn find_best_room(world: &World) -> BTreeSet<i32> {
    let (mut all_rooms, mut best) = (BTreeSet::<i32>::new(), None::<BTreeSet<i32>>);
    for index in 0..world.grid_size() {
        if world.get_obj_index(index) == SPACE && !all_rooms.contains(&index) {
            let room = build_room(world, index);
            all_rooms.extend(&room);
            if best.as_ref().is_none_or(|best| room.len() > best.len()) {
                best = Some(room);
            }
        }
    }
    best.unwrap_or_default()
}

/// Returns the shortest path between two cells of a room, including both cells; the path is empty if there is none.
pub(crate) fn find_path(world: &World, from: i32, to: i32) -> Vec<i32> {
    if world.get_obj_index(from) != SPACE {
        return Vec::new();
    }
    let (mut covered, mut expanded) = (BTreeSet::new(), vec![(from, None)]);
    let mut at = 0;
    while expanded.get(at).is_some_and(|(cell, _)| *cell != to) {
        let steps: Vec<_> = spaces(world, expanded[at].0, SIDES).filter(|next| covered.insert(*next)).collect();
        expanded.extend(steps.into_iter().map(|next| (next, Some(at))));
        at += 1;
    }
    let mut path = Vec::new();
    let mut step = (at < expanded.len()).then_some(at);
    while let Some(at) = step {
        path.push(expanded[at].0);
        step = expanded[at].1;
    }
    path.reverse();
    path
}

/// Adds to a room all spaces (free cells) that can be reached from the room in at most `steps` steps. Diagonal steps are
/// allowed.
pub(crate) fn expand_room(world: &World, room: &mut BTreeSet<i32>, steps: u32) {
    let around = || (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
    let mut current = room.clone();
    for _ in 0..steps {
        let mut next = BTreeSet::new();
        for cell in current.into_iter().filter(|cell| world.get_obj_index(*cell) == SPACE) {
            next.extend(spaces(world, cell, around()).filter(|space| room.insert(*space)));
        }
        current = next;
    }
}

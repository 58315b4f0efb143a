//! Rules that the games with gravity have in common.

use crate::entity::Entity;
use crate::object_ids::TRAIL;
use crate::world::World;

/// Surrounds the world with a floor of object type `floor` and walls of object type `wall`.
pub(super) fn init_floor_and_walls(world: &mut World, floor: i32, wall: i32) {
    let (width, height) = (world.main_width, world.main_height);
    world.fill_elem(0, 0, width, 1, floor);
    world.fill_elem(0, 0, 1, height, wall);
    world.fill_elem(width - 1, 0, 1, height, wall);
    world.fill_elem(0, height - 1, width, 1, wall);
}

/// Returns whether the cell below the agent's left side or the cell below its right side supports the agent.
pub(super) fn has_support_below(world: &World, can_support: impl Fn(i32) -> bool) -> bool {
    let Entity { x, y, rx, ry, .. } = *world.agent();
    let below = |x: f64| {
        let y = f64::from(y) - (f64::from(ry) + 0.01);
        can_support(world.get_obj_from_floats(x as f32, y as f32))
    };
    let side = f64::from(rx) - 0.01;
    below(f64::from(x) - side) || below(f64::from(x) + side)
}

/// Returns whether the agent moves horizontally by less than 0.01 cells per step, and the current action does not accelerate
/// it horizontally.
pub(super) fn stands_still(world: &World) -> bool {
    f64::from(world.agent().vx.abs()) < 0.01 && world.action_vx == 0.0
}

/// Returns the picture of a walking agent: the two pictures alternate every five steps.
pub(super) fn walking_image(world: &World, images: [i32; 2]) -> i32 {
    images[usize::from(world.cur_time / 5 % 2 != 0)]
}

/// Accelerates the agent horizontally by the current action, `mixrate` of the way to its highest speed.
pub(super) fn accelerate_horizontally(world: &mut World, mixrate: f32) {
    let push = mixrate * world.maxspeed * world.action_vx;
    let agent = world.agent_mut();
    agent.vx = (1.0 - mixrate) * agent.vx + push;
}

/// Adds a cloud behind an entity at `x`, `y` with the vertical radius `ry`.
pub(super) fn add_trail(world: &mut World, (x, y): (f32, f32), ry: f32) {
    let trail = world.add_entity_rxy(x, (f64::from(y) - f64::from(ry) * 0.5) as f32, 0.0, 0.01, 0.3, 0.2, TRAIL);
    trail.expire_time = 8;
    trail.alpha = 0.5;
}

//! Rules that the games with gravity have in common.

use crate::entity::Entity;
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

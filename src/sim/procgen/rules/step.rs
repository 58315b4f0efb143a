//! Steps and resets that all games have in common, with movement and collisions as in procgen's `BasicAbstractGame`.

use crate::entity::{Entity, has_collision};
use crate::object_ids::{PLAYER, SPACE};
use crate::rules::Rules;
use crate::world::World;

/// Maximum angular velocity, in radians per step.
const MAXVTHETA: f32 = 15.0 * PI / 180.0;
const MIXRATEROT: f32 = 0.5;
/// Collision margin in cells: two entities collide only if they overlap by more than 0.001 cells.
const POS_EPS: f32 = -0.001;
/// Maximum recursion depth of pushes: an entity that is pushed can push further entities.
const MAX_PUSHES: u32 = 5;
pub(crate) const PI: f32 = std::f32::consts::PI;

/// Returns the sign of a number: -1, 0 or 1.
pub(crate) fn sign(value: f32) -> f64 {
    if value > 0.0 {
        1.0
    } else if value == 0.0 {
        0.0
    } else {
        -1.0
    }
}

/// Starts a level: creates a world that is empty except for the agent.
pub(crate) fn base_game_reset<R: Rules>(rules: &mut R, world: &mut World) {
    const AGENT_RADIUS: f32 = 0.4;
    rules.choose_world_dim(world);
    world.bg_pct_x = world.rand_gen.rand01();
    world.background_index = world.rand_gen.randn(world.setup.assets.num_backgrounds());
    let (mut x, mut y) = (AGENT_RADIUS, AGENT_RADIUS);
    if world.random_agent_start {
        x = world.rand_gen.rand01() * (world.main_width as f32 - 2.0 * AGENT_RADIUS) + AGENT_RADIUS;
        y = world.rand_gen.rand01() * (world.main_height as f32 - 2.0 * AGENT_RADIUS) + AGENT_RADIUS;
    }
    world.entities.clear();
    let agent = world.add_entity(x, y, 0.0, 0.0, AGENT_RADIUS, PLAYER);
    agent.smart_step = true;
    agent.render_z = 1;
    world.grid.resize(world.main_width, world.main_height, SPACE);
}

/// Runs one step of a game: the agent's action, movement, and collisions.
pub(crate) fn base_game_step<R: Rules>(rules: &mut R, world: &mut World) {
    world.step_rand_int = world.rand_gen.randint(0, 1_000_000);
    (world.move_action, world.special_action) = match world.action {
        special @ 9.. => (4, special - 8),
        movement => (movement, 0),
    };
    if world.move_action != 4 {
        world.last_move_action = world.move_action;
    }
    (world.action_vx, world.action_vy, world.action_vrot) = (0.0, 0.0, 0.0);
    rules.set_action_xy(world, world.move_action);
    if world.grid_step {
        let (vx, vy) = (world.action_vx, world.action_vy);
        (world.agent_mut().vx, world.agent_mut().vy) = (vx, vy);
    } else {
        rules.update_agent_velocity(world);
        let action_vrot = world.action_vrot;
        let agent = world.agent_mut();
        agent.vrot *= MIXRATEROT;
        agent.vrot += MIXRATEROT * MAXVTHETA * action_vrot;
    }
    step_entities(rules, world);
    for index in (0..world.entities.len()).rev() {
        handle_collisions(rules, world, index);
    }
    world.erase_if_needed();
    world.done |= world.is_out_of_bounds(world.agent());
}

/// Moves all entities, starting with the last.
pub(crate) fn step_entities<R: Rules>(rules: &mut R, world: &mut World) {
    for index in (0..world.entities.len()).rev() {
        if world.entities[index].smart_step {
            step_object(rules, world, index);
        }
        world.entities[index].step();
    }
}

/// Handles the collisions of one entity with the agent, other entities and cells.
fn handle_collisions<R: Rules>(rules: &mut R, world: &mut World, index: usize) {
    if world.has_agent_collision(&world.entities[index]) {
        rules.handle_agent_collision(world, index);
    }
    if world.entities[index].collides_with_entities {
        for other in (0..world.entities.len()).rev().filter(|other| *other != index) {
            let (first, second) = (&world.entities[index], &world.entities[other]);
            if has_collision(first, second, first.collision_margin) && !first.will_erase && !second.will_erase {
                rules.handle_collision(world, index, other);
            }
        }
    }
    if world.entities[index].smart_step {
        check_grid_collisions(rules, world, index);
    }
}

/// Number of cells outside the grid, on each side, with which an entity can collide.
const MAX_OUTSIDE: i32 = 8;

fn check_grid_collisions<R: Rules>(rules: &mut R, world: &mut World, index: usize) {
    let Entity { x, y, rx, ry, .. } = world.entities[index];
    let (min_x, max_x) = ((x - (rx + POS_EPS)) as i32, (x + (rx + POS_EPS)) as i32);
    let (min_y, max_y) = ((y - (ry + POS_EPS)) as i32, (y + (ry + POS_EPS)) as i32);
    // All cells outside the grid are of one type, so those far outside are left out: snapshots may contain huge entities.
    let (width, height) = (world.main_width, world.main_height);
    for column in min_x.max(-MAX_OUTSIDE)..=max_x.min(width + MAX_OUTSIDE) {
        for row in min_y.max(-MAX_OUTSIDE)..=max_y.min(height + MAX_OUTSIDE) {
            let kind = world.get_obj(column, row);
            if kind != SPACE {
                rules.handle_grid_collision(world, index, kind, (column, row));
            }
        }
    }
}

/// Moves one entity by its velocity in several small steps. Each small step is first horizontal, then vertical.
fn step_object<R: Rules>(rules: &mut R, world: &mut World, index: usize) {
    let Entity { vx, vy, kind, will_erase, .. } = world.entities[index];
    if will_erase {
        return;
    }
    let num_sub_steps = match world.grid_step {
        true => 1,
        false => ((4.0 * f64::from(vx * vx + vy * vy).sqrt()) as i32).max(4),
    };
    let pct = (1.0 / f64::from(num_sub_steps)) as f32;
    let difference = vx.abs() - vy.abs();
    let mut step_x_first = if difference == 0.0 { world.step_rand_int % 2 == 0 } else { difference > 0.0 };
    if kind == PLAYER {
        step_x_first |= world.action_vx != 0.0;
        step_x_first &= world.action_vy == 0.0;
    }
    let (mut free_x, mut free_y) = (0.0_f32, 0.0_f32);
    let region = FreeRegion::around(world, index);
    for _ in 0..num_sub_steps {
        let horizontally = |rules: &mut R, world: &mut World| {
            let vx = world.entities[index].vx * pct;
            sub_step(rules, world, index, (vx, 0.0), &region, 0)
        };
        let vertically = |rules: &mut R, world: &mut World| {
            let vy = world.entities[index].vy * pct;
            sub_step(rules, world, index, (0.0, vy), &region, 0)
        };
        let (block_x, block_y) = if step_x_first {
            let block_x = horizontally(rules, world);
            (block_x, vertically(rules, world))
        } else {
            let block_y = vertically(rules, world);
            (horizontally(rules, world), block_y)
        };
        free_x += f32::from(u8::from(!block_x));
        free_y += f32::from(u8::from(!block_y));
        if block_x && block_y {
            break;
        }
    }
    let entity = &mut world.entities[index];
    entity.vx *= free_x / num_sub_steps as f32;
    entity.vy *= free_y / num_sub_steps as f32;
}

/// Region of positions at which an entity collides with no other entity, while it alone moves.
struct FreeRegion {
    /// Center of the region, and the largest distance from it along each axis.
    center: (f32, f32),
    reach: (f32, f32),
}

impl FreeRegion {
    /// Returns a region that an entity does not leave if it moves by its velocity; it is empty if another entity may be in the way.
    fn around(world: &World, index: usize) -> Self {
        /// Distance in cells that is larger than all rounding errors of coordinates below `MAX_AT`.
        const SLACK: f32 = 0.01;
        const MAX_AT: f32 = 1000.0;
        let Entity { x, y, vx, vy, rx, ry, .. } = world.entities[index];
        let (reach_x, reach_y) = (vx.abs() + SLACK, vy.abs() + SLACK);
        let is_far = |other: &Entity| {
            (x - other.x).abs() >= rx + other.rx + reach_x + SLACK || (y - other.y).abs() >= ry + other.ry + reach_y + SLACK
        };
        let is_free = world.entities.iter().enumerate().all(|(at, other)| at == index || is_far(other));
        let reach = if is_free && x.abs() < MAX_AT && y.abs() < MAX_AT { (reach_x, reach_y) } else { (-1.0, -1.0) };
        Self { center: (x, y), reach }
    }

    fn contains(&self, entity: &Entity) -> bool {
        (entity.x - self.center.0).abs() <= self.reach.0 && (entity.y - self.center.1).abs() <= self.reach.1
    }
}

/// Moves an entity by a small step along one axis. Returns whether it was blocked. Other entities are not compared as long as the
/// entity is in the region `region`.
fn sub_step<R: Rules>(
    rules: &mut R,
    world: &mut World,
    index: usize,
    (vx, vy): (f32, f32),
    region: &FreeRegion,
    depth: u32,
) -> bool {
    if world.entities[index].will_erase {
        return false;
    }
    let is_horizontal = vx != 0.0;
    let block = move_through_grid(rules, world, index, (vx, vy));
    if region.contains(&world.entities[index]) {
        return block;
    }
    let mut block_by_entity = false;
    for other in (0..world.entities.len()).rev() {
        let (entity, obstacle) = (&world.entities[index], &world.entities[other]);
        if other == index || obstacle.will_erase || !has_collision(entity, obstacle, POS_EPS) {
            continue;
        }
        if rules.is_blocked_ents(world, index, other, is_horizontal) {
            push_obj(rules, world, other, index, is_horizontal, region, depth);
            block_by_entity = true;
        } else if rules.will_reflect(world, world.entities[index].kind, world.entities[other].kind) {
            reflect_at_entity(world, index, other, (vx, vy));
        }
    }
    block || block_by_entity
}

/// Moves an entity that only cells can block along one axis. Returns whether it was blocked.
fn move_through_grid<R: Rules>(rules: &mut R, world: &mut World, index: usize, (vx, vy): (f32, f32)) -> bool {
    const MARGIN: f32 = 0.98;
    let Entity { x, y, rx, ry, kind, .. } = world.entities[index];
    let (mut nx, mut ny) = (x + vx, y + vy);
    let is_horizontal = vx != 0.0;
    let (mut block, mut reflect) = (false, false);
    for side_x in [-1.0, 1.0] {
        for side_y in [-1.0, 1.0] {
            let target = world.get_obj_from_floats(nx + rx * MARGIN * side_x, ny + ry * MARGIN * side_y);
            block = block || rules.is_blocked(world, index, target, is_horizontal);
            reflect = reflect || rules.will_reflect(world, kind, target);
        }
    }
    let entity = &mut world.entities[index];
    if reflect {
        let delta = |position: f32, radius: f32, velocity: f32| match velocity < 0.0 {
            true => (position - radius).ceil() - (position - radius),
            false => (position + radius).floor() - (position + radius),
        };
        if is_horizontal {
            entity.vx = -entity.vx;
            nx += 2.0 * delta(nx, rx, vx);
        } else {
            entity.vy = -entity.vy;
            ny += 2.0 * delta(ny, ry, vy);
        }
    } else if block {
        let stop = |old: f32, position: f32, radius: f32, velocity: f32| match velocity > 0.0 {
            _ if world.grid_step => old,
            true => (position + radius).floor() - radius,
            false => (position - radius).ceil() + radius,
        };
        if is_horizontal {
            nx = stop(x, nx, rx, vx);
        } else {
            ny = stop(y, ny, ry, vy);
        }
    }
    (entity.x, entity.y) = (nx, ny);
    block
}

/// Reverses the velocity of the entity `index` along one axis after it hit the entity `other`.
fn reflect_at_entity(world: &mut World, index: usize, other: usize, (vx, vy): (f32, f32)) {
    let obstacle = world.entities[other].clone();
    let entity = &mut world.entities[index];
    let bounce = |velocity: f32, distance: f32, radii: f32| match velocity > 0.0 {
        true => -2.0 * (radii - distance),
        false => 2.0 * (radii + distance),
    };
    if vx != 0.0 {
        entity.x += bounce(vx, obstacle.x - entity.x, obstacle.rx + entity.rx);
        entity.vx = -entity.vx;
    } else {
        entity.y += bounce(vy, obstacle.y - entity.y, obstacle.ry + entity.ry);
        entity.vy = -entity.vy;
    }
}

/// Pushes the entity `target` out of the entity `source` along one axis.
fn push_obj<R: Rules>(
    rules: &mut R,
    world: &mut World,
    source: usize,
    target: usize,
    is_horizontal: bool,
    region: &FreeRegion,
    depth: u32,
) {
    let (pusher, pushed) = (&world.entities[source], &world.entities[target]);
    let shift = |from: f32, radii: f32, to: f32| (f64::from(from) + sign(to - from) * f64::from(radii) - f64::from(to)) as f32;
    let velocity = match is_horizontal {
        true => (shift(pusher.x, pusher.rx + pushed.rx, pushed.x), 0.0),
        false => (0.0, shift(pusher.y, pusher.ry + pushed.ry, pushed.y)),
    };
    if depth < MAX_PUSHES {
        sub_step(rules, world, target, velocity, region, depth + 1);
    }
    let pushed = &mut world.entities[target];
    if is_horizontal {
        pushed.vx = 0.0;
    } else {
        pushed.vy = 0.0;
    }
}

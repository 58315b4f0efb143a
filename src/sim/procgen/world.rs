//! World of one environment: the state that all games have in common, and queries of this state.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::assets::Assets;
use crate::entity::{Entity, has_collision};
use crate::grid::Grid;
use crate::object_ids::{INVALID_OBJ, PLAYER};
use crate::options::{DistributionMode, GameOptions};
use crate::random::RandGen;

/// Data that all environments of a pool share: options and pictures.
#[derive(Debug, Default)]
pub struct Setup {
    /// Options of the game.
    pub options: GameOptions,
    /// Pictures of the game.
    pub assets: Arc<Assets>,
}

/// State that all games have in common: the grid, the entities and their parameters. Entity 0 is the agent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct World {
    #[serde(skip)]
    pub setup: Arc<Setup>,
    /// Number of levels that have been started.
    pub level_number: u32,
    pub rand_gen: RandGen,
    pub entities: Vec<Entity>,
    pub grid: Grid,
    pub main_width: i32,
    pub main_height: i32,
    pub out_of_bounds_object: i32,
    pub background_index: i32,
    /// Horizontal position within a background that is wider than the world, from 0 to 1.
    pub bg_pct_x: f32,
    /// Aspect ratio of the background's tiles; a negative ratio means that tiles are repeated vertically.
    pub bg_tile_ratio: f32,
    /// Whether the agent moves by complete cells.
    pub grid_step: bool,
    pub random_agent_start: bool,
    pub center_agent: bool,
    pub has_useful_vel_info: bool,
    /// Width and height of the visible part of the world, in cells.
    pub visibility: f32,
    pub mixrate: f32,
    pub maxspeed: f32,
    pub max_jump: f32,
    pub action: i32,
    pub move_action: i32,
    pub last_move_action: i32,
    pub special_action: i32,
    pub action_vx: f32,
    pub action_vy: f32,
    pub action_vrot: f32,
    /// Random number that was drawn for the current step.
    pub step_rand_int: i32,
    pub cur_time: i32,
    /// Number of steps after which an episode ends.
    pub timeout: i32,
    pub reward: f32,
    pub done: bool,
    pub level_complete: bool,
}

/// Largest number of entities in a snapshot: one for each cell of the largest grid. A step compares each entity with all others;
/// games have some hundred at most.
pub(crate) const MAX_ENTITIES: usize = 64 * 64;

/// Index of the agent in [`World::entities`].
pub(crate) const AGENT: usize = 0;

impl World {
    /// Creates a world whose parameters have the values that most games use.
    pub fn new(setup: Arc<Setup>) -> Self {
        let center_agent = setup.options.center_agent;
        Self {
            setup,
            level_number: 0,
            rand_gen: RandGen::new(0),
            entities: vec![Entity::new(0.0, 0.0, 0.0, 0.0, 0.4, 0.4, PLAYER)],
            grid: Grid::default(),
            main_width: 0,
            main_height: 0,
            out_of_bounds_object: INVALID_OBJ,
            background_index: 0,
            bg_pct_x: 0.0,
            bg_tile_ratio: 0.0,
            grid_step: false,
            random_agent_start: true,
            center_agent,
            has_useful_vel_info: true,
            visibility: 16.0,
            mixrate: 0.5,
            maxspeed: 0.5,
            max_jump: 0.5,
            action: 4,
            move_action: 0,
            last_move_action: 7,
            special_action: 0,
            action_vx: 0.0,
            action_vy: 0.0,
            action_vrot: 0.0,
            step_rand_int: 0,
            cur_time: 0,
            timeout: 1000,
            reward: 0.0,
            done: true,
            level_complete: false,
        }
    }

    /// Adds a reward, and ends the episode with a completed level.
    pub fn complete_level(&mut self, reward: f32) {
        self.reward += reward;
        (self.done, self.level_complete) = (true, true);
    }

    /// Returns the distribution mode from which levels are drawn.
    pub fn mode(&self) -> DistributionMode {
        self.setup.options.distribution_mode
    }

    /// Returns the agent's entity.
    pub fn agent(&self) -> &Entity {
        &self.entities[AGENT]
    }

    /// Returns the agent's entity, mutably.
    pub fn agent_mut(&mut self) -> &mut Entity {
        &mut self.entities[AGENT]
    }

    /// Returns the number of cells in the grid.
    pub fn grid_size(&self) -> i32 {
        self.grid.cells.len() as i32
    }

    /// Returns the object type of a cell.
    #[inline]
    pub fn get_obj(&self, x: i32, y: i32) -> i32 {
        self.grid.get(x, y).unwrap_or(self.out_of_bounds_object)
    }

    /// Returns the object type of the cell with an index.
    #[inline]
    pub fn get_obj_index(&self, index: i32) -> i32 {
        self.grid.get_index(index).unwrap_or(self.out_of_bounds_object)
    }

    /// Returns the object type of the cell that contains a point.
    #[inline]
    pub fn get_obj_from_floats(&self, x: f32, y: f32) -> i32 {
        if x < 0.0 || y < 0.0 {
            return self.out_of_bounds_object;
        }
        self.get_obj(x as i32, y as i32)
    }

    /// Sets the object type of a cell.
    pub fn set_obj(&mut self, x: i32, y: i32, kind: i32) {
        self.grid.set(x, y, kind);
    }

    /// Sets the object type of the cell with an index.
    pub fn set_obj_index(&mut self, index: i32, kind: i32) {
        self.grid.cells[index as usize] = kind;
    }

    /// Returns the index of a cell; `None` if the cell is outside of the world.
    pub fn to_grid_index(&self, x: i32, y: i32) -> Option<i32> {
        self.grid.contains(x, y).then(|| y * self.grid.width + x)
    }

    /// Returns the column and row of the cell with an index.
    pub fn to_grid_xy(&self, index: i32) -> (i32, i32) {
        (index % self.grid.width, index / self.grid.width)
    }

    /// Fills a rectangle of cells with an object type.
    pub fn fill_elem(&mut self, x: i32, y: i32, dx: i32, dy: i32, kind: i32) {
        for column in x..x + dx {
            for row in y..y + dy {
                self.set_obj(column, row, kind);
            }
        }
    }

    /// Fills all cells with an object type.
    pub fn fill_grid(&mut self, kind: i32) {
        self.grid.cells.fill(kind);
    }

    /// Returns the index of the agent's cell.
    pub fn agent_index(&self) -> i32 {
        self.agent().y as i32 * self.main_width + self.agent().x as i32
    }

    /// Returns whether an entity is completely outside of the world.
    pub fn is_out_of_bounds(&self, entity: &Entity) -> bool {
        is_outside(entity, self.main_width as f32, self.main_height as f32)
    }

    /// Returns whether an entity overlaps the agent.
    pub fn has_agent_collision(&self, entity: &Entity) -> bool {
        entity.kind != PLAYER && has_collision(entity, self.agent(), entity.collision_margin)
    }

    /// Returns whether an entity overlaps any other entity.
    pub fn has_any_collision(&self, entity: &Entity) -> bool {
        self.entities.iter().any(|other| !other.avoids_collisions && has_collision(entity, other, 0.0))
    }

    /// Returns whether this world, which may come from an untrusted snapshot, can be stepped and drawn.
    pub fn is_valid(&self) -> bool {
        const MAX_SIDE: i32 = 64;
        let Grid { width, height, ref cells } = self.grid;
        let assets = &self.setup.assets;
        let speeds = [self.maxspeed, self.max_jump, self.mixrate, self.action_vx, self.action_vy, self.action_vrot];
        (self.main_width, self.main_height) == (width, height)
            && (0..=MAX_SIDE).contains(&width)
            && (0..=MAX_SIDE).contains(&height)
            && cells.len() == (width * height) as usize
            && (0..assets.num_backgrounds()).contains(&self.background_index)
            && self.has_valid_entities()
            && speeds.iter().all(|speed| speed.abs() <= 2.0)
            && [0.0, -1.0].contains(&self.bg_tile_ratio)
            && (0.0..=1.0).contains(&self.bg_pct_x)
            && (1.0..=MAX_SIDE as f32).contains(&self.visibility)
            && self.step_rand_int >= 0
    }

    /// Returns whether the entities, which may come from an untrusted snapshot, can be stepped and drawn in reasonable time.
    fn has_valid_entities(&self) -> bool {
        self.entities.len() <= MAX_ENTITIES
            && self.entities.first().is_some_and(|agent| agent.kind == PLAYER)
            && self.entities.iter().all(Entity::is_valid)
    }

    /// Removes entities that are marked for removal or outside of the world. The agent is never removed, because the step in
    /// which the agent leaves the world ends the episode.
    pub fn erase_if_needed(&mut self) {
        let (width, height) = (self.main_width as f32, self.main_height as f32);
        self.entities.retain(|entity| {
            entity.kind == PLAYER || !(entity.will_erase || entity.auto_erase && is_outside(entity, width, height))
        });
    }
}

fn is_outside(entity: &Entity, width: f32, height: f32) -> bool {
    let Entity { x, y, rx, ry, .. } = *entity;
    x + rx < 0.0 || y + ry < 0.0 || x - rx > width || y - ry > height
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snapshots_with_too_many_entities_are_refused() {
        let mut world = World::new(Arc::default());
        let agent = world.agent().clone();
        world.entities.resize(4096, agent.clone());
        assert!(world.has_valid_entities());
        world.entities.push(agent);
        assert!(!world.has_valid_entities());
        world.entities.clear();
        assert!(!world.has_valid_entities());
    }
}

//! Creates entities, and places them in the world.

use crate::assets::MAX_ASSETS;
use crate::entity::Entity;
use crate::image::Image;
use crate::world::{AGENT, World};

/// Maximum number of attempts to find a free position.
const MAX_ATTEMPTS: i32 = 100;

/// Box in which an entity is placed: left, bottom, width and height, in cells.
pub(crate) type Area = [f32; 4];

impl World {
    /// Adds an entity to the world, and returns its index.
    pub fn push(&mut self, entity: Entity) -> usize {
        self.entities.push(entity);
        self.entities.len() - 1
    }

    /// Adds an entity with the same radius along both axes, and returns it.
    pub fn add_entity(&mut self, x: f32, y: f32, vx: f32, vy: f32, r: f32, kind: i32) -> &mut Entity {
        self.add_entity_rxy(x, y, vx, vy, r, r, kind)
    }

    /// Adds an entity with separate radii along both axes, and returns it.
    #[expect(clippy::too_many_arguments, reason = "procgen's signature")]
    pub fn add_entity_rxy(&mut self, x: f32, y: f32, vx: f32, vy: f32, rx: f32, ry: f32, kind: i32) -> &mut Entity {
        let index = self.push(Entity::new(x, y, vx, vy, rx, ry, kind));
        &mut self.entities[index]
    }

    /// Adds an entity in the middle of a cell, and returns it.
    pub fn spawn_entity_at_idx(&mut self, index: i32, r: f32, kind: i32) -> &mut Entity {
        let (x, y) = self.cell_center(index);
        self.add_entity(x, y, 0.0, 0.0, r, kind)
    }

    /// Returns the center of a cell.
    pub fn cell_center(&self, index: i32) -> (f32, f32) {
        ((index % self.main_width) as f32 + 0.5, (index / self.main_width) as f32 + 0.5)
    }

    /// Adds an entity at the position of the entity `source`, and returns the new entity. If `match_vel` is set, the new entity
    /// has the velocity of `source`.
    pub fn spawn_child(&mut self, source: usize, kind: i32, r: f32, match_vel: bool) -> &mut Entity {
        let Entity { x, y, vx, vy, .. } = self.entities[source];
        let (vx, vy) = if match_vel { (vx, vy) } else { (0.0, 0.0) };
        self.add_entity(x, y, vx, vy, r, kind)
    }

    /// Adds an entity at a random free position inside a box, and returns it.
    pub fn spawn_entity_rxy(&mut self, rx: f32, ry: f32, kind: i32, area: Area) -> &mut Entity {
        let mut entity = Entity::new(0.0, 0.0, 0.0, 0.0, rx, ry, kind);
        self.reposition(&mut entity, area);
        let index = self.push(entity);
        &mut self.entities[index]
    }

    /// Adds an entity with the same radius along both axes at a random free position inside a box, and returns it.
    pub fn spawn_entity(&mut self, r: f32, kind: i32, area: Area) -> &mut Entity {
        self.spawn_entity_rxy(r, r, kind, area)
    }

    /// Adds `count` entities of radius `r` at random free positions inside a box.
    pub fn spawn_entities(&mut self, count: i32, r: f32, kind: i32, area: Area) {
        for _ in 0..count {
            self.spawn_entity(r, kind, area);
        }
    }

    fn reposition(&mut self, entity: &mut Entity, [x, y, width, height]: Area) {
        for _ in 0..=MAX_ATTEMPTS {
            entity.x = self.rand_pos(entity.rx, x, x + width);
            entity.y = self.rand_pos(entity.ry, y, y + height);
            if !self.has_agent_collision(entity) && !self.has_any_collision(entity) {
                break;
            }
        }
    }

    /// Moves the agent to a random position that no other entity overlaps.
    pub fn reposition_agent(&mut self) {
        for _ in 0..MAX_ATTEMPTS {
            let (rx, ry) = (self.agent().rx, self.agent().ry);
            let x = self.rand_gen.rand01() * (self.main_width as f32 - 2.0 * rx) + rx;
            let y = self.rand_gen.rand01() * (self.main_height as f32 - 2.0 * ry) + ry;
            (self.entities[AGENT].x, self.entities[AGENT].y) = (x, y);
            if !self.entities.iter().any(|entity| self.has_agent_collision(entity)) {
                break;
            }
        }
    }

    /// Draws a coordinate for an entity of radius `r`, so that the entity is between the bounds `min` and `max`.
    pub fn rand_pos(&mut self, r: f32, min: f32, max: f32) -> f32 {
        let range = max - min;
        if range <= 2.0 * r {
            return (max + min) / 2.0;
        }
        (range - 2.0 * r) * self.rand_gen.rand01() + r + min
    }

    /// Draws a random theme for the picture of an object type.
    pub fn random_theme(&mut self, image_type: i32) -> i32 {
        self.rand_gen.randn(self.setup.assets.num_themes(image_type))
    }

    /// Draws a random theme for the picture of an entity, and sets it.
    pub fn choose_random_theme(&mut self, index: usize) {
        self.entities[index].image_theme = self.random_theme(self.entities[index].image_type);
    }

    /// Returns the theme with which an image is drawn. If the option `restrict_themes` is set, this is theme 0 instead of
    /// `theme`, unless `preserves_themes` is set.
    pub fn mask_theme(&self, theme: i32, preserves_themes: bool) -> i32 {
        if self.setup.options.restrict_themes && !preserves_themes { 0 } else { theme }
    }

    /// Returns the aspect ratio of an entity's picture, width divided by height. `preserves_themes` says whether the option
    /// `restrict_themes` leaves the themes of the entity's type unchanged.
    pub fn aspect_ratio(&self, entity: &Entity, preserves_themes: bool) -> f32 {
        let Entity { image_type, image_theme, .. } = *entity;
        debug_assert!(image_type < MAX_ASSETS);
        let image = self.setup.assets.sprite(image_type, self.mask_theme(image_theme, preserves_themes));
        image.map_or(1.0, Image::aspect_ratio)
    }

    /// Sets the height of an entity so that it has the aspect ratio of its picture.
    pub fn match_aspect_ratio(&mut self, index: usize, preserves_themes: bool) {
        let ratio = self.aspect_ratio(&self.entities[index], preserves_themes);
        self.entities[index].ry = self.entities[index].rx / ratio;
    }
}

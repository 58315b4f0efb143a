//! Entities: the objects of a world that can move, as opposed to the cells of its grid.

use serde::{Deserialize, Serialize};

use crate::object_ids::{EXPLOSION, EXPLOSION5, PLAYER, TRAIL};

/// Entity of a world: position, velocity, picture and timers. Positions and radii are in cells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entity {
    pub x: f32,
    pub y: f32,
    pub vx: f32,
    pub vy: f32,
    pub rx: f32,
    pub ry: f32,
    pub kind: i32,
    pub image_type: i32,
    pub image_theme: i32,
    /// Layer in which the entity is drawn: -1 below the grid, 0 above the grid, 1 at the agent's level.
    pub render_z: i32,
    pub will_erase: bool,
    pub collides_with_entities: bool,
    pub collision_margin: f32,
    /// Angle of the picture in radians.
    pub rotation: f32,
    pub vrot: f32,
    pub is_reflected: bool,
    pub fire_time: i32,
    pub spawn_time: i32,
    pub life_time: i32,
    pub expire_time: i32,
    /// Whether the position is relative to the screen instead of the world.
    pub use_abs_coords: bool,
    pub friction: f32,
    /// Whether the entity's movement stops at cells and other entities that block it.
    pub smart_step: bool,
    pub avoids_collisions: bool,
    pub auto_erase: bool,
    pub alpha: f32,
    pub health: f32,
    pub grow_rate: f32,
    pub alpha_decay: f32,
    pub climber_spawn_x: f32,
}

impl Entity {
    /// Creates an entity with the given position, velocity, radii and object type.
    pub fn new(x: f32, y: f32, vx: f32, vy: f32, rx: f32, ry: f32, kind: i32) -> Self {
        let (grow_rate, alpha_decay, expire_time) = match kind {
            EXPLOSION => (1.4, 1.0, 4),
            TRAIL => (1.05, 0.8, -1),
            _ => (1.0, 1.0, -1),
        };
        Self {
            x,
            y,
            vx,
            vy,
            rx,
            ry,
            kind,
            image_type: kind,
            image_theme: 0,
            render_z: 0,
            will_erase: false,
            collides_with_entities: false,
            collision_margin: 0.0,
            rotation: 0.0,
            vrot: 0.0,
            is_reflected: false,
            fire_time: -1,
            spawn_time: -1,
            life_time: 0,
            expire_time,
            use_abs_coords: false,
            friction: 1.0,
            smart_step: false,
            avoids_collisions: false,
            auto_erase: true,
            alpha: 1.0,
            health: 1.0,
            grow_rate,
            alpha_decay,
            climber_spawn_x: 0.0,
        }
    }

    /// Returns whether the entity can be stepped and drawn in reasonable time. Entities from untrusted snapshots must pass this
    /// check.
    pub fn is_valid(&self) -> bool {
        const MAX_SIZE: f32 = 200.0;
        const MAX_TIME: i32 = 1 << 24;
        // Entities that grow, such as explosions, exist for at most 8 steps.
        const MAX_GROWTH: f32 = 1.4;
        const MAX_GROWTH_TIME: i32 = 8;
        let is_within = |value: f32, limit: f32| value.abs() <= limit;
        let is_short_lived =
            self.kind != PLAYER && (1..=MAX_GROWTH_TIME).contains(&self.expire_time) && (0..=MAX_TIME).contains(&self.life_time);
        [self.x, self.y].iter().all(|at| is_within(*at, 10_000.0))
            && [self.vx, self.vy].iter().all(|velocity| is_within(*velocity, 64.0))
            && [self.rx, self.ry, self.collision_margin].iter().all(|size| is_within(*size, MAX_SIZE))
            && self.friction == 1.0
            && (0.0..=MAX_GROWTH).contains(&self.grow_rate)
            && (self.grow_rate <= 1.0 || is_short_lived)
            && [self.alpha, self.alpha_decay].iter().all(|share| (0.0..=1.0).contains(share))
            && is_within(self.vrot, 64.0)
            && is_within(self.rotation, 1e6)
            && [self.fire_time, self.spawn_time, self.life_time, self.expire_time].iter().all(|time| time.abs() <= MAX_TIME)
            && (0..100).contains(&self.image_type)
            && (0..11).contains(&self.image_theme)
    }

    /// Advances the entity's position, timers, size and opacity by one step.
    pub fn step(&mut self) {
        if !self.smart_step {
            self.x += self.vx;
            self.y += self.vy;
        }
        self.rotation += self.vrot;
        self.vx *= self.friction;
        self.vy *= self.friction;
        self.life_time += 1;
        if self.expire_time > 0 && self.life_time > self.expire_time {
            self.will_erase = true;
        }
        if self.kind == EXPLOSION && self.image_type < EXPLOSION5 {
            self.image_type += 1;
        }
        self.rx *= self.grow_rate;
        self.ry *= self.grow_rate;
        self.alpha *= self.alpha_decay;
    }

    /// Returns whether the next step of [`Entity::step`] changes neither position nor size, rotation and opacity.
    pub fn is_motionless(&self) -> bool {
        let Self { vx, vy, vrot, grow_rate, alpha_decay, .. } = *self;
        [vx, vy, vrot] == [0.0; 3] && [grow_rate, alpha_decay] == [1.0; 2]
    }

    /// Turns the entity's picture towards a direction, unless the direction is zero.
    pub fn face_direction(&mut self, dx: f32, dy: f32, rotation_offset: f32) {
        if dx != 0.0 || dy != 0.0 {
            self.rotation = -dy.atan2(dx) + rotation_offset;
        }
    }
}

/// Returns whether the bounding boxes of two entities, enlarged by `margin` cells, overlap. A negative margin requires an
/// overlap of more than `-margin` cells.
pub(crate) fn has_collision(first: &Entity, second: &Entity, margin: f32) -> bool {
    let threshold_x = (first.rx + second.rx) + margin;
    let threshold_y = (first.ry + second.ry) + margin;
    (first.x - second.x).abs() < threshold_x && (first.y - second.y).abs() < threshold_y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_that_grow_or_accelerate_without_limit_are_invalid() {
        let entity = |kind| Entity::new(1.0, 1.0, 0.0, 0.0, 0.5, 0.5, kind);
        let changed = |kind, change: fn(&mut Entity)| {
            let mut entity = entity(kind);
            change(&mut entity);
            entity.is_valid()
        };
        assert!(entity(PLAYER).is_valid() && entity(EXPLOSION).is_valid());
        assert!(changed(TRAIL, |entity| entity.expire_time = 8));
        let changes: [fn(&mut Entity); 11] = [
            |entity| entity.friction = 1.5,
            |entity| entity.friction = f32::NAN,
            |entity| entity.grow_rate = 1e4,
            |entity| entity.grow_rate = -1.0,
            |entity| entity.expire_time = -1,
            |entity| entity.life_time = -100,
            |entity| entity.life_time = i32::MAX,
            |entity| entity.alpha = 2.0,
            |entity| entity.vrot = f32::INFINITY,
            |entity| entity.rotation = f32::NAN,
            |entity| entity.collision_margin = 1e9,
        ];
        for (number, change) in changes.into_iter().enumerate() {
            assert!(!changed(EXPLOSION, change), "change {number}");
        }
    }
}

//! Bossfight: the agent's spaceship fights a boss, whose shields are active for limited times.

use serde::{Deserialize, Serialize};

use super::prelude::*;
use super::starpilot::meteor_names;

const COMPLETION_BONUS: f32 = 10.0;
const POSITIVE_REWARD: f32 = 1.0;

const PLAYER_BULLET: i32 = 1;
const BOSS: i32 = 2;
const SHIELDS: i32 = 3;
const ENEMY_BULLET: i32 = 4;
const LASER_TRAIL: i32 = 5;
const REFLECTED_BULLET: i32 = 6;
const BARRIER: i32 = 7;

const BOSS_R: f32 = 3.0;
const NUM_ATTACK_MODES: i32 = 4;
const NUM_LASER_THEMES: i32 = 3;
const PLAYER_BULLET_VEL: f32 = 1.0;
/// Number of rows at the bottom of the world that the boss avoids.
const BOTTOM_MARGIN: i32 = 6;
const BOSS_VEL_TIMEOUT: i32 = 20;
const BOSS_DAMAGED_TIMEOUT: i32 = 40;
/// Number of the boss's moves after which its shields would be raised again. These moves take longer than an episode.
const VULNERABLE_DURATION: i32 = 500;
const BASE_FIRE_PROB: f32 = 0.1;

/// Index of the boss in the world's entities.
const BOSS_INDEX: usize = 1;
const SHIELDS_INDEX: usize = 2;

/// Rules of the game Bossfight, and the state of this game that [`World`] does not contain.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Bossfight {
    attack_modes: Vec<i32>,
    last_fire_time: i32,
    time_to_swap: i32,
    invulnerable_duration: i32,
    round_num: i32,
    round_health: i32,
    curr_vel_timeout: i32,
    attack_mode: i32,
    player_laser_theme: i32,
    boss_laser_theme: i32,
    damaged_until_time: i32,
    shields_are_up: bool,
    boss_bullet_vel: f32,
    /// Random number from 0 to 1 that was drawn for the current step.
    rand_pct: f32,
    rand_fire_pct: f32,
    rand_pct_x: f32,
    rand_pct_y: f32,
}

impl Bossfight {
    fn prepare_boss(&mut self, world: &mut World) {
        self.shields_are_up = true;
        self.curr_vel_timeout = BOSS_VEL_TIMEOUT;
        self.time_to_swap = self.invulnerable_duration;
        self.attack_mode = self.attack_modes[self.round_num as usize % self.attack_modes.len()];
        let boss = &mut world.entities[BOSS_INDEX];
        (boss.vx, boss.vy) = (0.0, 0.0);
    }

    fn boss_fire(&self, world: &mut World, theta: f32) {
        let Entity { x, y, .. } = world.entities[BOSS_INDEX];
        let (sin, cos) = f64::from(theta).sin_cos();
        let velocity = f64::from(self.boss_bullet_vel);
        let bullet = world.add_entity(x, y, f32_of(velocity * cos), f32_of(velocity * sin), 0.5, ENEMY_BULLET);
        bullet.image_theme = self.boss_laser_theme;
        bullet.expire_time = 50;
        bullet.vrot = PI / 8.0;
    }

    fn attack(&self, world: &mut World) {
        let time = world.cur_time;
        match self.attack_mode {
            0 if time % 8 == 0 => {
                for i in 0..5 {
                    let theta = f64::from(PI) * 1.5 + f64::from((i - 2) as f32 * PI / 8.0);
                    self.boss_fire(world, f32_of(theta));
                }
            }
            1 if time % 5 == 0 => {
                let k = (8 - (time / 5) % 16).abs();
                for i in 0..4 {
                    let theta = f64::from(PI) * (1.25 + 0.5 * f64::from(k) / 8.0) + f64::from(i as f32 * PI / 2.0);
                    self.boss_fire(world, f32_of(theta));
                }
            }
            2 if time % 10 == 0 => {
                let offset = self.rand_pct * 2.0 * PI;
                for i in 0..8 {
                    self.boss_fire(world, 2.0 * PI / 8.0 * i as f32 + offset);
                }
            }
            3 if time % 4 == 0 => self.boss_fire(world, PI * (1.0 + self.rand_pct)),
            _ => {}
        }
    }

    fn damaged_mode(&self, world: &mut World) {
        if world.cur_time % 3 == 0 {
            let Entity { x, y, rx, ry, .. } = world.entities[BOSS_INDEX];
            let x = x + (2.0 * self.rand_pct_x - 1.0) * rx;
            let y = y + (2.0 * self.rand_pct_y - 1.0) * ry;
            world.add_entity(x, y, 0.0, 0.0, 0.75, EXPLOSION);
        }
    }

    fn spawn_barriers(world: &mut World) {
        const RADIUS: f32 = 0.6;
        let num_barriers = world.rand_gen.randn(3) + 1;
        for _ in 0..num_barriers {
            let min_y = f32_of(f64::from(2.0 * world.agent().ry + RADIUS) + 0.5);
            let y = world.rand_gen.rand01() * (BOTTOM_MARGIN as f32 - min_y - RADIUS) + min_y;
            let x = world.rand_gen.rand01() * (world.main_width as f32 - 2.0 * RADIUS) + RADIUS;
            let mut barrier = Entity::new(x, y, 0.0, 0.0, RADIUS, RADIUS, BARRIER);
            barrier.image_theme = world.random_theme(BARRIER);
            barrier.ry = barrier.rx / world.aspect_ratio(&barrier, false);
            barrier.health = 3.0;
            barrier.collides_with_entities = true;
            if !world.has_any_collision(&barrier) {
                world.push(barrier);
            }
        }
    }

    /// Reverses the direction of a bullet that hits the boss's shields.
    fn reflect_bullet(&self, world: &mut World, index: usize) {
        let theta = f32_of(f64::from(PI) * (1.25 + 0.5 * f64::from(self.rand_pct)));
        let (sin, cos) = f64::from(theta).sin_cos();
        let bullet = &mut world.entities[index];
        bullet.kind = REFLECTED_BULLET;
        bullet.vy = f32_of(f64::from(PLAYER_BULLET_VEL) * sin * 0.5);
        bullet.vx = f32_of(f64::from(PLAYER_BULLET_VEL) * cos * 0.5);
        bullet.expire_time = 4;
        bullet.life_time = 0;
        bullet.alpha_decay = 0.8;
    }

    /// Reduces the boss's health when a bullet hits it.
    fn hit_boss(&mut self, world: &mut World, bullet: usize) {
        world.entities[BOSS_INDEX].health -= 1.0;
        let health = world.entities[BOSS_INDEX].health;
        if health as i32 % self.round_health == 0 {
            world.reward += POSITIVE_REWARD;
            if health == 0.0 {
                world.complete_level(COMPLETION_BONUS);
            } else {
                self.round_num += 1;
                self.prepare_boss(world);
                self.curr_vel_timeout = BOSS_DAMAGED_TIMEOUT;
                self.damaged_until_time = world.cur_time + BOSS_DAMAGED_TIMEOUT;
            }
        }
        if !world.entities[bullet].will_erase {
            world.entities[bullet].will_erase = true;
            let Entity { vx, vy, .. } = world.entities[BOSS_INDEX];
            let rx = world.entities[bullet].rx;
            let explosion = world.spawn_child(bullet, EXPLOSION, 0.5 * rx, false);
            (explosion.vx, explosion.vy) = (vx, vy);
        }
    }

    /// Removes a bullet or laser trail that hits a barrier. A bullet leaves an explosion.
    fn hit_barrier(world: &mut World, barrier: usize, target: usize) {
        let Entity { kind, rx, .. } = world.entities[target];
        if matches!(kind, ENEMY_BULLET | PLAYER_BULLET | LASER_TRAIL) {
            world.entities[target].will_erase = true;
        }
        if matches!(kind, ENEMY_BULLET | PLAYER_BULLET) {
            world.spawn_child(target, EXPLOSION, 0.5 * rx, false);
        }
        debug_assert!(world.entities[barrier].health > 0.0, "nothing damages barriers");
    }

    fn move_boss(&mut self, world: &mut World) {
        if self.curr_vel_timeout > 0 {
            self.curr_vel_timeout -= 1;
            return;
        }
        let (width, height) = (world.main_width as f32, world.main_height as f32);
        let margin = BOTTOM_MARGIN as f32;
        let x = self.rand_pct_x * (width - 2.0 * BOSS_R) + BOSS_R;
        let y = self.rand_pct_y * (height - 2.0 * BOSS_R - margin) + BOSS_R + margin;
        let boss = &mut world.entities[BOSS_INDEX];
        boss.vx = (x - boss.x) / BOSS_VEL_TIMEOUT as f32;
        boss.vy = (y - boss.y) / BOSS_VEL_TIMEOUT as f32;
        self.curr_vel_timeout = BOSS_VEL_TIMEOUT;
        if self.time_to_swap > 0 {
            self.time_to_swap -= 1;
        } else {
            self.time_to_swap = if self.shields_are_up { VULNERABLE_DURATION } else { self.invulnerable_duration };
            self.shields_are_up = !self.shields_are_up;
        }
    }

    /// Adds trails behind the boss's bullets.
    fn add_trails(&self, world: &mut World) {
        for index in (0..world.entities.len()).rev() {
            let Entity { kind, x, y, vx, vy, rx, ry, vrot, rotation, .. } = world.entities[index];
            if kind == ENEMY_BULLET {
                let trail = world.add_entity_rxy(x, y, vx * 0.5, vy * 0.5, rx, ry, LASER_TRAIL);
                trail.alpha_decay = 0.7;
                trail.image_type = ENEMY_BULLET;
                trail.image_theme = self.boss_laser_theme;
                (trail.vrot, trail.rotation) = (vrot, rotation);
                trail.expire_time = 8;
            }
        }
    }
}

impl Rules for Bossfight {
    const BACKGROUNDS: Backgrounds = Backgrounds::Space;

    fn new(world: &mut World) -> Self {
        world.timeout = 4000;
        world.maxspeed = 0.85;
        Self::default()
    }

    fn asset_for_type(kind: i32) -> Names {
        match kind {
            PLAYER => names_of("misc_assets/playerShip{}.png", &["1_blue", "1_green", "2_orange", "3_red"]),
            BOSS => names_of("misc_assets/enemyShip{}.png", &["Black1", "Blue2", "Green3", "Red4"]),
            ENEMY_BULLET | PLAYER_BULLET => names_of("misc_assets/laser{}.png", &["Green14", "Red11", "Blue09"]),
            SHIELDS => names(&["misc_assets/shield2.png"]),
            BARRIER => meteor_names(),
            _ => Names::new(),
        }
    }

    fn choose_world_dim(&mut self, world: &mut World) {
        (world.main_width, world.main_height) = (20, 20);
    }

    fn handle_agent_collision(&mut self, world: &mut World, entity: usize) {
        world.done |= matches!(world.entities[entity].kind, BOSS | BARRIER | ENEMY_BULLET);
    }

    fn should_draw_entity(&self, entity: &Entity) -> bool {
        entity.kind != SHIELDS || self.shields_are_up
    }

    fn handle_collision(&mut self, world: &mut World, source: usize, target: usize) {
        match (world.entities[source].kind, world.entities[target].kind) {
            (PLAYER_BULLET, SHIELDS) if self.shields_are_up => self.reflect_bullet(world, source),
            (PLAYER_BULLET, BOSS) if !self.shields_are_up => self.hit_boss(world, source),
            (BARRIER, _) => Self::hit_barrier(world, source, target),
            _ => {}
        }
    }

    fn game_reset(&mut self, world: &mut World) {
        base_game_reset(self, world);
        let is_easy = world.mode() == DistributionMode::Easy;
        (self.damaged_until_time, self.last_fire_time, self.round_num) = (0, 0, 0);
        self.boss_bullet_vel = if is_easy { 0.5 } else { 0.75 };
        world.center_agent = false;
        let (x, y) = ((world.main_width / 2) as f32, (world.main_height / 2) as f32);
        world.add_entity(x, y, 0.0, 0.0, BOSS_R, BOSS);
        world.choose_random_theme(BOSS_INDEX);
        world.match_aspect_ratio(BOSS_INDEX, false);
        let Entity { rx, ry, .. } = world.entities[BOSS_INDEX];
        let shield = |radius: f32| f32_of(1.2 * f64::from(radius));
        world.add_entity_rxy(x, y, 0.0, 0.0, shield(rx), shield(ry), SHIELDS);
        self.round_health = world.rand_gen.randn(9) + 1;
        let num_rounds = 1 + world.rand_gen.randn(5);
        self.invulnerable_duration = 2 + world.rand_gen.randn(if is_easy { 2 } else { 4 });
        world.entities[BOSS_INDEX].health = (self.round_health * num_rounds) as f32;
        world.choose_random_theme(AGENT);
        self.player_laser_theme = world.rand_gen.randn(NUM_LASER_THEMES);
        self.boss_laser_theme = world.rand_gen.randn(NUM_LASER_THEMES);
        self.attack_modes = (0..num_rounds).map(|_| world.rand_gen.randn(NUM_ATTACK_MODES)).collect();
        self.prepare_boss(world);
        world.agent_mut().rx = 0.75;
        world.match_aspect_ratio(AGENT, false);
        world.reposition_agent();
        world.agent_mut().y = world.agent().ry;
        // Draws a random direction for the barrier without using it, because the reference draws it and each draw advances the
        // random stream.
        world.rand_gen.randbool();
        Self::spawn_barriers(world);
    }

    fn game_step(&mut self, world: &mut World) {
        base_game_step(self, world);
        let Entity { x, y, .. } = world.entities[BOSS_INDEX];
        (world.entities[SHIELDS_INDEX].x, world.entities[SHIELDS_INDEX].y) = (x, y);
        self.rand_pct = world.rand_gen.rand01();
        self.rand_fire_pct = world.rand_gen.rand01();
        self.rand_pct_x = world.rand_gen.rand01();
        self.rand_pct_y = world.rand_gen.rand01();
        self.move_boss(world);
        if world.special_action == 1 && world.cur_time - self.last_fire_time >= 3 {
            let Entity { x, y, .. } = *world.agent();
            let bullet = world.add_entity(x, y, 0.0, PLAYER_BULLET_VEL, 0.25, PLAYER_BULLET);
            bullet.image_theme = self.player_laser_theme;
            bullet.collides_with_entities = true;
            bullet.expire_time = 25;
            self.last_fire_time = world.cur_time;
        }
        if self.damaged_until_time >= world.cur_time {
            self.damaged_mode(world);
        } else if self.shields_are_up {
            self.attack(world);
        } else if self.rand_fire_pct < BASE_FIRE_PROB {
            self.boss_fire(world, PI * (1.0 + self.rand_pct));
        }
        self.add_trails(world);
    }

    fn is_valid(&self, world: &World) -> bool {
        let kind = |index: usize| world.entities.get(index).map(|entity| entity.kind);
        kind(BOSS_INDEX) == Some(BOSS)
            && kind(SHIELDS_INDEX) == Some(SHIELDS)
            && self.round_health > 0
            && (0.0..=2.0).contains(&self.boss_bullet_vel)
            && self.round_num >= 0
            && !self.attack_modes.is_empty()
    }
}

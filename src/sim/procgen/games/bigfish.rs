//! Bigfish: the agent is a fish that eats smaller fish and grows.

use serde::{Deserialize, Serialize};

use super::prelude::*;

const COMPLETION_BONUS: f32 = 10.0;
const POSITIVE_REWARD: f32 = 1.0;
const FISH: i32 = 2;
const FISH_MIN_R: f32 = 0.25;
const FISH_MAX_R: f32 = 2.0;
const FISH_QUOTA: i32 = 30;

/// Rules of the game Bigfish, and the state of this game that [`World`] does not contain.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Bigfish {
    fish_eaten: i32,
    /// Increase of the agent's radius for each fish that it eats.
    r_inc: f32,
}

/// Adds a fish at the left or the right side of the world.
fn spawn_fish(world: &mut World) {
    let size = f64::from(world.rand_gen.rand01()).powf(1.4);
    let r = f32_of(f64::from(FISH_MAX_R - FISH_MIN_R) * size + f64::from(FISH_MIN_R));
    let y = world.rand_gen.rand01() * (world.main_height as f32 - 2.0 * r);
    let moves_right = f64::from(world.rand_gen.rand01()) < 0.5;
    let speed = 0.15 + f64::from(world.rand_gen.rand01()) * 0.25;
    let vx = f32_of(if moves_right { speed } else { -speed });
    let x = if moves_right { -r } else { world.main_width as f32 + r };
    let index = world.push(Entity::new(x, y, vx, 0.0, r, r, FISH));
    world.choose_random_theme(index);
    world.match_aspect_ratio(index, false);
    world.entities[index].is_reflected = !moves_right;
}

impl Rules for Bigfish {
    const BACKGROUNDS: Backgrounds = Backgrounds::Water;

    fn new(world: &mut World) -> Self {
        world.timeout = 6000;
        Self { fish_eaten: 0, r_inc: 0.0 }
    }

    fn asset_for_type(kind: i32) -> Names {
        match kind {
            PLAYER => names(&["misc_assets/fishTile_072.png"]),
            FISH => names_of("misc_assets/fishTile_{}.png", &["074", "078", "080"]),
            _ => Names::new(),
        }
    }

    fn choose_world_dim(&mut self, world: &mut World) {
        (world.main_width, world.main_height) = (20, 20);
    }

    fn handle_agent_collision(&mut self, world: &mut World, entity: usize) {
        if world.entities[entity].kind != FISH {
            return;
        }
        if world.entities[entity].rx > world.agent().rx {
            world.done = true;
        } else {
            world.reward += POSITIVE_REWARD;
            world.entities[entity].will_erase = true;
            let agent = world.agent_mut();
            agent.rx += self.r_inc;
            agent.ry += self.r_inc;
            self.fish_eaten += 1;
        }
    }

    fn game_reset(&mut self, world: &mut World) {
        base_game_reset(self, world);
        world.center_agent = false;
        self.fish_eaten = 0;
        let start_r = if world.mode() == DistributionMode::Easy { 1.0 } else { 0.5 };
        self.r_inc = (FISH_MAX_R - start_r) / FISH_QUOTA as f32;
        let agent = world.agent_mut();
        (agent.rx, agent.ry, agent.y) = (start_r, start_r, 1.0 + start_r);
    }

    fn game_step(&mut self, world: &mut World) {
        base_game_step(self, world);
        if world.rand_gen.randn(10) == 1 {
            spawn_fish(world);
        }
        if self.fish_eaten >= FISH_QUOTA {
            world.complete_level(COMPLETION_BONUS);
        }
        reflect_agent(world, false);
    }

    fn is_valid(&self, _world: &World) -> bool {
        (0.0..=1.0).contains(&self.r_inc)
    }
}

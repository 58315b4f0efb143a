//! Trait for the rules of a game. Its methods correspond to virtual methods of procgen's `BasicAbstractGame`.

pub(crate) mod painter;
pub(crate) mod step;
mod still;
pub(crate) mod visible_cells;

use crate::assets::{Backgrounds, Names};
use crate::canvas::Canvas;
use crate::entity::Entity;
use crate::object_ids::WALL_OBJ;
use crate::rect::Rect;
use crate::rules::painter::{Painter, View};
use crate::rules::step::{base_game_reset, base_game_step};
use crate::world::{AGENT, World};

/// Rules of one game. A type that implements this trait contains the game's state in addition to the world; the methods are
/// those in which games differ.
///
/// Entities are passed by their index in [`World::entities`].
pub(crate) trait Rules: Sized {
    /// Group of pictures from which the game's backgrounds are drawn.
    const BACKGROUNDS: Backgrounds;

    /// Whether the background does not move as long as the view (the visible part of the world) does not move.
    const BACKGROUND_STANDS_STILL: bool = true;

    /// Creates the rules of the game, and sets the constants of its world.
    fn new(world: &mut World) -> Self;

    /// Returns the file names of the pictures of an object type, one file per theme; empty if the type has no pictures.
    fn asset_for_type(kind: i32) -> Names;

    /// Sets the world's size for the next level.
    fn choose_world_dim(&mut self, _world: &mut World) {}

    /// Generates a level in the world.
    fn game_reset(&mut self, world: &mut World) {
        base_game_reset(self, world);
    }

    /// Runs one step of the game.
    fn game_step(&mut self, world: &mut World) {
        base_game_step(self, world);
    }

    /// Converts an action to velocities of the agent along both axes.
    fn set_action_xy(&mut self, world: &mut World, move_action: i32) {
        world.action_vx = (move_action / 3 - 1) as f32;
        world.action_vy = (move_action % 3 - 1) as f32;
        world.action_vrot = 0.0;
    }

    /// Accelerates the agent in the direction of the current action.
    fn update_agent_velocity(&mut self, world: &mut World) {
        let (mixrate, maxspeed) = (world.mixrate, world.maxspeed);
        let (action_vx, action_vy) = (world.action_vx, world.action_vy);
        let agent = world.agent_mut();
        agent.vx *= 1.0 - mixrate;
        agent.vy *= 1.0 - mixrate;
        agent.vx += mixrate * maxspeed * action_vx;
        agent.vy += mixrate * maxspeed * action_vy;
        decay_agent_velocity(agent);
    }

    /// Returns whether cells of object type `target` block the entity `source`.
    fn is_blocked(&mut self, world: &mut World, _source: usize, target: i32, _is_horizontal: bool) -> bool {
        is_blocked_in_all_games(world, target)
    }

    /// Returns whether the entity `target` blocks the entity `source`.
    fn is_blocked_ents(&mut self, world: &mut World, source: usize, target: usize, is_horizontal: bool) -> bool {
        let kind = world.entities[target].kind;
        self.is_blocked(world, source, kind, is_horizontal)
    }

    /// Returns whether entities of type `source` bounce off objects of type `target`.
    fn will_reflect(&self, _world: &World, _source: i32, _target: i32) -> bool {
        false
    }

    /// Handles a collision of the agent with an entity.
    fn handle_agent_collision(&mut self, _world: &mut World, _entity: usize) {}

    /// Handles a collision of an entity with a cell.
    fn handle_grid_collision(&mut self, _world: &mut World, _entity: usize, _kind: i32, _cell: (i32, i32)) {}

    /// Handles a collision of two entities. The entity `source` is the one whose collisions are being checked.
    fn handle_collision(&mut self, _world: &mut World, _source: usize, _target: usize) {}

    /// Returns the object type whose picture is drawn for objects of type `kind`; negative if no picture is drawn.
    fn image_for_type(&self, _world: &World, kind: i32) -> i32 {
        kind.abs()
    }

    /// Returns the theme with which cells of an object type are drawn.
    fn theme_for_grid_obj(&self, _kind: i32) -> i32 {
        0
    }

    /// Returns whether the themes of an object type are not affected by the option `restrict_themes`.
    fn should_preserve_type_themes(_kind: i32) -> bool {
        false
    }

    /// Returns the aspect ratio (width divided by height) of the tiles that make up an entity's picture; 0 for a single
    /// picture. A negative ratio means that tiles are repeated vertically.
    fn get_tile_aspect_ratio(&self, _entity: &Entity) -> f32 {
        0.0
    }

    /// Returns the rectangle in which the picture of an object type is drawn; `rect` is the object's rectangle.
    fn get_adjusted_image_rect(_kind: i32, rect: Rect) -> Rect {
        rect
    }

    /// Returns whether an entity is drawn.
    fn should_draw_entity(&self, _entity: &Entity) -> bool {
        true
    }

    /// Returns the center and the size in cells of the view (the visible part of the world): `(x, y, visibility)`.
    fn choose_center(world: &World) -> (f32, f32, f32) {
        (world.agent().x, world.agent().y, world.visibility)
    }

    /// Draws a cell or entity whose object type has no picture. If the method returns false, the caller fills the rectangle
    /// with the type's colour.
    fn draw_grid_obj(_canvas: &mut Canvas, _rect: &Rect, _kind: i32) -> bool {
        false
    }

    /// Draws the background, below all objects.
    fn draw_background(&self, painter: &mut Painter<'_, Self>) {
        painter.draw_background();
    }

    /// Draws indicators, such as a compass, over the objects.
    fn draw_indicators(&self, _world: &World, _view: &View, _canvas: &mut Canvas) {}

    /// Returns whether the state of the rules, which may come from an untrusted snapshot, can be stepped.
    fn is_valid(&self, _world: &World) -> bool {
        true
    }
}

/// Returns whether cells of an object type block entities in every game.
pub(crate) fn is_blocked_in_all_games(world: &World, target: i32) -> bool {
    target == WALL_OBJ || target == world.out_of_bounds_object
}

/// Reduces the agent's velocity, as friction does.
pub(crate) fn decay_agent_velocity(agent: &mut Entity) {
    agent.vx = (0.9 * f64::from(agent.vx)) as f32;
    agent.vy = (0.9 * f64::from(agent.vy)) as f32;
}

/// Mirrors the agent's picture, so that the agent faces left or right according to the current action.
pub(crate) fn reflect_agent(world: &mut World, reflects_right: bool) {
    if world.action_vx > 0.0 {
        world.entities[AGENT].is_reflected = reflects_right;
    }
    if world.action_vx < 0.0 {
        world.entities[AGENT].is_reflected = !reflects_right;
    }
}

//! Functions that several games use.

pub(in crate::games) use crate::assets::{Backgrounds, Names};
pub(in crate::games) use crate::canvas::Canvas;
pub(in crate::games) use crate::entity::{Entity, has_collision};
pub(in crate::games) use crate::object_ids::{AGENT_OBJ, DOOR_OBJ, EXIT_OBJ, EXPLOSION, KEY_OBJ, PLAYER, SPACE, WALL_OBJ};
pub(in crate::games) use crate::options::DistributionMode;
pub(in crate::games) use crate::rect::Rect;
pub(in crate::games) use crate::rules::painter::{Painter, View};
pub(in crate::games) use crate::rules::step::{PI, base_game_reset, base_game_step, sign, step_entities};
pub(in crate::games) use crate::rules::{Rules, decay_agent_velocity, is_blocked_in_all_games, reflect_agent};
pub(in crate::games) use crate::world::{AGENT, World};

/// Converts file names to a list of strings.
pub(in crate::games) fn names(files: &[&str]) -> Names {
    files.iter().map(|file| (*file).to_owned()).collect()
}

/// Returns one file name for each element of `parts`: the string `form` with `{}` replaced by the element.
pub(in crate::games) fn names_of(form: &str, parts: &[&str]) -> Names {
    parts.iter().map(|part| form.replace("{}", part)).collect()
}

/// Sets the agent's velocity to the direction that an action requests, restricted to one axis. If the horizontal velocity is
/// not zero, the vertical velocity is set to zero.
pub(in crate::games) fn set_action_along_one_axis(world: &mut World, move_action: i32) {
    world.action_vx = (move_action / 3 - 1) as f32;
    world.action_vy = if world.action_vx == 0.0 { (move_action % 3 - 1) as f32 } else { 0.0 };
    world.action_vrot = 0.0;
}

/// Rounds a float64 to a float32 coordinate.
pub(in crate::games) fn f32_of(value: f64) -> f32 {
    value as f32
}

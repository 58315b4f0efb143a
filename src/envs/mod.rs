// Written by tools/families.py (`make generate`) from src/envs/**/family.toml.
//! Builds the registry of the tasks of all environment families.

#[doc(inline)]
#[cfg(feature = "atari")]
pub use envpool_rs_envs_atari as atari;
#[doc(inline)]
#[cfg(feature = "box2d")]
pub use envpool_rs_envs_box2d as box2d;
#[doc(inline)]
#[cfg(feature = "bsuite")]
pub use envpool_rs_envs_classic::bsuite;
#[doc(inline)]
#[cfg(feature = "classic_control")]
pub use envpool_rs_envs_classic::classic_control;
#[doc(inline)]
#[cfg(feature = "mpe")]
pub use envpool_rs_envs_classic::mpe;
#[doc(inline)]
#[cfg(feature = "testing")]
pub use envpool_rs_envs_classic::testing;
#[doc(inline)]
#[cfg(feature = "toy_text")]
pub use envpool_rs_envs_classic::toy_text;
#[doc(inline)]
#[cfg(feature = "crafter")]
pub use envpool_rs_envs_crafter as crafter;
#[doc(inline)]
#[cfg(feature = "highway")]
pub use envpool_rs_envs_highway as highway;
#[doc(inline)]
#[cfg(feature = "minigrid")]
pub use envpool_rs_envs_minigrid as minigrid;
#[doc(inline)]
#[cfg(feature = "mujoco")]
pub use envpool_rs_envs_mujoco as mujoco;
#[doc(inline)]
#[cfg(feature = "mujoco")]
pub use envpool_rs_envs_mujoco::dm_control;
#[doc(inline)]
#[cfg(feature = "lbf")]
pub use envpool_rs_envs_multi_agent::lbf;
#[doc(inline)]
#[cfg(feature = "overcooked")]
pub use envpool_rs_envs_multi_agent::overcooked;
#[doc(inline)]
#[cfg(feature = "rware")]
pub use envpool_rs_envs_multi_agent::rware;
#[doc(inline)]
#[cfg(feature = "procgen")]
pub use envpool_rs_envs_procgen as procgen;
#[doc(inline)]
#[cfg(feature = "vizdoom")]
pub use envpool_rs_envs_vizdoom as vizdoom;
#[doc(inline)]
#[cfg(feature = "pictures")]
pub use envpool_rs_pictures::resize;

use envpool_rs_engine::Registry;

/// Returns the registry of the tasks of every environment family that this build includes.
pub fn registry() -> Registry {
    #[allow(unused_mut, reason = "a build without families adds nothing")]
    let mut registry = Registry::default();
    #[cfg(feature = "classic_control")]
    registry.add(envpool_rs_envs_classic::classic_control::tasks());
    #[cfg(feature = "toy_text")]
    registry.add(envpool_rs_envs_classic::toy_text::tasks());
    #[cfg(feature = "atari")]
    registry.add(envpool_rs_envs_atari::tasks());
    #[cfg(feature = "bsuite")]
    registry.add(envpool_rs_envs_classic::bsuite::tasks());
    #[cfg(feature = "mpe")]
    registry.add(envpool_rs_envs_classic::mpe::tasks());
    #[cfg(feature = "lbf")]
    registry.add(envpool_rs_envs_multi_agent::lbf::tasks());
    #[cfg(feature = "rware")]
    registry.add(envpool_rs_envs_multi_agent::rware::tasks());
    #[cfg(feature = "overcooked")]
    registry.add(envpool_rs_envs_multi_agent::overcooked::tasks());
    #[cfg(feature = "minigrid")]
    registry.add(envpool_rs_envs_minigrid::tasks());
    #[cfg(feature = "mujoco")]
    registry.add(envpool_rs_envs_mujoco::tasks());
    #[cfg(feature = "box2d")]
    registry.add(envpool_rs_envs_box2d::tasks());
    #[cfg(feature = "mujoco")]
    registry.add(envpool_rs_envs_mujoco::dm_control::tasks());
    #[cfg(feature = "mujoco")]
    registry.add(envpool_rs_envs_mujoco::maze::tasks());
    #[cfg(feature = "mujoco")]
    registry.add(envpool_rs_envs_mujoco::metaworld::tasks());
    #[cfg(feature = "mujoco")]
    registry.add(envpool_rs_envs_mujoco::fetch::tasks());
    #[cfg(feature = "mujoco")]
    registry.add(envpool_rs_envs_mujoco::adroit::tasks());
    #[cfg(feature = "mujoco")]
    registry.add(envpool_rs_envs_mujoco::hand::tasks());
    #[cfg(feature = "mujoco")]
    registry.add(envpool_rs_envs_mujoco::kitchen::tasks());
    #[cfg(feature = "mujoco")]
    registry.add(envpool_rs_envs_mujoco::myosuite::tasks());
    #[cfg(feature = "vizdoom")]
    registry.add(envpool_rs_envs_vizdoom::tasks());
    #[cfg(feature = "crafter")]
    registry.add(envpool_rs_envs_crafter::tasks());
    #[cfg(feature = "procgen")]
    registry.add(envpool_rs_envs_procgen::tasks());
    #[cfg(feature = "highway")]
    registry.add(envpool_rs_envs_highway::tasks());
    #[cfg(feature = "testing")]
    registry.add(envpool_rs_envs_classic::testing::tasks());
    registry
}

/// Returns what a family names: lists of names by subject, empty for a family without any.
pub fn names(family: &str) -> Vec<(&'static str, Vec<&'static str>)> {
    match family {
        #[cfg(feature = "mujoco")]
        "metaworld" => envpool_rs_envs_mujoco::metaworld::names(),
        #[cfg(feature = "crafter")]
        "crafter" => envpool_rs_envs_crafter::names(),
        _ => Vec::new(),
    }
}

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
#[cfg(feature = "minigrid")]
pub use envpool_rs_envs_minigrid as minigrid;
#[doc(inline)]
#[cfg(feature = "mujoco")]
pub use envpool_rs_envs_mujoco::{self as mujoco, dm_control};
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
    registry.add(envpool_rs_envs_classic::classic_control_tasks());
    #[cfg(feature = "toy_text")]
    registry.add(envpool_rs_envs_classic::toy_text_tasks());
    #[cfg(feature = "atari")]
    registry.add(atari::tasks());
    #[cfg(feature = "bsuite")]
    registry.add(envpool_rs_envs_classic::bsuite_tasks());
    #[cfg(feature = "mpe")]
    registry.add(envpool_rs_envs_classic::mpe_tasks());
    #[cfg(feature = "minigrid")]
    registry.add(minigrid::tasks());
    #[cfg(feature = "mujoco")]
    registry.add(mujoco::tasks());
    #[cfg(feature = "box2d")]
    registry.add(box2d::tasks());
    #[cfg(feature = "mujoco")]
    registry.add(dm_control::tasks());
    #[cfg(feature = "mujoco")]
    registry.add(mujoco::maze::tasks());
    #[cfg(feature = "mujoco")]
    registry.add(mujoco::metaworld::tasks());
    #[cfg(feature = "mujoco")]
    registry.add(mujoco::fetch::tasks());
    #[cfg(feature = "mujoco")]
    registry.add(mujoco::adroit::tasks());
    #[cfg(feature = "mujoco")]
    registry.add(mujoco::hand::tasks());
    #[cfg(feature = "mujoco")]
    registry.add(mujoco::kitchen::tasks());
    #[cfg(feature = "vizdoom")]
    registry.add(vizdoom::tasks());
    #[cfg(feature = "crafter")]
    registry.add(crafter::tasks());
    #[cfg(feature = "procgen")]
    registry.add(procgen::tasks());
    #[cfg(feature = "testing")]
    registry.add(envpool_rs_envs_classic::testing_tasks());
    registry
}

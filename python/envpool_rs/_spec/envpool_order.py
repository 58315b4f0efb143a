"""In which order EnvPool's configurations name the options of MuJoCo's tasks."""

from __future__ import annotations

from envpool_rs._spec.installed import SUITE_DIR, tasks_with

_FIRST = ("frame_skip", "frame_stack", "post_constraint")

_OF_SUITE = ("frame_skip", "frame_stack", "task_name")
"""Options of dm_control's tasks."""

_OF_PIXELS = ("render_width", "render_height", "render_camera_id")
"""Those that come with pictures as observations, in the place that EnvPool has them."""

_OF_ROBOT = {
    "Ant": (
        "use_contact_force legacy_healthy_reward exclude_worldbody_contact_forces terminate_when_unhealthy "
        "exclude_current_positions_from_observation xml_file gymnasium_v5_render_camera forward_reward_weight "
        "ctrl_cost_weight contact_cost_weight healthy_reward healthy_z_min healthy_z_max contact_force_min "
        "contact_force_max reset_noise_scale"
    ),
    "HalfCheetah": (
        "exclude_current_positions_from_observation xml_file gymnasium_v5_render_camera ctrl_cost_weight "
        "forward_reward_weight reset_noise_scale"
    ),
    "Hopper": (
        "terminate_when_unhealthy legacy_healthy_reward exclude_current_positions_from_observation xml_file "
        "gymnasium_v5_render_camera ctrl_cost_weight forward_reward_weight healthy_reward velocity_min velocity_max "
        "healthy_state_min healthy_state_max healthy_angle_min healthy_angle_max healthy_z_min reset_noise_scale"
    ),
    "Humanoid": (
        "legacy_healthy_reward exclude_worldbody_observations exclude_root_actuator_forces use_contact_force "
        "forward_reward_weight terminate_when_unhealthy exclude_current_positions_from_observation xml_file "
        "gymnasium_v5_render_camera ctrl_cost_weight healthy_reward healthy_z_min healthy_z_max contact_cost_weight "
        "contact_cost_max reset_noise_scale"
    ),
    "Swimmer": (
        "exclude_current_positions_from_observation xml_file gymnasium_v5_render_camera forward_reward_weight "
        "ctrl_cost_weight reset_noise_scale"
    ),
    "Walker2d": (
        "ctrl_cost_weight terminate_when_unhealthy exclude_current_positions_from_observation legacy_healthy_reward "
        "xml_file gymnasium_v5_render_camera forward_reward_weight healthy_reward healthy_z_min healthy_z_max "
        "healthy_angle_min healthy_angle_max velocity_min velocity_max reset_noise_scale"
    ),
    "HumanoidStandup": (
        "forward_reward_weight exclude_current_positions_from_observation exclude_worldbody_observations "
        "exclude_root_actuator_forces xml_file gymnasium_v5_render_camera ctrl_cost_weight contact_cost_weight "
        "contact_cost_max healthy_reward reset_noise_scale"
    ),
    "InvertedPendulum": (
        "healthy_reward reward_if_not_terminated xml_file gymnasium_v5_render_camera healthy_z_min healthy_z_max "
        "reset_noise_scale"
    ),
    "InvertedDoublePendulum": (
        "healthy_reward reward_if_not_terminated constraint_obs_dim xml_file gymnasium_v5_render_camera healthy_z_max "
        "observation_min observation_max reset_noise_scale"
    ),
    "Pusher": (
        "ctrl_cost_weight dist_cost_weight near_cost_weight xml_file gymnasium_v5_render_camera reward_after_step "
        "weighted_reward_info reset_qvel_scale cylinder_x_min cylinder_x_max cylinder_y_min cylinder_y_max "
        "cylinder_dist_min"
    ),
    "Reacher": (
        "ctrl_cost_weight reward_after_step obs_include_z_distance dist_cost_weight xml_file "
        "gymnasium_v5_render_camera reset_qpos_scale reset_qvel_scale reset_goal_scale"
    ),
}


def envpool_order(task_id: str) -> tuple[str, ...]:
    """Names of options in EnvPool's order; none for what MuJoCo does not play."""
    if task_id in tasks_with(SUITE_DIR):
        return (*_OF_SUITE, *_OF_PIXELS)
    robot, _, _ = task_id.partition("-")
    return (*_FIRST, *_OF_ROBOT[robot].split(), *_OF_PIXELS) if robot in _OF_ROBOT else ()

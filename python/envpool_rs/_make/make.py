"""Functions that make environments and specifications of tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

from envpool_rs._errors import RefusedOptionError
from envpool_rs._spec.installed import TaskBase
from envpool_rs._spec.option_values import restoring_given_names
from envpool_rs._spec.other_names import from_envpool_names
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._tasks.pool_options import check_env_type, check_return_info, pool_options
from envpool_rs._tasks.table import (
    ForeignTask,
    MixedTask,
    NamedTask,
    TaskId,
    find,
    joined_name,
)

if TYPE_CHECKING:
    from envpool_rs._facades.dm_facade import DMEnvPool
    from envpool_rs._facades.gym_facade import GymEnvPool
    from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool

EnvType = Literal["gym", "gymnasium", "dm"]


@overload
def make(task_id: TaskId, env_type: Literal["gymnasium"] = "gymnasium", **options: Any) -> GymnasiumEnvPool: ...
@overload
def make(task_id: TaskId, env_type: Literal["gym"], **options: Any) -> GymEnvPool: ...
@overload
def make(task_id: TaskId, env_type: Literal["dm"], **options: Any) -> DMEnvPool: ...
def make(task_id: TaskId, env_type: EnvType = "gymnasium", **options: Any) -> Any:
    """Makes a pool of environments with one of EnvPool's interfaces.

    Args:
        task_id: one of ``list_all_envs()``; or a list of them whose spaces agree: the first ``num_envs / len(task_id)``
            environments run the first task, the next as many run the second, and so on.
        env_type: ``"gymnasium"``, ``"gym"`` (legacy) or ``"dm"``.
        options: options of the pool and of the environments, listed below. Those of environments and
            ``max_episode_steps`` may be lists or arrays of ``num_envs`` values, one for each environment. Many can be
            drawn for each episode: ``("uniform", low, high)``, ``("integers", low, high)``, ``("choice", value, ...)``.

    Returns:
        A :class:`GymnasiumEnvPool`, :class:`GymEnvPool` or :class:`DMEnvPool`.

    Raises:
        ValueError: for an unknown task, with suggestions, or a value that is not allowed.
        TypeError: for an unknown option, with suggestions, or one of the wrong kind.
        ImportError: for ``"dm"`` if dm_env is not installed.

    Options of every task

    * ``num_envs``: environments (int; default 1)
    * ``batch_size``: rows of a result; fewer than num_envs is asynchronous (int; default 0: num_envs)
    * ``num_threads``: background workers; the calling thread works too (int; default 0: as many as useful)
    * ``max_num_players``: EnvPool's name for the number of players; any other number is refused (int or None; default
      None: the task's)
    * ``thread_affinity_offset``: pins worker k to CPU number offset + k (int; default -1: off)
    * ``seed``: environment i gets seed + i; or a list with a seed for each (int or list of int or None; default 42
      (make), drawn (make_vec))
    * ``max_episode_steps``: time limit in steps, after which an episode is truncated; or a list with one for each (int
      or None or list of such; default None: the task's)
    * ``reward_threshold``: mean return that counts as solved; reported by spec (float or None; default None: the
      task's)
    * ``autoreset_mode``: when a finished environment is reset: in the next step, in the last step, or only by reset
      ("next_step", "same_step" or "disabled" or AutoresetMode; default 'next_step')
    * ``record_episode_statistics``: return, length and time of ended episodes in info["episode"]; not with dm_env's
      time steps (bool; default False)
    * ``env_seed``: EnvPool's name for a list of seeds (list of int or None; default []: seed)
    * ``base_path``: EnvPool's name for the folder of its files: Atari's rom_dir; no other task needs one (str or None;
      default None)
    * ``render_mode``: result of render(): a window, pictures, depths or both (MuJoCo), or text (toy text) ("human",
      "rgb_array", "depth_array", "rgbd_tuple" or "ansi" or None; default None)
    * ``render_env_id``: the environment that EnvPool's render() shows by default (int or None; default 0)
    * ``render_width``: width of pictures in pixels (int or None; default 0: the task's)
    * ``render_height``: height of pictures in pixels (int or None; default 0: the task's)
    * ``render_camera_id``: one of the model's cameras (MuJoCo); None or -1: the task's own (int or None; default None)
    * ``gym_reset_return_info``: whether reset returns infos; False for env_type="gym" only (bool or None; default None:
      as the installed gym)

    Options of environments, each of which may have those of several lines; ``python -m envpool_rs info TASK`` says what
    they do

    * Adventure-v5, AirRaid-v5, Alien-v5 and 205 more: ``rom_dir``, ``noop_max``, ``full_action_space``,
      ``repeat_action_probability``, ``translate``
    * SimpleSpread-v3, SimpleSpeakerListener-v4: ``continuous_actions``, ``benchmark_data``, ``max_cycles``,
      ``dynamic_rescaling``
    * MiniGrid-Empty-5x5-v0, MiniGrid-Empty-Random-5x5-v0, MiniGrid-Empty-6x6-v0 and 175 more: ``env_name``,
      ``agent_view_size``, ``see_through_walls``, ``obs``, ``obs_tile_size``, ``image_only``, ``mission``,
      ``highlight``, ``max_steps``, ``action_prob``, ``random_action``, ``no_death``, ``death_cost``, ``seeds``,
      ``tile_size``, ``agent_pov``
    * Ant-v5, Ant-v4, Ant-v3 and 30 more: ``xml_file``, ``xml_dir``, ``post_constraint``, ``default_camera``,
      ``gymnasium_v5_render_camera``, ``default_camera_config``
    * Ant-v5, Ant-v4, Ant-v3 and 132 more: ``frame_skip``, ``frame_stack``, ``physics``, ``from_pixels``,
      ``camera_name``, ``camera_lookat``, ``camera_distance``, ``camera_azimuth``, ``camera_elevation``,
      ``camera_orthographic``, ``max_geom``, ``visual_options``, ``render_shadows``, ``render_shadow_size``,
      ``render_reflections``, ``render_skybox``, ``render_haze``, ``render_textures``, ``render_multisamples``,
      ``width``, ``height``, ``camera_id``
    * Ant-v5, Ant-v4, Ant-v3: ``main_body``, ``contact_force_range``, ``contact_force_min``, ``contact_force_max``,
      ``use_contact_force``, ``exclude_worldbody_contact_forces``
    * Ant-v5, Ant-v4, Ant-v3 and 9 more: ``healthy_z_min``, ``healthy_reward``, ``terminate_when_unhealthy``,
      ``legacy_healthy_reward``
    * Hopper-v5, Hopper-v4, Hopper-v3 and 3 more: ``healthy_angle_range``, ``healthy_angle_min``, ``healthy_angle_max``,
      ``velocity_min``, ``velocity_max``
    * Humanoid-v5, Humanoid-v4, Humanoid-v3 and 3 more: ``ctrl_cost_weight``, ``contact_cost_max``,
      ``include_cinert_in_observation``, ``include_cvel_in_observation``, ``include_qfrc_actuator_in_observation``,
      ``include_cfrc_ext_in_observation``, ``exclude_worldbody_observations``, ``exclude_root_actuator_forces``
    * Pusher-v5, Pusher-v4, Pusher-v2 and 3 more: ``reward_control_weight``, ``dist_cost_weight``, ``ctrl_cost_weight``,
      ``reset_qvel_scale``
    * AcrobotSwingup-v1, dm_control/acrobot-swingup, AcrobotSwingupSparse-v1 and 99 more: ``task_name``, ``suite_dir``,
      ``n_sub_steps``, ``time_limit``, ``flat_observation``, ``domain_keys``, ``visualize_reward``, ``legacy_step``
    * D1Basic-v1, D2Navigation-v1, D3Battle-v1 and 722 more: ``frame_skip``, ``vizdoom_dir``, ``engine_timeout``,
      ``restart``, ``fast_palette_copy``
    * BigfishEasy-v0, BigfishHard-v0, BossfightEasy-v0 and 63 more: ``procgen_dir``, ``env_name``, ``num_levels``,
      ``start_level``, ``use_sequential_levels``, ``center_agent``, ``use_backgrounds``, ``use_monochrome_assets``,
      ``restrict_themes``, ``use_generated_assets``, ``paint_vel_info``
    * CartPole-v0, CartPole-v1: ``sutton_barto_reward``
    * MountainCar-v0, MountainCarContinuous-v0: ``goal_velocity``
    * Pendulum-v0, Pendulum-v1: ``g``, ``version``
    * FrozenLake-v1, FrozenLake8x8-v1: ``desc``, ``map_name``, ``is_slippery``, ``success_rate``, ``reward_schedule``,
      ``size``
    * Taxi-v3: ``is_rainy``, ``fickle_passenger``
    * Taxi-v4: ``is_rainy``, ``fickle_passenger``, ``rainy_probability``, ``fickle_probability``
    * CliffWalking-v0, CliffWalking-v1, CliffWalkingSlippery-v1: ``is_slippery``
    * Blackjack-v1: ``natural``, ``sab``
    * NChain-v0: ``n``, ``slip``, ``small``, ``large``
    * Adventure-v5, AirRaid-v5, Alien-v5 and 101 more: ``stack_num``, ``frame_skip``, ``zero_discount_on_life_loss``,
      ``episodic_life``, ``reward_clip``, ``use_fire_reset``, ``img_height``, ``img_width``, ``task``, ``mode``,
      ``difficulty``, ``use_inter_area_resize``, ``gray_scale``
    * ALE/Adventure-v5, ALE/AirRaid-v5, ALE/Alien-v5 and 101 more: ``game``, ``mode``, ``difficulty``, ``obs_type``,
      ``frameskip``, ``continuous``, ``continuous_action_threshold``, ``max_num_frames_per_episode``, ``preprocessing``,
      ``frame_skip``, ``screen_size``, ``terminal_on_life_loss``, ``grayscale_obs``, ``grayscale_newaxis``,
      ``scale_obs``, ``stack_size``, ``padding_type``
    * Catch-v0: ``rows``, ``columns``, ``height``, ``width``
    * SimpleSpread-v3: ``N``, ``local_ratio``, ``curriculum``, ``terminate_on_success``, ``num_agent_neighbors``,
      ``num_landmark_neighbors``
    * MiniGrid-Empty-5x5-v0, MiniGrid-Empty-Random-5x5-v0, MiniGrid-Empty-6x6-v0 and 3 more: ``size``,
      ``agent_start_pos``, ``agent_start_dir``
    * MiniGrid-DoorKey-5x5-v0, MiniGrid-DoorKey-6x6-v0, MiniGrid-DoorKey-8x8-v0 and 7 more: ``size``
    * MiniGrid-LavaCrossingS9N1-v0, MiniGrid-LavaCrossingS9N2-v0, MiniGrid-LavaCrossingS9N3-v0 and 5 more: ``size``,
      ``num_crossings``, ``obstacle_type``
    * MiniGrid-DistShift1-v0, MiniGrid-DistShift2-v0: ``width``, ``height``, ``strip2_row``, ``agent_start_pos``,
      ``agent_start_dir``
    * MiniGrid-LavaGapS5-v0, MiniGrid-LavaGapS6-v0, MiniGrid-LavaGapS7-v0: ``size``, ``obstacle_type``
    * MiniGrid-Dynamic-Obstacles-5x5-v0, MiniGrid-Dynamic-Obstacles-Random-5x5-v0, MiniGrid-Dynamic-Obstacles-6x6-v0 and
      3 more: ``size``, ``n_obstacles``, ``agent_start_pos``, ``agent_start_dir``
    * MiniGrid-Fetch-5x5-N2-v0, MiniGrid-Fetch-6x6-N2-v0, MiniGrid-Fetch-8x8-N3-v0: ``size``, ``numObjs``, ``num_objs``
    * MiniGrid-FourRooms-v0: ``agent_pos``, ``goal_pos``
    * MiniGrid-GoToObject-6x6-N2-v0, MiniGrid-GoToObject-8x8-N2-v0, MiniGrid-PutNear-6x6-N2-v0 and 1 more: ``size``,
      ``numObjs``, ``num_objs``
    * MiniGrid-KeyCorridorS3R1-v0, MiniGrid-KeyCorridorS3R2-v0, MiniGrid-KeyCorridorS3R3-v0 and 10 more: ``num_rows``,
      ``room_size``, ``obj_type``
    * MiniGrid-MemoryS17Random-v0, MiniGrid-MemoryS13Random-v0, MiniGrid-MemoryS13-v0 and 3 more: ``size``,
      ``random_length``
    * MiniGrid-MultiRoom-N2-S4-v0, MiniGrid-MultiRoom-N4-S5-v0, MiniGrid-MultiRoom-N4-S5-v1 and 1 more: ``minNumRooms``,
      ``min_num_rooms``, ``maxNumRooms``, ``max_num_rooms``, ``maxRoomSize``, ``max_room_size``, ``width``, ``height``
    * MiniGrid-ObstructedMaze-1Dl-v0, MiniGrid-ObstructedMaze-1Dlh-v0, MiniGrid-ObstructedMaze-1Dlhb-v0: ``key_in_box``,
      ``blocked``
    * MiniGrid-ObstructedMaze-2Dl-v0, MiniGrid-ObstructedMaze-2Dlh-v0, MiniGrid-ObstructedMaze-2Dlhb-v0 and 7 more:
      ``agent_room``, ``key_in_box``, ``blocked``, ``num_quarters``, ``num_rooms_visited``
    * MiniGrid-WFC-MazeSimple-v0, MiniGrid-WFC-DungeonMazeScaled-v0, MiniGrid-WFC-RoomsFabric-v0 and 3 more:
      ``wfc_config``, ``wfc_preset``, ``size``, ``ensure_connected``
    * BabyAI-GoToRedBallGrey-v0, BabyAI-GoToRedBall-v0, BabyAI-GoToLocal-v0 and 13 more: ``room_size``, ``num_dists``
    * BabyAI-GoToObj-v0, BabyAI-GoToObjS4-v0, BabyAI-GoToObjS6-v1 and 7 more: ``room_size``
    * BabyAI-GoTo-v0, BabyAI-GoToOpen-v0, BabyAI-GoToObjMaze-v0 and 6 more: ``room_size``, ``num_rows``, ``num_cols``,
      ``num_dists``, ``doors_open``
    * BabyAI-GoToImpUnlock-v0, BabyAI-Open-v0, BabyAI-Pickup-v0 and 2 more: ``room_size``, ``num_rows``, ``num_cols``
    * BabyAI-OpenDoor-v0, BabyAI-OpenDoorDebug-v0, BabyAI-OpenDoorColor-v0 and 1 more: ``debug``, ``select_by``
    * BabyAI-OpenTwoDoors-v0, BabyAI-OpenRedBlueDoors-v0, BabyAI-OpenRedBlueDoorsDebug-v0: ``first_color``,
      ``second_color``, ``strict``
    * BabyAI-OpenDoorsOrderN2-v0, BabyAI-OpenDoorsOrderN4-v0, BabyAI-OpenDoorsOrderN2Debug-v0 and 1 more: ``num_doors``,
      ``debug``
    * BabyAI-PickupDist-v0, BabyAI-PickupDistDebug-v0: ``debug``
    * BabyAI-PutNextLocal-v0, BabyAI-PutNextLocalS5N3-v0, BabyAI-PutNextLocalS6N4-v0: ``room_size``, ``num_objs``
    * BabyAI-PutNextS4N1-v0, BabyAI-PutNextS5N2-v0, BabyAI-PutNextS5N1-v0 and 5 more: ``room_size``, ``objs_per_room``,
      ``start_carrying``
    * BabyAI-MoveTwoAcrossS5N2-v0, BabyAI-MoveTwoAcrossS8N9-v0: ``room_size``, ``objs_per_room``
    * BabyAI-UnlockLocal-v0, BabyAI-UnlockLocalDist-v0, BabyAI-UnlockPickup-v0 and 1 more: ``distractors``
    * BabyAI-GoToSeq-v0, BabyAI-GoToSeqS5R2-v0, BabyAI-Synth-v0 and 7 more: ``room_size``, ``num_rows``, ``num_cols``,
      ``num_dists``, ``locked_room_prob``, ``locations``, ``unblocking``, ``implicit_unlock``, ``action_kinds``,
      ``instr_kinds``
    * Ant-v5: ``forward_reward_weight``, ``ctrl_cost_weight``, ``contact_cost_weight``, ``healthy_z_range``,
      ``healthy_z_max``, ``reset_noise_scale``, ``exclude_current_positions_from_observation``,
      ``include_cfrc_ext_in_observation``
    * Ant-v4, Ant-v3: ``forward_reward_weight``, ``ctrl_cost_weight``, ``contact_cost_weight``, ``healthy_z_range``,
      ``healthy_z_max``, ``reset_noise_scale``, ``exclude_current_positions_from_observation``, ``use_contact_forces``
    * HalfCheetah-v5, HalfCheetah-v4, HalfCheetah-v3 and 3 more: ``forward_reward_weight``, ``ctrl_cost_weight``,
      ``reset_noise_scale``, ``exclude_current_positions_from_observation``
    * Hopper-v5, Hopper-v4, Hopper-v3: ``forward_reward_weight``, ``ctrl_cost_weight``, ``healthy_state_range``,
      ``healthy_state_min``, ``healthy_state_max``, ``healthy_z_range``, ``reset_noise_scale``,
      ``exclude_current_positions_from_observation``
    * Humanoid-v5, Humanoid-v4, Humanoid-v3: ``forward_reward_weight``, ``contact_cost_weight``, ``contact_cost_range``,
      ``use_contact_force``, ``healthy_z_range``, ``healthy_z_max``, ``reset_noise_scale``,
      ``exclude_current_positions_from_observation``
    * HumanoidStandup-v5, HumanoidStandup-v4, HumanoidStandup-v2: ``uph_cost_weight``, ``impact_cost_weight``,
      ``forward_reward_weight``, ``healthy_reward``, ``contact_cost_weight``, ``impact_cost_range``,
      ``reset_noise_scale``, ``exclude_current_positions_from_observation``
    * InvertedDoublePendulum-v5, InvertedDoublePendulum-v4, InvertedDoublePendulum-v2: ``healthy_reward``,
      ``healthy_z_max``, ``reward_if_not_terminated``, ``observation_min``, ``observation_max``, ``constraint_obs_dim``,
      ``reset_noise_scale``
    * InvertedPendulum-v5, InvertedPendulum-v4, InvertedPendulum-v2: ``healthy_reward``, ``healthy_z_range``,
      ``healthy_z_min``, ``healthy_z_max``, ``reward_if_not_terminated``, ``reset_noise_scale``
    * Pusher-v5, Pusher-v4, Pusher-v2: ``reward_near_weight``, ``reward_dist_weight``, ``near_cost_weight``,
      ``reward_after_step``, ``weighted_reward_info``, ``cylinder_x_min``, ``cylinder_x_max``, ``cylinder_y_min``,
      ``cylinder_y_max``, ``cylinder_dist_min``
    * Reacher-v5, Reacher-v4, Reacher-v2: ``reward_dist_weight``, ``reward_after_step``, ``obs_include_z_distance``,
      ``reset_qpos_scale``, ``reset_goal_scale``
    * Walker2d-v5, Walker2d-v4, Walker2d-v3: ``forward_reward_weight``, ``ctrl_cost_weight``, ``healthy_z_range``,
      ``healthy_z_max``, ``reset_noise_scale``, ``exclude_current_positions_from_observation``
    * LunarLander-v3, LunarLanderContinuous-v3, LunarLander-v2 and 1 more: ``continuous``, ``gravity``, ``enable_wind``,
      ``wind_power``, ``turbulence_power``
    * BipedalWalker-v3, BipedalWalkerHardcore-v3: ``hardcore``
    * CarRacing-v3, CarRacing-v2: ``verbose``, ``lap_complete_percent``, ``domain_randomize``, ``continuous``
    * CartpoleBalance-v1, dm_control/cartpole-balance, CartpoleBalanceSparse-v1 and 9 more: ``num_poles``, ``sparse``
    * ManipulatorBringBall-v1, dm_control/manipulator-bring_ball, ManipulatorBringPeg-v1 and 9 more:
      ``fully_observable``
    * SwimmerSwimmer6-v1, dm_control/swimmer-swimmer6, SwimmerSwimmer15-v1 and 1 more: ``n_links``
    * D1Basic-v1, D2Navigation-v1, D3Battle-v1 and 18 more: ``scenario``, ``img_height``, ``img_width``, ``stack_num``,
      ``use_inter_area_resize``, ``episodic_life``, ``use_combined_action``, ``force_speed``, ``lmp_save_dir``,
      ``reward_config``, ``reward_metric``, ``selected_weapon_reward_config``, ``weapon_duration``,
      ``delta_button_config``, ``cfg_path``, ``wad_path``, ``iwad_path``, ``vzd_path``, ``game_args``, ``map_id``,
      ``assets_dir``
    * VizdoomBasic-v1, VizdoomBasic-MultiBinary-v1, VizdoomBasicAudio-v1 and 701 more: ``scenario_config_file``,
      ``max_buttons_pressed``, ``treat_episode_timeout_as_truncation``, ``use_multi_binary_action_space``,
      ``available_buttons``, ``available_game_variables``, ``doom_game_path``, ``doom_scenario_path``,
      ``doom_config_path``, ``vizdoom_path``, ``doom_map``, ``doom_skill``, ``game_args``, ``mode``, ``ticrate``,
      ``episode_start_time``, ``episode_timeout``, ``living_reward``, ``death_penalty``, ``death_reward``,
      ``map_exit_reward``, ``kill_reward``, ``item_reward``, ``secret_reward``, ``frag_reward``, ``hit_reward``,
      ``hit_taken_reward``, ``hit_taken_penalty``, ``damage_made_reward``, ``damage_taken_reward``,
      ``damage_taken_penalty``, ``health_reward``, ``armor_reward``, ``screen_resolution``, ``screen_format``,
      ``depth_buffer_enabled``, ``labels_buffer_enabled``, ``automap_buffer_enabled``, ``audio_buffer_enabled``,
      ``notifications_buffer_enabled``, ``objects_info_enabled``, ``sectors_info_enabled``, ``automap_mode``,
      ``automap_rotate``, ``automap_render_textures``, ``automap_render_objects_as_sprites``, ``audio_sampling_rate``,
      ``audio_buffer_size``, ``notifications_buffer_size``, ``render_hud``, ``render_minimal_hud``, ``render_weapon``,
      ``render_crosshair``, ``render_decals``, ``render_particles``, ``render_effects_sprites``, ``render_messages``,
      ``render_corpses``, ``render_screen_flashes``, ``render_all_frames``, ``sound_enabled``, ``console_enabled``,
      ``window_visible``
    * BigfishEasy-v0, BigfishHard-v0, BossfightEasy-v0 and 47 more: ``channel_first``, ``use_easy_jump``,
      ``distribution_mode``
    * procgen-bigfish-v0, procgen-bossfight-v0, procgen-caveflyer-v0 and 13 more: ``distribution_mode``
    """
    check_env_type(env_type)
    task = find(task_id)
    if isinstance(task, ForeignTask):
        return task.env(env_type, options)
    cls = _facade(env_type)
    with restoring_given_names(options):
        return cls(_envpool_spec(task_id, task, options, env_type))


def _facade(env_type: EnvType) -> Any:
    # Imported on demand: gym and dm_env are optional.
    if env_type == "gym":
        from envpool_rs._facades.gym_facade import GymEnvPool

        return GymEnvPool
    if env_type == "dm":
        from envpool_rs._facades.dm_facade import DMEnvPool

        return DMEnvPool
    from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool

    return GymnasiumEnvPool


def _envpool_spec(task_id: TaskId, task: NamedTask | MixedTask, options: dict[str, Any], env_type: str) -> EnvSpec:
    try:
        with restoring_given_names(options):
            name, base, given = resolve(task_id, task, options)
            return_info = check_return_info(given.pop("gym_reset_return_info", None), env_type)
            if env_type == "gym":
                from envpool_rs._spec.installed_gym import GymEnvSpec

                return GymEnvSpec(name, base, "envpool", given, return_info)
            return EnvSpec(name, base, "envpool", given, return_info)
    except ValueError as error:
        if type(error) is not ValueError:
            raise
        raise RefusedOptionError(str(error)) from None


def resolve(
    task_id: TaskId, task: NamedTask | MixedTask, options: dict[str, Any]
) -> tuple[str, TaskBase, dict[str, Any]]:
    """Returns a task's name, the extension's task, and its options by this package's names."""
    base, own = from_envpool_names(task.base, options)
    # If the options select another extension task, its own name replaces the given one.
    name = base if isinstance(base, str) and base != task.base else joined_name(task_id)
    return name, base, pool_options(base, task.with_presets(own))


def make_gymnasium(task_id: TaskId, **options: Any) -> GymnasiumEnvPool:
    """``make(task_id, "gymnasium", **options)``."""
    return make(task_id, "gymnasium", **options)


def make_gym(task_id: TaskId, **options: Any) -> GymEnvPool:
    """``make(task_id, "gym", **options)``."""
    return make(task_id, "gym", **options)


def make_dm(task_id: TaskId, **options: Any) -> DMEnvPool:
    """``make(task_id, "dm", **options)``."""
    return make(task_id, "dm", **options)


def native_spec(task_id: str, env_type: str, options: dict[str, Any]) -> EnvSpec:
    """Returns the specification of a native pool with one of EnvPool's interfaces.

    Args:
        task_id: one of ``list_all_envs()``.
        env_type: ``"gymnasium"``, ``"gym"`` or ``"dm"``.
        options: as for :func:`make`.

    Raises:
        ValueError: for an unknown task, with suggestions, a task of another package, or a value that is not allowed.
        TypeError: for an unknown option, with suggestions, or one of the wrong type.
    """
    task = find(task_id)
    if isinstance(task, ForeignTask):
        raise ValueError(
            f"task_id={task_id!r}: it was registered with classes of another package, not as a native task"
        )
    return _envpool_spec(task_id, task, options, env_type)


def make_spec(task_id: TaskId, **options: Any) -> EnvSpec:
    """Returns the spaces and configuration of a task, without making environments.

    Args:
        task_id: one of ``list_all_envs()``, or a list of them.
        options: as for :func:`make`.

    Raises:
        ValueError: for an unknown task, with suggestions, or a value that is not allowed.
        TypeError: for an unknown option, with suggestions, or one of the wrong type.
    """
    task = find(task_id)
    if isinstance(task, ForeignTask):
        return task.spec(options)  # type: ignore[no-any-return]
    return _envpool_spec(task_id, task, options, "gymnasium")

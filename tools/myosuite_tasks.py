"""Writes src/envs/mujoco/myosuite/tasks.rs, the table of MyoSuite's tasks, from the registry of the installed package.

Run it by a Python that has myosuite 2.12.2 and mujoco 3.6.0. Classes that envpool_rs does not have are left out.
"""

import contextlib
import io
import os
import runpy
import tempfile
from pathlib import Path

import gymnasium
import mujoco
import numpy as np

with contextlib.redirect_stdout(io.StringIO()):
    import myosuite

ROOT = Path(__file__).parents[1]
PACKAGE = Path(myosuite.__file__).parent
MAKERS = runpy.run_path(str(ROOT / "python/envpool_rs/_spec/myosuite_models.py"))["MAKERS"]
TABLE = ROOT / "src/envs/mujoco/myosuite/tasks.rs"
CLASSES = {  # of plain ids, with the modules of the package
    "baoding_v1:BaodingEnvV1": "baoding",
    "key_turn_v0:KeyTurnEnvV0": "key_turn",
    "obj_hold_v0:ObjHoldFixedEnvV0": "hold",
    "obj_hold_v0:ObjHoldRandomEnvV0": "hold",
    "pen_v0:PenTwirlFixedEnvV0": "pen",
    "pen_v0:PenTwirlRandomEnvV0": "pen",
    "pose_v0:PoseEnvV0": "pose",
    "reach_v0:ReachEnvV0": "reach",
    "reorient_sar_v0:Geometries100EnvV0": "reorient_sar",
    "reorient_sar_v0:Geometries8EnvV0": "reorient_sar",
    "reorient_sar_v0:InDistribution": "reorient_sar",
    "reorient_sar_v0:OutofDistribution": "reorient_sar",
    "reorient_v0:ReorientEnvV0": "reorient",
    "torso_v0:TorsoEnvV0": "pose",
    "walk_v0:ReachEnvV0": "reach",
    "walk_v0:TerrainEnvV0": "walk",
    "walk_v0:WalkEnvV0": "walk",
    "myodm_v0:TrackEnv": "track",
    "relocate_v0:RelocateEnvV0": "relocate",
    "soccer_v0:SoccerEnvV0": "soccer",
    "tabletennis_v0:TableTennisEnvV0": "table_tennis",
    "bimanual_v0:BimanualEnvV1": "bimanual",
    "run_track_v0:RunTrack": "run_track",
    "chasetag_v0:ChaseTagEnvV0": "chase_tag",
}
GENERATORS = {"table_tennis": "myosuite_table_tennis"}
VARIANTS = ("myoSarc", "myoFati", "myoReaf")
HEADER = """//! Tasks of the package `myosuite` 2.12.2, which `tools/myosuite_tasks.py` writes.

#![allow(clippy::approx_constant, reason = "the package has these numbers")]

%s
use super::task::{ModelSpec, TaskSpec};
use crate::robot::Range;
use std::borrow::Cow;

const fn range(low: f64, high: f64) -> Range {
    Range { low, high }
}
"""
USES = {  # names in each module, if they are more than the one after which it is called
    "baoding": "{Baoding, Balls}",
    "chase_tag": "{ChaseTag, Opponent}",
    "pose": "{Pose, Target}",
    "relocate": "{DrawnObject, Relocate}",
    "track": "{Motion, Track}",
}


def numbers(values):
    return "[" + ", ".join(repr(float(value)) for value in values) + "]"


def ranges(values):
    return ", ".join(f"range({float(low)!r}, {float(high)!r})" for low, high in values)


def rust_bool(value):
    return str(bool(value)).lower()


def baoding(kwargs, *_):
    size, mass = kwargs.pop("obj_size_range", None), kwargs.pop("obj_mass_range", None)
    friction = kwargs.pop("obj_friction_change", None)
    assert bool(size) == bool(mass) == bool(friction)
    balls = (
        f"Balls {{ size: {ranges([size])}, mass: {ranges([mass])}, friction_change: {numbers(friction)} }}"
        if size
        else ""
    )
    radii = ranges([kwargs.pop("goal_xrange"), kwargs.pop("goal_yrange")])
    return (
        f"Baoding {{ period: {ranges([kwargs.pop('goal_time_period')])}, radii: [{radii}], drop_th: 1.25, "
        f"proximity_th: 0.015, balls: {f'Some({balls})' if balls else 'None'}, "
        f'choice: "{kwargs.pop("task_choice", "fixed")}" }}'
    )


def hold(_kwargs, _module, name):
    return f"Hold {{ is_random: {rust_bool('Random' in name)} }}"


def pen(_kwargs, _module, name):
    return f"Pen {{ is_random: {rust_bool('Random' in name)} }}"


def reorient(kwargs, *_):
    pos_th = kwargs.pop("pos_th", 0.025)
    return (
        f"Reorient {{ goal_pos: {ranges([kwargs.pop('goal_pos')])}, goal_rot: {ranges([kwargs.pop('goal_rot')])}, "
        f"size_change: {float(kwargs.pop('obj_size_change', 0))!r}, "
        f"mass: {ranges([kwargs.pop('obj_mass_range', (0.108, 0.108))])}, "
        f"friction_change: {numbers(kwargs.pop('obj_friction_change', (0, 0, 0)))}, "
        f"pos_th: {'1e9' if pos_th == np.inf else repr(pos_th)}, rot_th: 0.262, drop_th: 0.2 }}"
    )


def reorient_sar(_kwargs, _module, name):
    return f'ReorientSar {{ class: "{name}", has_colours: {rust_bool(name != "Geometries8EnvV0")} }}'


def pose(kwargs, module, _):
    is_torso = module == "torso_v0"
    weights = kwargs.pop("weighted_reward_keys", {"pose": 1.0, "bonus": 4.0, "act_reg": 1.0, "penalty": 50})
    effort = weights.pop("act_reg")
    assert weights == {"pose": 1.0, "bonus": 4.0, "penalty": 50}
    target, fixed = kwargs.pop("target_jnt_range", None), kwargs.pop("target_jnt_value", None)
    if is_torso:
        target, fixed = None, np.mean(list(target.values()), axis=1)
    else:
        assert kwargs.pop("target_type", "generate") == ("generate" if target else "fixed")
    drawn = f"Drawn(&[{ranges(target.values())}])" if target else f"Fixed(&{numbers(fixed)})"
    sites = ", ".join(f'"{site}"' for site in kwargs.pop("viz_site_targets", ()))
    body = kwargs.pop("weight_bodyname", None)
    weight = f'Some(("{body}", {ranges([kwargs.pop("weight_range")])}))' if body else "None"
    return (
        f'Pose {{ target: Target::{drawn}, reset_type: "{kwargs.pop("reset_type", "init")}", '
        f"threshold: {kwargs.pop('pose_thd', 0.25 if is_torso else 0.35)!r}, "
        f"far: {np.pi if is_torso else 4 * np.pi / 2!r}, effort_weight: {effort!r}, "
        f"sites: &[{sites}], weight: {weight} }}"
    )


def reach(kwargs, module, _):
    sites = [
        f'("{site}", [{numbers(low)}, {numbers(high)}])'
        for site, (low, high) in kwargs.pop("target_reach_range").items()
    ]
    standing = f"Some({ranges([kwargs.pop('joint_random_range')])})" if module == "walk_v0" else "None"
    return f"Reach {{ sites: &[{', '.join(sites)}], far: {kwargs.pop('far_th', 0.35)!r}, standing: {standing} }}"


def key_turn(kwargs, *_):
    return (
        f"KeyTurn {{ goal: {kwargs.pop('goal_th', 3.14)!r}, start: {ranges([kwargs.pop('key_init_range', (0, 0))])} }}"
    )


def walk(kwargs, *_):
    assert kwargs.pop("target_rot") is None
    terrain = f'Some("{kwargs.pop("terrain")}")' if "terrain" in kwargs else None
    return (
        f"Walk {{ terrain: {terrain}, "
        f"is_fixed: {str(kwargs.pop('variant', None) == 'fixed').lower()}, "
        f'reset_type: "{kwargs.pop("reset_type")}", min_height: {kwargs.pop("min_height")!r}, '
        f"max_rot: {kwargs.pop('max_rot')!r}, hip_period: {float(kwargs.pop('hip_period'))!r}, "
        f"target: {numbers([kwargs.pop('target_x_vel'), kwargs.pop('target_y_vel')])} }}"
    )


def track(kwargs, *_):
    reference = kwargs.pop("reference")
    if isinstance(reference, str):
        motion = f'File("{Path(reference).name}")'
    else:
        assert not reference["robot"].any() and not reference["robot_vel"].any()
        start, *targets = map(numbers, [reference["object_init"], *reference["object"]])
        motion = f"Fixed({start}, {targets[0]})" if len(targets) == 1 else f"Random({start}, [{', '.join(targets)}])"
    return f'Track {{ object: "{kwargs.pop("object_name")}", motion: Motion::{motion} }}'


def relocate(kwargs, *_):
    def bounds(name):
        range_ = kwargs.pop(f"{name}_range")
        return f"[{numbers(range_['low'])}, {numbers(range_['high'])}]"

    assert kwargs.pop("rot_th") == np.inf
    drawn = "None"
    if "obj_xyz_range" in kwargs:
        mass = kwargs.pop("obj_mass_range")
        drawn = (
            f"Some(DrawnObject {{ noise: {kwargs.pop('qpos_noise_range')!r}, place: {bounds('obj_xyz')}, "
            f"size: {bounds('obj_geom')}, mass: {ranges([(mass['low'], mass['high'])])}, "
            f"friction: {bounds('obj_friction')} }})"
        )
    return (
        f"Relocate {{ near: {kwargs.pop('pos_th')!r}, bin: [{bounds('target_xyz')}, {bounds('target_rxryrz')}], "
        f"object: {drawn} }}"
    )


def soccer(kwargs, *_):
    kwargs.pop("min_agent_spawn_distance")  # which the package does not use
    assert kwargs.pop("max_time_sec", 10) == 10
    keepers = numbers(kwargs.pop("goalkeeper_probabilities"))
    return f'Soccer {{ reset_type: "{kwargs.pop("reset_type")}", keepers: {keepers} }}'


def table_tennis(kwargs, *_):
    def box(key):
        bounds = kwargs.pop(key, None)
        return f"Some([{numbers(bounds['low'])}, {numbers(bounds['high'])}])" if bounds else "None"

    mass = kwargs.pop("paddle_mass_range", None)
    assert kwargs.pop("qpos_noise_range", None) is None
    return (
        f"TableTennis {{ ball: {box('ball_xyz_range')}, "
        f"is_speed_drawn: {str(kwargs.pop('ball_qvel', False)).lower()}, "
        f"paddle_mass: {f'Some({ranges([mass])})' if mass else 'None'}, friction: {box('ball_friction_range')} }}"
    )


def bimanual(kwargs, *_):
    changes = [kwargs.pop(f"obj_{name}_change") for name in ("scale", "mass", "friction")]
    assert changes == [[0.1, 0.05, 0.1], (-0.050, 0.050), (0.1, 0.001, 0.00002)]
    return "Bimanual"


def compiled(path, generator, name):
    """Returns a model, in whose text `name`, if any, replaces OBJECT_NAME, or that `generator`, if any, changes."""
    if name:
        text = Path(path).read_text().replace("OBJECT_NAME", name)
        with tempfile.NamedTemporaryFile("w", dir=Path(path).parent, suffix=".xml") as file:
            file.write(text)
            file.flush()
            return mujoco.MjModel.from_xml_path(file.name)
    if generator:
        return mujoco.MjModel.from_binary_path("model.mjb", {"model.mjb": MAKERS[generator](path)})
    return mujoco.MjModel.from_xml_path(path)


def run_track(kwargs, *_):
    assert kwargs.pop("reset_type") == "random"
    assert Path(kwargs.pop("init_pose_path")).exists()  # read by another type of reset only
    difficulties = [f"&{numbers(kwargs.pop(f'{kind}_difficulties'))}" for kind in ("stairs", "hills", "rough")]
    return (
        f'RunTrack {{ terrain: "{kwargs.pop("terrain")}", difficulties: [{", ".join(difficulties)}], '
        f"start: {float(kwargs.pop('start_pos'))!r}, end: {float(kwargs.pop('end_pos'))!r}, "
        f"steps: {float(kwargs.pop('max_episode_steps'))!r} }}"
    )


def chase_tag(kwargs, *_):
    assert kwargs.pop("repeller_opponent", False) == (len(kwargs["opponent_probabilities"]) == 4)

    def pair(name, default=(1.0, 1.0)):
        return ranges([kwargs.pop(f"{name}_range", default)])

    heights = ", ".join(pair(name) for name in ("hills", "rough", "relief"))
    terrain = {"FLAT": "None", "random": f"Some([{heights}])"}[kwargs.pop("terrain")]
    velocities = [
        f"{name}: {pair(f'{old}_vel')}"
        for name, old in (("chase", "chase"), ("random", "random"), ("repelled", "repeller"))
    ]
    return (
        f'ChaseTag {{ reset_type: "{kwargs.pop("reset_type")}", choice: "{kwargs.pop("task_choice")}", '
        f"terrain: {terrain}, win: {kwargs.pop('win_distance')!r}, "
        f"opponent: Opponent {{ probabilities: Cow::Borrowed(&{numbers(kwargs.pop('opponent_probabilities'))}), "
        f"spawn: {float(kwargs.pop('min_spawn_distance'))!r}, {', '.join(velocities)} }} }}"
    )


def main():
    models, tasks = {}, []
    for spec in gymnasium.registry.values():
        module, _, name = str(spec.entry_point).rpartition(".")[2].partition(":")
        kind = CLASSES.get(f"{module}:{name}") if str(spec.entry_point).startswith("myosuite.") else None
        if kind is None or spec.id.startswith(VARIANTS):
            continue
        kwargs = dict(spec.kwargs)
        path = kwargs.pop("model_path")
        if kind == "track":  # whose paths follow that of their module
            path = str(PACKAGE / "envs/myo/myodm") + path
        edit = kwargs.pop("edit_fn", None)
        assert kwargs.pop("normalize_act", True)
        file = os.path.relpath(os.path.realpath(path), PACKAGE)
        generator = "myosuite_arm" if edit else GENERATORS.get(kind)
        model = compiled(path, generator, kwargs.get("object_name"))
        sizes = ", ".join(f"{size}: {getattr(model, size)}" for size in ("nq", "nv", "nu", "na"))
        given = f'Some("{generator}")' if generator else "None"
        line = f'ModelSpec {{ file: "{file}", generator: {given}, timestep: {model.opt.timestep!r}, {sizes} }}'
        number = models.setdefault(line, len(models))
        skip = kwargs.pop("frame_skip", 10)
        built = globals()[kind](kwargs, module, name)
        assert not kwargs, kwargs
        tasks.append(
            f'TaskSpec {{ id: "{spec.id}", model: &MODELS[{number}], steps: {spec.max_episode_steps}, '
            f"frame_skip: {skip}, class: &{built} }}"
        )
    uses = [
        f"use super::{kind}::{USES.get(kind, kind.title().replace('_', ''))};" for kind in sorted(set(CLASSES.values()))
    ]
    blocks = [HEADER.replace("%s", "\n".join(uses))]
    for name, kind, lines in (("MODELS", "ModelSpec", list(models)), ("TASKS", "TaskSpec", tasks)):
        rows = "".join(f"    {line},\n" for line in lines)
        blocks.append(f"\n#[rustfmt::skip]\npub static {name}: [{kind}; {len(lines)}] = [\n{rows}];\n")
    TABLE.write_text("".join(blocks))


if __name__ == "__main__":
    main()

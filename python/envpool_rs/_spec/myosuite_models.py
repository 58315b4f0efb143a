"""What the package myosuite makes of its files: models that it changes before it compiles them, and motions."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np


def _change_for_reaching(mujoco: Any, spec: Any) -> None:
    """Makes the fingers of an arm stiff: they become bodies with meshes only (``edit_fn_arm_reaching``)."""
    mesh = mujoco.mjtGeom.mjGEOM_MESH
    tip = spec.site("IFtip")
    site = {"name": "IFtip", "size": 2 * tip.size, "pos": tip.pos.copy(), "rgba": tip.rgba.copy()}
    for root in ("firstmc", "secondmc", "thirdmc", "fourthmc", "fifthmc"):
        parent, body = spec.body(root), spec.body(root).first_body()
        bones = []
        while body is not None:
            bones.append((body.name, body.pos.copy(), [geom.name for geom in body.geoms if geom.type == mesh]))
            body = body.first_body()
        spec.delete(parent.first_body())
        for name, position, meshes in bones:
            parent = parent.add_body(name=name, pos=position)
            for each in meshes:
                parent.add_geom(name=name, meshname=each, type=mesh)
            if name == "distph2":
                parent.add_site(**site)
    target = {"name": "IFtip_target", "size": [0.02] * 3, "pos": [-0.2, -0.2, 1.2], "rgba": [0, 0, 1, 0.3]}
    spec.worldbody.add_site(type=mujoco.mjtGeom.mjGEOM_SPHERE, **target)


def _change_for_table_tennis(mujoco: Any, spec: Any) -> None:
    """Makes the legs stiff, lets only the forearm collide, and adds a stiff left arm (``_preprocess_spec``)."""
    for sensor in list(spec.sensors):
        if "pingpong" not in sensor.name and "paddle" not in sensor.name:
            spec.delete(sensor)
    jointed = spec.compile()
    stiff = _stiffen(mujoco, spec, [spec.body("femur_l"), spec.body("femur_r")], with_equalities=True)
    places = {int(jointed.joint(name).qposadr[0]) for name in stiff}
    for key in spec.keys:
        key.qpos = [value for place, value in enumerate(key.qpos) if place not in places]
    _stop_contacts(spec.body("full_body"), end="radius")

    arm = spec.copy()
    parts = ["keys", "textures", "materials", "tendons", "actuators", "equalities", "sensors", "cameras"]
    for each in [each for part in parts for each in getattr(arm, part)]:
        arm.delete(each)
    _stiffen(mujoco, arm, [arm.worldbody], with_equalities=False)
    _stop_contacts(arm.worldbody)
    meshes: set[str] = set()
    _mirror(mujoco, arm, arm.body("clavicle"), meshes)
    for each in arm.meshes:
        if each.name in meshes:
            each.name += "_mirrored"
            each.scale[1] *= -1
        else:
            arm.delete(each)
    frame = spec.body("torso").add_frame(quat=[0.5, 0.5, -0.5, 0.5], pos=[0.05, 0.373, -0.04])
    frame.attach_body(arm.body("clavicle_mirrored"))
    spec.body("ulna_mirrored").quat = [0.546, 0, 0, -0.838]
    spec.body("humerus_mirrored").quat = [0.924, 0.383, 0, 0]


def _tree(body: Any) -> list[Any]:
    return [body, *(each for child in body.bodies for each in _tree(child))]


def _stiffen(mujoco: Any, spec: Any, roots: list[Any], *, with_equalities: bool) -> list[str]:
    """Deletes sites, joints and, ``with_equalities``, the joints' constraints; returns the joints' names."""
    names = []
    for body in [body for root in roots for body in _tree(root)]:
        for site in list(body.sites):
            spec.delete(site)
        for joint in list(body.joints):
            names.append(joint.name)
            for equality in list(spec.equalities) if with_equalities else []:
                is_of_joints = equality.type == mujoco.mjtEq.mjEQ_JOINT
                if is_of_joints and joint.name in (equality.name1, equality.name2):
                    spec.delete(equality)
            spec.delete(joint)
    return names


def _stop_contacts(body: Any, end: str | None = None) -> None:
    """Stops the contacts of a body and of those in it, but of those with ``end`` in their names."""
    if end is not None and end in body.name:
        return
    for geom in body.geoms:
        geom.contype = geom.conaffinity = 0
    for child in body.bodies:
        _stop_contacts(child, end)


def _mirror(mujoco: Any, spec: Any, body: Any, meshes: set[str]) -> None:
    """Mirrors a body and those in it, which keep meshes only, and adds the names of their meshes to ``meshes``."""
    body.pos[1] *= -1
    body.quat[[1, 3]] *= -1
    body.name += "_mirrored"
    for geom in list(body.geoms):
        if geom.type != mujoco.mjtGeom.mjGEOM_MESH:
            spec.delete(geom)
            continue
        geom.pos[1] *= -1
        geom.quat[[1, 3]] *= -1
        geom.name += "_mirrored"
        geom.group = 1
        meshes.add(geom.meshname)
        geom.meshname += "_mirrored"
    for child in list(body.bodies):
        if "ping_pong" in child.name:
            spec.delete(child)
        else:
            _mirror(mujoco, spec, child, meshes)


def _compiled(change: Callable[[Any, Any], None], path: str) -> bytes:
    """Returns the model in the file ``path`` after ``change``, in MuJoCo's format MJB."""
    mujoco = import_module("mujoco")
    spec = mujoco.MjSpec.from_file(path)
    change(mujoco, spec)
    model = spec.compile()
    saved = np.zeros(mujoco.mj_sizeModel(model), np.uint8)
    mujoco.mj_saveModel(model, None, saved)
    return saved.tobytes()


def _reference(path: str, *, is_motion: bool) -> bytes:
    """Returns a reference of MyoDM as float64: numbers of frames and joints, times of a motion or
    velocities of a target, poses, and the poses at the start.

    Raises ValueError where the package refuses a reference or has another result than its values as float64 have.
    """
    if not path.endswith(".npz"):
        raise ValueError("the file's name does not end with .npz")
    with np.load(path) as arrays:
        if is_motion and "robot_vel" in arrays:
            raise ValueError("it has the array robot_vel")
        first = "time" if is_motion else "robot_vel"
        if first not in arrays:
            raise ValueError(f"it has no array {first}")
        named = {key: arrays[key] for key in (first, "robot", "object")}
        for key in ("robot", "object"):
            start = f"{key}_init"
            named[start] = arrays[start] if start in arrays else named[key][0]
    frames, joints = named["robot"].shape[0], named["robot"].shape[-1]
    shapes: dict[str, list[tuple[int, ...]]] = {
        "time": [(frames,)],
        "robot_vel": [(frames, joints)],
        "robot": [(frames, joints)],
        "object": [(frames, 7)],
        "robot_init": [(joints,)],
        "object_init": [(7,), (6,)],
    }
    for key, array in named.items():
        types = ["float64"] if key == "time" else ["float64", "float32", "float16"]
        if str(array.dtype) not in types:
            raise ValueError(f"{key} is {array.dtype}: expected {' or '.join(types)}")
        if array.shape not in shapes[key]:
            raise ValueError(f"{key} has shape {array.shape}: expected {' or '.join(map(str, shapes[key]))}")
    return np.concatenate([[frames, joints], *map(np.ravel, named.values())]).astype("<f8").tobytes()


#: Functions of a file's path that return the bytes, by the name of what they make.
MAKERS: dict[str, Callable[[str], bytes]] = {
    "myosuite_arm": partial(_compiled, _change_for_reaching),
    "myosuite_table_tennis": partial(_compiled, _change_for_table_tennis),
    "myosuite_motion": partial(_reference, is_motion=True),
    "myosuite_target": partial(_reference, is_motion=False),
}

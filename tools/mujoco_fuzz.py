"""Fuzz of MuJoCo models: steps random MJCF by `envpool_rs.Batch` and by `mujoco.mj_step`, and compares every bit.

    python tools/mujoco_fuzz.py --models 3000 --seed 0 --jobs 2
    python tools/mujoco_fuzz.py --models 1 --first 1234 --seed 0    # one model again

`mujoco_fuzz_models.py` draws the models. Model `i` of a seed is always the same one, and so are its states.

A *silent difference* is a difference in any bit while `Batch.physics` is `"native"`. For each one, the program writes
`model.xml`, `minimal.xml` (without the elements and attributes that the difference does not need) and `report.json`
(the step, the state before it, both results) to a folder in `--out`. The exit status is 1 if there was any, or if a
process died.

`nox -s mujoco_fuzz` installs a version of mujoco, and runs this program.
"""

import argparse
import asyncio
import collections
import contextlib
import json
import os
import re
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import mujoco
import numpy as np
from mujoco_fuzz_models import Draw, make_model

#: Seconds after which a worker process that has not finished a model is ended.
PATIENCE = 600
STATE = int(mujoco.mjtState.mjSTATE_INTEGRATION)
#: Value of `mjData.warning[...].lastinfo` that no warning has.
UNSET = -(2**31)
FREE, BALL, SLIDE = (int(getattr(mujoco.mjtJoint, f"mjJNT_{name}")) for name in ("FREE", "BALL", "SLIDE"))
PLANE, HFIELD = int(mujoco.mjtGeom.mjGEOM_PLANE), int(mujoco.mjtGeom.mjGEOM_HFIELD)

# --- states -----------------------------------------------------------------------------------------------------------


class States:
    """Random states and controls of a model."""

    def __init__(self, model, draw):
        self.model = model
        self.draw = draw
        self.random = np.random.default_rng(draw.getrandbits(64))
        self.data = mujoco.MjData(model)
        with contextlib.suppress(mujoco.FatalError):
            mujoco.mj_forward(model, self.data)
        self.row = np.empty(mujoco.mj_stateSize(model, STATE))
        self.limits = np.where(model.actuator_ctrllimited[:, None], model.actuator_ctrlrange, [[-1.0, 1.0]])

    def state(self):
        """Returns a random state vector."""
        model, data, draw, random = self.model, self.data, self.draw, self.random
        mujoco.mj_resetData(model, data)
        if model.nkey and draw.chance(0.5):
            mujoco.mj_resetDataKeyframe(model, data, draw.randrange(model.nkey))
        if draw.chance(0.85):
            self.positions(draw.choice([0, 0.01, 0.1, 0.1, 0.5]))
            data.qvel[:] = random.normal(size=model.nv) * draw.choice([0, 0.01, 1, 1, 5, 30])
        if draw.chance(0.4):
            self.bring_close()
        if model.na:
            data.act[:] = random.normal(size=model.na) * draw.choice([0, 0.3, 1, 3])
        if model.nmocap:
            data.mocap_pos[:] += random.normal(size=data.mocap_pos.shape) * draw.choice([0, 0.05, 0.5])
            data.mocap_quat[:] += random.normal(size=data.mocap_quat.shape) * draw.choice([0, 0.3])
        if draw.chance(0.15):
            data.qacc_warmstart[:] = random.normal(size=model.nv) * 10
        if draw.chance(0.1):
            data.time = draw.uniform(0, 10)
        if draw.chance(0.06):
            self.unusual()
        mujoco.mj_getState(model, data, self.row, STATE)
        return self.row.copy()

    def positions(self, noise):
        """Moves joints by about `noise`, to their limits, or anywhere."""
        model, data, draw, random = self.model, self.data, self.draw, self.random
        for joint in range(model.njnt):
            kind, at = model.jnt_type[joint], model.jnt_qposadr[joint]
            if kind == FREE:
                data.qpos[at : at + 3] += random.normal(size=3) * noise
                data.qpos[at + 3 : at + 7] += random.normal(size=4) * draw.choice([0, noise, 1])
            elif kind == BALL:
                data.qpos[at : at + 4] += random.normal(size=4) * noise
            else:
                data.qpos[at] += random.normal() * noise
                low, high = model.jnt_range[joint]
                if model.jnt_limited[joint] and draw.chance(0.4):
                    margin = draw.choice([0, model.jnt_margin[joint]])
                    offset = draw.choice([0, 1e-9, 1e-4, 0.1, -1e-9, -1e-4])
                    data.qpos[at] = draw.choice([low + margin - offset, high - margin + offset])
                elif draw.chance(0.15):
                    data.qpos[at] = random.uniform(*((low, high) if model.jnt_limited[joint] else (-4, 4)))
        if draw.chance(0.9):
            mujoco.mj_normalizeQuat(model, data.qpos)

    def bring_close(self):
        """Moves a free or sliding body so that the distance of one of its geoms to another is close to their margin, or
        negative.
        """
        model, data, draw = self.model, self.data, self.draw
        movable = []
        for joint in range(model.njnt):
            kind = model.jnt_type[joint]
            if kind in (FREE, SLIDE):
                movable.append((joint, kind == FREE))
        if not movable or model.ngeom < 2:
            return
        mujoco.mj_kinematics(model, data)
        joint, is_free = draw.choice(movable)
        body, geoms = model.jnt_bodyid[joint], []
        for geom in range(model.ngeom):
            above = model.geom_bodyid[geom]
            while above > body:
                above = model.body_parentid[above]
            geoms.append(above == body)
        own, others = np.flatnonzero(geoms), np.flatnonzero(~np.array(geoms))
        if not len(own) or not len(others):
            return
        one, other = int(draw.choice(own)), int(draw.choice(others))
        if model.geom_type[one] in (PLANE, HFIELD) or model.geom_type[other] == HFIELD:
            return
        ends = np.zeros(6)
        distance = mujoco.mj_geomDistance(model, data, other, one, 10.0, ends)
        way = ends[3:] - ends[:3]
        if not 1e-12 < np.linalg.norm(way) < 10:
            return
        way *= np.sign(distance) / np.linalg.norm(way)
        margins = model.geom_margin[[one, other]]
        offset = draw.choice([0, 1e-10, 1e-7, 1e-7, 1e-7, 3e-7, 1e-6, 1e-4, 0.01, 0.05, -1e-7, -1e-3])
        target = draw.choice([0, margins.max(), margins.sum()]) - offset
        at = model.jnt_qposadr[joint]
        if is_free:
            data.qpos[at : at + 3] += way * (target - distance)
        else:
            axis = data.xaxis[joint]
            if abs(along := axis @ way) > 0.2:
                data.qpos[at] += (target - distance) / along
        if draw.chance(0.6):
            data.qvel[:] = 0
            dof = model.jnt_dofadr[joint]
            data.qvel[dof : dof + (3 if is_free else 1)] = (-way if is_free else 1) * draw.choice([0, 1, 0.01])

    def unusual(self):
        """Sets parts of the state that few programs set, or to invalid numbers."""
        data, draw, random = self.data, self.draw, self.random
        kinds = ["qfrc_applied", "xfrc_applied", "eq_active", "qpos", "qvel", "qacc_warmstart", "mocap_pos", "act"]
        array = getattr(data, draw.choice(kinds)).reshape(-1)
        if not array.size:
            return
        place = random.integers(array.size)
        if array.dtype.kind != "f":
            array[place] = not array[place]
        else:
            array[place] = draw.choice([0.5, -3, 1e9, 2e10, np.inf, -np.inf, np.nan])

    def controls(self):
        """Returns random controls, over their range, beyond, or invalid."""
        model, draw, random = self.model, self.draw, self.random
        low, high = self.limits.T
        reach = draw.choice([0, 1, 1, 1, 1.5, 10])
        controls = (low + high) / 2 + random.uniform(-1, 1, model.nu) * reach * (high - low) / 2
        if draw.chance(0.2):
            controls = np.where(random.uniform(size=model.nu) < 0.5, low, high)
        if model.nu and draw.chance(0.02):
            controls[random.integers(model.nu)] = draw.choice([1e11, -2e10, np.nan, np.inf, 1e10])
        return controls


# --- comparison -------------------------------------------------------------------------------------------------------

#: Fields that are bound in some batches: some that the native stepper computes, some that it leaves to the library.
BOUND = [
    ("xpos", "qfrc_constraint"),
    ("cvel", "qfrc_actuator", "site_xpos"),
    ("sensordata",),
    ("xquat", "qacc"),
    ("ten_length",),
]


class Outcome:
    """Result of a comparison: counted steps, MuJoCo's error if it raised one, and the first difference (a dict)."""

    def __init__(self):
        self.steps = 0
        self.error = None
        self.difference = None


def compare(model, batch, draw, calls=30, models=None):
    """Steps a batch and `mj_step` from the same random states, and compares the results after each call.

    Args:
        model: `MjModel` that `mj_step` uses.
        batch: the stepper under test, with the methods and attributes of `envpool_rs.Batch`.
        draw: random generator of states, controls and calls.
        calls: number of calls of `batch.step` or `batch.rollout`.
        models: for each simulation, the model that `mj_step` uses; default: `model`.
    """
    states, outcome = States(model, draw), Outcome()
    models = models or [model] * batch.nsim
    bound = draw.choice(BOUND) if draw.chance(0.25) else ()
    arrays = {name: batch.bind(name) for name in bound if batch.physics == "native"}
    data = mujoco.MjData(model)
    expected = np.empty_like(batch.state)
    control = state_slice(model, mujoco.mjtState.mjSTATE_CTRL)
    for call in range(calls):
        for sim in range(batch.nsim):
            if call == 0 or draw.chance(0.2):
                batch.state[sim] = states.state()
            batch.state[sim, control] = states.controls()
        count = draw.choices([1, 2, 3, 5, 20], [70, 10, 8, 8, 4])[0]
        ids = (
            range(batch.nsim)
            if draw.chance(0.8)
            else sorted(draw.sample(range(batch.nsim), draw.randint(1, batch.nsim)))
        )
        before, warnings = batch.state.copy(), batch.warning.copy()
        controls = [[states.controls() for _ in range(count)] for _ in ids] if draw.chance(0.2) else None
        try:
            if controls is None:
                batch.step(list(ids), count)
            else:
                records = batch.rollout(count, np.array(controls), record=[STATE], ids=list(ids))[STATE]
        except RuntimeError as error:
            outcome.error = str(error)
            return outcome
        for entry, sim in enumerate(ids):
            for kind, (last, number) in enumerate(warnings[sim].reshape(-1, 2)):
                data.warning[kind].lastinfo, data.warning[kind].number = int(last), int(number)
            mujoco.mj_setState(model, data, before[sim], STATE)
            outcome.steps += count
            differing = []
            if controls is None:
                for _ in range(count):
                    mujoco.mj_step(models[sim], data)
            elif not same(records[entry], roll_out(models[sim], data, controls[entry])):
                differing.append("rollout")
            mujoco.mj_getState(model, data, expected[sim], STATE)
            counts = np.array([(each.lastinfo, each.number) for each in data.warning])
            differing += [] if same(batch.state[sim], expected[sim]) else parts(model, batch.state[sim], expected[sim])
            differing += [] if (counts == batch.warning[sim].reshape(-1, 2)).all() else ["warning"]
            differing += [name for name, rows in arrays.items() if not same(rows[sim], getattr(data, name))]
            if differing:
                outcome.difference = {
                    "fields": differing,
                    "invalid": parts(model, before[sim], np.where(np.abs(before[sim]) < 1e10, before[sim], 0)),
                    "call": call,
                    "steps": count,
                    "simulation": int(sim),
                    "simulations": batch.nsim,
                    "bound": list(bound),
                    "controls": None if controls is None else np.array(controls[entry]).tolist(),
                    "before": before[sim].tolist(),
                    "batch": batch.state[sim].tolist(),
                    "mujoco": expected[sim].tolist(),
                    "largest": float(np.nanmax(np.abs(batch.state[sim] - expected[sim]), initial=0)),
                    "warnings": counts[:, 1].tolist(),
                }
                return outcome
    return outcome


def roll_out(model, data, controls):
    """Returns the states after each step of a rollout, which ends after a step that warns, as in `mujoco.batch`."""
    states = np.empty((len(controls), mujoco.mj_stateSize(model, STATE)))
    before = [(each.lastinfo, each.number) for each in data.warning]
    # A step that resets the simulation sets all counters to 0, and then counts its warning.
    for each in data.warning:
        each.lastinfo, each.number = UNSET, 0
    for step, control in enumerate(controls):
        if any(each.number for each in data.warning):
            states[step:] = states[step - 1]
            break
        data.ctrl[:] = control
        mujoco.mj_step(model, data)
        mujoco.mj_getState(model, data, states[step], STATE)
    is_reset = any(each.lastinfo != UNSET and not each.number for each in data.warning)
    for each, (last, number) in zip(data.warning, before, strict=True):
        if not is_reset:
            each.lastinfo, each.number = each.lastinfo if each.number else last, each.number + number
        elif not each.number:
            each.lastinfo = 0
    return states


#: Fields of the model that often differ between simulations.
EXPANDED = [
    "body_mass",
    "body_inertia",
    "body_pos",
    "body_ipos",
    "geom_friction",
    "geom_pos",
    "geom_size",
    "dof_damping",
]
EXPANDED += ["dof_armature", "dof_frictionloss", "actuator_gainprm", "actuator_biasprm", "jnt_range", "opt.gravity"]


def own_models(batch, draw):
    """Gives simulations of some batches own values of model fields. Returns their models; `None` if all are equal."""
    if batch.physics != "native" or not draw.chance(0.15):
        return None
    from envpool_rs.batch import MODEL_FIELDS

    prefixes = ("body_", "dof_", "geom_", "jnt_", "actuator_", "tendon_")
    fields = sorted(name for name in MODEL_FIELDS if name.startswith(prefixes))
    for name in draw.sample(EXPANDED if draw.chance(0.8) else fields, draw.randint(1, 2)):
        values = batch.expand(name)
        if values.dtype == np.float64:
            random = np.random.default_rng(draw.getrandbits(64))
            values *= random.uniform(*draw.choice([(0.5, 2), (0.99, 1.01), (1, 1)]), values.shape)
    return [batch.get_model(sim) for sim in range(batch.nsim)]


def same(one, other):
    """Returns whether two arrays have the same bits."""
    one, other = np.asarray(one), np.asarray(other)
    return one.tobytes() == other.tobytes()


def state_slice(model, part):
    """Returns the place of a part of the state in a state vector."""
    start = mujoco.mj_stateSize(model, STATE & (int(part) - 1))
    return slice(start, start + mujoco.mj_stateSize(model, int(part)))


def parts(model, one, other):
    """Returns the names of the parts of the state that differ."""
    names = []
    for name, part in mujoco.mjtState.__members__.items():
        value = int(part)
        if value & STATE and value & (value - 1) == 0 and name != "mjNSTATE":
            place = state_slice(model, value)
            if not same(one[place], other[place]):
                names.append(name.removeprefix("mjSTATE_").lower())
    return names


def run_model(model, draw, begin=None):
    """Compares a batch of a model with `mj_step`, and returns the result as a dict.

    Calls `begin` with the first part of the result before the steps, because MuJoCo ends the process at some models.
    """
    from envpool_rs import Batch

    try:
        batch = Batch(model, draw.choice([16, 16, 16, 9, 13, 5, 3, 1]), draw.choice([1, 1, 1, 2]))
    except ValueError as error:
        return {"physics": "refused", "why": [str(error)]}
    result = {"physics": batch.physics, "why": batch.why}
    if begin:
        begin(result)
    models = own_models(batch, draw)
    outcome = compare(model, batch, draw, 30 if batch.physics == "native" else 2, models)
    if models is not None and outcome.difference:
        outcome.difference["fields"].append("own models")
    left = batch.left_to_library
    return result | {"steps": outcome.steps, "left": left, "error": outcome.error, "difference": outcome.difference}


# --- minimal models ---------------------------------------------------------------------------------------------------


def differs(xml, seed, tries=3):
    """Returns whether a model has a silent difference from any of a few series of random states."""
    from envpool_rs import Batch

    with contextlib.suppress(ValueError, mujoco.FatalError):
        model = mujoco.MjModel.from_xml_string(xml)
        for number in range(tries):
            batch = Batch(model, 16, 1)
            if batch.physics != "native":
                return False
            if compare(model, batch, Draw(f"{seed}/minimal/{number}")).difference:
                return True
    return False


def minimise(xml, is_needed, budget=300):
    """Deletes elements and attributes of a model while `is_needed(xml)` is true; tries up to `budget` models."""
    root = ET.fromstring(xml)
    if not is_needed(xml):
        return xml

    def is_kept(restore):
        """Restores a change without which the model is needed no more. Returns whether it remains."""
        nonlocal budget
        budget -= 1
        if is_needed(ET.tostring(root, encoding="unicode")):
            return True
        restore()
        return False

    is_changed = True
    while is_changed and budget > 0:
        is_changed = False
        for parent, each in [(above, below) for above in root.iter() for below in above]:
            if budget > 0 and each in list(parent):
                place = list(parent).index(each)
                parent.remove(each)
                is_changed |= is_kept(lambda parent=parent, place=place, each=each: parent.insert(place, each))
        for each in list(root.iter()):
            for name in [name for name in each.attrib if name not in ("name", "type") and budget > 0]:
                value = each.attrib.pop(name)
                is_changed |= is_kept(lambda each=each, name=name, value=value: each.set(name, value))
    ET.indent(root)
    return ET.tostring(root, encoding="unicode")


# --- processes --------------------------------------------------------------------------------------------------------


#: Result of a model that MuJoCo refuses.
EMPTY = {"physics": "invalid", "why": [], "error": None, "difference": None, "steps": 0, "left": 0}


def work(options):
    """Compares the models of a worker process, and prints a line of JSON for each."""
    # MuJoCo prints warnings to the standard output, and writes them to a file in the working directory.
    report = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def send(found):
        print(json.dumps(found), file=report, flush=True)

    def run(found, model):
        """Returns the whole result of a model, of which `found` is a part."""
        draw = Draw(f"{options.seed}/{found['number']}/states")
        try:
            return found | run_model(model, draw, lambda part: send(found | part))
        except Exception as error:
            return found | {"physics": "error", "why": [repr(error)]}

    with tempfile.TemporaryDirectory() as folder:
        out = Path(options.out).absolute()
        os.chdir(folder)
        for number in range(options.first, options.first + options.models, options.jobs):
            found = {"number": number, **EMPTY}
            xml, model = make_model(options.seed, number)
            if xml is not None:
                found = run(found, model)
            if found["difference"] and found["physics"] == "native":
                save(out / f"mujoco-{mujoco.__version__}-seed{options.seed}-model{number}", options, number, xml, found)
            if found["difference"]:
                found["difference"] = {
                    name: found["difference"][name] for name in ("fields", "invalid", "largest", "steps")
                }
            send(found | {"is_complete": True})
        os.chdir(out.parent)


def save(folder, options, number, xml, found):
    folder.mkdir(parents=True, exist_ok=True)
    folder.joinpath("model.xml").write_text(xml, encoding="utf-8")
    again = f"python tools/mujoco_fuzz.py --models 1 --first {number} --seed {options.seed}"
    report = {"mujoco": mujoco.__version__, "again": again} | found
    folder.joinpath("report.json").write_text(json.dumps(report, indent=1), encoding="utf-8")
    if options.minimise:
        minimal = minimise(xml, lambda each: differs(each, f"{options.seed}/{number}"), options.minimise)
        folder.joinpath("minimal.xml").write_text(minimal, encoding="utf-8")


async def follow(options, first, results):
    """Runs worker processes over every `jobs`-th model from `first`; starts another one after a process that died."""
    last = options.first + options.models
    while first < last:
        values = {**vars(options), "first": first, "models": last - first}
        names = ("first", "models", "seed", "jobs", "out", "minimise")
        command = [sys.executable, __file__, "--worker", *(f"--{name}={values[name]}" for name in names)]
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe, limit=2**24)
        errors = asyncio.ensure_future(process.stderr.read())
        started = EMPTY
        try:
            while line := await asyncio.wait_for(process.stdout.readline(), PATIENCE):
                started = json.loads(line)
                if started.pop("is_complete", False):
                    first = started["number"] + options.jobs
                    results.add(started)
                    started = EMPTY
        except asyncio.TimeoutError:
            process.kill()
        status = await process.wait()
        if first < last:
            end = f"exit status {status}: {(await errors).decode(errors='replace')[-600:]}"
            kind = "ended by MuJoCo" if started["physics"] == "library" else "died"
            results.add({**EMPTY, "number": first, "physics": kind, "why": [end]})
            first += options.jobs


#: Matches a refusal by the comparison when a model is loaded.
BY_COMPARISON = re.compile(r"steps differ from the library's|steps were left to it")


class Results:
    """Counts of the results of all models."""

    def __init__(self, total, out):
        self.total = total
        self.out = out
        self.found = []

    def add(self, found):
        self.found.append(found)
        if found["difference"] and found["physics"] == "native":
            difference = found["difference"]
            invalid = f", from invalid {', '.join(difference['invalid'])}" if difference["invalid"] else ""
            print(
                f"model {found['number']}: silent difference in {', '.join(difference['fields'])}{invalid}", flush=True
            )
        elif found["physics"] in ("died", "ended by MuJoCo", "error") or found["difference"]:
            print(
                f"model {found['number']}: {found['physics']}: {found['why']} {found['difference'] or ''}", flush=True
            )
        if len(self.found) % 200 == 0:
            print(f"{len(self.found)} of {self.total} models", flush=True)

    def with_physics(self, name):
        return [found for found in self.found if found["physics"] == name]

    def silent(self):
        return [found for found in self.with_physics("native") if found["difference"]]

    def only_compared(self):
        """Returns the models that nothing except the comparison when a model is loaded refuses."""
        library = self.with_physics("library")
        return [found for found in library if all(BY_COMPARISON.search(reason) for reason in found["why"])]

    def print_summary(self, lists_compared):
        native, library = self.with_physics("native"), self.with_physics("library")
        steps = sum(found["steps"] for found in native)
        left = sum(found["left"] for found in native)
        reasons = collections.Counter()
        for found in library:
            reasons.update({re.sub(r"\d+", "N", reason) for reason in found["why"]})
        refused = len(self.with_physics("invalid"))
        print(f"mujoco {mujoco.__version__}: {len(self.found)} models, of which MuJoCo refuses {refused}")
        print(f"native: {len(native)} models, {steps:,} steps of simulations, {left:,} of them by the library")
        print(f"library: {len(library)} models, for these reasons:")
        for reason, count in reasons.most_common():
            print(f"  {count:5} {reason}")
        only = self.only_compared()
        print(
            f"refused by the comparison alone: {len(only)} of {len(only) + len(native)} models that all checks accept"
        )
        if lists_compared:
            for found in only:
                print(f"  model {found['number']}: {found['why'][0]}")
        print(f"differences while the library steps: {sum(bool(found['difference']) for found in library)}")
        print(f"models that Batch refuses: {len(self.with_physics('refused'))}")
        print(f"models at which MuJoCo raises an error: {sum(bool(found['error']) for found in self.found)}")
        print(f"processes that MuJoCo ended: {len(self.with_physics('ended by MuJoCo'))}")
        print(f"processes that died: {len(self.with_physics('died'))}; errors: {len(self.with_physics('error'))}")
        silent = self.silent()
        print(f"silent differences: {len(silent)}{f', in {self.out}' if silent else ''}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--models", type=int, default=3000, help="number of models")
    parser.add_argument("--first", type=int, default=0, help="number of the first model")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2, help="number of processes")
    parser.add_argument("--out", default="target/mujoco-fuzz", help="folder of the silent differences")
    parser.add_argument("--minimise", type=int, default=200, help="models to try for each minimal model; 0 for none")
    parser.add_argument(
        "--compared", action="store_true", help="list the models that only the comparison at loading refuses"
    )
    parser.add_argument("--show", action="store_true", help="print the XML of the first model, and end")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work(options)
        return 0
    if options.show:
        print(make_model(options.seed, options.first)[0])
        return 0
    results = Results(options.models, options.out)

    async def run():
        await asyncio.gather(
            *(follow(options, options.first + job, results) for job in range(min(options.jobs, options.models)))
        )

    start = time.perf_counter()
    asyncio.run(run())
    results.print_summary(options.compared)
    print(f"{time.perf_counter() - start:.0f} s")
    return 1 if results.silent() or results.with_physics("died") else 0


if __name__ == "__main__":
    sys.exit(main())

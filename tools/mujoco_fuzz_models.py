"""Random MJCF for the fuzz of MuJoCo models: trees of bodies or gymnasium's robots, options, and rare parts.

`make_model(seed, number)` returns a model, always the same one. Half of the models have only parts that the native
stepper supports; the others have up to six of `SPICES`, one of which sets a random attribute of MuJoCo's own schema
(`mj_printSchema`) to a random value.
"""

import contextlib
import random
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import mujoco
import numpy as np

#: Attempts to draw a model that MuJoCo accepts.
ATTEMPTS = 12

# --- values -----------------------------------------------------------------------------------------------------------


class Draw(random.Random):
    """Random generator that returns values of MJCF attributes as text."""

    def chance(self, share):
        return self.random() < share

    def log(self, low, high):
        """Returns a number between `low` and `high`, whose logarithm is uniformly distributed."""
        return float(np.exp(self.uniform(np.log(low), np.log(high))))

    def numbers(self, low, high, count=1):
        return text(*(self.uniform(low, high) for _ in range(count)))

    def unit(self, size=3):
        """Returns a unit vector, which is often parallel to an axis."""
        if size == 3 and self.chance(0.6):
            return self.choice(["1 0 0", "0 1 0", "0 0 1", "0 -1 0"])
        return text(*(self.gauss(0, 1) for _ in range(size)))


def text(*numbers):
    """Returns numbers in MJCF's form, with up to six digits."""
    return " ".join(f"{number:.6g}" for number in numbers)


SOLREF = ["0.02 1", "0.005 1", "0.02 0.4", "0.1 2", "0.001 1", "0.05 0.9", "-1000 -50", "-300 0"]
SOLIMP = [
    "0.9 0.95 0.001",
    "0 0.95 0.01",
    "0.5 0.5 0.001",
    "0.9 0.999 0.01 0.5 1",
    "0.8 0.9 0.05 0.3 3",
    "0.99 0.99 0.01",
    "0.5 0.9 0.01 0.4 4.5",
    "0.6 0.9 0",
]
DIRECT = ["-100 -1", "0 0", "-1000 0", "-1000 1"]
TRUTHS = ["true", "false", "auto", "enable", "disable"]

#: Values of attributes in any element of the schema. An attribute without an entry gets one of `ANY`.
VALUES = {
    "solref": SOLREF + DIRECT,
    "solimp": SOLIMP,
    "friction": ["1 0.005 0.0001", "0 0 0", "0.3", "2 0.1 0.01", "0.7 0.5 0.2"],
    "condim": ["1", "3", "4", "6"],
    "priority": ["0", "1", "-1", "2"],
    "solmix": ["0", "0.5", "1", "3"],
    "contype": ["0", "1", "2", "3"],
    "conaffinity": ["0", "1", "2", "3"],
    "margin": ["0", "0.001", "0.02", "0.3"],
    "gap": ["0", "0.001", "0.02", "0.3"],
    "group": ["0", "1", "3", "5"],
    "range": ["-1 1", "0 0.1", "-0.3 0.2", "-90 90", "0.5 1"],
    "gear": ["1", "50", "-3", "0.1", "1 2 3 0 0 0", "0 0 1 0 1 0"],
    "kp": ["1", "100", "0"],
    "kv": ["1", "10", "0"],
    "gravcomp": ["1", "0.5"],
    "density": ["0", "1000", "1.2"],
    "gravity": ["0 0 -9.81", "0 0 0", "1 -2 -3"],
    "impratio": ["1", "0.3", "10"],
    "timestep": ["0.0005", "0.002", "0.01", "0.03"],
    "memory": ["100K", "20K", "1M", "40M"],
    "nconmax": ["0", "1", "4", "100"],
    "njmax": ["1", "4", "20", "500"],
    "actuatorgroupdisable": ["0", "0 1", "5"],
    "tolerance": ["0", "1e-8", "1e-3"],
    "ls_tolerance": ["0", "0.01", "0.3"],
    "iterations": ["0", "1", "3", "100"],
    "ls_iterations": ["0", "1", "5", "50"],
    "type": ["free", "ball", "slide", "hinge", "sphere", "capsule", "box", "ellipsoid", "cylinder", "plane"],
    "integrator": ["Euler", "RK4", "implicit", "implicitfast"],
    "cone": ["elliptic", "pyramidal"],
    "solver": ["PGS", "CG", "Newton"],
    "jacobian": ["dense", "sparse", "auto"],
    "dyntype": ["none", "integrator", "filter", "filterexact", "muscle", "user", "dcmotor"],
    "gaintype": ["fixed", "affine", "muscle", "user", "dcmotor", "so3"],
    "biastype": ["none", "affine", "muscle", "user", "dcmotor", "so3"],
    "dynprm": ["1", "0.1 0.2 0.3", "0.01 0.04"],
    "gainprm": ["1", "10 1 0", "1 -1 -0.1"],
    "biasprm": ["0 -1 -0.1", "1", "0 -10 -1"],
    "polycoef": ["0 1", "0.1 0.5 0.2 0.1 0.3", "0 0", "0 -1"],
    "data": ["1", "0"],
    "quat": ["1 0 0 0", "0.7 0.7 0 0", "0.3 0.1 -0.9 0.2", "0 0 0 1"],
    "fluidshape": ["ellipsoid", "none"],
    "sleep": ["auto", "never", "allowed", "init", "enable"],
    "mocap": ["true"],
    "stiffness": ["0", "5", "100", "5 1", "1 0 20", "1 2 3"],
    "damping": ["0", "0.3", "10", "1 0.5", "0.1 0 2"],
    "delay": ["0.01", "0.05"],
    "nsample": ["1", "5", "10"],
    "springlength": ["0", "0.1", "0.05 0.2", "-1"],
    "inheritrange": ["1", "0.7"],
    "timeconst": ["0", "0.01", "0.3", "0.01 0.04"],
    "axis": ["1 0 0", "0 1 0", "1 1 0.5", "-1 2 0"],
    "pos": ["0 0 0", "0.1 0 0.1", "-0.05 0.02 0.3"],
    "euler": ["0 0 0", "20 30 0", "0 90 0", "10 0 70"],
    "size": ["0.1", "0.05 0.2", "0.1 0.05 0.2", "0.3 0.3 0.01"],
    "wind": ["1 0 0", "0 -3 1"],
    "viscosity": ["0", "0.01", "1"],
    "sleep_tolerance": ["0.01", "1"],
    "o_margin": ["0.01"],
    "o_solref": SOLREF,
    "o_solimp": SOLIMP,
    "o_friction": ["1 1 0.1 0.01 0.01"],
    "surfacevel": ["1 0 0", "1 0 0 0 0 1"],
    "springyield": ["1", "0.1 1"],
    "noslip_iterations": ["3"],
    "angle": ["degree"],
}
VALUES |= {f"{kind}{part}": VALUES[kind] for kind in ("solref", "solimp") for part in ("limit", "friction", "fix")}
VALUES |= dict.fromkeys(
    ("ctrlrange", "forcerange", "actrange", "actuatorfrcrange", "lengthrange", "ffrange"), VALUES["range"]
)
ANY = [
    "true",
    "false",
    "1",
    "0",
    "0.1",
    "-1",
    "3",
    "0.5 0.1",
    "-1 1",
    "0 0 1",
    "0.1 0.2 0.3",
    "1 0 0 0",
    "0.3 0.2 0.1 0.5 0.6",
]
#: Attributes that no step depends on, or whose values are names or files.
LEFT = {
    *(
        "name",
        "class",
        "childclass",
        "rgba",
        "material",
        "user",
        "file",
        "content_type",
        "objtype",
        "objname",
        "reftype",
    ),
    *("refname", "target", "texture", "mesh", "hfield", "joint", "joint1", "joint2", "tendon", "tendon1", "tendon2"),
    *(
        "site",
        "body",
        "geom",
        "geom1",
        "geom2",
        "body1",
        "body2",
        "site1",
        "site2",
        "cranksite",
        "slidersite",
        "refsite",
    ),
    *("jointinparent", "actuator", "camera", "plugin", "instance", "node", "sidesite", "flex"),
    *("assetdir", "meshdir", "texturedir", "strippath", "savecompiled", "savecanonical", "passthrough", "eulerseq"),
}


def read_schema():
    """Returns MuJoCo's schema of MJCF: for each path of elements, the names of the attributes."""
    schema, path = {}, []
    for line in mujoco.mj_printSchema(False, False).splitlines():
        if found := re.match(r"( *)(\S+) \(.\) *(.*)", line):
            path[len(found[1]) // 3 :] = [found[2].replace("(world)", "")]
            schema["/".join(path)] = found[3].split()
        elif path:
            schema["/".join(path)] += line.split()
    return schema


SCHEMA = read_schema()


def attributes_of(kind, parent):
    """Returns the names of the attributes that an element can have."""
    ends = (f"/{parent}/{kind}", f"/body/{kind}" if parent == "worldbody" else f"/{parent}/{kind}")
    found = [names for path, names in SCHEMA.items() if path.endswith(ends) and "/default/" not in path]
    return sorted({name for names in found for name in names} - LEFT)


# --- models -----------------------------------------------------------------------------------------------------------

SOLIDS = ["sphere", "capsule", "box", "ellipsoid", "cylinder", "mesh"]
MESHES = {
    "tetrahedron": "-.1 -.1 -.1 .15 -.1 -.1 0 .15 -.1 0 0 .15",
    "wedge": "-.1 -.1 0 .1 -.1 0 -.1 .1 0 .1 .1 0 -.1 0 .12 .1 0 .12",
    "octahedron": ".12 0 0 -.12 0 0 0 .12 0 0 -.12 0 0 0 .12 0 0 -.12",
}


class Model:
    """MJCF under construction: the elements of a model, and the names of its parts."""

    def __init__(self, draw, root=None):
        self.draw = draw
        self.root = ET.Element("mujoco") if root is None else root
        self.count = 0
        self.dofs = 0
        if root is None:
            self.part("compiler").set("autolimits", "true")
        for number, element in enumerate(self.root.iter()):
            if element.tag in ("body", "geom", "site") and "name" not in element.attrib:
                element.set("name", f"own{number}")

    def part(self, tag):
        """Returns the section `tag`, such as `worldbody`."""
        found = self.root.find(tag)
        return ET.SubElement(self.root, tag) if found is None else found

    def add(self, parent, tag, **attributes):
        """Adds an element with a name. Attributes that are None are omitted."""
        self.count += 1
        parent = self.part(parent) if isinstance(parent, str) else parent
        names = {"name": f"{tag}{self.count}"}
        if tag in ("option", "flag", "size", "inertial"):
            names = {}
        values = {name: str(value) for name, value in attributes.items() if value is not None}
        return ET.SubElement(parent, tag, names | values)

    def names(self, *tags):
        """Returns the names of all elements of these kinds outside of `default`."""
        sections = [section for section in self.root if section.tag in ("worldbody", "tendon", "actuator")]
        return [
            each.get("name")
            for section in sections
            for each in section.iter()
            if each.tag in tags and "name" in each.attrib
        ]

    def joints(self, *kinds):
        """Returns the names of joints of these types outside of `default`."""
        found = [each for each in self.root.iterfind("./worldbody//joint") if each.get("type", "hinge") in kinds]
        return [each.get("name") for each in found if "name" in each.attrib]

    def option(self):
        return self.part("option")

    def flags(self):
        found = self.option().find("flag")
        return self.add("option", "flag") if found is None else found

    def xml(self):
        ET.indent(self.root)
        return ET.tostring(self.root, encoding="unicode")


def add_options(model):
    """Adds options that the native stepper supports."""
    draw, option = model.draw, model.option()
    choices = {
        "timestep": (0.8, ["0.001", "0.002", "0.005", "0.01", "0.02", "0.04"]),
        "integrator": (0.5, ["RK4", "implicitfast", "Euler"]),
        "cone": (0.35, ["elliptic"]),
        "gravity": (0.25, ["0 0 -9.81", "0 0 0", "1 -2 -3", "0 0 -1"]),
        "impratio": (0.15, ["3", "10", "0.5"]),
        "iterations": (0.25, ["1", "2", "4", "50", "0"]),
        "ls_iterations": (0.15, ["1", "4", "10"]),
        "tolerance": (0.25, ["0", "1e-10", "1e-4"]),
        "ls_tolerance": (0.1, ["0", "0.1"]),
        "jacobian": (0.1, ["dense"]),
        "solver": (0.06, ["PGS"]),
        "density": (0.08, ["1.2", "1000"]),
        "viscosity": (0.08, ["0.01", "0.5"]),
        "magnetic": (0.02, ["0 0 1"]),
    }
    for name, (share, values) in choices.items():
        if draw.chance(share):
            option.set(name, draw.choice(values))
    for name, share in {
        "island": 0.1,
        "midphase": 0.15,
        "gravity": 0.05,
        "limit": 0.03,
        "contact": 0.03,
        "constraint": 0.02,
        "equality": 0.02,
        "frictionloss": 0.02,
        "eulerdamp": 0.1,
        "nativeccd": 0.05,
        "multiccd": 0.05,
    }.items():
        if draw.chance(share):
            model.flags().set(name, "disable")
    for name, share in {"energy": 0.03, "multiccd": 0.05}.items():
        if draw.chance(share):
            model.flags().set(name, "enable")


def geom_attributes(model, kind=None):
    """Returns the type, size and contact parameters of a random geom."""
    draw = model.draw
    kind = kind or draw.choices(SOLIDS, [30, 35, 15, 6, 6, 6])[0]
    size = {
        "sphere": draw.numbers(0.04, 0.2),
        "capsule": draw.numbers(0.03, 0.12, 2),
        "cylinder": draw.numbers(0.03, 0.15, 2),
        "box": draw.numbers(0.02, 0.2, 3),
        "ellipsoid": draw.numbers(0.03, 0.2, 3),
    }.get(kind)
    found = {"type": kind, "size": size}
    if kind == "mesh":
        found["mesh"] = draw.choice(list(MESHES))
        asset = model.part("asset")
        if all(each.get("name") != found["mesh"] for each in asset):
            ET.SubElement(asset, "mesh", name=found["mesh"], vertex=MESHES[found["mesh"]])
    if kind in ("capsule", "cylinder", "box", "ellipsoid", "mesh") and draw.chance(0.4):
        found["euler"] = draw.numbers(-90, 90, 3)
    elif kind == "capsule" and draw.chance(0.6):
        found |= {"fromto": f"0 0 0 {draw.numbers(-0.3, 0.3, 3)}", "size": draw.numbers(0.03, 0.1)}
    choices = {
        "margin": (0.12, ["0.001", "0.02", "0.1"]),
        "condim": (0.2, VALUES["condim"]),
        "friction": (0.3, ["1.5 .1 .1", "0.5", "0", "0.9 0.01 0.001"]),
        "solref": (0.15, SOLREF),
        "solimp": (0.15, SOLIMP),
        "priority": (0.08, ["1", "2", "-1"]),
        "solmix": (0.08, ["0", "0.5", "3"]),
        "contype": (0.06, ["0", "2", "3"]),
        "conaffinity": (0.06, ["0", "2", "3"]),
    }
    found |= {name: draw.choice(values) for name, (share, values) in choices.items() if draw.chance(share)}
    weight = {"mass": draw.numbers(0.05, 3)} if draw.chance(0.5) else {"density": draw.numbers(100, 3000)}
    return found | (weight if draw.chance(0.6) else {})


def joint_attributes(model, kind):
    """Returns the parameters of a random hinge or slide."""
    draw = model.draw
    angle = 90 if kind == "hinge" else 0.5
    choices = {
        "damping": (0.5, ["0.1", "1", "5"]),
        "armature": (0.4, ["0.01", "0.1", "1"]),
        "stiffness": (0.2, ["1", "20", "200"]),
        "frictionloss": (0.08, ["0.1", "2"]),
        "range": (0.55, [text(-angle * draw.random(), angle * draw.uniform(0.05, 1)), text(-angle, -angle / 9)]),
        "margin": (0.1, ["0.01", "0.1"]),
        "solreflimit": (0.15, SOLREF),
        "solimplimit": (0.15, SOLIMP),
        "solreffriction": (0.1, SOLREF),
        "springref": (0.1, ["0.2", "-10"]),
        "ref": (0.08, ["0.1", "-0.3"]),
        "actuatorfrcrange": (0.08, ["-1 1", "-20 5"]),
        "pos": (0.25, [draw.numbers(-0.1, 0.1, 3)]),
    }
    found = {name: draw.choice(values) for name, (share, values) in choices.items() if draw.chance(share)}
    return {"type": kind, "axis": draw.unit()} | found


def ball_attributes(model):
    """Returns the parameters of a random ball joint."""
    found = joint_attributes(model, "ball")
    for name in ("axis", "springref", "ref", "actuatorfrcrange"):
        found.pop(name, None)
    if "range" in found:
        found["range"] = model.draw.choice(["0 20", "0 60", "0 150"])
    return found


def add_tree(model, place, dofs):
    """Adds a kinematic tree with up to `dofs` degrees of freedom at the position `place`."""
    draw = model.draw
    turn = draw.choice([None, None, draw.numbers(-180, 180, 3)])
    body = model.add("worldbody", "body", pos=place, euler=turn)
    root = draw.choices(["free", "planar", "hinge", "slide", "plain", "ball"], [45, 15, 20, 12, 3, 4])[0]
    if root == "free" and dofs >= 6:
        joint = {"armature": "0.01"} if draw.chance(0.15) else {}
        if draw.chance(0.2):
            joint["damping"] = draw.choice(["0.1", "1"])
        if draw.chance(0.06):
            joint["stiffness"] = draw.choice(["1", "30"])
        tag = {"tag": "joint", "type": "free"} if joint or draw.chance(0.4) else {"tag": "freejoint"}
        model.add(body, **tag, **joint)
        used = 6
    elif root == "planar" and dofs >= 3:
        for kind, axis in (("slide", "1 0 0"), ("slide", "0 0 1"), ("hinge", "0 1 0")):
            model.add(body, "joint", type=kind, axis=axis, armature=draw.choice([None, None, "0.01"]))
        used = 3
    elif root == "ball" and dofs >= 3:
        model.add(body, "joint", **ball_attributes(model))
        used = 3
    else:
        used = 1
        model.add(body, "joint", **joint_attributes(model, "slide" if root == "slide" else "hinge"))
    return used + add_children(model, body, dofs - used)


def add_children(model, body, dofs):
    """Adds bodies below a body with up to `dofs` joints, and geoms to all of them. Returns the number of joints."""
    draw, used, bodies = model.draw, 0, [body]
    is_marker = draw.chance(0.12)
    while draw.chance(0.78 if used < dofs else 0.1) and len(bodies) < max(8, dofs / 2) and not is_marker:
        parent = bodies[-1] if draw.chance(0.6) else draw.choice(bodies)
        child = model.add(parent, "body", pos=draw.numbers(-0.3, 0.3, 3))
        if draw.chance(0.15):
            child.set("euler", draw.numbers(-90, 90, 3))
        if dofs - used >= 3 and draw.chance(0.05):
            model.add(child, "joint", **ball_attributes(model))
            used += 3
        for _ in range(min(draw.choices([0, 1, 2, 3], [8, 70, 15, 7])[0], dofs - used)):
            model.add(child, "joint", **joint_attributes(model, "slide" if draw.chance(0.12) else "hinge"))
            used += 1
        bodies.append(child)
    for each in bodies:
        for number in range(draw.choices([1, 2, 0], [80, 15, 5])[0]):
            geom = geom_attributes(model)
            if is_marker:
                geom |= {"contype": "0", "conaffinity": "0"}
            model.add(each, "geom", pos=draw.numbers(-0.1, 0.1, 3) if number or draw.chance(0.2) else None, **geom)
        if not each.findall("geom") or draw.chance(0.06):
            model.add(
                each,
                "inertial",
                pos=draw.numbers(-0.05, 0.05, 3),
                mass=draw.numbers(0.1, 2),
                diaginertia="0.01 0.012 0.015",
            )
        if draw.chance(0.02):
            plane = geom_attributes(model, "plane") | {"size": "5 5 1", "mass": None, "density": None}
            model.add(each, "geom", **plane | {"pos": draw.numbers(-0.4, -0.2, 3)})
        if draw.chance(0.35):
            model.add(each, "site", pos=draw.numbers(-0.1, 0.1, 3), size=draw.choice(["0.02", "0.1"]))
    return used


def add_trees(model):
    draw = model.draw
    left = draw.choice([1, 2, 3, 4, 6, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 22, 24, 26, 34, 46, 58])
    for number in range(draw.choices([1, 2, 3, 4], [50, 28, 14, 8])[0]):
        if left < 1:
            break
        spread = draw.choice([0.2, 0.5, 2])
        place = text(number * spread, draw.uniform(-0.2, 0.2), draw.uniform(0.05, 0.9))
        used = add_tree(model, place, draw.randint(min(left, 3), left))
        left -= used
        model.dofs += used


def add_statics(model):
    draw = model.draw
    if draw.chance(0.8):
        plane = geom_attributes(model, "plane") | {"size": "5 5 1", "mass": None, "density": None}
        height = draw.choice([None, None, None, text(0, 0, draw.uniform(-0.3, 0.2))])
        slope = draw.numbers(-40, 40, 3) if draw.chance(0.1) else None
        model.add("worldbody", "geom", **plane | {"pos": height, "euler": slope})
    if draw.chance(0.03):
        heights = text(*(draw.random() for _ in range(16)))
        ET.SubElement(
            model.part("asset"), "hfield", name="hills", nrow="4", ncol="4", elevation=heights, size="2 2 .3 .1"
        )
        model.add("worldbody", "geom", type="hfield", hfield="hills", pos="0 0 -.2")
    for _ in range(draw.choices([0, 1, 2, 4], [70, 17, 8, 5])[0]):
        model.add("worldbody", "geom", pos=draw.numbers(-0.6, 0.6, 3), **geom_attributes(model))
    if draw.chance(0.06):
        body = model.add("worldbody", "body", pos=draw.numbers(-0.5, 0.5, 3))
        model.add(body, "geom", **geom_attributes(model))
        model.add(body, "site", size="0.02")
    if draw.chance(0.08):
        body = model.add("worldbody", "body", pos=draw.numbers(-0.5, 0.5, 3), mocap="true")
        model.add(body, "geom", **geom_attributes(model))
    if draw.chance(0.3):
        model.add("worldbody", "site", pos=draw.numbers(-0.5, 0.5, 3), size="0.02")


def add_actuators(model, kinds=("motor", "motor", "position", "velocity", "position")):
    draw = model.draw
    for target, names in (("joint", model.joints("hinge", "slide")), ("tendon", model.names("fixed", "spatial"))):
        for name in names:
            if not draw.chance(0.55):
                continue
            if draw.chance(0.03 if target == "joint" else 0.3):
                add_muscle(model, target, name)
                continue
            kind = draw.choice(kinds)
            choices = {
                "ctrlrange": (0.7, ["-1 1", "-0.4 0.4", "-180 180", "0 255", "-20 20"]),
                "gear": (0.4, ["1", "50", "-3", "0.1", "150"]),
                "forcerange": (0.2, ["-1 1", "-50 20"]),
            }
            if kind in ("position", "intvelocity"):
                choices |= {
                    "kp": (0.8, ["1", "20", "500"]),
                    "kv": (0.4, ["0.1", "5"]),
                    "timeconst": (0.15, ["0.02", "0.3"]),
                }
            if kind == "velocity":
                choices |= {"kv": (0.8, ["0.1", "5"])}
            if kind == "general":
                choices |= {
                    "gainprm": (0.6, ["3", "-2"]),
                    "biasprm": (0.4, ["0 -10 -1", "1 0 0"]),
                    "biastype": (0.4, ["affine", "none"]),
                    "dyntype": (0.3, ["integrator", "filter", "muscle"]),
                    "actearly": (0.1, ["true"]),
                    "dynprm": (0.3, ["0.1", "0.01"]),
                }
            if kind == "intvelocity":
                choices |= {"actrange": (1, ["-3 3"])}
                del choices["kv"]
                choices.pop("timeconst")
            found = {name: draw.choice(values) for name, (share, values) in choices.items() if draw.chance(share)}
            model.add("actuator", kind, **{target: name}, **found)


def add_muscle(model, target, name):
    draw = model.draw
    choices = {
        "force": (0.4, ["1", "30", "-1"]),
        "scale": (0.6, ["20", "300"]),
        "range": (0.3, ["0.5 1.3", "0.75 1.05"]),
        "timeconst": (0.3, ["0.01 0.04", "0.05 0.02"]),
        "tausmooth": (0.2, ["0.3", "5"]),
        "fpmax": (0.2, ["0", "2.5"]),
        "lmin": (0.1, ["0.2", "1.1"]),
        "forcerange": (0.15, ["-5 0", "-1 1"]),
        "ctrlrange": (0.2, ["0 1", "-1 2"]),
        "gear": (0.2, ["-3", "0.1"]),
    }
    found = {name: draw.choice(values) for name, (share, values) in choices.items() if draw.chance(share)}
    lengths = draw.choice(["0.05 0.5", "0.2 1.5", "-1 1"])
    model.add("actuator", "muscle", **{target: name}, lengthrange=lengths, **found)


def add_wrenches(model):
    """Adds actuators of sites, slider-cranks, ball and free joints."""
    draw, sites = model.draw, model.names("site")
    targets = [("site", name) for name in sites]
    for name in model.joints("ball", "free"):
        targets.append((draw.choice(["joint", "jointinparent"]), name))
    for kind, name in targets:
        if draw.chance(0.12):
            gear = draw.choice(["0 0 1", "3", "0 0 2 0 .5 0", draw.numbers(-2, 2, 6)])
            model.add("actuator", draw.choice(["motor", "motor", "position"]), gear=gear, **{kind: name})
    if len(sites) > 1 and draw.chance(0.06):
        crank, slider = draw.sample(sites, 2)
        length = draw.choice(["0.2", "0.5", "2"])
        model.add(
            "actuator",
            draw.choice(["motor", "position"]),
            cranksite=crank,
            slidersite=slider,
            cranklength=length,
            gear=draw.choice([None, "-3"]),
        )


def add_relations(model):
    """Adds contact pairs and excludes, tendons, equalities, sensors and keyframes."""
    draw = model.draw
    geoms, bodies = model.names("geom"), model.names("body")
    joints = model.joints("hinge", "slide")
    for _ in range(draw.choices([0, 1, 3], [85, 10, 5])[0]):
        if len(geoms) > 1:
            add_pair(model, geoms)
    if draw.chance(0.1) and len(bodies) > 1:
        one, other = draw.sample(bodies, 2)
        model.add("contact", "exclude", body1=one, body2=other)
    if joints and draw.chance(0.15):
        tendon = model.add("tendon", "fixed", **tendon_attributes(model))
        for name in draw.sample(joints, min(len(joints), draw.choice([1, 2, 2, 3, 5, 9]))):
            ET.SubElement(tendon, "joint", joint=name, coef=draw.choice(["1", "-1", "0.5", "2"]))
    if draw.chance(0.2):
        bodies = list(model.root.iterfind("./worldbody//body"))
        for _ in range(draw.choice([2, 4, 6])):
            model.add(draw.choice(bodies), "site", pos=draw.numbers(-0.2, 0.2, 3), size="0.02")
        for _ in range(draw.choice([1, 1, 2, 4])):
            add_path(model, model.names("site"))
    if draw.chance(0.14):
        add_equality(model)
    if draw.chance(0.2):
        add_sensors(model)
    if draw.chance(0.1):
        model.add("keyframe", "key", time=draw.choice(["0", "1.5"]))


def add_path(model, sites):
    """Adds a spatial tendon through sites, over pulleys and around geoms."""
    draw = model.draw
    round_geoms = [each.get("name") for each in model.root.iterfind("./worldbody//geom[@type='sphere']")]
    round_geoms += [each.get("name") for each in model.root.iterfind("./worldbody//geom[@type='cylinder']")]
    tendon = model.add("tendon", "spatial", **tendon_attributes(model))
    ET.SubElement(tendon, "site", site=draw.choice(sites))
    for _ in range(draw.choice([1, 1, 2, 3, 5])):
        kind = draw.choice(["line", "line", "geom", "geom", "pulley"])
        if kind == "geom" and round_geoms:
            side = draw.choice([None, draw.choice(sites)])
            around = {"geom": draw.choice(round_geoms), "sidesite": side}
            ET.SubElement(tendon, "geom", {name: value for name, value in around.items() if value is not None})
        elif kind == "pulley" and tendon[-1].tag == "site" and len(tendon) > 1:
            ET.SubElement(tendon, "pulley", divisor=draw.choice(["2", "3", "0.7"]))
            ET.SubElement(tendon, "site", site=draw.choice(sites))
        ET.SubElement(tendon, "site", site=draw.choice(sites))


def add_pair(model, geoms):
    draw = model.draw
    one, other = draw.sample(geoms, 2)
    choices = {
        "condim": (0.5, VALUES["condim"]),
        "friction": (0.4, ["1 1 0.01 0.001 0.001", "0.5 0.2 0.1 0.1 0.3"]),
        "margin": (0.3, ["0.02"]),
        "solref": (0.3, SOLREF),
        "solimp": (0.3, SOLIMP),
    }
    found = {name: draw.choice(values) for name, (share, values) in choices.items() if draw.chance(share)}
    model.add("contact", "pair", geom1=one, geom2=other, **found)


def tendon_attributes(model):
    draw = model.draw
    choices = {
        "range": (0.4, ["-0.2 0.3", "0 0.5", "0.1 1"]),
        "stiffness": (0.3, ["5", "100"]),
        "springlength": (0.15, ["0", "0.1", "0.05 0.2"]),
        "margin": (0.1, ["0.02"]),
        "solreflimit": (0.2, SOLREF),
        "damping": (0.15, ["0.3", "10"]),
        "frictionloss": (0.1, ["0.1", "3"]),
        "solreffriction": (0.1, SOLREF),
        "actuatorfrcrange": (0.1, ["-1 1", "-20 5"]),
    }
    return {name: draw.choice(values) for name, (share, values) in choices.items() if draw.chance(share)}


def add_equality(model):
    draw = model.draw
    bodies, sites, joints, tendons = (
        model.names("body"),
        model.names("site"),
        model.joints("hinge", "slide"),
        model.names("fixed"),
    )
    soft = {"solref": draw.choice([None, *SOLREF]), "solimp": draw.choice([None, *SOLIMP])}
    if draw.chance(0.1):
        soft["active"] = "false"
    kind = draw.choice(["connect", "weld", "joint", "tendon"])
    if kind in ("connect", "weld") and bodies:
        if len(sites) > 1 and draw.chance(0.3):
            one, other = draw.sample(sites, 2)
            model.add("equality", kind, site1=one, site2=other, **soft)
            return
        names = draw.sample(bodies, min(len(bodies), draw.choice([1, 2, 2])))
        anchor = draw.numbers(-0.1, 0.1, 3) if kind == "connect" or draw.chance(0.4) else None
        model.add("equality", kind, body1=names[0], body2=names[1] if len(names) > 1 else None, anchor=anchor, **soft)
    elif kind == "joint" and joints:
        names = draw.sample(joints, min(len(joints), draw.choice([1, 2, 2])))
        poly = draw.choice([None, "0 1", "0.1 0.5 0.2 0.1 0.3", "0 -1"])
        model.add(
            "equality", "joint", joint1=names[0], joint2=names[1] if len(names) > 1 else None, polycoef=poly, **soft
        )
    elif tendons:
        model.add("equality", "tendon", tendon1=draw.choice(tendons), **soft)


def add_sensors(model):
    draw = model.draw
    joints, sites, bodies = model.joints("hinge", "slide"), model.names("site"), model.names("body")
    for _ in range(draw.randint(1, 4)):
        kind = draw.choice(
            ["jointpos", "touch", "accelerometer", "force", "subtreelinvel", "framepos", "velocimeter", "clock"]
        )
        if kind == "jointpos" and joints:
            model.add("sensor", kind, joint=draw.choice(joints))
        elif kind in ("touch", "accelerometer", "force", "velocimeter") and sites:
            model.add("sensor", kind, site=draw.choice(sites))
        elif kind == "subtreelinvel" and bodies:
            model.add("sensor", kind, body=draw.choice(bodies))
        elif kind == "framepos" and bodies:
            model.add("sensor", kind, objtype="body", objname=draw.choice(bodies))
        elif kind == "clock":
            model.add("sensor", kind)


# --- spices: parts that are rare, or that the native stepper must refuse ----------------------------------------------

SPICES = []


def spice(function):
    SPICES.append(function)
    return function


def random_attribute(model):
    """Sets a random attribute of a random element to a random value."""
    draw = model.draw
    elements = []
    for parent in model.root.iter():
        if parent.tag not in ("asset", "default", "mesh", "custom", "visual", "compiler"):
            elements += [(parent, each) for each in parent if attributes_of(each.tag, parent.tag)]
    elements += (
        [(model.root, model.option())] * 3 + [(model.option(), model.flags())] * 2 + [(model.root, model.part("size"))]
    )
    # Elements that are rare in a model are as likely as frequent ones.
    tag = draw.choice(sorted({each.tag for _, each in elements}))
    parent, element = draw.choice([pair for pair in elements if pair[1].tag == tag])
    names = attributes_of(element.tag, parent.tag)
    if not names:
        return
    name = draw.choice(names)
    values = [*VALUES.get(name, ANY), *(["enable", "disable"] if element.tag == "flag" else [])]
    value = draw.choice(["enable", "disable"]) if element.tag == "flag" else draw.choice(values)
    if value.replace(".", "").replace("-", "").isdigit() and draw.chance(0.2):
        value = text(float(value) * draw.uniform(0.5, 2))
    element.set(name, value)


for _ in range(9):
    spice(random_attribute)


@spice
def scaled_numbers(model):
    """Scales the numbers of random attributes."""
    draw = model.draw
    found = [
        (each, name) for each in model.root.iter() for name in each.attrib if name not in LEFT and name != "vertex"
    ]
    for each, name in draw.sample(found, min(len(found), draw.choice([1, 3, 10]))):
        with contextlib.suppress(ValueError):
            numbers = [float(part) for part in each.get(name).split()]
            if not any(number.is_integer() and "." not in each.get(name) for number in numbers):
                each.set(name, text(*(number * draw.choice([0.5, 0.9, 1.1, 2, -1]) for number in numbers)))


@spice
def marker(model):
    """Adds a tree without collisions, of which most forms have no constraint."""
    draw = model.draw
    body = model.add("worldbody", "body", pos=draw.choice(["9 9 9", "0 0 0.3", "2 0 1"]))
    model.add(
        body,
        "joint",
        type=draw.choice(["free", "slide", "hinge", "slide"]),
        frictionloss=draw.choice([None] * 5 + ["0.1"]),
    )
    contact = draw.choice(
        [{"contype": "0", "conaffinity": "0"}, {"gap": "0.01", "margin": "0.01"}, {"solref": "-100 -1"}, {}]
    )
    model.add(body, "geom", **geom_attributes(model, draw.choice(["sphere", "box"])) | contact)


@spice
def ball_joint(model):
    draw = model.draw
    bodies = [each for each in model.root.iter("body") if each.find("freejoint") is None and each.get("mocap") is None]
    if bodies:
        found = {"range": "0 40"} if draw.chance(0.4) else {}
        model.add(draw.choice(bodies), "joint", type="ball", stiffness=draw.choice([None, "5"]), damping="0.1", **found)


@spice
def tilted_plane(model):
    draw = model.draw
    model.add(
        "worldbody", "geom", type="plane", size="3 3 1", euler=draw.choice(["0 10 0", "0 0 40", "180 0 0", "90 0 0"])
    )


@spice
def height_field(model):
    model.add("asset", "hfield", nrow="3", ncol="3", elevation="0 1 0 1 0 1 0 1 0", size="1 1 0.2 0.1")
    model.add("worldbody", "geom", type="hfield", hfield=f"hfield{model.count}")


@spice
def direct_solref(model):
    draw = model.draw
    geoms = list(model.root.iterfind("./worldbody//geom"))
    for each in draw.sample(geoms, min(len(geoms), 2)):
        each.set("solref", draw.choice(DIRECT))


@spice
def mixed_contact_parameters(model):
    """Gives geoms random contact parameters."""
    draw = model.draw
    names = ("gap", "margin", "condim", "priority", "solmix", "solref", "solimp", "friction", "contype", "conaffinity")
    geoms = list(model.root.iterfind("./worldbody//geom"))
    for each in draw.sample(geoms, min(len(geoms), 3)):
        for name in draw.sample(names, 2):
            each.set(name, draw.choice(VALUES[name]))


@spice
def gravity_compensation(model):
    bodies = list(model.root.iter("body"))
    if bodies:
        model.draw.choice(bodies).set("gravcomp", model.draw.choice(["1", "0.5"]))


@spice
def other_actuators(model):
    """Adds actuators of all kinds, with all transmissions."""
    draw = model.draw
    kinds = sorted(
        {path.split("/")[-1] for path in SCHEMA if re.fullmatch("mujoco/actuator/[a-z]+", path)} - {"plugin"}
    )
    for _ in range(draw.randint(1, 3)):
        kind = draw.choice(kinds)
        targets = {"joint": model.joints("hinge", "slide", "ball", "free"), "tendon": model.names("fixed", "spatial")}
        targets |= {"site": model.names("site"), "jointinparent": model.joints("hinge", "ball")}
        target = draw.choice(["joint", "joint", "tendon", "site", "jointinparent"])
        if kind == "adhesion":
            target, targets["body"] = "body", model.names("body")
        if not targets[target]:
            continue
        found = {target: draw.choice(targets[target])}
        if target == "site" and draw.chance(0.5):
            found["refsite"] = draw.choice(targets["site"])
        for name in draw.sample(attributes_of(kind, "actuator"), 3):
            found[name] = draw.choice(VALUES.get(name, ANY))
        if kind in ("adhesion", "damper"):
            found["ctrlrange"] = "0 2"
        if kind == "muscle":
            found["lengthrange"] = "0.1 0.9"
        model.add("actuator", kind, **found)


@spice
def sizes(model):
    name = model.draw.choice(["nconmax", "njmax", "memory", "nuserdata"])
    model.part("size").set(name, model.draw.choice(VALUES.get(name, ["0", "3"])))


@spice
def flag(model):
    names = next(names for path, names in SCHEMA.items() if path.endswith("option/flag"))
    model.flags().set(model.draw.choice(names), model.draw.choice(["enable", "disable"]))


@spice
def options(model):
    draw = model.draw
    for name in draw.sample(
        ["solver", "jacobian", "integrator", "cone", "wind", "noslip_iterations", "density", "viscosity"], 2
    ):
        model.option().set(name, draw.choice(VALUES[name]))


@spice
def tendons(model):
    """Adds tendons with springs, damping, friction, limits, wraps and pulleys."""
    draw = model.draw
    joints, sites, geoms = model.joints("hinge", "slide"), model.names("site"), model.names("geom")
    found = {name: draw.choice(VALUES.get(name, ANY)) for name in draw.sample(attributes_of("fixed", "tendon"), 3)}
    if joints and draw.chance(0.5):
        tendon = model.add("tendon", "fixed", **found)
        for name in draw.sample(joints, min(len(joints), draw.randint(1, 4))):
            ET.SubElement(tendon, "joint", joint=name, coef=draw.choice(["1", "-1", "0.5", "0"]))
    elif len(sites) > 1:
        tendon = model.add("tendon", "spatial", **found)
        names = draw.sample(sites, min(len(sites), draw.choice([2, 2, 3])))
        for number, name in enumerate(names):
            ET.SubElement(tendon, "site", site=name)
            if number + 1 < len(names) and draw.chance(0.2) and geoms:
                ET.SubElement(tendon, "geom", geom=draw.choice(geoms))
    if tendon_names := model.names("fixed", "spatial"):
        for _ in range(draw.choice([0, 1, 2])):
            model.add("actuator", "motor", tendon=draw.choice(tendon_names), ctrlrange="-10 10")


@spice
def equalities(model):
    for _ in range(model.draw.randint(1, 3)):
        add_equality(model)


@spice
def equality_of_welded_bodies(model):
    """Adds an equality between two bodies with no joint between them."""
    draw = model.draw
    bodies = [each for each in model.root.iter("body") if each.get("mocap") is None]
    if bodies:
        parent = draw.choice(bodies)
        child = model.add(parent, "body", pos=draw.numbers(-0.1, 0.1, 3))
        model.add(child, "geom", size="0.03")
        anchor = draw.choice(["0 0 0", "0.1 0 0.05"])
        model.add(
            "equality",
            draw.choice(["connect", "weld"]),
            body1=parent.get("name"),
            body2=child.get("name"),
            anchor=anchor,
        )


@spice
def equality_with_world(model):
    draw = model.draw
    if bodies := model.names("body"):
        model.add(
            "equality", draw.choice(["connect", "weld"]), body1=draw.choice(bodies), anchor=draw.numbers(-0.1, 0.1, 3)
        )


@spice
def pairs(model):
    geoms = model.names("geom")
    for _ in range(model.draw.randint(1, 4)):
        if len(geoms) > 1:
            add_pair(model, geoms)


@spice
def pile(model):
    """Adds small free bodies close to each other."""
    draw = model.draw
    kind = draw.choice(SOLIDS[:5])
    for number in range(draw.randint(2, 5)):
        body = model.add(
            "worldbody", "body", pos=text(draw.uniform(-0.1, 0.1), draw.uniform(-0.1, 0.1), 0.1 + 0.15 * number)
        )
        model.add(body, "freejoint")
        model.add(body, "geom", **geom_attributes(model, kind))


@spice
def many_bodies(model):
    draw = model.draw
    for number in range(draw.choice([5, 12, 50])):
        model.add("worldbody", "geom", pos=text(number / 10, draw.uniform(-1, 1), 0), **geom_attributes(model))


@spice
def static_box(model):
    """Adds geoms that cannot move, so that MuJoCo's middle phase has a tree of boxes."""
    draw = model.draw
    for _ in range(draw.choice([1, 1, 3])):
        model.add(
            "worldbody",
            "geom",
            type="box",
            size=draw.numbers(0.05, 1, 3),
            pos=draw.choice(["-.8 0 .3", "0 .7 .1", "2 2 0"]),
        )


@spice
def cloth(model):
    draw = model.draw
    flex = model.add(
        "worldbody",
        "flexcomp",
        type="grid",
        count="3 3 1",
        spacing="0.1 0.1 0.1",
        radius="0.01",
        pos="0 0 0.6",
        mass="1",
    )
    ET.SubElement(flex, "edge", equality=draw.choice(["true", "false"]))


@spice
def frictional_joint(model):
    joints = list(model.root.iterfind("./worldbody//joint"))
    for each in model.draw.sample(joints, min(len(joints), 2)):
        each.set("frictionloss", model.draw.choice(["0.1", "3"]))


@spice
def narrow_limits(model):
    """Gives joints limits that are close to each other, or a large margin."""
    joints = [
        each for each in model.root.iterfind("./worldbody//joint") if each.get("type", "hinge") in ("hinge", "slide")
    ]
    for each in model.draw.sample(joints, min(len(joints), 2)):
        each.set("range", model.draw.choice(["-0.01 0.01", "0 1", "-0.05 0.2"]))
        each.set("margin", model.draw.choice(["0", "0.004", "0.1"]))


@spice
def joint_forces(model):
    joints = [
        each for each in model.root.iterfind("./worldbody//joint") if each.get("type", "hinge") in ("hinge", "slide")
    ]
    for each in model.draw.sample(joints, min(len(joints), 2)):
        each.set("actuatorfrcrange", model.draw.choice(["-1 1", "-0.1 5"]))
        model.add("actuator", "motor", joint=each.get("name"), gear="5")


@spice
def default_class(model):
    """Adds defaults for all geoms or joints."""
    draw = model.draw
    tag = draw.choice(["geom", "joint"])
    section = model.part("default")
    element = section.find(tag)
    element = ET.SubElement(section, tag) if element is None else element
    names = [
        name
        for name in attributes_of(tag, "body")
        if name in VALUES and name not in ("type", "size", "pos", "quat", "euler")
    ]
    for name in draw.sample(names, 2):
        element.set(name, draw.choice(VALUES[name]))


@spice
def keyframes(model):
    model.add("keyframe", "key", time="2")


@spice
def masses(model):
    """Gives a body its own inertia."""
    draw = model.draw
    bodies = [each for each in model.root.iter("body") if each.find("inertial") is None]
    if bodies:
        mass = text(draw.log(1e-4, 100))
        inertia = text(*(draw.uniform(0.5, 1) * float(mass) / 50 for _ in range(3)))
        model.add(draw.choice(bodies), "inertial", pos=draw.numbers(-0.1, 0.1, 3), mass=mass, diaginertia=inertia)


def robot_names():
    """Returns the paths of gymnasium's models."""
    import gymnasium

    return sorted((Path(gymnasium.__file__).parent / "envs/mujoco/assets").glob("*.xml"))


def draw_model(draw):
    """Returns a random model. Its parts may contradict each other, so that MuJoCo refuses it."""
    if draw.chance(0.2):
        model = Model(draw, ET.parse(draw.choice(robot_names())).getroot())
        for each in (*model.root.iter("texture"), *model.root.iter("skybox")):
            each.set("width", "8")
            each.set("height", "8")
        if draw.chance(0.3):
            add_options(model)
        if draw.chance(0.3):
            add_statics(model)
        count = draw.choices([0, 1, 2, 3], [15, 45, 25, 15])[0]
    else:
        model = Model(draw)
        add_options(model)
        add_statics(model)
        add_trees(model)
        add_relations(model)
        add_actuators(model)
        add_wrenches(model)
        count = draw.choices([0, 1, 2, 3, 6], [40, 33, 14, 8, 5])[0]
    for _ in range(count):
        draw.choice(SPICES)(model)
    return model


def make_model(seed, number):
    """Returns the XML of model `number` and its `MjModel`; `None` for both if MuJoCo refuses all attempts."""
    for attempt in range(ATTEMPTS):
        draw = Draw(f"{seed}/{number}/{attempt}")
        model = draw_model(draw)
        xml = model.xml()
        # MuJoCo's compiler raises a RuntimeError ("Caught an unknown exception!") for some models.
        with contextlib.suppress(ValueError, RuntimeError, mujoco.FatalError):
            compiled = mujoco.MjModel.from_xml_string(xml)
            if compiled.nv or draw.chance(0.1):
                return xml, compiled
    return None, None

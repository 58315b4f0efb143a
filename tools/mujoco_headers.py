"""Writes tests/data/mujoco_fields.txt: the fields of MuJoCo's model in the versions that have native steps.

    python tools/mujoco_headers.py 3.6.0=FOLDER 3.16.0=FOLDER ...

Each folder has the headers of one version (``include/mujoco`` of its wheel), in ascending order of versions. A line of
the file has four parts: the name of a field of ``mjModel`` (``opt.`` and ``stat.``: of its structs), of a flag or of a
number; its type, or its value; the number of its elements; and the versions that have it.
"""

import re
import sys
from pathlib import Path

TARGET = Path(__file__).parents[1] / "tests" / "data" / "mujoco_fields.txt"

STRUCTS = {"mjModel": "", "mjOption": "opt.", "mjStatistic": "stat."}
FIELD = re.compile(r"^ *(?:const )?(\w+)(\*?)\s+(\w+)(?:\[(\w+)\])?;(?:.*\((\w+ x [\w*]+)\))?", re.MULTILINE)
FLAGS = ("mjtDisableBit", "mjtEnableBit")
NUMBERS = ("mjNEQDATA", "mjNDYN", "mjNGAIN", "mjNBIAS", "mjNFLUID", "mjNREF", "mjNIMP", "mjNPOLY")


def entries(folder):
    """Yields name, type or value, and number of elements of each field, flag and number of one version."""
    text = "\n".join(path.read_text() for path in sorted(Path(folder).glob("mj*.h")))
    for struct, prefix in STRUCTS.items():
        body = re.search(rf"struct {struct}_ \{{(.*?)\n\}}", text, re.DOTALL)[1]
        for kind, pointer, name, count, extent in FIELD.findall(body):
            yield prefix + name, kind + pointer, (extent or count or "1").replace(" ", "")
    for flags in FLAGS:
        body = re.search(rf"enum {flags}_? \{{(.*?)\}}", text, re.DOTALL)[1]
        for name, bit in re.findall(r"(mj(?:DSBL|ENBL)_\w+) *= *1<<(\d+)", body):
            yield name, str(1 << int(bit)), "-"
    for name in NUMBERS:
        found = re.search(rf"#define {name} +(\d+)", text)
        if found:
            yield name, found[1], "-"


def ranges(versions, known):
    """Returns the ranges of successive versions in ``versions``, as text."""
    parts = []
    for version in known:
        if version not in versions:
            continue
        before = known[known.index(version) - 1] if known.index(version) else None
        if parts and parts[-1][1] == before:
            parts[-1][1] = version
        else:
            parts.append([version, version])
    return ",".join(first if first == last else f"{first}-{last}" for first, last in parts)


if __name__ == "__main__":
    folders = dict(argument.split("=") for argument in sys.argv[1:])
    found = {}
    for version, folder in folders.items():
        for entry in entries(folder):
            found.setdefault(entry, []).append(version)
    lines = [" ".join(["versions", "-", "-", ",".join(folders)])]
    lines += [" ".join([*entry, ranges(versions, list(folders))]) for entry, versions in found.items()]
    TARGET.write_text("\n".join(lines) + "\n")

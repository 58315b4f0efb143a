"""Census of MuJoCo models: which ones `envpool_rs.Batch` steps natively, and why it leaves the others to the library.

    python tools/mujoco_census.py ../models --list models.tsv --out after.tsv

Writes a line for each model with degrees of freedom: its file, `nv`, `nu`, `nbody`, `physics` (`native`, `library`,
`refused`, or `died`), and the reasons. Steps of native models are compared bit for bit with `mujoco.mj_step`, as by
`mujoco_fuzz.py`; a difference is a reason that begins with `DIFFERS`, and makes the exit status 1.
"""

import argparse
import collections
import json
import os
import signal
import sys
import threading
from pathlib import Path

import mujoco
from mujoco_fuzz import Draw, compare

HEADER = ("file", "nv", "nu", "nbody", "physics", "why")


def examine(path, calls):
    """Returns the columns of a model after its file; `None` if MuJoCo does not load it, or nothing in it can move."""
    from envpool_rs import Batch

    try:
        model = mujoco.MjModel.from_xml_path(str(path))
    except ValueError:
        return None
    if not model.nv:
        return None
    sizes = (model.nv, model.nu, model.nbody)
    try:
        batch = Batch(model, 16, 1)
    except ValueError as error:
        return *sizes, "refused", f"ValueError: {error}"
    reasons = batch.why
    if batch.physics == "native" and calls:
        outcome = compare(model, batch, Draw(path.name), calls)
        if outcome.difference:
            reasons = [f"DIFFERS: {', '.join(outcome.difference['fields'])}"]
    return *sizes, batch.physics, "; ".join(reasons)


def examine_apart(path, options):
    """Returns `examine(path)` of a process of its own, because MuJoCo ends the process at some models."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.dup2(2, 1)
        signal.alarm(options.patience)
        with os.fdopen(write, "w", encoding="utf-8") as report:
            json.dump(examine(path, options.calls), report)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as report:
        text = report.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return json.loads(text) if text else ("", "", "", "died", f"exit status {status}")


def files(options):
    """Returns the paths of the models in the folder, or those that the list names and the folder has."""
    if not options.list:
        return sorted(path.relative_to(options.folder) for path in options.folder.rglob("*.xml"))
    lines = options.list.read_text(encoding="utf-8").splitlines()[1:]
    return [path for path in (Path(line.split("\t")[0]) for line in lines) if (options.folder / path).exists()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="folder of the models")
    parser.add_argument(
        "--list", type=Path, help="table with the models' files in the first column; default: all files"
    )
    parser.add_argument("--only", default="", help="text that the files' names contain")
    parser.add_argument("--out", type=Path, help="file of the table; default: the standard output")
    parser.add_argument("--calls", type=int, default=30, help="compared calls of a native model; 0 for none")
    parser.add_argument("--jobs", type=int, default=2, help="number of processes")
    parser.add_argument("--patience", type=int, default=300, help="seconds after which a model's process is ended")
    options = parser.parse_args()
    paths = [path for path in files(options) if options.only in str(path)]
    rows = {}

    def run(job):
        for path in paths[job :: options.jobs]:
            if found := examine_apart(options.folder / path, options):
                rows[path] = found

    workers = [threading.Thread(target=run, args=(job,)) for job in range(options.jobs)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    lines = ["\t".join(HEADER), *("\t".join(map(str, (path, *rows[path]))) for path in paths if path in rows)]
    text = "\n".join(lines) + "\n"
    if options.out:
        options.out.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    counts = collections.Counter((path.parts[0], found[3]) for path, found in rows.items())
    for (source, physics), count in sorted(counts.items()):
        print(f"{source}: {count} {physics}", file=sys.stderr)
    return int(any("DIFFERS" in found[4] for found in rows.values()))


if __name__ == "__main__":
    sys.exit(main())

"""Libraries in C for the tests of plugins, compiled on first use."""

import atexit
import functools
import shutil
import subprocess
import tempfile
from pathlib import Path

import envpool_rs

COMPILER = shutil.which("cc")

_FOLDER = tempfile.mkdtemp(prefix="plugins_")
atexit.register(shutil.rmtree, _FOLDER, ignore_errors=True)

SOURCE = r"""
#include "envpool_rs.h"
#include <stddef.h>

/* Counts by `step`, from a random number; the episode ends at 10. With steps of 8, action 2 fails. */
typedef struct { double count; } counter;

static int64_t reset(const epr_env *env, epr_batch *b) {
    (void)env;
    for (uint64_t i = 0; i < b->count; i++) {
        counter *c = epr_state(b, i);
        c->count = HOST->uniform(epr_stream(b, i), 0.0, 1.0);
    }
    return 0;
}

static int64_t step(const epr_env *env, epr_batch *b) {
    const double *by = env->data;
    for (uint64_t i = 0; i < b->count; i++) {
        counter *c = epr_state(b, i);
        int32_t action = *(const int32_t *)epr_action(b, 0, i);
        if (action == 2 && *by == 8.0) {
            b->end[i] = EPR_FAILED;
            epr_error(b, "action 2 fails");
            continue;
        }
        c->count += action * *by;
        b->reward[i] = c->count;
        b->end[i] = c->count >= 10 ? EPR_TERMINATED : 0;
    }
    return 0;
}

static int64_t observe(const epr_env *env, epr_batch *b) {
    (void)env;
    for (uint64_t i = 0; i < b->count; i++) *(double *)epr_out(b, 0, i) = ((counter *)epr_state(b, i))->count;
    return 0;
}

static int64_t is_valid(const epr_env *env, epr_batch *b) {
    (void)env;
    double count = ((counter *)epr_state(b, 0))->count;
    return count >= 0 && count < 1e6 ? 0 : epr_error(b, "a count from 0 to 1e6");
}

static const uint64_t shape[1] = {1};
static const double low[1] = {0}, high[1] = {1e6};
static const int64_t actions[1] = {3};
static const epr_array observation = {.size = sizeof(epr_array), .name = "", .kind = EPR_BOX, .dtype = EPR_FLOAT64,
    .dims = 1, .shape = shape, .bounds = 1, .low = low, .high = high};
static const epr_array action = {.size = sizeof(epr_array), .name = "", .kind = EPR_DISCRETE,
    .dtype = EPR_INT64, .n = actions};
static double steps_by[64];
static uint64_t made;

static int64_t make(const epr_task *task, const epr_value *values, epr_env *env, char *error, uint64_t error_size) {
    (void)task, (void)error, (void)error_size;
    double *by = &steps_by[made++ % 64];
    *by = values[0].number;
    *env = (epr_env){.size = sizeof(epr_env), .data = by, .flags = EPR_PLAIN | EPR_UNIFORM, .observations = 1,
        .observation = &observation, .actions = 1, .action = &action, .state_size = sizeof(counter),
        .reset = reset, .step = step, .observe = observe, .is_valid = is_valid};
    return 0;
}

static const epr_option option[1] = {{.size = sizeof(epr_option), .name = "by", .doc = "size of a step",
    .value = {.kind = EPR_OPTION_FLOAT, .number = 1.0}, .low = 0.5, .high = 8.0, .flags = EPR_RANGE}};
static const epr_task task_a = {.size = sizeof(epr_task), .id = "Counter-v0", .max_episode_steps = 50,
    .reward_threshold = 12.0, .options = 1, .option = option, .make = make};
static const epr_task task_b = {.size = sizeof(epr_task), .id = "folder/Counter-v1", .options = 1,
    .option = option, .make = make};
static const epr_task *const tasks[2] = {&task_a, &task_b};
static const epr_library library = {.size = sizeof(epr_library), .name = "counting", .version = VERSION,
    .tasks = 2, .task = tasks};

EPR_EXPORT const epr_library *envpool_rs_library_0(const epr_host *host) { HOST = host; return &library; }
"""


def crashing(function):
    """Returns the path of a library of which a C function writes to the address 0 (``library``: the exported one)."""
    start = "epr_host *host) { " if function == "library" else f"static int64_t {function}("
    first, rest = SOURCE.split(start)
    head, body = ("", rest) if function == "library" else rest.split("{", 1)
    brace = "" if function == "library" else "{"
    return counting("crash", f"{first}{start}{head}{brace} *(volatile int *)0 = 1; {body}")


@functools.cache
def counting(version="1.2", source=SOURCE):
    """Returns the path of a library of two tasks, `Counter-v0` and `folder/Counter-v1`.

    A process keeps one path until it ends: tests of a module run at several times, and a loaded library stays loaded.
    """
    folder = Path(tempfile.mkdtemp(dir=_FOLDER))
    head = f'#define VERSION "{version}"\n#include "envpool_rs.h"\nstatic const epr_host *HOST;\n'
    (folder / "counting.c").write_text(head + source)
    command = [COMPILER, "-std=c99", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-I", envpool_rs.get_include()]
    subprocess.run([*command, "counting.c", "-o", "counting.so"], cwd=folder, check=True)
    return str(folder / "counting.so")

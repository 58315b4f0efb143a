"""``envpool-rs info``: describes one task."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from envpool_rs._make.make import make_spec
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._tasks.table import kind_text, pool_option_descriptions, task_description
from envpool_rs.cli.text import array_text, bounds_text, space_text, text_table

if TYPE_CHECKING:
    from envpool_rs._core import OptionDescription, SpaceDescriptor
    from envpool_rs.cli.text import Commands


def add_to(commands: Commands) -> None:
    """Adds the command ``info`` to the command line."""
    parser = commands.add_parser(
        "info", help="describe a task", description="Describes a task: spaces, options, infos, limits, configuration."
    )
    parser.add_argument("task", metavar="TASK", help="a task's id, as in `list`")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Prints a task's description.

    Raises:
        ValueError: for an unknown task, with suggestions.
    """
    spec: Any = make_spec(options.task)
    if not isinstance(spec, EnvSpec):  # a task with another package's classes
        print(f"{options.task}\n  observation  {spec.observation_space}\n  action       {spec.action_space}")
        return 0
    print("\n\n".join(_sections(options.task, spec)))
    return 0


def _sections(task: str, spec: EnvSpec) -> list[str]:
    own = task_description(spec.task_id)["options"]
    config = spec.config_dict()
    decided = {option: value for option, value, _ in spec.pool.decided}
    pool = {name: value for name, value in config.items() if name not in {option["name"] for option in own}}
    return [
        f"{task}\n{_facts(spec)}",
        _titled("Options of the environment (keyword arguments of make)", _options(own, config, decided)),
        _titled(
            "Options of a reset (reset(options={...}), numbers)", "  " + (", ".join(spec.pool.reset_options) or "none")
        ),
        _titled("Infos of a step, for one environment", _infos(spec)),
        _titled("Options of every task (keyword arguments of make)", _configuration(pool)),
    ]


def _titled(title: str, body: str) -> str:
    return f"{title}\n{body}"


def _facts(spec: EnvSpec) -> str:
    limit, threshold = spec.max_episode_steps, spec.reward_threshold
    facts = {
        "observation": _space(spec.pool.observation),
        "action": _space(spec.pool.action),
        "players": f"{spec.players}" + (", a row of observations and actions for each" if spec.rows > 1 else ""),
        "pictures": _pictures(spec),
        "episode limit": "none" if limit is None else f"{limit} steps",
        "reward threshold": "none" if threshold is None else f"{threshold:g}",
    }
    return _pairs(facts)


def _pictures(spec: EnvSpec) -> str:
    if spec.pool.picture_size is None:
        return "none"
    width, height = spec.pool.picture_size
    return f"{width} x {height} pixels, {spec.pool.render_fps} per second" + (
        ", and text" if spec.pool.has_text else ""
    )


def _space(space: SpaceDescriptor) -> str:
    bounds = bounds_text(space)
    return f"{space_text(space)}, from {bounds}" if bounds else space_text(space)


def _pairs(values: dict[str, str]) -> str:
    width = max(map(len, values))
    return "\n".join(f"  {name.ljust(width)}  {value}" for name, value in values.items())


def _options(own: list[OptionDescription], config: dict[str, Any], decided: dict[str, bool | str]) -> str:
    if not own:
        return "  none"
    rows = [
        [
            option["name"],
            _default(option, config, decided),
            kind_text(option),
            "yes" if option["each_episode"] else "",
            option["doc"],
        ]
        for option in own
    ]
    return _indented(text_table(["name", "default", "values", "may be drawn", "what it does"], rows))


def _default(option: OptionDescription, config: dict[str, Any], decided: dict[str, bool | str]) -> str:
    """Returns an option's default in Python syntax."""
    name = option["name"]
    if name in decided:
        # The option's default lets the pool choose the value; the configuration contains the chosen value.
        return f"{option['default']!r}, here {decided[name]!r}"
    # Aliases of pool options are not in the configuration.
    return repr(config[name]) if name in config else str(option["default"])


def _infos(spec: EnvSpec) -> str:
    rows = []
    for name, dtype, shape in spec.pool.state_arrays:
        if name.startswith("info:") or name == "elapsed_step":
            sizes = tuple(spec.players if size == -1 else size for size in shape)
            rows.append([name.removeprefix("info:"), array_text(dtype, sizes)])
    return _indented(text_table(["key", "type"], rows))


def _configuration(pool: dict[str, Any]) -> str:
    rows = [
        [
            option["name"],
            repr(pool[option["name"]]) if option["name"] in pool else option["default"],
            kind_text(option),
            option["doc"],
        ]
        for option in pool_option_descriptions()
    ]
    return _indented(text_table(["name", "default", "values", "what it does"], rows))


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())

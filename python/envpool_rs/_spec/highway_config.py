"""Translates highway-env's ``config``, whose keys and nested keys are names of options, to options."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any

from envpool_rs import _core
from envpool_rs._arguments import alternatives, mapping, shown
from envpool_rs._spec.options import TaskBase, all_have, ids_of

CONFIG = "config"
_OF_HIGHWAY = "neighbour_vehicles_connected_lanes"  # an option that all tasks with a configuration have

_RENAMED = {"normalize_reward": "normalized_reward"}  # a pool's option has the package's name
_PARTS = ("observation", "action")
_ACTION_REWARD = "action_reward"  # the only option that begins with a dict's name and is no key of the dict
_MULTI_AGENT = "multi_agent"
# Keys with the only value that has an effect here; keys of windows and unread keys, whose values have none.
_FIXED = {
    "other_vehicles_type": "highway_env.vehicle.behavior.IDMVehicle",
    "manual_control": False,
    "show_trajectories": False,
}
_WITHOUT_EFFECT = ("render_agent", "offscreen_rendering", "real_time_rendering", "flatten", "steering_range")


def from_highway_config(task_id: TaskBase, options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the options of a task with those of ``config``, if it is highway-env's."""
    own = dict(options)
    if own.get(CONFIG) is None or not all_have(task_id, _OF_HIGHWAY):
        if all_have(task_id, _OF_HIGHWAY):
            own.pop(CONFIG, None)
        return own
    config = mapping(CONFIG, own.pop(CONFIG), "a dict, as highway-env takes it, or None")
    defaults = _core.Spec(ids_of(task_id)[0], "gymnasium", {}).config
    found: dict[str, Any] = {}
    for key, value in config.items():
        if key in _FIXED and value != _FIXED[key]:
            raise ValueError(
                f"{CONFIG}[{key!r}]={shown(value)}: expected {_FIXED[key]!r}; other values are not supported"
            )
        if key not in (*_FIXED, *_WITHOUT_EFFECT, *_PARTS):
            name = _option(key, _RENAMED.get(key, key), defaults, CONFIG)
            if name in found:
                other = next(each for each in config if each != key and _RENAMED.get(each, each) == name)
                raise ValueError(f"{CONFIG}[{key!r}] is given twice: also as {other!r}")
            found[name] = _plain(value)
    parts = {part: _part(part, config[part], defaults) for part in _PARTS if part in config}
    several = {part: is_several for part, (_, is_several) in parts.items()}
    if several:
        has_several = several.get("observation", several.get("action"))
        for part in _PARTS:
            if several.get(part, defaults.get(_MULTI_AGENT, False)) != has_several:
                names = " and ".join(f"'MultiAgent{each.capitalize()}'" for each in _PARTS)
                raise ValueError(f"{CONFIG}: expected the types {names} together, in a task with several agents")
        if _MULTI_AGENT in defaults:
            found[_MULTI_AGENT] = has_several
    given = {name: value for nested, _ in parts.values() for name, value in nested.items()}
    for name in own.keys() & (found.keys() | {name for name, value in given.items() if value is not None}):
        raise ValueError(f"{name} is given twice: in {CONFIG} and as an argument")
    return {**given, **found, **own}


def _part(part: str, value: Any, defaults: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """Returns the options of a nested dict, ``None`` for missing keys, and whether each agent has its own."""
    place, flat = f"{CONFIG}[{part!r}]", f"{part}_"
    nested = mapping(place, value, "a dict")
    is_several = nested.get("type") == f"MultiAgent{part.capitalize()}"
    if is_several:
        place = f"{place}[{part + '_config'!r}]"
        nested = mapping(place, nested.get(f"{part}_config"), "a dict")
    if "type" not in nested:
        remedy = f"it replaces the task's dict; the option {flat}... changes one key"
        raise ValueError(f"{place} has no 'type': expected one, because {remedy}")
    options = dict.fromkeys(name for name in defaults if name.startswith(flat) and name != _ACTION_REWARD)
    for key, each in nested.items():
        if key != "flatten":
            options[_option(key, f"{flat}{key}", options, place, flat)] = _plain(each)
    return options, is_several


def _option(key: Any, name: str, known: Mapping[str, Any], place: str, prefix: str = "") -> str:
    """Returns the option of a key; raises a TypeError with suggestions for unknown keys."""
    nested = tuple(f"{part}_" for part in _PARTS)
    outer = (each for each in known if each == _ACTION_REWARD or not each.startswith(nested))
    keys = [each.removeprefix(prefix) for each in (known if prefix else outer) if each not in _POOL_OPTIONS]
    keys += [] if prefix else [each for each, own in _RENAMED.items() if own in known]
    if key in keys:
        return name
    near = difflib.get_close_matches(str(key), keys, n=2)
    hint = f"did you mean {alternatives(near)}?" if near else f"there are: {', '.join(keys)}"
    raise TypeError(f"{place} has the unknown key {key!r}; {hint}")


_POOL_OPTIONS = frozenset(each["name"] for each in _core.pool_options())


def _plain(value: Any) -> Any:
    """Returns a value with arrays as lists, and nested lists of numbers as one list."""
    plain = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(plain, (list, tuple)) and plain and all(isinstance(each, (list, tuple)) for each in plain):
        return [number for each in plain for number in each]
    return plain


def names_in_config(config: Any) -> Iterator[tuple[str, str]]:
    """Yields the place of each key of a configuration, such as ``config['action']['type']``, and its option."""
    if not isinstance(config, Mapping):
        return
    for key, value in config.items():
        if key not in _PARTS:
            yield f"{CONFIG}[{key!r}]", _RENAMED.get(key) or key
        elif isinstance(value, Mapping):
            inner = value.get(f"{key}_config")
            nested, place = (inner, f"[{key + '_config'!r}]") if isinstance(inner, Mapping) else (value, "")
            yield from ((f"{CONFIG}[{key!r}]{place}[{each!r}]", f"{key}_{each}") for each in nested)

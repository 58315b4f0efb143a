"""Operations on environments other than steps and resets, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from envpool_rs._workers.adapters import Adapter


def get_attr(env: Any, name: str) -> Any:
    """Returns the attribute of that (dotted) name, from the environment or from an environment it wraps.

    Raises:
        AttributeError: if there is none.
    """
    first, *rest = name.split(".")
    value = _attribute(env, first)
    for each in rest:
        value = getattr(value, each)
    return value


def _attribute(env: Any, name: str) -> Any:
    try:
        return getattr(env, name)
    except AttributeError:
        inner = getattr(env, "get_wrapper_attr", None)
        if inner is None:
            raise
        return inner(name)


def set_attr(env: Any, argument: tuple[str, Any]) -> None:
    """Sets the attribute of that (dotted) name: on the wrapper that has it, or on the environment itself."""
    name, value = argument
    owner, _, last = name.rpartition(".")
    if owner:
        setattr(get_attr(env, owner), last, value)
        return
    if isinstance(env, Adapter):
        env = env.env
    set_on_wrapper = getattr(env, "set_wrapper_attr", None)
    if callable(set_on_wrapper):
        set_on_wrapper(name, value)
    else:
        setattr(env, name, value)


def call(env: Any, argument: tuple[str, tuple[Any, ...], dict[str, Any]]) -> Any:
    """Calls the method of that (dotted) name. Returns an attribute that is not callable as it is."""
    name, args, keywords = argument
    method = get_attr(env, name)
    if not callable(method) and not args and not keywords:
        return method
    return method(*args, **keywords)


def render(env: Any, keywords: dict[str, Any] | None) -> Any:
    """Calls ``env.render(**keywords)``."""
    return env.render(**(keywords or {}))


def seed(env: Any, value: int | None) -> Any:
    """Seeds by ``env.seed`` if there is one; otherwise calls ``env.reset(seed=...)`` and returns ``[value]``."""
    try:
        method = get_attr(env, "seed")
    except AttributeError:
        method = None
    if callable(method):
        return method(value)
    env.reset(seed=value)
    return [value]


def apply(env: Any, argument: tuple[Callable[..., Any], tuple[Any, ...]]) -> Any:
    """Calls a user's function: ``function(env, *arguments)``."""
    function, arguments = argument
    return function(env, *arguments)


OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "get_attr": get_attr,
    "set_attr": set_attr,
    "call": call,
    "render": render,
    "seed": seed,
    "apply": apply,
}

"""Operations on environments other than steps and resets: attributes, methods, seeds, rendered frames.

Environments may be wrapped by wrappers: objects of gymnasium's or legacy gym's class ``Wrapper``, or of this package's
own, with the wrapped environment as ``env``. An attribute ``env`` of any other object is not an environment's. These
functions run in the process that hosts the environment: a worker, or the calling process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from envpool_rs._workers.env_wrapper import Adapter
from envpool_rs._workers.reset_results import reset_defaults

_ABSENT = object()


def layers(env: Any) -> Iterator[Any]:
    """Yields the wrappers of an environment, from the outermost one to the innermost environment."""
    seen: list[Any] = []
    while env is not None and not any(env is each for each in seen):
        yield env
        seen.append(env)
        is_wrapper = isinstance(env, Adapter) or is_from(env, "Wrapper")
        env = vars(env).get("env") if is_wrapper else None


def is_from(value: Any, name: str) -> bool:
    """Returns whether an object is an instance of gymnasium's or gym's class of this name; imports no library."""
    return any(
        each.__name__ == name and each.__module__.partition(".")[0] in ("gymnasium", "gym")
        for each in type(value).__mro__
    )


def get_attribute(env: Any, name: str) -> Any:
    """Returns an attribute from the outermost layer that has it; without such a layer, the result of the method
    ``get_env_attr`` that an environment's class defines.

    Raises:
        AttributeError: if there is none.
    """
    for layer in layers(env):
        value = getattr(layer, name, _ABSENT)
        if value is not _ABSENT:
            return value
    own = _own_method(env, "get_env_attr")
    if own is not None:
        return own(name)
    raise AttributeError(f"{type(env).__name__} has no attribute {name!r}")


def set_attribute(env: Any, name: str, value: Any) -> None:
    """Sets an attribute on the outermost layer that has it.

    If no layer has the attribute, calls the method ``set_env_attr`` that an environment's class defines; without this
    method, sets the attribute on the innermost environment.
    """
    innermost = env
    for layer in layers(env):
        innermost = layer
        if (name in getattr(layer, "__dict__", ()) or hasattr(type(layer), name)) and _assign(layer, name, value):
            return
    own = _own_method(env, "set_env_attr")
    if own is None:
        setattr(innermost, name, value)
    else:
        own(name, value)


def _own_method(env: Any, name: str) -> Any:
    """Returns the method of the outermost layer whose class defines it; a layer's ``__getattr__`` is not called."""
    return next((getattr(layer, name) for layer in layers(env) if callable(getattr(type(layer), name, None))), None)


def _assign(layer: Any, name: str, value: Any) -> bool:
    """Sets an attribute; returns false if that is impossible, as for a read-only property of a wrapper."""
    try:
        setattr(layer, name, value)
    except AttributeError:
        return False
    return True


def call_method(env: Any, path: str, keywords: Mapping[str, Any]) -> Any:
    """Calls a method of an environment.

    Args:
        env: the environment.
        path: the method's name, or names joined by dots.
        keywords: keyword arguments for the method.

    Raises:
        AttributeError: if there is none.
        TypeError: if that attribute is not a method.
    """
    method = _get_attr(env, path)
    if not callable(method):
        raise TypeError(f"call_method={path!r}: it is a {type(method).__name__}, expected a method")
    return method(**keywords)


def seed_environment(env: Any, seed: int | None) -> list[Any]:
    """Seeds the action space and the environment, by the environment's ``seed`` method, or by a reset if it has none.

    Args:
        env: the environment.
        seed: the seed; the environment decides whether ``None`` draws one from the operating system or continues its
            random stream.

    Returns:
        The result of ``seed`` as a list; ``[seed]`` if it returned nothing.
    """
    space: Any = getattr(env, "action_space", None)
    if hasattr(space, "seed"):
        space.seed(seed)
    returned = _own_seed(env, seed)
    if returned is None or returned is _ABSENT:
        return [seed]
    return list(returned) if isinstance(returned, (list, tuple)) else [returned]


def _own_seed(env: Any, seed: int | None) -> Any:
    """Calls the environment's ``seed`` and returns its result; without that method, calls ``reset`` with the seed and
    returns nothing.
    """
    for layer in layers(env):
        method = getattr(layer, "seed", None)
        if callable(method):
            try:
                return method(seed)
            except NotImplementedError:
                break
    env.reset(**{**reset_defaults(env), "seed": seed})
    return _ABSENT


def render(env: Any, keywords: Mapping[str, Any]) -> Any:
    """Calls the environment's ``render``; returns the result, usually a frame.

    Raises:
        AttributeError: if the environment has no ``render``.
    """
    return get_attribute(env, "render")(**keywords)


def get_environment(env: Any) -> Any:
    """Returns the environment itself; a worker process sends a copy to the caller."""
    return env


def _get_attr(env: Any, name: str) -> Any:
    """Returns an environment's attribute by its name, which may contain dots."""
    first, *names = name.split(".")
    value = get_attribute(env, first)
    for each in names:
        value = getattr(value, each)
    return value


def _set_attr(env: Any, argument: tuple[str, Any]) -> None:
    """Sets an attribute by its name, which may contain dots, on the wrapper that has it, or on the environment
    itself.
    """
    name, value = argument
    owner, _, last = name.rpartition(".")
    if owner:
        setattr(_get_attr(env, owner), last, value)
        return
    while isinstance(env, Adapter):
        env = env.env
    if callable(getattr(type(env), "set_wrapper_attr", None)):
        env.set_wrapper_attr(name, value)
    else:
        setattr(env, name, value)


def _call(env: Any, argument: tuple[str, tuple[Any, ...], dict[str, Any]]) -> Any:
    """Calls a method by its name, which may contain dots; an attribute that is not callable is returned."""
    name, args, keywords = argument
    method = _get_attr(env, name)
    if not callable(method) and not args and not keywords:
        return method
    return method(*args, **keywords)


def _seed(env: Any, value: int | None) -> Any:
    """Seeds an environment by ``env.seed`` if it has this method; otherwise calls ``env.reset(seed=...)`` and returns
    ``[value]``.
    """
    returned = _own_seed(env, value)
    return [value] if returned is _ABSENT else returned


def _apply(env: Any, argument: tuple[Callable[..., Any], tuple[Any, ...]]) -> Any:
    """Calls a user's function with an environment: ``function(env, *arguments)``."""
    function, arguments = argument
    return function(env, *arguments)


OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "get_attr": _get_attr,
    "set_attr": _set_attr,
    "call": _call,
    "render": lambda env, keywords: env.render(**(keywords or {})),
    "seed": _seed,
    "apply": _apply,
}
"""Operations that a worker runs for its caller, by name."""

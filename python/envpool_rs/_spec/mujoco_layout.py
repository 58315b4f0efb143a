"""Describes the struct layout of the installed `mujoco` package, and checks it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from typing import Any

import numpy as np

_SIZES = {"int": 4, "unsigned int": 4, "float": 4, "mjtByte": 1, "mjtBool": 1, "char": 1, "unsigned char": 1}
"""Size in bytes of the C types whose size is not 8 bytes."""

_KINDS = {
    **{"int": "int32", "mjtNum": "float64", "mjtSize": "int64", "size_t": "int64", "uint64_t": "int64"},
    "float": "float32",
    **{"mjtByte": "byte", "mjtBool": "byte"},
}
"""Names in the table, by C type, of the fields that the extension reads."""

_POINTER_KINDS = {"mjtNum": "float64*", "float": "float32*", "int": "int32*", "mjtByte": "byte*", "mjtBool": "byte*"}
"""Names in the table of pointer types, by element type, for the arrays that the extension reads."""

_ENUMERATIONS = {
    "mjtObj": [
        f"mjOBJ_{kind}"
        for kind in ("BODY", "JOINT", "GEOM", "SITE", "LIGHT", "CAMERA", "ACTUATOR", "SENSOR", "MATERIAL")
    ],
    "mjtJoint": [f"mjJNT_{kind}" for kind in ("FREE", "BALL", "SLIDE", "HINGE")],
    "mjtIntegrator": ["mjINT_RK4"],
    "mjtDisableBit": [f"mjDSBL_{stage}" for stage in ("ISLAND", "MIDPHASE", "ACTUATION")],
    "mjtState": ["mjSTATE_INTEGRATION"],
}
"""Enumeration constants whose values the extension reads."""

_INTROSPECT = "envpool_rs._mujoco_introspect"
"""Module name under which ``mujoco.introspect`` is imported without importing ``mujoco``."""

_MIN_COMPARED_FIELDS = 100
"""Minimum number of fields that `check_layout` must have compared."""


def layout_of(folders: list[str]) -> Iterator[str]:
    """Yields the lines of the layout table that the Rust extension reads: fields of MuJoCo's structs, then values of
    enumerations.

    Args:
        folders: the package's folders, which contain the description of its library.

    Raises:
        ImportError: if the folders contain no description.
    """
    structs = _import_introspect(folders, "structs").STRUCTS
    enumerations = _import_introspect(folders, "enums").ENUMS
    for struct in ("mjModel", "mjData"):
        yield from _fields(structs, structs[struct].fields, f"{struct}.", 0)
    yield f"mjModel.sizeof {_extent(structs, structs['mjModel'].fields)[0]}"
    for enumeration, members in _ENUMERATIONS.items():
        for member in members:
            yield f"{enumeration}.{member} {enumerations[enumeration].values[member]}"
    yield from _render_layout_of(structs, enumerations)


def further_layout_of(folders: list[str]) -> Iterator[str]:
    """Yields further lines of the layout table: ``mjContact``, the array of contacts in ``mjData``, the flags of
    options, and the number of parameters of an equality constraint, if the package contains MuJoCo's headers.

    Raises:
        ImportError: if the folders contain no description.
    """
    structs = _import_introspect(folders, "structs").STRUCTS
    for field, start, _, _ in _fields_with_offsets(structs, structs["mjData"].fields):
        if field.name == "contact":
            yield f"mjContact.array {start} byte* 1 8"
    yield from _fields(structs, structs["mjContact"].fields, "mjContact.", 0)
    yield f"mjContact.sizeof {_extent(structs, structs['mjContact'].fields)[0]}"
    enumerations = _import_introspect(folders, "enums").ENUMS
    for enumeration in ("mjtDisableBit", "mjtEnableBit"):
        yield from (f"{enumeration}.{member} {value}" for member, value in enumerations[enumeration].values.items())
    for folder in folders:
        header = os.path.join(folder, "include", "mujoco", "mjmodel.h")  # noqa: PTH118
        if os.path.isfile(header):  # noqa: PTH113
            with open(header, encoding="utf-8") as lines:  # noqa: PTH123
                words = (line.split() for line in lines)
                yield from (f"mjNEQDATA {word[2]}" for word in words if word[:2] == ["#define", "mjNEQDATA"])


def _import_introspect(folders: list[str], name: str) -> Any:
    """Imports a module of ``mujoco.introspect`` without importing ``mujoco`` itself."""
    if _INTROSPECT not in sys.modules:
        spec = ModuleSpec(_INTROSPECT, None, is_package=True)
        spec.submodule_search_locations = [os.path.join(folder, "introspect") for folder in folders]  # noqa: PTH118
        sys.modules[_INTROSPECT] = module_from_spec(spec)
    return import_module(f"{_INTROSPECT}.{name}")


def _render_layout_of(structs: Any, enumerations: Any) -> Iterator[str]:
    """Yields the lines of the table that rendering needs; none if this MuJoCo version lacks a required struct, which
    disables rendering.
    """
    for struct in ("mjvScene", "mjvCamera", "mjvOption", "mjvPerturb", "mjrContext"):
        if struct in structs:
            size, _ = _measure(structs, structs[struct])
            yield f"sizeof.{struct} {size}"
            yield from _fields(structs, structs[struct].fields, f"{struct}.", 0)
    for enumeration in ("mjtRndFlag", "mjtVisFlag", "mjtCamera", "mjtCatBit", "mjtFramebuffer", "mjtFontScale"):
        if enumeration in enumerations:
            for member, number in enumerations[enumeration].values.items():
                yield f"{enumeration}.{member} {number}"


def _fields(structs: Any, fields: Any, prefix: str, offset: int) -> Iterator[str]:
    """Yields lines for the fields of a struct at ``offset``, laid out by C's rules."""
    for field, start, element, count in _fields_with_offsets(structs, fields):
        size, _ = _measure(structs, element)
        name = f"{prefix}{field.name}"
        kind = _kind(element)
        if kind is not None:
            yield f"{name} {offset + start} {kind} {count} {size}"
        elif count == 1:
            yield from _fields(structs, _members(structs, element), f"{name}.", offset + start)
        elif _is_struct(structs, element):
            for member, inner, inner_element, _ in _fields_with_offsets(structs, _members(structs, element)):
                yield f"{name}.{member.name} {offset + start + inner} {_kind(inner_element) or 'other'} {count} {size}"


def _fields_with_offsets(structs: Any, fields: Any) -> Iterator[tuple[Any, int, Any, int]]:
    """Yields each field with its offset, the type of its elements, and their number."""
    end = 0
    for field in fields:
        element, count = _element(field.type)
        size, alignment = _measure(structs, element)
        start = -(-end // alignment) * alignment
        yield field, start, element, count
        end = start + size * count


def _element(kind: Any) -> tuple[Any, int]:
    extents = getattr(kind, "extents", None)
    if extents is None:
        return kind, 1
    return kind.inner_type, int(np.prod(extents))


def _measure(structs: Any, kind: Any) -> tuple[int, int]:
    """Returns the size and alignment of a C type in bytes."""
    if not _is_struct(structs, kind):
        size = _SIZES.get(getattr(kind, "name", ""), 8)
        return size, size
    return _extent(structs, _members(structs, kind))


def _extent(structs: Any, fields: Any) -> tuple[int, int]:
    """Returns the size and alignment in bytes of a struct with these fields."""
    end, widest = 0, 1
    for _, start, element, count in _fields_with_offsets(structs, fields):
        size, alignment = _measure(structs, element)
        end, widest = start + size * count, max(widest, alignment)
    return -(-end // widest) * widest, widest


def _is_struct(structs: Any, kind: Any) -> bool:
    return hasattr(kind, "fields") or getattr(kind, "name", None) in structs


def _members(structs: Any, kind: Any) -> Any:
    if hasattr(kind, "fields"):
        return kind.fields
    return structs[kind.name].fields if getattr(kind, "name", None) in structs else ()


def _kind(kind: Any) -> str | None:
    inner = getattr(kind, "inner_type", None)
    if inner is not None:
        return _POINTER_KINDS.get(getattr(inner, "name", ""), "address")
    name = getattr(kind, "name", "")
    return _KINDS.get(name) or (f"other{_SIZES[name]}" if name in _SIZES else None)


def _model(mujoco: Any) -> Any:
    """Returns a model in which almost all sizes (``nq``, ``nv``, ...) differ, so that the check notices exchanged
    fields.
    """
    return mujoco.MjModel.from_xml_string(
        """<mujoco><worldbody><site name="a"/><body name="b"><freejoint/><geom size=".1" mass="1"/><site name="c"/>
        <body pos="0 0 1"><joint name="j"/><geom size=".2" mass="2"/></body></body></worldbody>
        <actuator><motor joint="j" ctrlrange="-1 2"/></actuator></mujoco>"""
    )


def check_layout(mujoco: Any, layout: str) -> None:
    """Checks the table of struct offsets: compares values at these offsets with the values that the package ``mujoco``
    reads.

    Raises:
        ImportError: if a field has another offset; names the first one.
    """
    import ctypes

    model = _model(mujoco)
    data = mujoco.MjData(model)
    if np.dtype(data.qpos.dtype) != np.float64:
        raise ImportError("it computes in single precision")
    mujoco.mj_forward(model, data)
    objects = {"mjModel": model, "mjData": data}
    types: dict[str, Any] = {
        "int32": ctypes.c_int32,
        "int64": ctypes.c_int64,
        "float64": ctypes.c_double,
        "float32": ctypes.c_float,
        **dict.fromkeys(_POINTER_KINDS.values(), ctypes.c_void_p),
    }
    checked = 0
    for line in layout.splitlines():
        name, offset, kind, count, _ = [*line.split(), "", "", ""][:5]
        struct, _, path = name.partition(".")
        if struct not in objects or kind not in types or count != "1":
            continue
        owner: Any = objects[struct]
        for part in path.split("."):
            owner = getattr(owner, part, None)
        if owner is None or not isinstance(owner, (int, float, np.ndarray)):
            continue
        found = types[kind].from_address(objects[struct]._address + int(offset)).value
        expected = owner.ctypes.data if isinstance(owner, np.ndarray) else owner
        # Skipped: in Python, empty arrays and arrays that MuJoCo has not allocated have arbitrary addresses.
        if isinstance(owner, np.ndarray) and (owner.size == 0 or found is None):
            continue
        if found != expected:
            raise ImportError(f"{name} does not lie where it should")
        checked += 1
    if checked < _MIN_COMPARED_FIELDS:
        raise ImportError(f"only {checked} fields could be compared")

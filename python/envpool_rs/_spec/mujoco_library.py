"""Finds and opens the shared library of the installed ``mujoco`` package, and describes the layout of its structs."""

from __future__ import annotations

import ctypes
import errno
import functools
import hashlib
import math
import os
import sys
from collections.abc import Iterator
from importlib import import_module, metadata
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec
from operator import attrgetter
from pkgutil import extend_path
from typing import Any

import numpy as np

from envpool_rs import _core

EXTRA = "pip install 'envpool_rs[mujoco]', which is mujoco 3.6 or later (tested: 3.6.0 and 4.0.0)"
_LIBRARIES = ("libmujoco.so", "libmujoco.", "mujoco.dll")  # prefixes of its file's name on Linux, macOS and Windows
_EXHAUSTED_ERRNOS = (errno.EMFILE, errno.ENFILE, errno.ENOMEM)  # which installing a package does not fix
_VERIFIED_VERSIONS = {
    "3.6.0": "1aad0eedc8f2fcd2",
    "3.16.0": "b51d8c81b28e1fa8",
    "3.17.0": "c7ee2fb9debd956e",
    "4.0.0": "ac555efc2155ad58",
}
"""Versions of MuJoCo that have native steps, with the digests of their verified layout tables."""


def open_library(*, with_package: bool = True) -> None:
    """Opens MuJoCo's library, and imports its package if ``with_package``; raises ImportError, naming the remedy."""
    try:
        _open()  # which caches no failure: it may be temporary, such as a lack of memory
    except (ImportError, AttributeError, KeyError, ValueError) as error:
        if find_spec("mujoco") is None:
            raise ImportError(f"this needs MuJoCo: {EXTRA}") from None
        raise ImportError(f"mujoco {_version()} cannot be used ({error}): {_remedy(error)}") from error
    if not with_package:
        return
    try:
        import_module("mujoco")  # which adds decoders of file formats to MuJoCo's library
    except ImportError as error:
        # An exception such as KeyboardInterrupt that interrupts a compiled module's initialisation becomes the cause of
        # an ImportError.
        cause: BaseException | None = error
        while cause is not None:
            if not isinstance(cause, Exception):
                raise cause from None
            cause = cause.__cause__
        raise ImportError(f"the mujoco package cannot be imported ({error}): {_remedy(error)}") from error


def describe_library() -> str:
    """Returns the path of MuJoCo's library and the table of structs, as `sim::mujoco::install_described` reads it."""
    open_library(with_package=False)
    folders = _folders()
    return "\n".join([path_of(folders), _checked_layout(folders)])


def _remedy(error: Exception) -> str:
    is_scarce = any(os.strerror(number) in str(error) for number in _EXHAUSTED_ERRNOS)
    return "raise the limits of this process (ulimit -a), or close what it has open" if is_scarce else EXTRA


@functools.cache
def _open() -> None:
    # A library with a known struct layout is opened without importing its package, because the import takes longer than
    # all other steps.
    folders = _folders()
    # Vectors and matrices, and their products with themselves, show how numpy's BLAS rounds. Of a product of matrices,
    # for which it has other kernels, each element is that of a row and a column.
    random = np.random.default_rng(0)
    vectors = [random.uniform(-1, 1, size) for size in (2, 3) for _ in range(64)]
    products = [(vector.tolist(), vector.tolist(), float(vector.dot(vector))) for vector in vectors]
    matrix_products = []
    for first, second in np.random.default_rng(1).uniform(-1, 1, (16, 2, 3, 3)):
        for (row, column), element in np.ndenumerate(first.dot(second)):
            matrix_products.append((first[row].tolist(), second[:, column].tolist(), float(element)))
    keeps_single = (0.1 * np.ones(1, np.float32)[0]).dtype == np.float32
    library, layout = path_of(folders), _checked_layout(folders)
    _core.install_mujoco(library, layout, products, matrix_products, keeps_single, list(_kernels()))


@functools.cache
def adopt_numpy() -> None:
    """Makes environments that need no MuJoCo compute ``np.exp`` and other functions by numpy's loops."""
    _core.adopt_numpy_kernels(list(_kernels()))


def _checked_layout(folders: list[str]) -> str:
    layout = "\n".join(layout_of(folders))
    digest = digest_of(layout)
    verified = [version for version, known in _VERIFIED_VERSIONS.items() if known == digest]
    if verified:
        major, minor, patch = map(int, verified[0].split("."))
        version = 1_000_000 * major + 1000 * minor + patch
    else:
        import mujoco

        check_layout(mujoco, layout)
        version = mujoco.mj_version()
    return "\n".join([layout, *further_layout_of(folders), f"mj_version {version}"])


def _version() -> str:
    try:
        return metadata.version("mujoco")
    except metadata.PackageNotFoundError:
        return "of an unknown version"


def _folders() -> list[str]:
    """Returns the folders of the package ``mujoco``; several distributions may have installed parts of it."""
    spec = find_spec("mujoco")
    return list(extend_path(list(spec.submodule_search_locations or ()), "mujoco")) if spec else []


def path_of(folders: list[str]) -> str:
    for folder in folders:
        for start in _LIBRARIES:
            names = [name for name in os.listdir(folder) if name.startswith(start)]  # noqa: PTH208
            if names:
                return str(os.path.join(folder, min(names)))  # noqa: PTH118
    raise ImportError("there is no library in its folder")


def digest_of(layout: str) -> str:
    return hashlib.sha256(layout.encode()).hexdigest()[:16]


_PYOBJECT_HEAD_SIZE = 16  # size of a Python object's header in bytes, before its own fields
_NPY_FLOAT, _NPY_DOUBLE = 11, 12  # numpy's type numbers of float32 and float64


def _kernels() -> Iterator[tuple[str, int, int]]:
    """Yields the name of each function, and the addresses of numpy's loop for it and of the loop's data."""
    for name in _core.numpy_kernels():
        ufunc, _, kind = name.partition(":")
        function, number = attrgetter(ufunc)(np), _NPY_FLOAT if kind == "float32" else _NPY_DOUBLE
        start = id(function) + _PYOBJECT_HEAD_SIZE
        inputs, outputs, arguments, _ = (ctypes.c_int * 4).from_address(start)
        functions, data = (ctypes.c_void_p * 2).from_address(start + 16)
        count = ctypes.c_int.from_address(start + 32).value
        _, types = (ctypes.c_void_p * 2).from_address(start + 40)
        described = (function.nin, function.nout, function.nargs, function.ntypes)
        # numpy's function objects do not have the memory layout that numpy's headers declare.
        if (inputs, outputs, arguments, count) != described or not (functions and data and types):
            return
        kinds = ctypes.string_at(types, count * arguments)
        rows = (row for row in range(count) if set(kinds[row * arguments : (row + 1) * arguments]) == {number})
        row = next(rows, None)
        if row is None:
            return
        loops, datas = ((ctypes.c_void_p * count).from_address(place) for place in (functions, data))
        yield name, loops[row] or 0, datas[row] or 0


def _scalar(name: str, base: Any) -> Any:
    """Returns a type of its own for a C type, whose name in the table is ``name``."""
    return type(name, (base,), {})


# Types of the fields that the extension reads, by their names in the table; of fields that are no structs, and of the
# pointers to arrays that the extension reads, by C type.
_INT, _INT64 = _scalar("int32", ctypes.c_int32), _scalar("int64", ctypes.c_int64)
_DOUBLE, _FLOAT = _scalar("float64", ctypes.c_double), _scalar("float32", ctypes.c_float)
_BYTE = _scalar("byte", ctypes.c_uint8)
_SCALARS = {
    **{"int": _INT, "mjtNum": _DOUBLE, "float": _FLOAT, "mjtByte": _BYTE, "mjtBool": _BYTE},
    **dict.fromkeys(["mjtSize", "size_t", "uint64_t"], _INT64),
    "unsigned int": _scalar("other4", ctypes.c_uint32),
    **dict.fromkeys(["char", "unsigned char"], _scalar("other1", ctypes.c_uint8)),
}
_POINTED = ("mjtNum", "float", "int", "mjtByte", "mjtBool")
_POINTERS = {name: _scalar(f"{_SCALARS[name].__name__}*", ctypes.c_void_p) for name in _POINTED}
_ADDRESS, _UNKNOWN = _scalar("address", ctypes.c_void_p), _scalar("", ctypes.c_uint64)

_ENUMERATIONS = {
    "mjtObj": "mjOBJ_ BODY JOINT GEOM SITE LIGHT CAMERA ACTUATOR SENSOR MATERIAL",
    "mjtJoint": "mjJNT_ FREE BALL SLIDE HINGE",
    "mjtIntegrator": "mjINT_ RK4",
    "mjtDisableBit": "mjDSBL_ ISLAND MIDPHASE ACTUATION",
    "mjtState": "mjSTATE_ INTEGRATION",
}
"""Enumerations, each with the prefix of its constants and the rest of the names of those that the extension reads."""

_INTROSPECT = "envpool_rs._mujoco_introspect"  # name of `mujoco.introspect` here, imported without `mujoco`
_MIN_COMPARED_FIELDS = 100  # minimum number of fields that `check_layout` must have compared


def _import_introspect(folders: list[str], name: str) -> Any:
    if _INTROSPECT not in sys.modules:
        spec = ModuleSpec(_INTROSPECT, None, is_package=True)
        spec.submodule_search_locations = [os.path.join(folder, "introspect") for folder in folders]  # noqa: PTH118
        sys.modules[_INTROSPECT] = module_from_spec(spec)
    return import_module(f"{_INTROSPECT}.{name}")


def layout_of(folders: list[str]) -> Iterator[str]:
    """Yields the lines of the layout table that the Rust extension reads: fields of structs, then enumerations."""
    structs = _import_introspect(folders, "structs").STRUCTS
    enumerations = _import_introspect(folders, "enums").ENUMS
    model, data = (_type(structs, structs[struct]) for struct in ("mjModel", "mjData"))
    yield from _fields(model, "mjModel.")
    yield from _fields(data, "mjData.")
    yield f"mjModel.sizeof {ctypes.sizeof(model)}"
    for enumeration, names in _ENUMERATIONS.items():
        prefix, *members = names.split()
        for member in members:
            yield f"{enumeration}.{prefix}{member} {enumerations[enumeration].values[prefix + member]}"
    # Rendering is disabled if this MuJoCo version lacks one of its structs.
    for struct in ("mjvScene", "mjvCamera", "mjvOption", "mjvPerturb", "mjrContext"):
        if struct in structs:
            fields = _type(structs, structs[struct])
            yield f"sizeof.{struct} {ctypes.sizeof(fields)}"
            yield from _fields(fields, f"{struct}.")
    yield from _members_of(
        enumerations, "mjtRndFlag", "mjtVisFlag", "mjtCamera", "mjtCatBit", "mjtFramebuffer", "mjtFontScale"
    )


def further_layout_of(folders: list[str]) -> Iterator[str]:
    """Yields lines for contacts, flags of options, kinds of constraints, and the size of equality constraints."""
    structs = _import_introspect(folders, "structs").STRUCTS
    data, contact = (_type(structs, structs[struct]) for struct in ("mjData", "mjContact"))
    if hasattr(data, "contact"):
        yield f"mjContact.array {data.contact.offset} byte* 1 8"
    yield from _fields(contact, "mjContact.")
    yield f"mjContact.sizeof {ctypes.sizeof(contact)}"
    yield from _members_of(_import_introspect(folders, "enums").ENUMS, "mjtDisableBit", "mjtEnableBit", "mjtConstraint")
    for folder in folders:
        header = os.path.join(folder, "include", "mujoco", "mjmodel.h")  # noqa: PTH118
        if os.path.isfile(header):  # noqa: PTH113
            with open(header, encoding="utf-8") as lines:  # noqa: PTH123
                words = (line.split() for line in lines)
                yield from (f"mjNEQDATA {word[2]}" for word in words if word[:2] == ["#define", "mjNEQDATA"])


def _members_of(enumerations: Any, *names: str) -> Iterator[str]:
    for name in filter(enumerations.__contains__, names):
        yield from (f"{name}.{member} {value}" for member, value in enumerations[name].values.items())


def _type(structs: Any, kind: Any) -> Any:
    """Returns the type of a field, or a declared struct, which ctypes lays out by C's rules."""
    if hasattr(kind, "extents"):
        return _type(structs, kind.inner_type) * math.prod(kind.extents)
    if hasattr(kind, "inner_type"):
        return _POINTERS.get(getattr(kind.inner_type, "name", ""), _ADDRESS)
    declaration = kind if hasattr(kind, "fields") else structs.get(getattr(kind, "name", None))
    if declaration is None:
        return _SCALARS.get(getattr(kind, "name", ""), _UNKNOWN)
    fields = [(field.name, _type(structs, field.type)) for field in declaration.fields]
    return type("Struct", (ctypes.Structure,), {"_fields_": fields})


def _fields(struct: Any, prefix: str, offset: int = 0) -> Iterator[str]:
    """Yields a line for each field of a struct at ``offset``, and of structs and arrays of structs in it."""
    for name, kind in struct._fields_:
        start = offset + getattr(struct, name).offset
        element, count = (kind._type_, kind._length_) if issubclass(kind, ctypes.Array) else (kind, 1)
        if not issubclass(element, ctypes.Structure):
            if element is not _UNKNOWN:
                yield f"{prefix}{name} {start} {element.__name__} {count} {ctypes.sizeof(element)}"
        elif count == 1:
            yield from _fields(element, f"{prefix}{name}.", start)
        else:
            for line in _fields(element, f"{prefix}{name}.", start):
                field, place, known, *_ = line.split()
                yield f"{field} {place} {known} {count} {ctypes.sizeof(element)}"


def check_layout(mujoco: Any, layout: str) -> None:
    """Raises ImportError if values at the table's offsets differ from those that the package ``mujoco`` reads."""
    # The model's sizes (nq, nv, ...) differ, so that exchanged fields are noticed.
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><worldbody><site name="a"/><body name="b"><freejoint/><geom size=".1" mass="1"/><site name="c"/>
        <body pos="0 0 1"><joint name="j"/><geom size=".2" mass="2"/></body></body></worldbody>
        <actuator><motor joint="j" ctrlrange="-1 2"/></actuator></mujoco>"""
    )
    data = mujoco.MjData(model)
    if np.dtype(data.qpos.dtype) != np.float64:
        raise ImportError("it computes in single precision")
    mujoco.mj_forward(model, data)
    objects = {"mjModel": model, "mjData": data}
    types = {each.__name__: each for each in (_INT, _INT64, _DOUBLE, _FLOAT, *_POINTERS.values())}
    checked = 0
    for line in layout.splitlines():
        name, offset, kind, count, _ = [*line.split(), "", "", ""][:5]
        struct, _, path = name.partition(".")
        if struct not in objects or kind not in types or count != "1":
            continue
        owner: Any = objects[struct]
        for part in path.split("."):
            owner = getattr(owner, part, None)
        if not isinstance(owner, (int, float, np.ndarray)):
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

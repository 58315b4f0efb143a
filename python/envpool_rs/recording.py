"""``record``: stores the episodes of a pool while it is used; ``load``: reads them, as arrays or episode by episode."""

from __future__ import annotations

import atexit
import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector.utils import batch_space

from envpool_rs import _arguments, _core
from envpool_rs._arguments import choice, readable, shown, text
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs._nested import fold_space, map_leaves, zip_leaves
from envpool_rs._nested import leaves as leaves_of

__all__ = ["Episode", "Recorded", "Recording", "load", "record"]

FORMATS = ("npz", "hdf5", "minari")
_CHUNK_BYTES = 1 << 20  # that a chunk of results stores
_DECODED_BYTES = 16 << 20  # of a chunk's results with whole stacks of frames
_UNCHANGED, _RESET, _STEP, _MOVED = range(4)  # kinds of rows: `RowKind` in src/python/recording.rs
_PUSHED = 1  # code of a pushed frame; 0 for an unchanged stack, 2 for a whole one
_LENGTH = 8  # bytes of the length of a chunk or section
_CHECKSUM = 4  # bytes of a CRC-32, of the length and of a chunk
_END = b"\n"  # of a chunk, after its checksum: shows that no zeros of a power failure are there
_WORD = 8  # bytes of a frame that are stored if one of them has changed
_LOG = ".recording"  # end of the name of the file that is written while a pool is recorded
_FORMAT = 5  # of the files: grows when their content changes its meaning
_MAGIC = b"envpool_rs recording %d\n" % _FORMAT
_EXPECTED = "expected a file that envpool_rs.record has written"
_DESCRIBED = {"id", "num_envs", "players", "autoreset_mode", "names", "columns", "stack", "structure"}
_DESCRIBED |= {"observation_space", "action_space"}
_ZIP_LENGTHS, _ZIP_HEADER = 26, 30  # of a member's header: where the lengths of name and extra are, and its size
_HDF5 = b"\x89HDF\r\n\x1a\n"  # with which files of HDF5 begin


def record(
    env: Any,
    path: str | os.PathLike[str],
    format: str = "npz",
    *,
    infos: Sequence[str] = (),
    flush_seconds: float = 10.0,
) -> Recording:
    """Stores all episodes of ``env`` that begin and end from now on in ``path``, until the recording is closed.

    ``env`` is used as before: ``step``, ``send`` and ``recv``, resets of all or some environments, asynchronous
    batches, wrappers and trainers. It may be any pool, of any interface and autoreset mode, over native environments,
    worker processes or Ray's actors, or a wrapper of one. Results are stored as the pool returns them, normalised if it
    normalises, and actions with the dtype with which the pool checks them.

    A thread appends results to ``path + ".recording"``, at most 48 MB behind; ``step`` waits if the file is
    slower. Frames of Atari's stacks are stored once, as differences. ``close`` converts this file; for ``"npz"``, it
    needs the arrays' size in temporary files next to ``path``. After a crash, :func:`load` reads its episodes.

    Args:
        env: a pool, or a wrapper around one. Steps of ``xla()`` are not recorded, and raise a RuntimeError.
        path: ``"npz"`` and ``"hdf5"``: a file; ``"minari"``: the folder of a dataset, whose ``data`` minari loads. It
            must not exist.
        format: ``"npz"``: arrays ``(T, n, ...)``; ``"hdf5"``: a group for each episode; ``"minari"``: a dataset of
            Minari, without loss. The last two need ``pip install 'envpool_rs[hdf5]'``, ``'envpool_rs[minari]'``.
        infos: names of infos to store; infos must be arrays.
        flush_seconds: time after which the next result is appended to the file together with those before it, even if
            they are few.

    Raises:
        ValueError: for an unknown format or info, for observations or actions that are no arrays, and if
            ``flush_seconds`` is negative or no number.
        FileExistsError: if the path exists.
        ImportError: if a package for the format is missing.
        RuntimeError: if the pool is recorded already, or used by an XLA program.
    """
    choice("format", format, FORMATS)
    if format == "hdf5":
        _import("h5py", "hdf5")
    elif format == "minari":
        _import("minari", "minari")
        _import("h5py", "minari")  # minari's own import would be in `atexit`, after which h5py cannot end
    if isinstance(infos, str):
        raise TypeError(f"infos={infos!r}: expected a list of names")
    names = [text(f"infos[{index}]", name) for index, name in enumerate(infos)]
    seconds = _arguments.number("flush_seconds", flush_seconds, "a number of at least 0", lambda seconds: seconds >= 0)
    return Recording(_pool_of(env), _file("path", path), format, names, seconds)


def _file(name: str, path: Any) -> Path:
    given = _arguments.path(name, path, "a path")
    if given is None:
        raise TypeError(f"{name}=None: expected a path")
    if not Path(given).name:
        raise ValueError(f"{name}={given!r}: expected the path of a file")
    return Path(given)


def _import(name: str, extra: str) -> Any:
    try:
        return resolve_name(name)
    except ImportError as error:
        raise ImportError(f"this format needs {name}: pip install 'envpool_rs[{extra}]'") from error


def _pool_of(env: Any) -> Any:
    """Returns the pool inside of wrappers, trainers' environments and single environments."""
    found = env
    for _ in range(8):
        if isinstance(found, _core.Pool):
            return found
        inner = (getattr(found, name, None) for name in ("vector_env", "_pool", "pool", "unwrapped"))
        following = next((each for each in inner if each is not None and each is not found), None)
        if following is None:
            break
        found = following
    raise TypeError(f"env={shown(env)}: expected a pool, or a wrapper around one")


class Recording(KnownAttributes):
    """Recording of a pool that is going on; a context manager that closes it."""

    path: Path
    """Where the episodes are after ``close``."""

    def __init__(self, env: Any, path: Path, format: str, infos: list[str], flush_seconds: float) -> None:
        self.path, self._format = path, format
        self._log_path = path.with_name(path.name + _LOG)
        for each in (path, self._log_path):
            if each.exists():
                raise FileExistsError(f"path={os.fspath(path)!r}: {each} exists; expected a new path")
        self._pool = getattr(env, "_active_pool", env)
        self._process = os.getpid()
        self._is_open = True
        config = env.config
        depth = config.get("stack_num") or config.get("stack_size")
        depth = depth if isinstance(depth, int) else 1
        structure, columns, is_stacked = self._pool._recorded_columns(infos, depth)
        header = _header(env, structure, columns, depth if is_stacked else None)
        described = json.dumps(header).encode()
        with self._log_path.open("xb") as file:
            file.write(_MAGIC + zlib.crc32(described).to_bytes(_CHECKSUM, "little") + described + b"\n")
        try:
            limits = (_CHUNK_BYTES, _DECODED_BYTES, flush_seconds)
            self._pool._start_recording(self._log_path, infos, depth, limits)
        except BaseException:
            self._log_path.unlink()
            raise
        atexit.register(self.close)

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Recording({os.fspath(self.path)!r}, format={self._format!r})"

    def flush(self) -> None:
        """Waits until all results up to now are in the file ``path + ".recording"``.

        Raises a RuntimeError in a forked child: the file is the parent's.
        """
        self._pool._flush_recording()

    def close(self) -> None:
        """Ends the recording, and writes the episodes in the requested format. A second call does nothing.

        Raises the error of a file that could not be written; the file ``path + ".recording"`` then has all earlier
        episodes.
        """
        if not self._is_open or self._process != os.getpid():  # the file is the parent's
            return
        try:
            self._pool._stop_recording()
        except OSError:
            self._is_open = False
            raise
        self._is_open = False
        atexit.unregister(self.close)
        recorded = Recorded(self._log_path)
        if self._format == "npz":
            recorded.save_npz(self.path)
        elif self._format == "hdf5":
            recorded.save_hdf5(self.path)
        else:
            recorded.save_minari(self.path)
        self._log_path.unlink()


def _header(env: Any, structure: Any, columns: list[tuple[str, str, list[int]]], depth: int | None) -> dict[str, Any]:
    """Describes a recording, as json."""
    spec = env.spec
    observation, action = (
        getattr(env, f"single_{name}_space", None)
        if "gymnasium" in type(getattr(env, f"single_{name}_space", None)).__module__
        else getattr(spec, f"gymnasium_{name}_space")
        for name in ("observation", "action")
    )
    return {
        "format": _FORMAT,
        "id": spec.id,
        "num_envs": len(env),
        "players": spec.rows,
        "autoreset_mode": spec.autoreset_mode.name.lower(),
        "names": [name for name, *_ in columns],
        "columns": [[dtype, shape] for _, dtype, shape in columns],
        "stack": depth,
        "structure": _tagged(structure),
        "observation_space": _space_to_json(observation),
        "action_space": _space_to_json(action),
    }


def _tagged(structure: Any) -> Any:
    if isinstance(structure, dict):
        return {"dict": {key: _tagged(part) for key, part in structure.items()}}
    return {"tuple": [_tagged(part) for part in structure]} if isinstance(structure, tuple) else structure


def _untagged(tagged: Any) -> Any:
    if not isinstance(tagged, dict):
        return tagged
    if "dict" in tagged:
        return {key: _untagged(part) for key, part in tagged["dict"].items()}
    return tuple(_untagged(part) for part in tagged["tuple"])


def _space_to_json(space: Any) -> dict[str, Any] | None:
    """Describes a space; ``None`` for spaces whose members are no arrays."""
    kind = type(space).__name__
    given: dict[str, Any] | None = None
    if isinstance(space, spaces.Dict):
        parts = {key: _space_to_json(part) for key, part in space.spaces.items()}
        given = {"parts": {key: part for key, part in parts.items() if part is not None}}
    elif isinstance(space, spaces.Tuple):
        given = {"parts": [_space_to_json(part) for part in space.spaces]}
    elif isinstance(space, spaces.Box):
        bounds = [
            bound.flat[0].item() if np.all(bound == bound.flat[0]) else bound.tolist()
            for bound in (space.low, space.high)
        ]
        given = {"bounds": bounds, "shape": space.shape, "dtype": str(space.dtype)}
    elif isinstance(space, spaces.Discrete):
        given = {"n": int(space.n), "start": int(space.start)}
    elif isinstance(space, spaces.MultiDiscrete):
        given = {"nvec": space.nvec.tolist(), "dtype": str(space.dtype)}
    elif isinstance(space, spaces.MultiBinary):
        given = {"n": space.n if isinstance(space.n, int) else list(space.n)}
    return given and {"kind": kind, **given}


def _space_from_json(given: Mapping[str, Any]) -> Any:
    kind = given["kind"]
    if kind == "Dict":
        return spaces.Dict({key: _space_from_json(part) for key, part in given["parts"].items()})
    if kind == "Tuple":
        return spaces.Tuple([_space_from_json(part) for part in given["parts"]])
    if kind == "Box":
        dtype, shape = np.dtype(given["dtype"]), tuple(given["shape"])
        low, high = (np.broadcast_to(np.array(bound, dtype), shape).copy() for bound in given["bounds"])
        return spaces.Box(low, high, shape, dtype.type)
    if kind == "Discrete":
        return spaces.Discrete(given["n"], start=given["start"])
    if kind == "MultiDiscrete":
        return spaces.MultiDiscrete(np.array(given["nvec"]), dtype=np.dtype(given["dtype"]).type)
    return spaces.MultiBinary(given["n"])


@dataclass(frozen=True, eq=False)
class Episode:
    """One complete episode of ``length`` steps. With several players, the second axis of arrays is theirs."""

    env_id: int
    observations: Any
    """Arrays ``(length + 1, ...)``, nested as observations are, without strings."""
    actions: Any
    """Arrays ``(length, ...)``."""
    rewards: npt.NDArray[Any]
    terminations: npt.NDArray[np.bool_]
    truncations: npt.NDArray[np.bool_]
    infos: dict[str, npt.NDArray[Any]]
    """The selected infos ``(length + 1, ...)``; the first are those of the reset."""

    def __len__(self) -> int:
        return len(self.rewards)


def load(path: str | os.PathLike[str]) -> Recorded:
    """Opens what :func:`record` has written with the formats ``"npz"`` and ``"hdf5"``, or an interrupted recording.

    An interrupted recording has the episodes up to its last complete chunk, also if a power failure has filled the rest
    with zeros. Each of its chunks has a checksum.

    Raises a FileNotFoundError if there is neither, and a ValueError that names the path for other and damaged files,
    here or when a damaged part is read. ``minari.MinariDataset(path + "/data")`` reads the format ``"minari"``.
    """
    given = _file("path", path)
    found = next((each for each in (given, given.with_name(given.name + _LOG)) if each.is_file()), None)
    if found is None:
        raise FileNotFoundError(f"path={os.fspath(path)!r}: no recording; expected the path that record was given")
    return Recorded(found)


class Recorded(KnownAttributes):
    """Episodes of a recording, read from its file whenever they are asked for."""

    path: Path
    """The file."""
    metadata: dict[str, Any]
    """``id`` of the task, ``num_envs``, ``players``, ``autoreset_mode``, and descriptions of the spaces."""

    def __init__(self, path: Path) -> None:
        self.path = path
        described: Any
        with path.open("rb") as file:
            start = file.read(len(_MAGIC))
            self._is_log, self._is_hdf5 = start == _MAGIC, start[:8] == _HDF5
            with readable(path, _EXPECTED):
                if self._is_log:
                    checksum, described = file.read(_CHECKSUM), file.readline()[:-1]
                    if zlib.crc32(described).to_bytes(_CHECKSUM, "little") != checksum:
                        raise ValueError("its header is damaged")
                    self._start = file.tell()
                elif self._is_hdf5:
                    with _import("h5py", "hdf5").File(path, "r") as stored:
                        described = stored.attrs["metadata"]
                elif start[:4] == b"PK\x03\x04":
                    file.seek(0)
                    with np.load(file, allow_pickle=False) as arrays:
                        described = str(arrays["metadata"])
                else:
                    raise ValueError("it starts with other bytes")
                self.metadata = json.loads(described)
                if missing := sorted(_DESCRIBED - self.metadata.keys()):
                    raise ValueError(f"its metadata lack {', '.join(missing)}")
                if (written := self.metadata.get("format")) != _FORMAT:
                    raise ValueError(f"its format is {written}: expected {_FORMAT}; record again with this version")

    def __repr__(self) -> str:
        return f"Recorded({os.fspath(self.path)!r}, {self.metadata['id']!r}, num_envs={self.metadata['num_envs']})"

    @property
    def observation_space(self) -> Any:
        """Observation space of one environment (and player), without strings."""
        return _space_from_json(self.metadata["observation_space"])

    @property
    def action_space(self) -> Any:
        """Action space of one environment (and player)."""
        return _space_from_json(self.metadata["action_space"])

    def _frame_of_arrays(self) -> _Frame:
        """Returns all rows of a file of numpy."""
        stored = self._stored()
        slots, size = stored["kind"].shape

        def rows(array: Any) -> Any:
            whole = (
                array if len(array) == slots else np.concatenate([np.zeros((1, *array.shape[1:]), array.dtype), array])
            )
            return whole.reshape(slots * size, *whole.shape[2:])

        parts = {name: iter(list(leaves_of(stored.get(name, ())))) for name in ("obs", "final_obs")}
        columns = []
        for name in self.metadata["names"]:
            outer, _, inner = name.partition(":")
            column = next(parts[name]) if name in parts else stored[outer][inner] if inner else stored.get(name)
            columns.append(column if outer.startswith("final_") or column is None else rows(column))
        lanes, actions = np.tile(np.arange(size), slots), [rows(each) for each in leaves_of(stored["action"])]
        return _Frame(self.metadata, np.full(slots, size), rows(stored["kind"]), lanes, actions, columns)

    def _frames(self) -> Iterator[_Frame]:
        """Yields the rows in order, in frames; stops before a frame that an interruption has left incomplete."""
        if not self._is_log:
            with readable(self.path, _EXPECTED):
                frame = self._frame_of_arrays()
            yield frame
            return
        actions, depth = _leaf_spaces(self.action_space), self.metadata["stack"]
        stacks = _Stacks(self.metadata) if depth else None
        for counts, kinds, lanes, *parts in self._chunks():
            numbers, ids = counts.view(np.uint32).astype(np.int64), lanes.view(np.uint32).astype(np.int64)
            given = zip(parts, actions, strict=False)
            decoded = [_decoded(raw, leaf, len(kinds), self.metadata["players"]) for raw, leaf in given]
            columns, rest = [], parts[len(actions) :]
            if stacks is not None:
                columns, rest = [stacks.decoded(numbers, ids, *rest[:4])], rest[4:]
            for raw, (dtype, shape) in zip(rest, self.metadata["columns"][len(columns) :], strict=True):
                columns.append(raw.view(dtype).reshape(-1, *shape))
            yield _Frame(self.metadata, numbers, kinds, ids, decoded, columns)

    def _chunks(self) -> Iterator[list[npt.NDArray[np.uint8]]]:
        """Yields the sections of each complete chunk, as src/python/recording/chunk_writer.rs writes them."""
        size = self.path.stat().st_size
        with self.path.open("rb") as file:
            file.seek(self._start)
            while len(head := file.read(_LENGTH + _CHECKSUM)) == _LENGTH + _CHECKSUM:
                start, sections, checksum = file.tell(), [], 0
                length, end = int.from_bytes(head[:_LENGTH], "little"), start
                if zlib.crc32(head[:_LENGTH]) == int.from_bytes(head[_LENGTH:], "little"):
                    end += length
                    if end + _CHECKSUM + len(_END) > size:
                        return  # cut
                    while (rest := end - file.tell()) > 0:
                        own = file.read(_LENGTH)
                        sections.append(np.fromfile(file, np.uint8, min(int.from_bytes(own, "little"), rest)))
                        checksum = zlib.crc32(sections[-1].data, zlib.crc32(own, checksum))
                    file.seek(end)
                    if file.read(_CHECKSUM + len(_END)) == checksum.to_bytes(_CHECKSUM, "little") + _END:
                        yield sections
                        continue
                    file.seek(end + _CHECKSUM)
                if any(part.strip(b"\0") for part in iter(partial(file.read, _CHUNK_BYTES), b"")):
                    raise ValueError(
                        f"path={os.fspath(self.path)!r}: the chunk at byte {start - len(head)} is damaged; "
                        f"episodes() yields those before it"
                    )
                return  # a power failure has left zeros

    def _follow(self) -> None:
        """Turns to the file in the requested format if the recording has ended, which removes its log."""
        if self._is_log and not self.path.exists():
            vars(self).update(vars(load(self.path.with_name(self.path.name.removesuffix(_LOG)))))

    def episodes(self) -> Iterator[Episode]:
        """Yields all complete episodes, in the order of their last steps within each environment."""
        self._follow()
        if self._is_hdf5:
            yield from self._hdf5_episodes()
            return
        builders = [_Builder(env_id, self.metadata) for env_id in range(self.metadata["num_envs"])]
        for frame in self._frames():
            order = np.argsort(frame.lanes, kind="stable")
            bounds = np.searchsorted(frame.lanes[order], np.arange(len(builders) + 1))
            for env_id, builder in enumerate(builders):
                yield from builder.extended(frame, order[bounds[env_id] : bounds[env_id + 1]])

    def arrays(self) -> dict[str, Any]:
        """Returns all rows as arrays of ``T`` calls of ``n`` environments, in memory.

        ``obs`` and the arrays in ``info`` ``(T + 1, n, ...)`` have the first result and those of all steps, nested as
        in results; ``action``, ``reward``, ``terminated`` and ``truncated`` are ``(T, n, ...)``. Step ``t`` leads from
        ``obs[t]`` to ``obs[t + 1]`` if ``valid[t]``. Other rows only reset (``next_step`` autoreset, masked resets), or
        belong to environments that were not called. In the same-step mode, ``final_obs`` ``(k, ...)`` has the last
        observations of the episodes that end in ``final_index`` ``(k, 2)``, step and environment. Episodes may be
        incomplete. Arrays of a file in the format ``"npz"`` are mapped: what is used of them is read.
        """
        return {name: value for name, value in self._arrays().items() if name != "kind"}

    def _arrays(self, zeros: Any = np.zeros) -> dict[str, Any]:
        """Returns :meth:`arrays`, and the ``kind`` ``(T + 1, n)`` of each row, in memory that ``zeros`` makes."""
        self._follow()
        if self._is_hdf5:
            raise ValueError(
                f"{self!r}: expected the format npz, or an interrupted recording; episodes() reads this one"
            )
        if not self._is_log:
            with readable(self.path, _EXPECTED):
                return self._stored()
        slots, size = sum(counts.view(np.uint32).size for counts, *_ in self._chunks()), self.metadata["num_envs"]
        names, described = self.metadata["names"], self.metadata["columns"]
        finals = {
            number: [np.zeros((0, *described[number][1]), described[number][0])]
            for number, name in enumerate(names)
            if name.startswith("final_")
        }
        index = [np.zeros((0, 2), np.int64)]
        kind = zeros((slots, size), np.uint8)
        columns = [
            zeros((0 if number in finals else slots, size, *shape), dtype)
            for number, (dtype, shape) in enumerate(described)
        ]
        own_spaces = _leaf_spaces(self.action_space)
        players = (self.metadata["players"],) if self.metadata["players"] > 1 else ()
        actions = [zeros((slots, size, *players, *space.shape), space.dtype) for space in own_spaces]
        first = 0
        for frame in self._frames():
            slot = first + np.repeat(np.arange(len(frame.counts)), frame.counts)
            first += len(frame.counts)
            place = (slot, frame.lanes)
            kind[place] = frame.kinds
            for number, values in enumerate(frame.columns):
                if number in finals:
                    finals[number].append(values)
                else:
                    columns[number][place] = values
            ended = np.flatnonzero(frame.flags[0] | frame.flags[1])
            index.append(np.stack([slot[ended] - 1, frame.lanes[ended]], 1))
            for array, values in zip(actions, leaves_of(frame.actions), strict=True):
                array[place] = values
        structure = _untagged(self.metadata["structure"])
        for number in (number for number, name in enumerate(names) if name == "obs"):
            _fill_gaps(columns[number], kind == _UNCHANGED)
        terminated, truncated = (columns[names.index(name)] for name in ("terminated", "truncated"))
        result: dict[str, Any] = {
            "kind": kind,
            "obs": map_leaves(lambda number: columns[number], structure),
            "action": map_leaves(lambda number: actions[number][1:], _numbered(self.action_space)),
            "reward": columns[names.index("reward")][1:],
            "terminated": terminated[1:],
            "truncated": truncated[1:],
            "valid": kind[1:] == _STEP,
            "info": {name[5:]: columns[number] for number, name in enumerate(names) if name.startswith("info:")},
        }
        if finals:
            parts = iter([np.concatenate(each) for number, each in finals.items() if names[number] == "final_obs"])
            result["final_obs"] = map_leaves(lambda _: next(parts), structure)
            result["final_index"] = np.concatenate(index)
            named = {names[number]: np.concatenate(each) for number, each in finals.items()}
            result["final_info"] = {name[11:]: each for name, each in named.items() if name.startswith("final_info:")}
        return result

    def _stored(self) -> dict[str, Any]:
        """Returns the arrays of a file that ``save_npz`` wrote."""
        result: dict[str, Any] = {"info": {}, "final_info": {}}
        with zipfile.ZipFile(self.path) as archive:
            arrays = {each.filename.removesuffix(".npy"): _mapped(archive, each) for each in archive.infolist()}
        structure = _untagged(self.metadata["structure"])
        nested = {"obs": structure, "final_obs": structure, "action": _numbered(self.action_space)}
        for name, tree in nested.items():
            if name in arrays or any(key.startswith(f"{name}.") for key in arrays):
                result[name] = map_leaves(partial(_leaf_of, arrays, name, tree), tree)
        for key, array in arrays.items():
            outer, _, inner = key.partition(".")
            if outer in ("info", "final_info"):
                result[outer][inner] = array
            elif outer not in nested and key != "metadata":
                result[key] = array
        return result

    def save_npz(self, path: str | os.PathLike[str]) -> None:
        """Writes :meth:`arrays` to a file of numpy; leaves of nested observations are ``obs.0``, ``obs.1``, ..."""
        flat: dict[str, Any] = {"metadata": np.array(json.dumps(self.metadata))}
        # np.savez copies arrays piece by piece, so that no array must be in memory.
        for name, value in self._arrays(partial(_zeros_on_disk, Path(path).parent)).items():
            if name in ("info", "final_info"):
                flat |= {f"{name}.{key}": each for key, each in value.items()}
            else:
                leaves = list(leaves_of(value))
                is_single = not isinstance(value, (dict, tuple))
                flat |= {name if is_single else f"{name}.{number}": leaf for number, leaf in enumerate(leaves)}
        with open(path, "xb") as file:  # noqa: PTH123 - numpy would append .npz to a name
            try:
                np.savez(file, **flat)
            except BaseException:
                Path(path).unlink()
                raise

    def save_hdf5(self, path: str | os.PathLike[str]) -> None:
        """Writes all episodes to a file of h5py: groups ``episode_0``, ..., with Minari's names of data sets."""
        with _import("h5py", "hdf5").File(path, "x", libver="v110", track_order=True) as file:
            file.attrs["metadata"] = json.dumps(self.metadata)
            for number, episode in enumerate(self.episodes()):
                group = file.create_group(f"episode_{number}")
                group.attrs.update({"id": number, "total_steps": len(episode), "env_id": episode.env_id})
                for name in ("observations", "actions", "rewards", "terminations", "truncations", "infos"):
                    _put(group, name, getattr(episode, name))

    def _hdf5_episodes(self) -> Iterator[Episode]:
        with _import("h5py", "hdf5").File(self.path, "r") as file:
            for number in range(len(file)):
                names = ("observations", "actions", "rewards", "terminations", "truncations", "infos")
                with readable(self.path, _EXPECTED):
                    group = file[f"episode_{number}"]
                    episode = Episode(int(group.attrs["env_id"]), *(_taken(group[name]) for name in names))
                yield episode

    def save_minari(self, path: str | os.PathLike[str]) -> None:
        """Writes all episodes to a dataset of Minari in the folder ``path``, which ``minari.MinariDataset(path +
        "/data")`` opens. Pictures are stored without loss. With several players, the dataset's spaces are those of all
        players.
        """
        minari = _import("minari", "minari")
        buffer_of = resolve_name("minari.data_collector:EpisodeBuffer")
        folder = Path(path) / "data"
        folder.mkdir(parents=True)
        own, players = (self.observation_space, self.action_space), self.metadata["players"]
        if players > 1:
            own = (batch_space(own[0], players), batch_space(own[1], players))
        storage = resolve_name("minari.dataset.minari_storage:MinariStorage").new(
            folder, *own, data_format="hdf5", jpeg_encoding=False
        )

        def buffers(env_ids: list[dict[str, Any]]) -> Iterator[Any]:
            for number, episode in enumerate(self.episodes()):
                env_ids.append({"env_id": episode.env_id})
                yield buffer_of(
                    id=number,
                    observations=map_leaves(list, episode.observations),
                    actions=map_leaves(list, episode.actions),
                    rewards=list(episode.rewards),
                    terminations=list(episode.terminations),
                    truncations=list(episode.truncations),
                    infos={name: list(values) for name, values in episode.infos.items()} or None,
                )

        env_ids: list[dict[str, Any]] = []
        storage.update_episodes(buffers(env_ids))
        storage.update_episode_metadata(env_ids)
        name = self.metadata["id"].replace("/", "-").lower()
        storage.update_metadata({"dataset_id": f"envpool_rs/{name}-v0", "minari_version": minari.__version__})


def _zeros_on_disk(folder: Path, shape: tuple[int, ...], dtype: Any) -> npt.NDArray[Any]:
    """Returns an array of zeros in a temporary file of this folder, which ends with the array."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    if size == 0:
        return np.zeros(shape, dtype)
    with tempfile.TemporaryFile(dir=folder) as file:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(
                file.fileno(), 0, size
            )  # raises an OSError now; a write to a full disk would kill the process
        return np.memmap(file, dtype, "w+", shape=shape)


def _mapped(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> npt.NDArray[Any]:
    """Checks the checksum of an array in a file of numpy, and maps the array: its pages are read when they are used."""
    with archive.open(member) as file:
        is_plain = np.lib.format.read_magic(file) == (1, 0) and member.compress_type == zipfile.ZIP_STORED
        shape, in_columns, dtype = np.lib.format.read_array_header_1_0(file) if is_plain else ((), False, np.dtype("O"))
        start = file.tell()
        while file.read(_CHUNK_BYTES):  # raises a `BadZipFile` at the end if the checksum is wrong
            pass
    if dtype.hasobject or dtype.kind == "U" or 0 in shape:
        with archive.open(member) as file:
            array: npt.NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False)
            return array
    with open(str(archive.filename), "rb") as raw:  # noqa: PTH123
        raw.seek(member.header_offset + _ZIP_LENGTHS)
        name, extra = np.frombuffer(raw.read(4), "<u2").tolist()
        start += member.header_offset + _ZIP_HEADER + name + extra
        return np.memmap(raw, dtype, "c", start, shape, "F" if in_columns else "C")


def _put(group: Any, name: str, value: Any) -> None:
    if isinstance(value, dict):
        inner = group.create_group(name, track_order=True)
        for key, part in value.items():
            _put(inner, key, part)
    elif isinstance(value, tuple):
        inner = group.create_group(name, track_order=True)
        for index, part in enumerate(value):
            _put(inner, f"_index_{index}", part)
    else:
        group.create_dataset(name, data=value, fletcher32=value.size > 0)  # a checksum


def _taken(item: Any) -> Any:
    if not hasattr(item, "items"):
        return item[()]
    parts = {key: _taken(part) for key, part in item.items()}
    return tuple(parts.values()) if parts and all(key.startswith("_index_") for key in parts) else parts


def _leaf_spaces(space: Any) -> list[Any]:
    """Returns the leaves of a nested space, depth first."""
    return list(leaves_of(_spread(space)))


def _spread(space: Any) -> Any:
    return fold_space(space, lambda leaf: leaf)


def _numbered(space: Any) -> Any:
    numbers = iter(range(len(_leaf_spaces(space))))
    return map_leaves(lambda _: next(numbers), _spread(space))


def _leaf_of(arrays: Any, name: str, tree: Any, number: int) -> Any:
    return arrays[f"{name}.{list(leaves_of(tree)).index(number)}" if isinstance(tree, (dict, tuple)) else name]


def _fill_gaps(array: npt.NDArray[Any], gaps: npt.NDArray[np.bool_]) -> None:
    """Repeats the row before for each missing row of an array ``(T, n, ...)``."""
    for slot in np.flatnonzero(gaps.any(1)):
        if slot:
            array[slot, gaps[slot]] = array[slot - 1, gaps[slot]]


class _Frame:
    """Rows of several results, in order."""

    def __init__(
        self,
        metadata: Mapping[str, Any],
        counts: npt.NDArray[Any],
        kinds: npt.NDArray[Any],
        lanes: npt.NDArray[Any],
        actions: Sequence[npt.NDArray[Any]],
        columns: list[Any],
    ) -> None:
        self.counts, self.kinds, self.lanes, self.columns = counts, kinds, lanes, columns
        self.flags = [columns[metadata["names"].index(name)] for name in ("terminated", "truncated")]
        leaf = iter(actions)
        self.actions = map_leaves(lambda _: next(leaf), _spread(_space_from_json(metadata["action_space"])))
        ended = self.flags[0] | self.flags[1]
        self.final_row = np.cumsum(ended) - 1  # of each ended row in the columns of finals


class _Stacks:
    """Decoder of stacks of frames, with the last stack of each environment."""

    def __init__(self, metadata: Mapping[str, Any]) -> None:
        depth, (_, self._shape) = metadata["stack"], metadata["columns"][0]
        size = int(np.prod(self._shape)) // depth
        self._last = np.zeros((metadata["num_envs"], depth, size), np.uint8)

    def decoded(
        self,
        counts: npt.NDArray[Any],
        lanes: npt.NDArray[Any],
        codes: npt.NDArray[Any],
        wholes: npt.NDArray[Any],
        masks: npt.NDArray[Any],
        words: npt.NDArray[Any],
    ) -> npt.NDArray[np.uint8]:
        """Returns the stacks of all rows, from the sections that src/python/recording/frame_stacks.rs describes."""
        _, depth, size = self._last.shape
        wholes = wholes.reshape(-1, depth, size)
        result = np.empty((len(lanes), depth, size), np.uint8)
        changed = np.unpackbits(masks.reshape(-1, -(-size // (8 * _WORD))), axis=1, bitorder="little").view(np.bool_)
        padded = np.zeros((*changed.shape, _WORD), np.uint8)
        padded[changed] = words.reshape(-1, _WORD)
        new = padded.reshape(len(changed), changed.shape[1] * _WORD)[:, :size]
        is_new = np.repeat(changed, _WORD, 1)[:, :size]
        first, pushed, whole = 0, 0, 0
        for count in counts.tolist():
            rows = slice(first, first + count)
            ids, kinds, stacks = lanes[rows], codes[rows], result[rows]
            stacks[:] = self._last[ids]
            moved = np.flatnonzero(kinds == _PUSHED)
            entries = slice(pushed, pushed + len(moved))
            newest = np.where(is_new[entries], new[entries], stacks[moved, -1])
            stacks[moved, :-1] = stacks[moved, 1:]
            stacks[moved, -1] = newest
            given = np.flatnonzero(kinds > _PUSHED)
            stacks[given] = wholes[whole : whole + len(given)]
            self._last[ids] = stacks
            first, pushed, whole = first + count, pushed + len(moved), whole + len(given)
        return result.reshape(-1, *self._shape)


def _decoded(raw: npt.NDArray[np.uint8], space: Any, rows: int, players: int) -> npt.NDArray[Any]:
    """Returns the actions ``(rows, ...)`` of the bytes that the pool passed to its environments."""
    own = (players,) if players > 1 else ()
    if rows == 0:
        return np.zeros((0, *own, *space.shape), space.dtype)
    width = raw.size // max(int(np.prod((*own, *space.shape))) * rows, 1)
    kind = space.dtype
    if kind.kind == "f":
        kind = np.dtype(f"f{width}")
    elif width != kind.itemsize:
        kind = np.dtype(f"i{width}")
    decoded: npt.NDArray[Any] = raw.view(kind).reshape(rows, *own, *space.shape).astype(space.dtype)
    return decoded


class _Builder:
    """Episodes of one environment, from its rows in order."""

    def __init__(self, env_id: int, metadata: Mapping[str, Any]) -> None:
        self._env_id, self._names = env_id, metadata["names"]
        self._mode, self._structure = metadata["autoreset_mode"], _untagged(metadata["structure"])
        self._first: list[Any] | None = None  # row of each column; `None`: the episode is incomplete
        self._parts: list[tuple[_Frame, npt.NDArray[Any]]] = []

    def extended(self, frame: _Frame, rows: npt.NDArray[Any]) -> Iterator[Episode]:
        """Takes the numbers of the environment's next rows; yields the episodes that end in them."""
        rows = rows[frame.kinds[rows] != _UNCHANGED]
        kinds, ends = frame.kinds[rows], (frame.flags[0] | frame.flags[1])[rows]
        start = 0
        for place in np.flatnonzero((kinds != _STEP) | ends).tolist():
            kind, row = kinds[place], rows[place]
            if kind == _RESET:
                self._begin(frame, row)
                start = place + 1
                continue
            if kind == _MOVED:
                self._first, self._parts = None, []
            if ends[place]:
                self._parts.append((frame, rows[start : place + 1]))
                if self._first is not None:
                    yield self._episode(self._first)
                self._first, self._parts, start = None, [], place + 1
                if self._mode == "same_step":
                    self._begin(frame, row)
        if self._first is not None and start < len(rows):
            self._parts.append((frame, rows[start:]))

    def _begin(self, frame: _Frame, row: int) -> None:
        names = zip(self._names, frame.columns, strict=True)
        self._first = [
            None if column is None or name.startswith("final_") else column[row : row + 1] for name, column in names
        ]
        self._parts = []

    def _episode(self, first: list[Any]) -> Episode:
        def joined(number: int, final: int | None = None) -> npt.NDArray[Any]:
            steps = np.concatenate([first[number], *(frame.columns[number][rows] for frame, rows in self._parts)])
            if final is not None:  # the row has the next episode's first value
                frame, rows = self._parts[-1]
                steps[-1] = frame.columns[final][frame.final_row[rows[-1]]]
            return steps

        names = self._names
        finals = [number for number, name in enumerate(names) if name == "final_obs"]
        observations = [number for number, name in enumerate(names) if name == "obs"]
        last = dict(zip(observations, finals, strict=False)) if self._mode == "same_step" else {}
        infos = {}
        for number, name in enumerate(names):
            if name.startswith("info:"):
                final = f"final_{name}"
                infos[name[5:]] = joined(number, names.index(final) if final in names else None)
        flags = [np.concatenate([frame.flags[each][rows] for frame, rows in self._parts]) for each in range(2)]
        actions = [map_leaves(itemgetter(rows), frame.actions) for frame, rows in self._parts]
        return Episode(
            self._env_id,
            map_leaves(lambda number: joined(number, last.get(number)), self._structure),
            zip_leaves(lambda *parts: np.concatenate(parts), *actions),
            joined(names.index("reward"))[1:],
            flags[0],
            flags[1],
            infos,
        )

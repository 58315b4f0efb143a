"""All actors of a pool: who has which environment, what is asked of whom, and who answers first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from envpool_rs._facades.reset_arguments import Seeds, seed_list
from envpool_rs._spec.spec import EnvSpec
from envpool_rs.ray.actor_calls import ActorCalls, RayCalls
from envpool_rs.ray.actor_options import ActorOptions
from envpool_rs.ray.cluster import Session, actors_that_fit, check_room, wait_until_ready
from envpool_rs.ray.direct_calls import calls_to
from envpool_rs.ray.env_share import EnvShare
from envpool_rs.ray.operation import LocalIds, Operation, Past
from envpool_rs.ray.pipelined_share import THREADS, PipelinedShare
from envpool_rs.ray.recovery import Recovery
from envpool_rs.ray.remote_share import RemoteCall, RemoteShare
from envpool_rs.ray.share_rows import taken
from envpool_rs.ray.shares import Shares

Ids = npt.NDArray[np.int64]

_LOOK_AROUND = 0.2
"""Seconds after which a waiting driver looks whether the pool was closed."""

_PATIENCE = 3
"""Deaths of an actor in a row, without an answer in between, at which it is not started again."""


class Actors:
    """Actors with native pools.

    Attributes:
        copy: whether large results of one actor alone are copied out of where they were received.
        closed: whether they have been ended.
        seeds: what environments were seeded with last.
        restarted: ``(num_envs,)``, environments that began anew or were resumed in another actor, which their next row
            has to tell.
    """

    def __init__(self, ray: Any, spec: EnvSpec, options: ActorOptions) -> None:
        """Starts the actors, and waits until their environments have been made.

        Args:
            ray: the module, connected.
            spec: the whole pool's specification.
            options: how many, and what becomes of them.

        Raises:
            ValueError: where the cluster is too small.
            RuntimeError: where they do not start in time.
        """
        config = spec.pool.config
        num_envs = int(config["num_envs"])
        cpus = options.num_cpus_per_actor
        count = options.num_actors or min(num_envs, actors_that_fit(ray, cpus))
        check_room(ray, count, cpus)
        self.copy = options.copy
        self.closed = False
        self._ray = ray
        self._spec = spec
        self._options = options
        # Restarts are the driver's: it knows where the environments were.
        self._is_async = 0 < int(config["batch_size"]) < num_envs
        self._remote = ray.remote(PipelinedShare if self._is_async else EnvShare).options(
            num_cpus=cpus, max_restarts=0, max_task_retries=0, max_concurrency=THREADS if self._is_async else 1
        )
        self._shares = Shares(num_envs, count)
        self.seeds: Seeds = config["seed"]
        self._first_seeds = seed_list(self.seeds, num_envs)
        self.restarted = np.zeros(num_envs, np.bool_)
        self._probe: Any = None
        self._session = Session(ray)
        self._actors: list[Any] = []
        self._calls: ActorCalls = RayCalls(ray, self._actors)
        try:
            for index in range(count):
                self._actors.append(self._make_actor(index, None, None, 1))
            wait_until_ready(ray, [actor.ready.remote() for actor in self._actors], options.start_timeout)
            self._calls = calls_to(ray, self._actors, options.direct, views=True)
        except BaseException:
            self.close()
            raise
        self.remote = [self._share(index) for index in range(count)]

    def _share(self, index: int) -> RemoteShare:
        advice = "make the pool anew, or make it with on_actor_death='resume'"
        ids = self._env_ids(index)
        recovery = Recovery(index, ids, self._options.on_actor_death, _PATIENCE, advice)
        make_actor = partial(self._make_actor, index)
        interval = self._options.snapshot_interval
        return RemoteShare(index, ids, self._actors, self._calls, make_actor, recovery, interval)

    def _env_ids(self, index: int) -> range:
        return range(*self._shares.starts[index : index + 2])

    def _make_actor(self, index: int, seeds: list[int] | None, past: Past | None, first_number: int) -> Any:
        ids = self._env_ids(index)
        own = [self._first_seeds[each] for each in ids] if seeds is None else seeds
        spec = self._spec.for_envs(ids, batch_size=0, seed=own, render_env_id=0)
        return self._remote.remote(spec, past, first_number) if self._is_async else self._remote.remote(spec, past)

    @property
    def is_direct(self) -> bool:
        """Whether actors are called over connections of this process's own."""
        return self._calls.is_direct

    def options(self) -> dict[str, Any]:
        """The options of the actors with their values."""
        return {
            "num_actors": len(self.remote),
            "num_cpus_per_actor": self._options.num_cpus_per_actor,
            "on_actor_death": self._options.on_actor_death,
            "snapshot_interval": self._options.snapshot_interval,
            "direct": self.is_direct,
        }

    # Checks.

    def check_usable(self) -> None:
        """Refuses actors that have been ended, by `close` or with Ray itself.

        Raises:
            RuntimeError: saying which.
        """
        self._check_usable(roughly=self.is_direct)

    def _check_usable(self, roughly: bool = False) -> None:
        if self.closed:
            raise RuntimeError("this pool is closed")
        if not self._session.lasts(roughly):
            raise RuntimeError("Ray was shut down, and this pool's actors with it: make another pool")

    def check_alive(self, ids: Ids) -> None:
        """Refuses environments that were lost with their actor.

        Raises:
            ActorDied: where there are such.
        """
        for share in self.remote:
            died = share.recovery.died
            if died is not None and (self._shares.of_env[ids] == share.index).any():
                raise died.again()

    def check_reset_options(self, options: dict[str, Any] | None) -> None:
        """Refuses reset options that environments of this task do not take.

        Raises:
            ValueError, TypeError: as a local pool's.
        """
        if options:
            if self._probe is None:
                self._probe = EnvShare(self._spec.for_envs([0], batch_size=0, seed=0, render_env_id=0))
            self._probe.play(Operation(True, None, options=options))

    # Dividing a request.

    def division(
        self, ids: Ids | None, everyone: bool = False
    ) -> Iterator[tuple[int, npt.NDArray[np.int64], LocalIds | None]]:
        """Each actor that has some of the environments, their places in the request, and their ids within the actor.

        Args:
            ids: environments; ``None`` for all, in order.
            everyone: whether actors that have none of them take part too.
        """
        if ids is not None and not len(ids):
            yield 0, np.zeros(0, np.int64), np.zeros(0, np.int32)  # An empty result has its shapes and dtypes too.
            return
        if ids is None:
            for share in self.remote:
                yield share.index, np.arange(share.first, share.first + share.count), None
            return
        asked = set()
        for index, places, local in self._shares.some(ids):
            asked.add(index)
            yield index, places, local
        if everyone:
            for index in sorted(set(range(len(self.remote))) - asked):
                yield index, np.zeros(0, np.int64), np.zeros(0, np.int32)

    def part(self, actions: Any, ids: Ids | None, share: int, places: npt.NDArray[np.int64], rows: int) -> Any:
        """The actions of one actor's environments, in memory that the user does not write to.

        Args:
            actions: of the whole request.
            ids: of the whole request; ``None`` for all.
            share: number of the actor.
            places: of its environments in the request.
            rows: rows of an environment.
        """
        if ids is not None:
            return taken(actions, places, len(ids))
        first, end = (each * rows for each in self._shares.starts[share : share + 2])
        if isinstance(actions, dict):
            return {key: array[first:end].copy() for key, array in actions.items()}
        return actions[first:end].copy()

    # Asking and waiting.

    def send(self, share: int, operation: Operation) -> RemoteCall:
        """Asks an actor for an operation."""
        return self.remote[share].send(operation)

    def wait_for_all(self, calls: Sequence[RemoteCall]) -> None:
        """Waits until all of ``calls`` are over; actors that die meanwhile are made anew.

        An interrupt loses nothing: what has not been answered is waited for by whoever calls next.
        """
        while pending := [call for call in calls if not call.is_over]:
            over = self._over(pending, len(pending))
            if len(over) < len(pending):
                self.check_usable()
            self._settle(over)

    def wait_for_first(self, calls: Sequence[RemoteCall]) -> RemoteCall:
        """The first of ``calls`` to be over."""
        while True:
            over = next((call for call in calls if call.is_over), None)
            if over is not None:
                return over
            found = self._over(calls, 1)[:1]
            if not found:
                self.check_usable()
            self._settle(found)

    def _over(self, calls: Sequence[RemoteCall], at_least: int) -> list[tuple[RemoteCall, Any]]:
        """The calls that have an answer or will never have one, with what stands for it, in order of completion."""
        by_ref = {call.ref: call for call in calls}
        return [(by_ref[ref], ref) for ref in self._calls.answered(list(by_ref), at_least, _LOOK_AROUND)]

    def _settle(self, over: Sequence[tuple[RemoteCall, Any]]) -> None:
        """Takes the answers of calls that are over."""
        try:
            answers = self._calls.answers([ref for _, ref in over])
        except Exception:
            for call, ref in over:
                # Else the actor was made anew while another of its calls was looked at, and is asked again.
                if call.ref is ref and not call.is_over:
                    self._settle_one(call)
            return
        for (call, _), answer in zip(over, answers, strict=True):
            call.share.settle(call, answer)

    def _settle_one(self, call: RemoteCall) -> None:
        try:
            answer = self._calls.answer(call.ref)
        except self._calls.deaths as error:
            self._check_usable()
            self._renew(call.share, error)
        except Exception as error:
            call.share.fail(call, error)
        else:
            call.share.settle(call, answer)

    def _renew(self, share: RemoteShare, error: BaseException) -> None:
        self._ray.kill(share.actor)  # It may still live where only its connection, or its node's answer, was lost.
        self.restarted[share.first : share.first + share.count] = True
        share.renew(error, seed_list(self.seeds, len(self.restarted))[share.first : share.first + share.count])

    # Snapshots, and the end.

    def get_state(self, ids: Ids) -> list[bytes]:
        """Snapshots of idle environments, in the order of ``ids``."""
        states: dict[int, bytes] = {}
        for share, places, local in self._shares.some(ids):
            states.update(zip(places.tolist(), self._asked(share, "get_state", local), strict=True))
        return [states[place] for place in range(len(ids))]

    def set_state(self, states: list[bytes], ids: Ids) -> None:
        """Restores snapshots of idle environments."""
        for share, places, local in self._shares.some(ids):
            own = [states[place] for place in places]
            self._asked(share, "set_state", own, local)
            self.remote[share].note_set_state(own, local)

    def _asked(self, index: int, method: str, *arguments: Any) -> Any:
        share = self.remote[index]
        while share.recovery.died is None:
            try:
                return self._calls.answer(self._calls.call(index, method, *arguments))
            except self._calls.deaths as error:
                self._check_usable()
                self._renew(share, error)
        raise share.recovery.died.again()

    def close(self) -> None:
        """Ends the actors."""
        if self.closed:
            return
        self.closed = True
        self._calls.close()
        if self._session.lasts():
            for actor in self._actors:
                self._ray.kill(actor)

"""A transport of remote pools without Ray: the hosts run in this process."""

import envpool_rs
from envpool_rs import _core


class LocalHosts:
    """Runs the requests of a remote pool in this process: the methods that the extension calls.

    Attributes:
        before_send: called before each request is executed.
    """

    def __init__(self, spec):
        self._host = _core.RemoteHost(spec.pool, "gymnasium")
        self._replies = {}
        self.before_send = lambda: None

    def send(self, host, number, request):
        self.before_send()
        self._replies[host, number] = self._host.play(request)

    def wait(self, seconds):
        return [(host, number, reply, "", b"") for (host, number), reply in self._replies.items()]

    def forget(self, arrivals):
        for arrival in arrivals:
            self._replies.pop(tuple(arrival), None)

    def lost(self):
        return None

    def rebuilt(self, env_id, payload, text, losses, advice):
        return RuntimeError(text)

    def close(self):
        self._replies.clear()


def make_remote(task, num_envs):
    """Makes a pool whose environments run in a pool of this process, and returns both pool and transport."""
    spec = envpool_rs.make_spec(task, num_envs=num_envs, seed=0)
    hosts = LocalHosts(spec)
    return _core.Pool(_core.RemoteSpec(spec.pool, hosts, [num_envs], recovery=None), "gymnasium"), hosts

"""Description of the machine that runs a benchmark."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Machine:
    """Properties of a machine that affect the measured times.

    Attributes:
        cpu: model of the processor.
        cpus: number of processors that this process may use.
        system: operating system.
        python: version of Python.
        numpy: version of numpy.
    """

    cpu: str
    cpus: int
    system: str
    python: str
    numpy: str

    @classmethod
    def this(cls) -> Machine:
        """Returns a description of the current machine."""
        return cls(_cpu_model(), usable_cpus(), platform.platform(), platform.python_version(), np.__version__)

    def measured_by(self, command: str) -> str:
        """Returns a Markdown sentence that names the machine and the command of a measurement.

        Args:
            command: the command line.
        """
        return (
            f"Measured on {self.cpus} CPUs of {self.cpu} with Python {self.python} and numpy {self.numpy} "
            f"({self.system}) by\n\n```console\n$ {command}\n```"
        )


def usable_cpus() -> int:
    """Returns the number of processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # the system is not Linux
        return os.cpu_count() or 1


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()

"""Module path of EnvPool's registration of MiniGrid's and BabyAI's tasks, which this package registers on import."""

from ..registration import register

__all__ = ["register"]

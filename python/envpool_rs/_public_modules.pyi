# Written by tools/families.py (`make generate`) from src/envs/**/family.toml and the package's folder.

from envpool_rs import as_envpool as as_envpool
from envpool_rs import batch as batch
from envpool_rs import cli as cli
from envpool_rs import crafter as crafter
from envpool_rs import envpool_alias as envpool_alias
from envpool_rs import frame_memory as frame_memory
from envpool_rs import minigrid as minigrid
from envpool_rs import multi_env as multi_env
from envpool_rs import numba as numba
from envpool_rs import pettingzoo as pettingzoo
from envpool_rs import pools as pools
from envpool_rs import pufferlib as pufferlib
from envpool_rs import ray as ray
from envpool_rs import registration as registration
from envpool_rs import rllib as rllib
from envpool_rs import robotics as robotics
from envpool_rs import sb3 as sb3
from envpool_rs import spaces as spaces
from envpool_rs import tianshou as tianshou
from envpool_rs import torch as torch
from envpool_rs import vector as vector
from envpool_rs import vector_env_check as vector_env_check
from envpool_rs import workers as workers
from envpool_rs import xla as xla

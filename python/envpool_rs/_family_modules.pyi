# Written by tools/families.py (`make generate`) from src/envs/**/family.toml.

from envpool_rs import crafter as crafter
from envpool_rs import minigrid as minigrid
from envpool_rs import robotics as robotics

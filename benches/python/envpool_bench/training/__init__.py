"""``python benches/python train``: PPO from start to a goal, with the environments of several projects."""

"""``python benches/python train``: trains by PPO until a goal, with the environments of several projects."""

"""Random policies, and policies directed at each task's goal, for batches of observations.

Observations and actions are those of `envpool_rs.make_vec`.
"""

import numpy as np
from gymnasium import spaces

#: Probability of a random action in goal-directed policies.
WHIM = 0.03


def random_actions(space, count, rng):
    """Returns actions for `count` rows; some continuous ones are outside the space, which the environments clip."""
    if hasattr(space, "spaces"):
        return {key: random_actions(part, count, rng) for key, part in space.spaces.items()}
    if isinstance(space, spaces.MultiBinary):
        return rng.integers(2, size=(count, *space.shape)).astype(space.dtype)
    if hasattr(space, "n"):
        return rng.integers(space.n, size=count)
    # Spaces without useful bounds: EnvPool's ViZDoom buttons, and lqr's forces.
    if np.any(space.high.astype(np.float64) > 1e9):
        return rng.integers(2, size=(count, *space.shape)).astype(space.dtype)
    margin = 0.3 * (space.high - space.low)
    return rng.uniform(space.low - margin, space.high + margin, (count, *space.shape)).astype(space.dtype)


def balance(observation):
    x, speed, angle, turning = observation.T
    return (angle + 0.3 * turning + 0.05 * x + 0.1 * speed > 0).astype(np.int64)


def push_along(observation):
    return np.where(observation[:, 1] >= 0, 2, 0)


def throttle_along(observation):
    return np.where(observation[:, 1:] >= 0, 1.0, -1.0).astype(np.float32)


def swing_up(observation):
    cosine, sine, turning = observation.T
    hold = np.clip(-8.0 * sine - 2.0 * turning, -2.0, 2.0)
    return np.where(cosine > 0.95, hold, np.where(turning >= 0, 2.0, -2.0)).astype(np.float32)[:, None]


def pump(observation):
    return np.where(observation[:, 5] >= 0, 2, 0)


def along_the_cliff(cell):
    row, column = np.divmod(cell, 12)
    return np.where(row == 3, 0, np.where(column < 11, 1, 2))


def over_the_ice(cell):
    return 1 + cell % 2


def fetch_and_carry(state):
    return np.array([drive(*np.unravel_index(each, (5, 5, 5, 4))) for each in state])


def drive(row, column, passenger, destination):
    """Returns a taxi's action towards its next stop.

    The taxi changes columns in the middle row, which has no walls.
    """
    stops = [(0, 0), (0, 4), (4, 0), (4, 3)]
    goal_row, goal_column = stops[destination if passenger == 4 else passenger]
    if (row, column) == (goal_row, goal_column):
        return 5 if passenger == 4 else 4
    if column != goal_column and row != 2:
        return 0 if row < 2 else 1
    if column != goal_column:
        return 2 if column < goal_column else 3
    return 0 if row < goal_row else 1


def draw_to_17(observation):
    return (observation[0] < 17).astype(np.int64)


def forwards(place):
    return np.zeros(len(place), dtype=np.int64)


def under_the_ball(board):
    ball, paddle = board[:, :-1].max(axis=1).argmax(axis=1), board[:, -1].argmax(axis=1)
    return 1 + np.sign(ball - paddle)


def to_own_landmark(observation, players=3):
    """Returns accelerations that move player `k` to the landmark at index `k` of its observation."""
    own = 4 + 2 * (np.arange(len(observation)) % players)
    offset = np.take_along_axis(observation, np.stack([own, own + 1], axis=1), axis=1)
    return offset - 0.35 * observation[:, :2]


def levers(wish):
    """Returns continuous actions for the desired accelerations `(rows, 2)`."""
    nothing = np.zeros(len(wish))
    x, y = wish.T
    return np.clip(np.stack([nothing, -x, x, -y, y], axis=1), 0, 1).astype(np.float32)


def moves(wish):
    """Returns discrete actions for the desired accelerations `(rows, 2)`."""
    axis = np.abs(wish).argmax(axis=1)
    return 1 + 2 * axis + (wish[np.arange(len(wish)), axis] > 0)


def spread_out(observation, space):
    wish = to_own_landmark(observation, players=min(3, (observation.shape[1] - 2) // 4))
    return moves(wish) if hasattr(space, "n") else levers(wish)


def say_and_go(observation, space):
    goal = observation["speaker_0"].argmax(axis=1)
    heard = observation["listener_0"]
    own = 2 + 2 * goal
    wish = np.take_along_axis(heard, np.stack([own, own + 1], axis=1), axis=1) - 0.35 * heard[:, :2]
    if hasattr(space["speaker_0"], "n"):
        return {"speaker_0": goal, "listener_0": moves(wish)}
    return {"speaker_0": np.eye(3, dtype=np.float32)[goal], "listener_0": levers(wish)}


GOALS = {
    "CartPole": balance,
    "MountainCar": push_along,
    "MountainCarContinuous": throttle_along,
    "Pendulum": swing_up,
    "Acrobot": pump,
    "FrozenLake": over_the_ice,
    "FrozenLake8x8": over_the_ice,
    "CliffWalking": along_the_cliff,
    "CliffWalkingSlippery": along_the_cliff,
    "Taxi": fetch_and_carry,
    "Blackjack": draw_to_17,
    "NChain": forwards,
    "Catch": under_the_ball,
}
GOALS_OF_PLAYERS = {"SimpleSpread": spread_out, "SimpleSpeakerListener": say_and_go}


def has_goal(task_id):
    """Returns whether there is a policy that plays the task better than at random."""
    name = task_id.split("-")[0]
    return name in GOALS or name in GOALS_OF_PLAYERS


def goal_actions(task_id, observation, space, count, rng):
    """Returns the task policy's actions, with occasional random ones."""
    name = task_id.split("-")[0]
    players = GOALS_OF_PLAYERS.get(name)
    actions = players(observation, space) if players else GOALS[name](observation)
    return with_whims(actions, random_actions(space, count, rng), count, rng)


def with_whims(actions, others, count, rng):
    if isinstance(actions, dict):
        return {key: with_whims(actions[key], others[key], count, rng) for key in actions}
    whims = rng.random(count) < WHIM
    return np.where(whims.reshape(-1, *[1] * (actions.ndim - 1)), others, actions).astype(others.dtype)

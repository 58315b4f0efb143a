"""Tests the helper functions for nested values and spaces."""

import warnings

import numpy as np
import pytest
from envpool_rs import _nested as nested
from gymnasium import spaces

TREE = {"b": (1, 2), "a": {"x": 3}, "l": [4, 5]}


def test_values_are_mapped_in_their_structure_and_order():
    mapped = nested.map_leaves(str, TREE)
    assert mapped == {"b": ("1", "2"), "a": {"x": "3"}, "l": "[4, 5]"} and list(mapped) == ["b", "a", "l"]
    assert nested.map_leaves(str, 7) == "7"


def test_leaves_are_in_depth_first_order_and_lists_are_leaves():
    assert list(nested.leaves(TREE)) == [1, 2, 3, [4, 5]]
    assert list(nested.leaves(())) == []


def test_values_of_equal_structure_are_zipped_with_their_paths():
    other = {"a": {"x": 30}, "b": (10, 20), "l": None}
    assert nested.zip_leaves(lambda *each: each, TREE, other) == {
        "b": ((1, 10), (2, 20)),
        "a": {"x": (3, 30)},
        "l": ([4, 5], None),
    }
    assert nested.zip_leaves(lambda _, path: path, TREE, path="seen") == {
        "b": ("seen['b'][0]", "seen['b'][1]"),
        "a": {"x": "seen['a']['x']"},
        "l": "seen['l']",
    }


@pytest.mark.parametrize("other", [{"b": 1}, {"a": 1, "c": 2}, (1, 2), 5])
def test_parts_of_different_structure_are_zipped_whole(other):
    assert nested.zip_leaves(lambda *each: each, ({"a": 1},), (other,)) == (({"a": 1}, other),)


def test_gymnasium_spaces_and_space_descriptors_are_folded():
    box = spaces.Box(0, 1, (2,), np.float32)
    tree = spaces.Dict({"t": spaces.Tuple([spaces.Discrete(3), box]), "o": spaces.OneOf([box])})
    assert nested.fold_space(tree, lambda leaf: type(leaf).__name__) == {"o": "OneOf", "t": ("Discrete", "Box")}
    leaf = ("discrete", 3, 0, "int64")
    descriptor = ("dict", [("z", ("tuple", [leaf, leaf])), ("a", ("box", 0.0, 1.0, (2,), "float32"))])
    kinds = nested.fold_space(descriptor, lambda each: each[0], parts=nested.parts_of_descriptor)
    assert kinds == {"z": ("discrete", "discrete"), "a": "box"} and list(kinds) == ["z", "a"]
    assert [each[0] for each in nested.leaves_of_descriptor(descriptor)] == ["discrete", "discrete", "box"]
    assert nested.leaves_of_descriptor(leaf) == [leaf]


def test_a_row_of_a_box_without_dimensions_is_an_array_and_a_member():
    space = spaces.Dict({"up": spaces.Box(-1, 1, (), np.float64), "at": spaces.Box(-1, 1, (2,), np.float64)})
    batch = {"up": np.array([0.5, -0.5]), "at": np.zeros((2, 2))}
    row = nested.rows_of_batch(space, batch, 1)
    assert isinstance(row["up"], np.ndarray) and row["up"].shape == () and row["up"] == -0.5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert space.contains(row)
    batch["up"][1] = 0
    assert row["up"] == -0.5

"""Equal outcomes of a roll are one outcome: their weights are added, in the place of the first."""

import numpy as np
import numpy.typing as npt

from rollwise.games.columns.relation import Ints

__all__ = ["lowest_terms", "merged_block", "merged_rows"]

Bools = npt.NDArray[np.bool_]
Merged = tuple[Ints, Ints, Ints]

FEW = 48
"""Up to this many outcomes are compared pair by pair, which is quicker than sorting them."""


def merged_block(state: Ints, weight: Ints) -> Merged:
    """Merge a block in which every roll has the same throws: `state[roll, throw]`, `weight[throw]`."""
    columns, weight = _same_everywhere(state, weight)
    rolls, count = len(state), len(columns)
    state = np.stack(columns, axis=1) if count < state.shape[1] else state
    if count > FEW:
        owner = np.repeat(np.arange(rolls), count)
        return merged_rows(owner, state.reshape(-1), np.tile(weight, rolls), rolls, int(state.max()) + 1)
    repeated = np.zeros(rolls, dtype=np.bool_)
    for j in range(1, count):
        for i in range(j):
            repeated |= columns[i] == columns[j]
    rows = np.flatnonzero(repeated)
    if not len(rows):
        return np.arange(rolls + 1) * count, state.reshape(-1), np.tile(weight, rolls)
    keep, weights = np.ones(state.shape, dtype=np.bool_), np.tile(weight, (rolls, 1))
    keep[rows], weights[rows] = _pairwise(state[rows], np.tile(weight, (len(rows), 1)))
    start = np.concatenate([[0], np.cumsum(np.count_nonzero(keep, axis=1))])
    weights[rows] //= np.gcd.reduce(np.where(keep[rows], weights[rows], 0), axis=1)[:, None]
    return start, state[keep], weights[keep]


def _same_everywhere(state: Ints, weight: Ints) -> tuple[list[Ints], Ints]:
    """Make one of throws that lead to the same from every roll of the block, as most that lose a turn do."""
    columns, weights, places = list[Ints](), list[int](), dict[int, list[int]]()
    for throw, ways in enumerate(weight.tolist()):
        column = np.ascontiguousarray(state[:, throw])
        alike = places.setdefault(int(column[0]), [])
        same = next((place for place in alike if np.array_equal(columns[place], column)), None)
        if same is not None:
            weights[same] += ways
            continue
        alike.append(len(columns))
        columns.append(column)
        weights.append(ways)
    found = np.array(weights, dtype=np.int64)
    return columns, found // np.gcd.reduce(found)


def _pairwise(state: Ints, weight: Ints) -> tuple[Bools, Ints]:
    """Mark the first of equal outcomes and give it the weight of all."""
    keep = np.ones(state.shape, dtype=np.bool_)
    for j in range(1, state.shape[1]):
        for i in range(j):
            equal = keep[:, i] & keep[:, j] & (state[:, i] == state[:, j])
            weight[equal, i] += weight[equal, j]
            keep[equal, j] = False
    return keep, weight


def merged_rows(owner: Ints, state: Ints, weight: Ints, rolls: int, space: int) -> Merged:
    """Merge rolls with different throws: `owner` says whose outcome each is, and does not fall."""
    count = np.bincount(owner, minlength=rolls)
    start = np.concatenate([[0], np.cumsum(count)])
    key = _keys(owner, state, rolls, space)
    ordered = np.sort(key)
    again = ordered[1:][ordered[1:] == ordered[:-1]]
    if not len(again):
        return start, state, weight
    marked = np.zeros(rolls, dtype=np.bool_)
    marked[owner[np.isin(key, again)]] = True
    touched = marked[owner]
    kept, total = np.ones(len(state), dtype=np.bool_), weight.copy()
    places = np.flatnonzero(touched)
    kept[places], total[places] = _firsts(key[places], weight[places])
    start = np.concatenate([[0], np.cumsum(np.bincount(owner[kept], minlength=rolls))])
    return start, state[kept], lowest_terms(total[kept], start[:-1])


def _keys(owner: Ints, state: Ints, rolls: int, space: int) -> Ints:
    """One number for a roll and an outcome."""
    if rolls * space < 1 << 62:
        return owner * space + state
    different, place = np.unique(state, return_inverse=True)
    return owner * len(different) + place


def _firsts(key: Ints, weight: Ints) -> tuple[Bools, Ints]:
    """Mark the first of equal keys and give it the weight of all."""
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    begin = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    keep, total = np.zeros(len(key), dtype=np.bool_), weight.copy()
    keep[order[begin]] = True
    total[order[begin]] = np.add.reduceat(weight[order], begin)
    return keep, total


def lowest_terms(weight: Ints, begin: Ints) -> Ints:
    """Divide the weights of each roll by what they have in common.

    >>> lowest_terms(np.array([2, 4, 3, 3, 5]), np.array([0, 2, 4]))
    array([1, 2, 1, 1, 1])
    """
    divisor = np.gcd.reduceat(weight, begin)
    if (divisor == 1).all():
        return weight
    found: Ints = weight // np.repeat(divisor, np.diff(begin, append=len(weight)))
    return found

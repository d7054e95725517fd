"""Leave out of an evaluator what no choice touches: a turn of the other player becomes one roll.

A node is passed through if it has one way on, or is a roll that leads only to such nodes and to ends. What is kept keeps its
order: components stay together, and their cuts are kept. The edges of a kept node lead to the next kept node; where that would
be a roll that is passed through, this roll is kept too, with the chances of all it comes to in the end as its outcomes.
"""

import numpy as np

from rollwise.solvers.base.compiling import compiled, inner
from rollwise.solvers.graph.kernels.evaluate import CUT, END, LOOPS, ROLL

__all__ = ["contract"]

MOST = 96
"""Outcomes of a roll that stands for several; one that would have more is not made."""
DROPPED, KEPT, JOINED = 0, 1, 2


@compiled
def contract(arrays, pick, width, kind, start, target, amount, base):
    """Mark the nodes (`kind`), and write down the edges of those that are left, by old numbers; give how many, -1: too many.

    `width` is the number of edges of a node; `start` gets one entry more than there are nodes.
    """
    _mark(arrays, pick, width, kind)
    mass, heap = np.zeros(len(kind)), np.empty(len(kind), dtype=np.int32)
    count = 0
    for node in range(len(kind)):
        start[node] = count
        base[node] = arrays.base[node]
        begin, end = arrays.start[node], arrays.start[node + 1]
        if kind[node] == KEPT:
            for edge in range(begin, end):
                after, gain = _resolved(arrays, kind, arrays.target[edge])
                if count == len(target):
                    return -1
                target[count] = after
                if pick[node] == ROLL:
                    amount[count] = arrays.amount[edge]
                    base[node] += arrays.amount[edge] * gain
                else:
                    amount[count] = arrays.amount[edge] + gain
                count += 1
        elif kind[node] == JOINED:
            base[node], count = _join(arrays, pick, kind, node, mass, heap, target, amount, count)
            if count < 0:
                return -1
    start[len(kind)] = count
    return count


@inner
def _mark(arrays, pick, width, kind):
    n = len(kind)
    for node in range(n):
        kind[node] = KEPT if pick[node] == END or width[node] > 1 else DROPPED
        if pick[node] == ROLL:
            kind[node] = DROPPED
            for edge in range(arrays.start[node], arrays.start[node + 1]):
                after = arrays.target[edge]
                if pick[after] != END and width[after] > 1:
                    kind[node] = KEPT
    kind[arrays.first] = KEPT
    for part in range(len(arrays.shape)):
        begin, end = arrays.begins[part], arrays.begins[part + 1]
        if arrays.shape[part] == CUT:
            kind[end - 1] = KEPT
        elif arrays.shape[part] == LOOPS:
            kind[begin:end] = KEPT
    for node in range(n):
        if kind[node] == KEPT:
            for edge in range(arrays.start[node], arrays.start[node + 1]):
                after, _ = _resolved(arrays, kind, arrays.target[edge])
                if kind[after] == DROPPED:
                    kind[after] = JOINED


@inner
def _resolved(arrays, kind, node):
    """Follow nodes with one way on up to the next that is kept, or a roll; give it and what is gained on the way."""
    gain = 0.0
    while kind[node] == DROPPED and arrays.single[node]:
        edge = arrays.start[node]
        gain += arrays.amount[edge]
        node = arrays.target[edge]
    return node, gain


@inner
def _join(arrays, pick, kind, first, mass, heap, target, amount, count):
    """Write down what a roll comes to in the end; later nodes have smaller numbers, so the largest that waits is done next."""
    size, total = 1, 0.0
    heap[0] = first
    mass[first] = 1.0
    begin = count
    while size:
        best = 0
        for place in range(1, size):
            if heap[place] > heap[best]:
                best = place
        node = heap[best]
        size -= 1
        heap[best] = heap[size]
        here = mass[node]
        mass[node] = 0.0
        if node != first and kind[node] != DROPPED:
            if count - begin == MOST or count == len(target):
                for place in range(size):
                    mass[heap[place]] = 0.0
                return 0.0, -1
            target[count], amount[count] = node, here
            count += 1
            continue
        total += here * arrays.base[node]
        for edge in range(arrays.start[node], arrays.start[node + 1]):
            after = arrays.target[edge]
            share = here
            if pick[node] == ROLL:
                share *= arrays.amount[edge]
            else:
                total += here * arrays.amount[edge]
            if mass[after] == 0.0:
                heap[size] = after
                size += 1
            mass[after] += share
    return total, count

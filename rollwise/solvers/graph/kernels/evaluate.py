"""What fixed choices are worth on a course, and how often they lead to each node: one sweep backwards, one forwards.

The nodes of an evaluator lie in the order in which they are computed: components one after another, successors first. `start`
says where a node's edges begin, `target` where they lead, `amount` the chance of an outcome or the gain of an action. `pick` is
ROLL where all edges count, END where there are none, else the place of the chosen edge. A component is kept by where it begins
and by its `shape`: ALONE, one node; CUT, all cycles go through its last node; LOOPS, several are needed to cut them. Behind a
cut every value is a + b x, with x that of the last node: so x = a / (1 - b), and nothing is iterated.
"""

import numpy as np

from rollwise.solvers.base.compiling import compiled, inner

__all__ = ["ALONE", "CUT", "END", "LOOPS", "ROLL", "mark_met", "order_nodes", "sweep_values", "sweep_visits"]

ALONE, CUT, LOOPS = 0, 1, 2
ROLL, END = -1, -2
TRIES = 8
"""Nodes of a component that are tried as its cut, those with the most ways into them first."""
WORK, FEWEST = 1 << 30, 300
"""Nodes that iterating goes through before it is given up, and the fewest rounds."""
SETTLED = 1e-15
LEAST = 1e-12
"""What comes back to a cut with a chance closer to 1 than this never leaves."""


@compiled
def order_nodes(start, target, order, last, place, begins, shape):
    """Put the nodes of every component in an order that ends with its cut, where it has one; give the number of components.

    `order` lists the nodes, and is changed; `place` is their place in it.
    """
    n = len(order)
    ways, waiting, queue = np.zeros(n, dtype=np.int32), np.zeros(n, dtype=np.int32), np.empty(n, dtype=np.int32)
    count, begin = 0, 0
    for at in range(n):
        if not last[at]:
            continue
        begins[count] = begin
        shape[count] = ALONE
        if at > begin:
            found = _cut(start, target, order, place, begin, at + 1, ways, waiting, queue)
            shape[count] = CUT if found else LOOPS
            if found:
                for node in range(begin, at + 1):
                    order[node] = queue[node - begin]
                    place[order[node]] = node
        count += 1
        begin = at + 1
    begins[count] = n
    return count


@inner
def _cut(start, target, order, place, begin, end, ways, waiting, queue):
    """Find a node without which a component has no cycle, and put the others in order, successors first, in `queue`."""
    for at in range(begin, end):
        ways[at] = 0
    for at in range(begin, end):
        for edge in range(start[order[at]], start[order[at] + 1]):
            after = place[target[edge]]
            if begin <= after < end:
                ways[after] += 1
    for _ in range(min(TRIES, end - begin)):
        best = begin
        for at in range(begin, end):
            if ways[at] > ways[best]:
                best = at
        ways[best] = -1
        if _settle(start, target, order, place, begin, end, order[best], waiting, queue):
            return True
    return False


@inner
def _settle(start, target, order, place, begin, end, cut, waiting, queue):
    """Put all nodes but the cut in an order, successors first, by removing what waits for nothing; False: a cycle is left."""
    size = end - begin
    # Ways back, by counting: who leads to whom inside the component.
    first = np.zeros(size + 1, dtype=np.int32)
    for at in range(begin, end):
        waiting[at] = 0
        for edge in range(start[order[at]], start[order[at] + 1]):
            after = place[target[edge]]
            if begin <= after < end:
                first[after - begin + 1] += 1
                waiting[at] += target[edge] != cut
    for at in range(size):
        first[at + 1] += first[at]
    back, fill = np.empty(first[size], dtype=np.int32), first.copy()
    for at in range(begin, end):
        for edge in range(start[order[at]], start[order[at] + 1]):
            after = place[target[edge]]
            if begin <= after < end:
                back[fill[after - begin]] = at
                fill[after - begin] += 1
    found = 0
    for at in range(begin, end):
        if waiting[at] == 0 and order[at] != cut:
            queue[found] = order[at]
            found += 1
    done = 0
    while done < found:
        at = place[queue[done]]
        done += 1
        for edge in range(first[at - begin], first[at - begin + 1]):
            before = back[edge]
            waiting[before] -= 1
            if waiting[before] == 0 and order[before] != cut:
                queue[found] = order[before]
                found += 1
    queue[size - 1] = cut
    return found == size - 1


@compiled
def mark_met(arrays, pick, met):
    """Mark the nodes that the choices lead to; of a component with many loops, all."""
    met[:] = 0
    met[arrays.first] = 1
    for part in range(len(arrays.shape) - 1, -1, -1):
        begin, end = arrays.begins[part], arrays.begins[part + 1]
        if arrays.shape[part] == LOOPS and met[begin:end].any():
            met[begin:end] = 1
        knew = met[end - 1]
        _mark(arrays, pick, met, begin, end)
        if met[end - 1] != knew:
            _mark(arrays, pick, met, begin, end)


@inner
def _mark(arrays, pick, met, begin, end):
    for node in range(end - 1, begin - 1, -1):
        if met[node]:
            first, picked = arrays.start[node], pick[node]
            if picked == ROLL:
                for edge in range(first, arrays.start[node + 1]):
                    met[arrays.target[edge]] = 1
            elif picked != END:
                met[arrays.target[first + picked]] = 1


@compiled
def sweep_values(arrays, pick, met, value, slope):
    """Fill in the values of the nodes that are marked; minus infinity where the choices may never end."""
    for part in range(len(arrays.shape)):
        begin, end = arrays.begins[part], arrays.begins[part + 1]
        if arrays.shape[part] == ALONE:
            if met[begin]:
                value[begin] = _plain(arrays, pick, value, begin)
        elif arrays.shape[part] == CUT:
            cut = end - 1
            value[cut], slope[cut] = 0.0, 1.0
            for node in range(begin, cut):
                if met[node]:
                    _affine(arrays, pick, value, slope, node, node)
            own, back = _affine(arrays, pick, value, slope, cut, -1)
            known = own / (1.0 - back) if back < 1.0 - LEAST else -np.inf
            for node in range(begin, cut):
                if slope[node] != 0.0:
                    value[node] += slope[node] * known
                slope[node] = 0.0
            value[cut], slope[cut] = known, 0.0
        else:
            _iterate(arrays, pick, value, begin, end)


@inner
def _plain(arrays, pick, value, node):
    begin = arrays.start[node]
    picked = pick[node]
    if picked == END:
        return arrays.base[node]
    if picked == ROLL:
        total = arrays.base[node]
        for edge in range(begin, arrays.start[node + 1]):
            total += arrays.amount[edge] * value[arrays.target[edge]]
        return total
    return arrays.amount[begin + picked] + value[arrays.target[begin + picked]]


@inner
def _affine(arrays, pick, value, slope, node, write):
    """Give a + b x of a node as (a, b), and write them down unless `write` is -1."""
    begin = arrays.start[node]
    picked = pick[node]
    own, back = arrays.base[node], 0.0
    if picked == ROLL:
        for edge in range(begin, arrays.start[node + 1]):
            after = arrays.target[edge]
            own += arrays.amount[edge] * value[after]
            back += arrays.amount[edge] * slope[after]
    elif picked != END:
        after = arrays.target[begin + picked]
        own, back = arrays.amount[begin + picked] + value[after], slope[after]
    if write >= 0:
        value[node], slope[node] = own, back
    return own, back


@inner
def _iterate(arrays, pick, value, begin, end):
    """Sweep until nothing changes; where that never happens, the choices go round for ever."""
    for node in range(begin, end):
        value[node] = 0.0
    for _ in range(FEWEST + WORK // (end - begin)):
        change, size = 0.0, 0.0
        for node in range(begin, end):
            new = _plain(arrays, pick, value, node)
            change = max(change, abs(new - value[node]))
            size = max(size, abs(new))
            value[node] = new
        if not change > SETTLED * size:
            return
    value[begin:end] = -np.inf


@compiled
def sweep_visits(arrays, pick, visits, unit):
    """Fill in how often each node is come to, beginning once at the node `course.first`."""
    visits[:] = 0.0
    visits[arrays.first] = 1.0
    for part in range(len(arrays.shape) - 1, -1, -1):
        begin, end = arrays.begins[part], arrays.begins[part + 1]
        if arrays.shape[part] == CUT:
            _through_cut(arrays, pick, visits, unit, begin, end)
        elif arrays.shape[part] == LOOPS:
            _round(arrays, pick, visits, unit, begin, end)
        for node in range(end - 1, begin - 1, -1):
            if visits[node] > 0.0:
                _pass_on(arrays, pick, visits, node, visits[node], begin, end, False)


@inner
def _pass_on(arrays, pick, into, node, mass, begin, end, inside):
    """Hand mass on along the chosen edges that stay in a component, or along those that leave it."""
    first = arrays.start[node]
    picked = pick[node]
    if picked == ROLL:
        for edge in range(first, arrays.start[node + 1]):
            after = arrays.target[edge]
            if (begin <= after < end) == inside:
                into[after] += arrays.amount[edge] * mass
    elif picked != END:
        after = arrays.target[first + picked]
        if (begin <= after < end) == inside:
            into[after] += mass


@inner
def _through_cut(arrays, pick, visits, unit, begin, end):
    cut = end - 1
    unit[begin:end] = 0.0
    _pass_on(arrays, pick, unit, cut, 1.0, begin, end, True)
    for node in range(cut - 1, begin - 1, -1):
        if unit[node] > 0.0:
            _pass_on(arrays, pick, unit, node, unit[node], begin, end, True)
        if visits[node] > 0.0:
            _pass_on(arrays, pick, visits, node, visits[node], begin, end, True)
    back = unit[cut]
    times = visits[cut] / (1.0 - back) if back < 1.0 - LEAST else (np.inf if visits[cut] > 0.0 else 0.0)
    for node in range(begin, cut):
        if unit[node] > 0.0:
            visits[node] += unit[node] * times
    visits[cut] = times


@inner
def _round(arrays, pick, visits, unit, begin, end):
    """Hand mass on round by round until next to nothing is left."""
    moving = visits[begin:end].copy()
    for _ in range(FEWEST + WORK // (end - begin)):
        unit[begin:end] = 0.0
        for node in range(begin, end):
            if moving[node - begin] > 0.0:
                _pass_on(arrays, pick, unit, node, moving[node - begin], begin, end, True)
        left = 0.0
        for node in range(begin, end):
            moving[node - begin] = unit[node]
            visits[node] += unit[node]
            left += unit[node]
        if left < SETTLED:
            return

"""One sweep over a graph in its order: plain nodes at once, cyclic components by iteration, with bounds that prove themselves.

A component is laid out in its order and swept, each value from the newest ones of its neighbours, until values hardly change.
How they were found proves nothing. The proof is a number `steps` w for each node that falls as the component is played, and the
least d for which

    v + d w is no less than what any choice makes of it, and v - d w no more than what the choices made make of it,

at every node, with all rounding. Then v + d w bounds every strategy that surely ends from above (it is applied again and again,
and in the end nothing is left of the component), and the choices made attain v - d w. In a component for two, "any choice" is
that of the player who would move the bound, and both are proved alike; such a component must be left whatever is chosen.

w is the most steps left if only choices are made that are tied, or nearly so; where every roll costs something and nothing is
gained, it follows from v itself. It need not be found accurately, as any w that falls by a fixed part of 1 does.
"""

import numpy as np

from rollwise.solvers.base.compiling import compiled, inner
from rollwise.solvers.base.numbers import UNIT
from rollwise.solvers.graph.kernels.arrays import (
    AGAIN_GAIN,
    BASE,
    BEST,
    FIRST,
    KIND,
    LEAVES,
    MOVED,
    PIECE,
    SHARE,
    STEPS,
    TARGET,
    VALUE,
)  # fmt: skip
from rollwise.solvers.graph.kernels.loops import find_loops, first_tied, leave_loops, level_loops
from rollwise.solvers.graph.kernels.plain import solve_pending, solve_state
from rollwise.solvers.graph.kernels.searches import DEAD, MAX, MIN, PENDING, bury, surely_left
from rollwise.solvers.graph.kernels.tighten import tighten

__all__ = [
    "AGAIN",
    "ALONE",
    "AT",
    "BOTH",
    "ENDLESS",
    "MODE",
    "PLACES",
    "SIZE",
    "SLOW",
    "SOLVED",
    "TIED",
    "TWO",
    "UNSURE",
    "leave",
    "sweep",
]

AGAIN, SOLVED, SLOW, UNSURE, ENDLESS = range(5)

AT, PHASE, SIZE, MODE, BOTH, SWEEPS, SINCE, FLIP, TERMS, BARE, STAGE, TWO, MERGED = range(13)
LARGEST, LOW, HIGH, DEAREST, WORST, UP, DOWN, TOP, LEAST_CHANGE, FACTOR, NEW_FACTOR, MOST_STEPS = range(12)
PLACES = 13
LAY_OUT, COUNT_STEPS, VALUES, FINISH = range(4)
LEFT, COSTS, TIED = range(3)

PRECISE = 1e-12
"""Values are iterated until their bound is this part of the largest of the component, where floats allow it."""
ENOUGH, LOOSEST = 1e-9, 1e-6
"""Bounds this good, as parts of the largest value, are accepted; the second one where no other engine could do better."""
ALONE = 100_000
"""Components of more nodes are for this engine alone."""
NEAR, NEARER, ROUGH = 1e-7, 1e-9, 1e-10
NOISE = 1e-3
FAR_BELOW = 1e6
ROUNDINGS = 40
"""More roundings than one step makes, of numbers no larger than the largest."""
MOST_SWEEPS, FEWEST_SWEEPS, EDGES = 20_000, 200, 500_000_000


@compiled
def sweep(rows, solved, order, last, cycle, at, memo, budget):
    """Go on solving for about `budget` edges; AGAIN, SOLVED, or what stopped it at the component that begins at `at[AT]`."""
    n_states = len(rows.action_start) - 1
    while at[AT] < len(order):
        if budget < 0:
            return AGAIN
        node = order[at[AT]]
        if not last[at[AT]] or at[PHASE] != LAY_OUT:
            found = _advance(rows, solved, order, last, cycle, at, memo)
            budget -= cycle.start[FIRST, at[SIZE]] + at[SIZE]
            if found == SOLVED:
                tighten(rows, solved, order, at[AT], at[SIZE])
                leave(order, cycle, at)
            elif found != AGAIN:
                return found
            continue
        if node < n_states:
            solve_state(rows, solved, node)
            budget -= rows.action_start[node + 1] - rows.action_start[node] + 1
        else:
            solve_pending(rows, solved, node - n_states)
            budget -= rows.outcome_start[node - n_states + 1] - rows.outcome_start[node - n_states] + 1
        at[AT] += 1
    return SOLVED


@compiled
def leave(order, cycle, at):
    """Leave a component, solved here or elsewhere."""
    for place in range(at[AT], at[AT] + at[SIZE]):
        cycle.number[order[place]] = 0
    at[AT] += at[SIZE]
    at[PHASE] = LAY_OUT


@inner
def _advance(rows, solved, order, last, cycle, at, memo):
    """Take the next step in solving a component: a phase, or one pass of it."""
    if at[PHASE] == LAY_OUT:
        _lay_out(rows, solved, order, last, cycle, at, memo)
        return _begin(cycle, at, memo)
    if at[PHASE] == FINISH:
        return _finish(rows, solved, order, cycle, at, memo)
    at[SWEEPS] += 1
    return _iterate(cycle, at, memo) if at[PHASE] == VALUES else _bound_steps(cycle, at, memo)


@inner
def _lay_out(rows, solved, order, last, cycle, at, memo):
    """Write a component as local arrays, in its order."""
    n_states = len(rows.action_start) - 1
    begin = at[AT]
    size = 1
    while not last[begin + size - 1]:
        size += 1
    first_chooses, second_chooses = False, False
    for place in range(size):
        node = order[begin + place]
        cycle.number[node] = place + 1
        if node < n_states and rows.action_start[node + 1] - rows.action_start[node] > 1:
            first_chooses |= rows.state_mover[node] == 0
            second_chooses |= rows.state_mover[node] == 1
    both = first_chooses and second_chooses
    at[SIZE], at[BOTH], at[TERMS] = size, both, 1
    at[FLIP] = -1 if second_chooses and not first_chooses else 1
    memo[LARGEST], memo[LOW], memo[HIGH], memo[DEAREST] = 0.0, np.inf, -np.inf, -np.inf
    memo[WORST], memo[UP], memo[DOWN] = 0.0, 0.0, 0.0
    edges = 0
    for place in range(size):
        node = order[begin + place]
        cycle.start[FIRST, place] = edges
        cycle.flag[LEAVES, place] = 0
        if node < n_states:
            cycle.flag[KIND, place] = MIN if both and rows.state_mover[node] == 1 else MAX
            edges = _lay_state(rows, solved, cycle, node, place, edges, at, memo)
        else:
            cycle.flag[KIND, place] = PENDING
            edges = _lay_pending(rows, solved, cycle, node, place, edges, at, memo)
    cycle.start[FIRST, size] = edges


@inner
def _lay_state(rows, solved, cycle, node, place, edges, at, memo):
    n_states = len(rows.action_start) - 1
    flip, least = at[FLIP], cycle.flag[KIND, place] == MIN
    best = np.inf if least else -np.inf
    cycle.real[SHARE, place] = 0.0
    for edge in range(rows.action_start[node], rows.action_start[node + 1]):
        after = rows.action_pending[edge] + n_states
        gain = flip * rows.action_gain[edge]
        memo[LARGEST] = max(memo[LARGEST], abs(float(gain)))
        memo[DEAREST] = np.inf if gain else memo[DEAREST]
        if cycle.number[after]:
            cycle.edge[TARGET, edges] = cycle.number[after] - 1
            cycle.amount[edges] = gain
            edges += 1
            memo[WORST] = min(memo[WORST], float(gain))
        elif solved.value[after] > -np.inf:
            value = gain + flip * solved.value[after]
            best = min(best, value) if least else max(best, value)
            cycle.flag[LEAVES, place] = 1
            _meet(solved, after, value, memo)
    cycle.real[BASE, place] = best
    return edges


@inner
def _meet(solved, node, value, memo):
    """Note what lies outside."""
    memo[LARGEST] = max(memo[LARGEST], abs(solved.value[node]))
    memo[LOW], memo[HIGH] = min(memo[LOW], value), max(memo[HIGH], value)
    memo[UP], memo[DOWN] = max(memo[UP], solved.up[node]), max(memo[DOWN], solved.down[node])


@inner
def _lay_pending(rows, solved, cycle, node, place, edges, at, memo):
    pending = node - len(rows.action_start) + 1
    flip = at[FLIP]
    total, missed, known, lost, fatal = 0.0, 0.0, 0.0, 0.0, False
    begin, end = rows.outcome_start[pending], rows.outcome_start[pending + 1]
    for edge in range(begin, end):
        after, weight = rows.outcome_state[edge], rows.outcome_weight[edge]
        total, missed = _add(total, missed, float(weight))
        if cycle.number[after]:
            cycle.edge[TARGET, edges] = cycle.number[after] - 1
            cycle.amount[edges] = weight
            edges += 1
        else:
            value = flip * solved.value[after]
            cycle.flag[LEAVES, place] = 1
            if np.isfinite(value):
                known, lost = _add(known, lost, float(weight) * value)
                _meet(solved, after, value, memo)
            else:
                fatal = True
    total += missed
    cost = float(flip) * rows.pending_cost[pending]
    memo[LARGEST] = max(memo[LARGEST], abs(cost))
    memo[DEAREST] = max(memo[DEAREST], cost)
    memo[WORST] = min(memo[WORST], cost)
    at[TERMS] = max(at[TERMS], end - begin)
    cycle.real[BASE, place] = -np.inf if fatal else cost + (known + lost) / total
    cycle.real[SHARE, place] = 1 / total
    return edges


@inner
def _begin(cycle, at, memo):
    """Find out how a component can be proved, and put down first values.

    Values of a component that may never be left must rise to the truth: a loop that is free would keep what is too high.
    """
    size = at[SIZE]
    lost = False
    for node in range(size):
        lost |= cycle.flag[KIND, node] == PENDING and cycle.real[BASE, node] == -np.inf
    at[SWEEPS], at[SINCE], at[BARE], at[STAGE], at[MERGED], at[PHASE] = 0, 0, 0, 0, 0, VALUES
    memo[LEAST_CHANGE], memo[MOST_STEPS], memo[FACTOR], memo[TOP] = np.inf, 1.0, 0.0, 0.0
    cycle.real[STEPS, :size] = 0.0
    cycle.real[MOVED, :size] = 0.0
    cycle.note[BEST, :size] = -1
    if not lost and surely_left(cycle, size):
        at[MODE] = LEFT
        cycle.real[VALUE, :size] = (memo[LOW] + memo[HIGH]) / 2
        return AGAIN
    if at[BOTH]:
        return ENDLESS
    at[MODE] = COSTS if memo[DEAREST] < 0 and memo[HIGH] <= 0 else TIED
    cycle.real[VALUE, :size] = memo[HIGH] if at[MODE] == COSTS else memo[LOW] + FAR_BELOW * memo[WORST]
    dead = bury(cycle, size)
    if dead and at[TWO]:
        return ENDLESS
    at[PHASE] = FINISH if dead == size else VALUES
    return AGAIN


@inner
def _patience(cycle, size):
    """How many sweeps without progress are too many."""
    return min(max(EDGES // (cycle.start[FIRST, size] + 1), FEWEST_SWEEPS), MOST_SWEEPS)


@inner
def _bound_steps(cycle, at, memo):
    """Count steps for one more sweep. When no count changes by more than one half, every step counts for one half or more."""
    size, near = at[SIZE], (NEAR if at[MODE] == LEFT else NEARER) * (memo[LARGEST] + memo[TOP])
    if at[SWEEPS] == 1 and at[MODE] == TIED:
        at[MERGED] = find_loops(cycle, size, near) > 0
    change = _count_steps(cycle, size, near, at[MERGED])
    if at[MERGED]:
        change = max(change, _level_steps(cycle, size))
    if change > 0.5:
        return AGAIN if at[SWEEPS] < _patience(cycle, size) else SLOW
    memo[MOST_STEPS] = cycle.real[STEPS, :size].max() + 1
    memo[LEAST_CHANGE] = np.inf
    at[PHASE], at[SWEEPS], at[SINCE], at[BARE], at[STAGE] = VALUES, 0, 0, 0, 1
    return AGAIN


@inner
def _count_steps(cycle, size, near, merged):
    """Count on; in free loops only what leads on counts, and goes to MOVED."""
    most = 0.0
    value, counted = cycle.real[VALUE], cycle.real[STEPS]
    if merged:
        cycle.real[MOVED, :size] = 0.0
    for node in range(size):
        kind = cycle.flag[KIND, node]
        piece = cycle.note[PIECE, node] if merged else -1
        steps = 0.0
        if kind == PENDING and piece < 0:
            for place in range(cycle.start[FIRST, node], cycle.start[FIRST, node + 1]):
                steps += cycle.amount[place] * counted[cycle.edge[TARGET, place]]
            steps *= cycle.real[SHARE, node]
        elif kind in (MAX, MIN):
            for place in range(cycle.start[FIRST, node], cycle.start[FIRST, node + 1]):
                after = cycle.edge[TARGET, place]
                if counted[after] > steps and abs(cycle.amount[place] + value[after] - value[node]) <= near:
                    steps = steps if piece >= 0 and cycle.note[PIECE, after] == piece else counted[after]
        else:
            continue
        if piece >= 0:
            cycle.real[MOVED, piece] = max(cycle.real[MOVED, piece], steps + 1)
            continue
        most = max(most, steps + 1 - counted[node])
        counted[node] = steps + 1
    return most


@inner
def _level_steps(cycle, size):
    """Give all nodes of a free loop the same steps."""
    most = 0.0
    for node in range(size):
        piece = cycle.note[PIECE, node]
        if piece >= 0:
            most = max(most, cycle.real[MOVED, piece] - cycle.real[STEPS, node])
            cycle.real[STEPS, node] = cycle.real[MOVED, piece]
    return most


@inner
def _iterate(cycle, at, memo):
    """Sweep once, and see whether that was enough."""
    size, mode = at[SIZE], at[MODE]
    change = _sweep_values(cycle, size, mode != LEFT and not at[BARE], memo)
    scale = memo[LARGEST] + memo[TOP]
    if mode == COSTS:
        memo[MOST_STEPS] = memo[TOP] / -memo[DEAREST] + 1
    # Sums of many terms hardly ever come near the worst that rounding can do; the proof adds them up more carefully.
    goal = max(PRECISE * scale / (4 * memo[MOST_STEPS]), (np.sqrt(at[TERMS]) + ROUNDINGS) * UNIT * scale)
    if mode == LEFT and at[STAGE] == 0:
        goal = ROUGH * scale
    at[SINCE] = 0 if change < 0.5 * memo[LEAST_CHANGE] else at[SINCE] + 1
    memo[LEAST_CHANGE] = change if at[SINCE] == 0 else memo[LEAST_CHANGE]
    stalled = at[SINCE] > _patience(cycle, size) or at[SWEEPS] > MOST_SWEEPS
    if not change <= goal and not stalled:
        if mode != TIED:
            _leap(cycle, size, memo)
        return AGAIN
    if not change <= NEAR * scale:
        return SLOW
    if mode != LEFT and not at[BARE]:
        at[BARE], at[SINCE] = 1, 0
    elif mode != COSTS and at[STAGE] == 0:
        at[PHASE], at[SWEEPS] = COUNT_STEPS, 0
    else:
        at[PHASE] = FINISH
    return AGAIN


@inner
def _add(total, lost, term):
    """Add a term to a sum, and what rounding loses to another: together they are as good as exact (Neumaier 1974)."""
    new = total + term
    lost += (total - new) + term if abs(total) >= abs(term) else (term - new) + total
    return new, lost


@inner
def _sweep_values(cycle, size, again, memo):
    """Give each node the value that follows from its neighbours; give the largest change.

    With `again`, "roll this again" is solved at once wherever it is the best move.
    """
    most, top, along, before = 0.0, 0.0, 0.0, 0.0
    value, best, first, target = cycle.real[VALUE], cycle.note[BEST], cycle.start[FIRST], cycle.edge[TARGET]
    for node in range(size):
        new = cycle.real[BASE, node]
        kind = cycle.flag[KIND, node]
        if kind == PENDING:
            mean, back = 0.0, 0.0
            if again:
                for place in range(first[node], first[node + 1]):
                    after = target[place]
                    if best[after] == node:
                        back += cycle.amount[place]
                        mean += cycle.amount[place] * cycle.real[AGAIN_GAIN, after]
                    else:
                        mean += cycle.amount[place] * value[after]
            else:
                for place in range(first[node], first[node + 1]):
                    mean += cycle.amount[place] * value[target[place]]
            new += mean * cycle.real[SHARE, node]
            out = 1 - back * cycle.real[SHARE, node]
            new = new / out if out > 1e-9 else new + (1 - out) * value[node]
        elif kind == MAX:
            chosen, gain = -1, 0.0
            for place in range(first[node], first[node + 1]):
                after = target[place]
                if cycle.amount[place] + value[after] > new:
                    new, chosen, gain = cycle.amount[place] + value[after], after, float(cycle.amount[place])
            if again:
                best[node], cycle.real[AGAIN_GAIN, node] = chosen, gain
        elif kind == MIN:
            for place in range(first[node], first[node + 1]):
                new = min(new, cycle.amount[place] + value[target[place]])
        else:
            continue
        change, old = new - value[node], cycle.real[MOVED, node]
        along += change * old
        before += old * old
        most, top = max(most, abs(change)), max(top, abs(new))
        cycle.real[MOVED, node] = change
        value[node] = new
    memo[TOP] = top
    memo[NEW_FACTOR] = along / before if before > 0 else 0.0
    return most


@inner
def _leap(cycle, size, memo):
    """When changes shrink by the same factor from sweep to sweep, add what is left of them at once."""
    factor = memo[NEW_FACTOR]
    if 0 < factor < 1 and abs(factor - memo[FACTOR]) < 0.02 * (1 - factor):
        for node in range(size):
            if cycle.flag[KIND, node] != DEAD:
                cycle.real[VALUE, node] += cycle.real[MOVED, node] * factor / (1 - factor)
                cycle.real[MOVED, node] = 0.0
        factor = 0.0
    memo[FACTOR] = factor


@inner
def _finish(rows, solved, order, cycle, at, memo):
    """Choose, prove, and write the result down."""
    size, begin = at[SIZE], at[AT]
    scale = memo[LARGEST] + memo[TOP]
    if at[MODE] == COSTS:
        _steps_by_cost(cycle, size, -memo[DEAREST])
    if at[MERGED]:
        level_loops(cycle, size)
    for place in range(size):
        solved.value[order[begin + place]] = at[FLIP] * cycle.real[VALUE, place] if cycle.flag[KIND, place] != DEAD else -np.inf
    most = cycle.real[STEPS, :size].max()
    slack, noise = ROUNDINGS * UNIT * scale, (2 * at[TERMS] + ROUNDINGS) * UNIT * most
    ends = _choose(rows, solved, order, cycle, at, -NOISE * scale)
    least, chosen, largest = _prove(rows, solved, order, cycle, at, slack, noise)
    if chosen > 4 * least and chosen * most > PRECISE * scale:
        ends = _choose(rows, solved, order, cycle, at, 2 * least * most)
        least, chosen, largest = _prove(rows, solved, order, cycle, at, slack, noise)
    bound = 1.001 * max(least, chosen)
    if not ends or not bound <= largest or not bound * most <= (LOOSEST if size > ALONE else ENOUGH) * scale:
        return UNSURE
    for place in range(size):
        node = order[begin + place]
        own = bound * cycle.real[STEPS, place] + 4 * UNIT * abs(cycle.real[VALUE, place])
        dead = cycle.flag[KIND, place] == DEAD
        solved.up[node] = 0.0 if dead else own + memo[UP]
        solved.down[node] = 0.0 if dead else own + memo[DOWN]
    return SOLVED


@inner
def _steps_by_cost(cycle, size, cheapest):
    """What a node costs bounds the rolls left; one quarter more for a state makes every move count."""
    for node in range(size):
        if cycle.flag[KIND, node] != DEAD:
            cycle.real[STEPS, node] = abs(cycle.real[VALUE, node]) / cheapest + (
                0.25 if cycle.flag[KIND, node] != PENDING else 0.0
            )


@inner
def _choose(rows, solved, order, cycle, at, width):
    """Choose the first action that is tied with the best (see `first_tied`); say whether the choices leave free loops."""
    n_states = len(rows.action_start) - 1
    for place in range(at[SIZE]):
        state = order[at[AT] + place]
        if state < n_states:
            sign = -1.0 if cycle.flag[KIND, place] == MIN else float(at[FLIP])
            dead = cycle.flag[KIND, place] == DEAD
            solved.choice[state] = -1 if dead else first_tied(rows, solved, state, sign, width, -1, cycle)
    return not at[MERGED] or leave_loops(rows, solved, order, at[AT], at[SIZE], cycle, float(at[FLIP]), width)


@inner
def _prove(rows, solved, order, cycle, at, slack, noise):
    """Find the d with which v + d w and v - d w are bounds: at least the first two numbers, at most the third.

    The first is what the rolls and the actions ask for, the second what the choices do. Where nothing is gained and all numbers
    are the same to the last bit, as in a free loop, nothing is asked for.
    """
    n_states = len(rows.action_start) - 1
    least, chosen, largest = 0.0, 0.0, np.inf
    for place in range(at[SIZE]):
        node = order[at[AT] + place]
        own, steps = cycle.real[VALUE, place], cycle.real[STEPS, place]
        if cycle.flag[KIND, place] == PENDING:
            mean, lost, after = 0.0, 0.0, 0.0
            same = not cycle.flag[LEAVES, place] and cycle.real[BASE, place] == 0.0
            for edge in range(cycle.start[FIRST, place], cycle.start[FIRST, place + 1]):
                mean, lost = _add(mean, lost, cycle.amount[edge] * cycle.real[VALUE, cycle.edge[TARGET, edge]])
                after += cycle.amount[edge] * cycle.real[STEPS, cycle.edge[TARGET, edge]]
                same &= (
                    cycle.real[VALUE, cycle.edge[TARGET, edge]] == own and cycle.real[STEPS, cycle.edge[TARGET, edge]] == steps
                )
            if same:
                continue
            off = abs(cycle.real[BASE, place] + (mean + lost) * cycle.real[SHARE, place] - own) + slack
            falls = steps - after * cycle.real[SHARE, place] - noise
            least = max(least, off / falls) if falls > 0 else np.inf
        elif cycle.flag[KIND, place] != DEAD:
            sign = -1.0 if cycle.flag[KIND, place] == MIN else 1.0
            flip = at[FLIP] * sign
            picked = rows.action_start[node] + solved.choice[node]
            for edge in range(rows.action_start[node], rows.action_start[node + 1]):
                pending = rows.action_pending[edge] + n_states
                value = flip * (rows.action_gain[edge] + solved.value[pending])
                if value == -np.inf:
                    continue
                inside = cycle.number[pending]
                if inside and value == sign * own and not rows.action_gain[edge] and cycle.real[STEPS, inside - 1] == steps:
                    continue
                falls = steps - (cycle.real[STEPS, inside - 1] if inside else 0.0) - noise
                over, under = value - sign * own + slack, sign * own - value + slack
                if falls > 0:
                    least = max(least, over / falls)
                elif over > 0:
                    least = np.inf
                elif falls < 0:
                    largest = min(largest, over / falls)
                if edge == picked:
                    chosen = max(chosen, under / falls) if falls > 0 else np.inf
    return least, chosen, largest

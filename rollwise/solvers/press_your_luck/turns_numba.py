"""Turns in compiled code, for their points and in a race.

With bank values known, a turn is a recursion from many points down: rolling with t points and n dice is worth the mean, over
the kinds of rolls, of the best of banking and of going on with each offer, and a farkle is worth `bust`. That is convex in
`bust`, and its slope is the chance that the turn ends with a farkle. The turns of (a, b) and (b, a) wait for each other's
farkles: two equations x = F(1 - y), y = G(1 - x), solved by Newton's method between bounds that close in.
"""

import numpy as np

from rollwise.solvers.base.compiling import compiled, inner

__all__ = ["AROUND", "flow_turn", "has_ties", "mean_turn", "play_games", "play_turn", "solve_pairs", "solve_turn"]

ROUNDS = 200
CLOSE = 4e-15
BANK, LOST = -1, -2
AROUND = 1e-9
"""Slopes are bounded this far around a solution, which therefore must not be wrong by more."""


@inner
def fill_turn(tables, top, needed, enough, bank, bust, worth, slope):
    """Fill `worth[t, n]` and `slope[t, n]` below `top`; banking t is worth `bank[t]`, or 1 from `enough` on."""
    kind_start, kind_chance, kind_best, offer_start, offer_points, offer_left = tables
    dice = len(kind_start) - 2
    for points in range(top - 1, -1, -1):
        for number in range(1, dice + 1):
            mean = 0.0
            lost = 0.0
            for kind in range(kind_start[number], kind_start[number + 1]):
                begin, end = offer_start[kind], offer_start[kind + 1]
                if begin == end:
                    mean += kind_chance[kind] * bust
                    lost += kind_chance[kind]
                    continue
                total = points + kind_best[kind]
                best = -1.0
                steep = 0.0
                if total >= needed:
                    if total >= enough:
                        mean += kind_chance[kind]
                        continue
                    best = bank[total]
                for offer in range(begin, end):
                    after = points + offer_points[offer]
                    if worth[after, offer_left[offer]] > best:
                        best = worth[after, offer_left[offer]]
                        steep = slope[after, offer_left[offer]]
                mean += kind_chance[kind] * best
                lost += kind_chance[kind] * steep
            worth[points, number] = mean
            slope[points, number] = lost


@inner
def _turn(tables, goal, needed, own, row, bust, worth, slope):
    """The same for a mover with this score in a race; `row[s]` is the other's chance if the mover has s."""
    fill_turn(tables, max(goal - own, needed), needed, goal - own, 1.0 - row[own:], bust, worth, slope)


@compiled
def play_turn(tables, goal, needed, own, row, bust):
    """Give what every roll of a turn is worth to the mover: `[points, dice]`."""
    top = max(goal - own, needed)
    shape = (top, len(tables[0]) - 1)
    worth = np.zeros(shape)
    _turn(tables, goal, needed, own, row, bust, worth, np.zeros(shape))
    return worth


@compiled
def solve_turn(tables, top, needed, point):
    """Give what every roll of one turn is worth, for the most points: `[points, dice]`, and -1 from `top` on."""
    size = top + kind_best_of(tables)
    worth = np.full((size + 1, len(tables[0]) - 1), -1.0)
    bank = point * np.arange(size + 1)
    fill_turn(tables, top, needed, size + 1, bank, 0.0, worth, np.zeros(worth.shape))
    return worth


@inner
def kind_best_of(tables):
    return tables[2].max()


@compiled
def flow_turn(tables, needed, point, worth, first, dice):
    """Follow best play from a roll of these dice with `first` points: the chances of rolls, and of totals that are banked."""
    kind_start, kind_chance, kind_best, _, offer_points, offer_left = tables
    visits, banked = np.zeros(worth.shape), np.zeros(len(worth))
    visits[first, dice] = 1.0
    for points in range(first, len(worth)):
        for number in range(1, len(kind_start) - 1):
            mass = visits[points, number]
            if mass == 0.0:
                continue
            for kind in range(kind_start[number], kind_start[number + 1]):
                chosen = choose_offer(tables, kind, points, needed, point, worth)
                if chosen == BANK:
                    banked[points + kind_best[kind]] += mass * kind_chance[kind]
                elif chosen == LOST:
                    banked[0] += mass * kind_chance[kind]
                else:
                    visits[points + offer_points[chosen], offer_left[chosen]] += mass * kind_chance[kind]
    return visits, banked


@compiled
def mean_turn(tables, needed, point, worth, visits, die):
    """Add up what the rolls with a die are worth on average, by these tables, weighted by visits; dice left are masks."""
    kind_start, kind_chance, kind_best, _, offer_points, offer_left = tables
    total = 0.0
    for points in range(len(worth)):
        for number in range(1, len(kind_start) - 1):
            if number >> die & 1 == 0 or visits[points, number] == 0.0:
                continue
            for kind in range(kind_start[number], kind_start[number + 1]):
                if kind_chance[kind] == 0.0:
                    continue
                chosen = choose_offer(tables, kind, points, needed, point, worth)
                if chosen == BANK:
                    best = point * (points + kind_best[kind])
                elif chosen == LOST:
                    best = 0.0
                else:
                    best = worth[points + offer_points[chosen], offer_left[chosen]]
                total += visits[points, number] * kind_chance[kind] * best
    return total


@compiled
def has_ties(tables, needed, point, worth, visits, close):
    """Say whether a roll that best play meets has two best moves, up to a relative difference of `close`."""
    kind_start, kind_chance, kind_best, offer_start, offer_points, offer_left = tables
    for points in range(len(worth)):
        for number in range(1, len(kind_start) - 1):
            if visits[points, number] == 0.0:
                continue
            for kind in range(kind_start[number], kind_start[number + 1]):
                if kind_chance[kind] == 0.0 or offer_start[kind] == offer_start[kind + 1]:
                    continue
                best = point * (points + kind_best[kind]) if points + kind_best[kind] >= needed else -1.0
                second = -1.0
                for offer in range(offer_start[kind], offer_start[kind + 1]):
                    going_on = worth[points + offer_points[offer], offer_left[offer]]
                    if going_on > best:
                        best, second = going_on, best
                    elif going_on > second:
                        second = going_on
                if best > 0.0 and best - second <= close * best:
                    return True
    return False


@inner
def choose_offer(tables, kind, points, needed, point, worth):
    """Give the best offer of a kind of roll, `BANK`, or `LOST`."""
    kind_best, offer_start, offer_points, offer_left = tables[2], tables[3], tables[4], tables[5]
    if offer_start[kind] == offer_start[kind + 1]:
        return LOST
    best, chosen = -1.0, LOST
    if points + kind_best[kind] >= needed:
        best, chosen = point * (points + kind_best[kind]), BANK
    for offer in range(offer_start[kind], offer_start[kind + 1]):
        going_on = worth[points + offer_points[offer], offer_left[offer]]
        if going_on > best:
            best, chosen = going_on, offer
    return chosen


@compiled
def solve_pairs(tables, goal, needs, layer, first, last, value, apart, spans):
    """Solve the turn starts (a, layer - a) and (layer - a, a) for a from `first` to `last` - 1, at most half of the layer.

    `value[a, b]` is the mover's chance with a against b. `apart[a]` is by how much the equations fail; a failure of r
    means that the values are wrong by at most `spans[a]` times r.
    """
    size = max(goal, needs.max())
    dice = len(tables[0]) - 2
    worth = np.zeros((size, dice + 1))
    slope = np.zeros((size, dice + 1))
    for a in range(first, last):
        b = layer - a
        x = value[a, b + 1] if b + 1 < goal else 0.5
        y = x
        low, high = 0.0, 1.0
        for _ in range(ROUNDS):
            steep_y = 1.0
            if a == b:
                y = x
            else:
                _turn(tables, goal, needs[b], b, value[a], 1.0 - x, worth, slope)
                y, steep_y = worth[0, dice], slope[0, dice]
            _turn(tables, goal, needs[a], a, value[b], 1.0 - y, worth, slope)
            change, steep_x = worth[0, dice] - x, slope[0, dice]
            apart[a] = abs(change)
            if apart[a] <= CLOSE:
                break
            if change > 0:
                low = x
            else:
                high = x
            # For a = b the equation is x = F(1 - x), else x = F(1 - G(1 - x)): the left side grows faster than the right one.
            x += change / (1 + steep_x if a == b else 1 - steep_x * steep_y)
            if not low < x < high:
                x = (low + high) / 2
        value[a, b], value[b, a] = x, y
        # By convexity slopes are no larger anywhere below.
        _turn(tables, goal, needs[a], a, value[b], 1.0 - y + AROUND, worth, slope)
        steep_x = steep_y = slope[0, dice]
        if a != b:
            _turn(tables, goal, needs[b], b, value[a], 1.0 - x + AROUND, worth, slope)
            steep_y = slope[0, dice]
        spans[a] = (1 + max(steep_x, steep_y)) / (1 - steep_x * steep_y)


@inner
def _play_one(tables, goal, needed, own, row, worth, random):
    """Play a turn as `worth` says, and give the score after it."""
    kind_start, kind_chance, kind_best, offer_start, offer_points, offer_left = tables
    points, number = 0, len(kind_start) - 2
    while True:
        kind, draw = kind_start[number], random.random()
        while kind < kind_start[number + 1] - 1 and draw >= kind_chance[kind]:
            draw -= kind_chance[kind]
            kind += 1
        if offer_start[kind] == offer_start[kind + 1]:
            return own
        total = points + kind_best[kind]
        best, chosen = -1.0, -1
        if total >= needed:
            if own + total >= goal:
                return goal
            best = 1.0 - row[own + total]
        for offer in range(offer_start[kind], offer_start[kind + 1]):
            going_on = worth[points + offer_points[offer], offer_left[offer]]
            if going_on > best:
                best, chosen = going_on, offer
        if chosen < 0:
            return own + total
        points, number = points + offer_points[chosen], offer_left[chosen]


@compiled
def play_games(tables, goal, needs, value, random, games):
    """Play games, both players best, and say which ones the first player won."""
    shape = (max(goal, needs.max()), len(tables[0]) - 1)
    worth, slope = np.zeros(shape), np.zeros(shape)
    won = np.zeros(games, dtype=np.int64)
    for game in range(games):
        scores, mover = np.zeros(2, dtype=np.int64), 0
        while scores.max() < goal:
            own, row = scores[mover], value[scores[1 - mover]]
            _turn(tables, goal, needs[own], own, row, 1.0 - row[own], worth, slope)
            scores[mover] = _play_one(tables, goal, needs[own], own, row, worth, random)
            mover = 1 - mover
        won[game] = scores[0] == goal
    return won

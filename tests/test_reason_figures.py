"""The figures in sentences about moves are those of the rules, counted here roll by roll."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rollwise import Solution, solve
from rollwise.games import load
from rollwise.games.bear_off.homes import moves
from rollwise.model.message import Message, round_chance
from rollwise.model.reasons import Comparison
from rollwise.model.view import view_of
from rollwise.playing.explain import Reasons
from rollwise.texts.render import render

Args = Mapping[str, Any]
Found = dict[str, Args]
D6 = range(1, 7)


def sentences(solution: Solution, count: int) -> Iterator[tuple[Comparison, Found]]:
    """Compare moves of positions in games of luck, with the arguments of all messages of a sentence by key."""
    random, game, known, view = Random(7), solution.game, Reasons(solution), view_of(solution.game)
    pending, told = game.start(), 0
    while told < count:
        roll = game.roll(pending)
        state = random.choices(list(roll), list(roll.values()))[0]
        ranked = solution.ranked(state)
        if not ranked:
            pending = game.start()
            continue
        move = known.compare(state, random.choice(ranked).action, view.compares)
        sentence = view.explain(move)
        assert isinstance(sentence, Message)
        assert Message.from_dict(sentence.as_dict()) == sentence
        assert all(render(sentence, language) for language in ("en", "de"))
        yield move, dict(messages(sentence))
        told += 1
        pending = game.play(state, random.choice(ranked[:2]).action)


def messages(text: Any) -> Iterator[tuple[str, Args]]:
    if isinstance(text, Message):
        yield text.key, text.args
    for part in text.args.values() if isinstance(text, Message) else text if isinstance(text, list | tuple) else ():
        yield from messages(part)


def share(found: Any) -> float:
    found = list(found)
    return round_chance(sum(map(bool, found)) / len(found))


def pig(game: Any, move: Comparison, told: Found, dice: int = 1) -> None:
    state, args = move.state, next((args for key, args in told.items() if key.startswith(("pig.roll", "pig.hold"))), None)
    if args is None:
        return
    score, rolls = (state.first, state.second)[state.mover], list(product(D6, repeat=dice))
    assert args["lost"] == share(1 in roll for roll in rolls)
    assert args["wins"] == share(1 not in roll and score + state.turn + sum(roll) >= game.target for roll in rolls)
    assert args["adds"] == round(sum(sum(roll) for roll in rolls if 1 not in roll) / len(rolls), 1)
    losses = [state.turn + score * (len(roll) == 2 and sum(roll) == 2) for roll in rolls if 1 in roll]
    assert args["costs"] == pytest.approx(sum(losses) / len(rolls), abs=0.0501)


def two_dice_pig(game: Any, move: Comparison, told: Found) -> None:
    pig(game, move, told, 2)


def hog(game: Any, move: Comparison, told: Found) -> None:
    need = int(game.need(move.state))
    for key, args in told.items():
        for which in ("", "2") if key in ("hog.wins", "hog.mean", "hog.safer", "hog.bolder") else ():
            points = [0 if 1 in roll else min(sum(roll), need) for roll in product(D6, repeat=int(args[f"n{which}"]))]
            assert args[f"wins{which}"] == share(made == need for made in points)
            assert args[f"scores{which}"] == share(points)
            assert args[f"mean{which}"] == round(sum(points) / len(points), 2)
            assert args[f"then{which}"] == round(sum(points) / sum(map(bool, points)), 1)


def farkle(game: Any, move: Comparison, told: Found) -> None:
    @lru_cache
    def best(roll: tuple[int, ...]) -> int:
        sets = (kept for number in range(1, len(roll) + 1) for kept in combinations(roll, number))
        return max(int(game.scores.points(kept)) for kept in sets)

    args = next((args for key, args in told.items() if key.startswith("farkle.") and "lost" in args), None)
    if args is None:
        return
    if "safe" in args:
        points = game.gain(move.state, "bank") if game.players == 1 else 50 * (move.state.points + game.best[move.state.hand])
        assert args["safe"] == points
    made = [best(tuple(sorted(roll))) for roll in product(D6, repeat=args["left"])]
    assert args["lost"] == share(not points for points in made)
    assert args["adds"] == round(sum(made) / sum(map(bool, made)))


def shut_the_box(game: Any, move: Comparison, told: Found) -> None:
    def lasts(tiles: tuple[int, ...], number: int) -> float:
        if not tiles or not number:
            return 1.0
        return sum(
            max((lasts(rest, number - 1) for rest in rests(tiles, one + two)), default=0.0) for one, two in product(D6, D6)
        ) / 36  # fmt: skip

    def rests(tiles: tuple[int, ...], total: int) -> Iterator[tuple[int, ...]]:
        for number in range(1, len(tiles) + 1):
            yield from (tuple({*tiles} - {*shut}) for shut in combinations(tiles, number) if sum(shut) == total)

    opened = tuple(tile for tile in range(1, game.tiles + 1) if move.state.open >> tile - 1 & 1)
    for key, args in told.items():
        if key.startswith("shut.fits-"):
            after = [tuple({*opened} - {*map(int, args[name].split("+"))}) for name in ("move", "other")]
            chances = [round_chance(lasts(tiles, int(key[-1]))) for tiles in after]
            assert chances == [args["chance"], args["chance2"]]
            assert chances[0] > chances[1]


def threes(game: Any, move: Comparison, told: Found) -> None:
    @lru_cache
    def to_come(dice: int) -> float:
        if not dice:
            return 0.0
        rolls = list(product((1, 2, 0, 4, 5, 6), repeat=dice))
        return sum(min(sum(sorted(roll)[:kept]) + to_come(dice - kept) for kept in range(1, dice + 1)) for roll in rolls) / len(
            rolls
        )

    lefts = [int(game.play(move.state, action).left) for action in (move.action, move.rival) if action is not None]
    for key, args in told.items():
        if key in ("threes.keep", "threes.roll"):
            assert args["adds"] == pytest.approx(abs(to_come(lefts[0]) - to_come(lefts[1])), abs=0.00501)
            assert (args["counts"] < args["adds"] + 0.005) == (key == "threes.keep") or args["counts"] == args["adds"]
        if key == "threes.sides":
            assert [args["rest"], args["rest2"]] == pytest.approx([*map(to_come, lefts)], abs=0.00501)


def can_win(game: Any, state: Any, roll: tuple[int, ...]) -> bool:
    used = {i for i, (old, new) in enumerate(zip(state.saved, state.now, strict=True)) if new > old}
    a, b, c, d = (one - 1 for one in roll)
    for first, second in ((a + b, c + d), (a + c, b + d), (a + d, b + c)):
        for order in ((first, second), (second, first)):
            now, climbing = [*state.now], {*used}
            for i in order:
                if now[i] < game.lengths[i] and (i in climbing or len(climbing) < game.markers):
                    now[i] += 1
                    climbing.add(i)
            if sum(map(int.__eq__, now, game.lengths)) >= game.columns_to_win:
                return True
    return False


def cant_stop(game: Any, move: Comparison, told: Found) -> None:
    def moves_on(state: Any, roll: tuple[int, ...]) -> bool:
        used = {i for i, (old, new) in enumerate(zip(state.saved, state.now, strict=True)) if new > old}
        sums = {one + two - 2 for one, two in combinations(roll, 2)}
        return any(state.now[i] < game.lengths[i] and (i in used or len(used) < game.markers) for i in sums)

    rolls = list(product(range(1, game.sides + 1), repeat=4))
    for key, args in told.items():
        if key in ("cant-stop.roll-risk", "cant-stop.stop-risk"):
            rolling = next(action for action in (move.action, move.rival) if action.endswith("roll"))
            after = game.play(move.state, rolling)
            assert args["chance"] == share(not moves_on(after, roll) for roll in rolls)
            assert args["n"] == sum(after.now) - sum(after.saved)
        if key == "cant-stop.winning":
            chances = [share(can_win(game, game.play(move.state, action), roll) for roll in rolls) for action in move.ordered]
            assert [args["chance"], args["chance2"]] == chances
        if key == "cant-stop.wins":
            won = game.play(move.state, move.ordered[0] if move.rival else move.action).now
            assert args["columns"] == [i + 2 for i, n in enumerate(game.lengths) if move.state.now[i] < won[i] == n]


def groups(game: Any, move: Comparison, told: Found) -> None:
    if "groups.fits" in told:
        held = game.keep(move.state)
        goal, sizes = list(game.goal), [held.count(face) + 1 for face in range(1, game.faces + 1)]
        grown = [sorted([*(Counter(held) - Counter({face: held.count(face)})).values(), size], reverse=True)
                 for face, size in enumerate(sizes, 1)]  # fmt: skip
        fitting = [len(one) <= len(goal) and all(map(int.__le__, one, goal)) for one in grown]
        assert told["groups.fits"]["n"] == sum(fitting)


def words(game: Any, move: Comparison, told: Found) -> None:
    for key in ("words.chance", "words.chances"):
        if key in told:
            both = [(move.action, told[key]["chance"]), (move.rival, told[key]["rival"])]
            for action, chance in both:
                rolls = product(*("".join(f * n for f, n in die) if shown == "*" else shown
                                  for die, shown in zip(game.dice, action, strict=True)))  # fmt: skip
                assert chance == share(any(sorted(roll) == sorted(word) for word in game.words) for roll in rolls)


def bear_off(game: Any, move: Comparison, told: Found) -> None:
    @lru_cache
    def most_off(counts: tuple[int, ...], dice: tuple[int, ...]) -> int:
        if not dice or not any(counts):
            return 0
        return max((to == 0) + most_off(after, dice[1:]) for _, to, after in moves(counts, dice[0]))

    def next_roll(action: str) -> list[int]:
        board = game.homes.counts(game.play(move.state, action).home)
        rolls = [((one,) * 4,) if one == two else ((one, two), (two, one)) for one, two in product(D6, D6)]
        return [max(most_off(board, dice) for dice in orders) for orders in rolls]

    for key, args in told.items():
        for action, name in ((move.action, "n"), (move.rival, "other")):
            if key == "bear-off.soon":
                assert args[name] == pytest.approx(sum(next_roll(action)) / 36, abs=0.00501)
            if key == "bear-off.ends":
                left = sum(game.homes.counts(game.play(move.state, action).home))
                assert args[name] == share(off == left for off in next_roll(action))


def slots(game: Any, move: Comparison, told: Found) -> None:
    for args in (told["slots.last"],) if "slots.last" in told else ():
        for which in ("", "2"):
            (left,) = args[f"left{which}"]
            made = game.score[args[f"slot{which}"]][move.state.roll - 1]
            need = game.target - move.state.total - made
            assert args[f"chance{which}"] == share(points >= need for points in game.score[left])
        assert args["chance"] >= args["chance2"]


def own_game(game: Any, move: Comparison, told: Found) -> None:
    for key in {*told} & {"any.sure", "any.unsure", "any.sure-both", "any.average"}:
        assert move.value is not None
        assert told[key]["n"] == round(float(move.value), 2)
        roll = game.roll(game.play(move.state, move.action))
        ends = len(roll) == 1 and not game.actions(*roll)
        assert ends == (key in ("any.sure", "any.sure-both"))
    if move.action == "keep" and move.rival is not None:
        assert "any.sure" in told


CHECKS: list[tuple[str, dict[str, Any], Callable[..., None]]] = [
    ("pig", {"target": 30}, pig), ("two-dice-pig", {"target": 25}, two_dice_pig), ("hog", {"target": 20, "most_dice": 5}, hog),
    ("farkle", {"dice": 4}, farkle), ("farkle", {"dice": 3, "players": 2, "target": 600}, farkle),
    ("shut-the-box", {"tiles": 6}, shut_the_box), ("shut-the-box", {"tiles": 6, "players": 2}, shut_the_box),
    ("threes", {"dice": 4}, threes), ("cant-stop", {"sides": 2}, cant_stop),
    ("groups", {"faces": 4, "sizes": "2,2", "view": "raw"}, groups),
    ("words", {"dice": "AAC,ACT,ABT", "words": "CAT,TAB"}, words),
    ("bear-off", {"checkers": 5, "start": "0/1/1/1/1/1"}, bear_off), ("slots", {}, slots),
    (str(Path(__file__).parents[1] / "examples/best_of_three.py"), {}, own_game),
]  # fmt: skip


@pytest.mark.parametrize(("name", "parameters", "check"), CHECKS, ids=[f"{Path(name).name} {given}" for name, given, _ in CHECKS])
def test_figures_are_true(name: str, parameters: dict[str, Any], check: Callable[..., None]) -> None:
    solution = solve(load(name, **parameters))
    for move, told in sentences(solution, 60):
        check(solution.game, move, told)
        for key in {*told} & {"reason.that-wins", "pig.roll-chances", "pig.hold-chances", "shut.chances"}:
            value = {row.action: row.value for row in solution.ranked(move.state)}[move.action]
            own = 1 - value if solution.game.mover(move.state) else value
            assert told[key]["mine"] == round(100 * float(own), 1)
            assert (told[key]["mine"] > told[key]["rival"]) == (move.gain > 0)
            assert not key.startswith("pig") or key == f"pig.{move.action}-chances"

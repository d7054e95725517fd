"""The words of a strategy card for Shut the Box: which tiles are open, and which of those that fit are shut."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from rollwise.model.card import CardFeature, Verb, Vocabulary
from rollwise.model.plain_words import move_verb

__all__ = ["tile_vocabulary"]

Tiles = tuple[int, ...]
"""Tiles, the highest first."""


def tile_vocabulary(game: Any) -> Vocabulary:
    """Give the words of Shut the Box."""
    return Vocabulary(_features(game), _verbs(game))


def _features(game: Any) -> tuple[CardFeature, ...]:
    masks = range(game.box.size)
    count, highest, lowest = (game.sums * 0 for _ in range(3))
    for mask in masks:
        members = _members(mask)
        count[mask], highest[mask], lowest[mask] = len(members), max(members, default=0), min(members, default=0)

    def see(name: str, read: Callable[[Any], Any], high: int, says: str) -> CardFeature:
        return CardFeature(name, read, 0, high, says, many=True)

    rival = (
        [see("to beat", lambda s: s.beat, game.most, "the sum that the first player has left, for the second")]
        if game.two
        else []
    )
    rival += [see("second player", lambda s: s.mover, 1, "you are the second player")] if game.two else []
    return (
        see("throw", lambda s: s.rolled, 12, "what was thrown; 0 where the number of dice is to be chosen"),
        see("sum", lambda s: game.sums[s.open], game.most, "what the open tiles add up to"),
        see("tiles open", lambda s: count[s.open], game.tiles, "how many tiles are open"),
        see("highest tile", lambda s: highest[s.open], game.tiles, "the highest open tile"),
        see("lowest tile", lambda s: lowest[s.open], game.tiles, "the lowest open tile"),
        *(see(f"{tile} open", _is_open(tile), 1, f"tile {tile} is open") for tile in range(1, game.tiles + 1)),
        *rival,
    )


def _verbs(game: Any) -> tuple[Verb, ...]:
    fitting = lru_cache(maxsize=1 << 14)(lambda opened, rolled: _fitting(game, opened, rolled))

    def shut(name: str, rank: Callable[[int, Tiles], Any], says: str, only: int = 0) -> Verb:
        @lru_cache(maxsize=1 << 14)
        def chosen(opened: int, rolled: int) -> str | None:
            found = [tiles for tiles in fitting(opened, rolled) if not only or only in tiles]
            return _named(max(found, key=lambda tiles: rank(opened, tiles))) if found else None

        return Verb(name, lambda s: chosen(s.open, s.rolled), says)

    def with_tile(tile: int) -> Verb:
        return shut(
            f"shut the {tile}",
            lambda _, tiles: (-len(tiles), tiles),
            f"shut tiles with the {tile} among them, the fewest, then the highest",
            only=tile,
        )

    shuts = (
        shut(
            "shut the highest",
            lambda _, tiles: tiles,
            "shut tiles with the highest one that fits, beside it again the highest, and so on",
        ),
        shut(
            "shut the fewest",
            lambda _, tiles: (-len(tiles), tiles),
            "shut as few tiles as fit; of several ways, the one with the highest tiles",
        ),
        shut(
            "shut the most",
            lambda _, tiles: (len(tiles), tiles),
            "shut as many tiles as fit; of several ways, the one with the highest tiles",
        ),
        shut(
            "shut the lowest",
            lambda _, tiles: tuple(-tile for tile in reversed(tiles)),
            "shut tiles with the lowest one that fits, beside it again the lowest, and so on",
        ),
        shut(
            "leave most throws",
            lambda opened, tiles: (_chance(game, opened, tiles), tiles),
            "shut so that the most throws of two dice fit next; of several ways, the one with the highest tiles",
        ),
        *(with_tile(tile) for tile in range(1, game.tiles + 1)),
    )
    dice = [
        move_verb(game, f"roll {name}", says=f"throw {name} next, where that may be chosen") for name in ("one die", "two dice")
    ]
    return (*shuts, *(dice if game.choosable.any() else ()))


def _is_open(tile: int) -> Callable[[Any], Any]:
    return lambda position: position.open >> tile - 1 & 1


def _members(mask: int) -> Tiles:
    return tuple(place + 1 for place in range(mask.bit_length()) if mask >> place & 1)


def _fitting(game: Any, opened: int, rolled: int) -> list[Tiles]:
    """List the open tiles that fit a throw, every set once, its highest tile first."""
    sets = game.sets()
    rows = zip(sets.mask.tolist(), sets.sum.tolist(), strict=True)
    return [_members(mask)[::-1] for mask, total in rows if total == rolled and opened & mask == mask]


def _named(tiles: Tiles) -> str:
    return f"shut {'+'.join(map(str, reversed(tiles)))}"


def _chance(game: Any, opened: int, tiles: Tiles) -> int:
    """In how many of all throws of two dice tiles fit, when some of those open are shut; the box shut is best."""
    left = opened - sum(1 << tile - 1 for tile in tiles)
    table = game.throws(2)
    return int(table.weight[game.fits[left, table.sum] if left else slice(None)].sum())

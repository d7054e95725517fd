"""The words of a strategy card for two scores in a race, as the player sees them who is to move."""

from typing import Any

from rollwise.model.card import CardFeature

__all__ = ["mine", "score_features", "theirs"]


def mine(position: Any) -> Any:
    """Give the score of who is to move, of one position or of many."""
    return position.first + position.mover * (position.second - position.first)


def theirs(position: Any) -> Any:
    """Give the score of who is not."""
    return position.second + position.mover * (position.first - position.second)


def score_features(target: int, unit: int = 1) -> tuple[CardFeature, ...]:
    """Give what two scores in a race to a target look like to the mover; positions count in units of points."""
    most = (target - 1) * unit

    def see(name: str, read: Any, low: int, high: int, says: str) -> CardFeature:
        return CardFeature(name, lambda state: unit * read(state), low, high, says, many=True)

    return (
        see("my score", mine, 0, most, "your score, without the points of this turn"),
        see("their score", theirs, 0, most, "the other player's score"),
        see("gap", lambda s: theirs(s) - mine(s), -most, most, "their score minus yours: below 0 you are ahead"),
        see("lead", lambda s: mine(s) - theirs(s), -most, most, "your score minus theirs: below 0 you are behind"),
        see("higher score", _higher, 0, most, "the higher of the two scores"),
        see("points needed", lambda s: target - mine(s), unit, target * unit, "what your score lacks to win"),
        see("they need", lambda s: target - theirs(s), unit, target * unit, "what their score lacks to win"),
    )


def _higher(position: Any) -> Any:
    return (position.first + position.second + abs(position.first - position.second)) // 2

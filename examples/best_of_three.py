"""A game in twenty lines: roll a die up to three times and keep the last one; what is it worth?"""

from collections.abc import Mapping, Sequence

import rollwise


class BestOfThree(rollwise.Game[tuple[int, int], tuple[int, int], str]):
    """State: (face shown, rerolls left). Pending: (0, rolls left), or (face, 0) once a face is kept."""

    def start(self) -> tuple[int, int]:
        return (0, 3)

    def roll(self, pending: tuple[int, int]) -> Mapping[tuple[int, int], int]:
        face, rolls = pending
        return rollwise.die(6).map(lambda new: (new, rolls - 1)) if rolls else {(face, -1): 1}

    def actions(self, state: tuple[int, int]) -> Sequence[str]:
        return ("keep", "reroll")[: state[1] + 1]

    def play(self, state: tuple[int, int], action: str) -> tuple[int, int]:
        return (0, state[1]) if action == "reroll" else (state[0], 0)

    def payoff(self, state: tuple[int, int]) -> int:
        return state[0]


if __name__ == "__main__":
    rollwise.check_game(BestOfThree())
    solution = rollwise.solve(BestOfThree(), exact=True)
    print("expected:", solution.value())
    for face in range(1, 7):
        print(f"{face} with two rerolls left: {solution.best((face, 2))}")

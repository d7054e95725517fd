"""A first game file, with comments, to begin from."""

__all__ = ["write_first"]

FIRST = """\
format = 1                        # the language this file is written in: docs/game-files.md
name = "{name}"
about = "Roll a die as often as you like and add up what it shows; a 1 loses everything. Stop to bank."

[parameters]                      # whole numbers; on the command line, -p faces=8
faces = {{ default = 6, from = 2, to = 20, help = "faces of the die" }}
enough = {{ default = 40, from = 1, to = 1000, help = "points after which one stops" }}

[define]                          # expressions and tables of numbers, by name
after = "total + die"

[columns]                         # a position; each begins at its lowest, unless start says otherwise
total = "0..enough + faces"
over = "0..1"

[roll]                            # what happens first, and after every action
dice = 1
faces = "faces"
unless = "over == 1"              # nothing is rolled then
to = [                            # the first case that fits; columns that are not named stay as they are
    {{ when = "die == 1", total = 0, over = 1 }},
    {{ total = "after" }},
]

[[action]]                        # what may be done; earlier actions win ties
name = "stop"
when = "over == 0"
to = {{ over = 1 }}

[[action]]
name = "roll"
when = "over == 0 and total < enough"

[end]                             # where no action is left
pays = "total"
"""


def write_first(name: str) -> str:
    """Give the file for a game of this name."""
    return FIRST.format(name=name)

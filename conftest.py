"""Doctests of doors to other programs need those programs: outside CI they are left out where one is missing."""

import os
from importlib.util import find_spec

NEEDS = {
    "rollwise/adapters/gym": "gymnasium",
    "rollwise/adapters/gym/two_players.py": "pettingzoo",
    "rollwise/adapters/icepool.py": "icepool",
    "rollwise/adapters/open_spiel": "pyspiel",
    "rollwise/gym.py": "gymnasium",
    "docs/ecosystem.md": "pyspiel",
}

collect_ignore = [] if os.environ.get("CI") else [path for path, module in NEEDS.items() if find_spec(module) is None]

"""`python -m rollwise`: the command line."""

import sys

from rollwise.cli.main import main

if __name__ == "__main__":
    sys.exit(main())

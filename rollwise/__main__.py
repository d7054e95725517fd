"""`python -m rollwise`: the command line."""

import sys

from rollwise.cli import main

sys.exit(main())

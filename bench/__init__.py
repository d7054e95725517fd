"""The benchmark: rollwise and its peers on the same games with the same rules, in one run. `./scripts/bench` runs it."""

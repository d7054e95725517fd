"""What a solution is for: advice, distributions, simulation, records, the strategy as a table."""

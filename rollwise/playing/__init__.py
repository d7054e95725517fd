"""What a solution is for: advice, spreads, simulation, records, the strategy as a table."""

"""Score sheets: the highest expected total, every target, an opponent, a duel."""

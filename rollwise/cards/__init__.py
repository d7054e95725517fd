"""Strategy cards: as much of the optimum as fits on a page, what it is worth exactly, and what is lost."""

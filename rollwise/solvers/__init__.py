"""How games are solved: one package a solver, and `base`, what every solver may import."""

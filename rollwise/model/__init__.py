"""What a game is: rolls, rules, parameters, objectives, policies, notation. Standard library only."""

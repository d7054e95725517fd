"""Races of two players whose turns are of dice set aside, turn start by turn start."""

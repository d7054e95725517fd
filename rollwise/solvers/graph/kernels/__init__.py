"""Compiled inner loops of the graph's engines and of its certificate: they see arrays only."""

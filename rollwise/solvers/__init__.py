"""How games are solved: one package a form, and `base`, what every form may import."""

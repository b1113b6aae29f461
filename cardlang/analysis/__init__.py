"""Analyses of a game: simulation, balance, mutation tests and comparison of two games."""

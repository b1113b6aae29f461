"""Larger games in lockstep with OpenSpiel: same deal, same moves, same results.

Each `Pairing` sets up a game so that the rules of both sides agree, and translates cards and moves."""

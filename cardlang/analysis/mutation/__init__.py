"""Mutation tests: small changes to a game that its examples should catch.

`mutation_operators` makes the mutants. `mutant_runner` runs the examples on each one. `mutant_equivalence` finds those
with the same meaning. `mutation_report` lists those that no example catches.
"""

from __future__ import annotations

"""Mutation tests: small changes to a game that its examples should catch.

`mutation_operators` makes the mutants. `equivalence` finds mutants with the same meaning. `mutation_report` runs the
examples on each mutant and reports those that no example catches.
"""

from __future__ import annotations

"""Evaluation of hands by a `ranking`: find the best rank and compare two hands.

Imports: `game`, `source`, `interpreter`.
"""

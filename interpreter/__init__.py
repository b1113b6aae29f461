"""Checked games played: `lowering` makes of a game a program that is data, `python` makes Python of it, and a `Match`
goes from decision to decision. It knows what a game means and nothing of how it was written.

Imports: `codec`, `disk`, `extras`, `game`, `own_folder`, `plain_text`, `playing`, `source`, `suits`, `words`.
"""

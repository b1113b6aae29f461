"""Reading hands by a `ranking`: which rank they make, and which of two is better.

Imports: `game`, `source`, `interpreter`.
"""

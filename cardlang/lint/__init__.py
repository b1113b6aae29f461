"""Lint rules: static checks of the rules, and checks of random playtest matches."""

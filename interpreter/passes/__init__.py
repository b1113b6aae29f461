"""Passes over lowered programs: each takes data and gives data that does the same with less work.

Imports: `interpreter.lowered`.
"""

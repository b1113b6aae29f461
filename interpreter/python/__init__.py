"""Lowered programs as Python.

Imports: `interpreter`, `interpreter.lowered`, `interpreter.lowering`.
"""

"""Optimization passes over the IR: each turns data into data with the same results and less work.

Imports: `interpreter.lowered`."""

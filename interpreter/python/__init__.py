"""Lowered programs as Python."""

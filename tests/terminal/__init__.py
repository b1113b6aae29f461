"""Tests of the terminal screens."""

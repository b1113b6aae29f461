"""Counting hands exactly."""

"""Tests of what is shown and typed at a terminal."""

"""Sentences about moves and events."""

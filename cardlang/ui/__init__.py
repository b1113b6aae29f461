"""User interfaces: terminal and browser."""

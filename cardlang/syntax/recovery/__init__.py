"""Error recovery: repairs of unreadable lines, tried with the grammar, and hints."""

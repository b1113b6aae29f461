"""Playing at a terminal: the table drawn, moves asked for, and lines for screen readers and files."""

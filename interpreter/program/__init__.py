"""Programs: compiled games, with linker, run loop, coverage and export."""

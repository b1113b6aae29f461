"""Statistics of many matches."""

"""Dynamic lint rules, from coverage and statistics of random playtest matches."""

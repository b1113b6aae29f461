"""Runtime of compiled games: state, moves of cards, random numbers, built-ins."""

"""What many matches say about a game."""

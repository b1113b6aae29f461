"""From a checked game to its lowered program."""

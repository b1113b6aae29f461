"""Reading hands by a `ranking`."""

"""Command-line interface: the commands and their support code."""

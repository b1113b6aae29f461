"""The commands of `cardlang`, one module each; every module has `command`."""

"""An experiment: C made from lowered programs. Nothing of the package needs it."""

"""English morphology and safe text, without knowledge of games."""

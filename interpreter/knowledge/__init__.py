"""Knowledge analysis: public values, secret values, and values that depend on hidden cards."""

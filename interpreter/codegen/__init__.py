"""Code generators for IR programs, one package per target language."""

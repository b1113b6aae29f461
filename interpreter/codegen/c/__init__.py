"""C code generator. The folder `headers` contains the C code that all programs share."""

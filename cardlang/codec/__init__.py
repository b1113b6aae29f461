"""Serialise frozen classes to JSON values and back, by the types of their fields.

An object becomes a dictionary of its fields. A field with its zero value (null, false, an empty string or list) is
omitted. If several classes are possible, the key `is` names the class. A span is `[source, start, end]`, with the
source as a number. Decoding is strict: data that does not fit the types raises `Malformed` with its path.

Imports: `source`.
"""

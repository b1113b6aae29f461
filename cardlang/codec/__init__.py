"""Frozen classes to plain data (what JSON can hold) and back, by the types of their fields.

An object is a dictionary of its fields; one that is at its zero (nothing, no, an empty text or list) is left out. Where
objects of several classes may stand, the name of the class stands under `is`. A place in a text is
`[source, start, end]`, the source by its number. Reading is strict: what does not fit the types is refused, with the
way to it.

Imports: `source`.
"""

"""Text to nodes, with findings and repairs: `parser` reads a file, by the grammar in `grammar.lark`, whose parse tables
(`tables`) are made with the package. `lines` cuts a file into statements, `building` makes nodes of parse trees, and
`syntax`, `repairs`, `neighbours` and `parts` find out what a line that cannot be read was meant to say. It knows the
nodes and nothing of what they mean.

Imports: `disk`, `kept`, `limits`, `nodes`, `plain_text`, `source`, `words`.
"""

"""Rulebooks that authors write in Markdown: `NAME.rules.md` next to `NAME.cardgame`.

`parser` splits a file into sections, `blocks` and `boxes` turn them into blocks of a rulebook, `rule_digests` notices
changed rules, and `assembly` builds the rulebook.
"""

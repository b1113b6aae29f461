"""Rulebook generator: natural-language generation from a checked game.

The stages are those of a natural-language generation pipeline. `plan` selects and orders the content, `realise` turns
expressions and statements into English, and `render` writes Markdown, HTML or PDF. `model` is the rulebook as a value.
"""

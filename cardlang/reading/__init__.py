"""Lexer and parser: text to AST, with error messages and repairs.

`lines` splits a file into statements and checks their indentation. `parser` reads items by the LALR grammar in
`grammar.lark`, whose parse tables (`tables`) are built with the package. `building` turns parse trees into AST nodes.
`syntax`, `repairs`, `neighbours` and `parts` find the intended meaning of unreadable lines. This package creates nodes
without interpreting them.

Imports: `cookbook`, `disk`, `kept`, `limits`, `nodes`, `plain_text`, `source`, `words`."""

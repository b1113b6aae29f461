"""Commands of the command line, one module each.

Commands connect the compiler with the interpreter. Only this package and the user interfaces print or ask questions.
"""

from __future__ import annotations

"""Intermediate representation (IR) of a game: the program that play runs on, as data.

It consists of layout, tables, functions, blocks, frames and sites, with numbers instead of names. Code is made of
frozen expressions and statements. Every expression has the type of its value (`Kind`). The code generators turn it
into Python or C.

Imports: `interpreter`."""

from interpreter.lowered.blocks import *  # noqa: F403
from interpreter.lowered.expressions import *  # noqa: F403
from interpreter.lowered.functions import *  # noqa: F403
from interpreter.lowered.kinds import *  # noqa: F403
from interpreter.lowered.statements import *  # noqa: F403
from interpreter.lowered.walking import walk as walk

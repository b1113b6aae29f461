"""The lowered program: what a game is played by, as data.

It is layout, tables, functions, blocks, frames and sites, with numbers instead of names. It is made of frozen
expressions and statements, each of which knows what its value is (`Kind`); printers turn it into Python or C.

Imports: `interpreter`.
"""

from interpreter.lowered.blocks import *  # noqa: F403
from interpreter.lowered.expressions import *  # noqa: F403
from interpreter.lowered.functions import *  # noqa: F403
from interpreter.lowered.kinds import *  # noqa: F403
from interpreter.lowered.statements import *  # noqa: F403
from interpreter.lowered.walking import walk as walk

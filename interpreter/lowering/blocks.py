"""Blocks of source between which a match can stand still, and how they are joined into as few functions as possible.

A block is the body of a function of the state. It ends with `return N` (go on with block N) or `return -1` (wait:
somebody is asked, or the match is over). A block that answers a decision also gets the move's code.
"""

from __future__ import annotations

import re
from collections import Counter

from attrs import Factory, define

GOTO = re.compile(r"( *)return @(\d+)$")
INDENT = "    "


@define
class Block:
    """`answers`: it carries out a decision. `enclosing`: for each step around it in the same frame, the block that
    follows the step's end. `step`: for the listing."""

    number: int
    step: str
    answers: bool = False
    enclosing: dict[str, int] = Factory(dict)
    lines: list[str] = Factory(list)

    def emit(self, line: str, depth: int = 0) -> None:
        self.lines.append(INDENT * depth + line)


def join(blocks: list[Block], first: int, kept: set[int]) -> list[Block]:
    """Puts every block that is reached from one place only into that place. `kept`: blocks that others name, such
    as those where a frame goes on. Returns the blocks that remain, from number `first` on."""
    fresh = {block.number: block for block in blocks if block.number >= first}
    shorten(fresh)
    uses = Counter(target for block in fresh.values() for target in targets(block))
    single = {n for n, count in uses.items() if count == 1 and n in fresh and n not in kept and not fresh[n].answers}
    done: dict[int, list[str]] = {}

    used = kept | {target for block in fresh.values() for target in targets(block)}

    def filled(number: int, trail: frozenset[int]) -> list[str]:
        if number in done:
            return done[number]
        lines: list[str] = []
        for line in fresh[number].lines:
            match = GOTO.match(line)
            target = int(match[2]) if match else -1
            if match and target in single and target not in trail and len(match[1]) <= 60:
                lines += [match[1] + inner for inner in filled(target, trail | {target})]
                swallowed.add(target)
            else:
                lines.append(line)
        done[number] = lines
        return lines

    swallowed: set[int] = set()
    for number in [n for n in fresh if n not in single] + sorted(single):
        if number not in swallowed:
            filled(number, frozenset({number}))
    for number, block in fresh.items():
        block.lines = done.get(number, block.lines)
    return [b for n, b in fresh.items() if n not in swallowed and (n in used or b.answers or n == first)]


def shorten(fresh: dict[int, Block]) -> None:
    """Jumps to a block that only jumps on go to its target at once."""
    jumps = {n: targets(b)[0] for n, b in fresh.items() if len(b.lines) == 1 and len(targets(b)) == 1}

    def final(number: int) -> int:
        seen: set[int] = set()
        while number in jumps and number not in seen:
            seen.add(number)
            number = jumps[number]
        return number

    for block in fresh.values():
        block.lines = [GOTO.sub(lambda m: f"{m[1]}return @{final(int(m[2]))}", line) for line in block.lines]


def targets(block: Block) -> list[int]:
    return [int(match[2]) for match in map(GOTO.match, block.lines) if match]


def function_source(block: Block) -> str:
    """The block as a function, with short names for the parts of the state that it uses."""
    head = f"def B{block.number}(s, code):" if block.answers else f"def B{block.number}(s):"
    body = [re.sub(r"return @(\d+)", r"return \1", line) for line in block.lines]
    return "\n".join([head, *(INDENT + line for line in [*aliases(body), *body])])


def aliases(lines: list[str]) -> list[str]:
    text = "\n".join(lines)
    names = {"f": "s.frames[-1]", "t": "s.t", "z": "s.z", "ow": "s.owner"}
    return [f"{name} = {value}" for name, value in names.items() if re.search(rf"(?<![\w.']){name}(?=[\[,])", text)]


def with_aliases(function: str) -> str:
    """A function of one or more lines (`def …:` first) with the short names that it uses put in."""
    lines = function.split("\n")
    out: list[str] = []
    for index, line in enumerate(lines):
        out.append(line)
        if line.startswith("def "):
            end = next((i for i in range(index + 1, len(lines)) if lines[i][:1] not in (" ", "")), len(lines))
            has_frame = "f" in re.findall(r"\w+", line)
            out += [INDENT + a for a in aliases(lines[index + 1 : end]) if not (has_frame and a.startswith("f "))]
    return "\n".join(out)

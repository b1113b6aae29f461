"""Generate Python from statements, functions and blocks of the IR."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from interpreter import lowered as lo
from interpreter.handlers import handlers
from interpreter.helpers import LARGEST
from interpreter.lowered.walking import assigned, free_in
from interpreter.python.effects import FEW, INDENT, Effects, Setting

HEARD = ("told", "learnt")
"""Events that contain values, which are evaluated immediately."""
SHORT_NAMES = {"f": "s.frames[-1]", "t": "s.t", "z": "s.z", "ow": "s.owner", "loc": "s.loc", "known": "s.known"}


class Statements(Effects):
    """Code generator for statements. `doers`: for each class of statements, the method `s_…` that generates it."""

    def __init__(self, slots: Mapping[int, int], setting: Setting, held: frozenset[int] = frozenset()) -> None:
        super().__init__(slots, setting, held)
        self.loops = 0
        self.block: int | None = None
        self.label: int | None = None
        self.again: set[int] = set()
        self.doers = handlers(type(self), "s_", lo.PRINTED, "interpreter/python/statements.py")

    def body(self, body: Sequence[lo.Stmt]) -> None:
        self.depth += 1
        before = len(self.lines)
        self.all(body)
        if len(self.lines) == before:
            self.emit("pass")
        self.depth -= 1

    def all(self, body: Sequence[lo.Stmt]) -> None:
        for stmt in body:
            self.doers[type(stmt)](self, stmt)

    # ------------------------------------------------------------ values
    def s_Assign(self, stmt: lo.Assign) -> None:
        framed = stmt.local.number in self.slots
        value = self.number(stmt.value) if framed else self.text(stmt.value)
        if stmt.copied and not (isinstance(stmt.value, lo.Op) and stmt.value.operation == "copied"):
            value = f"list({value})"
        self.emit(f"{self.target(stmt.local)} = {value}")

    def target(self, local: lo.Local) -> str:
        """Return the assignment target: the frame slot, and the local that caches it."""
        slot = self.slots.get(local.number)
        if slot is None:
            return f"v{local.number}"
        self.used.add("f")
        return f"f[{slot}] = v{local.number}" if local.number in self.held else f"f[{slot}]"

    def slot(self, base: int, of: lo.Expr | None) -> str:
        self.used.add("t")
        if of is None:
            return str(base)
        return f"{base}+{self.text(of)}" if base else self.text(of)

    def s_Store(self, stmt: lo.Store) -> None:
        slot, value = self.slot(stmt.base, stmt.of), self.number(stmt.value)
        if stmt.count > FEW:
            self.emit(f"t[{stmt.base}:{stmt.base + stmt.count}] = [{value}] * {stmt.count}")
            return
        if stmt.count > 1:
            slots = (f"t[{stmt.base + number}] = " for number in range(stmt.count))
            self.emit(f"{''.join(slots)}{value}")
            return
        told = self.listen and stmt.place is not None
        if told:
            self.emit(f"old = t[{slot}]")
        if stmt.checked:
            self.checked(slot, value, self.place(stmt.place))
        else:
            self.emit(f"t[{slot}] = {value}")
        if told:
            self.emit(f"s.events.append(('set', {self.place(stmt.place)}, {slot}, old, t[{slot}]))")

    def s_Bump(self, stmt: lo.Bump) -> None:
        slot, value = self.slot(stmt.base, stmt.of), self.text(stmt.value)
        told = self.listen and stmt.told
        if told:
            self.emit(f"old = t[{slot}]")
        if stmt.checked:
            self.checked(slot, f"t[{slot}] {stmt.operator} {value}", self.place(stmt.place))
        else:
            self.emit(f"t[{slot}] {stmt.operator}= {value}")
        if told:
            self.emit(f"s.events.append(('set', {self.place(stmt.place)}, {slot}, old, t[{slot}]))")

    def checked(self, slot: str, value: str, place: str) -> None:
        """Generate an assignment to a track of a number that may be absent or too large."""
        self.emit(f"t[{slot}] = n = {value}")
        self.emit(f"if not {-LARGEST} < n < {LARGEST}: checked(n, {place})")

    def s_SetLink(self, stmt: lo.SetLink) -> None:
        depth = self.text(stmt.depth) if stmt.depth is not None else "-1"
        self.emit(f"s.frames[{depth}][{self.text(stmt.base)} + {stmt.offset}] = {self.text(stmt.value)}")

    def s_Collect(self, stmt: lo.Collect) -> None:
        local = self.text(stmt.local)
        if stmt.many and isinstance(stmt.value, lo.Op) and stmt.value.operation == "few" and len(stmt.value.args) == 1:
            self.emit(f"n = {self.text(stmt.value.args[0])}")
            self.emit(f"{local} += n if len(n) <= MAX_MOVES else few(n, {self.place(stmt.value.place)})")
        else:
            value = self.text(stmt.value)
            self.emit(f"{local} += {value}" if stmt.many else f"{local}.append({value})")

    # ------------------------------------------------------------ control flow
    def s_If(self, stmt: lo.If) -> None:
        word = "if"
        while True:
            if not stmt.then and stmt.otherwise:
                self.emit(f"{word} not {self.text(stmt.condition)}:")
                self.body(stmt.otherwise)
                return
            self.emit(f"{word} {self.text(stmt.condition)}:")
            self.body(stmt.then)
            if not stmt.otherwise:
                return
            if ends(stmt.then) and word == "if":
                self.all(stmt.otherwise)
                return
            if len(stmt.otherwise) == 1 and isinstance(stmt.otherwise[0], lo.If):
                word, stmt = "elif", stmt.otherwise[0]
                continue
            self.emit("else:")
            self.body(stmt.otherwise)
            return

    def s_ForEach(self, stmt: lo.ForEach) -> None:
        name = f"v{stmt.local.number}"
        self.emit(f"for {name} in {self.text(stmt.list)}:")
        framed = stmt.local.number in self.slots
        self.looping(stmt.body, [f"{self.target(stmt.local)} = {name}"] if framed else [])

    def s_Answers(self, stmt: lo.Answers) -> None:
        pair = [stmt.who, stmt.answer]
        names = [f"v{local.number}" for local in pair]
        self.emit(f"for {', '.join(names)} in {self.text(stmt.chosen)}:")
        framed = [each for each in zip(pair, names, strict=True) if each[0].number in self.slots]
        self.looping(stmt.body, [f"{self.target(local)} = {name}" for local, name in framed])

    def s_While(self, stmt: lo.While) -> None:
        self.emit(f"while {self.text(stmt.condition) if stmt.condition is not None else 'True'}:")
        self.looping(stmt.body)

    def looping(self, body: Sequence[lo.Stmt], first: Sequence[str] = ()) -> None:
        """Generate the body of a loop, after some lines."""
        self.loops += 1
        self.depth += 1
        for line in first:
            self.emit(line)
        self.depth -= 1
        self.body(body)
        self.loops -= 1

    def s_Return(self, stmt: lo.Return) -> None:
        self.emit("return" if stmt.value is None else f"return {self.text(stmt.value)}")

    def s_Leave(self, stmt: lo.Leave) -> None:
        framed = self.block is not None
        self.emit(f"return unwind(s, {stmt.step!r})" if framed else f"raise Finish({stmt.step!r})")

    def s_Goto(self, stmt: lo.Goto) -> None:
        if stmt.block == self.label and not self.loops:
            self.again.add(stmt.block)
            self.emit("continue")
        else:
            self.emit(f"return {stmt.block}")

    def s_Again(self, stmt: lo.Again) -> None:
        label, loops, self.label, self.loops = self.label, self.loops, stmt.block, 0
        self.emit("while True:")
        self.body(stmt.body)
        self.label, self.loops = label, loops

    # ------------------------------------------------------------ events, steps, calls
    def s_Event(self, stmt: lo.Event) -> None:
        if self.listen:
            args = ", ".join(map(self.text, stmt.args))
            told = f"heard(s, {args})" if stmt.name in HEARD else args
            self.emit(f"s.events.append(({stmt.name!r}, {self.place(stmt.place)}, {told}))")

    def s_Fuel(self, stmt: lo.Fuel) -> None:
        self.emit(f"s.fuel -= {self.text(stmt.steps)}")
        self.emit(f"if s.fuel < 0: endless({self.place(stmt.place)})")

    def s_Expect(self, stmt: lo.Expect) -> None:
        values = "".join(f"{self.text(value)}, " for value in stmt.values)
        self.emit(f"if s.checking and not {self.text(stmt.condition)}: broken({stmt.number}, ({values}))")

    def s_Do(self, stmt: lo.Do) -> None:
        self.emit(f"{stmt.function}({', '.join(['s', *map(self.number, stmt.args)])})")

    def s_DoBorne(self, stmt: lo.DoBorne) -> None:
        args = ", ".join(map(self.text, stmt.args))
        self.emit(f"do_borne(s, {stmt.table}, {self.text(stmt.card)}, {args})")

    # ------------------------------------------------------------ waiting
    def s_KeepPlace(self, stmt: lo.KeepPlace) -> None:
        self.used.add("f")
        self.emit(f"f[0] = {stmt.block}")

    def s_Stop(self, stmt: lo.Stop) -> None:
        self.used.add("f")
        self.emit(f"f[0] = {stmt.block}; s.who = {self.text(stmt.who)}; s.legal = {self.text(stmt.legal)}")
        self.emit("return -1")

    def s_TakePick(self, stmt: lo.TakePick) -> None:
        code = self.text(stmt.code)
        self.used.add("f")
        self.emit(f"if {code}: s.picks = [*s.picks, {code} - 1]")
        self.emit(f"if {code} and len(s.picks) < {self.text(stmt.most)}:")
        self.emit(f"    s.legal = L_{stmt.site}(s, f, s.who)")
        self.emit("    if s.legal: return -1")
        self.emit(f"{self.target(stmt.answer)} = s.picks; s.picks = []")

    def s_Enter(self, stmt: lo.Enter) -> None:
        self.used.add("f")
        args = ["0", *map(self.number, stmt.args)]
        if stmt.card is not None:
            self.emit(f"entry = BORNE[{stmt.routine!r}][{self.text(stmt.card)}]")
            self.emit(f"if entry < 0: return {stmt.after}")
            entry, padding = "entry", "*PADS[entry]"
        else:
            entry = str(self.setting.entries[stmt.routine])
            padding = ", ".join(map(repr, self.setting.frames[stmt.routine].padding))
        self.emit(f"f[0] = {stmt.after}")
        self.emit(f"push(s, [{', '.join([*args, padding])}], {self.place(stmt.place)})")
        self.emit(f"return {entry}")

    def s_Pop(self, stmt: lo.Pop) -> None:
        self.emit("s.frames.pop()")
        self.emit("return s.frames[-1][0]")

    def s_End(self, stmt: lo.End) -> None:
        self.emit("return over(s)")


def ends(body: Sequence[lo.Stmt]) -> bool:
    """Check whether the code after a body in the same block is unreachable."""
    if not body:
        return False
    match body[-1]:
        case lo.Goto() | lo.Stop() | lo.Enter() | lo.Pop() | lo.Return() | lo.Leave() | lo.End() | lo.Again():
            return True
        case lo.If(then=then, otherwise=otherwise):
            return ends(then) and ends(otherwise)
    return False


# ---------------------------------------------------------------- functions and blocks
def with_short_names(head: str, writer: Statements, loads: Sequence[str], skip: str = "") -> str:
    names = [
        f"{INDENT}{name} = {code}" for name, code in SHORT_NAMES.items() if name in writer.used and name not in skip
    ]
    return "\n".join([head, *names, *loads, *(writer.lines or [f"{INDENT}pass"])])


def loaded(numbers: Iterable[int], slots: Mapping[int, int], writer: Statements) -> list[str]:
    """Return the lines that load variables from the frame which are read before they are set."""
    found = [number for number in sorted(numbers) if number in writer.held]
    writer.used.update("f" if found else ())
    return [f"{INDENT}v{number} = f[{slots[number]}]" for number in found]


def function_text(function: lo.Function, frame: lo.Frame | None, setting: Setting) -> str:
    """Generate a function of the program. Functions that list moves also take the `frame`."""
    lister = frame is not None
    slots, held = (frame.slots, frame.held) if frame is not None else ({}, frozenset[int]())
    writer = Statements(slots, setting, held)
    writer.all(function.body)
    params = ["s", *(["f"] if lister else []), *(f"v{param.number}" for param in function.params)]
    head = f"def {function.name}({', '.join(params)}):"
    loads = loaded(free_in(function.body) - assigned(function.body), slots, writer)
    text = with_short_names(head, writer, loads, "f" if lister else "")
    return text if function.catches is None else f"@finishes({function.catches!r})\n{text}"


def block_text(block: lo.Block, frame: lo.Frame | None, setting: Setting) -> str:
    """Generate a block as a function of the state, and of the move that it takes."""
    slots, held = (frame.slots, frame.held) if frame is not None else ({}, frozenset[int]())
    writer = Statements(slots, setting, held)
    writer.block = writer.label = block.number
    taken = block.code
    params = "s" if taken is None else f"s, v{taken.number}"
    if taken is not None and taken.number in slots:
        writer.used.add("f")
        writer.emit(f"f[{slots[taken.number]}] = v{taken.number}")
    writer.all(block.body)
    if block.number in writer.again:
        writer.lines = [f"{INDENT}while True:", *(INDENT + line for line in writer.lines)]
    loads = loaded(block.reads, slots, writer)
    return with_short_names(f"def B{block.number}({params}):", writer, loads)

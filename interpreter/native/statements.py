"""Generate C from statements, functions and blocks of the IR."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter import lowered as lo
from interpreter.handlers import handlers
from interpreter.native.expressions import Expressions
from interpreter.native.world import NoC, World, c_type, holds_lists, is_list

NOTHING = lo.Op(lo.NUMBER, "no_answers", ())
ENDS = {"top": "END_TOP", "under": "END_UNDER", "lowest": "END_LOWEST", "highest": "END_HIGHEST"}


class Statements(Expressions):
    """Code generator for statements. `block`: the number of the current block, if any."""

    def __init__(self, world: World, slots: dict[int, int], frame: int, block: int | None = None) -> None:
        super().__init__(world, slots, frame)
        self.block = block
        self.declared: dict[int, lo.Kind] = {}
        self.doers = handlers(type(self), "s_", lo.PRINTED, "interpreter/native/statements.py")

    def body(self, body: Sequence[lo.Stmt]) -> str:
        return " ".join(self.doers[type(stmt)](self, stmt) for stmt in body)

    def text(self, body: Sequence[lo.Stmt], params: Sequence[lo.Local]) -> str:
        code = self.body(body)
        own = {param.number for param in params}
        declared = [f"{c_type(kind)} v{number} = {{0}};" for number, kind in self.declared.items() if number not in own]
        return "\n    ".join(["{", *declared, code]) + "\n}"

    # ------------------------------------------------------------ values
    def assigned(self, local: lo.Local, code: str) -> str:
        slot = self.slots.get(local.number)
        if slot is None:
            self.declared[local.number] = local.kind
            return f"v{local.number} = {code};"
        if is_list(local.kind):
            if holds_lists(local.kind):
                raise NoC("a list of lists that is kept")
            return f"keep(s, &f->l[SLOT_{slot}_{self.frame}], {code});"
        if c_type(local.kind) != "i64":
            raise NoC(f"a {local.kind.tag} that is kept")
        return f"f->x[{slot}] = {code};"

    def s_Assign(self, stmt: lo.Assign) -> str:
        if stmt.value == lo.Items(stmt.value.kind, ()):
            return self.assigned(stmt.local, "fresh(s)")  # a separate list, to be filled
        code = self.value(stmt.value)
        fresh = isinstance(stmt.value, lo.Op | lo.Loop | lo.Items | lo.Calling)
        view = is_list(stmt.local.kind) and (stmt.copied or isinstance(stmt.value, lo.Pile)) and not fresh
        return self.assigned(stmt.local, f"copied(s, {code})" if view else code)

    def s_Store(self, stmt: lo.Store) -> str:
        value = self.value(stmt.value)
        if stmt.count > 1:
            at, held = self.fresh("at"), self.fresh("held")
            to = stmt.base + stmt.count
            return f"{{ i64 {held} = {value}; for (int {at} = {stmt.base}; {at} < {to}; {at}++) s->t[{at}] = {held}; }}"
        return f"{self.slot(stmt.base, stmt.of)} = {f'checked(s, {value}, {stmt.place})' if stmt.checked else value};"

    def slot(self, base: int, of: lo.Expr | None) -> str:
        return f"s->t[{base}]" if of is None else f"s->t[{base} + {self.value(of)}]"

    def s_Bump(self, stmt: lo.Bump) -> str:
        slot, value = self.slot(stmt.base, stmt.of), self.value(stmt.value)
        if not stmt.checked:
            return f"{slot} {stmt.operator}= {value};"
        name = self.fresh("n")
        refused = f"if (!(-LARGEST_NUMBER < {name} && {name} < LARGEST_NUMBER)) checked(s, {name}, {stmt.place});"
        return f"{{ i64 {name} = {slot} {stmt.operator} {value}; {slot} = {name}; {refused} }}"

    def s_SetLink(self, stmt: lo.SetLink) -> str:
        depth = self.value(stmt.depth) if stmt.depth is not None else "s->depth - 1"
        return f"s->frames[{depth}].x[{self.value(stmt.base)} + {stmt.offset}] = {self.value(stmt.value)};"

    def s_Collect(self, stmt: lo.Collect) -> str:
        name = self.value(stmt.local)
        if not stmt.many:
            return f"add(s, &{name}, {self.boxed(self.value(stmt.value), stmt.value.kind)});"
        kind = stmt.local.kind.item or lo.NUMBER
        return self.each(stmt.value, lambda item: f"add(s, &{name}, {self.boxed(item, kind)});")

    # ------------------------------------------------------------ control flow
    def s_If(self, stmt: lo.If) -> str:
        otherwise = f" else {{ {self.body(stmt.otherwise)} }}" if stmt.otherwise else ""
        return f"if ({self.truth(stmt.condition)}) {{ {self.body(stmt.then)} }}{otherwise}"

    def s_ForEach(self, stmt: lo.ForEach) -> str:
        self.declared[stmt.local.number] = stmt.local.kind
        source = stmt.list
        code = self.value(source)
        name = self.value(stmt.local)
        if isinstance(source, lo.Pile):
            code = f"copied(s, {code})"
        kind = stmt.local.kind

        def inside(items: str, at: str) -> str:
            return f"{name} = {self.unboxed(f'{items}.v[{at}]', kind)}; {self.body(stmt.body)}"

        return self.items(code, 1, inside)

    def s_Answers(self, stmt: lo.Answers) -> str:
        at = self.fresh("at")
        place = lo.Local(lo.NUMBER, -1)
        who = self.assigned(stmt.who, self.op_who_answered(NOTHING, stmt.chosen, place))
        answer = self.assigned(stmt.answer, self.op_answer_of(NOTHING, stmt.chosen, place))
        inside = f"{who} {answer}".replace("v-1", at)
        head = f"for (i64 {at} = 0; {at} < {self.value(lo.Count(lo.NUMBER, stmt.chosen))}; {at}++)"
        return f"{head} {{ {inside} {self.body(stmt.body)} }}"

    def s_While(self, stmt: lo.While) -> str:
        return f"while ({self.truth(stmt.condition) if stmt.condition is not None else 1}) {{ {self.body(stmt.body)} }}"

    def s_Return(self, stmt: lo.Return) -> str:
        return "return;" if stmt.value is None else f"return {self.value(stmt.value)};"

    def s_Leave(self, stmt: lo.Leave) -> str:
        table = self.world.enclosing(stmt.step)
        return f"return unwind(s, {table});" if self.block is not None else f"finish(s, {table});"

    def s_Again(self, stmt: lo.Again) -> str:
        return self.body(stmt.body)  # a jump back to it returns its number

    def s_Goto(self, stmt: lo.Goto) -> str:
        return f"return {stmt.block};"

    # ------------------------------------------------------------ effects
    def s_Effect(self, stmt: lo.Effect) -> str:
        return str(getattr(self, f"e_{stmt.operation}")(stmt, *stmt.args))

    def e_move(self, stmt: lo.Effect, cards: lo.Expr, pile: lo.Expr, end: lo.Expr, *args: lo.Expr) -> str:
        where = ENDS[str(end.value if isinstance(end, lo.Const) else "")]
        values = [*map(self.value, (cards, pile)), where, *map(self.value, args[:-1])]
        return f"move(s, {', '.join(values)}, {stmt.place});"

    def e_deal(self, stmt: lo.Effect, *args: lo.Expr) -> str:
        return f"deal(s, {', '.join(map(self.value, args[:-1]))}, {stmt.place});"

    def e_put(self, stmt: lo.Effect, card: lo.Expr, pile: lo.Expr, *_: lo.Expr) -> str:
        return f"put(s, {self.value(card)}, {self.value(pile)});"

    def e_shuffle(self, stmt: lo.Effect, pile: lo.Expr) -> str:
        return f"shuffle(s, {self.value(pile)});"

    def e_reveal(self, stmt: lo.Effect, cards: lo.Expr, to: lo.Expr) -> str:
        return f"reveal(s, {self.value(cards)}, {self.value(to)});"

    def e_shuffle_players(self, stmt: lo.Effect) -> str:
        return "shuffle_players(s);"

    def e_eliminate(self, stmt: lo.Effect, player: lo.Expr) -> str:
        return f"eliminate(s, {self.value(player)}, {self.world.enclosing('game')});"

    def e_begin_picks(self, stmt: lo.Effect) -> str:
        return "s->picks.n = 0;"

    def e_few_moves(self, stmt: lo.Effect, legal: lo.Expr) -> str:
        return f"if (({self.value(legal)}).n > MOST_MOVES) fail(s, {stmt.place});"

    def e_few_asked(self, stmt: lo.Effect, place: lo.Expr) -> str:
        return f"if ({self.value(place)} >= MOST_ASKED) fail(s, {stmt.place});"

    def e_one_card(self, stmt: lo.Effect, pile: lo.Expr) -> str:
        return f"if (s->z[{self.value(pile)}].n > 1) fail(s, {stmt.place});"

    def s_Event(self, stmt: lo.Event) -> str:
        return ""

    def s_Expect(self, stmt: lo.Expect) -> str:
        return f"if (s->checking && !({self.truth(stmt.condition)})) fail(s, BROKEN);"  # Python reports the details

    def s_Fuel(self, stmt: lo.Fuel) -> str:
        return f"s->fuel -= {self.value(stmt.steps)}; if (s->fuel < 0) fail(s, {stmt.place});"

    def s_Do(self, stmt: lo.Do) -> str:
        return f"{stmt.function}({', '.join(['s', *map(self.value, stmt.args)])});"

    def s_DoBorne(self, stmt: lo.DoBorne) -> str:
        self.world.dispatched.add(stmt.table)
        card = self.fresh("card")
        args = ", ".join(["s", *map(self.value, stmt.args)])
        return f"{{ i64 {card} = {self.value(stmt.card)}; if ({stmt.table}[{card}]) {stmt.table}[{card}]({args}); }}"

    # ------------------------------------------------------------ waiting
    def s_KeepPlace(self, stmt: lo.KeepPlace) -> str:
        return f"f->x[0] = {stmt.block};"

    def s_Stop(self, stmt: lo.Stop) -> str:
        return (
            f"f->x[0] = {stmt.block}; s->who = {self.value(stmt.who)}; offer(s, {self.value(stmt.legal)}); return -1;"
        )

    def s_TakePick(self, stmt: lo.TakePick) -> str:
        code = self.value(stmt.code)
        take = f"if ({code}) pick(s, {code} - 1);"
        more = f"offer(s, L_{stmt.site}(s, f, s->who)); if (s->choices) return -1;"
        on = f"if ({code} && s->picks.n < {self.value(stmt.most)}) {{ {more} }}"
        return f"{take} {on} {self.assigned(stmt.answer, 'copied(s, list_of(s->picks))')} s->picks.n = 0;"

    def s_Enter(self, stmt: lo.Enter) -> str:
        held, after, new = [], [], self.fresh("new")
        if stmt.card is None:
            routine, first = stmt.routine, ""
            number, entry = str(self.world.frames.index(routine)), str(self.world.lowering.splitter.entries[routine])
        else:
            routine, table = self.world.borne(stmt.routine)
            row = self.fresh("row")
            number, entry = f"{row}[0]", f"{row}[1]"
            first = f"const i64 *{row} = {table}[{self.value(stmt.card)}]; if ({entry} < 0) return {stmt.after};"
        frame, lists = self.world.lowering.splitter.frames[routine], self.world.frames.index(routine)
        for slot, arg in enumerate(stmt.args, start=1):
            name, kind = self.fresh("given"), frame.kinds[slot]
            held.append(f"{c_type(arg.kind)} {name} = {self.value(arg)};")
            kept = kind is not None and is_list(kind)
            after.append(f"keep(s, &{new}->l[SLOT_{slot}_{lists}], {name});" if kept else f"{new}->x[{slot}] = {name};")
        push = f"f->x[0] = {stmt.after}; push_frame(s, {number}, {stmt.place}); Frame *{new} = top_frame(s);"
        return f"{{ {' '.join([first, *held, push, *after])} return {entry}; }}"

    def s_Pop(self, stmt: lo.Pop) -> str:
        return "s->depth--; return top_frame(s)->x[0];"

    def s_End(self, stmt: lo.End) -> str:
        return "return over(s);"


# ---------------------------------------------------------------- functions and blocks
def function_c(world: World, function: lo.Function, deep: bool) -> list[tuple[str, str]]:
    """Return the heads and bodies of a function and its helpers.

    A function with steps that others may finish gets a wrapper that catches this. A recursive function (`deep`) gets
    a wrapper that counts the depth."""
    slots, frame = (world.program.slots_at(function.site), frame_of_site(world, function.site)) if (
        function.site is not None
    ) else ({}, 0)  # fmt: skip
    lister = ["Frame *f"] if function.site is not None else []
    params = [f"{c_type(param.kind)} v{param.number}" for param in function.params]
    body = Statements(world, slots, frame).text(function.body, function.params)
    result, given = c_type(function.result), ", ".join(["S *s", *lister, *params])
    head = f"static {result} {function.name}({given})"
    if function.catches is None and not deep:
        return [(head, body)]
    args = ", ".join(["s", *(["f"] if lister else []), *(f"v{param.number}" for param in function.params)])
    call = f"{function.name}_within({args})"
    if function.catches is not None:
        call = f"CATCHING({world.enclosing(function.catches)}, {call})"
    elif result != "void":
        call = f"{result} found; DEEPER(found = {call}) return found;"
    if deep and result == "void":
        call = f"DEEPER({call})"
    return [(f"static {result} {function.name}_within({given})", body), (head, f"{{ {call} }}")]


def frame_of_site(world: World, site: int) -> int:
    splitter = world.lowering.splitter
    block = next(block for block, at in splitter.site_of.items() if at == site)
    return world.frames.index(splitter.blocks[block].routine)


def block_c(world: World, block: lo.Block) -> tuple[str, str]:
    """Return the head and body of a block."""
    frame = world.frames.index(block.routine) if block.routine else 0
    writer = Statements(world, world.program.slots(block.routine), frame, block.number)
    taken = [block.code] if block.code is not None else []
    params = ["S *s", *(f"i64 v{code.number}" for code in taken)]
    for code in taken:
        if code.number in writer.slots:
            raise NoC("an answer that is kept")
    text = writer.text(block.body, taken)
    start = "Frame *f = top_frame(s); (void)f;\n    " if block.number else ""
    return f"static i64 B{block.number}({', '.join(params)})", text.replace("{\n    ", "{\n    " + start, 1)

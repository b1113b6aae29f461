"""C code of IR statements, functions and blocks."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter import ir
from interpreter.codegen.c.c_context import CCodegenContext, UnsupportedInC, find_c_type, is_list_kind, is_list_of_lists
from interpreter.codegen.c.c_expressions import CExpressionGenerator
from interpreter.codegen.templates import fill_template

NO_CHOICES = ir.Op(ir.NUMBER, "no_answers", ())
EFFECT_TEMPLATES = {
    "deal": "deal(s, {0}, {1}, {2}, {3}, {place});", "put": "put(s, {0}, {1});", "shuffle": "shuffle(s, {0});",
    "insert": "insert(s, {0}, {1}, {2}, {3});",
    "hide": "hide(s, {0});", "reveal": "reveal(s, {0}, {1});",
    "shuffle_players": "shuffle_players(s);", "begin_picks": "s->picks.n = 0;",
    "few_moves": "if (({0}).n > MOST_MOVES) fail(s, {place});",
    "few_asked": "if ({0} >= MOST_ASKED) fail(s, {place});",
    "one_card": "if (s->z[{0}].n > 1) fail(s, {place});",
}  # fmt: skip
END_CONSTANTS = {"top": "END_TOP", "under": "END_UNDER", "lowest": "END_LOWEST", "highest": "END_HIGHEST"}


class CStatementGenerator(CExpressionGenerator):
    """Code generator for statements. `block_number`: the number of the current block, if any."""

    def __init__(
        self, context: CCodegenContext, slots: dict[int, int], frame_number: int, block_number: int | None = None
    ) -> None:
        super().__init__(context, slots, frame_number)
        self.block_number = block_number
        self.declared_variables: dict[int, ir.Kind] = {}

    def generate_body(self, body: Sequence[ir.Stmt]) -> str:
        return " ".join(getattr(self, f"generate_{type(stmt).__name__}")(stmt) for stmt in body)

    def generate_function_body(self, body: Sequence[ir.Stmt], params: Sequence[ir.Local]) -> str:
        code = self.generate_body(body)
        param_numbers = {param.number for param in params}
        declared = [
            f"{find_c_type(kind)} v{number} = {{0}};"
            for number, kind in self.declared_variables.items()
            if number not in param_numbers
        ]
        return "\n    ".join(["{", *declared, code]) + "\n}"

    # ------------------------------------------------------------ values
    def generate_assignment(self, local: ir.Local, code: str) -> str:
        slot = self.slots.get(local.number)
        if slot is None:
            self.declared_variables[local.number] = local.kind
            return f"v{local.number} = {code};"
        if is_list_kind(local.kind):
            if is_list_of_lists(local.kind):
                raise UnsupportedInC("a list of lists that is kept")
            return f"keep(s, &f->l[SLOT_{slot}_{self.frame_number}], {code});"
        if find_c_type(local.kind) != "i64":
            raise UnsupportedInC(f"a {local.kind.tag} that is kept")
        return f"f->x[{slot}] = {code};"

    def generate_Assign(self, stmt: ir.Assign) -> str:
        if stmt.value == ir.Items(stmt.value.kind, ()):
            return self.generate_assignment(stmt.local, "fresh(s)")  # a separate list, to be filled
        code = self.generate_value(stmt.value)
        fresh = isinstance(stmt.value, ir.Op | ir.Loop | ir.Items | ir.Calling)
        view = is_list_kind(stmt.local.kind) and (stmt.copied or isinstance(stmt.value, ir.Pile)) and not fresh
        return self.generate_assignment(stmt.local, f"copied(s, {code})" if view else code)

    def generate_Store(self, stmt: ir.Store) -> str:
        value = self.generate_value(stmt.value)
        if stmt.count > 1:
            at, stored = self.make_c_name("at"), self.make_c_name("held")
            to = stmt.base + stmt.count
            loop = f"for (int {at} = {stmt.base}; {at} < {to}; {at}++)"
            return f"{{ i64 {stored} = {value}; {loop} s->t[{at}] = {stored}; }}"
        if stmt.checked:
            value = f"checked(s, {value}, {stmt.place})"
        return f"{self.generate_track_slot(stmt.base, stmt.of)} = {value};"

    def generate_track_slot(self, base: int, owner: ir.Expr | None) -> str:
        return f"s->t[{base}]" if owner is None else f"s->t[{base} + {self.generate_value(owner)}]"

    def generate_Bump(self, stmt: ir.Bump) -> str:
        slot, value = self.generate_track_slot(stmt.base, stmt.of), self.generate_value(stmt.value)
        if not stmt.checked:
            return f"{slot} {stmt.operator}= {value};"
        name = self.make_c_name("n")
        refused = f"if (!(-LARGEST_NUMBER < {name} && {name} < LARGEST_NUMBER)) checked(s, {name}, {stmt.place});"
        return f"{{ i64 {name} = {slot} {stmt.operator} {value}; {slot} = {name}; {refused} }}"

    def generate_SetLink(self, stmt: ir.SetLink) -> str:
        depth = self.generate_value(stmt.depth) if stmt.depth is not None else "s->depth - 1"
        slot = f"s->frames[{depth}].x[{self.generate_value(stmt.base)} + {stmt.offset}]"
        return f"{slot} = {self.generate_value(stmt.value)};"

    def generate_Collect(self, stmt: ir.Collect) -> str:
        name = self.generate_value(stmt.local)
        if not stmt.many:
            return f"add(s, &{name}, {self.generate_boxed(self.generate_value(stmt.value), stmt.value.kind)});"
        kind = stmt.local.kind.item or ir.NUMBER
        return self.generate_each(stmt.value, lambda item: f"add(s, &{name}, {self.generate_boxed(item, kind)});")

    # ------------------------------------------------------------ control flow
    def generate_If(self, stmt: ir.If) -> str:
        otherwise = f" else {{ {self.generate_body(stmt.otherwise)} }}" if stmt.otherwise else ""
        return f"if ({self.generate_truth(stmt.condition)}) {{ {self.generate_body(stmt.then)} }}{otherwise}"

    def generate_ForEach(self, stmt: ir.ForEach) -> str:
        self.declared_variables[stmt.local.number] = stmt.local.kind
        code, name, kind = self.generate_value(stmt.list), self.generate_value(stmt.local), stmt.local.kind

        def inside(items: str, at: str) -> str:
            return f"{name} = {self.generate_unboxed(f'{items}.v[{at}]', kind)}; {self.generate_body(stmt.body)}"

        return self.generate_item_loop(code, 1, inside)

    def generate_Answers(self, stmt: ir.Answers) -> str:
        at = self.make_c_name("at")
        index = ir.Local(ir.NUMBER, -1)
        who = self.generate_assignment(stmt.who, self.generate_op_who_answered(NO_CHOICES, stmt.chosen, index))
        answer = self.generate_assignment(stmt.answer, self.generate_op_answer_of(NO_CHOICES, stmt.chosen, index))
        inside = f"{who} {answer}".replace("v-1", at)
        head = f"for (i64 {at} = 0; {at} < {self.generate_value(ir.Count(ir.NUMBER, stmt.chosen))}; {at}++)"
        return f"{head} {{ {inside} {self.generate_body(stmt.body)} }}"

    def generate_While(self, stmt: ir.While) -> str:
        condition = self.generate_truth(stmt.condition) if stmt.condition is not None else "1"
        return f"while ({condition}) {{ {self.generate_body(stmt.body)} }}"

    def generate_Return(self, stmt: ir.Return) -> str:
        return "return;" if stmt.value is None else f"return {self.generate_value(stmt.value)};"

    def generate_Leave(self, stmt: ir.Leave) -> str:
        table = self.context.add_leaving_table(stmt.step)
        return f"return unwind(s, {table});" if self.block_number is not None else f"finish(s, {table});"

    def generate_Again(self, stmt: ir.Again) -> str:
        return self.generate_body(stmt.body)  # a jump back to it returns its number

    def generate_Goto(self, stmt: ir.Goto) -> str:
        return f"return {stmt.block};"

    # ------------------------------------------------------------ effects
    def generate_Effect(self, stmt: ir.Effect) -> str:
        if stmt.operation in EFFECT_TEMPLATES:
            return fill_template(EFFECT_TEMPLATES[stmt.operation], self.generate_value, stmt.args, stmt.place)
        return str(getattr(self, f"generate_effect_{stmt.operation}")(stmt, *stmt.args))

    def generate_effect_move(self, stmt: ir.Effect, cards: ir.Expr, pile: ir.Expr, end: ir.Expr, *args: ir.Expr) -> str:
        where = END_CONSTANTS[str(end.value if isinstance(end, ir.Const) else "")]
        values = [*map(self.generate_value, (cards, pile)), where, *map(self.generate_value, args[:-1])]
        return f"move(s, {', '.join(values)}, {stmt.place});"

    def generate_effect_eliminate(self, stmt: ir.Effect, player: ir.Expr) -> str:
        return f"eliminate(s, {self.generate_value(player)}, {self.context.add_leaving_table('game')});"

    def generate_Event(self, stmt: ir.Event) -> str:
        return ""

    def generate_Expect(self, stmt: ir.Expect) -> str:
        # Python reports the details.
        return f"if (s->checking && !({self.generate_truth(stmt.condition)})) fail(s, BROKEN);"

    def generate_Fuel(self, stmt: ir.Fuel) -> str:
        return f"s->fuel -= {self.generate_value(stmt.steps)}; if (s->fuel < 0) fail(s, {stmt.place});"

    def generate_Do(self, stmt: ir.Do) -> str:
        return f"{stmt.function}({', '.join(['s', *map(self.generate_value, stmt.args)])});"

    def generate_DoBorne(self, stmt: ir.DoBorne) -> str:
        self.context.used_dispatches.add(stmt.table)
        card = self.make_c_name("card")
        args = ", ".join(["s", *map(self.generate_value, stmt.args)])
        function = f"{stmt.table}[{card}]"
        return f"{{ i64 {card} = {self.generate_value(stmt.card)}; if ({function}) {function}({args}); }}"

    # ------------------------------------------------------------ waiting
    def generate_KeepPlace(self, stmt: ir.KeepPlace) -> str:
        return f"f->x[0] = {stmt.block};"

    def generate_Stop(self, stmt: ir.Stop) -> str:
        player = self.generate_value(stmt.who)
        return f"f->x[0] = {stmt.block}; s->who = {player}; offer(s, {self.generate_value(stmt.legal)}); return -1;"

    def generate_TakePick(self, stmt: ir.TakePick) -> str:
        code = self.generate_value(stmt.code)
        take = f"if ({code}) pick(s, {code} - 1);"
        more = f"offer(s, L_{stmt.site}(s, f, s->who)); if (s->choices) return -1;"
        on = f"if ({code} && s->picks.n < {self.generate_value(stmt.most)}) {{ {more} }}"
        return f"{take} {on} {self.generate_assignment(stmt.answer, 'copied(s, list_of(s->picks))')} s->picks.n = 0;"

    def generate_Enter(self, stmt: ir.Enter) -> str:
        declarations, after, new = [], [], self.make_c_name("new")
        if stmt.card is None:
            routine, first = stmt.routine, ""
            number, entry = (
                str(self.context.frame_names.index(routine)),
                str(self.context.lowering.splitter.entry_blocks[routine]),
            )
        else:
            routine, table = self.context.add_card_routine_table(stmt.routine)
            row = self.make_c_name("row")
            number, entry = f"{row}[0]", f"{row}[1]"
            first = (
                f"const i64 *{row} = {table}[{self.generate_value(stmt.card)}]; if ({entry} < 0) return {stmt.after};"
            )
        frame, lists = self.context.lowering.splitter.frames[routine], self.context.frame_names.index(routine)
        for slot, arg in enumerate(stmt.args, start=1):
            name, kind = self.make_c_name("given"), frame.kinds[slot]
            declarations.append(f"{find_c_type(arg.kind)} {name} = {self.generate_value(arg)};")
            is_list = kind is not None and is_list_kind(kind)
            after.append(
                f"keep(s, &{new}->l[SLOT_{slot}_{lists}], {name});" if is_list else f"{new}->x[{slot}] = {name};"
            )
        push = f"f->x[0] = {stmt.after}; push_frame(s, {number}, {stmt.place}); Frame *{new} = top_frame(s);"
        return f"{{ {' '.join([first, *declarations, push, *after])} return {entry}; }}"

    def generate_Pop(self, stmt: ir.Pop) -> str:
        return "s->depth--; return top_frame(s)->x[0];"

    def generate_End(self, stmt: ir.End) -> str:
        return "return over(s);"


# ---------------------------------------------------------------- functions and blocks
def generate_c_function(context: CCodegenContext, function: ir.Function, is_recursive: bool) -> list[tuple[str, str]]:
    """Return the heads and bodies of a function and its helpers.

    A function with steps that others may finish gets a wrapper that catches this. A recursive function (`is_recursive`)
    gets a wrapper that counts the depth.
    """
    slots, frame = (context.program.get_site_slots(function.site), find_frame_of_site(context, function.site)) if (
        function.site is not None
    ) else ({}, 0)  # fmt: skip
    lister = ["Frame *f"] if function.site is not None else []
    params = [f"{find_c_type(param.kind)} v{param.number}" for param in function.params]
    body = CStatementGenerator(context, slots, frame).generate_function_body(function.body, function.params)
    result, given = find_c_type(function.result), ", ".join(["S *s", *lister, *params])
    head = f"static {result} {function.name}({given})"
    if function.catches is None and not is_recursive:
        return [(head, body)]
    args = ", ".join(["s", *(["f"] if lister else []), *(f"v{param.number}" for param in function.params)])
    call = f"{function.name}_within({args})"
    if function.catches is not None:
        call = f"CATCHING({context.add_leaving_table(function.catches)}, {call})"
    elif result != "void":
        call = f"{result} found; DEEPER(found = {call}) return found;"
    if is_recursive and result == "void":
        call = f"DEEPER({call})"
    return [(f"static {result} {function.name}_within({given})", body), (head, f"{{ {call} }}")]


def find_frame_of_site(context: CCodegenContext, site: int) -> int:
    splitter = context.lowering.splitter
    block = next(block for block, at in splitter.sites_by_block.items() if at == site)
    return context.frame_names.index(splitter.blocks[block].routine)


def generate_c_block(context: CCodegenContext, block: ir.Block) -> tuple[str, str]:
    """Return the head and body of a block."""
    frame = context.frame_names.index(block.routine) if block.routine else 0
    writer = CStatementGenerator(context, context.program.get_routine_slots(block.routine), frame, block.number)
    taken = [block.code] if block.code is not None else []
    params = ["S *s", *(f"i64 v{code.number}" for code in taken)]
    for code in taken:
        if code.number in writer.slots:
            raise UnsupportedInC("an answer that is kept")
    text = writer.generate_function_body(block.body, taken)
    start = "Frame *f = top_frame(s); (void)f;\n    " if block.number else ""
    return f"static i64 B{block.number}({', '.join(params)})", text.replace("{\n    ", "{\n    " + start, 1)

"""Decisions to source: who is asked, the codes of the legal moves, and what the answer does.

Each decision has a function of the state and its frame that lists the codes, and a block that gets the code chosen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardlang import game as g
from interpreter.layout import about_cards
from interpreter.lowering.blocks import Block
from interpreter.lowering.options import Options
from interpreter.lowering.provided import fulfils
from interpreter.lowering.public import Public
from interpreter.state import Site

if TYPE_CHECKING:
    from interpreter.lowering.flow import Flow

Choice = g.Pick | g.Choose | g.Menu


class Choices:
    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.code = flow.code
        self.layout = flow.layout
        self.game = flow.game
        self.emit = flow.emit
        self.options = Options(flow)
        self.public = Public(flow.code)
        self.high_slots: dict[int, int] = {}

    # ------------------------------------------------------------ asking
    def site(self, kind: str, stmt: g.Stmt | None, options: tuple[g.Option, ...], block: Block) -> Site:
        radices = tuple(self.options.radices(option) for option in options)
        site = Site(len(self.flow.sites), kind, stmt, options, radices)
        self.flow.sites.append(site)
        self.flow.scopes.append({var: code for var, code in self.code.env.items() if code.startswith("f[")})
        self.flow.site_of[block.number] = site.number
        return site

    def ask(self, who: str, answer: Block, legal: str, skip: Block, may: bool = False) -> None:
        """Stop here until `who` answers; nothing to choose from: go on with `skip`."""
        if who != "who":
            self.emit(f"who = {who}")
        self.emit(f"legal = {legal}")
        self.emit("if not legal:")
        self.skip(skip, may)
        self.emit(f"f[0] = {answer.number}; s.who = who; s.legal = legal")
        self.emit("return -1")

    def skip(self, to: Block, may: bool) -> None:
        """Go on without a choice; where one may be passed, that is the same as passing."""
        with self.flow.deeper():
            if may and self.flow.pass_slot is not None:
                self.emit(f"f[{self.flow.pass_slot}] = 1")
            self.flow.goto(to)

    def legal_function(self, site: Site, lines: list[str]) -> str:
        name = f"L{site.number}"
        self.code.functions[name] = "\n".join([f"def {name}(s, f, who):", *("    " + line for line in lines)])
        return f"{name}(s, f, who)"

    def alone(self, stmt: Choice) -> None:
        """A decision of one player, carried out at once."""
        answer, after = self.flow.new_block(answers=True), self.flow.new_block()
        if isinstance(stmt, g.Choose):  # nothing to choose from: what follows finds nothing
            self.emit(f"{self.flow.name_of(stmt.var, framed=True)} = {self.code.absent(stmt.var.type)}")
        self.collect(stmt, answer, after, self.somebody(stmt, after))
        self.flow.begin(answer)
        self.chose(stmt, answer)
        self.answered(stmt)
        self.passed(stmt, after)
        self.commit(stmt, after)
        self.flow.goto(after)
        self.flow.begin(after)

    def chose(self, stmt: g.Stmt, answer: Block) -> None:
        if self.flow.listen:
            site = self.flow.site_of[answer.number]
            self.emit(f"s.events.append(('chose', {self.code.span(stmt.span)}, s.who, {site}, code))")

    def passed(self, stmt: Choice, after: Block) -> None:
        if not stmt.may:
            return
        self.emit("if code == 0:" if not self.is_several(stmt) else "if not picks:")
        self.skip(after, stmt.may)

    # ------------------------------------------------------------ one decision, in two halves
    def collect(self, stmt: Choice, answer: Block, skip: Block, who: str) -> None:
        """Works out the legal moves and stops."""
        if isinstance(stmt, g.Menu):
            site = self.site("menu", stmt, stmt.options, answer)
            legal = self.legal_function(site, self.options.legal(stmt.options, "who", stmt.may))
            self.ask(who, answer, legal, skip, stmt.may)
        elif self.is_several(stmt):
            self.collect_several(stmt, answer, skip, who)
        else:
            by_number = isinstance(stmt, g.Pick) and stmt.position is not None
            kind = "number" if by_number else "pick" if isinstance(stmt, g.Pick) else "choose"
            site = self.site(kind, stmt, (), answer)
            self.ask(who, answer, self.legal_function(site, self.single_legal(stmt)), skip, stmt.may)

    def somebody(self, stmt: Choice, skip: Block) -> str:
        """The source of who is asked. Who is out is not asked: on to `skip`."""
        code = self.code.sure(stmt.who)
        if not self.layout.eliminates:
            return code
        self.emit(f"who = {code}")
        self.emit("if s.out >> who & 1:")
        self.skip(skip, stmt.may)
        return "who"

    def single_legal(self, stmt: g.Pick | g.Choose) -> list[str]:
        if isinstance(stmt, g.Pick):
            if stmt.position is not None:
                return self.number_legal(stmt)
            cards = self.distinct(self.code.items(stmt.source), stmt.source.type, "who")
            return [f"legal = [c + 1 for c in {cards}]", self.with_pass(stmt)]
        with self.code.bound(stmt.var, "x"):
            test = f" if {self.code.expr(stmt.provided)}" if stmt.provided is not None else ""
        domain = self.options.domain(stmt.domain, stmt.var.type, "who")
        return [f"legal = [x + 1 for x in {domain}{test}]", self.with_pass(stmt)]

    def with_pass(self, stmt: g.Pick | g.Choose) -> str:
        """What may be passed is also offered where nothing fits, if not everybody knows that."""
        if not stmt.may:
            return "return legal"
        possible = self.public.may_choose(stmt)
        if possible == "True":
            return "return legal + [0]"
        return f"return legal + [0] if legal{'' if possible == 'False' else f' or ({possible})'} else legal"

    def number_legal(self, stmt: g.Pick) -> list[str]:
        low, high = self.bounds(stmt)
        return [
            f"there = len({self.code.items(stmt.source)})",
            f"high = min({high}, there); low = min(max({low}, 0), high)",
            "legal = list(range(low + 1, high + 2)) if high > 0 else []",
            self.with_pass(stmt),
        ]

    def bounds(self, stmt: g.Pick | g.Choose) -> tuple[str, str]:
        low = self.code.expr(stmt.low) if stmt.low is not None else "0"
        high = self.code.expr(stmt.high) if stmt.high is not None else "there"
        return low, high

    def distinct(self, items: str, type_: g.Type, who: str) -> str:
        """Cards that no rule and nobody can tell apart make one move."""
        is_cards = type_.tag == "card" or (type_.item is not None and type_.item.tag == "card")
        return f"distinct(s, {items}, {who})" if is_cards and self.layout.copies else items

    def is_several(self, stmt: Choice) -> bool:
        if isinstance(stmt, g.Pick):
            one = isinstance(stmt.low, g.Const) and stmt.low.value == 1 and stmt.low == stmt.high
            return stmt.position is None and not one
        return isinstance(stmt, g.Choose) and stmt.several

    def collect_several(self, stmt: g.Pick | g.Choose, answer: Block, skip: Block, who: str) -> None:
        """The candidates and bounds stay in the frame while the picks come in one by one."""
        site = self.site("pick" if isinstance(stmt, g.Pick) else "several", stmt, (), answer)
        asked_for = g.CARD if isinstance(stmt, g.Pick) else stmt.var.type
        items, low, high = self.flow.local(cards=about_cards(asked_for)), self.flow.local(), self.flow.local()
        if isinstance(stmt, g.Pick):
            source = self.code.items(stmt.source)
        else:
            source = self.options.domain(stmt.domain, several_item(stmt), "who", everything=True)
        lows, highs = self.bounds(stmt)
        condition = f", {fulfils(self.code, stmt)}" if isinstance(stmt, g.Choose) and stmt.provided is not None else ""
        if condition:
            source = f"fulfilling({source}, {lows}, {highs if stmt.high is not None else 'None'}{condition})"
        if who != "who":
            self.emit(f"who = {who}")
        ordered = f"in_order(s, {source}, who)" if about_cards(asked_for) else f"sorted({source})"
        self.emit(f"f[{items}] = candidates = {ordered}; there = len(candidates)")
        self.emit(f"f[{high}] = high = min({highs}, there); f[{low}] = min(max({lows}, 0), high)")
        self.emit("s.picks = []")
        self.emit("if high <= 0:")
        self.skip_several(stmt, skip, items)
        given = f"s, f[{items}], f[{low}], f[{high}], who, {stmt.may}, {self.flow.layout.copies}{condition}"
        legal = self.legal_function(site, [f"return more_picks({given})"])
        self.high_slots[site.number] = high
        self.ask("who", answer, legal, skip, stmt.may)

    def skip_several(self, stmt: g.Pick | g.Choose, skip: Block, items: int) -> None:
        """Nothing can be chosen: go on with `skip`, or ask all the same, as in `with_pass`."""
        possible = self.public.may_choose(stmt) if stmt.may else "False"
        if possible == "False":
            self.skip(skip, stmt.may)
            return
        with self.flow.deeper():
            if possible != "True":
                self.emit(f"if not ({possible}):")
                self.skip(skip, stmt.may)
            self.emit(f"f[{items}] = []")

    def answered(self, stmt: Choice) -> None:
        """At the start of the answering block: take a pick and ask on, until the choice is complete."""
        if not self.is_several(stmt):
            return
        site = self.flow.sites[self.flow.site_of[self.flow.block.number]]
        high = self.high_slots[site.number]
        self.emit("if code: s.picks = [*s.picks, code - 1]")
        self.emit(f"if code and len(s.picks) < f[{high}]:")
        with self.flow.deeper():
            self.emit(f"s.legal = L{site.number}(s, f, s.who)")
            self.emit("if s.legal: return -1")
        self.emit("picks, s.picks = s.picks, []")

    def commit(self, stmt: Choice, after: Block) -> None:
        """What the answer does: `code` or `picks` is known. Goes on behind, or in further blocks."""
        if isinstance(stmt, g.Pick):
            self.commit_pick(stmt)
        elif isinstance(stmt, g.Choose):
            value = "picks" if stmt.several else "code - 1"
            self.emit(f"{self.flow.name_of(stmt.var, framed=True)} = {value}")
            self.flow.sequence(stmt.body)
        else:
            self.options.commit(stmt.options, after)

    def commit_pick(self, stmt: g.Pick) -> None:
        effects = self.flow.effects
        name = f"f[{self.flow.local(cards=True)}]"
        if stmt.position is not None:
            self.emit(f"{name} = list({effects.taken(stmt, 'code - 1')})")
        elif effects.is_entered(stmt.to) or self.is_several(stmt):
            self.emit(f"{name} = {'picks' if self.is_several(stmt) else '[code - 1]'}")
        else:
            effects.put("code - 1", stmt.to, stmt.verb, stmt.span)
            effects.triggers(stmt)
            return
        chosen = stmt.position in (None, "random")
        effects.move(name, stmt.to, "top", chosen, stmt.verb, stmt.span)
        effects.entered(stmt.to, name, framed=True)
        effects.triggers(stmt)

    # ------------------------------------------------------------ together
    def together(self, stmt: g.Each) -> None:
        """All choose, then all bodies run in seat order: what was chosen waits in the frame, unseen."""
        flow, choice = self.flow, stmt.body[0]
        if not isinstance(choice, g.Pick | g.Choose | g.Menu):
            raise AssertionError("a choice")
        chosen, start = flow.local(), flow.keep(flow.new_block())
        flow.goto(start)
        flow.begin(start)
        self.emit(f"f[{chosen}] = ()")
        head, after = flow.loop(stmt)
        answer = flow.new_block(answers=True)
        self.collect(choice, answer, head, self.somebody(choice, head))
        flow.begin(answer)
        self.answered(choice)
        what = "picks" if self.is_several(choice) else "code"
        self.emit(f"f[{chosen}] = (*f[{chosen}], ({self.code.env[stmt.var.id]}, {what}))")
        flow.goto(head)
        flow.begin(after)
        flow.frame_of[answer.number].codes[chosen] = flow.site_of[answer.number]
        flow.together[flow.site_of[answer.number]] = start.number, chosen
        self.together_bodies(stmt, choice, chosen, what, flow.site_of[answer.number])

    def together_bodies(self, stmt: g.Each, choice: Choice, chosen: int, what: str, site: int) -> None:
        flow, index = self.flow, self.flow.local()
        head, after = flow.new_block(), flow.new_block()
        self.emit(f"f[{index}] = 0")
        flow.goto(head)
        flow.begin(head)
        self.emit(f"if f[{index}] >= len(f[{chosen}]):")
        with flow.deeper():
            flow.goto(after)
        self.emit(f"{self.code.env[stmt.var.id]}, {what} = f[{chosen}][f[{index}]]")
        self.emit(f"f[{index}] += 1")
        if flow.listen:
            at = self.code.span(choice.span)
            self.emit(f"s.events.append(('chose', {at}, {self.code.env[stmt.var.id]}, {site}, {what}))")
        self.passed(choice, head)
        self.commit(choice, head)
        flow.goto(head)
        flow.begin(after)

    # ------------------------------------------------------------ offers
    def offer(self, stmt: g.Offer) -> None:
        flow = self.flow
        done = flow.new_block()
        head, after = flow.loop(g.Each(stmt.span, stmt.list, stmt.var, stmt.start, stmt.condition, False, ()))
        answer = flow.new_block(answers=True)
        site = self.site("offer", stmt, stmt.options, answer)
        lines = self.options.legal(stmt.options, "who", may=True)
        self.ask(self.code.env[stmt.var.id], answer, self.legal_function(site, lines), head)
        flow.begin(answer)
        self.chose(stmt, answer)
        self.emit("if code == 0:")
        with flow.deeper():
            flow.goto(head)
        self.options.commit(stmt.options, done)
        flow.begin(after)
        if flow.pass_slot is not None:
            self.emit(f"f[{flow.pass_slot}] = 1")
        flow.sequence(stmt.otherwise)
        flow.goto(done)
        flow.begin(done)


def several_item(stmt: g.Choose) -> g.Type:
    return stmt.var.type.item or stmt.var.type

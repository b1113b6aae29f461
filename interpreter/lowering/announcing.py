"""Announcements and the windows in which they can be answered, to source."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardlang import game as g
from interpreter.layout import about_cards
from interpreter.lowering.blocks import Block
from interpreter.lowering.choices import Choices
from interpreter.lowering.links import ANSWERED, CANCELLED, SHARED, shared_names, shared_offset
from interpreter.state import ABSENT


class Announcing(Choices):
    """All that asks somebody: choices, offers, and reactions to what is announced."""

    def announce(self, stmt: g.Announce) -> None:
        """A link in this frame; everybody else may react; then its body, or, if cancelled, its `otherwise`."""
        flow, names = self.flow, shared_names(self.game)
        link = flow.local(SHARED + len(names))
        self.mark_cards(stmt, link)
        shared = {name: self.code.expr(value) for name, value in stmt.shared}
        target = self.code.expr(stmt.target) if stmt.target is not None else "-1"
        values = [self.code.sure(stmt.actor), target, "0", "0"]
        values += [shared.get(name, "-1") for name in names]
        self.emit(f"f[{link}:{link + len(values)}] = [{', '.join(values)}]")
        if flow.listen:
            self.emit(f"s.events.append(('announced', {self.code.span(stmt.span)}, {stmt.name!r}, f[{link}]))")
        self.mark_answered()
        resolve, body, after = flow.new_block(), flow.new_block(), flow.new_block()
        reactions = [r for r in self.game.reactions if stmt.name in r.to]
        if reactions:
            self.window(stmt, reactions, link, resolve)
        else:
            flow.goto(resolve)
        flow.begin(resolve)
        self.emit(f"if not f[{link + CANCELLED}]:")
        with flow.deeper():
            flow.goto(body)
        flow.sequence(stmt.otherwise)
        flow.goto(after)
        flow.begin(body)
        flow.sequence(stmt.body)
        flow.goto(after)
        flow.begin(after)

    def mark_cards(self, stmt: g.Announce, link: int) -> None:
        """Which slots of a link hold cards."""
        kept = {"": stmt.target, **dict(stmt.shared)}
        for name, value in kept.items():
            if value is not None and about_cards(value.type) and self.flow.frame is not None:
                slot = link + shared_offset(self.game, name or None)
                self.flow.frame.cards[slot] = ABSENT if value.type.tag == "card" else ()

    def mark_answered(self) -> None:
        """Within a reaction: the link that it answers has got a link of its own."""
        if -1 in self.code.env:
            self.emit(f"s.frames[{self.code.env[-1]}][{self.code.env[-2]} + {ANSWERED}] = 1")

    def window(self, stmt: g.Announce, reactions: list[g.Reaction], link: int, resolve: Block) -> None:
        """Everybody but the actor is asked in turn, who could react as far as public knowledge goes."""
        flow = self.flow
        everyone, index, who = flow.local(), flow.local(), flow.local()
        head, asking = flow.new_block(), flow.new_block()
        answer = flow.new_block(answers=True)
        options = tuple(reaction.option for reaction in reactions)
        site = self.site("react", stmt, options, answer)
        env = self.reaction_env(reactions, link)
        flow.scopes[site.number] |= env | {reaction.you.id: "s.who" for reaction in reactions}
        flow.scopes[site.number][-1] = "len(s.frames) - 1"
        may = self.in_env(env, lambda: self.public.may_react(reactions))
        legal = self.in_env(env, lambda: self.options.legal(options, "who", may=True))
        self.emit(f"f[{everyone}] = others_of(s, f[{link}]); f[{index}] = 0")
        flow.goto(head)
        flow.begin(head)
        self.emit(f"if f[{link + CANCELLED}] or f[{link + ANSWERED}]:")
        with flow.deeper():
            flow.goto(resolve)
        self.emit(f"depth = len(s.frames) - 1; i = f[{index}]; items = f[{everyone}]")
        self.emit("while i < len(items):")
        with flow.deeper():
            self.emit("who = items[i]; i += 1")
            flow.effects.passes_over("who")
            self.emit(f"if not ({may}): continue")
            self.emit(f"f[{index}] = i; f[{who}] = who")
            flow.goto(asking)
        flow.goto(resolve)
        flow.begin(asking)
        depth_line = "depth = len(s.frames) - 1"
        self.ask(f"f[{who}]", answer, self.legal_function(site, [depth_line, *legal]), head)
        flow.begin(answer)
        self.chose(stmt, answer)
        self.emit("if code == 0:")
        with flow.deeper():
            flow.goto(head)
        self.react(reactions, link, who, head)

    def reaction_env(self, reactions: list[g.Reaction], link: int) -> dict[int, str]:
        env = {reaction.you.id: "who" for reaction in reactions}
        env[-1], env[-2] = "depth", str(link)
        return env

    def in_env(self, env: dict[int, str], work: Callable[[], Any]) -> Any:
        saved = dict(self.code.env)
        self.code.env.update(env)
        result = work()
        self.code.env = saved
        return result

    def react(self, reactions: list[g.Reaction], link: int, who: int, head: Block) -> None:
        """Costs are paid, then the reaction runs in a frame of its own."""
        flow = self.flow
        self.emit(f"option, value = (code - 1) % {len(reactions)}, (code - 1) // {len(reactions)}")
        flow.keep(head)
        for index, reaction in enumerate(reactions):
            self.emit(f"if option == {index}:")
            with flow.deeper():
                names = self.options.unpack(reaction.option, "value")
                entry = self.reaction_entry(reaction)
                values = ["0", f"f[{who}]", "len(s.frames) - 1", str(link), *names]
                self.emit(f"f[0] = {head.number}")
                self.emit(f"push(s, [{', '.join(values)}] + PADS[{entry}], {self.code.span(reaction.option.span)})")
                self.emit(f"return {entry}")

    def reaction_entry(self, reaction: g.Reaction) -> int:
        name = f"reaction {reaction.name}"
        if name not in self.flow.entries:
            depth = g.Var(g.NUMBER, reaction.option.span, -1, "depth")
            base = g.Var(g.NUMBER, reaction.option.span, -2, "base")
            binders = tuple(var for var, _ in reaction.option.binders)
            self.flow.routine(name, (reaction.you, depth, base, *binders), lambda: self.reaction_body(reaction))
        return self.flow.entries[name]

    def reaction_body(self, reaction: g.Reaction) -> None:
        self.flow.here = reaction.name
        self.options.pay(reaction.option, self.code.env[reaction.you.id])
        self.flow.sequence(reaction.option.body)

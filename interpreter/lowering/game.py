"""Lower a whole game, and later requests: value functions and steps of examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from attrs import evolve

from cardlang import game as g
from cardlang.game.walking import walk
from interpreter import lowered as lo
from interpreter.layout import Layout
from interpreter.lowered.rewriting import rewritten
from interpreter.lowered.walking import Part
from interpreter.lowering.announcing import Announcing
from interpreter.lowering.orders import judging
from interpreter.lowering.splitting import Splitter
from interpreter.lowering.standing import standing_functions
from interpreter.passes.choosing import chosen
from interpreter.passes.flowing import stepwise
from interpreter.passes.folding import bounded, folded
from interpreter.passes.hoisting import Hoister
from interpreter.passes.inlining import Inliner
from interpreter.passes.quantifying import Quantifiers
from interpreter.passes.sharing import changes, shared_in_function
from interpreter.passes.sparing import Sparing
from interpreter.passes.tabulating import Tables
from interpreter.passes.unrolling import change, spread

GAME = "the game"
UNTOUCHED = frozenset({lo.Local, lo.Entry, lo.For, lo.Let, lo.Spread, lo.Key, lo.Count, lo.Items, lo.Assign, lo.Store})
"""The most frequent nodes, which `Lowering.straight` never replaces."""
END, FIRST = 0, 1
"""Numbers of the blocks where a match ends and begins."""


class Lowering(Announcing):
    """Lowering of a whole game. `splitter` holds the blocks."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.inliner = Inliner(self.improved_function)
        self.splitter = Splitter(self.code.local, self.finishing, self.inliner)
        self.splitter.entry(GAME)
        self.improved: set[str] = set()
        self.improving: set[str] = set()
        self.quantifiers = Quantifiers(self.code.outlined)
        self.sparing = Sparing(self.functions, partial(judging, self.code))
        self.hoister = Hoister(self.code.local, self.quantifiers.may_stop)
        self.card_tables = Tables(self.code.tables, layout.cards, self.code.named)

    def game_and_starts(self) -> None:
        """Lower the game from set-up to the end, and the starts of tracks and card marks."""
        steps = [g.Do(s.origin.span, s.name, None, ()) for s in self.game.steps.values() if s.name in ("setup", "play")]
        steps.sort(key=lambda do: do.step == "play")
        self.routine(GAME, (), lambda: self.sequence(tuple(steps)))
        self.starts("start_all", lambda track: True)
        self.starts("start_tracks", lambda track: not isinstance(track.start, g.Const))
        if self.layout.marks:
            self.mark_starts()
        self.finish()

    def starts(self, name: str, wanted: Callable[[g.Track], bool]) -> None:
        """Add a function that sets the wanted tracks to their start values."""
        with self.collected() as body:
            for track in self.game.tracks.values():
                if wanted(track):
                    self.restart(track, None)
        self.functions[name] = lo.Function(name, (), tuple(body))

    def mark_starts(self) -> None:
        """Add the function that resets card marks when a card changes zones."""
        card = self.code.local(lo.CARD)
        with self.collected() as body:
            for name, base in self.layout.marks:
                track = self.game.tracks[name]
                with self.code.bound(track.var, card):
                    value = self.code.value(track.start, track.type, self.layout.scales.track[name])
                self.emit(lo.Store(base, card, value))
        self.functions["restart_marks"] = lo.Function("restart_marks", (card,), tuple(body))

    def finish(self) -> None:
        """Lower the waiting routines, optimize all functions, and cut the routines into blocks."""
        self.lower_waiting()
        for name in list(self.functions):
            self.improved_function(name)
        for name, routine in self.routines.items():
            if routine is not None and name not in self.splitter.frames:
                self.splitter.split(evolve(routine, body=self.straightened(routine.body)), opening=GAME)
        while fresh := [name for name in self.functions if self.functions[name] and name not in self.improved]:
            for name in fresh:
                self.improved_function(name)

    def improved_function(self, name: str) -> lo.Function | None:
        """Optimize a function. Return None while it is being optimized, or if the program defines it itself."""
        function = self.functions.get(name)
        if function is None or name in self.improving:
            return None
        if name not in self.improved:
            self.improved.add(name)
            self.improving.add(name)
            body = stepwise(self.straightened(function.body), self.code.local)
            body = self.inliner.inlined(folded(body))
            if not changes(body):
                body = self.hoister.before_each(body)
            body = folded(shared_in_function(body, self.code.local))
            self.functions[name] = function = evolve(function, body=body)
            self.improving.remove(name)
        return function

    def straightened(self, body: tuple[lo.Stmt, ...]) -> tuple[lo.Stmt, ...]:
        """Unroll loops over few players, and shorten the searches of other loops."""
        body = self.card_tables.looked_up(spread(rewritten(body, self.straight)))
        return chosen(bounded(body), self.code.local, self.sparing)

    def straight(self, part: Part) -> Part:
        if type(part) in UNTOUCHED:
            return part
        part = change(part)
        return self.quantifiers.asked(self.hoister.before_loop(part) if isinstance(part, lo.Loop) else part)

    def value_function(self, expr: g.Expr, params: Sequence[int]) -> str:
        """Add a function of the variables with these numbers that returns an expression's value."""
        name = self.code.named("V", str(len(self.functions)))
        with self.code.apart():
            kind = self.code.kind_of(expr)
            types = {part.id: part.type for part in walk((expr,)) if isinstance(part, g.Var)}
            locals_ = tuple(self.code.local(self.code.kind(types.get(param, g.NUMBER))) for param in params)
            self.code.env.update(zip(params, locals_, strict=True))
            value = self.code.expr(expr)
        self.functions[name] = lo.Function(name, locals_, (lo.Return(value),), kind)
        self.finish()
        return name

    def standing(self) -> None:
        """Add the functions for the final ranking and the winners."""
        standing_functions(self.code)
        self.finish()

    def step_routine(self, do: g.Do) -> int:
        """Return the entry block of a step that runs alone, as in examples."""
        name = f"example {len(self.splitter.blocks)}"
        self.routine(name, (), lambda: self.sequence((do,)))
        entry = self.splitter.entry(name)
        self.finish()
        return entry

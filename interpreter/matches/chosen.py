"""Write sentences about choices for an observer."""

from __future__ import annotations

from collections.abc import Sequence

from cardlang import game as g
from cardlang import words
from cardlang.words import plain
from interpreter.matches.moves import Printer, asked_type, noun_of
from interpreter.matches.names import Names, counted
from interpreter.matches.saying import Sayer
from interpreter.state import DONE, Site, State


class Hearing(Printer):
    """Printer of a choice for an observer, or for the referee without a seat.

    A card that the observer cannot identify is `a card`.
    - `outsider`: the observer did not choose, so values used only in secret are left out.
    - `told_card`: the referee's wording has named a card.
    """

    def __init__(self, names: Names, state: State, site: Site, seat: int | None) -> None:
        super().__init__(names, state, site, seat)
        self.all = seat is None
        self.outsider = seat is not None and seat != state.who
        self.told_card = False
        var = getattr(site.statement, "var", None)
        self.by_sight = self.is_by_sight(var)

    def is_by_sight(self, var: g.Var | None) -> bool:
        """Return whether the chosen card may go to a hidden zone.

        Then only players who see its current zone get its name. The move hides the card from the other players.
        """
        return self.outsider and var is not None and var.id in self.names.facts.carried

    def is_secret(self, code: int) -> bool:
        """Return whether this choice is secret.

        Passing an offer is not: whether further questions follow reveals it.
        """
        if not self.outsider:
            return False
        if isinstance(self.site.statement, g.Choose):
            return self.site.statement.var.id in self.names.facts.common.secrecy.kept
        quiet = self.names.facts.common.secrecy.quiet_options(self.site.options)
        if code == DONE:
            return bool(quiet) and self.site.kind != "offer"
        return self.program.decode(self.site, code)[0] in quiet

    def bound(self, option: g.Option, values: Sequence[int]) -> list[str]:
        kept = self.names.facts.common.secrecy.kept if self.outsider else frozenset()
        told = [(var, value) for (var, _), value in zip(option.binders, values, strict=True) if var.id not in kept]
        return [self.thing(var, value, len(told) > 1) for var, value in told]

    def thing(self, var: g.Var, value: int, several: bool) -> str:
        """Return a bound value. A bare figure gets a noun: `rank 7`, or among several values `number 2`."""
        self.by_sight = self.is_by_sight(var)
        text = self.value(var.type, value)
        if not text.isdigit() or (var.type.tag == "number" and not several):
            return text
        return f"{plain(var.type.of or var.name).lower()} {text}"

    def act(self, code: int) -> str:
        """Return the infinitive of taking an option, in the author's wording or with its name."""
        number, values = self.program.decode(self.site, code)
        option = self.site.options[number or 0]
        return self.said(option, values) or " ".join(filter(None, words.taken(option.name, self.bound(option, values))))

    def said(self, option: g.Option, values: Sequence[int]) -> str:
        """Return the author's wording of the move, if the observer may know it; else empty."""
        kept = self.names.facts.common.secrecy.kept if self.outsider else frozenset()
        if not option.called or any(var.id in kept for var, _ in option.binders):
            return ""
        bound = zip(option.binders, values, strict=True)
        if any(self.is_by_sight(var) and not self.watches(value) for (var, _), value in bound):
            return ""
        self.told_card = self.told_card or (self.all and bool(option.called_with))
        sayer = Sayer(self.names, self.state, None if self.all else self.seat, self.program.scope(self.state))
        return sayer.move(option, {var.id: value for (var, _), value in zip(option.binders, values, strict=True)})

    def value(self, type: g.Type, value: int) -> str:
        if self.all:
            self.told_card = self.told_card or type.tag == "card"
            return self.names.value(type, value)
        if type.tag == "card" and self.by_sight and not self.watches(value):
            return self.hidden(value)
        return super().value(type, value)

    def watches(self, card: int) -> bool:
        """Return whether the observer sees the zone of a card."""
        pile = self.state.loc[card]
        return pile >= 0 and bool(self.program.layout.sees[pile] >> self.seat & 1)

    def hidden(self, card: int) -> str:
        return "a card"


def act_of(hearing: Hearing, code: int) -> str:
    """Return the infinitive of a choice: `play [3c]`, `bid 3`, `pass`."""
    site, text = hearing.site, hearing.text(code)
    verb = {"turn": "turn up"}.get(verb := getattr(site.statement, "verb", ""), verb)
    if code == DONE:
        nothing = f"{verb} no cards" if verb else "choose nothing"
        return "pass" if site.options or text == "pass" else nothing
    if site.options:
        return hearing.act(code)
    if site.kind == "number":
        return f"{verb} {counted(code - 1) if code > DONE + 1 else 'no cards'}"
    noun = noun_of(site)
    if verb or asked_type(site) != g.NUMBER or noun == g.NUMBER.tag:
        return text if verb else f"choose {text}"
    return f"{noun} {text}" if noun in words.PLAYED else f"choose {words.article(noun)} of {text}"


def sentence(hearing: Hearing, who: str, code: int) -> str:
    """Return the sentence about a choice. It is empty for picked cards, because the move that follows reports them."""
    is_move = hearing.site.kind in ("pick", "number")
    if not is_move and hearing.is_secret(code):  # independent of the choice, once for all simultaneous ones
        return "" if hearing.state.picks else f"{who} chooses in secret."
    none = hearing.site.kind == "number" and code == DONE + 1
    if (is_move and not none and code != DONE) or (code == DONE and hearing.state.picks):
        return ""
    return f"{who} {words.done_by(act_of(hearing, code))}."

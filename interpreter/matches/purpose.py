"""Describe a decision: source and target of its cards, costs of its options, and the author's text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import zip_longest

from cardlang import game as g
from cardlang.game.walking import everything, walk
from cardlang.words import plain
from interpreter.errors import RuleError
from interpreter.knowing import variables_of
from interpreter.matches.names import Names, exact
from interpreter.matches.refusal import Explainer
from interpreter.matches.saying import Sayer
from interpreter.matches.telling import PLAIN, toward
from interpreter.state import DONE, Site, State

MOST_STEPS = 8
"""Maximum number of nested definitions to search for the line that limits a choice."""


class Purpose:
    """Description of the decision in a state, for the current player. `scope`: values of its variables."""

    def __init__(self, names: Names, state: State, site: Site) -> None:
        self.names, self.state, self.site = names, state, site
        self.program = names.program
        self.scope: dict[int, object] = self.program.scope(state)
        self.seat = state.who

    def value(self, expr: g.Expr, more: dict[int, object]) -> object:
        """Return the value of an expression in the rule; None if it has none, or if it needs an unknown variable."""
        scope = {**self.scope, **more}
        needed = variables_of(expr)
        if not needed <= scope.keys():
            return None
        try:
            return self.program.value(expr, self.state, {var: scope[var] for var in sorted(needed)})
        except RuleError:
            return None

    # ------------------------------------------------------------ where cards go
    def goal(self) -> str:
        """Return the target of the cards: `to West`, `under the deck`. It is empty if the verb implies it."""
        statement = self.site.statement
        if not isinstance(statement, g.Pick):
            return ""
        return self.place(statement.verb, statement.to)

    def place(self, verb: str, to: g.Place) -> str:
        if to.each:
            return "to all players"
        zone = self.names.game.zones[to.zone]
        of = self.value(to.of, {}) if to.of is not None else None
        if to.of is not None and not isinstance(of, int):
            return ""
        if zone.subject == "player" and of == self.seat:
            onward = self.onward(to.zone)
            if onward is not None:
                return f"to {self.names.players[onward[1]]}"
        elif zone.subject == "player" and isinstance(of, int) and zone.viewer == "owner":
            return f"to {self.names.players[of]}"
        if verb in PLAIN and (zone.subject is None or of == self.seat):
            return ""
        pile = self.program.zone_base[to.zone] + (of if isinstance(of, int) else 0)
        return toward(self.names, verb, pile, self.seat).replace("their ", "your ", 1)

    def verb(self) -> str:
        """Return the verb for cards, or empty.

        If the cards are passed on to another player, return the verb of that move.
        """
        statement = self.site.statement
        if not isinstance(statement, g.Pick):
            return ""
        to, onward = statement.to, None
        if not to.each and to.of is not None and self.value(to.of, {}) == self.seat:
            onward = self.onward(to.zone)
        return statement.verb if onward is None else onward[0]

    def onward(self, zone: str) -> tuple[str, int] | None:
        """Return the verb and player to which cards put down in the player's own zone are passed on.

        Return None unless exactly one rule does this.
        """
        moves = [part for part in everything(self.names.game) if isinstance(part, g.Move) and leaves(part, zone)]
        if len(moves) != 1 or moves[0].to.of is None:
            return None
        source = moves[0].what
        assert isinstance(source, g.ZoneCards)
        if not isinstance(source.of, g.Var) or variables_of(moves[0].to.of) != {source.of.id}:
            return None
        found = self.value(moves[0].to.of, {source.of.id: self.seat})
        return (moves[0].verb, found) if isinstance(found, int) and found != self.seat and found >= 0 else None

    def source(self) -> str:
        """Return the source of the cards, if only their number is chosen: `from the top of the deck`."""
        statement = self.site.statement
        if (
            not isinstance(statement, g.Pick)
            or statement.position is None
            or not isinstance(statement.source, g.ZoneCards)
        ):
            return ""
        of = self.value(statement.source.of, {}) if statement.source.of is not None else 0
        if not isinstance(of, int):
            return ""
        pile = self.names.pile(self.program.zone_base[statement.source.zone] + of)
        own = statement.source.of is not None and of == self.seat
        pile = f"your {plain(self.names.game.zones[statement.source.zone].noun.singular)}" if own else pile
        return f"{'at random ' if statement.position == 'random' else ''}from {pile}"

    def actor(self) -> str:
        """Return the player whose announcement this responds to; empty if there is none."""
        statement = self.site.statement
        if not isinstance(statement, g.Announce):
            return ""
        seat = self.value(g.Actor(g.PLAYER, statement.span), {})
        return self.names.players[seat] if isinstance(seat, int) else ""

    # ------------------------------------------------------------ words
    def words(self) -> str:
        """Return the author's text for the decision.

        It is the text of the rule, or else of the line that currently limits the choice. Without one, a choice that is
        not a menu gets the text of its step.
        """
        statement = self.site.statement
        if statement is None or statement.doc:
            return statement.doc if statement is not None else ""
        if isinstance(statement, g.Pick | g.Choose):
            return self.limiting(statement) or self.of_step()
        return self.answering(statement) if isinstance(statement, g.Announce) else ""

    def answering(self, statement: g.Announce) -> str:
        """Return the text of the announced action, and that of the response, if there is only one."""
        answers = {option.doc for option in self.site.options}
        return " ".join(part for part in (self.coming(statement), *(answers if len(answers) == 1 else ())) if part)

    def coming(self, statement: g.Announce) -> str:
        """Return the text of the announced action, if it belongs to a card that the current player can identify."""
        borne = (part for part in walk(statement.body) if isinstance(part, g.DoBorne))
        said = (self.words_of_borne(part, self.announced(statement)) for part in borne)
        return " ".join(words for words in said if words)

    def announced(self, statement: g.Announce) -> dict[int, object]:
        """Return the variables for the announcing player and the announced action."""
        bound: dict[int, object] = {}
        if isinstance(statement.actor, g.Var):
            bound[statement.actor.id] = self.value(g.Actor(g.PLAYER, statement.span), {})
        if isinstance(statement.target, g.Var):
            bound[statement.target.id] = self.value(g.Target(statement.target.type, statement.span, None), {})
        return bound

    def words_of_borne(self, do: g.DoBorne, bound: dict[int, object]) -> str:
        """Return the author's text on a step of a card, if the current player can identify the card."""
        card = self.value(do.card, bound)
        if not isinstance(card, int) or card < 0 or not self.program.visible(self.state, card, self.seat):
            return ""
        body = self.names.game.borne_steps[do.step].bodies[self.program.face[card]]
        return body.doc if body is not None else ""

    def limiting(self, statement: g.Pick | g.Choose) -> str:
        items = statement.source if isinstance(statement, g.Pick) else statement.domain.list
        if items is None:
            return ""
        explainer = Explainer(self.names, self.state)
        for number, (part, scope) in enumerate(explainer.unfolded(items, explainer.scope)):
            if isinstance(part, g.FirstPossible):
                return binding([(explainer.items(line, scope), words) for line, words in part.lists])
            if number == MOST_STEPS:
                break
        return ""

    def of_step(self) -> str:
        """Return the text of the innermost step."""
        around = [name for name in self.program.enclosing[self.state.frames[-1][0]] if name in self.names.game.steps]
        return self.names.game.steps[around[-1]].doc if around else ""

    @cached_property
    def sayer(self) -> Sayer:
        return Sayer(self.names, self.state, self.seat, self.scope)

    def said(self, option: g.Option, values: list[int]) -> str:
        """Return the author's wording of a move; empty if there is none."""
        if not option.called:
            return ""
        bound = {var.id: value for (var, _), value in zip(option.binders, values, strict=True)}
        return self.sayer.move(option, bound)

    # ------------------------------------------------------------ costs
    def price(self, option: g.Option, values: list[int]) -> str:
        """Return the cost of an option with these values bound: `24`, `3 coins`. It is empty if unknown.

        Tracks that the game hides are left out: a limit on the uses of an option is not a cost. If the option has its
        own wording, that wording mentions payments in its step.
        """
        bound: dict[int, object] = {var.id: value for (var, _), value in zip(option.binders, values, strict=True)}
        paid = []
        for amount, track, _ in option.costs:
            if track in self.names.facts.bookkeeping:
                continue
            price = self.value(amount, bound)
            if isinstance(price, int | Fraction) and price:
                noun = self.names.game.tracks[track].noun
                paid.append(f"{exact(price)} {noun.singular if price == 1 else noun.plural}")
        if paid:
            return " and ".join(paid)
        return "" if option.binders or option.called else self.handed_on(option)

    def handed_on(self, option: g.Option) -> str:
        """Return the payment in the single step that an option runs.

        The payment is the step's only argument, which the step takes from the player.
        """
        match option.body:
            case (g.Do(args=(amount,)) as do,):
                track = paid_from(self.names.game, self.names.game.steps[do.step])
                price = self.value(amount, {}) if track is not None else None
                if track is not None and isinstance(price, int | Fraction) and price > 0:
                    return exact(min(price, self.owned(track, price)))
        return ""

    def owned(self, track: str, price: int | Fraction) -> int | Fraction:
        slot = self.program.track_base[track] + self.seat
        return (
            Fraction(self.state.t[slot], self.program.tracks[slot].scale)
            if not self.names.game.tracks[track].secret
            else price
        )

    # ------------------------------------------------------------ unavailable options
    def closed(self) -> list[tuple[str, str, str]]:
        """Return the unavailable options, each with the reason and its label."""
        if self.site.kind not in ("menu", "offer"):
            return []
        taken = {self.program.decode(self.site, code)[0] for code in self.state.legal if code != DONE}
        explainer = Explainer(self.names, self.state)
        rest = [option for number, option in enumerate(self.site.options) if number not in taken]
        called = {option.name: self.called(option) for option in self.site.options}
        alike = {words for words, count in Counter(called.values()).items() if count > 1}
        return [
            (
                option.name,
                explainer.why_option(option, []).words,
                named(option) if called[option.name] in alike else called[option.name],
            )
            for option in rest
        ]

    def called(self, option: g.Option) -> str:
        """Return the label of an unavailable option.

        It is the wording up to the first value that is unknown. If that is long or ends within a phrase, it is the
        name. `closed` uses the names of options with equal labels.
        """
        said = ""
        for words, value in zip_longest(option.called, option.called_with):
            said += words
            known = self.value(value, {}) if value is not None and value.type.tag == "text" else None
            if known is None:
                break
            said += str(known)
        short = said.strip()
        is_said = 0 < len(short) <= BRIEF and short.split()[-1] not in AMID
        return short if is_said else named(option)


def named(option: g.Option) -> str:
    return option.name.replace("-", " ")


AMID = ("a", "an", "as", "at", "by", "for", "from", "in", "into", "it", "of", "on", "the", "to", "what", "with")
"""Words that do not end a phrase."""
BRIEF = 20
"""Maximum length of the label of an unavailable option, in characters. It leaves room for the legal options."""


def binding(lists: Sequence[tuple[list[object], str]]) -> str:
    """Return the text of the first list that is not empty, if it excludes items of a later one."""
    found = next((number for number, (items, _) in enumerate(lists) if items), len(lists))
    for items, words in lists[found : found + 1]:
        if any(item not in items for later, _ in lists[found + 1 :] for item in later):
            return words
    return ""


def leaves(move: g.Move, zone: str) -> bool:
    """Return whether a statement moves all cards out of a zone of a player."""
    return isinstance(move.what, g.ZoneCards) and move.what.zone == zone


def paid_from(game: g.Game, step: g.Step) -> str | None:
    """Return the track of the player that a step takes from, if it is the only one."""
    if step.you is None or len(step.params) != 1:
        return None
    found = {
        part.track
        for part in walk(step.body)
        if isinstance(part, g.SetTrack)
        and part.operator == "-"
        and isinstance(part.of, g.Var)
        and part.of.id == step.you.id
    }
    return found.pop() if len(found) == 1 else None

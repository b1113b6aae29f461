"""Static facts about the rules of a game, for logs and views.

They are computed on demand and cached for all matches.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

from cardlang import game as g
from cardlang.game.walking import any_part, everything, reachable_defines, walk
from cardlang.source import Span
from interpreter.card_names import CardNames
from interpreter.itself import KEPT, Itself
from interpreter.knowing import variables_of
from interpreter.matches.hands import Values
from interpreter.matches.showing import Showing
from interpreter.public_knowledge import Common

SHOWN_BY_CARDS = (g.Attribute, g.BorneCall, g.ReadRanking, g.IsSet, g.NamedCards, g.IsReading)
"""Expressions that depend on seeing a card."""


class Facts:
    """Facts about one game, independent of its players. See `facts_of`."""

    def __init__(self, game: g.Game) -> None:
        self.game = game

    @cached_property
    def common(self) -> Common:
        """Public knowledge of the game. It is computed completely, because matches in other threads share it."""
        common = Common(self.game)
        common.hidden_vars()
        return common

    @cached_property
    def carried(self) -> frozenset[int]:
        """Variables for cards that may go to hidden zones."""
        return CardNames(self.common).carried

    @cached_property
    def words(self) -> dict[Span, str]:
        """The author's text for each statement, by position."""
        return {part.span: part.doc for part in everything(self.game) if isinstance(part, g.Stmt) and part.doc}

    @cached_property
    def shown_unseen(self) -> frozenset[Span]:
        """Statements that reveal cards to a player without the others noticing, or knowing the owner, by position."""
        return frozenset(stmt.span for stmt in Showing(self.common).unseen)

    @cached_property
    def unseen_steps(self) -> frozenset[str]:
        """Steps that hidden information decides to run, or whose player it decides.

        No observer learns that they run.
        """
        return frozenset(Showing(self.common).steps)

    @cached_property
    def headings(self) -> frozenset[str]:
        """Steps that the log announces: they contain decisions and reset tracks."""
        again = {restart.step for track in self.game.tracks.values() for restart in track.restarts}
        return frozenset(name for name in again if name in self.game.steps and asks(self.game, name))

    @cached_property
    def bookkeeping(self) -> frozenset[str]:
        """Tracks that stay invisible, because the game declares what to show and they are not included."""
        chosen = {show.track for show in values(self.game)}
        return frozenset(name for name in self.game.tracks if chosen and name not in chosen)

    @cached_property
    def shown(self) -> tuple[tuple[g.Track | g.Define, g.Expr], ...]:
        """Shown values: each declaration with an expression for its current value.

        The expression uses the variable of the declaration, if any.
        """
        game = self.game
        declared = [game.tracks[each.track] if each.track else game.defines[str(each.define)] for each in values(game)]
        return tuple((each, current(each)) for each in declared if each.subject != "card")

    @cached_property
    def of_cards(self) -> tuple[tuple[g.Define, g.Expr], ...]:
        """Definitions on cards that players see for their own cards, in the form of `shown`."""
        declared = [self.game.defines[each.define] for each in values(self.game) if each.define]
        return tuple((each, current(each)) for each in declared if each.subject == "card")

    @cached_property
    def held(self) -> tuple[tuple[g.Define, g.Expr], ...]:
        """Definitions that give a player the value of their own cards, in the form of `shown`.

        They belong to a player and read cards of a private zone, total their values, or are shown as text. The score is
        excluded.
        """
        shown = {show.define for show in values(self.game)}
        found = [
            each
            for each in self.game.defines.values()
            if each.subject == "player" and each.name != "score"
            if reads(self.game, each) or (each.type.tag == "text" and each.name in shown)
        ]
        return tuple((each, current(each)) for each in found)

    @cached_property
    def settled(self) -> dict[str, frozenset[str]]:
        """Numbers of players that are only ever assigned, such as a bid, with the steps at which they restart.

        They have no value until the first assignment, regardless of their start value.
        """
        changes: dict[str, set[str]] = {}
        for part in everything(self.game):
            if isinstance(part, g.SetTrack):
                changes.setdefault(part.track, set()).add(part.operator)
        tracks = (self.game.tracks[name] for name, operators in changes.items() if operators == {"="})
        return {
            track.name: frozenset(restart.step for restart in track.restarts)
            for track in tracks
            if track.subject == "player"
            and track.type.tag == "number"
            and track.name != "score"
            and not any(restart.own for restart in track.restarts)
        }

    @cached_property
    def summed(self) -> dict[str, frozenset[str]]:
        """Shown numbers that are computed from `settled` numbers, such as a contract from bids, with those numbers."""
        found = {}
        for each, _ in self.shown:
            if isinstance(each, g.Define) and each.type.tag == "number":
                used = (self.game.defines[name].value for name in reachable_defines(self.game, each.value))
                read = {part.track for part in walk((each.value, *used)) if isinstance(part, g.TrackValue)}
                found[each.name] = frozenset(read & self.settled.keys())
        return found

    @cached_property
    def one_score(self) -> bool:
        """True if all players always have equal scores, because the score does not depend on the player."""
        define = self.game.defines.get("score")
        if define is None or "score" in self.game.tracks:
            return False
        return define.var is None or define.var.id not in variables_of(define.value)

    @cached_property
    def values(self) -> Values:
        """Names for the values of cards."""
        return Values(self.game)

    @cached_property
    def best_of(self) -> g.Expr | None:
        """Expression for the best card of the trick, if the rules contain one without variables."""
        tricks = {show.zone for show in self.game.shows if show.form == "trick"}
        for part in everything(self.game):
            match part:
                case g.AggBy(which="first", list=g.ZoneCards(zone=zone, of=None)) if zone in tricks:
                    if not variables_of(part):
                        return part
        return None

    @cached_property
    def side(self) -> g.Expr | None:
        """Expression for a player's team: a value of a kind that owns a track."""
        kinds = {track.subject for track in self.game.tracks.values()} & self.game.kinds.keys()
        for define in self.game.defines.values():
            if define.subject == "player" and define.type.tag == "member" and define.type.of in kinds:
                return current(define)
        return None

    @cached_property
    def scores_are_open(self) -> bool:
        """True if scores are public before the end: they depend on no hidden information and on no card."""
        game = self.game
        if "score" in game.tracks:
            return not game.tracks["score"].secret
        if "score" not in game.defines:
            return True
        value = game.defines["score"].value
        parts = (value, *(game.defines[name].value for name in reachable_defines(game, value)))
        return self.common.is_public(value) and not any_part(parts, lambda part: isinstance(part, SHOWN_BY_CARDS))


def values(game: g.Game) -> list[g.Show]:
    """Return the declarations of shown values, without those of zones."""
    return [show for show in game.shows if show.zone is None]


def current(declared: g.Track | g.Define) -> g.Expr:
    """Return an expression for the current value of a declaration."""
    kind = g.TrackValue if isinstance(declared, g.Track) else g.Call
    return kind(declared.type, declared.origin.name, declared.name, declared.var)


def facts_of(game: g.Game) -> Facts:
    """Return the facts about a game, cached for recent games."""
    return kept(Itself(game))


@lru_cache(maxsize=KEPT)
def kept(game: Itself) -> Facts:
    return Facts(game.game)


def asks(game: g.Game, name: str) -> bool:
    """Return whether a step, or a step that it runs, contains a decision."""
    todo, seen = [name], set()
    while todo:
        step = todo.pop()
        if step in seen:
            continue
        seen.add(step)
        body = game.steps[step].body
        if any_part(body, lambda part: isinstance(part, g.Pick | g.Choose | g.Menu | g.Offer)):
            return True
        todo += [part.step for part in walk(body) if isinstance(part, g.Do)]
    return False


def reads(game: g.Game, define: g.Define) -> bool:
    """Return whether a player's definition ranks cards in their hand, or is a number that totals over them."""
    if define.type.tag not in ("reading", "number"):
        return False
    used = (define.value, *(game.defines[name].value for name in reachable_defines(game, define.value)))
    parts = list(walk(used))
    own = any(isinstance(part, g.ZoneCards) and is_hand(game.zones[part.zone]) for part in parts)
    totals = any(isinstance(part, g.Agg) and part.function == "total" for part in parts)
    return own and (define.type.tag == "reading" or totals)


def is_hand(zone: g.Zone) -> bool:
    return zone.subject == "player" and zone.viewer == "owner"

"""What the log and the views ask about the rules of a game: worked out when somebody asks, once for all its matches."""

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
"""What needs to be seen on a card."""


class Facts:
    """Of one game, without its players. See `facts_of`."""

    def __init__(self, game: g.Game) -> None:
        self.game = game

    @cached_property
    def common(self) -> Common:
        """What everybody knows of the game, worked out whole: matches in other threads share it."""
        common = Common(self.game)
        common.hidden_vars()
        return common

    @cached_property
    def carried(self) -> frozenset[int]:
        """The variables for cards that may go where not everybody sees them."""
        return CardNames(self.common).carried

    @cached_property
    def words(self) -> dict[Span, str]:
        """By place, what the author wrote beside the statement there."""
        return {part.span: part.doc for part in everything(self.game) if isinstance(part, g.Stmt) and part.doc}

    @cached_property
    def shown_unseen(self) -> frozenset[Span]:
        """Where cards are shown to somebody and the others cannot tell that, or whose, they are."""
        return frozenset(stmt.span for stmt in Showing(self.common).unseen)

    @cached_property
    def unseen_steps(self) -> frozenset[str]:
        """The steps that are done, or by whom, only as what is hidden has it: that they go on is told to nobody."""
        return frozenset(Showing(self.common).steps)

    @cached_property
    def headings(self) -> frozenset[str]:
        """The steps that the log announces: those that ask somebody and at which tracks start again."""
        again = {restart.step for track in self.game.tracks.values() for restart in track.restarts}
        return frozenset(name for name in again if name in self.game.steps and asks(self.game, name))

    @cached_property
    def bookkeeping(self) -> frozenset[str]:
        """The tracks that stay out of sight, as the game says what is to be seen and they are not among it."""
        chosen = {show.track for show in values(self.game)}
        return frozenset(name for name in self.game.tracks if chosen and name not in chosen)

    @cached_property
    def shown(self) -> tuple[tuple[g.Track | g.Define, g.Expr], ...]:
        """The values that players want to see: what is declared, and the expression for it, of its variable if it has
        one."""
        game = self.game
        declared = [game.tracks[each.track] if each.track else game.defines[str(each.define)] for each in values(game)]
        return tuple((each, current(each)) for each in declared if each.subject != "card")

    @cached_property
    def of_cards(self) -> tuple[tuple[g.Define, g.Expr], ...]:
        """The definitions of a card that players want to see of their own cards, as `shown`."""
        declared = [self.game.defines[each.define] for each in values(self.game) if each.define]
        return tuple((each, current(each)) for each in declared if each.subject == "card")

    @cached_property
    def held(self) -> tuple[tuple[g.Define, g.Expr], ...]:
        """What tells a player what their own cards are worth: definitions of a player that read cards of a zone that
        only its owner sees, or add up what they count, and what is to be shown in sentences. The score is told
        elsewhere."""
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
        """The numbers of players that are only ever set to something, as a bid is: until then there is none, whatever
        they start at. Each with the steps at which it starts again."""
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
        """The numbers that are shown and worked out from some that are `settled`, as a contract is from bids: with
        those."""
        found = {}
        for each, _ in self.shown:
            if isinstance(each, g.Define) and each.type.tag == "number":
                used = (self.game.defines[name].value for name in reachable_defines(self.game, each.value))
                read = {part.track for part in walk((each.value, *used)) if isinstance(part, g.TrackValue)}
                found[each.name] = frozenset(read & self.settled.keys())
        return found

    @cached_property
    def one_score(self) -> bool:
        """Whether all players have the same score at any time, as it is nobody's own."""
        define = self.game.defines.get("score")
        if define is None or "score" in self.game.tracks:
            return False
        return define.var is None or define.var.id not in variables_of(define.value)

    @cached_property
    def values(self) -> Values:
        """What the values of cards are called."""
        return Values(self.game)

    @cached_property
    def best_of(self) -> g.Expr | None:
        """The best card of the zone that lies as a trick, where the rules ask for it and nothing else is needed."""
        tricks = {show.zone for show in self.game.shows if show.form == "trick"}
        for part in everything(self.game):
            match part:
                case g.AggBy(which="first", list=g.ZoneCards(zone=zone, of=None)) if zone in tricks:
                    if not variables_of(part):
                        return part
        return None

    @cached_property
    def side(self) -> g.Expr | None:
        """To which member of a kind that keeps a number a player belongs."""
        kinds = {track.subject for track in self.game.tracks.values()} & self.game.kinds.keys()
        for define in self.game.defines.values():
            if define.subject == "player" and define.type.tag == "member" and define.type.of in kinds:
                return current(define)
        return None

    @cached_property
    def scores_are_open(self) -> bool:
        """Whether everybody may know the scores before the end: they depend on nothing hidden, nor on what cards
        show."""
        game = self.game
        if "score" in game.tracks:
            return not game.tracks["score"].secret
        if "score" not in game.defines:
            return True
        value = game.defines["score"].value
        parts = (value, *(game.defines[name].value for name in reachable_defines(game, value)))
        return self.common.is_public(value) and not any_part(parts, lambda part: isinstance(part, SHOWN_BY_CARDS))


def values(game: g.Game) -> list[g.Show]:
    """What is shown and lies nowhere."""
    return [show for show in game.shows if show.zone is None]


def current(declared: g.Track | g.Define) -> g.Expr:
    """What something that is declared is worth now."""
    kind = g.TrackValue if isinstance(declared, g.Track) else g.Call
    return kind(declared.type, declared.origin.name, declared.name, declared.var)


def facts_of(game: g.Game) -> Facts:
    """Kept for a while."""
    return kept(Itself(game))


@lru_cache(maxsize=KEPT)
def kept(game: Itself) -> Facts:
    return Facts(game.game)


def asks(game: g.Game, name: str) -> bool:
    """Whether a step, or one that it does, has a decision."""
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
    """Whether a definition of a player is a reading of cards in their hand, or a number that is a total over them."""
    if define.type.tag not in ("reading", "number"):
        return False
    used = (define.value, *(game.defines[name].value for name in reachable_defines(game, define.value)))
    parts = list(walk(used))
    own = any(isinstance(part, g.ZoneCards) and is_hand(game.zones[part.zone]) for part in parts)
    totals = any(isinstance(part, g.Agg) and part.function == "total" for part in parts)
    return own and (define.type.tag == "reading" or totals)


def is_hand(zone: g.Zone) -> bool:
    return zone.subject == "player" and zone.viewer == "owner"

"""Detect conflicts between simultaneous choices: choices that can make each other impossible."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import game as g
from cardlang.game.walking import free_vars, walk

Own = frozenset[int]
"""Variables that hold the player whose choice is analysed."""
Use = tuple[str, bool]
"""A read or a change: the name of a zone or track, or one of those below, and whether it is always the player's own."""
SEATS, OWNERS, ANY_CARD = "seats of players", "owners of cards", "cards of any zone"
NOBODY: Own = frozenset()


def can_conflict(game: g.Game, each: g.Each) -> bool:
    """Return whether the action of one player of a `together` can change the choices of another.

    If in doubt, return True.
    """
    uses = Uses(game, each)
    reads, changes = set(uses.reads()), set(uses.changes())
    if SEATS in {name for name, _ in changes}:
        return True
    if any(name == ANY_CARD for name, _ in changes) and reads:
        return True
    return any(name == other and not (own and others) for name, own in reads for other, others in changes)


class Uses:
    """Read and write sets of the choice of one `together`: reads before it is made, changes when it is done."""

    def __init__(self, game: g.Game, each: g.Each) -> None:
        self.game, self.each = game, each
        self.own: Own = frozenset({each.var.id})
        self.seen: set[tuple[object, bool]] = set()

    def reads(self) -> Iterator[Use]:
        yield from self.read_in(self.each.condition, self.own)
        yield from self.read_in(self.domains(), self.own)
        for option in options(self.each):
            yield from ((track, True) for _, track, _ in option.costs)

    def domains(self) -> tuple[object, ...]:
        """Return the domain of the choice and its conditions. A number of cards from the top can never be illegal."""
        choice = self.each.body[0]
        match choice:
            case g.Pick(position=None):
                return choice.source, choice.low, choice.high
            case g.Choose():
                return choice.low, choice.high, choice.domain, choice.provided
        return tuple((option.binders, option.when, option.costs) for option in options(self.each))

    def first_time(self, key: object, own: Own) -> bool:
        found = (key, bool(own))
        fresh = found not in self.seen
        self.seen.add(found)
        return fresh

    def read_in(self, node: object, own: Own) -> Iterator[Use]:
        for part in walk(node):
            match part:
                case g.ZoneCards():
                    yield part.zone, is_own(part.of, own)
                case g.TrackValue():
                    yield part.track, is_own(part.of, own)
                case g.Builtin(name="owner"):
                    yield OWNERS, False
                case g.Call():
                    define = self.game.defines[part.define]
                    inner = frozenset({define.var.id}) if define.var and is_own(part.of, own) else NOBODY
                    if self.first_time(define.name, inner):
                        yield from self.read_in(define.value, inner)
                case g.BorneCall():
                    yield from self.read_apart(part.define, self.game.borne_defines[part.define].bodies)
                case g.Sorted() | g.AggBy() | g.ReadRanking() | g.IsReading():
                    yield from self.read_apart(OWNERS, [order.lines for order in self.game.orders.values()])
                    wilds = [wild for ranking in self.game.rankings.values() for wild in ranking.wilds]
                    yield from self.read_apart(SEATS, [wild.condition for wild in wilds])

    def read_apart(self, key: str, nodes: object) -> Iterator[Use]:
        if self.first_time((key, "apart"), NOBODY):
            yield from self.read_in(tuple(nodes), NOBODY)  # type: ignore[arg-type]

    # ------------------------------------------------------------ changes
    def changes(self) -> Iterator[Use]:
        self.seen.clear()
        found = list(self.changed_in(self.each.body, self.own))
        if found:  # any change can fire these triggers
            found += [use for trigger in self.game.whenevers for use in self.changed_in(trigger.body, NOBODY)]
        yield from found

    def changed_in(self, node: object, own: Own) -> Iterator[Use]:
        for part in walk(node):
            match part:
                case g.Move():
                    yield from self.moved(part.what, part.to, own)
                case g.Pick():
                    yield from self.moved(part.source, part.to, own)
                case g.Shuffle():
                    yield part.zone.zone, is_own(part.zone.of, own)
                case g.SetTrack():
                    yield part.track, is_own(part.of, own)
                case g.Option():
                    yield from ((track, True) for _, track, _ in part.costs)
                case g.Eliminate() | g.ShufflePlayers():
                    yield SEATS, False
                case g.Do():
                    step = self.game.steps[part.step]
                    inner = frozenset({step.you.id}) if step.you and is_own(part.of, own) else NOBODY
                    yield from ((track, False) for track in self.restarted(part.step))
                    if self.first_time(("step", part.step), inner):
                        yield from self.changed_in(step.body, inner)
                case g.DoBorne():
                    if self.first_time(("borne", part.step), NOBODY):
                        bodies = self.game.borne_steps[part.step].bodies
                        yield from self.changed_in(tuple(each.body for each in bodies if each), NOBODY)

    def moved(self, cards: g.Expr, to: g.Place, own: Own) -> Iterator[Use]:
        yield to.zone, not to.each and is_own(to.of, own)
        yield OWNERS, False
        yield from ((track, False) for track in self.restarted("move"))
        yield from self.sources(cards, own)
        for trigger in self.game.enters:
            if trigger.zone == to.zone and self.first_time(("enters", trigger.zone, trigger.card.id), NOBODY):
                yield from self.changed_in(trigger.body, NOBODY)

    def restarted(self, step: str) -> Iterator[str]:
        """Yield the tracks that restart in a step, or with a move."""
        for track in self.game.tracks.values():
            if any(again.step == step for again in track.restarts):
                yield track.name

    def sources(self, cards: g.Expr, own: Own) -> Iterator[Use]:
        """Yield the zones that cards leave: those named, and those from which the chosen card was chosen."""
        named = [part for part in walk(cards) if isinstance(part, g.Var) and of_cards(part.type)]
        free = free_vars(cards)
        chosen = chosen_vars(self.each)
        if any(var.id in free and var.id not in chosen for var in named):
            yield ANY_CARD, False
        if any(var.id in chosen for var in named):
            yield from self.read_again(self.domains())
        for part in walk(cards):
            if isinstance(part, g.ZoneCards):
                yield part.zone, is_own(part.of, own)
            elif isinstance(part, g.Call):
                yield from self.read_again((part,))
            elif isinstance(part, g.SetCards | g.NamedCards | g.BorneCall):
                yield ANY_CARD, False

    def read_again(self, node: object) -> Iterator[Use]:
        seen, self.seen = self.seen, set()
        yield from [use for use in self.read_in(node, self.own) if use[0] in self.game.zones]
        self.seen = seen


def options(each: g.Each) -> tuple[g.Option, ...]:
    choice = each.body[0]
    return choice.options if isinstance(choice, g.Menu) else ()


def chosen_vars(each: g.Each) -> set[int]:
    """Return the variables that a choice binds."""
    choice = each.body[0]
    own = {choice.var.id} if isinstance(choice, g.Choose) else set()
    return own | {var.id for option in options(each) for var, _ in option.binders}


def is_own(of: g.Expr | None, own: Own) -> bool:
    return isinstance(of, g.Var) and of.id in own


def of_cards(type_: g.Type) -> bool:
    return type_.tag == "card" or (type_.item is not None and type_.item.tag == "card")

"""Conflicts between simultaneous choices, from the read and write sets of one player's choice."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import model as g
from cardlang.model.statement_effects import find_effects
from cardlang.model.traversal import find_free_variables, walk
from cardlang.model.types import is_card_type

OwnVariables = frozenset[int]
"""Variables that hold the player whose choice is analysed."""
ResourceUse = tuple[str, bool]
"""A read or a change: the name of a zone or track, or one of those below, and whether it is always the player's own."""
PLAYER_SEATS, CARD_OWNERS, ANY_CARD = "seats of players", "owners of cards", "cards of any zone"
NO_OWN_VARIABLES: OwnVariables = frozenset()


def can_choices_conflict(game: g.Game, loop: g.Each) -> bool:
    """Return whether the action of one player of a `together` can change the choices of another.

    If in doubt, return True.
    """
    uses = ReadWriteSets(game, loop)
    reads, changes = set(uses.find_reads()), set(uses.find_changes())
    if PLAYER_SEATS in {name for name, _ in changes}:
        return True
    if any(name == ANY_CARD for name, _ in changes) and reads:
        return True
    return any(name == other and not (own and others) for name, own in reads for other, others in changes)


class ReadWriteSets:
    """Read and write sets of the choice of one `together`: reads before it is made, changes when it is done."""

    def __init__(self, game: g.Game, loop: g.Each) -> None:
        self.game, self.loop = game, loop
        self.own_variables: OwnVariables = frozenset({loop.var.id})
        self.visited: set[tuple[object, bool]] = set()

    def find_reads(self) -> Iterator[ResourceUse]:
        yield from self.find_reads_in(self.loop.condition, self.own_variables)
        yield from self.find_reads_in(self.get_choice_domains(), self.own_variables)
        for option in get_menu_options(self.loop):
            yield from ((track, True) for _, track, _ in option.costs)

    def get_choice_domains(self) -> tuple[object, ...]:
        """Return the domain of the choice and its conditions. A number of cards from the top can never be illegal."""
        choice = self.loop.body[0]
        match choice:
            case g.Pick(position=None):
                return choice.source, choice.low, choice.high
            case g.Choose():
                return choice.low, choice.high, choice.domain, choice.provided
        return tuple((option.binders, option.when, option.costs) for option in get_menu_options(self.loop))

    def mark_visited(self, key: object, own_variables: OwnVariables) -> bool:
        found = (key, bool(own_variables))
        fresh = found not in self.visited
        self.visited.add(found)
        return fresh

    def find_reads_in(self, node: object, own_variables: OwnVariables) -> Iterator[ResourceUse]:
        for part in walk(node):
            match part:
                case g.ZoneCards():
                    yield part.zone, is_own_player(part.of, own_variables)
                case g.TrackValue():
                    yield part.track, is_own_player(part.of, own_variables)
                case g.Builtin(name="owner"):
                    yield CARD_OWNERS, False
                case g.Builtin(name="above" | "below"):
                    yield from ((zone, False) for zone in self.game.zones)
                case g.Call():
                    define = self.game.defines[part.define]
                    inner = pass_own_player(define.var, part.of, own_variables)
                    if self.mark_visited(define.name, inner):
                        yield from self.find_reads_in(define.value, inner)
                case g.BorneCall():
                    yield from self.find_reads_outside_players(part.define, self.game.borne_defines[part.define].bodies)
                case g.Sorted() | g.AggBy() | g.ReadRanking() | g.IsReading():
                    yield from self.find_reads_outside_players(
                        CARD_OWNERS, [order.lines for order in self.game.orders.values()]
                    )
                    wilds = [wild for ranking in self.game.rankings.values() for wild in ranking.wilds]
                    yield from self.find_reads_outside_players(PLAYER_SEATS, [wild.condition for wild in wilds])

    def find_reads_outside_players(self, key: str, nodes: object) -> Iterator[ResourceUse]:
        if self.mark_visited((key, "apart"), NO_OWN_VARIABLES):
            yield from self.find_reads_in(tuple(nodes), NO_OWN_VARIABLES)  # type: ignore[arg-type]

    # ------------------------------------------------------------ changes
    def find_changes(self) -> Iterator[ResourceUse]:
        self.visited.clear()
        found = list(self.find_changes_in(self.loop.body, self.own_variables))
        if found:  # any change can fire these triggers
            found += [
                use for trigger in self.game.whenevers for use in self.find_changes_in(trigger.body, NO_OWN_VARIABLES)
            ]
        yield from found

    def find_changes_in(self, node: object, own_variables: OwnVariables) -> Iterator[ResourceUse]:
        for part in walk(node):
            effects = find_effects(part)
            for transfer in effects.transfers:
                yield from self.find_move_changes(transfer.cards, transfer.to, own_variables)
            yield from ((place.zone, is_own_player(place.of, own_variables)) for place in effects.shuffled)
            yield from ((change.track, is_own_player(change.of, own_variables)) for change in effects.track_changes)
            if effects.changes_seats:
                yield PLAYER_SEATS, False
            match part:
                case g.Option():
                    yield from ((track, True) for _, track, _ in part.costs)
                case g.Do():
                    step = self.game.steps[part.step]
                    inner = pass_own_player(step.you, part.of, own_variables)
                    yield from ((track, False) for track in self.find_restarted_tracks(part.step))
                    if self.mark_visited(("step", part.step), inner):
                        yield from self.find_changes_in(step.body, inner)
                case g.DoBorne():
                    if self.mark_visited(("borne", part.step), NO_OWN_VARIABLES):
                        bodies = self.game.borne_steps[part.step].bodies
                        yield from self.find_changes_in(tuple(each.body for each in bodies if each), NO_OWN_VARIABLES)

    def find_move_changes(
        self, cards: g.Expr, destination: g.Place, own_variables: OwnVariables
    ) -> Iterator[ResourceUse]:
        yield destination.zone, not destination.each and is_own_player(destination.of, own_variables)
        yield CARD_OWNERS, False
        yield from ((track, False) for track in self.find_restarted_tracks("move"))
        yield from self.find_source_zones(cards, own_variables)
        for trigger in self.game.enters:
            if trigger.zone == destination.zone and self.mark_visited(
                ("enters", trigger.zone, trigger.card.id), NO_OWN_VARIABLES
            ):
                yield from self.find_changes_in(trigger.body, NO_OWN_VARIABLES)

    def find_restarted_tracks(self, step: str) -> Iterator[str]:
        """Yield the tracks that restart in a step, or with a move."""
        for track in self.game.tracks.values():
            if any(again.step == step for again in track.restarts):
                yield track.name

    def find_source_zones(self, cards: g.Expr, own_variables: OwnVariables) -> Iterator[ResourceUse]:
        """Yield the zones that cards leave: those named, and those from which the chosen card was chosen."""
        named = [part for part in walk(cards) if isinstance(part, g.Var) and is_card_type(part.type)]
        free = find_free_variables(cards)
        chosen = find_chosen_variables(self.loop)
        if any(var.id in free and var.id not in chosen for var in named):
            yield ANY_CARD, False
        if any(var.id in chosen for var in named):
            yield from self.find_zone_reads(self.get_choice_domains())
        for part in walk(cards):
            if isinstance(part, g.ZoneCards):
                yield part.zone, is_own_player(part.of, own_variables)
            elif isinstance(part, g.Call):
                yield from self.find_zone_reads((part,))
            elif isinstance(part, g.SetCards | g.NamedCards | g.BorneCall):
                yield ANY_CARD, False

    def find_zone_reads(self, node: object) -> Iterator[ResourceUse]:
        seen, self.visited = self.visited, set()
        yield from [use for use in self.find_reads_in(node, self.own_variables) if use[0] in self.game.zones]
        self.visited = seen


def get_menu_options(loop: g.Each) -> tuple[g.Option, ...]:
    choice = loop.body[0]
    return choice.options if isinstance(choice, g.Menu) else ()


def find_chosen_variables(loop: g.Each) -> set[int]:
    """Return the variables that a choice binds."""
    choice = loop.body[0]
    own = {choice.var.id} if isinstance(choice, g.Choose) else set()
    return own | {var.id for option in get_menu_options(loop) for var, _ in option.binders}


def pass_own_player(var: g.Var | None, owner: g.Expr | None, own_variables: OwnVariables) -> OwnVariables:
    """Return the variables that hold the player in a definition or step, whose `var` has the value of `owner`."""
    return frozenset({var.id}) if var and is_own_player(owner, own_variables) else NO_OWN_VARIABLES


def is_own_player(owner: g.Expr | None, own_variables: OwnVariables) -> bool:
    return isinstance(owner, g.Var) and owner.id in own_variables

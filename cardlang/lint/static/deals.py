"""Lint rules for deals that are uneven or have too few cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache

from attrs import define, field

from cardlang import model as g
from cardlang.lint.rule_registry import Finding
from cardlang.lint.static.constant_values import ConstantEvaluator, VariableBindings
from cardlang.lint.static.shared_game_facts import BODY_FIELDS, ENTRY_STEPS, GameFacts, rule
from cardlang.model.statement_effects import find_effects
from cardlang.model.traversal import iter_bodies, walk

MAX_FOLLOWED_STATEMENTS = 10_000
"""Maximum number of statements to follow in a step, including loops and other steps."""
TakingStatement = g.Move | g.Pick


@rule("E302", "Deal larger than the pile")
def find_oversized_deals(facts: GameFacts) -> Iterator[Finding]:
    """For at least one player count, the rules deal more cards than the pile can
    have. Deal fewer cards, add cards, or change the player count in the `game`
    line.

    Wrong:

        step setup
          each player
            deal top 7 of deck to your hand

    Right:

        step setup
          each player
            deal top 4 of deck to your hand
    """
    game = facts.game
    capacity = cache(lambda zone: count_zone_capacity(facts, zone))
    opening = [DealSequence(game, players, not can_triggers_eliminate_players(facts)) for players in game.seats]
    later = [DealSequence(game, players, not facts.can_eliminate_players) for players in game.seats]
    triggers = tuple(trigger.body for trigger in game.enters) + tuple(trigger.body for trigger in game.whenevers)
    has_refills = any(find_effects(part).transfers for part in walk(triggers))
    reported: set[object] = set()
    for name in game.steps:
        for sequence in opening if name in ENTRY_STEPS else later:
            first: dict[str, Deal] = {}
            for deal in keep_largest_deals(accumulate_deals(sequence.list_step_deals(name), has_refills)):
                if deal[2] > capacity(deal[1]):
                    first.setdefault(deal[1], deal)
            for zone, (move, _, needed) in first.items():
                if not {move.span, (name, zone)} & reported:
                    taken = f"this takes {needed} cards from `{zone}`, which has only {capacity(zone)}"
                    message = f"with {sequence.players} players, {taken}"
                    yield Finding(move.span, message, "deal fewer cards, add cards, or change the player count")
                reported |= {move.span, (name, zone)}


def can_triggers_eliminate_players(facts: GameFacts) -> bool:
    """Return whether players may be eliminated outside the normal course of steps."""
    in_course = {id(step.body) for step in facts.game.steps.values()}
    others = tuple(body for body in iter_bodies(facts.game) if id(body) not in in_course)
    return facts.can_eliminate_players and any(
        each.eliminates or each.steps for each in map(find_effects, walk(others))
    )


def keep_largest_deals(deals_found: Iterable[Deal]) -> Iterator[Deal]:
    """Yield the deal with the highest running total for each place."""
    most: dict[object, Deal] = {}
    for deal in deals_found:
        place = (deal[0].span, deal[1])
        if place not in most or deal[2] > most[place][2]:
            most[place] = deal
    yield from most.values()


def count_zone_capacity(facts: GameFacts, zone: str) -> int:
    """Return the maximum number of cards in a zone: the cards that start there, or all if others may be moved there."""
    game = facts.game
    own = {name for name, card_set in game.sets.items() if card_set.home == zone}
    for transfer in facts.transfers:
        if transfer.to.zone == zone:
            sets = find_card_sets(transfer.cards) if transfer.is_whole else set()
            if not sets or sets - own:
                return game.cards
    return sum(face.copies for face in game.faces if face.set in own) or game.cards


def find_card_sets(cards: g.Expr | None) -> set[str]:
    """Return the card sets that make up a list, or an empty set for other lists."""
    match cards:
        case g.SetCards(set=name):
            return {name}
        case g.Joined(items=items) if all(find_card_sets(item) for item in items):
            return {name for item in items for name in find_card_sets(item)}
    return set()


Deal = tuple[TakingStatement, str, Fraction]
"""Statement that takes cards, with the source zone and the number of cards."""


def accumulate_deals(deal_sequence: Iterable[Deal | None], has_refills: bool) -> Iterator[Deal]:
    """Yield the deals with the running total of cards taken. The total restarts wherever cards may return or move
    elsewhere."""
    taken: dict[str, Fraction] = {}
    for deal in deal_sequence:
        if deal is None or has_refills:
            taken.clear()
        if deal is not None:
            statement, zone, size = deal
            taken[zone] = taken.get(zone, Fraction(0)) + size
            taken.pop(statement.to.zone, None)
            if zone in taken:
                yield statement, zone, taken[zone]


def evaluate_deal(evaluator: ConstantEvaluator, statement: TakingStatement) -> Deal | None:
    """Return the number of cards that a statement takes and their zone, or None if they are unknown."""
    if isinstance(statement, g.Pick):
        number, source = statement.low, statement.source if statement.is_automatic else None
    else:
        what = statement.what
        one = isinstance(what, g.Joined) and len(what.items) == 1
        what = what.items[0] if isinstance(what, g.Joined) and one else what
        if not isinstance(what, g.Agg) or what.function not in PILE_END_FUNCTIONS or (what.number is None and not one):
            return None
        number, source = what.number, what.list
    if not isinstance(source, g.ZoneCards) or source.of is not None:
        return None
    size = Fraction(1) if number is None else evaluator.evaluate(number, {})
    return statement, source.zone, size if isinstance(size, Fraction) else Fraction(0)


PILE_END_FUNCTIONS = ("top", "bottom", "first", "last", "random")


class DealSequence:
    """Sequence of deals at one player count.

    None in the sequence means that unknown statements may run there; it is never repeated directly. Sequences of steps
    are memoized. `has_all_players` means that no player can have been eliminated so far."""

    def __init__(self, game: g.Game, players: int, has_all_players: bool) -> None:
        self.game = game
        self.players = players
        self.has_all_players = has_all_players
        self.evaluator = ConstantEvaluator(game, players if has_all_players else None)
        self.remaining_statements = MAX_FOLLOWED_STATEMENTS
        self.deals_by_step: dict[str, list[Deal | None]] = {}

    def list_step_deals(self, name: str) -> list[Deal | None]:
        if name not in self.deals_by_step:
            self.deals_by_step[name] = [None]
            before, self.remaining_statements = self.remaining_statements, MAX_FOLLOWED_STATEMENTS
            self.deals_by_step[name] = list(merge_gaps(self.iter_body_deals(self.game.steps[name].body)))
            self.remaining_statements = before
        return self.deals_by_step[name]

    def iter_body_deals(self, body: Iterable[g.Stmt]) -> Iterator[Deal | None]:
        for statement in body:
            self.remaining_statements -= 1
            if self.remaining_statements < 0:
                yield None
                return
            yield from self.iter_statement_deals(statement)

    def iter_statement_deals(self, statement: g.Stmt) -> Iterator[Deal | None]:
        match statement:
            case g.Move() | g.Pick():
                yield evaluate_deal(self.evaluator, statement)
            case g.Each(condition=None, list=items, body=body, together=False) if (
                self.count_iterations(items) is not None
            ):
                for _ in range(self.count_iterations(items) or 0):
                    yield from self.iter_body_deals(body)
            case g.If(condition=condition, then=then, otherwise=otherwise):
                holds = self.evaluator.evaluate(condition, {})
                known = isinstance(holds, Fraction)
                branch = then if holds else otherwise
                yield from self.iter_body_deals(branch) if known else self.iter_separate_deals(then, otherwise)
            case g.Do(step=name):
                found = self.list_step_deals(name)
                self.remaining_statements -= len(found)
                yield from found
            case _ if find_effects(statement).eliminates:
                self.has_all_players, self.evaluator = False, ConstantEvaluator(self.game, None)
                yield None
            case _ if find_effects(statement).ends or find_effects(statement).transfers:
                yield None
            case g.AtOnce():
                return
            case _:
                options = [option.body for option in find_effects(statement).options]
                inner = [getattr(statement, name, ()) for name in BODY_FIELDS]
                yield from self.iter_separate_deals(*options, *inner)

    def iter_separate_deals(self, *bodies: Iterable[g.Stmt]) -> Iterator[Deal | None]:
        """Yield the deals of bodies that may run any number of times, separated by None. Bodies without deals yield
        nothing."""
        found = [list(self.iter_body_deals(body)) for body in bodies]
        for course in found if any(found) else ():
            yield None
            yield from course
            yield None

    def count_iterations(self, items: g.Expr) -> int | None:
        """Return the length of a list, if it is known."""
        match items:
            case g.Builtin(name="players"):
                return self.players if self.has_all_players else None
            case g.Builtin(name="others"):
                return self.players - 1 if self.has_all_players else None
            case g.Members(kind=kind):
                return len(self.game.kinds[kind].members)
        return None


def merge_gaps(deal_sequence: Iterable[Deal | None]) -> Iterator[Deal | None]:
    """Yield the deals with repeated None merged."""
    broken = False
    for deal in deal_sequence:
        if deal is not None or not broken:
            yield deal
        broken = deal is None


# ---------------------------------------------------------------- uneven deals
ZoneOwner = int | None
PileLocation = tuple[str, ZoneOwner, ZoneOwner]
"""A zone, its owner and its second owner."""


class UntrackedCardsError(Exception):
    """Signal that the positions of the cards are no longer known."""


@define
class CountedPile:
    """Pile with a known size. `faces` counts the cards by face, or is None if they are unknown."""

    size: int = 0
    faces: Counter[int] | None = field(factory=Counter)

    def add_cards(self, other: CountedPile) -> None:
        self.size += other.size
        self.faces = None if self.faces is None or other.faces is None else self.faces + other.faces

    def take_all(self) -> CountedPile:
        taken = CountedPile(self.size, self.faces)
        self.size, self.faces = 0, Counter()
        return taken

    def take_unknown_cards(self, number: int) -> CountedPile:
        """Take a number of unknown cards."""
        if number >= self.size:
            return self.take_all()
        self.size -= number
        self.faces = None
        return CountedPile(number, None)

    def take_faces(self, faces: set[int]) -> CountedPile:
        """Take all cards of these faces."""
        if self.faces is None:
            raise UntrackedCardsError
        taken = Counter({face: number for face, number in self.faces.items() if face in faces})
        self.size -= taken.total()
        self.faces = self.faces - taken
        return CountedPile(taken.total(), taken)


@rule("W414", "Uneven deal", checks_libraries=True)
def find_uneven_deals(facts: GameFacts) -> Iterator[Finding]:
    """For at least one player count, some players get more cards than others. Deal a
    number that divides evenly, or leave cards out.
    `deal top 6 of deck to players' hand` deals 6 cards in all. If you want an
    uneven deal, add an `expect` on the next line that says how many cards each
    player has.

    Wrong:

        step play
          shuffle deck
          deal deck to players' hand
          each player
            add total of your hand's value to your score

    Right:

        step play
          shuffle deck
          deal deck to players' hand
          expect every player has count of hand >= 4 "Some get a card more."
          each player
            add total of your hand's value to your score
    """
    found: dict[g.Move, dict[int, int]] = {}
    for players in facts.game.seats if any(transfer.to.each for transfer in facts.transfers) else ():
        for move, number in DealSimulator(facts.game, players).find_uneven_deals():
            found.setdefault(move, {})[players] = number
    for move, numbers in found.items():
        (players, number), *others = numbers.items()
        more, each = number % players, number // players
        counts = [str(players) for players, _ in others]
        joined = " or ".join(filter(None, (", ".join(counts[:-1]), *counts[-1:])))
        yield Finding(
            move.span,
            f"for {players} players, this deal of {number} card{'s' * (number > 1)} is uneven: "
            f"{more} {'player gets' if more == 1 else 'players get'} {each + 1}, the others {each or 'none'}"
            f"{f' (and also for {joined})' if others else ''}",
            build_deal_hint(move),
        )


def build_deal_hint(move: g.Move) -> str:
    match move.what:
        case g.Agg(number=g.Const(value=number), list=pile) if number is not None:
            each = f"deal top {number} of {pile.span.text} to your {move.to.zone}"
            return f"for {number} cards each, write `each player`, and indented below it `{each}`"
    return "deal a number that divides evenly, or leave cards out. If it is intended, add an `expect …` line below it"


class DealSimulator:
    """Abstract state of the cards during setup at one player count. `given` maps variables to values."""

    def __init__(self, game: g.Game, players: int) -> None:
        self.game = game
        self.players = players
        self.evaluator = ConstantEvaluator(game, players)
        self.piles: dict[PileLocation, CountedPile] = {}
        for face in game.faces:
            self.get_pile((game.sets[face.set].home, None, None)).add_cards(
                CountedPile(face.copies, Counter({face.number: face.copies}))
            )
        self.trigger_zones = {trigger.zone for trigger in game.enters}

    def get_pile(self, location: PileLocation) -> CountedPile:
        return self.piles.setdefault(location, CountedPile())

    def find_uneven_deals(self) -> Iterator[tuple[g.Move, int]]:
        """Yield the uneven deals to all players, with the number of cards."""
        try:
            for name in ENTRY_STEPS:
                if name in self.game.steps:
                    yield from self.run_body(self.game.steps[name].body, {})
        except UntrackedCardsError:
            return

    def run_body(self, body: tuple[g.Stmt, ...], bindings: VariableBindings) -> Iterator[tuple[g.Move, int]]:
        for place, statement in enumerate(body):
            following = next((each for each in body[place + 1 :] if not isinstance(each, g.Aside)), None)
            for move, number in self.run_statement(statement, bindings):
                if not (move is statement and is_expectation_about(following, move.to.zone)):
                    yield move, number

    def run_statement(self, statement: g.Stmt, bindings: VariableBindings) -> Iterator[tuple[g.Move, int]]:
        match statement:
            case g.Move():
                yield from self.run_move(statement, bindings)
            case g.If(condition=condition, then=then, otherwise=otherwise):
                yield from self.run_body(then if self.evaluate(condition, bindings) else otherwise, bindings)
            case g.Each(list=items, var=var, condition=None, together=False, body=body):
                for item in self.get_loop_range(items):
                    yield from self.run_body(body, {**bindings, var.id: Fraction(item)})
            case g.Do(step=name, of=of, args=()):
                step = self.game.steps[name]
                own = {} if of is None or step.you is None else {step.you.id: self.evaluator.evaluate(of, bindings)}
                yield from self.run_body(step.body, own)
            case g.Repeat(body=body):
                yield from self.run_body(body, bindings)
                raise UntrackedCardsError  # only the first iteration is known
            case g.AtOnce() if not find_effects(statement).ends and not find_effects(statement).eliminates:
                return
            case _:
                raise UntrackedCardsError

    def get_loop_range(self, items: g.Expr) -> range:
        match items:
            case g.Builtin(name="players"):
                return range(self.players)
            case g.Members(kind=kind):
                return range(len(self.game.kinds[kind].members))
        raise UntrackedCardsError

    # ------------------------------------------------------------ moves
    def run_move(self, move: g.Move, bindings: VariableBindings) -> Iterator[tuple[g.Move, int]]:
        taken = self.take_cards(move.what, bindings)
        if move.to.zone in self.trigger_zones:
            raise UntrackedCardsError
        if not move.to.each:
            self.locate_pile(move.to, bindings).add_cards(taken)
            return
        if taken.size % self.players:
            yield move, taken.size
        second = self.evaluate_owner(move.to.second, bindings)
        for seat in range(self.players):
            self.get_pile((move.to.zone, seat, second)).add_cards(CountedPile(taken.size // self.players, None))

    def locate_pile(self, place: g.Place | g.ZoneCards, bindings: VariableBindings) -> CountedPile:
        owners = self.evaluate_owner(place.of, bindings), self.evaluate_owner(place.second, bindings)
        return self.get_pile((place.zone, *owners))

    def evaluate(self, value: g.Expr, bindings: VariableBindings) -> Fraction:
        found = self.evaluator.evaluate(value, bindings)
        if not isinstance(found, Fraction):
            raise UntrackedCardsError
        return found

    def evaluate_owner(self, owner: g.Expr | None, bindings: VariableBindings) -> ZoneOwner:
        return None if owner is None else int(self.evaluate(owner, bindings))

    def take_cards(self, cards: g.Expr, bindings: VariableBindings) -> CountedPile:
        match cards:
            case g.ZoneCards():
                return self.locate_pile(cards, bindings).take_all()
            case g.Joined(items=items):
                taken = CountedPile()
                for item in items:
                    taken.add_cards(self.take_cards(item, bindings))
                return taken
            case g.Agg(
                function="top" | "bottom" | "first" | "last" | "random", number=number, list=g.ZoneCards() as zone
            ):
                number_taken = 1 if number is None else max(0, int(self.evaluate(number, bindings)))
                return self.locate_pile(zone, bindings).take_unknown_cards(number_taken)
            case g.Filter(list=g.ZoneCards() as zone, var=var, condition=condition):
                pile = self.locate_pile(zone, bindings)
                faces = pile.faces or ()
                return pile.take_faces(
                    {face for face in faces if self.evaluate(condition, {**bindings, var.id: Fraction(face)})}
                )
            case g.MapEach(list=g.Builtin(name="players"), var=var, value=g.ZoneCards() as zone) if zone.of == var:
                second = self.evaluate_owner(zone.second, bindings)
                return self.take_all_piles([(zone.zone, seat, second) for seat in range(self.players)])
            case g.SetCards() if len({face.set for face in self.game.faces}) == 1:
                return self.take_all_piles(list(self.piles))
        raise UntrackedCardsError

    def take_all_piles(self, locations: list[PileLocation]) -> CountedPile:
        taken = CountedPile()
        for where in locations:
            taken.add_cards(self.get_pile(where).take_all())
        return taken


def is_expectation_about(statement: g.Stmt | None, zone: str) -> bool:
    """Return whether a statement is an `expect` about a zone."""
    found = walk(statement.condition) if isinstance(statement, g.Property) else ()
    return any(isinstance(part, g.ZoneCards) and part.zone == zone for part in found)

"""Checks of the size of a game's state and choices. Matches are copied often, so their state must stay small."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import prod

from cardlang import game as g
from cardlang.checks.known import Known
from cardlang.game.walking import everything, free_vars
from cardlang.limits import MAX_CHOICES, MAX_KEPT, MAX_OPTIONS, MAX_REACTIONS, MAX_STEPS
from cardlang.source import Diagnostic


def check_room(game: g.Game) -> Iterator[Diagnostic]:
    """Report too many zones and numbers, counting those of each player, card or member."""
    kept = 0
    things: list[g.Zone | g.Track] = [*game.zones.values(), *game.tracks.values()]
    for each in things:
        kept += owners(game, each.subject)
        if kept > MAX_KEPT:
            message = f"this makes more than {MAX_KEPT:,} zones and numbers, counting one for each owner"
            yield Diagnostic(
                "E239", message, each.origin.name, "declare fewer of them for each card or value, or use fewer cards"
            )
            return


def check_options(game: g.Game) -> Iterator[Diagnostic]:
    """Report too many choices, options in a choice, or reactions. Each reaction may answer each other one."""
    choices = [part for part in everything(game) if isinstance(part, g.Pick | g.Choose | g.Menu | g.Offer)]
    for part in sorted(choices, key=lambda choice: choice.span.start)[MAX_CHOICES : MAX_CHOICES + 1]:
        message = f"a game has at most {MAX_CHOICES} choices in its rules"
        yield Diagnostic("E239", message, part.span, "put repeated choices in a step, and run it with `do`")
    for part in choices:
        if isinstance(part, g.Menu | g.Offer) and len(part.options) > MAX_OPTIONS:
            message = f"a choice has at most {MAX_OPTIONS} options"
            hint = "replace similar options with one that has a value, as in `option buy with goods from market`"
            yield Diagnostic("E239", message, part.options[MAX_OPTIONS].span, hint)
    for option in (part for part in everything(game) if isinstance(part, g.Option)):
        yield from too_many_moves(game, option)
    for reaction in game.reactions[MAX_REACTIONS : MAX_REACTIONS + 1]:
        message = f"a game has at most {MAX_REACTIONS} reactions"
        yield Diagnostic(
            "E239",
            message,
            reaction.option.span,
            "replace similar reactions with one that has a card, as in `with shown from your hand`",
        )


def too_many_moves(game: g.Game, option: g.Option) -> Iterator[Diagnostic]:
    """Report an option whose bindings have too many combinations to be offered in any position."""
    bound = [var.id for var, _ in option.binders]
    terms = [
        free_vars(term) & set(bound) for term in (*(when for when, _ in option.when), *(c for c, _, _ in option.costs))
    ]
    asked = min((1 + max(map(bound.index, needs), default=-1) for needs in terms), default=len(bound))
    sizes = [size_of(game, domain) for _, domain in option.binders[:asked]]
    if not sizes or None in sizes:
        return
    tried = prod(size or 0 for size in sizes)
    hint = "choose fewer values in one option, and the others before or after it"
    if not terms and tried > g.MAX_MOVES:
        message = f"this makes {tried:,} moves, but the limit is {g.MAX_MOVES:,}"
        yield Diagnostic("E239", message, option.span, hint)
    elif sizes[-1] and tried // sizes[-1] > MAX_STEPS:
        message = f"these values have {tried:,} combinations, which is too many to try"
        yield Diagnostic("E239", message, option.span, hint)


def size_of(game: g.Game, domain: g.Domain) -> int | None:
    """Return the number of values to choose from, if it is constant."""
    if isinstance(domain.list, g.Members):
        return len(game.kinds[domain.list.kind].members)
    if domain.low is None or domain.high is None:
        return None
    known = Known(game, None, settings=False)
    low, high = known.value(domain.low, {}), known.value(domain.high, {})
    return max(0, int(high - low) + 1) if isinstance(low, Fraction) and isinstance(high, Fraction) else None


def owners(game: g.Game, subject: str | None) -> int:
    """Return the number of owners of a zone or number."""
    if subject == "card":
        return game.cards
    if subject in game.kinds:
        return len(game.kinds[subject].members)
    return 1 if subject is None else max(game.seats)

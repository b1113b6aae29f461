"""How much a game keeps and offers: a match is copied many times, so what it is made of stays small."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import game as g
from cardlang.game.walking import everything
from cardlang.limits import MAX_CHOICES, MAX_KEPT, MAX_OPTIONS, MAX_REACTIONS
from cardlang.source import Diagnostic


def check_room(game: g.Game) -> Iterator[Diagnostic]:
    """Zones and numbers of each player, card or member, that are too many in all."""
    kept = 0
    things: list[g.Zone | g.Track] = [*game.zones.values(), *game.tracks.values()]
    for each in things:
        kept += owners(game, each.subject)
        if kept > MAX_KEPT:
            message = (
                f"with this, more than {MAX_KEPT:,} things are kept: zones and numbers, of all that have their own"
            )
            yield Diagnostic(
                "E239", message, each.origin.name, "keep fewer of them for each card or member, or have fewer cards"
            )
            return


def check_options(game: g.Game) -> Iterator[Diagnostic]:
    """Too many choices, or options in one, and too many reactions: each may answer each."""
    choices = [part for part in everything(game) if isinstance(part, g.Pick | g.Choose | g.Menu | g.Offer)]
    for part in sorted(choices, key=lambda choice: choice.span.start)[MAX_CHOICES : MAX_CHOICES + 1]:
        message = f"the rules of a game ask at most {MAX_CHOICES} things"
        yield Diagnostic("E239", message, part.span, "make a step of what is asked again, and `do` it")
    for part in choices:
        if isinstance(part, g.Menu | g.Offer) and len(part.options) > MAX_OPTIONS:
            message = f"a choice has at most {MAX_OPTIONS} options"
            hint = "let one option bind a value: `option buy with goods from market`"
            yield Diagnostic("E239", message, part.options[MAX_OPTIONS].span, hint)
    for reaction in game.reactions[MAX_REACTIONS : MAX_REACTIONS + 1]:
        message = f"a game has at most {MAX_REACTIONS} reactions"
        yield Diagnostic(
            "E239", message, reaction.option.span, "let one reaction bind a card: `with shown from your hand`"
        )


def owners(game: g.Game, subject: str | None) -> int:
    """How many have a zone or a number of their own."""
    if subject == "card":
        return game.cards
    if subject in game.kinds:
        return len(game.kinds[subject].members)
    return 1 if subject is None else max(game.seats)

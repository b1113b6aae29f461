"""`cardlang diff`: list the changes between two games."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from cardlang.commands import options
from cardlang.commands.files import load_game
from cardlang.commands.findings import amount
from cardlang.terminal.telling import tell_lines

if TYPE_CHECKING:
    from cardlang.differences import Differences
    from cardlang.differences.cards import CardChange, CardChanges
    from cardlang.differences.sentences import Change, Sentence
    from cardlang.game import Game

MOST = 12
"""Maximum number of cards named in a line."""


@click.command(
    epilog=options.examples(
        "diff my_game my_game_2",
        'diff tall_card --variant "Short game"',
    )
)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="[NEW]", required=False)
@click.option("--variant", metavar="TITLE", help="Variant to use; without NEW, compare OLD with this variant.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(old: str, new: str | None, variant: str | None, as_json: bool) -> None:
    """List what has changed between two games.

    Compares what the rules mean, as sentences of the rulebook, and lists the cards to reprint. Comments, the order of
    lines and file names don't matter. Exits with 0 even if the games differ."""
    from cardlang.differences import differences

    if new is None and variant is None:
        raise click.UsageError("Name a second game, or a --variant of the first.")
    before = load_game(old, variant if new is not None else None)
    after = load_game(old if new is None else new, variant)
    found = differences(before, after)
    if as_json:
        tell_lines(json.dumps(in_json(before, after, found), indent=2))
    else:
        tell_lines("\n".join(lines(before, after, found)))


def titled(game: Game) -> str:
    return game.title if game.variant is None else f"{game.title}: {game.variant}"


def lines(old: Game, new: Game, found: Differences) -> Iterator[str]:
    yield f"{titled(old)} → {titled(new)}"
    for change in found.rules:
        yield from ("", " › ".join(part for part in change.place if part))
        yield from (f"- {shown(each)}" for each in change.gone)
        yield from (f"+ {shown(each)}" for each in change.came)
    if found.cards:
        yield from ("", *card_lines(found.cards))
    yield from ("", *summary(found))


def shown(sentence: Sentence) -> str:
    """Render a sentence, indented by its nesting depth. Custom wording is in quotes."""
    text = f'"{sentence.text}"' if sentence.words else sentence.text
    return "  " * sentence.depth + text


def card_lines(cards: CardChanges) -> Iterator[str]:
    """Yield lines on the changed cards, grouped by kind of change."""
    yield f"Cards to print: {cards.prints} of {cards.count}"
    groups: dict[str, list[CardChange]] = defaultdict(list)
    for each in cards.changed:
        groups[difference(each)].append(each)
    groups |= {"new": list(cards.new), "removed": list(cards.gone)}
    for what, group in groups.items():
        if group:
            yield f"  {what}, {amount(sum(each.copies[1] or each.copies[0] for each in group), 'card')}: {named(group)}"


def difference(card: CardChange) -> str:
    """Return `changed title and texts, 3 copies instead of 2`."""
    before, now = card.copies
    what = [f"changed {' and '.join(card.differs)}"] if card.differs else []
    return ", ".join([*what, f"{now} copies instead of {before}"] if now != before else what)


def named(cards: Sequence[CardChange]) -> str:
    names = [card.title if card.code == card.title else f"{card.title} ({card.code})" for card in cards]
    rest = f" and {len(names) - MOST} others" if len(names) > MOST else ""
    return ", ".join(names[:MOST]) + rest


def summary(found: Differences) -> Iterator[str]:
    where = ", ".join(found.meaning)
    if not found:
        yield "No difference."
    elif not found.meaning:
        yield "The rules are the same. Only wording, examples or other text differs."
    elif not found.rules:
        yield f"The printed rules are the same, but their meaning has changed: {where}."
    else:
        yield f"Changed rules: {where}."


# ---------------------------------------------------------------- JSON output
def in_json(old: Game, new: Game, found: Differences) -> dict[str, object]:
    return {
        "old": {"game": old.title, "variant": old.variant},
        "new": {"game": new.title, "variant": new.variant},
        "different": bool(found),
        "same_rules": not found.meaning,
        "rules": [rule_in_json(each) for each in found.rules],
        "cards": {
            "print": found.cards.prints,
            "of": found.cards.count,
            "changed": [card_in_json(each) for each in found.cards.changed],
            "new": [card_in_json(each) for each in found.cards.new],
            "gone": [card_in_json(each) for each in found.cards.gone],
        },
        "meaning": list(found.meaning),
    }


def rule_in_json(change: Change) -> dict[str, object]:
    sections, title = change.place[:-1], change.place[-1]
    said = {"gone": change.gone, "came": change.came}
    both = {key: [{"text": each.text, "words": each.words} for each in side] for key, side in said.items()}
    return {"section": list(sections), "about": title, **both}


def card_in_json(card: CardChange) -> dict[str, object]:
    return {"code": card.code, "title": card.title, "copies": list(card.copies), "differs": list(card.differs)}

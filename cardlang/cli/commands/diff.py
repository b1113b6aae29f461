"""Command `cardlang diff`: changes between two versions of a game."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from cardlang.cli import match_options
from cardlang.cli.file_arguments import format_game_title, load_game
from cardlang.english.morphology import format_count, join_phrases
from cardlang.ui.terminal.escaped_output import write_lines

if TYPE_CHECKING:
    from cardlang.analysis.diff import GameDiff
    from cardlang.analysis.diff.declaration_diff import CardChange, CardChanges
    from cardlang.analysis.diff.sentence_diff import RulebookSentence, SectionChange
    from cardlang.model import Game


MAX_NAMED_CARDS = 12
"""Maximum number of cards named in a line."""


@click.command(epilog=match_options.format_examples("diff my_game my_game_2", 'diff tall_card --variant "Short game"'))
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="[NEW]", required=False)
@click.option("--variant", metavar="TITLE", help="Variant to use; without NEW, compare OLD with this variant.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_game_changes(old: str, new: str | None, variant: str | None, as_json: bool) -> None:
    """List what has changed between two games.

    Compares what the rules mean, as sentences of the rulebook, and lists the cards to reprint. Comments, the order of
    lines and file names don't matter. Exits with 0 even if the games differ."""
    from cardlang.analysis.diff import diff_games

    if new is None and variant is None:
        raise click.UsageError("Name a second game, or a --variant of the first.")
    before = load_game(old, variant if new is not None else None)
    after = load_game(old if new is None else new, variant)
    diff = diff_games(before, after)
    if as_json:
        write_lines(json.dumps(build_diff_json(before, after, diff), indent=2))
    else:
        write_lines("\n".join(format_diff(before, after, diff)))


def format_diff(old: Game, new: Game, diff: GameDiff) -> Iterator[str]:
    yield f"{format_game_title(old)} → {format_game_title(new)}"
    for change in diff.rule_changes:
        yield from ("", " › ".join(part for part in change.path if part))
        yield from (f"- {format_sentence(sentence)}" for sentence in change.removed)
        yield from (f"+ {format_sentence(sentence)}" for sentence in change.added)
    if diff.card_changes:
        yield from ("", *format_card_changes(diff.card_changes))
    yield from ("", *summarize_diff(diff))


def format_sentence(sentence: RulebookSentence) -> str:
    """Render a sentence, indented by its nesting depth. Custom wording is in quotes."""
    text = f'"{sentence.text}"' if sentence.is_custom else sentence.text
    return "  " * sentence.depth + text


def format_card_changes(cards: CardChanges) -> Iterator[str]:
    """Yield lines on the changed cards, grouped by kind of change."""
    yield f"Cards to print: {cards.copies_to_print} of {cards.count}"
    groups: dict[str, list[CardChange]] = defaultdict(list)
    for change in cards.changed:
        groups[describe_card_change(change)].append(change)
    groups |= {"new": list(cards.added), "removed": list(cards.removed)}
    for what, group in groups.items():
        if group:
            yield (
                f"  {what}, {format_count(sum(change.copies[1] or change.copies[0] for change in group), 'card')}: "
                f"{format_card_names(group)}"
            )


def describe_card_change(card: CardChange) -> str:
    """Return `changed title and texts, 3 copies instead of 2`."""
    before, now = card.copies
    what = [f"changed {join_phrases(card.changed_parts)}"] if card.changed_parts else []
    return ", ".join([*what, f"{now} copies instead of {before}"] if now != before else what)


def format_card_names(cards: Sequence[CardChange]) -> str:
    names = [card.title if card.code == card.title else f"{card.title} ({card.code})" for card in cards]
    rest = f" and {len(names) - MAX_NAMED_CARDS} others" if len(names) > MAX_NAMED_CARDS else ""
    return ", ".join(names[:MAX_NAMED_CARDS]) + rest


def summarize_diff(diff: GameDiff) -> Iterator[str]:
    where = ", ".join(diff.changed_declarations)
    if not diff:
        yield "No difference."
    elif not diff.changed_declarations:
        yield "The rules are the same. Only wording, examples or other text differs."
    elif not diff.rule_changes:
        yield f"The printed rules are the same, but their meaning has changed: {where}."
    else:
        yield f"Changed rules: {where}."


# ---------------------------------------------------------------- JSON output
def build_diff_json(old: Game, new: Game, diff: GameDiff) -> dict[str, object]:
    return {
        "old": {"game": old.title, "variant": old.variant},
        "new": {"game": new.title, "variant": new.variant},
        "different": bool(diff),
        "same_rules": not diff.changed_declarations,
        "rules": [build_rule_json(change) for change in diff.rule_changes],
        "cards": {
            "print": diff.card_changes.copies_to_print,
            "of": diff.card_changes.count,
            "changed": [build_card_json(change) for change in diff.card_changes.changed],
            "new": [build_card_json(change) for change in diff.card_changes.added],
            "gone": [build_card_json(change) for change in diff.card_changes.removed],
        },
        "meaning": list(diff.changed_declarations),
    }


def build_rule_json(change: SectionChange) -> dict[str, object]:
    sections, title = change.path[:-1], change.path[-1]
    changes = {"gone": change.removed, "came": change.added}
    both = {
        key: [{"text": sentence.text, "words": sentence.is_custom} for sentence in side]
        for key, side in changes.items()
    }
    return {"section": list(sections), "about": title, **both}


def build_card_json(card: CardChange) -> dict[str, object]:
    return {"code": card.code, "title": card.title, "copies": list(card.copies), "differs": list(card.changed_parts)}

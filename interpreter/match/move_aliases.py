"""Aliases of moves: labels, card titles and refs.

If an alias names an illegal move, the module explains why. A legal move is never refused, alone or in a set.
"""

from __future__ import annotations

import re

from cardlang.english.control_characters import normalize_user_input
from cardlang.english.morphology import capitalize_first_letter
from interpreter.match.card_selection import MultiSelection
from interpreter.match.decision_description import build_decision_view
from interpreter.match.illegal_moves import Refusal, explain_illegal_move, parse_legal_move
from interpreter.match.legal_moves import DecidingMatch, Decision
from interpreter.match.move_parser import match_moves, split_move_words
from interpreter.narration.decision_text import MovePrinter, format_moves, get_choice_noun
from interpreter.narration.display_names import MatchNames
from interpreter.runtime.errors import MoveError
from interpreter.runtime.state import State


def build_move_labels(match: DecidingMatch) -> list[str]:
    """Return the labels of the moves, with cards in brackets as in their printed forms."""
    assert match.decision is not None
    asked = build_decision_view(match.names, match.decision)
    plain = [move.text.replace("[", "").replace("]", "").lower() == move.label.lower() for move in asked.moves]
    called = [
        replace_move_verb(move.text, asked.verb) if same else move.label
        for move, same in zip(asked.moves, plain, strict=True)
    ]
    if asked.verb and not match.state.picks:
        called = [
            f"{asked.verb} no cards" if move.text == "done" else label
            for move, label in zip(asked.moves, called, strict=True)
        ]
    return list(map(capitalize_first_letter, called))


def replace_move_verb(text: str, verb: str) -> str:
    """Replace the verb of a move of cards by the verb for their final target: `pass [Kd]` for `move [Kd]`."""
    return f"{verb} {text.partition(' ')[2]}" if verb and text.endswith("]") else text


LARGER_CHOICE = "is part of a larger choice. Name everything at once, as in [A B]."
REF_PATTERN = re.compile(r"\S*/\S*(?:#\d+)?")


def resolve_move_codes(names: MatchNames, state: State, decision: Decision | None, text: str) -> list[int]:
    """Return the codes of the moves that a string means. Raise `MoveError` with the reason if the move is illegal."""
    try:
        return parse_legal_move(names, state, text)
    except MoveError as error:
        refused = error
    other = translate_alias(names, state, decision, text)
    if other is not None:
        try:
            return parse_legal_move(names, state, other)
        except MoveError as error:
            refused = error
    if explain_illegal_input(names, state, decision, text) is None:
        raise MoveError(f"{text.strip()} {LARGER_CHOICE}", refused.span)
    raise refused


def explain_illegal_input(names: MatchNames, state: State, decision: Decision | None, text: str) -> Refusal | None:
    """Explain why a string is not a legal move.

    Return None if it is legal, could mean several legal moves, or is part of a legal set.
    """
    refused = explain_illegal_move(names, state, text)
    if refused is None or state.who < 0:
        return refused
    move_text = translate_alias(names, state, decision, text) or text
    if match_moves(split_move_words(move_text), format_moves(names, state, state.legal)):
        return None
    toggling = MultiSelection(names, state) if names.program.get_site(state).kind in ("pick", "several") else None
    if toggling is not None and toggling.is_multiple:
        selected = parse_selection(toggling, move_text)
        if selected is not None:
            return explain_selection(toggling, selected)
    return explain_illegal_move(names, state, move_text)


def parse_selection(selection: MultiSelection, text: str) -> list[int] | None:
    """Return the items that a string names; None if any of them cannot be chosen here or comes twice."""
    printer = MovePrinter(selection.names, selection.state, selection.site)
    words = {item: split_move_words(printer.format_move(item + 1))[-1:] for item in selection.items.values()}
    input_words = split_move_words(text)
    verb = getattr(selection.site.statement, "verb", None)
    picks: list[int] = []
    for word in input_words[1:] if input_words[:1] == [verb] else input_words:
        item = next((item for item, item_words in words.items() if item_words == [word] and item not in picks), None)
        if item is None:
            return None
        picks.append(item)
    return picks or None


def explain_selection(selection: MultiSelection, picks: list[int]) -> Refusal | None:
    """Explain why these items cannot be in one set; None if they can."""
    _, high, codes = selection.find_addable(picks)
    if codes:
        return None
    if len(picks) > high:
        return Refusal(f"You can choose only {high}.")
    statement = selection.site.statement
    words = statement.doc if statement is not None else ""
    return Refusal(words or "You cannot choose these together.")


def translate_alias(names: MatchNames, state: State, decision: Decision | None, text: str) -> str | None:
    """Return the printed form of a move given in another form; None if nothing changes.

    Moves can be given by label, cards by title or ref, and players or values of kinds by ref.
    """
    if decision is None:
        return None
    normalized = " ".join(normalize_user_input(text).split())
    site = names.program.get_site(state)
    number = normalized.lower().removeprefix(f"{get_choice_noun(site).lower()} ")  # on buttons: `Offer 2`
    if number.isdigit() and number != normalized and any(text.isdigit() for text in decision.moves.texts):
        return number
    described = build_decision_view(names, decision).moves
    labels = {normalize_user_input(move.label).lower(): move.text for move in described}
    if normalized.lower() in labels:
        return labels[normalized.lower()]
    translated = replace_refs(names, state, normalized)
    spoken = {normalize_user_input(face.title).lower(): face.code for face in names.game.faces}
    titles = {title: code for title, code in spoken.items() if title != code.lower()}
    if titles:
        longest = sorted(titles, key=len, reverse=True)
        title = re.compile(rf"(?<![\w\[])(?:{'|'.join(map(re.escape, longest))})(?![\w\]])", re.IGNORECASE)
        translated = title.sub(lambda match: f"[{titles[match[0].lower()]}]", translated)
    return translated if translated != normalized else None


def replace_refs(names: MatchNames, state: State, text: str) -> str:
    """Return the string with each ref replaced by its meaning: `[9G]`, `#3`, `Bob`."""
    card = names.refs.find_card(state, text)
    if card is not None:
        visible = names.program.is_visible(state, card, state.who)
        return f"[{names.get_card_code(card)}]" if visible else f"#{text.rpartition('#')[2]}"
    sort, _, name = text.partition("/")
    if (sort == "player" and name in names.players) or (sort == "value" and name):
        return name
    if sort == "member" and "/" in name:
        return name.split("/", 1)[1]
    if " " not in text:
        return text
    return " ".join(
        replace_refs(names, state, part) if REF_PATTERN.fullmatch(part) else part for part in text.split(" ")
    )

"""Messages about automatic moves, undo and sets of cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from cardlang.english.morphology import format_times
from interpreter.match.match import Match
from interpreter.match.undo_limits import count_kept_choices
from interpreter.narration.decision_text import ObserverMovePrinter, build_choice_predicate
from interpreter.narration.event_phrases import Line
from interpreter.runtime.errors import MoveError
from interpreter.runtime.value_formatting import join_items
from interpreter.view.omitted_events import list_logged_events
from interpreter.view.table_model import Selection, Table


def describe_move(match: Match, move: int) -> str:
    """Return a verb phrase for the current player's action in a move, in the game's wording."""
    decision = match.decision
    assert decision is not None
    hearing = ObserverMovePrinter(match.names, match.state, match.program.get_site(match.state), match.state.who)
    return Line(build_choice_predicate(hearing, decision.moves[move].code)).write_for(decision.player)


def is_about_own_card(table: Table) -> bool:
    """Return whether the decision involves a card of the viewer."""
    if table.ask is None:
        return False
    own_refs = {card.ref for pile in table.places[0].piles for card in pile.cards}
    refs = {ref for action in table.ask.actions for ref in action.touches}
    return bool(own_refs & (refs | ({*table.ask.choosing.refs} if table.ask.choosing is not None else set())))


def report_forced_moves(acts: Sequence[str]) -> list[str]:
    """Return a line that reports the moves played for the viewer, or no line."""
    if not acts:
        return []
    counted = Counter(acts)
    if {*counted} == {"pass"}:
        return [f"You could only pass{f', {format_times(len(acts))}' if len(acts) > 1 else ''}."]
    named = [text if count == 1 else f"{text} {format_times(count)}" for text, count in counted.items()]
    subject = "Your only move was" if len(acts) == 1 else "Your only moves were"
    return [f"{subject} made for you: {join_items(named)}."]


def get_outermost_step(table: Table) -> str:
    """Return the outermost step in the heading if steps are nested, else an empty string."""
    return table.heading[0] if len(table.heading) > 1 else ""


# ---------------------------------------------------------------- sets of cards
def format_refs(table: Table, refs: Sequence[str]) -> str:
    """Return the codes of the cards with these refs, or their number if the viewer doesn't know all of them."""
    piles = [pile for area in (*table.places, table.middle, *table.kinds) for pile in area.piles]
    codes = [card.code for pile in piles for card in pile.cards if card.ref in refs and card.code]
    return f"[{' '.join(codes)}]" if len(codes) == len(refs) > 0 else str(len(refs))


def explain_full_selection(choosing: Selection) -> str:
    """Return why nothing more, or not this card, can be selected."""
    count = len(choosing.chosen)
    if count == choosing.high:
        return f"You have selected {count}, which is the maximum. Deselect one first."
    return "That does not go with what is selected." if count else "You cannot choose that now."


# ---------------------------------------------------------------- undo
MAX_QUOTED_LINES = 3
"""Maximum number of lines quoted in the question."""


def build_undo_question(match: Match, viewer: str, bots: Collection[str]) -> str:
    """Return a question that lists what the viewer has seen of others since the move, or an empty string."""
    try:
        kept_choices = count_kept_choices(
            match, match.names.resolve_seat(viewer), {match.names.resolve_seat(bot) for bot in bots}, several=True
        )
    except MoveError:
        return ""
    before = match.clone()
    before.rewind_to(kept_choices)
    lost = list_logged_events(match.view(viewer).events)[len(list_logged_events(before.view(viewer).events)) :]
    seen = [event.line.write_for(viewer) for event in lost if not event.line.is_about(viewer)]
    if not seen:
        return ""
    more = f" … and {len(seen) - MAX_QUOTED_LINES} more." if len(seen) > MAX_QUOTED_LINES else ""
    back = lost[0].line.write_for(viewer)
    return f"Undo back to “{back}”? Since then you have seen: {' '.join(seen[:MAX_QUOTED_LINES])}{more}"

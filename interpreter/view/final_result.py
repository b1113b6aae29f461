"""Final result of a match: winners, the reason of the end, the ranking, revealed hands."""

from __future__ import annotations

from cardlang import model as g
from cardlang.english.morphology import capitalize_first_letter
from cardlang.model.statement_effects import find_effects
from cardlang.model.traversal import collect_all_nodes
from interpreter.narration.event_sentences import write_winners
from interpreter.runtime.value_formatting import format_score
from interpreter.view.player_view import View
from interpreter.view.table_model import RecentResult, TableArea, TablePile


def build_end_result(
    game: g.Game,
    view: View,
    areas: tuple[TableArea, ...],
    last_result: RecentResult | None,
    shown_hands: tuple[TablePile, ...],
) -> RecentResult:
    """Return the end of the match: winners, last reported result (`last_result`), final ranking and revealed hands.

    Hands of the last showdown (`shown_hands`) are left out. A score that all players share makes no ranking.
    """
    why = (last_result.headline, *last_result.lines) if last_result is not None else ()
    result_hands = tuple(
        pile for pile in (last_result.hands if last_result is not None else ()) if pile not in shown_hands
    )
    won = write_winners(view.winners, view.players, "the match")
    columns, rows = build_final_ranking(view)
    shown = {(pile.owner, pile.name) for pile in (*result_hands, *shown_hands)}
    other_piles = (pile for area in areas for pile in area.piles if (pile.owner, pile.name) not in shown)
    hands = (
        *result_hands,
        *(pile for pile in other_piles if pile.form == "hand" and any(card.up for card in pile.cards)),
    )
    if len(view.players) == 1:
        why, columns, rows = (*why, *describe_end(game, view)), (), ()
    if len(rows) > 1 and len({row[::2] for row in rows}) == 1:
        shared = (f"All players score {rows[0][-1]}.",) if "score" in columns else ()
        why, columns, rows = (*why, *shared), (), ()
    events = last_result.events if last_result is not None else ()
    return RecentResult("end", won.write_for(view.player), why, columns, rows, hands, events)


def describe_end(game: g.Game, view: View) -> tuple[str, ...]:
    """Return why a match for one player ended, and the score."""
    reason = next((event.line.write_for(view.player) for event in view.events[-2:] if event.kind == "allowed"), "")
    if not reason and not view.winners and ends_without_moves(game):
        reason = "No move is left."
    name = next((shown.noun for shown in view.shown if shown.name == "score"), "score")
    scores = [format_score(value) for value in view.scores or () if value is not None]
    return tuple(line for line in (reason, *(f"{capitalize_first_letter(name)}: {score}." for score in scores)) if line)


def ends_without_moves(game: g.Game) -> bool:
    """Return whether the game ends when a player has no legal move."""
    choices = (part for part in collect_all_nodes(game) if isinstance(part, g.Menu | g.Offer | g.Choose | g.Pick))
    return any(find_effects(part).finished for choice in choices for part in choice.otherwise)


def build_final_ranking(view: View) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the column names and rows of the final ranking, the best first.

    If the players of each team are tied, each team has one row, and places count teams.
    """
    scores = dict(zip(view.players, view.scores or (), strict=False))
    stands = {name: (place, scores.get(name)) for name, place in zip(view.players, view.places or (), strict=False)}
    sides: dict[str, list[str]] = {}
    for name, side in zip(view.players, view.sides or view.players, strict=True):
        sides.setdefault(side or name, []).append(name)
    by_team = len(sides) < len(view.players) and all(len({stands[n] for n in names}) == 1 for names in sides.values())
    units = {f"{side} ({', '.join(names)})": names[0] for side, names in sides.items()} if by_team else {}
    units = units or {name: name for name in view.players}
    places = {
        unit: 1 + sum(stands[other][0] < stands[name][0] for other in units.values()) for unit, name in units.items()
    }
    known = any(value is not None for value in scores.values())
    rows = (
        (str(places[unit]), unit, *([format_score(scores[units[unit]])] if known else []))
        for unit in sorted(units, key=places.__getitem__)
    )
    return ("place", "team" if by_team else "player", *(["score"] if known else [])), tuple(rows)

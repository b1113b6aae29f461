"""Candidate moves of a search: all kinds of moves, with a few amounts of each."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from random import Random

from cardlang import model as g
from cardlang.model.game import GAME_CACHE_SIZE, IdentityKey
from cardlang.model.traversal import collect_all_nodes
from interpreter.bots.betting_model import build_betting_policy
from interpreter.program.program import Program
from interpreter.runtime.errors import RuleError
from interpreter.runtime.state import DONE, DecisionPoint, State, get_choice_type

FEW_AMOUNTS = 16
"""Number of amounts up to which all are tried, such as bids of tricks, which all differ in meaning."""


def select_candidates(program: Program, state: State, limit: int, random: Random) -> list[int]:
    """Return the indices of at most `limit` moves to try, in ascending order.

    If there is room, include one move of each kind.
    """
    kinds = list(group_moves_by_kind(program, state).values())
    betting = build_betting_policy(program)
    if betting is not None and betting.is_bet_decision(program.get_site(state)):
        kinds = [kind for kind in kinds if not betting.is_needless_fold(state, state.legal[kind[0]])]
        return sorted(
            index for kind in kinds for index in (betting.select_bet_sizes(state, kind) if len(kind) > 1 else kind)
        )
    indices = [index for kind in kinds for index in select_amounts(kind)]
    if len(indices) <= limit:
        return sorted(indices)
    selected = {kind[0] for kind in kinds} if len(kinds) <= limit else set()
    others = [index for index in indices if index not in selected]
    return sorted([*selected, *random.sample(others, limit - len(selected))])


def list_sets(program: Program, state: State, limit: int) -> list[tuple[int, ...]]:
    """Return the codes of all picks of each set that the player can choose now.

    The list is empty if no set is chosen, if there are more than `limit` sets, or if the player does not see the
    cards: then their codes differ between samples.
    """
    if not program.get_site(state).asks_several or len(state.legal) > limit or not are_picks_visible(program, state):
        return []
    sets, open_sets = list[tuple[int, ...]](), list[tuple[tuple[int, ...], State]]([((), state)])
    while open_sets:
        codes, before = open_sets.pop()
        for code in reversed(before.legal):
            after = program.clone_silently(before)
            if code != DONE:
                with suppress(RuleError):  # a failure after the choice does not make it illegal
                    program.apply(after, code)
            if code != DONE and len(after.picks) > len(before.picks) and after.who == state.who:
                open_sets.append(((*codes, code), after))
            else:
                sets.append((*codes, code))
        if len(sets) + len(open_sets) > limit:
            return []
    return sets


def are_picks_visible(program: Program, state: State) -> bool:
    """Return whether the player sees all cards to choose from, or chooses something else."""
    is_card = get_choice_type(program.get_site(state)).tag == "card"
    return not is_card or all(program.is_visible(state, code - 1, state.who) for code in state.legal if code != DONE)


def list_similar_sets(program: Program, state: State, codes: Sequence[int], limit: int) -> list[tuple[int, ...]]:
    """Return the codes of a set of picks, and of sets that differ from it in one pick: at most `limit` in all.

    The list is empty if the player does not see the cards.
    """
    if not are_picks_visible(program, state):
        return []
    second = program.clone_silently(state)
    program.apply(second, state.legal[0])
    others = {*state.legal, *second.legal} - {DONE, *codes}  # the last cards can't be picked first
    tried = [list(codes), *(sorted({*codes, new} - {old}) for old in codes for new in sorted(others))]
    sets = (finish_legal_picks(program, state, picks) for picks in tried)
    return [found for found in sets if found][:limit]


def finish_legal_picks(program: Program, state: State, codes: Sequence[int]) -> tuple[int, ...]:
    """Return the codes of a set in this order, with `DONE` after them if necessary; nothing if it is not legal."""
    after, made = program.clone_silently(state), list[int]()
    with suppress(RuleError):
        for code in codes:
            if code not in after.legal or (made and not after.picks):
                return ()
            program.apply(after, code)
            made.append(code)
    if after.who != state.who or not after.picks:
        return tuple(made)
    return (*made, DONE) if DONE in after.legal else ()


def has_amounts(program: Program, state: State) -> bool:
    """Return whether some moves differ only in their amount."""
    return len(group_moves_by_kind(program, state)) < len(state.legal)


def can_moves_have_costs(program: Program, state: State) -> bool:
    """Return whether moves may cost the player something: they have amounts, or they are options."""
    return has_amounts(program, state) or (not program.shared and bool(program.get_site(state).options))


def group_moves_by_kind(program: Program, state: State) -> dict[object, list[int]]:
    """Group the indices of moves by kind. Moves of one kind differ only in their amount."""
    site, kinds = program.get_site(state), dict[object, list[int]]()
    for index, code in enumerate(state.legal):
        kinds.setdefault(get_move_without_amounts(program, site, code), []).append(index)
    return kinds


def list_move_kinds(program: Program, state: State, sets: Sequence[tuple[int, ...]]) -> list[object]:
    """Return, for each legal move, its kind: without its amounts, and equal for cards that the rules don't distinguish.

    sets: if the moves are sets, the codes of all picks of each.
    """
    site = program.get_site(state)
    is_card = not site.options and not site.asks_number and get_choice_type(site).tag == "card"

    def find_kind(code: int) -> object:
        return classify_card(program, state, code - 1) if is_card and code != DONE else code

    if sets:
        return [tuple(sorted(map(repr, map(find_kind, codes)))) for codes in sets]
    return [find_kind(code) if is_card else get_move_without_amounts(program, site, code) for code in state.legal]


def classify_card(program: Program, state: State, card: int) -> object:
    """Return a key that is equal for two cards in the player's hand if no rule distinguishes them.

    For example, suits don't matter in President. Cards elsewhere may differ by their place.
    """
    game, place = program.game, state.loc[card]
    columns = find_used_columns(IdentityKey(game))
    if columns is None or place < 0 or program.layout.sees[place] != 1 << state.who:
        return card
    face = program.face[card]
    marks = [state.t[base + card] for base in program.layout.card_track_bases]
    return (place, game.faces[face].set, *(game.columns[name].values[face] for name in columns), *marks)


@lru_cache(maxsize=GAME_CACHE_SIZE)
def find_used_columns(game: IdentityKey) -> tuple[str, ...] | None:
    """Return the columns of cards that the rules read; None if they may tell apart any two faces."""
    nodes = collect_all_nodes(game.game)
    if any(isinstance(node, g.NamedCards) for node in nodes) or game.game.rankings or game.game.borne_defines:
        return None
    return tuple(sorted({node.attribute for node in nodes if isinstance(node, g.Attribute)}))


def get_move_without_amounts(program: Program, site: DecisionPoint, code: int) -> object:
    """Return a move without its amounts: equal for `raise 5` and `raise 6`."""
    if code == DONE:
        return DONE
    option, values = program.decode_move(site, code)
    if option is None:
        return "number" if site.asks_number else values[0] + 1
    binders = site.options[option].binders
    return option, *(value for (var, _), value in zip(binders, values, strict=True) if var.type.tag != "number")


def select_amounts(indices: list[int]) -> list[int]:
    """Return all of a few amounts. Of many, return the smallest, the largest, and others at doubling distances."""
    last = len(indices) - 1
    if last < FEW_AMOUNTS:
        return indices
    steps = {(1 << step) - 1 for step in range(last.bit_length())}
    return [indices[step_index] for step_index in sorted({*steps, last})]

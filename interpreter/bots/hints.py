"""Hint for one decision, with reasons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic

from attrs import evolve, frozen

from cardlang.english.morphology import capitalize_first_letter
from interpreter.bots.bot_players import PlayoutPlayer
from interpreter.bots.candidate_moves import has_amounts, list_move_kinds, list_sets, list_similar_sets
from interpreter.bots.hint_reasons import (
    describe_kept_hand,
    describe_kept_suits,
    describe_later_number,
    find_even_moves,
    find_move_reasons,
    prefer_value_bet,
)
from interpreter.bots.hint_samples import HINT_SAMPLES, MatchSamples
from interpreter.bots.hint_text import (
    AMONG_BEST,
    MAX_COMPARED_MOVES,
    NO_OTHER_PROGRESS,
    NO_PROGRESS,
    SAME_EFFECT,
    MoveSummary,
    ScoreContext,
    describe_best_move,
    prefer_passing,
    summarize_move,
)
from interpreter.bots.move_effects import describe_move_effect, spends_card
from interpreter.bots.playout_search import MAX_SETS, CandidateSearch, Clock, PlayoutBudget
from interpreter.bots.solitaire_policy import IDLE, SCORING, find_repeating_moves
from interpreter.bots.sure_gains_and_answers import (
    compute_sure_gain,
    describe_answer,
    describe_saved_cards,
    describe_unknown_card,
    describe_way_out,
    drop_sure_losses,
    prefer_sure_gain,
    prefer_way_out,
)
from interpreter.bots.trick_reasons import find_touching_cards, prefer_simplest_card
from interpreter.match.card_selection import MultiSelection, build_selection_view
from interpreter.match.match import Match
from interpreter.match.move_aliases import build_move_labels
from interpreter.narration.decision_text import MovePrinter, get_choice_noun
from interpreter.native.background_engine_builds import EngineProvider
from interpreter.runtime.errors import MoveError
from interpreter.runtime.state import DONE, State, get_choice_type
from interpreter.runtime.value_formatting import join_items

LONGER = 4
"""Factor on the time limit of a second search, if the first one had no time for any playout."""


@frozen
class Hint:
    """Advice for one decision.

    move, index: the printed form and the index of the best move.
    summary, alternatives: the reasons, and the other moves with their results, if they differ.
    games: the number of playouts.
    moves: the moves tried, best first.
    refs: for a set, the refs of all its cards, as tables have them.
    """

    move: str
    index: int
    summary: str
    games: int
    moves: tuple[MoveSummary, ...]
    refs: tuple[str, ...] = ()
    label: str = ""
    """Label of the best move; for a set, of all picks."""
    alternatives: str = ""

    @property
    def reasons(self) -> str:
        """The reasons, in one or two sentences."""
        return " ".join(filter(None, (self.summary, self.alternatives)))

    @property
    def full_text(self) -> str:
        """Full hint: the move and the reasons.

        For example: `Play [9G]. You finish first in 4 of 10 playouts from here. Instead: Play [2p] · 3 of 10.`
        """
        return f"{self.label}. {self.reasons}"


def find_hint(
    match: Match, player: int | str, seconds: float | None = 1.0, playouts: int | None = None, seed: int = 0,
    clock: Clock = monotonic, engines: EngineProvider | None = None,
) -> Hint:  # fmt: skip
    """Return a hint for the current player, from that player's knowledge alone.

    seconds, playouts, engines: as for `PlayoutPlayer`. With only `playouts`, hints are reproducible.
    Raise `MoveError` if the player has no decision now, and `ValueError` for an unknown player.
    """
    decision, seat = match.decision, match.names.resolve_seat(player)
    if decision is None or decision.seat != seat:
        raise MoveError(f"{match.players[seat]} has nothing to decide now.")
    choosing = build_selection_view(match, ())
    is_set = choosing is not None and choosing.high > 1
    picks_singly = is_set and not list_sets(match.program, match.state, MAX_SETS)
    limit = seconds if seconds is None or not picks_singly else seconds / 4
    bot = PlayoutPlayer(
        seed, playouts, seconds=limit, clock=clock, engines=engines, bluffs=False, tree=not match.program.shared
    )  # in cooperative games, only plain playouts avoid gambles
    search = bot.build_search(match)
    first = search.find_best_move()
    if limit is not None and len(search.tried) > 1 and not any(tried.games for tried in search.tried):
        bot.budget = PlayoutBudget(playouts, LONGER * limit, clock)
        search = bot.build_search(match)
        first = search.find_best_move()
    if choosing is None or (is_set and not picks_singly):
        return describe_search(match, search, seed)
    bot.budget = PlayoutBudget(playouts, None if seconds is None else seconds / 4 / max(1, choosing.high), clock)
    codes, label = pick_cards(match, first.index, lambda picked: bot.build_search(picked).find_best_move().index)
    if picks_singly and (sets := list_similar_sets(match.program, match.state, codes, MAX_SETS)):
        bot.budget = PlayoutBudget(playouts, None if seconds is None else seconds / 2, clock)
        search = bot.build_search(match, sets=sets)
        search.find_best_move()
        return describe_search(match, search, seed)
    hint = evolve(describe_search(match, search, seed), refs=SetPrinter(match).list_refs(codes))
    return evolve(hint, label=label, summary=f"{AMONG_BEST}.", alternatives="") if is_set and codes else hint


def describe_search(match: Match, search: CandidateSearch, seed: int) -> Hint:
    """Return the hint from a finished search."""
    legal, printer = match.state.legal, SetPrinter(match)
    is_set = printer.is_set or any(tried.rest for tried in search.tried)
    sets = [(legal[tried.index], *tried.rest) for tried in search.tried] if is_set else []
    labels = list(map(printer.format_set, sets)) if sets else printer.labels
    indices = range(len(sets)) if sets else [tried.index for tried in search.tried]
    texts = labels if sets else printer.texts
    moves = tuple(
        summarize_move(tried, index, texts[index]) for index, tried in zip(indices, search.tried, strict=True)
    )
    summary, alternatives = "It is the only legal move.", ""
    if len(moves) > 1:
        samples = MatchSamples.create(match, collect_samples(search), seed, search.outlook, sets)
        moves, lesser = prefer_sure_gain(samples, moves if sets else prefer_simplest_card(samples, moves))
        moves = prefer_value_bet(samples, drop_sure_losses(samples, moves))
        if match.program.is_solitaire and not sets:
            moves = prefer_progress(match, search, samples, moves)
        moves = prefer_passing(moves, search.scale, partial(spends_card, samples), samples.site.kind == "react")
        moves = prefer_way_out(samples, moves)
        because = find_hint_reasons(samples, moves, labels, search)
        noted = labels if because else note_effects(samples, moves, labels)
        best, alternatives = compare_moves(match, search, samples, moves, noted, lesser)
        if best == f"{AMONG_BEST}." and alternatives:
            best = ""  # the alternatives say so
        summary = " ".join(filter(None, [*because, best]))
    games, first = sum(move.games for move in moves), moves[0].index
    index = legal.index(sets[first][0]) if sets else first
    refs = printer.list_refs(sets[first]) if sets else ()
    return Hint(printer.texts[index], index, summary, games, moves, refs, labels[first], alternatives)


def prefer_progress(
    match: Match, search: CandidateSearch, samples: MatchSamples, moves: tuple[MoveSummary, ...]
) -> tuple[MoveSummary, ...]:
    """Return the moves of a solitaire with those that score first, and those that only shift cards last.

    A move back to an earlier position of the match only shifts cards, unless it scores. Playouts vary too much to say
    that it is worth it.
    """
    repeating, progress = find_repeating_moves(match), {tried.index: tried.progress for tried in search.tried}
    for tried in search.tried:
        if compute_sure_gain(samples, tried.index) > 0:
            tried.progress = SCORING
        elif tried.index in repeating:
            tried.progress = IDLE
    final = {tried.index: tried.progress for tried in search.tried}

    def rank(move: MoveSummary) -> tuple[bool, bool, bool]:
        return final[move.index] == IDLE, final[move.index] != SCORING, progress[move.index] == IDLE

    return tuple(sorted(moves, key=rank))


class SetPrinter:
    """Printer of whole sets of picks at the current decision."""

    def __init__(self, match: Match) -> None:
        assert match.decision is not None
        self.match, self.site = match, match.program.get_site(match.state)
        self.texts, self.labels = match.decision.moves.texts, build_move_labels(match)
        self.is_set = bool(list_sets(match.program, match.state, MAX_SETS))
        noun = get_choice_noun(self.site)
        if self.site.kind == "choose" and self.site.asks_number and noun != "number":
            noun = capitalize_first_letter(noun)
            self.labels = [f"{noun} {label}" if label.isdigit() else label for label in self.labels]

    def format_set(self, codes: Sequence[int]) -> str:
        """Return a set in words, such as `Discard [5b] and [7p]`."""
        if codes[0] == DONE:
            return self.labels[self.match.state.legal.index(DONE)]
        verb, type = self.labels[0].partition(" ")[0], get_choice_type(self.site)
        printer = MovePrinter(self.match.names, self.match.state, self.site)
        items = [printer.format_value(type, code - 1) for code in codes if code != DONE]
        if type.tag == "card" and not printer.has_hidden_cards:
            items = [f"[{item.strip('[]')}]" for item in items]
        return f"{verb} {join_items(items)}"

    def list_refs(self, codes: Sequence[int]) -> tuple[str, ...]:
        """Return the refs of the cards or values of a set, as tables have them."""
        refs = {item: ref for ref, item in MultiSelection(self.match.names, self.match.state).items.items()}
        return tuple(refs[code - 1] for code in codes if code != DONE)


def compare_moves(
    match: Match, search: CandidateSearch, samples: MatchSamples, moves: tuple[MoveSummary, ...], labels: list[str],
    lesser: frozenset[int],
) -> tuple[str, str]:  # fmt: skip
    """Return the playout results of the first move, and the alternatives, in words.

    lesser: the indices of the moves that surely gain less now.
    """
    if match.program.is_solitaire:
        progress = {tried.index: tried.progress for tried in search.tried}
        lesser |= {index for index, grade in progress.items() if grade < progress.get(moves[0].index, IDLE)}
        useful = {tried.index for tried in search.tried if tried.progress > IDLE}
        moves = tuple(move for at, move in enumerate(moves) if not at or move.index in useful)
        if len(moves) == 1:
            return NO_OTHER_PROGRESS if moves[0].index in useful else NO_PROGRESS, ""
    sure = {tried.index for tried in search.tried if tried.is_sure}
    if moves[0].index in sure:
        lesser |= {move.index for move in moves} - sure
    kinds = list_move_kinds(match.program, match.state, samples.sets)
    if len(set(kinds)) == 1 and not has_amounts(match.program, match.state):
        return SAME_EFFECT, ""
    even = find_even_moves(samples) or find_touching_cards(samples, moves[0].index)
    scored = evolve(ScoreContext.from_match(match, samples), even_moves=even, lesser_moves=lesser)
    return describe_best_move(moves, kinds, labels, search, scored)


def find_hint_reasons(
    samples: MatchSamples, moves: tuple[MoveSummary, ...], labels: list[str], search: CandidateSearch
) -> list[str]:
    """Return the reasons for the first move apart from playout results."""
    if not samples.states:
        return []
    index, *others = [move.index for move in moves]
    if way_out := describe_way_out(samples, index):
        return way_out
    codes = samples.get_codes(samples.states[0], index)
    if samples.sets:
        kept = (
            describe_kept_hand(samples, codes),
            describe_kept_suits(samples, codes),
            describe_later_number(samples, codes),
        )
        reasons = next(filter(None, kept), [])
    else:
        reasons = find_move_reasons(samples, codes[0])
    if others and not reasons:
        reasons = describe_saved_cards(samples, index, others[0])
    reasons += describe_move_effect(samples, index, others, labels[index])
    is_sure = any(tried.is_sure for tried in search.tried if tried.index == index)
    return [*reasons, *describe_unknown_card(samples, index, is_sure), *describe_answer(samples, index, others)]


def note_effects(samples: MatchSamples, moves: tuple[MoveSummary, ...], labels: list[str]) -> list[str]:
    """Return the labels, with the effects of the best alternatives: `Take [Ks] (deadwood after discarding 62)`."""
    noted, indices = labels[:], [move.index for move in moves]
    for index in indices[1 : MAX_COMPARED_MOVES + 1] if samples.states else ():
        effects = describe_move_effect(samples, index, [other for other in indices if other != index], labels[index])
        notes = [sentence.removeprefix("Immediately: ").removesuffix(".") for sentence in effects]
        if notes:
            noted[index] = f"{labels[index]} ({'; '.join(note[0].lower() + note[1:] for note in notes)})"
    return noted


def collect_samples(search: CandidateSearch) -> list[State]:
    """Return samples of the match."""
    drawn = (search.sample() for _ in range(HINT_SAMPLES))
    return [state for state in drawn if state is not None]


def pick_cards(match: Match, index: int, choose: Callable[[Match], int]) -> tuple[list[int], str]:
    """Return the codes and the label of a set. Its first pick is at the given index; the others are by `choose`."""
    picked, seat, codes = match.clone(), match.state.who, list[int]()
    labels = [build_move_labels(match)[index]]
    verb = f"{labels[0].partition(' ')[0]} "
    while (code := picked.state.legal[index]) != DONE:
        if codes:
            labels.append(build_move_labels(picked)[index].removeprefix(verb))
        codes.append(code)
        picked.choose(index)
        if picked.state.who != seat or not picked.state.picks:
            break
        index = choose(picked)
    return codes, join_items(labels)

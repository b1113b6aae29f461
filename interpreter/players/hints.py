"""Hints: the best move by playouts, with the reasons in numbers and words."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from attrs import evolve, frozen

from interpreter.errors import MoveError
from interpreter.matches.asked import labels_of
from interpreter.matches.match import Match
from interpreter.matches.names import listed
from interpreter.matches.toggling import Toggling, choosing_of
from interpreter.players.candidates import kind_of
from interpreter.players.effects import told_of_effect
from interpreter.players.engines import Engines
from interpreter.players.grounds import evenly, grounds
from interpreter.players.rollout import RolloutPlayer
from interpreter.players.search import Budget, Clock, Counsel
from interpreter.players.tricks import plainest
from interpreter.players.weighing import INSTEAD, Scored, Weighed, reasons, weighed
from interpreter.players.worlds import SAMPLES, Worlds
from interpreter.state import DONE, State


@frozen
class Hint:
    """Advice for one decision.

    move, index: the printed form and the index of the best move.
    words: the reasons, in one or two sentences.
    games: the number of playouts.
    moves: the moves tried, best first.
    also: for a set, the printed forms of the picks after `move`.
    refs: for a set, the refs of all its cards, as tables have them.
    """

    move: str
    index: int
    words: str
    games: int
    moves: tuple[Weighed, ...]
    also: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    called: str = ""
    """Label of the best move; for a set, of all picks."""

    @property
    def told(self) -> str:
        """Full hint: the move and the reasons.

        For example: `Play [9G]. You finish first in 4 of 10 playouts from here. Instead: Play [2p] · 3 of 10.`
        """
        return f"{self.called}. {self.words}"


def hint(
    match: Match, player: int | str, seconds: float | None = 1.0, playouts: int | None = None, seed: int = 0,
    clock: Clock = monotonic, engines: Engines | None = None,
) -> Hint:  # fmt: skip
    """Return a hint for the current player, from that player's knowledge alone.

    seconds, playouts, engines: as for `RolloutPlayer`. With only `playouts`, hints are reproducible.
    Raise `MoveError` if the player has no decision now, and `ValueError` for an unknown player.
    """
    decision, seat = match.decision, match.names.seat(player)
    if decision is None or decision.seat != seat:
        raise MoveError(f"{match.players[seat]} has nothing to decide now.")
    choosing = choosing_of(match, ())
    limit = seconds if seconds is None or choosing is None else seconds / 2
    bot = RolloutPlayer(seed, playouts, seconds=limit, clock=clock, engines=engines, bluffs=False)
    search = bot.search(match)
    search.run()
    texts = decision.moves.texts
    moves = tuple(weighed(tried, texts) for tried in search.tried)
    labels = labels_of(match)
    site = match.program.site(match.state)
    kinds = [kind_of(match.program, site, code) for code in match.state.legal]
    words = "It is the only legal move."
    if len(moves) > 1:
        worlds = Worlds.of(match, samples(search), seed, search.prospect)
        moves = plainest(worlds, moves)
        because = because_of(worlds, moves, labels, choosing is not None)
        scored = evolve(Scored.of(match, worlds), even=evenly(worlds))
        words = " ".join([*because, reasons(moves, kinds, labels, search, scored)])
    games = sum(move.games for move in moves)
    found = Hint(moves[0].text, moves[0].index, words, games, moves, called=labels[moves[0].index])
    if choosing is None:
        return found
    bot.budget = Budget(playouts, None if seconds is None else seconds / 2 / max(1, choosing.high), clock)
    return whole_set(found, match, lambda picked: bot.search(picked).run().index)


def because_of(worlds: Worlds, moves: tuple[Weighed, ...], labels: list[str], several: bool) -> list[str]:
    """Return the reasons for the first move apart from playout results.

    several: the move is the first pick of a set, so it has no effects yet.
    """
    if not worlds.states:
        return []
    index, *others = [move.index for move in moves]
    found = grounds(worlds, worlds.states[0].legal[index])
    return found if several else [*found, *told_of_effect(worlds, index, others, labels[index])]


def samples(search: Counsel) -> list[State]:
    """Return samples of the match."""
    drawn = (search.sample() for _ in range(SAMPLES))
    return [state for state in drawn if state is not None]


def whole_set(first: Hint, match: Match, choose: Callable[[Match], int]) -> Hint:
    """Return the hint for a set, with the first pick and all later picks by `choose`."""
    toggling, picked, index = Toggling(match.names, match.state), match.clone(), first.index
    seat, refs, texts = match.state.who, dict[int, str](), list[str]()
    called, verb = [first.called], f"{first.called.partition(' ')[0]} "
    by_item = {item: ref for ref, item in toggling.items.items()}
    while (code := picked.state.legal[index]) != DONE:
        assert picked.decision is not None
        refs[code] = by_item[code - 1]
        texts.append(picked.decision.moves.texts[index])
        if len(texts) > 1:
            called.append(labels_of(picked)[index].removeprefix(verb))
        picked.choose(index)
        if picked.state.who != seat or not picked.state.picks:
            break
        index = choose(picked)
    # alternatives for the first pick say nothing about the whole set
    words = first.words.partition(INSTEAD)[0] if len(texts) > 1 else first.words
    return evolve(first, words=words, also=tuple(texts[1:]), refs=tuple(refs.values()), called=listed(called))

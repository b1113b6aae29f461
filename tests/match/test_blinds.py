"""Blinds with the dead button: the big blind moves on however many players go out."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest
from attrs import frozen

import cardlang
from interpreter.program.program import compile_game
from interpreter.runtime.state import State


@frozen
class Hand:
    """Who is in, and the seats of the dealer and of the blinds when a hand is first bet on. There are hands without any
    decision: then the next `number` is left out."""

    number: int
    alive: tuple[int, ...]
    dealer: int
    small: int
    big: int


def iterate_hands(players: int, seed: int, most: int = 40) -> Iterator[Hand]:
    """Return the hands of a match with many large bets."""
    program, random = compile_game(cardlang.load("texas_holdem"), players), Random(seed)
    state, deals = program.start(seed), 0

    def track(name: str, state: State) -> int:
        return state.t[program.track_base[name]]

    while state.who >= 0 and deals < most:
        if track("deals", state) != deals:
            deals = track("deals", state)
            seats = (track(name, state) for name in ("dealer", "small-blind-seat", "big-blind-player"))
            yield Hand(deals, tuple(state.alive), *seats)
        legal = list(state.legal)
        program.apply(state, legal[-1] if len(legal) < 3 else random.choice([legal[0], legal[-2], legal[-2]]))


def find_next_player(alive: tuple[int, ...], seat: int, players: int, step: int = 1) -> int:
    """Return the next seat with a player still in."""
    return next(other for turn in range(1, players + 1) if (other := (seat + step * turn) % players) in alive)


@pytest.mark.slow
@pytest.mark.parametrize("players", range(2, 11))
def test_big_blind_moves_on_every_hand(players: int) -> None:
    gone = 0
    for seed in range(6):
        played = list(iterate_hands(players, seed))
        for before, now in pairwise(played):
            if now.number > before.number + 1:
                continue
            gone += len(before.alive) - len(now.alive)
            assert now.big == find_next_player(now.alive, before.big, players) and now.big != before.big
            if len(now.alive) == 2:
                assert now.dealer == now.small == find_next_player(now.alive, now.big, players)
                continue
            assert now.small == before.big
            holder = (
                before.small if before.small in now.alive else find_next_player(now.alive, before.small, players, -1)
            )
            assert now.dealer == holder
            assert find_next_player(now.alive, now.dealer, players) in (now.small, now.big)
    assert gone or players == 2


def test_holdem_ruling_names_the_dead_button() -> None:
    (answer,) = (each.answer for each in cardlang.load("texas_holdem").rulings if "blinds after" in each.question)
    assert "No player pays the big blind twice in a row or skips it." in " ".join(answer)

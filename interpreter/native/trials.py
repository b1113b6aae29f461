"""Trial games as machine code: what a player cannot tell is dealt anew, moves are made, and chance plays on."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from interpreter.native.engine import NOTHING, Engine, Memory
from interpreter.native.states import without_chance
from interpreter.state import State

MOST = 64
"""So many moves are tried at most: `TRIED` in `c/trying.h`."""
COUNTED = 10
"""So many numbers tell what came of a move: those of `Tried` there."""


class Trials:
    """One player's trial games, in an engine that tries moves out (`engine_of(…, trying=True)`). A match is told by the
    moves made in it (`saw`), each with the state before it, and by where it stands (`look`); of chance nothing is
    told. Its memory is for one thread at a time."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.call = engine, engine.call
        self.onlooker = Memory(self.call["native_size_of_onlooker"]())
        self.trial = Memory(self.call["native_size_of_trial"]())
        self.habits = Memory(self.call["native_size_of_habits"]())
        self.tree: Memory | None = None
        self.blocks = len(engine.program.blocks)
        self.kept = self.practised = 0

    def numbers(self, state: State) -> ctypes.Array[ctypes.c_int64]:
        """Raises ValueError for a state of another program."""
        if any(not 0 <= frame[0] < self.blocks for frame in state.frames):
            raise ValueError("a state that these rules do not come to")
        numbers = without_chance(state)
        return (ctypes.c_int64 * len(numbers))(*numbers)

    def forget(self) -> None:
        """Of the moves made so far nothing is concluded."""
        self.kept = self.call["native_forget"](self.onlooker.at)

    def saw(self, before: State, code: int, told: bool, telling: bool) -> None:
        """A move was made. `told`: everybody heard which, and with which cards they see; `telling`: it depended on
        nothing secret. Raises ValueError."""
        numbers = self.numbers(before)
        self.kept = self.call["native_saw"](self.onlooker.at, numbers, len(numbers), code, told | telling << 1)

    def look(self, state: State, seat: int, seed: int) -> None:
        """The match stands here, and this player is asked. What is drawn from now on comes from `seed`. Raises
        ValueError for a state that does not fit."""
        engine, numbers = self.engine, self.numbers(state)
        if not self.call["native_look"](engine.work.at, self.onlooker.at, numbers, len(numbers), seat, seed):
            raise ValueError("a state that has no room")

    def sample(self) -> State | None:
        """A state that the player cannot tell from the real one, with chance of its own; None if none is found."""
        state = self.engine.state
        fault = self.call["native_sample"](self.engine.work.at, self.onlooker.at, state.at)
        return self.engine.store() if fault == NOTHING else None

    def likely(self) -> State | None:
        """The same, as likely as what others did would be in it: within a decision, after its trial games."""
        state = self.engine.state
        at = self.engine.work.at, self.onlooker.at, self.trial.at
        return self.engine.store() if self.call["native_likely"](*at, state.at) == NOTHING else None

    def begin(self, seed: int, horizon: int, deal: int) -> None:
        """Trial games of a decision begin. They end with the match, after `horizon` decisions, or where another deal
        has begun (`deal` numbers were drawn since) and the last one was counted."""
        self.call["native_begin_trial"](self.trial.at, self.habits.at, seed, horizon, deal)

    def practise(self, deals: int) -> int:
        """Plays the first deals of so many matches, for what pays to be learnt by, from all hands alike. Gives how many
        were played."""
        played: int = self.call["native_practise"](self.engine.work.at, self.trial.at, deals)
        self.practised += deals
        return played

    def suppose(self, wild: Sequence[float]) -> bool:
        """Where players bet: what others may hold is weighed by what they have done. Before trial games are played.
        `wild`: how likely each of them, by seat, bets without looking at their hand. Gives whether all stay in in these
        games: where something else than a bet is decided about a hand."""
        numbers = (ctypes.c_double * len(wild))(*wild)
        return bool(self.call["native_suppose"](self.engine.work.at, self.onlooker.at, self.trial.at, numbers))

    def stay(self, rounds: int) -> tuple[float, int]:
        """Where players bet: how much of what can be won comes to who is asked if everybody stays in to the end, over
        so many samples; and how many of them could be played."""
        room = (ctypes.c_double * 2)()
        at = self.engine.work.at, self.onlooker.at, self.trial.at
        self.call["native_stay"](*at, rounds, room)
        return room[0], int(room[1])

    def run(self, moves: Sequence[int], counted: Sequence[int], rounds: int) -> int:
        """Tries each of some moves (by its place among those that are open; `counted`: where what comes of it is
        counted) once in each of so many samples. Gives how many samples could be played."""
        places = (ctypes.c_int64 * (2 * len(moves)))(*moves, *counted)
        at = self.engine.work.at, self.onlooker.at, self.trial.at
        played: int = self.call["native_try"](*at, places, len(moves), rounds)
        return played

    def plant(self) -> None:
        """A tree search of the decision begins, after each move has been tried."""
        if self.tree is None:
            self.tree = Memory(self.call["native_size_of_tree"]())
        self.call["native_plant"](self.tree.at, self.trial.at)

    def grow(self, moves: Sequence[int], games: int, eager: float) -> int:
        """Plays so many trial games by the tree, which grows with each; what comes of each move is counted at its place
        among `moves`. `eager`: how far moves that have been tried less are preferred. Gives how many were played."""
        assert self.tree is not None
        places = (ctypes.c_int64 * (2 * len(moves)))(*moves, *range(len(moves)))
        at = self.engine.work.at, self.onlooker.at, self.trial.at, self.tree.at
        played: int = self.call["native_grow"](*at, places, len(moves), games, round(1000 * eager))
        return played

    def expected(self, moves: Sequence[int]) -> list[list[float]]:
        """What trial games of earlier decisions tell of moves like these: of each the lead that is expected, its
        variance, and how many games told it."""
        room, places = (ctypes.c_double * (3 * len(moves)))(), (ctypes.c_int64 * len(moves))(*moves)
        at = self.engine.work.at, self.onlooker.at, self.trial.at
        self.call["native_expected"](*at, places, len(moves), room)
        return [room[at : at + 3] for at in range(0, 3 * len(moves), 3)]

    def how_often(self, moves: Sequence[int]) -> list[int]:
        """Of some moves with a card that the player cannot tell, where all play together: 0 if they never bring more,
        whichever card that is, 1 if they may, 2 if they always do. Of others 0."""
        room, places = (ctypes.c_int64 * len(moves))(), (ctypes.c_int64 * len(moves))(*moves)
        at = self.engine.work.at, self.onlooker.at, self.trial.at
        self.call["native_how_often"](*at, places, len(moves), room)
        return list(room)

    def counted(self, count: int) -> tuple[list[list[float]], float, float]:
        """What came of the first moves: of each the numbers of `interpreter.players.outcomes.Tried`, from `games` to
        `lost`; the largest lead or lag, and the largest gain or loss."""
        room = (ctypes.c_double * (count * COUNTED + 2))()
        self.call["native_tried"](self.trial.at, room, count)
        rows = [room[at : at + COUNTED] for at in range(0, count * COUNTED, COUNTED)]
        return rows, room[count * COUNTED], room[count * COUNTED + 1]

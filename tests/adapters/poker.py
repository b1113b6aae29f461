"""Replay of no-limit hold'em hands in PokerKit: equal cards, stacks, bets, legal moves and payouts."""

import warnings
from collections import Counter
from functools import cache
from random import Random
from typing import Any

import cardlang
from cardlang.model import Game
from interpreter.match.event_log import MatchOrigin
from interpreter.match.match import Match
from interpreter.narration.display_names import MatchNames
from interpreter.program.program import FIRST_BLOCK, compile_game
from interpreter.runtime.state import State
from interpreter.runtime.value_formatting import get_default_names
from tests.adapters.lockstep.pairing import adapt

BLINDS = (1, 2)


@cache
def build_one_hand_game() -> Game:
    """Return a game of Texas Hold'em that ends after one hand."""
    return adapt("texas_holdem", "\n  define last-deal as 1\n")


class Stacked(MatchOrigin):
    """A match whose players begin with different stacks."""

    def __init__(self, names: MatchNames, seed: int, stacks: list[int]) -> None:
        super().__init__(names, seed)
        self.stacks = stacks

    def build_first_state(self) -> State:
        state = self.program.create_blank_state(self.seed)
        base = self.program.track_base["chips"]
        state.t[base : base + len(self.stacks)] = self.stacks
        self.program.begin_block(state, FIRST_BLOCK)
        return state


class Hand:
    """One hand on both sides. `notes` counts what the rules there allow and here forbid, which is then not done."""

    def __init__(self, pokerkit: Any, seed: int, notes: Counter[str]) -> None:
        self.random = Random(seed)
        self.notes = notes
        players = self.random.randint(2, 6)
        names = MatchNames(compile_game(build_one_hand_game(), players), get_default_names(players))
        self.stacks = [
            self.random.choice((self.random.randint(5, 40), self.random.randint(40, 200))) for _ in range(players)
        ]
        origin = Stacked(names, seed, self.stacks)
        self.match = Match(names, origin, origin.build_first_state())
        self.dealer = self.track("dealer")
        self.seats = [(self.dealer + 1 + each) % players for each in range(players)]
        self.deck = [
            names.get_card_code(card) for card in reversed(self.match.state.z[names.program.zone_base["deck"]])
        ]
        holes = [self.match.state.z[names.program.zone_base["hand"] + seat] for seat in self.seats]
        self.there = begin(pokerkit, [self.stacks[seat] for seat in self.seats])
        for hole in holes:
            self.there.deal_hole(convert_cards(names.get_card_code(card) for card in hole))
        self.streets = [self.deck[1:4], self.deck[5:6], self.deck[7:8]]

    def track(self, name: str, seat: int = 0) -> int:
        return self.match.state.t[self.match.program.track_base[name] + seat]

    def play(self) -> int:
        """Play the hand with random moves. Return the number of compared decisions."""
        compared = 0
        self.deal()
        while self.there.status:
            assert self.seats[self.there.actor_index] == self.match.state.who, "another player"
            text, there = self.choice()
            self.match.choose(text)
            there()
            self.deal()
            compared += 1
        assert self.match.over
        held = [self.track("chips", seat) for seat in self.seats]
        self.compare(held, self.there.stacks)
        return compared

    def compare(self, held: list[int], there: list[int]) -> None:
        """Compare the chips at the end. cardlang shares each pot on its own, so odd chips may differ by one."""
        apart = [mine - theirs for mine, theirs in zip(held, there, strict=True)]
        assert sum(apart) == 0 and max(apart) <= 2, (held, there, self.stacks)
        assert all(bool(mine) == bool(theirs) for mine, theirs in zip(held, there, strict=True))
        self.notes["odd chips of several pots with the same winners"] += any(apart)

    def deal(self) -> None:
        while self.there.status and self.there.can_burn_card():
            self.there.burn_card("??")
            self.there.deal_board(convert_cards(self.streets.pop(0)))

    def choice(self) -> tuple[str, Any]:
        """Return a random move of both sides, after comparing all legal moves."""
        state, texts = self.there, self.match.decision.moves.texts
        call = "call" if state.checking_or_calling_amount else "check"
        assert call in texts, (call, texts)
        moves: list[tuple[str, Any]] = [(call, state.check_or_call)] * 2
        assert ("fold" in texts) == bool(state.checking_or_calling_amount)
        if "fold" in texts:
            moves.append(("fold", state.fold))
        sizes = [text for text in texts if text[-1].isdigit()]
        if not state.can_complete_bet_or_raise_to():
            assert not sizes, (sizes, state.bets, state.stacks)
            return self.random.choice(moves)
        if not sizes:
            assert state.completion_betting_or_raising_amount < BLINDS[1], (state.bets, state.stacks)
            self.notes["raise there only, after a first all-in that is less than the big blind"] += 1
            return self.random.choice(moves)
        highest = max(state.bets)
        low, high = state.min_completion_betting_or_raising_to_amount, state.max_completion_betting_or_raising_to_amount
        word = sizes[0].split()[0]
        assert sizes == [f"{word} {amount - highest}" for amount in range(low, high + 1)], (
            sizes[:3],
            sizes[-2:],
            low,
            high,
            highest,
        )
        for amount in (low, high, self.random.randint(low, high)):
            moves.append((f"{word} {amount - highest}", lambda amount=amount: state.complete_bet_or_raise_to(amount)))
        return self.random.choice(moves)


def begin(pokerkit: Any, stacks: list[int]) -> Any:
    automatic = pokerkit.Automation
    return pokerkit.NoLimitTexasHoldem.create_state(
        (
            automatic.ANTE_POSTING, automatic.BET_COLLECTION, automatic.BLIND_OR_STRADDLE_POSTING,
            automatic.HOLE_CARDS_SHOWING_OR_MUCKING, automatic.HAND_KILLING, automatic.CHIPS_PUSHING,
            automatic.CHIPS_PULLING,
        ),
        True, 0, BLINDS, BLINDS[1], stacks, len(stacks),
    )  # fmt: skip


def convert_cards(codes: Any) -> str:
    return "".join(code.replace("10", "T") for code in codes)


def compare_hands(pokerkit: Any, pairs: int, seed: int) -> Counter[str]:
    """Compare random pairs of seven-card hands on both sides.

    Return the number of pairs by the rank of the better hand."""
    random = Random(seed)
    game = cardlang.load("texas_holdem")
    program = compile_game(game, 2)
    names = MatchNames(program, get_default_names(2))
    state = program.create_blank_state(0)
    hand, board = program.zone_base["hand"], program.zone_base["board"]
    strength = compute_strengths(program)
    results: Counter[str] = Counter()
    for _ in range(pairs):
        cards = random.sample(range(52), 9)
        for pile, its in ((hand, cards[:2]), (hand + 1, cards[2:4]), (board, cards[4:])):
            state.z[pile] = list(its)
            for card in its:
                state.loc[card] = pile
        mine = [strength(state, seat) for seat in (0, 1)]
        codes = [names.get_card_code(card) for card in cards]
        theirs = [
            pokerkit.StandardHighHand.from_game(convert_cards(hole), convert_cards(codes[4:]))
            for hole in (codes[:2], codes[2:4])
        ]
        here, there = compare_values(mine[0], mine[1]), compare_values(theirs[0], theirs[1])
        assert here == there, (codes, mine, theirs)
        results[max(mine, key=lambda reading: reading.strength).title] += 1
    return results


def compute_strengths(program: Any) -> Any:
    """Return the `strength` of each player in a state."""
    from interpreter.lower.standings import SEAT_VARIABLE

    expr = program.find_player_expression("strength")
    return lambda state, seat: program.evaluate(expr, state, {SEAT_VARIABLE.id: seat})


def compare_values(first: Any, second: Any) -> int:
    return (first > second) - (first < second)


def play_hands(pokerkit: Any, hands: int, seed: int) -> tuple[int, Counter[str]]:
    """Play random hands. Return the number of compared decisions, and the notes."""
    notes: Counter[str] = Counter()
    compared = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(seed, seed + hands):
            try:
                compared += Hand(pokerkit, number, notes).play()
            except AssertionError as error:
                raise AssertionError(f"hand {number}: {error}") from error
    return compared, notes

"""Inference from observed moves (card reading). A player who had to follow suit and did not has no card of that suit.

A sample of the match agrees with a move if the move was legal with the cards that the sample deals. If not, the moves
that were legal instead identify cards that the player cannot have had. Those cards are swapped with others. After a few
rounds of repair, the sample is used as it is.

Inferences end at each random event. They also end if a card moves that another player sees and the onlooker does not.
The onlooker cannot know which card left a hidden hand. So inferences depend only on the onlooker's knowledge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random

from attrs import define, field

from interpreter.errors import RuleError
from interpreter.layout import about_cards
from interpreter.matches.allowing import Deed, carry_out
from interpreter.matches.chosen import Hearing
from interpreter.matches.match import Match
from interpreter.matches.moves import asked_type
from interpreter.matches.names import Names
from interpreter.matches.origin import Origin
from interpreter.matches.sampling import renamed, sample_state, swap_cards
from interpreter.players.betting import Tempers, betting_of
from interpreter.players.marks import May, note, substituted
from interpreter.program import Program
from interpreter.state import DONE, Site, State

ROUNDS = 12
"""Number of repair rounds for a sample."""
CERTAIN = 24
"""Number of consecutive samples in which a move was legal, after which it counts as independent of hidden cards."""
REMEMBERED = 120
"""Number of recent moves stored since the last random event."""


@define(eq=False)
class Made:
    """Move of any player. `before`: the state before the move.

    held: the cards hidden from the onlooker that the player owned and could see then, in their current order.
    agreed: the number of consecutive samples in which the move was legal.
    barred: faces that were not among the held cards.
    """

    before: State
    code: int
    held: list[int] = field(factory=list)
    barred: set[int] = field(factory=set)
    agreed: int = 0


class Follower:
    """Follower of a match for one seat. It can follow several matches, one after another."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.origin: Origin | None = None
        self.choices: list[Deed] = []
        self.state: State | None = None
        self.tempers: Tempers | None = None
        """Estimates of betting styles, in games with bets."""

    def follow(self, match: Match) -> None:
        """Process the moves since the last call."""
        known = len(self.choices)
        if self.origin is not match.origin or match.choices[:known] != self.choices or self.state is None:
            self.origin, self.choices, known = match.origin, [], 0
            self.forget()
            self.state = match.origin.state()
            betting = betting_of(match.program)
            self.tempers = None if betting is None else Tempers(betting)
        program, state = match.program, self.state
        for code in match.choices[known:]:
            before, chance = program.clone(state), state.rng
            carry_out(match.names, state, code)
            if not isinstance(code, int):
                self.forget()  # an override may invalidate earlier inferences
                continue
            self.saw(match.names, before, code)
            if self.tempers is not None and self.is_told(match.names, before, code):
                self.tempers.see(before, code)
            if state.rng != chance:
                self.forget()
        self.choices = match.choices.copy()

    def wild(self, seat: int) -> float:
        """Return the probability that a player bets without looking at their hand."""
        return self.tempers.wild(seat) if self.tempers is not None else 0.0

    def forget(self) -> None:
        """Discard the inferences from earlier moves."""
        raise NotImplementedError

    def saw(self, names: Names, before: State, code: int) -> None:
        """Process a move of any player."""
        raise NotImplementedError

    def is_told(self, names: Names, before: State, code: int) -> bool:
        """Return whether the onlooker knows a move, by the rules alone."""
        program, site = names.program, names.program.site(before)
        if site.number in program.lowering.splitter.together:
            return False
        if Hearing(names, before, site, self.seat).is_secret(code):
            return False
        kept = names.facts.common.secrecy.kept
        option = None if code == DONE else program.decode(site, code)[0]
        return option is None or not any(var.id in kept for var, _ in site.options[option].binders)


class Onlooker(Follower):
    """Follower that samples its match."""

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.made: list[Made] = []
        self.open: list[Made] = []
        """Moves that are evidence now."""
        self.may: May = {}
        """Possible faces of the card in each place, by its marks."""
        self.renaming: list[int] = []
        """Permutation of cards in the last sample."""

    # ------------------------------------------------------------ following
    def follow(self, match: Match) -> None:
        super().follow(match)
        del self.made[:-REMEMBERED]
        assert self.state is not None
        self.open = list(self.telling(match.names, self.state))
        self.note_all(match.names, self.state)

    def forget(self) -> None:
        self.made.clear()

    def saw(self, names: Names, before: State, code: int) -> None:
        self.made.append(Made(before, code))

    def note_all(self, names: Names, now: State) -> None:
        """Update the possible faces by all public marks.

        The moves are replayed with a new deal of the hidden cards, so that nothing depends on cards that the onlooker
        cannot see.
        """
        self.may = {}
        if not names.program.layout.marks or names.facts.common.secrecy.has_secrets:
            return
        renaming, may = renamed(names, now, self.seat, Random(f"marks {len(self.choices)}"), False), May()
        afters = [*(made.before for made in self.made[1:]), now]
        for made, after in zip(self.made, afters, strict=False):
            if self.is_told(names, made.before, made.code):
                one, other = (as_dealt(names, state, renaming) for state in (made.before, after))
                with suppress(RuleError):
                    note(names, one, substituted(names, made.before, made.code, renaming), other, may)
        places = {card: place for place, card in enumerate(renaming)}
        self.may = {places[card]: faces for card, faces in may.items()}

    def telling(self, names: Names, now: State) -> Iterator[Made]:
        """Yield the known moves of others that are evidence.

        Since such a move, no hidden card has moved that another player could see. In games with secrets there are none,
        because legal moves may depend on secrets.
        """
        program = names.program
        if names.facts.common.secrecy.has_secrets:
            return
        hidden = [card for card in lying(now) if not program.visible(now, card, self.seat)]
        for made in self.made:
            before = made.before
            if before.who == self.seat or not self.is_open(names, made, now):
                continue
            if any(self.has_moved(program, card, before, now) for card in hidden):
                continue
            who = before.who
            made.held = [card for card in hidden if before.owner[card] == who and program.visible(before, card, who)]
            if made.held:
                yield made

    def shows_hand(self, names: Names, made: Made, now: State) -> bool:
        """Return whether another player made this move openly and by cards that are hidden now."""
        return self.is_open(names, made, now) and self.is_by_hand(names, made, now)

    def shows_set(self, names: Names, made: Made, now: State) -> bool:
        """Return whether another player picked cards by their hand. The picked cards may be hidden."""
        is_pick = names.program.site(made.before).kind == "pick"
        return is_pick and self.is_told(names, made.before, made.code) and self.is_by_hand(names, made, now)

    def is_by_hand(self, names: Names, made: Made, now: State) -> bool:
        """Return whether another player chose by hidden cards that have not moved since.

        Moves of other hands do not matter.

        In games with bets, later discards do not matter either, because they are a part of the weight of a sample.
        """
        program, before, who = names.program, made.before, made.before.who
        if who == self.seat or names.facts.common.secrecy.has_secrets:
            return False
        hidden = [card for card in lying(now) if not program.visible(now, card, self.seat)]
        held = [card for card in hidden if program.visible(before, card, who)]
        if all(before.owner[card] != who for card in held):
            return False
        if self.tempers is not None:
            return not any(program.visible(before, card, self.seat) for card in held)
        return not any(self.has_moved(program, card, before, now) for card in held)

    def has_moved(self, program: Program, card: int, before: State, now: State) -> bool:
        """Return whether a hidden card may have been moved by a player who saw it, or was known to the onlooker."""
        then = before.known[card] | seers(program, before.loc[card])
        others = (then | now.known[card] | seers(program, now.loc[card])) & ~(1 << self.seat | 1 << program.players)
        return bool(then >> self.seat & 1) or (bool(others) and before.loc[card] != now.loc[card])

    def is_open(self, names: Names, made: Made, now: State) -> bool:
        """Return whether the onlooker knows a move and can see all cards in it."""
        program = names.program
        if not self.is_told(names, made.before, made.code):
            return False
        return all(program.visible(now, card, self.seat) for card in cards_of(program, made.before, made.code))

    # ------------------------------------------------------------ samples
    def sample(self, match: Match, seed: int) -> State:
        """Return a sample like `Match.sample` that agrees with the moves of others, if possible."""

        def fit(renaming: list[int], chance: Random) -> None:
            self.fit(match.names, renaming, chance)
            self.renaming = renaming

        return sample_state(match.names, match.state, self.seat, seed, fit)

    def past(self, names: Names, made: Made) -> State:
        """Return the state before a move, with the cards of the last sample."""
        return as_dealt(names, made.before, self.renaming)

    def fit(self, names: Names, renaming: list[int], chance: Random) -> None:
        """Change a permutation of cards so that the moves of others were legal."""
        for _ in range(ROUNDS):
            self.mend(names, renaming, chance)
            doubtful = [made for made in self.open if made.agreed < CERTAIN or made.barred]
            if all([agrees(names, made, renaming) for made in doubtful]):
                break

    def mend(self, names: Names, renaming: list[int], chance: Random) -> None:
        """Swap cards that contradict the evidence with other cards, as far as possible."""
        assert self.state is not None
        bars: dict[int, set[int]] = {}
        for made in self.open:
            for card in made.held if made.barred else ():
                bars.setdefault(card, set()).update(made.barred)
        everything = set(names.program.face)
        for place, faces in self.may.items():
            bars.setdefault(place, set()).update(everything - faces)
        if not bars:
            return
        places = [card for card in lying(self.state) if not names.program.visible(self.state, card, self.seat)]
        chance.shuffle(places)
        face = names.program.face

        def fits(card: int, place: int) -> bool:
            return home(names, card) == home(names, place) and face[renaming[card]] not in bars.get(place, NOTHING)

        for place in places:
            if not fits(place, place):
                ring = ring_of(place, places, fits)
                for place, card in zip(ring, [renaming[card] for card in (*ring[1:], *ring[:1])], strict=True):
                    renaming[place] = card


def ring_of(first: int, places: list[int], fits: Callable[[int, int], bool]) -> list[int]:
    """Return the shortest cycle of places through `first` in which each place can take the card of the next.

    The last place takes the card of the first. Return only `first` if there is no cycle. (Breadth-first search.)
    """
    before, todo = {first: first}, [first]
    for place in todo:
        if place != first and fits(first, place):
            ring = [place]
            while ring[-1] != first:
                ring.append(before[ring[-1]])
            return ring[::-1]
        for other in places:
            if other not in before and fits(other, place):
                before[other] = place
                todo.append(other)
    return [first]


NOTHING: frozenset[int] = frozenset()


def agrees(names: Names, made: Made, renaming: list[int]) -> bool:
    """Return whether a move was legal with the cards of a permutation. If not, record the cards that contradict it."""
    program, state = names.program, as_dealt(names, made.before, renaming)
    try:
        program.refresh(state)
    except RuleError:
        return True
    like = looks(program, state, made.code)
    if made.code in state.legal or any(looks(program, state, code) == like for code in state.legal):
        made.agreed += 1
        return True
    made.agreed = 0
    dealt = {renaming[card] for card in made.held}
    made.barred |= {
        program.face[card] for code in state.legal for card in cards_of(program, state, code) if card in dealt
    }
    return False


def as_dealt(names: Names, before: State, renaming: list[int]) -> State:
    """Return a state with its cards permuted."""
    state = names.program.clone(before)
    state.events, state.checking = None, False
    swap_cards(names, state, renaming)
    return state


def looks(program: Program, state: State, code: int) -> object:
    """Return a key that is equal for moves that differ only in the copy of a card."""
    if code == DONE:
        return DONE
    site = program.site(state)
    option, values = program.decode(site, code)
    return option, *(
        program.face[value] if is_card else value
        for value, is_card in zip(values, bound_cards(site, option), strict=True)
    )


def cards_of(program: Program, state: State, code: int) -> list[int]:
    """Return the cards that a move names."""
    if code == DONE:
        return []
    site = program.site(state)
    option, values = program.decode(site, code)
    return [value for value, is_card in zip(values, bound_cards(site, option), strict=True) if is_card]


def bound_cards(site: Site, option: int | None) -> list[bool]:
    """Return for each value in a move whether it is a card."""
    if option is not None:
        return [var.type.tag == "card" for var, _ in site.options[option].binders]
    return [site.kind != "number" and about_cards(asked_type(site))]


def lying(state: State) -> list[int]:
    """Return all cards in the order of their positions. The order does not depend on the cards' identities."""
    return [card for pile in state.z for card in pile] + [card for card, pile in enumerate(state.loc) if pile < 0]


def seers(program: Program, pile: int) -> int:
    """Return the bit set of seats that see the cards of a pile."""
    return program.layout.sees[pile] if pile >= 0 else 0


def home(names: Names, card: int) -> str:
    """Return the home zone of a card's set. It is known from the back of the card."""
    return names.game.sets[names.game.faces[names.program.face[card]].set].home

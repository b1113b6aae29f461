"""What somebody at the table may conclude from moves that others have made in the open: who had to follow suit if
they could, and played another, holds none of it.

A sample of the match is right about a move if the move was open to whoever made it, with the cards that the sample
deals them. Where it is not, the moves that were open instead name the cards that cannot have been there: those change
places with others. A few rounds of that are tried; then the sample is taken as it is.

Nothing is concluded across chance, nor from moves since which cards have changed places that somebody sees and the
onlooker does not: the onlooker cannot tell which card of a hidden hand went away. So what is concluded depends on
nothing but what the onlooker knows.
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
"""So often a sample is mended."""
CERTAIN = 24
"""A move that was open in so many samples in a row does not depend on hidden cards, or hardly."""
REMEMBERED = 120
"""Of the moves made since the last chance, so many are kept."""


@define(eq=False)
class Made:
    """A move that somebody made. `before`: the state that it was made in. `held`: the cards hidden from the onlooker
    that whoever made it had and could tell then, in the order in which they lie now; `agreed`: in how many samples in
    a row it was open; `barred`: faces that were not among them."""

    before: State
    code: int
    held: list[int] = field(factory=list)
    barred: set[int] = field(factory=set)
    agreed: int = 0


class Follower:
    """Follows a match, or several one after another, for one seat."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.origin: Origin | None = None
        self.choices: list[Deed] = []
        self.state: State | None = None
        self.tempers: Tempers | None = None
        """Where players bet."""

    def follow(self, match: Match) -> None:
        """Looks at the moves made since last time."""
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
                self.forget()  # outside the rules: what was concluded may hold no more
                continue
            self.saw(match.names, before, code)
            if self.tempers is not None and self.is_told(match.names, before, code):
                self.tempers.see(before, code)
            if state.rng != chance:
                self.forget()
        self.choices = match.choices.copy()

    def wild(self, seat: int) -> float:
        """How likely a player bets without looking at their hand."""
        return self.tempers.wild(seat) if self.tempers is not None else 0.0

    def forget(self) -> None:
        """The moves so far tell nothing."""
        raise NotImplementedError

    def saw(self, names: Names, before: State, code: int) -> None:
        """Somebody made a move."""
        raise NotImplementedError

    def is_told(self, names: Names, before: State, code: int) -> bool:
        """Whether the onlooker has been told of a move, as far as the rules alone decide."""
        program, site = names.program, names.program.site(before)
        if site.number in program.lowering.splitter.together:
            return False
        if Hearing(names, before, site, self.seat).is_secret(code):
            return False
        kept = names.facts.common.secrecy.kept
        option = None if code == DONE else program.decode(site, code)[0]
        return option is None or not any(var.id in kept for var, _ in site.options[option].binders)


class Onlooker(Follower):
    """Samples a match that it follows."""

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.made: list[Made] = []
        self.open: list[Made] = []
        """Those from which something can be concluded now."""
        self.may: May = {}
        """What marks tell of the card in each place."""
        self.renaming: list[int] = []
        """Where the cards went in the last sample."""

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
        """Takes over what marks tell everybody. The moves are tried with cards dealt anew: nothing that the onlooker
        cannot tell has a say."""
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
        """The moves made by others in the open, since which no hidden card has moved that somebody could tell. In
        games with secrets there are none: what is open to somebody may depend on theirs."""
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
        """Whether somebody else chose in the open by cards that are hidden now."""
        return self.is_open(names, made, now) and self.is_by_hand(names, made, now)

    def shows_set(self, names: Names, made: Made, now: State) -> bool:
        """Whether somebody else picked cards then, whichever they were."""
        is_pick = names.program.site(made.before).kind == "pick"
        return is_pick and self.is_told(names, made.before, made.code) and self.is_by_hand(names, made, now)

    def is_by_hand(self, names: Names, made: Made, now: State) -> bool:
        """Whether somebody else chose by cards that lie as they did then: what others have done with theirs does not
        matter. Where players bet, samples are weighed by all that was done: there it does not matter either which of
        the cards have been let go since."""
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
        """Whether somebody may have chosen a hidden card, or the onlooker knew it once."""
        then = before.known[card] | seers(program, before.loc[card])
        others = (then | now.known[card] | seers(program, now.loc[card])) & ~(1 << self.seat | 1 << program.players)
        return bool(then >> self.seat & 1) or (bool(others) and before.loc[card] != now.loc[card])

    def is_open(self, names: Names, made: Made, now: State) -> bool:
        """Whether the onlooker has been told of a move, and can tell all cards in it."""
        program = names.program
        if not self.is_told(names, made.before, made.code):
            return False
        return all(program.visible(now, card, self.seat) for card in cards_of(program, made.before, made.code))

    # ------------------------------------------------------------ samples
    def sample(self, match: Match, seed: int) -> State:
        """A state as `Match.sample` has it, which fits the moves of others, if one can be found."""

        def fit(renaming: list[int], chance: Random) -> None:
            self.fit(match.names, renaming, chance)
            self.renaming = renaming

        return sample_state(match.names, match.state, self.seat, seed, fit)

    def past(self, names: Names, made: Made) -> State:
        """The state before a move, with the cards that the last sample deals."""
        return as_dealt(names, made.before, self.renaming)

    def fit(self, names: Names, renaming: list[int], chance: Random) -> None:
        """Changes a renaming so that what others did was open to them."""
        for _ in range(ROUNDS):
            self.mend(names, renaming, chance)
            doubtful = [made for made in self.open if made.agreed < CERTAIN or made.barred]
            if all([agrees(names, made, renaming) for made in doubtful]):
                break

    def mend(self, names: Names, renaming: list[int], chance: Random) -> None:
        """Cards that cannot be where they are change places with others, as far as that helps."""
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
    """The fewest places, the first one among them, each of which can take the card of the next one, and the last that
    of the first; just the first, if there are none."""
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
    """Whether a move was open with the cards that a renaming deals. If not, it is noted which cards were in the
    way."""
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
    """A state with the cards that a renaming deals."""
    state = names.program.clone(before)
    state.events, state.checking = None, False
    swap_cards(names, state, renaming)
    return state


def looks(program: Program, state: State, code: int) -> object:
    """Equal for moves that differ in the copy of a card alone."""
    if code == DONE:
        return DONE
    site = program.site(state)
    option, values = program.decode(site, code)
    return option, *(
        program.face[value] if is_card else value
        for value, is_card in zip(values, bound_cards(site, option), strict=True)
    )


def cards_of(program: Program, state: State, code: int) -> list[int]:
    """The cards that a move names."""
    if code == DONE:
        return []
    site = program.site(state)
    option, values = program.decode(site, code)
    return [value for value, is_card in zip(values, bound_cards(site, option), strict=True) if is_card]


def bound_cards(site: Site, option: int | None) -> list[bool]:
    """Of the values in a move, which are cards."""
    if option is not None:
        return [var.type.tag == "card" for var, _ in site.options[option].binders]
    return [site.kind != "number" and about_cards(asked_type(site))]


def lying(state: State) -> list[int]:
    """All cards in the order in which they lie: what is made of it does not depend on which they are."""
    return [card for pile in state.z for card in pile] + [card for card, pile in enumerate(state.loc) if pile < 0]


def seers(program: Program, pile: int) -> int:
    """The set of those who see the cards of a pile."""
    return program.layout.sees[pile] if pile >= 0 else 0


def home(names: Names, card: int) -> str:
    """What a card's back tells."""
    return names.game.sets[names.game.faces[names.program.face[card]].set].home

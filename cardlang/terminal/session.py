"""A match with people and bots at one screen, whatever the screen is: whose turn it is, what has been chosen so far,
what comes of what is done. It draws nothing and asks nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import sleep
from typing import Protocol

from attrs import define, evolve, field, frozen

from cardlang.terminal.forced import act, is_own, stage, told
from cardlang.terminal.pace import Pace, Timing
from cardlang.terminal.sets import named, no_more
from cardlang.terminal.taking_back import question
from interpreter.errors import MoveError, RecordingError
from interpreter.matches.match import Match
from interpreter.table.addressing import to
from interpreter.table.model import Choosing, Moment, Table, Told
from interpreter.table.telling import log_lines


class Bot(Protocol):
    """Plays a seat: gives the index of a move of the decision that the match stands at."""

    def choose(self, match: Match) -> int: ...


Hint = Callable[[Match], str]
"""What somebody who knows the game would do, in a sentence or two."""


@frozen
class Texts:
    """What can be read beside the table, made when it is asked for, in Markdown. `rules`: the sheet; `aid`: what one
    looks up while playing; `cards`: what is printed on the cards, where codes do not say it, by face."""

    rules: Callable[[], str]
    aid: Callable[[], str]
    cards: Callable[[], Mapping[int, str]]


@define
class Session:
    """Who is not in `bots` sits at the terminal. `kept`: the match is recorded without having been asked for, so that
    it goes on where that fails. `pace`: how long a decision of a bot takes, if somebody watches."""

    match: Match
    bots: Mapping[str, Bot]
    texts: Texts
    hint: Hint
    kept: bool = False
    pace: Pace | None = None
    hasty: Mapping[str, Bot] = field(factory=dict)
    """Who plays in place of the bots where somebody wants to see the end: they hardly think."""
    notes: list[str] = field(factory=list)
    """What is to be said until the next move."""
    viewer: str = ""
    """Who sees the screen now."""
    lays: bool = False
    """Whether people lay each card of theirs themselves, also the only one that can be laid."""
    chosen: tuple[str, ...] = ()
    """Refs of what the viewer has chosen so far, of a choice of several."""
    filled: tuple[str, ...] = ()
    """Of these, what was ticked for the viewer, as nothing else went with the rest."""
    given: str = ""
    """What they chose last, of a choice of several."""
    actor: str | None = None
    """Who made the last move here."""
    forced: list[str] = field(factory=list)
    """The moves that were made for the viewer since their last, as no other was open."""
    stage: str = ""
    """The outermost step in which the last of these was made."""
    past: tuple[Moment, ...] = ()  # the results that the viewer had before them at their last move
    seen: int = 0  # so many lines of the log there were when the viewer moved
    told: int = 0
    """So many lines of what happened since their last move the viewer has read with a result."""
    passed: int = 0
    """So many of these belong to a result that was looked at; the others can be read again."""
    misread: bool = False
    """Whether the last typed line meant nothing: Enter alone then does nothing either."""
    asked_back: bool = False
    """Whether the viewer is asked if they want to take their move back."""
    passing: str = ""
    """The turn of which the viewer lets all pass."""
    since: int | None = None
    """With which deed they began to."""
    tricks: tuple[Moment, ...] = ()
    """All tricks that ended since the viewer's last look, the oldest first."""
    way: tuple[Table, ...] = ()
    """The tables on the way to what has come of the last move, which the viewer has not seen yet."""

    @property
    def people(self) -> list[str]:
        return [name for name in self.match.players if name not in self.bots]

    @property
    def person(self) -> str | None:
        """Who is asked and sits at the terminal; None while a bot is asked, and in the end."""
        decision = self.match.decision
        return decision.player if decision is not None and decision.player not in self.bots else None

    @property
    def curtained(self) -> bool:
        """Whether the next person must not see what the last one saw."""
        return self.person is not None and len(self.people) > 1 and self.viewer != self.person

    def look(self) -> None:
        """The person who is asked looks at the screen now."""
        if self.person is not None and self.viewer != self.person:
            self.viewer, self.chosen, self.tricks = self.person, (), ()

    def table(self) -> Table:
        """What is to be seen now."""
        return self.shown(self.laid(self.chosen))

    def shown(self, table: Table) -> Table:
        """A table without what the viewer has read already."""
        news = {told.text for told in table.since}
        shown = [
            one
            for each in table.moments
            if each.kind != "result" or each.hands or not {each.headline, *each.lines} <= news
            for one in (self.tricks if each in self.tricks[-1:] else (each,))
        ]
        left = tuple(each for each in shown if table.over or not self.is_past(each))
        return evolve(table, moments=left, since=table.since[self.told :])

    def laid(self, chosen: Sequence[str] = ()) -> Table:
        """The table of the match. What happened while the viewer let all pass has happened since their move."""
        table = self.match.table(self.onlooker(), chosen)
        if self.since is None:
            return table
        let_by = tuple(each for each in table.earlier if each.at >= self.since)
        earlier = table.earlier[: len(table.earlier) - len(let_by)]
        return evolve(table, since=(*let_by, *table.since), earlier=earlier)

    def read_before(self) -> tuple[Told, ...]:
        """What happened since the viewer's last move and was read already, without a result."""
        return self.laid().since[self.passed : self.told]

    def last_trick(self) -> tuple[Moment, ...]:
        """The last trick, once the viewer has looked at it, until its deal is scored."""
        moments = self.laid().moments
        ended = next((each for each in reversed(moments) if each.kind in ("trick", "scores", "end")), None)
        return (ended,) if ended is not None and ended.kind == "trick" and self.is_past(ended) else ()

    def is_past(self, moment: Moment) -> bool:
        """Whether the viewer has moved on from a result."""
        return any(is_same(moment, each) for each in self.past)

    def log(self) -> Sequence[str]:
        """All that the viewer saw happen."""
        return [*map(to(self.onlooker()).text, log_lines(self.match.view(self.onlooker()).events))]

    def onlooker(self) -> str | None:
        """Whose eyes the screen has: the person's who was asked last, or the first one's; a spectator's where nobody
        plays, and in the end where several do."""
        if self.match.over and len(self.people) > 1:
            return None
        return self.viewer or next(iter(self.people), None)

    # ------------------------------------------------------------ bots, and what nobody has to decide
    def waits(self) -> bool:
        """Whether a person has to decide."""
        return self.person is not None and not self.is_forced() and not self.lets_pass()

    def is_forced(self) -> bool:
        """Whether one move alone is open to a person who plays alone against bots, and is made for them."""
        decision = self.match.decision
        alone = decision is not None and len(decision.moves) == 1 and len(self.people) == 1
        return alone and not (self.lays and is_own(self.laid()))

    def picks(self) -> bool:
        """Whether something is picked now."""
        return self.match.program.site(self.match.state).kind in ("pick", "several")

    def lets_pass(self) -> bool:
        """Whether the viewer lets pass what they are asked about; not any more, once it is something else."""
        if self.passing and self.person == self.viewer and not self.is_forced():
            ask = self.laid().ask
            self.passing = self.passing if ask is not None and ask.turn == self.passing else ""
        return bool(self.passing)

    def thought(self, hurried: bool = False) -> int:
        """The move that the bot makes who is asked, or the only one there is. Takes a while, unless `hurried`; changes
        nothing."""
        decision = self.match.decision
        assert decision is not None
        bots = self.hasty if hurried and self.hasty else self.bots
        bot = bots.get(decision.player)
        if bot is not None:
            return bot.choose(self.match)
        return decision.moves.texts.index("pass") if len(decision.moves) > 1 else 0

    def play(self, move: int) -> None:
        """Makes a move that `thought` gave. Raises RuleError, RecordingError."""
        decision = self.match.decision
        if decision is not None and decision.player not in self.bots and self.is_forced():
            made, completes = act(self.match, move), self.picks() and not is_own(self.table())
            # who has just done something has not been passed over, and knows how it is completed
            if decision.player != self.actor or not (made == "pass" or (not self.forced and completes)):
                self.forced.append(made)
            self.stage = stage(self.table())
        self.carry_out(lambda: self.match.choose(move))
        self.keep()

    def keep(self) -> None:
        """Keeps until the viewer has seen it what the next table may not show any more: the trick that has just ended,
        and cards that came up one after another."""
        self.way = self.match.way(self.onlooker()) if len(self.people) == 1 else ()
        for each in self.laid().moments:
            if each.kind == "trick" and not any(each is old for old in (*self.past, *self.tricks)):
                self.tricks += (each,)

    def arrive(self) -> None:
        """The viewer sits down at a match that may go on: what came of it before they have seen, and what led there."""
        table = self.laid()
        self.past = table.moments
        laid = [each for each in table.moments if each.kind not in ("trick", "result") or each.rows or each.hands]
        self.told = self.passed = len(table.since) if laid else 0

    def go_on(self, lines: int) -> None:
        """The viewer has looked at the tricks that ended, and at so many lines of what happened."""
        self.past, self.tricks, self.told = (*self.past, *self.tricks), (), self.told + lines
        self.passed = self.told

    def turn_over(self, lines: int) -> None:
        """The viewer has looked at all results, and at so many of the lines that led to them."""
        self.past, self.tricks, self.told = self.laid().moments, (), self.told + lines
        self.passed = self.told

    def advance(self, wait: Callable[[float], None] = sleep) -> None:
        """Plays until a person decides, or it is over. `wait`: lets seconds pass. Raises RuleError, RecordingError."""
        timing = Timing(self)
        while not self.match.over and not self.waits():
            timing.begin()
            self.play(self.thought())
            wait(timing.left())

    def told_forced(self) -> list[str]:
        """A line about the moves that were made for the viewer, as long as the deal lasts in which they were, and until
        the viewer begins to decide."""
        return told(self.forced) if self.forced and stage(self.table()) == self.stage else []

    def begin(self) -> None:
        """The viewer has seen what was done for them, and begins to decide."""
        self.forced.clear()

    def carry_out(self, act: Callable[[], None]) -> None:
        """Does what changes the match. Where a match that nobody asked to keep can be kept no longer, play goes on."""
        self.actor = self.match.decision.player if self.match.decision is not None else None
        before = len(self.match.choices)
        try:
            act()
        except RecordingError as error:
            if not self.kept:
                raise
            self.match.close()
            self.match.rewind(before)  # of several cards some may have been kept
            self.kept = False
            self.notes.append(f"From now on this match is not saved: {error}")
            act()

    # ------------------------------------------------------------ what the viewer does
    def make(self, move: int | str) -> str:
        """Makes a move, given as its number or in words; says why, if it is not open."""
        return self.moved(lambda: self.match.choose(move))

    def pass_on(self) -> str:
        """Passes now and whenever the like is asked, until something else is; says why, if that is not possible."""
        ask = self.table().ask
        if ask is None or not ask.turn or len(self.people) > 1:
            return "You can do this only when asked to react to another player's turn."
        said = self.make("pass")
        if not said:
            self.passing, self.since = ask.turn, self.match.deed_of(len(self.match.choices))
        return said

    def confirm(self) -> str:
        """Carries out what is chosen, with what was picked for the viewer; says why, if that is not possible."""
        ask = self.table().ask
        choosing = ask.choosing if ask is not None else None
        chosen = self.chosen if choosing is None else choosing.chosen
        given = "" if choosing is None else f"{choosing.confirm}: {named(self.table(), chosen)}"
        said = self.moved(lambda: self.match.confirm(self.viewer, chosen))
        self.given = self.given if said else given
        return said

    def told_given(self) -> list[str]:
        """What the viewer has just chosen, as long as nothing has come of it because others choose too."""
        waits = self.given and self.person is None and not self.match.over and len(self.log()) == self.seen
        return [f"{self.given}. Now the other players choose."] if waits else []

    def moved(self, act: Callable[[], None]) -> str:
        notes, self.notes = self.notes, []
        before, lines, since = self.laid(), len(self.log()), self.last_choice()
        try:
            self.carry_out(act)
        except MoveError as error:
            self.notes = notes
            return error.message
        self.chosen, self.past, self.seen = (), before.moments, lines
        self.forget()
        if since == self.last_choice():  # a card that had to be laid: what was read before it is no news after it
            self.told = self.passed = alike(before, self.laid())
        self.keep()
        return ""

    def last_choice(self) -> int:
        """The number of the last deed of the viewer that left them something to choose."""
        viewer = self.onlooker()
        return self.match.since(self.match.players.index(viewer)) if viewer is not None else 0

    def forget(self) -> None:
        """The viewer has moved: what was done for them is past."""
        self.forced.clear()
        self.passing, self.since = "", None
        self.tricks, self.way, self.told, self.passed, self.given = (), (), 0, 0, ""

    def toggle(self, ref: str) -> str:
        """Takes something into the set that is chosen, or out of it, with what was ticked because of it; says why, if
        it cannot be in it. Where one alone is chosen, another takes its place; what does not go together with what is
        chosen begins a new set."""
        ask = self.table().ask
        choosing = ask.choosing if ask is not None else None
        if choosing is None or ref not in choosing.refs:
            return "You cannot choose that here."
        self.filled = tuple(each for each in self.filled if each in choosing.chosen)
        if ref in choosing.chosen:
            gone = {ref} if ref in self.filled else {ref, *self.filled}
            self.chosen = tuple(each for each in choosing.chosen if each not in gone)
            return ""
        if ref in choosing.open:
            self.chosen = (*choosing.chosen, ref)
            return self.complete()
        if choosing.high == 1:
            self.chosen = (ref,)
            return "You can select only one, so this replaces the other."
        return no_more(choosing) if len(choosing.chosen) == choosing.high else self.anew(ref, choosing)

    def anew(self, ref: str, before: Choosing) -> str:
        """Begins another set with something, and says so; says why, if it cannot be chosen at all."""
        self.chosen = (ref,)
        ask = self.table().ask
        if ask is None or ask.choosing is None or ref not in ask.choosing.chosen:
            self.chosen = before.chosen
            return no_more(before)
        return f"New selection: this does not go with the earlier one. {self.complete()}".strip()

    def complete(self) -> str:
        """Ticks what the set cannot be completed without, where there is one way alone, and says so."""
        ask = self.table().ask
        choosing = ask.choosing if ask is not None else None
        if choosing is None or not choosing.needs:
            return ""
        self.chosen, self.filled = (*choosing.chosen, *choosing.needs), choosing.needs
        return "The rest is selected for you: nothing else goes with it."

    def undo(self, sure: bool = False) -> str:
        """Takes back what is chosen, else the last move of the viewer that was one of several; says why, if that is not
        possible. Where something was seen since, it asks (`asked_back`) and does it only for who is `sure`."""
        self.asked_back = False
        if self.chosen:
            self.chosen = ()
            return ""
        before = self.log()
        if not sure and len(self.people) == 1 and (asked := question(self.match, self.viewer, self.bots, [*before])):
            self.asked_back = True
            return asked
        try:
            self.carry_out(lambda: self.match.undo(self.viewer, set(self.bots), len(self.people) == 1))
        except MoveError as error:
            return error.message
        self.forget()
        self.past = self.laid().moments  # read before
        lost = before[len(self.log()) :]
        self.notes = [f"Undone: {lost[0]}"] if lost else []
        return ""

    def can_undo(self) -> bool:
        """Whether there is something that the viewer can take back."""
        several = len(self.people) == 1  # who plays alone makes no move that is the only one
        return self.person == self.viewer != "" and self.match.can_undo(self.viewer, set(self.bots), several)

    def why(self, move: str) -> str:
        """Why a move, or a card, is not open, in words: the line of the file is for those who write it (`--trace`)."""
        refusal = self.match.refusal(move)
        return "That move is legal." if refusal is None else refusal.words


def alike(one: Table, other: Table) -> int:
    """With how many lines of what happened both begin."""
    pairs = zip(one.since, other.since, strict=False)
    return next((at for at, (told, now) in enumerate(pairs) if told != now), min(len(one.since), len(other.since)))


def is_same(one: Moment, other: Moment) -> bool:
    """Whether it is the same result, and not a later one that reads alike; scores and the end tell everything."""
    return one is other or (one.kind in ("scores", "end") and one == other)

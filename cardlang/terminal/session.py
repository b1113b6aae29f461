"""Session of people and bots who share one screen, independent of the front end.

It tracks the current player and the current selection, plays moves and stores the results that were read. It neither
draws nor prompts."""

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
    """Player of a seat. `choose` returns the index of a move of the match's current decision."""

    def choose(self, match: Match) -> int: ...


Hint = Callable[[Match], str]
"""Function that returns a hint for the current decision, one or two sentences."""


@frozen
class Texts:
    """Texts shown on pages next to the table, in Markdown, generated on demand.

    `rules`: the rulebook. `aid`: the player aid. `cards`: captions by face, for cards whose codes don't say
    everything."""

    rules: Callable[[], str]
    aid: Callable[[], str]
    cards: Callable[[], Mapping[int, str]]


@define
class Session:
    """State of one screen. Players without an entry in `bots` are people at the terminal.

    `kept`: the match is saved automatically, so play continues if saving fails. `pace`: time that a bot's decision
    takes if a person watches."""

    match: Match
    bots: Mapping[str, Bot]
    texts: Texts
    hint: Hint
    kept: bool = False
    pace: Pace | None = None
    hasty: Mapping[str, Bot] = field(factory=dict)
    """Fast bots that replace `bots` when the viewer skips to the end."""
    notes: list[str] = field(factory=list)
    """Notes to show until the next move."""
    viewer: str = ""
    """Name of the person who sees the screen now."""
    lays: bool = False
    """True if people play even a forced card of their own themselves."""
    chosen: tuple[str, ...] = ()
    """Refs selected so far in a choice of several."""
    filled: tuple[str, ...] = ()
    """Refs among `chosen` that were selected automatically because they were the only completion."""
    given: str = ""
    """Wording of the viewer's last confirmed selection."""
    actor: str | None = None
    """Name of the player who made the last move here."""
    forced: list[str] = field(factory=list)
    """Forced moves played for the viewer since their last own move."""
    stage: str = ""
    """Outermost step of the last forced move."""
    past: tuple[Moment, ...] = ()  # results shown at the viewer's last move
    seen: int = 0  # number of log lines at the viewer's last move
    told: int = 0
    """Number of event lines since the last move that the viewer has read with a result."""
    passed: int = 0
    """Number of those lines that belong to a closed result. The others can be read again."""
    misread: bool = False
    """True if the last typed line was not understood. Then Enter alone does nothing."""
    asked_back: bool = False
    """True if an undo waits for confirmation."""
    passing: str = ""
    """Turn for whose rest the viewer passes automatically."""
    since: int | None = None
    """Number of the action at which automatic passing began."""
    tricks: tuple[Moment, ...] = ()
    """Tricks that ended since the viewer's last look, oldest first."""
    way: tuple[Table, ...] = ()
    """Unseen intermediate tables between the last move and its result, for animation."""

    @property
    def people(self) -> list[str]:
        return [name for name in self.match.players if name not in self.bots]

    @property
    def person(self) -> str | None:
        """Return the current player if a person has the decision, else None."""
        decision = self.match.decision
        return decision.player if decision is not None and decision.player not in self.bots else None

    @property
    def curtained(self) -> bool:
        """Return whether a pass-and-play screen must hide the previous person's view."""
        return self.person is not None and len(self.people) > 1 and self.viewer != self.person

    def look(self) -> None:
        """Give the screen to the current player and clear the previous selection."""
        if self.person is not None and self.viewer != self.person:
            self.viewer, self.chosen, self.tricks = self.person, (), ()

    def table(self) -> Table:
        """Return the table as shown now."""
        return self.shown(self.laid(self.chosen))

    def shown(self, table: Table) -> Table:
        """Return a table without the results and events that the viewer has already read."""
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
        """Return the viewer's table of the match with a selection.

        Events during automatic passing count as events since the viewer's last move."""
        table = self.match.table(self.onlooker(), chosen)
        if self.since is None:
            return table
        let_by = tuple(each for each in table.earlier if each.at >= self.since)
        earlier = table.earlier[: len(table.earlier) - len(let_by)]
        return evolve(table, since=(*let_by, *table.since), earlier=earlier)

    def read_before(self) -> tuple[Told, ...]:
        """Return the events since the viewer's last move that were read without a result."""
        return self.laid().since[self.passed : self.told]

    def last_trick(self) -> tuple[Moment, ...]:
        """Return the last trick after the viewer has looked at it, until its deal is scored."""
        moments = self.laid().moments
        ended = next((each for each in reversed(moments) if each.kind in ("trick", "scores", "end")), None)
        return (ended,) if ended is not None and ended.kind == "trick" and self.is_past(ended) else ()

    def is_past(self, moment: Moment) -> bool:
        """Return whether the viewer has moved on from a result."""
        return any(is_same(moment, each) for each in self.past)

    def log(self) -> Sequence[str]:
        """Return the log as the viewer saw it."""
        return [*map(to(self.onlooker()).text, log_lines(self.match.view(self.onlooker()).events))]

    def onlooker(self) -> str | None:
        """Return the player whose view the screen shows, or None for a spectator.

        Default: the viewer, else the first person. If several people play, the end is shown to a spectator."""
        if self.match.over and len(self.people) > 1:
            return None
        return self.viewer or next(iter(self.people), None)

    # ------------------------------------------------------------ bots and forced moves
    def waits(self) -> bool:
        """Return whether a person has a real decision."""
        return self.person is not None and not self.is_forced() and not self.lets_pass()

    def is_forced(self) -> bool:
        """Return whether the only person at the table has a single legal move, which is then played for them.

        If `lays` is set, people play their own cards themselves."""
        decision = self.match.decision
        alone = decision is not None and len(decision.moves) == 1 and len(self.people) == 1
        return alone and not (self.lays and is_own(self.laid()))

    def picks(self) -> bool:
        """Return whether the current decision picks cards one at a time."""
        return self.match.program.site(self.match.state).kind in ("pick", "several")

    def lets_pass(self) -> bool:
        """Return whether the viewer passes automatically.

        Reset `passing` if the decision belongs to a different turn."""
        if self.passing and self.person == self.viewer and not self.is_forced():
            ask = self.laid().ask
            self.passing = self.passing if ask is not None and ask.turn == self.passing else ""
        return bool(self.passing)

    def thought(self, hurried: bool = False) -> int:
        """Return the move of the bot to act, or the move to play automatically.

        Takes time unless `hurried`, which uses the fast bots. Doesn't change the match."""
        decision = self.match.decision
        assert decision is not None
        bots = self.hasty if hurried and self.hasty else self.bots
        bot = bots.get(decision.player)
        if bot is not None:
            return bot.choose(self.match)
        return decision.moves.texts.index("pass") if len(decision.moves) > 1 else 0

    def play(self, move: int) -> None:
        """Play a move returned by `thought`. Record it in `forced` if a person had no choice.

        Raise `RuleError` or `RecordingError` if the match fails."""
        decision = self.match.decision
        if decision is not None and decision.player not in self.bots and self.is_forced():
            made, completes = act(self.match, move), self.picks() and not is_own(self.table())
            # a pass or the completion of a set right after the player's own action needs no report
            if decision.player != self.actor or not (made == "pass" or (not self.forced and completes)):
                self.forced.append(made)
            self.stage = stage(self.table())
        self.carry_out(lambda: self.match.choose(move))
        self.keep()

    def keep(self) -> None:
        """Store the parts that the next table may no longer show: the last trick and intermediate tables."""
        self.way = self.match.way(self.onlooker()) if len(self.people) == 1 else ()
        for each in self.laid().moments:
            if each.kind == "trick" and not any(each is old for old in (*self.past, *self.tricks)):
                self.tricks += (each,)

    def arrive(self) -> None:
        """Start at a resumed match: mark its earlier results, and the events that led to them, as read."""
        table = self.laid()
        self.past = table.moments
        laid = [each for each in table.moments if each.kind not in ("trick", "result") or each.rows or each.hands]
        self.told = self.passed = len(table.since) if laid else 0

    def go_on(self, lines: int) -> None:
        """Mark the finished tricks and a number of event lines as read."""
        self.past, self.tricks, self.told = (*self.past, *self.tricks), (), self.told + lines
        self.passed = self.told

    def turn_over(self, lines: int) -> None:
        """Mark all results and a number of event lines as read."""
        self.past, self.tricks, self.told = self.laid().moments, (), self.told + lines
        self.passed = self.told

    def advance(self, wait: Callable[[float], None] = sleep) -> None:
        """Play until a person must decide or the match is over.

        `wait` sleeps for a number of seconds. Raise `RuleError` or `RecordingError` if the match fails."""
        timing = Timing(self)
        while not self.match.over and not self.waits():
            timing.begin()
            self.play(self.thought())
            wait(timing.left())

    def told_forced(self) -> list[str]:
        """Return a line about the forced moves, until their deal ends or the viewer starts to decide."""
        return told(self.forced) if self.forced and stage(self.table()) == self.stage else []

    def begin(self) -> None:
        """Clear the forced moves: the viewer has seen them and starts to decide."""
        self.forced.clear()

    def carry_out(self, act: Callable[[], None]) -> None:
        """Run an action that changes the match.

        If saving fails for a match that was saved automatically, undo any partial picks and continue without saving."""
        self.actor = self.match.decision.player if self.match.decision is not None else None
        before = len(self.match.choices)
        try:
            act()
        except RecordingError as error:
            if not self.kept:
                raise
            self.match.close()
            self.match.rewind(before)  # some picks of a set may already be recorded
            self.kept = False
            self.notes.append(f"From now on this match is not saved: {error}")
            act()

    # ------------------------------------------------------------ actions of the viewer
    def make(self, move: int | str) -> str:
        """Play a move given by number or text. Return an error message, or an empty string."""
        return self.moved(lambda: self.match.choose(move))

    def pass_on(self) -> str:
        """Pass for the rest of another player's turn. Return an error message, or an empty string."""
        ask = self.table().ask
        if ask is None or not ask.turn or len(self.people) > 1:
            return "You can do this only when asked to react to another player's turn."
        said = self.make("pass")
        if not said:
            self.passing, self.since = ask.turn, self.match.deed_of(len(self.match.choices))
        return said

    def confirm(self) -> str:
        """Play the selection, including automatic picks. Return an error message, or an empty string."""
        ask = self.table().ask
        choosing = ask.choosing if ask is not None else None
        chosen = self.chosen if choosing is None else choosing.chosen
        given = "" if choosing is None else f"{choosing.confirm}: {named(self.table(), chosen)}"
        said = self.moved(lambda: self.match.confirm(self.viewer, chosen))
        self.given = self.given if said else given
        return said

    def told_given(self) -> list[str]:
        """Return a line about the viewer's last selection while other players still choose."""
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
        if since == self.last_choice():  # after a forced card, earlier news stay read
            self.told = self.passed = alike(before, self.laid())
        self.keep()
        return ""

    def last_choice(self) -> int:
        """Return the number of the viewer's last action that had an alternative."""
        viewer = self.onlooker()
        return self.match.since(self.match.players.index(viewer)) if viewer is not None else 0

    def forget(self) -> None:
        """Reset everything that refers to the time before the viewer's move."""
        self.forced.clear()
        self.passing, self.since = "", None
        self.tricks, self.way, self.told, self.passed, self.given = (), (), 0, 0, ""

    def toggle(self, ref: str) -> str:
        """Select or deselect a ref, with its automatic picks. Return an error message, or an empty string.

        If the maximum is one, the ref replaces the selected one. If it conflicts with the selection, it starts a new
        one."""
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
        """Start a new selection with a ref. Return a message about it, or the reason why the ref is illegal."""
        self.chosen = (ref,)
        ask = self.table().ask
        if ask is None or ask.choosing is None or ref not in ask.choosing.chosen:
            self.chosen = before.chosen
            return no_more(before)
        return f"New selection: this does not go with the earlier one. {self.complete()}".strip()

    def complete(self) -> str:
        """Select the only possible completion, if there is one. Return a message about it."""
        ask = self.table().ask
        choosing = ask.choosing if ask is not None else None
        if choosing is None or not choosing.needs:
            return ""
        self.chosen, self.filled = (*choosing.chosen, *choosing.needs), choosing.needs
        return "The rest is selected for you: nothing else goes with it."

    def undo(self, sure: bool = False) -> str:
        """Clear the selection, or undo the viewer's last move that had an alternative. Return a message.

        If the viewer has seen new information since, set `asked_back` and return a question, unless `sure`."""
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
        self.past = self.laid().moments  # already read
        lost = before[len(self.log()) :]
        self.notes = [f"Undone: {lost[0]}"] if lost else []
        return ""

    def can_undo(self) -> bool:
        """Return whether the viewer can undo a move."""
        several = len(self.people) == 1  # forced moves of a single person don't count
        return self.person == self.viewer != "" and self.match.can_undo(self.viewer, set(self.bots), several)

    def why(self, move: str) -> str:
        """Return why a move or card is illegal.

        The message omits the line in the file, which only authors need (`--trace`)."""
        refusal = self.match.refusal(move)
        return "That move is legal." if refusal is None else refusal.words


def alike(one: Table, other: Table) -> int:
    """Return the number of event lines with which both tables start."""
    pairs = zip(one.since, other.since, strict=False)
    return next((at for at, (told, now) in enumerate(pairs) if told != now), min(len(one.since), len(other.since)))


def is_same(one: Moment, other: Moment) -> bool:
    """Return whether two results are identical, not just equal in wording.

    Scores and the end are complete, so equality is enough for them."""
    return one is other or (one.kind in ("scores", "end") and one == other)

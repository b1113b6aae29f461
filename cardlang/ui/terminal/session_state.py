"""Session of people and bots at one screen.

It tracks the current player and the current selection, plays moves and stores the results that were read. It neither
draws nor prompts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import sleep
from typing import Literal, Protocol

from attrs import define, evolve, field, frozen

from cardlang.ui.terminal.bot_move_timing import BotPace, MoveTimer
from cardlang.ui.terminal.forced_move_and_undo_messages import (
    build_undo_question,
    describe_move,
    explain_full_selection,
    format_refs,
    get_outermost_step,
    is_about_own_card,
    report_forced_moves,
)
from interpreter.match.match import Match
from interpreter.match.state_edits import Surrender
from interpreter.runtime.errors import MoveError, RecordingError
from interpreter.view.event_lines import build_log_lines
from interpreter.view.table_model import EventLine, RecentResult, Selection, Table


class Bot(Protocol):
    """Player of a seat. `choose` returns the index of a move of the match's current decision."""

    def choose(self, match: Match) -> int: ...


HintFunction = Callable[[Match], str]
"""Function that returns a hint for the current decision, one or two sentences."""


@frozen
class PageTexts:
    """Texts shown on pages next to the table, in Markdown, generated on demand.

    `rules`: the rulebook. `aid`: the player aid. `cards`: captions by face, for cards whose codes don't say
    everything."""

    rules: Callable[[], str]
    aid: Callable[[], str]
    cards: Callable[[], Mapping[int, str]]


@define
class Session:
    """State of one screen. Players without an entry in `bots` are people at the terminal.

    `is_saved`: the match is saved automatically, so play continues if saving fails. `pace`: time that a bot's decision
    takes if a person watches."""

    match: Match
    bots: Mapping[str, Bot]
    texts: PageTexts
    hint: HintFunction
    is_saved: bool = False
    pace: BotPace | None = None
    fast_bots: Mapping[str, Bot] = field(factory=dict)
    """Fast bots that replace `bots` when the viewer skips to the end."""
    notes: list[str] = field(factory=list)
    """Notes to show until the next move."""
    viewer: str = ""
    """Name of the person who sees the screen now."""
    plays_own_forced_cards: bool = False
    """True if players make the move themselves even when only one of their cards is legal."""
    selection: tuple[str, ...] = ()
    """Refs selected so far in a choice of several."""
    auto_selected: tuple[str, ...] = ()
    """Refs among `selection` that were selected automatically because they were the only completion."""
    confirmed_text: str = ""
    """Wording of the viewer's last confirmed selection."""
    actor: str | None = None
    """Name of the player who made the last move here."""
    forced_moves: list[str] = field(factory=list)
    """Forced moves played for the viewer since their last own move."""
    forced_step: str = ""
    """Outermost step of the last forced move."""
    past_results: tuple[RecentResult, ...] = ()  # results shown at the viewer's last move
    seen_log_lines: int = 0  # number of log lines at the viewer's last move
    read_event_lines: int = 0
    """Number of event lines since the last move that the viewer has read with a result."""
    closed_event_lines: int = 0
    """Number of those lines that belong to a closed result. The others can be read again."""
    was_misread: bool = False
    """True if the last typed line was not understood. Then Enter alone does nothing."""
    unconfirmed: Literal["", "undo", "give up"] = ""
    """Command that waits for confirmation, or an empty string."""
    passes_reactions: bool = False
    """True if the viewer passes automatically, until another decision or an action that names them."""
    passing_since: int | None = None
    """Number of the viewer's last action before they passed on other players' actions."""
    ended_tricks: tuple[RecentResult, ...] = ()
    """Tricks that ended since the viewer's last look, oldest first."""
    intermediate_tables: tuple[Table, ...] = ()
    """Unseen intermediate tables between the last move and its result, for animation."""

    @property
    def people(self) -> list[str]:
        return [name for name in self.match.players if name not in self.bots]

    @property
    def current_person(self) -> str | None:
        """Return the current player if a person has the decision, else None."""
        decision = self.match.decision
        return decision.player if decision is not None and decision.player not in self.bots else None

    @property
    def needs_handover(self) -> bool:
        """Return whether a pass-and-play screen must hide the previous person's view."""
        return self.current_person is not None and len(self.people) > 1 and self.viewer != self.current_person

    def hand_over_screen(self) -> None:
        """Give the screen to the current player and clear the previous selection."""
        if self.current_person is not None and self.viewer != self.current_person:
            self.viewer, self.selection, self.ended_tricks = self.current_person, (), ()

    def get_table(self) -> Table:
        """Return the table as shown now."""
        return self.hide_read_parts(self.get_table_with_read_events(self.selection))

    def hide_read_parts(self, table: Table) -> Table:
        """Return a table without the results and events that the viewer has already read."""
        news = {event for line in table.since for event in line.events}
        shown = [
            one
            for result in table.moments
            if result.kind != "result" or result.hands or not news.issuperset(result.events)
            for one in (self.ended_tricks if result in self.ended_tricks[-1:] else (result,))
        ]
        left = tuple(result for result in shown if table.over or not self.is_past_result(result))
        return evolve(table, moments=left, since=table.since[self.read_event_lines :])

    def get_table_with_read_events(self, selection: Sequence[str] = ()) -> Table:
        """Return the viewer's table of the match with a selection.

        Passes on other players' actions don't count as the viewer's last move."""
        table = self.match.table(self.get_displayed_player(), selection)
        if self.passing_since is None:
            return table
        let_by = tuple(event for event in table.earlier if event.at >= self.passing_since)
        earlier = table.earlier[: len(table.earlier) - len(let_by)]
        return evolve(table, since=(*let_by, *table.since), earlier=earlier)

    def get_earlier_events(self) -> tuple[EventLine, ...]:
        """Return the events since the viewer's last move that were read without a result."""
        return self.get_table_with_read_events().since[self.closed_event_lines : self.read_event_lines]

    def get_last_trick(self) -> tuple[RecentResult, ...]:
        """Return the last trick after the viewer has looked at it, until its deal is scored."""
        moments = self.get_table_with_read_events().moments
        ended = next((result for result in reversed(moments) if result.kind in ("trick", "scores", "end")), None)
        return (ended,) if ended is not None and ended.kind == "trick" and self.is_past_result(ended) else ()

    def is_past_result(self, moment: RecentResult) -> bool:
        """Return whether the viewer has moved on from a result."""
        return any(is_same_result(moment, past) for past in self.past_results)

    def get_log(self) -> Sequence[str]:
        """Return the log as the viewer saw it."""
        viewer = self.get_displayed_player()
        return build_log_lines(self.match.view(viewer).events, viewer)

    def get_displayed_player(self) -> str | None:
        """Return the player whose view the screen shows, or None for a spectator.

        Default: the viewer, else the first person. If several people play, the end is shown to a spectator."""
        if self.match.over and len(self.people) > 1:
            return None
        return self.viewer or next(iter(self.people), None)

    # ------------------------------------------------------------ bots and forced moves
    def is_waiting_for_person(self) -> bool:
        """Return whether a person has a real decision."""
        return self.current_person is not None and not self.is_forced() and not self.is_passing()

    def is_forced(self) -> bool:
        """Return whether the only person at the table has a single legal move, which is then played for them.

        A player without opponents makes every move, because nothing else happens between two moves. If
        `plays_own_forced_cards` is set, people play their own cards themselves."""
        decision = self.match.decision
        alone = decision is not None and len(decision.moves) == 1 and len(self.people) == 1 < len(self.match.players)
        return alone and not (self.plays_own_forced_cards and is_about_own_card(self.get_table_with_read_events()))

    def is_picking(self) -> bool:
        """Return whether the current decision picks cards one at a time."""
        return self.match.program.get_site(self.match.state).kind in ("pick", "several")

    def is_passing(self) -> bool:
        """Return whether the viewer passes automatically. Reset `passes_reactions` if the decision concerns them."""
        if self.passes_reactions and self.current_person == self.viewer and not self.is_forced():
            ask = self.get_table_with_read_events().ask
            self.passes_reactions = ask is not None and ask.reacts_to == "others"
        return self.passes_reactions

    def choose_automatic_move(self, hurried: bool = False) -> int:
        """Return the move of the bot to act, or the move to play automatically.

        Takes time unless `hurried`, which uses the fast bots. Doesn't change the match."""
        decision = self.match.decision
        assert decision is not None
        bots = self.fast_bots if hurried and self.fast_bots else self.bots
        bot = bots.get(decision.player)
        if bot is not None:
            return bot.choose(self.match)
        return decision.moves.texts.index("pass") if len(decision.moves) > 1 else 0

    def play_move(self, move: int) -> None:
        """Play a move returned by `choose_automatic_move`. Record it in `forced_moves` if a person had no choice.

        Raise `RuleError` or `RecordingError` if the match fails."""
        decision = self.match.decision
        if decision is not None and decision.player not in self.bots and self.is_forced():
            move_text, completes = (
                describe_move(self.match, move),
                self.is_picking() and not is_about_own_card(self.get_table()),
            )
            # a pass or the completion of a set right after the player's own action needs no report
            if decision.player != self.actor or not (move_text == "pass" or (not self.forced_moves and completes)):
                self.forced_moves.append(move_text)
            self.forced_step = get_outermost_step(self.get_table())
        self.run_action(lambda: self.match.choose(move))
        self.store_vanishing_parts()

    def store_vanishing_parts(self) -> None:
        """Store the parts that the next table may no longer show: the last trick and intermediate tables."""
        self.intermediate_tables = (
            self.match.build_reveal_tables(self.get_displayed_player()) if len(self.people) == 1 else ()
        )
        for result in self.get_table_with_read_events().moments:
            if result.kind == "trick" and not any(result is old for old in (*self.past_results, *self.ended_tricks)):
                self.ended_tricks += (result,)

    def mark_resumed(self) -> None:
        """Start at a resumed match: mark its earlier results, and the events that led to them, as read."""
        table = self.get_table_with_read_events()
        self.past_results = table.moments
        hand_results = [
            result for result in table.moments if result.kind not in ("trick", "result") or result.rows or result.hands
        ]
        self.read_event_lines = self.closed_event_lines = len(table.since) if hand_results else 0

    def mark_tricks_and_events_read(self, lines: int) -> None:
        """Mark the finished tricks and a number of event lines as read."""
        self.past_results, self.ended_tricks, self.read_event_lines = (
            (*self.past_results, *self.ended_tricks),
            (),
            self.read_event_lines + lines,
        )
        self.closed_event_lines = self.read_event_lines

    def mark_results_read(self, lines: int) -> None:
        """Mark all results and a number of event lines as read."""
        self.past_results, self.ended_tricks, self.read_event_lines = (
            self.get_table_with_read_events().moments,
            (),
            self.read_event_lines + lines,
        )
        self.closed_event_lines = self.read_event_lines

    def advance(self, wait: Callable[[float], None] = sleep) -> None:
        """Play until a person must decide or the match is over.

        `wait` sleeps for a number of seconds. Raise `RuleError` or `RecordingError` if the match fails."""
        timing = MoveTimer(self)
        while not self.match.over and not self.is_waiting_for_person():
            timing.start_move()
            self.play_move(self.choose_automatic_move())
            wait(timing.count_seconds_left())

    def report_forced_moves(self) -> list[str]:
        """Return a line about the forced moves, until their deal ends or the viewer starts to decide."""
        return (
            report_forced_moves(self.forced_moves)
            if self.forced_moves and get_outermost_step(self.get_table()) == self.forced_step
            else []
        )

    def clear_forced_moves(self) -> None:
        """Clear the forced moves: the viewer has seen them and starts to decide."""
        self.forced_moves.clear()

    def run_action(self, action: Callable[[], None]) -> None:
        """Run an action that changes the match.

        If saving fails for a match that was saved automatically, undo any partial picks and continue without saving."""
        self.actor = self.match.decision.player if self.match.decision is not None else None
        before = len(self.match.choices)
        try:
            action()
        except RecordingError as error:
            if not self.is_saved:
                raise
            self.match.close()
            self.match.rewind_to(before)  # some picks of a set may already be recorded
            self.is_saved = False
            self.notes.append(f"From now on this match is not saved: {error}")
            action()

    # ------------------------------------------------------------ actions of the viewer
    def make_move(self, move: int | str) -> str:
        """Play a move given by number or text. Return an error message, or an empty string.

        After a pass on another player's action, the events since the viewer's last other move stay in the log."""
        ask, decision, lines = self.get_table().ask, self.match.decision, self.seen_log_lines
        is_reaction = ask is not None and bool(ask.reacts_to) and decision is not None
        text = decision.moves.texts[move] if is_reaction and decision is not None and isinstance(move, int) else move
        before, since = self.get_table_with_read_events(), self.passing_since
        since = self.get_last_choice() if since is None else since
        message = self.perform_action(lambda: self.match.choose(move))
        if is_reaction and text == "pass" and not message:
            self.passing_since, self.seen_log_lines = since, lines
            self.read_event_lines = count_common_lines(before, self.get_table_with_read_events())
        return message

    def pass_reactions(self) -> str:
        """Pass now and on the following reactions. Return an error message, or an empty string."""
        ask = self.get_table().ask
        if ask is None or not ask.reacts_to or len(self.people) > 1:
            return "You can do this only when you can react to another player's action."
        message = self.make_move("pass")
        self.passes_reactions = not message
        return message

    def confirm_selection(self) -> str:
        """Play the selection, including automatic picks. Return an error message, or an empty string."""
        ask = self.get_table().ask
        choosing = ask.choosing if ask is not None else None
        chosen = self.selection if choosing is None else choosing.chosen
        given = "" if choosing is None else f"{choosing.confirm}: {format_refs(self.get_table(), chosen)}"
        message = self.perform_action(lambda: self.match.confirm(self.viewer, chosen))
        self.confirmed_text = self.confirmed_text if message else given
        return message

    def report_selection(self) -> list[str]:
        """Return a line about the viewer's last selection while other players still choose."""
        waits = (
            self.confirmed_text
            and self.current_person is None
            and not self.match.over
            and len(self.get_log()) == self.seen_log_lines
        )
        return [f"{self.confirmed_text}. Now the other players choose."] if waits else []

    def perform_action(self, action: Callable[[], None]) -> str:
        notes, self.notes = self.notes, []
        before, lines, since = self.get_table_with_read_events(), len(self.get_log()), self.get_last_choice()
        try:
            self.run_action(action)
        except MoveError as error:
            self.notes = notes
            return error.message
        self.selection, self.past_results, self.seen_log_lines = (), before.moments, lines
        self.reset_since_move()
        if since == self.get_last_choice():  # after a forced card, earlier news stay read
            self.read_event_lines = self.closed_event_lines = count_common_lines(
                before, self.get_table_with_read_events()
            )
        self.store_vanishing_parts()
        return ""

    def get_last_choice(self) -> int:
        """Return the number of the viewer's last action that had an alternative."""
        viewer = self.get_displayed_player()
        return self.match.find_last_action(self.match.players.index(viewer)) if viewer is not None else 0

    def reset_since_move(self) -> None:
        """Reset everything that refers to the time before the viewer's move."""
        self.forced_moves.clear()
        self.passes_reactions, self.passing_since = False, None
        (
            self.ended_tricks,
            self.intermediate_tables,
            self.read_event_lines,
            self.closed_event_lines,
            self.confirmed_text,
        ) = (), (), 0, 0, ""

    def toggle_ref(self, ref: str) -> str:
        """Select or deselect a ref, with its automatic picks. Return an error message, or an empty string.

        If the maximum is one, the ref replaces the selected one. If it conflicts with the selection, it starts a new
        one."""
        ask = self.get_table().ask
        choosing = ask.choosing if ask is not None else None
        if choosing is None or ref not in choosing.refs:
            return "You cannot choose that here."
        self.auto_selected = tuple(each for each in self.auto_selected if each in choosing.chosen)
        if ref in choosing.chosen:
            deselected = {ref} if ref in self.auto_selected else {ref, *self.auto_selected}
            self.selection = tuple(each for each in choosing.chosen if each not in deselected)
            return ""
        if ref in choosing.open:
            self.selection = (*choosing.chosen, ref)
            return self.select_only_completion()
        if choosing.high == 1:
            self.selection = (ref,)
            return "You can select only one, so this replaces the other."
        return (
            explain_full_selection(choosing)
            if len(choosing.chosen) == choosing.high
            else self.restart_selection(ref, choosing)
        )

    def restart_selection(self, ref: str, before: Selection) -> str:
        """Start a new selection with a ref. Return a message about it, or the reason why the ref is illegal."""
        self.selection = (ref,)
        ask = self.get_table().ask
        if ask is None or ask.choosing is None or ref not in ask.choosing.chosen:
            self.selection = before.chosen
            return explain_full_selection(before)
        return f"New selection: this does not go with the earlier one. {self.select_only_completion()}".strip()

    def select_only_completion(self) -> str:
        """Select the only possible completion, if there is one. Return a message about it."""
        ask = self.get_table().ask
        choosing = ask.choosing if ask is not None else None
        if choosing is None or not choosing.needs:
            return ""
        self.selection, self.auto_selected = (*choosing.chosen, *choosing.needs), choosing.needs
        return "The rest is selected for you: nothing else goes with it."

    def undo(self, confirmed: bool = False) -> str:
        """Clear the selection, or undo the viewer's last move that had an alternative. Return a message.

        If the viewer has seen new information since, set `unconfirmed` and return a question, unless `confirmed`."""
        self.unconfirmed = ""
        if self.selection:
            self.selection = ()
            return ""
        before = self.get_log()
        if (
            not confirmed
            and len(self.people) == 1 < len(self.match.players)
            and (asked := build_undo_question(self.match, self.viewer, self.bots))
        ):
            self.unconfirmed = "undo"
            return asked
        try:
            self.run_action(lambda: self.match.undo(self.viewer, set(self.bots), len(self.people) == 1))
        except MoveError as error:
            return error.message
        self.reset_since_move()
        table = self.get_table_with_read_events()
        self.past_results, self.read_event_lines = table.moments, len(table.since)  # already read
        lost = before[len(self.get_log()) :]
        self.notes = [f"Undone: {lost[0]}"] if lost else []
        return ""

    def give_up(self, confirmed: bool = False) -> str:
        """End the match of a player without opponents. Return a message: a question first, unless `confirmed`."""
        if not self.can_give_up:
            return "You cannot give up while others play."
        self.unconfirmed = "" if confirmed else "give up"
        if not confirmed:
            return "Give up? The match ends here."
        return self.perform_action(lambda: self.match.apply_edit(Surrender(self.viewer)))

    @property
    def can_give_up(self) -> bool:
        """Return whether the viewer has no opponents and the match goes on."""
        return self.match.players == (self.viewer,) and not self.match.over

    def confirm_command(self) -> str:
        """Execute the command that waits for confirmation. Return a message, or an empty string."""
        return self.undo(confirmed=True) if self.unconfirmed == "undo" else self.give_up(confirmed=True)

    def can_undo(self) -> bool:
        """Return whether the viewer can undo a move."""
        several = len(self.people) == 1  # forced moves of a single person don't count
        return self.current_person == self.viewer != "" and self.match.can_undo(self.viewer, set(self.bots), several)

    def explain_move(self, move: str) -> str:
        """Return why a move or card is illegal.

        The message omits the line in the file, which only authors need (`--trace`)."""
        refusal = self.match.explain_illegal_move(move)
        return "That move is legal." if refusal is None else refusal.message


def count_common_lines(first: Table, second: Table) -> int:
    """Return the number of event lines with which both tables start."""
    pairs = zip(first.since, second.since, strict=False)
    return next((at for at, (event, now) in enumerate(pairs) if event != now), min(len(first.since), len(second.since)))


def is_same_result(first: RecentResult, second: RecentResult) -> bool:
    """Return whether two results are identical, not just equal in wording.

    Scores and the end are complete, so equality is enough for them."""
    return first is second or (first.kind in ("scores", "end") and first == second)

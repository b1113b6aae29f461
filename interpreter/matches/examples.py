"""Run the examples of a game: a position, actions, moves of players, and expected results.

Moves without an alternative are made automatically, when the next move or expectation needs them. So is `done` after
cards were named, unless the next move is another pick.
"""

from __future__ import annotations

from typing import NoReturn

from cardlang import game as g
from cardlang.source import Span
from interpreter.errors import MoveError, RuleError
from interpreter.matches.finding import found_instead
from interpreter.matches.given import set_up
from interpreter.matches.moves import printed
from interpreter.matches.names import Names, listed
from interpreter.matches.parsing import SHOWN, SetPlan, codes_meant, meant, words_of
from interpreter.matches.reasons import Refusal
from interpreter.matches.refusal import plan, refusal
from interpreter.state import ABSENT, DONE, State

MAX_FORCED = 10_000
"""Maximum number of consecutive decisions with a single legal move."""


class Failure(Exception):
    """Failure of an example at a position in the source."""

    def __init__(self, span: Span, message: str, expected: str = "", found: str = "") -> None:
        self.span = span
        self.message = message
        self.expected = expected
        self.found = found
        super().__init__(message)


def run_example(game: g.Game, example: g.Example) -> g.Outcome:
    """Run an example. Errors in the rules make it fail."""
    from interpreter.compiler import compile_game

    try:
        run = Run(Names(compile_game(game, len(example.players)), example.players))
        run.lines(example.lines)
    except Failure as fault:
        message = fault.message + run.told_forced()
        return g.Outcome(example.title, False, message, fault.span, fault.expected, fault.found)
    except RuleError as error:
        return g.Outcome(example.title, False, f"A rule failed: {error.message}", error.span)
    return g.Outcome(example.title, True)


class Run:
    """Run of one example."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.program = names.program
        self.state: State = self.program.blank(0)
        self.forced: list[str] = []
        """Forced moves made for the current line."""

    def lines(self, lines: tuple[g.ExampleLine, ...]) -> None:
        for line in lines:
            self.forced.clear()
            match line:
                case g.Given():
                    self.given(line)
                case g.Doing():
                    self.finish_forced()
                    self.program.run_step(self.state, line.statement)
                case g.Answer():
                    for text, span in line.moves:
                        self.answer(line.player, text, span)
                case g.Expecting():
                    self.finish_forced()
                    self.expect(line)
                case g.ExpectingMoves():
                    self.expect_moves(line)

    def given(self, line: g.Given) -> None:
        """Set up a position. Raise `Failure` if it is impossible, because the example is wrong, not the rules.

        The legal moves of a pending decision are computed again.
        """
        try:
            set_up(self.program, self.state, line)
        except RuleError as error:
            raise Failure(error.span, error.message) from error
        self.program.refresh(self.state)

    # ------------------------------------------------------------ answers
    def answer(self, player: int, text: str, span: Span) -> None:
        """Make a move of a player, after any forced moves."""
        for _ in range(MAX_FORCED):
            if self.state.who == player and self.fits(text):
                for code in self.planned(player, text, span):
                    self.program.apply(self.state, code)
                return
            if not self.step_forced():
                break
        self.refuse(player, text, span)

    def planned(self, player: int, text: str, span: Span) -> list[int]:
        """Return the codes of the moves that a string means. Raise `Failure` if it is ambiguous or incomplete."""
        try:
            return plan(self.names, self.state, text)
        except MoveError:
            return self.refuse(player, text, span)

    def fits(self, text: str) -> bool:
        try:
            return bool(codes_meant(self.names, self.state, text))
        except MoveError:
            return len(self.state.legal) > 1

    def refuse(self, player: int, text: str, span: Span) -> NoReturn:
        name = self.names.players[player]
        if self.state.who == ABSENT:
            raise Failure(span, f"No decision is left, so {name} cannot {text}.", text, "no decision")
        if self.state.who != player:
            raise Failure(span, f"It is not {name}'s decision. {self.asked()}.", f"{name}: {text}", self.asked())
        refused = refusal(self.names, self.state, text)
        why = refused.words if refused else ""
        raise Failure(span, f"{name} may not {text}: {why} {self.asked()}.", f"{name}: {text}", self.asked())

    def asked(self) -> str:
        """Return the current player and legal moves: `Bob can choose: check or bet 1`."""
        texts = printed(self.names, self.state, self.state.legal)
        shown = texts if len(texts) <= SHOWN else [*texts[:SHOWN], f"{len(texts) - SHOWN} more"]
        return f"{self.names.players[self.state.who]} can choose: {listed(shown, 'or')}"

    # ------------------------------------------------------------ forced moves
    def step_forced(self) -> bool:
        """Make the only legal move, or end a choice of several cards. Return whether that was possible."""
        state = self.state
        if state.who == ABSENT:
            return False
        if len(state.legal) == 1:
            [move] = printed(self.names, state, state.legal)
            self.forced.append(f"{self.names.players[state.who]}: {move}")
            self.program.apply(state, state.legal[0])
            return True
        if state.picks and DONE in state.legal:
            self.program.apply(state, DONE)
            return True
        return False

    def told_forced(self) -> str:
        """Return a sentence about the forced moves before the failing line."""
        if not self.forced:
            return ""
        last = self.forced[-SHOWN:]
        more = f"{len(self.forced) - len(last)} others, " if len(last) < len(self.forced) else ""
        return f" Forced moves before it: {more}{'; '.join(last)}."

    def finish_forced(self) -> None:
        for _ in range(MAX_FORCED):
            if not self.step_forced():
                return

    # ------------------------------------------------------------ expectations
    def expect(self, line: g.Expecting) -> None:
        if self.program.value(line.condition, self.state):
            return
        expected = line.condition.span.text
        found = found_instead(self.names, self.state, line.condition)
        message = f"Expected {expected}" + (f", but found {found}." if found else ".")
        raise Failure(line.span, message, expected, found)

    def expect_moves(self, line: g.ExpectingMoves) -> None:
        if line.negated:
            self.expect_not(line)
            return
        self.reach(line)
        name = self.names.players[line.player]
        for text, span in line.moves:
            refused = self.refused(text)
            if refused:
                raise Failure(span, f"{name} may not {text}: {refused.words}", f"{name} may {text}", refused.words)

    def expect_not(self, line: g.ExpectingMoves) -> None:
        """Check that moves are illegal at the player's next decision. If the player has none, they are illegal.

        If a reason is expected, forced decisions with other reasons are skipped.
        """
        wrong, before = None, 0
        while self.asks_next(line.player):
            wrong, before = self.otherwise_refused(line), len(self.forced)
            if wrong is None:
                return
            if len(self.state.legal) > 1 or not self.step_forced():
                break
        if wrong is None and line.because is not None:
            where = self.asked() if self.state.who != ABSENT else "No decision is left"
            name = self.names.players[line.player]
            raise Failure(
                line.span, f"{name} has no decision here, so no reason is given. {where}.", line.because, where
            )
        if wrong is not None:
            del self.forced[before:]
            raise wrong

    def otherwise_refused(self, line: g.ExpectingMoves) -> Failure | None:
        """Return a failure if the moves are illegal for another reason than expected.

        Raise `Failure` if a move is legal.
        """
        name = self.names.players[line.player]
        for text, span in line.moves:
            refused = self.refused(text)
            if not refused:
                raise Failure(span, f"{name} may {text}.", f"{name} may not {text}", self.asked())
            if line.because is not None and line.because not in (refused.words, *refused.author):
                message = f"{name} may not {text}, but for another reason: {refused.words}"
                return Failure(span, message, line.because, refused.words)
        return None

    def refused(self, text: str) -> Refusal | None:
        return None if self.several(text) else refusal(self.names, self.state, text) or self.incomplete(text)

    def asks_next(self, player: int) -> bool:
        """Make forced moves until a player has a decision. Return whether that happens."""
        for _ in range(MAX_FORCED):
            if self.state.who == player:
                return True
            if not self.step_forced():
                return False
        return False

    def several(self, text: str) -> bool:
        """Return whether a string could mean several legal moves.

        Then all of them are legal, so the expectation holds.
        """
        texts = printed(self.names, self.state, self.state.legal)
        return text.strip() not in texts and len(meant(words_of(text), texts)) > 1

    def incomplete(self, text: str) -> Refusal | None:
        """Return a refusal if the named cards are too few, because they are expected to be a complete choice."""
        if self.state.picks:
            return None
        try:
            SetPlan(self.names, self.state, words_of(text)).codes(least=1)
        except MoveError as error:
            return Refusal(error.message)
        return None

    def reach(self, line: g.ExpectingMoves) -> None:
        """Make forced moves until the player's decision: one with a choice, or one about such moves."""
        for _ in range(MAX_FORCED):
            if self.state.who == line.player and (len(self.state.legal) > 1 or self.is_about(line)):
                return
            if not self.step_forced():
                break
        name = self.names.players[line.player]
        where = self.asked() if self.state.who != ABSENT else "No decision is left"
        raise Failure(line.span, f"It is not {name}'s decision. {where}.", f"{name} decides", where)

    def is_about(self, line: g.ExpectingMoves) -> bool:
        """Return whether the decision is about such moves, legal or not."""
        site = self.program.site(self.state)
        known = {option.name for option in site.options} | {getattr(site.statement, "verb", "")}
        for text, _ in line.moves:
            said = words_of(text)
            if (said and said[0] in known) or refusal(self.names, self.state, text) is None:
                return True
        return False

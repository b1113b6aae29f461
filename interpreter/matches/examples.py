"""Running the examples of a game: a position, what is done, what the players answer, what must come of it.

Decisions that leave no choice need no answer: they are made where the next answer, or the next thing
expected, needs it. So is `done` after cards were named, if nothing else is answered.
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
"""So many decisions without a choice may follow one another."""


class Failure(Exception):
    """An example goes wrong here."""

    def __init__(self, span: Span, message: str, expected: str = "", found: str = "") -> None:
        self.span = span
        self.message = message
        self.expected = expected
        self.found = found
        super().__init__(message)


def run_example(game: g.Game, example: g.Example) -> g.Outcome:
    """Plays an example. Faults of the rules are failures of the example."""
    from interpreter.compiler import compile_game

    try:
        run = Run(Names(compile_game(game, len(example.players)), example.players))
        run.lines(example.lines)
    except Failure as fault:
        message = fault.message + run.told_forced()
        return g.Outcome(example.title, False, message, fault.span, fault.expected, fault.found)
    except RuleError as error:
        return g.Outcome(example.title, False, f"The rules cannot carry this out: {error.message}", error.span)
    return g.Outcome(example.title, True)


class Run:
    """An example under way."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.program = names.program
        self.state: State = self.program.blank(0)
        self.forced: list[str] = []
        """The moves without a choice that were made for the line that is carried out."""

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
        """Sets a position up; one that cannot be is the fault of the example, not of the rules. Whoever is being asked
        is asked anew: other moves may be open there."""
        try:
            set_up(self.program, self.state, line)
        except RuleError as error:
            raise Failure(error.span, error.message) from error
        self.program.refresh(self.state)

    # ------------------------------------------------------------ answers
    def answer(self, player: int, text: str, span: Span) -> None:
        """Makes a move for a player, and before it what is forced."""
        for _ in range(MAX_FORCED):
            if self.state.who == player and self.fits(text):
                for code in self.planned(player, text, span):
                    self.program.apply(self.state, code)
                return
            if not self.step_forced():
                break
        self.refuse(player, text, span)

    def planned(self, player: int, text: str, span: Span) -> list[int]:
        """The codes of the moves that a text means; a Failure if it could be several, or is incomplete."""
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
            raise Failure(span, f"Nobody is asked any more, so {name} cannot answer {text}.", text, "nobody is asked")
        if self.state.who != player:
            raise Failure(span, f"{self.asked()}, not {name}.", f"{name}: {text}", self.asked())
        refused = refusal(self.names, self.state, text)
        why = refused.words if refused else ""
        raise Failure(span, f"{name} may not {text}: {why} {self.asked()}.", f"{name}: {text}", self.asked())

    def asked(self) -> str:
        """`Bob is asked: check or bet 1`."""
        texts = printed(self.names, self.state, self.state.legal)
        shown = texts if len(texts) <= SHOWN else [*texts[:SHOWN], f"{len(texts) - SHOWN} more"]
        return f"{self.names.players[self.state.who]} is asked: {listed(shown, 'or')}"

    # ------------------------------------------------------------ what is forced
    def step_forced(self) -> bool:
        """Makes the only move there is, or ends a choice of several that was begun; says whether there was
        one."""
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
        """What was done before a line failed, without anybody having a choice."""
        if not self.forced:
            return ""
        last = self.forced[-SHOWN:]
        more = f"{len(self.forced) - len(last)} others, " if len(last) < len(self.forced) else ""
        return f" Before that, without a choice: {more}{'; '.join(last)}."

    def finish_forced(self) -> None:
        for _ in range(MAX_FORCED):
            if not self.step_forced():
                return

    # ------------------------------------------------------------ what is expected
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
        """At the next decision of the player, whatever it is about; whoever is not asked may do nothing. Where words
        are expected, decisions without a choice that do not say them are passed over."""
        wrong, before = None, 0
        while self.asks_next(line.player):
            wrong, before = self.otherwise_refused(line), len(self.forced)
            if wrong is None:
                return
            if len(self.state.legal) > 1 or not self.step_forced():
                break
        if wrong is None and line.because is not None:
            where = self.asked() if self.state.who != ABSENT else "Nobody is asked any more"
            name = self.names.players[line.player]
            raise Failure(line.span, f"{where}, so nothing tells {name} why.", line.because, where)
        if wrong is not None:
            del self.forced[before:]
            raise wrong

    def otherwise_refused(self, line: g.ExpectingMoves) -> Failure | None:
        """What is wrong if moves are closed to the one who is asked, but for another reason than expected. Raises a
        Failure if one is open."""
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
        """Goes on, as long as the others have no choice, to where a player is asked; says whether that comes."""
        for _ in range(MAX_FORCED):
            if self.state.who == player:
                return True
            if not self.step_forced():
                return False
        return False

    def several(self, text: str) -> bool:
        """Whether a text leaves open which of several moves it means: any of them will do, as all are open."""
        texts = printed(self.names, self.state, self.state.legal)
        return text.strip() not in texts and len(meant(words_of(text), texts)) > 1

    def incomplete(self, text: str) -> Refusal | None:
        """What is expected of cards is expected of them alone: too few of them are refused."""
        if self.state.picks:
            return None
        try:
            SetPlan(self.names, self.state, words_of(text)).codes(least=1)
        except MoveError as error:
            return Refusal(error.message)
        return None

    def reach(self, line: g.ExpectingMoves) -> None:
        """Goes on to the decision of the player that is meant: one with a choice, or one that knows such
        moves."""
        for _ in range(MAX_FORCED):
            if self.state.who == line.player and (len(self.state.legal) > 1 or self.is_about(line)):
                return
            if not self.step_forced():
                break
        name = self.names.players[line.player]
        where = self.asked() if self.state.who != ABSENT else "Nobody is asked any more"
        raise Failure(line.span, f"{where}, not {name}.", f"{name} is asked", where)

    def is_about(self, line: g.ExpectingMoves) -> bool:
        """Whether the decision is of the kind that the moves belong to, open or not."""
        site = self.program.site(self.state)
        known = {option.name for option in site.options} | {getattr(site.statement, "verb", "")}
        for text, _ in line.moves:
            said = words_of(text)
            if (said and said[0] in known) or refusal(self.names, self.state, text) is None:
                return True
        return False

"""Example runner with reports on failed expectations.

Moves without an alternative are made automatically, when the next move or expectation needs them. So is `done` after
cards were named, unless the next move is another pick.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.model.expression_queries import pair_owner_variables
from interpreter.hands.hand_evaluator import HandReading
from interpreter.hands.tie_breaks import find_deciding_line
from interpreter.match.illegal_moves import Refusal, explain_illegal_move, parse_legal_move
from interpreter.match.move_parser import MAX_LISTED_MOVES, PickSequence, find_move_codes, match_moves, split_move_words
from interpreter.match.state_edits import apply_given_facts
from interpreter.narration.decision_text import format_moves
from interpreter.narration.display_names import MatchNames
from interpreter.runtime.errors import MoveError, RuleError
from interpreter.runtime.state import ABSENT, DONE, State
from interpreter.runtime.value_formatting import join_items

MAX_VALUE_PARTS = 8
"""Maximum number of parts to list."""
Env = dict[int, Any]


def explain_value(names: MatchNames, state: State, expr: g.Expr) -> str:
    """Return the parts of a value: ` (coins 4 + total of basket's points 9)`. It is empty for simple values."""
    try:
        parts = ValueExplainer(names, state).explain_parts(expr, {})
    except RuleError:
        return ""
    return f" ({parts})" if parts else ""


class ValueExplainer:
    def __init__(self, names: MatchNames, state: State) -> None:
        self.names = names
        self.state = state

    def evaluate(self, expr: g.Expr, env: Env) -> Any:
        return self.names.program.evaluate(expr, self.state, env)

    def explain_parts(self, expr: g.Expr, env: Env) -> str:
        match expr:
            case g.Call(define=name) if self.names.game.defines[name].subject != "cards":
                define = self.names.game.defines[name]
                inner = {var.id: self.evaluate(of, env) for var, of in pair_owner_variables(define, expr)}
                return self.explain_parts(define.value, inner) or self.list_counting_cards(self.evaluate(expr, env))
            case g.Cases(cases=cases):
                return next(
                    (self.explain_parts(v, env) for v, when in cases if when is None or self.evaluate(when, env)), ""
                )
            case g.Arith(operator="+" | "-"):
                return self.explain_terms(expr, env)
            case g.Agg(function="total", list=items):
                values = [self.names.format_value(g.NUMBER, item) for item in self.evaluate(items, env)]
                return " + ".join(values) if 1 < len(values) <= MAX_VALUE_PARTS else ""
            case g.AggBy(list=items, var=var, key=key) if key is not None and var is not None:
                return self.list_compared_values(self.evaluate(items, env), var, key, env)
            case g.Builtin(name="title" | "used" | "rest" | "wilds", of=of) if of is not None:
                return self.list_counting_cards(self.evaluate(of, env))
        return self.list_counting_cards(self.evaluate(expr, env)) if expr.type.tag == "reading" else ""

    def explain_terms(self, expr: g.Expr, env: Env) -> str:
        if isinstance(expr, g.Arith) and expr.operator in ("+", "-"):
            return f"{self.explain_terms(expr.left, env)} {expr.operator} {self.explain_terms(expr.right, env)}"
        value = self.names.format_value(expr.type, self.evaluate(expr, env))
        return value if isinstance(expr, g.Const) else f"{expr.span.text} {value}"

    def list_compared_values(self, items: list[Any], var: g.Var, key: g.Expr, env: Env) -> str:
        """Return the value for each item: `Ann 5, Bob 8`."""
        parts = []
        for item in items[:MAX_VALUE_PARTS]:
            value = self.evaluate(key, {**env, var.id: item})
            parts.append(f"{self.names.format_value(var.type, item)} {self.names.format_value(key.type, value)}")
        return ", ".join(parts)

    def list_counting_cards(self, value: Any) -> str:
        """Return the cards that count in a hand."""
        if not isinstance(value, HandReading):
            return ""
        rest = f", beside {self.names.format_cards(value.rest)}" if value.rest else ""
        return f"by {self.names.format_cards(value.used)}{rest}"


def describe_deciding_tie(ranking: g.Ranking, reading: HandReading, other_reading: HandReading) -> str:
    """Return the line of `ties` that decides between two hands, or say that none does.

    It is empty if the ranks differ, or if the ranking has no such lines.
    """
    if reading.rank != other_reading.rank or not ranking.ties:
        return ""
    line = find_deciding_line(ranking.ties, reading.strength, other_reading.strength)
    if line is None:
        return "; no line of `ties` decides between them"
    words = {"best": "highest when", "worst": "lowest when"}.get(line.how, line.how)
    return f"; `{words} {line.value.span.text}` decides"


CONSTANT_EXPRESSIONS = (g.Const, g.NamedCards)


def describe_actual_values(names: MatchNames, state: State, condition: g.Expr) -> str:
    """Return the values in a condition that fails: `forgotten = [5L 9G] (9G on top)`. It is empty if there are none."""
    if isinstance(condition, g.And):
        left_holds = names.program.evaluate(condition.left, state)
        return describe_actual_values(names, state, condition.right if left_holds else condition.left)
    if isinstance(condition, g.Or):
        parts = [describe_actual_values(names, state, side) for side in (condition.left, condition.right)]
        return ", ".join(part for part in parts if part)
    if isinstance(condition, g.Not):
        return describe_expression_value(names, state, condition.value)
    if isinstance(condition, g.Compare):
        sides = [side for side in (condition.left, condition.right) if not isinstance(side, CONSTANT_EXPRESSIONS)]
        return ", ".join(describe_expression_value(names, state, side) for side in sides) + describe_tie_between(
            names, state, sides
        )
    if isinstance(condition, g.IsIn):
        return ", ".join(describe_expression_value(names, state, side) for side in (condition.value, condition.list))
    if isinstance(condition, g.IsEmpty | g.IsAbsent):
        return describe_expression_value(names, state, condition.value)
    return describe_expression_value(names, state, condition)


def describe_expression_value(names: MatchNames, state: State, expr: g.Expr) -> str:
    """Return an expression with its value: `Ann's chips = 95`."""
    value = names.program.evaluate(expr, state)
    text = names.format_value(expr.type, value)
    return f"{expr.span.text} = {text}{describe_top_card(names, expr, value)}{explain_value(names, state, expr)}"


def describe_tie_between(names: MatchNames, state: State, sides: list[g.Expr]) -> str:
    """Return the tie line that decides between two hands."""
    ranking = names.game.rankings.get(sides[0].type.of or "") if len(sides) == 2 else None
    if ranking is None or any(side.type.tag != "reading" for side in sides):
        return ""
    one, other = (names.program.evaluate(side, state) for side in sides)
    if isinstance(one, HandReading) and isinstance(other, HandReading):
        return describe_deciding_tie(ranking, one, other)
    return ""


def describe_top_card(names: MatchNames, expr: g.Expr, value: Any) -> str:
    """Return the top card of a pile: ` (9G on top)`."""
    item = expr.type.item
    if isinstance(expr, g.ZoneCards) and item is not None and item.tag == "card" and len(value) > 1:
        return f" ({names.get_card_code(value[-1])} on top)"
    return ""


MAX_FORCED_MOVES = 10_000
"""Maximum number of consecutive decisions with a single legal move."""


class ExampleFailure(Exception):
    """Failure of an example at a position in the source."""

    def __init__(self, span: Span, message: str, expected: str = "", actual: str = "") -> None:
        self.span = span
        self.message = message
        self.expected = expected
        self.actual = actual
        super().__init__(message)


def run_example(game: g.Game, example: g.Example) -> g.Outcome:
    """Run an example. Errors in the rules make it fail."""
    from interpreter.program.program import compile_game

    try:
        run = ExampleRun(MatchNames(compile_game(game, len(example.players)), example.players))
        run.run_lines(example.lines)
    except ExampleFailure as fault:
        message = fault.message + run.describe_forced_moves()
        return g.Outcome(example.title, False, message, fault.span, fault.expected, fault.actual)
    except RuleError as error:
        return g.Outcome(example.title, False, f"A rule failed: {error.message}", error.span)
    return g.Outcome(example.title, True)


class ExampleRun:
    """Run of one example."""

    def __init__(self, names: MatchNames) -> None:
        self.names = names
        self.program = names.program
        self.state: State = self.program.create_blank_state(0)
        self.forced_moves: list[str] = []
        """Forced moves made for the current line."""

    def run_lines(self, lines: tuple[g.ExampleLine, ...]) -> None:
        for line in lines:
            self.forced_moves.clear()
            match line:
                case g.Given():
                    self.set_up_position(line)
                case g.Doing():
                    self.advance_until(lambda: False)
                    self.program.run_step(self.state, line.statement)
                case g.Answer():
                    for text, span in line.moves:
                        self.make_player_move(line.player, text, span)
                case g.Expecting():
                    self.advance_until(lambda: False)
                    self.check_condition(line)
                case g.ExpectingMoves():
                    self.check_legal_moves(line)

    def set_up_position(self, line: g.Given) -> None:
        """Set up a position. Raise `ExampleFailure` if it is impossible, because the example is wrong, not the rules.

        The legal moves of a pending decision are computed again.
        """
        try:
            apply_given_facts(self.program, self.state, line)
        except RuleError as error:
            raise ExampleFailure(error.span, error.message) from error
        self.program.refresh_legal_moves(self.state)

    # ------------------------------------------------------------ answers
    def make_player_move(self, player: int, text: str, span: Span) -> None:
        """Make a move of a player, after any forced moves."""
        if not self.advance_until(lambda: self.state.who == player and self.can_be_move(text)):
            self.fail_illegal_move(player, text, span)
        for code in self.parse_player_move(player, text, span):
            self.program.apply(self.state, code)

    def parse_player_move(self, player: int, text: str, span: Span) -> list[int]:
        """Return the codes of the moves in a string. Raise `ExampleFailure` if it is ambiguous or incomplete."""
        try:
            return parse_legal_move(self.names, self.state, text)
        except MoveError:
            return self.fail_illegal_move(player, text, span)

    def can_be_move(self, text: str) -> bool:
        try:
            return bool(find_move_codes(self.names, self.state, text))
        except MoveError:
            return len(self.state.legal) > 1

    def fail_illegal_move(self, player: int, text: str, span: Span) -> NoReturn:
        name = self.names.players[player]
        if self.state.who == ABSENT:
            raise ExampleFailure(span, f"No decision is left, so {name} cannot {text}.", text, "no decision")
        if self.state.who != player:
            why = f"It is not {name}'s decision."
        else:
            refused = explain_illegal_move(self.names, self.state, text)
            why = f"{name} may not {text}: {refused.message if refused else ''}"
        where = self.describe_decision()
        raise ExampleFailure(span, f"{why} {where}.", f"{name}: {text}", where)

    def describe_decision(self) -> str:
        """Return the current player and legal moves: `Bob can choose: check or bet 1`."""
        texts = format_moves(self.names, self.state, self.state.legal)
        more = [f"{len(texts) - MAX_LISTED_MOVES} more"] if len(texts) > MAX_LISTED_MOVES else []
        shown = join_items([*texts[:MAX_LISTED_MOVES], *more], "or")
        return f"{self.names.players[self.state.who]} can choose: {shown}"

    # ------------------------------------------------------------ forced moves
    def make_forced_move(self) -> bool:
        """Make the only legal move, or end a choice of several cards. Return whether that was possible."""
        state = self.state
        if state.who == ABSENT:
            return False
        if len(state.legal) == 1:
            [move] = format_moves(self.names, state, state.legal)
            self.forced_moves.append(f"{self.names.players[state.who]}: {move}")
            self.program.apply(state, state.legal[0])
            return True
        if state.picks and DONE in state.legal:
            self.program.apply(state, DONE)
            return True
        return False

    def describe_forced_moves(self) -> str:
        """Return a sentence about the forced moves before the failing line."""
        if not self.forced_moves:
            return ""
        last = self.forced_moves[-MAX_LISTED_MOVES:]
        more = f"{len(self.forced_moves) - len(last)} others, " if len(last) < len(self.forced_moves) else ""
        return f" Forced moves before it: {more}{'; '.join(last)}."

    def advance_until(self, is_reached: Callable[[], bool]) -> bool:
        """Make forced moves until the state fulfils a condition. Return whether that happens."""
        for _ in range(MAX_FORCED_MOVES):
            if is_reached():
                return True
            if not self.make_forced_move():
                return False
        return False

    # ------------------------------------------------------------ expectations
    def check_condition(self, line: g.Expecting) -> None:
        if self.program.evaluate(line.condition, self.state):
            return
        expected = line.condition.span.text
        actual = describe_actual_values(self.names, self.state, line.condition)
        message = f"Expected {expected}" + (f", but found {actual}." if actual else ".")
        raise ExampleFailure(line.span, message, expected, actual)

    def check_legal_moves(self, line: g.ExpectingMoves) -> None:
        if line.negated:
            self.check_illegal_moves(line)
            return
        self.advance_to_decision(line)
        name = self.names.players[line.player]
        for text, span in line.moves:
            refused = self.find_refusal(text)
            if refused:
                raise ExampleFailure(
                    span, f"{name} may not {text}: {refused.message}", f"{name} may {text}", refused.message
                )

    def check_illegal_moves(self, line: g.ExpectingMoves) -> None:
        """Check that moves are illegal at the player's next decision. If the player has none, they are illegal.

        If a reason is expected, forced decisions with other reasons are skipped.
        """
        wrong, before = None, 0
        while self.advance_until(lambda: self.state.who == line.player):
            wrong, before = self.find_other_refusal(line), len(self.forced_moves)
            if wrong is None:
                return
            if len(self.state.legal) > 1 or not self.make_forced_move():
                break
        if wrong is None and line.because is not None:
            where = self.describe_decision() if self.state.who != ABSENT else "No decision is left"
            name = self.names.players[line.player]
            raise ExampleFailure(
                line.span, f"{name} has no decision here, so no reason is given. {where}.", line.because, where
            )
        if wrong is not None:
            del self.forced_moves[before:]
            raise wrong

    def find_other_refusal(self, line: g.ExpectingMoves) -> ExampleFailure | None:
        """Return a failure if the moves are illegal for another reason than expected.

        Raise `ExampleFailure` if a move is legal.
        """
        name = self.names.players[line.player]
        for text, span in line.moves:
            refused = self.find_refusal(text)
            if not refused:
                raise ExampleFailure(span, f"{name} may {text}.", f"{name} may not {text}", self.describe_decision())
            if line.because is not None and line.because not in (refused.message, *refused.author_docs):
                message = f"{name} may not {text}, but for another reason: {refused.message}"
                return ExampleFailure(span, message, line.because, refused.message)
        return None

    def find_refusal(self, text: str) -> Refusal | None:
        if self.is_ambiguous(text):
            return None
        return explain_illegal_move(self.names, self.state, text) or self.find_missing_cards(text)

    def is_ambiguous(self, text: str) -> bool:
        """Return whether a string could mean several legal moves.

        Then all of them are legal, so the expectation holds.
        """
        texts = format_moves(self.names, self.state, self.state.legal)
        return text.strip() not in texts and len(match_moves(split_move_words(text), texts)) > 1

    def find_missing_cards(self, text: str) -> Refusal | None:
        """Return a refusal if the named cards are too few, because they are expected to be a complete choice."""
        if self.state.picks:
            return None
        try:
            PickSequence(self.names, self.state, split_move_words(text)).build_pick_codes(least=1)
        except MoveError as error:
            return Refusal(error.message)
        return None

    def advance_to_decision(self, line: g.ExpectingMoves) -> None:
        """Make forced moves until the player's decision: one with a choice, or one about such moves."""
        if self.advance_until(
            lambda: self.state.who == line.player and (len(self.state.legal) > 1 or self.is_about_moves(line))
        ):
            return
        name = self.names.players[line.player]
        where = self.describe_decision() if self.state.who != ABSENT else "No decision is left"
        raise ExampleFailure(line.span, f"It is not {name}'s decision. {where}.", f"{name} decides", where)

    def is_about_moves(self, line: g.ExpectingMoves) -> bool:
        """Return whether the decision is about such moves, legal or not."""
        site = self.program.get_site(self.state)
        known = {option.name for option in site.options} | {getattr(site.statement, "verb", "")}
        for text, _ in line.moves:
            words = split_move_words(text)
            if (words and words[0] in known) or explain_illegal_move(self.names, self.state, text) is None:
                return True
        return False

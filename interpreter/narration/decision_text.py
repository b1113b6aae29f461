"""Text of a decision: prompt, printed moves, option wording, chosen move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cardlang import model as g
from cardlang.english import morphology
from cardlang.english.morphology import replace_hyphens
from cardlang.model.types import is_card_type
from interpreter.knowledge.taint_tracking import TracingState, evaluate_with_knowers
from interpreter.narration import event_phrases as p
from interpreter.narration.author_text import build_foreign_phrases, build_predicate
from interpreter.narration.display_names import MatchNames, format_card_count
from interpreter.narration.number_partial_evaluation import KnownValue, PartialEvaluator, Residual
from interpreter.runtime.errors import RuleError
from interpreter.runtime.state import DONE, DecisionPoint, State, get_choice_type
from interpreter.runtime.value_formatting import format_number, join_items

if TYPE_CHECKING:
    from interpreter.program.program import Program


def format_moves(names: MatchNames, state: State, codes: Iterable[int]) -> list[str]:
    """Return the printed forms of moves of the decision in a state. All are different."""
    site = names.program.get_site(state)
    printer = MovePrinter(names, state, site)
    texts = [printer.format_move(code) for code in codes]
    if len(set(texts)) == len(texts):
        return texts
    if printer.has_hidden_cards:
        printer.names_piles = True
        texts = [printer.format_move(code) for code in codes]
    return list(number_duplicates(texts))


def number_duplicates(texts: Sequence[str]) -> Iterator[str]:
    """Yield strings made unique: the second of equal ones ends in ` #2`, and so on."""
    seen: dict[str, int] = {}
    for text in texts:
        count = seen[text] = seen.get(text, 0) + 1
        yield text if count == 1 else f"{text} #{count}"


class MovePrinter:
    """Printer of the moves of one decision, for the current player or another seat (`seat`)."""

    def __init__(self, names: MatchNames, state: State, site: DecisionPoint, seat: int | None = None) -> None:
        self.names = names
        self.program: Program = names.program
        self.state = state
        self.site = site
        self.seat = state.who if seat is None else seat
        self.names_piles = False
        self.has_hidden_cards = False
        self.number_options = {
            number: option.name
            for number, option in enumerate(site.options)
            if [var.type for var, _ in option.binders] == [g.NUMBER]
        }
        """Names of the options with a number only, which can have thousands of moves."""

    def format_move(self, code: int) -> str:
        if code == DONE:
            return get_pass_or_done(self.site, self.state)
        count = len(self.site.options)
        if count and (code - 1) % count in self.number_options:
            return f"{self.number_options[(code - 1) % count]} {(code - 1) // count}"
        option, values = self.program.decode_move(self.site, code)
        if option is None:
            value = self.format_value(get_choice_type(self.site), values[0])
            verb = getattr(self.site.statement, "verb", "")
            return f"{verb} {value}" if verb else value
        chosen = self.site.options[option]
        return " ".join([chosen.name, *self.format_bindings(chosen, values)])

    def format_bindings(self, option: g.Option, values: Sequence[int]) -> list[str]:
        """Return the values bound to an option, in words."""
        return [self.format_value(var.type, value) for (var, _), value in zip(option.binders, values, strict=True)]

    def format_value(self, type: g.Type, value: int) -> str:
        if type.tag == "card" and not self.program.is_visible(self.state, value, self.seat):
            return self.format_hidden_card(value)
        return self.names.format_value(type, value)

    def format_hidden_card(self, card: int) -> str:
        """Return a card by its place: `#2`, or `#2 of Bob's hand` if the moves concern several piles."""
        self.has_hidden_cards = True
        pile = self.state.loc[card]
        position = f"#{self.state.z[pile].index(card) + 1}"
        return f"{position} of {self.names.get_pile_name(pile)}" if self.names_piles else position


def get_pass_or_done(site: DecisionPoint, state: State) -> str:
    """Return the name of the move without a choice: `done` ends a choice of several, `pass` declines."""
    several = site.kind in ("pick", "several")
    declines = bool(getattr(site.statement, "may", False)) and not state.picks
    return "done" if several and not declines else "pass"


def get_choice_noun(site: DecisionPoint) -> str:
    """Return the noun for one chosen value: `card`, `suit`.

    For players and numbers it is the name in the rule: `rival`, `stake`.
    """
    if site.options:
        return ""
    type = get_choice_type(site)
    if type.tag == "card" or not isinstance(site.statement, g.Choose):
        return "card"
    if type.tag == "member" and type.of is not None:
        return replace_hyphens(type.of).lower()
    name = replace_hyphens(site.statement.var.name)
    is_noun = len(name) > 2 and not name.endswith(("ed", "en")) and not site.statement.several
    return name if is_noun else type.tag


class MoveWording:
    """Writer of moves at one decision, for its seats and for the referee (None), who knows everything.

    `scope`: values of the variables known there.
    """

    def __init__(self, names: MatchNames, state: State, scope: Mapping[int, object]) -> None:
        self.names, self.state, self.scope = names, state, scope
        self.tracing_state = TracingState.wrap(state)
        self.known_values: dict[object, KnownValue | None] = {}
        self.residuals: dict[tuple[int, int], Residual | None] = {}
        self.number_residuals: dict[tuple[int, int | None], list[Residual]] = {}

    def find_values(self, option: g.Option, values: Sequence[int], seat: int | None) -> list[tuple[str, ...]] | None:
        """Return the phrases of the values in the author's wording.

        Return None if the author gives no wording, or if the seat may not know all values in it.
        """
        residuals = self.get_number_residuals(option, seat)
        numbers = [residual.evaluate_known(values[0]) for residual in residuals]
        if numbers and None not in numbers:
            return [(p.Amount(format_number(number[0])),) for number in numbers if number is not None]
        bindings: dict[int, object] = {var.id: value for (var, _), value in zip(option.binders, values, strict=True)}
        phrases = []
        for expr in option.called_with:
            known_value = self.find_value_known_to(expr, bindings, seat)
            if known_value is None:
                return None
            phrases.append(self.names.build_value_phrases(expr.type, known_value[0]))
        return phrases if option.called else None

    def find_value_known_to(self, expr: g.Expr, bindings: Mapping[int, object], seat: int | None) -> KnownValue | None:
        """Return the value of an expression, or None if a seat may not know it."""
        known_value = self.find_known_value(expr, bindings)
        if known_value is None or seat is None:
            return known_value
        is_known = known_value[1] >> seat & 1 and self.can_know_variables(expr, bindings, seat)
        return known_value if is_known and self.can_identify_cards(expr.type, known_value[0], seat) else None

    def find_known_value(self, expr: g.Expr, bindings: Mapping[int, object]) -> KnownValue | None:
        """Return the value of an expression, evaluated once for all seats."""
        key = id(expr), *bindings.items()
        if key not in self.known_values:
            self.known_values[key] = self.evaluate_known(expr, bindings)
        return self.known_values[key]

    def evaluate_known(self, expr: g.Expr, bindings: Mapping[int, object]) -> KnownValue | None:
        """Return the value of an expression with the seats that may know it; None if it has no value."""
        residual = self.get_residual(expr, *bindings) if len(bindings) == 1 else None
        if residual is not None:
            (number,) = bindings.values()
            known_value = residual.evaluate_known(number) if isinstance(number, int) else None
            if known_value is not None:
                return known_value
        needed, _ = self.names.facts.find_variables(expr)
        known = {**self.scope, **bindings}
        return self.evaluate(expr, {var: known[var] for var in sorted(needed)}) if needed <= known.keys() else None

    def evaluate(self, expr: g.Expr, env: Mapping[int, object]) -> KnownValue | None:
        try:
            return evaluate_with_knowers(self.names.program, expr, self.tracing_state, env)
        except RuleError:
            return None

    def get_residual(self, expr: g.Expr, var: int) -> Residual | None:
        """Return the residual of a numeric expression in a bound variable. It is cached for all moves."""
        key = id(expr), var
        if key not in self.residuals:
            residual = None
            if expr.type.tag == "number":
                everybody = (1 << self.names.program.players + 1) - 1
                residual = PartialEvaluator(self.evaluate_without_chance, self.scope, everybody).build_residual(
                    expr, var
                )
            self.residuals[key] = residual
        return self.residuals[key]

    def get_number_residuals(self, option: g.Option, seat: int | None) -> list[Residual]:
        """Return the residuals of all values in a wording, in the option's only number.

        Return none if there is another value, or one that the seat may not know. They are cached for all moves.
        """
        key = id(option), seat
        if key not in self.number_residuals:
            known = []
            if option.called and [var.type.tag for var, _ in option.binders] == ["number"]:
                var = option.binders[0][0].id
                known = [
                    residual
                    for expr in option.called_with
                    if (residual := self.get_residual(expr, var)) is not None
                    and (seat is None or residual.knowing_seats >> seat & 1)
                    and self.can_know_variables(expr, {var: 0}, seat)
                ]
            self.number_residuals[key] = known if len(known) == len(option.called_with) else []
        return self.number_residuals[key]

    def evaluate_without_chance(self, expr: g.Expr, env: Mapping[int, object]) -> KnownValue | None:
        known_value = self.evaluate(expr, env)
        return known_value if self.tracing_state.rng == self.tracing_state.real.rng else None

    def can_know_variables(self, expr: g.Expr, bindings: Mapping[int, object], seat: int | None) -> bool:
        """Return whether a seat may know the variables of an expression.

        It must be able to identify their cards, and no variable may be derived from hidden information. A counter on a
        card is visible without identifying the card.
        """
        if seat is None or (isinstance(expr, g.TrackValue) and isinstance(expr.of, g.Var)):
            return True
        hidden = self.names.facts.common_knowledge.find_hidden_variables()
        for var in self.names.facts.find_variables(expr)[1]:
            if is_card_type(var.type):
                value = bindings[var.id] if var.id in bindings else self.scope[var.id]
                if not self.can_identify_cards(var.type, value, seat):
                    return False
            elif var.id in hidden and var.id not in bindings:
                return False
        return True

    def can_identify_cards(self, type_: g.Type, value: Any, seat: int) -> bool:
        """Return whether a seat can identify all cards in a value."""
        if not is_card_type(type_) or value is None:
            return True
        cards = value if isinstance(value, list | tuple) else [value]
        return all(card < 0 or self.names.program.is_visible(self.state, card, seat) for card in cards)


class ObserverMovePrinter(MovePrinter):
    """Printer of a choice for an observer, or for the referee without a seat.

    A card that the observer cannot identify is `a card`.
    - `outsider`: the observer did not choose, so values used only in secret are left out.
    - `has_named_card`: the referee's wording has named a card.
    """

    def __init__(
        self,
        names: MatchNames,
        state: State,
        site: DecisionPoint,
        seat: int | None,
        referee: ObserverMovePrinter | None = None,
    ) -> None:
        super().__init__(names, state, site, seat)
        self.referee = referee
        self.sees_all = seat is None
        self.outsider = seat is not None and seat != state.who
        self.has_named_card = False
        var = getattr(site.statement, "var", None)
        self.names_card_by_sight = self.is_named_by_sight(var)

    def is_named_by_sight(self, var: g.Var | None) -> bool:
        """Return whether the chosen card may go to a hidden zone.

        Then only players who see its current zone get its name. The move hides the card from the other players.
        """
        return self.outsider and var is not None and var.id in self.names.facts.carried_variables

    def is_secret_choice(self, code: int) -> bool:
        """Return whether this choice is secret.

        Passing an offer is not: whether further questions follow reveals it.
        """
        if not self.outsider:
            return False
        if isinstance(self.site.statement, g.Choose):
            return self.site.statement.var.id in self.names.facts.common_knowledge.secrecy.secret_variables
        quiet = self.names.facts.common_knowledge.secrecy.find_indistinguishable_options(self.site.options)
        if code == DONE:
            return bool(quiet) and self.site.kind != "offer"
        return self.program.decode_move(self.site, code)[0] in quiet

    def build_binding_phrases(self, option: g.Option, values: Sequence[int]) -> list[tuple[str, ...]]:
        """Return the values bound to an option, as phrases. Secret ones are left out."""
        secret = self.names.facts.common_knowledge.secrecy.secret_variables if self.outsider else frozenset()
        bound = [pair for pair in zip(option.binders, values, strict=True) if pair[0][0].id not in secret]
        return [self.build_binding(var, value, len(bound) > 1) for (var, _), value in bound]

    def build_binding(self, var: g.Var, value: int, with_noun: bool) -> tuple[str, ...]:
        """Return a bound value. A bare figure gets a noun: `rank 7`, or among several values `number 2`."""
        self.names_card_by_sight = self.is_named_by_sight(var)
        phrases = self.build_value_phrases(var.type, value)
        if not phrases[0].isdigit() or (var.type.tag == "number" and not with_noun):
            return phrases
        return (f"{replace_hyphens(var.type.of or var.name).lower()} ", *phrases)

    def describe_option_choice(self, code: int) -> Sequence[str]:
        """Return the predicate for taking an option, in the author's wording or with its name."""
        number, values = self.program.decode_move(self.site, code)
        option = self.site.options[number or 0]
        wording = self.find_custom_wording(option, values)
        if wording is not None and self.names.game.translation is not None:
            return (self.conjugate("choose"), " “", *build_foreign_phrases(option.called, wording), "”")
        if wording is not None:
            return build_predicate(
                option.called, wording, self.actor, option.span in self.names.facts.announced_options
            )
        objects = self.build_binding_phrases(option, values)
        links = morphology.OPTION_VERB_PREPOSITIONS.get(option.name)
        if links is None or len(objects) > len(links):
            named = p.Clause(f"“{replace_hyphens(option.name)}”")
            joined = p.join_phrases(["".join(each) if len(each) > 1 else each[0] for each in objects])
            return (self.conjugate("choose"), " ", named, *((" with ", *joined) if objects else ()))
        linked = [
            part for link, each in zip(links, objects, strict=False) for part in (f" {link} " if link else " ", *each)
        ]
        name = replace_hyphens(option.name)
        if option.span in self.names.facts.announced_options:
            return (self.conjugate("want"), f" to {name}", *linked)
        return (self.conjugate(name), *linked)

    def conjugate(self, verb: str) -> p.Phrase:
        """Return a verb of the player who chooses, from its infinitive."""
        return p.make_verb(morphology.conjugate_third_person(verb), self.actor)

    @property
    def actor(self) -> str:
        return self.names.players[self.state.who]

    def find_custom_wording(self, option: g.Option, values: Sequence[int]) -> list[tuple[str, ...]] | None:
        """Return the values in the author's wording of the move, if the observer may know it."""
        secret_variables = self.names.facts.common_knowledge.secrecy.secret_variables if self.outsider else frozenset()
        if not option.called or any(var.id in secret_variables for var, _ in option.binders):
            return None
        bound = zip(option.binders, values, strict=True)
        if any(self.is_named_by_sight(var) and not self.can_see_zone(value) for (var, _), value in bound):
            return None
        self.has_named_card = self.has_named_card or (self.sees_all and bool(option.called_with))
        return self.wording.find_values(option, values, None if self.sees_all else self.seat)

    @cached_property
    def wording(self) -> MoveWording:
        """Wording of the moves, shared with the referee's printer of the same choice."""
        if self.referee is not None:
            return self.referee.wording
        return MoveWording(self.names, self.state, self.program.get_scope_values(self.state))

    def build_value_phrases(self, type: g.Type, value: int) -> tuple[str, ...]:
        """Return a value as phrases. A card that the observer cannot identify is `a card`."""
        is_card = type.tag == "card"
        self.has_named_card = self.has_named_card or (self.sees_all and is_card)
        if is_card and not self.sees_all:
            is_seen = self.can_see_zone(value) if self.names_card_by_sight else True
            if not is_seen or not self.program.is_visible(self.state, value, self.seat):
                return (p.Cards.create((), 1),)
        return self.names.build_value_phrases(type, value)

    def can_see_zone(self, card: int) -> bool:
        """Return whether the observer sees the zone of a card."""
        pile = self.state.loc[card]
        return pile >= 0 and bool(self.program.layout.sees[pile] >> self.seat & 1)


def build_choice_predicate(printer: ObserverMovePrinter, code: int) -> Sequence[str]:
    """Return the predicate of a sentence about a choice: `plays [3c]`, `bids 3`, `passes`."""
    site = printer.site
    verb = getattr(site.statement, "verb", "")
    action = printer.conjugate({"turn": "turn up"}.get(verb, verb) or "choose")
    if code == DONE:
        if site.options or get_pass_or_done(site, printer.state) == "pass":
            return (printer.conjugate("pass"),)
        return (action, " ", p.Cards.create(()) if verb else "nothing")
    if site.options:
        return printer.describe_option_choice(code)
    if site.kind == "number":
        return (action, " ", p.Cards.create((), code - 1))
    type, noun = get_choice_type(site), get_choice_noun(site)
    value = printer.build_value_phrases(type, printer.program.decode_move(site, code)[1][0])
    if type.tag == "member" and value[0].isdigit():
        return (action, f" {noun} ", *value)
    if verb or type != g.NUMBER or noun == g.NUMBER.tag:
        return (action, " ", *value)
    if noun in morphology.OPTION_VERB_PREPOSITIONS:
        return (printer.conjugate(noun), " ", *value)
    return (action, f" {morphology.add_article(noun)} of ", *value)


def write_choice_line(printer: ObserverMovePrinter, code: int) -> p.Line:
    """Return the line about a choice. It is empty for picked cards, because the move that follows reports them."""
    name, is_move = p.make_name(printer.actor), printer.site.kind in ("pick", "number")
    if not is_move and printer.is_secret_choice(code):  # independent of the choice, once for all simultaneous ones
        secret = p.write_sentence(name, printer.conjugate("choose"), "in secret")
        return p.NO_LINE if printer.state.picks else secret
    none = printer.site.kind == "number" and code == DONE + 1
    if (is_move and not none and code != DONE) or (code == DONE and printer.state.picks):
        return p.NO_LINE
    return p.write_sentence(name, build_choice_predicate(printer, code))


def build_prompt(names: MatchNames, state: State) -> str:
    """Return the question to the player: `Play a card.`, followed by the text of the rule.

    If that text is a question, it comes first: `What do you do? Check or bet.`
    """
    site = names.program.get_site(state)
    asked = build_question(names, state, site)
    words = site.statement.doc if site.statement is not None else ""
    if words.endswith("?"):
        asked, words = words, f"{asked.removesuffix('?').removesuffix('.')}."
    so_far = (
        f"So far: {format_picks(names, state, site)}." if state.picks and is_card_type(get_choice_type(site)) else ""
    )
    return " ".join(part for part in (asked, words, so_far) if part)


def format_picks(names: MatchNames, state: State, site: DecisionPoint) -> str:
    """Return the cards picked so far: `[9G 7A]`, or their places if the player cannot identify them."""
    if all(names.program.is_visible(state, card, state.who) for card in state.picks):
        return names.format_cards(state.picks)
    printer = MovePrinter(names, state, site)
    return join_items([printer.format_value(g.CARD, card) for card in state.picks])


def build_question(names: MatchNames, state: State, site: DecisionPoint) -> str:
    statement = site.statement
    if isinstance(statement, g.Pick):
        cards = describe_number_to_pick(statement, site)
        return f"{statement.verb.capitalize()} {cards}{build_or_pass_suffix(site, state)}."
    if isinstance(statement, g.Choose):
        return f"Choose {describe_choice_object(statement)}{build_or_pass_suffix(site, state)}."
    return f"{list_option_names(names, state, site)}?"


def build_or_pass_suffix(site: DecisionPoint, state: State) -> str:
    """Return `, or pass` if the player can pass, or `, or finish` if a choice of several can end."""
    if DONE not in state.legal:
        return ""
    return ", or finish" if get_pass_or_done(site, state) == "done" else ", or pass"


def describe_number_to_pick(statement: g.Pick, site: DecisionPoint) -> str:
    low, high = get_constant_number(statement.low), get_constant_number(statement.high)
    if site.kind == "number" and statement.position in ("top", "bottom", "first", "last"):
        return f"{describe_card_count(low, high)} from the {statement.position}"
    return describe_card_count(low, high)


def describe_card_count(low: int | None, high: int | None) -> str:
    """Return a number of cards: `a card`, `up to 3 cards`, `1 to 2 cards`, `cards`."""
    if high is None:
        return "cards"
    if low == high:
        return format_card_count(high)
    return f"up to {format_card_count(high)}" if not low else f"{low} to {format_card_count(high)}"


def get_constant_number(expr: g.Expr | None) -> int | None:
    return expr.value if isinstance(expr, g.Const) and isinstance(expr.value, int) else None


def describe_choice_object(statement: g.Choose) -> str:
    type = statement.var.type.item or statement.var.type
    if type.tag == "number":
        return "a number"
    noun = type.of if type.tag == "member" and type.of else type.tag
    if statement.several:
        return f"{noun}s" if type.tag != "member" else f"from {noun}"
    article = "an" if noun[:1].lower() in "aeiou" else "a"
    return f"{article} {noun}"


def list_option_names(names: MatchNames, state: State, site: DecisionPoint) -> str:
    """Return the legal options: `Check, bet or fold`. For a response, return all options."""
    open_now = {(code - 1) % max(1, len(site.options)) for code in state.legal if code != DONE}
    if site.kind == "react":
        open_now = set(range(len(site.options)))
    words = [option.name for index, option in enumerate(site.options) if index in open_now]
    if DONE in state.legal:
        words.append("pass")
    text = join_items([word.replace("-", " ") for word in words], "or")
    return text[:1].upper() + text[1:]

"""Context of a decision: source, target, price, wording, option views."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import zip_longest

from cardlang import model as g
from cardlang.english.morphology import capitalize_first_letter, replace_hyphens
from cardlang.model.statement_effects import CardTransfer, iter_track_changes, iter_transfers
from cardlang.model.traversal import collect_all_nodes, walk
from cardlang.model.types import is_card_type
from interpreter.knowledge.hidden_information_analysis import find_free_variables
from interpreter.match.exclusive_options import find_exclusive_pairs
from interpreter.match.illegal_moves import IllegalMoveExplainer
from interpreter.match.legal_moves import Decision, Move
from interpreter.match.tapped_piles import find_tapped_pile
from interpreter.narration.decision_text import MoveWording, get_choice_noun, get_pass_or_done
from interpreter.narration.display_names import MatchNames, Refs
from interpreter.narration.event_phrases import Line
from interpreter.narration.event_sentences import DEFAULT_TARGET_VERBS, describe_move_target
from interpreter.runtime.errors import RuleError
from interpreter.runtime.state import DONE, DecisionPoint, State, get_choice_type
from interpreter.runtime.value_formatting import format_number
from interpreter.view.decision_view import BindingView, DecisionView, MoveView, MoveViews, NumberedMoves
from interpreter.view.player_view import find_known_grid_cell
from interpreter.view.table_model import LabelPattern

CHOICE_VERBS = ("play", "take", "discard", "give", "put", "place")
MAX_UNFOLDED_DEFINITIONS = 8
"""Maximum number of nested definitions to search for the line that limits a choice."""


class DecisionDescription:
    """Description of the decision in a state, for the current player. `scope`: values of its variables."""

    def __init__(self, names: MatchNames, state: State, site: DecisionPoint) -> None:
        self.names, self.state, self.site = names, state, site
        self.program = names.program
        self.scope: dict[int, object] = self.program.get_scope_values(state)
        self.seat = state.who

    def evaluate(self, expr: g.Expr, more: dict[int, object]) -> object:
        """Return the value of an expression in the rule; None if it has none, or if it needs an unknown variable."""
        scope = {**self.scope, **more}
        needed = find_free_variables(expr)
        if not needed <= scope.keys():
            return None
        try:
            return self.program.evaluate(expr, self.state, {var: scope[var] for var in sorted(needed)})
        except RuleError:
            return None

    # ------------------------------------------------------------ where cards go
    def describe_target(self) -> str:
        """Return the target of the cards: `to West`, `under the deck`. It is empty if the verb implies it."""
        statement = self.site.statement
        if not isinstance(statement, g.Pick):
            return ""
        return self.describe_place(statement.verb, statement.to)

    def describe_place(self, verb: str, to: g.Place) -> str:
        if to.each:
            return "to all players"
        zone = self.names.game.zones[to.zone]
        of = self.evaluate(to.of, {}) if to.of is not None else None
        if to.of is not None and not isinstance(of, int):
            return ""
        if zone.subject == "player" and of == self.seat:
            onward = self.find_onward_pass(to.zone)
            if onward is not None:
                return f"to {self.names.players[onward[1]]}"
        elif zone.subject == "player" and isinstance(of, int) and zone.viewer == "owner":
            return f"to {self.names.players[of]}"
        if verb in DEFAULT_TARGET_VERBS and (zone.subject is None or of == self.seat) and zone.second is None:
            return ""
        second = self.evaluate(to.second, {}) if to.second is not None else 0
        if not isinstance(second, int):
            return ""
        pile = self.program.layout.get_slot(zone, of if isinstance(of, int) else None, second)
        return Line(describe_move_target(self.names, verb, pile, self.seat)).write_for(self.names.players[self.seat])

    def find_verb(self) -> str:
        """Return the verb for cards, or empty.

        If the cards are passed on to another player, return the verb of that move. For chosen cards, return the verb
        of the rule that moves them.
        """
        statement = self.site.statement
        if isinstance(statement, g.Choose):
            return self.find_verb_for_chosen_cards(statement.var)
        if not isinstance(statement, g.Pick):
            return ""
        to, onward = statement.to, None
        if not to.each and to.of is not None and self.evaluate(to.of, {}) == self.seat:
            onward = self.find_onward_pass(to.zone)
        return statement.verb if onward is None else onward[0]

    def find_verb_for_chosen_cards(self, var: g.Var) -> str:
        """Return the verb of the first rule that moves chosen cards; empty if it says no more than `choose`."""
        for transfer in iter_transfers(collect_all_nodes(self.names.game)) if is_card_type(var.type) else ():
            items = transfer.cards.items if isinstance(transfer.cards, g.Joined) else (transfer.cards,)
            if any(isinstance(item, g.Var) and item.id == var.id for item in items):
                return transfer.verb if transfer.verb in CHOICE_VERBS else ""
        return ""

    def find_onward_pass(self, zone: str) -> tuple[str, int] | None:
        """Return the verb and player to which cards put down in the player's own zone are passed on.

        Return None unless exactly one rule does this.
        """
        moves = [
            transfer
            for transfer in iter_transfers(collect_all_nodes(self.names.game))
            if is_whole_zone_move(transfer, zone)
        ]
        if len(moves) != 1 or moves[0].to.of is None:
            return None
        source = moves[0].cards
        assert isinstance(source, g.ZoneCards)
        if not isinstance(source.of, g.Var) or find_free_variables(moves[0].to.of) != {source.of.id}:
            return None
        receiver = self.evaluate(moves[0].to.of, {source.of.id: self.seat})
        return (
            (moves[0].verb, receiver) if isinstance(receiver, int) and receiver != self.seat and receiver >= 0 else None
        )

    def describe_source_pile(self) -> str:
        """Return the source of the cards, if only their number is chosen: `from the top of the deck`."""
        statement = self.site.statement
        if (
            not isinstance(statement, g.Pick)
            or statement.position is None
            or not isinstance(statement.source, g.ZoneCards)
        ):
            return ""
        zone, owners = self.names.game.zones[statement.source.zone], (statement.source.of, statement.source.second)
        of, second = (self.evaluate(owner, {}) if owner is not None else 0 for owner in owners)
        if not isinstance(of, int) or not isinstance(second, int):
            return ""
        number = self.program.layout.get_slot(zone, of, second)
        is_own = zone.subject == "player" and of == self.seat
        noun = self.names.get_slot_noun(self.program.zones[number])
        pile = f"your {noun}" if is_own else self.names.get_pile_name(number)
        return f"{'at random ' if statement.position == 'random' else ''}from {pile}"

    def find_announcer(self) -> str:
        """Return the player whose announcement this responds to; empty if there is none."""
        statement = self.site.statement
        if not isinstance(statement, g.Announce):
            return ""
        seat = self.evaluate(g.Actor(g.PLAYER, statement.span), {})
        return self.names.players[seat] if isinstance(seat, int) else ""

    # ------------------------------------------------------------ words
    def find_decision_doc(self) -> str:
        """Return the author's text for the decision.

        It is the text of the rule, or else of the line that currently limits the choice. Without one, a choice that is
        not a menu gets the text of its step.
        """
        statement = self.site.statement
        if statement is None or statement.doc:
            return statement.doc if statement is not None else ""
        if isinstance(statement, g.Pick | g.Choose):
            return self.find_limiting_doc(statement) or self.find_condition_doc(statement) or self.find_step_doc()
        if isinstance(statement, g.Menu):
            return self.describe_budget()
        return self.describe_response(statement) if isinstance(statement, g.Announce) else ""

    def find_condition_doc(self, statement: g.Pick | g.Choose) -> str:
        """Return what a definition asks of the chosen cards together: `Several cards must be of one rank.`"""
        test = statement.provided if isinstance(statement, g.Choose) and statement.several else None
        noun = self.names.game.defines[test.define].noun.singular if isinstance(test, g.Call) else ""
        return f"Several cards must be {noun.removeprefix('are ')}." if noun.startswith("are ") else ""

    def describe_budget(self) -> str:
        """Return what the player can spend, if all options with a price have the same: `You have 2 coins.`"""
        tracks = {track for option in self.site.options for _, track, _ in option.costs}
        shown = [self.names.game.tracks[track] for track in tracks - self.names.facts.hidden_tracks]
        if len(shown) != 1 or shown[0].subject != "player" or not shown[0].noun.counted:
            return ""
        slot = self.program.track_base[shown[0].name] + self.seat
        count = Fraction(self.state.t[slot], self.program.tracks[slot].scale)
        noun = shown[0].noun.singular if count == 1 else shown[0].noun.plural
        return f"You have {format_number(count) if count else 'no'} {replace_hyphens(noun)}."

    def describe_response(self, statement: g.Announce) -> str:
        """Return the text of the announced action, and that of the response, if there is only one."""
        answers = {option.doc for option in self.site.options}
        return " ".join(
            part
            for part in (self.describe_announced_action(statement), *(answers if len(answers) == 1 else ()))
            if part
        )

    def describe_announced_action(self, statement: g.Announce) -> str:
        """Return the text of the announced action, if it belongs to a card that the current player can identify."""
        borne = (part for part in walk(statement.body) if isinstance(part, g.DoBorne))
        docs = (self.find_card_step_doc(part, self.bind_announcement(statement)) for part in borne)
        return " ".join(words for words in docs if words)

    def bind_announcement(self, statement: g.Announce) -> dict[int, object]:
        """Return the variables for the announcing player and the announced action."""
        bound: dict[int, object] = {}
        if isinstance(statement.actor, g.Var):
            bound[statement.actor.id] = self.evaluate(g.Actor(g.PLAYER, statement.span), {})
        if isinstance(statement.target, g.Var):
            bound[statement.target.id] = self.evaluate(g.Target(statement.target.type, statement.span, None), {})
        return bound

    def find_card_step_doc(self, do: g.DoBorne, bound: dict[int, object]) -> str:
        """Return the author's text on a step of a card, if the current player can identify the card."""
        card = self.evaluate(do.card, bound)
        if not isinstance(card, int) or card < 0 or not self.program.is_visible(self.state, card, self.seat):
            return ""
        body = self.names.game.borne_steps[do.step].bodies[self.program.face[card]]
        return body.doc if body is not None else ""

    def find_limiting_doc(self, statement: g.Pick | g.Choose) -> str:
        items = statement.source if isinstance(statement, g.Pick) else statement.domain.list
        if items is None:
            return ""
        explainer = IllegalMoveExplainer(self.names, self.state)
        for number, (part, scope) in enumerate(explainer.unfold_list(items, explainer.scope)):
            if isinstance(part, g.FirstPossible):
                lists = [(explainer.evaluate_list(line, scope), words) for line, words in part.lists]
                words = find_constraining_doc(lists)
                suit = next((self.find_needed_value(line) for line, doc in part.lists if doc == words), "")
                return f"{words.removesuffix('.')}: {suit}." if words and suit else words
            if number == MAX_UNFOLDED_DEFINITIONS:
                break
        return ""

    def find_needed_value(self, line: g.Expr) -> str:
        """Return the value that the cards of a list must have, if a definition gives it: `Gun`."""
        test = line.condition if isinstance(line, g.Filter) else None
        if isinstance(test, g.Compare) and test.operator == "=" and isinstance(test.right, g.Call):
            value = self.evaluate(test.right, {}) if isinstance(test.left, g.Attribute) else None
            return self.names.format_value(test.right.type, value) if isinstance(value, int) else ""
        return ""

    def find_step_doc(self) -> str:
        """Return the text of the innermost step, if it is a step of a player. Other texts are about all players."""
        around = [name for name in self.program.enclosing[self.state.frames[-1][0]] if name in self.names.game.steps]
        step = self.names.game.steps[around[-1]] if around else None
        return step.doc if step is not None and step.you is not None else ""

    @cached_property
    def move_wording(self) -> MoveWording:
        return MoveWording(self.names, self.state, self.scope)

    def word_move(self, option: g.Option, values: list[int]) -> tuple[str, ...]:
        """Return the author's wording of a move; empty if there is none, or if the player may not know it."""
        phrases = self.move_wording.find_values(option, values, self.seat) if option.called else None
        pairs = zip(option.called, [*phrases, ()], strict=True) if phrases is not None else ()
        return tuple(part for words, value in pairs for part in (words, *value))

    def describe_option(self, option: g.Option, values: Sequence[int]) -> str:
        """Return the author's text on an option, and on the step of a card that the option runs."""
        run = next((part for part in walk(option.body) if isinstance(part, g.DoBorne)), None)
        bound: dict[int, object] = {var.id: value for (var, _), value in zip(option.binders, values, strict=True)}
        card = None if run is None else self.evaluate(run.card, bound)
        if run is None or not isinstance(card, int) or not self.program.is_visible(self.state, card, self.seat):
            return option.doc
        body = self.names.game.borne_steps[run.step].bodies[self.program.face[card]]
        return " ".join(filter(None, (option.doc, body.doc if body is not None else "")))

    # ------------------------------------------------------------ numbers
    def find_numbered_moves(self) -> Iterator[NumberedMoves]:
        """Yield the moves that differ only in a number, by option."""
        options = [[var.type for var, _ in option.binders] for option in self.site.options]
        for number, types in enumerate(options or [[get_choice_type(self.site)]]):
            if types != [g.NUMBER]:
                continue
            count, legal = max(1, len(options)), enumerate(self.state.legal)
            codes = [(index, code) for index, code in legal if code != DONE and (code - 1) % count == number]
            if codes:
                numbers = tuple((code - 1) // count for _, code in codes)
                pattern = self.build_label_pattern(self.site.options[number], numbers) if options else None
                yield NumberedMoves(tuple(index for index, _ in codes), numbers, pattern)

    def build_label_pattern(self, option: g.Option, numbers: Sequence[int]) -> LabelPattern | None:
        """Return the pattern of the labels of an option's moves, if all their numbers are linear in its number."""
        residuals = self.move_wording.get_number_residuals(option, self.seat)
        ends = [residual.evaluate_known(number) for residual in residuals for number in (numbers[0], numbers[-1])]
        if not residuals or option.costs or None in ends or any(residual.degree > 1 for residual in residuals):
            return None
        terms = [(residual.compute(1) - residual.compute(0), residual.compute(0)) for residual in residuals]
        if any(value.denominator != 1 for term in terms for value in term):
            return None
        first, *rest = option.called
        words = (capitalize_first_letter(first.lstrip()), *rest[:-1], rest[-1].rstrip())
        return LabelPattern(words, tuple((int(factor), int(added)) for factor, added in terms))

    # ------------------------------------------------------------ costs
    def format_cost(self, option: g.Option, values: list[int]) -> str:
        """Return the cost of an option with these values bound: `24`, `3 coins`. It is empty if unknown.

        Tracks that the game hides are left out: a limit on the uses of an option is not a cost. If the option has its
        own wording, that wording mentions payments in its step.
        """
        bound: dict[int, object] = {var.id: value for (var, _), value in zip(option.binders, values, strict=True)}
        paid = []
        for amount, track, _ in option.costs:
            if track in self.names.facts.hidden_tracks:
                continue
            price = self.evaluate(amount, bound)
            if isinstance(price, int | Fraction) and price:
                noun = self.names.game.tracks[track].noun
                paid.append(f"{format_number(price)} {noun.singular if price == 1 else noun.plural}")
        if paid:
            return " and ".join(paid)
        return "" if option.binders or option.called else self.format_step_payment(option)

    def format_step_payment(self, option: g.Option) -> str:
        """Return the payment in the single step that an option runs.

        The payment is the step's only argument, which the step takes from the player.
        """
        match option.body:
            case (g.Do(args=(amount,)) as do,):
                track = find_paid_track(self.names.game, self.names.game.steps[do.step])
                price = self.evaluate(amount, {}) if track is not None else None
                if track is not None and isinstance(price, int | Fraction) and price > 0:
                    return format_number(min(price, self.get_owned_amount(track, price)))
        return ""

    def get_owned_amount(self, track: str, price: int | Fraction) -> int | Fraction:
        slot = self.program.track_base[track] + self.seat
        if not self.names.game.tracks[track].secret:
            return Fraction(self.state.t[slot], self.program.tracks[slot].scale)
        return price

    # ------------------------------------------------------------ unavailable options
    def list_unavailable_options(self) -> list[tuple[str, str, str, bool]]:
        """Return the unavailable options, each with the reason, its label, and whether it is made with a card."""
        if self.site.kind not in ("menu", "offer"):
            return []
        taken = {(code - 1) % len(self.site.options) for code in self.state.legal if code != DONE}
        explainer = IllegalMoveExplainer(self.names, self.state)
        rest = [option for number, option in enumerate(self.site.options) if number not in taken]
        called = {option.name: self.build_option_label(option) for option in self.site.options}
        alike = {words for words, count in Counter(called.values()).items() if count > 1}
        return [
            (
                option.name,
                explainer.explain_option(option, []).message,
                format_option_name(option) if called[option.name] in alike else called[option.name],
                any(is_card_type(var.type) for var, _ in option.binders),
            )
            for option in rest
        ]

    def build_option_label(self, option: g.Option) -> str:
        """Return the label of an unavailable option.

        It is the wording up to the first value that is unknown. If that is long or ends within a phrase, it is the
        name. `list_unavailable_options` uses the names of options with equal labels.
        """
        label = ""
        for words, value in zip_longest(option.called, option.called_with):
            label += words
            known = self.evaluate(value, {}) if value is not None and value.type.tag == "text" else None
            if known is None:
                break
            label += str(known)
        return shorten_label(label) or format_option_name(option)


def shorten_label(label: str) -> str:
    """Return a label without spaces at its ends. It is empty if it is long or ends within a phrase."""
    short = label.strip()
    return short if 0 < len(short) <= MAX_LABEL_LENGTH and short.split()[-1] not in NON_FINAL_WORDS else ""


def format_option_name(option: g.Option) -> str:
    return option.name.replace("-", " ")


NON_FINAL_WORDS = (
    "a", "an", "as", "at", "by", "for", "from", "in", "into", "it", "of", "on", "the", "to", "what", "with",
)  # fmt: skip
"""Words that do not end a phrase."""
MAX_LABEL_LENGTH = 20
"""Maximum length of the label of an unavailable option, in characters. It leaves room for the legal options."""


def find_constraining_doc(lists: Sequence[tuple[list[object], str]]) -> str:
    """Return the text of the first list that is not empty, if it excludes items of a later one."""
    first = next((number for number, (items, _) in enumerate(lists) if items), len(lists))
    for items, words in lists[first : first + 1]:
        if any(item not in items for later, _ in lists[first + 1 :] for item in later):
            return words
    return ""


def is_whole_zone_move(transfer: CardTransfer, zone: str) -> bool:
    """Return whether all cards leave a zone of a player."""
    return transfer.is_whole and isinstance(transfer.cards, g.ZoneCards) and transfer.cards.zone == zone


def find_paid_track(game: g.Game, step: g.Step) -> str | None:
    """Return the track of the player that a step takes from, if it is the only one."""
    if step.you is None or len(step.params) != 1:
        return None
    tracks = {
        change.track
        for change in iter_track_changes(walk(step.body))
        if change.operator == "-" and isinstance(change.of, g.Var) and change.of.id == step.you.id
    }
    return tracks.pop() if len(tracks) == 1 else None


def build_decision_view(names: MatchNames, decision: Decision) -> DecisionView:
    """Return the current decision for its player. It is built once."""
    if decision.view is None:
        decision.view = create_decision_view(names, decision)
    return decision.view


def create_decision_view(names: MatchNames, decision: Decision) -> DecisionView:
    moves = decision.moves  # views of moves hold these, not the decision: a cycle would wait for the garbage collector
    state = names.program.clone_silently(moves.rebuild_state())  # moves may be described later
    site = names.program.get_site(state)
    statement, purpose = site.statement, DecisionDescription(names, state, site)
    return DecisionView(
        kind=site.kind,
        verb=purpose.find_verb(),
        noun=get_choice_noun(site),
        source=purpose.describe_source_pile(),
        target=purpose.describe_target(),
        words=purpose.find_decision_doc(),
        span=statement.span if statement is not None else site.options[0].span,
        moves=MoveViews(len(moves), lambda index: build_move_view(names, purpose, moves[index])),
        unavailable=tuple(purpose.list_unavailable_options()),
        announcer=purpose.find_announcer(),
        options=tuple(option.name for option in site.options),
        option_leads=list_option_leads(site.options),
        exclusive_pairs=find_exclusive_pairs(site.options),
        numbered=tuple(purpose.find_numbered_moves()),
    )


def list_option_leads(options: Sequence[g.Option]) -> tuple[str, ...]:
    """Return the wording of each option up to its first value, or its name if that is no unique, short phrase."""
    leads = [
        shorten_label(option.called[0] if option.called else "") or format_option_name(option) for option in options
    ]
    return tuple(
        lead if leads.count(lead) == 1 else format_option_name(option)
        for lead, option in zip(leads, options, strict=True)
    )


def build_move_view(names: MatchNames, purpose: DecisionDescription, move: Move) -> MoveView:
    site = purpose.site
    if move.code == DONE:
        return MoveView(move.text, move.text.capitalize(), "", get_pass_or_done(site, purpose.state), None, (), True)
    number, values = names.program.decode_move(site, move.code)
    option = None if number is None else site.options[number]
    types = [get_choice_type(site)] if option is None else [var.type for var, _ in option.binders]
    name = getattr(site.statement, "verb", "") if option is None else option.name
    both = zip(types, values, strict=True)
    bound = tuple(build_binding_view(names, names.refs, purpose.state, type, value) for type, value in both)
    phrases = purpose.word_move(option, values) if option is not None else ()
    is_unnamed = not name and any(binding.tag == "card" for binding in bound)
    verb = purpose.find_verb() or "choose" if is_unnamed else replace_hyphens(name)
    label = "".join(phrases) or " ".join([verb, *(describe_binding(binding) for binding in bound)]).strip()
    price = purpose.format_cost(option, values) if option is not None else ""
    label = f"{label} {'for ' if ' ' in price else ''}{price}".strip()
    return MoveView(
        move.text,
        capitalize_first_letter(label),
        "" if option is None else purpose.describe_option(option, values),
        name,
        number,
        bound,
        phrases=phrases,
        pile="" if option is None else find_tapped_pile(purpose.move_wording, option, values, purpose.seat),
    )


def describe_binding(binding: BindingView) -> str:
    """Return a bound value for the label of a move.

    An unknown card is given by its cell in a grid, or its number in its pile.
    """
    if binding.cell:
        return binding.cell
    return f"card {binding.text[1:]}" if binding.text.startswith("#") else binding.text.strip("[]")


def build_binding_view(names: MatchNames, refs: Refs, state: State, type: g.Type, value: int) -> BindingView:
    ref = refs.build_value_ref(state, type, value)
    if type.tag == "card" and not names.program.is_visible(state, value, state.who):
        return BindingView("card", ref, f"#{ref.rpartition('#')[2]}", cell=find_known_grid_cell(names, state, value))
    return BindingView(type.tag, ref, names.format_value(type, value), value if type.tag == "number" else None)

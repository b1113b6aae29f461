"""Facts about the rules for the event log and for views.

They are computed on demand and cached for all matches.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.model.game import GAME_CACHE_SIZE, IdentityKey
from cardlang.model.statement_effects import find_effects, iter_track_changes
from cardlang.model.suits_and_hand_sorting import Suits
from cardlang.model.traversal import collect_all_nodes, has_matching_node, walk, walk_with_definitions
from interpreter.knowledge.hidden_card_data_flow import HiddenCardVariables
from interpreter.knowledge.hidden_information_analysis import (
    CommonKnowledge,
    PrivateRevealAnalysis,
    find_free_variables,
)
from interpreter.narration.hand_titles import CardValueNames

CARD_DEPENDENT_EXPRESSIONS = (g.Attribute, g.BorneCall, g.ReadRanking, g.IsSet, g.NamedCards, g.IsReading)
"""Expressions that depend on seeing a card."""


class GameFacts:
    """Facts about one game, independent of its players. See `get_game_facts`."""

    def __init__(self, game: g.Game) -> None:
        self.game = game
        self.variables: dict[int, tuple[set[int], tuple[g.Var, ...]]] = {}

    def find_variables(self, expr: g.Expr) -> tuple[set[int], tuple[g.Var, ...]]:
        """Return the free variables of an expression of the game, as numbers and where they occur."""
        if id(expr) not in self.variables:
            needed = find_free_variables(expr)
            occurrences = (part for part in walk((expr,)) if isinstance(part, g.Var) and part.id in needed)
            self.variables[id(expr)] = needed, tuple(occurrences)
        return self.variables[id(expr)]

    @cached_property
    def common_knowledge(self) -> CommonKnowledge:
        """Public knowledge of the game. It is computed completely, because matches in other threads share it."""
        common = CommonKnowledge(self.game)
        common.find_hidden_variables()
        return common

    @cached_property
    def carried_variables(self) -> frozenset[int]:
        """Variables for cards that may go to hidden zones."""
        return HiddenCardVariables(self.common_knowledge).carried

    @cached_property
    def statement_docs(self) -> dict[Span, str]:
        """The author's text for each statement, by position."""
        return {part.span: part.doc for part in collect_all_nodes(self.game) if isinstance(part, g.Stmt) and part.doc}

    @cached_property
    def triggered_statements(self) -> frozenset[Span]:
        """Statements of `whenever` rules, by position."""
        bodies = [rule.body for rule in self.game.enters] + [rule.body for rule in self.game.whenevers]
        return frozenset(part.span for body in bodies for part in walk(body) if isinstance(part, g.Stmt))

    @cached_property
    def announced_options(self) -> frozenset[Span]:
        """Options that only announce something, before any card moves, by position. Reactions can prevent it."""
        answered = {name for reaction in self.game.reactions for name in reaction.to}
        options = (part for part in collect_all_nodes(self.game) if isinstance(part, g.Option))
        return frozenset(option.span for option in options if find_first_announcement(option) in answered)

    @cached_property
    def hidden_reveals(self) -> frozenset[Span]:
        """Statements that reveal cards to a player without the others noticing, or knowing the owner, by position."""
        return frozenset(stmt.span for stmt in PrivateRevealAnalysis(self.common_knowledge).hidden_reveals)

    @cached_property
    def hidden_steps(self) -> frozenset[str]:
        """Steps that hidden information decides to run, or whose player it decides.

        No observer learns that they run.
        """
        return frozenset(PrivateRevealAnalysis(self.common_knowledge).hidden_steps)

    @cached_property
    def heading_steps(self) -> frozenset[str]:
        """Steps that the log announces: they contain decisions and reset tracks."""
        again = {restart.step for track in self.game.tracks.values() for restart in track.restarts}
        return frozenset(name for name in again if name in self.game.steps and has_decision(self.game, name))

    @cached_property
    def hidden_tracks(self) -> frozenset[str]:
        """Tracks that stay invisible, because the game declares what to show and they are not included."""
        chosen = {show.track for show in find_shown_declarations(self.game)}
        return frozenset(name for name in self.game.tracks if chosen and name not in chosen)

    @cached_property
    def shown_values(self) -> tuple[tuple[g.Track | g.Define, g.Expr], ...]:
        """Shown values: each declaration with an expression for its current value.

        The expression uses the variable of the declaration, if any.
        """
        game = self.game
        declared = [
            game.tracks[each.track] if each.track else game.defines[str(each.define)]
            for each in find_shown_declarations(game)
        ]
        return tuple((each, build_value_expression(each)) for each in declared if each.subject != "card")

    @cached_property
    def card_values(self) -> tuple[tuple[g.Define, g.Expr], ...]:
        """Definitions on cards that players see for their own cards, in the form of `shown_values`."""
        declared = [self.game.defines[each.define] for each in find_shown_declarations(self.game) if each.define]
        return tuple((each, build_value_expression(each)) for each in declared if each.subject == "card")

    @cached_property
    def hand_values(self) -> tuple[tuple[g.Define, g.Expr], ...]:
        """Definitions that give a player the value of their own cards, in the form of `shown_values`.

        They belong to a player and read cards of a private zone, total their values, or are shown as text. The score is
        excluded.
        """
        shown = {show.define for show in find_shown_declarations(self.game)}
        declared_values = [
            define
            for define in self.game.defines.values()
            if define.subject == "player" and define.name != "score"
            if is_hand_value(self.game, define) or (define.type.tag == "text" and define.name in shown)
        ]
        return tuple((define, build_value_expression(define)) for define in declared_values)

    @cached_property
    def assign_only_tracks(self) -> dict[str, frozenset[str]]:
        """Numbers of players that are only ever assigned, such as a bid, with the steps at which they restart.

        They have no value until the first assignment, regardless of their start value.
        """
        changes: dict[str, set[str]] = {}
        for change in iter_track_changes(collect_all_nodes(self.game)):
            changes.setdefault(change.track, set()).add(change.operator)
        tracks = (self.game.tracks[name] for name, operators in changes.items() if operators == {"="})
        return {
            track.name: frozenset(restart.step for restart in track.restarts)
            for track in tracks
            if track.subject == "player"
            and track.type.tag == "number"
            and track.name != "score"
            and not any(restart.own for restart in track.restarts)
        }

    @cached_property
    def derived_numbers(self) -> dict[str, frozenset[str]]:
        """Shown numbers computed from `assign_only_tracks`, such as a contract from bids, with those tracks."""
        tracks_by_number = {}
        for shown_value, _ in self.shown_values:
            if isinstance(shown_value, g.Define) and shown_value.type.tag == "number":
                parts = walk_with_definitions(self.game, shown_value.value)
                read = {part.track for part in parts if isinstance(part, g.TrackValue)}
                tracks_by_number[shown_value.name] = frozenset(read & self.assign_only_tracks.keys())
        return tracks_by_number

    @cached_property
    def has_common_score(self) -> bool:
        """True if all players always have equal scores, because the score does not depend on the player."""
        define = self.game.defines.get("score")
        if define is None or "score" in self.game.tracks:
            return False
        return define.var is None or define.var.id not in find_free_variables(define.value)

    @cached_property
    def suits(self) -> Suits:
        """Suits of the cards, and their order in a hand."""
        return Suits(self.game)

    @cached_property
    def card_value_names(self) -> CardValueNames:
        """Names for the values of cards."""
        return CardValueNames(self.game)

    @cached_property
    def best_trick_card(self) -> g.Expr | None:
        """Expression for the best card of the trick, if the rules contain one without variables."""
        tricks = {show.zone for show in self.game.shows if show.form == "trick"}
        for part in collect_all_nodes(self.game):
            match part:
                case g.AggBy(which="first", list=g.ZoneCards(zone=zone, of=None)) if zone in tricks:
                    if not find_free_variables(part):
                        return part
        return None

    @cached_property
    def player_team_expression(self) -> g.Expr | None:
        """Expression for a player's team: a value of a kind that owns a track."""
        kinds = {track.subject for track in self.game.tracks.values()} & self.game.kinds.keys()
        for define in self.game.defines.values():
            if define.subject == "player" and define.type.tag == "member" and define.type.of in kinds:
                return build_value_expression(define)
        return None

    @cached_property
    def has_public_scores(self) -> bool:
        """True if scores are public before the end: they depend on no hidden information and on no card."""
        game = self.game
        if "score" in game.tracks:
            return not game.tracks["score"].secret
        if "score" not in game.defines:
            return True
        value = game.defines["score"].value
        return self.common_knowledge.is_public(value) and not any(
            isinstance(part, CARD_DEPENDENT_EXPRESSIONS) for part in walk_with_definitions(game, value)
        )


def find_first_announcement(option: g.Option) -> str | None:
    """Return the name of the announcement with which an option begins, before any card moves, or None."""
    for stmt in option.body:
        if isinstance(stmt, g.Announce):
            return stmt.name
        if find_effects(stmt).transfers or find_effects(stmt).steps:
            return None
    return None


def find_shown_declarations(game: g.Game) -> list[g.Show]:
    """Return the declarations of shown values, without those of zones."""
    return [show for show in game.shows if show.zone is None]


def build_value_expression(declared: g.Track | g.Define) -> g.Expr:
    """Return an expression for the current value of a declaration."""
    kind = g.TrackValue if isinstance(declared, g.Track) else g.Call
    return kind(declared.type, declared.origin.name, declared.name, declared.var)


def get_game_facts(game: g.Game) -> GameFacts:
    """Return the facts about a game, cached for recent games."""
    return get_cached_facts(IdentityKey(game))


@lru_cache(maxsize=GAME_CACHE_SIZE)
def get_cached_facts(game: IdentityKey) -> GameFacts:
    return GameFacts(game.game)


def has_decision(game: g.Game, name: str) -> bool:
    """Return whether a step, or a step that it runs, contains a decision."""
    todo, seen = [name], set()
    while todo:
        step = todo.pop()
        if step in seen:
            continue
        seen.add(step)
        body = game.steps[step].body
        if has_matching_node(body, lambda part: find_effects(part).asks):
            return True
        todo += [step for part in walk(body) for step in find_effects(part).steps]
    return False


def is_hand_value(game: g.Game, define: g.Define) -> bool:
    """Return whether a player's definition ranks cards in their hand, or is a number that totals over them."""
    if define.type.tag not in ("reading", "number"):
        return False
    parts = list(walk_with_definitions(game, define.value))
    zones = [game.zones[part.zone] for part in parts if isinstance(part, g.ZoneCards)]
    reads_hand = any(zone.subject == "player" and zone.viewer == "owner" for zone in zones)
    totals = any(isinstance(part, g.Agg) and part.function == "total" for part in parts)
    return reads_hand and (define.type.tag == "reading" or totals)

"""Entries for what players keep: numbers, flags and roles, with the values that they set before the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model import FLAG, PLAYER
from cardlang.model.expression_queries import get_flag_literal, is_non_negative_literal, unwrap_conversions
from cardlang.model.statement_effects import iter_track_changes
from cardlang.model.traversal import is_random_draw, walk
from cardlang.rulebook.model import Item
from cardlang.rulebook.plan.declaration_entries import (
    build_declaration_scope,
    build_subject,
    build_term_heading,
    name_declaration,
)
from cardlang.rulebook.realise.condition_phrases import describe_value_in_figures
from cardlang.rulebook.realise.game_lexicon import Lexicon, find_role_predicate
from cardlang.rulebook.realise.noun_phrases import build_owned_noun, build_table_noun, get_kind_noun
from cardlang.rulebook.realise.phrases import NounPhrase, PhraseScope, build_flag_clause, build_noun_phrase
from cardlang.rulebook.realise.sentence_aggregation import merge_author_texts, realize_item


# ---------------------------------------------------------------- tracks that players keep
def find_player_tracks(content: g.Game, game: g.Game) -> list[g.Track]:
    """Return the tracks that players keep: those that the game shows or that restart at a value, otherwise all.

    Tracks that restart at nothing in parts of the game and only support its rules are left out.
    """
    shown = {show.track: show.doc for show in game.shows if show.zone is None}
    restarted = {track.name for track in content.tracks.values() if track.restarts and not is_initially_empty(track)}
    tracks = [track for track in content.tracks.values() if not shown or track.name in shown.keys() | restarted]
    marked = [track for track in tracks if track.type.tag != "flag" or not is_temporary_track(track)]
    return [track for track in marked if track.doc or shown.get(track.name) or not is_temporary_track(track)]


def is_temporary_track(track: g.Track) -> bool:
    """Return whether a track restarts repeatedly at nothing."""
    return bool(track.restarts) and is_initially_empty(track)


def is_initially_empty(track: g.Track) -> bool:
    """Return whether a track starts at zero, no or nobody. The first member of a kind counts as a value."""
    if not track.starts or not isinstance(track.start, g.Const):
        return not track.starts
    return track.start.value is None if track.type.tag in ("member", "player") else not track.start.value


def find_initial_tracks(content: g.Game, game: g.Game) -> list[g.Track]:
    """Return the tracks that players set once before the game begins, with a value.

    They include players and members named by the rules, even if the game does not show them.
    """
    player_tracks = {track.name for track in find_player_tracks(content, game)}
    tracks = [t for t in content.tracks.values() if t.name in player_tracks or t.type.tag in ("player", "member")]
    return [track for track in tracks if not track.restarts and not is_initially_empty(track) and not track.secret]


def find_explained_tracks(content: g.Game, game: g.Game) -> list[g.Track]:
    """Return the tracks whose texts and restarts are explained at their first use, not in the set-up."""
    set_before = {track.name for track in find_initial_tracks(content, game)}
    return [
        track
        for track in find_player_tracks(content, game)
        if track.name not in set_before
        and (get_track_text(track, game) or track.secret or (track.starts and not is_initially_empty(track)))
    ]


def get_track_text(track: g.Track, game: g.Game) -> str:
    """Return the author's texts on a track."""
    doc = "" if find_role_predicate(track) else track.doc
    return merge_author_texts(doc, *(show.doc for show in game.shows if show.track == track.name))


# ---------------------------------------------------------------- set-up
def build_setup_items(content: g.Game, scope: PhraseScope) -> tuple[Item, ...]:
    """Return the acts that set the tracks before the game: `each player takes 100 chips`."""
    game = scope.lexicon.game
    tracks = find_initial_tracks(content, game)
    heap = [track for track in tracks if track.subject is None and describe_initial_count(track, scope)]
    counts = morphology.join_phrases([describe_initial_count(track, scope) for track in heap])
    begun = [Item(f"begin with {counts}", merge_author_texts(*(get_track_text(each, game) for each in heap)))]
    others = [
        Item(describe_initial_value(track, scope), get_track_text(track, game)) for track in tracks if track not in heap
    ]
    on_cards = {column.type.of for column in content.columns.values()}
    rows = dict.fromkeys(zone.second for zone in content.zones.values() if zone.second not in (None, *on_cards))
    laid = [Item(f"lay the {morphology.pluralize(get_kind_noun(str(kind)))} in a row in the middle") for kind in rows]
    return tuple(map(realize_item, [*laid, *(begun if heap else ()), *others]))


def describe_initial_count(track: g.Track, scope: PhraseScope) -> str:
    """Return the initial value of a track that counts something: `100 chips`; empty for others."""
    entry, start = scope.lexicon.nouns[track.name], unwrap_conversions(track.start)
    if not entry.is_unit or not is_non_negative_literal(start):
        return ""
    return morphology.format_count(describe_value_in_figures(start, True, scope), entry.singular, entry.plural)


def describe_initial_value(track: g.Track, scope: PhraseScope) -> str:
    count = describe_initial_count(track, scope)
    entry = name_declaration(track, scope, each=True)
    if track.subject == "player" and count:
        is_supplied = any(entry.singular in part.title.split(" ") for part in scope.lexicon.game.components)
        return f"give each player {count}{entry.second}{'. Keep the rest as the supply' if is_supplied else ''}"
    whose = "each player's" if track.subject == "player" else "the"
    if track.subject not in (None, "player"):
        whose = f"each {morphology.replace_hyphens(track.subject).lower()}'s"
    noun = entry.noun
    if track.type == FLAG:
        owner = NounPhrase(whose.removesuffix("'s"), PLAYER)
        flag = build_table_noun(entry) if track.subject is None else build_owned_noun(owner, entry)
        return build_flag_clause(flag, get_flag_literal(track.start) is True).text
    if is_random_draw(unwrap_conversions(track.start)):
        bodies = tuple(step.body for step in scope.lexicon.game.steps.values())
        changes = any(change.track == track.name for change in iter_track_changes(walk(bodies)))
        first = "first " if track.subject is None and track.type.tag == "player" and changes else ""
        return f"choose {whose} {first}{noun} at random"
    inner = build_declaration_scope(track, build_subject(track.subject, scope)[1], scope)
    verb = morphology.agree_verb("is", morphology.is_plural(noun.removesuffix(entry.second)))
    return f"{whose} {noun} {verb} {build_noun_phrase(track.start, inner).text}"


# ---------------------------------------------------------------- explanations
def build_track_item(track: g.Track, scope: PhraseScope) -> Item:
    """Explain a track: the author's texts, the value at which it restarts, and whether it is secret."""
    entry = name_declaration(track, scope)
    return realize_item(
        Item(
            "; ".join(list_restart_and_secrecy_notes(track, scope)),
            get_track_text(track, scope.lexicon.game),
            title=build_term_heading(track, entry, scope),
        )
    )


def list_restart_and_secrecy_notes(track: g.Track, scope: PhraseScope) -> Iterator[str]:
    if track.starts and not is_initially_empty(track):
        _, noun = build_subject(track.subject, scope)
        start = build_noun_phrase(track.start, build_declaration_scope(track, noun, scope)).text
        yield f"{start} at the start of {describe_restart_times(track.restarts, scope.lexicon)}"
    if track.secret:
        yield "secret"


def describe_restart_times(restarts: Sequence[g.Restart], lexicon: Lexicon) -> str:
    """Return the times at which a track restarts."""
    if not restarts:
        return "the game"
    titles = [
        "move of the card" if restart.step == "move" else f"“{lexicon.get_step_title(restart.step)}”"
        for restart in restarts
    ]
    whose = [" of yours" if restart.own else "" for restart in restarts]
    return morphology.join_phrases([f"each {title}{own}" for title, own in zip(titles, whose, strict=True)], "or")

"""Pages for the table, made from the rules: a mat for each player, a score pad, and a box for the cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, product

from attrs import evolve, frozen

from cardlang import model as g
from cardlang.cards.playing_table_pictures import SIDE_BY_SIDE_PREFIXES, PlanZone, describe_zone_display
from cardlang.english.morphology import capitalize_first_letter, format_count, format_heading
from cardlang.model import NUMBER
from cardlang.model.expression_queries import get_number_literal
from cardlang.model.traversal import collect_all_nodes
from cardlang.print_and_play import CardPrinter
from cardlang.print_and_play.card_typst_program import (
    MAX_TITLE_LENGTH,
    CardTypstWriter,
    build_program,
    credit_icons,
    credit_symbols,
    quote_shortened,
)
from cardlang.print_and_play.sheet_layout import PAPER_SIZES, SheetLayout
from cardlang.rulebook.plan.declaration_entries import describe_arrangement
from cardlang.rulebook.plan.sections import build_fact_lines
from cardlang.rulebook.realise.noun_phrases import get_kind_noun
from cardlang.rulebook.realise.phrases import PhraseScope, build_noun_phrase
from cardlang.rulebook.render.typst_pdf import format_typst_array, quote_typst_piece

MARGIN, HEADING, GAP = 10.0, 16.0, 4.0
"""Margin of pages, height of their heading and space between places, in millimetres."""
TRACK_HEIGHT = 13.0
"""Height of a row of numbers."""
TENS_NOTE = "Tens: add both markers"
MAX_ROUND_NUMBERS = 14
"""Maximum number of numbers in a row."""
SHOWN_CARDS = (4, 3, 2, 1)
"""Numbers of cards side by side for which places of face-up cards have room: the first that fits."""
SCALES = (1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3)
"""Sizes of places, relative to a card."""
MAX_PLAYERS, MAX_FIELDS, MAX_GAMES, EXTRA_ROWS, ROW_HEIGHT = 8, 16, 10, 3, 10.0
"""Maximum numbers of columns, of their fields and of games on a pad, its rows for names and totals, and their
height."""
CARD_THICKNESS, BOX_PLAY, FLAP, MIN_DEPTH = 0.33, 1.5, 14.0, 6.0
"""Thickness of a card, space around the cards in a box, its flaps and its least depth, in millimetres."""


@frozen
class MatPlace:
    """A place for cards on a mat: its box in millimetres from the top left corner of the page."""

    title: str
    note: str
    left: float
    top: float
    width: float
    height: float


# ---------------------------------------------------------------- mats
def list_player_zones(printer: CardPrinter) -> Iterator[PlanZone]:
    """Yield the zones of a player, without hands: one for each member of the kind of their second owner."""
    for zone in printer.game.zones.values():
        if zone.subject != "player" or (zone.viewer == "owner" and not zone.single):
            continue
        plan = build_plan_zone(zone, printer.design.scope)
        if zone.second is None:
            yield plan
            continue
        name = capitalize_first_letter(zone.noun.singular)
        for member in printer.game.kinds[zone.second].members:
            yield PlanZone(f"{name}: {member.noun.singular}", "player", (), plan.visibility, zone.single)


def build_plan_zone(zone: g.Zone, scope: PhraseScope) -> PlanZone:
    """Return a zone for the plan."""
    kind = scope.lexicon.game.kinds.get(zone.subject or "")
    owners = tuple(member.noun.singular for member in kind.members) if kind is not None else ()
    name = capitalize_first_letter(scope.lexicon.nouns[zone.name].noun)
    name += "" if zone.second is None else f" for each {get_kind_noun(zone.second)}"
    whose = "" if zone.subject is None else get_kind_noun(zone.subject)
    return PlanZone(name, whose, owners, zone.viewer, zone.single, describe_arrangement(zone, scope))


def place_zones(
    zones: list[PlanZone], card: tuple[float, float], page: tuple[float, float], below: float
) -> tuple[float, list[MatPlace]]:
    """Return places for the zones on a page, row by row, and their size relative to a card.

    `below`: height of the tracks below them, in millimetres. Raise ValueError if there is no room.
    """
    for scale, shown in product(SCALES, SHOWN_CARDS):
        places, x, y = [], MARGIN, MARGIN + HEADING
        height = card[1] * scale
        for zone in zones:
            is_row = zone.arrangement.startswith(SIDE_BY_SIDE_PREFIXES)
            count = max(shown, 1 + is_row) if is_row or is_spread_out(zone) else 1
            width = card[0] * scale * count
            if x > MARGIN and x + width > page[0] - MARGIN:
                x, y = MARGIN, y + height + GAP
            places.append(MatPlace(zone.name, describe_zone_display(zone), x, y, width, height))
            x += width + GAP
        fits = all(place.left + place.width <= page[0] - MARGIN for place in places)
        if fits and y + height + below <= page[1] - MARGIN:
            return scale, places
    raise ValueError(f"The {len(zones)} places of a player don't fit on one page. Choose larger paper.")


def is_spread_out(zone: PlanZone) -> bool:
    """Return whether a place may need room for cards side by side: they are face up, and not one on another."""
    return not zone.is_single_card and not zone.arrangement and zone.visibility != "nobody"


def list_player_tracks(game: g.Game) -> list[g.Track]:
    """Return the numbers of a player that all players see, except those that restart each turn."""
    tracks = [track for track in game.tracks.values() if track.subject == "player" and track.type.tag == NUMBER.tag]
    return [track for track in tracks if not track.secret and not any(restart.own for restart in track.restarts)]


def can_grow_fast(game: g.Game, track: g.Track) -> bool:
    """Return whether a number adds up for the whole game, in steps of more than 1."""
    changes = (node for node in collect_all_nodes(game) if isinstance(node, g.SetTrack) and node.track == track.name)
    return not track.restarts and any(
        change.operator == "+" and get_number_literal(change.value) != 1 for change in changes
    )


def name_track(track: g.Track) -> str:
    """Return the name of a number: in the plural if its author gives one."""
    return format_heading(track.noun.plural if track.noun.counted else track.noun.singular)


def stretch_places(places: list[MatPlace], page: tuple[float, float], below: float) -> list[MatPlace]:
    """Return places that fill the width of a page, and its height above the tracks."""
    rows = [[*row] for _, row in groupby(places, key=lambda place: place.top)]
    if not rows:
        return []
    last = rows[-1][-1]
    taller = (page[1] - MARGIN - below - last.top - last.height) / len(rows)
    return [
        evolve(
            place,
            left=place.left + column * wider,
            top=place.top + number * taller,
            width=place.width + wider,
            height=place.height + taller,
        )
        for number, row in enumerate(rows)
        for wider in [(page[0] - MARGIN - row[-1].left - row[-1].width) / len(row)]
        for column, place in enumerate(row)
    ]


def find_limit(game: g.Game, track: g.Track, start: int) -> int | None:
    """Return the largest value of a number if the rules only set it to a few values; otherwise None."""
    nodes = collect_all_nodes(game)
    changes = [node for node in nodes if isinstance(node, g.SetTrack) and node.track == track.name]
    values = [None if change.operator in ("+", "-") else get_number_literal(change.value) for change in changes]
    known = [int(value) for value in values if value is not None]
    limit = max(start, *known) if known and len(known) == len(values) else MAX_ROUND_NUMBERS
    return limit if limit < MAX_ROUND_NUMBERS else None


def list_track_rows(game: g.Game, track: g.Track) -> list[tuple[str, list[int], int]]:
    """Return the rows of a number on a mat: the name, the numbers, and the one where the marker starts.

    A number that grows fast has a row of ones and a row of tens."""
    start = track.start.value if isinstance(track.start, g.Const) and isinstance(track.start.value, int) else 0
    name = name_track(track)
    if can_grow_fast(game, track) and start < 100:
        tens = [10 * number for number in range(MAX_ROUND_NUMBERS)]
        return [(name, [*range(10)], start % 10), (TENS_NOTE, tens, start // 10 * 10)]
    limit = find_limit(game, track, start)
    return [(name, list_track_numbers(start, MAX_ROUND_NUMBERS) if limit is None else [*range(limit + 1)], start)]


def list_track_numbers(start: int, count: int) -> list[int]:
    """Return the numbers in a row on a mat, from 0. The step is larger if they start at a large number."""
    step = next((step for step in (1, 5, 10, 50, 100) if start <= step * count / 2), 1000)
    return [step * index for index in range(count)]


def choose_mat_paper(
    zones: list[PlanZone], card: tuple[float, float], below: float, paper: str
) -> tuple[tuple[float, float], list[MatPlace], str]:
    """Return the width and height of a mat, its places, and both in words. A3 if places of card size need it."""
    fitting = []
    for name in dict.fromkeys((paper, "a3")):
        high, wide = PAPER_SIZES[name]
        scale, places = place_zones(zones, card, (wide, high), below)
        size = "as large as a card" if scale == 1 else f"{100 * scale:.0f} % as large as a card"
        fitting.append((scale, (wide, high), places, f"For {name.capitalize()} paper. The places are {size}."))
    _, page, places, words = next((each for each in fitting if each[0] == 1), fitting[0])
    return page, stretch_places(places, page, below), words


def render_mat(printer: CardPrinter, paper: str) -> tuple[str, bytes]:
    """Return the mat of a player as PDF, and the size of its places in words. Raise ValueError if a player has neither
    places nor numbers."""
    zones, tracks = [*list_player_zones(printer)], list_player_tracks(printer.game)
    if not zones and not tracks:
        raise ValueError(f"Players of {printer.game.title} have no places for cards and no numbers.")
    writer, design = printer.create_writer(), printer.design
    back = next(iter(design.backs.values()))
    rows = []
    icons = [design.small_cards.symbols.build_icon(track.name, back.colour) for track in tracks]
    for track, icon in zip(tracks, icons, strict=True):
        mark = writer.define_symbol(icon) if icon else "none"
        for name, numbers, start in list_track_rows(printer.game, track):
            shown = format_typst_array(map(str, numbers))
            rows.append(f"({quote_label(name)}, {mark if name != TENS_NOTE else 'none'}, {shown}, {start})")
    below = TRACK_HEIGHT * len(rows) + GAP * bool(rows)
    page, places, size = choose_mat_paper(zones, printer.card_size, below, paper)
    signs = [symbol.paint(back.colour) for symbol in back.symbols]
    credits = quote_typst_piece(" ".join(filter(None, [size, credit_symbols([*icons, *signs])])))
    drawn = (format_typst_array(each) for each in (map(format_place, places), rows, map(writer.define_symbol, signs)))
    arguments = [*drawn, writer.quote_colour(back.colour), f"{page[1] - MARGIN - below:g}", credits]
    return size, compile_page(printer, writer, "mat", page, arguments)


def format_place(place: MatPlace) -> str:
    title, note = (quote_shortened(text, MAX_TITLE_LENGTH) for text in (place.title, place.note))
    return f"({title}, {note}, {place.left:.5g}, {place.top:.5g}, {place.width:.5g}, {place.height:.5g})"


# ---------------------------------------------------------------- score pads
@frozen
class ScorePad:
    """A score pad. `columns`: names of teams; empty strings for players.

    - `fields`: what is written in each column: the score alone, or also bids and other numbers of a round.
    - `rows`: rounds, games, or parts of the score. `corner`: what they are."""

    corner: str
    columns: tuple[str, ...]
    fields: tuple[str, ...]
    rows: tuple[str, ...]


def split_sum(expr: g.Expr) -> Iterator[g.Expr]:
    """Yield the summands of a value."""
    if isinstance(expr, g.Arith) and expr.operator == "+":
        yield from split_sum(expr.left)
        yield from split_sum(expr.right)
    else:
        yield expr


def build_score_pad(printer: CardPrinter, max_rows: int) -> ScorePad:
    """Return the pad of a game: a row for each part of the score, or else for rounds. Raise ValueError if it has no
    score, or more than `max_rows` parts."""
    game, scope = printer.game, printer.design.scope
    define, track = game.defines.get("score"), game.tracks.get("score")
    if define and isinstance(define.value, g.TrackValue):
        track = game.tracks[define.value.track]
    teams = game.kinds.get((track.subject if track else None) or "")
    columns = tuple(member.noun.singular for member in teams.members) if teams else ("",) * game.seats[-1]
    columns = columns[:MAX_PLAYERS]
    rounds = tuple(map(str, range(1, max_rows + 1)))
    if track is not None:
        names = [name_track(each) for each in list_player_tracks(game) if each.restarts and each is not track]
        names = names[-max(0, MAX_FIELDS // len(columns) - 1) :]
        return ScorePad("", columns, (*names, name_track(track)) if names else ("",), rounds)
    if define is None:
        raise ValueError(f"{game.title} has no score.")
    summands = [*split_sum(define.value)]
    if len(summands) == 1:
        games = tuple(f"Game {number}" for number in range(1, min(MAX_GAMES, max_rows) + 1))
        return ScorePad(format_heading(define.noun.singular), columns, ("",), games)
    parts = (strip_determiner(build_noun_phrase(part, scope).text) for part in summands)
    rows = tuple(map(capitalize_first_letter, parts))
    if len(rows) > max_rows:
        raise ValueError(f"The score of {game.title} has {len(rows)} parts, but a page has room for {max_rows}.")
    return ScorePad("", columns, ("",), rows)


def strip_determiner(text: str) -> str:
    first, _, rest = text.partition(" ")
    return rest if first in ("the", "your", "any") else text


def render_score_pad(printer: CardPrinter, paper: str) -> bytes:
    """Return a page of score pads as PDF. A short pad is repeated, for the next game."""
    wide, high = PAPER_SIZES[paper]
    room = int((high - 2 * MARGIN - HEADING) / ROW_HEIGHT)
    pad = build_score_pad(printer, room - EXTRA_ROWS)
    copies = max(1, room // (len(pad.rows) + EXTRA_ROWS))
    labels = (format_typst_array(map(quote_label, texts)) for texts in (pad.columns, pad.fields, pad.rows))
    arguments = [quote_label(pad.corner), *labels, f"{ROW_HEIGHT:g}", str(copies)]
    return compile_page(printer, printer.create_writer(), "score-pad", (wide, high), arguments)


def quote_label(text: str) -> str:
    return quote_shortened(text, MAX_TITLE_LENGTH)


# ---------------------------------------------------------------- boxes
def measure_box(printer: CardPrinter) -> tuple[float, float, float]:
    """Return the width, height and depth of a box for all cards, in millimetres."""
    copies = sum(card.copies for card in printer.cards)
    width, height = (side + BOX_PLAY for side in printer.card_size)
    return width, height, max(MIN_DEPTH, copies * CARD_THICKNESS + BOX_PLAY)


def render_box(printer: CardPrinter, paper: str) -> bytes:
    """Return a box to cut out, fold and glue as PDF. Raise ValueError if it does not fit on the paper."""
    width, height, depth = measure_box(printer)
    needed = (2 * width + 2 * depth + FLAP, height + 2 * depth + 2 * FLAP)
    page = PAPER_SIZES[paper]
    fitting = [size for size in (page, page[::-1]) if needed[0] <= size[0] - MARGIN and needed[1] <= size[1] - MARGIN]
    if not fitting:
        raise ValueError(f"The box is {needed[0]:.0f} by {needed[1]:.0f} mm when flat: it doesn't fit on this paper.")
    card, writer = printer.cards[0], printer.create_writer()
    sides = [writer.define_side(side) for side in (card.front, card.back)]
    lengths = [f"{length:.5g}" for length in (width, height, depth, FLAP)]
    count = format_count(sum(card.copies for card in printer.cards), "card")
    players, *_ = build_fact_lines(printer.game, True)
    texts = (count, players, credit_icons([card]))
    return compile_page(printer, writer, "tuck-box", fitting[0], [*sides, *map(quote_label, texts), *lengths])


# ---------------------------------------------------------------- pages
def compile_page(
    printer: CardPrinter, writer: CardTypstWriter, function: str, page: tuple[float, float], arguments: Iterable[str]
) -> bytes:
    """Return a page drawn by a function of the template as PDF."""
    call = f'import "/aids.typ": *\n{function}({", ".join([quote_label(printer.title), *arguments])})'
    layout = SheetLayout(1, 1, page, printer.card_size)
    return printer.compile_pdf(build_program(f"{printer.title}: {function}", writer, [call]), writer, layout)

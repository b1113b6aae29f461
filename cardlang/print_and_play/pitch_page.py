"""One page that presents a game: its idea, facts, some of its cards, its table and what is in the box."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang.cards.playing_table_pictures import describe_table_plan, draw_table_plan
from cardlang.english.morphology import capitalize_first_letter, format_count
from cardlang.model import Game
from cardlang.print_and_play import CardPrinter
from cardlang.print_and_play.card_typst_program import build_program, credit_icons, quote_shortened
from cardlang.print_and_play.sheet_layout import PAPER_SIZES, SheetLayout
from cardlang.print_and_play.table_aids import build_plan_zone
from cardlang.rulebook.plan.card_faces import PrintedCard
from cardlang.rulebook.plan.sections import build_rulebook
from cardlang.rulebook.render.typst_pdf import format_typst_array, quote_typst_piece

SHOWN_CARDS, PLAN_COLUMNS = 8, 3
MAX_PITCH_LENGTH, MAX_FACT_LENGTH, MAX_LINE_LENGTH, MAX_BOX_LINES = 700, 36, 80, 12


def render_pitch(game: Game, paper: str) -> bytes:
    """Return the page as PDF."""
    printer = CardPrinter(game)
    sheet, writer = build_rulebook(game), printer.create_writer()
    zones = [build_plan_zone(zone, printer.design.scope) for zone in game.zones.values()]
    plan = [quote_typst_piece(text) for text in (draw_table_plan(zones, PLAN_COLUMNS), describe_table_plan(zones))]
    shown = choose_cards(printer.cards)
    parts = [
        quote_shortened(sheet.title, MAX_LINE_LENGTH),
        quote_shortened(sheet.pitch, MAX_PITCH_LENGTH),
        format_typst_array(map(quote_typst_piece, (fact for fact in sheet.facts if len(fact) <= MAX_FACT_LENGTH))),
        format_typst_array(writer.define_side(card.front) for card in shown),
        format_typst_array(plan if zones else []),
        format_typst_array(quote_shortened(line, MAX_LINE_LENGTH) for line in list_box_contents(game)),
        quote_shortened(credit_icons(shown), MAX_PITCH_LENGTH),
    ]
    layout = SheetLayout(1, 1, PAPER_SIZES[paper], printer.card_size)
    return printer.compile_pdf(build_program(sheet.title, writer, [f"pitch({', '.join(parts)})"]), writer, layout)


def choose_cards(cards: tuple[PrintedCard, ...]) -> list[PrintedCard]:
    """Return cards from all parts of the deck, at most `SHOWN_CARDS`."""
    step = max(1, len(cards) / SHOWN_CARDS)
    return [cards[int(index * step)] for index in range(min(SHOWN_CARDS, len(cards)))]


def list_box_contents(game: Game) -> Iterator[str]:
    """Yield the cards and components in the box."""
    if game.cards:
        yield format_count(game.cards, "card")
    for component in game.components[: MAX_BOX_LINES - 1]:
        yield capitalize_first_letter(format_count(component.count, component.title))

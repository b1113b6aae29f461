"""Content of card faces and backs."""

from __future__ import annotations

import pytest

import cardlang
from cardlang.cards.card_centre import build_centre
from cardlang.cards.card_content import CardBack, CardSide
from cardlang.cards.card_text_layout import fit_side_text
from cardlang.cards.svg_elements import CARD_HEIGHT, CARD_WIDTH
from cardlang.cards.theme import NAMED_COLOURS
from cardlang.model import Game
from cardlang.rulebook.plan.card_faces import PrintedCard, build_printed_cards
from cardlang.rulebook.render import build_player_aid, build_rulebook
from cardlang.rulebook.render.markdown import render_markdown
from cardlang.ui.terminal.typed_card_names import build_captions
from tests.game_files import read_game

CREATURES = read_game("moors")


@pytest.fixture(scope="module")
def game() -> Game:
    return cardlang.loads(CREATURES)


@pytest.fixture(scope="module")
def cards(game: Game) -> dict[str, PrintedCard]:
    return {card.front.title: card for card in build_printed_cards(game)}


def test_printed_cards_include_every_copy(game: Game) -> None:
    assert sum(card.copies for card in build_printed_cards(game)) == 14 == game.cards


def test_face_has_index_and_suit(cards: dict[str, PrintedCard]) -> None:
    five, moon = cards["5 of Sun"].front, cards["5 of Moon"].front
    assert five.index == moon.index == "5" and not five.has_text
    assert five.symbol is not None and moon.symbol is not None
    assert five.symbol.path != moon.symbol.path


def test_six_and_nine_are_underlined(cards: dict[str, PrintedCard]) -> None:
    assert [value for value in range(5, 10) if cards[f"{value} of Sun"].front.is_index_underlined] == [6, 9]


def test_back_of_a_game_named_after_a_suit_shows_it() -> None:
    (back,) = {card.back for card in build_printed_cards(cardlang.load("hearts")) if isinstance(card.back, CardBack)}
    assert back.symbols[0].name in ("Heart", "Hearts") and back.colour == back.symbols[0].colour


def test_cards_of_one_zone_share_a_back(cards: dict[str, PrintedCard]) -> None:
    assert cards["5 of Sun"].back == cards["Storm"].back
    assert isinstance(cards["Storm"].back, CardBack) and cards["Storm"].home_title == "Deck"


def test_two_sided_card_has_two_faces(cards: dict[str, PrintedCard]) -> None:
    owl = cards["Owl"]
    assert (
        isinstance(owl.back, CardSide)
        and owl.back.title == "Grey Owl"
        and owl.back.is_second_face
        and not owl.front.is_second_face
    )
    assert [passage.text for passage in owl.front.passages] == ["Other side: Grey Owl."]
    assert owl.back.footer == owl.front.footer == "Creature"  # the sun is in its corner
    assert owl.back.cost == owl.front.cost and owl.front.cost is not None
    assert (owl.front.cost.name, owl.front.cost.value) == ("Cost", "3")


def test_card_texts_are_printed(cards: dict[str, PrintedCard]) -> None:
    owl, fox = cards["Owl"].back, cards["Fox"].back
    assert isinstance(owl, CardSide) and isinstance(fox, CardSide)
    effect, doc = owl.passages
    assert (effect.title, effect.text) == ("", "Draw a card.") and not effect.details
    assert doc.text == "They wake at dusk."
    assert [passage.text for passage in fox.passages] == ["Sly.", "They wake at dusk."]


def test_text_columns_and_definitions_are_printed(cards: dict[str, PrintedCard]) -> None:
    omen, weight = cards["Storm"].front.passages
    assert (omen.title, omen.text) == ("Omen", "The wind turns.")
    assert weight.title == "Weight" and not weight.text and "two" in weight.details.lower()
    assert cards["Storm"].front.footer == "Sign"


TOOLS = """game "Tools" for 2 players

cards Tools in shed
  step arrival
  step effect
  1 of "Ladder" "Draw two cards, then rest."
    step effect "Draw two cards."
      draw top 2 of shed to your hand
    define bonus as 3
  1 of "Rake" "It is rusty."
    step effect "Rest."
      set your score to 4
  1 of "Wheelbarrow"
    step effect
      set your score to 9
  1 of "Basket"
zone shed
zone your hand

number your score

step play
  each player
    you choose tool from shed
    do tool's arrival
    do tool's effect
    add tool's bonus to your score
"""


def test_text_of_a_card_stands_for_its_rules() -> None:
    tools = cardlang.loads(TOOLS)
    texts = {card.front.title: [passage.text for passage in card.front.passages] for card in build_printed_cards(tools)}
    assert (texts["Ladder"], texts["Rake"]) == (["Draw two cards, then rest."], ["It is rusty.", "Rest."])
    assert len(texts["Wheelbarrow"]) == 1 and "nine" in texts["Wheelbarrow"][0] and texts["Basket"] == []
    pages = [render_markdown(build_rulebook(tools)), render_markdown(build_player_aid(tools))]
    for page in [*pages, build_captions(tools)[0]]:
        assert page.count("Draw two cards") == 1 and "bonus" not in page.partition("The cards")[2].lower()
    assert not any("Arrival" in page.partition("The cards")[2] for page in pages)


def test_suits_differ_without_colour() -> None:
    for name in ("tall_tales", "tall_card", "tall_card_fan", "tail_story", "hearts"):
        game = cardlang.load(cardlang.shipped()[name])
        marks = {card.front.symbol for card in build_printed_cards(game)}
        assert len({mark.path for mark in marks if mark}) == len(marks - {None}), name


def test_playing_cards_look_alike_from_both_ends() -> None:
    """A number card has as many pips as its number says, an ace one, a court card two figures."""
    for name in ("hearts", "scopa", "fireworks"):
        for front in (card.front for card in build_printed_cards(cardlang.load(name))):
            pips = build_centre(front).pips
            letters = {"A": 1, "J": 2, "Kn": 2, "Q": 2, "K": 2}
            assert len(pips) == letters.get(front.index, 0) or len(pips) == int(front.index), front.title
            ends = {(pip.symbol, round(pip.x, 2), round(pip.y, 2)) for pip in pips}
            turned = {(symbol, round(63 - x, 2), round(88 - y, 2)) for symbol, x, y in ends}
            assert (ends == turned) == (front.index != "7"), front.title  # a seven has its odd pip at the top


def test_cards_that_meet_out_of_sight_share_a_back() -> None:
    backs = {
        name: {card.back for card in build_printed_cards(cardlang.load(name))}
        for name in ("market_street", "tall_card")
    }
    assert [back.title for back in backs["market_street"] if isinstance(back, CardBack)] == [""]
    assert {back.title for back in backs["tall_card"] if isinstance(back, CardBack)} == {"", "Tall deck"}


def test_a_zero_on_all_cards_of_a_set_is_not_printed() -> None:
    cards = {card.front.title: card.front for card in build_printed_cards(cardlang.load("market_street"))}
    assert [(value.name, value.value) for value in cards["Penny"].values] == [("Price", "0"), ("Worth", "1")]
    assert [(value.name, value.value) for value in cards["Forge"].values] == [("Price", "4")]


def test_texts_of_a_set_are_drawn_alike() -> None:
    """The longest text decides the letters of all, unless it is far longer than most. A picture takes what is left."""
    card = '  1 of "{}" "{}"\n'
    texts = ["Draw.", "Draw two cards, then give one of them away.", "Play this face up on a trick that you can win."]
    rows = [
        card.format(f"Card {number}", text) for number, text in enumerate([*texts, "Draw a card and keep it. " * 9])
    ]
    game = cardlang.loads(TOOLS.replace('  1 of "Ladder"', "".join(rows) + '  1 of "Ladder"'))
    sides = {built.front.title: fit_side_text(built.front) for built in build_printed_cards(game)}
    assert len({sides[f"Card {number}"].size for number in range(3)}) == 1
    short, *_, long, longest = (sides[f"Card {number}"].height for number in range(4))
    assert short < long < longest


def test_kinds_and_sets_differ_in_colour() -> None:
    """A member named after a thing has its colour, unless another member has it."""
    isle = TOOLS.replace("cards Tools in shed\n", "kind Path: Harbour, Forest, Wood\ncards Tools in shed with path\n")
    for title, path in (("Ladder", "Harbour"), ("Rake", "Forest"), ("Wheelbarrow", "Wood"), ("Basket", "Wood")):
        isle = isle.replace(f'"{title}"', f'"{title}", {path}')
    isle = isle.replace("zone shed\n", 'cards Tides in shed\n  1 of "Flood"\nzone shed\n')
    symbols = {built.front.title: built.front.symbol for built in build_printed_cards(cardlang.loads(isle))}
    colours = {title: symbol.colour for title, symbol in symbols.items() if symbol}
    assert (colours["Ladder"], colours["Rake"]) == (NAMED_COLOURS["blue"], NAMED_COLOURS["green"])
    assert len(set(colours.values())) == len({"Harbour", "Forest", "Wood", "Tides"})


@pytest.mark.parametrize(
    ("game", "title", "footer"),
    [
        ("scopa", "Jack of Cups", "Worth 8"),
        ("scopa", "King of Cups", "Worth 10"),
        ("skat", "Queen of Hearts", "3 card points"),
        ("canasta", "Joker", "Value 50"),
        ("hearts", "Queen of Spades", "13 points"),
        ("whist", "King of Hearts", ""),
    ],
)
def test_court_cards_show_the_value_that_the_rules_add_up(game: str, title: str, footer: str) -> None:
    fronts = {built.front.title: built.front for built in build_printed_cards(cardlang.load(game))}
    assert [text.text for text in build_centre(fronts[title]).texts] == [title]
    assert fronts[title].footer == footer


def test_cards_with_pips_show_their_value_and_suit() -> None:
    footers = {
        game: {built.front.title: built.front.footer for built in build_printed_cards(cardlang.load(game))}
        for game in ("skat", "scopa", "hearts", "tall_tales")
    }
    skat = [footers["skat"][f"{rank} of Hearts"] for rank in (9, 10, "Ace")]
    assert skat == ["", "10 card points", "11 card points"]
    assert (footers["scopa"]["7 of Cups"], footers["scopa"]["Ace of Cups"]) == ("Cups", "Cups · Worth 1")
    assert (footers["hearts"]["2 of Hearts"], footers["hearts"]["2 of Clubs"]) == ("1 point", "")
    assert footers["tall_tales"]["7 of Gun"] == "Gun"  # the index says it


def test_rare_values_stand_out() -> None:
    bold = {
        name: {card.front.title for card in build_printed_cards(cardlang.load(name)) if card.front.is_footer_bold}
        for name in ("hearts", "canasta", "skat")
    }
    assert bold["hearts"] == {"Queen of Spades"} and not bold["skat"]
    assert bold["canasta"] == {"3 of Hearts", "3 of Diamonds", "Joker"}


def test_bids_differ_from_cards_of_the_same_name() -> None:
    built = [built.front for built in build_printed_cards(cardlang.load("contract_bridge"))]
    assert {side.pips for side in built if side.title == "2 of Clubs"} == {0, 2}


def test_figures_look_the_same_from_both_ends() -> None:
    for game in ("tall_tales", "canasta", "liars_dice"):
        sides = {built.front for built in build_printed_cards(cardlang.load(game)) if not built.front.pips}
        for centre in map(build_centre, sides):
            places = {(round(part.x, 3), round(part.y, 3)) for part in (*centre.pips, *centre.texts)}
            assert places == {(round(CARD_WIDTH - x, 3), round(CARD_HEIGHT - y, 3)) for x, y in places}


def test_cards_named_by_their_rank_are_playing_cards() -> None:
    fronts = {built.front.title: built.front for built in build_printed_cards(cardlang.load("dou_dizhu"))}
    assert not any(front.has_text for front in fronts.values())
    jokers = [fronts[f"{colour} Joker"].picture.colour for colour in ("Red", "Black")]
    assert jokers == [NAMED_COLOURS["red"], NAMED_COLOURS["black"]]

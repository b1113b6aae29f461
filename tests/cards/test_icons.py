"""Icons, found by word."""

import pytest
from click.testing import CliRunner

import cardlang
from cardlang.cards import SymbolSet
from cardlang.cards.icons import find_icon, get_icon, load_synonyms, map_icons_to_authors
from cardlang.cli.main import cli
from cardlang.print_and_play.card_csv_export import build_csv
from cardlang.rulebook.plan.card_faces import CardDesign


def test_every_synonym_has_an_icon() -> None:
    named = {name for names in load_synonyms().values() for name in names}
    assert named - set(map_icons_to_authors()) == {"none"}


@pytest.mark.parametrize(
    ("words", "icon"),
    [
        ("Gun", "revolver"),
        ("Axes", "fire-axe"),
        ("lasso", "coiled-lasso"),
        ("Coins", "coin"),
        ("Wood-Axe", "wood-axe"),
        ("Battle Axe", "battle-axe"),
        ("Pug You Beach!", "sitting-dog"),
        ("Apple", "shiny-apple"),
        ("Sardines", "school-of-fish"),
    ],
)
def test_words_find_an_icon(words: str, icon: str) -> None:
    found = find_icon(words)
    assert found is not None and found.name == icon


@pytest.mark.parametrize("words", ["", "of the", "Zzyzx", "7", "../../etc/passwd", "Serene", "Events"])
def test_other_words_find_none(words: str) -> None:
    assert find_icon(words, exact=True) is None


def test_icons_are_listed_by_word() -> None:
    def list_icons(*words: str) -> list[str]:
        return CliRunner().invoke(cli, ["icons", *words]).output.splitlines()

    assert list_icons("sailor")[0] == "captain-hat-profile" and "anchor" in list_icons("sailor", "anchor")
    assert "No icon fits zzyzx" in " ".join(list_icons("zzyzx")) and len(list_icons()) > 4000


def test_icons_fit_their_box() -> None:
    for name in ("revolver", "wood-axe", "dragon-head"):
        icon = get_icon(name)
        assert icon is not None and icon.path[0] in "mM" and icon.author


@pytest.mark.parametrize(
    ("game", "kind", "icons"),
    [
        ("tall_tales", "Suit", ["revolver", "fire-axe", "coiled-lasso", "plain-fish"]),
        ("tall_card", "Suit", ["bamboo-stalk", "ripe-plum", "cut-diamond"]),
        ("tail_story", "Type", ["sitting-dog", "cat", "squirrel"]),
        ("scopa", "Suit", ["coin", "jeweled-chalice", "upright-sword", "wood-club"]),
        ("schafkopf", "Suit", ["ringing-bell", "hearts", "maple-leaf", "acorn"]),
    ],
)
def test_members_have_the_icon_of_their_name(game: str, kind: str, icons: list[str]) -> None:
    marks = SymbolSet(cardlang.load(game))
    found = [marks.get_member_symbol(kind, index) for index in range(len(marks.game.kinds[kind].members))]
    paths = {icon.path: icon.name for icon in map(get_icon, icons) if icon}
    assert {paths.get(symbol.path) for symbol in found if symbol} == set(icons)


def test_standard_suits_keep_their_shapes() -> None:
    marks = SymbolSet(cardlang.load("hearts"))
    symbols = [marks.get_member_symbol("Suit", index) for index in range(4)]
    assert [symbol.author for symbol in symbols if symbol] == [""] * 4


def test_numbers_of_cards_are_badges() -> None:
    game = cardlang.load("tail_story")
    design = CardDesign(game)
    front = design.build_front(game.faces[0])
    assert front.cost is not None and (front.cost.name, front.cost.value) == ("Cost", "1")
    assert not front.badges and "Cost" not in front.footer


def test_decimals_on_cards_are_printed_in_digits() -> None:
    text = """game "Weights" for 2 players
cards Fish in deck with weight
  1 of "Carp", 7.5
  1 of "Whale", 1234567.25
zone deck
number your score
step play
  finish game
"""
    game = cardlang.loads(text)
    fronts = [CardDesign(game).build_front(face) for face in game.faces]
    assert [badge.value for front in fronts for badge in front.badges] == ["7.5", "1234567.25"]
    assert [line.split(",")[-2] for line in build_csv(game).decode().splitlines()[1:]] == ["7.5", "1234567.25"]


def test_cards_of_a_set_have_different_pictures() -> None:
    text = """game "Ships" for 2 players
cards Coins in deck with price
  1 of "Frigate", 1
  1 of "Flagship", 2
  1 of "Convoy", 3
  1 of "Penny", 4
zone deck
number your score
step play
  finish game
"""
    game = cardlang.loads(text)
    fronts = [CardDesign(game).build_front(face) for face in game.faces]
    pictures = {front.picture.path for front in fronts}
    (price,) = {front.cost.symbol for front in fronts if front.cost}
    assert len(pictures) == 4 and price and price.path not in {*pictures, *(f.symbol.path for f in fronts if f.symbol)}

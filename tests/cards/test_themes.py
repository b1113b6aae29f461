"""Themes: icons, colours, sizes and pictures of cards, and bad input."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pypdf
import pytest
from attrs import evolve
from click.testing import CliRunner
from PIL import Image

import cardlang
from cardlang.cards import SymbolSet
from cardlang.cards.card_content import CardSide
from cardlang.cards.card_svg import draw_card_side
from cardlang.cards.designer_pictures import CardArt, check_svg, shrink_picture
from cardlang.cards.icons import get_icon
from cardlang.cards.theme import THEME_COLOURS, compute_contrast, read_theme
from cardlang.cli.main import cli
from cardlang.diagnostics.explain_pages import read_explanations
from cardlang.print_and_play import CardPrinter
from cardlang.print_and_play.printed_card_warnings import find_printing_problems
from cardlang.print_and_play.sheet_layout import build_layout
from cardlang.rulebook.plan.card_faces import CardDesign, build_printed_cards
from cardlang.rulebook.render import build_rulebook
from cardlang.rulebook.render.html import render_html
from cardlang.rulebook.render.markdown import render_markdown
from cardlang.rulebook.render.typst_pdf import render_pdf
from cardlang.ui.terminal.screen.card_styles import CardStyles
from cardlang.ui.web.game_catalog import build_card_data
from tests.game_files import read_game

MOON_TEXT = "They wake for the {Moon}."
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Create a folder with a game of two suits and a card set with texts."""
    (tmp_path / "moors.cardgame").write_text(read_game("moors"), encoding="utf-8")
    return tmp_path


def load(folder: Path, theme: str) -> cardlang.Game:
    (folder / "moors.theme.toml").write_text(theme, encoding="utf-8")
    return cardlang.load(folder / "moors.cardgame")


def save_picture(path: Path, size: tuple[int, int] = (60, 40)) -> None:
    path.parent.mkdir(exist_ok=True)
    Image.new("RGB", size, "red").save(path)


def test_theme_sets_icons_and_colours(folder: Path) -> None:
    game = load(folder, '[icons]\nSun = "wood-axe"\nowl = "rat"\n[colours]\nSun = "#123456"\nmoon = "blue"\n')
    fronts = {face.title: CardDesign(game).build_front(face) for face in game.faces}
    axe, rat, sun, moon = get_icon("wood-axe"), get_icon("rat"), fronts["5 of Sun"].symbol, fronts["5 of Moon"].symbol
    assert axe and rat and sun and moon and not read_theme(game).findings
    assert (sun.path, sun.colour, moon.colour) == (axe.path, "#123456", "#0b57a4")
    assert fronts["Owl"].picture.path == rat.path


@pytest.fixture
def moonlit(folder: Path) -> cardlang.Game:
    """Load the game with the value of a kind in braces in the text of its creatures."""
    path = folder / "moors.cardgame"
    path.write_text(path.read_text("utf-8").replace("They wake at dusk.", MOON_TEXT), "utf-8")
    return cardlang.load(path)


def read_pdf(pdf: bytes) -> str:
    return " ".join(page.extract_text() for page in pypdf.PdfReader(BytesIO(pdf)).pages)


def test_theme_chooses_the_backs(folder: Path) -> None:
    game = load(folder, '[backs]\nSigns = "Omens"\ndeck = "Moors"\n')
    titles = {card.front.title: card.back.title for card in CardDesign(game).build_cards()}
    assert (titles["Storm"], titles["5 of Sun"]) == ("Omens", "Moors") and not read_theme(game).findings


def test_values_in_braces_are_icons_on_cards(moonlit: cardlang.Game) -> None:
    design = CardDesign(moonlit)
    (owl,) = (design.build_back(face) for face in moonlit.faces if face.title == "Owl")
    assert isinstance(owl, CardSide) and owl.passages[-1].text == "They wake for the Moon."
    moon = design.small_cards.symbols.get_member_symbol("Suit", 1)
    assert moon and owl.text_icons == (moon,)
    printer = CardPrinter(moonlit)
    (sheet,) = printer.render_pdfs(build_layout("sheet", "a4", printer.card_size))
    assert "They wake for the" in read_pdf(sheet) and "for the Moon" not in read_pdf(sheet)
    drawn = draw_card_side(owl)
    assert "They" in drawn and "Moon" not in drawn and drawn.count(moon.path) == 1
    (shown,) = (card["other"] for card in build_card_data(moonlit) if card["title"] == "Owl")
    assert shown["passages"][-1]["said"] == ["They wake for the ", 0, "."]  # type: ignore[index]
    assert shown["icons"][0]["path"] == moon.path  # type: ignore[index]


def test_values_in_braces_are_icons_in_rulebooks_and_terminals(moonlit: cardlang.Game) -> None:
    moon = SymbolSet(moonlit).get_member_symbol("Suit", 1)
    assert moon and moon.character == "☾"
    rulebook = build_rulebook(moonlit)
    assert "They wake for the Moon." in render_markdown(rulebook)
    mark = (
        f'<svg class="mark" role="img" aria-label="Moon" viewBox="0 0 100 100"><path class="ink" fill="{moon.colour}"'
    )
    assert f"They wake for the {mark}" in render_html(rulebook)
    assert "They wake for the" in read_pdf(render_pdf(rulebook)) and "the Moon." not in read_pdf(render_pdf(rulebook))
    fox = next(face.number for face in moonlit.faces if face.title == "Fox")
    assert CardStyles(moonlit).captions[fox].endswith(" They wake for the ☾. Sly. (☾ Moon)")
    assert CardStyles(moonlit, symbols=False).captions[fox].endswith(" They wake for the Moon. Sly.")


def test_words_in_braces_are_icons_of_numbers_columns_and_plurals(folder: Path) -> None:
    path = folder / "moors.cardgame"
    text = path.read_text("utf-8") + 'number your gems called "jewel" plural "jewels"\n'
    path.write_text(
        text.replace('"Sly."', '"Take 2 {gems} or a {jewel}. {Suns} have no {cost} or {score}. It costs 1."'), "utf-8"
    )
    game = load(folder, '[icons]\njewels = "acorn"\nscore = "acorn"\n')
    (fox,) = (CardDesign(game).build_back(face) for face in game.faces if face.title == "Fox")
    assert isinstance(fox, CardSide) and not read_theme(game).findings
    assert fox.passages[0].text == "Take 2 gems or a jewel. Suns have no cost or score. It costs 1."
    acorn, icons = get_icon("acorn"), {icon.name: icon.path for icon in fox.text_icons}
    assert acorn and icons.keys() == {"gems", "jewel", "Suns", "cost", "score"}
    assert icons["gems"] == icons["jewel"] == icons["score"] == acorn.path


def test_braces_on_a_card_and_elsewhere_have_a_cure() -> None:
    text = (
        read_game("moors").replace('"Sly."', '"Lose {your score}."').replace("for 2 players", 'for 2 players "{score}"')
    )
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(text)
    elsewhere, card = sorted(caught.value.diagnostics, key=lambda finding: finding.span.start)
    assert "`{score}` shows an icon" in card.hint and "Remove them" in card.hint and "your" not in elsewhere.hint


def test_icons_in_a_translation_are_those_of_the_game(moonlit: cardlang.Game, folder: Path) -> None:
    table = f"use,text,translation\nname,Moon,Mond\ncard text,{MOON_TEXT},Sie erwachen beim {{Moon}}.\n"
    (folder / "moors.de.csv").write_text(table, "utf-8")
    german = cardlang.load(folder / "moors.cardgame", language="de")
    moon, mond = (SymbolSet(game).find_text_icons("Creatures") for game in (moonlit, german))
    assert (moon[0].name, mond[0].name) == ("Moon", "Mond") and moon[0].path == mond[0].path
    assert "(☾ Mond)" in "".join(CardStyles(german).captions.values())
    assert 'aria-label="Mond"' in render_html(build_rulebook(german))


@pytest.mark.parametrize(
    ("theme", "line", "said"),
    [
        ('[icons]\nSon = "axe"', 2, "Did you mean Sun?"),
        ('[icons]\nSun = "revolvr"', 2, "revolver"),
        ("[icons]\nSun = 3", 2, "a text in quotes"),
        ('[icons]\nSun = "axe"\n[colours]\nMoon = "red"\nSun = "#ffff00"', 5, "too pale"),
        ('[colours]\nSun = "reddish"', 2, "not a colour"),
        ('size = "huge"', 1, "poker, bridge, mini, tarot or square"),
        ("size = 3", 1, "poker"),
        ('large-type = "yes"', 1, "true or false"),
        ('cost = "weight"', 1, "Choose cost"),
        ('[backs]\nOwl = "Night"', 2, "Name a card set"),
        ("siez = 3", 1, "Did you mean size?"),
        ('[places]\ncost = "top lft"', 2, "top left, top right"),
        ('[places]\nart = "left 95 %"', 2, "Write 4 to 31.5 mm, or up to 50 %"),
        ('size = "mini"\n[places]\ntext = "bottom 1.2.3 mm"', 3, "4 to 56.7 mm"),
        ('[places]\ncosts = "left"', 2, "Did you mean cost?"),
        ("[places]\ncost = 3", 2, '"top left"'),
        ('[places]\ntype = "top"', 2, "have one place, top"),
        ('[places]\nart = "top 50 %"\ntext = "bottom 60 %"', 3, "96.8 mm high, but a card is 88 mm high"),
        ('[places]\nart = "left 20 mm"\ntext = "right 80 %"', 3, "70.4 mm wide, but a card is 63 mm wide"),
        ('[places]\nart = "left 3 cm"', 2, "with a size such as 30 mm"),
        ('places = "left"', 1, "Write `[places]`"),
        ('[places.Creature]\ncost = "left"', 1, "Did you mean Creatures?"),
        ('[places]\ntitle = "bottom"\ntype = "none"\n[places.Creatures]\ntext = "middle"', 5, "have one place, middle"),
        ("art = pictures", 1, 'Write "pictures"'),
        ("hidden = [cost]", 1, 'Write "cost"'),
        ("[colours]\nSun = #176639", 2, 'Write "#176639"'),
        ("art = “my pictures”", 1, 'Write "my pictures"'),
        ("large-type = True", 1, "Write true"),
        ('[icons]\nCat\'s Paw = "axe"', 2, 'Write "Cat\'s Paw"'),
        ('[icons]\nÉlan = "axe"', 2, 'Write "Élan"'),
        ("cost = 3\ncost = 4\n", 2, "not valid TOML"),
        ('[icons]\nSun = "axe"\nart = "pictures"', 3, "Move the line above the first table"),
        ("size = ", 1, "not valid TOML"),
        ("[icons", 1, "not valid TOML"),
        ("x = " + "[" * 2000, 1, "not valid TOML"),
    ],
)
def test_problems_of_themes_have_a_place_and_a_cure(folder: Path, theme: str, line: int, said: str) -> None:
    game = load(folder, theme)
    (finding,) = read_theme(game).findings
    assert (finding.code, finding.span.line) == ("W460", line)
    assert said in f"{finding.message} {finding.hint}"
    assert CardDesign(game).build_cards()
    checked = CliRunner().invoke(cli, ["check", str(folder / "moors.cardgame")])
    assert checked.exit_code == 0 and "W460" in checked.stdout


def test_colour_words_are_legible_and_listed() -> None:
    page = next(page for page in read_explanations() if page.code == "W460")
    assert {"navy", "teal", "gold", "gray"} < THEME_COLOURS.keys() <= set(re.findall(r"[a-z]+", str(page)))
    assert min(map(compute_contrast, THEME_COLOURS.values())) >= 4.5


def test_values_without_a_colour_of_the_theme_have_one_of_their_own(folder: Path) -> None:
    game = load(folder, '[colours]\nSun = "reddish"\nMoon = "green"')
    sun, moon = (SymbolSet(game).get_member_symbol("Suit", index) for index in (0, 1))
    assert sun and moon and moon.colour == THEME_COLOURS["green"] != sun.colour


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"size = 'poker'\0", b"x" * 300_000])
def test_themes_that_are_no_text_are_reported(folder: Path, content: bytes) -> None:
    (folder / "moors.theme.toml").write_bytes(content)
    assert [finding.code for finding in read_theme(cardlang.load(folder / "moors.cardgame")).findings] == ["W460"]


def test_pages_of_themes_show_their_problem(folder: Path) -> None:
    page = next(page for page in read_explanations() if page.code == "W460")
    sets = (folder / "moors.cardgame").read_text("utf-8").replace("Sun", "Gun")
    (folder / "moors.cardgame").write_text(sets, encoding="utf-8")
    assert read_theme(load(folder, page.wrong)).findings and not read_theme(load(folder, page.right)).findings


def find_words(pdf: bytes) -> dict[str, tuple[float, float]]:
    """Return the left edge and base line of each text on the first page, from its top left corner in millimetres."""
    page, found = pypdf.PdfReader(BytesIO(pdf)).pages[0], {}

    def note(text: str, outer: list[float], inner: list[float], *_: object) -> None:
        x, y = (inner[4] * outer[at] + inner[5] * outer[at + 2] + outer[at + 4] for at in (0, 1))
        found.setdefault(text.strip(), (x / 72 * 25.4, (float(page.mediabox.height) - y) / 72 * 25.4))

    page.extract_text(visitor_text=note)
    return found


@pytest.mark.parametrize(
    ("places", "title", "cost", "text"),
    [
        ("", (16, 3, 60, 16), (5, 18, 15, 27), (5, 55, 30, 74)),
        ('title = "bottom"\ntype = "none"', (5, 72, 15, 85), (5, 3, 16, 21), (5, 40, 30, 72)),
        ('cost = "top right"\ntext = "top"\nart = "middle"', (16, 3, 50, 16), (45, 3, 60, 16), (5, 18, 30, 28)),
        ('art = "left 50 %"\nsymbol = "none"', (5, 3, 50, 16), (5, 18, 15, 27), (36, 18, 45, 28)),
        ('cost = "bottom left"\nart = "top"\ntext = "bottom 30 mm"', (16, 3, 60, 16), (4, 76, 15, 85), (5, 40, 30, 74)),
    ],
)
def test_parts_are_where_the_theme_places_them(
    folder: Path, places: str, title: tuple[int, ...], cost: tuple[int, ...], text: tuple[int, ...]
) -> None:
    game = load(folder, f"[places.Creatures]\n{places}\n")
    assert not read_theme(game).findings
    printer = CardPrinter(game)
    printer.cards = tuple(evolve(card, front=card.back) for card in printer.cards if card.back.title == "Night Fox")
    (pdf,) = printer.render_pdfs(build_layout("single", "a4", printer.card_size))
    words = find_words(pdf)
    for word, (left, top, right, bottom) in {"Night Fox": title, "∞": cost, "Sly.": text}.items():
        x, y = words[word]
        assert left <= x <= right and top <= y <= bottom, (word, x, y)


def test_parts_without_room_are_reported_in_the_theme(folder: Path) -> None:
    (folder / "moors.cardgame").write_text(read_game("moors").replace("Sly.", "Sly and quick. " * 20), encoding="utf-8")
    printed = CardPrinter(load(folder, '[places]\ntext = "bottom 12 mm"\n'))
    (finding,) = find_printing_problems(printed)
    assert (
        finding.span.source.name.endswith("moors.theme.toml")
        and "2 cards" in finding.message
        and "“Night Fox”" in finding.message
    )


def test_places_of_cards_without_text_are_reported(folder: Path) -> None:
    found = [*find_printing_problems(CardPrinter(load(folder, '[places.Pack]\nart = "top"\n')))]
    assert ["no card in Pack has one" in finding.message for finding in found] == [True]


def test_themes_with_a_wrong_file_name_are_pointed_out(folder: Path) -> None:
    (folder / "mors.theme.toml").write_text('size = "mini"')
    (finding,) = read_theme(cardlang.load(folder / "moors.cardgame")).findings
    assert finding.span.source.name.endswith("mors.theme.toml") and "moors.theme.toml" in finding.hint
    (folder / "mors.cardgame").write_text(read_game("moors"), encoding="utf-8")
    assert not read_theme(cardlang.load(folder / "moors.cardgame")).findings


@pytest.mark.parametrize(("size", "millimetres"), [("mini", (44, 63)), ("tarot", (70, 120)), ("square", (70, 70))])
def test_cards_have_the_size_of_the_theme(folder: Path, size: str, millimetres: tuple[int, int]) -> None:
    printer = CardPrinter(load(folder, f'size = "{size}"'))
    (pdf,) = printer.render_pdfs(build_layout("single", "a4", printer.card_size))
    page = pypdf.PdfReader(BytesIO(pdf)).pages[0]
    assert tuple(round(float(side) / 72 * 25.4) for side in page.mediabox[2:]) == millimetres


def test_pictures_are_found_by_name(folder: Path) -> None:
    path = folder / "moors.cardgame"
    path.write_text(path.read_text("utf-8").replace('"Grey Owl"', '"Owl\'s Ghost"'), "utf-8")
    for name in ("owl.png", "sun.jpg", "back.jpeg", "owls_ghost.png"):
        save_picture(folder / "art" / name)
    (folder / "art" / "Storm.svg").write_text(SVG.format('<rect width="9" height="9"/>'))
    game = load(folder, 'art = "art"')
    design = CardDesign(game)
    named = {face.title: side.art.name for face in game.faces if (side := design.build_front(face)).art}
    ghosts = {
        side.art.name for face in game.faces if isinstance(side := design.build_back(face), CardSide) and side.art
    }
    assert "owls_ghost" in ghosts
    assert named["Owl"] == "owl" and named["5 of Sun"] == "sun" and named["Storm"] == "Storm"
    assert "5 of Moon" not in named
    (pdf,) = CardPrinter(game).render_pdfs(build_layout("sheet", "a4", (63, 88)))
    assert sum(len(page.images) for page in pypdf.PdfReader(BytesIO(pdf)).pages) >= 2
    printed = CliRunner().invoke(cli, ["cards", str(folder / "moors.cardgame"), "-o", str(folder / "cards.pdf")])
    assert printed.exit_code == 0 and "moors.theme.toml:1:1: warning[W461]" in printed.stderr
    assert 'art = "art"' in printed.stderr and "“5 of Moon”" in printed.stderr and "“9 of Moon”" not in printed.stderr
    assert "“9 of Moon”" in CliRunner().invoke(cli, ["check", str(folder / "moors.cardgame")]).stdout
    assert not CardDesign(load(folder, 'art = "art"\npartial-art = true')).find_picture_problems()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("owl.png", b"MZ executable", "is not a PNG file"),
        ("owl.jpg", b"", "is not a JPEG file"),
        ("owl.svg", b"<html/>", "is not an SVG file"),
        ("owl.svg", b"<svg", "is not a valid SVG file"),
        ("owl.svg", SVG.format("<script>1</script>").encode(), "script"),
        ("owl.svg", SVG.format('<rect onload="1"/>').encode(), "active part"),
        ("owl.svg", SVG.format('<image href="file:///etc/passwd"/>').encode(), "links to another file"),
        ("owl.svg", SVG.format('<rect style="fill:url(http://x)"/>').encode(), "links to another file"),
        ("owl.svg", SVG.format("<style>@import 'x'</style>").encode(), "links to another file"),
        ("owl.svg", SVG.format("<style>&#64;import 'x'</style>").encode(), "links to another file"),
        ("owl.svg", SVG.format("<style>a{fill:u\\72l(x)}</style>").encode(), "links to another file"),
        ("owl.svg", SVG.format("<style>a{fill:url(x)}<g/></style>").encode(), "links to another file"),
        ("owl.svg", SVG.format("<style>a{background:image-set('x' 1x)}</style>").encode(), "links to another file"),
        ("owl.svg", SVG.format("<a><set attributeName='href' to='x'/></a>").encode(), "active part"),
        ("owl.svg", SVG.format("<a><set attributeName='xlink:href' to='x'/></a>").encode(), "active part"),
        ("owl.svg", SVG.format("<script>1</script>").encode("utf-16"), "active part"),
        ("owl.svg", ("<!DOCTYPE a [<!ENTITY x 'y'>]>" + SVG.format("&x;")).encode("utf-16"), "document type"),
        ("owl.svg", ("<?xml-stylesheet href='x'?>" + SVG.format("")).encode(), "style sheet"),
        ("owl.svg", SVG.format("<g/>" * 300_000).encode(), "more than 300,000"),
    ],
)
def test_bad_pictures_are_refused(folder: Path, name: str, content: bytes, said: str) -> None:
    (folder / "art").mkdir()
    (folder / "art" / name).write_bytes(content)
    art = CardArt(read_theme(load(folder, 'art = "art"')))
    assert art.find_picture(["Owl"]) is None
    (finding,) = art.findings
    assert finding.code == "W461" and said in finding.message and name in finding.span.source.name and finding.hint


def test_huge_pictures_and_links_are_refused(folder: Path) -> None:
    (folder / "art").mkdir()
    Image.new("1", (20_000, 20_000)).save(folder / "art" / "owl.png")
    (folder / "art" / "fox.png").symlink_to(folder / "art" / "owl.png")
    art = CardArt(read_theme(load(folder, 'art = "art"')))
    Image.new("1", (40_000, 1)).save(folder / "art" / "elk.png")
    assert [art.find_picture([name]) for name in ("Owl", "Fox", "Elk")] == [None] * 3
    messages = [finding.message for finding in art.findings]
    assert "megapixels" in messages[0] and "link" in messages[1] and "30,000 pixels" in messages[2]


def test_pictures_are_shrunk_and_upright() -> None:
    picture, file = Image.new("RGB", (3_000, 1_000)), BytesIO()
    picture.getexif()[0x0112] = 6  # turned by 90 degrees
    picture.save(file, "JPEG", exif=picture.getexif())
    with Image.open(BytesIO(shrink_picture(file.getvalue(), "JPEG"))) as shrunk:
        assert shrunk.size == (500, 1_500)


@pytest.mark.parametrize("place", ["..", "/etc", "missing", "moors.cardgame"])
def test_folders_outside_are_refused(folder: Path, place: str) -> None:
    art = CardArt(read_theme(load(folder, f'art = "{place}"')))
    assert art.find_picture(["Owl"]) is None and [finding.code for finding in art.findings] == ["W461"]


def test_plain_svg_is_accepted() -> None:
    drawn = SVG.format('<defs><path id="a" d="M0 0h9"/></defs><use href="#a" fill="url(#b)" label="C:\\a"/>').encode()
    assert check_svg(drawn) == drawn


def test_long_texts_are_reported_at_their_card(folder: Path) -> None:
    game = folder / "moors.cardgame"
    game.write_text(game.read_text("utf-8").replace("Sly.", "Sly fox. " * 200), encoding="utf-8")
    printed = CliRunner().invoke(cli, ["cards", str(game), "-o", str(folder / "cards.pdf")])
    line = next(n for n, text in enumerate(game.read_text("utf-8").splitlines(), 1) if '"Fox"' in text)
    assert f"moors.cardgame:{line}:" in printed.stderr and "W462" in printed.stderr and "“Fox”" in printed.stderr


def test_bundled_themes_have_no_problems() -> None:
    themed = [name for name, path in cardlang.shipped().items() if path.with_suffix(".theme.toml").exists()]
    assert {"tail_story", "tall_card", "tall_tales"} <= set(themed)
    for name in themed:
        game = cardlang.load(name)
        assert not read_theme(game).findings and not CardPrinter(game).find_misfits(), name


def test_images_are_printed_at_their_resolution(folder: Path) -> None:
    images = dict(CardPrinter(load(folder, "")).render_images(100, bleed=3))
    assert {"back-moors"} < images.keys() and all(name == name.lower() for name in images)
    sizes = {Image.open(BytesIO(data)).size for data in images.values()}
    assert sizes == {(round(69 / 25.4 * 100), round(94 / 25.4 * 100))}


def test_check_reports_pictures_that_no_card_shows(folder: Path) -> None:
    for name in ("owl", "sund", "notes", "den", "creatures"):
        save_picture(folder / "art" / f"{name}.png")
    load(folder, 'art = "art"\n')
    for _ in range(2):  # the second time, nothing comes from a cache
        checked = CliRunner().invoke(cli, ["check", str(folder / "moors.cardgame")]).stdout
        assert "picture sund.png" in checked and "Rename it to sun.png" in checked
        assert "picture notes.png" in checked and "picture owl.png" not in checked, checked
        assert "No picture for 11 cards" in checked
    (folder / "art" / "notes.png").unlink()
    assert "notes.png" not in CliRunner().invoke(cli, ["check", str(folder / "moors.cardgame")]).stdout


def test_pictures_of_other_formats_and_second_ones_are_reported(folder: Path) -> None:
    for name in ("owl.png", "owl.jpg", "fox.WEBP"):
        save_picture(folder / "art" / name)
    (folder / "art" / "notes.txt").write_text("my pictures")
    findings = CardDesign(load(folder, 'art = "art"\npartial-art = true\n')).find_picture_problems()
    said = {finding.message.split()[-1]: finding.hint for finding in findings}
    assert said.keys() == {"fox.WEBP.", "owl.jpg."}
    assert "PNG, JPEG or SVG" in said["fox.WEBP."] and "owl.png" in said["owl.jpg."]


def test_hidden_columns_are_not_printed(folder: Path) -> None:
    decks = [CardDesign(load(folder, theme)).build_cards() for theme in ("", 'hidden = ["cost", "omen"]\n')]
    for title in ("Owl", "Storm"):
        plain, hidden = (next(card.front for card in cards if card.front.title == title) for cards in decks)
        assert ("The wind turns." in str(plain.passages)) == (title == "Storm")
        assert "The wind turns." not in str(hidden.passages)
        assert hidden.cost is None
    assert any(card.back.cost for card in decks[0] if isinstance(card.back, CardSide)) == any(
        card.front.cost for card in decks[0]
    )
    (finding,) = read_theme(load(folder, 'hidden = ["costs"]\n')).findings
    assert "“costs”" in finding.message


def test_values_of_a_text_column_get_advice_on_kinds(folder: Path) -> None:
    (finding,) = read_theme(load(folder, '[icons]\n"The wind turns." = "gun"\n')).findings
    assert "`kind Omen: The wind turns., …`" in finding.hint


def test_card_without_picture_and_words_shows_the_icon_of_its_kind(tmp_path: Path) -> None:
    game = read_game("moors").replace('"Fox"', '"Zzyx"').replace("Creatures", "Qqq")
    (front,) = (
        f for f in map(CardDesign(cardlang.loads(game)).build_front, cardlang.loads(game).faces) if f.title == "Zzyx"
    )
    assert front.symbol and front.picture.path == front.symbol.path and front.picture.author


def test_fills_are_inside_the_outline(folder: Path) -> None:
    sun = SymbolSet(load(folder, '[colours]\nSun = "#6e5d0a"\n[fills]\nSun = "#ffe02e"\n')).get_member_symbol("Suit", 0)
    assert sun is not None and 'stroke="#6e5d0a"' in sun.draw() and 'fill="#ffe02e"' in sun.draw()


def test_icon_in_the_corner_is_as_complete_as_the_large_one() -> None:
    images = dict(CardPrinter(cardlang.load("tall_card")).render_images(300))
    for name in ("bamboo", "diamond"):
        (data,) = (data for file, data in images.items() if file.endswith(f"-{name}") and file[:2] > "30")
        card = Image.open(BytesIO(data)).convert("L").resize((630, 880)).point(lambda grey: grey < 150 and 255)
        shapes = [card.crop(box).getbbox() for box in ((29, 29, 130, 128), (170, 120, 470, 400))]
        small, large = [(right - left) / (bottom - top) for left, top, right, bottom in filter(None, shapes)]
        assert small == pytest.approx(large, rel=0.1), name


def test_colour_of_a_set_is_that_of_its_cards_with_text() -> None:
    cards = {card.front.title: card.front for card in build_printed_cards(cardlang.load("tail_story"))}
    hiss, meow = cards["Hiss Off!"], cards["Midnight Meow"]
    assert hiss.symbol == meow.symbol and hiss.symbol is not None and meow.picture.colour == hiss.symbol.colour
    band = f'height="19" rx="4" fill="{THEME_COLOURS["black"]}"'
    assert band in draw_card_side(hiss) and band not in draw_card_side(meow)

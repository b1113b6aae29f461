"""HTML and PDF: content, and escaping of game texts."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
import typst
from click.testing import CliRunner

import cardlang
from cardlang.cli.main import cli
from cardlang.model import Game
from cardlang.rulebook.render import build_player_aid, build_rulebook, render_rulebook, render_rulebook_markdown
from cardlang.rulebook.render.markdown import render_markdown
from cardlang.rulebook.render.typst_pdf import quote_typst

HOSTILE = (
    "<script>alert(1)</script>",
    "{{ 7 * 7 }}{% include 'sheet.css' %}",
    "[click](javascript:alert(1))",
    '"); #read("/etc/passwd") #(',
    "![x](../../etc/passwd)",
    "מלך (א) می\u200cخواهم 👩\u200d🚀",
)
VOID = {"meta", "path", "use", "rect", "br", "img", "link", "input", "hr"}


class Page(HTMLParser):
    """Tags, ids and links of a page; every end must meet its start."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.levels: list[int] = []
        self.texts: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        found = dict(attrs)
        self.ids += [found["id"] or ""] if "id" in found else []
        self.links += [found["href"] or ""] if "href" in found else []
        self.levels += [int(tag[1])] if re.fullmatch("h[1-6]", tag) else []
        assert not any(name.startswith("on") for name in found)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def hostile_game() -> Game:
    """Return a game with hostile texts everywhere."""
    said = [text.replace("\\", "\\\\").replace('"', '\\"').replace("{", "\\{") for text in HOSTILE]
    docs = "\n".join(f'number your n{number} "{text}"' for number, text in enumerate(said))
    rulings = "\n".join(f'ruling "{text}"\n  "{text}"' for text in said)
    rows = "\n".join(f'  1 of "{text}" (C{number})' for number, text in enumerate(said))
    return cardlang.loads(
        f'game "{said[0]}{said[3]}" for 2 players "{said[1]}"\nzone deck "{said[2]}"\ncards Pack in deck\n{rows}\n'
        f'{docs}\n{rulings}\nnumber your score\nstep play "{said[5]}"\n  shuffle deck "{said[3]}"\n'
        f'example "{said[0]}" with Ann, Bob\n  given\n    deck [C0 C1 C3]\n  expect deck is not empty\n'
    )


@pytest.mark.parametrize("name", ["tail_story", "tall_card", "tall_card_fan", "tall_tales", "hearts"])
def test_html_page_is_self_contained(name: str, shipped: dict[str, Game]) -> None:
    sheet = build_rulebook(shipped[name], "2024-05-01")
    text = render_rulebook(sheet, "html").decode()
    page = Page(text)
    assert not page.tags & {"script", "link", "img", "iframe"}
    assert len(set(page.ids)) == len(page.ids)
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    assert all(link.startswith("#") for link in page.links)
    assert "url(" not in text and "@import" not in text
    assert page.levels[0] == 1 and page.levels.count(1) == 1
    assert all(below - above <= 1 for above, below in zip(page.levels, page.levels[1:], strict=False))
    assert f"Version {sheet.version} of 2024-05-01." in text


def test_html_contains_every_text(shipped: dict[str, Game]) -> None:
    """Markdown and HTML say the same, apart from what is drawn."""
    game = shipped["tall_tales"]
    page = render_rulebook(build_rulebook(game), "html").decode()
    drawn = re.findall('aria-label="([^"]*)"', page)
    shown = " ".join(" ".join([*Page(page).texts, *drawn]).split())
    for line in render_rulebook_markdown(game).splitlines():
        said = re.sub(r"\[(“[^\]]*”)\]\(#[^)]*\)", r"\1", line)
        for part in re.findall(r"\w[\w ,'’]{25,}\w", re.sub(r"[*\\|“”]", "\n", said)):
            assert part in shown, part


def test_hands_are_drawn_with_descriptions(shipped: dict[str, Game]) -> None:
    text = render_rulebook(build_rulebook(shipped["tall_card"]), "html").decode()
    assert 'aria-label="two 8s (Diamond and Plum), ' in text


def test_hostile_texts_are_escaped_in_html() -> None:
    sheet = build_rulebook(hostile_game())
    text = render_rulebook(sheet, "html").decode()
    page = Page(text)
    assert "script" not in page.tags and "img" not in page.tags
    assert all(link.startswith("#") for link in page.links)
    shown = "".join(page.texts)
    for said in HOSTILE[:5]:
        assert said in shown
    plain = render_rulebook_markdown(hostile_game())
    assert "מלך (א) می\u200cخواهم 👩\u200d🚀" in shown and "می\u200cخواهم 👩\u200d🚀" in plain


def test_hostile_texts_are_escaped_in_pdf() -> None:
    sheet = build_rulebook(hostile_game())
    data = render_rulebook(sheet, "pdf")
    assert data.startswith(b"%PDF-")
    assert render_rulebook(build_player_aid(hostile_game()), "pdf").startswith(b"%PDF-")
    assert b"root:" not in data


@pytest.mark.parametrize("text", ['"', "\\", '\\"', '#panic("x")', "$x$", "// x", "/* x", "\\u{41}", "`x`", "]", "@x"])
def test_typst_quoting_round_trips(text: str) -> None:
    source = f"#let said = {quote_typst(text)}\n#metadata(said.codepoints().map(str.to-unicode)) <said>"
    found = typst.query(source.encode(), "<said>", field="value", one=True)
    assert json.loads(found) == [ord(letter) for letter in text]


def test_longest_title_is_printed(shipped: dict[str, Game]) -> None:
    """As long as the language allows: shown, on every format."""
    game = cardlang.loads(
        f'game "{"W" * 9990}" for 2 players\nnumber your score\nstep play\n  add 1 to round\nnumber round\n'
    )
    sheet = build_rulebook(game)
    assert "W" * 9990 in render_rulebook(sheet, "html").decode()
    assert "W" * 9990 in render_rulebook_markdown(game)
    assert render_rulebook(sheet, "pdf").startswith(b"%PDF-")


def test_pdf_is_tagged_with_title_and_outline(shipped: dict[str, Game]) -> None:
    data = render_rulebook(build_rulebook(shipped["tall_tales"]), "pdf", "letter")
    for part in (b"/StructTreeRoot", b"/MarkInfo", b"/Outlines", b"pdfuaid"):
        assert part in data
    assert b"/FontFile" in data
    assert render_rulebook(build_rulebook(shipped["tall_tales"]), "pdf", "letter") == data


def pages(pdf: bytes) -> int:
    (count,) = re.findall(rb"/Type ?/Pages\b[^>]*?/Count (\d+)", pdf)
    return int(count)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "most"), [("tail_story", 8), ("tall_card", 8), ("tall_card_fan", 8), ("tall_tales", 4)]
)
def test_page_counts_are_limited(name: str, most: int, shipped: dict[str, Game]) -> None:
    sheet = build_rulebook(shipped[name])
    assert pages(render_rulebook(sheet, "pdf")) <= most
    assert {pages(render_rulebook(build_player_aid(shipped[name]), "pdf", paper)) for paper in ("a4", "letter")} == {1}


def test_edited_rule_is_printed(tmp_path: Path) -> None:
    file = tmp_path / "mine.cardgame"
    text = cardlang.shipped()["tall_tales"].read_text(encoding="utf-8")
    file.write_text(text.replace("Follow suit if you can.", "Play the suit that was led."), encoding="utf-8")
    before = build_rulebook(cardlang.load("tall_tales")).version
    result = CliRunner().invoke(cli, ["docs", str(file), "-o", str(tmp_path)])
    assert result.exit_code == 0, result.output
    sheet = (tmp_path / "mine.md").read_text(encoding="utf-8")
    assert "Play the suit that was led." in sheet and "Follow suit if you can." not in sheet
    assert before not in sheet


@pytest.mark.parametrize("name", ["tall_card_fan", "whist"])
def test_table_page_marks_examples(name: str) -> None:
    sheet = build_rulebook(cardlang.load(name), examples="few")
    printed, read = render_markdown(sheet), render_markdown(sheet, at_table=True)
    assert sheet.version and sheet.version in printed and sheet.version not in read
    examples = [line for line in read.split("\n") if "**Example: " in line]
    assert examples and all(line.lstrip().startswith("> **Example: ") for line in examples)
    titles = [line.partition("**Example: ")[2].partition("**")[0] for line in examples]
    assert all(f"**{title}**" in printed for title in titles) and "Example: " not in printed

"""The whole sheet: what stands where, and that nothing of a shipped game is missing from it."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from math import comb
from pathlib import Path
from typing import Any

import attrs
import pytest

import cardlang
from cardlang import game as g
from cardlang.game import Game
from cardlang.rarity import KEPT, with_counts
from cardlang.rulesheet import aid, build, english, markdown, sections, statements
from cardlang.rulesheet.markdown import escape, render
from cardlang.rulesheet.model import Item, Items, RuleSheet, Section, finished
from cardlang.rulesheet.parts import bare
from cardlang.rulesheet.sections import changes
from cardlang.rulesheet.settled import settled
from cardlang.source import Span
from tests.odds.small import DECK, RANKING
from tests.rulesheet.conftest import without_links

GAMES = sorted(cardlang.shipped())


APART = (
    "node",
    "files",
    "items",
    "sources",
    "warnings",
    "spoken",
    "variants",
    "origin",
    "span",
    "game",
    "type",
    "faces",
    "columns",
)
"""Fields of a game that hold nothing to be told."""


def parts_in(value: Any) -> Iterator[Any]:
    """All that a game, or a part of one, is made of."""
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, tuple):
        for each in value:
            yield from parts_in(each)
    elif attrs.has(type(value)) and not isinstance(value, Span):
        yield value
        for field in attrs.fields(type(value)):
            if field.name not in APART:
                yield from parts_in(getattr(value, field.name))


def declared(game: Game) -> list[Any]:
    """All that a sheet tells of a game, with what its variants change."""
    found = (settled(game), *(changes(each.game) for each in game.variants))
    parts = [part for told in found for part in parts_in(told)]
    apart = {id(inner) for part in parts if is_out_of_sight(part, game) for inner in parts_in(part)}
    return [part for part in parts if id(part) not in apart]


def is_out_of_sight(part: Any, game: Game) -> bool:
    """Whether the sheet leaves it out: a sentence for the log; what is kept and not shown, if others are."""
    values = [show for show in game.shows if show.zone is None]
    kept = isinstance(part, g.Track) and bool(values) and part.name not in {show.track for show in values}
    return kept or isinstance(part, g.Tell)


@pytest.fixture
def settled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sheet tells the very parts that the test looks at."""
    monkeypatch.setattr(sections, "settled", cache(settled))
    monkeypatch.setitem(globals(), "settled", sections.settled)


def items_of(sheet: RuleSheet) -> Iterator[Item]:
    def of_section(section: Section) -> Iterator[Item]:
        for block in section.blocks:
            if isinstance(block, Items):
                for item in block.items:
                    yield from of_item(item)
        for part in section.sections:
            yield from of_section(part)

    def of_item(item: Item) -> Iterator[Item]:
        yield item
        for part in item.items:
            yield from of_item(part)

    for section in sheet.sections:
        yield from of_section(section)


# ---------------------------------------------------------------- nothing is missing
@pytest.mark.usefixtures("settled_once")
@pytest.mark.parametrize("name", GAMES)
def test_every_statement_is_told(name: str, shipped: dict[str, Game], monkeypatch: pytest.MonkeyPatch) -> None:
    game = shipped[name]
    told: dict[int, list[Item]] = {}
    tell_one, tell_both = statements.tell, statements.tell_both

    def tell(stmt: g.Stmt, scope: Any) -> Any:
        result = tell_one(stmt, scope)
        told[id(stmt)] = result[0]
        return result

    def both(todo: tuple[g.Stmt, ...], scope: Any) -> Any:
        result = tell_both(todo, scope)
        if result is not None:
            told.update((id(stmt), result[0]) for stmt in todo[:2])
        return result

    monkeypatch.setattr(statements, "tell", tell)
    monkeypatch.setattr(statements, "tell_both", both)
    sheet = build(game)
    texts = "\n".join(f"{item.text} {item.words}" for item in items_of(sheet)).lower()
    parts = [part for part in declared(game) if id(part) not in of_examples(game)]
    chained = {id(part.otherwise[0]) for part in parts if isinstance(part, g.If) and part.otherwise}
    for part in parts:
        if isinstance(part, g.Stmt) and not (isinstance(part, g.If) and id(part) in chained) and not silent(part):
            items = told[id(part)]
            assert items or (isinstance(part, g.Do) and game.steps[part.step].unfilled)
            for item in items:
                assert finished(item).text.lower().rstrip(".") in texts or item.words.lower() in texts


def of_examples(game: Game) -> set[int]:
    """The parts of examples, of rows and of rulings at the margin."""
    told = (settled(game), *(changes(each.game) for each in game.variants))
    return {id(part) for each in told for part in parts_in((each.examples, each.rulings, each.notes, each.rankings))}


def silent(stmt: g.Stmt) -> bool:
    """What the language puts before a question, and the words that cards bear, which are no statements."""
    return isinstance(stmt, g.Aside) or (isinstance(stmt, g.Remember) and not stmt.var.name)


@pytest.mark.usefixtures("settled_once")
@pytest.mark.parametrize("name", GAMES)
def test_every_value_is_told(name: str, shipped: dict[str, Game], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every name, number and text of the rules is put into English somewhere."""
    game, told = shipped[name], set()

    def noting(function: Any) -> Any:
        def note(expr: g.Expr, *rest: Any) -> Any:
            told.add(place(expr))
            return function(expr, *rest)

        return note

    for table in (english.PHRASES, english.CONDITIONS):
        for kind, function in list(table.items()):
            monkeypatch.setitem(table, kind, noting(function))
    markdown(game)
    parts = declared(game)
    apart = of_examples(game) | {id(part.start) for part in parts if isinstance(part, g.Track) and not part.starts}
    apart |= {id(bare(part.value)) for part in parts if isinstance(part, g.MapEach)}  # told of all, not of one
    for part in parts:
        if isinstance(part, NAMED) and id(part) not in apart and not is_said_otherwise(part):
            assert place(bare(part)) in told, part.span.source.line(part.span.line)


def is_said_otherwise(part: g.Expr) -> bool:
    """`yes` and `no` make a clause of another; the zero of `-bet`, and what `later place` compares, is not written."""
    return isinstance(part, g.Const) and (part.type == g.FLAG or (part.value == 0 and part.span.text != "0"))


def place(part: g.Expr) -> tuple[type, str, int, int]:
    """Where a value stands, and what it is: a number of cards that is written once is the lowest and the highest."""
    return type(part), part.span.source.name, part.span.start, part.span.end


NAMED = g.Const, g.TrackValue, g.ZoneCards, g.Call, g.Attribute, g.BorneCall, g.NamedCards, g.SetCards
"""What is written as a name, a number or a text."""


@pytest.mark.parametrize("name", GAMES)
def test_all_words_stand_on_the_sheet(name: str, shipped: dict[str, Game]) -> None:
    game = shipped[name]
    sheet = markdown(game)
    for part in declared(game):
        for said in words_of(part):
            assert escape(said).rstrip(".") in sheet, said
        if isinstance(part, g.Example):
            assert escape(part.title) in sheet


def words_of(part: Any) -> list[str]:
    """The author's words beside a part."""
    if isinstance(part, g.Step) and part.unfilled:
        return []
    lists = [said for _, said in part.lists] if isinstance(part, g.FirstPossible) else []
    single = [getattr(part, name, "") for name in ("doc", "question", "text")]
    return [said for said in (*single, *getattr(part, "docs", ()), *getattr(part, "answer", ()), *lists) if said]


@pytest.mark.parametrize("name", GAMES)
def test_no_code_on_the_sheet(name: str, shipped: dict[str, Game]) -> None:
    """No hyphenated name of the file, no doubled word or space."""
    game = shipped[name]
    parts = declared(game)
    quoted = " ".join(said for part in parts for said in words_of(part))
    quoted += " ".join(part.noun.singular for part in parts if hasattr(part, "noun") and part.noun.called)
    sheet = without_links(markdown(game))
    names = {getattr(part, "name", None) for part in parts}
    names = {name for name in names if isinstance(name, str) and "-" in name}
    for word in names:
        if word not in quoted:
            assert not re.search(rf"(?<![\w-]){word}(?![\w-])", sheet), word
    assert not re.search(r"\b(the|a|of|is|are|to|card|cards) \1\b|  +\S| [,.:;]", strip_layout(sheet))


def strip_layout(sheet: str) -> str:
    lines = [line.lstrip() for line in sheet.splitlines() if not line.startswith("|")]
    return "\n".join(lines)


# ---------------------------------------------------------------- what stands where
def test_sections_in_the_order_of_a_rulebook(shipped: dict[str, Game]) -> None:
    titles = [section.title for section in build(shipped["tall_card"]).sections]
    assert titles == [
        "Contents",
        "How to win",
        "On the table",
        "Set-up",
        "How to play",
        "The ranking: Rank",
        "Terms",
        "Variants",
        "Questions and answers",
        "Index",
    ]


def test_exact_counts(shipped: dict[str, Game]) -> None:
    """The rulebooks: 76 cards in four suits; 54 numbers and 12 dragons; 60 Event cards."""
    assert "**Stories:** 76 cards: one of each value and suit" in markdown(shipped["tall_tales"])
    tall = markdown(shipped["tall_card"])
    assert "**Numbers:** 54 cards: two of each value and suit" in tall
    assert "**Dragons:** Twelve cards: four of each type" in tall
    assert "**Numbers:** 72 cards: one of each value and suit" in tall
    assert "in the deck.\n- **Dragons:**" in tall
    assert "into your hand.\n\n- **Stealing:** Twelve cards" in markdown(shipped["tail_story"])
    events = re.findall(r"^\| 4 \|", markdown(shipped["tail_story"]), re.MULTILINE)
    assert len(events) == 15


def test_ranking_is_a_table_best_first(shipped: dict[str, Game]) -> None:
    sheet = markdown(shipped["tall_card_fan"])
    rows = re.findall(r"^\| (\d+) \| ([^|]+) \|", sheet, re.MULTILINE)
    assert rows[:3] == [("1", "Royal Flush"), ("2", "Five of a Kind"), ("3", "Straight Flush")]
    assert "three Fruits of one rank plus two Fruits of another rank" in sheet


def test_the_ranking_tells_how_rare_its_ranks_are(shipped: dict[str, Game]) -> None:
    """Of C(66, 5) hands nine values times C(6, 5) make 5 Pretty Sisters; each type of dragon
    with any of 62 other cards makes 4 Shiny Dragons; of C(72, 5) six make a Royal Flush, 12 times C(6, 5) Five of a
    Kind."""
    sheets = [build(shipped[name]) for name in ("tall_card", "tall_card_fan")]
    tall, fan = (render(sheet) for sheet in sheets)
    assert comb(66, 5) == 8_936_928 and f"how many of all {comb(66, 5):,} hands of five cards" in tall
    assert f"| 54 hands, 1 in {comb(66, 5) / 54:,.0f} |" in tall
    assert f"| {3 * 62} hands, 1 in {comb(66, 5) / 186:,.0f} |" in tall
    assert "| Royal Flush |" in fan and f"| 6 hands, 1 in {comb(72, 5) / 6:,.0f} |" in fan
    assert f"| 72 hands, 1 in {comb(72, 5) / 72:,.0f} |" in fan and "make none of them" not in fan
    assert "| 1 | 5 Pretty Sisters | 1 in 165,499 |" in render(aid(sheets[0]))


def test_a_ranking_without_kept_counts_does_not_tell(shipped: dict[str, Game]) -> None:
    """A changed ranking has none, nor has one that was never counted."""
    text = cardlang.shipped()["tall_card"].read_text(encoding="utf-8")
    changed = cardlang.loads(
        text.replace("5 Numbers of consecutive value", "5 Numbers of consecutive value where value > 1")
    )
    for game in (changed, shipped["cribbage"], shipped["gin_rummy"], shipped["big_two"]):
        assert "How rare" not in markdown(game)


def test_hands_that_make_no_rank_are_told(tmp_path: Path) -> None:
    path = tmp_path / "small.cardgame"
    path.write_text(DECK + RANKING.format(wild=""), encoding="utf-8")
    game = cardlang.load(path)
    ranks = {rank.title: 1 for rank in game.rankings["Rank"].ranks} | {"Four": 0}
    path.with_name(KEPT).write_text(with_counts(path, game, game.rankings["Rank"], ranks, 3876), encoding="utf-8")
    sheet = markdown(game)
    assert "| Four | four Numbers of one value | never |" in sheet
    assert "| 1 hand, 1 in 3,876 |" in sheet and "The others make none of them." in sheet


def test_players(sheet_of: Callable[[str], str], shipped: dict[str, Game]) -> None:
    assert "- Players: 3 or 4\n" in markdown(shipped["tall_tales"])
    assert "- Players: 2 to 4\n" in sheet_of("ages 12\nminutes 20 to 45\n")
    assert "- Ages: 12 and up\n- Time: 20 to 45 minutes\n" in sheet_of("ages 12\nminutes 20 to 45\n")


def test_an_example_is_a_story(sheet_of: Callable[[str], str]) -> None:
    sheet = sheet_of(
        """
step your turn
  you play 1 from your hand to table "One card."

example "A turn" with Ann, Bob
  given
    leader Bob
    Ann: hand [1r Kb], chips 1, folded yes
  do Ann's turn
  expect Ann may not play [F] because "One card."
  Ann: play [Kb]
  expect table = [Kb] and Ann's hand is not empty
"""
    )
    assert (
        "**A turn.** Suppose that the leader is Bob. "
        "Ann holds the 1 of Red and the King of Blue, has one chip and has folded. "
        "It is Ann's turn. Ann may not play Fool: “One card.” Ann plays the King of Blue. "
        "Then the table holds the King of Blue and Ann's hand is not empty.\n"
    ) in sheet


def test_a_stack_is_listed_from_the_top(sheet_of: Callable[[str], str]) -> None:
    """Where it matters which card lies on top, the sheet begins with that card; and it says what stays as it was."""
    sheet = sheet_of(
        """
step your turn
  you discard up to 2 from your hand to table
  draw top of deck to your hand

example "A deck" with Ann, Bob
  given
    deck [1r 2r 9b]
    Ann: hand [5r 7b]
  do Ann's turn
  expect Ann may discard [7b], done
  Ann: done
  expect deck = [1r 2r]
  given
    table [3r 4b]
  expect table = [3r 4b]
"""
    )
    assert (
        "Suppose that the deck holds (from the top) the 9 of Blue, and the 2 and 1 of Red. "
        "Ann holds the 5 of Red and the 7 of Blue. "
        "It is Ann's turn. Ann may choose none or discard the 7 of Blue. Ann chooses none. "
        "Then the deck holds (from the top) the 2 and 1 of Red. "
        "Now suppose, all else unchanged, that the table holds the 3 of Red and the 4 of Blue. "
        "Then the table holds the 3 of Red and the 4 of Blue.\n"
    ) in sheet


def test_a_story_names_nobody_twice(sheet_of: Callable[[str], str]) -> None:
    """What is so of somebody stands together; a title that is a sentence has no plural."""
    sheet = sheet_of(
        """
cards Words in deck
  4 of "No Way!" (W)
  4 of "Plan" (P)

example "Two conditions" with Ann, Bob
  given
    Ann: hand [W W], score 2, chips 3, folded yes, shelf [1r]
    Bob: hand [P P]
  expect Ann's chips = 3
  expect Ann's score = 2 and Ann's hand is not empty and Ann's chips > 0
  do Ann's turn
  expect Ann may do [P], pass
"""
    )
    assert (
        "Suppose that Ann holds two copies of No Way!, has three chips and has folded; Ann's score is two and Ann's "
        "shelf is the 1 of Red. Bob holds two Plans. Then Ann has three chips. Ann's score is two, Ann's hand is not "
        "empty and Ann has some chips. It is Ann's turn. Ann may pass or choose “do” with Plan.\n"
    ) in sheet


def test_game_texts_cannot_break_the_page() -> None:
    sheet = markdown(
        cardlang.loads(
            'game "<script>*X*</script>" for 2 players "| # & &lt; `x` [a](javascript:b)"\n'
            'number your score "1. one"\n'
            'step play "- no list"\n  add 1 to round "\\{\\{ x }}"\nnumber round\n'
        )
    )
    assert "<" not in sheet.replace("\\<", "")
    assert "\\*X\\*" in sheet
    assert "\\[a\\](javascript:b)" in sheet
    assert "\\| # & &amp;lt; \\`x\\`" in sheet


def test_a_variant_has_a_sheet_of_its_own() -> None:
    game = cardlang.load("tall_card", variant="Expanded deck")
    sheet = markdown(game)
    assert sheet.startswith("# Tall Card: Expanded deck\n")
    assert "Dragon Hootenanny" not in re.sub(r"\*\*.*", "", sheet)


def test_steps_in_the_order_of_play(sheet_of: Callable[[str], str]) -> None:
    """What is done in some cases and by choice stands in its place; what an early end brings forward does not."""
    sheet = sheet_of(
        """
step play
  if leader = nobody
    do count-up
    finish play
  if round > 0
    do taxes
  each player
    do your turn
  do count-up
step count-up
  add 1 to round
step taxes
  add 2 to round
step bidding
  add 3 to round
step your turn
  you choose one
    option bid
      do bidding
    option pass-on
      add 1 to your score
"""
    )
    told = re.findall(r"^### (.*)", sheet, re.MULTILINE)
    assert told == ["The game", "Taxes", "Turn", "Bidding", "Count up"]


def test_a_trigger_of_one_instruction_stands_on_one_line(sheet_of: Callable[[str], str]) -> None:
    sheet = sheet_of(
        "whenever any player has score >= 9\n  finish game\n"
        "whenever deck is empty\n  move table to deck\n  shuffle deck\n"
    )
    assert "- Whenever any player's score is at least nine: the game ends.\n" in sheet
    assert "- Whenever the deck is empty:\n  1. Move" in sheet


def test_what_a_step_is_given_has_one_name(sheet_of: Callable[[str], str]) -> None:
    """The step itself and whoever carries it out call a thing the same."""
    sheet = sheet_of(
        "step your turn\n  you choose old from your hand\n    do your swap with old, 2\n"
        "step your swap with card old, number price\n  move old to table\n  subtract price from your score\n"
    )
    assert "arry out “Swap” with the old card and two as the price." in sheet
    assert "Move the old card to the table." in sheet

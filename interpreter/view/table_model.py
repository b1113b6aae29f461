"""Table model that every screen draws, and its JSON.

All classes are frozen and contain plain data: strings, numbers and tuples. Strings are complete English text. A screen
adds no text about the game. `to_json` converts a table to the JSON that `docs/table.schema.json` describes. Equal
tables give equal bytes.

A *ref* is a short string for a card, pile or player. It is stable within one table:
- `zone/hand/Ann` is a pile,
- `zone/hand/Ann#3` is the third card from its bottom,
- `player/Ann` is a player,
- `member/Suit/Hearts` is a value of a kind.
"""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache, lru_cache
from itertools import chain, zip_longest
from typing import Any, Literal

import attrs
from attrs import field, frozen

from cardlang.model.codec import NO_OMITTED_VALUE, Codec, FieldCodec, TypeCodec
from cardlang.model.field_constraints import MalformedDataError, SourceTable
from interpreter.narration.event_phrases import NO_LINE, Line
from interpreter.narration.events import EventView
from interpreter.view import table_model

MAX_CACHED_PARTS = 20_000
"""Maximum number of parts of tables with cached JSON, for each class. 200 tables need about 15,000 cards."""
TABLE_FORMAT = 1
"""Version of the JSON format. It grows when the meaning of a field changes."""
IN_MEMORY = {"json": False}
"""Metadata of fields that the JSON leaves out, for screens in the same process."""
PileForm = Literal["hand", "stack", "row", "fan", "grid", "trick"]
"""Layout of a pile.

- `hand`: held by its owner.
- `stack`: one card on another, only the top visible.
- `row`, `fan`: side by side.
- `grid`: in `across` columns.
- `trick`: each card in front of its player, in the order of play.
"""


@frozen
class TablePart:
    """A part of a table, which is encoded as JSON only once."""

    json_text: JsonText | None = field(init=False, default=None, eq=False, repr=False)


class JsonText(str):
    """Text of a value as JSON."""

    __slots__ = ()


@frozen(cache_hash=True)
class DisplayFact(TablePart):
    """A score, counter or other value to display, such as `Pot` `182`.

    - `value`: exact, for screens that draw it.
    - `text`: the value as people write it.
    - `cards`: codes of the cards that count in it.
    - `you`: only the viewer knows it.
    - `words`: the author's description of it.
    """

    name: str
    label: str
    value: int | Fraction | bool | str | None
    text: str
    cards: tuple[str, ...] = ()
    you: bool = False
    words: str = ""


@frozen(cache_hash=True)
class TableCard(TablePart):
    """A card as the viewer knows it.

    - `code`, `title`, `face`: None if the viewer cannot identify the card. `face` is an index in the faces of the game.
    - `back`: the set with its back.
    - `up`: all players can see it.
    - `marks`: counters on it (`hints red`).
    - `by`: in a trick, the player who played it.
    - `note`: in a trick, a word about it (`led`, `best`).
    - `counts`: it counts in the value of the hand.
    - `moves`: indices of the moves that touch it.
    - `chosen`: it is in the set being selected.
    - `open`: it can be selected or deselected now.
    - `fresh`: it came to the viewer's hand since their last move. It joined other cards there, or came alone and was
      not dealt.
    - `place`: its cell in a grid of rows and columns (`Top Left`).
    - `facts`: values that the game shows of the viewer's own cards (`Captures` `[4s]`).
    - `turned`: its other face is up.
    """

    ref: str
    code: str | None
    title: str | None
    face: int | None
    back: str
    up: bool = False
    marks: tuple[tuple[str, str], ...] = ()
    by: str | None = None
    note: str = ""
    counts: bool = False
    moves: tuple[int, ...] = ()
    chosen: bool = False
    open: bool = False
    fresh: bool = False
    place: str = ""
    facts: tuple[DisplayFact, ...] = ()
    turned: bool = False


@frozen(cache_hash=True)
class TablePile(TablePart):
    """A zone with its cards.

    - `label`: its name without the owner.
    - `cards`: all cards from the bottom up. A hand is sorted as people sort it. A hand that only the other players see
      keeps its order, because its cards are named by their places.
    - `cells`: in a grid with gaps, the cell of each card, counted row by row from 0.
    - `beside`: ref of the pile next to it, or empty.
    - `empty_stays`: its place is visible even while it is empty.
    - `put_down`: no player looks through it, even if its cards were seen before. Showing their number is enough.
    """

    ref: str
    name: str
    label: str
    owner: str | None
    form: PileForm
    across: int
    private: bool
    cards: tuple[TableCard, ...]
    cells: tuple[int, ...] = ()
    beside: str = ""
    empty_stays: bool = False
    put_down: bool = False
    is_spent: bool = field(default=False, eq=False, repr=False, metadata=IN_MEMORY)
    """Even the number of its cards says nothing that the table doesn't show."""

    @property
    def count(self) -> int:
        return len(self.cards)


@frozen(cache_hash=True)
class TableArea(TablePart):
    """A player, a team, another value of a kind, or the middle of the table (`owner` None), with its piles and facts.

    - `seat`: distance in the order of play from the viewer, who has 0. For a spectator it counts from the first player.
      It is -1 if the area is not a player's.
    - `partner`: a partner of the viewer.
    - `marks`: single words about them (`dealer`, `folded`, `out`).
    - `words`: the author's descriptions of some marks.
    - `asked`: the match waits for them.
    """

    ref: str
    name: str
    seat: int
    partner: bool
    marks: tuple[str, ...]
    facts: tuple[DisplayFact, ...]
    piles: tuple[TablePile, ...]
    asked: bool = False
    out: bool = False
    words: tuple[tuple[str, str], ...] = ()


@frozen
class HandValue(TablePart):
    """The value of the viewer's own cards, such as `You hold` `2 Dragon Hootenanny`.

    - `cards`: refs of the cards that count.
    - `detail`: more about it (`rank 18 of 24`, and the cards that improve it).
    """

    label: str
    text: str
    cards: tuple[str, ...] = ()
    detail: str = ""


@frozen
class Action(TablePart):
    """A move made with one touch.

    - `move`: its index among the legal moves.
    - `text`: its printed form, accepted by `Match.choose`.
    - `label`: its name for people (`Call 24`). Cards in it can have brackets (`Take [8h]`), as in a question.
    - `words`: the author's description, if any.
    - `touches`: refs of the cards, piles and players it is about. A screen lets people touch these to make the move.
    - `key`: a letter or digit, unique on this table. It is empty if several moves of an option differ only in
      `touches`.
    - `verb`, `verb_key`: name of that option (`Play`) and its letter, the same whichever options are legal.
    - `pile`: ref of the pile that people can touch instead of a button: the only one it takes cards from, an empty one
      that a whole pile goes to, or, after its only card, the target.
    """

    move: int
    text: str
    label: str
    key: str
    words: str = ""
    touches: tuple[str, ...] = ()
    verb: str = ""
    verb_key: str = ""
    pile: str = ""


@frozen
class LabelPattern(TablePart):
    """Pattern of labels that differ only in numbers: `Raise by 2, paying 4`.

    - `words`: the text around the numbers.
    - `numbers`: for each number, a factor of the amount and what is added to it.
    """

    words: tuple[str, ...]
    numbers: tuple[tuple[int, int], ...]

    def write_label(self, amount: int) -> str:
        values = [str(factor * amount + added) for factor, added in self.numbers]
        return "".join(chain.from_iterable(zip_longest(self.words, values, fillvalue="")))


@frozen
class AmountAction(TablePart):
    """Moves that differ only in a number, such as `raise` from `low` to `high`.

    - `amounts`: the legal numbers, ascending.
    - `moves`: indices of their moves.
    - `says`: names of the moves, if the number alone does not say everything.
    - `pattern`: their pattern instead of `says`, if there are more than a thousand.
    - `sizes`: usual names of some amounts, ascending.
    """

    label: str
    key: str
    amounts: tuple[int, ...]
    moves: tuple[int, ...]
    words: str = ""
    says: tuple[str, ...] = ()
    sizes: tuple[tuple[str, int], ...] = ()
    pattern: LabelPattern | None = None

    def get_label(self, amount: int) -> str:
        """Return the name of a move."""
        if self.pattern is not None:
            return self.pattern.write_label(amount)
        return self.says[self.amounts.index(amount)] if self.says else f"{self.label} {amount}"

    @property
    def low(self) -> int:
        return self.amounts[0]

    @property
    def high(self) -> int:
        return self.amounts[-1]


@frozen
class UnavailableOption(TablePart):
    """An unavailable option, shown dimmed.

    - `why`: the reason.
    - `key`: its letter, the same as when it is available.
    - `by_card`: people touch a card to take it, so a screen for touch needs no button.
    """

    label: str
    why: str
    key: str = ""
    by_card: bool = False


@frozen
class Selection(TablePart):
    """A set of cards or values, selected one by one in any order and then confirmed.

    - `low`, `high`: size of the set. `high` None means no limit.
    - `refs`: everything that can be in the set, with `labels` (empty for cards).
    - `chosen`: selected refs, in the order of selection.
    - `open`: refs that can be selected or deselected now.
    - `ready`: the set can be confirmed.
    - `confirm`: text of the button (`Pass 3 cards`).
    - `why`: the missing part, if the set is not ready (`Choose 1 more.`).
    - `sum`: current total, if the rule compares a total (`7 of 10`).
    - `needs`: refs that complete the set, if there is only one way.
    - `alone`: while the set is empty, refs that are complete sets by themselves, to which nothing can be added.
    """

    low: int
    high: int | None
    refs: tuple[str, ...]
    labels: tuple[str, ...]
    chosen: tuple[str, ...]
    open: tuple[str, ...]
    ready: bool
    confirm: str
    why: str = ""
    sum: str = ""
    needs: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()


@frozen
class ActionMenu(TablePart):
    """The viewer's decision.

    - `question`: the question with purpose and number (`Pass three cards to West: 2 of 3 selected.`).
    - `words`: the author's text next to the rule.
    - `rule`: line of the rule in the game file, from 1; 0 if the rule is in a library.
    - `choosing`, `actions`, `amounts`: ways to answer. Several can be present together.
    - `options`: letters of all options of the rule in its order, legal or not, so a screen can give each a fixed place.
    - `reacts_to`: for a reaction that the viewer can pass, `you` if the action names the viewer, else `others`. A
      screen can offer to pass until the viewer has another decision or an action names them.
    """

    question: str
    words: str
    rule: int
    actions: tuple[Action, ...] = ()
    amounts: tuple[AmountAction, ...] = ()
    choosing: Selection | None = None
    closed: tuple[UnavailableOption, ...] = ()
    options: tuple[str, ...] = ()
    reacts_to: str = ""


@frozen(cache_hash=True)
class EventLine(TablePart):
    """A line of the event log.

    - `text`: the line, worded like the rulebook.
    - `who`: the player it is about, if there is one.
    - `kind`: `chose`, `moved`, `shown`, `step`, `result`, `told` or `kept`.
    - `rule`: line of the rule; 0 if there is none.
    - `more`: lines nested below it.
    - `at`: number of choices made in the match when it happened.
    - `anew`: first line after the last deal. Here the next deal begins, or the match ends.
    """

    text: str
    who: str | None = None
    kind: str = "told"
    rule: int = 0
    more: tuple[str, ...] = ()
    at: int = 0
    anew: bool = False
    events: tuple[EventView, ...] = field(default=(), eq=False, repr=False, metadata=IN_MEMORY)
    """Events that it reports, the most important first."""
    line: Line = field(default=NO_LINE, eq=False, repr=False, metadata=IN_MEMORY)


@frozen
class RecentResult(TablePart):
    """A result that stays visible until the next one: a trick, a showdown, the scores of a deal, or the end.

    - `headline`: the result in a sentence.
    - `lines`: explanations.
    - `columns`, `rows`: a table of figures, if there is one.
    - `hands`: cards revealed for it.
    """

    kind: Literal["trick", "showdown", "scores", "result", "end"]
    headline: str
    lines: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    hands: tuple[TablePile, ...] = ()
    events: tuple[EventView, ...] = field(default=(), eq=False, repr=False, metadata=IN_MEMORY)
    """Events that it reports."""


@frozen
class Table(TablePart):
    """A match as one player sees it at one moment. A spectator has `viewer` None.

    - `heading`: current phase (`deal 1 of 3`, `first betting`), the outermost first.
    - `places`: the viewer first, then the other players in the order of play.
    - `middle`: piles and facts without an owner.
    - `kinds`: teams and other values of kinds that own something.
    - `since`: events since the viewer's last move.
    - `earlier`: the last lines before those.
    - `moments`: the last result of each kind, the newest last.
    - `waiting`: the current player, if it is not the viewer.
    - `scores`: a header of owners, then a row for each finished deal: its number, and change and total (`+13 (45)`).
    """

    format: int
    game: str
    heading: tuple[str, ...]
    viewer: str | None
    places: tuple[TableArea, ...]
    middle: TableArea
    kinds: tuple[TableArea, ...]
    readings: tuple[HandValue, ...]
    ask: ActionMenu | None
    waiting: str | None
    since: tuple[EventLine, ...]
    moments: tuple[RecentResult, ...]
    over: bool
    winners: tuple[str, ...]
    scores: tuple[tuple[str, ...], ...] = ()
    earlier: tuple[EventLine, ...] = ()
    steps: tuple[str, ...] = field(default=(), eq=False, repr=False, metadata=IN_MEMORY)
    """Steps in the heading, without numbers and players: `trick` for `trick 4`, `turn` for `Ann's turn`."""

    def json(self) -> bytes:
        """Return the table as JSON in UTF-8, with equal bytes for equal tables.

        `from_json` reads it. The schema is docs/table.schema.json. A field equal to its default is left out.
        """
        return to_json(self)


TABLE_CLASSES = tuple(
    each
    for each in vars(table_model).values()
    if isinstance(each, type) and attrs.has(each) and issubclass(each, TablePart) and each is not TablePart
)
NO_SOURCES = SourceTable()
"""Empty source map: a table has no positions in source text."""


class TableCodec(Codec):
    """Codec that encodes parts of tables as JSON text, equal parts once. It omits only fields with their default."""

    def build_class_codec(self, class_: type) -> TypeCodec:
        @lru_cache(MAX_CACHED_PARTS if class_ is not Table else 0)
        def encode_part(part: TablePart) -> JsonText:
            return write_json_object(self.get_encoder(class_, False)(part, NO_SOURCES))

        def encode_once(part: TablePart, sources: SourceTable) -> JsonText:
            if part.json_text is None:
                object.__setattr__(part, "json_text", encode_part(part))
            return part.json_text  # type: ignore[return-value]

        return TypeCodec(super().build_class_codec(class_).decode, encode_once, NO_OMITTED_VALUE)

    def list_field_codecs(self, class_: type) -> list[FieldCodec]:
        if class_ not in self.field_codecs:
            defaults = {attribute.name: attribute.default for attribute in attrs.fields(class_)}
            self.field_codecs[class_] = [
                attrs.evolve(
                    field,
                    omitted_value=NO_OMITTED_VALUE if defaults[field.name] is attrs.NOTHING else defaults[field.name],
                )
                for field in super().list_field_codecs(class_)
            ]
        return self.field_codecs[class_]


@cache
def get_table_codec() -> TableCodec:
    return TableCodec(Table, TABLE_CLASSES)


def to_json(table: Table) -> bytes:
    """Return a table as JSON, with equal bytes for equal tables."""
    text = get_table_codec().encode(table, NO_SOURCES)
    assert isinstance(text, JsonText)
    return text.encode()


def write_json_object(data: Any) -> JsonText:
    fields = ",".join([f'"{key}":{write_json_value(value)}' for key, value in data.items()])
    return JsonText(f"{{{fields}}}")


def write_json_value(value: object) -> str:
    """Return a value as JSON: an object's text, a list of such, or plain data."""
    if isinstance(value, JsonText):
        return value
    if isinstance(value, list):
        if value and type(value[0]) is int:  # thousands of sizes of a raise
            return write_plain_json(value)
        return f"[{','.join(map(write_json_value, value))}]"
    return str(value) if type(value) is int else write_plain_json(value)


write_plain_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode


def from_json(data: bytes | str) -> Table:
    """Return the table that JSON was made from. Raise `ValueError` for anything else."""
    try:
        decoded = json.loads(data)
        if type(decoded) is not dict or decoded.get("format") != TABLE_FORMAT:
            raise ValueError(f"This is not a table of format {TABLE_FORMAT}.")
        table: Table = get_table_codec().decode(decoded, NO_SOURCES)
    except (MalformedDataError, RecursionError) as fault:
        raise ValueError(f"This is not a table as JSON: {fault}.") from None
    return table

"""What a table is: who sits where, what lies where, what one keeps score of, what can be done, what came of it.

All of it is frozen and plain: texts, numbers, tuples. `interpreter.table.table_json` gives the documented JSON form,
byte by byte the same for equal tables. Texts are whole English, ready to be shown; a screen adds none of its own about
the game.

A card, pile or player is meant by its *ref*, a short text that stays the same while one table is looked at:
`zone/hand/Ann` a pile, `zone/hand/Ann#3` the third card from its bottom, `player/Ann`, `member/Suit/Hearts`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from attrs import frozen

FORMAT = 1
"""Of the JSON form: a number that grows when something in it means something else than before."""

Form = Literal["hand", "stack", "row", "fan", "grid", "trick"]
"""How a pile lies. `hand`: its owner holds it. `stack`: one on another, the top to be seen. `row`, `fan`: side by side.
`grid`: in `across` columns. `trick`: in front of those who played, in the order of playing."""


@frozen
class Fact:
    """Something that one keeps score of: `Pot` `182`. `value`: exact, for a screen that draws it; `text`: as people
    write it; `cards`: the codes of those that count in it; `you`: only the viewer knows it; `words`:
    the author's, on what it is."""

    name: str
    label: str
    value: int | Fraction | bool | str | None
    text: str
    cards: tuple[str, ...] = ()
    you: bool = False
    words: str = ""


@frozen
class Card:
    """A card as the viewer knows it. `code`, `title`, `face` (its number in the game's faces): None for a back that the
    viewer cannot tell; `back`: the set whose back it has. `up`: everybody can see it. `marks`: what is kept about it
    (`hints red`). `by`: the player who played it, in a trick. `note`: a word that goes with it there (`led`, `best`).
    `counts`: it counts in what the hand is worth. `moves`: the numbers of the moves that touch it. `chosen`: it is in
    the set that is being chosen. `open`: it can be chosen now, or taken out of the set again. `fresh`: it has come to
    the viewer's hand since their last move, where others lay, or alone and not dealt. `place`: where in a grid of rows
    and columns it lies (`Top Left`). `facts`: what the game shows of a card of the viewer's own (`Captures` `[4s]`).
    `turned`: its other face is up."""

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
    facts: tuple[Fact, ...] = ()
    turned: bool = False


@frozen
class Pile:
    """A zone. `label`: what it is called, without its owner. `cards`: all of them, from the bottom up; those of a hand
    sorted as one holds it, but for those that only the others see: these are spoken of by their places. `beside`: the
    ref of the pile that it lies beside, or empty. `empty_stays`: its place is to be seen also while it is empty.
    `put_down`: nobody looks into it, whatever was seen of its cards before: how many lie there is all one needs."""

    ref: str
    name: str
    label: str
    owner: str | None
    form: Form
    across: int
    private: bool
    cards: tuple[Card, ...]
    beside: str = ""
    empty_stays: bool = False
    put_down: bool = False

    @property
    def count(self) -> int:
        return len(self.cards)


@frozen
class Place:
    """A player, a team or another member of a kind, or the middle of the table (owner None), with what lies there and
    what is known of them. `seat`: by the order of play from the viewer on, 0 for the viewer (from the first player on
    for a spectator); -1 for a place that is no player. `partner`: of the viewer. `marks`: said of them in a word
    (`dealer`, `folded`, `out`); `words`: of some of these, the author's on what it is. `asked`: the match waits for
    them."""

    ref: str
    name: str
    seat: int
    partner: bool
    marks: tuple[str, ...]
    facts: tuple[Fact, ...]
    piles: tuple[Pile, ...]
    asked: bool = False
    out: bool = False
    words: tuple[tuple[str, str], ...] = ()


@frozen
class Reading:
    """What the viewer's own cards are worth: `You hold` `2 Dragon Hootenanny`. `cards`: the refs of those that count;
    `detail`: what else is to be said (`rank 18 of 24`, with what lifts it)."""

    label: str
    text: str
    cards: tuple[str, ...] = ()
    detail: str = ""


@frozen
class Action:
    """Something that can be done with one touch. `move`: its number among the moves of the decision; `text`: its
    printed form, which `Match.choose` takes; `label`: for people (`Call 24`), in which cards may stand in brackets
    (`Take [8h]`), as in a question; `words`: the author's, if any.
    `touches`: refs of the cards, piles and players that it is about: a screen lets these be touched for it. `key`: a
    letter or number that is its own on this table, empty for one of several that differ in what they touch; these are
    of the option `verb` (`Play`), with the letter `verb_key`: it stays the same whichever options are open."""

    move: int
    text: str
    label: str
    key: str
    words: str = ""
    touches: tuple[str, ...] = ()
    verb: str = ""
    verb_key: str = ""


@frozen
class Amount:
    """Moves that differ in a number alone: `raise` from `low` to `high`. `moves`: their numbers, by the amounts that
    are open (`amounts`, ascending); `says`: what each of them is called, where its number does not say it all;
    `sizes`: some of them by the names that players have for them, ascending."""

    label: str
    key: str
    amounts: tuple[int, ...]
    moves: tuple[int, ...]
    words: str = ""
    says: tuple[str, ...] = ()
    sizes: tuple[tuple[str, int], ...] = ()

    @property
    def low(self) -> int:
        return self.amounts[0]

    @property
    def high(self) -> int:
        return self.amounts[-1]


@frozen
class Closed:
    """An option that is not open now, and why: shown dimmed. `key`: the letter that it has also when it is open."""

    label: str
    why: str
    key: str = ""


@frozen
class Choosing:
    """A set that is chosen card by card (or value by value) in any order and then confirmed. `low`, `high`: how many
    (high None: as many as one likes). `refs`: what can be in it, by ref, with their `labels` (of cards empty).
    `chosen`: refs, in the order of choosing; `open`: those that can be added now, or taken out again. `ready`: it can
    be confirmed as it is; `confirm`: what the button says (`Pass 3 cards`); `why`: what is missing, if not ready
    (`Choose 1 more.`). `sum`: what it adds up to so far, of what the rule asks for (`7 of 10`), if it does; `needs`:
    the refs that complete what is chosen, where there is one way alone; `alone`: while nothing is chosen, the refs that
    are a whole set by themselves, which nothing can join."""

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
class Ask:
    """What the viewer is asked. `question`: with its purpose and number (`Pass three cards to West: 2 of 3 chosen.`);
    `words`: the author's, beside the rule; `rule`: the line of the rule in the game's file (1 is the first), 0 if it
    stands in a library. Of `choosing`, single `actions` and `amounts` there may be several at once. `options`: the
    letters of all the options of the rule, open or not, in its order: a screen can keep each in its place. `turn`:
    where the viewer may answer or let pass what another does in their turn, and it is not about the viewer, that turn
    (`Bob's turn`): a screen can offer to let all of it pass."""

    question: str
    words: str
    rule: int
    actions: tuple[Action, ...] = ()
    amounts: tuple[Amount, ...] = ()
    choosing: Choosing | None = None
    closed: tuple[Closed, ...] = ()
    options: tuple[str, ...] = ()
    turn: str = ""


@frozen
class Told:
    """A line of what happened. `text`: as the sheet speaks; `who`: the player that it is about, if one; `kind`:
    `chose`, `moved`, `shown`, `step`, `result`, `told` or `kept`; `rule`: the line of the rule, 0 if none; `more`:
    lines that belong below it; `at`: after so many choices of the match it had happened; `anew`: the first line that
    is no part of the deal before: with it another begins, or the match ends."""

    text: str
    who: str | None = None
    kind: str = "told"
    rule: int = 0
    more: tuple[str, ...] = ()
    at: int = 0
    anew: bool = False


@frozen
class Moment:
    """A result that stays to be seen until the next: a trick and who took it, a showdown with ranks and why, the scores
    of a deal, the end. `headline`: in a sentence; `lines`: what explains it; `columns`, `rows`: a table, if there is
    one; `hands`: cards that are laid open for it."""

    kind: Literal["trick", "showdown", "scores", "result", "end"]
    headline: str
    lines: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    hands: tuple[Pile, ...] = ()


@frozen
class Table:
    """A match as one player (`viewer` None: a spectator) sees it at one moment. `heading`: what is on (`deal 1 of 3`,
    `first betting`), from the outside in. `places`: the viewer first, then in the order of play; `middle`: what is
    nobody's; `kinds`: teams and other members with something of their own. `since`: what happened since the viewer
    last moved, `earlier`: the last lines before; `moments`: the last result of each kind, the newest last. `waiting`:
    who is asked, if it is not the viewer. `scores`: deal after deal; first whose they are, then a row for each deal
    that is over: its number, what it brought and what they had then (`+13 (45)`)."""

    format: int
    game: str
    heading: tuple[str, ...]
    viewer: str | None
    places: tuple[Place, ...]
    middle: Place
    kinds: tuple[Place, ...]
    readings: tuple[Reading, ...]
    ask: Ask | None
    waiting: str | None
    since: tuple[Told, ...]
    moments: tuple[Moment, ...]
    over: bool
    winners: tuple[str, ...]
    earlier: tuple[Told, ...] = ()
    scores: tuple[tuple[str, ...], ...] = ()

    def json(self) -> bytes:
        """As JSON in UTF-8, the same bytes for equal tables; `interpreter.table.table_json.from_json` reads it. The
        form is told in docs/table.schema.json: what has a default is left out where it has that."""
        from interpreter.table.table_json import to_json

        return to_json(self)

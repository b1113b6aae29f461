"""Line-based front end for screen readers and files: no boxes, no colour, no redrawing."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from cardlang.game import Game
from cardlang.plain_text import visible, visible_lines
from cardlang.terminal.captions import caption_after
from cardlang.terminal.session import Session
from cardlang.terminal.telling import tell_lines, tell_prompt
from cardlang.terminal.typed import entries, obey
from interpreter.table.model import Card, Moment, Pile, Place, Table, Told

HELP = """\
Type the number or letter of a move, the move itself, or part of it.
Name several cards in any order: 9G 7A
  w, why MOVE   explain a move, a card or a line   u, undo   undo your last move
  h, hint       what a bot would do                rules     the rules
  aid           the player aid                     cards     the text of the cards
  table         show the table again               log       all that you saw happen
  q, quit       stop playing                       pass all  pass for the rest of a turn"""


def play_in_lines(session: Session) -> bool:
    """Play a match to its end. Return False if the person quits or the input ends.

    Raise `RuleError` or `RecordingError` if the match fails."""
    session.advance()
    while not session.match.over:
        if session.curtained:
            tell_text("\n" * 40)
            if ask(f"{session.person}, it is your turn. Press Enter when only you can see the screen") is None:
                return False
        session.look()
        tell_table(session)
        if not turn(session):
            return False
        session.advance()
    tell()
    tell_news(session)
    return True


def turn(session: Session) -> bool:
    """Prompt a person until they have made a move. Return False if they quit."""
    while (typed := ask(session.viewer)) is not None:
        reply = obey(session, typed.strip())
        if reply.page == "quit":
            return False
        if reply.moved:
            return True
        if reply.page is not None:
            tell_page(session, reply.page)
        if reply.said:
            tell_text(reply.said)
    return False


def tell_page(session: Session, page: str) -> None:
    """Print the page that the person asked for."""
    texts = session.texts
    match page:
        case "table":
            tell_table(session)
        case "rules" | "aid":
            tell_text(texts.rules() if page == "rules" else texts.aid())
        case "log":
            for line in session.log():
                tell(line)
        case "cards":
            tell_cards(session.match.game, texts.cards())
        case _:
            tell_text(HELP)


def tell(line: str = "") -> None:
    """Print a line."""
    tell_lines(fitted(visible(line)))


def tell_text(text: str) -> None:
    """Print a string of several lines."""
    tell_lines("\n".join(map(fitted, visible_lines(text).split("\n"))))


def fitted(line: str) -> str:
    """Return a line as printed: on a terminal, wrapped at blanks, with the following lines indented."""
    if not sys.stdout.isatty():
        return line
    indent = line[: len(line) - len(line.lstrip())] + "  "
    width = shutil.get_terminal_size().columns
    return textwrap.fill(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def tell_cards(game: Game, printed: Mapping[int, str]) -> None:
    """Print each card code and its meaning."""
    for face in game.faces:
        tell(f"{face.code}: {caption_after(face, printed)}")


def ask(prompt: str) -> str | None:
    """Prompt for a line and return it, or None at the end of the input.

    Input from a file is echoed, so that the output reads as a whole."""
    tell_prompt(prompt)
    line = sys.stdin.readline()
    if not line:
        tell()
        return None
    if not sys.stdin.isatty():
        tell(line.rstrip("\n"))
    return line.rstrip("\n")


# ---------------------------------------------------------------- the table
def tell_table(session: Session) -> None:
    """Print the news, the table and the options."""
    tell()
    tell_news(session)
    table = session.table()
    tell_places(table)
    if table.ask is not None:
        tell(" ".join(part for part in (table.ask.question, table.ask.words) if part))
        for entry in entries(table):
            tell(f"  {entry.key}: {entry.label}" if entry.key else f"  {entry.label}")
        if table.ask.choosing is not None:
            tell(f"  done: {table.ask.choosing.confirm}" if table.ask.choosing.ready else "  Name them in any order.")
        for closed in table.ask.closed:
            tell(f"  (not now: {closed.label}. {closed.why})")


def tell_news(session: Session) -> None:
    """Print the events since the viewer's last move with the results among them, then the other results."""
    table = session.table()
    if table.since or session.forced or session.notes:
        tell("Since your last move:")
    found = [*zip(places_of(table), table.moments, strict=True)]
    for place, told in enumerate(table.since):
        tell_text(news(told))
        for moment in (each for at, each in found if at == place):
            tell_moment(moment, "  ")
    for said in (*session.told_forced(), *session.notes):
        tell(f"  {said}")
    session.begin()
    for moment in (each for at, each in found if at == len(table.since)):
        tell_moment(moment)


def places_of(table: Table) -> Iterator[int]:
    """Yield for each result the index of the event line that it follows, or the number of lines.

    A trick follows the play of its last card, and scores end a deal. Other results come last."""
    start, end = 0, len(table.since)
    for moment in table.moments:
        lines = [(at, table.since[at]) for at in range(start, end)]
        found: list[int] = []
        if moment.kind == "trick":
            card = moment.hands[0].cards[-1]
            found = [at for at, told in lines if told.who == card.by and f"[{card.code}]" in told.text]
        elif moment.kind == "scores":
            found = [at - 1 for at, told in lines if told.anew and at]
        start = found[0] if found else start
        yield start if found else end


def news(told: Told) -> str:
    return "\n".join([f"  {told.text}", *(f"    {more}" for more in told.more)])


def tell_moment(moment: Moment, indent: str = "") -> None:
    """Print a result.

    At the end of the match, print only the explanation: the events already name winners and rankings."""
    ended = moment.kind == "end"
    if not ended:
        tell(f"{indent}{moment.headline}")
    for line in moment.lines:
        tell(f"{indent}  {line}")
    for row in () if ended else moment.rows:
        named = zip(moment.columns, row, strict=False) if moment.columns else (("", cell) for cell in row)
        tell(f"{indent}  " + ", ".join(f"{name} {cell}".strip() for name, cell in named))
    for pile in moment.hands:
        tell(f"{indent}  {pile.owner or pile.label}: {cards(pile.cards)}")


def tell_places(table: Table) -> None:
    """Print all places of the table, for a player or a spectator."""
    if table.heading:
        tell(f"{table.game}: {', '.join(table.heading)}.")
    tell_place("Table", table.middle)
    for place in table.kinds:
        tell_place(place.name, place)
    for place in table.places:
        if place.name != table.viewer:
            tell_place(place.name, place)
    for place in table.places:
        if place.name == table.viewer:
            tell_place(f"You ({place.name})", place, own=True)
    for reading in table.readings:
        told = f"{reading.label}: {reading.text}{f'; {reading.detail}' if reading.detail else ''}"
        tell(f"{told.removesuffix('.')}.")


def tell_place(name: str, place: Place, own: bool = False) -> None:
    """Print a place: marks, facts and piles. The viewer's hand gets its own line."""
    held = [pile for pile in place.piles if own and pile.form == "hand"]
    marks = [*place.marks, *(["your partner"] if place.partner else [])]
    facts = [f"{fact.label.lower()} {fact.text}" for fact in place.facts]
    piles = [said(pile) for pile in place.piles if pile not in held and (pile.cards or pile.empty_stays)]
    parts = [*marks, *facts, *piles]
    if parts:
        tell(f"{name}: {'; '.join(parts)}.")
    for pile in held:
        tell(f"Your {said(pile, ':')}.")


def said(pile: Pile, colon: str = "") -> str:
    """Return a pile as `hand 5 cards` or `market 3: 5S 7M 8S`."""
    return f"{pile.label}{colon} {cards(pile.cards)}"


def cards(pile: Sequence[Card]) -> str:
    """Return the codes of cards, the top card last. Hidden cards are counted."""
    if not pile:
        return "empty"
    if all(map(is_hidden, pile)):
        return counted(len(pile))
    return " ".join(told(pile)).rstrip(",")


def told(pile: Sequence[Card]) -> Iterator[str]:
    """Yield each card. Adjacent hidden cards are counted."""
    for hidden, together in groupby(pile, key=is_hidden):
        if hidden:
            yield f"{len(list(together))} hidden,"
        else:
            yield from map(card, together)


def is_hidden(card: Card) -> bool:
    return card.code is None and not card.marks


def counted(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def card(card: Card) -> str:
    """Return a card's code with its marks and notes in parentheses."""
    notes = [name if value == "yes" else f"{name} {value}" for name, value in card.marks]
    notes += [f"by {card.by}"] if card.by else []
    notes += [card.note] if card.note else []
    notes += ["new"] if card.fresh else []
    return (card.code or "hidden") + (f" ({', '.join(notes)})" if notes else "")

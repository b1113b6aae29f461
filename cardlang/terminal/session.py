"""A match at a terminal: whose turn it is, what they see, what they type, what comes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from attrs import define, field

from cardlang.plain_text import visible
from cardlang.source import Span
from cardlang.terminal.menu import Choice, by_key, choices, meant
from cardlang.terminal.scene import Scene, scene_of
from interpreter.errors import MoveError
from interpreter.matches.match import Match
from interpreter.matches.names import listed
from interpreter.matches.parsing import number_of

HELP = """\
Type the number of a move, the move itself, or part of it.
Several cards can be named at once: 9G 7A
  why MOVE   why a move is not open     log    all that you saw happen
  cards      what stands on the cards   rules  the rule sheet
  undo       take your last move back   table  the table again
  quit       stop playing"""
NAMED = 8
"""So many moves are named where the person has to be more exact."""


class Display(Protocol):
    """Where a match is shown: a drawn screen or spoken lines."""

    def show(self, scene: Scene, news: Sequence[str], prompt: str, listed: Sequence[Choice]) -> None: ...
    def cards(self) -> None: ...
    def say(self, text: str) -> None: ...
    def log(self, lines: Sequence[str]) -> None: ...
    def sheet(self, markdown: str) -> None: ...
    def ask(self, prompt: str) -> str: ...
    def curtain(self, player: str) -> None: ...


class Bot(Protocol):
    """Plays a seat: gives the index of a move of the decision that the match stands at."""

    def choose(self, match: Match) -> int: ...


class Quit(Exception):
    """The person at the terminal stops playing."""


@define
class Session:
    """Plays a match to its end. Who is not in `bots` sits at the terminal; with several of them, a curtain
    hides the screen whenever another one is asked. `rules` gives the rule sheet."""

    match: Match
    bots: Mapping[str, Bot]
    display: Display
    rules: Callable[[], str]
    looked: dict[str, int] = field(factory=dict)
    """How much of the log each person has seen."""
    watching: str = ""
    """Who sees the screen now."""
    notes: list[str] = field(factory=list)
    """What else is to be said until the next move."""
    held: tuple[str, ...] = ()
    """The cards in the person's hand, in the order shown; moves of cards are listed in the same order."""
    forced: list[str] = field(factory=list)
    """The moves that were made for the person since the last look, as no other was open."""

    @property
    def people(self) -> list[str]:
        return [name for name in self.match.players if name not in self.bots]

    def run(self) -> None:
        """Plays until the match is over. Raises Quit, EOFError, RuleError."""
        while (decision := self.match.decision) is not None:
            bot = self.bots.get(decision.player)
            if bot is not None:
                self.match.choose(bot.choose(self.match))
            elif len(decision.moves) == 1 and len(self.people) == 1:
                self.forced.append(decision.moves[0].text)
                self.match.choose(0)
            else:
                self.turn(decision.player)

    def turn(self, player: str) -> None:
        """Shows a person the table and asks until they have moved or taken a move back."""
        if len(self.people) > 1 and self.watching != player:
            self.display.curtain(player)
        self.watching = player
        self.show(player)
        while not self.obey(player, self.display.ask(player).strip()):
            pass

    def show(self, player: str) -> None:
        """The table as this person sees it, with what happened since they last moved, and their moves."""
        view = self.match.view(player)
        news = [*view.log[self.looked.get(player, 0) :], *self.told_forced(), *self.notes]
        scene = scene_of(view, self.match.game)
        self.held = tuple(card.code for heap in scene.hand for card in heap.cards if card.code)
        self.display.show(scene, news, view.prompt, self.choices())

    def told_forced(self) -> list[str]:
        """A line about the moves that were made for the person."""
        if not self.forced:
            return []
        counted = Counter(self.forced)
        named = [text if count == 1 else f"{text} ({count} times)" for text, count in counted.items()]
        return [f"Done for you, as nothing else was open: {listed(named)}."]

    def finish(self) -> None:
        """What happened since the person, or the first of them, last moved."""
        player = self.watching or self.people[0]
        self.display.say("")
        for line in [*self.match.view(player).log[self.looked.get(player, 0) :], *self.told_forced()]:
            self.display.say(line)

    def texts(self) -> tuple[str, ...]:
        decision = self.match.decision
        return decision.moves.texts if decision else ()

    def choices(self) -> list[Choice]:
        return choices(self.texts(), self.held)

    # ------------------------------------------------------------ what was typed
    def obey(self, player: str, typed: str) -> bool:
        """Does what was typed: a move, or something to look at. True if the match has moved."""
        texts = self.texts()
        if not typed:
            return len(texts) == 1 and self.make(player, 0)
        if typed not in texts:
            word, _, rest = typed.partition(" ")
            command = COMMANDS.get(word.lower())
            if command is not None and (not rest or word.lower() == "why"):
                return command(self, player, rest)
        choice = by_key(typed, self.choices())
        if choice is not None:
            return self.take(player, choice)
        return self.by_words(player, typed, texts)

    def by_words(self, player: str, typed: str, texts: Sequence[str]) -> bool:
        """Makes the move that the words mean, or says what is missing or in the way."""
        found = meant(typed, texts)
        if len(found) == 1:
            return self.make(player, found[0])
        for choice in self.choices():
            if found == list(range(choice.first, choice.first + len(choice.texts))):
                return self.take(player, choice)
        if found:
            named = [texts[index] for index in found[:NAMED]]
            self.display.say(f"That could be {listed(named, 'or')}{' …' if len(found) > NAMED else '.'}")
            return False
        return self.make(player, typed)

    def take(self, player: str, choice: Choice) -> bool:
        """Makes the move of a choice; of a run, the one with the number that the person names."""
        if len(choice.texts) == 1:
            return self.make(player, choice.first)
        low, high = choice.amounts
        typed = self.display.ask(f"Which number, {low} to {high}?").strip()
        number = number_of(typed)
        if number is None or not low <= number <= high:
            self.display.say(f"That is not a number from {low} to {high}; nothing is done.")
            return False
        return self.make(player, choice.first + number - low)

    def make(self, player: str, move: int | str) -> bool:
        """Makes a move, given as its index or in words. Says why, if it is not open."""
        seen = len(self.match.view(player).log)
        try:
            self.match.choose(move)
        except MoveError as error:
            self.display.say(error.message)
            return False
        self.looked[player] = seen
        self.forced.clear()
        self.notes.clear()
        return True

    # ------------------------------------------------------------ what can be asked for
    def help(self, player: str, rest: str) -> bool:
        self.display.say(HELP)
        return False

    def why(self, player: str, rest: str) -> bool:
        """Why a move is not open, with the line of the rule."""
        if not rest:
            self.display.say("Name the move: why play 9G")
            return False
        refusal = self.match.refusal(rest)
        if refusal is None:
            self.display.say("That move is open to you.")
        else:
            self.display.say(refusal.words)
            if refusal.span is not None:
                self.display.say(f"  {rule_at(refusal.span)}")
        return False

    def undo(self, player: str, rest: str) -> bool:
        try:
            self.match.undo(player, bots=set(self.bots))
        except MoveError as error:
            self.display.say(error.message)
            return False
        self.looked[player] = min(self.looked.get(player, 0), len(self.match.view(player).log))
        return True

    def log(self, player: str, rest: str) -> bool:
        self.display.log(self.match.view(player).log)
        return False

    def sheet(self, player: str, rest: str) -> bool:
        self.display.sheet(self.rules())
        return False

    def legend(self, player: str, rest: str) -> bool:
        self.display.cards()
        return False

    def table(self, player: str, rest: str) -> bool:
        self.show(player)
        return False

    def quit(self, player: str, rest: str) -> bool:
        raise Quit


COMMANDS: dict[str, Callable[[Session, str, str], bool]] = {
    "?": Session.help,
    "help": Session.help,
    "why": Session.why,
    "undo": Session.undo,
    "log": Session.log,
    "rules": Session.sheet,
    "cards": Session.legend,
    "table": Session.table,
    "quit": Session.quit,
    "exit": Session.quit,
}


def rule_at(span: Span) -> str:
    """The line of a rule: `tall_tales.cardgame:63: you play 1 from your playable to table`."""
    return f"{visible(Path(span.source.name).name)}:{span.line}: {span.source.line(span.line).strip()}"

"""Small screens before a match: choose the player count, or resume an unfinished match."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from cardlang.plain_text import simplified, visible
from cardlang.terminal.screen.pages import text_page

Rules = Callable[[], str] | None
"""Function that returns a game's rulebook in Markdown, or None."""
LEAVING = ("q", "escape", "ctrl+c", "ctrl+d", "ctrl+q")
AT_A_GLANCE = 4
"""Maximum number of players that fit on one screen at a glance."""
FEWER, MORE = ("left", "up"), ("right", "down")


class ChoiceScreen(Screen[int | None]):
    """Screen with a question before a match. It returns the index of the answer, or None if the person quits.

    `answers`: possible answers. `at`: index of the default answer. `rules`: source of the rules page (F1), if any."""

    CSS = """
    ChoiceScreen { layout: vertical; background: ansi_default; }
    #titled { text-style: bold; height: auto; }
    #answers, #below { height: auto; }
    #rest { height: 1fr; }
    #choice-keys { height: 1; text-style: dim; }
    """
    keys = "← → choose   Enter confirm"

    def __init__(self, title: str, question: str, answers: Sequence[str], at: int, rules: Rules = None) -> None:
        super().__init__()
        self.of, self.question, self.answers, self.at, self.rules = title, question, answers, at, rules

    def compose(self) -> ComposeResult:
        yield Static(visible(self.of), id="titled", markup=False)
        yield Static(id="answers", markup=False)
        yield Static(id="below", markup=False)
        yield Static(id="rest")
        keys = f"{self.keys}{'   F1 rules' if self.rules else ''}   q or Esc quit"
        yield Static(keys, id="choice-keys", markup=False)

    def on_mount(self) -> None:
        self.show()

    def show(self) -> None:
        each = [(f" {said} ", "reverse" if at == self.at else "") for at, said in enumerate(self.answers)]
        self.query_one("#answers", Static).update(Text.assemble(f"\n{visible(self.question)} ", *each))
        self.query_one("#below", Static).update(Text(f"\n{visible(self.below())}"))

    def below(self) -> str:
        """Return an explanation of the current answer."""
        return ""

    def on_key(self, event: events.Key) -> None:
        event.stop()
        if not self.is_current:
            return  # keys that arrive together with the one that answered
        if event.key in (*LEAVING, "enter"):
            self.dismiss(self.at if event.key == "enter" else None)
            return
        if event.key == "f1" and self.rules is not None:
            self.app.push_screen(text_page(self.rules()))
        elif event.key in (*FEWER, *MORE):
            self.at = (self.at + (1 if event.key in MORE else -1)) % len(self.answers)
            self.turned()
        elif event.character is not None:
            self.type(simplified(event.character))
        self.show()

    def turned(self) -> None:
        """React to an arrow key that has changed the answer."""

    def type(self, character: str) -> None:
        """Choose the answer that starts with a letter."""
        begun = [at for at, said in enumerate(self.answers) if said[:1].lower() == character.lower()]
        self.at = begun[0] if begun else self.at


class CountScreen(ChoiceScreen):
    """Screen that asks for the player count.

    `counts`: possible counts. `count`: default. `bot`: kind of the opponents."""

    keys = "← → or a number choose   Enter start"

    def __init__(self, title: str, counts: Sequence[int], count: int, bot: str, rules: Rules = None) -> None:
        super().__init__(title, "How many players?", [str(each) for each in counts], counts.index(count), rules)
        self.counts, self.bot = counts, bot
        self.typed = ""

    def below(self) -> str:
        return against(self.counts[self.at], self.bot)

    def turned(self) -> None:
        self.typed = ""

    def type(self, character: str) -> None:
        """Append a digit if the result starts a possible count, else start a new number with it."""
        if not (character.isascii() and character.isdigit()):
            return
        begun = [each for each in (self.typed + character, character) if any(n.startswith(each) for n in self.answers)]
        self.typed = begun[0] if begun else ""
        if self.typed in self.answers:
            self.at = self.answers.index(self.typed)


class ChoiceApp(App[int]):
    """Application that shows only a choice screen."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(self, asking: ChoiceScreen) -> None:
        super().__init__()
        self.theme = "ansi-dark"
        self.asking = asking

    def on_mount(self) -> None:
        self.push_screen(self.asking, self.exit)


def middle(counts: Sequence[int]) -> int:
    """Return the default player count: near the middle of the range, without solitaire, up to `AT_A_GLANCE`."""
    several = sorted(count for count in counts if count > 1) or [*counts]
    usual = several[(len(several) - 1) // 2]
    return min(usual, max((count for count in several if count <= AT_A_GLANCE), default=usual))


def against(count: int, bot: str) -> str:
    """Return the line-up such as `You and two steady bots.`"""
    if count == 1:
        return "You play alone."
    return f"You and {'one' if count == 2 else count - 1} {bot} bot{'s' * (count > 2)}."

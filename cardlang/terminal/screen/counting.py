"""The small screens that ask something before a match: how many play, where a game takes several numbers and nobody
has said one; whether to go on with one that was left."""

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
"""What makes the sheet of a game, in Markdown."""
LEAVING = ("q", "escape", "ctrl+c", "ctrl+d", "ctrl+q")
AT_A_GLANCE = 4
"""So many players are seen on one screen without a look around."""
FEWER, MORE = ("left", "up"), ("right", "down")


class ChoiceScreen(Screen[int | None]):
    """Asks a question before a match, and gives the place of the answer that was chosen; None if the person leaves.
    `answers`: what can be said; `at`: which of them Enter alone takes; `rules`: what F1 shows, if anything."""

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
        """What the answer means."""
        return ""

    def on_key(self, event: events.Key) -> None:
        event.stop()
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
        """An arrow has chosen another answer."""

    def type(self, character: str) -> None:
        """The first letter of an answer chooses it."""
        begun = [at for at, said in enumerate(self.answers) if said[:1].lower() == character.lower()]
        self.at = begun[0] if begun else self.at


class CountScreen(ChoiceScreen):
    """Asks how many of `counts` play. `count`: what Enter alone takes; `bot`: who sits opposite."""

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
        """A digit goes on with the one before, if some number is written so, or begins a number."""
        if not (character.isascii() and character.isdigit()):
            return
        begun = [each for each in (self.typed + character, character) if any(n.startswith(each) for n in self.answers)]
        self.typed = begun[0] if begun else ""
        if self.typed in self.answers:
            self.at = self.answers.index(self.typed)


class ChoiceApp(App[int]):
    """A screen that asks, by itself."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(self, asking: ChoiceScreen) -> None:
        super().__init__()
        self.theme = "ansi-dark"
        self.asking = asking

    def on_mount(self) -> None:
        self.push_screen(self.asking, self.exit)


def middle(counts: Sequence[int]) -> int:
    """How many play where nobody says it: neither the fewest nor the most of those who can play together, and no more
    than are seen at a glance."""
    several = sorted(count for count in counts if count > 1) or [*counts]
    usual = several[(len(several) - 1) // 2]
    return min(usual, max((count for count in several if count <= AT_A_GLANCE), default=usual))


def against(count: int, bot: str) -> str:
    """`You and two steady bots.`"""
    if count == 1:
        return "You play alone."
    return f"You and {'one' if count == 2 else count - 1} {bot} bot{'s' * (count > 2)}."

"""Start screens: game menu, player count and offers to resume."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from cardlang.english.control_characters import escape_invisible_characters, normalize_user_input
from cardlang.ui.terminal.screen.full_screen_app import FullScreenApp
from cardlang.ui.terminal.screen.help_pages import build_text_page
from cardlang.ui.terminal.start_options import StartChoice, StartOption, choose_middle_count

RulebookSource = Callable[[], str] | None
"""Function that returns a game's rulebook in Markdown, or None."""
QUIT_KEYS = ("q", "escape", "ctrl+c", "ctrl+d", "ctrl+q")
PREVIOUS_KEYS, NEXT_KEYS = ("left", "up"), ("right", "down")


class ChoiceScreen(Screen[int | None]):
    """Screen with a question before a match. It returns the index of the answer, or None if the person quits.

    `answers`: possible answers. `answer_index`: index of the default answer. `rules`: source of the rules page (F1), if
    any."""

    CSS = """
    ChoiceScreen { layout: vertical; background: ansi_default; }
    #titled { text-style: bold; height: auto; }
    #answers, #below { height: auto; }
    #rest { height: 1fr; }
    #choice-keys { height: 1; text-style: dim; }
    """
    keys = "← → choose   Enter confirm"

    def __init__(
        self, heading: str, question: str, answers: Sequence[str], answer_index: int, rules: RulebookSource = None
    ) -> None:
        super().__init__()
        self.heading, self.question, self.answers, self.answer_index, self.rules = (
            heading,
            question,
            answers,
            answer_index,
            rules,
        )

    def compose(self) -> ComposeResult:
        yield Static(escape_invisible_characters(self.heading), id="titled", markup=False)
        yield Static(id="answers", markup=False)
        yield Static(id="below", markup=False)
        yield Static(id="rest")
        keys = f"{self.keys}{'   F1 rules' if self.rules else ''}   q or Esc quit"
        yield Static(keys, id="choice-keys", markup=False)

    def on_mount(self) -> None:
        self.update_answers()

    def update_answers(self) -> None:
        styled_answers = [
            (f" {answer} ", "reverse" if at == self.answer_index else "") for at, answer in enumerate(self.answers)
        ]
        self.query_one("#answers", Static).update(
            Text.assemble(f"\n{escape_invisible_characters(self.question)} ", *styled_answers)
        )
        self.query_one("#below", Static).update(Text(f"\n{escape_invisible_characters(self.explain_answer())}"))

    def explain_answer(self) -> str:
        """Return an explanation of the current answer."""
        return ""

    def on_key(self, event: events.Key) -> None:
        event.stop()
        if not self.is_current:
            return  # keys that arrive together with the one that answered
        if event.key in (*QUIT_KEYS, "enter"):
            self.dismiss(self.answer_index if event.key == "enter" else None)
            return
        if event.key == "f1" and self.rules is not None:
            self.app.push_screen(build_text_page(self.rules()))
        elif event.key in (*PREVIOUS_KEYS, *NEXT_KEYS):
            self.answer_index = (self.answer_index + (1 if event.key in NEXT_KEYS else -1)) % len(self.answers)
            self.handle_answer_change()
        elif event.character is not None:
            self.type_character(normalize_user_input(event.character))
        self.update_answers()

    def handle_answer_change(self) -> None:
        """React to an arrow key that has changed the answer."""

    def type_character(self, character: str) -> None:
        """Choose the answer that starts with a letter."""
        begun = [at for at, answer in enumerate(self.answers) if answer[:1].lower() == character.lower()]
        self.answer_index = begun[0] if begun else self.answer_index


class CountScreen(ChoiceScreen):
    """Screen that asks for the player count.

    `counts`: possible counts. `count`: default. `bot`: kind of the opponents."""

    keys = "← → or a number choose   Enter start"

    def __init__(self, title: str, counts: Sequence[int], count: int, bot: str, rules: RulebookSource = None) -> None:
        super().__init__(title, "How many players?", [str(number) for number in counts], counts.index(count), rules)
        self.counts, self.bot = counts, bot
        self.typed = ""

    def explain_answer(self) -> str:
        return describe_opponents(self.counts[self.answer_index], self.bot)

    def handle_answer_change(self) -> None:
        self.typed = ""

    def type_character(self, character: str) -> None:
        """Append a digit if the result starts a possible count, else start a new number with it."""
        if not (character.isascii() and character.isdigit()):
            return
        begun = [
            digits for digits in (self.typed + character, character) if any(n.startswith(digits) for n in self.answers)
        ]
        self.typed = begun[0] if begun else ""
        if self.typed in self.answers:
            self.answer_index = self.answers.index(self.typed)


class ChoiceApp(FullScreenApp[int]):
    """Application that shows only a choice screen."""

    def __init__(self, choice_screen: ChoiceScreen) -> None:
        super().__init__()
        self.theme = "ansi-dark"
        self.choice_screen = choice_screen

    def on_mount(self) -> None:
        self.push_screen(self.choice_screen, self.exit)


def describe_opponents(count: int, bot: str) -> str:
    """Return the line-up such as `You and two steady bots.`"""
    if count == 1:
        return "You play alone."
    return f"You and {'one' if count == 2 else count - 1} {bot} bot{'s' * (count > 2)}."


# ---------------------------------------------------------------- the start menu
KEY_HINTS = "↑ ↓ choose   Enter start   ← → players   v variant   b bots   q quit"


class HomeApp(FullScreenApp[StartChoice]):
    """Application that returns the chosen entry, or None if the person quits.

    `bots`: kinds of opponents. `usual`: the default kind."""

    CSS = """
    Screen { layout: vertical; }
    OptionList { height: 1fr; border: none; background: ansi_default; }
    #title { text-style: bold; height: 1; }
    #settled { height: auto; }
    #keys { height: 1; text-style: dim; }
    """

    def __init__(
        self, matches: Sequence[StartOption], games: Sequence[StartOption], bots: Sequence[str], default_bot: str
    ) -> None:
        super().__init__()
        self.theme = "ansi-dark"
        self.start_options = [*matches, *games]
        self.saved_count = len(matches)
        self.bots, self.bot = bots, bots.index(default_bot)
        self.players: dict[str, int] = {}
        self.variants: dict[str, int] = {}

    def compose(self) -> ComposeResult:
        yield Static("cardlang", id="title")
        yield OptionList(*self.build_list_entries(), markup=False)
        yield Static(id="settled", markup=False)
        yield Static(KEY_HINTS, id="keys", markup=False)

    def build_list_entries(self) -> list[Option | None]:
        """Return the list entries: matches to resume, a separator, games."""
        shown: list[Option | None] = [self.build_list_entry(number) for number in range(self.saved_count)]
        return [
            *shown,
            *([None] if shown else []),
            *(self.build_list_entry(n) for n in range(self.saved_count, len(self.start_options))),
        ]

    def build_list_entry(self, number: int) -> Option:
        offer = self.start_options[number]
        before = (
            ("Resume with the old rules: " if offer.is_outdated else "Resume: ") if number < self.saved_count else ""
        )
        entry_text = Text.assemble(
            (f"{before}{escape_invisible_characters(offer.title)}", "bold"),
            ("  " + escape_invisible_characters(offer.detail), "dim"),
        )
        entry_text.no_wrap, entry_text.overflow = True, "ellipsis"
        return Option(entry_text, id=str(number))

    def on_mount(self) -> None:
        listed = self.query_one(OptionList)
        listed.focus()
        listed.highlighted = next(
            (number for number, offer in enumerate(self.start_options) if not offer.is_outdated), 0
        )

    # ------------------------------------------------------------ settings
    @property
    def highlighted_offer(self) -> StartOption | None:
        option = self.query_one(OptionList).highlighted_option
        return self.start_options[int(option.id)] if option is not None and option.id is not None else None

    def get_player_count(self, offer: StartOption) -> int:
        """Return the chosen player count, or a default near the middle of the range."""
        if not offer.players:
            return 0
        return self.players.get(offer.name, choose_middle_count(offer.players))

    def get_variant(self, offer: StartOption) -> str:
        return ("", *offer.variants)[self.variants.get(offer.name, 0)]

    def show_settings(self, extra_message: str = "") -> None:
        """Show the settings with which Enter would start, and an additional message."""
        offer = self.highlighted_offer
        settings_text = ""
        if offer is not None and offer.players:
            count = self.get_player_count(offer)
            settings_text = f"{count} player{'s' * (count != 1)}"
            settings_text += f", you against {self.bots[self.bot]} bots" if count > 1 else ""
            settings_text += f", {self.get_variant(offer)}" if offer.variants and self.get_variant(offer) else ""
            many = len(offer.variants)
            settings_text += f" ({many} variant{'s' * (many > 1)})" if many and not self.get_variant(offer) else ""
        self.query_one("#settled", Static).update(Text(escape_invisible_characters(settings_text + extra_message)))

    def on_option_list_option_highlighted(self) -> None:
        self.show_settings()

    def on_option_list_option_selected(self) -> None:
        offer = self.highlighted_offer
        if offer is None:
            return
        if len(offer.players) > 1 and offer.name not in self.players:
            asking = CountScreen(offer.title, offer.players, self.get_player_count(offer), self.bots[self.bot])
            self.push_screen(asking, partial(self.start_with_count, offer))
        else:
            self.start_offer(offer, self.get_player_count(offer))

    def start_with_count(self, offer: StartOption, at: int | None) -> None:
        """Start the match with the chosen player count, unless the person cancelled."""
        if at is not None:
            self.start_offer(offer, offer.players[at])

    def start_offer(self, offer: StartOption, count: int) -> None:
        self.exit(StartChoice(offer, count, self.get_variant(offer), self.bots[self.bot]))

    def on_key(self, event: events.Key) -> None:
        offer = self.highlighted_offer
        if event.key in ("q", "escape", "ctrl+c", "ctrl+d", "ctrl+q"):
            self.exit(None)
        elif offer is None or not offer.players:
            return
        elif event.key in ("left", "right"):
            at = offer.players.index(self.get_player_count(offer)) + (1 if event.key == "right" else -1)
            self.players[offer.name] = offer.players[at % len(offer.players)]
        elif event.key == "v" and not offer.variants:
            self.show_settings("; no variants")
            return
        elif event.key == "v":
            self.variants[offer.name] = (self.variants.get(offer.name, 0) + 1) % (1 + len(offer.variants))
        elif event.key == "b":
            self.bot = (self.bot + 1) % len(self.bots)
        self.show_settings()

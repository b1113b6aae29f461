"""Home screen: choose a game to start or a match to resume."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from cardlang.plain_text import visible
from cardlang.terminal.offers import Choice, Offer
from cardlang.terminal.screen.counting import CountScreen, middle

KEYS = "↑ ↓ choose   Enter start   ← → players   v variant   b bots   q quit"


class HomeApp(App[Choice]):
    """Application that returns the chosen entry, or None if the person quits.

    `bots`: kinds of opponents. `usual`: the default kind."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { layout: vertical; }
    OptionList { height: 1fr; border: none; background: ansi_default; }
    #title { text-style: bold; height: 1; }
    #settled { height: auto; }
    #keys { height: 1; text-style: dim; }
    """

    def __init__(self, matches: Sequence[Offer], games: Sequence[Offer], bots: Sequence[str], usual: str) -> None:
        super().__init__()
        self.theme = "ansi-dark"
        self.offers = [*matches, *games]
        self.begun = len(matches)
        self.bots, self.bot = bots, bots.index(usual)
        self.players: dict[str, int] = {}
        self.variants: dict[str, int] = {}

    def compose(self) -> ComposeResult:
        yield Static("cardlang", id="title")
        yield OptionList(*self.options(), markup=False)
        yield Static(id="settled", markup=False)
        yield Static(KEYS, id="keys", markup=False)

    def options(self) -> list[Option | None]:
        """Return the list entries: matches to resume, a separator, games."""
        shown: list[Option | None] = [self.option(number) for number in range(self.begun)]
        return [*shown, *([None] if shown else []), *(self.option(n) for n in range(self.begun, len(self.offers)))]

    def option(self, number: int) -> Option:
        offer = self.offers[number]
        before = ("Resume with the old rules: " if offer.old else "Resume: ") if number < self.begun else ""
        said = Text.assemble((f"{before}{visible(offer.title)}", "bold"), ("  " + visible(offer.detail), "dim"))
        said.no_wrap, said.overflow = True, "ellipsis"
        return Option(said, id=str(number))

    def on_mount(self) -> None:
        listed = self.query_one(OptionList)
        listed.focus()
        listed.highlighted = next((number for number, offer in enumerate(self.offers) if not offer.old), 0)

    # ------------------------------------------------------------ settings
    @property
    def offer(self) -> Offer | None:
        option = self.query_one(OptionList).highlighted_option
        return self.offers[int(option.id)] if option is not None and option.id is not None else None

    def count(self, offer: Offer) -> int:
        """Return the chosen player count, or a default near the middle of the range."""
        if not offer.players:
            return 0
        return self.players.get(offer.name, middle(offer.players))

    def variant(self, offer: Offer) -> str:
        return ("", *offer.variants)[self.variants.get(offer.name, 0)]

    def show(self, more: str = "") -> None:
        """Show the settings with which Enter would start, and an additional message."""
        offer = self.offer
        said = ""
        if offer is not None and offer.players:
            count = self.count(offer)
            said = f"{count} player{'s' * (count != 1)}"
            said += f", you against {self.bots[self.bot]} bots" if count > 1 else ""
            said += f", {self.variant(offer)}" if offer.variants and self.variant(offer) else ""
            many = len(offer.variants)
            said += f" ({many} variant{'s' * (many > 1)})" if many and not self.variant(offer) else ""
        self.query_one("#settled", Static).update(Text(visible(said + more)))

    def on_option_list_option_highlighted(self) -> None:
        self.show()

    def on_option_list_option_selected(self) -> None:
        offer = self.offer
        if offer is None:
            return
        if len(offer.players) > 1 and offer.name not in self.players:
            asking = CountScreen(offer.title, offer.players, self.count(offer), self.bots[self.bot])
            self.push_screen(asking, partial(self.counted, offer))
        else:
            self.sit_down(offer, self.count(offer))

    def counted(self, offer: Offer, at: int | None) -> None:
        """Start the match with the chosen player count, unless the person cancelled."""
        if at is not None:
            self.sit_down(offer, offer.players[at])

    def sit_down(self, offer: Offer, count: int) -> None:
        self.exit(Choice(offer, count, self.variant(offer), self.bots[self.bot]))

    def on_key(self, event: events.Key) -> None:
        offer = self.offer
        if event.key in ("q", "escape", "ctrl+c", "ctrl+d", "ctrl+q"):
            self.exit(None)
        elif offer is None or not offer.players:
            return
        elif event.key in ("left", "right"):
            at = offer.players.index(self.count(offer)) + (1 if event.key == "right" else -1)
            self.players[offer.name] = offer.players[at % len(offer.players)]
        elif event.key == "v" and not offer.variants:
            self.show("; no variants")
            return
        elif event.key == "v":
            self.variants[offer.name] = (self.variants.get(offer.name, 0) + 1) % (1 + len(offer.variants))
        elif event.key == "b":
            self.bot = (self.bot + 1) % len(self.bots)
        self.show()

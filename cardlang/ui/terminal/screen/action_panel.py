"""Action panel: the question to the player, with a button for every action."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define

from cardlang.english.control_characters import escape_invisible_characters, remove_invisible_characters
from cardlang.ui.terminal.screen.card_styles import CardStyles
from cardlang.ui.terminal.screen.key_bindings import (
    assign_choice_keys,
    assign_keys,
    find_common_start,
    find_enter_option,
    find_matching_actions,
    find_option_at,
    find_option_letters,
    find_player_keys,
    get_button_ref,
)
from cardlang.ui.terminal.screen.table_queries import find_cards, is_actionable
from cardlang.ui.terminal.screen.text_blocks import (
    TextBlock,
    TextLine,
    TextSpan,
    cut_line,
    flow_parts,
    join_lines,
    make_divider,
    make_line,
    wrap_text,
)
from cardlang.ui.terminal.screen.text_cards import NEW_CARD_MARK, SELECTED_MARK
from interpreter.runtime.value_formatting import join_items
from interpreter.view.table_model import (
    Action,
    ActionMenu,
    AmountAction,
    Selection,
    Table,
    TableCard,
    UnavailableOption,
)

CONFIRM_REF = "confirm"
"""Ref of the button that confirms a selection."""
CONTINUE_LABEL = "[Enter] Continue"
"""Label of the button that closes a result, and its ref."""
MIN_CAPTION_LINES, MAX_CAPTION_LINES = 2, 5
"""Minimum and maximum number of lines for the caption of the card at the cursor."""
UNSET_NUMBER = "?"
"""Placeholder for a number that is not set yet."""
EMPTY_SELECTION_KEY = "0"
"""Key that confirms an empty selection, if that is legal."""


def can_confirm_nothing(ask: ActionMenu | None) -> bool:
    """Return whether the selection is empty and can be confirmed."""
    return ask is not None and ask.choosing is not None and ask.choosing.ready and not ask.choosing.chosen


def format_bet_sizes(amount: AmountAction) -> str:
    return "".join(f" · {name} {number}" for name, number in amount.sizes)


def format_amount_effect(amount: AmountAction, number: int | str) -> str:
    """Return the effect of the chosen number, unless it only repeats the number."""
    effect = amount.get_label(number) if isinstance(number, int) and number in amount.amounts else ""
    more = remove_invisible_characters(effect.removeprefix(amount.label).strip())
    return f": {more}" if more not in ("", str(number)) else ""


def explain_incomplete_selection(choosing: Selection) -> str:
    """Return what is missing before Enter can confirm the selection."""
    if choosing.chosen:
        return choosing.why
    more = f"{EMPTY_SELECTION_KEY}: {choosing.confirm.lower()}." if choosing.ready else ""
    return f"Nothing is selected yet. Highlight with the arrows, select with Space. {more}".strip()


def is_single_pick(choosing: Selection, ref: str) -> bool:
    """Return whether Enter confirms the highlighted ref without selecting it: nothing can be combined with it."""
    return ref in choosing.alone


def get_closed_option_ref(closed: UnavailableOption) -> str:
    return f"closed/{closed.label}"


def find_highlighted_refs(ask: ActionMenu | None, cursor: str, picked: tuple[str, ...]) -> set[str]:
    """Return the refs drawn as highlighted: the cursor, the held refs, and all refs of the option at the cursor."""
    option = find_option_at(ask, cursor) if ask is not None else None
    return {ref for ref in (cursor, *picked, *(option.touches if isinstance(option, Action) else ())) if ref}


@define
class ActionPanel:
    """Renderer of the prompt area. See `BoardRenderer` for `cursor`, `picked`, `amounts` and `message`."""

    table: Table
    card_styles: CardStyles
    columns: int
    cursor: str
    picked: tuple[str, ...]
    amounts: dict[str, int]
    message: str

    def render_question(self) -> TextBlock:
        """Return the question, and the message or the rule's wording."""
        ask = self.table.ask
        text = self.card_styles.replace_codes(self.message or (self.format_waiting() if ask is None else ask.words))
        lines: list[TextLine] = [
            make_divider(self.columns, "" if ask is None else remove_invisible_characters(self.find_title(ask)))
        ]
        if ask is not None:
            lines += wrap_text(
                self.card_styles.replace_codes(remove_invisible_characters(self.build_question(ask))),
                self.columns,
                "question",
            )
        for line in text.split("\n"):
            lines += (
                [make_line(line, "button", line)]
                if line == CONTINUE_LABEL
                else wrap_text(escape_invisible_characters(line), self.columns, "note")
            )
        return tuple(lines)

    def build_question(self, ask: ActionMenu) -> str:
        """Return the question. If an option or a card is held, ask for the missing part of the move."""
        if not self.picked:
            return ask.question
        left = find_matching_actions(self.table, self.picked)
        if find_player_keys(self.table, self.picked):
            return f"{self.picked[0].removeprefix('verb/')}: which player?"
        if self.common_label_start:
            return f"{self.common_label_start} …"
        if len(left) == 1 and not left[0].label.startswith("["):
            return f"{left[0].label}?"
        verb = next((each.removeprefix("verb/") for each in self.picked if each.startswith("verb/")), "")
        shared = set[str]().union(*(each.touches for each in left)).intersection(*(each.touches for each in left))
        cards = [f"[{card.code}]" for card in find_cards(self.table, (*self.picked, *shared)) if card.code]
        if not verb:
            return f"What do you do with {join_items(cards)}?" if cards else "Which?"
        noun = self.find_missing_noun({ref for each in left for ref in each.touches} - {*self.picked} - shared)
        held = any(True for _ in find_cards(self.table, self.picked))
        with_it = f"{' with' * held} {join_items(cards)}" if cards else ""
        return f"{verb}{with_it}: which{f' {noun}' if noun else ''}?"

    def find_missing_noun(self, missing: set[str]) -> str:
        """Return what the refs missing in a move are: `card`, `player`, a kind such as `column`, or nothing known."""
        if any(True for _ in find_cards(self.table, missing)):
            return "card"
        kinds = {ref.split("/")[0 if ref.startswith("player/") else 1] for ref in missing if "/" in ref}
        return kinds.pop().replace("-", " ").lower() if len(kinds) == 1 else ""

    def render_options(self) -> TextBlock:
        """Return the caption of the highlighted card, and the options."""
        ask = self.table.ask
        if ask is None:
            return ()
        printed = self.render_caption(ask) if self.card_styles.captions else ()
        return (*printed, *self.render_all_options(ask))

    def render_all_options(self, ask: ActionMenu) -> TextBlock:
        """Return the options in the order of the rule, then the unavailable ones if these need no line of their own."""
        rank = {} if self.picked else {key: number for number, key in enumerate(ask.options)}
        can = [line for _, line in sorted(self.render_buttons(ask), key=lambda part: rank.get(part[0], len(rank)))]
        lines = flow_parts(can, self.columns, 3)
        flowed = flow_parts([*can, *self.render_closed_options(ask)], self.columns, 3)
        return flowed if len(flowed) <= max(len(lines), 1) else lines

    def render_caption(self, ask: ActionMenu) -> TextBlock:
        """Return the caption of the highlighted card.

        Its height is that of the longest caption in reach, so nothing moves with the cursor."""
        lines = wrap_text(remove_invisible_characters(self.find_caption(ask)), self.columns, "dim")
        room = max(
            [
                MIN_CAPTION_LINES,
                *(
                    len(wrap_text(remove_invisible_characters(caption), self.columns))
                    for caption in self.find_reachable_captions()
                ),
            ]
        )
        room = min(room, MAX_CAPTION_LINES)
        if len(lines) <= room:
            return (*lines, *[()] * (room - len(lines)))
        return (*lines[: room - 1], cut_line((*lines[room - 1], *make_line(" … F4")), self.columns))

    def find_reachable_captions(self) -> Iterator[str]:
        """Yield the captions of all cards that the cursor can reach."""
        for area in (*self.table.places, self.table.middle, *self.table.kinds):
            is_own = area.name == self.table.viewer and area.seat >= 0
            for card in (card for pile in area.piles for card in pile.cards if is_own or is_actionable(card)):
                if card.face in self.card_styles.captions:
                    yield self.card_styles.captions[card.face]

    def find_highlighted_cards(self, ask: ActionMenu) -> list[TableCard]:
        """Return the card at the cursor and the cards of the option at the cursor."""
        option = find_option_at(ask, self.cursor)
        return list(find_cards(self.table, (self.cursor, *(option.touches if isinstance(option, Action) else ()))))

    def find_caption(self, ask: ActionMenu) -> str:
        """Return the caption of the highlighted card or option, or an empty string."""
        captions, option = self.card_styles.captions, find_option_at(ask, self.cursor)
        about_card = next(
            (captions[card.face] for card in self.find_highlighted_cards(ask) if card.face in captions), ""
        )
        return about_card or (option.words if option is not None and option.words != ask.words else "")

    def find_title(self, ask: ActionMenu) -> str:
        """Return the title of the highlighted card, if its code says less and it has no caption.

        A card that came to the hand since the last move is marked as new. The place in a grid and the card's facts
        follow."""
        for card in self.find_highlighted_cards(ask)[:1]:
            card_title = "" if card.face in self.card_styles.captions or card.title == card.code else card.title or ""
            title_parts = [f"{card_title}, {NEW_CARD_MARK}" if card.fresh and card_title else card_title, card.place]
            title_parts += [f"{fact.label.lower()} {self.card_styles.replace_codes(fact.text)}" for fact in card.facts]
            return " · ".join(filter(None, title_parts))
        return ""

    @property
    def common_label_start(self) -> str:
        """Return the common start of the labels of the remaining moves. The question states it once."""
        return (
            find_common_start([action.label for action in find_matching_actions(self.table, self.picked)])
            if self.picked
            else ""
        )

    @property
    def enter_key_ref(self) -> str:
        """Return the ref of the option that Enter plays, or an empty string."""
        option = find_enter_option(self.table, self.cursor, self.picked)
        return get_button_ref(option) if option is not None else ""

    def format_waiting(self) -> str:
        if self.table.over:
            return "The match is over."
        return f"{self.table.waiting} is thinking …" if self.table.waiting else ""

    def render_buttons(self, ask: ActionMenu) -> Iterator[tuple[str, TextLine]]:
        """Yield the buttons of the legal moves, each with the letter of its option."""
        if ask.choosing is not None:
            yield from (("", line) for line in self.render_choices(ask.choosing))
            yield from (("", line) for line in self.render_selection_buttons(ask.choosing))
        if players := find_player_keys(self.table, self.picked):
            yield from (
                ("", self.render_button(remove_invisible_characters(ref.removeprefix("player/")), key, ref))
                for key, ref in players.items()
            )
            return
        shown = assign_keys(self.table, self.cursor, self.picked)
        taken = {key for key, _ in shown}
        for verb, letter in find_option_letters(ask).items() if not self.picked else ():
            verb_buttons = [
                self.render_button(self.format_action_label(button_action), key, get_button_ref(button_action))
                for key, button_action in shown
                if button_action.verb == verb
            ]
            if letter not in taken:
                yield letter, self.render_button(f"{remove_invisible_characters(verb)} …", letter, f"verb/{verb}")
            yield from ((letter, button) for button in verb_buttons)
        for key, action in shown:
            if self.picked or action.verb not in find_option_letters(ask):
                yield key, self.render_button(self.format_action_label(action), key, get_button_ref(action))
        for amount in ask.amounts:
            amount_now = self.amounts.get(get_button_ref(amount), UNSET_NUMBER)
            button = (
                *self.render_button(remove_invisible_characters(amount.label), amount.key, get_button_ref(amount)),
                TextSpan(" ◂", "button", "", f"less/{amount.key}"),
                TextSpan(
                    f" {amount_now} ", self.choose_style(get_button_ref(amount), "number"), "", get_button_ref(amount)
                ),
                TextSpan("▸", "button", "", f"more/{amount.key}"),
                TextSpan(f" {amount.low} to {amount.high}{format_bet_sizes(amount)}", "dim"),
                *make_line(format_amount_effect(amount, amount_now)),
            )
            yield amount.key, button

    def render_closed_options(self, ask: ActionMenu) -> Iterator[TextLine]:
        """Yield the unavailable options together. The letter of each shows the reason."""
        labels = [
            make_line(
                remove_invisible_characters(f"[{closed.key}] {closed.label}"),
                self.choose_style(get_closed_option_ref(closed), "closed"),
                get_closed_option_ref(closed),
            )
            for closed in ask.closed
            if closed.key and not self.picked
        ]
        if labels:
            yield join_lines([make_line("Not now:", "closed"), *labels], 1)

    def render_choices(self, choosing: Selection) -> Iterator[TextLine]:
        """Yield the players, values or cards to choose from, each with its key."""
        labels = dict(zip(choosing.refs, choosing.labels, strict=False))
        for key, ref in assign_choice_keys(choosing).items():
            tick = SELECTED_MARK if ref in choosing.chosen else " "
            label = remove_invisible_characters(f"[{key}]{tick}{labels[ref]}")
            yield make_line(label, self.choose_style(ref, ""), ref)

    def render_selection_buttons(self, choosing: Selection) -> Iterator[TextLine]:
        """Yield the effects of Space and Enter in a choice of several.

        An empty selection has its own key, so that it can't be confirmed by accident."""
        if is_single_pick(choosing, self.cursor):
            yield make_line(
                f"[Enter] Choose {self.format_ref_name(choosing, self.cursor)}", "button.cursor", self.cursor
            )
            return
        if self.cursor in choosing.refs:
            can = self.cursor in choosing.open
            anew = not can and bool(choosing.chosen) and choosing.high not in (1, len(choosing.chosen))
            verb = "deselect" if self.cursor in choosing.chosen else "start over with it" if anew else "select"
            yield make_line(f"[Space] {verb}", "button" if can or anew else "dim")
        label = remove_invisible_characters(choosing.confirm)
        if not choosing.ready:  # the question already shows the sum
            yield make_line(
                (remove_invisible_characters(choosing.why) if not choosing.sum else "") or f"[Enter] {label}",
                self.choose_style(CONFIRM_REF, "dim"),
                CONFIRM_REF,
            )
        else:
            key = "Enter" if choosing.chosen else EMPTY_SELECTION_KEY
            yield make_line(f"[{key}] {label}", self.choose_style(CONFIRM_REF, "button"), CONFIRM_REF)

    def format_ref_name(self, choosing: Selection, ref: str) -> str:
        """Return the name of a selectable ref as drawn."""
        codes = [self.card_styles.get_style(card).label for card in find_cards(self.table, (ref,)) if card.code]
        labels = dict(zip(choosing.refs, choosing.labels, strict=False))
        return next(iter(codes), remove_invisible_characters(labels[ref]) or "this card")

    def format_action_label(self, action: Action) -> str:
        """Return the label of an action, with its cards as drawn."""
        codes = {
            card.code: self.card_styles.get_style(card).label
            for card in find_cards(self.table, action.touches)
            if card.code
        }
        label = self.card_styles.replace_codes(
            remove_invisible_characters(action.label.removeprefix(self.common_label_start).strip())
        )
        return " ".join(codes.get(word, word) for word in label.split(" "))

    def render_button(self, label: str, key: str, ref: str) -> TextLine:
        """Return a button such as `[c] Call 24`. The option that Enter plays is highlighted: `[c]▸Call 24`.

        The key comes in its own brackets, because a label can begin with a card or a name."""
        if ref == self.enter_key_ref:
            return make_line(f"[{key}]▸{label}" if key else f"[Enter] {label}", "button.cursor", ref)
        role, bold = self.choose_style(ref, "button"), self.choose_style(ref, "key")
        if not key:
            return make_line(label, role, ref)
        return (TextSpan(f"[{key}]", bold, "", ref), TextSpan(f" {label}", role, "", ref))

    def choose_style(self, ref: str, role: str) -> str:
        return f"{role}.cursor" if ref == self.cursor else role

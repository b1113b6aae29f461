"""Parser of typed commands and moves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Literal

from attrs import evolve, frozen

from cardlang.english.control_characters import normalize_user_input
from cardlang.ui.terminal.session_state import Session
from cardlang.ui.terminal.typed_card_names import (
    expand_aliases,
    find_code_aliases,
    match_refs,
    replace_symbols,
    split_words,
)
from interpreter.match.decision_description import build_decision_view
from interpreter.match.move_aliases import build_move_labels, replace_move_verb
from interpreter.match.move_parser import parse_whole_number
from interpreter.runtime.value_formatting import join_items
from interpreter.view.action_menu import ALL_IN
from interpreter.view.table_model import Action, ActionMenu, AmountAction, Selection, Table, TableCard

MAX_LISTED_MOVES = 8
"""Maximum number of moves listed when the input is ambiguous."""
PageName = Literal["help", "rules", "aid", "cards", "log", "table", "quit"]
PAGE_COMMANDS: dict[str, PageName] = {
    "?": "help", "help": "help", "rules": "rules", "aid": "aid", "ranks": "aid", "cards": "cards", "log": "log",
    "table": "table", "q": "quit", "quit": "quit", "exit": "quit", "leave": "quit", "save": "quit",
}  # fmt: skip
COPY_NUMBER = re.compile(r"(?<=\]) #\d+$")
"""Number of a copy of a card in a move, as in `discard [Sofa] #2`. Copies are interchangeable."""
SIGN_PATTERN = re.compile(r"[^\w\s#'-]")
DONE_WORDS = ("done", "ok", "confirm")
ALL_IN_WORDS = ("all", "all in", "all-in")
"""Other wordings for betting everything."""
RAISE_HINT = "Type how much to add, not the total: “{0} 5” adds 5."
GIVE_UP = "give up"
PASS_ALL = "pass all"
"""Suffix of labels already in the selection."""
YES_ANSWERS = ("y", "yes")
"""Answers that confirm a command."""


@frozen
class CommandReply:
    """Result of a typed line.

    `message`: message to show. `has_moved`: the match changed. `page`: page to open. `is_understood`: the line was
    understood even though nothing moved, as a command or a change of the selection."""

    message: str = ""
    has_moved: bool = False
    page: PageName | None = None
    is_understood: bool = False


@frozen
class OptionEntry:
    """Line in the list of options.

    `key`: input that selects it, or empty if only its name does. `option`: an action, an amount (moves that differ in a
    number), or the ref of something selectable."""

    key: str
    label: str
    option: Action | AmountAction | str


def list_option_entries(table: Table) -> list[OptionEntry]:
    """Return the options in the order of the cards on the table. Options without a letter are numbered."""
    ask = table.ask
    if ask is None:
        return []
    options: list[tuple[str, str, Action | AmountAction | str]] = []
    if ask.choosing is not None:
        names = get_selectable_names(table, ask.choosing)
        options += [("", mark_selected(name, ref, ask.choosing), ref) for ref, name in names.items()]
    card_order = {card.ref: index for index, card in enumerate(list_cards(table))}
    last = len(card_order)
    for action in sorted(
        ask.actions, key=lambda touching: min((card_order.get(ref, last) for ref in touching.touches), default=last)
    ):
        options.append((action.key, action.label, action))
    options += [(amount.key, f"{amount.label} {format_amount_range(amount)}", amount) for amount in ask.amounts]
    return list(number_options(table, options, counts=not ask.amounts))


def number_options(
    table: Table, labelled_options: Sequence[tuple[str, str, Action | AmountAction | str]], counts: bool
) -> Iterator[OptionEntry]:
    """Yield the options, with numbers for those without a letter.

    If cards are called by numbers, the option for such a card gets the card's number, and no other option gets it. So a
    typed number is never ambiguous."""
    cards = {card.ref: card.code for card in list_cards(table) if card.code is not None and card.code.isdecimal()}
    names = get_selectable_names(table, table.ask.choosing) if table.ask and table.ask.choosing else {}
    card_numbers = [find_card_number(cards, names, what) if not key else "" for key, _, what in labelled_options]
    taken = {*cards.values(), *filter(None, card_numbers), *(key for key, *_ in labelled_options)}
    free = (str(number) for number in count(1) if str(number) not in taken)
    for (key, label, what), name in zip(labelled_options, card_numbers, strict=True):
        unique = name if card_numbers.count(name) == 1 and all(key != name for key, *_ in labelled_options) else ""
        yield OptionEntry(key or (unique or next(free) if counts else ""), label, what)


def find_card_number(cards: Mapping[str, str], names: Mapping[str, str], option: Action | AmountAction | str) -> str:
    """Return the number that names the option's only card or selectable ref, or an empty string."""
    if isinstance(option, Action):
        named = [cards[ref] for ref in option.touches if ref in cards]
        return named[0] if len(named) == 1 else ""
    name = names[option] if isinstance(option, str) else ""
    return name if name.isdecimal() else ""


def mark_selected(name: str, ref: str, choosing: Selection) -> str:
    return f"{name} (selected)" if ref in choosing.chosen else name


def get_selectable_names(table: Table, choosing: Selection) -> dict[str, str]:
    """Return the name of each ref that can be selected. Cards come in table order."""
    labels = dict(zip(choosing.refs, choosing.labels, strict=False))
    known = {card.ref: format_card_name(card) for card in list_cards(table)}
    order = {ref: index for index, ref in enumerate(known)}
    refs = sorted(choosing.refs, key=lambda ref: order.get(ref, len(order)))
    return {ref: known.get(ref) or labels.get(ref) or ref for ref in refs}


def format_card_name(card: TableCard) -> str:
    """Return the name of a card in a list: its code, its place in a grid, or its number in its pile."""
    return card.code or card.place or "#" + card.ref.rpartition("#")[2]


def list_cards(table: Table) -> Iterator[TableCard]:
    """Yield all cards on the table."""
    for area in (*table.places, table.middle, *table.kinds):
        for pile in area.piles:
            yield from pile.cards


def format_amount_range(amount: AmountAction) -> str:
    return f"{amount.low} to {amount.high}" if amount.low < amount.high else str(amount.low)


# ---------------------------------------------------------------- executing a typed line
MAX_LINE_LENGTH = 1000
"""Maximum length of a typed line, in characters."""


def execute_line(session: Session, typed: str) -> CommandReply:
    """Execute a typed line.

    Enter alone after a line that was not understood does nothing, to prevent an accidental confirmation."""
    misread, session.was_misread = session.was_misread, False
    if misread and not typed:
        return CommandReply("Nothing happened. Press Enter again to confirm.")
    reply = execute_parsed_line(session, typed)
    session.was_misread = bool(typed) and not (reply.has_moved or reply.page or reply.is_understood)
    return reply


def execute_parsed_line(session: Session, typed: str) -> CommandReply:
    """Execute a typed line, as far as it can be parsed."""
    if len(typed) > MAX_LINE_LENGTH:
        return CommandReply("That line is too long to be a move.")
    typed = normalize_user_input(typed).strip()
    if session.unconfirmed:
        if typed.lower() in (*YES_ANSWERS, session.unconfirmed):
            return make_reply(session.confirm_command())
        session.unconfirmed = ""
    table = session.get_table()
    ask, typed = table.ask, replace_symbols(typed, session.match.game)
    word, _, rest = typed.partition(" ")
    texts = session.match.decision.moves.texts if session.match.decision else ()
    if typed not in texts and not is_option_name(table, ask, typed, texts) and not is_card_rank(session, typed):
        if word.lower() in PAGE_COMMANDS and not rest:
            return CommandReply(page=PAGE_COMMANDS[word.lower()])
        command = COMMANDS.get(word.lower())
        if command is not None and (not rest or command is explain_command or typed.lower() == GIVE_UP):
            return evolve(command(session, rest), is_understood=True)
    if ask is None:
        return CommandReply("It is not your turn.")
    if typed.lower() == PASS_ALL and ask.reacts_to:
        return make_reply(session.pass_reactions())
    if ask.choosing is not None and typed.lower() in DONE_WORDS:
        return make_reply(session.confirm_selection())
    if not typed:
        return execute_enter(session, ask, texts)
    closed = explain_closed_option(ask, typed)
    if closed and not is_option_name(table, ask, typed, texts):
        return CommandReply(closed)
    key = execute_choice(session, table, ask, typed)
    if key is not None or typed in texts:
        return key or execute_words(session, ask, typed, texts)
    can, card_places = list_available_names(table, ask, texts), [card.place for card in list_cards(table)]
    suited, ranked = (expand_aliases(typed, session.match.game, can, card_places, shortest) for shortest in (1, 0))
    reply = execute_choice(session, table, ask, suited)
    if reply is None and not match_moves(suited, texts):  # a rank without a suit is the last attempt
        reply = execute_choice(session, table, ask, ranked)
    return reply or execute_words(session, ask, suited, texts)


def is_option_name(table: Table, ask: ActionMenu | None, typed: str, texts: Sequence[str]) -> bool:
    """Return whether a single letter is the full name of an option, such as a queen `Q`. Then it is no command."""
    return (
        len(typed) == 1
        and ask is not None
        and typed.lower() in split_words(list_available_names(table, ask, texts).lower())
    )


def is_card_rank(session: Session, typed: str) -> bool:
    """Return whether a single capital letter is the rank of several cards, such as a queen `Q`."""
    return len(typed) == 1 and typed.isupper() and typed.lower() in find_code_aliases(session.match.game, shortest=0)


def list_available_names(table: Table, ask: ActionMenu, texts: Sequence[str]) -> str:
    """Return everything that can be named now: moves, button labels and selectable refs."""
    chosen = get_selectable_names(table, ask.choosing).values() if ask.choosing is not None else ()
    return " ".join([*texts, *(action.label for action in ask.actions), *chosen])


def execute_enter(session: Session, ask: ActionMenu, texts: Sequence[str]) -> CommandReply:
    """Execute Enter alone: confirm the selection or play the only move.

    Selecting nothing requires an explicit `done`."""
    choosing = ask.choosing
    if choosing is not None and choosing.chosen:
        return make_reply(session.confirm_selection())
    if choosing is not None:
        more = f"Type done: {choosing.confirm.lower()}." if choosing.ready else choosing.why
        return CommandReply(f"Nothing is selected yet. {more}")
    return make_reply(session.make_move(0)) if len(texts) == 1 else CommandReply()


def execute_choice(session: Session, table: Table, ask: ActionMenu, typed: str) -> CommandReply | None:
    """Execute a key, a number, a named bet size or cards of a selection. Return None for any other input."""
    number = parse_whole_number(typed)
    if number is not None and len(ask.amounts) == 1 and number in ask.amounts[0].amounts:
        return make_reply(session.make_move(ask.amounts[0].moves[ask.amounts[0].amounts.index(number)]))
    size = find_bet_size(ask, typed)
    if size is not None:
        return make_reply(session.make_move(size))
    if any(typed.lower().startswith(f"{amount.label.lower()} to ") for amount in ask.amounts):
        return CommandReply(RAISE_HINT.format(ask.amounts[0].label.lower()))
    entry = next(
        (listed for listed in list_option_entries(table) if listed.key and typed.lower() == listed.key.lower()), None
    )
    if entry is None:
        return execute_card_set(session, table, ask.choosing, typed) if ask.choosing is not None else None
    if isinstance(entry.option, Action):
        return make_reply(session.make_move(entry.option.move))
    if isinstance(entry.option, AmountAction):
        amount = entry.option
        return make_reply(session.make_move(amount.moves[0])) if len(amount.moves) == 1 else ask_how_much(amount)
    return toggle_with_reply(session, entry.option)


def find_bet_size(ask: ActionMenu, typed: str) -> int | None:
    """Return the move for a named bet size such as `half pot`, `raise pot` or `all in`, or None."""
    if len(ask.amounts) != 1:
        return None
    (amount,) = ask.amounts
    named = dict(amount.sizes)
    if ALL_IN in named:
        named |= dict.fromkeys(ALL_IN_WORDS, amount.high)
    size_text = typed.lower().removeprefix(f"{amount.label.lower()} ")
    return amount.moves[amount.amounts.index(named[size_text])] if size_text in named else None


def ask_how_much(amount: AmountAction) -> CommandReply:
    return CommandReply(f"How much? Type {amount.label.lower()} and a number, {format_amount_range(amount)}.")


def execute_card_set(session: Session, table: Table, choosing: Selection, typed: str) -> CommandReply | None:
    """Execute card codes in a choice of several.

    A single card is toggled. Several cards are taken as the complete selection and confirmed."""
    names = get_selectable_names(table, choosing)
    numbers = {ref: f"#{ref.rpartition('#')[2]}" for ref in names}
    lines = {entry.key: names[entry.option] for entry in list_option_entries(table) if isinstance(entry.option, str)}
    words = [part for word in split_words(typed) if word.lower() != "and" for part in lines.get(word, word).split()]
    tries = [words, words[1:]] if words and is_move_verb(session, words[0]) else [words]
    every = (match_refs(part, called) for part in tries for called in (names, numbers))
    refs = next((matched for matched in every if matched is not None), None)
    if refs is None:
        return None
    if len(refs) < 2:
        return toggle_with_reply(session, refs[0]) if refs else None
    before, session.selection = session.selection, tuple(refs)
    refused = session.confirm_selection()
    if refused:
        session.selection = before
    return make_reply(refused)


def is_move_verb(session: Session, word: str) -> bool:
    """Return whether the question, a legal move or its label starts with this word."""
    decision, verbs = session.match.decision, list[str]()
    if decision is not None:
        verbs = [text.split()[0] for text in (*decision.moves.texts, *build_move_labels(session.match))]
        verbs.append(get_question_verb(session))
    return word.lower() in [verb.lower() for verb in verbs]


def toggle_with_reply(session: Session, ref: str) -> CommandReply:
    """Toggle a ref in the selection. Reply with the selection so far and the next step."""
    before = session.selection
    message, ask = session.toggle_ref(ref), session.get_table().ask
    if session.selection == before or ask is None or ask.choosing is None:
        return CommandReply(message)
    on = (
        ("Press Enter to confirm." if ask.choosing.chosen else "Type done.") if ask.choosing.ready else ask.choosing.why
    )
    names = get_selectable_names(session.get_table(), ask.choosing)
    chosen = [name for ref, name in names.items() if ref in ask.choosing.chosen]
    so_far = f" Selected: {join_items(chosen)}." if chosen else ""
    return CommandReply(f"{message} {ask.question}{so_far} {on}".strip(), is_understood=True)


def execute_words(session: Session, ask: ActionMenu, typed: str, texts: Sequence[str]) -> CommandReply:
    """Play the move that the words mean, or reply why it is ambiguous or illegal."""
    move_indices = (match_moves(typed, texts) or match_labels(session, ask, typed)) if ask.choosing is None else []
    if len({COPY_NUMBER.sub("", texts[index]) for index in move_indices}) == 1:
        return make_reply(session.make_move(move_indices[0]))
    for amount in ask.amounts:
        if move_indices and set(move_indices) == set(amount.moves):
            return ask_how_much(amount)
    if move_indices:
        named = [texts[index] for index in move_indices[:MAX_LISTED_MOVES]]
        could = use_question_verb(session, join_items(named, "or"))
        return CommandReply(f"That could be {could}{' …' if len(move_indices) > MAX_LISTED_MOVES else '.'}")
    typed = expand_card_names(session, typed)
    message = use_question_verb(session, session.make_move(typed))
    return make_reply(f"“{typed}” is not possible: {message}" if message and typed not in message else message)


def expand_card_names(session: Session, typed: str) -> str:
    """Return a line with the names of cards, such as `J heart`, replaced by codes. They need not be available."""
    game = session.match.game
    codes = {face.code.lower(): face.code for face in game.faces} | {face.code: face.code for face in game.faces}
    words = expand_aliases(typed, game, " ".join(codes), ()).split(" ")
    return " ".join(codes.get(word, codes.get(word.lower(), word)) for word in words)


def use_question_verb(session: Session, message: str) -> str:
    """Return a message with the verb of the question in its moves: `pass [2d]` for `move [2d]`."""
    verb = get_question_verb(session)
    for text in session.match.decision.moves.texts if session.match.decision is not None and verb else ():
        message = message.replace(text, replace_move_verb(text, verb)) if " " in text else message
    return message


def get_question_verb(session: Session) -> str:
    """Return the verb of the question, for cards, or an empty string."""
    match = session.match
    return "" if match.decision is None else build_decision_view(match.names, match.decision).verb


def match_labels(session: Session, ask: ActionMenu, typed: str) -> list[int]:
    """Return the moves whose button or hint label matches, with cards given by code or title.

    Symbols next to letters are ignored."""
    titles = {face.code: face.title for face in session.match.game.faces}
    plain_text = SIGN_PATTERN.sub(" ", typed)
    labels = [
        [action.label, " ".join(titles.get(word, word) for word in action.label.split())] for action in ask.actions
    ]
    for number in range(2):
        if move_indices := match_moves(plain_text, [both[number] for both in labels]):
            return [ask.actions[index].move for index in move_indices]
    return match_moves(plain_text, [SIGN_PATTERN.sub(" ", label) for label in build_move_labels(session.match)])


def make_reply(message: str) -> CommandReply:
    return CommandReply(message, has_moved=not message)


# ---------------------------------------------------------------- commands
def explain_command(session: Session, argument: str) -> CommandReply:
    """Explain a move or a card, given by its name or by its key in the list."""
    if not argument:
        return CommandReply("Name a line, a move or a card, as in: why 9G")
    return CommandReply(
        explain_listed_option(session.get_table(), argument.lower()) or explain_illegal_move(session, argument)
    )


def explain_illegal_move(session: Session, argument: str) -> str:
    """Return why a move or card is illegal, after its name unless the reason has it."""
    argument = expand_card_names(session, argument)
    explanation = use_question_verb(session, session.explain_move(argument))
    codes = {face.code.lower(): f"[{face.code}]" for face in session.match.game.faces}
    called = codes.get(argument.lower().strip("[]"), f"“{argument}”")
    named = called in explanation or argument in explanation or session.match.explain_illegal_move(argument) is None
    return explanation if named else f"{called} is not legal: {explanation}"


def explain_listed_option(table: Table, key: str) -> str:
    """Return the explanation of the option with this key, or an empty string.

    If no option has a number, a number counts from the top of the list."""
    ask = table.ask
    if ask is None:
        return ""
    if closed := explain_closed_option(ask, key):
        return closed
    lines = list_option_entries(table)
    at = int(key) if key.isdecimal() and not any(listed.key.isdecimal() for listed in lines) else 0
    entry = next((listed for listed in lines if listed.key.lower() == key), None) or next(
        iter(lines[at - 1 : at]), None
    )
    if entry is None:
        return ""
    words = ask.words if isinstance(entry.option, str) else entry.option.words or ask.words
    return f"{entry.label}: legal. {words}".strip()


def explain_closed_option(ask: ActionMenu, key: str) -> str:
    """Return why the option with this key is not legal now, or an empty string if none has it."""
    closed = next((each for each in ask.closed if each.key and each.key.lower() == key.lower()), None)
    return "" if closed is None else f"{closed.label}: not now. {closed.why}"


def undo_command(session: Session, argument: str) -> CommandReply:
    return ask_or_reply(session, session.undo())


def give_up_command(session: Session, argument: str) -> CommandReply:
    return ask_or_reply(session, session.give_up())


def ask_or_reply(session: Session, message: str) -> CommandReply:
    return make_reply(f"{message} Type y to {session.unconfirmed}." if session.unconfirmed else message)


def hint_command(session: Session, argument: str) -> CommandReply:
    return CommandReply(session.hint(session.match))


COMMANDS: dict[str, Callable[[Session, str], CommandReply]] = {
    "w": explain_command,
    "why": explain_command,
    "u": undo_command,
    "undo": undo_command,
    "h": hint_command,
    "hint": hint_command,
    "give": give_up_command,
    "resign": give_up_command,
}


# ---------------------------------------------------------------- words
def match_moves(typed: str, texts: Sequence[str]) -> list[int]:
    """Return the moves that a typed line can mean, by the strictest reading with a match.

    Readings in order: the full text, words in any case, a subsequence of words, prefixes of words."""
    words = split_words(typed)
    if not words:
        return []
    lower = [word.lower() for word in words]
    split = [split_words(text) for text in texts]
    lowered = [[word.lower() for word in move_words] for move_words in split]
    readings = (
        [index for index, move_words in enumerate(split) if move_words == words],
        [index for index, move_words in enumerate(lowered) if move_words == lower],
        [index for index, move_words in enumerate(split) if is_word_subsequence(words, move_words, str.__eq__)],
        [index for index, move_words in enumerate(lowered) if is_word_subsequence(lower, move_words, str.__eq__)],
        [index for index, move_words in enumerate(lowered) if is_word_subsequence(lower, move_words, is_typed_prefix)],
    )
    return next((reading for reading in readings if reading), [])


def is_typed_prefix(word: str, typed: str) -> bool:
    """Return whether a word starts as typed. `5` matches `5S`, but a number never matches a longer number."""
    return word.startswith(typed) and not (typed.isdecimal() and word[len(typed) : len(typed) + 1].isdecimal())


def is_word_subsequence(typed_words: list[str], move: list[str], fits: Callable[[str, str], bool]) -> bool:
    """Return whether the typed words match words of the move in order."""
    rest = iter(move)
    return all(any(fits(word, typed_word) for word in rest) for typed_word in typed_words)

"""Explanations of the highlighted move: its effect, or why it is illegal."""

from __future__ import annotations

from cardlang.terminal.screen.asking import Asking
from cardlang.terminal.screen.keying import aimed
from cardlang.terminal.screen.looks import Looks
from cardlang.terminal.screen.lying import cards_at
from cardlang.terminal.screen.pages import clause_of, rule_of
from cardlang.terminal.screen.touching import Hand, closed_at, name_of
from cardlang.terminal.session import Session
from interpreter.table.model import Action, Amount, Ask, Table

NOTHING = "Highlight a card or an option first. Then w explains what it does, or why it is illegal."


def why(session: Session, table: Table, looks: Looks, hand: Hand) -> str:
    """Return the explanation of the highlighted option or card."""
    ask, ref = table.ask, hand.cursor
    closed = closed_at(ask, ref)
    if closed is not None:
        return f"{closed.label}: not now. {closed.why}"
    option = aimed(table, ref, hand.held)
    if option is not None:
        return about(session, table, looks, option)
    name = name_of(table, ref)
    card = next(cards_at(table, (ref,)), None)
    code = card.code if card is not None and card.code else ""
    called = f"[{code}]" if code else card.place if card is not None and card.place else name
    if not name:
        return NOTHING
    if session.match.refusal(name) is None:
        return " ".join(filter(None, [f"{called}: legal.", rule(session, table)]))
    said = session.why(name)
    if not code or f"[{name}]" in said:
        return said
    verb = getattr(session.match.program.site(session.match.state).statement, "verb", "choose")
    return f"You can't {verb} [{code}] now. {said}"


def about(session: Session, table: Table, looks: Looks, option: Action | Amount) -> str:
    """Return the effect of a legal move, from its own wording or the rulebook."""
    called = name = option.label
    if isinstance(option, Action):
        called = Asking(table, looks, 0, "", (), {}, "").label(option)
        name = option.verb or option.text.replace("-", " ")
        if option.text == "pass":  # the wording of the question describes the opposite of passing
            return f"{called}: legal. You do nothing now."
    asked = table.ask.words if table.ask is not None and not option.words else ""
    said = clause_of(session.texts.rules(), name, whereabouts(table)[1]) or asked
    own = option.words if option.words.strip(" .") not in said else ""
    return " ".join(filter(None, [f"{called}: legal.", own, said]))


def rule(session: Session, table: Table, *sought: str) -> str:
    """Return the rulebook's sentence for the current step, found by one of the strings, else the prompt's wording."""
    words = table.ask.words if table.ask is not None else ""
    return rule_of(session.texts.rules(), [*sought, words], whereabouts(table)[1]) or words


def whereabouts(table: Table) -> tuple[list[str], list[str]]:
    """Return the prompt's strings, and the current steps as named in a rulebook, innermost first.

    Examples: `trick` for `trick 4`, `turn` for `Ann's turn` or `your turn`."""
    asked = [table.ask.words, table.ask.question] if table.ask is not None else []
    steps = (each.rstrip(" 0123456789").rpartition("'s ")[2] for each in reversed(table.heading))
    return asked, [each.removeprefix("your ") for each in steps]


def offered(ask: Ask | None) -> list[str]:
    """Return the options, legal or not, as named in a rulebook.

    Examples: `Ante up` for `ante-up`, `play` for `play [5h]`."""
    if ask is None:
        return []
    actions = [each.verb or each.text.partition(" ")[0].replace("-", " ") for each in ask.actions]
    return [*actions, *(each.label for each in ask.amounts), *(each.label for each in ask.closed)]

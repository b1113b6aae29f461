"""Write the question of a decision in a sentence, with the author's text."""

from __future__ import annotations

from cardlang import game as g
from interpreter.layout import about_cards
from interpreter.matches.moves import Printer, asked_type, pass_or_done
from interpreter.matches.names import Names, counted, listed
from interpreter.state import DONE, Site, State


def prompt(names: Names, state: State) -> str:
    """Return the question to the player: `Play a card.`, followed by the text of the rule.

    If that text is a question, it comes first: `What do you do? Check or bet.`
    """
    site = names.program.site(state)
    asked = question(names, state, site)
    words = site.statement.doc if site.statement is not None else ""
    if words.endswith("?"):
        asked, words = words, f"{asked.removesuffix('?').removesuffix('.')}."
    so_far = f"So far: {picked(names, state, site)}." if state.picks and about_cards(asked_type(site)) else ""
    return " ".join(part for part in (asked, words, so_far) if part)


def picked(names: Names, state: State, site: Site) -> str:
    """Return the cards picked so far: `[9G 7A]`, or their places if the player cannot identify them."""
    if all(names.program.visible(state, card, state.who) for card in state.picks):
        return names.cards(state.picks)
    printer = Printer(names, state, site)
    return listed([printer.value(g.CARD, card) for card in state.picks])


def question(names: Names, state: State, site: Site) -> str:
    statement = site.statement
    if isinstance(statement, g.Pick):
        return f"{statement.verb.capitalize()} {cards_asked(statement, site)}{passing(site, state)}."
    if isinstance(statement, g.Choose):
        return f"Choose {what_is_chosen(statement)}{passing(site, state)}."
    return f"{options_asked(names, state, site)}?"


def passing(site: Site, state: State) -> str:
    """Return `, or pass` if the player can pass, or `, or finish` if a choice of several can end."""
    if DONE not in state.legal:
        return ""
    return ", or finish" if pass_or_done(site, state) == "done" else ", or pass"


def cards_asked(statement: g.Pick, site: Site) -> str:
    low, high = constant(statement.low), constant(statement.high)
    if site.kind == "number" and statement.position in ("top", "bottom", "first", "last"):
        return f"{span_of_numbers(low, high)} from the {statement.position}"
    return span_of_numbers(low, high)


def span_of_numbers(low: int | None, high: int | None) -> str:
    """Return a number of cards: `a card`, `up to 3 cards`, `1 to 2 cards`, `cards`."""
    if high is None:
        return "cards"
    if low == high:
        return counted(high)
    return f"up to {counted(high)}" if not low else f"{low} to {counted(high)}"


def constant(expr: g.Expr | None) -> int | None:
    return expr.value if isinstance(expr, g.Const) and isinstance(expr.value, int) else None


def what_is_chosen(statement: g.Choose) -> str:
    type = statement.var.type.item or statement.var.type
    if type.tag == "number":
        return "a number"
    noun = type.of if type.tag == "member" and type.of else type.tag
    if statement.several:
        return f"{noun}s" if type.tag != "member" else f"from {noun}"
    article = "an" if noun[:1].lower() in "aeiou" else "a"
    return f"{article} {noun}"


def options_asked(names: Names, state: State, site: Site) -> str:
    """Return the legal options: `Check, bet or fold`. For a response, return all options."""
    program = names.program
    open_now = {program.decode(site, code)[0] for code in state.legal if code != DONE}
    if site.kind == "react":
        open_now = set(range(len(site.options)))
    words = [option.name for index, option in enumerate(site.options) if index in open_now]
    if DONE in state.legal:
        words.append("pass")
    text = listed([word.replace("-", " ") for word in words], "or")
    return text[:1].upper() + text[1:]

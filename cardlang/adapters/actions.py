"""Action space of a game: the same printed move has the same number in every position.

Moves are grouped by name and the types they bind (`bet` and a number, `play` and a card). In a group, the bound values
give the number. A card counts as its face, or as its place in its pile if the player cannot see its face. A card number
would reveal it. Moves that still share a number get spare numbers, in the order of their strings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod

from cardlang import game as g
from cardlang.adapters import AdapterError
from cardlang.adapters.bounds import Bounds
from interpreter.layout import about_cards
from interpreter.matches.moves import asked_type
from interpreter.matches.names import Names
from interpreter.program import Program
from interpreter.state import DONE, Site, State

MAX_ACTIONS = 1_000_000
PASS_NUMBER, DONE_NUMBER, FIRST = 0, 1, 2
Group = tuple[str, str, tuple[g.Type, ...]]


class Actions:
    """Actions of a program.

    Moves with numbers above `largest` are not offered. If it is None, all moves are offered, and all choices of
    numbers must have an upper bound known in advance. Raise AdapterError if a choice has none."""

    def __init__(self, program: Program, largest: int | None) -> None:
        self.program = program
        self.largest = largest
        self.bounds = Bounds(program)
        self.faces = len(program.game.faces)
        self.cards = len(program.face)
        sizes: dict[Group, tuple[int, ...]] = {}
        for site in program.sites:
            for group, here in self.groups_of(site):
                before = sizes.get(group, here)
                sizes[group] = tuple(map(max, before, here))
        self.sizes = sizes
        self.base: dict[Group, int] = {}
        self.spare = FIRST
        for group, each in sizes.items():
            self.base[group] = self.spare
            self.spare += prod(each)
        self.count = self.spare + self.cards * any(about_cards(type) for group in sizes for type in group[2])
        if self.count > MAX_ACTIONS:
            raise AdapterError(f"{program.game.title} has {self.count} different moves, more than {MAX_ACTIONS}.")

    # ------------------------------------------------------------ numbering
    def groups_of(self, site: Site) -> Iterator[tuple[Group, tuple[int, ...]]]:
        """Yield the groups of a decision's moves, with the number of values of each binding."""
        if site.options:
            for option in site.options:
                group = ("option", option.name, tuple(plain(var.type) for var, _ in option.binders))
                yield group, tuple(self.size(var.type, domain, option.name, option) for var, domain in option.binders)
        elif site.kind in ("pick", "number"):
            assert isinstance(site.statement, g.Pick)
            size = self.cards + 1 if site.kind == "number" else self.faces + self.cards
            yield self.group_of(site), (size,)
        else:
            assert isinstance(site.statement, g.Choose)
            yield self.group_of(site), (self.size(asked_type(site), site.statement.domain, "choose", site.statement),)

    def group_of(self, site: Site) -> Group:
        return site.kind, getattr(site.statement, "verb", ""), (plain(asked_type(site)),)

    def size(self, type: g.Type, domain: g.Domain, name: str, where: g.Option | g.Stmt) -> int:
        match type.tag:
            case "card":
                return self.faces + self.cards
            case "member":
                return len(self.program.game.kinds[type.of or ""].members)
            case "player":
                return self.program.players
            case "flag":
                return 2
            case "number":
                return self.largest_number(domain, name, where) + 1
        raise AdapterError(f"{where.span}: `{name}` chooses a {type.tag}, for which there are no numbers.")

    def largest_number(self, domain: g.Domain, name: str, where: g.Option | g.Stmt) -> int:
        most = self.bounds.of_items(domain.list) if domain.list is not None else self.bounds.most(domain.high)
        if self.largest is not None:
            return self.largest if most is None else min(most, self.largest)
        if most is None:
            title = self.program.game.title
            raise AdapterError(
                f"{where.span}: {title} cannot be represented: `{name}` offers numbers without a known limit. "
                "Set largest_number=…"
            )
        return most

    # ------------------------------------------------------------ legal moves
    def of(self, names: Names, state: State, texts: Iterable[str]) -> dict[int, int]:
        """Return the codes of the legal moves by action number, ascending.

        `texts` has the printed moves. Raise AdapterError if no legal move has a number."""
        site = self.program.site(state)
        numbered: dict[int, int] = {}
        alike: list[tuple[str, int]] = []
        for text, code in sorted(zip(texts, state.legal, strict=True)):
            number = self.number(site, state, code)
            if number in numbered:
                alike.append((text, code))
            elif number is not None:
                numbered[number] = code
        if self.spare + len(alike) > self.count:
            raise AdapterError(f"{self.program.game.title}: too many moves that look alike are legal at the same time.")
        numbered.update((self.spare + place, code) for place, (_, code) in enumerate(alike))
        if not numbered:
            raise AdapterError(f"{self.program.game.title}: only numbers above {self.largest} are legal.")
        return dict(sorted(numbered.items()))

    def number(self, site: Site, state: State, code: int) -> int | None:
        """Return the action number of a move, or None if it binds a number that is too large."""
        if code == DONE:
            declines = bool(getattr(site.statement, "may", False)) and not state.picks
            return PASS_NUMBER if site.kind not in ("pick", "several") or declines else DONE_NUMBER
        option, values = self.program.decode(site, code)
        if option is None:
            group = self.group_of(site)
        else:
            chosen = site.options[option]
            group = "option", chosen.name, tuple(plain(var.type) for var, _ in chosen.binders)
        number = 0
        for type, value, size in zip(group[2], values, self.sizes[group], strict=True):
            part = self.card(state, value) if type.tag == "card" else value
            if part >= size:
                return None
            number = number * size + part
        return self.base[group] + number

    def card(self, state: State, card: int) -> int:
        if self.program.visible(state, card, state.who):
            return self.program.face[card]
        return self.faces + state.z[state.loc[card]].index(card)


def plain(type: g.Type) -> g.Type:
    """Return a type reduced to the parts that determine its values."""
    return g.Type(type.tag, of=type.of)

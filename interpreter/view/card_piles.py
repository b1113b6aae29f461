"""Piles, cards and card grids of a table."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from functools import cached_property, lru_cache

from attrs import evolve, frozen

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.english.morphology import replace_hyphens
from cardlang.model import Game, Show
from cardlang.model.statement_effects import iter_effects, iter_transfers
from cardlang.model.suits_and_hand_sorting import Suits
from cardlang.model.traversal import collect_all_nodes, find_reachable_steps, iter_declaration_expressions, walk
from interpreter.narration.display_names import Refs
from interpreter.view.player_view import CardView, ZoneView, find_grid_tracks, format_cell
from interpreter.view.table_model import MAX_CACHED_PARTS, DisplayFact, PileForm, TableCard, TablePile

GridCell = tuple[int, int]


class GridLayout:
    """Grid layout of one game. `cells`: the tracks for row and column, by zone."""

    def __init__(self, game: g.Game) -> None:
        self.game = game
        self.cells = find_grid_tracks(game)

    def combine_grids(self, piles: Sequence[TablePile]) -> tuple[TablePile, ...]:
        """Return the piles of one place, with the piles of each grid combined at the position of the first.

        If a cell has two cards, or a card has no cell, they stay separate rows.
        """
        if not self.cells:
            return tuple(piles)
        combined: list[TablePile] = []
        done: set[tuple[str, ...]] = set()
        for pile in map(self.remove_grid_coordinates, piles):
            cells = self.cells.get(pile.name, ())
            alike = [each for each in piles if cells and self.cells.get(each.name) == cells]
            grid = self.build_grid(alike, cells) if cells else None
            if grid is None:
                combined.append(evolve(pile, form="row") if cells else pile)
            elif cells not in done:
                done.add(cells)
                combined.append(grid)
        return tuple(combined)

    def build_grid(self, piles: Sequence[TablePile], cells: tuple[str, ...]) -> TablePile | None:
        placed = {
            cell: card for pile in piles for card in pile.cards if (cell := self.find_cell(card, cells)) is not None
        }
        if not placed or len(placed) != sum(pile.count for pile in piles):
            return None
        rows, columns = (sorted({cell[at] for cell in placed}) for at in (0, 1))
        cards = tuple(
            evolve(self.remove_track_marks(card, cells), place=format_cell(self.game, cells, dict(card.marks)))
            for _, card in sorted(placed.items(), key=lambda item: item[0])
        )
        indices = tuple(rows.index(row) * len(columns) + columns.index(column) for row, column in sorted(placed))
        return evolve(
            piles[0],
            label="cards" if len(piles) > 1 else piles[0].label,
            cards=cards,
            across=len(columns),
            cells=indices if len(placed) < len(rows) * len(columns) else (),
        )

    def remove_grid_coordinates(self, pile: TablePile) -> TablePile:
        """Return a pile outside grids without the row and column counters of its cards."""
        if pile.name in self.cells or not any(card.marks for card in pile.cards):
            return pile
        everywhere = tuple(name for cells in self.cells.values() for name in cells)
        return evolve(pile, cards=tuple(self.remove_track_marks(card, everywhere) for card in pile.cards))

    def remove_track_marks(self, card: TableCard, tracks: Sequence[str]) -> TableCard:
        """Return a card without the counters of some tracks."""
        nouns = {replace_hyphens(self.game.tracks[name].noun.singular) for name in tracks}
        return evolve(card, marks=tuple(mark for mark in card.marks if mark[0] not in nouns))

    def find_cell(self, card: TableCard, cells: tuple[str, ...]) -> GridCell | None:
        marks = dict(card.marks)
        row, column = (self.find_grid_line_index(name, marks) for name in cells)
        return None if row is None or column is None else (row, column)

    def find_grid_line_index(self, name: str, marks: dict[str, str]) -> int | None:
        """Return the index of a row or column; None if the card has none."""
        track = self.game.tracks[name]
        mark = marks.get(replace_hyphens(track.noun.singular))
        if track.type.tag == "number":
            return int(mark or 0)
        members = [member.name for member in self.game.kinds[str(track.type.of)].members]
        return members.index(mark) if mark in members else None


@frozen
class CardHighlights:
    """Facts about cards from the current decision.

    - `moves`: indices of the moves that touch a ref.
    - `chosen`, `selectable`: refs in the set being selected, and refs that can be selected or deselected now.
    - `counts`: refs that count in the value of the hand.
    - `best`: place of the best card of the trick, from 1.
    - `new_cards`: refs of cards that just came to the viewer's hand.
    - `facts`: values that the game shows of cards, by ref.
    - `melded`: refs of the cards of a hand split into groups, group by group.
    """

    moves: Mapping[str, tuple[int, ...]]
    chosen: Collection[str] = ()
    selectable: Collection[str] = ()
    counts: Collection[str] = ()
    best: int = 0
    new_cards: Collection[str] = ()
    facts: Mapping[str, tuple[DisplayFact, ...]] = {}
    melded: Sequence[str] = ()

    @cached_property
    def highlighted_card_refs(self) -> Set[str]:
        """Refs of all cards with such a fact."""
        return {*self.moves, *self.counts, *self.selectable, *self.chosen, *self.new_cards, *self.facts}

    @cached_property
    def highlighted_pile_refs(self) -> Set[str]:
        """Refs of all piles with such a card."""
        return {ref.partition("#")[0] for ref in self.highlighted_card_refs}


NO_HIGHLIGHTS = CardHighlights({})
MAX_CACHED_CARDS = 50_000
"""Maximum number of cached cards."""


class PileLayout:
    """Layout of the zones of one game. `score`: name of the score track."""

    def __init__(self, game: Game, score: str | None = None) -> None:
        self.game = game
        self.score = score
        self.suits = Suits(game)
        self.grids = GridLayout(game)
        self.zone_shows: dict[str, Show] = {show.zone: show for show in game.shows if show.zone is not None}
        self.build_plain_pile = lru_cache(MAX_CACHED_PARTS)(
            lambda zone, best: self.create_pile(zone, CardHighlights({}, best=best))
        )
        self.cached_cards: dict[tuple[str, int | None, str, bool], TableCard] = {}
        self.sorting: dict[int | None, tuple[int, ...]] = {}

    def build_pile(self, zone: ZoneView, highlights: CardHighlights) -> TablePile:
        """Return a pile. A pile without special facts is cached, and so is a trick with its best card."""
        pile = self.build_plain_pile(zone, 0)
        if pile.ref in highlights.highlighted_pile_refs:
            return self.create_pile(zone, highlights)
        return self.build_plain_pile(zone, highlights.best) if pile.form == "trick" else pile

    def create_pile(self, zone: ZoneView, highlights: CardHighlights) -> TablePile:
        ref, form = Refs.build_pile_ref(zone.name, zone.owner, zone.second), self.find_form(zone)
        places = list(enumerate(zone.cards, 1))
        if form == "hand" and self.game.zones[zone.name].viewer == "owner":  # a hidden hand keeps its order
            order = {each: number for number, each in enumerate(highlights.melded)}
            places.sort(
                key=lambda entry: (order.get(f"{ref}#{entry[0]}", len(order)), self.get_hand_sort_key(entry[1].face))
            )
        show = self.zone_shows.get(zone.name)
        return TablePile(
            ref=ref,
            name=zone.name,
            label=zone.noun,
            owner=zone.owner,
            form=form,
            across=show.columns if show is not None and form == "grid" else 0,
            private=zone.private,
            cards=tuple(
                self.build_card(f"{ref}#{position}", card, form, highlights, position) for position, card in places
            ),
            beside=Refs.build_pile_ref(show.beside, None) if show is not None and show.beside else "",
            empty_stays=show is not None,
            put_down=zone.name in self.zones_shown_as_counts,
            is_spent=zone.name in self.spent_zones,
        )

    def combine_grids(self, piles: Sequence[TablePile]) -> tuple[TablePile, ...]:
        """Return the piles of one place, with the piles of one grid combined."""
        return self.grids.combine_grids(piles)

    def build_card(
        self, ref: str, card: CardView, form: PileForm, highlights: CardHighlights, position: int
    ) -> TableCard:
        """Return a card at a place. A card without special facts is cached for its place."""
        if card.marks or form == "trick" or ref in highlights.highlighted_card_refs:
            note = build_trick_note(position, highlights.best) if form == "trick" else ""
            return create_card(ref, card, card.by if form == "trick" else None, note, highlights)
        key = (ref, card.face, card.back, card.up)
        cached = self.cached_cards.get(key)
        if cached is None:
            if len(self.cached_cards) > MAX_CACHED_CARDS:
                self.cached_cards.clear()
            cached = self.cached_cards[key] = create_card(ref, card, None, "", NO_HIGHLIGHTS)
        return cached

    @cached_property
    def faces_that_turn_over(self) -> frozenset[tuple[int, str]]:
        """Faces that have another face, each with the flag that turns it over."""
        columns = [column for column in self.game.columns.values() if column.other_face_name in self.game.tracks]
        return frozenset(
            (face, column.other_face_name)
            for column in columns
            for face, title in enumerate(column.values)
            if title is not None
        )

    def turn_cards(self, pile: TablePile, set_flags: Collection[str]) -> TablePile:
        """Return a pile with the cards turned over that a flag of their owner turns.

        `set_flags`: the flags that are set.
        """
        if not set_flags or pile.form == "hand":
            return pile
        cards = tuple(
            evolve(card, turned=True)
            if any((card.face, flag) in self.faces_that_turn_over for flag in set_flags)
            else card
            for card in pile.cards
        )
        return evolve(pile, cards=cards) if cards != pile.cards else pile

    def is_trick_pile(self, ref: str) -> bool:
        """Return whether the pile of a ref has the layout of a trick."""
        return self.is_trick_zone(Refs.get_zone_name(ref))

    def is_trick_zone(self, zone: str) -> bool:
        show = self.zone_shows.get(zone)
        return show is not None and show.form == "trick"

    def is_public_pile(self, ref: str) -> bool:
        """Return whether all players see the cards in the pile of a ref."""
        return bool(ref) and self.game.zones[Refs.get_zone_name(ref)].viewer == "everyone"

    def get_pile_owner(self, ref: str) -> str | None:
        """Return the owner of a pile; None for the table."""
        parts = ref.split("/", 2)
        return parts[2] if len(parts) > 2 else None

    def get_face_up_card(self, code: str) -> TableCard:
        """Return a face-up card by its code, without a position."""
        return self.face_up_cards[code]

    @cached_property
    def face_up_cards(self) -> dict[str, TableCard]:
        sets = self.game.sets
        return {
            face.code: TableCard("", face.code, face.title, face.number, sets[face.set].home, up=True)
            for face in self.game.faces
        }

    @cached_property
    def descriptions(self) -> dict[str, str]:
        """The author's descriptions of tracks and definitions, by name. A `show` line replaces the declaration's."""
        declared: dict[str, g.Define | g.Track] = {**self.game.defines, **self.game.tracks}
        shows = [show for show in reversed(self.game.shows) if show.doc and show.zone is None]
        shown = {str(show.track or show.define): show.doc for show in shows}
        return {name: each.doc for name, each in declared.items()} | shown

    def get_hand_sort_key(self, face: int | None) -> tuple[int, ...]:
        sort_key = self.sorting.get(face)
        if sort_key is None:
            sort_key = self.sorting[face] = self.suits.build_hand_sort_key(face)
        return sort_key

    def find_form(self, zone: ZoneView) -> PileForm:
        """Return the layout of a zone: declared by the game, or else the usual one for its type."""
        show = self.zone_shows.get(zone.name)
        if show is not None and show.form is not None:
            return show.form  # type: ignore[return-value]
        declared = self.game.zones[zone.name]
        if declared.viewer in ("owner", "others") and zone.subject == "player":
            return "hand"
        return "row" if zone.name in self.searched_zones and declared.viewer == "everyone" else "stack"

    @cached_property
    def setup_only_zones(self) -> frozenset[str]:
        """Zones of the table that only the set-up uses. After the set-up, cards left there are out of the game."""
        game = self.game
        once = find_reachable_steps(game, game.steps["setup"].body) | {"setup"} if "setup" in game.steps else set()
        lasting: list[object] = [
            *(step.body for step in game.steps.values() if step.name not in once),
            *(body.body for card_step in game.borne_steps.values() for body in card_step.bodies if body),
            *((reaction.option,) for reaction in game.reactions),
            *(trigger.body for trigger in game.enters),
            *(trigger.body for trigger in game.whenevers),
        ]
        again = set[str]().union(*(find_reachable_steps(game, body) for body in lasting)) & once
        parts = walk((*lasting, *(game.steps[name].body for name in again), *iter_declaration_expressions(game)))
        spoken_of = {part.zone for part in parts if isinstance(part, g.ZoneCards | g.Place)} | self.zone_shows.keys()
        return frozenset(zone.name for zone in game.zones.values() if zone.subject is None) - spoken_of

    @cached_property
    def zones_shown_as_counts(self) -> frozenset[str]:
        """Zones for which players only need the number of cards.

        Among owned zones, these are the zones that no player may look into. Among zones of the table, these are the
        zones that no rule reads and whose cards leave only all together. A zone of the table is excluded if players
        choose cards to put there face up, or if the game shows it.
        """
        parts = collect_all_nodes(self.game)
        together = {
            id(zone)
            for card_transfer in iter_transfers(parts)
            if card_transfer.is_whole
            for zone in find_whole_zones(card_transfer.cards)
        }
        used = {part.zone for part in parts if isinstance(part, g.ZoneCards) and id(part) not in together}
        chosen_targets = {transfer.to.zone for transfer in iter_transfers(parts) if transfer.is_chosen}
        return frozenset(
            zone.name
            for zone in self.game.zones.values()
            if zone.name not in self.zone_shows
            and (
                zone.viewer == "nobody"
                if zone.subject is not None
                else zone.name not in used and (zone.viewer == "nobody" or zone.name not in chosen_targets)
            )
        )

    @cached_property
    def spent_zones(self) -> frozenset[str]:
        """Zones of players that collect tricks or that a shown value counts. Their number of cards says nothing new."""
        shown = [self.game.defines[show.define].value for show in self.game.shows if show.define is not None]
        read = [[part.zone for part in walk((value,)) if isinstance(part, g.ZoneCards)] for value in shown]
        collected = {
            transfer.to.zone
            for transfer in iter_transfers(collect_all_nodes(self.game))
            if transfer.is_whole and any(self.is_trick_zone(zone.zone) for zone in find_whole_zones(transfer.cards))
        }
        spent = collected | {zones[0] for zones in read if len(zones) == 1}
        return frozenset(
            name for name in spent & self.zones_shown_as_counts if self.game.zones[name].subject is not None
        )

    @cached_property
    def whole_hand_moves(self) -> frozenset[Span]:
        """Places of the rules by which a player takes up a whole pile into their hand, or puts down their whole hand.

        A hand is put down on a pile that only has a size.
        """
        zones = self.game.zones
        return frozenset(
            part.span
            for part, effects in iter_effects(collect_all_nodes(self.game))
            for move in effects.transfers
            if move.is_whole
            and isinstance(move.cards, g.ZoneCards)
            and zones[move.cards.zone].subject == "player"
            and (
                (zones[move.to.zone].subject is None and move.to.zone in self.zones_shown_as_counts)
                or (zones[move.to.zone].subject, zones[move.to.zone].viewer) == ("player", "owner")
            )
        )

    @cached_property
    def searched_zones(self) -> frozenset[str]:
        """Zones in which more than the top card matters.

        Rules choose or search among all their cards, or they hold a single card.
        """
        zones = {zone.name for zone in self.game.zones.values() if zone.single}
        parts = collect_all_nodes(self.game)
        chosen = (transfer.cards for transfer in iter_transfers(parts) if transfer.is_chosen)
        zones |= {zone.zone for cards in chosen for zone in find_considered_zones(self.game, cards)}
        for part in parts:
            match part:
                case g.Domain(list=g.Expr() as among):
                    pass
                case g.Filter() | g.AggBy() | g.Sorted() | g.MapEach():
                    among = part.list
                case g.ReadRanking():
                    among = part.cards
                case g.Call(of=g.Expr() as among) if self.game.defines[part.define].subject == "cards":
                    pass
                case _:
                    continue
            zones |= {each.zone for each in find_considered_zones(self.game, among)}
        return frozenset(zones)


def find_whole_zones(cards: g.Expr) -> Iterator[g.ZoneCards]:
    """Yield the zones that an expression uses whole and in order."""
    match cards:
        case g.ZoneCards():
            yield cards
        case g.Joined():
            for item in cards.items:
                yield from find_whole_zones(item)


def find_considered_zones(game: g.Game, cards: g.Expr) -> Iterator[g.ZoneCards]:
    """Yield the zones all of whose cards an expression considers."""
    match cards:
        case g.ZoneCards():
            yield cards
        case g.Filter() | g.Sorted() | g.AggBy():
            yield from find_considered_zones(game, cards.list)
        case g.Agg(function="distinct" | "reverse"):
            yield from find_considered_zones(game, cards.list)
        case g.Joined():
            for item in cards.items:
                yield from find_considered_zones(game, item)
        case g.FirstPossible():
            for line, _ in cards.lists:
                yield from find_considered_zones(game, line)
        case g.Call():
            yield from find_considered_zones(game, game.defines[cards.define].value)


def build_trick_note(position: int, best: int) -> str:
    """Return the note of a card in a trick: `led`, `best`, or both."""
    return ", ".join(word for word, at in (("led", 1), ("best", best)) if at == position)


def create_card(ref: str, card: CardView, player: str | None, note: str, highlights: CardHighlights) -> TableCard:
    return TableCard(
        ref=ref,
        code=card.code,
        title=card.title,
        face=card.face,
        back=card.back,
        up=card.up,
        marks=card.marks,
        by=player,
        note=note,
        counts=ref in highlights.counts,
        moves=highlights.moves.get(ref, ()),
        chosen=ref in highlights.chosen,
        open=ref in highlights.selectable,
        fresh=ref in highlights.new_cards,
        facts=highlights.facts.get(ref, ()),
    )

"""Check of the samples of a ranking (`like [ … ]`): the ranking must read each as its own rank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from attrs import evolve

from cardlang import game as g
from cardlang.source import Diagnostic
from interpreter.ranking.reader import FaceHolds, Reader

Flags = Sequence[int] | None
WildFlags = Callable[[Sequence[int]], Flags]
"""Function from the cards of a sample to a bit set for each card: the `wild` lines that apply to it."""


def check_samples(game: g.Game, face_holds: FaceHolds | None = None) -> list[Diagnostic]:
    """Return an error for each sample that makes another rank than its own, or none.

    Cards are wild if they are wild at the start of the game.
    face_holds: returns whether the condition of a group or of a `wild` line holds for a face. Without it, the compiled
    rules evaluate the condition, which takes longer.
    """
    return [
        finding
        for ranking in game.rankings.values()
        if any(rank.like for rank in ranking.ranks)
        for reader, wild in (reader_of(game, ranking, face_holds),)
        for number, rank in enumerate(ranking.ranks)
        if rank.like
        for finding in check_sample(game, reader, wild, number)
    ]


def reader_of(game: g.Game, ranking: g.Ranking, face_holds: FaceHolds | None) -> tuple[Reader, WildFlags]:
    if face_holds is not None:  # ties do not affect the rank
        reader = Reader(game, evolve(ranking, ties=()), face_holds, [])
        return reader, lambda cards: wild_faces(ranking, face_holds, [reader.deck.face[card] for card in cards])
    from interpreter.compiler import compile_game

    program = compile_game(at_rest(game), game.seats[0])
    reader, blank = program.readings.reader(ranking.name), program.blank(0)
    return reader, lambda cards: program.readings.wild(ranking.name, blank, cards)


def wild_faces(ranking: g.Ranking, holds: FaceHolds, faces: Sequence[int]) -> list[int]:
    lines = list(enumerate(ranking.wilds))
    return [sum(holds(line.condition, line.var, face) << number for number, line in lines) for face in faces]


def at_rest(game: g.Game) -> g.Game:
    """Return the game without steps, reactions and examples. It compiles fast and can still read cards."""
    return evolve(game, steps={}, borne_steps={}, reactions=(), enters=(), whenevers=(), examples=())


def check_sample(game: g.Game, reader: Reader, wild: WildFlags, number: int) -> Iterator[Diagnostic]:
    rank = reader.ranking.ranks[number]
    span = rank.sample
    counts = Counter(rank.like)
    for face in counts:
        if counts[face] > game.faces[face].copies:
            there, code = game.faces[face].copies, game.faces[face].code
            message = f"the game has {there} of `{code}`, but this sample shows {counts[face]}"
            yield Diagnostic("E303", message, span, "use other cards in the sample")
            return
    cards = g.find_copies(game.faces, rank.like)
    found = rank_of(reader, cards, wild(cards), number)
    if found == number:
        return
    other = reader.ranking.ranks[found] if found is not None else None
    message = f"this sample of `{rank.title}` counts as " + (f"`{other.title}`" if other else "no rank at all")
    related = ((other.span, "it counts as this"),) if other else ()
    yield Diagnostic("E303", message, span, "change the sample, or the definition of the rank", related)


def rank_of(reader: Reader, cards: Sequence[int], wild: Flags, own: int) -> int | None:
    """Return the number of the rank that cards make; None for no rank.

    If cards are split, any group counts as a match.
    """
    if reader.ranking.size == "groups":
        return own if reader.matches(cards, wild) else None
    return reader.rank(cards, wild)

"""The samples of a ranking (`like [ … ]`), read by the ranking itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from attrs import evolve

from cardlang import game as g
from cardlang.source import Diagnostic
from interpreter.ranking.reader import FaceHolds, Reader


def check_samples(game: g.Game, face_holds: FaceHolds | None = None) -> list[Diagnostic]:
    """An error for each sample that makes another rank than its own, or none, read without wild cards.

    `face_holds` tells whether the condition of a group holds for a face; if it is not given, the rules of the game do,
    which takes longer."""
    return [
        finding
        for ranking in game.rankings.values()
        if any(rank.like for rank in ranking.ranks)
        for reader in (reader_of(game, ranking, face_holds),)
        for number, rank in enumerate(ranking.ranks)
        if rank.like
        for finding in check_sample(game, reader, number)
    ]


def reader_of(game: g.Game, ranking: g.Ranking, face_holds: FaceHolds | None) -> Reader:
    if face_holds is not None:  # which rank it is, no tie decides
        return Reader(game, evolve(ranking, ties=()), face_holds, [])
    from interpreter.compiler import compile_game

    return compile_game(at_rest(game), game.seats[0]).readings.reader(ranking.name)


def at_rest(game: g.Game) -> g.Game:
    """The same game, but nothing happens in it: cards can be read, and its program is soon made."""
    return evolve(game, steps={}, borne_steps={}, reactions=(), enters=(), whenevers=(), examples=())


def check_sample(game: g.Game, reader: Reader, number: int) -> Iterator[Diagnostic]:
    rank = reader.ranking.ranks[number]
    span = rank.sample
    counts = Counter(rank.like)
    for face in counts:
        if counts[face] > game.faces[face].copies:
            there, code = game.faces[face].copies, game.faces[face].code
            message = f"the game has {there} of `{code}`, and this sample shows {counts[face]}"
            yield Diagnostic("E303", message, span, "use other cards in the sample")
            return
    found = rank_of(reader, cards_of(game, rank.like), number)
    if found == number:
        return
    other = reader.ranking.ranks[found] if found is not None else None
    message = f"this sample of `{rank.title}` reads as " + (f"`{other.title}`" if other else "no rank at all")
    related = ((other.span, "it reads as this"),) if other else ()
    yield Diagnostic("E303", message, span, "change the sample, or what makes the rank", related)


def cards_of(game: g.Game, faces: tuple[int, ...]) -> list[int]:
    """A card of each face; of equal ones the next copy."""
    taken: Counter[int] = Counter()
    cards = []
    for face in faces:
        cards.append(game.faces[face].first + taken[face])
        taken[face] += 1
    return cards


def rank_of(reader: Reader, cards: list[int], own: int) -> int | None:
    """The number of the rank that cards make; None for no rank. Where cards are split, any group will do."""
    if reader.ranking.size == "groups":
        return own if reader.matches(cards) else None
    found = reader.read(cards, None, lambda line, used, rest, wilds: False)
    return None if found is None else found.rank

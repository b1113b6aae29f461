"""Check of a ranking's sample hands: each must get the rank it illustrates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from cardlang import model as g
from cardlang.diagnostics import Diagnostic
from interpreter.hands.hand_evaluator import HandEvaluator
from interpreter.hands.ranking_tables import FaceCondition

CardWildFlags = Sequence[int] | None
WildFlagFunction = Callable[[Sequence[int]], CardWildFlags]
"""Function from the cards of a sample to a bit set for each card: the `wild` lines that apply to it."""


def check_ranking_samples(game: g.Game, face_condition: FaceCondition | None = None) -> list[Diagnostic]:
    """Return an error for each sample that makes no rank or another rank than its own.

    Cards are wild if they are wild at the start of the game.
    face_condition: returns whether the condition of a group or of a `wild` line holds for a face. Without it, the
    compiled rules evaluate the condition, which takes longer.
    """
    return [
        finding
        for ranking in game.rankings.values()
        if any(rank.like for rank in ranking.ranks)
        for reader, wild in (build_sample_evaluator(game, ranking, face_condition),)
        for number, rank in enumerate(ranking.ranks)
        if rank.like
        for finding in check_sample(game, reader, wild, number)
    ]


def build_sample_evaluator(
    game: g.Game, ranking: g.Ranking, face_condition: FaceCondition | None
) -> tuple[HandEvaluator, WildFlagFunction]:
    if face_condition is not None:  # ties do not affect the rank
        reader = HandEvaluator(game, ranking.replace(ties=()), face_condition, [])
        return reader, lambda cards: list_wild_flags(
            ranking, face_condition, [reader.deck.face_by_card[card] for card in cards]
        )
    from interpreter.program.program import compile_game

    program = compile_game(strip_procedures(game), game.seats[0])
    reader, blank = program.readings.find_evaluator(ranking.name), program.create_blank_state(0)
    return reader, lambda cards: program.readings.find_wild_flags(ranking.name, blank, cards)


def list_wild_flags(ranking: g.Ranking, face_condition: FaceCondition, faces: Sequence[int]) -> list[int]:
    lines = list(enumerate(ranking.wilds))
    return [sum(face_condition(line.condition, line.var, face) << number for number, line in lines) for face in faces]


def strip_procedures(game: g.Game) -> g.Game:
    """Return the game without steps, reactions and examples. It compiles fast and can still read cards."""
    return game.replace(steps={}, borne_steps={}, reactions=(), enters=(), whenevers=(), examples=())


def check_sample(
    game: g.Game, evaluator: HandEvaluator, find_wild_flags: WildFlagFunction, number: int
) -> Iterator[Diagnostic]:
    rank = evaluator.ranking.ranks[number]
    span = rank.sample
    counts = Counter(rank.like)
    for face in counts:
        if counts[face] > game.faces[face].copies:
            copy_count, code = game.faces[face].copies, game.faces[face].code
            message = f"the game has {copy_count} of `{code}`, but this sample shows {counts[face]}"
            yield Diagnostic("E303", message, span, "use other cards in the sample")
            return
    cards = g.find_cards_for_faces(game.faces, rank.like)
    found_rank = find_sample_rank(evaluator, cards, find_wild_flags(cards), number)
    if found_rank == number:
        return
    other = evaluator.ranking.ranks[found_rank] if found_rank is not None else None
    message = f"this sample of `{rank.title}` counts as " + (f"`{other.title}`" if other else "no rank at all")
    related = ((other.span, "it counts as this"),) if other else ()
    yield Diagnostic("E303", message, span, "change the sample, or the definition of the rank", related)


def find_sample_rank(
    evaluator: HandEvaluator, cards: Sequence[int], wild_flags: CardWildFlags, own_rank: int
) -> int | None:
    """Return the number of the rank that cards make; None for no rank.

    If cards are split, any group counts as a match.
    """
    if evaluator.ranking.size == "groups":
        return own_rank if evaluator.is_rank(cards, wild_flags) else None
    return evaluator.find_rank(cards, wild_flags)

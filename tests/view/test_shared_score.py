"""A score that all players share is shown once."""

from tests.shipped import Cast


def test_shared_score_belongs_to_the_table() -> None:
    """It is as many rockets as lie in the rows."""
    match = Cast("fireworks", 2).start(4)
    while match.decision is not None:
        texts = match.decision.moves.texts
        match.choose(next((text for text in texts if text == "play 1"), texts[0]))
        table = match.table("Ann")
        assert [fact.name for place in table.places for fact in place.facts if fact.name == "score"] == []
        (score,) = [fact.text for fact in table.middle.facts if fact.name == "score"]
        assert score == str(sum(pile.count for place in table.kinds for pile in place.piles))
    end = next(moment for moment in match.table("Ann").moments if moment.kind == "end")
    assert (end.rows, end.columns) == ((), ())

"""Names resolve by the scoping rules, and values are typed."""

from __future__ import annotations

import pytest

import cardlang
from cardlang import model as g
from tests.semantics.mini import GAME, findings, game


def value(addition: str, name: str = "x") -> g.Expr:
    return game(addition + "\n").defines[name].value


def test_bare_names_are_those_of_the_thing_tested_then_of_the_subject() -> None:
    found = value("define your x as hand where suit = trump and rank = King and score > 1")
    assert isinstance(found, g.Filter) and isinstance(found.condition, g.And)
    both, score = found.condition.left, found.condition.right
    assert isinstance(both, g.And) and isinstance(both.left, g.Compare) and isinstance(score, g.Compare)
    assert isinstance(both.left.left, g.Attribute) and both.left.left.card == found.var
    assert isinstance(both.left.right, g.TrackValue) and both.left.right.of is None
    assert isinstance(score.left, g.TrackValue) and isinstance(score.left.of, g.Var)
    assert score.left.of.name == "you"


def test_your_is_never_the_player_tested() -> None:
    found = value("define your x as players where score > your score")
    assert isinstance(found, g.Filter) and isinstance(found.condition, g.Compare)
    left, right = found.condition.left, found.condition.right
    assert isinstance(left, g.TrackValue) and isinstance(right, g.TrackValue)
    assert left.of == found.var and right.of != found.var


def test_a_number_beside_a_member_is_that_member() -> None:
    found = value("define your x as hand where rank >= 3")
    assert isinstance(found, g.Filter) and isinstance(found.condition, g.Compare)
    assert found.condition.right == g.Const(g.build_member_type("Rank"), found.span, 1)


def test_a_number_that_is_computed_is_compared_with_the_worth() -> None:
    found = value("define your x as hand where rank = score + 1")
    assert isinstance(found, g.Filter) and isinstance(found.condition, g.Compare)
    assert isinstance(found.condition.left, g.Worth)


def test_cases_of_numbers_and_members_are_numbers() -> None:
    found = value("define card's x as\n  10 when rank = King\n  otherwise rank")
    assert isinstance(found, g.Cases) and found.type.tag == "number"
    assert isinstance(found.cases[1][0], g.Worth)


def test_an_attribute_of_a_list_is_that_of_each() -> None:
    hands = value("define x as players' hand")
    assert isinstance(hands, g.MapEach) and hands.type == g.build_list_type(g.CARD)
    assert isinstance(value("define x as Suit's stack"), g.MapEach)
    size = value("define x as table's size")
    assert isinstance(size, g.Builtin) and size.type == g.NUMBER


def test_a_zone_that_holds_one_is_a_card() -> None:
    assert value("define your x as shield's suit").type == g.build_member_type("Suit").as_optional()


def test_nothing_is_asked_for() -> None:
    assert isinstance(value("define x as leader = nobody"), g.IsAbsent)
    assert isinstance(value("define x as trump != nothing"), g.Not)


def test_the_lowest_of_an_unlimited_number_and_another_is_limited() -> None:
    assert not value("define y as unlimited\ndefine x as lowest of (y, 3)").type.unlimited
    assert value("define y as unlimited\ndefine x as highest of (y, 3)").type.unlimited


def test_members_of_the_kind_that_is_asked_for() -> None:
    kind = "ordered kind Bid: Pass, Hearts, King\nBid bid\n"
    found = value(kind + "define x as bid = Hearts")
    assert isinstance(found, g.Compare) and found.right.type.of == "Bid"
    found = value(kind + "define x as trump = Hearts")
    assert isinstance(found, g.Compare) and found.right.type.of == "Suit"


def test_a_kind_that_begins_with_another_can_be_compared_with_it() -> None:
    text = "ordered kind Strain: Suit, Notrump\nStrain strain\ndefine x as table where suit = strain"
    found = value(text)
    assert isinstance(found, g.Filter) and isinstance(found.condition, g.Compare)
    assert found.condition.left.type.of == "Strain"
    assert [m.name for m in game(text + "\n").kinds["Strain"].members] == ["Clubs", "Hearts", "Notrump"]


def test_what_cards_bear() -> None:
    mini = game()
    joker = next(face for face in mini.faces if face.code == "Jo")
    bodies = mini.borne_defines["ready"].bodies
    assert [i for i, body in enumerate(bodies) if body is not None] == [joker.number]
    found = value("define your x as hand where ready")
    assert isinstance(found, g.Filter) and isinstance(found.condition, g.BorneCall)


def test_definitions_of_cards() -> None:
    text = "define reds of pile as count of (pile where suit = Hearts)\ndefine your x as reds of (hand, shield)"
    found = value(text)
    assert isinstance(found, g.Call) and found.define == "reds" and found.of is not None
    assert found.of.type == g.build_list_type(g.CARD)


def test_the_player_asked_keeps_the_choice() -> None:
    step = (
        "step ask\n  leader chooses one\n    option swap\n      set leader to leader's left\n"
        "      set your score to 1\n"
    )
    remember, menu = game(step).steps["ask"].body
    assert isinstance(remember, g.Remember) and isinstance(menu, g.Menu) and menu.who == remember.var
    change = menu.options[0].body[1]
    assert isinstance(change, g.SetTrack) and change.of == remember.var


def test_cards_to_all_players() -> None:
    (move,) = game("step give\n  deal deck to players' hand\n").steps["give"].body
    assert isinstance(move, g.Move) and move.to.each and move.to.zone == "hand"


def test_only_the_number_is_chosen_from_the_top() -> None:
    (pick,) = game("step your go\n  you draw up to 2 from top of deck to your hand\n").steps["go"].body
    assert isinstance(pick, g.Pick)
    assert (pick.position, pick.low, pick.source.type) == ("top", None, g.build_list_type(g.CARD))


def test_reactions_know_target_and_shared_names() -> None:
    text = (
        "step your go\n  you choose victim from your others\n  announce hit on (top of deck) with victim\n"
        "    shuffle deck\nreaction dodge\n  to hit\n  when you = victim and target is Jokers\n  cancel\n"
    )
    (reaction,) = game(text).reactions
    ((when, _),) = reaction.option.when
    assert isinstance(when, g.And) and isinstance(when.left, g.Compare)
    assert isinstance(when.left.right, g.Target) and when.left.right.name == "victim"


def test_variables_have_ids_of_their_own() -> None:
    mini = game()
    ids = [step.you.id for step in mini.steps.values() if step.you]
    ids += [define.var.id for define in mini.defines.values() if define.var]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(("count", "cards", "codes"), [(1, 10, ["2c", "Kh", "Jo"]), (3, 26, ["2c"]), (0, 2, ["Jo"])])
def test_cards_are_numbered_face_by_face(count: int, cards: int, codes: list[str]) -> None:
    text = GAME.replace("1 of each Rank, Suit", f"{count} of each Rank, Suit")
    mini = cardlang.loads(text)
    assert mini.cards == cards
    assert all(any(face.code == code for face in mini.faces) for code in codes)
    first = 0
    for face in mini.faces:
        assert face.first == first
        first += face.copies


def test_columns_are_absent_where_cards_do_not_have_them() -> None:
    mini = game()
    assert mini.columns["power"].values == (*[None] * 8, 3)
    assert mini.columns["suit"].type == g.build_member_type("Suit").as_optional()
    assert mini.columns["rank"].values == (0, 0, 1, 1, 2, 2, 3, 3, None)


def test_a_row_of_the_wrong_member() -> None:
    row = 'cards More in deck with suit\n  1 of "A" (A), Clbs\n'
    assert findings(row) == [("E238", "Clbs")]

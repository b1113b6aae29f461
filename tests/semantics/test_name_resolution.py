"""Names resolve by the scoping rules, and values are typed."""

import pytest

import cardlang
from cardlang import model as g
from tests.semantics.mini import GAME, findings, game


def value(addition: str, name: str = "x") -> g.Expr:
    return game(addition + "\n").defines[name].value


def test_bare_names_prefer_the_tested_item() -> None:
    found = value("define your x as hand where suit = trump and rank = King and score > 1")
    assert isinstance(found, g.Filter) and isinstance(found.condition, g.And)
    both, score = found.condition.left, found.condition.right
    assert isinstance(both, g.And) and isinstance(both.left, g.Compare) and isinstance(score, g.Compare)
    assert isinstance(both.left.left, g.Attribute) and both.left.left.card == found.var
    assert isinstance(both.left.right, g.TrackValue) and both.left.right.of is None
    assert isinstance(score.left, g.TrackValue) and isinstance(score.left.of, g.Var)
    assert score.left.of.name == "you"


def test_your_never_means_the_tested_player() -> None:
    found = value("define your x as players where score > your score")
    assert isinstance(found, g.Filter) and isinstance(found.condition, g.Compare)
    left, right = found.condition.left, found.condition.right
    assert isinstance(left, g.TrackValue) and isinstance(right, g.TrackValue)
    assert left.of == found.var and right.of != found.var


def test_number_compared_with_a_member_is_a_member() -> None:
    found = value("define your x as hand where rank >= 3")
    assert isinstance(found, g.Filter) and isinstance(found.condition, g.Compare)
    assert found.condition.right == g.Const(g.build_member_type("Rank"), found.span, 1)


@pytest.mark.parametrize(
    ("test", "cards"),
    [
        ("rank in (3, King)", "3 K"),
        ("rank not in (King, 3)", "A 2 4"),
        ("rank in distinct of (2, King, 3)", "2 3 K"),
        ("rank in listed", "3 K"),
        ("(it, top of table)'s rank != (3, Ace)", "A 2 3 4 K"),
        ("(3, Ace) != (it, top of table)'s rank", "A 2 3 4 K"),
    ],
)
def test_numbers_in_a_list_compared_with_members_are_members(test: str, cards: str) -> None:
    kind = "ordered kind Rank: 2 to 4, King (K), Ace (A)"
    rules = "cards Pack in table\n  1 of each Rank\nzone table\nnumber your score\ndefine listed as (3, King)"
    example = 'step play\n  reveal table\nexample "Few" with Ann, Bob\n  given\n    table [A 2 3 4 K]\n'
    text = f'game "Members" for 2 players\n{kind}\n{rules}\n{example}  expect (table where {test}) = [{cards}]\n'
    (outcome,) = (example.run() for example in cardlang.loads(text).examples)
    assert outcome.passed, outcome.message


def test_numbers_in_a_calculated_list_stay_numbers() -> None:
    found = value("define x as highest of (2, King) + 1")
    assert isinstance(found, g.Arith) and found.left.type.tag == "number"
    assert isinstance(found.left, g.Agg) and found.left.list.type.item == g.NUMBER


def test_computed_number_is_compared_with_the_worth() -> None:
    found = value("define your x as hand where rank = score + 1")
    assert isinstance(found, g.Filter) and isinstance(found.condition, g.Compare)
    assert isinstance(found.condition.left, g.Worth)


def test_cases_of_numbers_and_members_are_numbers() -> None:
    found = value("define card's x as\n  10 when rank = King\n  otherwise rank")
    assert isinstance(found, g.Cases) and found.type.tag == "number"
    assert isinstance(found.cases[1][0], g.Worth)


def test_attribute_of_a_list_maps_over_it() -> None:
    hands = value("define x as players' hand")
    assert isinstance(hands, g.MapEach) and hands.type == g.build_list_type(g.CARD)
    assert isinstance(value("define x as Suit's stack"), g.MapEach)


def test_single_card_zone_is_a_card() -> None:
    assert value("define your x as shield's suit").type == g.build_member_type("Suit").as_optional()


def test_comparison_with_nothing_tests_absence() -> None:
    assert isinstance(value("define x as leader = nobody"), g.IsAbsent)
    assert isinstance(value("define x as trump != nothing"), g.Not)


def test_lowest_with_a_limited_number_is_limited() -> None:
    assert not value("define y as unlimited\ndefine x as lowest of (y, 3)").type.unlimited
    assert value("define y as unlimited\ndefine x as highest of (y, 3)").type.unlimited


def test_ambiguous_members_follow_the_expected_kind() -> None:
    kind = "ordered kind Bid: Pass, Hearts, King\nBid bid\n"
    found = value(kind + "define x as bid = Hearts")
    assert isinstance(found, g.Compare) and found.right.type.of == "Bid"
    found = value(kind + "define x as trump = Hearts")
    assert isinstance(found, g.Compare) and found.right.type.of == "Suit"


def test_kind_extending_another_is_comparable() -> None:
    text = "ordered kind Strain: Suit, Notrump\nStrain strain\ndefine x as table where suit = strain"
    found = value(text)
    assert isinstance(found, g.Filter) and isinstance(found.condition, g.Compare)
    assert found.condition.left.type.of == "Strain"
    assert [m.name for m in game(text + "\n").kinds["Strain"].members] == ["Clubs", "Hearts", "Notrump"]


def test_card_definitions_resolve() -> None:
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


def test_chooser_is_fixed_during_the_choice() -> None:
    step = (
        "step ask\n  leader chooses one\n    option swap\n      set leader to leader's left\n"
        "      set your score to 1\n"
    )
    remember, menu = game(step).steps["ask"].body
    assert isinstance(remember, g.Remember) and isinstance(menu, g.Menu) and menu.who == remember.var
    change = menu.options[0].body[1]
    assert isinstance(change, g.SetTrack) and change.of == remember.var


def test_move_to_all_players_resolves() -> None:
    (move,) = game("step give\n  deal deck to players' hand\n").steps["give"].body
    assert isinstance(move, g.Move) and move.to.each and move.to.zone == "hand"


def test_draw_from_the_top_chooses_only_a_number() -> None:
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


def test_variables_have_distinct_ids() -> None:
    mini = game()
    ids = [step.you.id for step in mini.steps.values() if step.you]
    ids += [define.var.id for define in mini.defines.values() if define.var]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(("count", "cards", "codes"), [(1, 10, ["2c", "Kh", "Jo"]), (3, 26, ["2c"]), (0, 2, ["Jo"])])
def test_cards_are_numbered_by_face(count: int, cards: int, codes: list[str]) -> None:
    text = GAME.replace("1 of each Rank, Suit", f"{count} of each Rank, Suit")
    mini = cardlang.loads(text)
    assert mini.cards == cards
    assert all(any(face.code == code for face in mini.faces) for code in codes)
    first = 0
    for face in mini.faces:
        assert face.first == first
        first += face.copies


def test_missing_columns_are_absent() -> None:
    mini = game()
    assert mini.columns["power"].values == (*[None] * 8, 3)
    assert mini.columns["suit"].type == g.build_member_type("Suit").as_optional()
    assert mini.columns["rank"].values == (0, 0, 1, 1, 2, 2, 3, 3, None)


def test_row_with_an_unknown_member_is_rejected() -> None:
    row = 'cards More in deck with suit\n  1 of "A" (A), Clbs\n'
    assert findings(row) == [("E238", "Clbs")]

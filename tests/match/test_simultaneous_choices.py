"""Simultaneous choices: each is checked again when it is carried out, and skipped if impossible by then."""

from collections.abc import Iterator

import pytest

import cardlang
from cardlang import model as g
from cardlang.model.simultaneous_choice_conflicts import can_choices_conflict
from cardlang.model.traversal import collect_all_nodes
from interpreter.lower import simultaneous_choices
from interpreter.match.match import Match
from interpreter.native.engine import build_engine
from interpreter.program.program import compile_game
from tests.game_files import read_game
from tests.native.following import QUICK, follow, needs_either
from tests.shipped import Cast, casts, load

START = read_game("together")
PLAY = """
step play
  repeat until rounds = 3
    add 1 to rounds
    do chance
step chance
  together each player
"""
BODIES = {
    "one card": "    you take 1 from market to your hand",
    "two cards": "    you take 2 from market to your hand",
    "some cards": "    you take 1 to 3 from market to your hand",
    "copies": "    you take 1 from twins to your hand",
    "several copies": "    you take 1 to 2 from twins to your hand",
    "a number": "    you choose amount from 0 to pool\n      subtract amount from pool\n      add amount to your coins",
    "a card by name": """\
    you choose prize from market when prize's value <= pool
      subtract 1 from pool
      take prize to your hand""",
    "options": """\
    you may choose one
      option grab with prize from market
        take prize to your hand
      option twin with prize from twins
        take prize to your hand
      option dip when pool > 0
        subtract 2 from pool
        add 2 to your coins
      option tax costs 1 coins
        set your left's coins to 0
      option wait
        add 1 to your tries""",
    "players": """\
    you choose 1 to 2 victims from your others where coins > 0
      each player in victims
        set your coins to 0""",
    "theft": """\
    you choose lost from your hand
      move random of your left's hand to stock
      move lost to market""",
    "a draw": "    you draw 1 to 2 from top of market to your hand",
    "passing on": "    you pass up to 2 from your hand to your left's hand",
    "two things": """\
    you may choose one
      option buy with prize from market, price from 1 to pool
        when price <= prize's value
        subtract price from pool
        take prize to your hand
      option rob with victim from your others, lost from victim's hand where value > 1
        move lost to stock""",
    "halves": """\
    you choose amount from pool / 2 to pool
      subtract amount / 2 from pool""",
    "values": """\
    you choose 2 to 3 wanted from market's value when total of wanted < 3 * pool
      subtract 1 from pool
      move market where value = highest of wanted to your hand""",
    "out": """\
    you choose victim from your others
      set victim's sunk to yes
      eliminate victim""",
}


def start(body: str, *, setup: str = "", seed: int = 1) -> Match:
    text = START + (f"step setup\n{setup}" if setup else "") + PLAY + BODIES.get(body, body) + "\n"
    match: Match = cardlang.loads(text).start(["Ann", "Bob", "Cat"], seed)
    return match


def choose(match: Match, *moves: str) -> list[str]:
    """Return the log after these choices."""
    before = len(match.log)
    for move in moves:
        match.choose(move)
    return list(match.log[before:])


def hands(match: Match) -> dict[str, str]:
    state, base = match.state, match.program.zone_base["hand"]
    return {name: match.names.format_cards(state.z[base + seat]) for seat, name in enumerate(match.players)}


def list_lapsed(log: list[str]) -> list[str]:
    return [line.split("'s choice is no longer possible")[0] for line in log if "no longer possible" in line]


def test_taken_card_cannot_be_taken_again() -> None:
    match = start("one card")
    log = choose(match, "take [5]", "take [5]", "take [5]")
    assert hands(match) == {"Ann": "[5]", "Bob": "[]", "Cat": "[]"}
    assert list_lapsed(log) == ["Bob", "Cat"]


def test_number_is_rechecked_against_the_rest() -> None:
    match = start("a number")
    assert list_lapsed(choose(match, "2", "2", "1")) == ["Bob"]
    assert match.scores == [4, 2, 3]


def test_set_of_cards_is_taken_whole_or_not() -> None:
    match = start("two cards")
    assert list_lapsed(choose(match, "take [1 2]", "take [2 3]", "take [3 4]")) == ["Bob"]
    assert hands(match) == {"Ann": "[1 2]", "Bob": "[]", "Cat": "[3 4]"}


def test_equal_copy_replaces_a_taken_card() -> None:
    match = start("copies")
    assert list_lapsed(choose(match, "take [L]", "take [L]", "take [L]")) == ["Cat"]
    assert hands(match) == {"Ann": "[L]", "Bob": "[L]", "Cat": "[]"}


def test_one_copy_replaces_one_card() -> None:
    match = start("several copies")
    assert list_lapsed(choose(match, "[L]", "done", "[L L]", "[L R]")) == ["Bob"]
    assert hands(match) == {"Ann": "[L]", "Bob": "[]", "Cat": "[L R]"}


def test_a_condition_on_the_choice_is_tested_again() -> None:
    """Ann leaves a pool of 2: a 3 is too large for it, a 2 is not."""
    match = start("a card by name")
    assert list_lapsed(choose(match, "[1]", "[3]", "[2]")) == ["Bob"]
    assert hands(match) == {"Ann": "[1]", "Bob": "[]", "Cat": "[2]"}


def test_options_are_rechecked_with_bound_values() -> None:
    match = start("options")
    assert list_lapsed(choose(match, "grab [4]", "grab [4]", "grab [5]")) == ["Bob"]
    assert list_lapsed(choose(match, "twin [L]", "twin [L]", "twin [R]")) == []
    match = start("options")
    assert list_lapsed(choose(match, "dip", "dip", "dip")) == ["Cat"]
    assert match.scores == [4, 4, 2]


def test_unaffordable_option_is_skipped() -> None:
    match = start("options")
    assert list_lapsed(choose(match, "tax", "tax", "wait")) == ["Bob"]
    assert match.scores == [1, 0, 2]


def test_passing_is_always_possible() -> None:
    match = start("options")
    assert list_lapsed(choose(match, "grab [1]", "pass", "pass")) == []


def test_chosen_players_are_rechecked() -> None:
    match = start("players")
    assert list_lapsed(choose(match, "Bob", "done", "Cat", "done", "[Ann Bob]")) == ["Cat"]
    assert match.scores == [2, 0, 0]


def test_eliminated_player_does_nothing() -> None:
    match = start("out")
    log = choose(match, "Bob", "Ann", "Ann")
    assert list_lapsed(log) == ["Bob"]
    assert match.winners == ["Cat"]


def test_player_condition_is_rechecked() -> None:
    body = "    you choose victim from your others\n      set victim's coins to 0"
    text = START + PLAY.replace("each player\n", "each player where coins > 0\n") + body + "\n"
    match = cardlang.loads(text).start(["Ann", "Bob", "Cat"], 1)
    assert list_lapsed(choose(match, "Bob", "Cat", "Bob")) == ["Bob"]
    assert match.scores == [2, 0, 2]


def test_smaller_draw_is_allowed_if_the_pile_runs_out() -> None:
    """Five cards, and three players who draw two each."""
    match = start("a draw")
    assert list_lapsed(choose(match, "draw 2", "draw 2", "draw 2")) == []
    assert sorted(len(held.strip("[]").split()) for held in hands(match).values()) == [1, 2, 2]


def test_incoming_cards_do_not_invalidate_a_choice() -> None:
    """Each passes two: whoever had one card passes that, though Ann's have come to it."""
    body = "    you pass 2 from your hand to your left's hand"
    setup = (
        "  move market where value in (1, 2) to (first of players)'s hand\n"
        "  each player where hand is empty\n    move first of market to your hand\n"
    )
    match = start(body, setup=setup)
    assert list_lapsed(choose(match, "pass [1 2]", "pass [3]", "pass [4]")) == []
    assert hands(match) == {"Ann": "[4]", "Bob": "[1 2]", "Cat": "[3]"}


def test_rechecked_secret_choice_becomes_public() -> None:
    """Whether it was possible shows what it was, so it is not told as a secret."""
    kept = "    you choose bid from 0 to 5\n      set your secret-bid to bid"
    open_ = "    you choose bid from 0 to pool\n      set your secret-bid to bid\n      subtract 1 from pool"
    hidden, told = start(kept), start(open_)
    choose(hidden, "3", "3", "3")
    assert any("in secret" in line for line in hidden.view("Cat").log)
    assert list_lapsed(choose(told, "3", "3", "1")) == ["Bob"]
    assert not any("in secret" in line for line in told.view("Cat").log)


# ---------------------------------------------------------------- where nothing can get in the way
def find_simultaneous_loops(game: g.Game) -> Iterator[g.Each]:
    return (part for part in collect_all_nodes(game) if isinstance(part, g.Each) and part.together)


def test_choices_about_own_cards_are_not_tested_again() -> None:
    """What no other player can change needs no second test, and no word on the sheet."""
    found = {name for cast in casts() for name in [cast.game] if any(find_simultaneous_loops(load(name)))}
    assert found == {"goofspiel", "hearts", "cribbage", "blackjack"}
    assert not any(
        can_choices_conflict(load(name), each) for name in found for each in find_simultaneous_loops(load(name))
    )


@pytest.mark.parametrize("name", BODIES)
def test_conflicting_choices_are_found(name: str) -> None:
    (each,) = find_simultaneous_loops(start(name).game)
    assert can_choices_conflict(start(name).game, each) == (name not in ("a draw",))


OWN = {
    "own cards": "    you put 1 from your hand to your secrets",
    "own cards away": "    you put 1 from your hand to stock",
    "a definition": "    you choose one\n      option keep with held from your best\n        move held to stock",
    "own coins": "    you choose bid from 0 to your coins\n      do your paying with bid",
}
MEETING = {
    "a trigger": "    you put 1 from your hand to your secrets",
    "another's cards": "    you put 1 from your left's hand to your secrets",
    "a step": "    you choose bid from 0 to your coins\n      do your left's paying with bid",
}
EXTRA = """
define your best as hand where value > 1
step your paying with number amount
  subtract amount from your coins
"""
TRIGGER = """
whenever card enters your secrets
  discard top of your left's hand to stock
"""


@pytest.mark.parametrize("name", [*OWN, *MEETING])
def test_conflicts_are_classified(name: str) -> None:
    body = OWN.get(name) or MEETING[name]
    text = START + PLAY + body + "\n" + EXTRA + (TRIGGER if name == "a trigger" else "")
    game = cardlang.loads(text)
    (each,) = find_simultaneous_loops(game)
    assert can_choices_conflict(game, each) == (name in MEETING)


@pytest.mark.parametrize("cast", [Cast("goofspiel", 3), Cast("hearts", 4), Cast("cribbage", 2), Cast("blackjack", 3)])
def test_unchecked_choices_would_pass_a_recheck(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simultaneous_choices, "can_choices_conflict", lambda game, each: True)
    tested = cardlang.load(cast.game)  # a game of its own, which is compiled here
    plain, again = compile_game(load(cast.game), cast.players), compile_game(tested, cast.players, listen=True)
    for seed in range(3):
        one, other = plain.start(seed), again.start(seed, listen=True)
        for count in range(200):
            assert (one.z, one.t, one.legal) == (other.z, other.t, other.legal)
            if one.who < 0:
                break
            code = one.legal[count * 7 % len(one.legal)]
            plain.apply(one, code)
            again.apply(other, code)
        assert not any(event[0] == "lapsed" for event in other.events or ())


# ---------------------------------------------------------------- both engines
@needs_either
@pytest.mark.parametrize("name", BODIES)
def test_both_engines_agree_on_simultaneous_choices(name: str) -> None:
    game = start(name, setup="  deal top 3 of market to players' hand\n" if "your hand" in BODIES[name] else "").game
    program, engine = compile_game(game, 3), build_engine(game, 3, QUICK)
    assert sum(follow(program, engine, seed, 100) for seed in range(40)) > 0


def test_position_before_a_simultaneous_choice_can_be_sampled() -> None:
    """The variable of the choices to come is empty."""
    text = read_game("choose_after_a_choice")
    match = cardlang.loads(text).start(2, 1)
    for _ in range(4):
        for player in match.players:
            assert match.sample(player, 1).view(player) == match.view(player)
        match.choose(0)

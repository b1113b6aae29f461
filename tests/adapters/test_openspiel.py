"""Comparison of exported games with OpenSpiel's own games."""

from typing import Any

import pytest

from cardlang.adapters import AdapterError

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'cardlang[openspiel]'")
openspiel = pytest.importorskip("cardlang.adapters.openspiel")

from tests.adapters.lockstep import PAIRINGS, Pairing  # noqa: E402
from tests.adapters.trees import KNOWN, Tree, load, load_openspiel_game  # noqa: E402


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in KNOWN if name != "goofspiel_4"])
def test_tree_equals_openspiel(name: str) -> None:
    """Goofspiel with four cards takes a minute and is left to `python -m tests.adapters`."""
    counts = KNOWN[name][1]
    mine, its = Tree(load(name)), Tree(load_openspiel_game(name))
    assert its.counts == counts
    assert mine.counts == counts
    assert mine.returns.keys() == its.returns.keys()
    assert all(mine.returns[each] == pytest.approx(its.returns[each]) for each in its.returns)


@pytest.mark.parametrize("name", ["kuhn_2", "goofspiel_3"])
def test_information_states_equal_openspiel(name: str) -> None:
    """The two trees walked side by side: what a player knows here and there corresponds one to one."""
    pairs: set[tuple[str, str]] = set()
    walk_beside(load(name).new_initial_state(), load_openspiel_game(name).new_initial_state(), pairs)
    assert len(pairs) == len({mine for mine, _ in pairs}) == len({its for _, its in pairs})


def walk_beside(mine: Any, its: Any, pairs: set[tuple[str, str]]) -> None:
    """Walk both trees in step. Moves and outcomes correspond by order; OpenSpiel lists folding first."""
    while not mine.is_terminal() and not mine.is_chance_node() and len(mine.legal_actions()) == 1:
        mine = mine.child(mine.legal_actions()[0])
    assert mine.is_terminal() == its.is_terminal()
    if its.is_terminal():
        assert mine.returns() == its.returns()
        return
    assert mine.current_player() == its.current_player()
    player = mine.current_player()
    if not its.is_chance_node():
        pairs.add((mine.information_state_string(player), f"{player} {its.information_state_string(player)}"))
    moves = sorted(mine.legal_actions(), key=lambda move: mine.action_to_string(player, move) != "fold")
    for each, other in zip(moves, its.legal_actions(), strict=True):
        walk_beside(mine.child(each), its.child(other), pairs)


def test_kuhn_poker_is_solved_by_cfr() -> None:
    game = pyspiel.convert_to_cached_tree(load("kuhn_2", zero_sum=True))
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert pyspiel.exploitability(game, policy) < 0.001
    assert pyspiel.expected_returns(game.new_initial_state(), policy, -1, False)[0] == pytest.approx(-1 / 18, abs=0.001)


@pytest.mark.parametrize("name", ["kuhn_2", "kuhn_3", "leduc", "goofspiel_4"])
def test_openspiel_random_simulation_passes(name: str) -> None:
    pyspiel.random_sim_test(load(name, zero_sum=name == "kuhn_2"), 3, True, False)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["crazy_eights", "go_fish", "tall_tales"])
def test_openspiel_simulates_bundled_games(name: str) -> None:
    pyspiel.random_sim_test(openspiel.load_game(name), 1, False, False)


@pytest.mark.slow
@pytest.mark.parametrize("pairing", PAIRINGS)
def test_large_games_equal_openspiel(pairing: type[Pairing]) -> None:
    pair, compared, seed = pairing(pyspiel), 0, 0
    while compared < 120:
        compared += pair.play(seed)
        seed += 1


# ---------------------------------------------------------------- how games are represented
def test_unseen_cards_are_not_chance_nodes() -> None:
    """Of Leduc's six cards three are drawn at most: 6 * 5 * 4 histories of chance, not 720."""
    state = load("leduc").new_initial_state()
    sizes = []
    while not state.is_terminal():
        if state.is_chance_node():
            sizes.append(len(state.chance_outcomes()))
        state.apply_action(state.legal_actions()[-2 if not state.is_chance_node() else -1])
    assert sizes in ([6, 5], [6, 5, 4])


def test_large_deals_are_one_chance_node() -> None:
    """Gin Rummy draws the dealer, deals ten cards to both and turns one up; the rest of the stock is drawn later."""
    state = openspiel.load_game("gin_rummy").new_initial_state()
    outcomes = 0
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
        outcomes += 1
    assert outcomes == 22


def test_returns_by_score_or_place() -> None:
    for results, expected in (("score", [-1.0, 1.0]), ("place", [-1.0, 1.0])):
        state = load("kuhn_2", results=results).new_initial_state()
        for text in ("card [J]", "card [K]", "check", "check"):
            player = state.current_player()
            state.apply_action(next(a for a in state.legal_actions() if state.action_to_string(player, a) == text))
        assert state.returns() == expected


def test_information_states_hide_hands() -> None:
    """Ann with a jack cannot tell whether Bob has the queen or the king; Bob can."""
    game = load("kuhn_2")
    states = [game.new_initial_state().child(0).child(other) for other in (1, 2)]
    for string in ("information_state_string", "observation_string"):
        ann, bob = ([getattr(state, string)(player) for state in states] for player in (0, 1))
        assert ann[0] == ann[1] and bob[0] != bob[1]


def test_observations_follow_the_view() -> None:
    game = load("kuhn_2")
    observer = game.make_py_observer()
    rows = []
    for other in (1, 2):
        observer.set_from(game.new_initial_state().child(0).child(other), 0)
        rows.append(observer.tensor.tolist())
    assert rows[0] == rows[1] and any(rows[0])


def test_game_loads_by_openspiel_string() -> None:
    game = pyspiel.load_game("cardlang(file=hearts,players=4)")
    assert game.num_players() == 4 and game.new_initial_state().is_chance_node()


def test_unbounded_numbers_need_a_limit() -> None:
    with pytest.raises(AdapterError, match=r"`bet` offers numbers without a known limit.*largest_number="):
        openspiel.load_game("texas_holdem")
    assert openspiel.load_game("texas_holdem", largest_number=50).num_distinct_actions() > 100


def test_invalid_settings_are_reported() -> None:
    with pytest.raises(AdapterError, match="There is no setting `player`: there are file, players"):
        openspiel.load_game("hearts", player=4)
    with pytest.raises(AdapterError, match="There are no results `points`: choose score or place"):
        openspiel.load_game("hearts", results="points")
    with pytest.raises(ValueError, match="Hearts is for 4 players, not 3"):
        openspiel.load_game("hearts", players=3)

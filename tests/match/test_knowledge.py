"""Players' knowledge doesn't depend on hidden cards."""

import pytest

import cardlang
from cardlang.model import Game
from interpreter.match.match import Match
from tests.game_files import read_game
from tests.match.conftest import THIEVES, load, play_decisions

GAMES = [
    ("kuhn_poker", 2), ("hearts", 4), ("crazy_eights", 3), ("tall_tales", 4), ("tall_card", 3),
    ("tall_card_fan", 3), ("tail_story", 3),
]  # fmt: skip
POINTS = (0, 5, 17, 40, 90)


def list_refusals(match: Match) -> list[str | None]:
    """Return the answers to every card code of the game as a move."""
    if match.decision is None:
        return []
    verb = str(match.decision.moves[0]).split()[0]
    return [match.why_not(f"{verb} [{face.code}]") for face in match.game.faces]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), GAMES)
@pytest.mark.parametrize("decisions", POINTS)
def test_sample_has_the_same_view(name: str, players: int, decisions: int) -> None:
    match = play_decisions(name, players, 11, decisions)
    for player in match.players:
        sample = match.sample(player, 3)
        assert sample.view(player) == match.view(player)
        if match.decision and match.decision.player == player:
            assert list_refusals(sample) == list_refusals(match)


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_samples_can_be_continued(name: str, players: int) -> None:
    for decisions in (12, 33, 61):
        match = play_decisions(name, players, 4, decisions)
        for player in match.players:
            sample = match.sample(player, decisions)
            for _ in range(40):
                if sample.decision is None:
                    break
                assert len(sample.decision.moves) > 0
                sample.choose(len(sample.decision.moves) // 2)
            cards = sorted(card for pile in sample.state.z for card in pile)
            assert cards == list(range(match.game.cards))


def test_a_sample_depends_only_on_what_the_player_knows() -> None:
    """The same seed deals the same hidden cards, whatever they really are."""
    match = play_decisions("hearts", 4, 1, 20)
    other = match.sample("Ann", 99)
    assert other.state.z != match.state.z
    assert other.sample("Ann", 5).state.z == match.sample("Ann", 5).state.z


def test_samples_keep_own_cards_and_redeal_others() -> None:
    match = load("hearts").start(4, 1)
    hands = {str(match.sample("Ann", seed).view("Bob").zone("hand", "Bob").cards) for seed in range(8)}
    own = {str(match.sample("Ann", seed).view("Ann").zone("hand", "Ann").cards) for seed in range(8)}
    assert len(hands) == 8
    assert len(own) == 1


def test_hands_of_others_are_face_down() -> None:
    match = load("hearts").start(4, 1)
    view = match.view("Ann")
    assert all(card.code for card in view.zone("hand", "Ann").cards)
    assert all(card.code is None and card.title is None for card in view.zone("hand", "Bob").cards)
    assert view.zone("hand", "Bob").count == 13


def test_a_spectator_sees_no_hand_and_no_moves() -> None:
    match = load("hearts").start(4, 1)
    view = match.view()
    assert view.player is None
    assert view.moves == ()
    assert all(card.code is None for zone in view.table if zone.name == "hand" for card in zone.cards)


def test_only_the_current_player_sees_moves() -> None:
    match = load("kuhn_poker").start(2, 1)
    assert match.decision is not None
    asked = match.decision.player
    other = next(name for name in match.players if name != asked)
    assert match.view(asked).moves == ("check", "bet 1")
    assert match.view(other).moves == ()
    assert match.view(other).asked == asked


def test_positions_of_hidden_cards_reveal_nothing() -> None:
    """Two cards are picked from a hand that the chooser does not see: in the order in which they lie."""
    game = cardlang.loads(THIEVES.replace("you take 1 from", "you take 2 from"))
    match = game.start(2, 1)
    match.choose("1")
    match.choose("1")
    assert match.view("Ann").moves == ("take #1", "take #2", "take #3")
    match.choose("take #2")
    assert match.view("Ann").moves == ("take #3", "take #4")


def test_secret_tracks_are_seen_by_their_owner(thieves: Game) -> None:
    match = thieves.start(2, 1)
    match.choose("3")
    assert match.view("Ann").track("plan", "Ann").value == 3
    with pytest.raises(KeyError):
        match.view("Bob").track("plan", "Ann")
    assert all("plan" not in line for line in match.view("Bob").log)


def test_view_rejects_an_unknown_player() -> None:
    with pytest.raises(ValueError, match="There is no player Zed"):
        load("kuhn_poker").start(2, 1).view("Zed")


SECRET = read_game("secret")
CHOICES = {
    "numbers": ("you choose stakes from 1 to 50\n        set your stake to stakes", "", "20"),
    "options": ("you choose one\n        option bid with n from 1 to 50\n          set your stake to n", "", "bid 20"),
    "open cards": ("you put 1 from your hand to your chosen", "", None),
    "hidden cards": ("you put 2 from your hand to your chosen", " seen by owner", None),
    "some or none": ("you may put up to 3 from your hand to your chosen", " seen by owner", "pass"),
}


@pytest.mark.parametrize("choice", CHOICES.values(), ids=list(CHOICES))
def test_samples_redraw_hidden_choices(choice: tuple[str, str, str | None]) -> None:
    body, viewer, move = choice
    match: Match = cardlang.loads(SECRET.format(viewer, body).replace("players's", "players'")).start(3, 1)
    while match.decision is not None and match.decision.player != "Cat":
        match.choose(0 if move is None else move)
    waiting = []
    for seed in range(12):
        sample = match.sample("Cat", seed)
        assert sample.view("Cat") == match.view("Cat")
        waiting.append(str(sample.state.frames[-1]))
        own = match.sample("Ann", seed)
        ann, bob = (dict(next(v for v in m.state.frames[-1] if is_waiting(v))) for m in (match, own))
        assert ann[0] == bob[0], "What Ann chose herself stays."
        sample.choose(0 if move is None else move)
    assert len(set(waiting)) > 6


def is_waiting(value: object) -> bool:
    return isinstance(value, tuple) and bool(value) and isinstance(value[0], tuple) and len(value[0]) == 2


def test_samples_keep_own_picks() -> None:
    text = SECRET.format(" seen by owner", CHOICES["hidden cards"][0]).replace("players's", "players'")
    match: Match = cardlang.loads(text).start(3, 1)
    match.choose(0)
    assert match.decision is not None and match.decision.player == "Ann"
    for seed in range(5):
        sample = match.sample("Ann", seed)
        assert sample.state.picks == match.state.picks and sample.view("Ann") == match.view("Ann")
        assert match.sample("Bob", seed).view("Bob") == match.view("Bob")


UNSET = read_game("not_yet")


def test_samples_keep_unset_values() -> None:
    """Cards change places with others; places where no card has been put hold none."""
    match: Match = cardlang.loads(UNSET).start(2, 1)
    assert match.decision is not None and match.decision.moves.texts == ("1", "2", "3")
    for seed in range(6):
        for player in ("Ann", "Bob"):
            assert match.sample(player, seed).state.frames == match.state.frames
    while match.decision is not None:
        for seed in range(3):
            frames = match.sample("Bob", seed).state.frames
            assert [[type(value) for value in frame] for frame in frames] == [
                [type(value) for value in frame] for frame in match.state.frames
            ]
        match.choose(len(match.decision.moves) // 2)

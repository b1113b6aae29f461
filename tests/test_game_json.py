"""Games as JSON: a loaded game plays and prints like the original."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest
from click.testing import CliRunner

import cardlang
from cardlang.cli.main import cli
from cardlang.diagnostics import Source
from cardlang.lint.static import check_game
from cardlang.rulebook.render import render_rulebook_markdown
from cardlang.ui.terminal.typed_card_names import build_captions
from interpreter.match.match import start
from tests.docs import schema
from tests.game_files import read_game

GAMES = sorted(cardlang.shipped())
each_game = pytest.mark.parametrize("name", GAMES)
some_games = pytest.mark.parametrize("name", ["cribbage", "tail_story", "tall_card", "tall_card_fan", "texas_holdem"])
PART = read_game("part")


@cache
def load_variants(name: str) -> list[cardlang.Game]:
    """Return a game, then each of its variants."""
    game = cardlang.load(name)
    return [game, *(cardlang.load(name, variant.title) for variant in game.variants)]


def list_differences(one: Any, other: Any, way: str = "game") -> list[str]:
    """Return the differences of two values, field by field, including fields that comparisons ignore."""
    if type(one) is not type(other):
        return [f"{way}: {type(one).__name__}, {type(other).__name__}"]
    if isinstance(one, Source):
        same = (Path(one.name).stem, one.text) == (other.name, other.text)
        return [] if same else [f"{way}: {one.name}"]
    if isinstance(one, tuple | list):
        found = [] if len(one) == len(other) else [f"{way}: {len(one)}, {len(other)}"]
        pairs = [(f"{way}[{place}]", *pair) for place, pair in enumerate(zip(one, other, strict=False))]
    elif isinstance(one, dict):
        found = [] if list(one) == list(other) else [f"{way}: {list(one)}, {list(other)}"]
        pairs = [(f"{way}.{key}", one[key], other.get(key)) for key in one]
    elif attrs.has(type(one)):
        told = [each.name for each in attrs.fields(type(one)) if each.name not in ("game", "make", "spoken")]
        found, pairs = [], [(f"{way}.{name}", getattr(one, name), getattr(other, name)) for name in told]
    else:
        return [] if one == other else [f"{way}: {one!r}, {other!r}"]
    return found + [each for step, left, right in pairs for each in list_differences(left, right, step)]


@pytest.mark.slow
@each_game
def test_game_json_round_trips(name: str) -> None:
    for game in load_variants(name):
        again = cardlang.from_json(game.json())
        assert list_differences(game, again) == []
        assert again == game and again is not game
        assert again.json() == game.json()
        for variant, other in zip(game.variants, again.variants, strict=True):
            assert list_differences(variant.game, other.game) == []
        assert [each.code for each in check_game(again)] == [each.code for each in check_game(game)]


def test_different_games_are_not_equal() -> None:
    game, other = cardlang.loads(PART, name="part"), cardlang.loads(PART, name="games/part.cardgame")
    assert game == other and hash(game) == hash(other) and game.json() == other.json()
    assert game == cardlang.loads(PART, name="whole")
    assert game != cardlang.loads(PART.replace("draw 1", "draw 2"))
    assert game != cardlang.loads(PART.replace("zone deck\n", 'zone deck "The pile."\n'))
    assert game != "Part"


def play_course(game: cardlang.Game) -> tuple[list[str], list[str]]:
    """Return the moves and the log of fifty decisions."""
    match, chance, moves = start(game, max(game.seats), seed=11), Random(3), []
    while match.decision is not None and len(moves) < 50:
        move = chance.choice(match.decision.moves)
        moves.append(f"{match.decision.player}: {move} of {len(match.decision.moves)}. {match.decision.prompt}")
        match.choose(move)
    return moves, [f"{line} {line.span and line.span.start}" for line in match.log]


@pytest.mark.slow
@some_games
def test_game_from_json_plays_equally(name: str) -> None:
    for game in load_variants(name):
        again = cardlang.from_json(game.json())
        assert play_course(again) == play_course(game)
        outcomes = [(each.run(), other.run()) for each, other in zip(game.examples, again.examples, strict=True)]
        assert all(outcome == other for outcome, other in outcomes)


@pytest.mark.slow
@some_games
def test_game_from_json_prints_equally(name: str) -> None:
    for game in load_variants(name):
        again = cardlang.from_json(game.json())
        assert render_rulebook_markdown(again) == render_rulebook_markdown(game)
        assert build_captions(again) == build_captions(game)


def write_old_node(node: dict[str, Any]) -> dict[str, Any]:
    """Write a node as in format 1."""
    if node.get("is") == "Selections":
        del node["low"]
        return {**node, "is": "Agg", "function": "subsets"}
    if node.get("is") == "Agg" and node["function"] == "count":
        return {"is": "Builtin", "type": node["type"], "span": node["span"], "name": "size", "of": node["list"]}
    return node


def test_format_1_is_read() -> None:
    game = cardlang.loads(read_game("groups"))
    old = json.loads(game.json(), object_hook=write_old_node)
    text = json.dumps({**old, "format": 1})
    assert '"subsets"' in text and '"size"' in text
    assert [each for each in list_differences(game, cardlang.from_json(text)) if ".low.span." not in each] == []


def test_show_json_prints_the_game() -> None:
    result = CliRunner().invoke(cli, ["show", "kuhn_poker", "--stage", "game", "--json"])
    assert cardlang.from_json(result.output) == cardlang.load("kuhn_poker")
    assert CliRunner().invoke(cli, ["show", "kuhn_poker", "--stage", "tree", "--json"]).exit_code == 2


def test_game_json_has_no_paths_and_is_reproducible() -> None:
    folder = Path(cardlang.__file__).parents[1]
    asked = "import cardlang, sys; sys.stdout.buffer.write(cardlang.load(sys.argv[1]).json())"
    found = set()
    for seed, path in (("1", "texas_holdem"), ("2", str(folder / "games" / "classics" / "texas_holdem.cardgame"))):
        environment = {"PYTHONPATH": str(folder), "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", asked, path]
        found.add(subprocess.run(command, capture_output=True, timeout=100, check=True, env=environment).stdout)
    (data,) = found
    assert str(folder).encode() not in data
    assert [each["name"] for each in json.loads(data)["sources"]] == ["texas_holdem", "poker", "betting"]


def test_game_schema_is_up_to_date() -> None:
    assert schema.PATH.read_text(encoding="utf-8") == schema.schema()
    whole = json.loads(cardlang.loads(PART).json())
    told = json.loads(schema.schema())
    assert set(whole) == set(told["required"])
    assert set(whole["game"]) <= set(told["$defs"]["Game"]["properties"])
    assert set(told["$defs"]["Game"]["required"]) <= set(whole["game"])


# ---------------------------------------------------------------- what is no game
def change_json(path: str, value: Any) -> str:
    """Return the JSON of a small game with another value at a path. `...` deletes it."""
    data = json.loads(cardlang.loads(PART).json())
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    inner = data
    for step in way:
        inner = inner[step]
    if value is ...:
        del inner[last]
    else:
        inner[last] = value
    return json.dumps(data)


PICK = "game.steps.0.body.0.body.0"


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("format", 3, "its format is 3, and only 1 to 2 are known here"),
        ("format", True, "its format is True"),
        ("format", ..., "it must be an object with format, game, variants, sources"),
        ("more", 1, "it must be an object with format, game, variants, sources"),
        ("game", [], "game: expected an object, not a list"),
        ("variants", [{}], "variants: expected a list of 0 games"),
        ("sources", {}, "sources: expected a list, not an object"),
        ("sources.0.name", "../part", "is a path, not a file name"),
        ("sources.0.text", "", "there is no place from"),
        ("game.seats", [], "numbers of players are not in order"),
        ("game.seats", [2, 99], "a game is for 1 to 20 players"),
        ("game.steps.0.name", "pay", "there is no step `play`"),
        ("game.steps.0.name", "play\nimport os", "game.steps[0].name: 'play\\nimport os' is not a valid name"),
        (f"{PICK}.verb", "fly", "verb: 'fly' is not one of move, deal"),
        (f"{PICK}.to.zone", "muck", "game.steps[0].body[0].body[0].to.zone: there is no zone 'muck'"),
        (f"{PICK}.who.id", 77, "unknown name 'you'"),
        (f"{PICK}.low.type.tag", "card", "expected a number, not a card"),
        (f"{PICK}.low.value", 10**30, "expected a whole number"),
        (f"{PICK}.low.value", "one", "this is 'one', which is not a number"),
        (f"{PICK}.to.of", ..., "wrong owner"),
        (f"{PICK}.is", "Pock", "'Pock' is not one of"),
        (f"{PICK}.is", "Aside", "'Aside' is not one of"),
        ("game.faces.0.copies", 5, ""),
        ("game.faces.0.first", 5, "face 0 has a wrong count"),
        ("game.columns.0.values", [], "`cost` does not have one value for each face"),
        ("game.columns.0.values.0", "x", "`cost` is 'x', which is not a number"),
        ("game.zones.1.subject", "Suit", "game.zones[1].subject: there is no subject 'Suit'"),
        ("game.sources", [7], "game.sources[0]: there is no source 7"),
    ],
)  # fmt: skip
def test_invalid_game_json_is_rejected(path: str, value: Any, told: str) -> None:
    if not told:
        assert cardlang.from_json(change_json(path, value)).cards == 5
        return
    with pytest.raises(ValueError, match="This is not a game in JSON") as fault:
        cardlang.from_json(change_json(path, value))
    assert told in str(fault.value)


@pytest.mark.parametrize("data", [b"", b"\xff", "{", "[" * 100_000, '{"format": 1e999'])
def test_invalid_json_is_rejected(data: bytes | str) -> None:
    with pytest.raises(ValueError, match="This is not JSON"):
        cardlang.from_json(data)


def test_deeply_nested_json_is_rejected() -> None:
    one = '{"is":"Not","type":{"tag":"flag"},"span":[0,0,1],"value":'
    until = "{}".join([one * 400, "}" * 400])
    data = change_json(f"{PICK}.provided", None).replace('"provided": null', f'"low": {until}')
    with pytest.raises(ValueError, match="This is no"):
        cardlang.from_json(data)


def test_cyclic_definition_is_rejected() -> None:
    game = cardlang.loads(PART.replace("number your score", "define your score as worth\ndefine your worth as 3"))
    data = game.json().replace(b'"define":"worth"', b'"define":"score"')
    with pytest.raises(ValueError, match="`score` needs itself"):
        cardlang.from_json(data)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(150))
def test_mutated_json_is_read_or_rejected(seed: int) -> None:
    """No fault comes from within."""
    chance = Random(seed)
    data = json.loads(cardlang.load("kuhn_poker").json())
    for _ in range(3):
        change(data["game"], chance)
    try:
        cardlang.from_json(json.dumps(data))
    except ValueError as error:
        assert str(error).startswith("This is not a game in JSON: ")


def change(data: Any, chance: Random) -> None:
    """Replace a random value of the data."""
    inner = data
    while True:
        key = chance.choice(list(inner) if isinstance(inner, dict) else range(len(inner)))
        below = inner[key]
        if isinstance(below, dict | list) and below and chance.random() < 0.9:
            inner = below
            continue
        inner[key] = chance.choice([None, 0, -1, 7, 2**70, "", "play", "hand", True, [], {}, [[]], {"is": "Var"}])
        return

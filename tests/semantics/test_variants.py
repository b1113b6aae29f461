"""Declarations of variants: replaced items, new items, and libraries of their own."""

from pathlib import Path

import pytest

import cardlang
from cardlang.rulebook.render import render_rulebook_markdown
from tests.game_files import read_game

GAME = read_game("coins")
TOLLS = read_game("tolls")
NEW = read_game("variants_new")
TOLL = read_game("variants_toll")


def load_variant(text: str, variant: str, library: str = TOLLS) -> cardlang.Game:
    return cardlang.loads(GAME + text, variant=variant, libraries={"tolls": library})


def faults(text: str, variant: str, library: str = TOLLS) -> list[tuple[str, str, str]]:
    with pytest.raises(cardlang.GameError) as caught:
        load_variant(text, variant, library)
    return [(each.code, each.span.text, each.hint) for each in caught.value.diagnostics if not each.warning]


@pytest.mark.parametrize(("text", "variant"), [(NEW, "Rich"), (TOLL, "Tolls")])
def test_variant_additions_stay_in_the_variant(text: str, variant: str) -> None:
    plain, other = cardlang.loads(GAME + text, libraries={"tolls": TOLLS}), load_variant(text, variant)
    assert [example.run().passed for example in other.examples] == [True]
    assert {"chest", "till"} & {*plain.zones} == set() != {"chest", "till"} & {*other.zones}
    assert cardlang.loads(GAME).steps.keys() == plain.steps.keys() < other.steps.keys()
    assert plain.variants[0].game.zones.keys() == other.zones.keys()  # made later, of the same files
    match = other.start(seed=1)
    assert match.over


def test_variant_libraries_survive_json() -> None:
    plain = cardlang.loads(GAME + TOLL, libraries={"tolls": TOLLS})
    assert [source.name for source in plain.sources] == ["<text>", "tolls.cardgame"]
    again = cardlang.from_json(plain.json())
    assert again.json() == plain.json() and again.variants[0].game.zones.keys() >= {"till"}


def test_record_of_a_variant_resumes(tmp_path: Path) -> None:
    path = tmp_path / "record"
    text = TOLL.replace("    do pay\n", "    do pay\n    each player\n      you draw 0 to 1 from deck to your hand\n")
    match = load_variant(text, "Tolls").start(seed=1)
    match.choose(0)
    match.save(path)
    assert cardlang.resume(path).game.variant == "Tolls"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("number your bars", "number your scores"),
        ("step extra", "step rounds"),
        ("zone chest seen by nobody", "zone Deck seen by nobody"),
        ("kind Mood: Glad, Sad", "kind Packs: Glad, Sad"),
    ],
)
def test_misspelt_override_is_not_a_new_item(old: str, new: str) -> None:
    found = next(each for each in faults(NEW.replace(old, new), "Rich") if each[0] == "E211")
    assert found[1] in new and found[2].startswith("Did you mean `") and "less similar" in found[2]


def test_similar_word_is_a_new_item() -> None:
    assert "long-round" in load_variant(NEW.replace("extra", "long-round"), "Rich").steps


@pytest.mark.parametrize("item", ['variant "Inner"\n    define prize as 3\n', "needs your wealth\n"])
def test_invalid_variant_items_are_rejected(item: str) -> None:
    assert [code for code, _, _ in faults(f'variant "Outer"\n  {item}', "Outer")] == ["E214"]


def test_use_in_a_variant_is_strict() -> None:
    assert faults(TOLL.replace("define toll", "define fee"), "Tolls")[0][:2] == ("E211", "fee")
    assert faults(TOLL.replace("use tolls", "use toll"), "Tolls")[0][0] == "E206"
    missing = TOLL.replace("    define your wealth as score\n", "")
    assert faults(missing, "Tolls")[0][:2] == ("E212", "tolls")
    # What it needs may also be in the game, or new in the variant.
    assert load_variant(missing + "  define your wealth as 3\n", "Tolls")
    assert load_variant(missing + "define your wealth as 3\n", "Tolls")


def test_conflicting_declaration_is_settled_under_use() -> None:
    library = TOLLS + "define prize as 7\n"
    ((code, word, hint),) = faults(TOLL, "Tolls", library)
    assert (code, word) == ("E210", "prize") and "below the `use` line" in hint
    settled = load_variant(TOLL.replace("    define toll", "    define prize as 9\n    define toll"), "Tolls", library)
    assert "Nine" in render_rulebook_markdown(settled).split("**Prize:**")[1].splitlines()[0]
    assert cardlang.loads(GAME + TOLL, libraries={"tolls": library}).defines["prize"].origin.library == ""


def test_shared_library_uses_the_games_overrides() -> None:
    game = GAME.replace("ages 8\n", "ages 8\nuse tolls\n  define toll as 8\n  define your wealth as score\n")
    varied = TOLL.replace("    define your wealth as score\n    define toll as 5\n", "").replace(
        "tolls = 5", "tolls = 8"
    )
    both = cardlang.loads(game + varied, variant="Tolls", libraries={"tolls": TOLLS})
    assert [example.run().passed for example in both.examples] == [True]


def test_rulebook_lists_variant_changes() -> None:
    told = render_rulebook_markdown(cardlang.loads(GAME + NEW)).split("### Rich")[1]
    for words in (
        "Ages: 10 and up",
        "*Gold and silver.*",
        "- **2 Gold cards:** They make up the chest.",
        "**2 moods:** Glad and Sad",
        "Chest",
        "Heavy of players",
    ):
        assert words in told
    assert told.index("#### Extra") < told.index("#### Round") and "Whenever the pool is more than three" in told


def test_rulebook_lists_variant_library_changes() -> None:
    told = render_rulebook_markdown(cardlang.loads(GAME + TOLL, libraries={"tolls": TOLLS})).split("### Tolls")[1]
    assert "Till" in told and "#### Pay" in told
    assert "Open" not in told.split("## Index")[0]
    assert told.index("#### Pay") < told.index("#### Round")

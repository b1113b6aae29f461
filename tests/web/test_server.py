"""Server: links, moves, undo, playtests, and restart after a kill."""

from __future__ import annotations

import json
import re
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest
from starlette.websockets import WebSocketDisconnect

import cardlang
from cardlang.cli.commands.serve import write_records
from cardlang.ui.web import client_message
from tests.match.test_dead_ends import PATIENCE
from tests.web.pages import ADDRESS, DUEL, HOST, ORIGIN, Page, Serving, duel


# ---------------------------------------------------------------- who is let in
@pytest.mark.parametrize(
    "headers",
    [{}, {"origin": "http://evil.example"}, {"origin": "null"}, {"origin": f"{ADDRESS}.evil.example"},
     {"origin": "http://["}, {"origin": ADDRESS, "host": "evil.example"},
     {"origin": "http://evil.example", "host": "evil.example"}],
)  # fmt: skip
def test_foreign_origins_are_rejected(serving: Serving, headers: dict[str, str]) -> None:
    with pytest.raises(WebSocketDisconnect), serving.client.websocket_connect("/ws", headers=HOST | headers):
        pass


def test_foreign_host_header_is_rejected(serving: Serving) -> None:
    assert serving.client.get("/", headers={"host": "evil.example"}).status_code == 421
    assert serving.client.get("/").status_code == 200


@pytest.mark.parametrize(
    "said", ['{"hello": "x"}', '{"hello": "\\ud800"}', '{"hello": ""}', "{}", "[]", "no", '{"hello": null}', "[" * 5000]
)
def test_wrong_secret_is_disconnected(serving: Serving, said: str) -> None:
    with serving.client.websocket_connect("/ws", headers=ORIGIN) as socket:
        socket.send_text(said)
        assert json.loads(socket.receive_text())["is"] == "lost"
        with pytest.raises(WebSocketDisconnect):
            socket.receive_text()


def test_links_are_long_and_belong_to_one_seat(serving: Serving) -> None:
    links = serving.lay("duel", "person")
    assert len(set(links)) == 3 and all(len(link) >= 128 / 6 for link in links)
    for link, name in zip(links, ("Ann", "Bob", None), strict=True):
        with serving.page(link) as page:
            page.look()
            assert page.told["seat"]["you"] == name and page.told["table"]["table"]["viewer"] == name


@pytest.mark.parametrize(
    "path",
    [
        "/page/../app.py",
        "/page/..%2fapp.py",
        "/page/%2e%2e/%2e%2e/cli.py",
        "/art/x/1.svg",
        "/sheet/x",
        "/fullest/x/2",
        "/page/",
        f"/art/x/{'9' * 5000}.svg",
        f"/art/x/other/{'9' * 5000}.svg",
        "/art/x/-1.svg",
        "/art/x/²/1.svg",
    ],
    ids=lambda path: path[:40],
)
def test_paths_outside_the_page_are_not_found(serving: Serving, path: str) -> None:
    assert serving.client.get(path).status_code == 404


def test_content_security_policy_is_strict(serving: Serving) -> None:
    policy = serving.client.get("/").headers["content-security-policy"]
    assert "script-src 'self';" in policy and "unsafe" not in policy and "default-src 'none'" in policy
    index = serving.client.get("/").text
    assert "<script>" not in index and "style=" not in index and "onclick" not in index


# ---------------------------------------------------------------- playing
def test_only_the_current_player_moves_once(serving: Serving) -> None:
    ann, bob, look = serving.lay("duel", "person")
    with serving.page(ann) as anns, serving.page(bob) as bobs, serving.page(look) as onlooker:
        anns.look()
        at = anns.at
        assert bobs.move() == "It is not your turn."
        assert onlooker.move() == "You are watching. Only players can do that."
        assert anns.ask("move", at=at, move=99) == "There are 2 moves, counted from 0: there is no move 99."
        assert anns.ask("move", at=at, move=0) is None
        assert anns.ask("move", at=at, move=0) == "The match has moved on."
        assert bobs.look()["ask"] is not None


def test_two_pages_of_one_seat_agree(serving: Serving) -> None:
    ann, *_ = serving.lay("duel", "person")
    with serving.page(ann) as one, serving.page(ann) as other:
        assert one.look() == other.look()
        at = other.at
        assert one.move() is None
        assert other.ask("move", at=at, move=1) == "The match has moved on."
        assert one.look() == other.look()


def test_seat_receives_no_hidden_text(serving: Serving) -> None:
    """Every text that came to Bob and to one who looks on, until the end and after it: no card of Ann's that was not
    shown, no seed, no link."""
    ann, bob, look = serving.lay("hearts", "person", "random", "random")[:3]
    link = serving.store.find_link(ann)
    assert link is not None
    with serving.page(ann) as anns, serving.page(bob) as bobs, serving.page(look) as onlooker:
        for name, table in (("Ann", anns.look()), ("Bob", bobs.look()), (None, onlooker.look())):
            for place in table["places"]:
                hand = next(pile for pile in place["piles"] if pile["name"] == "hand")
                mine = place["name"] == name
                assert all((card["face"] is not None) is mine for card in hand["cards"])
        match = serving.hub.rooms[link.room_number].match
        assert match is not None
        said = "".join([*bobs.all, *onlooker.all])
        assert str(match.seed) not in said and str(match.state.rng) not in said
        assert not any(secret in said for secret in (ann, bob, look, serving.store.read_meta("house")))


def test_server_with_a_seed_repeats_its_deals(tmp_path: Path) -> None:
    """Its second match has other cards."""

    def read_hands(folder: str) -> list[list[str]]:
        (tmp_path / folder).mkdir()
        serving = Serving(tmp_path / folder, cardlang.shipped()["hearts"])
        with serving.client:
            tables = []
            for _ in range(2):
                with serving.page(serving.lay("hearts", "random", "random", "random")[0]) as page:
                    tables.append(page.look())
        return [[card["code"] for pile in table["places"][0]["piles"] for card in pile["cards"]] for table in tables]

    first, second = read_hands("one")
    assert len(first) == 13 and set(first) != set(second)
    assert read_hands("other") == [first, second]


@pytest.mark.slow
def test_texts_never_name_hidden_cards(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """A whole deal of Hearts, with hints, logs and questions why: whatever is sent to Bob, or to one who looks on,
    names no card that another holds then, but those that Bob has held himself."""
    monkeypatch.setattr(client_message, "MESSAGES_PER_SECOND", 1e9)
    links = serving.lay("hearts", "person", "person", "person")
    random, held = Random(4), set[str]()
    with ExitStack() as stack:
        pages = [stack.enter_context(serving.page(link)) for link in links]
        ann, bob, cat, dan, onlooker = pages
        for _ in range(4 + 52):
            hands = [list_private_cards(page) for page in (ann, bob, cat, dan)]
            held |= hands[1]
            asked = next(page for page in pages if page.look()["ask"])
            if asked is bob:
                assert bob.ask("hint", at=bob.at) is None
                for place in ("Ann", "Bob", "Cat"):
                    assert bob.ask("why", at=bob.at, move=f"zone/hand/{place}#2") is None
            for page, hidden in ((bob, hands[0] | hands[2] | hands[3]), (onlooker, set[str]().union(*hands))):
                page.ask("log")
                page.look()
                texts, page.all = " ".join(page.all), []
                named = {code for code in hidden if re.search(rf'"{code}"|[\[ ]{code}[\] .,]', texts)}
                assert named <= (held if page is bob else set()), named
            assert do_something(asked, random) is None
        assert ann.look()["heading"][0] == "round 2"


def list_private_cards(page: Page) -> set[str]:
    """The codes of the cards that the reader of a page alone sees."""
    piles = page.look()["places"][0]["piles"]
    return {card["code"] for pile in piles if pile["name"] in ("hand", "passing") for card in pile["cards"]}


def do_something(page: Page, random: Random) -> str | None:
    """Whatever is open, at random."""
    ask = page.look()["ask"]
    choosing = ask.get("choosing")
    if choosing:
        return page.ask("confirm", at=page.at, refs=random.sample(choosing["refs"], choosing["low"]))
    return page.ask("move", at=page.at, move=random.choice(ask["actions"])["move"])


def test_match_continues_after_a_restart(tmp_path: Path, serving: Serving) -> None:
    links = serving.lay("hearts", "person", "random", "random")
    with serving.page(links[0]) as page:
        chosen = [card["ref"] for card in page.look()["places"][0]["piles"][0]["cards"][4:7]]
        assert page.ask("confirm", at=page.at, refs=chosen) is None
        before = page.look(), page.at
    again = Serving(tmp_path, duel(tmp_path))
    with again.client, again.page(links[0]) as page:
        assert (page.look(), page.at) == before


def test_undo_needs_consent_of_all(serving: Serving) -> None:
    ann, bob, _ = serving.lay("duel", "person")
    with serving.page(ann) as anns, serving.page(bob) as bobs:
        assert anns.ask("undo") == "You have nothing to undo."
        anns.move()
        assert anns.ask("undo") is None and anns.told["seat"]["wish"]["left"] == ["Bob"]
        assert anns.ask("agree", wish=anns.wish, yes=True) == "You have nothing to answer."
        assert anns.ask("agree", wish=anns.wish, yes=False) is None and anns.told["seat"]["wish"] is None
        assert anns.ask("undo") is None and anns.told["seat"]["wish"]["left"] == ["Bob"]
        bobs.look()
        assert bobs.ask("agree", wish=bobs.wish, yes=False) is None
        assert anns.look()["ask"] is None
        anns.ask("undo")
        bobs.look()
        assert bobs.ask("agree", wish=bobs.wish, yes=True) is None
        assert anns.look()["ask"] is not None


def test_consent_applies_to_one_request(serving: Serving) -> None:
    """Not to one that took the place of another meanwhile: nobody's wish does that."""
    links = serving.lay("hearts", "person", "person", "random")
    with serving.page(links[0]) as ann, serving.page(links[1]) as bob, serving.page(links[2]) as cat:
        for page in (ann, bob):
            chosen = [card["ref"] for card in page.look()["places"][0]["piles"][0]["cards"][:3]]
            assert page.ask("confirm", at=page.at, refs=chosen) is None
        assert ann.ask("undo") is None and ann.told["seat"]["wish"]["left"] == ["Bob", "Cat"]
        assert bob.ask("undo") == "Ann has asked to undo a move. Answer that first."
        assert cat.ask("agree", wish="Bob", yes=True) == "This question is no longer open."
        cat.look()
        assert cat.ask("agree", wish=cat.wish, yes=True) is None and cat.told["seat"]["wish"]["left"] == ["Bob"]


@pytest.mark.parametrize("yes", [True, False])
def test_late_answer_does_not_fit_a_newer_request(serving: Serving, yes: bool) -> None:
    """Ann gives up the wish that Bob reads, and wishes again: what he says then is about the first."""
    ann, bob, _ = serving.lay("duel", "person")
    with serving.page(ann) as anns, serving.page(bob) as bobs:
        anns.move()
        anns.ask("undo")
        bobs.look()
        read = bobs.wish
        anns.ask("agree", wish=anns.wish, yes=False)
        anns.ask("undo")
        assert bobs.ask("agree", wish=read, yes=yes) == "This question is no longer open."
        assert bobs.ask("agree", wish=bobs.wish, yes=True) is None


BIDS = DUEL.replace(
    "  you play 1 from",
    """  you choose one
    option bid with amount from 1 to 9
      set bid to amount
    option ask with wanted from Value
      if any card in your left's hand has value = wanted
        set bid to 0
    option draw
      draw top of deck to your hand
  you play 1 from""",
).replace("define your", "number bid\ndefine your")
"""Ann can say a number, ask whether Bob has a card, or draw one; then she plays a card."""


def bids(folder: Path) -> Serving:
    return Serving(folder, duel(folder, BIDS.format(4, "Bid and play.")))


def test_repeated_message_is_applied_once(tmp_path: Path) -> None:
    serving = bids(tmp_path)
    with serving.client:
        ann, *_ = serving.lay("duel", "random")
        with serving.page(ann) as page:
            for _ in range(2):
                assert page.move(1) is None
                before = page.at
                assert page.ask("undo", at=before, again=True) is None
                after = page.look()
                assert page.at != before and page.ask("undo", at=before, again=True) == "The match has moved on."
                assert page.look() == after and len(after["ask"]["actions"]) > 1


def test_confirmed_undo_must_match_what_was_read(tmp_path: Path) -> None:
    """A result came of what is taken back. Ann has played on since the question: that is not taken back by the
    answer."""
    cheer = "    option cheer\n      each player\n        add 1 to your score\n    option draw"
    text = BIDS.replace("    option draw", cheer).replace("define your score as 0", "number your score")
    serving = Serving(tmp_path, duel(tmp_path, text.format(4, "Bid and play.")))
    with serving.client:
        ann, *_ = serving.lay("duel", "random")
        with serving.page(ann) as page:
            actions = page.look()["ask"]["actions"]
            assert page.move(next(each["move"] for each in actions if each["text"] == "cheer")) is None
            page.look()
            assert page.ask("undo") is None and page.told["sure"]["result"]
            at = page.told["sure"]["at"]
            assert page.ask("undo", at=at, sure=True) is None and len(page.look()["ask"]["actions"]) > 10
            assert page.ask("undo", at=at, sure=True) is not None
            assert page.move(1) is None
            now = page.look()
            assert page.ask("undo", at=at, sure=True) == "The match has moved on. Please look again."
            assert page.ask("undo", sure=True) == "The match has moved on. Please look again."
            assert page.look() == now


@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize("move", ["ask 5", "ask 9", "draw"])
def test_undo_after_learning_is_impossible(move: str, alone: bool, tmp_path: Path) -> None:
    """Nobody is asked for leave, and no button offers it."""
    serving = bids(tmp_path)
    with serving.client:
        ann, *others = serving.lay("duel", "random" if alone else "person")
        with serving.page(ann) as anns, serving.page(others[0]) as bobs:
            actions = anns.look()["ask"]["actions"]
            assert anns.move(next(each["move"] for each in actions if each["text"] == move)) is None
            before = anns.look()
            for sure in (False, True):
                why = anns.ask("undo", at=anns.at, sure=sure)
                assert why is not None and why.endswith("since then, so you cannot undo it.")
            bobs.ask("nothing")
            assert anns.told["seat"]["wish"] is None and bobs.told["seat"]["wish"] is None
            assert "sure" not in anns.told and anns.look() == before


def test_private_undo_needs_no_consent(tmp_path: Path) -> None:
    serving = bids(tmp_path)
    with serving.client:
        ann, bob, _ = serving.lay("duel", "person")
        with serving.page(ann) as anns, serving.page(bob) as bobs:
            assert anns.move(1) is None and anns.ask("undo") is None
            assert anns.told["seat"]["wish"] is None and bobs.look()["waiting"] == "Ann"
            assert anns.move(1) is None and anns.move(0) is None  # a card that Bob sees
            assert (
                anns.ask("undo") is None
                and anns.told["seat"]["wish"]["why"] == "Other players have seen a new card since then."
            )
            bobs.look()
            assert bobs.ask("agree", wish=bobs.wish, yes=True) is None
            assert len(anns.look()["places"][0]["piles"][0]["cards"]) == 2


def test_next_match_uses_the_current_file(tmp_path: Path) -> None:
    file = duel(tmp_path)
    serving = Serving(tmp_path, file)
    with serving.client:
        ann, bob, _ = serving.lay("duel", "person")
        with serving.page(ann) as anns, serving.page(bob) as bobs:
            file.write_text(DUEL.format(10, "Play one."))
            assert len(anns.look()["places"][0]["piles"][0]["cards"]) == 2
            anns.move()
            bobs.move()
            assert anns.look()["over"]
            assert bobs.ask("begin") == "Only the host can do that."
            file.write_text(DUEL.format(10, "Play one.").replace("to table", "to tabel"))
            why = anns.ask("begin")
            assert why is not None and "duel.cardgame, line 14" in why and "tabel" in why
            file.write_text(DUEL.format(10, "Play one."))
            assert anns.ask("begin") is None
            assert len(bobs.look()["places"][0]["piles"][0]["cards"]) == 5


def test_hint_is_private_and_cached(serving: Serving) -> None:
    ann, bob, look = serving.lay("duel", "person")
    with serving.page(ann) as anns, serving.page(bob) as bobs, serving.page(look) as onlooker:
        table = anns.look()
        bobs.look()
        onlooker.look()
        assert bobs.ask("hint", at=bobs.at) == "It is not your turn."
        assert onlooker.ask("hint", at=onlooker.at) == "You are watching. Only players can do that."
        assert anns.ask("hint", at="0:0") == "The match has moved on."
        assert anns.ask("hint", at=anns.at) is None
        first = anns.told["hint"]
        assert {*first["refs"]} <= {card["ref"] for card in table["places"][0]["piles"][0]["cards"]}
        assert first["words"] and "hint" not in bobs.told
        assert anns.ask("hint", at=anns.at) is None and anns.told["hint"] == first


PASSING = DUEL.replace(
    "  you play 1 from", "  you may play 1 from your hand where value > 9 to table\n  you play 1 from"
)
"""No value is above 9: at first one can only pass."""


def test_solo_player_skips_forced_passes(tmp_path: Path) -> None:
    """Ann is asked what she plays, at once and after a restart; what she takes back is her own move. Where Bob sits
    there, too, she is asked whether she passes, as he would see how soon she does."""
    file = duel(tmp_path, PASSING.replace("zone table", "zone table seen by nobody").format(4, "Play one."))
    serving = Serving(tmp_path, file)
    with serving.client:
        ann, *_ = serving.lay("duel", "random")
        with serving.page(ann) as page:
            while (
                page.look()["ask"] is None
                or page.told["table"]["table"]["ask"].get("actions", [{}])[0]["text"] == "pass"
            ):
                time.sleep(0.05)
            assert page.move() is None
            while page.look()["ask"] is None and not page.told["table"]["table"]["over"]:
                time.sleep(0.05)
        lines = [line for line in serving.store.read_lines(1) if line.thinking_time is not None]
        assert [json.loads(line.line)["player"] for line in lines] == ["Ann"]  # a bot's time is nobody's
        both, *_ = serving.lay("duel", "person")
        with serving.page(both) as page:
            assert [action["text"] for action in page.look()["ask"]["actions"]] == ["pass"]
    again = Serving(tmp_path, file)
    with again.client, again.page(ann) as page:
        page.look()
        assert page.ask("undo") is None
        while page.look()["ask"] is None or page.told["table"]["table"]["ask"]["actions"][0]["text"] == "pass":
            time.sleep(0.05)
        assert len(page.look()["places"][0]["piles"][0]["cards"]) == 2


TAKING = (
    DUEL.replace("zone table", "zone table\nzone your won seen by nobody")
    + """
  you choose 0 or more spoils from table when count of spoils = 1
    take spoils to your won
"""
)
"""Each player takes the only card on the table: the one they have just played."""


def test_solo_player_skips_forced_captures(tmp_path: Path) -> None:
    """Ann makes one move of her own. With another person at the table, she confirms the choice by hand."""
    serving = Serving(tmp_path, duel(tmp_path, TAKING.format(4, "Play one.")))
    with serving.client:
        ann, *_ = serving.lay("duel", "random")
        with serving.page(ann) as page:
            assert page.move() is None
            while page.look()["ask"] or not page.told["table"]["table"]["over"]:
                time.sleep(0.05)
        timed = [line for line in serving.store.read_lines(1) if line.thinking_time is not None]
        assert [json.loads(line.line)["player"] for line in timed] == ["Ann"]
        both, *_ = serving.lay("duel", "person")
        with serving.page(both) as page:
            assert page.move() is None
            choosing = page.look()["ask"]["choosing"]
            assert len(choosing["needs"]) == 1 and page.look()["ask"]["question"] == "Take a card from the table."


def test_lone_player_makes_every_move_and_can_give_up(tmp_path: Path) -> None:
    """In a patience game, the only legal move waits for the player."""
    serving = Serving(tmp_path, duel(tmp_path, PATIENCE.format(more="")))
    with serving.client:
        ann, *_ = serving.lay("duel")
        with serving.page(ann) as page:
            assert page.move() is None and page.move() is None
            page.look()
            at = page.at
            time.sleep(0.2)
            page.look()
            assert page.at == at and page.told["table"]["dead"]
            assert page.ask("give up", at="0:0") == "The match has moved on."
            assert page.ask("give up", at=at) is None
            assert page.look()["over"] and page.look()["winners"] == []
            assert page.ask("undo", sure=True, at=page.at) is None
            assert not page.look()["over"]


def test_table_keeps_its_title_without_its_file(tmp_path: Path, serving: Serving) -> None:
    serving.lay("duel", "random")
    again = Serving(tmp_path, cardlang.shipped()["hearts"])
    with again.client, again.page() as house:
        assert house.ask("playtests") is None
        assert [table["title"] for table in house.told["house"]["tables"]] == ["Duel"]


# ---------------------------------------------------------------- playtests
def test_host_override_is_recorded(tmp_path: Path, serving: Serving) -> None:
    ann, bob, _ = serving.lay("hearts", "person", "random", "random", asks=True)[:3]
    with serving.page(ann) as anns, serving.page(bob) as bobs:
        anns.look()
        change = {"what": "track", "track": "score", "of": "Bob", "value": "26", "note": "Counted wrong."}
        bobs.look()
        assert bobs.ask("allow", at=bobs.at, **change) == "Only the host can do that."
        assert anns.ask("allow", at=anns.at, **{**change, "value": "lots"}) is not None
        assert anns.ask("allow", at="0:0", **change) == "The match has moved on. Please look again."
        assert anns.ask("allow", at=anns.at, **change) is None
        told = "Override: your score is now 26. Counted wrong."
        assert told in [line["text"] for line in bobs.look()["since"]]
        assert anns.ask("odd", word="What now?") is None
        assert anns.ask("answers", fun=5, clear=3, again=4) == "There are no questions to answer now."
    again = Serving(tmp_path, duel(tmp_path))
    with again.client, again.page() as house:
        assert house.ask("playtests") is None
        (game,) = house.told["playtests"]["games"]
        (version,) = game["versions"]
        assert game["title"] == "Hearts" and (version["matches"], version["ended"]) == (1, 0)
        assert version["odd"][0]["word"] == "What now?" and "score" in version["allowed"][0]["text"]


def test_record_replays_the_override(tmp_path: Path, serving: Serving) -> None:
    ann, *_ = serving.lay("duel", "person")
    with serving.page(ann) as anns:
        anns.move()
        assert anns.ask("allow", at=anns.at, what="back", who="Ann", note="A slip.") is None
        number = serving.store.list_matches()[-1]
        write_records(serving.store, tmp_path / "records")
        match = cardlang.resume(tmp_path / "records" / f"match-{number}.jsonl")
        assert match.log[-1] == "Override: Ann undoes a move. A slip."
        assert match.decision is not None and match.decision.player == "Ann"

"""Hostile clients: broken messages, floods, and script injection."""

from __future__ import annotations

import json
import re
import time
from html import unescape
from pathlib import Path

import pytest
from starlette.websockets import WebSocketDisconnect

import cardlang
from cardlang.cards.card_content import CardSide
from cardlang.rulebook.plan.card_faces import CardDesign
from cardlang.ui.web import client_message
from cardlang.ui.web.game_catalog import has_lookalike, render_card_face_svg
from tests.game_files import read_game
from tests.web.pages import DUEL, Serving, duel


@pytest.mark.parametrize(
    "said",
    ["", "null", "[]", "7", '"move"', "{", '{"do": 7}', '{"do": "tell"}', '{"do": "__class__"}', "[" * 10_000,
     '{"do": "move", "at": {}, "move": 0}', '{"do": "move", "at": "1:1", "move": 1e999}',
     '{"do": "move", "at": "1:1", "move": ' + "9" * 5000 + "}", '{"do": "move", "at": "1:1", "move": true}',
     '{"do": "confirm", "at": "1:1", "refs": {"a": 1}}', '{"do": "confirm", "at": "1:1", "refs": [["a"]]}',
     '{"do": "chosen", "at": "1:1", "refs": ["zone/hand/Ann#999999999999"]}',
     '{"do": "chosen", "at": "1:1", "refs": ["#", "x#-1"]}',
     '{"do": "chosen", "at": "1:1", "refs": ["\\ud800"]}', '{"do": "confirm", "at": "1:1", "refs": ["\\udfff"]}',
     '{"do": "allow", "at": "1:1", "what": "back", "who": "\\ud800"}',
     '{"do": "allow", "at": "1:1", "what": "card", "card": "\\ud800", "to": "\\ud800", "note": "x"}',
     '{"do": "open", "name": "duel", "seats": [], "host": 0}', '{"do": "close", "table": 1}',
     '{"do": "playtests"}', '{"do": "game", "name": "../../etc/passwd"}',
     '{"do": "why", "at": "1:1", "move": "' + "(" * 90 + '"}', '{"do": "odd", "word": "' + "x" * 400 + '"}'],
)  # fmt: skip
def test_broken_messages_are_survived(serving: Serving, said: str) -> None:
    ann, *_ = serving.lay("duel", "person")
    with serving.page(ann) as page:
        before = page.look()
        page.send(said)
        assert "bug in cardlang" not in (page.told.get("no", {}).get("why") or "")
        assert page.look()["places"] == before["places"] and page.move() is None
        assert "".join(page.all).encode()  # what was said can be sent


def test_flood_is_disconnected(serving: Serving) -> None:
    ann, *_ = serving.lay("duel", "person")
    with serving.page(ann) as page, pytest.raises(WebSocketDisconnect):
        for _ in range(2 * int(client_message.BURST_MESSAGES)):
            page.ask("nothing")


def test_connections_per_link_are_limited(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """By each link, so that nobody who holds one keeps others out."""
    monkeypatch.setattr(client_message, "MAX_CONNECTIONS_PER_LINK", 1)
    ann, bob, _ = serving.lay("duel", "person")
    with serving.page(ann) as page, serving.page(ann) as second, serving.page(bob) as other:
        page.look()
        assert second.ask("nothing") == "Too many people are at this table already."
        assert other.look()


def test_spectator_flood_does_not_block_the_host(serving: Serving) -> None:
    """Both hold a link without a seat."""
    seats = [{"name": "Ann", "kind": "random"}, {"name": "Bob", "kind": "person"}]
    with serving.page() as house:
        house.ask("open", name="duel", seats=seats, host=-1)
        host = house.told["opened"]["host"]
    look = next(link.secret for link in serving.store.read_links(1) if link.seat is None and not link.is_host)
    with serving.page(host) as page:
        with serving.page(look) as flooding, pytest.raises(WebSocketDisconnect):
            for _ in range(2 * int(client_message.BURST_MESSAGES)):
                flooding.ask("nothing")
        assert page.ask("seat", seat=1, kind="random") is None


def test_spectators_cannot_use_up_the_reports_of_players(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_message, "MAX_REPORTS", 2)
    ann, bob, look = serving.lay("duel", "person")
    with serving.page(ann) as anns, serving.page(bob) as bobs, serving.page(look) as spectator:
        answers = [page.ask("odd", word="?") for page in (*[spectator] * 3, *[bobs] * 3, *[anns] * 3)]
    spectators, player = (f"{who} have made too many reports on this match." for who in ("Spectators", "You"))
    assert answers == [None, None, spectators, None, None, player, None, None, player]


SEALED = read_game("sealed")


def test_number_of_simultaneous_picks_is_hidden(tmp_path: Path) -> None:
    """Ann confirms one card or four while the others choose: what Bob is sent is as many messages, of moments of which
    none tells how many lines the record has."""
    heard = []
    for count in (1, 4):
        (folder := tmp_path / str(count)).mkdir()
        (folder / "sealed.cardgame").write_text(SEALED, encoding="utf-8")
        serving = Serving(folder, folder / "sealed.cardgame")
        with serving.client:
            ann, bob, *_ = serving.lay("sealed", "person", "person")
            with serving.page(ann) as anns, serving.page(bob) as bobs:
                bobs.look()
                cards = anns.look()["ask"]["choosing"]["refs"][:count]
                before = len(bobs.all)
                assert anns.ask("confirm", at=anns.at, refs=cards) is None
                bobs.look()
                heard.append(len(bobs.all) - before)
                lines = len(serving.store.read_lines(1))
                assert lines > count and bobs.at.startswith("1:") and bobs.at != f"1:{lines}"
    assert heard[0] == heard[1]


def test_bot_picks_send_no_extra_messages(tmp_path: Path) -> None:
    (tmp_path / "sealed.cardgame").write_text(SEALED, encoding="utf-8")
    serving = Serving(tmp_path, tmp_path / "sealed.cardgame")
    with serving.client:
        ann, *_ = serving.lay("sealed", "random", "random")
        with serving.page(ann) as page:
            cards = page.look()["ask"]["choosing"]["refs"][:1]
            before = len(page.all)
            assert page.ask("confirm", at=page.at, refs=cards) is None
            while not page.look()["over"]:
                time.sleep(0.01)
            moments = {message["at"] for message in map(json.loads, page.all[before:]) if message["is"] == "table"}
            assert len(moments) == 3


def test_closed_table_accepts_no_moves(serving: Serving) -> None:
    ann, *_ = serving.lay("duel", "person")
    with serving.page(ann) as page, serving.page() as house:
        page.look()
        assert house.ask("close", table=1) is None
        with pytest.raises(WebSocketDisconnect):
            for _ in range(9):
                page.ask("move", at=page.at, move=0)
        assert len(serving.store.read_lines(1)) == 1


@pytest.mark.parametrize("name", ["", " ", "A" * 25, "Ann", "ann", "a[b]", "a,b", "a\u202eb", "\u200b"])
def test_invalid_player_names_are_rejected(serving: Serving, name: str) -> None:
    seats = [{"name": "Ann", "kind": "person"}, {"name": "Bob", "kind": "person"}]
    with serving.page() as house:
        house.ask("open", name="duel", seats=seats, host=0)
        links = serving.store.read_links(1)
    with serving.page(links[1].secret) as page:
        why = page.ask("sit", name=name)
        assert why is not None or page.told["seat"]["you"] in ("ab",)


def test_game_texts_are_escaped(tmp_path: Path) -> None:
    evil = "<img src=x onerror=alert(1)></p><script>alert(2)</script>"
    file = duel(tmp_path, DUEL.format(4, evil).replace("Duel", "Duel <b>"))
    serving = Serving(tmp_path, file)
    with serving.client:
        ann, *_ = serving.lay("duel", "person")
        with serving.page(ann) as page:
            page.look()
            art = page.told["seat"]["art"]
        sheet = serving.client.get(f"/sheet/{art}").json()
        assert "&lt;script&gt;" in sheet["sheet"]
        assert "<script" not in sheet["sheet"] + sheet["aid"] and "<img" not in sheet["sheet"] + sheet["aid"]
        assert [card["code"] for card in serving.client.get(f"/cards/{art}").json()] == list("123456789")
        fullest = serving.client.get(f"/fullest/{art}/2").json()
        assert all(table["viewer"] == "Player 1" and not table["since"] for table in fullest)
        assert serving.client.get(f"/fullest/{art}/9").status_code == 404
        card = serving.client.get(f"/art/{art}/0.svg")
        assert card.headers["content-type"].startswith("image/svg+xml") and "<script" not in card.text
        assert serving.client.get(f"/art/{art}/999.svg").status_code == 404
        assert serving.client.get(f"/art/{art}/back/deck.svg").status_code == 200


def test_ambiguous_cards_show_their_title() -> None:
    """Of cards with a suit and a metal only the suit is a symbol."""
    kinds = "kind Value: 1 to 9\nkind Suit: Sun, Moon\nkind Metal: Gold, Tin"
    text = DUEL.format(4, "Play one.").replace("kind Value: 1 to 9", kinds)
    both = cardlang.loads(text.replace("2 of each Value", "1 of each Value, Suit, Metal"))
    suit = cardlang.loads(text.replace("2 of each Value", "1 of each Value, Suit"))
    assert all(
        has_lookalike(both, face) and face.title.split()[-1] in render_card_face_svg(both, face.number)
        for face in both.faces
    )
    assert not any(has_lookalike(suit, face) for face in suit.faces)


def test_only_the_lobby_opens_and_closes_tables(serving: Serving) -> None:
    ann, *_ = serving.lay("duel", "person")
    with serving.page() as house:
        assert house.ask("move", at="1:1", move=0) == "This link is not for a table."
        assert house.ask("close", table=1) is None
    with serving.page(ann) as page:
        assert page.ask("nothing") == "This link does not work. Its table may be closed."


def test_database_is_private(tmp_path: Path, serving: Serving) -> None:
    assert (tmp_path / "tables.db").stat().st_mode & 0o077 == 0


def test_card_picture_contains_all_its_text() -> None:
    """Also what stands on the other face of a Character, which nobody can turn over on a screen."""
    game = cardlang.load("tail_story")
    design = CardDesign(game)
    assert len(game.faces) > 20
    for face in game.faces:
        back = design.build_back(face)
        (said, *_) = back.passages if isinstance(back, CardSide) else design.build_front(face).passages
        lines = re.findall(r"<text[^>]*>(.*?)</text>", render_card_face_svg(game, face.number))
        drawn = " ".join(re.sub(r"<[^>]+>", "", line) for line in lines)
        assert (said.text or said.details).replace("'", "’") in unescape(drawn), face.title

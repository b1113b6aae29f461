"""Gin Rummy in lockstep with OpenSpiel."""

from collections.abc import Iterator
from random import Random
from typing import Any

from interpreter.gametree.tree_node import TreeNode
from interpreter.lower.standings import SEAT_VARIABLE
from tests.adapters.lockstep.pairing import ONE_DEAL, Moves, Pairing, convert_card_code, convert_card_title
from tests.game_files import read_game

PUT_BACK = "the card just taken is discarded again"
LAST_CARD = "the last discard is taken to knock"

SHOWDOWN = read_game("lockstep_gin_rummy")


class GinRummy(Pairing):
    """One deal, by players who keep what matches and knock every second time they can. There one says first that one
    knocks, and then discards; all melds are laid one after another. Here melds are chosen as is best: there, then, the
    knocker lays what is chosen here, and the rival whatever leaves least of all that is open to a rival there. An equal
    count is no undercut there: here, then, it is none, too. There the loser pays what the winner gets."""

    name = "gin_rummy"
    players = 2
    changes = ONE_DEAL + SHOWDOWN
    first_seat = 1
    """The dealer's: in OpenSpiel, player 0 begins."""

    def begin(self, random: Random) -> tuple[TreeNode, Any]:
        self.module = self.pyspiel.gin_rummy
        self.utils = self.module.GinRummyUtils(13, 4, 10)
        return super().begin(random)

    def find_deal_number(self, place: int, shuffle: int) -> int:
        return 51 - place

    def settle_chance(self, here: TreeNode) -> TreeNode:
        """Pass for a player who can't knock.

        cardlang asks these players too, because skipping them would reveal their hands."""
        here = super().settle_chance(here)
        while not here.over and list(here.texts_by_action.values()) == ["pass"]:
            here = super().settle_chance(here.play_action(*here.codes_by_action))
        return here

    def results(self, returns: list[float]) -> list[float]:
        return [max(each, 0.0) for each in returns]

    # ------------------------------------------------------------ moves
    def open(self, here: TreeNode, there: Any) -> Moves:
        """Return the legal moves of both sides, without the discard of the card just taken."""
        mine, theirs = super().open(here, there)
        if there.current_phase() != self.module.Phase.DISCARD:
            return mine, theirs
        mine = {move: texts for each in here.texts_by_action.values() for move, texts in list_discards(here, each)}
        knock = theirs.pop("knock", None)
        if knock is not None:
            asked = there.child(*knock)
            theirs |= {f"knock {self.name_of(each)}": (*knock, each) for each in asked.legal_actions()}
        taken = there.prev_upcard() if here.past_moves[-1][1] == "take" else None
        if taken is not None:
            theirs.pop(self.name_of(taken))
            theirs.pop(f"knock {self.name_of(taken)}", None)
            self.left_out[PUT_BACK] += 1
        return mine, theirs

    def name_of(self, card: int) -> str:
        return convert_card_code(self.utils.card_string(card))

    def move_there(self, text: str) -> str:
        action = text.split("Action: ")[1]
        if len(action) == 2:
            return convert_card_code(action)
        return {"Draw upcard": "take", "Draw stock": "draw"}.get(action, action.lower())

    def choose(self, there: Any, moves: list[str], random: Random) -> str:
        knocks = [move for move in moves if move.startswith("knock")]
        if knocks and random.random() < 0.5:
            return random.choice(knocks)
        if "take" in moves:
            return "take" if random.random() < 0.2 else moves[0]
        cards = [move for move in moves if move not in knocks]
        if random.random() < 0.2:
            return random.choice(cards)
        hand = there.hands()[there.current_player()]
        left = {card: [each for each in hand if self.name_of(each) != card] for card in cards}
        return min(cards, key=lambda card: self.utils.min_deadwood(left[card]))

    def parts(self, here: TreeNode, move: str) -> bool:
        """Return whether OpenSpiel ends the game without a winner: after fifty cards taken from the pile."""
        return move == "take" and sum(text == "take" for _, text in here.past_moves) >= 49

    # ------------------------------------------------------------ what is nobody's choice here
    def deal(self, there: Any, random: Random) -> None:
        """Deal in OpenSpiel: it also draws a card after all have passed, and ends the game with two cards left."""
        super().deal(there, random)
        while there.legal_actions() == [self.module.DRAW_STOCK_ACTION]:
            there.apply_action(self.module.DRAW_STOCK_ACTION)
            super().deal(there, random)
        if there.current_phase() == self.module.Phase.WALL:
            self.left_out[LAST_CARD] += self.module.KNOCK_ACTION in there.legal_actions()
            there.apply_action(self.module.PASS_ACTION)

    def follow(self, here: TreeNode, there: Any) -> None:
        """Show the hands in OpenSpiel."""
        if there.current_phase() != self.module.Phase.KNOCK:
            return
        knocker = there.current_player()
        least = self.utils.min_deadwood(there.hands()[knocker])
        program = here.context.program
        layout = program.evaluate(program.find_player_expression("layout"), here.state, {SEAT_VARIABLE.id: knocker})
        for group in layout.groups:
            cards = [here.context.names.get_card_code(card).replace("10", "T") for card in group]
            self.lay(there, sorted(map(self.utils.card_int, cards)))
        there.apply_action(self.module.PASS_ACTION)
        assert there.deadwood()[knocker] == least, f"the knocker could be left with {least}\n{there}"
        if not there.finished_layoffs():
            hand = there.hands()[1 - knocker]
            laid = min(self.laid_off(there), key=lambda cards: self.utils.min_deadwood([*set(hand) - set(cards)]))
            for action in (*laid, self.module.PASS_ACTION):
                there.apply_action(action)
        for meld in self.utils.best_meld_group(there.hands()[1 - knocker]):
            self.lay(there, meld)
        there.apply_action(self.module.PASS_ACTION)

    def lay(self, there: Any, meld: list[int]) -> None:
        """Lay down a meld in OpenSpiel, of at most five cards."""
        for part in (meld[:3], meld[3:]) if len(meld) in (6, 7, 8) else (meld,):
            there.apply_action(self.module.MELD_ACTION_BASE + self.utils.meld_to_int(part))

    def laid_off(self, there: Any) -> Iterator[tuple[int, ...]]:
        """Yield the choices of cards that the opponent can lay off, one by one."""
        yield ()
        for card in there.legal_actions():
            if card != self.module.PASS_ACTION:
                yield from ((card, *more) for more in self.laid_off(there.child(card)))


def list_discards(here: TreeNode, text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the moves that begin with a discard, with and without knocking."""
    match, card = here.match.clone(), convert_card_title(text)
    match.choose(text)
    if match.decision is None or "knock" not in match.decision.moves.texts:
        return [(card, (text,))]
    return [(card, (text, "pass")), (f"knock {card}", (text, "knock"))]

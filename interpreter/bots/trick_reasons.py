"""Reasons for a card played to a trick: how often it wins the trick, what that gains, and the simplest card that wins.

The rest of the trick is played at random in samples of the match.
"""

from __future__ import annotations

from collections import Counter

from attrs import evolve

from cardlang import model as g
from cardlang.model.game import IdentityKey
from cardlang.model.traversal import collect_all_nodes
from interpreter.bots.hint_samples import MatchSamples
from interpreter.bots.hint_text import MoveSummary, can_be_equally_good, find_score_unit
from interpreter.bots.move_effects import collect_shown_numbers
from interpreter.runtime.state import DONE, State
from interpreter.runtime.value_formatting import join_items
from interpreter.view.shown_values_and_hand_notes import DisplayValues

RARE_SHARE = 0.05
GAIN_SAMPLES = 20
"""Number of samples for the gain from a trick."""


def describe_trick_win(samples: MatchSamples, code: int) -> list[str]:
    """Describe how often a card wins the trick if the other players play at random."""
    ends = play_out_trick(samples, code)
    if ends is None:
        return describe_trick_roles(samples, code)
    taken = sum(state is not None for state in ends) / len(ends)
    if is_last_card(samples, code):
        return ["It takes the trick." if taken else "It does not take the trick."]
    if not taken and is_beaten(samples, code):
        return ["It cannot take the trick."]
    gain = describe_average_gain(samples, ends)
    if taken == 1 and is_unbeatable(samples, code):
        return [f"It takes the trick{f'; {gain}' if gain else ''}."]
    how_often = format_frequency("takes the trick", taken)
    return [f"It {how_often}{f'; if so, {gain}' if gain and taken >= RARE_SHARE else ''}."]


def describe_trick_roles(samples: MatchSamples, code: int) -> list[str]:
    """Describe the roles a card gives its player, while the trick is complete on the table.

    Return, for example, `It makes you best in the trick in 3 of 10 cases, lowest in the trick in 5 of 10.`

    The roles come from the game's `show` lines. The result is empty if they are not known in every sample.
    """
    if find_trick_pile(samples) is None or code == DONE or not samples.states:
        return []
    own_name = samples.names.players[samples.seat]
    trick_roles = [
        find_player_roles(samples, state)
        for world in samples.states
        if (state := complete_trick(samples, world, code)) is not None
    ]
    counted = Counter(noun for roles in trick_roles for noun, player in roles if player == own_name)
    names = sorted({noun for roles in trick_roles for noun, _ in roles})
    if len(trick_roles) < len(samples.states) or not names:
        return []
    shares = {
        noun: counted[noun] / len(trick_roles) for noun in counted if counted[noun] / len(trick_roles) >= RARE_SHARE
    }
    if not is_same_trick(samples, samples.apply_move(samples.states[0], code)):
        phrases = list(shares)
    else:
        phrases = [f"{noun} in {format_tenths(share)} cases" for noun, share in shares.items()]
    return [f"It makes you {join_items(phrases)}." if phrases else f"It makes you neither {join_alternatives(names)}."]


def join_alternatives(names: list[str]) -> str:
    """Return `best nor lowest in the trick`: words that end all names come once."""
    starts, ends = zip(*(name.rpartition(" ")[::2] for name in names), strict=True)
    if len(names) > 1 and all(starts) and len(set(ends)) == 1:
        return f"{join_alternatives(list(starts))} {ends[0]}"
    return join_items(names, "nor")


def complete_trick(samples: MatchSamples, sample: State, code: int) -> State | None:
    """Return the state of a sample after random play to the trick; None if the trick is no longer on the table."""
    pile, state = find_trick_pile(samples), samples.apply_move(sample, code)
    while state.loc[code - 1] == pile and is_same_trick(samples, state):
        samples.program.apply(state, samples.random.choice(state.legal))
    return state if state.loc[code - 1] == pile else None


def is_same_trick(samples: MatchSamples, state: State) -> bool:
    """Return whether the current player chooses a card for the same trick."""
    return state.who >= 0 and find_trick_pile(evolve(samples, site=samples.program.get_site(state))) == find_trick_pile(
        samples
    )


def find_player_roles(samples: MatchSamples, state: State) -> list[tuple[str, str]]:
    """Return the names of the game's roles, such as the best in the trick, with the players who have them."""
    defines, players = samples.program.game.defines, samples.names.players
    shown = DisplayValues(samples.names, state).get_shown_values(samples.seat)
    return [
        (shown_value.noun, str(shown_value.value))
        for shown_value in shown
        if shown_value.owner is None and shown_value.value in players and shown_value.name in defines
    ]


def describe_average_gain(samples: MatchSamples, ends: list[State | None]) -> str:
    """Return `you take 4.2 points on average`, or an empty string if it just counts the trick."""
    won = [(world, state) for world, state in zip(samples.states, ends, strict=True) if state is not None][
        :GAIN_SAMPLES
    ]
    number_pairs = [
        (collect_shown_numbers(samples, world), collect_shown_numbers(samples, state)) for world, state in won
    ]
    for noun in number_pairs[0][0] if number_pairs else ():
        changes = [float(after[noun][0] - before[noun][0]) for before, after in number_pairs if noun in after]
        if len(changes) == len(number_pairs) and set(changes) != {1.0} and sum(changes) >= len(changes) / 2:
            unit = noun if noun.endswith("s") else find_score_unit(samples.program)[1]
            return f"you take {sum(changes) / len(changes):.1f} {unit} on average"
    return ""


def format_frequency(verb: str, share: float) -> str:
    """Return a verb with its frequency, such as `takes the trick in 3 of 10 cases` or `hardly ever takes the trick`."""
    if share < RARE_SHARE:
        return f"hardly ever {verb}"
    return f"nearly always {verb}" if share > 1 - RARE_SHARE else f"{verb} in {format_tenths(share)} cases"


def format_tenths(share: float) -> str:
    """Return `3 of 10`. Small samples give no `never` or `always`, but `hardly any` and `nearly all`."""
    if share < RARE_SHARE:
        return "hardly any"
    return "nearly all" if share > 1 - RARE_SHARE else f"{min(max(round(10 * share), 1), 9)} of 10"


def play_out_trick(samples: MatchSamples, code: int) -> list[State | None] | None:
    """Return by sample the state after the trick if the player wins it, else None, with random play by the others.

    Return None for the list if the move plays no card to a trick, or if several players take its cards. The list is
    also None if a new deal follows immediately, because the winner is no longer known then.
    """
    pile, card = find_trick_pile(samples), code - 1
    if pile is None or code == DONE or not samples.states:
        return None
    ends = list[State | None]()
    for world in samples.states:
        state, played_cards = samples.apply_move(world, code), {card, *world.z[pile]}
        while state.loc[card] == pile and state.who >= 0:
            choice = samples.random.choice(state.legal)
            played_cards |= (
                {choice - 1}
                if find_trick_pile(evolve(samples, site=samples.program.get_site(state))) == pile
                else set()
            )
            samples.program.apply(state, choice)
        if state.rng != world.rng or len({state.owner[played] for played in played_cards}) > 1:
            return None
        ends.append(state if state.owner[card] == samples.seat else None)
    return ends


def is_last_card(samples: MatchSamples, code: int) -> bool:
    """Return whether a card completes the trick."""
    state = samples.apply_move(samples.states[0], code)
    return state.loc[code - 1] != find_trick_pile(samples) or state.who < 0


def is_beaten(samples: MatchSamples, code: int) -> bool:
    """Return whether the rules rank a card of the trick above this one."""
    if samples.best_trick_card is None:
        return False
    state = samples.apply_move(samples.states[0], code)
    return bool(samples.program.evaluate(samples.best_trick_card, state) != code - 1)


def is_unbeatable(samples: MatchSamples, code: int) -> bool:
    """Return whether no card that the other players may hold beats this one."""
    pile, sample = find_trick_pile(samples), samples.states[0]
    if samples.best_trick_card is None or pile is None:
        return False
    held = list_cards_of_others(samples, code - 1)
    return all(find_winning_card(samples, [*sample.z[pile], code - 1, card]) == code - 1 for card in held)


def list_cards_of_others(samples: MatchSamples, card: int) -> list[int]:
    """Return the cards that others may hold in the zone from which a card is played."""
    slots = samples.program.zones
    hand = slots[samples.states[0].loc[card]].zone
    hands = [place for place, slot in enumerate(slots) if slot.zone == hand and slot.of != samples.seat]
    return sorted({card for state in samples.states for place in hands for card in state.z[place]})


def find_touching_cards(samples: MatchSamples, index: int) -> frozenset[int]:
    """Return the indices of a card to play and of those that do the same in any trick; nothing if there are none.

    They differ only in rank, and beat the same cards of the others. No rule names one of them or its rank.
    """
    legal, trick = samples.states[0].legal if samples.states else [], find_trick_pile(samples)
    if trick is None or samples.best_trick_card is None or samples.sets or legal[index] == DONE:
        return frozenset()
    held, laid = list_cards_of_others(samples, legal[index] - 1), samples.states[0].z[trick]

    def list_wins(card: int) -> list[bool]:
        tricks = [cards for other in held for cards in ([*laid, card, other], [card, other], [other, card])]
        return [find_winning_card(samples, cards) == card for cards in tricks]

    game, face = samples.program.game, samples.program.face
    key, wins = build_rankless_key(IdentityKey(game), face[legal[index] - 1]), list_wins(legal[index] - 1)
    others = (at for at, code in enumerate(legal) if at != index and code != DONE)
    alike = [at for at in others if build_rankless_key(IdentityKey(game), face[legal[at] - 1]) == key]
    touching = [at for at in alike if key is not None and list_wins(legal[at] - 1) == wins]
    return frozenset([index, *touching]) if touching else frozenset()


def build_rankless_key(game: IdentityKey, face: int) -> tuple[object, ...] | None:
    """Return a key that is equal for faces that differ only in rank; None if a rule names the face or reads numbers."""
    nodes = collect_all_nodes(game.game)
    if any(isinstance(node, g.Worth) or (isinstance(node, g.NamedCards) and face in node.faces) for node in nodes):
        return None
    columns = game.game.columns.values()
    ranks = [
        column for column in columns if column.type.tag == "member" and game.game.kinds[str(column.type.of)].ordered
    ]
    named = {
        (str(node.type.of), node.value) for node in nodes if isinstance(node, g.Const) and node.type.tag == "member"
    }
    if any((str(column.type.of), column.get_member_index(face)) in named for column in ranks):
        return None
    return (game.game.faces[face].set, *(column.values[face] for column in columns if column not in ranks))


def prefer_simplest_card(samples: MatchSamples, moves: tuple[MoveSummary, ...]) -> tuple[MoveSummary, ...]:
    """Return the moves with the best first, but prefer a simple choice among cards that surely win the trick.

    Among moves that may be equally good, the lowest card comes first, or the highest if low scores are good.
    """
    legal = samples.states[0].legal if samples.states else []
    if (
        find_trick_pile(samples) is None
        or samples.best_trick_card is None
        or not is_sure_to_win(samples, legal[moves[0].index])
    ):
        return moves
    first, high = moves[0], is_low_good(samples)
    for move in moves[1:]:
        one, other = (first, move) if high else (move, first)
        if can_be_equally_good(moves[0], move) and is_card_stronger(samples, legal[other.index], legal[one.index]):
            first = move if is_sure_to_win(samples, legal[move.index]) else first
    return first, *(move for move in moves if move is not first)


def is_sure_to_win(samples: MatchSamples, code: int) -> bool:
    ends = play_out_trick(samples, code)
    return ends is not None and None not in ends


def is_low_good(samples: MatchSamples) -> bool:
    standing = samples.program.game.orders.get("standing")
    return standing is not None and standing.lines[0].how == "lower"


def is_card_stronger(samples: MatchSamples, card: int, other_card: int) -> bool:
    """Return whether a card beats another, in either order of play."""
    return all(
        find_winning_card(samples, pair) == card - 1
        for pair in ([card - 1, other_card - 1], [other_card - 1, card - 1])
    )


def find_winning_card(samples: MatchSamples, cards: list[int]) -> object:
    """Return the winner of a trick of these cards."""
    pile, state = find_trick_pile(samples), samples.program.clone(samples.states[0])
    assert pile is not None and samples.best_trick_card is not None
    state.z[pile] = cards
    for card in cards:
        state.loc[card] = pile
    return samples.program.evaluate(samples.best_trick_card, state)


def find_trick_pile(samples: MatchSamples) -> int | None:
    """Return the pile that the chosen card goes to, if the game shows it as a trick; else None."""
    statement, game = samples.site.statement, samples.program.game
    if samples.site.kind != "pick" or not isinstance(statement, g.Pick) or statement.position is not None:
        return None
    zone = statement.to.zone
    if not any(show.zone == zone and show.form == "trick" for show in game.shows):
        return None
    return samples.program.layout.zone_base[zone]

"""List the operations that every back end implements in addition to `interpreter.lowered.expressions`.

Each one is a function of that name in `interpreter.helpers` or `interpreter.moving`, and one in C. `state`: its
first argument is the state. `place`: its last argument is the place of the rule that can fail."""

from __future__ import annotations

from attrs import frozen


@frozen
class Operation:
    state: bool = False
    place: bool = False


PLAIN, OF_STATE, AT_FAULT, BOTH = Operation(), Operation(True), Operation(place=True), Operation(True, True)

VALUES = {
    "scaled": PLAIN, "plus": PLAIN, "minus": PLAIN, "times": AT_FAULT, "whole": AT_FAULT, "checked": AT_FAULT,
    "least_of": PLAIN, "most_of": PLAIN, "present": AT_FAULT,
    "strength_of": PLAIN, "part_of": PLAIN, "reading_owner": OF_STATE, "compare_readings": PLAIN,
    "highest_reading": PLAIN, "lowest_reading": PLAIN,
    "same_face": PLAIN, "face_in": PLAIN, "faces_of": PLAIN, "separate_copies": PLAIN, "owner_of": PLAIN,
    "pile_of": PLAIN,
    "left_of": OF_STATE, "right_of": OF_STATE, "others_of": OF_STATE, "seat_of": OF_STATE,
    "is_out": PLAIN, "depth": PLAIN, "asked": PLAIN,
    "knowers_of": OF_STATE, "watchers": OF_STATE, "narrowed": OF_STATE, "only_seat": PLAIN, "in_both": PLAIN,
    "in_either": PLAIN,
    "no_answers": PLAIN, "with_answer": PLAIN, "who_answered": PLAIN, "answer_of": PLAIN,
}  # fmt: skip

LISTS = {
    "alive": PLAIN, "winners": OF_STATE, "listed": PLAIN, "first_of": PLAIN, "last_of": PLAIN,
    "some_first": PLAIN, "some_last": PLAIN, "some_top": PLAIN, "some_bottom": PLAIN, "some_random": OF_STATE,
    "one_random": OF_STATE, "counted": BOTH, "subsets": BOTH, "first_present": PLAIN, "first_list": PLAIN,
    "reversed": PLAIN, "distinct_values": PLAIN, "descending": PLAIN, "negated": PLAIN, "larger_groups": PLAIN,
    "ranked": PLAIN, "highest_by": PLAIN, "lowest_by": PLAIN, "all_highest_by": PLAIN, "all_lowest_by": PLAIN,
    "only_highest_by": PLAIN, "only_lowest_by": PLAIN, "rotated": OF_STATE, "copied": PLAIN, "item_at": PLAIN,
    "range": PLAIN, "few": AT_FAULT, "whole_numbers": AT_FAULT,
    "distinct": OF_STATE, "in_order": OF_STATE, "ascending": PLAIN, "fulfilling": PLAIN, "more_picks": OF_STATE,
    "still_there": OF_STATE, "candidates": PLAIN,
}  # fmt: skip

EFFECTS = {
    "move": BOTH, "deal": BOTH, "put": OF_STATE, "shuffle": BOTH, "reveal": BOTH, "shuffle_players": BOTH,
    "eliminate": BOTH, "begin_picks": OF_STATE, "few_moves": AT_FAULT, "one_card": BOTH,
    "few_asked": AT_FAULT,
}  # fmt: skip

OPERATIONS = VALUES | LISTS | EFFECTS

"""The functions that a lowered program calls: how each is called in C."""

from __future__ import annotations

from benchmarks.to_c.kinds import LIST, NUMBER

NOTHING = "nothing"
CALLS: dict[str, tuple[str, str]] = {
    "move": ("slnen-a", NOTHING),
    "deal": ("slln-a", NOTHING),
    "put": ("snn", NOTHING),
    "shuffle": ("sn-", NOTHING),
    "reveal": ("sln-", NOTHING),
    "eliminate": ("sn-", NOTHING),
    "shuffle_players": ("s-", NOTHING),
    "over": ("s", NUMBER),
    "endless": ("a", NOTHING),
    "too_many": ("a", NOTHING),
    "checked": ("na", NUMBER),
    "whole": ("nna", NUMBER),
    "plus": ("nn", NUMBER),
    "minus": ("nn", NUMBER),
    "times": ("nna", NUMBER),
    "scaled": ("nn", NUMBER),
    "present": ("nna-", NUMBER),
    "listed": ("n", LIST),
    "first_of": ("ln", NUMBER),
    "last_of": ("ln", NUMBER),
    "some_first": ("ln", LIST),
    "some_last": ("ln", LIST),
    "some_top": ("ln", LIST),
    "some_bottom": ("ln", LIST),
    "one_random": ("sln", NUMBER),
    "some_random": ("sln", LIST),
    "left_of": ("sn", NUMBER),
    "right_of": ("sn", NUMBER),
    "seat_of": ("sn", NUMBER),
    "others_of": ("sn", LIST),
    "rotated": ("sln", LIST),
    "distinct": ("sln", LIST),
    "in_order": ("sln", LIST),
    "more_picks": ("slnnnnn", LIST),
    "same_face": ("-nn", NUMBER),
    "face_in": ("-nl", NUMBER),
    "reading_owner": ("sr", NUMBER),
}
"""Parameters and result. `s` state, `n` number, `l` list, `r` reading, `e` end of a pile, `a` place in the rules, `-`
left out."""
FAILING = {"endless", "too_many"}
ENDS = {"top": "END_TOP", "under": "END_UNDER", "lowest": "END_LOWEST", "highest": "END_HIGHEST"}
BEST_BY = {
    "highest_by": ("best_by", 1, NUMBER),
    "lowest_by": ("best_by", -1, NUMBER),
    "only_highest_by": ("only_best_by", 1, NUMBER),
    "only_lowest_by": ("only_best_by", -1, NUMBER),
    "all_highest_by": ("all_best_by", 1, LIST),
    "all_lowest_by": ("all_best_by", -1, LIST),
}

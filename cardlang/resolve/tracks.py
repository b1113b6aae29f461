"""Resolution of tracks: numbers, flags and members, with their initial values and restarts."""

from __future__ import annotations

from cardlang import game as g
from cardlang import nodes as n
from cardlang.resolve import codes
from cardlang.resolve.definitions import subject_scope, track_type
from cardlang.resolve.expressions import fit, value
from cardlang.resolve.scope import ERROR
from cardlang.resolve.texts import words
from cardlang.resolve.world import World, noun

TRACK_TYPES = ("number", "flag", "player")


def build_tracks(w: World) -> None:
    for node in w.of_type(n.Track):
        track = build_track(w, node)
        if track is not None:
            w.tracks[track.name] = track


def build_track(w: World, node: n.Track) -> g.Track | None:
    type_ = track_type(w, node)
    if type_ == ERROR:
        hint = "write `number`, `flag`, `player` or a kind"
        w.unknown(codes.UNKNOWN_KIND, "kind", node.type, [*TRACK_TYPES, *w.kinds], hint)
        return None
    var, scope = subject_scope(w, node)
    if var is not None and var.type.tag in ("error", "reading"):
        return None
    if node.starts is None:
        start: g.Expr = g.Const(type_, node.span, None if type_.maybe else 0)
    else:
        start = fit(w, value(w, node.starts.value, scope, type_), type_)
    name = node.name.text
    restarts = tuple(restarts_of(w, node))
    nouns, starts, doc = noun(node.called, name), node.starts is not None, words(w, node.doc)
    origin = w.origin(node)
    return g.Track(name, w.subject(node), type_, var, start, restarts, node.secret, nouns, starts, doc, origin)


def restarts_of(w: World, node: n.Track) -> list[g.Restart]:
    found = []
    for name in node.starts.again if node.starts else ():
        if name.text == "move" and "move" not in w.verbs:
            if w.subject(node) != "card":
                message = "only a number or flag of a card can start again with each move"
                w.error(codes.RESTART, message, name.span, "declare it for each card, as in `number card's uses`")
        elif not isinstance(w.verbs.get(name.text), n.Step):
            steps = [s.name.text for s in w.of_type(n.Step)]
            w.unknown(codes.UNKNOWN_STEP, "step", name, steps)
            continue
        own = node.starts is not None and node.starts.own
        if own and not own_makes_sense(w, node, name):
            continue
        found.append(g.Restart(name.text, own))
    return found


def own_makes_sense(w: World, node: n.Track, name: n.Name) -> bool:
    step = w.verbs.get(name.text)
    if w.subject(node) == "player" and isinstance(step, n.Step) and step.your:
        return True
    hint = f"`own` needs something of each player, declared with `your`, and a `step your {name.text}`"
    w.error(codes.RESTART, f"`{name.text}` is not a step of each player", name.span, hint)
    return False

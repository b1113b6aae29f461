"""Checks across rounds: scores, counters, players and cards that are wrongly reset, or wrongly kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from cardlang import game as g
from cardlang.checks.bindings import bound
from cardlang.checks.loops import through
from cardlang.checks.steps import own_source, triggered
from cardlang.game.walking import bodies, bodies_done, everything, steps_done, walk
from cardlang.source import Diagnostic

DEEPEST = 100
"""Maximum number of parts of a list to examine."""
READING_SCORES = ("winners",)


@frozen
class Setting:
    """Assignment to a track. `sure` means that it runs in each iteration of its loop; `deep` counts the nested loops
    around it."""

    statement: g.SetTrack
    sure: bool
    deep: int


def loops(game: g.Game) -> Iterator[g.Repeat]:
    """Yield the loops in the game's own file."""
    for body in bodies(game):
        for part in walk(body):
            if isinstance(part, g.Repeat) and part.span.source is own_source(game):
                yield part


def settings(
    game: g.Game, body: Iterable[g.Stmt], sure: bool = True, deep: int = 0, within: tuple[str, ...] = ()
) -> Iterator[Setting]:
    """Yield the assignments of a body and of its steps, in order."""
    for statement in body:
        match statement:
            case g.SetTrack():
                yield Setting(statement, sure, deep)
            case g.Do(step=name) if name not in within:
                yield from settings(game, game.steps[name].body, sure, deep, (*within, name))
            case g.Each(body=inner, condition=condition):
                yield from settings(game, inner, sure and condition is None, deep, within)
            case g.Repeat(body=inner):
                yield from settings(game, inner, False, deep + 1, within)
            case _:
                for option in getattr(statement, "options", ()):
                    yield from settings(game, option.body, False, deep, within)
                for name in ("then", "body", "otherwise"):
                    yield from settings(game, getattr(statement, name, ()), False, deep, within)


def read_in(game: g.Game, value: object) -> set[str]:
    """Return the tracks that a value reads, directly or through definitions."""
    return {part.track for part in through(game, value) if isinstance(part, g.TrackValue)}


def reads(game: g.Game, done: Iterable[object]) -> set[str]:
    """Return the tracks that some code reads. Adding to a track doesn't count as reading it."""
    found: set[str] = set()
    for part in (part for each in done for part in walk(each)):
        if isinstance(part, g.TrackValue):
            found.add(part.track)
        elif isinstance(part, g.Builtin) and part.name in READING_SCORES:
            found |= {"score", *standing(game)}
        elif isinstance(part, g.Option):
            found |= {track for _, track, _ in part.costs}
        elif isinstance(part, g.Call | g.Sorted | g.AggBy | g.ReadRanking | g.IsReading):
            found |= read_in(game, part)
    return found


def standing(game: g.Game) -> set[str]:
    """Return the tracks that decide the result of a match."""
    ends = [game.defines[name].value for name in ("score", "standing", "winners") if name in game.defines]
    return {"score"} | {name for value in ends for name in read_in(game, value)}


# ---------------------------------------------------------------- scores
def check_lost_scores(game: g.Game) -> Iterator[Diagnostic]:
    """Report scores that are reset in each round without being read before."""
    if "score" not in game.tracks or any(again for again in game.tracks["score"].restarts):
        return
    told: set[object] = set()
    for loop in loops(game):
        done = [*bodies_done(game, loop.body), loop.until, *triggered(game)]
        own = list(settings(game, loop.body))
        scores = [each for each in own if each.statement.track == "score"]
        if "score" in reads(game, [each for each in done if each is not None]):
            continue
        afresh = {
            each.statement.track
            for each in own
            if each.statement.operator == "=" and each.sure and isinstance(each.statement.value, g.Const)
        }
        begun = steps_done(game, loop.body)
        afresh |= {name for name, track in game.tracks.items() if any(each.step in begun for each in track.restarts)}
        gathered = any(isinstance(part, g.Move) and gathers(part) for each in done for part in walk((each,)))
        added = any(each.statement.operator != "=" for each in scores)
        for each in scores:
            statement = each.statement
            if statement.operator != "=" or not each.sure or statement.span in told:
                continue
            value = statement.value
            again = afresh & read_in(game, value) or (gathered and looks_at_cards(game, value))
            if added if isinstance(value, g.Const) else again:
                told.add(statement.span)
                yield lost(statement, loop)


def looks_at_cards(game: g.Game, value: g.Expr) -> bool:
    return any(isinstance(part, g.ZoneCards) for part in through(game, value))


def lost(statement: g.SetTrack, loop: g.Repeat) -> Diagnostic:
    constant = isinstance(statement.value, g.Const)
    hint = "set it once, before the loop" if constant else "to keep the earlier points, write `add … to your score`"
    return Diagnostic(
        "W424",
        "the score is set in each round and not used before, so only the last round counts",
        statement.span,
        hint,
        ((loop.span, "the loop"),),
        warning=True,
    )


# ---------------------------------------------------------------- counters
def check_counters(game: g.Game) -> Iterator[Diagnostic]:
    """Report counters of each player that are added to the score after each deal but never reset for the next one."""
    for loop in loops(game):
        done = list(bodies_done(game, loop.body))
        if not any(isinstance(part, g.Move) and gathers(part) for each in done for part in walk(each)):
            continue
        own = list(settings(game, loop.body))
        changed = [each.statement for each in own]
        for each in own:
            if each.statement.track == "score" and each.statement.operator == "+" and each.deep == 0:
                for name in sorted(read_in(game, each.statement.value) - {"score"}):
                    if only_grows(game, name, changed):
                        yield grown(game, name, each.statement, loop)


def gathers(move: g.Move) -> bool:
    items = move.what.items if isinstance(move.what, g.Joined) else (move.what,)
    return all(isinstance(item, g.SetCards) for item in items)


def only_grows(game: g.Game, name: str, changed: list[g.SetTrack]) -> bool:
    """Return whether each player has a track that is only added to, and only in these statements.

    A track with an explicit start is left out: it is meant to count through the whole game."""
    track = game.tracks[name]
    own = [each for each in changed if each.track == name]
    if track.subject != "player" or track.starts or track.restarts or not own:
        return False
    return all(part.operator == "+" for part in everything(game) if isinstance(part, g.SetTrack) and part.track == name)


def grown(game: g.Game, name: str, statement: g.SetTrack, loop: g.Repeat) -> Diagnostic:
    return Diagnostic(
        "W426",
        f"`{name}` is never reset, but is scored after each deal",
        statement.value.span,
        f"write `set your {name} to 0` at the start of each deal. To count through the whole game, declare "
        f"`number your {name} starts at 0`",
        ((game.tracks[name].origin.name, "never reset"), (loop.span, "the deals")),
        warning=True,
    )


# ---------------------------------------------------------------- dead stores
def check_set_last(game: g.Game) -> Iterator[Diagnostic]:
    """Report assignments at the end of the game whose value is never read."""
    if "play" not in game.steps:
        return
    body = game.steps["play"].body
    always = reads(game, triggered(game)) | standing(game) | {show.name for show in game.shows}
    conditions = [trigger.condition for trigger in game.whenevers]
    always |= {name for condition in conditions for name in read_in(game, condition)}
    always |= {var.name for var, _ in bound(game)}  # shadowed names, which `check_hiding` reports
    for place, statement in enumerate(body):
        if isinstance(statement, g.SetTrack) and statement.span.source is own_source(game):
            after = [part for each in body[place + 1 :] for part in bodies_done(game, (each,))]
            if statement.track not in always | reads(game, after) and statement.track in reads(game, bodies(game)):
                yield Diagnostic(
                    "W425",
                    f"`{statement.track}` is set here but never read afterwards",
                    statement.span,
                    "if it belongs to each round, indent it into the loop above, or delete it",
                    warning=True,
                )


# ---------------------------------------------------------------- off-by-one loops
def check_one_more(game: g.Game) -> Iterator[Diagnostic]:
    """Report off-by-one loops such as `repeat until round > 3` with `round` starting at 0: it runs four times."""
    for loop in loops(game):
        match loop.until:
            case g.Compare(operator=">", left=g.TrackValue(track=name, of=None), right=limit) if counts_up(
                game, loop, name
            ):
                yield Diagnostic(
                    "W427",
                    f"this loop runs one time more than `{limit.span.text}`, because `{name}` starts at 0",
                    loop.until.span if loop.until else loop.span,
                    f"write `{name} = {limit.span.text}`",
                    ((game.tracks[name].origin.name, "it starts at 0"),),
                    warning=True,
                )


def counts_up(game: g.Game, loop: g.Repeat, name: str) -> bool:
    """Return whether a track changes only by an increment of 1 per iteration of a loop."""
    start = game.tracks[name].start
    changing = [part for part in everything(game) if isinstance(part, g.SetTrack) and part.track == name]
    if game.tracks[name].starts or not isinstance(start, g.Const) or start.value or len(changing) != 1:
        return False
    (only,) = changing
    once = isinstance(only.value, g.Const) and only.value.value == 1 and only.operator == "+"
    return once and any(part is only for part in loop.body)


# ---------------------------------------------------------------- tricks that are not cleared
def check_cleared(game: g.Game) -> Iterator[Diagnostic]:
    """Report tricks that are not cleared.

    All players play to the table and the best card is judged, but no move clears the table."""
    for loop in loops(game):
        done = [part for each in bodies_done(game, loop.body) for part in walk(each)]
        moves = [part for part in done if isinstance(part, g.Move | g.Pick)]
        taken = {zone for part in moves if not takes_one(part) for zone in sources(game, part)}
        if None in taken or any(isinstance(part, g.Repeat | g.Finish) for part in done):
            continue
        for zone in {part.to.zone for part in done if isinstance(part, g.Each) for part in played(part)} - taken:
            best = next((part for part in done if judges(game, part, zone)), None)
            if isinstance(best, g.Expr) and cleared_elsewhere(game, zone):
                yield not_cleared(zone, best, loop)


def not_cleared(zone: str, best: g.Expr, loop: g.Repeat) -> Diagnostic:
    return Diagnostic(
        "W432",
        f"nothing clears `{zone}` in this loop, so later rounds judge the earlier cards too",
        best.span,
        f"move the cards away at the end of a round: `move {zone} to …`",
        ((loop.span, "the loop"),),
        warning=True,
    )


def takes_one(part: g.Move | g.Pick) -> bool:
    """Return whether a move takes a single card, so that others stay."""
    cards = part.what if isinstance(part, g.Move) else part.source
    items = cards.items if isinstance(cards, g.Joined) else (cards,)
    return isinstance(part, g.Move) and len(items) == 1 and items[0].type.tag == "card"


def sources(game: g.Game, part: g.Move | g.Pick) -> Iterator[str | None]:
    """Yield the source zones of a move; None means any zone."""
    waiting, deep = [part.source if isinstance(part, g.Pick) else part.what], DEEPEST
    while waiting and deep:
        deep -= 1
        match waiting.pop():
            case g.ZoneCards(zone=zone):
                yield zone
            case g.Filter(list=inner) | g.Agg(list=inner) | g.AggBy(list=inner) | g.Sorted(list=inner):
                waiting.append(inner)
            case g.FirstPossible(lists=lists):
                waiting += [each for each, _ in lists]
            case g.Joined(items=items):
                waiting += items
            case g.MapEach(value=inner):
                waiting.append(inner)
            case g.Call(define=name):
                waiting.append(game.defines[name].value)
            case _:
                yield None


def played(each: g.Each) -> Iterator[g.Pick]:
    """Yield the mandatory plays of every player in turn to a zone of the table."""
    if isinstance(each.list, g.Builtin) and each.list.name == "players" and each.condition is None:
        for part in each.body:
            if isinstance(part, g.Pick) and not part.may and part.to.of is None:
                yield part


def judges(game: g.Game, part: object, zone: str) -> bool:
    """Return whether a part asks for the owner of the best card of a zone."""
    if not (isinstance(part, g.Builtin) and part.name == "owner" and isinstance(part.of, g.AggBy)):
        return False
    return isinstance(part.of.list, g.ZoneCards) and part.of.list.zone == zone


def cleared_elsewhere(game: g.Game, zone: str) -> bool:
    moves = [part for part in everything(game) if isinstance(part, g.Move | g.Pick)]
    return any({zone, None} & set(sources(game, part)) for part in moves)

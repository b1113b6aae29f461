"""Lint rules for choices in triggers and nested turns, double payments, and random draws that are repeated."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import model as g
from cardlang.lint.rule_registry import Finding
from cardlang.lint.static.shared_game_facts import GameFacts, rule
from cardlang.model.statement_effects import find_effects, iter_track_changes
from cardlang.model.traversal import ModelNode, is_random_draw, iter_declaration_expressions, walk


# ---------------------------------------------------------------- players who act
@rule("W431", "Everyone asked in each turn")
def find_nested_rounds(facts: GameFacts) -> Iterator[Finding]:
    """This step asks every player, and it runs once for each player, so only the last
    choices count. Indent the `do` less, or let the step ask only `you`.

    Wrong:

        number your bid
        step play
          each player
            do bidding
          each player
            add your bid to your score
        step bidding
          each player
            you choose tricks from 0 to 3
            set your bid to tricks

    Right:

        number your bid
        step play
          do bidding
          each player
            add your bid to your score
        step bidding
          each player
            you choose tricks from 0 to 3
            set your bid to tricks
    """
    for loop in facts.find_nodes(g.Each):
        last = loop.body[-1] if loop.body else None
        if not is_loop_over_all_players(loop) or not isinstance(last, g.Do) or last.of is not None or last.args:
            continue
        inner = next((each for each in facts.game.steps[last.step].body if isinstance(each, g.Each)), None)
        if inner is not None and is_loop_over_all_players(inner) and stores_choices(inner):
            changes = iter_track_changes(facts.walk_reachable(loop.body[:-1]))
            if all(facts.game.tracks[change.track].subject is not None for change in changes):
                yield Finding(
                    last.span,
                    f"`{last.step}` asks every player, but runs once for each player, so only the last answers count",
                    "indent this line less, so that it runs once, or write a `step your …` without `each player`",
                    ((loop.span, "for each player"), (inner.span, "and again in the step")),
                )


def is_loop_over_all_players(loop: g.Each) -> bool:
    is_everyone = isinstance(loop.list, g.Builtin) and loop.list.name == "players"
    return is_everyone and loop.condition is None and not loop.together


def stores_choices(loop: g.Each) -> bool:
    """Return whether players choose in turn and their choices are stored."""
    parts = list(walk(loop.body))
    has_choices = any(isinstance(part, g.Choose | g.Menu) for part in parts)
    moves_cards = any(find_effects(part).transfers for part in parts)
    return has_choices and not moves_cards and any(change.operator == "=" for change in iter_track_changes(parts))


@rule("W433", "One player takes all turns", checks_libraries=True)
def find_single_acting_players(facts: GameFacts) -> Iterator[Finding]:
    """This loop asks only one player, and no rule ever passes the turn on. Write
    `each player from …`, or set the next player after the turn.

    Wrong:

        player starter starts at random of players
        step play
          shuffle deck
          repeat until deck is empty
            do starter's turn
        step your turn
          you draw 1 to 3 from top of deck to your hand
          add count of your hand to your score

    Right:

        player starter starts at random of players
        step play
          shuffle deck
          repeat until deck is empty
            do starter's turn
            set starter to starter's left
        step your turn
          you draw 1 to 3 from top of deck to your hand
          add count of your hand to your score
    """
    changed = {change.track for change in facts.track_changes}
    for loop in facts.find_own_nodes(g.Repeat) if max(facts.game.seats) > 1 else ():
        parts = facts.walk_reachable(loop.body)
        acting = [(part, find_asked_player_track(facts, part)) for part in parts if isinstance(part, g.Stmt)]
        statement, name = next((each for each in acting if each[1] and each[1] not in changed), (None, ""))
        if statement is not None and not any(can_ask_other_players(facts, part) for part in parts):
            yield Finding(
                statement.span,
                f"only `{name}` acts here, and it is the same player all game",
                f"write `each player from {name}`, or `set {name} to {name}'s left` after the turn",
                ((loop.span, "in every round of this loop"),),
            )


def find_asked_player_track(facts: GameFacts, statement: g.Stmt) -> str | None:
    """Return the player track that a statement asks, directly or through a step, or None."""
    match statement:
        case g.Do(step=name, of=g.TrackValue(track=track, of=None)):
            return track if has_choice(facts, facts.game.steps[name].body) else None
        case g.Remember(var=g.Var(name=""), value=g.TrackValue(track=track, of=None)):
            return track
    return None


def can_ask_other_players(facts: GameFacts, part: object) -> bool:
    """Return whether players are asked in turn or simultaneously."""
    return isinstance(part, g.Offer) or (isinstance(part, g.Each) and has_choice(facts, part.body))


def has_choice(facts: GameFacts, body: object) -> bool:
    return any(find_effects(part).asks for part in facts.walk_reachable(body))


# ---------------------------------------------------------------- double payments
@rule("W434", "Cost paid twice", checks_libraries=True)
def find_double_payments(facts: GameFacts) -> Iterator[Finding]:
    """Choosing this option already pays its `costs`, and its lines subtract the same
    amount again. Delete that line. To charge twice as much, change the amount
    after `costs`.

    Wrong:

        number your oil starts at 3
        step play
          shuffle deck
          each player
            repeat until you pass
              you may choose one
                option dive costs 1 oil
                  subtract 1 from your oil
                  add 2 to your score

    Right:

        number your oil starts at 3
        step play
          shuffle deck
          each player
            repeat until you pass
              you may choose one
                option dive costs 1 oil
                  add 2 to your score
    """
    # Payments of another amount, or of another player, may be intended.
    offers: list[tuple[g.Expr, tuple[g.Option, ...]]] = [(each.who, each.options) for each in facts.find_nodes(g.Menu)]
    offers += [(each.var, each.options) for each in facts.find_nodes(g.Offer)]
    offers += [(each.you, (each.option,)) for each in facts.game.reactions]
    for payer, option in ((payer, option) for payer, options in offers for option in options):
        paid = list(iter_payments(facts.game, option.body, payer)) if facts.is_own(option.span) else []
        for amount, name, _ in option.costs if paid else ():
            same = (each for each, of in paid if each.track == name and of == payer and each.value == amount)
            again = next(same, None)
            if again is not None:
                yield Finding(
                    again.span,
                    f"this is paid twice: `{option.name}` already costs it",
                    "delete this line. For twice the cost, change `costs`",
                    ((amount.span, "already paid here"),),
                )


def iter_payments(
    game: g.Game, body: tuple[g.Stmt, ...], payer: g.Expr, active_steps: tuple[str, ...] = ()
) -> Iterator[tuple[g.SetTrack, g.Expr | None]]:
    """Yield the subtractions that a body always makes, including its steps, with the player who pays."""
    for statement in body:
        match statement:
            case g.SetTrack(operator="-", of=of):
                yield statement, of
            case g.Do(step=name, of=of) if name not in active_steps:
                step = game.steps[name]
                for each, whose in iter_payments(game, step.body, payer, (*active_steps, name)):
                    yield each, of if step.you is not None and whose == step.you else whose


# ---------------------------------------------------------------- choices where none can be made
@rule("E304", "Choice inside a condition trigger")
def find_choices_in_triggers(facts: GameFacts) -> Iterator[Finding]:
    """A `whenever` with a condition can't ask a player to choose. It runs
    immediately, in the middle of the statement that made the condition true. Ask
    in the step instead, with `if`. Only `whenever card enters …` can ask.

    Wrong:

        whenever deck is empty
          each player
            you discard 1 from your hand to table

    Right:

        step clean-up
          if deck is empty
            each player
              you discard 1 from your hand to table
    """
    for trigger in facts.game.whenevers:
        if any(find_effects(part).waits for part in walk_with_steps_and_triggers(facts, trigger.body)):
            hint = "put the choice in a step, below an `if …`, after the line that makes the condition true"
            yield Finding(trigger.span, "a `whenever` with a condition cannot contain a choice", hint)


@rule("E305", "Second choice in `together`")
def find_nested_choices(facts: GameFacts) -> Iterator[Finding]:
    """With `together`, each player makes one choice, and this is a second one.
    Players would make it in turn, so later players would know the earlier choices.
    Put both choices into one option, with `with`. Or ask later, in a separate
    `each player`. The second choice may be in a step that runs here, or in the
    effect of a card.

    Wrong:

        step bids
          together each player
            you choose one
              option bid
                you choose amount from 1 to 3
                add amount to your score
              option keep-out

    Right:

        step bids
          together each player
            you choose one
              option bid with amount from 1 to 3
                add amount to your score
              option keep-out
    """
    for loop in (each for each in facts.find_nodes(g.Each) if each.together):
        for part in walk_with_steps_and_triggers(facts, loop.body):
            if isinstance(part, g.Stmt) and find_effects(part).waits and not any(part is own for own in loop.body):
                yield Finding(
                    part.span,
                    "a second choice inside a joint choice",
                    "make it part of the same move (`option … with … from …`), or ask in a separate `each player`",
                    ((loop.span, "the joint choice"),),
                )


def walk_with_steps_and_triggers(facts: GameFacts, body: object) -> Iterator[ModelNode]:
    """Yield all statements and expressions of a body, of its steps, and of triggers of the zones it moves cards to."""
    entered: set[str] = set()
    todo = [body]
    while todo:
        for part in facts.walk_reachable(todo.pop()):
            yield part
            fresh = {transfer.to.zone for transfer in find_effects(part).transfers} - entered
            entered |= fresh
            todo += [trigger.body for trigger in facts.game.enters if trigger.zone in fresh]


# ---------------------------------------------------------------- repeated random draws
REMEMBER_EXAMPLE = "`remember random of … as drawn`"


@rule("E313", "Random value drawn again")
def find_repeated_draws(facts: GameFacts) -> Iterator[Finding]:
    """`random` draws again each time, so this value could change from one use to the
    next. You can't use it in a definition, an order, a ranking, `expect`, the
    condition of a `whenever` or the terms of a choice. Draw once in a step, and
    store the result with `remember`.

    Wrong:

        define your prize as random of hand
        step play
          shuffle deck
          each player
            deal top 4 of deck to your hand
            discard your prize to table
            add your prize's value to your score

    Right:

        step play
          shuffle deck
          each player
            deal top 4 of deck to your hand
            remember random of your hand as prize
            discard prize to table
            add prize's value to your score
    """
    starts = {id(track.start) for track in facts.game.tracks.values()}
    values = [value for value in iter_declaration_expressions(facts.game) if id(value) not in starts]
    choices = [get_choice_values(part) for part in facts.find_nodes(g.Stmt, g.Option)]
    expectations = [part.condition for part in facts.find_nodes(g.Property)]
    for place, parts, hint in (
        (
            "here",
            values,
            f"draw in a step, with {REMEMBER_EXAMPLE}, or once at the start, with `player NAME starts at random of "
            "players`",
        ),
        ("in a choice", choices, f"draw before the choice, with {REMEMBER_EXAMPLE}, and write `drawn` here"),
        ("in an `expect`", expectations, f"draw before the `expect`, with {REMEMBER_EXAMPLE}"),
    ):
        message = f"`random` cannot be used {place}, because it would draw again each time"
        yield from (Finding(part.span, message, hint) for part in walk(tuple(parts)) if is_random_draw(part))


def get_choice_values(part: object) -> object:
    """Return the values of a choice that determine the legal moves."""
    match part:
        case g.Option(binders=binders, when=when, costs=costs):
            prices = tuple(amount for amount, _, _ in costs)
            return tuple(domain for _, domain in binders), tuple(each for each, _ in when), prices
        case g.Choose(domain=domain, provided=provided, low=low, high=high):
            return domain, provided, low, high
        case g.Pick(is_automatic=False, source=source, low=low, high=high):
            return source, low, high
    return ()

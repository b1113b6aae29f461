"""Static lint rules. An error is surely wrong; a warning is suspicious. If a rule isn't certain, it finds nothing."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from cardlang.diagnostics import Diagnostic
from cardlang.lint.static.complexity_limits import DEPTH_RULES
from cardlang.lint.static.shared_game_facts import RULES, GameFacts
from cardlang.model import Game

__all__ = ["RULES", "check_game"]

for module in iter_modules(__path__, f"{__name__}."):
    import_module(module.name)  # registers the rules in it


def check_game(game: Game) -> list[Diagnostic]:
    """Run all rules and return their diagnostics in source order, without duplicates.

    If a game is nested too deeply, only that is reported.
    """
    facts, own_source = GameFacts(game), game.sources[0]
    found = dict.fromkeys(DEPTH_RULES.run(facts, own_source)) or dict.fromkeys(RULES.run(facts, own_source))
    return sorted(found, key=lambda finding: (finding.span.source.name, finding.span.start))

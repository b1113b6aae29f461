"""Syntax of all statements, for hints in error messages. Placeholders are in capitals."""

from __future__ import annotations

from attrs import frozen


@frozen
class Shape:
    """Syntax of a statement. `block` describes the lines that must be indented below it, if any."""

    what: str
    shape: str
    example: str
    block: str = ""


MOVE = Shape("a move", "move CARDS to ZONE", "deal top 5 of deck to your hand")
PICK = Shape("a choice of cards", "you play COUNT from CARDS to ZONE", "you discard 1 to 2 from your hand to muck")
OFFER = Shape(
    "an offer",
    "each player from PLAYER may choose one, until one does",
    "each player from dealer's left may choose one, until one does",
    "its options",
)
CHOOSE = Shape("a choice", "you choose NAME from CHOICES", "you choose victim from your others")
ROW = Shape("a row", "PLAYER: NAME VALUE, NAME VALUE", "Ann: hand [9G], chips 20")
TRACK = Shape("a number", "number NAME starts at VALUE", "number your chips starts at 100")
CLAUSE = Shape(
    "a line of an option",
    "with NAME from CHOICES, when CONDITION, costs AMOUNT NAME",
    "with target from your others when chips > 0 costs 1 uses",
)
ORDER_LINE = Shape("a line of an order", "higher VALUE", "higher value")

VERBS = (
    "move", "deal", "draw", "discard", "play", "put", "place", "take", "return", "remove", "turn", "give", "pass",
)  # fmt: skip

ITEMS = {
    "game": Shape("the first line", 'game "TITLE" for COUNT players', 'game "Hearts" for 3 to 6 players'),
    "library": Shape("the first line of a library", 'library "TITLE"', 'library "Betting"'),
    "use": Shape("a `use` line", "use LIBRARY", "use betting"),
    "variant": Shape("a variant", 'variant "TITLE"', 'variant "Short game"', "the lines that differ from the game"),
    "needs": Shape("a `needs` line", "needs NAME", "needs your strength"),
    "ages": Shape("the ages", "ages NUMBER", "ages 12"),
    "minutes": Shape("the length", "minutes NUMBER to NUMBER", "minutes 20 to 45"),
    "component": Shape("a component", 'component COUNT "WHAT"', 'component 1 "dealer button"'),
    "show": Shape("a `show` line", "show NAME", "show your coins"),
    "ruling": Shape("a ruling", 'ruling "QUESTION?"', 'ruling "Who leads?"', "its answer, in quotes"),
    "kind": Shape("a kind", "kind NAME: VALUE, VALUE", "kind Suit: Clubs (c), Hearts (h)"),
    "ordered": Shape("a kind", "ordered kind NAME: LOWEST, …, HIGHEST", "ordered kind Value: 1 to 13"),
    "cards": Shape("a set of cards", "cards NAME in ZONE", "cards Pack in deck", "its cards"),
    "zone": Shape("a zone", "zone NAME seen by WHO", "zone your hand seen by owner"),
    "number": TRACK,
    "flag": Shape("a flag", "flag NAME starts at yes or no", "flag your folded starts each round at no"),
    "player": Shape("a player", "player NAME starts at PLAYER", "player dealer starts at random of players"),
    "secret": Shape("a secret number", "secret number NAME starts at VALUE", "secret number your bid starts at 0"),
    "define": Shape("a definition", "define NAME as VALUE", "define your score as total of won's value", "its cases"),
    "order": Shape("an order", "order NAME of card", "order strength of card", "lines such as `higher value`"),
    "ranking": Shape(
        "a ranking",
        "ranking NAME of COUNT cards, best first",
        "ranking Hand of 5 cards, best first",
        "its ranks, best first",
    ),
    "step": Shape("a step", "step NAME", "step your turn", "its statements"),
    "reaction": Shape("a reaction", "reaction NAME", "reaction stop", "a `to` line and its statements"),
    "whenever": Shape("a trigger", "whenever CONDITION", "whenever deck is empty", "its statements"),
    "example": Shape(
        "an example", 'example "TITLE" with PLAYER, PLAYER', 'example "Following suit" with Ann, Bob', "its lines"
    ),
}

STATEMENTS = {
    **dict.fromkeys(VERBS, MOVE),
    "you": PICK,
    "shuffle": Shape("a `shuffle` line", "shuffle ZONE", "shuffle deck"),
    "reveal": Shape("a `reveal` line", "reveal CARDS", "reveal your hand"),
    "set": Shape("a `set` line", "set NAME to VALUE", "set leader to dealer's left"),
    "add": Shape("an `add` line", "add AMOUNT to NAME", "add 1 to your score"),
    "subtract": Shape("a `subtract` line", "subtract AMOUNT from NAME", "subtract 5 from your chips"),
    "remember": Shape("a `remember` line", "remember VALUE as NAME", "remember top of deck as found"),
    "eliminate": Shape("an `eliminate` line", "eliminate PLAYER", "eliminate you"),
    "each": Shape("a round", "each player from PLAYER", "each player from leader", "the statements for each player"),
    "together": Shape("a joint choice", "together each player", "together each player", "the choice"),
    "first": OFFER,
    "repeat": Shape("a loop", "repeat until CONDITION", "repeat until deck is empty", "the statements to repeat"),
    "if": Shape("an `if` line", "if CONDITION", "if deck is empty", "its statements"),
    "otherwise": Shape("an `otherwise` line", "otherwise", "otherwise", "its statements"),
    "do": Shape("a `do` line", "do STEP with VALUE", "do your turn"),
    "finish": Shape("a `finish` line", "finish STEP", "finish game"),
    "announce": Shape("an announcement", "announce NAME on TARGET", "announce attack on victim", "its statements"),
    "cancel": Shape("a `cancel` line", "cancel", "cancel"),
    "option": Shape("an option", "option NAME when CONDITION", "option call when owed > 0"),
    "expect": Shape("an `expect` line", "expect CONDITION", "expect Ann's score = 12"),
    "with": CLAUSE,
    "when": CLAUSE,
    "costs": CLAUSE,
    "given": Shape("a position", "given", "given", "rows such as `Ann: hand [9G], chips 20`"),
    "those": Shape("a line of an order", "those where CONDITION", "those where suit = lead-suit"),
    "best": Shape("a line of an order", "best when CONDITION", "best when wilds = 0"),
    "worst": Shape("a line of an order", "worst when CONDITION", "worst when wilds > 0"),
    **dict.fromkeys(("higher", "lower", "later", "earlier"), ORDER_LINE),
    "wild": Shape("a `wild` line", "wild where CONDITION as any SET", "wild where rank = Two as any Pack"),
    "ties": Shape("a `ties` block", "ties", "ties", "lines such as `higher used's value from the highest down`"),
    "least": Shape("a `least` line", "least NAME left", "least points left"),
}

SHAPES = ITEMS | STATEMENTS
CASE = Shape("a case", "VALUE when CONDITION", "3 when suit = Hearts")

# Notations from other languages or habits, with replacements, in the order in which they are tried.
SUBSTITUTES = (
    (r'"([^"\n]*)"(\w[^"\n]*)"([^"\n]*)"', r'"\1\"\2\"\3"'),
    (r"“([^“”\"\n]*)”|„([^“”„\"\n]*)[“”]", r'"\1\2"'),
    (r"‘([^‘’\"\n]*)’|'([^'\"\n]*)'", r'"\1\2"'),
    (r"[’‘´`](?=s?\b)", "'"),
    (r"==|===|:=", "="),
    (r"<>|≠|!==|=/=|/=", "!="),
    (r"=<|≤", "<="),
    (r"=>|≥", ">="),
    (r"&&?", "and"),
    (r"\|\|?", "or"),
    (r"!(?!=)", "not "),
    (r"×", "*"),
    (r"÷", "/"),
    (r"[−–—]", "-"),
    (r"\b(?:hidden|secret|face[- ]down)\b", "seen by nobody"),
    (r"(?<=\w)_(?=\w)", "-"),
    (r":?=", "as"),
    (r":?=|,", "to"),
    (r":?=", "starts at"),
    (r"\band\b|\+", "plus"),
    (r"\band\b", ","),
    (r"\b(?:else if|elif|elseif)\b", "otherwise if"),
    (r"\belse\b", "otherwise"),
    (r"\b(?:for each|foreach|for every|for all)\b", "each"),
    (r"\bwhile\b", "repeat until not"),
    (r"\bis not\b", "!="),
    (r"\bis equal to\b|\bequals\b|\bis\b|\bare\b", "="),
    (r"\bis more than\b|\bis greater than\b|\bis over\b|\bis above\b", ">"),
    (r"\bis less than\b|\bis under\b|\bis below\b", "<"),
    (r"\bis at least\b|\bat least\b", ">="),
    (r"\bis at most\b|\bat most\b", "<="),
    (r"\b(?:into|onto|in|on|as|in to)\b", "to"),
    (r"\bto\b", "as"),
    (r"\bto\b|\bin\b|\bof\b", "from"),
    (r"\bfrom\b", "of"),
    (r"\bfrom\b", "in"),
    (r"\bmy\b|\btheir\b|\bhis\b|\bher\b", "your"),
    (r"\bif\b", "when"),
    (r"\bif\b|\bwhen\b", "where"),
    (r"\bwhen\b", "if"),
    (r"\bstarts\b(?! at\b)", "starts at"),
    (r"\bcan\b", "may"),
    (r"\btop\b(?! of)", "top of"),
    (r"\bcount\b(?! of)", "count of"),
)
OWNED = r"((?:[\w-]+(?:'s?)? )?[A-Za-z][\w-]*)"
REWORDED = (
    (r"(\w+) (?:a|an|one|1|the) cards? to (.+)", r"\1 top of HOME to \2"),
    (r"(\w+) (?:a|an|one|1|the) cards? (?:of|from) (.+)", r"\1 top of \2"),
    (r"(\w+) (\d+|[a-z]+) cards? to (.+)", r"\1 top \2 of HOME to \3"),
    (r"(?:you )?gains? ([\w-]+) ([\w-]+)", r"add \1 to your \2"),
    (r"add ([A-Za-z][\w-]*) (\d+) to (?:you|me)", r"add \2 to your \1"),
    (r"subtract ([A-Za-z][\w-]*) (\d+) from (?:you|me)", r"subtract \2 from your \1"),
    (OWNED + r" ?=+ ?\1 ?\+ ?(.+)", r"add \2 to \1"),
    (OWNED + r" ?=+ ?\1 ?- ?(.+)", r"subtract \2 from \1"),
    (OWNED + r" ?\+= ?(.+)", r"add \2 to \1"),
    (OWNED + r" ?-= ?(.+)", r"subtract \2 from \1"),
    (OWNED + r" ?\+\+", r"add 1 to \1"),
    (OWNED + r" ?--", r"subtract 1 from \1"),
    (OWNED + r" ?:?=+ ?(.+)", r"set \1 to \2"),
    (r"(?:increase|increment|raise) " + OWNED + r" by (.+)", r"add \2 to \1"),
    (r"(?:decrease|decrement|reduce|lower) " + OWNED + r" by (.+)", r"subtract \2 from \1"),
    (r"(\w+) (\w+) cards? (?:of|from) (.+)", r"\1 top \2 of \3"),
    (OWNED + r" \+ (.+)", r"add \2 to \1"),
    (OWNED + r" - (.+)", r"subtract \2 from \1"),
)
"""Whole lines in other notations, with their translation. `HOME` is the zone where the cards start."""
SYNONYMS = {
    **dict.fromkeys(("mix", "riffle"), ("shuffle",)),
    **dict.fromkeys(("flip",), ("turn",)),
    **dict.fromkeys(("show", "expose"), ("reveal",)),
    **dict.fromkeys(("end", "stop", "exit", "leave"), ("finish",)),
    **dict.fromkeys(("call", "run", "perform", "start"), ("do",)),
    **dict.fromkeys(("let", "change"), ("set",)),
    **dict.fromkeys(("save", "store", "keep", "note"), ("remember",)),
    **dict.fromkeys(("lay", "drop"), ("place",)),
    **dict.fromkeys(("none", "noone", "nobody's"), ("nobody",)),
    **dict.fromkeys(("steal", "grab", "collect"), ("take",)),
}
"""Synonyms of keywords."""


@frozen
class Idiom:
    """Construct from another notation.

    `pattern` matches it. `replacement` is the text to parse in its place, if any. Replacement, message and hint can use
    the groups of the pattern."""

    pattern: str
    replacement: str | None
    message: str
    hint: str


IDIOMS = (
    Idiom(r"//[^\n]*", "", "a comment starts with `#`", "write `#` instead of `//`"),
    Idiom(
        r"^(?:the )?next player(?:'s turn| (?:goes|plays|starts|begins|takes (?:a|the|their) turn))?[ \t]*$",
        None,
        "`each player` moves to the next player by itself",
        "delete this line. To pass on a role such as the leader, write `set leader to leader's left`",
    ),
    Idiom(
        rf"^each player ({'|'.join(VERBS)})s?\b[^\n]*",
        None,
        "put what each player does on lines of their own",
        r"write `each player`, and indented below it a line such as `you \1 1 from your hand to table`",
    ),
    Idiom(r"\b(left|right) of ([\w-]+)", r"\2's \1", r"write `\2's \1` instead of `\1 of \2`", ""),
    Idiom(
        r"(?<=^expect )([\w-]+) wins?\b",
        r"winners = \1",
        r"to test who wins, write `winners = \1`",
        "",
    ),
    Idiom(
        r"(?<=^expect )([\w-]+) and ([\w-]+) win\b",
        r"winners = (\1, \2)",
        r"to test who wins, write `winners = (\1, \2)`",
        "",
    ),
    Idiom(
        r"((?:your |[\w-]+'s? )?[\w-]+) contains? (\[[^\]\n]*\]|[\w-]+)",
        r"\2 in \1",
        r"write `\2 in \1` instead of `contains`",
        "",
    ),
    Idiom(
        r"\byou ha(?:ve|s) (?:at least )?(\d+) ([\w-]+)",
        r"your \2 >= \1",
        r"write `your \2 >= \1`, or `your \2 = \1` for exactly \1",
        "",
    ),
    Idiom(
        r"\btop (\d+) (?:cards? )?(?:of|from) ",
        r"top \1 of ",
        r"write `top \1 of`",
        "",
    ),
    Idiom(
        r"(?<=[,:] )(\d+) ?\(([\w-]+)\)",
        r"\1",
        r"a number cannot have a code. Cards with a `\1` show `\1`",
        r"remove `(\2)`, or give the value a name: `NAME (\2) worth \1`",
    ),
    Idiom(
        r"(option [\w-]+) (?!with\b|when\b|costs\b)([\w-]+ from [^\"\n]+?) and ([\w-]+ from [^\"\n]*[^\"\n ])",
        r"\1 with \2, \3",
        "list the choices of an option after `with`, with commas between them",
        r"write `\1 with \2, \3`",
    ),
    Idiom(
        r"(?<=\bwith )(?:\d+|[a-z]+) players\b",
        None,
        "an example needs the names of its players",
        "name them, as in `with Ann, Bob`",
    ),
)
FILLERS = (r"(?<=\d )cards?\b ?", r"\bface[- ]up\b ?", r"\b(?:the|then|a|an)\b ?", r"[:;.,?]+", r"[{}]")
INSERTS = ("to", "from", "as", "of", "at", "by", "with", "choose", "when", "in", ",", ":", "players", "cards")
ITEM_HEADS = ("example", "ruling", "step", "zone", "number", "define", "use", "variant", "cards", "ranking", "order")
BLOCK_HEADS = ("do", "set", "add", "each", "repeat until", "if", "otherwise", "option", "move", "you", "shuffle")
EXAMPLE_HEADS = ("expect", "do")
"""First words of lines, in the order of attempts to add one: at the left edge, in steps, and in examples."""

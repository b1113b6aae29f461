"""Syntax templates of every kind of line, for hints in errors."""

from __future__ import annotations

from attrs import frozen

from cardlang.syntax.recovery.guessed_names import NUMBERS_BY_WORD


@frozen
class LineTemplate:
    """Syntax of a statement. `block_contents` describes the lines that must be indented below it, if any."""

    noun: str
    syntax: str
    example: str
    block_contents: str = ""


MOVE_TEMPLATE = LineTemplate("a move", "move CARDS to ZONE", "deal top 5 of deck to your hand")
PICK_TEMPLATE = LineTemplate(
    "a choice of cards", "you play COUNT from CARDS to ZONE", "you discard 1 to 2 from your hand to muck"
)
OFFER_TEMPLATE = LineTemplate(
    "an offer",
    "each player from PLAYER may choose one, until one does",
    "each player from dealer's left may choose one, until one does",
    "its options",
)
CHOICE_TEMPLATE = LineTemplate("a choice", "you choose NAME from CHOICES", "you choose victim from your others")
ROW_TEMPLATE = LineTemplate("a row", "PLAYER: NAME VALUE, NAME VALUE", "Ann: hand [9G], chips 20")
TRACK_TEMPLATE = LineTemplate("a number", "number NAME starts at VALUE", "number your chips starts at 100")
CLAUSE_TEMPLATE = LineTemplate(
    "a line of an option",
    "with NAME from CHOICES, when CONDITION, costs AMOUNT NAME",
    "with target from your others when chips > 0 costs 1 uses",
)
ORDER_LINE_TEMPLATE = LineTemplate("a line of an order", "higher VALUE", "higher value")
MOVE_VERBS = (
    "move", "deal", "draw", "discard", "play", "put", "place", "take", "return", "remove", "turn", "give", "pass",
)  # fmt: skip
ITEM_TEMPLATES = {
    "game": LineTemplate("the first line", 'game "TITLE" for COUNT players', 'game "Hearts" for 3 to 6 players'),
    "library": LineTemplate("the first line of a library", 'library "TITLE"', 'library "Betting"'),
    "use": LineTemplate("a `use` line", "use LIBRARY", "use betting"),
    "variant": LineTemplate(
        "a variant", 'variant "TITLE"', 'variant "Short game"', "the lines that differ from the game"
    ),
    "needs": LineTemplate("a `needs` line", "needs NAME", "needs your strength"),
    "ages": LineTemplate("the ages", "ages NUMBER", "ages 12"),
    "minutes": LineTemplate("the length", "minutes NUMBER to NUMBER", "minutes 20 to 45"),
    "component": LineTemplate("a component", 'component COUNT "WHAT"', 'component 1 "dealer button"'),
    "show": LineTemplate("a `show` line", "show NAME", "show your coins"),
    "ruling": LineTemplate("a ruling", 'ruling "QUESTION?"', 'ruling "Who leads?"', "its answer, in quotes"),
    "kind": LineTemplate("a kind", "kind NAME: VALUE, VALUE", "kind Suit: Clubs (c), Hearts (h)"),
    "ordered": LineTemplate("a kind", "ordered kind NAME: LOWEST, …, HIGHEST", "ordered kind Value: 1 to 13"),
    "cards": LineTemplate("a set of cards", "cards NAME in ZONE", "cards Pack in deck", "its cards"),
    "zone": LineTemplate("a zone", "zone NAME seen by WHO", "zone your hand seen by owner"),
    "number": TRACK_TEMPLATE,
    "flag": LineTemplate("a flag", "flag NAME starts at yes or no", "flag your folded starts each round at no"),
    "player": LineTemplate("a player", "player NAME starts at PLAYER", "player dealer starts at random of players"),
    "define": LineTemplate(
        "a definition", "define NAME as VALUE", "define your score as total of won's value", "its cases"
    ),
    "order": LineTemplate("an order", "order NAME of card", "order strength of card", "lines such as `higher value`"),
    "ranking": LineTemplate(
        "a ranking",
        "ranking NAME of COUNT cards, best first",
        "ranking Hand of 5 cards, best first",
        "its ranks, best first",
    ),
    "step": LineTemplate("a step", "step NAME", "step your turn", "its statements"),
    "reaction": LineTemplate("a reaction", "reaction NAME", "reaction stop", "a `to` line and its statements"),
    "whenever": LineTemplate("a trigger", "whenever CONDITION", "whenever deck is empty", "its statements"),
    "example": LineTemplate(
        "an example", 'example "TITLE" with PLAYER, PLAYER', 'example "Following suit" with Ann, Bob', "its lines"
    ),
}
STATEMENT_TEMPLATES = {
    **dict.fromkeys(MOVE_VERBS, MOVE_TEMPLATE),
    "you": PICK_TEMPLATE,
    "shuffle": LineTemplate("a `shuffle` line", "shuffle ZONE", "shuffle deck"),
    "reveal": LineTemplate("a `reveal` line", "reveal CARDS", "reveal your hand"),
    "set": LineTemplate("a `set` line", "set NAME to VALUE", "set leader to dealer's left"),
    "add": LineTemplate("an `add` line", "add AMOUNT to NAME", "add 1 to your score"),
    "subtract": LineTemplate("a `subtract` line", "subtract AMOUNT from NAME", "subtract 5 from your chips"),
    "remember": LineTemplate("a `remember` line", "remember VALUE as NAME", "remember top of deck as found"),
    "eliminate": LineTemplate("an `eliminate` line", "eliminate PLAYER", "eliminate you"),
    "each": LineTemplate(
        "a round", "each player from PLAYER", "each player from leader", "the statements for each player"
    ),
    "together": LineTemplate("a joint choice", "together each player", "together each player", "the choice"),
    "first": OFFER_TEMPLATE,
    "repeat": LineTemplate(
        "a loop", "repeat until CONDITION", "repeat until deck is empty", "the statements to repeat"
    ),
    "if": LineTemplate("an `if` line", "if CONDITION", "if deck is empty", "its statements"),
    "otherwise": LineTemplate("an `otherwise` line", "otherwise", "otherwise", "its statements"),
    "do": LineTemplate("a `do` line", "do STEP with VALUE", "do your turn"),
    "finish": LineTemplate("a `finish` line", "finish STEP", "finish game"),
    "announce": LineTemplate(
        "an announcement", "announce NAME on TARGET", "announce attack on victim", "its statements"
    ),
    "cancel": LineTemplate("a `cancel` line", "cancel", "cancel"),
    "option": LineTemplate("an option", "option NAME when CONDITION", "option call when owed > 0"),
    "expect": LineTemplate("an `expect` line", "expect CONDITION", "expect Ann's score = 12"),
    "with": CLAUSE_TEMPLATE,
    "when": CLAUSE_TEMPLATE,
    "costs": CLAUSE_TEMPLATE,
    "given": LineTemplate("a position", "given", "given", "rows such as `Ann: hand [9G], chips 20`"),
    "those": LineTemplate("a line of an order", "those where CONDITION", "those where suit = lead-suit"),
    "best": LineTemplate("a line of an order", "best when CONDITION", "best when wilds = 0"),
    "worst": LineTemplate("a line of an order", "worst when CONDITION", "worst when wilds > 0"),
    **dict.fromkeys(("higher", "lower", "later", "earlier"), ORDER_LINE_TEMPLATE),
    "wild": LineTemplate("a `wild` line", "wild where CONDITION as any SET", "wild where rank = Two as any Pack"),
    "ties": LineTemplate("a `ties` block", "ties", "ties", "lines such as `higher used's value from the highest down`"),
    "least": LineTemplate("a `least` line", "least NAME left", "least points left"),
}
LINE_TEMPLATES = ITEM_TEMPLATES | STATEMENT_TEMPLATES
CASE_TEMPLATE = LineTemplate("a case", "VALUE when CONDITION", "3 when suit = Hearts")
# Notations from other languages or habits, with replacements, in the order in which they are tried.
FOREIGN_SYMBOL_REPLACEMENTS = (
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
    (r"×|\bx\b(?= \w)", "*"),
    (r"(\d+) ?[-–—] ?(\d+)", r"\1 to \2"),
    *((rf"\b{word}\b", number) for word, number in NUMBERS_BY_WORD.items() if word not in ("a", "an")),
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
OWNED_NAME_REGEX = r"((?:[\w-]+(?:'s?)? )?[A-Za-z][\w-]*)"
FOREIGN_LINE_TRANSLATIONS = (
    (r"repeat at most (.+ times),? until (.+)", r"repeat until \2, at most \1"),
    (r"(\w+) (?:a|an|one|1|the) cards? to (.+)", r"\1 top of HOME to \2"),
    (r"(\w+) (?:a|an|one|1|the) cards? (?:of|from) (.+)", r"\1 top of \2"),
    (r"(\w+) (\d+|[a-z]+) cards? to (.+)", r"\1 top \2 of HOME to \3"),
    (r"(?:you )?gains? ([\w-]+) ([\w-]+)", r"add \1 to your \2"),
    (r"add ([A-Za-z][\w-]*) (\d+) to (?:you|me)", r"add \2 to your \1"),
    (r"subtract ([A-Za-z][\w-]*) (\d+) from (?:you|me)", r"subtract \2 from your \1"),
    (OWNED_NAME_REGEX + r" ?=+ ?\1 ?\+ ?(.+)", r"add \2 to \1"),
    (OWNED_NAME_REGEX + r" ?=+ ?\1 ?- ?(.+)", r"subtract \2 from \1"),
    (OWNED_NAME_REGEX + r" ?\+= ?(.+)", r"add \2 to \1"),
    (OWNED_NAME_REGEX + r" ?-= ?(.+)", r"subtract \2 from \1"),
    (OWNED_NAME_REGEX + r" ?\+\+", r"add 1 to \1"),
    (OWNED_NAME_REGEX + r" ?--", r"subtract 1 from \1"),
    (OWNED_NAME_REGEX + r" ?:?=+ ?(.+)", r"set \1 to \2"),
    (r"(?:increase|increment|raise) " + OWNED_NAME_REGEX + r" by (.+)", r"add \2 to \1"),
    (r"(?:decrease|decrement|reduce|lower) " + OWNED_NAME_REGEX + r" by (.+)", r"subtract \2 from \1"),
    (r"(\w+) (\w+) cards? (?:of|from) (.+)", r"\1 top \2 of \3"),
    (OWNED_NAME_REGEX + r" \+ (.+)", r"add \2 to \1"),
    (OWNED_NAME_REGEX + r" - (.+)", r"subtract \2 from \1"),
)
"""Whole lines in other notations, with their translation. `HOME` is the zone where the cards start."""
KEYWORD_SYNONYMS = {
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
class ForeignIdiom:
    """Construct from another notation.

    `pattern` matches it. `replacement` is the text to parse in its place, if any. Replacement, message and hint can use
    the groups of the pattern."""

    pattern: str
    replacement: str | None
    message: str
    hint: str


FOREIGN_IDIOMS = (
    ForeignIdiom(r"//[^\n]*", "", "a comment starts with `#`", "write `#` instead of `//`"),
    ForeignIdiom(
        r"^(?:the )?next player(?:'s turn| (?:goes|plays|starts|begins|takes (?:a|the|their) turn))?[ \t]*$",
        None,
        "`each player` moves to the next player by itself",
        "delete this line. To pass on a role such as the leader, write `set leader to leader's left`",
    ),
    ForeignIdiom(
        rf"^each player ({'|'.join(MOVE_VERBS)})s?\b(?=$|[^\n]*\b(?:cards?|hand|\d+)\b)[^\n]*",
        None,
        "put what each player does on lines of their own",
        r"write `each player`, and indented below it a line such as `you \1 1 from your hand to table`",
    ),
    ForeignIdiom(
        r"^(show [^\n\"]*?) for each [\w-]+",
        r"\1",
        "a `show` line is for all owners of a zone or number",
        r"remove `for each`: `\1`",
    ),
    ForeignIdiom(r"\b(left|right) of ([\w-]+)", r"\2's \1", r"write `\2's \1` instead of `\1 of \2`", ""),
    ForeignIdiom(
        r"(?<=^expect )([\w-]+) wins?\b",
        r"winners = \1",
        r"to test who wins, write `winners = \1`",
        "",
    ),
    ForeignIdiom(
        r"(?<=^expect )([\w-]+) and ([\w-]+) win\b",
        r"winners = (\1, \2)",
        r"to test who wins, write `winners = (\1, \2)`",
        "",
    ),
    ForeignIdiom(
        r"((?:your |[\w-]+'s? )?[\w-]+) contains? (\[[^\]\n]*\]|[\w-]+)",
        r"\2 in \1",
        r"write `\2 in \1` instead of `contains`",
        "",
    ),
    ForeignIdiom(
        r"\byou ha(?:ve|s) (?:at least )?(\d+) ([\w-]+)",
        r"your \2 >= \1",
        r"write `your \2 >= \1`, or `your \2 = \1` for exactly \1",
        "",
    ),
    ForeignIdiom(
        r"\btop (\d+) (?:cards? )?(?:of|from) ",
        r"top \1 of ",
        r"write `top \1 of`",
        "",
    ),
    ForeignIdiom(
        r"(?<=[,:] )(\d+) ?\(([\w-]+)\)",
        r"\1",
        r"a number cannot have a code. Cards with a `\1` show `\1`",
        r"remove `(\2)`, or give the value a name: `NAME (\2) worth \1`",
    ),
    ForeignIdiom(
        r"(option [\w-]+) (?!with\b|when\b|costs\b)([\w-]+ from [^\"\n]+?) and ([\w-]+ from [^\"\n]*[^\"\n ])",
        r"\1 with \2, \3",
        "list the choices of an option after `with`, with commas between them",
        r"write `\1 with \2, \3`",
    ),
    ForeignIdiom(
        r"(?<=\bwith )(?:\d+|[a-z]+) players\b",
        None,
        "an example needs the names of its players",
        "name them, as in `with Ann, Bob`",
    ),
)
FILLER_WORD_REGEXES = (r"(?<=\d )cards?\b ?", r"\bface[- ]up\b ?", r"\b(?:the|then|a|an)\b ?", r"[:;.,?]+", r"[{}]")
INSERTABLE_WORDS = ("to", "from", "as", "of", "at", "by", "with", "choose", "when", "in", ",", ":", "players", "cards")
ITEM_FIRST_WORDS = (
    "example",
    "ruling",
    "step",
    "zone",
    "number",
    "define",
    "use",
    "variant",
    "cards",
    "ranking",
    "order",
)
BLOCK_FIRST_WORDS = ("do", "set", "add", "each", "repeat until", "if", "otherwise", "option", "move", "you", "shuffle")
EXAMPLE_FIRST_WORDS = ("expect", "do")
"""First words of lines, in the order of attempts to add one: at the left edge, in steps, and in examples."""

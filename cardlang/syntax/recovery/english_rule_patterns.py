"""Patterns of rules on points, turns and endings in plain English, with their translation.

A row is `pattern → line`. More lines follow indented, and more patterns for these lines come before, without `→`. A
pattern describes a sentence in common wording, and a word in capitals stands for one of `PARTS`. The lines name these
parts, and names of the game, in braces (see `GuessedNames`). `^` marks a declaration for the left edge. If no line
has the meaning, `!` marks the problem, and the cure follows.
"""

from __future__ import annotations

RANKED = "most|highest|biggest|greatest|largest|fewest|least|lowest|smallest"
PARTS = {
    "AMOUNT": r"(?P<n>up to \d+|\d+ (?:to|or) \d+|any number|\d+)",
    "NUMBER": r"(?P<n>\d+)",
    "CARDS": "cards?(?: of hand)?",
    "FROM": r"(?: (?:from|of|off|in|on) (?:top of )?(?P<source>(?:your )?[a-z][\w-]*))?",
    "ONTO": r" (?:to|on|onto|into|in) (?:1 )?(?:top of )?(?P<target>(?:your )?[a-z][\w-]*)",
    "ZONE": r"(?P<source>(?:your )?[a-z][\w-]*)",
    "THING": r"(?P<thing>(?!(?:cards?|tricks?|turns?|actions?|hands?|rounds?|random|of|or|more)\b)[a-z][a-z-]*)",
    "OTHER": r"(?P<other>(?!cards?\b)[a-z][a-z-]*)",
    "BANK": "(?: (?:from|to) (?:bank|supply|pool|box|pot))?",
    "ROLE": r"(?P<role>[a-z][\w-]*)",
    "WHO": rf"(?P<who>player with (?:{RANKED}) [a-z]+|[a-z][\w-]*)",
    "SIDE": "(?P<side>left|right|clockwise)",
    "GAIN": "(?:gains?|scores?|wins?|takes?|start with|begin with)",
    "MOST": f"(?P<most>{RANKED})",
    "MOVE": "(?P<verb>move|place|take|return|discard|remove|turn|deal|draw)",
    "PLAY": "(?P<verb>play|discard|lead|place|remove|return)",
    "NAME": r"(?P<name>[a-z][\w-]*)",
    "WHAT": r"(?:1 |an? )?(?P<what>\d+|[a-z]+?)s?",
    "RANGE": r"(?P<range>\d+ to [\w-]+)",
    "WINS": "(?: (?:at|in) end(?: of [a-z]+)?| after (?:last|final) [a-z]+)?(?: (?:wins|is winner)(?: game)?)?",
    "REACHES": "(?:reach|reaches|gains?|has|have|scores?|hits?|gets?)",
    "ROUND": "(?:round|turn|trick|hand|game)",
    "NOGROUP": r"(?!.*\b(?:set|pair|run|trick|collection)s?\b)",
    "MAY": "(?P<may>may )?",
}
WORDINGS = r"""
[.!]+$|,? one (?:at a time|by one)\b| face[- ]?up\b|,? immediately\b| (?:evenly|equally)\b|^secretly (?=look) →
 face[- ]?down(?= (?:to|from|each)\b) →
^(deal|draw|take|.*dealt)(.*) face[- ]?down$ → \1\2
\b(?:must|should|ha(?:s|ve) to|needs? to|will|always) (?=[a-z]) →
\b(?:can|(?:is|are) (?:able|allowed) to)(?= [a-z]) → may
\b(?:(?:the )?player who|whoever) (?:takes?|took|wins?|won)(?: the)?(?: last)?(?= trick| round| hand) → winner of
\b(?:the )?(trick|round|hand|auction)(?:'s)? (winner|loser)\b → \2 of \1
\b(?:each|every|all|any)(?: of)?(?: the)? (?:other players?|opponents?|others?)\b|\beveryone else\b → each other
^(?:the |your )?(?:other players|opponents)\b|(?<=to )(?:the )?other players → each other
\b(?:each|every)(?: of the)? (?:player|person)\b|\bevery(?:one|body)\b → each player
\ball(?:(?: of)? the)? players\b(?!') → each player
\b(?:both|all [2-9]|all two|all three|all four) players\b|\beach (?:of you|one)\b → each player
^(?:the )?players(?= (?!take turns|tie)[a-z]) → each player
(?<=to )(?:the )?players(?!'| \w)|(?<=among )(?:the )?players → each player
(?<=^deal )players|(?<=^give )players → each player
\b(?:a|any|each) player (?:without(?: any)?|who has no|with no|who (?:has run|runs) out of)\b → each player with no
\b(?:another|any other|an?|any|one)(?: other| opposing)? (?:player|opponent)(?: of your choice)?\b → rival
\b(?:your opponent|your neighbou?r|somebody|someone)(?: else)?\b → rival
\bthe next player\b|\bthe player (?:after you|whose turn is next)\b → left
\bthe previous player\b|\bthe player before you\b → right
\b(?:the |your )?(?:player|neighbou?r|opponent|person) (?:on|to|at) (?:the |your |their )?(left|right)\b → \1
\b(?:the|your|their) (left|right)(?:[- ]hand)?(?: (?:neighbou?r|player|opponent))?\b(?! of) → \1
\b(?:the )?(?:player|person|one) (?:with|who (?:has|have|holds))(?: the)?\b → player with
\bwhoever (?:has|holds)(?: the)? → player with
\bthe richest player\b → player with most coins
\bthe poorest player\b → player with fewest coins
\b(?:the )?(?:start(?:ing)?|first)[- ]player(?: (?:marker|token|card))?\b(?! (?:to|who|with)) → starter
\bthe (?:deal|dealer button)(?= (?:moves|passes|goes|rotates|shifts)) → dealer
\b(?:their|his or her|his|her|my)(?= [a-z]) → your
^(?:the (?:active |current )?player|the dealer(?= (?:deal|shuffle|turn)s?\b)|you) (?!are|have\b|with|who) →
(?<!no )\b(?:an?|one|another|an additional|an extra)(?= (?!of\b|time\b|by\b|or\b)[a-z]) → 1
\bany card\b → 1 cards
\bone(?=$|,|:) → 1
^(?:play|the game|game) (?:continues|goes on|lasts|is played) until → game ends when
\b(?:is|are) given(?= \d) → gains
^to (?:begin|start|form|make) ([a-z ]+), (.+) (?:is|are) (turn|place|discard|move|remove)d?(?:ed)?\b.* → \3 \2 to \1
^(.+?) (?:is|are) (?:then )?(turn|discard|shuffle|move|remove|place|reveal)e?d\b(.*) → \2 \1\3
^(.+?) (?:is|are) (?:put|laid)\b(.*) → place \1\2
^(.+?) (?:is|are) dealt\b(.*) → deal \1\2
 in front of (?:you|him|her|them|each player|your)(?:self|selves)?\b →  to your area
(?:,| to| and) (?:re)?(?:form|make|create|become)s?(?: the| a| 1)?(?: new)?(?: draw)? deck$ →
\btoss(?= \d+ cards?| your) → discard
(?:draw|take) (\d+) cards?,? and (?:place|put|lay)s? (?:them|it)(?: down)?(?= ) → deal \1 cards
\bminus (?=\d) → -
(?<=\d )(?:additional|extra|more|new|victory|single) (?=[a-z]) →
\b(?:all|every|any)(?: of)? your cards?\b|\byour (?:whole|entire|full) hand\b → your hand
\b(?:all|any)(?: of)? the(?= card)|\bthe (?:whole|entire)(?= deck| pack) → all
\b(?:as many|any number of)(?: of)?(?: your)? cards(?: as you (?:like|want|wish|please))? → any number cards
\b(cards?|coins?|points?|players?) (?:left|remaining|remains?)\b(?= of | in | drop| lose|$|,) → \1
\b(no|any|\d+) ([a-z]+) (?:left|remaining)\b → \1 \2
\bno more(?= [a-z]) → no
\b(?:the|that|those) (?=[\w-]) →
\b(?:throws? away|throws?(?! \d di)|gets? rid of|trash|ditch)\b → discard
\b(?:pick up|grab|collect)(s?)(?= ) → take\1
\b(?:hand out|deal out|distribute|give out)\b → deal
\b(?:put|lay(?: down)?)(s?)(?= ) → place\1
\bturn (?:over|up)(?= )|\bflip(?: over| up)?(?! 1 coin| coin)(?= ) → turn
^(?:peek at|see)(?= ) → look at
\b(?:receive|get|earn|obtain|collect)(s?)(?= \d) → gain\1
\b(?:is|are) dealt(?= \d) → gains
\b(?:pay|spend)(s?)(?= \d+ [a-z-]+(?:$|,| and | for each| if | to (?:bank|supply|pool|box|pot))) → lose\1
\b(?:pick|select)(s?)(?= ) → choose\1
\b(?:for every|per)(?= (?!player|person)) → for each
(?<=\d )cards? (?:at random|randomly)\b|(?<=\d )random cards?\b → random cards
\brandom (?=\d) →
\btop card\b → top 1 cards
\btop (\d+)(?: cards)?\b|\b(\d+) top cards? → top \1\2 cards
(?<=\d )card\b → cards
^(?:deal|give) each player (\d+ [\w-]+) and (\d+ [\w-]+)$ → each player gain \1 and gain \2
^(deal|give) each player (?:1 )?(?:hand of )?(\d+ [\w-]+) → \1 \2 to each player
\b(?:1 )?(?:starting |opening |initial )?hand of (?=\d) →
^((?:deal|give|draw) \d+(?: cards)?)(.*?) (?:each|apiece|(?:per|for(?: each)?) (?:player|person))$ → \1\2 to each player
^(each player .+) each$ → \1
\b(gains?|draws?|deal|give|loses?|starts? with) (\d+ [a-z]+) and(?= \d+ [a-z]+) → \1 \2 and \1
(?: from|(?<!\d) in|(?<=cards) in| of| out of)(?: your)? hand\b →  of hand
 to (?:start|begin)(?= [a-z]) →  to
^add(?= \d cards) → place
 to (?:end|start|front|side) of(?= [a-z]) →  to
^(.*\bstart) game(?= with) → \1
^(deal|draw|shuffle|play|discard|take|gain|lose|place|turn|score|choose|pass|give|show|reveal)s(?= \d| [a-z]) → \1
 (?:next to|beside|near) (?:deck|discards)\b →  to table
^(?:choose|take) (\d+ cards)(?: of hand)? and (pass|give|discard|play|place|show)s? (?:it|them)\b → \2 \1 of hand
^(?:trade|exchange|switch)(?= (?:your )?hands? with) → swap
"""
"""Wordings, and the common one. They are replaced in this order."""
TIMES = {
    r"at (?P<at>start|beginning|end) of [a-z ]*?(?P<when>turn|round|trick|game|hand)s?": (
        "put this line at the {at} of the step for a {when}"
    ),
    r"(?:on|during) (?:your|each) turn|each turn|first|then|next|finally|after that|afterwards": "",
}
"""When something happens, and a hint on where the line goes."""
CONDITIONS = r"""
ZONE (?:is empty|runs out(?: of cards)?|becomes empty|gets empty|is exhausted|is used up|is gone)
(?:there are )?no cards (?:are )?(?:in|on) ZONE|ZONE has no cards → {source} is empty
you (?:have|hold) no CARDS|you (?:are|run) out of cards|your hand is empty → your {hand} is empty
you (?:have|hold) (?:at least )?NUMBER(?: or more)? CARDS → count of your {hand} >= {n}
you (?:have|hold) (?:exactly|only) NUMBER CARDS → count of your {hand} = {n}
you (?:have|hold) more than NUMBER CARDS → count of your {hand} > {n}
you (?:have|hold) (?:fewer|less) than NUMBER CARDS → count of your {hand} < {n}
you (?:have|hold) (?:at least )?NUMBER(?: or more)? WHAT → count of (your {hand} where {match}) >= {n}
you (?:have|hold|reach) (?:at least |reached )?NUMBER(?: or more)? THING → your {number} >= {n}
you (?:have|hold) (?:an?|any) WHAT → any card in your {hand} has {match}
you have more than NUMBER THING → your {number} > {n}
you have (?:fewer|less) than NUMBER THING → your {number} < {n}
you (?:have no|(?:are|run) out of) THING → your {number} = 0
(?:card|it|played card|card you play(?:ed)?) is WHAT|you play(?:ed)? WHAT → (top of {table})'s {match}
top 1 cards (?:of|on|in) ZONE is WHAT → (top of {source})'s {match}
you have MOST THING → your {number} = {most} of players' {number}
rival REACHES(?: reached)? (?:at least )?NUMBER(?: or more)? THING → any player has {number} >= {n}
rival (?:has no|(?:runs|is) out of) CARDS|rival plays your last card → any player has {hand} is empty
each player (?:has no|have no|runs out of|run out of|is out of) CARDS
no player has(?: any)? CARDS|(?:all )?cards (?:have been|are) played → players' {hand} is empty
only (?:1|one) player(?: is left| is| left| remains)?(?: in game)? → count of players = 1
"""
"""Conditions, and how to write them."""
STEP = r"""
(?:deal|give|draw)(?: top)? NUMBER(?: cards)?FROM to each player(?:'s hand)?
deal NUMBER cardsFROM → each player
    deal {cards} to your {hand}
deal (?:all )?(?:of )?(?:cards?|deck)(?: (?:to|among|between) each player)? → deal {home} to players' {hand}
(?:move|place|take) NUMBER cards from ZONE to your hand
take NUMBER cards from ZONE → you take {n} from {other-pile} to your {hand}
(?P<verb>draw|take|gain)(?: top)? NUMBER cardsFROM(?: (?:in)?to your hand)?
MOVE top NUMBER cardsFROM of hand
(?P<verb>draw) NUMBER → {verb} {cards} to your {hand}
(?:add|place|take) (?:it|cards?|1 cards) (?:in)?to your hand → draw top of {home} to your {hand}
MAY(?P<verb>draw|take) (?:top )?AMOUNT cardsFROM → you {may}{verb} {n} from top of {source} to your {hand}
(?:draw|refill|replenish|fill)(?: up)?(?: your hand| cards)?(?: back)?(?: up)? to NUMBER CARDS
draw(?: cards)? until (?:you have|you hold|your hand has) NUMBER(?: CARDS)?
  → draw top ({n} - count of your {hand}) of {home} to your {hand}
draw NUMBER cards for each THING(?: you (?:have|own|hold))? → draw top ({times}your {number}) of {home} to your {hand}
MOVE top NUMBER cardsFROMONTO
(?P<verb>draw|take|deal|turn) NUMBER cardsFROMONTO → {verb} {cards} to {target}
(?P<verb>turn)(?: top)? NUMBER cardsFROM → {verb} {cards} to {table}
(?:reveal|show) top NUMBER cardsFROM → reveal {cards}
look at top(?: NUMBER cards)?FROM → reveal {cards} to you
(?P<verb>place) NUMBER cardsONTO → {in-setup}{verb} {cards} to {target}
take all cards(?:FROM) → take {from-table} to your {hand}
MOVE all cards(?:FROMONTO|FROM) → {verb} {from-table} to {to-discards}
(?:clear|empty) ZONE → move {source} to {discards}
take (?:all(?: of)? )?ZONE → take {source} to your {hand}
(?:re)?shuffle(?: (?:all )?(?:cards|deck))? → shuffle {home}
(?:re)?shuffle (?:used cards|(?:all )?(?:cards (?:from|of|in) )?ZONE)(?: (?:back )?(?:in|into) [\w-]+)?
  → move {from-discards} to {home}
  shuffle {home}
# cards from the hand
(?:re)?shuffle your hand (?:back )?into deck → move your {hand} to {home}
  shuffle {home}
discard (?:your hand|all cards) → discard your {hand} to {discards}
discard NUMBER random CARDS → discard {random} of your {hand} to {discards}
discard down to NUMBER CARDS → if count of your {hand} > {n}
    you discard (count of your {hand} - {n}) from your {hand} to {discards}
PLAY (?:NUMBER |your )?CARDS (?:under|(?:on|at|to|onto) bottom(?: of)?)(?: ZONE)?
  → you choose returned from your {hand}
    place returned under {source}
MAYPLAY AMOUNT(?: CARDS| of hand)?(?:ONTO)?
MAYPLAY CARDSONTO → you {may}{verb} {n} from your {hand} to {pile}
discard all(?: your)? WHAT(?: of hand)? → discard your {hand} where {match} to {discards}
MAY(?P<verb>play|discard) WHAT(?: of hand)? → you {may}{verb} 1 from your {hand} where {match} to {pile}
each player pass(?:es)? your hand to SIDE → ^zone your passing seen by nobody
  each player
    move your {hand} to your passing
  each player
    move your passing to your {side}'s {hand}
each player pass(?:es)? NUMBER CARDS to WHO → together each player
    you pass {n} from your {hand} to {who}'s {hand}
(?P<verb>pass|give) AMOUNT CARDS to (?:your )?(?:partner|teammate) → !a partner needs teams
  the cookbook has “Play in teams”: run `cardlang explain "play in teams"`
(?P<verb>pass|give) AMOUNT CARDS to WHO → you {verb} {n} from your {hand} to {who}'s {hand}
(?:take|steal|draw) NUMBER(?: random)? cards from WHO(?:'s hand)? → take {random} of {who}'s {hand} to your {hand}
swap (?:your )?hands with WHO → remember your {hand} as mine
  remember {who}'s {hand} as theirs
  move mine to {who}'s {hand}
  move theirs to your {hand}
look at WHO's hand|look at hand of WHO → reveal {who}'s {hand} to you
look at NUMBER(?: random)? cards (?:of|from|in) WHO(?:'s hand)? → reveal {random} of {who}'s {hand} to you
(?:show|reveal) your hand(?: to (?:each other|each player|all))? → reveal your {hand}
(?:show|reveal) your hand to WHO → reveal your {hand} to {who}
(?:show|reveal) (?:NUMBER |your )?CARDS to WHO → you choose shown from your {hand}
    reveal shown to {who}
(?:place|leave|keep) (?:remaining cards|remaining deck|rest|rest of (?:deck|cards)|(?:other|undealt) cards|deck)\b.*
  → !cards that are not dealt stay in `{home}`
  delete this line. `seen by nobody` in the declaration of `{home}` turns them face down
if you have no CARDS,? (?:then )?(?:you win|game ends)(?: game)? → if your {hand} is empty
    finish game
# points and coins
(?P<name>winner|loser)(?: of ROUND)? GAIN NUMBER(?: penalty)? THING → ^player {name}
  add {n} to {name}'s {number}
(?P<name>winner|loser)(?: of ROUND)? (?:loses?|pays?) NUMBER THING → ^player {name}
  subtract {n} from {name}'s {number}
add NUMBER points to your (?:score|total|points) → add {n} to your {points}
(?:subtract|deduct) NUMBER THING from WHO → subtract {n} from {who}'s {number}
add NUMBER THING to WHO(?:'s (?:score|total))? → add {n} to {who}'s {number}
GAIN NUMBER THINGBANK → add {n} to your {number}
(?:lose|pay|spend) NUMBER THINGBANK → subtract {n} from your {number}
GAIN NUMBER THING for each (?:1 )?CARDS(?: you have| left)?(?: of hand| (?:in|on|from) ZONE)?
  → add {times}count of {from-hand} to your {number}
lose NUMBER THING for each (?:1 )?CARDS(?: you have| left)?(?: of hand| (?:in|on|from) ZONE)?
  → subtract {times}count of {from-hand} from your {number}
GAIN NUMBER THING for each WHAT(?: (?:card )?(?:of hand|(?:in|on|from) ZONE))?
  → add {times}count of ({from-hand} where {match}) to your {number}
GAIN NUMBER THING for each (?:1 )?OTHER(?: you have)? → add {times}your {known-number} to your {number}
give NUMBER THINGBANK to each player → each player
    add {n} to your {number}
double your THING → add your {number} to your {number}
lose all(?: of)? your THING → set your {number} to 0
(?:steal|take) NUMBER THING from WHO → subtract {n} from {who}'s {number}
  add {n} to your {number}
(?:give|pay|pass|lose) NUMBER THING to WHO → subtract {n} from your {number}
  add {n} to {who}'s {number}
(?:steal|take|gain) NUMBER THING from each other
each other (?:gives?|pays?|loses?) (?:you )?NUMBER THING(?: to you) → remember you as taker
  each player in your others
    subtract {n} from your {number}
    add {n} to taker's {number}
# players and turns
(?:player (?:with|who played) )?highest cards?(?: played)? (?:wins|takes)(?: (?:trick|round|cards))?
  → remember (highest of {table} by {value})'s owner as winner
ROLE (?:moves|passes|goes|rotates|shifts) (?:to )?SIDE
(?:pass|move) ROLE (?:to )?SIDE → set {role} to {role}'s {side}
(?:randomly )?choose (?:1 )?(?:random ROLE|ROLE (?:at random|randomly))
choose (?:1 )?ROLE by chance → set {role} to random of players
(?:end|stop|finish) game|game (?:is over|over|ends) → finish game
(?:your|this)? ?ROUND (?:ends|is over)
(?:end|stop|finish)(?: (?:your |this )?ROUND)? → finish {step}
(?:you )?(?:(?:are|is|get) )?(?:out|eliminated)(?: of game)?|(?:you )?drops? out(?: of game)?|(?:you )?lose(?: game)?
eliminate (?:this )?player → eliminate you
choose (?:1 )?(?:rival|player) → you choose rival from your others
choose (?:1 )?CARDS → you choose chosen from your {hand}
(?:choose|name) (?:1 )?NAME → you choose {name} from {kind}
(?:bid|bet|guess|choose|name) NAME from RANGE
NAME (?:from )?RANGE(?: [a-z]+)? → you choose {name} from {range}
# what no line says
(?:roll|throw) 2 dice → ^ordered kind Die: 1 to 6
  remember random of Die as first-roll
  remember random of Die as second-roll
(?:roll|throw) (?:1 )?(?:die|dice) → ^ordered kind Die: 1 to 6
  remember random of Die as roll
(?:flip|toss) (?:1 )?coin → ^kind Coin: Heads, Tails
  remember random of Coin as flip
(?:take|gain|have) 1 (?:extra |second )?turn|(?:go|play) again → !an extra turn needs a loop around the turn
  declare `flag your again`, set it here, and put the turn below `repeat until not your again`
(?:you )?(?:may )?(?:pass|do nothing) → !passing is part of a choice
  write the choice with `you may …`, so that the player can pass it
(?:(?:start|begin|go(?: on)? to|pass turn to) )?(?:(?:next|new|1 new) ROUND|left|next)(?: (?:starts|begins))?
  → !`repeat` and `each player` start the next round or turn by themselves
  delete this line, and put what is repeated below `repeat until …`
winner(?: of ROUND)? (?:goes|leads|starts|begins|plays|deals)(?: first)? (?:in )?next ROUND
  → !a winner is a player to remember
  declare `player winner` at the left edge, set it when the round is decided, and write `each player from winner`
if (?:you|rival|player) (?:cannot|can't|may not|(?:is|are) unable to) (?:play|move|go|do so|beat it)\b.*
  → !name the cards that fit
  declare, for example, `define your playable as hand where {value} > 5`, and here write `if your playable is empty`
(?:.* )?cuts? (?:deck|cards) → !`shuffle` puts cards in an unknown order
  delete this line
(?:player with|holder of|owner of|left of|right of) .* (?:goes|starts|begins|leads|plays)(?: first)?(?: game| round)?
(?:youngest|oldest|tallest|shortest) (?:player|person) .* → !the first player is a player to remember
  the cookbook has “Decide who starts”: run `cardlang explain "decide who starts"`
choose (?:1 )?(?:rival|player) (?:to be|as) (?:1 )?ROLE → set {role} to random of players
(?:add up|count|total)(?: up)? (?:your |all )?(?:points|scores?|cards) → !a score that adds itself up is a definition
  at the left edge, write a line such as `define your score as total of your won's value`
(?:each player|players) takes? turns(?: clockwise)?
(?:play|turns?) (?:is|goes|go|proceeds|passes) (?:clockwise|to left|left)
  → !`each player` goes clockwise by itself
  delete this line, and write `each player from …` in a step
(?P<line>.+ONTO) face[- ]down → !a zone says who sees its cards
  remove `face down`, and write `seen by nobody` in the declaration of `{target}`
"""
"""Rules that belong in a step."""
EDGE = r"""
player with MOST THINGWINS → {points-win}
player with MOST CARDSWINS → order standing of player
    {higher} count of {hand}
define NAME as players? with MOST THING → define {winners} as all {most} of players by {number}
first (?:player )?(?:to|who) (?:discards?|plays?|has played|empt(?:y|ies)) your (?:cards|hand|last card) wins.*
win (?:if|when) you have no CARDS → whenever any player has {hand} is empty
    finish game
  define winners as players where {hand} is empty
.*\bties?\b.*\bshare .* → !players who tie share their place by themselves
  delete this line
first (?:player )?(?:to|with|who has|who reaches|who) (?:REACHES )?NUMBER(?: THING)? wins(?: game)?
(?:play|race) to NUMBER(?: THING)?
win (?:if|when) you REACHES NUMBER(?: THING)? → whenever any player has {number} >= {n}
    finish game
each player (?:has|have|gets?) (?:1 |your own )NAME → zone your {name}{seen}
each player (?:(?:starts?|begins?) with|has|have|gains?) NUMBER THING → number your {thing} starts at {n}
NAME (?:size|limit):?(?: is)? NUMBER(?: cards)? → define {name}-size as {n}
(?:use )?(?:1 )?standard (?:deck|pack)(?: of(?: 52)?(?: playing)? cards)?
(?:use )?(?:1 )?(?:deck|pack):? (?:of )?(?:52 )?(?:playing )?cards|52 cards → {no-cards}use pack
(?:if|in case of|on) (?:there is )?(?:1 )?ties?.* player with (?:more|most) (?:cards of hand|cards)(?: wins)?
  → order standing of player
    higher score
    higher count of hand
last player(?: (?:in game|standing))? wins → whenever count of players = 1
    finish game
  define winners as players
# what no line says
.*\b(?:ties?|tied|same (?:number|score|points|total))\b.*\b(?:wins?|broken|breaks?|decides?)\b.*
  → !an order of players breaks ties
  at the left edge, write `order standing of player`, and below it `higher score` and a line such as `higher coins`
NOGROUP.* (?:is|are|counts?)(?: as| for)? (?:worth )?(?P<minus>-)?NUMBER points?(?: each)?
NOGROUP.* (?:is|are) worth (?P<minus>-)?NUMBER(?: each)? → !the points of cards are a definition
  write `define card's points as`, and below it lines such as `{minus}{n} when {value} = 1`, and last `otherwise 0`
(?:each player )?play NUMBER (?:rounds|hands|deals) → !rounds are counted by a number
  declare `number round`, repeat with `repeat until round = {n}`, and write `add 1 to round` below it
(?:number of )?players:? \d.*|(?:for )?\d+ ?(?:to|-|–) ?\d+ players → !the player count belongs in the first line
  write it there: `game "TITLE" for 2 to 4 players`
after NUMBER rounds,? (?:game|player|highest|whoever|winner)\b.*
(?:game ends|game is over|play|end game|game lasts) (?:after|for)? ?NUMBER rounds? → !rounds are counted by a number
  declare `number round`, repeat with `repeat until round = {n}`, and write `add 1 to round` below it
player with (?:most|highest|best) (?:score|points)WINS
  → !the player with the highest score wins, without a line for it
  delete this line
player with MOST THINGWINS → !the player with the highest score wins, without a line for it
  delete this line, and define the score, as in `define your score as {thing}`
"""
"""Rules that belong at the left edge."""

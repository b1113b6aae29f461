"""Rulebook of a game with a rules file, and what its sections have to say about changed rules.

A section is outdated if a rule that it tells or depends on has another digest than when an author last read it. It is
printed after the generated sentences of its changed rules. A section that is still as drafted follows the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from attrs import define, evolve, field, frozen

from cardlang import model as g
from cardlang.diagnostics import Diagnostic, Source
from cardlang.rulebook.anchors import add_section_anchors, count_words, walk_sections
from cardlang.rulebook.authored_rulebook.markdown_blocks import HOLE, BlockBuilder, GameContext, join_spans
from cardlang.rulebook.authored_rulebook.markdown_parser import (
    TEXT_MARK,
    FileSection,
    RuleDigest,
    RuleDigests,
    RuleMention,
    RulesFile,
    find_library_rules_files,
    find_rules_file,
    read_rules_file,
)
from cardlang.rulebook.authored_rulebook.numbers_in_text import find_number_lines
from cardlang.rulebook.authored_rulebook.rule_digests import Rule, compute_rule_digest, find_dependencies, find_rule
from cardlang.rulebook.authored_rulebook.sentences_of_one_rule import describe_rule
from cardlang.rulebook.model import (
    Block,
    Item,
    ItemList,
    Paragraph,
    Rulebook,
    Section,
    StyledText,
    TableBlock,
    TextSpan,
    WorkedExample,
    get_spans,
)
from cardlang.rulebook.plan.library_constant_folding import select_content
from cardlang.rulebook.plan.player_aid import MAX_AID_WORDS, drop_examples
from cardlang.rulebook.plan.ranking_sections import build_ranking_section
from cardlang.rulebook.plan.sections import build_rulebook, build_rulings_section, build_zone_blocks
from cardlang.rulebook.plan.term_and_example_placement import ExampleSelection
from cardlang.rulebook.realise.game_lexicon import build_lexicon
from cardlang.rulebook.realise.phrases import PhraseScope
from cardlang.storage import RULES_SUFFIX

OTHER_RULES_TITLE = "Other rules"
CHANGED_LEAD = "These rules have changed. They apply now; the text after them is older:"
UNREAD_MARK = "This section has not been compared with the rules yet."
TOLD_KINDS = ("goal", "contents", "step", "reaction", "enters", "whenever", "cards", "ranking", "variant")
"""Kinds of rules that a rulebook must tell."""


@frozen(eq=False)
class SectionState:
    """A section of a rules file with its blocks.

    `rules`: the rules that it tells and depends on, by name. `digests`: their digests now; `read`: those when an author
    last read the section. `gone`: rules that it names and that the game does not have. `values`: rules whose values it
    takes from the game.
    """

    section: FileSection
    blocks: tuple[Block, ...]
    rules: Mapping[str, Rule]
    digests: RuleDigests
    read: RuleDigests
    gone: tuple[RuleMention, ...] = ()
    values: frozenset[str] = frozenset()

    @property
    def changed_rules(self) -> tuple[str, ...]:
        """Names of the rules that changed since the section was read."""
        return tuple(name for name, digest in self.digests.items() if self.is_changed(name, digest))

    def is_changed(self, name: str, current: RuleDigest) -> bool:
        """Return whether a rule changed, other than in a value that the section takes from the game."""
        old = self.read.get(name)
        if old is None or old.digest == current.digest or name not in self.values:
            return old is None or old.digest != current.digest
        return bool(find_number_lines(Source("", self.section.span.text), old.numbers))

    @property
    def replaced_rules(self) -> tuple[str, ...]:
        """Names of the rules that changed, and of new ones that they bring along. Additions to the text don't count."""
        if not any(name in self.read for name in self.changed_rules):
            return ()
        added = {*self.section.rule_names}
        return tuple(
            name for name in self.changed_rules if name in self.read or (name not in added and not is_shown_rule(name))
        )

    @property
    def removed_rules(self) -> tuple[RuleMention, ...]:
        """Rules that it names and that the game had when the section was read."""
        return tuple(mention for mention in self.gone if mention.name in self.read)

    @property
    def is_drafted(self) -> bool:
        """Return whether its text is as drafted."""
        return TEXT_MARK in self.read and self.read[TEXT_MARK].digest == self.section.text_digest

    @property
    def is_unread(self) -> bool:
        """Return whether no author has compared it with the rules."""
        return bool(self.digests) and not self.read

    @property
    def is_outdated(self) -> bool:
        return bool(self.removed_rules or (self.changed_rules and not self.is_drafted))


@define(slots=False)
class RulesFileReader:
    """Reader of a rules file for one game.

    `generated`: the rulebook that the game makes without it. `shows_examples`: print the examples.
    """

    game: g.Game
    file: RulesFile
    generated: Rulebook
    shows_examples: bool = True
    findings: list[Diagnostic] = field(factory=list)

    @cached_property
    def scope(self) -> PhraseScope:
        return PhraseScope(build_lexicon(self.game))

    @cached_property
    def content(self) -> g.Game:
        return select_content(self.game)

    @cached_property
    def named_rules(self) -> tuple[str, ...]:
        """Names of the rules that the sections of the file tell. The player aid depends on all of them."""
        return tuple(name for section in self.file.sections for name in section.rule_names)

    @cached_property
    def named_steps(self) -> frozenset[str]:
        """Names of the steps that a section of the file names."""
        return frozenset(name.removeprefix("step ") for name in self.named_rules if name.startswith("step "))

    @cached_property
    def context(self) -> GameContext:
        titled = add_section_anchors(Section(section.title) for section in self.file.sections)
        anchors = frozenset(section.anchor for section in titled)
        return GameContext(self.game, self.scope, self.build_parts(), self.collect_examples(), anchors)

    def build_parts(self) -> dict[str, tuple[Block, ...]]:
        """Return the parts that a file can take from the game, by name."""
        parts: dict[str, tuple[Block, ...]] = {
            "zones": build_zone_blocks(self.content, self.scope),
            "questions": build_rulings_section(self.content).blocks,
        }
        for ranking in self.content.rankings.values():
            blocks = build_ranking_section(ranking, self.scope).blocks
            parts[ranking.name] = tuple(block for block in blocks if isinstance(block, TableBlock))
        return parts

    def collect_examples(self) -> dict[str, tuple[g.Example, PhraseScope]]:
        """Return the examples of the game and its variants by title, with their scopes."""
        if not self.shows_examples:
            return {}
        variants = self.game.variants if self.game.variant is None else ()
        games = [(variant.game, PhraseScope(build_lexicon(variant.game))) for variant in variants]
        return {each.title: (each, scope) for one, scope in (*games, (self.game, self.scope)) for each in one.examples}

    # ------------------------------------------------------------ sections
    @cached_property
    def states(self) -> tuple[SectionState, ...]:
        return tuple(map(self.build_state, self.file.sections))

    def build_state(self, section: FileSection) -> SectionState:
        variants = self.game.variants if self.game.variant is None else ()
        own = [variant.game for variant in variants if f"variant {variant.title}" in section.rule_names]
        context = evolve(self.context, game=own[0]) if own else self.context
        builder = BlockBuilder(self.file.source, context, self.findings)
        blocks = tuple(builder.build_blocks(section.nodes))
        own_game = self.game.untranslated
        gone = tuple(mention for mention in section.rules if find_rule(own_game, mention.name) is None)
        named = self.named_rules if section.is_player_aid else section.rule_names
        rules = find_dependencies(own_game, [*named, *builder.used], self.named_steps)
        digests = {name: compute_rule_digest(rule) for name, rule in rules.items()}
        values = frozenset(builder.values)
        return SectionState(section, blocks, rules, digests, self.file.get_digests(section), gone, values)

    def drop_unlimited_values(self, section: FileSection) -> FileSection:
        """Return a section without the paragraphs that take a value from the game which has no number."""
        holes = (
            (node, HOLE.findall(node.children[0].content) if node.type == "paragraph" else ()) for node in section.nodes
        )
        known = self.context.get_value
        return evolve(section, nodes=tuple(node for node, names in holes if None not in map(known, names)))

    def find_untold_sections(self) -> Iterator[tuple[Section, tuple[str, ...]]]:
        """Yield generated sections, with those of their rules that no section of the file tells."""
        told = {*self.named_rules, *find_dependencies(self.game, self.named_rules, frozenset(self.content.steps))}
        for section in walk_sections(self.generated.sections):
            untold = tuple(name for name in section.rules if must_be_told(name) and name not in told)
            if untold and section.blocks:
                yield section, untold

    # ------------------------------------------------------------ rulebook
    def build_rulebook(self) -> Rulebook:
        """Return the rulebook with the sections of the file and all rules that they leave out."""
        states = [state for state in self.states if not state.section.is_player_aid]
        introduction = states.pop(0) if states and not states[0].section.title else None
        pitch, facts, rest = split_introduction(introduction.blocks if introduction else ())
        sections = nest_sections([(state.section.level, self.build_section(state)) for state in states])
        others = tuple(
            Section(section.title, section.blocks, rules=section.rules) for section, _ in self.find_untold_sections()
        )
        if others:
            at = next((at for at, section in enumerate(sections) if is_closing(section)), len(sections))
            sections.insert(at, Section(OTHER_RULES_TITLE, (), others))
        opening = (Section("", rest),) if rest else ()
        shown = add_section_anchors((*opening, *sections))
        if introduction is not None and introduction.is_drafted:
            return evolve(self.generated, sections=shown)
        title = self.file.title or self.generated.title
        return evolve(self.generated, title=title, pitch=pitch, facts=facts, sections=shown)

    def build_player_aid_sections(self) -> tuple[Section, ...]:
        """Return the author's player aid, or else the author's sections on playing if they fit on its page.

        Return nothing if a rule has changed.
        """
        aid = next((state for state in self.states if state.section.is_player_aid), None)
        if aid is not None:
            return self.split_player_aid(aid) if aid.is_unread or not aid.is_outdated else ()
        on_play = [state for state in self.states if tells_rules_of_play(state.section)]
        if not on_play or any(state.is_outdated for state in on_play):
            return ()
        for skipped in ((), ("step setup",)):
            sections = [
                Section(state.section.title, drop_examples(self.build_section(state).blocks))
                for state in on_play
                if not {*skipped} & {*state.section.rule_names}
            ]
            if count_words(sections) <= MAX_AID_WORDS:
                return add_section_anchors(sections)
        return ()

    def split_player_aid(self, state: SectionState) -> tuple[Section, ...]:
        """Return the sections of the author's player aid. Bold paragraphs are headings."""
        sections = [Section("", tuple(self.build_mark(state)))]
        for block in state.blocks:
            if isinstance(block, Paragraph) and all(span.bold for span in get_spans(block.text)):
                sections.append(Section(block.text))
            else:
                sections[-1] = evolve(sections[-1], blocks=(*sections[-1].blocks, block))
        return add_section_anchors(section for section in sections if section.blocks)

    def build_section(self, state: SectionState) -> Section:
        """Return a section: as generated if it is as drafted, and with a mark if it is outdated."""
        section, rules = state.section, state.section.rule_names
        if state.is_drafted:
            alike = [each for each in walk_sections(self.generated.sections) if {*rules} <= {*each.rules}]
            alike = sorted(alike, key=lambda each: each.title != section.title)[: len(alike) if rules else 1]
            alike = [each for each in alike if rules or each.title == section.title]
            if alike:
                return Section(alike[0].title, alike[0].blocks, rules=rules)
        return Section(section.title, (*self.build_mark(state), *state.blocks), rules=rules)

    def build_mark(self, state: SectionState) -> Iterator[Block]:
        """Yield the mark of an outdated section, with the generated sentences of its changed rules."""
        is_changed = state.replaced_rules or state.removed_rules
        if not state.is_outdated or not (is_changed or state.is_unread):
            return
        yield Paragraph(StyledText([TextSpan(CHANGED_LEAD if is_changed else UNREAD_MARK, bold=True)]))
        yield from self.describe_rules(state.replaced_rules)
        gone = tuple(Item(f"The game no longer has the rule “{mention.name}”.") for mention in state.removed_rules)
        yield from (ItemList(gone, bullets=True),) if gone else ()

    def describe_rules(self, names: Sequence[str]) -> Iterator[Block]:
        """Yield the generated sentences of rules, each once."""
        blocks = (block for name in names for block in describe_rule(name, self.content, self.scope, self.generated))
        yield from dict.fromkeys(blocks)


def tells_rules_of_play(section: FileSection) -> bool:
    """Return whether a section tells rules of play: not only the contents, and no variant."""
    kinds = {name.partition(" ")[0] for name in section.rule_names}
    return bool(kinds - {"contents"}) and "variant" not in kinds


def is_shown_rule(name: str) -> bool:
    """Return whether a rule counts because the text of a section shows it: an example or a drawn card."""
    return name.partition(" ")[0] in ("example", "card", "component")


def must_be_told(name: str) -> bool:
    """Return whether a rulebook must tell a rule. The contents of variants belong to the variants."""
    return name.partition(" ")[0] in TOLD_KINDS and not name.startswith("contents ")


def build_generated_rulebook(game: g.Game, date: str = "", examples: ExampleSelection = "few") -> Rulebook:
    """Return the generated rulebook of a game, with the text of its libraries on the rules that they share unchanged.

    The text is in a rules file next to a library. A paragraph with a value that the game does not limit is left out.
    """
    generated = build_rulebook(game, date, examples)
    for file in filter(None, (read_rules_file(path, game) for path in find_library_rules_files(game))):
        reader = RulesFileReader(game, file, generated)
        library = Path(file.source.name).name.removesuffix(RULES_SUFFIX)
        for state in map(reader.build_state, map(reader.drop_unlimited_values, file.sections)):
            told = {*state.section.rule_names}
            replaced = [each for each in walk_sections(generated.sections) if each.rules and each.rules[0] in told]
            if replaced and all(is_shared_rule(state, name, library) for name in told):
                replaced.sort(key=lambda each: each.title != state.section.title)
                generated = evolve(generated, sections=insert_library_text(generated.sections, state, replaced))
    return evolve(generated, sections=add_section_anchors(generated.sections))


def is_shared_rule(state: SectionState, name: str, library: str) -> bool:
    """Return whether a rule comes from a library, and is as it was when an author last read the section."""
    rule = state.rules.get(name)
    if rule is None or any(Path(span.source.name).stem != library for span in rule.spans):
        return False
    return name not in state.read or not state.is_changed(name, state.digests[name])


def insert_library_text(
    sections: Iterable[Section], state: SectionState, replaced: Sequence[Section]
) -> tuple[Section, ...]:
    """Return sections with the text of a library in place of some, and the terms of those that it does not explain."""
    told = state.section.rule_names
    terms = [term for section in replaced for term in list_terms(section) if term[0] not in told]
    examples = [block for section in replaced for block in section.blocks if isinstance(block, WorkedExample)]
    listed = (ItemList(tuple(item for _, item in terms), bullets=True),) if terms else ()
    done = []
    for section in sections:
        below = insert_library_text(section.sections, state, replaced)
        if section is replaced[0]:
            blocks, rules = (*state.blocks, *listed, *examples), (*told, *(name for name, _ in terms))
            done.append(evolve(section, blocks=blocks, rules=rules, sections=below))
        elif section not in replaced:
            done.append(evolve(section, sections=below))
    return tuple(done)


def list_terms(section: Section) -> list[tuple[str, Item]]:
    """Return the terms at the end of a generated section on a step, by the names of their rules."""
    names = section.rules[1:]
    lists = [block for block in section.blocks if isinstance(block, ItemList) and block.bullets]
    return list(zip(names, lists[-1].items, strict=True)) if lists and len(lists[-1].items) == len(names) else []


def open_rules_file(game: g.Game, date: str = "", examples: ExampleSelection = "few") -> RulesFileReader | None:
    """Return a reader for the rules file next to a game, or None if there is none. A variant has none."""
    file = read_rules_file(find_rules_file(game), game) if game.variant is None else None
    if file is None:
        return None
    return RulesFileReader(game, file, build_generated_rulebook(game, date, examples), examples != "none")


def split_introduction(blocks: Sequence[Block]) -> tuple[str, tuple[str, ...], tuple[Block, ...]]:
    """Split the text under the title into the pitch (in italics), the facts and other blocks."""
    pitch, facts, rest = "", list[str](), list[Block]()
    for block in blocks:
        match block:
            case Paragraph(text=text) if not pitch and not facts and all(span.italic for span in get_spans(text)):
                pitch = join_spans(evolve(span, italic=False) for span in get_spans(text))
            case Paragraph(text=text) if not rest:
                facts.append(text)
            case ItemList(items=items) if not rest and not any(item.items or item.figures for item in items):
                facts += [f"{item.heading} {item.text}" if item.title else item.text for item in items]
            case _:
                rest.append(block)
    return pitch, tuple(facts), tuple(rest)


def nest_sections(leveled: Sequence[tuple[int, Section]]) -> list[Section]:
    """Nest sections under the last section before them with a lower level."""
    nested: list[Section] = []
    position = 0
    while position < len(leveled):
        level, section = leveled[position]
        end = position + 1
        while end < len(leveled) and leveled[end][0] > level:
            end += 1
        nested.append(evolve(section, sections=tuple(nest_sections(leveled[position + 1 : end]))))
        position = end
    return nested


def is_closing(section: Section) -> bool:
    return not section.rules and bool(section.blocks) and not isinstance(section.blocks[0], Paragraph)

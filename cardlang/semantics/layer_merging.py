"""Merge of libraries, game and variant into one layer of declarations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from pathlib import PurePath

from attrs import frozen

from cardlang import model as g
from cardlang.diagnostics import Source, Span
from cardlang.diagnostics.source_limits import MAX_VARIANTS
from cardlang.semantics import error_codes
from cardlang.semantics.symbol_table import NOUN_NODES, TYPO_CUTOFF, VERB_NODES, DiagnosticCollector
from cardlang.syntax import ast as n
from cardlang.syntax.ast.traversal import find_last_name, find_nodes

LibrarySource = Callable[[str], n.File | None]
ItemKey = tuple[str, str]
UnmetNeed = tuple[n.Use, n.Needs]
TEXT_ITEMS = (n.Note, n.Ruling, n.Component, n.Example)


@frozen
class MergedLayers:
    """Merged declarations.

    `file` is the game's own file. `used_libraries` are the libraries below it, `variant_libraries` those of other
    variants. `variant` is the chosen variant, and `variant_items` has the items from it or from its libraries."""

    header: n.Game
    items: tuple[n.Item, ...]
    file: n.File
    used_libraries: tuple[n.File, ...]
    variant_libraries: tuple[n.File, ...]
    variant: n.Variant | None
    variants: tuple[n.Variant, ...]
    variant_items: tuple[n.Item, ...] = ()

    @property
    def files(self) -> tuple[n.File, ...]:
        """All files of the game and its variants, the game's own first."""
        return self.file, *self.used_libraries, *self.variant_libraries

    @property
    def sources(self) -> tuple[Source, ...]:
        """Sources of all files, then the spreadsheets that they read cards from."""
        sheets = (each for file in self.files for each in find_spreadsheets(file.items))
        return tuple(dict.fromkeys([*(file.span.source for file in self.files), *sheets]))

    @property
    def origins(self) -> dict[int, g.Origin]:
        """Origins of the items, by ID."""
        libraries = {file.span.source: PurePath(file.span.source.name).stem for file in self.used_libraries}
        declared = {
            get_item_key(item): libraries[file.span.source] for file in self.used_libraries for item in file.items
        }
        declared[None] = ""
        varied = {id(item) for item in self.variant_items}
        origins_by_id = {}
        for item_index, item in enumerate(self.items):
            library = libraries.get(item.span.source) or declared.get(get_item_key(item), "")
            origins_by_id[id(item)] = g.Origin(
                item_index, library, id(item) in varied, item.span, get_name_or_item(item).span
            )
        return origins_by_id


def find_spreadsheets(items: Iterable[n.Item]) -> Iterator[Source]:
    """Yield the spreadsheets with cards of some items, and of those below them."""
    for item in items:
        if isinstance(item, n.Cards) and item.spreadsheet is not None:
            yield item.spreadsheet.span.source
        elif isinstance(item, n.Use | n.Variant):
            yield from find_spreadsheets(item.items)


def get_item_key(item: n.Item) -> ItemKey | None:
    """Return the name that an item declares, with its name space, or None."""
    if isinstance(item, NOUN_NODES):
        return "noun", item.name.text
    if isinstance(item, VERB_NODES):
        return "verb", item.name.text
    if isinstance(item, n.Show):
        return "shown", item.name.text
    if isinstance(item, n.Role):
        return "role", item.role.text
    return ("about", item.word) if isinstance(item, n.About) else None


def get_name_or_item(item: n.Item) -> n.Name | n.Item:
    """Return the name of an item, or the item itself. Diagnostics point to it."""
    return item.name if isinstance(item, NOUN_NODES + VERB_NODES) else item


def get_owner_word(item: n.Item) -> str:
    """Return the owner of an item, for comparison with overridden or needed items."""
    if isinstance(item, n.Step):
        return "your" if item.your else ""
    whose = getattr(item, "subject", None)
    return whose.text if isinstance(whose, n.Name) else whose or ""


def merge_layers(
    file: n.File, find_library: LibrarySource, variant_title: str | None, collector: DiagnosticCollector
) -> MergedLayers | None:
    """Merge the layers of a game file. Return None if it is no game, or has no such variant."""
    collector.unreadable_words |= file.broken
    if not isinstance(file.header, n.Game):
        if "game" not in collector.unreadable_words:
            report_header(file, collector)
        return None
    merger = LayerMerger(find_library, collector)
    items = merger.merge_file_items(file, ())
    variants, chosen = tuple(merger.variants), merger.choose_variant(file, variant_title)
    if variant_title is not None and chosen is None:
        return None
    varied: list[n.Item] = []
    if chosen is not None:
        source = file.span.source
        items = [i for i in items if not isinstance(i, n.Example) or i.span.source is not source]
        below = {id(item) for item in items}
        items = merger.merge_variant(items, chosen)
        varied = [item for item in items if id(item) not in below]
    used, spare = tuple(merger.library_files), merger.find_variant_libraries(variants)
    return MergedLayers(file.header, tuple(items), file, used, spare, chosen, variants, tuple(varied))


def report_header(file: n.File, collector: DiagnosticCollector) -> None:
    if isinstance(file.header, n.Library):
        hint = "add `use` to a game, and check that game instead"
        collector.add_error(error_codes.NOT_A_GAME, "this is a library, not a game", file.header.span, hint)
        return
    span = Span(file.span.source, 0, 0)
    hint = 'start the file with a line such as `game "Hearts" for 4 players`'
    collector.add_error(error_codes.NOT_A_GAME, "this file has no `game` line", span, hint)


class LayerMerger:
    def __init__(self, find_library: LibrarySource, collector: DiagnosticCollector) -> None:
        self.find_library = find_library
        self.collector = collector
        self.library_files: list[n.File] = []
        self.variants: list[n.Variant] = []

    # ------------------------------------------------------------ a file and its libraries
    def merge_file_items(self, file: n.File, enclosing_libraries: tuple[str, ...]) -> list[n.Item]:
        """Return the items of a file, merged with those of its libraries."""
        self.report_declarations_in_examples(file)
        own_items = [item for item in file.items if not isinstance(item, n.Use | n.Variant)]
        below, open_needs = self.merge_used_libraries(file.items, enclosing_libraries)
        self.variants += [item for item in file.items if isinstance(item, n.Variant)]
        self.report_duplicates([*below, *own_items], {id(item) for item in below})
        items = remove_duplicates([*below, *own_items])
        passed_on = {item.name.text for item in own_items if isinstance(item, n.Needs)}
        for use, need in open_needs:
            if need.name.text not in passed_on:
                self.report_unmet_need(use, need, items)
        return items

    def merge_used_libraries(
        self, items: Iterable[n.Item], enclosing_libraries: tuple[str, ...]
    ) -> tuple[list[n.Item], list[UnmetNeed]]:
        """Return the items of the libraries that some items use, and the unmet needs of the libraries."""
        below: list[n.Item] = []
        wanting: list[UnmetNeed] = []
        for use in (item for item in items if isinstance(item, n.Use)):
            library_items, needs = self.merge_library(use, enclosing_libraries)
            below += library_items
            wanting += [(use, need) for need in needs]
        return below, wanting

    def merge_library(self, use: n.Use, enclosing_libraries: tuple[str, ...]) -> tuple[list[n.Item], list[n.Needs]]:
        name = use.name.text
        file = None if name in enclosing_libraries else self.find_library(name)
        if file is None:
            message = f"`{name}` uses itself" if name in enclosing_libraries else f"unknown library `{name}`"
            hint = f"put the file `{name}.cardgame` next to the game, or use a bundled library"
            self.collector.add_error(
                error_codes.UNKNOWN_LIBRARY, message, use.name.span, "" if name in enclosing_libraries else hint
            )
            self.collector.is_library_missing = True
            return [], []
        self.library_files.append(file)
        self.collector.unreadable_words |= file.broken
        items = self.merge_file_items(file, (*enclosing_libraries, name))
        needs = [item for item in items if isinstance(item, n.Needs)]
        items = [item for item in items if not isinstance(item, n.Needs | n.Example)]
        needed_names = {need.name.text for need in needs}
        return self.apply_overrides(items, use.items, needed_names, f"`{name}`"), needs

    def apply_overrides(
        self,
        items: list[n.Item],
        layer: tuple[n.Item, ...],
        needed_names: set[str],
        layer_name: str,
        allow_new: bool = False,
    ) -> list[n.Item]:
        """Return `items` with overrides from `layer`.

        Items of `layer` replace their namesakes, or are added if their names are `needed_names`. With `allow_new`,
        further items may be added."""
        self.report_duplicates(list(layer), set())
        item_indices = {
            get_item_key(item): item_index for item_index, item in enumerate(items) if get_item_key(item) is not None
        }
        result = list(items)
        for item in layer:
            key = get_item_key(item)
            is_added = isinstance(item, n.Show | n.Role) and key not in item_indices
            if isinstance(item, TEXT_ITEMS) or is_added or (key is not None and key[1] in needed_names):
                result.append(item)
            elif key in item_indices:
                self.report_owner_change(items[item_indices[key]], item)
                result[item_indices[key]] = inherit_noun_forms(items[item_indices[key]], item)
            elif allow_new and self.is_new_declaration(item, key, items):
                result.append(item)
            else:
                self.report_missing_original(item, key, items, layer_name, allow_new)
        return result

    def report_owner_change(self, original: n.Item, item: n.Item) -> None:
        same = isinstance(item, n.Reaction) or get_owner_word(original) == get_owner_word(item)
        if not same:
            related = ((get_name_or_item(original).span, "the declaration it overrides"),)
            message = "this must have the same owner as the declaration it overrides"
            self.collector.add_error(error_codes.OVERRIDES_NOTHING, message, get_name_or_item(item).span, "", related)

    def report_missing_original(
        self, item: n.Item, item_key: ItemKey | None, items: list[n.Item], layer_name: str, allow_new: bool
    ) -> None:
        if item_key is None:
            message, hint = "this cannot be inside a `use`", "move it to the left edge"
            self.collector.add_error(error_codes.MISPLACED, message, item.span, hint)
            return
        known = find_namespace_items(item_key, items)
        close = self.collector.find_similar_names(item_key[1], list(known))
        related = tuple((get_name_or_item(known[name]).span, f"`{name}` is declared here") for name in close)
        hint = f"did you mean `{close[0]}`?" if close else "move new declarations to the left edge"
        hint += " A new declaration needs a less similar name" if allow_new else ""
        message = f"`{item_key[1]}` overrides nothing in {layer_name}"
        self.collector.add_error(error_codes.OVERRIDES_NOTHING, message, get_name_or_item(item).span, hint, related)

    # ------------------------------------------------------------ errors of names
    def report_declarations_in_examples(self, file: n.File) -> None:
        """Report items other than examples in a file of examples."""
        for item in file.items:
            if item.span.source is not file.span.source and not isinstance(item, n.Example | n.Note | n.Ruling):
                message = "a file of examples cannot have declarations"
                self.collector.add_error(error_codes.MISPLACED, message, get_name_or_item(item).span)

    def report_duplicates(self, items: list[n.Item], library_item_ids: set[int]) -> None:
        first: dict[ItemKey, n.Item] = {}
        for item in items:
            key = get_item_key(item)
            other = first.setdefault(key, item) if key is not None else item
            if other is item or key is None:
                continue
            hint = "rename one of them, or delete the old one"
            if id(other) in library_item_ids and id(item) not in library_item_ids:
                hint = "to override a declaration of a library, put it below the `use` line, indented"
            related = ((get_name_or_item(other).span, "the first one"),)
            message = f"`{key[1]}` is declared twice"
            self.collector.add_error(error_codes.DECLARED_TWICE, message, get_name_or_item(item).span, hint, related)

    def report_unmet_need(self, use: n.Use, need: n.Needs, items: list[n.Item]) -> None:
        whose = need.subject.text if isinstance(need.subject, n.Name) else need.subject or ""
        named = [
            item for item in items if isinstance(item, NOUN_NODES + VERB_NODES) and item.name.text == need.name.text
        ]
        if need.name.text in self.collector.unreadable_words or any(get_owner_word(item) == whose for item in named):
            return
        possessive = {"": "", "your": "your "}.get(whose, f"{whose}'s ")
        what = f"`{possessive}{need.name.text}`"
        doc = f": {need.doc.text}" if need.doc else ""
        related = ((need.span, f"needed here{doc}"),)
        message = f"`{use.name.text}` needs {what}, but nothing declares it"
        if named:
            message = f"`{use.name.text}` needs {what}, but `{need.name.text}` has another owner"
        own_items = [item for item in items if item.span.source is use.span.source]
        hint = self.build_need_hint(need, f"{possessive}{need.name.text}", own_items)
        self.collector.add_error(error_codes.UNMET_NEED, message, use.name.span, hint, related)
        self.collector.unreadable_words.add(need.name.text)

    def build_need_hint(self, need: n.Needs, called_as: str, own_items: list[n.Item]) -> str:
        """Return a hint how to declare a needed name.

        It is a step if the library runs it, or restarts a track with it."""
        name = need.name.text
        nodes = find_nodes(next(file.items for file in self.library_files if file.span.source is need.span.source))
        done = {find_last_name(node.step) for node in nodes if isinstance(node, n.Do)}
        done |= {again.text for node in nodes if isinstance(node, n.Starts) for again in node.again}
        word_class, like = ("verb", f"step {called_as}") if name in done else ("noun", f"define {called_as} as …")
        known = [
            key[1] for item in own_items if (key := get_item_key(item)) and key[0] == word_class and key[1] != name
        ]
        close = self.collector.find_similar_names(name, known)
        if close:
            return f"rename `{close[0]}` to `{name}`, or declare `{like}`"
        if word_class == "verb":
            return f"declare `{like}`, with its statements below"
        return f"declare `{like}`, for example below the `use`"

    # ------------------------------------------------------------ variants
    def choose_variant(self, file: n.File, variant_title: str | None) -> n.Variant | None:
        for variant in self.variants[MAX_VARIANTS : MAX_VARIANTS + 1]:
            message = f"a game has at most {MAX_VARIANTS} variants"
            self.collector.add_error(
                error_codes.LIMIT_EXCEEDED,
                message,
                variant.title.span,
                "remove some. cardlang checks each variant as a game of its own",
            )
        titles: dict[str, n.Variant] = {}
        for variant in self.variants:
            other = titles.setdefault(variant.title.text.lower(), variant)
            if other is not variant:
                related = ((other.title.span, "the first one"),)
                message = f"two variants are called “{variant.title.text}”"
                self.collector.add_error(
                    error_codes.DECLARED_TWICE, message, variant.title.span, "rename one of them", related
                )
        if variant_title is None or variant_title.lower() in titles:
            return titles.get(variant_title.lower()) if variant_title else None
        self.report_unknown_variant(file, variant_title)
        return None

    def report_unknown_variant(self, file: n.File, variant_title: str) -> None:
        names = [variant.title.text for variant in self.variants]
        close = get_close_matches(variant_title, names, 1, 0.5)
        known = "the variants are " + ", ".join(f"“{name}”" for name in names)
        hint = f"did you mean “{close[0]}”?" if close else known if names else "this game has no variants"
        span = file.header.span if file.header else file.span
        self.collector.add_error(error_codes.UNKNOWN_VARIANT, f"unknown variant “{variant_title}”", span, hint)

    def merge_variant(self, items: list[n.Item], variant: n.Variant) -> list[n.Item]:
        """Return the items of the game with the variant and its libraries.

        Items below a `use` of the variant replace those of the game."""
        known = {file.span.source for file in self.library_files}
        brought, wanting = self.merge_used_libraries(variant.items, ())
        overridden_keys = {
            get_item_key(item) for use in variant.items if isinstance(use, n.Use) for item in use.items
        } - {None}
        brought = [item for item in brought if item.span.source not in known or get_item_key(item) in overridden_keys]
        items = [item for item in items if get_item_key(item) not in overridden_keys]
        self.report_duplicates([*brought, *items], {id(item) for item in brought})
        own_items = tuple(item for item in variant.items if not isinstance(item, n.Use))
        items = self.apply_overrides(
            remove_duplicates([*brought, *items]), own_items, set(), "the game", allow_new=True
        )
        for use, need in wanting:
            self.report_unmet_need(use, need, items)
        return items

    def is_new_declaration(self, item: n.Item, item_key: ItemKey | None, items: list[n.Item]) -> bool:
        """Return whether an item is meant to be new. A name similar to an existing one is probably a typo."""
        if item_key is None:
            return isinstance(item, n.Whenever | n.Enters)
        return not self.collector.find_similar_names(
            item_key[1], list(find_namespace_items(item_key, items)), TYPO_CUTOFF
        )

    def find_variant_libraries(self, variants: Iterable[n.Variant]) -> tuple[n.File, ...]:
        """Return the libraries that only variants use."""
        library_files: list[n.File] = []
        todo = [use.name.text for variant in variants for use in variant.items if isinstance(use, n.Use)]
        while todo:
            file = self.find_library(todo.pop())
            if file is not None and all(file is not known for known in (*self.library_files, *library_files)):
                library_files.append(file)
                todo += [item.name.text for item in file.items if isinstance(item, n.Use)]
        return tuple(library_files)


def find_namespace_items(item_key: ItemKey, items: Iterable[n.Item]) -> dict[str, n.Item]:
    """Return the items in a name space, by name."""
    return {key[1]: item for item in items if (key := get_item_key(item)) and key[0] == item_key[0]}


def inherit_noun_forms(original: n.Item, item: n.Item) -> n.Item:
    """Return an override with the noun forms of the overridden item, unless it has its own."""
    for class_ in (n.Zone, n.Track, n.Define):
        if isinstance(item, class_) and isinstance(original, class_) and item.called is None:
            return item.replace(called=original.called)
    return item


def remove_duplicates(items: list[n.Item]) -> list[n.Item]:
    """Return the items without repeated declarations, which have been reported."""
    seen: set[ItemKey] = set()
    result = []
    for item in items:
        key = get_item_key(item)
        if key is None or key not in seen:
            result.append(item)
        if key is not None:
            seen.add(key)
    return result

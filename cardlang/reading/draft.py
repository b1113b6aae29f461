"""Parser input of one item: text with repairs, and with faulty statements blanked. It maps offsets to the source."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import field, frozen

from cardlang.source import Source


@frozen
class Edit:
    """Replacement of the draft's text from `start` to `end`."""

    start: int
    end: int
    text: str


@frozen
class Draft:
    """Immutable parser input. `origin` is its offset in the source. `edits` has the edits made, in order."""

    source: Source
    origin: int
    text: str
    edits: tuple[Edit, ...] = field(default=())

    def place(self, position: int) -> int:
        """Return the source offset of a position in the draft."""
        for edit in reversed(self.edits):
            position = before(edit, position)
        return self.origin + position

    def position(self, offset: int) -> int:
        """Return the position in the draft of a source offset."""
        position = offset - self.origin
        for edit in self.edits:
            if position >= edit.end:
                position += len(edit.text) - (edit.end - edit.start)
        return position

    def edited(self, edit: Edit) -> Draft:
        text = self.text[: edit.start] + edit.text + self.text[edit.end :]
        return Draft(self.source, self.origin, text, (*self.edits, edit))

    def without(self, start: int, end: int) -> Draft:
        """Replace a range with spaces. Line breaks stay."""
        blank = "".join("\n" if char == "\n" else " " for char in self.text[start:end])
        return Draft(self.source, self.origin, self.text[:start] + blank + self.text[end:], self.edits)

    def until(self, end: int) -> Draft:
        return Draft(self.source, self.origin, self.text[:end].rstrip() + "\n", self.edits)


def draft_of(source: Source, start: int, end: int, edits: Iterable[Edit] = ()) -> Draft:
    """Return a draft of a range of the source, with edits applied. Edits outside of the range are ignored."""
    draft = Draft(source, start, source.text[start:end] + "\n")
    for edit in edits:
        if start <= edit.start and edit.end <= end:
            draft = draft.edited(Edit(draft.position(edit.start), draft.position(edit.end), edit.text))
    return draft


def before(edit: Edit, position: int) -> int:
    """Return the position before an edit that corresponds to one after it."""
    longer = len(edit.text) - (edit.end - edit.start)
    if position >= edit.start + len(edit.text):
        return position - longer
    return min(position, edit.end)

"""Source text with edits that the parser may read, and offsets before and after them."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import field, frozen

from cardlang.diagnostics import Source


@frozen
class TextEdit:
    """Replacement of the draft's text from `start` to `end`."""

    start: int
    end: int
    text: str


@frozen
class EditedSource:
    """Immutable parser input. `origin` is its offset in the source. `edits` has the edits made, in order."""

    source: Source
    origin: int
    text: str
    edits: tuple[TextEdit, ...] = field(default=())

    def map_to_source(self, position: int) -> int:
        """Return the source offset of a position in the draft."""
        for edit in reversed(self.edits):
            position = map_before_edit(edit, position)
        return self.origin + position

    def map_from_source(self, offset: int) -> int:
        """Return the position in the draft of a source offset."""
        position = offset - self.origin
        for edit in self.edits:
            if position >= edit.end:
                position += len(edit.text) - (edit.end - edit.start)
        return position

    def apply_edit(self, edit: TextEdit) -> EditedSource:
        text = self.text[: edit.start] + edit.text + self.text[edit.end :]
        return EditedSource(self.source, self.origin, text, (*self.edits, edit))

    def blank_range(self, start: int, end: int) -> EditedSource:
        """Replace a range with spaces. Line breaks stay."""
        blank = "".join("\n" if char == "\n" else " " for char in self.text[start:end])
        return EditedSource(self.source, self.origin, self.text[:start] + blank + self.text[end:], self.edits)

    def truncate(self, end: int) -> EditedSource:
        return EditedSource(self.source, self.origin, self.text[:end].rstrip() + "\n", self.edits)


def build_edited_source(source: Source, start: int, end: int, edits: Iterable[TextEdit] = ()) -> EditedSource:
    """Return a draft of a range of the source, with edits applied. Edits outside of the range are ignored."""
    draft = EditedSource(source, start, source.text[start:end] + "\n")
    for edit in edits:
        if start <= edit.start and edit.end <= end:
            draft = draft.apply_edit(
                TextEdit(draft.map_from_source(edit.start), draft.map_from_source(edit.end), edit.text)
            )
    return draft


def map_before_edit(edit: TextEdit, position: int) -> int:
    """Return the position before an edit that corresponds to one after it."""
    longer = len(edit.text) - (edit.end - edit.start)
    if position >= edit.start + len(edit.text):
        return position - longer
    return min(position, edit.end)

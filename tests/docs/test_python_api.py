"""Python API reference: every name exists and has a docstring, and the examples run."""

import doctest
import re
from pkgutil import resolve_name
from typing import Any

import attrs
import pytest

import cardlang
from tests.docs.documents import ROOT

PAGE = (ROOT / "docs" / "python-api.md").read_text("utf-8")
ENTRY = re.compile(r"^::: (\S+)\n(?:    options:\n      members: \[([^]]*)\])?", re.MULTILINE)
ENTRIES = [(name, members.replace(",", " ").split()) for name, members in ENTRY.findall(PAGE)]


@pytest.mark.parametrize(("name", "members"), ENTRIES, ids=[name for name, _ in ENTRIES])
def test_each_name_has_a_docstring(name: str, members: list[str]) -> None:
    found = resolve(name)
    fields = {field.name for field in attrs.fields(found)} if attrs.has(found) else set()
    assert has_explanation(found)
    assert [member for member in members if member not in fields and not has_explanation(getattr(found, member))] == []


def has_explanation(found: Any) -> bool:
    """Return whether a docstring begins with a sentence."""
    return re.match(r"[A-Z]", found.__doc__ or "") is not None


def resolve(name: str) -> Any:
    """Return an object by its name; skip the test if it needs a package that is not installed."""
    try:
        return resolve_name(name)
    except ImportError as error:
        pytest.skip(str(error))


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, _ in ENTRIES])
def test_docstring_examples_run(name: str) -> None:
    runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    for test in doctest.DocTestFinder(recurse=True).find(resolve(name), name, globs={"cardlang": cardlang}):
        assert runner.run(test).failed == 0


def test_every_public_name_is_on_the_page() -> None:
    shown = {name.split(".")[-1] for name, _ in ENTRIES}
    assert set(cardlang.__all__) <= shown

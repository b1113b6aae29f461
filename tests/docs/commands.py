"""Pages of commands: summary, usage, options and examples, from the help of each command.

`python -m tests.docs` writes them into docs/commands.md and docs/commands/."""

import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import click

from cardlang.cli.main import COMMANDS, cli
from tests.docs.documents import ROOT

INDEX = ROOT / "docs" / "commands.md"
FOLDER = ROOT / "docs" / "commands"
BEGIN, END = (
    "<!-- Made from `--help` by `python -m tests.docs`. -->\n",
    "<!-- End of the part made from `--help`. -->\n",
)
PART = re.compile(f"(?<={re.escape(BEGIN)}).*?(?={re.escape(END)})", re.DOTALL)
CODE = re.compile(r"(?<![\w-])(--[a-z]+|NAME[-.\w]*\w|(?!HTML|JSON)[A-Z]{4,}|OLD|NEW|error\[\w+\])(?![\w-])")


def command(name: str) -> click.Command:
    """Return the command of a name."""
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


def examples(command: click.Command) -> list[str]:
    """Return the examples at the end of a command's help."""
    return re.findall(r"^ +(cardlang .*)$", command.epilog or "", re.MULTILINE)


def pages() -> dict[Path, str]:
    """Return the text of each page, with its generated part as it is today."""
    parts = {INDEX: index(), **{FOLDER / f"{name}.md": reference(name) for name in COMMANDS}}
    return {path: replace_part(path.read_text("utf-8"), part) for path, part in parts.items()}


def replace_part(page: str, part: str) -> str:
    """Return a page with this text between the marks."""
    return PART.sub(lambda _: f"\n{part}\n", page)


def index() -> str:
    """Return the table of all commands."""
    rows = (f"| [`cardlang {name}`](commands/{name}.md) | {summary(command(name))} |\n" for name in COMMANDS)
    return f"| command | use it to |\n|---|---|\n{''.join(rows)}"


def summary(command: click.Command) -> str:
    first = (command.help or "").partition(".")[0]
    return first[0].lower() + first[1:]


def reference(name: str) -> str:
    """Return the description, usage, examples and options of a command in Markdown."""
    found = command(name)
    context = click.Context(found, info_name=f"cardlang {name}")
    about = mark_code(cleandoc(found.help or ""))
    lines = "\n".join(examples(found))
    usage = " ".join([context.command_path, *found.collect_usage_pieces(context)])
    rows = "".join(option_rows(found, context))
    table = f"\n| option | meaning |\n|---|---|\n{rows}" if rows else ""
    return f"{about}\n\n```sh\n{lines}\n```\n\nUsage: `{usage}`\n{table}"


def option_rows(command: click.Command, context: click.Context) -> Iterator[str]:
    for option in command.params:
        record = option.get_help_record(context)
        if record is not None and isinstance(option, click.Option):
            names, meaning = (text.replace("|", "\\|").replace("  ", " ") for text in record)
            yield f"| `{names}` | {mark_code(meaning)} |\n"


def mark_code(text: str) -> str:
    """Mark options, codes and names of arguments as code."""
    return CODE.sub(r"`\1`", text)

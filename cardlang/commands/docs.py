"""`cardlang docs`: rule sheets."""

from __future__ import annotations

from pathlib import Path

import click

from cardlang.commands.files import SUFFIX, load_game, write_text


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER...")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The folder to write the sheets to.")
@click.option(
    "--format", "style", type=click.Choice(["md"]), default="md", show_default=True, help="The format."
)
@click.option("--variant", help="The rules of this variant.")
def command(files: tuple[str, ...], output: Path | None, style: str, variant: str | None) -> None:
    """Print rule sheets. One FILE without -o: to the screen; else NAME.md in the folder, or beside each
    game."""
    from cardlang.rulesheet import markdown

    names = [name for each in files for name in games_in(each)]
    for name in names:
        sheet = markdown(load_game(name, variant))
        if output is None and len(files) == 1 and not Path(files[0]).is_dir():
            click.echo(sheet.rstrip("\n"))
        else:
            target = (output or Path(name).parent) / f"{Path(name).stem}.{style}"
            write_text(target, sheet)
            click.echo(f"{target}", err=True)


def games_in(name: str) -> list[str]:
    """The games of a folder, or the one game that is meant."""
    folder = Path(name)
    if not folder.is_dir():
        return [name]
    games = [str(path) for path in sorted(folder.rglob("*" + SUFFIX))]
    if not games:
        raise click.UsageError(f"There are no {SUFFIX} files in {name}.")
    return games

"""Entry point for `python -m cardlang`."""

from cardlang.cli import main

if __name__ == "__main__":
    main()

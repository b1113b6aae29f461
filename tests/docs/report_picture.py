"""Balance report in the README: `python -m tests.docs.report_picture` redraws docs/pictures/report.png."""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "report.png"
ORDER = ("tail_story", "--players", "2", "--games", "1000", "--jobs", "2")
SIZE = {"width": 940, "height": 860}


def main() -> None:
    with TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        subprocess.run([sys.executable, "-m", "cardlang", "simulate", *ORDER, "--report", page], check=True)
        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            tab = browser.new_page(viewport=SIZE, color_scheme="light")
            tab.goto(page.as_uri())
            tab.screenshot(path=PICTURE)
            browser.close()


if __name__ == "__main__":
    main()

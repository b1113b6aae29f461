"""Balance report of a game, from many matches of bots.

- `match_stats` records a match, and `match_totals` adds matches up.
- `report_statistics` and `verdicts` compute figures and verdicts from the sums.
- `html_report` lays them out as an HTML page, with the pages and plots in `templates`.

This package reads and writes no files.
"""

from __future__ import annotations

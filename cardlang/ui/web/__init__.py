"""Web server: matches between people in browsers.

The server draws nothing. The client in `page/` draws what its seat receives: a `Table` and public card art, nothing
else.
"""

from __future__ import annotations

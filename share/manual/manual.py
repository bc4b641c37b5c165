#!/usr/bin/env python3
"""The manual, from docs/*.md and the program's own tables.

    manual.py man  GYRE FOLDER      a man page for the program and for each command
    manual.py html GYRE FOLDER      pages for a browser, with search; nothing is taken from the network

Needs cmark-gfm. `make man` and `make html` call it.
"""
import sys

import sources


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("man", "html"):
        sys.exit(__doc__)
    sources.need_tool()
    if sys.argv[1] == "man":
        import roff
        made = roff.write(sys.argv[2], sys.argv[3])
    else:
        import web
        made = web.write(sys.argv[2], sys.argv[3])
    print(f"{len(made)} pages in {sys.argv[3]}")


if __name__ == "__main__":
    main()

"""What the search of the site has to find first: keys of a spec, statuses, and the public names of the package.

usage: search_check.py HTML
"""

import json
import re
import sys
from pathlib import Path

import livens as lv
from livens import _tables

html = Path(sys.argv[1])
index = json.loads(re.fullmatch(r"Search\.setIndex\((.*)\)", (html / "searchindex.js").read_text())[1])
titles, pages = index["alltitles"], index["docnames"]
objects = {f"{prefix}.{entry[4]}" for prefix, entries in index["objects"].items() for entry in entries}


def wanted():
    for key in re.findall(r"^## `(.*)`$", (html / "_sources/keys.md.txt").read_text(), re.MULTILINE):
        yield key, "keys"
    for status in _tables.statuses:
        yield status, "statuses"


lacking = [word for word, page in wanted() if page not in [pages[number] for number, _ in titles.get(word, [])]]
lacking += [name for name in lv.__all__ if f"livens.{name}" not in objects and not isinstance(getattr(lv, name), type(sys))]
if lacking:
    sys.exit(f"the search of the site does not find {', '.join(lacking)}")

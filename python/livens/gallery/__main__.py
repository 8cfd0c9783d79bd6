"""python -m livens.gallery [PAPER | FIGURE] [-o DIR] [--quick] [--list | --specs DIR]"""

import argparse
import sys

from livens.errors import LivensError
from livens.gallery import draw, entries, write_specs


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m livens.gallery", description="Draws the figures of the papers.")
    parser.add_argument("which", nargs="?", help="a paper, or a figure, as --list names them; default: all")
    parser.add_argument("-o", dest="folder", default="gallery", help="where to draw (default: gallery)")
    parser.add_argument("--quick", action="store_true", help="fewer steps where there are many")
    parser.add_argument("--list", action="store_true", help="the list, with what this build cannot draw and why; draws nothing")
    parser.add_argument("--specs", metavar="DIR", help="write what the figures run as specs into DIR; runs nothing")
    arguments = parser.parse_args()
    try:
        chosen = entries(arguments.which)
        if arguments.list:
            for entry in chosen:
                print(f"{entry.name:58} {'missing: ' + entry.lacking if entry.lacking else 'drawn'}")
            return 0
        if arguments.specs is not None:
            written = write_specs(chosen, arguments.specs, arguments.quick)
            print(f"{sum(map(len, written.values()))} specs of {sum(map(bool, written.values()))} figures "
                  f"in {arguments.specs}")
            return 0
        drawn = draw(chosen, arguments.folder, arguments.quick)
    except LivensError as problem:
        print(f"livens.gallery: {problem}", file=sys.stderr)
        return 2
    wrong = [f"{name}: {finding.what}" for name, one in drawn.items() for finding in one.findings if not finding.agrees]
    print(f"{len(drawn)} of {len(chosen)} drawn in {arguments.folder}/index.html")
    for line in wrong:
        print(f"does not agree: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

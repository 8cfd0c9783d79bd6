"""python -m livens.gallery [PAPER | FIGURE] [-o DIR] [--quick] [--list | --specs DIR]"""

import argparse
import sys

from livens.errors import LivensError
from livens.gallery import draw, entries, stored, unjudged, write_specs
from livens.gallery.findings import AGREES, DIFFERS, OPEN


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
    findings = [(name, finding) for name, one in drawn.items() for finding in one.findings]
    if len(chosen) == 1:
        for _, finding in findings:
            print("  ".join((finding.row()[key] for key in ("verdict", "what", "expected", "ours", "bound"))))
    agree, differ, unknown = (sum(finding.verdict == verdict for _, finding in findings) for verdict in (AGREES, DIFFERS, OPEN))
    print(f"{len(drawn)} of {len(chosen)} drawn in {arguments.folder}/index.html: "
          f"{agree} agree, {differ} do not, {unknown} cannot be judged")
    wrong = [f"{name}: {finding.what}: {finding.row()['ours']}, expected {finding.row()['expected']}: {finding.verdict}, "
             "which is not as recorded" for name, finding in findings if not finding.as_recorded]
    wrong += unjudged({name: one for name, one in stored(arguments.folder).items() if name in drawn})
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

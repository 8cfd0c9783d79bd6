"""``python -m livens.doctor``: what of this machine livens can use, and what to install. In Python ``lv.doctor()``."""

from __future__ import annotations

import argparse
import sys

from livens._doctor import doctor


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m livens.doctor", description="what of this machine livens can use, and what "
                                     "to install for the rest; status 1 where a run would fail")
    parser.add_argument("--compile", action="store_true", help="compile a system as a first use does; some seconds")
    checks = doctor(parser.parse_args().compile)
    print(checks)
    return 0 if checks.ok else 1


if __name__ == "__main__":
    sys.exit(main())
sys.modules[__name__] = doctor  # type: ignore[assignment]  # what ``lv.doctor`` is, imported as a module, too

"""No function that knows a locale reads or prints a number: in a program whose decimal point is a comma std::stod("0.5")
is 0, and where thousands are separated a stream prints 1.000. The names of such functions are looked for in all sources
of the library, the program and the extension for Python. std::to_string is none of them for whole numbers, which are all
that it is used for; a double in it is found by the runs of tests/program/host_program_test.cpp.

usage: locales.py CHECKOUT
"""

import pathlib
import re
import sys

FOLDERS = ["kernels", "ensembles", "expressions", "taylor", "host", "reference", "true_motion", "python"]
SOURCES = {".hpp", ".cpp", ".cuh", ".cu", ".in"}

FORBIDDEN = {
    "reads a number": r"\bsto(?:i|l|ul|ll|ull|f|d|ld)\(|\bstrto(?:f|d|ld|l|ul|ll|ull|imax|umax)\(|\bato(?:i|l|ll|f)\(|scanf\(",
    "prints a number": r"printf\(",
    "is a stream, which reads and prints numbers": r"\b(?:std::)?[io]?stringstream\b|\bstd::(?:cout|cerr|clog|cin|[io]fstream|fstream)\b",
    "asks for a format of the locale": r"\{[a-z_0-9]*:[^{}\"]*L\}",
    "sets or asks for a locale": r"\b(?:setlocale|newlocale|uselocale|localeconv|imbue)\(|std::locale\b",
}

# What such a name is for in a file where no number goes through it.
TEXT, BYTES, WORDS, TOML = "whole lines", "bytes, by rdbuf() or read()", "words between spaces", "toml++ prints by std::to_chars"
ALLOWED = {
    "host/backends/cpu_backend.cpp": {"ifstream": TEXT},
    "host/checkpoint/checkpoint.cpp": {"ifstream": BYTES, "ostringstream": BYTES},
    "host/checkpoint/process_mark.cpp": {"ifstream": BYTES},
    "host/checkpoint/segments.cpp": {"ifstream": BYTES},
    "host/files/sha256.cpp": {"ifstream": BYTES},
    "host/commands/completion.cpp": {"istringstream": TEXT},
    "host/commands/failures.cpp": {"ostringstream": TOML},
    "host/compilation/called_program.cpp": {"istringstream": WORDS},
    "host/compilation/compiled.cpp": {"ifstream": BYTES, "ostringstream": BYTES},
    "host/compilation/kernel_headers.cpp": {"ifstream": TEXT, "ostringstream": BYTES},
    "host/compilation/nvrtc.cpp": {"istringstream": TEXT},
    "host/compilation/object_cache.cpp": {"ifstream": BYTES, "ostringstream": TOML},
    "host/compilation/whole_object.cpp": {"ifstream": BYTES},
    "host/results/check_block.cpp": {"ifstream": BYTES},
    "host/results/hdf5_reading.cpp": {"ifstream": BYTES, "istringstream": TEXT},
    "host/results/hdf5_scales.cpp": {"printf(": "%lld without ', which no locale changes; a note in the form of netCDF"},
    "host/results/result_reader.cpp": {"istringstream": WORDS},
    "host/run/run_memory.cpp": {"ifstream": WORDS},
    "host/spec/commented_spec.cpp": {"istringstream": WORDS},
    "host/spec/spec.cpp": {"ifstream": BYTES, "cin": BYTES, "ostringstream": TOML},
    "host/spec/spec_text.cpp": {"ifstream": BYTES, "istringstream": TEXT},
    "host/spec/table_csv.cpp": {"ifstream": TEXT},
    "kernels/backends/fits.cpp.in": {"printf(": "%s; runs in the build"},
    "taylor/write_series.cpp": {"ifstream": BYTES, "ofstream": TEXT, "ostringstream": BYTES, "printf(": "%s; runs in the build"},
}


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def main(checkout):
    root, problems, used, files = pathlib.Path(checkout), [], set(), 0
    for folder in FOLDERS:
        for source in sorted((root / folder).rglob("*")):
            if source.suffix not in SOURCES:
                continue
            files += 1
            name, text = str(source.relative_to(root)), without_comments(source.read_text())
            for what, pattern in FORBIDDEN.items():
                for found in re.finditer(pattern, text):
                    word = next((w for w in ALLOWED.get(name, {}) if w in found.group()), None)
                    if word:
                        used.add((name, word))
                    else:
                        problems.append(f"{name}: {found.group()} {what}")
    assert files > 300, "the sources are not where they are looked for"
    for name, word in [(name, word) for name, words in ALLOWED.items() for word in words]:
        if (name, word) not in used:
            problems.append(f"{name}: {word} is allowed in vain")
    print("\n".join(problems) or f"{files} files, {len(used)} uses that no number goes through")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

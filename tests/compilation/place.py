"""A directory with a spec, a system as text and a cache of its own, where a test calls the program."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "program"))


def expect(condition, *what):
    if not condition:
        raise SystemExit(" ".join(map(str, what)))


class Place:
    def __init__(self, livens, source, directory, spec, compiler=None):
        shutil.rmtree(directory, ignore_errors=True)
        os.makedirs(directory)
        self.livens, self.directory = os.path.abspath(livens), Path(os.path.abspath(directory))
        self.cache = self.directory / "cache"
        self.environment = {k: v for k, v in os.environ.items() if k not in ("CXX", "XDG_CACHE_HOME")}
        self.environment["LIVENS_CACHE"] = str(self.cache)
        if compiler:
            self.environment["CXX"] = compiler
        shutil.copy(Path(source) / "examples/systems/unit_circle.toml", self.directory / "own.toml")
        self.spec = self.directory / "spec.toml"
        self.spec.write_text(spec)

    def start(self, *arguments, **environment):
        return subprocess.Popen([self.livens, *map(str, arguments)], env=self.environment | environment,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.directory)

    def call(self, *arguments, expected=0, **environment):
        process = self.start(*arguments, **environment)
        output, errors = process.communicate()
        if process.returncode != expected:
            raise SystemExit(f"{arguments}: status {process.returncode}, not {expected}\n{output}{errors}")
        return output + errors

    def run(self, name, *arguments, **others):
        self.call("run", self.spec, "-o", name, "--force", "--quiet", *arguments, **others)
        return self.directory / name

    def clear(self):
        self.call("cache", "--clear")

    def entries(self):
        return sorted(path for path in self.cache.iterdir() if (path / "about.toml").exists())

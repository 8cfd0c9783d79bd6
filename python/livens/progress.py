"""How far a run is, on a terminal or in a notebook."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any, Union

from livens.errors import Mistake, SpecError

Report = Callable[[int, int, int], None]
"""Called as ``report(done, total, failed)``, in instances times steps; failed counts instances."""


class TqdmBar:
    """A bar of tqdm, which draws itself as a widget in a notebook."""

    def __init__(self) -> None:
        from tqdm.auto import tqdm

        self.bar = tqdm(total=None, unit="step", unit_scale=True)

    def __call__(self, done: int, total: int, failed: int) -> None:
        if self.bar.total != total:
            self.bar.reset(total)  # a widget does not hear of a new value of the attribute
        self.bar.n = done
        if failed:
            self.bar.set_postfix(failed=failed, refresh=False)
        self.bar.refresh()

    def close(self) -> None:
        self.bar.close()


class RichBar:
    """The same of rich."""

    def __init__(self) -> None:
        from rich.progress import Progress

        self.bar = Progress()
        self.task = self.bar.add_task("steps", total=None)
        self.bar.start()

    def __call__(self, done: int, total: int, failed: int) -> None:
        self.bar.update(self.task, completed=done, total=total,
                        description=f"steps, {failed} instances failed" if failed else "steps")

    def close(self) -> None:
        self.bar.refresh()  # in a notebook the end of it draws nothing
        self.bar.stop()


class Silent:
    """No bar."""

    def __call__(self, done: int, total: int, failed: int) -> None:
        pass

    def close(self) -> None:
        pass


class Function(Silent):
    """A function of the user's."""

    def __init__(self, report: Report) -> None:
        self.report = report

    def __call__(self, done: int, total: int, failed: int) -> None:
        self.report(done, total, failed)


_bars: dict[str, Any] = {"tqdm": TqdmBar, "rich": RichBar}


def bar_for(progress: Union[bool, str, Report]) -> Any:
    """Of what ``progress=`` may be: True takes tqdm, else rich, else nothing, whichever is installed."""
    if callable(progress):
        return Function(progress)
    if progress is True:
        installed = [name for name in _bars if importlib.util.find_spec(name)]
        return _bars[installed[0]]() if installed else Silent()
    if progress is False or progress is None:
        return Silent()
    if progress not in _bars:
        raise SpecError(Mistake(f"'{progress}'", "progress", "True, False, 'tqdm', 'rich' or a function"))
    return _bars[progress]()

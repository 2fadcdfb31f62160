"""The register of checks: a decorator, what each check needs, and the discovery of a folder."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Literal

from site_eval.case import Case
from site_eval.engine.answer import Answer
from site_eval.ordinance.clause import Clause

Run = Callable[[Case, Clause], Sequence[Answer]]


@dataclass(frozen=True)
class Need:
    """Something without which a check cannot measure: a mapped role, a layer, or a plan value."""

    kind: Literal["role", "layer", "value", "either"]
    any_of: tuple[str, ...]

    def missing(self, case: Case) -> str | None:
        """What is missing and how to get it, or nothing when the need is met."""
        if any(case.has(self.kind, name) for name in self.any_of):
            return None
        names = " or ".join(self.any_of)
        if self.kind == "role":
            return f"The layout maps no {names}; add a feature with that role to the layout file."
        if self.kind == "layer":
            return (
                f"The layer catalog names no {names} layer that covers the site; add one to the "
                "catalog (see `site-eval layers check`)."
            )
        return f"The application does not state {names}; add it to the application file."


@dataclass(frozen=True)
class AnyNeed(Need):
    """Several needs of which one suffices; when none is met, the first is asked for."""

    needs: tuple[Need, ...] = ()

    def missing(self, case: Case) -> str | None:
        """What the first need misses, when none of them is met."""
        missing = [need.missing(case) for need in self.needs]
        return missing[0] if all(missing) else None


def role(*any_of: str) -> Need:
    """The layout must map at least one of these roles."""
    return Need("role", any_of)


def layer(*any_of: str) -> Need:
    """The catalog must hold at least one of these kinds of layer."""
    return Need("layer", any_of)


def value(*any_of: str) -> Need:
    """The application must state at least one of these dotted paths."""
    return Need("value", any_of)


def either(*needs: Need) -> Need:
    """At least one of *needs* must be met."""
    return AnyNeed("either", (), needs)


@dataclass(frozen=True)
class Check:
    """A question that the tool can put to the map, with the clause subjects that it answers."""

    id: str
    name: str
    subjects: tuple[str, ...]
    needs: tuple[Need, ...]
    run: Run
    page: str
    scope: bool = False
    answers_unstated: bool = False


class Registry:
    """Checks by the subject that they answer, in a fixed order."""

    def __init__(self) -> None:
        """Start empty."""
        self._checks: dict[str, Check] = {}

    def check(
        self,
        check_id: str,
        *,
        subjects: Sequence[str],
        needs: Sequence[Need] = (),
        scope: bool = False,
        answers_unstated: bool = False,
    ) -> Callable[[Run], Run]:
        """Register the decorated function; its docstring is the check's page.

        A check of *scope* asks whether the ordinance binds at all, and runs before the others. One
        that *answers_unstated* runs even when the clause's own number cannot be worked out.
        """

        def decorate(run: Run) -> Run:
            name = getattr(run, "__name__", "")
            if name in self._checks:
                raise ValueError(f"two checks are called {name}")
            page = (run.__doc__ or "").strip()
            self._checks[name] = Check(
                check_id, name, tuple(subjects), tuple(needs), run, page, scope, answers_unstated
            )
            return run

        return decorate

    def answering(self, subject: str) -> list[Check]:
        """The checks that answer *subject*, by name."""
        return [c for _, c in sorted(self._checks.items()) if subject in c.subjects]

    def all(self) -> list[Check]:
        """Every check, by name."""
        return [c for _, c in sorted(self._checks.items())]


registry = Registry()
check = registry.check


def discover(package: ModuleType) -> Registry:
    """Import every module of *package*, so that its checks register themselves."""
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda m: m.name):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return registry

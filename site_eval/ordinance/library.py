"""The ordinances at hand: listed, read from TOML, and every fault of a file told at once."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Self
from zoneinfo import available_timezones

from pydantic import Field, PrivateAttr, ValidationError, field_validator, model_validator

from site_eval.errors import ManyErrors, OrdinanceError
from site_eval.files import read_text
from site_eval.ordinance.assumption import Assumption, assume
from site_eval.ordinance.basis import Basis
from site_eval.ordinance.clause import Clause, Table
from site_eval.ordinance.condition import Condition
from site_eval.ordinance.faults import sentences
from site_eval.ordinance.kinds import refusal
from site_eval.ordinance.requirement import Requirement
from site_eval.resources import bundled


class Jurisdiction(Table):
    """Whose law it is."""

    name: str
    county: str
    state: str
    fips: str = Field(description="State and county FIPS code, five digits")
    time_zone: str

    @field_validator("fips")
    @classmethod
    def _five_digits(cls, value: str) -> str:
        if not re.fullmatch(r"[0-9]{5}", value):
            raise refusal("'{found}' is not a county's code; write its five digits", found=value)
        return value

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        if value not in available_timezones():
            raise refusal(
                "there is no time zone '{found}'; write it as in \"America/Boise\"", found=value
            )
        return value


class Inconsistency(Table):
    """A slip or a contradiction of the text, and how it is read here."""

    clause: str
    text: str
    reading: str


class Stage(Table):
    """A stage of the procedure: notice, provisional permit, inspection, permit."""

    name: str
    by: str
    when: Condition | None = None
    due: Requirement | None = None
    answer_within: Requirement | None = None
    leads_to: str | None = None

    def describe(self) -> str:
        """The stage in words."""
        parts = [f"{self.name}, by {self.by}"]
        parts += [f"if {self.when.describe()}"] if self.when else []
        parts += [self.due.describe()] if self.due else []
        parts += [f"answered {self.answer_within.describe()}"] if self.answer_within else []
        return ", ".join(parts) + (f"; leads to {self.leads_to}" if self.leads_to else "")


class AttendanceClass(Table):
    """A class of assembly with its own procedure, and when an assembly belongs to it."""

    name: str
    when: Condition
    follows: str | None = None


class Ordinance(Table):
    """One ordinance as of one amendment; an amendment is a new file that ``supersedes`` it."""

    id: str
    citation: str
    title: str
    jurisdiction: Jurisdiction
    in_force_from: date | None = None
    in_force_note: str | None = None
    supersedes: str | None = None
    source: str | None = None
    threshold_persons: int = Field(gt=0)
    binds: Condition | None = Field(default=None, description="When more than a headcount decides")
    classes: tuple[AttendanceClass, ...] = ()
    stages: tuple[Stage, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    inconsistencies: tuple[Inconsistency, ...] = ()
    clauses: tuple[Clause, ...] = Field(min_length=1)

    _file: Path = PrivateAttr(default=Path("ordinance.toml"))

    @field_validator("id")
    @classmethod
    def _plain_id(cls, value: str) -> str:
        if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", value):
            raise refusal(
                "'{found}' is no id; use lower-case letters, digits and hyphens", found=value
            )
        return value

    @model_validator(mode="after")
    def _ids_once(self) -> Self:
        clause_ids = Counter(clause.id for clause in self.clauses)
        item_ids = Counter(item.id for clause in self.clauses for item in clause.on_site)
        twice = [name for name, count in (clause_ids + item_ids).items() if count > 1]
        if twice:
            raise refusal("the id {ids} is used more than once; rename one", ids=", ".join(twice))
        return self

    @property
    def file(self) -> Path:
        """The file that was read."""
        return self._file

    def clause(self, clause_id: str) -> Clause:
        """The clause with this id; raises ``OrdinanceError``."""
        for clause in self.clauses:
            if clause.id == clause_id:
                return clause
        known = [clause.id for clause in self.clauses]
        near = get_close_matches(clause_id, known, n=1, cutoff=0.5)
        mend = f"perhaps '{near[0]}' is meant" if near else f"use one of: {', '.join(known)}"
        raise OrdinanceError(self.id, f"there is no clause '{clause_id}'", mend)

    def declared_paths(self) -> frozenset[str]:
        """Every path of an application that the clauses name, for values and for papers."""
        paths = {path for clause in self.clauses for path in clause.declared_paths}
        paths |= {p for c in self.clauses for document in c.documents for p in document.paths}
        return frozenset(paths | self.basis_paths())

    def basis_paths(self) -> frozenset[str]:
        """Dotted paths of an application that rules and conditions run on.

        Give their values to ``Basis.with_values`` before the rules are resolved.
        """
        rules = [rule for clause in self.clauses for rule in clause.rules()]
        names = {name for rule in rules for name in (*rule.names(), *rule.flags())}
        for clause in self.clauses:
            for condition in clause.conditions():
                names |= {leaf.flag or leaf.quantity or "" for leaf in condition.leaves()}
        return frozenset(name.partition("=")[0] for name in names if "." in name)

    def with_assumptions(self, basis: Basis) -> Basis:
        """The *basis* with what the ordinance's assumptions add to it, and their scenarios."""
        return assume(basis, self.assumptions)

    def class_of(self, basis: Basis) -> str | None:
        """The first class whose condition holds; ``None`` when none is known to."""
        return next((c.name for c in self.classes if c.when.holds(basis)), None)

    def binds_on(self, basis: Basis) -> bool | None:
        """Whether the ordinance binds an assembly; ``None`` when that cannot be told."""
        if self.binds is not None:
            return self.binds.state(basis)
        persons = basis.quantities.get("persons")
        return None if persons is None else persons >= self.threshold_persons


def list_ordinances() -> list[Ordinance]:
    """The bundled ordinances, by id."""
    return [load_ordinance(path) for path in sorted(bundled("ordinances").glob("*.toml"))]


def load_ordinance(id_or_path: str | Path) -> Ordinance:
    """The bundled ordinance of an id, or the one in a TOML file.

    Raises ``ManyErrors`` with every fault of the file, or ``OrdinanceError`` for an unknown id.
    """
    path = _path(id_or_path)
    content = _toml(path)
    try:
        ordinance = Ordinance.model_validate(content)
    except ValidationError as error:
        raise ManyErrors(sentences(path, error, content, Ordinance)) from None
    ordinance._file = path  # noqa: SLF001 - the one place that fills what the file cannot say
    return ordinance


def ordinance_text(ordinance: Ordinance) -> str | None:
    """The text of the law beside the TOML file (same name, ``.txt``), if it is there."""
    path = ordinance.file.with_suffix(".txt")
    return read_text(path, what="ordinance text") if path.is_file() else None


def _path(id_or_path: str | Path) -> Path:
    path = Path(id_or_path)
    if path.suffix == ".toml" or path.exists():
        return path
    known = sorted(p.stem for p in bundled("ordinances").glob("*.toml"))
    if str(id_or_path) in known:
        return bundled("ordinances", f"{id_or_path}.toml")
    raise OrdinanceError(
        str(id_or_path),
        "there is no such ordinance",
        f"name a TOML file or use one of: {', '.join(known)}",
    )


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_text(path, what="ordinance"))
    except tomllib.TOMLDecodeError as error:
        said, _, where = str(error).rpartition(" (at ")
        place = f"{path}, {where.rstrip(')')}" if said else str(path)
        fault = f"this is not TOML ({(said or str(error)).lower()})"
        raise OrdinanceError(place, fault, "mend the line", code="ordinance.toml") from None
    except (RecursionError, ValueError):
        raise OrdinanceError(
            str(path),
            "this is not TOML that can be read",
            "write it anew from a bundled ordinance",
            code="ordinance.toml",
        ) from None

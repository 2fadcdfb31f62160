"""The house stays readable: short modules, short functions, no module that everything leans on."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(
    path
    for package in ("site_eval", "inspect_web")
    for path in (ROOT / package).rglob("*.py")
    if "_data" not in path.parts and "migrations" not in path.parts
)
MAX_MODULE_LINES = 400
MAX_FUNCTION_LINES = 80
MAX_WEIGHT = 5_000

# A module above its limit, with the reason.
LONGER: dict[str, str] = {
    "inspect_web.evidence.verify": "one file that a stranger reads whole and runs alone",
}
HEAVIER: dict[str, str] = {
    "site_eval.ordinance.clause": "every check is handed a clause, so that each new check counts",
}


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_module_is_short_and_opens_with_a_sentence(path: Path) -> None:
    text = path.read_text()
    tree = ast.parse(text)
    if name_of(path) not in LONGER:
        assert len(text.splitlines()) <= MAX_MODULE_LINES
    if text.strip():
        assert ast.get_docstring(tree), "say in one sentence what this module is"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_function_bodies_fit_on_a_screen(path: Path) -> None:
    long = [
        f"{node.name}: {node.end_lineno - node.body[0].lineno + 1} lines"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.body[0].lineno + 1 > MAX_FUNCTION_LINES
    ]
    assert not long


def imports_of(path: Path) -> set[str]:
    """Modules of ours that a file imports, type-only and in-function imports counted."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found & {name_of(p) for p in MODULES}


def test_no_import_cycles() -> None:
    graph = {name_of(p): imports_of(p) - {name_of(p)} for p in MODULES}
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join((*path[path.index(module) :], module))
        if module in done:
            return
        for other in sorted(graph[module]):
            visit(other, (*path, module))
        done.add(module)

    for module in graph:
        visit(module, ())


def test_no_module_carries_too_much() -> None:
    graph = {name_of(p): imports_of(p) for p in MODULES}
    heavy = {}
    for path in MODULES:
        name = name_of(path)
        importers = sum(name in imported for other, imported in graph.items() if other != name)
        weight = importers * len(path.read_text().splitlines())
        if weight > MAX_WEIGHT and name not in HEAVIER:
            heavy[name] = weight
    assert not heavy

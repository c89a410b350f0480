"""Which modules of the project a file imports, also inside functions."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src"


def module_file(name: str) -> Path | None:
    """Return the file of a module, or None where the name is no module."""
    base = SOURCE / Path(*name.split("."))
    for candidate in (base.with_suffix(".py"), base / "__init__.py"):
        if candidate.is_file():
            return candidate
    return None


@cache
def direct_imports(file: Path) -> frozenset[str]:
    """Return the project modules that a file names in its import statements."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(n for n in names if n.startswith("gazeline") and module_file(n) is not None)


def imported_files(file: Path) -> set[Path]:
    """Return the files of every project module that `file` needs, packages' docstrings left out."""
    found: set[Path] = set()
    waiting = [file]
    while waiting:
        for name in direct_imports(waiting.pop()):
            path = module_file(name)
            if path is not None and path not in found and path.name != "__init__.py":
                found.add(path)
                waiting.append(path)
    return found

"""Read one section of `params.yaml`, or report every problem it has at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from gazeline.errors import ParamsError

PARAMS_FILE = Path("params.yaml")


class Section(BaseModel):
    """Base of every section: frozen, unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)


S = TypeVar("S", bound=Section)


def read_yaml(path: Path = PARAMS_FILE) -> dict[str, Any]:
    """Read a YAML mapping as plain dictionaries.

    Raises:
        ParamsError: the file is missing or is not a YAML mapping; the line is named.
    """
    return parse_yaml(read_text(path), path)


def read_text(path: Path = PARAMS_FILE) -> str:
    """Read the text of a parameter file (see `read_yaml`)."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise ParamsError(
            f"There is no {path.name} here",
            where=str(path.resolve().parent),
            todo="run the command in the folder of the project",
        ) from error
    except UnicodeDecodeError as error:
        raise ParamsError(f"{path.name} is not UTF-8 text: {error}", where=path.name) from error


def parse_yaml(text: str, path: Path = PARAMS_FILE) -> dict[str, Any]:
    """Parse the text of a YAML mapping (see `read_yaml`)."""
    try:
        data = YAML(typ="safe").load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark
        line = f"{path.name}, line {mark.line + 1}" if mark else path.name
        raise ParamsError(f"{path.name} is not valid YAML: {error.problem}", where=line) from error
    except YAMLError as error:
        raise ParamsError(f"{path.name} is not valid YAML: {error}", where=path.name) from error
    if not isinstance(data, dict):
        raise ParamsError(f"{path.name} does not hold a mapping", where=str(path))
    return data


def load_section(model: type[S], key: str, path: Path = PARAMS_FILE) -> S:
    """Load the section at a dotted `key`, e.g. `features.video`.

    Raises:
        ParamsError: every unknown key and bad value of the section, all at once.
    """
    value: Any = read_yaml(path)
    for part in key.split("."):
        value = value.get(part, {}) if isinstance(value, Mapping) else {}
    return validate(model, value, key, path)


def validate(model: type[S], value: Any, key: str, path: Path = PARAMS_FILE) -> S:
    """Check a value against a section's model (see `load_section`)."""
    try:
        return model.model_validate(value if value is not None else {})
    except ValidationError as error:
        raise problems_error(problems(error, key), path) from None


def problems_error(lines: Iterable[str], path: Path = PARAMS_FILE) -> ParamsError:
    """Return one error that lists the problems, sorted."""
    listed = sorted(set(lines))
    return ParamsError(
        f"{path.name} has {len(listed)} problem{'s' if len(listed) != 1 else ''}:\n"
        + "\n".join(f"  - {line}" for line in listed),
        todo=f"correct {path.name}; the comment over each key says what it takes",
    )


def problems(error: ValidationError, key: str = "") -> list[str]:
    """Return a line per problem, with the dotted key, the value and a suggestion."""
    return [_problem(dict(detail), key, error) for detail in error.errors(include_url=False)]


def _problem(detail: dict[str, Any], key: str, error: ValidationError) -> str:
    location = [str(part) for part in detail["loc"]]
    dotted = ".".join(part for part in [key, *location] if part)
    if detail["type"] == "extra_forbidden":
        return f"{dotted}: unknown key{_suggestion(location, detail, error)}"
    if detail["type"] == "missing":
        return f"{dotted}: is missing"
    message = str(detail["msg"]).removeprefix("Value error, ").removeprefix("Input ")
    value = detail.get("input")
    shown = f" (got {value!r})" if isinstance(value, str | int | float | bool) else ""
    return f"{dotted}: {message}{shown}"


def _suggestion(location: list[str], detail: dict[str, Any], error: ValidationError) -> str:
    names = _field_names(_MODELS.get(error.title), location[:-1])
    close = get_close_matches(location[-1], names, n=1)
    return f"; did you mean {close[0]}?" if close else ""


_MODELS: dict[str, type[BaseModel]] = {}


def _field_names(model: type[BaseModel] | None, location: list[str]) -> list[str]:
    """Return the field names of the model a location leads to, following dicts and lists."""
    for part in location:
        if model is None or part not in model.model_fields:
            continue
        model = _inner_model(model.model_fields[part].annotation)
    return list(model.model_fields) if model is not None else []


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in getattr(annotation, "__args__", ()):
        found = _inner_model(argument)
        if found is not None:
            return found
    return None


def register(model: type[S]) -> type[S]:
    """Let error messages suggest the field names of `model` (a decorator for roots)."""
    _MODELS[model.__name__] = model
    return model

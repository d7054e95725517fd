"""What the server says, as types for the page's scripts: `python -m tests.wire_types` writes `rollwise/web/wire.d.ts` anew."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rollwise.web.app import make_app
from rollwise.web.limits import Limits

__all__ = ["WIRE", "wire_types"]

WIRE = Path(__file__).parents[1] / "rollwise" / "web" / "wire.d.ts"
HEAD = "/** What goes over the wire. Made from the OpenAPI description by `python -m tests.wire_types`: do not edit. */\n"
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}

Schema = dict[str, Any]


def wire_types() -> str:
    """Write the models of the server's description as interfaces."""
    with TemporaryDirectory() as folder:
        models = make_app(Limits(), directory=Path(folder)).openapi()["components"]["schemas"]
    return "\n".join([HEAD, *(interface(name, model) for name, model in sorted(models.items()))])


def interface(name: str, model: Schema) -> str:
    """Write one model.

    >>> print(interface("Spot", {"properties": {"x": {"type": "integer"}}}), end="")
    export interface Spot {
      x?: number;
    }
    """
    fields = model.get("properties", {}).items()
    lines = [line for field, schema in fields for line in member(field, schema, field in model.get("required", ()))]
    return "\n".join([*comment(model, ""), f"export interface {name} {{", *lines, "}\n"])


def member(name: str, schema: Schema, required: bool) -> list[str]:
    """Write a field: one whose value is always the same is always there."""
    mark = "" if required or "const" in schema else "?"
    return [*comment(schema, "  "), f"  {name}{mark}: {written(schema)};"]


def comment(schema: Schema, indent: str) -> list[str]:
    """Write a description in one line."""
    return [f"{indent}/** {' '.join(schema['description'].split())} */"] if "description" in schema else []


def written(schema: Schema) -> str:
    """Write a type.

    >>> written({"anyOf": [{"type": "array", "items": {"type": "number"}}, {"type": "null"}]})
    'number[] | null'
    """
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "const" in schema or "enum" in schema:
        return " | ".join(f'"{value}"' for value in schema.get("enum", [schema.get("const")]))
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " | ".join(dict.fromkeys(written(part) for part in schema[union]))
    return compound(schema)


def compound(schema: Schema) -> str:
    """Write a list, an object with any keys, or something plain."""
    kind = schema.get("type")
    if kind == "array":
        item = written(schema.get("items", {}))
        return f"({item})[]" if "|" in item else f"{item}[]"
    if kind == "object":
        more = schema.get("additionalProperties")
        return f"Record<string, {written(more) if isinstance(more, dict) else 'unknown'}>"
    return PLAIN.get(str(kind), "unknown")


if __name__ == "__main__":
    WIRE.write_text(wire_types())

"""What the page says, as data: one catalogue a language, `en.json` and `de.json`.

A catalogue maps keys to texts; a key begins with the part of the page that it belongs to. A text is a string, or an object with
its forms for `one` and `other`, by the argument `n`; `render` describes what may stand in it. A new language is one more file,
whose `language.name` is what its speakers call it.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

__all__ = ["Entry", "languages", "read_catalogue", "read_texts"]

Entry = str | Mapping[str, str]
"""A text, or its plural forms."""


@cache
def languages() -> Mapping[str, str]:
    """List the languages by their own names, English first.

    >>> list(languages())[0], languages()["de"]
    ('en', 'Deutsch')
    """
    codes = sorted(path.name.removesuffix(".json") for path in files(__name__).iterdir() if path.name.endswith(".json"))
    return {code: str(read_texts(code)["language.name"]) for code in sorted(codes, key=lambda code: code != "en")}


@cache
def read_texts(language: str) -> Mapping[str, Entry]:
    """Read the texts of a language by key.

    >>> read_texts("de")["page.close"]
    'Schließen'

    Raises `LookupError` for a language without a catalogue.
    """
    found: dict[str, Entry] = json.loads(read_catalogue(language))
    return found


def read_catalogue(language: str) -> bytes:
    """Read the catalogue of a language as it is sent to the page. Raises `LookupError` for a language that has none."""
    place = files(__name__) / f"{language}.json"
    if not (language.isalnum() and place.is_file()):
        raise LookupError(f"no texts in the language {language!r}: expected one of {', '.join(languages())}")
    return place.read_bytes()

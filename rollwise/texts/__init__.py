"""What the page says, as data: one catalogue a language, `en.json` and `de.json`.

A catalogue maps keys to texts; a key begins with the part of the page that it belongs to. A text is a string, or an object with
its forms for `one` and `other`, by the argument `n`; `render` describes what may stand in it. A new language is one more file,
whose `language.name` is what its speakers call it.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

__all__ = ["FOLDER", "Entry", "choose_language", "languages", "read_catalogue", "read_texts"]

FOLDER = Path(__file__).parent
"""Where the catalogues are."""

Entry = str | Mapping[str, str]
"""A text, or its plural forms."""


@cache
def languages() -> Mapping[str, str]:
    """List the languages by their own names, English first.

    >>> list(languages())[0], languages()["de"]
    ('en', 'Deutsch')
    """
    codes = sorted((path.stem for path in FOLDER.glob("*.json")), key=lambda code: (code != "en", code))
    return {code: str(read_texts(code)["language.name"]) for code in codes}


def choose_language(accepted: str) -> str:
    """Choose the language of an answer by the `Accept-Language` of its request: the first with a catalogue, else English.

    >>> choose_language("fr, de-CH;q=0.8, en;q=0.9"), choose_language("de, en"), choose_language("")
    ('en', 'de', 'en')
    """
    wanted = [item.partition(";q=") for item in accepted.lower().replace(" ", "").split(",")]
    shares = [(float(share) if share.replace(".", "", 1).isdecimal() else 1.0, name) for name, _, share in wanted]
    known = [(share, name.partition("-")[0]) for share, name in shares if share and name.partition("-")[0] in languages()]
    return max(known, key=lambda row: row[0], default=(1, "en"))[1]


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
    place = FOLDER / f"{language}.json"
    if not (language.isalnum() and place.is_file()):
        raise LookupError(f"no texts in the language {language!r}: expected one of {', '.join(languages())}")
    return place.read_bytes()

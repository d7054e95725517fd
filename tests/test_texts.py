"""Texts as data: every language has the same, all of them are used, and messages are written as on the page."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rollwise
from rollwise.model.message import Message
from rollwise.texts import Entry, languages, read_catalogue, read_texts
from rollwise.texts.render import FIELD, render
from rollwise.web.files import LEARN_TEXT, LOOK_TEXT, TABLE_TEXT

PACKAGE = Path(rollwise.__file__).parent
STATIC = PACKAGE / "web" / "static"
EXAMPLES = json.loads((Path(__file__).parent / "data" / "messages.json").read_text())
ENGLISH = read_texts("en")
TRANSLATIONS = [language for language in languages() if language != "en"]
SCRIPTS = {str(path): path.read_text() for path in STATIC.rglob("*.js")}
HTML = (STATIC / "index.html").read_text()

CALL = re.compile(r"\bt\(\s*\"([^\"]+)\"(?:(?:, \{ ([^{}]*) \})?(\)))?")
"""A text asked for by its key, and its arguments where they are written out."""
TEMPLATE = re.compile(r"\bt\(`([^`]+)`")
"""A text whose key is put together."""
LITERAL = re.compile(r"\"([a-z]+\.[^\"\s]+)\"")
"""What may be a key, wherever it stands."""
SAME = {
    "solving.done", "table.link", "bar.computer", "bar.says", "bar.moves", "sheet.bonus", "party.rank", "kept.player", "form.yes",
    "offline.kilobytes", "offline.megabytes", "print.name",
    "box.balut", "box.generala", "box.kismet", "box.kniffel", "box.maxi-yatzy", "box.yatzy",
    "aim.sentence", *(key for key in ENGLISH if re.fullmatch(r"game\..*\.title", key)),
}  # fmt: skip
"""Texts that are as in English."""


def forms(text: Entry) -> dict[str, str]:
    return {"": text} if isinstance(text, str) else dict(text)


def fields(text: Entry) -> set[tuple[str, str]]:
    """Give the arguments of a text, each with its kind."""
    return {field for form in forms(text).values() for field in FIELD.findall(form)}


def same_kinds(text: Entry) -> set[tuple[str, str]]:
    """Give the arguments of a text with kinds that all languages share: where a label begins with a small letter is their own."""
    return {(name, "" if kind == "lower" else kind) for name, kind in fields(text)}


def names(text: Entry) -> set[str]:
    return {name for name, _ in fields(text)}


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_languages_have_the_same_texts(language: str) -> None:
    texts = read_texts(language)
    assert list(texts) == list(ENGLISH)
    for key, text in ENGLISH.items():
        assert forms(text).keys() == forms(texts[key]).keys() in ({""}, {"one", "other"}), key
        assert same_kinds(text) == same_kinds(texts[key]), key
    words = {
        key for key, text in ENGLISH.items() if re.search("[a-z]", "".join(FIELD.sub("", form) for form in forms(text).values()))
    }
    assert {key for key in words if texts[key] == ENGLISH[key]} <= SAME


@pytest.mark.parametrize("language", languages())
def test_a_catalogue_is_well_formed(language: str) -> None:
    """No key twice, keys of one part of the page together, braces around arguments only, kinds that there are."""
    keys = [key for key, _ in json.loads(read_catalogue(language), object_pairs_hook=list)]
    assert len({*keys}) == len(keys)
    parts = list(dict.fromkeys(key.partition(".")[0] for key in keys))
    assert [key.partition(".")[0] for key in keys] == sorted((key.partition(".")[0] for key in keys), key=parts.index)
    for key, text in read_texts(language).items():
        assert not re.search(r"[{}]", "".join(FIELD.sub("", form) for form in forms(text).values())), key
        args: Any = {name: ["word"] if kind in ("list", "and") else 2 for name, kind in fields(text)}
        assert render(Message(key, args), language)


def used() -> Iterator[str]:
    """Give the keys that the page names: in its HTML, and in scripts as they are or by a pattern."""
    yield "language.name"
    yield from re.findall(r'data-t(?:-label)?="([^"]+)"', HTML)
    for script in SCRIPTS.values():
        yield from (key for key, *_ in CALL.findall(script))
        yield from (found for found in LITERAL.findall(script) if found in ENGLISH)
        for template in TEMPLATE.findall(script):
            pattern = ".+".join(re.escape(part) for part in re.split(r"\$\{[^}]*\}", template))
            found = [key for key in ENGLISH if re.fullmatch(pattern, key)]
            yield from found or [template]


def spoken_for() -> Iterator[tuple[str, bool]]:
    """Give what the package's code names: keys and patterns of them, and whether a message is made of it."""
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text())
        made = set[ast.AST]()
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Message" and call.args:
                key = call.args[0]
                made |= {key.body, key.orelse} if isinstance(key, ast.IfExp) else {key}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield re.escape(node.value), node in made
            elif isinstance(node, ast.JoinedStr):
                parts = [re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".*" for part in node.values]
                yield "".join(parts), node in made


def test_every_text_is_used_and_every_text_that_is_used_is_there() -> None:
    on_page = {*used()}
    assert on_page <= {*ENGLISH}
    in_code = {pattern: made for pattern, made in sorted(spoken_for()) if made or re.match(r"[a-z]+\\\.", pattern)}
    found = {pattern: {key for key in ENGLISH if re.fullmatch(pattern, key)} for pattern in in_code}
    assert not [pattern for pattern, made in in_code.items() if made and not found[pattern]]
    looked_up = {key for key in ENGLISH if key.startswith(("box.", "label.", "move.", "number.", "parameter.choice."))}
    assert on_page.union(looked_up, *found.values()) == {*ENGLISH}


def test_the_page_names_no_text_of_tables_but_where_it_answers_from_them() -> None:
    """They are loaded with the first table."""
    others = [script for path, script in SCRIPTS.items() if "/engine/" not in path]
    assert not [key for script in others for key in LITERAL.findall(script) if key in ENGLISH and TABLE_TEXT.match(key)]


def test_texts_that_are_learnt_with_are_named_where_they_are_loaded() -> None:
    """They are loaded with puzzles, with what is learnt from games, and with a result."""
    others = [script for path, script in SCRIPTS.items() if not re.search(r"/(learn|puzzles)/|review/(score|picture)\.js", path)]
    assert not [key for script in others for key in LITERAL.findall(script) if key in ENGLISH and LEARN_TEXT.match(key)]


def test_texts_of_boards_are_named_by_boards() -> None:
    """They are loaded with a board that is a drawing of its own."""
    others = [script for path, script in SCRIPTS.items() if "/boards/" not in path]
    assert not [key for script in others for key in LITERAL.findall(script) if key in ENGLISH and LOOK_TEXT.match(key)]


def test_numbers_are_written_in_the_language() -> None:
    """`toFixed` has a point in every language: it is for coordinates and attributes, and for arithmetic."""
    rest = ("/engine/", "/review/line-chart.js", "/coach/win-bar.js")
    assert not [path for path, script in SCRIPTS.items() if "toFixed(" in script and not any(part in path for part in rest)]


def test_the_page_gives_the_arguments_of_a_text() -> None:
    """Where a call has them written out."""
    calls = [(key, args) for script in SCRIPTS.values() for key, args, end in CALL.findall(script) if end]
    assert len(calls) > 300
    for key, args in calls:
        given = {name.partition(":")[0].strip() for name in re.sub(r"\([^()]*\)", "", args).split(",")}
        assert names(ENGLISH[key]) <= given, (key, args)


def test_the_html_is_the_english_text() -> None:
    for key, text in re.findall(r'data-t="([^"]+)">([^<]*)<', HTML):
        assert " ".join(text.split()) == " ".join(str(ENGLISH[key]).split())


@pytest.mark.parametrize("example", EXAMPLES["examples"], ids=lambda example: example["expected"])
def test_messages_are_written_as_on_the_page(example: Any) -> None:
    message = Message.from_dict(example)
    assert render(message, example["language"], EXAMPLES["texts"]) == example["expected"]
    assert Message.from_dict(json.loads(json.dumps(message.as_dict()))) == message


@pytest.mark.parametrize("fault", EXAMPLES["faults"], ids=lambda fault: fault["key"])
def test_what_cannot_be_written_is_an_error(fault: Any) -> None:
    with pytest.raises(LookupError, match=rf"'{fault['key']}'|'nowhere'"):
        render(Message.from_dict(fault), fault["language"], EXAMPLES["texts"])

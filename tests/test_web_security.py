"""A server that is asked for too much, for nonsense, or by a stranger: one line, never a fault of its own."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rollwise
from rollwise.model.card_tokens import Tokens
from rollwise.web import app as web_app
from rollwise.web.limits import Limits, TooLarge, make_game
from rollwise.web.server import LOCAL
from tests.regexes import STEEP, growth, hostile_texts, written_patterns
from tests.web_client import SMALL, Json, TestClient, assert_guarded, assert_refused, connect, solve

ADVISE: Json = {**SMALL["slots"], "state": "all 0 6", "top": 3}
BODIES: dict[str, Json] = {
    "/api/solve": SMALL["slots"],
    "/api/advise": ADVISE,
    "/api/outlook": {**SMALL["slots"], "state": "all 0 6", "action": "x3"},
    "/api/spread": SMALL["slots"],
    "/api/grade": {**SMALL["slots"], "lines": [{"kind": "roll", "text": "all 0 6"}]},
    "/api/judge/groups": {"input": "1\n3 6 2\n1\n2\n"},
}
FIELDS = [(path, field) for path, body in BODIES.items() for field in body]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server with a small limit on bodies that has solved the slots game and a sheet."""
    with connect(tmp_path_factory.mktemp("store"), Limits(body_bytes=1 << 20)) as found:
        solve(found, SMALL["slots"])
        solve(found, SMALL["sheet"])
        yield found


def send(client: TestClient, content: Any, path: str = "/api/advise", **headers: str) -> Any:
    return client.post(path, content=content, headers={"content-type": "application/json", **headers})


@pytest.mark.parametrize("path", BODIES)
def test_the_bodies_are_good(client: TestClient, path: str) -> None:
    assert client.post(path, json=BODIES[path]).status_code == 200


# Too much


def test_a_long_body(client: TestClient) -> None:
    assert "longer than 1,048,576 bytes" in assert_refused(send(client, b" " * (1 << 20) + b"{}"), 413)


@pytest.mark.parametrize("path", BODIES)
def test_a_long_body_that_does_not_say_so(client: TestClient, path: str) -> None:
    sent = 0

    def pieces() -> Iterator[bytes]:
        nonlocal sent
        while sent < 4 << 20:
            sent += 1 << 16
            yield b" " * (1 << 16)

    assert "longer than 1,048,576 bytes" in assert_refused(send(client, pieces(), path), 413)


@pytest.mark.parametrize("length", ["1048577", "9" * 30, "9" * 5000, "-1", "x", "1e3", ""])
def test_a_length_that_is_none(client: TestClient, length: str) -> None:
    assert_refused(send(client, b"{}", **{"content-length": length}), 413)


@pytest.mark.parametrize(
    ("game", "parameters"),
    [
        ("words", {"dice": ",".join(["ABCDEF"] * 16), "words": "A" * 16}),
        ("words", {"dice": ",".join(["A"] * 17), "words": "A" * 17}),
        ("words", {"dice": ",".join("ABCDEF"[:5] + symbol for symbol in "GHIJKLMNO"), "words": "A" * 9}),
        ("words", {"dice": ",".join("ABCDEFG" + symbol for symbol in "HIJKLMNO"), "words": "A" * 8}),
        ("words", {"dice": "A" * 500_000, "words": "A"}),
        ("words", {"dice": "A" * 65 + "B", "words": "A"}),
        ("words", {"dice": "".join(map(chr, range(0x4E00, 0x4E00 + 65))), "words": "A"}),
        ("words", {"dice": "AB", "words": "A," * 200_000}),
        ("words", {"dice": "A," * 100_000, "words": "A"}),
        ("groups", {"faces": "6", "sizes": ",".join(["200"] * 5)}),
        ("groups", {"faces": "9" * 100_000, "sizes": "1"}),
        ("groups", {"faces": "999999", "sizes": "2,1", "view": "raw"}),
        ("groups", {"faces": "6", "sizes": "1" * 1000}),
        ("groups", {"faces": "6", "sizes": "1", "view": "x" * 900_000}),
        ("yazy", {"rerolls": "100"}),
        ("yazy", {"rerolls": "9" * 100_000}),
        ("yazy", {"boxes": "ones," * 1000}),
        ("yazy", {"boxes": "x" * 900_000}),
        ("slots", {"target": "1" * 1_000_000}),
        ("slots", {"target": "-" + "1" * 100}),
        ("slots", {"slots": ",".join(f"s{i}:1/2" for i in range(65))}),
        ("slots", {"slots": "a:" + "/".join("1" * 65)}),
        ("slots", {"slots": "a:" + "/".join("1" * 500_000)}),
        ("slots", {"slots": "a:" + "9" * 900_000}),
    ],
)
def test_a_large_game(client: TestClient, game: str, parameters: dict[str, str]) -> None:
    line = assert_refused(client.post("/api/solve", json={"game": game, "parameters": parameters}), 413)
    assert "this server takes at most" in line or "the body is longer" in line
    with pytest.raises(TooLarge):
        make_game(game, parameters, Limits())


def test_a_large_sheet() -> None:
    with pytest.raises(TooLarge):
        make_game("maxi-yatzy", {}, Limits(solve_bytes=1 << 20, layer_bytes=1 << 20))


@pytest.mark.parametrize(
    ("problem", "text"),
    [
        ("words", "16 1\n" + "ABCDEF\n" * 16 + "A" * 16),
        ("words", "9 1\n" + "".join(f"ABCDE{symbol}\n" for symbol in "GHIJKLMNO") + "A" * 9),
        ("words", f"1 1\n{'A' * 65}\nA"),
        ("groups", "1\n1000 6 1\n1000\n"),
        ("groups", "2\n3 6 2\n1\n2\n61 6 1\n61\n"),
    ],
)
def test_a_large_contest_file(client: TestClient, problem: str, text: str) -> None:
    assert "this server takes at most" in assert_refused(client.post(f"/api/judge/{problem}", json={"input": text}), 413)


@pytest.mark.parametrize(
    ("problem", "text"),
    [
        ("words", "999999999999999 1\n"), ("words", "1 999999999999999\nA\n"), ("groups", "999999999999999\n"),
        ("groups", "1\n999999999999999 6 999999999999999\n"), ("groups", "1\n1 999999999999999 1\n1\n"), ("words", ""),
        ("words", "x" * 900_000), ("groups", "\0"), ("words", "\n" * 1000), ("words", "1 1\n*\n*\n"),
    ],
)  # fmt: skip
def test_a_contest_file_that_promises_too_much(client: TestClient, problem: str, text: str) -> None:
    assert_refused(client.post(f"/api/judge/{problem}", json={"input": text}), 413, 422)


# Files


@pytest.mark.parametrize("words", ["@/etc/passwd", "@", "@words.txt", "@/dev/zero", " @/etc/passwd", "A,@/etc/passwd"])
@pytest.mark.parametrize("path", ["/api/solve", "/api/advise"])
def test_a_parameter_names_no_file(client: TestClient, monkeypatch: pytest.MonkeyPatch, path: str, words: str) -> None:
    read: list[Path] = []
    monkeypatch.setattr(Path, "read_text", lambda path, **_: read.append(path))
    body: Json = {"game": "words", "parameters": {"dice": "AB", "words": words}}
    answer = client.post(path, json=body if path == "/api/solve" else {**body, "state": "A"})
    assert_refused(answer, *((422,) if path == "/api/solve" else (409,)))
    assert "root:" not in answer.text
    assert read == []


@pytest.mark.parametrize(
    "name",
    [
        "%2e%2e/app.py", "%2e%2e%2fapp.py", "..%2fapp.py", "..%5capp.py", "%2e%2e/%2e%2e/__init__.py", "%2fetc%2fpasswd",
        "/etc/passwd", "index.html%00", "%00", "index.html/", "./index.html%2f..%2f..%2fapp.py", "%252e%252e/app.py", "",
        "INDEX.HTML", "x" * 10_000, "%ff%fe", "index.html;.js", "~root", "C:%5cwindows", "style.css%3f", "__pycache__",
    ],
)  # fmt: skip
def test_a_path_that_leads_elsewhere(client: TestClient, name: str) -> None:
    answer = client.get(f"/static/{name}")
    assert_refused(answer, 404)
    assert "import" not in answer.text


@pytest.mark.parametrize(
    "path", ["/app.py", "/static", "/api", "/api/", "/api/games/", "/docs", "/redoc", "/openapi.json", "/%2e%2e/x", "/api/x"]
)
def test_a_path_that_is_not_there(client: TestClient, path: str) -> None:
    assert_refused(client.get(path, follow_redirects=False), 404)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/"), ("PUT", "/api/solve"), ("GET", "/api/solve"), ("GET", "/api/advise"), ("DELETE", "/api/games"),
        ("PATCH", "/static/main.js"), ("OPTIONS", "/api/solve"), ("TRACE", "/"), ("BREW", "/api/solve"), ("POST", "/api/health"),
    ],
)  # fmt: skip
def test_a_method_that_is_not_there(client: TestClient, method: str, path: str) -> None:
    answer = client.request(method, path)
    assert_refused(answer, 405)
    assert answer.headers["allow"]
    assert "access-control-allow-origin" not in answer.headers


# Nonsense


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"null", b"1", b'"x"', b"[]", b"[" * 100_000, b'{"a":' * 100_000, b'{"parameters":' + b"[" * 100_000,
        b"[" * 50_000 + b"]" * 50_000, b"\xff\xfe", b'{"game":"\xff"}', b'{"game":"\xed\xa0\x80","state":"x"}', b"\0" * 100,
        b"{'game': 'slots'}", b"NaN", b"{}{}", b"{" + b" " * 1000, b'{"game": "slots", "state": "all 0 6", "top": 1e400}',
        b'{"game": "slots", "state": "all 0 6", "top": -1e400}', b'{"game": "slots", "state": "all 0 6", "top": NaN}',
        b'{"game": "slots", "state": "all 0 6", "top": Infinity}', b'{"game": "slots", "state": "all 0 6", "top": -Infinity}',
        b'{"game": "slots", "state": "all 0 6", "top": ' + b"9" * 5000 + b"}",
        b'{"game": "slots", "state": "all 0 6", "top": ' + b"9" * 4000 + b"}",
        b'{"game": "slots", "state": "all 0 6", "top": 1.0}', b'{"game": "slots", "state": "all 0 6", "top": true}',
        b'{"game": "slots", "game": 1, "state": "all 0 6"}', b'{"game": "slots", "state": "all 0 6", "x": 1}',
        b'{"game": "slots", "state": "all 0 6", "\\ud800": 1}', b'{"game": "slots", "state": "all 0 6", "a\\nb": 1}',
        b'{"game": "slots", "state": "all 0 6", "' + b"k" * 100_000 + b'": 1}', b'{"__proto__": {}}', b'{"": ""}',
        b'{"game": "slots", "state": "all 0 6", "parameters": {"a\\nb\\u2028c": 1}}',
        b'{"game": "slots", "state": "all 0 6", "parameters": {"\\ud800": "1"}}',
        b'{"game": "slots", "state": "all 0 6", "parameters": {"target": "\\udfff"}}',
    ],
    ids=lambda content: repr(content[:60]),
)  # fmt: skip
@pytest.mark.parametrize("path", ["/api/advise", "/api/grade"])
def test_a_body_that_is_not_one(client: TestClient, path: str, content: bytes) -> None:
    assert_refused(send(client, content, path), 400, 422)


@pytest.mark.parametrize(
    "kind",
    ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml", "\\", "a/b;c"],
)
@pytest.mark.parametrize("path", BODIES)
def test_a_body_that_is_not_sent_as_json(client: TestClient, path: str, kind: str) -> None:
    """A page of another site can send only these without asking first, so none of them may be understood."""
    assert_refused(client.post(path, content=json.dumps(BODIES[path]), headers={"content-type": kind}), 400, 415, 422)


@pytest.mark.parametrize(
    "value", [None, 0, -1, 1.5, True, [], {}, [[]], {"a": {}}, "", "\ud800", 10**400, "x" * 5_000], ids=ascii
)
@pytest.mark.parametrize(("path", "field"), FIELDS)
def test_a_field_of_the_wrong_type(client: TestClient, path: str, field: str, value: Any) -> None:
    fine = (field == "parameters" and value == {}) or (field == "lines" and value == []) or (field == "top" and value is None)
    answer = send(client, json.dumps({**BODIES[path], field: value}), path)
    if fine:
        assert answer.status_code == 200
    else:
        assert_refused(answer, 400, 409, 422)


@pytest.mark.parametrize("field", ["game", "state", "action", "input", "lines"])
def test_a_field_that_is_missing(client: TestClient, field: str) -> None:
    for path, body in BODIES.items():
        if field in body:
            answer = client.post(path, json={key: value for key, value in body.items() if key != field})
            assert field in assert_refused(answer, 422)


@pytest.mark.parametrize(
    "text",
    [
        " ", "\0", "\x1b[31m", "\u202e", "\u2028", "a\nb", "²", "٣٣ ٣", "-", "--", "all", "all 0", "all 0 0", "all 0 7",
        "all 0 -1", "all 1e9 6", f"all {'9' * 1900} 6", "all 99999999999999 6", "none 0 6", "x3,x3 0 6", "x3,,bin 30 6",
        "x3 30 6 6", "😀" * 500,
        "11111 9 all", "11111 2 nothing", "11111 2 all upper 5", "11111 2 all primed", "1111 2 all", "77777 2 all", "***** 3 all",
        "11111 2 ones,straight,x", "1,1,1,1,1 2 all x", "(" * 1000, "-" * 1999 + "1", "[[]]", "{1: [2]}", "'\\d'", "1is 2",
        "keep", "keep 1 1", "keep 111111", "keep ,,", "b'x'", "1" * 2000, "f'{x}'", "lambda: 0", "...", "None", "{[]: 1}",
        "1e999", "\\", "'",
    ],
    ids=ascii,
)  # fmt: skip
@pytest.mark.parametrize(("name", "state"), [("slots", "all 0 6"), ("sheet", "11112 2 all")])
@pytest.mark.filterwarnings("ignore:invalid")
def test_a_text_that_is_no_position_and_no_move(client: TestClient, name: str, state: str, text: str) -> None:
    asked = SMALL[name]
    assert_refused(client.post("/api/advise", json={**asked, "state": text}), 422)
    assert_refused(client.post("/api/outlook", json={**asked, "state": state, "action": text}), 422)
    for lines in ([("roll", text)], [("roll", state), ("move", text)]):
        sent = [{"kind": kind, "text": line} for kind, line in lines]
        assert_refused(client.post("/api/grade", json={**asked, "lines": sent}), 422)


@pytest.mark.parametrize(
    ("game", "parameters"),
    [
        ("chess", {}), ("\0", {}), ("../slots", {}), ("slots.py", {}), ("/tmp/x.py", {}), ("slots", {"slot": "x"}), ("Slots", {}),
        ("slots", {"slots": ""}), ("slots", {"slots": ":"}), ("slots", {"slots": "a:1,a:2"}), ("slots", {"slots": "a:1/2,b:1"}),
        ("slots", {"target": ""}), ("slots", {"target": "1e3"}), ("slots", {"target": "0x10"}), ("slots", {"self": "1"}),
        ("words", {}), ("words", {"dice": ""}), ("words", {"dice": "AB", "words": "AB"}), ("words", {"dice": " ", "words": "A"}),
        ("words", {"dice": "A*", "words": "A"}), ("words", {"dice": ",", "words": ""}), ("words", {"dice": "\t", "words": "\t"}),
        ("groups", {"faces": "0", "sizes": "1"}), ("groups", {"faces": "-1", "sizes": "1"}),
        ("groups", {"faces": "6", "sizes": ""}), ("groups", {"faces": "1", "sizes": "1,1"}),
        ("groups", {"faces": "6", "sizes": "0"}), ("groups", {"faces": "6", "sizes": "-1,2"}),
        ("groups", {"faces": "6", "sizes": "1", "view": "__class__"}), ("yazy", {"boxes": ""}), ("yazy", {"rerolls": "-1"}),
        ("yazy", {"boxes": "ones,"}), ("yatzy", {"in_order": "perhaps"}), ("yahtzee", {"joker": "\x1b[31m"}), ("yazy", {"": "1"}),
        ("yazy", {f"p{i}": "1" for i in range(9)}), ("yazy", {"k" * 41: "1"}),
    ],
    ids=ascii,
)  # fmt: skip
def test_a_game_that_is_none(client: TestClient, game: str, parameters: dict[str, str]) -> None:
    assert_refused(client.post("/api/solve", json={"game": game, "parameters": parameters}), 422)


@pytest.mark.parametrize("key", ["x" * 81, "SLOTS", "slots_1", "%00", "%2e%2e", "slots%2f..", "slots'", "<b>", "%ff"])
def test_a_job_that_is_none(client: TestClient, key: str) -> None:
    for path in (f"/api/solve/{key}", f"/api/solve/{key}/events"):
        assert_refused(client.get(path), 404, 422)
    assert_refused(client.delete(f"/api/solve/{key}"), 404, 405, 422)


def test_symbols_of_every_kind(client: TestClient) -> None:
    """Strange symbols are symbols: they are solved, and shown as they are."""
    for dice, word in (("A\0,CD", "\0C"), ("😀é,CD", "C😀"), ("<>,&D", "<&"), ("\x1bA,\x7fB", "A\x7f")):
        asked = {"game": "words", "parameters": {"dice": dice, "words": word}}
        job = solve(client, asked)
        assert job["parameters"] == asked["parameters"]
        first = dice.split(",")[0][1] + dice.split(",")[1][1]
        assert client.post("/api/advise", json={**asked, "state": first}).status_code == 200


# Strangers, and headers


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("localhost", True), ("localhost:8045", True), ("127.0.0.1:1", True), ("[::1]:8045", True), ("LOCALHOST", True),
        ("evil.example", False), ("localhost.evil.example", False), ("127.0.0.1.evil.example:80", False), ("", False),
        ("[::1", False), ("evil.example@localhost.x", False), ("0.0.0.0", False), ("\xff", False), ("[", False),
    ],
    ids=ascii,
)  # fmt: skip
def test_the_name_of_the_host(tmp_path: Path, host: str, known: bool) -> None:
    with connect(tmp_path, hosts=LOCAL) as client:
        for path in ("/", "/api/health", "/static/main.js", "/nowhere"):
            answer = client.get(path, headers={b"host": host.encode("latin-1")})
            if known:
                assert answer.status_code == (404 if path == "/nowhere" else 200)
            else:
                assert "does not go by that name" in assert_refused(answer, 400)


def test_the_policy_leaves_no_hole(client: TestClient) -> None:
    answer = client.get("/")
    assert_guarded(answer)
    policy = dict(rule.strip().split(" ", 1) for rule in answer.headers["content-security-policy"].split(";"))
    assert policy.pop("default-src") == "'none'"
    assert set(policy.values()) <= {"'self'", "'none'"}
    assert {"base-uri", "form-action", "frame-ancestors"} <= set(policy)


def test_a_fault_of_the_server_shows_nothing_of_its_inside(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(web_app, "answer_advice", fail)
    answer = client.post("/api/advise", json=ADVISE)
    assert (answer.status_code, answer.json()) == (500, {"detail": "the server failed: its log says why"})
    assert_guarded(answer)


# Texts that make a pattern slow


def test_no_pattern_takes_longer_than_in_proportion_to_a_text() -> None:
    """Every regular expression of the package, and one that is made of names: none goes over a text again and again."""
    made = Tokens(["turn total", "gap"]).pattern
    patterns: list[tuple[str, str, Any]] = [
        *written_patterns(Path(rollwise.__file__).parent),
        ("a card", r"a = 1\s+x,1", made.match),
    ]
    slow = {
        (where, before, sign): ratio
        for where, pattern, match in patterns
        for before, sign in hostile_texts(pattern)
        if (ratio := growth(match, before, sign)) > STEEP
    }
    assert len(patterns) > 30
    assert not slow


@pytest.mark.parametrize("span", ["BLANKS 0..9", "0 BLANKS..9", "0..BLANKS", "BLANKS"])
def test_a_range_of_blanks_is_read_at_once(client: TestClient, span: str) -> None:
    """Fifty thousand blanks took hours."""
    blanks = f"{' ' * 999}\n" * 50
    column = f'x = """{span.replace("BLANKS", blanks)}"""'
    text = f'format = 1\n[columns]\n{column}\n[roll]\ndice = 1\nto = {{ x = 0 }}\n[[action]]\nname = "a"\n'
    assert client.post("/api/solve", json={"file": text}).status_code in (200, 422)

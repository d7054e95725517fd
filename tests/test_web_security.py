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
    "/api/distribution": SMALL["slots"],
    "/api/grade": {**SMALL["slots"], "lines": [{"kind": "roll", "text": "all 0 6"}]},
    "/api/contest/groups": {"input": "1\n3 6 2\n1\n2\n"},
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server with a small limit on bodies that has solved the slots game and a sheet."""
    with connect(tmp_path_factory.mktemp("store"), Limits(body_bytes=1 << 20)) as found:
        solve(found, SMALL["slots"])
        solve(found, SMALL["sheet"])
        yield found


def send(client: TestClient, content: Any, path: str = "/api/advise", **headers: str) -> Any:
    return client.post(path, content=content, headers={"content-type": "application/json", **headers})


# Too much


def test_a_long_body(client: TestClient) -> None:
    assert "longer than 1,048,576 bytes" in assert_refused(send(client, b" " * (1 << 20) + b"{}"), 413)


def test_a_long_body_that_does_not_say_so(client: TestClient) -> None:
    sent = 0

    def pieces() -> Iterator[bytes]:
        nonlocal sent
        while sent < 4 << 20:
            sent += 1 << 16
            yield b" " * (1 << 16)

    assert "longer than 1,048,576 bytes" in assert_refused(send(client, pieces()), 413)


def test_a_length_that_is_none(client: TestClient) -> None:
    for length in ("1048577", "9" * 5000, "-1", "x", ""):
        assert_refused(send(client, b"{}", **{"content-length": length}), 413)


def test_a_large_game(client: TestClient) -> None:
    for game, parameters in LARGE:
        line = assert_refused(client.post("/api/solve", json={"game": game, "parameters": parameters}), 413)
        assert "this server takes at most" in line or "the body is longer" in line
        with pytest.raises(TooLarge):
            make_game(game, parameters, Limits())


LARGE: list[tuple[str, dict[str, str]]] = [
    ("words", {"dice": ",".join(["ABCDEF"] * 16), "words": "A" * 16}),
    ("words", {"dice": ",".join(["A"] * 17), "words": "A" * 17}),
    ("words", {"dice": ",".join("ABCDEF"[:5] + symbol for symbol in "GHIJKLMNO"), "words": "A" * 9}),
    ("words", {"dice": "A" * 65 + "B", "words": "A"}),
    ("words", {"dice": "AB", "words": "A," * 200_000}),
    ("words", {"dice": "A," * 100_000, "words": "A"}),
    ("groups", {"faces": "6", "sizes": ",".join(["200"] * 5)}),
    ("groups", {"faces": "9" * 100_000, "sizes": "1"}),
    ("groups", {"faces": "999999", "sizes": "2,1", "view": "raw"}),
    ("yazy", {"rerolls": "100"}),
    ("yazy", {"boxes": "ones," * 1000}),
    ("slots", {"target": "-" + "1" * 100}),
    ("slots", {"slots": ",".join(f"s{i}:1/2" for i in range(65))}),
    ("slots", {"slots": "a:" + "/".join("1" * 65)}),
]


def test_a_large_contest_file(client: TestClient) -> None:
    for problem, text in (
        ("words", "16 1\n" + "ABCDEF\n" * 16 + "A" * 16),
        ("words", f"1 1\n{'A' * 65}\nA"),
        ("groups", "1\n1000 6 1\n1000\n"),
        ("groups", "2\n3 6 2\n1\n2\n61 6 1\n61\n"),
    ):
        assert "this server takes at most" in assert_refused(client.post(f"/api/contest/{problem}", json={"input": text}), 413)


# Files


def test_a_parameter_names_no_file(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []
    monkeypatch.setattr(Path, "read_text", lambda path, **_: read.append(path))
    for words in ("@/etc/passwd", " @/etc/passwd", "A,@/etc/passwd"):
        body: Json = {"game": "words", "parameters": {"dice": "AB", "words": words}}
        assert_refused(client.post("/api/solve", json=body), 422)
        assert_refused(client.post("/api/advise", json={**body, "state": "A"}), 409)
    assert read == []


def test_a_path_that_leads_elsewhere(client: TestClient) -> None:
    for name in (
        "%2e%2e/app.py", "..%2fapp.py", "..%5capp.py", "%2fetc%2fpasswd", "/etc/passwd", "index.html%00", "index.html/",
        "%252e%252e/app.py", "", "INDEX.HTML", "x" * 10_000, "%ff%fe", "__pycache__",
    ):  # fmt: skip
        answer = client.get(f"/static/{name}")
        assert_refused(answer, 404)
        assert "import" not in answer.text


def test_a_path_that_is_not_there(client: TestClient) -> None:
    for path in ("/app.py", "/static", "/api", "/api/games/", "/docs", "/openapi.json", "/%2e%2e/x"):
        assert_refused(client.get(path, follow_redirects=False), 404)


def test_a_method_that_is_not_there(client: TestClient) -> None:
    for method, path in (
        ("POST", "/"),
        ("GET", "/api/solve"),
        ("PATCH", "/static/app/main.js"),
        ("OPTIONS", "/api/solve"),
        ("BREW", "/"),
    ):
        answer = client.request(method, path)
        assert_refused(answer, 405)
        assert answer.headers["allow"]
        assert "access-control-allow-origin" not in answer.headers


# Nonsense


def test_a_body_that_is_not_one(client: TestClient) -> None:
    start = b'{"game": "slots", "state": "all 0 6", '
    for content in (b"", b"{", b"[" * 100_000, b'{"a":' * 100_000, b"\xff\xfe", b"{'game': 'slots'}", b"{}{}"):
        assert "body" in assert_refused(send(client, content), 400)
    for content in (
        b"null", b"1", b"[]", b'{"": ""}', b'{"game":"\xed\xa0\x80","state":"x"}', start + b'"top": 1e400}',
        start + b'"top": NaN}',
        start + b'"top": ' + b"9" * 5000 + b"}", start + b'"top": 1.0}', start + b'"top": true}', start + b'"x": 1}',
        start + b'"\\ud800": 1}', start + b'"a\\nb": 1}', start + b'"' + b"k" * 100_000 + b'": 1}',
        start + b'"parameters": {"a\\nb\\u2028c": 1}}', start + b'"parameters": {"\\ud800": "1"}}',
        start + b'"parameters": {"target": "\\udfff"}}',
    ):  # fmt: skip
        assert_refused(send(client, content), 400, 422)


def test_a_body_that_is_not_sent_as_json(client: TestClient) -> None:
    """A page of another site can send only these without asking first, so none of them may be understood."""
    for path, body in BODIES.items():
        for kind in ("", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
            answer = client.post(path, content=json.dumps(body), headers={"content-type": kind})
            assert "application/json" in assert_refused(answer, 415)


def test_a_field_of_the_wrong_type(client: TestClient) -> None:
    fine: Json = {"parameters": {}, "lines": [], "top": None}
    values: list[Any] = [None, 0, True, [], {}, "\ud800", 10**400, "x" * 5_000]
    for path, body in BODIES.items():
        for field in body:
            for value in values:
                answer = send(client, json.dumps({**body, field: value}), path)
                if field in fine and value == fine[field]:
                    assert answer.status_code == 200
                else:
                    assert_refused(answer, 400, 409, 422)


def test_a_field_that_is_missing(client: TestClient) -> None:
    for path, body in BODIES.items():
        for field in body.keys() - {"parameters", "top"}:
            answer = client.post(path, json={key: value for key, value in body.items() if key != field})
            assert field in assert_refused(answer, 422)


TEXTS = [
    " ", "\0", "\u2028", "²", "all", "all 0 0", "all 0 -1", f"all {'9' * 1900} 6", "none 0 6", "x3,x3 0 6", "x3 30 6 6",
    "11111 9 all", "11111 2 nothing", "11111 2 all upper 5", "11111 2 all primed", "1111 2 all", "77777 2 all",
    "11111 2 ones,straight,x", "(" * 1000, "-" * 1999, "{1: [2]}", "keep", "keep 3 3", "keep 111111", "keep ,,",
    "b'x'", "lambda: 0", "{[]: 8}", "'",
]  # fmt: skip


@pytest.mark.parametrize(("name", "state"), [("slots", "all 0 6"), ("sheet", "11112 2 all")])
@pytest.mark.filterwarnings("ignore:invalid")
def test_a_text_that_is_no_position_and_no_move(client: TestClient, name: str, state: str) -> None:
    asked = SMALL[name]
    for text in TEXTS:
        assert_refused(client.post("/api/advise", json={**asked, "state": text}), 422)
        assert_refused(client.post("/api/outlook", json={**asked, "state": state, "action": text}), 422)
        for lines in ([("roll", text)], [("roll", state), ("move", text)]):
            sent = [{"kind": kind, "text": line} for kind, line in lines]
            assert_refused(client.post("/api/grade", json={**asked, "lines": sent}), 422)


def test_a_game_that_is_none(client: TestClient) -> None:
    """Which parameters do not fit is tested by commands (tests/wrong_commands.txt); here, that all of them are refused."""
    for game, parameters in (
        ("chess", {}), ("\0", {}), ("../slots", {}), ("/tmp/x.py", {}), ("slots", {"slot": "x"}), ("slots", {"slots": "a:1,a:2"}),
        ("slots", {"target": "1e3"}), ("words", {"dice": "AB", "words": "AB"}),
        ("groups", {"faces": "0", "sizes": "1"}),
        ("groups", {"faces": "6", "sizes": "1", "view": "__class__"}), ("yazy", {"rerolls": "-1"}),
        ("yatzy", {"in_order": "perhaps"}),
        ("yahtzee", {"joker": "\x1b[31m"}), ("yazy", {f"p{i}": "1" for i in range(9)}), ("yazy", {"k" * 41: "1"}),
    ):  # fmt: skip
        assert_refused(client.post("/api/solve", json={"game": game, "parameters": parameters}), 422)


def test_symbols_of_every_kind(client: TestClient) -> None:
    """Strange symbols are symbols: they are solved, and shown as they are."""
    for dice, word in (("A\0,CD", "\0C"), ("😀é,CD", "C😀"), ("<>,&D", "<&"), ("\x1bA,\x7fB", "A\x7f")):
        asked = {"game": "words", "parameters": {"dice": dice, "words": word}}
        job = solve(client, asked)
        assert job["parameters"] == asked["parameters"]
        first = dice.split(",")[0][1] + dice.split(",")[1][1]
        assert client.post("/api/advise", json={**asked, "state": first}).status_code == 200


# Strangers, and headers


def test_the_name_of_the_host(tmp_path: Path) -> None:
    with connect(tmp_path, hosts=LOCAL) as client:
        for host, known in (
            ("localhost", True), ("localhost:8045", True), ("127.0.0.1:1", True), ("[::1]:8045", True), ("LOCALHOST", True),
            ("evil.example", False), ("localhost.evil.example", False), ("127.0.0.1.evil.example:80", False), ("", False),
            ("[::1", False), ("evil.example@localhost.x", False), ("0.0.0.0", False), ("\xff", False), ("[", False),
        ):  # fmt: skip
            for path in ("/", "/api/health", "/static/app/main.js", "/nowhere"):
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

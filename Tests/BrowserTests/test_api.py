"""The API for scripts: its documents are correct, invalid requests are rejected, and a book read over it has valid
proofs."""

import http.client
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from decimal import Decimal

import jsonschema_rs
import pytest

from scripting import PATH, example
from tokens import TOKENS, guarded_server

BOOK = "/instruments/kraken%2FBTC%2FUSD/book"
READ = [
    "/instruments?limit=3", "/instruments/kraken%2FBTC%2FUSD/ticker", BOOK, "/instruments/bitmex%2FXBTUSD/book",
    "/instruments/kraken%2FBTC%2FUSD/trades", "/instruments/bitmex%2FXBTUSD/trades",
    "/instruments/kraken%2FBTC%2FUSD/candles?interval=60000&limit=5", "/instruments/exchange%2FTROAD/ticker",
    "/instruments/kraken%2FETH%2FUSD/candles?interval=1000", "/instruments/isin%2FUS0378331005/ticker",
    "/connections", "/orders", "/positions",
]


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    with guarded_server(tmp_path_factory.mktemp("tokens")) as server:
        yield server


def ask(server, path, method="GET", body=None, token="token", **headers):
    """Status, body and headers of a response below /api/v1."""
    request = urllib.request.Request(server.address + "/api/v1" + path, method=method)
    if token:
        request.add_header("Authorization", f"Bearer {TOKENS[token]}")
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    for name, value in headers.items():
        request.add_header(name.replace("_", "-"), value)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.loads(answer.read()), answer.headers
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read()), error.headers


def order(number, **fields):
    return {"clientId": f"test-{number}", "type": "limit", "side": "buy", "quantity": "10", "price": "40.00", **fields}


def shape(document, name):
    """Checks values against one of the document's schemas."""
    return jsonschema_rs.Draft202012Validator(
        {"$ref": f"#/components/schemas/{name}", "components": document["components"]})


def stream_document(guarded):
    """The stream's document with the schemas that it shares with that of HTTP."""
    _, requests, _ = ask(guarded, "/openapi.json")
    _, document, _ = ask(guarded, "/asyncapi.json")
    document = json.loads(json.dumps(document).replace("openapi.json#", "#"))
    document["components"]["schemas"].update(requests["components"]["schemas"])
    return document


def figures(value, path=""):
    """Every JSON number with a fraction, by its path."""
    if isinstance(value, float):
        yield path
    for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from figures(part, f"{path}/{key}")


@pytest.mark.parametrize("path", READ)
def test_an_answer_is_what_the_document_says(guarded, path):
    _, document, _ = ask(guarded, "/openapi.json")
    status, answer, headers = ask(guarded, path)
    assert status == 200 and headers["Content-Type"] == "application/json"
    assert headers["Cache-Control"] == "no-store"
    shape(document, answer["type"].capitalize()).validate(answer)
    assert list(figures(answer)) == [] and answer["freshness"]["origin"] == "simulated"
    assert answer["freshness"]["state"] in ("live", "late") and answer["freshness"]["age"] is not None


def test_both_documents_are_documents_of_their_kind(guarded):
    _, document, _ = ask(guarded, "/openapi.json")
    assert document["openapi"] == "3.1.0" and len(document["paths"]) == 12
    for schema in document["components"]["schemas"]:
        shape(document, schema)
    stream = stream_document(guarded)
    assert stream["asyncapi"] == "3.0.0"
    for message in stream["channels"]["stream"]["messages"].values():
        assert message["payload"]["$ref"].rpartition("/")[2] in stream["components"]["schemas"]


def test_the_stream_says_what_its_document_says(guarded):
    document = stream_document(guarded)
    stream = example().Stream(guarded.address, TOKENS["viewer"])
    whole = {"connections", "orders", "positions"}
    wanted = {"ticker", "book", "trades", "candles"} | whole
    for number, channel in enumerate(sorted(wanted)):
        command = {"do": "subscribe", "channel": channel, "request": number}
        if channel not in whole:
            command["instrument"] = "kraken/BTC/USD"
        shape(document, "Command").validate(command)
        stream.send(command)
    stream.send({"do": "subscribe", "channel": "book", "instrument": "kraken/NOPE"})
    stream.send({"do": "ping", "request": 9})
    seen, sequences = set(), {}
    while not wanted | {"subscribed", "pong", "problem"} <= seen:
        message = stream.receive()
        kind = message["type"]
        name = {"subscribed": "Reply", "pong": "Reply", "problem": "Refusal"}.get(kind, kind.capitalize())
        shape(document, name).validate(message)
        assert list(figures(message)) == []
        if kind in wanted:
            assert message["sequence"] > sequences.get(kind, 0)
            sequences[kind] = message["sequence"]
        seen.add(kind)
    stream.close()


def test_the_example_proves_a_book_state_by_state(guarded):
    run = subprocess.run(
        [sys.executable, PATH, guarded.address, "--states", "5"], capture_output=True, text=True, timeout=120,
        env={**os.environ, "LIVETAPE_ACCESS_TOKEN": TOKENS["viewer"]})
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("proven, live") >= 4, run.stdout


def test_the_example_finds_a_single_wrong_digit(guarded):
    script = example()
    while True:
        _, book, _ = ask(guarded, BOOK)
        if book["status"] == "synced":
            break
    assert script.prove(book) is None
    wrong = json.loads(json.dumps(book))
    price, size = wrong["bids"][3]
    wrong["bids"][3] = [price, size[:-1] + str((int(size[-1]) + 1) % 10)]
    assert "server" in script.prove(wrong)
    wrong["hash"]["value"] = script.hash_of(wrong)
    assert "Kraken" in script.prove(wrong)


def test_the_same_order_twice_is_one_order(guarded):
    first, second = (ask(guarded, "/orders", "POST", order(1)) for _ in range(2))
    assert (first[0], second[0]) == (201, 201)
    assert first[1]["order"]["id"] == second[1]["order"]["id"]
    assert (first[1]["repeated"], second[1]["repeated"]) == (False, True)
    status, problem, headers = ask(guarded, "/orders", "POST", order(1, quantity="11"))
    assert status == 409 and problem["order"] == first[1]["order"]["id"]
    assert headers["Content-Type"] == "application/problem+json"


def test_an_order_is_placed_amended_read_and_cancelled(guarded):
    _, placed, headers = ask(guarded, "/orders", "POST", order(2))
    path = "/orders/" + placed["order"]["id"]
    assert headers["Location"] == "/api/v1" + path
    _, amended, _ = ask(guarded, path, "PATCH", {"clientId": "test-2-smaller", "quantity": "4"})
    assert amended["order"]["quantity"] == "4"
    status, cancelled, _ = ask(guarded, path, "DELETE")
    assert status == 200 and cancelled["order"]["status"] == "CANCELLED"
    assert ask(guarded, path)[1]["order"] == cancelled["order"]
    assert ask(guarded, path, "DELETE")[0] == 409
    assert ask(guarded, "/orders/999999", "DELETE")[0] == 404


def test_the_list_of_orders_is_never_behind_what_was_answered(guarded):
    """Also under constant polling, as by a script that waits for a fill."""
    before = ask(guarded, "/orders")[1]
    _, placed, _ = ask(guarded, "/orders", "POST", order(6))
    after = ask(guarded, "/orders")[1]
    assert after["total"] == before["total"] + 1 and after["sequence"] > before["sequence"]
    assert after["orders"][0]["id"] == placed["order"]["id"] and after["orders"][0]["status"] == "PENDING"
    ask(guarded, "/orders/" + placed["order"]["id"], "DELETE")
    assert ask(guarded, "/orders")[1]["orders"][0]["status"] == "CANCELLED"


def test_orders_and_what_is_owned_are_told_as_they_change(guarded):
    """On the stream, and over HTTP right after."""
    stream = example().Stream(guarded.address, TOKENS["viewer"])
    for channel in ("orders", "positions"):
        stream.send({"do": "subscribe", "channel": channel})
    newest = {}
    while not {"orders", "positions"} <= set(newest):
        message = stream.receive()
        newest[message["type"]] = message
    owned = Decimal(newest["positions"]["quantity"])
    assert Decimal(ask(guarded, "/positions")[1]["quantity"]) == owned
    # A newly started server has received no price yet and rejects market orders.
    while ask(guarded, "/instruments/exchange%2FTROAD/ticker")[1]["freshness"]["state"] != "live":
        time.sleep(0.05)
    status, placed, _ = ask(guarded, "/orders", "POST", {
        "clientId": "test-owned", "type": "market", "side": "buy", "quantity": "3"})
    assert status == 201 and placed["order"]["filled"] == "3"
    while Decimal(newest["positions"]["quantity"]) == owned or newest["orders"]["orders"][0] != placed["order"]:
        message = stream.receive()
        newest[message["type"]] = message
    assert Decimal(newest["positions"]["quantity"]) == owned + 3
    assert newest["positions"]["line"][-1]["equity"]
    stream.close()
    _, position, _ = ask(guarded, "/positions")
    assert Decimal(position["quantity"]) == owned + 3 and position["freshness"]["state"] == "live"
    assert ask(guarded, "/orders")[1]["orders"][0] == placed["order"]


def test_what_the_order_service_refuses_names_the_field(guarded):
    status, problem, _ = ask(guarded, "/orders", "POST", order(3, price="40.001"))
    assert status == 422 and problem["field"] == "price" and "{" not in problem["detail"]


@pytest.mark.parametrize("change", [
    {"expires": 1000}, {"type": "market", "price": None, "expires": 4_000_000_000_000},
    {"type": "market", "price": None, "postOnly": True}, {"side": "sell", "price": "90", "reduceOnly": True, "bracketStop": "95"},
    {"bracketStop": "1", "clientId": "c" * 64},
])
def test_what_can_never_be_accepted_is_no_reason_to_try_again_and_no_order(guarded, change):
    def ids():
        return [each["id"] for each in ask(guarded, "/orders")[1]["orders"]]

    before = ids()
    body = {name: value for name, value in {**order(3, price="40"), **change}.items() if value is not None}
    status, problem, _ = ask(guarded, "/orders", "POST", body)
    assert status == 422 and problem["detail"], problem
    assert ids() == before


def test_a_viewer_reads_and_changes_nothing(guarded):
    assert ask(guarded, "/orders", token="viewer")[0] == 200
    for method, path, body in [("POST", "/orders", order(4)), ("DELETE", "/orders/1", None),
                               ("PATCH", "/orders/1", {"clientId": "x", "quantity": "1"})]:
        status, problem, _ = ask(guarded, path, method, body, token="viewer")
        assert status == 403 and "looking" in problem["detail"]


def test_nothing_is_said_to_who_has_no_token(guarded):
    for path in READ + ["/openapi.json", "/asyncapi.json", "/nothing", "/stream"]:
        status, problem, headers = ask(guarded, path, token=None)
        assert status == 401 and problem["status"] == 401 and headers["WWW-Authenticate"] == "Bearer"
    assert ask(guarded, "/orders?token=" + TOKENS["token"], token=None)[0] == 401
    with pytest.raises(ConnectionError):
        example().Stream(guarded.address)


def test_pages_of_other_sites_and_other_names_are_refused(guarded):
    assert ask(guarded, "/orders", Origin="https://evil.example")[0] == 403
    assert ask(guarded, "/orders", Host="evil.example")[0] == 403
    assert ask(guarded, "/orders", Sec_Fetch_Site="cross-site")[0] == 403


def test_a_body_that_is_too_long_is_not_read(guarded):
    status, problem, _ = ask(guarded, "/orders", "POST", order(5, quantity="1" * 5000))
    assert status == 413 and problem["title"] == "Too long"
    link = http.client.HTTPConnection(urllib.parse.urlsplit(guarded.address).netloc, timeout=30)
    link.request("POST", "/api/v1/orders", iter([b" " * 1000] * 5), encode_chunked=True, headers={
        "Authorization": f"Bearer {TOKENS['token']}", "Content-Type": "application/json"})
    assert link.getresponse().status == 413


@pytest.mark.thorough
def test_schemathesis_finds_nothing(guarded):
    """Requests generated from the document, valid and invalid; with a fixed seed and count of each."""
    # Imported here: it takes seconds, and only this test needs it.
    import schemathesis
    from schemathesis.checks import CHECKS
    from schemathesis.core import NOT_SET
    schema = schemathesis.openapi.from_url(
        guarded.address + "/api/v1/openapi.json", headers={"Authorization": f"Bearer {TOKENS['token']}"})
    headers = {"Authorization": f"Bearer {TOKENS['token']}"}
    seen = 0
    for result in schema.get_all_operations():
        operation = result.ok()
        for mode in schemathesis.GenerationMode:
            def check(case):
                nonlocal seen
                # The schema can't state which orders the market accepts: a valid one at a wrong price is 422.
                lawful = [CHECKS.get_one("positive_data_acceptance")] if case.body is not NOT_SET else []
                case.call_and_validate(headers=headers, excluded_checks=lawful)
                seen += 1
            run(operation, mode, check)
    assert seen > 200


def run(operation, mode, check):
    """Runs a check with a number of requests of a kind, the same each time."""
    from hypothesis import HealthCheck, Phase, given, seed, settings
    try:
        strategy = operation.as_strategy(generation_mode=mode)
        bounded = settings(max_examples=25, deadline=None, database=None, phases=[Phase.generate, Phase.shrink],
                           suppress_health_check=list(HealthCheck))
        seed(7)(bounded(given(strategy)(check)))()
    except Exception as error:
        if "Unsatisfiable" in type(error).__name__ or "cannot be negated" in str(error):
            return
        raise

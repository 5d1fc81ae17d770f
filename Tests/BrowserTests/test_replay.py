"""LT10: a recording replayed by the core as WebAssembly in the browser gives the same state hash as everywhere else."""

import base64
import json
import pathlib

import pytest

from chart_pages import build_wasm

# Its WebAssembly takes a minute to build.
pytestmark = pytest.mark.thorough

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAYLOADS = ROOT / "Tests/VenueProtocolsTests/Payloads"
STATES = json.loads((PAYLOADS / "state-hashes.json").read_text())
VENUES = {"kraken": 0, "bitmex": 1}
REPLAY = """async ({ core, venue, messages }) => {
  const code = Uint8Array.from(atob(core), (character) => character.charCodeAt(0));
  const { instance } = await WebAssembly.instantiate(code, {});
  const replay = instance.exports;
  replay.replay_begin(venue);
  let taken = 0;
  for (const message of messages) {
    const bytes = new TextEncoder().encode(message);
    // The first call may make the memory grow, which gives it another buffer.
    const start = replay.replay_input();
    new Uint8Array(replay.memory.buffer, start, bytes.length).set(bytes);
    taken += replay.replay_take(bytes.length);
  }
  const half = (limit, which) => (replay.replay_hash(limit, which) >>> 0).toString(16).padStart(8, "0");
  return { taken, all: half(0, 0) + half(0, 1), best20: half(20, 0) + half(20, 1) };
}"""


@pytest.fixture(scope="module")
def core():
    build_wasm("--replay")
    return base64.b64encode((ROOT / ".build-wasm-replay/replay.wasm").read_bytes()).decode()


@pytest.mark.parametrize("state", STATES, ids=[state["venue"] for state in STATES])
def test_a_recording_gives_the_same_state_hash_in_the_browser(browser, core, state):
    lines = (PAYLOADS / state["recording"]).read_text(encoding="utf-8").splitlines()
    messages = [line.split("\t")[-1] for line in lines if line]
    page = browser.new_page()
    found = page.evaluate(REPLAY, {"core": core, "venue": VENUES[state["venue"]], "messages": messages})
    page.close()
    assert found == {"taken": state["messages"], "all": state["all"], "best20": state["best20"]}


def test_one_changed_digit_gives_another_state_hash(browser, core):
    state = STATES[0]
    lines = (PAYLOADS / state["recording"]).read_text(encoding="utf-8").splitlines()
    messages = [line.replace("8.57986833", "8.57986834", 1) for line in lines if line]
    assert messages != lines
    page = browser.new_page()
    found = page.evaluate(REPLAY, {"core": core, "venue": VENUES["kraken"], "messages": messages})
    page.close()
    assert found["taken"] == state["messages"] and found["all"] != state["all"]

// The help dialog: the keys, which can be changed here, and the meaning of the states.

import { t } from "../text/texts.js";
import { stateWord } from "../text/words.js";
import { h, setAttribute, setText } from "../ui/dom.js";
import { FIXED, isKey } from "./commands.js";

/** @type {[state: Parameters<typeof stateWord>[0], meaning: string][]} */
const STATES = [
  ["live", t("Updating at its normal pace")],
  ["late", t("Slower than usual; may still be right")],
  ["stale", t("Too old to trust; kept in sight with its age")],
  ["resyncing", t("The book failed a check and is reloading")],
  ["disconnected", t("No connection to the venue, or to Livetape")],
  ["closed", t("Market closed; no updates expected")],
];

// Creates the dialog; call its `showModal()`.
/** @param {import("./commands.js").CommandTable | undefined} commands */
export function makeHelp(commands) {
  const close = h("button.icon-button", { type: "button", "aria-label": t("Close") }, "✕");
  const dialog = h("dialog.sheet.help", { "aria-label": t("Help") },
    h("div.sheet-head", {}, h("h2", {}, t("Keys")), close),
    ...(commands ? keySheet(commands) : []),
    h("dl.keys", {},
      ...FIXED.map(([key, text, changes]) => h("div", { "data-changes": changes },
        h("dt", {}, ...kbd(key)), h("dd", {}, text)))),
    h("h2", {}, t("What the states mean")),
    h("dl.states", {}, ...STATES.map(([state, text]) => h("div.note", { "data-state": state },
      h("dt", {}, h("span.dot"), capital(stateWord(state))), h("dd", {}, text)))),
    h("p.muted", {},
      t("Simulated marks prices made by Livetape’s own simulator: no real market is behind them."),
    ));
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  return dialog;
}

// The commands with their keys, each on a button that takes another one.
/** @param {import("./commands.js").CommandTable} commands */
function keySheet(commands) {
  const said = h("p.key-said", { role: "status" });
  const rows = commands.all.map((command) => {
    const button = h("button.key-button", { type: "button" });
    const draw = () => {
      const key = commands.keyOf(command);
      button.replaceChildren(key === "" ? t("No key") : h("kbd", {}, key));
      setAttribute(button, "aria-label", `${command.name}: ${key || t("No key")}`);
    };
    draw();
    let isAsking = false;
    const stop = () => {
      isAsking = false;
      draw();
    };
    button.addEventListener("click", () => {
      if (isAsking) return;
      isAsking = true;
      setText(button, t("Press a key"));
      setText(said, t("Delete removes the key, Escape keeps it."));
    });
    button.addEventListener("blur", () => isAsking && stop());
    button.addEventListener("keydown", (event) => {
      const { key } = event;
      if (!isAsking || event.ctrlKey || event.metaKey || event.altKey) return;
      const wanted = key === "Delete" || key === "Backspace" ? "" : key;
      if (key !== "Escape" && !isKey(wanted)) return;
      event.preventDefault();
      event.stopPropagation();
      const holder = key === "Escape" ? "" : commands.setKey(command, wanted);
      setText(said, holder && t("{key} is the key of: {command}", { key, command: holder }));
      if (holder === "") stop();
    });
    const row = h("div", { "data-changes": command.isTrade ? "changes" : undefined },
      h("dt", {}, button), h("dd", {}, command.isTrade
        ? `${command.name} (${t("once switched on under Display and trading")})` : command.name));
    return { row, draw };
  });
  const reset = h("button.button.small", { type: "button" }, t("Reset keys"));
  reset.addEventListener("click", () => {
    commands.reset();
    for (const { draw } of rows) draw();
    setText(said, t("All keys are reset."));
  });
  return [h("dl.keys", {}, ...rows.map(({ row }) => row)),
    h("div.key-foot", {}, reset, said)];
}

/** @type {(keys: string) => Child[]} */
const kbd = (keys) => keys.split(" ").map(
  (key) => (key === "or" ? ` ${t("or")} ` : h("kbd", {}, key)));

/** @param {string} word */
const capital = (word) => word[0].toUpperCase() + word.slice(1);

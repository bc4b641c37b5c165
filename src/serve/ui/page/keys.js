// Keys of the page, and the list of them (?).
import { $, make } from "./dom.js";

const list = [
  ["everywhere", [["Ctrl Enter", "save and verify"], ["F9", "save and simulate"], ["Ctrl S", "save"], ["F8", "to the next problem"],
    ["Esc", "out of the editor, to the results"]]],
  ["in the editor", [["Shift Alt F", "format the model"], ["Ctrl F", "find and replace"], ["Ctrl Z", "undo"]]],
  ["outside of the editor", [["e", "editor"], ["p", "problems"], ["v", "verify"], ["t", "trace"], ["s", "simulate"], ["a", "automata"],
    ["g", "state graph"], ["h", "history"], ["x", "stop the verification"], ["d", "dark or light"], ["?", "these keys"]]],
  ["in a counterexample or a simulation", [["→ ←", "next step, previous step"], ["Home End", "first, last"], ["Space", "play; at random in a simulation"],
    ["1 … 9", "in a simulation: take that step"]]],
];

export function showKeys() {
  const dialog = $("keys");
  dialog.replaceChildren(make("h2", { id: "keys-title" }, "Keys"), ...list.flatMap(([where, keys]) => [make("h3", {}, where),
    make("dl", {}, ...keys.flatMap(([key, what]) => [make("dt", {}, ...key.split(" ").flatMap((k, i) => [i ? " " : "", make("kbd", {}, k)])), make("dd", {}, what)]))]),
    make("form", { method: "dialog" }, make("button", { class: "primary" }, "Close")));
  dialog.showModal();
}

const isTyping = target => target.closest(".cm-editor, input, textarea, select, dialog[open]");

/** commands: {key: function}; single keys work where nobody types. */
export function listen(commands) {
  addEventListener("keydown", event => {
    if (event.defaultPrevented || event.altKey || event.metaKey) return;
    const key = event.ctrlKey ? "Ctrl " + event.key : event.key;
    const always = event.ctrlKey || /^F\d/.test(event.key);
    if (!commands[key] || (!always && isTyping(event.target)) || document.querySelector("dialog[open]")) return;
    if (event.key === " " && event.target.closest("button, a, [role=button]")) return; // presses it
    if (commands[key](event) !== false) event.preventDefault();
  });
}

// The manifest beside the code, and the files that it names.
import * as assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { test } from "node:test";
import { EXTENSION, GYRE, ROOT } from "./gyre";

const json = (name: string) => JSON.parse(fs.readFileSync(path.join(EXTENSION, name), "utf8"));
const about = json("package.json"), offers = about.contributes;

test("files that the manifest names are there", () => {
  const named = [offers.languages[0].configuration, offers.grammars[0].path, offers.snippets[0].path, about.main];
  for (const name of named) assert.ok(fs.existsSync(path.join(EXTENSION, name)), name);
});

test("menus, palette and keys name commands that there are", () => {
  const commands = new Set(offers.commands.map((c: { command: string }) => c.command));
  for (const entry of [...Object.values<{ command: string }[]>(offers.menus).flat(), ...offers.keybindings]) assert.ok(commands.has(entry.command), entry.command);
});

test("every keyword of the language is highlighted", () => {
  const header = fs.readFileSync(path.join(ROOT, "src/lang/promela/read/token.h"), "utf8").replace(/\\\n/g, " ").replace(/\s+/g, "");
  const keywords = [...header.matchAll(/X\([A-Z_]+,"(\w+)"\)/g)].map((m) => m[1]);
  assert.ok(keywords.length > 50);
  const grammar = JSON.stringify(json("syntaxes/promela.tmLanguage.json"));
  for (const word of keywords) assert.match(grammar, new RegExp(`[|:(]${word}[|)]`), word);
});

test("patterns of the grammar and of the problem matchers are regular expressions", () => {
  let count = 0;
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (["match", "begin", "end", "regexp"].includes(key) && typeof inner === "string") {
        new RegExp(inner);
        count++;
      } else visit(inner);
    }
  };
  visit(json("syntaxes/promela.tmLanguage.json"));
  visit(offers.problemMatchers);
  assert.ok(count > 30);
});

test("snippets are Promela, and formatted", () => {
  const expand = (text: string): string => {
    for (let before = ""; before !== text; ) {
      before = text;
      text = text.replace(/\$\{\d+\|([^,|]*)[^}]*\}/, "$1").replace(/\$\{\d+:([^${}]*)\}/, "$1").replace(/\$\d/, "");
    }
    return text;
  };
  for (const [name, snippet] of Object.entries<{ body: string | string[] }>(json("snippets/promela.json"))) {
    const text = `${expand([snippet.body].flat().join("\n"))}\n`;
    const done = spawnSync(GYRE, ["format", "-"], { input: text, encoding: "utf8" });
    assert.equal(done.status, 0, `${name}: ${done.stderr}`);
    assert.equal(done.stdout.replace(/\s+/g, " "), text.replace(/\s+/g, " "), name);
  }
});

test("the problem matchers read what gyre prints", () => {
  const [errors, verdicts] = offers.problemMatchers.map((m: { pattern: { regexp: string }[] }) => m.pattern.map((p) => new RegExp(p.regexp)));
  const wrong = spawnSync(GYRE, ["-"], { input: "init { x = 1 }\n", encoding: "utf8" });
  const match = wrong.stderr.split("\n")[0].match(errors[0]);
  assert.deepEqual(match?.slice(1, 5), ["<stdin>", "1", "8", "error"]);
  const violated = spawnSync(GYRE, [path.join(ROOT, "examples/broken_mutex.pml")], { encoding: "utf8" }).stdout.split("\n");
  const at = violated.findIndex((line, i) => verdicts[0].test(line) && verdicts[1].test(violated[i + 1] ?? ""));
  assert.ok(at > 0, violated.join("\n"));
  assert.deepEqual(violated[at + 1].match(verdicts[1])?.slice(2, 4), ["14", "8"]);
});

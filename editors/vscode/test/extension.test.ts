// The extension as it is shipped, with a thin stand-in for VS Code: it registers what its manifest offers, and its
// commands call the real program.
import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import Module = require("node:module");
import * as path from "node:path";
import { test } from "node:test";
import { EXTENSION, example, GYRE } from "./gyre";

type Handler = (...args: unknown[]) => unknown;
const commands = new Map<string, Handler>(), problems = new Map<string, { message: string; range: { line: number } }[]>();
const shown: string[] = [], debugged: Record<string, unknown>[] = [];
let page = "", tell: Handler = () => undefined;

class Uri {
  constructor(readonly fsPath: string) {}
  static file = (name: string) => new Uri(name);
  static parse = (text: string) => new Uri(decodeURIComponent(text.replace(/^file:\/\//, "")));
  static joinPath = (uri: Uri, ...more: string[]) => new Uri(path.join(uri.fsPath, ...more));
  toString = () => `file://${this.fsPath}`;
}
class Range {
  constructor(readonly line: number) {}
}
class Position {
  constructor(readonly line: number) {}
}
class Diagnostic {
  constructor(readonly range: Range, readonly message: string) {}
}
// Whatever else the client library wants to extend or look up.
const anything = (): unknown =>
  new Proxy(class { dispose() {} }, { get: (target, name) => (name in target || typeof name === "symbol" ? Reflect.get(target, name) : anything()) });
const nothing = { dispose: () => undefined };
const message = (text: string) => {
  shown.push(text);
  return Promise.resolve(undefined);
};
const known: Record<string, unknown> = {
  Uri, Range, Position, Diagnostic,
  DiagnosticSeverity: { Error: 0, Warning: 1 },
  ...Object.fromEntries(
    ["ThemeColor", "ViewColumn", "ProgressLocation", "Location", "DiagnosticRelatedInformation", "TestRunProfileKind", "TestMessage", "TaskScope",
     "TextEditorRevealType", "DebugAdapterExecutable"].map((name) => [name, anything()])),
  commands: { registerCommand: (name: string, run: Handler) => (commands.set(name, run), nothing), executeCommand: message },
  languages: {
    createDiagnosticCollection: () => ({
      set: (uri: Uri, list: never[]) => problems.set(uri.fsPath, list),
      clear: () => problems.clear(), delete: () => undefined, dispose: () => undefined,
    }),
  },
  workspace: {
    isTrusted: true,
    getConfiguration: () => ({ get: (name: string, standard: unknown) => (name === "path" ? GYRE : standard) }),
    getWorkspaceFolder: () => undefined,
    createFileSystemWatcher: () => ({ ...nothing, onDidCreate: () => nothing, onDidDelete: () => nothing }),
    openTextDocument: (uri: Uri) => Promise.resolve({ uri, version: 1, isDirty: false, languageId: "promela", lineCount: 1000, lineAt: (n: number) => ({ range: new Range(n) }) }),
    onDidChangeTextDocument: () => nothing,
    onDidChangeConfiguration: () => nothing,
  },
  window: {
    activeTextEditor: undefined, visibleTextEditors: [],
    showErrorMessage: message, showInformationMessage: message, showWarningMessage: message,
    showTextDocument: (document: { uri: Uri }) => Promise.resolve({ setDecorations: (_: unknown, ranges: Range[]) => shown.push(`${path.basename(document.uri.fsPath)}:${ranges[0].line + 1}`), revealRange: () => undefined }),
    createTextEditorDecorationType: () => nothing,
    withProgress: (_: unknown, run: Handler) => run({ report: () => undefined }, { onCancellationRequested: () => nothing }),
    createWebviewPanel: () => ({
      ...nothing, onDidDispose: () => nothing, reveal: () => undefined,
      webview: { set html(text: string) { page = text; }, onDidReceiveMessage: (run: Handler) => (tell = run) },
    }),
  },
  debug: {
    registerDebugAdapterDescriptorFactory: () => nothing, registerDebugConfigurationProvider: () => nothing,
    startDebugging: (_: unknown, config: Record<string, unknown>) => (debugged.push(config), Promise.resolve(true)),
  },
  tasks: { registerTaskProvider: () => nothing },
  tests: { createTestController: () => ({ ...nothing, createRunProfile: () => nothing, items: new Map() }) },
};
const vscode = new Proxy(known, { get: (target, name: string) => target[name] ?? (target[name] = anything()) });
const loader = Module as unknown as { _load: (request: string, ...rest: unknown[]) => unknown };
const load = loader._load;
loader._load = (request, ...rest) => (request === "vscode" ? vscode : load(request, ...rest));

const extension = require("../extension.js") as { activate: (context: unknown) => Promise<void> };
const subscriptions: unknown[] = [];
const ready = extension.activate({ subscriptions });
ready.catch(() => undefined); // the client of the language server needs a real editor
const broken = { uri: `file://${example("broken_mutex.pml")}` };

test("every command of the manifest is there", () => {
  const about = JSON.parse(fs.readFileSync(path.join(EXTENSION, "package.json"), "utf8"));
  assert.deepEqual([...commands.keys()].sort(), about.contributes.commands.map((c: { command: string }) => c.command).sort());
  assert.ok(subscriptions.length > 10);
});

test("verify: the verdict is told, the problem is marked", async () => {
  await commands.get("gyre.verifyModel")?.(broken);
  assert.ok(shown.some((text) => /broken_mutex.pml: violated/.test(text)), shown.join("\n"));
  const [problem] = problems.get(example("broken_mutex.pml")) ?? [];
  assert.equal(problem.range.line, 13);
});

test("the trace view shows the stepper, and the source follows it", async () => {
  await commands.get("gyre.showCounterexample")?.(broken);
  assert.match(page, /Content-Security-Policy/);
  assert.match(page, /acquireVsCodeApi/);
  assert.ok(!/<script>/.test(page), "a script without the nonce");
  tell({ type: "step", step: 3, total: 7, file: example("broken_mutex.pml"), line: 12 });
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  assert.ok(shown.includes("broken_mutex.pml:12"), shown.join("\n"));
});

test("what holds has no counterexample to show", async () => {
  page = "";
  await commands.get("gyre.showCounterexample")?.({ uri: `file://${example("peterson.pml")}` });
  assert.equal(page, "");
  assert.match(shown[shown.length - 1], /no counterexample: holds/);
});

test("debugging starts with the model and the property", async () => {
  await commands.get("gyre.debugCounterexample")?.(broken.uri, "safety", { trail: "x.trail" });
  await commands.get("gyre.simulate")?.(broken);
  const [walk, simulation] = debugged;
  assert.deepEqual([walk.type, walk.program, walk.property, walk.trail], ["gyre", example("broken_mutex.pml"), "safety", "x.trail"]);
  assert.equal(simulation.simulate, true);
});

test("no model is open", async () => {
  assert.equal(await commands.get("gyre.verifyModel")?.(), undefined);
  assert.match(shown[shown.length - 1], /open a model first/);
});


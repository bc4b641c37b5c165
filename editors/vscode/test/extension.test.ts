// The extension as it is shipped, with a thin stand-in for VS Code: it registers what its manifest offers, and its
// commands call the real program.
import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import Module = require("node:module");
import * as os from "node:os";
import * as path from "node:path";
import { test } from "node:test";
import { EXTENSION, example, GYRE } from "./gyre";

const UNMET = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "gyre-tests-")), "unmet.pml");
fs.writeFileSync(UNMET, "/* gyre: expect violated */\ninit { skip }\n");
process.on("exit", () => fs.rmSync(path.dirname(UNMET), { recursive: true, force: true }));

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
/** A list of tests as VS Code keeps it. */
class Items {
  readonly list = new Map<string, Item>();
  add = (item: Item) => this.list.set(item.id, item);
  get = (id: string) => this.list.get(id);
  delete = (id: string) => this.list.delete(id);
  forEach = (run: (item: Item) => void) => this.list.forEach((item) => run(item));
  replace = (items: Item[]) => {
    this.list.clear();
    items.forEach(this.add);
  };
}
class Item {
  readonly children = new Items();
  parent?: Item;
  range?: Range;
  constructor(readonly id: string, readonly label: string, readonly uri: Uri) {}
}
const outcomes: string[] = [];
let runTests: Handler = () => undefined, adapters: { createDebugAdapterDescriptor: Handler }, configurations: { resolveDebugConfiguration: Handler };
const controller = {
  dispose: () => undefined, items: new Items(), resolveHandler: undefined as undefined | Handler,
  createTestItem: (id: string, label: string, uri: Uri) => new Item(id, label, uri),
  createRunProfile: (_: string, __: unknown, run: Handler) => (runTests = run),
  createTestRun: () => {
    const note = (what: string) => (item: Item, ...more: unknown[]) =>
      outcomes.push([what, item.label, ...more.flat().filter((m) => m instanceof TestMessage).map((m) => (m as TestMessage).text)].join(" "));
    return { enqueued: () => undefined, started: () => undefined, passed: note("passed"), failed: note("failed"), errored: note("errored"), skipped: note("skipped"), end: () => outcomes.push("end") };
  },
};
class TestMessage {
  constructor(readonly text: string) {}
}
class DebugAdapterExecutable {
  constructor(readonly command: string, readonly args: string[]) {}
}
const message = (text: string) => {
  shown.push(text);
  return Promise.resolve(undefined);
};
const known: Record<string, unknown> = {
  Uri, Range, Position, Diagnostic, TestMessage, DebugAdapterExecutable,
  DiagnosticSeverity: { Error: 0, Warning: 1 },
  ...Object.fromEntries(
    ["ThemeColor", "ViewColumn", "ProgressLocation", "Location", "DiagnosticRelatedInformation", "TestRunProfileKind", "TaskScope", "TextEditorRevealType"].map((name) => [name, anything()])),
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
    asRelativePath: (uri: Uri) => path.basename(uri.fsPath),
    findFiles: () => Promise.resolve([Uri.file(example("peterson.pml")), Uri.file(UNMET)]),
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
    registerDebugAdapterDescriptorFactory: (_: string, factory: typeof adapters) => ((adapters = factory), nothing),
    registerDebugConfigurationProvider: (_: string, provider: typeof configurations) => ((configurations = provider), nothing),
    startDebugging: (_: unknown, config: Record<string, unknown>) => (debugged.push(config), Promise.resolve(true)),
  },
  tasks: { registerTaskProvider: () => nothing },
  tests: { createTestController: () => controller },
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

test("the adapter is gyre dap; F5 in a model debugs it", () => {
  assert.deepEqual(adapters.createDebugAdapterDescriptor({}), new DebugAdapterExecutable(GYRE, ["dap"]));
  const given = { type: "gyre", request: "launch", name: "x", program: "m.pml", defines: ["N=2"] };
  assert.deepEqual(configurations.resolveDebugConfiguration(undefined, given), { ...given, includes: [] });
  assert.equal(configurations.resolveDebugConfiguration(undefined, { type: "gyre", request: "launch", name: "x" }), undefined);
  assert.match(shown[shown.length - 1], /Which model/);
});

test("the test explorer lists models and tells what each expects, and gets", async () => {
  await controller.resolveHandler?.(undefined);
  assert.deepEqual([...controller.items.list.values()].map((item) => item.label), ["peterson.pml", "unmet.pml"]);
  await runTests({}, { onCancellationRequested: () => nothing });
  assert.deepEqual(outcomes, [
    "passed holds", "passed violated with -D SWAPPED", "passed peterson.pml",
    "failed violated unmet.pml: violated: it holds", "failed unmet.pml unmet.pml: violated: it holds", "end",
  ]);
  const [first] = [...controller.items.list.values()][0].children.list.values();
  assert.equal(first.range?.line, 12);
});

test("no model is open", async () => {
  assert.equal(await commands.get("gyre.verifyModel")?.(), undefined);
  assert.match(shown[shown.length - 1], /open a model first/);
});


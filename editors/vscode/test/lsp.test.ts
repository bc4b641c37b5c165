// A client with VS Code's own protocol library against `gyre lsp`: what the extension's client does in the editor.
import * as assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import * as fs from "node:fs";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import {
  type CodeLens, CodeLensRefreshRequest, CodeLensRequest, CodeLensResolveRequest, CompletionRequest, createProtocolConnection, ExecuteCommandRequest, RenameRequest, DefinitionRequest, DidChangeTextDocumentNotification, DidOpenTextDocumentNotification, DocumentFormattingRequest,
  DocumentSymbolRequest, ExitNotification, HoverRequest, InitializedNotification, InitializeRequest, type InitializeResult, type Location,
  type ProtocolConnection, PublishDiagnosticsNotification, type PublishDiagnosticsParams, ReferencesRequest, ShutdownRequest, type TextEdit,
} from "vscode-languageserver-protocol/node";
import { example, GYRE, without } from "./gyre";

const uri = pathToFileURL(example("not_saved.pml")).href, skip = without("lsp");
const text = `byte turn;
bool wants[2];

active [2] proctype P() {
    do
    :: wants[_pid] = true; turn = 1 - _pid;
       (turn == _pid || !wants[1 - _pid]);
       wants[_pid] = false
    od
}
`;
let server: ChildProcess, client: ProtocolConnection, abilities: InitializeResult["capabilities"];
let version = 1;
const told: PublishDiagnosticsParams[] = [], waiting: (() => void)[] = [], refreshed: (() => void)[] = [];

/** The first diagnostics of this version, or of a later one. */
async function diagnosticsOf(wanted: number): Promise<PublishDiagnosticsParams> {
  for (;;) {
    const found = told.find((p) => p.uri === uri && (p.version ?? 0) >= wanted);
    if (found) return found;
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
}

function change(newText: string): number {
  void client.sendNotification(DidChangeTextDocumentNotification.type, { textDocument: { uri, version: ++version }, contentChanges: [{ text: newText }] });
  return version;
}

/** Where the n-th occurrence of a word stands. */
function place(word: string, n = 0) {
  let at = -1;
  for (let i = 0; i <= n; i++) at = text.indexOf(word, at + 1);
  assert.ok(at >= 0, word);
  const lines = text.slice(0, at).split("\n");
  return { line: lines.length - 1, character: lines[lines.length - 1].length };
}

before(async () => {
  if (skip) return;
  server = spawn(GYRE, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  assert.ok(server.stdout && server.stdin);
  client = createProtocolConnection(server.stdout, server.stdin);
  client.onNotification(PublishDiagnosticsNotification.type, (params) => {
    told.push(params);
    waiting.splice(0).forEach((wake) => wake());
  });
  client.onRequest(CodeLensRefreshRequest.type, () => refreshed.splice(0).forEach((wake) => wake()));
  client.listen();
  const result = await client.sendRequest(InitializeRequest.type, {
    processId: process.pid, rootUri: null, workspaceFolders: null,
    capabilities: { workspace: { codeLens: { refreshSupport: true } }, textDocument: { publishDiagnostics: { versionSupport: true }, hover: { contentFormat: ["markdown"] } } },
    initializationOptions: { defines: [], includes: [], embeddedC: false, clientCommands: true },
  });
  abilities = result.capabilities;
  await client.sendNotification(InitializedNotification.type, {});
  await client.sendNotification(DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: "promela", version, text } });
});

after(async () => {
  if (skip) return;
  await client.sendRequest(ShutdownRequest.type);
  const ended = new Promise((resolve) => server.on("exit", resolve));
  await client.sendNotification(ExitNotification.type);
  assert.equal(await ended, 0);
  client.dispose();
});

test("commands of the server are none of the extension's", { skip }, () => {
  const about = JSON.parse(fs.readFileSync(`${__dirname}/../../package.json`, "utf8"));
  const ours = about.contributes.commands.map((c: { command: string }) => c.command);
  for (const command of abilities.executeCommandProvider?.commands ?? []) assert.ok(!ours.includes(command), command);
});

test("diagnostics come and go as the text changes", { skip }, async () => {
  assert.deepEqual((await diagnosticsOf(1)).diagnostics.filter((d) => d.severity === 1), []);
  const wrong = await diagnosticsOf(change(`${text}\ninit { nobody = 1 }\n`));
  const [error] = wrong.diagnostics;
  assert.match(error.message, /undeclared variable `nobody`/);
  assert.equal(error.range.start.line, text.split("\n").length);
  assert.deepEqual((await diagnosticsOf(change(text))).diagnostics.filter((d) => d.severity === 1), []);
});

test("definition and references", { skip }, async () => {
  assert.ok(abilities.definitionProvider);
  const definition = (await client.sendRequest(DefinitionRequest.type, { textDocument: { uri }, position: place("wants[", 1) })) as Location | Location[];
  const [found] = [definition].flat();
  assert.equal(found.uri, uri);
  assert.equal(found.range.start.line, place("wants").line);
  const references = await client.sendRequest(ReferencesRequest.type, { textDocument: { uri }, position: place("wants"), context: { includeDeclaration: true } });
  assert.equal(references?.length, 4);
});

test("symbols", { skip }, async () => {
  const symbols = await client.sendRequest(DocumentSymbolRequest.type, { textDocument: { uri } });
  const names = (symbols ?? []).map((symbol) => symbol.name);
  for (const name of ["wants", "turn"]) assert.ok(names.includes(name), names.join(" "));
});

test("hover", { skip: skip || without("lsp") }, async (t) => {
  if (!abilities.hoverProvider) return t.skip("this server has no hovers");
  const hover = await client.sendRequest(HoverRequest.type, { textDocument: { uri }, position: place("turn") });
  assert.ok(hover && JSON.stringify(hover.contents).length > 5);
});

test("formatting gives what gyre format gives", { skip }, async (t) => {
  if (!abilities.documentFormattingProvider) return t.skip("this server does not format");
  const messy = text.replace(/^ +/gm, "");
  await diagnosticsOf(change(messy));
  const edits = (await client.sendRequest(DocumentFormattingRequest.type, { textDocument: { uri }, options: { tabSize: 4, insertSpaces: true } })) ?? [];
  const { spawnSync } = require("node:child_process") as typeof import("node:child_process");
  const wanted = spawnSync(GYRE, ["format", "--indent", "4", "-"], { input: messy, encoding: "utf8" }).stdout;
  assert.equal(apply(messy, edits), wanted);
  assert.notEqual(wanted, messy);
});

test("completion and renaming", { skip }, async () => {
  await diagnosticsOf(change(text));
  const found = await client.sendRequest(CompletionRequest.type, { textDocument: { uri }, position: place("turn = 1") });
  const labels = (Array.isArray(found) ? found : (found?.items ?? [])).map((item) => item.label);
  for (const name of ["turn", "wants"]) assert.ok(labels.includes(name), labels.join(" "));
  const edit = await client.sendRequest(RenameRequest.type, { textDocument: { uri }, position: place("turn"), newName: "whose" });
  const changes = edit?.changes?.[uri] ?? (edit?.documentChanges ?? []).flatMap((c) => ("edits" in c ? (c.edits as TextEdit[]) : []));
  assert.equal(apply(text, changes), text.replace(/\bturn\b/g, "whose"));
});

test("a lens verifies; what is found opens with a command of the extension", { skip }, async () => {
  const broken = text.replace("(turn == _pid || !wants[1 - _pid]);", "inside++; assert(inside == 1); inside--;").replace("byte turn;", "byte turn, inside;");
  await diagnosticsOf(change(broken));
  const lenses = async (): Promise<CodeLens[]> => {
    const list = (await client.sendRequest(CodeLensRequest.type, { textDocument: { uri } })) ?? [];
    return Promise.all(list.map((lens) => (lens.command ? lens : client.sendRequest(CodeLensResolveRequest.type, lens))));
  };
  const first = (await lenses()).find((lens) => lens.command?.command === "gyre.server.verify");
  assert.ok(first?.command);
  const about = JSON.parse(fs.readFileSync(`${__dirname}/../../package.json`, "utf8"));
  const ours = about.contributes.commands.map((c: { command: string }) => c.command);
  let next = new Promise<void>((resolve) => refreshed.push(resolve));
  await client.sendRequest(ExecuteCommandRequest.type, { command: first.command.command, arguments: first.command.arguments });
  for (;;) {
    const link = (await lenses()).find((lens) => /Counterexample$/.test(lens.command?.command ?? ""));
    if (link?.command) {
      assert.ok(ours.includes(link.command.command), link.command.command);
      assert.equal(link.command.arguments?.[0].uri, uri);
      return;
    }
    await next;
    next = new Promise<void>((resolve) => refreshed.push(resolve));
  }
});

function apply(before: string, edits: TextEdit[]): string {
  const lines = before.split("\n"), starts = [0];
  for (const line of lines) starts.push(starts[starts.length - 1] + line.length + 1);
  const offset = (p: { line: number; character: number }) => Math.min(before.length, starts[p.line] + p.character);
  return [...edits].sort((a, b) => offset(b.range.start) - offset(a.range.start))
    .reduce((result, edit) => result.slice(0, offset(edit.range.start)) + edit.newText + result.slice(offset(edit.range.end)), before);
}

// The test explorer: `gyre test`. A model is a test; what it expects of itself becomes known when it is run.
import * as path from "node:path";
import * as vscode from "vscode";
import { runTests } from "./program";
import { type TestResult, testName } from "./report";
import { folderOf, settingsFor } from "./settings";

const MODELS = "**/*.{pml,prom,promela}";
const MOST_MODELS = 2000;

export class Tests implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("gyre", "Gyre");
  private readonly watcher = vscode.workspace.createFileSystemWatcher(MODELS);

  constructor() {
    this.controller.resolveHandler = async (item) => {
      if (!item) await this.discover();
    };
    this.controller.refreshHandler = () => this.discover();
    this.controller.createRunProfile("Verify", vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
    this.watcher.onDidCreate((uri) => this.add(uri));
    this.watcher.onDidDelete((uri) => this.controller.items.delete(uri.toString()));
  }

  dispose(): void {
    this.watcher.dispose();
    this.controller.dispose();
  }

  private add(uri: vscode.Uri): vscode.TestItem {
    const known = this.controller.items.get(uri.toString());
    if (known) return known;
    const item = this.controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
    this.controller.items.add(item);
    return item;
  }

  private async discover(): Promise<void> {
    const found = await vscode.workspace.findFiles(MODELS, undefined, MOST_MODELS);
    const names = new Set(found.map(String));
    this.controller.items.forEach((item) => {
      if (!names.has(item.id)) this.controller.items.delete(item.id);
    });
    found.forEach((uri) => this.add(uri));
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.controller.createTestRun(request), stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    const models = new Map<string, vscode.TestItem>();
    const take = (item: vscode.TestItem) => models.set((item.parent ?? item).id, item.parent ?? item);
    if (request.include) request.include.forEach(take);
    else this.controller.items.forEach(take);
    for (const item of models.values()) run.enqueued(item);
    for (const item of models.values()) {
      if (stop.signal.aborted) break;
      await this.runModel(run, item, stop.signal);
    }
    run.end();
  }

  private async runModel(run: vscode.TestRun, item: vscode.TestItem, signal: AbortSignal): Promise<void> {
    const uri = item.uri;
    if (!uri) return;
    run.started(item);
    try {
      const tests = await runTests(settingsFor(uri), [uri.fsPath], { cwd: folderOf(uri), signal });
      item.children.replace(tests.map((test, i) => this.child(item, uri, test, i)));
      tests.forEach((test, i) => tell(run, item.children.get(`${item.id}#${i}`), test));
      const seconds = tests.reduce((sum, test) => sum + test.seconds, 0), failed = tests.filter((test) => !test.passed);
      if (failed.length) run.failed(item, failed.map((test) => new vscode.TestMessage(messageOf(test))), seconds * 1000);
      else run.passed(item, seconds * 1000);
    } catch (error) {
      if (signal.aborted) run.skipped(item);
      else run.errored(item, new vscode.TestMessage((error as Error).message));
    }
  }

  private child(item: vscode.TestItem, uri: vscode.Uri, test: TestResult, i: number): vscode.TestItem {
    const child = this.controller.createTestItem(`${item.id}#${i}`, testName(test), uri);
    const line = Math.max(0, (test.line ?? 1) - 1);
    child.range = new vscode.Range(line, 0, line, 0);
    return child;
  }
}

function messageOf(test: TestResult): string {
  return `${path.basename(test.model)}: ${testName(test)}: ${test.message ?? `it is ${test.verdict}`}`;
}

function tell(run: vscode.TestRun, child: vscode.TestItem | undefined, test: TestResult): void {
  if (!child) return;
  if (test.passed) run.passed(child, test.seconds * 1000);
  else run.failed(child, new vscode.TestMessage(messageOf(test)), test.seconds * 1000);
}

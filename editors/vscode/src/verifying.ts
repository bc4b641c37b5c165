// Verification from the editor: verdicts, problems at the places where counterexamples end, the trace view.
import * as fs from "node:fs/promises";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { type Event, propertyNames, verify } from "./program";
import { type Problem, problemsOf, type Report, summaryOf, violatedProperty } from "./report";
import { folderOf, settingsFor } from "./settings";
import { startDebugging } from "./debug";
import { TraceView } from "./trace";

interface Result {
  report: Report;
  page: string; // HTML
  property?: string; // that was asked for
  version: number; // of the document
}

export class Verifying implements vscode.Disposable {
  private readonly problems = vscode.languages.createDiagnosticCollection("gyre-verdict");
  private readonly results = new Map<string, Result>();
  private readonly running = new Map<string, AbortController>();
  private readonly trace = new TraceView();

  dispose(): void {
    for (const run of this.running.values()) run.abort();
    this.problems.dispose();
    this.trace.dispose();
  }

  /** What was verified is not what stands there any more. */
  forget(uri: vscode.Uri): void {
    this.results.delete(uri.toString());
    this.problems.delete(uri);
  }

  async verify(uri: vscode.Uri, property?: string): Promise<Result | undefined> {
    const document = await vscode.workspace.openTextDocument(uri);
    if (document.isDirty) await document.save();
    const key = uri.toString(), stop = new AbortController(), version = document.version;
    this.running.get(key)?.abort();
    this.running.set(key, stop);
    try {
      const result = await this.run(uri, property, stop);
      if (stop.signal.aborted) return undefined;
      this.results.set(key, { ...result, property, version });
      this.show(uri, result.report);
      return this.results.get(key);
    } catch (error) {
      void vscode.window.showErrorMessage(`Gyre: ${(error as Error).message}`);
      return undefined;
    } finally {
      if (this.running.get(key) === stop) this.running.delete(key);
    }
  }

  private async run(uri: vscode.Uri, property: string | undefined, stop: AbortController) {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), "gyre-"));
    const page = path.join(folder, "report.html");
    const title = `Gyre: ${path.basename(uri.fsPath)}${property ? `, ${property}` : ""}`;
    try {
      return await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title, cancellable: true },
        async (progress, token) => {
          token.onCancellationRequested(() => stop.abort());
          const onEvent = (event: Event) => {
            if (event.event === "progress" && typeof event.states === "number")
              progress.report({ message: `${event.states.toLocaleString("en")} states` });
          };
          const report = await verify(settingsFor(uri), uri.fsPath, { cwd: folderOf(uri), property, page, signal: stop.signal, onEvent });
          return { report, page: await fs.readFile(page, "utf8").catch(() => "") };
        },
      );
    } finally {
      await fs.rm(folder, { recursive: true, force: true });
    }
  }

  private show(uri: vscode.Uri, report: Report): void {
    const files = new Map<string, vscode.Diagnostic[]>();
    this.problems.clear();
    for (const problem of problemsOf(report, uri.fsPath)) {
      const file = path.resolve(folderOf(uri), problem.file);
      files.set(file, [...(files.get(file) ?? []), diagnosticOf(problem, folderOf(uri))]);
    }
    for (const [file, list] of files) this.problems.set(vscode.Uri.file(file), list);
    const text = `Gyre: ${path.basename(uri.fsPath)}: ${summaryOf(report)}`;
    if (report.verdict === "holds") void vscode.window.showInformationMessage(text);
    else if (violatedProperty(report)) void this.offer(uri, text, violatedProperty(report)?.name);
    else void vscode.window.showWarningMessage(text);
  }

  private async offer(uri: vscode.Uri, text: string, property?: string): Promise<void> {
    const chosen = await vscode.window.showErrorMessage(text, "Debug", "Show");
    if (chosen === "Debug") await this.debug(uri, property);
    else if (chosen === "Show") await this.showCounterexample(uri);
  }

  async choose(uri: vscode.Uri): Promise<string | undefined> {
    try {
      const names = await propertyNames(settingsFor(uri), uri.fsPath, { cwd: folderOf(uri) });
      return await vscode.window.showQuickPick(names, { placeHolder: "Which property?" });
    } catch (error) {
      void vscode.window.showErrorMessage(`Gyre: ${(error as Error).message}`);
      return undefined;
    }
  }

  private async current(uri: vscode.Uri, property?: string): Promise<Result | undefined> {
    const known = this.results.get(uri.toString());
    const document = await vscode.workspace.openTextDocument(uri);
    if (known && known.version === document.version && (!property || known.property === property)) return known;
    return this.verify(uri, property);
  }

  async showCounterexample(uri: vscode.Uri, property?: string): Promise<void> {
    const result = await this.current(uri, property);
    if (!result) return;
    if (!violatedProperty(result.report) || !result.page)
      void vscode.window.showInformationMessage(`Gyre: no counterexample: ${summaryOf(result.report)}`);
    else this.trace.show(uri, result.page);
  }

  async debug(uri: vscode.Uri, property?: string, trail?: string): Promise<void> {
    await startDebugging({ uri, ...(property && { property }), ...(trail && { trail }) });
  }
}

function diagnosticOf(problem: Problem, folder: string): vscode.Diagnostic {
  const line = problem.line - 1, column = Math.max(0, problem.column - 1);
  const severity = problem.severity === "error" ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
  const diagnostic = new vscode.Diagnostic(new vscode.Range(line, column, line, 1000), problem.message, severity);
  diagnostic.source = "gyre";
  diagnostic.relatedInformation = problem.steps
    .filter((step) => step.file && step.line)
    .map((step) => {
      const at = new vscode.Position((step.line ?? 1) - 1, Math.max(0, (step.column ?? 1) - 1));
      const where = new vscode.Location(vscode.Uri.file(path.resolve(folder, step.file ?? "")), at);
      return new vscode.DiagnosticRelatedInformation(where, `${step.step ?? ""} ${step.process}(${step.pid}): ${step.text}`.trim());
    });
  return diagnostic;
}

// The trace view: the stepper of the HTML report beside the source, which follows it.
import { randomBytes } from "node:crypto";
import * as path from "node:path";
import * as vscode from "vscode";
import { type StepMessage, tracePage } from "./page";
import { folderOf } from "./settings";

export class TraceView implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private uri: vscode.Uri | undefined;
  private readonly mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.stackFrameHighlightBackground"),
  });

  show(uri: vscode.Uri, html: string): void {
    this.uri = uri;
    if (!this.panel) {
      this.panel = vscode.window.createWebviewPanel("gyre.trace", "Counterexample", { viewColumn: vscode.ViewColumn.Beside, preserveFocus: false }, { enableScripts: true, localResourceRoots: [] });
      this.panel.onDidDispose(() => {
        this.panel = undefined;
        this.unmark();
      });
      this.panel.webview.onDidReceiveMessage((message: StepMessage) => void this.follow(message));
    }
    this.panel.title = `Counterexample: ${path.basename(uri.fsPath)}`;
    this.panel.webview.html = tracePage(html, randomBytes(16).toString("hex"));
    this.panel.reveal(undefined, false);
  }

  private unmark(): void {
    for (const editor of vscode.window.visibleTextEditors) editor.setDecorations(this.mark, []);
  }

  private async follow(message: StepMessage): Promise<void> {
    this.unmark();
    if (message.type !== "step" || !this.uri || !message.file || !message.line) return;
    const file = vscode.Uri.file(path.resolve(folderOf(this.uri), message.file));
    const document = await vscode.workspace.openTextDocument(file);
    if (message.line > document.lineCount) return;
    const range = document.lineAt(message.line - 1).range;
    const editor = await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, preserveFocus: true });
    editor.setDecorations(this.mark, [range]);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  dispose(): void {
    this.mark.dispose();
    this.panel?.dispose();
  }
}

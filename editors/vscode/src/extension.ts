// Gyre in VS Code: a client of `gyre lsp`, `gyre dap`, `gyre test` and `gyre MODEL`, and nothing else: what a
// model means is known to the program alone.
import * as vscode from "vscode";
import { Server } from "./client";
import { registerDebugging, startDebugging } from "./debug";
import { Tasks } from "./tasks";
import { Tests } from "./testing";
import { Verifying } from "./verifying";

/** What a command can be given, from a code lens for example; without it, the open model is meant. */
interface Target {
  uri?: string;
  property?: string;
  trail?: string;
}

function modelOf(target?: Target | vscode.Uri): vscode.Uri | undefined {
  if (target instanceof vscode.Uri) return target;
  if (target?.uri) return vscode.Uri.parse(target.uri);
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId === "promela") return document.uri;
  void vscode.window.showErrorMessage("Gyre: open a model first.");
  return undefined;
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const server = new Server(), verifying = new Verifying();
  const command = (name: string, run: (uri: vscode.Uri, target: Target) => unknown) =>
    vscode.commands.registerCommand(name, (first?: Target | vscode.Uri | string, property?: unknown, more?: Target) => {
      // A menu gives a place, a code lens a place, a property and more, others an object.
      const given = typeof first === "string" ? { ...more, uri: first, property: typeof property === "string" ? property : undefined } : first;
      const uri = modelOf(given);
      return uri && run(uri, given && !(given instanceof vscode.Uri) ? given : {});
    });
  context.subscriptions.push(
    server,
    verifying,
    new Tests(),
    ...registerDebugging(),
    vscode.tasks.registerTaskProvider("gyre", new Tasks()),
    vscode.workspace.onDidChangeTextDocument((change) => verifying.forget(change.document.uri)),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (["path", "defines", "includes", "embeddedC"].some((name) => change.affectsConfiguration(`gyre.${name}`))) await start(server, true);
    }),
    command("gyre.verifyModel", (uri) => verifying.verify(uri)),
    command("gyre.verifyProperty", async (uri, target) => {
      const property = target.property ?? (await verifying.choose(uri));
      return property && verifying.verify(uri, property);
    }),
    command("gyre.showCounterexample", (uri, target) => verifying.showCounterexample(uri, target.property)),
    command("gyre.debugCounterexample", (uri, target) => verifying.debug(uri, target.property, target.trail)),
    command("gyre.simulate", (uri) => startDebugging({ uri, simulate: true })),
    command("gyre.format", () => vscode.commands.executeCommand("editor.action.formatDocument")),
    vscode.commands.registerCommand("gyre.restartServer", () => start(server, true)),
  );
  await start(server, false);
}

async function start(server: Server, again: boolean): Promise<void> {
  try {
    await (again ? server.restart() : server.start());
  } catch (error) {
    const chosen = await vscode.window.showErrorMessage(`Gyre: the language server does not start: ${(error as Error).message}`, "Settings");
    if (chosen) await vscode.commands.executeCommand("workbench.action.openSettings", "gyre.path");
  }
}

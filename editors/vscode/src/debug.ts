// Debugging: `gyre dap` does it all; here it is found, and told what was meant.
import * as vscode from "vscode";
import { folderOf, settingsFor } from "./settings";

class AdapterFactory implements vscode.DebugAdapterDescriptorFactory {
  createDebugAdapterDescriptor(session: vscode.DebugSession): vscode.DebugAdapterDescriptor {
    const settings = settingsFor(session.workspaceFolder?.uri);
    return new vscode.DebugAdapterExecutable(settings.path, settings.embeddedC ? ["dap", "--allow-c"] : ["dap"]);
  }
}

class Configurations implements vscode.DebugConfigurationProvider {
  resolveDebugConfiguration(_folder: vscode.WorkspaceFolder | undefined, config: vscode.DebugConfiguration): vscode.DebugConfiguration | undefined {
    const editor = vscode.window.activeTextEditor;
    if (!config.type && !config.request && !config.name) {
      if (editor?.document.languageId !== "promela") return undefined;
      config = { type: "gyre", request: "launch", name: "Counterexample", program: editor.document.uri.fsPath };
    }
    if (!config.program) {
      void vscode.window.showErrorMessage("Which model? Set \"program\" in the launch configuration.");
      return undefined;
    }
    const settings = settingsFor(editor?.document.uri);
    return { defines: settings.defines, includes: settings.includes, ...config };
  }
}

export interface DebugTarget {
  uri: vscode.Uri;
  property?: string;
  trail?: string;
  simulate?: boolean;
}

export function startDebugging(target: DebugTarget): Thenable<boolean> {
  const { uri, ...more } = target;
  return vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(uri), {
    type: "gyre",
    request: "launch",
    name: target.simulate ? "Simulation" : "Counterexample",
    program: uri.fsPath,
    cwd: folderOf(uri),
    ...more,
  });
}

export function registerDebugging(): vscode.Disposable[] {
  return [
    vscode.debug.registerDebugAdapterDescriptorFactory("gyre", new AdapterFactory()),
    vscode.debug.registerDebugConfigurationProvider("gyre", new Configurations()),
  ];
}

import * as vscode from "vscode";
import type { Settings } from "./program";

/** The settings that hold for a file. C code runs only where the workspace is trusted. */
export function settingsFor(uri?: vscode.Uri): Settings {
  const of = vscode.workspace.getConfiguration("gyre", uri);
  return {
    path: of.get("path", "gyre") || "gyre",
    arguments: of.get<string[]>("arguments", []),
    defines: of.get<string[]>("defines", []),
    includes: of.get<string[]>("includes", []),
    embeddedC: of.get("embeddedC", false) && vscode.workspace.isTrusted,
  };
}

/** Where paths in reports are relative to: the folder of the workspace, or of the file. */
export function folderOf(uri: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? vscode.Uri.joinPath(uri, "..").fsPath;
}

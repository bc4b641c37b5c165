// Tasks: `gyre MODEL` in a terminal, with its problems in the problems view.
import * as vscode from "vscode";
import { readingOptions } from "./program";
import { settingsFor } from "./settings";

export class Tasks implements vscode.TaskProvider {
  provideTasks(): vscode.Task[] {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== "promela") return [];
    return [taskFor({ type: "gyre", model: document.uri.fsPath }, vscode.TaskScope.Workspace)];
  }

  resolveTask(task: vscode.Task): vscode.Task | undefined {
    const definition = task.definition as GyreTask;
    return definition.model ? taskFor(definition, task.scope ?? vscode.TaskScope.Workspace) : undefined;
  }
}

interface GyreTask extends vscode.TaskDefinition {
  model: string;
  arguments?: string[];
}

function taskFor(definition: GyreTask, scope: vscode.WorkspaceFolder | vscode.TaskScope): vscode.Task {
  const settings = settingsFor();
  const args = [...readingOptions(settings), ...(settings.embeddedC ? [] : ["--no-c"]), ...settings.arguments, ...(definition.arguments ?? []), definition.model];
  const task = new vscode.Task(definition, scope, "verify", "gyre", new vscode.ProcessExecution(settings.path, args), ["$gyre", "$gyre-verdict"]);
  task.group = vscode.TaskGroup.Build;
  return task;
}

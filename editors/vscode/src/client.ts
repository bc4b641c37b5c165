// The client of `gyre lsp`: diagnostics, names, completion, formatting … all come from there.
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";
import { settingsFor } from "./settings";

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;

  async start(): Promise<void> {
    const settings = settingsFor();
    const server: ServerOptions = { command: settings.path, args: ["lsp"] };
    const options: LanguageClientOptions = {
      documentSelector: [{ language: "promela" }],
      initializationOptions: { defines: settings.defines, includes: settings.includes, embeddedC: settings.embeddedC, clientCommands: true },
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{pml,prom,promela,spin,h}") },
    };
    this.client = new LanguageClient("gyre", "Gyre", server, options);
    await this.client.start();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.dispose();
  }

  dispose(): void {
    void this.stop();
  }
}

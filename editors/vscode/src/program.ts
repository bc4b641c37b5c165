// Calls of the program gyre. Knows nothing of VS Code.
import { spawn } from "node:child_process";
import type { Report, TestResult } from "./report";

export interface Settings {
  path: string;
  arguments: string[];
  defines: string[];
  includes: string[];
  embeddedC: boolean;
}

export interface Event {
  event: string;
  property?: string;
  verdict?: string;
  states?: number;
  result?: Report;
  [more: string]: unknown;
}

export interface Call {
  cwd?: string;
  signal?: AbortSignal;
  onLine?: (line: string) => void;
}

interface Done {
  status: number | null;
  out: string;
  err: string;
}

/** The program is not there, or said nothing that can be understood. */
export class GyreError extends Error {}

const KILL_AFTER_MS = 10000; // it has a report to write, perhaps on a busy machine

/** Runs it to its end. A signal stops it softly, then for good: what it knows by then is told. */
export function call(settings: Settings, args: string[], options: Call = {}): Promise<Done> {
  return new Promise((resolve, reject) => {
    const child = spawn(settings.path, args, { cwd: options.cwd, stdio: ["ignore", "pipe", "pipe"] });
    let out = "", err = "", rest = "";
    const stop = () => {
      child.kill("SIGTERM");
      setTimeout(() => child.kill("SIGKILL"), KILL_AFTER_MS).unref();
    };
    if (options.signal?.aborted) stop();
    options.signal?.addEventListener("abort", stop, { once: true });
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (!options.onLine) {
        out += text;
        return;
      }
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      lines.forEach(options.onLine);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    child.on("error", (error: NodeJS.ErrnoException) => {
      options.signal?.removeEventListener("abort", stop);
      const missing = error.code === "ENOENT";
      reject(new GyreError(missing ? `cannot find the program ${settings.path}: install Gyre, or set gyre.path` : error.message));
    });
    child.on("close", (status) => {
      options.signal?.removeEventListener("abort", stop);
      if (rest && options.onLine) options.onLine(rest);
      resolve({ status, out, err });
    });
  });
}

/** Options for reading a model. */
export function readingOptions(settings: Settings): string[] {
  return [...settings.defines.flatMap((d) => ["-D", d]), ...settings.includes.flatMap((d) => ["-I", d])];
}

export function verifyArguments(settings: Settings, model: string, property?: string, page?: string): string[] {
  return [
    "--events",
    ...readingOptions(settings),
    ...(settings.embeddedC ? [] : ["--no-c"]),
    ...settings.arguments,
    ...(property === "safety" ? ["--check", "safety"] : property ? ["--check", "liveness", "--ltl", property] : []),
    ...(page ? ["--html", page] : []),
    "--",
    model,
  ];
}

export interface Verification extends Call {
  property?: string;
  page?: string; // a file that becomes the report as a page
  onEvent?: (event: Event) => void;
}

/** Verifies a model: all that it states, or one property. */
export async function verify(settings: Settings, model: string, options: Verification = {}): Promise<Report> {
  let report: Report | undefined;
  const onLine = (line: string) => {
    let event: Event;
    try {
      event = JSON.parse(line);
    } catch {
      return;
    }
    if (event.event === "end" && event.result) report = event.result;
    else if (!event.event && "verdict" in event) report = event as unknown as Report; // wrong use
    else options.onEvent?.(event);
  };
  const done = await call(settings, verifyArguments(settings, model, options.property, options.page), { ...options, onLine });
  if (!report) throw new GyreError(done.err.trim() || `gyre ended with status ${done.status}`);
  return report;
}

/** The names of the ltl properties of a model, "safety" first. */
export async function propertyNames(settings: Settings, model: string, options: Call = {}): Promise<string[]> {
  const done = await call(settings, ["info", "--names", ...readingOptions(settings), "--", model], options);
  if (done.status !== 0) throw new GyreError(done.err.trim());
  return ["safety", ...done.out.split("\n").filter(Boolean)];
}

/** Runs what the models expect of themselves. */
export async function runTests(settings: Settings, models: string[], options: Call = {}): Promise<TestResult[]> {
  const args = ["test", "--json", ...readingOptions(settings), ...(settings.embeddedC ? [] : ["--no-c"]), "--", ...models];
  const done = await call(settings, args, options);
  try {
    const report = JSON.parse(done.out) as { tests?: TestResult[]; diagnostics?: { message: string }[] };
    if (report.tests) return report.tests;
    throw new GyreError(report.diagnostics?.[0]?.message ?? done.err.trim());
  } catch (error) {
    throw error instanceof GyreError ? error : new GyreError(done.err.trim() || `gyre test ended with status ${done.status}`);
  }
}

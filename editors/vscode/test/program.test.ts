// Calls of the program: verdicts, places, errors, stopping.
import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { test } from "node:test";
import { type Event, GyreError, propertyNames, runTests, verify, verifyArguments } from "../src/program";
import { problemsOf, summaryOf, testName, violatedProperty } from "../src/report";
import { example, settings } from "./gyre";

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "gyre-vscode-"));
process.on("exit", () => fs.rmSync(scratch, { recursive: true, force: true }));

function model(name: string, text: string): string {
  const file = path.join(scratch, name);
  fs.writeFileSync(file, text);
  return file;
}

test("a violated assertion is a problem where it stands, with the steps that lead there", async () => {
  const file = model("bad.pml", "byte x;\ninit {\n  x = 1;\n  x = 2;\n  assert(x == 1)\n}\n");
  const events: Event[] = [];
  const report = await verify(settings, file, { onEvent: (event) => events.push(event) });
  assert.equal(report.verdict, "violated");
  assert.equal(violatedProperty(report)?.name, "safety");
  const [problem, ...others] = problemsOf(report, file);
  assert.equal(others.length, 0);
  assert.deepEqual([problem.file, problem.line, problem.column, problem.severity], [file, 5, 3, "error"]);
  assert.match(problem.message, /assertion failed.*\(after 3 steps\)/);
  assert.deepEqual(problem.steps.map((step) => step.line), [3, 4, 5]);
  assert.match(summaryOf(report), /^violated: assertion failed/);
  assert.ok(events.some((event) => event.event === "verdict" && event.verdict === "violated"));
});

test("what holds has no problems; a property can be asked for alone", async () => {
  const all = await verify(settings, example("two_phase_commit.pml"));
  assert.equal(all.verdict, "holds");
  assert.deepEqual(problemsOf(all, "x"), []);
  const one = await verify(settings, example("traffic_light.pml"), { property: "safe" });
  assert.deepEqual(one.properties?.map((p) => p.name), ["safe"]);
  assert.equal(summaryOf(one), "holds");
});

test("a model that is wrong: its errors are problems", async () => {
  const file = model("wrong.pml", "init {\n  y = 1\n}\n");
  const report = await verify(settings, file);
  assert.equal(report.verdict, "error");
  const [problem] = problemsOf(report, file);
  assert.deepEqual([problem.file, problem.line, problem.column], [file, 2, 3]);
  assert.match(summaryOf(report), /undeclared/);
});

test("a search that is cut short is inconclusive, and says why", async () => {
  const report = await verify({ ...settings, arguments: ["--depth", "3"] }, example("peterson.pml"), { property: "safety" });
  assert.equal(report.verdict, "inconclusive");
  assert.equal(problemsOf(report, "p.pml")[0].severity, "warning");
});

test("embedded C is refused unless it is allowed", async () => {
  const file = model("c.pml", "c_decl { int n; }\ninit { c_code { n = 1; }; assert(c_expr { n == 1 }) }\n");
  assert.ok(verifyArguments(settings, file).includes("--no-c"));
  assert.ok(!verifyArguments({ ...settings, embeddedC: true }, file).includes("--no-c"));
  assert.equal((await verify(settings, file)).verdict, "error");
});

test("the program is missing", async () => {
  await assert.rejects(verify({ ...settings, path: path.join(scratch, "none") }, "x.pml"), (error: Error) => error instanceof GyreError && /gyre\.path/.test(error.message));
});

test("a run is stopped: it ends, and tells what it knows", async () => {
  const file = model("endless.pml", "int x, y, z;\nactive proctype P() { do :: x++ :: y++ :: z++ :: x = x * 3 + y od }\n");
  const stop = new AbortController();
  const report = verify({ ...settings, arguments: ["--threads", "1", "--memory", "300M", "--exact"] }, file, { signal: stop.signal, onEvent: () => stop.abort() });
  setTimeout(() => stop.abort(), 300);
  const verdict = await report.then((r) => r.verdict, (error) => (error instanceof GyreError ? "stopped" : error));
  assert.ok(["inconclusive", "violated", "stopped"].includes(verdict), verdict);
});

test("names of properties", async () => {
  assert.deepEqual(await propertyNames(settings, example("traffic_light.pml")), ["safety", "safe", "no_wait"]);
  await assert.rejects(propertyNames(settings, model("broken.pml", "init {")), GyreError);
});

test("expectations, with the lines where they stand", async () => {
  const tests = await runTests(settings, [example("peterson.pml")]);
  assert.deepEqual(tests.map((t) => [testName(t), t.passed, t.line]), [["holds", true, 13], ["violated with -D SWAPPED", true, 14]]);
  const file = model("unmet.pml", "/* gyre: expect violated */\ninit { skip }\n");
  const [unmet] = await runTests(settings, [file]);
  assert.deepEqual([unmet.passed, unmet.message, unmet.line], [false, "it holds", 1]);
  await assert.rejects(runTests(settings, [path.join(scratch, "nothing.pml")]), GyreError);
});

test("defines and folders are passed on", async () => {
  fs.mkdirSync(path.join(scratch, "inc"), { recursive: true });
  fs.writeFileSync(path.join(scratch, "inc", "n.h"), "byte n = N;\n");
  const file = model("n.pml", '#include "n.h"\ninit { assert(n == 3) }\n');
  const report = await verify({ ...settings, defines: ["N=3"], includes: [path.join(scratch, "inc")] }, file);
  assert.equal(report.verdict, "holds");
});

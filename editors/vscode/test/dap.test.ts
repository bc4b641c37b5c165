// The client that VS Code's own debug adapters are tested with against `gyre dap`: a counterexample is walked through
// both ways and compared with what `gyre --json` tells.
import * as assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { DebugClient } from "@vscode/debugadapter-testsupport";
import type { Counterexample } from "../src/report";
import { example, GYRE, without } from "./gyre";

const program = example("broken_mutex.pml"), skip = without("dap");
let client: DebugClient, walk: Counterexample;

function counterexample(): Counterexample {
  try {
    execFileSync(GYRE, [program, "--json"], { encoding: "utf8" });
  } catch (error) {
    return JSON.parse((error as { stdout: string }).stdout).properties[0].counterexample;
  }
  throw new Error("it should be violated");
}

interface Position {
  step: number;
  total: number;
}

const position = async () => (await client.customRequest("gyre/state")).body as Position;

before(async () => {
  if (skip) return;
  walk = counterexample();
  client = new DebugClient(GYRE, "dap", "gyre");
  client.defaultTimeout = 120000;
  await startAdapter();
});

/** DebugClient starts `node ADAPTER`; ours is a program of its own. */
async function startAdapter(): Promise<void> {
  const { spawn } = require("node:child_process") as typeof import("node:child_process");
  const child = spawn(GYRE, ["dap"], { stdio: ["pipe", "pipe", "inherit"] });
  (client as unknown as { connect(r: unknown, w: unknown): void }).connect(child.stdout, child.stdin);
}

after(async () => {
  if (!skip) await client.disconnectRequest();
});

test("launch: the counterexample stands at its start", { skip }, async () => {
  const entry = client.waitForEvent("stopped");
  await client.initializeRequest();
  const ready = client.waitForEvent("initialized").then(() => client.configurationDoneRequest());
  await Promise.all([client.launchRequest({ program, stopOnEntry: true } as never), ready]);
  assert.equal((await entry).body.reason, "entry");
  const at = await position();
  assert.deepEqual([at.step, at.total], [0, walk.steps.length]);
});

test("processes are threads", { skip }, async () => {
  const { threads } = (await client.threadsRequest()).body;
  assert.deepEqual(threads.map((thread) => thread.id), [1, 2]);
});

test("forwards: every step stands where the JSON says", { skip }, async () => {
  for (const [i, step] of walk.steps.entries()) {
    const { threads } = (await client.threadsRequest()).body;
    assert.ok(threads.some((thread) => thread.id === step.pid + 1));
    const frames = (await client.stackTraceRequest({ threadId: step.pid + 1 })).body.stackFrames;
    assert.deepEqual([frames[0].line, frames[0].column], [step.line, step.column], `step ${i + 1}`);
    const stopped = client.waitForEvent("stopped");
    await client.stepInRequest({ threadId: step.pid + 1 });
    await stopped;
    assert.equal((await position()).step, i + 1);
  }
});

test("backwards: to the start, with the values that it had", { skip }, async () => {
  for (let i = walk.steps.length; i > 0; i--) {
    const stopped = client.waitForEvent("stopped");
    await client.stepBackRequest({ threadId: 1 });
    await stopped;
    assert.equal((await position()).step, i - 1);
  }
  const frame = (await client.stackTraceRequest({ threadId: 1 })).body.stackFrames[0];
  assert.equal((await client.evaluateRequest({ expression: "inside", frameId: frame.id, context: "watch" })).body.result, "0");
});

test("a breakpoint, and a watch there", { skip }, async () => {
  const line = walk.steps[walk.steps.length - 1].line ?? 0;
  const { breakpoints } = (await client.setBreakpointsRequest({ source: { path: program }, breakpoints: [{ line, condition: "inside == 2" }] })).body;
  assert.ok(breakpoints[0].verified);
  const stopped = client.waitForEvent("stopped");
  await client.continueRequest({ threadId: 1 });
  const event = (await stopped).body;
  assert.equal(event.reason, "breakpoint");
  const frame = (await client.stackTraceRequest({ threadId: event.threadId })).body.stackFrames[0];
  assert.equal(frame.line, line);
  assert.equal((await client.evaluateRequest({ expression: "inside", frameId: frame.id, context: "watch" })).body.result, "2");
});

// What the tests share: the program that was built, and the models of the repository.
import { execFileSync } from "node:child_process";
import * as path from "node:path";
import type { Settings } from "../src/program";

export const EXTENSION = path.resolve(__dirname, "../..");
export const ROOT = path.resolve(EXTENSION, "../..");
export const GYRE = path.resolve(ROOT, process.env.GYRE ?? "build/gyre");
export const settings: Settings = { path: GYRE, arguments: [], defines: [], includes: [], embeddedC: false };
export const example = (name: string) => path.join(ROOT, "examples", name);

const commands: string[] = JSON.parse(execFileSync(GYRE, ["--print-options"], { encoding: "utf8" })).commands.map((c: { name: string }) => c.name);

/** For the tests of a server: false, or why they are left out. */
export const without = (command: string): string | false => !commands.includes(command) && `this gyre has no ${command}`;

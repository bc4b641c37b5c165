// Bundles the extension into out/extension.js, and with --tests the tests into out/test.
import { build } from "esbuild";
import { readdirSync, rmSync } from "node:fs";

const common = { bundle: true, platform: "node", format: "cjs", target: "node18", sourcemap: true, logLevel: "warning" };

await build({ ...common, entryPoints: ["src/extension.ts"], outfile: "out/extension.js", external: ["vscode"], minify: true });
if (process.argv.includes("--tests")) {
  rmSync("out/test", { recursive: true, force: true });
  const tests = readdirSync("test").filter((name) => name.endsWith(".test.ts")).map((name) => `test/${name}`);
  await build({ ...common, entryPoints: ["src/page.ts"], outfile: "out/page.js" }); // for a test in a browser
  await build({ ...common, entryPoints: tests, outdir: "out/test", external: ["vscode", "../extension.js"] });
}

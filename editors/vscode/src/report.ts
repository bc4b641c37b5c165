// What `gyre --json` tells, as far as the extension shows it, and what is made of it for the editor.
// Knows nothing of VS Code.

export type Verdict = "holds" | "violated" | "inconclusive" | "error";

export interface Step {
  step?: number;
  process: string;
  pid: number;
  file?: string;
  line?: number;
  column?: number;
  text: string;
}

export interface Counterexample {
  kind: string;
  message?: string | null;
  explanation?: string | null;
  length: number;
  cycle_start?: number | null;
  steps: Step[];
}

export interface Property {
  name: string;
  kind: string;
  verdict: Verdict;
  reason?: { code: string; text: string } | null;
  states?: number | null;
  counterexample?: Counterexample | null;
  counterexamples?: Counterexample[];
}

export interface Diagnostic {
  severity: "error" | "warning" | "note";
  message: string;
  hint?: string | null;
  file?: string | null;
  line?: number;
  column?: number;
  length?: number;
}

export interface Report {
  verdict: Verdict;
  model?: string;
  properties?: Property[];
  diagnostics?: Diagnostic[];
  stats?: { seconds?: number };
}

export interface TestResult {
  model: string;
  passed: boolean;
  seconds: number;
  message: string | null;
  line?: number;
  options?: string;
  property?: string | null;
  expected?: string;
  verdict?: string | null;
}

export interface Problem {
  file: string;
  line: number; // from 1
  column: number; // from 1
  severity: "error" | "warning";
  message: string;
  steps: Step[]; // that led to it
}

const MOST_STEPS = 100;

/** Where a counterexample ends: its last step that has a place. */
export function lastPlace(walk: Counterexample): Step | undefined {
  for (let i = walk.steps.length - 1; i >= 0; i--) {
    const step = walk.steps[i];
    if (step.file && step.line) return step;
  }
  return undefined;
}

/** One for each counterexample, at the place where it ends. What has no place is put at the model's start. */
export function problemsOf(report: Report, model: string): Problem[] {
  const problems: Problem[] = [];
  for (const property of report.properties ?? []) {
    if (property.verdict === "violated") {
      const walks = property.counterexamples ?? (property.counterexample ? [property.counterexample] : []);
      for (const walk of walks) problems.push(problemOf(property, walk, model));
      if (!walks.length) problems.push(plainProblem(model, "error", `${property.name}: ${property.reason?.text ?? "violated"}`));
    } else if (property.verdict === "inconclusive") {
      problems.push(plainProblem(model, "warning", `${property.name}: inconclusive: ${property.reason?.text ?? "a limit was reached"}`));
    }
  }
  for (const d of report.diagnostics ?? []) {
    if (report.verdict !== "error" || d.severity !== "error") continue;
    const message = d.hint ? `${d.message} (${d.hint})` : d.message;
    problems.push({ ...plainProblem(model, "error", message), file: d.file ?? model, line: d.line ?? 1, column: d.column ?? 1 });
  }
  return problems;
}

function plainProblem(file: string, severity: "error" | "warning", message: string): Problem {
  return { file, line: 1, column: 1, severity, message, steps: [] };
}

function problemOf(property: Property, walk: Counterexample, model: string): Problem {
  const at = lastPlace(walk);
  const why = walk.explanation ? `, because ${walk.explanation}` : "";
  const what = walk.message || walk.kind.replace(/-/g, " ");
  const name = property.name === property.kind ? "" : `${property.name}: `;
  return {
    file: at?.file ?? model,
    line: at?.line ?? 1,
    column: at?.column ?? 1,
    severity: "error",
    message: `${name}${what}${why} (after ${walk.length} step${walk.length === 1 ? "" : "s"})`,
    steps: walk.steps.slice(-MOST_STEPS),
  };
}

/** The first property that has a counterexample. */
export function violatedProperty(report: Report): Property | undefined {
  return (report.properties ?? []).find((p) => p.verdict === "violated" && (p.counterexample || p.counterexamples?.length));
}

/** One line for the status bar or a message. */
export function summaryOf(report: Report): string {
  const properties = report.properties ?? [];
  const bad = properties.filter((p) => p.verdict === report.verdict);
  switch (report.verdict) {
    case "holds":
      return properties.length === 1 ? "holds" : `all ${properties.length} properties hold`;
    case "violated":
      return `violated: ${bad.map((p) => (p.name === p.kind ? (p.reason?.text ?? p.name) : p.name)).join(", ")}`;
    case "inconclusive":
      return `inconclusive: ${bad[0]?.reason?.text ?? "a limit was reached"}`;
    default: {
      const error = (report.diagnostics ?? []).find((d) => d.severity === "error");
      return `the model is wrong: ${error?.message ?? "see the problems"}`;
    }
  }
}

/** The name of one expectation of `gyre test`, unique in its model. */
export function testName(test: TestResult): string {
  return [test.property, test.expected, test.options && `with ${test.options}`].filter(Boolean).join(" ") || "read";
}

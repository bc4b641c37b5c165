// The page that `gyre --html` writes, made fit for a web view: the same stepper, with a line to the editor.
// Knows nothing of VS Code.

/** What the page tells the editor: the step that is shown was executed here. */
export interface StepMessage {
  type: "step";
  step: number;
  total: number;
  file?: string;
  line?: number;
}

// Runs in the page, after its own script, whose `trace` is the stepper.
const BRIDGE = `
(() => {
  const editor = acquireVsCodeApi();
  const style = document.body.classList;
  const dark = style.contains("vscode-dark") || (style.contains("vscode-high-contrast") && !style.contains("vscode-high-contrast-light"));
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  const { moved } = trace.hooks;
  let ready = false;
  trace.hooks.moved = (at, state, step) => {
    moved(at, state, step);
    editor.setState({ at });
    if (ready) editor.postMessage({ type: "step", step: at, total: trace.walk.steps.length, file: step?.file, line: step?.line });
  };
  const before = editor.getState();
  if (trace.walk && before) trace.go(before.at);
  ready = true;
})();
`;

/** `nonce` is a fresh random word: only scripts that carry it are run. */
export function tracePage(html: string, nonce: string): string {
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'nonce-${nonce}'">`;
  const end = html.lastIndexOf("</body>");
  if (end < 0) throw new Error("the report is not a page");
  const bridged = `${html.slice(0, end)}<script nonce="${nonce}">${BRIDGE}</script>\n${html.slice(end)}`;
  return bridged.replace("<head>", `<head>\n${policy}`).replace(/<script>/g, `<script nonce="${nonce}">`);
}

// Asking the server: every request has the token that the page's address has.

const token = new URLSearchParams(location.search).get("token") || "";

export class Refusal extends Error {
  constructor(status, message) { super(message); this.status = status; }
}

async function send(method, path, query, body) {
  const address = path + (query ? "?" + new URLSearchParams(query) : "");
  let answer;
  try {
    answer = await fetch("/api/" + address, {
      method, headers: { "X-Gyre-Token": token, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      body: body === undefined ? undefined : JSON.stringify(body), cache: "no-store",
    });
  } catch {
    throw new Refusal(0, "gyre ui does not answer: it may have been ended in its terminal");
  }
  const text = await answer.text(), json = (answer.headers.get("Content-Type") || "").startsWith("application/json");
  if (!answer.ok) {
    let message = text.trim();
    try { message = JSON.parse(text).error; } catch { /* not JSON */ }
    throw new Refusal(answer.status, message);
  }
  return json ? JSON.parse(text) : text;
}

export const get = (path, query) => send("GET", path, query);
export const post = (path, body, query) => send("POST", path, query, body === undefined ? {} : body);
export const put = (path, body) => send("PUT", path, undefined, body);

/** The data of a record of the history: {sources, report, graph}. The page is read, never run. */
export async function record(name, id) {
  const page = await get("record", { name, record: id }), begin = '<script type="application/json" id="data">';
  const from = page.indexOf(begin) + begin.length; // in the data, "<" is written otherwise
  return JSON.parse(page.slice(from, page.indexOf("</script>", from)));
}

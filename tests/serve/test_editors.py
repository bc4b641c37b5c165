#!/usr/bin/env python3
# check: editors: Neovim and Emacs; seconds 3
"""Editors with their built-in clients, headless, configured with what docs/editors.md says: Neovim, and Emacs with Eglot.
A model with an error is opened: it is underlined; it is mended, and the mark goes; a definition is found; the text is
formatted. An editor that is not installed is told."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, "build", "gyre")
PATIENCE = 100  # seconds that an editor waits for an answer that always comes: only for when something is broken
WRONG = "byte count;\n\nactive proctype P() {\ncoutn = 1;\n    count = 2\n}\n"
RIGHT = "byte count;\n\nactive proctype P() {\n    count = 1;\n    count = 2\n}\n"
counts = {True: 0, False: 0}


def check(name, good, detail=""):
    counts[bool(good)] += 1
    if not good:
        print(f"FAILED: {name}\n{str(detail)[:3000]}")


def from_manual(language):
    with open(os.path.join(ROOT, "docs", "editors.md"), encoding="utf-8") as file:
        return re.search(rf"^```{language}\n(.*?)^```", file.read(), re.M | re.S)[1]


def run(folder, command):
    """What the editor wrote to result.json."""
    env = dict(os.environ, PATH=folder + os.pathsep + os.environ["PATH"], HOME=folder, XDG_CONFIG_HOME=folder, XDG_STATE_HOME=folder,
               XDG_DATA_HOME=folder, XDG_CACHE_HOME=folder)
    done = subprocess.run(command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=4 * PATIENCE + 60, check=False)
    try:
        with open(os.path.join(folder, "result.json"), encoding="utf-8") as file:
            return json.load(file), done.stdout.decode(errors="replace")
    except OSError:
        return {}, done.stdout.decode(errors="replace")


def judge(editor, result, output):
    check(f"{editor}: the error is underlined", result.get("line") == 4 and "undeclared variable `coutn`" in result.get("message", ""),
          (result, output))
    check(f"{editor}: mended, the mark goes", result.get("left") == 0, (result, output))
    check(f"{editor}: the definition is found", result.get("definition") == 1, (result, output))
    if result.get("formats"):
        check(f"{editor}: the text is formatted", result.get("text") == RIGHT, result)


# ---- Neovim -----------------------------------------------------------------------------------------

NEOVIM = """
local wait = %d * 1000
local result = {}
local function errors() return vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) end
vim.wait(wait, function() return #errors() > 0 end, 20)
local first = errors()[1] or { lnum = -1, message = "" }
result.line, result.message = first.lnum + 1, first.message
vim.api.nvim_buf_set_lines(0, 3, 4, false, { "count = 1;" })
vim.wait(wait, function() return #errors() == 0 end, 20)
result.left = #errors()
vim.api.nvim_win_set_cursor(0, { 5, 5 })
local answers = vim.lsp.buf_request_sync(0, "textDocument/definition", vim.lsp.util.make_position_params(), wait) or {}
for _, answer in pairs(answers) do
  local place = answer.result and (answer.result[1] or answer.result)
  if place and place.range then result.definition = place.range.start.line + 1 end
end
for _, client in pairs(vim.lsp.buf_get_clients(0)) do
  local can = client.resolved_capabilities and client.resolved_capabilities.document_formatting
    or client.server_capabilities and client.server_capabilities.documentFormattingProvider
  result.formats = can and true or false
end
if result.formats then
  if vim.lsp.buf.formatting_sync then vim.lsp.buf.formatting_sync(nil, wait) else vim.lsp.buf.format({ timeout_ms = wait }) end
  result.text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n") .. "\\n"
end
vim.fn.writefile({ vim.fn.json_encode(result) }, "result.json")
vim.cmd("qall!")
"""


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def neovim(folder):
    init = write(folder, "init.lua", from_manual("lua") + "vim.o.expandtab = true\nvim.o.shiftwidth = 4\nvim.o.tabstop = 4\n")
    script = write(folder, "test.lua", NEOVIM % PATIENCE)
    judge("Neovim", *run(folder, ["nvim", "--headless", "-u", init, "model.pml", "-c", f"luafile {script}", "-c", "cquit"]))
    shown = subprocess.run(["nvim", "--headless", "-u", "NONE", "-c", "set formatprg=gyre\\ format\\ -", "-c", "normal! gggqG", "-c",
                            "write! formatted.pml", "-c", "qall!", write(folder, "messy.pml", "init{skip}\n")], cwd=folder,
                           env=dict(os.environ, PATH=folder + os.pathsep + os.environ["PATH"], HOME=folder), stdin=subprocess.DEVNULL,
                           capture_output=True, timeout=PATIENCE, check=False)
    with open(os.path.join(folder, "formatted.pml"), encoding="utf-8") as file:
        check("Neovim: formatprg", file.read() == "init { skip }\n", shown)


# ---- Emacs ------------------------------------------------------------------------------------------

EMACS = """
(require 'eglot)
(require 'flymake)
(require 'json)
(setq eglot-autoshutdown nil eglot-send-changes-idle-time 0 flymake-no-changes-timeout nil
      eglot-sync-connect %(patience)d eglot-connect-timeout %(patience)d jsonrpc-default-request-timeout %(patience)d)
(defvar test-result nil)
(defun test-note (name value) (push (cons name value) test-result))
(defun test-errors ()
  (seq-filter (lambda (d) (memq (flymake-diagnostic-type d) '(eglot-error :error))) (flymake-diagnostics)))
(defun test-wait (done)
  (let ((end (+ (float-time) %(patience)d)))
    (while (and (not (funcall done)) (< (float-time) end))
      (accept-process-output nil 0.05)
      (flymake-start))))
(find-file "model.pml")
(let ((inhibit-message t)) (apply #'eglot (eglot--guess-contact)))
(flymake-mode 1)
(test-wait #'test-errors)
(let ((first (car (test-errors))))
  (test-note "line" (if first (line-number-at-pos (flymake-diagnostic-beg first)) -1))
  (test-note "message" (if first (flymake-diagnostic-text first) "")))
(goto-char (point-min))
(search-forward "coutn")
(replace-match "count")
(eglot--signal-textDocument/didChange)
(test-wait (lambda () (null (test-errors))))
(test-note "left" (length (test-errors)))
(goto-char (point-min))
(search-forward "count = 2")
(goto-char (+ 1 (match-beginning 0)))
(let* ((found (jsonrpc-request (eglot-current-server) :textDocument/definition (eglot--TextDocumentPositionParams)))
       (place (if (vectorp found) (aref found 0) found)))
  (test-note "definition" (1+ (plist-get (plist-get (plist-get place :range) :start) :line))))
(let ((can (eglot--server-capable :documentFormattingProvider)))
  (test-note "formats" (if can t :json-false))
  (when can
    (setq tab-width 4)
    (eglot-format-buffer)
    (test-note "text" (buffer-substring-no-properties (point-min) (point-max)))))
(with-temp-file "result.json" (insert (json-encode test-result)))
(set-buffer-modified-p nil)
(kill-emacs 0)
"""


def emacs(folder):
    config = from_manual("elisp").replace("/path/to/gyre", ROOT).replace("(add-hook", "#_(add-hook")
    config = "\n".join(line for line in config.splitlines() if not line.startswith("#_"))  # in batch, Eglot is called by hand
    write(folder, "init.el", config + EMACS % {"patience": PATIENCE})
    judge("Emacs", *run(folder, ["emacs", "--batch", "-l", "init.el"]))
    code = "(progn (setq byte-compile-error-on-warn t) (kill-emacs (if (byte-compile-file \"promela-mode.el\") 0 1)))"
    shutil.copy(os.path.join(ROOT, "editors", "emacs", "promela-mode.el"), folder)
    done = subprocess.run(["emacs", "--batch", "-Q", "--eval", code], cwd=folder, capture_output=True, timeout=PATIENCE, check=False)
    check("Emacs: the mode compiles without warnings", done.returncode == 0, done.stderr)


def has_eglot():
    done = subprocess.run(["emacs", "--batch", "--eval", "(kill-emacs (if (locate-library \"eglot\") 0 1))"], capture_output=True,
                          timeout=PATIENCE, check=False)
    return done.returncode == 0


def main():
    for editor, test, missing in (("nvim", neovim, "Neovim is not installed"), ("emacs", emacs, "Emacs is not installed")):
        if not shutil.which(editor):
            print(f"skipped: {missing}")
        elif editor == "emacs" and not has_eglot():
            print("skipped: Emacs has no Eglot (Emacs 29, or the package elpa-eglot)")
        else:
            with tempfile.TemporaryDirectory() as folder:
                os.symlink(GYRE, os.path.join(folder, "gyre"))
                write(folder, "model.pml", WRONG)
                test(folder)
    print(f"{counts[True]} passed, {counts[False]} failed")
    return counts[False] > 0


sys.exit(main())

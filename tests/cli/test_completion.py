#!/usr/bin/env python3
# check: cli: completion in shells; seconds 3
"""Completion in bash, zsh and fish, asked as somebody who types would ask: options of the command at hand,
their values, models, and the properties of the model that stands on the line. Ends with
`N passed, N failed`."""
import os
import pty
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from harness import GYRE, check, counts, expect, gyre

MODEL = """byte x;
active proctype P() { do :: x = 1 - x od }
ltl always_small { [] (x < 2) }
ltl again { [] <> (x == 1) }
#ifdef MORE
ltl more { [] (x < 3) }
#endif
"""
FILES = {"clock.pml": MODEL, "lift.dve": "", "notes.txt": "", "found.trail": "", "two words.pml": MODEL}

# What is typed, and what is offered, in any order. The last word is what is completed.
CASES = [
    ("gyre cl", {"clock.pml"}),
    ("gyre li", {"lift.dve"}),
    ("gyre no", {"notes.txt"}),             # no model is called so, but any file may be one
    ("gyre rep", {"replay"}),
    ("gyre replay cl", {"clock.pml"}),
    ("gyre replay clock.pml fo", {"found.trail"}),
    ("gyre test no", {"notes.txt"}),
    ("gyre beem m", {"models/"}),
    ("gyre clock.pml --partial-d", {"--partial-deadlock"}),
    ("gyre sim --inter", {"--interactive"}),
    ("gyre info --inter", set()),
    ("gyre info --nam", set()),
    ("gyre clock.pml --search d", {"deepening", "dfs"}),
    ("gyre clock.pml --trail fo", {"found.trail"}),
    ("gyre clock.pml -I m", {"models/"}),
    ("gyre clock.pml --ltl a", {"again", "always_small"}),
    ("gyre clock.pml --ltl mo", set()),
    ("gyre clock.pml -D MORE --ltl m", {"more"}),
    ("gyre clock.pml -DMORE=1 --ltl m", {"more"}),
    ("gyre clock.pml --expect v", {"violated"}),
]
# What these shells do each in their own way.
BASH = [
    ("gyre clock.pml --search = d", {"deepening", "dfs"}),    # bash breaks words at `=`
    ("gyre clock.pml --ltl = al", {"always_small"}),
    ("gyre clock.pml -D MORE = 1 --ltl m", {"more"}),
    ("gyre clock.pml --check safety,l", {"safety,liveness"}),
    ("gyre clock.pml --expect ag", {"again="}),
    ("gyre clock.pml --expect again = v", {"violated"}),
]
FISH = [
    ("gyre clock.pml --search=d", {"--search=deepening", "--search=dfs"}),
    ("gyre clock.pml --check safety,l", {"safety,liveness"}),
    ("gyre clock.pml --expect again=v", {"again=violated"}),
    ("gyre two\\ words.pml --ltl ag", {"again"}),
]
ZSH = [
    ("gyre clock.pml --search=d", {"deepening", "dfs"}),
    ("gyre clock.pml --check safety,l", {"liveness"}),
    ("gyre clock.pml --expect again=v", {"violated"}),
    ("gyre two\\ words.pml --ltl ag", {"again"}),
]

# What compadd adds goes to a file as well; ^G says that the answer is complete.
ZSH_SETUP = r"""
PROMPT=; RPROMPT=; unset zle_bracketed_paste; LISTMAX=10000; stty columns 400
autoload -Uz compinit; compinit -u -D; source $SCRIPT
zstyle ':completion:*' completer _complete
zstyle ':completion:*' file-patterns '%p:globbed-files *(-/):directories' '*:all-files'
compadd() {
    if [[ " $* " != *' '-[OAD]' '* ]]; then
        local -a hits; builtin compadd -O hits "$@"
        local hit; for hit in $hits; do [[ -d $hit ]] && hit+=/; print -r -- $hit >>$HITS; done
    fi
    builtin compadd "$@"
}
finish() { print '(complete)' >>$HITS; BUFFER= }; zle -N finish; bindkey '^G' finish; bindkey '^I' complete-word
print '(ready)' >>$HITS
"""


def offered_by_bash(script, line):
    words = line.split(" ")
    quoted = " ".join(shlex.quote(word) for word in words)
    code = (f"source {script}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _gyre; "
            "printf '%s\\n' \"${COMPREPLY[@]}\"")
    done = subprocess.run(["bash", "--norc", "-c", code], capture_output=True, text=True, timeout=300)
    offers = {offer + ("/" if os.path.isdir(offer) else "") for offer in done.stdout.split("\n") if offer}
    return offers, done.stderr


def offered_by_fish(script, line):
    code = f"source {script}; complete -C {shlex.quote(line)}"
    done = subprocess.run(["fish", "-N", "-c", code], capture_output=True, text=True, timeout=300)
    return {offer.split("\t")[0] for offer in done.stdout.splitlines()}, done.stderr


class Zsh:
    """One that completes on a terminal."""

    def __init__(self, script, folder):
        self.hits = os.path.join(folder, "hits")
        setup = os.path.join(folder, "setup.zsh")
        with open(setup, "w", encoding="utf-8") as file:
            file.write(ZSH_SETUP)
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ.update(SCRIPT=script, HITS=self.hits, TERM="xterm")
            os.execvp("zsh", ["zsh", "-f", "-i"])
        self.wait(f"source {setup}\n", "(ready)")

    def wait(self, typed, mark):
        """What is in the file of hits when the mark comes."""
        os.write(self.terminal, typed.encode())
        end = time.time() + 60
        while time.time() < end:
            if select.select([self.terminal], [], [], 0.02)[0]:
                os.read(self.terminal, 65536)
            if os.path.exists(self.hits):
                with open(self.hits, encoding="utf-8") as file:
                    lines = file.read().splitlines()
                if mark in lines:
                    os.remove(self.hits)
                    return set(lines) - {mark}
        return {f"(nothing after a minute: {typed!r})"}

    def offered(self, _, line):
        return self.wait(line + "\t\x07", "(complete)"), ""

    def close(self):
        os.close(self.terminal)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def written(shell, folder):
    script = os.path.join(folder, "gyre." + shell)
    with open(script, "w", encoding="utf-8") as file:
        file.write(gyre("--print-completion", shell).out)
    return script


def compare(shell, ask, cases, folder):
    for line, wanted in cases:
        offers, errors = ask(os.path.join(folder, "gyre." + shell), line)
        check(f"{shell}: `{line}`", offers == wanted and not errors, f"{offers}, not {wanted}\n{errors}")


def main():
    expect("no such model", gyre("info", "--names", "nowhere.pml"), 2)
    with tempfile.TemporaryDirectory(prefix="gyre-completion-") as folder:
        os.symlink(GYRE, os.path.join(folder, "gyre"))
        work = os.path.join(folder, "work")
        os.makedirs(os.path.join(work, "models"))
        for name, text in FILES.items():
            with open(os.path.join(work, name), "w", encoding="utf-8") as file:
                file.write(text)
        os.environ["PATH"] = folder + os.pathsep + os.environ["PATH"]
        os.environ["HOME"] = folder
        os.chdir(work)
        for shell, ask, own in (("bash", offered_by_bash, BASH), ("fish", offered_by_fish, FISH), ("zsh", None, ZSH)):
            script = written(shell, folder)
            if not shutil.which(shell):
                check(f"{shell} is installed", False)
            elif ask:
                compare(shell, ask, CASES + own, folder)
            else:
                zsh = Zsh(script, folder)
                compare(shell, zsh.offered, CASES + own, folder)
                zsh.close()
    print(f"{counts[True]} passed, {counts[False]} failed")
    return 1 if counts[False] else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Ask Spin 6.5.2 what a Promela model means, and return the answer as a dict.

This is the one place where the tests run Spin.  Nothing here is taken from
Gyre: the numbers it returns are Spin's own, produced by
``spin -a -o1 -o2 -o3``, a C compiler and the resulting verifier ``pan``.

As a module:

    oracle.safety(model)            exact depth-first count, every error counted
    oracle.bfs(model)               length of Spin's breadth-first counterexample
    oracle.shortest(model)          shortest counterexample of a depth-first
                                    search (pan -i, -DREACH), and its kind
    oracle.liveness(model, "-a")    acceptance ("-a"), with weak fairness
                                    ("-a -f"), or non-progress ("-l")
    oracle.replay(model, trail)     does ``spin -t -p -k TRAIL`` get to the end?

On the command line: ``oracle.py MODEL [--json] [--bfs] ...``, see --help;
``oracle.py --table DIR`` prints the table of expected results of a folder.

Keys of the dict
    accepted     spin -a made a verifier (exit status 0)
    crashed      spin -a died on a signal
    messages     what spin -a printed
    verdict      holds | violated | error (no answer: see `problem`)
    problem      None, or: rejected, cc-failed, time-out, out-of-memory,
                 depth-limit, killed-by-signal-N, unconditional-self-loop (pan
                 refuses `do :: skip od`), no-summary
    errors       how many errors Spin counted (-c0: all of them)
    kinds        kinds of these errors, in order of discovery, without repeats
    states, transitions, matched, atomic_steps, depth
                 Spin's figures; transitions = states + matched.  None where pan
                 died before it could print them.  `complete` is False where the
                 search stopped before its end, so that they are no exact count.
    unreached    list of {proctype, file, line, state, text}
    length       (bfs, shortest, liveness) steps of the counterexample
    trail        (bfs, shortest, liveness) its text

Kinds (the vocabulary of Gyre's JSON reports; Spin's words in brackets)
    assertion               assert() is false [assertion violated EXPR]
    invalid-end-state       no step is left and a process isn't at a valid end
                            [invalid end state]
    index-out-of-bounds     [assertion violated - invalid array index]
    division-by-zero        also `%` [pan dies: SIGFPE]
    d_step-blocks           [block in d_step seq, blocking sel in d_step]
    d_step-rendezvous       a rendezvous inside d_step [rv-attempt in d_step]
    too-many-processes      more than 255 [too many processes]
    too-many-channels       more than 255 [too many queues]
    uninitialised-channel   send, receive or poll on channel 0
                            [ref to uninitialized chan name ...]
    message-arity           more or fewer fields than the channel has
                            [missing pars in receive, too many/few parameters]
    embedded-c              a precondition is false [c_code line N precondition false]
    exclusive-access        xr/xs is not respected [xs/xr chans ...]
    trace-violation         an event that the trace cannot do, or the last one of a
                            notrace [event_trace error ...]
                            [event_trace not completed + invalid end state]
    trace-nondeterminism    two moves of the trace match [non-determinism in ...]
    nondeterminism          two statements of a D_proctype can be executed
                            [non-determinism in D_proctype]
    priority-out-of-range   [priority is out of range]
    enabled-self            enabled(_pid) [used: enabled(pid=thisproc)]
    claim-end               a never claim reached its closing brace
                            [end state in claim reached]
    ltl-violation           a safety formula's claim fails [assertion violated !(..)]
    acceptance-cycle        [acceptance cycle; also accept stutter]
    non-progress-cycle      [non-progress cycle]
    other                   none of these (look at `raw`)
"""

import argparse
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SPIN = os.environ.get("GYRE_SPIN", "spin")
EXACT = ["-o1", "-o2", "-o3"]
FIRST_DEPTH = 10_000
LAST_DEPTH = 10_000_000
CACHE_VERSION = "6"

KINDS = [
    (r"assertion violated - invalid array index", "index-out-of-bounds"),
    (r"assertion violated +!\(.*\)$", "assertion"),     # refined for claims below
    (r"assertion violated", "assertion"),
    (r"event_trace not completed", "invalid-end-state"),
    (r"invalid end state", "invalid-end-state"),
    (r"event_trace error", "trace-violation"),
    (r"non-determinism in event-trace", "trace-nondeterminism"),
    (r"non-determinism in D_proctype", "nondeterminism"),
    (r"block in d_step|blocking sel in d_step", "d_step-blocks"),
    (r"rv-attempt in d_step", "d_step-rendezvous"),
    (r"too many processes", "too-many-processes"),
    (r"too many queues", "too-many-channels"),
    (r"c_(code|expr) line \d+ precondition false", "embedded-c"),
    (r"ref to uninitialized chan|ref to unknown chan", "uninitialised-channel"),
    (r"missing pars in receive|parameters in send stmnt|wrong nr of msg fields",
     "message-arity"),
    (r"x\[rs\] claim|x[rs] chans? cannot|x[rs] channel|partial order reduction invalid|"
     r"poll rendezvous", "exclusive-access"),
    (r"priority is out of range", "priority-out-of-range"),
    (r"used: enabled", "enabled-self"),
    (r"end state in claim reached", "claim-end"),
    (r"acceptance cycle|accept stutter|accept cycle", "acceptance-cycle"),
    (r"non-progress cycle", "non-progress-cycle"),
]

# what spin -t prints when a trail doesn't fit the model (guided.c)
COMPLAINTS = [
    r"no matching stmnt", r"stop error", r"no process \d+", r"\(\?\)",
    r"error: invalid statement", r"transition failed", r"cannot find trail file",
    r"depth-limit", r"used search permutation", r"stmnt in d_step blocks",
    r"rv-attempt in d_step", r"^step \d+: proc", r"wrong number of parameters",
]


# -- running things -------------------------------------------------------------

def _limits(memory_mb, cpu_seconds):
    def apply():
        soft = memory_mb * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_AS, (soft, soft))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))
    return apply


def _run(argv, cwd, seconds, memory_mb=4096):
    """(exit status or None on time-out, output of both streams)"""
    try:
        done = subprocess.run(
            argv, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=seconds,
            preexec_fn=_limits(memory_mb, int(seconds) + 1))
    except subprocess.TimeoutExpired as late:
        return None, (late.stdout or b"").decode("utf-8", "replace")
    return done.returncode, done.stdout.decode("utf-8", "replace")


_spin_version = None


def spin_version():
    global _spin_version
    if _spin_version is None:
        _spin_version = subprocess.run([SPIN, "-V"], stdout=subprocess.PIPE,
                                       text=True).stdout.strip()
    return _spin_version


# -- the cache ------------------------------------------------------------------

def _with_includes(path, seen=None):
    """The bytes of a model and of all that it #includes, for the cache key."""
    seen = set() if seen is None else seen
    path = os.path.abspath(path)
    if path in seen or not os.path.isfile(path):
        return b""
    seen.add(path)
    with open(path, "rb") as handle:
        text = handle.read()
    parts = [text]
    for name in re.findall(rb'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', text, re.M):
        other = os.path.join(os.path.dirname(path), name.decode("utf-8", "replace"))
        parts.append(b"\0" + name + b"\0" + _with_includes(other, seen))
    return b"".join(parts)


def cache_dir(given=None):
    if given:
        return given
    if os.environ.get("GYRE_ORACLE_CACHE"):
        return os.environ["GYRE_ORACLE_CACHE"]
    here = os.path.dirname(os.path.abspath(__file__))
    return os.path.join(here, "..", "..", "build", "oracle-cache")


def _cache_path(directory, model, options):
    key = hashlib.sha256()
    key.update(CACHE_VERSION.encode())
    key.update(spin_version().encode())
    key.update(json.dumps(options, sort_keys=True).encode())
    key.update(os.path.basename(model).encode())
    key.update(b"\0" + _with_includes(model))
    digest = key.hexdigest()
    return os.path.join(directory, digest[:2], digest + ".json")


def _cache_read(path):
    try:
        with open(path) as handle:
            return json.load(handle)
    except (OSError, ValueError):
        return None


def _cache_write(path, value):
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        fd, temporary = tempfile.mkstemp(dir=os.path.dirname(path))
        with os.fdopen(fd, "w") as handle:
            json.dump(value, handle)
        os.replace(temporary, path)
    except OSError:
        pass                                    # a cache that fails is only slow


# -- reading what pan printed ---------------------------------------------------

def kind_of(message, claim=False):
    for pattern, kind in KINDS:
        if re.search(pattern, message):
            if claim and kind == "assertion" and re.search(r"violated +!\(", message):
                return "ltl-violation"
            return kind
    return "other"


def _number(pattern, text):
    found = re.search(pattern, text, re.M)
    return int(float(found.group(1))) if found else None


def _unreached(text):
    rows, where = [], None
    for line in text.splitlines():
        head = re.match(r"unreached in (?:proctype )?(.*)$", line)
        if head:
            where = head.group(1).strip()
            continue
        row = re.match(r'\t(.*):(\d+), state (\d+), "(.*)"$', line)
        if row and where:
            rows.append({"proctype": where, "file": os.path.basename(row.group(1)),
                         "line": int(row.group(2)), "state": int(row.group(3)),
                         "text": row.group(4)})
    return rows


def _parse(text, claim):
    incomplete = bool(re.search(r"Warning: Search not completed", text))
    kinds, raw, last = [], [], None
    for line in text.splitlines():
        found = re.match(r"pan:\d+: (.*) \(at depth (-?\d+)\)", line)
        if not found:
            continue
        kind = kind_of(found.group(1), claim)
        raw.append(found.group(1))
        last = kind
        if kind not in kinds:
            kinds.append(kind)
    return {
        "kinds": kinds,
        "last_kind": last,
        "raw": raw,
        "errors": _number(r"depth reached -?\d+.*errors: (\d+)", text),
        "states": _number(r"^\s*([\d.e+]+) states, stored", text),
        "nominal": _number(r"^\s*([\d.e+]+) nominal states", text),
        "matched": _number(r"^\s*([\d.e+]+) states, matched", text),
        "transitions": _number(r"^\s*([\d.e+]+) transitions", text),
        "atomic_steps": _number(r"^\s*([\d.e+]+) atomic steps", text),
        "depth": _number(r"depth reached (-?\d+)", text),
        "visited": _number(r"\(([\d.e+]+) visited\)", text),
        "complete": not incomplete,
        "unreached": _unreached(text),
    }


# -- one run --------------------------------------------------------------------

def _empty(accepted, messages, crashed=False):
    return {"accepted": accepted, "crashed": crashed, "messages": messages,
            "verdict": "error", "problem": None, "errors": None, "kinds": [],
            "raw": [], "states": None, "transitions": None, "matched": None,
            "atomic_steps": None, "depth": None, "complete": False, "unreached": []}


def _generate(model, where, options, seconds):
    """Run spin -a.  Returns a dict with accepted, crashed and messages."""
    status, text = _run([SPIN, "-a", *options, os.path.abspath(model)], where, seconds)
    base = os.path.dirname(os.path.abspath(model)) + os.sep
    text = text.replace(base, "")
    made = os.path.exists(os.path.join(where, "pan.c"))
    result = _empty(status == 0 and made, text.strip().splitlines(),
                    crashed=status is not None and status < 0)
    if status is None:
        result["problem"] = "time-out"
    elif not result["accepted"]:
        result["problem"] = "rejected"
    return result


def _compile(where, compiler, flags, seconds):
    argv = {"tcc": ["tcc"], "gcc": ["gcc", "-O1"], "gcc2": ["gcc", "-O2"],
            "clang": ["clang", "-O1"]}[compiler]
    status, text = _run([*argv, "-w", *flags, "-o", "pan", "pan.c", "-lm"], where, seconds)
    return status == 0, text


def _compilers(wanted):
    if wanted != "auto":
        return [wanted]
    return (["tcc"] if shutil.which("tcc") else []) + ["gcc"]


def _trail(where, model):
    path = os.path.join(where, os.path.basename(model) + ".trail")
    try:
        with open(path) as handle:
            return handle.read()
    except OSError:
        return None


def trail_length(trail):
    """Steps in a trail (the lines with a negative depth are remarks)."""
    return sum(1 for line in trail.splitlines() if re.match(r"\d+:", line))


def _verify(model, flags, arguments, compiler, seconds, memory_mb, claim, spin_options):
    """Generate, compile and run; raise depth and vector size until they suffice."""
    with tempfile.TemporaryDirectory(prefix="gyre-oracle-") as where:
        result = _generate(model, where, spin_options, min(seconds, 60))
        if not result["accepted"]:
            return result
        choices = _compilers(compiler)
        extra, depth, width = [], FIRST_DEPTH, 18
        index, built, deadline = 0, False, time.monotonic() + seconds
        while True:
            chosen = choices[index]
            last = index + 1 == len(choices)
            if not built:
                ok, text = _compile(where, chosen, [*flags, *extra], 120)
                if not ok:
                    if last:
                        result["problem"] = "cc-failed"
                        result["raw"] = text.splitlines()[:5]
                        return result
                    index += 1
                    continue
                built = True
            left = deadline - time.monotonic()
            if left <= 0:
                result["problem"] = "time-out"
                return result
            # tcc's code is slow: leave a long search to the optimising compiler
            allowed = left if last else min(left, 6)
            status, text = _run(["./pan", *arguments, f"-m{depth}", f"-w{width}"],
                                where, allowed, memory_mb)
            if status is None:
                if last:
                    result["problem"] = "time-out"
                    return result
                index, built = index + 1, False
                continue
            if "max search depth too small" in text and "-i" not in arguments:
                if depth >= LAST_DEPTH:
                    result.update(_parse(text, claim))
                    result["problem"], result["complete"] = "depth-limit", False
                    return result
                depth *= 10
                continue
            if "VECTORSZ" in text:
                need = _number(r"with N>(\d+)", text) or 4096
                extra = [f for f in extra if "VECTORSZ" not in f]
                extra.append(f"-DVECTORSZ={max(4096, 4 * need)}")
                built = False
                if need > 10_000_000:
                    result["problem"] = "out-of-memory"
                    return result
                continue
            if re.search(r"NFAIR", text) and "-f" in arguments:
                extra.append("-DNFAIR=%d" % (3 + sum("NFAIR" in f for f in extra)))
                built = False
                continue
            break
        if status < 0:
            if -status == signal.SIGFPE:
                result.update(verdict="violated", kinds=["division-by-zero"], errors=1)
                result["complete"] = False
                return result
            if not last:                        # a miscompiled pan? ask the other one
                return _verify(model, flags, arguments, choices[-1], seconds, memory_mb,
                               claim, spin_options)
            result["problem"] = f"killed-by-signal-{-status}"
            return result
        result.update(_parse(text, claim))
        result["compiler"] = chosen
        if result["states"] is None:
            memory = "out of memory" in text or "memory limit" in text
            result["problem"] = "out-of-memory" if memory else "no-summary"
            if "unconditional self-loop" in text:
                result["problem"] = "unconditional-self-loop"
            result["raw"] = result["raw"] or text.splitlines()[:5]
            return result
        if re.search(r"reached -DMEMLIM|pan: out of memory", text):
            result["problem"], result["complete"] = "out-of-memory", False
        result["verdict"] = "violated" if result["errors"] else "holds"
        trail = _trail(where, model)
        result["trail"] = trail
        result["length"] = trail_length(trail) if trail is not None else None
        return result


def _ask(model, options, compute, cache, use_cache):
    path = _cache_path(cache_dir(cache), model, options)
    if use_cache:
        known = _cache_read(path)
        if known is not None:
            return known
    result = compute()
    result["spin"] = spin_version()
    if use_cache and result["problem"] != "time-out":
        _cache_write(path, result)
    return result


def _mode(name, model, flags, arguments, claim=False, compiler="auto", seconds=60,
          memory_mb=3072, cache=None, use_cache=True, spin_options=EXACT):
    options = {"mode": name, "flags": flags, "arguments": arguments,
               "spin": list(spin_options), "compiler": compiler, "memory": memory_mb}
    return _ask(model, options,
                lambda: _verify(model, flags, arguments, compiler, seconds, memory_mb,
                                claim, spin_options),
                cache, use_cache)


# -- the questions --------------------------------------------------------------

def safety(model, claim=False, unreached=True, **rest):
    """Exact count of a depth-first safety search, all errors counted.

    A never claim or ltl formula is left out (-DNOCLAIM) unless `claim` is true or
    the name of one, in which case it takes part as a safety automaton."""
    flags = ["-DSAFETY", "-DNOREDUCE"] + ([] if claim else ["-DNOCLAIM"])
    arguments = ["-c0"] + ([] if unreached else ["-n"])
    if isinstance(claim, str):
        arguments += ["-N", claim]
    return _mode("safety", model, flags, arguments, bool(claim), **rest)


def bfs(model, claim=False, **rest):
    """Spin's breadth-first search up to the first error: `length` and `trail`.

    Its state counts are not exact (it stores states inside atomic), and it misses
    invalid end states behind a rendezvous; see shortest()."""
    flags = ["-DSAFETY", "-DNOREDUCE", "-DBFS"] + ([] if claim else ["-DNOCLAIM"])
    return _mode("bfs", model, flags, ["-c1"], bool(claim), **rest)


def shortest(model, claim=False, **rest):
    """The shortest counterexample in Spin's steps: the better of two searches.

    Runs pan -i -DREACH (depth-first with a shrinking bound) and -DBFS.  The result
    has the `kind`, `length` and `trail` of the shorter one."""
    flags = ["-DSAFETY", "-DNOREDUCE", "-DREACH"] + ([] if claim else ["-DNOCLAIM"])
    first = _mode("shortest", model, flags, ["-i"], bool(claim), **rest)
    second = bfs(model, claim, **rest)
    usable = [r for r in (first, second) if r.get("length") is not None]
    best = dict(min(usable, key=lambda r: r["length"]) if usable else first)
    # with -i pan names only the first error: take the last one it saw
    best["kind"] = best.get("last_kind") or (best["kinds"][-1] if best["kinds"] else None)
    best["bfs_length"] = second.get("length")
    return best


def liveness(model, mode="-a", prop=None, all_errors=False, **rest):
    """Cycle search: mode is "-a", "-a -f", "-l" or "-l -f"; prop names a claim."""
    words = mode.split()
    flags = ["-DNOREDUCE"]
    if "-l" in words:
        flags += ["-DNP"]
        if not prop:
            flags += ["-DNOCLAIM"]
    arguments = words + (["-c0"] if all_errors else ["-c1"])
    if prop and prop != "-":
        arguments += ["-N", prop]
    return _mode("liveness", model, flags, arguments, True, **rest)


def accepts(model, **rest):
    """Only spin -a: is the model accepted, and what does Spin say about it?"""
    def compute():
        with tempfile.TemporaryDirectory(prefix="gyre-oracle-") as where:
            return _generate(model, where, EXACT, 60)
    cache, use_cache = rest.get("cache"), rest.get("use_cache", True)
    return _ask(model, {"mode": "accepts"}, compute, cache, use_cache)


def replay(model, trail, options=(), seconds=30):
    """Run `spin -t -p -k TRAIL MODEL`; `ok` says that it got to the end unharmed.

    `trail` is a path, or the text of a trail.  Keys: ok, steps, complaints (the
    lines in which Spin disagrees), assertion (the replay ends in a failed assert),
    output."""
    with tempfile.TemporaryDirectory(prefix="gyre-oracle-") as where:
        path = trail
        if not trail or "\n" in trail or not os.path.exists(trail):
            path = os.path.join(where, "given.trail")
            with open(path, "w") as handle:
                handle.write(trail)
        status, text = _run([SPIN, "-t", "-p", *options, "-k", os.path.abspath(path),
                             os.path.abspath(model)], where, seconds)
    complaints = [line for line in text.splitlines()
                  if any(re.search(p, line) for p in COMPLAINTS)]
    ended = re.search(r"trail ends after (-?\d+) steps", text)
    if status is None:
        complaints.append("time-out")
    elif status < 0:
        complaints.append(f"spin died on signal {-status}")
    return {"ok": bool(ended) and not complaints,
            "steps": int(ended.group(1)) if ended else None,
            "complaints": complaints,
            "assertion": "assertion violated" in text,
            "output": text}


# -- tables of expected results -------------------------------------------------

TABLE_HEAD = ["path", "verdict", "kind", "states", "transitions", "errors", "origin", "note"]


def _header(path):
    """The `// what:` and `// expect:` lines at the head of a model."""
    found = {}
    with open(path, errors="replace") as handle:
        for line in handle:
            match = re.match(r"\s*// (what|expect|note): *(.*)", line)
            if match:
                found.setdefault(match.group(1), match.group(2).strip())
            elif found and not line.startswith("//"):
                break
    return found


def models(root):
    """All models below a folder, liveness/ (which has its own table) left out."""
    for folder, names, files in os.walk(root):
        names.sort()
        if os.path.relpath(folder, root) == "liveness":
            names[:] = []
            continue
        for name in sorted(files):
            if name.endswith(".pml"):
                yield os.path.relpath(os.path.join(folder, name), root)


def _show(value):
    return "-" if value is None else str(value)


def table_row(root, path, **rest):
    full = os.path.join(root, path)
    header = _header(full)
    note = header.get("note", "")
    if "expect" in header:
        # // expect: VERDICT KIND STATES TRANSITIONS ERRORS; REASON
        facts, _, reason = header["expect"].partition(";")
        words = facts.split()
        if len(words) != 5:
            raise ValueError(f"{path}: expect: needs five words and a reason")
        return [path, *words, "hand", reason.strip()]
    result = safety(full, **rest)
    if not result["accepted"]:
        return [path, "rejected", "-", "-", "-", "-", "spin", note]
    if result["problem"]:
        raise ValueError(f"{path}: {result['problem']} {result['raw']}")
    if result["verdict"] == "holds":
        kind = "-"
    else:
        kind = shortest(full, **rest)["kind"] or result["kinds"][0]
        if len(result["kinds"]) > 1:
            others = "also " + ", ".join(k for k in result["kinds"] if k != kind)
            note = f"{note}; {others}" if note else others
    if not result["complete"]:
        raise ValueError(f"{path}: search not completed {result['raw']}")
    return [path, result["verdict"], kind, _show(result["states"]),
            _show(result["transitions"]), _show(result["errors"]), "spin", note]


def table(root, **rest):
    yield TABLE_HEAD
    for path in models(root):
        yield table_row(root, path, **rest)


LIVENESS_HEAD = ["path", "property", "mode", "verdict", "kind", "states", "transitions",
                 "origin", "note"]


def liveness_rows(root, path, **rest):
    """A liveness model says in `// run:` lines what to ask: MODE [PROPERTY]."""
    full = os.path.join(root, path)
    note = _header(full).get("note", "")
    with open(full) as handle:
        runs = re.findall(r"^// run: *(.*)$", handle.read(), re.M)
    if not runs:
        raise ValueError(f"{path}: no // run: line")
    for run in runs:
        asked, _, expect = run.partition(";")
        words = asked.split()
        flags = [w for w in words if w.startswith("-")]
        name = next((w for w in words if not w.startswith("-")), "-")
        mode = " ".join(flags)
        if expect.strip():
            facts, _, reason = expect.strip().removeprefix("expect:").strip().partition(";")
            parts = (facts.split() + ["-"] * 4)[:4]
            yield [path, name, mode, *parts, "hand", reason.strip() or note]
            continue
        result = liveness(full, mode, None if name == "-" else name, **rest)
        if not result["accepted"] or result["problem"]:
            raise ValueError(f"{path}: {result['problem']} {result['messages']} {result['raw']}")
        clean = result["verdict"] == "holds"
        yield [path, name, mode, result["verdict"],
               "-" if clean else result["kinds"][0],
               _show(result["states"] if clean else None),
               _show(result["transitions"] if clean else None), "spin", note]


def liveness_table(root, **rest):
    yield LIVENESS_HEAD
    for name in sorted(os.listdir(root)):
        if name.endswith(".pml"):
            yield from liveness_rows(root, name, **rest)


# -- command line ---------------------------------------------------------------

def main(argv=None):
    parser = argparse.ArgumentParser(description="Ask Spin 6.5.2 about a Promela model.")
    parser.add_argument("model", nargs="?", help="a model, or a folder with --table")
    parser.add_argument("--json", action="store_true", help="print the whole answer as JSON")
    parser.add_argument("--bfs", action="store_true", help="breadth-first, first error only")
    parser.add_argument("--shortest", action="store_true", help="shortest counterexample")
    parser.add_argument("--accepts", action="store_true", help="run spin -a only")
    parser.add_argument("--liveness", metavar="MODE", help="'-a', '-a -f', '-l' or '-l -f'")
    parser.add_argument("--claim", metavar="NAME", nargs="?", const=True, default=False,
                        help="keep the never claim or ltl formula in")
    parser.add_argument("--replay", metavar="TRAIL", help="replay a trail with spin -t")
    parser.add_argument("--table", metavar="DIR", help="print expected.tsv of a folder")
    parser.add_argument("--liveness-table", metavar="DIR")
    parser.add_argument("--check", metavar="FILE", help="with a table: compare, print changes")
    parser.add_argument("--compiler", default="auto",
                        choices=["auto", "tcc", "gcc", "gcc2", "clang"])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--memory", type=int, default=3072, help="MiB")
    parser.add_argument("--cache", help="folder; default $GYRE_ORACLE_CACHE or build/oracle-cache")
    parser.add_argument("--no-cache", action="store_true")
    given = parser.parse_args(argv)
    rest = {"compiler": given.compiler, "seconds": given.seconds, "memory_mb": given.memory,
            "cache": given.cache, "use_cache": not given.no_cache}
    if given.table or given.liveness_table:
        rows = table(given.table, **rest) if given.table else \
            liveness_table(given.liveness_table, **rest)
        lines = ["\t".join(row) for row in rows]
        if not given.check:
            print("\n".join(lines))
            return 0
        with open(given.check) as handle:
            known = handle.read().splitlines()
        gone = [line for line in known if line not in set(lines)]
        new = [line for line in lines if line not in set(known)]
        for line in gone:
            print("- " + line)
        for line in new:
            print("+ " + line)
        return 1 if gone or new else 0
    if not given.model:
        parser.error("no model given")
    if given.replay:
        result = replay(given.model, given.replay)
    elif given.accepts:
        result = accepts(given.model, cache=given.cache, use_cache=not given.no_cache)
    elif given.liveness:
        name = given.claim if isinstance(given.claim, str) else None
        result = liveness(given.model, given.liveness, name, **rest)
    elif given.bfs:
        result = bfs(given.model, given.claim, **rest)
    elif given.shortest:
        result = shortest(given.model, given.claim, **rest)
    else:
        result = safety(given.model, given.claim, **rest)
    if given.json:
        json.dump(result, sys.stdout, indent=2)
        print()
    else:
        for key, value in result.items():
            if key not in ("output", "trail", "unreached"):
                print(f"{key}: {value}")
        for row in result.get("unreached") or []:
            print("unreached: {proctype} {file}:{line} state {state} {text}".format(**row))
    return 0


if __name__ == "__main__":
    sys.exit(main())

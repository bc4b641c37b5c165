#!/usr/bin/env python3
# check: cli: formatting; seconds 4
"""gyre format. Every model of the tests, the examples, the benchmarks and of Spin is formatted: it is the same
model afterwards, with the same characters in the same lines, and formatting it again changes nothing.
Then the style, what must be left alone, what is refused, and the command line."""
import os
import random
import re
import shutil
import socket
import stat
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, "build", "gyre")
SHIPPED = "/usr/share/doc/spin/examples"
counts = {True: 0, False: 0}


def check(name, good, detail=""):
    counts[bool(good)] += 1
    if not good:
        print(f"FAILED: {name}\n{str(detail)[:2000]}")


def gyre(*arguments, text=None, cwd=None):
    result = subprocess.run([GYRE, *arguments], input=text, capture_output=True, cwd=cwd, timeout=300, check=False)
    return result.returncode, result.stdout, result.stderr.decode(errors="replace")


def formatted(text, *options):
    status, out, err = gyre("format", *options, "-", text=text.encode())
    return out.decode() if status == 0 else f"status {status}: {err}"


# ---- every model ----------------------------------------------------------------------------------


def read(path):
    with open(path, "rb") as file:
        return file.read()


def marks(text):
    """What is not white space, line by line: lines that have none are left out."""
    return [line for line in (b"".join(line.split()) for line in text.split(b"\n")) if line]


def model(path):
    """What the engines see of it, without line numbers."""
    status, out, _ = gyre("info", "--model", path)
    return status, re.sub(rb"\.(pml|h):\d+(:\d+)?", b"", out)


def copy_models(folder):
    """All .pml files, with what they include; those that come with Spin as well."""
    files = []
    for top in ("tests", "examples", "bench", SHIPPED):
        for base, _, names in os.walk(os.path.join(ROOT, top)):
            for name in sorted(names):
                if not name.endswith((".pml", ".h", ".inc", ".prom")):
                    continue
                source = os.path.join(base, name)
                target = os.path.join(folder, os.path.relpath(source, "/" if top == SHIPPED else ROOT))
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copyfile(source, target)
                if name.endswith(".pml"):
                    files.append(target)
    return files


def test_models():
    with tempfile.TemporaryDirectory() as folder:
        files = copy_models(folder)
        before = {path: (read(path), model(path)) for path in files}
        status, out, err = gyre("format", folder)
        refused = set(re.findall(r"^(\S+\.pml):\d+:\d+: error", err, re.M))
        check("all models are found", len(files) > 700, len(files))
        check("folders: what is wrong in some is told", status == (2 if refused else 0), err)
        changed = set(out.decode().split())
        for path in files:
            name = os.path.relpath(path, folder)
            text, old = before[path]
            if path in refused:
                check(f"{name}: refused, and no model", old[0] != 0, err)
                check(f"{name}: refused, untouched", read(path) == text)
                continue
            new = read(path)
            check(f"{name}: same characters", marks(text) == marks(new))
            check(f"{name}: listed if it changed", (path in changed) == (new != text))
            if new != text:
                check(f"{name}: same model", model(path) == old)
        status, out, _ = gyre("format", "--check", "--quiet", folder)
        check("formatting again changes nothing", out == b"", out)


def mangle(text, rng):
    """Other white space, where that means nothing: indentation, and blanks beside operators."""
    lines = []
    for line in text.split("\n"):
        if line.lstrip().startswith("#") or "/*" in line or "*/" in line or line.lstrip().startswith("*") or '"' in line:
            lines.append(line)
            continue
        line = re.sub(r" (?=[-+=<>&|;,!?:])", lambda m: " " * rng.choice((0, 1, 1, 3)), line.strip())
        lines.append(" " * rng.randrange(9) + "\t" * rng.randrange(2) + line + " " * rng.randrange(3))
        lines += [""] * (rng.randrange(12) == 0)
    return "\n".join(lines)


def test_mangled():
    """Badly written models: formatting is stable, and says the same."""
    rng = random.Random(1)
    names = [name for name in sorted(os.listdir(os.path.join(ROOT, "examples"))) if name.endswith(".pml")]
    with tempfile.TemporaryDirectory() as folder:
        for i, name in enumerate(names):
            path = os.path.join(folder, name)
            source = os.path.join(ROOT, "examples", name)
            with open(source, encoding="utf-8") as file:
                text = mangle(file.read(), rng)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            old = model(path)
            options = [[], ["--indent", "tab"], ["--indent", "2"]][i % 3]
            status, _, err = gyre("format", *options, path)
            check(f"{name}, mangled: formatted", status == 0 and old[0] == 0, err)
            check(f"{name}, mangled: same model", model(path) == old)
            check(f"{name}, mangled: stable", gyre("format", "--check", *options, path)[0] == 0,
                  gyre("format", "--check", *options, path)[1])


def test_examples():
    """Ours are formatted."""
    status, out, err = gyre("format", "--check", os.path.join(ROOT, "examples"))
    check("the examples are formatted", status == 0, out.decode() + err)


# ---- style ------------------------------------------------------------------------------------------

STYLE = [
    ("a directive after a comment", "\n/* b */#define A 1\n", "/* b */#define A 1\n"),
    ("lines joined with a directive that are empty", "#define A 1 \\\n \\\n\nbyte x;\n#define B \\ \n \n\n", "#define A 1 \\\n \\\n\nbyte x;\n#define B \\\n"),
    ("a comment joined with nothing", "byte x; // a  \\", "byte x; // a  \\\n"),
    ("a comment joined with nothing but blanks", "// a \\\n \\\n  ", "// a \\\n \\\n"),
    ("a directive joined with nothing but blanks", "byte x;\n#define A 1 \\\n \\\n ", "byte x;\n#define A 1 \\\n \\\n"),
    ("do, options, od", "init{\ndo\n::x<3->\nx++\n::else->break\nod}\n",
     "init {\n    do\n    :: x < 3 ->\n       x++\n    :: else -> break\n    od }\n"),
    ("options begin beside do", "init {\ndo :: a -> b\n:: c ->\nd\nod\n}\n",
     "init {\n    do :: a -> b\n       :: c ->\n          d\n    od\n}\n"),
    ("blocks in options", "init {\nif\n:: atomic {\na;\nb\n};\nc\nfi\n}\n",
     "init {\n    if\n    :: atomic {\n           a;\n           b\n       };\n       c\n    fi\n}\n"),
    ("two blocks in one line are one level", "init { atomic {\nrun A();\nrun B()\n} }\n",
     "init { atomic {\n    run A();\n    run B()\n} }\n"),
    ("labels", "active proctype P()\n{\n  end:\ndo\n::a->\n   again: b\nod\n}\n",
     "active proctype P()\n{\nend:\n    do\n    :: a ->\nagain: b\n    od\n}\n"),
    ("messages as they were", "init { q!a,b; q ! a, b; q?x,eval(y); q ?? [m(x,y)]; q?<x,y> }\n",
     "init { q!a,b; q ! a, b; q?x,eval(y); q ??[m(x, y)]; q?<x,y> }\n"),
    ("operators", "init { x=1;y=-x+2 *  3;z=!a&&~b==c; x ++; w = (a->b : c); v = (a<b||c>=d) }\n",
     "init { x = 1; y = -x+2 * 3; z = !a && ~b == c; x++; w = (a -> b : c); v = (a < b || c >= d) }\n"),
    ("signs that must not touch", "init { x = a - -b; y = - -b; z = ! !c; q ? -1 }\n",
     "init { x = a - -b; y = - -b; z = ! !c; q ? -1 }\n"),
    ("declarations", "mtype={a,b}; chan q=[ 2 ]of{byte,bool}; byte x [3] ; unsigned u : 3; mtype : t m\n",
     "mtype = { a, b }; chan q = [2] of { byte, bool }; byte x[3]; unsigned u : 3; mtype:t m\n"),
    ("proctypes", "active [2]proctype P (byte a ;byte b) provided(x){ skip }\n",
     "active [2] proctype P(byte a; byte b) provided (x) { skip }\n"),
    ("formulas", "ltl p{[](a->  <>b)&&! c U(d) }\n", "ltl p { [](a -> <>b) && !c U(d) }\n"),
    ("for and select", "init { for(i:1 .. 3){ skip }; select (i : 1 .. 3); for (i in a) { skip } }\n",
     "init { for (i:1 .. 3) { skip }; select (i : 1 .. 3); for (i in a) { skip } }\n"),
    ("a line goes on", "init {\nx = a +\n    b;\nassert(a &&\n       b);\ny = 1\n}\n",
     "init {\n    x = a +\n        b;\n    assert(a &&\n           b);\n    y = 1\n}\n"),
    ("comments go with what is below", "init {\n/* a\n * b */\nx = 1;\n// c\ndo\n  // d\n:: a ->\n    b\n    // e\n// f\n:: c\nod\n}\n",
     "init {\n    /* a\n     * b */\n    x = 1;\n    // c\n    do\n    // d\n    :: a ->\n       b\n       // e\n    // f\n    :: c\n    od\n}\n"),
    ("comments at ends of lines", "byte x;    // a\nbyte yyy;  // b\n           // c\nbyte z; // d\n",
     "byte x;    // a\nbyte yyy;  // b\n           // c\nbyte z; // d\n"),
    ("columns", "init {\nif\n:: a     -> b\n:: ccccc -> d\n:: e -> f\nfi\n}\n",
     "init {\n    if\n    :: a     -> b\n    :: ccccc -> d\n    :: e -> f\n    fi\n}\n"),
    ("columns below a directive", "#define A 1\nbyte  x;\nshort y;\n", "#define A 1\nbyte  x;\nshort y;\n"),
    ("empty lines", "\n\nbyte x;\n\n\n\n\nbyte y;   \n\n\n", "byte x;\n\n\nbyte y;\n"),
    ("no line break at the end", "byte x", "byte x\n"),
    ("an empty text", "", ""),
    ("a comment alone", "  /* x */", "/* x */\n"),
    ("conditions", "init {\n#ifdef A\natomic {\n#else\nd_step {\n#endif\nx = 1\n}\n}\n",
     "init {\n#ifdef A\n    atomic {\n#else\n    d_step {\n#endif\n        x = 1\n    }\n}\n"),
    ("claims", "never {\nS0: if :: x -> goto S1 fi;\n S1:\nskip\n}\n",
     "never {\nS0: if :: x -> goto S1 fi;\nS1:\n    skip\n}\n"),
    ("unless", "init {\n{\na\n} unless {\nb\n}\n}\n", "init {\n    {\n        a\n    } unless {\n        b\n    }\n}\n"),
    ("operators of other languages stay in one piece", "init { x += 1; x := 2 }\n", "init { x += 1; x := 2 }\n"),
    ("operators in a row", "init { x = a- || |-b }\n", "init { x = a- || | -b }\n"),
    ("`in` can be a name", "init { in[1]=2; a.in [0]=in }\n", "init { in[1] = 2; a.in[0] = in }\n"),
]

# What is left as it is.
ALONE = [
    ("macros", "#define  F(x)   do \\\n  ::   x  \\\n     od\n  #define G   1   // c\n".replace("  #define G", "#define G")),
    ("embedded C", "c_decl {\n  int   x  ;\n\tchar*s=\"}\";\n}\ninit { c_code [ x>0 ] { now.y+=1 ;  }; c_expr{a==b} }\n"
     .replace("c_expr{", "c_expr {")),
    ("what #if 0 leaves out", "#if 0\n  isn't   Promela\n#if 1\n x\n#endif\n   at all {\n#else\nbyte x;\n#endif\n"),
    ("blanks at the end of what #if 0 leaves out", "#if 0\n isn't \n#endif\nbyte x;\n"),
    ("arguments of macros", "#define S(x) printf(#x)\ninit { S(a  +b ) }\n"),
    ("strings", "init { printf(\"a  b   ; c\") }\n"),
    ("joined lines", "init { x = 1 + \\\n   2; y=3 }\n".replace("y=3", "y = 3")),
    ("a joined line that is empty", "init { x = 1;\n  \\\n   y = 2 }\n"),
    ("a last line that is joined with nothing", "init { skip } \\\n"),
    ("a token before the backslash that joins", "init { printf(\"a\");\\\n   skip }\n"),
    ("a directive joined with nothing", "byte x;\n#define A 1 \\\n"),
    ("a string at a backslash", "#define S \"a\"\ninit { skip; } \"\\\n\"\\\n"),
    ("numbers that run into dots", "init { for (i : 1..3) { skip } }\n"),
]

REFUSED = [
    ("an open comment", "byte x;\n  /* no end\n", ":2:3: error: this comment never ends"),
    ("an open string", "init { printf(\"x) }\n", "the closing \" is missing"),
    ("an open brace", "init {\n  do :: skip od\n", ":1:6: error: `{` is never closed"),
    ("a brace too many", "init { skip } }\n", ":1:15: error: `}` closes nothing"),
    ("do without od", "init {\n  do\n  :: skip\n}\n", ":2:3: error: `do` is not closed"),
    ("bytes that are no tokens", "init { x = `1 }\n", "not part of Promela"),
    ("no text", "init { skip\0 }\n", ":1:12: error: this is not a text"),
    ("more levels than can be read", "init { x = " + "(" * 100000 + "1" + ")" * 100000 + " }\n", "`(` is nested too deeply"),
    ("open C", "c_code { {\n", "is never closed"),
]


def test_style():
    for name, text, wanted in STYLE:
        got = formatted(text)
        check(f"style: {name}", got == wanted, f"{got}--- wanted\n{wanted}")
        check(f"style: {name}, again", formatted(wanted) == wanted, formatted(wanted))
    for name, text in ALONE:
        check(f"left alone: {name}", formatted(text) == text, formatted(text))
    check("tabs", formatted("init {\ndo\n:: a ->\nL: b\nod\n}\n", "--indent", "tab") ==
          "init {\n\tdo\n\t:: a ->\nL:\t\tb\n\tod\n}\n", formatted("init {\ndo\n:: a ->\nL: b\nod\n}\n", "--indent", "tab"))
    check("tabs where there are tabs", formatted("init {\n\tx = 1;\ny = 2\n}\n") == "init {\n\tx = 1;\n\ty = 2\n}\n")
    check("--indent 2", formatted("init {\nx = 1\n}\n", "--indent", "2") == "init {\n  x = 1\n}\n")
    once = formatted("init\n{   ; x = 1 }\n", "--indent", "2")
    check("a brace before a separator, again", formatted(once, "--indent", "2") == once, once)
    check("line breaks of Windows stay", gyre("format", "-", text=b"init {\r\nskip\r\n}\r\n")[1] ==
          b"init {\r\n    skip\r\n}\r\n")
    check("a mark of UTF-8 stays", gyre("format", "-", text=b"\xef\xbb\xbfinit{skip}")[1] == b"\xef\xbb\xbfinit { skip }\n")
    long = "init { " + "x = 1; " * 50000 + "}\n"  # a matter of milliseconds, if it is not one of minutes
    check("a long line", formatted(long) == long)
    for name, text, message in REFUSED:
        status, out, err = gyre("format", "-", text=text.encode())
        check(f"refused: {name}", status == 2 and out == b"" and message in err, err)


# ---- the command line -------------------------------------------------------------------------------


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


# Tokens below each other that have less room after formatting: what is aligned then has to be a column again.
SHRINKING = [
    "active proctype P() {\nL:  x ++;\nL: x  ++ ;\nbyte x =1 ; \n}\n",
    "active proctype P() {\nL: x\t++   ;\t\nL:x ++    ;\nL:  x \"s\" ;\n\t1 =   1 ;\n}\n",
    "active proctype P() {\nbyte x = end:    ;\nbyte x =\t1\t;\nbyte\tx =1   ;   \t\nbyte atomic =1 ; \n}\n",
]
STATEMENTS = ["byte x ;", "byte longer ;", "byte x = 1 ;", "int y [ 3 ] = 2 ;", "x = 1 ;", "yy = 22 ;", "c ! 1 , 2 ;", "cc ? x , y ;", "L: x ++ ;",
              "a [ 1 ] = 2 ; // c", "b = f ( 1 , 2 ) ; /* d */", ":: x == 1 -> y = 2", ":: else -> skip"]


def test_columns():
    rng = random.Random(1)
    texts = list(SHRINKING)
    for _ in range(400):
        lines = []
        for _ in range(rng.randint(2, 8)):
            line = rng.choice(("", "    ", "\t"))
            for token in rng.choice(STATEMENTS).split():
                line += token + rng.choice(("", " ", " ", "  ", "   ", "\t") if not token[-1].isalnum() else (" ", " ", "  ", "   ", "\t"))
            lines += [line] * rng.randint(1, 2)
        texts.append("active proctype P() {\n" + "\n".join(lines) + "\n}\n")
    with tempfile.TemporaryDirectory() as folder:
        for i, text in enumerate(texts):
            write(os.path.join(folder, f"{i}.pml"), text)
        gyre("format", folder)
        once = {path: read(path) for path in (os.path.join(folder, f"{i}.pml") for i in range(len(texts)))}
        gyre("format", folder)
        again = [text for path, text in once.items() if read(path) != text]
        check("columns: formatting again changes nothing", not again, again[:1])


def test_command():
    with tempfile.TemporaryDirectory() as folder:
        good, bad, wrong = (os.path.join(folder, name) for name in ("good.pml", "bad.pml", "wrong.pml"))
        write(good, "init { skip }\n")
        write(bad, "init {\nskip  }\n")
        write(wrong, "init { skip\n")
        os.chmod(bad, 0o640)
        link = os.path.join(folder, "link.pml")
        status, out, _ = gyre("format", "--check", good, bad, cwd=folder)
        check("--check: status and lines", status == 1 and out.decode().endswith(
            "bad.pml is not formatted:\n@@ line 2 @@\n-skip  }\n+    skip }\n"), out)
        check("--check: a last line without a line break", gyre("format", "--check", "-", text=b"init {\nx=1;\ny=2 }")[1] ==
              b"<stdin> is not formatted:\n@@ line 2 @@\n-x=1;\n-y=2 }\n+    x = 1;\n+    y = 2 }\n")
        check("--check writes nothing", read(bad) == b"init {\nskip  }\n")
        check("--check: nothing to do", gyre("format", "--check", good)[:2] == (0, b""))
        check("--check of what cannot be read", gyre("format", "--check", wrong)[0] == 2)
        check("--stdout", gyre("format", "--stdout", bad)[:2] == (0, b"init {\n    skip }\n"))
        check("--stdout writes nothing", read(bad) == b"init {\nskip  }\n")
        check("standard input", gyre("format", "-", text=b"init{skip}")[1] == b"init { skip }\n")
        ours, theirs = socket.socketpair()
        ours.sendall(b"init{skip}")
        ours.shutdown(socket.SHUT_WR)
        result = subprocess.run([GYRE, "format", "-"], stdin=theirs, capture_output=True, timeout=300, check=False)
        check("standard input may be a socket", result.stdout == b"init { skip }\n", result)
        ours.close()
        theirs.close()
        check("standard input, --check", gyre("format", "--check", "-", text=b"init{skip}")[0] == 1)
        os.symlink(bad, link)
        status, out, err = gyre("format", link, wrong, good)
        check("the others are formatted all the same", status == 2 and out.decode().split() == [link] and "wrong.pml:1" in err,
              (out, err))
        check("in place", read(bad) == b"init {\n    skip }\n")
        check("a link stays one, and so does the mode", os.path.islink(link) and
              stat.S_IMODE(os.stat(bad).st_mode) == 0o640)
        check("nothing is left behind", sorted(os.listdir(folder)) == ["bad.pml", "good.pml", "link.pml", "wrong.pml"],
              os.listdir(folder))
        # links in a folder lead to what is elsewhere
        inner, beside = os.path.join(folder, "inner"), os.path.join(folder, "beside")
        for name in (inner, beside):
            os.mkdir(name)
            write(os.path.join(name, "m.pml"), "init{skip}\n")
        os.symlink(beside, os.path.join(inner, "beside"))
        os.symlink(os.path.join(beside, "m.pml"), os.path.join(inner, "n.pml"))
        status, out, _ = gyre("format", inner)
        check("a folder", status == 0 and out.decode().split() == [os.path.join(inner, "m.pml")] and
              read(os.path.join(inner, "m.pml")) == b"init { skip }\n", out)
        check("nothing elsewhere", read(os.path.join(beside, "m.pml")) == b"init{skip}\n")
        check("a folder by a link", gyre("format", "--check", os.path.join(inner, "beside"))[0] == 1)
        status, _, err = gyre("format", "")
        check("no name", status == 2 and "No such file" in err, err)
        if os.geteuid() == 0:
            os.chown(os.path.join(beside, "m.pml"), 12345, 23456)
            gyre("format", os.path.join(beside, "m.pml"))
            owner = os.stat(os.path.join(beside, "m.pml"))
            check("the owner stays", read(os.path.join(beside, "m.pml")) == b"init { skip }\n" and
                  (owner.st_uid, owner.st_gid) == (12345, 23456), owner)
        write(os.path.join(folder, "x.dve"), "process A {}\n")
        status, _, err = gyre("format", os.path.join(folder, "x.dve"))
        check("other languages", status == 2 and "only Promela" in err, err)
        status, _, err = gyre("format", os.path.join(folder, "none.pml"))
        check("no such file", status == 2 and "none.pml" in err, err)
        check("nothing given", gyre("format")[0] == 2)
        check("--check and --stdout", gyre("format", "--check", "--stdout", good)[0] == 2)
        # a macro of another file that makes a string of its argument: the indentation alone
        write(os.path.join(folder, "s.h"), "#define S(x) printf(#x)\n")
        write(os.path.join(folder, "s.pml"), "#include \"s.h\"\ninit {\nS(a+  b); x=1\n}\n")
        status, out, _ = gyre("format", "--stdout", os.path.join(folder, "s.pml"))
        check("strings made in other files", out.decode().endswith("\n    S(a+  b); x=1\n}\n"), out)
        check("`gyre MODEL --check` is another", gyre(good, "--check", "safety")[0] == 0)


test_style()
test_columns()
test_command()
test_examples()
test_mangled()
test_models()
print(f"{counts[True]} passed, {counts[False]} failed")
sys.exit(counts[False] > 0)

#!/usr/bin/env python3
# check: cli: the library as others use it; seconds 30
"""The library as others use it: the examples, built against what `make install` installs, say what
`gyre --json` says; and a new form of the report is one file and one row of a table."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
GYRE = os.path.join(ROOT, "build", "gyre")
MODELS = ["broken_mutex.pml", "peterson.pml", "philosophers.pml"]

RENDERER = r'''// Verdicts as a table for spreadsheets: a line for each property.
#include "report/render.h"

static void put(gy_text *out, const char *text)
{
    gy_text_char(out, '"');
    for (; *text; text++)
        gy_text_printf(out, *text == '"' ? "\"%c" : "%c", *text);
    gy_text_char(out, '"');
}

void gy_render_rows(const gy_outcome *outcome, const gy_render_options *options, gy_sink *sink)
{
    (void)options;
    gy_text_add(&sink->text, "property,kind,verdict,states,steps\n");
    for (uint32_t i = 0; i < outcome->property_count; i++) {
        const gy_property_outcome *property = &outcome->properties[i];
        put(&sink->text, property->name);
        gy_text_printf(&sink->text, ",%s,%s,", property->kind, gy_verdict_text(property->verdict));
        if (property->figures)
            gy_text_printf(&sink->text, "%llu", (unsigned long long)property->figures->states);
        gy_text_char(&sink->text, ',');
        if (property->counterexample_count > 0)
            gy_text_printf(&sink->text, "%llu",
                           (unsigned long long)property->counterexamples[0].length);
        gy_text_char(&sink->text, '\n');
        gy_sink_drain(sink);
    }
}
'''
ROW = 'RENDERER(ROWS, rows, V, "verdicts as comma-separated values")\n'

passed = failed = 0


def check(name, good, detail=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    print(f"{'ok   ' if good else 'FAILED'} {name}" + ("" if good else f": {detail}"))


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, **more)
    return done.returncode, done.stdout, done.stderr


def steps_of(output):
    """(process, line, statement) of each step that an example printed."""
    found = re.findall(r"^ *\d+  (\S+)  line (\d+): (.*?)(?:  \(.* now\))?$", output, re.M)
    return [(who, int(line), text) for who, line, text in found]


def told(report):
    return [(f"{s['process']}({s['pid']})", s["line"], s["text"]) for p in report["properties"]
            for s in p.get("counterexample", {}).get("steps", [])]


def examples(folder):
    status, _, errors = run(["make", "-s", "install", f"DESTDIR={folder}", "PREFIX=/usr"], cwd=ROOT)
    check("make install", status == 0, errors)
    usr = os.path.join(folder, "usr")
    for name in ("lib/libgyre.a", "lib/libgyre.so", "lib/libgyre.so.1", "include/gyre/verify.h"):
        check(name, os.path.exists(os.path.join(usr, name)))
    source = os.path.join(ROOT, "examples", "embed", "check.c")
    lines = [line for line in open(source) if line.strip() and not line.startswith("//")]
    check("about forty lines", len(lines) <= 45, len(lines))
    base = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{usr}/include", source]
    asked = ["pkg-config", f"--define-variable=prefix={usr}", "gyre"]
    environment = dict(os.environ, PKG_CONFIG_PATH=f"{usr}/lib/pkgconfig", PKG_CONFIG_ALLOW_SYSTEM_CFLAGS="1",
                       PKG_CONFIG_ALLOW_SYSTEM_LIBS="1")
    status, flags, errors = run(asked + ["--cflags", "--libs", "--static"], env=environment)
    check("pkg-config", status == 0 and f"-I{usr}/include" in flags.split(), flags + errors)
    rest = [flag for flag in flags.split() if flag.startswith("-l") and flag != "-lgyre"]
    header = open(os.path.join(usr, "include/gyre/gyre.h"), encoding="utf-8").read()
    status, version, errors = run(asked + ["--modversion"], env=environment)
    check("its version", f'#define GY_VERSION "{version.strip()}"' in header, version + errors)
    for kind, command in (("static", base + [f"{usr}/lib/libgyre.a"] + rest),
                          ("shared", base + [f"-L{usr}/lib", "-lgyre", f"-Wl,-rpath,{usr}/lib"])):
        program = os.path.join(folder, "check-" + kind)
        status, _, errors = run(command + ["-o", program])
        check(f"check.c, {kind}", status == 0, errors)
        compare(kind, [program])
    environment = dict(os.environ, GYRE_LIBRARY=f"{usr}/lib/libgyre.so.1")
    script = os.path.join(ROOT, "examples", "embed", "check.py")
    compare("Python", [sys.executable, script], env=environment)
    status, out, errors = run([sys.executable, script, os.path.join(ROOT, "examples", MODELS[0]),
                               "store=shoebox"], env=environment)
    check("Python: a wrong option", status != 0 and "shoebox" in errors, errors)
    for kind in ("static", "shared"):
        status, out, _ = run([os.path.join(folder, "check-" + kind), "/nowhere.pml"])
        check(f"{kind}: no such model", "error" in out, out)


def names(folder):
    """Only what begins with gy_ is to be seen, in both libraries, and all that the headers declare;
    each header stands alone, in C and in C++."""
    usr = os.path.join(folder, "usr")
    declared = set()
    headers = sorted(os.listdir(f"{usr}/include/gyre"))
    for name in headers:
        text = open(f"{usr}/include/gyre/{name}", encoding="utf-8").read()
        declared |= set(re.findall(r"GY_API[^;(]*?\b(gy_\w+)\(", text))
    check("headers declare functions", len(declared) > 30, declared)
    for library, command in (("libgyre.a", ["nm", "-g", "--defined-only"]),
                             ("libgyre.so", ["nm", "-D", "--defined-only"])):
        status, out, errors = run(command + [f"{usr}/lib/{library}"])
        seen = {line.split()[2] for line in out.splitlines() if len(line.split()) == 3}
        others = sorted(name for name in seen if not name.startswith("gy_"))
        check(f"{library}: only gy_ is to be seen", status == 0 and seen and not others, others[:9])
        check(f"{library}: all that is declared is there", declared <= seen, sorted(declared - seen))
    status, out, _ = run(["readelf", "-d", f"{usr}/lib/libgyre.so"])
    check("libgyre.so has a soname", "Library soname: [libgyre.so.1]" in out, out)
    for name in headers:
        for compiler, suffix in ((["cc", "-std=c11"], "c"), (["cc", "-std=c17"], "c"),
                                 (["c++", "-std=c++11"], "cc"), (["c++", "-std=c++20"], "cc")):
            source = os.path.join(folder, f"alone.{suffix}")
            with open(source, "w", encoding="utf-8") as file:
                file.write(f"#include <gyre/{name}>\nint something;\n")
            status, _, errors = run(compiler + ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only",
                                                f"-I{usr}/include", source])
            check(f"gyre/{name} stands alone: {' '.join(compiler)}", status == 0, errors)


FORMER = ["gy_told", "gy_moved", "gy_because", "gy_stuck", "gy_hunter_told", "gy_swarm_told", "gy_touch_facts"]


def former_names(folder):
    """Programs that use the names of the last release still compile, with a warning that has the new name."""
    source = os.path.join(folder, "former.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write("#include <gyre/verify.h>\n" + "".join(f"size_t size_{name} = sizeof({name});\n" for name in FORMER))
        file.write("uint32_t count(const gy_system *s) { gy_touch_facts f[1]; return gy_edge_touches(s, 0, f, 1); }\n")
    command = ["cc", "-std=c11", "-Wall", f"-I{folder}/usr/include", "-c", source, "-o", os.path.join(folder, "former.o")]
    status, _, warnings = run(command)
    check("former names compile", status == 0, warnings)
    for name in FORMER + ["gy_edge_touches"]:
        check(f"{name} is deprecated", re.search(rf"[\u2018']{name}[\u2019'] is deprecated: use gy_", warnings), warnings)


def page(folder):
    """The program in docs/embedding.md."""
    text = open(os.path.join(ROOT, "docs", "embedding.md"), encoding="utf-8").read()
    programs = re.findall(r"```c\n(.*?)```", text, re.S)
    check("docs/embedding.md has a program", len(programs) == 1)
    source = os.path.join(folder, "page.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(programs[0])
    usr = os.path.join(folder, "usr")
    program = os.path.join(folder, "page")
    status, _, errors = run(["cc", "-Wall", "-Wextra", "-Werror", f"-I{usr}/include", source,
                             f"-L{usr}/lib", "-lgyre", f"-Wl,-rpath,{usr}/lib", "-o", program])
    check("docs/embedding.md builds", status == 0, errors)
    model = os.path.join(ROOT, "examples", "broken_mutex.pml")
    status, out, errors = run([program, model])
    report = schema.report(run([GYRE, model, "--json"])[1])
    lines = [f"{model}:{line}  {text}" for _, line, text in told(report)]
    check("docs/embedding.md runs", status == 0 and out.splitlines() == ["violated"] + lines,
          out + errors)
    status, out, errors = run(
        [sys.executable, "-c", "import gyre; "
         f"print(gyre.verify({model!r}, ltl='[] (inside < 3)', time=10, check='liveness').verdict); "
         "from gyre import _native; print(_native.library()._name)"],
        cwd=folder, env=dict(os.environ, PYTHONPATH=f"{usr}/lib/python3/dist-packages"))
    check("its Python runs, as installed", out == f"holds\n{usr}/lib/libgyre.so.1\n", out + errors)


def compare(kind, program, **more):
    for name in MODELS:
        model = os.path.join(ROOT, "examples", name)
        report = schema.report(run([GYRE, model, "--json"])[1])
        _, out, errors = run([*program, model], **more)
        check(f"{kind}: {name}: the verdict", out.startswith(f"{model}: {report['verdict']}\n"),
              out + errors)
        check(f"{kind}: {name}: the steps", steps_of(out) == told(report), out)


def new_renderer(folder):
    """In a copy of the sources and of what was built of them."""
    copy = os.path.join(folder, "copy")
    os.mkdir(copy)
    for name in ("src", "include", "Makefile", "make"):
        run(["cp", "-a", os.path.join(ROOT, name), copy])
    os.mkdir(os.path.join(copy, "build"))
    for name in ("obj", "libgyre.a"):
        run(["cp", "-a", os.path.join(ROOT, "build", name), os.path.join(copy, "build")])
    check("under 60 lines", RENDERER.count("\n") < 60)
    with open(os.path.join(copy, "src/report/outcome/rows.c"), "w", encoding="utf-8") as file:
        file.write(RENDERER)
    table = os.path.join(copy, "src/report/renderers.def")
    text = open(table, encoding="utf-8").read()
    with open(table, "w", encoding="utf-8") as file:
        file.write(text.replace("#undef RENDERER", ROW + "#undef RENDERER"))
    status, _, errors = run(["make", "-s", "-j2", "build/gyre"], cwd=copy)
    check("a new renderer builds", status == 0, errors)
    model = os.path.join(ROOT, "examples", "broken_mutex.pml")
    status, out, _ = run([os.path.join(copy, "build", "gyre"), model, "--rows"])
    check("and is used", status == 1 and
          re.fullmatch(r'property,kind,verdict,states,steps\n"safety",safety,violated,\d+,7\n', out),
          out)
    status, out, _ = run([os.path.join(copy, "build", "gyre"), "help", "all"])
    check("and has its option in the help", "--rows" in out, out)
    status, out, errors = run([os.path.join(copy, "build", "gyre"), model, "--rows", "--json"])
    check("one form at a time", status == 2, errors)


def main():
    with tempfile.TemporaryDirectory(prefix="gyre-embedding-") as folder:
        examples(folder)
        names(folder)
        former_names(folder)
        page(folder)
        new_renderer(folder)
        shutil.rmtree(os.path.join(folder, "copy"), ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

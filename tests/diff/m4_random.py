#!/usr/bin/env python3
"""Random programs for m4, within what Gyre's own interpreter has, and GNU m4 as the judge of their output.

    m4_random.py [--tool build/tools/m4_tool] [--count N] [--seed S]

GNU m4 goes on after most errors, with a message; Gyre ends. So both must fail, or both outputs must be equal.
"""
import argparse
import os
import random
import resource
import subprocess
import sys

NAMES = ["a", "b", "f", "g", "list", "N", "x_1", "define", "len"]
WORDS = NAMES + ["c", "guard", "state", "0", "1", "7", "12", "-3", "==", "x", "_y", "dnlx", "$", "$1", "$x"]
# Messages of what GNU m4 does all the same, and Gyre, too.
HARMLESS = ("Warning:", "excess arguments", "too few arguments", "empty string treated as 0", "leading whitespace ignored",
            "numeric overflow detected", "recommend ==, not =", "undefined macro", "end of file treated as newline",
            "cannot undivert", "premature end")


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.quotes = [("`", "'")]

    def pick(self, *choices):
        return self.random.choice(choices)

    def name(self):
        return self.random.choice(NAMES)

    def quoted(self, text):
        left, right = self.quotes[-1]
        return left + text + right if self.random.random() < 0.95 else text

    def space(self):
        return self.pick("", "", "", " ", "\n", "  ", "\t")

    def number(self):
        return str(self.pick(0, 1, 2, 3, 5, 8, 10, 31, 32, 100, -1, 2147483647, -2147483648, "017", "0x1F", "0b101", "0r3:21", "08", "N", "a"))

    def expression(self, depth=3):
        kind = self.random.random()
        if depth == 0 or kind < 0.3:
            return self.number()
        if kind < 0.4:
            return self.pick("-", "+", "~", "!", " ") + self.expression(depth - 1)
        if kind < 0.55:
            return "(" + self.expression(depth - 1) + ")"
        if kind < 0.57:
            return self.pick("", "x", "1 2", "++1", "1 += 2", "(")
        if kind < 0.6:
            return "(%s)**%s" % (self.expression(depth - 1), self.pick("0", "1", "2", "5", "(1-2)", "2**2"))
        operator = self.random.choice("+ - * / % < > <= >= == != << >> & | ^ && || =".split())
        return self.expression(depth - 1) + self.pick("", " ") + operator + self.pick("", " ") + self.expression(depth - 1)

    def argument(self, depth):
        text = self.space() + self.pick(self.text, self.text, self.body)(depth)
        return text

    def call(self, depth, name, *arguments):
        return name + "(" + ",".join(self.space() + argument for argument in arguments) + ")"

    def user_call(self, depth):
        count = self.random.randrange(4)
        if self.random.random() < 0.2:
            return self.name()
        return self.call(depth, self.name(), *(self.argument(depth - 1) for _ in range(count)))

    def body(self, depth):
        """What a macro is defined as; no calls of all macros again without an end."""
        parts = [self.pick("$1", "$2", "$#", "$*", "$@", "$0", "$10", "$", "text", " ", ",", "(", ")", "eval($1+1)", "[", "]", "shift($@)",
                           "ifelse($#, 0, none, $1, , empty, more)", "dnl gone\n", "\n") for _ in range(self.random.randrange(5))]
        left, right = self.quotes[-1]
        return left + "".join(parts).replace("`", left).replace("'", right) + right

    def loop(self, depth):
        left, right = self.quotes[-1]
        body = self.pick("$1 ", "[$1]", "$1,", "incr($1)\n")
        return ("define(`lp', `%sifelse($1, %d, `', `lp(incr($1))')')lp(0)" % (body, self.random.randrange(6))).replace("`", left).replace("'", right)

    def builtin(self, depth):
        d = depth - 1
        kind = self.random.randrange(22)
        if kind < 3:
            return self.call(d, self.pick("define", "define", "pushdef"), self.quoted(self.name()), self.body(d))
        if kind == 3:
            return self.call(d, self.pick("undefine", "popdef"), self.quoted(self.pick("a", "b", "f", "g")))
        if kind == 4:
            return self.call(d, "ifdef", self.quoted(self.name()), self.argument(d), self.argument(d))
        if kind < 7:
            count = self.pick(1, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9)
            return self.call(d, "ifelse", *(self.pick(self.number(), self.number(), self.argument(d)) for _ in range(count)))
        if kind < 10:
            extra = self.pick([], [], [], [self.pick("2", "10", "16", "36", "1", "37", "")],
                              [self.pick("2", "16", ""), self.pick("0", "5", "12", "-1")])
            return self.call(d, "eval", self.quoted(self.expression()), *extra)
        if kind == 10:
            return self.call(d, self.pick("incr", "decr"), self.pick("3", "", "-1", "2147483647", "0", "N", "eval(2*3)", "-2147483648", " 4"))
        if kind == 11:
            return self.call(d, "len", self.argument(d))
        if kind == 12:
            return self.call(d, "index", self.argument(d), self.pick("a", "te", "", "x", "$1"))
        if kind == 13:
            return self.call(d, "substr", self.argument(d), *self.pick([], ["1"], ["0", "3"], ["2", "100"], ["-1", "2"], ["1", "-1"], ["", "2"]))
        if kind == 14:
            return self.call(d, "translit", self.argument(d), *self.pick(["a-z", "A-Z"], ["abc", "x"], ["z-a", "a-z"], ["a-", "-x"], ["-a", "xy"], [], ["e"], ["aa", "bc"], ["a-c-e", "1-9"]))
        if kind == 15:
            return self.call(d, "shift", *(self.argument(d) for _ in range(self.random.randrange(4))))
        if kind == 16:
            return self.call(d, "defn", *(self.quoted(self.pick("a", "b", "f", "g", "x_1")) for _ in range(self.pick(1, 1, 2))))
        if kind == 17:
            return "dnl" + self.pick(" rest of line, `gone\n", "\n", "(x) y\n")
        if kind == 18:
            return self.pick("divert(1)", "divert(2)", "divert(-1)", "divert", "divert(0)", "divert()", "divnum", "undivert", "undivert(1)",
                             "undivert(2, 1)", "divert(10)") + self.pick("", "\n", "dnl\n")
        if kind == 19:
            return self.loop(d)
        if kind == 20:
            return self.pick("changecom(`//')", "changecom", "changecom(`#')", "changecom(`/*', `*/')", "changecom(`<')") \
                .replace("`", self.quotes[-1][0]).replace("'", self.quotes[-1][1])
        if len(self.quotes) > 1:
            self.quotes.pop()
            left, right = self.quotes[-1]
            return "changequote(%s,%s)" % (left, right) if (left, right) != ("`", "'") else "changequote"
        quotes = self.pick(("[", "]"), ("<<", ">>"), ("{", "}"), ("[[", "]]"))
        self.quotes.append(quotes)
        return "changequote(%s,%s)" % quotes

    def comment(self):
        return self.pick("#", "#", "//", "/*", "<") + self.pick(" a comment, with (define", " it's", " a f(", "") + self.pick("\n", "\n", "*/", "")

    def text(self, depth):
        parts = []
        for _ in range(self.random.randrange(1, 5)):
            kind = self.random.random()
            if depth > 0 and kind < 0.45:
                parts.append(self.builtin(depth))
            elif depth > 0 and kind < 0.65:
                parts.append(self.user_call(depth))
            elif kind < 0.75:
                parts.append(self.quoted(self.random.choice(WORDS) + self.pick("", ",", " ", "\n", "()")))
            elif kind < 0.78:
                parts.append(self.comment())
            else:
                parts.append(self.random.choice(WORDS))
            parts.append(self.pick("", " ", "\n", " "))
        return "".join(parts)

    def make(self):
        return "".join(self.text(3) + "\n" for _ in range(self.random.randrange(1, 8)))


def run(command, text, bounded=False):
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
        resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))

    done = subprocess.run(command, input=text.encode("latin-1"), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False, preexec_fn=limit if bounded else None, env=dict(os.environ, LC_ALL="C"))
    return done.returncode, done.stdout, done.stderr.decode("latin-1")


def gnu(text, defines=()):
    """The output of GNU m4, or None and why: what it complains of, or "no end" where it goes on and on."""
    status, out, errors = run(["m4", *("-D" + define for define in defines), "-"], text, bounded=True)
    serious = [line for line in errors.splitlines() if not any(word in line for word in HARMLESS)]
    if status < 0 or "memory exhausted" in errors or "stack overflow" in errors:
        return None, "no end"
    return (None, errors) if status or serious else (out, "")


def compare(tool, text, defines=()):
    """(what is wrong, whether both had an output)"""
    expected, why = gnu(text, defines)
    if why == "no end":
        return [], False
    status, out, errors = run([*tool, *defines], text)
    if expected is None:
        # A comment that the text ends in is an error there.
        allowed = status == 0 and "end of file in comment" in why
        return ([] if status == 1 or allowed else ["status %d, where GNU m4 says: %s" % (status, why)]), False
    if status != 0:
        return ["GNU m4 has an output: %r; %s" % (expected, errors)], False
    return ([] if out == expected else ["%r instead of %r" % (out, expected)]), True


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--tool", default="build/tools/m4_tool")
    options.add_argument("--count", type=int, default=300)
    options.add_argument("--seed", type=int, default=1)
    args = options.parse_args()
    failed = outputs = 0
    for seed in range(args.seed, args.seed + args.count):
        text = Program(seed).make()
        wrong, both = compare([args.tool], text, ["N=3", "x_1=a b"])
        outputs += both
        if wrong:
            failed += 1
            print("seed %d: %s\n%s" % (seed, wrong[0], text))
    if outputs < args.count // 4:
        failed += 1
        print("only %d programs of %d have an output" % (outputs, args.count))
    print("%d passed, %d failed" % (args.count - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

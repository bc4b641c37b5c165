"""Colours for Promela in the manual: the blocks of code of a page in HTML."""
import re

BLOCK = re.compile(r'(<pre><code(?: class="language-(\w+)")?>)(.*?)(</code></pre>)', re.S)
# What begins the lines of other blocks: commands, reports, other languages.
OTHER = re.compile(r"^(?:#!|\$ |gyre |spin |cc |make |sudo |import |from |for |#include &lt;|int main|.*\bgy_|.*: (?:holds|violated|error):)", re.M)
PROMELA = re.compile(r"\bproctype\b|\binit *\{|^ *::|\b(?:od|fi)\b|\b(?:ltl|never|atomic|d_step|trace|notrace|inline|typedef|c_code)\b[^.\n]*\{|"
                     r"^ *(?:bit|bool|byte|short|int|pid|mtype|chan|unsigned)\b[^.\n]*[;=}]|^ *(?:assert|run \w+) *\(", re.M)
TYPES = "bit bool byte chan int mtype pid short unsigned"
WORDS = ("D_proctype active assert atomic break c_code c_decl c_expr c_state c_track d_step do else empty enabled eval fi for full get_priority "
         "goto hidden if in init inline len local ltl nempty never nfull notrace np_ od of pc_value print printf printm priority proctype provided "
         "return run select set_priority show skip timeout trace typedef unless xr xs true false always eventually until weakuntil release implies")
TOKEN = re.compile(r"(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<string>&quot;.*?&quot;)|(?P<directive>^ *#\w+)|&\w+;|(?P<number>\b\d+\b)|"
                   r"(?P<word>\b[A-Za-z_]\w*\b)", re.S | re.M)


def is_promela(language, code):
    return language == "promela" or (not language and not OTHER.search(code) and PROMELA.search(code) is not None)


def token(match):
    kind, text = match.lastgroup, match[0]
    if kind == "word":
        kind = "type" if text in TYPES.split() else "keyword" if text in WORDS.split() else None
    return f'<span class="{kind}">{text}</span>' if kind else text


def block(match):
    """A model may be followed by a command and what it prints."""
    code, *rest = re.split(r"^(?=\$ )", match[3], maxsplit=1, flags=re.M)
    if not is_promela(match[2], code):
        return match[0]
    return match[1] + TOKEN.sub(token, code) + "".join(rest) + match[4]


def promela(body):
    """The page, with spans of the classes comment, string, directive, number, type, keyword."""
    return BLOCK.sub(block, body)

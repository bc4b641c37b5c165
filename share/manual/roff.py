"""Man pages: one for the program, one for each command, of the same sources as the manual."""
import os
import re

import sources

GROUPS_FIRST = ["What is checked", "How it is searched", "Simulation", "Inspection", "Formulas", "Benchmark sets",
                "Reading the model", "Reports"]


def escape(text, code=False):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return text.replace("'", "\\(aq").replace("`", "\\(ga").replace("^", "\\(ha").replace("~", "\\(ti") if code else text


def line(text):
    """A line of text: it may not begin like a request."""
    text = re.sub(r"\s+", " ", text).strip()
    return "\\&" + text if text[:1] in (".", "'") else text


def inline(element):
    """The text of a paragraph, heading or cell."""
    out = []
    for each in element:
        if each.tag == "text":
            out.append(escape(each.text or ""))
        elif each.tag == "code":
            out.append("\\fB" + escape(each.text or "", True) + "\\fR")
        elif each.tag in ("emph", "strong"):
            out.append(("\\fI" if each.tag == "emph" else "\\fB") + inline(each) + "\\fR")
        elif each.tag == "link":
            out.append(link(each))
        elif each.tag in ("softbreak", "linebreak"):
            out.append(" ")
    return "".join(out)


def link(element):
    text, target = inline(element), element.get("destination")
    if target.startswith("http"):
        return f"{text} ({escape(target)})"
    page = os.path.basename(target.partition("#")[0]).removesuffix(".md")
    return f"\\fIgyre\\-{page}\\fR(1)" if page in link.commands and text.removesuffix(".md") == page else text.removesuffix(".md")


link.commands = set()


def is_picture(element):
    return element.tag == "paragraph" and element.find("image") is not None


def blocks(elements, out):
    elements = list(elements)
    for i, element in enumerate(elements):
        if is_picture(element) or i + 1 < len(elements) and is_picture(elements[i + 1]):
            continue  # a picture, and the words that announce it
        if element.tag == "heading":
            out += [".PP", "\\fB" + line(inline(element)) + "\\fR"]
        elif element.tag == "paragraph":
            out += [".PP", line(inline(element))]
        elif element.tag == "code_block":
            code = (element.text or "").rstrip("\n").split("\n")
            out += [".PP", ".RS 4", ".EX"]
            out += [("\\&" if each[:1] in (".", "'") else "") + escape(each, True) for each in code]
            out += [".EE", ".RE"]
        elif element.tag == "list":
            for number, item in enumerate(element, 1):
                mark = "\\(bu" if element.get("type") == "bullet" else f"{number}."
                inner = []
                blocks(item, inner)
                out += [f".IP {mark} 3"] + inner[inner[:1] == [".PP"]:]
        elif element.tag == "table":
            table(element, out)
        elif element.tag == "block_quote":
            blocks(element, out)


def table(element, out):
    """A list: what is in the first column, and then the rest."""
    heads = [sources.plain(cell) for cell in element.find("table_header")]
    for row in element.iter("table_row"):
        cells = [inline(cell) for cell in row]
        rest = cells[1:]
        if len(cells) > 2:
            rest = [f"{escape(head)}: {cell}" if head else cell for head, cell in zip(heads[1:], rest) if cell]
        out += [".TP", line(cells[0]) or "\\&", line("; ".join(rest)) or "\\&"]


def options(chosen, out):
    groups = {}
    for option in chosen:
        groups.setdefault(option["group"], []).append(option)
    for group in GROUPS_FIRST + sorted(set(groups) - set(GROUPS_FIRST)):
        if group not in groups:
            continue
        out.append(f".SS {group}")
        for option in groups[group]:
            argument = escape(option["argument"], True)
            if argument:
                argument = f" [\\fI{argument}\\fR]" if option["optional"] else f" \\fI{argument}\\fR"
            out += [".TP", f"\\fB{escape(option['name'], True)}\\fR{argument}", line(escape(option["help"])) + "."]


def rows(pairs, out):
    for name, meaning in pairs:
        out += [".TP", line(inline(name)), line(inline(meaning)) + "."]


def head(name, about, version):
    return [".\\\" Made by share/manual from docs/ and the options of the program.",
            f'.TH {name.upper()} 1 "" "Gyre {version}" "User Commands"', ".SH NAME", f"{name} \\- {escape(about)}"]


def tail(tables, command, out, statuses=()):
    """The end of a page; what its own section on the exit status says, or what is so in general."""
    found = sources.environment(command)
    if found:
        out.append(".SH ENVIRONMENT")
        rows(found, out)
    out.append(".SH EXIT STATUS")
    if statuses:
        blocks(statuses, out)
        return
    for each in tables["statuses"]:
        out += [".TP", f".B {each['status']}", escape(each["meaning"]) + "."]


def only_leads_to(parts, elements):
    """A section that says where the parts of the page are: here, they follow."""
    links = [link.get("destination") for each in elements for link in each.iter("link")]
    return len(elements) == 1 and links and all(
        os.path.join("docs", link.partition("#")[0]) in parts for link in links)


def part_of_page(root, out):
    """A page that a command's page is divided into."""
    out.append(f".SH {line(escape(sources.plain(root.find('heading')).upper()))}")
    for heading, elements in sources.sections(root):
        if heading is not None:
            out.append(f'.SS "{line(inline(heading))}"')
        blocks(elements, out)


def command_page(tables, command):
    name = "gyre-" + (command["name"] or "verify")
    out = head(name, command["help"], tables["version"])
    out += [".SH SYNOPSIS", f".B {escape(command['synopsis'])}", "[options]", ".SH DESCRIPTION"]
    own, parts = {"Examples": [], "Exit status": []}, sources.parts_of(command["name"])
    for heading, elements in sources.sections(sources.tree(sources.read(sources.page_of(command["name"])))):
        title = heading is not None and sources.plain(heading)
        if title in own:
            own[title] += elements
            continue
        if only_leads_to(parts, elements):
            continue
        if heading is not None:
            out.append(f'.SS "{line(inline(heading))}"')
        blocks(elements, out)
    for part in parts:
        part_of_page(sources.tree(sources.read(part)), out)
    chosen = [each for each in tables["options"] if command["name"] in each["commands"]]
    if chosen:
        out.append(".SH OPTIONS")
        out.append("An argument follows after a space or =.")
        options(chosen, out)
    if own["Examples"]:
        out.append(".SH EXAMPLES")
        blocks(own["Examples"], out)
    tail(tables, command["name"], out, own["Exit status"])
    out += [".SH SEE ALSO", ".BR gyre (1)"]
    return name, out


def main_page(tables):
    out = head("gyre", "model checker for concurrent systems", tables["version"])
    out.append(".SH SYNOPSIS")
    for number, command in enumerate(tables["commands"]):
        out += [".br"] if number else []
        out += [f".B {escape(command['synopsis'])}", "[options]"]
    parts = {sources.plain(heading) if heading is not None else "": elements
             for heading, elements in sources.sections(sources.tree(sources.read("docs/gyre.md")))}
    out.append(".SH DESCRIPTION")
    blocks([each for each in parts[""] if each.tag == "paragraph"], out)
    out.append(".SH COMMANDS")
    for command in tables["commands"]:
        page = "gyre\\-" + (command["name"] or "verify")
        out += [".TP", f".B {escape(command['synopsis'])}", f"{escape(command['help'])}: \\fI{page}\\fR(1)."]
    out += [".SH OPTIONS", "All of them; the page of a command has those that it takes. "
            "An argument follows after a space or =."]
    options(tables["options"], out)
    out.append(".SH EXAMPLES")
    blocks(parts["Examples"], out)
    tail(tables, None, out)
    out.append(".SH FILES")
    blocks(parts["Files"], out)
    out += [".SH SEE ALSO"]
    names = ["gyre\\-" + (command["name"] or "verify") for command in tables["commands"]]
    out += [f".BR {name} (1)," for name in names] + [".BR spin (1)"]
    return "gyre", out


def tidy(lines):
    """Without paragraphs that begin where a section does."""
    return [each for i, each in enumerate(lines) if each != ".PP" or not lines[i - 1].startswith((".SH", ".SS"))]


def write(gyre, folder):
    tables = sources.tables(gyre)
    link.commands = {command["name"] or "verify" for command in tables["commands"]}
    os.makedirs(folder, exist_ok=True)
    made = [main_page(tables)]
    for command in tables["commands"]:
        if os.path.exists(os.path.join(sources.ROOT, sources.page_of(command["name"]))):
            made.append(command_page(tables, command))
    for name, lines in made:
        with open(os.path.join(folder, name + ".1"), "w", encoding="utf-8") as file:
            file.write("\n".join(tidy(lines)) + "\n")
    return [name for name, _ in made]

"""The manual for a browser: a page for each of docs/, with contents, search and pictures, in one directory that
needs no server and nothing from elsewhere."""
import html
import json
import os
import re
import shutil
import sys

import highlight
import sources

HERE = os.path.dirname(os.path.abspath(__file__))
LINK = re.compile(r'(<(?:a href|img src)=")([^"]+)(")')


class Site:
    def __init__(self, gyre, folder):
        self.folder = folder
        self.tables = sources.tables(gyre)
        self.parts = sources.pages()
        self.order = ["docs/README.md"] + [path for _, pages in self.parts for path, _ in pages]
        self.titles = {path: title for _, pages in self.parts for path, title in pages}
        self.titles["docs/README.md"] = "The manual"
        with open(os.path.join(HERE, "page.html"), encoding="utf-8") as file:
            self.frame = file.read()
        self.words = []
        self.files = set()

    # ---- links -------------------------------------------------------------------------

    def target(self, path, link):
        """Where a link of the page at `path` leads in the manual."""
        if re.match(r"\w+:|#", link):
            return link
        file, _, anchor = link.partition("#")
        wanted = os.path.normpath(os.path.join(os.path.dirname(path), file))
        if os.path.isdir(os.path.join(sources.ROOT, wanted)):
            wanted = os.path.join(wanted, "README.md")
        if wanted in self.order:
            return sources.name_of(wanted) + ".html" + ("#" + anchor if anchor else "")
        if not os.path.isfile(os.path.join(sources.ROOT, wanted)):
            print(f"manual: {path}: there is no {link}", file=sys.stderr)
            return link
        self.files.add(wanted)
        return "files/" + wanted

    def named(self, match):
        """A link whose text is the name of a file has the name of the page instead."""
        for path in self.order:
            if sources.name_of(path) == match[2]:
                return match[1] + html.escape(self.short(path, self.titles[path])) + "</a>"
        return match[0]

    # ---- parts of a page ---------------------------------------------------------------

    def contents(self, path):
        out = []
        for heading, pages in self.parts:
            out.append(f"<h2>{html.escape(heading)}</h2>\n<ul>")
            for each, title in pages:
                now = ' aria-current="page"' if each == path else ""
                out.append(f'<li><a href="{sources.name_of(each)}.html"{now}>{html.escape(self.short(each, title))}</a></li>')
            out.append("</ul>")
        return "\n".join(out)

    def short(self, path, title):
        """In the list of contents, a command's page has the name of the command."""
        for command in self.tables["commands"]:
            if path == sources.page_of(command["name"]):
                return " ".join(command["synopsis"].split()[:2]).replace("...", "")
        return title.partition(":")[0]

    def around(self, path):
        at = self.order.index(path)
        before = self.order[at - 1] if at else None
        after = self.order[at + 1] if at + 1 < len(self.order) else None
        sides = ((before, "← {}"), (after, "{} →"))
        return "".join(f'<a href="{sources.name_of(p)}.html">{html.escape(form.format(self.short(p, self.titles[p])))}</a>'
                       if p else "<span></span>" for p, form in sides)

    def options(self, path):
        """The options of a command, for its page."""
        for command in self.tables["commands"]:
            if path == sources.page_of(command["name"]):
                break
        else:
            return ""
        groups = {}
        for option in self.tables["options"]:
            if command["name"] in option["commands"]:
                groups.setdefault(option["group"], []).append(option)
        if not groups:
            return ""
        out = ["\n\n## All options\n\nAn argument follows after a space or `=`.\n"]
        for group, options in groups.items():
            out.append(f"\n### {group}\n\n<dl class=\"options\">\n")
            for option in options:
                argument = f" [{option['argument']}]" if option["optional"] else f" {option['argument']}".rstrip()
                out.append(f"<dt><code>{html.escape(option['name'] + argument)}</code></dt>"
                           f"<dd>{html.escape(option['help'])}</dd>\n")
            out.append("</dl>\n")
        rows = [(sources.plain(name), sources.plain(meaning)) for name, meaning in sources.environment(command["name"])]
        if rows:
            out.append("\n## Environment of the command\n\n<dl class=\"options\">\n")
            out += [f"<dt><code>{html.escape(n)}</code></dt><dd>{html.escape(m)}</dd>\n" for n, m in rows]
            out.append("</dl>\n")
        return "".join(out)

    # ---- pages -------------------------------------------------------------------------

    def headings(self, body, used):
        """Gives headings their anchors; returns the body and the list for the margin."""
        here = []

        def anchor(match):
            level, inner = match[1], match[2]
            text = html.unescape(re.sub(r"<[^>]+>", "", inner))
            name = sources.slug(text)
            used[name] = used.get(name, -1) + 1
            name += f"-{used[name]}" if used[name] else ""
            if level in "23":
                here.append((level, name, text))
            return f'<h{level} id="{name}">{inner}<a class="here" href="#{name}" aria-label="link to this section">#</a></h{level}>'

        body = re.sub(r"<h([1-4])>(.*?)</h\1>", anchor, body, flags=re.S)
        rows = "".join(f'<li{" class=deep" if level == "3" else ""}><a href="#{name}">{html.escape(text)}</a></li>\n'
                       for level, name, text in here)
        return body, f"<h2>On this page</h2>\n<ul>\n{rows}</ul>" if len(here) > 1 else ""

    def index(self, path, body):
        """The words of each section, for the search."""
        name, page = sources.name_of(path) + ".html", self.short(path, self.titles[path])
        for piece in re.split(r"(?=<h[1-3] id=)", body):
            head = re.match(r'<h([1-3]) id="([^"]*)">(.*?)<a class="here"', piece, re.S)
            if not head:
                continue
            told = set(a or b for a, b in re.findall(r"(?:<p>|<li>|<tr>\s*<td>)(?:<strong>)?<code>(--[\w-]+)|<strong><code>(--[\w-]+)", piece))
            listed = set(re.findall(r"<dt><code>(--[\w-]+)", piece))
            clean = re.sub(r"<h[1-3].*?</h[1-3]>", "", piece, count=1, flags=re.S)
            clean = html.unescape(re.sub(r"<[^>]+>", " ", clean))
            self.words.append({"page": page, "title": "" if head[1] == "1" else html.unescape(re.sub(r"<[^>]+>", "", head[3])),
                               "link": name + ("" if head[1] == "1" else "#" + head[2]),
                               "text": re.sub(r"\s+", " ", clean).strip(), "told": sorted(told), "listed": sorted(listed)})

    @staticmethod
    def stacked(match):
        """A table of three to five columns, whose rows a phone shows as paragraphs: each cell knows its column."""
        heads = [re.sub(r"<[^>]+>", "", head) for head in re.findall(r"<th\b[^>]*>(.*?)</th>", match[0], re.S)]
        if not 3 <= len(heads) <= 5:
            return match[0]

        def cells(row):
            column = iter(heads)

            def cell(found):
                label = next(column, "")
                return f'<td data-column="{label}"{found[1]}>' if label and label != heads[0] else found[0]
            return re.sub(r"<td\b([^>]*)>", cell, row[0])

        return re.sub(r"<tr>.*?</tr>", cells, match[0].replace("<table>", '<table class="stacked">', 1), flags=re.S)

    def page(self, path):
        body = sources.cmark(sources.read(path) + self.options(path), "html")
        body = LINK.sub(lambda m: m[1] + html.escape(self.target(path, html.unescape(m[2]))) + m[3], body)
        body = re.sub(r'(<a href="([^"#]+)\.html[^"]*">)[\w/-]+\.md</a>', self.named, body)
        body = re.sub(r"<code>([^<\n]{1,24})</code>(?!</pre>)", r'<code class="short">\1</code>', body)
        body, here = self.headings(body, {})
        body = re.sub(r"<table>.*?</table>", self.stacked, body, flags=re.S)
        body = re.sub(r"<table\b", '<div class="wide"><table', body).replace("</table>", "</table></div>")
        self.index(path, body)
        body = highlight.promela(body)
        body = re.sub(r"^(\$ .*)$", r'<span class="command">\1</span>', body, flags=re.M)
        text = self.frame
        for mark, value in (("TITLE", html.escape(self.titles[path])), ("PAGE", sources.name_of(path)),
                            ("VERSION", self.tables["version"]), ("CONTENTS", self.contents(path)), ("HERE", here),
                            ("AROUND", self.around(path)), ("BODY", body)):
            text = text.replace(f"@{mark}@", value)
        return text


def write(gyre, folder):
    site = Site(gyre, folder)
    os.makedirs(folder, exist_ok=True)
    for path in site.order:
        with open(os.path.join(folder, sources.name_of(path) + ".html"), "w", encoding="utf-8") as file:
            file.write(site.page(path))
    with open(os.path.join(folder, "words.js"), "w", encoding="utf-8") as file:
        file.write("const MANUAL = " + json.dumps(site.words, ensure_ascii=False).replace("</", "<\\/") + ";\n")
    for name in ("style.css", "search.js"):
        shutil.copyfile(os.path.join(HERE, name), os.path.join(folder, name))
    for wanted in sorted(site.files):
        to = os.path.join(folder, "files", wanted)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        shutil.copyfile(os.path.join(sources.ROOT, wanted), to)
    return site.order

"use strict";
// Search in the sections of all pages (words.js), without a server: every word must be there. What explains an
// option of that name comes first, then lists that have it; titles count more than text, whole words more than
// beginnings.
(() => {
    const field = document.getElementById("search"), found = document.getElementById("found");
    const escape = text => text.replace(/[&<>"]/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
    const pattern = words => new RegExp(words.map(w => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "gi");
    for (const section of MANUAL) {
        section.low = section.text.toLowerCase();
        section.head = (section.title + " " + section.page).toLowerCase();
    }

    function count(text, word) {
        let n = 0, whole = 0;
        for (let at = text.indexOf(word); at >= 0 && n < 20; at = text.indexOf(word, at + 1)) {
            n++;
            const end = text[at + word.length];
            if (end === undefined || !/[\w-]/.test(end)) whole++;
        }
        return n + 2 * whole;
    }

    function scoreOption(section, option, text) {
        const name = option.slice(2), page = section.link.split(/[.#]/)[0];
        return 700 * (page === name) + 400 * section.told.includes(option) + 300 * !!count(section.head, name) +
            200 * section.listed.includes(option) + 20 * text;
    }

    function score(section, words) {
        let sum = 0;
        for (const word of words) {
            const head = count(section.head, word), text = count(section.low, word);
            if (!head && !text) return 0;
            sum += 40 * Math.min(head, 3) + Math.min(text, 15);
            if (word.startsWith("--")) sum += scoreOption(section, word, text);
        }
        return ["Changelog", "Troubleshooting"].includes(section.page) ? sum / 4 : sum;
    }

    function excerpt(section, words) {
        const at = Math.max(0, section.low.indexOf(words.find(word => section.low.includes(word)) || "") - 50);
        const text = (at ? "… " : "") + section.text.slice(at, at + 150);
        return escape(text).replace(pattern(words.map(escape)), "<mark>$&</mark>");
    }

    function show() {
        const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
        found.hidden = !words.length;
        if (!words.length) return;
        const hits = MANUAL.map(section => [score(section, words), section]).filter(hit => hit[0])
            .sort((a, b) => b[0] - a[0]).slice(0, 25);
        found.innerHTML = hits.length ? hits.map(([, s]) =>
            `<a role="option" href="${s.link}"><b>${escape(s.page)}${s.title ? " › " + escape(s.title) : ""}</b><span>${excerpt(s, words)}</span></a>`).join("")
            : "<p>Nothing found.</p>";
        if (found.firstElementChild.href) found.firstElementChild.classList.add("chosen");
    }

    function move(by) {
        const all = [...found.querySelectorAll("a")], now = all.findIndex(a => a.classList.contains("chosen"));
        if (!all.length) return;
        all.forEach(a => a.classList.remove("chosen"));
        const next = all[(now + by + all.length) % all.length];
        next.classList.add("chosen");
        next.scrollIntoView({ block: "nearest" });
    }

    field.addEventListener("input", show);
    field.addEventListener("focus", show);
    field.addEventListener("keydown", event => {
        if (event.key === "ArrowDown" || event.key === "ArrowUp") { event.preventDefault(); move(event.key === "ArrowDown" ? 1 : -1); }
        if (event.key === "Escape") { field.value = ""; show(); field.blur(); }
        const chosen = found.querySelector(".chosen");
        if (event.key === "Enter" && chosen && !found.hidden) { found.hidden = true; location.href = chosen.href; }
    });
    document.addEventListener("click", event => { if (!event.target.closest(".search")) found.hidden = true; });
    found.addEventListener("click", () => { found.hidden = true; });
    document.addEventListener("keydown", event => {
        if (event.key === "/" && !/INPUT|TEXTAREA/.test(document.activeElement.tagName)) { event.preventDefault(); field.focus(); }
    });
    const menu = document.getElementById("menu"), nav = document.getElementById("contents");
    const now = nav.querySelector("[aria-current]");
    if (now) nav.scrollTop = now.offsetTop - nav.clientHeight / 2;
    menu.addEventListener("click", () => menu.setAttribute("aria-expanded", nav.classList.toggle("open")));
})();

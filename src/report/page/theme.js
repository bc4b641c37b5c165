// Light and dark: as the system has it, or as the person at the page wants it.

const systemDark = matchMedia("(prefers-color-scheme: dark)");
const kept = () => { try { return localStorage.getItem("gyre-theme"); } catch { return null; } };
const keep = value => { try { if (value) localStorage.setItem("gyre-theme", value); else localStorage.removeItem("gyre-theme"); } catch { /* not allowed */ } };

export const isDark = () => document.documentElement.dataset.theme === "dark";
const setTheme = dark => { document.documentElement.dataset.theme = dark ? "dark" : "light"; };
const applyTheme = () => setTheme((kept() || (systemDark.matches ? "dark" : "light")) === "dark");

/** The other one. What the system has needs not be kept: the page goes on following it. */
export function switchTheme() {
  const dark = !isDark();
  keep(dark === systemDark.matches ? null : dark ? "dark" : "light");
  setTheme(dark);
}

systemDark.addEventListener("change", applyTheme);
applyTheme();

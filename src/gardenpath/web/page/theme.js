/** Light or dark: as the system has it, until somebody chooses; the choice is kept in the browser. */

const KEY = "gardenpath-theme";
const system = window.matchMedia("(prefers-color-scheme: dark)");

/** @param {HTMLButtonElement} button */
export function followTheme(button) {
  const show = () => {
    const chosen = stored();
    if (chosen) document.documentElement.dataset.theme = chosen;
    button.setAttribute("aria-pressed", String(isDark()));
  };
  button.addEventListener("click", () => {
    store(isDark() ? "light" : "dark");
    show();
  });
  system.addEventListener("change", show);
  show();
}

const isDark = () => (document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : system.matches);

function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return document.documentElement.dataset.theme ?? null; // the browser keeps nothing for this page
  }
}

/** @param {string} theme */
function store(theme) {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Then it holds until the page is left.
  }
}

/** The light or dark theme: that of the system until the user chooses one. The browser stores the choice. */

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

function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : system.matches;
}

function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return document.documentElement.dataset.theme ?? null; // the browser does not allow storage
  }
}

/** @param {string} theme */
function store(theme) {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Without storage, the choice is lost when the page is closed.
  }
}

/** The keys that step. */

import { dialogIsOpen, showHelp } from "./dialogs.js";

const STEPS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", p: "play", P: "play" };
const SCROLL = 120;

/** @param {() => import("./panel.js").Panel | undefined} active the panel that the keys move */
export function listenToKeys(active) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialogIsOpen() || hasUseForKeys(event.target)) return;
    if (press(event, active())) event.preventDefault();
  });
}

/** Do what a key stands for; tell whether it stands for anything. @param {KeyboardEvent} event @param {import("./panel.js").Panel | undefined} panel */
function press(event, panel) {
  if (event.key === "?") {
    showHelp();
    return true;
  }
  if (event.shiftKey && event.key.startsWith("Arrow")) return scroll(event);
  if (!panel?.trace) return false;
  if (event.key === "r" || event.key === "R") panel.goToRepair();
  else if (event.key in STEPS) panel.player.press(STEPS[event.key]);
  else return false;
  return true;
}

/** Scroll what has the focus. @param {KeyboardEvent} event */
function scroll(event) {
  const box = /** @type {Element} */ (event.target).closest("[data-scrolls]");
  const by = { ArrowLeft: -SCROLL, ArrowRight: SCROLL }[event.key];
  if (!box || !by) return false;
  box.scrollBy({ left: by });
  return true;
}

/** Text fields, menus and sliders need these keys themselves. @param {any} target */
const hasUseForKeys = (target) => target instanceof Element && target.closest("textarea, select, input:not([type=checkbox])") !== null;

/** Keyboard shortcuts. */

import { dialogIsOpen, showHelp } from "./dialogs.js";

const STEPS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", p: "play", P: "play" };
const SCROLL = 120;

/**
 * @param {() => import("./panel.js").Panel | undefined} active returns the panel that the keys control
 * @param {Record<string, () => void>} actions the actions of other keys
 */
export function listenToKeys(active, actions) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialogIsOpen() || usesKeys(event.target)) return;
    if (press(event, active(), actions)) event.preventDefault();
  });
}

/**
 * Run the action of a key. Return whether the key has one.
 * @param {KeyboardEvent} event
 * @param {import("./panel.js").Panel | undefined} panel
 * @param {Record<string, () => void>} actions
 */
function press(event, panel, actions) {
  if (event.key === "?") {
    showHelp();
    return true;
  }
  if (event.shiftKey && event.key.startsWith("Arrow")) return scroll(event);
  const action = actions[event.key.toLowerCase()];
  if (action) {
    action();
    return true;
  }
  if (!panel?.trace) return false;
  const key = event.key.toLowerCase();
  if (key === "r") panel.goToRepair();
  else if (key === "w") panel.toggleWhy();
  else if (event.key in STEPS) panel.player.press(STEPS[event.key]);
  else return false;
  panel.keepInView();
  return true;
}

/** Scroll the focused element. @param {KeyboardEvent} event */
function scroll(event) {
  const box = /** @type {Element} */ (event.target).closest("[data-scrolls]");
  const by = { ArrowLeft: -SCROLL, ArrowRight: SCROLL }[event.key];
  if (!box || !by) return false;
  box.scrollBy({ left: by });
  return true;
}

const KEY_USERS = "textarea, select, input:not([type=checkbox])";

/** Whether an element uses the keys itself: text fields, menus and sliders. @param {any} target */
const usesKeys = (target) => target instanceof Element && target.closest(KEY_USERS) !== null;

/**
 * The picture of a derivation. The server draws the arcs of all steps in one layout. This module shows, marks and hides
 * them as transitions add and remove them.
 */

import { svgElement, svgFrom } from "./dom.js";
import { arcsAt, arcName, changes, focusWords, isWrong, keyOf, places } from "./derivation.js";

/** @typedef {import("./derivation.js").Trace} Trace */

const PADDING = 4;
const CROSS = 5;
const NEAR = 0.15; // position of a cross on its arc, from the head
const WRONG = "≠ ";

export class Stage {
  /** @param {HTMLElement} box the scrolling element that contains the picture */
  constructor(box) {
    this.box = box;
  }

  /**
   * Load the picture of a derivation. The box must be visible, because words are measured.
   * @param {Trace} trace
   */
  load(trace) {
    this.trace = trace;
    this.svg = svgFrom(trace.svg);
    this.svg.classList.add("gp-steps");
    this.box.replaceChildren(this.svg);
    /** @type {Map<string, Element[]>} the line and the label of each arc */
    this.arcs = new Map();
    for (const part of this.svg.querySelectorAll("[data-head]")) {
      const key = `${part.getAttribute("data-head")}-${part.getAttribute("data-dependent")}`;
      this.arcs.set(key, [...(this.arcs.get(key) ?? []), part]);
    }
    this.words = new Map();
    for (const word of this.svg.querySelectorAll(".gp-word")) {
      this.words.set(Number(word.getAttribute("data-id")), word);
    }
    this.words.forEach((word) => {
      word.classList.add("at-stack"); // words on the stack are widest
      word.prepend(ground(word));
    });
    this.marks = svgElement("g", { class: "gp-marks" });
    this.svg.append(this.marks);
    this.description = svgElement("desc");
    this.svg.querySelector("title")?.after(this.description);
    this.box.scrollTop = this.box.scrollHeight; // the words are below the arcs
  }

  /**
   * Show the state after k transitions.
   * @param {number} k
   * @param {boolean} showGold
   */
  show(k, showGold) {
    this.showArcs(k, showGold);
    this.showWords(k);
    this.keepInView(focusWords(this.trace, k));
  }

  /** @param {number} k @param {boolean} showGold */
  showArcs(k, showGold) {
    const { made, broken } = changes(this.trace, k);
    const [fresh, gone] = [new Set(made.map(keyOf)), new Set(broken.map(keyOf))];
    /** @type {Map<string, string | null>} */
    const shown = new Map(broken.map((arc) => [keyOf(arc), arc.label]));
    const wrong = new Set();
    const there = [...arcsAt(this.trace, k).values()];
    this.description.textContent = there.map((arc) => arcName(this.trace, arc)).join("; ") || "no arcs";
    for (const arc of there) {
      shown.set(keyOf(arc), arc.label);
      gone.delete(keyOf(arc));
      if (isWrong(this.trace, arc)) wrong.add(keyOf(arc));
    }
    const gold = new Set(showGold ? (this.trace.gold ?? []).map((head, i) => `${head}-${i + 1}`) : []);
    for (const [key, parts] of this.arcs) {
      for (const part of parts) {
        mark(part, {
          "is-hidden": !shown.has(key) && !gold.has(key),
          "is-made": fresh.has(key),
          "is-broken": gone.has(key),
          "is-wrong": wrong.has(key),
          "is-gold": gold.has(key) && !shown.has(key),
        });
        if (shown.has(key)) write(part, (wrong.has(key) ? WRONG : "") + (shown.get(key) ?? ""));
      }
    }
    this.marks.replaceChildren(...[...gone].flatMap((key) => cross(this.arcs.get(key)?.[0])));
  }

  /** @param {number} k */
  showWords(k) {
    const focus = focusWords(this.trace, k);
    for (const [id, place] of places(this.trace, k)) {
      const word = this.words.get(id);
      if (!word) continue;
      for (const name of ["stack", "lambda2", "buffer", "done"]) word.classList.toggle(`at-${name}`, name === place);
      word.classList.toggle("is-focus", focus.has(id));
    }
  }

  /** Highlight the words that a transition would connect. @param {number[]} ids */
  point(ids) {
    this.words?.forEach((word, id) => word.classList.toggle("is-pointed", ids.includes(id)));
  }

  /** Scroll these words into view, or the first of them if they are too far apart. @param {Set<number>} ids */
  keepInView(ids) {
    const spots = [...ids].map((id) => this.words.get(id)?.getBoundingClientRect()).filter(Boolean);
    if (!spots.length) return;
    const left = Math.min(...spots.map((spot) => spot.left));
    const right = Math.max(...spots.map((spot) => spot.right));
    const frame = this.box.getBoundingClientRect();
    if (left >= frame.left && right <= frame.right) return;
    const fits = right - left <= frame.width;
    this.box.scrollBy({ left: fits ? (left + right) / 2 - (frame.left + frame.right) / 2 : left - frame.left });
  }
}

/** A rectangle behind a word. Its colour shows the place of the word. @param {any} word */
function ground(word) {
  const { x, y, width, height } = word.getBBox();
  const size = { x: x - PADDING, y: y - 1, width: width + 2 * PADDING, height: height + 2, rx: 4 };
  return svgElement("rect", { class: "gp-place", ...size });
}

/** Switch classes on and off. @param {Element} part @param {Record<string, boolean>} classes */
function mark(part, classes) {
  for (const [name, on] of Object.entries(classes)) part.classList.toggle(name, on);
}

/** Write a label, and adapt the background. @param {Element} part @param {string} text */
function write(part, text) {
  /** @type {any} */
  const label = part.querySelector(".gp-label");
  if (!label || label.textContent === text) return;
  label.textContent = text;
  const { x, width } = label.getBBox();
  const behind = part.querySelector(".gp-background");
  behind?.setAttribute("x", String(x - 1));
  behind?.setAttribute("width", String(width + 2));
}

/** A cross on an arc, near the head, where it does not cover the label. @param {Element | undefined} arc */
function cross(arc) {
  /** @type {any} */
  const line = arc?.querySelector(".gp-line");
  if (!line) return [];
  const [arrow, length] = [arc.querySelector(".gp-arrow").getBBox(), line.getTotalLength()];
  const startsAtHead = Math.abs(line.getPointAtLength(0).x - (arrow.x + arrow.width / 2)) > 1;
  const { x, y } = line.getPointAtLength(length * (startsAtHead ? NEAR : 1 - NEAR));
  const d = `M${x - CROSS},${y - CROSS}l${2 * CROSS},${2 * CROSS}m0,${-2 * CROSS}l${-2 * CROSS},${2 * CROSS}`;
  return [svgElement("path", { class: "gp-cross", d })];
}

/** What is shown as files: the picture as SVG and PNG, and whatever text the server makes. */

/** @typedef {import("./derivation.js").Trace} Trace */

const SCALE = 2;
const MARGIN = 8;

/**
 * A name for a file: the first words of the sentence, the system, and what else tells it from others.
 * @param {Trace} trace
 * @param {...string} rest
 */
export function fileName(trace, ...rest) {
  const words = trace.text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? ["sentence"];
  return [words.slice(0, 6).join("-"), trace.system, ...rest].join("_");
}

/**
 * Give text to the user as a file.
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
export const saveText = (name, text, type) => saveBlob(name, new Blob([text], { type: `${type};charset=utf-8` }));

/**
 * The picture as it stands, in light colours: one file that needs nothing else.
 * @param {SVGSVGElement} svg
 * @returns {Promise<string>}
 */
export async function standalone(svg) {
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  trim(copy, topOf(svg));
  copy.querySelectorAll(".is-hidden").forEach((part) => part.remove());
  copy.querySelectorAll(".is-pointed").forEach((part) => part.classList.remove("is-pointed"));
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = await lightStyles();
  copy.insertBefore(style, copy.firstChild);
  return `${new XMLSerializer().serializeToString(copy)}\n`;
}

/**
 * The same as PNG, twice as large.
 * @param {SVGSVGElement} svg
 * @returns {Promise<Blob>}
 */
export async function asPng(svg) {
  const address = URL.createObjectURL(new Blob([await standalone(svg)], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = SCALE * image.width;
    canvas.height = SCALE * image.height;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve));
    if (!blob) throw new Error("The picture is too large for a PNG; save it as SVG.");
    return blob;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * @param {string} name
 * @param {Blob} blob
 */
export function saveBlob(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Where the highest of all that is seen begins. @param {SVGSVGElement} svg */
function topOf(svg) {
  const seen = [...svg.querySelectorAll(".gp-arc, .gp-label-group, .gp-word")].filter((part) => !part.classList.contains("is-hidden"));
  return Math.max(0, Math.floor(Math.min(...seen.map((part) => /** @type {any} */ (part).getBBox().y))) - MARGIN);
}

/** Take away what is above; it was kept free for arcs of other steps. @param {SVGSVGElement} svg @param {number} top */
function trim(svg, top) {
  const { width, height } = svg.viewBox.baseVal;
  svg.setAttribute("viewBox", `0 ${top} ${width} ${height - top}`);
  svg.setAttribute("height", String(height - top));
}

/** The stylesheet of trees with the light colours written in, since other programs know no variables. */
async function lightStyles() {
  const [rules, colours] = await Promise.all(["page/tree.css", "page/style.css"].map(async (address) => (await fetch(address)).text()));
  const light = new Map([...colours.matchAll(/(--[\w-]+): light-dark\((#\w+),/g)].map(([, name, colour]) => [name, colour]));
  return rules.replace(/var\((--[\w-]+)\)/g, (_, name) => light.get(name) ?? "inherit");
}

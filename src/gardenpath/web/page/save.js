/** Save files: the picture as SVG and PNG, and texts. */

/** @typedef {import("./derivation.js").Trace} Trace */

const SCALE = 2;
const MARGIN = 8;

/**
 * A file name: the first words of the sentence, the system, and further parts.
 * @param {Trace} trace
 * @param {...string} rest
 */
export function fileName(trace, ...rest) {
  const words = trace.text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? ["sentence"];
  return [words.slice(0, 6).join("-"), trace.system, ...rest].join("_");
}

/**
 * Save text as a file.
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
export const saveText = (name, text, type) => saveBlob(name, new Blob([text], { type: `${type};charset=utf-8` }));

/**
 * The current picture in light colours, as one self-contained file.
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
 * The current picture as PNG, in double size.
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
    if (!blob) throw new Error("The picture is too large for PNG. Save it as SVG.");
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

/** The top of the highest visible part. @param {SVGSVGElement} svg */
function topOf(svg) {
  const parts = [...svg.querySelectorAll(".gp-arc, .gp-label-group, .gp-word")];
  const visible = parts.filter((part) => !part.classList.contains("is-hidden"));
  const tops = visible.map((part) => /** @type {any} */ (part).getBBox().y);
  return Math.max(0, Math.floor(Math.min(...tops)) - MARGIN);
}

/**
 * Remove the space above `top`, which is for the arcs of other steps.
 * @param {SVGSVGElement} svg
 * @param {number} top
 */
function trim(svg, top) {
  const { width, height } = svg.viewBox.baseVal;
  svg.setAttribute("viewBox", `0 ${top} ${width} ${height - top}`);
  svg.setAttribute("height", String(height - top));
}

/** The stylesheet of trees with the values of the light colours, because other programs do not support variables. */
async function lightStyles() {
  const load = async (address) => (await fetch(address)).text();
  const [rules, colours] = await Promise.all([load("page/tree.css"), load("page/style.css")]);
  const definitions = colours.matchAll(/(--[\w-]+): light-dark\((#\w+),/g);
  const light = new Map([...definitions].map(([, name, colour]) => [name, colour]));
  return rules.replace(/var\((--[\w-]+)\)/g, (_, name) => light.get(name) ?? "inherit");
}

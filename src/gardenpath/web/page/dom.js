/** Small helpers for making elements. */

/**
 * An element with attributes and children. An attribute that is null, undefined or false is left out, true is empty;
 * a function listens to the event of that name.
 * @param {string} name
 * @param {Record<string, any>} attributes
 * @param {...(Node | string | null)} children
 * @returns {HTMLElement}
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/**
 * An element of a picture.
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @returns {SVGElement}
 */
export function svgElement(name, attributes = {}) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** The element of that id. @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/**
 * An SVG text as an element of this page, without its stylesheet: the page has its own.
 * @param {string} text
 * @returns {SVGSVGElement}
 */
export function svgFrom(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  parsed.querySelectorAll("style").forEach((style) => style.remove());
  return /** @type {any} */ (document.importNode(parsed, true));
}

/**
 * Fill a select with options.
 * @param {HTMLSelectElement} select
 * @param {{value: string, text: string}[]} options
 * @param {string} [chosen]
 */
export function fill(select, options, chosen) {
  select.replaceChildren(...options.map(({ value, text }) => element("option", { value, selected: value === chosen }, text)));
}

/**
 * Show a message, or hide the place for it if there is none.
 * @param {HTMLElement} place
 * @param {string} text
 */
export function tell(place, text) {
  place.hidden = !text;
  place.textContent = text;
}

/** Helpers for creating elements. */

/**
 * Create an element with attributes and children. An attribute that is null, undefined or false is omitted; true gives
 * an empty attribute; a function becomes a listener for the event of that name.
 * @param {string} name
 * @param {Record<string, any>} attributes
 * @param {...(Node | string | null)} children
 * @returns {HTMLElement}
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(key, value === true ? "" : String(value));
    }
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/**
 * Create an SVG element.
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @returns {SVGElement}
 */
export function svgElement(name, attributes = {}) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** The element with this id. @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/**
 * Convert SVG text to an element of this page, without its stylesheet. The page has its own.
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
  const option = ({ value, text }) => element("option", { value, selected: value === chosen }, text);
  select.replaceChildren(...options.map(option));
}

/** A message of the server as a sentence. @param {string} message */
export const asSentence = (message) => (
  `${message[0].toUpperCase()}${message.slice(1)}${message.endsWith("?") ? "" : "."}`
);

/**
 * Show a message, or hide its element if the message is empty.
 * @param {HTMLElement} place
 * @param {string} text
 */
export function tell(place, text) {
  place.hidden = !text;
  place.textContent = text;
}

/** The API as /openapi.json describes it: each operation with its parameters, schemas and answers, and a form to try it. */

import { byId, element, tell } from "./dom.js";
import { followTheme } from "./theme.js";

const METHODS = ["get", "post"];
const JSON_TYPE = "application/json";

/** @param {any} description */
function show(description) {
  byId("description").append(...formatted(description.info.description));
  const operations = Object.entries(description.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ path, method, ...item[method], schemas: description.components.schemas })),
  );
  byId("contents").append(...operations.map((each) => element("li", {}, element("a", { href: `#${each.operationId}` }, element("code", {}, each.path)))));
  byId("operations").append(...operations.map(section));
  byId("schemas").append(...Object.entries(description.components.schemas).map(([name, schema]) => schemaEntry(name, schema)));
}

/** @param {any} operation */
function section(operation) {
  const body = operation.requestBody?.content[JSON_TYPE]?.schema;
  const title = `${operation.operationId}-title`;
  return element(
    "section", { class: "operation", id: operation.operationId, "aria-labelledby": title },
    element("h2", { id: title }, element("span", { class: "method" }, operation.method.toUpperCase()), element("code", {}, operation.path)),
    element("p", {}, ...formatted(operation.description ?? operation.summary)),
    ...(operation.parameters ? [element("h3", {}, "Parameters"), table(operation.parameters.map(parameterRow))] : []),
    ...(body ? [element("h3", {}, "Request"), properties(resolved(body, operation.schemas))] : []),
    element("h3", {}, "Answers"),
    table(Object.entries(operation.responses).map(answerRow), ["status", "schema", "meaning"]),
    trial(operation, body),
  );
}

/** A form that sends the request, with an example in it. @param {any} operation @param {any} body */
function trial(operation, body) {
  const inputs = (operation.parameters ?? []).map((parameter) => element("input", { name: parameter.name, required: true, value: example(parameter.schema, operation.schemas) }));
  const labels = inputs.map((input) => element("label", { class: "parameter" }, input.getAttribute("name") ?? "", input));
  const text = body ? element("textarea", { class: "columns-of-text", rows: 6, spellcheck: "false" }, JSON.stringify(example(body, operation.schemas), null, 1)) : null;
  const status = element("p", { role: "status" });
  const answer = element("pre", { hidden: true, tabindex: 0, "aria-label": "Answer" });
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const path = inputs.reduce((path, input) => path.replace(`{${input.name}}`, encodeURIComponent(input.value)), operation.path);
    status.textContent = "…";
    const began = performance.now();
    try {
      const response = await fetch(path.slice(1), { method: operation.method.toUpperCase(), body: text?.value, headers: body ? { "Content-Type": JSON_TYPE } : {} });
      const content = await response.text();
      status.textContent = `${response.status} ${response.statusText}, ${content.length.toLocaleString("en")} characters, ${Math.round(performance.now() - began)} ms`;
      answer.textContent = response.headers.get("content-type")?.startsWith(JSON_TYPE) ? JSON.stringify(JSON.parse(content), null, 1) : content;
    } catch (error) {
      status.textContent = `The server does not answer: ${error.message}`;
      answer.textContent = "";
    }
    answer.hidden = !answer.textContent;
  };
  const form = element(
    "form", { submit: send }, ...labels, text && element("label", { class: "wide" }, "Body", text),
    element("div", { class: "controls" }, element("button", { type: "submit", class: "main" }, "Send")), status, answer,
  );
  return element("details", {}, element("summary", {}, "Try it"), form);
}

/** @param {string} name @param {any} schema */
function schemaEntry(name, schema) {
  return element("details", { id: `schema-${name}` }, element("summary", {}, code(name), " ", ...formatted(schema.description ?? "")), properties(schema));
}

/** @param {any} schema */
function properties(schema) {
  const required = schema.required ?? [];
  const rows = Object.entries(schema.properties ?? {}).map(([name, value]) => [code(name), type(value), meaning(value, required.includes(name))]);
  return table(rows);
}

/** @param {any} value @param {boolean} required */
function meaning(value, required) {
  const fallback = value.default === undefined ? [] : ["Default: ", code(JSON.stringify(value.default)), ". "];
  return [...(required ? ["Required. "] : fallback), ...formatted(value.description ?? "")];
}

/** @param {any} parameter */
const parameterRow = (parameter) => [code(parameter.name), type(parameter.schema), formatted(parameter.description ?? `In the ${parameter.in}.`)];

/** @param {[string, any]} entry */
function answerRow([status, response]) {
  const [kind, content] = Object.entries(response.content ?? {})[0] ?? ["", {}];
  return [code(status), content.schema?.$ref || kind === JSON_TYPE ? type(content.schema ?? {}) : [kind], formatted(response.description)];
}

/** The type of a value in words, with links to schemas. @param {any} schema @returns {(Node | string)[]} */
function type(schema) {
  if (schema.$ref) return [link(schema.$ref)];
  if (schema.enum) return joined(schema.enum.map((value) => [code(JSON.stringify(value))]), " or ");
  if ("const" in schema) return [code(JSON.stringify(schema.const))];
  if (schema.anyOf) return joined(schema.anyOf.map(type), " or ");
  if (schema.type === "array") return ["list of ", ...(schema.items ? type(schema.items) : joined((schema.prefixItems ?? []).map(type), ", "))];
  if (schema.type === "object" && schema.additionalProperties?.type) return ["object of ", ...type(schema.additionalProperties)];
  return [schema.type ?? "any"];
}

/** @param {string} reference */
function link(reference) {
  const name = reference.split("/").pop() ?? "";
  const open = () => byId(`schema-${name}`).setAttribute("open", "");
  return element("a", { href: `#schema-${name}`, click: open }, code(name));
}

/** A value that fits a schema. @param {any} schema @param {Record<string, any>} schemas @returns {any} */
function example(schema, schemas) {
  const found = resolved(schema, schemas);
  if (found.examples) return found.examples[0];
  if (found.default !== undefined) return found.default;
  if (found.enum) return found.enum[0];
  if (found.anyOf) return example(found.anyOf[0], schemas);
  if (found.type === "object") return Object.fromEntries((found.required ?? []).map((name) => [name, example(found.properties[name], schemas)]));
  if (found.type === "array") return [];
  return { boolean: false, integer: 0, number: 0 }[found.type] ?? "";
}

/** @param {any} schema @param {Record<string, any>} schemas */
const resolved = (schema, schemas) => (schema.$ref ? schemas[schema.$ref.split("/").pop()] : schema);

/** @param {any[][]} rows @param {string[]} header */
function table(rows, header = ["name", "type", "meaning"]) {
  const heading = element("tr", {}, ...header.map((name) => element("th", { scope: "col" }, name)));
  const cells = (row) => row.map((cell) => element("td", {}, ...(Array.isArray(cell) ? cell : [cell])));
  return element("table", {}, element("thead", {}, heading), element("tbody", {}, ...rows.map((row) => element("tr", {}, ...cells(row)))));
}

/** @param {string} text */
const code = (text) => element("code", {}, text);

/** Text in which backquotes mark code. @param {string} text */
const formatted = (text) => text.split("`").map((part, index) => (index % 2 ? code(part) : part));

/** @param {(Node | string)[][]} parts @param {string} separator */
const joined = (parts, separator) => parts.flatMap((part, index) => (index ? [separator, ...part] : part));

followTheme(byId("theme"));
try {
  show(await (await fetch("openapi.json")).json());
} catch (error) {
  tell(byId("error"), `The description of the API cannot be shown: ${error.message}`);
}

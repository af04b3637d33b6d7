/** The reference of the API from /openapi.json: operations, parameters, schemas, responses, and a form to try each. */

import { byId, element, tell } from "./dom.js";
import { followTheme } from "./theme.js";

const METHODS = ["get", "post"];
const JSON_TYPE = "application/json";

/** @param {any} description */
function show(description) {
  const { schemas } = description.components;
  byId("description").append(...formatted(description.info.description));
  const operations = Object.entries(description.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ path, method, ...item[method], schemas })),
  );
  const anchor = (each) => element("a", { href: `#${each.operationId}` }, element("code", {}, each.path));
  byId("contents").append(...operations.map((each) => element("li", {}, anchor(each))));
  byId("operations").append(...operations.map(section));
  byId("schemas").append(...Object.entries(schemas).map(([name, schema]) => schemaEntry(name, schema)));
}

/** @param {any} operation */
function section(operation) {
  const body = operation.requestBody?.content[JSON_TYPE]?.schema;
  const title = `${operation.operationId}-title`;
  return element(
    "section", { class: "operation", id: operation.operationId, "aria-labelledby": title },
    element(
      "h2", { id: title },
      element("span", { class: "method" }, operation.method.toUpperCase()), element("code", {}, operation.path),
    ),
    element("p", {}, ...formatted(operation.description ?? operation.summary)),
    ...(operation.parameters ? [element("h3", {}, "Parameters"), table(operation.parameters.map(parameterRow))] : []),
    ...(body ? [element("h3", {}, "Request"), properties(resolved(body, operation.schemas))] : []),
    element("h3", {}, "Responses"),
    table(Object.entries(operation.responses).map(responseRow), ["status", "schema", "meaning"]),
    trial(operation, body),
  );
}

/** A form that sends a request, filled with an example. @param {any} operation @param {any} body */
function trial(operation, body) {
  const inputs = (operation.parameters ?? []).map(({ name, schema }) => (
    element("input", { name, required: true, value: example(schema, operation.schemas) })
  ));
  const labels = inputs.map((input) => (
    element("label", { class: "parameter" }, input.getAttribute("name") ?? "", input)
  ));
  const text = body ? bodyField(example(body, operation.schemas)) : null;
  const status = element("p", { role: "status" });
  const result = element("pre", { hidden: true, tabindex: 0, "aria-label": "Response" });
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const fillIn = (path, input) => path.replace(`{${input.name}}`, encodeURIComponent(input.value));
    const path = inputs.reduce(fillIn, operation.path).slice(1);
    const headers = body ? { "Content-Type": JSON_TYPE } : {};
    status.textContent = "…";
    const began = performance.now();
    try {
      const response = await fetch(path, { method: operation.method.toUpperCase(), body: text?.value, headers });
      const content = await response.text();
      const size = `${content.length.toLocaleString("en")} characters`;
      const time = `${Math.round(performance.now() - began)} ms`;
      status.textContent = `${response.status} ${response.statusText}, ${size}, ${time}`;
      const isJson = response.headers.get("content-type")?.startsWith(JSON_TYPE);
      result.textContent = isJson ? JSON.stringify(JSON.parse(content), null, 1) : content;
    } catch (error) {
      status.textContent = `The server does not respond: ${error.message}`;
      result.textContent = "";
    }
    result.hidden = !result.textContent;
  };
  const form = element(
    "form", { submit: send }, ...labels, text && element("label", { class: "wide" }, "Body", text),
    element("div", { class: "controls" }, element("button", { type: "submit", class: "main" }, "Send")), status, result,
  );
  return element("details", {}, element("summary", {}, "Try it"), form);
}

/** A text field for the body of a request. @param {any} value */
const bodyField = (value) => (
  element("textarea", { class: "columns-of-text", rows: 6, spellcheck: "false" }, JSON.stringify(value, null, 1))
);

/** @param {string} name @param {any} schema */
function schemaEntry(name, schema) {
  const summary = element("summary", {}, code(name), " ", ...formatted(schema.description ?? ""));
  return element("details", { id: `schema-${name}` }, summary, properties(schema));
}

/** @param {any} schema */
function properties(schema) {
  const required = schema.required ?? [];
  const row = ([name, value]) => [code(name), type(value), meaning(value, required.includes(name))];
  return table(Object.entries(schema.properties ?? {}).map(row));
}

/** @param {any} value @param {boolean} required */
function meaning(value, required) {
  const fallback = value.default === undefined ? [] : ["Default: ", code(JSON.stringify(value.default)), ". "];
  return [...(required ? ["Required. "] : fallback), ...formatted(value.description ?? "")];
}

/** @param {any} parameter */
function parameterRow(parameter) {
  return [code(parameter.name), type(parameter.schema), formatted(parameter.description ?? `In the ${parameter.in}.`)];
}

/** @param {[string, any]} entry */
function responseRow([status, response]) {
  const [kind, content] = Object.entries(response.content ?? {})[0] ?? ["", {}];
  const schema = content.schema?.$ref || kind === JSON_TYPE ? type(content.schema ?? {}) : [kind];
  return [code(status), schema, formatted(response.description)];
}

/** The type of a value in words, with links to schemas. @param {any} schema @returns {(Node | string)[]} */
function type(schema) {
  if (schema.$ref) return [link(schema.$ref)];
  if (schema.enum) return joined(schema.enum.map((value) => [code(JSON.stringify(value))]), " or ");
  if ("const" in schema) return [code(JSON.stringify(schema.const))];
  if (schema.anyOf) return joined(schema.anyOf.map(type), " or ");
  if (schema.type === "array") {
    return ["list of ", ...(schema.items ? type(schema.items) : joined((schema.prefixItems ?? []).map(type), ", "))];
  }
  if (schema.type === "object" && schema.additionalProperties?.type) {
    return ["object of ", ...type(schema.additionalProperties)];
  }
  return [schema.type ?? "any"];
}

/** @param {string} reference */
function link(reference) {
  const name = reference.split("/").pop() ?? "";
  const open = () => byId(`schema-${name}`).setAttribute("open", "");
  return element("a", { href: `#schema-${name}`, click: open }, code(name));
}

/** An example value for a schema. @param {any} schema @param {Record<string, any>} schemas @returns {any} */
function example(schema, schemas) {
  const found = resolved(schema, schemas);
  if (found.examples) return found.examples[0];
  if (found.default !== undefined) return found.default;
  if (found.enum) return found.enum[0];
  if (found.anyOf) return example(found.anyOf[0], schemas);
  if (found.type === "object") {
    return Object.fromEntries((found.required ?? []).map((name) => [name, example(found.properties[name], schemas)]));
  }
  if (found.type === "array") return [];
  return { boolean: false, integer: 0, number: 0 }[found.type] ?? "";
}

/** @param {any} schema @param {Record<string, any>} schemas */
const resolved = (schema, schemas) => (schema.$ref ? schemas[schema.$ref.split("/").pop()] : schema);

/** @param {any[][]} rows @param {string[]} header */
function table(rows, header = ["name", "type", "meaning"]) {
  const heading = element("tr", {}, ...header.map((name) => element("th", { scope: "col" }, name)));
  const cells = (row) => row.map((cell) => element("td", {}, ...(Array.isArray(cell) ? cell : [cell])));
  const body = element("tbody", {}, ...rows.map((row) => element("tr", {}, ...cells(row))));
  return element("table", {}, element("thead", {}, heading), body);
}

/** @param {string} text */
const code = (text) => element("code", {}, text);

/** Format text in which backquotes mark code. @param {string} text */
const formatted = (text) => text.split("`").map((part, index) => (index % 2 ? code(part) : part));

/** @param {(Node | string)[][]} parts @param {string} separator */
const joined = (parts, separator) => parts.flatMap((part, index) => (index ? [separator, ...part] : part));

followTheme(byId("theme"));
try {
  show(await (await fetch("openapi.json")).json());
} catch (error) {
  tell(byId("error"), `The description of the API could not be loaded: ${error.message}`);
}

/** What the page asks the server for. Addresses are relative, so the page works behind any prefix. */

/**
 * @typedef {{name: string, aliases: string[], steps: string[], system: string}} ModelInfo
 * @typedef {{name: string, title: string, definition: string, moves: string[], oracles: string[], projective: boolean, single_root_mode: boolean}} SystemInfo
 * @typedef {{move: string, label: string | null}} Move
 * @typedef {{conllu: string, model: string | null, system: string | null, oracle: string, gold: boolean, moves: Move[], then: string | null}} TraceRequest
 */

/** What the server says is wrong, or that it says nothing. */
export class ServerError extends Error {}

/** @returns {Promise<{models: ModelInfo[], default: string}>} */
export const getModels = () => asJson("api/models");

/** @returns {Promise<{systems: SystemInfo[]}>} */
export const getSystems = () => asJson("api/systems");

/**
 * @param {{text: string, input: string, model: string | null, svg: boolean}} request
 * @param {AbortSignal} [signal]
 * @returns {Promise<{model: string, conllu: string, svg: string[]}>}
 */
export const parse = (request, signal) => asJson("api/parse", request, signal);

/**
 * @param {TraceRequest} request
 * @param {AbortSignal} [signal]
 * @returns {Promise<import("./derivation.js").Trace>}
 */
export const trace = (request, signal) => asJson("api/trace", request, signal);

/**
 * The derivation as LaTeX.
 * @param {TraceRequest} request
 * @returns {Promise<string>}
 */
export const traceAsLatex = async (request) => (await ask("api/trace.tex", request)).text();

/**
 * Whether this is the end of a request that was given up for a newer one.
 * @param {any} error
 */
export const isGivenUp = (error) => error?.name === "AbortError";

async function asJson(address, body, signal) {
  return (await ask(address, body, signal)).json();
}

/**
 * @param {string} address
 * @param {object} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
async function ask(address, body, signal) {
  const options = body ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal } : { signal };
  let response;
  try {
    response = await fetch(address, options);
  } catch (error) {
    if (isGivenUp(error)) throw error;
    throw new ServerError("The server does not answer. See whether `gardenpath serve` still runs, and try again; what you typed is kept.");
  }
  if (!response.ok) throw new ServerError(await complaint(response));
  return response;
}

/** What an answer that is none says: the sentence in its JSON, or its text. @param {Response} response */
async function complaint(response) {
  const text = await response.text();
  try {
    return JSON.parse(text).error ?? text;
  } catch {
    return text || `The server answers ${response.status}.`;
  }
}

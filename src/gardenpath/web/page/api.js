/** Requests to the server. Addresses are relative, so the page works behind any prefix. */

/**
 * @typedef {{name: string, aliases: string[], steps: string[], system: string, reads_tags: boolean}} ModelInfo
 * @typedef {{name: string, title: string, definition: string, moves: string[], oracles: string[], projective: boolean,
 *   single_root_mode: boolean}} SystemInfo
 * @typedef {{move: string, label: string | null}} Move a transition
 * @typedef {{conllu: string, model: string | null, system: string | null, oracle: string, gold: boolean, moves: Move[],
 *   then: string | null}} TraceRequest
 * @typedef {{pattern: string, text: string, input: string, model: string, by: string[], limit: number, svg: boolean
 *   }} SearchRequest
 * @typedef {{sentence: number, text: {text: string, name: string}[], svg?: string}} FoundMatch
 * @typedef {{matches: FoundMatch[], total: number, complete: boolean, matched_sentences: number, sentences: number,
 *   words: number, counts: {values: (string | null)[], count: number}[], notes: string[],
 *   warnings: string[]}} SearchAnswer
 * @typedef {{input: string, value: string, words: number[], contribution: number}} Reason
 * @typedef {{text: string, margin: number, reasons: Reason[]}} Comparison with another transition
 * @typedef {{id: number, form: string, confidence?: {upos: number | null, head: number | null, label: number | null}}}
 *   ParsedWord
 */

/** An error message of the server, or no response. */
export class ServerError extends Error {}

/** @returns {Promise<{models: ModelInfo[], default: string}>} */
export const getModels = () => asJson("api/models");

/** @returns {Promise<{systems: SystemInfo[]}>} */
export const getSystems = () => asJson("api/systems");

/**
 * @param {{text: string, input: string, model: string | null, svg: boolean, confidence: boolean}} request
 * @param {AbortSignal} [signal]
 * @returns {Promise<{model: string, conllu: string, sentences: {words: ParsedWord[]}[], svg: string[],
 *   warnings: string[]}>}
 */
export const parse = (request, signal) => asJson("api/parse", request, signal);

/**
 * @param {TraceRequest} request
 * @param {AbortSignal} [signal]
 * @returns {Promise<import("./derivation.js").Trace>}
 */
export const trace = (request, signal) => asJson("api/trace", request, signal);

/**
 * @param {object} request a request for a derivation, and the number of a step, from 1
 * @param {AbortSignal} [signal]
 * @returns {Promise<{step: number, text: string, comparisons: Comparison[]}>}
 */
export const reasons = (request, signal) => asJson("api/reasons", request, signal);

/**
 * The tags that a model can assign: UPOS, XPOS and FEATS.
 * @param {string} model
 * @returns {Promise<{tags: [string, string, string][]}>}
 */
export const getTags = (model) => asJson(`api/models/${encodeURIComponent(model)}/tags`);

/**
 * Get the derivation as LaTeX.
 * @param {TraceRequest} request
 * @returns {Promise<string>}
 */
export const traceAsLatex = async (request) => (await send("api/trace.tex", request)).text();

/**
 * @param {SearchRequest} request
 * @param {AbortSignal} [signal]
 * @returns {Promise<SearchAnswer>}
 */
export const search = (request, signal) => asJson("api/search", request, signal);

/**
 * Whether a request was aborted because a newer one replaced it.
 * @param {any} error
 */
export const isGivenUp = (error) => error?.name === "AbortError";

async function asJson(address, body, signal) {
  return (await send(address, body, signal)).json();
}

/**
 * @param {string} address
 * @param {object} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
async function send(address, body, signal) {
  const post = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal };
  const options = body ? post : { signal };
  let response;
  try {
    response = await fetch(address, options);
  } catch (error) {
    if (isGivenUp(error)) throw error;
    throw new ServerError("The server does not respond. Check that `gardenpath serve` is running, and try again.");
  }
  if (!response.ok) throw new ServerError(await errorMessage(response));
  return response;
}

/** The message of an error response: the `error` of its JSON, or its text. @param {Response} response */
async function errorMessage(response) {
  const text = await response.text();
  try {
    return JSON.parse(text).error ?? text;
  } catch {
    return text || `The server returned the status ${response.status}.`;
  }
}

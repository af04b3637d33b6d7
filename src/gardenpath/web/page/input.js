/** What has been typed: text or CoNLL-U, and the sentences in it. */

const WORD_LINE = /^\d+(-\d+|\.\d+)?\t/;
const HEAD = 6;

/**
 * Text or CoNLL-U: the one that has lines which begin with a number and a tab is CoNLL-U.
 * @param {string} text
 * @returns {"text" | "conllu"}
 */
export function recognise(text) {
  return lines(text).some((line) => WORD_LINE.test(line)) ? "conllu" : "text";
}

/**
 * The sentences of CoNLL-U, each with its comments.
 * @param {string} conllu
 * @returns {string[]}
 */
export function sentences(conllu) {
  const blocks = lines(conllu).join("\n").split(/\n[ \t]*\n/);
  return blocks.filter((block) => block.split("\n").some((line) => WORD_LINE.test(line))).map((block) => block.replace(/^\n+|\n+$/g, "") + "\n\n");
}

/**
 * Whether every word of CoNLL-U has a head.
 * @param {string} conllu
 */
export function hasHeads(conllu) {
  const words = lines(conllu).filter((line) => /^\d+\t/.test(line));
  return words.length > 0 && words.every((line) => /^\d+$/.test(line.split("\t")[HEAD] ?? ""));
}

const lines = (text) => text.split(/\r\n|\r|\n/);

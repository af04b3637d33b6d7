/** Example sentences, with settings that show what is special about each. */

/**
 * @param {string} text
 * @param {string[]} rows the columns ID FORM UPOS HEAD DEPREL of each word, and optionally MISC
 */
function conllu(text, ...rows) {
  const lines = rows.map((row) => {
    const [id, form, upos, head, deprel, misc = "_"] = row.split(" ");
    return [id, form, "_", upos, "_", "_", head, deprel, "_", misc].join("\t");
  });
  return [`# text = ${text}`, ...lines, ""].join("\n");
}

const FALL = conllu(
  "I saw Jack and Jill fall",
  "1 I PRON 2 nsubj", "2 saw VERB 0 root", "3 Jack PROPN 6 nsubj", "4 and CCONJ 3 cc", "5 Jill PROPN 3 conj",
  "6 fall VERB 2 ccomp",
);

const JACK_AND_JILL = conllu(
  "I saw Jack and Jill",
  "1 I PRON 2 nsubj", "2 saw VERB 0 root", "3 Jack PROPN 2 obj", "4 and CCONJ 3 cc", "5 Jill PROPN 3 conj",
);

const HEARING = conllu(
  "A hearing is scheduled on the issue today.",
  "1 A DET 2 det", "2 hearing NOUN 4 nsubj:pass", "3 is AUX 4 aux:pass", "4 scheduled VERB 0 root", "5 on ADP 7 case",
  "6 the DET 7 det", "7 issue NOUN 2 nmod", "8 today NOUN 4 obl:tmod SpaceAfter=No", "9 . PUNCT 4 punct",
);

const APPLE = conllu(
  "הילדה אכלה תפוח אדום.",
  "1-2 הילדה _ _ _", "1 ה DET 2 det", "2 ילדה NOUN 3 nsubj", "3 אכלה VERB 0 root", "4 תפוח NOUN 3 obj",
  "5 אדום ADJ 4 amod SpaceAfter=No", "6 . PUNCT 3 punct",
);

const LONG = "When the committee that had been asked to look into the matter finally published the report for which "
  + "everybody had waited since the spring, the papers that had spent months guessing what it would say found that it "
  + "agreed with none of them, and that the question which had started it all, whether the bridge should have been "
  + "closed, was not even mentioned.";

/** An example that is a text. @param {string} input */
const text = (input) => ({ name: input, state: { input } });

const SHIFT = { move: "shift", label: null };
const SUBJECT = { move: "left-arc", label: "nsubj" };
const OBJECT = { move: "right-arc", label: "obj" };

/**
 * Each example has a name and a part of the state of the page (see permalink.js).
 * @type {{name: string, state: object}[]}
 */
export const EXAMPLES = [
  text("The president admitted the plan will change."),
  text("I know the words to that song are wrong."),
  text("The coach remembered the players won the game."),
  text("She gave him a book."),
  {
    name: "Honnibal et al. 2013, figure 1: Left-Arc repairs",
    state: {
      input: FALL, gold: true,
      panels: [{ who: "system:arc-eager-nml", step: 9, moves: [SHIFT, SUBJECT, SHIFT, OBJECT], chosen: [3] }],
    },
  },
  {
    name: "Honnibal et al. 2013, figure 2: Reduce repairs",
    state: {
      input: JACK_AND_JILL, gold: true,
      panels: [{ who: "system:arc-eager-nmd", step: 9, moves: [SHIFT, SUBJECT, SHIFT, SHIFT], chosen: [3] }],
    },
  },
  {
    name: "Crossing arcs with swap",
    state: { input: HEARING, gold: true, panels: [{ who: "system:swap", oracle: "lazy" }] },
  },
  {
    name: "Crossing arcs with Covington’s parser",
    state: { input: HEARING, gold: true, panels: [{ who: "system:covington" }] },
  },
  { name: "Right-to-left text", state: { input: APPLE, gold: true, panels: [{ who: "system:arc-eager" }] } },
  { name: "A long sentence", state: { input: LONG } },
];

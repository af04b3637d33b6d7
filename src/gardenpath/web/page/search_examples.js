/** Example searches. Each has a name, a pattern, keys to count by and, if it needs another one than `TEXT`, a text. */

export const TEXT = "The committee published its report yesterday. "
  + "The report was read by everybody who had waited for it. What do the papers say? "
  + "They quickly found that nobody liked the report. Give them time.";

const HEARING = `# text = A hearing is scheduled on the issue today.
1\tA\ta\tDET\t_\t_\t2\tdet\t_\t_
2\thearing\thearing\tNOUN\t_\tNumber=Sing\t4\tnsubj:pass\t_\t_
3\tis\tbe\tAUX\t_\t_\t4\taux:pass\t_\t_
4\tscheduled\tschedule\tVERB\t_\tVoice=Pass\t0\troot\t_\t_
5\ton\ton\tADP\t_\t_\t7\tcase\t_\t_
6\tthe\tthe\tDET\t_\t_\t7\tdet\t_\t_
7\tissue\tissue\tNOUN\t_\tNumber=Sing\t2\tnmod\t_\t_
8\ttoday\ttoday\tNOUN\t_\tNumber=Sing\t4\tobl:tmod\t_\tSpaceAfter=No
9\t.\t.\tPUNCT\t_\t_\t4\tpunct\t_\t_
`;

/** @type {{name: string, pattern: string, by: string, text?: string}[]} */
export const SEARCHES = [
  { name: "Verbs and their subjects", pattern: "pattern {\n  V [upos=VERB];\n  e: V -[1=nsubj]-> S\n}", by: "V.lemma" },
  { name: "What a noun is to its head", pattern: "pattern {\n  N [upos=NOUN|PROPN];\n  e: H -> N\n}", by: "e.label" },
  {
    name: "Verbs without a subject", pattern: "pattern { V [upos=VERB] }\nwithout { V -[1=nsubj|csubj]-> S }",
    by: "V.VerbForm",
  },
  { name: "Objects before their verb", pattern: "pattern {\n  V -[obj]-> O;\n  O << V\n}", by: "O.upos" },
  {
    name: "Passives with an agent", pattern: "pattern {\n  V -[1=nsubj, 2=pass]-> S;\n  V -[1=obl, 2=agent]-> A\n}",
    by: "",
  },
  {
    name: "Relative clauses", pattern: "pattern {\n  N -[acl:relcl]-> V;\n  V ->> R;\n  R [PronType=Rel]\n}",
    by: "R.form",
  },
  { name: "Words in -ly", pattern: "pattern { X [form=/.*ly/i] }", by: "X.upos" },
  {
    name: "Order of subject, verb and object", pattern: "pattern {\n  V -[nsubj]-> S;\n  V -[obj]-> O\n}",
    by: "S#V#O",
  },
  {
    name: "Crossing edges (CoNLL-U)", pattern: "global { is_not_projective }\npattern {\n  e: X -> Y;\n  f: Z -> W;\n"
      + "  e >< f;\n  Y.__id__ < W.__id__\n}", by: "e.label", text: HEARING,
  },
];

// The signs of annotations (NAGs, PGN §10), with their meanings.

/** Signs and words by the numbers of NAGs. @type {Object<number, [string, string]>} */
export const NAGS = {
  1: ["!", "good move"],
  2: ["?", "mistake"],
  3: ["‼", "brilliant move"],
  4: ["⁇", "blunder"],
  5: ["⁉", "interesting move"],
  6: ["⁈", "dubious move"],
  7: ["□", "only move"],
  8: ["□", "only move"],
  9: ["⁇", "worst move"],
  10: ["=", "equal"],
  11: ["=", "equal"],
  13: ["∞", "unclear"],
  14: ["+/=", "White is slightly better"],
  15: ["=/+", "Black is slightly better"],
  16: ["±", "White is better"],
  17: ["∓", "Black is better"],
  18: ["+−", "White is winning"],
  19: ["−+", "Black is winning"],
  22: ["⨀", "zugzwang"],
  23: ["⨀", "zugzwang"],
  32: ["⟳", "lead in development"],
  33: ["⟳", "lead in development"],
  36: ["→", "initiative"],
  37: ["→", "initiative"],
  40: ["↑", "attack"],
  41: ["↑", "attack"],
  44: ["=/∞", "compensation"],
  45: ["=/∞", "compensation"],
  132: ["⇆", "counterplay"],
  133: ["⇆", "counterplay"],
  138: ["⊕", "time trouble"],
  139: ["⊕", "time trouble"],
  140: ["∆", "with the idea"],
  146: ["N", "novelty"],
};

/** The quality of a move by its NAG, as a class of its element. */
export const QUALITIES = { 2: "mistake", 4: "blunder", 6: "dubious", 1: "good", 3: "brilliant", 5: "interesting" };

export const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}@.-]+/u)
    .filter(Boolean);

/** Whether each typed word begins a word of the content: 'set pri' finds 'Set priority…'. */
function beginsWords(content: string, typed: string): boolean {
  const words = wordsOf(content);
  return wordsOf(typed).every((each) => words.some((word) => word.startsWith(each)));
}

/** Kinds of choices whose text the server or the palette itself has already matched, with their ranks. */
const found = new Map([
  ['ticket', 0.8],
  ['try', 0.8],
  ['customer', 0.7],
  ['docs', 0.4],
  ['search', 0.01],
]);
/** Places rank below tickets, because their names are less specific. */
const places = new Set(['view', 'member', 'settings', 'help']);

/** The score of a choice. Its value begins with its kind: 'ticket {id}', 'view: Mine', 'this ticket: Edit tags'. */
export function paletteScore(value: string, typed: string): number {
  const kind = /^[a-z]+/.exec(value.toLowerCase())?.[0] ?? '';
  const score = found.get(kind);
  if (score !== undefined) return score;
  if (!beginsWords(value, typed)) return 0;
  return places.has(kind) ? 0.5 : 1;
}

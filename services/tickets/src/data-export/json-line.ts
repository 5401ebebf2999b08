/** A string of JSON with its quotes. */
const jsonString = /"(?:[^"\\]|\\.)*"/g;
/** Inside a string: a character that begins a formula at the start of a cell, if the line is read as CSV. */
const formulaStart = /((?:^"|[,;|]) *)([=+\-@])/g;
const mayHaveFormula = /["',;|] *[=+\-@]/;

/**
 * A value as one line of JSON, without the line break. A program that reads the line as CSV would split it at commas, so the characters that
 * begin a formula are escaped (`\u003d`) where they would begin a cell. JSON parsers return the same text.
 */
export function jsonLine(value: unknown): string {
  return withoutFormulas(JSON.stringify(value));
}

/** For lines that are JSON already. */
export function withoutFormulas(json: string): string {
  if (!mayHaveFormula.test(json)) return json;
  return json.replace(jsonString, (text) => text.replace(formulaStart, (_match, before: string, start: string) => before + escaped(start)));
}

const escaped = (character: string): string => `\\u00${character.charCodeAt(0).toString(16)}`;

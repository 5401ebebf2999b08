const lineBreaks = /\r\n?|\u2028|\u2029/g;
// Characters that never belong in text: control characters (C0 except tab and line break, C1), and the mark used by `html-text.ts`.
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ue000\ufeff]/g;
// Bidirectional controls, which can display a name ending in 'gpj.exe' as 'exe.jpg'.
const directions = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text that PostgreSQL and JSON can store: well-formed, no control characters except tab and line feed, at most `max` UTF-16 units. */
export function cleanText(text: string, max: number): string {
  const cut = text.length > max * 2 ? text.slice(0, max * 2) : text;
  const clean = cut.replace(lineBreaks, '\n').replace(controls, '').toWellFormed();
  return clean.length > max
    ? clean
        .slice(0, max)
        .toWellFormed()
        .replace(/\ufffd$/, '')
    : clean;
}

/** The same on one line; undefined if nothing is left. */
export function cleanLine(text: string | null | undefined, max: number): string | undefined {
  if (!text) return undefined;
  const line = cleanText(text, max * 2)
    .replace(directions, '')
    .replace(/\s+/g, ' ')
    .trim();
  return line.slice(0, max).toWellFormed() || undefined;
}

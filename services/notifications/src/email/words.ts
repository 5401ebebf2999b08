/** Signs that turn the direction of what follows (Unicode, UAX 9): with them a name could make the rest of a line read backwards. */
const turns = /[\u202a-\u202e\u2066-\u2069]/g;
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]/g;

/** What somebody typed, as text of several lines. */
export const plainText = (typed: string): string => typed.replace(/\r\n?/g, '\n').replace(controls, '').replace(turns, '');

/** What somebody typed, as one line of a reasonable length: nothing in it can begin another header, or another line. */
export function oneLine(typed: string, length = 120): string {
  const line = typed.replace(/\s+/g, ' ').replace(controls, '').replace(turns, '').trim();
  return line.length > length ? `${line.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…` : line;
}

/** Spec part 2, section 9: en-US with short month, day, year, hour and minute. Where its reader lives is not known. */
const date = new Intl.DateTimeFormat('en-US', {
  ...{ month: 'short', day: 'numeric', year: 'numeric', hour: 'numeric', minute: '2-digit' },
  timeZone: 'UTC',
});
export const moment = (time: string): string => `${date.format(new Date(time))} UTC`;

/** Unicode controls that change the text direction (UAX 9): with them a name could make the rest of a line read backwards. */
const turns = /[\u202a-\u202e\u2066-\u2069]/g;
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]/g;

/** User input as plain text with several lines. */
export const plainText = (typed: string): string => typed.replace(/\r\n?/g, '\n').replace(controls, '').replace(turns, '');

/** User input as one line of limited length, so that it cannot inject a header or a line. */
export function oneLine(typed: string, length = 120): string {
  const line = typed.replace(/\s+/g, ' ').replace(controls, '').replace(turns, '').trim();
  return line.length > length ? `${line.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…` : line;
}

/** en-US with short month, day, year, hour and minute. In UTC, because the reader's time zone is unknown. */
const date = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'UTC',
});
export const moment = (time: string): string => `${date.format(new Date(time))} UTC`;

/**
 * The last line of every comment that we post. It identifies our own comments when a webhook arrives before the response, or the process
 * crashed.
 */
export const commentMarker = (ticket_number: string, comment_id: string): string =>
  `— via Tandem · ${ticket_number} · ${comment_id.replaceAll('-', '').slice(-8)}`;

const anyMarker = /^\\?— via Tandem · [^\n·]{1,40} · [0-9a-f]{8}$/;
/** Only the last line is searched for a marker: matching the pattern against a whole hostile text would take minutes. */
const lastLine = (text: string): string => {
  const trimmed = text.trimEnd();
  return trimmed.slice(trimmed.lastIndexOf('\n') + 1).trimStart();
};
/** Whether a text ends with any of Tandem's markers. A tool may escape or trim the text that it receives. */
export const isOurs = (text: string): boolean => anyMarker.test(lastLine(text));
export const hasMarker = (text: string, marker: string): boolean => isOurs(text) && text.trimEnd().endsWith(marker.slice(2));

/** The last line of every comment that we write: by it our own are known where a webhook, or a crash, outruns the answer. */
export const commentMarker = (ticket_number: string, comment_id: string): string =>
  `— via Tandem · ${ticket_number} · ${comment_id.replaceAll('-', '').slice(-8)}`;

const anyMarker = /^\\?— via Tandem · [^\n·]{1,40} · [0-9a-f]{8}$/;
/** The only line that a marker is looked for in: a pattern over a whole text takes a hostile one minutes. */
const lastLine = (text: string): string => {
  const trimmed = text.trimEnd();
  return trimmed.slice(trimmed.lastIndexOf('\n') + 1).trimStart();
};
/** Whether a text ends with a marker of ours, whichever. A tool may escape or trim what it was given. */
export const isOurs = (text: string): boolean => anyMarker.test(lastLine(text));
export const hasMarker = (text: string, marker: string): boolean => isOurs(text) && text.trimEnd().endsWith(marker.slice(2));

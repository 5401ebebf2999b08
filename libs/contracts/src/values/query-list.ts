/**
 * Lists in a query are comma-separated or repeated: `status=open,in_progress`. A comma or a backslash in a value has a backslash before it:
 * `tag=a\, b` is one tag.
 */
export const encodeList = (values: readonly string[]): string => values.map((value) => value.replaceAll(/[\\,]/g, '\\$&')).join(',');

/** The values of a list, without empty ones. A backslash before another character is a backslash. */
export const decodeList = (text: string): string[] =>
  [...text.matchAll(/(?:\\[\\,]|[^,])+/g)].map(([value]) => value.replaceAll(/\\([\\,])/g, '$1'));

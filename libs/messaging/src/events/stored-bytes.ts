/** The most bytes in PostgreSQL per byte of compact JSON. The worst case is 5e-324 with a comma: 328 bytes instead of 7. */
const mostPerByte = 64;

/**
 * The size in bytes of a `jsonb` value as PostgreSQL writes it: with a space after each colon and comma, and without exponents; otherwise it is
 * as long as the compact `json`. Counts a few bytes too many for each exponent. If the text cannot take more than `most` bytes, returns the bytes of `json`,
 * to save time.
 */
export function storedBytes(json: string, most: number): number {
  const compact = Buffer.byteLength(json);
  return compact * mostPerByte <= most ? compact : compact + addedBytes(JSON.parse(json));
}

function addedBytes(value: unknown): number {
  if (typeof value === 'number') return Number(String(value).split(/e[+-]/)[1] ?? 0);
  if (typeof value !== 'object' || value === null) return 0;
  const members: unknown[] = Object.values(value);
  const colons = Array.isArray(value) ? 0 : members.length;
  const commas = Math.max(0, members.length - 1);
  return members.reduce<number>((sum, member) => sum + addedBytes(member), colons + commas);
}

/**
 * Reads values of JSON whose form is documented, but not certain. Nothing here throws. Members are read by constant names only, or with
 * `memberOf`: a file can have members like `__proto__` and `constructor`.
 */

export type JsonObject = Readonly<Record<string, unknown>>;

const nothing: JsonObject = Object.freeze(Object.create(null) as JsonObject);

/** An empty object if the value is not an object. */
export const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : nothing;

export const isObject = (value: unknown): value is JsonObject => objectOf(value) !== nothing;

/** An empty array if the value is not an array. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

export const memberOf = (object: JsonObject, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined);

/** U+0000 cannot be stored in PostgreSQL (https://www.postgresql.org/docs/current/datatype-character.html), nor half a surrogate pair. */
export const cleanText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    // eslint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '')
    .toWellFormed();

/** Text that is not blank, cleaned; numbers and booleans become text. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return null;
  const text = cleanText(value).trim();
  return text === '' ? null : text;
}

/** The first of the values that is text. */
export function firstText(...values: unknown[]): string | null {
  for (const value of values) {
    const text = textOf(value);
    if (text !== null) return text;
  }
  return null;
}

const maxKeyLength = 200;

/** An ID in the source as a key. IDs above 2^53 lose digits in JSON.parse; vendors' IDs stay below. */
export function keyOf(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null;
  const text = typeof value === 'string' ? cleanText(value).trim() : '';
  return text === '' || text.length > maxKeyLength ? null : text;
}

export const integerOf = (value: unknown): number | null => (typeof value === 'number' && Number.isSafeInteger(value) ? value : null);

/** An address in lower case. Whether it is valid is checked with the record. */
export function emailOf(value: unknown): string | null {
  const text = textOf(value);
  return text !== null && text.includes('@') ? text.toLowerCase() : null;
}

/** 128 random bits in hex. Not `crypto.randomUUID`: that one is missing on pages without https. */
export const uniqueKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Idempotency keys, one per text: pressing again after a lost answer sends the same key, a changed text gets its own. */
export function keyPerText(): (text: string) => string {
  let last = { text: '', key: '' };
  return (text) => {
    if (last.key === '' || last.text !== text) last = { text, key: uniqueKey() };
    return last.key;
  };
}
